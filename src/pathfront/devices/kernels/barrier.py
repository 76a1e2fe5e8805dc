"""Waiting for each other: the lanes of a block, and all blocks of a persistent kernel.

`meet` has two cells for all blocks, how many have arrived and how many times all have met, and one for each block, in
which its first lane leaves for the others whether to go on: lanes that each looked for themselves might disagree, and
wait for each other at different places. Once the kernel shall stop nobody is waited for.
"""

import warp as wp

from pathfront.devices.kernels import atomics
from pathfront.devices.persistent import STOP

_word = atomics.of(wp.uint32)
_load, _store, _fetch_add = _word.load, _word.store, _word.fetch_add
_load_acquire, _store_release = _word.load_acquire, _word.store_release

_SHARED_CELLS = 2

# On a CPU lanes are fibers: each runs until it comes here, and then the next one does.
_SYNC = "WP_TILE_SYNC();"


@wp.func_native(_SYNC)
def sync_block():
    """Wait until all lanes of the block are here."""


def cells(blocks: int) -> int:
    """Return how many cells the barrier of so many blocks needs, all 0 at first."""
    return _SHARED_CELLS + blocks


@wp.func
def stopped(control: wp.array(dtype=wp.uint32)) -> bool:
    """Tell whether the kernel shall end; lanes of a block may be told different things."""
    return _load(control, STOP) != wp.uint32(0)


@wp.func
def meet(
    barrier: wp.array(dtype=wp.uint32), control: wp.array(dtype=wp.uint32), blocks: int, block: int, lane: int
) -> bool:
    """Wait until all lanes of all blocks are here, and see what they wrote; tell all lanes of the block the same.

    False if the kernel shall end; others may not have arrived then.
    """
    sync_block()
    if lane == 0:
        times = _load(barrier, 1)
        atomics.fence()
        if _fetch_add(barrier, 0, wp.uint32(1)) == wp.uint32(blocks - 1):
            _store(barrier, 0, wp.uint32(0))
            _store_release(barrier, 1, times + wp.uint32(1))
        else:
            while _load_acquire(barrier, 1) == times and not stopped(control):
                atomics.pause()
        atomics.fence()
        _store(barrier, 2 + block, _load(control, STOP))
    sync_block()
    return _load(barrier, 2 + block) == wp.uint32(0)
