"""Vertices from which delta-stepping need not go on: they are never queued, and must miss nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from oracles import as_array, certify, dijkstra
from pathfront.methods import delta_stepping
from test_methods import bits
from zoo import WEIGHT_TYPES


def marked(graph: pf.Graph) -> list[int]:
    words = delta_stepping.dead_ends(graph)
    return [] if words is None else [v for v in range(graph.n) if int(words[v // 64]) >> v % 64 & 1]


def is_dead_end(graph: pf.Graph, v: int) -> bool:
    """No arc leads on: none at all, or one, to the only vertex from which one can have come, or to itself."""
    heads = graph.heads[graph.offsets[v] : graph.offsets[v + 1]].tolist()
    came_from = set(graph.tails()[graph.heads == v].tolist()) - {v}
    return not heads or (len(heads) == 1 and (heads[0] == v or came_from <= set(heads)))


@st.composite
def bushy(draw: st.DrawFn) -> pf.Graph:
    """Some vertices with edges at random, and many that hang on one of them."""
    core, leaves = draw(st.integers(1, 12)), draw(st.integers(1, 90))
    n = core + leaves
    edge = st.tuples(st.integers(0, core - 1), st.integers(0, core - 1))
    edges = draw(st.lists(edge, max_size=20))
    for leaf in range(core, n):  # they can be left, or reached, or both
        stem, kind = draw(st.integers(0, core - 1)), draw(st.integers(0, 2))
        edges += [(leaf, stem)] * (kind != 0) + [(stem, leaf)] * (kind != 1)
    weights = draw(st.lists(st.integers(0, 9), min_size=len(edges), max_size=len(edges)))
    tails, heads = np.array(edges).T
    return pf.Graph.from_edges(tails, heads, np.array(weights, np.uint32), n=n, directed=draw(st.booleans()))


@examples(200)
@given(graph=bushy(), source=st.integers(0, 200), threads=st.sampled_from([1, 2, 3]), parents=st.booleans())
def test_bushy_graphs(graph, source, threads, parents):
    source %= graph.n
    paths = pf.shortest_paths(graph, source, method="delta_stepping", threads=threads, parents=parents)
    assert bits(paths.distance) == bits(as_array(dijkstra(graph, source), graph.n, np.uint32))
    if parents:
        certify(paths)
    if marked(graph):
        assert marked(graph) == [v for v in range(graph.n) if is_dead_end(graph, v)]


@pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
@pytest.mark.parametrize("threads", [1, 2, 7])
def test_a_road_with_houses(monkeypatch, dtype, threads):
    n = 400  # a long road, and a house on each of its corners
    road, house = np.arange(n - 1), np.arange(n)
    weights = None if dtype is None else (np.arange(2 * n - 1) % 7).astype(dtype)
    tails, heads = np.r_[road, house], np.r_[road + 1, n + house]
    graph = pf.Graph.from_edges(tails, heads, weights, n=2 * n, directed=False)
    assert len(marked(graph)) == n

    def small_blocks(problem):
        return 3 if problem.threads > 1 and not problem.trace and problem.targets is None else 0

    monkeypatch.setattr(delta_stepping, "block_bits", small_blocks)
    for source in (0, n // 2, n + 5):  # a house, too, is left when one begins there
        expected = as_array(dijkstra(graph, source), graph.n, dtype or "uint32")
        for options in ({}, {"parents": False}, {"targets": [n + 1, 2 * n - 1]}, {"cutoff": 50}, {"trace": True}):
            paths = pf.shortest_paths(graph, source, method="delta_stepping", threads=threads, **options)
            full = "cutoff" not in options and "targets" not in options
            if full:
                assert bits(paths.distance) == bits(expected)
            if options.get("parents", True):
                certify(paths)
            if "targets" in options:
                assert [paths.distance_to(v) for v in options["targets"]] == [expected[n + 1], expected[2 * n - 1]]


def test_the_way_back_counts_in_a_directed_graph():
    # 1 has one arc, but not to where one comes from
    tails, heads = np.r_[0, 1, np.zeros(30, int)], np.r_[1, 2, np.arange(3, 33)]
    graph = pf.Graph.from_edges(tails, heads, np.ones(32, np.uint32))
    assert marked(graph) == list(range(2, 33))
    both_ways = pf.Graph.from_edges(np.r_[tails, 2], np.r_[heads, 1], np.ones(33, np.uint32))
    assert marked(both_ways) == list(range(2, 33))
    paths = pf.shortest_paths(graph, 0, method="delta_stepping")
    assert list(paths.path_to(2)) == [0, 1, 2]


def test_few_are_not_looked_for():
    grid = pf.generate.grid(20, 20)
    assert delta_stepping.dead_ends(grid) is None
    star = pf.Graph.from_edges(np.zeros(99, int), np.arange(1, 100), np.ones(99), directed=False)
    assert delta_stepping.dead_ends(star) is delta_stepping.dead_ends(star)  # made once
    assert marked(star) == list(range(1, 100))
