"""Queues in order of distance, for those who sort and merge (Davidson et al. 2014, for want of a split into buckets).

The work list is sorted by merging: runs of one vertex, then of two, of four, and so on. In each round every vertex
finds its place by a search in the run beside its own, so all of them move at once. The list lies in `work` and `starts`
by turns. Merging two queues is sorting their vertices together.
"""

from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels import boards
from pathfront.devices.gpu.kernels.boards import CALLED, COUNT

# Cells of a sort, each an int32.
WIDTH = wp.constant(0)  # of the runs that are in order
SIDE = wp.constant(1)  # 0: the list lies in `work`; 1: in `starts`
CELLS = 2

CUT = CALLED  # the number of a sorted queue's vertices that are up to a limit; nobody is called at the same time


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return the kernels for one type of distances."""
    board_of, module = boards.of(name, packed), boards.module(name, packed)
    Board, number, push = board_of.Board, board_of.number, board_of.push  # noqa: N806, a type
    dtype, unreached, dist_of = number.dtype, number.unreached, number.dist_of

    @wp.kernel(module=module, enable_backward=False)
    def take_more(board: Board, queue: int, also: int):
        board.tails[queue] = wp.uint32(0)
        board.tails[also] = wp.uint32(0)
        board.now[COUNT] = wp.uint32(board.work_tail[0] >> wp.uint64(32))
        board.work_tail[0] = wp.uint64(0)

    @wp.kernel(module=module, enable_backward=False)
    def begin_sort(board: Board, cells: wp.array(dtype=wp.int32), answer: wp.array(dtype=wp.int32)):
        cells[WIDTH] = 1
        cells[SIDE] = 0
        answer[0] = 0
        if board.now[COUNT] > wp.uint32(1):
            answer[0] = 1

    @wp.func
    def listed(board: Board, side: int, i: int) -> int:
        if side == 0:
            return board.work[i]
        return board.starts[i]

    @wp.func
    def lower_than(board: Board, side: int, low: int, high: int, dist: dtype, or_equal: bool) -> int:
        first = low
        while low < high:
            middle = (low + high) // 2
            other = dist_of(board.state[listed(board, side, middle)])
            if other < dist or (or_equal and other == dist):
                low = middle + 1
            else:
                high = middle
        return low - first

    @wp.kernel(module=module, enable_backward=False)
    def merge_runs(board: Board, cells: wp.array(dtype=wp.int32)):
        block, lane = wp.tid()
        count, width, side = int(board.now[COUNT]), cells[WIDTH], cells[SIDE]
        for i in range(block * wp.block_dim() + lane, count, board.blocks * wp.block_dim()):
            v = listed(board, side, i)
            begin = i - i % (2 * width)
            middle = wp.min(begin + width, count)
            end = wp.min(middle + width, count)
            dist = dist_of(board.state[v])
            place = i
            if i < middle:
                place += lower_than(board, side, middle, end, dist, False)
            else:
                place += lower_than(board, side, begin, middle, dist, True) - (middle - begin)
            if side == 0:
                board.starts[place] = v
            else:
                board.work[place] = v

    @wp.kernel(module=module, enable_backward=False)
    def widen(board: Board, cells: wp.array(dtype=wp.int32), answer: wp.array(dtype=wp.int32)):
        cells[SIDE] = 1 - cells[SIDE]
        answer[0] = 0
        if cells[WIDTH] < (int(board.now[COUNT]) + 1) // 2:  # twice the width may not be a number any more
            cells[WIDTH] = 2 * cells[WIDTH]
            answer[0] = 1

    @wp.kernel(module=module, enable_backward=False)
    def end_sort(board: Board, cells: wp.array(dtype=wp.int32)):
        block, lane = wp.tid()
        if cells[SIDE] == 0:
            return
        for i in range(block * wp.block_dim() + lane, int(board.now[COUNT]), board.blocks * wp.block_dim()):
            board.work[i] = board.starts[i]

    @wp.kernel(module=module, enable_backward=False)
    def cut(board: Board, queue: int, limit: int):
        low = int(0)
        high = int(board.tails[queue])
        while low < high:
            middle = (low + high) // 2
            if board.at[queue, board.items[queue, middle]] <= board.scalars[limit]:
                low = middle + 1
            else:
                high = middle
        board.now[CUT] = wp.uint32(low)

    @wp.kernel(module=module, enable_backward=False)
    def move_beginning(board: Board, queue: int, into: int):
        block, lane = wp.tid()
        size, cut_at = int(board.tails[queue]), int(board.now[CUT])
        for i in range(block * wp.block_dim() + lane, size, board.blocks * wp.block_dim()):
            v = board.items[queue, i]
            if i >= cut_at:
                board.work[i - cut_at] = v
                continue
            queued = board.at[queue, v]
            board.at[queue, v] = unreached
            if queued == dist_of(board.state[v]):
                push(board, into, v, queued)

    @wp.kernel(module=module, enable_backward=False)
    def close_up(board: Board, queue: int):
        block, lane = wp.tid()
        rest = int(board.tails[queue] - board.now[CUT])
        for i in range(block * wp.block_dim() + lane, rest, board.blocks * wp.block_dim()):
            board.items[queue, i] = board.work[i]

    @wp.kernel(module=module, enable_backward=False)
    def shorten(board: Board, queue: int):
        board.tails[queue] = board.tails[queue] - board.now[CUT]

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
