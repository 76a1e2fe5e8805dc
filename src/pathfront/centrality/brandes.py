"""Betweenness: how much of all shortest paths leads through a vertex, or along an edge (Freeman 1977; Brandes 2001).

Values and their scale are those of networkx: parallel arcs count as one path, along the lightest; loops never count.
The numbers of shortest paths are floating-point numbers, exact up to 2^53 and rounded beyond; where they would leave
the range of float64, wider ones are used.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from pathfront import _core
from pathfront.centrality.searches import as_mask, as_vertices, limited, require_weights, search_graph, widening
from pathfront.exceptions import ArgumentError, PathCountError
from pathfront.graph import Graph, as_graph
from pathfront.progress import Progress
from pathfront.validation import Array, as_count, as_flag, as_seed, as_threads
from pathfront.wording import checks_names, shown
from pathfront.workers import interruptible


@checks_names
def betweenness(
    graph: Graph,
    *,
    k: int | None = None,
    seed: int = 0,
    sources: object = None,
    targets: object = None,
    endpoints: bool = False,
    normalized: bool = True,
    threads: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Array:
    """Return for each vertex the part of all shortest paths that lead through it, summed over all pairs of vertices.

    A pair with several shortest paths counts each with the same share. With `endpoints` paths also lead through their
    ends. `normalized` divides by the number of pairs, so that values are between 0 and 1; otherwise an undirected graph
    counts each pair once.

    `k` vertices drawn by `seed`, or the given `sources`, make an estimate: only paths from these are found, and their
    sums are scaled to all pairs. (With a single source and no endpoints there is no estimate for the source itself:
    NaN.) `targets` are the vertices that paths may end at; then values are the sums for the pairs of a source and a
    target, not scaled to all. Weights must be greater than 0.

    >>> import pathfront as pf
    >>> graph = pf.generate.chain(4, weights="unit")
    >>> pf.betweenness(graph, normalized=False).tolist()
    [0.0, 2.0, 2.0, 0.0]
    >>> named = graph.with_labels(["Rome", "Ostia", "Anzio", "Nettuno"])
    >>> named.labels[pf.betweenness(named).argsort(kind="stable")[::-1][:2]].tolist()
    ['Anzio', 'Ostia']
    """
    graph = as_graph(graph)
    run = _prepared(graph, k, seed, sources, targets, endpoints=as_flag(endpoints, "endpoints"))
    found = np.zeros(graph.n)
    with limited("betweenness", graph, run.sources.size, time_limit, progress) as callback:
        run.search(run.arcs, found, None, as_threads(threads), callback)
    apart, others = run.scales(as_flag(normalized, "normalized"), of_edges=False)
    if apart == others:
        found *= others
    else:
        factors = np.full(graph.n, others)
        factors[run.sources] = apart
        found *= factors
    return found


@checks_names
def edge_betweenness(
    graph: Graph,
    *,
    k: int | None = None,
    seed: int = 0,
    sources: object = None,
    targets: object = None,
    normalized: bool = True,
    threads: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Array:
    """Return for each arc the part of all shortest paths that lead along it, in the order of `graph.heads`.

    The arguments are those of `betweenness`. Both arcs of an undirected edge have the value of the edge; with
    `graph.tails() <= graph.heads` as a mask each edge remains once, in the order of `graph.to_edges()`. Of parallel
    arcs the lightest count, in equal parts.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_edges([0, 1, 1], [1, 2, 3], directed=False)
    >>> pf.edge_betweenness(graph, normalized=False)[graph.tails() <= graph.heads].tolist()
    [3.0, 3.0, 3.0]
    """
    graph = as_graph(graph)
    run = _prepared(graph, k, seed, sources, targets, endpoints=False)
    arcs = run.arcs.simplified()  # sorted by head, too
    found = np.zeros(arcs.m)
    with limited("betweenness of edges", graph, run.sources.size, time_limit, progress) as callback:
        run.search(arcs, None, found, as_threads(threads), callback)
    found *= run.scales(as_flag(normalized, "normalized"), of_edges=True)[1]
    return interruptible(lambda: _of_all_arcs(graph, arcs, found))


def _of_all_arcs(graph: Graph, simple: Graph, values: Array) -> Array:
    """Return the values of a graph's arcs, given those of the simplified one, each arc by itself."""
    if not graph.directed:
        values += values[np.lexsort((simple.tails(), simple.heads))]  # the opposite of each arc
    return _of_parallel_arcs(graph, simple, values)


def _of_parallel_arcs(graph: Graph, simple: Graph, values: Array) -> Array:
    """Return values for the arcs of a graph, given those of the simplified one."""
    places = np.searchsorted(_keys(simple), _keys(graph))
    places[graph.tails() == graph.heads] = simple.m  # loops have no place
    if graph.m == simple.m:
        return np.asarray(values[places])
    counted = places < simple.m
    if graph.weights is not None and simple.weights is not None:
        counted[counted] = graph.weights[counted] == simple.weights[places[counted]]
    alike = np.bincount(places[counted], minlength=simple.m)
    found = np.zeros(graph.m)
    found[counted] = values[places[counted]] / alike[places[counted]]
    return found


def _keys(graph: Graph) -> Array:
    """Return a number for each arc that orders them by tail, then head."""
    return graph.tails().astype(np.uint64) << np.uint64(32) | graph.heads


@dataclass(frozen=True, slots=True)
class _Run:
    """Sources and targets, checked, and how sums over them are scaled."""

    graph: Graph
    arcs: Graph
    """The graph to search: without parallel arcs."""
    sources: Array
    sampled: bool
    is_target: Array | None
    endpoints: bool

    def search(
        self,
        arcs: Graph,
        of_vertex: Array | None,
        of_arc: Array | None,
        threads: int,
        progress: Progress | None,
    ) -> None:
        """Fill arrays of zeros with sums over the sources."""

        def search(dtype: np.dtype[Any]) -> int:
            for array in (of_vertex, of_arc):
                if array is not None:
                    array[:] = 0
            failed, source = _core.betweenness(
                arcs.native,
                dtype != arcs.distance_dtype,
                arcs.weight_summary().heaviest,
                self.sources,
                self.is_target,
                self.endpoints,
                of_vertex,
                of_arc,
                threads,
                progress,
            )
            if failed == "count":
                raise PathCountError(
                    f"{self.graph.described(source)} has more shortest paths to some vertex than a floating-point "
                    "number can count; give edges weights that differ, so that fewer paths are equally long."
                )
            return source if failed else -1

        widening(arcs, search)

    def scales(self, normalized: bool, *, of_edges: bool) -> tuple[float, float]:
        """Return the factors for the sums of sources, and of all other vertices; they differ in a sample.

        A source is not between itself and others. So where ends do not count, a vertex has one source less if it is
        one.
        """
        n, k, ends = self.graph.n, self.sources.size, self.endpoints or of_edges
        both = 1 if self.graph.directed else 2
        others = n if ends else n - 1  # for each source, the targets that a vertex may be between, and the vertex
        if others < 2 or k == 0:
            return 1.0, 1.0
        if self.is_target is not None:
            scale = 1 / (others * (others - 1)) if normalized else 1 / both
            return scale, scale

        def scale_of(sources: int) -> float:
            if sources == 0:
                return math.nan
            return 1 / (sources * (others - 1)) if normalized else others / (sources * both)

        if not self.sampled:
            return scale_of(others), scale_of(others)
        return scale_of(k if ends else k - 1), scale_of(k)


def _prepared(graph: Graph, k: object, seed: object, sources: object, targets: object, *, endpoints: bool) -> _Run:
    """Check the arguments."""
    require_weights(graph, "betweenness", zero=False)
    if k is not None and sources is not None:
        raise ArgumentError(f"k is {shown(k)}, but sources are given; give one of the two.")
    if endpoints and targets is not None:
        raise ArgumentError("endpoints is True, but targets are given; leave one of the two out.")
    starts = np.unique(as_vertices(graph, sources, "sources")) if k is None else sampled_vertices(graph, k, seed)
    if starts.size == 0 and graph.n > 0:
        raise ArgumentError("sources is empty; give at least one vertex, or leave it out for all.")
    arcs = search_graph(graph)
    return _Run(
        graph,
        arcs if _core.parallel_arc(arcs.native) < 0 else arcs.simplified(),
        starts,
        starts.size < graph.n,
        as_mask(graph, targets, "targets"),
        endpoints,
    )


def sampled_vertices(graph: Graph, k: object, seed: object) -> Array:
    """Return the positions of k different vertices, in the order drawn: as `random.Random(seed).sample` draws them."""
    count = as_count(k, "k", least=1)
    if count > graph.n:
        raise ArgumentError(f"k is {shown(count)}, but the graph has {graph.n} vertices; give at most that.")
    return np.array(random.Random(as_seed(seed)).sample(range(graph.n), count), np.uint32)
