"""Searches for the backend's functions, and their answers as dictionaries of Python.

A search runs on all cores by the method that suits the graph. The order in which NetworkX would have settled the
vertices, and the predecessors it would have chosen, are recovered from the distances (`cpp/graph/settling.hpp`), so
that dictionaries have NetworkX's order and ties between paths are broken as there.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol

import networkx as nx
import numpy as np

from pathfront import _core
from pathfront.api import run
from pathfront.dtypes import unreached_marker
from pathfront.exceptions import DistanceOverflowError, NegativeCycleError
from pathfront.graph import NO_VERTEX, Graph
from pathfront.methods import auto
from pathfront.networkx.graph import BackendGraph, Weight
from pathfront.problem import Problem
from pathfront.validation import Array, available_cores


class Answer(Protocol):
    """What a search found."""

    def distances(self) -> dict[Any, Any]:
        """Return {node: distance}."""

    def paths(self, *, turned: bool = False) -> dict[Any, list[Any]]:
        """Return {node: path}; `turned` paths begin with the node, as those along reversed arcs do."""

    def predecessors(self) -> dict[Any, list[Any]]:
        """Return {node: all its predecessors on shortest paths}."""

    def to(self, node: Any) -> tuple[Any, list[Any]] | None:
        """Return the distance of a node and the path to it, or None if there is none."""

    def distance_to(self, node: Any) -> Any:
        """Return the distance of a node, a number of Python, or None if it was not reached."""


class Settled:
    """The vertices that a search reached, in the order in which they were settled."""

    def __init__(self, graph: BackendGraph, arcs: Graph, sources: Array, distance: Array) -> None:
        self.graph, self.arcs, self.sources, self.distance = graph, arcs, sources, distance

    @cached_property
    def _settled(self) -> tuple[Array, Array]:
        order, parent = np.empty(self.arcs.n, np.uint32), np.empty(self.arcs.n, np.uint32)
        count = _core.settling_order(self.arcs.native, self.distance, self.sources, order, parent)
        assert count >= 0, "a search's distances are those from its sources"
        return order[:count], parent

    @property
    def order(self) -> Array:
        """The positions of the reached vertices, as they were settled: sources first, then by distance."""
        return self._settled[0]

    @property
    def parent(self) -> Array:
        """The first predecessor that gave each vertex its distance, by position; NO_VERTEX for sources."""
        return self._settled[1]

    def distances(self) -> dict[Any, Any]:
        """Return {node: distance}."""
        return _core.distance_dict(self.graph.names, self.order, self.distance, self.sources.size)

    def paths(self, *, turned: bool = False) -> dict[Any, list[Any]]:
        """Return {node: path}; `turned` paths begin with the node, as those along reversed arcs do."""
        return _core.path_dict(self.graph.names, self.order, self.parent, turned)

    def predecessors(self) -> dict[Any, list[Any]]:
        """Return {node: all its predecessors on shortest paths}."""
        return _core.predecessor_dict(self.graph.names, self.arcs.native, self.order, self.distance)

    def predecessor(self) -> dict[Any, Any]:
        """Return {node: its predecessor on one shortest path}, None for sources."""
        names, parents = self.graph.names, self.parent[self.order].tolist()
        return {
            names[v]: None if parent == NO_VERTEX else names[parent]
            for v, parent in zip(self.order.tolist(), parents, strict=True)
        }

    def distance_to(self, node: Any) -> Any:
        """Return the distance of a node, a number of Python, or None if it was not reached."""
        if node not in self.graph:
            return None
        position = self.graph.position(node)
        found = self.distance[position].item()
        if found == 0 and position in self.sources:
            return 0  # an integer whatever the weights are
        return None if found == unreached_marker(self.distance.dtype) else found

    def to(self, node: Any) -> tuple[Any, list[Any]] | None:
        """Return the distance of a node and the path to it, or None if there is none."""
        found = self.distance_to(node)
        return None if found is None else (found, self._path_to(self.graph.position(node)))

    def _path_to(self, position: int) -> list[Any]:
        names = self.graph.names
        return [names[v] for v in np.asarray(_core.path_to(self.parent, position)).tolist()]


class Relaxed(Settled):
    """The same with the tree that the search found, as where some weight is negative: vertices by distance."""

    def __init__(self, graph: BackendGraph, arcs: Graph, problem: Problem) -> None:
        super().__init__(graph, arcs, np.array([problem.source], np.uint32), problem.distance)
        self._parent = problem.parent

    @property
    def parent(self) -> Array:
        """The predecessor of each vertex in the tree, by position."""
        assert self._parent is not None
        return self._parent

    @cached_property
    def _settled(self) -> tuple[Array, Array]:
        reached = np.flatnonzero(self.distance != unreached_marker(self.distance.dtype)).astype(np.uint32)
        others = reached[reached != self.sources[0]]
        order = others[np.argsort(self.distance[others], kind="stable")]
        return np.concatenate([self.sources, order]), self.parent

    def paths(self, *, turned: bool = False) -> dict[Any, list[Any]]:
        """Return {node: path}; a parent may be farther than its child, so paths are read one by one."""
        paths = {self.graph.names[v]: self._path_to(v) for v in self.order.tolist()}
        return {node: path[::-1] for node, path in paths.items()} if turned else paths


class Contradicted:
    """Dijkstra's method with negative weights: what NetworkX's own code does with them, or the error it raises."""

    def __init__(self, graph: BackendGraph, sources: list[Any], weight: Weight, cutoff: Any, target: Any) -> None:
        self._given = graph.to_networkx(), sources
        self._more = {"weight": weight, "cutoff": cutoff}
        self._target = target

    def distances(self) -> dict[Any, Any]:
        """Return {node: distance}."""
        return dict(nx.multi_source_dijkstra_path_length.orig_func(*self._given, **self._more))

    def paths(self, *, turned: bool = False) -> dict[Any, list[Any]]:
        """Return {node: path}."""
        paths = nx.multi_source_dijkstra.orig_func(*self._given, **self._more)[1]
        return {node: path[::-1] for node, path in paths.items()} if turned else dict(paths)

    def predecessors(self) -> dict[Any, list[Any]]:
        """Return {node: predecessors}."""
        graph, (source,) = self._given
        return dict(nx.dijkstra_predecessor_and_distance.orig_func(graph, source, **self._more)[0])

    def to(self, node: Any) -> tuple[Any, list[Any]] | None:
        """Return the distance of a node and the path to it, or None if there is none."""
        try:
            found: tuple[Any, list[Any]] = nx.multi_source_dijkstra.orig_func(*self._given, target=node, **self._more)
        except nx.NetworkXNoPath:
            return None
        return found

    def distance_to(self, node: Any) -> Any:
        """Return the distance of a node, or None if it was not reached."""
        found = self.to(node)
        return None if found is None else found[0]


def search(
    graph: BackendGraph,
    sources: list[Any],
    weight: Weight,
    *,
    cutoff: Any = None,
    target: Any = None,
    backward: bool = False,
) -> Answer:
    """Search from nodes of the graph by Dijkstra's method; with a target, only until that is settled."""
    arcs = graph.weighed(weight)
    if is_negative(arcs):
        if backward:
            raise NotImplementedError("some weight is negative, and the search goes backward.")
        return Contradicted(graph, sources, weight, cutoff, target)
    starts = graph.positions(sources)
    return settle(graph, arcs.reverse() if backward else arcs, starts, cutoff=cutoff, target=target)


def settle(graph: BackendGraph, arcs: Graph, sources: Array, *, cutoff: Any = None, target: Any = None) -> Settled:
    """Search from positions along arcs whose weights are not negative."""
    limit = as_limit(cutoff)
    if limit is not None and limit < 0:  # the sources are settled whatever the cutoff is
        limit = 0
        arcs = Graph._make(np.zeros(arcs.n + 1, np.int64), np.empty(0, np.uint32), None, directed=True)
    targets = None if target is None or target not in graph else graph.positions([target])
    return Settled(graph, arcs, sources, solve(arcs, sources, limit, targets=targets).distance)


def pair(graph: BackendGraph, source: Any, target: Any, weight: Weight) -> tuple[Any, list[Any]] | None:
    """Return the distance and any shortest path of two nodes of the graph, or None if there is none.

    The tree of the search is taken as it is: which of equally short paths NetworkX would have found is not asked.
    """
    arcs = graph.weighed(weight)
    if is_negative(arcs):
        return Contradicted(graph, [source], weight, None, target).to(target)
    starts, ends = graph.positions([source]), graph.positions([target])
    problem = solve(arcs, starts, parent=np.empty(arcs.n, np.uint32), targets=ends)
    return Relaxed(graph, arcs, problem).to(target)


def bellman_ford(graph: BackendGraph, source: Any, weight: Weight, *, backward: bool = False) -> Settled:
    """Search from a node; weights may be negative, but NetworkXUnbounded is raised for a cycle that is."""
    arcs = complete(graph, weight)
    starts = graph.positions([source])
    if backward:
        arcs = arcs.reverse()
    if not is_negative(arcs):
        return settle(graph, arcs, starts)
    try:
        return Relaxed(graph, arcs, solve(arcs, starts, parent=np.empty(arcs.n, np.uint32)))
    except NegativeCycleError as error:
        raise nx.NetworkXUnbounded("Negative cycle detected.") from error


def solve(
    arcs: Graph, sources: Array, limit: int | float | None = None, *, parent: Array | None = None, targets: Any = None
) -> Problem:
    """Run a search, which fills the arrays of its problem."""
    try:
        problem, _ = run(
            auto.METHOD,
            arcs,
            limit,
            source=int(sources[0]),
            others=sources[1:] if sources.size > 1 else None,
            parent=parent,
            threads=available_cores(),
            targets=targets,
        )
    except DistanceOverflowError as error:
        raise NotImplementedError(str(error)) from error
    return problem


def is_negative(arcs: Graph) -> bool:
    """Return whether some weight is negative."""
    return arcs.weight_summary().first_negative >= 0


def complete(graph: BackendGraph, weight: Weight) -> Graph:
    """Return the graph with weights that hide no edge: only Dijkstra's method allows these."""
    arcs = graph.weighed(weight)
    if arcs.m != graph.hops.m:
        raise NotImplementedError("some weight is None, which hides an edge from Dijkstra's method only.")
    return arcs


def as_limit(cutoff: Any) -> int | float | None:
    """Return a cutoff as NetworkX compares with it; None for no limit."""
    if cutoff is None:
        return None
    if not isinstance(cutoff, int | float | np.integer | np.floating):
        raise NotImplementedError(f"cutoff is {cutoff!r}, which pathfront cannot compare with distances.")
    if cutoff != cutoff:  # nothing is greater than NaN
        return None
    return float(cutoff) if isinstance(cutoff, float | np.floating) else int(cutoff)
