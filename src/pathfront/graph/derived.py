"""Values computed once from a graph and cached with it: summaries, the reverse graph, copies on a GPU.

A value is made under the graph's lock: of two threads that need the same value, the second waits for the first. Making
a value may need another value of the same graph.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from pathfront.forks import forks

Value = TypeVar("Value")


class Derived:
    """The derived values of one graph, by key."""

    def __init__(self, values: dict[Hashable, tuple[Hashable, Any]] | None = None) -> None:
        self._values = values or {}
        self._locks: dict[int, threading.RLock] = {}

    def get(self, key: Hashable, make: Callable[[], Value], variant: Hashable = None) -> Value:
        """Return the value of a key; make it if there is none, or one of another variant, which it replaces."""
        found = self._values.get(key)
        if found is None or found[0] != variant:
            # A forked process has a lock of its own: the thread that held this one does not exist there.
            with self._locks.setdefault(forks(), _new_lock()):
                found = self._values.get(key)
                if found is None or found[0] != variant:
                    found = self._values[key] = (variant, make())
        value: Value = found[1]
        return value

    def peek(self, key: Hashable) -> Any:
        """Return the value of a key if it has been made, else None."""
        return self._values.get(key, (None, None))[1]

    def only(self, *keys: Hashable) -> Derived:
        """Return some of the values, for another graph that has the same ones."""
        return Derived({key: found for key in keys if (found := self._values.get(key)) is not None})

    def without(self, *keys: Hashable) -> Derived:
        """Return all values but some, for another graph that has the same ones."""
        return Derived({key: found for key, found in self._values.copy().items() if key not in keys})


def _new_lock() -> threading.RLock:
    try:
        return threading.RLock()
    except RuntimeError as error:  # what Python raises if there is no memory for one
        raise MemoryError(str(error)) from None
