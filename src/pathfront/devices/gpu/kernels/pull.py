"""Pulling: every vertex that was never in the queue scans its in-arcs for vertices of the queue.

Only a vertex's own thread writes its distance, so nothing is atomic. `settled_in` holds, for each vertex, the iteration
in which it was taken out of the queue, and so identifies those in the queue now. Where the queue has few arcs most
vertices would scan in vain: then the heads of its arcs are collected as candidates first, and only they scan.
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
    SearchState, number, push = shared.SearchState, shared.number, shared.push  # noqa: N806, a type
    unreached, plus, dist_of, pack = number.unreached, number.plus, number.dist_of, number.pack
    Csr, weight_of = number.Csr, number.weight_of  # noqa: N806, a type
    exchange, fetch_add, reserve = atomics.of(wp.int32).exchange, atomics.of(wp.uint32).fetch_add, atomics.u32.reserve

    @made.add
    def clear_marks(state: SearchState, settled_in: Ints, candidate_in: Ints):
        block, thread = wp.tid()
        for v in range(block * wp.block_dim() + thread, state.n, state.blocks * wp.block_dim()):
            settled_in[v] = 0
            candidate_in[v] = 0

    @made.add
    def begin_pull(state: SearchState):
        state.counts[Count.SETTLED] += wp.uint64(state.current[Cell.COUNT])
        if state.current[Cell.COUNT] > wp.uint32(0):
            state.counts[Count.ITERATIONS] += wp.uint64(1)
            state.counts[Count.VERTICES] += wp.uint64(state.current[Cell.COUNT])
        state.current[Cell.CANDIDATES] = wp.uint32(0)
        state.current[Cell.SCANNED] = wp.uint32(0)

    @wp.func
    def scans_all(state: SearchState) -> bool:
        return int(state.current[Cell.ARCS]) >= state.n // 4

    @made.add
    def mark_settled(state: SearchState, settled_in: Ints):
        block, thread = wp.tid()
        for i in range(block * wp.block_dim() + thread, int(state.current[Cell.COUNT]), state.blocks * wp.block_dim()):
            settled_in[state.worklist[i]] = int(state.counts[Count.ITERATIONS])

    @made.add
    def find_candidates(state: SearchState, settled_in: Ints, candidate_in: Ints, candidates: Ints):
        block, thread = wp.tid()
        if scans_all(state):
            return
        iteration = int(state.counts[Count.ITERATIONS])
        for i in range(block * wp.block_dim() + thread, int(state.current[Cell.COUNT]), state.blocks * wp.block_dim()):
            u = state.worklist[i]
            for arc in range(state.graph.offsets[u], state.graph.offsets[u + 1]):
                v = state.graph.heads[arc]
                if settled_in[v] == 0 and exchange(candidate_in, v, iteration) != iteration:
                    candidates[int(reserve(state.current, Cell.CANDIDATES))] = v

    @made.add
    def pull(state: SearchState, into: int, settled_in: Ints, candidates: Ints, reverse: Csr):
        block, thread = wp.tid()
        iteration = int(state.counts[Count.ITERATIONS])
        all = scans_all(state)
        count = int(state.current[Cell.CANDIDATES])
        if all:
            count = state.n
        scanned = int(0)
        for i in range(block * wp.block_dim() + thread, count, state.blocks * wp.block_dim()):
            v = i
            if not all:
                v = candidates[i]
            if settled_in[v] != 0:
                continue
            before = dist_of(state.words[v])
            best = before
            parent = int(0)
            for arc in range(reverse.offsets[v], reverse.offsets[v + 1]):
                u = reverse.heads[arc]
                if settled_in[u] == iteration:
                    dist = plus(dist_of(state.words[u]), weight_of(reverse, arc))
                    if dist == unreached:
                        state.flags[Flag.OVERFLOW] = 1
                    if dist < best:
                        best = dist
                        parent = u
            scanned += reverse.offsets[v + 1] - reverse.offsets[v]
            if best < before and best <= state.scalars[0]:
                state.words[v] = pack(best, wp.uint32(parent))
                push(state, into, v, best)
        if scanned > 0:
            fetch_add(state.current, Cell.SCANNED, wp.uint32(scanned))

    @made.add
    def end_pull(state: SearchState, rows: int):
        state.current[Cell.ARCS] = state.current[Cell.SCANNED]
        each = wp.uint32(1)  # an arc, or a row of which the queue's entries were read
        if rows != 0:
            each = state.current[Cell.COUNT]
        state.counts[Count.EDGES] += wp.uint64(state.current[Cell.SCANNED]) * wp.uint64(each)

    return made
