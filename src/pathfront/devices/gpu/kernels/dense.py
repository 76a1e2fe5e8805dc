"""Graphs that are kept as matrices: a block takes a row, its lanes the entries; what is unreached is no edge."""

from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels import atomics
from pathfront.devices.gpu.kernels.state import ARCS, COUNT, EDGES, LOOKED, OVERFLOW, common, module_of


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return the kernels for one type of distances."""
    shared, module = common(name, packed), module_of(name, packed)
    SearchState, number, push, lower = shared.SearchState, shared.number, shared.push, shared.lower  # noqa: N806, a type
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
    def count_rows(state: SearchState):
        state.now[ARCS] = state.now[COUNT]  # rows: their entries may be more than 32 bits count
        state.counts[EDGES] += wp.uint64(state.now[COUNT]) * wp.uint64(state.n)

    @wp.kernel(module=module, enable_backward=False)
    def relax_rows(state: SearchState, matrix: wp.array2d(dtype=dtype), into: int):
        block, lane = wp.tid()
        for i in range(block, int(state.now[COUNT]), state.blocks):
            u = state.work[i]
            here = dist_at(state.words, u)
            for v in range(lane, state.n, wp.block_dim()):
                if matrix[u, v] != unreached:
                    dist = plus(here, matrix[u, v])
                    if lower(state, u, v, dist):
                        push(state, into, v, dist)

    @wp.kernel(module=module, enable_backward=False)
    def pull_rows(state: SearchState, into: int, turns: wp.array(dtype=wp.int32), matrix: wp.array2d(dtype=dtype)):
        block, lane = wp.tid()
        count = int(state.now[COUNT])
        for v in range(block * wp.block_dim() + lane, state.n, state.blocks * wp.block_dim()):
            if turns[v] != 0:
                continue
            fetch_add(state.now, LOOKED, wp.uint32(1))
            before = dist_of(state.words[v])
            best = before
            parent = int(0)
            for i in range(count):
                u = state.work[i]
                if matrix[v, u] != unreached:
                    dist = plus(dist_of(state.words[u]), matrix[v, u])
                    if dist == unreached:
                        state.flags[OVERFLOW] = 1
                    if dist < best:
                        best = dist
                        parent = u
            if best < before and best <= state.scalars[0]:
                state.words[v] = pack(best, wp.uint32(parent))
                push(state, into, v, best)

    return SimpleNamespace(count_rows=count_rows, relax_rows=relax_rows, pull_rows=pull_rows)
