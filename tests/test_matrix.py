"""Matrices of distances in every form: types, cutoffs, sparse ones, parents, methods and devices."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from oracles import arcs_of, dijkstra
from pathfront import matrix
from zoo import GPUS, HERE, WEIGHT_TYPES, ZOO

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


def test_the_type_does_not_change_with_the_cutoff():
    full = expected(GRAPH, SOURCES).astype(float)
    near = full <= 40
    found = pf.distance_matrix(GRAPH, SOURCES, cutoff=40)
    assert isinstance(found, np.ndarray)
    assert np.array_equal(found != 2**32 - 1, near)
    assert np.array_equal(found[near], full[near])
    assert np.array_equal(pf.distance_matrix(GRAPH, SOURCES, cutoff=40, out=np.empty((4, 200), np.uint32)), found)
    assert pf.distance_matrix(GRAPH, SOURCES, [3, 4], cutoff=40).shape == (4, 2)


@pytest.mark.parametrize("cutoff", [None, 0, 40])
@pytest.mark.parametrize("targets", [None, [3, 4, 3, 0]], ids=["all", "targets"])
def test_sparse(cutoff, targets):
    full = expected(GRAPH, SOURCES)[:, slice(None) if targets is None else targets]
    near = full <= (2**32 - 2 if cutoff is None else cutoff)
    found = pf.distance_matrix(GRAPH, SOURCES, targets, cutoff=cutoff, sparse=True)
    assert isinstance(found, scipy.sparse.csr_array)
    assert (found.dtype, found.shape) == (np.uint32, full.shape)
    assert found.nnz == near.sum()  # the zeros of the sources are stored
    assert np.array_equal(found.toarray()[near], full[near])
    assert pf.distance_matrix(GRAPH, [], sparse=True).shape == (0, 200)


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
    real = matrix.auto.solve

    def solve(problem, method):
        searched.append(problem.source)
        if problem.source == 3:
            raise RuntimeError("no luck")
        return real(problem, method)

    monkeypatch.setattr(matrix.auto, "solve", solve)
    with pytest.raises(RuntimeError, match="no luck"):
        pf.distance_matrix(GRAPH, [3, *range(4, 200)] * 20, threads=2)
    assert len(searched) < 3000


# ---- parents, methods, devices -------------------------------------------------------------------------------------


def check_parents(graph, source, dist, parents):
    """Every parent must explain the distance of its child, and lead to the source."""
    lightest = {}
    for u in range(graph.n):
        for v, weight in arcs_of(graph, u):
            lightest[u, v] = min(weight, lightest.get((u, v), weight))
    for v in range(graph.n):
        u, steps = int(parents[v]), 0
        if v not in dist or v == source:
            assert u == -1
            continue
        assert dist[u] + lightest[u, v] == dist[v]
        while u != source:
            u, steps = int(parents[u]), steps + 1
            assert steps < graph.n


@pytest.mark.pairwise("animal", "dtype", "sparse", "threads")
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
@pytest.mark.parametrize("animal", ZOO)
def test_parents_are_a_tree_per_row(animal, dtype, sparse, threads):
    graph = ZOO[animal](dtype)
    sources = [0, graph.n - 1]
    found = pf.distance_matrix(graph, sources, parents=True, sparse=sparse, threads=threads)
    bare = pf.distance_matrix(graph, sources, sparse=sparse)
    assert type(found.distances) is type(bare)
    assert (found.parents.dtype, found.parents.shape) == (np.int32, bare.shape)
    if sparse:
        assert np.array_equal(found.parents.indices, bare.indices)
        assert np.array_equal(found.distances.toarray(), bare.toarray())
    else:
        assert np.array_equal(found.distances, bare)
    for i, source in enumerate(sources):
        check_parents(graph, source, dijkstra(graph, source), dense_row(found.parents, i))


def dense_row(parents, i):
    if not scipy.sparse.issparse(parents):
        return parents[i]
    row = np.full(parents.shape[1], -1)
    part = slice(parents.indptr[i], parents.indptr[i + 1])
    row[parents.indices[part]] = parents.data[part]
    return row


@pytest.mark.parametrize("sparse", [False, True])
def test_paths_with_targets_and_a_cutoff(sparse):
    targets = [7, 150, 3]
    for cutoff in (None, 60):
        found = pf.distance_matrix(GRAPH, SOURCES, targets, parents=True, cutoff=cutoff, sparse=sparse)
        assert (found.distances.shape, found.parents.shape) == ((4, 3), (4, 200))
        for source in SOURCES:
            dist = dijkstra(GRAPH, source)
            for target in targets:
                if target not in dist or (cutoff is not None and dist[target] > cutoff):
                    with pytest.raises(pf.NoPathError, match=f"no path from vertex {source} to vertex {target}, or"):
                        found.path(source, target)
                    continue
                path = found.path(source, target).tolist()
                assert (path[0], path[-1]) == (source, target)
                steps = itertools.pairwise(path)
                assert sum(min(w for v, w in arcs_of(GRAPH, a) if v == b) for a, b in steps) == dist[target]
    with pytest.raises(pf.ArgumentError, match="source is 1, which is none of the matrix's sources"):
        found.path(1, 3)


@pytest.mark.parametrize("device", HERE)
@pytest.mark.parametrize("method", ["dijkstra", "near_far", "delta_stepping", "adds", "bellman_ford_frontier"])
def test_methods_and_devices(method, device):
    if device not in pf.methods.get(method).devices:
        with pytest.raises(pf.MethodError, match=f"device is '{device}', but method='{method}' runs on cpu only"):
            pf.distance_matrix(GRAPH, SOURCES, method=method, device=device)
        return
    found = pf.distance_matrix(GRAPH, SOURCES, method=method, device=device, parents=True)
    assert np.array_equal(found.distances, expected(GRAPH, SOURCES))
    for i, source in enumerate(SOURCES):
        check_parents(GRAPH, source, dijkstra(GRAPH, source), found.parents[i])


def test_the_method_gets_its_options_and_the_threads(monkeypatch):
    problems = []
    real = matrix.auto.solve

    def solve(problem, method):
        problems.append((method.name, problem.threads, problem.delta, dict(problem.options)))
        return real(problem, method)

    monkeypatch.setattr(matrix.auto, "solve", solve)
    pf.distance_matrix(GRAPH, [3], method="adds", delta=4, threads=3, buckets=8)
    pf.distance_matrix(GRAPH, [3, 4], threads=3)
    assert problems[0][:3] == ("adds", 3, 4)
    assert problems[0][3]["buckets"] == 8
    assert problems[1][1] == 1


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"method": "djikstra"}, pf.MethodError, "did you mean 'dijkstra'"),
        ({"method": ["adds"]}, pf.MethodError, r"method is \['adds'\]"),
        ({"device": "gpu"}, pf.PathfrontError, "did you mean 'cuda'"),
        ({"method": "adds", "bucket": 3}, pf.MethodError, "did you mean 'buckets'"),
        ({"limit": 3}, pf.MethodError, "did you mean 'cutoff'"),
        ({"destinations": [3]}, pf.MethodError, "did you mean 'targets'"),
        ({"output": "device"}, pf.MethodError, "output is not an option of method='auto'"),
        ({"method": "dijkstra", "delta": 3}, pf.MethodError, "method='dijkstra' has no delta"),
        ({"method": "bfs"}, pf.WeightError, "method='bfs' counts arcs"),
        ({"parents": "yes"}, pf.ArgumentTypeError, "parents is 'yes', a str; give True or False"),
        ({"sparse": 1}, pf.ArgumentTypeError, "sparse is 1, an int; give True or False"),
        ({"sparse": True, "out": np.empty((1, 200))}, pf.ArgumentError, "sparse is True, but out is an array"),
    ],
)
def test_bad_options(options, error, message):
    with pytest.raises(error, match=message):
        pf.distance_matrix(GRAPH, [0], **options)


@pytest.mark.parametrize("device", GPUS)
def test_a_device_has_its_own_threads(device):
    with pytest.raises(pf.ArgumentError, match="threads is 2, but device="):
        pf.distance_matrix(GRAPH, [0], device=device, threads=2)


def test_methods_refuse_negative_weights():
    graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 3], [4, -3, 1])
    with pytest.raises(pf.WeightError, match=r"weights\[1\] is -3, but method='dijkstra' needs weights >= 0"):
        pf.distance_matrix(graph, [0], method="dijkstra")
    found = pf.distance_matrix(graph, [0, 1], [3], method="bellman_ford", parents=True)
    assert (found.distances.tolist(), found.parents.tolist()) == ([[2], [-2]], [[-1, 0, 1, 2], [-1, -1, 1, 2]])


def test_widening_keeps_the_parents():
    graph = pf.Graph.from_edges([0, 1], [1, 2], np.array([2**31, 2**31], np.uint32))
    found = pf.distance_matrix(graph, [1, 0], parents=True)
    assert found.distances.dtype == np.uint64
    assert found.parents.tolist() == [[-1, -1, 1], [-1, 0, 1]]


@examples(60)
@given(
    n=st.integers(1, 20),
    arcs=st.lists(st.tuples(st.integers(0, 19), st.integers(0, 19), st.integers(0, 9)), max_size=60),
    sources=st.lists(st.integers(0, 19), max_size=5),
    cutoff=st.one_of(st.none(), st.integers(0, 20)),
    sparse=st.booleans(),
)
def test_random_graphs(n, arcs, sources, cutoff, sparse):
    tails, heads, weights = ([arc[i] for arc in arcs] for i in range(3))
    graph = pf.Graph.from_edges([u % n for u in tails], [v % n for v in heads], np.array(weights, np.int64), n=n)
    starts = [source % n for source in sources]
    found = pf.distance_matrix(graph, starts, parents=True, cutoff=cutoff, sparse=sparse)
    if sparse:
        dense = np.full((len(starts), n), 2**63 - 1)
        dense[np.repeat(np.arange(len(starts)), np.diff(found.distances.indptr)), found.distances.indices] = (
            found.distances.data
        )
    else:
        dense = found.distances
    for i, source in enumerate(starts):
        dist = {v: d for v, d in dijkstra(graph, source).items() if cutoff is None or d <= cutoff}
        assert dense[i].tolist() == [dist.get(v, 2**63 - 1) for v in range(n)]
        check_parents(graph, source, dist, dense_row(found.parents, i))
    assert dense.shape == (len(starts), n)
