"""The worker blocks of ADDS: they relax what they are assigned and push what improves. They never read a bucket.

A block's lanes share an assignment. Vertices of few arcs are relaxed by one lane each; those of more by a warp of lanes
and hubs by all, which strip their arcs. Pushes are made as they come: lanes of a warp that push into the same bucket at
the same time raise its reservation pointer once for all of them, and likewise the write-completed counters. Everything
is pushed before the assignment is completed, so that whoever sees it completed sees it all.
"""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pathfront.devices.gpu.kernels import atomics, numbers
from pathfront.devices.gpu.kernels.adds_queue import (
    SPREAD,
    WANTED,
    Queue,
    U,
    add_to_count,
    add_to_wide,
    complete,
    find,
    load_count,
    number_of,
    place_of,
    segment_of,
    store_cell,
    store_count,
)
from pathfront.devices.gpu.kernels.adds_search import (
    ASSIGNED,
    ASSIGNMENTS,
    CLIPPED,
    FLAG,
    IDLE,
    LARGEST_RANGE,
    LEAVE,
    NANOSECONDS,
    VERTICES,
    Order,
    Window,
    Workers,
    levels,
    load_flag,
    place_ahead,
    release_flag,
    search_of,
)
from pathfront.devices.gpu.kernels.barrier import stopped, sync_block
from pathfront.devices.gpu.kernels.collectives import clock, tell, total
from pathfront.devices.gpu.persistent import PULSE

ALONE, BY_WARPS, BY_ALL, TURNS = 0, 1, 2, 3
"""The turns of an assignment: vertices that one lane relaxes, a warp, or the whole block."""

WARP = 32
"""Lanes that relax a vertex of more than a few arcs."""

FEW = 8
"""Arcs that one lane relaxes alone."""

MANY = 8
"""Times the lanes of a block: arcs of a hub, which all of them relax."""

AT_ONCE = 256
"""Arcs of each lane between two looks at whether to stop."""


@wp.func
def wait_for_orders(workers: Workers, control: wp.array(dtype=wp.uint32), me: int) -> int:
    """Return what one's flag says, once it says anything; for one lane."""
    heard = int(IDLE)
    while heard == IDLE:
        heard = int(load_flag(workers.flags, me * FLAG))
        if heard == IDLE:
            if stopped(control):
                heard = LEAVE
            else:
                atomics.pause()
    atomics.fence()  # an acquire: the assignment is seen, and the items in it
    return heard


@wp.func
def put_aside(workers: Workers, me: int, degree: int, item: int) -> bool:
    """Leave a vertex of many arcs for a warp, or a hub for all: these are listed from the other end."""
    if wp.block_dim() == 1 or degree <= FEW:
        return False
    if degree < MANY * wp.block_dim():
        place = int(add_to_count(workers.hub_counts, me * FLAG + BY_WARPS, wp.uint32(1)))
        workers.hubs[me * LARGEST_RANGE + place] = item
    else:
        place = int(add_to_count(workers.hub_counts, me * FLAG + BY_ALL, wp.uint32(1)))
        workers.hubs[(me + 1) * LARGEST_RANGE - 1 - place] = item
    return True


@wp.func
def item_of(workers: Workers, me: int, turn: int, i: int) -> int:
    """Return the place in the range of the i-th item of a turn."""
    item = i
    if turn == BY_WARPS:
        item = workers.hubs[me * LARGEST_RANGE + i]
    elif turn == BY_ALL:
        item = workers.hubs[(me + 1) * LARGEST_RANGE - 1 - i]
    return item


@wp.func
def count_of(workers: Workers, order: Order, me: int, turn: int) -> int:
    """Return how many items a turn has."""
    count = order.count
    if turn > ALONE:
        count = int(load_count(workers.hub_counts, me * FLAG + turn))
    return count


@wp.func
def team_of(turn: int) -> int:
    """Return how many lanes relax an item together."""
    team = int(1)
    if turn == BY_WARPS:
        team = wp.min(wp.block_dim(), WARP)
    elif turn == BY_ALL:
        team = wp.block_dim()
    return team


@wp.func
def publish(queue: Queue, workers: Workers, me: int, lane: int, vertices: int, done: wp.vec3i):
    """Add what the lanes did to what the worker did; for all lanes."""
    counts = wp.vec4i(vertices, done[0], done[1], done[2])
    cell = int(VERTICES)
    while cell <= CLIPPED:  # not a range, which would be written out four times
        sum = total(queue.total_cells, me, U(counts[cell]))
        if lane == 0:
            add_to_wide(workers.counts, me * SPREAD + cell, sum)
        cell += 1


@wp.func
def finish(queue: Queue, workers: Workers, control: wp.array(dtype=wp.uint32), me: int, nanoseconds: wp.uint64):
    """Complete an assignment and take the flag down; for one lane, when all are through."""
    add_to_wide(workers.counts, me * SPREAD + NANOSECONDS, nanoseconds)
    add_to_wide(workers.counts, me * SPREAD + ASSIGNMENTS, U(1))
    add_to_count(control, PULSE, wp.uint32(1))
    if not stopped(control):  # else something may have been dropped
        order = workers.orders[me]
        complete(queue, order.bucket, order.start, order.count)
    # release: who sees that it is idle sees its pushes
    release_flag(workers.flags, me * FLAG, wp.uint32(IDLE))


@wp.func
def item_at(queue: Queue, bucket: int, index: wp.uint64) -> int:
    """Return where an item lies that has been handed out: its block is there, if not always found at once."""
    block = int(-1)
    while block < 0:
        block = find(queue, bucket, number_of(queue, index))
    return (block << queue.block_bits) + place_of(queue, index)


def pushing(name: str, packed: bool, reserve: Any, count_written: Any) -> Any:
    """Return how items are pushed."""
    dtype, level_of = numbers.TYPES[name], levels(name)
    Search = search_of(name, packed)  # noqa: N806, a type

    @wp.func
    def push(search: Search, queue: Queue, control: wp.array(dtype=wp.uint32), bucket: int, dist: dtype, vertex: int):
        # relaxed: who sees a counter below, sees this too
        index = reserve(queue.reserved, bucket * SPREAD)
        block, turn = int(-1), int(0)
        while block < 0:
            block = find(queue, bucket, number_of(queue, index))
            if block < 0:
                if turn % 64 == 0:
                    store_cell(queue.desk, WANTED, 1)
                turn += 1
                atomics.pause()
                if stopped(control):
                    return  # then the bucket cannot be read any more
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
        search: Search, queue: Queue, control: wp.array(dtype=wp.uint32), window: Window, dist: dtype, vertex: int
    ) -> int:
        """Push into the bucket of a distance; return 1 if it was clipped to the last."""
        level = level_of(dist, window)
        ahead, clipped = U(0), int(0)
        if level > window.base:
            ahead = level - window.base
        if ahead > U(window.last):
            ahead = U(window.last)
            clipped = 1
        push(search, queue, control, place_ahead(window, int(ahead)), dist, vertex)
        return clipped

    return push_ahead


def relaxing(name: str, packed: bool, improve: Any, push_ahead: Any) -> Any:
    """Return how a vertex is relaxed."""
    made = numbers.of(name, packed)
    dtype, unreached, plus, dist_at = made.dtype, made.unreached, made.plus, made.dist_at
    Search = search_of(name, packed)  # noqa: N806, a type

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
        elif sum < dist_at(search.words, v) and sum <= search.cutoff:  # noqa: SIM102, what improves must stand alone
            if improve(search.words, v, sum, wp.uint32(u)) and sum <= limit:
                return 1 + push_ahead(search, queue, control, window, sum, v)
        return 0

    @wp.func
    def relax(
        search: Search,
        queue: Queue,
        control: wp.array(dtype=wp.uint32),
        window: Window,
        limit: dtype,
        at: int,
        member: int,
        team: int,
    ) -> wp.vec3i:
        """Relax a lane's share of the arcs of an item, of `team` lanes; return edges, pushed and clipped."""
        u, here = search.vertices[at], search.dists[at]
        edges, pushed, clipped = int(0), int(0), int(0)
        first = search.offsets[u]
        degree = search.offsets[u + 1] - first
        i = int(member)
        while i < degree:
            rest_at = i + wp.min(degree - i, AT_ONCE * team)
            while i < rest_at:
                found = relax_arc(search, queue, control, window, limit, u, here, first + i)
                pushed += wp.min(found, 1)
                clipped += wp.max(found - 1, 0)
                edges += 1
                i += team
            if stopped(control):
                i = degree
        return wp.vec3i(edges, pushed, clipped)

    return relax


@cache
def of(name: str, packed: bool, reserve: Any, count_written: Any, improve: Any) -> SimpleNamespace:
    """Return the life of a worker block, and how it pushes, for one type of distances."""
    push_ahead = pushing(name, packed, reserve, count_written)
    relax = relaxing(name, packed, improve, push_ahead)
    dist_at = numbers.of(name, packed).dist_at
    Search = search_of(name, packed)  # noqa: N806, a type

    @wp.func
    def work(search: Search, queue: Queue, workers: Workers, control: wp.array(dtype=wp.uint32), me: int, lane: int):
        """Carry out an assignment; after a stop what is left is dropped. For all lanes."""
        order, limit = workers.orders[me], search.limits[me]
        vertices, done = int(0), wp.vec3i(0, 0, 0)
        turn = int(ALONE)  # a loop, so that there is one relaxing to be compiled and not three
        while turn < TURNS:
            team = team_of(turn)
            teams = wp.block_dim() // team
            member = lane % team
            i, count = lane // team, count_of(workers, order, me, turn)
            while i < count and lane < teams * team:
                item = item_of(workers, me, turn, i)
                at = item_at(queue, order.bucket, order.start + U(item))
                u = search.vertices[at]
                # an item whose distance is not its vertex's any more is stale
                live = search.dists[at] <= limit and search.dists[at] == dist_at(search.words, u)
                if turn == ALONE and live:
                    vertices += 1
                    live = not put_aside(workers, me, search.offsets[u + 1] - search.offsets[u], item)
                if live and not stopped(control):
                    done += relax(search, queue, control, order.window, limit, at, member, team)
                i += teams
            sync_block()
            turn += 1
            if wp.block_dim() == 1:
                turn = TURNS  # nothing was put aside
        publish(queue, workers, me, lane, vertices, done)

    @wp.func
    def serve(search: Search, queue: Queue, workers: Workers, control: wp.array(dtype=wp.uint32), me: int, lane: int):
        """Wait for assignments and carry them out; for all lanes."""
        told = int(ASSIGNED)
        while told == ASSIGNED:
            heard = int(IDLE)
            if lane == 0:
                heard = wait_for_orders(workers, control, me)
                store_count(workers.hub_counts, me * FLAG + BY_WARPS, wp.uint32(0))
                store_count(workers.hub_counts, me * FLAG + BY_ALL, wp.uint32(0))
            told = tell(queue.least_cells, me, lane, heard)
            if told == ASSIGNED:
                began = clock()
                work(search, queue, workers, control, me, lane)
                sync_block()
                if lane == 0:
                    finish(queue, workers, control, me, clock() - began)

    return SimpleNamespace(serve=serve, push_ahead=push_ahead)
