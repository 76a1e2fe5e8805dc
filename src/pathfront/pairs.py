"""Shortest paths between pairs of vertices, each found by searches from both ends.

Distances and paths are those of a search from the source, bit for bit: the search from the target only tells where that
search need not look (`cpp/engines/local/pair.hpp`). It runs on the reversed graph, which is made once and cached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

from pathfront import _core
from pathfront.api import is_one_vertex, shortest_paths
from pathfront.dtypes import unreached_marker
from pathfront.exceptions import ArgumentError, ArgumentTypeError, NoPathError
from pathfront.graph import Edges, Graph, as_graph, index
from pathfront.local import weight_bounds, widening
from pathfront.paths import original_edges
from pathfront.progress import Progress, time_limited
from pathfront.sources import as_sources
from pathfront.validation import Array, as_count, as_positive, as_threads
from pathfront.wording import checks_names


class Path:
    """A path: its vertices in order and its length. It iterates over the vertices, and is false where there is no path.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_edges([0, 1], [1, 2], [4, 3], labels=["Rome", "Ostia", "Anzio"])
    >>> path = pf.shortest_path(graph, "Rome", "Anzio")
    >>> list(path), len(path), path.distance, path.arcs.tolist()
    (['Rome', 'Ostia', 'Anzio'], 3, 7, [0, 1])
    """

    __slots__ = ("distance", "graph", "indices")

    def __init__(self, graph: Graph, indices: Array, distance: int | float) -> None:
        self.graph = graph
        self.indices = indices
        """The vertices by position, an array."""
        self.distance = distance
        """The length, in the arithmetic of the weights; the marker of unreached vertices where there is no path."""

    @property
    def vertices(self) -> Array:
        """The vertices, an array: labels where the graph has labels, otherwise positions."""
        return self.graph.names_of(self.indices)

    @property
    def arcs(self) -> Array:
        """The position of each arc in `graph.heads` and `graph.weights`; of parallel arcs, that of the lightest."""
        arcs = np.empty(max(self.indices.size - 1, 0), np.int64)
        if arcs.size:
            _core.path_arcs(self.graph.native, self.indices, arcs)
        return arcs

    @property
    def edge_ids(self) -> Array:
        """The original edges, as `graph.edge_ids` numbers them: see `ShortestPaths.edge_ids_to`."""
        return original_edges(self.graph, self.arcs)

    @property
    def edges(self) -> Edges:
        """The edges in order, their ends by label where the graph has labels."""
        names, weights = self.vertices, self.graph.weights
        return Edges(names[:-1], names[1:], None if weights is None else weights[self.arcs])

    def __len__(self) -> int:
        return self.indices.size

    def __iter__(self) -> Iterator[Any]:
        return iter(self.vertices.tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Path):
            return NotImplemented
        return self.distance == other.distance and np.array_equal(self.vertices, other.vertices)

    def __hash__(self) -> int:
        return hash((self.distance, self.indices.tobytes()))

    def __repr__(self) -> str:
        names = [repr(name) for name in self]
        shown = names if len(names) <= 8 else [*names[:4], f"... {len(names) - 7} more ...", *names[-3:]]
        return f"Path({' -> '.join(shown)}, distance={self.distance})" if names else "Path(none)"


@checks_names
def shortest_path(graph: object, source: object, target: object, *, time_limit: float | None = None) -> Path:
    """Find a shortest path from one vertex to another, by searches from both ends.

    The distance is the one of `shortest_paths`, bit for bit; where there is no path, `NoPathError` is raised. The
    reversed graph is made by the first call and cached. If some weight is negative, one search from the source finds
    the path. `time_limit` is as in `shortest_paths`.

    >>> import pathfront as pf
    >>> graph = pf.generate.grid(100, 100, seed=1)
    >>> pf.shortest_path(graph, 0, 9999).distance == pf.shortest_paths(graph, 0).distance_to(9999)
    True
    """
    graph = as_graph(graph)
    start, end = graph.vertex(source, "source"), graph.vertex(target, "target")
    with time_limited(None if time_limit is None else as_positive(time_limit, "time_limit"), None):
        path = between(graph, np.array([start], np.uint32), np.array([end], np.uint32), as_threads(None)).path(0)
    if not path:
        raise NoPathError(f"{graph.described(end)} cannot be reached from {graph.described(start)}.")
    return path


class PathsBetween:
    """Shortest paths between pairs of vertices: see `pf.paths_between`. It iterates over the paths.

    The vertices of path i are `indices[offsets[i]:offsets[i + 1]]`, none where there is no path.

    >>> import pathfront as pf
    >>> pf.paths_between(pf.generate.chain(6, weights="unit"), 0, [2, 5]).distances.tolist()
    [2, 5]
    """

    def __init__(
        self, graph: Graph, starts: Array, ends: Array, offsets: Array, indices: Array, distances: Array
    ) -> None:
        self.graph = graph
        self._starts, self._ends = starts, ends
        self.offsets = offsets
        """Where each path begins: one entry more than there are pairs."""
        self.indices = indices
        """The vertices of all paths by position."""
        self.distances = distances
        """The length of each path, `unreached` where there is none."""

    @cached_property
    def origins(self) -> Array:
        """Where each path begins: labels where the graph has labels, otherwise positions."""
        return self.graph.names_of(self._starts)

    @cached_property
    def destinations(self) -> Array:
        """Where each path ends: labels where the graph has labels, otherwise positions."""
        return self.graph.names_of(self._ends)

    @cached_property
    def vertices(self) -> Array:
        """The vertices of all paths: labels where the graph has labels, otherwise positions."""
        return self.graph.names_of(self.indices)

    @property
    def unreached(self) -> int | float:
        """What stands for "no path" in `distances`: infinity, or for integers the type's largest value."""
        return unreached_marker(self.distances.dtype)

    def path(self, i: int) -> Path:
        """Return the path of the i-th pair; it is empty and false where there is none."""
        return self._path(self._pair(i))

    def _path(self, i: int) -> Path:
        part = slice(int(self.offsets[i]), int(self.offsets[i + 1]))
        return Path(self.graph, self.indices[part], self.distances[i].item())

    def distance(self, i: int) -> int | float:
        """Return the distance of the i-th pair, `unreached` where there is no path."""
        found: int | float = self.distances[self._pair(i)].item()
        return found

    def _pair(self, i: int) -> int:
        at = as_count(i, "i")
        if at >= len(self):
            raise ArgumentError(f"i is {at}, but there are {len(self)} pairs, counted from 0.")
        return at

    def __len__(self) -> int:
        return self._starts.size

    def __iter__(self) -> Iterator[Path]:
        return map(self._path, range(len(self)))

    def __repr__(self) -> str:
        return f"PathsBetween(pairs={len(self)}, reached={int((np.diff(self.offsets) > 0).sum())})"


@checks_names
def paths_between(
    graph: object,
    origins: object,
    destinations: object,
    *,
    threads: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> PathsBetween:
    """Find a shortest path for each pair of an origin and a destination, lists of equal length.

    One of the two may be a single vertex, which is then the same for all pairs. Pairs are searched side by side, on all
    cores unless `threads` says otherwise; the result does not depend on that. A pair without a path has an empty one.
    `time_limit` and `progress` are as in `shortest_paths`.

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_edges([0, 1], [1, 2], [4, 3], n=4)
    >>> found = pf.paths_between(graph, [0, 1, 0], [2, 2, 3])
    >>> [list(path) for path in found], found.distance(0), bool(found.path(2))
    ([[0, 1, 2], [1, 2], []], 7, False)
    """
    graph = as_graph(graph)
    starts, ends = _as_ends(graph, origins, "origins"), _as_ends(graph, destinations, "destinations")
    if starts.ndim == 0 and ends.ndim == 0:
        raise ArgumentTypeError("origins and destinations are one vertex each; give lists, or use shortest_path.")
    if starts.ndim and ends.ndim and starts.size != ends.size:
        raise ArgumentError(
            f"origins has {starts.size} vertices, but destinations has {ends.size}; give as many of both."
        )
    starts, ends = (np.ascontiguousarray(each) for each in np.broadcast_arrays(starts, ends))
    workers = as_threads(threads)
    limit = None if time_limit is None else as_positive(time_limit, "time_limit")
    with time_limited(limit, progress) as checked:
        return between(graph, starts, ends, workers, checked)


def _as_ends(graph: Graph, vertices: Any, name: str) -> Array:
    """Return the positions of vertices, an array without dimensions for one vertex."""
    if getattr(vertices, "ndim", 1) == 0 or not isinstance(vertices, Iterable) or is_one_vertex(vertices, graph):
        return np.array(graph.vertex(vertices, name), np.uint32)
    return np.array(as_sources(graph, vertices, name), np.uint32)


def between(graph: Graph, starts: Array, ends: Array, threads: int, progress: Progress | None = None) -> PathsBetween:
    """Return the shortest paths between positions."""
    graph.check()
    if graph.weight_summary().first_negative >= 0:
        return _by_searches(graph, starts, ends, threads)
    reverse = graph.reverse()

    def run(_: np.dtype[Any], wide: bool) -> tuple[Array, Array, Array, int]:
        bounds = weight_bounds(graph)
        return _core.paths_between(graph.native, reverse.native, starts, ends, bounds, wide, threads, progress)

    return PathsBetween(graph, starts, ends, *widening(graph, starts, run))


def _by_searches(graph: Graph, starts: Array, ends: Array, threads: int) -> PathsBetween:
    """Return the paths by a search from each origin: with negative weights there is no bound to stop at."""
    found: list[tuple[Array, int | float | None]] = [(np.empty(0, np.uint32), None)] * starts.size
    dtypes = [graph.distance_dtype]
    for start in np.unique(starts).tolist():
        paths = shortest_paths(graph, index(start), threads=threads)
        dtypes.append(paths.distance.dtype)
        for i in np.flatnonzero(starts == start).tolist():
            end = int(ends[i])
            if paths.reached[end]:
                found[i] = paths._path_to(index(end)), paths.distance[end].item()
    dtype = max(dtypes, key=lambda each: each.itemsize)
    offsets = np.zeros(starts.size + 1, np.int64)
    np.cumsum([indices.size for indices, _ in found], out=offsets[1:])
    indices = np.concatenate([np.empty(0, np.uint32), *(each for each, _ in found)])
    none = unreached_marker(dtype)
    distances = np.array([none if distance is None else distance for _, distance in found], dtype)
    return PathsBetween(graph, starts, ends, offsets, indices, distances)
