"""Kernels for tests of the parts that all kernels are made of: every function of `atomics` and `numbers`.

Like the files of kernels themselves this has a function `modules`, so that the same checks compile it for all GPUs.
"""

from functools import cache

import warp as wp

from pathfront.devices.gpu.kernels import atomics, module, numbers
from pathfront.devices.gpu.kernels.atomics import i32
from pathfront.devices.gpu.kernels.module import Ints, Kernels, Uints


def modules():
    for name in numbers.TYPES:
        yield of_atomics(name).module
    for form in numbers.FORMS:
        yield of_numbers(*form).module
    yield reservations().module
    yield spins().module
    yield sizes().module


@wp.func
def wait_for_all(arrived: Ints, threads: int):
    """Wait for all other threads, so that all begin to compete at the same moment."""
    i32.fetch_add(arrived, 0, 1)
    while i32.load(arrived, 0) < threads:
        atomics.pause()


@cache
def of_atomics(name):
    """Return kernels that use all the functions for one type: one after the other, and in competition."""
    dtype, word, made = numbers.TYPES[name], atomics.of(numbers.TYPES[name]), Kernels(f"case_atomics_{name}")
    load, store, load_acquire, store_release = word.load, word.store, word.load_acquire, word.store_release
    exchange, compare_and_swap = word.exchange, word.compare_and_swap
    fetch_min, fetch_min_of = word.fetch_min, word.fetch_min_of

    @made.add
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

    @made.add
    def compete(arrived: Ints, threads: int, thread: int, a: wp.array(dtype=dtype), plain: wp.array(dtype=dtype),
                won: wp.array2d(dtype=int), got: wp.array(dtype=wp.int64)):  # fmt: skip
        one, rounds = dtype(1), won.shape[1]
        wait_for_all(arrived, threads)
        for i in range(rounds):
            now = load(a, 0)
            seen = compare_and_swap(a, 0, now, now + one)
            while seen != now:
                now = seen
                seen = compare_and_swap(a, 0, now, now + one)
            low = dtype(rounds - i)
            if fetch_min(a, 1, low) > low:
                won[thread, i] = 1
            got[thread] += wp.int64(exchange(a, 2, dtype(thread * rounds + i + 1)))
            while compare_and_swap(a, 3, dtype(0), one) != dtype(0):
                atomics.pause()
            atomics.fence()
            plain[0] = plain[0] + one  # no other thread is here
            store_release(a, 3, dtype(0))
            store(a, 4 + thread, one)
            while load_acquire(a, 4 + thread) == dtype(0):
                atomics.pause()

    made.dtype = dtype
    if hasattr(word, "fetch_add"):
        fetch_add = word.fetch_add

        @made.add
        def count(arrived: Ints, threads: int, thread: int, a: wp.array(dtype=dtype), out: wp.array(dtype=dtype),
                  rounds: int):  # fmt: skip
            wait_for_all(arrived, threads)
            for _ in range(rounds):
                out[thread] = fetch_add(a, 0, dtype(1))

    return made


@cache
def of_numbers(name, packed):
    """Return kernels that use all the functions for distances of one type."""
    kind, made = numbers.of(name, packed), Kernels(f"case_numbers_{name}_{packed}")
    dtype, word, made.kind = kind.dtype, kind.word, kind
    plus, raised, dist_of, parent_of, pack = kind.plus, kind.raised, kind.dist_of, kind.parent_of, kind.pack
    dist_at, improve, unreached = kind.dist_at, kind.improve, kind.unreached

    @made.add
    def sums(a: wp.array(dtype=dtype), b: wp.array(dtype=dtype), out: wp.array2d(dtype=dtype)):
        i = wp.tid()
        out[0, i] = plus(a[i], b[i])
        if b[i] >= dtype(0):  # steps are
            out[1, i] = raised(a[i], b[i])

    @made.add
    def words(a: wp.array(dtype=dtype), back: wp.array(dtype=dtype), parents: Uints,
              raw: wp.array(dtype=word)):  # fmt: skip
        i = wp.tid()
        raw[i] = pack(a[i], wp.uint32(i))
        back[i] = dist_of(raw[i])
        parents[i] = parent_of(raw[i])

    @made.add
    def clear(state: wp.array(dtype=word)):
        state[wp.tid()] = pack(unreached, wp.uint32(numbers.NO_VERTEX))

    @made.add
    def compete(arrived: Ints, threads: int, thread: int, state: wp.array(dtype=word),
                won: wp.array2d(dtype=int)):  # fmt: skip
        wait_for_all(arrived, threads)
        for v in range(state.shape[0]):
            if improve(state, v, dtype(1 + (thread + v) % threads), wp.uint32(thread)):
                won[thread, v] = 1

    @made.add
    def read(state: wp.array(dtype=word), dist: wp.array(dtype=dtype), parents: Uints):
        v = wp.tid()
        dist[v] = dist_at(state, v)
        parents[v] = parent_of(state[v])

    return made


@cache
def reservations():
    """Return kernels whose threads reserve slots in lists, and one with collectives of a warp and a block."""
    made = Kernels("case_reservations")

    @made.add
    def marks(arrived: Ints, threads: int, thread: int, marked: Uints, won: wp.array2d(dtype=int), rounds: int):
        wait_for_all(arrived, threads)
        for i in range(rounds):
            won[thread, i] = atomics.mark(marked, i)

    @made.add
    def reserve(arrived: Ints, threads: int, thread: int, ends: Uints,
                taken: wp.array2d(dtype=int), rounds: int):  # fmt: skip
        wait_for_all(arrived, threads)
        for i in range(rounds):
            row = i % ends.shape[0]
            taken[row, int(atomics.u32.reserve(ends, row))] += 1

    @made.add
    def reserve_arcs(arrived: Ints, threads: int, thread: int, end: wp.array(dtype=wp.uint64),
                     firsts: Ints, arcs: Ints, rounds: int):  # fmt: skip
        wait_for_all(arrived, threads)
        for i in range(rounds):
            wanted = (thread + i) % 5
            reserved = atomics.reserve_arcs(end, wp.uint32(wanted))
            firsts[int(reserved >> wp.uint64(32))] = int(reserved & wp.uint64(0xFFFFFFFF))
            arcs[int(reserved >> wp.uint64(32))] = wanted

    @made.add
    def collectives(given: Ints, out: wp.array2d(dtype=int)):
        _, thread = wp.tid()
        out[0, thread] = atomics.warp_width()
        out[1, thread] = atomics.warp_max(given[thread])
        given[thread] = thread
        atomics.sync_block()
        out[2, thread] = given[wp.block_dim() - 1 - thread]

    return made


@cache
def spins():
    """Return kernels that wait: with plain loads, which are errors, and with volatile ones."""
    made = Kernels("case_spins")

    @made.add
    def plain(a: Ints, out: Ints):
        while a[0] == 0:
            pass
        out[0] = 1

    @made.add
    def plain_with_pause(a: Ints, out: Ints):
        while a[0] == 0:
            atomics.pause()
        out[0] = 1

    @wp.func
    def wait_plainly(a: Ints):
        while a[0] == 0 and a[1] == 0:
            pass

    @made.add
    def plain_in_function(a: Ints, out: Ints):
        wait_plainly(a)
        out[0] = 1

    @made.add
    def volatile_loads(a: Ints, out: Ints):
        while i32.load(a, 0) == 0:
            pass
        while i32.load_acquire(a, 1) == 0:
            atomics.pause()
        out[0] = 1

    @made.add
    def counting(a: Ints, out: Ints):
        for i in range(a[0]):
            for j in range(a[1]):
                out[i] += a[j]

    return made


@module.func_native(
    """
    __shared__ long long values[300];
    values[i] = i;
    __syncthreads();
    return (int)values[299 - i];
""",
    "return i;",
)
def shared_array(i: int) -> int: ...


@wp.func_native("""
    int values[100];
    for (int j = 0; j < 100; ++j)
        values[j] = i * j;
    for (int j = 0; j < i; ++j)
        values[(i * j) % 100] = j;
    return values[i % 100];
""")
def local_array(i: int) -> int: ...


@cache
def sizes():
    """Return kernels that use a known amount of memory."""
    made = Kernels("case_sizes")

    @made.add
    def nothing(out: Ints):
        _, thread = wp.tid()
        out[thread] = thread

    @made.add
    def tile(out: Ints):
        _, thread = wp.tid()
        counts = wp.tile_zeros(shape=1024, dtype=int, storage="shared")
        wp.tile_scatter_add(counts, thread, out[thread], True)
        out[thread] = counts[7 * thread % 1024]

    @made.add
    def fixed(out: Ints):
        _, thread = wp.tid()
        out[thread] = shared_array(thread)

    @made.add
    def local(out: Ints):
        _, thread = wp.tid()
        out[thread] = local_array(out[thread])

    return made


@module.func_native("this is not C++", "")
def broken_call(): ...


def broken():
    """Return a module that compiles for CPUs only."""
    made = Kernels("case_broken")

    @made.add
    def breaks():
        broken_call()

    return made.module
