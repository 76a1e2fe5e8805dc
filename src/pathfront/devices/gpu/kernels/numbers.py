"""Types of distances in kernels: the limits of each type, and sums that never leave its range.

Arcs have weights of the type of the distances: where distances are wider, the weights are widened when the graph is
copied to the device. So kernels come in one form for each of six types, not for each pair.

A search has one word for each vertex. Where a distance has 32 bits and parents are wanted, distance and parent share a
word of 64 bits, the distance in the upper half as an unsigned key of the same order: a thread that lowers a distance
writes the parent in the same atomic operation. Otherwise the word is the distance itself, and parents are found
afterwards (see `parents.py`).
"""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import warp as wp

from pathfront.devices.gpu.kernels import atomics, csr
from pathfront.devices.gpu.kernels.module import Uints

TYPES = {
    "uint32": wp.uint32,
    "int32": wp.int32,
    "uint64": wp.uint64,
    "int64": wp.int64,
    "float32": wp.float32,
    "float64": wp.float64,
}
"""The types that distances may have, by numpy's names."""

FORMS = [(name, False) for name in TYPES] + [(name, True) for name in ("uint32", "int32", "float32")]
"""Types of distances, and whether a word holds the parent too."""

NO_VERTEX = wp.constant(wp.uint32(2**32 - 1))
"""The parent of a vertex that has none, as in `pathfront.graph`."""

LOWER_HALF = wp.constant(wp.uint64(2**32 - 1))
"""The mask of the lower half of a word."""


def limits(name: str) -> tuple[int | float, int | float, int | float]:
    """Return the marker of unreached vertices, the largest distance and the lowest."""
    if name.startswith("float"):
        largest = float(np.finfo(name).max)
        return float("inf"), largest, -largest
    bounds = np.iinfo(name)
    return int(bounds.max), int(bounds.max) - 1, int(bounds.min)


def word_of(name: str, packed: bool) -> Any:
    """Return the type of a vertex's word."""
    return wp.uint64 if packed else TYPES[name]


@cache
def of(name: str, packed: bool) -> SimpleNamespace:
    """Return what kernels need of a type.

    `dtype`, `word`, the constants `unreached` and `largest`, the struct `Csr`, and the functions
    `weight_of(graph, arc)`, `plus(dist, weight)`, `raised(dist, step)`, `dist_of(word)`, `parent_of(word)`,
    `pack(dist, parent)`, `dist_at(words, v)`, `improve(words, v, dist, parent)` and
    `write_answer(words, v, radius, dist, parent)`.
    """
    dtype = TYPES[name]
    unreached, largest, _ = (wp.constant(dtype(value)) for value in limits(name))
    made = SimpleNamespace(name=name, packed=packed, dtype=dtype, word=word_of(name, packed))
    made.unreached, made.largest = unreached, largest
    made.Csr, made.weight_of = csr.of(dtype).Csr, csr.of(dtype).weight_of

    @wp.func
    def nowhere() -> dtype:
        return unreached

    made.nowhere = nowhere  # for a number that will change: Warp would change the constant
    made.plus = _sums(name, dtype)
    made.raised = _raised(name, dtype, largest)
    if packed:
        _packed(made, name)
    else:
        _plain(made)
    made.write_answer = _writing(made)
    return made


def _writing(made: SimpleNamespace) -> Any:
    dtype, word, packed, unreached = made.dtype, made.word, made.packed, made.unreached
    dist_of, parent_of, pack = made.dist_of, made.parent_of, made.pack

    @wp.func
    def write_answer(words: wp.array(dtype=word), v: int, radius: dtype, dist: wp.array(dtype=dtype), parent: Uints):
        """Write a vertex's distance, and its parent where words hold it; beyond the radius they may not be final."""
        answer = words[v]
        if dist_of(answer) > radius:
            answer = pack(unreached, NO_VERTEX)
        dist[v] = dist_of(answer)
        if wp.static(packed):
            parent[v] = parent_of(answer)

    return write_answer


def _sums(name: str, dtype: Any) -> Any:
    unreached, largest, lowest = (wp.constant(dtype(value)) for value in limits(name))
    lowest_but_one = wp.constant(dtype(limits(name)[2] + 1))

    if name.startswith("float"):

        @wp.func
        def plus(dist: dtype, weight: dtype) -> dtype:
            sum = dist + weight
            if sum > largest or sum < lowest:
                return unreached
            return sum

    elif name.startswith("u"):

        @wp.func
        def plus(dist: dtype, weight: dtype) -> dtype:
            if weight > largest or dist > largest - weight:
                return unreached
            return dist + weight

    else:

        @wp.func
        def plus(dist: dtype, weight: dtype) -> dtype:
            if weight >= dtype(0):
                if dist > largest - weight:
                    return unreached
            elif dist < lowest_but_one - dtype(1) - weight:  # C++ has no literal for the lowest int64
                return unreached
            return dist + weight

    return plus


def _raised(name: str, dtype: Any, largest: Any) -> Any:
    if name.startswith("float"):

        @wp.func
        def raised(dist: dtype, step: dtype) -> dtype:
            return wp.min(dist + step, largest)

    else:

        @wp.func
        def raised(dist: dtype, step: dtype) -> dtype:
            if dist > largest - step:
                return largest
            return dist + step

    return raised


def _plain(made: SimpleNamespace) -> None:
    dtype, access = made.dtype, atomics.of(made.dtype)
    load, fetch_min = access.load, access.fetch_min

    @wp.func
    def dist_of(word: dtype) -> dtype:
        return word

    @wp.func
    def parent_of(word: dtype) -> wp.uint32:
        return NO_VERTEX

    @wp.func
    def pack(dist: dtype, parent: wp.uint32) -> dtype:
        return dist

    @wp.func
    def dist_at(words: wp.array(dtype=dtype), v: int) -> dtype:
        return load(words, v)

    @wp.func
    def improve(words: wp.array(dtype=dtype), v: int, dist: dtype, parent: wp.uint32) -> bool:
        return dist < fetch_min(words, v, dist)

    made.dist_of, made.parent_of, made.pack, made.dist_at, made.improve = dist_of, parent_of, pack, dist_at, improve


_KEYS = {
    "uint32": ("return d;", "return k;"),
    "int32": ("return (unsigned)d ^ 0x80000000u;", "return (int)(k ^ 0x80000000u);"),
    "float32": (
        "unsigned b; memcpy(&b, &d, 4); return b & 0x80000000u ? ~b : b | 0x80000000u;",
        "unsigned b = k & 0x80000000u ? k & 0x7fffffffu : ~k; float d; memcpy(&d, &b, 4); return d;",
    ),
}
"""C++ that turns a distance into an unsigned key of the same order, and back."""


def _packed(made: SimpleNamespace, name: str) -> None:
    dtype, access = made.dtype, atomics.of(wp.uint64)
    load, compare_and_swap = access.load, access.compare_and_swap
    to_text, from_text = _KEYS[name]

    @wp.func_native(to_text)
    def key_of(d: dtype) -> wp.uint32: ...

    @wp.func_native(from_text)
    def from_key(k: wp.uint32) -> dtype: ...

    @wp.func
    def dist_of(word: wp.uint64) -> dtype:
        return from_key(wp.uint32(word >> wp.uint64(32)))

    @wp.func
    def parent_of(word: wp.uint64) -> wp.uint32:
        return wp.uint32(word & LOWER_HALF)

    @wp.func
    def pack(dist: dtype, parent: wp.uint32) -> wp.uint64:
        return (wp.uint64(key_of(dist)) << wp.uint64(32)) | wp.uint64(parent)

    @wp.func
    def dist_at(words: wp.array(dtype=wp.uint64), v: int) -> dtype:
        return dist_of(load(words, v))

    @wp.func
    def improve(words: wp.array(dtype=wp.uint64), v: int, dist: dtype, parent: wp.uint32) -> bool:
        # Not a plain minimum of words: of equal distances the lower parent would win, and parents that change without
        # the distance falling may close a cycle of zero-weight arcs.
        now = load(words, v)
        wanted = pack(dist, parent)
        while dist < dist_of(now):
            seen = compare_and_swap(words, v, now, wanted)
            if seen == now:
                return True
            now = seen
        return False

    made.dist_of, made.parent_of, made.pack, made.dist_at, made.improve = dist_of, parent_of, pack, dist_at, improve
