"""Searches with negative weights, in exact arithmetic.

With weights >= 0 a distance is the least sum over all walks, rounded after each arc. With negative floating-point
weights that would be no distance: around a cycle of length 0, or a little above, rounding can lower a distance again
and again. So if some weight is a negative floating-point number, the distances of all methods are exact sums, rounded
once: the nearest number to the length of the shortest path. A cycle is negative if its exact sum is. Neither depends on
the order in which arcs are relaxed.

All finite floating-point numbers are multiples of a power of two. The weights as multiples of their lowest bit are
another graph, of int64 weights, which a method searches as it is, on its device; its distances are rounded in the end.
If a weight or a distance needs more than 64 bits, Bellman-Ford with wider numbers answers in its place, on one thread
(`cpp/engines/exact_bellman_ford.hpp`). It also decides whether a distance of int64 weights overflows or a cycle is
negative, around which any distance does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pathfront import _core
from pathfront.devices.cpu import exact_bellman_ford
from pathfront.dtypes import unreached_marker, wider
from pathfront.graph import Graph
from pathfront.problem import Outcome, Problem
from pathfront.validation import Array, available_cores

_MOST_BITS = 62
"""The widest weights that are searched as int64: sums need room."""


class Scaled(NamedTuple):
    """A graph whose weights are multiples of a unit, 2 to the power of `exponent`."""

    graph: Graph
    exponent: int


def is_rounded_once(graph: Graph) -> bool:
    """Return whether distances are exact sums, rounded once: some weight is a negative floating-point number."""
    return graph.distance_dtype.kind == "f" and graph.weight_summary().first_negative >= 0


def run(problem: Problem, method: Callable[[Problem], Outcome]) -> Outcome:
    """Run a method that takes negative weights."""
    if is_rounded_once(problem.graph):
        return _run_scaled(problem, method) or search(problem)
    outcome = method(problem)
    if (
        outcome.overflow
        and wider(problem.distance.dtype) is None
        and problem.graph.weight_summary().first_negative >= 0
    ):
        return search(problem)  # around a negative cycle every distance overflows
    return outcome


def search(problem: Problem) -> Outcome:
    """Run Bellman-Ford with numbers that are wide enough for every sum."""
    reason = "sums of these weights need more than 64 bits: exact Bellman-Ford on one CPU thread"
    return replace(exact_bellman_ford(problem), method="bellman_ford", device="cpu", reason=reason)


def _run_scaled(problem: Problem, method: Callable[[Problem], Outcome]) -> Outcome | None:
    """Run a method on the scaled graph; return None if the weights or the distances do not fit."""
    graph = problem.graph
    whole = scaled(graph)
    if whole is None:
        return None
    found = np.empty(graph.n, np.int64)
    outcome = method(replace(problem, graph=whole.graph, distance=found, on_device=False))
    if outcome.cycle is None:
        if outcome.overflow:
            return None
        outcome.overflow = not _round(found, whole.exponent, problem.distance)
    if outcome.trace is not None:
        with np.errstate(over="ignore"):  # a distance beyond the range is reported as an overflow
            for name in ("distance_low", "distance_high"):
                outcome.trace[name] = np.ldexp(outcome.trace[name], whole.exponent)
    return outcome


def scaled(graph: Graph) -> Scaled | None:
    """Return a graph of floating-point weights as one of int64 weights, made once; None if they do not fit."""
    return graph.derived("scaled", lambda: _scaled(graph))


def _scaled(graph: Graph) -> Scaled | None:
    weights = graph.weights
    assert weights is not None
    low, high = _core.weight_range(weights, available_cores())
    if high - low > _MOST_BITS:
        return None
    multiples = np.empty(graph.m, np.int64)
    _core.scale_weights(weights, low, multiples, available_cores())
    return Scaled(Graph._make(graph.offsets, graph.heads, multiples, directed=graph.directed), low)


def _round(found: Array, exponent: int, distance: Array) -> bool:
    """Write distances that are multiples of 2 to the power of `exponent`; return whether all fit their type."""
    reached = found != unreached_marker(found.dtype)
    with np.errstate(over="ignore"):
        np.ldexp(found.astype(distance.dtype), exponent, out=distance)
    distance[~reached] = np.inf
    return bool(np.isfinite(distance[reached]).all())
