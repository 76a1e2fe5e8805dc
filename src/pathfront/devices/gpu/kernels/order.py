"""Queues in order of distance, for those who sort and merge (Davidson et al. 2014, for want of a split into buckets).

The work list is sorted by merging: runs of one vertex, then of two, of four, and so on. In each round every vertex
finds its place by a search in the run beside its own, so all of them move at once. The list lies in `work` and `starts`
by turns. Merging two queues is sorting their vertices together.
"""

from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels.state import CALLED, COUNT, common, module_of

# Cells of a sort, each an int32.
WIDTH = wp.constant(0)  # of the runs that are in order
SIDE = wp.constant(1)  # 0: the list lies in `work`; 1: in `starts`
CELLS = 2

CUT = CALLED  # the number of a sorted queue's vertices that are up to a limit; nobody is called at the same time


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return the kernels for one type of distances."""
    shared, module = common(name, packed), module_of(name, packed)
    SearchState, number, push = shared.SearchState, shared.number, shared.push  # noqa: N806, a type
    dtype, unreached, dist_of = number.dtype, number.unreached, number.dist_of

    @wp.kernel(module=module, enable_backward=False)
    def take_more(state: SearchState, queue: int, also: int):
        state.tails[queue] = wp.uint32(0)
        state.tails[also] = wp.uint32(0)
        state.now[COUNT] = wp.uint32(state.work_tail[0] >> wp.uint64(32))
        state.work_tail[0] = wp.uint64(0)

    @wp.kernel(module=module, enable_backward=False)
    def begin_sort(state: SearchState, cells: wp.array(dtype=wp.int32), answer: wp.array(dtype=wp.int32)):
        cells[WIDTH] = 1
        cells[SIDE] = 0
        answer[0] = 0
        if state.now[COUNT] > wp.uint32(1):
            answer[0] = 1

    @wp.func
    def listed(state: SearchState, side: int, i: int) -> int:
        if side == 0:
            return state.work[i]
        return state.starts[i]

    @wp.func
    def lower_than(state: SearchState, side: int, low: int, high: int, dist: dtype, or_equal: bool) -> int:
        first = low
        while low < high:
            middle = (low + high) // 2
            other = dist_of(state.words[listed(state, side, middle)])
            if other < dist or (or_equal and other == dist):
                low = middle + 1
            else:
                high = middle
        return low - first

    @wp.kernel(module=module, enable_backward=False)
    def merge_runs(state: SearchState, cells: wp.array(dtype=wp.int32)):
        block, lane = wp.tid()
        count, width, side = int(state.now[COUNT]), cells[WIDTH], cells[SIDE]
        for i in range(block * wp.block_dim() + lane, count, state.blocks * wp.block_dim()):
            v = listed(state, side, i)
            begin = i - i % (2 * width)
            middle = wp.min(begin + width, count)
            end = wp.min(middle + width, count)
            dist = dist_of(state.words[v])
            place = i
            if i < middle:
                place += lower_than(state, side, middle, end, dist, False)
            else:
                place += lower_than(state, side, begin, middle, dist, True) - (middle - begin)
            if side == 0:
                state.starts[place] = v
            else:
                state.work[place] = v

    @wp.kernel(module=module, enable_backward=False)
    def widen(state: SearchState, cells: wp.array(dtype=wp.int32), answer: wp.array(dtype=wp.int32)):
        cells[SIDE] = 1 - cells[SIDE]
        answer[0] = 0
        if cells[WIDTH] < (int(state.now[COUNT]) + 1) // 2:  # twice the width may not be a number any more
            cells[WIDTH] = 2 * cells[WIDTH]
            answer[0] = 1

    @wp.kernel(module=module, enable_backward=False)
    def end_sort(state: SearchState, cells: wp.array(dtype=wp.int32)):
        block, lane = wp.tid()
        if cells[SIDE] == 0:
            return
        for i in range(block * wp.block_dim() + lane, int(state.now[COUNT]), state.blocks * wp.block_dim()):
            state.work[i] = state.starts[i]

    @wp.kernel(module=module, enable_backward=False)
    def cut(state: SearchState, queue: int, limit: int):
        low = int(0)
        high = int(state.tails[queue])
        while low < high:
            middle = (low + high) // 2
            if state.at[queue, state.items[queue, middle]] <= state.scalars[limit]:
                low = middle + 1
            else:
                high = middle
        state.now[CUT] = wp.uint32(low)

    @wp.kernel(module=module, enable_backward=False)
    def move_beginning(state: SearchState, queue: int, into: int):
        block, lane = wp.tid()
        size, cut_at = int(state.tails[queue]), int(state.now[CUT])
        for i in range(block * wp.block_dim() + lane, size, state.blocks * wp.block_dim()):
            v = state.items[queue, i]
            if i >= cut_at:
                state.work[i - cut_at] = v
                continue
            queued = state.at[queue, v]
            state.at[queue, v] = unreached
            if queued == dist_of(state.words[v]):
                push(state, into, v, queued)

    @wp.kernel(module=module, enable_backward=False)
    def close_up(state: SearchState, queue: int):
        block, lane = wp.tid()
        rest = int(state.tails[queue] - state.now[CUT])
        for i in range(block * wp.block_dim() + lane, rest, state.blocks * wp.block_dim()):
            state.items[queue, i] = state.work[i]

    @wp.kernel(module=module, enable_backward=False)
    def shorten(state: SearchState, queue: int):
        state.tails[queue] = state.tails[queue] - state.now[CUT]

    return SimpleNamespace(
        take_more=take_more,
        begin_sort=begin_sort,
        merge_runs=merge_runs,
        widen=widen,
        end_sort=end_sort,
        cut=cut,
        move_beginning=move_beginning,
        close_up=close_up,
        shorten=shorten,
    )
