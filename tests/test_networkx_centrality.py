"""Centrality through the NetworkX backend: NetworkX's answers and errors."""

from __future__ import annotations

import random
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from pathfront.networkx import convert, interface

FUNCTIONS = vars(interface.backend)
KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
WEIGHTS = st.one_of(st.none(), st.integers(1, 5), st.sampled_from([0.5, 0.25, 3.5]))


@st.composite
def networks(draw: st.DrawFn, connected: bool = False) -> Any:
    """Return a graph of some kind, of which some edges have no weight."""
    graph = draw(st.sampled_from(KINDS))()
    nodes = draw(st.permutations(["a", ("b", 1), 2, 3.5, frozenset({5}), "f", 7]))[: draw(st.integers(1, 7))]
    graph.add_nodes_from(nodes)
    ends = st.tuples(st.sampled_from(nodes), st.sampled_from(nodes), WEIGHTS)
    for tail, head, weight in draw(st.lists(ends, max_size=20)):
        graph.add_edge(tail, head, **({} if weight is None else {"weight": weight}))
    if connected:
        nx.add_cycle(graph, nodes, weight=draw(st.integers(1, 5)))
    return graph


def outcome(call: Any) -> Any:
    """Return what a call returns, or the class and the words of its error."""
    try:
        return call()
    except Exception as error:
        return type(error), str(error)


def agree(name: str, graph: Any, *arguments: Any, seed: int | None = None, **options: Any) -> None:
    """Require the same answer from the backend's function and from NetworkX's own; dictionaries in the same order."""
    theirs = nx.utils.backends._registered_algorithms[name].orig_func

    def with_seed() -> dict[str, Any]:
        return options if seed is None else options | {"seed": random.Random(seed)}

    expected = outcome(lambda: theirs(graph, *arguments, **with_seed()))
    found = outcome(lambda: FUNCTIONS[name](convert(graph), *arguments, **with_seed()))
    if isinstance(expected, dict):
        assert isinstance(found, dict), found
        assert list(found) == list(expected)
        found, expected = list(found.values()), list(expected.values())
        if expected and isinstance(expected[0], float | int):
            expected = pytest.approx(expected, rel=1e-12, abs=0, nan_ok=True)
    assert found == expected


weights = pytest.mark.parametrize("weight", [None, "weight", "absent"])


@weights
@given(graph=networks(), data=st.data())
@examples(40)
def test_betweenness(weight, graph, data):
    options = {
        "weight": weight,
        "normalized": data.draw(st.booleans()),
        "k": data.draw(st.one_of(st.none(), st.integers(0, len(graph) + 1))),
    }
    for name, more in (
        ("betweenness_centrality", {"endpoints": data.draw(st.booleans())}),
        ("edge_betweenness_centrality", {}),
    ):
        if name.startswith("edge") and graph.is_multigraph():
            with pytest.raises(NotImplementedError):
                FUNCTIONS[name](convert(graph), **options)
            continue
        agree(name, graph, **options, **more, seed=data.draw(st.integers(0, 9)))


@weights
@given(graph=networks(), data=st.data())
@examples(40)
def test_subsets_closeness_and_harmonic(weight, graph, data):
    some = st.lists(st.sampled_from(list(graph)), max_size=4)
    normalized = data.draw(st.booleans())
    agree("betweenness_centrality_subset", graph, data.draw(some), data.draw(some), normalized, weight)
    improved = data.draw(st.booleans())
    agree("closeness_centrality", graph, None, weight, improved)
    agree("closeness_centrality", graph, data.draw(st.sampled_from([*graph, "missing"])), weight, improved)
    bunch = st.one_of(st.none(), some, st.just(["missing"]), st.sampled_from(list(graph)))
    agree("harmonic_centrality", graph, data.draw(bunch), weight, data.draw(bunch))


@weights
@given(graph=st.one_of(networks(), networks(connected=True)), data=st.data())
@examples(40)
def test_eccentricities(weight, graph, data):
    nodes = list(graph)
    chosen = data.draw(st.one_of(st.none(), st.sampled_from(nodes), st.lists(st.sampled_from(nodes))))
    agree("eccentricity", graph, chosen, None, weight)
    for name in ("diameter", "radius", "center", "periphery"):
        agree(name, graph, weight=weight)
        if len(graph) > 1:
            agree(name, graph, usebounds=True, weight=weight)


@weights
@given(graph=networks(), data=st.data())
@examples(40)
def test_voronoi_cells_and_ego_graphs(weight, graph, data):
    nodes = st.sampled_from([*graph, "missing"])
    agree("voronoi_cells", graph, data.draw(st.lists(nodes, max_size=3)), weight)
    options = {"radius": data.draw(st.sampled_from([0, 1, 2.5])), "center": data.draw(st.booleans())}
    node = data.draw(nodes)
    undirected = data.draw(st.booleans())
    expected = outcome(lambda: nx.ego_graph.orig_func(graph, node, undirected=undirected, distance=weight, **options))
    found = outcome(
        lambda: FUNCTIONS["ego_graph"](convert(graph), node, undirected=undirected, distance=weight, **options)
    )
    if isinstance(expected, nx.Graph):
        assert type(found) is type(expected)
        assert nx.utils.graphs_equal(found, expected)
        assert list(found) == list(expected)
    else:
        assert found == expected


def test_odd_weights_are_left_to_networkx():
    """Zero and negative weights, weights by function, and hidden edges."""
    graph = nx.cycle_graph(5)
    nx.set_edge_attributes(graph, {edge: i for i, edge in enumerate(graph.edges)}, "weight")
    for name in ("betweenness_centrality", "edge_betweenness_centrality"):
        agree(name, graph, weight="weight")
    by_function = {"weight": lambda u, v, data: None if data["weight"] == 1 else 1 + data["weight"]}
    for name in ("betweenness_centrality", "edge_betweenness_centrality", "eccentricity", "diameter", "center"):
        agree(name, graph, **by_function)
    for name in ("closeness_centrality", "harmonic_centrality"):
        agree(name, graph, distance=by_function["weight"])
    graph[0][1]["weight"] = -1
    agree("closeness_centrality", graph, distance="weight")


def test_the_same_seed_draws_the_same_nodes():
    graph = nx.convert_node_labels_to_integers(nx.grid_2d_graph(6, 7))
    converted = convert(graph)
    for seed in (3, 7):
        expected = nx.betweenness_centrality(graph, k=5, seed=seed)
        assert nx.betweenness_centrality(converted, k=5, seed=seed) == pytest.approx(expected)
