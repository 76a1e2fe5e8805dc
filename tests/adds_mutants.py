"""Kernels of ADDS that break one rule of its protocol each: see `Rules` in `pathfront/devices/gpu/kernels/adds.py`."""

from dataclasses import replace

import warp as wp

from pathfront.devices.gpu.kernels import adds_queue, atomics, collectives
from pathfront.devices.gpu.kernels.adds import Rules
from pathfront.devices.gpu.kernels.adds_queue import COUNTER_STRIDE, Queue, find, number_of, offset_of, segment_of
from pathfront.devices.gpu.kernels.adds_window import Window
from pathfront.devices.gpu.kernels.atomics import u32, u64


@wp.func
def builtin_minimum(state: wp.array(dtype=wp.uint32), v: int, dist: wp.uint32, parent: wp.uint32) -> bool:
    return dist < wp.atomic_min(state, v, dist)


@wp.func
def minimum_in_two_steps(state: wp.array(dtype=wp.uint32), v: int, dist: wp.uint32, parent: wp.uint32) -> bool:
    """Do what the builtin does on a CPU, with a delay between the steps."""
    better = dist < u32.load(state, v)
    if better:
        atomics.pause()
        u32.store(state, v, dist)
    return better


@wp.func
def count_nothing(written: wp.array(dtype=wp.uint32), segment: int):
    pass


@wp.func
def all_that_is_reserved(queue: Queue, bucket: int, start: wp.uint64) -> int:
    if number_of(queue, start) >= queue.installed[bucket]:
        return 0
    reserved = u64.load(queue.reserved, bucket * COUNTER_STRIDE)
    return int(wp.min(wp.max(reserved, start) - start, wp.uint64(1) << wp.uint64(queue.segment_bits)))


@wp.func
def all_that_is_counted(queue: Queue, bucket: int, start: wp.uint64) -> int:
    if number_of(queue, start) >= queue.installed[bucket]:
        return 0
    block = find(queue, bucket, number_of(queue, start))
    return int(u32.load_acquire(queue.written, segment_of(queue, block, offset_of(queue, start))))


@wp.func
def empty(queue: Queue, bucket: int) -> bool:
    return queue.read[bucket] == u64.load(queue.reserved, bucket * COUNTER_STRIDE)


@wp.func
def reserve_and_dawdle(a: wp.array(dtype=wp.uint64), row: int) -> wp.uint64:
    """Delay the write of the item."""
    index = u64.reserve(a, row)
    if index % wp.uint64(5) < wp.uint64(2):
        for _ in range(20):
            atomics.pause()
    return index


A_WHILE = 500_000
"""Nanoseconds."""


@wp.func
def wait(nanoseconds: int):
    began = collectives.clock()
    while collectives.clock() - began < wp.uint64(nanoseconds):
        atomics.pause()


@wp.func
def finished_after_a_while(queue: Queue, bucket: int) -> bool:
    """Check the buckets one after the other, with a delay in between."""
    wait(A_WHILE)
    return adds_queue.finished(queue, bucket)


@wp.func
def late_into_the_fourth(a: wp.array(dtype=wp.uint64), row: int) -> wp.uint64:
    """Push into the fourth bucket after the manager has checked three of them, and before it checks one more."""
    if row == 3 * COUNTER_STRIDE:
        wait(7 * A_WHILE // 2)
    return u64.reserve(a, row)


DAWDLING = Rules("adds_dawdling", reserve=reserve_and_dawdle)
LATE = Rules("adds_late", reserve=late_into_the_fourth, finished=finished_after_a_while)
"""These break no rule, but add delays that make races likelier."""

STALLED = Rules("adds_stalled", count_written=count_nothing)
"""Nothing is ever readable."""

MUTANTS = {
    "builtin_minimum": Rules("adds_builtin_minimum", improve=builtin_minimum),
    "minimum_in_two_steps": Rules("adds_minimum_in_two_steps", improve=minimum_in_two_steps),
    "no_counter": replace(
        DAWDLING, name="adds_no_counter", count_written=count_nothing, written_up_to=all_that_is_reserved
    ),
    "trust_the_counter": replace(DAWDLING, name="adds_trust_the_counter", written_up_to=all_that_is_counted),
    "retire_when_empty": Rules("adds_retire_when_empty", finished=empty),
}
"""For distances of uint32, without parents."""


@wp.func
def all_but_none(buckets: int) -> int:
    """Assign from the last bucket too, as from any other."""
    return wp.min(buckets, 4)


@wp.func
def never_early(dist: wp.uint32, window: Window, steps: int) -> bool:
    return False


UNORDERED = {
    "assign_the_clipped": Rules("adds_assign_the_clipped", most_urgent=all_but_none),
    "put_nothing_back": Rules("adds_put_nothing_back", is_early=never_early),
}
"""These find all distances, with more work; likewise for uint32, without parents."""
