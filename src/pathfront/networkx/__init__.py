"""The NetworkX backend: `nx.shortest_path(G, s, t, weight="km", backend="pathfront")`.

NetworkX finds it by itself where pathfront is installed; see docs/networkx.md. `convert` makes a graph for many calls.
"""

from __future__ import annotations

from pathfront.networkx.convert import convert
from pathfront.networkx.graph import BackendGraph

__all__ = ["BackendGraph", "convert"]
