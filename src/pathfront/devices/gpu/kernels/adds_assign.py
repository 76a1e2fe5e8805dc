"""How the manager of ADDS reads buckets, and assigns what is readable to the workers."""

from types import SimpleNamespace
from typing import Any

import warp as wp

from pathfront.devices.gpu.kernels.adds_queue import Coordination, Queue, U, drain
from pathfront.devices.gpu.kernels.adds_search import FLAG_STRIDE, LARGEST_RANGE, Assignment, Flag, Workers, search_of
from pathfront.devices.gpu.kernels.adds_window import Window, bucket_ahead
from pathfront.devices.gpu.kernels.atomics import i32, u32
from pathfront.devices.gpu.kernels.barrier import sync_block
from pathfront.devices.gpu.kernels.collectives import NONE, block_min

SEGMENTS_AT_ONCE = 64
"""The most segments of a bucket checked in one sweep, or the threads of the block if those are more."""


MOST_URGENT = 4
"""The most buckets that work is assigned from in one sweep."""


@wp.func
def most_urgent(buckets: int) -> int:
    """Return the most buckets that work is assigned from in one sweep: never the last, to which items are clipped."""
    return wp.clamp(buckets // 2, 1, MOST_URGENT)


@wp.func
def find_idle(queue: Queue, workers: Workers, thread: int) -> int:
    """List the workers that are idle, and return how many there are; for all threads."""
    if thread == 0:
        i32.store(queue.coordination, Coordination.IDLE_COUNT, 0)
    sync_block()
    for worker in range(1 + thread, workers.blocks, wp.block_dim()):
        # acquire: its last pushes are seen
        if u32.load_acquire(workers.flags, worker * FLAG_STRIDE) == wp.uint32(Flag.IDLE):
            workers.idle[i32.fetch_add(queue.coordination, Coordination.IDLE_COUNT, 1)] = worker
    sync_block()
    return i32.load(queue.coordination, Coordination.IDLE_COUNT)


def reading(written_up_to: Any, finished: Any) -> SimpleNamespace:
    """Return the functions that read buckets, by the rules for a segment and a bucket; for all threads."""

    @wp.func
    def readable(queue: Queue, bucket: int, segments: int, thread: int) -> int:
        """Return how many items after the read pointer are known to be written, in so many segments."""
        read = queue.read[bucket]
        segment = 1 << queue.segment_bits
        start = read & ~(U(segment) - U(1))
        end = segments * segment
        i = int(thread)
        while i < segments:
            here = written_up_to(queue, bucket, start + U(i) * U(segment))
            if here < segment:
                end = i * segment + here  # later segments do not count
                i = segments
            i += wp.block_dim()
        return wp.max(block_min(queue.min_cells, 0, end) - int(read - start), 0)

    @wp.func
    def advance(queue: Queue, window: Window, thread: int) -> int:
        """Return how far ahead the first unfinished bucket is, NONE if all are finished."""
        found = int(NONE)
        steps = int(thread)
        while steps < queue.buckets:
            if not finished(queue, bucket_ahead(window, steps)):
                found = steps
                steps = queue.buckets
            steps += wp.block_dim()
        return block_min(queue.min_cells, 0, found)

    return SimpleNamespace(readable=readable, advance=advance)


def assigning(name: str, packed: bool, readable: Any) -> Any:
    """Return the function that assigns work; for all threads."""
    Search = search_of(name, packed)  # noqa: N806, a type

    @wp.func
    def assign_from(
        search: Search, queue: Queue, workers: Workers, window: Window, steps: int, ready: int, idle: int, thread: int
    ) -> wp.vec2i:
        """Divide the readable items of a bucket among the last idle workers; return how many workers and items."""
        smallest = wp.min(1 << queue.segment_bits, LARGEST_RANGE)
        share = wp.min(wp.clamp(ready // (workers.blocks - 1), smallest, LARGEST_RANGE), ready)
        ranges = wp.min((ready + share - 1) // share, idle)
        taken = wp.min(ranges * share, ready)
        bucket = bucket_ahead(window, steps)
        start = queue.read[bucket]
        for i in range(thread, ranges, wp.block_dim()):
            worker = workers.idle[idle - 1 - i]
            assignment = Assignment()
            assignment.bucket = bucket
            assignment.steps = steps
            assignment.window = window
            assignment.start = start + U(i * share)
            assignment.count = wp.min(share, ready - i * share)
            workers.assignments[worker] = assignment
            search.limits[worker] = search.limits[0]
            # release: the worker sees the assignment, and the items in it
            u32.store_release(workers.flags, worker * FLAG_STRIDE, wp.uint32(Flag.ASSIGNED))
        sync_block()
        if thread == 0:
            drain(queue, bucket, start, start + U(taken))
            queue.read[bucket] = start + U(taken)
        sync_block()
        return wp.vec2i(ranges, taken)

    @wp.func
    def assign(
        search: Search, queue: Queue, workers: Workers, window: Window, most: int, urgent: int, thread: int
    ) -> wp.vec4i:
        """Assign readable items of the `urgent` nearest buckets to idle workers, the nearest first.

        Returns how many ranges were assigned, how many items, from how many buckets, and how many buckets are to be
        urgent next: one more, at most `most`, if a worker found nothing; one less, at least 1, if the last of them was
        not needed.
        """
        idle = find_idle(queue, workers, thread)
        left, items, used, steps = int(idle), int(0), int(0), int(0)
        while steps < urgent and left > 0:
            bucket = bucket_ahead(window, steps)
            enough = (LARGEST_RANGE * (left + 1) >> queue.segment_bits) + 1
            ready = readable(queue, bucket, wp.min(enough, wp.max(SEGMENTS_AT_ONCE, wp.block_dim())), thread)
            if ready > 0:
                assigned = assign_from(search, queue, workers, window, steps, ready, left, thread)
                left -= assigned[0]
                items += assigned[1]
                used = steps + 1
            else:
                steps += 1
        next = int(urgent)
        if left > 0:
            next = wp.min(urgent + 1, most)
        elif used < urgent:
            next = wp.max(urgent - 1, 1)
        return wp.vec4i(idle - left, items, used, next)

    return assign
