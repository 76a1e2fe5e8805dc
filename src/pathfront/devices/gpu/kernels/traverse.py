"""The arcs of the worklist, shared among blocks and threads by one of four strategies (Davidson et al. 2014, IV.B).

- `load_balanced`: every block takes equally many arcs, wherever vertices begin and end. Each thread finds its first
  vertex by a binary search in the scanned degrees.
- `cooperative_blocks`: a block takes a fixed number of vertices, loads their scanned degrees into shared memory, and
  its threads strip the arcs together.
- `cta_warp_scan`: a block takes a vertex for each thread. Vertices with at least 256 arcs are stripped by the whole
  block, one after the other; those with at least 32 by the thread's warp; the others are packed by an exclusive scan
  of their degrees and stripped together.
- `thread_per_list`: a thread takes a vertex, and relaxes all of its arcs by itself.

Except in the last, neighbouring threads take neighbouring arcs, so that their loads coalesce.
"""

from functools import cache

import warp as wp

from pathfront.devices.gpu.kernels import atomics
from pathfront.devices.gpu.kernels.csr import last_up_to, share_of
from pathfront.devices.gpu.kernels.module import Ints, Kernels
from pathfront.devices.gpu.kernels.state import Cell, common, module_of

VERTICES_OF_A_BLOCK = wp.constant(256)  # vertices that a block takes at once, and the most threads per block
CTA_ARCS = wp.constant(256)  # the degree from which the whole block strips a vertex
WARP_ARCS = wp.constant(32)  # the degree from which a warp strips a vertex


@cache
def of(name: str, packed: bool) -> Kernels:
    """Return the kernels for one type of distances."""
    shared, made = common(name, packed), Kernels(module_of(name, packed))
    SearchState, relax_arc, tail_dist = shared.SearchState, shared.relax_arc, shared.tail_dist  # noqa: N806, a type
    nowhere = shared.number.nowhere
    warp_max, warp_width, sync_block = atomics.warp_max, atomics.warp_width, atomics.sync_block

    @made.add
    def load_balanced(state: SearchState, into: Ints, up_to: Ints):
        block, thread = wp.tid()
        arcs, count = int(state.current[Cell.ARCS]), int(state.current[Cell.COUNT])
        share = share_of(arcs, block, state.blocks)
        slot, beyond = int(-1), int(0)  # `beyond`: the first arc that is not of the vertex at `slot`
        u, here, shift = int(0), nowhere(), int(0)
        for arc in range(share[0] + thread, share[1], wp.block_dim()):
            if arc >= beyond:
                slot += 1
                if slot + 1 < count and state.starts[slot + 1] <= arc:
                    slot = last_up_to(state.starts, slot, count, arc)
                beyond = arcs
                if slot + 1 < count:
                    beyond = state.starts[slot + 1]
                u = state.worklist[slot]
                here = tail_dist(state, u)
                shift = state.graph.offsets[u] - state.starts[slot]
            relax_arc(state, u, here, arc + shift, into, up_to)

    @made.add
    def cooperative_blocks(state: SearchState, into: Ints, up_to: Ints):
        block, thread = wp.tid()
        arcs, count = int(state.current[Cell.ARCS]), int(state.current[Cell.COUNT])
        for first in range(block * VERTICES_OF_A_BLOCK, count, state.blocks * VERTICES_OF_A_BLOCK):
            starts = wp.tile_load(state.starts, shape=VERTICES_OF_A_BLOCK, offset=first, storage="shared")
            here_count = wp.min(count - first, VERTICES_OF_A_BLOCK)
            end = arcs
            if first + here_count < count:
                end = state.starts[first + here_count]
            slot = int(0)
            for arc in range(state.starts[first] + thread, end, wp.block_dim()):
                if slot + 1 < here_count and starts[slot + 1] <= arc:
                    slot = last_up_to(starts, slot + 1, here_count, arc)
                u = state.worklist[first + slot]
                relax_arc(state, u, tail_dist(state, u), state.graph.offsets[u] + arc - starts[slot], into, up_to)
            sync_block()  # or a fast thread would load the next vertices while a slow one still reads these

    @wp.func
    def strip(state: SearchState, u: int, thread: int, threads: int, into: Ints, up_to: Ints):
        here = tail_dist(state, u)
        for arc in range(state.graph.offsets[u] + thread, state.graph.offsets[u + 1], threads):
            relax_arc(state, u, here, arc, into, up_to)

    @made.add
    def cta_warp_scan(state: SearchState, into: Ints, up_to: Ints):
        block, thread = wp.tid()
        count, threads = int(state.current[Cell.COUNT]), wp.block_dim()
        for first in range(block * threads, count, state.blocks * threads):
            mine = int(-1)
            degree = int(0)
            if first + thread < count:
                mine = state.worklist[first + thread]
                degree = state.graph.offsets[mine + 1] - state.graph.offsets[mine]

            wanted = int(-1)
            if degree >= CTA_ARCS:
                wanted = thread
            chosen = wp.tile_max(wp.tile(wanted))
            while chosen[0] >= 0:
                strip(state, state.worklist[first + chosen[0]], thread, threads, into, up_to)
                if thread == chosen[0]:
                    wanted = -1
                chosen = wp.tile_max(wp.tile(wanted))

            width = warp_width()
            if degree >= WARP_ARCS and degree < CTA_ARCS:
                wanted = thread
            winner = warp_max(wanted)
            while winner >= 0:
                strip(state, state.worklist[first + winner], thread % width, width, into, up_to)
                if thread == winner:
                    wanted = -1
                winner = warp_max(wanted)

            if degree >= WARP_ARCS:
                degree = 0
            degrees = wp.tile(degree)
            all = wp.tile_sum(degrees)[0]
            starts = wp.tile_scan_exclusive(degrees)
            copied = wp.tile_zeros(shape=VERTICES_OF_A_BLOCK, dtype=int, storage="shared")
            wp.tile_assign(copied, starts, offset=(0,))
            for arc in range(thread, all, threads):
                slot = last_up_to(copied, 0, wp.min(count - first, threads), arc)
                u = state.worklist[first + slot]
                relax_arc(state, u, tail_dist(state, u), state.graph.offsets[u] + arc - copied[slot], into, up_to)
            sync_block()

    @made.add
    def thread_per_list(state: SearchState, into: Ints, up_to: Ints):
        block, thread = wp.tid()
        for i in range(block * wp.block_dim() + thread, int(state.current[Cell.COUNT]), state.blocks * wp.block_dim()):
            strip(state, state.worklist[i], 0, 1, into, up_to)

    return made
