"""Who relaxes a vertex, by its degree: one thread, a warp, or all threads of a block.

The arcs of a vertex that several threads share are strided over them, so that lanes next to each other read arcs next
to each other. Emulated, a warp is as many threads of a block: so kernels that share vertices need no operations of
warps, and both kinds of device run the same code.
"""

import warp as wp

BY_THREAD, BY_WARP, BY_BLOCK, TIERS = 0, 1, 2, 3
"""The tiers, and how many there are."""

WARP = 32
"""Threads of a warp."""


@wp.func
def group_size(tier: int) -> int:
    """Return how many threads relax a vertex of a tier together."""
    size = int(1)
    if tier == BY_WARP:
        size = wp.min(wp.block_dim(), WARP)
    elif tier == BY_BLOCK:
        size = wp.block_dim()
    return size
