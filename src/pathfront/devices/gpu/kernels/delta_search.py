"""The memory of a delta-stepping search: the struct that all its functions get, and its cells."""

from types import SimpleNamespace
from typing import Any

import warp as wp

CLEAR, START, LIGHT, LIGHT_SLICES, HEAVY, HEAVY_SLICES, SPLIT, PAUSE, WRITE, END = range(10)
"""The steps of a search. At PAUSE the kernel returns; the host copies the trace's rows and launches it again."""

FRONTIER, SETTLED, SOON, FAR, ROWS = 0, 2, 3, 5, 7
"""Rows of `queues`: the frontier, soon and far queues have two each, one that is read and one that is written."""

_LINE = 16  # words from one counter to the next: 64 bytes, so that counters do not share a cache line
STEP = 0
"""The cell of the current step."""

NEXT, SETTLED_COUNT, SOON_COUNT, FAR_COUNT, SLICES, CURSOR = (_LINE * i for i in range(1, 7))
"""Cells of counters that threads add to; all other cells but OVERFLOW are written between steps only."""

GENERATION, SOON_TAG, FAR_TAG, TAKEN, FROM_FAR, TARGETS_FINAL, OVERFLOW, TRACE_ROWS = (_LINE * 7 + i for i in range(8))
"""Cells of the current generation and tags, the work of a step, results, and the rows of the trace."""

CELLS = _LINE * 8
"""How many cells there are."""

LIMIT, SETTLED_LIMIT, HORIZON, LOW_SOON, LOW_FAR, LOW, RADIUS = range(7)
"""Cells of `bounds`: distances that limit the current bucket and the queues."""

BOUNDS = 7
"""How many bounds there are."""


def of(types: SimpleNamespace) -> Any:
    """Return the struct for distances of one type."""
    dtype = types.dtype

    @wp.struct
    class Search:
        n: int
        offsets: wp.array(dtype=wp.int32)
        heads: wp.array(dtype=wp.int32)
        weights: wp.array(dtype=dtype)
        unit: int
        words: wp.array(dtype=types.word)
        dist: wp.array(dtype=dtype)
        parent: wp.array(dtype=wp.uint32)
        sources: wp.array(dtype=wp.int32)
        targets: wp.array(dtype=wp.int32)
        target_count: int
        delta: dtype
        reach: dtype  # from a horizon to the next
        cutoff: dtype
        queues: wp.array2d(dtype=wp.int32)
        queued: wp.array(dtype=wp.uint32)  # tags, one array for each set
        settled: wp.array(dtype=wp.uint32)
        soon: wp.array(dtype=wp.uint32)
        far: wp.array(dtype=wp.uint32)
        slice_tails: wp.array(dtype=wp.int32)
        slice_arcs: wp.array(dtype=wp.int32)
        cells: wp.array(dtype=wp.uint32)
        bounds: wp.array(dtype=dtype)
        barrier: wp.array(dtype=wp.uint32)
        claims: wp.array(dtype=wp.uint32)  # one for each block
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
        slice_from: int  # arcs from which on a vertex is cut into slices
        slice: int  # arcs

    return Search
