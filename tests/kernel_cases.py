"""Kernels for tests of the parts that all kernels are made of: every function of `atomics` and `numbers`.

Like the files of kernels themselves this has a function `modules`, so that the same checks compile it for all GPUs.
"""

from functools import cache
from types import SimpleNamespace

import warp as wp

from pathfront.devices.gpu.kernels import atomics, numbers


def modules():
    for name in numbers.TYPES:
        yield of_atomics(name).module
    for form in numbers.FORMS:
        yield of_numbers(*form).module
    yield places().module
    yield spins().module
    yield sizes().module


_add, _look = atomics.of(wp.int32).fetch_add, atomics.of(wp.int32).load


@wp.func
def meet(gate: wp.array(dtype=int), all: int):
    """Wait for all other threads, so that all begin to compete at the same moment."""
    _add(gate, 0, 1)
    while _look(gate, 0) < all:
        atomics.pause()


@cache
def of_atomics(name):
    """Return kernels that use all the functions for one type: one after the other, and in competition."""
    dtype, word, module = numbers.TYPES[name], atomics.of(numbers.TYPES[name]), wp.get_module(f"case_atomics_{name}")
    load, store, load_acquire, store_release = word.load, word.store, word.load_acquire, word.store_release
    exchange, compare_and_swap = word.exchange, word.compare_and_swap
    fetch_min, fetch_min_of = word.fetch_min, word.fetch_min_of

    @wp.kernel(module=module, enable_backward=False)
    def each(a: wp.array(dtype=dtype), grid: wp.array2d(dtype=dtype), out: wp.array(dtype=dtype), small: dtype):
        out[0] = load(a, 0)
        store(a, 1, small)
        out[1] = load_acquire(a, 1)
        store_release(a, 2, small)
        out[2] = exchange(a, 3, small)
        out[3] = compare_and_swap(a, 4, small, small)  # refused
        out[4] = compare_and_swap(a, 5, load(a, 5), small)
        out[5] = fetch_min(a, 6, small)
        out[6] = fetch_min(a, 7, load(a, 0))  # no less
        out[7] = fetch_min_of(grid, 1, 2, small)
        atomics.fence()
        atomics.pause()

    @wp.kernel(module=module, enable_backward=False)
    def compete(gate: wp.array(dtype=int), all: int, me: int, a: wp.array(dtype=dtype), plain: wp.array(dtype=dtype),
                won: wp.array2d(dtype=int), got: wp.array(dtype=wp.int64)):  # fmt: skip
        one, rounds = dtype(1), won.shape[1]
        meet(gate, all)
        for i in range(rounds):
            now = load(a, 0)
            seen = compare_and_swap(a, 0, now, now + one)
            while seen != now:
                now = seen
                seen = compare_and_swap(a, 0, now, now + one)
            low = dtype(rounds - i)
            if fetch_min(a, 1, low) > low:
                won[me, i] = 1
            got[me] += wp.int64(exchange(a, 2, dtype(me * rounds + i + 1)))
            while compare_and_swap(a, 3, dtype(0), one) != dtype(0):
                atomics.pause()
            atomics.fence()
            plain[0] = plain[0] + one  # no other thread is here
            store_release(a, 3, dtype(0))
            store(a, 4 + me, one)
            while load_acquire(a, 4 + me) == dtype(0):
                atomics.pause()

    made = SimpleNamespace(module=module, dtype=dtype, each=each, compete=compete)
    if hasattr(word, "fetch_add"):
        fetch_add = word.fetch_add

        @wp.kernel(module=module, enable_backward=False)
        def count(gate: wp.array(dtype=int), all: int, me: int, a: wp.array(dtype=dtype), out: wp.array(dtype=dtype),
                  rounds: int):  # fmt: skip
            meet(gate, all)
            for _ in range(rounds):
                out[me] = fetch_add(a, 0, dtype(1))

        made.count = count
    return made


@cache
def of_numbers(name, packed):
    """Return kernels that use all the functions for distances of one type."""
    kind = numbers.of(name, packed)
    dtype, word = kind.dtype, kind.word
    plus, raised, dist_of, parent_of, pack = kind.plus, kind.raised, kind.dist_of, kind.parent_of, kind.pack
    dist_at, improve, unreached = kind.dist_at, kind.improve, kind.unreached
    module = wp.get_module(f"case_numbers_{name}_{packed}")

    @wp.kernel(module=module, enable_backward=False)
    def sums(a: wp.array(dtype=dtype), b: wp.array(dtype=dtype), out: wp.array2d(dtype=dtype)):
        i = wp.tid()
        out[0, i] = plus(a[i], b[i])
        if b[i] >= dtype(0):  # steps are
            out[1, i] = raised(a[i], b[i])

    @wp.kernel(module=module, enable_backward=False)
    def words(a: wp.array(dtype=dtype), back: wp.array(dtype=dtype), parents: wp.array(dtype=wp.uint32),
              raw: wp.array(dtype=word)):  # fmt: skip
        i = wp.tid()
        raw[i] = pack(a[i], wp.uint32(i))
        back[i] = dist_of(raw[i])
        parents[i] = parent_of(raw[i])

    @wp.kernel(module=module, enable_backward=False)
    def clear(state: wp.array(dtype=word)):
        state[wp.tid()] = pack(unreached, wp.uint32(numbers.NO_VERTEX))

    @wp.kernel(module=module, enable_backward=False)
    def compete(gate: wp.array(dtype=int), all: int, me: int, state: wp.array(dtype=word),
                won: wp.array2d(dtype=int)):  # fmt: skip
        meet(gate, all)
        for v in range(state.shape[0]):
            if improve(state, v, dtype(1 + (me + v) % all), wp.uint32(me)):
                won[me, v] = 1

    @wp.kernel(module=module, enable_backward=False)
    def read(state: wp.array(dtype=word), dist: wp.array(dtype=dtype), parents: wp.array(dtype=wp.uint32)):
        v = wp.tid()
        dist[v] = dist_at(state, v)
        parents[v] = parent_of(state[v])

    return SimpleNamespace(module=module, kind=kind, sums=sums, words=words, clear=clear, compete=compete, read=read)


@cache
def places():
    """Return kernels whose lanes reserve places in lists, and one that asks its warp and its block."""
    module = wp.get_module("case_places")

    @wp.kernel(module=module, enable_backward=False)
    def reserve(gate: wp.array(dtype=int), all: int, me: int, ends: wp.array(dtype=wp.uint32),
                taken: wp.array2d(dtype=int), rounds: int):  # fmt: skip
        meet(gate, all)
        for i in range(rounds):
            row = i % ends.shape[0]
            taken[row, int(atomics.u32.reserve(ends, row))] += 1

    @wp.kernel(module=module, enable_backward=False)
    def reserve_arcs(gate: wp.array(dtype=int), all: int, me: int, end: wp.array(dtype=wp.uint64),
                     firsts: wp.array(dtype=int), arcs: wp.array(dtype=int), rounds: int):  # fmt: skip
        meet(gate, all)
        for i in range(rounds):
            wanted = (me + i) % 5
            place = atomics.reserve_arcs(end, wp.uint32(wanted))
            firsts[int(place >> wp.uint64(32))] = int(place & wp.uint64(0xFFFFFFFF))
            arcs[int(place >> wp.uint64(32))] = wanted

    @wp.kernel(module=module, enable_backward=False)
    def together(given: wp.array(dtype=int), out: wp.array2d(dtype=int)):
        _, lane = wp.tid()
        out[0, lane] = atomics.warp_width()
        out[1, lane] = atomics.warp_max(given[lane])
        given[lane] = lane
        atomics.sync_block()
        out[2, lane] = given[wp.block_dim() - 1 - lane]

    return SimpleNamespace(module=module, reserve=reserve, reserve_arcs=reserve_arcs, together=together)


@cache
def spins():
    """Return kernels that wait: some as they must not, and some that may."""
    module = wp.get_module("case_spins")
    word = atomics.of(wp.int32)
    load, load_acquire = word.load, word.load_acquire

    @wp.kernel(module=module, enable_backward=False)
    def plain(a: wp.array(dtype=int), out: wp.array(dtype=int)):
        while a[0] == 0:
            pass
        out[0] = 1

    @wp.kernel(module=module, enable_backward=False)
    def plain_with_pause(a: wp.array(dtype=int), out: wp.array(dtype=int)):
        while a[0] == 0:
            atomics.pause()
        out[0] = 1

    @wp.func
    def wait_plainly(a: wp.array(dtype=int)):
        while a[0] == 0 and a[1] == 0:
            pass

    @wp.kernel(module=module, enable_backward=False)
    def plain_in_function(a: wp.array(dtype=int), out: wp.array(dtype=int)):
        wait_plainly(a)
        out[0] = 1

    @wp.kernel(module=module, enable_backward=False)
    def looking(a: wp.array(dtype=int), out: wp.array(dtype=int)):
        while load(a, 0) == 0:
            pass
        while load_acquire(a, 1) == 0:
            atomics.pause()
        out[0] = 1

    @wp.kernel(module=module, enable_backward=False)
    def counting(a: wp.array(dtype=int), out: wp.array(dtype=int)):
        for i in range(a[0]):
            for j in range(a[1]):
                out[i] += a[j]

    return SimpleNamespace(module=module)


_FIXED = """
#if defined(__CUDA_ARCH__)
    __shared__ long long kept[300];
    kept[i] = i;
    __syncthreads();
    return (int)kept[299 - i];
#else
    return i;
#endif
"""
_LOCAL = """
    int kept[100];
    for (int j = 0; j < 100; ++j)
        kept[j] = i * j;
    for (int j = 0; j < i; ++j)
        kept[(i * j) % 100] = j;
    return kept[i % 100];
"""


@wp.func_native(_FIXED)
def fixed_array(i: int) -> int: ...


@wp.func_native(_LOCAL)
def local_array(i: int) -> int: ...


@cache
def sizes():
    """Return kernels that ask for a known amount of memory."""
    module = wp.get_module("case_sizes")

    @wp.kernel(module=module, enable_backward=False)
    def nothing(out: wp.array(dtype=int)):
        _, lane = wp.tid()
        out[lane] = lane

    @wp.kernel(module=module, enable_backward=False)
    def tile(out: wp.array(dtype=int)):
        _, lane = wp.tid()
        kept = wp.tile_zeros(shape=1024, dtype=int, storage="shared")
        wp.tile_scatter_add(kept, lane, out[lane], True)
        out[lane] = kept[7 * lane % 1024]

    @wp.kernel(module=module, enable_backward=False)
    def fixed(out: wp.array(dtype=int)):
        _, lane = wp.tid()
        out[lane] = fixed_array(lane)

    @wp.kernel(module=module, enable_backward=False)
    def local(out: wp.array(dtype=int)):
        _, lane = wp.tid()
        out[lane] = local_array(out[lane])

    return SimpleNamespace(module=module)


_BROKEN = """
#if defined(__CUDA_ARCH__)
    this is not C++
#endif
"""


@wp.func_native(_BROKEN)
def broken_call(): ...


def broken():
    """Return a module that compiles for CPUs only."""
    module = wp.get_module("case_broken")

    @wp.kernel(module=module, enable_backward=False)
    def breaks():
        broken_call()

    return module
