"""The nearest sources of each vertex, against the distances from every source: the k least, the first of equal ones."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import pathfront as pf
from fuzz.finding import Finding
from fuzz.oracle import WIDER, Number
from fuzz.world import World, unreached

Row = list[tuple[Number, int]]
"""The distances of a vertex with the sources' places, the nearest first."""


def options(rng: random.Random) -> dict[str, Any]:
    """Draw the options of a call."""
    return {
        "k": rng.choice((1, 1, 1, 2, 3, 8)),
        "direction": rng.choice(("from", "from", "to")),
        "parents": rng.random() < 0.5,
    }


def check(world: World, call: dict[str, Any]) -> Finding | None:
    """Make the call and compare."""
    sources, cutoff, k = list(dict.fromkeys(call["sources"])), call.get("cutoff"), call.get("k", 1)
    given = {name: call[name] for name in ("k", "direction", "parents") if name in call}
    searched = world.turned() if call.get("direction") == "to" else world
    dtype, rows = _expected(searched, sources, k, cutoff)
    try:
        found = pf.nearest(world.graph, call["sources"], cutoff=cutoff, threads=call["threads"], **given)
    except pf.DistanceOverflowError as error:
        return None if dtype is None else Finding("overflow", str(error))
    if dtype is None:
        return Finding("no overflow", f"{found!r}"[:200])
    distance, source = found.distance.reshape(world.n, k), found.source.reshape(world.n, k)
    if found.distance.dtype != dtype or found.distance.ndim != (1 if k == 1 else 2):
        return Finding("type", f"the distances are {found.distance.dtype}, but must be {dtype}")
    for v, row in enumerate(rows):
        want = np.array([d for d, _ in row] + [unreached(dtype)] * (k - len(row)), dtype)
        if want.tobytes() != distance[v].tobytes():
            return Finding("distance", f"vertex {v} is at {distance[v].tolist()}, but must be at {want.tolist()}")
    flaw = _wrong_source(searched, sources, rows, distance, source)
    if flaw is None and found.parent is not None:
        flaw = _wrong_parent(searched, distance, source, found.parent.reshape(world.n, k))
    return Finding("nearest", flaw) if flaw else None


def _expected(world: World, sources: list[int], k: int, cutoff: Number | None) -> tuple[str | None, list[Row]]:
    """Return the type of the distances and for each vertex the k nearest sources; no type if none is wide enough."""
    reach = [0] * world.n
    for source in sources:
        for v in world.reached_from(source):
            reach[v] += 1
    dtype: str | None = world.dtype
    while dtype is not None:
        limit = cutoff if cutoff is not None and cutoff <= world.most(dtype) else None
        every = [world.distances((source,), dtype) for source in sources]
        rows: list[Row] = []
        for v in range(world.n):
            row = [(dist[v], i) for i, dist in enumerate(every)]
            rows.append(sorted((d, i) for d, i in row if d is not None)[:k])
        if limit is not None:
            return dtype, [[(d, i) for d, i in row if d <= limit] for row in rows]
        if all(len(row) == min(k, count) for row, count in zip(rows, reach, strict=True)):
            return dtype, rows
        dtype = WIDER.get(dtype)
    return None, []


def _wrong_source(world: World, sources: list[int], rows: list[Row], distance: Any, source: Any) -> str | None:
    for v, row in enumerate(rows):
        got = source[v].tolist()
        if got[len(row) :] != [pf.NO_VERTEX] * (len(got) - len(row)):
            return f"vertex {v} has the sources {got}, but only {len(row)} are near"
        if not world.floating:
            want = [sources[i] for _, i in row]
            if got[: len(row)] != want:
                return f"vertex {v} has the sources {got}, but must have {want}"
            continue
        if len({*got[: len(row)]}) < len(row):
            return f"vertex {v} has the sources {got}, one of them twice"
        for start, (d, _) in zip(got, row, strict=False):
            own = world.distances((start,), distance.dtype.name)[v] if start in sources else None
            if own != d:
                return f"vertex {v} belongs to {start}, which is at {own}, not {d}"
    return None


def _wrong_parent(world: World, distance: Any, source: Any, parent: Any) -> str | None:
    """Every parent must have the same source, and explain the distance; the parents must lead to the source."""
    for v, column in np.argwhere(source != pf.NO_VERTEX).tolist():
        root, at, steps = source[v, column], column, 0
        while parent[v, at] != pf.NO_VERTEX:
            u = int(parent[v, at])
            behind = np.flatnonzero(source[u] == root)
            if behind.size != 1:
                return f"the parent {u} of vertex {v} does not belong to {root}"
            if not world.explains(u, v, distance[u, behind[0]], distance[v, at]):
                return f"no arc {u} -> {v} explains the distance {distance[v, at]} of vertex {v} from {root}"
            v, at, steps = u, int(behind[0]), steps + 1
            if steps > world.n:
                return f"the parents of vertex {v} close a cycle"
            if world.n > 200:
                break  # one step of each is enough for a large graph: the others are checked at their own turn
        else:
            if v != root:
                return f"the parents lead to {v}, not to {root}"
    return None
