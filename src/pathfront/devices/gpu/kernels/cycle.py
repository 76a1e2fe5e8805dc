"""Detection of a cycle among the parents, which exists only around a negative cycle.

By pointer jumping: every vertex follows its parent, then its parent's parent, and so on, in steps twice as long each
time. After as many steps as n has binary digits, a vertex that still has an ancestor leads into a cycle. With 64-bit
distances the parents are hints: two improvements may have written them in the wrong order. So a cycle of parents is
proof only after it has been seen to be negative; the host checks that.
"""

from functools import cache

import warp as wp

from pathfront.devices.gpu.kernels.module import Ints, Kernels
from pathfront.devices.gpu.kernels.state import Count, Flag, common, module_of


@cache
def of(name: str, packed: bool) -> Kernels:
    """Return the kernels for one type of distances."""
    shared, made = common(name, packed), Kernels(module_of(name, packed))
    SearchState, parent_of = shared.SearchState, shared.number.parent_of  # noqa: N806, a type

    if packed:

        @wp.func
        def parent_at(state: SearchState, v: int) -> int:
            return int(parent_of(state.words[v]))  # NO_VERTEX becomes -1

    else:

        @wp.func
        def parent_at(state: SearchState, v: int) -> int:
            return state.hints[v]

    @made.add
    def is_check_due(state: SearchState, answer: Ints):
        answer[0] = 0
        done = int(state.counts[Count.ITERATIONS])
        if done >= state.flags[Flag.NEXT_CHECK] and state.flags[Flag.STOP] == 0:
            answer[0] = 1
            state.flags[Flag.NEXT_CHECK] = 2 * done
            if done >= state.n:  # only a cycle can still change anything
                state.flags[Flag.NEXT_CHECK] = done + 1

    @made.add
    def load_parents(state: SearchState, ancestors: wp.array2d(dtype=wp.int32)):
        block, thread = wp.tid()
        for v in range(block * wp.block_dim() + thread, state.n, state.blocks * wp.block_dim()):
            ancestors[0, v] = parent_at(state, v)

    @made.add
    def jump(state: SearchState, ancestors: wp.array2d(dtype=wp.int32), from_row: int):
        block, thread = wp.tid()
        for v in range(block * wp.block_dim() + thread, state.n, state.blocks * wp.block_dim()):
            u = ancestors[from_row, v]
            if u >= 0:
                u = ancestors[from_row, u]
            ancestors[1 - from_row, v] = u

    @made.add
    def report_cycle(state: SearchState, ancestors: wp.array2d(dtype=wp.int32), row: int):
        block, thread = wp.tid()
        for v in range(block * wp.block_dim() + thread, state.n, state.blocks * wp.block_dim()):
            if ancestors[row, v] >= 0:
                state.flags[Flag.CYCLE] = 1
                state.flags[Flag.STOP] = 1

    return made
