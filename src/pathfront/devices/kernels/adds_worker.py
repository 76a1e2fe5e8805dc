"""The worker blocks of ADDS: they relax what they are assigned and push what improves. They never read a bucket.

A block's lanes share an assignment. Vertices of few arcs are relaxed by one lane each; those of more by a warp of lanes
and hubs by all, which strip their arcs. Pushes are made as they come: lanes of a warp that push into the same bucket at
the same time raise its reservation pointer once for all of them, and so the write-completed counters. Everything is
pushed before the assignment is completed, so that whoever sees it completed sees it all.
"""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pathfront.devices.kernels import atomics, numbers
from pathfront.devices.kernels.adds_queue import (
    SPREAD,
    WANTED,
    Queue,
    U,
    acquire_wide,
    add_to_count,
    add_to_wide,
    complete,
    find,
    load_count,
    number_of,
    place_of,
    segment_of,
    store_cell,
)
from pathfront.devices.kernels.barrier import stopped, sync_block
from pathfront.devices.kernels.together import clock, tell, total
from pathfront.devices.persistent import PULSE

IDLE_FLAG, ASSIGNED, LEAVE = 0, 1, 2
"""What an assignment flag says."""

VERTICES, EDGES, PUSHED, CLIPPED, ASSIGNMENTS, NANOSECONDS = 0, 1, 2, 3, 4, 5
"""Cells of what a worker did so far, SPREAD for each."""

LARGEST_RANGE = 1024
"""Items of one assignment."""

WARP = 32
"""Lanes that relax a vertex of more than a few arcs."""

FEW = 8
"""Arcs that one lane relaxes alone."""

MANY = 8
"""Times the lanes of a block: arcs of a hub, which all of them relax."""

AT_ONCE = 256
"""Arcs of each lane between two looks at whether to stop."""

store_flag = atomics.of(wp.uint32).store_release


@wp.struct
class Window:
    """Where distances belong at the moment. Workers get a copy with every assignment."""

    base: wp.uint64  # the level of the head: its distances over delta
    head: int  # its place in the circle
    last: int  # the number of buckets, less one
    exponent: int  # delta is a power of two
    scale: wp.float64  # 1 / delta


@wp.struct
class Order:
    """An assignment: a range of a bucket, and where to put what comes of it."""

    bucket: int
    count: int
    start: wp.uint64
    window: Window


@wp.struct
class Workers:
    """What manager and workers share besides the queue; the manager's own place in each array is unused."""

    flags: wp.array(dtype=wp.uint32)  # of each worker, 2 * SPREAD apart
    orders: wp.array(dtype=Order)
    counts: wp.array(dtype=wp.uint64)
    hubs: wp.array(dtype=wp.int32)  # of each worker: places in its range, LARGEST_RANGE of them
    hub_counts: wp.array(dtype=wp.uint32)  # of each worker, SPREAD apart: vertices for warps, and for all


@cache
def structs(name: str, packed: bool) -> SimpleNamespace:
    """Return the structs whose fields depend on the type of distances."""
    dtype = numbers.TYPES[name]
    word = numbers.word_of(name, packed)

    @wp.struct
    class Search:
        """The graph, the items, and what is asked."""

        offsets: wp.array(dtype=wp.int32)
        heads: wp.array(dtype=wp.int32)
        weights: wp.array(dtype=dtype)
        unit: int  # whether there are none
        state: wp.array(dtype=word)
        dists: wp.array(dtype=dtype)  # of the items
        vertices: wp.array(dtype=wp.int32)
        limits: wp.array(dtype=dtype)  # of each worker's assignment: what is too far to matter
        cutoff: dtype
        overflow: wp.array(dtype=wp.uint32)
        sources: wp.array(dtype=wp.int32)
        targets: wp.array(dtype=wp.int32)

    return SimpleNamespace(Search=Search)


def levels(name: str) -> Any:
    """Return the function that tells in which level of delta's width a distance lies."""
    dtype = numbers.TYPES[name]
    if name.startswith("float"):

        @wp.func
        def level_of(dist: dtype, window: Window) -> wp.uint64:
            scaled = wp.float64(dist) * window.scale  # exact: delta is a power of two
            if scaled < wp.float64(4611686018427387904.0):
                return U(scaled)
            return U(4611686018427387904)

    else:

        @wp.func
        def level_of(dist: dtype, window: Window) -> wp.uint64:
            return U(dist) >> U(window.exponent)

    return level_of


@wp.func
def place_ahead(window: Window, ahead: int) -> int:
    """Return the place in the circle of a bucket so far ahead of the head."""
    place = window.head + ahead
    if place > window.last:
        place -= window.last + 1
    return place


@cache
def of(name: str, packed: bool, reserve: Any, count_written: Any, improve: Any) -> SimpleNamespace:
    """Return the functions of workers for one type of distances."""
    made = numbers.of(name, packed)
    dtype, unreached, plus, dist_at = made.dtype, made.unreached, made.plus, made.dist_at
    Search = structs(name, packed).Search
    level_of = levels(name)

    @wp.func
    def push(
        search: Search, queue: Queue, control: wp.array(dtype=wp.uint32), bucket: int, dist: dtype, vertex: int
    ):
        # relaxed: who sees a counter below, sees this too
        index = reserve(queue.reserved, bucket * SPREAD)
        block = find(queue, bucket, number_of(queue, index))
        turn = int(0)
        while block < 0:
            if turn % 64 == 0:
                store_cell(queue.desk, WANTED, 1)
            turn += 1
            atomics.pause()
            if stopped(control):
                return  # then the bucket cannot be read any more
            block = find(queue, bucket, number_of(queue, index))
        place = place_of(queue, index)
        at = (block << queue.block_bits) + place
        search.dists[at] = dist
        search.vertices[at] = vertex
        # release: the reader of the counter sees the item, and the reservation above
        count_written(queue.written, segment_of(queue, block, place))
        if place == 0:
            store_cell(queue.desk, WANTED, 1)  # so that the next block can be made ready

    @wp.func
    def push_ahead(
        search: Search,
        queue: Queue,
        control: wp.array(dtype=wp.uint32),
        window: Window,
        dist: dtype,
        vertex: int,
    ) -> int:
        """Push into the bucket of a distance; return 1 if it was clipped to the last."""
        level = level_of(dist, window)
        ahead = U(0)
        clipped = int(0)
        if level > window.base:
            ahead = level - window.base
        if ahead > U(window.last):
            ahead = U(window.last)
            clipped = 1
        push(search, queue, control, place_ahead(window, int(ahead)), dist, vertex)
        return clipped

    @wp.func
    def relax_arc(
        search: Search,
        queue: Queue,
        control: wp.array(dtype=wp.uint32),
        window: Window,
        limit: dtype,
        u: int,
        here: dtype,
        arc: int,
    ) -> int:
        """Relax an arc; return 0, 1 if the head has been pushed, 2 if it was clipped as well."""
        v = search.heads[arc]
        weight = dtype(1)
        if search.unit == 0:
            weight = search.weights[arc]
        sum = plus(here, weight)
        if sum == unreached:
            search.overflow[0] = wp.uint32(1)  # all write the same
        elif sum < dist_at(search.state, v) and sum <= search.cutoff:
            if improve(search.state, v, sum, wp.uint32(u)):
                if sum <= limit:
                    return 1 + push_ahead(search, queue, control, window, sum, v)
        return 0

    @wp.func
    def relax(
        search: Search,
        queue: Queue,
        control: wp.array(dtype=wp.uint32),
        window: Window,
        limit: dtype,
        u: int,
        here: dtype,
        member: int,
        team: int,
    ) -> wp.vec3i:
        """Relax every arc of a vertex whose turn it is, for one of `team` lanes; return edges, pushed and clipped."""
        end = search.offsets[u + 1]
        arc = search.offsets[u] + member
        edges, pushed, clipped = int(0), int(0), int(0)
        while arc < end:
            pause_at = wp.min(end, arc + AT_ONCE * team)
            while arc < pause_at:
                found = relax_arc(search, queue, control, window, limit, u, here, arc)
                if found > 0:
                    pushed += 1
                    clipped += found - 1
                edges += 1
                arc += team
            if stopped(control):
                arc = end
        return wp.vec3i(edges, pushed, clipped)

    @wp.func
    def item_at(queue: Queue, bucket: int, index: wp.uint64) -> int:
        """Return where an item lies that has been handed out: its block is there, if not always found at once."""
        block = find(queue, bucket, number_of(queue, index))
        while block < 0:
            block = find(queue, bucket, number_of(queue, index))
        return (block << queue.block_bits) + place_of(queue, index)

    @wp.func
    def work(
        search: Search, queue: Queue, workers: Workers, control: wp.array(dtype=wp.uint32), me: int, lane: int
    ):
        """Carry out an assignment; after a stop what is left is dropped."""
        order = workers.orders[me]
        limit = search.limits[me]
        lanes = wp.block_dim()
        team = wp.min(lanes, WARP)
        done = wp.vec3i(0, 0, 0)
        vertices = int(0)
        for i in range(lane, order.count, lanes):
            at = item_at(queue, order.bucket, order.start + U(i))
            here = search.dists[at]
            u = search.vertices[at]
            # an item whose distance is not its vertex's any more is stale
            if here <= limit and here == dist_at(search.state, u) and not stopped(control):
                vertices += 1
                degree = search.offsets[u + 1] - search.offsets[u]
                if lanes == 1 or degree <= FEW:
                    done += relax(search, queue, control, order.window, limit, u, here, 0, 1)
                elif degree < MANY * lanes:
                    place = int(add_to_count(workers.hub_counts, me * SPREAD, wp.uint32(1)))
                    workers.hubs[me * LARGEST_RANGE + place] = i
                else:  # from the other end of the list
                    place = int(add_to_count(workers.hub_counts, me * SPREAD + 1, wp.uint32(1)))
                    workers.hubs[(me + 1) * LARGEST_RANGE - 1 - place] = i
        if lanes > 1:
            sync_block()
            count = int(load_count(workers.hub_counts, me * SPREAD))
            for j in range(lane // team, count, wp.max(lanes // team, 1)):
                if lane < lanes // team * team:
                    at = item_at(queue, order.bucket, order.start + U(workers.hubs[me * LARGEST_RANGE + j]))
                    done += relax(
                        search,
                        queue,
                        control,
                        order.window,
                        limit,
                        search.vertices[at],
                        search.dists[at],
                        lane % team,
                        team,
                    )
            count = int(load_count(workers.hub_counts, me * SPREAD + 1))
            for j in range(count):
                at = item_at(queue, order.bucket, order.start + U(workers.hubs[(me + 1) * LARGEST_RANGE - 1 - j]))
                done += relax(
                    search, queue, control, order.window, limit, search.vertices[at], search.dists[at], lane, lanes
                )
        publish(queue, workers, me, lane, vertices, done)

    @wp.func
    def publish(queue: Queue, workers: Workers, me: int, lane: int, vertices: int, done: wp.vec3i):
        """Add what the lanes did to what the worker did."""
        for k in range(4):
            mine = vertices
            if k > 0:
                mine = done[k - 1]
            sum = total(queue.total_cells, me, U(mine))
            if lane == 0:
                add_to_wide(workers.counts, me * SPREAD + k, sum)

    @wp.func
    def serve(
        search: Search, queue: Queue, workers: Workers, control: wp.array(dtype=wp.uint32), me: int, lane: int
    ):
        """The life of a worker block: to wait for assignments and carry them out."""
        told = int(ASSIGNED)
        while told == ASSIGNED:
            heard = int(IDLE_FLAG)
            if lane == 0:
                while heard == IDLE_FLAG:
                    heard = int(load_count(workers.flags, me * 2 * SPREAD))
                    if heard == IDLE_FLAG:
                        if stopped(control):
                            heard = LEAVE
                        else:
                            atomics.pause()
                atomics.fence()  # the assignment is seen, and the items in it
                workers.hub_counts[me * SPREAD] = wp.uint32(0)
                workers.hub_counts[me * SPREAD + 1] = wp.uint32(0)
            told = tell(queue.least_cells, me, lane, heard)
            if told == ASSIGNED:
                began = clock()
                work(search, queue, workers, control, me, lane)
                sync_block()
                if lane == 0:
                    add_to_wide(workers.counts, me * SPREAD + NANOSECONDS, clock() - began)
                    add_to_wide(workers.counts, me * SPREAD + ASSIGNMENTS, U(1))
                    add_to_count(control, PULSE, wp.uint32(1))
                    if not stopped(control):
                        order = workers.orders[me]
                        complete(queue, order.bucket, order.start, order.count)
                    # release: who sees that it is idle sees its pushes
                    store_flag(workers.flags, me * 2 * SPREAD, wp.uint32(IDLE_FLAG))

    return SimpleNamespace(serve=serve, push_ahead=push_ahead, Search=Search)
