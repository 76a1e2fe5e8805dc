"""The structs that the manager and the workers of ADDS share besides the queue: search and assignments.

As on the CPU, `cpp/engines/adds/assignment.hpp` and `work_queue.hpp`. The manager writes an assignment while the
worker's flag is IDLE, then sets the flag to ASSIGNED; the worker sets it back to IDLE when it is done.
"""

from enum import IntEnum
from functools import cache
from typing import Any

import warp as wp

from pathfront.devices.gpu.kernels import csr, numbers
from pathfront.devices.gpu.kernels.adds_window import Window
from pathfront.devices.gpu.kernels.module import Ints, Uints

FLAG_STRIDE = 32
"""Words from one flag to the next, so that no two share a cache line."""

LARGEST_RANGE = 1024
"""The most items of one assignment."""


class Flag(IntEnum):
    """The values of an assignment flag; after LEAVE the worker returns."""

    IDLE, ASSIGNED, LEAVE = range(3)


class Count(IntEnum):
    """Cells of a worker's counts, COUNTER_STRIDE words per worker."""

    VERTICES, EDGES, PUSHED, CLIPPED, LABELLED, RESORTED, ASSIGNMENTS, NANOSECONDS = range(8)


@wp.struct
class Assignment:
    """An assignment: a range of a bucket, and the window for its pushes."""

    bucket: int
    count: int
    start: wp.uint64
    steps: int  # from the head to the bucket
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
        clipped: wp.array(dtype=dtype)  # of each bucket: the lowest distance pushed while it was the last
        cutoff: dtype
        overflow: Uints
        labelled: Uints  # of each vertex: 1 once it has a distance; empty if they are not to be counted
        sources: Ints
        targets: Ints

    return Search
