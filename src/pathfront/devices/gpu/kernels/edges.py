"""All arcs of the graph at once: a thread takes a run of consecutive arcs, whose length follows from the graph; or the
arcs of all reached vertices, a thread for each.

A thread notes whether it lowered a distance. The notes of a block are combined, so that it writes the flag once.
"""

from functools import cache

import warp as wp

from pathfront.devices.gpu.kernels import atomics
from pathfront.devices.gpu.kernels.collectives import total_of_block
from pathfront.devices.gpu.kernels.csr import last_up_to, share_of
from pathfront.devices.gpu.kernels.module import Kernels
from pathfront.devices.gpu.kernels.state import Cell, Count, common, module_of


@cache
def of(name: str, packed: bool) -> Kernels:
    """Return the kernels for one type of distances."""
    shared, made = common(name, packed), Kernels(module_of(name, packed))
    SearchState, number = shared.SearchState, shared.number  # noqa: N806, a type
    plus, unreached, tail_dist, nowhere = number.plus, number.unreached, shared.tail_dist, number.nowhere
    lower, weight_of = shared.lower, number.weight_of
    store, add = atomics.u32.store, atomics.u32.fetch_add

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
        any = int(0)
        u = int(0)
        here = nowhere()
        if share[0] < share[1]:
            u = last_up_to(state.graph.offsets, 0, state.n, share[0])
            here = tail_dist(state, u)
        for arc in range(share[0], share[1]):
            while arc >= state.graph.offsets[u + 1]:
                u += 1
                here = tail_dist(state, u)
            if here != unreached and lower(state, u, state.graph.heads[arc], plus(here, weight_of(state.graph, arc))):
                any = 1
                if state.graph.heads[arc] == u:
                    here = tail_dist(state, u)
        if total_of_block(any) != 0:
            store(state.sizes, changed, wp.uint32(1))

    @made.add
    def begin_pass_over_vertices(state: SearchState, changed: int):
        state.sizes[changed] = wp.uint32(0)
        state.current[Cell.COUNT] = wp.uint32(0)
        state.current[Cell.ARCS] = wp.uint32(0)

    @made.add
    def relax_vertices(state: SearchState, changed: int):
        block, thread = wp.tid()
        any = int(0)
        vertices = int(0)
        arcs = int(0)
        for u in range(block * wp.block_dim() + thread, state.n, state.blocks * wp.block_dim()):
            here = tail_dist(state, u)
            state.starts[u] = 0  # a mark: this vertex has work
            if here != unreached:
                state.starts[u] = 1
                vertices += 1
                arcs += state.graph.offsets[u + 1] - state.graph.offsets[u]
                for arc in range(state.graph.offsets[u], state.graph.offsets[u + 1]):
                    if lower(state, u, state.graph.heads[arc], plus(here, weight_of(state.graph, arc))):
                        any = 1
        if total_of_block(any) != 0:
            store(state.sizes, changed, wp.uint32(1))
        of_block = total_of_block(vertices)
        arcs_of_block = total_of_block(arcs)
        if of_block != 0:
            add(state.current, Cell.COUNT, wp.uint32(of_block))
            add(state.current, Cell.ARCS, wp.uint32(arcs_of_block))

    @made.add
    def end_pass_over_vertices(state: SearchState):
        state.counts[Count.ITERATIONS] += wp.uint64(1)
        state.counts[Count.VERTICES] += wp.uint64(state.current[Cell.COUNT])
        state.counts[Count.EDGES] += wp.uint64(state.current[Cell.ARCS])

    return made
