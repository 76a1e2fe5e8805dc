"""What all devices share for recorded schedules: the cache of programs, values of scalars, rows of traces."""

from __future__ import annotations

import math
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from pathfront.devices.protocol import Device
from pathfront.dtypes import largest_distance
from pathfront.graph import Graph
from pathfront.problem import TRACE_ROW, trace_of
from pathfront.validation import Array

FIXED = TRACE_ROW.names[1:] if TRACE_ROW.names else ()
THREADS = ("launched", "working", "idle_warps")
"""The columns of every row on a device, FIXED and THREADS; those of the schedule follow."""

Program = TypeVar("Program")


class ProgramCache(Generic[Program]):
    """Recorded programs of each graph, for the next search of the same kind; without locks."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._of: WeakKeyDictionary[Graph, list[tuple[Any, Program]]] = WeakKeyDictionary()

    def take(self, graph: Graph, key: Any) -> Program | None:
        """Take a program out of the cache; None if there is none."""
        cached = self._of.setdefault(graph, [])
        for entry in tuple(cached):
            if entry[0] == key:
                try:
                    cached.remove(entry)
                except ValueError:
                    continue  # another thread took it
                return entry[1]
        return None

    def put(self, graph: Graph, key: Any, program: Program) -> None:
        """Cache a program; if a graph has too many, the oldest are dropped."""
        cached = self._of.setdefault(graph, [])
        cached.append((key, program))
        del cached[: -self._most]

    def clear(self) -> None:
        """Drop all programs."""
        for graph in list(self._of):
            self._of.pop(graph, None)


def typed(value: float, dtype: np.dtype[Any]) -> int | float:
    """Return the initial value of a scalar as a distance: at most the largest, rounded down for integers."""
    largest = largest_distance(dtype)
    if dtype.kind == "f":
        return min(float(value), largest)
    return largest if value > largest else math.floor(value)  # it may be infinite


def rows(flat: Array, recorded: Device) -> Array:
    """Return a trace as a structured array: the columns of all methods, and the schedule's own."""
    own = recorded.columns or []
    names = [*FIXED, *THREADS, *(name for name, _ in own)]
    table = flat.reshape(-1, len(names))
    threads = [(name, np.uint64) for name in THREADS if recorded.threads_traced]
    return trace_of({name: table[:, i] for i, name in enumerate(names)}, own=[*threads, *own])
