"""The registry of methods: their names, their abilities, and the functions that run them.

The table of docs/methods.md, `pathfront methods`, `--help` and the tests are generated from this registry. Each method
is one file of this folder, which defines `METHOD`. `METHOD.run` takes a `Problem` and returns an `Outcome`
(`problem.py`). It calls a native engine (`cpp/engines/`) or a persistent GPU kernel (`devices/gpu/`), or passes a
schedule, a function that records device operations (`devices/protocol.py`), to `devices/schedules.py`, which runs it on
the given device.
"""

from __future__ import annotations

from importlib import import_module

from pathfront.exceptions import MethodError
from pathfront.methods.method import Method, Option
from pathfront.problem import Outcome, Problem
from pathfront.wording import choice_message

__all__ = ["Method", "Option", "Outcome", "Problem", "get", "names"]

_NAMES = (
    "adds",
    "auto",
    "bellman_ford",
    "bellman_ford_edges",
    "bellman_ford_frontier",
    "bellman_ford_vertices",
    "bfs",
    "bucketing",
    "crauser",
    "delta_stepping",
    "dijkstra",
    "hybrid",
    "light_first",
    "martin",
    "near_far",
    "workfront_sweep",
)
"""The files of this folder that define a method."""

_REGISTRY: dict[str, Method] = {name: import_module(f"{__name__}.{name}").METHOD for name in _NAMES}


def names() -> list[str]:
    """Return the names of all methods.

    >>> import pathfront as pf
    >>> pf.methods.names()[:3]
    ['adds', 'auto', 'bellman_ford']
    """
    return sorted(_REGISTRY)


def get(name: str) -> Method:
    """Return the description of a method: summary, options, devices, limits, paper.

    >>> import pathfront as pf
    >>> pf.methods.get("dijkstra").negative_weights
    False
    """
    try:
        return _REGISTRY[name]
    except (KeyError, TypeError, ValueError):  # what has no hash, among it numpy's spans of time without a unit
        raise MethodError(choice_message("method", name, names())) from None
