"""What NetworkX loads as the backend: an object with the conversions and one attribute per function."""

from __future__ import annotations

import types
from typing import Any

from pathfront.networkx import astar, bellman_ford, dense, generic, unweighted, weighted
from pathfront.networkx.convert import convert_from_nx, convert_to_nx
from pathfront.networkx.registry import FUNCTIONS

_TOPICS: tuple[types.ModuleType, ...] = (astar, bellman_ford, dense, generic, unweighted, weighted)
"""Importing them registers their functions."""


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return whether the backend can run a function with these arguments, or why not."""
    return True


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return whether that pays if a graph must be converted first, or why not."""
    return True


backend = types.SimpleNamespace(
    **FUNCTIONS,
    convert_from_nx=convert_from_nx,
    convert_to_nx=convert_to_nx,
    can_run=can_run,
    should_run=should_run,
)
