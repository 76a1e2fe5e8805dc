"""The bulk-synchronous methods: every variant, strategy and number of threads, on lists and on matrices."""

from __future__ import annotations

import functools
import itertools
import os
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from oracles import as_array, bellman_ford, certify, dijkstra
from pairwise import cells_of
from pathfront.devices import cpu
from pathfront.devices.protocol import OPS, TRAVERSALS, Device, ScheduleError
from pathfront.problem import TRACE_ROW
from test_methods import bits, cycle_length, graphs
from zoo import WEIGHT_TYPES, ZOO

DIRECTIONS = ("successors", "predecessors")
VARIANTS: list[tuple[str, dict]] = [
    ("bellman_ford_edges", {}),
    ("bellman_ford_vertices", {}),
    ("bellman_ford_frontier", {}),
    *(("workfront_sweep", {"traversal": t}) for t in TRAVERSALS),
    *(("near_far", {"traversal": t}) for t in TRAVERSALS),
    ("near_far", {"delta": 1e-3}),
    ("near_far", {"delta": 1e9}),
    *(("bucketing", {"organise": o, "traversal": t}) for o in ("split", "sort") for t in TRAVERSALS),
    ("bucketing", {"organise": "split", "buckets": 1, "delta": 3}),
    ("bucketing", {"organise": "sort", "buckets": 64, "delta": 0.5}),
    *(("hybrid", {"switch_at": k, "traversal": t}) for k, t in zip((None, 1, 7, 40), TRAVERSALS, strict=True)),
    *((name, {"synchronous": True}) for name in ("bellman_ford_edges", "bellman_ford_vertices")),
    *(("workfront_sweep", {"traversal": t, "synchronous": True}) for t in TRAVERSALS),
    ("near_far", {"delta": 3, "synchronous": True}),
    *(("bucketing", {"organise": o, "synchronous": True}) for o in ("split", "sort")),
    ("hybrid", {"switch_at": 5, "synchronous": True}),
    ("crauser", {"synchronous": True}),
    *(("martin", {"direction": d}) for d in DIRECTIONS),
    *(("crauser", {"variant": v, "direction": d}) for v in ("general", "economic") for d in DIRECTIONS),
]
IDS = ["-".join([name, *(f"{value}" for value in options.values())]) for name, options in VARIANTS]
NEGATIVE = [(name, options) for name, options in VARIANTS if pf.methods.get(name).negative_weights]
AXES = (tuple(range(len(VARIANTS))), WEIGHT_TYPES)
THREADS = (1, 2, 7)
ON_MATRICES = [(name, options) for name, options in VARIANTS if name in ("martin", "crauser")]

every_variant = pytest.mark.parametrize(("method", "options"), VARIANTS, ids=IDS)


@pytest.fixture
def always_parallel(monkeypatch):
    """Threads share even small queues, so that small graphs show what large ones do."""
    monkeypatch.setattr(cpu, "parallel_from", 3)


def prove(graph, expected, source=0, **options):
    paths = pf.shortest_paths(graph, source, **options)
    assert paths.distance.dtype == expected.dtype
    assert bits(paths.distance) == bits(expected)
    assert pf.verify(graph, paths)
    bare = pf.shortest_paths(graph, source, parents=False, **options)
    assert bits(bare.distance) == bits(expected)


@functools.cache
def zoo_with_answers(dtype):
    made = [make(dtype) for make in ZOO.values()]
    return [(graph, as_array(dijkstra(graph, 0), graph.n, dtype or "uint32")) for graph in made]


@pytest.mark.usefixtures("always_parallel")
@every_variant
@pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
def test_zoo_in_parallel(method, options, dtype, full):
    here = (VARIANTS.index((method, options)), dtype)
    for animal, threads in cells_of(here, *AXES, tuple(range(len(ZOO))), THREADS, full=full):
        graph, expected = zoo_with_answers(dtype)[animal]
        prove(graph, expected, method=method, threads=threads, **options)


@pytest.mark.parametrize(("method", "options"), ON_MATRICES, ids=str)
@pytest.mark.parametrize("dtype", [t for t in WEIGHT_TYPES if t], ids=str)
def test_matrices(method, options, dtype, monkeypatch):
    rng = np.random.default_rng(4)
    for n, density in ((1, 1.0), (70, 0.2), (150, 0.9)):
        matrix = rng.integers(0, 30, (n, n)).astype(dtype)
        matrix[rng.random((n, n)) >= density] = 99
        kept = pf.Graph.from_dense(matrix, no_edge=99, keep_dense=True)
        listed = pf.Graph.from_dense(matrix, no_edge=99)
        expected = as_array(dijkstra(listed, 0), n, dtype)
        for threads, parallel_from in itertools.product((1, 2, 7), (None, 1)):
            monkeypatch.setattr(cpu, "parallel_from", parallel_from)
            paths = pf.shortest_paths(kept, 0, method=method, threads=threads, **options)
            assert kept._derived.peek("csr") is None, "converted behind the user's back"
            assert bits(paths.distance) == bits(expected)
            assert pf.verify(listed, paths)
            near = pf.shortest_paths(kept, 0, method=method, threads=threads, cutoff=11, **options)
            assert bits(near.distance) == bits(pf.shortest_paths(listed, 0, cutoff=11).distance)
            assert pf.verify(listed, near)


@examples(40)
@given(graph=graphs(st.integers(0, 9)), source=st.integers(0, 29), threads=st.sampled_from([1, 2, 7]))
def test_random_graphs_in_every_variant(graph, source, threads):
    source %= graph.n
    expected = as_array(dijkstra(graph, source), graph.n, graph.weights.dtype)
    before, cpu.parallel_from = cpu.parallel_from, 3
    try:
        for method, options in VARIANTS:
            prove(graph, expected, source, method=method, threads=threads, **options)
    finally:
        cpu.parallel_from = before


@examples(25)
@given(
    graph=graphs(st.integers(0, 9)),
    source=st.integers(0, 29),
    cutoff=st.integers(0, 40),
    targets=st.lists(st.integers(0, 29), min_size=1, max_size=3),
)
def test_cutoff_and_targets_in_every_variant(graph, source, cutoff, targets):
    source, targets = source % graph.n, [t % graph.n for t in targets]
    near = pf.shortest_paths(graph, source, method="dijkstra", cutoff=cutoff)
    some = pf.shortest_paths(graph, source, method="dijkstra", targets=targets)
    for method, options in VARIANTS:
        for expected, limits in ((near, {"cutoff": cutoff}), (some, {"targets": targets})):
            paths = pf.shortest_paths(graph, source, method=method, threads=2, **limits, **options)
            assert bits(paths.distance) == bits(expected.distance)
            assert paths.radius == expected.radius
            certify(paths)


@pytest.mark.parametrize(("method", "options"), NEGATIVE, ids=str)
@examples(60)
@given(graph=graphs(st.integers(-3, 9)), source=st.integers(0, 29), threads=st.sampled_from([1, 2, 7]))
def test_negative_weights_in_parallel(method, options, graph, source, threads):
    source %= graph.n
    expected = bellman_ford(graph, source)
    before, cpu.parallel_from = cpu.parallel_from, 3
    try:
        if expected is None:
            with pytest.raises(pf.NegativeCycleError) as caught:
                pf.shortest_paths(graph, source, method=method, threads=threads, **options)
            assert cycle_length(graph, caught.value.cycle) < 0
        else:
            paths = pf.shortest_paths(graph, source, method=method, threads=threads, **options)
            assert paths.distance.tolist() == as_array(expected, graph.n, graph.weights.dtype).tolist()
            certify(paths)
    finally:
        cpu.parallel_from = before


def hub_among_leaves(arcs: int) -> pf.Graph:
    """A path to a hub with a million arcs, each to a vertex of degree 1."""
    tails = np.concatenate([[0, 1], np.full(arcs, 2)])
    heads = np.concatenate([[1, 2], np.arange(3, arcs + 3)])
    return pf.Graph.from_edges(tails, heads, np.arange(arcs + 2, dtype=np.uint32) % 7)


@pytest.mark.parametrize("synchronous", [False, True])
@pytest.mark.parametrize("traversal", TRAVERSALS)
@pytest.mark.parametrize("method", ["workfront_sweep", "near_far", "bucketing"])
def test_a_hub_is_shared_by_all_threads(method, traversal, synchronous):
    graph = hub_among_leaves(1_000_000)
    paths = pf.shortest_paths(graph, 0, method=method, threads=4, traversal=traversal, synchronous=synchronous)
    assert pf.verify(graph, paths)
    shares = cpu._cache._of[graph][-1][1].shares
    assert sum(shares) == paths.stats.edges_relaxed >= 1_000_002
    if traversal in ("cooperative_blocks", "thread_per_list"):
        assert max(shares) >= 1_000_000
    else:
        assert max(shares) < 950_000, "one thread did it all"


@every_variant
def test_large_enough_to_be_shared(method, options):
    """The thresholds as they are, on a graph whose queues are long."""
    graph = pf.generate.random(30_000, 240_000, weights="int:1:100", seed=3)
    expected = pf.shortest_paths(graph, 0, method="dijkstra").distance
    for threads in (2, 7):
        paths = pf.shortest_paths(graph, 0, method=method, threads=threads, **options)
        assert bits(paths.distance) == bits(expected)
        assert pf.verify(graph, paths)


REAL = ("dimacs9/USA-road-d.NY.gr.gz", "snap/soc-Slashdot0902.txt.gz", "snap/wiki-Vote.txt.gz")


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("kind", WEIGHT_TYPES, ids=str)
def test_real_graphs(name, kind, data, full):
    graph = pf.read(data(name)).unlabelled()
    if graph.weights is None:
        graph = pf.generate.weigh(graph, "int:1:255", seed=1)
    graph = graph.with_weights(None if kind is None else graph.weights.astype(kind))
    source = int(np.argmax(np.diff(graph.offsets)))
    expected = bits(pf.shortest_paths(graph, source, method="dijkstra").distance)
    for variant, threads in cells_of((kind, name), WEIGHT_TYPES, REAL, AXES[0], THREADS, full=full):
        method, options = VARIANTS[variant]
        paths = pf.shortest_paths(graph, source, method=method, threads=threads, **options)
        assert bits(paths.distance) == expected, (method, options, threads)
        if threads == 2:
            assert pf.verify(graph, paths), (method, options)


class TestTraces:
    @every_variant
    def test_they_add_up(self, method, options):
        graph = pf.generate.grid(20, 20, seed=1)
        paths = pf.shortest_paths(graph, 0, method=method, trace=True, threads=1, **options)
        rows = paths.trace
        assert len(rows) == paths.stats.iterations
        assert rows["frontier"].sum() == paths.stats.vertices_processed
        assert rows["edges_relaxed"].sum() == paths.stats.edges_relaxed
        assert (rows["distance_low"] <= rows["distance_high"]).all()
        assert rows["distance_low"][-1] <= paths.distance.max() <= rows["distance_high"][-1]
        plain = pf.shortest_paths(graph, 0, method=method, threads=1, **options)
        assert plain.stats.edges_relaxed == paths.stats.edges_relaxed

    def test_near_and_far(self):
        rows = pf.shortest_paths(pf.generate.grid(30, 30, seed=1), 0, method="near_far", delta=50, trace=True).trace
        assert rows.dtype == TRACE_ROW
        assert (
            rows["near"] >= rows["frontier"]
        ).all()  # a vertex that is improved meanwhile is relaxed in the next row
        assert rows["far"].max() > 0
        assert set(rows["delta"]) == {50.0}
        assert (np.diff(rows["distance_high"]) >= 0).all()

    def test_buckets(self):
        graph = pf.generate.grid(30, 30, seed=1)
        rows = pf.shortest_paths(graph, 0, method="bucketing", delta=20, buckets=4, trace=True).trace
        assert [name for name in rows.dtype.names if name.startswith("bucket_")] == [f"bucket_{i}" for i in range(4)]
        assert sum(rows[f"bucket_{i}"] for i in range(4)).max() > rows["bucket_0"].max()

    @pytest.mark.parametrize("method", ["martin", "crauser"])
    def test_launched_and_working_threads(self, method):
        graph = pf.generate.random(1000, 7000, weights="int:1:10", seed=1)
        pushed = pf.shortest_paths(graph, 0, method=method, trace=True).trace
        pulled = pf.shortest_paths(graph, 0, method=method, direction="predecessors", trace=True).trace
        assert (pushed["launched"] == 1000).all()
        for rows in (pushed, pulled):  # 32 warps: each has as many threads at most as there are in a warp
            assert (rows["idle_warps"] + rows["working"] >= 32).all()
            assert (32 * (32 - rows["idle_warps"]) >= rows["working"]).all()
        assert pulled["idle_warps"][0] == 0
        assert (np.diff(pulled["idle_warps"].astype(int)) >= 0).all()
        assert (pushed["working"] == pushed["frontier"]).all()
        assert pulled["working"][0] == 999  # all but the source
        assert (np.diff(pulled["working"].astype(int)) == -pulled["frontier"][1:].astype(int)).all()
        assert (pulled["frontier"] == pushed["frontier"]).all()


def test_iterations_follow_the_theory():
    """Hops bound Workfront Sweep; a lower limit never needs fewer iterations.

    On one thread: among several, a distance that another has overwritten takes another iteration.
    """
    for graph in (pf.generate.random(3000, 21000, weights="int:1:10", seed=2), pf.generate.grid(60, 50, seed=2)):

        def iterations(method, graph=graph, **options):
            return pf.shortest_paths(graph, 0, method=method, threads=1, **options).stats.iterations

        general, economic = iterations("crauser"), iterations("crauser", variant="economic")
        assert general <= economic <= iterations("martin")
        front = iterations("workfront_sweep")
        assert front == iterations("bellman_ford_frontier")
        assert iterations("near_far", delta=1e9) == front
        assert front <= iterations("near_far", delta=5) <= iterations("near_far", delta=1)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("organise", ["split", "sort"])
def test_a_trace_says_how_long_arcs_and_queues_took(organise, threads):
    graph = pf.generate.random(20_000, 160_000, seed=1)
    options = {"method": "bucketing", "organise": organise, "threads": threads}
    assert pf.shortest_paths(graph, 0, **options).stats.extra == {}
    paths = pf.shortest_paths(graph, 0, trace=True, **options)
    relaxing, organising = (paths.stats.extra[f"{name}_seconds"] for name in ("relaxing", "organising"))
    assert relaxing > 0
    assert organising > 0
    assert relaxing + organising <= paths.stats.seconds


def test_crauser_settles_each_vertex_once():
    graph = pf.generate.random(5000, 30000, seed=2)
    reached = pf.shortest_paths(graph, 0).reached
    for method, options in VARIANTS:
        if method in ("martin", "crauser"):
            paths = pf.shortest_paths(graph, 0, method=method, threads=1, **options)
            assert paths.stats.vertices_processed == reached.sum()


class TestHandles:
    def test_they_refuse_to_be_looked_at(self):
        device = Device(busy_from=1)
        queue, scalar = device.queue(), device.scalar(1)
        for look in (bool, len, list, int, float, lambda h: h == 1, lambda h: h < 1, lambda h: h[0], lambda h: h + 1):
            for handle in (queue, scalar):
                with pytest.raises(ScheduleError, match=r"device\.repeat"):
                    look(handle)

    def test_otherwise_needs_a_when(self):
        device = Device(busy_from=1)
        with pytest.raises(ScheduleError, match="otherwise"), device.otherwise():
            pass


class TestPrograms:
    def test_they_are_used_again(self):
        graph = pf.generate.grid(10, 10, seed=1)
        pf.shortest_paths(graph, 0, method="near_far", delta=5)
        first = cpu._cache._of[graph][-1][1]
        pf.shortest_paths(graph, 7, method="near_far", delta=5, parents=False)
        assert len(cpu._cache._of[graph]) == 1
        assert cpu._cache._of[graph][-1][1] is first

    def test_every_operation_occurs_in_one(self):
        def ops(steps):
            return {step.op for step in steps}.union(*(ops(step.body) | ops(step.otherwise) for step in steps))

        found = set()
        for method, options in VARIANTS:
            graph = pf.generate.grid(10, 10, seed=1)
            pf.shortest_paths(graph, 0, method=method, **options)
            found |= ops(cpu._cache._of[graph][-1][1].device.steps)
        assert found == set(OPS)

    def test_they_do_not_pile_up(self):
        graph = pf.generate.grid(10, 10, seed=1)
        for delta in range(1, 30):
            pf.shortest_paths(graph, 0, method="near_far", delta=delta)
        assert len(cpu._cache._of[graph]) <= 8

    def test_many_callers_at_once(self):
        graph = pf.generate.random(20_000, 120_000, seed=1)
        expected = {s: pf.shortest_paths(graph, s, method="dijkstra").distance.tolist() for s in range(4)}
        wrong = []

        def search(source):
            for _ in range(5):
                for method in ("near_far", "workfront_sweep", "crauser"):
                    found = pf.shortest_paths(graph, source, method=method, threads=2).distance.tolist()
                    if found != expected[source]:
                        wrong.append((source, method))

        callers = [threading.Thread(target=search, args=(s,)) for s in range(4)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
        assert wrong == []

    @pytest.mark.serial
    def test_after_a_fork(self):
        graph = pf.generate.random(20_000, 120_000, seed=1)
        expected = pf.shortest_paths(graph, 0, method="near_far", threads=2).distance.tolist()
        child = os.fork()
        if child == 0:
            same = pf.shortest_paths(graph, 0, method="near_far", threads=2).distance.tolist() == expected
            os._exit(0 if same else 1)
        assert os.waitpid(child, 0)[1] == 0

    def test_a_search_that_is_left_early_leaves_nothing_behind(self):
        graph = pf.generate.grid(40, 40, seed=1)
        expected = pf.shortest_paths(graph, 0, method="dijkstra").distance.tolist()
        for method, options in VARIANTS:
            pf.shortest_paths(graph, 0, method=method, targets=[45], **options)
            assert pf.shortest_paths(graph, 0, method=method, **options).distance.tolist() == expected

    @pytest.mark.parametrize(
        ("method", "threads"), [("martin", 1), ("martin", 2), ("workfront_sweep", 1), ("workfront_sweep", 2)]
    )
    def test_interrupts(self, method, threads):
        """A callback that raises ends the search, and the program is fit for another."""
        from dataclasses import replace

        from pathfront.methods.method import Problem

        graph = pf.generate.grid(700, 700, weights="int:1:100000", seed=1)
        options = {option.name: option.default for option in pf.methods.get(method).options}
        distance = np.empty(graph.n, graph.weights.dtype)
        problem = Problem(graph, 0, distance, None, threads, None, None, None, False, options)

        def stop(fraction):
            raise KeyboardInterrupt

        for _ in range(20):
            try:
                pf.methods.get(method).run(replace(problem, progress=stop))
            except KeyboardInterrupt:
                break
        else:
            pytest.fail("never asked")
        pf.methods.get(method).run(problem)
        assert pf.verify(graph, problem.distance, source=0)


class TestBadOptions:
    @pytest.mark.parametrize(
        ("method", "option", "value"),
        [
            ("near_far", "traversal", "random"),
            ("bucketing", "buckets", 0),
            ("bucketing", "buckets", 65),
            ("bucketing", "buckets", 2.5),
            ("bucketing", "buckets", True),
            ("bucketing", "organise", "heap"),
            ("hybrid", "switch_at", 0),
            ("martin", "direction", "sideways"),
            ("crauser", "variant", "cheap"),
            ("crauser", "direction", None),
        ],
    )
    def test_are_named(self, method, option, value):
        with pytest.raises((ValueError, TypeError), match=f"{option} is {value!r}") as caught:
            pf.shortest_paths(pf.generate.chain(3), 0, method=method, **{option: value})
        assert isinstance(caught.value, pf.PathfrontError)


class TestKeptMatrices:
    def test_everything_else_works_on_demand(self):
        matrix = np.array([[0, 4, 9], [0, 0, 3], [1, 0, 0]])
        kept, listed = pf.Graph.from_dense(matrix, no_edge=0, keep_dense=True), pf.Graph.from_dense(matrix, no_edge=0)
        assert (kept.n, kept.m, kept.distance_dtype) == (3, 4, np.int64)
        assert kept.nbytes == 72
        for method in sorted({*pf.methods.names()} - {"bfs"}):  # which counts hops
            assert pf.shortest_paths(kept, 0, method=method).distance.tolist() == [0, 4, 7]
        assert kept.heads.tolist() == listed.heads.tolist()
        for part in ("lightest", "heaviest", "mean", "first_negative"):
            assert getattr(kept.weight_summary(), part) == getattr(listed.weight_summary(), part)
        assert kept.reverse().matrix.tolist() == kept.matrix.T.tolist()
        assert pf.shortest_paths(kept.with_labels(["a", "b", "c"]), "a", method="crauser").distance_to("c") == 7

    def test_it_can_be_pickled(self):
        import pickle

        kept = pf.Graph.from_dense([[0.5, np.inf], [2, 0]], no_edge=np.inf, keep_dense=True).with_labels(["x", "y"])
        again = pickle.loads(pickle.dumps(kept))
        assert again.matrix.tolist() == kept.matrix.tolist()
        assert again.labels.tolist() == ["x", "y"]

    def test_a_weight_that_means_no_edge_is_refused(self):
        matrix = np.array([[0, 2**32 - 1], [1, 0]], np.uint32)
        with pytest.raises(ValueError, match="4294967295"):
            pf.Graph.from_dense(matrix, no_edge=0, keep_dense=True)

    def test_negative_weights_are_named(self):
        kept = pf.Graph.from_dense([[0, -2], [1, 0]], no_edge=0, keep_dense=True)
        with pytest.raises(pf.WeightError, match="-2"):
            pf.shortest_paths(kept, 0, method="martin")

    def test_an_undirected_matrix_must_be_symmetric(self):
        with pytest.raises(ValueError, match=r"matrix\[0, 1\]"):
            pf.Graph.from_dense([[0, 2], [1, 0]], no_edge=0, keep_dense=True, directed=False)

    @pytest.mark.parametrize(("method", "options"), ON_MATRICES, ids=str)
    def test_distances_are_widened(self, method, options):
        big = 2**32 - 2
        kept = pf.Graph.from_dense(
            np.array([[0, big, 0], [0, 0, big], [0, 0, 0]], np.uint32), no_edge=0, keep_dense=True
        )
        paths = pf.shortest_paths(kept, 0, method=method, **options)
        assert paths.distance.tolist() == [0, big, 2 * big]
        assert paths.distance.dtype == np.uint64
