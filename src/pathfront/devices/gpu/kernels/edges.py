"""All arcs of the graph at once: a thread takes a run of consecutive arcs, whose length follows from the graph."""

from functools import cache

import warp as wp

from pathfront.devices.gpu.kernels import atomics
from pathfront.devices.gpu.kernels.csr import last_up_to, share_of
from pathfront.devices.gpu.kernels.module import Kernels
from pathfront.devices.gpu.kernels.state import Cell, Count, common, module_of


@cache
def of(name: str, packed: bool) -> Kernels:
    """Return the kernels for one type of distances."""
    shared, made = common(name, packed), Kernels(module_of(name, packed))
    SearchState, number = shared.SearchState, shared.number  # noqa: N806, a type
    plus, dist_at, unreached = number.plus, number.dist_at, number.unreached
    lower, weight_of, store = shared.lower, number.weight_of, atomics.of(wp.uint32).store

    @made.add
    def begin_pass(state: SearchState, changed: int):
        state.sizes[changed] = wp.uint32(0)
        state.current[Cell.COUNT] = wp.uint32(state.n)
        state.current[Cell.ARCS] = wp.uint32(state.graph.heads.shape[0])
        state.counts[Count.ITERATIONS] += wp.uint64(1)
        state.counts[Count.VERTICES] += wp.uint64(state.n)
        state.counts[Count.EDGES] += wp.uint64(state.graph.heads.shape[0])

    @made.add
    def relax_edges(state: SearchState, changed: int):
        block, thread = wp.tid()
        index, threads = block * wp.block_dim() + thread, state.blocks * wp.block_dim()
        share = share_of(state.graph.heads.shape[0], index, threads)
        if share[0] >= share[1]:
            return
        any = bool(False)
        u = last_up_to(state.graph.offsets, 0, state.n, share[0])
        here = dist_at(state.words, u)
        for arc in range(share[0], share[1]):
            while arc >= state.graph.offsets[u + 1]:
                u += 1
                here = dist_at(state.words, u)
            if here != unreached and lower(state, u, state.graph.heads[arc], plus(here, weight_of(state.graph, arc))):
                any = True
                if state.graph.heads[arc] == u:
                    here = dist_at(state.words, u)
        if any:
            store(state.sizes, changed, wp.uint32(1))

    return made
