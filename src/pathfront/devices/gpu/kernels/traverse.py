"""The arcs of the work list, shared among blocks and lanes by one of three strategies (Davidson et al. 2014, IV.B).

- `load_balanced`: every block takes equally many arcs, wherever vertices begin and end, and finds its first vertex by a
  search in the numbers of first arcs.
- `cooperative_blocks`: a block takes a fixed number of vertices, keeps the numbers of their first arcs in shared
  memory, and its lanes strip the arcs together.
- `cta_warp_scan`: a block takes a vertex for each lane. Those with more arcs than a block are stripped by the whole
  block, one after the other; those with more than a warp by the lane's warp; the others are packed by a scan of their
  degrees and stripped together.

Neighbouring lanes always take neighbouring arcs, so that a warp reads them in one go.
"""

from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels import atomics, boards
from pathfront.devices.gpu.kernels.boards import ARCS, COUNT

VERTICES_OF_A_BLOCK = wp.constant(256)  # at once, and the most lanes that a block may have
CTA_ARCS = wp.constant(256)  # from here on the whole block strips a vertex
WARP_ARCS = wp.constant(32)  # from here on a warp does


@wp.func
def last_up_to(starts: wp.array(dtype=wp.int32), low: int, high: int, arc: int) -> int:
    """Return the last place from low on and before high whose number is not beyond an arc's; that of low is not."""
    while high - low > 1:
        middle = (low + high) // 2
        if starts[middle] <= arc:
            low = middle
        else:
            high = middle
    return low


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return the kernels for one type of distances."""
    board_of, module = boards.of(name, packed), boards.module(name, packed)
    Board, relax_arc, dist_at = board_of.Board, board_of.relax_arc, board_of.number.dist_at  # noqa: N806, a type
    warp_max, warp_width, sync = atomics.warp_max, atomics.warp_width, atomics.sync

    @wp.kernel(module=module, enable_backward=False)
    def load_balanced(board: Board, into: wp.array(dtype=wp.int32), up_to: wp.array(dtype=wp.int32)):
        block, lane = wp.tid()
        arcs, count = int(board.now[ARCS]), int(board.now[COUNT])
        share = (arcs + board.blocks - 1) // board.blocks
        begin = wp.min(block * share, arcs)
        end = wp.min(begin + share, arcs)
        if begin + lane >= end:
            return
        place = last_up_to(board.starts, 0, count, begin + lane)
        beyond = arcs  # the first arc that is not of the vertex at `place`
        if place + 1 < count:
            beyond = board.starts[place + 1]
        u = board.work[place]
        here = dist_at(board.state, u)
        shift = board.offsets[u] - board.starts[place]
        for arc in range(begin + lane, end, wp.block_dim()):
            if arc >= beyond:
                place += 1
                if place + 1 < count and board.starts[place + 1] <= arc:
                    place = last_up_to(board.starts, place, count, arc)
                beyond = arcs
                if place + 1 < count:
                    beyond = board.starts[place + 1]
                u = board.work[place]
                here = dist_at(board.state, u)
                shift = board.offsets[u] - board.starts[place]
            relax_arc(board, u, here, arc + shift, into, up_to)

    @wp.kernel(module=module, enable_backward=False)
    def cooperative_blocks(board: Board, into: wp.array(dtype=wp.int32), up_to: wp.array(dtype=wp.int32)):
        block, lane = wp.tid()
        arcs, count = int(board.now[ARCS]), int(board.now[COUNT])
        for first in range(block * VERTICES_OF_A_BLOCK, count, board.blocks * VERTICES_OF_A_BLOCK):
            starts = wp.tile_load(board.starts, shape=VERTICES_OF_A_BLOCK, offset=first, storage="shared")
            here_count = wp.min(count - first, VERTICES_OF_A_BLOCK)
            end = arcs
            if first + here_count < count:
                end = board.starts[first + here_count]
            place = int(0)
            for arc in range(board.starts[first] + lane, end, wp.block_dim()):
                high = here_count
                if place + 1 < here_count and starts[place + 1] <= arc:
                    place += 1
                    while high - place > 1:
                        middle = (place + high) // 2
                        if starts[middle] <= arc:
                            place = middle
                        else:
                            high = middle
                u = board.work[first + place]
                relax_arc(board, u, dist_at(board.state, u), board.offsets[u] + arc - starts[place], into, up_to)
            sync()  # or a fast lane would load the next vertices while a slow one still looks at these

    @wp.func
    def strip(
        board: Board,
        u: int,
        lane: int,
        lanes: int,
        into: wp.array(dtype=wp.int32),
        up_to: wp.array(dtype=wp.int32),
    ):
        here = dist_at(board.state, u)
        for arc in range(board.offsets[u] + lane, board.offsets[u + 1], lanes):
            relax_arc(board, u, here, arc, into, up_to)

    @wp.kernel(module=module, enable_backward=False)
    def cta_warp_scan(board: Board, into: wp.array(dtype=wp.int32), up_to: wp.array(dtype=wp.int32)):
        block, lane = wp.tid()
        count, lanes = int(board.now[COUNT]), wp.block_dim()
        for first in range(block * lanes, count, board.blocks * lanes):
            mine = int(-1)
            degree = int(0)
            if first + lane < count:
                mine = board.work[first + lane]
                degree = board.offsets[mine + 1] - board.offsets[mine]

            wanted = int(-1)
            if degree >= CTA_ARCS:
                wanted = lane
            chosen = wp.tile_max(wp.tile(wanted))
            while chosen[0] >= 0:
                strip(board, board.work[first + chosen[0]], lane, lanes, into, up_to)
                if lane == chosen[0]:
                    wanted = -1
                chosen = wp.tile_max(wp.tile(wanted))

            width = warp_width()
            if degree >= WARP_ARCS and degree < CTA_ARCS:
                wanted = lane
            winner = warp_max(wanted)
            while winner >= 0:
                strip(board, board.work[first + winner], lane % width, width, into, up_to)
                if lane == winner:
                    wanted = -1
                winner = warp_max(wanted)

            if degree >= WARP_ARCS:
                degree = 0
            degrees = wp.tile(degree)
            all = wp.tile_sum(degrees)[0]
            starts = wp.tile_scan_exclusive(degrees)
            kept = wp.tile_zeros(shape=VERTICES_OF_A_BLOCK, dtype=int, storage="shared")
            wp.tile_assign(kept, starts, offset=(0,))
            for number in range(lane, all, lanes):
                low = int(0)
                high = wp.min(count - first, lanes)
                while high - low > 1:
                    middle = (low + high) // 2
                    if kept[middle] <= number:
                        low = middle
                    else:
                        high = middle
                u = board.work[first + low]
                relax_arc(board, u, dist_at(board.state, u), board.offsets[u] + number - kept[low], into, up_to)
            sync()

    return SimpleNamespace(
        load_balanced=load_balanced, cooperative_blocks=cooperative_blocks, cta_warp_scan=cta_warp_scan
    )
