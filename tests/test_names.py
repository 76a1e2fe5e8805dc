"""Vertices by name: labels of any type wherever a graph has some, positions elsewhere, `pf.index` for positions."""

from __future__ import annotations

import io
import pickle
import tracemalloc
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import pathfront as pf
from pathfront import distances

CHAIN = ([0, 1, 2], [1, 2, 3], [4, 3, 5])
KINDS = {
    "integers from 1": [1, 2, 3, 4],
    "integers that are other positions": [2, 0, 3, 1],
    "integers with gaps": [3, 10, 20, 2**62],
    "negative integers": [-2, -1, 0, 1],
    "huge integers": np.array([2**63, 2**63 + 1, 2**63 + 2, 2**63 + 3], np.uint64),
    "strings": ["Rome", "Ostia", "Anzio", "Elba"],
    "digits": ["1", "2", "3", "0"],
    "floats": [0.5, 1.0, 0.0, 2.5],
    "tuples": [(0, 0), (0, 1), (1, 0), (1, 1)],
    "frozen sets": [frozenset({i}) for i in range(4)],
    "of all types": [1, "1", (1,), 1.5],
}
kinds = pytest.mark.parametrize("kind", KINDS)


def named(kind, **more):
    return pf.Graph.from_edges(*CHAIN, labels=KINDS[kind], **more)


def plain(names):
    return np.asarray(names).tolist() if isinstance(names, np.ndarray) else list(names)


def listed(graph):
    return [graph.name_of(v) for v in range(graph.n)]


class TestEveryCallTakesAndGivesNames:
    @kinds
    def test_a_search_and_its_answers(self, kind):
        graph, names = named(kind), plain(KINDS[kind])
        paths = pf.shortest_paths(graph, names[1], targets=names[3])
        assert paths.source == names[1]
        assert paths.distance.tolist()[1:] == [0, 3, 8]
        assert [paths.distance_to(name) for name in names[1:]] == [0, 3, 8]
        assert paths.path_to(names[3]).tolist() == names[1:]
        assert paths.parent[2:].tolist() == [1, 2]
        edges, tree = paths.edges_to(names[3]), paths.tree()
        assert (edges.tails.tolist(), edges.heads.tolist(), edges.weights.tolist()) == (names[1:3], names[2:], [3, 5])
        assert (tree.tails.tolist(), tree.heads.tolist()) == (names[1:3], names[2:])
        assert paths.summary().farthest == names[3]
        assert f"source={names[1]!r}" in repr(paths)
        with pytest.raises(pf.NoPathError) as caught:
            pf.shortest_paths(graph, names[1]).path_to(names[0])
        assert str(caught.value) == f"vertex {names[0]!r} cannot be reached from vertex {names[1]!r}."
        assert pf.verify(graph, paths)
        assert pf.verify(graph, [2**63 - 1, 0, 3, 8], source=names[1])

    @kinds
    def test_many_sources(self, kind):
        graph, names = named(kind), plain(KINDS[kind])
        sources = [names[2], names[0]]
        assert pf.distance_matrix(graph, sources, [names[3], names[2]]).tolist() == [[5, 0], [12, 7]]
        assert [paths.source for paths in pf.shortest_paths_many(graph, sources)] == sources
        near = pf.nearest(graph, [names[2], names[1]])
        assert near.source.tolist() == [None, names[1], names[2], names[2]]
        assert near.distance[1:].tolist() == [0, 0, 5]

    @kinds
    def test_a_vertex_and_its_name(self, kind):
        graph, names = named(kind), plain(KINDS[kind])
        assert listed(graph) == graph.labels.tolist() == names
        assert [graph.vertex(name) for name in names] == [graph.index_of(name) for name in names] == [0, 1, 2, 3]
        assert [graph.vertex(pf.index(i)) for i in range(4)] == [0, 1, 2, 3]
        scalars = list(np.array(names)) if kind not in ("tuples", "frozen sets", "of all types") else names
        assert [graph.vertex(name) for name in scalars] == [0, 1, 2, 3]

    @kinds
    def test_errors_name_vertices(self, kind):
        graph, names = named(kind), plain(KINDS[kind])
        wrong = pf.verify(graph, [0, 4, 9, 12], source=names[0])
        assert wrong.violations[0].vertex == names[1]
        assert wrong.violations[0].message.startswith(f"arc {names[1]!r} -> {names[2]!r} of weight 3 would improve")
        circle = pf.Graph.from_edges([0, 1, 2], [1, 2, 1], [1, -3, 2], n=4, labels=KINDS[kind])
        with pytest.raises(pf.NegativeCycleError) as caught:
            pf.shortest_paths(circle, names[0])
        assert caught.value.cycle == names[1:3]
        assert f"{names[1]} -> {names[2]} -> {names[1]}" in str(caught.value)
        assert pickle.loads(pickle.dumps(caught.value)).cycle == names[1:3]

    def test_overflow_names_the_source(self):
        graph = pf.Graph.from_edges([0, 1], [1, 2], [2**62, 2**62], labels=["a", "b", "c"])
        for call in (pf.shortest_paths, lambda *given: pf.distance_matrix(given[0], [given[1]])):
            with pytest.raises(pf.DistanceOverflowError, match="a distance from vertex 'a' does not fit int64"):
                call(graph, "a")

    def test_an_array_of_names_as_sources_and_targets(self):
        graph = named("integers from 1")
        assert pf.distance_matrix(graph, np.array([1, 2]), np.array([4], np.uint8)).tolist() == [[12], [8]]
        assert pf.shortest_paths(graph, np.array(1), targets=np.array(3)).distance_to(3) == 7

    def test_a_tuple_that_is_a_label_is_one_target(self):
        graph = named("tuples")
        assert pf.shortest_paths(graph, (0, 0), targets=(0, 1)).radius == 4
        assert pf.shortest_paths(graph, (0, 0), targets=((0, 1), (1, 0))).radius == 7
        assert pf.shortest_paths(pf.Graph.from_edges(*CHAIN), 0, targets=(1, 2)).radius == 7
        with pytest.raises(pf.ArgumentTypeError, match=r"sources is \(0, 1\); give a list of vertices"):
            pf.nearest(graph, (0, 1))

    def test_the_default_source_of_a_file_is_named(self):
        graph = pf.read(io.BytesIO(b"3 2 1\n0 1 5\n1 2 7\n"), format="edge_list")
        assert graph.default_source == 1
        assert graph.with_labels([7, 8, 9]).default_source == 8
        file = io.BytesIO()
        pf.write(graph.with_labels([7, 8, 9]), file, format="pfg")
        assert pf.read(io.BytesIO(file.getvalue())).default_source == 8


class TestPositions:
    @kinds
    def test_index_and_unlabelled(self, kind):
        graph = named(kind)
        assert pf.shortest_paths(graph, pf.index(1)).distance_to(pf.index(3)) == 8
        assert pf.distance_matrix(graph, [pf.index(0)], [pf.index(2)]).tolist() == [[7]]
        bare = graph.unlabelled()
        assert (bare.labels, bare.unlabelled() is bare, graph.unlabelled() is bare) == (None, True, True)
        paths = pf.shortest_paths(bare, 1)
        assert (paths.source, paths.path_to(3).tolist()) == (1, [1, 2, 3])
        assert bare.reverse().labels is None
        assert all(np.shares_memory(getattr(bare, name), getattr(graph, name)) for name in ("offsets", "heads"))

    def test_a_graph_without_labels_takes_both(self):
        graph = pf.Graph.from_edges(*CHAIN)
        assert pf.shortest_paths(graph, pf.index(1)).source == 1
        assert (graph.name_of(2), graph.index_of(2)) == (2, 2)
        assert repr(pf.index(2)) == "pf.index(2)"
        assert pickle.loads(pickle.dumps(pf.index(2))) == 2
        with pytest.raises(pf.VertexError, match=r"source is 4, but the graph's vertices are 0\.\.3"):
            pf.shortest_paths(graph, pf.index(4))
        with pytest.raises(pf.ArgumentError, match="position is -1"):
            pf.index(-1)
        for wrong in ((0, 1), 1.0, "1", True):
            with pytest.raises(pf.ArgumentTypeError, match="give a vertex as an integer"):
                pf.shortest_paths(graph, wrong)

    def test_no_copy_of_what_is_derived(self):
        graph = pf.generate.grid(50, 50).with_labels([f"v{i}" for i in range(2500)])
        pf.shortest_paths(graph, "v0")
        summary = graph.weight_summary()
        assert graph.unlabelled().weight_summary() is summary
        graph.reverse()
        assert graph.with_labels(None).reverse().labels is None

    def test_a_dense_graph(self):
        graph = pf.Graph.from_dense([[0, 4], [2, 0]], no_edge=0, keep_dense=True).with_labels([1, 0])
        assert pf.shortest_paths(graph, 1, method="crauser").path_to(0).tolist() == [1, 0]
        assert pf.shortest_paths(graph.unlabelled(), 1, method="crauser").distance_to(0) == 2
        assert pickle.loads(pickle.dumps(graph)).vertex(1) == 0


class TestLabelsThatArePositions:
    def test_they_are_none(self):
        for names in ([0, 1, 2, 3], range(4), np.arange(4, dtype=np.uint8), np.arange(4, dtype=np.uint64)):
            assert pf.Graph.from_edges(*CHAIN, labels=names).labels is None
        for names in ([0.0, 1.0, 2.0, 3.0], ["0", "1", "2", "3"], [0, 1, 3, 2], [False, 1, 2, 3]):
            assert pf.Graph.from_edges(*CHAIN, labels=names).labels is not None

    def test_a_range_takes_no_memory(self):
        n = 1_000_000
        graph = pf.generate.chain(n, weights="unit")
        tracemalloc.start()
        counted = graph.with_labels(range(1, n + 1))
        assert (counted.vertex(n), counted.name_of(n - 1)) == (n - 1, n)
        again = pickle.dumps(counted._labels.stored)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < 100_000
        assert len(again) < 100
        assert counted.labels[[0, -1]].tolist() == [1, n]
        for wrong, size in ((range(1, 4), "3"), (range(10**30), str(10**30)), (range(5, 5 - 10**30, -1), str(10**30))):
            with pytest.raises(pf.ArgumentError, match=f"labels has {size} entries"):
                graph.with_labels(wrong)

    @pytest.mark.parametrize(
        "names", [range(5, 1, -1), range(0, 8, 2), range(2**63 - 4, 2**63), range(2**63, 2**63 + 4)]
    )
    def test_other_ranges(self, names):
        graph = pf.Graph.from_edges(*CHAIN, labels=names)
        assert listed(graph) == list(names)
        assert [graph.vertex(name) for name in names] == [0, 1, 2, 3]


class TestOtherPackages:
    def test_nodes_of_networkx(self):
        networkx = pytest.importorskip("networkx")
        for nodes in ([1, 2, 3, 4], [2, 0, 1, 3], [0.0, 1.0, 2.0, 3.0], [(0, 0), (0, 1), (1, 0), (1, 1)], list("abcd")):
            made = networkx.DiGraph()
            made.add_nodes_from(nodes)
            made.add_weighted_edges_from((u, v, 2) for u, v in pairwise(nodes))
            graph = pf.Graph.from_networkx(made)
            for source in nodes:
                expected = networkx.single_source_dijkstra_path_length(made, source)
                paths = pf.shortest_paths(graph, source)
                assert {node: paths.distance_to(node) for node in expected} == expected
            assert pf.shortest_paths(graph, nodes[0]).path_to(nodes[3]).tolist() == nodes
            assert list(graph.to_networkx().nodes) == nodes
        assert pf.Graph.from_networkx(networkx.path_graph(4)).labels is None

    def test_ids_of_tables(self):
        pandas = pytest.importorskip("pandas")
        frame = pandas.DataFrame({"tail": [1, 2], "head": [2, 3], "weight": [5, 7]})
        graph = pf.Graph.from_dataframe(frame, "tail", "head", "weight")
        assert pf.shortest_paths(graph, 1).distance_to(3) == 12
        frame[["tail", "head"]] -= 1
        assert pf.Graph.from_dataframe(frame, "tail", "head", "weight").labels is None


class TestMistakes:
    @pytest.mark.parametrize(
        ("kind", "wrong", "words"),
        [
            ("integers from 1", 0, r"no vertex is named 0; the names are 1\.\.4; use pf\.index\(0\) for the vertex at"),
            ("integers from 1", 5, r"no vertex is named 5; the names are 1\.\.4\."),
            ("integers from 1", "2", "no vertex is named '2'; the name is 2, an integer"),
            ("integers with gaps", "10", "no vertex is named .10.; the name is 10, an integer"),
            (
                "integers with gaps",
                np.int64(1),
                r"no vertex is named 1; graph\.labels holds the names; use pf\.index\(1\)",
            ),
            ("digits", 2, "no vertex is named 2; the name is '2', a string"),
            ("floats", "0.5", r"no vertex is named .0\.5.; the name is 0\.5, a float"),
            ("strings", "Paris", r"no vertex is named 'Paris'; graph\.labels holds the names"),
            pytest.param("strings", 10**5000, "no vertex is named an integer of 16610 bits", id="huge"),
            ("tuples", (5, 5), r"no vertex is named \(5, 5\)"),
            ("integers from 1", 1.5, r"no vertex is named 1\.5"),
            ("integers with gaps", float("inf"), "no vertex is named inf"),
        ],
    )
    def test_no_such_name(self, kind, wrong, words):
        with pytest.raises(pf.VertexError, match="source: " + words):
            pf.shortest_paths(named(kind), wrong)
        first = plain(KINDS[kind])[0]
        with pytest.raises(pf.VertexError, match=r"targets\[1\]: " + words):
            pf.shortest_paths(named(kind), first, targets=[first, wrong])

    @kinds
    def test_what_cannot_be_a_name(self, kind):
        for wrong in ([1], {}, np.array([1, 2])):
            with pytest.raises(pf.ArgumentTypeError, match=r"source is .* not hashable, so no name of a vertex"):
                pf.shortest_paths(named(kind), wrong)

    def test_lists_in_place_of_tuples(self):
        for wrong in ([0, 1], np.array([0, 1])):
            with pytest.raises(pf.ArgumentTypeError, match=r"no name of a vertex; the tuple \(0, 1\) is one\."):
                pf.shortest_paths(named("tuples"), wrong)

    @pytest.mark.parametrize("kind", ["integers from 1", "integers with gaps", "integers that are other positions"])
    def test_a_mask_is_not_taken_for_names(self, kind):
        mask = np.array([True, False, True, False])
        with pytest.raises(pf.ArgumentTypeError, match=r"targets\[0\] is True, a truth value"):
            pf.shortest_paths(named(kind), pf.index(0), targets=mask)

    def test_equal_numbers_are_equal_names(self):
        for kind in ("integers from 1", "integers with gaps"):
            first = KINDS[kind][0]
            for same in (float(first), np.float32(first), np.uint8(first)):
                assert named(kind).vertex(same) == 0
        assert named("of all types").vertex(Fraction(3, 2)) == 3


COUNTING_FROM_1 = {
    "dimacs": b"p sp 3 4\na 1 2 7\na 2 1 7\na 2 3 5\na 3 2 5\n",
    "pace": b"p tw 3 2\n1 2\n2 3\n",
    "matrix_market": b"%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 7\n3 2 5\n",
    "metis": b"3 2\n2\n1 3\n2\n",
}


class TestFilesThatCountFrom1:
    @pytest.mark.parametrize("format", COUNTING_FROM_1)
    def test_first_id(self, format):
        graph = pf.read(io.BytesIO(COUNTING_FROM_1[format]), format=format)
        assert (graph.first_id, graph.labels) == (1, None)
        assert repr(graph).endswith(" weights, first_id=1)")
        assert pf.shortest_paths(graph, 0).path_to(2).tolist() == [0, 1, 2]

    def test_it_is_kept(self):
        graph = pf.read(io.BytesIO(COUNTING_FROM_1["dimacs"]))
        changed = [
            graph.reverse(),
            graph.simplified(),
            graph.with_weights(None),
            graph.with_coordinates([[0, 0]] * 3),
            graph.with_labels("abc").with_labels(None),
            graph.with_labels("abc").unlabelled(),
            pickle.loads(pickle.dumps(graph)),
            pf.generate.weigh(graph, "int:1:9"),
        ]
        assert [each.first_id for each in changed] == [1] * len(changed)
        assert pf.generate.grid(2, 2).first_id == 0

    def test_pfg_keeps_it_and_old_files_are_read(self):
        for first, graph in ((1, pf.read(io.BytesIO(COUNTING_FROM_1["dimacs"]))), (0, pf.generate.grid(2, 2))):
            file = io.BytesIO()
            pf.write(graph, file, format="pfg")
            assert file.getvalue()[44:48] == first.to_bytes(4, "little")  # zero in files of before
            assert pf.read(io.BytesIO(file.getvalue())).first_id == first

    def test_parquet_keeps_both_numberings(self):
        pytest.importorskip("pyarrow")
        graph, file = pf.read(io.BytesIO(COUNTING_FROM_1["dimacs"])), io.BytesIO()
        pf.write(graph, file, format="parquet")
        again = pf.read(io.BytesIO(file.getvalue()))
        assert (again.first_id, again.labels, again.heads.tolist()) == (1, None, graph.heads.tolist())
        assert pf.read(io.BytesIO(file.getvalue()), tail="tail", head="head").n == 3

    @pytest.mark.parametrize("format", ["edge_list", "csv"])
    def test_lists_of_edges_have_the_ids_of_the_file(self, format):
        if format == "csv":
            pytest.importorskip("pyarrow")
        graph, file = pf.read(io.BytesIO(COUNTING_FROM_1["dimacs"])), io.BytesIO()
        pf.write(graph, file, format=format)
        again = pf.read(io.BytesIO(file.getvalue()), format=format)
        assert again.labels.tolist() == [1, 2, 3]
        assert pf.shortest_paths(again, 1).path_to(3).tolist() == [1, 2, 3]

    @pytest.mark.parametrize("format", ["galois", "npz"])
    def test_other_formats_have_positions(self, format):
        graph, file = pf.read(io.BytesIO(COUNTING_FROM_1["dimacs"])), io.BytesIO()
        pf.write(graph, file, format=format)
        again = pf.read(io.BytesIO(file.getvalue()), format=format)
        assert (again.first_id, again.heads.tolist()) == (0, graph.heads.tolist())

    def test_a_writer_names_the_vertex_both_ways(self):
        graph = pf.read(io.BytesIO(b"p sp 3 1\na 1 2 7\n"))
        loop = pf.read(io.BytesIO(b"p tw 2 2\n1 2\n2 2\n"))
        with pytest.raises(pf.ArgumentError, match=r"vertex 2 \(3 in the graph's file\), which has no arcs"):
            pf.write(graph, io.BytesIO(), format="edge_list")
        with pytest.raises(pf.ArgumentError, match=r"vertex 1 \(2 in the graph's file\) has a loop"):
            pf.write(loop, io.BytesIO(), format="metis")


def test_pfd_files_have_positions():
    file = io.BytesIO()
    distances.write(pf.shortest_paths(named("integers that are other positions"), 0), file)
    found = distances.read(io.BytesIO(file.getvalue()))
    assert (found.source, found.parent[2:].tolist()) == (1, [1, 2])


@pytest.mark.parametrize("labels", [range(1, 1), []], ids=repr)
def test_an_empty_graph_has_no_names(labels):
    graph = pf.Graph.from_edges([], [], n=0).with_labels(labels)
    with pytest.raises(pf.VertexError, match="source"):
        pf.shortest_path(graph, 3, 3)
