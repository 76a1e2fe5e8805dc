"""Graphs that are kept as matrices: a block takes a row, its lanes the entries; what is unreached is no edge."""

from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels import atomics, boards
from pathfront.devices.gpu.kernels.boards import ARCS, COUNT, EDGES, LOOKED, OVERFLOW


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return the kernels for one type of distances."""
    board_of, module = boards.of(name, packed), boards.module(name, packed)
    Board, number, push, lower = board_of.Board, board_of.number, board_of.push, board_of.lower  # noqa: N806, a type
    dtype, unreached, plus, dist_of, dist_at, pack = (
        number.dtype,
        number.unreached,
        number.plus,
        number.dist_of,
        number.dist_at,
        number.pack,
    )

    fetch_add = atomics.of(wp.uint32).fetch_add

    @wp.kernel(module=module, enable_backward=False)
    def count_rows(board: Board):
        board.now[ARCS] = board.now[COUNT]  # rows: their entries may be more than 32 bits count
        board.counts[EDGES] += wp.uint64(board.now[COUNT]) * wp.uint64(board.n)

    @wp.kernel(module=module, enable_backward=False)
    def relax_rows(board: Board, matrix: wp.array2d(dtype=dtype), into: int):
        block, lane = wp.tid()
        for i in range(block, int(board.now[COUNT]), board.blocks):
            u = board.work[i]
            here = dist_at(board.state, u)
            for v in range(lane, board.n, wp.block_dim()):
                if matrix[u, v] != unreached:
                    dist = plus(here, matrix[u, v])
                    if lower(board, u, v, dist):
                        push(board, into, v, dist)

    @wp.kernel(module=module, enable_backward=False)
    def pull_rows(board: Board, into: int, turns: wp.array(dtype=wp.int32), matrix: wp.array2d(dtype=dtype)):
        block, lane = wp.tid()
        count = int(board.now[COUNT])
        for v in range(block * wp.block_dim() + lane, board.n, board.blocks * wp.block_dim()):
            if turns[v] != 0:
                continue
            fetch_add(board.now, LOOKED, wp.uint32(1))
            before = dist_of(board.state[v])
            best = before
            parent = int(0)
            for i in range(count):
                u = board.work[i]
                if matrix[v, u] != unreached:
                    dist = plus(dist_of(board.state[u]), matrix[v, u])
                    if dist == unreached:
                        board.flags[OVERFLOW] = 1
                    if dist < best:
                        best = dist
                        parent = u
            if best < before and best <= board.scalars[0]:
                board.state[v] = pack(best, wp.uint32(parent))
                push(board, into, v, best)

    return SimpleNamespace(count_rows=count_rows, relax_rows=relax_rows, pull_rows=pull_rows)
