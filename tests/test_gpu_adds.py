"""ADDS as a persistent kernel, on the emulated device: every block is a thread, so what can race does.

A search that makes no progress fails with the state of its queues: see PATIENCE. Where a rule of the protocol is
broken on purpose (`adds_mutants.py`), the searches here must show it.
"""

from __future__ import annotations

import concurrent.futures
import itertools
import signal
import threading
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from oracles import as_array, certify, dijkstra
from pathfront.problem import TRACE_ROW, Problem
from test_methods import bits, graphs
from zoo import WEIGHT_TYPES, ZOO

pytest.importorskip("warp", reason="the kernels need the extra gpu")

from examples import examples
from pathfront import warp_runtime
from pathfront.devices.gpu import adds, launching, persistent

pytestmark = pytest.mark.gpu

PATIENCE = 60.0
BLOCKS = (2, 3, 5, 9, 16)
TINY = {"block": 2, "segment": 1, "buckets": 3}
# distance 20 is bucket 20, which is emptied only after the source is done: all blocks wait, none is recycled
ALL_WAIT = {"delta": 1, "adaptive": False, "buckets": 32, "block": 4, "segment": 2}


def search(graph, source, *, blocks=3, block_dim=None, **options):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(persistent, "blocks", blocks)
        patch.setattr(persistent, "block_dim", block_dim)
        options = {"patience": PATIENCE} | options
        return pf.shortest_paths(graph, source, method="adds", device="emulated", **options)


@pytest.fixture
def obey(monkeypatch):
    """Return a function that makes all kernels obey other rules."""
    warp_runtime.warp()
    from pathfront.devices.gpu.kernels import adds as kernels

    right = kernels.of

    def make(rules):
        monkeypatch.setattr(kernels, "of", lambda name, packed: right(name, packed, rules))
        # an item that was never written is one of vertex 0, not of a vertex that there is not
        monkeypatch.setattr(launching.Grid, "empty", launching.Grid.zeros)

    return make


@pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
@pytest.mark.parametrize("animal", ZOO)
def test_the_zoo(dtype, animal):
    graph = ZOO[animal](dtype)
    expected = bits(as_array(dijkstra(graph, 0), graph.n, dtype or "uint32"))
    for blocks, options in ((2, {}), (3, TINY), (5, {"block": 1, "segment": 1, "buckets": 2})):
        paths = search(graph, 0, blocks=blocks, **options, parents=blocks < 5)
        assert bits(paths.distance) == expected
        if blocks < 5:
            certify(paths)


OPTIONS = st.fixed_dictionaries(
    {
        "blocks": st.integers(2, 9),
        "buckets": st.integers(2, 40),
        "block": st.sampled_from([4, 16, 4096]),
        "segment": st.sampled_from([1, 2, 4]),
        "adaptive": st.booleans(),
        "delta": st.one_of(st.none(), st.floats(1e-3, 1e6)),
        "parents": st.booleans(),
    }
)


@examples(100)
@given(
    graph=graphs(st.integers(0, 9)),
    source=st.integers(0, 29),
    options=OPTIONS,
    cutoff=st.one_of(st.none(), st.integers(0, 40)),
    targets=st.one_of(st.none(), st.lists(st.integers(0, 29), min_size=1, max_size=3)),
)
def test_any_options_give_the_same_answers(graph, source, options, cutoff, targets):
    source %= graph.n
    targets = None if targets is None else [t % graph.n for t in targets]
    expected = pf.shortest_paths(graph, source, method="dijkstra", cutoff=cutoff, targets=targets)
    paths = search(graph, source, cutoff=cutoff, targets=targets, **options)
    assert bits(paths.distance) == bits(expected.distance)
    assert paths.radius == expected.radius
    assert pf.verify(graph, paths)


@pytest.mark.parametrize("blocks", BLOCKS)
def test_hundreds_of_searches_end_and_agree(blocks):
    graph = pf.generate.random(300, 1500, weights="int:0:20", seed=3)
    expected = bits(pf.shortest_paths(graph, 0, method="dijkstra").distance)
    for i in range(200):
        options = {"block": 1 << i % 4, "segment": 1, "buckets": 2 + i % 7}
        assert bits(search(graph, 0, blocks=blocks, parents=i % 2 == 0, **options).distance) == expected


@pytest.mark.parametrize("block_dim", [4, 32])
def test_the_threads_of_a_block_share_an_assignment(block_dim):
    """Vertices of few arcs, of many, and hubs; with `block_dim` times 8 arcs a vertex is a hub."""
    for kind, size in (("kronecker", (11,)), ("star", (2000,)), ("random", (2000, 60_000))):
        graph = getattr(pf.generate, kind)(*size, weights="int:0:30", seed=2)
        expected = pf.shortest_paths(graph, 0, method="dijkstra")
        for blocks, options in itertools.product((2, 5), ({}, TINY, {"segment": 2, "trace": True})):
            paths = search(graph, 0, blocks=blocks, block_dim=block_dim, **options)
            assert bits(paths.distance) == bits(expected.distance)
            assert pf.verify(graph, paths)
            assert "trace" not in options or paths.trace["edges_relaxed"].sum() == paths.stats.edges_relaxed


@pytest.mark.parametrize("name", ["dimacs9/USA-road-d.NY.gr.gz", "snap/soc-Slashdot0902.txt.gz"])
def test_real_graphs(name, data):
    graph = pf.read(data(name)).simplified()
    if graph.weights is None:
        graph = pf.generate.weigh(graph, "lognormal:0:1", seed=1, dtype="float32")
    expected = pf.shortest_paths(graph, 0, method="dijkstra")
    for options in ({}, {"block": 64, "segment": 8, "blocks": 5}, {"buckets": 2, "adaptive": False, "blocks": 2}):
        paths = search(graph, 0, **options)
        assert bits(paths.distance) == bits(expected.distance)
        assert pf.verify(graph, paths)


def test_a_kronecker_graph():
    graph = pf.generate.kronecker(18, seed=1)
    expected = pf.shortest_paths(graph, 0, method="dijkstra", parents=False)
    assert bits(search(graph, 0, parents=False).distance) == bits(expected.distance)


@pytest.mark.parametrize("dtype", ["uint32", "float64"])
def test_many_sources(dtype):
    graph = pf.generate.random(5000, 20_000, weights="int:1:100", seed=1)
    graph = graph.with_weights(graph.weights.astype(dtype))
    problem = Problem(
        graph=graph,
        source=7,
        distance=np.empty(graph.n, dtype),
        parent=np.empty(graph.n, np.uint32),
        threads=1,
        delta=None,
        cutoff=None,
        targets=None,
        trace=False,
        options={option.name: option.default for option in pf.methods.get("adds").options} | {"block": 8, "segment": 2},
        others=np.arange(1000, 3000, dtype=np.uint32),
    )
    there = replace(problem, device="emulated", distance=problem.distance.copy(), parent=problem.parent.copy())
    pf.methods.get("adds").run(problem)
    pf.methods.get("adds").run(there)
    assert bits(there.distance) == bits(problem.distance)
    assert ((there.parent == pf.NO_VERTEX) == (problem.parent == pf.NO_VERTEX)).all()
    rest = np.flatnonzero(there.parent != pf.NO_VERTEX)
    assert (there.distance[there.parent[rest]] < there.distance[rest]).all()


def test_far_targets_stop_the_search_early():
    graph = pf.generate.grid(300, 300, seed=1)
    whole = search(graph, 0).stats.vertices_processed
    near = search(graph, 0, targets=[5, 300])
    assert near.stats.vertices_processed < whole / 20
    assert near.reached.sum() < graph.n / 20


@pytest.mark.parametrize("dtype", ["uint32", "int32", "float32"])
def test_distances_that_do_not_fit_are_widened(dtype):
    largest = np.finfo(dtype).max if dtype == "float32" else np.iinfo(dtype).max - 1
    weights = np.array([largest, largest, 1], dtype)
    lost = pf.Graph.from_edges([0, 1, 0], [1, 2, 3], weights)
    paths = search(lost, 0)
    assert paths.distance.dtype.itemsize == 8
    assert bits(paths.distance) == bits(pf.shortest_paths(lost, 0, method="dijkstra").distance)
    found_another_way = pf.Graph.from_edges([0, 1, 0], [1, 2, 2], weights)
    assert search(found_another_way, 0).distance.dtype == dtype


def test_a_distance_beyond_64_bits_is_an_error():
    heavy = np.full(2, 2**64 - 2, np.uint64)
    with pytest.raises(pf.DistanceOverflowError):
        search(pf.Graph.from_edges([0, 1], [1, 2], heavy), 0)


class TestMemory:
    """Blocks: as many as the items need, and a few for each bucket."""

    @pytest.mark.parametrize("blocks", [2, 5])
    @pytest.mark.parametrize("buckets", [2, 32])
    def test_never_many_more_than_needed(self, blocks, buckets):
        graph = pf.generate.random(20_000, 200_000, weights="int:1:255", seed=1)
        extra = search(graph, 0, blocks=blocks, block=16, segment=4, buckets=buckets).stats.extra
        begun, spare = buckets, buckets
        # a worker holds the blocks of its range, of up to 1024 items, until all of it is done
        assert extra["excess_blocks"] <= begun + spare + (blocks - 1) * (1024 // 16 + 4)
        assert extra["blocks_high_water"] >= extra["items_high_water"] // 16

    def test_are_used_again(self):
        graph = pf.generate.grid(200, 200, seed=1)
        extra = search(graph, 0, blocks=2, block=16, segment=4).stats.extra
        assert extra["pushed"] >= 40_000
        assert extra["blocks_high_water"] * 16 < extra["pushed"] / 4

    @pytest.mark.parametrize("blocks", [2, 9])
    def test_too_few_are_an_error(self, blocks):
        graph = pf.generate.star(5000, weights="int:20:20")
        with pytest.raises(MemoryError, match="more than the 100 blocks of its option pool"):
            search(graph, 0, blocks=blocks, pool=100, **ALL_WAIT)
        assert search(graph, 0, blocks=blocks, pool=2000, **ALL_WAIT).reached.all()

    def test_are_doubled_until_they_do(self, monkeypatch):
        monkeypatch.setattr(adds, "_first_pool", lambda *_: 70)
        paths = search(pf.generate.star(5000, weights="int:20:20"), 0, **ALL_WAIT)
        assert paths.stats.extra["blocks_high_water"] > 2 * 70
        assert paths.reached.all()

    def test_more_than_a_device_can_count(self):
        with pytest.raises(pf.DeviceMemoryError, match="use device='cpu'"):
            search(pf.generate.star(50), 0, block=2**24, segment=256, buckets=200)


class TestReports:
    """Stats and traces."""

    @pytest.mark.parametrize("rows", [8, 1 << 14])
    def test_a_trace_adds_up(self, rows, monkeypatch):
        monkeypatch.setattr(adds, "samples", rows)
        graph = pf.generate.random(20_000, 200_000, seed=1)
        for blocks in (2, 4):
            paths = search(graph, 0, blocks=blocks, trace=True, segment=16)
            trace, stats = paths.trace, paths.stats
            assert 0 < len(trace) <= rows
            assert trace["frontier"].sum() == stats.vertices_processed
            assert trace["edges_relaxed"].sum() == stats.edges_relaxed
            assert (np.diff(trace["seconds"]) >= 0).all()
            assert 0 < trace["seconds"][-1] <= stats.seconds
            assert trace["assigned_workers"].max() < blocks
            assert 1 <= trace["urgent_buckets"].max() == stats.extra["most_urgent"] <= 4
            assert trace["near"][0] == 1
            assert trace["far"][0] == 0
            assert (trace["distance_high"] >= trace["distance_low"] + trace["delta"]).all()
            assert (np.diff(trace["labelled"].astype(int)) >= 0).all()
            assert trace["labelled"][-1] == paths.reached.sum()
            read = stats.vertices_processed + stats.extra["resorted"] + trace["discarded"].sum()
            assert read == stats.extra["pushed"] + stats.extra["resorted"]
            assert trace["resorted"].sum() == stats.extra["resorted"]
            assert trace["pool_blocks"].max() <= stats.extra["blocks_high_water"]
            assert set(trace["delta"]) <= {delta for _, delta in stats.extra["deltas"]}
            assert 0 < stats.extra["utilisation"] <= 1.01

    @pytest.mark.parametrize("delta", [5000, 3, 0.3, 7.25, 1e-3, 1e6])
    @pytest.mark.parametrize("dtype", ["uint32", "int64", "float32", "float64"])
    def test_a_given_delta_is_honoured_exactly(self, dtype, delta):
        """Whole distances have whole widths, at least 1; delta moves by factors of two from the width given."""
        graph = pf.generate.grid(40, 40, seed=1)
        graph = graph.with_weights(graph.weights.astype(dtype))
        for adaptive in (False, True):
            stats = search(graph, 0, delta=delta, adaptive=adaptive).stats
            exact = delta if dtype.startswith("float") else max(int(delta), 1)
            assert stats.delta == exact
            steps = {np.log2(width / max(delta, 1e-300)) for _, width in stats.extra["deltas"]}
            assert dtype in ("uint32", "int64") or all(step == round(step) for step in steps)

    def test_delta_adapts_unless_told_not_to(self):
        graph = pf.generate.grid(150, 150, seed=1)
        moving = search(graph, 0, blocks=2, delta=1)
        assert moving.stats.delta == 1
        assert [delta for _, delta in moving.stats.extra["deltas"]][:3] == [1, 2, 4]
        assert moving.stats.extra["delta_raised"] >= 4
        fixed = search(graph, 0, blocks=2, delta=1, adaptive=False)
        assert [delta for _, delta in fixed.stats.extra["deltas"]] == [1]
        assert fixed.stats.iterations > 3 * moving.stats.iterations

    def test_a_large_delta_falls(self):
        graph = pf.generate.random(100_000, 1_000_000, weights="int:1:10000", seed=1)
        assert search(graph, 0, blocks=2, delta=256).stats.extra["delta_lowered"] >= 1

    @pytest.mark.parametrize("blocks", [2, 9])
    def test_a_delta_far_too_large_falls_within_the_first_bucket(self, blocks):
        """One bucket for all distances would never be left: the feedback acts within it."""
        graph = pf.generate.grid(200, 200, seed=1)
        usual = search(graph, 0, blocks=blocks).stats
        wide = search(graph, 0, blocks=blocks, delta=2**24).stats
        assert wide.extra["delta_lowered"] >= 3
        lost = search(graph, 0, blocks=blocks, delta=2**24, adaptive=False).stats
        assert wide.vertices_processed < lost.vertices_processed / 2
        if blocks == 2:  # with more workers each step down takes more items, of which there are few here
            assert wide.vertices_processed < 2 * usual.vertices_processed

    def test_clipped_pushes_are_counted(self):
        heavy = pf.Graph.from_edges([0] * 1000, range(1, 1001), np.arange(1000, dtype=np.uint32))
        extra = search(heavy, 0, delta=1, buckets=4, adaptive=False).stats.extra
        assert extra["clipped"] == 1000 - 4
        assert extra["resorted"] > 1000 - 2 * 4  # what is clipped has no order until it is put back
        assert search(heavy, 0, delta=1, buckets=1024, adaptive=False).stats.extra["clipped"] == 0

    def test_they_are_the_same_as_on_the_cpu(self):
        graph = pf.generate.grid(50, 50, seed=1)
        here, there = pf.shortest_paths(graph, 0, method="adds", trace=True), search(graph, 0, trace=True)
        assert here.stats.extra.keys() == there.stats.extra.keys()
        common = [name for name in TRACE_ROW.names if name != "final"]
        own = ["buckets_in_use", "urgent_buckets", "assigned_workers", "assigned_items", "pool_blocks", "resorted"]
        assert list(there.trace.dtype.names) == common + own
        assert here.trace.dtype == there.trace.dtype


def work(graph, **options):
    """Return the vertices processed, in those of Near-Far with the same width."""
    standard = pf.shortest_paths(graph, 0, method="near_far", parents=False).stats
    stats = search(graph, 0, parents=False, delta=standard.delta, **options).stats
    return stats.vertices_processed / standard.vertices_processed


ORDERED = {"delaunay": (pf.generate.delaunay, (5000,)), "roads": (pf.generate.road_like, (10_000,))}
"""Graphs on which the order of vertices matters."""


@pytest.fixture(scope="module", params=ORDERED)
def ordered(request):
    generate, size = ORDERED[request.param]
    return generate(*size, seed=1)


class TestOrder:
    """The work of few buckets, which is Near-Far's as long as nothing is taken from the last one too early."""

    @pytest.mark.parametrize("adaptive", [False, True])
    @pytest.mark.parametrize("buckets", [2, 3, 4])
    def test_few_buckets_do_the_work_of_near_far(self, ordered, buckets, adaptive):
        for blocks in (2, 9):
            for _ in range(3):
                assert work(ordered, blocks=blocks, buckets=buckets, adaptive=adaptive, segment=16) <= 1.5

    def test_few_buckets_do_the_work_of_near_far_on_roads(self, data):
        graph = pf.read(data("dimacs9/USA-road-d.NY.gr.gz")).simplified()
        for buckets, adaptive in itertools.product((2, 3, 4), (False, True)):
            assert work(graph, blocks=9, buckets=buckets, adaptive=adaptive) <= 1.5

    def test_the_number_of_urgent_buckets_varies(self, ordered):
        """Never the last bucket, and no second one where a single worker always finds something in the first."""
        for buckets, most in ((2, 1), (3, 1), (4, 2), (6, 3), (32, 4)):
            extra = search(ordered, 0, blocks=9, buckets=buckets, segment=4, delta=64).stats.extra
            assert 1 <= extra["most_urgent"] <= most
        assert extra["most_urgent"] > 1

    def test_a_narrow_delta_takes_no_step_for_each_width(self):
        """Distances are a million widths apart: the head goes straight to the next that there is."""
        graph = pf.generate.chain(200, weights="int:1000000:2000000", seed=1)
        stats = search(graph, 0, delta=1, buckets=2, adaptive=False).stats
        assert stats.iterations <= 2 * graph.n
        assert stats.vertices_processed == graph.n

    def test_putting_back_has_a_bound(self):
        """Many items, all far beyond two buckets of width 1, which cannot order them."""
        graph = pf.generate.star(3000, weights="int:1:1000000000", seed=1)
        stats = search(graph, 0, delta=1, buckets=2, adaptive=False).stats
        assert stats.extra["resorted"] < 20 * graph.n
        assert stats.vertices_processed <= 2 * graph.n


@pytest.mark.parametrize("dtype", ["uint32", "uint64"])
def test_answers_may_stay_on_the_device(dtype):
    graph = pf.generate.grid(30, 30, seed=1)
    graph = graph.with_weights(graph.weights.astype(dtype))
    expected = search(graph, 0, targets=[100])
    paths = search(graph, 0, targets=[100], output="device")
    assert not isinstance(paths.distance, np.ndarray)
    assert bits(paths.distance.numpy()) == bits(expected.distance)
    assert (paths.parent.numpy() != pf.NO_VERTEX).sum() == expected.reached.sum() - 1
    assert pf.verify(graph, paths)


def test_several_callers_at_once(monkeypatch):
    monkeypatch.setattr(persistent, "blocks", 4)
    graph = pf.generate.grid(60, 60, seed=1)
    expected = bits(pf.shortest_paths(graph, 0, method="dijkstra").distance)
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        found = pool.map(
            lambda _: pf.shortest_paths(graph, 0, method="adds", device="emulated", patience=PATIENCE, **TINY),
            range(24),
        )
        assert all(bits(paths.distance) == expected for paths in found)


class TestStopping:
    """A search that would never end, because its workers do not count what they write."""

    def test_without_progress_it_says_where_it_stands(self, obey):
        from adds_mutants import STALLED

        obey(STALLED)
        with pytest.raises(
            pf.DeviceError, match=r"no progress(?s:.*)bucket 0: reserved 1, read 0(?s:.*)worker 1: idle"
        ):
            search(pf.generate.grid(30, 30), 0, parents=False, patience=0.2)

    @pytest.mark.serial
    def test_ctrl_c(self, obey):
        from adds_mutants import DAWDLING, STALLED

        obey(STALLED)
        before = threading.active_count()
        timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            search(pf.generate.grid(30, 30), 0, parents=False, blocks=5)
        timer.join()
        assert threading.active_count() == before
        obey(DAWDLING)
        assert search(pf.generate.grid(30, 30), 0, parents=False).reached.all()


class TestMutants:
    """Each rule that is broken shows; and time alone, without breaking a rule, does no harm."""

    GRAPH = pf.generate.grid(40, 40, seed=1)
    OPTIONS = ({"blocks": 3}, {"blocks": 5, "segment": 4}, {"blocks": 9, "segment": 64})

    def wrong(self, tries, graph=GRAPH, options=OPTIONS, patience=1.0):
        """Tell whether any of some searches ends wrong, or not at all within one's patience."""
        expected = bits(as_array(dijkstra(graph, 0), graph.n, "uint32"))
        for _, chosen in itertools.product(range(tries), options):
            try:
                if bits(search(graph, 0, parents=False, **{"patience": patience} | chosen).distance) != expected:
                    return True
            except pf.DeviceError:
                return True
        return False

    @pytest.mark.parametrize("mutant", ["minimum_in_two_steps", "no_counter", "trust_the_counter", "retire_when_empty"])
    def test_it_is_caught(self, mutant, obey):
        from adds_mutants import MUTANTS

        obey(MUTANTS[mutant])
        assert self.wrong(400)

    def test_the_builtin_minimum_is_caught(self, obey):
        """It takes two blocks at the same word in the same nanoseconds, which a busy machine may never show."""
        from adds_mutants import MUTANTS

        obey(MUTANTS["builtin_minimum"])
        if not self.wrong(1000):
            pytest.skip("no two blocks met in 3000 searches")

    @pytest.mark.parametrize("mutant", ["assign_the_clipped", "put_nothing_back"])
    def test_lost_order_is_caught(self, mutant, obey):
        """Answers are right without order; the work shows it."""
        from adds_mutants import UNORDERED

        graph = pf.generate.delaunay(5000, seed=1)
        obey(UNORDERED[mutant])
        assert max(work(graph, blocks=9, buckets=2, adaptive=False, segment=16) for _ in range(5)) > 1.5

    def test_dawdling_does_no_harm(self, obey):
        from adds_mutants import DAWDLING

        obey(DAWDLING)
        assert not self.wrong(10, patience=60)

    def last_push_into_a_bucket_passed(self):
        """Return a graph whose last vertex but one is pushed into a bucket before that of the vertex it comes from.

        The source's far neighbours are clipped, so delta doubles as soon as the first bucket is done. Vertex 2, at 4,
        waits in the last bucket but is now of the same level as its neighbour 3, at 5, which goes to the fourth.
        """
        far = range(5, 105)
        tails, heads = [0, 0, 2, 3, *[0] * len(far)], [1, 2, 3, 4, *far]
        return pf.Graph.from_edges(tails, heads, np.array([1, 4, 1, 1, *[1000] * len(far)], np.uint32))

    def test_time_between_sweeps_does_no_harm(self, obey):
        """Two sweeps find all that was pushed; that one is too few shows in moments a quiet machine may never have."""
        from adds_mutants import LATE

        obey(LATE)
        graph = self.last_push_into_a_bucket_passed()
        assert not self.wrong(10, graph, [{"buckets": 5, "delta": 1}], patience=60)


def test_a_width_far_too_small_takes_no_step_for_each_empty_width():
    """Few items, put back in turns into two buckets, would take ten million widths to the next distance."""
    rng = np.random.default_rng(1)
    tails, heads = rng.integers(0, 100, (2, 600))
    graph = pf.Graph.from_edges(tails, heads, rng.integers(10**6, 10**7, 600).astype(np.uint32), n=100)
    paths = search(graph, 0, delta=1, buckets=3, adaptive=False)
    assert paths.stats.extra["sweeps"] < 100_000
    assert np.array_equal(paths.distance, pf.shortest_paths(graph, 0).distance)
