"""From the other end: every vertex that was never in the queue looks for the queue's vertices among its in-arcs.

Only a vertex's own lane writes its distance, so nothing is atomic. Whether a vertex is in the queue at this moment is
told by a number, that of the turn in which it was taken out of it. Where the queue is small most vertices would look
in vain: then those that it has arcs to are called first, and only they look.
"""

from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels import atomics
from pathfront.devices.gpu.kernels.state import (
    ARCS,
    CALLED,
    COUNT,
    EDGES,
    ITERATIONS,
    LOOKED,
    OVERFLOW,
    SETTLED,
    VERTICES,
    common,
    module_of,
)


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return the kernels for one type of distances."""
    shared, module = common(name, packed), module_of(name, packed)
    SearchState, number, push = shared.SearchState, shared.number, shared.push  # noqa: N806, a type
    dtype, unreached, plus, dist_of, pack = (
        number.dtype,
        number.unreached,
        number.plus,
        number.dist_of,
        number.pack,
    )

    exchange, fetch_add, reserve = atomics.of(wp.int32).exchange, atomics.of(wp.uint32).fetch_add, atomics.reserve

    @wp.kernel(module=module, enable_backward=False)
    def open_all(state: SearchState, turns: wp.array(dtype=wp.int32), called_in: wp.array(dtype=wp.int32)):
        block, lane = wp.tid()
        for v in range(block * wp.block_dim() + lane, state.n, state.blocks * wp.block_dim()):
            turns[v] = 0
            called_in[v] = 0

    @wp.kernel(module=module, enable_backward=False)
    def begin_turn(state: SearchState):
        state.counts[SETTLED] += wp.uint64(state.now[COUNT])
        if state.now[COUNT] > wp.uint32(0):
            state.counts[ITERATIONS] += wp.uint64(1)
            state.counts[VERTICES] += wp.uint64(state.now[COUNT])
        state.now[CALLED] = wp.uint32(0)
        state.now[LOOKED] = wp.uint32(0)

    @wp.func
    def all_look(state: SearchState) -> bool:
        return int(state.now[ARCS]) >= state.n // 4

    @wp.kernel(module=module, enable_backward=False)
    def mark(state: SearchState, turns: wp.array(dtype=wp.int32)):
        block, lane = wp.tid()
        for i in range(block * wp.block_dim() + lane, int(state.now[COUNT]), state.blocks * wp.block_dim()):
            turns[state.work[i]] = int(state.counts[ITERATIONS])

    @wp.kernel(module=module, enable_backward=False)
    def call(
        state: SearchState,
        turns: wp.array(dtype=wp.int32),
        called_in: wp.array(dtype=wp.int32),
        called: wp.array(dtype=wp.int32),
    ):
        block, lane = wp.tid()
        if all_look(state):
            return
        turn = int(state.counts[ITERATIONS])
        for i in range(block * wp.block_dim() + lane, int(state.now[COUNT]), state.blocks * wp.block_dim()):
            u = state.work[i]
            for arc in range(state.offsets[u], state.offsets[u + 1]):
                v = state.heads[arc]
                if turns[v] == 0 and exchange(called_in, v, turn) != turn:
                    called[int(reserve(state.now, CALLED))] = v

    @wp.kernel(module=module, enable_backward=False)
    def pull(
        state: SearchState,
        into: int,
        turns: wp.array(dtype=wp.int32),
        called: wp.array(dtype=wp.int32),
        offsets: wp.array(dtype=wp.int32),
        tails: wp.array(dtype=wp.int32),
        weights: wp.array(dtype=dtype),
    ):
        block, lane = wp.tid()
        turn = int(state.counts[ITERATIONS])
        all = all_look(state)
        count = int(state.now[CALLED])
        if all:
            count = state.n
        looked = int(0)
        for i in range(block * wp.block_dim() + lane, count, state.blocks * wp.block_dim()):
            v = i
            if not all:
                v = called[i]
            if turns[v] != 0:
                continue
            before = dist_of(state.words[v])
            best = before
            parent = int(0)
            for arc in range(offsets[v], offsets[v + 1]):
                u = tails[arc]
                if turns[u] == turn:
                    weight = dtype(1)
                    if state.unit == 0:
                        weight = weights[arc]
                    dist = plus(dist_of(state.words[u]), weight)
                    if dist == unreached:
                        state.flags[OVERFLOW] = 1
                    if dist < best:
                        best = dist
                        parent = u
            looked += offsets[v + 1] - offsets[v]
            if best < before and best <= state.scalars[0]:
                state.words[v] = pack(best, wp.uint32(parent))
                push(state, into, v, best)
        if looked > 0:
            fetch_add(state.now, LOOKED, wp.uint32(looked))

    @wp.kernel(module=module, enable_backward=False)
    def end_turn(state: SearchState, each: int):
        state.now[ARCS] = state.now[LOOKED]
        state.counts[EDGES] += wp.uint64(state.now[LOOKED]) * wp.uint64(each)

    return SimpleNamespace(open_all=open_all, begin_turn=begin_turn, mark=mark, call=call, pull=pull, end_turn=end_turn)
