"""All arcs of the graph at once: a thread takes a run of consecutive arcs, whose length follows from the graph."""

from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels import atomics
from pathfront.devices.gpu.kernels.state import ARCS, COUNT, EDGES, ITERATIONS, VERTICES, common, module_of
from pathfront.devices.gpu.kernels.traverse import last_up_to


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return the kernels for one type of distances."""
    shared, module = common(name, packed), module_of(name, packed)
    SearchState, number = shared.SearchState, shared.number  # noqa: N806, a type
    plus, dist_at, unreached = number.plus, number.dist_at, number.unreached
    lower, weight_of, store = shared.lower, shared.weight_of, atomics.of(wp.uint32).store

    @wp.kernel(module=module, enable_backward=False)
    def begin_pass(state: SearchState, changed: int):
        state.sizes[changed] = wp.uint32(0)
        state.current[COUNT] = wp.uint32(state.n)
        state.current[ARCS] = wp.uint32(state.heads.shape[0])
        state.counts[ITERATIONS] += wp.uint64(1)
        state.counts[VERTICES] += wp.uint64(state.n)
        state.counts[EDGES] += wp.uint64(state.heads.shape[0])

    @wp.kernel(module=module, enable_backward=False)
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

    return SimpleNamespace(begin_pass=begin_pass, relax_edges=relax_edges)
