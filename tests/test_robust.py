"""Many threads on one graph, Ctrl-C, forked children, and a cheap import."""

from __future__ import annotations

import concurrent.futures
import io
import multiprocessing
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import pathfront as pf
from pathfront.graph.labels import Labels
from python_process import run_python


@pytest.mark.parametrize("method", pf.methods.names())
def test_many_threads_share_one_graph(method):
    weights = "int:1:1" if pf.methods.get(method).unit_weights else "int:1:255"
    graph = pf.generate.grid(60, 60, weights=weights, seed=4)
    sources = list(range(0, 3600, 90))
    expected = [pf.shortest_paths(graph, s, method=method).distance for s in sources]
    fresh = pf.generate.grid(
        60, 60, weights=weights, seed=4
    )  # nothing computed yet: summaries and reverse are made in the race
    start = threading.Barrier(8)

    def work(worker: int) -> list[np.ndarray]:
        start.wait()
        fresh.reverse()
        found = [pf.shortest_paths(fresh, s, method=method) for s in sources]
        assert all(pf.verify(fresh, paths) for paths in found[worker::8])
        return [paths.distance for paths in found]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for distances in pool.map(work, range(8)):
            assert all(np.array_equal(a, b) for a, b in zip(distances, expected, strict=True))


def test_the_reverse_is_made_once_however_many_ask():
    graph = pf.generate.random(20_000, 100_000, seed=1)
    start = threading.Barrier(8)

    def ask(_: int) -> int:
        start.wait()
        return id(graph.reverse())

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(ask, range(8)))) == 1


def test_lazy_labels_are_made_once_however_many_ask():
    start, made = threading.Barrier(8), []

    def make() -> np.ndarray:
        made.append(1)
        time.sleep(0.05)
        return np.array(["a", "b"])

    labels = Labels(make)

    def ask(name: str) -> int:
        start.wait()
        return labels.index_of(name)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, "abababab")) == [0, 1] * 4
    assert len(made) == 1


def test_errors_come_back_from_worker_processes():
    with pytest.raises(pf.NegativeCycleError) as caught:
        pf.shortest_paths(pf.Graph.from_edges([0, 1], [1, 0], [1, -3]), 0)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again), again.cycle) == (pf.NegativeCycleError, str(caught.value), [0, 1])


def test_searches_run_beside_each_other():
    """The interpreter lock is free during a search: another Python thread keeps running."""
    graph = pf.generate.chain(3000, weights="int:1:9").reverse()
    backwards = pf.Graph.from_edges(graph.heads[::-1], graph.tails()[::-1], graph.weights[::-1])
    ticks, done = 0, threading.Event()

    def count() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0)

    counter = threading.Thread(target=count)
    counter.start()
    try:
        for _ in range(20):
            pf.shortest_paths(backwards, 2999, method="bellman_ford")
        assert ticks > 20
    finally:
        done.set()
        counter.join()


SLOW_CALLS = {
    "bellman_ford": "pf.shortest_paths(backwards, n - 1, method='bellman_ford')",
    "from_edges": "[pf.Graph.from_edges(tails, heads) for _ in range(1000)]",
    "one_from_edges": "pf.Graph.from_edges(np.tile(tails, 12), np.tile(heads, 12)).reverse()",
    "dijkstra": "[pf.shortest_paths(wide, 0, method='dijkstra') for _ in range(1000)]",
    "verify": "[pf.verify(wide, paths) for _ in range(1000)]",
    "delta_stepping_team": "[pf.shortest_paths(wide, 0, threads=4) for _ in range(1000)]",
    "adds": "[pf.shortest_paths(wide, 0, method='adds', threads=1) for _ in range(1000)]",
    "adds_team": "[pf.shortest_paths(wide, 0, method='adds', threads=4) for _ in range(1000)]",
    "distance_matrix": "pf.distance_matrix(wide, range(5000), [1], threads=2)",
    "many": "list(pf.shortest_paths_many(wide, range(300), threads=2, parents=False))",
    "many_long": "list(pf.shortest_paths_many(backwards, [n - 1] * 4, threads=2, method='bellman_ford'))",
    "parse": "[pf.read(io.BytesIO(text), format='dimacs') for _ in range(1000)]",
}


@pytest.mark.serial
@pytest.mark.parametrize("call", SLOW_CALLS)
def test_ctrl_c_stops_a_long_native_call(call):
    """The process that is interrupted prints how long it took from the signal to the exception."""
    code = f"""
        import io, os, signal, threading, time
        import numpy as np
        import pathfront as pf
        n = 60_000
        backwards = pf.Graph.from_edges(np.arange(1, n), np.arange(n - 1), np.ones(n - 1, np.int64))
        wide = pf.generate.random(300_000, 3_000_000)
        paths = pf.shortest_paths(wide, 0)
        tails, heads = wide.tails().astype(np.int64), wide.heads.astype(np.int64)
        buffer = io.BytesIO()
        pf.write(pf.generate.random(100_000, 1_000_000), buffer, format="dimacs")
        text = buffer.getvalue()
        def interrupt():
            time.sleep(0.5)
            global sent
            sent = time.perf_counter()
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=interrupt, daemon=True).start()
        try:
            {SLOW_CALLS[call]}
            print("finished")
        except KeyboardInterrupt:
            print(time.perf_counter() - sent)
        # the package still works
        assert pf.shortest_paths(pf.generate.grid(3, 3), 0).reached.all()
    """
    done = run_python(code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() != "finished"
    # 0.2 s is the promise on an idle machine; tests run beside others, and only a hang must fail here
    assert float(done.stdout) < 5


def test_long_sorts_of_numpy_leave_the_main_thread_to_ctrl_c(monkeypatch):
    where = []

    def noting(real):
        def call(*arguments, **options):
            where.append(threading.current_thread() is threading.main_thread())
            return real(*arguments, **options)

        return call

    monkeypatch.setattr(np, "unique", noting(np.unique))
    monkeypatch.setattr(np, "lexsort", noting(np.lexsort))
    named = pf.Graph.from_edges([0, 1, 0], [1, 2, 1], [1, 2, 3], labels=[9, 4, 6])
    assert pf.shortest_paths(named, 9).path_to(6).tolist() == [9, 4, 6]
    table = pf.Graph.from_dataframe({"a": [10**12, 5], "b": [7, 10**12]}, "a", "b")
    assert table.labels.tolist() == [5, 7, 10**12]
    pf.write(named, io.BytesIO(), format="npz", lossy=True)
    assert where == [False] * 3


def test_names_are_handled_in_pieces():
    parquet = pytest.importorskip("pyarrow.parquet")
    n = 150_000
    for labels in (
        [f"v{i}" for i in range(n)],
        [f"v{i}" for i in range(n - 1)] + ["x" * 10_000],
        list(map(str, range(n))),
    ):
        graph = pf.generate.chain(n, weights="unit").with_labels(labels)
        assert graph.labels.tolist() == labels
        with pytest.raises(pf.ArgumentError, match="1 repeated names"):
            graph.with_labels([*labels[:-1], labels[0]])
        file = io.BytesIO()
        pf.write(graph, file, format="parquet")
        assert parquet.ParquetFile(io.BytesIO(file.getvalue())).num_row_groups == -(-graph.m // (1 << 17))
        found = pf.read(io.BytesIO(file.getvalue()))
        assert (found.labels.tolist(), found.heads.tolist()) == (labels, graph.heads.tolist())


def test_forked_children_solve_too():
    graph = pf.generate.grid(50, 50, seed=1)
    expected = pf.shortest_paths(graph, 0, threads=4).distance.tolist()
    pf.verify(graph, pf.shortest_paths(graph, 0), threads=4)
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)

    def child() -> None:
        paths = pf.shortest_paths(graph, 0, threads=4)
        send.send((paths.distance.tolist(), pf.verify(graph, paths, threads=4).ok))

    process = context.Process(target=child)
    process.start()
    assert receive.poll(60), "the forked child hangs"
    assert receive.recv() == (expected, True)
    process.join(60)
    assert process.exitcode == 0


def test_spawned_children_get_the_graph():
    graph = pf.generate.grid(20, 20, seed=1)
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = pool.submit(farthest, graph).result(timeout=60)
    assert found == farthest(graph)


def farthest(graph: pf.Graph) -> int:
    return int(pf.shortest_paths(graph, 0).distance.max())


def test_import_loads_nothing_heavy():
    done = run_python(
        """
        import sys
        import pathfront
        heavy = {"numpy", "scipy", "typer", "rich", "pathfront._core"} & set(sys.modules)
        print(sorted(heavy))
        assert "shortest_paths" in dir(pathfront)
        """
    )
    assert done.stdout.strip() == "[]", done.stderr


def test_every_public_name_is_there():
    for name in pf.__all__:
        assert getattr(pf, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = pf.nonsense


@pytest.mark.serial
@pytest.mark.skipif(not hasattr(signal, "SIGINT") or os.name == "nt", reason="needs POSIX signals")
def test_a_search_in_a_worker_thread_leaves_signals_to_the_main_thread():
    done = run_python(
        """
        import os, signal, threading, time
        import numpy as np
        import pathfront as pf
        n = 30_000
        backwards = pf.Graph.from_edges(np.arange(1, n), np.arange(n - 1), np.ones(n - 1, np.int64))
        worker = threading.Thread(target=lambda: pf.shortest_paths(backwards, n - 1, method="bellman_ford"))
        worker.start()
        try:
            time.sleep(0.1)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(10)
        except KeyboardInterrupt:
            print("main thread was interrupted")
        worker.join()
        print("worker finished")
        """
    )
    assert done.stdout.splitlines() == ["main thread was interrupted", "worker finished"], done.stderr
