"""The lightest arc that leaves each vertex, for methods that ask how near another vertex can be."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from pathfront import _core
from pathfront.graph import Graph
from pathfront.validation import Array, available_cores

_lightest: WeakKeyDictionary[Graph, Array] = WeakKeyDictionary()


def lightest_out(graph: Graph) -> Array:
    """Return the lightest arc that leaves each vertex, made once for each graph."""
    if graph not in _lightest:
        made = np.empty(graph.n, np.uint32 if graph.weights is None else graph.weights.dtype)
        _core.lightest_out(graph.offsets, graph.weights, made, available_cores())
        _lightest[graph] = made
    return _lightest[graph]
