"""Measures of a graph, against networkx and plain Python."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from oracles import dijkstra
from zoo import WEIGHT_TYPES, ZOO


def as_networkx(graph: pf.Graph) -> nx.MultiDiGraph:
    made = nx.MultiDiGraph()
    made.add_nodes_from(range(graph.n))
    made.add_edges_from(zip(graph.tails().tolist(), graph.heads.tolist(), strict=True))
    return made


def hop_diameter(graph: pf.Graph) -> int:
    hops = graph.unlabelled().with_weights(None)
    return max((max(dijkstra(hops, v).values()) for v in range(graph.n)), default=0)


def check(graph: pf.Graph, source: int | None = None) -> pf.Measures:
    found, known = pf.measure(graph, source=source), as_networkx(graph)
    out = [degree for _, degree in known.out_degree]
    assert (found.n, found.m, found.directed) == (graph.n, graph.m, graph.directed)
    assert (found.smallest_degree, found.largest_degree) == (min(out), max(out))
    assert found.mean_degree == pytest.approx(np.mean(out))
    assert found.degree_deviation == pytest.approx(np.std(out))
    assert found.largest_in_degree == max(degree for _, degree in known.in_degree)
    assert found.isolated == nx.number_of_isolates(known)
    assert found.loops == nx.number_of_selfloops(known)
    assert found.parallel_arcs == known.number_of_edges() - nx.DiGraph(known).number_of_edges()
    for kind, parts in (
        ("weak", nx.weakly_connected_components(known)),
        ("strong", nx.strongly_connected_components(known)),
    ):
        sizes = [len(part) for part in parts]
        assert getattr(found, f"{kind}_components") == len(sizes)
        assert getattr(found, f"largest_{kind}_component") == max(sizes)
        assert getattr(found, f"largest_{kind}_share") == max(sizes) / graph.n
    hops = dijkstra(graph.unlabelled().with_weights(None), graph.vertex(found.source))
    assert out[graph.vertex(found.source)] == max(out) or source is not None
    assert (found.reached, found.source_hops) == (len(hops), max(hops.values()))
    assert found.reached_share == len(hops) / graph.n
    longest = hop_diameter(graph)
    assert found.source_hops <= longest
    assert found.hop_diameter <= longest
    assert found.hop_diameter_is_exact == (graph.n == 1)
    exact = pf.measure(graph, source=source, exact=True)
    assert exact.hop_diameter == longest
    assert exact.hop_diameter_is_exact
    return found


@pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
@pytest.mark.parametrize("animal", [animal for animal in ZOO if not animal.startswith("long")])
def test_zoo(animal, dtype):
    graph = ZOO[animal](dtype)
    found = check(graph)
    assert found.weights == (None if dtype is None else dtype)
    if dtype is not None and graph.m:
        weights = graph.weights.astype(np.float64)
        assert (found.lightest, found.heaviest) == (weights.min(), weights.max())
        assert found.mean_weight == pytest.approx(weights.mean())
        assert found.weight_deviation == pytest.approx(weights.std(), abs=1e-9)
        assert (found.zero_weights, found.negative_weights) == ((weights == 0).sum(), 0)


@examples(300)
@given(
    arcs=st.lists(st.tuples(st.integers(0, 19), st.integers(0, 19)), max_size=60),
    n=st.integers(20, 25),
    directed=st.booleans(),
    source=st.integers(0, 19),
)
def test_random_graphs(arcs, n, directed, source):
    check(pf.Graph.from_edges([a for a, _ in arcs], [b for _, b in arcs], n=n, directed=directed), source)


def test_larger_graphs():
    """Components of thousands of vertices, whose numbers need several steps to a root, and a deep search."""
    for seed in range(3):
        for m in (1500, 2000, 6000):
            graph = pf.generate.random(2000, m, seed=seed)
            known, found = as_networkx(graph), pf.measure(graph)
            assert found.weak_components == nx.number_weakly_connected_components(known)
            assert found.strong_components == nx.number_strongly_connected_components(known)
            assert found.largest_strong_component == max(map(len, nx.strongly_connected_components(known)))
    ring = np.arange(300_000)
    found = pf.measure(pf.Graph.from_edges(ring, (ring + 1) % ring.size))
    assert (found.strong_components, found.hop_diameter) == (1, ring.size - 1)


def test_next_to_nothing():
    for graph in (pf.Graph.from_edges([], [], n=0), pf.Graph.from_edges([], [], np.zeros(0), n=0)):
        found = pf.measure(graph, exact=True)
        assert (found.n, found.m, found.source, found.reached, found.reached_share) == (0, 0, None, 0, 0)
        assert (found.hop_diameter, found.hop_diameter_is_exact, found.weak_components) == (0, True, 0)
    found = pf.measure(pf.Graph.from_edges([], [], np.zeros(0), n=1))
    assert (found.source, found.reached, found.hop_diameter, found.strong_components) == (0, 1, 0, 1)
    assert (found.weights, found.lightest, found.mean_weight) == ("float64", None, None)


@pytest.mark.parametrize("directed", [True, False])
def test_a_matrix(directed):
    matrix = [[0, 2, 0, 0], [2, 0, 4, 0], [0, 4, 0, 6], [0, 0, 6, 0]]
    graph = pf.Graph.from_dense(matrix, no_edge=0, keep_dense=True, directed=directed)
    found = check(graph)
    assert (found.lightest, found.heaviest, found.mean_weight, found.hop_diameter) == (2, 6, 4, 3)


def test_weights_whose_sum_is_too_large_for_a_float():
    found = pf.measure(pf.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], [1e308, 1e308, 1.5e308, 1.5e308]))
    assert found.mean_weight == pytest.approx(1.25e308)
    assert found.weight_deviation == pytest.approx(0.25e308)
    many = pf.generate.random(1000, 3_000_000, weights="int:1:1000", seed=1)  # summed up in three parts
    assert pf.measure(many).weight_deviation == pytest.approx(many.weights.astype(float).std())


def test_negative_weights_and_names():
    graph = pf.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, -1, 0], labels=["Rome", "Ostia", "Anzio"])
    found = pf.measure(graph)
    assert (found.source, found.negative_weights, found.zero_weights) == ("Rome", 1, 1)
    assert pf.measure(graph, source="Ostia").reached == 2
    with pytest.raises(pf.VertexError, match="source"):
        pf.measure(graph, source="Paris")
    assert pf.measure(graph).to_dict().keys() >= {"reached_share", "largest_strong_share", "hop_diameter"}


def test_the_bound_is_the_diameter_of_common_graphs():
    for graph in (
        pf.generate.grid(20, 31, seed=1),
        pf.generate.chain(500, seed=1),
        pf.generate.star(200, seed=1),
        pf.generate.random(3000, 9000, seed=4),
        pf.generate.road_like(2000, seed=1),
    ):
        bound, exact = pf.measure(graph).hop_diameter, pf.measure(graph, exact=True).hop_diameter
        assert 0.95 * exact <= bound <= exact


def test_computed_once_and_cached(monkeypatch):
    graph = pf.generate.grid(10, 12, seed=1)
    first = pf.measure(graph, exact=True)
    from pathfront import measuring

    calls = []
    whole = measuring.shortest_paths
    monkeypatch.setattr(measuring, "shortest_paths", lambda *a, **k: calls.append(a) or whole(*a, **k))
    monkeypatch.setattr(measuring, "diameter", None)
    again = pf.measure(graph)
    assert again == first
    assert len(calls) == 1  # what the source reaches
    assert again.hop_diameter_is_exact
    assert pf.measure(graph.with_labels(range(1, 121)), source=1).hop_diameter == 20


def test_parallel_threads_agree():
    graph = pf.generate.rmat(12, 8, seed=1)
    one, many = (pf.measure(pf.generate.rmat(12, 8, seed=1), threads=threads) for threads in (1, 7))
    assert one == many == pf.measure(graph)
    assert math.isfinite(one.degree_deviation)


@pytest.mark.parametrize("directed", [True, False])
def test_a_time_limit_ends_the_exact_diameter(directed):
    ring = np.arange(100_000)  # all vertices are alike: none can be excluded
    graph = pf.Graph.from_edges(ring, (ring + 1) % ring.size, directed=directed)
    with pytest.raises(pf.TimeLimitError):
        pf.measure(graph, exact=True, time_limit=0.3)
