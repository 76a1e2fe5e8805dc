"""The suite `gpu`: every method that runs on a GPU, against scipy and against the CPU, on a real GPU or emulated.

Times include the copy of the answers to numpy, but not that of the graph, which is copied to
the device once, nor the compilation of kernels, which Warp caches. Every answer is compared with Dijkstra's.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pathfront as pf
from pathfront.bench import graphs
from pathfront.bench.figures import Figure, Suite, best_of, require_exact
from pathfront.devices import names
from pathfront.exceptions import DeviceError

_SLOW = {"martin", "bellman_ford_edges", "bellman_ford_vertices", "workfront_sweep", "bellman_ford_frontier"}
"""Methods that `quick` leaves out on the road network if kernels are emulated: they take minutes there."""


def run(quick: bool, device: str = "emulated") -> Iterator[Figure]:
    """Measure all sections on a device."""
    try:
        device = names.as_device(device)
    except DeviceError as error:  # the CPU is no cure here
        cure = "give device='emulated' to measure the same kernels on the CPU"
        raise DeviceError(f"{str(error).partition(';')[0]}; {cure}.") from None
    yield from against_scipy(quick, device)
    yield from methods(quick, device)
    yield from answers_on_the_device(quick, device)


def against_scipy(quick: bool, device: str) -> Iterator[Figure]:
    """near_far on a random graph of a million vertices; emulated it should take at most twice scipy's time."""
    from scipy.sparse.csgraph import dijkstra

    n = 1 << 17 if quick else 1_000_000
    graph = pf.generate.random(n, 8 * n, seed=1).simplified()
    near_far = partial(pf.shortest_paths, graph, 0, method="near_far", device=device)
    require_exact(near_far(), f"near_far on {device}")
    scipy = partial(dijkstra, graph.to_scipy(), indices=0, return_predecessors=True)
    ours, theirs = best_of(3, near_far, scipy)
    detail = f"{ours * 1e3:.0f} ms, scipy {theirs * 1e3:.0f} ms; with parents"
    yield Figure(f"random({n}, {8 * n}): near_far over scipy", ours / theirs, "x", 2, "lower", detail)


def methods(quick: bool, device: str) -> Iterator[Figure]:
    """Every method on a road network, a social network and a Kronecker graph, with the CPU's best beside it."""
    for name, graph in (graphs.new_york(), graphs.slashdot(), graphs.kronecker(15 if quick else 18)):
        source = graphs.hub(graph)
        (cpu,) = best_of(3, partial(pf.shortest_paths, graph, source))
        for method in pf.methods.names():
            description = pf.methods.get(method)
            if names.family(device) not in description.devices or description.unit_weights:
                continue
            if quick and device == "emulated" and method in _SLOW and graph is graphs.new_york()[1]:
                continue
            solve = partial(pf.shortest_paths, graph, source, method=method, device=device)
            paths = require_exact(solve(), f"{method} on {device}")
            (seconds,) = best_of(1 if quick else 3, solve)
            stats = paths.stats
            detail = (
                f"{seconds * 1e3:.1f} ms, {stats.iterations} iterations, "
                f"{stats.vertices_processed / max(int(paths.reached.sum()), 1):.2f} times Dijkstra's vertices"
            )
            yield Figure(f"{name}: {method} on {device} over auto on the CPU", seconds / cpu, "x", detail=detail)


def answers_on_the_device(quick: bool, device: str) -> Iterator[Figure]:
    """The time saved by not copying the answers to the host."""
    _, graph = graphs.kronecker(15 if quick else 20)
    solve = partial(pf.shortest_paths, graph, graphs.hub(graph), method="near_far", device=device)
    require_exact(solve(), f"near_far on {device}")
    copied, left = best_of(3, solve, partial(solve, output="device"))
    yield Figure("near_far with output='device' over numpy", left / copied, "x", detail=f"{left * 1e3:.1f} ms")


def on(device: str) -> Suite:
    """Return the suite for a device."""
    return Suite("gpu", f"every method on device {device}", partial(run, device=device), device)


SUITE = on("emulated")
