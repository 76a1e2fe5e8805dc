"""The result of a search: distances, the tree of shortest paths, and statistics."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Hashable
from functools import cached_property
from typing import IO, Any

import numpy as np

from pathfront import _core
from pathfront.dtypes import unreached_marker
from pathfront.exceptions import ArgumentError, NoPathError
from pathfront.graph import NO_VERTEX, Edges, Graph, as_graph
from pathfront.results.frames import to_frame
from pathfront.results.stats import Stats, Summary, mean_of, type_beside
from pathfront.validation import Array, available_cores
from pathfront.warp_runtime import to_host
from pathfront.wording import checks_names

__all__ = ["ShortestPaths", "Stats", "Summary", "load_paths"]


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
        self._graph_is_tree = False

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
        made = self._distance.astype(type_beside(self._distance[reached], fill))
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
            mean=mean_of(distances),
        )

    def to_dict(self) -> dict[Any, int | float]:
        """Return the distance of each vertex that has one, by its name, as numbers of Python, in order of positions.

        >>> import pathfront as pf
        >>> graph = pf.Graph.from_edges([0], [1], [7], n=3, labels=["Rome", "Ostia", "Elba"])
        >>> pf.shortest_paths(graph, "Rome").to_dict()
        {'Rome': 0, 'Ostia': 7}
        """
        vertices = np.flatnonzero(self.reached)
        names = self.graph.names_of(vertices).tolist()
        return dict(zip(names, self._distance[vertices].tolist(), strict=True))

    def to_frame(self, library: str | None = None) -> Any:
        """Return a table of the vertices that have a distance, a DataFrame of pandas, or of polars where only it is.

        The columns are `vertex`, `distance` and, if the search computed parents, `parent`, which the source lacks.
        Vertices are names. `library` is "pandas" or "polars".

        >>> import pathfront as pf
        >>> graph = pf.Graph.from_edges([0], [1], [7], n=3, labels=["Rome", "Ostia", "Elba"])
        >>> pf.shortest_paths(graph, "Rome").to_frame("polars").rows()
        [('Rome', 0, None), ('Ostia', 7, 'Rome')]
        """
        vertices = np.flatnonzero(self.reached)
        columns = {"vertex": self.graph.names_of(vertices), "distance": self._distance[vertices]}
        if self._parent is not None:
            columns["parent"] = self.graph.masked_names(self._parent[vertices].astype(np.int64))
        return to_frame(columns, library)

    def save(self, file: str | os.PathLike[str] | IO[bytes]) -> None:
        """Write everything but the graph to a file (`.pfp`), for `pf.load_paths`: a path, `-` or a binary file object.

        The file is replaced only when the new one is complete, and compressed if its name ends in .gz, .xz or .zst. It
        is checksummed and holds no pickles; its format is described in `pathfront.results.saved`.

        >>> import io, pathfront as pf
        >>> graph = pf.Graph.from_edges([0, 1], [1, 2], [4, 3], labels=["Rome", "Ostia", "Anzio"])
        >>> file = io.BytesIO()
        >>> pf.shortest_paths(graph, "Rome").save(file)
        >>> pf.load_paths(io.BytesIO(file.getvalue())).path_to("Anzio").tolist()
        ['Rome', 'Ostia', 'Anzio']
        """
        from pathfront.results import saved

        if self._graph_is_tree:
            raise ArgumentError(
                "this result was loaded without its graph; give it to pf.load_paths(file, graph) first."
            )
        graph, weight, edge_id = self.graph, None, None
        if self._parent is not None:
            arcs = self._arcs_to(np.flatnonzero(self._parent != NO_VERTEX))
            weight = None if graph.weights is None else graph.weights[arcs]
            edge_id = None if graph._edge_ids is None else graph._edge_ids.of(arcs)
        answer = saved.Saved(
            n=graph.n,
            source=self._source,
            distance=self._distance,
            parent=self._parent,
            weight=weight,
            edge_id=edge_id,
            names=None if graph._labels is None else graph._labels.stored,
            first_id=graph.first_id,
            radius=self.radius,
            stats=dataclasses.asdict(self.stats),
            trace=self._trace,
            graph=saved.fingerprint(graph),
        )
        saved.write(answer, file)

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

    def plot(self) -> Any:
        """Return a figure of matplotlib that shows the search, from its trace: `shortest_paths(..., trace=True)`.

        It has the frontier and the work over time, the queues and the window of distances, as far as the method knows
        them, and for a graph with coordinates a map of the order in which the vertices became final (see
        `pathfront.results.traces`). matplotlib comes with the extra `plot`.

        >>> import pathfront as pf
        >>> paths = pf.shortest_paths(pf.generate.grid(30, 30, seed=1), 0, method="near_far", trace=True)
        >>> paths.plot().savefig("near_far.png")  # doctest: +SKIP
        """
        from pathfront.results.figures import figure

        title = f"{self.stats.method} on {self.stats.device}, from {self.graph.described(self._source)}"
        return figure(self.graph, to_host(self.trace), self._distance, self.reached, title)

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
        return original_edges(self.graph, self._arcs_of(self._path_to(vertex)))

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
        if self._graph_is_tree:
            raise ArgumentError(
                "the file of this result does not hold its graph; give it to pf.load_paths(file, graph)."
            )
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


@checks_names
def load_paths(
    file: str | os.PathLike[str] | IO[bytes], graph: object = None, *, max_bytes: int | None = None
) -> ShortestPaths:
    """Read what `paths.save` wrote: a path, `-` or a binary file object; FormatError if it is damaged.

    The answers need no graph. Without one, `paths.graph` consists of the same vertices and the arcs of the tree; with
    the graph of the search, which is compared, the result is as it was before. `max_bytes` limits the bytes of the
    file, unpacked, as in `pf.read`.

    >>> import io, pathfront as pf
    >>> graph, file = pf.generate.grid(9, 9, seed=1), io.BytesIO()
    >>> pf.shortest_paths(graph, 0).save(file)
    >>> bool(pf.verify(graph, pf.load_paths(io.BytesIO(file.getvalue()), graph)))
    True
    """
    from pathfront.results import saved

    given = None if graph is None else as_graph(graph)
    answer, source = saved.read(file, max_bytes=max_bytes)
    with source.naming_file():
        known = saved.tree_of(answer) if given is None else given
    if given is not None:
        saved.require_same(answer, given)
    stats = Stats(**answer.stats)
    made = ShortestPaths(known, answer.source, answer.distance, answer.parent, stats, answer.radius, answer.trace)
    made._graph_is_tree = given is None
    return made


def original_edges(graph: Graph, arcs: Array) -> Array:
    """Return the edges that arcs were made of, where the graph keeps them."""
    ids = graph._edge_ids
    if ids is None:
        raise ArgumentError(
            "this graph does not keep the edges that it was made of; make it by Graph.from_edges(..., "
            "edge_ids=True) or from the graph of another library."
        )
    return ids.of(arcs)
