"""The graph that NetworkX passes to the backend's functions: vertices by position, weights by attribute."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from pathfront.graph import Graph
from pathfront.graph.adjacency import Adjacency, Numbers, numbers
from pathfront.validation import Array

Weight = Hashable | Callable[..., Any] | None


class BackendGraph:
    """A NetworkX graph, converted. It does not change; several edges between two nodes are one arc, the lightest.

    >>> import networkx as nx
    >>> from pathfront.networkx import convert
    >>> graph = convert(nx.path_graph(["a", "b", "c"]))
    >>> len(graph), "b" in graph, nx.dijkstra_path(graph, "a", "c")
    (3, True, ['a', 'b', 'c'])
    """

    __networkx_backend__ = "pathfront"

    def __init__(
        self,
        adjacency: Adjacency,
        *,
        directed: bool,
        nodes: Mapping[Any, Any],
        attributes: Mapping[Any, Any],
    ) -> None:
        self.adjacency = adjacency
        self.graph = dict(attributes)
        """The attributes of the graph, as far as they were kept."""
        self.node_data = nodes
        self._directed = directed
        self._weighed: dict[Hashable, Graph] = {}
        self._hops = adjacency.weighing(None, directed=directed)

    # ---- what NetworkX's graphs have as well ------------------------------------------------------------------------

    def is_directed(self) -> bool:
        """Return whether edges go one way only."""
        return self._directed

    def is_multigraph(self) -> bool:
        """Return whether there may be several edges between two nodes."""
        return self.adjacency.multigraph

    def number_of_nodes(self) -> int:
        """Return the number of nodes."""
        return len(self.names)

    order = number_of_nodes

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.names)

    def __contains__(self, node: object) -> bool:
        try:
            return node in self.adjacency.vertices
        except TypeError:  # not hashable
            return False

    # ---- positions and weights --------------------------------------------------------------------------------------

    @property
    def names(self) -> list[Any]:
        """The nodes in the order of their positions."""
        return self.adjacency.names

    def position(self, node: object) -> int:
        """Return the position of a node of the graph."""
        return self.adjacency.vertices[node]

    def positions(self, nodes: Any) -> Array:
        """Return the positions of nodes of the graph, as native functions take them."""
        vertices = self.adjacency.vertices
        return np.fromiter((vertices[node] for node in nodes), np.uint32, len(nodes))

    @property
    def hops(self) -> Graph:
        """The graph whose arcs all count 1."""
        return self._hops

    def weighed(self, weight: Weight) -> Graph:
        """Return the graph with the weights of an attribute, made once, or of a function; None counts hops.

        NotImplementedError if a weight is no number that a native type holds exactly.
        """
        if weight is None:
            return self._hops
        if callable(weight):
            return self._arcs(self._results(weight), f"the result of {weight!r}", directed=True)
        found = self._weighed.get(weight)
        return self.keep(weight) if found is None else found

    def keep(self, attribute: Hashable, default: object = 1) -> Graph:
        """Return the graph with the weights of an attribute, read from the edges."""
        if not self.adjacency.rows and self.hops.m:
            raise NotImplementedError(f"the graph was converted without the attribute {attribute!r} of its edges.")
        if default != 1:
            raise NotImplementedError(f"edges without {attribute!r} count {default!r}, which pathfront does not do.")
        found = self.adjacency.attribute(attribute)
        made = self._hops
        if found.missing < found.values.size:
            made = self._arcs(found, f"attribute {attribute!r}", directed=self._directed)
        self._weighed[attribute] = made
        return made

    @property
    def kept(self) -> Mapping[Hashable, Graph]:
        """The graph with the weights of each attribute that has been read."""
        return self._weighed

    def forget_rows(self) -> None:
        """Keep only what has been read: other attributes cannot be asked for any more."""
        self.adjacency = self.adjacency._replace(rows={})

    def _arcs(self, found: Numbers, what: str, *, directed: bool) -> Graph:
        if found.odd >= 0:
            raise NotImplementedError(
                f"{what} of an edge of {self.adjacency.at(found.odd)[0]!r} is not a finite int or float that 64 bits "
                "hold exactly beside the others."
            )
        if found.hidden.size:
            return self._without(found)
        return self.adjacency.weighing(found.values, directed=directed)

    def _without(self, found: Numbers) -> Graph:
        """Return the graph without its hidden arcs."""
        shown = np.ones(found.values.size, bool)
        shown[found.hidden] = False
        offsets = np.concatenate([[0], np.cumsum(shown)])[self.adjacency.offsets]
        part = self.adjacency._replace(offsets=offsets, heads=self.adjacency.heads[shown])
        return part.weighing(found.values[shown], directed=True)

    def _results(self, weight: Callable[..., Any]) -> Numbers:
        rows = self.adjacency.rows
        return numbers([weight(tail, head, data) for tail, row in rows.items() for head, data in row.items()])

    def reversed(self) -> BackendGraph:
        """Return the graph with every edge reversed; arrays are reversed when they are first needed."""
        return _Reversed(self)

    def to_networkx(self) -> Any:
        """Return NetworkX's graph with what was kept of the attributes; parallel edges are one unless all were kept."""
        return self._made(self.names, self._rows())

    def part(self, nodes: Any) -> Any:
        """Return the part of NetworkX's graph that some nodes induce; all attributes must have been kept."""
        chosen, rows = set(nodes), self.adjacency.rows
        # in the order of NetworkX's views of parts
        names = list(chosen) if 2 * len(chosen) < len(self) else [name for name in self.names if name in chosen]
        return self._made(
            names, ((tail, [(head, data) for head, data in rows[tail].items() if head in chosen]) for tail in names)
        )

    def _made(self, names: list[Any], rows: Iterable[tuple[Any, Any]]) -> Any:
        import networkx

        kinds = (networkx.Graph, networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph)
        made = kinds[2 * self.is_multigraph() + self._directed]()
        made.graph.update(self.graph)
        made.add_nodes_from((name, dict(self.node_data.get(name, {}))) for name in names)
        made.add_edges_from(self._edges(rows))
        return made

    def _edges(self, rows: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, ...]]:
        seen: set[Any] = set()  # an undirected edge is in the rows of both its ends
        for tail, row in rows:
            for head, data in row:
                if self._directed or head not in seen:
                    if self.is_multigraph():
                        yield from ((tail, head, key, dict(edge)) for key, edge in data.items())
                    else:
                        yield tail, head, dict(data)
            seen.add(tail)

    def _rows(self) -> Iterator[tuple[Any, Any]]:
        """Yield each node with pairs of neighbour and data; what was not kept is empty."""
        if self.adjacency.rows:
            yield from ((tail, row.items()) for tail, row in self.adjacency.rows.items())
            return
        names, heads, offsets = self.names, self.adjacency.heads.tolist(), self.adjacency.offsets.tolist()
        kept = {attribute: graph for attribute, graph in self._weighed.items() if graph.m == self.hops.m}
        values = {
            attribute: [1] * graph.m if graph.weights is None else graph.weights.tolist()
            for attribute, graph in kept.items()
        }
        for i, tail in enumerate(names):
            row = []
            for arc in range(offsets[i], offsets[i + 1]):
                data: dict[Any, Any] = {attribute: value[arc] for attribute, value in values.items()}
                row.append((names[heads[arc]], {0: data} if self.is_multigraph() else data))
            yield tail, row


class _Reversed(BackendGraph):
    """A graph whose edges are those of another one, reversed."""

    def __init__(self, origin: BackendGraph) -> None:
        arcs = origin.hops.reverse()
        part = origin.adjacency._replace(rows={}, offsets=arcs.offsets, heads=arcs.heads)
        super().__init__(part, directed=origin.is_directed(), nodes=origin.node_data, attributes=origin.graph)
        self._hops = arcs
        self._origin = origin
        self._weighed = {attribute: kept.reverse() for attribute, kept in origin.kept.items()}

    def keep(self, attribute: Hashable, default: object = 1) -> Graph:
        """Return the graph with the weights of an attribute, which the other graph reads."""
        return self._origin.keep(attribute, default).reverse()

    def reversed(self) -> BackendGraph:
        """Return the graph whose reverse this is."""
        return self._origin
