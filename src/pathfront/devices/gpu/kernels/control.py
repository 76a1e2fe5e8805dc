"""Control of a schedule: conditions of loops, limits, targets, and rows of the trace.

These kernels have one thread and a handful of instructions, except `check_targets`, which reads all targets.
"""

from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels.state import ARCS, COUNT, PENDING, ROWS, SETTLED, STOP, common, module_of

# Columns of a trace's row that all schedules have; their own follow.
FRONTIER = wp.constant(0)  # vertices processed
RELAXED = wp.constant(1)  # arcs relaxed
LOW = wp.constant(2)  # the lowest distance of the frontier
HIGH = wp.constant(3)  # the limit of the iteration
LAUNCHED = wp.constant(4)  # threads launched by one thread for each vertex
WORKING = wp.constant(5)  # those of them with work
FIXED = wp.constant(6)  # how many columns all schedules have


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return the kernels for one type of distances."""
    shared, module = common(name, packed), module_of(name, packed)
    SearchState, number = shared.SearchState, shared.number  # noqa: N806, a type
    largest, raised, dist_of = number.largest, number.raised, number.dist_of

    @wp.kernel(module=module, enable_backward=False)
    def check_queues(
        state: SearchState, queues: wp.array(dtype=wp.int32), at_least: int, answer: wp.array(dtype=wp.int32)
    ):
        found = int(0)
        for i in range(queues.shape[0]):
            if state.sizes[queues[i]] >= wp.uint32(at_least):
                found = int(1)
        if state.flags[STOP] != 0:
            found = int(0)
        answer[0] = found

    @wp.kernel(module=module, enable_backward=False)
    def raise_limit(state: SearchState, limit: int, to: int, by: int):
        state.scalars[limit] = raised(state.scalars[to], state.scalars[by])

    @wp.kernel(module=module, enable_backward=False)
    def check_targets(
        state: SearchState,
        targets: wp.array(dtype=wp.int32),
        target_count: wp.array(dtype=wp.int32),
        limit: int,
        below: int,
    ):
        block, thread = wp.tid()
        for i in range(block * wp.block_dim() + thread, target_count[0], state.blocks * wp.block_dim()):
            dist = dist_of(state.words[targets[i]])
            if dist > state.scalars[limit] or (below != 0 and dist == state.scalars[limit]):
                state.flags[PENDING] = 1

    @wp.kernel(module=module, enable_backward=False)
    def stop_if_final(state: SearchState):
        if state.flags[PENDING] == 0 and state.flags[STOP] == 0:
            state.flags[STOP] = 1
        state.flags[PENDING] = 0

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
            rows[row, FIXED + i] = wp.float64(state.sizes[queues[i]])
        for i in range(scalars.shape[0]):
            rows[row, FIXED + queues.shape[0] + i] = wp.float64(state.scalars[scalars[i]])

    @wp.kernel(module=module, enable_backward=False)
    def end_row(state: SearchState, rows: wp.array2d(dtype=wp.float64), low: int, each: int, working: int):
        row = int(state.counts[ROWS])
        if state.current[COUNT] == wp.uint32(0):
            return
        state.counts[ROWS] = wp.uint64(row + 1)
        if row >= rows.shape[0]:
            return
        rows[row, FRONTIER] = wp.float64(state.current[COUNT])
        rows[row, RELAXED] = wp.float64(state.current[ARCS]) * wp.float64(each)
        rows[row, LOW] = wp.float64(state.scalars[low])
        rows[row, LAUNCHED] = wp.float64(state.n)
        rows[row, WORKING] = wp.float64(state.current[COUNT])
        if working != 0:
            rows[row, WORKING] = wp.float64(wp.uint64(state.n) - state.counts[SETTLED])

    return SimpleNamespace(
        check_queues=check_queues,
        raise_limit=raise_limit,
        check_targets=check_targets,
        stop_if_final=stop_if_final,
        begin_row=begin_row,
        end_row=end_row,
    )
