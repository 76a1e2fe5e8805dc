"""The bulk-synchronous methods in plain Python, an iteration at a time: what they count, written from their papers.

It knows nothing of the package's schedules: queues are sets of vertices, and an iteration reads the distances from its
beginning only. Every function returns the distances and a row for each iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf

WARP = 32


@dataclass
class Row:
    frontier: int
    edges_relaxed: int
    near: int
    far: int
    labelled: int
    distance_low: float
    distance_high: float
    final: int
    working: int
    idle_warps: int


class Search:
    """Distances, arcs, and the rows so far."""

    def __init__(self, graph, source):
        self.n, self.dist = graph.n, [inf] * graph.n
        self.dist[source] = 0
        weights = [1] * graph.m if graph.weights is None else graph.weights.tolist()
        self.out = [[] for _ in range(graph.n)]
        self.into = [[] for _ in range(graph.n)]
        for u, v, weight in zip(graph.tails().tolist(), graph.heads.tolist(), weights, strict=True):
            self.out[u].append((v, weight))
            self.into[v].append(u)
        self.weights = weights
        self.rows: list[Row] = []
        self.final = 0

    def iterate(self, frontier: Iterable[int], near: int, far: int, high: float = inf, **counted) -> set[int]:
        """Relax the arcs of a frontier at once; return the vertices whose distance fell."""
        before, frontier, improved = list(self.dist), list(frontier), set()
        for u in frontier:
            for v, weight in self.out[u]:
                if before[u] + weight < self.dist[v]:
                    self.dist[v] = before[u] + weight
                    improved.add(v)
        labelled = sum(d < inf for d in self.dist)
        edges, working = sum(len(self.out[u]) for u in frontier), frontier
        low = min(before[u] for u in frontier)
        edges, working = counted.get("edges", edges), counted.get("working", working)
        idle = -(-self.n // WARP) - len({v // WARP for v in working})
        row = Row(len(frontier), edges, near, far, labelled, low, high, self.final, len(working), idle)
        self.rows.append(row)
        return improved

    def settle(self, is_final: Callable[[float], bool]) -> None:
        """Note how many distances are final."""
        self.final = sum(d < inf and is_final(d) for d in self.dist)
        if self.rows:
            self.rows[-1].final = self.final

    def lowest(self, queue: Iterable[int]) -> float:
        return min((self.dist[v] for v in queue), default=inf)

    def finished(self) -> tuple[list[float], list[Row]]:
        self.rows[-1].final = self.rows[-1].labelled
        return self.dist, self.rows


def bellman_ford_edges(graph, source):
    search, improved = Search(graph, source), {source}
    while improved:
        improved = search.iterate(range(search.n), search.n, 0)
        search.rows[-1].distance_low = 0
    return search.finished()


def bellman_ford_vertices(graph, source):
    search, improved = Search(graph, source), {source}
    while improved:
        improved = search.iterate([v for v in range(search.n) if search.dist[v] < inf], search.n, 0)
    return search.finished()


def workfront_sweep(graph, source):
    search, frontier = Search(graph, source), {source}
    while frontier:
        frontier = search.iterate(frontier, len(frontier), 0)
    return search.finished()


bellman_ford_frontier = workfront_sweep


def near_far(graph, source, delta):
    search = Search(graph, source)
    near, far, limit = {source}, set(), delta
    while near or far:
        _empty(search, near, far, limit)
        search.settle(lambda d, limit=limit: d <= limit)
        limit = search.lowest(far) + delta
        near = {v for v in far if search.dist[v] <= limit}
        far -= near
    return search.finished()


def _empty(search, near, far, limit):
    """Relax the near set until it is empty; what is beyond the limit goes to the far set."""
    while near:
        improved = search.iterate(near, len(near), len(far), limit)
        near.clear()
        far -= improved
        near |= {v for v in improved if search.dist[v] <= limit}
        far |= improved - near


def bucketing(graph, source, delta, buckets):
    search = Search(graph, source)
    ends = [(i + 1) * delta for i in range(buckets)]
    waiting, far = [{source}, *(set() for _ in range(buckets - 1))], set()

    def put(vertices):
        for v in vertices:
            for queue in (*waiting, far):
                queue.discard(v)
            fitting = [queue for queue, end in zip(waiting, ends, strict=True) if search.dist[v] <= end]
            (fitting[0] if fitting else far).add(v)

    while far or any(waiting):
        for i, end in enumerate(ends):
            while bucket := waiting[i]:
                others = sum(map(len, waiting)) + len(far) - len(bucket)
                waiting[i] = set()
                put(search.iterate(bucket, len(bucket), others, end))
            search.settle(lambda d, end=end: d <= end)
        base = search.lowest(far)
        ends[:] = [base + (i + 1) * delta for i in range(buckets)]
        put(list(far))
    return search.finished()


def hybrid(graph, source, delta, switch_at):
    search, waiting = Search(graph, source), {source}
    while waiting:
        if len(waiting) < switch_at:
            waiting = search.iterate(waiting, len(waiting), 0)
            continue
        limit = search.lowest(waiting) + delta
        near = {v for v in waiting if search.dist[v] <= limit}
        waiting -= near
        _empty(search, near, waiting, limit)
        search.settle(lambda d, limit=limit: d <= limit)
    return search.finished()


def martin(graph, source, direction):
    return _settling(graph, source, direction, lambda search, waiting: search.lowest(waiting))


def crauser(graph, source, variant, direction):
    def limit(search, waiting):
        if variant == "economic":
            return search.lowest(waiting) + min(search.weights, default=1)  # 1 if there are no arcs
        return min(
            (search.dist[v] + min(w for _, w in search.out[v]) for v in waiting if search.out[v]),
            default=inf,
        )

    return _settling(graph, source, direction, limit)


def _settling(graph, source, direction, limit_of):
    search = Search(graph, source)
    waiting, settled = {source}, set()
    while waiting:
        limit = limit_of(search, waiting)
        search.settle(lambda d, limit=limit: d < limit)
        frontier = {v for v in waiting if search.dist[v] <= limit}
        waiting -= frontier
        settled |= frontier
        counted = {}
        if direction == "predecessors":
            opened = set(range(search.n)) - settled
            heads = [v for u in frontier for v, _ in search.out[u]]
            # where few arcs leave the frontier, only their heads search their in-arcs
            scanning = opened & set(heads) if len(heads) < search.n // 4 else opened
            counted = {"edges": sum(len(search.into[v]) for v in scanning), "working": opened}
        waiting |= search.iterate(frontier, len(frontier), len(waiting), limit, **counted)
    return search.finished()
