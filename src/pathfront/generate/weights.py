"""Weights for graphs that have none, by a short specification that Python and the command line share.

    unit                   none: distances count arcs
    int:LOW:HIGH           whole numbers, uniform, both ends included
    float:LOW:HIGH         numbers, uniform in [LOW, HIGH)
    lognormal:MU:SIGMA     e to the power of a normal variable: a few heavy arcs among many light ones
    coordinates[:SCALE]    the distance between the two ends, times SCALE

Both arcs of an undirected edge get the same weight.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pathfront import _core
from pathfront.exceptions import ArgumentError, ArgumentTypeError
from pathfront.graph import Graph, as_graph
from pathfront.validation import Array, as_seed, as_weight_type, available_cores
from pathfront.wording import checks_names, described, shown

_FORMS = "unit, int:LOW:HIGH, float:LOW:HIGH, lognormal:MU:SIGMA or coordinates[:SCALE]"


@checks_names
def weigh(graph: object, weights: str, *, seed: int = 0, dtype: str | None = None) -> Graph:
    """Return the graph with weights made by a specification.

    `dtype` is uint32 for whole numbers (a signed or wider type where they need it) and float64 for others unless
    given; with an integer type, numbers are rounded and at least 1.

    >>> import pathfront as pf
    >>> graph = pf.generate.weigh(pf.generate.grid(3, 3, weights="unit"), "int:5:9", seed=1)
    >>> int(graph.weights.min()) >= 5, int(graph.weights.max()) <= 9
    (True, True)
    """
    graph = as_graph(graph)
    seed, target = as_seed(seed), None if dtype is None else as_weight_type(dtype)
    kind, numbers = _parsed(weights)
    graph.check()
    if kind == "unit":
        return graph._weighing(None if target is None else np.ones(graph.m, target))
    made = _MAKERS[kind](graph, numbers, seed, weights)
    if target is not None:
        made = _converted(made, target, weights)
    if kind == "float" and made.dtype.kind == "f" and numbers[0] < numbers[1]:
        made = _clipped(made, numbers[0], numbers[1], weights)
    weighted = graph._weighing(made)
    weighted.weight_summary()
    return weighted


def weigh_located(graph: Graph, weights: str, *, seed: int) -> Graph:
    """Weigh a generated graph that has coordinates: lengths as whole numbers, all others as `weigh` does."""
    given: object = weights  # callers need not obey the annotation
    whole = isinstance(given, str) and given.partition(":")[0] == "coordinates"
    return weigh(graph, weights, seed=seed, dtype="uint32" if whole else None)


def _parsed(spec: str) -> tuple[str, list[float]]:
    if not isinstance(spec, str):
        raise ArgumentTypeError(f"weights is {described(spec)}; give a specification such as 'int:1:100'.")
    kind, *words = spec.split(":")
    needed = {"unit": (0,), "coordinates": (0, 1)}.get(kind, (2,))
    if kind not in ("unit", *_MAKERS) or len(words) not in needed:
        raise ArgumentError(f"weights is {shown(spec)}, but it must be {_FORMS}.")
    numbers = [_number(word, spec) for word in words]
    if kind in ("int", "float") and numbers[0] > numbers[1]:
        raise ArgumentError(f"weights is {shown(spec)}, but LOW must not be larger than HIGH: the smaller one first.")
    return kind, numbers


def _number(word: str, spec: str) -> float:
    try:
        number = int(word) if word.lstrip("-").isdigit() else float(word)  # long whole numbers stay exact
    except ValueError:
        raise ArgumentError(f"weights is {shown(spec)}, but {shown(word)} is not a number.") from None
    if (isinstance(number, float) and not math.isfinite(number)) or abs(number) > 1e300:
        raise ArgumentError(f"weights is {shown(spec)}, but {shown(word)} is too large; its numbers must be finite.")
    return number


def _integers(graph: Graph, numbers: list[float], seed: int, spec: str) -> Array:
    low, high = numbers
    if low != int(low) or high != int(high) or max(abs(low), abs(high)) >= 2**62:
        raise ArgumentError(
            f"weights is {shown(spec)}, but its bounds must be whole numbers below 2^62; use float:LOW:HIGH."
        )
    small = np.iinfo(np.uint32 if low >= 0 else np.int32)
    out = np.empty(graph.m, small.dtype if small.min <= low and high <= small.max else np.int64)
    span = int(high) - int(low) + 1
    _core.arc_integers(graph.native, graph.directed, out, seed, int(low), span, available_cores())
    return out


def _floats(graph: Graph, numbers: list[float], seed: int, spec: str) -> Array:
    low, high = numbers
    out = np.empty(graph.m, np.float64)
    _core.arc_floats(graph.native, graph.directed, out, seed, available_cores())
    out *= high - low
    out += low
    return out


def _lognormals(graph: Graph, numbers: list[float], seed: int, spec: str) -> Array:
    mu, sigma = numbers
    if sigma < 0 or abs(mu) + 9 * sigma > 700:  # no normal number of 52 bits is beyond 8.3
        raise ArgumentError(f"weights is {shown(spec)}, but SIGMA must be at least 0 and |MU| + 9 SIGMA at most 700.")
    out = np.empty(graph.m, np.float64)
    _core.arc_lognormals(graph.native, graph.directed, out, seed, mu, sigma, available_cores())
    return out


def _lengths(graph: Graph, numbers: list[float], seed: int, spec: str) -> Array:
    scale = numbers[0] if numbers else 1.0
    if scale <= 0:
        raise ArgumentError(f"weights is {shown(spec)}, but SCALE must be larger than 0.")
    if graph.coordinates is None:
        raise ArgumentError(
            f"weights is {shown(spec)}, but the graph has no coordinates; "
            "give it some with graph.with_coordinates(...)."
        )
    points = np.ascontiguousarray(graph.coordinates, np.float64)
    out = np.empty(graph.m, np.float64)
    _core.arc_lengths(graph.native, points, scale, out, available_cores())
    return out


_MAKERS = {"int": _integers, "float": _floats, "lognormal": _lognormals, "coordinates": _lengths}


def _converted(made: Array, target: np.dtype[Any], spec: str) -> Array:
    if not made.size:
        return made.astype(target)
    if made.dtype.kind == "f" and target.kind in "iu":
        if made.min() < 0:
            raise ArgumentError(f"weights is {shown(spec)}, but {target} weights below 0 need int:LOW:HIGH.")
        made = np.maximum(np.rint(made), 1)
    number, info = (int, np.iinfo(target)) if target.kind in "iu" else (float, np.finfo(target))
    least, most = number(info.min), number(info.max)
    for extreme in (made.min().item(), made.max().item()):  # Python compares floats with integers exactly
        if not least <= extreme <= most:
            raise ArgumentError(
                f"weights is {shown(spec)}, but {extreme} does not fit dtype {target}; use a wider one."
            )
    return made.astype(target, copy=False)


def _clipped(made: Array, low: float, high: float, spec: str) -> Array:
    """Move numbers that were rounded up to `high`, or in a narrower type beyond `low`, back into the range."""
    with np.errstate(over="ignore"):  # a HIGH beyond the type counts as infinite
        least, most = made.dtype.type(low), made.dtype.type(high)
    if float(least) < low:
        least = np.nextafter(least, most)
    if float(most) >= high:
        most = np.nextafter(most, made.dtype.type(-np.inf))
    if least > most:
        raise ArgumentError(f"weights is {shown(spec)}, but no {made.dtype} lies in that range; make it wider.")
    return np.clip(made, least, most, out=made)
