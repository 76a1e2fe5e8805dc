"""Atomic operations on memory that several threads use: the same names on a GPU and on a CPU.

Warp's own atomics are plain code on a CPU, where persistent kernels have one thread for each block and would lose
updates; and the compiler may keep its plain loads in a register for ever. So every kernel uses these. On a GPU they are
CUDA's atomics, on a CPU the compiler's. All are relaxed, except `load_acquire`, `store_release` and `fence`.

Functions for elements of any type are made by `of(dtype)`, once for each type: `u32.load`, `u64.fetch_add` and so on.
"""

from functools import cache
from typing import Any

import warp as wp

from pathfront.devices.gpu.kernels import module
from pathfront.devices.gpu.kernels.module import Functions, Uints

C_TYPES = {
    wp.int32: "int",
    wp.uint32: "unsigned int",
    wp.int64: "long long",
    wp.uint64: "unsigned long long",
    wp.float32: "float",
    wp.float64: "double",
}
"""The C++ types of elements."""

_BITS = {wp.float32: "unsigned int", wp.float64: "unsigned long long", wp.int64: "unsigned long long"}
"""Types that CUDA cannot exchange are exchanged as the unsigned type of the same bits."""

_LOAD = (
    "return *(volatile @T@*)&wp::index(a, i);",
    "@T@ r; __atomic_load((@T@*)&wp::index(a, i), &r, @order@); return r;",
)
_STORE = ("*(volatile @T@*)&wp::index(a, i) = v;", "@T@ w = v; __atomic_store((@T@*)&wp::index(a, i), &w, @order@);")
_ACQUIRE = ("@T@ r = *(volatile @T@*)&wp::index(a, i); __threadfence(); return r;", _LOAD[1])
_RELEASE = ("__threadfence(); *(volatile @T@*)&wp::index(a, i) = v;", _STORE[1])
_ADD = (
    "return atomicAdd((@T@*)&wp::index(a, i), (@T@)v);",
    "return __atomic_fetch_add((@T@*)&wp::index(a, i), (@T@)v, __ATOMIC_RELAXED);",
)
_EXCHANGE = (
    "@B@ r = atomicExch((@B@*)&wp::index(a, i), *(@B@*)&v); return *(@T@*)&r;",
    "@T@ w = v, r; __atomic_exchange((@T@*)&wp::index(a, i), &w, &r, __ATOMIC_RELAXED); return r;",
)
_SWAP = (
    "@B@ r = atomicCAS((@B@*)&wp::index(a, i), *(@B@*)&was, *(@B@*)&v); return *(@T@*)&r;",
    "@B@ w = *(@B@*)&was; "
    "__atomic_compare_exchange_n((@B@*)&wp::index(a, i), &w, *(@B@*)&v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); "
    "return *(@T@*)&w;",
)
# A float is loaded first, since most of the time nothing has to be written; the swap fails if the bits have changed.
_MIN_BY_SWAPS = (
    """
    @T@* const cell = (@T@*)&wp::index(@at@);
    @T@ now = *(volatile @T@*)cell;
    while (v < now) {
        const @B@ was = *(@B@*)&now, seen = atomicCAS((@B@*)cell, was, *(@B@*)&v);
        if (seen == was)
            break;
        now = *(@T@*)&seen;
    }
    return now;
""",
    """
    @T@* const cell = (@T@*)&wp::index(@at@);
    @T@ now, next = v;
    __atomic_load(cell, &now, __ATOMIC_RELAXED);
    while (next < now && !__atomic_compare_exchange((@B@*)cell, (@B@*)&now, (@B@*)&next, true, __ATOMIC_RELAXED,
                                                    __ATOMIC_RELAXED))
        ;
    return now;
""",
)
_MIN_AT_ONCE = ("return atomicMin((@T@*)&wp::index(@at@), (@T@)v);", _MIN_BY_SWAPS[1])
# Warp-aggregated: one lane adds for all lanes of the warp that name the same counter; each gets its rank among them.
_RESERVE = (
    """
    const unsigned active = __activemask();
    const unsigned peers = __match_any_sync(active, row);
    const unsigned lane = threadIdx.x & 31u, leader = __ffs(peers) - 1;
    @T@ first = 0;
    if (lane == leader)
        first = atomicAdd((@T@*)&wp::index(a, row), (@T@)__popc(peers));
    first = __shfl_sync(peers, first, leader);
    return first + __popc(peers & ((1u << lane) - 1u));
""",
    "return __atomic_fetch_add((@T@*)&wp::index(a, row), (@T@)1, __ATOMIC_RELAXED);",
)


@cache
def of(dtype: Any) -> Functions:
    """Return the functions for arrays of one type: load, store, load_acquire, store_release, fetch_add, ..."""
    made, word = Functions(), C_TYPES[dtype]
    words = {"T": word, "B": _BITS.get(dtype, word)}
    minimum = _MIN_BY_SWAPS if dtype in (wp.float32, wp.float64) else _MIN_AT_ONCE
    relaxed = words | {"order": "__ATOMIC_RELAXED"}

    @made.func_native(*_LOAD, **relaxed)
    def load(a: wp.array(dtype=dtype), i: int) -> dtype: ...

    @made.func_native(*_STORE, **relaxed)
    def store(a: wp.array(dtype=dtype), i: int, v: dtype): ...

    @made.func_native(*_ACQUIRE, order="__ATOMIC_ACQUIRE", **words)
    def load_acquire(a: wp.array(dtype=dtype), i: int) -> dtype: ...

    @made.func_native(*_RELEASE, order="__ATOMIC_RELEASE", **words)
    def store_release(a: wp.array(dtype=dtype), i: int, v: dtype): ...

    @made.func_native(*_EXCHANGE, **words)
    def exchange(a: wp.array(dtype=dtype), i: int, v: dtype) -> dtype: ...

    @made.func_native(*_SWAP, **words)
    def compare_and_swap(a: wp.array(dtype=dtype), i: int, was: dtype, v: dtype) -> dtype: ...

    @made.func_native(*minimum, at="a, i", **words)
    def fetch_min(a: wp.array(dtype=dtype), i: int, v: dtype) -> dtype: ...

    @made.func_native(*minimum, at="a, row, i", **words)
    def fetch_min_of(a: wp.array2d(dtype=dtype), row: int, i: int, v: dtype) -> dtype: ...

    if dtype not in _BITS:  # the other types are never counters

        @made.func_native(*_ADD, **words)
        def fetch_add(a: wp.array(dtype=dtype), i: int, v: dtype) -> dtype: ...

        @made.func_native(*_RESERVE, **words)
        def reserve(a: wp.array(dtype=dtype), row: int) -> dtype:
            """Return a slot of its own at the end of a list whose length is a[row]."""

    return made


i32, u32, u64 = of(wp.int32), of(wp.uint32), of(wp.uint64)
"""The functions of the types that counters, flags and cells have."""


@wp.func
def mark(marks: Uints, i: int) -> int:
    """Mark an element; return 1 to the thread that does so first, 0 to all others and where there are no marks."""
    first = int(0)
    if marks.shape[0] > 0:  # noqa: SIM102, Warp would load in any case
        if u32.load(marks, i) == wp.uint32(0):
            first = 1 - int(u32.exchange(marks, i, wp.uint32(1)))
    return first


@module.func_native("__threadfence();", "__atomic_thread_fence(__ATOMIC_SEQ_CST);")
def fence():
    """Order all accesses before it against all after it, for all blocks."""


@module.func_native(
    """
#if __CUDA_ARCH__ >= 700
    __nanosleep(100);
#endif
""",
    """
    int yield(void) __asm__("sched_yield");
    yield();
""",
)
def pause():
    """Back off in a loop that waits."""


# The lanes of a warp add up their numbers of arcs, and each gets an exclusive scan of them.
@module.func_native(
    """
    const unsigned active = __activemask(), lane = threadIdx.x & 31u, leader = __ffs(active) - 1;
    unsigned before = 0, all = 0;
    for (unsigned rest = active; rest; rest &= rest - 1) {
        const unsigned other = __ffs(rest) - 1, theirs = __shfl_sync(active, arcs, other);
        before += other < lane ? theirs : 0u;
        all += theirs;
    }
    unsigned long long first = 0;
    if (lane == leader)
        first = atomicAdd((unsigned long long*)&wp::index(a, 0), ((unsigned long long)__popc(active) << 32) + all);
    first = __shfl_sync(active, first, leader);
    return first + ((unsigned long long)__popc(active & ((1u << lane) - 1u)) << 32) + before;
""",
    "return __atomic_fetch_add(&wp::index(a, 0), (1ull << 32) + arcs, __ATOMIC_RELAXED);",
)
def reserve_arcs(a: wp.array(dtype=wp.uint64), arcs: wp.uint32) -> wp.uint64:
    """Return a slot in a list of vertices, and the index of its first arc among the arcs of all of them.

    The list's length is in the upper half of a[0], the number of arcs in the lower; the result likewise. One addition
    yields both, so a queue's degrees need no scan in a pass of its own.
    """


@wp.func_native("WP_TILE_SYNC();")
def sync_block():
    """Wait for all threads of the block; on a CPU each fiber runs until it comes here, then the next one does."""


@module.func_native("return 32;", "return 1;")
def warp_width() -> int:
    """Return how many lanes a warp has: on a CPU, one."""


@module.func_native(
    """
    for (int step = 16; step > 0; step /= 2) {
        const int theirs = __shfl_xor_sync(0xffffffffu, x, step);
        x = x > theirs ? x : theirs;
    }
    return x;
""",
    "return x;",
)
def warp_max(x: int) -> int:
    """Return the largest value of a warp's lanes, all of which must call."""
