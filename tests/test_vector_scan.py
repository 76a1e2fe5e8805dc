"""The vector scan inside the engines: a graph so large and rows so long that every processor with AVX-512 uses it."""

from __future__ import annotations

import numpy as np
import pytest

import pathfront as pf
from test_methods import bits

METHODS = ("delta_stepping", "light_first", "adds", "near_far", "workfront_sweep")


@pytest.fixture(scope="module", params=["uint32", "int32", "float32"])
def solved(request):
    """A graph of 2^17 + 1 vertices with a hub, and its distances."""
    rng, n, m = np.random.default_rng(1), (1 << 17) + 1, 700_000
    heads = rng.integers(0, n, m)
    tails = np.concatenate([np.zeros(3000, np.int64), rng.integers(0, n, m - 3000)])
    graph = pf.Graph.from_edges(tails, heads, rng.integers(1, 1000, m).astype(request.param), n=n)
    return graph, pf.shortest_paths(graph, 0, method="dijkstra").distance


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("method", METHODS)
def test_distances(solved, method, threads):
    graph, expected = solved
    paths = pf.shortest_paths(graph, 0, method=method, threads=threads)
    assert bits(paths.distance) == bits(expected)
    assert pf.verify(graph, paths)
