"""The suite `foundation`: reading, building, generating, opening, and Dijkstra against scipy."""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import pathfront as pf
from pathfront import _core
from pathfront.bench import graphs, peers
from pathfront.bench.figures import Figure, Suite, best_of, printed_by, require
from pathfront.exceptions import MissingExtraError
from pathfront.graph.build import from_checked_edges


def run(quick: bool) -> Iterator[Figure]:
    """Measure everything; `quick` uses smaller graphs and fewer rounds."""
    yield from importing()
    yield from parsing(rounds=3 if quick else 7)
    yield from building(scale=17 if quick else 20)
    yield from generating(scale=17 if quick else 20)
    yield from opening(arcs=10_000_000 if quick else 100_000_000)
    yield from dijkstra(scale=17 if quick else 20, rounds=2 if quick else 5)


def importing() -> Iterator[Figure]:
    """How much longer Python takes to start with the package imported."""

    def start(code: str) -> None:
        subprocess.run([sys.executable, "-c", code], check=True)

    bare, imported = best_of(5, lambda: start(""), lambda: start("import pathfront as pf"))
    yield Figure("import pathfront", imported - bare, "s", 0.3, "lower")


def parsing(rounds: int) -> Iterator[Figure]:
    """DIMACS text in memory to arrays, one thread, beside a Python loop and the fastest CSV readers."""
    name, text = graphs.new_york_text()
    raw = np.frombuffer(text, np.uint8)
    arcs = b"".join(line[2:] + b"\n" for line in text.split(b"\n") if line.startswith(b"a "))
    jobs: dict[str, Callable[[], Any]] = {
        "pathfront": lambda: _core.parse_dimacs(raw, True),
        "python line loop": lambda: python_loop(text),
        **csv_readers(arcs),
    }
    times = dict(zip(jobs, best_of(rounds, *jobs.values()), strict=True))
    expected, found = python_loop(text), _core.parse_dimacs(raw, True)
    for mine, theirs in zip(found[1:], expected, strict=True):
        require(np.array_equal(mine, theirs), "the parser and the Python loop disagree")
    size = len(text) / 1e6
    yield Figure(f"parse {name}", size / times["pathfront"], "MB/s", 150, detail=f"{size:.1f} MB, one thread")
    targets = {"python line loop": 20.0}
    for peer, seconds in times.items():
        if peer != "pathfront":
            yield Figure(f"parse, faster than {peer}", seconds / times["pathfront"], "x", targets.get(peer, 1.0))


def python_loop(text: bytes) -> tuple[list[int], list[int], list[int]]:
    """Parse arcs the way one would in plain Python."""
    tails, heads, weights = [], [], []
    for line in text.decode().splitlines():
        if line.startswith("a "):
            _, tail, head, weight = line.split()
            tails.append(int(tail) - 1)
            heads.append(int(head) - 1)
            weights.append(int(weight))
    return tails, heads, weights


def csv_readers(arcs: bytes) -> dict[str, Callable[[], Any]]:
    """Return jobs that read the same numbers with pandas and pyarrow; those that are installed."""
    jobs: dict[str, Callable[[], Any]] = {}
    with suppress(ImportError):
        import pandas

        jobs["pandas.read_csv"] = lambda: pandas.read_csv(io.BytesIO(arcs), sep=" ", header=None)
    with suppress(ImportError):
        import pyarrow
        from pyarrow import csv

        options = {
            "read_options": csv.ReadOptions(autogenerate_column_names=True, use_threads=False),
            "parse_options": csv.ParseOptions(delimiter=" "),
        }
        jobs["pyarrow.csv"] = lambda: csv.read_csv(pyarrow.BufferReader(arcs), **options)
    if not jobs:
        raise MissingExtraError('this suite compares with pandas and pyarrow: pip install "pathfront[bench]".')
    return jobs


def building(scale: int) -> Iterator[Figure]:
    """Edges in any order to compressed sparse rows, against a stable argsort of the tails alone."""
    name, graph = graphs.kronecker(scale)
    order = np.random.default_rng(0).permutation(graph.m)
    tails, heads, weights = graph.tails()[order], graph.heads[order], graph.weights[order]  # type: ignore[index]
    wide_tails, wide_heads = tails.astype(np.int64), heads.astype(np.int64)
    sorted_heads = heads[np.argsort(tails, kind="stable")]
    for from_ids, to_ids in ((tails, heads), (wide_tails, wide_heads)):
        built = pf.Graph.from_edges(from_ids, to_ids, weights, n=graph.n)
        require(np.array_equal(built.heads, sorted_heads), "from_edges does not sort the edges by their tails")
    del built, sorted_heads, order
    ours, wide, sort = best_of(
        3,
        lambda: pf.Graph.from_edges(tails, heads, weights, n=graph.n),
        lambda: pf.Graph.from_edges(wide_tails, wide_heads, weights, n=graph.n),
        lambda: np.argsort(tails, kind="stable"),
    )
    arcs = f"{graph.m / 1e6:.1f}M arcs of {name}"
    yield Figure("from_edges, faster than numpy's argsort", sort / ours, "x", 2.0, detail=arcs)
    yield Figure("the same from int64 ids", sort / wide, "x", 2.0, detail=f"{arcs}, {graph.m / wide / 1e6:.0f}M arcs/s")
    peak = peak_of_building(scale)
    yield Figure("from_edges, peak memory beyond its input", peak, "x graph", 1.5, "lower", "the graph included")


def peak_of_building(scale: int) -> float:
    """Return the peak memory of a build over the size of the graph, in a process of its own."""
    code = f"""
import numpy as np, pathfront as pf
from pathfront.bench.figures import peak_memory
graph = pf.generate.random({1 << scale}, {30 << scale}, seed=1)
tails, heads, weights = graph.tails().astype(np.int64), graph.heads.astype(np.int64), graph.weights.copy()
size = graph.nbytes
del graph
print(peak_memory(lambda: pf.Graph.from_edges(tails, heads, weights)) / size)
"""
    return float(printed_by(code)[0])


def generating(scale: int) -> Iterator[Figure]:
    """A Kronecker graph from nothing."""
    (seconds,) = best_of(2, lambda: pf.generate.kronecker(scale, 16, seed=2))
    yield Figure(f"generate kronecker-{scale}", seconds, "s", 3.0, "lower", "edge factor 16")


def opening(arcs: int) -> Iterator[Figure]:
    """A large .pfg, opened, and then checked as before a first solve."""
    n = arcs // 16
    rng = np.random.default_rng(1)
    tails = rng.integers(0, n, arcs, dtype=np.uint32)
    heads = rng.integers(0, n, arcs, dtype=np.uint32)
    graph = from_checked_edges(tails, heads, heads % np.uint32(255) + np.uint32(1), n=n, directed=True)
    del tails, heads
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.pfg"
        pf.write(graph, path)
        (seconds,) = best_of(3, lambda: pf.read(path))
        opened = pf.read(path)
        started = time.perf_counter()
        opened.check()
        checked = time.perf_counter() - started
        same = np.array_equal(opened.heads, graph.heads) and np.array_equal(opened.offsets, graph.offsets)
        require(same, "the file does not hold the graph that was written")
        size = path.stat().st_size / 1e9
        del opened
    yield Figure(f"open a .pfg of {arcs // 10**6}M arcs", seconds * 1e3, "ms", 50, "lower", f"{size:.2f} GB")
    yield Figure("check it before the first solve", size / checked, "GB/s", detail=f"{checked:.2f} s, once")


def dijkstra(scale: int, rounds: int) -> Iterator[Figure]:
    """Distances by `dijkstra` and by scipy, equal and timed in turns."""
    for name, graph in (graphs.new_york(), graphs.grid(1024), graphs.kronecker(scale)):
        source = graphs.hub(graph)
        ours = partial(pf.shortest_paths, graph, source, method="dijkstra", parents=False)
        with_parents = partial(pf.shortest_paths, graph, source, method="dijkstra")
        theirs = peers.PEERS["scipy"](graph, source)
        require(np.array_equal(ours().as_float(), theirs()), f"scipy and dijkstra disagree on {name}")
        require(pf.verify(graph, with_parents()), f"the certificate refutes dijkstra on {name}")
        a, b, c = best_of(rounds, ours, with_parents, theirs)
        detail = f"{a * 1e3:.1f} ms, with parents {b * 1e3:.1f}, scipy {c * 1e3:.1f}"
        yield Figure(f"dijkstra on {name}, faster than scipy", c / a, "x", 1.2, detail=detail)


SUITE = Suite("foundation", "reading, building, generating, opening, and Dijkstra against scipy", run)
