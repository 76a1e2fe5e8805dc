"""Small persistent kernels for tests, and what replaces parts of real ones to see that tests notice.

Warp reads annotations as they are, so this file must not postpone them.
"""

import warp as wp

from pathfront.devices.gpu.kernels import atomics, barrier
from pathfront.devices.gpu.persistent import HEARTBEAT

_word = atomics.of(wp.uint32)
_load, _exchange, _fetch_add = _word.load, _word.exchange, _word.fetch_add


def counting(module, sync_grid=barrier.sync_grid):
    """Return a kernel whose threads all count in each round, synchronise, and check that all threads have counted."""

    @wp.kernel(enable_backward=False, module=wp.get_module(module))
    def count(
        first: int,
        control: wp.array(dtype=wp.uint32),
        blocks: int,
        threads: int,
        cells: wp.array(dtype=wp.uint32),
        counts: wp.array(dtype=wp.uint32),
        misses: wp.array(dtype=wp.uint32),
    ):
        among, thread = wp.tid()
        for round in range(counts.shape[0]):
            _fetch_add(counts, round, wp.uint32(1))
            if not sync_grid(cells, control, blocks, first + among, thread):
                return
            if _load(counts, round) != wp.uint32(blocks * threads):
                _fetch_add(misses, 0, wp.uint32(1))
            _fetch_add(control, HEARTBEAT, wp.uint32(1))

    return count


@wp.func
def meet_without_waiting(
    cells: wp.array(dtype=wp.uint32), control: wp.array(dtype=wp.uint32), blocks: int, block: int, thread: int
) -> bool:
    barrier.sync_block()
    if thread == 0 and barrier.arrive(cells, blocks):
        barrier.release(cells)
    return barrier.should_continue(cells, control, block, thread)


@wp.func
def meet_without_the_block(
    cells: wp.array(dtype=wp.uint32), control: wp.array(dtype=wp.uint32), blocks: int, block: int, thread: int
) -> bool:
    if thread == 0:
        phase = barrier.phase_of(cells)
        if barrier.arrive(cells, blocks):
            barrier.release(cells)
        else:
            barrier.wait(cells, control, phase)
    return not barrier.stopped(control)


def stalling(module):
    """Return a kernel whose second block never arrives at the barrier."""

    @wp.kernel(enable_backward=False, module=wp.get_module(module))
    def stall(first: int, control: wp.array(dtype=wp.uint32), blocks: int, cells: wp.array(dtype=wp.uint32)):
        among, thread = wp.tid()
        if first + among != 1:
            barrier.sync_grid(cells, control, blocks, first + among, thread)

    return stall


def descending(module, fetch_min=_word.fetch_min):
    """Return a kernel whose blocks all lower one number, and check that it is as low as they left it."""

    @wp.kernel(enable_backward=False, module=wp.get_module(module))
    def descend(
        first: int,
        control: wp.array(dtype=wp.uint32),
        blocks: int,
        rounds: int,
        cells: wp.array(dtype=wp.uint32),
        number: wp.array(dtype=wp.uint32),
        misses: wp.array(dtype=wp.uint32),
    ):
        among, thread = wp.tid()
        barrier.sync_grid(cells, control, blocks, first + among, thread)
        for _round in range(rounds):
            mine = _load(number, 0) - wp.uint32(1)
            fetch_min(number, 0, mine)
            if _load(number, 0) > mine:
                _fetch_add(misses, 0, wp.uint32(1))
        _fetch_add(control, HEARTBEAT, wp.uint32(1))

    return descend


@wp.func_native("""
    int sleep_some(unsigned) __asm__("usleep");
    sleep_some(20);
""")
def sleep(): ...


@wp.func
def fetch_min_in_two_steps(a: wp.array(dtype=wp.uint32), i: int, v: wp.uint32) -> wp.uint32:
    """Lower a number by a load and a store: what another thread stores between them is lost.

    Warp's own minimum does the same on a CPU. Threads sleep between the steps, so that they alternate on one core, too.
    """
    before = _load(a, i)
    sleep()
    if v < before:
        _word.store(a, i, v)
    sleep()
    return before


def builtin_minimum(numbers):
    """Return `improve` by Warp's own minimum, which on a CPU loses what two threads do at once."""
    dtype = numbers.dtype

    @wp.func
    def improve(state: wp.array(dtype=dtype), v: int, dist: dtype, parent: wp.uint32) -> bool:
        return dist < wp.atomic_min(state, v, dist)

    return improve


@wp.func
def insert_only_once(
    queues: wp.array2d(dtype=wp.int32),
    row: int,
    cells: wp.array(dtype=wp.uint32),
    count: int,
    tags: wp.array(dtype=wp.uint32),
    tag: wp.uint32,
    v: int,
):
    """Add a vertex to a set in which it has never been: its tag is never out of date."""
    if _exchange(tags, v, wp.uint32(1)) == wp.uint32(0):
        queues[row, int(atomics.u32.reserve(cells, count))] = v
