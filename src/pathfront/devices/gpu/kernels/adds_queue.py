"""The work queue of ADDS: a circular queue of buckets, each with a single reader, the manager, and many writers.

The names and rules are those of `cpp/engines/adds/bucket.hpp`, `blocks.hpp` and `work_queue.hpp`, which say why they
hold.

Writing. A worker increments the reservation pointer of a bucket, which gives it a slot that no other thread writes; it
writes the item, and only then increments the write-completed counter of its segment (see `push` in `adds_worker.py`).

Reading. A segment whose counter is full is readable; one that is partly full only if its start plus its counter equals
the reservation pointer, read after the counter. Every thread of the manager checks a segment of its own: the readable
items end in the first segment that is not full.

Retiring. A bucket is finished when its completed-work counter equals its reservation pointer, read in this order.

Memory. Blocks come from a pool that is allocated before the kernel starts. A block's tag says which block of which
bucket it is; `first` and `after` are a hash table of chains by tag. Only the manager changes a chain. A writer that
follows a chain while it changes may end up in another chain or at its end: it does not find its block, and tries again.
"""

from enum import IntEnum

import warp as wp

from pathfront.devices.gpu.kernels import atomics
from pathfront.devices.gpu.kernels.atomics import i32, u32, u64
from pathfront.devices.gpu.kernels.barrier import sync_block
from pathfront.devices.gpu.kernels.collectives import block_sum
from pathfront.devices.gpu.kernels.module import Ints, Uints

COUNTER_STRIDE = 16
"""Words of 8 bytes from one counter to the next: no two share a cache line."""

SPARE = 1
"""Blocks that a bucket has ready beyond the one that is being written."""

U = wp.uint64

NO_TAG = wp.constant(wp.uint64(2**64 - 1))
"""The tag of a block in the pool."""

_HASH_FACTOR = wp.constant(wp.uint64(0x9E3779B97F4A7C15))
"""2^64 over the golden ratio, for multiplicative hashing."""


class Coordination(IntEnum):
    """The cells of `Queue.coordination`, which manager and workers share."""

    BLOCK_REQUESTED = 0  # 1 if a worker waits for a block, or will soon
    FREE_COUNT = 1  # blocks in the pool
    DRAINED_COUNT = 2  # blocks whose items are all assigned
    EXHAUSTED = 3  # 1 if the pool had too few blocks
    IDLE_COUNT = 4  # idle workers listed


@wp.struct
class Queue:
    """The buckets, their blocks and counters; the items are in `Search`. Only the manager uses what is marked."""

    block_bits: int
    segment_bits: int
    buckets: int
    blocks: int
    slot_bits: int
    written: Uints  # of each segment of each block: the write-completed counter
    completed_work: Uints  # of each block: the completed-work counter
    tags: wp.array(dtype=wp.uint64)  # of each block
    first: Ints  # of each slot: a block, -1 for none
    after: Ints  # of each block: the next in its chain
    free: Ints  # manager: the pool
    drained: Ints  # manager: blocks whose items are all assigned
    reserved: wp.array(dtype=wp.uint64)  # of each bucket, COUNTER_STRIDE apart: the reservation pointer
    completed: wp.array(dtype=wp.uint64)  # likewise: the completed-work counter
    read: wp.array(dtype=wp.uint64)  # manager: of each bucket
    installed: wp.array(dtype=wp.uint64)  # manager: of each bucket, the blocks it ever had
    coordination: Ints  # cells that manager and workers share
    min_cells: Ints  # of each thread block: see collectives.py
    sum_cells: wp.array(dtype=wp.uint64)


# ---- for all blocks


@wp.func
def number_of(queue: Queue, index: wp.uint64) -> wp.uint64:
    """Return the number of the block that an index lies in."""
    return index >> U(queue.block_bits)


@wp.func
def offset_of(queue: Queue, index: wp.uint64) -> int:
    """Return the offset of an index in its block."""
    return int(index & ((U(1) << U(queue.block_bits)) - U(1)))


@wp.func
def tag_of(queue: Queue, bucket: int, number: wp.uint64) -> wp.uint64:
    """Return the tag of a block, which no other block of any bucket ever has."""
    return number * U(queue.buckets) + U(bucket)


@wp.func
def slot_of(queue: Queue, tag: wp.uint64) -> int:
    """Return the slot of a tag's chain in `first`."""
    return int((tag * _HASH_FACTOR) >> U(64 - queue.slot_bits))


@wp.func
def find(queue: Queue, bucket: int, number: wp.uint64) -> int:
    """Return a block of a bucket, or -1 if it does not exist or was not found this time."""
    tag = tag_of(queue, bucket, number)
    block = i32.load(queue.first, slot_of(queue, tag))
    while block >= 0:
        # acquire: its counters are seen at zero, and its previous users are done
        if u64.load_acquire(queue.tags, block) == tag:
            return block
        block = i32.load(queue.after, block)
    return -1


@wp.func
def segment_of(queue: Queue, block: int, offset: int) -> int:
    """Return the index of the write-completed counter of an offset."""
    return (block << (queue.block_bits - queue.segment_bits)) + (offset >> queue.segment_bits)


@wp.func
def complete(queue: Queue, bucket: int, start: wp.uint64, count: int):
    """Count a range as completed. All threads must have made its pushes before."""
    # release: a reader of the counters sees the pushes; the block may be recycled from here on
    atomics.fence()
    index = start
    left = count
    while left > 0:
        block = find(queue, bucket, number_of(queue, index))
        if block >= 0:
            piece = wp.min(left, (1 << queue.block_bits) - offset_of(queue, index))
            u32.fetch_add(queue.completed_work, block, wp.uint32(piece))
            index += U(piece)
            left -= piece
    u64.fetch_add(queue.completed, bucket * COUNTER_STRIDE, U(count))


# ---- for the manager


@wp.func
def finished(queue: Queue, bucket: int) -> bool:
    """Return whether all items of a bucket have been completed."""
    # acquire: what completed work pushed is seen, and the pointer is read after the counter
    done = u64.load_acquire(queue.completed, bucket * COUNTER_STRIDE)
    return done == u64.load(queue.reserved, bucket * COUNTER_STRIDE)


@wp.func
def live(queue: Queue, bucket: int) -> wp.uint64:
    """Return how many items are reserved and not completed; may change at any time."""
    done = u64.load(queue.completed, bucket * COUNTER_STRIDE)
    return wp.max(u64.load(queue.reserved, bucket * COUNTER_STRIDE), done) - done


@wp.func
def written_up_to(queue: Queue, bucket: int, start: wp.uint64) -> int:
    """Return how many items of the segment at `start` are readable."""
    if number_of(queue, start) >= queue.installed[bucket]:
        return 0
    block = find(queue, bucket, number_of(queue, start))
    # acquire: the items are seen, and the pointer below is read after the counter
    counted = int(u32.load_acquire(queue.written, segment_of(queue, block, offset_of(queue, start))))
    reserved = u64.load(queue.reserved, bucket * COUNTER_STRIDE)
    if counted < (1 << queue.segment_bits) and start + U(counted) != reserved:
        return 0
    return counted


@wp.func
def drain(queue: Queue, bucket: int, start: wp.uint64, end: wp.uint64):
    """List the blocks whose last item is being assigned; for one thread."""
    count = i32.load(queue.coordination, Coordination.DRAINED_COUNT)
    number = number_of(queue, start)
    while number < number_of(queue, end):
        queue.drained[count] = find(queue, bucket, number)
        count += 1
        number += U(1)
    i32.store(queue.coordination, Coordination.DRAINED_COUNT, count)


@wp.func
def unlink(queue: Queue, block: int):
    """Take a block out of its chain."""
    slot = slot_of(queue, u64.load(queue.tags, block))
    after = i32.load(queue.after, block)
    at = i32.load(queue.first, slot)
    if at == block:
        i32.store(queue.first, slot, after)
    else:
        while i32.load(queue.after, at) != block:
            at = i32.load(queue.after, at)
        i32.store(queue.after, at, after)
    u64.store_release(queue.tags, block, NO_TAG)  # a lookup does not find it any more


@wp.func
def recycle(queue: Queue):
    """Give back the blocks whose items have all been completed; for one thread."""
    count = i32.load(queue.coordination, Coordination.DRAINED_COUNT)
    free = i32.load(queue.coordination, Coordination.FREE_COUNT)
    i = int(0)
    while i < count:
        block = queue.drained[i]
        # acquire: the workers are done with the items
        if u32.load_acquire(queue.completed_work, block) == (wp.uint32(1) << wp.uint32(queue.block_bits)):
            unlink(queue, block)
            queue.free[free] = block
            free += 1
            count -= 1
            queue.drained[i] = queue.drained[count]
        else:
            i += 1
    i32.store(queue.coordination, Coordination.DRAINED_COUNT, count)
    i32.store(queue.coordination, Coordination.FREE_COUNT, free)


@wp.func
def install(queue: Queue, bucket: int, number: wp.uint64) -> bool:
    """Make a free block the next of a bucket; threads do so for different buckets at the same time."""
    before = i32.fetch_add(queue.coordination, Coordination.FREE_COUNT, -1)
    if before <= 0:
        i32.store(queue.coordination, Coordination.EXHAUSTED, 1)
        return False
    block = queue.free[before - 1]
    for i in range(1 << (queue.block_bits - queue.segment_bits)):
        u32.store(queue.written, segment_of(queue, block, 0) + i, wp.uint32(0))
    u32.store(queue.completed_work, block, wp.uint32(0))
    tag = tag_of(queue, bucket, number)
    u64.store_release(queue.tags, block, tag)  # release: a reader of the tag sees the counters at zero
    slot = slot_of(queue, tag)
    linked = bool(False)
    while not linked:  # until no other thread changed the chain
        then = i32.load(queue.first, slot)
        i32.store(queue.after, block, then)
        linked = i32.compare_and_swap(queue.first, slot, then, block) == then
    return True


@wp.func
def provide(queue: Queue, thread: int):
    """Recycle completed blocks, then give every bucket the blocks it needs; for all threads."""
    if thread == 0:
        recycle(queue)
    sync_block()
    for bucket in range(thread, queue.buckets, wp.block_dim()):
        # relaxed: a worker that waits for a block requests it again
        last = number_of(queue, u64.load(queue.reserved, bucket * COUNTER_STRIDE)) + U(SPARE)
        number = queue.installed[bucket]
        there = bool(True)
        while number <= last and there:
            there = install(queue, bucket, number)
            if there:
                number += U(1)
        queue.installed[bucket] = number
    sync_block()


@wp.func
def all_live(queue: Queue, thread: int) -> wp.uint64:
    """Return the live items of all buckets; for all threads."""
    mine = U(0)
    for bucket in range(thread, queue.buckets, wp.block_dim()):
        mine += live(queue, bucket)
    return block_sum(queue.sum_cells, 0, mine)


@wp.func
def in_use(queue: Queue, thread: int) -> int:
    """Return how many buckets hold live items; for all threads."""
    mine = U(0)
    for bucket in range(thread, queue.buckets, wp.block_dim()):
        if live(queue, bucket) > U(0):
            mine += U(1)
    return int(block_sum(queue.sum_cells, 0, mine))
