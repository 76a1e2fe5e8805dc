"""Waiting for each other: the lanes of a block, and all blocks of a persistent kernel.

A barrier has two cells for all blocks, how many have arrived and how many times all have met, and one for each block,
in which its first lane leaves for the others whether to go on: lanes that each looked for themselves might disagree,
and wait for each other at different places. Once the kernel shall stop nobody is waited for.

`meet` is the whole of it. Where something has to be done by one lane while all others wait, `meet` is taken apart: the
last to `arrive` does it before it calls `release`.
"""

import warp as wp

from pathfront.devices.gpu.kernels import atomics
from pathfront.devices.gpu.persistent import STOP

_word = atomics.of(wp.uint32)
_load, _store, _fetch_add = _word.load, _word.store, _word.fetch_add
_load_acquire, _store_release = _word.load_acquire, _word.store_release

_ARRIVED, _TIMES, _SHARED_CELLS = 0, 1, 2

sync_block = atomics.sync
"""Wait until all lanes of the block are here; on a CPU each runs until it comes here, and then the next one does."""


def cells(blocks: int) -> int:
    """Return how many cells the barrier of so many blocks needs, all 0 at first."""
    return _SHARED_CELLS + blocks


@wp.func
def stopped(control: wp.array(dtype=wp.uint32)) -> bool:
    """Tell whether the kernel shall end; lanes of a block may be told different things."""
    return _load(control, STOP) != wp.uint32(0)


@wp.func
def times_met(barrier: wp.array(dtype=wp.uint32)) -> wp.uint32:
    """Return what `wait` needs; to be asked before arriving."""
    return _load(barrier, _TIMES)


@wp.func
def arrive(barrier: wp.array(dtype=wp.uint32), blocks: int) -> bool:
    """Come to the barrier, for a whole block; True for the last to come, who sees what all wrote and must `release`."""
    atomics.fence()
    if _fetch_add(barrier, _ARRIVED, wp.uint32(1)) != wp.uint32(blocks - 1):
        return False
    _store(barrier, _ARRIVED, wp.uint32(0))
    atomics.fence()
    return True


@wp.func
def release(barrier: wp.array(dtype=wp.uint32)):
    """Let all go on, who see what was written before."""
    _store_release(barrier, _TIMES, _load(barrier, _TIMES) + wp.uint32(1))


@wp.func
def wait(barrier: wp.array(dtype=wp.uint32), control: wp.array(dtype=wp.uint32), times: wp.uint32):
    """Wait until the last one has come, or the kernel shall end."""
    while _load_acquire(barrier, _TIMES) == times and not stopped(control):
        atomics.pause()


@wp.func
def agree(barrier: wp.array(dtype=wp.uint32), control: wp.array(dtype=wp.uint32), block: int, lane: int) -> bool:
    """Tell all lanes of a block the same: whether to go on."""
    if lane == 0:
        atomics.fence()
        _store(barrier, _SHARED_CELLS + block, _load(control, STOP))
    sync_block()
    return _load(barrier, _SHARED_CELLS + block) == wp.uint32(0)


@wp.func
def meet(
    barrier: wp.array(dtype=wp.uint32), control: wp.array(dtype=wp.uint32), blocks: int, block: int, lane: int
) -> bool:
    """Wait until all lanes of all blocks are here, and see what they wrote; tell all lanes of the block the same.

    False if the kernel shall end; others may not have arrived then.
    """
    sync_block()
    if lane == 0:
        times = times_met(barrier)
        if arrive(barrier, blocks):
            release(barrier)
        else:
            wait(barrier, control, times)
    return agree(barrier, control, block, lane)
