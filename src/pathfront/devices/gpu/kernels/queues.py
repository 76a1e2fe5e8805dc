"""Queues: starting, compacting into the worklist, putting back, splitting, and finding the lowest distance."""

from functools import cache

import warp as wp

from pathfront.devices.gpu.kernels import atomics, collectives
from pathfront.devices.gpu.kernels.module import Ints, Kernels
from pathfront.devices.gpu.kernels.numbers import LOWER_HALF, NO_VERTEX
from pathfront.devices.gpu.kernels.state import Cell, Count, common, module_of


@cache
def of(name: str, packed: bool) -> Kernels:
    """Return the kernels for one type of distances."""
    shared, made = common(name, packed), Kernels(module_of(name, packed))
    number, SearchState, push, route = shared.number, shared.SearchState, shared.push, shared.route  # noqa: N806, a type
    dtype, unreached = number.dtype, number.unreached
    pack, dist_of, raised, nowhere = number.pack, number.dist_of, number.raised, number.nowhere
    reserve_arcs, fetch_min = atomics.reserve_arcs, atomics.of(dtype).fetch_min
    least = collectives.least_of_block(dtype)

    @made.add
    def clear(state: SearchState):
        block, thread = wp.tid()
        queues = state.sizes.shape[0]
        for v in range(block * wp.block_dim() + thread, state.n, state.blocks * wp.block_dim()):
            state.words[v] = pack(unreached, NO_VERTEX)
            for queue in range(queues):
                state.queued[queue, v] = unreached
        if state.hinting != 0:
            for v in range(block * wp.block_dim() + thread, state.n, state.blocks * wp.block_dim()):
                state.hints[v] = -1

    @made.add
    def start(state: SearchState, queue: int, sources: Ints, source_count: Ints):
        block, thread = wp.tid()
        for i in range(block * wp.block_dim() + thread, source_count[0], state.blocks * wp.block_dim()):
            state.words[sources[i]] = pack(dtype(0), NO_VERTEX)
            push(state, queue, sources[i], dtype(0))

    @made.add
    def take(state: SearchState, queue: int):
        block, thread = wp.tid()
        for i in range(block * wp.block_dim() + thread, int(state.sizes[queue]), state.blocks * wp.block_dim()):
            v = state.items[queue, i]
            queued = state.queued[queue, v]
            state.queued[queue, v] = unreached
            if queued == dist_of(state.words[v]):
                reserved = reserve_arcs(
                    state.worklist_end, wp.uint32(state.graph.offsets[v + 1] - state.graph.offsets[v])
                )
                slot = int(reserved >> wp.uint64(32))
                state.worklist[slot] = v
                state.starts[slot] = int(reserved & LOWER_HALF)

    @wp.func
    def finish(state: SearchState, queue: int):
        state.current[Cell.COUNT] = wp.uint32(state.worklist_end[0] >> wp.uint64(32))
        state.counts[Count.DISCARDED] += wp.uint64(state.sizes[queue] - state.current[Cell.COUNT])
        state.sizes[queue] = wp.uint32(0)
        state.current[Cell.ARCS] = wp.uint32(state.worklist_end[0] & LOWER_HALF)
        state.worklist_end[0] = wp.uint64(0)

    @made.add
    def finish_take(state: SearchState, queue: int):
        finish(state, queue)

    @made.add
    def finish_take_to_relax(state: SearchState, queue: int):
        finish(state, queue)
        if state.current[Cell.COUNT] > wp.uint32(0):  # only stale entries: not an iteration
            state.counts[Count.ITERATIONS] += wp.uint64(1)
            state.counts[Count.VERTICES] += wp.uint64(state.current[Cell.COUNT])
            state.counts[Count.EDGES] += wp.uint64(state.current[Cell.ARCS])

    @made.add
    def distribute(state: SearchState, into: Ints, up_to: Ints):
        block, thread = wp.tid()
        for i in range(block * wp.block_dim() + thread, int(state.current[Cell.COUNT]), state.blocks * wp.block_dim()):
            v = state.worklist[i]
            dist = dist_of(state.words[v])
            push(state, route(state, into, up_to, dist), v, dist)

    @made.add
    def put_back(state: SearchState, queue: int):
        block, thread = wp.tid()
        count = int(state.current[Cell.COUNT])
        for i in range(block * wp.block_dim() + thread, count, state.blocks * wp.block_dim()):
            v = state.worklist[i]
            state.queued[queue, v] = dist_of(state.words[v])
            state.items[queue, i] = v
        if block == 0 and thread == 0:
            state.sizes[queue] = wp.uint32(count)

    @made.add
    def reset_lowest(state: SearchState, scalar: int):
        state.scalars[scalar] = unreached

    @made.add
    def find_lowest(state: SearchState, scalar: int, lightest: wp.array(dtype=dtype)):
        block, thread = wp.tid()
        lowest = nowhere()
        for i in range(block * wp.block_dim() + thread, int(state.current[Cell.COUNT]), state.blocks * wp.block_dim()):
            v = state.worklist[i]
            dist = dist_of(state.words[v])
            if lightest.shape[0] == 0:
                lowest = wp.min(lowest, dist)
            elif lightest[v] != unreached:  # else no arc leaves it
                lowest = wp.min(lowest, raised(dist, lightest[v]))
        of_block = least(lowest, unreached)
        if of_block != unreached:
            fetch_min(state.scalars, scalar, of_block)

    @made.add
    def freeze_worklist(state: SearchState):
        block, thread = wp.tid()
        for i in range(block * wp.block_dim() + thread, int(state.current[Cell.COUNT]), state.blocks * wp.block_dim()):
            state.frozen[state.worklist[i]] = dist_of(state.words[state.worklist[i]])

    @made.add
    def freeze_all(state: SearchState):
        block, thread = wp.tid()
        for v in range(block * wp.block_dim() + thread, state.n, state.blocks * wp.block_dim()):
            state.frozen[v] = dist_of(state.words[v])

    return made
