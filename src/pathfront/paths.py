"""The result of a search: distances, the tree of shortest paths, and statistics."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from pathfront import _core
from pathfront.dtypes import unreached_marker
from pathfront.exceptions import ArgumentError, ArgumentTypeError, NoPathError
from pathfront.graph import NO_VERTEX, Edges, Graph
from pathfront.validation import Array, as_real, available_cores
from pathfront.warp_runtime import to_host
from pathfront.wording import described, shown


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
    """The bucket width that was used, for methods that have one; where a given one was rounded, `reason` says so."""
    iterations: int
    vertices_processed: int
    edges_relaxed: int
    seconds: float
    reason: str
    """Why this method ran, and how its threads shared the work."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Counts that only this method has; its file in `pathfront/methods` defines them."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a search reached, in a few numbers.

    >>> import pathfront as pf
    >>> pf.shortest_paths(pf.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 10, 3], n=4), 0).summary()
    Summary(reached=3, unreached=1, radius=None, farthest=2, farthest_distance=7, mean=3.67)
    """

    reached: int
    """The number of vertices that have a distance, the source included."""
    unreached: int
    radius: int | float | None
    """The distance up to which the answers are complete; None: everything was explored."""
    farthest: Hashable
    """The name of the reached vertex with the largest distance, of several the one of the lowest position."""
    farthest_distance: int | float
    mean: float
    """The mean distance of the reached vertices, the source included."""

    def __repr__(self) -> str:
        return (
            f"Summary(reached={self.reached}, unreached={self.unreached}, radius={self.radius}, "
            f"farthest={self.farthest!r}, farthest_distance={self.farthest_distance}, mean={self.mean:.3g})"
        )


class ShortestPaths:
    """The shortest paths from one source.

    Vertices are given and named by their labels where the graph has labels, by their positions otherwise. The arrays
    `distance`, `parent` and `reached` have one entry per vertex in the order of positions; `parent` holds positions.

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
        self._source = source
        self.stats = stats
        self.radius = radius
        """Answers are complete up to this distance and none is given beyond it; None: everything was explored."""
        self._given_distance, self._given_parent, self._trace = distance, parent, trace

    @property
    def source(self) -> Any:
        """The source: its label where the graph has labels, otherwise its position."""
        return self.graph.name_of(self._source)

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

    def distance_or(self, fill: int | float) -> Array:
        """Return the distances with another value where there is no path, in a type that holds both.

        Whole numbers stay whole if `fill` is one, else they become float64.

        >>> import pathfront as pf
        >>> pf.shortest_paths(pf.Graph.from_edges([0], [1], [7], n=3), 0).distance_or(-1).tolist()
        [0, 7, -1]
        """
        reached = self.reached
        made = self._distance.astype(_type_for(self._distance[reached], fill))
        made[~reached] = fill
        return made

    def masked(self) -> np.ma.MaskedArray[Any, Any]:
        """Return the distances as a masked array that hides the vertices without a path, so that its mean is theirs.

        It shares the memory of `distance`.

        >>> import pathfront as pf
        >>> float(pf.shortest_paths(pf.Graph.from_edges([0], [1], [7], n=3), 0).masked().mean())
        3.5
        """
        return np.ma.array(self._distance, mask=~self.reached, fill_value=self.unreached)

    def summary(self) -> Summary:
        """Return how many vertices were reached, the farthest of them and the mean distance, computed once."""
        return self._summary

    @cached_property
    def _summary(self) -> Summary:
        mask = self.reached
        all_reached = bool(mask.all())
        distances = self._distance if all_reached else self._distance[mask]
        farthest = at = int(distances.argmax())
        if not all_reached:
            at = int(np.flatnonzero(mask)[farthest])
        return Summary(
            reached=distances.size,
            unreached=self.graph.n - distances.size,
            radius=self.radius,
            farthest=self.graph.name_of(at),
            farthest_distance=distances[farthest].item(),
            mean=_mean(distances),
        )

    def distance_to(self, vertex: Hashable) -> int | float:
        """Return the distance of one vertex; NoPathError where there is none."""
        target = self.graph.vertex(vertex)
        self._require_reached(target)
        found: int | float = self._distance[target].item()
        return found

    @property
    def parent(self) -> Array:
        """The vertex before each one on its shortest path; `pf.NO_VERTEX` for the source and where there is no path.

        Vertices are positions here, also where the graph has labels.
        """
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

    def path_to(self, vertex: Hashable) -> Array:
        """Return the vertices of a shortest path, from the source to this vertex: labels where the graph has labels.

        >>> import pathfront as pf
        >>> graph = pf.Graph.from_edges([0, 1], [1, 2], labels=["Rome", "Ostia", "Anzio"])
        >>> pf.shortest_paths(graph, "Rome").path_to("Anzio").tolist()
        ['Rome', 'Ostia', 'Anzio']
        """
        return self.graph.names_of(self._path_to(vertex))

    def _path_to(self, vertex: Hashable) -> Array:
        parent = self._parents()
        target = self.graph.vertex(vertex)
        self._require_reached(target)
        path = np.asarray(_core.path_to(parent, target))
        if path.size == 0:
            raise ArgumentError(f"the parents of {self.graph.described(target)} lead to no root; were they changed?")
        return path

    def edges_to(self, vertex: Hashable) -> Edges:
        """Return the edges of a shortest path, in order, their ends by label where the graph has labels.

        >>> import pathfront as pf
        >>> paths = pf.shortest_paths(pf.Graph.from_edges([0, 1], [1, 2], [4, 3]), 0)
        >>> paths.edges_to(2).weights.tolist()
        [4, 3]
        """
        path, graph = self._path_to(vertex), self.graph
        weights = None if graph.weights is None else graph.weights[self._arcs_of(path)]
        names = graph.names_of(path)
        return Edges(names[:-1], names[1:], weights)

    def edge_ids_to(self, vertex: Hashable) -> Array:
        """Return the original edges of a shortest path, in order, an int64 array of what `graph.edge_ids` says of them.

        These are positions in the arrays, the table or the edges of the networkx graph that the graph was made of, or
        another library's own numbers: whatever else is known of an edge is found by them. Of parallel edges it is the
        lightest, of several equally light ones the first.

        >>> import networkx, pathfront as pf
        >>> roads = networkx.MultiGraph()
        >>> _ = roads.add_edge("Rome", "Ostia", weight=30, road="A91"), roads.add_edge("Rome", "Ostia", weight=28)
        >>> paths = pf.shortest_paths(pf.Graph.from_networkx(roads), "Rome")
        >>> edges = list(roads.edges(keys=True))
        >>> [edges[i] for i in paths.edge_ids_to("Ostia")]
        [('Rome', 'Ostia', 1)]
        """
        ids = self.graph._edge_ids
        if ids is None:
            raise ArgumentError(
                "this graph does not keep the edges that it was made of; make it by Graph.from_edges(..., "
                "edge_ids=True) or from the graph of another library."
            )
        return ids.of(self._arcs_of(self._path_to(vertex)))

    def _arcs_of(self, path: Array) -> Array:
        """Return the arcs of a path: of parallel ones the lightest, of equally light ones the first."""
        arcs = np.empty(path.size - 1, np.int64)
        _core.path_arcs(self.graph.native, path, arcs)
        return self._existing(arcs, path[1:])

    def tree(self) -> Edges:
        """Return all edges of the tree of shortest paths, one for each reached vertex but the source.

        Their ends are labels where the graph has labels.

        >>> import pathfront as pf
        >>> paths = pf.shortest_paths(pf.Graph.from_edges([0, 1], [1, 2], [4, 3]), 0)
        >>> paths.tree().tails.tolist()
        [0, 1]
        """
        parent, graph = self._parents(), self.graph
        vertices = np.flatnonzero(parent != NO_VERTEX).astype(np.uint32)
        weights = None if graph.weights is None else graph.weights[self._arcs_to(vertices)]
        return Edges(graph.names_of(parent[vertices]), graph.names_of(vertices), weights)

    def _arcs_to(self, vertices: Array) -> Array:
        """Return the arc by which the tree reaches each of some vertices, as in `_arcs_of`."""
        by_head = np.full(self.graph.n, -1, np.int64)
        _core.tree_arcs(self.graph.native, self._parents(), by_head, available_cores())
        return self._existing(by_head[vertices], vertices)

    def _existing(self, arcs: Array, heads: Array) -> Array:
        if arcs.size and arcs.min() < 0:
            wrong = self.graph.described(int(heads[np.argmin(arcs)]))
            raise ArgumentError(f"no arc leads from its parent to {wrong}; were the parents changed?")
        return arcs

    def mteps(self) -> float:
        """Return millions of traversed edges per second: the edges that leave reached vertices, over the time taken."""
        edges = int(np.diff(self.graph.offsets)[self.reached].sum())
        return edges / max(self.stats.seconds, 1e-9) / 1e6

    def _require_reached(self, vertex: int) -> None:
        if self._distance[vertex] != self.unreached:
            return
        name = self.graph.described(vertex)
        if self.radius is not None:
            raise NoPathError(
                f"{name} is farther than {self.radius}, where this search stopped, or has no path; "
                "run without cutoff and targets to know."
            )
        raise NoPathError(f"{name} cannot be reached from {self.graph.described(self._source)}.")

    def __repr__(self) -> str:
        found = self.summary()
        radius = "" if self.radius is None else f"radius={self.radius}, "
        return (
            f"ShortestPaths(source={self.source!r}, reached={found.reached} of {self.graph.n}, {radius}"
            f"farthest={found.farthest!r} at {found.farthest_distance}, "
            f"method={self.stats.method}, seconds={self.stats.seconds:.3g})"
        )


def _type_for(distances: Array, fill: object) -> np.dtype[Any]:
    """Return the type in which distances can stand beside another number."""
    dtype = distances.dtype
    if isinstance(fill, bool | np.bool_) or not isinstance(fill, int | float | np.integer | np.floating):
        raise ArgumentTypeError(f"fill is {described(fill)}; give a number.")
    if dtype.kind == "f":
        if isinstance(fill, float | np.floating) and not math.isfinite(fill):
            return dtype
        return dtype if abs(as_real(fill, "fill")) <= float(np.finfo(dtype).max) else np.dtype(np.float64)
    if isinstance(fill, float | np.floating):
        return np.dtype(np.float64)
    low, high = min(int(distances.min()), int(fill)), max(int(distances.max()), int(fill))
    for kind in (dtype, np.dtype(np.int64), np.dtype(np.uint64)):
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return kind
    raise ArgumentError(f"fill is {shown(int(fill))}, which no integer type holds beside the distances; use a float.")


def _mean(distances: Array) -> float:
    with np.errstate(over="ignore"):
        mean = float(distances.mean(dtype=np.float64))
    if math.isfinite(mean):
        return mean
    most = float(np.abs(distances).max())  # the sum of all is too large for a float
    return float((distances / most).mean()) * most
