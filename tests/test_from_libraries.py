"""Graphs of igraph, NetworKit, rustworkx and graph-tool, and calls that are given such graphs as they are."""

from __future__ import annotations

import random
from itertools import pairwise

import networkx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import fake_graph_tool as graph_tool
import pathfront as pf
from examples import examples

igraph = pytest.importorskip("igraph")
networkit = pytest.importorskip("networkit")
rustworkx = pytest.importorskip("rustworkx")

GRAPHS = st.tuples(
    st.integers(1, 8),
    st.booleans(),
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(0, 9)), max_size=24),
)


def distances(edges, source, directed):
    """Bellman and Ford's method in plain Python, by name."""
    arcs = [*edges, *(() if directed else [(v, u, w) for u, v, w in edges])]
    found = {source: 0}
    for _ in range(9):
        for u, v, w in arcs:
            if u in found and found[u] + w < found.get(v, float("inf")):
                found[v] = found[u] + w
    return found


def as_igraph(n, directed, edges):
    made = igraph.Graph(n, [(u, v) for u, v, _ in edges], directed=directed)
    made.vs["name"] = [f"v{v}" for v in range(n)]
    made.es["weight"] = [w for _, _, w in edges]
    return made, lambda i: made.es[i]["weight"], "v{}".format


def as_networkit(n, directed, edges):
    made = networkit.Graph(n + 1, weighted=True, directed=directed)
    for u, v, w in edges:
        made.addEdge(u + (u > 0), v + (v > 0), w)  # id 1 stays unused
    made.removeNode(1)
    listed = list(made.iterEdgesWeights())
    return made, lambda i: listed[i][2], lambda v: v + (v > 0)


def as_networkit_with_ids(n, directed, edges):
    made, _, name = as_networkit(n, directed, edges)
    made.indexEdges()
    by_id = {}
    made.forEdges(lambda u, v, w, i: by_id.setdefault(i, w))
    return made, by_id.get, name


def as_rustworkx(n, directed, edges):
    made = (rustworkx.PyDiGraph if directed else rustworkx.PyGraph)()
    made.add_nodes_from(range(n + 1))
    made.add_edge(0, n, 5)
    shift = [made.add_edge(u + 1, v + 1, {"weight": w}) for u, v, w in edges]
    made.remove_node(0)  # and edge 0
    assert 0 not in shift
    return made, lambda i: made.get_edge_data_by_index(i)["weight"], lambda v: v + 1


def as_graph_tool(n, directed, edges):
    values = [w for _, _, w in [(0, 0, 0), *edges]]
    made = graph_tool.Graph(
        [None, *((u + 1, v + 1) for u, v, _ in edges)],
        directed,
        n + 1,
        eprops={"weight": graph_tool.PropertyMap("int32_t", values)},
    )
    return graph_tool.GraphView(made, lambda v: v > 0), values.__getitem__, lambda v: v + 1


def as_networkx(n, directed, edges):
    made = (networkx.MultiDiGraph if directed else networkx.MultiGraph)()
    made.add_nodes_from("abcdefgh"[:n])
    for u, v, w in edges:
        made.add_edge("abcdefgh"[u], "abcdefgh"[v], weight=w)
    listed = list(made.edges(data="weight"))
    return made, lambda i: listed[i][2], "abcdefgh".__getitem__


MAKERS = [as_igraph, as_networkit, as_networkit_with_ids, as_rustworkx, as_graph_tool, as_networkx]


@pytest.mark.parametrize("maker", MAKERS)
@given(case=GRAPHS)
@examples(60)
def test_distances_names_and_edge_ids(maker, case):
    n, directed, listed = case
    edges = [(u, v, w) for u, v, w in listed if u < n and v < n]
    theirs, weight_of, name = maker(n, directed, edges)
    paths = pf.shortest_paths(theirs, name(0))
    expected = distances(edges, 0, directed)
    assert paths.graph.n == n
    assert paths.graph.directed == directed
    lightest = {}
    for u, v, w in edges:
        for pair in ((u, v),) if directed else ((u, v), (v, u)):
            lightest[pair] = min(w, lightest.get(pair, w))
    for v in range(n):
        if v not in expected:
            with pytest.raises(pf.NoPathError):
                paths.path_to(name(v))
            continue
        assert paths.distance_to(name(v)) == expected[v]
        back = {name(v): v for v in range(n)}
        path = [back[label] for label in paths.path_to(name(v)).tolist()]
        along = [weight_of(i) for i in paths.edge_ids_to(name(v)).tolist()]
        assert along == [lightest[pair] for pair in pairwise(path)]


def test_weight_types_stay():
    made = igraph.Graph([(0, 1), (1, 2)], directed=True)
    made.es["weight"] = [2**62, 1]
    made.es["km"] = [0.5, 1.5]
    assert pf.Graph.from_igraph(made).weights.tolist() == [2**62, 1]
    assert pf.Graph.from_igraph(made, "km").weights.dtype == np.float64
    assert pf.Graph.from_igraph(made, None).weights is None
    big = rustworkx.PyDiGraph()
    big.extend_from_weighted_edge_list([(0, 1, 2**63 + 1)])
    assert pf.Graph.from_rustworkx(big).weights.tolist() == [2**63 + 1]


def test_names_of_vertices():
    made = igraph.Graph.TupleList([("Rome", "Ostia"), ("Ostia", "Anzio")])
    made.vs["id"] = [7, 8, 9]
    assert pf.Graph.from_igraph(made).labels.tolist() == ["Rome", "Ostia", "Anzio"]
    assert pf.Graph.from_igraph(made, name="id").labels.tolist() == [7, 8, 9]
    assert pf.Graph.from_igraph(made, name=None).labels is None
    made.vs["name"] = ["Rome", "Rome", "Anzio"]
    with pytest.raises(pf.ArgumentError, match=r"attribute 'name': labels has 1 repeated names.*name=None"):
        pf.Graph.from_igraph(made)
    nodes = rustworkx.PyGraph()
    nodes.add_nodes_from(["a", ("b", 1)])
    nodes.add_edge(0, 1, None)
    assert pf.Graph.from_rustworkx(nodes).labels is None
    graph = pf.Graph.from_rustworkx(nodes, names=True)
    assert graph.weights is None
    assert pf.shortest_paths(graph, "a").path_to(("b", 1)).tolist() == ["a", ("b", 1)]
    tool = graph_tool.Graph(
        [(0, 1)],
        vprops={"name": graph_tool.PropertyMap("string", "xy"), "id": graph_tool.PropertyMap("int64_t", [5, 3])},
    )
    assert pf.Graph.from_graph_tool(tool).labels is None
    assert pf.Graph.from_graph_tool(tool, name="name").labels.tolist() == ["x", "y"]
    assert pf.Graph.from_graph_tool(tool, name=tool.vertex_properties["id"]).labels.tolist() == [5, 3]


def test_networkit_edge_attributes():
    made = networkit.Graph(3)
    made.addEdge(0, 1)
    made.addEdge(1, 2)
    with pytest.raises(pf.ArgumentError, match="indexEdges"):
        pf.Graph.from_networkit(made, "km")
    made.indexEdges()
    kilometres = made.attachEdgeAttribute("km", float)
    kilometres[0] = 2.5
    with pytest.raises(pf.ArgumentError, match="edge 1 has no value of 'km'"):
        pf.Graph.from_networkit(made, "km")
    kilometres[1] = 0.5
    assert pf.shortest_paths(pf.Graph.from_networkit(made, "km"), 0).distance_to(2) == 3.0
    assert pf.Graph.from_networkit(made).weights is None
    with pytest.raises(pf.ArgumentError, match="weight is 'miles', but no attribute"):
        pf.Graph.from_networkit(made, "miles")


def pairs(**attributes):
    made = igraph.Graph([(0, 1), (1, 2)])
    for name, values in attributes.items():
        made.es[name] = values
    return made


def held(*data):
    made = rustworkx.PyDiGraph()
    made.add_nodes_from(range(3))
    for i, value in enumerate(data):
        made.add_edge(i, i + 1, value)
    return made


def tool(kind, values):
    return graph_tool.Graph([(0, 1), (1, 2)], eprops={"km": graph_tool.PropertyMap(kind, values)})


WRONG = [
    (
        "weight is 'length', but the edges have km, minutes",
        lambda: pf.Graph.from_igraph(pairs(km=1, minutes=2), "length"),
    ),
    ("weight is 'km', but the edges have no attributes", lambda: pf.Graph.from_igraph(pairs(), "km")),
    (r"edge 1, \(1, 2\), has no value of 'weight'", lambda: pf.Graph.from_igraph(pairs(weight=[1, None]))),
    ("attribute 'km' has elements of type", lambda: pf.Graph.from_igraph(pairs(km=["a", "b"]), "km")),
    ("name is 'label'.*the vertices have no attributes", lambda: pf.Graph.from_igraph(pairs(), name="label")),
    ("weight is a function", lambda: pf.Graph.from_igraph(pairs(), len)),
    ("not igraph.Graph", lambda: pf.Graph.from_igraph(held())),
    ("not networkit.Graph", lambda: pf.Graph.from_networkit([])),
    ("not rustworkx.PyGraph or rustworkx.PyDiGraph", lambda: pf.Graph.from_rustworkx(pairs())),
    ("not a graph of graph-tool, which is not installed", lambda: pf.Graph.from_graph_tool(pairs())),
    (r"edge \(1, 2\) has no value of 'km'", lambda: pf.Graph.from_rustworkx(held({"km": 1}, {}), "km")),
    (r"weight is 'kmx' \(did you mean 'km'\?\)", lambda: pf.Graph.from_rustworkx(held({"km": 1}), "kmx")),
    (r"edge \(1, 2\) holds an int while others hold dicts", lambda: pf.Graph.from_rustworkx(held({"km": 1}, 3), "km")),
    (r"edge \(0, 1\) holds a str; weights are numbers", lambda: pf.Graph.from_rustworkx(held("x"))),
    ("hold plain numbers; leave weight out", lambda: pf.Graph.from_rustworkx(held(1, 2), "km")),
    ("the edges hold no data", lambda: pf.Graph.from_rustworkx(held(None), "km")),
    ("names is 1", lambda: pf.Graph.from_rustworkx(held(1), names=1)),
    ("weight is a property of string", lambda: pf.Graph.from_graph_tool(tool("string", "ab"), "km")),
    ("weight is 'length', but the edges have km", lambda: pf.Graph.from_graph_tool(tool("double", [1, 2]), "length")),
    ("weights is not an argument of from_igraph", lambda: pf.Graph.from_igraph(pairs(), weights="km")),
]


@pytest.mark.parametrize(("message", "call"), WRONG, ids=[message[:30] for message, _ in WRONG])
def test_errors_name_the_cure(message, call):
    with pytest.raises((pf.ArgumentError, pf.ArgumentTypeError, pf.MissingExtraError), match=message):
        call()


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(pf.MissingExtraError, match=r"pip install 'pathfront\[igraph\]'"):
        pf.Graph.from_igraph(5)


def test_every_call_converts():
    made = networkx.DiGraph()
    made.add_weighted_edges_from([("a", "b", 2), ("b", "c", 3)])
    made.add_edge("a", "c")  # weighs 1, as in networkx
    assert pf.shortest_paths(made, "a").distance_to("c") == 1
    assert pf.distance_matrix(made, ["a"]).tolist() == [[0, 2, 1]]
    assert pf.nearest(made, ["b"]).source.tolist() == [None, "b", "b"]
    assert [p.distance_to("b") for p in pf.shortest_paths_many(made, ["a", "b"])] == [2, 0]
    assert pf.verify(made, pf.shortest_paths(made, "a"))
    assert list(pf.shortest_path(made, "a", "c")) == ["a", "c"]
    assert [list(path) for path in pf.paths_between(made, ["a", "b"], "c")] == [["a", "c"], ["b", "c"]]
    assert [path.distance for path in pf.k_shortest_paths(made, "a", "c")] == [1, 5]
    assert [list(path) for path in pf.all_shortest_paths(made, "a", "c")] == [["a", "c"]]
    assert [vertices.tolist() for _, vertices, _ in pf.within(made, ["a"], 1)] == [["a", "c"]]
    made["a"]["b"]["weight"] = 7  # nothing was kept of the graph as it was
    assert pf.shortest_paths(made, "a").distance_to("b") == 7


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil", "dok"])
def test_sparse_matrices_are_graphs(kind):
    matrix = scipy.sparse.csr_array([[0, 4, 0], [0, 0, 3], [0, 0, 0]]).asformat(kind)
    paths = pf.shortest_paths(matrix, 0)
    assert paths.distance.tolist() == [0, 4, 7]
    assert paths.distance.dtype == np.int64


@pytest.mark.parametrize(
    ("thing", "cure"),
    [
        ("roads.gr", "pf.read"),
        (np.zeros((2, 2)), "Graph.from_dense"),
        ([(0, 1)], "Graph.from_edges"),
        ({0: {1: 2}}, "from_dict_of_dicts"),
        (5, "give a pathfront.Graph"),
        (None, "give a pathfront.Graph"),
    ],
    ids=["path", "matrix", "edges", "dict", "number", "none"],
)
def test_what_is_no_graph(thing, cure):
    with pytest.raises(pf.ArgumentTypeError, match=f"graph is .*networkx.*{cure}|graph is .*{cure}.*networkx"):
        pf.shortest_paths(thing, 0)


def test_a_table_is_no_graph():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(pf.ArgumentTypeError, match=r"Graph\.from_dataframe"):
        pf.nearest(pandas.DataFrame({"a": [1]}), [0])


@pytest.mark.parametrize("change", ["reverse", "simplified", "with_weights", "unlabelled", "pickled"])
@pytest.mark.parametrize("directed", [True, False])
def test_edge_ids_of_changed_graphs(change, directed):
    rng = random.Random(5)
    edges = [(rng.randrange(30), rng.randrange(30), rng.randrange(5)) for _ in range(400)]
    tails, heads, weights = (list(column) for column in zip(*edges, strict=True))
    graph = pf.Graph.from_edges(tails, heads, weights, n=30, directed=directed, edge_ids=True)
    if change == "pickled":
        import pickle

        changed = pickle.loads(pickle.dumps(graph))
    elif change == "with_weights":
        changed = graph.with_weights(graph.weights * 2)
    else:
        changed = getattr(graph, change)()
    factor = 2 if change == "with_weights" else 1
    arcs = list(zip(changed.tails().tolist(), changed.heads.tolist(), changed.weights.tolist(), strict=True))
    ids = changed.edge_ids.tolist()
    for (u, v, w), i in zip(arcs, ids, strict=True):
        ends = [(tails[i], heads[i]), (heads[i], tails[i])]
        turned = change == "reverse" and directed
        assert (u, v) in (ends if not directed else ends[turned : turned + 1])
        assert w == weights[i] * factor
        if change == "simplified":  # the first of the lightest
            same = [
                (edges[j][2], j)
                for j in range(400)
                if (tails[j], heads[j]) == (u, v) or (not directed and (heads[j], tails[j]) == (u, v))
            ]
            assert (w, i) == min(same)
    if change != "simplified":
        loops = sum(u == v for u, v, _ in edges)
        assert sorted(ids) == sorted(
            [*range(400), *(() if directed else (i for i in range(400) if tails[i] != heads[i]))]
        )
        assert len(ids) == (400 if directed else 800 - loops)


def test_edge_ids_take_no_memory_where_arcs_are_in_order():
    tails = np.arange(1000) // 10
    graph = pf.Graph.from_edges(tails, np.arange(1000) % 10, edge_ids=True)
    assert graph.nbytes == pf.Graph.from_edges(tails, np.arange(1000) % 10).nbytes
    assert graph.edge_ids.tolist() == list(range(1000))
    assert pf.Graph.from_csr([0, 2, 2], [1, 1]).edge_ids.tolist() == [0, 1]
    assert pf.Graph.from_edges([0], [1]).edge_ids is None


def test_edge_ids_on_request_only():
    paths = pf.shortest_paths(pf.Graph.from_edges([0, 1], [1, 2]), 0)
    with pytest.raises(pf.ArgumentError, match="edge_ids=True"):
        paths.edge_ids_to(2)
    with pytest.raises(pf.ArgumentTypeError, match="edge_ids is 1"):
        pf.Graph.from_edges([0], [1], edge_ids=1)


def test_rows_of_a_table():
    pandas = pytest.importorskip("pandas")
    roads = pandas.DataFrame({"a": ["x", "x", "y", "x"], "b": ["z", "y", "z", "y"], "km": [9, 3, 4, 2]})
    paths = pf.shortest_paths(pf.Graph.from_dataframe(roads, "a", "b", "km", directed=False), "z")
    assert roads.iloc[paths.edge_ids_to("x")]["km"].tolist() == [4, 2]
