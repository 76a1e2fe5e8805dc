"""Centrality against networkx, against brute force over all shortest paths, and against itself with other threads."""

from __future__ import annotations

import itertools
import math
import random
import time
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples

KINDS = {"graph": nx.Graph, "digraph": nx.DiGraph, "multigraph": nx.MultiGraph, "multidigraph": nx.MultiDiGraph}


def random_pair(kind: str, seed: int, weighted: bool) -> tuple[nx.Graph, pf.Graph, str | None]:
    """Return the same random graph in both packages, with parallel edges and loops where the kind has them."""
    draw = random.Random(seed)
    n = draw.randint(1, 13)
    theirs = KINDS[kind]()
    theirs.add_nodes_from(range(n))
    for _ in range(draw.randint(1, 3 * n)):
        theirs.add_edge(draw.randrange(n), draw.randrange(n), weight=draw.randint(1, 4))
    ours = pf.Graph.from_networkx(theirs)
    return theirs, ours if weighted else ours.with_weights(None), "weight" if weighted else None


pairs = pytest.mark.parametrize(
    ("kind", "weighted"),
    list(itertools.product(KINDS, (True, False))),
    ids=lambda v: v if isinstance(v, str) else f"w{v:d}",
)


@pairs
@pytest.mark.parametrize("seed", range(6))
def test_betweenness_is_that_of_networkx(kind, weighted, seed):
    theirs, ours, weight = random_pair(kind, seed, weighted)
    n = ours.n
    for normalized, endpoints, k in itertools.product((True, False), (True, False), (None, 1, max(1, n // 2), n)):
        options = {"normalized": normalized, "endpoints": endpoints, "k": k, "seed": 3}
        expected = nx.betweenness_centrality(theirs, weight=weight, **options)
        found = pf.betweenness(ours, **options)
        np.testing.assert_allclose(found, [expected[v] for v in range(n)], rtol=1e-12, err_msg=str(options))


@pairs
@pytest.mark.parametrize("seed", range(6))
def test_edge_betweenness_is_that_of_networkx(kind, weighted, seed):
    theirs, ours, weight = random_pair(kind, seed, weighted)
    tails, heads = ours.tails(), ours.heads
    once = np.ones(ours.m, bool) if ours.directed else tails <= heads
    for normalized, k in itertools.product((True, False), (None, 1, ours.n)):
        expected = nx.edge_betweenness_centrality(theirs, weight=weight, normalized=normalized, k=k, seed=3)
        found = pf.edge_betweenness(ours, normalized=normalized, k=k, seed=3)
        # loops are two arcs in some graphs, but one edge, which never counts
        values = sorted(
            (int(u), int(v), x) for u, v, x in zip(tails[once], heads[once], found[once], strict=True) if u != v
        )
        ends = ((u, v) if ours.directed else sorted((u, v)) for u, v, *_ in expected)
        wanted = sorted((u, v, x) for (u, v), x in zip(ends, expected.values(), strict=True) if u != v)
        np.testing.assert_allclose(values, wanted, rtol=1e-12)
        assert not found[tails == heads].any()


@pairs
@pytest.mark.parametrize("seed", range(8))
def test_closeness_harmonic_and_subsets_are_those_of_networkx(kind, weighted, seed):
    theirs, ours, weight = random_pair(kind, seed, weighted)
    draw, n = random.Random(seed), ours.n
    some, others = (draw.sample(range(n), draw.randint(1, n)) for _ in range(2))
    for improved in (True, False):
        expected = nx.closeness_centrality(theirs, distance=weight, wf_improved=improved)
        assert pf.closeness(ours, wf_improved=improved).tolist() == [expected[v] for v in range(n)]
        assert pf.closeness(ours, some, wf_improved=improved).tolist() == [expected[v] for v in some]
    expected = nx.harmonic_centrality(theirs, nbunch=some, distance=weight, sources=others)
    np.testing.assert_allclose(pf.harmonic(ours, some, sources=others), [expected[v] for v in some], rtol=1e-12)
    expected = nx.harmonic_centrality(theirs, distance=weight)
    np.testing.assert_allclose(pf.harmonic(ours), [expected[v] for v in range(n)], rtol=1e-12)
    for normalized in (True, False):
        expected = nx.betweenness_centrality_subset(theirs, some, others, weight=weight, normalized=normalized)
        found = pf.betweenness(ours, sources=some, targets=others, normalized=normalized)
        np.testing.assert_allclose(found, [expected[v] for v in range(n)], rtol=1e-12)


@pairs
@pytest.mark.parametrize("seed", range(20))
def test_eccentricities_are_those_of_networkx(kind, weighted, seed):
    theirs, ours, weight = random_pair(kind, seed, weighted)
    nodes = list(range(ours.n))
    if seed % 2:  # connected, else hardly any is
        nx.add_cycle(theirs, nodes, weight=2)
        ours = pf.Graph.from_networkx(theirs, weight)
    try:
        expected = nx.eccentricity(theirs, weight=weight)
    except nx.NetworkXError:
        for measure in (pf.diameter, pf.radius, pf.center, pf.periphery):
            with pytest.raises(pf.NoPathError, match="does not reach every vertex"):
                measure(ours)
        assert pf.eccentricity(ours).max() == np.iinfo(ours.distance_dtype).max
        return
    assert pf.eccentricity(ours).tolist() == [expected[v] for v in nodes]
    assert pf.eccentricity(ours, nodes[::-2]).tolist() == [expected[v] for v in nodes[::-2]]
    assert pf.diameter(ours) == nx.diameter(theirs, weight=weight)
    assert pf.radius(ours) == nx.radius(theirs, weight=weight)
    assert pf.center(ours).tolist() == sorted(nx.center(theirs, weight=weight))
    assert pf.periphery(ours).tolist() == sorted(nx.periphery(theirs, weight=weight))


@pytest.mark.parametrize(
    "graph",
    [
        pf.generate.grid(9, 14, weights="int:1:9", seed=1),
        pf.generate.road_like(700, seed=3),
        pf.generate.chain(130, weights="unit"),
        pf.generate.complete(70, weights="unit"),
        pf.generate.small_world(300, 4, seed=4),
    ],
    ids=["grid", "roads", "chain", "complete", "small_world"],
)
@pytest.mark.parametrize("dtype", ["int64", "float32", "float64"])
def test_bounds_find_the_same_extremes_as_all_searches(graph, dtype):
    """Chains and complete graphs have bounds that decide little: then all that are left are searched."""
    weights = np.ones(graph.m) if graph.weights is None else graph.weights
    weights = weights.astype(dtype) * np.dtype(dtype).type(0.1 if dtype != "int64" else 1)
    graph = graph.with_weights(weights.astype(dtype))
    found = pf.eccentricity(graph)
    assert pf.diameter(graph) == found.max()
    assert pf.radius(graph) == found.min()
    assert pf.center(graph).tolist() == np.flatnonzero(found == found.min()).tolist()
    assert pf.periphery(graph).tolist() == np.flatnonzero(found == found.max()).tolist()


def test_extremes_of_whole_numbers_beyond_the_precision_of_floats():
    heavy = 2**61
    graph = pf.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4], [heavy, 1, 2, heavy + 1], directed=False)
    assert pf.diameter(graph) == 2 * heavy + 4
    assert pf.radius(graph) == heavy + 3
    assert pf.center(graph).tolist() == [2, 3]
    assert pf.periphery(graph).tolist() == [0, 4]


def brute_force(graph: pf.Graph, ends: bool) -> tuple[list[Fraction], dict[tuple[int, int], Fraction]]:
    """Return the sums over all ordered pairs, by listing all paths without repeated vertices."""
    arcs: dict[int, dict[int, int]] = {v: {} for v in range(graph.n)}
    for u, v, w in zip(graph.tails().tolist(), graph.heads.tolist(), graph.weights.tolist(), strict=True):
        arcs[u][v] = min(w, arcs[u].get(v, w))

    def paths(here: int, goal: int, seen: tuple[int, ...]):
        if here == goal:
            yield seen
        else:
            for v in arcs[here]:
                if v not in seen:
                    yield from paths(v, goal, (*seen, v))

    of_vertex = [Fraction(0)] * graph.n
    of_arc: dict[tuple[int, int], Fraction] = {}
    for s, t in itertools.permutations(range(graph.n), 2):
        lengths = {path: sum(arcs[u][v] for u, v in itertools.pairwise(path)) for path in paths(s, t, (s,))}
        shortest = [path for path, length in lengths.items() if length == min(lengths.values())]
        for path in shortest:
            for v in path if ends else path[1:-1]:
                of_vertex[v] += Fraction(1, len(shortest))
            for arc in itertools.pairwise(path):
                of_arc[arc] = of_arc.get(arc, Fraction(0)) + Fraction(1, len(shortest))
    return of_vertex, of_arc


@given(data=st.data())
@examples(40)
def test_betweenness_by_listing_all_paths(data):
    n = data.draw(st.integers(2, 6))
    vertex = st.integers(0, n - 1)
    edges = data.draw(st.lists(st.tuples(vertex, vertex, st.integers(1, 3)), min_size=1, max_size=12))
    dtype = data.draw(st.sampled_from(["uint32", "int64", "float32", "float64"]))
    graph = pf.Graph.from_edges(*zip(*((u, v) for u, v, _ in edges), strict=True), [w for *_, w in edges], n=n)
    graph = graph.with_weights(graph.weights.astype(dtype))
    for ends in (False, True):
        of_vertex, of_arc = brute_force(graph, ends)
        found = pf.betweenness(graph, normalized=False, endpoints=ends)
        np.testing.assert_allclose(found, [float(x) for x in of_vertex], rtol=1e-12)
    of_arcs: dict[tuple[int, int], float] = {}
    found = pf.edge_betweenness(graph, normalized=False).tolist()
    for u, v, x in zip(graph.tails().tolist(), graph.heads.tolist(), found, strict=True):
        of_arcs[u, v] = of_arcs.get((u, v), 0) + x
    assert of_arcs == pytest.approx({arc: float(of_arc.get(arc, 0)) for arc in of_arcs}, rel=1e-12)


@pytest.mark.parametrize("weights", [None, "uint32", "float32", "float64", "int64"])
def test_results_do_not_depend_on_the_number_of_threads(weights):
    """Some sources reach most vertices and some reach few, so that threads finish out of order."""
    graph = pf.generate.rmat(10, 4, seed=1)
    draw = np.random.default_rng(1)
    graph = graph.with_weights(None if weights is None else (draw.integers(1, 9, graph.m) / 3).astype(weights) + 1)
    for measure in (pf.betweenness, pf.edge_betweenness, pf.closeness, pf.harmonic, pf.eccentricity):
        once = measure(graph, threads=1)
        for threads in (2, 3, 7):
            assert measure(graph, threads=threads).tobytes() == once.tobytes(), measure.__name__
    estimate = pf.betweenness(graph, k=100, threads=1)
    assert pf.betweenness(graph, k=100, threads=5).tobytes() == estimate.tobytes()
    few = pf.harmonic(graph, sources=range(90), threads=1)
    assert pf.harmonic(graph, sources=range(90), threads=3).tobytes() == few.tobytes()


def test_labels_are_the_names_of_vertices():
    graph = pf.generate.chain(5, weights="unit").with_labels(["e", "d", "c", "b", "a"])
    plain = graph.unlabelled()
    assert pf.center(graph).tolist() == ["c"]
    assert sorted(pf.periphery(graph).tolist()) == ["a", "e"]
    assert pf.closeness(graph, ["a", "c"]).tolist() == pf.closeness(plain, [4, 2]).tolist()
    assert pf.betweenness(graph, sources=["a"]).tolist()[:4] == pf.betweenness(plain, sources=[4]).tolist()[:4]
    with pytest.raises(pf.VertexError, match=r"vertices\[1\]: no vertex is named 4"):
        pf.closeness(graph, ["a", 4])


def diamonds(count: int) -> pf.Graph:
    """Return a row of diamonds: 2^count shortest paths lead from its start to its end."""
    start = np.arange(count) * 3
    tails = np.concatenate([start, start, start + 1, start + 2])
    heads = np.concatenate([start + 1, start + 2, start + 3, start + 3])
    return pf.Graph.from_edges(tails, heads)


@pytest.mark.skipif(np.finfo(np.longdouble).maxexp < 16384, reason="long double is no wider than double here")
def test_more_paths_than_float64_counts():
    graph = diamonds(1500)
    found = pf.betweenness(graph, sources=[0], targets=[graph.n - 1], normalized=False)
    assert found[1:-1:3].tolist() == found[2:-1:3].tolist() == [0.5] * 1500
    assert found[3:-1:3].tolist() == [1.0] * 1499
    arcs = pf.edge_betweenness(graph, sources=[0], targets=[graph.n - 1], normalized=False)
    assert arcs.tolist() == [0.5] * graph.m
    with pytest.raises(pf.PathCountError, match="vertex 0 has more shortest paths"):
        pf.betweenness(diamonds(16_400), sources=[0])


def test_distances_beyond_the_type_widen_it_or_are_an_error():
    graph = pf.Graph.from_edges([0, 1], [1, 2], np.array([2**31, 2**31], np.uint32))
    assert pf.eccentricity(graph, [0]).tolist() == [2**32]
    assert pf.betweenness(graph, normalized=False).tolist() == [0, 1, 0]
    assert pf.closeness(graph, [2], wf_improved=False).tolist() == [2 / (2**32 + 2**31)]
    graph = pf.Graph.from_edges([0, 1, 0], [1, 2, 2], [2**62, 2**62, 5])
    assert pf.betweenness(graph, normalized=False).tolist() == [0, 0, 0]  # the sum beyond the type is no distance
    graph = pf.Graph.from_edges([0, 1], [1, 2], [2**62, 2**62])
    for measure in (pf.betweenness, pf.edge_betweenness, pf.closeness, pf.eccentricity, pf.diameter):
        with pytest.raises((pf.DistanceOverflowError, pf.NoPathError)):
            measure(graph)


def test_a_weight_that_adds_nothing_is_an_arc_to_a_vertex_behind():
    """In float32 10^8 + 1 is 10^8: vertices 1, 2 and 3 are at one distance, each behind the one before."""
    weights = np.array([1e8, 1e8, 1, 1, 1, 1], np.float32)
    graph = pf.Graph.from_edges([0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2], weights, directed=True)
    assert pf.betweenness(graph, normalized=False).tolist() == [0.0, 4.0, 4.0, 0.0]


def test_zero_weights():
    graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 0], [0, 2, 3])
    for measure in (pf.betweenness, pf.edge_betweenness):
        with pytest.raises(pf.WeightError, match=r"weights\[0\] is 0, but betweenness counts shortest paths"):
            measure(graph)
    assert pf.closeness(graph, wf_improved=False).tolist() == [2 / 8, 2 / 3, 2 / 4]
    assert pf.harmonic(graph).tolist() == [1 / 3 + 1 / 5, 1 / 3, 1 / 2 + 1 / 2]
    assert pf.eccentricity(graph).tolist() == [2, 5, 3]


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda g: pf.betweenness(g, k=0), ValueError, "k is 0, but it must be at least 1"),
        (lambda g: pf.betweenness(g, k=26), ValueError, "k is 26, but the graph has 25 vertices"),
        (lambda g: pf.betweenness(g, k=2, sources=[1]), ValueError, "give one of the two"),
        (lambda g: pf.betweenness(g, sources=[]), ValueError, "sources is empty"),
        (lambda g: pf.betweenness(g, sources=3), TypeError, "sources is 3; give a list of vertices"),
        (lambda g: pf.betweenness(g, endpoints=True, targets=[1]), ValueError, "leave one of the two out"),
        (lambda g: pf.betweenness(g, normalized=1), TypeError, "normalized is 1"),
        (lambda g: pf.betweenness(g, normalised=True), TypeError, "did you mean 'normalized'"),
        (lambda g: pf.closeness(g, [25]), IndexError, r"vertices\[0\] is 25"),
        (lambda g: pf.harmonic(g, sources=[0, 99]), IndexError, r"sources\[1\] is 99"),
        (lambda g: pf.eccentricity(g, threads=0), ValueError, "threads is 0"),
        (lambda g: pf.diameter(g, progress=3), TypeError, "progress is 3"),
        (lambda g: pf.betweenness("roads.gr"), TypeError, "graph is a str"),
        (lambda g: pf.closeness(g.with_weights(-np.ones(g.m))), ValueError, r"weights\[0\] is -1.0, but closeness"),
        (lambda g: pf.diameter(pf.Graph.from_edges([], [])), ValueError, "the graph has no vertices"),
    ],
)
def test_bad_arguments(call, error, words):
    with pytest.raises(error, match=words) as caught:
        call(pf.generate.grid(5, 5, weights="unit"))
    assert isinstance(caught.value, pf.PathfrontError)


def test_graphs_of_one_vertex_and_of_none():
    one, none = pf.Graph.from_edges([0], [0], [1]), pf.Graph.from_edges([], [])
    assert pf.betweenness(one).tolist() == pf.closeness(one).tolist() == pf.harmonic(one).tolist() == [0]
    assert pf.edge_betweenness(one).tolist() == [0]
    assert (pf.diameter(one), pf.radius(one), pf.center(one).tolist()) == (0, 0, [0])
    assert pf.betweenness(none).size == pf.closeness(none).size == pf.eccentricity(none).size == 0


def test_time_limits_and_progress_reach_the_searches():
    graph = pf.generate.grid(300, 300, weights="unit")
    started = time.monotonic()
    for measure in (pf.betweenness, pf.closeness, pf.eccentricity):
        with pytest.raises(pf.TimeLimitError):
            measure(graph, time_limit=0.2, threads=2)
    assert time.monotonic() - started < 20  # they would take minutes
    seen: list[float] = []

    def stop(fraction: float) -> None:
        seen.append(fraction)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pf.betweenness(graph, threads=3, progress=stop)
    assert all(0 <= fraction <= 1 for fraction in seen)
    assert math.isfinite(pf.betweenness(graph, k=2).sum())
