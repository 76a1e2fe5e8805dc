"""The feedback that chooses delta in an ADDS search; `cpp/engines/adds/delta_control.hpp` says why."""

import warp as wp

from pathfront.devices.gpu.kernels.adds_queue import U
from pathfront.devices.gpu.kernels.adds_search import HIGHEST_LEVEL, Window

CLIPPED_SHARE = wp.constant(wp.float64(0.65))
"""The share of clipped pushes from which the order is lost."""

CLIPPED_LITTLE = wp.constant(wp.float64(0.1))
"""The share of clipped pushes above which half the width would lose the order."""

SETTLING = wp.constant(16)
"""Head-bucket switches between two decisions."""

TOO_MUCH = wp.constant(wp.float64(8.0))
"""The multiple of what keeps all workers busy above which more items only add work out of order."""

LEAST_PUSHES = wp.constant(wp.float64(64.0))
"""The fewest pushes from which the share of clipped ones is computed."""


@wp.struct
class Delta:
    """The state of the feedback."""

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
    """Decide about delta at a head-bucket switch; `assigned` items were assigned since the last one."""
    now = delta
    now.by = 0
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
    now.switches = 0
    now.assigned = U(0)
    now.pushed = pushed
    now.clipped = clipped
    if clipping:
        now.lowest = wp.max(delta.lowest, exponent + 1)
    if (clipping or mean < delta.enough) and exponent < delta.highest:
        now.by = 1
    elif not clipping and mean > TOO_MUCH * delta.enough and beyond <= CLIPPED_LITTLE * recent:
        now.by = -wp.clamp(exponent - now.lowest, 0, 1)
    return now


@wp.func
def change_width(window: Window, by: int) -> Window:
    """Double delta or halve it. The head stays, so the buckets stay in order."""
    now = window
    now.exponent = window.exponent + by
    if by > 0:
        now.base = window.base >> U(1)
        now.scale = window.scale * wp.float64(0.5)
    else:
        now.base = wp.min(window.base << U(1), HIGHEST_LEVEL)
        now.scale = window.scale * wp.float64(2.0)
    return now
