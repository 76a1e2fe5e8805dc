"""Searches from many sources, and the certificate: right answers must be verified, forged ones refuted."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pathfront as pf
from fuzz import nearest
from fuzz.finding import Case, Finding, unexpected
from fuzz.graphs import graph_case
from fuzz.oracle import LARGEST, WIDER
from fuzz.searches import compare
from fuzz.world import World, unreached, world_of

PER_ROUND = 40
_METHODS = [name for name in pf.methods.names() if not pf.methods.get(name).unit_weights]
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
            call |= {name: rng.random() < 0.4 for name in ("sparse", "parents")}
            call |= {"method": rng.choice(("auto", "auto", *_METHODS))}
        if name == "nearest":
            call |= nearest.options(rng)
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
    given = {name: call[name] for name in ("threads", "sparse", "parents", "method") if name in call}
    try:
        answer = pf.distance_matrix(world.graph, sources, targets, dtype=wanted, cutoff=cutoff, **given)
    except pf.DistanceOverflowError as error:
        narrow = wanted == world.dtype and any(row.dtype != wanted for row in expected)
        return None if overflows or narrow else Finding("overflow", str(error))
    except pf.ArgumentError as error:
        return unexpected(error) if suits else None
    if overflows:
        return Finding("no overflow", f"{answer!r}"[:200])
    found, parents = (answer.distances, answer.parents) if call.get("parents") else (answer, None)
    if isinstance(found, np.ndarray) == call.get("sparse", False):
        return Finding("type", f"the matrix is a {type(found)}")
    searched = max((row.dtype for row in expected), key=lambda dtype: dtype in WIDER.values())
    if wanted is not None and wanted == WIDER.get(world.dtype):
        searched = wanted
    dtype = wanted or searched
    if found.dtype != dtype:
        return Finding("type", f"the matrix is {found.dtype}, but must be {dtype}")
    for source, got in zip(sources, _dense(found, unreached(dtype)), strict=True):
        want = _row(world, source, searched, dtype, cutoff)[slice(None) if targets is None else targets]
        if want.tobytes() != got.tobytes():
            return Finding("distance", f"from {source}: {got.tolist()[:20]}, but must be {want.tolist()[:20]}")
    flaw = None if parents is None else _wrong_trees(world, sources, targets, cutoff, searched, parents)
    return Finding("parents", flaw) if flaw else None


def _wrong_trees(
    world: World, sources: list[int], targets: Any, cutoff: Any, searched: str, parents: Any
) -> str | None:
    """Return what is wrong with the rows of parents: they reach as far as the cutoff and the farthest target."""
    for source, tree in zip(sources, _dense(parents, -1), strict=True):
        limit, dist = cutoff, world.distances((source,), searched)
        if targets is not None and None not in (ends := [dist[v] for v in targets]):
            limit = max(ends) if limit is None else min(limit, max(ends))
        row = _row(world, source, searched, searched, limit)
        flaw = world.check_parents((source,), row, np.where(tree < 0, pf.NO_VERTEX, tree).astype(np.uint32))
        if flaw:
            return f"from {source}: {flaw}"
    return None


def _row(world: World, source: int, searched: str, dtype: str, cutoff: Any) -> NDArray[Any]:
    """Return the distances from a source, searched in one type and stored in another."""
    none = unreached(dtype)
    dist = world.distances((source,), searched)
    return np.array([none if d is None or (cutoff is not None and d > cutoff) else d for d in dist], dtype)


def _dense(found: Any, fill: Any) -> NDArray[Any]:
    """Return a matrix as an array; what a sparse one does not hold is filled."""
    if isinstance(found, np.ndarray):
        return found
    dense = np.full(found.shape, fill, found.dtype)
    rows = np.repeat(np.arange(found.shape[0]), np.diff(found.indptr))
    dense[rows, found.indices] = found.data
    return dense


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
    "nearest": nearest.check,
    "many": _many,
    "forged": _forged,
    "forged_parents": _forged_parents,
}


def tags(case: Case) -> Iterator[str]:
    """Return what is counted about a case."""
    yield f"call {case['call']['function']}"
