"""The results of a search: distances and parents as separate arrays, without vertices beyond the radius."""

from functools import cache

import warp as wp

from pathfront.devices.gpu.kernels import numbers
from pathfront.devices.gpu.kernels.module import Kernels, Uints


@cache
def of(name: str, packed: bool, module: str) -> Kernels:
    """Return the kernel for one type of distances, as part of a module."""
    number, made = numbers.of(name, packed), Kernels(module)
    dtype, word, write_answer = number.dtype, number.word, number.write_answer

    @made.add
    def write_answers(words: wp.array(dtype=word), radius: dtype, dist: wp.array(dtype=dtype), parent: Uints):
        v = wp.tid()
        write_answer(words, v, radius, dist, parent)

    return made
