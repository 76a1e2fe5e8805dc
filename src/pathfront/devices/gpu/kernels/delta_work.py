"""What lanes do in the steps of delta-stepping; `delta_stepping.py` says which step comes when."""

from types import SimpleNamespace
from typing import Any

import warp as wp

from pathfront.devices.gpu.kernels import atomics, barrier
from pathfront.devices.gpu.kernels.delta_search import (
    CLEAR,
    CURSOR,
    FAR,
    FAR_COUNT,
    FAR_TAG,
    FROM_FAR,
    FRONT,
    GENERATION,
    HORIZON,
    LIMIT,
    LOW_FAR,
    LOW_SOON,
    NEXT,
    OVERFLOW,
    RADIUS,
    SETTLED,
    SETTLED_COUNT,
    SETTLED_LIMIT,
    SLICES,
    SOON,
    SOON_COUNT,
    SOON_TAG,
    TAKEN,
    TRACE_ROWS,
)
from pathfront.devices.gpu.kernels.numbers import NO_VERTEX
from pathfront.devices.gpu.persistent import PULSE

_OFTEN = 63  # a mask: every so many claims a sign of life
_NOTHING = wp.constant(wp.uint32(2**32 - 1))  # behind the end of all queues

_word = atomics.of(wp.uint32)
_load, _store, _exchange, _fetch_add = _word.load, _word.store, _word.exchange, _word.fetch_add
_add_long = atomics.of(wp.uint64).fetch_add


def of(made: SimpleNamespace) -> None:
    """Add to `made`, which has `numbers` and `Search`, the functions `begin`, `expand`, `slices`, `split`, `write`."""
    made.file, made.relax = _relaxing(made)
    made.strip, made.report = _stripping(made)
    made.begin, made.write = _answering(made)
    made.expand = _expanding(made)
    made.slices = _slicing(made)
    made.split = _splitting(made)


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
    if _load(tags, v) != tag:  # noqa: SIM102, Warp would exchange in any case
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


def _relaxing(made: SimpleNamespace) -> tuple[Any, Any]:
    Search, dtype = made.Search, made.numbers.dtype  # noqa: N806, a type
    plus, improve, unreached = made.numbers.plus, made.numbers.improve, made.numbers.unreached
    dist_at = made.numbers.dist_at

    @wp.func
    def file(s: Search, v: int, there: dtype, limit: dtype, horizon: dtype):
        """Put a vertex where it belongs: into the next frontier, or on a pile."""
        if there <= limit:
            next = _load(s.cells, GENERATION) + wp.uint32(1)
            _insert(s.queues, FRONT + int(next & wp.uint32(1)), s.cells, NEXT, s.queued, next, v)
        elif there <= horizon:
            tag = _load(s.cells, SOON_TAG)
            _insert(s.queues, SOON + int(tag & wp.uint32(1)), s.cells, SOON_COUNT, s.soon, tag, v)
        else:
            tag = _load(s.cells, FAR_TAG)
            _insert(s.queues, FAR + int(tag & wp.uint32(1)), s.cells, FAR_COUNT, s.far, tag, v)

    @wp.func
    def relax(s: Search, u: int, here: dtype, v: int, weight: dtype, limit: dtype, horizon: dtype) -> dtype:
        """Return the distance with which the head was put on a pile; `unreached` if it was not."""
        there = plus(here, weight)
        if there == unreached:
            _store(s.cells, OVERFLOW, wp.uint32(1))
            return unreached
        if there > s.cutoff:
            return unreached
        if there >= dist_at(s.words, v):  # most do not improve, and a look is cheaper than an atomic minimum
            return unreached
        if not improve(s.words, v, there, wp.uint32(u)):
            return unreached
        file(s, v, there, limit, horizon)
        if there <= limit:
            return unreached
        return there

    return file, relax


def _stripping(made: SimpleNamespace) -> tuple[Any, Any]:
    Search, dtype, nowhere, relax = made.Search, made.numbers.dtype, made.numbers.nowhere, made.relax  # noqa: N806, a type
    bound = atomics.of(dtype)
    load_bound, min_bound = bound.load, bound.fetch_min
    dist_at = made.numbers.dist_at

    @wp.func
    def strip(s: Search, u: int, first: int, last: int, by: int, heavy: bool, limit: dtype, horizon: dtype):
        """Relax every `by`-th arc, light or heavy ones; return how many, and the lowest put on each pile."""
        here = dist_at(s.words, u)
        edges = int(0)
        soon, far = nowhere(), nowhere()
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
    Search, dtype, unreached = made.Search, made.numbers.dtype, made.numbers.unreached  # noqa: N806, a type
    pack, dist_of, parent_of = made.numbers.pack, made.numbers.dist_of, made.numbers.parent_of
    packed, load_bound = made.numbers.packed, atomics.of(dtype).load

    @wp.func
    def begin(s: Search, step: wp.uint32, thread: int):
        """Forget the last search, then put the sources into the frontier."""
        v = int(thread)
        if step == wp.uint32(CLEAR):
            while v < s.n:
                s.words[v] = pack(unreached, NO_VERTEX)
                v += s.blocks * s.lanes
        else:
            while v < s.sources.shape[0]:
                s.words[s.sources[v]] = pack(dtype(0), NO_VERTEX)
                s.queues[FRONT + 1, int(atomics.reserve(s.cells, NEXT))] = s.sources[v]
                v += s.blocks * s.lanes

    @wp.func
    def write(s: Search, thread: int):
        """Write the answer, without what lies beyond the radius: that may not be final."""
        radius = load_bound(s.bounds, RADIUS)
        v = int(thread)
        while v < s.n:
            word = s.words[v]
            if dist_of(word) > radius:
                word = pack(unreached, NO_VERTEX)
            s.dist[v] = dist_of(word)
            if wp.static(packed):
                s.parent[v] = parent_of(word)
            v += s.blocks * s.lanes

    return begin, write


def _expanding(made: SimpleNamespace) -> Any:
    Search, dtype, nowhere = made.Search, made.numbers.dtype, made.numbers.nowhere  # noqa: N806, a type
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
        count = _load(s.cells, TAKEN)
        row = FRONT + int(_load(s.cells, GENERATION) & wp.uint32(1))
        if heavy:
            row = SETTLED
        edges = wp.uint64(0)
        low_soon, low_far = nowhere(), nowhere()
        start = _claim(s.cells, control, s.chunk)
        while start < count:
            for i in range(int(start), int(wp.min(start + wp.uint32(s.chunk), count))):
                u = s.queues[row, i]
                first, last = s.offsets[u], s.offsets[u + 1]
                if s.has_heavy != 0 and not heavy:
                    # Once in a search: who has left a bucket does not come back.
                    _insert(s.queues, SETTLED, s.cells, SETTLED_COUNT, s.settled, wp.uint32(1), u)
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
    Search, dtype, nowhere = made.Search, made.numbers.dtype, made.numbers.nowhere  # noqa: N806, a type
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
        low_soon, low_far = nowhere(), nowhere()
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
    Search, dtype, nowhere = made.Search, made.numbers.dtype, made.numbers.nowhere  # noqa: N806, a type
    file, report, dist_at = made.file, made.report, made.numbers.dist_at
    load_bound = atomics.of(dtype).load

    @wp.func
    def split(s: Search, control: wp.array(dtype=wp.uint32), thread: int):
        """Go through a pile: into the frontier, onto a pile again, or out."""
        limit, horizon = load_bound(s.bounds, LIMIT), load_bound(s.bounds, HORIZON)
        settled = load_bound(s.bounds, SETTLED_LIMIT)
        count = _load(s.cells, TAKEN)
        row = SOON + int((_load(s.cells, SOON_TAG) + wp.uint32(1)) & wp.uint32(1))
        if _load(s.cells, FROM_FAR) != wp.uint32(0):
            row = FAR + int((_load(s.cells, FAR_TAG) + wp.uint32(1)) & wp.uint32(1))
        low_soon, low_far = nowhere(), nowhere()
        start = _claim(s.cells, control, s.chunk)
        while start < count:
            for i in range(int(start), int(wp.min(start + wp.uint32(s.chunk), count))):
                v = s.queues[row, i]
                there = dist_at(s.words, v)
                if there > settled:
                    file(s, v, there, limit, horizon)
                    if there > horizon:
                        low_far = wp.min(low_far, there)
                    elif there > limit:
                        low_soon = wp.min(low_soon, there)
            start = _claim(s.cells, control, s.chunk)
        report(s, thread, wp.uint64(0), low_soon, low_far)

    return split
