"""Which vertices and edges matter: betweenness, closeness, harmonic centrality, eccentricity and what follows from it.

All take the weights of a graph as distances, as shortest paths do; `graph.with_weights(None)` counts arcs instead.
Results are arrays in the order of the vertices. The searches, one per source, run in parallel and keep O(n + m) memory
per thread, never a matrix; the results do not depend on the number of threads.
"""

from pathfront.centrality.brandes import betweenness, edge_betweenness, sampled_vertices
from pathfront.centrality.extremes import center, diameter, eccentricity, periphery, radius
from pathfront.centrality.nearness import closeness, harmonic

__all__ = [
    "betweenness",
    "center",
    "closeness",
    "diameter",
    "eccentricity",
    "edge_betweenness",
    "harmonic",
    "periphery",
    "radius",
    "sampled_vertices",
]
