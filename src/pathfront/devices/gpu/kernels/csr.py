"""A graph on a device: compressed sparse rows (CSR), with weights of the type of the distances."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pathfront.devices.gpu.kernels.module import Ints


@cache
def of(dtype: Any) -> SimpleNamespace:
    """Return the struct `Csr` and the function `weight_of(graph, arc)` for weights of one type."""

    @wp.struct
    class Csr:
        offsets: Ints
        heads: Ints
        weights: wp.array(dtype=dtype)
        unit: int  # whether there are none, and all are 1

    @wp.func
    def weight_of(graph: Csr, arc: int) -> dtype:
        if graph.unit != 0:
            return dtype(1)
        return graph.weights[arc]

    return SimpleNamespace(Csr=Csr, weight_of=weight_of)


@wp.func
def last_up_to(starts: Any, low: int, high: int, arc: int) -> int:
    """Return the last index in [low, high) of an array or a tile whose start is not beyond an arc, as starts[low]."""
    while high - low > 1:
        middle = (low + high) // 2
        if starts[middle] <= arc:
            low = middle
        else:
            high = middle
    return low


@wp.func
def share_of(arcs: int, share: int, shares: int) -> wp.vec2i:
    """Return the first arc of a share and the end of it, where so many arcs are divided into equal shares."""
    size = (arcs + shares - 1) // shares
    begin = wp.min(share * size, arcs)
    return wp.vec2i(begin, wp.min(begin + size, arcs))
