"""The suite `local`: what lies within a small distance, and paths between random pairs, on roads."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

import pathfront as pf
from pathfront.bench import graphs
from pathfront.bench.figures import Figure, Suite, best_of, require
from pathfront.validation import Array, available_cores

_BALL = 400
"""Vertices within the cutoff of a source, on average."""


def run(quick: bool) -> Iterator[Figure]:
    """Measure everything; `quick` takes fewer sources and pairs."""
    name, graph = graphs.new_york()
    graph = graph.unlabelled()
    rng = np.random.default_rng(1)
    yield from near(name, graph, rng.integers(0, graph.n, 1000 if quick else 4000), rounds=3 if quick else 7)
    yield from pairs(name, graph, *rng.integers(0, graph.n, (2, 500 if quick else 5000)))
    yield from one_pair(name, graph, *rng.integers(0, graph.n, (2, 50)))


def near(name: str, graph: pf.Graph, sources: Array, rounds: int) -> Iterator[Figure]:
    """Balls of 400 vertices from one core, beside a whole search with the same cutoff."""
    cutoff = cutoff_for(graph, sources[:200], _BALL)
    found = pf.within(graph, sources, cutoff)
    for i in range(0, len(sources), len(sources) // 20):
        row, paths = found.row(i), pf.shortest_paths(graph, int(sources[i]), cutoff=cutoff)
        require(np.array_equal(np.sort(row.vertices), np.flatnonzero(paths.reached)), "within finds other vertices")
        require(np.array_equal(paths.distance[row.vertices], row.distances), "within finds other distances")
    size = found.indices.size / len(sources)
    few = sources[:50].tolist()

    def one_by_one() -> None:
        for source in few:
            pf.shortest_paths(graph, source, cutoff=cutoff, parents=False)

    rows, whole = best_of(rounds, partial(pf.within, graph, sources, cutoff, threads=1), one_by_one)
    per_source = rows / len(sources) * 1e6
    what = f"within {cutoff} on {name}, one core"
    detail = f"{size:.0f} vertices on average, {len(sources)} sources in one call"
    yield Figure(f"{what}, a source", per_source, "us", 20.0, "lower", detail)
    yield Figure(f"{what}, a vertex", per_source / size * 1e3, "ns", detail=detail)
    yield Figure("the same, faster than shortest_paths(cutoff=)", whole / len(few) / rows * len(sources), "x", 3.0)


def cutoff_for(graph: pf.Graph, sources: Array, size: int) -> int:
    """Return the cutoff within which the sources have so many vertices on average."""
    low, high = 1, 2 * int(graph.weight_summary().finite_mean * size)
    while low + 1 < high:
        middle = (low + high) // 2
        found = pf.within(graph, sources, middle)
        low, high = (middle, high) if found.indices.size <= size * len(sources) else (low, middle)
    return low


def pairs(name: str, graph: pf.Graph, origins: Array, destinations: Array) -> Iterator[Figure]:
    """Random pairs with their paths, in one call."""
    cores = min(2, available_cores())
    found = pf.paths_between(graph, origins, destinations, threads=cores)
    for i in range(0, len(origins), len(origins) // 20):
        whole = pf.shortest_paths(graph, int(origins[i]))
        require(whole.distance[destinations[i]] == found.distance(i), "paths_between finds another distance")
        weights = found.path(i).edges.weights
        require(weights is not None and int(weights.sum()) == found.distance(i), "a path has another length")
    (seconds,) = best_of(1, partial(pf.paths_between, graph, origins, destinations, threads=cores))
    detail = f"{seconds / len(origins) * cores * 1e3:.2f} ms a pair on one core"
    what = f"5,000 random pairs with paths on {name}, {cores} cores"
    yield Figure(what, seconds * 5000 / len(origins), "s", 10.0, "lower", detail)


def one_pair(name: str, graph: pf.Graph, origins: Array, destinations: Array) -> Iterator[Figure]:
    """One pair after the other, beside a search from the source that stops at the target."""
    each = list(zip(origins.tolist(), destinations.tolist(), strict=True))

    def both_ends() -> list[int | float]:
        return [pf.shortest_path(graph, s, t).distance for s, t in each]

    def one_end() -> list[int | float]:
        return [pf.shortest_paths(graph, s, targets=[t]).distance_to(t) for s, t in each]

    require(both_ends() == one_end(), "shortest_path finds other distances")
    ours, theirs = best_of(3, both_ends, one_end)
    detail = f"{ours / len(each) * 1e3:.2f} ms, {theirs / len(each) * 1e3:.2f} ms"
    yield Figure(f"shortest_path on {name}, faster than targets=[t]", theirs / ours, "x", 1.0, detail=detail)


SUITE = Suite("local", "small radii, and paths between random pairs, on roads", run)
