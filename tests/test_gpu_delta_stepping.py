"""Delta-stepping as one persistent kernel, emulated: any number of blocks and threads, against the oracle."""

from __future__ import annotations

import itertools
import os
import signal
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import pathfront as pf
from oracles import as_array, certify, dijkstra
from pathfront.devices.gpu import delta_stepping, launching, persistent
from pathfront.problem import TRACE_ROW, Problem
from pathfront.validation import available_cores
from zoo import WEIGHT_TYPES, ZOO, edges

wp = pytest.importorskip("warp")

import persistent_kernels  # noqa: E402, needs warp
from pathfront.devices.gpu.kernels import delta_search, delta_work, numbers  # noqa: E402
from pathfront.devices.gpu.kernels import delta_stepping as kernels  # noqa: E402

pytestmark = pytest.mark.gpu

METHOD = pf.methods.get("delta_stepping")


@pytest.fixture
def shape(monkeypatch):
    """Return a function that sets the blocks, their threads, and the degrees from which on threads share a vertex."""

    def change(blocks, block_dim=1, slice_from=None, warp_from=None):
        monkeypatch.setattr(persistent, "blocks", blocks)
        monkeypatch.setattr(persistent, "block_dim", block_dim)
        monkeypatch.setattr(delta_stepping, "slice_from", slice_from)
        monkeypatch.setattr(delta_stepping, "warp_from", warp_from)

    return change


def solve(graph, source=0, **options):
    return pf.shortest_paths(graph, source, method="delta_stepping", device="emulated", **options)


def bits(array):
    return array.view(f"u{array.dtype.itemsize}").tolist()


def check(graph, expected, **options):
    paths = solve(graph, **options)
    assert paths.distance.dtype == expected.dtype
    assert bits(paths.distance) == bits(expected)
    certify(paths)
    assert pf.verify(graph, paths)
    return paths


def random_graph(seed, dtype="uint32", n=60, m=400, heaviest=9):
    """A graph with arcs that weigh nothing, hubs, and many paths of equal length."""
    rng = np.random.default_rng(seed)
    tails, heads = rng.integers(0, n, m) * rng.integers(0, 2, m), rng.integers(0, n, m)
    return pf.Graph.from_edges(tails, heads, rng.integers(0, heaviest + 1, m).astype(dtype), n=n, directed=False)


@pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
@pytest.mark.parametrize("animal", ZOO)
def test_zoo(shape, dtype, animal):
    graph = ZOO[animal](dtype)
    expected = as_array(dijkstra(graph, 0), graph.n, dtype or "uint32")
    shape(2)
    check(graph, expected)
    shape(5, slice_from=7)
    check(graph, expected, delta=2)
    bare = solve(graph, parents=False)
    assert bits(bare.distance) == bits(expected)
    assert pf.verify(graph, bare)


@pytest.mark.parametrize("blocks", [2, 3, 5, 9, 16])
def test_blocks(shape, blocks):
    """Many times the same small graphs: what goes wrong between blocks does not go wrong each time."""
    shape(blocks, slice_from=5)
    deltas = itertools.cycle([None, 1, 3, 100])
    for seed in range(5):
        graph = random_graph(seed)
        expected = as_array(dijkstra(graph, 0), graph.n, "uint32")
        for _ in range(30):
            paths = solve(graph, delta=next(deltas))
            assert bits(paths.distance) == bits(expected)
            assert pf.verify(graph, paths)
        certify(paths)


@pytest.mark.parametrize("dtype", ["uint32", "float64"])
@pytest.mark.parametrize("block_dim", [4, 8, 72])
def test_blocks_of_several_threads(shape, block_dim, dtype):
    """Some blocks are less than a warp, some two warps and a part of a third, which gets no vertices."""
    for blocks, seed in itertools.product([1, 3, 5], range(8)):
        shape(blocks, block_dim, slice_from=2 + seed, warp_from=1 + seed // 2)
        graph = random_graph(seed, dtype)
        check(graph, as_array(dijkstra(graph, 0), graph.n, dtype), delta=[None, 1, 4][seed % 3])


@pytest.mark.parametrize(("warp_from", "slice_from"), [(100, 100), (2, 100), (2, 5), (2, 2)])
def test_every_tier_relaxes_each_arc_once(shape, warp_from, slice_from):
    """A thread, a warp and a block: with narrow buckets every vertex is relaxed once, whoever does it."""
    graph = pf.generate.random(500, 3000, weights="int:3:9", seed=1)
    for blocks, block_dim in itertools.product([1, 4], [1, 32, 72]):
        shape(blocks, block_dim, slice_from=slice_from, warp_from=warp_from)
        paths = check(graph, pf.shortest_paths(graph, 0).distance, delta=1)
        reached = paths.reached
        arcs = np.diff(graph.offsets)[reached].sum()
        assert (paths.stats.vertices_processed, paths.stats.edges_relaxed) == (reached.sum(), arcs)


def test_tiers_of_a_gpu():
    sizes = delta_stepping._sizes("cuda:0", launching.Grid("cuda:0", 1, 256))
    assert (sizes.warp_from, sizes.slice_from, sizes.slice) == (32, 1024, 256)


def test_zero_weight_cycles_have_a_tree(shape):
    for blocks, dtype in itertools.product([2, 9], ["uint32", "int32", "float32", "uint64", "int64", "float64"]):
        shape(blocks, slice_from=4)
        for seed in range(6):
            graph = random_graph(seed, dtype, n=30, m=300, heaviest=seed % 2)
            check(graph, as_array(dijkstra(graph, 0), graph.n, dtype))


@pytest.mark.parametrize("dtype", ["uint32", "float64"])
def test_cutoff_and_targets(shape, dtype):
    shape(3, slice_from=6)
    rng = np.random.default_rng(7)
    for seed in range(12):
        graph = random_graph(seed, dtype, n=80, m=200, heaviest=20)
        full = dijkstra(graph, 0)
        cutoff = int(rng.integers(0, 40))
        within = as_array({v: d for v, d in full.items() if d <= cutoff}, graph.n, dtype)
        near = check(graph, within, cutoff=cutoff, delta=4)
        assert near.radius == cutoff
        targets = rng.integers(0, graph.n, 3).tolist()
        there = [full[t] for t in targets if t in full]
        radius = max(there) if len(there) == len(targets) else None
        final = as_array({v: d for v, d in full.items() if radius is None or d <= radius}, graph.n, dtype)
        assert check(graph, final, targets=targets, delta=4).radius == radius


def test_targets_end_a_search_early():
    graph = pf.generate.chain(20_000, weights="unit")
    some = solve(graph, targets=[100, 3])
    assert some.radius == 100
    assert some.stats.iterations < 1000


@pytest.mark.parametrize("dtype", ["uint32", "float64"])
def test_several_sources(shape, dtype):
    shape(3)
    graph = random_graph(3, dtype, n=200, m=300)
    sources = [5, 0, 77, 199]
    each = np.stack([as_array(dijkstra(graph, s), graph.n, dtype) for s in sources])
    problem = Problem(
        graph=graph,
        source=sources[0],
        distance=np.empty(graph.n, dtype),
        parent=np.empty(graph.n, np.uint32),
        threads=1,
        delta=None,
        cutoff=None,
        targets=None,
        trace=False,
        options={},
        others=np.array(sources[1:], np.uint32),
        device="emulated",
    )
    METHOD.run(problem)
    assert bits(problem.distance) == bits(each.min(axis=0))
    assert all(problem.parent[s] == pf.NO_VERTEX for s in sources)


def test_distances_that_do_not_fit_are_widened():
    most = 2**32 - 2
    graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 3], np.array([most - 5, 5, 1], np.uint32))
    paths = solve(graph)
    assert paths.distance.dtype == np.uint64
    assert paths.distance.tolist() == [0, most - 5, most, most + 1]
    # A sum that is lost does not matter where a shorter way leads.
    graph = pf.Graph.from_edges([0, 1, 0], [1, 2, 2], np.array([most - 5, 50, 7], np.uint32))
    assert solve(graph).distance.dtype == np.uint32
    graph = pf.Graph.from_edges([0, 1], [1, 2], np.array([2**63, 2**63], np.uint64))
    with pytest.raises(pf.DistanceOverflowError):
        solve(graph)
    near = check(graph, np.array([0, 2**63, 2**64 - 1], np.uint64), cutoff=2**63 + 1)
    assert near.parent.tolist() == [pf.NO_VERTEX, 0, pf.NO_VERTEX]


@pytest.mark.parametrize("dtype", ["uint32", "float64"])
def test_answers_that_stay_on_the_device(shape, dtype):
    shape(3)
    graph = random_graph(5, dtype)
    there, here = solve(graph, output="device", targets=[9, 20]), solve(graph, targets=[9, 20])
    assert isinstance(there.distance, wp.array)
    assert bits(np.from_dlpack(there.distance)) == bits(here.distance)
    reached = here.distance != here.unreached
    assert (np.from_dlpack(there.parent)[~reached] == pf.NO_VERTEX).all()
    assert pf.verify(graph, there)


@pytest.mark.parametrize("delta", [1e-30, 0.3, 1.0, 7, 1e300])
@pytest.mark.parametrize("dtype", ["uint32", "uint64", "int64", "float32", "float64"])
def test_any_delta(shape, dtype, delta):
    shape(3)
    graph = random_graph(11, dtype, n=200, m=500, heaviest=1000)
    check(graph, as_array(dijkstra(graph, 0), graph.n, dtype), delta=delta)


def test_floats_that_absorb_delta(shape):
    """1e8 + 1 is 1e8 in float32: a bucket that is empty because its end is its beginning would never end."""
    shape(2)
    weights = np.array([1e8, 1, 1, 2.5, 1e8, 3], np.float32)
    graph = pf.Graph.from_edges([0, 1, 2, 3, 4, 0], [1, 2, 3, 4, 5, 5], weights)
    check(graph, as_array(dijkstra(graph, 0), graph.n, "float32"), delta=1)


def test_far_piles(shape):
    """Distances over many horizons, in which most vertices move from queue to queue."""
    shape(3, slice_from=8)
    rng = np.random.default_rng(3)
    tails, heads = rng.integers(0, 300, 3000), rng.integers(0, 300, 3000)
    graph = pf.Graph.from_edges(tails, heads, (10 ** rng.uniform(0, 5, 3000)).astype(np.int64), n=300)
    expected = as_array(dijkstra(graph, 0), graph.n, "int64")
    for delta in (1, 10, 50, 1000):
        check(graph, expected, delta=delta)


@pytest.mark.parametrize("rows", [1, 7, 1 << 16])
def test_trace(monkeypatch, shape, rows):
    """Also where the device holds fewer rows than there are: the kernel is launched again and goes on."""
    shape(2)
    monkeypatch.setattr(delta_stepping, "trace_rows", rows)
    graph = pf.generate.grid(30, 30, seed=1)
    expected = as_array(dijkstra(graph, 0), graph.n, graph.weights.dtype)
    paths = check(graph, expected, trace=True, delta=20)
    stats, trace = paths.stats, paths.trace
    assert stats.iterations == len(trace) > 7
    assert trace["iteration"].tolist() == list(range(len(trace)))
    assert trace["frontier"].sum() == stats.vertices_processed >= graph.n
    assert trace["edges_relaxed"].sum() == stats.edges_relaxed >= graph.m
    assert (np.diff(trace["distance_low"]) >= 0).all()
    assert (trace["distance_high"] - trace["distance_low"] <= 20).all()
    assert trace["distance_high"][-1] >= expected.max()
    assert trace.dtype == TRACE_ROW
    assert (np.diff(trace["seconds"]) > 0).all()
    assert 0 < trace["seconds"][0] <= trace["seconds"][-1] <= stats.seconds
    assert (trace["delta"] == 20).all()
    assert (trace["near"] == trace["frontier"]).all()
    assert trace["far"][0] == 0 < trace["far"].max()
    assert trace["labelled"][-1] == trace["final"][-1] == graph.n
    assert (np.diff(trace["labelled"].astype(int)) >= 0).all()
    lows = np.append(trace["distance_low"][1:], np.inf)  # a row's last count is made when the next bucket is known
    assert trace["final"].tolist() == [(expected < low).sum() for low in lows]


@pytest.mark.parametrize("blocks", [1, 4])
def test_trace_counts(shape, blocks):
    """A row's labels and what it drops, of a graph in which they are known."""
    shape(blocks)
    # 2 gets distance 5, and waits behind the first bucket, in which it is then found at 3
    arcs = [(0, 1, 1), (0, 4, 1), (1, 2, 4), (4, 5, 1), (5, 2, 1), (2, 3, 10)]
    trace = solve(edges(*arcs, n=6, dtype="uint32"), delta=4, trace=True).trace
    assert trace["frontier"].tolist() == [1, 2, 1, 1, 1]
    assert trace["far"].tolist() == [0, 0, 1, 1, 0]
    assert trace["labelled"].tolist() == [3, 5, 5, 6, 6]
    assert trace["final"].tolist() == [0, 0, 0, 5, 6]
    assert trace["discarded"].tolist() == [0, 0, 0, 1, 0]


def test_each_arc_is_relaxed_once_where_buckets_are_narrow(shape):
    shape(2)
    graph = pf.generate.grid(30, 30, seed=1)
    stats = solve(graph, delta=1).stats
    assert (stats.vertices_processed, stats.edges_relaxed) == (graph.n, graph.m)


def test_callers_at_once(shape):
    shape(3)
    graphs = [random_graph(seed, dtype) for seed in range(3) for dtype in ("uint32", "float64")]
    wrong = []

    def call(graph):
        expected = as_array(dijkstra(graph, 0), graph.n, graph.weights.dtype)
        for _ in range(5):
            paths = solve(graph)
            if bits(paths.distance) != bits(expected) or not pf.verify(graph, paths):
                wrong.append(graph)

    threads = [threading.Thread(target=call, args=(graph,)) for graph in graphs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.serial
def test_a_forked_process(shape):
    shape(3)
    graph = random_graph(4)
    expected = solve(graph).distance
    child = os.fork()
    if child == 0:
        os._exit(0 if bits(solve(graph).distance) == bits(expected) else 1)
    assert os.waitpid(child, 0)[1] == 0


LONG = 400_000
"""Vertices of a path that takes longer than a test waits: two barriers for each."""


@pytest.mark.serial
def test_ctrl_c(shape):
    shape(8)
    graph = pf.generate.chain(LONG, weights="unit")
    solve(graph, targets=[1])
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        solve(graph, delta=1)


def test_progress_that_raises(shape):
    shape(8)
    calls = []

    def progress(_):
        calls.append(True)
        if len(calls) == 3:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        solve(pf.generate.chain(LONG, weights="unit"), delta=1, progress=progress)
    assert len(calls) == 3


@pytest.mark.parametrize("name", ["dimacs9/USA-road-d.NY.gr.gz", "snap/soc-Slashdot0902.txt.gz"])
@pytest.mark.parametrize("blocks", [None, 5])
def test_real_graphs(shape, data, name, blocks):
    shape(blocks)
    graph = pf.read(data(name))
    paths = solve(graph)
    assert bits(paths.distance) == bits(pf.shortest_paths(graph, 0).distance)
    assert pf.verify(graph, paths)


def test_kronecker(shape):
    graph = pf.generate.kronecker(18, seed=1)
    source = int(np.diff(graph.offsets).argmax())
    expected = pf.shortest_paths(graph, source).distance
    for blocks in (2, 9):
        shape(blocks)
        paths = solve(graph, source)
        assert bits(paths.distance) == bits(expected)
        assert pf.verify(graph, paths)


def use(monkeypatch, form):
    """Let searches use another kernel."""
    monkeypatch.setattr(kernels, "of", lambda name, packed: form)


def test_no_queue_is_left(monkeypatch, shape):
    """With the kernel compiled so that it ends the process when an index is out of range."""
    form = kernels.build("uint32", True, "test_bounds")
    form.kernel.module.options["mode"] = "debug"
    use(monkeypatch, form)
    for animal, blocks, delta in itertools.product(ZOO, [2, 5], [1, 1000]):
        shape(blocks, slice_from=3)
        graph = ZOO[animal]("uint32")
        check(graph, as_array(dijkstra(graph, 0), graph.n, "uint32"), delta=delta)


# What the tests above would not let pass, tried one by one.


def contended():
    """A graph in which two threads meet: one lowers distances from the first on, the other the same from the last on.

    Vertices 1..32 are one thread's, 33..64 the other's; each pair of them shares 200 heads, over arcs that get ever
    lighter.
    """
    rng, tails, heads = np.random.default_rng(0), [np.zeros(64, int)], [np.arange(1, 65)]
    for u in range(64):
        ends = 65 + 200 * (u % 32) + np.arange(200)
        heads.append(np.repeat(ends if u < 32 else ends[::-1], 4))
        tails.append(np.full(800, 1 + u))
    weights = 10**6 - 4 * np.tile(np.arange(4), 64 * 200) - rng.integers(0, 4, 64 * 800)
    every = np.concatenate([np.ones(64, int), weights]).astype(np.uint32)
    return pf.Graph.from_edges(np.concatenate(tails), np.concatenate(heads), every)


def wrong_answers(graph, tries, **options):
    expected = pf.shortest_paths(graph, 0).distance
    return sum(bits(solve(graph, parents=False, **options).distance) != bits(expected) for _ in range(tries))


@pytest.mark.skipif(available_cores() < 2, reason="nothing happens at the same time")
def test_a_minimum_that_is_not_atomic_is_noticed(monkeypatch, shape):
    shape(2, slice_from=10_000)
    graph = contended()
    assert wrong_answers(graph, 20, delta=1e7) == 0
    sound = numbers.of("uint32", False)
    broken = SimpleNamespace(**vars(sound) | {"improve": persistent_kernels.builtin_minimum(sound)})
    with monkeypatch.context() as patch:
        patch.setattr(numbers, "of", lambda name, packed: broken)
        form = kernels.build("uint32", False, "test_builtin_minimum")
    use(monkeypatch, form)
    if not any(wrong_answers(graph, 1, delta=1e7) for _ in range(3000)):
        pytest.skip("on this busy machine no two blocks met at the same word in 3000 searches")


def test_tags_that_are_never_out_of_date_are_noticed(monkeypatch, shape):
    shape(1)
    graph = edges((0, 1, 5), (0, 2, 1), (2, 1, 1), (1, 3, 1), n=4, dtype="uint32")  # 1 is in the bucket twice
    assert wrong_answers(graph, 1, delta=1e6) == 0
    monkeypatch.setattr(delta_work, "_insert", persistent_kernels.insert_only_once)
    use(monkeypatch, kernels.build("uint32", False, "test_old_tags"))
    assert wrong_answers(graph, 1, delta=1e6) == 1


def test_an_early_end_is_noticed(monkeypatch, shape):
    shape(2)
    graph = ZOO["long_path"]("uint32")
    assert wrong_answers(graph, 1, delta=1) == 0
    without_far = dict(delta_search.Cell.__members__, FAR_COUNT=delta_search.Cell.SOON_COUNT)
    monkeypatch.setattr(kernels, "Cell", type("Cell", (), without_far))  # as if no queue lay behind the horizon
    use(monkeypatch, kernels.build("uint32", False, "test_early_end"))
    assert wrong_answers(graph, 1, delta=1) == 1
