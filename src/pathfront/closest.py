"""`nearest`: for each vertex the closest of several sources, or the k closest.

The closest one takes a single search from all sources at once, by any number of threads. Which of several equally close
sources a vertex belongs to is decided afterwards (`cpp/graph/first_roots.hpp`), so it does not depend on the threads.
The k closest are found by a search with k labels a vertex (`cpp/engines/k_nearest.hpp`), on one thread.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pathfront import _core
from pathfront.api import distance_overflow, negative_cycle, require_nonnegative, require_nonnegative_for, run
from pathfront.devices import exact
from pathfront.dtypes import wider
from pathfront.exceptions import ArgumentError, NegativeCycleError, NoPathError
from pathfront.graph import NO_VERTEX, Graph, as_graph
from pathfront.methods import auto
from pathfront.methods.method import one_of
from pathfront.sources import as_sources
from pathfront.validation import Array, as_count, as_cutoff, as_flag, as_threads
from pathfront.wording import checks_names

_MOST = 2**20
"""The largest k: what is beyond is a mistake, and numbers of entries stay within 64 bits."""


_as_direction = one_of("from", "to")


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """For each vertex, in their order, the distance of its closest source, and that source.

    With k > 1 the arrays have k columns: the closest source of each vertex, the second closest, and so on. Where there
    is none, `distance` holds infinity or the type's largest value, and `source` holds `pf.NO_VERTEX`. If the graph has
    labels, the sources are labels, a masked array that hides the places without one.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_edges([0], [1], [7], n=3)
    >>> pf.nearest(graph, [0]).source.tolist() == [0, 0, pf.NO_VERTEX]
    True
    >>> found = pf.nearest(graph.with_labels(["Rome", "Ostia", "Elba"]), ["Rome"], parents=True)
    >>> found.source.tolist(), found.path("Ostia").tolist()
    (['Rome', 'Rome', None], ['Rome', 'Ostia'])
    """

    distance: Array
    source: Array
    parent: Array | None = field(repr=False)
    """With `parents=True` the position of the vertex before each one on the path from its source, or with
    direction="to" the one after it; `pf.NO_VERTEX` for sources and where there is no path."""
    positions: Array = field(repr=False)
    """The sources as positions, also where the graph has labels."""
    _graph: Graph = field(repr=False)
    _reversed: bool = field(repr=False)

    def __iter__(self) -> Iterator[Array]:
        """Yield distances and sources: `distance, source = pf.nearest(...)`."""
        return iter((self.distance, self.source))

    def path(self, vertex: Hashable, rank: int = 0) -> Array:
        """Return the vertices of a shortest path between a vertex and its closest source, in the direction of travel.

        Rank 1 means the second closest source, and so on. Vertices are labels where the graph has labels.

        >>> import pathfront as pf
        >>> found = pf.nearest(pf.generate.chain(6, weights="unit"), [0, 5], k=2, parents=True)
        >>> found.path(1).tolist(), found.path(1, rank=1).tolist()
        ([0, 1], [5, 4, 3, 2, 1])
        """
        if self.parent is None:
            raise ArgumentError("this search kept no parents; run nearest(..., parents=True).")
        v = self._graph.vertex(vertex)
        k = 1 if self.positions.ndim == 1 else self.positions.shape[1]
        column = as_count(rank, "rank", most=k - 1)
        parent, roots = self.parent.reshape(-1, k), self.positions.reshape(-1, k)
        if roots[v, column] == NO_VERTEX:
            raise NoPathError(f"{self._graph.described(v)} has no source of rank {column} as near as the search went.")
        root, path = roots[v, column], [v]
        while parent[v, column] != NO_VERTEX:
            v = int(parent[v, column])
            column = int((roots[v] == root).argmax())
            path.append(v)
        return self._graph.names_of(np.array(path if self._reversed else path[::-1], np.uint32))


@checks_names
def nearest(
    graph: object,
    sources: object,
    *,
    k: int = 1,
    direction: str = "from",
    parents: bool = False,
    cutoff: float | None = None,
    threads: int | None = None,
) -> Nearest:
    """Find for each vertex the closest of several sources, or the k closest, in one search from all of them at once.

    Distances are those from a source to the vertex; with direction="to" those from the vertex to the source. A vertex
    without a path from a source, or with none within the cutoff, has the distance infinity or the type's largest value,
    as in `shortest_paths`.

    Of equally close sources the one that comes first in `sources` is the closer one. Where distances are rounded, so
    that a source only seems as close as another, it is the one that is closer to the vertices before on the way; and
    where some weight is a negative floating-point number, it is always the same one. `threads` is the most that may be
    used: with k > 1, or with such weights, it is one.

    >>> import pathfront as pf
    >>> found = pf.nearest(pf.generate.chain(6, weights="unit"), [0, 4])
    >>> found.distance.tolist(), found.source.tolist()
    ([0, 1, 2, 1, 0, 1], [0, 0, 0, 4, 4, 4])
    >>> pf.nearest(pf.generate.chain(6, weights="unit"), [0, 4, 5], k=2).source.tolist()[2:5]
    [[0, 4], [4, 5], [4, 5]]
    """
    graph = as_graph(graph)
    starts = np.array(list(dict.fromkeys(as_sources(graph, sources))), np.uint32)
    if not starts.size:
        raise ArgumentError("sources is empty; give at least one vertex.")
    k = as_count(k, "k", least=1, most=_MOST)
    direction = _as_direction(direction, "direction")
    with_parents, most = as_flag(parents, "parents"), as_threads(threads)
    if k > 1:
        require_nonnegative(graph, f"k={k}", "use pf.distance_matrix and select afterwards")
    require_nonnegative_for(graph, cutoff=cutoff)
    parent: Array | None
    searched = graph if direction == "from" else graph.reverse()
    if k == 1:
        distance, rank, parent = _closest(graph, searched, starts, cutoff, most)
    else:
        distance, rank, parent = _k_closest(searched, starts, k, cutoff, with_parents=with_parents)
    roots = np.append(starts, np.uint32(NO_VERTEX))[np.minimum(rank, starts.size)]
    return Nearest(
        distance,
        roots if graph.labels is None else graph.masked_names(roots),
        parent if with_parents else None,
        roots,
        graph,
        direction == "to",
    )


def _closest(
    graph: Graph, searched: Graph, starts: Array, cutoff: float | None, threads: int
) -> tuple[Array, Array, Array]:
    """Return for each vertex the distance of the closest source, its index among them, and the parent."""
    parent = np.empty(graph.n, np.uint32)
    rounded_once = exact.is_rounded_once(graph)  # sums of the distances say nothing about arcs then
    if rounded_once:
        threads = 1
    try:
        problem, _ = run(
            auto.METHOD,
            searched,
            cutoff,
            source=int(starts[0]),
            others=starts[1:],
            parent=parent,
            threads=threads,
        )
    except NegativeCycleError as error:
        if searched is graph:
            raise
        raise negative_cycle(graph, [graph.vertex(name) for name in reversed(error.cycle)]) from None
    rank = np.full(graph.n, NO_VERTEX, np.uint32)
    # with negative weights another source may be closer to a source than itself
    own = parent[starts] == NO_VERTEX
    rank[starts[own]] = np.flatnonzero(own)
    _core.roots(parent, rank)
    if not rounded_once:
        _core.first_roots(searched.native, problem.distance, parent, rank, threads)
    return problem.distance, rank, parent


def _k_closest(
    searched: Graph, starts: Array, k: int, cutoff: float | None, *, with_parents: bool
) -> tuple[Array, Array, Array | None]:
    """Return for each vertex the distances of the k closest sources, their indices among them, and the parents."""
    shape, dtype = (searched.n, k), searched.distance_dtype
    rank = np.empty(shape, np.uint32)
    parent = np.empty(shape, np.uint32) if with_parents else None
    flat = None if parent is None else parent.reshape(-1)
    heaviest: Any = searched.weight_summary().heaviest
    while True:
        distance = np.empty(shape, dtype)
        limit = as_cutoff(cutoff, dtype)
        if _core.k_nearest(searched.native, heaviest, starts, distance.reshape(-1), rank.reshape(-1), flat, limit):
            return distance, rank, parent
        wide = wider(dtype)
        if wide is None:
            raise distance_overflow("the sources", dtype)
        dtype = wide
