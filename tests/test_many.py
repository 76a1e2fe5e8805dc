"""Many sources: matrices in every form, and results one after the other."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse

import pathfront as pf
from pathfront import many
from zoo import GPUS

GRAPH = pf.generate.random(200, 900, seed=3)
SOURCES = [5, 0, 199, 5]  # a source may come twice


def expected(graph: pf.Graph, sources: list[int]) -> np.ndarray:
    return np.stack([pf.shortest_paths(graph, source, method="dijkstra").distance for source in sources])


@pytest.mark.parametrize("threads", [1, 2, 7])
@pytest.mark.parametrize("dtype", ["uint32", "int32", "uint64", "int64", "float32", "float64", None], ids=str)
def test_rows_are_the_distances(dtype, threads):
    graph = GRAPH.with_weights(None if dtype is None else GRAPH.weights.astype(dtype))
    found = pf.distance_matrix(graph, SOURCES, threads=threads)
    assert found.dtype == np.dtype(dtype or "uint32")
    assert np.array_equal(found, expected(graph, SOURCES))


def test_large_enough_for_the_other_engine():
    graph = pf.generate.random(2000, 20_000, seed=1)
    assert np.array_equal(pf.distance_matrix(graph, range(20)), expected(graph, list(range(20))))


def test_targets():
    targets = [7, 7, 150, 3]
    assert np.array_equal(pf.distance_matrix(GRAPH, SOURCES, targets), expected(GRAPH, SOURCES)[:, targets])


def test_negative_weights():
    graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 3], [4, -3, 1])
    assert pf.distance_matrix(graph, [0, 1], [3, 2]).tolist() == [[2, 1], [-2, -3]]
    with pytest.raises(pf.WeightError, match="cutoff needs weights >= 0"):
        pf.distance_matrix(graph, [0], cutoff=3)
    with pytest.raises(pf.NegativeCycleError, match="1 -> 2 -> 1"):
        pf.distance_matrix(pf.Graph.from_edges([0, 1, 2], [1, 2, 1], [1, -3, 2]), [0])


def test_no_sources_and_no_way():
    assert pf.distance_matrix(GRAPH, []).shape == (0, 200)
    lonely = pf.Graph.from_edges([0], [1], [1.5], n=3)
    assert pf.distance_matrix(lonely, [0, 2]).tolist() == [[0, 1.5, np.inf], [np.inf, np.inf, 0]]


@pytest.mark.parametrize("wanted", ["uint32", "uint64", "float64"])
def test_types_on_request(wanted):
    graph = pf.Graph.from_edges([0], [1], np.array([7], np.uint32), n=3)
    none = np.inf if wanted == "float64" else np.iinfo(wanted).max
    found = pf.distance_matrix(graph, [0], dtype=wanted)
    assert found.dtype == wanted
    assert found.tolist() == [[0, 7, none]]


def test_widening():
    graph = pf.Graph.from_edges([0, 1], [1, 2], np.array([2**31, 2**31], np.uint32))
    assert pf.distance_matrix(graph, [1, 0]).tolist() == [[2**64 - 1, 0, 2**31], [0, 2**31, 2**32]]
    assert pf.distance_matrix(graph, [0], dtype=float).tolist() == [[0, 2.0**31, 2.0**32]]
    with pytest.raises(pf.DistanceOverflowError, match="from vertex 0 does not fit uint32; pass dtype='uint64'"):
        pf.distance_matrix(graph, [0], dtype="uint32")


def test_into_a_given_array(tmp_path):
    whole = np.memmap(tmp_path / "d.bin", dtype=np.uint32, mode="w+", shape=(4, 200))
    assert pf.distance_matrix(GRAPH, SOURCES, out=whole) is whole
    assert np.array_equal(whole, expected(GRAPH, SOURCES))
    sideways = np.empty((3, 4), np.float64).T
    pf.distance_matrix(GRAPH, SOURCES, [1, 2, 3], out=sideways)
    assert np.array_equal(sideways, expected(GRAPH, SOURCES)[:, [1, 2, 3]])


def test_cutoff_gives_a_sparse_matrix():
    full = expected(GRAPH, SOURCES).astype(float)
    found = pf.distance_matrix(GRAPH, SOURCES, cutoff=40)
    assert isinstance(found, scipy.sparse.csr_array)
    near = full <= 40
    assert found.nnz == near.sum()  # the zeros of the sources are stored
    assert np.array_equal(found.toarray()[near], full[near])
    dense = np.empty((4, 200), np.uint32)
    pf.distance_matrix(GRAPH, SOURCES, cutoff=40, out=dense)
    assert np.array_equal(dense != 2**32 - 1, near)
    assert pf.distance_matrix(GRAPH, SOURCES, [3, 4], cutoff=40).shape == (4, 2)


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((5,), {}, pf.ArgumentTypeError, "sources is 5; give a list of vertices"),
        (([0, 200],), {}, pf.VertexError, r"sources\[1\] is 200"),
        (([0], [999]), {}, pf.VertexError, r"targets\[0\] is 999"),
        (([0],), {"dtype": "int16"}, pf.ArgumentError, "dtype is int16, but distances of uint32 weights can be one of"),
        (([0],), {"dtype": "float32"}, pf.ArgumentError, "dtype is float32"),
        (([0],), {"dtype": "apple"}, pf.ArgumentTypeError, "dtype is 'apple'"),
        (([0],), {"out": np.empty((2, 2))}, pf.ArgumentError, r"out is an array of shape \(2, 2\), but it must be"),
        (([0],), {"out": [1]}, pf.ArgumentError, r"out is \[1\], a list"),
        (([0],), {"threads": 0}, pf.ArgumentError, "threads is 0"),
        (([0],), {"cutoff": -1}, pf.ArgumentError, "cutoff is -1"),
    ],
)
def test_bad_arguments(arguments, options, error, message):
    with pytest.raises(error, match=message):
        pf.distance_matrix(GRAPH, *arguments, **options)


def test_one_failure_stops_the_others(monkeypatch):
    searched = []
    real = many.auto.solve

    def solve(problem):
        searched.append(problem.source)
        if problem.source == 3:
            raise RuntimeError("no luck")
        return real(problem)

    monkeypatch.setattr(many.auto, "solve", solve)
    with pytest.raises(RuntimeError, match="no luck"):
        pf.distance_matrix(GRAPH, [3, *range(4, 200)] * 20, threads=2)
    assert len(searched) < 3000


class TestOneAfterTheOther:
    def test_in_order(self):
        found = list(pf.shortest_paths_many(GRAPH, SOURCES, threads=3))
        assert [paths.source for paths in found] == SOURCES
        assert np.array_equal(np.stack([paths.distance for paths in found]), expected(GRAPH, SOURCES))
        assert all(pf.verify(GRAPH, paths) for paths in found)

    def test_options_reach_the_search(self):
        (paths,) = pf.shortest_paths_many(GRAPH, [0], method="bellman_ford", cutoff=20, parents=False)
        assert (paths.stats.method, paths.radius) == ("bellman_ford", 20)

    def test_nothing_runs_far_ahead(self, monkeypatch):
        started = []
        real = many.shortest_paths
        monkeypatch.setattr(many, "shortest_paths", lambda g, s, **o: started.append(s) or real(g, s, **o))
        paths = pf.shortest_paths_many(GRAPH, range(100), threads=2)
        assert [p.source for p in itertools.islice(paths, 3)] == [0, 1, 2]
        assert len(started) <= 6
        paths.close()

    def test_errors_come_through(self):
        with pytest.raises(pf.VertexError, match=r"sources\[1\] is -1"):
            pf.shortest_paths_many(GRAPH, [0, -1])
        with pytest.raises(pf.MethodError, match="astar"):
            list(pf.shortest_paths_many(GRAPH, [0], method="astar"))
        if GPUS:
            with pytest.raises(pf.ArgumentError, match=r"threads is 2, but device='emulated' has its own"):
                list(pf.shortest_paths_many(GRAPH, [0], device="emulated", threads=2))


class TestNearest:
    @pytest.mark.parametrize("graph", [GRAPH, pf.generate.random(3000, 12_000, seed=2)], ids=["small", "large"])
    @pytest.mark.parametrize("sources", [[7], [5, 0, 199, 5], list(range(0, 200, 10))], ids=len)
    def test_against_one_search_each(self, graph, sources):
        rows = expected(graph, sources)
        found = pf.nearest(graph, sources)
        assert np.array_equal(found.distance, rows.min(axis=0))
        reached = found.distance != 2**32 - 1
        assert np.array_equal(found.source == pf.NO_VERTEX, ~reached)
        for v in np.flatnonzero(reached):
            assert rows[sources.index(int(found.source[v])), v] == found.distance[v]

    def test_cutoff_and_zero_weights(self):
        graph = pf.Graph.from_edges([0, 1, 2, 3], [1, 2, 1, 4], [3, 0, 0, 9], n=5)
        assert pf.nearest(graph, [0, 3]).source.tolist() == [0, 0, 0, 3, 3]
        near = pf.nearest(graph, [0, 3], cutoff=3)
        assert near.source.tolist() == [0, 0, 0, 3, pf.NO_VERTEX]
        assert near.distance[:4].tolist() == [0, 3, 3, 0]

    def test_negative_weights(self):
        graph = pf.Graph.from_edges([0, 1, 3], [1, 2, 2], [5, -4, 2], n=4)
        found = pf.nearest(graph, [0, 3])
        assert (found.distance.tolist(), found.source.tolist()) == ([0, 5, 1, 0], [0, 0, 0, 3])
        closer = pf.nearest(pf.Graph.from_edges([0, 1], [1, 2], [-2, 1]), [0, 1])
        assert (closer.distance.tolist(), closer.source.tolist()) == ([0, -2, -1], [0, 0, 0])

    def test_widening(self):
        graph = pf.Graph.from_edges([0, 1], [1, 2], np.array([2**31, 2**31], np.uint32))
        assert pf.nearest(graph, [0]).distance.tolist() == [0, 2**31, 2**32]

    def test_refusals(self):
        with pytest.raises(pf.ArgumentError, match="sources is empty"):
            pf.nearest(GRAPH, [])
        with pytest.raises(pf.VertexError, match=r"sources\[0\] is 200"):
            pf.nearest(GRAPH, [200])
