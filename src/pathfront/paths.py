"""The result of a search: distances, the tree of shortest paths, and statistics."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from pathfront import _core
from pathfront.dtypes import unreached_marker
from pathfront.exceptions import ArgumentError, NoPathError
from pathfront.graph import NO_VERTEX, Edges, Graph
from pathfront.validation import Array, available_cores
from pathfront.warp_runtime import to_host


@dataclass(frozen=True, slots=True)
class Stats:
    """Statistics of a search.

    >>> import pathfront as pf
    >>> pf.shortest_paths(pf.generate.chain(5), 0, method="dijkstra").stats.vertices_processed
    5
    """

    method: str
    """The method that ran; `auto` names its choice here."""
    device: str
    threads: int
    """CPU threads that relaxed an arc: a small search may need fewer than it was given; 1 on a GPU."""
    delta: float | None
    """The bucket width, for methods that have one."""
    iterations: int
    vertices_processed: int
    edges_relaxed: int
    seconds: float
    reason: str
    """Why this method ran, and how its threads shared the work."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Counts that only this method has; its file in `pathfront/methods` defines them."""


class ShortestPaths:
    """The shortest paths from one source.

    A vertex may be given by its index (any integer) or, where the graph has labels, by its name (anything else).

    >>> import pathfront as pf
    >>> graph = pf.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 10, 3], n=4)
    >>> paths = pf.shortest_paths(graph, 0)
    >>> paths.distance_to(2), paths.path_to(2).tolist(), paths.reached.tolist()
    (7, [0, 1, 2], [True, True, True, False])
    """

    def __init__(
        self,
        graph: Graph,
        source: int,
        distance: Array,
        parent: Array | None,
        stats: Stats,
        radius: int | float | None,
        trace: Array | None,
    ) -> None:
        self.graph = graph
        self.source = source
        self.stats = stats
        self.radius = radius
        """Answers are complete up to this distance and none is given beyond it; None: everything was explored."""
        self._given_distance, self._given_parent, self._trace = distance, parent, trace

    @property
    def distance(self) -> Array:
        """The distance of each vertex; `unreached` where there is none. With output="device" an array of the device."""
        return self._given_distance

    @cached_property
    def _distance(self) -> Array:
        return to_host(self._given_distance)

    @cached_property
    def _parent(self) -> Array | None:
        return None if self._given_parent is None else to_host(self._given_parent)

    @property
    def unreached(self) -> int | float:
        """What stands for "no path" in `distance`: infinity, or for integers the type's largest value."""
        return unreached_marker(self._distance.dtype)

    @property
    def reached(self) -> Array:
        """The mask of the vertices that have a distance."""
        mask: Array = self._distance != self.unreached
        return mask

    def as_float(self) -> Array:
        """Return distances as float64, infinite where there is no path."""
        return np.where(self.reached, self._distance.astype(np.float64), np.inf)

    def distance_to(self, vertex: int | Hashable) -> int | float:
        """Return the distance of one vertex; NoPathError where there is none."""
        target = self.graph.vertex(vertex)
        self._require_reached(target)
        found: int | float = self._distance[target].item()
        return found

    @property
    def parent(self) -> Array:
        """The vertex before each one on its shortest path; `pf.NO_VERTEX` for the source and where there is no path."""
        if self._given_parent is None:
            raise ArgumentError("this search computed no parents; run shortest_paths(..., parents=True).")
        return self._given_parent

    def _parents(self) -> Array:
        return to_host(self.parent) if self._parent is None else self._parent

    @property
    def trace(self) -> Array:
        """One row per iteration, a structured array; `adds`, which has no iterations, has samples in time."""
        if self._trace is None:
            raise ArgumentError("this search recorded no trace; run shortest_paths(..., trace=True).")
        return self._trace

    def path_to(self, vertex: int | Hashable) -> Array:
        """Return the vertices of a shortest path, from the source to this vertex."""
        parent = self._parents()
        target = self.graph.vertex(vertex)
        self._require_reached(target)
        path = np.asarray(_core.path_to(parent, target))
        if path.size == 0:
            raise ArgumentError(f"the parents of vertex {target} lead to no root; were they changed?")
        return path

    def edges_to(self, vertex: int | Hashable) -> Edges:
        """Return the edges of a shortest path, in order.

        >>> import pathfront as pf
        >>> paths = pf.shortest_paths(pf.Graph.from_edges([0, 1], [1, 2], [4, 3]), 0)
        >>> paths.edges_to(2).weights.tolist()
        [4, 3]
        """
        path, graph = self.path_to(vertex), self.graph
        weights = None
        if graph.weights is not None:
            weights = np.zeros(path.size - 1, graph.weights.dtype)
            _core.path_weights(graph.native, path, weights)
        return Edges(path[:-1], path[1:], weights)

    def tree(self) -> Edges:
        """Return all edges of the tree of shortest paths, one for each reached vertex but the source.

        >>> import pathfront as pf
        >>> paths = pf.shortest_paths(pf.Graph.from_edges([0, 1], [1, 2], [4, 3]), 0)
        >>> paths.tree().tails.tolist()
        [0, 1]
        """
        parent, graph = self._parents(), self.graph
        vertices = np.flatnonzero(parent != NO_VERTEX).astype(np.uint32)
        weights = None
        if graph.weights is not None:
            by_head = np.zeros(graph.n, graph.weights.dtype)
            _core.tree_weights(graph.native, parent, by_head, available_cores())
            weights = by_head[vertices]
        return Edges(parent[vertices], vertices, weights)

    def mteps(self) -> float:
        """Return millions of traversed edges per second: the edges that leave reached vertices, over the time taken."""
        edges = int(np.diff(self.graph.offsets)[self.reached].sum())
        return edges / max(self.stats.seconds, 1e-9) / 1e6

    def _require_reached(self, vertex: int) -> None:
        if self._distance[vertex] != self.unreached:
            return
        if self.radius is not None:
            raise NoPathError(
                f"{self._name(vertex)} is farther than {self.radius}, where this search stopped, or has no path; "
                "run without cutoff and targets to know."
            )
        raise NoPathError(f"{self._name(vertex)} cannot be reached from {self._name(self.source)}.")

    def _name(self, vertex: int) -> str:
        if self.graph.labels is None:
            return f"vertex {vertex}"
        name = self.graph.labels[vertex : vertex + 1].tolist()[0]  # a list makes numpy's types Python's
        return f"vertex {vertex} ({name!r})"

    def __repr__(self) -> str:
        count = int(self.reached.sum())
        return (
            f"ShortestPaths(source={self.source}, reached={count} of {self.graph.n}, "
            f"method={self.stats.method}, seconds={self.stats.seconds:.3g})"
        )
