"""Shortest paths in plain Python, slow and obvious, to compare all methods with.

Distances are added outward from the source in the arithmetic of the weights' type, like every method must, so that
results can be compared bit for bit.
"""

from __future__ import annotations

import heapq
import math
from fractions import Fraction
from typing import Any

import numpy as np

import pathfront as pf


def arcs_of(graph: pf.Graph, u: int) -> list[tuple[int, Any]]:
    row = slice(int(graph.offsets[u]), int(graph.offsets[u + 1]))
    heads = graph.heads[row].tolist()
    if graph.weights is None:
        return [(v, 1) for v in heads]
    weights = graph.weights[row]
    return list(zip(heads, weights if weights.dtype.kind == "f" else weights.tolist(), strict=True))


def dijkstra(graph: pf.Graph, source: int) -> dict[int, Any]:
    """The distance of every vertex that can be reached; Python integers, or numpy floats of the weights' type."""
    zero = graph.weights.dtype.type(0) if graph.weights is not None and graph.weights.dtype.kind == "f" else 0
    dist = {source: zero}
    queue = [(zero, source)]
    settled = set()
    while queue:
        here, u = heapq.heappop(queue)
        if u in settled:
            continue
        settled.add(u)
        for v, weight in arcs_of(graph, u):
            if v not in dist or here + weight < dist[v]:
                dist[v] = here + weight
                heapq.heappush(queue, (dist[v], v))
    return dist


def bellman_ford(graph: pf.Graph, source: int) -> dict[int, Any] | None:
    """The same for any weights; None if a negative cycle can be reached."""
    dist: dict[int, Any] = {source: 0}
    for _ in range(graph.n):
        changed = False
        for u in list(dist):
            for v, weight in arcs_of(graph, u):
                if v not in dist or dist[u] + weight < dist[v]:
                    dist[v] = dist[u] + weight
                    changed = True
        if not changed:
            return dist
    return None


def exact_bellman_ford(graph: pf.Graph, source: int) -> dict[int, Fraction] | None:
    """The exact lengths of shortest paths for any finite weights; None if a negative cycle can be reached."""
    dist = {source: Fraction(0)}
    for _ in range(graph.n):
        changed = False
        for u in list(dist):
            for v, weight in arcs_of(graph, u):
                there = dist[u] + Fraction(float(weight))
                if v not in dist or there < dist[v]:
                    dist[v], changed = there, True
        if not changed:
            return dist
    return None


def rounded(exact: Fraction, dtype: Any) -> Any:
    """The nearest number of a type, of two the even one; infinite beyond its range."""
    kind = np.dtype(dtype).type
    digits = np.finfo(dtype).nmant + 1
    if exact == 0:
        return kind(0)
    lowest = math.frexp(float(np.finfo(dtype).smallest_subnormal))[1] - 1
    size = abs(exact)
    top = size.numerator.bit_length() - size.denominator.bit_length()
    top += size >= Fraction(2) ** top  # 2 ** (top - 1) <= size < 2 ** top
    unit = Fraction(2) ** max(top - digits, lowest)
    nearest = round(exact / unit) * unit  # of two the even one
    with np.errstate(over="ignore"):
        return kind(float(nearest)) if abs(nearest) < 2**1024 else kind(np.copysign(np.inf, exact))


def as_array(dist: dict[int, Any], n: int, dtype: Any) -> np.ndarray:
    dtype = np.dtype(dtype)
    out = np.full(n, np.inf if dtype.kind == "f" else np.iinfo(dtype).max, dtype)
    for v, d in dist.items():
        out[v] = d
    return out


def certify(paths: pf.ShortestPaths) -> None:
    """The certificate of a result, asserted in plain Python; independent of pf.verify."""
    graph, dist = paths.graph, paths.distance.tolist()
    none = paths.unreached
    assert dist[paths.source] == 0
    tight = set()
    for u in range(graph.n):
        if dist[u] == none:
            continue
        for v, weight in arcs_of(graph, u):
            total = paths.distance[u] + weight if paths.distance.dtype.kind == "f" else dist[u] + weight
            within = paths.radius is None or total <= paths.radius
            assert not within or total >= dist[v], f"arc {u} -> {v} improves"
            if total == dist[v]:
                tight.add((u, v))
    for v in range(graph.n):
        parent = int(paths.parent[v])
        if v == paths.source or dist[v] == none:
            assert parent == pf.NO_VERTEX
            continue
        assert (parent, v) in tight, f"the parent arc {parent} -> {v} is not tight"
        steps = 0
        while v != paths.source:
            v, steps = int(paths.parent[v]), steps + 1
            assert steps <= graph.n, "the parents close a cycle"
