"""Graphs with a name and a reason: each has broken some shortest-path code somewhere."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import pathfront as pf
from pathfront.devices import names


def _here() -> list[str]:
    try:
        return ["cpu", "emulated", *(["cuda"] if names.as_device("cuda") else [])]
    except pf.DeviceError:
        return ["cpu", "emulated"]


HERE = _here()
"""The devices there are on this machine; a GPU is tested like all others where there is one."""

GPUS = [device for device in HERE if device != "cpu"]

WEIGHT_TYPES = ("uint32", "int32", "uint64", "int64", "float32", "float64", None)


def edges(*triples: tuple[int, int, int], n: int, dtype: str | None, directed: bool = True) -> pf.Graph:
    tails, heads, weights = (list(column) for column in zip(*triples, strict=True)) if triples else ([], [], [])
    values = None if dtype is None else np.array(weights, dtype)
    return pf.Graph.from_edges(tails, heads, values, n=n, directed=directed)


def one_vertex(dtype):
    return edges(n=1, dtype=dtype)


def isolated_source(dtype):
    return edges((1, 2, 3), (2, 1, 1), n=4, dtype=dtype)


def one_arc_backwards(dtype):
    return edges((1, 0, 5), n=2, dtype=dtype)


def self_loops(dtype):
    return edges((0, 0, 0), (0, 1, 2), (1, 1, 7), (1, 2, 0), (2, 2, 0), n=3, dtype=dtype)


def parallel_arcs(dtype):
    return edges((0, 1, 9), (0, 1, 2), (0, 1, 5), (1, 2, 4), (1, 2, 1), (1, 2, 1), n=3, dtype=dtype)


def zero_weight_cycle(dtype):
    return edges((0, 1, 3), (1, 2, 0), (2, 3, 0), (3, 1, 0), (3, 4, 1), (4, 2, 0), n=5, dtype=dtype)


def all_zero(dtype):
    ring = [(i, (i + 1) % 12, 0) for i in range(12)]
    return edges(*ring, *[(b, a, 0) for a, b, _ in ring], n=12, dtype=dtype)


def zero_cycle_without_entry(dtype):
    return edges((0, 1, 1), (2, 3, 0), (3, 2, 0), n=4, dtype=dtype)


def long_path(dtype):
    return edges(*[(i, i + 1, 1 + i % 3) for i in range(999)], n=1000, dtype=dtype)


def long_path_backwards(dtype):
    """Bellman-Ford in vertex order needs a pass per arc."""
    return edges(*[(i + 1, i, 1 + i % 3) for i in range(199)], n=200, dtype=dtype)


def star(dtype):
    return edges(*[(0, i, i % 17) for i in range(1, 500)], n=500, dtype=dtype)


def star_inwards(dtype):
    return edges(*[(i, 0, i % 17) for i in range(1, 500)], n=500, dtype=dtype, directed=False)


def many_equal_paths(dtype):
    """A ladder with exponentially many shortest paths."""
    rungs = [(u, v, 1) for i in range(30) for u in (2 * i, 2 * i + 1) for v in (2 * i + 2, 2 * i + 3)]
    return edges(*rungs, n=62, dtype=dtype)


def keeps_improving(dtype):
    """Each vertex is improved again and again by ever better detours."""
    n = 40
    return edges(
        *[(i, j, 2 * (n - i) ** 2 if j > i + 1 else 1) for i in range(n) for j in range(i + 1, n)], n=n, dtype=dtype
    )


def two_components(dtype):
    return edges((0, 1, 4), (1, 2, 4), (3, 4, 1), (4, 5, 1), n=6, dtype=dtype, directed=False)


def complete(dtype):
    return edges(*[(u, v, (u * 7 + v * 13) % 29) for u in range(24) for v in range(24)], n=24, dtype=dtype)


def grid(dtype):
    graph = pf.generate.grid(13, 17, seed=3)
    return graph.with_weights(None if dtype is None else graph.weights.astype(dtype))


def random_sparse(dtype):
    graph = pf.generate.random(300, 900, seed=5)
    return graph.with_weights(None if dtype is None else graph.weights.astype(dtype))


def random_dense(dtype):
    graph = pf.generate.random(60, 2400, seed=6)
    return graph.with_weights(None if dtype is None else graph.weights.astype(dtype))


ZOO: dict[str, Callable[[str | None], pf.Graph]] = {
    make.__name__: make
    for make in (
        one_vertex,
        isolated_source,
        one_arc_backwards,
        self_loops,
        parallel_arcs,
        zero_weight_cycle,
        all_zero,
        zero_cycle_without_entry,
        long_path,
        long_path_backwards,
        star,
        star_inwards,
        many_equal_paths,
        keeps_improving,
        two_components,
        complete,
        grid,
        random_sparse,
        random_dense,
    )
}
