"""What readers decide by the contents: directions, first lines of tables, names, types of weights."""

from __future__ import annotations

import io

import numpy as np
import pytest

import pathfront as pf
from format_cases import GRAPHS, READ_OPTIONS, arcs, packed, unpacked
from pathfront.formats import files

SILENT = ("dimacs", "galois", "npz", "edge_list", "parquet", "csv")
"""Formats that do not say whether a graph is directed; Parquet's do only if pathfront wrote them."""
SYMMETRIC = {
    "dimacs": b"p sp 2 2\na 1 2 5\na 2 1 5\n",
    "edge_list": b"0 1 5\n1 0 5\n",
    "csv": b"u,v,w\n0,1,5\n1,0,5\n",
    "npz": packed(pf.Graph.from_edges([0, 1], [1, 0], [5, 5]), "npz"),
    "galois": packed(pf.Graph.from_edges([0, 1], [1, 0], [5, 5]), "galois"),
}

# ---- directions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", [[5, 6, 7], [0.5, -0.0, 2.0], None])
@pytest.mark.parametrize("format", SILENT)
def test_an_undirected_graph_is_read_as_one(format, weights):
    if weights is None and format == "dimacs":
        weights = [1, 1, 1]
    graph = pf.Graph.from_edges([0, 1, 2], [1, 2, 2], weights, directed=False)
    options = READ_OPTIONS.get(format, lambda graph: {})(graph)
    found = unpacked(packed(graph, format, **options), format, **options)
    assert not found.directed
    assert arcs(found) == arcs(graph)
    assert unpacked(packed(graph, format, **options), format, directed=True, **options).directed


@pytest.mark.parametrize("format", SYMMETRIC)
def test_a_symmetric_file_is_undirected_and_any_difference_makes_it_directed(format):
    assert not unpacked(SYMMETRIC[format], format).directed
    assert unpacked(SYMMETRIC[format], format, directed=True).directed
    for heads, weights in (([1, 0], [5, 6]), ([1, 1], [5, 5])):
        assert unpacked(packed(pf.Graph.from_edges([0, 1], heads, weights), format), format).directed


@pytest.mark.parametrize("format", ["dimacs", "galois", "npz"])
def test_directed_false_requires_symmetry(format):
    assert not unpacked(SYMMETRIC[format], format, directed=False).directed
    with pytest.raises(pf.FormatError, match="directed is False, but the graph is not symmetric"):
        unpacked(packed(GRAPHS["uint32"](), format), format, directed=False)
    with pytest.raises(pf.ArgumentTypeError, match="directed is 1"):
        unpacked(SYMMETRIC[format], format, directed=1)


def test_parquet_says_that_a_symmetric_graph_is_directed():
    graph = pf.Graph.from_edges([0, 1], [1, 0], [5, 5])
    assert unpacked(packed(graph, "parquet")).directed
    assert not unpacked(packed(graph, "parquet"), directed=False).directed


# ---- the first line ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("a,b,5\nb,c,6\n", {}, [("a", "b", 5), ("b", "c", 6)]),
        ("1,a\n2,b\n", {}, [("1", "a", None), ("2", "b", None)]),
        ("1,a\n2,b\n", {"header": True}, [("2", "b", None)]),
        ("Rome,Ostia\nOstia,Anzio\n", {"header": False}, [("Ostia", "Anzio", None), ("Rome", "Ostia", None)]),
        ("Rome,Ostia\nOstia,Anzio\n", {"header": True}, [("Ostia", "Anzio", None)]),
        ("x,y,km\na,b,5\n", {}, [("a", "b", 5)]),
        ("x,y\n1,2\n", {}, [(1, 2, None)]),
        ("u,v\na,b\n", {}, [("a", "b", None)]),
        ("u,v\ra,b\r", {}, [("a", "b", None)]),
        ("1,2\r3,4", {}, [(1, 2, None), (3, 4, None)]),
        ("From,To,2020\na,b,5\n", {}, [("a", "b", 5)]),
        ("x,y\na,b\n", {"tail": "x", "head": "y"}, [("a", "b", None)]),
    ],
)
def test_no_row_of_a_csv_is_lost(text, options, expected):
    assert arcs(unpacked(text.encode(), "csv", **options)) == expected


@pytest.mark.parametrize("text", ["Rome,Ostia\nOstia,Anzio\n", "Rome,Ostia\n", "Rome,Ostia"])
def test_a_first_row_that_may_be_either_is_an_error(text):
    with pytest.raises(pf.FormatError, match=r"line 1: 'Rome,Ostia' may .*; pass header=True or header=False"):
        unpacked(text.encode(), "csv")


@pytest.mark.parametrize(
    "header", ["id,from,to", "from,to,km,name", "from,to,distance,time", "id,from,to,km", "from,id,to"]
)
def test_weights_that_may_be_in_several_columns_are_an_error(header):
    names = header.split(",")
    text = f"{header}\n{','.join(map(str, range(len(names))))}\n".encode()
    with pytest.raises(pf.FormatError, match=r"the weights may be in .*; pass weight='.*', or weight=False"):
        unpacked(text, "csv")
    assert unpacked(text, "csv", weight=False).weights is None
    assert unpacked(text, "csv", weight=names[-1] if names[-1] != "to" else "id").m == 1


def test_a_column_named_weight_is_that_among_others():
    assert unpacked(b"id,to,Weight,from\n7,1,5,0\n", "csv").weights.tolist() == [5]
    assert unpacked(b"from,to,km\n0,1,5\n", "csv").weights.tolist() == [5]


@pytest.mark.parametrize("text", ["tail,head", "tail,head\n", "from,to\r\n", "u,v,w\n", "\ufeffsource,target,km\n\n"])
def test_a_csv_of_a_header_only_is_an_empty_graph(text):
    graph = unpacked(text.encode(), "csv")
    assert (graph.n, graph.m) == (0, 0)
    assert (graph.weights is not None) == (text.count(",") == 2)


# ---- names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("separator", ["\t", " ", "  \t", ","])
def test_names_separated_by_tabs_or_blanks(separator, tmp_path):
    text = "# roads\nRome Ostia 3.5\n7 Rome 2.0\r\n\nÓsť Rome 1.0\n".replace(" ", separator)
    (tmp_path / "roads.tsv").write_bytes(text.encode())
    graph = pf.read(tmp_path / "roads.tsv")
    assert graph.labels.tolist() == ["Rome", "Ostia", "7", "Ósť"]
    assert arcs(graph) == [("7", "Rome", 2.0), ("Rome", "Ostia", 3.5), ("Ósť", "Rome", 1.0)]
    assert arcs(unpacked(packed(graph.with_labels(["a", "b", "c7", "Ósť"]), "edge_list"), "edge_list")) == [
        ("a", "b", 3.5),
        ("c7", "a", 2.0),
        ("Ósť", "a", 1.0),
    ]


def test_names_of_columns_in_an_edge_list():
    assert arcs(unpacked(b"source\ttarget\tweight\n1\t2\t5\n", "edge_list")) == [(1, 2, 5)]
    assert arcs(unpacked(b"# c\nFrom To\na b\n", "edge_list")) == [("a", "b", None)]
    with pytest.raises(pf.FormatError, match=r"line 2: 'nodeA nodeB' may name the columns.*names=True"):
        unpacked(b"# c\nnodeA nodeB\n1 2\n2 3\n", "edge_list")
    assert unpacked(b"nodeA nodeB\n1 2\n", "edge_list", names=True).n == 4
    with pytest.raises(pf.FormatError, match="line 1: a weight expected, but 'w' found"):
        unpacked(b"x y w\n1 2 3\n", "edge_list")


def test_ids_are_names_as_the_first_line_or_the_option_says():
    with pytest.raises(pf.FormatError, match="line 2: a vertex id expected, but 'b' found; pass names=True"):
        unpacked(b"1 2\nb 3\n", "edge_list")
    assert unpacked(b"1 2\nb 3\n", "edge_list", names=True).labels.tolist() == ["1", "2", "b", "3"]
    with pytest.raises(pf.FormatError, match="line 1: a vertex id expected, but 'a' found"):
        unpacked(b"a b\n", "edge_list", names=False)
    with pytest.raises(pf.ArgumentError, match="the ids are names"):
        unpacked(b"a b\n", "edge_list", compact=False)
    with pytest.raises(pf.FormatError, match="control character"):
        unpacked(b"a \x01b\n", "edge_list")
    with pytest.raises(pf.FormatError, match="UTF-8"):
        unpacked(b"a \xff\n", "edge_list")


def test_an_edge_that_looks_like_a_header_is_an_edge_below_a_count():
    graph = pf.Graph.from_edges([0, 2], [1, 1], [5, 0])  # written as "0 1 5", "2 1 0"
    contents = packed(graph.reverse(), "edge_list")
    assert unpacked(contents).default_source is None
    assert unpacked(b"2 1 0\n0 1 5\n").default_source == 0
    assert arcs(unpacked(b"# Nodes: 3 Edges: 2\n2 1 0\n0 1 5\n")) == [(0, 1, 5), (2, 1, 0)]


# ---- weights -------------------------------------------------------------------------------------------------------

ONE_ARC = {
    "dimacs": "p sp 2 2\na 1 2 {}\na 2 1 {}\n",
    "edge_list": "0 1 {}\n1 0 {}\n",
    "csv": "u,v,w\n0,1,{}\n1,0,{}\n",
    "matrix_market": "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 {}\n2 1 {}\n",
}


@pytest.mark.parametrize("weight", ["1e-400", "-1e-400", "1e400", "2e308"])
@pytest.mark.parametrize("format", ONE_ARC)
def test_a_weight_is_not_rounded_to_zero_or_infinity(format, weight):
    with pytest.raises(pf.FormatError, match=f"weight '{weight}' is too small or too large for a float64"):
        unpacked(ONE_ARC[format].format(weight, weight).encode(), format)
    tiny = unpacked(ONE_ARC[format].format("5e-324", "0e-400").encode(), format)
    assert tiny.weights.tolist() == [5e-324, 0.0]


@pytest.mark.parametrize("format", ["dimacs", "edge_list", "csv"])
def test_a_whole_number_is_not_rounded_beside_a_float(format):
    for weights in (("9007199254740993", "0.5"), ("0.5", "9007199254740993"), ("2.0", "18446744073709551615")):
        with pytest.raises(pf.FormatError, match="would be rounded"):
            unpacked(ONE_ARC[format].format(*weights).encode(), format)
    assert unpacked(ONE_ARC[format].format("9007199254740992", "0.5").encode(), format).weights.tolist() == [2**53, 0.5]


# ---- long comments -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mark", "format", "banner", "text"),
    [
        (b"%", "matrix_market", b"%%MatrixMarket matrix coordinate pattern general\n", b"2 2 1\n1 2\n"),
        (b"c", "dimacs", b"", b"p sp 2 1\na 1 2 3\n"),
        (b"c", "pace", b"", b"p tw 2 1\n1 2\n"),
        (b"#", "edge_list", b"", b"0 1\n"),
    ],
)
def test_comments_may_be_longer_than_what_is_looked_at(mark, format, banner, text):
    contents = banner + (mark + b" comment\n\n") * 40_000 + text
    assert unpacked(contents, format).n == 2
    assert unpacked(contents).n == 2


def test_lines_that_only_look_like_comments_are_not_all_copied(monkeypatch):
    monkeypatch.setattr(files, "_MOST_COMMENTS", 1000)
    source = files.open_source(io.BytesIO(b"c1 c2\n" * 100_000))
    assert len(source.head) <= 1000 + files.SNIFFED < len(source)
    assert unpacked(b"c1 c2\n" * 100_000, "edge_list").labels.tolist() == ["c1", "c2"]


def test_float_weights_of_a_matrix_without_entries_stay_floats():
    graph = pf.Graph.from_edges([], [], np.empty(0, np.float64), n=2)
    assert unpacked(packed(graph, "matrix_market")).weights.dtype == np.float64
