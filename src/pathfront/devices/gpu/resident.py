"""Graphs on a device: copied once, cached as long as the graph lives, and never more than fits.

`Resident` holds the arrays of one graph on one device, with weights of the type of the distances. Arrays that only
some methods need (the reversed arcs, the lightest arc of each vertex, a matrix) are copied on first use.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np

from pathfront import warp_runtime
from pathfront.devices import names
from pathfront.dtypes import unreached_marker
from pathfront.exceptions import ArgumentError, DeviceMemoryError
from pathfront.graph import Graph
from pathfront.graph.dense import DenseGraph
from pathfront.validation import Array
from pathfront.warp_runtime import lock

MAX_ELEMENTS = 2**31 - 2**20
"""The most elements of an array: threads index with 32 bits, and step past the end by a grid stride or a share."""

MAX_ROW_BYTES = 2**31 - 1
"""The most bytes of a row of a two-dimensional array, which has an element for every vertex."""


class Resident:
    """A graph on a device."""

    def __init__(self, graph: Graph, device: str, dtype: np.dtype[Any], matrix: bool) -> None:
        from pathfront.devices.gpu.kernels import csr

        self._graph = weakref.ref(graph)
        self.matrix: Any = None
        if matrix:
            assert isinstance(graph, DenseGraph)
            require_memory(device, graph.n**2 * dtype.itemsize, "the matrix")
            self.matrix = upload(widened(graph.matrix, dtype), dtype, device)
            graph = graph.without_arcs()
        if max(graph.n, graph.m) > MAX_ELEMENTS:
            raise ArgumentError(
                f"the graph has {graph.n} vertices and {graph.m} arcs, but device={device!r} takes at most "
                f"{MAX_ELEMENTS} of each; use device='cpu'."
            )
        self.device, self.dtype = device, dtype
        self.n, self.m = graph.n, graph.m
        words = graph.n + 1 + graph.m
        require_memory(device, 4 * words + (0 if graph.weights is None else graph.m * dtype.itemsize), "the graph")
        self.csr = csr.of(warp_runtime.warp().dtype_from_numpy(dtype)).Csr()
        self.csr.offsets = upload(graph.offsets, np.dtype(np.int32), device)
        self.csr.heads = upload(graph.heads, np.dtype(np.int32), device)
        self.csr.weights = upload(np.empty(0, dtype) if graph.weights is None else graph.weights, dtype, device)
        self.csr.unit = int(graph.weights is None)

    @cached_property
    def reverse_csr(self) -> Any:
        """The reversed arcs: offsets, tails and weights."""
        graph = self._graph()
        assert graph is not None
        back = graph.reverse()
        return self.csr if back is graph else resident(back, self.device, self.dtype).csr

    @cached_property
    def lightest_out(self) -> Any:
        """The lightest arc that leaves each vertex, unreached where none does."""
        graph = self._graph()
        assert graph is not None
        return upload(widened(graph.lightest_out(), self.dtype), self.dtype, self.device)

    @cached_property
    def reverse_matrix(self) -> Any:
        """The matrix with every arc reversed."""
        graph = self._graph()
        assert isinstance(graph, DenseGraph)
        back = graph.reverse_matrix()
        return self.matrix if back is graph.matrix else upload(widened(back, self.dtype), self.dtype, self.device)


def widened(weights: Array, dtype: np.dtype[Any]) -> Array:
    """Return weights as a wider type; the marker of a missing edge becomes that of the wider type."""
    if weights.dtype == dtype:
        return weights
    made = weights.astype(dtype)
    made[weights == unreached_marker(weights.dtype)] = unreached_marker(dtype)
    return made


def resident(graph: Graph, device: str, dtype: np.dtype[Any], *, matrix: bool = False) -> Resident:
    """Return a graph on a device, for distances of one type; it is copied there the first time.

    With `matrix` a dense graph is copied as a matrix.
    """
    with lock:  # before the graph's own lock, which a thread that holds this one may need
        key = ("resident", device, dtype.name, matrix)
        return graph.derived(key, lambda: Resident(graph, device, dtype, matrix))


def upload(values: Array, dtype: np.dtype[Any], device: str) -> Any:
    """Copy values to a device; return the array."""
    wp = warp_runtime.warp()
    given = np.ascontiguousarray(values, dtype=dtype)
    with lock, allocating(device):
        return wp.array(given, dtype=wp.dtype_from_numpy(dtype), device=warp_name(device))


@contextmanager
def allocating(device: str) -> Iterator[None]:
    """Raise DeviceMemoryError when an allocation fails: another process may have taken the free memory."""
    try:
        yield
    except RuntimeError as error:
        if "allocate" not in str(error).lower() and "out of memory" not in str(error).lower():
            raise
        raise DeviceMemoryError(f"device={device!r} has no memory left ({error}); use device='cpu'.") from None


def warp_name(device: str) -> str:
    """Return Warp's name of a device."""
    return "cpu" if device == "emulated" else device


def require_countable(device: str, n: int, size: int) -> None:
    """Raise ArgumentError if rows of n elements are too long: Warp stores their stride, in bytes, in 32 bits."""
    most = MAX_ROW_BYTES // size
    if n > most:
        raise ArgumentError(
            f"the graph has {n} vertices, but this search takes at most {most} on device={device!r}; use device='cpu'."
        )


release_caches: list[Callable[[], None]] = []
"""Functions that free memory which is cached only for reuse."""


def require_memory(device: str, needed: int, what: str) -> None:
    """Raise DeviceMemoryError if memory does not suffice even without caches; to be called before allocating."""
    free = names.free_memory(device)
    if free is not None and needed > free:
        for release in release_caches:
            release()
        free = names.free_memory(device)
    if free is not None and needed > free:
        raise DeviceMemoryError(
            f"{what} needs {needed / 2**30:.2f} GiB on device={device!r}, which has {free / 2**30:.2f} GiB free; "
            "use device='cpu', or a method with fewer queues."
        )
