"""Tight arcs: all arcs u -> v of a solved search with distance[u] + weight == distance[v], by their heads.

A tree of shortest paths has one tight arc into each vertex; this is the list of all of them. A walk from the source
along tight arcs is a shortest path. Tight arcs of weight zero may close cycles (a loop of weight zero is one), and lead
back into the source: who follows tight arcs backwards has to expect that.

Tightness is decided in the arithmetic of the search: with weights >= 0 a sum is rounded after each arc, as distances
are; with negative floating-point weights, whose distances are exact sums rounded once, it is decided without rounding.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from pathfront import _core
from pathfront.api import shortest_paths
from pathfront.devices.exact import is_rounded_once, scaled
from pathfront.exceptions import ArgumentTypeError, DistanceOverflowError
from pathfront.graph import NO_VERTEX, Graph
from pathfront.paths import ShortestPaths
from pathfront.validation import Array, as_flag, as_threads
from pathfront.warp_runtime import to_host
from pathfront.wording import checks_names, described


class TightArcs(NamedTuple):
    """The tight arcs of a search in compressed rows: those into v have the indices offsets[v] to offsets[v + 1].

    Vertices are positions. The arcs of a row ascend, and with them their tails.
    """

    offsets: Array
    tails: Array
    """The vertex that each tight arc leaves: the predecessors of v are `tails[offsets[v]:offsets[v + 1]]`."""
    arcs: Array
    """The position of each tight arc in `graph.heads` and `graph.weights`."""

    def into(self, vertex: int) -> Array:
        """Return the predecessors of the vertex at a position."""
        tails: Array = self.tails[self.offsets[vertex] : self.offsets[vertex + 1]]
        return tails


@checks_names
def tight_arcs(paths: ShortestPaths, *, unique: bool = False, threads: int | None = None) -> TightArcs:
    """Return all tight arcs of a search, by their heads; with `unique` only the first of parallel ones.

    Vertices that the search has not reached have none. The result does not depend on `threads`.

    >>> import pathfront as pf
    >>> from pathfront.tight import tight_arcs
    >>> graph = pf.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [1, 2, 3, 2])
    >>> tight_arcs(pf.shortest_paths(graph, 0)).into(3).tolist()
    [1, 2]
    """
    if not isinstance(paths, ShortestPaths):
        raise ArgumentTypeError(f"paths is {described(paths)}; give the result of shortest_paths.")
    once, workers = as_flag(unique, "unique"), as_threads(threads)
    graph = paths.graph
    if not is_rounded_once(graph):
        return of_distances(graph, to_host(paths.distance), unique=once, threads=workers)
    source = graph.vertex(paths.source)
    whole = scaled(graph)
    if whole is not None:
        try:
            exact = shortest_paths(whole.graph, source, threads=workers, parents=True)
        except DistanceOverflowError:  # some sum needs more than 64 bits
            pass
        else:
            return of_distances(whole.graph, exact.distance, unique=once, threads=workers)
    return _by_fractions(paths, unique=once)


def of_distances(graph: Graph, distance: Array, *, unique: bool, threads: int) -> TightArcs:
    """Return the tight arcs of distances that were added up in their own type; nothing is checked."""
    graph.check()
    return TightArcs(*_core.tight_arcs(graph.native, distance, unique, threads))


def _by_fractions(paths: ShortestPaths, *, unique: bool) -> TightArcs:
    """Return the tight arcs where sums need more bits than the core has, which is slow and rare."""
    graph = paths.graph
    assert graph.weights is not None
    if paths._given_parent is None:  # the lengths are those of the paths in a tree
        paths = shortest_paths(graph, paths.source)
    lengths = _lengths(paths)
    rows: list[list[tuple[int, int]]] = [[] for _ in range(graph.n)]
    arcs = zip(graph.tails().tolist(), graph.heads.tolist(), graph.weights.tolist(), strict=True)
    for position, (tail, head, weight) in enumerate(arcs):
        here, there = lengths[tail], lengths[head]
        tight = here is not None and there is not None and here + Fraction(weight) == there
        if tight and not (unique and rows[head] and rows[head][-1][0] == tail):
            rows[head].append((tail, position))
    offsets = np.zeros(graph.n + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=offsets[1:])
    columns = [pair for row in rows for pair in row]
    tails = np.array([tail for tail, _ in columns], np.uint32)
    return TightArcs(offsets, tails, np.array([position for _, position in columns], np.int64))


def _lengths(paths: ShortestPaths) -> list[Fraction | None]:
    """Return the exact lengths of the paths in a tree; None for vertices that are not reached."""
    graph, parent = paths.graph, to_host(paths.parent).tolist()
    assert graph.weights is not None
    arcs = np.full(graph.n, -1, np.int64)
    _core.tree_arcs(graph.native, to_host(paths.parent), arcs, 1)
    weights = graph.weights[arcs]
    lengths: list[Fraction | None] = [None] * graph.n
    lengths[graph.vertex(paths.source)] = Fraction(0)
    for vertex in range(graph.n):
        walk = []
        while lengths[vertex] is None and parent[vertex] != NO_VERTEX:
            walk.append(vertex)
            vertex = parent[vertex]
        for child in reversed(walk):
            before = lengths[parent[child]]
            assert before is not None
            lengths[child] = before + Fraction(float(weights[child]))
    return lengths
