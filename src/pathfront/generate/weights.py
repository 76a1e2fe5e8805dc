"""Weights for graphs that have none, by a short specification that Python and the command line share.

    unit                   none: arcs count as hops
    int:LOW:HIGH           whole numbers, uniform, both ends included
    float:LOW:HIGH         numbers, uniform in [LOW, HIGH)
    lognormal:MU:SIGMA     e to the power of a normal variable: a few heavy arcs among many light ones
    coordinates[:SCALE]    the distance between the two ends, times SCALE

Both arcs of an undirected edge get the same weight.
"""

from __future__ import annotations

import numpy as np

from pathfront import _core
from pathfront.checks import Array, as_real, as_seed, available_cores
from pathfront.exceptions import ArgumentError, ArgumentTypeError
from pathfront.graph import Graph


def weigh(graph: Graph, weights: str, *, seed: int = 0, dtype: str | None = None) -> Graph:
    """Return the graph with weights made by a specification.

    `dtype` is uint32 for whole numbers and float64 for others unless given; with an integer type, numbers are rounded
    and at least 1.

    >>> import pathfront as pf
    >>> graph = pf.generate.weigh(pf.generate.grid(3, 3, weights="unit"), "int:5:9", seed=1)
    >>> int(graph.weights.min()) >= 5, int(graph.weights.max()) <= 9
    (True, True)
    """
    seed = as_seed(seed)
    if not isinstance(weights, str):
        raise ArgumentTypeError(f"weights is {weights!r}; give a specification such as 'int:1:100'.")
    kind, *words = weights.split(":")
    numbers = [_number(word, weights) for word in words]
    makers = {"int": _integers, "float": _floats}
    if kind == "unit" and not numbers:
        return graph.with_weights(None)
    if kind not in makers:
        raise ArgumentError(
            f"weights is {weights!r}, but it must be unit, int:LOW:HIGH, float:LOW:HIGH, lognormal:MU:SIGMA "
            "or coordinates[:SCALE]."
        )
    made = makers[kind](graph, numbers, seed, weights)
    target = np.dtype(dtype or made.dtype)
    if made.dtype.kind == "f" and target.kind in "iu":
        made = np.clip(np.rint(made), 1, np.iinfo(target).max)
    weighted = graph._like(made.astype(target, copy=False))
    weighted.weight_summary()
    return weighted


def _number(word: str, spec: str) -> float:
    try:
        return as_real(int(word) if word.lstrip("-").isdigit() else float(word), "weights")
    except ValueError:
        raise ArgumentError(f"weights is {spec!r}, but {word!r} is not a number.") from None


def _range(numbers: list[float], spec: str) -> tuple[float, float]:
    if len(numbers) != 2 or numbers[0] > numbers[1]:
        raise ArgumentError(f"weights is {spec!r}, but it needs two numbers, the smaller one first.")
    return numbers[0], numbers[1]


def _integers(graph: Graph, numbers: list[float], seed: int, spec: str) -> Array:
    low, high = _range(numbers, spec)
    if low != int(low) or high != int(high) or abs(low) >= 2**62 or abs(high) >= 2**62:
        raise ArgumentError(f"weights is {spec!r}, but its bounds must be whole numbers below 2^62.")
    small = "uint32" if low >= 0 else "int32"
    fits = np.iinfo(small).min <= low and high <= np.iinfo(small).max
    out = np.empty(graph.m, small if fits else "int64")
    span = int(high) - int(low) + 1
    _core.arc_integers(graph.offsets, graph.heads, graph.directed, out, seed, int(low), span, available_cores())
    return out


def _floats(graph: Graph, numbers: list[float], seed: int, spec: str) -> Array:
    low, high = _range(numbers, spec)
    return low + (high - low) * _noise(graph, seed)


def _noise(graph: Graph, seed: int) -> Array:
    out = np.empty(graph.m, np.float64)
    _core.arc_floats(graph.offsets, graph.heads, graph.directed, out, seed, available_cores())
    return out
