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


COLUMNS = 8
"""How many columns `row_counts` has."""


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


class Total(IntEnum):
    """Cells of `totals`, which are counted for a trace: vertices with a distance, and those that were in a frontier.

    FINAL is what ENTERED was when the bucket began: a vertex of an earlier bucket enters no frontier again. DROPPED
    counts stale entries, DROPPED_BEFORE those before the current row. BEGAN is a time in nanoseconds.
    """

    LABELLED, ENTERED, FINAL, DROPPED, DROPPED_BEFORE, BEGAN = range(6)


class Column(IntEnum):
    """Columns of a row of the trace, among `row_counts`. NEAR and FAR count entries of queues, some of them stale."""

    FRONTIER, EDGES, NEAR, FAR, LABELLED, FINAL, DROPPED, NANOSECONDS = range(COLUMNS)


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
        row_counts: wp.array(dtype=wp.uint64)  # the columns of each row
        row_bounds: wp.array2d(dtype=dtype)
        labelled: Uints  # of each vertex, for the trace: 1 once it has a distance, 2 once it was in a frontier
        totals: wp.array(dtype=wp.uint64)
        vertices: wp.array(dtype=wp.uint64)  # how many were processed
        has_heavy: int
        blocks: int
        block_dim: int
        chunk: int  # vertices that a thread claims at once
        warp_from: int  # arcs from which on a warp relaxes a vertex
        slice_from: int  # arcs from which on a vertex is cut into slices
        slice: int  # arcs

    return Search
