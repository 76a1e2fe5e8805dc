"""Looking for a circle of parents, which there is only around a negative cycle.

Every vertex follows its parent, then its parent's parent, and so on, in steps twice as long each time. After as many
steps as a number of vertices has digits, whoever still stands on a vertex has been going round. With 64-bit distances
the parents are hints: two improvements may have written them in the wrong order. So a circle is proof only for whoever
has seen that it is negative; the host does.
"""

from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels import boards
from pathfront.devices.gpu.kernels.boards import CYCLE, ITERATIONS, NEXT_LOOK, STOP


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return the kernels for one type of distances."""
    board_of, module = boards.of(name, packed), boards.module(name, packed)
    Board, parent_of = board_of.Board, board_of.number.parent_of  # noqa: N806, a type

    if packed:

        @wp.func
        def parent_at(board: Board, v: int) -> int:
            return int(parent_of(board.state[v]))  # no vertex is -1

    else:

        @wp.func
        def parent_at(board: Board, v: int) -> int:
            return board.hints[v]

    @wp.kernel(module=module, enable_backward=False)
    def is_time(board: Board, answer: wp.array(dtype=wp.int32)):
        answer[0] = 0
        done = int(board.counts[ITERATIONS])
        if done >= board.flags[NEXT_LOOK] and board.flags[STOP] == 0:
            answer[0] = 1
            board.flags[NEXT_LOOK] = 2 * done
            if done >= board.n:  # only a cycle can still change anything
                board.flags[NEXT_LOOK] = done + 1

    @wp.kernel(module=module, enable_backward=False)
    def set_out(board: Board, ahead: wp.array2d(dtype=wp.int32)):
        block, lane = wp.tid()
        for v in range(block * wp.block_dim() + lane, board.n, board.blocks * wp.block_dim()):
            ahead[0, v] = parent_at(board, v)

    @wp.kernel(module=module, enable_backward=False)
    def leap(board: Board, ahead: wp.array2d(dtype=wp.int32), from_row: int):
        block, lane = wp.tid()
        for v in range(block * wp.block_dim() + lane, board.n, board.blocks * wp.block_dim()):
            u = ahead[from_row, v]
            if u >= 0:
                u = ahead[from_row, u]
            ahead[1 - from_row, v] = u

    @wp.kernel(module=module, enable_backward=False)
    def judge(board: Board, ahead: wp.array2d(dtype=wp.int32), row: int):
        block, lane = wp.tid()
        for v in range(block * wp.block_dim() + lane, board.n, board.blocks * wp.block_dim()):
            if ahead[row, v] >= 0:
                board.flags[CYCLE] = 1
                board.flags[STOP] = 1

    return SimpleNamespace(is_time=is_time, set_out=set_out, leap=leap, judge=judge)
