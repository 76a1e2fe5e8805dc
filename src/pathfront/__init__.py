"""Exact shortest paths on large weighted graphs.

>>> import pathfront as pf
>>> graph = pf.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 10, 3])
>>> paths = pf.shortest_paths(graph, 0)
>>> paths.distance.tolist(), paths.path_to(2).tolist()
([0, 4, 7], [0, 1, 2])

Every public name but the exceptions is loaded on first use, so importing the package takes next to no time.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from pathfront.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    DeviceError,
    DeviceMemoryError,
    DistanceOverflowError,
    DownloadError,
    FormatError,
    MethodError,
    MissingExtraError,
    NegativeCycleError,
    NoPathError,
    PathCountError,
    PathfrontError,
    TimeLimitError,
    VertexError,
    WeightError,
)

__version__ = "0.1.0"

if TYPE_CHECKING:
    from pathfront import csgraph, datasets, formats, generate, methods
    from pathfront.alternatives import all_shortest_paths, k_shortest_paths
    from pathfront.api import shortest_paths
    from pathfront.centrality import (
        betweenness,
        center,
        closeness,
        diameter,
        eccentricity,
        edge_betweenness,
        harmonic,
        periphery,
        radius,
    )
    from pathfront.certificate import Verdict, verify
    from pathfront.closest import Nearest, nearest
    from pathfront.formats import read, read_coordinates, write
    from pathfront.graph import NO_VERTEX, Edges, Graph, index
    from pathfront.local import Within, within
    from pathfront.many import shortest_paths_many
    from pathfront.matrix import DistanceMatrix, distance_matrix
    from pathfront.measuring import Measures, measure
    from pathfront.pairs import Path, PathsBetween, paths_between, shortest_path
    from pathfront.paths import ShortestPaths, Stats, Summary, load_paths
    from pathfront.studies.explaining import Explanation, explain

_HOMES = {
    "pathfront.alternatives": ("all_shortest_paths", "k_shortest_paths"),
    "pathfront.api": ("shortest_paths",),
    "pathfront.centrality": (
        "betweenness",
        "center",
        "closeness",
        "diameter",
        "eccentricity",
        "edge_betweenness",
        "harmonic",
        "periphery",
        "radius",
    ),
    "pathfront.certificate": ("Verdict", "verify"),  # not verify.py: a submodule would hide the function
    "pathfront.closest": ("Nearest", "nearest"),
    "pathfront.formats": ("read", "read_coordinates", "write"),
    "pathfront.graph": ("NO_VERTEX", "Edges", "Graph", "index"),
    "pathfront.local": ("Within", "within"),
    "pathfront.many": ("shortest_paths_many",),
    "pathfront.matrix": ("DistanceMatrix", "distance_matrix"),
    "pathfront.measuring": ("Measures", "measure"),
    "pathfront.pairs": ("Path", "PathsBetween", "paths_between", "shortest_path"),
    "pathfront.paths": ("ShortestPaths", "Stats", "Summary", "load_paths"),
    "pathfront.studies.explaining": ("Explanation", "explain"),
}
"""The module that defines each public name."""
_MODULES = ("csgraph", "datasets", "formats", "generate", "methods")
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "NO_VERTEX",
    "ArgumentError",
    "ArgumentTypeError",
    "DeviceError",
    "DeviceMemoryError",
    "DistanceMatrix",
    "DistanceOverflowError",
    "DownloadError",
    "Edges",
    "Explanation",
    "FormatError",
    "Graph",
    "Measures",
    "MethodError",
    "MissingExtraError",
    "Nearest",
    "NegativeCycleError",
    "NoPathError",
    "Path",
    "PathCountError",
    "PathfrontError",
    "PathsBetween",
    "ShortestPaths",
    "Stats",
    "Summary",
    "TimeLimitError",
    "Verdict",
    "VertexError",
    "WeightError",
    "Within",
    "all_shortest_paths",
    "betweenness",
    "center",
    "closeness",
    "csgraph",
    "datasets",
    "diameter",
    "distance_matrix",
    "eccentricity",
    "edge_betweenness",
    "explain",
    "formats",
    "generate",
    "harmonic",
    "index",
    "k_shortest_paths",
    "load_paths",
    "measure",
    "methods",
    "nearest",
    "paths_between",
    "periphery",
    "radius",
    "read",
    "read_coordinates",
    "shortest_path",
    "shortest_paths",
    "shortest_paths_many",
    "verify",
    "within",
    "write",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"pathfront.{name}")
    if name in _HOME_OF:
        value = getattr(importlib.import_module(_HOME_OF[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'pathfront' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
