"""Detection of a cycle among the parents, which exists only around a negative cycle.

By pointer jumping: every vertex follows its parent, then its parent's parent, and so on, in steps twice as long each
time. After as many steps as n has binary digits, a vertex that still has an ancestor leads into a cycle. With 64-bit
distances the parents are hints: two improvements may have written them in the wrong order. So a cycle of parents is
proof only after it has been seen to be negative; the host checks that.
"""

from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels.state import CYCLE, ITERATIONS, NEXT_CHECK, STOP, common, module_of


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return the kernels for one type of distances."""
    shared, module = common(name, packed), module_of(name, packed)
    SearchState, parent_of = shared.SearchState, shared.number.parent_of  # noqa: N806, a type

    if packed:

        @wp.func
        def parent_at(state: SearchState, v: int) -> int:
            return int(parent_of(state.words[v]))  # NO_VERTEX becomes -1

    else:

        @wp.func
        def parent_at(state: SearchState, v: int) -> int:
            return state.hints[v]

    @wp.kernel(module=module, enable_backward=False)
    def is_check_due(state: SearchState, answer: wp.array(dtype=wp.int32)):
        answer[0] = 0
        done = int(state.counts[ITERATIONS])
        if done >= state.flags[NEXT_CHECK] and state.flags[STOP] == 0:
            answer[0] = 1
            state.flags[NEXT_CHECK] = 2 * done
            if done >= state.n:  # only a cycle can still change anything
                state.flags[NEXT_CHECK] = done + 1

    @wp.kernel(module=module, enable_backward=False)
    def load_parents(state: SearchState, ancestors: wp.array2d(dtype=wp.int32)):
        block, thread = wp.tid()
        for v in range(block * wp.block_dim() + thread, state.n, state.blocks * wp.block_dim()):
            ancestors[0, v] = parent_at(state, v)

    @wp.kernel(module=module, enable_backward=False)
    def jump(state: SearchState, ancestors: wp.array2d(dtype=wp.int32), from_row: int):
        block, thread = wp.tid()
        for v in range(block * wp.block_dim() + thread, state.n, state.blocks * wp.block_dim()):
            u = ancestors[from_row, v]
            if u >= 0:
                u = ancestors[from_row, u]
            ancestors[1 - from_row, v] = u

    @wp.kernel(module=module, enable_backward=False)
    def report_cycle(state: SearchState, ancestors: wp.array2d(dtype=wp.int32), row: int):
        block, thread = wp.tid()
        for v in range(block * wp.block_dim() + thread, state.n, state.blocks * wp.block_dim()):
            if ancestors[row, v] >= 0:
                state.flags[CYCLE] = 1
                state.flags[STOP] = 1

    return SimpleNamespace(is_check_due=is_check_due, load_parents=load_parents, jump=jump, report_cycle=report_cycle)
