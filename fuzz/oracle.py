"""Shortest paths in plain Python, sharing no code with the package: what every answer is compared with, bit by bit.

Integers are Python's, so they are exact, and the type of an answer follows from its largest distance. The distance in
floating point is the least sum over all paths, each added from the source outward and rounded to the type after every
addition. For weights >= 0 it is unique, because rounding is monotonic: Dijkstra's method on rounded sums finds it. That
it is also near the true distance is checked with exact sums (`exact`): each of at most n - 1 additions adds at most
half a unit in the last place.

With negative weights, distances are exact, found by Bellman and Ford's method, and rounded once (`nearest`); a negative
cycle counts if its exact sum is negative.
"""

from __future__ import annotations

import heapq
import math
import struct
from collections.abc import Iterable
from fractions import Fraction

Number = int | float
Rows = list[list[tuple[int, Number]]]
"""For each vertex its arcs: head and weight."""

WIDER = {"uint32": "uint64", "int32": "int64", "float32": "float64"}
LARGEST: dict[str, Number] = {
    "uint32": 2**32 - 2,
    "int32": 2**31 - 2,
    "uint64": 2**64 - 2,
    "int64": 2**63 - 2,
    "float32": (2 - 2.0**-23) * 2.0**127,
    "float64": (2 - 2.0**-52) * 2.0**1023,
}
"""The largest distance of each type: the value above it marks unreached vertices."""
LEAST: dict[str, Number] = {
    "int32": -(2**31),
    "int64": -(2**63),
    "float32": -LARGEST["float32"],
    "float64": -LARGEST["float64"],
}


def as_float32(value: float) -> float:
    """Round to float32; for a sum of two of them, rounded to float64 before, this rounds as if once."""
    try:
        rounded: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return rounded


def nearest(value: Fraction | int, dtype: str) -> float:
    """Return the number of a type that is nearest to a value, of two the even one; infinite beyond its range."""
    digits, lowest = (24, -149) if dtype == "float32" else (53, -1074)
    size = abs(Fraction(value))
    if size == 0:
        return 0.0
    top = size.numerator.bit_length() - size.denominator.bit_length() + 1  # 2^top is more than the size
    if size < Fraction(2) ** (top - 1):
        top -= 1
    unit = Fraction(2) ** max(top - digits, lowest)
    rounded = round(size / unit) * unit  # of two the even one
    found = float(rounded) if rounded <= LARGEST[dtype] else math.inf
    return found if value > 0 else -found


def rows_of(n: int, edges: Iterable[tuple[int, int, Number]], directed: bool) -> Rows:
    """Return the arcs of each vertex; an undirected edge is two."""
    rows: Rows = [[] for _ in range(n)]
    for u, v, weight in edges:
        rows[u].append((v, weight))
        if not directed:
            rows[v].append((u, weight))
    return rows


def reachable(rows: Rows, sources: Iterable[int]) -> set[int]:
    """Return the vertices that a path leads to."""
    found = set(sources)
    stack = list(found)
    while stack:
        for v, _ in rows[stack.pop()]:
            if v not in found:
                found.add(v)
                stack.append(v)
    return found


def dijkstra(rows: Rows, sources: Iterable[int], dtype: str) -> list[Number | None]:
    """Return the distances for weights >= 0; None where no finite sum of the type leads."""
    narrow, zero = dtype == "float32", 0.0 if dtype.startswith("float") else 0
    dist: list[Number | None] = [None] * len(rows)
    queue: list[tuple[Number, int]] = [(zero, source) for source in sources]
    for _, source in queue:
        dist[source] = zero
    while queue:
        here, u = heapq.heappop(queue)
        if here != dist[u]:
            continue
        for v, weight in rows[u]:
            total = as_float32(here + weight) if narrow else here + weight
            known = dist[v]
            if (known is None or total < known) and total != math.inf:
                dist[v] = total
                heapq.heappush(queue, (total, v))
    return dist


def bellman_ford(rows: Rows, sources: Iterable[int]) -> list[Fraction | int | None] | None:
    """Return the exact distances for any weights, or None if a negative cycle can be reached."""
    exact = [[(v, weight if isinstance(weight, int) else Fraction(weight)) for v, weight in row] for row in rows]
    dist: list[Fraction | int | None] = [None] * len(rows)
    changed = set(sources)
    for source in changed:
        dist[source] = 0
    for _ in range(len(rows)):
        improved = set()
        for u in changed:
            here = dist[u]
            assert here is not None
            for v, weight in exact[u]:
                known = dist[v]
                if known is None or here + weight < known:
                    dist[v] = here + weight
                    improved.add(v)
        changed = improved
        if not changed:
            return dist
    return None


def exact(rows: Rows, source: int) -> list[Fraction | int | None]:
    """Return the true distances for weights >= 0."""
    dist: list[Fraction | int | None] = [None] * len(rows)
    queue: list[tuple[Fraction | int, int]] = [(0, source)]
    dist[source] = 0
    while queue:
        here, u = heapq.heappop(queue)
        if here != dist[u]:
            continue
        for v, weight in rows[u]:
            total = here + Fraction(weight)
            known = dist[v]
            if known is None or total < known:
                dist[v] = total
                heapq.heappush(queue, (total, v))
    return dist


def within_rounding(found: float, true: Fraction | int, additions: int, dtype: str) -> bool:
    """Return whether a sum of terms >= 0 may be this far from the true one; sums of denormal numbers are exact."""
    share = Fraction(1, 2 ** (24 if dtype == "float32" else 53))
    return abs(Fraction(found) - true) <= true * ((1 + share) ** additions - 1)
