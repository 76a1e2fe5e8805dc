"""Every method of the registry over the zoo and over random graphs, against the oracle and the certificate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from oracles import as_array, bellman_ford, certify, dijkstra
from zoo import HERE, WEIGHT_TYPES, ZOO

METHODS = [name for name in pf.methods.names() if not pf.methods.get(name).unit_weights]
NEGATIVE = [name for name in METHODS if pf.methods.get(name).negative_weights]
DEVICES = [(name, device) for name in METHODS for device in pf.methods.get(name).devices if device in HERE]


def bits(array: np.ndarray) -> list[int]:
    """Compare floats by their bits: -0.0 and 0.0 must not pass for each other."""
    return array.view(f"u{array.dtype.itemsize}").tolist()


@pytest.mark.pairwise(("method", "device"), "dtype", "animal")
@pytest.mark.parametrize(("method", "device"), DEVICES)
@pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
@pytest.mark.parametrize("animal", ZOO)
def test_zoo(method, device, dtype, animal):
    graph = ZOO[animal](dtype)
    expected = as_array(dijkstra(graph, 0), graph.n, dtype or "uint32")
    for threads in (1, 2, 7) if device == "cpu" else (None,):
        paths = pf.shortest_paths(graph, 0, method=method, device=device, threads=threads)
        assert paths.distance.dtype == expected.dtype
        assert bits(paths.distance) == bits(expected)
        certify(paths)
        assert pf.verify(graph, paths)
        bare = pf.shortest_paths(graph, 0, method=method, device=device, threads=threads, parents=False)
        assert bits(bare.distance) == bits(expected)
        assert pf.verify(graph, bare)


@st.composite
def graphs(draw, weights):
    n = draw(st.integers(1, 30))
    vertex = st.integers(0, n - 1)
    triples = draw(st.lists(st.tuples(vertex, vertex, weights), max_size=120))
    dtype = draw(st.sampled_from(["int32", "int64", "float32", "float64"]))
    tails, heads, values = ([t[i] for t in triples] for i in range(3))
    directed = draw(st.booleans())
    return pf.Graph.from_edges(tails, heads, np.array(values, dtype), n=n, directed=directed)


FLOATS = st.one_of(st.integers(0, 50), st.floats(0, 1e6, width=32), st.sampled_from([0.0, -0.0, 1e-30, 0.1]))


@examples(150)
@given(graph=graphs(st.one_of(st.integers(0, 9), FLOATS)), source=st.integers(0, 29))
def test_random_graphs(graph, source):
    source %= graph.n
    expected = as_array(dijkstra(graph, source), graph.n, graph.weights.dtype)
    for method in METHODS:
        paths = pf.shortest_paths(graph, source, method=method)
        assert bits(paths.distance) == bits(expected)
        certify(paths)
        assert pf.verify(graph, paths)


@examples(150)
@given(
    graph=graphs(st.integers(0, 9)),
    source=st.integers(0, 29),
    cutoff=st.one_of(st.integers(0, 40), st.floats(0, 40)),
    targets=st.lists(st.integers(0, 29), min_size=1, max_size=3),
)
def test_cutoff_and_targets(graph, source, cutoff, targets):
    source, targets = source % graph.n, [t % graph.n for t in targets]
    full = dijkstra(graph, source)
    for method in METHODS:
        near = pf.shortest_paths(graph, source, method=method, cutoff=cutoff)
        within = {v: d for v, d in full.items() if d <= cutoff}
        assert bits(near.distance) == bits(as_array(within, graph.n, graph.weights.dtype))
        certify(near)
        assert pf.verify(graph, near)
        some = pf.shortest_paths(graph, source, method=method, targets=targets)
        if all(t in full for t in targets):
            farthest = max(full[t] for t in targets)
            assert some.radius == farthest
            final = {v: d for v, d in full.items() if d <= farthest}
        else:
            assert some.radius is None
            final = full
        assert bits(some.distance) == bits(as_array(final, graph.n, graph.weights.dtype))
        certify(some)
        assert pf.verify(graph, some)


@examples(150)
@given(graph=graphs(st.integers(-3, 9)), source=st.integers(0, 29))
def test_negative_weights(graph, source):
    source %= graph.n
    expected = bellman_ford(graph, source)
    for method in NEGATIVE:
        if expected is None:
            with pytest.raises(pf.NegativeCycleError) as caught:
                pf.shortest_paths(graph, source, method=method)
            assert cycle_length(graph, caught.value.cycle) < 0
        else:
            paths = pf.shortest_paths(graph, source, method=method)
            assert paths.distance.tolist() == as_array(expected, graph.n, graph.weights.dtype).tolist()
            certify(paths)
            assert pf.verify(graph, paths)


def cycle_length(graph: pf.Graph, cycle: list[int]) -> float:
    matrix = {}
    for u, v, w in zip(graph.tails().tolist(), graph.heads.tolist(), graph.weights.tolist(), strict=True):
        matrix[u, v] = min(w, matrix.get((u, v), w))
    return sum(matrix[u, v] for u, v in zip(cycle, cycle[1:] + cycle[:1], strict=True))


@pytest.mark.parametrize("method", METHODS)
class TestWideDistances:
    """A distance that does not fit its type is never silently wrong."""

    @pytest.mark.parametrize(
        ("narrow", "wide", "weight"),
        [("uint32", "uint64", 2**32 - 2), ("int32", "int64", 2**31 - 2), ("float32", "float64", 3e38)],
    )
    def test_widens_when_needed(self, method, narrow, wide, weight):
        fits = pf.Graph.from_edges([0], [1], np.array([weight], narrow))
        assert pf.shortest_paths(fits, 0, method=method).distance.dtype == narrow
        graph = pf.Graph.from_edges([0, 1], [1, 2], np.array([weight, weight], narrow))
        paths = pf.shortest_paths(graph, 0, method=method)
        assert paths.distance.dtype == wide
        exact = float(np.float32(weight)) if narrow == "float32" else weight
        assert paths.distance.tolist() == [0, exact, 2 * exact]
        assert pf.verify(graph, paths)

    @pytest.mark.parametrize("narrow", ["uint32", "int32"])
    def test_does_not_widen_for_a_sum_that_is_no_distance(self, method, narrow):
        top = int(np.iinfo(narrow).max)
        graph = pf.Graph.from_edges([0, 1, 0], [1, 2, 2], np.array([top - 1, 5, 7], narrow))
        paths = pf.shortest_paths(graph, 0, method=method)
        assert paths.distance.dtype == narrow
        assert paths.distance.tolist() == [0, top - 1, 7]
        assert pf.verify(graph, paths)

    def test_the_marker_itself_is_no_distance(self, method):
        graph = pf.Graph.from_edges([0], [1], np.array([2**32 - 1], np.uint32))
        paths = pf.shortest_paths(graph, 0, method=method)
        assert paths.distance.dtype == np.uint64
        assert paths.distance_to(1) == 2**32 - 1

    @pytest.mark.parametrize(("dtype", "weight"), [("int64", 2**62), ("uint64", 2**63), ("float64", 1e308)])
    def test_beyond_64_bits_is_an_error(self, method, dtype, weight):
        graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 3], np.array([weight] * 3, dtype))
        with pytest.raises(pf.DistanceOverflowError, match=dtype):
            pf.shortest_paths(graph, 0, method=method)
        assert pf.shortest_paths(graph, 0, method=method, cutoff=weight).reached.tolist() == [True, True, False, False]

    def test_large_whole_numbers_are_exact(self, method):
        graph = pf.Graph.from_edges([0, 1], [1, 2], np.array([2**53, 1], np.int64))
        assert pf.shortest_paths(graph, 0, method=method).distance_to(2) == 2**53 + 1


@pytest.mark.parametrize("method", NEGATIVE)
def test_falling_below_the_type_widens(method):
    graph = pf.Graph.from_edges([0, 1], [1, 2], np.array([-(2**31), -(2**31)], np.int32))
    paths = pf.shortest_paths(graph, 0, method=method)
    assert paths.distance.dtype == np.int64
    assert paths.distance.tolist() == [0, -(2**31), -(2**32)]


@pytest.mark.parametrize("method", NEGATIVE)
def test_a_negative_cycle_in_a_large_graph_is_found_early(method):
    """Not after n passes of n arcs, which would take minutes here."""
    n = 200_000
    tails, heads = np.arange(n), (np.arange(n) + 1) % n
    weights = np.ones(n, np.int64)
    weights[-1] = -n
    with pytest.raises(pf.NegativeCycleError, match="0 -> 1 -> 2"):
        pf.shortest_paths(pf.Graph.from_edges(tails, heads, weights), 0, method=method)


@pytest.mark.parametrize("method", METHODS)
def test_trace_adds_up(method):
    graph = pf.generate.grid(10, 10, seed=1)
    paths = pf.shortest_paths(graph, 0, method=method, trace=True)
    assert paths.trace["frontier"].sum() == paths.stats.vertices_processed
    assert paths.trace["edges_relaxed"].sum() == paths.stats.edges_relaxed
    if method == "adds":
        return  # rows by time: a switch of the head, and moments between
    assert len(paths.trace) == paths.stats.iterations
    assert paths.trace["distance_low"][-1] <= paths.distance.max() <= paths.trace["distance_high"][-1]


@pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
@pytest.mark.parametrize("animal", ZOO)
def test_dijkstra_with_a_binary_heap(animal, dtype):
    graph = ZOO[animal](dtype)
    for asked in ({}, {"cutoff": 7}, {"targets": [graph.n - 1, graph.n // 2]}, {"trace": True}):
        expected = pf.shortest_paths(graph, 0, method="dijkstra", **asked)
        paths = pf.shortest_paths(graph, 0, method="dijkstra", heap="binary", **asked)
        assert bits(paths.distance) == bits(expected.distance)
        assert paths.radius == expected.radius
        assert paths.stats.vertices_processed == expected.stats.vertices_processed
        assert paths.stats.edges_relaxed == expected.stats.edges_relaxed
        certify(paths)
        assert pf.verify(graph, paths)


def test_dijkstra_has_two_heaps():
    graph = pf.Graph.from_edges([0, 1], [1, 2], np.array([2**32 - 2, 2**32 - 2], np.uint32))
    assert pf.shortest_paths(graph, 0, method="dijkstra", heap="binary").distance.dtype == np.uint64
    with pytest.raises(pf.ArgumentError, match=r"heap is 'fibonacci'.*radix"):
        pf.shortest_paths(graph, 0, method="dijkstra", heap="fibonacci")


def test_dijkstra_does_the_least_work():
    graph = pf.generate.random(2000, 10000, seed=2)
    stats = pf.shortest_paths(graph, 0, method="dijkstra").stats
    reached = pf.shortest_paths(graph, 0).reached
    assert stats.vertices_processed == reached.sum()
    assert stats.edges_relaxed == np.diff(graph.offsets)[reached].sum()


@pytest.mark.parametrize("method", METHODS)
def test_known_answer_on_new_york(method, data):
    graph = pf.read(data("dimacs9/USA-road-d.NY.gr.gz"))
    paths = pf.shortest_paths(graph, 0, method=method)
    assert paths.reached.all()
    assert int(paths.distance.max()) == 1_440_081
    assert int(paths.distance.sum(dtype=np.int64)) == 186_686_642_878
    assert pf.verify(graph, paths)
