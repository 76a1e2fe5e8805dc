"""The statistics of an ADDS search: counts, delta over time, and the rows of a trace; written by the manager."""

from enum import IntEnum

import warp as wp

from pathfront.devices.gpu.kernels.adds_delta import Delta, decide_sorting, divide, head_switched
from pathfront.devices.gpu.kernels.adds_queue import COUNTER_STRIDE, Coordination, Queue, U, all_live, in_use
from pathfront.devices.gpu.kernels.adds_search import FLAG_STRIDE, Count, Flag, Workers
from pathfront.devices.gpu.kernels.adds_window import Window
from pathfront.devices.gpu.kernels.atomics import i32, u32, u64
from pathfront.devices.gpu.kernels.collectives import block_sum, clock

BETWEEN_SAMPLES = wp.constant(wp.int64(100_000))
"""Nanoseconds from one sample to the next."""

COLUMNS, URGENT_COLUMN, WORK_COLUMN = 10, 4, 8
"""How many columns the trace has, the column of urgent buckets, and the first of the two that count the work since the
row before: see TRACE in `pathfront/methods/adds.py`."""

_SECOND = wp.constant(wp.float64(1.0e-9))
"""Seconds of a nanosecond."""


class Number(IntEnum):
    """Cells of `Report.numbers`; the last two are the counts at the last sample."""

    SWEEPS, ASSIGNMENTS, RAISED, LOWERED, MOST_BUCKETS, MOST_URGENT, ITEMS_HIGH_WATER = range(7)
    BLOCKS_HIGH_WATER, EXCESS_BLOCKS, SWITCHES, BEGAN, NANOSECONDS, DELTAS, SAMPLES = range(7, 14)
    LAST_SAMPLE, URGENT_SINCE, VERTICES_BEFORE, EDGES_BEFORE = range(14, 18)


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
            if column >= WORK_COLUMN:
                value += report.samples[2 * i, column]
            elif column == URGENT_COLUMN:
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
def sample(queue: Queue, workers: Workers, report: Report, window: Window, width: wp.float64, thread: int):
    """Record the state in the trace."""
    vertices = wp.int64(over_workers(queue, workers, thread, Count.VERTICES))
    edges = wp.int64(over_workers(queue, workers, thread, Count.EDGES))
    buckets = in_use(queue, thread)
    busy, items = U(0), U(0)
    for worker in range(1 + thread, workers.blocks, wp.block_dim()):
        if u32.load(workers.flags, worker * FLAG_STRIDE) == wp.uint32(Flag.ASSIGNED):
            busy += U(1)
            items += U(workers.assignments[worker].count)
    all_busy = block_sum(queue.sum_cells, 0, busy)
    all_items = block_sum(queue.sum_cells, 0, items)
    if thread == 0:
        if int(report.numbers[Number.SAMPLES]) == report.samples.shape[0]:
            halve_samples(report)
        row = int(report.numbers[Number.SAMPLES])
        now = passed(report)
        report.samples[row, 0] = wp.float64(now) * _SECOND
        report.samples[row, 1] = window.begin
        report.samples[row, 2] = width
        report.samples[row, 3] = wp.float64(buckets)
        report.samples[row, URGENT_COLUMN] = wp.float64(report.numbers[Number.URGENT_SINCE])
        report.samples[row, 5] = wp.float64(all_busy)
        report.samples[row, 6] = wp.float64(all_items)
        report.samples[row, 7] = wp.float64(queue.blocks - i32.load(queue.coordination, Coordination.FREE_COUNT))
        report.samples[row, WORK_COLUMN] = wp.float64(vertices - report.numbers[Number.VERTICES_BEFORE])
        report.samples[row, WORK_COLUMN + 1] = wp.float64(edges - report.numbers[Number.EDGES_BEFORE])
        report.numbers[Number.SAMPLES] = wp.int64(row + 1)
        report.numbers[Number.LAST_SAMPLE] = now
        report.numbers[Number.URGENT_SINCE] = wp.int64(0)
        report.numbers[Number.VERTICES_BEFORE] = vertices
        report.numbers[Number.EDGES_BEFORE] = edges
