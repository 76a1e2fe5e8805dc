"""Collective operations of the threads of a block or a warp.

All threads of a block must call `block_min`, `block_sum` and `broadcast`, which return the same to all of them: the
minimum of their values, the sum, or the first thread's value. On a GPU the values are reduced by warp shuffles and then
in one shared word, so a block must have whole warps. On a CPU, where threads of a block are fibers, they are reduced in
a cell that the caller provides, one for each block. They are barriers as well: every thread of the block sees what all
wrote before.

`total_of_block` and the functions of `least_of_block(dtype)` are for values that a block adds to memory once: the first
thread of a block gets the result of all, the others the neutral value. On a CPU every thread keeps its own value, and
the memory combines them. (Warp's tiles would do the same, but on a CPU they share one static buffer, which searches of
several threads would overwrite.)

`count_written` is warp-aggregated, as `reserve` of `atomics.py`: the active lanes of a warp that name the same counter
change it once.
"""

from functools import cache
from typing import Any

import warp as wp

from pathfront.devices.gpu.kernels import module
from pathfront.devices.gpu.kernels.atomics import C_TYPES
from pathfront.devices.gpu.kernels.module import Functions, Ints, Uints

NONE = wp.constant(2**31 - 1)
"""The largest value, which stands for none in a minimum."""

_REDUCE = (
    """
    __shared__ @T@ found;
    @T@ mine = value;
    for (int step = 16; step > 0; step /= 2) {
        const @T@ other = __shfl_xor_sync(0xffffffffu, mine, step);
        mine = @combined@;
    }
    __syncthreads(); // all threads have read the previous result
    if (threadIdx.x == 0)
        found = @first@;
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        @atomic@(&found, mine);
    __syncthreads();
    return found;
""",
    """
    if (WP_TILE_BLOCK_DIM == 1)
        return value;
    auto& found = wp::index(cells, block);
    const @T@ mine = value;
    WP_TILE_SYNC();
    if (WP_TILE_THREAD_IDX == 0)
        found = @first@;
    WP_TILE_SYNC();
    const @T@ other = found;
    found = @combined@;
    WP_TILE_SYNC();
    return found;
""",
)


@module.func_native(*_REDUCE, T="int", combined="other < mine ? other : mine", first="mine", atomic="atomicMin")
def block_min(cells: Ints, block: int, value: int) -> int:
    """Return the minimum of the threads' values."""


@module.func_native(*_REDUCE, T="unsigned long long", combined="mine + other", first="0", atomic="atomicAdd")
def block_sum(cells: wp.array(dtype=wp.uint64), block: int, value: wp.uint64) -> wp.uint64:
    """Return the sum of the threads' values."""


_TO_THE_FIRST = (
    """
    __shared__ @T@ of_warps[32];
    @T@ mine = value;
    for (int step = 16; step > 0; step /= 2) {
        const @T@ other = __shfl_xor_sync(0xffffffffu, mine, step);
        mine = @combined@;
    }
    if (threadIdx.x % 32 == 0)
        of_warps[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x == 0)
        for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) {
            const @T@ other = of_warps[warp];
            mine = @combined@;
        }
    __syncthreads(); // the next call writes `of_warps`
    return threadIdx.x == 0 ? mine : (@T@)@neutral@;
""",
    "return value;",
)


@module.func_native(*_TO_THE_FIRST, T="int", combined="mine + other", neutral="0")
def total_of_block(value: int) -> int:
    """Return the sum of the block's values to its first thread, 0 to the others; on a CPU each its own value."""


@cache
def least_of_block(dtype: Any) -> Any:
    """Return the function `least(value, neutral)` for a type: the minimum to the first thread, `neutral` to others."""
    made = Functions()

    @made.func_native(*_TO_THE_FIRST, T=C_TYPES[dtype], combined="other < mine ? other : mine", neutral="neutral")
    def least(value: dtype, neutral: dtype) -> dtype: ...

    return made.least


@wp.func
def broadcast(cells: Ints, block: int, thread: int, value: int) -> int:
    """Return the first thread's value."""
    sent = int(NONE)
    if thread == 0:
        sent = value
    return block_min(cells, block, sent)


# The leader adds for all of its peers: __syncwarp makes their writes visible to it, its fence makes them visible to
# all. A fence before __syncwarp, even one of every lane, would order the leader's own writes only.
@module.func_native(
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
def count_written(a: Uints, row: int):
    """Add 1 to a[row]; a thread that loads it with acquire sees what was written before."""


@module.func_native(
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
def clock() -> wp.uint64:
    """Return a time in nanoseconds, the same for all blocks."""
