"""The suite `networkx`: NetworkX's functions through the backend against NetworkX itself, with equal answers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pathfront.bench import graphs
from pathfront.bench.figures import Figure, Suite, best_of, require
from pathfront.exceptions import MissingExtraError

_PAIRS = 8
"""Pairs of nodes, drawn uniformly, of which `shortest_path` is timed together."""


def run(quick: bool) -> Iterator[Figure]:
    """Measure everything; `quick` takes fewer rounds."""
    try:
        import networkx as nx
    except ImportError:
        raise MissingExtraError('this suite measures networkx: pip install "pathfront[networkx]".') from None
    before = set(nx.config.warnings_to_ignore)
    nx.config.warnings_to_ignore.add("cache")
    try:
        yield from calls(nx, rounds=1 if quick else 3)
    finally:
        nx.config.warnings_to_ignore = before
    yield importing(rounds=5 if quick else 15)


def calls(nx: Any, rounds: int) -> Iterator[Figure]:
    """Searches on a graph of roads, converted before, and the first call on it, which converts."""
    name, roads = graphs.new_york()
    graph = roads.to_networkx()
    source = graphs.hub(roads)
    ends = np.random.default_rng(0).integers(0, roads.n, (_PAIRS, 2)).tolist()

    def lengths(backend: str) -> Callable[[], Any]:
        return lambda: nx.single_source_dijkstra_path_length(graph, source, backend=backend)

    def path(backend: str) -> Callable[[], Any]:
        return lambda: [nx.shortest_path(graph, s, t, weight="weight", backend=backend) for s, t in ends]

    def first() -> Any:
        graph.__networkx_cache__.clear()
        return lengths("pathfront")()

    theirs, ours = lengths("networkx")(), lengths("pathfront")()
    require(theirs == ours and list(theirs) == list(ours), "the backend's distances are not NetworkX's")
    for one, other in zip(path("networkx")(), path("pathfront")(), strict=True):
        lengths_of = [nx.path_weight(graph, each, "weight") for each in (one, other)]
        require(lengths_of[0] == lengths_of[1], "the backend's path is not a shortest one")
    for what, job, target in (
        ("single_source_dijkstra_path_length", lengths, 10.0),
        (f"shortest_path of {_PAIRS} pairs", path, 30.0),
    ):
        a, b = best_of(rounds, job("networkx"), job("pathfront"))
        detail = f"{name}: {b * 1e3:.1f} ms, networkx {a * 1e3:.1f}"
        yield Figure(f"{what}, faster than networkx", a / b, "x", target, detail=detail)
    a, b = best_of(rounds, lengths("networkx"), first)
    detail = f"{name}: {b * 1e3:.1f} ms, networkx {a * 1e3:.1f}"
    yield Figure("the first call, with the conversion, faster than networkx", a / b, "x", 2.0, detail=detail)


def importing(rounds: int) -> Figure:
    """How much longer `import networkx` takes with the backend installed.

    Both processes find the same packages; in one of them the backend's entry points are hidden.
    """
    code = (
        "import importlib.metadata as m, sys, time\n"
        "if sys.argv[1] == 'without':\n"
        "    found = m.entry_points\n"
        "    m.entry_points = lambda **k: [e for e in found(**k) if e.name != 'pathfront']\n"
        "started = time.perf_counter()\n"
        "import networkx\n"
        "print(time.perf_counter() - started)\n"
        "assert ('_pathfront_networkx' in sys.modules) == (sys.argv[1] == 'with')\n"
    )

    def seconds(which: str) -> float:
        done = subprocess.run([sys.executable, "-c", code, which], check=True, capture_output=True, text=True)
        return float(done.stdout)

    best = {"without": float("inf"), "with": float("inf")}
    for _ in range(rounds + 1):
        for which in best:
            best[which] = min(best[which], seconds(which))
    more = (best["with"] - best["without"]) * 1e3
    return Figure("import networkx takes longer by", more, "ms", 5.0, "lower", f"than {best['without'] * 1e3:.0f} ms")


SUITE = Suite("networkx", "NetworkX's functions through the backend, against NetworkX itself", run)
