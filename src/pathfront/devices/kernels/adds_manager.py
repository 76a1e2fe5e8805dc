"""The manager block of ADDS: the only reader of the buckets. It sweeps over them from the head, hands out what is
readable, provides blocks, moves the head on, adjusts delta and finds the end.

Its lanes look at different buckets, segments and workers at the same time, and agree on what they found; what they
decide from that they all decide alike. So each keeps a copy of the window and of the numbers below. On a GPU the
manager does nothing else: a block that is busy relaxing would keep all others waiting. Why two quiet sweeps are the
end, and how delta is chosen, is said in `cpp/adds/manager.hpp` and `delta_control.hpp`.
"""

from functools import cache
from typing import Any

import warp as wp

from pathfront.devices.kernels import atomics, numbers
from pathfront.devices.kernels.adds_queue import (
    EXHAUSTED,
    FREE,
    IDLE,
    SPREAD,
    WANTED,
    Queue,
    U,
    acquire_count,
    add_to_cell,
    all_live,
    drain,
    exchange_cell,
    in_use,
    load_cell,
    load_count,
    load_wide,
    number_of,
    provide,
    store_cell,
    store_count,
)
from pathfront.devices.kernels.adds_worker import (
    ASSIGNED,
    CLIPPED,
    EDGES,
    IDLE_FLAG,
    LARGEST_RANGE,
    LEAVE,
    PUSHED,
    VERTICES,
    Order,
    Window,
    Workers,
    place_ahead,
    store_flag,
    structs,
)
from pathfront.devices.kernels.barrier import stopped, sync_block
from pathfront.devices.kernels.together import MOST, clock, least, tell, total
from pathfront.devices.persistent import STOP

MOST_URGENT = 4
"""Buckets that work may be assigned from at once."""

SEGMENTS_IN_PASSING = 64
"""Segments of a bucket that are looked at in one sweep, or as many as there are lanes."""

CLIPPED_SHARE = 0.65
CLIPPED_LITTLE = 0.1
SETTLING = 16
TOO_MUCH = 8.0
WORTH_A_LOOK = 64
"""The constants of `cpp/adds/delta_control.hpp`."""

BETWEEN_SAMPLES = 100_000
"""Nanoseconds."""

HIGHEST_LEVEL = 1 << 62

(
    SWEEPS,
    ASSIGNED_RANGES,
    RAISED,
    LOWERED,
    MOST_BUCKETS,
    MOST_URGENT_SEEN,
    ITEMS_HIGH_WATER,
    BLOCKS_HIGH_WATER,
    EXCESS_BLOCKS,
    SWITCHES,
    DURATION,
    DELTA_COUNT,
    SAMPLE_COUNT,
    HEAD,
    BASE,
    EXPONENT,
    URGENT_SINCE,
    LAST_SAMPLE,
    SEEN_VERTICES,
    SEEN_EDGES,
    NUMBERS,
) = range(21)
"""Cells of what the manager has to tell, and how many there are."""

COLUMNS = 10
"""Of the trace: see TRACE in `pathfront/methods/adds.py`."""


@wp.struct
class Report:
    """What the manager tells besides the distances."""

    numbers: wp.array(dtype=wp.int64)
    deltas: wp.array2d(dtype=wp.float64)  # seconds, delta; what does not fit is dropped
    samples: wp.array2d(dtype=wp.float64)  # rows of COLUMNS; none if no trace is wanted
    idle: wp.array(dtype=wp.int32)  # workers


@wp.struct
class Delta:
    """The feedback that chooses delta while the search runs."""

    adaptive: int
    lowest: int
    highest: int
    enough: wp.float64  # items of a bucket that keep all workers busy
    switches: int
    assigned: wp.uint64
    pushed: wp.uint64
    clipped: wp.uint64
    by: int  # whether to double delta (1), halve it (-1) or leave it (0)


@wp.func
def head_switched(delta: Delta, exponent: int, assigned: wp.uint64, pushed: wp.uint64, clipped: wp.uint64) -> Delta:
    """Decide about delta; the head moved on, `assigned` items were handed out since it did the last time."""
    now = delta
    now.by = 0
    if delta.adaptive == 0:
        return now
    now.assigned = delta.assigned + assigned
    now.switches = delta.switches + 1
    recent = wp.float64(pushed - delta.pushed)
    beyond = wp.float64(clipped - delta.clipped)
    clipping = recent >= wp.float64(WORTH_A_LOOK) and beyond >= wp.float64(CLIPPED_SHARE) * recent
    if not clipping and now.switches < SETTLING:
        return now
    mean = wp.float64(now.assigned) / wp.float64(now.switches)
    now.switches = 0
    now.assigned = U(0)
    now.pushed = pushed
    now.clipped = clipped
    if clipping:
        now.lowest = wp.max(delta.lowest, exponent + 1)
    if (clipping or mean < delta.enough) and exponent < delta.highest:
        now.by = 1
    elif not clipping and mean > wp.float64(TOO_MUCH) * delta.enough and exponent > now.lowest:
        if beyond <= wp.float64(CLIPPED_LITTLE) * recent:
            now.by = -1
    return now


@wp.func
def change_width(window: Window, by: int) -> Window:
    """Double delta or halve it. The head stays where it is, so what is in the circle stays in order."""
    now = window
    now.exponent = window.exponent + by
    if by > 0:
        now.base = window.base >> U(1)
        now.scale = window.scale * wp.float64(0.5)
    else:
        now.base = wp.min(window.base << U(1), U(HIGHEST_LEVEL))
        now.scale = window.scale * wp.float64(2.0)
    return now


@wp.func
def raise_to(report: Report, cell: int, value: wp.int64):
    """Keep the highest value there was; for one lane."""
    report.numbers[cell] = wp.max(report.numbers[cell], value)


@wp.func
def note_delta(report: Report, window: Window, began: wp.uint64):
    """Note delta as it is now; for one lane."""
    count = int(report.numbers[DELTA_COUNT])
    if count < report.deltas.shape[0]:
        report.deltas[count, 0] = wp.float64(clock() - began) * wp.float64(1.0e-9)
        report.deltas[count, 1] = wp.float64(1.0) / window.scale
        report.numbers[DELTA_COUNT] = wp.int64(count + 1)


@wp.func
def over_workers(queue: Queue, workers: Workers, blocks: int, lane: int, cell: int) -> wp.uint64:
    """Return a count of all workers; for all lanes."""
    mine = U(0)
    for worker in range(1 + lane, blocks, wp.block_dim()):
        mine += load_wide(workers.counts, worker * SPREAD + cell)
    return total(queue.total_cells, 0, mine)


@wp.func
def provide_and_note(queue: Queue, report: Report, control: wp.array(dtype=wp.uint32), lane: int):
    """Make blocks ready, and note how many are in use; for all lanes."""
    provide(queue, lane)
    if load_cell(queue.desk, EXHAUSTED) != 0:
        store_count(control, STOP, wp.uint32(1))
    used = queue.blocks - wp.max(load_cell(queue.desk, FREE), 0)
    if wp.int64(used) > report.numbers[BLOCKS_HIGH_WATER]:  # all lanes see the same: it changes below, after a barrier
        needed = number_of(queue, all_live(queue, lane))
        if lane == 0:
            report.numbers[BLOCKS_HIGH_WATER] = wp.int64(used)
            raise_to(report, EXCESS_BLOCKS, wp.int64(used) - wp.int64(needed))
        sync_block()


@wp.func
def find_idle(queue: Queue, workers: Workers, report: Report, blocks: int, lane: int) -> int:
    """List the workers that are idle; return how many there are; for all lanes."""
    if lane == 0:
        store_cell(queue.desk, IDLE, 0)
    sync_block()
    for worker in range(1 + lane, blocks, wp.block_dim()):
        # acquire: its last pushes are seen
        if acquire_count(workers.flags, worker * 2 * SPREAD) == wp.uint32(IDLE_FLAG):
            report.idle[add_to_cell(queue.desk, IDLE, 1)] = worker
    sync_block()
    return load_cell(queue.desk, IDLE)


@wp.func
def halve_samples(report: Report):
    """Make one row of two, where there is no room for more; for one lane."""
    for i in range(report.samples.shape[0] // 2):
        for column in range(COLUMNS):
            value = report.samples[2 * i + 1, column]
            if column >= 8:  # the work since the row before
                value += report.samples[2 * i, column]
            elif column == 4:
                value = wp.max(value, report.samples[2 * i, column])
            report.samples[i, column] = value
    report.numbers[SAMPLE_COUNT] = wp.int64(report.samples.shape[0] // 2)


@wp.func
def sample(
    queue: Queue, workers: Workers, report: Report, window: Window, began: wp.uint64, blocks: int, lane: int
):
    """Note the state for the trace; for all lanes."""
    vertices = wp.int64(over_workers(queue, workers, blocks, lane, VERTICES))
    edges = wp.int64(over_workers(queue, workers, blocks, lane, EDGES))
    buckets = in_use(queue, lane)
    busy, items = U(0), U(0)
    for worker in range(1 + lane, blocks, wp.block_dim()):
        if load_count(workers.flags, worker * 2 * SPREAD) == wp.uint32(ASSIGNED):
            busy += U(1)
            items += U(workers.orders[worker].count)
    busy = total(queue.total_cells, 0, busy)
    items = total(queue.total_cells, 0, items)
    if lane == 0:
        if int(report.numbers[SAMPLE_COUNT]) == report.samples.shape[0]:
            halve_samples(report)
        row = int(report.numbers[SAMPLE_COUNT])
        now = clock() - began
        report.samples[row, 0] = wp.float64(now) * wp.float64(1.0e-9)
        report.samples[row, 1] = wp.float64(window.base) / window.scale
        report.samples[row, 2] = wp.float64(1.0) / window.scale
        report.samples[row, 3] = wp.float64(buckets)
        report.samples[row, 4] = wp.float64(report.numbers[URGENT_SINCE])
        report.samples[row, 5] = wp.float64(busy)
        report.samples[row, 6] = wp.float64(items)
        report.samples[row, 7] = wp.float64(queue.blocks - load_cell(queue.desk, FREE))
        report.samples[row, 8] = wp.float64(vertices - report.numbers[SEEN_VERTICES])
        report.samples[row, 9] = wp.float64(edges - report.numbers[SEEN_EDGES])
        report.numbers[SAMPLE_COUNT] = wp.int64(row + 1)
        report.numbers[URGENT_SINCE] = wp.int64(0)
        report.numbers[LAST_SAMPLE] = wp.int64(now)
        report.numbers[SEEN_VERTICES] = vertices
        report.numbers[SEEN_EDGES] = edges


@wp.func
def note_switch(
    queue: Queue, workers: Workers, report: Report, delta: Delta, window: Window, assigned: wp.uint64, blocks: int,
    lane: int,
) -> Delta:
    """Count a switch of the head, and decide about delta; for all lanes."""
    items = wp.int64(all_live(queue, lane))
    buckets = wp.int64(in_use(queue, lane))
    pushed = over_workers(queue, workers, blocks, lane, PUSHED)
    clipped = over_workers(queue, workers, blocks, lane, CLIPPED)
    now = head_switched(delta, window.exponent, assigned, pushed, clipped)
    if lane == 0:
        report.numbers[SWITCHES] = report.numbers[SWITCHES] + wp.int64(1)
        raise_to(report, ITEMS_HIGH_WATER, items)
        raise_to(report, MOST_BUCKETS, buckets)
        if now.by > 0:
            report.numbers[RAISED] = report.numbers[RAISED] + wp.int64(1)
        elif now.by < 0:
            report.numbers[LOWERED] = report.numbers[LOWERED] + wp.int64(1)
    return now


@cache
def of(name: str, packed: bool, push_ahead: Any, finished: Any, written_up_to: Any, quiet_sweeps: int) -> Any:
    """Return the manager's life for one type of distances."""
    made = numbers.of(name, packed)
    dtype, unreached, dist_at, pack = made.dtype, made.unreached, made.dist_at, made.pack
    Search = structs(name, packed).Search
    none = wp.constant(wp.uint32(numbers.NO_VERTEX))
    enough_sweeps = wp.constant(quiet_sweeps)

    @wp.func
    def readable(queue: Queue, bucket: int, segments: int, lane: int) -> int:
        """Return how many items from the read pointer on are known to be written; for all lanes."""
        read = queue.read[bucket]
        segment = 1 << queue.segment_bits
        start = read & ~(U(segment) - U(1))
        end = segments * segment
        i = int(lane)
        while i < segments:
            count = written_up_to(queue, bucket, start + U(i) * U(segment))
            if count < segment:
                end = i * segment + count  # whatever comes later
                i = segments
            i += wp.block_dim()
        end = least(queue.least_cells, 0, end)
        return wp.max(end - int(read - start), 0)

    @wp.func
    def advance(queue: Queue, window: Window, lane: int) -> int:
        """Return how far ahead the first bucket is that is not finished, MOST if all are; for all lanes."""
        found = int(MOST)
        steps = int(lane)
        while steps < queue.buckets:
            if not finished(queue, place_ahead(window, steps)):
                found = steps
                steps = queue.buckets
            steps += wp.block_dim()
        return least(queue.least_cells, 0, found)

    @wp.func
    def hand_out(
        search: Search, queue: Queue, workers: Workers, report: Report, window: Window, blocks: int, lane: int
    ) -> wp.vec3i:
        """Hand out what can be read to those who are idle, the most urgent first; return how many ranges, items, and
        buckets they came from; for all lanes."""
        idle = find_idle(queue, workers, report, blocks, lane)
        limit = search.limits[0]
        given, items, urgent = int(0), int(0), int(0)
        steps = int(0)
        while steps < wp.min(MOST_URGENT, queue.buckets) and given < idle:
            bucket = place_ahead(window, steps)
            enough = LARGEST_RANGE * (idle - given + 1)
            segments = wp.min((enough >> queue.segment_bits) + 1, wp.max(SEGMENTS_IN_PASSING, wp.block_dim()))
            ready = readable(queue, bucket, segments, lane)
            if ready > 0:
                smallest = wp.min(1 << queue.segment_bits, LARGEST_RANGE)
                share = wp.min(wp.clamp(ready // (blocks - 1), smallest, LARGEST_RANGE), ready)
                takers = wp.min((ready + share - 1) // share, idle - given)
                taken = wp.min(takers * share, ready)
                start = queue.read[bucket]
                for i in range(lane, takers, wp.block_dim()):
                    order = Order()
                    order.bucket = bucket
                    order.start = start + U(i * share)
                    order.count = wp.min(share, ready - i * share)
                    order.window = window
                    worker = report.idle[given + i]
                    workers.orders[worker] = order
                    search.limits[worker] = limit
                    # release: the worker sees the assignment, and the items in it
                    store_flag(workers.flags, worker * 2 * SPREAD, wp.uint32(ASSIGNED))
                sync_block()
                if lane == 0:
                    drain(queue, bucket, start, start + U(taken))
                    queue.read[bucket] = start + U(taken)
                sync_block()
                given += takers
                items += taken
                urgent = steps + 1
            else:
                steps += 1
        return wp.vec3i(given, items, urgent)

    @wp.func
    def look_at_targets(search: Search, left: int, times: int) -> int:
        """Set the limit to the farthest target once all have been reached; for one lane. Return how many are left."""
        count = search.targets.shape[0]
        here = int(left)
        while here > 0 and dist_at(search.state, search.targets[wp.max(here - 1, 0)]) != unreached:
            here -= 1
        if here == 0 and times * 64 >= count:
            farthest = dtype(0)
            for i in range(count):
                farthest = wp.max(farthest, dist_at(search.state, search.targets[i]))
            search.limits[0] = farthest
        return here

    @wp.func
    def start(
        search: Search,
        queue: Queue,
        report: Report,
        control: wp.array(dtype=wp.uint32),
        window: Window,
        lane: int,
    ):
        """Put the sources into the queue, as many at once as there is certainly room for; for all lanes."""
        count = search.sources.shape[0]
        done = int(0)
        while done < count:
            provide_and_note(queue, report, control, lane)
            until = wp.min(count, done + (1 << queue.block_bits))
            for i in range(done + lane, until, wp.block_dim()):
                search.state[search.sources[i]] = pack(dtype(0), none)
                push_ahead(search, queue, control, window, dtype(0), search.sources[i])
            sync_block()
            done = until

    @wp.func
    def manage(
        search: Search,
        queue: Queue,
        workers: Workers,
        report: Report,
        control: wp.array(dtype=wp.uint32),
        first_window: Window,
        first_delta: Delta,
        blocks: int,
        lane: int,
    ):
        """Sweep until two sweeps in a row have found every bucket finished; for all lanes of the first block."""
        began = clock()
        window, delta = first_window, first_delta
        if lane == 0:
            note_delta(report, window, began)
        start(search, queue, report, control, window, lane)
        assigned = U(0)
        quiet, urgent, left, times = int(0), int(0), search.targets.shape[0], int(0)
        while quiet < enough_sweeps:
            heard = int(0)
            if lane == 0:
                report.numbers[SWEEPS] = report.numbers[SWEEPS] + wp.int64(1)
                heard = exchange_cell(queue.desk, WANTED, 0)
                if stopped(control):
                    heard = 2
            heard = tell(queue.least_cells, 0, lane, heard)
            if heard == 1:
                provide_and_note(queue, report, control, lane)
            steps = int(MOST)
            if heard < 2:
                steps = advance(queue, window, lane)
            if heard == 2:
                quiet = enough_sweeps
            elif steps == MOST:
                quiet += 1
            else:
                quiet = 0
                if steps > 0:
                    window.head = place_ahead(window, steps)
                    window.base += U(steps)
                    delta = note_switch(queue, workers, report, delta, window, assigned, blocks, lane)
                    assigned = U(0)
                    if delta.by != 0:
                        window = change_width(window, delta.by)
                    if lane == 0:
                        if delta.by != 0:
                            note_delta(report, window, began)
                        times += 1
                        if search.targets.shape[0] > 0:
                            left = look_at_targets(search, left, times)
                            if times * 64 >= search.targets.shape[0] and left == 0:
                                times = 0
                    sync_block()
                handed = hand_out(search, queue, workers, report, window, blocks, lane)
                assigned += U(handed[1])
                urgent = handed[2]
                if lane == 0:
                    report.numbers[ASSIGNED_RANGES] = report.numbers[ASSIGNED_RANGES] + wp.int64(handed[0])
                    raise_to(report, MOST_URGENT_SEEN, wp.int64(urgent))
                    raise_to(report, URGENT_SINCE, wp.int64(urgent))
                    if handed[0] == 0:
                        atomics.pause()
                if report.samples.shape[0] > 0:
                    due = int(0)
                    if lane == 0 and wp.int64(clock() - began) - report.numbers[LAST_SAMPLE] >= wp.int64(BETWEEN_SAMPLES):
                        due = 1
                    if steps > 0 or tell(queue.least_cells, 0, lane, due) == 1:
                        sample(queue, workers, report, window, began, blocks, lane)
        if report.samples.shape[0] > 0:
            sample(queue, workers, report, window, began, blocks, lane)
        for worker in range(1 + lane, blocks, wp.block_dim()):
            store_flag(workers.flags, worker * 2 * SPREAD, wp.uint32(LEAVE))
        if lane == 0:
            report.numbers[DURATION] = wp.int64(clock() - began)
            report.numbers[HEAD] = wp.int64(window.head)
            report.numbers[BASE] = wp.int64(window.base)
            report.numbers[EXPONENT] = wp.int64(window.exponent)

    return manage
