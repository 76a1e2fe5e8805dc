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

from pathfront.devices.gpu.kernels import atomics
from pathfront.devices.gpu.kernels.state import ARCS, COUNT, common, module_of

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
    shared, module = common(name, packed), module_of(name, packed)
    SearchState, relax_arc, dist_at = shared.SearchState, shared.relax_arc, shared.number.dist_at  # noqa: N806, a type
    warp_max, warp_width, sync = atomics.warp_max, atomics.warp_width, atomics.sync

    @wp.kernel(module=module, enable_backward=False)
    def load_balanced(state: SearchState, into: wp.array(dtype=wp.int32), up_to: wp.array(dtype=wp.int32)):
        block, lane = wp.tid()
        arcs, count = int(state.now[ARCS]), int(state.now[COUNT])
        share = (arcs + state.blocks - 1) // state.blocks
        begin = wp.min(block * share, arcs)
        end = wp.min(begin + share, arcs)
        if begin + lane >= end:
            return
        place = last_up_to(state.starts, 0, count, begin + lane)
        beyond = arcs  # the first arc that is not of the vertex at `place`
        if place + 1 < count:
            beyond = state.starts[place + 1]
        u = state.work[place]
        here = dist_at(state.words, u)
        shift = state.offsets[u] - state.starts[place]
        for arc in range(begin + lane, end, wp.block_dim()):
            if arc >= beyond:
                place += 1
                if place + 1 < count and state.starts[place + 1] <= arc:
                    place = last_up_to(state.starts, place, count, arc)
                beyond = arcs
                if place + 1 < count:
                    beyond = state.starts[place + 1]
                u = state.work[place]
                here = dist_at(state.words, u)
                shift = state.offsets[u] - state.starts[place]
            relax_arc(state, u, here, arc + shift, into, up_to)

    @wp.kernel(module=module, enable_backward=False)
    def cooperative_blocks(state: SearchState, into: wp.array(dtype=wp.int32), up_to: wp.array(dtype=wp.int32)):
        block, lane = wp.tid()
        arcs, count = int(state.now[ARCS]), int(state.now[COUNT])
        for first in range(block * VERTICES_OF_A_BLOCK, count, state.blocks * VERTICES_OF_A_BLOCK):
            starts = wp.tile_load(state.starts, shape=VERTICES_OF_A_BLOCK, offset=first, storage="shared")
            here_count = wp.min(count - first, VERTICES_OF_A_BLOCK)
            end = arcs
            if first + here_count < count:
                end = state.starts[first + here_count]
            place = int(0)
            for arc in range(state.starts[first] + lane, end, wp.block_dim()):
                high = here_count
                if place + 1 < here_count and starts[place + 1] <= arc:
                    place += 1
                    while high - place > 1:
                        middle = (place + high) // 2
                        if starts[middle] <= arc:
                            place = middle
                        else:
                            high = middle
                u = state.work[first + place]
                relax_arc(state, u, dist_at(state.words, u), state.offsets[u] + arc - starts[place], into, up_to)
            sync()  # or a fast lane would load the next vertices while a slow one still looks at these

    @wp.func
    def strip(
        state: SearchState,
        u: int,
        lane: int,
        lanes: int,
        into: wp.array(dtype=wp.int32),
        up_to: wp.array(dtype=wp.int32),
    ):
        here = dist_at(state.words, u)
        for arc in range(state.offsets[u] + lane, state.offsets[u + 1], lanes):
            relax_arc(state, u, here, arc, into, up_to)

    @wp.kernel(module=module, enable_backward=False)
    def cta_warp_scan(state: SearchState, into: wp.array(dtype=wp.int32), up_to: wp.array(dtype=wp.int32)):
        block, lane = wp.tid()
        count, lanes = int(state.now[COUNT]), wp.block_dim()
        for first in range(block * lanes, count, state.blocks * lanes):
            mine = int(-1)
            degree = int(0)
            if first + lane < count:
                mine = state.work[first + lane]
                degree = state.offsets[mine + 1] - state.offsets[mine]

            wanted = int(-1)
            if degree >= CTA_ARCS:
                wanted = lane
            chosen = wp.tile_max(wp.tile(wanted))
            while chosen[0] >= 0:
                strip(state, state.work[first + chosen[0]], lane, lanes, into, up_to)
                if lane == chosen[0]:
                    wanted = -1
                chosen = wp.tile_max(wp.tile(wanted))

            width = warp_width()
            if degree >= WARP_ARCS and degree < CTA_ARCS:
                wanted = lane
            winner = warp_max(wanted)
            while winner >= 0:
                strip(state, state.work[first + winner], lane % width, width, into, up_to)
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
                u = state.work[first + low]
                relax_arc(state, u, dist_at(state.words, u), state.offsets[u] + number - kept[low], into, up_to)
            sync()

    return SimpleNamespace(
        load_balanced=load_balanced, cooperative_blocks=cooperative_blocks, cta_warp_scan=cta_warp_scan
    )
