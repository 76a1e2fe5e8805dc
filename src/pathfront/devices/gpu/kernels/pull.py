"""From the other end: every vertex that was never in the queue looks for the queue's vertices among its in-arcs.

Only a vertex's own lane writes its distance, so nothing is atomic. Whether a vertex is in the queue at this moment is
told by a number, that of the turn in which it was taken out of it. Where the queue is small most vertices would look
in vain: then those that it has arcs to are called first, and only they look.
"""

from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels import atomics, boards
from pathfront.devices.gpu.kernels.boards import (
    ARCS,
    CALLED,
    COUNT,
    EDGES,
    ITERATIONS,
    LOOKED,
    OVERFLOW,
    SETTLED,
    VERTICES,
)


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return the kernels for one type of distances."""
    board_of, module = boards.of(name, packed), boards.module(name, packed)
    Board, number, push = board_of.Board, board_of.number, board_of.push  # noqa: N806, a type
    dtype, unreached, plus, dist_of, pack = (
        number.dtype,
        number.unreached,
        number.plus,
        number.dist_of,
        number.pack,
    )

    exchange, fetch_add, reserve = atomics.of(wp.int32).exchange, atomics.of(wp.uint32).fetch_add, atomics.reserve

    @wp.kernel(module=module, enable_backward=False)
    def open_all(board: Board, turns: wp.array(dtype=wp.int32), called_in: wp.array(dtype=wp.int32)):
        block, lane = wp.tid()
        for v in range(block * wp.block_dim() + lane, board.n, board.blocks * wp.block_dim()):
            turns[v] = 0
            called_in[v] = 0

    @wp.kernel(module=module, enable_backward=False)
    def begin_turn(board: Board):
        board.counts[SETTLED] += wp.uint64(board.now[COUNT])
        if board.now[COUNT] > wp.uint32(0):
            board.counts[ITERATIONS] += wp.uint64(1)
            board.counts[VERTICES] += wp.uint64(board.now[COUNT])
        board.now[CALLED] = wp.uint32(0)
        board.now[LOOKED] = wp.uint32(0)

    @wp.func
    def all_look(board: Board) -> bool:
        return int(board.now[ARCS]) >= board.n // 4

    @wp.kernel(module=module, enable_backward=False)
    def mark(board: Board, turns: wp.array(dtype=wp.int32)):
        block, lane = wp.tid()
        for i in range(block * wp.block_dim() + lane, int(board.now[COUNT]), board.blocks * wp.block_dim()):
            turns[board.work[i]] = int(board.counts[ITERATIONS])

    @wp.kernel(module=module, enable_backward=False)
    def call(
        board: Board,
        turns: wp.array(dtype=wp.int32),
        called_in: wp.array(dtype=wp.int32),
        called: wp.array(dtype=wp.int32),
    ):
        block, lane = wp.tid()
        if all_look(board):
            return
        turn = int(board.counts[ITERATIONS])
        for i in range(block * wp.block_dim() + lane, int(board.now[COUNT]), board.blocks * wp.block_dim()):
            u = board.work[i]
            for arc in range(board.offsets[u], board.offsets[u + 1]):
                v = board.heads[arc]
                if turns[v] == 0 and exchange(called_in, v, turn) != turn:
                    called[int(reserve(board.now, CALLED))] = v

    @wp.kernel(module=module, enable_backward=False)
    def pull(
        board: Board,
        into: int,
        turns: wp.array(dtype=wp.int32),
        called: wp.array(dtype=wp.int32),
        offsets: wp.array(dtype=wp.int32),
        tails: wp.array(dtype=wp.int32),
        weights: wp.array(dtype=dtype),
    ):
        block, lane = wp.tid()
        turn = int(board.counts[ITERATIONS])
        all = all_look(board)
        count = int(board.now[CALLED])
        if all:
            count = board.n
        looked = int(0)
        for i in range(block * wp.block_dim() + lane, count, board.blocks * wp.block_dim()):
            v = i
            if not all:
                v = called[i]
            if turns[v] != 0:
                continue
            before = dist_of(board.state[v])
            best = before
            parent = int(0)
            for arc in range(offsets[v], offsets[v + 1]):
                u = tails[arc]
                if turns[u] == turn:
                    weight = dtype(1)
                    if board.unit == 0:
                        weight = weights[arc]
                    dist = plus(dist_of(board.state[u]), weight)
                    if dist == unreached:
                        board.flags[OVERFLOW] = 1
                    if dist < best:
                        best = dist
                        parent = u
            looked += offsets[v + 1] - offsets[v]
            if best < before and best <= board.scalars[0]:
                board.state[v] = pack(best, wp.uint32(parent))
                push(board, into, v, best)
        if looked > 0:
            fetch_add(board.now, LOOKED, wp.uint32(looked))

    @wp.kernel(module=module, enable_backward=False)
    def end_turn(board: Board, each: int):
        board.now[ARCS] = board.now[LOOKED]
        board.counts[EDGES] += wp.uint64(board.now[LOOKED]) * wp.uint64(each)

    return SimpleNamespace(open_all=open_all, begin_turn=begin_turn, mark=mark, call=call, pull=pull, end_turn=end_turn)
