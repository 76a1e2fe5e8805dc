"""Looking for a circle of parents, which there is only around a negative cycle.

Every vertex follows its parent, then its parent's parent, and so on, in steps twice as long each time. After as many
steps as a number of vertices has digits, whoever still stands on a vertex has been going round. With 64-bit distances
the parents are hints: two improvements may have written them in the wrong order. So a circle is proof only for whoever
has seen that it is negative; the host does.
"""

from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels.state import CYCLE, ITERATIONS, NEXT_LOOK, STOP, common, module_of


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return the kernels for one type of distances."""
    shared, module = common(name, packed), module_of(name, packed)
    SearchState, parent_of = shared.SearchState, shared.number.parent_of  # noqa: N806, a type

    if packed:

        @wp.func
        def parent_at(state: SearchState, v: int) -> int:
            return int(parent_of(state.words[v]))  # no vertex is -1

    else:

        @wp.func
        def parent_at(state: SearchState, v: int) -> int:
            return state.hints[v]

    @wp.kernel(module=module, enable_backward=False)
    def is_time(state: SearchState, answer: wp.array(dtype=wp.int32)):
        answer[0] = 0
        done = int(state.counts[ITERATIONS])
        if done >= state.flags[NEXT_LOOK] and state.flags[STOP] == 0:
            answer[0] = 1
            state.flags[NEXT_LOOK] = 2 * done
            if done >= state.n:  # only a cycle can still change anything
                state.flags[NEXT_LOOK] = done + 1

    @wp.kernel(module=module, enable_backward=False)
    def set_out(state: SearchState, ahead: wp.array2d(dtype=wp.int32)):
        block, lane = wp.tid()
        for v in range(block * wp.block_dim() + lane, state.n, state.blocks * wp.block_dim()):
            ahead[0, v] = parent_at(state, v)

    @wp.kernel(module=module, enable_backward=False)
    def leap(state: SearchState, ahead: wp.array2d(dtype=wp.int32), from_row: int):
        block, lane = wp.tid()
        for v in range(block * wp.block_dim() + lane, state.n, state.blocks * wp.block_dim()):
            u = ahead[from_row, v]
            if u >= 0:
                u = ahead[from_row, u]
            ahead[1 - from_row, v] = u

    @wp.kernel(module=module, enable_backward=False)
    def judge(state: SearchState, ahead: wp.array2d(dtype=wp.int32), row: int):
        block, lane = wp.tid()
        for v in range(block * wp.block_dim() + lane, state.n, state.blocks * wp.block_dim()):
            if ahead[row, v] >= 0:
                state.flags[CYCLE] = 1
                state.flags[STOP] = 1

    return SimpleNamespace(is_time=is_time, set_out=set_out, leap=leap, judge=judge)
