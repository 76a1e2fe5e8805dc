"""Arguments of any type and size: every call gives an answer or an error of the package."""

from __future__ import annotations

import decimal
import fractions
import io
import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import pathfront as pf
from fuzz.finding import Case, Finding, unexpected

PER_ROUND = 60


class _Odd:
    """An object whose conversions fail."""

    def __index__(self) -> int:
        raise RuntimeError("no index")


VALUES: dict[str, Callable[[], Any]] = {
    "none": lambda: None,
    "true": lambda: True,
    "zero": lambda: 0,
    "one": lambda: 1,
    "minus_one": lambda: -1,
    "three": lambda: 3,
    "2**31": lambda: 2**31,
    "2**32": lambda: 2**32,
    "2**63": lambda: 2**63,
    "2**64": lambda: 2**64,
    "10**400": lambda: 10**400,
    "-10**400": lambda: -(10**400),
    "half": lambda: 0.5,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "minus_inf": lambda: float("-inf"),
    "tiny": lambda: 5e-324,
    "huge": lambda: 1.7e308,
    "minus_zero": lambda: -0.0,
    "complex": lambda: 1j,
    "text": lambda: "x",
    "number_text": lambda: "1",
    "empty_text": lambda: "",
    "surrogate": lambda: "\ud800",
    "bytes": lambda: b"1",
    "list": lambda: [0, 1],
    "empty_list": list,
    "nested_list": lambda: [[0, 1], [2]],
    "list_of_nothing": lambda: [None, None],
    "list_of_texts": lambda: ["a", "b"],
    "mixed_list": lambda: [0, "a", 1.5],
    "huge_list": lambda: [10**400, 1],
    "tuple": lambda: (0, 1),
    "set": lambda: {0, 1},
    "dict": lambda: {0: 1},
    "range": lambda: range(2),
    "generator": lambda: (i for i in (0, 1)),
    "array": lambda: np.array([0, 1]),
    "array_0d": lambda: np.array(1),
    "array_1": lambda: np.array([1]),
    "array_2d": lambda: np.zeros((2, 2)),
    "array_empty": lambda: np.empty(0),
    "array_float": lambda: np.array([0.5, 1.5]),
    "array_nan": lambda: np.array([0.0, np.nan]),
    "array_int8": lambda: np.array([0, 1], np.int8),
    "array_big_endian": lambda: np.array([0, 1], ">i8"),
    "array_strided": lambda: np.arange(8)[::4],
    "array_object": lambda: np.array([0, None], object),
    "array_complex": lambda: np.array([0, 1j]),
    "array_dates": lambda: np.array(["2020-01-01", "NaT"], "M8[D]"),
    "array_texts": lambda: np.array(["a", "b"]),
    "array_bool": lambda: np.array([False, True]),
    "array_uint64": lambda: np.array([2**64 - 1, 0], np.uint64),
    "array_longdouble": lambda: np.array([1, 2], np.longdouble),
    "array_record": lambda: np.zeros(2, [("a", "i4")]),
    "array_masked": lambda: np.ma.array([0, 1], mask=[False, True]),
    "numpy_int": lambda: np.int8(1),
    "numpy_uint64": lambda: np.uint64(2**64 - 1),
    "numpy_float": lambda: np.float32(1.5),
    "numpy_bool": lambda: np.bool_(True),
    "numpy_date": lambda: np.datetime64("2020-01-01"),
    "decimal": lambda: decimal.Decimal("1.5"),
    "decimal_snan": lambda: decimal.Decimal("sNaN"),
    "fraction": lambda: fractions.Fraction(1, 3),
    "huge_fraction": lambda: fractions.Fraction(10**400, 3),
    "type": lambda: int,
    "function": lambda: len,
    "odd": _Odd,
    "object": object,
    "ellipsis": lambda: ...,
    "graph": lambda: pf.Graph.from_edges([0], [1], [1]),
    "float32": lambda: "float32",
    "dtype": lambda: np.dtype("int64"),
}
"""Arguments by name."""

_GRAPHS: dict[str, Callable[[], pf.Graph]] = {
    "graph:int": lambda: pf.Graph.from_edges([0, 1, 2, 0], [1, 2, 3, 3], [4, 3, 2, 100]),
    "graph:float": lambda: pf.Graph.from_edges([0, 1], [1, 2], [0.5, 1e300], directed=False),
    "graph:hops": lambda: pf.Graph.from_edges([0, 1, 2], [1, 2, 3]),
    "graph:empty": lambda: pf.Graph.from_edges([], [], n=0),
    "graph:negative": lambda: pf.Graph.from_edges([0, 1, 2], [1, 2, 3], [4, -3, 2]),
    "graph:labels": lambda: pf.Graph.from_edges([0, 1], [1, 2], [4, 3], labels=["a", "b", "c"]),
    "graph:numbers": lambda: pf.Graph.from_edges([0, 1], [1, 2], [4, 3], labels=[3, 1, 7]),
}

_SEARCH = "method device threads delta parents cutoff targets trace output time_limit"
_OPTIONS = "buckets block segment pool patience adaptive light switch_at traversal"
_LIMIT = {"time_limit": 20.0}

FUNCTIONS: dict[str, tuple[Callable[..., Any], str, str]] = {
    "shortest_paths": (
        lambda **given: pf.shortest_paths(**_LIMIT | given), "graph source", f"{_SEARCH} {_OPTIONS} nonsense"
    ),
    "path_to": (
        lambda graph, source, vertex: pf.shortest_paths(graph, source).path_to(vertex), "graph source vertex", ""
    ),
    "distance_matrix": (
        lambda **given: pf.distance_matrix(**given),
        "graph sources",
        f"targets dtype out cutoff threads parents sparse method device delta {_OPTIONS} nonsense",
    ),
    "nearest": (lambda **given: pf.nearest(**given), "graph sources", "cutoff k direction parents threads"),
    "many": (
        lambda **given: list(pf.shortest_paths_many(**_LIMIT | given)), "graph sources", f"{_SEARCH} nonsense"
    ),
    "verify": (lambda **given: pf.verify(**given), "graph result", "source parent cutoff threads most"),
    "from_edges": (
        lambda **given: pf.Graph.from_edges(**given), "tails heads", "weights directed labels coordinates"
    ),
    "from_csr": (
        lambda **given: pf.Graph.from_csr(**given), "offsets heads", "weights directed labels coordinates copy"
    ),
    "from_dense": (lambda **given: pf.Graph.from_dense(**given), "matrix no_edge", "directed keep_dense"),
    "from_scipy": (lambda **given: pf.Graph.from_scipy(**given), "matrix", "directed"),
    "with_weights": (lambda self, weights: self.with_weights(weights), "self weights", ""),
    "with_labels": (lambda self, labels: self.with_labels(labels), "self labels", ""),
    "with_coordinates": (lambda self, coordinates: self.with_coordinates(coordinates), "self coordinates", ""),
    "read": (lambda **given: pf.read(io.BytesIO(b"0 1 5\n"), **given), "format", "header directed compact"),
    "write": (lambda graph, **given: pf.write(graph, io.BytesIO(), **given), "graph format", "header weights"),
    "method": (lambda name: pf.methods.get(name), "name", ""),
    "grid": (lambda **given: pf.generate.grid(**given), "rows columns", "weights seed"),
    "random": (lambda **given: pf.generate.random(**given), "n m", "weights seed directed"),
}  # fmt: skip
"""Functions with the arguments that they need and others that they take."""

_SIZES = ("n", "m", "rows", "columns")
_MODERATE = ("none", "true", "zero", "one", "minus_one", "three", "10**400", "half", "nan", "inf", "text", "list")
"""Sizes of generated graphs; 2^31 would be a legal one."""


def make(rng: random.Random) -> Iterator[Case]:
    """Return calls of functions with odd arguments."""
    for _ in range(PER_ROUND):
        name = rng.choice(list(FUNCTIONS))
        needed, others = (names.split() for names in FUNCTIONS[name][1:])
        given = [*needed, *rng.sample(others, min(len(others), rng.choice((0, 1, 1, 2, 3))))]
        odd = set(rng.sample(given, min(len(given), rng.choice((1, 1, 1, 2, 3)))))
        yield {
            "function": name,
            "needed": needed,
            "arguments": {argument: _value(rng, argument, argument in odd) for argument in given},
        }


def _value(rng: random.Random, argument: str, odd: bool) -> str:
    if argument in _SIZES:
        return rng.choice(_MODERATE) if odd else "three"
    if argument in ("graph", "self"):
        return rng.choice(list(VALUES if odd and argument == "graph" and rng.random() < 0.1 else _GRAPHS))
    if argument == "threads" and not odd:
        return "three"
    if odd:
        return rng.choice(list(VALUES))
    return {"source": "one", "vertex": "one", "sources": "list", "tails": "list", "heads": "list"}.get(argument, "none")


def check(case: Case) -> Finding | None:
    """Make the call; exceptions of other kinds than the package's are findings."""
    function = FUNCTIONS[case["function"]][0]
    made = VALUES | _GRAPHS
    arguments = {name: made[value]() for name, value in case["arguments"].items()}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            function(**arguments)
    except pf.PathfrontError as error:
        return _flaw_of_message(str(error))
    except Exception as error:
        if isinstance(error, RuntimeError) and "no index" in str(error):
            return None  # an argument's own exception
        finding = unexpected(error)
        return Finding(f"{case['function']} {finding.kind}", f"{finding.details} {case['arguments']}")
    return None


def _flaw_of_message(message: str) -> Finding | None:
    """Return what is wrong with an error's message, or None."""
    if len(message) > 1500:
        return Finding("message", f"{len(message)} characters: {message[:200]}")
    return None if message.strip() else Finding("message", "it is empty")


def tags(case: Case) -> Iterator[str]:
    """Return what is counted about a case."""
    yield f"function {case['function']}"
