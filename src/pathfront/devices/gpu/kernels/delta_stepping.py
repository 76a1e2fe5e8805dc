"""Delta-stepping as one persistent kernel: steps that all blocks take together, with a grid-wide barrier after each.

The last block to arrive at a barrier decides the next step while all others wait: so no value that decides changes
while it is read, and the host is not involved. A search takes these steps:

    CLEAR, START      all distances unreached; the sources in the frontier
    LIGHT             the frontier's arcs of at most delta, repeated until the bucket stays empty
    HEAVY             the longer arcs of all vertices of the bucket, once: their heads lie behind the bucket
    SPLIT             the next bucket, taken from the soon or the far queue
    WRITE             the results

Vertices behind the current bucket wait in two queues, `soon` up to a horizon and `far` beyond it. A queue is scanned
for every bucket, so the first is kept short. A circular queue of buckets would be read only once, but a vertex may lie
in many of them, so it needs either many times the memory or a check for overflow. Each queue is a set: the thread that
first writes the queue's current generation into a vertex's tag adds the vertex, so that no queue ever holds more than
n, and nothing has to be cleared. A vertex whose distance has fallen may still have a stale entry in a queue; it is
dropped when the queue is scanned.

In LIGHT and HEAVY a thread relaxes a vertex of few arcs alone. Vertices of more are listed, and those of very many are
cut into slices; in the step after (LIGHT_SHARED, HEAVY_SHARED) each that is listed is relaxed by a warp, and each slice
by all threads of a block. Where there are none, as in road networks, there is no such step. Limits are inclusive, so
that progress is made even if adding delta does not change a float.
"""

from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pathfront.devices.gpu.kernels import barrier, delta_search, delta_work, numbers
from pathfront.devices.gpu.kernels.atomics import u32
from pathfront.devices.gpu.kernels.collectives import clock
from pathfront.devices.gpu.kernels.delta_search import COLUMNS, Bound, Cell, Column, Step, Total
from pathfront.devices.gpu.kernels.module import Uints
from pathfront.devices.gpu.persistent import HEARTBEAT


def modules() -> Iterator[wp.Module]:
    """Build the kernels of all types; yield their modules."""
    for form in numbers.FORMS:
        yield of(*form).kernel.module


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return `kernel` and the struct `Search` for distances of one type."""
    return build(name, packed, f"pathfront_delta_stepping_{name}{'_packed' if packed else ''}")


def build(name: str, packed: bool, module: str) -> SimpleNamespace:
    """Build the functions and the kernel anew, in a module of this name."""
    made = SimpleNamespace(numbers=numbers.of(name, packed))
    made.Search = delta_search.of(made.numbers)
    delta_work.of(made)
    made.decide = _deciding(made)
    made.kernel = _stepping(made, wp.get_module(module))
    return made


def _deciding(made: SimpleNamespace) -> Any:
    Search, dtype, unreached = made.Search, made.numbers.dtype, made.numbers.unreached  # noqa: N806, a type
    raised, dist_at = made.numbers.raised, made.numbers.dist_at

    @wp.func
    def take(s: Search, count: int, step: int):
        """Make the entries of a counter the work of the next step."""
        s.cells[Cell.TAKEN] = s.cells[count]
        s.cells[count] = wp.uint32(0)
        s.cells[Cell.CURSOR] = wp.uint32(0)
        s.cells[Cell.STEP] = wp.uint32(step)

    @wp.func
    def end_row(s: Search):
        """Complete the last row of the trace, if there is one."""
        row = int(s.cells[Cell.TRACE_ROWS])
        if row > 0:
            at = (row - 1) * COLUMNS
            s.row_counts[at + Column.LABELLED] = s.totals[Total.LABELLED]
            s.row_counts[at + Column.FINAL] = s.totals[Total.FINAL]
            s.row_counts[at + Column.DROPPED] = s.totals[Total.DROPPED] - s.totals[Total.DROPPED_BEFORE]
            s.row_counts[at + Column.NANOSECONDS] = clock() - s.totals[Total.BEGAN]
            s.totals[Total.DROPPED_BEFORE] = s.totals[Total.DROPPED]

    @wp.func
    def take_frontier(s: Search):
        if s.rows != 0:
            end_row(s)
            row = int(s.cells[Cell.TRACE_ROWS])
            if row == s.rows:
                s.cells[Cell.STEP] = wp.uint32(Step.PAUSE)
                return
            at = row * COLUMNS
            s.row_counts[at + Column.FRONTIER] = wp.uint64(s.cells[Cell.NEXT])
            s.row_counts[at + Column.EDGES] = wp.uint64(0)
            s.row_counts[at + Column.NEAR] = wp.uint64(s.cells[Cell.NEXT])
            s.row_counts[at + Column.FAR] = wp.uint64(s.cells[Cell.SOON_COUNT] + s.cells[Cell.FAR_COUNT])
            s.row_bounds[row, 0] = s.bounds[Bound.LOW]
            s.row_bounds[row, 1] = s.bounds[Bound.LIMIT]
            s.cells[Cell.TRACE_ROWS] = wp.uint32(row + 1)
        s.cells[Cell.GENERATION] = s.cells[Cell.GENERATION] + wp.uint32(1)
        s.vertices[0] = s.vertices[0] + wp.uint64(s.cells[Cell.NEXT])
        take(s, Cell.NEXT, Step.LIGHT)

    @wp.func
    def targets_final(s: Search) -> bool:
        """Return whether all targets are in this bucket or before it; those that are remain so."""
        i = int(s.cells[Cell.TARGETS_FINAL])
        while (
            i < s.target_count and dist_at(s.words, s.targets[wp.min(i, s.target_count - 1)]) <= s.bounds[Bound.LIMIT]
        ):
            i += 1
        s.cells[Cell.TARGETS_FINAL] = wp.uint32(i)
        return s.target_count > 0 and i == s.target_count

    @wp.func
    def farthest_target(s: Search) -> dtype:
        """Return the radius of the result: unreached if there are no targets, or one is not reached."""
        if s.target_count == 0:
            return unreached
        farthest = dist_at(s.words, s.targets[0])
        for i in range(1, s.target_count):
            farthest = wp.max(farthest, dist_at(s.words, s.targets[i]))
        return farthest

    @wp.func
    def next_bucket(s: Search):
        """Go to the next bucket, which begins at the lowest distance queued."""
        s.totals[Total.FINAL] = s.totals[Total.ENTERED]
        low = s.bounds[Bound.LOW_SOON]
        s.bounds[Bound.SETTLED_LIMIT] = s.bounds[Bound.LIMIT]
        if s.cells[Cell.SOON_COUNT] != wp.uint32(0):
            # Vertices in the far queue lie beyond the horizon; the bucket must not reach there.
            s.bounds[Bound.LIMIT] = wp.min(raised(low, s.delta), s.bounds[Bound.HORIZON])
            s.bounds[Bound.LOW_SOON] = unreached
            s.cells[Cell.SOON_TAG] = s.cells[Cell.SOON_TAG] + wp.uint32(1)
            s.cells[Cell.FROM_FAR] = wp.uint32(0)
            take(s, Cell.SOON_COUNT, Step.SPLIT)
        else:
            low = s.bounds[Bound.LOW_FAR]
            s.bounds[Bound.HORIZON] = raised(low, s.reach)
            s.bounds[Bound.LIMIT] = raised(low, s.delta)
            s.bounds[Bound.LOW_FAR] = unreached
            s.cells[Cell.FAR_TAG] = s.cells[Cell.FAR_TAG] + wp.uint32(1)
            s.cells[Cell.FROM_FAR] = wp.uint32(1)
            take(s, Cell.FAR_COUNT, Step.SPLIT)
        s.bounds[Bound.LOW] = low

    @wp.func
    def first_bucket(s: Search):
        s.bounds[Bound.LOW] = dtype(0)
        s.bounds[Bound.LIMIT] = raised(dtype(0), s.delta)
        s.bounds[Bound.HORIZON] = raised(dtype(0), s.reach)
        s.bounds[Bound.LOW_SOON] = unreached
        s.bounds[Bound.LOW_FAR] = unreached
        s.cells[Cell.SOON_TAG] = wp.uint32(1)
        s.cells[Cell.FAR_TAG] = wp.uint32(1)
        s.cells[Cell.STEP] = wp.uint32(Step.START)

    @wp.func
    def decide(s: Search, control: Uints):
        """Decide the next step; done by one thread while all others wait."""
        u32.fetch_add(control, HEARTBEAT, wp.uint32(1))
        step = s.cells[Cell.STEP]
        if step == wp.uint32(Step.CLEAR):
            first_bucket(s)
        elif step == wp.uint32(Step.WRITE):
            s.cells[Cell.STEP] = wp.uint32(Step.END)
        elif s.cells[Cell.SLICES] != wp.uint32(0) or s.cells[Cell.MIDDLE_COUNT] != wp.uint32(0):
            s.cells[Cell.MIDDLE_TAKEN] = s.cells[Cell.MIDDLE_COUNT]
            s.cells[Cell.MIDDLE_COUNT] = wp.uint32(0)
            take(s, Cell.SLICES, int(step) + 1)
        else:
            if step == wp.uint32(Step.PAUSE):
                s.cells[Cell.TRACE_ROWS] = wp.uint32(0)
            # Also after Step.HEAVY: a float sum may be rounded down to the limit.
            if s.cells[Cell.NEXT] != wp.uint32(0):
                take_frontier(s)
            elif s.cells[Cell.SETTLED_COUNT] != wp.uint32(0):
                take(s, Cell.SETTLED_COUNT, Step.HEAVY)
            elif targets_final(s) or (
                s.cells[Cell.SOON_COUNT] == wp.uint32(0) and s.cells[Cell.FAR_COUNT] == wp.uint32(0)
            ):
                s.totals[Total.FINAL] = s.totals[Total.ENTERED]
                end_row(s)
                s.bounds[Bound.RADIUS] = farthest_target(s)
                s.cells[Cell.STEP] = wp.uint32(Step.WRITE)
            else:
                next_bucket(s)

    return decide


def _stepping(made: SimpleNamespace, module: wp.Module) -> Any:
    Search, initialise, write, decide = made.Search, made.initialise, made.write, made.decide  # noqa: N806, a type
    expand, relax_shared, split = made.expand, made.relax_shared, made.split
    arrive, release, wait, should_continue = barrier.arrive, barrier.release, barrier.wait, barrier.should_continue
    phase_of, sync_block = barrier.phase_of, barrier.sync_block

    @wp.kernel(enable_backward=False, module=module)
    def delta_stepping(first: int, control: Uints, s: Search):
        among, thread = wp.tid()
        block = first + among
        index = block * s.block_dim + thread
        running = bool(True)
        while running:
            step = u32.load(s.cells, Cell.STEP)
            if step <= wp.uint32(Step.START):
                initialise(s, step, index)
            elif step == wp.uint32(Step.LIGHT) or step == wp.uint32(Step.HEAVY):
                expand(s, control, index, step == wp.uint32(Step.HEAVY))
            elif step == wp.uint32(Step.LIGHT_SHARED) or step == wp.uint32(Step.HEAVY_SHARED):
                relax_shared(s, control, block, thread, step == wp.uint32(Step.HEAVY_SHARED))
            elif step == wp.uint32(Step.SPLIT):
                split(s, control, index)
            elif step == wp.uint32(Step.WRITE):
                write(s, index)
            sync_block()
            if thread == 0:
                phase = phase_of(s.barrier)
                if arrive(s.barrier, s.blocks):
                    decide(s, control)
                    release(s.barrier)
                else:
                    wait(s.barrier, control, phase)
            running = should_continue(s.barrier, control, block, thread)
            if running:
                step = u32.load(s.cells, Cell.STEP)
                running = step != wp.uint32(Step.END) and step != wp.uint32(Step.PAUSE)

    return delta_stepping
