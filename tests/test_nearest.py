"""The nearest sources of each vertex, one or k of them, against one search in plain Python from each source."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import scipy.sparse.csgraph
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from oracles import arcs_of, as_array, dijkstra
from zoo import WEIGHT_TYPES, ZOO

GRAPH = pf.generate.random(200, 900, seed=3)
NONE = pf.NO_VERTEX


def turned(graph: pf.Graph) -> pf.Graph:
    """The reverse graph, made in numpy."""
    arcs = graph.to_edges()
    return pf.Graph.from_edges(arcs.heads, arcs.tails, arcs.weights, n=graph.n, directed=graph.directed)


def rows_of(graph: pf.Graph, sources: list[int], direction: str = "from") -> np.ndarray:
    """The distances from (or to) each source, a row for each, infinite where there is none."""
    searched = graph if direction == "from" else turned(graph)
    dtype = graph.distance_dtype
    rows = np.stack([as_array(dijkstra(searched, source), graph.n, dtype) for source in sources])
    return np.where(rows == unreached(dtype), np.inf, rows.astype(object))


def unreached(dtype: Any) -> float:
    return np.inf if np.dtype(dtype).kind == "f" else int(np.iinfo(dtype).max)


def check(graph, sources, found, *, k=1, direction="from", cutoff=None):
    """Compare with the k least of all distances; by the place among the sources where several are equal."""
    starts = list(dict.fromkeys(sources))
    rows = rows_of(graph, starts, direction)
    if cutoff is not None:
        rows[rows > cutoff] = np.inf
    order = np.argsort(rows, axis=0, kind="stable")[:k]  # stable: the first of equal ones
    dist = np.take_along_axis(rows, order, 0)
    distance, source = found.distance.reshape(graph.n, k).T, found.source.reshape(graph.n, k).T
    assert found.distance.shape == (graph.n,) if k == 1 else (graph.n, k)
    for j in range(k):
        expected = dist[j] if j < len(dist) else np.full(graph.n, np.inf)
        got = np.where(distance[j] == unreached(distance.dtype), np.inf, distance[j].astype(object))
        assert got.tolist() == expected.tolist()
        none = np.array([d == np.inf for d in expected])
        assert np.array_equal(source[j] == NONE, none)
        if distance.dtype.kind != "f" and j < len(dist):
            assert np.array_equal(source[j][~none], np.array(starts)[order[j]][~none])
        for v in np.flatnonzero(~none):
            assert rows[starts.index(int(source[j][v])), v] == expected[v]
    listed = source.T.tolist()
    assert all(len({s for s in row if s != NONE}) == sum(s != NONE for s in row) for row in listed)
    if found.parent is not None:
        check_paths(graph if direction == "from" else turned(graph), found, k, direction)


def check_paths(graph, found, k, direction):
    for v in range(graph.n):
        for rank in range(k):
            source = int(found.source.reshape(graph.n, k)[v, rank])
            if source == NONE:
                with pytest.raises(pf.NoPathError, match=f"vertex {v} has no source of rank {rank}"):
                    found.path(v, rank)
                continue
            path = found.path(v, rank).tolist()
            path = path if direction == "from" else path[::-1]
            assert (path[0], path[-1]) == (source, v)
            total = found.distance.dtype.type(0)
            for tail, head in itertools.pairwise(path):
                total += min(w for u, w in arcs_of(graph, tail) if u == head)
            assert total == found.distance.reshape(graph.n, k)[v, rank]


@pytest.mark.pairwise("animal", "dtype", "k", "direction")
@pytest.mark.parametrize("direction", ["from", "to"])
@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
@pytest.mark.parametrize("animal", ZOO)
def test_zoo(animal, dtype, k, direction):
    graph = ZOO[animal](dtype)
    sources = [graph.n - 1, 0, graph.n // 2, 0]
    for threads in (1, 3):
        found = pf.nearest(graph, sources, k=k, direction=direction, parents=True, threads=threads)
        check(graph, sources, found, k=k, direction=direction)


@st.composite
def cases(draw):
    n = draw(st.integers(1, 25))
    vertex = st.integers(0, n - 1)
    dtype = draw(st.sampled_from(["uint32", "int64", "float32", "float64"]))
    weight = st.integers(0, 4) if dtype[0] != "f" else st.sampled_from([0.0, 0.1, 0.25, 1.0, 3e7])
    triples = draw(st.lists(st.tuples(vertex, vertex, weight), max_size=90))
    tails, heads, values = ([t[i] for t in triples] for i in range(3))
    graph = pf.Graph.from_edges(tails, heads, np.array(values, dtype), n=n, directed=draw(st.booleans()))
    return graph, draw(st.lists(vertex, min_size=1, max_size=8))


@examples(200)
@given(
    case=cases(),
    k=st.integers(1, 6),
    direction=st.sampled_from(["from", "to"]),
    cutoff=st.one_of(st.none(), st.integers(0, 6)),
    threads=st.sampled_from([1, 2, 4]),
)
def test_random_graphs(case, k, direction, cutoff, threads):
    graph, sources = case
    found = pf.nearest(graph, sources, k=k, direction=direction, cutoff=cutoff, parents=True, threads=threads)
    check(graph, sources, found, k=k, direction=direction, cutoff=cutoff)


@pytest.mark.parametrize("weights", ["unit", "int:1:3", "int:1:100"])
@pytest.mark.parametrize("k", [1, 4])
def test_the_threads_do_not_decide(weights, k):
    """Large enough for the engines that share a search; many sources are equally close."""
    graph = pf.generate.grid(120, 130, weights=weights, seed=5)
    sources = np.random.default_rng(1).permutation(graph.n)[:90].tolist()
    found = [pf.nearest(graph, sources, k=k, threads=threads, parents=True) for threads in (1, 2, 5)]
    rows = scipy.sparse.csgraph.dijkstra(graph.to_scipy(), indices=sources)
    order = np.argsort(rows, axis=0, kind="stable")[:k].T
    for each in found:
        assert np.array_equal(each.source.reshape(-1, k), np.array(sources)[order])
        assert np.array_equal(each.distance.reshape(-1, k), np.take_along_axis(rows, order.T, 0).T)
        for v in range(0, graph.n, 997):
            assert each.path(v)[0] == each.source.reshape(-1, k)[v, 0]


@pytest.mark.parametrize("sources", [[7], [5, 0, 199, 5], list(range(0, 200, 10))], ids=len)
def test_against_one_search_each(sources):
    check(GRAPH, sources, pf.nearest(GRAPH, sources))


def test_cutoff_and_zero_weights():
    graph = pf.Graph.from_edges([0, 1, 2, 3], [1, 2, 1, 4], [3, 0, 0, 9], n=5)
    assert pf.nearest(graph, [0, 3]).source.tolist() == [0, 0, 0, 3, 3]
    near = pf.nearest(graph, [0, 3], cutoff=3)
    assert near.source.tolist() == [0, 0, 0, 3, NONE]
    assert near.distance[:4].tolist() == [0, 3, 3, 0]
    both = pf.nearest(graph, [0, 3], cutoff=3, k=2)
    assert both.source.tolist() == [[0, NONE], [0, NONE], [0, NONE], [3, NONE], [NONE, NONE]]


def test_unpacking():
    distance, source = pf.nearest(GRAPH, [3])
    assert (distance[3], source[3]) == (0, 3)


def test_negative_weights():
    graph = pf.Graph.from_edges([0, 1, 3], [1, 2, 2], [5, -4, 2], n=4)
    found = pf.nearest(graph, [0, 3])
    assert (found.distance.tolist(), found.source.tolist()) == ([0, 5, 1, 0], [0, 0, 0, 3])
    closer = pf.nearest(pf.Graph.from_edges([0, 1], [1, 2], [-2, 1]), [0, 1])
    assert (closer.distance.tolist(), closer.source.tolist()) == ([0, -2, -1], [0, 0, 0])
    tie = pf.Graph.from_edges([0, 1, 3, 3], [1, 2, 2, 0], [5, -4, 1, 9], n=4)
    assert [pf.nearest(tie, s).source.tolist() for s in ([0, 3], [3, 0])] == [[0, 0, 0, 3], [0, 0, 3, 3]]
    assert pf.nearest(tie.with_weights([5.0, -4.0, 1.0, 9.0]), [0, 3]).distance.tolist() == [0, 5, 1, 0]
    with pytest.raises(pf.WeightError, match=r"weights\[1\] is -4, but k=2 needs weights >= 0; use pf.distance_matrix"):
        pf.nearest(graph, [0, 3], k=2)
    with pytest.raises(pf.WeightError, match=r"weights\[1\] is -4, but cutoff needs"):
        pf.nearest(graph, [0, 3], cutoff=2)


def test_a_negative_cycle_is_named_in_the_direction_of_its_arcs():
    graph = pf.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 1], [1, 1, -3, 1], labels=["o", "a", "b", "c"])
    for direction, start in (("from", "o"), ("to", "c")):
        with pytest.raises(pf.NegativeCycleError) as caught:
            pf.nearest(graph, [start], direction=direction)
        assert "".join(caught.value.cycle) in ("abc", "bca", "cab")


@pytest.mark.parametrize("k", [1, 2])
def test_widening(k):
    graph = pf.Graph.from_edges([0, 1], [1, 2], np.array([2**31, 2**31], np.uint32))
    first = pf.nearest(graph, [0], k=k).distance.reshape(3, k)[:, 0]
    assert first.tolist() == [0, 2**31, 2**32]
    with pytest.raises(pf.DistanceOverflowError, match="a distance from the sources does not fit int64"):
        pf.nearest(pf.Graph.from_edges([0, 1], [1, 2], [2**62, 2**62]), [0], k=k)


def test_a_sum_out_of_range_that_is_no_label_widens_nothing():
    heavy = 2**32 - 3
    graph = pf.Graph.from_edges([0, 1, 3, 2], [2, 2, 2, 4], np.array([1, 2, heavy, heavy], np.uint32))
    found = pf.nearest(graph, [0, 1, 3], k=2)
    assert found.distance.dtype == np.uint64  # 2 -> 4 at distance 2 + heavy is a label
    near = pf.nearest(graph, [0, 1, 3], k=2, cutoff=100)
    assert near.distance.dtype == np.uint32
    line = pf.Graph.from_edges([0, 1, 3], [2, 2, 2], np.array([1, 2, heavy], np.uint32))
    loop = pf.Graph.from_edges([0, 1, 2], [2, 2, 2], np.array([1, 2, 2**32 - 1], np.uint32))
    assert pf.nearest(line, [0, 1, 3], k=3).distance[2].tolist() == [1, 2, heavy]
    assert pf.nearest(loop, [0, 1], k=2).distance.dtype == np.uint32
    assert pf.nearest(loop, [0, 1], k=3).distance.dtype == np.uint32  # the loop's label would have a known source


def test_names():
    graph = pf.Graph.from_edges([0, 1], [1, 2], [4, 3], n=4, labels=["Rome", "Ostia", "Anzio", "Elba"])
    found = pf.nearest(graph, ["Anzio", "Rome"], k=2, direction="to", parents=True)
    assert found.source.tolist() == [["Rome", "Anzio"], ["Anzio", None], ["Anzio", None], [None, None]]
    assert found.path("Rome", rank=1).tolist() == ["Rome", "Ostia", "Anzio"]
    with pytest.raises(pf.NoPathError, match="vertex 'Elba' has no source of rank 0 as near as the search went"):
        found.path("Elba")


@pytest.mark.parametrize(
    ("sources", "options", "error", "message"),
    [
        ([], {}, pf.ArgumentError, "sources is empty"),
        ([200], {}, pf.VertexError, r"sources\[0\] is 200"),
        (5, {}, pf.ArgumentTypeError, "sources is 5; give a list of vertices"),
        ([0], {"k": 0}, pf.ArgumentError, "k is 0, but it must be at least 1"),
        ([0], {"k": 2.0}, pf.ArgumentTypeError, r"k is 2\.0, a float; give a whole number"),
        ([0], {"k": 2**60}, pf.ArgumentError, "k is 1152921504606846976, but it must be at most"),
        (
            [0],
            {"direction": "frm"},
            pf.ArgumentError,
            "direction is 'frm' .did you mean 'from'..; choose",
        ),
        ([0], {"direction": ["to"]}, pf.ArgumentError, r"direction is \['to'\]"),
        ([0], {"parents": 1}, pf.ArgumentTypeError, "parents is 1, an int; give True or False"),
        ([0], {"threads": 0}, pf.ArgumentError, "threads is 0"),
        ([0], {"cutoff": -1}, pf.ArgumentError, "cutoff is -1"),
        ([0], {"predecessors": True}, pf.ArgumentTypeError, "predecessors is not .*did you mean 'parents'"),
    ],
)
def test_bad_arguments(sources, options, error, message):
    with pytest.raises(error, match=message):
        pf.nearest(GRAPH, sources, **options)


def test_a_path_needs_parents_and_a_rank():
    with pytest.raises(pf.ArgumentError, match=r"kept no parents; run nearest\(..., parents=True\)"):
        pf.nearest(GRAPH, [0]).path(1)
    with pytest.raises(pf.ArgumentError, match="rank is 2, but it must be at most 1"):
        pf.nearest(GRAPH, [0, 1], k=2, parents=True).path(1, rank=2)
