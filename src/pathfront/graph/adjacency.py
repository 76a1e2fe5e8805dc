"""Graphs from networkx's dictionaries of dictionaries, read natively: {tail: {head: data}}.

An undirected edge is in the rows of both its ends, so the rows are compressed sparse rows already, and an attribute
is one array in their order.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from pathfront import _core
from pathfront.graph.graph import Graph
from pathfront.graph.labels import Labels
from pathfront.validation import Array


class Adjacency(NamedTuple):
    """The structure of a networkx graph; arcs are in the order of its rows."""

    rows: dict[Any, dict[Any, Any]]
    multigraph: bool
    parallel: bool
    """Whether each edge of a multigraph is an arc of its own; else a pair of vertices has one."""
    names: list[Any]
    vertices: dict[Any, int]
    offsets: Array
    heads: Array

    def attribute(self, name: Hashable) -> Numbers:
        """Return an attribute of every edge; that of several edges which are one arc is the least."""
        return Numbers(*_core.read_attribute(self.rows, name, self.multigraph, self.parallel))

    def weighing(self, weights: Array | None, *, directed: bool, labels: Labels | None = None) -> Graph:
        """Return the graph with checked weights."""
        return Graph._make(self.offsets, self.heads, weights, directed=directed, labels=labels)

    def objects(self, name: Hashable, missing: object) -> list[Any]:
        """Return an attribute of every edge as it is, another value where it is missing or None."""
        rows = (data for row in self.rows.values() for data in row.values())
        edges = (edge for row in rows for edge in row.values()) if self.multigraph and self.parallel else rows
        return [missing if (value := edge.get(name)) is None else value for edge in edges]

    def at(self, arc: int) -> tuple[Any, Any, Any]:
        """Return the ends of an arc, and its data."""
        for tail, row in self.rows.items():
            for head, data in row.items():
                edges = data.values() if self.parallel and self.multigraph else [data]
                if arc < len(edges):
                    return tail, head, list(edges)[arc]
                arc -= len(edges)
        raise IndexError(arc)


class Numbers(NamedTuple):
    """Numbers as an array: uint32 or int64 if all are integers, float64 if these are exact in it; what is missing is 1.

    Only if `odd` is -1 the array holds all of them.
    """

    values: Array
    odd: int
    """The first entry that the array cannot hold: no number, not finite, too large; -1 if there is none."""
    hidden: Array
    """The entries that are None; 0 in the array."""
    first_missing: int
    missing: int


def read(graph: Any, *, parallel: bool) -> Adjacency:
    """Return the structure of a networkx graph, or of a view of one."""
    rows, multigraph = getattr(graph, "_adj", None), graph.is_multigraph()
    if not isinstance(rows, dict):
        rows = plain(graph.adj, 3 if multigraph else 2)
    try:
        found = _core.read_adjacency(rows, multigraph and parallel)
    except TypeError:  # a row is of a class of its own
        rows = plain(rows, 4 if multigraph else 3)
        found = _core.read_adjacency(rows, multigraph and parallel)
    return Adjacency(rows, multigraph, parallel, *found)


def numbers(values: list[Any]) -> Numbers:
    """Return numbers of Python as an array."""
    return Numbers(*_core.read_numbers(values))


def plain(rows: Mapping[Any, Any], depth: int) -> dict[Any, Any]:
    """Return nested mappings as dictionaries, copied to this depth."""
    return {key: plain(value, depth - 1) for key, value in rows.items()} if depth > 1 else dict(rows)
