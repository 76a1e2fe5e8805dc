"""Damaged and forged files: every reader gives a sound graph or an error of the package, in little time and memory."""

from __future__ import annotations

import contextlib
import functools
import io
import random
import resource
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

import pathfront as pf
from fuzz.finding import Case, Finding, unexpected
from fuzz.mutate import OTHER_PACKERS, PACKERS, mutated, with_checksums
from pathfront import distances

PER_ROUND = 200
_MEMORY = 1 << 30
"""Bytes that reading a file of at most some kilobytes may need, address space that is only reserved included."""
_SOLVED = 0.1
"""The share of the graphs read on which a search is run, too."""

READERS = (*pf.formats.names(), "coordinates", "pfd", "pfp", *PACKERS)

_OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "edge_list": ({}, {"header": True}, {"header": False}, {"directed": False}, {"compact": False}),
    "galois": ({}, {"weights": "float32"}, {"weights": "int64"}, {"weights": "float64"}),
    "npz": ({}, {"directed": False}),
    "parquet": ({}, {"directed": False}),
    "csv": ({}, {"directed": False}, {"tail": "tail", "head": "head"}),
}
"""Options of readers."""


def make(rng: random.Random) -> Iterator[Case]:
    """Return damaged files for one reader."""
    reader = rng.choice(READERS)
    base = rng.choice(("pfg", "dimacs", "edge_list", "npz")) if reader in PACKERS else reader
    seeds = whole_files(base)
    for _ in range(PER_ROUND):
        contents = mutated(rng, seeds)
        if rng.random() < 0.7:
            contents = with_checksums(base, contents)
        if reader in PACKERS:
            contents = PACKERS[reader](contents)
            if rng.random() < 0.8:
                contents = mutated(rng, [contents])
        elif rng.random() < 0.003:
            contents = rng.choice(list(OTHER_PACKERS.values()))(contents)
        format = base if reader not in ("coordinates", "pfd", "pfp", *PACKERS) and rng.random() < 0.7 else None
        options = rng.choice(_OPTIONS.get(reader, ({},))) if format else {}
        yield {
            "reader": reader, "format": format, "options": options,
            "solved": rng.random() < _SOLVED, "contents": contents.decode("latin-1"),
        }  # fmt: skip


@functools.cache
def whole_files(format: str) -> list[bytes]:
    """Return valid files to begin with."""
    if format == "coordinates":
        return [b"p aux sp co 3\nv 1 -5 6\nv 2 7 8\nv 3 9 0\n", b"c\np aux sp co 1\nv 1 0 0\n"]
    if format == "pfd":
        return [_packed_distances(graph, parents, cutoff)
                for graph in _graphs() if graph.n for parents in (True, False) for cutoff in (None, 5)]  # fmt: skip
    if format == "pfp":
        return [_saved(graph, parents) for graph in _graphs() if graph.n for parents in (True, False)]
    seeds = []
    for graph in _graphs():
        weights = "uint32" if graph.weights is None else graph.weights.dtype.name
        for options in ({}, {"header": True}, {"version": 2}, {"weights": weights}):
            with contextlib.suppress(pf.PathfrontError):
                file = io.BytesIO()
                pf.write(graph, file, format=format, **options)
                seeds.append(file.getvalue())
    return list(dict.fromkeys([*seeds, *_HAND_MADE.get(format, ())]))


_HAND_MADE: dict[str, tuple[bytes, ...]] = {
    "metis": (b"% c\n3 2 111 1\n1 1 2 5\n1 1 1 5 3 4\n1 1 2 4\n", b"2 1 10 2\n3 4 2\n3 4 1\n"),
    "matrix_market": (
        b"%%MatrixMarket matrix coordinate real symmetric\n% c\n\n3 3 2\n2 1 0.5\n3 2 1e3\n",
        b"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n",
        b"%%MatrixMarket matrix coordinate unsigned-integer general\n2 2 1\n1 2 18446744073709551615\n",
    ),
    "edge_list": (b"3 2 0\n0 1 5\n1 2 6\n", b"# c\n7,19\n19,40\n", b"0\t1\t0.5\r\n1\t0\t1e9\r\n"),
    "csv": (b"from,to\na,b\nb,c\n", b'"x, y",z\n"1""",2\n', b"1,2,3\n4,5,6\n", b"tail,head,weight\n1,2,0.5\n,,\n"),
    "dimacs": (b"c x\n\np sp 2 1\r\na 1 2 7\r\n",),
    "pace": (b"c x\np tw 3 2\n1 2\n2 3\n",),
}


def _graphs() -> list[pf.Graph]:
    edges = pf.Graph.from_edges
    return [
        edges([], [], n=0),
        edges([], [], n=1),
        edges([0, 1, 1, 2], [1, 2, 0, 2], [5, 1, 0, 70000]),
        edges([0, 1, 2, 0], [1, 2, 0, 3], [5, 6, 7, 8], directed=False),
        edges([0, 1, 2], [1, 2, 3], directed=False),
        edges([0, 1, 2], [1, 2, 0], [-3, 8, 2]),
        edges([0, 1, 2, 2], [1, 2, 0, 1], [0.1, 1e-300, 1 / 3, 1.7e308]),
        edges([0, 1], [1, 0], np.array([2**64 - 2, 1], np.uint64)),
        edges([0, 1, 2], [1, 2, 0], [3, 4, 5], labels=["Rome", 'Ósť, "ia"', "x"]),
        edges([0, 1], [1, 2], [3, 4], labels=[7, 19, 2**40]),
        edges([0, 1], [1, 0], [3, 4], coordinates=[[0, -1], [2, 9]]),
        edges([0, 1], [1, 0], coordinates=[[0.5, -1.0, 3.0], [2.0, 1e-9, 0.0]]),
        pf.generate.random(40, 150, seed=1),
    ]


def _packed_distances(graph: pf.Graph, parents: bool, cutoff: int | None) -> bytes:
    nonnegative = graph.weights is None or (graph.weights >= 0).all()
    paths = pf.shortest_paths(graph.with_labels(None), 0, parents=parents, cutoff=cutoff if nonnegative else None)
    file = io.BytesIO()
    distances.write(paths, file)
    return file.getvalue()


def _saved(graph: pf.Graph, parents: bool) -> bytes:
    file = io.BytesIO()
    pf.shortest_paths(graph, pf.index(0), parents=parents, trace=not parents).save(file)
    return file.getvalue()


def check(case: Case) -> Finding | None:
    """Read the file; only a sound graph or an error of the package may come of it."""
    contents = case["contents"].encode("latin-1")
    try:
        with limited_memory(_MEMORY), warnings.catch_warnings():
            warnings.simplefilter("error")
            return _read(case, contents)
    except pf.PathfrontError:
        return None
    except Exception as error:
        return unexpected(error)


def _read(case: Case, contents: bytes) -> Finding | None:
    file = io.BytesIO(contents)
    if case["reader"] == "coordinates":
        shape = pf.read_coordinates(file).shape
        return None if shape[1:] == (2,) else Finding("shape", f"coordinates of shape {shape}")
    if case["reader"] == "pfd":
        found = distances.read(file)
        fits = found.parent is None or found.parent.shape == found.distance.shape
        return None if fits else Finding("shape", "parents do not fit the distances")
    if case["reader"] == "pfp":
        return _flaw_of_result(pf.load_paths(file))
    graph = pf.read(file, format=case["format"], **case["options"])
    return flaw_of(graph, case["solved"])


def _flaw_of_result(paths: pf.ShortestPaths) -> Finding | None:
    """Return what makes a result unsound, or None: every reached vertex has a path, and its edges have weights."""
    repr(paths)
    for vertex in map(pf.index, np.flatnonzero(paths.reached)[:20].tolist()):
        if paths._parent is not None and paths.edges_to(vertex).tails.size + 1 != paths.path_to(vertex).size:
            return Finding("unsound", "a path and its edges differ")
    return flaw_of(paths.graph, False)


def flaw_of(graph: pf.Graph, solved: bool) -> Finding | None:
    """Return what makes a graph unsound, or None."""
    graph.check()
    offsets, heads, weights = graph.offsets, graph.heads, graph.weights
    if (
        offsets.size != graph.n + 1
        or offsets[0] != 0
        or offsets[-1] != heads.size
        or (offsets[1:] < offsets[:-1]).any()
    ):
        return Finding("unsound", "the offsets do not divide the arcs")
    if heads.size and heads.max() >= graph.n:
        return Finding("unsound", f"some head is {heads.max()}, but there are {graph.n} vertices")
    if weights is not None and (weights.size != heads.size or not np.isfinite(weights).all()):
        return Finding("unsound", "the weights do not fit the arcs")
    labels = graph.labels
    if labels is not None and (len(labels) != graph.n or len(set(labels.tolist())) != graph.n):
        return Finding("unsound", "the labels do not fit the vertices")
    if solved and 0 < graph.n < 100_000:
        graph = graph.with_labels(None)
        paths = pf.shortest_paths(graph, graph.n - 1)
        if not pf.verify(graph, paths):
            return Finding("verify", str(pf.verify(graph, paths)))
    return None


@contextlib.contextmanager
def limited_memory(room: int) -> Iterator[None]:
    """Limit the address space to what is used now and some more."""
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    kept = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + room, kept[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, kept)


def tags(case: Case) -> Iterator[str]:
    """Return what is counted about a case."""
    yield f"reader {case['reader']}"
