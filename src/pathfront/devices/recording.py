"""What all devices do alike with recorded schedules: programs that rest, values of scalars, rows of traces."""

from __future__ import annotations

import math
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from pathfront.devices.protocol import Device, Flag, Queue, Scalar
from pathfront.dtypes import largest_distance
from pathfront.graph import Graph
from pathfront.problem import TRACE_ROW
from pathfront.validation import Array

FIXED = ("frontier", "edges_relaxed", "distance_low", "distance_high")
THREADS = ("launched", "working")
"""The columns that every row has on a device; the schedule's own follow."""

Program = TypeVar("Program")


class Recorder(Device):
    """What devices note alike while a schedule is recorded."""

    def __init__(self) -> None:
        self.values: list[float] = []
        """The first values of the schedule's scalars."""
        self.columns: list[tuple[str, Any]] | None = None
        self.threads_traced = False
        self.pulls = self.weighs_lightest = False
        self.queues = 0

    def queue(self) -> Queue:
        """See `Device`."""
        self.queues += 1
        return Queue(self.queues - 1)

    def flag(self) -> Flag:
        """See `Device`."""
        self.queues += 1
        return Flag(self.queues - 1)

    def note_columns(self, threads: bool, columns: dict[str, Queue | Scalar]) -> tuple[list[Queue], list[Scalar]]:
        """Note the columns of a trace, which all rows share; return the queues and the scalars among them."""
        queues = {name: handle for name, handle in columns.items() if isinstance(handle, Queue)}
        scalars = {name: handle for name, handle in columns.items() if isinstance(handle, Scalar)}
        kinds: list[tuple[str, Any]] = [(name, np.uint64) for name in queues]
        kinds += [(name, np.float64) for name in scalars]
        assert self.columns is None or self.columns == kinds
        self.columns, self.threads_traced = kinds, threads
        return list(queues.values()), list(scalars.values())


class Resting(Generic[Program]):
    """Programs that rest with their graph until a search of the same kind needs one; nothing is locked."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._of: WeakKeyDictionary[Graph, list[tuple[Any, Program]]] = WeakKeyDictionary()

    def take(self, graph: Graph, key: Any) -> Program | None:
        """Return a program that rests, for the caller alone."""
        resting = self._of.setdefault(graph, [])
        for entry in tuple(resting):
            if entry[0] == key:
                try:
                    resting.remove(entry)
                except ValueError:
                    continue  # another caller was faster
                return entry[1]
        return None

    def clear(self) -> None:
        """Drop all programs."""
        for graph in list(self._of):
            self._of.pop(graph, None)

    def give(self, graph: Graph, key: Any, program: Program) -> None:
        """Lay a program to rest; of too many the oldest are dropped."""
        resting = self._of.setdefault(graph, [])
        resting.append((key, program))
        del resting[: -self._most]


def typed(value: float, dtype: np.dtype[Any]) -> int | float:
    """Return the first value of a scalar as a distance: at most the largest, whole where those are."""
    largest = largest_distance(dtype)
    if dtype.kind == "f":
        return min(float(value), largest)
    return largest if value > largest else math.floor(value)  # it may be infinite


def rows(flat: Array, columns: list[tuple[str, Any]] | None, threads: bool) -> Array:
    """Return a trace as a structured array: what all methods have, and the schedule's own columns."""
    own = columns or []
    names = [*FIXED, *THREADS, *(name for name, _ in own)]
    table = flat.reshape(-1, len(names))
    extra = [(name, np.uint64) for name in THREADS if threads] + own
    made = np.empty(len(table), np.dtype([*TRACE_ROW.descr, *extra]))
    made["iteration"] = np.arange(len(table))
    for i, name in enumerate(names):
        if name in (made.dtype.names or ()):
            made[name] = table[:, i]
    return made
