"""Collective operations of the threads of a block or a warp.

All threads of a block must call `block_min`, `block_sum` and `broadcast`, which return the same to all of them: the
minimum of their values, the sum, or the first thread's value. On a GPU the values are reduced by warp shuffles and then
in one shared word, so a block must have whole warps. On a CPU, where threads of a block are fibers, they are reduced in
a cell that the caller provides, one for each block. They are barriers as well: every thread of the block sees what all
wrote before.

`reserve_wide` and `count_written` are warp-aggregated: the lanes of a warp that are active together change a counter
once for all that name the same one.
"""

import warp as wp

from pathfront.devices.gpu.kernels.atomics import snippet

NONE = wp.constant(2**31 - 1)
"""The largest value, which stands for none in a minimum."""

_BLOCK_MIN = snippet(
    """
    __shared__ int found;
    for (int step = 16; step > 0; step /= 2) {
        const int other = __shfl_xor_sync(0xffffffffu, value, step);
        value = other < value ? other : value;
    }
    __syncthreads(); // all threads have read the previous result
    if (threadIdx.x == 0)
        found = value;
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        atomicMin(&found, value);
    __syncthreads();
    return found;
""",
    """
    if (WP_TILE_BLOCK_DIM == 1)
        return value;
    int& found = wp::index(cells, block);
    WP_TILE_SYNC();
    if (WP_TILE_THREAD_IDX == 0)
        found = value;
    WP_TILE_SYNC();
    if (value < found)
        found = value;
    WP_TILE_SYNC();
    return found;
""",
)

_BLOCK_SUM = snippet(
    """
    __shared__ unsigned long long found;
    unsigned long long sum = value;
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    __syncthreads(); // all threads have read the previous result
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        atomicAdd(&found, sum);
    __syncthreads();
    return found;
""",
    """
    if (WP_TILE_BLOCK_DIM == 1)
        return value;
    wp::uint64& found = wp::index(cells, block);
    WP_TILE_SYNC();
    if (WP_TILE_THREAD_IDX == 0)
        found = 0;
    WP_TILE_SYNC();
    found += value;
    WP_TILE_SYNC();
    return found;
""",
)


@wp.func_native(_BLOCK_MIN)
def block_min(cells: wp.array(dtype=wp.int32), block: int, value: int) -> int:
    """Return the minimum of the threads' values."""


@wp.func_native(_BLOCK_SUM)
def block_sum(cells: wp.array(dtype=wp.uint64), block: int, value: wp.uint64) -> wp.uint64:
    """Return the sum of the threads' values."""


@wp.func
def broadcast(cells: wp.array(dtype=wp.int32), block: int, thread: int, value: int) -> int:
    """Return the first thread's value."""
    sent = int(NONE)
    if thread == 0:
        sent = value
    return block_min(cells, block, sent)


_RESERVE_WIDE = snippet(
    """
    const unsigned active = __activemask();
    const unsigned peers = __match_any_sync(active, row);
    const unsigned lane = threadIdx.x & 31u, leader = __ffs(peers) - 1;
    unsigned long long first = 0;
    if (lane == leader)
        first = atomicAdd((unsigned long long*)&wp::index(a, row), (unsigned long long)__popc(peers));
    first = __shfl_sync(peers, first, leader);
    return first + __popc(peers & ((1u << lane) - 1u));
""",
    "return __atomic_fetch_add((unsigned long long*)&wp::index(a, row), 1ull, __ATOMIC_RELAXED);",
)

# The leader adds for all of its peers: __syncwarp makes their writes visible to it, its fence makes them visible to
# all. A fence before __syncwarp, even one of every lane, would order the leader's own writes only.
_COUNT_WRITTEN = snippet(
    """
    const unsigned active = __activemask();
    const unsigned peers = __match_any_sync(active, row);
    __syncwarp(peers);
    if ((threadIdx.x & 31u) == __ffs(peers) - 1) {
        __threadfence();
        atomicAdd((unsigned*)&wp::index(a, row), (unsigned)__popc(peers));
    }
""",
    "__atomic_fetch_add((unsigned*)&wp::index(a, row), 1u, __ATOMIC_RELEASE);",
)

_CLOCK = snippet(
    """
    unsigned long long now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
""",
    """
    int read_clock(int, long long*) __asm__("clock_gettime");
    long long now[2];
    read_clock(1, now); // CLOCK_MONOTONIC
    return (wp::uint64)now[0] * 1000000000ull + (wp::uint64)now[1];
""",
)


@wp.func_native(_RESERVE_WIDE)
def reserve_wide(a: wp.array(dtype=wp.uint64), row: int) -> wp.uint64:
    """Return a slot of its own at the end of a list whose length is a[row]."""


@wp.func_native(_COUNT_WRITTEN)
def count_written(a: wp.array(dtype=wp.uint32), row: int):
    """Add 1 to a[row]; a thread that loads it with acquire sees what was written before."""


@wp.func_native(_CLOCK)
def clock() -> wp.uint64:
    """Return a time in nanoseconds, the same for all blocks."""
