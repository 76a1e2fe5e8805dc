"""Control of a schedule: conditions of loops, limits, and targets.

These kernels have one thread and a handful of instructions, except `check_targets`, which reads all targets.
"""

from functools import cache

import warp as wp

from pathfront.devices.gpu.kernels.module import Ints, Kernels
from pathfront.devices.gpu.kernels.state import Flag, common, module_of


@cache
def of(name: str, packed: bool) -> Kernels:
    """Return the kernels for one type of distances."""
    shared, made = common(name, packed), Kernels(module_of(name, packed))
    SearchState, number = shared.SearchState, shared.number  # noqa: N806, a type
    raised, dist_of = number.raised, number.dist_of

    @made.add
    def check_queues(state: SearchState, queues: Ints, at_least: int, answer: Ints):
        found = int(0)
        for i in range(queues.shape[0]):
            if state.sizes[queues[i]] >= wp.uint32(at_least):
                found = int(1)
        if state.flags[Flag.STOP] != 0:
            found = int(0)
        answer[0] = found

    @made.add
    def raise_limit(state: SearchState, limit: int, to: int, by: int):
        state.scalars[limit] = raised(state.scalars[to], state.scalars[by])

    @made.add
    def check_targets(state: SearchState, targets: Ints, target_count: Ints, limit: int, below: int):
        block, thread = wp.tid()
        for i in range(block * wp.block_dim() + thread, target_count[0], state.blocks * wp.block_dim()):
            dist = dist_of(state.words[targets[i]])
            if dist > state.scalars[limit] or (below != 0 and dist == state.scalars[limit]):
                state.flags[Flag.PENDING] = 1

    @made.add
    def stop_if_final(state: SearchState):
        if state.flags[Flag.PENDING] == 0 and state.flags[Flag.STOP] == 0:
            state.flags[Flag.STOP] = 1
        state.flags[Flag.PENDING] = 0

    return made
