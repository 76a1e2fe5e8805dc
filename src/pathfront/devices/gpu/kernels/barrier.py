"""Barriers: of the threads of a block, and of all blocks of a persistent kernel.

A grid-wide barrier has two cells for all blocks, how many have arrived and the phase, and one for each block, in which
its first thread stores whether to go on. Threads that each read the stop cell might disagree, and wait for each other
at different barriers. Once the kernel is asked to stop, no block waits any more.

`sync_grid` is the whole barrier. Where one thread must do something while all others wait, it is taken apart: the last
block to `arrive` does it before it calls `release`.
"""

import warp as wp

from pathfront.devices.gpu.kernels import atomics
from pathfront.devices.gpu.kernels.atomics import u32
from pathfront.devices.gpu.kernels.module import Uints
from pathfront.devices.gpu.persistent import STOP

_ARRIVED = 0
"""The cell that counts the blocks that have arrived."""

_PHASE = 1
"""The cell that counts how often the barrier was completed."""

_SHARED_CELLS = 2
"""Cells of all blocks; those of each block follow."""

sync_block = atomics.sync_block


def cells(blocks: int) -> int:
    """Return how many cells the barrier of so many blocks needs, all 0 at first."""
    return _SHARED_CELLS + blocks


@wp.func
def stopped(control: Uints) -> bool:
    """Return whether the kernel is asked to stop; threads of a block may read different values."""
    return u32.load(control, STOP) != wp.uint32(0)


@wp.func
def phase_of(barrier: Uints) -> wp.uint32:
    """Return the phase for `wait`; to be read before arriving."""
    return u32.load(barrier, _PHASE)


@wp.func
def arrive(barrier: Uints, blocks: int) -> bool:
    """Arrive, one thread for its block; True for the last block, which sees all writes and must `release`."""
    atomics.fence()
    if u32.fetch_add(barrier, _ARRIVED, wp.uint32(1)) != wp.uint32(blocks - 1):
        return False
    u32.store(barrier, _ARRIVED, wp.uint32(0))
    atomics.fence()
    return True


@wp.func
def release(barrier: Uints):
    """Complete the barrier; the waiting blocks see all writes made before."""
    u32.store_release(barrier, _PHASE, u32.load(barrier, _PHASE) + wp.uint32(1))


@wp.func
def wait(barrier: Uints, control: Uints, phase: wp.uint32):
    """Wait until the barrier is completed or the kernel is asked to stop."""
    while u32.load_acquire(barrier, _PHASE) == phase and not stopped(control):
        atomics.pause()


@wp.func
def should_continue(barrier: Uints, control: Uints, block: int, thread: int) -> bool:
    """Return whether to go on, the same for all threads of a block."""
    if thread == 0:
        atomics.fence()
        u32.store(barrier, _SHARED_CELLS + block, u32.load(control, STOP))
    sync_block()
    return u32.load(barrier, _SHARED_CELLS + block) == wp.uint32(0)


@wp.func
def sync_grid(barrier: Uints, control: Uints, blocks: int, block: int, thread: int) -> bool:
    """Wait until all threads of all blocks have arrived, and see what they wrote.

    Returns the same for all threads of a block: False if the kernel is asked to stop; others may not have arrived then.
    """
    sync_block()
    if thread == 0:
        phase = phase_of(barrier)
        if arrive(barrier, blocks):
            release(barrier)
        else:
            wait(barrier, control, phase)
    return should_continue(barrier, control, block, thread)
