"""Rows of a schedule's trace, and what is counted for them alone.

The kernels that count read all queues, or all vertices. Their time is not part of the trace's `seconds`: the clock is
paused before them, and goes on when the row's kernel of one thread has ended.
"""

from enum import IntEnum
from functools import cache

import warp as wp

from pathfront.devices.gpu.kernels import atomics
from pathfront.devices.gpu.kernels.collectives import clock
from pathfront.devices.gpu.kernels.module import Ints, Kernels, Uints
from pathfront.devices.gpu.kernels.state import Cell, Count, common, module_of


class Column(IntEnum):
    """Columns of a trace's row that all schedules have, as in `devices/recording.py`; their own follow."""

    SECONDS = 0  # at the end of the row
    FRONTIER = 1  # vertices processed
    RELAXED = 2  # arcs relaxed
    LOW = 3  # the lowest distance of the frontier
    HIGH = 4  # the limit of the iteration
    DELTA = 5  # the width of its window
    NEAR = 6  # vertices that wait within it
    FAR = 7  # vertices that wait beyond it
    LABELLED = 8  # vertices that have a distance
    FINAL = 9  # vertices whose distance is final
    DISCARDED = 10  # entries dropped
    LAUNCHED = 11  # threads launched by one thread for each vertex
    WORKING = 12  # those of them with work
    IDLE_WARPS = 13  # warps of 32 of them without any


FIXED = len(Column)
"""How many columns all schedules have."""

WARP = 32
"""Threads of a warp, also where kernels are emulated."""


@cache
def of(name: str, packed: bool) -> Kernels:
    """Return the kernels for one type of distances."""
    shared, made = common(name, packed), Kernels(module_of(name, packed))
    SearchState, number = shared.SearchState, shared.number  # noqa: N806, a type
    largest, unreached, dist_of = number.largest, number.unreached, number.dist_of
    u32_add, u64_add, exchange = atomics.u32.fetch_add, atomics.u64.fetch_add, atomics.i32.exchange
    Rows = wp.array2d(dtype=wp.float64)  # noqa: N806, a type

    @made.add
    def begin_clock(state: SearchState):
        state.counts[Count.BEGAN] = clock()

    @made.add
    def pause_clock(state: SearchState, waiting: Uints):
        state.counts[Count.PAUSED] = clock()
        state.counts[Count.LABELLED] = wp.uint64(0)
        for queue in range(waiting.shape[0]):
            waiting[queue] = wp.uint32(0)

    @wp.func
    def resume(state: SearchState):
        state.counts[Count.BEGAN] += clock() - state.counts[Count.PAUSED]

    @made.add
    def resume_clock(state: SearchState):
        resume(state)
        state.counts[Count.STARTED] = clock() - state.counts[Count.BEGAN]

    @made.add
    def count_waiting(state: SearchState, waiting: Uints):
        block, thread = wp.tid()
        for queue in range(waiting.shape[0]):
            found = int(0)
            for i in range(block * wp.block_dim() + thread, int(state.sizes[queue]), state.blocks * wp.block_dim()):
                v = state.items[queue, i]
                if state.queued[queue, v] == dist_of(state.words[v]):
                    found += 1
            if found > 0:
                u32_add(waiting, queue, wp.uint32(found))

    @made.add
    def count_labelled(state: SearchState):
        block, thread = wp.tid()
        found = int(0)
        for v in range(block * wp.block_dim() + thread, state.n, state.blocks * wp.block_dim()):
            if dist_of(state.words[v]) != unreached:
                found += 1
        u64_add(state.counts, Count.LABELLED, wp.uint64(found))

    @made.add
    def reset_final(state: SearchState):
        state.counts[Count.PAUSED] = clock()
        state.counts[Count.FINAL] = wp.uint64(0)

    @made.add
    def count_final(state: SearchState, limit: int, below: int):
        block, thread = wp.tid()
        found = int(0)
        for v in range(block * wp.block_dim() + thread, state.n, state.blocks * wp.block_dim()):
            dist = dist_of(state.words[v])
            if dist < state.scalars[limit] or (below == 0 and dist == state.scalars[limit] and dist != unreached):
                found += 1
        u64_add(state.counts, Count.FINAL, wp.uint64(found))

    @made.add
    def note_final(state: SearchState, rows: Rows):
        row = int(state.counts[Count.ROWS]) - 1
        if row >= 0 and row < rows.shape[0]:
            rows[row, Column.FINAL] = wp.float64(state.counts[Count.FINAL])
        resume(state)

    @made.add
    def count_warps_of_worklist(state: SearchState, last_in: Ints):
        block, thread = wp.tid()
        iteration = int(state.counts[Count.ITERATIONS])
        for i in range(block * wp.block_dim() + thread, int(state.current[Cell.COUNT]), state.blocks * wp.block_dim()):
            if exchange(last_in, state.worklist[i] // WARP, iteration) != iteration:
                u32_add(state.current, Cell.WARPS, wp.uint32(1))

    @made.add
    def count_warps_of_marks(state: SearchState, marks: Ints, marked: int):
        block, thread = wp.tid()
        warps = (state.n + WARP - 1) // WARP
        for warp in range(block * wp.block_dim() + thread, warps, state.blocks * wp.block_dim()):
            works = bool(False)
            for v in range(warp * WARP, wp.min((warp + 1) * WARP, state.n)):
                if (marked != 0 and marks[v] != 0) or (marked == 0 and marks[v] == 0):
                    works = True
            if works:
                u32_add(state.current, Cell.WARPS, wp.uint32(1))

    @made.add
    def begin_row(
        state: SearchState, rows: Rows, waiting: Uints, near: int, far: int, queues: Ints, limit: int, delta: int,
        scalars: Ints,
    ):  # fmt: skip
        row = int(state.counts[Count.ROWS])
        state.current[Cell.WARPS] = wp.uint32(0)
        if row < rows.shape[0]:
            high = state.scalars[0]
            if limit >= 0:
                high = wp.min(high, state.scalars[limit])
            rows[row, Column.HIGH] = wp.float64(high)
            if high >= largest:
                rows[row, Column.HIGH] = wp.float64(wp.inf)
            rows[row, Column.DELTA] = wp.float64(wp.nan)
            if delta >= 0:
                rows[row, Column.DELTA] = wp.float64(state.scalars[delta])
            within = wp.float64(0.0)
            beyond = wp.float64(0.0)
            if near == 0:
                within = wp.float64(state.n)
            for i in range(queues.shape[0]):
                count = wp.float64(waiting[queues[i]])
                if i < near:
                    within += count
                elif i < near + far:
                    beyond += count
                else:
                    rows[row, FIXED + i - near - far] = count
            rows[row, Column.NEAR] = within
            rows[row, Column.FAR] = beyond
            for i in range(scalars.shape[0]):
                rows[row, FIXED + queues.shape[0] - near - far + i] = wp.float64(state.scalars[scalars[i]])
        resume(state)
        state.counts[Count.STARTED] = clock() - state.counts[Count.BEGAN]

    @made.add
    def end_row(state: SearchState, rows: Rows, low: int, each: int, pulled: int):
        row = int(state.counts[Count.ROWS])
        now = state.counts[Count.PAUSED] - state.counts[Count.BEGAN]
        state.counts[Count.RELAXING] += now - state.counts[Count.STARTED]
        if state.current[Cell.COUNT] == wp.uint32(0):
            resume(state)
            return
        state.counts[Count.ROWS] = wp.uint64(row + 1)
        if row < rows.shape[0]:
            rows[row, Column.SECONDS] = wp.float64(now) * wp.float64(1e-9)
            rows[row, Column.FRONTIER] = wp.float64(state.current[Cell.COUNT])
            entries = wp.float64(each)
            if pulled != 0 and each != 1:  # rows of which the queue's entries were read
                entries = wp.float64(state.current[Cell.COUNT])
            rows[row, Column.RELAXED] = wp.float64(state.current[Cell.ARCS]) * entries
            rows[row, Column.LOW] = wp.float64(state.scalars[low])
            rows[row, Column.LABELLED] = wp.float64(state.counts[Count.LABELLED])
            rows[row, Column.FINAL] = wp.float64(state.counts[Count.FINAL])
            rows[row, Column.DISCARDED] = wp.float64(state.counts[Count.DISCARDED])
            rows[row, Column.LAUNCHED] = wp.float64(state.n)
            rows[row, Column.WORKING] = wp.float64(state.current[Cell.COUNT])
            if pulled != 0:
                rows[row, Column.WORKING] = wp.float64(wp.uint64(state.n) - state.counts[Count.SETTLED])
            warps = (state.n + WARP - 1) // WARP
            rows[row, Column.IDLE_WARPS] = wp.float64(warps - int(state.current[Cell.WARPS]))
        state.counts[Count.DISCARDED] = wp.uint64(0)
        resume(state)

    return made
