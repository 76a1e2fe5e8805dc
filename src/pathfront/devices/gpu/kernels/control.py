"""What decides how a schedule goes on: conditions of loops, limits, targets, and rows of the trace.

These kernels have one lane and a handful of instructions, except those that look at all targets.
"""

from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels.state import ARCS, COUNT, FINAL, ROWS, SETTLED, STOP, WAITING, common, module_of

# Columns of a trace's row that all schedules have; their own follow.
FRONTIER = wp.constant(0)
RELAXED = wp.constant(1)
LOW = wp.constant(2)
HIGH = wp.constant(3)
LAUNCHED = wp.constant(4)
WORKING = wp.constant(5)
FIXED = wp.constant(6)


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return the kernels for one type of distances."""
    shared, module = common(name, packed), module_of(name, packed)
    SearchState, number = shared.SearchState, shared.number  # noqa: N806, a type
    largest, raised, dist_of = number.largest, number.raised, number.dist_of

    @wp.kernel(module=module, enable_backward=False)
    def holds(state: SearchState, queues: wp.array(dtype=wp.int32), at_least: int, answer: wp.array(dtype=wp.int32)):
        found = int(0)
        for i in range(queues.shape[0]):
            if state.tails[queues[i]] >= wp.uint32(at_least):
                found = int(1)
        if state.flags[STOP] != 0:
            found = int(0)
        answer[0] = found

    @wp.kernel(module=module, enable_backward=False)
    def holds_fewer(state: SearchState, queue: int, than: int, answer: wp.array(dtype=wp.int32)):
        answer[0] = 0
        if state.tails[queue] < wp.uint32(than) and state.flags[STOP] == 0:
            answer[0] = 1

    @wp.kernel(module=module, enable_backward=False)
    def raise_limit(state: SearchState, limit: int, to: int, by: int):
        state.scalars[limit] = raised(state.scalars[to], state.scalars[by])

    @wp.kernel(module=module, enable_backward=False)
    def look_at_targets(
        state: SearchState,
        targets: wp.array(dtype=wp.int32),
        target_count: wp.array(dtype=wp.int32),
        limit: int,
        below: int,
    ):
        block, lane = wp.tid()
        for i in range(block * wp.block_dim() + lane, target_count[0], state.blocks * wp.block_dim()):
            dist = dist_of(state.words[targets[i]])
            if dist > state.scalars[limit] or (below != 0 and dist == state.scalars[limit]):
                state.flags[WAITING] = 1

    @wp.kernel(module=module, enable_backward=False)
    def stop_if_final(state: SearchState):
        if state.flags[WAITING] == 0 and state.flags[STOP] == 0:
            state.flags[STOP] = 1
            state.flags[FINAL] = 1
        state.flags[WAITING] = 0

    @wp.kernel(module=module, enable_backward=False)
    def begin_row(
        state: SearchState,
        rows: wp.array2d(dtype=wp.float64),
        limit: int,
        queues: wp.array(dtype=wp.int32),
        scalars: wp.array(dtype=wp.int32),
    ):
        row = int(state.counts[ROWS])
        if row >= rows.shape[0]:
            return
        high = state.scalars[0]
        if limit >= 0:
            high = wp.min(high, state.scalars[limit])
        rows[row, HIGH] = wp.float64(high)
        if high >= largest:
            rows[row, HIGH] = wp.float64(wp.inf)
        for i in range(queues.shape[0]):
            rows[row, FIXED + i] = wp.float64(state.tails[queues[i]])
        for i in range(scalars.shape[0]):
            rows[row, FIXED + queues.shape[0] + i] = wp.float64(state.scalars[scalars[i]])

    @wp.kernel(module=module, enable_backward=False)
    def end_row(state: SearchState, rows: wp.array2d(dtype=wp.float64), low: int, each: int, working: int):
        row = int(state.counts[ROWS])
        if state.now[COUNT] == wp.uint32(0):
            return
        state.counts[ROWS] = wp.uint64(row + 1)
        if row >= rows.shape[0]:
            return
        rows[row, FRONTIER] = wp.float64(state.now[COUNT])
        rows[row, RELAXED] = wp.float64(state.now[ARCS]) * wp.float64(each)
        rows[row, LOW] = wp.float64(state.scalars[low])
        rows[row, LAUNCHED] = wp.float64(state.n)
        rows[row, WORKING] = wp.float64(state.now[COUNT])
        if working != 0:
            rows[row, WORKING] = wp.float64(wp.uint64(state.n) - state.counts[SETTLED])

    return SimpleNamespace(
        holds=holds,
        holds_fewer=holds_fewer,
        raise_limit=raise_limit,
        look_at_targets=look_at_targets,
        stop_if_final=stop_if_final,
        begin_row=begin_row,
        end_row=end_row,
    )
