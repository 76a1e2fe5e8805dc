"""The suite `centrality`: betweenness and closeness on New York's roads against networkx.

NetworkX would take minutes for 64 sources; so its time is that of two to four sources, and times are compared per
source. The same sources give the same values, which is checked to a relative 1e-9.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import pathfront as pf
from pathfront.bench import graphs
from pathfront.bench.figures import Figure, Suite, best_of, require
from pathfront.exceptions import MissingExtraError

_SOURCES = 64


def run(quick: bool) -> Iterator[Figure]:
    """Measure everything; `quick` lets networkx search from fewer sources."""
    try:
        import networkx
    except ImportError:
        raise MissingExtraError('this suite compares with networkx: pip install "pathfront[bench]".') from None
    name, graph = graphs.new_york()
    theirs = graph.to_networkx()
    count = 2 if quick else 4
    yield from betweenness(networkx, name, graph, theirs, count)
    yield from closeness(networkx, name, graph, theirs, count)
    yield from threads(name, graph)
    yield from diameter(name, graph)


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return how long one call takes, and its result."""
    started = time.perf_counter()
    result = call()
    return time.perf_counter() - started, result


def same(ours: Any, theirs: list[float], what: str) -> None:
    """Require equal values."""
    require(np.allclose(ours, theirs, rtol=1e-9, atol=0, equal_nan=True), f"{what}: networkx has other values")


def betweenness(networkx: Any, name: str, graph: pf.Graph, theirs: Any, count: int) -> Iterator[Figure]:
    """Of vertices, by weights and by hops, and of edges."""
    cases: list[tuple[str, str | None, float | None]] = [
        ("betweenness", "weight", 100),
        ("betweenness, hops", None, None),
        ("edge_betweenness", "weight", None),
    ]
    for what, weight, target in cases:
        arcs = graph if weight else graph.with_weights(None)
        of_edges = what.startswith("edge")
        ours = pf.edge_betweenness if of_edges else pf.betweenness
        peer = networkx.edge_betweenness_centrality if of_edges else networkx.betweenness_centrality
        (best,) = best_of(3, partial(ours, arcs, k=_SOURCES, seed=1))
        seconds, found = timed(partial(peer, theirs, k=count, weight=weight, seed=1))
        values = ours(arcs, k=count, seed=1)
        # the networkx graph has its edges in the order of to_edges()
        same(values[arcs.tails() <= arcs.heads] if of_edges else values, list(found.values()), what)
        ratio = (seconds / count) / (best / _SOURCES)
        mine, other = f"{best / _SOURCES * 1e3:.2f} ms", f"{seconds / count:.2f} s"
        detail = f"{mine} a source, k={_SOURCES}; networkx {other} a source, k={count}"
        yield Figure(f"{what} on {name}, faster than networkx", ratio, "x", target, detail=detail)


def closeness(networkx: Any, name: str, graph: pf.Graph, theirs: Any, count: int) -> Iterator[Figure]:
    """Of some vertices, a search each."""
    vertices = np.random.default_rng(1).integers(0, graph.n, _SOURCES).tolist()
    (best,) = best_of(3, lambda: pf.closeness(graph, vertices))
    nodes = [graph.name_of(v) for v in vertices[:count]]
    seconds, found = timed(lambda: [networkx.closeness_centrality(theirs, v, distance="weight") for v in nodes])
    same(pf.closeness(graph, vertices[:count]), found, "closeness")
    ratio = (seconds / count) / (best / _SOURCES)
    detail = f"{best / _SOURCES * 1e3:.2f} ms a vertex; networkx {seconds / count:.2f} s"
    yield Figure(f"closeness on {name}, faster than networkx", ratio, "x", 20, detail=detail)


def threads(name: str, graph: pf.Graph) -> Iterator[Figure]:
    """How much faster all threads are than one, and that they give the same bits."""
    calls = [partial(pf.betweenness, graph, k=_SOURCES, seed=1, threads=t) for t in (1, None)]
    require(calls[0]().tobytes() == calls[1]().tobytes(), "the result depends on the number of threads")
    one, every = best_of(3, *calls)
    yield Figure(f"betweenness on {name}, all threads against one", one / every, "x", detail="the same bits")


def diameter(name: str, graph: pf.Graph) -> Iterator[Figure]:
    """The exact diameter, by bounds, in units of one search."""
    seconds, found = timed(lambda: pf.diameter(graph))
    vertex = int(pf.periphery(graph)[0])
    require(pf.eccentricity(graph, [vertex]).tolist() == [found], "the periphery is not at the diameter")
    (search,) = best_of(3, lambda: pf.shortest_paths(graph, vertex, parents=False))
    yield Figure(f"diameter of {name}", seconds, "s", detail=f"{found}, the time of {seconds / search:.0f} searches")


SUITE = Suite("centrality", "betweenness, closeness and the diameter of road networks, against networkx", run)
