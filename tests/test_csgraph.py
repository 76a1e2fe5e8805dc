"""pathfront.csgraph against scipy.sparse.csgraph, on random matrices of every form."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph as theirs
from hypothesis import assume, given
from hypothesis import strategies as st

import pathfront as pf
import pathfront.csgraph as ours
from examples import examples
from pathfront.csgraph import cache, rows
from pathfront.csgraph.matrices import Use
from pathfront.progress import time_limited

FORMS = ("dense", "fortran", "masked", "csr", "csc", "coo", "lil", "dok", "bsr", "dia", "csr_matrix", "coo_matrix")
DTYPES = ("float64", "float32", "int64", "int32", "uint8", "bool")


def test_scipys_own_tests_pass():
    run = subprocess.run(
        [sys.executable, Path(__file__).with_name("scipys_tests.py")], capture_output=True, text=True, timeout=300
    )
    answer = json.loads(run.stdout.splitlines()[-1])
    assert run.returncode == 0, run.stdout
    assert set(answer["outcomes"]) <= {"passed", "skipped"}
    assert answer["outcomes"]["passed"] > 40
    called = set(ours.__all__) - {"NegativeCycleError"}
    assert set(answer["calls"]) == {name for name in called if hasattr(theirs, name)}


def in_form(dense, form):
    if form == "dense":
        return dense
    if form == "fortran":
        return np.asfortranarray(dense)
    if form == "masked":
        return np.ma.masked_array(dense, mask=dense == 0)  # scipy fails on a mask that is no array
    made = scipy.sparse.coo_matrix if form.endswith("_matrix") else scipy.sparse.coo_array
    return made(dense).asformat(form.removesuffix("_matrix"))


@st.composite
def matrices(draw, negative=False):
    n = draw(st.integers(1, 9))
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    low = -4 if negative and dtype.kind in "if" else 0
    values = draw(st.lists(st.integers(low, 9), min_size=n * n, max_size=n * n))
    dense = np.array(values).reshape(n, n)
    dense[np.array(draw(st.lists(st.booleans(), min_size=n * n, max_size=n * n))).reshape(n, n)] = 0
    if dtype.kind == "f" and draw(st.booleans()):
        dense = dense * 0.3
    return in_form(dense.astype(dtype), draw(st.sampled_from(FORMS)))


def indices_of(draw, n):
    vertex = st.integers(-n, n - 1)
    return draw(
        st.one_of(
            st.none(),
            vertex,
            st.lists(vertex, max_size=4),
            st.lists(st.lists(vertex, min_size=2, max_size=2), min_size=1, max_size=3),
        )
    )


def require_tree(graph, dist, predecessors, *, directed, unweighted):
    """Every predecessor is the last step of a shortest path, and following them ends at a source."""
    weights = (
        theirs.csgraph_to_dense(scipy.sparse.csr_array(graph), null_value=np.inf)
        if scipy.sparse.issparse(graph)
        else None
    )
    assert predecessors.dtype == np.int32
    assert predecessors.shape == dist.shape
    n = dist.shape[-1]
    if weights is None:
        weights = np.ma.filled(np.ma.masked_array(graph, dtype=float), 0).astype(float)
        weights = np.where(weights == 0, np.inf, weights)
    weights = np.where(np.isinf(weights), np.inf, 1.0) if unweighted else weights
    if not directed:
        weights = np.minimum(weights, weights.T)
    for row, before in zip(dist.reshape(-1, n), predecessors.reshape(-1, n), strict=True):
        assert set(before[before != -9999]) <= set(range(n))
        for v in np.flatnonzero(before != -9999):
            assert row[before[v]] + weights[before[v], v] == pytest.approx(row[v])
            seen = set()
            while before[v] != -9999:
                assert v not in seen
                seen.add(v)
                v = before[v]
            assert row[v] == 0
        assert (np.isinf(row) | (row == 0) | (before != -9999)).all()


def answer_of(function, graph, options):
    try:
        return function(graph, **options)
    except ValueError as error:
        if "Buffer dtype mismatch" not in str(error):
            return type(error)
    except Exception as error:
        return type(error)
    narrow = scipy.sparse.csr_array(graph)  # some functions of scipy want 32-bit indices
    narrow.indices, narrow.indptr = narrow.indices.astype(np.int32), narrow.indptr.astype(np.int32)
    return function(narrow, **options)


def both(name, graph, **options):
    """Return what both packages say, results or classes of exceptions."""
    answers = []
    for module in (theirs, ours):
        if module is theirs and isinstance(graph, np.ndarray) and graph.flags.f_contiguous:
            graph = graph.copy(order="C")  # scipy's floyd_warshall does nothing with other arrays
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            answer = answer_of(getattr(module, name), graph, options)
        answers.append((answer, [str(each.message) for each in caught if each.category is UserWarning]))
    return answers


@given(data=st.data())
@examples(80)
def test_dijkstra(data):
    graph = data.draw(matrices())
    options = {
        "directed": data.draw(st.booleans()),
        "unweighted": data.draw(st.booleans()),
        "indices": indices_of(data.draw, graph.shape[0]),
        "limit": data.draw(st.sampled_from([np.inf, 0, 3, 4.5])),
    }
    (expected, _), (found, _) = both("dijkstra", graph, **options)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, expected)
    dist, predecessors = ours.dijkstra(graph, return_predecessors=True, **options)
    np.testing.assert_array_equal(dist, expected)
    require_tree(graph, dist, predecessors, directed=options["directed"], unweighted=options["unweighted"])


@given(data=st.data())
@examples(50)
def test_dijkstra_from_the_nearest_index(data):
    graph = data.draw(matrices())
    n = graph.shape[0]
    indices = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=4))
    options = {"directed": data.draw(st.booleans()), "unweighted": data.draw(st.booleans()), "indices": indices}
    options["limit"] = data.draw(st.sampled_from([np.inf, 0, 4.5]))
    expected = theirs.dijkstra(graph, min_only=True, **options)
    dist, predecessors, sources = ours.dijkstra(graph, min_only=True, return_predecessors=True, **options)
    np.testing.assert_array_equal(dist, expected)
    assert sources.dtype == np.int32
    alone = {each: ours.dijkstra(graph, **{**options, "indices": each}) for each in indices}
    for v in range(n):
        if np.isinf(dist[v]):
            assert sources[v] == predecessors[v] == -9999
            continue
        assert alone[sources[v]][v] == dist[v]
        root = v
        while predecessors[root] != -9999:
            root = predecessors[root]
        assert root == sources[v]


@pytest.mark.parametrize("name", ["bellman_ford", "johnson", "shortest_path", "floyd_warshall"])
@given(data=st.data())
@examples(50)
def test_with_negative_weights(name, data):
    graph = data.draw(matrices(negative=True))
    options = {"directed": data.draw(st.booleans()), "unweighted": data.draw(st.booleans())}
    if name != "floyd_warshall":
        options["indices"] = indices_of(data.draw, graph.shape[0])
    if name == "shortest_path":
        options["method"] = data.draw(st.sampled_from(["auto", "BF", "J", "FW", "D", "x"]))
        assume(options["method"] != "D" or not has_negative(graph))  # scipy 1.17 does not end on negative cycles
    (expected, warned), (found, warned_too) = both(name, graph, **options)
    if isinstance(expected, type):
        assert found is expected
        return
    assert not isinstance(found, type)
    assert bool(warned) == bool(warned_too)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Graph has negative weights")
        dist, predecessors = getattr(ours, name)(graph, return_predecessors=True, **options)
    np.testing.assert_array_equal(dist, found)
    assert predecessors.shape == dist.shape


def has_negative(graph):
    dense = graph.toarray() if scipy.sparse.issparse(graph) else np.ma.filled(graph, 0)
    return (dense < 0).any()


@given(data=st.data())
@examples(50)
def test_breadth_first_order(data):
    graph = data.draw(matrices())
    start, directed = data.draw(st.integers(0, graph.shape[0] - 1)), data.draw(st.booleans())
    for expected, found in zip(
        theirs.breadth_first_order(graph, start, directed),
        ours.breadth_first_order(graph, start, directed),
        strict=True,
    ):
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.skipif(not hasattr(theirs, "yen"), reason="scipy has it since version 1.14")
@given(data=st.data())
@examples(60)
def test_yen(data):
    graph = data.draw(matrices(negative=data.draw(st.booleans())))
    n = graph.shape[0]
    assume(abs(graph).sum() > 0)  # scipy fails on a graph without arcs
    source, sink = data.draw(st.integers(-1, n)), data.draw(st.integers(0, n - 1))
    options = {"source": source, "sink": sink, "K": data.draw(st.integers(1, 6))}
    options |= {"directed": data.draw(st.booleans()), "unweighted": data.draw(st.booleans())}
    (expected, _), (found, _) = both("yen", graph, **options)
    if isinstance(expected, type):
        assert found is expected
        return
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    lengths, predecessors = ours.yen(graph, return_predecessors=True, **options)
    np.testing.assert_array_equal(lengths, found)
    paths = {tuple(row) for row in predecessors.tolist()}
    assert len(paths) == len(lengths)
    for row in predecessors:
        v, seen = sink, set()
        while v != source:
            seen.add(v)
            v = row[v]
        assert np.count_nonzero(row != -9999) == len(seen)


def test_yen_at_its_ends_and_beyond_64_bits():
    graph = scipy.sparse.csr_array(np.array([[0, 2**63, 5], [0, 0, 0], [0, 2**63, 0]], np.uint64))
    assert ours.yen(graph, 0, 1, 5).tolist() == [2.0**63, 2.0**63 + 5]
    large = scipy.sparse.csr_array(np.array([[0, 7, 2**63], [0, 0, 0], [0, 2**63, 0]], np.uint64))
    assert ours.yen(large, 0, 1, 5).tolist() == [7, 2.0**64]
    assert ours.yen(large, 1, 0, 5).tolist() == []
    assert ours.yen(large, 0, 1, 0).tolist() == []
    lengths, predecessors = ours.yen(large, 0, 0, 5, return_predecessors=True)
    assert lengths.tolist() == [0]
    assert predecessors.tolist() == [[-9999] * 3]


@pytest.mark.parametrize(
    "name", [name for name in ours.__all__ if hasattr(theirs, name) and name != "NegativeCycleError"]
)
def test_signatures_are_scipys(name):
    def described(function):
        return [(each.name, each.kind, each.default) for each in inspect.signature(function).parameters.values()]

    assert described(getattr(ours, name)) == described(getattr(theirs, name))


EDGES = scipy.sparse.csr_array(np.array([[0, 1.0, 0], [0, 0, 2], [0, 0, 0]]))
REJECTED = {
    "one dimension": ("dijkstra", np.ones(3), {}),
    "not square": ("dijkstra", np.ones((2, 3)), {}),
    "sparse, not square": ("bellman_ford", scipy.sparse.csr_array(np.ones((2, 3))), {}),
    "an index too large": ("dijkstra", EDGES, {"indices": 3}),
    "an index too small": ("johnson", EDGES, {"indices": [0, -4]}),
    "an index as text": ("bellman_ford", EDGES, {"indices": "a"}),
    "no index": ("dijkstra", EDGES, {"indices": [None]}),
    "a negative limit": ("dijkstra", EDGES, {"limit": -1}),
    "a limit as text": ("dijkstra", EDGES, {"limit": "far"}),
    "no limit": ("dijkstra", EDGES, {"limit": None}),
    "an unknown method": ("shortest_path", EDGES, {"method": "A*"}),
    "indices for FW": ("shortest_path", EDGES, {"method": "FW", "indices": [0]}),
    "an unknown argument": ("dijkstra", EDGES, {"cutoff": 3}),
    "FW of coo": ("floyd_warshall", EDGES.tocoo(), {}),
    "start as text": ("breadth_first_order", EDGES, {"i_start": "a"}),
    "a negative start": ("breadth_first_order", EDGES, {"i_start": -1}),
}


@pytest.mark.parametrize(("name", "graph", "options"), REJECTED.values(), ids=REJECTED)
def test_what_scipy_rejects_is_rejected_with_the_same_exception(name, graph, options):
    (expected, _), (found, _) = both(name, graph, **options)
    assert isinstance(expected, type), expected
    assert isinstance(found, type)
    assert issubclass(found, expected)


@pytest.mark.parametrize("name", ["bellman_ford", "johnson", "floyd_warshall", "dijkstra"])
@pytest.mark.filterwarnings("ignore:Graph has negative weights")
def test_a_negative_cycle_is_scipys_error_and_names_the_cycle(name):
    graph = np.array([[0, 1.0, 0], [0, 0, -3], [0, 2, 0]])
    with pytest.raises(theirs.NegativeCycleError, match="1 -> 2 -> 1, of length -1") as caught:
        getattr(ours, name)(graph)
    assert caught.value.__cause__.cycle == [1, 2]


def test_only_negative_cycles_that_an_index_reaches_matter_to_bellman_ford():
    graph = scipy.sparse.csr_array(np.array([[0, 0, 0], [5, -1, 0], [0, 1, 0]]))
    np.testing.assert_array_equal(ours.bellman_ford(graph, indices=0), [0, np.inf, np.inf])
    for function in (ours.johnson, theirs.johnson):
        with pytest.raises(theirs.NegativeCycleError):
            function(graph, indices=0)


@pytest.mark.parametrize("name", ["bellman_ford", "johnson", "floyd_warshall", "yen"])
def test_cycles_that_are_negative_by_rounding_are_left_to_scipy(name):
    if not hasattr(theirs, name):
        pytest.skip("not in this version of scipy")
    graph = np.zeros((3, 3))
    graph[0, 1], graph[1, 2], graph[2, 0] = 0.3, -0.1, -0.2  # the exact sum is -2.8e-17
    more = {"source": 0, "sink": 2, "K": 1} if name == "yen" else {}
    (expected, _), (found, _) = both(name, graph, **more)
    np.testing.assert_array_equal(found, expected)


def test_large_integers_are_added_exactly_and_rounded_once():
    large = 2**53 + 1
    graph = scipy.sparse.csr_array(np.array([[0, large, 2 * large + 2], [0, 0, large], [0, 0, 0]]))
    dist, before = ours.dijkstra(graph, indices=0, return_predecessors=True)
    assert dist[2] == float(2 * large)
    assert before[2] == 1  # as float64 both paths are equally long
    negative = scipy.sparse.csr_array(np.array([[0, large, 2 * large + 2], [0, 0, large], [-1, 0, 0]]))
    dist, before = ours.bellman_ford(negative, indices=[0, 1], return_predecessors=True)
    assert dist[0, 2] == float(2 * large)
    assert before[0, 2] == 1


def test_sums_beyond_64_bits_are_those_of_floats():
    graph = scipy.sparse.csr_array(np.array([[0, 2**62, 0], [0, 0, 2**62], [0, 0, 0]]))
    np.testing.assert_array_equal(ours.dijkstra(graph), theirs.dijkstra(graph))
    np.testing.assert_array_equal(ours.dijkstra(graph, indices=[0], min_only=True), theirs.dijkstra(graph)[0])


def test_infinite_and_missing_numbers_are_no_arcs_unless_arcs_are_counted():
    values = np.array([np.inf, 1.0, np.nan])
    tails, heads = np.array([0, 1, 0], np.int32), np.array([1, 2, 2], np.int32)
    graph = scipy.sparse.csr_array((values, (tails, heads)), shape=(3, 3))
    graph.indices, graph.indptr = graph.indices.astype(np.int32), graph.indptr.astype(np.int32)
    for name in ("dijkstra", "bellman_ford", "johnson", "floyd_warshall"):
        for unweighted in (False, True):
            (expected, _), (found, _) = both(name, graph, unweighted=unweighted)
            np.testing.assert_array_equal(found, expected)


def test_parallel_entries_are_parallel_arcs():
    values, columns, offsets = np.array([5.0, 3, 4]), np.array([1, 1, 1], np.int32), np.array([0, 3, 3], np.int32)
    graph = scipy.sparse.csr_array((values, columns, offsets), shape=(2, 2))
    for name in ("dijkstra", "bellman_ford", "johnson", "floyd_warshall"):
        (expected, _), (found, _) = both(name, graph)
        np.testing.assert_array_equal(found, expected)


def test_overwrite_puts_the_result_in_the_array():
    graph = np.array([[0, 3.0, 0], [0, 0, 1], [0, 0, 0]])
    expected = theirs.floyd_warshall(graph)
    assert np.shares_memory(ours.floyd_warshall(graph, overwrite=True), graph)
    np.testing.assert_array_equal(graph, expected)
    kept = np.array([[0, 3, 0], [0, 0, 1], [0, 0, 0]])
    ours.floyd_warshall(kept, overwrite=True)
    assert kept.sum() == 4


@pytest.mark.parametrize("form", FORMS)
def test_a_matrix_changed_in_place_is_searched_as_it_is_now(form):
    graph = in_form(np.array([[0, 2.0, 9], [0, 0, 3], [0, 0, 0]]), form)
    assert ours.dijkstra(graph, indices=0).tolist() == [0, 2, 5]
    assert ours.dijkstra(graph, indices=0).tolist() == [0, 2, 5]
    if isinstance(graph, np.ndarray) or form in ("lil", "dok"):
        graph[1, 2] = 1
    else:
        graph.data[graph.data == 3] = 1
    assert ours.dijkstra(graph, indices=0).tolist() == [0, 2, 3]


def test_graphs_are_kept_as_long_as_their_matrix():
    before = len(cache._kept)
    graph = EDGES.copy()
    ours.dijkstra(graph)
    made = cache.graph_of(graph, directed=True, use=Use.WEIGHTS)
    assert cache.graph_of(graph, directed=True, use=Use.WEIGHTS) is made
    assert len(cache._kept) == before + 1
    del graph
    assert len(cache._kept) == before


def test_the_matrix_is_left_alone():
    graph = scipy.sparse.csr_array((np.array([5.0, 3]), np.array([1, 1]), np.array([0, 2, 2])), shape=(2, 2))
    copy = graph.copy()
    for name in ("dijkstra", "bellman_ford", "johnson", "floyd_warshall"):
        getattr(ours, name)(graph, directed=False, return_predecessors=True)
    for part in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(graph, part), getattr(copy, part))


def test_threads_that_share_one_search_find_the_same(monkeypatch):
    graph = pf.generate.road_like(20_000, seed=1).to_scipy()
    expected, before = theirs.dijkstra(graph, indices=7, return_predecessors=True, limit=300_000)
    monkeypatch.setattr(rows, "_LARGE", 0)
    found, predecessors = ours.dijkstra(graph, indices=7, return_predecessors=True, limit=300_000)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(predecessors == -9999, before == -9999)


def test_large_graphs_have_the_same_distances():
    graph = pf.generate.road_like(20_000, seed=1).to_scipy()
    for weights in (graph.astype(np.float64), graph * 0.1, graph):
        indices = np.arange(0, 20_000, 1500).reshape(2, 7)
        expected = theirs.dijkstra(weights, indices=indices)
        dist, before = ours.dijkstra(weights, indices=indices, return_predecessors=True)
        np.testing.assert_array_equal(dist, expected)
        np.testing.assert_array_equal(ours.dijkstra(weights, indices=indices), expected)
        steps = np.flatnonzero(before[1, 3] != -9999)
        weight = np.asarray(weights[before[1, 3, steps], steps]).ravel()
        np.testing.assert_array_equal(dist[1, 3, before[1, 3, steps]] + weight, dist[1, 3, steps])


def test_entries_that_are_not_masked_are_arcs_where_weights_do_not_count():
    matrix = np.ma.masked_equal([[0, np.inf, 3], [0, 0, np.nan], [0, 0, 0]], 0)
    for name in ("dijkstra", "bellman_ford"):
        expected = getattr(theirs, name)(matrix, unweighted=True)
        np.testing.assert_array_equal(getattr(ours, name)(matrix, unweighted=True), expected)
    np.testing.assert_array_equal(ours.dijkstra(matrix), theirs.dijkstra(matrix))


def test_an_interrupt_ends_all_threads():
    graph = pf.generate.road_like(50_000, seed=1).to_scipy().astype(float)
    ours.dijkstra(graph, indices=0)
    with pytest.raises(pf.TimeLimitError), time_limited(0.2, None):
        ours.dijkstra(graph, indices=np.arange(2000), return_predecessors=True)


def test_without_scipy_the_error_names_what_to_install():
    code = (
        "import sys; sys.modules['scipy.sparse.csgraph'] = None\n"
        "import pathfront as pf\n"
        "try: pf.csgraph\n"
        "except pf.MissingExtraError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert run.stdout == "pathfront.csgraph needs scipy: pip install 'pathfront[scipy]'.\n", run.stderr
