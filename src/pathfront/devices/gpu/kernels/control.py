"""Control of a schedule: conditions of loops, limits, targets, and rows of the trace.

These kernels have one thread and a handful of instructions, except `check_targets`, which reads all targets.
"""

from enum import IntEnum
from functools import cache

import warp as wp

from pathfront.devices.gpu.kernels.module import Ints, Kernels
from pathfront.devices.gpu.kernels.state import Cell, Count, Flag, common, module_of


class Column(IntEnum):
    """Columns of a trace's row that all schedules have; their own follow."""

    FRONTIER = 0  # vertices processed
    RELAXED = 1  # arcs relaxed
    LOW = 2  # the lowest distance of the frontier
    HIGH = 3  # the limit of the iteration
    LAUNCHED = 4  # threads launched by one thread for each vertex
    WORKING = 5  # those of them with work


FIXED = len(Column)
"""How many columns all schedules have."""


@cache
def of(name: str, packed: bool) -> Kernels:
    """Return the kernels for one type of distances."""
    shared, made = common(name, packed), Kernels(module_of(name, packed))
    SearchState, number = shared.SearchState, shared.number  # noqa: N806, a type
    largest, raised, dist_of = number.largest, number.raised, number.dist_of

    @made.add
    def check_queues(state: SearchState, queues: Ints, at_least: int, answer: Ints):
        found = int(0)
        for i in range(queues.shape[0]):
            if state.sizes[queues[i]] >= wp.uint32(at_least):
                found = int(1)
        if state.flags[Flag.STOP] != 0:
            found = int(0)
        answer[0] = found

    @made.add
    def raise_limit(state: SearchState, limit: int, to: int, by: int):
        state.scalars[limit] = raised(state.scalars[to], state.scalars[by])

    @made.add
    def check_targets(state: SearchState, targets: Ints, target_count: Ints, limit: int, below: int):
        block, thread = wp.tid()
        for i in range(block * wp.block_dim() + thread, target_count[0], state.blocks * wp.block_dim()):
            dist = dist_of(state.words[targets[i]])
            if dist > state.scalars[limit] or (below != 0 and dist == state.scalars[limit]):
                state.flags[Flag.PENDING] = 1

    @made.add
    def stop_if_final(state: SearchState):
        if state.flags[Flag.PENDING] == 0 and state.flags[Flag.STOP] == 0:
            state.flags[Flag.STOP] = 1
        state.flags[Flag.PENDING] = 0

    @made.add
    def begin_row(state: SearchState, rows: wp.array2d(dtype=wp.float64), limit: int, queues: Ints, scalars: Ints):
        row = int(state.counts[Count.ROWS])
        if row >= rows.shape[0]:
            return
        high = state.scalars[0]
        if limit >= 0:
            high = wp.min(high, state.scalars[limit])
        rows[row, Column.HIGH] = wp.float64(high)
        if high >= largest:
            rows[row, Column.HIGH] = wp.float64(wp.inf)
        for i in range(queues.shape[0]):
            rows[row, FIXED + i] = wp.float64(state.sizes[queues[i]])
        for i in range(scalars.shape[0]):
            rows[row, FIXED + queues.shape[0] + i] = wp.float64(state.scalars[scalars[i]])

    @made.add
    def end_row(state: SearchState, rows: wp.array2d(dtype=wp.float64), low: int, each: int, working: int):
        row = int(state.counts[Count.ROWS])
        if state.current[Cell.COUNT] == wp.uint32(0):
            return
        state.counts[Count.ROWS] = wp.uint64(row + 1)
        if row >= rows.shape[0]:
            return
        rows[row, Column.FRONTIER] = wp.float64(state.current[Cell.COUNT])
        rows[row, Column.RELAXED] = wp.float64(state.current[Cell.ARCS]) * wp.float64(each)
        rows[row, Column.LOW] = wp.float64(state.scalars[low])
        rows[row, Column.LAUNCHED] = wp.float64(state.n)
        rows[row, Column.WORKING] = wp.float64(state.current[Cell.COUNT])
        if working != 0:
            rows[row, Column.WORKING] = wp.float64(wp.uint64(state.n) - state.counts[Count.SETTLED])

    return made
