"""Searches for the backend's functions, and their answers as dictionaries of Python.

A search runs on all cores by the method that suits the graph. The order in which NetworkX would have settled the
vertices, and the predecessors it would have chosen, are recovered from the distances (`cpp/graph/settling.hpp`), so
that dictionaries have NetworkX's order and ties between paths are broken as there.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from pathfront import _core
from pathfront.api import run
from pathfront.exceptions import DistanceOverflowError
from pathfront.graph import Graph
from pathfront.methods import auto
from pathfront.networkx.graph import BackendGraph, Weight
from pathfront.validation import Array, available_cores


class Settled:
    """The vertices that a search reached, in the order in which they were settled."""

    def __init__(self, names: list[Any], arcs: Graph, sources: Array, distance: Array) -> None:
        self._names, self._arcs, self._sources = names, arcs, sources
        self.distance = distance

    @cached_property
    def _settled(self) -> tuple[Array, Array]:
        order, parent = np.empty(self._arcs.n, np.uint32), np.empty(self._arcs.n, np.uint32)
        count = _core.settling_order(self._arcs.native, self.distance, self._sources, order, parent)
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
        return _core.distance_dict(self._names, self.order, self.distance, self._sources.size)

    def paths(self, *, turned: bool = False) -> dict[Any, list[Any]]:
        """Return {node: path}; `turned` paths begin with the node, as those along reversed arcs do."""
        return _core.path_dict(self._names, self.order, self.parent, turned)

    def predecessors(self) -> dict[Any, list[Any]]:
        """Return {node: all its predecessors on shortest paths}."""
        return _core.predecessor_dict(self._names, self._arcs.native, self.order, self.distance)

    def distance_to(self, node: int) -> Any:
        """Return the distance of a position, a number of Python; None if it was not reached."""
        if node in self._sources:
            return 0
        found = self.distance[node].item()
        return None if found == unreached(self.distance) else found

    def path_to(self, node: int) -> list[Any]:
        """Return the path to a position that was reached."""
        return [self._names[v] for v in np.asarray(_core.path_to(self.parent, node)).tolist()]


def unreached(distance: Array) -> Any:
    """Return what stands for "no path" in an array of distances."""
    return math.inf if distance.dtype.kind == "f" else int(np.iinfo(distance.dtype).max)


def search(
    graph: BackendGraph,
    sources: Any,
    weight: Weight,
    *,
    cutoff: Any = None,
    target: int | None = None,
    backward: bool = False,
) -> Settled:
    """Search from nodes of the graph, whose weights must not be negative."""
    arcs = graph.weighed(weight)
    if backward:
        arcs = arcs.reverse()
    return settle(graph.names, arcs, graph.positions(sources), cutoff=cutoff, target=target)


def settle(names: list[Any], arcs: Graph, sources: Array, *, cutoff: Any = None, target: int | None = None) -> Settled:
    """Search from positions."""
    if arcs.weight_summary().first_negative >= 0:
        raise NotImplementedError("some weight is negative, and Dijkstra's method does not take such.")
    limit = as_limit(cutoff)
    if limit is not None and limit < 0:  # the sources are settled whatever the cutoff is
        limit = 0
        arcs = Graph._make(np.zeros(arcs.n + 1, np.int64), np.empty(0, np.uint32), None, directed=True)
    try:
        problem, _ = run(
            auto.METHOD,
            arcs,
            limit,
            source=int(sources[0]),
            others=sources[1:] if sources.size > 1 else None,
            parent=None,
            threads=available_cores(),
            targets=None if target is None else np.array([target], np.uint32),
        )
    except DistanceOverflowError as error:
        raise NotImplementedError(str(error)) from error
    return Settled(names, arcs, sources, problem.distance)


def as_limit(cutoff: Any) -> int | float | None:
    """Return a cutoff as NetworkX compares with it; None for no limit."""
    if cutoff is None or cutoff != cutoff:  # nothing is greater than NaN
        return None
    if not isinstance(cutoff, int | float | np.integer | np.floating):
        raise NotImplementedError(f"cutoff is {cutoff!r}, which pathfront cannot compare with distances.")
    return float(cutoff) if isinstance(cutoff, float | np.floating) else int(cutoff)
