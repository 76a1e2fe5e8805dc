"""What NetworkX loads as the backend: an object with the conversions and one attribute per function."""

from __future__ import annotations

import inspect
import numbers
import types
from typing import Any

from pathfront.networkx import astar, bellman_ford, centrality, dense, generic, unweighted, weighted
from pathfront.networkx.convert import convert_from_nx, convert_to_nx
from pathfront.networkx.deviations import on_start_tests
from pathfront.networkx.registry import FUNCTIONS

_TOPICS: tuple[types.ModuleType, ...] = (astar, bellman_ford, centrality, dense, generic, unweighted, weighted)
"""Importing them registers their functions."""


_FROM_MANY = (
    "all_pairs_",
    "average_",
    "betweenness_",
    "center",
    "diameter",
    "eccentricity",
    "floyd_",
    "johnson",
    "periphery",
    "radius",
)
"""The functions that search from every node, by how their names begin."""


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return whether the backend can run a function with these arguments, or why not. It does not look at weights."""
    given = _given(name, args, kwargs)
    cutoff = given.get("cutoff")
    if cutoff is not None and not isinstance(cutoff, numbers.Real):
        return f"cutoff is {cutoff!r}, which is no real number"
    if name.startswith("floyd_") and not isinstance(given.get("weight"), str):
        return f"weight is {given.get('weight')!r}, which names no attribute"
    return True


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return whether that pays if a graph must be converted first, or why not."""
    given = _given(name, args, kwargs)
    if callable(given.get("weight")) and not name.startswith(_FROM_MANY):
        return "weight is a function: calling it for every edge takes longer than one search of networkx"
    if name == "ego_graph":
        return "converting the whole graph takes longer than one search of networkx"
    if given.get("heuristic") is not None:
        return "heuristic is a function: calling it takes longer than the search"
    return True


def _given(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call by name, with their defaults."""
    try:
        bound = inspect.signature(FUNCTIONS[name]).bind(*args, **kwargs)
    except TypeError:  # the call fails anyway, with a better message
        return kwargs
    bound.apply_defaults()
    return bound.arguments


backend = types.SimpleNamespace(
    **FUNCTIONS,
    convert_from_nx=convert_from_nx,
    convert_to_nx=convert_to_nx,
    can_run=can_run,
    should_run=should_run,
    on_start_tests=on_start_tests,
)
