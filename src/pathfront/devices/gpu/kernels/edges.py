"""All arcs of the graph at once: a thread takes a run of consecutive arcs, whose length follows from the graph."""

from functools import cache

import warp as wp

from pathfront.devices.gpu.kernels import atomics
from pathfront.devices.gpu.kernels.module import Kernels
from pathfront.devices.gpu.kernels.state import Cell, Count, common, module_of
from pathfront.devices.gpu.kernels.traverse import last_up_to


@cache
def of(name: str, packed: bool) -> Kernels:
    """Return the kernels for one type of distances."""
    shared, made = common(name, packed), Kernels(module_of(name, packed))
    SearchState, number = shared.SearchState, shared.number  # noqa: N806, a type
    plus, dist_at, unreached = number.plus, number.dist_at, number.unreached
    lower, weight_of, store = shared.lower, shared.weight_of, atomics.of(wp.uint32).store

    @made.add
    def begin_pass(state: SearchState, changed: int):
        state.sizes[changed] = wp.uint32(0)
        state.current[Cell.COUNT] = wp.uint32(state.n)
        state.current[Cell.ARCS] = wp.uint32(state.heads.shape[0])
        state.counts[Count.ITERATIONS] += wp.uint64(1)
        state.counts[Count.VERTICES] += wp.uint64(state.n)
        state.counts[Count.EDGES] += wp.uint64(state.heads.shape[0])

    @made.add
    def relax_edges(state: SearchState, changed: int):
        block, thread = wp.tid()
        arcs = state.heads.shape[0]
        threads = state.blocks * wp.block_dim()
        run = (arcs + threads - 1) // threads
        begin = wp.min((block * wp.block_dim() + thread) * run, arcs)
        end = wp.min(begin + run, arcs)
        if begin >= end:
            return
        any = bool(False)
        u = last_up_to(state.offsets, 0, state.n, begin)
        here = dist_at(state.words, u)
        for arc in range(begin, end):
            while arc >= state.offsets[u + 1]:
                u += 1
                here = dist_at(state.words, u)
            if here != unreached and lower(state, u, state.heads[arc], plus(here, weight_of(state, arc))):
                any = True
                if state.heads[arc] == u:
                    here = dist_at(state.words, u)
        if any:
            store(state.sizes, changed, wp.uint32(1))

    return made
