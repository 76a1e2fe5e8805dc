"""What lanes do together.

All lanes of a block, every one of which must call: `least`, `total` and `tell` give all of them the same answer, the
least of their numbers, the sum, or what the first lane says. On a GPU the numbers go through the registers of a warp
and one shared word, so a block has whole warps; on a CPU, where lanes are fibers, through a cell that the caller
provides, one for each block. They are barriers as well: what a lane wrote before, every lane of the block sees after.

Those lanes of a warp that happen to come at the same time: `reserve_wide` and `count_written` change a counter once for
all that name the same one.
"""

import warp as wp

from pathfront.devices.gpu.kernels.atomics import snippet

MOST = wp.constant(2**31 - 1)

_LEAST = snippet(
    """
    __shared__ int found;
    for (int step = 16; step > 0; step /= 2) {
        const int other = __shfl_xor_sync(0xffffffffu, value, step);
        value = other < value ? other : value;
    }
    __syncthreads(); // everybody has read what was found the last time
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

_TOTAL = snippet(
    """
    __shared__ unsigned long long found;
    unsigned long long sum = value;
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    __syncthreads(); // everybody has read what was found the last time
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


@wp.func_native(_LEAST)
def least(cells: wp.array(dtype=wp.int32), block: int, value: int) -> int:
    """Return the least of the lanes' values."""


@wp.func_native(_TOTAL)
def total(cells: wp.array(dtype=wp.uint64), block: int, value: wp.uint64) -> wp.uint64:
    """Return the sum of the lanes' values."""


@wp.func
def tell(cells: wp.array(dtype=wp.int32), block: int, lane: int, value: int) -> int:
    """Return the first lane's value."""
    said = int(MOST)
    if lane == 0:
        said = value
    return least(cells, block, said)


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

# The leader adds for all of its peers: the warp's barrier shows it what they wrote, its fence shows that to all others.
# A fence before the barrier, even one of every lane, would be the leader's word for its own writes alone.
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
    """Return a place of one's own at the end of a list whose length is a[row]."""


@wp.func_native(_COUNT_WRITTEN)
def count_written(a: wp.array(dtype=wp.uint32), row: int):
    """Raise a[row] by 1; who reads it with an acquire sees what was written before."""


@wp.func_native(_CLOCK)
def clock() -> wp.uint64:
    """Return a time in nanoseconds, the same for all blocks."""
