"""Delta-stepping by threads that own vertices, on graphs that are much smaller than it would be chosen for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from oracles import as_array, certify, dijkstra
from pathfront.methods import delta_stepping
from test_methods import bits, graphs
from zoo import WEIGHT_TYPES, ZOO


@pytest.fixture(autouse=True, scope="module")
def tiny_blocks():
    """Blocks of two vertices, so that most arcs lead to another thread's."""
    kept, asked = delta_stepping.block_bits, []

    def block_bits(problem):
        chosen = 1 if problem.threads > 1 and kept(problem) is not None else 0
        asked.append(chosen)
        return chosen

    delta_stepping.block_bits = block_bits
    yield
    delta_stepping.block_bits = kept
    assert 1 in asked


@pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
@pytest.mark.parametrize("animal", ZOO)
def test_zoo(dtype, animal):
    graph = ZOO[animal](dtype)
    expected = as_array(dijkstra(graph, 0), graph.n, dtype or "uint32")
    for threads in (2, 3, 7):
        for delta in (None, 1, 7.3, 2**20):
            paths = pf.shortest_paths(graph, 0, method="delta_stepping", threads=threads, delta=delta)
            assert bits(paths.distance) == bits(expected)
            certify(paths)
            bare = pf.shortest_paths(graph, 0, method="delta_stepping", threads=threads, delta=delta, parents=False)
            assert bits(bare.distance) == bits(expected)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("delta", [1e-300, 1e-44, 1.7e-44, 1e-30, 0.3, 1e300])
def test_extreme_widths(dtype, delta):
    """Far too narrow and far too wide levels; tests/cpp/test_owned.cpp has the deadlock that the first ones caused."""
    graph = pf.generate.grid(32, 32, weights="unit")
    graph = graph.with_weights(np.full(graph.m, 2, dtype))
    for source in range(0, graph.n, 100):
        paths = pf.shortest_paths(graph, source, method="delta_stepping", threads=2, delta=delta, time_limit=60)
        assert pf.verify(graph, paths)


@examples(150)
@given(
    graph=graphs(st.one_of(st.integers(0, 9), st.floats(0, 1e6, width=32))),
    source=st.integers(0, 29),
    cutoff=st.one_of(st.none(), st.integers(0, 40)),
    threads=st.integers(2, 5),
)
def test_random_graphs(graph, source, cutoff, threads):
    full = dijkstra(graph, source % graph.n)
    within = {v: d for v, d in full.items() if cutoff is None or d <= cutoff}
    paths = pf.shortest_paths(graph, source % graph.n, method="delta_stepping", cutoff=cutoff, threads=threads)
    assert bits(paths.distance) == bits(as_array(within, graph.n, graph.weights.dtype))
    certify(paths)
    assert pf.verify(graph, paths)


@pytest.mark.parametrize("dtype", ["uint32", "int32", "float32"])
def test_distances_that_need_a_wider_type(dtype):
    weight = {"uint32": 2**31, "int32": 2**30, "float32": 1e38}[dtype]
    n = 40
    graph = pf.Graph.from_edges(np.arange(n - 1), np.arange(1, n), np.full(n - 1, weight, dtype))
    one, two = (pf.shortest_paths(graph, 0, method="delta_stepping", threads=threads) for threads in (1, 2))
    assert one.distance.dtype.itemsize == 8
    assert bits(one.distance) == bits(two.distance)
