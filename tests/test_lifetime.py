"""The threads of the package over the life of a process: its end, its children, its subinterpreters."""

from __future__ import annotations

import os
import threading
import time

import pytest

import pathfront as pf
from python_process import preloading, run_python


def running_threads() -> int:
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("Threads:"))


@pytest.mark.serial
@pytest.mark.parametrize("method", ["dijkstra", "delta_stepping", "adds", "near_far"])
def test_a_process_ends_while_a_daemon_thread_searches(method):
    """Before Python 3.14 the interpreter ends such a thread when it asks for the interpreter lock."""
    code = f"""
        import threading
        import pathfront as pf
        graph = pf.generate.random(20_000, 200_000, seed=1)
        first = threading.Event()

        def search():
            while True:
                pf.shortest_paths(graph, 0, method={method!r}, progress=lambda done: None)
                first.set()

        for _ in range(4):
            threading.Thread(target=search, daemon=True).start()
        first.wait()
    """
    for _ in range(4):
        done = run_python(code)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.serial
@pytest.mark.parametrize(
    "call",
    [
        "pf.shortest_paths(graph, 0, method='dijkstra', parents=False)",
        "pf.shortest_paths(graph, 0, method='bellman_ford_edges', threads=2)",
    ],
    ids=["search", "schedule"],
)
def test_a_daemon_thread_may_come_back_when_the_interpreter_is_gone(call, tmp_path):
    """The watch of a native call looked up the interpreter, of which nothing was left: SIGSEGV."""
    done = run_python(
        f"""
        import threading
        import time
        import pathfront as pf
        graph = pf.generate.random(200_000, 2_000_000, seed=1)
        {call}
        begun = threading.Event()

        def work():
            while True:
                begun.set()
                {call}

        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        begun.wait()
        time.sleep(0.05)  # the watch comes back after 0.1 s
        """,
        env=preloading("slow_exit", tmp_path),
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_process_ends_while_a_sequence_of_searches_is_not_exhausted():
    done = run_python(
        """
        import pathfront as pf
        graph = pf.generate.random(20_000, 200_000, seed=1)
        many = pf.shortest_paths_many(graph, range(100), threads=2)
        next(many)
        """,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.serial
def test_a_forked_child_with_its_parents_id_solves_too(tmp_path):
    done = run_python(
        """
        import os
        import pathfront as pf
        graph = pf.generate.random(20_000, 200_000, seed=1)
        expected = pf.shortest_paths(graph, 0, threads=4).distance.tolist()
        child = os.fork()
        if child == 0:
            os._exit(pf.shortest_paths(graph, 0, threads=4).distance.tolist() != expected)
        assert os.waitpid(child, 0)[1] == 0
        """,
        env=preloading("one_pid", tmp_path),
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


def test_a_subinterpreter_is_refused():
    done = run_python(
        """
        import sys
        import pathfront as pf
        pf.shortest_paths(pf.generate.grid(3, 3), 0)
        try:
            import _interpreters as interpreters
        except ImportError:
            import _xxsubinterpreters as interpreters
        code = "import pathfront._core"
        try:
            failed = interpreters.run_string(interpreters.create(), code)
        except interpreters.RunFailedError as error:  # before Python 3.13
            failed = error
        assert "pathfront runs in Python's main interpreter only" in str(failed) or "subinterp" in str(failed), failed
        """,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


def test_threads_beyond_the_usual_number_are_given_back():
    graph = pf.generate.random(20_000, 200_000, seed=1)
    expected = pf.shortest_paths(graph, 0, threads=1).distance.tolist()
    most = running_threads() + max(64, os.cpu_count() or 1)  # the pool keeps one idle thread per core
    assert pf.shortest_paths(graph, 0, method="delta_stepping", threads=300).distance.tolist() == expected
    until = time.monotonic() + 10  # a thread that has been joined is counted until the kernel has released it
    while running_threads() > most and time.monotonic() < until:
        time.sleep(0.01)
    assert running_threads() <= most
    assert pf.shortest_paths(graph, 0, method="delta_stepping", threads=4).distance.tolist() == expected


def test_many_python_threads_borrow_and_give_back():
    graph = pf.generate.random(20_000, 200_000, seed=1)
    expected = pf.shortest_paths(graph, 0, threads=1).distance.tolist()
    until = time.monotonic() + 1
    wrong = []

    def search() -> None:
        while time.monotonic() < until:
            if pf.shortest_paths(graph, 0, method="delta_stepping", threads=8).distance.tolist() != expected:
                wrong.append(1)

    callers = [threading.Thread(target=search) for _ in range(8)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not wrong
