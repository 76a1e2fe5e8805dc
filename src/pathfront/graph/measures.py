"""Measures of a graph, from which methods and devices choose their defaults."""

from __future__ import annotations

from pathfront.graph.graph import Graph

_LOW_DEGREE = 8
"""Arcs per vertex below which levels are small: roads, grids, triangulations."""


def mean_degree(graph: Graph) -> float:
    """Return the mean number of arcs that leave a vertex, at least 1."""
    return max(graph.m / max(graph.n, 1), 1.0)


def has_low_degree(graph: Graph) -> bool:
    """Return whether vertices have few arcs, as in roads, grids and triangulations."""
    return graph.m < _LOW_DEGREE * graph.n


def weight_per_degree(graph: Graph) -> float:
    """Return the mean weight over the mean degree: about how much farther the next vertex is than the last."""
    return graph.weight_summary().finite_mean / mean_degree(graph)
