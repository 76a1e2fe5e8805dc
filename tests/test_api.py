"""The one call and its result: arguments refused, results asked in every way."""

from __future__ import annotations

import math
import time
from collections import deque
from dataclasses import replace

import numpy as np
import pytest

import pathfront as pf
from pathfront.methods import auto
from pathfront.problem import Outcome, Problem
from pathfront.progress import current_limit, time_limited
from zoo import HERE

GRAPH = pf.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], [4, 10, 3, 1], n=5)
NEGATIVE = pf.Graph.from_edges([0, 1], [1, 2], [4, -3])
NAMED = pf.Graph.from_edges([0, 1], [1, 2], [4, 3], labels=["Rome", "Ostia", "Anzio"])


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        (5, pf.VertexError, r"source is 5, but the graph's vertices are 0\.\.4\."),
        (-1, pf.VertexError, r"source is -1"),
        (2**70, pf.VertexError, "source is 1180591620717411303424"),
        (1.0, pf.ArgumentTypeError, r"source is 1\.0, a float; give a vertex as an integer\."),
        (np.float64(1.0), pf.ArgumentTypeError, r"source is 1\.0, a float"),
        (True, pf.ArgumentTypeError, "source is True, a truth value"),
        (None, pf.ArgumentTypeError, "source is None, but this graph has no labels; give"),
        ("0", pf.ArgumentTypeError, "source is '0', a str"),
        ([0], pf.ArgumentTypeError, r"source is \[0\], a list"),
    ],
)
def test_bad_sources(source, error, message):
    with pytest.raises(error, match=message):
        pf.shortest_paths(GRAPH, source)


@pytest.mark.parametrize("source", [0, np.int32(0), np.uint64(0), np.array(0)])
def test_good_sources(source):
    assert pf.shortest_paths(GRAPH, source).source == 0


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"method": "astar"},
            pf.MethodError,
            "method is 'astar'; choose from adds, auto, bellman_ford,",
        ),
        ({"method": None}, pf.MethodError, "method is None"),
        (
            {"method": "bellman_ford", "speed": 3},
            pf.MethodError,
            "speed is not an option of method='bellman_ford'; it has no options",
        ),
        (
            {"device": "cuda", "method": "dijkstra"},
            pf.MethodError,
            "device is 'cuda', but method='dijkstra' runs on cpu only",
        ),
        ({"device": 7}, ValueError, "device is 7; choose from cpu, cuda, cuda:1, emulated"),
        ({"device": "emulated", "threads": 2}, ValueError, "threads is 2, but device='emulated' has its own"),
        ({"time_limit": 0}, ValueError, "time_limit is 0, but it must be greater than 0"),
        ({"time_limit": "soon"}, TypeError, "time_limit is 'soon'"),
        ({"progress": 3}, TypeError, "progress is 3, an int; give a function of one number"),
        ({"output": "torch"}, ValueError, "output is 'torch'; choose from numpy, device"),
        ({"output": "device"}, ValueError, "output is 'device', but device='cpu' has its answers in numpy's arrays"),
        ({"threads": 0}, pf.ArgumentError, "threads is 0, but it must be at least 1"),
        ({"threads": 1.5}, pf.ArgumentTypeError, r"threads is 1\.5"),
        (
            {"delta": 3, "method": "dijkstra"},
            pf.MethodError,
            "has no delta; methods with one: adds, auto, bucketing, delta_stepping, hybrid, light_first, near_far",
        ),
        ({"delta": 0}, pf.ArgumentError, "delta is 0, but it must be greater than 0"),
        ({"cutoff": -1}, pf.ArgumentError, "cutoff is -1"),
        ({"cutoff": math.nan}, pf.ArgumentError, "cutoff is nan"),
        ({"cutoff": "far"}, pf.ArgumentTypeError, "cutoff is 'far'"),
        ({"targets": []}, pf.ArgumentError, "targets is empty"),
        ({"targets": [0, 9]}, pf.VertexError, r"targets\[1\] is 9"),
        ({"targets": 7}, pf.VertexError, r"targets\[0\] is 7"),
        ({"targets": np.array(7)}, pf.VertexError, r"targets\[0\] is 7"),
        ({"parents": "no"}, pf.ArgumentTypeError, "parents is 'no', a str; give True or False"),
        ({"trace": None}, pf.ArgumentTypeError, "trace is None"),
    ],
)
def test_bad_options(options, error, message):
    with pytest.raises(error, match=message):
        pf.shortest_paths(GRAPH, 0, **options)


def test_bad_graphs():
    with pytest.raises(pf.ArgumentTypeError, match=r"graph is a list; give a pathfront\.Graph"):
        pf.shortest_paths([[0, 1]], 0)
    with pytest.raises(pf.VertexError, match="the graph's vertices are none: it is empty"):
        pf.shortest_paths(pf.Graph.from_edges([], []), 0)


def test_negative_weights_name_the_arc_and_the_cure():
    with pytest.raises(
        pf.WeightError,
        match=r"weights\[1\] is -3, but method='dijkstra' needs weights >= 0; use method='bellman_ford'\.",
    ):
        pf.shortest_paths(NEGATIVE, 0, method="dijkstra")
    with pytest.raises(pf.WeightError, match="cutoff needs weights >= 0"):
        pf.shortest_paths(NEGATIVE, 0, cutoff=3)
    paths = pf.shortest_paths(NEGATIVE, 0)
    assert paths.stats.method == "bellman_ford"
    assert paths.stats.reason == "some weights are negative"
    assert paths.distance.tolist() == [0, 4, 1]


def test_auto_honours_delta():
    paths = pf.shortest_paths(GRAPH, 0, delta=3, threads=1)
    assert (paths.stats.method, paths.stats.reason, paths.stats.delta) == (
        "delta_stepping",
        "delta is given",
        3.0,
    )
    with pytest.raises(pf.MethodError, match="bellman_ford has no delta"):
        pf.shortest_paths(NEGATIVE, 0, delta=3)


def test_auto_says_why():
    assert pf.shortest_paths(GRAPH, 0).stats.reason == "fewer than 4096 arcs"
    shared, owned = "threads share each bucket", "neighbours have close numbers: each thread owns vertices"
    large = pf.shortest_paths(pf.generate.random(110_000, 1_100_000), 0, threads=2).stats
    assert (large.method, large.reason) == ("delta_stepping", f"no weight is negative; {shared}")
    grid = pf.shortest_paths(pf.generate.grid(740, 740), 0, threads=2).stats
    assert (grid.threads, grid.reason) == (2, f"no weight is negative; {owned}")
    for small in (pf.generate.random(1000, 9000), pf.generate.grid(500, 500)):
        stats = pf.shortest_paths(small, 0, threads=2).stats
        assert (stats.threads, stats.reason) == (1, "no weight is negative; small: one thread is as fast as two")
        assert pf.shortest_paths(small, 0, threads=3).stats.reason.startswith("no weight is negative; ")
        assert pf.shortest_paths(small, 0, threads=2, method="delta_stepping").stats.reason.startswith("as asked; ")


def test_the_reason_of_a_device_that_turned_to_another_method_stays():
    def run(_):
        return Outcome(iterations=1, vertices_processed=1, edges_relaxed=1, method="bellman_ford", reason="a cycle")

    problem = Problem(graph=GRAPH, source=0, distance=np.empty(GRAPH.n, GRAPH.distance_dtype), parent=None)
    outcome = auto.solve(problem, replace(pf.methods.get("dijkstra"), run=run))
    assert (outcome.method, outcome.reason) == ("bellman_ford", "a cycle")


@pytest.mark.parametrize(
    "method", ["bellman_ford_frontier", "bfs", "bucketing", "hybrid", "near_far", "workfront_sweep"]
)
def test_stats_count_the_threads_that_worked(method):
    path = pf.Graph.from_edges(range(9), range(1, 10), weights=np.ones(9, np.uint32))  # nothing to share
    assert pf.shortest_paths(path, 0, method=method, threads=8).stats.threads == 1


def test_a_minus_zero_is_zero():
    graph = pf.Graph.from_edges([0, 1], [1, 2], [-0.0, -0.0])
    paths = pf.shortest_paths(graph, 0, method="dijkstra")
    assert not np.signbit(paths.distance).any()


class TestResult:
    paths = pf.shortest_paths(GRAPH, 0)

    def test_distances(self):
        none = np.iinfo(np.int64).max
        assert self.paths.distance.tolist() == [0, 4, 7, 8, none]
        assert self.paths.unreached == none
        assert self.paths.reached.tolist() == [True, True, True, True, False]
        assert self.paths.as_float().tolist() == [0, 4, 7, 8, math.inf]
        assert self.paths.distance_to(3) == 8
        assert type(self.paths.distance_to(3)) is int

    def test_paths(self):
        assert self.paths.path_to(3).tolist() == [0, 1, 2, 3]
        assert self.paths.path_to(0).tolist() == [0]
        edges = self.paths.edges_to(3)
        assert (edges.tails.tolist(), edges.heads.tolist(), edges.weights.tolist()) == ([0, 1, 2], [1, 2, 3], [4, 3, 1])
        assert self.paths.edges_to(0).tails.size == 0
        tree = self.paths.tree()
        assert list(zip(tree.tails.tolist(), tree.heads.tolist(), tree.weights.tolist(), strict=True)) == [
            (0, 1, 4),
            (1, 2, 3),
            (2, 3, 1),
        ]

    def test_unreachable(self):
        for ask in (self.paths.distance_to, self.paths.path_to, self.paths.edges_to):
            with pytest.raises(pf.NoPathError, match=r"vertex 4 cannot be reached from vertex 0\."):
                ask(4)
            with pytest.raises(pf.VertexError, match="vertex is 5"):
                ask(5)

    def test_not_final_is_not_an_answer(self):
        near = pf.shortest_paths(GRAPH, 0, targets=[1])
        assert near.reached.tolist() == [True, True, False, False, False]
        assert near.radius == 4
        with pytest.raises(pf.NoPathError, match="vertex 2 is farther than 4, where this search stopped"):
            near.distance_to(2)

    def test_stats(self):
        stats = self.paths.stats
        assert (stats.method, stats.device, stats.threads, stats.delta) == ("dijkstra", "cpu", 1, None)
        assert (stats.vertices_processed, stats.edges_relaxed) == (4, 4)
        assert 0 < stats.seconds < 60
        assert self.paths.mteps() > 0

    def test_not_kept(self):
        bare = pf.shortest_paths(GRAPH, 0, parents=False)
        with pytest.raises(pf.ArgumentError, match="parents=True"):
            bare.path_to(1)
        with pytest.raises(pf.ArgumentError, match="trace=True"):
            _ = bare.trace

    def test_repr(self):
        assert repr(self.paths).startswith(
            "ShortestPaths(source=0, reached=4 of 5, farthest=3 at 8, method=dijkstra, seconds="
        )

    def test_parallel_arcs_use_the_lightest(self):
        graph = pf.Graph.from_edges([0, 0, 0], [1, 1, 1], [5, 2, 9])
        assert pf.shortest_paths(graph, 0).edges_to(1).weights.tolist() == [2]

    def test_trees_use_the_lightest_of_parallel_arcs(self):
        graph = pf.Graph.from_edges([0, 0, 0, 1, 1], [1, 1, 1, 2, 2], [5.5, 2.5, 9.5, 4.5, 3.5])
        assert pf.shortest_paths(graph, 0).tree().weights.tolist() == [2.5, 3.5]

    @pytest.mark.parametrize("dtype", [None, "uint32", "int32", "uint64", "int64", "float32", "float64"])
    def test_a_tree_adds_up(self, dtype):
        graph = pf.generate.random(3000, 12_000, seed=6)
        paths = pf.shortest_paths(graph.with_weights(None if dtype is None else graph.weights.astype(dtype)), 0)
        tree = paths.tree()
        steps = np.ones(tree.heads.size, np.int64) if tree.weights is None else tree.weights
        assert tree.heads.size == np.count_nonzero(paths.reached) - 1
        assert np.array_equal(paths.distance[tree.tails] + steps, paths.distance[tree.heads])

    @pytest.mark.serial
    def test_a_large_star_and_a_long_chain_take_no_time(self):
        """What is quadratic, or a Python loop, would take minutes or seconds."""
        n = 1_000_000
        star = pf.shortest_paths(pf.generate.star(n), 0)
        chain = pf.shortest_paths(pf.generate.chain(n), 0)
        started = time.perf_counter()
        assert star.tree().weights.sum() == star.distance.sum()
        assert chain.edges_to(n - 1).weights.sum() == chain.distance_to(n - 1)
        assert time.perf_counter() - started < 5

    def test_parents_that_were_changed_lead_nowhere(self):
        for wrong in (2, 77):
            paths = pf.shortest_paths(GRAPH, 0)
            paths.parent[1] = wrong
            with pytest.raises(pf.ArgumentError, match="the parents of vertex 2 lead to no root"):
                paths.path_to(2)

    def test_hops_have_no_weights(self):
        paths = pf.shortest_paths(GRAPH.with_weights(None), 0)
        assert paths.distance.dtype == np.uint32
        assert paths.edges_to(3).weights is None
        assert paths.distance_to(3) == 2


def test_names():
    paths = pf.shortest_paths(NAMED, "Rome", targets="Anzio")
    assert paths.distance_to("Anzio") == 7
    assert paths.path_to("Anzio").tolist() == ["Rome", "Ostia", "Anzio"]
    with pytest.raises(pf.VertexError, match="no vertex is named 'Paris'"):
        pf.shortest_paths(NAMED, "Paris")
    with pytest.raises(pf.VertexError, match=r"source: no vertex is named 1; .*use pf\.index\(1\) for the vertex at"):
        pf.shortest_paths(NAMED, 1)
    with pytest.raises(pf.NoPathError, match=r"vertex 'Rome' cannot be reached from vertex 'Anzio'"):
        pf.shortest_paths(NAMED, "Anzio").distance_to("Rome")


@pytest.mark.parametrize(
    ("dtype", "cutoff", "reached"),
    [
        ("int64", 3.999, 1),
        ("int64", 4, 2),
        ("int64", 4.5, 2),
        ("uint32", 10**30, 3),
        ("float32", math.inf, 3),
        ("float32", 1e39, 3),
        ("float64", 10**400, 3),
        ("float32", 4, 2),
        ("float64", np.float32(4), 2),
        ("int32", np.int8(4), 2),
    ],
)
def test_cutoffs(dtype, cutoff, reached):
    graph = pf.Graph.from_edges([0, 1], [1, 2], np.array([4, 3], dtype))
    assert pf.shortest_paths(graph, 0, cutoff=cutoff).reached.sum() == reached


def test_a_cutoff_between_two_float32_lets_nothing_in():
    weight = np.float32(0.1)  # 0.100000001...
    graph = pf.Graph.from_edges([0], [1], np.array([weight], np.float32))
    assert pf.shortest_paths(graph, 0, cutoff=0.1).reached.tolist() == [True, False]
    assert pf.shortest_paths(graph, 0, cutoff=float(weight)).reached.tolist() == [True, True]


def test_methods_describe_themselves():
    for name in pf.methods.names():
        method = pf.methods.get(name)
        assert method.name == name
        assert method.summary.endswith(".")
        assert "cpu" in method.devices
    assert pf.methods.get("dijkstra").paper


@pytest.mark.parametrize("method", pf.methods.names())
def test_a_search_that_took_too_long_is_an_error_even_if_it_is_over(method):
    graph = pf.generate.grid(3, 3, weights="unit")
    with pytest.raises(pf.TimeLimitError, match=r"longer than its time_limit of 1e-09 seconds"):
        pf.shortest_paths(graph, 0, method=method, time_limit=1e-9)
    assert pf.shortest_paths(graph, 0, method=method, time_limit=1000).distance[8] == 4


def test_a_time_limit_holds_while_a_graph_is_prepared():
    graph = pf.generate.random(100_000, 1_000_000, seed=1)
    tails, heads = np.tile(graph.tails(), 8), np.tile(graph.heads, 8)
    with pytest.raises(pf.TimeLimitError), time_limited(0.001, None):
        deque((pf.Graph.from_edges(tails, heads) for _ in range(100)), maxlen=0)
    assert current_limit() is None


@pytest.mark.serial
@pytest.mark.parametrize(
    ("method", "device"),
    [
        ("dijkstra", "cpu"),  # the others there may end before the clock is checked
        *((method, device) for method in ("bellman_ford_edges", "martin") for device in HERE),
        *((method, "emulated") for method in ("delta_stepping", "adds")),
    ],
)
def test_a_search_has_a_time_limit(method, device):
    graph = pf.generate.grid(1500, 1500, weights="int:1:1000000", seed=1)
    pf.shortest_paths(graph, 0, method=method, device=device, cutoff=10)  # compiled, and copied to the device
    began = time.perf_counter()
    with pytest.raises(pf.TimeLimitError, match=r"longer than its time_limit of 1e-06 seconds"):
        pf.shortest_paths(graph, 0, method=method, device=device, time_limit=1e-6)
    assert time.perf_counter() - began < 5
    assert pf.shortest_paths(graph, 0, method=method, device=device, cutoff=10, time_limit=1000).distance[0] == 0
