"""Graphs from arrays and from other packages, and back; and the arrays that are refused."""

from __future__ import annotations

import pickle
import threading
import time

import networkx
import numpy as np
import pandas
import polars
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from pathfront.graph import build, csr
from zoo import WEIGHT_TYPES


def arcs(graph: pf.Graph) -> list[tuple]:
    weights = [None] * graph.m if graph.weights is None else graph.weights.tolist()
    return list(zip(graph.tails().tolist(), graph.heads.tolist(), weights, strict=True))


class TestFromEdges:
    def test_rows_keep_the_order_given(self):
        graph = pf.Graph.from_edges([1, 0, 1, 0], [2, 2, 0, 1], [4, 3, 2, 1])
        assert arcs(graph) == [(0, 2, 3), (0, 1, 1), (1, 2, 4), (1, 0, 2)]
        assert graph.offsets.tolist() == [0, 2, 4, 4]
        assert (graph.n, graph.m, graph.directed) == (3, 4, True)

    def test_undirected_edges_become_two_arcs_and_loops_one(self):
        graph = pf.Graph.from_edges([0, 1], [1, 1], [5, 6], directed=False)
        assert sorted(arcs(graph)) == [(0, 1, 5), (1, 0, 5), (1, 1, 6)]
        assert graph.reverse() is graph

    @pytest.mark.parametrize("dtype", [t for t in WEIGHT_TYPES if t])
    def test_weight_types_are_kept(self, dtype):
        assert pf.Graph.from_edges([0], [1], np.array([3], dtype)).weights.dtype == dtype

    @pytest.mark.parametrize(
        ("given_type", "kept"),
        [
            ("int8", "int32"),
            ("int16", "int32"),
            ("uint8", "uint32"),
            ("bool", "uint32"),
            ("float16", "float32"),
            (">i4", "int32"),
            (">f8", "float64"),
        ],
    )
    def test_other_types_are_widened_within_their_kind(self, given_type, kept):
        graph = pf.Graph.from_edges([0], [1], np.array([1], given_type))
        assert graph.weights.dtype == kept
        assert graph.weights.tolist() == [1]

    @pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "uint32", "int64", "uint64", ">i8"])
    def test_index_types(self, dtype):
        graph = pf.Graph.from_edges(np.array([0, 1], dtype), np.array([1, 2], "int64"))
        assert arcs(graph) == [(0, 1, None), (1, 2, None)]

    def test_strided_and_listed_input(self):
        both = np.array([[0, 1], [1, 2]])
        assert arcs(pf.Graph.from_edges(both[:, 0], both[:, 1])) == [(0, 1, None), (1, 2, None)]

    def test_empty(self):
        graph = pf.Graph.from_edges([], [])
        assert (graph.n, graph.m) == (0, 0)
        assert pf.Graph.from_edges([], [], n=3).offsets.tolist() == [0, 0, 0, 0]

    @examples(60)
    @given(st.data())
    def test_against_a_stable_sort(self, data):
        n = data.draw(st.integers(1, 20))
        m = data.draw(st.integers(0, 200))
        ids = st.lists(st.integers(0, n - 1), min_size=m, max_size=m)
        tails, heads = np.array(data.draw(ids), np.int64), np.array(data.draw(ids), np.int64)
        graph = pf.Graph.from_edges(tails, heads, np.arange(m), n=n)
        order = np.argsort(tails, kind="stable")
        assert graph.weights.tolist() == order.tolist()
        assert graph.heads.tolist() == heads[order].tolist()

    @pytest.mark.parametrize("threads", [1, 2, 3, 8, 20])
    @pytest.mark.parametrize("skew", ["even", "one_hub", "two_hubs", "falling"])
    def test_any_thread_count_gives_the_same_rows(self, threads, skew, monkeypatch):
        rng = np.random.default_rng(0)
        m, n = 300_000, 5000
        tails = {
            "even": rng.integers(0, n, m),
            "one_hub": np.full(m, 17),
            "two_hubs": rng.choice([3, 4999], m),
            "falling": (n * rng.random(m) ** 6).astype(np.int64),
        }[skew]
        heads = rng.integers(0, n, m)
        for module in (build, csr):
            monkeypatch.setattr(module, "available_cores", lambda: threads)
        for directed in (True, False):
            graph = pf.Graph.from_edges(tails, heads, np.arange(m), n=n, directed=directed)
            if directed:
                assert np.array_equal(graph.weights, np.argsort(tails, kind="stable"))
            graph.check()
            twice = graph.reverse().reverse()
            assert twice is graph
            assert np.array_equal(np.bincount(graph.heads, minlength=n), np.diff(graph.reverse().offsets))


class TestBadInput:
    @pytest.mark.parametrize(
        ("arguments", "options", "error", "message"),
        [
            (([0, 1], [1]), {}, pf.ArgumentError, r"tails has 2 entries, but heads has 1\."),
            (([0], [1], [1, 2]), {}, pf.ArgumentError, r"weights has 2 entries, but tails has 1\."),
            (([0], [5]), {"n": 3}, pf.VertexError, r"heads\[0\] is 5, but n is 3: raise it, or leave it out\."),
            (([0, 7], [1, 1]), {"n": 3}, pf.VertexError, r"tails\[1\] is 7"),
            (([0, -1], [1, 1]), {}, pf.VertexError, r"tails\[1\] is -1"),
            (([0], [2**32 - 2]), {}, pf.VertexError, r"heads\[0\] is 4294967294"),
            (([0], [2**40]), {}, pf.VertexError, r"heads\[0\] is 1099511627776"),
            ((np.array([0], np.uint64), np.array([2**63], np.uint64)), {}, pf.VertexError, "9223372036854775808"),
            ((np.array([0], np.int64), np.array([2**63], np.uint64)), {}, pf.VertexError, "9223372036854775808"),
            (([0], [1]), {"n": 2**32 - 1}, pf.ArgumentError, r"n is 4294967295, but it must be at most 4294967294"),
            (([0], [1]), {"n": -1}, pf.ArgumentError, r"n is -1, but it must be at least 0"),
            (([0], [1]), {"n": 2.0}, pf.ArgumentTypeError, r"n is 2\.0, a float"),
            (([0], [1]), {"n": True}, pf.ArgumentTypeError, "truth value"),
            (
                ([0.0], [1.0]),
                {},
                pf.ArgumentTypeError,
                r"tails has elements of type float64, but vertices are integers",
            ),
            ((["a"], ["b"]), {}, pf.ArgumentTypeError, "from_dataframe for names"),
            (([[0]], [[1]]), {}, pf.ArgumentError, r"tails has 2 dimensions"),
            (([0], [1], [1j]), {}, pf.ArgumentTypeError, r"weights has elements of type complex128; use one of uint32"),
            (([0], [1], ["x"]), {}, pf.ArgumentTypeError, "weights has elements of type"),
            (([0], [1], [None]), {}, pf.ArgumentTypeError, "object"),
            (([0, 0], [1, 1], [1.0, float("nan")]), {}, pf.WeightError, r"weights\[1\] is nan; weights must be finite"),
            (([0], [1], [float("inf")]), {}, pf.WeightError, r"weights\[0\] is inf.*leave out edges"),
            (([0], [1], [float("-inf")]), {}, pf.WeightError, r"weights\[0\] is -inf"),
            (([0], [1]), {"labels": ["a"]}, pf.ArgumentError, "labels has 1 entries, but the graph has 2 vertices"),
            (([0], [1]), {"labels": ["a", "a"]}, pf.ArgumentError, "1 repeated names"),
            (
                ([0], [1]),
                {"labels": ["a", float("nan")]},
                pf.ArgumentError,
                r"labels\[1\] is nan, which equals no name",
            ),
            (([0], [1]), {"labels": np.array([np.nan, 1.0])}, pf.ArgumentError, r"labels\[0\] is nan"),
            (([0], [1]), {"coordinates": [[1, 2]]}, pf.ArgumentError, r"coordinates has shape \(1, 2\)"),
            (([0], [1]), {"coordinates": [[1, 2], [np.nan, 0]]}, pf.ArgumentError, "NaN"),
        ],
    )
    def test_from_edges(self, arguments, options, error, message):
        with pytest.raises(error, match=message):
            pf.Graph.from_edges(*arguments, **options)

    @pytest.mark.parametrize(
        ("arguments", "error", "message"),
        [
            (([], []), pf.ArgumentError, "offsets is empty"),
            (([1, 1], [0]), pf.ArgumentError, r"offsets\[0\] is 1, but offsets must start at 0"),
            (([0, 2, 1], [0]), pf.ArgumentError, r"offsets\[2\] is 1"),
            (([0, 2], [0]), pf.ArgumentError, r"offsets\[1\] is 2"),
            (([0, 0], [0]), pf.ArgumentError, r"end at the number of heads, 1"),
            (([0, 1], [1]), pf.VertexError, r"heads\[0\] is 1"),
            (([0, 1], [-1]), pf.VertexError, r"heads\[0\] is -1"),
            (([0, 1], [2**33]), pf.VertexError, r"heads\[0\] is 8589934592"),
            ((np.array([0, 2**63], np.uint64), [0]), pf.ArgumentError, "offsets must not be larger"),
            (([0, 1], [0], [np.nan]), pf.WeightError, r"weights\[0\] is nan"),
        ],
    )
    def test_from_csr(self, arguments, error, message):
        with pytest.raises(error, match=message):
            pf.Graph.from_csr(*arguments)

    def test_a_damaged_row_deep_inside_is_named(self):
        offsets = np.arange(200_001)
        heads = np.zeros(200_000, np.int64)
        offsets[150_000] = 7
        with pytest.raises(pf.ArgumentError, match=r"offsets\[150000\] is 7"):
            pf.Graph.from_csr(offsets, heads)
        heads[123_456] = 200_000
        with pytest.raises(pf.VertexError, match=r"heads\[123456\] is 200000"):
            pf.Graph.from_csr(np.arange(200_001), heads)

    def test_the_first_bad_weight_deep_inside_is_named(self):
        weights = np.ones(300_000)
        weights[[123_457, 290_000]] = np.nan
        with pytest.raises(pf.WeightError, match=r"weights\[123457\] is nan"):
            pf.Graph.from_edges(np.zeros(300_000, int), np.zeros(300_000, int), weights)

    def test_graph_cannot_be_called(self):
        with pytest.raises(pf.ArgumentTypeError, match=r"use Graph\.from_edges"):
            pf.Graph()


class TestImmutable:
    def test_views_are_read_only_and_share_memory(self):
        graph = pf.generate.grid(3, 3)
        for name in ("offsets", "heads", "weights", "coordinates"):
            view = getattr(graph, name)
            with pytest.raises(ValueError, match="read-only"):
                view[0] = 0
            assert np.shares_memory(view, getattr(graph, name))

    def test_input_arrays_stay_the_callers(self):
        offsets, heads, weights = np.array([0, 1, 1]), np.array([1], np.uint32), np.array([5], np.uint32)
        graph = pf.Graph.from_csr(offsets, heads, weights)
        heads[0], weights[0] = 99, 99
        assert arcs(graph) == [(0, 1, 5)]

    def test_copy_false_shares(self):
        offsets, heads = np.array([0, 1, 1], np.int64), np.array([1], np.uint32)
        graph = pf.Graph.from_csr(offsets, heads, copy=False)
        assert np.shares_memory(graph.heads, heads)
        assert not heads.flags.writeable

    def test_pickle(self):
        graph = pf.generate.grid(4, 5, seed=3)
        again = pickle.loads(pickle.dumps(graph))
        assert arcs(again) == arcs(graph)
        assert again.directed == graph.directed
        assert np.array_equal(again.coordinates, graph.coordinates)

    def test_reverse_is_kept_and_frees_with_its_graph(self):
        import gc
        import weakref

        graph = pf.Graph.from_edges([0, 1, 1], [2, 2, 0], [1, 2, 3])
        assert arcs(graph.reverse()) == [(0, 1, 3), (2, 0, 1), (2, 1, 2)]
        assert graph.reverse() is graph.reverse()
        gone = weakref.ref(graph.reverse())
        gc.disable()
        try:
            del graph
            assert gone() is None
        finally:
            gc.enable()


class TestOthers:
    def test_summaries(self):
        graph = pf.Graph.from_edges([0, 0, 1], [1, 2, 2], [-4, 10, 3])
        assert graph.degree_summary() == pf.graph.DegreeSummary(2, 1.0)
        summary = graph.weight_summary()
        assert (summary.lightest, summary.heaviest, summary.mean, summary.first_negative) == (-4, 10, 3.0, 0)

    def test_a_reversed_graph_has_its_own_summary(self):
        graph = pf.Graph.from_edges([0, 1], [2, 0], [-4, 3])
        assert graph.weight_summary().first_negative == 0
        assert graph.reverse().weights.tolist() == [3, -4]
        assert graph.reverse().weight_summary().first_negative == 1

    def test_with_weights_shares_the_structure(self):
        graph = pf.Graph.from_edges([0, 1], [1, 2], [5, 7])
        other = graph.with_weights([1.5, 2.5])
        assert np.shares_memory(graph.heads, other.heads)
        assert pf.shortest_paths(other, 0).distance.tolist() == [0, 1.5, 4.0]
        with pytest.raises(pf.ArgumentError, match="weights has 3 entries, but the graph has 2 arcs"):
            graph.with_weights([1, 2, 3])
        with pytest.raises(pf.WeightError, match=r"weights\[1\] is nan"):
            graph.with_weights([1, np.nan])

    def test_with_weights_of_an_undirected_graph_must_match(self):
        graph = pf.Graph.from_edges([0], [1], [5], directed=False)
        with pytest.raises(pf.ArgumentError, match=r"the arc \d+ -> \d+.* has no opposite of the same weight"):
            graph.with_weights([1, 2])

    def test_from_csr_checks_symmetry(self):
        with pytest.raises(pf.ArgumentError, match="no opposite"):
            pf.Graph.from_csr([0, 1, 1], [1], directed=False)
        parallel = pf.Graph.from_csr([0, 2, 4], [1, 1, 0, 0], [1, 2, 2, 1], directed=False)
        assert not parallel.directed
        with pytest.raises(pf.ArgumentError, match="no opposite"):
            pf.Graph.from_csr([0, 2, 4], [1, 1, 0, 0], [1, 2, 2, 2], directed=False)

    @pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
    def test_simplified(self, dtype):
        weights = None if dtype is None else np.array([5, 3, 9, 2, 2], dtype)
        graph = pf.Graph.from_edges([0, 0, 1, 1, 1], [1, 1, 1, 2, 0], weights).simplified()
        kept = [None] * 3 if dtype is None else [3, 2, 2]
        assert arcs(graph) == [(0, 1, kept[0]), (1, 0, kept[1]), (1, 2, kept[2])]

    def test_edges_round_trip(self):
        for directed in (True, False):
            graph = pf.generate.random(50, 300, seed=1, directed=directed)
            again = pf.Graph.from_edges(*graph.to_edges(), n=graph.n, directed=directed)
            assert sorted(arcs(again)) == sorted(arcs(graph))

    def test_labels(self):
        graph = pf.Graph.from_edges([0, 1], [1, 2], labels=["a", "b", "c"])
        assert graph.vertex("c") == 2
        assert graph.vertex(pf.index(1)) == 1
        with pytest.raises(pf.VertexError, match="no vertex is named 'z'"):
            graph.vertex("z")
        with pytest.raises(pf.VertexError, match="this graph has no labels"):
            pf.generate.grid(2, 2).index_of("a")
        numbered = pf.Graph.from_edges([0], [1], labels=[30, 8297])
        assert numbered.index_of(8297) == 1
        assert repr(numbered) == "Graph(n=2, m=1, directed, no weights, labels)"


class TestScipy:
    def test_round_trip(self):
        graph = pf.generate.random(40, 200, seed=2).simplified()
        again = pf.Graph.from_scipy(graph.to_scipy())
        assert arcs(again) == arcs(graph)

    @pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil", "dok"])
    def test_kinds(self, kind):
        matrix = scipy.sparse.coo_array(([2.5, 1.0], ([0, 2], [1, 0])), shape=(3, 3)).asformat(kind)
        assert sorted(arcs(pf.Graph.from_scipy(matrix))) == [(0, 1, 2.5), (2, 0, 1.0)]

    @pytest.mark.parametrize("kind", ["csr", "coo"])
    def test_entries_of_one_place_are_added_up(self, kind):
        matrix = scipy.sparse.csr_array((np.array([2, 3]), np.array([1, 1]), np.array([0, 2, 2])), shape=(2, 2))
        assert arcs(pf.Graph.from_scipy(matrix.asformat(kind))) == [(0, 1, 5)]
        assert matrix.nnz == 2  # the caller's matrix stays as it was

    def test_stored_zeros_are_edges(self):
        matrix = scipy.sparse.csr_array((np.array([0]), np.array([1]), np.array([0, 1, 1])), shape=(2, 2))
        assert arcs(pf.Graph.from_scipy(matrix)) == [(0, 1, 0)]

    def test_refusals(self):
        with pytest.raises(pf.ArgumentError, match=r"shape \(2, 3\), but a graph needs a square one"):
            pf.Graph.from_scipy(scipy.sparse.csr_array((2, 3)))
        with pytest.raises(pf.ArgumentTypeError, match="complex128"):
            pf.Graph.from_scipy(scipy.sparse.csr_array(np.array([[0, 1j], [0, 0]])))
        with pytest.raises(pf.ArgumentTypeError, match=r"use Graph\.from_dense"):
            pf.Graph.from_scipy(np.zeros((2, 2)))
        with pytest.raises(pf.ArgumentError, match=r"simplified\(\)"):
            pf.Graph.from_edges([0, 0], [1, 1], [1, 2]).to_scipy()
        with pytest.raises(pf.ArgumentError, match=r"simplified\(\)"):
            pf.Graph.from_edges([0, 0], [0, 0], [1, 2]).to_scipy()


class TestDense:
    @pytest.mark.parametrize(
        ("no_edge", "expected"),
        [
            (0, [(0, 1, 2.0), (1, 0, -1.0)]),
            (-1, [(0, 0, 0.0), (0, 1, 2.0), (1, 1, 0.0)]),
            (None, [(0, 0, 0.0), (0, 1, 2.0), (1, 0, -1.0), (1, 1, 0.0)]),
            (np.nan, [(0, 0, 0.0), (0, 1, 2.0), (1, 0, -1.0), (1, 1, 0.0)]),
        ],
    )
    def test_no_edge(self, no_edge, expected):
        assert arcs(pf.Graph.from_dense([[0.0, 2.0], [-1.0, 0.0]], no_edge=no_edge)) == expected

    def test_infinity_and_nan_may_mean_no_edge(self):
        assert arcs(pf.Graph.from_dense([[np.inf, 0.0], [1.0, np.inf]], no_edge=np.inf)) == [(0, 1, 0.0), (1, 0, 1.0)]
        assert arcs(pf.Graph.from_dense([[np.nan, 0.0], [1.0, np.nan]], no_edge=np.nan)) == [(0, 1, 0.0), (1, 0, 1.0)]

    def test_refusals(self):
        with pytest.raises(TypeError, match="no_edge"):
            pf.Graph.from_dense([[0]])
        with pytest.raises(pf.ArgumentError, match=r"matrix\[0, 0\] is inf.*should it be inf"):
            pf.Graph.from_dense([[np.inf]], no_edge=0)
        with pytest.raises(pf.ArgumentError, match="square"):
            pf.Graph.from_dense([[1, 2]], no_edge=0)
        with pytest.raises(pf.ArgumentTypeError, match="no_edge is 'x'"):
            pf.Graph.from_dense([[1]], no_edge="x")
        with pytest.raises(pf.ArgumentTypeError, match="matrix is not rectangular"):
            pf.Graph.from_dense([[1, 2], [3]], no_edge=0)
        assert pf.Graph.from_dense([], no_edge=0).n == 0
        assert pf.Graph.from_dense([[1]], no_edge=10**400).m == 1


class TestNetworkx:
    def test_round_trip_of_every_kind(self):
        for kind in (networkx.Graph, networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph):
            source = kind()
            source.add_weighted_edges_from([("a", "b", 2), ("b", "c", 3), ("c", "c", 0)])
            if source.is_multigraph():
                source.add_edge("a", "b", weight=1)
            again = pf.Graph.from_networkx(source).to_networkx()
            assert type(again) is kind
            assert sorted(again.edges(data="weight")) == sorted(source.edges(data="weight"))
            assert list(again.nodes) == list(source.nodes)

    def test_agrees_with_networkx(self):
        source = networkx.gnp_random_graph(60, 0.1, seed=4, directed=True)
        for i, (u, v) in enumerate(source.edges):
            source.edges[u, v]["km"] = (i * 37) % 23
        paths = pf.shortest_paths(pf.Graph.from_networkx(source, weight="km"), 0)
        expected = networkx.single_source_dijkstra_path_length(source, 0, weight="km")
        assert {v: paths.distance_to(v) for v in np.flatnonzero(paths.reached).tolist()} == dict(expected)

    def test_weights_present_absent_or_mixed(self):
        assert pf.Graph.from_networkx(networkx.path_graph(3)).weights is None
        mixed = networkx.Graph()
        mixed.add_edge("a", "b", weight=1)
        mixed.add_edge("b", "c")
        with pytest.raises(pf.ArgumentError, match=r"edge \('b', 'c'\) has no value of 'weight' while others do"):
            pf.Graph.from_networkx(mixed)
        assert pf.Graph.from_networkx(mixed, weight=None).weights is None

    def test_tuples_may_be_names(self):
        graph = pf.Graph.from_networkx(networkx.grid_2d_graph(3, 3))
        assert pf.shortest_paths(graph, (0, 0)).distance_to((2, 2)) == 4

    def test_refusals(self):
        with pytest.raises(pf.ArgumentTypeError, match="not a networkx graph"):
            pf.Graph.from_networkx([1, 2])
        weighted = networkx.Graph([("a", "b", {"km": 3})])
        with pytest.raises(pf.ArgumentError, match=r"weight is 'kn', but no edge has such an attribute"):
            pf.Graph.from_networkx(weighted, weight="kn")
        with pytest.raises(pf.ArgumentTypeError, match="weight is a function"):
            pf.Graph.from_networkx(weighted, weight=lambda u, v, data: 1)


@pytest.mark.parametrize("frame_type", [pandas.DataFrame, polars.DataFrame, dict], ids=["pandas", "polars", "dict"])
class TestDataframe:
    def make(self, frame_type, columns):
        return {k: np.array(v) for k, v in columns.items()} if frame_type is dict else frame_type(columns)

    def test_names(self, frame_type):
        frame = self.make(frame_type, {"u": ["x", "y", "x"], "v": ["y", "z", "z"], "w": [1, 2, 9]})
        graph = pf.Graph.from_dataframe(frame, "u", "v", "w")
        assert graph.labels.tolist() == ["x", "y", "z"]
        assert pf.shortest_paths(graph, "x").distance_to("z") == 3

    def test_integers_with_gaps(self, frame_type):
        frame = self.make(frame_type, {"u": [10, 20], "v": [20, 70]})
        graph = pf.Graph.from_dataframe(frame, "u", "v", directed=False)
        assert graph.labels.tolist() == [10, 20, 70]
        assert graph.m == 4
        plain = pf.Graph.from_dataframe(self.make(frame_type, {"u": [0, 1], "v": [1, 2]}), "u", "v")
        assert plain.labels is None

    def test_huge_ids(self, frame_type):
        frame = self.make(frame_type, {"u": [2**60, 5], "v": [5, 2**61]})
        assert pf.Graph.from_dataframe(frame, "u", "v").labels.tolist() == [5, 2**60, 2**61]

    def test_refusals(self, frame_type):
        frame = self.make(frame_type, {"u": [0, 1], "v": [1.5, 2.0], "w": ["a", "b"]})
        with pytest.raises(pf.ArgumentError, match="tail is 'q', but the columns of frame are u, v, w"):
            pf.Graph.from_dataframe(frame, "q", "v")
        with pytest.raises(pf.ArgumentTypeError, match="head='v' is a column of floats"):
            pf.Graph.from_dataframe(frame, "u", "v")
        with pytest.raises(pf.ArgumentTypeError, match="weight='w' is not a column of numbers"):
            pf.Graph.from_dataframe(frame, "u", "u", "w")


def test_what_is_no_table_is_refused():
    for frame in (None, [1, 2], "roads.csv", np.zeros((2, 2))):
        with pytest.raises(pf.ArgumentTypeError, match=r"frame is an? .*; give a table"):
            pf.Graph.from_dataframe(frame, "u", "v")
    with pytest.raises(pf.ArgumentTypeError, match="tail='u' is a dict, no column"):
        pf.Graph.from_dataframe({"u": {0: 1}, "v": {0: 2}}, "u", "v")


def test_missing_names_are_refused():
    frame = pandas.DataFrame({"u": ["a", None], "v": ["b", "c"]})
    with pytest.raises(pf.ArgumentError, match="tail='u' has missing values"):
        pf.Graph.from_dataframe(frame, "u", "v")


@pytest.mark.parametrize("missing", [pandas.array(["a", None], "string"), pandas.Categorical(["a", None])])
def test_pandas_has_its_own_missing_names(missing):
    with pytest.raises(pf.ArgumentError, match="tail='u' has missing values"):
        pf.Graph.from_dataframe(pandas.DataFrame({"u": missing, "v": ["b", "c"]}), "u", "v")


def test_ids_with_and_without_sign_do_not_meet_as_floats():
    ids = 2**60 + np.arange(1, 5)
    graph = pf.Graph.from_dataframe({"u": ids[:2], "v": ids[2:].astype(np.uint64)}, "u", "v")
    assert graph.labels.tolist() == ids.tolist()


def test_tables_that_hold_nothing_or_are_not_yet_tables():
    assert pf.Graph.from_dataframe(pandas.DataFrame({"u": [], "v": []}), "u", "v").n == 0
    with pytest.raises(pf.ArgumentTypeError, match="frame is a LazyFrame, not yet a table; collect it first"):
        pf.Graph.from_dataframe(polars.LazyFrame({"u": [0], "v": [1]}), "u", "v")


class TestAtTheDoor:
    def test_nothing_hides_behind_a_mask(self):
        masked = np.ma.array([1, 2], mask=[False, True])
        for arrays in ((masked, [1, 2], [3, 4]), ([0, 1], masked, [3, 4]), ([0, 1], [1, 2], masked)):
            with pytest.raises(pf.ArgumentError, match="has masked entries"):
                pf.Graph.from_edges(*arrays)
        with pytest.raises(pf.ArgumentError, match="matrix has masked entries"):
            pf.Graph.from_dense(np.ma.array([[1, 2], [3, 4]], mask=[[1, 0], [0, 1]]), no_edge=0)
        assert pf.Graph.from_edges([0, 1], [1, 2], np.ma.array([1, 2])).m == 2

    def test_lists_of_large_integers_stay_integers(self):
        graph = pf.Graph.from_edges([0, 1], [1, 2], [2**63 + 1, 1])
        assert graph.weights.tolist() == [2**63 + 1, 1]
        with pytest.raises(pf.ArgumentError, match="weights holds integers below 0 and from"):
            pf.Graph.from_edges([0, 1], [1, 2], [2**63, -1])
        assert pf.Graph.from_edges([0, 1], [1, 2], [1e300, 1]).weights.dtype == np.float64

    @pytest.mark.parametrize("wrong", ["no", None, 0])
    def test_directed_is_a_truth_value(self, wrong):
        with pytest.raises(pf.ArgumentTypeError, match=f"directed is {wrong!r}"):
            pf.Graph.from_edges([0], [1], directed=wrong)
        with pytest.raises(pf.ArgumentTypeError, match=f"directed is {wrong!r}"):
            pf.Graph.from_csr([0, 0], [], directed=wrong)

    def test_labels_that_cannot_be(self):
        with pytest.raises(pf.ArgumentTypeError, match="labels is 5, an int"):
            pf.Graph.from_edges([0], [1], labels=5)
        with pytest.raises(pf.ArgumentTypeError, match=r"labels cannot be looked up .*list"):
            pf.Graph.from_edges([0], [1], labels=[["a"], ["b"]])

    def test_coordinates_that_are_no_table(self):
        with pytest.raises(pf.ArgumentTypeError, match="coordinates is not rectangular"):
            pf.Graph.from_edges([0], [1], coordinates=[[0, 1], [2]])


def test_integer_labels_in_and_out_of_order():
    for names in ([3, 10, 2**62], [10, 3, 2**62], np.array([3, 10, 2**64 - 1], np.uint64)):
        graph = pf.Graph.from_edges([0, 1], [1, 2], labels=names)
        assert [graph.index_of(name) for name in graph.labels.tolist()] == [0, 1, 2]
        assert graph.index_of(np.int64(10)) == list(names).index(10)
        for wrong in (4, -1, 10**30, "3"):
            with pytest.raises(pf.VertexError, match="no vertex is named"):
                graph.index_of(wrong)
        with pytest.raises(pf.ArgumentTypeError, match="not hashable"):
            graph.index_of([3])


def test_scipy_may_change_its_matrix():
    graph = pf.Graph.from_edges([0, 0], [2, 1], [10.0, 4.0])
    matrix = graph.to_scipy()
    matrix.sort_indices()
    matrix *= 2
    assert matrix.toarray()[0].tolist() == [0, 8, 20]
    assert graph.weights.tolist() == [10, 4]


def test_parallel_arcs_are_not_given_to_scipy():
    for tails, heads in (([0, 0], [1, 1]), ([1, 0, 1], [1, 1, 1]), ([0, 0, 0], [1, 0, 1])):
        with pytest.raises(pf.ArgumentError, match="parallel arcs"):
            pf.Graph.from_edges(tails, heads).to_scipy()
    assert pf.Graph.from_edges([0, 0, 1, 1], [0, 1, 1, 0]).to_scipy().nnz == 4


@pytest.mark.parametrize(
    ("offsets", "heads", "weights", "arc"),
    [
        ([0, 1, 1], [1], None, "0 -> 1 has"),
        ([0, 0, 1], [0], None, "1 -> 0 has"),
        ([0, 1, 2], [1, 0], [3, 4], "0 -> 1 of weight 3 has"),
        ([0, 2, 4], [1, 1, 0, 0], [1, 2, 2, 2], "0 -> 1 of weight 1 has"),
    ],
)
def test_an_arc_without_its_opposite_is_named(offsets, heads, weights, arc):
    with pytest.raises(pf.ArgumentError, match=f"the arc {arc} no opposite"):
        pf.Graph.from_csr(offsets, heads, weights, directed=False)


class TestDerived:
    def test_two_threads_make_a_value_once(self):
        graph = pf.Graph.from_edges([0, 1], [1, 2], [5, 7])
        both, made, found = threading.Barrier(2), [], []

        def make():
            made.append(threading.get_ident())
            time.sleep(0.05)  # long enough for the other thread to ask, too
            return object()

        def ask():
            both.wait()
            found.append(graph.derived("value", make))

        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(made) == 1
        assert found[0] is found[1] is graph.derived("value", make)

    def test_a_variant_replaces_the_one_before(self):
        graph = pf.Graph.from_edges([0], [1])
        assert [graph.derived("value", lambda v=v: [v], variant=v)[0] for v in (1, 2, 2, 1)] == [1, 2, 2, 1]

    def test_a_value_that_fails_is_made_again(self):
        graph = pf.Graph.from_edges([0], [1])
        with pytest.raises(ZeroDivisionError):
            graph.derived("value", lambda: 1 // 0)
        assert graph.derived("value", lambda: graph.derived("other", lambda: 3)) == 3
