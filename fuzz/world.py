"""A graph with the answers that the oracle gives for it, computed once for all searches that are compared with it."""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import pathfront as pf
from fuzz import oracle
from fuzz.finding import Finding
from fuzz.graphs import build
from fuzz.oracle import LARGEST, LEAST, WIDER, Number

_EXACT_UP_TO = 30
"""Vertices of graphs whose sums in floating point are also held against exact ones."""


class Expected(NamedTuple):
    """What a search must return, or fail with."""

    outcome: str
    """distances, overflow or cycle."""
    dtype: str = ""
    dist: NDArray[Any] | None = None
    radius: Number | None = None


class World:
    """One graph, and the oracle's answers from each source that has been asked for."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.n, self.dtype = case["n"], case["dtype"] or "uint32"
        self.case, self.graph = case, build(case)
        weights = [1] * len(case["ends"]) if case["weights"] is None else case["weights"]
        self.edges = [(u, v, w) for (u, v), w in zip(case["ends"], weights, strict=True)]
        self.rows = oracle.rows_of(self.n, self.edges, case["directed"])
        self.negative = any(w < 0 for w in weights)
        self.unit = all(w == 1 for w in weights)
        self.floating = self.dtype.startswith("float")
        self._answers: dict[Any, Any] = {}

    def _once(self, key: Any, make: Any) -> Any:
        if key not in self._answers:
            self._answers[key] = make()
        return self._answers[key]

    def distances(self, sources: tuple[int, ...], dtype: str) -> list[Number | None]:
        """Return the distances in a type, None also where they are too large for it; weights must be >= 0."""

        def make() -> list[Number | None]:
            if self.floating:
                return oracle.dijkstra(self.rows, sources, dtype)
            most, whole = LARGEST[dtype], self._once(("whole", sources), whole_numbers)
            return [d if d is None or d <= most else None for d in whole]

        def whole_numbers() -> list[Number | None]:
            return oracle.dijkstra(self.rows, sources, dtype)

        found: list[Number | None] = self._once(("distances", sources, dtype), make)
        return found

    def reached_from(self, source: int) -> set[int]:
        """Return the vertices that a path from a source leads to."""
        found: set[int] = self._once(("reachable", (source,)), lambda: oracle.reachable(self.rows, (source,)))
        return found

    @staticmethod
    def most(dtype: str) -> Number:
        """Return the largest distance of a type."""
        return LARGEST[dtype]

    def turned(self) -> World:
        """Return the same with every edge reversed."""
        ends = [[v, u] for u, v in self.case["ends"]]
        found: World = self._once("turned", lambda: World({**self.case, "ends": ends}))
        return found

    def explains(self, u: int, v: int, before: Any, after: Any) -> bool:
        """Return whether an arc leads from one distance to another one of the same type; weights must be >= 0."""
        if not self.floating:
            return any(head == v and int(before) + weight == int(after) for head, weight in self.rows[u])
        kind = type(after)
        return any(head == v and kind(before + kind(weight)) == after for head, weight in self.rows[u])

    def complete(self, sources: tuple[int, ...], dtype: str) -> bool:
        """Return whether every vertex that can be reached has a distance in this type."""
        found = self.distances(sources, dtype)
        reachable = self._once(("reachable", sources), lambda: oracle.reachable(self.rows, sources))
        return all(found[v] is not None for v in reachable)

    def expected(
        self, sources: tuple[int, ...], cutoff: Number | None = None, targets: tuple[int, ...] | None = None
    ) -> Expected:
        """Return what a search must answer."""
        key = ("expected", sources, cutoff, targets)
        found: Expected = self._once(key, lambda: self._expected(sources, cutoff, targets))
        return found

    def _expected(self, sources: tuple[int, ...], cutoff: Number | None, targets: tuple[int, ...] | None) -> Expected:
        if self.negative:
            return self._with_negative_weights(sources)
        dtype: str | None = self.dtype
        while dtype is not None:
            dist = self.distances(sources, dtype)
            limit = None if cutoff is None or cutoff > LARGEST[dtype] else cutoff
            ends = [None] if targets is None else [dist[v] for v in targets]
            if None not in ends:
                farthest = max(d for d in ends if d is not None)
                limit = farthest if limit is None else min(farthest, limit)
            if limit is not None or self.complete(sources, dtype):
                return Expected("distances", dtype, self._as_array(dist, dtype, limit), limit)
            dtype = WIDER.get(dtype)
        return Expected("overflow")

    def _with_negative_weights(self, sources: tuple[int, ...]) -> Expected:
        dist = oracle.bellman_ford(self.rows, sources)
        if dist is None:
            return Expected("cycle")
        for dtype in (self.dtype, WIDER.get(self.dtype)):
            if dtype is None:
                break
            made = [d if d is None or not self.floating else oracle.nearest(d, dtype) for d in dist]
            if all(d is None or LEAST[dtype] <= d <= LARGEST[dtype] for d in made):
                return Expected("distances", dtype, self._as_array(made, dtype, None), None)
        return Expected("overflow")

    @staticmethod
    def _as_array(dist: Any, dtype: str, limit: Number | None) -> NDArray[Any]:
        none = unreached(dtype)
        return np.array([none if d is None or (limit is not None and d > limit) else d for d in dist], dtype)

    def check_parents(self, sources: tuple[int, ...], dist: NDArray[Any], parent: NDArray[Any]) -> str | None:
        """Return what is wrong with parents of right distances: every arc must be tight, and the whole a tree."""
        reached = dist != unreached(dist.dtype.name)
        roots = parent == pf.NO_VERTEX
        if not np.array_equal(np.flatnonzero(roots & reached), sorted(sources)):
            return f"the roots are {np.flatnonzero(roots & reached).tolist()[:9]}, but the sources {list(sources)}"
        if not (roots | reached).all():
            return f"vertex {np.flatnonzero(~(roots | reached))[0]} is not reached but has a parent"
        child = np.flatnonzero(~roots)
        if child.size == 0:
            return None
        up = parent.astype(np.int64)
        if up[child].max() >= self.n:
            return f"some parent is {up[child].max()}"
        tight = self._tight(sources, dist.dtype.name)
        keys = up[child] * self.n + child
        places = np.minimum(np.searchsorted(tight, keys), max(tight.size - 1, 0))
        if tight.size == 0 or not (tight[places] == keys).all():
            wrong = child[0] if tight.size == 0 else child[tight[places] != keys][0]
            return f"no arc {up[wrong]} -> {wrong} explains the distance {dist[wrong]} of vertex {wrong}"
        up[roots] = np.flatnonzero(roots)
        for _ in range(self.n.bit_length()):
            up = up[up]
        if not roots[up].all():
            return f"the parents of vertex {np.flatnonzero(~roots[up])[0]} close a cycle"
        return None

    def _tight(self, sources: tuple[int, ...], dtype: str) -> NDArray[np.int64]:
        """Return all arcs that explain their head's distance, as sorted numbers tail * n + head."""

        def make() -> NDArray[np.int64]:
            dist: Any = oracle.bellman_ford(self.rows, sources) if self.negative else self.distances(sources, dtype)
            exact, narrow = self.negative and self.floating, dtype == "float32"
            keys = []
            for u, row in enumerate(self.rows):
                here = dist[u]
                if here is not None:
                    sums = ((v, here + (Fraction(w) if exact else w)) for v, w in row)
                    rounded = ((v, oracle.as_float32(total) if narrow and not exact else total) for v, total in sums)
                    keys += [u * self.n + v for v, total in rounded if total == dist[v]]
            return np.unique(np.array(keys, np.int64))

        found: NDArray[np.int64] = self._once(("tight", sources, dtype), make)
        return found

    def check_exactly(self, source: int) -> Finding | None:
        """Hold the oracle's own sums in floating point against exact ones."""
        if not self.floating or self.negative or self.n > _EXACT_UP_TO:
            return None
        true = self._once(("true", source), lambda: oracle.exact(self.rows, source))
        for dtype in {self.dtype, "float64"}:
            for v, found in enumerate(self.distances((source,), dtype)):
                if found is not None and not oracle.within_rounding(found, true[v], self.n, dtype):
                    return Finding("oracle", f"vertex {v} is at {found}, but exactly at {float(true[v])}")
        return None

    def cycle_sum(self, cycle: list[int]) -> Fraction | None:
        """Return the exact length of a cycle, by its lightest arcs; None if it is no cycle of the graph."""
        total = Fraction(0)
        for u, v in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
            weights = [w for head, w in self.rows[u] if head == v]
            if not weights:
                return None
            total += Fraction(min(weights))
        return total


def unreached(dtype: str) -> Number:
    """Return the value of vertices without a distance."""
    return math.inf if dtype.startswith("float") else int(LARGEST[dtype]) + 1


@functools.lru_cache(maxsize=1)
def _latest(identity: int) -> list[World]:
    return []


def world_of(case: dict[str, Any]) -> World:
    """Return the world of a graph; the cases of a round have one graph, whose answers are kept."""
    kept = _latest(id(case))
    if not kept or kept[0].case is not case:
        kept[:] = [World(case)]
    return kept[0]
