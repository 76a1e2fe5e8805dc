"""Round trips: what a format accepts it must give back, or refuse with an error of the package."""

from __future__ import annotations

import contextlib
import functools
import os
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pathfront as pf
from fuzz.finding import Case, Finding, unexpected
from fuzz.graphs import build, graph_case
from pathfront import distances

PER_ROUND = 12
_ENDINGS = ("", "", "", ".gz", ".xz", ".zst")
_NAMES = ("a", "b", "", " ", "x y", "Ósť", '"', "a,b", "#", "1", "007", "1e3", "nan", "NA", "\t", "\n", "'", "%", "-1")
_SAYING_DIRECTED = ("matrix_market", "parquet", "pfg")
"""Formats that say whether a graph is directed; in others it is if some arc has no opposite."""


def make(rng: random.Random) -> Iterator[Case]:
    """Return a graph to be written in several ways."""
    graph = graph_case(rng, middle=0.02, signed=0.2)
    _decorate(rng, graph)
    for _ in range(PER_ROUND):
        format = rng.choice([*pf.formats.names(), "pfd", "pfp"])
        how: dict[str, Any] = {}
        if format == "edge_list" and rng.random() < 0.5:
            how = {"header": True}
        elif format == "galois":
            how = {"version": rng.choice((1, 2)), "weights": graph["dtype"]}
            how = {name: value for name, value in how.items() if value is not None}
        ending, lossy = rng.choice(_ENDINGS), rng.random() < 0.3
        yield {"graph": graph, "format": format, "write": how, "ending": ending, "lossy": lossy}


def _decorate(rng: random.Random, graph: dict[str, Any]) -> None:
    """Give a graph labels and coordinates, or none."""
    n = graph["n"]
    if rng.random() < 0.15:
        graph["labels"] = rng.sample(range(3 * n), n) if rng.random() < 0.5 else rng.sample(range(2**50), n)
    elif rng.random() < 0.15:
        graph["labels"] = (rng.sample(_NAMES, len(_NAMES)) + [f"v{i}" for i in range(n)])[:n]
    if rng.random() < 0.1:
        graph["coordinates"] = [[rng.randint(-(10**9), 10**9), i] for i in range(n)]
    elif rng.random() < 0.1:
        graph["coordinates"] = [[rng.random(), -0.0, 1e-300] for _ in range(n)]


def graph_of(case: dict[str, Any]) -> pf.Graph:
    """Return the package's graph, with labels and coordinates."""
    graph = build(case)
    return graph.with_labels(case.get("labels")).with_coordinates(case.get("coordinates"))


def check(case: Case) -> Finding | None:
    """Write and read again; compare everything that the format holds."""
    graph, format = graph_of(case["graph"]), case["format"]
    if format == "pfd":
        return _check_distances(graph, case["ending"])
    if format == "pfp":
        return _check_result(graph, case["ending"])
    name = f"graph{pf.formats.get(format).suffixes[0]}{case['ending']}"
    how: dict[str, Any] = {}
    if format == "galois" and graph.weights is not None:
        how["weights"] = graph.weights.dtype.name
    try:
        path = _folder() / name
        pf.write(graph, path, format=format, lossy=case["lossy"], **case["write"])
    except pf.PathfrontError:
        return None
    except Exception as error:
        return unexpected(error)
    try:
        again = pf.read(path, format=format, **how)
        again.check()
    except Exception as error:
        return Finding(f"own output: {type(error).__name__}", str(error))
    lost = None if case["lossy"] else differences(graph, again, format)
    return lost or _check_names(again)


def _check_names(graph: pf.Graph) -> Finding | None:
    """Look every vertex up by its name, and compare a search by names with one by positions."""
    wrong = [v for v in range(graph.n) if graph.vertex(graph.name_of(v)) != v]
    if wrong:
        return Finding("names", f"vertex {wrong[0]} is named {graph.name_of(wrong[0])!r}, but not found by that")
    with contextlib.suppress(pf.PathfrontError):  # no vertices, negative cycles, overflow
        named = pf.shortest_paths(graph, graph.name_of(graph.n - 1))
        plain = pf.shortest_paths(graph.unlabelled(), graph.n - 1)
        farthest = plain.graph.vertex(plain.summary().farthest)
        path = graph.names_of(plain.path_to(farthest)).tolist()
        same = named.distance.tobytes() == plain.distance.tobytes()
        if not same or named.path_to(graph.name_of(farthest)).tolist() != path or named.source != path[0]:
            return Finding("names", f"searches by name and by position differ in {graph!r}")
    return None


@functools.cache
def files_of_all() -> tempfile.TemporaryDirectory[str]:
    """Return a folder in memory, where there is one: every write is synchronised with the disk.

    The process that calls this first removes it at its end. Workers, which may be killed, are its children.
    """
    memory = Path("/dev/shm")
    return tempfile.TemporaryDirectory(prefix="pathfront-fuzz-", dir=memory if memory.is_dir() else None)


def _folder() -> Path:
    own = Path(files_of_all().name) / str(os.getpid())
    own.mkdir(exist_ok=True)
    return own


def differences(graph: pf.Graph, again: pf.Graph, format: str) -> Finding | None:
    """Return what was lost or changed."""
    if again.n != graph.n:
        return Finding("vertices", f"{graph.n} became {again.n}")
    if set(_names(graph)) != set(_names(again)):
        return Finding("labels", f"{_names(graph)[:5]} became {_names(again)[:5]}")
    if _arcs(again) != _arcs(graph):
        lost, made = _arcs(graph) - _arcs(again), _arcs(again) - _arcs(graph)
        return Finding("arcs", f"lost {list(lost)[:3]}, made {list(made)[:3]}")
    changed = graph.m and again.directed != graph.directed
    if changed and (again.directed or format in _SAYING_DIRECTED):
        return Finding("directed", f"{graph.directed} became {again.directed}")
    if graph.m and (again.weights is None) != (graph.weights is None):
        return Finding("weights", f"{graph!r} became {again!r}")
    if _points(graph) != _points(again):
        return Finding("coordinates", f"{_points(graph)} became {_points(again)}")
    return None


def _names(graph: pf.Graph) -> list[Any]:
    return list(range(graph.n)) if graph.labels is None else graph.labels.tolist()


def _points(graph: pf.Graph) -> dict[Any, Any]:
    """Return the coordinates by name."""
    if graph.coordinates is None:
        return {}
    return dict(zip(_names(graph), graph.coordinates.tolist(), strict=True))


def _arcs(graph: pf.Graph) -> Counter[Any]:
    """Return the arcs by name; whole numbers and floats of the same value differ."""
    names = _names(graph)
    weights = [None] * graph.m if graph.weights is None else graph.weights.tolist()
    kind = "" if graph.weights is None else graph.weights.dtype.kind.replace("u", "i")
    ends = zip(graph.tails().tolist(), graph.heads.tolist(), weights, strict=True)
    return Counter((names[u], names[v], kind, w) for u, v, w in ends)


def _check_distances(graph: pf.Graph, ending: str) -> Finding | None:
    path = _folder() / f"answer.pfd{ending}"
    with contextlib.suppress(pf.PathfrontError):  # negative cycles, overflow
        paths = pf.shortest_paths(graph.with_labels(None), graph.n - 1)
        distances.write(paths, path)
        again = distances.read(path)
        same = again.distance.tobytes() == paths.distance.tobytes() and again.distance.dtype == paths.distance.dtype
        if not same or again.parent is None or (again.parent != paths.parent).any() or again.source != paths.source:
            return Finding("pfd", "distances differ")
    return None


def _check_result(graph: pf.Graph, ending: str) -> Finding | None:
    path = _folder() / f"answer.pfp{ending}"
    with contextlib.suppress(pf.PathfrontError):  # negative cycles, overflow
        paths = pf.shortest_paths(graph, pf.index(graph.n - 1))
        paths.save(path)
        for again in (pf.load_paths(path), pf.load_paths(path, graph)):
            same = again.distance.tobytes() == paths.distance.tobytes() and again.distance.dtype == paths.distance.dtype
            if not same or (again.parent != paths.parent).any() or again.to_dict() != paths.to_dict():
                return Finding("pfp", "results differ")
            if list(map(str, again.tree())) != list(map(str, paths.tree())):
                return Finding("pfp", "trees differ")
    return None


def tags(case: Case) -> Iterator[str]:
    """Return what is counted about a case."""
    yield f"format {case['format']}{case['ending']}"
