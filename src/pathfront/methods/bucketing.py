"""Bucketing: Near-Far with several near buckets, the lowest first, and a far queue after the last.

There are A buckets of width delta, in order of distance (A is the paper's name for their number). The lowest is relaxed
until it stays empty; an improved vertex goes to the bucket of its new distance, or to the far queue. When all buckets
are empty, the far queue is compacted and split into A new buckets that begin at its lowest distance. It is read once
for A buckets instead of once for each, and the order within the range is finer than Near-Far's: fewer arcs are relaxed
again, in more iterations.

The paper sorts improved vertices and merges them into the buckets, for want of a primitive that splits into many, and
spent 82% of its time there. A split gives the same order and is the default; organise="sort" follows the paper: all
buckets are one sorted queue, whose beginning is the lowest bucket. The stats of a search with a trace say how many
seconds went to relaxing arcs and to queues alone: `extra["relaxing_seconds"]` and `extra["organising_seconds"]`.

The paper does not give the buckets' width. It cannot be Near-Far's delta: then the two methods relax the same vertices
in the same order, and on eight graphs of the paper's families both relax the same number of arcs in the same number of
iterations, while in the paper's Table III Bucketing relaxes 1.36 times fewer arcs in 1.37 times as many iterations.
Counted synchronously on those graphs, half the width gives 1.27 and 1.15 times, a third 1.47 and 1.31 (means of the
ratios). The default is a half, the wider of the two, which keeps more threads busy.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from pathfront.devices import schedules
from pathfront.devices.protocol import Device, Scalar
from pathfront.methods.method import SYNCHRONOUS, Method, Option, one_of
from pathfront.methods.workfront_sweep import TRAVERSAL
from pathfront.validation import as_count

FINER = 2
"""The default delta is this many times smaller than Near-Far's."""


def schedule_split(device: Device, delta: float, buckets: int, traversal: str) -> None:
    """Record the method with one queue per bucket."""
    waiting, far = [device.queue() for _ in range(buckets)], device.queue()
    step, ends = device.scalar(delta), [device.scalar((i + 1) * delta) for i in range(buckets)]
    sizes: dict[str, Any] = {f"bucket_{i}": bucket for i, bucket in enumerate(waiting)}

    device.start(waiting[0])
    with device.repeat(*waiting, far):
        for i, bucket in enumerate(waiting):
            with device.repeat(bucket):
                others = [*waiting[:i], *waiting[i + 1 :], far]
                device.trace(near=bucket, far=others, up_to=ends[i], delta=step, **sizes)
                device.relax(bucket, into=waiting[i:], up_to=ends[i:], beyond=far, traversal=traversal)
            device.settled(up_to=ends[i])
        _raise_all(device, ends, device.lowest(far), step)
        device.split(far, into=waiting, up_to=ends)


def schedule_sorted(device: Device, delta: float, buckets: int, traversal: str) -> None:
    """Record the method as in the paper, with sort and merge."""
    waiting, lowest, found, far = device.queue(), device.queue(), device.queue(), device.queue()
    step, ends = device.scalar(delta), [device.scalar((i + 1) * delta) for i in range(buckets)]

    device.start(waiting)
    with device.repeat(waiting, far):
        for end in ends:
            device.split(waiting, into=lowest, up_to=end, ordered=True)
            with device.repeat(lowest):
                device.trace(near=lowest, far=[waiting, far], up_to=end, delta=step)
                device.relax(lowest, into=found, up_to=ends[-1], beyond=far, traversal=traversal)
                device.sort(found)
                device.merge(found, into=waiting)
                device.split(waiting, into=lowest, up_to=end, ordered=True)
            device.settled(up_to=end)
        _raise_all(device, ends, device.lowest(far), step)
        device.split(far, into=waiting, up_to=ends[-1])
        device.sort(waiting)


def _raise_all(device: Device, ends: list[Scalar], base: Scalar, step: Scalar) -> None:
    for end, before in zip(ends, [base, *ends[:-1]], strict=True):
        device.raise_(end, to=before, by=step)


SCHEDULES = {"split": schedule_split, "sort": schedule_sorted}


def schedule(device: Device, organise: str, **settings: Any) -> None:
    """Record the method in one of its two forms."""
    SCHEDULES[organise](device, **settings)


METHOD = Method(
    name="bucketing",
    summary="Empty a few buckets of width delta, lowest first; vertices beyond the last wait in a far queue.",
    run=partial(schedules.run_with_delta, schedule=schedule, finer=FINER),
    paper="A. Davidson, S. Baxter, M. Garland, J. Owens, Work-efficient parallel GPU methods for SSSP, IPDPS 2014",
    limits="weights >= 0",
    options=(
        Option("buckets", 10, "how many buckets precede the far queue, 1 to 64", partial(as_count, least=1, most=64)),
        Option(
            "organise",
            "split",
            "how vertices are put into buckets: split, or sort (and merge, as in the paper)",
            one_of(*SCHEDULES),
        ),
        TRAVERSAL,
        SYNCHRONOUS,
    ),
    has_delta=True,
)
