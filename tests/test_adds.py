"""ADDS: every option, tiny blocks and segments, many more workers than cores; what it reports; and how it fails.

A search that makes no progress fails with the state of its queues: see PATIENCE. The parts, the races and the protocol
have tests of their own: `cpp/test_adds_queue.cpp`, `cpp/test_adds_team.cpp` and `test_adds_model.py`.
"""

from __future__ import annotations

import concurrent.futures
import csv
import itertools
import multiprocessing
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from oracles import as_array, certify, dijkstra
from pathfront.methods import adds
from python_process import run_python
from test_methods import bits, graphs
from zoo import WEIGHT_TYPES, ZOO

PATIENCE = 60.0
TINY = {"block": 2, "segment": 1, "buckets": 3, "patience": PATIENCE}


def search(graph, source, **options):
    return pf.shortest_paths(graph, source, method="adds", **({"patience": PATIENCE} | options))


@pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
@pytest.mark.parametrize("animal", ZOO)
def test_the_zoo_with_tiny_blocks(dtype, animal):
    graph = ZOO[animal](dtype)
    expected = bits(as_array(dijkstra(graph, 0), graph.n, dtype or "uint32"))
    for threads, block in itertools.product((1, 2, 5), (1, 8)):
        paths = search(graph, 0, threads=threads, **TINY | {"block": block}, parents=block == 1)
        assert bits(paths.distance) == expected
        if block == 1:
            certify(paths)


OPTIONS = st.fixed_dictionaries(
    {
        "threads": st.integers(1, 16),
        "buckets": st.integers(2, 40),
        "block": st.sampled_from([4, 16, 4096]),
        "segment": st.sampled_from([1, 2, 4]),
        "adaptive": st.booleans(),
        "delta": st.one_of(st.none(), st.floats(1e-3, 1e6)),
        "parents": st.booleans(),
    }
)


@examples(150)
@given(
    graph=graphs(st.integers(0, 9)),
    source=st.integers(0, 29),
    options=OPTIONS,
    cutoff=st.one_of(st.none(), st.integers(0, 40)),
    targets=st.one_of(st.none(), st.lists(st.integers(0, 29), min_size=1, max_size=3)),
)
def test_any_options_give_the_same_distances(graph, source, options, cutoff, targets):
    source %= graph.n
    targets = None if targets is None else [t % graph.n for t in targets]
    expected = pf.shortest_paths(graph, source, method="dijkstra", cutoff=cutoff, targets=targets)
    paths = search(graph, source, cutoff=cutoff, targets=targets, **options)
    assert bits(paths.distance) == bits(expected.distance)
    assert paths.radius == expected.radius
    assert pf.verify(graph, paths)


@pytest.mark.slow
def test_thousands_of_searches_end_and_agree():
    graph = pf.generate.random(300, 1500, weights="int:0:20", seed=3)
    expected = bits(pf.shortest_paths(graph, 0, method="dijkstra").distance)
    for i in range(3000):
        options = {"block": 1 << i % 4, "segment": 1, "buckets": 2 + i % 7}
        assert bits(search(graph, 0, threads=1 + i % 16, parents=False, **options).distance) == expected


@pytest.mark.parametrize("threads", [1, 2, 6])
@pytest.mark.parametrize("name", ["dimacs9/USA-road-d.NY.gr.gz", "snap/soc-Slashdot0902.txt.gz"])
def test_real_graphs(name, threads, data):
    graph = pf.read(data(name)).simplified()
    if graph.weights is None:
        graph = pf.generate.weigh(graph, "lognormal:0:1", seed=1, dtype="float32")
    expected = pf.shortest_paths(graph, 0, method="dijkstra")
    for options in ({}, {"block": 64, "segment": 8}, {"buckets": 2, "adaptive": False}):
        paths = search(graph, 0, threads=threads, **options)
        assert bits(paths.distance) == bits(expected.distance)
        assert pf.verify(graph, paths)


NEAR_FAR = {
    "road": lambda: pf.generate.road_like(40_000, seed=1),
    "delaunay": lambda: pf.generate.delaunay(30_000, seed=1),
}


@pytest.mark.parametrize("threads", [1, 2, 7])
@pytest.mark.parametrize("adaptive", [False, True], ids=["static", "adaptive"])
@pytest.mark.parametrize("kind", ["road", "delaunay"])
def test_few_buckets_keep_the_order_of_near_far(kind, adaptive, threads, monkeypatch):
    monkeypatch.setattr(adds, "available_cores", lambda: 2)  # feedback gives up order to fill more
    graph = NEAR_FAR[kind]()
    near_far = pf.shortest_paths(graph, 0, method="near_far", threads=1).stats
    for buckets in (2, 3, 4):
        for _ in range(5):  # the order of assignments depends on the scheduler
            stats = search(
                graph, 0, threads=threads, delta=near_far.delta, adaptive=adaptive, buckets=buckets, parents=False
            ).stats
            assert stats.vertices_processed <= 1.5 * near_far.vertices_processed, buckets


def test_far_targets_stop_the_search_early():
    graph = pf.generate.grid(300, 300, seed=1)
    whole = search(graph, 0).stats.vertices_processed
    near = search(graph, 0, targets=[5, 300])
    assert near.stats.vertices_processed < whole / 20
    assert near.reached.sum() < graph.n / 20


def test_several_callers_at_once():
    graph = pf.generate.grid(60, 60, seed=1)
    expected = bits(pf.shortest_paths(graph, 0, method="dijkstra").distance)
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        found = pool.map(lambda i: search(graph, 0, threads=1 + i % 5, **TINY), range(24))
        assert all(bits(paths.distance) == expected for paths in found)


def test_forked_children_use_it_too():
    graph = pf.generate.grid(40, 40, seed=1)
    expected = search(graph, 0, threads=4, segment=2).distance.tolist()
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    child = context.Process(target=lambda: send.send(search(graph, 0, threads=4, segment=2).distance.tolist()))
    child.start()
    assert receive.poll(60), "the forked child hangs"
    assert receive.recv() == expected
    child.join(60)


class TestMemory:
    """Blocks: as many as the items need, and a few for each bucket; an error when there are no more."""

    @pytest.mark.parametrize("threads", [1, 4])
    @pytest.mark.parametrize("buckets", [2, 32])
    def test_never_many_more_than_needed(self, threads, buckets):
        graph = pf.generate.random(20_000, 200_000, weights="int:1:255", seed=1)
        extra = search(graph, 0, threads=threads, block=16, segment=4, buckets=buckets).stats.extra
        begun, spare = buckets, buckets
        # a range that is being worked on holds its block; a push of 32 items that waits for blocks has up to three
        assert extra["excess_blocks"] <= begun + spare + 4 * threads
        assert extra["blocks_high_water"] >= extra["items_high_water"] // 16

    def test_are_used_again(self):
        graph = pf.generate.grid(200, 200, seed=1)
        extra = search(graph, 0, threads=1, block=16, segment=4).stats.extra
        assert extra["pushed"] >= 40_000
        assert extra["blocks_high_water"] * 16 < extra["pushed"] / 4

    @pytest.mark.parametrize("threads", [1, 2, 8])
    def test_too_few_are_an_error(self, threads):
        graph = pf.generate.star(5000)
        with pytest.raises(MemoryError, match="more than the 100 blocks of its option pool"):
            search(graph, 0, threads=threads, block=4, segment=2, pool=100)
        assert search(graph, 0, threads=threads, block=4, segment=2, pool=2000).reached.all()


class TestReports:
    """Stats and traces."""

    def test_a_trace_adds_up(self):
        graph = pf.generate.random(20_000, 200_000, seed=1)
        for threads in (1, 3):
            paths = search(graph, 0, threads=threads, trace=True, segment=16)
            trace, stats = paths.trace, paths.stats
            assert trace["frontier"].sum() == stats.vertices_processed
            assert trace["edges_relaxed"].sum() == stats.edges_relaxed
            assert (np.diff(trace["seconds"]) >= 0).all()
            assert 0 < trace["seconds"][-1] <= stats.seconds
            assert trace["assigned_workers"].max() <= threads
            assert 1 <= trace["urgent_buckets"].max() == stats.extra["most_urgent"] <= 4
            assert trace["near"][0] == 1
            assert trace["far"][0] == 0
            assert (trace["distance_high"] >= trace["distance_low"] + trace["delta"]).all()
            assert (np.diff(trace["labelled"].astype(int)) >= 0).all()
            assert trace["labelled"][-1] == paths.reached.sum()
            assert trace["resorted"].sum() == stats.extra["resorted"]
            assert stats.vertices_processed + trace["discarded"].sum() == stats.extra["pushed"]
            assert trace["pool_blocks"].max() <= stats.extra["blocks_high_water"]
            assert set(trace["delta"]) <= {delta for _, delta in stats.extra["deltas"]}
            assert 0 < stats.extra["utilisation"] <= 1.01

    @pytest.mark.parametrize("options", [{}, {"buckets": 2}, {"delta": 2**12}])
    def test_what_waits_is_what_is_pushed_and_not_yet_read(self, options):
        graph = pf.generate.grid(100, 100, weights="int:1:1000", seed=1)
        paths = search(graph, 0, threads=1, trace=True, adaptive=False, **options)
        rows = paths.trace
        read = np.cumsum(rows["frontier"] + rows["discarded"])
        waiting = rows["near"] + rows["far"]
        assert waiting[0] == 1
        assert waiting.max() > 50
        assert (read[:-1] + waiting[1:] <= paths.stats.extra["pushed"]).all()
        assert (rows["labelled"] <= read + np.append(waiting[1:], 0)).all()
        assert (rows["near"][rows["frontier"] > 0] > 0).all()
        if not options:  # when the head has just switched, all items may be in it
            assert (rows["far"] > 0).any()

    def test_a_trace_tells_of_assignments(self):
        graph = pf.generate.random(20_000, 200_000, seed=1)
        for _ in range(100):  # on a busy machine the manager may be through before a worker has been woken
            paths = search(graph, 0, threads=3, trace=True, segment=16)
            if paths.stats.extra["assignments"] > 0 and paths.trace["assigned_workers"].max() > 1:
                return
        pytest.fail("in 100 searches no worker was assigned anything")

    def test_delta_adapts_unless_told_not_to(self):
        graph = pf.generate.grid(150, 150, seed=1)
        moving = search(graph, 0, threads=1, delta=1)
        assert moving.stats.delta == 1
        assert [delta for _, delta in moving.stats.extra["deltas"]][:3] == [1, 2, 4]
        assert moving.stats.extra["delta_raised"] >= 4
        fixed = search(graph, 0, threads=1, delta=1, adaptive=False)
        assert [delta for _, delta in fixed.stats.extra["deltas"]] == [1]
        assert fixed.stats.iterations > 3 * moving.stats.iterations

    def test_a_large_delta_falls(self):
        graph = pf.generate.random(100_000, 1_000_000, weights="int:1:10000", seed=1)
        extra = search(graph, 0, threads=1, delta=256).stats.extra
        assert extra["delta_lowered"] >= 1

    def test_a_delta_far_too_large_falls_within_a_bucket(self):
        graph = pf.generate.grid(300, 300, weights="int:1:1000", seed=1)
        usual = search(graph, 0, threads=1).stats.vertices_processed
        for threads in (1, 2, 7):
            huge = search(graph, 0, threads=threads, delta=2**20).stats
            assert huge.extra["delta_lowered"] >= 3
            assert huge.vertices_processed < 2 * usual
        assert search(graph, 0, threads=1, delta=2**20, adaptive=False).stats.vertices_processed > 5 * usual

    def test_sorting_is_given_up_where_it_moves_too_much(self):
        # all weights differ, and delta is so small that a turn of the queue reaches hardly any vertex
        graph = pf.generate.random(5000, 40_000, weights="int:1:1000000000", seed=1)
        stats = search(graph, 0, threads=1, delta=1, adaptive=False, buckets=2).stats
        assert stats.extra["resorted"] < 40 * stats.vertices_processed

    def test_clipped_pushes_are_counted(self):
        heavy = pf.Graph.from_edges([0] * 1000, range(1, 1001), np.arange(1000, dtype=np.uint32))
        assert search(heavy, 0, delta=1, buckets=4, adaptive=False).stats.extra["clipped"] == 1000 - 4
        assert search(heavy, 0, delta=1, buckets=1024, adaptive=False).stats.extra["clipped"] == 0

    def test_two_buckets_move_the_items_that_were_clipped(self):
        graph = pf.generate.grid(150, 150, weights="int:1:1000", seed=1)
        many = search(graph, 0, threads=1, delta=64, adaptive=False).stats
        two = search(graph, 0, threads=1, delta=64, adaptive=False, buckets=2).stats
        assert two.extra["resorted"] > two.extra["clipped"] > 10_000
        assert many.extra["resorted"] == many.extra["clipped"] == 0
        assert two.vertices_processed < 1.05 * many.vertices_processed

    def test_the_command_line_writes_the_trace(self, tmp_path, monkeypatch):
        from typer.testing import CliRunner

        from pathfront.cli import app

        monkeypatch.chdir(tmp_path)
        pf.write(pf.generate.grid(20, 20, seed=1), "grid.pfg")
        arguments = [
            "solve",
            "grid.pfg",
            "-s",
            "0",
            "-m",
            "adds",
            "--option",
            "buckets=8",
            "--trace",
            "t.csv",
            "--json",
        ]
        done = CliRunner().invoke(app, arguments)
        assert done.exit_code == 0, done.output
        assert '"blocks_high_water"' in done.output
        with open("t.csv") as file:
            rows = list(csv.DictReader(file))
        assert sum(int(row["frontier"]) for row in rows) >= 400
        assert float(rows[-1]["seconds"]) > 0


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"buckets": 1}, pf.ArgumentError, "buckets is 1, but it must be at least 2"),
        ({"buckets": 2.5}, pf.ArgumentTypeError, "buckets is 2.5"),
        ({"adaptive": 1}, pf.ArgumentTypeError, "adaptive is 1"),
        ({"block": 48}, pf.ArgumentError, "block is 48, but it must be a power of two, such as 32"),
        ({"block": 4, "segment": 8}, pf.ArgumentError, "segment is 8, but a block has 4 items"),
        ({"pool": 0}, pf.ArgumentError, "pool is 0"),
        ({"patience": -1}, pf.ArgumentError, "patience is -1"),
        ({"pools": 3}, pf.MethodError, "its options are buckets, adaptive, block, segment, pool, patience"),
    ],
)
def test_wrong_options(options, error, message):
    with pytest.raises(error, match=message):
        search(pf.generate.grid(3, 3), 0, **options)


def test_a_search_without_progress_says_where_it_stands():
    with pytest.raises(pf.DeviceError, match=r"no progress(?s:.*)bucket 1: reserved 0.*(?s:.*)worker 1: idle") as error:
        search(pf.generate.grid(30, 30), 0, threads=2, patience=1e-9)
    assert "\n" not in str(error.value)  # the state is a note


def test_a_pool_too_small_for_its_buckets_is_refused_before_it_is_allocated():
    done = run_python(
        """
        import resource
        import pathfront as pf
        graph = pf.generate.grid(3, 3)
        pf.shortest_paths(graph, 0, method="adds", threads=1)
        with open("/proc/self/statm") as sizes:
            used = int(sizes.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 2**30, used + 2**30))  # 8000 blocks have 4 GB
        try:
            pf.shortest_paths(graph, 0, method="adds", threads=1, buckets=4096, block=2**16, pool=8000)
        except MemoryError as error:
            print(error)
        """
    )
    assert "more than the 8000 blocks of its option pool" in done.stdout, done.stderr


def test_many_buckets_and_tiny_blocks_cost_no_more_than_a_few_steps_each():
    graph = pf.generate.grid(100, 100, seed=1)

    def seconds(**options) -> float:
        began = time.process_time()
        pf.shortest_paths(graph, 0, method="adds", threads=1, **options)
        return time.process_time() - began

    usual = min(seconds() for _ in range(3))
    # it was 600 times as much when every block was provided by a loop over all buckets
    assert seconds(adaptive=False, buckets=4096, block=1, segment=1) < 200 * usual
