"""The work of threads in the steps of delta-stepping; `delta_stepping.py` decides the order of the steps."""

from types import SimpleNamespace
from typing import Any

import warp as wp

from pathfront.devices.gpu.kernels import atomics, barrier
from pathfront.devices.gpu.kernels.atomics import u32, u64
from pathfront.devices.gpu.kernels.collectives import clock
from pathfront.devices.gpu.kernels.delta_search import COLUMNS, Bound, Cell, Column, Row, Step, Total
from pathfront.devices.gpu.kernels.module import Uints
from pathfront.devices.gpu.kernels.numbers import NO_VERTEX
from pathfront.devices.gpu.kernels.tiers import BY_WARP, group_size
from pathfront.devices.gpu.persistent import HEARTBEAT

_HEARTBEAT_MASK = 63  # the heartbeat changes every 64 claims
_NO_WORK = wp.constant(wp.uint32(2**32 - 1))  # beyond the end of all queues
_BEYOND = wp.constant(2**31 - 1)  # likewise


def of(made: SimpleNamespace) -> None:
    """Add to `made`, which has `numbers` and `Search`, the functions of the steps."""
    made.enqueue, made.relax = _relaxing(made)
    made.strip, made.add_counts = _stripping(made)
    made.initialise, made.write = _answering(made)
    made.expand, made.relax_shared = _expanding(made)
    made.split = _splitting(made)


@wp.func
def _insert(
    queues: wp.array2d(dtype=wp.int32), row: int, cells: Uints, count: int, tags: Uints, tag: wp.uint32, v: int
):
    """Add a vertex to a set, unless it is in it."""
    if u32.load(tags, v) != tag:  # noqa: SIM102, Warp would exchange in any case
        if u32.exchange(tags, v, tag) != tag:
            queues[row, int(u32.reserve(cells, count))] = v


@wp.func
def _note_entered(labelled: Uints, totals: wp.array(dtype=wp.uint64), u: int):
    """Count a vertex of the frontier, which it is in once, unless it was in one before."""
    if u32.load(labelled, u) != wp.uint32(2):
        u32.store(labelled, u, wp.uint32(2))
        u64.reserve(totals, Total.ENTERED)


@wp.func
def _claim(cells: Uints, control: Uints, chunk: int) -> wp.uint32:
    """Return where the next chunk of work begins, which no other thread gets."""
    claim = u32.reserve(cells, Cell.CURSOR)
    if (claim & wp.uint32(_HEARTBEAT_MASK)) == wp.uint32(0):
        u32.fetch_add(control, HEARTBEAT, wp.uint32(1))
    if barrier.stopped(control):
        return _NO_WORK
    return claim * wp.uint32(chunk)


def _relaxing(made: SimpleNamespace) -> tuple[Any, Any]:
    Search, dtype = made.Search, made.numbers.dtype  # noqa: N806, a type
    plus, improve, unreached = made.numbers.plus, made.numbers.improve, made.numbers.unreached
    dist_at = made.numbers.dist_at

    @wp.func
    def enqueue(s: Search, v: int, there: dtype, limit: dtype, horizon: dtype):
        """Add a vertex to the next frontier, the soon queue or the far queue."""
        if there <= limit:
            next = u32.load(s.cells, Cell.GENERATION) + wp.uint32(1)
            _insert(s.queues, Row.FRONTIER + int(next & wp.uint32(1)), s.cells, Cell.NEXT, s.queued, next, v)
        elif there <= horizon:
            tag = u32.load(s.cells, Cell.SOON_TAG)
            _insert(s.queues, Row.SOON + int(tag & wp.uint32(1)), s.cells, Cell.SOON_COUNT, s.soon, tag, v)
        else:
            tag = u32.load(s.cells, Cell.FAR_TAG)
            _insert(s.queues, Row.FAR + int(tag & wp.uint32(1)), s.cells, Cell.FAR_COUNT, s.far, tag, v)

    @wp.func
    def relax(s: Search, u: int, here: dtype, v: int, weight: dtype, limit: dtype, horizon: dtype) -> dtype:
        """Relax an arc; return the distance if the head was added to the soon or far queue, else `unreached`."""
        there = plus(here, weight)
        if there == unreached:
            u32.store(s.cells, Cell.OVERFLOW, wp.uint32(1))
            return unreached
        if there > s.cutoff:
            return unreached
        if there >= dist_at(s.words, v):  # most arcs do not improve, and a load is cheaper than an atomic minimum
            return unreached
        if not improve(s.words, v, there, wp.uint32(u)):
            return unreached
        if atomics.mark(s.labelled, v) != 0:
            u64.reserve(s.totals, Total.LABELLED)
        enqueue(s, v, there, limit, horizon)
        if there <= limit:
            return unreached
        return there

    return enqueue, relax


def _stripping(made: SimpleNamespace) -> tuple[Any, Any]:
    Search, dtype, nowhere, relax = made.Search, made.numbers.dtype, made.numbers.nowhere, made.relax  # noqa: N806, a type
    bound = atomics.of(dtype)
    load_bound, min_bound = bound.load, bound.fetch_min
    dist_at, weight_of = made.numbers.dist_at, made.numbers.weight_of

    @wp.func
    def strip(s: Search, u: int, first: int, last: int, by: int, heavy: bool, limit: dtype, horizon: dtype):
        """Relax every `by`-th arc if light or heavy; return how many, and the lowest distance added to each queue."""
        here = dist_at(s.words, u)
        edges = int(0)
        soon, far = nowhere(), nowhere()
        arc = int(first)
        while arc < last:
            weight = weight_of(s.graph, arc)
            if (weight > s.delta) == heavy:
                edges += 1
                there = relax(s, u, here, s.graph.heads[arc], weight, limit, horizon)
                if there <= horizon:
                    soon = wp.min(soon, there)
                else:
                    far = wp.min(far, there)
            arc += by
        return edges, soon, far

    @wp.func
    def add_counts(s: Search, index: int, edges: wp.uint64, soon: dtype, far: dtype):
        """Add a thread's counts and lowest distances of a step to the search's."""
        if edges != wp.uint64(0):
            s.edges[index] = s.edges[index] + edges
            if s.rows != 0:
                row = int(u32.load(s.cells, Cell.TRACE_ROWS)) - 1
                u64.fetch_add(s.row_counts, row * COLUMNS + Column.EDGES, edges)
        if soon < load_bound(s.bounds, Bound.LOW_SOON):
            min_bound(s.bounds, Bound.LOW_SOON, soon)
        if far < load_bound(s.bounds, Bound.LOW_FAR):
            min_bound(s.bounds, Bound.LOW_FAR, far)

    return strip, add_counts


def _answering(made: SimpleNamespace) -> tuple[Any, Any]:
    Search, dtype, unreached = made.Search, made.numbers.dtype, made.numbers.unreached  # noqa: N806, a type
    pack, write_answer, load_bound = made.numbers.pack, made.numbers.write_answer, atomics.of(dtype).load

    @wp.func
    def initialise(s: Search, step: wp.uint32, index: int):
        """Make all distances unreached, then put the sources into the frontier."""
        v = int(index)
        if step == wp.uint32(Step.CLEAR):
            if index == 0:
                s.totals[Total.BEGAN] = clock()
            while v < s.n:
                s.words[v] = pack(unreached, NO_VERTEX)
                v += s.blocks * s.block_dim
        else:
            while v < s.sources.shape[0]:
                s.words[s.sources[v]] = pack(dtype(0), NO_VERTEX)
                s.queues[Row.FRONTIER + 1, int(u32.reserve(s.cells, Cell.NEXT))] = s.sources[v]
                if atomics.mark(s.labelled, s.sources[v]) != 0:
                    u64.reserve(s.totals, Total.LABELLED)
                v += s.blocks * s.block_dim

    @wp.func
    def write(s: Search, index: int):
        """Write the results up to the radius."""
        radius = load_bound(s.bounds, Bound.RADIUS)
        v = int(index)
        while v < s.n:
            write_answer(s.words, v, radius, s.dist, s.parent)
            v += s.blocks * s.block_dim

    return initialise, write


def _expanding(made: SimpleNamespace) -> tuple[Any, Any]:
    Search, dtype, nowhere = made.Search, made.numbers.dtype, made.numbers.nowhere  # noqa: N806, a type
    strip, add_counts = made.strip, made.add_counts
    sync_block, load_bound = barrier.sync_block, atomics.of(dtype).load

    @wp.func
    def cut(s: Search, u: int, first: int, last: int):
        arc = int(first)
        while arc < last:
            slot = int(u32.reserve(s.cells, Cell.SLICES))
            s.slice_tails[slot] = u
            s.slice_arcs[slot] = arc
            arc += s.slice

    @wp.func
    def expand(s: Search, control: Uints, index: int, heavy: bool):
        """Relax the arcs of a queue, vertices of few arcs by one thread each; list the others."""
        limit, horizon = load_bound(s.bounds, Bound.LIMIT), load_bound(s.bounds, Bound.HORIZON)
        count = u32.load(s.cells, Cell.TAKEN)
        row = Row.FRONTIER + int(u32.load(s.cells, Cell.GENERATION) & wp.uint32(1))
        if heavy:
            row = Row.SETTLED
        edges = wp.uint64(0)
        low_soon, low_far = nowhere(), nowhere()
        start = _claim(s.cells, control, s.chunk)
        while start < count:
            for i in range(int(start), int(wp.min(start + wp.uint32(s.chunk), count))):
                u = s.queues[row, i]
                first, last = s.graph.offsets[u], s.graph.offsets[u + 1]
                if s.has_heavy != 0 and not heavy:
                    # Once in a search: a settled vertex never enters a bucket again.
                    _insert(s.queues, Row.SETTLED, s.cells, Cell.SETTLED_COUNT, s.settled, wp.uint32(1), u)
                if not heavy and s.rows != 0:
                    _note_entered(s.labelled, s.totals, u)
                if last - first >= s.slice_from:
                    cut(s, u, first, last)
                elif last - first >= s.warp_from:
                    s.middle[int(u32.reserve(s.cells, Cell.MIDDLE_COUNT))] = u
                else:
                    relaxed, soon, far = strip(s, u, first, last, 1, heavy, limit, horizon)
                    edges += wp.uint64(relaxed)
                    low_soon, low_far = wp.min(low_soon, soon), wp.min(low_far, far)
            start = _claim(s.cells, control, s.chunk)
        add_counts(s, index, edges, low_soon, low_far)

    @wp.func
    def claim_slice(s: Search, control: Uints, block: int, thread: int) -> wp.uint32:
        sync_block()  # all threads have read the previous claim
        if thread == 0:
            u32.store(s.claims, block, _claim(s.cells, control, 1))
        sync_block()
        return u32.load(s.claims, block)

    @wp.func
    def after(control: Uints, i: int, by: int, rank: int) -> int:
        """Return the index of a warp's next vertex, beyond all after a stop; one lane shows progress."""
        if rank == 0 and (i & _HEARTBEAT_MASK) == 0:
            u32.fetch_add(control, HEARTBEAT, wp.uint32(1))
        if barrier.stopped(control):
            return _BEYOND
        return i + by

    @wp.func
    def relax_shared(s: Search, control: Uints, block: int, thread: int, heavy: bool):
        """Relax what `expand` has listed: vertices of middle degree by warps, then slices of others by blocks.

        Slices are claimed. Vertices are dealt out to the warps, whose lanes would have to agree on a claim.
        """
        limit, horizon = load_bound(s.bounds, Bound.LIMIT), load_bound(s.bounds, Bound.HORIZON)
        count, listed = u32.load(s.cells, Cell.TAKEN), int(u32.load(s.cells, Cell.MIDDLE_TAKEN))
        edges, low_soon, low_far = wp.uint64(0), nowhere(), nowhere()
        size = group_size(BY_WARP)
        warps, rank = s.block_dim // size, thread % size
        i = block + s.blocks * (thread // size)
        if thread >= warps * size:  # of a block that is not a whole number of warps
            i = listed
        slot = wp.uint32(0)
        if i >= listed:
            slot = claim_slice(s, control, block, thread)
        while i < listed or slot < count:  # one loop, so that `strip` is compiled once
            u, first, last, by = int(0), int(rank), int(0), int(size)
            if i < listed:
                u = int(s.middle[i])
                first += s.graph.offsets[u]
                last = s.graph.offsets[u + 1]
                i = after(control, i, s.blocks * warps, rank)
            else:
                u = int(s.slice_tails[int(slot)])
                first = s.slice_arcs[int(slot)] + thread
                last = wp.min(first - thread + s.slice, s.graph.offsets[u + 1])
                by = s.block_dim
            relaxed, soon, far = strip(s, u, first, last, by, heavy, limit, horizon)
            edges += wp.uint64(relaxed)
            low_soon, low_far = wp.min(low_soon, soon), wp.min(low_far, far)
            if i >= listed:
                slot = claim_slice(s, control, block, thread)
        add_counts(s, block * s.block_dim + thread, edges, low_soon, low_far)

    return expand, relax_shared


def _splitting(made: SimpleNamespace) -> Any:
    Search, dtype, nowhere = made.Search, made.numbers.dtype, made.numbers.nowhere  # noqa: N806, a type
    enqueue, add_counts, dist_at = made.enqueue, made.add_counts, made.numbers.dist_at
    load_bound = atomics.of(dtype).load

    @wp.func
    def split(s: Search, control: Uints, index: int):
        """Scan a queue: vertices go to the frontier, to a queue again, or are dropped as settled."""
        limit, horizon = load_bound(s.bounds, Bound.LIMIT), load_bound(s.bounds, Bound.HORIZON)
        settled = load_bound(s.bounds, Bound.SETTLED_LIMIT)
        count = u32.load(s.cells, Cell.TAKEN)
        row = Row.SOON + int((u32.load(s.cells, Cell.SOON_TAG) + wp.uint32(1)) & wp.uint32(1))
        if u32.load(s.cells, Cell.FROM_FAR) != wp.uint32(0):
            row = Row.FAR + int((u32.load(s.cells, Cell.FAR_TAG) + wp.uint32(1)) & wp.uint32(1))
        low_soon, low_far = nowhere(), nowhere()
        start = _claim(s.cells, control, s.chunk)
        while start < count:
            for i in range(int(start), int(wp.min(start + wp.uint32(s.chunk), count))):
                v = s.queues[row, i]
                there = dist_at(s.words, v)
                if there > settled:
                    enqueue(s, v, there, limit, horizon)
                    if there > horizon:
                        low_far = wp.min(low_far, there)
                    elif there > limit:
                        low_soon = wp.min(low_soon, there)
                elif s.rows != 0:
                    u64.reserve(s.totals, Total.DROPPED)
            start = _claim(s.cells, control, s.chunk)
        add_counts(s, index, wp.uint64(0), low_soon, low_far)

    return split
