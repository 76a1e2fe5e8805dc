"""The feedback that chooses delta in an ADDS search; `cpp/engines/adds/delta_control.hpp` says why."""

import warp as wp

from pathfront.devices.gpu.kernels.adds_queue import U

CLIPPED_SHARE = wp.constant(wp.float64(0.65))
"""The share of clipped pushes from which the order is lost."""

CLIPPED_LITTLE = wp.constant(wp.float64(0.1))
"""The share of clipped pushes above which half the width would lose the order."""

SETTLING = wp.constant(16)
"""Head-bucket switches between two decisions."""

TOO_MUCH = wp.constant(wp.float64(8.0))
"""The multiple of what keeps all workers busy above which more items only add work out of order."""

OVERFULL = wp.constant(wp.float64(32.0))
"""The multiple of what keeps all workers busy after which a bucket is divided before it is empty."""

MOST_RESORTED = wp.constant(wp.float64(16.0))
"""How often an item may be put back for each vertex processed."""

LEAST_PUSHES = wp.constant(wp.float64(64.0))
"""The fewest pushes from which the share of clipped ones is computed."""


@wp.struct
class Delta:
    """The state of the feedback."""

    adaptive: int
    lowest: wp.float64
    highest: wp.float64
    enough: wp.float64  # items of a bucket that keep all workers busy
    switches: int
    assigned: wp.uint64
    pushed: wp.uint64
    clipped: wp.uint64
    factor: wp.float64  # by which delta is to change now
    sorting: int  # whether items that are early are put back
    turned: int  # steps of the head since that was decided
    vertices: wp.uint64  # processed until then
    resorted: wp.uint64  # put back until then


@wp.func
def begin_anew(delta: Delta, pushed: wp.uint64, clipped: wp.uint64) -> Delta:
    """Return the state after a decision to leave delta as it is."""
    now = delta
    now.factor = wp.float64(1.0)
    now.switches = 0
    now.assigned = U(0)
    now.pushed = pushed
    now.clipped = clipped
    return now


@wp.func
def narrower(width: wp.float64, factor: wp.float64, lowest: wp.float64) -> wp.float64:
    """Return a factor, or the largest power of two that does not bring the width below the lowest."""
    by = factor
    while by < wp.float64(1.0) and width * by < lowest:
        by = by * wp.float64(2.0)
    return by


@wp.func
def head_switched(delta: Delta, width: wp.float64, assigned: wp.uint64, pushed: wp.uint64, clipped: wp.uint64) -> Delta:
    """Decide about delta at a head-bucket switch; `assigned` items were assigned since the last one."""
    now = delta
    now.factor = wp.float64(1.0)
    if delta.adaptive == 0:
        return now
    now.assigned = delta.assigned + assigned
    now.switches = delta.switches + 1
    recent = wp.float64(pushed - delta.pushed)
    beyond = wp.float64(clipped - delta.clipped)
    clipping = recent >= LEAST_PUSHES and beyond >= CLIPPED_SHARE * recent
    if not clipping and now.switches < SETTLING:
        return now
    mean = wp.float64(now.assigned) / wp.float64(now.switches)
    now = begin_anew(now, pushed, clipped)
    if clipping:
        now.lowest = wp.max(delta.lowest, width * wp.float64(2.0))
    if (clipping or mean < delta.enough) and width * wp.float64(2.0) <= delta.highest:
        now.factor = wp.float64(2.0)
    elif not clipping and mean > TOO_MUCH * delta.enough and beyond <= CLIPPED_LITTLE * recent:
        now.factor = narrower(width, wp.float64(0.5), now.lowest)
    return now


@wp.func
def decide_sorting(delta: Delta, buckets: int, steps: int, vertices: wp.uint64, resorted: wp.uint64) -> Delta:
    """Decide after each turn of the queue whether items are put back in the next: not after one in which most were.

    With a delta far too small that may not change, all items lie beyond the queue, and would be put back in each turn.
    If there are few, but in two buckets at least, nothing is processed until the head has passed, width by width, what
    lies between; so they are not put back after a turn that processed nothing either.
    """
    now = delta
    now.turned = delta.turned + steps
    if now.turned >= buckets:
        again = wp.float64(resorted - delta.resorted)
        processed = wp.float64(vertices - delta.vertices)
        lost = again > MOST_RESORTED * (processed + LEAST_PUSHES) or (
            vertices == delta.vertices and again > wp.float64(0.0)
        )
        now.sorting = int(not lost)
        now.turned = 0
        now.vertices = vertices
        now.resorted = resorted
    return now


@wp.func
def is_overfull(delta: Delta, assigned: wp.uint64) -> bool:
    """Return whether so many items were assigned since the head switched that delta may be far too large."""
    return delta.adaptive != 0 and wp.float64(assigned) > OVERFULL * delta.enough


@wp.func
def divide(delta: Delta, width: wp.float64, pushed: wp.uint64, clipped: wp.uint64) -> Delta:
    """Decide about delta within a bucket that is overfull: a quarter at once, since the head may never switch."""
    recent = wp.float64(pushed - delta.pushed)
    beyond = wp.float64(clipped - delta.clipped)
    now = begin_anew(delta, pushed, clipped)
    if beyond <= CLIPPED_LITTLE * recent:
        now.factor = narrower(width, wp.float64(0.25), delta.lowest)
    return now
