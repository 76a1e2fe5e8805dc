"""Closeness and harmonic centrality: how near a vertex is to all others (Freeman 1978; Boldi and Vigna 2014).

Both take the distances *to* a vertex, as networkx does; `graph.reverse()` gives those from it.
"""

from __future__ import annotations

import numpy as np

from pathfront.centrality.searches import as_mask, as_vertices, distance_sums
from pathfront.graph import Graph, as_graph
from pathfront.progress import Progress
from pathfront.validation import Array, as_flag
from pathfront.wording import checks_names


@checks_names
def closeness(
    graph: Graph,
    vertices: object = None,
    *,
    wf_improved: bool = True,
    threads: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Array:
    """Return for each vertex 1 / the mean distance from the other vertices that have a path to it.

    With `wf_improved` that is multiplied by the share of all other vertices that have one (Wasserman and Faust 1994),
    so that vertices of small components do not seem close. A vertex that none has a path to, or only at distance 0, has
    the value 0. The values are those of `vertices`, in their order, by default of all.

    >>> import pathfront as pf
    >>> pf.closeness(pf.generate.chain(3, weights="unit")).tolist()
    [0.6666666666666666, 1.0, 0.6666666666666666]
    """
    graph = as_graph(graph)
    chosen = as_vertices(graph, vertices, "vertices")
    improved = as_flag(wf_improved, "wf_improved")
    sums = distance_sums(
        graph.reverse(),
        chosen,
        "closeness",
        wanted=("reached", "total"),
        threads=threads,
        time_limit=time_limit,
        progress=progress,
    )
    near = sums.total > 0
    found = np.zeros(chosen.size)
    np.divide(sums.reached - 1.0, sums.total, out=found, where=near)
    if improved and graph.n > 1:
        found *= (sums.reached - 1.0) / (graph.n - 1)
    return found


@checks_names
def harmonic(
    graph: Graph,
    vertices: object = None,
    *,
    sources: object = None,
    threads: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Array:
    """Return for each vertex the sum of 1 / distance over the other vertices that have a path to it.

    With `sources` the sum is over these only. Distances of 0 are left out. The values are those of `vertices`, in their
    order, by default of all. There is a search for each source or for each vertex, whichever are fewer.

    >>> import pathfront as pf
    >>> pf.harmonic(pf.generate.chain(3, weights="unit")).tolist()
    [1.5, 2.0, 1.5]
    >>> pf.harmonic(pf.generate.chain(3, weights="unit"), sources=[0]).tolist()
    [0.0, 1.0, 0.5]
    """
    graph = as_graph(graph)
    chosen = as_vertices(graph, vertices, "vertices")
    starts = np.unique(as_vertices(graph, sources, "sources"))
    if starts.size < chosen.size:
        sums = distance_sums(
            graph,
            starts,
            "harmonic",
            wanted=("inverse_of_vertex",),
            threads=threads,
            time_limit=time_limit,
            progress=progress,
        )
        return np.asarray(sums.inverse_of_vertex[chosen])
    return distance_sums(
        graph.reverse(),
        chosen,
        "harmonic",
        wanted=("inverse",),
        is_target=as_mask(graph, sources, "sources"),
        threads=threads,
        time_limit=time_limit,
        progress=progress,
    ).inverse
