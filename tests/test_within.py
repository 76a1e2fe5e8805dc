"""`pf.within`: rows compared with Dijkstra's method in plain Python, in order and in type."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from oracles import dijkstra
from zoo import WEIGHT_TYPES, ZOO


def expected(graph: pf.Graph, source: int, cutoff: float) -> list[tuple[int, float]]:
    """Vertices and distances, closest first, ties by position."""
    near = [(distance, v) for v, distance in dijkstra(graph, source).items() if distance <= cutoff]
    return [(v, distance) for distance, v in sorted(near)]


def rows(found: pf.Within) -> list[list[tuple[int, float]]]:
    return [list(zip(row.vertices.tolist(), row.distances, strict=True)) for row in found]


@pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
@pytest.mark.parametrize("name", ZOO)
def test_rows_hold_what_is_near_in_order(name, dtype):
    graph = ZOO[name](dtype)
    sources = list(range(0, graph.n, max(1, graph.n // 20))) * 2
    for cutoff in (0, 3, 17.5, math.inf):
        found = pf.within(graph, sources, cutoff, threads=3)
        assert found.distances.dtype == graph.distance_dtype
        assert rows(found) == [expected(graph, source, cutoff) for source in sources]


@given(
    arcs=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(0, 10**6)), min_size=1, max_size=150),
    dtype=st.sampled_from(WEIGHT_TYPES[:6]),
    unit=st.sampled_from([1, 0.1, 1e-9]),
    cutoff=st.integers(0, 10**7),
)
@examples(150)
def test_random_rows(arcs, dtype, unit, cutoff):
    tails, heads, weights = zip(*arcs, strict=True)
    weights = np.array(weights) * (unit if dtype.startswith("float") else 1)
    graph = pf.Graph.from_edges(tails, heads, weights.astype(dtype), n=31)
    limit = np.float32(cutoff * unit).item() if dtype.startswith("float") else cutoff
    assert rows(pf.within(graph, range(31), limit)) == [expected(graph, s, limit) for s in range(31)]


def test_weights_of_very_different_sizes():
    """Many vertices in one range of the queue, relaxed again and again: it tells keys apart then."""
    n = 400
    tails = [i for i in range(n) for _ in range(i + 1, n)]
    heads = [j for i in range(n) for j in range(i + 1, n)]
    weights = [1 if j == i + 1 else 2 * (n - i) ** 2 for i, j in zip(tails, heads, strict=True)]
    graph = pf.Graph.from_edges([*tails, 0], [*heads, 1], np.array([*weights, 10**9]), n=n)
    assert rows(pf.within(graph, [0, 5], 10**12)) == [expected(graph, source, 10**12) for source in (0, 5)]


def test_threads_and_many_sources():
    graph = pf.generate.road_like(3000, seed=2)
    one, several = (pf.within(graph, range(graph.n), 3000, threads=threads) for threads in (1, 4))
    for name in ("offsets", "vertices", "distances"):
        assert np.array_equal(getattr(one, name), getattr(several, name))
    matrix = pf.distance_matrix(graph, range(200))
    near = one.to_scipy()[:200].toarray()
    assert np.array_equal(np.where(matrix <= 3000, matrix, 0), near)


def test_names_and_rows():
    graph = pf.Graph.from_edges([0, 1], [1, 2], [30.5, 41.0], labels=["Rome", "Ostia", "Anzio"])
    found = pf.within(graph, ["Ostia", pf.index(0)], 50)
    assert found.sources.tolist() == ["Ostia", "Rome"]
    assert found.vertices.tolist() == ["Ostia", "Anzio", "Rome", "Ostia"]
    assert found.indices.tolist() == [1, 2, 0, 1]
    row = found.row(1)
    assert (row.source, row.vertices.tolist(), row.distances.tolist()) == ("Rome", ["Rome", "Ostia"], [0.0, 30.5])
    with pytest.raises(pf.ArgumentError, match=r"i is 2, but there are 2 rows"):
        found.row(2)
    assert found.to_scipy().toarray().tolist() == [[0, 0, 41], [0, 30.5, 0]]
    assert found.to_scipy().nnz == 4


def test_no_sources():
    found = pf.within(pf.generate.grid(3, 3), [], 5)
    assert len(found) == 0
    assert list(found) == []
    assert found.to_scipy().shape == (0, 9)


def test_distances_that_do_not_fit_widen_or_raise():
    most = 2**32 - 2
    graph = pf.Graph.from_edges([0, 1], [1, 2], np.array([most, most], np.uint32))
    assert pf.within(graph, [0], most).distances.dtype == np.uint32
    wide = pf.within(graph, [0], math.inf)
    assert wide.distances.dtype == np.uint64
    assert wide.distances.tolist() == [0, most, 2 * most]
    with pytest.raises(pf.DistanceOverflowError, match="a distance from vertex 0 does not fit int64"):
        pf.within(pf.Graph.from_edges([0, 1], [1, 2], [2**62, 2**62]), [1, 0], math.inf)
    assert pf.within(pf.Graph.from_edges([0, 1], [1, 2], [2**62, 2**62]), [1, 0], 2**62).offsets.tolist() == [0, 2, 4]


def test_what_is_refused():
    graph = pf.Graph.from_edges([0, 1], [1, 2], [4, -3])
    with pytest.raises(pf.WeightError, match=r"weights\[1\] is -3, but cutoff needs weights >= 0"):
        pf.within(graph, [0], 4)
    graph = pf.generate.grid(3, 3)
    for cutoff, error in ((None, pf.ArgumentTypeError), (-1, pf.ArgumentError), (math.nan, pf.ArgumentError)):
        with pytest.raises(error, match="cutoff is"):
            pf.within(graph, [0], cutoff)
    with pytest.raises(pf.ArgumentTypeError, match=r"sources is 3; give a list"):
        pf.within(graph, 3, 4)
    with pytest.raises(pf.ArgumentTypeError, match=r"radius .*did you mean 'cutoff'"):
        pf.within(graph, [0], radius=4)


def test_a_time_limit_and_progress():
    graph = pf.generate.random(300_000, 2_000_000, weights="int:1:1000", seed=1)
    with pytest.raises(pf.TimeLimitError):
        pf.within(graph, range(200), math.inf, time_limit=0.05)
    seen = []
    pf.within(graph, range(4), math.inf, progress=seen.append)
    assert all(0 <= share <= 1 for share in seen)
