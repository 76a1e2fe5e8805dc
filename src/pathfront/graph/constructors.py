"""How graphs are made of arrays, matrices, tables and the graphs of other libraries: the constructors of `Graph`.

The modules that do it make graphs, so each is imported when it is first needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pathfront.graph.data import GraphData
from pathfront.validation import as_flag
from pathfront.wording import checks_names

if TYPE_CHECKING:
    import networkx
    import scipy.sparse

    from pathfront.graph.graph import Graph


class Constructors(GraphData):
    """The constructors of `Graph`, its only subclass."""

    @classmethod
    @checks_names
    def from_edges(
        cls,
        tails: object,
        heads: object,
        weights: object = None,
        *,
        n: int | None = None,
        directed: bool = True,
        labels: object = None,
        coordinates: object = None,
        edge_ids: bool = False,
    ) -> Graph:
        """Make a graph from a list of edges.

        `n` is one more than the largest vertex unless given. With `directed=False` each edge becomes two arcs.
        With `edge_ids=True` the graph keeps the position of each edge, for `paths.edge_ids_to`.

        >>> import pathfront as pf
        >>> pf.Graph.from_edges([0, 1], [1, 2], [1.5, 2.5], directed=False).to_scipy().toarray().tolist()
        [[0.0, 1.5, 0.0], [1.5, 0.0, 2.5], [0.0, 2.5, 0.0]]
        """
        from pathfront.graph import build

        return build.from_edges(
            tails,
            heads,
            weights,
            n=n,
            directed=directed,
            labels=labels,
            coordinates=coordinates,
            edge_ids=as_flag(edge_ids, "edge_ids"),
        )

    @classmethod
    @checks_names
    def from_csr(
        cls,
        offsets: object,
        heads: object,
        weights: object = None,
        *,
        directed: bool = True,
        labels: object = None,
        coordinates: object = None,
        copy: bool = True,
    ) -> Graph:
        """Make a graph from compressed sparse rows.

        With `copy=False` arrays of the right type (int64 offsets, uint32 heads) are used as they are and made
        read-only; changing them afterwards through another view breaks the graph. With `directed=False` the
        rows must hold both arcs of every edge, which is checked.

        >>> import pathfront as pf
        >>> pf.Graph.from_csr([0, 2, 2], [0, 1]).m
        2
        """
        from pathfront.graph import build

        return build.from_csr(
            offsets, heads, weights, directed=directed, labels=labels, coordinates=coordinates, copy=copy
        )

    @classmethod
    @checks_names
    def from_scipy(cls, matrix: scipy.sparse.sparray | scipy.sparse.spmatrix, *, directed: bool = True) -> Graph:
        """Make a graph from a sparse matrix: entry (u, v) is the weight of arc u -> v, stored zeros included.

        Several entries of one position are added up, as everywhere in scipy.

        >>> import pathfront as pf, scipy.sparse
        >>> pf.Graph.from_scipy(scipy.sparse.csr_array([[0, 2], [0, 0]])).to_edges().weights.tolist()
        [2]
        """
        from pathfront.graph import interop

        return interop.from_scipy(matrix, directed=directed)

    @classmethod
    @checks_names
    def from_dense(cls, matrix: object, *, no_edge: object, directed: bool = True, keep_dense: bool = False) -> Graph:
        """Make a graph from a square matrix, where entries equal to `no_edge` (NaN and inf included) are no edges.

        With `no_edge=None` every entry is an edge. With `keep_dense` the graph keeps the matrix: `martin` and `crauser`
        relax its rows as they are; compressed sparse rows are made when another method first needs them.

        >>> import pathfront as pf
        >>> pf.Graph.from_dense([[-1, 0], [4, -1]], no_edge=-1).to_edges().weights.tolist()
        [0, 4]
        """
        from pathfront.graph import interop

        return interop.from_dense(matrix, no_edge=no_edge, directed=directed, keep_dense=keep_dense)

    @classmethod
    @checks_names
    def from_networkx(cls, graph: networkx.Graph, weight: str | None = "weight") -> Graph:
        """Make a graph from a networkx graph of any kind; its nodes become the labels, unless they are 0..n-1 in order.

        Where no edge has the attribute `weight`, or with `weight=None`, edges count as hops.

        >>> import networkx, pathfront as pf
        >>> pf.Graph.from_networkx(networkx.path_graph(["a", "b", "c"])).labels.tolist()
        ['a', 'b', 'c']
        """
        from pathfront.graph import interop

        return interop.from_networkx(graph, weight)

    @classmethod
    @checks_names
    def from_dataframe(
        cls, frame: Any, tail: str, head: str, weight: str | None = None, *, directed: bool = True
    ) -> Graph:
        """Make a graph from columns of a table (pandas, polars, pyarrow); ids may be names of any kind.

        They become the labels, in the order of integers or of their appearance, unless they are 0..n-1.

        >>> import pandas, pathfront as pf
        >>> frame = pandas.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "km": [3.5, 1.0]})
        >>> graph = pf.Graph.from_dataframe(frame, "from", "to", "km")
        >>> pf.shortest_paths(graph, "a").distance_to("c")
        4.5
        """
        from pathfront.graph import interop

        return interop.from_dataframe(frame, tail, head, weight, directed=directed)

    @classmethod
    @checks_names
    def from_igraph(cls, graph: Any, weight: str | None = "weight", *, name: str | None = "name") -> Graph:
        """Make a graph from an `igraph.Graph`; the vertex attribute `name`, where there is one, becomes the labels.

        Where the edges have no attribute "weight", or with `weight=None`, they count as hops. Edge ids are igraph's.

        >>> import igraph, pathfront as pf
        >>> roads = igraph.Graph.TupleList([("Rome", "Ostia", 30), ("Ostia", "Anzio", 41)], weights=True)
        >>> pf.shortest_paths(pf.Graph.from_igraph(roads), "Rome").distance_to("Anzio")
        71
        """
        from pathfront.graph.libraries.igraph import from_igraph

        return from_igraph(graph, weight, name=name)

    @classmethod
    @checks_names
    def from_networkit(cls, graph: Any, weight: str | None = "weight") -> Graph:
        """Make a graph from a `networkit.Graph`; where ids of vertices are missing, they become the labels.

        "weight" means NetworKit's own weights, where the graph has them; another name is an edge attribute of numbers;
        with `weight=None` edges count as hops. Edge ids are NetworKit's after `indexEdges()`, else positions in
        `iterEdges()`.

        >>> import networkit, pathfront as pf
        >>> made = networkit.Graph(3, weighted=True)
        >>> made.addEdge(0, 2, 1.5)
        True
        >>> pf.shortest_paths(pf.Graph.from_networkit(made), 2).distance_to(0)
        1.5
        """
        from pathfront.graph.libraries.networkit import from_networkit

        return from_networkit(graph, weight)

    @classmethod
    @checks_names
    def from_rustworkx(cls, graph: Any, weight: str | None = "weight", *, names: bool = False) -> Graph:
        """Make a graph from a `rustworkx.PyGraph` or `PyDiGraph`; where indices are missing, they become the labels.

        With `names=True` the nodes' data do. Edges that hold numbers have these as weights; of edges that hold dicts
        `weight` names the attribute. Where edges hold None or dicts without "weight", or with `weight=None`, they count
        as hops. Edge ids are rustworkx's edge indices.

        >>> import rustworkx, pathfront as pf
        >>> made = rustworkx.PyDiGraph()
        >>> made.extend_from_weighted_edge_list([(0, 1, 2.5), (1, 2, 4.0)])
        >>> pf.shortest_paths(pf.Graph.from_rustworkx(made), 0).distance_to(2)
        6.5
        """
        from pathfront.graph.libraries.rustworkx import from_rustworkx

        return from_rustworkx(graph, weight, names=names)

    @classmethod
    @checks_names
    def from_graph_tool(cls, graph: Any, weight: Any = "weight", *, name: Any = None) -> Graph:
        """Make a graph from a `graph_tool.Graph` or `GraphView`; where filters hide vertices, indices are the labels.

        `weight` is an edge property map or the name of an internal one, `name` likewise of the vertices, whose values
        become the labels. Without a property "weight", or with `weight=None`, edges count as hops. Edge ids are
        graph-tool's edge indices.

        >>> import graph_tool, pathfront as pf  # doctest: +SKIP
        >>> made = graph_tool.Graph([(0, 1, 5), (1, 2, 7)], eprops=[("weight", "int")])  # doctest: +SKIP
        >>> pf.shortest_paths(pf.Graph.from_graph_tool(made), 0).distance_to(2)  # doctest: +SKIP
        12
        """
        from pathfront.graph.libraries.graph_tool import from_graph_tool

        return from_graph_tool(graph, weight, name=name)
