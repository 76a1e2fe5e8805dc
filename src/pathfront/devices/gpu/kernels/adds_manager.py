"""The manager of ADDS, a thread block: the only reader of the buckets.

It sweeps over them from the head, assigns what is readable, provides blocks, moves the head, adjusts delta and detects
the end. Its threads check different buckets, segments and workers at the same time and combine the results by
reductions. All threads then take the same decisions, so each has a copy of the window. The manager does nothing else:
on a GPU a manager that relaxes arcs would keep all workers waiting. `cpp/engines/adds/manager.hpp` says why two quiet
sweeps are the end.
"""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pathfront.devices.gpu.kernels import atomics, numbers
from pathfront.devices.gpu.kernels.adds_delta import Delta, change_width
from pathfront.devices.gpu.kernels.adds_queue import Coordination, Queue, U, all_live, drain, number_of, provide
from pathfront.devices.gpu.kernels.adds_report import (
    Number,
    Report,
    count,
    is_due,
    note_assigned,
    note_delta,
    note_switch,
    passed,
    raise_to,
    sample,
)
from pathfront.devices.gpu.kernels.adds_search import (
    FLAG_STRIDE,
    LARGEST_RANGE,
    Assignment,
    Flag,
    Window,
    Workers,
    bucket_ahead,
    search_of,
)
from pathfront.devices.gpu.kernels.atomics import i32, u32
from pathfront.devices.gpu.kernels.barrier import stopped, sync_block
from pathfront.devices.gpu.kernels.collectives import NONE, block_min, broadcast, clock
from pathfront.devices.gpu.kernels.module import Uints
from pathfront.devices.gpu.persistent import STOP

MOST_URGENT = 4
"""The most buckets that work is assigned from in one sweep."""

SEGMENTS_AT_ONCE = 64
"""The most segments of a bucket checked in one sweep, or the threads of the block if those are more."""

NO_REQUEST, BLOCK_REQUEST, STOP_REQUEST = 0, 1, 2
"""Requests to the manager: none, a worker needs a block, the search must stop."""


@wp.func
def provide_and_note(queue: Queue, report: Report, control: Uints, thread: int):
    """Provide blocks, and record how many are in use; for all threads."""
    provide(queue, thread)
    if i32.load(queue.coordination, Coordination.EXHAUSTED) != 0:
        u32.store(control, STOP, wp.uint32(1))
    used = wp.int64(queue.blocks - wp.max(i32.load(queue.coordination, Coordination.FREE_COUNT), 0))
    if used > report.numbers[Number.BLOCKS_HIGH_WATER]:  # all threads see the same: it changes after the next barrier
        needed = wp.int64(number_of(queue, all_live(queue, thread)))
        if thread == 0:
            raise_to(report, Number.BLOCKS_HIGH_WATER, used)
            raise_to(report, Number.EXCESS_BLOCKS, used - needed)
        sync_block()


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


@wp.func
def dismiss(workers: Workers, thread: int):
    """Set all flags to Flag.LEAVE; for all threads."""
    for worker in range(1 + thread, workers.blocks, wp.block_dim()):
        u32.store_release(workers.flags, worker * FLAG_STRIDE, wp.uint32(Flag.LEAVE))


@wp.func
def poll(queue: Queue, control: Uints, thread: int) -> int:
    """Return the pending request, the same to all threads."""
    request = int(NO_REQUEST)
    if thread == 0:
        if i32.exchange(queue.coordination, Coordination.BLOCK_REQUESTED, 0) != 0:
            request = BLOCK_REQUEST
        if stopped(control):
            request = STOP_REQUEST
    return broadcast(queue.min_cells, 0, thread, request)


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
        search: Search, queue: Queue, workers: Workers, window: Window, bucket: int, ready: int, idle: int, thread: int
    ) -> wp.vec2i:
        """Divide the readable items of a bucket among the last idle workers; return how many workers and items."""
        smallest = wp.min(1 << queue.segment_bits, LARGEST_RANGE)
        share = wp.min(wp.clamp(ready // (workers.blocks - 1), smallest, LARGEST_RANGE), ready)
        ranges = wp.min((ready + share - 1) // share, idle)
        taken = wp.min(ranges * share, ready)
        start = queue.read[bucket]
        for i in range(thread, ranges, wp.block_dim()):
            worker = workers.idle[idle - 1 - i]
            assignment = Assignment()
            assignment.bucket = bucket
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
    def assign(search: Search, queue: Queue, workers: Workers, window: Window, thread: int) -> wp.vec3i:
        """Assign readable items to idle workers, the most urgent first.

        Returns how many ranges were assigned, how many items, and from how many buckets.
        """
        idle = find_idle(queue, workers, thread)
        left, items, urgent, steps = int(idle), int(0), int(0), int(0)
        while steps < wp.min(MOST_URGENT, queue.buckets) and left > 0:
            bucket = bucket_ahead(window, steps)
            enough = (LARGEST_RANGE * (left + 1) >> queue.segment_bits) + 1
            ready = readable(queue, bucket, wp.min(enough, wp.max(SEGMENTS_AT_ONCE, wp.block_dim())), thread)
            if ready > 0:
                assigned = assign_from(search, queue, workers, window, bucket, ready, left, thread)
                left -= assigned[0]
                items += assigned[1]
                urgent = steps + 1
            else:
                steps += 1
        return wp.vec3i(idle - left, items, urgent)

    return assign


def sources_and_targets(name: str, packed: bool, push_ahead: Any) -> SimpleNamespace:
    """Return the functions that push the sources, and limit the search by its targets."""
    made = numbers.of(name, packed)
    dtype, unreached, dist_at, pack, none = made.dtype, made.unreached, made.dist_at, made.pack, numbers.NO_VERTEX
    Search = search_of(name, packed)  # noqa: N806, a type

    @wp.func
    def push_sources(
        search: Search, queue: Queue, control: Uints, window: Window, sources_pushed: int, thread: int
    ) -> int:
        """Push more sources, as many as certainly fit; for all threads.

        Returns how many have been pushed. Nothing is assigned before all have been: workers that push could take the
        slots, and the manager cannot wait for a block that it has to provide itself.
        """
        until = sources_pushed + wp.min(search.sources.shape[0] - sources_pushed, 1 << queue.block_bits)
        for i in range(sources_pushed + thread, until, wp.block_dim()):
            search.words[search.sources[i]] = pack(dtype(0), none)
            push_ahead(search, queue, control, window, dtype(0), search.sources[i])
        sync_block()
        return until

    @wp.func
    def update_limit(search: Search, left: int, times: int) -> wp.vec2i:
        """Limit the search to the farthest target once all have been reached; for one thread.

        `left` targets are not known to be reached; all were last read `times` calls ago: not at every call, where there
        are many. Returns both as they are now.
        """
        many = search.targets.shape[0]
        here = int(left)
        while here > 0 and dist_at(search.words, search.targets[wp.max(here - 1, 0)]) != unreached:
            here -= 1
        if here > 0 or (times + 1) * 64 < many:
            return wp.vec2i(here, times + 1)
        farthest = dtype(0)
        for i in range(many):
            farthest = wp.max(farthest, dist_at(search.words, search.targets[i]))
        search.limits[0] = farthest  # of the manager itself; copied into assignments
        return wp.vec2i(0, 0)

    return SimpleNamespace(push_sources=push_sources, update_limit=update_limit)


@cache
def of(name: str, packed: bool, push_ahead: Any, finished: Any, written_up_to: Any, quiet_sweeps: int) -> Any:
    """Return the manager's loop, for one type of distances."""
    buckets = reading(written_up_to, finished)
    advance, assign = buckets.advance, assigning(name, packed, buckets.readable)
    parts = sources_and_targets(name, packed, push_ahead)
    push_sources, update_limit = parts.push_sources, parts.update_limit
    Search = search_of(name, packed)  # noqa: N806, a type
    enough_sweeps = wp.constant(quiet_sweeps)

    @wp.func
    def manage(
        search: Search,
        queue: Queue,
        workers: Workers,
        report: Report,
        control: Uints,
        first_window: Window,
        first_delta: Delta,
        thread: int,
    ):
        """Sweep until two sweeps in a row have found every bucket finished; for all threads."""
        window, delta = first_window, first_delta
        if thread == 0:
            report.numbers[Number.BEGAN] = wp.int64(clock())
            note_delta(report, window)
        assigned = U(0)  # items since the head switched
        targets = wp.vec2i(search.targets.shape[0], 0)
        sources_pushed, quiet = int(0), int(0)
        while quiet < enough_sweeps:
            request = poll(queue, control, thread)
            pushing = sources_pushed < search.sources.shape[0]
            if request == BLOCK_REQUEST or pushing:
                provide_and_note(queue, report, control, thread)
            steps = int(0)
            if pushing:
                sources_pushed = push_sources(search, queue, control, window, sources_pushed, thread)
            else:
                steps = advance(queue, window, thread)
                quiet += 1
            if request == STOP_REQUEST:
                quiet = enough_sweeps
            elif steps < NONE and not pushing:
                quiet = 0
                if steps > 0:
                    window.head = bucket_ahead(window, steps)
                    window.base += U(steps)
                    delta = note_switch(queue, workers, report, delta, window, assigned, thread)
                    assigned = U(0)
                    if delta.by != 0:
                        window = change_width(window, delta.by)
                    if thread == 0:
                        if delta.by != 0:
                            note_delta(report, window)
                        if search.targets.shape[0] > 0:
                            targets = update_limit(search, targets[0], targets[1])
                    sync_block()
                assigned_now = assign(search, queue, workers, window, thread)
                assigned += U(assigned_now[1])
                if thread == 0:
                    note_assigned(report, assigned_now[0], assigned_now[2])
                    if assigned_now[0] == 0:
                        atomics.pause()
            if report.samples.shape[0] > 0:
                due = broadcast(queue.min_cells, 0, thread, is_due(report))
                if due == 1 or quiet == enough_sweeps or (steps > 0 and steps < NONE):
                    sample(queue, workers, report, window, thread)
            if thread == 0:
                count(report, Number.SWEEPS, 1)
        dismiss(workers, thread)
        if thread == 0:
            report.numbers[Number.NANOSECONDS] = passed(report)

    return manage
