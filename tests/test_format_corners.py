"""The corners of each format: what only it has, and what it refuses to read or write."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile

import numpy as np
import pytest
import scipy.io
import scipy.sparse

import pathfront as pf
from format_cases import GRAPHS, arcs, packed, unpacked


def test_galois_version_2_has_wide_heads():
    graph = GRAPHS["floats"]()
    contents = packed(graph, "galois", version=2, weights="float64")
    assert len(contents) == 32 + 8 * graph.n + 16 * graph.m
    assert arcs(unpacked(contents, weights="float64")) == arcs(graph)


@pytest.mark.parametrize("version", [1, 2])
def test_galois_without_weights(version):
    graph = GRAPHS["no_weights"]()
    contents = packed(graph, "galois", version=version)
    assert arcs(unpacked(contents)) == arcs(graph)
    if version == 1:
        assert arcs(unpacked(contents + bytes(4))) == arcs(graph)  # padded, as others write it


@pytest.mark.parametrize(
    ("position", "value", "reason"), [(32, 7, r"offsets\[2\] is 2"), (40, -1, "offsets"), (56, 3, r"heads\[0\] is 3")]
)
def test_galois_rows_are_checked(position, value, reason):
    contents = bytearray(packed(GRAPHS["zero_weights"](), "galois"))
    contents[position : position + (8 if position < 56 else 4)] = value.to_bytes(
        8 if position < 56 else 4, "little", signed=True
    )
    with pytest.raises(pf.FormatError, match=f"<stream>: {reason}"):
        unpacked(bytes(contents))


def test_galois_weights_are_what_the_reader_says():
    with pytest.raises(pf.ArgumentError, match="which a Galois file does not record; pass weights="):
        packed(GRAPHS["negative_weights"](), "galois")
    kind = GRAPHS["negative_weights"]().weights.dtype.name
    contents = packed(GRAPHS["negative_weights"](), "galois", weights=kind)
    assert unpacked(contents, weights="int64").weights.tolist() == [-3, 8, 2]
    with pytest.raises(pf.FormatError, match="8 bytes each"):
        unpacked(contents, weights="int32")
    with pytest.raises(pf.ArgumentError, match="float32"):
        unpacked(contents, weights="float16")


@pytest.mark.parametrize(
    ("banner", "body", "reason"),
    [
        ("matrix array real general", "2 2\n1\n2\n3\n4\n", "from_dense"),
        ("matrix coordinate complex general", "1 1 1\n1 1 1 1\n", "complex"),
        ("matrix coordinate real skew-symmetric", "1 1 0\n", "skew-symmetric"),
        ("matrix coordinate real general", "2 3 1\n1 1 1\n", "square"),
        ("matrix coordinate real general", "", "ROWS COLUMNS ENTRIES"),
        ("matrix coordinate real general", "2 2 2\n1 1 1\n", "line 4: .*promises 2 entries"),
        ("matrix coordinate real general", "2 2 1\n3 1 1\n", "line 3: vertex 3"),
        ("matrix coordinate pattern general", "3 3 2\n1 2\n2 3t", "line 4"),
        ("matrix coordinate real general", "2 2 1\n1 1 nan\n", "finite"),
        ("matrix coordinate real general", "2 2 1000000000000000000\n1 1 1\n", "entries"),
        ("matrix coordinate real general", "4000000000 4000000000 1\n1 1 1\n", "4000000000 vertices"),
        ("matrix coordinate", "1 1 0\n", "line 1"),
    ],
)
def test_matrix_market_refuses(banner, body, reason):
    with pytest.raises(pf.FormatError, match=reason):
        unpacked(f"%%MatrixMarket {banner}\n{body}".encode())


def test_matrix_market_keeps_parallel_entries_and_chooses_small_types():
    text = b"%%MatrixMarket matrix coordinate integer general\n% hello\n2 2 3\n1 2 5\n1 2 7\n2 1 0\n"
    graph = unpacked(text)
    assert arcs(graph) == [(0, 1, 5), (0, 1, 7), (1, 0, 0)]
    assert graph.weights.dtype == np.uint32
    assert unpacked(text.replace(b"7", b"-7")).weights.dtype == np.int32
    assert unpacked(text.replace(b"7", b"9007199254740993")).weights.tolist()[1] == 2**53 + 1


def test_matrix_market_is_read_by_scipy():
    graph = GRAPHS["undirected"]()
    matrix = scipy.io.mmread(io.BytesIO(packed(graph, "matrix_market")))
    assert (matrix.tocsr() != graph.to_scipy()).nnz == 0


def test_edge_list_with_every_kind_of_separator_and_comment():
    graph = unpacked(b"# Nodes\r\n% more\r\n\r\n0\t1\r\n1, 2\n 2 ,0\n0 2")
    assert arcs(graph) == [(0, 1, None), (0, 2, None), (1, 2, None), (2, 0, None)]
    assert graph.labels is None


def test_edge_list_ids():
    text = b"10 30\n30 20\n"
    assert unpacked(text).labels.tolist() == [10, 20, 30]
    assert unpacked(text, "edge_list", compact=False).n == 31
    assert not unpacked(text, "edge_list", directed=False).directed
    huge = f"{2**64 - 1} {2**63}\n".encode()
    assert unpacked(huge).labels.tolist() == [2**63, 2**64 - 1]
    with pytest.raises(pf.FormatError, match="compact=False"):
        unpacked(huge, "edge_list", compact=False)


@pytest.mark.parametrize("option", ["header", "directed", "compact"])
def test_options_that_are_no_truth_values(option):
    with pytest.raises(pf.ArgumentTypeError, match=f"{option} is 'no', a str; give True or False"):
        unpacked(b"1 2\n", "edge_list", **{option: "no"})


def test_edge_list_header():
    text = b"5 2 3\n0 1 2.5\n1 3 1\n"
    graph = unpacked(text)
    assert (graph.n, graph.m, graph.default_source) == (5, 2, 3)
    assert graph.weights.tolist() == [2.5, 1.0]
    plain = unpacked(text, "edge_list", header=False)
    assert (plain.m, plain.default_source, plain.labels.tolist()) == (3, None, [0, 1, 2, 3, 5])
    for not_a_header in (b"5 3 3\n0 1 2\n1 3 1\n", b"3 2 1\n0 1 2\n1 3 1\n", b"5 2 5\n0 1 2\n1 3 1\n", b"5 0 3\n"):
        assert unpacked(not_a_header).default_source is None
        if not_a_header != b"5 0 3\n":
            with pytest.raises(pf.FormatError):
                unpacked(not_a_header, "edge_list", header=True)
    assert unpacked(b"5 0 3\n", "edge_list", header=True).n == 5


def test_edge_list_header_is_written():
    graph = GRAPHS["isolated"]()
    contents = packed(graph, "edge_list", header=True, source=3)
    assert contents.startswith(b"6 4 3\n")
    found = unpacked(contents)
    assert (arcs(found), found.n, found.default_source) == (arcs(graph), 6, 3)
    assert packed(found, "edge_list", header=True) == contents
    with pytest.raises(pf.VertexError):
        packed(graph, "edge_list", header=True, source=6)
    with pytest.raises(pf.ArgumentError, match="header=True"):
        packed(GRAPHS["loop"](), "edge_list", source=0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"1 2\na b\n", "line 2: .*names=True"),
        (b"1 2 3\n1 2\n", "line 2"),
        (b"1 2 3 4\n", "unexpected"),
        (b"1 -2\n", "csv"),
        (b"1 2 nan\n", "finite|weight"),
        (b"99999999999999999999 1\n", "larger"),
    ],
)
def test_edge_list_refuses(text, reason):
    with pytest.raises(pf.FormatError, match=reason):
        unpacked(text, "edge_list")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"2 1\n2\n\n", "only one of its ends|promises"),
        (b"3 2\n2 3\n1\n2\n", "only one of its ends"),
        (b"2 1 001\n2 5\n1 6\n", "two weights"),
        (b"2 1\n3\n1\n", "line 2"),
        (b"2 1\n2\n", "cut short"),
        (b"1000000000 1000000000000000000\n", "lines for 0"),
        (b"2 1 7\n2\n1\n", "format flags|digit"),
    ],
)
def test_metis_refuses(text, reason):
    with pytest.raises(pf.FormatError, match=reason):
        unpacked(text, "metis")


def test_metis_reads_over_sizes_and_weights_of_vertices():
    assert arcs(unpacked(b"%\n2 1 111 2\n9 8 7 2 5\n9 8 7 1 5\n", "metis")) == [(0, 1, 5), (1, 0, 5)]


@pytest.mark.parametrize(("weights", "reason"), [([0.5], "whole"), ([0], "above 0"), ([-1], "above 0")])
def test_metis_cannot_write(weights, reason):
    with pytest.raises(pf.ArgumentError, match=reason):
        packed(pf.Graph.from_edges([0], [1], weights, directed=False), "metis")
    with pytest.raises(pf.ArgumentError, match="loop"):
        packed(pf.Graph.from_edges([0], [0], [1], directed=False), "metis")


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_npz_of_scipy(kind):
    matrix = scipy.sparse.random_array((9, 9), density=0.3, rng=np.random.default_rng(1), format=kind)
    file = io.BytesIO()
    scipy.sparse.save_npz(file, matrix)
    assert arcs(unpacked(file.getvalue())) == arcs(pf.Graph.from_scipy(matrix))
    with pytest.raises(pf.FormatError, match="not symmetric"):
        unpacked(file.getvalue(), directed=False)


def test_npz_of_another_shape_than_its_rows():
    file = io.BytesIO()
    matrix = scipy.sparse.eye_array(3, format="csr")
    np.savez(file, format=b"csr", shape=(4, 4), data=matrix.data, indices=matrix.indices, indptr=matrix.indptr)
    with pytest.raises(pf.FormatError, match="has 4 rows, but indptr has 4 entries"):
        unpacked(file.getvalue())


def test_npz_refuses_other_archives():
    file = io.BytesIO()
    np.savez(file, a=[1])
    with pytest.raises(pf.FormatError, match="no sparse matrix"):
        unpacked(file.getvalue())
    file = io.BytesIO()
    scipy.sparse.save_npz(file, scipy.sparse.dia_array(np.eye(3)))
    with pytest.raises(pf.FormatError, match="tocsr"):
        unpacked(file.getvalue())
    file = io.BytesIO()
    np.savez(file, format=np.array(["csr"], dtype=object), allow_pickle=True)
    with pytest.raises(pf.FormatError, match="Python objects"):
        unpacked(file.getvalue())


def test_npz_does_not_believe_an_array_header():
    file = io.BytesIO()
    scipy.sparse.save_npz(file, scipy.sparse.eye_array(3, format="csr"), compressed=False)
    honest = zipfile.ZipFile(file)
    forged = io.BytesIO()
    with zipfile.ZipFile(forged, "w") as archive:
        for name in honest.namelist():
            contents = honest.read(name)
            if b"(3,)" in contents:  # the header keeps its length
                contents = contents.replace(b"(3,)", b"(300000000000,)").replace(12 * b" ", b" ", 1)
            archive.writestr(name, contents)
    with pytest.raises(pf.FormatError, match="claims"):
        unpacked(forged.getvalue())


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("tail,head,weight\na,b,2\n", {}, [("a", "b", 2)]),
        ("x,Source,weight,target\n1,a,2,b\n", {}, [("a", "b", 2)]),
        ("from,to\n7,8\n", {}, [(7, 8, None)]),
        ("u,v,w\n0,1,2.5\n", {}, [(0, 1, 2.5)]),
        ("km,u,v\n3,0,1\n", {"tail": "u", "head": "v", "weight": "km"}, [(0, 1, 3)]),
        ("0,1,5\n1,2,6\n", {}, [(0, 1, 5), (1, 2, 6)]),
        ("u,v\n1,a\n2,1\n", {}, [("1", "a", None), ("2", "1", None)]),
        (f"u,v,w\n0,1,{2**64 - 1}\n", {}, [(0, 1, 2**64 - 1)]),
        ('u,v\r\n"a,b",c\r\n', {}, [("a,b", "c", None)]),
        ("from,to,km\n0,1,3\n", {}, [(0, 1, 3)]),
        ("km,from,to\n3,0,1\n", {"weight": "km"}, [(0, 1, 3)]),
        ("from,to,km,name\n0,1,3,x\n", {"weight": "km"}, [(0, 1, 3)]),
        ('u,v\n"",NA\n', {}, [("", "NA", None)]),
    ],
)
def test_csv_columns(text, options, expected):
    assert arcs(unpacked(text.encode(), "csv", **options)) == expected


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        ("a,b\n1,2\n", {"tail": "x", "head": "b"}, "the columns are a, b"),
        ("a\n1\n", {}, "two columns"),
        ("a,b\n1\n", {}, "pyarrow"),
        ("a,b\n1,2\n,3\n", {}, "row 2"),
        ("a,b\nx,y\nz,\n", {}, "column 'b' has no value in row 2"),
        ("a,b\n1,\n", {}, "column 'b' has no value in row 1"),
        ("a,b\n1.5,2\n", {}, "floats"),
        ("a,b,w\n1,2,x\n", {}, "not a column of numbers|type"),
        ("a,b,w\n1,2,inf\n", {}, "finite"),
        ("a,a,w\n1,2,3\n", {}, "two columns are named"),
    ],
)
def test_csv_refuses(text, options, reason):
    with pytest.raises(pf.FormatError, match=reason):
        unpacked(text.encode(), "csv", **options)


def test_csv_is_not_written_where_names_would_become_numbers():
    graph = pf.Graph.from_edges([0], [1], labels=["007", "7"])
    with pytest.raises(pf.ArgumentError, match="look like numbers"):
        packed(graph, "csv")
    assert unpacked(packed(graph, "parquet")).labels.tolist() == ["007", "7"]


def test_tables_without_pyarrow_name_the_extra():
    script = """
import sys, io
sys.modules["pyarrow"] = None
import pathfront as pf
try:
    pf.read(io.BytesIO(b"a,b\\n1,2\\n"), format="csv")
except pf.MissingExtraError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert 'pip install "pathfront[tables]"' in run.stdout
