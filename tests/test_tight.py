"""Tight arcs, compared with sums in plain Python over every arc of named and random graphs."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from oracles import arcs_of, dijkstra, exact_bellman_ford
from pathfront.tight import tight_arcs
from zoo import WEIGHT_TYPES, ZOO


def expected(graph: pf.Graph, dist: dict, *, exactly: bool = False) -> list[list[tuple[int, int]]]:
    """The tail and the position of each tight arc, by head."""
    rows: list[list[tuple[int, int]]] = [[] for _ in range(graph.n)]
    for u in range(graph.n):
        for position, (v, weight) in enumerate(arcs_of(graph, u), int(graph.offsets[u])):
            if u in dist and v in dist and dist[u] + (Fraction(float(weight)) if exactly else weight) == dist[v]:
                rows[v].append((u, position))
    return rows


def listed(found) -> list[list[tuple[int, int]]]:
    offsets, tails, arcs = (column.tolist() for column in found)
    pairs = list(zip(tails, arcs, strict=True))
    return [pairs[low:high] for low, high in itertools.pairwise(offsets)]


def first_of_parallel(rows):
    return [[pair for i, pair in enumerate(row) if i == 0 or row[i - 1][0] != pair[0]] for row in rows]


@pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
@pytest.mark.parametrize("name", ZOO)
def test_every_tight_arc_is_listed_by_head(name, dtype):
    graph = ZOO[name](dtype)
    paths = pf.shortest_paths(graph, 0)
    rows = expected(graph, dijkstra(graph, 0))
    assert listed(tight_arcs(paths)) == rows
    assert listed(tight_arcs(paths, unique=True)) == first_of_parallel(rows)


@given(
    arcs=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(-2, 9)), min_size=1, max_size=40),
    unit=st.sampled_from([1.0, 0.1, 1e300]),
    directed=st.booleans(),
)
@examples(100)
def test_negative_and_rounded_weights(arcs, unit, directed):
    """Weights like -0.2 are tight where exact sums agree, not where rounded ones do; huge ones need many bits."""
    tails, heads, weights = zip(*arcs, strict=True)
    values = np.array(weights) * unit + (1e-300 if unit > 1 else 0)
    graph = pf.Graph.from_edges(tails, heads, values, n=10, directed=directed)
    exactly = (values < 0).any()
    dist = exact_bellman_ford(graph, 0) if exactly else dijkstra(graph, 0)
    if dist is None or (exactly and max(abs(length) for length in dist.values()) > Fraction(np.finfo(float).max)):
        return
    rows = expected(graph, dist, exactly=exactly)
    assert listed(tight_arcs(pf.shortest_paths(graph, 0), unique=True)) == first_of_parallel(rows)
    assert listed(tight_arcs(pf.shortest_paths(graph, 0, parents=False))) == rows


def test_threads_do_not_matter():
    graph = pf.generate.random(20_000, 200_000, weights="int:0:3", seed=3)
    paths = pf.shortest_paths(graph, 0)
    one, several = tight_arcs(paths, threads=1), tight_arcs(paths, threads=5)
    for a, b in zip(one, several, strict=True):
        assert np.array_equal(a, b)
    assert one.arcs.size > 2 * graph.n  # many rows were filled by several threads


def test_a_cutoff_leaves_the_rest_out():
    graph = pf.generate.grid(9, 9, weights="unit")
    found = tight_arcs(pf.shortest_paths(graph, 0, cutoff=3))
    assert sorted(found.into(2 * 9 + 1).tolist()) == [10, 18]
    assert found.into(80).size == 0


def test_wide_distances():
    graph = pf.Graph.from_edges([0, 1, 0], [1, 2, 2], np.array([2**32 - 2, 5, 2**32 - 2], np.uint32))
    wide = graph.with_weights(np.array([2**32 - 2, 2**32 - 1, 5], np.uint32))  # 0->1, 0->2, 1->2
    assert tight_arcs(pf.shortest_paths(graph, 0)).into(2).tolist() == [0]
    paths = pf.shortest_paths(wide, 0)
    assert paths.distance.dtype == np.uint64
    assert tight_arcs(paths).into(1).tolist() == [0]
    assert tight_arcs(paths).into(2).tolist() == [0]


def test_other_things_are_refused():
    with pytest.raises(pf.ArgumentTypeError, match=r"give the result of shortest_paths"):
        tight_arcs([0, 1])
