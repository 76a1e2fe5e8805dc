"""Searches without memory or threads: MemoryError or, with fewer threads, the result; and the next search is right."""

from __future__ import annotations

import pytest

import pathfront as pf
from python_process import preloading, run_python

SWEEP = """
import ctypes
import sys
import numpy as np
import pathfront as pf
import pathfront.devices.cpu

pathfront.devices.cpu.parallel_from = 1  # every operation is shared
failures = ctypes.CDLL(None)
failures.fail_from.argtypes = [ctypes.c_long, ctypes.c_long]

def with_failures(act, first, count):
    failed, result = True, None
    try:
        failures.fail_from(first, count)
        try:
            result = act()
        finally:
            failed = failures.fail_no_more() != 0
    except MemoryError:
        failures.fail_no_more()
    return result, failed

def fail_everywhere(act, count):
    expected = act().tobytes()
    first, failed = 0, True
    while failed:
        first += 1
        result, failed = with_failures(act, first, count)
        assert result is not None or failed
        assert result is None or result.tobytes() == expected
        assert act().tobytes() == expected
    return first
"""


def starve(act: str, folder) -> int:
    """Fail every allocation of an expression once, and once with those that follow; return how many there were."""
    code = f"{SWEEP}\nprint(min(fail_everywhere(lambda: {act}, count) for count in (1, 20)))"
    done = run_python(code, env=preloading("fail_allocations", folder), timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    return int(done.stdout)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("method", pf.methods.names())
def test_memory_fails_in_a_search(method, threads, tmp_path):
    weights = "unit" if pf.methods.get(method).unit_weights else "int:1:100"
    made = f"pf.generate.random(400, 4000, weights={weights!r}, seed=1)"
    graph = f"globals().get('graph') or globals().setdefault('graph', {made})"
    search = f"pf.shortest_paths({graph}, 0, method={method!r}, threads={threads}).distance"
    assert starve(search, tmp_path) > 5  # fewer could not hold the arrays


@pytest.mark.parametrize(
    "act",
    [
        "np.array(pf.Graph.from_edges([0, 1, 2], [1, 2, 0], [1, 2, 3]).reverse().heads)",
        "pf.generate.grid(9, 9, seed=1).heads",
    ],
    ids=["build", "generate"],
)
def test_memory_fails_elsewhere(act, tmp_path):
    assert starve(act, tmp_path) > 5


@pytest.mark.parametrize("most", [0, 1])
def test_a_system_that_allows_few_threads(most, tmp_path):
    done = run_python(
        """
        import numpy as np
        import pathfront as pf
        graph = pf.generate.random(20_000, 400_000, seed=1)
        alone = pf.shortest_paths(graph, 0, threads=1)
        assert pf.verify(graph, alone, threads=4)
        for method in pf.methods.names():
            if not pf.methods.get(method).unit_weights:
                found = pf.shortest_paths(graph, 0, method=method, threads=4)
                assert np.array_equal(found.distance, alone.distance), method
        starts = range(4)
        rows = pf.distance_matrix(graph, starts, threads=4)
        assert np.array_equal(rows[0], alone.distance)
        many = pf.shortest_paths_many(graph, starts, threads=4)
        assert all(np.array_equal(row, paths.distance) for row, paths in zip(rows, many))
        """,
        env=preloading("few_threads", tmp_path) | {"FEW_THREADS": str(most), "OPENBLAS_NUM_THREADS": "1"},
    )
    assert (done.returncode, done.stderr) == (0, "")
