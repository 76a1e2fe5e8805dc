"""Graphs: the class, its compressed rows, and how graphs are built, named and exchanged with other libraries."""

from pathfront.graph.graph import NO_VERTEX, DegreeSummary, Edges, Graph, WeightSummary, as_coordinates

__all__ = ["NO_VERTEX", "DegreeSummary", "Edges", "Graph", "WeightSummary", "as_coordinates"]
