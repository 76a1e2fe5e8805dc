"""Breadth-first search: graphs without weights, and with weights that are all 1."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from oracles import as_array, certify, dijkstra
from zoo import WEIGHT_TYPES, ZOO


def unit(graph: pf.Graph, dtype: str | None) -> pf.Graph:
    return graph.with_weights(None if dtype is None else np.ones(graph.m, dtype))


@pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
@pytest.mark.parametrize("animal", ZOO)
def test_zoo(dtype, animal):
    graph = unit(ZOO[animal]("uint32"), dtype)
    expected = as_array(dijkstra(graph, 0), graph.n, dtype or "uint32")
    for backward in (False, True):
        if backward:
            graph.reverse()
        for threads in (1, 2, 7):
            paths = pf.shortest_paths(graph, 0, method="bfs", threads=threads)
            assert paths.distance.dtype == expected.dtype
            assert paths.distance.tolist() == expected.tolist()
            certify(paths)
            assert pf.verify(graph, paths)


@examples(200)
@given(
    arcs=st.lists(st.tuples(st.integers(0, 39), st.integers(0, 39)), min_size=1, max_size=300),
    directed=st.booleans(),
    backward=st.booleans(),
    source=st.integers(0, 39),
    cutoff=st.one_of(st.none(), st.integers(0, 8)),
    targets=st.one_of(st.none(), st.lists(st.integers(0, 39), min_size=1, max_size=3)),
)
def test_random_graphs(arcs, directed, backward, source, cutoff, targets):
    graph = pf.Graph.from_edges([a for a, _ in arcs], [b for _, b in arcs], n=40, directed=directed)
    if backward:
        graph.reverse()
    asked = {"cutoff": cutoff, "targets": targets}
    expected = pf.shortest_paths(graph, source, method="dijkstra", **asked)
    paths = pf.shortest_paths(graph, source, method="bfs", trace=True, **asked)
    assert paths.distance.tolist() == expected.distance.tolist()
    assert paths.radius == expected.radius
    certify(paths)
    assert pf.verify(graph, paths)
    assert len(paths.trace) == paths.stats.iterations
    assert paths.trace["frontier"].sum() == paths.stats.vertices_processed
    assert paths.trace["edges_relaxed"].sum() == paths.stats.edges_relaxed


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_going_upwards_leaves_most_arcs_alone(threads):
    graph = pf.generate.kronecker(12, 16, seed=1).with_weights(None)
    source = int(np.argmax(np.diff(graph.offsets)))
    paths = pf.shortest_paths(graph, source, threads=threads)
    assert (paths.stats.method, paths.stats.reason) == ("bfs", "every arc weighs 1")
    assert 1 <= paths.stats.threads <= threads
    assert paths.distance.tolist() == pf.shortest_paths(graph, source, method="dijkstra").distance.tolist()
    assert paths.stats.edges_relaxed < graph.m / 4
    assert pf.verify(graph, paths)


def test_nearest_counts_arcs():
    graph = pf.generate.grid(30, 30, seed=1).with_weights(None)
    found = pf.nearest(graph, [0, 899])
    rows, columns = np.divmod(np.arange(900), 30)
    assert found.distance.tolist() == np.minimum(rows + columns, 58 - rows - columns).tolist()


def test_other_weights_are_refused():
    graph = pf.Graph.from_edges([0, 1], [1, 2], [1, 7])
    with pytest.raises(pf.WeightError, match=r"some weight is 7, but method='bfs' counts arcs.*with_weights\(None\)"):
        pf.shortest_paths(graph, 0, method="bfs")
    assert pf.shortest_paths(graph.with_weights(None), 0, method="bfs").distance.tolist() == [0, 1, 2]
