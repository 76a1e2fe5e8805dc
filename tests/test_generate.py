"""Generated graphs: the same everywhere, of the documented shape, with clear errors for impossible ones."""

from __future__ import annotations

import hashlib
import inspect
import sys

import numpy as np
import pytest

import pathfront as pf
from pathfront.generate import KINDS

SMALL = {
    "random": lambda seed: pf.generate.random(100, 400, seed=seed),
    "random_undirected": lambda seed: pf.generate.random(100, 400, directed=False, seed=seed),
    "rmat": lambda seed: pf.generate.rmat(7, 8, seed=seed),
    "rmat_any_size": lambda seed: pf.generate.rmat(7, n=100, m=700, directed=False, seed=seed),
    "kronecker": lambda seed: pf.generate.kronecker(7, 8, seed=seed),
    "grid": lambda seed: pf.generate.grid(9, 11, seed=seed),
    "road_like": lambda seed: pf.generate.road_like(130, seed=seed),
    "delaunay": lambda seed: pf.generate.delaunay(130, seed=seed),
    "mesh3d": lambda seed: pf.generate.mesh3d(5, 4, 6, seed=seed),
    "clustered": lambda seed: pf.generate.clustered(120, 7, inside=4, seed=seed),
    "small_world": lambda seed: pf.generate.small_world(120, 4, 0.2, seed=seed),
    "scale_free": lambda seed: pf.generate.scale_free(120, 3, seed=seed),
    "degree_k": lambda seed: pf.generate.degree_k(120, seed=seed),
    "chain": lambda seed: pf.generate.chain(120, weights="float:1:2", seed=seed),
    "star": lambda seed: pf.generate.star(120, weights="lognormal:1:0.5", seed=seed),
    "complete": lambda seed: pf.generate.complete(20, weights="int:-5:5", seed=seed),
}
GOLDEN = {
    "random": "75f24e6865748a84",
    "random_undirected": "2a48bd557db0b1fd",
    "rmat": "eaa3ba158d91fa9d",
    "rmat_any_size": "f111b5a86e18aa75",
    "kronecker": "6225582845dccecf",
    "grid": "4a8e59f01c18813d",
    "road_like": "662af08166cc03b6",
    "delaunay": "42b6f30878876f0f",
    "mesh3d": "21f495c19691e2b2",
    "clustered": "681c0f6505035a02",
    "small_world": "b26ae206eadd7d2e",
    "scale_free": "80b77aeff345e99c",
    "degree_k": "8b474feccfabff33",
    "chain": "c2167205994e9179",
    "star": "86dd7dab5d35db7e",
    "complete": "15a402847417d8eb",
}
LARGE = {
    "random": lambda: pf.generate.random(50_000, 200_000),
    "rmat": lambda: pf.generate.rmat(16, n=50_000, m=200_000),
    "kronecker": lambda: pf.generate.kronecker(15, 8),
    "grid": lambda: pf.generate.grid(200, 300, weights="lognormal:2:1"),
    "road_like": lambda: pf.generate.road_like(100_000),
    "delaunay": lambda: pf.generate.delaunay(20_000, weights="float:0:1"),
    "mesh3d": lambda: pf.generate.mesh3d(30, 30, 30),
    "clustered": lambda: pf.generate.clustered(20_000),
    "small_world": lambda: pf.generate.small_world(50_000),
    "scale_free": lambda: pf.generate.scale_free(30_000),
    "degree_k": lambda: pf.generate.degree_k(30_000),
    "chain": lambda: pf.generate.chain(100_000),
    "star": lambda: pf.generate.star(100_000),
    "complete": lambda: pf.generate.complete(400),
}


def fingerprint(graph: pf.Graph) -> str:
    arrays = (graph.offsets, graph.heads, graph.weights, graph.coordinates)
    digest = hashlib.sha256(repr(graph).encode())
    for array in arrays:
        if array is not None:
            digest.update(array.astype(array.dtype.newbyteorder("<")).tobytes())
    return digest.hexdigest()[:16]


def connected(graph: pf.Graph) -> bool:
    return bool(pf.shortest_paths(graph, 0).reached.all())


@pytest.mark.parametrize("kind", SMALL)
def test_same_graph_everywhere(kind):
    assert fingerprint(SMALL[kind](3)) == GOLDEN[kind]


@pytest.mark.parametrize("kind", SMALL)
def test_other_seed_other_graph(kind):
    assert fingerprint(SMALL[kind](3)) != fingerprint(SMALL[kind](4))
    assert fingerprint(SMALL[kind](3)) != fingerprint(SMALL[kind](2**64 - 1))


@pytest.mark.parametrize("kind", LARGE)
def test_same_graph_with_any_number_of_threads(kind, monkeypatch):
    found = set()
    for cores in (1, 2, 7):
        for name, module in list(sys.modules.items()):
            if name.startswith("pathfront.") and hasattr(module, "available_cores"):
                monkeypatch.setattr(module, "available_cores", lambda cores=cores: cores)
        found.add(fingerprint(LARGE[kind]()))
    assert len(found) == 1


def test_every_kind_is_tested_and_described():
    assert set(KINDS) == set(LARGE) <= set(SMALL)
    assert set(pf.generate.__all__) == {"KINDS", "weigh", *KINDS}
    for name, make in KINDS.items():
        assert getattr(pf.generate, name) is make
        assert ">>>" in inspect.getdoc(make)
        parameters = inspect.signature(make).parameters
        assert {"weights", "seed"} <= set(parameters)
        assert parameters["seed"].default == 0
        assert all(parameters[option].kind is inspect.Parameter.KEYWORD_ONLY for option in ("weights", "seed"))


@pytest.mark.parametrize("kind", SMALL)
def test_arrays_are_sound(kind):
    graph = SMALL[kind](1)
    again = pf.Graph.from_csr(graph.offsets, graph.heads, graph.weights, directed=graph.directed)
    assert again.m == graph.m
    if graph.coordinates is not None:
        assert graph.coordinates.shape[0] == graph.n


@pytest.mark.parametrize("kind", ["kronecker", "delaunay", "clustered", "small_world", "scale_free", "complete"])
def test_simple_kinds_have_no_loops_and_nothing_twice(kind):
    graph = LARGE[kind]()
    tails = graph.tails().astype(np.uint64)
    assert not (tails == graph.heads).any()
    arcs = tails * graph.n + graph.heads
    assert np.unique(arcs).size == graph.m


@pytest.mark.parametrize(
    "kind", ["grid", "road_like", "delaunay", "mesh3d", "clustered", "small_world", "scale_free", "chain", "star"]
)
def test_connected(kind):
    assert connected(LARGE[kind]())


def test_grid_joins_neighbours():
    graph = pf.generate.grid(3, 4, weights="coordinates")
    assert graph.m == 2 * (3 * 3 + 2 * 4)
    assert (graph.weights == 1).all()


def test_chain_and_star_shapes():
    chain, star = (pf.generate.chain(6, weights="unit"), pf.generate.star(6, weights="unit"))
    assert pf.shortest_paths(chain, 0).distance.tolist() == [0, 1, 2, 3, 4, 5]
    assert pf.shortest_paths(star, 0).distance.tolist() == [0, 1, 1, 1, 1, 1]
    assert pf.shortest_paths(star, 3).distance.tolist() == [1, 2, 2, 0, 2, 2]
    assert pf.generate.star(6, directed=True).m == pf.generate.chain(6, directed=True).m == 5


def test_road_like_is_like_roads():
    graph = pf.generate.road_like(40_000, weights="unit")
    assert 2.4 < graph.m / graph.n < 2.8
    assert graph.degree_summary().largest <= 4
    first = pf.shortest_paths(graph, 0).distance
    hops = pf.shortest_paths(graph, int(first.argmax())).distance.max()
    assert 200 < hops < 20 * 200
    lengths = pf.generate.road_like(40_000).weights
    assert lengths.dtype == np.uint32
    assert lengths.min() > 100
    assert lengths.max() < 3000


def test_road_like_without_extra_roads_is_a_tree():
    graph = pf.generate.road_like(999, extra=0)
    assert graph.m == 2 * 998
    assert connected(graph)
    assert pf.generate.road_like(900, extra=1).m == 2 * 2 * 30 * 29


def test_delaunay_has_a_triangulations_edges():
    graph = pf.generate.delaunay(5000)
    assert 5.9 * graph.n < graph.m < 6 * graph.n - 12  # 3n - 3 - (points on the hull) edges
    points = graph.coordinates
    lengths = np.sqrt(((points[graph.tails()] - points[graph.heads]) ** 2).sum(axis=1)) * 1000
    assert (graph.weights == np.maximum(np.rint(lengths), 1)).all()


def test_mesh3d_inner_vertices_have_14_neighbours():
    graph = pf.generate.mesh3d(6, 7, 8)
    degrees = np.diff(graph.offsets).reshape(6, 7, 8)
    assert (degrees[1:-1, 1:-1, 1:-1] == 14).all()
    assert degrees.max() == 14
    assert sorted({degrees[i, j, k] for i in (0, -1) for j in (0, -1) for k in (0, -1)}) == [4, 7]


def test_clustered_stays_mostly_inside():
    graph = pf.generate.clustered(10_000, 20, inside=10, between=4)
    same = graph.tails() // 500 == graph.heads // 500
    outside = graph.m - same.sum()
    assert 2 * 19 <= outside <= 2 * 20 * 4
    assert 19 < same.sum() / graph.n < 20
    assert connected(pf.generate.clustered(50, 50, inside=1, between=1))


def test_degree_k_has_k_different_predecessors():
    for n, k in ((2000, 7), (8, 7), (50, 49), (30, 0)):
        graph = pf.generate.degree_k(n, k)
        tails = graph.tails().astype(np.int64)
        assert (np.bincount(graph.heads, minlength=n) == k).all()
        assert not (tails == graph.heads).any()
        assert np.unique(tails * n + graph.heads).size == n * k
    weights = pf.generate.degree_k(2000).weights
    assert (weights.min(), weights.max()) == (1, 10)


def test_degree_k_draws_evenly():
    counts = np.diff(pf.generate.degree_k(40, 39).offsets)
    assert (counts == 39).all()
    many = sum(np.diff(pf.generate.degree_k(40, 10, seed=seed).offsets) for seed in range(300))
    expected = 300 * 10
    assert np.abs(many - expected).max() < 5 * np.sqrt(expected)


def test_small_world_between_ring_and_random():
    ring = pf.generate.small_world(1000, 4, 0, weights="unit")
    mixed = pf.generate.small_world(1000, 4, 0.1, weights="unit")
    assert (np.diff(ring.offsets) == 4).all()
    assert pf.shortest_paths(ring, 0).distance.max() == 250
    assert pf.shortest_paths(mixed, 0).distance.max() < 40
    moved = 1 - np.isin(mixed.tails().astype(int) * 1000 + mixed.heads, ring.tails().astype(int) * 1000 + ring.heads)
    assert 0.05 < moved.mean() < 0.15


def test_scale_free_degrees_follow_a_power_law():
    graph = pf.generate.scale_free(50_000, 4)
    degrees = np.diff(graph.offsets)
    assert degrees.min() >= 1
    assert graph.m > 2 * 4 * 50_000 * 0.98
    # P(degree >= d) is k (k + 1) / (d (d + 1)) in the limit
    for d in (8, 16, 40):
        assert np.mean(degrees >= d) == pytest.approx(4 * 5 / (d * (d + 1)), rel=0.15)


def test_rmat_quarters_have_their_shares():
    shares = np.array([[0.5, 0.3], [0.15, 0.05]])
    graph = pf.generate.rmat(1, 500_000, 0.5, 0.3, 0.15)
    counts = np.bincount(graph.tails() * 2 + graph.heads, minlength=4).reshape(2, 2) / graph.m
    if counts[0, 0] < counts[1, 1]:  # the two vertices were numbered the other way round
        counts = counts[::-1, ::-1]
    assert np.abs(counts - shares).max() < 0.002


def test_rmat_degrees_are_binomial_products():
    graph = pf.generate.rmat(10, 1000)
    for degrees, one in (
        (np.diff(graph.offsets), 0.57 + 0.19),
        (np.bincount(graph.heads, minlength=1024), 0.57 + 0.19),
    ):
        ranked = np.sort(degrees)[::-1]
        for first, zeros, count in ((0, 10, 1), (1, 9, 10), (11, 8, 45), (56, 7, 120)):
            expected = graph.m * one**zeros * (1 - one) ** (10 - zeros)
            assert ranked[first : first + count].mean() == pytest.approx(expected, rel=0.02)


def test_rmat_of_any_size():
    graph = pf.generate.rmat(10, n=600, m=20_000)
    assert (graph.n, graph.m) == (600, 20_000)
    assert np.unique(graph.heads).size > 400
    whole = pf.generate.rmat(10, n=1024, m=20_000)
    assert fingerprint(whole) == fingerprint(pf.generate.rmat(10, m=20_000))


@pytest.mark.parametrize("kind", ["random", "grid", "mesh3d", "rmat", "kronecker"])
def test_smallest(kind):
    make = {
        "random": lambda: pf.generate.random(1, 0),
        "grid": lambda: pf.generate.grid(1, 1),
        "mesh3d": lambda: pf.generate.mesh3d(1, 1, 1),
        "rmat": lambda: pf.generate.rmat(0, 0),
        "kronecker": lambda: pf.generate.kronecker(0),
    }[kind]
    assert (make().n, make().m) == (1, 0)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["road_like", "delaunay", "chain", "star", "complete", "scale_free"])
def test_few_vertices(kind, n):
    graph = KINDS[kind](n)
    assert graph.n == n
    assert graph.m >= 2 * (n - 1)
    assert n == 0 or connected(graph)


def test_few_vertices_with_options():
    assert pf.generate.kronecker(1).m == 2
    assert pf.generate.rmat(1).m == 32
    assert pf.generate.clustered(0, 1).n == pf.generate.small_world(0, 0).n == pf.generate.degree_k(0, 0).n == 0
    assert connected(pf.generate.clustered(2, 2))
    assert pf.generate.degree_k(2, 1).to_edges().heads.tolist() == [1, 0]
    assert pf.generate.small_world(3, 2, 1).m >= 2


REFUSED = {
    "n is -1, but it must be at least 0": lambda: pf.generate.chain(-1),
    "n is 2.5, a float; give a whole number": lambda: pf.generate.star(2.5),
    "n is 4294967295, but it must be at most 4294967294": lambda: pf.generate.chain(2**32 - 1),
    "m is 5, but a graph of 0 vertices": lambda: pf.generate.random(0, 5),
    "m is 10000000000000000000, but it must be at most": lambda: pf.generate.random(10, 10**19),
    "edge_factor \\* 2\\^scale is": lambda: pf.generate.kronecker(31, 2**20),
    "n \\* inside \\+ clusters \\* between is": lambda: pf.generate.clustered(10, 2, inside=10**18),
    "n \\* edges_per_vertex is": lambda: pf.generate.scale_free(2**31, 2**10),
    "rows is 0, but it must be at least 1": lambda: pf.generate.grid(0, 3),
    "rows \\* columns is": lambda: pf.generate.grid(2**20, 2**20),
    "y is 0, but it must be at least 1": lambda: pf.generate.mesh3d(2, 0, 2),
    "scale is 32, but it must be at most 31": lambda: pf.generate.kronecker(32),
    "scale is True, a truth value": lambda: pf.generate.rmat(True),
    "edge_factor is -1": lambda: pf.generate.rmat(3, -1),
    "a \\+ b \\+ c is 1.2": lambda: pf.generate.rmat(3, 2, 0.4, 0.4, 0.4),
    "b is 1.5, but it must be between 0 and 1": lambda: pf.generate.kronecker(3, 2, 0.1, 1.5),
    "n is 4, but it must be at least 5": lambda: pf.generate.rmat(3, n=4),
    "extra is 2, but it must be between 0 and 1": lambda: pf.generate.road_like(5, extra=2),
    "clusters is 9, but it must be at most 5": lambda: pf.generate.clustered(5, 9),
    "inside is 0, but it must be at least 1": lambda: pf.generate.clustered(5, 2, inside=0),
    "k is 3, but it must be even": lambda: pf.generate.small_world(9, 3),
    "k is 4, but it must be at most 3": lambda: pf.generate.small_world(4, 4),
    "rewire is -1, but": lambda: pf.generate.small_world(9, 2, -1),
    "edges_per_vertex is 0": lambda: pf.generate.scale_free(9, 0),
    "k is 7, but it must be at most 4": lambda: pf.generate.degree_k(5),
    "seed is -1": lambda: pf.generate.delaunay(5, seed=-1),
    "seed is 1.5, a float": lambda: pf.generate.complete(5, seed=1.5),
    "seed is 18446744073709551616": lambda: pf.generate.chain(5, seed=2**64),
    "weights is 'heavy'": lambda: pf.generate.road_like(5, weights="heavy"),
}


@pytest.mark.parametrize("message", REFUSED)
def test_refused(message):
    with pytest.raises((pf.ArgumentError, pf.ArgumentTypeError), match=message):
        REFUSED[message]()
