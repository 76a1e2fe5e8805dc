"""The certificate: right results pass, and every way of being wrong is named."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from oracles import as_array, dijkstra

GRAPH = pf.Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 2, 3, 1], [4, 10, 3, 0, 1], n=5)
DIST = [0, 4, 7, 7, 2**63 - 1]
PARENT = [pf.NO_VERTEX, 0, 1, 2, pf.NO_VERTEX]


def changed(values, position, value):
    copy = list(values)
    copy[position] = value
    return copy


def test_a_right_answer():
    verdict = pf.verify(GRAPH, DIST, source=0, parent=PARENT)
    assert verdict
    assert verdict.ok
    assert str(verdict) == "verified: the distances are shortest"


@pytest.mark.parametrize(
    ("dist", "parent", "flaw", "message"),
    [
        (changed(DIST, 0, 1), None, "source_not_zero", "the source, vertex 0, is at distance 1, not 0"),
        (changed(DIST, 1, 5), None, "improvable", "arc 0 -> 1 of weight 4 would improve vertex 1 from 5 to 4"),
        (changed(DIST, 3, 2**63 - 1), None, "improvable", "from unreached to 7"),
        (changed(DIST, 1, 3), None, "unsupported", "no path from the source has the length 3 of vertex 1"),
        (changed(DIST, 4, 9), None, "unsupported", "vertex 4"),
        (DIST, changed(PARENT, 1, 77), "parent_not_vertex", "the parent of vertex 1 is 77, which is no vertex"),
        (DIST, changed(PARENT, 1, pf.NO_VERTEX), "parent_missing", "vertex 1 is reached at 4 but has no parent"),
        (DIST, changed(PARENT, 0, 1), "parent_needless", "vertex 0 needs no parent but has 1"),
        (DIST, changed(PARENT, 4, 1), "parent_needless", "vertex 4 needs no parent but has 1"),
        (DIST, changed(PARENT, 2, 0), "parent_not_tight", "no arc 0 -> 2 explains the distance 7 of vertex 2"),
        (DIST, changed(PARENT, 2, 3), "parent_not_tight", "no arc 3 -> 2"),
    ],
)
def test_each_flaw_is_named(dist, parent, flaw, message):
    verdict = pf.verify(GRAPH, dist, source=0, parent=parent)
    assert not verdict
    assert flaw in [violation.flaw for violation in verdict.violations]
    assert any(message in violation.message for violation in verdict.violations)
    assert message in str(verdict)


def test_a_zero_weight_cycle_in_the_air():
    """All arcs are tight and nothing can be improved, yet 2 and 3 hang from each other only."""
    graph = pf.Graph.from_edges([0, 2, 3], [1, 3, 2], [9, 0, 0])
    without = pf.verify(graph, [0, 9, 5, 5], source=0)
    assert [v.flaw for v in without.violations] == ["unsupported", "unsupported"]
    none = pf.NO_VERTEX
    withparents = pf.verify(graph, [0, 9, 5, 5], source=0, parent=[none, 0, 3, 2])
    assert [v.flaw for v in withparents.violations] == ["parent_cycle"]


def test_not_a_number():
    graph = pf.Graph.from_edges([0], [1], [1.5])
    assert pf.verify(graph, np.array([0.0, np.nan]), source=0).violations[0].flaw == "not_a_distance"
    assert not pf.verify(graph, np.array([0.0, -np.inf]), source=0)


def test_radius():
    assert pf.verify(GRAPH, [0, 4, 2**63 - 1, 2**63 - 1, 2**63 - 1], source=0, cutoff=5)
    assert not pf.verify(GRAPH, [0, 4, 2**63 - 1, 2**63 - 1, 2**63 - 1], source=0, cutoff=7)
    verdict = pf.verify(GRAPH, DIST, source=0, cutoff=5)
    assert {v.flaw for v in verdict.violations} == {"beyond_radius"}


def test_distances_of_other_types():
    assert pf.verify(GRAPH, np.array([0, 4, 7, 7, np.inf]), source=0)
    assert pf.verify(GRAPH, np.array([0, 4, 7, 7, 2**32 - 1], np.uint32), source=0)
    with pytest.raises(pf.ArgumentError, match="do not fit"):
        pf.verify(GRAPH, np.array([0, 4.5, 7, 7, np.inf]), source=0)
    with pytest.raises(pf.ArgumentError, match="do not fit"):  # minus infinity is not "no path"
        pf.verify(GRAPH, np.array([0, 4, 7, 7, -np.inf]), source=0)
    floats = GRAPH.with_weights(GRAPH.weights.astype(np.float32))
    assert pf.verify(floats, np.array([0, 4, 7, 7, 2**63 - 1]), source=0)


def test_a_result_of_another_graph():
    floats = GRAPH.with_weights(GRAPH.weights.astype(np.float64))
    assert pf.verify(GRAPH, pf.shortest_paths(floats, 0, cutoff=4.5))
    assert pf.verify(floats, pf.shortest_paths(GRAPH, 0))
    with pytest.raises(pf.ArgumentError, match="do not fit the graph's int64 weights"):
        pf.verify(GRAPH, pf.shortest_paths(GRAPH.with_weights(floats.weights / 4), 0))
    with pytest.raises(pf.ArgumentError, match="result has 5 distances, but the graph has 2 vertices"):
        pf.verify(pf.generate.chain(2), pf.shortest_paths(floats, 0))


@pytest.mark.parametrize(("dtype", "least"), [("int32", -(2**31)), ("int64", -(2**63)), ("float32", -3e38)])
def test_a_sum_below_the_type_is_an_improvement(dtype, least):
    graph = pf.Graph.from_edges([0, 1, 0], [1, 2, 2], np.array([least, least / 2, 5], dtype))
    verdict = pf.verify(graph, np.array([0, least, 5], dtype), source=0)
    assert [violation.flaw for violation in verdict.violations] == ["improvable"]


def test_the_largest_weight_behind_a_negative_distance_fits():
    graph = pf.Graph.from_edges([0, 1], [1, 2], np.array([-5, 2**63 - 1]))
    paths = pf.shortest_paths(graph, 0)
    assert paths.distance.tolist() == [0, -5, 2**63 - 6]
    assert pf.verify(graph, paths)


def test_bad_arguments():
    with pytest.raises(pf.ArgumentError, match="source is missing"):
        pf.verify(GRAPH, DIST)
    with pytest.raises(pf.ArgumentError, match="result has 3 distances, but the graph has 5 vertices"):
        pf.verify(GRAPH, [0, 1, 2], source=0)
    with pytest.raises(pf.ArgumentTypeError, match=r"parent is an array .*; give one vertex for each of 5"):
        pf.verify(GRAPH, DIST, source=0, parent=[0])
    for wrong in (2**32, -9999):  # neither may be taken for a vertex that it is not
        with pytest.raises(pf.ArgumentError, match=rf"parent\[1\] is {wrong}"):
            pf.verify(GRAPH, DIST, source=0, parent=[-1, wrong, 1, 1, -1])
    with pytest.raises(pf.ArgumentError, match="result has masked entries"):
        pf.verify(GRAPH, np.ma.array(DIST, mask=[0, 0, 0, 1, 0]), source=0)
    with pytest.raises(pf.ArgumentError, match="most is 1180591620717411303424"):
        pf.verify(GRAPH, DIST, source=0, most=2**70)
    with pytest.raises(pf.ArgumentTypeError, match="graph is a list"):
        pf.verify([], DIST, source=0)
    with pytest.raises(pf.ArgumentError, match="the result has its own"):
        pf.verify(GRAPH, pf.shortest_paths(GRAPH, 0), source=0)


def test_many_violations_are_counted_and_the_first_are_the_same_for_any_thread_count():
    graph = pf.generate.random(50_000, 200_000, seed=1)
    dist = pf.shortest_paths(graph, 0).distance.copy()
    dist[1000:40_000] += 1
    verdicts = [pf.verify(graph, dist, source=0, threads=threads, most=5) for threads in (1, 2, 7)]
    assert verdicts[0].count > 10_000
    assert len(verdicts[0].violations) == 5
    assert verdicts[0] == verdicts[1] == verdicts[2]
    assert "more" in str(verdicts[0])


@examples(200)
@given(data=st.data())
def test_any_wrong_distance_is_refuted(data):
    """The certificate accepts exactly the right distances."""
    n = data.draw(st.integers(2, 9))
    vertex = st.integers(0, n - 1)
    triples = data.draw(st.lists(st.tuples(vertex, vertex, st.integers(0, 3)), min_size=1, max_size=25))
    tails, heads, weights = ([t[i] for t in triples] for i in range(3))
    graph = pf.Graph.from_edges(tails, heads, np.array(weights, np.int32), n=n)
    right = as_array(dijkstra(graph, 0), n, np.int32)
    assert pf.verify(graph, right, source=0)
    wrong = right.copy()
    for _ in range(data.draw(st.integers(1, 3))):
        wrong[data.draw(vertex)] = data.draw(st.one_of(st.integers(-2, 12), st.just(2**31 - 1)))
    assert bool(pf.verify(graph, wrong, source=0)) == (wrong.tolist() == right.tolist())


@examples(200)
@given(data=st.data())
def test_any_wrong_parent_is_refuted(data):
    n = data.draw(st.integers(2, 9))
    vertex = st.integers(0, n - 1)
    triples = data.draw(st.lists(st.tuples(vertex, vertex, st.integers(0, 2)), min_size=1, max_size=25))
    tails, heads, weights = ([t[i] for t in triples] for i in range(3))
    graph = pf.Graph.from_edges(tails, heads, np.array(weights, np.int32), n=n)
    paths = pf.shortest_paths(graph, 0)
    parent = paths.parent.copy()
    parent[data.draw(vertex)] = data.draw(st.one_of(vertex, st.just(pf.NO_VERTEX), st.just(n + 3)))
    assert bool(pf.verify(graph, paths.distance, source=0, parent=parent)) == is_tree(graph, paths, parent)


def is_tree(graph, paths, parent) -> bool:
    lightest = {}
    for u, v, w in zip(graph.tails().tolist(), graph.heads.tolist(), graph.weights.tolist(), strict=True):
        lightest[u, v] = min(w, lightest.get((u, v), w))
    distance = paths.distance.tolist()  # whole numbers without end: unreached + 1 must not wrap
    for v in range(graph.n):
        if v == 0 or not paths.reached[v]:
            if parent[v] != pf.NO_VERTEX:
                return False
            continue
        steps, at = 0, v
        while at != 0:
            p = int(parent[at])
            if (p, at) not in lightest or distance[p] + lightest[p, at] != distance[at] or steps > graph.n:
                return False
            at, steps = p, steps + 1
    return True
