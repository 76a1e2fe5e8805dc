"""Schedules on GPUs, or emulated where there is none: every variant, strategy, type, and way to end a search."""

from __future__ import annotations

import os
import signal
import threading
import time
import traceback

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from oracles import as_array, bellman_ford, certify, dijkstra
from pairwise import cells_of
from pathfront import warp_runtime
from pathfront.devices import names
from pathfront.devices.gpu import launching, resident, schedules
from pathfront.devices.protocol import TRAVERSALS
from test_bulk import AXES, IDS, NEGATIVE, ON_MATRICES, VARIANTS, every_variant, prove, zoo_with_answers
from test_methods import bits, cycle_length, graphs
from zoo import GPUS, WEIGHT_TYPES

pytestmark = pytest.mark.gpu

every_gpu = pytest.mark.parametrize("device", GPUS)


@every_gpu
@every_variant
@pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
def test_zoo(method, options, dtype, device, full):
    zoo = zoo_with_answers(dtype)
    here = (VARIANTS.index((method, options)), dtype)
    animals = [zoo[animal] for (animal,) in cells_of(here, *AXES, tuple(range(len(zoo))), full=full)]
    if full and options.get("buckets") == 64 and dtype != "float32":
        animals = animals[::6]  # 64 buckets are recorded one by one, for each graph anew
    for graph, expected in animals:
        prove(graph, expected, method=method, device=device, **options)


@pytest.fixture
def width(monkeypatch, request):
    """Several blocks, with several threads each, which are fibers on a CPU."""
    monkeypatch.setattr(launching, "blocks", request.param[0])
    monkeypatch.setattr(launching, "block_dim", request.param[1])


@pytest.mark.parametrize("width", [(1, 4), (3, 33)], ids=str, indirect=True)
@pytest.mark.parametrize("dtype", ["uint32", "float64"])
@pytest.mark.parametrize("traversal", TRAVERSALS)
@pytest.mark.usefixtures("width")
def test_blocks_of_several_threads(traversal, dtype):
    for graph, expected in zoo_with_answers(dtype):
        prove(graph, expected, method="workfront_sweep", device="emulated", traversal=traversal)


@pytest.mark.parametrize("width", [(2, 8)], ids=str, indirect=True)
@pytest.mark.usefixtures("width")
@every_variant
def test_blocks_of_several_threads_in_every_variant(method, options):
    graph = pf.generate.random(3_000, 24_000, weights="int:1:100", seed=3)
    prove(graph, pf.shortest_paths(graph, 0, method="dijkstra").distance, method=method, device="emulated", **options)


@pytest.mark.parametrize("width", [(4, 16)], ids=str, indirect=True)
@pytest.mark.usefixtures("width")
@pytest.mark.parametrize("traversal", TRAVERSALS)
def test_vertices_of_every_size(traversal):
    """For a lane, a warp, a block and more, side by side in one queue."""
    degrees = np.array([0, 1, 2, 31, 32, 33, 255, 256, 257, 1000, 5000, 0, 3] * 5)
    hubs = np.arange(1, degrees.size + 1)
    tails = np.concatenate([np.zeros(degrees.size, int), np.repeat(hubs, degrees)])
    leaves = np.random.default_rng(1).integers(degrees.size + 1, 20_000, degrees.sum())
    graph = pf.Graph.from_edges(tails, np.concatenate([hubs, leaves]), np.arange(tails.size) % 97 + 1, n=20_000)
    expected = pf.shortest_paths(graph, 0, method="dijkstra").distance
    for method in ("workfront_sweep", "near_far"):
        prove(graph, expected, method=method, device="emulated", traversal=traversal)


@every_gpu
def test_breadth_first(device):
    for graph, expected in zoo_with_answers(None):
        prove(graph, expected, method="bfs", device=device)
    graph = pf.generate.grid(30, 40, weights="unit", seed=1)
    assert pf.shortest_paths(graph, 5, device=device).stats.method == "bfs"
    for options in ({"cutoff": 7}, {"targets": [33, 50]}, {"trace": True}):
        expected = pf.shortest_paths(graph, 5, method="dijkstra", **options)
        paths = pf.shortest_paths(graph, 5, method="bfs", device=device, **options)
        assert bits(paths.distance) == bits(expected.distance)
        assert paths.radius == expected.radius
        certify(paths)
    assert paths.trace["frontier"].sum() == graph.n


@every_gpu
@pytest.mark.parametrize(("method", "options"), ON_MATRICES, ids=str)
@pytest.mark.parametrize("dtype", [t for t in WEIGHT_TYPES if t], ids=str)
def test_matrices(method, options, dtype, device):
    rng = np.random.default_rng(4)
    for n, density in ((1, 1.0), (70, 0.2), (90, 0.9)):
        matrix = rng.integers(0, 30, (n, n)).astype(dtype)
        matrix[rng.random((n, n)) >= density] = 99
        kept = pf.Graph.from_dense(matrix, no_edge=99, keep_dense=True)
        listed = pf.Graph.from_dense(matrix, no_edge=99)
        expected = pf.shortest_paths(listed, 0, method="dijkstra")
        paths = pf.shortest_paths(kept, 0, method=method, device=device, **options)
        assert kept._derived.peek("csr") is None, "converted behind the user's back"
        assert bits(paths.distance) == bits(expected.distance)
        assert pf.verify(listed, paths)
        traced = pf.shortest_paths(kept, 0, method=method, device=device, trace=True, **options)
        assert traced.trace["edges_relaxed"].sum() == traced.stats.edges_relaxed == paths.stats.edges_relaxed
        rows = traced.trace
        if options.get("direction") == "predecessors":  # only the frontier's entries of a row are read
            assert (rows["edges_relaxed"] == rows["frontier"] * rows["working"]).all()
        else:
            assert (rows["edges_relaxed"] == rows["frontier"] * n).all()
        here = pf.shortest_paths(kept, 0, method=method, trace=True, **options).trace
        read = here["working"] if options.get("direction") == "predecessors" else here["frontier"]
        assert (here["edges_relaxed"] == read * n).all(), "a CPU reads whole rows"
        near = pf.shortest_paths(kept, 0, method=method, device=device, cutoff=11, **options)
        assert bits(near.distance) == bits(pf.shortest_paths(listed, 0, cutoff=11).distance)


FEW = [case for case, name in zip(VARIANTS, IDS, strict=True) if "64" not in name]


@every_gpu
@examples(15)
@given(graph=graphs(st.integers(0, 9)), source=st.integers(0, 29))
def test_random_graphs(device, graph, source):
    source %= graph.n
    expected = as_array(dijkstra(graph, source), graph.n, graph.weights.dtype)
    for method, options in FEW:
        prove(graph, expected, source, method=method, device=device, **options)


@every_gpu
@examples(15)
@given(
    graph=graphs(st.integers(0, 9)),
    source=st.integers(0, 29),
    cutoff=st.integers(0, 40),
    targets=st.lists(st.integers(0, 29), min_size=1, max_size=3),
)
def test_cutoff_and_targets(device, graph, source, cutoff, targets):
    source, targets = source % graph.n, [t % graph.n for t in targets]
    near = pf.shortest_paths(graph, source, method="dijkstra", cutoff=cutoff)
    some = pf.shortest_paths(graph, source, method="dijkstra", targets=targets)
    for method, options in FEW:
        for expected, limits in ((near, {"cutoff": cutoff}), (some, {"targets": targets})):
            paths = pf.shortest_paths(graph, source, method=method, device=device, **limits, **options)
            assert bits(paths.distance) == bits(expected.distance)
            assert paths.radius == expected.radius
            certify(paths)


@every_gpu
@pytest.mark.parametrize(("method", "options"), NEGATIVE, ids=str)
@examples(25)
@given(graph=graphs(st.integers(-3, 9)), source=st.integers(0, 29))
def test_negative_weights(method, options, device, graph, source):
    source %= graph.n
    expected = bellman_ford(graph, source)
    if expected is None:
        with pytest.raises(pf.NegativeCycleError) as caught:
            pf.shortest_paths(graph, source, method=method, device=device, **options)
        assert cycle_length(graph, caught.value.cycle) < 0
        return
    paths = pf.shortest_paths(graph, source, method=method, device=device, **options)
    assert paths.distance.tolist() == as_array(expected, graph.n, graph.weights.dtype).tolist()
    certify(paths)


@every_gpu
@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_arcs_that_add_nothing_in_a_circle(dtype, device):
    """Parents must form a tree though every vertex of a circle is as far away as the one before."""
    ring = np.arange(1, 2000)
    tails = np.concatenate([[0], ring, ring])
    heads = np.concatenate([[777], np.roll(ring, -1), np.roll(ring, 1)])
    graph = pf.Graph.from_edges(tails, heads, np.array([5, *np.zeros(2 * ring.size, int)], dtype))
    for method in ("near_far", "bellman_ford_edges", "crauser"):
        paths = pf.shortest_paths(graph, 0, method=method, device=device)
        assert set(paths.distance[1:].tolist()) == {5}
        certify(paths)


@every_gpu
@pytest.mark.parametrize("dtype", ["uint32", "int32", "float32"])
def test_distances_that_do_not_fit_are_widened(dtype, device):
    large = np.finfo(dtype).max if dtype == "float32" else np.iinfo(dtype).max - 1
    graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 3], np.array([large, large, 7], dtype))
    for method in ("near_far", "workfront_sweep", "bellman_ford_edges", "crauser"):
        expected = pf.shortest_paths(graph, 0, method="dijkstra")
        paths = pf.shortest_paths(graph, 0, method=method, device=device)
        assert paths.distance.dtype == expected.distance.dtype
        assert bits(paths.distance) == bits(expected.distance)
        assert pf.verify(graph, paths)


@every_gpu
@pytest.mark.parametrize("dtype", ["int64", "uint64", "float64"])
def test_distances_that_fit_no_type_are_an_error(dtype, device):
    large = np.finfo(dtype).max if dtype == "float64" else np.iinfo(dtype).max - 1
    graph = pf.Graph.from_edges([0, 1], [1, 2], np.array([large, large], dtype))
    with pytest.raises(pf.DistanceOverflowError, match="does not fit"):
        pf.shortest_paths(graph, 0, method="near_far", device=device)


REAL = ["dimacs9/USA-road-d.NY.gr.gz", "snap/soc-Slashdot0902.txt.gz", "kronecker-18"]


@every_gpu
@pytest.mark.parametrize("name", REAL)
def test_real_graphs_by_every_method(name, device, data):
    graph = pf.generate.kronecker(18, seed=1) if name == "kronecker-18" else pf.read(data(name))
    if graph.weights is None:
        graph = pf.generate.weigh(graph, "int:1:255", seed=1)
    source = int(np.argmax(np.diff(graph.offsets)))
    expected = bits(pf.shortest_paths(graph, source, method="dijkstra").distance)
    for method in pf.methods.names():
        description = pf.methods.get(method)
        if device in description.devices and not description.unit_weights:
            paths = pf.shortest_paths(graph, source, method=method, device=device)
            assert bits(paths.distance) == expected, method
            assert pf.verify(graph, paths), method


class TestTraces:
    @every_gpu
    @every_variant
    def test_they_add_up(self, method, options, device):
        graph = pf.generate.grid(12, 12, seed=1)
        paths = pf.shortest_paths(graph, 0, method=method, device=device, trace=True, **options)
        rows = paths.trace
        assert len(rows) == paths.stats.iterations
        assert rows["frontier"].sum() == paths.stats.vertices_processed
        assert rows["edges_relaxed"].sum() == paths.stats.edges_relaxed
        assert (rows["distance_low"] <= rows["distance_high"]).all()
        assert rows["distance_low"][-1] <= paths.distance.max() <= rows["distance_high"][-1]
        plain = pf.shortest_paths(graph, 0, method=method, device=device, **options)
        assert plain.stats.edges_relaxed == paths.stats.edges_relaxed

    @every_gpu
    @pytest.mark.parametrize(
        ("method", "options"), [("bucketing", {"organise": "sort"}), ("bellman_ford_vertices", {}), ("martin", {})]
    )
    def test_relaxing_and_organising_take_time(self, method, options, device):
        paths = pf.shortest_paths(pf.generate.grid(30, 30), 0, method=method, device=device, trace=True, **options)
        relaxing, organising = (paths.stats.extra[f"{name}_seconds"] for name in ("relaxing", "organising"))
        assert relaxing > 0
        assert organising > 0
        assert relaxing + organising <= paths.stats.seconds

    @every_gpu
    def test_columns_are_those_of_the_cpu(self, device):
        graph = pf.generate.grid(12, 12, seed=1)
        for method, options in VARIANTS:
            here = pf.shortest_paths(graph, 0, method=method, device=device, trace=True, **options).trace
            assert here.dtype == pf.shortest_paths(graph, 0, method=method, trace=True, **options).trace.dtype

    @every_gpu
    def test_there_is_room_for_any_number_of_rows(self, device, monkeypatch):
        monkeypatch.setattr(schedules, "_ROWS", 3)
        paths = pf.shortest_paths(pf.generate.chain(50), 0, method="near_far", device=device, trace=True)
        assert len(paths.trace) == paths.stats.iterations > 20

    @every_gpu
    @pytest.mark.parametrize("method", ["martin", "crauser"])
    def test_launched_and_working_threads(self, method, device):
        graph = pf.generate.random(1000, 7000, weights="int:1:10", seed=1)
        pushed, pulled = (
            pf.shortest_paths(graph, 0, method=method, device=device, direction=direction, trace=True).trace
            for direction in ("successors", "predecessors")
        )
        assert (pushed["working"] == pushed["frontier"]).all()
        assert pulled["working"][0] == 999  # all but the source
        assert (np.diff(pulled["working"].astype(int)) == -pulled["frontier"][1:].astype(int)).all()
        assert (pulled["frontier"] == pushed["frontier"]).all()


@every_gpu
def test_the_papers_order_holds(device):
    """Limits that reach less far never need fewer iterations; a wide delta is Workfront Sweep."""
    graph = pf.generate.random(3000, 21000, weights="int:1:10", seed=2)

    def iterations(method, **options):
        return pf.shortest_paths(graph, 0, method=method, device=device, **options).stats.iterations

    assert iterations("crauser") <= iterations("crauser", variant="economic") <= iterations("martin")
    assert iterations("near_far", delta=1e9) == iterations("workfront_sweep") <= iterations("near_far", delta=1)


class TestOutputs:
    @every_gpu
    @pytest.mark.parametrize("dtype", ["uint32", "float64"])
    def test_answers_stay_on_the_device(self, dtype, device):
        graph = pf.generate.grid(20, 20, seed=1)
        graph = graph.with_weights(graph.weights.astype(dtype))
        expected = pf.shortest_paths(graph, 3)
        for method in ("near_far", "bfs", "auto", "delta_stepping", "adds"):
            if method == "bfs" or device not in pf.methods.get(method).devices:
                continue
            there = pf.shortest_paths(graph, 3, method=method, device=device, output="device")
            again = pf.shortest_paths(graph, 9, method=method, device=device, output="device")
            assert not isinstance(there.distance, np.ndarray)
            if device == "emulated":
                assert np.from_dlpack(there.distance).tolist() == expected.distance.tolist()
                assert np.asarray(there.parent).dtype == np.uint32
            assert there.distance.numpy().tolist() == expected.distance.tolist(), "changed by the next search"
            assert pf.verify(graph, there)
            assert there.path_to(399)[0] == 3
            assert again.distance_to(9) == 0
            assert there.reached.all()

    def test_arrays_of_a_device_make_a_graph(self):
        wp = warp_runtime.warp()
        arrays = [wp.array(values, dtype=wp.int32, device="cpu") for values in ([0, 1], [1, 2], [7, 8])]
        graph = pf.Graph.from_edges(*arrays)
        assert pf.shortest_paths(graph, 0).distance.tolist() == [0, 7, 15]

    def test_arrays_of_a_gpu_are_copied(self):
        class Tensor:
            """What Warp takes for an array of a GPU, in memory that it can reach here."""

            __cuda_array_interface__ = {}  # noqa: RUF012, as libraries have it

            def __init__(self, values):
                self._values = np.array(values, np.int32)

            def __dlpack__(self, **options):
                return self._values.__dlpack__()

            def __dlpack_device__(self):
                return self._values.__dlpack_device__()

        graph = pf.Graph.from_edges(Tensor([0, 1]), Tensor([1, 2]), Tensor([7, 8]))
        assert pf.shortest_paths(graph, 0, targets=Tensor([1])).distance.tolist()[:2] == [0, 7]
        assert pf.distance_matrix(graph, Tensor([1, 0])).tolist()[1] == [0, 7, 15]


class TestPrograms:
    @every_gpu
    def test_they_are_used_again(self, device):
        graph = pf.generate.grid(10, 10, seed=1)
        for source in (0, 7, 50):
            pf.shortest_paths(graph, source, method="near_far", device=device, delta=5)
        assert len(schedules._cache._of[graph]) == 1

    @every_gpu
    def test_they_do_not_pile_up_and_die_with_their_graph(self, device):
        graph = pf.generate.grid(10, 10, seed=1)
        for delta in range(1, 8):
            pf.shortest_paths(graph, 0, method="near_far", device=device, delta=delta)
        assert len(schedules._cache._of[graph]) <= 2
        before = len(schedules._cache._of)
        del graph
        assert len(schedules._cache._of) == before - 1

    @every_gpu
    def test_a_search_that_is_left_early_leaves_nothing_behind(self, device):
        graph = pf.generate.grid(25, 25, seed=1)
        expected = pf.shortest_paths(graph, 0, method="dijkstra").distance.tolist()
        for method, options in FEW:
            pf.shortest_paths(graph, 0, method=method, device=device, targets=[45], **options)
            found = pf.shortest_paths(graph, 0, method=method, device=device, **options)
            assert found.distance.tolist() == expected

    @every_gpu
    def test_many_callers_at_once(self, device):
        graph = pf.generate.random(5_000, 30_000, seed=1)
        expected = {s: pf.shortest_paths(graph, s, method="dijkstra").distance.tolist() for s in range(4)}
        searches = [(name, {}) for name in ("near_far", "crauser", "bellman_ford_vertices")]
        searches += [("workfront_sweep", {"traversal": traversal}) for traversal in TRAVERSALS]
        wrong = []

        def search(source):
            for _ in range(5):
                for method, options in searches:
                    found = pf.shortest_paths(graph, source, method=method, device=device, **options)
                    if found.distance.tolist() != expected[source]:
                        wrong.append((source, method))

        callers = [threading.Thread(target=search, args=(s,)) for s in range(4)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
        assert wrong == []

    def test_memory_is_claimed_and_copied_under_the_lock(self, monkeypatch):
        """Whatever another caller does to a GPU during a capture becomes part of it; emulated it would do no harm."""
        wp, outside = warp_runtime.warp(), []

        def watch(owner, name, counts=lambda *_, **__: True):
            right = getattr(owner, name)

            def watched(*arguments, **named):
                if counts(*arguments, **named) and not warp_runtime.lock._is_owned():
                    outside.append((name, "".join(traceback.format_stack(limit=4)[:-1])))
                return right(*arguments, **named)

            monkeypatch.setattr(owner, name, watched)

        first = pf.generate.random(300, 1500, seed=1)
        graphs_of = [first.with_weights(first.weights.astype(dtype)) for dtype in ("uint32", "float64")]
        methods = [name for name in pf.methods.names() if "emulated" in pf.methods.get(name).devices]
        for graph in graphs_of:
            for method in methods:  # their kernels are made before anything is watched
                if not pf.methods.get(method).unit_weights:
                    pf.shortest_paths(graph, 0, method=method, device="emulated")
        watch(wp.array, "__init__", lambda _, data=None, *__, **named: data is not None or "shape" in named)
        watch(wp.array, "numpy")
        for name in ("copy", "clone", "zeros", "empty", "full", "launch", "launch_tiled", "load_module"):
            watch(wp, name)
        for graph in graphs_of:
            for method in methods:
                if pf.methods.get(method).unit_weights:
                    continue
                again = graph.with_weights(graph.weights)
                pf.shortest_paths(again, 0, method=method, device="emulated", targets=[7], trace=True)
                paths = pf.shortest_paths(again, 0, method=method, device="emulated", output="device")
                assert paths.path_to(7)[0] == 0
        assert outside == []

    @every_gpu
    def test_without_captured_loops(self, device, monkeypatch):
        """Drivers before CUDA 12.4 have none: then the host looks at the conditions."""
        monkeypatch.setattr(names, "captures_loops", lambda device: False)
        graph = pf.generate.grid(12, 12, seed=1)
        graph = graph.with_weights(graph.weights.astype("float64"))
        expected = pf.shortest_paths(graph, 0, method="dijkstra").distance
        for method, options in VARIANTS:
            prove(graph, expected, method=method, device=device, **options)

    @pytest.mark.serial
    def test_after_a_fork(self):
        graph = pf.generate.random(5_000, 30_000, seed=1)
        expected = pf.shortest_paths(graph, 0, method="near_far", device="emulated").distance.tolist()
        child = os.fork()
        if child == 0:
            found = pf.shortest_paths(graph, 0, method="near_far", device="emulated").distance.tolist()
            os._exit(0 if found == expected else 1)
        assert os.waitpid(child, 0)[1] == 0

    def test_what_does_not_fit_is_refused_before_anything_is_claimed(self, monkeypatch):
        graph = pf.generate.grid(100, 100, seed=1)
        monkeypatch.setattr(names, "free_memory", lambda device: 1000)
        with pytest.raises(MemoryError, match=r"the graph needs 0\.00 GiB on device='emulated'"):
            pf.shortest_paths(graph, 0, method="near_far", device="emulated")
        monkeypatch.setattr(names, "free_memory", lambda device: 700_000)
        with pytest.raises(pf.DeviceMemoryError, match="the search needs"):
            pf.shortest_paths(graph, 0, method="bucketing", device="emulated", buckets=64)

    @pytest.mark.parametrize("device", ["cpu", *GPUS])
    def test_settings_may_be_enormous(self, device):
        graph = pf.generate.grid(20, 20, seed=1)
        expected = pf.shortest_paths(graph, 0, method="dijkstra").distance
        prove(graph, expected, method="bucketing", device=device, delta=1e308)
        never, usual = (
            pf.shortest_paths(
                graph, 0, method="hybrid", device=device, threads=1 if device == "cpu" else None, **options
            )
            for options in ({"switch_at": 2**40}, {"switch_at": 401})
        )
        assert never.stats.iterations == usual.stats.iterations
        assert never.stats.vertices_processed == usual.stats.vertices_processed

    @pytest.mark.parametrize(("dtype", "most"), [("uint32", 100), ("float64", 50)])
    def test_rows_are_not_longer_than_warp_counts(self, dtype, most, monkeypatch):
        monkeypatch.setattr(resident, "MAX_ROW_BYTES", 400)
        for n in (most, most + 1):
            graph = pf.generate.chain(n)
            graph = graph.with_weights(graph.weights.astype(dtype))
            if n == most:
                assert pf.shortest_paths(graph, 0, method="near_far", device="emulated").reached.all()
                continue
            with pytest.raises(pf.ArgumentError, match=f"has {n} vertices, but this search takes at most {most} on"):
                pf.shortest_paths(graph, 0, method="near_far", device="emulated")

    def test_cached_programs_make_room(self, monkeypatch):
        graph = pf.generate.grid(20, 20, seed=1)
        pf.shortest_paths(graph, 0, method="near_far", device="emulated")
        monkeypatch.setattr(names, "free_memory", lambda device: 1000 if schedules._cache._of.get(graph) else 10**9)
        assert pf.shortest_paths(graph, 0, method="crauser", device="emulated").reached.all()
        assert len(schedules._cache._of[graph]) == 1


class TestInterrupts:
    """Loops of minutes, stopped after a moment."""

    LONG = staticmethod(lambda: pf.generate.grid(1200, 1200, weights="int:1:1000000", seed=1))

    @pytest.mark.serial
    @every_gpu
    @pytest.mark.parametrize("method", ["martin", "bellman_ford_edges", "workfront_sweep"])
    def test_control_c(self, method, device):
        graph = self.LONG()
        pf.shortest_paths(graph, 0, method=method, device=device, cutoff=10)  # compiled before the clock starts
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        began = time.perf_counter()
        with pytest.raises(KeyboardInterrupt):
            pf.shortest_paths(graph, 0, method=method, device=device)
        assert time.perf_counter() - began < 5
        assert pf.shortest_paths(graph, 0, method=method, device=device, cutoff=1000).distance[0] == 0

    @pytest.mark.serial
    @every_gpu
    @pytest.mark.parametrize("method", ["near_far", "delta_stepping"])
    def test_while_parents_are_found(self, method, device):
        """A long path of arcs that add nothing is one turn for each of its vertices."""
        n = 3_000_000
        tails = np.arange(n - 1)
        graph = pf.Graph.from_edges(tails, tails + 1, np.zeros(n - 1, np.int64))
        small = pf.Graph.from_edges([0], [1], np.zeros(1, np.int64))
        pf.shortest_paths(small, 0, method=method, device=device)  # compiled
        began = time.perf_counter()
        with pytest.raises(pf.TimeLimitError):
            pf.shortest_paths(graph, 0, method=method, device=device, time_limit=0.3)
        assert time.perf_counter() - began < 10

    @every_gpu
    def test_a_progress_function_that_raises(self, device):
        calls = []

        def progress(fraction):
            calls.append(fraction)
            if len(calls) == 3:
                raise RuntimeError("enough")

        with pytest.raises(RuntimeError, match="enough"):
            pf.shortest_paths(self.LONG(), 0, method="martin", device=device, progress=progress)
