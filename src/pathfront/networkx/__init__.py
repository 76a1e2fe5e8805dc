"""The NetworkX backend: `nx.shortest_path(G, s, t, weight="km", backend="pathfront")`.

NetworkX finds it by itself where pathfront is installed; see docs/networkx.md. `convert` makes a graph for many calls.
"""

from __future__ import annotations

from importlib.util import find_spec

from pathfront.exceptions import MissingExtraError

if find_spec("networkx") is None:
    raise MissingExtraError('pathfront.networkx needs networkx: pip install "pathfront[networkx]".')

from pathfront.networkx.convert import convert
from pathfront.networkx.graph import BackendGraph

__all__ = ["BackendGraph", "convert"]
