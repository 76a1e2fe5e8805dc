"""ADDS, asynchronous dynamic delta-stepping: a manager assigns the vertices in buckets and adjusts the buckets' width.

Near-Far keeps two queues, has a barrier after each iteration, and one width for the whole search. ADDS (Wang, Fussell
and Lin 2021) keeps a circular queue of 32 buckets, has no barriers, and changes the width while it runs.

*Workers* relax their assigned items and push every improved vertex, with its distance, into the bucket of that
distance, clipped to the last bucket. They never read a bucket. Only the *manager* does: starting with the most urgent
bucket it finds the completely written items, and assigns ranges of them through one flag per worker. If threads are
idle although the most urgent bucket has been handed out, one more bucket is, up to four and half of all; if not all of
these are needed, one less (section 5.5). The last bucket, where clipped items wait, is never one of several: it is
handed out when it is the most urgent, which it becomes when all others are finished at one moment, work in flight
included. A bucket is retired when all of its items have been processed, not merely read, because running workers may
still push into it. The search ends when two checks in a row find all items of every bucket processed. An item is stale,
and skipped, if its distance is no longer its vertex's; so the order of assignments decides the amount of work, never
the distances.

*Memory* comes in blocks from one pool. A bucket takes a block when its last is nearly full and returns a block when all
items in it are processed, so the blocks in use are never more than the items need and a few for each bucket. Workers
allocate nothing.

*Delta* starts as the given width, or as the mean weight over the mean degree, rounded to a power of two. It doubles as
soon as 65% of the pushed items are clipped, since clipped items have no order, and never falls that low again. Besides,
every 16 bucket switches it may double, if buckets are too small to keep the workers busy, or halve, if they hold far
more than that and hardly any item is clipped. With a delta far too large there would be no switches, so it also falls
while a bucket is processed: to a quarter, as soon as the bucket has had four times too many items.

`threads` includes the manager, which is the calling thread. With one thread it does everything, with a sweep between
ranges. With more, the others are workers, and the manager relaxes items too: those too few to wake a worker for, and
any items if there are at least as many cores as threads; meanwhile it polls for wake-ups every few items. The engine is
`cpp/engines/adds/`; `tests/model/adds_queue.py` checks every interleaving of the queue's protocol.

On a GPU, and on device "emulated", the whole search is one persistent kernel, `devices/gpu/kernels/adds.py`, with the
same parts under the same names. The first block of lanes is the manager, and only that; its lanes check the buckets,
the segments and the workers in parallel. All other blocks are workers, whose lanes share an assignment: a lane for a
vertex of few arcs, a warp for one of more, the whole block for a hub. The pool is allocated before the kernel starts;
if it is too small the search is run again with twice as many blocks, up to the option `pool`. Every option means the
same there. `patience` 0 is the 30 seconds of all kernels, and a bucket is wide enough for the workers when every lane
has an item of it; emulated, workers beyond the machine's cores are not counted.

*What differs from the paper*, and why. Everywhere:
- Blocks of memory have 4096 items, not 64K: with 32 buckets, each with a block and a spare one, a small search would
  take megabytes. `block` sets it.
- Clipping is measured on the pushes, not on the contents of the last bucket: if everything is clipped, that bucket has
  become the head by the time of the next check.
- Stale items are skipped when they are read; the paper's workers compare the distance only when they relax.
- Items that lie beyond the bucket they were read from, because they were clipped or delta has fallen, are moved to
  their own, at most 16 for each vertex processed (`resorted`). So two buckets do the work of Near-Far, which splits its
  far pile, too: without it they did 14 times as much on a Delaunay mesh. A delta so small that more would have to be
  moved loses the order, as in the paper.
- The limits of utilisation count what can run at once: threads, or emulated workers, beyond the machine's cores do not.

With Near-Far's width and 2, 3 or 4 buckets, 1, 2 and 7 threads, runs on the roads of New York and on a Delaunay mesh of
100,000 vertices processed at most 1.27 times Near-Far's vertices on two cores, 1.18 times if the width may not change.
Feedback widens the buckets until all cores have work, which costs order: told on the same machine to fill seven cores,
it took up to 1.44 times with 2 and 3 buckets, and 1.56 with 4.

On CPUs: the manager relaxes items too, since a thread that only manages would be half of two; it polls for wake-ups,
and idle threads sleep, since a core is shared with other programs. A block is found by a number in a circular array,
and identified by its tag. Two checks in a row that end a search are made in one sweep.

On a GPU: blocks are found through hash chains, not arrays of pointers with a cache in scratchpad, so that memory does
not grow with the number of buckets. The assignment flags are in global memory: a block cannot write to the scratchpad
of another. The last bucket becomes the head when two sweeps in a row have found all others finished; the head then
begins at the lowest distance that was clipped, without a step for each width in between, which the CPU takes.

A trace has the common columns and ADDS' own, the state at the end of a row. The window is that of the buckets assigned
from; `near` counts the items in these, `far` those in all others, `discarded` the stale ones. `final` is not among the
columns: an item may wait in a farther bucket than its distance's, because delta has risen since it was pushed, so
nothing below the head is known to be final. Where a trace is wanted on CPUs, the manager counts the vertices that have
a distance by a pass over them, which takes time from its own items; on a GPU workers mark them.

`cutoff` and `targets`: nothing beyond the cutoff is queued; once all targets have been reached nothing beyond the
farthest of them is, and when the queue is empty they are final.

`stats.extra` has `deltas` (pairs of seconds and delta; a GPU records the first 4096), `delta_raised` and
`delta_lowered`, `sweeps`, `assignments` (to workers), `most_buckets` (in use at once), `most_urgent` (assigned from at
once), `pushed` and `clipped` (items), `resorted` (moved to another bucket), `items_high_water`, `blocks_high_water`,
`excess_blocks` (the most blocks in use beyond those that the items would fill) and `utilisation` (the share of the
threads' time spent on assignments; on a GPU, of the worker blocks' time). `stats.threads` is the number of blocks
there. A trace has one row for every switch of the most urgent bucket, and between switches at most one for each tenth
of a millisecond, or fewer, so that most of the time is left for the search. On a GPU it has at most 16384 rows:
whenever they are full, two become one.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from pathfront import _core
from pathfront.exceptions import ArgumentError, DeviceError, DeviceMemoryError
from pathfront.graph.measures import weight_per_degree
from pathfront.methods.delta_stepping import exponents, width_exponent
from pathfront.methods.method import Method, Option, optional
from pathfront.problem import Outcome, Problem, outcome, request, trace_of
from pathfront.validation import Array, as_count, as_flag, as_real, available_cores

TRACE_OWN = [
    (name, np.uint64)
    for name in ("buckets_in_use", "urgent_buckets", "assigned_workers", "assigned_items", "pool_blocks", "resorted")
]
"""The columns of a native trace that are ADDS' own: the state at the end of the row, and the items moved in it."""

_SAMPLE = (
    *("seconds", "low", "delta", "near", "far", "labelled"),
    *("buckets_in_use", "urgent_buckets", "assigned_workers", "assigned_items", "pool_blocks"),
    *("frontier", "edges_relaxed", "resorted", "discarded"),
)
"""The numbers of a sample: see `Sample` in `cpp/engines/adds/report.hpp`."""


def run(problem: Problem) -> Outcome:
    """Run the native engine, or the kernel of the problem's device."""
    settings = _settings(problem)
    if problem.device == "cpu":
        try:
            native = _core.AddsSettings(**settings, cores=available_cores())
            answer, report, samples = _core.adds(request(problem), native)
        except _core.NoProgressError as error:
            stopped = DeviceError(
                f"method='adds' has made no progress for {settings['patience']:g} seconds, and was stopped; "
                "give more patience, or 0 to wait for ever."
            )
            stopped.add_note(f"Its state: {error}")
            raise stopped from None
        except _core.PoolExhaustedError as error:
            raise DeviceMemoryError(str(error)) from None
        done = outcome(answer, delta=report["deltas"][0][1], extra=report)
    else:
        from pathfront.devices.gpu import adds  # needs Warp, an optional package

        return adds.solve(problem, adds.Settings(**settings))
    return done if samples is None else replace(done, trace=_trace(problem, samples, done.delta))


def _trace(problem: Problem, samples: Any, delta: float | None) -> Array:
    """Return the trace: a row's window, and what waits in it, are those of the sample before it."""
    now = dict(zip(_SAMPLE, np.asarray(samples).reshape(-1, len(_SAMPLE)).T, strict=True))
    sources = 1 if problem.others is None else 1 + len(problem.others)
    first = {"low": 0, "delta": delta, "near": sources, "far": 0}
    before = {name: np.concatenate([[start], now[name][:-1]]) for name, start in first.items()}
    low = before.pop("low")
    window = {"distance_low": low, "distance_high": low + before["delta"] * np.maximum(now["urgent_buckets"], 1)}
    return trace_of(now | before | window, TRACE_OWN)


def _settings(problem: Problem) -> dict[str, Any]:
    options, graph = problem.options, problem.graph
    if options["segment"] > options["block"]:
        raise ArgumentError(
            f"segment is {options['segment']}, but a block has {options['block']} items; give at most as many."
        )
    lowest, highest = (math.ldexp(1.0, exponent) for exponent in exponents(graph))
    default = math.ldexp(1.0, width_exponent(graph, weight_per_degree(graph)))
    return {
        "width": default if problem.delta is None else min(max(problem.delta, lowest), highest),
        "lowest": lowest,
        "highest": highest,
        "adaptive": options["adaptive"],
        "buckets": options["buckets"],
        "block_bits": options["block"].bit_length() - 1,
        "segment_bits": options["segment"].bit_length() - 1,
        "most_blocks": options["pool"] or 0,
        "patience": options["patience"],
    }


def _as_power_of_two(value: object, name: str) -> int:
    number = as_count(value, name, least=1, most=2**24)
    if number.bit_count() != 1:
        raise ArgumentError(
            f"{name} is {number}, but it must be a power of two, such as {1 << number.bit_length() - 1}."
        )
    return number


_NOT_NEGATIVE = partial(as_real, least=0)

METHOD = Method(
    name="adds",
    summary="Asynchronous delta-stepping: a manager assigns the vertices in 32 buckets and adjusts the buckets' width.",
    run=run,
    paper="K. Wang, D. Fussell, C. Lin, A fast work-efficient SSSP algorithm for GPUs, PPoPP 2021",
    limits="weights >= 0",
    options=(
        Option("buckets", 32, "how many buckets there are, 2 to 4096", partial(as_count, least=2, most=4096)),
        Option("adaptive", True, "whether delta changes while the search runs", as_flag),
        Option("block", 4096, "items per memory block, a power of two", _as_power_of_two),
        Option("segment", 256, "items that share a counter, a power of two; fewer wake no worker", _as_power_of_two),
        Option(
            "pool", None, "the most memory blocks; none: as many as memory holds", optional(partial(as_count, least=1))
        ),
        Option("patience", 0.0, "seconds without progress until the search fails; 0: never, on GPUs 30", _NOT_NEGATIVE),
    ),
    has_delta=True,
)
