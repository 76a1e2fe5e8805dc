"""What the manager of ADDS tells besides the distances: counts, delta over time, and the rows of a trace."""

import warp as wp

from pathfront.devices.gpu.kernels.adds_delta import Delta, head_switched
from pathfront.devices.gpu.kernels.adds_queue import FREE, SPREAD, Queue, U, all_live, in_use, load_cell, load_wide
from pathfront.devices.gpu.kernels.adds_search import (
    ASSIGNED,
    CLIPPED,
    EDGES,
    FLAG,
    PUSHED,
    VERTICES,
    Window,
    Workers,
    load_flag,
)
from pathfront.devices.gpu.kernels.collectives import clock, total

(
    SWEEPS,
    ASSIGNMENTS,
    RAISED,
    LOWERED,
    MOST_BUCKETS,
    MOST_URGENT,
    ITEMS_HIGH_WATER,
    BLOCKS_HIGH_WATER,
    EXCESS_BLOCKS,
    SWITCHES,
    BEGAN,
    NANOSECONDS,
    DELTAS,
    SAMPLES,
    LAST_SAMPLE,
    URGENT_SINCE,
    VERTICES_BEFORE,
    EDGES_BEFORE,
    NUMBERS,
) = range(19)
"""Cells of `Report.numbers`, and how many there are; the last are what the last sample told."""

BETWEEN_SAMPLES = wp.constant(wp.int64(100_000))
"""Nanoseconds."""

COLUMNS, URGENT_COLUMN, WORK_COLUMN = 10, 4, 8
"""Of the trace: see TRACE in `pathfront/methods/adds.py`. The last are the work since the row before."""

_SECOND = wp.constant(wp.float64(1.0e-9))


@wp.struct
class Report:
    """What the manager tells."""

    numbers: wp.array(dtype=wp.int64)
    deltas: wp.array2d(dtype=wp.float64)  # seconds, delta; what there is no room for is not told
    samples: wp.array2d(dtype=wp.float64)  # rows of COLUMNS; none if no trace is wanted


# ---- for one lane


@wp.func
def raise_to(report: Report, cell: int, value: wp.int64):
    """Keep the highest value there was."""
    report.numbers[cell] = wp.max(report.numbers[cell], value)


@wp.func
def count(report: Report, cell: int, more: int):
    """Count something."""
    report.numbers[cell] = report.numbers[cell] + wp.int64(more)


@wp.func
def passed(report: Report) -> wp.int64:
    """Return the nanoseconds since the search began."""
    return wp.int64(clock()) - report.numbers[BEGAN]


@wp.func
def note_delta(report: Report, window: Window):
    """Note delta as it is now."""
    row = int(report.numbers[DELTAS])
    if row < report.deltas.shape[0]:
        report.deltas[row, 0] = wp.float64(passed(report)) * _SECOND
        report.deltas[row, 1] = wp.float64(1.0) / window.scale
        report.numbers[DELTAS] = wp.int64(row + 1)


@wp.func
def note_handed_out(report: Report, ranges: int, buckets: int):
    """Note what a sweep handed out."""
    count(report, ASSIGNMENTS, ranges)
    raise_to(report, MOST_URGENT, wp.int64(buckets))
    raise_to(report, URGENT_SINCE, wp.int64(buckets))


@wp.func
def halve_samples(report: Report):
    """Make one row of two, where there is no room for more."""
    for i in range(report.samples.shape[0] // 2):
        for column in range(report.samples.shape[1]):
            value = report.samples[2 * i + 1, column]
            if column >= WORK_COLUMN:
                value += report.samples[2 * i, column]
            elif column == URGENT_COLUMN:
                value = wp.max(value, report.samples[2 * i, column])
            report.samples[i, column] = value
    report.numbers[SAMPLES] = wp.int64(report.samples.shape[0] // 2)


@wp.func
def is_due(report: Report) -> int:
    """Return 1 if the last sample was long ago."""
    due = int(0)
    if passed(report) - report.numbers[LAST_SAMPLE] >= BETWEEN_SAMPLES:
        due = 1
    return due


# ---- for all lanes


@wp.func
def over_workers(queue: Queue, workers: Workers, lane: int, cell: int) -> wp.uint64:
    """Return a count of all workers."""
    mine = U(0)
    for worker in range(1 + lane, workers.blocks, wp.block_dim()):
        mine += load_wide(workers.counts, worker * SPREAD + cell)
    return total(queue.total_cells, 0, mine)


@wp.func
def note_switch(
    queue: Queue, workers: Workers, report: Report, delta: Delta, window: Window, assigned: wp.uint64, lane: int
) -> Delta:
    """Count a switch of the head, and decide about delta."""
    items = wp.int64(all_live(queue, lane))
    buckets = wp.int64(in_use(queue, lane))
    pushed = over_workers(queue, workers, lane, PUSHED)
    clipped = over_workers(queue, workers, lane, CLIPPED)
    now = head_switched(delta, window.exponent, assigned, pushed, clipped)
    if lane == 0:
        count(report, SWITCHES, 1)
        raise_to(report, ITEMS_HIGH_WATER, items)
        raise_to(report, MOST_BUCKETS, buckets)
        count(report, RAISED, wp.max(now.by, 0))
        count(report, LOWERED, wp.max(-now.by, 0))
    return now


@wp.func
def sample(queue: Queue, workers: Workers, report: Report, window: Window, lane: int):
    """Note the state for the trace."""
    vertices = wp.int64(over_workers(queue, workers, lane, VERTICES))
    edges = wp.int64(over_workers(queue, workers, lane, EDGES))
    buckets = in_use(queue, lane)
    busy, items = U(0), U(0)
    for worker in range(1 + lane, workers.blocks, wp.block_dim()):
        if load_flag(workers.flags, worker * FLAG) == wp.uint32(ASSIGNED):
            busy += U(1)
            items += U(workers.orders[worker].count)
    all_busy = total(queue.total_cells, 0, busy)
    all_items = total(queue.total_cells, 0, items)
    if lane == 0:
        if int(report.numbers[SAMPLES]) == report.samples.shape[0]:
            halve_samples(report)
        row = int(report.numbers[SAMPLES])
        now = passed(report)
        report.samples[row, 0] = wp.float64(now) * _SECOND
        report.samples[row, 1] = wp.float64(window.base) / window.scale
        report.samples[row, 2] = wp.float64(1.0) / window.scale
        report.samples[row, 3] = wp.float64(buckets)
        report.samples[row, URGENT_COLUMN] = wp.float64(report.numbers[URGENT_SINCE])
        report.samples[row, 5] = wp.float64(all_busy)
        report.samples[row, 6] = wp.float64(all_items)
        report.samples[row, 7] = wp.float64(queue.blocks - load_cell(queue.desk, FREE))
        report.samples[row, WORK_COLUMN] = wp.float64(vertices - report.numbers[VERTICES_BEFORE])
        report.samples[row, WORK_COLUMN + 1] = wp.float64(edges - report.numbers[EDGES_BEFORE])
        report.numbers[SAMPLES] = wp.int64(row + 1)
        report.numbers[LAST_SAMPLE] = now
        report.numbers[URGENT_SINCE] = wp.int64(0)
        report.numbers[VERTICES_BEFORE] = vertices
        report.numbers[EDGES_BEFORE] = edges
