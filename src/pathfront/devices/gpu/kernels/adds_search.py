"""What the manager and the workers of ADDS share besides the queue: the search, the orders, where distances belong.

As on the CPU, `cpp/adds/assignment.hpp` and `work_queue.hpp`. The manager writes an assignment while the worker's flag
says idle, then raises the flag to assigned; the worker takes it down when it is done.
"""

from functools import cache
from typing import Any

import warp as wp

from pathfront.devices.gpu.kernels import atomics, numbers
from pathfront.devices.gpu.kernels.adds_queue import U

IDLE, ASSIGNED, LEAVE = 0, 1, 2
"""What an assignment flag says."""

VERTICES, EDGES, PUSHED, CLIPPED, ASSIGNMENTS, NANOSECONDS = 0, 1, 2, 3, 4, 5
"""Cells of what a worker did so far, SPREAD for each."""

FLAG = 32
"""Words between two flags, which are in different lines of a cache."""

LARGEST_RANGE = 1024
"""Items of one assignment."""

HIGHEST_LEVEL = wp.constant(wp.uint64(1 << 62))
"""Of any distance."""

HIGHEST = wp.constant(wp.float64(2.0**62))

_flag = atomics.of(wp.uint32)
load_flag, acquire_flag, release_flag = _flag.load, _flag.load_acquire, _flag.store_release


@wp.struct
class Window:
    """Where distances belong at the moment. Workers get a copy with every assignment."""

    base: wp.uint64  # the level of the head: its distances over delta
    head: int  # its place in the circle
    last: int  # the number of buckets, less one
    exponent: int  # delta is a power of two
    scale: wp.float64  # 1 / delta


@wp.struct
class Order:
    """An assignment: a range of a bucket, and where to put what comes of it."""

    bucket: int
    count: int
    start: wp.uint64
    window: Window


@wp.struct
class Workers:
    """Everything about the worker blocks, by the number of the block; the manager is the first."""

    blocks: int  # with the manager
    flags: wp.array(dtype=wp.uint32)  # of each worker, FLAG apart
    orders: wp.array(dtype=Order)
    counts: wp.array(dtype=wp.uint64)  # of each worker, SPREAD of them
    hubs: wp.array(dtype=wp.int32)  # of each worker: places in its range, LARGEST_RANGE of them
    hub_counts: wp.array(dtype=wp.uint32)  # of each worker, FLAG apart: of those for a warp, and for the whole block
    idle: wp.array(dtype=wp.int32)  # manager: a list


@cache
def search_of(name: str, packed: bool) -> Any:
    """Return the struct of a search, for one type of distances."""
    dtype = numbers.TYPES[name]
    word = numbers.word_of(name, packed)

    @wp.struct
    class Search:
        """The graph, the items, and what is asked."""

        offsets: wp.array(dtype=wp.int32)
        heads: wp.array(dtype=wp.int32)
        weights: wp.array(dtype=dtype)
        unit: int  # whether there are none
        words: wp.array(dtype=word)
        dists: wp.array(dtype=dtype)  # of the items
        vertices: wp.array(dtype=wp.int32)
        limits: wp.array(dtype=dtype)  # of each worker's assignment: what is too far to matter
        cutoff: dtype
        overflow: wp.array(dtype=wp.uint32)
        sources: wp.array(dtype=wp.int32)
        targets: wp.array(dtype=wp.int32)

    return Search


def levels(name: str) -> Any:
    """Return the function that tells in which level of delta's width a distance lies."""
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
def place_ahead(window: Window, ahead: int) -> int:
    """Return the place in the circle of a bucket so far ahead of the head."""
    place = window.head + ahead
    if place > window.last:
        place -= window.last + 1
    return place
