"""The work queue of ADDS: a circle of buckets, each a queue of a single reader, the manager, and many writers.

The names and rules are those of `cpp/adds/bucket.hpp`, `blocks.hpp` and `work_queue.hpp`, which say why they hold.

Writing. A worker raises the reservation pointer of a bucket, which gives it a place that nobody else writes; it writes
the item, and only then raises the write-completed counter of its segment (see `push` in `adds_worker.py`).

Reading. A segment whose counter is full is readable; one that is partly full only if its start plus its counter equals
the reservation pointer, read after the counter. Every lane of the manager looks at a segment of its own: the first that
is not full is where the readable items end, whatever comes after it.

Retiring. A bucket is finished when its completed-work counter equals its reservation pointer, read in this order.

Memory. Blocks come from a pool that is claimed before the kernel starts. A block knows by its tag which block of which
bucket it is; `first` and `after` are a hash table of chains by tag. Only the manager changes a chain. A writer that
walks along one while it changes may be led astray, into another chain or to an end: it does not find its block, and
looks again.
"""

import warp as wp

from pathfront.devices.gpu.kernels import atomics
from pathfront.devices.gpu.kernels.barrier import sync_block
from pathfront.devices.gpu.kernels.collectives import total

SPREAD = 16
"""Counters of 8 bytes that lie so far apart share no line of a cache."""

SPARE = 1
"""Blocks of a bucket that are ready beyond the one that is being written."""

WANTED, FREE, DRAINED, EXHAUSTED, IDLERS, DESK = 0, 1, 2, 3, 4, 5
"""Cells of the desk: a block is wanted; blocks that are free, and handed out to the last item; there are no more; idle
workers."""

U = wp.uint64
NO_TAG = wp.constant(wp.uint64(2**64 - 1))
_SCATTER = wp.constant(wp.uint64(0x9E3779B97F4A7C15))

_cell, _count, _wide = atomics.of(wp.int32), atomics.of(wp.uint32), atomics.of(wp.uint64)
load_cell, store_cell, add_to_cell = _cell.load, _cell.store, _cell.fetch_add
exchange_cell, swap_cell, release_cell = _cell.exchange, _cell.compare_and_swap, _cell.store_release
load_count, acquire_count, store_count, add_to_count = _count.load, _count.load_acquire, _count.store, _count.fetch_add
load_wide, acquire_wide, release_wide, add_to_wide = (
    _wide.load,
    _wide.load_acquire,
    _wide.store_release,
    _wide.fetch_add,
)


@wp.struct
class Queue:
    """Everything but the items themselves. What only the manager touches is marked."""

    block_bits: int
    segment_bits: int
    buckets: int
    blocks: int
    slot_bits: int
    written: wp.array(dtype=wp.uint32)  # of each segment of each block: the write-completed counter
    worked: wp.array(dtype=wp.uint32)  # of each block: the completed-work counter
    tags: wp.array(dtype=wp.uint64)  # of each block
    first: wp.array(dtype=wp.int32)  # of each slot: a block, -1 for none
    after: wp.array(dtype=wp.int32)  # of each block: the next in its chain
    free: wp.array(dtype=wp.int32)  # manager: blocks
    drained: wp.array(dtype=wp.int32)  # manager: blocks handed out to the last item
    reserved: wp.array(dtype=wp.uint64)  # of each bucket, SPREAD apart: the reservation pointer
    completed: wp.array(dtype=wp.uint64)  # likewise: the completed-work counter
    read: wp.array(dtype=wp.uint64)  # manager: of each bucket
    installed: wp.array(dtype=wp.uint64)  # manager: of each bucket, the blocks it ever had
    desk: wp.array(dtype=wp.int32)
    least_cells: wp.array(dtype=wp.int32)  # of each block of lanes: see collectives.py
    total_cells: wp.array(dtype=wp.uint64)


# ---- for everybody


@wp.func
def number_of(queue: Queue, index: wp.uint64) -> wp.uint64:
    """Return the number of the block that an index lies in."""
    return index >> U(queue.block_bits)


@wp.func
def place_of(queue: Queue, index: wp.uint64) -> int:
    """Return the place of an index in its block."""
    return int(index & ((U(1) << U(queue.block_bits)) - U(1)))


@wp.func
def tag_of(queue: Queue, bucket: int, number: wp.uint64) -> wp.uint64:
    """Return what no other block of any bucket is ever called."""
    return number * U(queue.buckets) + U(bucket)


@wp.func
def slot_of(queue: Queue, tag: wp.uint64) -> int:
    """Return where the chain of a tag begins."""
    return int((tag * _SCATTER) >> U(64 - queue.slot_bits))


@wp.func
def find(queue: Queue, bucket: int, number: wp.uint64) -> int:
    """Return a block of a bucket, or -1 if it is not there, or not found this time."""
    tag = tag_of(queue, bucket, number)
    block = load_cell(queue.first, slot_of(queue, tag))
    while block >= 0:
        # acquire: its counters are seen at zero, and who used it before is done with it
        if acquire_wide(queue.tags, block) == tag:
            return block
        block = load_cell(queue.after, block)
    return -1


@wp.func
def segment_of(queue: Queue, block: int, place: int) -> int:
    """Return which of the write-completed counters is a place's."""
    return (block << (queue.block_bits - queue.segment_bits)) + (place >> queue.segment_bits)


@wp.func
def complete(queue: Queue, bucket: int, start: wp.uint64, count: int):
    """Say that a range has been worked off. What it pushed must have been pushed before, by all lanes."""
    # whoever sees that it is done sees what it pushed; the block may be recycled from here on
    atomics.fence()
    index = start
    left = count
    while left > 0:
        block = find(queue, bucket, number_of(queue, index))
        if block >= 0:
            piece = wp.min(left, (1 << queue.block_bits) - place_of(queue, index))
            add_to_count(queue.worked, block, wp.uint32(piece))
            index += U(piece)
            left -= piece
    add_to_wide(queue.completed, bucket * SPREAD, U(count))


# ---- for the manager


@wp.func
def finished(queue: Queue, bucket: int) -> bool:
    """Tell whether everything in a bucket has been worked off."""
    # acquire: what completed work pushed is seen, and the pointer is read after the counter
    done = acquire_wide(queue.completed, bucket * SPREAD)
    return done == load_wide(queue.reserved, bucket * SPREAD)


@wp.func
def live(queue: Queue, bucket: int) -> wp.uint64:
    """Return how many items are reserved and not completed; a moment's truth."""
    done = load_wide(queue.completed, bucket * SPREAD)
    return wp.max(load_wide(queue.reserved, bucket * SPREAD), done) - done


@wp.func
def written_up_to(queue: Queue, bucket: int, start: wp.uint64) -> int:
    """Return how many items of the segment that begins here are readable."""
    if number_of(queue, start) >= queue.installed[bucket]:
        return 0
    block = find(queue, bucket, number_of(queue, start))
    # acquire: the items are seen, and the pointer below is read after the counter
    counted = int(acquire_count(queue.written, segment_of(queue, block, place_of(queue, start))))
    reserved = load_wide(queue.reserved, bucket * SPREAD)
    if counted < (1 << queue.segment_bits) and start + U(counted) != reserved:
        return 0
    return counted


@wp.func
def drain(queue: Queue, bucket: int, start: wp.uint64, end: wp.uint64):
    """Note the blocks whose last item is among those that are handed out now; for one lane."""
    count = load_cell(queue.desk, DRAINED)
    number = number_of(queue, start)
    while number < number_of(queue, end):
        queue.drained[count] = find(queue, bucket, number)
        count += 1
        number += U(1)
    store_cell(queue.desk, DRAINED, count)


@wp.func
def unlink(queue: Queue, block: int):
    """Take a block out of its chain."""
    slot = slot_of(queue, load_wide(queue.tags, block))
    after = load_cell(queue.after, block)
    at = load_cell(queue.first, slot)
    if at == block:
        store_cell(queue.first, slot, after)
    else:
        while load_cell(queue.after, at) != block:
            at = load_cell(queue.after, at)
        store_cell(queue.after, at, after)
    release_wide(queue.tags, block, NO_TAG)  # whoever looks it up takes it for absent


@wp.func
def recycle(queue: Queue):
    """Give back the blocks whose items have all been completed; for one lane."""
    count = load_cell(queue.desk, DRAINED)
    free = load_cell(queue.desk, FREE)
    i = int(0)
    while i < count:
        block = queue.drained[i]
        # acquire: the workers are done with the items
        if acquire_count(queue.worked, block) == (wp.uint32(1) << wp.uint32(queue.block_bits)):
            unlink(queue, block)
            queue.free[free] = block
            free += 1
            count -= 1
            queue.drained[i] = queue.drained[count]
        else:
            i += 1
    store_cell(queue.desk, DRAINED, count)
    store_cell(queue.desk, FREE, free)


@wp.func
def install(queue: Queue, bucket: int, number: wp.uint64) -> bool:
    """Make a free block the next of a bucket; other lanes may do the same for other buckets."""
    before = add_to_cell(queue.desk, FREE, -1)
    if before <= 0:
        store_cell(queue.desk, EXHAUSTED, 1)
        return False
    block = queue.free[before - 1]
    for i in range(1 << (queue.block_bits - queue.segment_bits)):
        store_count(queue.written, segment_of(queue, block, 0) + i, wp.uint32(0))
    store_count(queue.worked, block, wp.uint32(0))
    tag = tag_of(queue, bucket, number)
    release_wide(queue.tags, block, tag)  # whoever knows it by its tag sees the counters at zero
    slot = slot_of(queue, tag)
    linked = bool(False)
    while not linked:  # unless another lane came first
        then = load_cell(queue.first, slot)
        store_cell(queue.after, block, then)
        linked = swap_cell(queue.first, slot, then, block) == then
    return True


@wp.func
def provide(queue: Queue, lane: int):
    """Make blocks ready in all buckets, first of all those that are done with; for all lanes."""
    if lane == 0:
        recycle(queue)
    sync_block()
    for bucket in range(lane, queue.buckets, wp.block_dim()):
        # relaxed: who waits for a block asks again
        last = number_of(queue, load_wide(queue.reserved, bucket * SPREAD)) + U(SPARE)
        number = queue.installed[bucket]
        there = bool(True)
        while number <= last and there:
            there = install(queue, bucket, number)
            if there:
                number += U(1)
        queue.installed[bucket] = number
    sync_block()


@wp.func
def all_live(queue: Queue, lane: int) -> wp.uint64:
    """Return how many items there are in all buckets; for all lanes."""
    mine = U(0)
    for bucket in range(lane, queue.buckets, wp.block_dim()):
        mine += live(queue, bucket)
    return total(queue.total_cells, 0, mine)


@wp.func
def in_use(queue: Queue, lane: int) -> int:
    """Return how many buckets hold anything; for all lanes."""
    mine = U(0)
    for bucket in range(lane, queue.buckets, wp.block_dim()):
        if live(queue, bucket) > U(0):
            mine += U(1)
    return int(total(queue.total_cells, 0, mine))
