"""Searches from many sources, and the certificate: right answers must be verified, forged ones refuted."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pathfront as pf
from fuzz.finding import Case, Finding, unexpected
from fuzz.graphs import graph_case
from fuzz.oracle import LARGEST, WIDER
from fuzz.searches import compare
from fuzz.world import World, unreached, world_of

PER_ROUND = 40
_CALLS = ("distance_matrix", "nearest", "many", "forged", "forged", "forged_parents")


def make(rng: random.Random) -> Iterator[Case]:
    """Return a graph with calls on it."""
    graph = graph_case(rng, middle=0.03, signed=0)
    world, n = world_of(graph), graph["n"]
    few = [rng.randrange(n) for _ in range(4)]
    for _ in range(PER_ROUND):
        name = rng.choice(_CALLS)
        call: dict[str, Any] = {"function": name, "threads": rng.choice((1, 1, 2, 3, 16))}
        if name.startswith("forged"):
            call |= {"source": rng.choice(few), "change": [rng.random() for _ in range(rng.choice((1, 1, 2, 5)))]}
        else:
            call["sources"] = [rng.choice(few) for _ in range(rng.choice((1, 2, 3, 6)))]
        if name == "distance_matrix":
            call |= {"targets": rng.choice((None, few)), "dtype": rng.choice((None, None, "float64", *LARGEST))}
        if rng.random() < 0.3:
            dist = [d for d in world.distances((few[0],), world.dtype) if d is not None]
            call["cutoff"] = rng.choice((rng.choice(dist), 0, 3.7, 1e9))
        yield {"graph": graph, "call": call}


def check(case: Case) -> Finding | None:
    """Make the call and compare."""
    world, call = world_of(case["graph"]), case["call"]
    try:
        return _CHECKS[call["function"]](world, call)
    except Exception as error:
        return unexpected(error)


def _matrix(world: World, call: dict[str, Any]) -> Finding | None:
    sources, targets, wanted, cutoff = call["sources"], call["targets"], call["dtype"], call.get("cutoff")
    ends = None if targets is None else tuple(targets)
    expected = [world.expected((source,), cutoff, ends) for source in sources]
    overflows = any(row.outcome == "overflow" for row in expected)
    suits = wanted in (None, world.dtype, WIDER.get(world.dtype), "float64")
    try:
        found = pf.distance_matrix(world.graph, sources, targets, dtype=wanted, cutoff=cutoff, threads=call["threads"])
    except pf.DistanceOverflowError as error:
        narrow = wanted == world.dtype and any(row.dtype != wanted for row in expected)
        return None if overflows or narrow else Finding("overflow", str(error))
    except pf.ArgumentError as error:
        return unexpected(error) if suits else None
    if overflows:
        return Finding("no overflow", f"{found!r}"[:200])
    searched = max((row.dtype for row in expected), key=lambda dtype: dtype in WIDER.values())
    if wanted is not None and wanted == WIDER.get(world.dtype):
        searched = wanted
    dtype = wanted or searched
    if found.dtype != dtype:
        return Finding("type", f"the matrix is {found.dtype}, but must be {dtype}")
    for source, got in zip(sources, found if cutoff is None else _dense(found, dtype), strict=True):
        want = _row(world, source, searched, dtype, cutoff)[slice(None) if targets is None else targets]
        if want.tobytes() != got.tobytes():
            return Finding("distance", f"from {source}: {got.tolist()[:20]}, but must be {want.tolist()[:20]}")
    return None


def _row(world: World, source: int, searched: str, dtype: str, cutoff: Any) -> NDArray[Any]:
    """Return the distances from a source, searched in one type and stored in another."""
    none = unreached(dtype)
    dist = world.distances((source,), searched)
    return np.array([none if d is None or (cutoff is not None and d > cutoff) else d for d in dist], dtype)


def _dense(found: Any, dtype: str) -> NDArray[Any]:
    """Return a sparse matrix as an array; what it does not hold is unreached."""
    dense = np.full(found.shape, unreached(dtype), found.dtype)
    rows = np.repeat(np.arange(found.shape[0]), np.diff(found.indptr))
    dense[rows, found.indices] = found.data
    return dense


def _nearest(world: World, call: dict[str, Any]) -> Finding | None:
    sources = tuple(call["sources"])
    expected = world.expected(sources, call.get("cutoff"))
    try:
        found = pf.nearest(world.graph, list(sources), cutoff=call.get("cutoff"))
    except pf.DistanceOverflowError as error:
        return None if expected.outcome == "overflow" else Finding("overflow", str(error))
    if expected.dist is None:
        return Finding("no overflow", f"{found!r}"[:200])
    if found.distance.dtype != expected.dtype or found.distance.tobytes() != expected.dist.tobytes():
        return Finding("distance", f"{found.distance.tolist()[:20]}, but must be {expected.dist.tolist()[:20]}")
    for v, start in enumerate(found.source.tolist()):
        if (start == pf.NO_VERTEX) != (expected.dist[v] == unreached(expected.dtype)):
            return Finding("nearest", f"vertex {v} belongs to {start}")
        if start != pf.NO_VERTEX:
            own = world.distances((start,), expected.dtype)[v] if start in sources else None
            if own != expected.dist[v]:
                return Finding("nearest", f"vertex {v} belongs to {start}, which is at {own}, not {expected.dist[v]}")
    return None


def _many(world: World, call: dict[str, Any]) -> Finding | None:
    expected = [world.expected((source,), call.get("cutoff")) for source in call["sources"]]
    overflows = any(answer.outcome == "overflow" for answer in expected)
    try:
        found = list(
            pf.shortest_paths_many(world.graph, call["sources"], cutoff=call.get("cutoff"), threads=call["threads"])
        )
    except pf.DistanceOverflowError as error:
        return None if overflows else Finding("overflow", str(error))
    for source, answer, paths in zip(call["sources"], expected, found, strict=True):
        wrong = compare(world, source, answer, paths)
        if wrong:
            return wrong
    return None


def _forged(world: World, call: dict[str, Any]) -> Finding | None:
    """Change some distances; only the right ones may be verified."""
    source, cutoff = call["source"], call.get("cutoff")
    expected = world.expected((source,), cutoff)
    if expected.dist is None:
        return None
    dist = _with_changes(expected.dist, call["change"])
    verdict = pf.verify(world.graph, dist, source=source, cutoff=cutoff, threads=call["threads"])
    right = dist.tobytes() == expected.dist.tobytes()
    if bool(verdict) != right:
        return Finding("verify", f"{dist.tolist()[:20]} for {expected.dist.tolist()[:20]}: {verdict}")
    straight = pf.verify(world.graph, expected.dist, source=source, cutoff=cutoff)
    return None if straight else Finding("verify", f"right distances: {straight}")


def _with_changes(dist: NDArray[Any], change: list[float]) -> NDArray[Any]:
    """Return distances of which some are changed: by one unit, to another vertex's, to 0, to unreached."""
    made, n = dist.copy(), dist.size
    for number in change:
        v, way = int(number * n), int(number * n * 6) % 6
        if made.dtype.kind == "f":
            with np.errstate(over="ignore", under="ignore"):
                near = np.nextafter(made[v], 0), np.nextafter(made[v], np.inf), made[v] / 2
            values = (*near, made[n - 1 - v], 0, np.inf)
        else:
            most = int(unreached(made.dtype.name))
            whole = int(made[v])
            values = (max(whole - 1, 0), min(whole + 1, most), int(made[n - 1 - v]), 0, most, whole // 2)
        made[v] = values[way]
    return made


def _forged_parents(world: World, call: dict[str, Any]) -> Finding | None:
    """Change some parents; what is verified must be a tree of tight arcs."""
    source, cutoff = call["source"], call.get("cutoff")
    expected = world.expected((source,), cutoff)
    if expected.dist is None:
        return None
    parent = np.asarray(pf.shortest_paths(world.graph, source, cutoff=cutoff).parent).copy()
    for number in call["change"]:
        v = int(number * world.n)
        choices = (pf.NO_VERTEX, v, source, world.n, int(number * world.n**2) % world.n)
        parent[v] = choices[int(number * world.n * 5) % 5]
    flaw = world.check_parents((source,), expected.dist, parent)
    verdict = pf.verify(world.graph, expected.dist, source=source, parent=parent, cutoff=cutoff)
    if bool(verdict) != (flaw is None):
        return Finding("verify", f"parents {parent.tolist()[:20]} of {expected.dist.tolist()[:20]}: {verdict}; {flaw}")
    return None


_CHECKS = {
    "distance_matrix": _matrix,
    "nearest": _nearest,
    "many": _many,
    "forged": _forged,
    "forged_parents": _forged_parents,
}


def tags(case: Case) -> Iterator[str]:
    """Return what is counted about a case."""
    yield f"call {case['call']['function']}"
