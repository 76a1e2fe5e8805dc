"""What all kernels of a schedule look at, and how a vertex comes into a queue.

A `SearchState` has the graph, the state of the search (see `numbers.py`), the queues, the list of vertices that are
being worked on, and the cells by which kernels communicate with each other and with the host.

A queue is a list of vertices, `items[q]`, as long as `tails[q]` says, and for each vertex the distance it was last
queued with, `at[q]`, unreached while it is not in the queue. That makes a queue a set: a vertex that is there already
is not listed again, only its distance falls, so no queue ever holds more than n. An entry whose distance is not its
vertex's any more is dead: the vertex has been improved since, and is alive in the queue of its new distance.

An operation begins by taking a queue's living into the work list, each with the number of its first arc: the arcs of
the whole list are thereby numbered, and can be shared out in any way (`traverse.py`).
"""

from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels import atomics, numbers

# Flags, each an int32 that the host can read or write.
STOP = wp.constant(0)  # every loop ends at its next turn
OVERFLOW = wp.constant(1)  # some sum left the range of distances
FINAL = wp.constant(2)  # all targets are final
WAITING = wp.constant(3)  # some target is not
CYCLE = wp.constant(4)  # the parents close a circle
NEXT_LOOK = wp.constant(5)  # the iteration after which to look for one
FLAGS = 8

# Counts, each a uint64.
ITERATIONS = wp.constant(0)
VERTICES = wp.constant(1)
EDGES = wp.constant(2)
SETTLED = wp.constant(3)  # vertices that have been in a queue that others pull from
ROWS = wp.constant(4)  # of the trace
COUNTS = 8

# What is being worked on, each a uint32.
COUNT = wp.constant(0)  # vertices
ARCS = wp.constant(1)  # of theirs
CALLED = wp.constant(2)  # vertices that are called to look at their in-arcs
LOOKED = wp.constant(3)  # in-arcs that were looked at
NOW = 4


@cache
def common(name: str, packed: bool) -> SimpleNamespace:
    """Return the state's type and the functions that use it, for one type of distances."""
    number = numbers.of(name, packed)
    dtype, word, unreached = number.dtype, number.word, number.unreached
    plus, dist_at, improve = number.plus, number.dist_at, number.improve
    fetch_min_of, reserve = atomics.of(dtype).fetch_min_of, atomics.reserve

    @wp.struct
    class SearchState:
        n: int
        blocks: int
        offsets: wp.array(dtype=wp.int32)
        heads: wp.array(dtype=wp.int32)
        weights: wp.array(dtype=dtype)
        unit: int
        hinting: int
        words: wp.array(dtype=word)
        hints: wp.array(
            dtype=wp.int32
        )  # where parents may close a circle and are not packed: from where each was improved
        at: wp.array2d(dtype=dtype)
        items: wp.array2d(dtype=wp.int32)
        tails: wp.array(dtype=wp.uint32)
        work: wp.array(dtype=wp.int32)
        starts: wp.array(dtype=wp.int32)
        work_tail: wp.array(dtype=wp.uint64)
        now: wp.array(dtype=wp.uint32)
        scalars: wp.array(dtype=dtype)  # the first is the cutoff, the second the lowest distance of an iteration
        flags: wp.array(dtype=wp.int32)
        counts: wp.array(dtype=wp.uint64)

    @wp.func
    def push(state: SearchState, queue: int, v: int, dist: dtype):
        if fetch_min_of(state.at, queue, v, dist) == unreached:
            state.items[queue, int(reserve(state.tails, queue))] = v

    @wp.func
    def weight_of(state: SearchState, arc: int) -> dtype:
        if state.unit != 0:
            return dtype(1)
        return state.weights[arc]

    @wp.func
    def route(state: SearchState, into: wp.array(dtype=wp.int32), up_to: wp.array(dtype=wp.int32), dist: dtype) -> int:
        place = int(0)
        while place < up_to.shape[0] and dist > state.scalars[up_to[place]]:
            place += 1
        return into[place]

    @wp.func
    def lower(state: SearchState, u: int, v: int, dist: dtype) -> bool:
        if dist == unreached:
            state.flags[OVERFLOW] = 1
            return False
        if dist >= dist_at(state.words, v) or dist > state.scalars[0]:
            return False
        if not improve(state.words, v, dist, wp.uint32(u)):
            return False
        if state.hinting != 0:
            state.hints[v] = u
        return True

    @wp.func
    def relax_arc(
        state: SearchState,
        u: int,
        here: dtype,
        arc: int,
        into: wp.array(dtype=wp.int32),
        up_to: wp.array(dtype=wp.int32),
    ):
        v = state.heads[arc]
        dist = plus(here, weight_of(state, arc))
        if lower(state, u, v, dist):
            push(state, route(state, into, up_to, dist), v, dist)

    return SimpleNamespace(
        number=number,
        SearchState=SearchState,
        push=push,
        weight_of=weight_of,
        route=route,
        lower=lower,
        relax_arc=relax_arc,
    )


def module_of(name: str, packed: bool) -> wp.Module:
    """Return the module of a type's kernels, which is compiled as a whole."""
    return wp.get_module(f"pathfront_{name}{'_with_parent' if packed else ''}")
