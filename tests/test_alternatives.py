"""The k shortest and all shortest paths, compared with every simple path, listed in plain Python, and with networkx."""

from __future__ import annotations

import itertools
from fractions import Fraction

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
import pathfront.alternatives
import pathfront.pairs
from examples import examples
from oracles import arcs_of
from zoo import WEIGHT_TYPES


def simple_paths(graph: pf.Graph, source: int, target: int) -> dict[tuple[int, ...], float]:
    """Every path without repeated vertices, and its length added up from the source."""
    found = {}

    def walk(path: tuple[int, ...], total: float) -> None:
        if path[-1] == target:
            found[path] = total
            return
        lightest: dict[int, float] = {}
        for head, weight in arcs_of(graph, path[-1]):
            lightest[head] = min(weight, lightest.get(head, weight))
        for head, weight in lightest.items():
            if head not in path:
                walk((*path, head), total + weight)

    walk((source,), 0)
    return found


random_graphs = st.builds(
    lambda arcs, dtype, unit, directed: pf.Graph.from_edges(
        [tail for tail, _, _ in arcs],
        [head for _, head, _ in arcs],
        (np.array([weight for *_, weight in arcs]) * (unit if dtype.startswith("float") else 1)).astype(dtype),
        n=7,
        directed=directed,
    ),
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=22),
    st.sampled_from(WEIGHT_TYPES[:6]),
    st.sampled_from([1, 0.1]),
    st.booleans(),
)


@given(graph=random_graphs)
@examples(150)
def test_k_shortest_are_all_simple_paths_in_order(graph):
    everything = simple_paths(graph, 0, 6)
    if not everything:
        with pytest.raises(pf.NoPathError, match="vertex 6 cannot be reached from vertex 0"):
            pf.k_shortest_paths(graph, 0, 6)
        return
    found = list(pf.k_shortest_paths(graph, 0, 6))
    assert [path.distance for path in found] == sorted(everything.values())
    assert {tuple(path): path.distance for path in found} == everything
    assert len(found) == len(everything)
    few = list(pf.k_shortest_paths(graph, 0, 6, 3, threads=3))
    assert few == found[:3]


@given(graph=random_graphs)
@examples(150)
def test_all_shortest_are_the_simple_paths_of_least_length(graph):
    everything = simple_paths(graph, 0, 6)
    if not everything:
        with pytest.raises(pf.NoPathError, match="vertex 6 cannot be reached from vertex 0"):
            pf.all_shortest_paths(graph, 0, 6)
        return
    least = min(everything.values())
    found = [tuple(path) for path in pf.all_shortest_paths(graph, 0, 6)]
    assert len(set(found)) == len(found)
    assert set(found) == {path for path, total in everything.items() if total == least}


@given(weights=st.lists(st.integers(-3, 9), min_size=12, max_size=12), unit=st.sampled_from([1.0, 0.1]))
@examples(100)
def test_all_shortest_with_negative_weights(weights, unit):
    tails, heads = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3], [1, 2, 3, 2, 3, 4, 1, 3, 4, 1, 2, 4]
    values = np.array(weights) * unit
    graph = pf.Graph.from_edges(tails, heads, values)
    try:
        found = {tuple(path) for path in pf.all_shortest_paths(graph, 0, 4)}
    except pf.NegativeCycleError:
        return
    exact = {
        path: sum(
            min(Fraction(float(weight)) for head, weight in arcs_of(graph, u) if head == v)
            for u, v in itertools.pairwise(path)
        )
        for path in simple_paths(graph, 0, 4)
    }
    assert found == {path for path, total in exact.items() if total == min(exact.values())}


def test_a_clique_of_length_zero_has_no_dead_ends():
    """Of its simple walks nearly all lead nowhere: the only way in is the last vertex."""
    n = 40
    pairs = list(itertools.permutations(range(1, n), 2))
    graph = pf.Graph.from_edges(
        [0, *(u for u, _ in pairs), 1], [n - 1, *(v for _, v in pairs), n], [1, *([0] * len(pairs)), 1]
    )
    paths = list(itertools.islice(pf.all_shortest_paths(graph, 0, n), 200))
    assert len({tuple(path) for path in paths}) == 200
    for path in paths:
        vertices = list(path)
        assert (vertices[:2], vertices[-2:]) == ([0, n - 1], [1, n])
        assert len(set(vertices)) == len(vertices)


def test_on_a_road_network_as_networkx():
    graph = pf.generate.road_like(400, seed=5)
    peer = graph.to_networkx()
    expected = list(itertools.islice(networkx.shortest_simple_paths(peer, 0, 399, weight="weight"), 25))
    found = list(pf.k_shortest_paths(graph, 0, 399, 25))
    totals = [networkx.path_weight(peer, path, "weight") for path in expected]
    assert [path.distance for path in found] == totals
    assert len({tuple(path) for path in found}) == 25
    for path in found:
        assert networkx.path_weight(peer, list(path), "weight") == path.distance


def test_very_many_paths_are_lazy():
    grid = pf.generate.grid(200, 200, weights="unit")
    assert len(list(itertools.islice(pf.all_shortest_paths(grid, 0, 39_999), 10))) == 10
    assert [path.distance for path in itertools.islice(pf.k_shortest_paths(grid, 0, 201), 3)] == [2, 2, 4]


def test_names_parallel_arcs_and_the_same_vertex_twice():
    graph = pf.Graph.from_edges([0, 0, 1, 0], [1, 1, 2, 2], [4, 4, 3, 8], labels=["Rome", "Ostia", "Anzio"])
    assert [list(path) for path in pf.k_shortest_paths(graph, "Rome", "Anzio")] == [
        ["Rome", "Ostia", "Anzio"],
        ["Rome", "Anzio"],
    ]
    assert [list(path) for path in pf.all_shortest_paths(graph, "Rome", "Anzio")] == [["Rome", "Ostia", "Anzio"]]
    for function in (pf.k_shortest_paths, pf.all_shortest_paths):
        assert [(list(path), path.distance) for path in function(graph, "Rome", "Rome")] == [(["Rome"], 0)]


def test_longer_paths_than_the_weights_can_hold():
    most = 2**32 - 2
    graph = pf.Graph.from_edges([0, 0, 1], [2, 1, 2], np.array([5, most, most], np.uint32))
    assert [path.distance for path in pf.k_shortest_paths(graph, 0, 2)] == [5, 2 * most]
    large = pf.Graph.from_edges([0, 0, 1], [2, 1, 2], [5, 2**62, 2**62])
    paths = pf.k_shortest_paths(large, 0, 2)
    assert next(paths).distance == 5
    with pytest.raises(pf.DistanceOverflowError, match="a distance from vertex 0 does not fit int64"):
        next(paths)


def test_every_search_has_the_given_threads(monkeypatch):
    given = []

    def recorded(*arguments, threads=None, **named):
        given.append(threads)
        return pf.shortest_paths(*arguments, threads=threads, **named)

    monkeypatch.setattr(pathfront.alternatives, "shortest_paths", recorded)
    monkeypatch.setattr(pathfront.pairs, "shortest_paths", recorded)
    graph = pf.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 9, 3])
    assert [path.distance for path in pf.k_shortest_paths(graph, 0, 2, threads=3)] == [7, 9]
    assert [path.distance for path in pf.all_shortest_paths(graph, 0, 2, threads=3)] == [7]
    negative = graph.with_weights([4, 9, -3])
    assert pf.paths_between(negative, 0, [1, 2], threads=3).distances.tolist() == [4, 1]
    assert set(given) == {3}


def test_what_is_refused():
    graph = pf.Graph.from_edges([0, 1], [1, 2], [4, -3])
    with pytest.raises(pf.WeightError, match=r"k_shortest_paths needs weights >= 0; use shortest_path"):
        pf.k_shortest_paths(graph, 0, 2)
    for k, error in ((0, pf.ArgumentError), (1.5, pf.ArgumentTypeError)):
        with pytest.raises(error, match="k is"):
            pf.k_shortest_paths(pf.generate.grid(2, 2), 0, 1, k)


@pytest.mark.parametrize("dtype", ["int64", "uint64", "float64"])
def test_only_paths_that_are_asked_for_must_fit(dtype):
    largest = np.finfo(dtype).max if dtype == "float64" else np.iinfo(dtype).max - 1
    arcs = [(0, 1, 1), (0, 2, 2), (2, 1, 2), (1, 3, largest), (3, 0, largest), (0, 4, largest), (4, 1, largest)]
    tails, heads, weights = zip(*arcs, strict=True)
    graph = pf.Graph.from_edges(tails, heads, np.array(weights, dtype), n=6)
    paths = pf.k_shortest_paths(graph, 0, 1)
    assert [(path.distance, list(path)) for path in itertools.islice(paths, 2)] == [(1, [0, 1]), (4, [0, 2, 1])]
    with pytest.raises(pf.DistanceOverflowError, match=f"a distance from vertex 0 does not fit {dtype}"):
        next(paths)
    assert [list(path) for path in pf.k_shortest_paths(graph, 1, 3)] == [[1, 3]], "no path leads by a vertex twice"
    for call in (pf.k_shortest_paths, pf.all_shortest_paths):
        with pytest.raises(pf.NoPathError):
            call(graph, 1, 5)
        with pytest.raises(pf.DistanceOverflowError):
            call(graph, 1, 0)
