"""The NetworkX backend against NetworkX itself."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import networkx as nx
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


def same(found: Any, expected: Any) -> None:
    """Require equal answers, dictionaries in the same order."""
    assert found == expected
    if isinstance(expected, dict):
        assert list(found) == list(expected)


class TestBackend:
    def test_the_info_package_lists_the_functions(self):
        assert sorted(_pathfront_networkx.FUNCTIONS) == sorted(FUNCTIONS)
        assert "pathfront" in nx.utils.backends.backend_info

    def test_the_info_package_imports_nothing(self):
        code = (
            "import sys, _pathfront_networkx as info; info.get_info(); print({'numpy', 'pathfront'} & {*sys.modules})"
        )
        assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "set()"

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

    @given(networks(), st.data())
    @examples(300)
    def test_distances(self, graph, data):
        source = data.draw(st.sampled_from(list(graph)))
        cutoff = data.draw(st.sampled_from([None, 0, 2, 3.5]))
        expected = nx.single_source_dijkstra_path_length(graph, source, cutoff)
        same(nx.single_source_dijkstra_path_length(graph, source, cutoff, backend="pathfront"), expected)
