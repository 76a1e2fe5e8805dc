"""The functions of the backend, by the names under which NetworkX dispatches them.

A function has NetworkX's signature and takes a `BackendGraph`:

    @implements
    def single_source_dijkstra_path_length(G, source, cutoff=None, weight="weight"):
        return search(G, [source], weight, cutoff=cutoff).distances()

Its name is also listed in `_pathfront_networkx`, which NetworkX reads without importing this package, and its module
in `interface.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

FUNCTIONS: dict[str, Callable[..., Any]] = {}


def implements(function: Function) -> Function:
    """Register a function under its name."""
    FUNCTIONS[function.__name__] = function
    return function
