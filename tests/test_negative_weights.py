"""Negative weights: exact distances, rounded once; trees; and cycles that are reported only if they are negative."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from oracles import as_array, exact_bellman_ford, rounded
from pathfront.devices import cpu
from test_methods import NEGATIVE, bits
from zoo import GPUS

ON_DEVICES = [(name, d) for name in NEGATIVE for d in ("cpu", *GPUS) if d in pf.methods.get(name).devices]
LARGE = 2.0**53

every_method = pytest.mark.parametrize("method", NEGATIVE)
on_every_device = pytest.mark.parametrize(("method", "device"), ON_DEVICES)


@pytest.fixture(autouse=True)
def _always_parallel(monkeypatch):
    monkeypatch.setattr(cpu, "parallel_from", 3)


def cycle_length(graph: pf.Graph, cycle: list[int]) -> Fraction:
    lightest = {}
    for u, v, w in zip(graph.tails().tolist(), graph.heads.tolist(), graph.weights.tolist(), strict=True):
        lightest[u, v] = min(w, lightest.get((u, v), w))
    return sum((Fraction(lightest[arc]) for arc in zip(cycle, [*cycle[1:], cycle[0]], strict=True)), Fraction(0))


def expected_distances(graph: pf.Graph, source: int) -> np.ndarray | None:
    """The distances in the narrowest type they fit; None if a negative cycle can be reached."""
    exact = exact_bellman_ford(graph, source)
    if exact is None:
        return None
    for dtype in (graph.weights.dtype, np.dtype(np.float64)):
        made = as_array({v: rounded(d, dtype) for v, d in exact.items()}, graph.n, dtype)
        if np.isfinite(made[list(exact)]).all():
            break
    return made


def prove(graph: pf.Graph, source: int, expected: np.ndarray | None, **options) -> None:
    if expected is None:
        with pytest.raises(pf.NegativeCycleError) as caught:
            pf.shortest_paths(graph, source, **options)
        assert cycle_length(graph, caught.value.cycle) < 0
    elif not np.isfinite(expected[expected != np.inf]).all():
        with pytest.raises(pf.DistanceOverflowError):
            pf.shortest_paths(graph, source, **options)
    else:
        paths = pf.shortest_paths(graph, source, **options)
        assert paths.distance.dtype == expected.dtype
        assert bits(paths.distance) == bits(expected)
        verdict = pf.verify(graph, paths)
        assert verdict, str(verdict)
        verdict = pf.verify(graph, paths.distance, source=source)
        assert verdict, str(verdict)
        bare = pf.shortest_paths(graph, source, parents=False, **options)
        assert bits(bare.distance) == bits(expected)


CYCLES_OF_LENGTH_ZERO = {
    "the way back is lost in a sum": ([3, 2, 0, 1], [2, 0, 1, 0], [0, LARGE, 1, -1.0], 3),
    "behind a distance without room for it": ([0, 1, 2], [1, 2, 1], [LARGE, 1, -1.0], 0),
    "too small for a sum of 64 bits": ([0, 1, 2, 0], [1, 2, 1, 2], [1e300, 1e-300, -1e-300, 1e308], 0),
}


@on_every_device
@pytest.mark.parametrize("name", CYCLES_OF_LENGTH_ZERO)
def test_a_cycle_of_length_zero_is_no_negative_one(method, device, name):
    tails, heads, weights, source = CYCLES_OF_LENGTH_ZERO[name]
    graph = pf.Graph.from_edges(tails, heads, weights)
    expected = expected_distances(graph, source)
    assert expected is not None
    prove(graph, source, expected, method=method, device=device)


def price_differences(seed: int, dtype: str) -> pf.Graph:
    """Arcs weigh the difference of their ends' prices in cents, mostly: no cycle is much longer or shorter than 0."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    price = rng.integers(1, 10_000, n) / 100
    tails, heads = rng.integers(0, n, (2, 3 * n))
    return pf.Graph.from_edges(tails, heads, (price[heads] - price[tails]).astype(dtype), n=n)


@every_method
def test_price_differences(method):
    kinds = set()
    for seed in range(60):
        graph = price_differences(seed, "float64" if seed % 3 else "float32")
        expected = expected_distances(graph, 0)
        kinds.add(expected is None)
        for threads in (1, 2, 8):
            prove(graph, 0, expected, method=method, threads=threads)
    assert kinds == {False, True}


WEIGHTS = {
    "float64": st.one_of(
        st.sampled_from([0.0, -0.0, 0.1, 0.2, -0.3, 1.0, -1.0, LARGE, -LARGE, 5e-324, -5e-324, 1e-300, 1e300, 1.7e308]),
        st.floats(-1, 100),
        st.floats(-1e-3, 1e12),
    ),
    "float32": st.one_of(
        st.sampled_from([0.0, 0.5, -0.5, 1.0, -1.0, 2.0**24, -(2.0**24), 3e38, -3e38, 1e-45, -1e-45]),
        st.floats(-1, 100, width=32),
    ),
}


@st.composite
def graphs(draw):
    """Half of them without negative cycles: weights w >= 0 plus the difference of potentials, rounded."""
    n = draw(st.integers(1, 10))
    dtype = draw(st.sampled_from(list(WEIGHTS)))
    vertex = st.integers(0, n - 1)
    triples = draw(st.lists(st.tuples(vertex, vertex, WEIGHTS[dtype]), max_size=40))
    tails, heads, values = (np.array([t[i] for t in triples]) for i in range(3))
    if triples and draw(st.booleans()):
        with np.errstate(over="ignore"):
            least = draw(st.sampled_from([0.0, 1e-9, 1.0]))
            price = np.array(draw(st.lists(st.integers(-1000, 1000), min_size=n, max_size=n))) / 100
            values = np.minimum(np.maximum(np.abs(values), least), 1e30) + (price[heads] - price[tails])
    weights = values.astype(dtype) if triples else np.empty(0, dtype)
    return pf.Graph.from_edges(tails.astype(int), heads.astype(int), weights, n=n)


@examples(150)
@given(graph=graphs(), source=st.integers(0, 9), threads=st.sampled_from([1, 2, 8]))
def test_random_graphs(graph, source, threads):
    source %= graph.n
    assume(graph.weight_summary().first_negative >= 0)
    expected = expected_distances(graph, source)
    before, cpu.parallel_from = cpu.parallel_from, 3
    try:
        for method in NEGATIVE:
            prove(graph, source, expected, method=method, threads=threads)
    finally:
        cpu.parallel_from = before


def test_large_graphs_are_shared_by_threads():
    """No cycle is much longer than 0 where arcs weigh little more than the difference of their ends' prices."""
    graph = pf.generate.random(4_000, 20_000, weights="int:0:3", seed=1)
    price = np.random.default_rng(1).random(graph.n)
    tails, heads = graph.tails(), graph.heads
    weights = graph.weights * 2.0**-20 + (price[heads] - price[tails]) + 1e-12
    for loop in (1.0, 1e-40):  # sums as int64, and wider ones
        signed = pf.Graph.from_edges([*tails, 0], [*heads, 0], [*weights, loop])
        once = pf.shortest_paths(signed, 0, method="bellman_ford")
        assert pf.verify(signed, once)
        for method, threads in itertools.product(NEGATIVE, (2, 8)):
            paths = pf.shortest_paths(signed, 0, method=method, threads=threads)
            assert bits(paths.distance) == bits(once.distance)
            assert pf.verify(signed, paths)


@pytest.mark.parametrize("device", GPUS)
def test_random_graphs_on_gpus(device):
    for seed in range(12):
        graph = price_differences(seed, "float64" if seed % 2 else "float32")
        prove(graph, 0, expected_distances(graph, 0), device=device)


class TestTypes:
    def test_a_distance_beyond_float32_widens(self):
        graph = pf.Graph.from_edges([0, 1, 0], [1, 2, 3], np.array([3e38, 3e38, -1e38], np.float32))
        paths = pf.shortest_paths(graph, 0)
        assert paths.distance.dtype == np.float64
        assert paths.distance.tolist()[2] == 2 * float(np.float32(3e38))
        assert pf.verify(graph, paths)

    def test_a_sum_beyond_the_type_does_no_harm_if_no_distance_is(self):
        graph = pf.Graph.from_edges([0, 1, 0, 2], [1, 2, 2, 3], [1.7e308, 1.7e308, 1.0, -1.0])
        assert pf.shortest_paths(graph, 0).distance.tolist() == [0, 1.7e308, 1.0, 0.0]

    def test_a_distance_beyond_float64_is_an_error(self):
        graph = pf.Graph.from_edges([0, 1, 0], [1, 2, 3], [1.7e308, 1.7e308, -1.0])
        for method in NEGATIVE:
            with pytest.raises(pf.DistanceOverflowError, match="float64"):
                pf.shortest_paths(graph, 0, method=method)

    def test_a_trace_beyond_float64_is_no_warning(self):
        graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 3], [1.7e308, 1.7e308, -1.7e308])
        with pytest.raises(pf.DistanceOverflowError):
            pf.shortest_paths(graph, 0, method="bellman_ford", trace=True)

    @pytest.mark.parametrize(
        ("weights", "length"),
        [
            ([-1.7e308, -1.7e308], "-inf"),
            ([1.7e308, 1.7e308, -1.7e308, -1.7e308, -1e300], "-1e[+]300"),
        ],
    )
    def test_a_cycle_whose_partial_sums_are_beyond_float64(self, weights, length):
        n = len(weights)
        graph = pf.Graph.from_edges(np.arange(n), (np.arange(n) + 1) % n, weights)
        with pytest.raises(pf.NegativeCycleError, match=f"of length {length}, "):
            pf.shortest_paths(graph, 0)

    def test_all_bits_that_float64_has(self):
        least, most = 5e-324, 1.7976931348623157e308
        graph = pf.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4], [most, least, -most, -2 * least])
        paths = pf.shortest_paths(graph, 0)
        assert paths.distance.tolist() == [0, most, most, least, -least]
        assert (paths.stats.method, paths.stats.device) == ("bellman_ford", "cpu")
        assert "more than 64 bits" in paths.stats.reason
        assert pf.verify(graph, paths)

    @on_every_device
    def test_distances_that_need_more_bits_than_weights(self, method, device):
        path = np.arange(6)
        graph = pf.Graph.from_edges([*path, 6], [*path + 1, 7], [*[2.0**61] * 6, -1.0])
        paths = pf.shortest_paths(graph, 0, method=method, device=device)
        assert paths.distance.tolist() == [*(path * 2.0**61).tolist(), 6 * 2.0**61, 6 * 2.0**61]
        assert "more than 64 bits" in paths.stats.reason
        assert paths.stats.device == "cpu"
        assert pf.verify(graph, paths)

    def test_zero_has_no_sign(self):
        graph = pf.Graph.from_edges([0, 1, 0], [1, 2, 3], [0.1, -0.1, -0.0])
        for weights in (graph.weights, graph.weights.astype(np.float32)):
            paths = pf.shortest_paths(graph.with_weights(weights), 0)
            assert not np.signbit(paths.distance).any()

    @pytest.mark.parametrize("device", GPUS)
    def test_results_on_a_device(self, device):
        graph = pf.Graph.from_edges([0, 1, 0], [1, 2, 2], [0.5, -0.25, 3.0])
        paths = pf.shortest_paths(graph, 0, device=device, output="device")
        assert paths.distance.numpy().tolist() == [0, 0.5, 0.25]
        assert paths.parent.numpy().tolist() == [pf.NO_VERTEX, 0, 1]

    def test_a_trace_has_distances_in_the_unit_of_the_weights(self):
        for step in (0.5, 1e-300):  # as int64, and in wider numbers
            graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 3], [0.5, step, -step])
            rows = pf.shortest_paths(graph, 0, method="bellman_ford", trace=True).trace
            assert (rows["distance_low"][-1], rows["distance_high"][-1]) == (0, 0.5 + step)

    def test_many_sources(self):
        graph = price_differences(3, "float64")
        graph = graph.with_weights(graph.weights + 1e-9)
        expected = [expected_distances(graph, v) for v in range(graph.n)]
        assert bits(pf.distance_matrix(graph, range(graph.n))) == bits(np.array(expected))
        found = pf.nearest(graph, [0, 1])
        assert bits(found.distance) == bits(np.minimum(expected[0], expected[1]))


class TestNegativeCycles:
    @on_every_device
    @pytest.mark.parametrize("dtype", ["int32", "int64"])
    def test_they_come_before_overflow(self, method, device, dtype):
        """Around a negative cycle any distance overflows, sooner or later."""
        least = int(np.iinfo(dtype).min)
        for weights in ([least // 2, least // 2, -1], [0, least // 2, least // 2 - 5], [least, least, least]):
            graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 1], np.array(weights, dtype))
            with pytest.raises(pf.NegativeCycleError) as caught:
                pf.shortest_paths(graph, 0, method=method, device=device)
            assert caught.value.cycle == [1, 2]

    @on_every_device
    def test_overflow_without_a_cycle_is_still_one(self, method, device):
        for weights in ([-(2**62), -(2**62), -1], [2**62, 2**62, -1]):
            graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 3], weights)
            with pytest.raises(pf.DistanceOverflowError, match="int64"):
                pf.shortest_paths(graph, 0, method=method, device=device)

    def test_many_sources(self):
        graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 1], [-(2**62), -(2**62), -1])
        with pytest.raises(pf.NegativeCycleError):
            pf.distance_matrix(graph, [0])
        with pytest.raises(pf.NegativeCycleError):
            pf.nearest(graph, [0])

    def test_the_error_says_how_long_they_are(self):
        with pytest.raises(
            pf.NegativeCycleError, match=r"1 -> 2 -> 1, of length -2, so shortest paths do not exist\.$"
        ):
            pf.shortest_paths(pf.Graph.from_edges([0, 1, 2], [1, 2, 1], [5, 1, -3]), 0)
        tiny = pf.Graph.from_edges([0, 1, 2], [1, 2, 0], [0.1, 0.2, -0.30000000000000004])
        with pytest.raises(pf.NegativeCycleError, match=r"of length -2\.77\S+e-17, .* 0\.1 .* use integers"):
            pf.shortest_paths(tiny, 0)

    @pytest.mark.filterwarnings("error")
    def test_a_cycle_of_float32_beyond_its_range_is_no_warning(self):
        graph = pf.Graph.from_edges([0, 1], [1, 0], np.array([-3e38, -3e38], np.float32))
        with pytest.raises(pf.NegativeCycleError, match="of length -6"):
            pf.shortest_paths(graph, 0)

    def test_their_length_is_exact(self):
        """The sum of the three, added one by one in this order, is not negative."""
        weights = [LARGE, 1.0, -LARGE - 2]
        assert (weights[0] + weights[1]) + weights[2] == -2.0
        graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 0], [LARGE, 1.0, -LARGE])
        prove(graph, 0, expected_distances(graph, 0))
        graph = graph.with_weights(weights)
        with pytest.raises(pf.NegativeCycleError, match=r"of length -1\.0"):
            pf.shortest_paths(graph, 0)


class TestCertificate:
    GRAPH = pf.Graph.from_edges([0, 1, 0, 2, 3], [1, 2, 2, 3, 1], [LARGE, 1.0, LARGE, -2.0, 1.0])
    """The way by 1 to 2 is longer than the arc, but no float shows it."""

    def test_parents_must_be_shortest_exactly(self):
        paths = pf.shortest_paths(self.GRAPH, 0)
        none = pf.NO_VERTEX
        assert paths.distance.tolist() == [0, LARGE - 1, LARGE, LARGE - 2]
        assert paths.parent.tolist() == [none, 3, 0, 2]
        longer = pf.Graph.from_edges([0, 1, 0, 0], [1, 2, 2, 3], [LARGE, 1.0, LARGE, -1.0])
        right = pf.shortest_paths(longer, 0)
        verdict = pf.verify(longer, right.distance, source=0, parent=[none, 0, 1, 0])
        assert [v.flaw for v in verdict.violations] == ["improvable"]
        assert "arc 0 -> 2" in verdict.violations[0].message
        assert "less than 9007199254740992.0 shows" in verdict.violations[0].message

    @pytest.mark.parametrize(
        ("vertex", "parent", "flaw"),
        [
            (1, 77, "parent_not_vertex"),
            (1, pf.NO_VERTEX, "parent_missing"),
            (0, 2, "parent_needless"),
            (2, 3, "parent_not_tight"),
            (3, 1, "parent_not_tight"),
            (2, 1, "parent_cycle"),
        ],
    )
    def test_wrong_parents(self, vertex, parent, flaw):
        paths = pf.shortest_paths(self.GRAPH, 0)
        parents = paths.parent.copy()
        parents[vertex] = parent
        verdict = pf.verify(self.GRAPH, paths.distance, source=0, parent=parents)
        assert flaw in [v.flaw for v in verdict.violations]

    @pytest.mark.parametrize(
        ("vertex", "at", "alone", "with_parents"),
        [
            (0, 1.0, "source_not_zero", "source_not_zero"),
            (3, np.nextafter(LARGE - 2, 0), "unsupported", "not_the_length"),
            (3, np.inf, "improvable", "parent_needless"),
            (2, LARGE + 2, "improvable", "not_the_length"),
            (1, np.nan, "not_a_distance", "not_a_distance"),
            (1, -np.inf, "not_a_distance", "not_a_distance"),
        ],
    )
    def test_wrong_distances(self, vertex, at, alone, with_parents):
        paths = pf.shortest_paths(self.GRAPH, 0)
        dist = paths.distance.copy()
        dist[vertex] = at
        assert pf.verify(self.GRAPH, dist, source=0).violations[0].flaw == alone
        verdict = pf.verify(self.GRAPH, dist, source=0, parent=paths.parent)
        assert with_parents in [v.flaw for v in verdict.violations]

    def test_a_negative_cycle_refutes_all(self):
        graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 1], [LARGE, 1, -1.5])
        verdict = pf.verify(graph, [0, LARGE, LARGE], source=0)
        assert str(verdict.violations[0].message).startswith("vertex 1 lies on a negative cycle")
        assert not pf.verify(graph, [0, LARGE, LARGE], source=0, parent=[-1, 0, 1])

    def test_there_is_no_cutoff(self):
        with pytest.raises(pf.WeightError, match="cutoff needs weights >= 0"):
            pf.verify(self.GRAPH, pf.shortest_paths(self.GRAPH, 0).distance, source=0, cutoff=5)

    @examples(60)
    @given(graph=graphs(), data=st.data())
    def test_any_wrong_distance_is_refuted(self, graph, data):
        assume(graph.weight_summary().first_negative >= 0)
        expected = expected_distances(graph, 0)
        assume(expected is not None and np.isfinite(expected[expected != np.inf]).all())
        wrong = expected.copy()
        vertex = data.draw(st.integers(0, graph.n - 1))
        wrong[vertex] = data.draw(
            st.sampled_from([np.nextafter(wrong[vertex], np.inf), np.nextafter(wrong[vertex], -np.inf), 0.0, np.inf])
        )
        assert bool(pf.verify(graph, wrong, source=0)) == (wrong.tolist() == expected.tolist())


def test_weights_without_a_negative_one_are_added_as_before():
    """Rounded after each arc: -0.0 is not negative."""
    graph = pf.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4], [0.1, 0.2, 0.3, -0.0])
    once = float(Fraction(0.1) + Fraction(0.2) + Fraction(0.3))
    after_each = (0.1 + 0.2) + 0.3
    assert once != after_each
    assert pf.shortest_paths(graph, 0, method="bellman_ford").distance_to(3) == after_each
    assert pf.shortest_paths(graph.with_weights([0.1, 0.2, 0.3, -1.0]), 0).distance_to(3) == once
