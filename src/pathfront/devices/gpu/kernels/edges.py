"""All arcs of the graph at once: a lane takes a run of consecutive ones, whose length follows from the graph's size."""

from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels import atomics, boards
from pathfront.devices.gpu.kernels.boards import ARCS, COUNT, EDGES, ITERATIONS, VERTICES
from pathfront.devices.gpu.kernels.traverse import last_up_to


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return the kernels for one type of distances."""
    board_of, module = boards.of(name, packed), boards.module(name, packed)
    Board, number = board_of.Board, board_of.number  # noqa: N806, a type
    plus, dist_at, unreached = number.plus, number.dist_at, number.unreached
    lower, weight_of, store = board_of.lower, board_of.weight_of, atomics.of(wp.uint32).store

    @wp.kernel(module=module, enable_backward=False)
    def begin_pass(board: Board, changed: int):
        board.tails[changed] = wp.uint32(0)
        board.now[COUNT] = wp.uint32(board.n)
        board.now[ARCS] = wp.uint32(board.heads.shape[0])
        board.counts[ITERATIONS] += wp.uint64(1)
        board.counts[VERTICES] += wp.uint64(board.n)
        board.counts[EDGES] += wp.uint64(board.heads.shape[0])

    @wp.kernel(module=module, enable_backward=False)
    def relax_edges(board: Board, changed: int):
        block, lane = wp.tid()
        arcs = board.heads.shape[0]
        lanes = board.blocks * wp.block_dim()
        run = (arcs + lanes - 1) // lanes
        begin = wp.min((block * wp.block_dim() + lane) * run, arcs)
        end = wp.min(begin + run, arcs)
        if begin >= end:
            return
        any = bool(False)
        u = last_up_to(board.offsets, 0, board.n, begin)
        here = dist_at(board.state, u)
        for arc in range(begin, end):
            while arc >= board.offsets[u + 1]:
                u += 1
                here = dist_at(board.state, u)
            if here != unreached and lower(board, u, board.heads[arc], plus(here, weight_of(board, arc))):
                any = True
                if board.heads[arc] == u:
                    here = dist_at(board.state, u)
        if any:
            store(board.tails, changed, wp.uint32(1))

    return SimpleNamespace(begin_pass=begin_pass, relax_edges=relax_edges)
