"""Delta-stepping as one persistent kernel: steps that all blocks take together, and a barrier after each.

Whoever comes last to a barrier decides what the next step is, while all others wait: so nothing that decides ever
changes while somebody looks at it, and the host is not asked. A search takes these steps:

    CLEAR, START      all distances unreached; the sources in the frontier
    LIGHT             the frontier's arcs of at most delta, again until nothing of the bucket is left
    HEAVY             the longer arcs of all that was in the bucket, once: what they reach lies behind the bucket
    SPLIT             the next bucket, taken from a pile
    WRITE             the answer

What lies behind the current bucket waits in two piles, `soon` up to a horizon and `far` beyond it. A pile is gone
through for every bucket, so the first is kept short; a ring of buckets would be read only once, but a vertex may lie
in many of them, so it either needs many times the memory or may overflow. Each queue and pile here is a set: a vertex
is added by whoever first writes the queue's present generation into the vertex' tag, so that none ever holds more
than n, and nothing has to be cleared. A vertex that has found a shorter way may still lie in a pile; it is left out
when the pile is gone through.

A vertex of many arcs is cut into slices in LIGHT and HEAVY; in a step after it (LIGHT_SLICES, HEAVY_SLICES) each slice
is relaxed by all lanes of a block. Limits are inclusive, so that a delta that a float cannot add still gets ahead.
"""

from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pathfront.devices.kernels import atomics, barrier, numbers
from pathfront.devices.persistent import PULSE

CLEAR, START, LIGHT, LIGHT_SLICES, HEAVY, HEAVY_SLICES, SPLIT, PAUSE, WRITE, END = range(10)
"""Steps. PAUSE is none: the kernel returns, the host takes the trace's rows away, and launches it again."""

FRONT, SETTLED, SOON, FAR, ROWS = 0, 2, 3, 5, 7
"""Rows of the queues: the frontier and the piles have two, one that is read and one that is written."""

_APART = 16  # words: cells that change all the time do not share a cache line
STEP = 0
NEXT, SETTLED_COUNT, SOON_COUNT, FAR_COUNT, SLICES, CURSOR = (_APART * i for i in range(1, 7))
"""Counters that lanes raise; all else is written between steps."""
GENERATION, BUCKET, SOON_TAG, FAR_TAG, TAKEN, FROM_FAR, TARGETS_FINAL, OVERFLOW, TRACE_ROWS = (
    _APART * 7 + i for i in range(9)
)
CELLS = _APART * 8

LIMIT, SETTLED_LIMIT, HORIZON, LOW_SOON, LOW_FAR, LOW = range(6)
BOUNDS = 6

_OFTEN = 63  # a mask: every so many claims a sign of life
_NOTHING = wp.constant(wp.uint32(2**32 - 1))  # behind the end of all queues
_NO_VERTEX = _NOTHING

_word = atomics.of(wp.uint32)
_load, _store, _exchange, _fetch_add = _word.load, _word.store, _word.exchange, _word.fetch_add
_add_long = atomics.of(wp.uint64).fetch_add


def modules() -> Iterator[wp.Module]:
    """Build the kernels of all types; yield their modules."""
    for name in numbers.TYPES:
        for packed in (False, True):
            if not packed or name.endswith("32"):
                yield of(name, packed).kernel.module


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return `kernel` and the struct `Search` for distances of one type."""
    return build(name, packed, f"pathfront_delta_stepping_{name}{'_packed' if packed else ''}")


def build(name: str, packed: bool, module: str) -> SimpleNamespace:
    """Compile anew, into a module of this name."""
    made = SimpleNamespace(numbers=numbers.of(name, packed))
    made.Search = _search(made.numbers)
    made.relax = _relaxing(made)
    made.strip, made.report = _stripping(made)
    made.begin, made.write = _answering(made)
    made.expand = _expanding(made)
    made.slices = _slicing(made)
    made.split = _splitting(made)
    made.decide = _deciding(made)
    made.kernel = _stepping(made, wp.get_module(module))
    return made


def _search(types: SimpleNamespace) -> Any:
    dtype = types.dtype

    @wp.struct
    class Search:
        n: int
        offsets: wp.array(dtype=wp.int32)
        heads: wp.array(dtype=wp.int32)
        weights: wp.array(dtype=dtype)
        unit: int
        state: wp.array(dtype=types.word)
        dist: wp.array(dtype=dtype)
        parent: wp.array(dtype=wp.uint32)
        sources: wp.array(dtype=wp.int32)
        targets: wp.array(dtype=wp.int32)
        target_count: int
        delta: dtype
        reach: dtype  # from a horizon to the next
        cutoff: dtype
        queues: wp.array2d(dtype=wp.int32)
        queued: wp.array(dtype=wp.uint32)  # tags, one array for each set
        settled: wp.array(dtype=wp.uint32)
        soon: wp.array(dtype=wp.uint32)
        far: wp.array(dtype=wp.uint32)
        slice_tails: wp.array(dtype=wp.int32)
        slice_arcs: wp.array(dtype=wp.int32)
        cells: wp.array(dtype=wp.uint32)
        bounds: wp.array(dtype=dtype)
        barrier: wp.array(dtype=wp.uint32)
        claims: wp.array(dtype=wp.uint32)  # one for each block
        edges: wp.array(dtype=wp.uint64)  # one for each lane of each block
        rows: int  # of the trace; 0 if none is wanted
        row_frontier: wp.array(dtype=wp.uint64)
        row_edges: wp.array(dtype=wp.uint64)
        row_bounds: wp.array2d(dtype=dtype)
        vertices: wp.array(dtype=wp.uint64)  # how many were processed
        has_heavy: int
        blocks: int
        lanes: int
        chunk: int  # vertices that a lane claims at once
        slice_from: int  # arcs from which on a vertex is cut into slices
        slice: int  # arcs

    return Search


@wp.func
def _insert(
    queues: wp.array2d(dtype=wp.int32),
    row: int,
    cells: wp.array(dtype=wp.uint32),
    count: int,
    tags: wp.array(dtype=wp.uint32),
    tag: wp.uint32,
    v: int,
):
    """Add a vertex to a set, unless it is in it."""
    if _load(tags, v) != tag:
        if _exchange(tags, v, tag) != tag:
            queues[row, int(atomics.reserve(cells, count))] = v


@wp.func
def _claim(cells: wp.array(dtype=wp.uint32), control: wp.array(dtype=wp.uint32), chunk: int) -> wp.uint32:
    """Return where the next piece of work begins that nobody else has."""
    claim = atomics.reserve(cells, CURSOR)
    if (claim & wp.uint32(_OFTEN)) == wp.uint32(0):
        _fetch_add(control, PULSE, wp.uint32(1))
    if barrier.stopped(control):
        return _NOTHING
    return claim * wp.uint32(chunk)


def _relaxing(made: SimpleNamespace) -> Any:
    Search, dtype = made.Search, made.numbers.dtype
    plus, improve, unreached = made.numbers.plus, made.numbers.improve, made.numbers.unreached

    @wp.func
    def relax(s: Search, u: int, here: dtype, v: int, weight: dtype, limit: dtype, horizon: dtype) -> dtype:
        """Return the distance with which the head was put on a pile; `unreached` if it was not."""
        there = plus(here, weight)
        if there == unreached:
            _store(s.cells, OVERFLOW, wp.uint32(1))
            return unreached
        if there > s.cutoff:
            return unreached
        if not improve(s.state, v, there, wp.uint32(u)):
            return unreached
        if there <= limit:
            next = _load(s.cells, GENERATION) + wp.uint32(1)
            _insert(s.queues, FRONT + int(next & wp.uint32(1)), s.cells, NEXT, s.queued, next, v)
            return unreached
        if there <= horizon:
            tag = _load(s.cells, SOON_TAG)
            _insert(s.queues, SOON + int(tag & wp.uint32(1)), s.cells, SOON_COUNT, s.soon, tag, v)
        else:
            tag = _load(s.cells, FAR_TAG)
            _insert(s.queues, FAR + int(tag & wp.uint32(1)), s.cells, FAR_COUNT, s.far, tag, v)
        return there

    return relax


def _stripping(made: SimpleNamespace) -> tuple[Any, Any]:
    Search, dtype, unreached, relax = made.Search, made.numbers.dtype, made.numbers.unreached, made.relax
    bound = atomics.of(dtype)
    load_bound, min_bound = bound.load, bound.fetch_min
    dist_at = made.numbers.dist_at

    @wp.func
    def strip(s: Search, u: int, first: int, last: int, by: int, heavy: bool, limit: dtype, horizon: dtype):
        """Relax every `by`-th arc of a vertex, light or heavy ones; return how many, and the lowest put on each pile."""
        here = dist_at(s.state, u)
        edges = int(0)
        soon, far = dtype(unreached), dtype(unreached)
        arc = int(first)
        while arc < last:
            weight = dtype(1)
            if s.unit == 0:
                weight = s.weights[arc]
            if (weight > s.delta) == heavy:
                edges += 1
                there = relax(s, u, here, s.heads[arc], weight, limit, horizon)
                if there <= horizon:
                    soon = wp.min(soon, there)
                else:
                    far = wp.min(far, there)
            arc += by
        return edges, soon, far

    @wp.func
    def report(s: Search, thread: int, edges: wp.uint64, soon: dtype, far: dtype):
        """Tell what a lane did in a step."""
        if edges != wp.uint64(0):
            s.edges[thread] = s.edges[thread] + edges
            if s.rows != 0:
                _add_long(s.row_edges, int(_load(s.cells, TRACE_ROWS)) - 1, edges)
        if soon < load_bound(s.bounds, LOW_SOON):
            min_bound(s.bounds, LOW_SOON, soon)
        if far < load_bound(s.bounds, LOW_FAR):
            min_bound(s.bounds, LOW_FAR, far)

    return strip, report


def _answering(made: SimpleNamespace) -> tuple[Any, Any]:
    Search, dtype, unreached = made.Search, made.numbers.dtype, made.numbers.unreached
    pack, dist_of, parent_of, packed = (
        made.numbers.pack,
        made.numbers.dist_of,
        made.numbers.parent_of,
        made.numbers.packed,
    )

    @wp.func
    def begin(s: Search, step: wp.uint32, thread: int):
        """Forget the last search, then put the sources into the frontier."""
        v = int(thread)
        if step == wp.uint32(CLEAR):
            while v < s.n:
                s.state[v] = pack(unreached, _NO_VERTEX)
                v += s.blocks * s.lanes
        else:
            while v < s.sources.shape[0]:
                s.state[s.sources[v]] = pack(dtype(0), _NO_VERTEX)
                s.queues[FRONT + 1, int(atomics.reserve(s.cells, NEXT))] = s.sources[v]
                v += s.blocks * s.lanes

    @wp.func
    def write(s: Search, thread: int):
        if wp.static(packed):
            v = int(thread)
            while v < s.n:
                s.dist[v] = dist_of(s.state[v])
                s.parent[v] = parent_of(s.state[v])
                v += s.blocks * s.lanes

    return begin, write


def _expanding(made: SimpleNamespace) -> Any:
    Search, dtype, unreached = made.Search, made.numbers.dtype, made.numbers.unreached
    strip, report = made.strip, made.report
    load_bound = atomics.of(dtype).load

    @wp.func
    def cut(s: Search, u: int, first: int, last: int):
        arc = int(first)
        while arc < last:
            place = int(atomics.reserve(s.cells, SLICES))
            s.slice_tails[place] = u
            s.slice_arcs[place] = arc
            arc += s.slice

    @wp.func
    def expand(s: Search, control: wp.array(dtype=wp.uint32), thread: int, heavy: bool):
        """Relax the arcs of a queue, each vertex by one lane."""
        limit, horizon = load_bound(s.bounds, LIMIT), load_bound(s.bounds, HORIZON)
        count, bucket = _load(s.cells, TAKEN), _load(s.cells, BUCKET)
        row = FRONT + int(_load(s.cells, GENERATION) & wp.uint32(1))
        if heavy:
            row = SETTLED
        edges = wp.uint64(0)
        low_soon, low_far = dtype(unreached), dtype(unreached)
        start = _claim(s.cells, control, s.chunk)
        while start < count:
            for i in range(int(start), int(wp.min(start + wp.uint32(s.chunk), count))):
                u = s.queues[row, i]
                first, last = s.offsets[u], s.offsets[u + 1]
                if s.has_heavy != 0 and not heavy:
                    _insert(s.queues, SETTLED, s.cells, SETTLED_COUNT, s.settled, bucket, u)
                if last - first >= s.slice_from:
                    cut(s, u, first, last)
                else:
                    relaxed, soon, far = strip(s, u, first, last, 1, heavy, limit, horizon)
                    edges += wp.uint64(relaxed)
                    low_soon, low_far = wp.min(low_soon, soon), wp.min(low_far, far)
            start = _claim(s.cells, control, s.chunk)
        report(s, thread, edges, low_soon, low_far)

    return expand


def _slicing(made: SimpleNamespace) -> Any:
    Search, dtype, unreached = made.Search, made.numbers.dtype, made.numbers.unreached
    strip, report, sync_block = made.strip, made.report, barrier.sync_block
    load_bound = atomics.of(dtype).load

    @wp.func
    def claim_slice(s: Search, control: wp.array(dtype=wp.uint32), block: int, lane: int) -> wp.uint32:
        sync_block()  # all lanes have read what was claimed before
        if lane == 0:
            _store(s.claims, block, _claim(s.cells, control, 1))
        sync_block()
        return _load(s.claims, block)

    @wp.func
    def slices(s: Search, control: wp.array(dtype=wp.uint32), block: int, lane: int, heavy: bool):
        """Relax the slices of vertices with many arcs, each by all lanes of a block."""
        limit, horizon = load_bound(s.bounds, LIMIT), load_bound(s.bounds, HORIZON)
        count = _load(s.cells, TAKEN)
        edges = wp.uint64(0)
        low_soon, low_far = dtype(unreached), dtype(unreached)
        place = claim_slice(s, control, block, lane)
        while place < count:
            u, first = s.slice_tails[int(place)], s.slice_arcs[int(place)]
            last = wp.min(first + s.slice, s.offsets[u + 1])
            relaxed, soon, far = strip(s, u, first + lane, last, s.lanes, heavy, limit, horizon)
            edges += wp.uint64(relaxed)
            low_soon, low_far = wp.min(low_soon, soon), wp.min(low_far, far)
            place = claim_slice(s, control, block, lane)
        report(s, block * s.lanes + lane, edges, low_soon, low_far)

    return slices


def _splitting(made: SimpleNamespace) -> Any:
    Search, dtype, unreached = made.Search, made.numbers.dtype, made.numbers.unreached
    report, dist_at = made.report, made.numbers.dist_at
    load_bound = atomics.of(dtype).load

    @wp.func
    def split(s: Search, control: wp.array(dtype=wp.uint32), thread: int):
        """Go through a pile: into the frontier, onto a pile again, or out."""
        limit, horizon = load_bound(s.bounds, LIMIT), load_bound(s.bounds, HORIZON)
        settled = load_bound(s.bounds, SETTLED_LIMIT)
        soon_tag, far_tag = _load(s.cells, SOON_TAG), _load(s.cells, FAR_TAG)
        next, count = _load(s.cells, GENERATION) + wp.uint32(1), _load(s.cells, TAKEN)
        row = SOON + int((soon_tag + wp.uint32(1)) & wp.uint32(1))
        if _load(s.cells, FROM_FAR) != wp.uint32(0):
            row = FAR + int((far_tag + wp.uint32(1)) & wp.uint32(1))
        low_soon, low_far = dtype(unreached), dtype(unreached)
        start = _claim(s.cells, control, s.chunk)
        while start < count:
            for i in range(int(start), int(wp.min(start + wp.uint32(s.chunk), count))):
                v = s.queues[row, i]
                there = dist_at(s.state, v)
                if there > settled:
                    if there <= limit:
                        _insert(s.queues, FRONT + int(next & wp.uint32(1)), s.cells, NEXT, s.queued, next, v)
                    elif there <= horizon:
                        _insert(
                            s.queues, SOON + int(soon_tag & wp.uint32(1)), s.cells, SOON_COUNT, s.soon, soon_tag, v
                        )
                        low_soon = wp.min(low_soon, there)
                    else:
                        _insert(s.queues, FAR + int(far_tag & wp.uint32(1)), s.cells, FAR_COUNT, s.far, far_tag, v)
                        low_far = wp.min(low_far, there)
            start = _claim(s.cells, control, s.chunk)
        report(s, thread, wp.uint64(0), low_soon, low_far)

    return split


def _deciding(made: SimpleNamespace) -> Any:
    Search, dtype, unreached = made.Search, made.numbers.dtype, made.numbers.unreached
    raised, dist_at = made.numbers.raised, made.numbers.dist_at

    @wp.func
    def take(s: Search, count: int, step: int):
        """Make what a counter counted the work of the next step."""
        s.cells[TAKEN] = s.cells[count]
        s.cells[count] = wp.uint32(0)
        s.cells[CURSOR] = wp.uint32(0)
        s.cells[STEP] = wp.uint32(step)

    @wp.func
    def take_frontier(s: Search):
        if s.rows != 0:
            row = int(s.cells[TRACE_ROWS])
            if row == s.rows:
                s.cells[STEP] = wp.uint32(PAUSE)
                return
            s.row_frontier[row] = wp.uint64(s.cells[NEXT])
            s.row_edges[row] = wp.uint64(0)
            s.row_bounds[row, 0] = s.bounds[LOW]
            s.row_bounds[row, 1] = s.bounds[LIMIT]
            s.cells[TRACE_ROWS] = wp.uint32(row + 1)
        s.cells[GENERATION] = s.cells[GENERATION] + wp.uint32(1)
        s.vertices[0] = s.vertices[0] + wp.uint64(s.cells[NEXT])
        take(s, NEXT, LIGHT)

    @wp.func
    def targets_final(s: Search) -> bool:
        """Tell whether all targets are in this bucket or before it; those that are stay so."""
        i = int(s.cells[TARGETS_FINAL])
        while i < s.target_count and dist_at(s.state, s.targets[wp.min(i, s.target_count - 1)]) <= s.bounds[LIMIT]:
            i += 1
        s.cells[TARGETS_FINAL] = wp.uint32(i)
        return s.target_count > 0 and i == s.target_count

    @wp.func
    def take_pile(s: Search):
        """Go to the next bucket, straight to the lowest distance there is."""
        low = s.bounds[LOW_SOON]
        s.bounds[SETTLED_LIMIT] = s.bounds[LIMIT]
        if s.cells[SOON_COUNT] != wp.uint32(0):
            # What lies in the far pile lies beyond the horizon, and must not lie in the bucket.
            s.bounds[LIMIT] = wp.min(raised(low, s.delta), s.bounds[HORIZON])
            s.bounds[LOW_SOON] = unreached
            s.cells[SOON_TAG] = s.cells[SOON_TAG] + wp.uint32(1)
            s.cells[FROM_FAR] = wp.uint32(0)
            take(s, SOON_COUNT, SPLIT)
        else:
            low = s.bounds[LOW_FAR]
            s.bounds[HORIZON] = raised(low, s.reach)
            s.bounds[LIMIT] = raised(low, s.delta)
            s.bounds[LOW_FAR] = unreached
            s.cells[FAR_TAG] = s.cells[FAR_TAG] + wp.uint32(1)
            s.cells[FROM_FAR] = wp.uint32(1)
            take(s, FAR_COUNT, SPLIT)
        s.bounds[LOW] = low

    @wp.func
    def prepare(s: Search):
        s.bounds[LOW] = dtype(0)
        s.bounds[LIMIT] = raised(dtype(0), s.delta)
        s.bounds[HORIZON] = raised(dtype(0), s.reach)
        s.bounds[LOW_SOON] = unreached
        s.bounds[LOW_FAR] = unreached
        s.cells[BUCKET] = wp.uint32(1)
        s.cells[SOON_TAG] = wp.uint32(1)
        s.cells[FAR_TAG] = wp.uint32(1)
        s.cells[STEP] = wp.uint32(START)

    @wp.func
    def decide(s: Search, control: wp.array(dtype=wp.uint32)):
        """Say what all do next; done by one lane, while all others wait."""
        _fetch_add(control, PULSE, wp.uint32(1))
        step = s.cells[STEP]
        if step == wp.uint32(CLEAR):
            prepare(s)
        elif step == wp.uint32(WRITE):
            s.cells[STEP] = wp.uint32(END)
        elif s.cells[SLICES] != wp.uint32(0):
            take(s, SLICES, int(step) + 1)
        else:
            if step == wp.uint32(PAUSE):
                s.cells[TRACE_ROWS] = wp.uint32(0)
            if step == wp.uint32(HEAVY) or step == wp.uint32(HEAVY_SLICES):
                s.cells[BUCKET] = s.cells[BUCKET] + wp.uint32(1)
            # Also after HEAVY: floats may round a sum down to the very limit.
            if s.cells[NEXT] != wp.uint32(0):
                take_frontier(s)
            elif s.cells[SETTLED_COUNT] != wp.uint32(0):
                take(s, SETTLED_COUNT, HEAVY)
            elif targets_final(s) or (s.cells[SOON_COUNT] == wp.uint32(0) and s.cells[FAR_COUNT] == wp.uint32(0)):
                s.cells[CURSOR] = wp.uint32(0)
                s.cells[STEP] = wp.uint32(WRITE)
            else:
                take_pile(s)

    return decide


def _stepping(made: SimpleNamespace, module: wp.Module) -> Any:
    Search, begin, write, decide = made.Search, made.begin, made.write, made.decide
    expand, slices, split = made.expand, made.slices, made.split
    arrive, release, wait, agree = barrier.arrive, barrier.release, barrier.wait, barrier.agree
    times_met, sync_block = barrier.times_met, barrier.sync_block

    @wp.kernel(enable_backward=False, module=module)
    def delta_stepping(first: int, control: wp.array(dtype=wp.uint32), s: Search):
        among, lane = wp.tid()
        block = first + among
        thread = block * s.lanes + lane
        going = bool(True)
        while going:
            step = _load(s.cells, STEP)
            if step <= wp.uint32(START):
                begin(s, step, thread)
            elif step == wp.uint32(LIGHT) or step == wp.uint32(HEAVY):
                expand(s, control, thread, step == wp.uint32(HEAVY))
            elif step == wp.uint32(LIGHT_SLICES) or step == wp.uint32(HEAVY_SLICES):
                slices(s, control, block, lane, step == wp.uint32(HEAVY_SLICES))
            elif step == wp.uint32(SPLIT):
                split(s, control, thread)
            elif step == wp.uint32(WRITE):
                write(s, thread)
            sync_block()
            if lane == 0:
                times = times_met(s.barrier)
                if arrive(s.barrier, s.blocks):
                    decide(s, control)
                    release(s.barrier)
                else:
                    wait(s.barrier, control, times)
            going = agree(s.barrier, control, block, lane)
            if going:
                step = _load(s.cells, STEP)
                going = step != wp.uint32(END) and step != wp.uint32(PAUSE)

    return delta_stepping
