"""Queues: starting, compacting into the worklist, putting back, splitting, and finding the lowest distance."""

from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels import atomics
from pathfront.devices.gpu.kernels.numbers import LOWER_HALF, NO_VERTEX
from pathfront.devices.gpu.kernels.state import ARCS, COUNT, EDGES, ITERATIONS, VERTICES, common, module_of


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return the kernels for one type of distances."""
    shared, module = common(name, packed), module_of(name, packed)
    number, SearchState, push, route = shared.number, shared.SearchState, shared.push, shared.route  # noqa: N806, a type
    dtype, unreached = number.dtype, number.unreached
    pack, dist_of, raised, nowhere = number.pack, number.dist_of, number.raised, number.nowhere
    reserve_arcs, fetch_min = atomics.reserve_arcs, atomics.of(dtype).fetch_min

    @wp.kernel(module=module, enable_backward=False)
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

    @wp.kernel(module=module, enable_backward=False)
    def start(
        state: SearchState, queue: int, sources: wp.array(dtype=wp.int32), source_count: wp.array(dtype=wp.int32)
    ):
        block, thread = wp.tid()
        for i in range(block * wp.block_dim() + thread, source_count[0], state.blocks * wp.block_dim()):
            state.words[sources[i]] = pack(dtype(0), NO_VERTEX)
            push(state, queue, sources[i], dtype(0))

    @wp.kernel(module=module, enable_backward=False)
    def take(state: SearchState, queue: int):
        block, thread = wp.tid()
        for i in range(block * wp.block_dim() + thread, int(state.sizes[queue]), state.blocks * wp.block_dim()):
            v = state.items[queue, i]
            queued = state.queued[queue, v]
            state.queued[queue, v] = unreached
            if queued == dist_of(state.words[v]):
                reserved = reserve_arcs(state.worklist_end, wp.uint32(state.offsets[v + 1] - state.offsets[v]))
                slot = int(reserved >> wp.uint64(32))
                state.worklist[slot] = v
                state.starts[slot] = int(reserved & LOWER_HALF)

    @wp.func
    def finish(state: SearchState, queue: int):
        state.sizes[queue] = wp.uint32(0)
        state.current[COUNT] = wp.uint32(state.worklist_end[0] >> wp.uint64(32))
        state.current[ARCS] = wp.uint32(state.worklist_end[0] & LOWER_HALF)
        state.worklist_end[0] = wp.uint64(0)

    @wp.kernel(module=module, enable_backward=False)
    def finish_take(state: SearchState, queue: int):
        finish(state, queue)

    @wp.kernel(module=module, enable_backward=False)
    def finish_take_to_relax(state: SearchState, queue: int):
        finish(state, queue)
        if state.current[COUNT] > wp.uint32(0):  # only stale entries: not an iteration
            state.counts[ITERATIONS] += wp.uint64(1)
            state.counts[VERTICES] += wp.uint64(state.current[COUNT])
            state.counts[EDGES] += wp.uint64(state.current[ARCS])

    @wp.kernel(module=module, enable_backward=False)
    def distribute(state: SearchState, into: wp.array(dtype=wp.int32), up_to: wp.array(dtype=wp.int32)):
        block, thread = wp.tid()
        for i in range(block * wp.block_dim() + thread, int(state.current[COUNT]), state.blocks * wp.block_dim()):
            v = state.worklist[i]
            dist = dist_of(state.words[v])
            push(state, route(state, into, up_to, dist), v, dist)

    @wp.kernel(module=module, enable_backward=False)
    def put_back(state: SearchState, queue: int):
        block, thread = wp.tid()
        count = int(state.current[COUNT])
        for i in range(block * wp.block_dim() + thread, count, state.blocks * wp.block_dim()):
            v = state.worklist[i]
            state.queued[queue, v] = dist_of(state.words[v])
            state.items[queue, i] = v
        if block == 0 and thread == 0:
            state.sizes[queue] = wp.uint32(count)

    @wp.kernel(module=module, enable_backward=False)
    def reset_lowest(state: SearchState, scalar: int):
        state.scalars[scalar] = unreached

    @wp.kernel(module=module, enable_backward=False)
    def find_lowest(state: SearchState, scalar: int, lightest: wp.array(dtype=dtype)):
        block, thread = wp.tid()
        lowest = nowhere()
        for i in range(block * wp.block_dim() + thread, int(state.current[COUNT]), state.blocks * wp.block_dim()):
            v = state.worklist[i]
            dist = dist_of(state.words[v])
            if lightest.shape[0] > 0:
                if lightest[v] == unreached:
                    continue  # no arc leaves it
                dist = raised(dist, lightest[v])
            lowest = wp.min(lowest, dist)
        if lowest != unreached:
            fetch_min(state.scalars, scalar, lowest)

    return SimpleNamespace(
        clear=clear,
        start=start,
        take=take,
        finish_take=finish_take,
        finish_take_to_relax=finish_take_to_relax,
        distribute=distribute,
        put_back=put_back,
        reset_lowest=reset_lowest,
        find_lowest=find_lowest,
    )
