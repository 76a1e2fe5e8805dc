"""Queues: starting, taking out, putting back, splitting, and finding the lowest."""

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
        block, lane = wp.tid()
        queues = state.tails.shape[0]
        for v in range(block * wp.block_dim() + lane, state.n, state.blocks * wp.block_dim()):
            state.words[v] = pack(unreached, NO_VERTEX)
            for queue in range(queues):
                state.at[queue, v] = unreached
        if state.hinting != 0:
            for v in range(block * wp.block_dim() + lane, state.n, state.blocks * wp.block_dim()):
                state.hints[v] = -1

    @wp.kernel(module=module, enable_backward=False)
    def start(
        state: SearchState, queue: int, sources: wp.array(dtype=wp.int32), source_count: wp.array(dtype=wp.int32)
    ):
        block, lane = wp.tid()
        for i in range(block * wp.block_dim() + lane, source_count[0], state.blocks * wp.block_dim()):
            state.words[sources[i]] = pack(dtype(0), NO_VERTEX)
            push(state, queue, sources[i], dtype(0))

    @wp.kernel(module=module, enable_backward=False)
    def take(state: SearchState, queue: int):
        block, lane = wp.tid()
        for i in range(block * wp.block_dim() + lane, int(state.tails[queue]), state.blocks * wp.block_dim()):
            v = state.items[queue, i]
            queued = state.at[queue, v]
            state.at[queue, v] = unreached
            if queued == dist_of(state.words[v]):
                place = reserve_arcs(state.work_tail, wp.uint32(state.offsets[v + 1] - state.offsets[v]))
                slot = int(place >> wp.uint64(32))
                state.work[slot] = v
                state.starts[slot] = int(place & LOWER_HALF)

    @wp.func
    def take_over(state: SearchState, queue: int):
        state.tails[queue] = wp.uint32(0)
        state.now[COUNT] = wp.uint32(state.work_tail[0] >> wp.uint64(32))
        state.now[ARCS] = wp.uint32(state.work_tail[0] & LOWER_HALF)
        state.work_tail[0] = wp.uint64(0)

    @wp.kernel(module=module, enable_backward=False)
    def taken(state: SearchState, queue: int):
        take_over(state, queue)

    @wp.kernel(module=module, enable_backward=False)
    def taken_to_relax(state: SearchState, queue: int):
        take_over(state, queue)
        if state.now[COUNT] > wp.uint32(0):  # an iteration that met nothing but the dead is none
            state.counts[ITERATIONS] += wp.uint64(1)
            state.counts[VERTICES] += wp.uint64(state.now[COUNT])
            state.counts[EDGES] += wp.uint64(state.now[ARCS])

    @wp.kernel(module=module, enable_backward=False)
    def put(state: SearchState, into: wp.array(dtype=wp.int32), up_to: wp.array(dtype=wp.int32)):
        block, lane = wp.tid()
        for i in range(block * wp.block_dim() + lane, int(state.now[COUNT]), state.blocks * wp.block_dim()):
            v = state.work[i]
            dist = dist_of(state.words[v])
            push(state, route(state, into, up_to, dist), v, dist)

    @wp.kernel(module=module, enable_backward=False)
    def put_back(state: SearchState, queue: int):
        block, lane = wp.tid()
        count = int(state.now[COUNT])
        for i in range(block * wp.block_dim() + lane, count, state.blocks * wp.block_dim()):
            v = state.work[i]
            state.at[queue, v] = dist_of(state.words[v])
            state.items[queue, i] = v
        if block == 0 and lane == 0:
            state.tails[queue] = wp.uint32(count)

    @wp.kernel(module=module, enable_backward=False)
    def forget_lowest(state: SearchState, scalar: int):
        state.scalars[scalar] = unreached

    @wp.kernel(module=module, enable_backward=False)
    def find_lowest(state: SearchState, scalar: int, lightest: wp.array(dtype=dtype)):
        block, lane = wp.tid()
        lowest = nowhere()
        for i in range(block * wp.block_dim() + lane, int(state.now[COUNT]), state.blocks * wp.block_dim()):
            v = state.work[i]
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
        taken=taken,
        taken_to_relax=taken_to_relax,
        put=put,
        put_back=put_back,
        forget_lowest=forget_lowest,
        find_lowest=find_lowest,
    )
