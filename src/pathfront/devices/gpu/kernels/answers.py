"""The results of a search: distances and parents as separate arrays, without vertices beyond the radius."""

from functools import cache

import warp as wp

from pathfront.devices.gpu.kernels.module import Kernels, Uints
from pathfront.devices.gpu.kernels.numbers import NO_VERTEX
from pathfront.devices.gpu.kernels.state import common, module_of


@cache
def of(name: str, packed: bool) -> Kernels:
    """Return the kernels for one type of distances."""
    shared, made = common(name, packed), Kernels(module_of(name, packed))
    SearchState, number = shared.SearchState, shared.number  # noqa: N806, a type
    dtype, unreached, dist_of, parent_of = number.dtype, number.unreached, number.dist_of, number.parent_of

    @made.add
    def write_answers(state: SearchState, radius: dtype, dist: wp.array(dtype=dtype), parent: Uints, has_parents: int):
        block, thread = wp.tid()
        for v in range(block * wp.block_dim() + thread, state.n, state.blocks * wp.block_dim()):
            word = state.words[v]
            beyond = dist_of(word) > radius
            dist[v] = dist_of(word)
            if beyond:
                dist[v] = unreached
            if has_parents != 0:
                parent[v] = parent_of(word)
                if beyond:
                    parent[v] = NO_VERTEX

    return made
