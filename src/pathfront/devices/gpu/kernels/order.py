"""Queues sorted by distance, for schedules that sort and merge instead of splitting (Davidson et al. 2014).

The worklist is sorted by merging: runs of one vertex, then of two, of four, and so on. In each round every vertex finds
its slot by a binary search in the run beside its own, so all of them move at once. The list is double-buffered in
`worklist` and `starts`. Merging two queues is sorting their vertices together.
"""

from enum import IntEnum
from functools import cache

import warp as wp

from pathfront.devices.gpu.kernels import atomics
from pathfront.devices.gpu.kernels.module import Ints, Kernels
from pathfront.devices.gpu.kernels.state import Cell, Count, common, module_of

CUT = int(Cell.CANDIDATES)
"""The cell of the vertices of a sorted queue up to a limit; it is that of pulls, none of which runs meanwhile."""


class Sort(IntEnum):
    """Cells of a sort, each an int32."""

    WIDTH = 0  # the length of the sorted runs
    BUFFER = 1  # where the list is: 0 for `worklist`, 1 for `starts`


@cache
def of(name: str, packed: bool) -> Kernels:
    """Return the kernels for one type of distances."""
    shared, made = common(name, packed), Kernels(module_of(name, packed))
    SearchState, number, push = shared.SearchState, shared.number, shared.push  # noqa: N806, a type
    dtype, unreached, dist_of = number.dtype, number.unreached, number.dist_of
    fetch_add = atomics.u64.fetch_add

    @made.add
    def finish_take_both(state: SearchState, queue: int, also: int):
        state.current[Cell.COUNT] = wp.uint32(state.worklist_end[0] >> wp.uint64(32))
        listed = state.sizes[queue] + state.sizes[also]
        state.counts[Count.DISCARDED] += wp.uint64(listed - state.current[Cell.COUNT])
        state.sizes[queue] = wp.uint32(0)
        state.sizes[also] = wp.uint32(0)
        state.worklist_end[0] = wp.uint64(0)

    @made.add
    def begin_sort(state: SearchState, cells: Ints, answer: Ints):
        cells[Sort.WIDTH] = 1
        cells[Sort.BUFFER] = 0
        answer[0] = 0
        if state.current[Cell.COUNT] > wp.uint32(1):
            answer[0] = 1

    @wp.func
    def vertex_at(state: SearchState, buffer: int, i: int) -> int:
        if buffer == 0:
            return state.worklist[i]
        return state.starts[i]

    @wp.func
    def count_lower(state: SearchState, buffer: int, low: int, high: int, dist: dtype, or_equal: bool) -> int:
        first = low
        while low < high:
            middle = (low + high) // 2
            other = dist_of(state.words[vertex_at(state, buffer, middle)])
            if other < dist or (or_equal and other == dist):
                low = middle + 1
            else:
                high = middle
        return low - first

    @made.add
    def merge_runs(state: SearchState, cells: Ints):
        block, thread = wp.tid()
        count, width, buffer = int(state.current[Cell.COUNT]), cells[Sort.WIDTH], cells[Sort.BUFFER]
        for i in range(block * wp.block_dim() + thread, count, state.blocks * wp.block_dim()):
            v = vertex_at(state, buffer, i)
            begin = i - i % (2 * width)
            middle = wp.min(begin + width, count)
            end = wp.min(middle + width, count)
            dist = dist_of(state.words[v])
            slot = i
            if i < middle:
                slot += count_lower(state, buffer, middle, end, dist, False)
            else:
                slot += count_lower(state, buffer, begin, middle, dist, True) - (middle - begin)
            if buffer == 0:
                state.starts[slot] = v
            else:
                state.worklist[slot] = v

    @made.add
    def double_width(state: SearchState, cells: Ints, answer: Ints):
        cells[Sort.BUFFER] = 1 - cells[Sort.BUFFER]
        answer[0] = 0
        if cells[Sort.WIDTH] < (int(state.current[Cell.COUNT]) + 1) // 2:  # twice the width might overflow
            cells[Sort.WIDTH] = 2 * cells[Sort.WIDTH]
            answer[0] = 1

    @made.add
    def end_sort(state: SearchState, cells: Ints):
        block, thread = wp.tid()
        if cells[Sort.BUFFER] == 0:
            return
        for i in range(block * wp.block_dim() + thread, int(state.current[Cell.COUNT]), state.blocks * wp.block_dim()):
            state.worklist[i] = state.starts[i]

    @made.add
    def find_cut(state: SearchState, queue: int, limit: int):
        low = int(0)
        high = int(state.sizes[queue])
        while low < high:
            middle = (low + high) // 2
            if state.queued[queue, state.items[queue, middle]] <= state.scalars[limit]:
                low = middle + 1
            else:
                high = middle
        state.current[CUT] = wp.uint32(low)

    @made.add
    def move_prefix(state: SearchState, queue: int, into: int):
        block, thread = wp.tid()
        size, cut_at = int(state.sizes[queue]), int(state.current[CUT])
        for i in range(block * wp.block_dim() + thread, size, state.blocks * wp.block_dim()):
            v = state.items[queue, i]
            if i >= cut_at:
                state.worklist[i - cut_at] = v
                continue
            queued = state.queued[queue, v]
            state.queued[queue, v] = unreached
            if queued == dist_of(state.words[v]):
                push(state, into, v, queued)
            else:
                fetch_add(state.counts, Count.DISCARDED, wp.uint64(1))

    @made.add
    def shift_rest(state: SearchState, queue: int):
        block, thread = wp.tid()
        rest = int(state.sizes[queue] - state.current[CUT])
        for i in range(block * wp.block_dim() + thread, rest, state.blocks * wp.block_dim()):
            state.items[queue, i] = state.worklist[i]

    @made.add
    def shorten(state: SearchState, queue: int):
        state.sizes[queue] = state.sizes[queue] - state.current[CUT]

    return made
