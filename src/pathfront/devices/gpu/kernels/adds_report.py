"""The statistics of an ADDS search: counts, delta over time, and the rows of a trace; written by the manager."""

from enum import IntEnum

import warp as wp

from pathfront.devices.gpu.kernels.adds_delta import Delta, decide_sorting, divide, head_switched
from pathfront.devices.gpu.kernels.adds_queue import COUNTER_STRIDE, Coordination, Queue, U, all_live, in_use, live
from pathfront.devices.gpu.kernels.adds_search import FLAG_STRIDE, Count, Flag, Workers
from pathfront.devices.gpu.kernels.adds_window import Window, bucket_ahead
from pathfront.devices.gpu.kernels.atomics import i32, u32, u64
from pathfront.devices.gpu.kernels.collectives import block_sum, clock

BETWEEN_SAMPLES = wp.constant(wp.int64(100_000))
"""Nanoseconds from one sample to the next."""


class Column(IntEnum):
    """Columns of a sample: the state, and from WORK on the work since the sample before."""

    SECONDS, LOW, DELTA, BUCKETS, URGENT, WORKERS, ITEMS, BLOCKS, NEAR, FAR, LABELLED = range(11)
    WORK, EDGES, RESORTED, COMPLETED = range(11, 15)  # WORK is of vertices


COLUMNS = len(Column)
"""How many columns a sample has."""

_SECOND = wp.constant(wp.float64(1.0e-9))
"""Seconds of a nanosecond."""


class Number(IntEnum):
    """Cells of `Report.numbers`; the last four are the work until the last sample, as in `Column`."""

    SWEEPS, ASSIGNMENTS, RAISED, LOWERED, MOST_BUCKETS, MOST_URGENT, ITEMS_HIGH_WATER = range(7)
    BLOCKS_HIGH_WATER, EXCESS_BLOCKS, SWITCHES, BEGAN, NANOSECONDS, DELTAS, SAMPLES = range(7, 14)
    LAST_SAMPLE, URGENT_SINCE, WORK_BEFORE, EDGES_BEFORE, RESORTED_BEFORE, COMPLETED_BEFORE = range(14, 20)


@wp.struct
class Report:
    """The statistics."""

    numbers: wp.array(dtype=wp.int64)
    deltas: wp.array2d(dtype=wp.float64)  # seconds, delta; later changes than fit are dropped
    samples: wp.array2d(dtype=wp.float64)  # rows of COLUMNS; none if no trace is wanted


# ---- for one thread


@wp.func
def raise_to(report: Report, cell: int, value: wp.int64):
    """Raise a cell to a value if it is lower."""
    report.numbers[cell] = wp.max(report.numbers[cell], value)


@wp.func
def count(report: Report, cell: int, more: int):
    """Add to a cell."""
    report.numbers[cell] = report.numbers[cell] + wp.int64(more)


@wp.func
def passed(report: Report) -> wp.int64:
    """Return the nanoseconds since the search began."""
    return wp.int64(clock()) - report.numbers[Number.BEGAN]


@wp.func
def note_delta(report: Report, width: wp.float64):
    """Record the current delta."""
    row = int(report.numbers[Number.DELTAS])
    if row < report.deltas.shape[0]:
        report.deltas[row, 0] = wp.float64(passed(report)) * _SECOND
        report.deltas[row, 1] = width
        report.numbers[Number.DELTAS] = wp.int64(row + 1)


@wp.func
def note_assigned(report: Report, ranges: int, buckets: int):
    """Record the assignments of a sweep."""
    count(report, Number.ASSIGNMENTS, ranges)
    raise_to(report, Number.MOST_URGENT, wp.int64(buckets))
    raise_to(report, Number.URGENT_SINCE, wp.int64(buckets))


@wp.func
def halve_samples(report: Report):
    """Merge pairs of rows, to make room for more."""
    for i in range(report.samples.shape[0] // 2):
        for column in range(report.samples.shape[1]):
            value = report.samples[2 * i + 1, column]
            if column >= Column.WORK:
                value += report.samples[2 * i, column]
            elif column == Column.URGENT:
                value = wp.max(value, report.samples[2 * i, column])
            report.samples[i, column] = value
    report.numbers[Number.SAMPLES] = wp.int64(report.samples.shape[0] // 2)


@wp.func
def is_due(report: Report) -> int:
    """Return 1 if the last sample was long ago."""
    due = int(0)
    if passed(report) - report.numbers[Number.LAST_SAMPLE] >= BETWEEN_SAMPLES:
        due = 1
    return due


# ---- for all threads


@wp.func
def over_workers(queue: Queue, workers: Workers, thread: int, cell: int) -> wp.uint64:
    """Return the sum of a cell over all workers."""
    mine = U(0)
    for worker in range(1 + thread, workers.blocks, wp.block_dim()):
        mine += u64.load(workers.counts, worker * COUNTER_STRIDE + cell)
    return block_sum(queue.sum_cells, 0, mine)


@wp.func
def note_switch(
    queue: Queue,
    workers: Workers,
    report: Report,
    delta: Delta,
    width: wp.float64,
    steps: int,
    assigned: wp.uint64,
    thread: int,
) -> Delta:
    """Count a head-bucket switch of so many steps, and decide about delta, and whether items are put back."""
    items = wp.int64(all_live(queue, thread))
    buckets = wp.int64(in_use(queue, thread))
    pushed = over_workers(queue, workers, thread, Count.PUSHED)
    clipped = over_workers(queue, workers, thread, Count.CLIPPED)
    vertices = over_workers(queue, workers, thread, Count.VERTICES)
    resorted = over_workers(queue, workers, thread, Count.RESORTED)
    now = head_switched(delta, width, assigned, pushed, clipped)
    now = decide_sorting(now, queue.buckets, steps, vertices, resorted)
    if thread == 0:
        count(report, Number.SWITCHES, 1)
        raise_to(report, Number.ITEMS_HIGH_WATER, items)
        raise_to(report, Number.MOST_BUCKETS, buckets)
        count(report, Number.RAISED, int(now.factor > wp.float64(1.0)))
        count(report, Number.LOWERED, int(now.factor < wp.float64(1.0)))
    return now


@wp.func
def note_overfull(
    queue: Queue, workers: Workers, report: Report, delta: Delta, width: wp.float64, thread: int
) -> Delta:
    """Decide about delta within a bucket from which very many items were assigned."""
    pushed = over_workers(queue, workers, thread, Count.PUSHED)
    clipped = over_workers(queue, workers, thread, Count.CLIPPED)
    now = divide(delta, width, pushed, clipped)
    if thread == 0:
        count(report, Number.LOWERED, int(now.factor < wp.float64(1.0)))
    return now


@wp.func
def all_completed(queue: Queue, thread: int) -> wp.uint64:
    """Return how many items were ever completed."""
    mine = U(0)
    for bucket in range(thread, queue.buckets, wp.block_dim()):
        mine += u64.load(queue.completed, bucket * COUNTER_STRIDE)
    return block_sum(queue.sum_cells, 0, mine)


@wp.func
def note(report: Report, column: int, value: wp.uint64, thread: int):
    """Record a number of the state, in the row that is being written."""
    if thread == 0:
        report.samples[int(report.numbers[Number.SAMPLES]), column] = wp.float64(value)


@wp.func
def note_work(report: Report, column: int, total: wp.uint64, thread: int):
    """Record the work since the last sample, of which there is so much in total."""
    if thread == 0:
        before = int(Number.WORK_BEFORE) + column - Column.WORK
        report.samples[int(report.numbers[Number.SAMPLES]), column] = wp.float64(
            wp.int64(total) - report.numbers[before]
        )
        report.numbers[before] = wp.int64(total)


@wp.func
def note_workers(queue: Queue, workers: Workers, report: Report, thread: int):
    """Record the workers that have an assignment, and its items."""
    busy, items = U(0), U(0)
    for worker in range(1 + thread, workers.blocks, wp.block_dim()):
        if u32.load(workers.flags, worker * FLAG_STRIDE) == wp.uint32(Flag.ASSIGNED):
            busy += U(1)
            items += U(workers.assignments[worker].count)
    note(report, Column.WORKERS, block_sum(queue.sum_cells, 0, busy), thread)
    note(report, Column.ITEMS, block_sum(queue.sum_cells, 0, items), thread)


@wp.func
def note_waiting(queue: Queue, report: Report, window: Window, urgent: int, thread: int):
    """Record the items that wait in the urgent buckets, and in all others."""
    waiting = U(0)
    for steps in range(thread, urgent, wp.block_dim()):
        waiting += live(queue, bucket_ahead(window, steps))
    near = block_sum(queue.sum_cells, 0, waiting)
    note(report, Column.NEAR, near, thread)
    note(report, Column.FAR, wp.max(all_live(queue, thread), near) - near, thread)


@wp.func
def sample(queue: Queue, workers: Workers, report: Report, window: Window, width: wp.float64, urgent: int, thread: int):
    """Record the state in the trace; `urgent` buckets are assigned from. Each number is written once it is known."""
    if thread == 0:
        if int(report.numbers[Number.SAMPLES]) == report.samples.shape[0]:
            halve_samples(report)
        row = int(report.numbers[Number.SAMPLES])
        now = passed(report)
        report.samples[row, Column.SECONDS] = wp.float64(now) * _SECOND
        report.samples[row, Column.LOW] = window.begin
        report.samples[row, Column.DELTA] = width
        report.samples[row, Column.URGENT] = wp.float64(report.numbers[Number.URGENT_SINCE])
        free = i32.load(queue.coordination, Coordination.FREE_COUNT)
        report.samples[row, Column.BLOCKS] = wp.float64(queue.blocks - free)
        report.numbers[Number.LAST_SAMPLE] = now
        report.numbers[Number.URGENT_SINCE] = wp.int64(0)
    note_work(report, Column.WORK, over_workers(queue, workers, thread, Count.VERTICES), thread)
    note_work(report, Column.EDGES, over_workers(queue, workers, thread, Count.EDGES), thread)
    note_work(report, Column.RESORTED, over_workers(queue, workers, thread, Count.RESORTED), thread)
    note_work(report, Column.COMPLETED, all_completed(queue, thread), thread)
    note(report, Column.LABELLED, over_workers(queue, workers, thread, Count.LABELLED), thread)
    note(report, Column.BUCKETS, U(in_use(queue, thread)), thread)
    note_workers(queue, workers, report, thread)
    note_waiting(queue, report, window, urgent, thread)
    if thread == 0:
        report.numbers[Number.SAMPLES] = report.numbers[Number.SAMPLES] + wp.int64(1)
