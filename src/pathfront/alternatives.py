"""More than one path between two vertices: the k shortest ones, and all shortest ones.

`k_shortest_paths` is Yen's method (1971) as Lawler (1972) divides it: of each path found, the shortest path that leaves
it is searched at each of its positions, natively (`cpp/engines/local/spurs.hpp`). The paths that leave a path at
different positions, or leave it there to different vertices, are different sets, so no path is found twice.

`all_shortest_paths` walks backwards along tight arcs (`tight.py`).
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from pathfront import _core
from pathfront.api import distance_overflow, require_nonnegative, shortest_paths
from pathfront.dtypes import converted, largest_distance, wider
from pathfront.exceptions import DistanceOverflowError, NoPathError
from pathfront.graph import Graph, as_graph, index
from pathfront.local import weight_bounds
from pathfront.pairs import Path
from pathfront.paths import ShortestPaths
from pathfront.tight import TightArcs, tight_arcs
from pathfront.validation import Array, as_count, as_threads
from pathfront.wording import checks_names


@checks_names
def k_shortest_paths(
    graph: object, source: object, target: object, k: int | None = None, *, threads: int | None = None
) -> Iterator[Path]:
    """Yield paths without repeated vertices between two vertices, shortest first: at most `k`, else all there are.

    Each path is searched when it is asked for. A path is a sequence of vertices: of parallel arcs it takes the
    lightest. Paths of equal length come in an order that is always the same. Where there is no path, `NoPathError` is
    raised by this call. Weights must not be negative.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_edges([0, 0, 1, 1, 2], [1, 2, 2, 3, 3], [1, 3, 1, 4, 1])
    >>> [(path.distance, list(path)) for path in pf.k_shortest_paths(graph, 0, 3)]
    [(3, [0, 1, 2, 3]), (4, [0, 2, 3]), (5, [0, 1, 3])]
    """
    graph = as_graph(graph)
    start, end = _ends(graph, source, target)
    require_nonnegative(graph, "k_shortest_paths", "use shortest_path or all_shortest_paths, which take others")
    most = None if k is None else as_count(k, "k", least=1)
    yen = _Yen(graph, start, end, as_threads(threads))
    return itertools.islice(yen.paths(), most)


class _Candidate(NamedTuple):
    """A path that is the shortest of a set: those that go with it up to `fork`, and on to none of the `banned`."""

    distance: int | float
    number: int
    """Counts the candidates, so that of equally long ones the first comes first."""
    vertices: Array
    fork: int
    banned: tuple[int, ...]


class _Yen:
    """The paths between two vertices, shortest first."""

    def __init__(self, graph: Graph, start: int, end: int, threads: int) -> None:
        self._graph, self._threads = graph, threads
        first = _search(graph, start, end, threads)
        self._rest = self._distances_to(end)
        self._start = start
        self._numbers = itertools.count()
        self._overflow = False
        """Whether there are paths whose length does not fit: they come last."""
        vertices, distance = first._path_to(index(end)), first.distance[end].item()
        self._waiting = [_Candidate(distance, next(self._numbers), vertices, 0, ())]

    def _distances_to(self, end: int) -> Array:
        """Return the distance of each vertex to the end, as wide as integers can be: alternatives are longer."""
        reverse = self._graph.reverse()
        try:
            rest = shortest_paths(reverse, index(end), parents=False, threads=self._threads).distance
        except DistanceOverflowError:
            return _distances_that_fit(reverse, end, self._threads)
        wide = wider(rest.dtype) if self._graph.weights is not None and rest.dtype.kind != "f" else None
        return rest if wide is None else converted(rest, wide)

    def paths(self) -> Iterator[Path]:
        """Yield the paths."""
        while self._waiting:
            found = heapq.heappop(self._waiting)
            yield Path(self._graph, found.vertices, found.distance)
            self._divide(found)
        if self._overflow:
            raise distance_overflow(self._graph.described(self._start), self._rest.dtype)

    def _divide(self, found: _Candidate) -> None:
        """Add the shortest of the paths that leave a path at each position."""
        banned = np.array(found.banned, np.uint32)
        bounds = weight_bounds(self._graph)
        offsets, vertices, distances, overflow = _core.spurs(
            self._graph.native, self._rest, found.vertices, found.fork, banned, bounds, self._threads
        )
        self._overflow |= overflow >= 0
        for i, distance in enumerate(distances.tolist()):
            spur = vertices[offsets[i] : offsets[i + 1]]
            if spur.size == 0:
                continue
            at = found.fork + i
            whole = np.concatenate([found.vertices[: at + 1], spur])
            before = found.banned if i == 0 else ()
            excluded = (*before, int(found.vertices[at + 1]))
            heapq.heappush(self._waiting, _Candidate(distance, next(self._numbers), whole, at, excluded))


def _distances_that_fit(graph: Graph, source: int, threads: int) -> Array:
    """Return distances in the widest type, of which the largest number stands for those that do not fit."""
    dtype = wider(graph.distance_dtype) or graph.distance_dtype
    largest = largest_distance(dtype)
    near = shortest_paths(graph, index(source), parents=False, cutoff=largest, threads=threads)
    distance = converted(near.distance, dtype)
    distance[_connected(graph, source, threads) & ~near.reached] = largest
    return distance


@checks_names
def all_shortest_paths(graph: object, source: object, target: object, *, threads: int | None = None) -> Iterator[Path]:
    """Yield every shortest path from one vertex to another that visits no vertex twice, in an order of their own.

    There may be very many: each is made when it is asked for. A path is a sequence of vertices, so that parallel arcs
    make one path, not several. Where there is no path, `NoPathError` is raised by this call. Weights may be negative.

    >>> import pathfront as pf
    >>> graph = pf.generate.grid(3, 3, weights="unit")
    >>> [list(path) for path in pf.all_shortest_paths(graph, 0, 4)]
    [[0, 1, 4], [0, 3, 4]]
    """
    graph = as_graph(graph)
    start, end = _ends(graph, source, target)
    workers = as_threads(threads)
    paths = _search(graph, start, end, workers)
    distance = paths.distance[end].item()
    tight = tight_arcs(paths, unique=True, threads=workers)
    return (Path(graph, vertices, distance) for vertices in _walks(tight, start, end))


def _walks(tight: TightArcs, start: int, end: int) -> Iterator[Array]:
    """Yield the ways backwards from the end to the start along tight arcs, without visiting a vertex twice."""
    if start == end:
        yield np.array([start], np.uint32)
        return
    cyclic = _is_cyclic(tight, end)
    trail, on_trail = [end], {end}
    choices = [iter(tight.into(end).tolist())]
    while choices:
        before = next((v for v in choices[-1] if v not in on_trail), None)
        if before is None:
            choices.pop()
            on_trail.discard(trail.pop())
        elif before == start:
            yield np.array([start, *reversed(trail)], np.uint32)
        elif not cyclic or _leads_back(tight, before, start, on_trail):
            trail.append(before)
            on_trail.add(before)
            choices.append(iter(tight.into(before).tolist()))


def _is_cyclic(tight: TightArcs, end: int) -> bool:
    """Return whether tight arcs close a cycle among the vertices that lead to the end."""
    state = {end: False}
    """Whether a vertex has been left for good."""
    trail, choices = [end], [iter(tight.into(end).tolist())]
    while choices:
        before = next(choices[-1], None)
        if before is None:
            choices.pop()
            state[trail.pop()] = True
        elif before not in state:
            state[before] = False
            trail.append(before)
            choices.append(iter(tight.into(before).tolist()))
        elif not state[before]:
            return True
    return False


def _leads_back(tight: TightArcs, vertex: int, start: int, avoided: set[int]) -> bool:
    """Return whether tight arcs lead from the start to a vertex past those to be avoided.

    Without that a walk into cycles of length 0 could try a dead end in very many ways.
    """
    seen, waiting = {vertex}, [vertex]
    while waiting:
        for before in tight.into(waiting.pop()).tolist():
            if before == start:
                return True
            if before not in seen and before not in avoided:
                seen.add(before)
                waiting.append(before)
    return False


def _ends(graph: Graph, source: Any, target: Any) -> tuple[int, int]:
    graph.check()
    return graph.vertex(source, "source"), graph.vertex(target, "target")


def _search(graph: Graph, start: int, end: int, threads: int) -> ShortestPaths:
    """Return a search that reaches the end."""
    stop = None if graph.weight_summary().first_negative >= 0 else [index(end)]
    try:
        paths = shortest_paths(graph, index(start), targets=stop, threads=threads)
        reached = paths.reached[end]
    except DistanceOverflowError:  # perhaps of other vertices
        reached = _connected(graph, start, threads)[end]
        if reached:
            raise
    if not reached:
        raise NoPathError(f"{graph.described(end)} cannot be reached from {graph.described(start)}.")
    return paths


def _connected(graph: Graph, source: int, threads: int) -> Array:
    """Return whether each vertex has a path from the source, however long."""
    return shortest_paths(graph.with_weights(None), index(source), parents=False, threads=threads).reached
