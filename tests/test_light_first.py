"""Light arcs first: whatever the light arcs are and however the stages fall, nothing is missed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from oracles import as_array, certify, dijkstra
from pathfront.methods import light_first
from test_methods import bits
from zoo import WEIGHT_TYPES

LIGHT = (0.3, 1.0, 5.0, 1000.0)
"""From a few arcs to all of them."""


def near(n: int, m: int, dtype: str, seed: int, *, heaviest: int = 200, directed: bool = False) -> pf.Graph:
    """A graph where everything is near, with some vertices that hang on one arc and some that are alone."""
    rng = np.random.default_rng(seed)
    tails, heads = rng.integers(0, n - n // 8, (2, m))
    leaves = np.arange(n - n // 8, n - n // 16)
    tails, heads = np.r_[tails, leaves], np.r_[heads, rng.integers(0, n // 2, leaves.size)]
    weights = rng.integers(0, heaviest, tails.size).astype(dtype)
    return pf.Graph.from_edges(tails, heads, weights / weights.dtype.type(7) if weights.dtype.kind == "f" else weights,
                               n=n, directed=directed)  # fmt: skip


@pytest.mark.parametrize("dtype", [dtype for dtype in WEIGHT_TYPES if dtype], ids=str)
@pytest.mark.parametrize("directed", [False, True])
def test_everything_is_near(dtype, directed):
    for seed, (n, m) in enumerate([(400, 6000), (3000, 30_000), (120, 3000)]):
        graph = near(n, m, dtype, seed, directed=directed)
        expected = as_array(dijkstra(graph, 0), graph.n, dtype)
        for light in LIGHT:
            for threads in (1, 2, 7):
                for parents in (True, False):
                    paths = pf.shortest_paths(
                        graph, 0, method="light_first", light=light, threads=threads, parents=parents
                    )
                    assert bits(paths.distance) == bits(expected)
                    if parents:
                        certify(paths)


@st.composite
def undirected(draw: st.DrawFn) -> pf.Graph:
    n = draw(st.integers(1, 25))
    vertex = st.integers(0, n - 1)
    weight = st.one_of(st.integers(0, 20), st.integers(0, 3), st.just(1000))
    triples = draw(st.lists(st.tuples(vertex, vertex, weight), max_size=150))
    tails, heads, weights = ([t[i] for t in triples] for i in range(3))
    dtype = draw(st.sampled_from(["uint32", "int64", "float32"]))
    return pf.Graph.from_edges(tails, heads, np.array(weights, dtype), n=n, directed=draw(st.booleans()))


@examples(400)
@given(
    graph=undirected(),
    source=st.integers(0, 24),
    light=st.sampled_from(LIGHT),
    threads=st.sampled_from([1, 2, 3]),
    delta=st.sampled_from([None, 1, 8, 64]),
    cutoff=st.one_of(st.none(), st.integers(0, 60)),
    targets=st.one_of(st.none(), st.lists(st.integers(0, 24), min_size=1, max_size=3)),
    trace=st.booleans(),
)
def test_small_graphs(graph, source, light, threads, delta, cutoff, targets, trace):
    source %= graph.n
    true = dijkstra(graph, source)
    if targets is not None:
        targets = [target % graph.n for target in targets]
    paths = pf.shortest_paths(
        graph,
        source,
        method="light_first",
        light=light,
        threads=threads,
        delta=delta,
        cutoff=cutoff,
        targets=targets,
        trace=trace,
    )
    certify(paths)
    radius = np.inf if cutoff is None else cutoff
    if targets is None:
        within = {v: d for v, d in true.items() if d <= radius}
        assert bits(paths.distance) == bits(as_array(within, graph.n, graph.weights.dtype))
    else:
        for target in targets:
            if target in true and true[target] <= radius:
                assert paths.distance[target] == true[target]
            else:
                assert not paths.reached[target]
        for v in np.flatnonzero(paths.reached):
            assert paths.distance[v] == true[v]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_target_beyond_the_horizon_is_not_final(threads):
    # Light arcs weigh up to 10, and levels are 64 wide: what is not reached has the horizon, 10, for its distance, and
    # 10 lies in the first level.
    tails, heads = [0, 0, *range(1, 40)], [1, 2, *range(2, 41)]
    graph = pf.Graph.from_edges(tails, heads, np.array([10, 40, *[10] * 39], np.uint32), directed=False)
    paths = pf.shortest_paths(graph, 0, targets=[2], method="light_first", light=1.0, delta=64, threads=threads)
    assert paths.distance[2] == 20


@pytest.mark.parametrize("dtype", ["uint32", "float64"])
@pytest.mark.parametrize("threads", [1, 2])
def test_every_arc_to_what_is_not_settled_counts(dtype, threads):
    """A core that light arcs settle, and vertices that hang on it by a single heavy arc, 3,000 of them on a hub."""
    rng = np.random.default_rng(1)
    core, leaves = 9000, 4500
    tails, heads = rng.integers(0, core, (2, 12 * core))
    hang = rng.integers(0, core, leaves)
    hang[:3000], hang[-1] = 77, core - 1
    ring = np.arange(core)
    graph = pf.Graph.from_edges(
        np.r_[tails, ring, hang],
        np.r_[heads, np.roll(ring, -1), np.arange(core, core + leaves)],
        np.r_[rng.integers(1, 20, tails.size), np.full(core, 30), rng.integers(100, 200, leaves)].astype(dtype),
    )
    assert graph.directed
    assert graph.heads[-1] >= core  # the last arc of all is one of them
    expected = as_array(dijkstra(graph, 0), graph.n, dtype)
    for parents in (False, True):
        paths = pf.shortest_paths(graph, 0, method="light_first", light=3.5, threads=threads, parents=parents)
        assert bits(paths.distance) == bits(expected)
        assert paths.stats.edges_relaxed < 0.75 * graph.m  # most are looked at for their heads only
        if parents:
            certify(paths)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("loop", [0, 1])
def test_a_target_that_looks_back_is_final(threads, loop):
    """Vertex 1 is given its distance between two stages, and after that there is nothing left to do."""
    graph = pf.Graph.from_edges([0, loop], [1, loop], np.array([2, 1], np.int32), directed=False)
    for targets in ([1], [0, 1]):
        paths = pf.shortest_paths(graph, 0, method="light_first", threads=threads, light=0.1, targets=targets)
        assert (paths.radius, paths.distance.tolist()) == (2, [0, 2])


def test_hardly_any_arc_is_looked_at():
    graph = pf.generate.kronecker(14, 16, seed=1)
    for threads in (1, 3):
        stats = pf.shortest_paths(graph, 0, method="light_first", threads=threads).stats
        assert stats.edges_relaxed < graph.m / 3
        assert stats.extra["light_arcs"] == np.count_nonzero(graph.weights <= stats.extra["heaviest_light"])
        assert stats.vertices_processed < 1.1 * graph.n


def test_a_stage_may_end_early():
    """Uniform random graphs grow by the same factor everywhere; a stage must not end when half of them is settled."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        tails, heads = rng.integers(0, 1 << 14, (2, 16 << 14))
        graph = pf.Graph.from_edges(
            tails, heads, rng.integers(1, 256, tails.size).astype(np.uint32), n=1 << 14, directed=False
        )
        paths = pf.shortest_paths(graph, 0, method="light_first")
        assert pf.verify(graph, paths)
        assert paths.stats.edges_relaxed < 0.75 * graph.m


@pytest.mark.parametrize("dtype", [dtype for dtype in WEIGHT_TYPES if dtype], ids=str)
def test_light_arcs_are_those_up_to_a_weight(dtype):
    graph = near(500, 5000, dtype, 3)
    light = light_first.light_arcs(graph, 2.0, 3)
    assert light is light_first.light_arcs(graph, 2.0, 1)  # made once
    kept = graph.weights <= light.heaviest
    offsets, heads, weights = light.rows
    if np.dtype(dtype).kind != "f":  # packed: n is 500
        heads, weights = heads & 511, (heads >> 9).astype(dtype)
    assert heads.tolist() == graph.heads[kept].tolist()
    assert bits(weights) == bits(graph.weights[kept])
    assert offsets.tolist() == [0, *np.cumsum(kept)[graph.offsets[1:] - 1]]
    assert 0.5 < light.arc_count / (2 * graph.n) < 2


def test_far_away():
    """A long path with many arcs to each vertex: after a few stages there are none any more."""
    n = 3000
    tails = np.repeat(np.arange(n), 8)
    heads = np.minimum(tails + np.tile(np.arange(1, 9), n), n - 1)
    weights = np.random.default_rng(1).integers(1, 100, tails.size).astype(np.uint32)
    graph = pf.Graph.from_edges(tails, heads, weights, directed=False)
    expected = pf.shortest_paths(graph, 0, method="dijkstra").distance
    for threads in (1, 2):
        paths = pf.shortest_paths(graph, 0, method="light_first", threads=threads)
        assert bits(paths.distance) == bits(expected)
        assert paths.stats.edges_relaxed < 1.5 * graph.m


def test_distances_that_do_not_fit():
    """Sums near the end of the range: the horizon stops there, and what does not fit is computed in a wider type."""
    graph = pf.Graph.from_edges(
        [0, 1, 2, 0, 3], [1, 2, 3, 3, 4], np.array([2**31, 2**31 - 2, 5, 2**32 - 2, 7], np.uint32), directed=False
    )
    for light in LIGHT:
        for threads in (1, 2):
            paths = pf.shortest_paths(graph, 0, method="light_first", light=light, threads=threads)
            assert paths.distance.tolist() == [0, 2**31, 2**32 - 2, 2**32 - 2, 2**32 + 5]


def test_next_to_nothing():
    """Floats so small that the end of a level is rounded to a distance in it."""
    for seed in (0, 20, 22, 25):
        rng = np.random.default_rng(seed)
        tails, heads = rng.integers(0, 400, (2, 1200))
        weights = (rng.random(1200) * 1e-44).astype(np.float32)
        graph = pf.Graph.from_edges(tails, heads, weights, n=400, directed=bool(seed % 2))
        expected = pf.shortest_paths(graph, 0, method="dijkstra").distance
        for light in (2.0, 5.0):
            for threads in (1, 2):
                paths = pf.shortest_paths(graph, 0, method="light_first", light=light, threads=threads)
                assert bits(paths.distance) == bits(expected)


@pytest.mark.parametrize("threads", [1, 2])
def test_sums_that_would_wrap_around(threads):
    # looking back from 41 at 1 would see 2**32 + 5, which is 5
    heavy = 2**32 - 2**30 + 5
    tails, heads = [*[0] * 40, 1], [*range(1, 41), 41]
    star = pf.Graph.from_edges(tails, heads, np.array([*[2**30] * 40, heavy], np.uint32), directed=False)
    paths = pf.shortest_paths(star, 0, method="light_first", light=1.0, threads=threads)
    assert paths.distance[[1, 41]].tolist() == [2**30, 2**32 + 5]
    # the second horizon would be 2**32, which is 0
    path = pf.Graph.from_edges([0, 1, 2], [1, 2, 3], np.array([2**31, 2**30, 2**29], np.uint32), directed=False)
    paths = pf.shortest_paths(path, 0, method="light_first", light=1000.0, threads=threads)
    assert paths.distance.tolist() == [0, 2**31, 2**31 + 2**30, 2**31 + 2**30 + 2**29]


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64", "float32", "float64"])
def test_weights_near_the_end_of_the_range(dtype):
    """Where a sum does not fit, the type is widened or the error is raised, as by any other method."""
    most = np.finfo(dtype).max if dtype.startswith("f") else np.iinfo(dtype).max
    for seed in range(30):
        rng = np.random.default_rng(seed)
        n, m = 60, 400
        tails, heads = rng.integers(0, n, (2, m))
        weights = (rng.random(m) * float(most) * rng.choice([0.01, 0.2, 0.45])).astype(dtype)
        graph = pf.Graph.from_edges(tails, heads, weights, n=n, directed=False)
        try:
            expected = pf.shortest_paths(graph, 0, method="dijkstra").distance
        except pf.DistanceOverflowError:
            expected = None
        for light in (1.0, 3.0, 8.0):
            for threads in (1, 2):
                try:
                    found = pf.shortest_paths(graph, 0, method="light_first", light=light, threads=threads).distance
                except pf.DistanceOverflowError:
                    found = None
                assert (found is None) == (expected is None)
                assert found is None or bits(found) == bits(expected)


@pytest.mark.parametrize("threads", [1, 2])
def test_cutoff_between_two_horizons(threads):
    graph = near(400, 6000, "uint32", 9)
    true = dijkstra(graph, 0)
    for light in (0.3, 1.0, 5.0):
        for cutoff in range(max(true.values()) + 2):
            paths = pf.shortest_paths(graph, 0, method="light_first", light=light, threads=threads, cutoff=cutoff)
            within = {v: d for v, d in true.items() if d <= cutoff}
            assert bits(paths.distance) == bits(as_array(within, graph.n, "uint32"))


@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_settled_without_a_queue_is_counted(threads):
    weights = np.repeat([1, 100], [90, 10]).astype(np.uint32)
    star = pf.Graph.from_edges(np.zeros(100, int), np.arange(1, 101), weights, directed=False)
    paths = pf.shortest_paths(star, 0, method="light_first", light=0.9, threads=threads, trace=True)
    assert paths.trace["frontier"].sum() == paths.stats.vertices_processed == 101
    assert paths.trace["edges_relaxed"].sum() == paths.stats.edges_relaxed
    assert len(paths.trace) == paths.stats.iterations
    assert paths.trace["distance_high"][-1] == 100


@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_not_reached_is_not_processed(threads):
    leaves, others = np.arange(1, 601), np.arange(601, 1000)  # a star, and a path elsewhere
    tails, heads = np.r_[np.zeros(600, int), others[:-1]], np.r_[leaves, others[1:]]
    graph = pf.Graph.from_edges(tails, heads, np.ones(tails.size, np.uint32), n=1000, directed=False)
    paths = pf.shortest_paths(graph, 0, method="light_first", threads=threads, trace=True)
    assert paths.stats.vertices_processed == np.count_nonzero(paths.reached) == 601
    assert paths.trace["edges_relaxed"].sum() == paths.stats.edges_relaxed


def test_auto_takes_it_where_it_pays():
    graph = pf.generate.kronecker(16, 16, seed=1)
    stats = pf.shortest_paths(graph, 0, threads=1).stats
    assert (stats.method, stats.reason) == ("light_first", "many arcs per vertex")
    for options in ({"targets": [3]}, {"cutoff": 20}, {"trace": True}):
        assert pf.shortest_paths(graph, 0, **options).stats.method == "delta_stepping"
    equal = graph.with_weights(np.full(graph.m, 7, np.uint32))
    assert pf.shortest_paths(equal, 0).stats.method == "delta_stepping"
    assert equal._derived.peek("light_arcs") is None  # all arcs would be light: a copy of the graph


@pytest.mark.parametrize("light", [0, -1.0, float("nan"), float("inf"), "many", True, None])
def test_bad_light(light):
    graph = pf.generate.grid(3, 3)
    with pytest.raises(pf.PathfrontError, match="light is"):
        pf.shortest_paths(graph, 0, method="light_first", light=light)
    assert pf.shortest_paths(graph, 0, method="light_first", light=1e308).reached.all()
