"""The manager block of ADDS: the only reader of the buckets. It sweeps over them from the head, hands out what is
readable, provides blocks, moves the head on, adjusts delta and finds the end.

Its lanes look at different buckets, segments and workers at the same time and agree on what they found; what they
decide from that they all decide alike, so each keeps a copy of the window. The manager does nothing else: on a GPU a
block that is busy relaxing would keep all others waiting. Why two quiet sweeps are the end is said in
`cpp/adds/manager.hpp`.
"""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pathfront.devices.gpu.kernels import atomics, numbers
from pathfront.devices.gpu.kernels.adds_delta import Delta, change_width
from pathfront.devices.gpu.kernels.adds_queue import (
    EXHAUSTED,
    FREE,
    IDLERS,
    WANTED,
    Queue,
    U,
    add_to_cell,
    all_live,
    drain,
    exchange_cell,
    load_cell,
    number_of,
    provide,
    store_cell,
    store_count,
)
from pathfront.devices.gpu.kernels.adds_report import (
    BEGAN,
    BLOCKS_HIGH_WATER,
    EXCESS_BLOCKS,
    NANOSECONDS,
    SWEEPS,
    Report,
    count,
    is_due,
    note_delta,
    note_handed_out,
    note_switch,
    passed,
    raise_to,
    sample,
)
from pathfront.devices.gpu.kernels.adds_search import (
    ASSIGNED,
    FLAG,
    IDLE,
    LARGEST_RANGE,
    LEAVE,
    Order,
    Window,
    Workers,
    acquire_flag,
    place_ahead,
    release_flag,
    search_of,
)
from pathfront.devices.gpu.kernels.barrier import stopped, sync_block
from pathfront.devices.gpu.kernels.collectives import MOST, clock, least, tell
from pathfront.devices.gpu.persistent import STOP

MOST_URGENT = 4
"""Buckets that work may be assigned from at once."""

IN_PASSING = 64
"""Segments of a bucket that are looked at in one sweep, or as many as there are lanes."""

QUIET, WISHES, ENDING = 0, 1, 2
"""What the manager hears at its desk: nothing, that a block is wanted, that it shall stop."""


@wp.func
def provide_and_note(queue: Queue, report: Report, control: wp.array(dtype=wp.uint32), lane: int):
    """Make blocks ready, and note how many are in use; for all lanes."""
    provide(queue, lane)
    if load_cell(queue.desk, EXHAUSTED) != 0:
        store_count(control, STOP, wp.uint32(1))
    used = wp.int64(queue.blocks - wp.max(load_cell(queue.desk, FREE), 0))
    if used > report.numbers[BLOCKS_HIGH_WATER]:  # all lanes see the same, which changes after the next barrier
        needed = wp.int64(number_of(queue, all_live(queue, lane)))
        if lane == 0:
            raise_to(report, BLOCKS_HIGH_WATER, used)
            raise_to(report, EXCESS_BLOCKS, used - needed)
        sync_block()


@wp.func
def find_idle(queue: Queue, workers: Workers, lane: int) -> int:
    """List the workers that are idle, and return how many there are; for all lanes."""
    if lane == 0:
        store_cell(queue.desk, IDLERS, 0)
    sync_block()
    for worker in range(1 + lane, workers.blocks, wp.block_dim()):
        # acquire: its last pushes are seen
        if acquire_flag(workers.flags, worker * FLAG) == wp.uint32(IDLE):
            workers.idle[add_to_cell(queue.desk, IDLERS, 1)] = worker
    sync_block()
    return load_cell(queue.desk, IDLERS)


@wp.func
def dismiss(workers: Workers, lane: int):
    """Send all workers home; for all lanes."""
    for worker in range(1 + lane, workers.blocks, wp.block_dim()):
        release_flag(workers.flags, worker * FLAG, wp.uint32(LEAVE))


@wp.func
def hear(queue: Queue, control: wp.array(dtype=wp.uint32), lane: int) -> int:
    """Return what there is to hear, the same to all lanes."""
    heard = int(QUIET)
    if lane == 0:
        if exchange_cell(queue.desk, WANTED, 0) != 0:
            heard = WISHES
        if stopped(control):
            heard = ENDING
    return tell(queue.least_cells, 0, lane, heard)


def reading(written_up_to: Any, finished: Any) -> SimpleNamespace:
    """Return how the buckets are read, given what is known of a segment and of a bucket; for all lanes."""

    @wp.func
    def readable(queue: Queue, bucket: int, segments: int, lane: int) -> int:
        """Return how many items from the read pointer on are known to be written, in so many segments."""
        read = queue.read[bucket]
        segment = 1 << queue.segment_bits
        start = read & ~(U(segment) - U(1))
        end = segments * segment
        i = int(lane)
        while i < segments:
            here = written_up_to(queue, bucket, start + U(i) * U(segment))
            if here < segment:
                end = i * segment + here  # whatever comes later
                i = segments
            i += wp.block_dim()
        return wp.max(least(queue.least_cells, 0, end) - int(read - start), 0)

    @wp.func
    def advance(queue: Queue, window: Window, lane: int) -> int:
        """Return how far ahead the first bucket is that is not finished, MOST if all are."""
        found = int(MOST)
        steps = int(lane)
        while steps < queue.buckets:
            if not finished(queue, place_ahead(window, steps)):
                found = steps
                steps = queue.buckets
            steps += wp.block_dim()
        return least(queue.least_cells, 0, found)

    return SimpleNamespace(readable=readable, advance=advance)


def handing_out(name: str, packed: bool, readable: Any) -> Any:
    """Return how work is handed out; for all lanes."""
    Search = search_of(name, packed)  # noqa: N806, a type

    @wp.func
    def give(
        search: Search, queue: Queue, workers: Workers, window: Window, bucket: int, ready: int, takers: int, lane: int
    ) -> wp.vec2i:
        """Divide what is ready in a bucket among the last idle workers; return how many of them and of the items."""
        smallest = wp.min(1 << queue.segment_bits, LARGEST_RANGE)
        share = wp.min(wp.clamp(ready // (workers.blocks - 1), smallest, LARGEST_RANGE), ready)
        takes = wp.min((ready + share - 1) // share, takers)
        taken = wp.min(takes * share, ready)
        start = queue.read[bucket]
        for i in range(lane, takes, wp.block_dim()):
            worker = workers.idle[takers - 1 - i]
            order = Order()
            order.bucket = bucket
            order.window = window
            order.start = start + U(i * share)
            order.count = wp.min(share, ready - i * share)
            workers.orders[worker] = order
            search.limits[worker] = search.limits[0]
            # release: the worker sees the assignment, and the items in it
            release_flag(workers.flags, worker * FLAG, wp.uint32(ASSIGNED))
        sync_block()
        if lane == 0:
            drain(queue, bucket, start, start + U(taken))
            queue.read[bucket] = start + U(taken)
        sync_block()
        return wp.vec2i(takes, taken)

    @wp.func
    def hand_out(search: Search, queue: Queue, workers: Workers, window: Window, lane: int) -> wp.vec3i:
        """Hand out what can be read to those who are idle, the most urgent first.

        Returns how many ranges were handed out, how many items, and from how many buckets.
        """
        idle = find_idle(queue, workers, lane)
        left, items, urgent, steps = int(idle), int(0), int(0), int(0)
        while steps < wp.min(MOST_URGENT, queue.buckets) and left > 0:
            bucket = place_ahead(window, steps)
            enough = (LARGEST_RANGE * (left + 1) >> queue.segment_bits) + 1
            ready = readable(queue, bucket, wp.min(enough, wp.max(IN_PASSING, wp.block_dim())), lane)
            if ready > 0:
                given = give(search, queue, workers, window, bucket, ready, left, lane)
                left -= given[0]
                items += given[1]
                urgent = steps + 1
            else:
                steps += 1
        return wp.vec3i(idle - left, items, urgent)

    return hand_out


def sources_and_targets(name: str, packed: bool, push_ahead: Any) -> SimpleNamespace:
    """Return how sources begin a search, and how targets limit it."""
    made = numbers.of(name, packed)
    dtype, unreached, dist_at, pack, none = made.dtype, made.unreached, made.dist_at, made.pack, numbers.NO_VERTEX
    Search = search_of(name, packed)  # noqa: N806, a type

    @wp.func
    def feed(
        search: Search, queue: Queue, control: wp.array(dtype=wp.uint32), window: Window, fed: int, lane: int
    ) -> int:
        """Put more sources into the queue, as many as there is certainly room for; for all lanes.

        Returns how many are in it now. Until it is all of them nothing is handed out: whoever else pushed could take
        the room, and the manager cannot wait for a block that it has to provide itself.
        """
        until = fed + wp.min(search.sources.shape[0] - fed, 1 << queue.block_bits)
        for i in range(fed + lane, until, wp.block_dim()):
            search.words[search.sources[i]] = pack(dtype(0), none)
            push_ahead(search, queue, control, window, dtype(0), search.sources[i])
        sync_block()
        return until

    @wp.func
    def look_at_targets(search: Search, left: int, times: int) -> wp.vec2i:
        """Limit the search to the farthest target once all have been reached; for one lane.

        `left` of them have not been seen to be, and they were looked at `times` ago: not every time, where there are
        many. Returns both as they are now.
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
        search.limits[0] = farthest  # of the manager itself; from there it gets into assignments
        return wp.vec2i(0, 0)

    return SimpleNamespace(feed=feed, look_at_targets=look_at_targets)


@cache
def of(name: str, packed: bool, push_ahead: Any, finished: Any, written_up_to: Any, quiet_sweeps: int) -> Any:
    """Return the manager's life, for one type of distances."""
    buckets = reading(written_up_to, finished)
    advance, hand_out = buckets.advance, handing_out(name, packed, buckets.readable)
    parts = sources_and_targets(name, packed, push_ahead)
    feed, look_at_targets = parts.feed, parts.look_at_targets
    Search = search_of(name, packed)  # noqa: N806, a type
    enough_sweeps = wp.constant(quiet_sweeps)

    @wp.func
    def manage(
        search: Search,
        queue: Queue,
        workers: Workers,
        report: Report,
        control: wp.array(dtype=wp.uint32),
        first_window: Window,
        first_delta: Delta,
        lane: int,
    ):
        """Sweep until two sweeps in a row have found every bucket finished; for all lanes."""
        window, delta = first_window, first_delta
        if lane == 0:
            report.numbers[BEGAN] = wp.int64(clock())
            note_delta(report, window)
        assigned = U(0)  # items, since the head switched
        targets = wp.vec2i(search.targets.shape[0], 0)
        fed, quiet = int(0), int(0)
        while quiet < enough_sweeps:
            heard = hear(queue, control, lane)
            feeding = fed < search.sources.shape[0]
            if heard == WISHES or feeding:
                provide_and_note(queue, report, control, lane)
            steps = int(0)
            if feeding:
                fed = feed(search, queue, control, window, fed, lane)
            else:
                steps = advance(queue, window, lane)
                quiet += 1
            if heard == ENDING:
                quiet = enough_sweeps
            elif steps < MOST and not feeding:
                quiet = 0
                if steps > 0:
                    window.head = place_ahead(window, steps)
                    window.base += U(steps)
                    delta = note_switch(queue, workers, report, delta, window, assigned, lane)
                    assigned = U(0)
                    if delta.by != 0:
                        window = change_width(window, delta.by)
                    if lane == 0:
                        if delta.by != 0:
                            note_delta(report, window)
                        if search.targets.shape[0] > 0:
                            targets = look_at_targets(search, targets[0], targets[1])
                    sync_block()
                handed = hand_out(search, queue, workers, window, lane)
                assigned += U(handed[1])
                if lane == 0:
                    note_handed_out(report, handed[0], handed[2])
                    if handed[0] == 0:
                        atomics.pause()
            if report.samples.shape[0] > 0:
                due = tell(queue.least_cells, 0, lane, is_due(report))
                if due == 1 or quiet == enough_sweeps or (steps > 0 and steps < MOST):
                    sample(queue, workers, report, window, lane)
            if lane == 0:
                count(report, SWEEPS, 1)
        dismiss(workers, lane)
        if lane == 0:
            report.numbers[NANOSECONDS] = passed(report)

    return manage
