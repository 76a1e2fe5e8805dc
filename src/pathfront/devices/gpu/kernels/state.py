"""The state that all kernels of a schedule share, and how a vertex is added to a queue.

A `SearchState` has the graph, a word for each vertex (see `numbers.py`), the queues, the worklist, and the cells that
kernels use to communicate with each other and with the host.

A queue is a list of vertices, `items[q]`, of length `sizes[q]`, and for each vertex the distance it was last queued
with, `queued[q]`, unreached while it is not in the queue. That makes a queue a set: a vertex that is in it is not
listed again, only its distance falls, so no queue ever holds more than n. An entry whose distance is no longer its
vertex's is stale: the vertex has been improved since, and has a current entry in the queue of its new distance.

An operation begins by compacting a queue's current entries into the worklist, each with the index of its first arc:
the arcs of the whole worklist are thereby numbered, and can be shared in any way (`traverse.py`).
"""

from enum import IntEnum
from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels import atomics, numbers
from pathfront.devices.gpu.kernels.module import Ints, Uints


class Flag(IntEnum):
    """Flags, each an int32 that the host can read or write."""

    STOP = 0  # every loop ends at its next check
    OVERFLOW = 1  # some sum left the range of distances
    PENDING = 2  # some target is not final
    CYCLE = 3  # the parents close a cycle
    NEXT_CHECK = 4  # the iteration after which to look for a cycle


class Count(IntEnum):
    """Counts, each a uint64."""

    ITERATIONS = 0  # iterations so far
    VERTICES = 1  # vertices processed
    EDGES = 2  # arcs relaxed
    SETTLED = 3  # vertices that have been in a queue that others pull from
    ROWS = 4  # rows of the trace; what follows is counted for it alone
    DISCARDED = 5  # entries dropped since the last row
    LABELLED = 6  # vertices that have a distance
    FINAL = 7  # vertices whose distance is known to be final
    BEGAN = 8  # when the search began, later by the time that was taken for the trace
    PAUSED = 9  # when work for the trace began
    STARTED = 10  # when the operation began, since BEGAN
    RELAXING = 11  # how long arcs have been relaxed


class Cell(IntEnum):
    """Cells of the current operation, each a uint32."""

    COUNT = 0  # vertices in the worklist
    ARCS = 1  # arcs that leave them
    CANDIDATES = 2  # vertices that scan their in-arcs
    SCANNED = 3  # in-arcs scanned
    WARPS = 4  # warps with work, of those of one thread for each vertex


@cache
def common(name: str, packed: bool) -> SimpleNamespace:
    """Return the state's type and the functions that use it, for one type of distances."""
    number = numbers.of(name, packed)
    dtype, word, unreached = number.dtype, number.word, number.unreached
    plus, dist_at, improve = number.plus, number.dist_at, number.improve
    Csr, weight_of = number.Csr, number.weight_of  # noqa: N806, a type
    fetch_min_of, reserve = atomics.of(dtype).fetch_min_of, atomics.u32.reserve

    @wp.struct
    class SearchState:
        n: int
        blocks: int
        graph: Csr
        hinting: int  # whether parents may close a cycle and are not packed
        words: wp.array(dtype=word)  # of each vertex: see numbers.py
        frozen: wp.array(dtype=dtype)  # distances at the beginning of an iteration, if sums are of these
        hints: Ints  # the last tail that improved each vertex, where `hinting`
        queued: wp.array2d(dtype=dtype)  # of each queue and vertex: the distance it was queued with
        items: wp.array2d(dtype=wp.int32)  # of each queue: its vertices
        sizes: Uints  # of each queue: how many items
        worklist: Ints
        starts: Ints  # of each vertex of the worklist: the index of its first arc
        worklist_end: wp.array(dtype=wp.uint64)  # its vertices and arcs while it grows: see reserve_arcs
        current: Uints
        scalars: wp.array(dtype=dtype)  # the first is the cutoff, the second the lowest distance of an iteration
        flags: Ints
        counts: wp.array(dtype=wp.uint64)

    @wp.func
    def push(state: SearchState, queue: int, v: int, dist: dtype):
        if fetch_min_of(state.queued, queue, v, dist) == unreached:
            state.items[queue, int(reserve(state.sizes, queue))] = v

    @wp.func
    def route(state: SearchState, into: Ints, up_to: Ints, dist: dtype) -> int:
        i = int(0)
        while i < up_to.shape[0] and dist > state.scalars[up_to[i]]:
            i += 1
        return into[i]

    @wp.func
    def lower(state: SearchState, u: int, v: int, dist: dtype) -> bool:
        if dist == unreached:
            state.flags[Flag.OVERFLOW] = 1
            return False
        if dist >= dist_at(state.words, v) or dist > state.scalars[0]:
            return False
        if not improve(state.words, v, dist, wp.uint32(u)):
            return False
        if state.hinting != 0:
            state.hints[v] = u
        return True

    @wp.func
    def tail_dist(state: SearchState, u: int) -> dtype:
        """Return the distance that a vertex adds to its arcs."""
        if state.frozen.shape[0] > 0:
            return state.frozen[u]
        return dist_at(state.words, u)

    @wp.func
    def relax_arc(state: SearchState, u: int, here: dtype, arc: int, into: Ints, up_to: Ints):
        v = state.graph.heads[arc]
        dist = plus(here, weight_of(state.graph, arc))
        if lower(state, u, v, dist):
            push(state, route(state, into, up_to, dist), v, dist)

    return SimpleNamespace(
        number=number,
        SearchState=SearchState,
        push=push,
        route=route,
        lower=lower,
        tail_dist=tail_dist,
        relax_arc=relax_arc,
    )


def module_of(name: str, packed: bool) -> str:
    """Return the name of the module of a type's kernels."""
    return f"pathfront_{name}{'_with_parent' if packed else ''}"
