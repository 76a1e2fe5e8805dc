"""The workers of ADDS, thread blocks: they relax assigned items and push improved vertices; they never read a bucket.

An item that lies beyond the bucket it was assigned from is not relaxed but pushed again, into its bucket by the
assignment's window: items that were clipped to the last bucket, and those of a time when delta was larger. That bucket
is always farther ahead, and the push is made before the assignment is completed, as every other.

A block's threads share an assignment. Vertices of few arcs are relaxed by one thread each, those of more by a warp, and
hubs by the whole block, with their arcs strided over the threads. Each push is made at once: the lanes of a warp that
push into the same bucket at the same time increment its reservation pointer once for all of them, and likewise the
write-completed counters. All pushes are made before the assignment is completed, so that a reader of the completed-work
counter sees them.
"""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pathfront.devices.gpu.kernels import adds_window, atomics, numbers
from pathfront.devices.gpu.kernels.adds_queue import (
    COUNTER_STRIDE,
    Coordination,
    Queue,
    U,
    complete,
    find,
    number_of,
    offset_of,
    segment_of,
)
from pathfront.devices.gpu.kernels.adds_search import (
    FLAG_STRIDE,
    LARGEST_RANGE,
    Assignment,
    Count,
    Flag,
    Workers,
    search_of,
)
from pathfront.devices.gpu.kernels.adds_window import Window, bucket_ahead
from pathfront.devices.gpu.kernels.atomics import i32, u32, u64
from pathfront.devices.gpu.kernels.barrier import stopped, sync_block
from pathfront.devices.gpu.kernels.collectives import block_sum, broadcast, clock
from pathfront.devices.gpu.kernels.module import Uints
from pathfront.devices.gpu.kernels.tiers import BY_BLOCK, BY_THREAD, BY_WARP, TIERS, group_size
from pathfront.devices.gpu.persistent import HEARTBEAT

FEW = 8
"""The most arcs of a vertex that one thread relaxes."""

MANY = 8
"""Arcs per thread of the block from which a vertex is a hub."""

AT_ONCE = 256
"""Arcs that a thread relaxes between two checks of the stop cell."""


Counts = wp.types.vector(length=6, dtype=int)
"""The counts of a thread, the first of `Count`."""


@wp.func
def wait_for_assignment(workers: Workers, control: Uints, worker: int) -> int:
    """Poll the worker's flag until it is not Flag.IDLE, and return it; for one thread."""
    value = int(Flag.IDLE)
    while value == Flag.IDLE:
        value = int(u32.load(workers.flags, worker * FLAG_STRIDE))
        if value == Flag.IDLE:
            if stopped(control):
                value = Flag.LEAVE
            else:
                atomics.pause()
    atomics.fence()  # an acquire: the assignment is seen, and the items in it
    return value


@wp.func
def defer(workers: Workers, worker: int, degree: int, item: int) -> bool:
    """Defer a vertex of many arcs to a warp, or a hub to the block; hubs are listed from the other end."""
    if wp.block_dim() == 1 or degree <= FEW:
        return False
    if degree < MANY * wp.block_dim():
        slot = int(u32.fetch_add(workers.hub_counts, worker * FLAG_STRIDE + BY_WARP, wp.uint32(1)))
        workers.hubs[worker * LARGEST_RANGE + slot] = item
    else:
        slot = int(u32.fetch_add(workers.hub_counts, worker * FLAG_STRIDE + BY_BLOCK, wp.uint32(1)))
        workers.hubs[(worker + 1) * LARGEST_RANGE - 1 - slot] = item
    return True


@wp.func
def item_of(workers: Workers, worker: int, tier: int, i: int) -> int:
    """Return the index in the range of the i-th item of a tier."""
    item = i
    if tier == BY_WARP:
        item = workers.hubs[worker * LARGEST_RANGE + i]
    elif tier == BY_BLOCK:
        item = workers.hubs[(worker + 1) * LARGEST_RANGE - 1 - i]
    return item


@wp.func
def count_of(workers: Workers, assignment: Assignment, worker: int, tier: int) -> int:
    """Return how many items a tier has."""
    count = assignment.count
    if tier > BY_THREAD:
        count = int(u32.load(workers.hub_counts, worker * FLAG_STRIDE + tier))
    return count


@wp.func
def publish(queue: Queue, workers: Workers, worker: int, thread: int, counts: Counts):
    """Add the threads' counts to the worker's; for all threads."""
    cell = int(Count.VERTICES)
    while cell <= Count.RESORTED:  # not a range, which would be unrolled
        sum = block_sum(queue.sum_cells, worker, U(counts[cell]))
        if thread == 0:
            u64.fetch_add(workers.counts, worker * COUNTER_STRIDE + cell, sum)
        cell += 1


@wp.func
def finish(queue: Queue, workers: Workers, control: Uints, worker: int, nanoseconds: wp.uint64):
    """Complete an assignment and set the flag to Flag.IDLE; for one thread, after all have finished."""
    u64.fetch_add(workers.counts, worker * COUNTER_STRIDE + Count.NANOSECONDS, nanoseconds)
    u64.fetch_add(workers.counts, worker * COUNTER_STRIDE + Count.ASSIGNMENTS, U(1))
    u32.fetch_add(control, HEARTBEAT, wp.uint32(1))
    if not stopped(control):  # else something may have been dropped
        assignment = workers.assignments[worker]
        complete(queue, assignment.bucket, assignment.start, assignment.count)
    # release: a reader of Flag.IDLE sees the pushes
    u32.store_release(workers.flags, worker * FLAG_STRIDE, wp.uint32(Flag.IDLE))


@wp.func
def item_at(queue: Queue, bucket: int, index: wp.uint64) -> int:
    """Return the index of an assigned item: its block exists, but may not be found at once."""
    block = int(-1)
    while block < 0:
        block = find(queue, bucket, number_of(queue, index))
    return (block << queue.block_bits) + offset_of(queue, index)


def pushing(name: str, packed: bool, reserve: Any, count_written: Any) -> Any:
    """Return the function that pushes items."""
    dtype, ahead_of, access = numbers.TYPES[name], adds_window.of(name).ahead_of, atomics.of(numbers.TYPES[name])
    load, fetch_min = access.load, access.fetch_min
    Search = search_of(name, packed)  # noqa: N806, a type

    @wp.func
    def push(search: Search, queue: Queue, control: Uints, bucket: int, dist: dtype, vertex: int):
        # relaxed: a reader of the counter below sees this too
        index = reserve(queue.reserved, bucket * COUNTER_STRIDE)
        block, tries = int(-1), int(0)
        while block < 0:
            block = find(queue, bucket, number_of(queue, index))
            if block < 0:
                if tries % 64 == 0:
                    i32.store(queue.coordination, Coordination.BLOCK_REQUESTED, 1)
                tries += 1
                atomics.pause()
                if stopped(control):
                    return  # the bucket cannot be read any more
        offset = offset_of(queue, index)
        at = (block << queue.block_bits) + offset
        search.dists[at] = dist
        search.vertices[at] = vertex
        # release: the reader of the counter sees the item, and the reservation above
        count_written(queue.written, segment_of(queue, block, offset))
        if offset == 0:
            i32.store(queue.coordination, Coordination.BLOCK_REQUESTED, 1)  # so that the next block is provided

    @wp.func
    def push_ahead(search: Search, queue: Queue, control: Uints, window: Window, dist: dtype, vertex: int) -> int:
        """Push into the bucket of a distance; return 1 if it was clipped to the last."""
        ahead = ahead_of(dist, window)
        bucket = bucket_ahead(window, wp.min(ahead, window.last))
        if ahead >= window.last and dist < load(search.clipped, bucket):
            fetch_min(search.clipped, bucket, dist)
        push(search, queue, control, bucket, dist, vertex)
        return int(ahead > window.last)

    return push_ahead


def relaxing(name: str, packed: bool, improve: Any, push_ahead: Any) -> Any:
    """Return the function that relaxes a vertex."""
    made = numbers.of(name, packed)
    dtype, unreached, plus = made.dtype, made.unreached, made.plus
    dist_at, weight_of = made.dist_at, made.weight_of
    Search = search_of(name, packed)  # noqa: N806, a type

    @wp.func
    def relax_arc(
        search: Search, queue: Queue, control: Uints, window: Window, limit: dtype, u: int, here: dtype, arc: int
    ) -> int:
        """Relax an arc; return bits: 1 if the head has been pushed, 2 if it was clipped, 4 if it is newly labelled."""
        v = search.graph.heads[arc]
        sum = plus(here, weight_of(search.graph, arc))
        if sum == unreached:
            search.overflow[0] = wp.uint32(1)  # all threads write the same value
        elif sum < dist_at(search.words, v) and sum <= search.cutoff:  # noqa: SIM102, what improves must stand alone
            if improve(search.words, v, sum, wp.uint32(u)):
                found = 4 * atomics.mark(search.labelled, v)
                if sum <= limit:
                    found += 1 + 2 * push_ahead(search, queue, control, window, sum, v)
                return found
        return 0

    @wp.func
    def relax(
        search: Search, queue: Queue, control: Uints, window: Window, limit: dtype, at: int, rank: int, size: int
    ) -> wp.vec4i:
        """Relax a thread's share of the arcs of an item, of `size` threads; return what is new in its `Counts`."""
        u, here = search.vertices[at], search.dists[at]
        edges, pushed, clipped, labelled = int(0), int(0), int(0), int(0)
        first = search.graph.offsets[u]
        degree = search.graph.offsets[u + 1] - first
        i = int(rank)
        while i < degree:
            rest_at = i + wp.min(degree - i, AT_ONCE * size)
            while i < rest_at:
                found = relax_arc(search, queue, control, window, limit, u, here, first + i)
                pushed += found & 1
                clipped += (found >> 1) & 1
                labelled += found >> 2
                edges += 1
                i += size
            if stopped(control):
                i = degree
        return wp.vec4i(edges, pushed, clipped, labelled)

    return relax


@cache
def of(name: str, packed: bool, reserve: Any, count_written: Any, improve: Any, is_early: Any) -> SimpleNamespace:
    """Return the loop of a worker block, and its push function, for one type of distances."""
    push_ahead = pushing(name, packed, reserve, count_written)
    relax = relaxing(name, packed, improve, push_ahead)
    dist_at = numbers.of(name, packed).dist_at
    Search = search_of(name, packed)  # noqa: N806, a type

    @wp.func
    def work(search: Search, queue: Queue, workers: Workers, control: Uints, worker: int, thread: int):
        """Carry out an assignment; after a stop what is left is dropped. For all threads."""
        assignment, limit = workers.assignments[worker], search.limits[worker]
        vertices, resorted, done = int(0), int(0), wp.vec4i(0, 0, 0, 0)
        tier = int(BY_THREAD)  # a loop, so that `relax` is compiled once and not three times
        while tier < TIERS:
            size = group_size(tier)
            groups = wp.block_dim() // size
            rank = thread % size
            i, count = thread // size, count_of(workers, assignment, worker, tier)
            while i < count and thread < groups * size:
                item = item_of(workers, worker, tier, i)
                at = item_at(queue, assignment.bucket, assignment.start + U(item))
                u = search.vertices[at]
                # an item whose distance is no longer its vertex's is stale
                here = search.dists[at]
                live = here <= limit and here == dist_at(search.words, u)
                if tier == BY_THREAD and live:
                    if is_early(here, assignment.window, assignment.steps):
                        push_ahead(search, queue, control, assignment.window, here, u)
                        resorted += 1
                        live = False
                    else:
                        vertices += 1
                        live = not defer(workers, worker, search.graph.offsets[u + 1] - search.graph.offsets[u], item)
                if live and not stopped(control):
                    done += relax(search, queue, control, assignment.window, limit, at, rank, size)
                i += groups
            sync_block()
            tier += 1
            if wp.block_dim() == 1:
                tier = TIERS  # nothing was deferred
        publish(queue, workers, worker, thread, Counts(vertices, done[0], done[1], done[2], done[3], resorted))

    @wp.func
    def serve(search: Search, queue: Queue, workers: Workers, control: Uints, worker: int, thread: int):
        """Wait for assignments and carry them out; for all threads."""
        flag = int(Flag.ASSIGNED)
        while flag == Flag.ASSIGNED:
            value = int(Flag.IDLE)
            if thread == 0:
                value = wait_for_assignment(workers, control, worker)
                u32.store(workers.hub_counts, worker * FLAG_STRIDE + BY_WARP, wp.uint32(0))
                u32.store(workers.hub_counts, worker * FLAG_STRIDE + BY_BLOCK, wp.uint32(0))
            flag = broadcast(queue.min_cells, worker, thread, value)
            if flag == Flag.ASSIGNED:
                began = clock()
                work(search, queue, workers, control, worker, thread)
                sync_block()
                if thread == 0:
                    finish(queue, workers, control, worker, clock() - began)

    return SimpleNamespace(serve=serve, push_ahead=push_ahead)
