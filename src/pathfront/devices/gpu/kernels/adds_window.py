"""The window of ADDS: which bucket a distance belongs to.

The head holds distances from `low` on, and each bucket is one width of them; what lies beyond the last bucket is
clipped to it. A window is the lower end and the width, not a level and an exponent: so any width is kept exactly, and
the lower end stays where it is when the width changes. Where distances are whole, so is the width, the floor of delta.

The order of items decides the amount of work, never the distances, so a window has to be monotone and no more: items
may lie in a bucket by the window of another time. `is_early` finds those that are too near the head.
"""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import warp as wp

from pathfront.devices.gpu.kernels import numbers

U = wp.uint64
F = wp.float64


@wp.struct
class Window:
    """The current mapping of distances to buckets. Workers get a copy with every assignment."""

    head: int  # the index of the head bucket
    last: int  # the number of buckets, less one
    sorting: int  # whether items that are early are put back
    low: wp.uint64  # the lower end of the head, where distances are whole
    width: wp.uint64  # likewise of each bucket
    begin: wp.float64  # the lower end; exact where distances are floats
    delta: wp.float64  # the width, or where distances are whole more: its floor is
    scale: wp.float64  # 1 / delta, rounded up


@wp.func
def bucket_ahead(window: Window, ahead: int) -> int:
    """Return the index of the bucket `ahead` steps after the head."""
    bucket = window.head + ahead
    if bucket > window.last:
        bucket -= window.last + 1
    return bucket


@cache
def of(name: str) -> SimpleNamespace:
    """Return the functions of a type of distances.

    `ahead_of(dist, window)` says how many steps after the head the bucket of a distance is, one more than the last
    bucket's where the distance is clipped. `is_early(dist, window, steps)` tells whether it lies beyond the bucket that
    many steps after the head. `advanced(window, steps)`, `moved(window, low)` and `widened(window, factor)` return the
    window with another head, lower end or width, `width_of(window)` the width.
    """
    made = _of_floats(name) if name.startswith("float") else _of_whole(name)
    made.is_early = _early(name, made)
    return made


def _of_floats(name: str) -> SimpleNamespace:
    dtype = numbers.TYPES[name]
    largest = wp.constant(F(np.finfo(np.float64).max))

    @wp.func
    def ahead_of(dist: dtype, window: Window) -> int:
        steps = (F(dist) - window.begin) * window.scale
        ahead = int(0)
        if steps > F(window.last):
            ahead = window.last + int(steps >= F(window.last + 1))
        elif steps > F(0.0):
            ahead = int(steps)
        return ahead

    @wp.func
    def advanced(window: Window, steps: int) -> Window:
        now = window
        now.head = bucket_ahead(window, steps)
        now.begin = wp.min(window.begin + F(steps) * window.delta, largest)
        return now

    @wp.func
    def moved(window: Window, low: dtype) -> Window:
        now = window
        now.begin = F(low)
        return now

    @wp.func
    def widened(window: Window, factor: wp.float64) -> Window:
        now = window
        now.delta = window.delta * factor
        now.scale = window.scale / factor
        return now

    @wp.func
    def width_of(window: Window) -> wp.float64:
        return window.delta

    return SimpleNamespace(ahead_of=ahead_of, advanced=advanced, moved=moved, widened=widened, width_of=width_of)


def _of_whole(name: str) -> SimpleNamespace:
    dtype = numbers.TYPES[name]
    short = name.endswith("32")
    unsigned = wp.uint32 if short else U  # a division of 64 bits takes several times as long
    widest = wp.constant(F(2.0**32 - 1.0 if short else 2.0**62))
    highest = wp.constant(U(2**64 - 1))

    @wp.func
    def ahead_of(dist: dtype, window: Window) -> int:
        ahead = int(0)
        if U(dist) > window.low:
            steps = (unsigned(dist) - unsigned(window.low)) // unsigned(window.width)
            ahead = int(wp.min(steps, unsigned(window.last + 1)))
        return ahead

    @wp.func
    def advanced(window: Window, steps: int) -> Window:
        now = window
        now.head = bucket_ahead(window, steps)
        if window.width > (highest - window.low) // U(wp.max(steps, 1)):
            now.low = highest
        else:
            now.low = window.low + U(steps) * window.width
        now.begin = F(now.low)
        return now

    @wp.func
    def moved(window: Window, low: dtype) -> Window:
        now = window
        now.low = U(low)
        now.begin = F(now.low)
        return now

    @wp.func
    def widened(window: Window, factor: wp.float64) -> Window:
        now = window
        now.delta = window.delta * factor
        now.scale = window.scale / factor
        now.width = U(wp.clamp(now.delta, F(1.0), widest))
        return now

    @wp.func
    def width_of(window: Window) -> wp.float64:
        return F(window.width)

    return SimpleNamespace(ahead_of=ahead_of, advanced=advanced, moved=moved, widened=widened, width_of=width_of)


def _early(name: str, made: SimpleNamespace) -> Any:
    dtype, ahead_of, width_of = numbers.TYPES[name], made.ahead_of, made.width_of
    largest = wp.constant(dtype(numbers.limits(name)[1]))

    @wp.func
    def is_early(dist: dtype, window: Window, steps: int) -> bool:
        # the end is rounded; it only spares most calls of the function that decides where the item would be put
        end = window.begin + F(steps + 1) * width_of(window)
        return (
            window.sorting != 0
            and steps < window.last
            and end < F(largest)
            and dist >= dtype(end)
            and ahead_of(dist, window) > steps
        )

    return is_early
