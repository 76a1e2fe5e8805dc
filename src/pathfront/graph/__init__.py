"""Graphs: the class, its compressed sparse rows, and how graphs are built, named and exchanged with other libraries."""

from pathfront.graph.accepting import as_graph
from pathfront.graph.graph import NO_VERTEX, Edges, Graph
from pathfront.graph.labels import Index, index
from pathfront.graph.summary import DegreeSummary, WeightSummary

__all__ = [
    "NO_VERTEX",
    "DegreeSummary",
    "Edges",
    "Graph",
    "Index",
    "WeightSummary",
    "as_graph",
    "index",
]
