"""A stand-in for graph-tool, which is not on PyPI: the part of its documented interface that pathfront reads.

Written after the documentation of `graph_tool.Graph`, `GraphView` and `PropertyMap`: `get_edges` returns one row per
visible edge (source, target, then the values of the given edge properties), `get_vertices` the visible indices, a
property map's `get_array` its values by index, hidden ones included, or None where they are no numbers.
"""

from __future__ import annotations

import numpy as np

_SCALARS = {"bool": np.uint8, "int16_t": np.int16, "int32_t": np.int32, "int64_t": np.int64, "double": np.float64}


class PropertyArray(np.ndarray):
    pass


class PropertyMap:
    def __init__(self, kind, values):
        self._kind, self._values = kind, values

    def value_type(self):
        return self._kind

    def get_array(self):
        if self._kind not in _SCALARS:
            return None
        return np.array(self._values, _SCALARS[self._kind]).view(PropertyArray)

    def __getitem__(self, key):
        return self._values[key]


class Graph:
    def __init__(self, edges=(), directed=True, n=0, eprops=None, vprops=None):
        """`edges` are pairs by edge index, None where an edge was removed."""
        self._edges, self._directed = list(edges), directed
        self._n = max([n, *(max(edge) + 1 for edge in self._edges if edge)])
        self.edge_properties, self.vertex_properties = dict(eprops or {}), dict(vprops or {})
        self._hidden = set()

    @property
    def edge_index(self):
        return PropertyMap("int64_t", list(range(len(self._edges))))

    def is_directed(self):
        return self._directed

    def get_vertices(self):
        return np.array([v for v in range(self._n) if v not in self._hidden], np.int64)

    def get_edges(self, eprops=()):
        kept = [(i, e) for i, e in enumerate(self._edges) if e and not self._hidden & set(e)]
        kept.sort(key=lambda pair: pair[1][0])  # out-edges of each vertex in turn, not by edge index
        return np.array([[*e, *(p[i] for p in eprops)] for i, e in kept]).reshape(-1, 2 + len(eprops))


class GraphView(Graph):
    def __init__(self, g, vfilt):
        self.__dict__.update(g.__dict__)
        self._hidden = {v for v in range(g._n) if not vfilt(v)}


for _class in (Graph, GraphView, PropertyMap):
    _class.__module__ = "graph_tool"
