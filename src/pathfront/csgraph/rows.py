"""Searches from many sources into the arrays that scipy returns: float64 distances and int32 predecessors.

All rows are filled by one native call, each search on one thread. Negative weights are reduced first (`reduction.py`);
where their numbers need too many bits, each row is a search in exact arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np
from scipy.sparse.csgraph import NegativeCycleError

from pathfront import _core
from pathfront.api import negative_cycle
from pathfront.csgraph.reduction import MOST, reduced
from pathfront.dtypes import converted, wider
from pathfront.graph import NO_VERTEX, Graph
from pathfront.methods import auto, delta_stepping, light_first
from pathfront.problem import Problem, request
from pathfront.validation import Array, as_cutoff, available_cores

NONE = -9999
"""The predecessor of a vertex that has none."""

_LARGE = 1 << 20
"""Arcs from which on several threads share a single search."""

_ROUNDING = 1e-12
"""Weights whose sum is so small a part of the heaviest may add up to 0 but for rounding."""


class RoundedCycleError(NegativeCycleError):
    """A cycle is negative in exact arithmetic, but its length is no more than the rounding of its weights."""


def fill(graph: Graph, sources: Array, dist: Array, parent: Array | None, limit: float = math.inf) -> None:
    """Write the distances from each source to a row, and the predecessors if they are wanted."""
    if sources.size == 0:
        return
    if not has_negative(graph):
        _fill_with(graph, sources, dist, parent, limit)
        return
    _fill_reduced(graph, sources, dist, parent)
    beyond = dist > limit
    dist[beyond] = np.inf
    if parent is not None:
        parent[beyond] = NONE


def _fill_with(graph: Graph, sources: Array, dist: Array, parent: Array | None, limit: float = math.inf) -> None:
    """Fill the rows of a graph without negative weights."""
    if sources.size == 1 and graph.m >= _LARGE:
        found, before = search(graph, int(sources[0]), limit=limit, threads=available_cores())
        dist[0] = as_floats(found)
        if parent is not None:
            parent[0] = as_predecessors(before, dist[0])
        return
    dtype: np.dtype[Any] | None = graph.distance_dtype
    while dtype is not None:
        if _fill_rows(graph, sources, dist, parent, limit, dtype):
            return
        dtype = wider(dtype)
    _fill_rows_of_floats(graph, sources, dist, parent, limit)


def _fill_rows_of_floats(graph: Graph, sources: Array, dist: Array, parent: Array | None, limit: float) -> None:
    """Search with float64 sums, as scipy does: some distance is beyond 64 bits."""
    graph = graph.derived("with_float_weights", lambda: with_floats(graph))
    _fill_rows(graph, sources, dist, parent, limit, np.dtype(np.float64))  # an infinite sum is a missing path


def _fill_rows(
    graph: Graph, sources: Array, dist: Array, parent: Array | None, limit: float, dtype: np.dtype[Any]
) -> bool:
    """Fill all rows natively; False if some distance does not fit the type."""
    problem = Problem(
        graph=graph,
        source=int(sources[0]),
        distance=np.empty(graph.n, dtype),
        parent=None,
        cutoff=as_cutoff(limit, dtype),
        threads=max(min(available_cores(), sources.size), 1),
    )
    return _core.search_rows(
        request=request(problem), settings=_settings(problem), sources=sources, dist=dist, parent=parent, none=NONE
    )


def _settings(problem: Problem) -> _core.DeltaSettings | None:
    """Return the settings of delta-stepping for searches on one thread each; None where Dijkstra's method is faster."""
    single = replace(problem, threads=1, engine="serial")
    method = auto.choose(single).method
    if problem.graph.m < auto.SMALL:
        return None
    if method is light_first.METHOD:
        light = light_first.light_arcs(problem.graph, light_first.LIGHT, problem.threads)
        return delta_stepping.settings(single, None if light is None else light.settings())
    return delta_stepping.settings(single)


def _fill_reduced(graph: Graph, sources: Array, dist: Array, parent: Array | None) -> None:
    """Search by Johnson's method, where negative cycles that no source reaches do not matter."""
    made = reduced(graph, np.unique(sources))
    if isinstance(made, list):
        raise_cycle(graph, made)
    if made is not None:
        _fill_with(made.graph, sources, dist, parent)
        if not np.any((dist >= MOST) & np.isfinite(dist)):
            dist += made.potential
            dist -= made.potential[sources][:, np.newaxis]
            np.ldexp(dist, made.exponent, out=dist)
            return
    for i, source in enumerate(sources.tolist()):  # some number needs more bits
        found, before = search(graph, source)
        dist[i] = as_floats(found)
        if parent is not None:
            parent[i] = as_predecessors(before, dist[i])


def search(
    graph: Graph,
    source: int,
    others: Array | None = None,
    limit: float = math.inf,
    targets: Array | None = None,
    threads: int = 1,
) -> tuple[Array, Array]:
    """Return distances and parents of one search, from one source or several, in a type that they fit.

    With negative weights the limit is left to the caller: a path may come back from beyond it.
    """
    dtype: np.dtype[Any] | None = graph.distance_dtype
    while dtype is not None:
        problem = Problem(
            graph=graph,
            source=source,
            others=others,
            distance=np.empty(graph.n, dtype),
            parent=np.empty(graph.n, np.uint32),
            cutoff=None if has_negative(graph) else as_cutoff(limit, dtype),
            targets=targets,
            threads=threads,
        )
        outcome = auto.solve(problem)
        if outcome.cycle is not None:
            raise_cycle(graph, outcome.cycle)
        if not outcome.overflow or dtype == np.float64:
            assert problem.parent is not None
            return problem.distance, problem.parent
        dtype = wider(dtype)
    return search(with_floats(graph), source, others, limit, targets, threads)


def has_negative(graph: Graph) -> bool:
    """Return whether some weight is negative."""
    return graph.weight_summary().first_negative >= 0


def require_no_negative_cycle(graph: Graph) -> None:
    """Raise if there is a negative cycle anywhere."""
    if has_negative(graph):
        search(graph, 0, np.arange(1, graph.n, dtype=np.uint32))


def with_floats(graph: Graph) -> Graph:
    """Return the graph with float64 weights."""
    assert graph.weights is not None
    return graph.with_weights(graph.weights.astype(np.float64))


def raise_cycle(graph: Graph, cycle: list[int]) -> NoReturn:
    """Raise scipy's error about a negative cycle; pathfront's, which has the cycle, is its cause."""
    cause = negative_cycle(graph, cycle)
    weights = weights_along(graph, [*cycle, cycle[0]])
    rounded = weights.dtype.kind == "f" and abs(weights.sum()) <= _ROUNDING * np.abs(weights).max()
    raise (RoundedCycleError if rounded else NegativeCycleError)(f"Negative cycle detected: {cause}") from cause


def weights_along(graph: Graph, path: Sequence[int]) -> Array:
    """Return the weight of each arc of a path, the lightest of parallel ones."""
    assert graph.weights is not None
    arcs = np.empty(len(path) - 1, np.int64)
    _core.path_arcs(graph.native, np.array(path, np.uint32), arcs)
    return graph.weights[arcs]


def as_predecessors(parent: Array, dist: Array) -> Array:
    """Return parents as scipy's predecessors; what is not reached has none."""
    return np.where((parent == NO_VERTEX) | np.isinf(dist), NONE, parent.view(np.int32))


def as_floats(distances: Array) -> Array:
    """Return distances as float64, infinite where there is no path."""
    return distances if distances.dtype == np.float64 else converted(distances, np.dtype(np.float64))
