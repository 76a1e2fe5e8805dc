"""The memory of a delta-stepping search: the struct that all its functions get, and its cells."""

from enum import IntEnum
from types import SimpleNamespace
from typing import Any

import warp as wp

from pathfront.devices.gpu.kernels.module import Ints, Uints

ROWS = 7
"""How many rows `queues` has."""

CELLS = 144
"""How many cells there are."""


class Step(IntEnum):
    """The steps of a search. At PAUSE the kernel returns; the host copies the trace's rows and launches it again."""

    CLEAR, START, LIGHT, LIGHT_SHARED, HEAVY, HEAVY_SHARED, SPLIT, PAUSE, WRITE, END = range(10)


class Row(IntEnum):
    """Rows of `queues`: the frontier, soon and far queues have two each, one that is read and one that is written."""

    FRONTIER, SETTLED, SOON, FAR = 0, 2, 3, 5


class Cell(IntEnum):
    """Cells of a search.

    Threads add to the counters, which are 16 words apart: 64 bytes, so that no two share a cache line. All other cells
    but OVERFLOW are written between steps only.
    """

    STEP = 0
    NEXT, SETTLED_COUNT, SOON_COUNT, FAR_COUNT, SLICES, MIDDLE_COUNT, CURSOR = range(16, 128, 16)
    GENERATION, SOON_TAG, FAR_TAG, TAKEN, MIDDLE_TAKEN, FROM_FAR, TARGETS_FINAL, OVERFLOW, TRACE_ROWS = range(128, 137)


class Bound(IntEnum):
    """Cells of `bounds`: distances that limit the current bucket and the queues."""

    LIMIT, SETTLED_LIMIT, HORIZON, LOW_SOON, LOW_FAR, LOW, RADIUS = range(7)


def of(types: SimpleNamespace) -> Any:
    """Return the struct for distances of one type."""
    dtype, Csr = types.dtype, types.Csr  # noqa: N806, a type

    @wp.struct
    class Search:
        n: int
        graph: Csr
        words: wp.array(dtype=types.word)
        dist: wp.array(dtype=dtype)
        parent: Uints
        sources: Ints
        targets: Ints
        target_count: int
        delta: dtype
        reach: dtype  # from a horizon to the next
        cutoff: dtype
        queues: wp.array2d(dtype=wp.int32)
        queued: Uints  # tags, one array for each set
        settled: Uints
        soon: Uints
        far: Uints
        slice_tails: Ints
        slice_arcs: Ints
        middle: Ints  # the vertices of a step that warps relax
        cells: Uints
        bounds: wp.array(dtype=dtype)
        barrier: Uints
        claims: Uints  # one for each block
        edges: wp.array(dtype=wp.uint64)  # one for each thread of each block
        rows: int  # of the trace; 0 if none is wanted
        row_frontier: wp.array(dtype=wp.uint64)
        row_edges: wp.array(dtype=wp.uint64)
        row_bounds: wp.array2d(dtype=dtype)
        vertices: wp.array(dtype=wp.uint64)  # how many were processed
        has_heavy: int
        blocks: int
        block_dim: int
        chunk: int  # vertices that a thread claims at once
        warp_from: int  # arcs from which on a warp relaxes a vertex
        slice_from: int  # arcs from which on a vertex is cut into slices
        slice: int  # arcs

    return Search
