"""The shortest-path functions of `scipy.sparse.csgraph`, with its signatures and results, by pathfront's engines.

Change the import, and nothing else:

>>> from pathfront.csgraph import dijkstra
>>> dijkstra([[0, 2, 0], [0, 0, 3], [0, 0, 0]], indices=0).tolist()
[0.0, 2.0, 5.0]

Distances are float64 and predecessors int32 with -9999, as scipy's; what differs is in `docs/scipy.md`.
"""

from pathfront.exceptions import MissingExtraError

try:
    from scipy.sparse.csgraph import NegativeCycleError
except ImportError:
    raise MissingExtraError("pathfront.csgraph needs scipy: pip install 'pathfront[scipy]'.") from None

from pathfront.csgraph.functions import (
    bellman_ford,
    breadth_first_order,
    dijkstra,
    floyd_warshall,
    johnson,
    shortest_path,
    yen,
)

__all__ = [
    "NegativeCycleError",
    "bellman_ford",
    "breadth_first_order",
    "dijkstra",
    "floyd_warshall",
    "johnson",
    "shortest_path",
    "yen",
]
