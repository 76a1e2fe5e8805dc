"""Searches from many sources in the core: their arguments, types that widen, time limits and progress."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np

from pathfront import _core
from pathfront.api import as_progress, distance_overflow
from pathfront.dtypes import wider
from pathfront.exceptions import ArgumentError, WeightError
from pathfront.graph import Graph
from pathfront.progress import Progress, progress_bar, time_limited
from pathfront.sources import as_sources
from pathfront.validation import Array, as_positive, as_threads

Result = TypeVar("Result")

_SHOWN_FROM = 200_000_000
"""Arcs of all searches together from which on a progress bar is shown: a second or more."""


def as_vertices(graph: Graph, vertices: object, name: str) -> Array:
    """Return the positions of vertices, in the given order; None stands for all."""
    if vertices is None:
        return np.arange(graph.n, dtype=np.uint32)
    return np.array(as_sources(graph, vertices, name), np.uint32)


def as_mask(graph: Graph, vertices: object, name: str) -> Array | None:
    """Return vertices as a truth value for each vertex, or None for all."""
    if vertices is None:
        return None
    mask = np.zeros(graph.n, np.bool_)
    mask[as_vertices(graph, vertices, name)] = True
    return mask


def require_weights(graph: Graph, what: str, *, zero: bool) -> None:
    """Reject negative weights, and zeros unless `zero`."""
    graph.check()
    lightest = graph.weight_summary().lightest
    if graph.weights is None or lightest > 0 or (zero and lightest == 0) or graph.m == 0:
        return
    i = int(np.argmax(graph.weights < 0 if lightest < 0 else graph.weights == 0))
    if lightest < 0:
        raise WeightError(f"weights[{i}] is {graph.weights[i]}, but {what} needs weights >= 0.")
    raise WeightError(
        f"weights[{i}] is 0, but {what} counts shortest paths, which are not well defined along arcs of weight 0; "
        "contract them, or give them a small weight."
    )


def search_graph(graph: Graph) -> Graph:
    """Return the graph to search: the same distances, without weights if all are 1."""
    return graph.with_weights(None) if graph.weights is not None and graph.weight_summary().all_one else graph


@contextlib.contextmanager
def limited(
    what: str, graph: Graph, searches: int, time_limit: float | None, progress: Progress | None
) -> Iterator[Progress | None]:
    """Yield the progress callback for so many searches: it shows a bar unless one is given, and checks the limit."""
    given = as_progress(progress)
    seconds = None if time_limit is None else as_positive(time_limit, "time_limit")
    shown_bar = given is None and searches * graph.m >= _SHOWN_FROM
    with progress_bar(what, shown=shown_bar) as bar, time_limited(seconds, given or bar) as callback:
        yield callback


def widening(graph: Graph, search: Callable[[np.dtype[Any]], int]) -> np.dtype[Any]:
    """Call search(dtype) with the type of distances, and with the wider one if some distance does not fit.

    It returns the source from which one does not, or -1. The type that fits is returned.
    """
    dtype = graph.distance_dtype
    while (source := search(dtype)) >= 0:
        wide = wider(dtype)
        if wide is None:
            raise distance_overflow(graph.described(source), dtype)
        dtype = wide
    return dtype


class Sums(NamedTuple):
    """What is known of the distances from each of several sources; arrays in their order."""

    reached: Array
    """How many vertices each reaches, itself included."""
    total: Array
    """The sum of the distances of these."""
    farthest: Array
    """The largest of them, in the type of distances."""
    inverse: Array
    """The sum of 1 / distance, over the targets that are not at distance 0."""
    inverse_of_vertex: Array
    """For each vertex of the graph the sum of 1 / distance over the sources."""


def distance_sums(
    graph: Graph,
    sources: Array,
    what: str,
    *,
    wanted: tuple[str, ...],
    is_target: Array | None = None,
    threads: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Sums:
    """Search from each source, in parallel, and return the sums `wanted`; the others are empty, but for `farthest`."""
    require_weights(graph, what, zero=True)
    arcs = search_graph(graph)
    count, workers = sources.size, as_threads(threads)
    made: list[Sums] = []

    def search(dtype: np.dtype[Any]) -> int:
        sums = Sums(
            reached=np.empty(count if "reached" in wanted else 0, np.int64),
            total=np.empty(count if "total" in wanted else 0),
            farthest=np.empty(count, dtype),
            inverse=np.empty(count if "inverse" in wanted else 0),
            inverse_of_vertex=np.zeros(graph.n if "inverse_of_vertex" in wanted else 0),
        )
        made[:] = [sums]
        asked = {name: array if name in wanted else None for name, array in sums._asdict().items()}
        return _core.distance_sums(
            arcs=arcs.native,
            heaviest=arcs.weight_summary().heaviest,
            sources=sources,
            is_target=is_target,
            reached=asked["reached"],
            total=asked["total"],
            farthest=sums.farthest,
            inverse=asked["inverse"],
            inverse_of_vertex=asked["inverse_of_vertex"],
            threads=workers,
            progress=callback,
        )

    with limited(what, graph, count, time_limit, progress) as callback:
        widening(arcs, search)
    return made[0]


def require_vertices(graph: Graph, what: str) -> None:
    """Raise for a graph without vertices."""
    if graph.n == 0:
        raise ArgumentError(f"the graph has no vertices, so it has no {what}.")
