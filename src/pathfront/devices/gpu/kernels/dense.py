"""Graphs stored as matrices: a block takes a row, its threads the entries; an unreached entry is no edge.

A pushed row is read as a whole. Of a pulled one only the entries of the queue's vertices are read, and only these count
as relaxed; on CPUs, which read 64 entries with a few instructions, it is read as a whole as well.
"""

from functools import cache

import warp as wp

from pathfront.devices.gpu.kernels import atomics
from pathfront.devices.gpu.kernels.module import Ints, Kernels
from pathfront.devices.gpu.kernels.state import Cell, Count, Flag, common, module_of


@cache
def of(name: str, packed: bool) -> Kernels:
    """Return the kernels for one type of distances."""
    shared, made = common(name, packed), Kernels(module_of(name, packed))
    SearchState, number, push, lower = shared.SearchState, shared.number, shared.push, shared.lower  # noqa: N806, a type
    dtype, unreached, plus = number.dtype, number.unreached, number.plus
    dist_of, dist_at, pack = number.dist_of, number.dist_at, number.pack
    fetch_add = atomics.of(wp.uint32).fetch_add

    @made.add
    def count_rows(state: SearchState):
        state.current[Cell.ARCS] = state.current[Cell.COUNT]  # rows: their entries may be more than 32 bits count
        state.counts[Count.EDGES] += wp.uint64(state.current[Cell.COUNT]) * wp.uint64(state.n)

    @made.add
    def relax_rows(state: SearchState, matrix: wp.array2d(dtype=dtype), into: int):
        block, thread = wp.tid()
        for i in range(block, int(state.current[Cell.COUNT]), state.blocks):
            u = state.worklist[i]
            here = dist_at(state.words, u)
            for v in range(thread, state.n, wp.block_dim()):
                if matrix[u, v] != unreached:
                    dist = plus(here, matrix[u, v])
                    if lower(state, u, v, dist):
                        push(state, into, v, dist)

    @made.add
    def pull_rows(state: SearchState, into: int, settled_in: Ints, matrix: wp.array2d(dtype=dtype)):
        block, thread = wp.tid()
        count = int(state.current[Cell.COUNT])
        for v in range(block * wp.block_dim() + thread, state.n, state.blocks * wp.block_dim()):
            if settled_in[v] != 0:
                continue
            fetch_add(state.current, Cell.SCANNED, wp.uint32(1))
            before = dist_of(state.words[v])
            best = before
            parent = int(0)
            for i in range(count):
                u = state.worklist[i]
                if matrix[v, u] != unreached:
                    dist = plus(dist_of(state.words[u]), matrix[v, u])
                    if dist == unreached:
                        state.flags[Flag.OVERFLOW] = 1
                    if dist < best:
                        best = dist
                        parent = u
            if best < before and best <= state.scalars[0]:
                state.words[v] = pack(best, wp.uint32(parent))
                push(state, into, v, best)

    return made
