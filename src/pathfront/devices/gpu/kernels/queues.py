"""Queues: starting, taking out, putting back, splitting, and finding the lowest."""

from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels import atomics, boards
from pathfront.devices.gpu.kernels.boards import ARCS, COUNT, EDGES, ITERATIONS, VERTICES
from pathfront.devices.gpu.kernels.numbers import LOWER_HALF, NO_VERTEX


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return the kernels for one type of distances."""
    board_of, module = boards.of(name, packed), boards.module(name, packed)
    number, Board, push, route = board_of.number, board_of.Board, board_of.push, board_of.route  # noqa: N806, a type
    dtype, unreached = number.dtype, number.unreached
    pack, dist_of, raised, nowhere = number.pack, number.dist_of, number.raised, number.nowhere
    reserve_arcs, fetch_min = atomics.reserve_arcs, atomics.of(dtype).fetch_min

    @wp.kernel(module=module, enable_backward=False)
    def clear(board: Board):
        block, lane = wp.tid()
        queues = board.tails.shape[0]
        for v in range(block * wp.block_dim() + lane, board.n, board.blocks * wp.block_dim()):
            board.state[v] = pack(unreached, NO_VERTEX)
            for queue in range(queues):
                board.at[queue, v] = unreached
        if board.hinting != 0:
            for v in range(block * wp.block_dim() + lane, board.n, board.blocks * wp.block_dim()):
                board.hints[v] = -1

    @wp.kernel(module=module, enable_backward=False)
    def start(board: Board, queue: int, sources: wp.array(dtype=wp.int32), source_count: wp.array(dtype=wp.int32)):
        block, lane = wp.tid()
        for i in range(block * wp.block_dim() + lane, source_count[0], board.blocks * wp.block_dim()):
            board.state[sources[i]] = pack(dtype(0), NO_VERTEX)
            push(board, queue, sources[i], dtype(0))

    @wp.kernel(module=module, enable_backward=False)
    def take(board: Board, queue: int):
        block, lane = wp.tid()
        for i in range(block * wp.block_dim() + lane, int(board.tails[queue]), board.blocks * wp.block_dim()):
            v = board.items[queue, i]
            queued = board.at[queue, v]
            board.at[queue, v] = unreached
            if queued == dist_of(board.state[v]):
                place = reserve_arcs(board.work_tail, wp.uint32(board.offsets[v + 1] - board.offsets[v]))
                slot = int(place >> wp.uint64(32))
                board.work[slot] = v
                board.starts[slot] = int(place & LOWER_HALF)

    @wp.func
    def take_over(board: Board, queue: int):
        board.tails[queue] = wp.uint32(0)
        board.now[COUNT] = wp.uint32(board.work_tail[0] >> wp.uint64(32))
        board.now[ARCS] = wp.uint32(board.work_tail[0] & LOWER_HALF)
        board.work_tail[0] = wp.uint64(0)

    @wp.kernel(module=module, enable_backward=False)
    def taken(board: Board, queue: int):
        take_over(board, queue)

    @wp.kernel(module=module, enable_backward=False)
    def taken_to_relax(board: Board, queue: int):
        take_over(board, queue)
        if board.now[COUNT] > wp.uint32(0):  # an iteration that met nothing but the dead is none
            board.counts[ITERATIONS] += wp.uint64(1)
            board.counts[VERTICES] += wp.uint64(board.now[COUNT])
            board.counts[EDGES] += wp.uint64(board.now[ARCS])

    @wp.kernel(module=module, enable_backward=False)
    def put(board: Board, into: wp.array(dtype=wp.int32), up_to: wp.array(dtype=wp.int32)):
        block, lane = wp.tid()
        for i in range(block * wp.block_dim() + lane, int(board.now[COUNT]), board.blocks * wp.block_dim()):
            v = board.work[i]
            dist = dist_of(board.state[v])
            push(board, route(board, into, up_to, dist), v, dist)

    @wp.kernel(module=module, enable_backward=False)
    def put_back(board: Board, queue: int):
        block, lane = wp.tid()
        count = int(board.now[COUNT])
        for i in range(block * wp.block_dim() + lane, count, board.blocks * wp.block_dim()):
            v = board.work[i]
            board.at[queue, v] = dist_of(board.state[v])
            board.items[queue, i] = v
        if block == 0 and lane == 0:
            board.tails[queue] = wp.uint32(count)

    @wp.kernel(module=module, enable_backward=False)
    def forget_lowest(board: Board, scalar: int):
        board.scalars[scalar] = unreached

    @wp.kernel(module=module, enable_backward=False)
    def find_lowest(board: Board, scalar: int, lightest: wp.array(dtype=dtype)):
        block, lane = wp.tid()
        lowest = nowhere()
        for i in range(block * wp.block_dim() + lane, int(board.now[COUNT]), board.blocks * wp.block_dim()):
            v = board.work[i]
            dist = dist_of(board.state[v])
            if lightest.shape[0] > 0:
                if lightest[v] == unreached:
                    continue  # no arc leaves it
                dist = raised(dist, lightest[v])
            lowest = wp.min(lowest, dist)
        if lowest != unreached:
            fetch_min(board.scalars, scalar, lowest)

    return SimpleNamespace(
        clear=clear,
        start=start,
        take=take,
        taken=taken,
        taken_to_relax=taken_to_relax,
        put=put,
        put_back=put_back,
        forget_lowest=forget_lowest,
        find_lowest=find_lowest,
    )
