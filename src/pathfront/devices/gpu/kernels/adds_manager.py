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

from pathfront.devices.gpu.kernels import adds_window, atomics, numbers
from pathfront.devices.gpu.kernels.adds_assign import assigning, reading
from pathfront.devices.gpu.kernels.adds_delta import Delta, is_overfull
from pathfront.devices.gpu.kernels.adds_queue import Coordination, Queue, U, all_live, number_of, provide
from pathfront.devices.gpu.kernels.adds_report import (
    Number,
    Report,
    count,
    is_due,
    note_assigned,
    note_delta,
    note_overfull,
    note_switch,
    passed,
    raise_to,
    sample,
)
from pathfront.devices.gpu.kernels.adds_search import (
    FLAG_STRIDE,
    Flag,
    Workers,
    search_of,
)
from pathfront.devices.gpu.kernels.adds_window import Window, bucket_ahead
from pathfront.devices.gpu.kernels.atomics import i32, u32
from pathfront.devices.gpu.kernels.barrier import stopped, sync_block
from pathfront.devices.gpu.kernels.collectives import broadcast, clock
from pathfront.devices.gpu.kernels.module import Uints
from pathfront.devices.gpu.persistent import STOP

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


def switching(name: str, packed: bool) -> SimpleNamespace:
    """Return the functions that move the head and change delta; for all threads."""
    dtype, unreached, windows = numbers.TYPES[name], numbers.of(name, packed).unreached, adds_window.of(name)
    advanced, moved, widened, width_of = windows.advanced, windows.moved, windows.widened, windows.width_of
    access = atomics.of(dtype)
    load, store = access.load, access.store
    Search = search_of(name, packed)  # noqa: N806, a type

    @wp.func
    def switched(search: Search, window: Window, steps: int, thread: int) -> Window:
        """Return the window with the head so many steps ahead.

        If that is the last bucket, nothing else is left and nothing is in flight; so the head may begin at the lowest
        distance there is, without a step for each width that holds none.
        """
        now = advanced(window, steps)
        if steps == window.last:
            lowest = load(search.clipped, now.head)
            if lowest != unreached:
                now = moved(now, lowest)
        sync_block()  # all threads have read it
        for i in range(thread, steps + 1, wp.block_dim()):
            store(search.clipped, bucket_ahead(window, i), unreached)
        return now

    @wp.func
    def changed(report: Report, window: Window, delta: Delta, thread: int) -> Window:
        """Return the window with the width that was decided on; record a new one."""
        now = window
        if delta.factor != wp.float64(1.0):
            now = widened(window, delta.factor)
            if thread == 0:
                note_delta(report, width_of(now))
        return now

    return SimpleNamespace(switched=switched, changed=changed, width_of=width_of)


@cache
def of(
    name: str, packed: bool, push_ahead: Any, finished: Any, written_up_to: Any, most_urgent: Any, quiet_sweeps: int
) -> Any:
    """Return the manager's loop, for one type of distances."""
    buckets = reading(written_up_to, finished)
    advance, assign = buckets.advance, assigning(name, packed, buckets.readable)
    parts, heads = sources_and_targets(name, packed, push_ahead), switching(name, packed)
    push_sources, update_limit = parts.push_sources, parts.update_limit
    switched, changed, width_of = heads.switched, heads.changed, heads.width_of
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
        """Sweep until two sweeps in a row have found every bucket finished; for all threads.

        Likewise the last bucket becomes the head when two in a row have found every other bucket finished.
        """
        window, delta = first_window, first_delta
        if thread == 0:
            report.numbers[Number.BEGAN] = wp.int64(clock())
            note_delta(report, width_of(window))
        assigned = U(0)  # items since the head switched, or since the last decision about delta
        targets = wp.vec2i(search.targets.shape[0], 0)
        sources_pushed, quiet, urgent = int(0), int(0), int(1)
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
                if steps < window.last:
                    quiet = 0
            if request == STOP_REQUEST:
                quiet = enough_sweeps
            elif not pushing and (steps < window.last or (steps == window.last and quiet >= enough_sweeps)):
                quiet = 0
                if steps > 0:
                    window = switched(search, window, steps, thread)
                    delta = note_switch(queue, workers, report, delta, width_of(window), steps, assigned, thread)
                    assigned = U(0)
                    window = changed(report, window, delta, thread)
                    window.sorting = delta.sorting
                    if thread == 0 and search.targets.shape[0] > 0:
                        targets = update_limit(search, targets[0], targets[1])
                    sync_block()
                most = most_urgent(queue.buckets)
                assigned_now = assign(search, queue, workers, window, most, urgent, thread)
                urgent = assigned_now[3]
                assigned += U(assigned_now[1])
                if is_overfull(delta, assigned):
                    delta = note_overfull(queue, workers, report, delta, width_of(window), thread)
                    assigned = U(0)
                    window = changed(report, window, delta, thread)
                if thread == 0:
                    note_assigned(report, assigned_now[0], assigned_now[2])
                    if assigned_now[0] == 0:
                        atomics.pause()
            if report.samples.shape[0] > 0:
                due = broadcast(queue.min_cells, 0, thread, is_due(report))
                if due == 1 or quiet == enough_sweeps or (quiet == 0 and steps > 0):
                    sample(queue, workers, report, window, width_of(window), urgent, thread)
            if thread == 0:
                count(report, Number.SWEEPS, 1)
        dismiss(workers, thread)
        if thread == 0:
            report.numbers[Number.NANOSECONDS] = passed(report)

    return manage
