"""Graphs on a device: copied once, kept as long as the graph lives, and never more than fits.

`Resident` holds the arrays of one graph on one device, with weights of the type of the distances. Arrays that only
some methods need, the arcs turned round, the lightest arc of each vertex, a matrix, are copied when they are first
asked for.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from pathfront.devices import names
from pathfront.devices.gpu.launching import lock
from pathfront.devices.lightest import lightest_out
from pathfront.exceptions import ArgumentError, DeviceMemoryError
from pathfront.graph import Graph
from pathfront.graph.dense import DenseGraph
from pathfront.paths import unreached_marker
from pathfront.validation import Array

MOST = 2**31 - 2**20
"""Elements of an array on a device: lanes count in 32 bits, and go past the end by a stride, or a share of the work."""

ROW_BYTES = 2**31 - 1
"""Of an array with several rows, each of which has an element for every vertex."""


class Resident:
    """A graph on a device."""

    def __init__(self, graph: Graph, place: str, dtype: np.dtype[Any], matrix: bool) -> None:
        self._graph = weakref.ref(graph)
        self.matrix: Any = None
        if matrix:
            assert isinstance(graph, DenseGraph)
            require_memory(place, graph.n**2 * dtype.itemsize, "the matrix")
            self.matrix = upload(widened(graph.matrix, dtype), dtype, place)
            graph = graph.without_arcs()
        if max(graph.n, graph.m) > MOST:
            raise ArgumentError(
                f"the graph has {graph.n} vertices and {graph.m} arcs, but device={place!r} takes at most {MOST} of "
                "each; use device='cpu'."
            )
        self.place, self.dtype = place, dtype
        self.n, self.m = graph.n, graph.m
        self.unit = graph.weights is None
        words = graph.n + 1 + graph.m
        require_memory(place, 4 * words + (0 if self.unit else graph.m * dtype.itemsize), "the graph")
        self.offsets = upload(graph.offsets, np.dtype(np.int32), place)
        self.heads = upload(graph.heads, np.dtype(np.int32), place)
        self.weights = upload(np.empty(0, dtype) if graph.weights is None else graph.weights, dtype, place)
        self._in_arcs: tuple[Any, Any, Any] | None = None
        self._lightest: Any = None
        self._turned: Any = None

    def in_arcs(self) -> tuple[Any, Any, Any]:
        """Return the arcs turned round: offsets, tails and weights."""
        if self._in_arcs is None:
            graph = self._graph()
            assert graph is not None
            back = graph.reverse()
            if back is graph:
                self._in_arcs = self.offsets, self.heads, self.weights
            else:
                turned = resident(back, self.place, self.dtype)
                self._in_arcs = turned.offsets, turned.heads, turned.weights
        return self._in_arcs

    def lightest_out(self) -> Any:
        """Return the lightest arc that leaves each vertex, unreached where none does."""
        if self._lightest is None:
            graph = self._graph()
            assert graph is not None
            lightest = graph.lightest_out() if isinstance(graph, DenseGraph) else lightest_out(graph)
            self._lightest = upload(widened(lightest, self.dtype), self.dtype, self.place)
        return self._lightest

    def turned_matrix(self) -> Any:
        """Return the matrix with every arc turned round."""
        if self._turned is None:
            graph = self._graph()
            assert isinstance(graph, DenseGraph)
            turned = graph.reverse_matrix()
            self._turned = (
                self.matrix if turned is graph.matrix else upload(widened(turned, self.dtype), self.dtype, self.place)
            )
        return self._turned


_resident: WeakKeyDictionary[Graph, dict[tuple[str, str, bool], Resident]] = WeakKeyDictionary()


def widened(weights: Array, dtype: np.dtype[Any]) -> Array:
    """Return weights as a wider type; what stands for no edge stays that."""
    if weights.dtype == dtype:
        return weights
    made = weights.astype(dtype)
    made[weights == unreached_marker(weights.dtype)] = unreached_marker(dtype)
    return made


def resident(graph: Graph, place: str, dtype: np.dtype[Any], *, matrix: bool = False) -> Resident:
    """Return a graph on a device, for distances of one type; it is copied there the first time.

    With `matrix` a dense graph is copied as a matrix.
    """
    with lock:
        copies = _resident.setdefault(graph, {})
        key = (place, dtype.name, matrix)
        if key not in copies:
            copies[key] = Resident(graph, place, dtype, matrix)
        return copies[key]


def upload(values: Array, dtype: np.dtype[Any], place: str) -> Any:
    """Return an array on a device that holds some values."""
    wp = names.warp()
    given = np.ascontiguousarray(values, dtype=dtype)
    with lock, claiming(place):
        return wp.array(given, dtype=wp.dtype_from_numpy(dtype), device=place_of(place))


@contextmanager
def claiming(place: str) -> Iterator[None]:
    """Say it in our words when a device has no memory left: somebody else may have taken what was free."""
    try:
        yield
    except RuntimeError as error:
        if "allocate" not in str(error).lower() and "out of memory" not in str(error).lower():
            raise
        raise DeviceMemoryError(f"device={place!r} has no memory left ({error}); use device='cpu'.") from None


def place_of(place: str) -> str:
    """Return Warp's name of a device."""
    return "cpu" if place == "emulated" else place


def require_countable(place: str, n: int, size: int) -> None:
    """Refuse rows of so many elements of a size: Warp counts the bytes from one row to the next in 32 bits."""
    most = ROW_BYTES // size
    if n > most:
        raise ArgumentError(
            f"the graph has {n} vertices, but this search takes at most {most} on device={place!r}; use device='cpu'."
        )


can_wait: list[Callable[[], None]] = []
"""What gives back memory that is kept only in case it is needed again."""


def require_memory(place: str, needed: int, what: str) -> None:
    """Refuse what does not fit, before anything is claimed; but first give up what can be made again."""
    free = names.free_memory(place)
    if free is not None and needed > free:
        for give_back in can_wait:
            give_back()
        free = names.free_memory(place)
    if free is not None and needed > free:
        raise DeviceMemoryError(
            f"{what} needs {needed / 2**30:.2f} GiB on device={place!r}, which has {free / 2**30:.2f} GiB free; "
            "use device='cpu', or a method with fewer queues."
        )
