"""`shortest_path` and `paths_between`: distances compared bit for bit, paths added up in plain Python."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from oracles import arcs_of, bellman_ford, dijkstra
from zoo import WEIGHT_TYPES, ZOO


def length(graph: pf.Graph, vertices: list[int]) -> float:
    """The length of a path, added up from its source in the arithmetic of the weights."""
    total = 0
    for u, v in itertools.pairwise(vertices):
        total = total + min(weight for head, weight in arcs_of(graph, u) if head == v)
    return total


def require_right(graph: pf.Graph, found: pf.PathsBetween) -> None:
    known = {}
    for origin, destination, path in zip(found.origins.tolist(), found.destinations.tolist(), found, strict=True):
        dist = known.setdefault(origin, dijkstra(graph, origin))
        if destination not in dist:
            assert (len(path), bool(path), path.distance) == (0, False, found.unreached)
            continue
        assert path.distance == dist[destination], "not the distance of a search from the source"
        vertices = list(path)
        assert (vertices[0], vertices[-1]) == (origin, destination)
        assert len(set(vertices)) == len(vertices)
        assert length(graph, vertices) == path.distance


@pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
@pytest.mark.parametrize("name", ZOO)
def test_every_pair_of_the_zoo(name, dtype):
    graph = ZOO[name](dtype)
    some = range(0, graph.n, max(1, graph.n // 12))
    pairs = list(itertools.product(some, some))
    found = pf.paths_between(graph, [s for s, _ in pairs], [t for _, t in pairs], threads=2)
    assert found.distances.dtype == graph.distance_dtype
    require_right(graph, found)


@given(
    arcs=st.lists(st.tuples(st.integers(0, 24), st.integers(0, 24), st.integers(0, 1000)), min_size=1, max_size=150),
    dtype=st.sampled_from(WEIGHT_TYPES[:6]),
    unit=st.sampled_from([0.1, 1 / 3, 1e-40, 1e30]),
    directed=st.booleans(),
)
@examples(200)
def test_random_pairs(arcs, dtype, unit, directed):
    """Weights like 0.1, whose sums depend on the order of additions, and such near both ends of float32's range."""
    tails, heads, weights = zip(*arcs, strict=True)
    weights = np.array(weights) * (unit if dtype.startswith("float") else 1)
    graph = pf.Graph.from_edges(tails, heads, weights.astype(dtype), n=25, directed=directed)
    pairs = list(itertools.product(range(0, 25, 3), range(25)))
    require_right(graph, pf.paths_between(graph, [s for s, _ in pairs], [t for _, t in pairs]))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rounded_sums_on_long_ways(dtype):
    """Hundreds of additions: the backward sums differ from the forward ones, and so do the best ways."""
    graph = pf.generate.grid(60, 60, seed=3)
    graph = graph.with_weights(((graph.weights % 7 + 1) * 0.1).astype(dtype))
    rng = np.random.default_rng(1)
    starts, ends = rng.integers(0, graph.n, (2, 60))
    found = pf.paths_between(graph, starts, ends)
    for start, distance, end in zip(starts.tolist(), found.distances, ends.tolist(), strict=True):
        assert distance.tobytes() == pf.shortest_paths(graph, start).distance[end].tobytes()
    require_right(graph, pf.paths_between(graph, starts[:3], ends[:3]))


def test_a_directed_graph_of_two_halves():
    rng = np.random.default_rng(4)
    graph = pf.generate.scale_free(3000, 3, weights="int:0:9", seed=1)
    arcs = graph.to_edges()
    keep = rng.random(arcs.tails.size) < 0.8
    graph = pf.Graph.from_edges(arcs.tails[keep], arcs.heads[keep], arcs.weights[keep], n=graph.n)
    starts, ends = rng.integers(0, graph.n, (2, 300))
    one, several = (pf.paths_between(graph, starts, ends, threads=threads) for threads in (1, 4))
    assert np.array_equal(one.indices, several.indices)
    assert np.array_equal(one.distances, several.distances)
    assert 0 < (np.diff(one.offsets) == 0).sum() < 300
    for i in range(0, 300, 7):
        assert one.distance(i) == pf.shortest_paths(graph, int(starts[i])).distance[ends[i]]


def test_one_pair_by_name():
    graph = pf.Graph.from_edges([0, 1, 0], [1, 2, 1], [4.5, 3.0, 9.0], labels=["Rome", "Ostia", "Anzio"])
    path = pf.shortest_path(graph, "Rome", "Anzio")
    assert (list(path), len(path), path.distance) == (["Rome", "Ostia", "Anzio"], 3, 7.5)
    assert path.indices.tolist() == [0, 1, 2]
    assert path.edges.weights.tolist() == [4.5, 3.0]
    assert graph.weights[path.arcs].tolist() == [4.5, 3.0]
    assert path == pf.shortest_path(graph, pf.index(0), pf.index(2))
    assert repr(path) == "Path('Rome' -> 'Ostia' -> 'Anzio', distance=7.5)"
    with pytest.raises(pf.NoPathError, match="vertex 'Rome' cannot be reached from vertex 'Anzio'"):
        pf.shortest_path(graph, "Anzio", "Rome")
    assert list(pf.shortest_path(graph, "Rome", "Rome")) == ["Rome"]
    assert pf.shortest_path(graph, "Rome", "Rome").arcs.size == 0
    with pytest.raises(pf.VertexError, match="target: no vertex is named 'Roma'"):
        pf.shortest_path(graph, "Rome", "Roma")


def test_original_edges():
    graph = pf.Graph.from_edges([1, 0, 0], [2, 1, 1], [3, 9, 4], directed=False, edge_ids=True)
    assert pf.shortest_path(graph, 2, 0).edge_ids.tolist() == [0, 2]
    with pytest.raises(pf.ArgumentError, match="does not keep the edges"):
        _ = pf.shortest_path(pf.generate.grid(2, 2), 0, 1).edge_ids


def test_one_vertex_for_all_pairs():
    graph = pf.generate.chain(5, weights="unit")
    assert pf.paths_between(graph, 0, [1, 2, 3]).distances.tolist() == [1, 2, 3]
    assert pf.paths_between(graph, [4, 0], 2).origins.tolist() == [4, 0]
    assert len(pf.paths_between(graph, [], [])) == 0
    with pytest.raises(pf.ArgumentTypeError, match="give lists, or use shortest_path"):
        pf.paths_between(graph, 0, 1)
    with pytest.raises(pf.ArgumentError, match="origins has 2 vertices, but destinations has 3"):
        pf.paths_between(graph, [0, 1], [1, 2, 3])
    with pytest.raises(pf.VertexError, match=r"destinations\[1\] is 9"):
        pf.paths_between(graph, [0, 1], [1, 9])
    with pytest.raises(pf.ArgumentError, match="i is 2, but there are 2 pairs"):
        pf.paths_between(graph, [0, 1], [1, 2]).path(2)


def test_negative_weights():
    tails, heads, weights = [0, 0, 1, 2, 3], [1, 2, 3, 1, 0], [4, 1, -3, 2, 5]
    graph = pf.Graph.from_edges(tails, heads, weights, n=5)
    found = pf.paths_between(graph, [0, 2, 0, 3], [3, 0, 4, 3])
    oracle = [bellman_ford(graph, s) for s in (0, 2)]
    assert found.distances.tolist() == [oracle[0][3], oracle[1][0], found.unreached, 0]
    assert list(found.path(0)) == [0, 2, 1, 3]
    assert not found.path(2)
    assert pf.shortest_path(graph, 0, 3).distance == 0
    with pytest.raises(pf.NegativeCycleError):
        pf.shortest_path(pf.Graph.from_edges([0, 1, 2], [1, 2, 1], [1, -3, 2]), 0, 2)


def test_distances_that_do_not_fit_widen_or_raise():
    most = 2**32 - 2
    graph = pf.Graph.from_edges([0, 1, 3], [1, 2, 2], np.array([most, most, 7], np.uint32))
    assert pf.shortest_path(graph, 0, 2).distance == 2 * most
    assert pf.paths_between(graph, [0, 3], [2, 2]).distances.tolist() == [2 * most, 7]
    assert pf.paths_between(graph, [3], [2]).distances.dtype == np.uint32
    large = pf.Graph.from_edges([0, 1], [1, 2], [2**62, 2**62])
    with pytest.raises(pf.DistanceOverflowError, match="a distance from vertex 0 does not fit int64"):
        pf.shortest_path(large, 0, 2)
    with pytest.raises(pf.NoPathError):
        pf.shortest_path(large, 2, 0)


def test_a_time_limit():
    graph = pf.generate.grid(900, 900, seed=1)
    ends = np.arange(0, graph.n, 1000)
    with pytest.raises(pf.TimeLimitError):
        pf.paths_between(graph, ends, ends[::-1], time_limit=0.1)


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint64", "float64"])
def test_no_path_is_no_distance_that_does_not_fit(dtype):
    largest = np.finfo(dtype).max if dtype == "float64" else np.iinfo(dtype).max - 1
    # from 0 a sum leaves the range on the way back, and another one leaves it on the way to 4 against the arcs
    weights = np.array([largest, largest, largest, largest], dtype)
    graph = pf.Graph.from_edges([0, 1, 3, 2], [1, 0, 4, 3], weights, n=6)
    found = pf.paths_between(graph, [0, 0, 1], [5, 4, 1])
    assert [bool(path) for path in found] == [False, False, True]
    assert found.distances.dtype == dtype, "no wider type is needed"
    with pytest.raises(pf.NoPathError):
        pf.shortest_path(graph, 0, 4)
