"""The structs that the manager and the workers of ADDS share besides the queue: search, assignments, window.

As on the CPU, `cpp/engines/adds/assignment.hpp` and `work_queue.hpp`. The manager writes an assignment while the
worker's flag is IDLE, then sets the flag to ASSIGNED; the worker sets it back to IDLE when it is done.
"""

from enum import IntEnum
from functools import cache
from typing import Any

import warp as wp

from pathfront.devices.gpu.kernels import csr, numbers
from pathfront.devices.gpu.kernels.adds_queue import U
from pathfront.devices.gpu.kernels.module import Ints, Uints

FLAG_STRIDE = 32
"""Words from one flag to the next, so that no two share a cache line."""

LARGEST_RANGE = 1024
"""The most items of one assignment."""

HIGHEST_LEVEL = wp.constant(wp.uint64(1 << 62))
"""The highest level that a distance may have."""

HIGHEST = wp.constant(wp.float64(2.0**62))
"""HIGHEST_LEVEL as a float."""


class Flag(IntEnum):
    """The values of an assignment flag; after LEAVE the worker returns."""

    IDLE, ASSIGNED, LEAVE = range(3)


class Count(IntEnum):
    """Cells of a worker's counts, COUNTER_STRIDE words per worker."""

    VERTICES, EDGES, PUSHED, CLIPPED, ASSIGNMENTS, NANOSECONDS = range(6)


@wp.struct
class Window:
    """The current mapping of distances to buckets. Workers get a copy with every assignment."""

    base: wp.uint64  # the level of the head: its distances over delta
    head: int  # the index of the head bucket
    last: int  # the number of buckets, less one
    exponent: int  # delta is a power of two
    scale: wp.float64  # 1 / delta


@wp.struct
class Assignment:
    """An assignment: a range of a bucket, and the window for its pushes."""

    bucket: int
    count: int
    start: wp.uint64
    window: Window


@wp.struct
class Workers:
    """The state of the worker blocks, by block index; block 0 is the manager."""

    blocks: int  # with the manager
    flags: Uints  # of each worker, FLAG_STRIDE apart
    assignments: wp.array(dtype=Assignment)
    counts: wp.array(dtype=wp.uint64)  # of each worker, COUNTER_STRIDE of them
    hubs: Ints  # of each worker: indices in its range, LARGEST_RANGE of them
    hub_counts: Uints  # of each worker, FLAG_STRIDE apart: hubs for a warp, and for the block
    idle: Ints  # manager: a list


@cache
def search_of(name: str, packed: bool) -> Any:
    """Return the struct of a search, for one type of distances."""
    dtype = numbers.TYPES[name]
    word, Csr = numbers.word_of(name, packed), csr.of(dtype).Csr  # noqa: N806, a type

    @wp.struct
    class Search:
        """The graph, the items, and the query."""

        graph: Csr
        words: wp.array(dtype=word)
        dists: wp.array(dtype=dtype)  # of the items
        vertices: Ints
        limits: wp.array(dtype=dtype)  # of each worker's assignment: farther items are dropped
        cutoff: dtype
        overflow: Uints
        sources: Ints
        targets: Ints

    return Search


def levels(name: str) -> Any:
    """Return the function from a distance to its level: the distance over delta."""
    dtype = numbers.TYPES[name]
    if name.startswith("float"):

        @wp.func
        def level_of(dist: dtype, window: Window) -> wp.uint64:
            scaled = wp.float64(dist) * window.scale  # exact: delta is a power of two
            if scaled < HIGHEST:
                return U(scaled)
            return HIGHEST_LEVEL

    else:

        @wp.func
        def level_of(dist: dtype, window: Window) -> wp.uint64:
            return U(dist) >> U(window.exponent)

    return level_of


@wp.func
def bucket_ahead(window: Window, ahead: int) -> int:
    """Return the index of the bucket `ahead` steps after the head."""
    bucket = window.head + ahead
    if bucket > window.last:
        bucket -= window.last + 1
    return bucket
