"""Random graphs that are hard for shortest-path code, as JSON, and the package's graphs made of them.

Most are small and odd: loops, parallel arcs, hubs, vertices that cannot be reached, zero weights, equal weights, sums
that leave the type, denormal numbers. Some have thousands of vertices, so that several threads get work, and a few have
more than a hundred thousand arcs, so that the threads of schedules share them, too.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np

import pathfront as pf
from fuzz.oracle import LARGEST, Number, as_float32

Ends = list[tuple[int, int]]
TYPES = ("uint32", "int32", "uint64", "int64", "float32", "float64", None)


def graph_case(rng: random.Random, *, large: float = 0.0, middle: float = 0.1, signed: float = 0.08) -> dict[str, Any]:
    """Draw a graph.

    `middle` is the share of those with thousands of vertices, `large` that of those with more than a hundred thousand
    arcs, `signed` that of small ones with negative weights.
    """
    size = rng.random()
    big = size < large + middle
    n, ends = rng.choice(_LARGE if size < large else _MIDDLE if big else _SMALL)(rng)
    dtype = rng.choice(TYPES)
    directed, weights = rng.random() < 0.6, None
    if dtype is not None:
        weights = _few_values(rng, dtype, len(ends)) if size < large else _weights(rng, dtype, len(ends))
        if not big and not dtype.startswith("uint") and rng.random() < signed:
            weights = _signed(rng, n, ends, dtype)
            directed = rng.random() < 0.9  # a negative edge is a negative cycle
    if rng.random() < 0.3:  # far numbers
        order = list(range(n))
        rng.shuffle(order)
        ends = [(order[u], order[v]) for u, v in ends]
    return {"n": n, "ends": [list(pair) for pair in ends], "weights": weights, "dtype": dtype,
            "directed": directed}  # fmt: skip


def build(case: dict[str, Any]) -> pf.Graph:
    """Return the package's graph."""
    tails, heads = ([pair[i] for pair in case["ends"]] for i in (0, 1))
    weights = None if case["weights"] is None else np.array(case["weights"], case["dtype"])
    return pf.Graph.from_edges(tails, heads, weights, n=case["n"], directed=case["directed"])


# ---- shapes --------------------------------------------------------------------------------------------------------


def _any(rng: random.Random) -> tuple[int, Ends]:
    n = rng.randint(1, 12)
    return n, [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(0, 4 * n))]


def _sparse(rng: random.Random) -> tuple[int, Ends]:
    n = rng.randint(13, 120)
    return n, [(rng.randrange(n), rng.randrange(n)) for _ in range(int(n * rng.uniform(0.5, 4)))]


def _path(rng: random.Random) -> tuple[int, Ends]:
    n = rng.randint(2, 60)
    return n, [(i, (i + 1) % n) for i in range(n if rng.random() < 0.5 else n - 1)]


def _hub(rng: random.Random) -> tuple[int, Ends]:
    n = rng.choice((9, 70, 300))
    return n, [(0, i) if rng.random() < 0.9 else (i, rng.randrange(n)) for i in range(1, n)]


def _dense(rng: random.Random) -> tuple[int, Ends]:
    n = rng.randint(2, 20)
    return n, [(u, v) for u in range(n) for v in range(n)]


def _ladder(rng: random.Random) -> tuple[int, Ends]:
    rungs = rng.randint(2, 25)
    return 2 * rungs + 2, [(2 * i + a, 2 * i + 2 + b) for i in range(rungs) for a in (0, 1) for b in (0, 1)]


def _detours(rng: random.Random) -> tuple[int, Ends]:
    n = rng.randint(3, 25)
    return n, [(i, j) for i in range(n) for j in range(i + 1, n)]


def _grid(rng: random.Random, least: int = 2, most: int = 9) -> tuple[int, Ends]:
    rows, columns = rng.randint(least, most), rng.randint(least, most)
    across = [(r * columns + c, r * columns + c + 1) for r in range(rows) for c in range(columns - 1)]
    down = [(r * columns + c, r * columns + c + columns) for r in range(rows - 1) for c in range(columns)]
    return rows * columns, across + down


def _large_grid(rng: random.Random) -> tuple[int, Ends]:
    return _grid(rng, 30, 70)


def _large_random(rng: random.Random) -> tuple[int, Ends]:
    n = rng.randint(500, 4000)
    return n, [(rng.randrange(n), rng.randrange(n)) for _ in range(int(n * rng.uniform(1, 6)))]


def _large_skewed(rng: random.Random) -> tuple[int, Ends]:
    n = rng.randint(500, 3000)
    return n, [(int(n * rng.random() ** 3), int(n * rng.random() ** 3)) for _ in range(6 * n)]


def _large_hub(rng: random.Random) -> tuple[int, Ends]:
    n = rng.randint(1000, 5000)
    return n, [(0, i) for i in range(1, n)] + [(i, rng.randrange(n)) for i in range(1, n, 3)]


def _long_path(rng: random.Random) -> tuple[int, Ends]:
    n = rng.randint(500, 3000)
    return n, [(i, i + 1) for i in range(n - 1)] + [(i, max(0, i - rng.randint(0, 9))) for i in range(0, n, 7)]


def _huge_random(rng: random.Random) -> tuple[int, Ends]:
    n = rng.randint(3000, 20000)
    return n, [(rng.randrange(n), rng.randrange(n)) for _ in range(130_000)]


def _huge_hub(rng: random.Random) -> tuple[int, Ends]:
    n = 50_000
    return n, [(i % 3, i) for i in range(3, n)] + [(i, i % 3) for i in range(3, n)] + [(0, 1), (1, 2), (2, 0)]


def _huge_dense(rng: random.Random) -> tuple[int, Ends]:
    n = 350
    return n, [(u, v) for u in range(n) for v in range(n)]


_LARGE: tuple[Callable[[random.Random], tuple[int, Ends]], ...] = _huge_random, _huge_random, _huge_hub, _huge_dense
_SMALL: tuple[Callable[[random.Random], tuple[int, Ends]], ...] = (
    *(_any, _any, _sparse, _sparse, _path, _hub, _dense, _ladder, _detours, _grid),
)
_MIDDLE: tuple[Callable[[random.Random], tuple[int, Ends]], ...] = (
    *(_large_grid, _large_grid, _large_random, _large_skewed, _large_hub, _long_path),
)


# ---- weights -------------------------------------------------------------------------------------------------------


def _weights(rng: random.Random, dtype: str, count: int) -> list[Number]:
    if dtype.startswith("float"):
        floats = rng.choice(_FLOATS)(rng, dtype, count)
        return [as_float32(w) for w in floats] if dtype == "float32" else floats
    return list(rng.choice(_INTEGERS)(rng, int(LARGEST[dtype]), count))


def _few_values(rng: random.Random, dtype: str, count: int) -> list[Number]:
    """Return weights that make few different distances: many vertices wait at once, and no method takes long."""
    unit = rng.choice((1, 1, 1000)) * (0.1 if dtype == "float64" else 0.5 if dtype == "float32" else 1)
    most = rng.choice((1, 3, 8))
    return [rng.randint(0, most) * unit for _ in range(count)]


def _below(rng: random.Random, most: int, count: int) -> list[int]:
    return [rng.randint(0, most) for _ in range(count)]


def _equal(rng: random.Random, most: int, count: int) -> list[int]:
    return [rng.choice((0, 1, 1, 2, 7, most // 3))] * count


def _mixed_lengths(rng: random.Random, most: int, count: int) -> list[int]:
    longest = rng.choice((8, 20, most.bit_length() - 3, most.bit_length() - 1))
    return [rng.getrandbits(rng.randint(0, longest)) for _ in range(count)]


def _near_overflow(rng: random.Random, most: int, count: int) -> list[int]:
    part = rng.choice((1, 2, 3, 5, 10, 100))
    return [most // part - rng.randint(0, min(3, most // part)) if rng.random() < 0.5 else 0 for _ in range(count)]


_INTEGERS: tuple[Callable[[random.Random, int, int], list[int]], ...] = (
    *(_equal, _mixed_lengths, _near_overflow),
    *(lambda rng, most, count: _below(rng, 3, count), lambda rng, most, count: _below(rng, 100, count)),
    *(lambda rng, most, count: _below(rng, 10**6, count), lambda rng, most, count: _below(rng, most, count)),
)


def _uniform(rng: random.Random, dtype: str, count: int) -> list[float]:
    scale = rng.choice((1.0, 100.0, 1e-30, 1e30))
    return [rng.random() * scale for _ in range(count)]


def _whole(rng: random.Random, dtype: str, count: int) -> list[float]:
    most = rng.choice((1, 3, 100, 2**24 + 5, 2**54))
    return [float(rng.randint(0, most)) for _ in range(count)]


def _tenths(rng: random.Random, dtype: str, count: int) -> list[float]:
    return [rng.randint(0, 30) * 0.1 for _ in range(count)]


def _equal_floats(rng: random.Random, dtype: str, count: int) -> list[float]:
    return [rng.choice((0.0, -0.0, 1.0, 2.0, 0.1, 1 / 3, 1e-40, 1e-310))] * count


def _magnitudes(rng: random.Random, dtype: str, count: int) -> list[float]:
    low, high = (-149, 127) if dtype == "float32" else (-1074, 1023)
    if rng.random() < 0.5:
        low, high = rng.choice(((0, 60), (low, low + 30), (high - 30, high), (-30, 30)))
    return [math.ldexp(1 + rng.random(), rng.randint(low, high - 1)) for _ in range(count)]


def _denormal(rng: random.Random, dtype: str, count: int) -> list[float]:
    least = 2.0**-149 if dtype == "float32" else 2.0**-1074
    return [least * rng.randint(0, 9) for _ in range(count)]


def _huge(rng: random.Random, dtype: str, count: int) -> list[float]:
    most, part = float(LARGEST[dtype]), rng.choice((1, 2, 3, 10))
    return [most / part * rng.choice((0.0, 1.0, rng.random())) for _ in range(count)]


def _absorbed(rng: random.Random, dtype: str, count: int) -> list[float]:
    large = 2.0 ** (24 if dtype == "float32" else 53)
    return [rng.choice((0.0, 1.0, large, large + 2, 0.5)) for _ in range(count)]


_FLOATS: tuple[Callable[[random.Random, str, int], list[float]], ...] = (
    *(_uniform, _uniform, _whole, _tenths, _equal_floats, _magnitudes, _denormal, _huge, _absorbed),
)


def _signed(rng: random.Random, n: int, ends: Ends, dtype: str) -> list[Number]:
    """Return weights of which some are negative: differences of potentials, which close no negative cycle, or any."""
    if dtype.startswith("int"):
        span = rng.choice((3, 50, int(LARGEST[dtype]) // 8))
        mild: list[Number] = [rng.randint(0, span) for _ in ends]
    else:
        span = rng.choice((3, 50, 10**6))
        mild = [rng.randint(0, 100 * span) * 0.01 for _ in ends]
    if rng.random() < 0.7:
        height = [rng.randint(0, span) for _ in range(n)]
        signed: list[Number] = [w + height[u] - height[v] for (u, v), w in zip(ends, mild, strict=True)]
    else:
        signed = [-w if rng.random() < 0.2 else w for w in mild]
    return [as_float32(w) for w in signed] if dtype == "float32" else signed
