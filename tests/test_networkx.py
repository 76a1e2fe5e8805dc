"""The NetworkX backend against NetworkX itself."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

import _pathfront_networkx
from pathfront.networkx import convert, interface
from pathfront.networkx.registry import FUNCTIONS


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Leave out NetworkX's warning that it uses a cached conversion."""
    nx.config.warnings_to_ignore.add("cache")
    yield
    nx.config.warnings_to_ignore.discard("cache")


KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
WEIGHTS = st.one_of(st.none(), st.integers(0, 9), st.sampled_from([0.1, 0.2, 0.3, 2.5, 2**40]))


@st.composite
def networks(draw: st.DrawFn, weights: st.SearchStrategy[Any] = WEIGHTS) -> Any:
    """Return a graph of some kind, of which some edges have no weight."""
    graph = draw(st.sampled_from(KINDS))()
    nodes = draw(st.permutations(["a", ("b", 1), 2, 3.5, frozenset({5}), "f", 7]))[: draw(st.integers(1, 7))]
    graph.add_nodes_from(nodes)
    ends = st.tuples(st.sampled_from(nodes), st.sampled_from(nodes), weights)
    for tail, head, weight in draw(st.lists(ends, max_size=20)):
        graph.add_edge(tail, head, **({} if weight is None else {"weight": weight}))
    return graph


class TestBackend:
    def test_the_info_package_lists_the_functions(self):
        assert sorted(_pathfront_networkx.FUNCTIONS) == sorted(FUNCTIONS)
        assert "pathfront" in nx.utils.backends.backend_info

    def test_the_info_package_imports_nothing(self):
        code = (
            "import sys, _pathfront_networkx as info; info.get_info(); print({'numpy', 'pathfront'} & {*sys.modules})"
        )
        assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "set()"

    def test_without_networkx_the_error_names_the_extra(self):
        code = "import sys; sys.modules['networkx'] = None; import pathfront.networkx"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.returncode != 0
        assert 'pip install "pathfront[networkx]"' in done.stderr

    @pytest.mark.parametrize("name", sorted(FUNCTIONS))
    def test_signatures_are_those_of_networkx(self, name):
        theirs = inspect.signature(nx.utils.backends._registered_algorithms[name].orig_func)
        ours = inspect.signature(FUNCTIONS[name])
        for mine, other in zip(ours.parameters.values(), theirs.parameters.values(), strict=True):
            assert (mine.name, mine.kind, mine.default) == (other.name, other.kind, other.default)

    @given(networks())
    @examples(100)
    def test_there_and_back(self, graph):
        back = interface.backend.convert_to_nx(convert(graph))
        assert type(back) is type(graph)
        assert nx.utils.graphs_equal(back, graph)


CALLS = {
    "dijkstra_path": lambda s, t, c: (s, t),
    "dijkstra_path_length": lambda s, t, c: (s, t),
    "single_source_dijkstra": lambda s, t, c: (s, None, c),
    "single_source_dijkstra_path": lambda s, t, c: (s, c),
    "single_source_dijkstra_path_length": lambda s, t, c: (s, c),
    "multi_source_dijkstra": lambda s, t, c: ([t, s, t], None, c),
    "multi_source_dijkstra_path": lambda s, t, c: ({s, t}, c),
    "multi_source_dijkstra_path_length": lambda s, t, c: ([s, t], c),
    "all_pairs_dijkstra": lambda s, t, c: (c,),
    "all_pairs_dijkstra_path": lambda s, t, c: (c,),
    "all_pairs_dijkstra_path_length": lambda s, t, c: (c,),
    "astar_path": lambda s, t, c: (s, t),
    "astar_path_length": lambda s, t, c: (s, t, lambda u, v: len(str(u)) / 7),
    "johnson": lambda s, t, c: (),
    "single_source_shortest_path": lambda s, t, c: (s, c),
    "single_source_shortest_path_length": lambda s, t, c: (s, c),
    "all_pairs_shortest_path": lambda s, t, c: (c,),
    "all_pairs_shortest_path_length": lambda s, t, c: (c,),
    "predecessor": lambda s, t, c: (s, None, c, True),
    "has_path": lambda s, t, c: (s, t),
}
"""Functions whose answers are those of networkx in every respect, and their arguments for two nodes and a cutoff."""

CALLS_BUT_FOR_ORDER = {
    "dijkstra_predecessor_and_distance": lambda s, t, c: (s, c),
    "single_target_shortest_path_length": lambda s, t, c: (t, c),
    "bidirectional_dijkstra": lambda s, t, c: (s, t),
    "bellman_ford_path_length": lambda s, t, c: (s, t),
    "single_source_bellman_ford_path_length": lambda s, t, c: (s,),
    "all_pairs_bellman_ford_path_length": lambda s, t, c: (),
    "bellman_ford_predecessor_and_distance": lambda s, t, c: (s,),
    "goldberg_radzik": lambda s, t, c: (s,),
    "negative_edge_cycle": lambda s, t, c: (),
    "find_negative_cycle": lambda s, t, c: (s,),
    "shortest_path_length": lambda s, t, c: (s, t, "weight"),
    "average_shortest_path_length": lambda s, t, c: ("weight",),
    "all_shortest_paths": lambda s, t, c: (s, t, "weight"),
    "single_source_all_shortest_paths": lambda s, t, c: (s, "weight", "bellman-ford"),
    "all_pairs_all_shortest_paths": lambda s, t, c: ("weight",),
    "floyd_warshall": lambda s, t, c: (),
    "floyd_warshall_numpy": lambda s, t, c: (),
}
"""Functions whose answers may differ in order, or in which of equally short paths they are."""


def answer(name: str, graph: Any, arguments: tuple[Any, ...], **more: Any) -> Any:
    """Return what a call returns, iterators as lists, or the error that it raises."""
    try:
        found = getattr(nx, name)(graph, *arguments, **more)
        return list(found) if isinstance(found, Iterator) else found
    except (nx.NetworkXException, ValueError) as error:
        return type(error), error.args


def in_order(found: Any) -> Any:
    """Return an answer with dictionaries as lists of pairs, so that their order counts."""
    if isinstance(found, dict):
        return [(key, in_order(value)) for key, value in found.items()]
    return [in_order(each) for each in found] if isinstance(found, list | tuple) else found


def without_order(found: Any, name: str = "") -> Any:
    """Return what must be equal of an answer: dictionaries and lists as sets, of a path its length."""
    if name == "bidirectional_dijkstra" or (name == "goldberg_radzik" and isinstance(found[0], dict)):
        return without_order(found[name == "goldberg_radzik"])
    if name in ("find_negative_cycle", "johnson"):
        return type(found)
    if isinstance(found, float | np.ndarray):
        return np.round(np.nan_to_num(found, posinf=-1), 9).tolist()
    if isinstance(found, dict):
        return frozenset((key, without_order(value)) for key, value in found.items())
    return frozenset(map(without_order, found)) if isinstance(found, list | tuple) else found


ENDLESS = {"astar_path", "astar_path_length"}
"""Functions that go around a negative cycle for ever."""

ENDS = st.integers(0, 6)
CUTOFFS = st.sampled_from([None, 0, -1, 2, 3.5, float("inf"), float("nan")])
INTEGERS = st.one_of(st.none(), st.integers(-3, 9))


def arguments_for(calls: Any, name: str, graph: Any, ends: tuple[int, int], cutoff: Any) -> tuple[Any, ...]:
    nodes = [*graph, "no node"]
    given: tuple[Any, ...] = calls[name](*(nodes[end % len(nodes)] for end in ends), cutoff)
    return given


class TestAnswers:
    @pytest.mark.parametrize("name", sorted(CALLS))
    @given(networks(), st.tuples(ENDS, ENDS), CUTOFFS)
    @examples(60)
    def test_are_those_of_networkx(self, name, graph, ends, cutoff):
        arguments = arguments_for(CALLS, name, graph, ends, cutoff)
        found = answer(name, graph, arguments, backend="pathfront")
        assert in_order(found) == in_order(answer(name, graph, arguments, backend="networkx"))

    @pytest.mark.parametrize("name", sorted(CALLS_BUT_FOR_ORDER))
    @given(networks(), st.tuples(ENDS, ENDS))
    @examples(60)
    def test_are_those_of_networkx_but_for_order(self, name, graph, ends):
        arguments = arguments_for(CALLS_BUT_FOR_ORDER, name, graph, ends, None)
        found = answer(name, graph, arguments, backend="pathfront")
        assert without_order(found, name) == without_order(answer(name, graph, arguments, backend="networkx"), name)

    @pytest.mark.parametrize("name", sorted((CALLS_BUT_FOR_ORDER | CALLS).keys() - ENDLESS))
    @given(networks(INTEGERS), st.tuples(ENDS, ENDS))
    @examples(60)
    def test_with_negative_weights(self, name, graph, ends):
        arguments = arguments_for(CALLS_BUT_FOR_ORDER | CALLS, name, graph, ends, None)
        try:
            found = answer(name, graph, arguments, backend="pathfront")
        except NotImplementedError:
            assert name.startswith(("floyd", "average"))
            return
        assert without_order(found, name) == without_order(answer(name, graph, arguments, backend="networkx"), name)


def conversions(graph: Any) -> dict[Any, Any]:
    """Return what networkx keeps with a graph."""
    kept: dict[Any, Any] = graph.__networkx_cache__.get("backends", {}).get("pathfront", {})
    return kept


def lengths(graph: Any, source: Any, **more: Any) -> dict[Any, Any]:
    found: dict[Any, Any] = nx.single_source_dijkstra_path_length(graph, source, backend="pathfront", **more)
    return found


class TestConversion:
    @pytest.mark.parametrize("kind", KINDS)
    def test_a_missing_weight_is_one_and_none_hides_the_edge(self, kind):
        graph = kind([("a", "b"), ("b", "c"), ("a", "c", {"weight": 5}), ("c", "d", {"weight": None})])
        assert lengths(graph, "a") == {"a": 0, "b": 1, "c": 2}
        with pytest.raises(NotImplementedError):
            nx.bellman_ford_path_length(graph, "a", "b", backend="pathfront")
        assert nx.single_source_shortest_path_length(graph, "a", backend="pathfront")["d"] == 2

    def test_a_weight_may_be_a_function_that_hides_edges(self):
        graph = nx.DiGraph([(0, 1, {"lanes": 2}), (1, 2, {"lanes": 1}), (0, 2, {"lanes": 9})])
        assert lengths(graph, 0, weight=lambda u, v, data: None if v == 2 and u == 0 else 10 * u + data["lanes"]) == {
            0: 0,
            1: 2,
            2: 13,
        }

    @pytest.mark.parametrize(
        "weight",
        [Fraction(1, 3), Decimal("0.1"), 2**64, float("inf"), float("nan"), np.float32(0.1), "1", 2**60 + 1],
        ids=repr,
    )
    def test_other_weights_are_left_to_networkx(self, weight):
        graph = nx.Graph([(0, 1, {"weight": weight}), (1, 2, {"weight": 0.5})])
        with pytest.raises(NotImplementedError):
            lengths(graph, 0)
        if not isinstance(weight, str | Decimal | int):  # networkx fails, too
            with nx.config(backend_priority=["pathfront"]):
                found = nx.single_source_dijkstra_path_length(graph, 0)
            assert repr(found) == repr(nx.single_source_dijkstra_path_length(graph, 0, backend="networkx"))

    def test_integers_are_exact_and_stay_integers(self):
        graph = nx.DiGraph(
            [(0, 1, {"weight": 2**53 + 1}), (1, 2, {"weight": np.int64(2**53)}), (2, 3, {"weight": True})]
        )
        found = lengths(graph, 0)
        assert found == {0: 0, 1: 2**53 + 1, 2: 2**54 + 1, 3: 2**54 + 2}
        assert {type(value) for value in found.values()} == {int}
        sums = nx.DiGraph([(0, 1, {"weight": 2**62}), (1, 2, {"weight": 2**62})])
        with pytest.raises(NotImplementedError):
            lengths(sums, 0)

    def test_a_graph_is_converted_once_for_a_weight_and_again_when_it_changes(self):
        graph = nx.Graph([("a", "b", {"km": 3})])
        assert lengths(graph, "a", weight="km") == {"a": 0, "b": 3}
        (kept,) = conversions(graph).values()
        nx.shortest_path(graph, "a", "b", backend="pathfront")
        lengths(graph, "b", weight="km")
        assert list(conversions(graph).values()) == [kept]
        graph.add_edge("b", "c", km=1)
        assert lengths(graph, "a", weight="km") == {"a": 0, "b": 3, "c": 4}

    def test_a_view_with_reversed_edges_uses_the_conversion_of_the_graph(self, monkeypatch):
        graph = nx.DiGraph([("a", "b", {"weight": 2}), ("b", "c", {"weight": 3})])
        lengths(graph, "a")
        monkeypatch.setattr("pathfront.graph.adjacency.read", None)
        view = graph.reverse(copy=False)
        assert lengths(view, "c") == {"c": 0, "b": 3, "a": 5}
        assert nx.shortest_path(view, "c", "a", backend="pathfront") == ["c", "b", "a"]
        assert nx.shortest_path_length(graph, target="c", weight="weight", backend="pathfront") == {
            "c": 0,
            "b": 3,
            "a": 5,
        }

    @pytest.mark.parametrize("kind", KINDS)
    def test_views_of_parts(self, kind):
        graph = kind([(0, 1), (1, 2), (2, 3), (0, 3, {"weight": 9})])
        view = graph.subgraph([0, 2, 3])
        assert lengths(view, 0) == nx.single_source_dijkstra_path_length(view, 0, backend="networkx")

    def test_reasons_are_words(self):
        assert "function" in str(interface.should_run("dijkstra_path", (None, 0, 1, len), {}))
        assert interface.should_run("all_pairs_dijkstra", (None, None, len), {}) is True
        assert "cutoff" in str(interface.can_run("single_source_dijkstra", (None, 0, None, "far"), {}))
        assert interface.can_run("floyd_warshall", (None,), {}) is True

    def test_results_share_nothing(self):
        paths = nx.single_source_dijkstra_path(nx.path_graph(3), 0, backend="pathfront")
        paths[1].append("changed")
        assert paths[2] == [0, 1, 2]
