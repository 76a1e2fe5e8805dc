"""`pathfront matrix`, `pathfront nearest` and `pathfront solve` with several sources, held against the library."""

from __future__ import annotations

import csv
import io

import numpy as np
import pyarrow.parquet
import pytest
import scipy.sparse

import pathfront as pf
from pathfront.cli import inputs, matrix
from test_cli import call as call

GRAPH = pf.Graph.from_edges(
    [0, 0, 1, 2, 2, 3, 4], [1, 2, 3, 1, 3, 4, 4], np.array([7, 2, 1, 3, 8, 2, 0], np.uint32), n=6
)
"""What small.gr holds; there vertices count from 1."""
FAR = 2**32 - 1


def rows(name):
    if name.endswith(".csv"):
        with open(name, newline="") as file:
            return [{k: int(v) if v else None for k, v in row.items()} for row in csv.DictReader(file)]
    return pyarrow.parquet.read_table(name).to_pylist()


def table(graph, sources, targets, *, sparse, parents):
    found = pf.distance_matrix(graph, sources, targets, parents=True)
    made = []
    for i, source in enumerate(sources):
        for j, target in enumerate(targets):
            far = found.distances[i, j] == FAR
            if sparse and far:
                continue
            parent = int(found.parents[i, target])
            row = {"source": source + 1, "target": target + 1, "distance": None if far else int(found.distances[i, j])}
            made.append(row | ({"parent": None if parent < 0 else parent + 1} if parents else {}))
    return made


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("parents", [False, True])
@pytest.mark.parametrize("targets", [None, [4, 5, 0]], ids=["all", "targets"])
def test_a_matrix_as_a_table(call, ending, sparse, parents, targets):
    more = [option for option, given in (("--sparse", sparse), ("--parents", parents)) if given]
    more += [word for target in targets or [] for word in ("--target", target + 1)]
    answer = call("matrix", "small.gr", "-s", 1, "-s", 4, *more, "-o", f"m{ending}", "--json").json
    expected = table(GRAPH, [0, 3], targets or range(6), sparse=sparse, parents=parents)
    assert rows(f"m{ending}") == expected
    assert answer["reached"] == sum(row["distance"] is not None for row in expected)
    assert (answer["sources"], answer["output"]) == ([1, 4], f"m{ending}")
    assert answer["targets"] == (None if targets is None else [target + 1 for target in targets])
    assert "distances" not in answer


def test_a_matrix_as_arrays(call):
    expected = pf.distance_matrix(GRAPH, [0, 3], parents=True)
    call("matrix", "small.gr", "-s", 1, "-s", 4, "-o", "m.npy")
    assert np.array_equal(np.load("m.npy"), expected.distances)
    call("matrix", "small.gr", "-s", 1, "-s", 4, "--parents", "-o", "m.npz")
    with np.load("m.npz") as found:
        assert np.array_equal(found["distances"], expected.distances)
        assert np.array_equal(found["parents"], expected.parents)
        assert (found["sources"].tolist(), found["targets"].tolist()) == ([1, 4], [1, 2, 3, 4, 5, 6])
    call("matrix", "small.gr", "-s", 1, "-s", 4, "--cutoff", 5, "--sparse", "-o", "s.npz")
    near = scipy.sparse.load_npz("s.npz")
    assert near.nnz == 5
    assert near.toarray().tolist() == [[0, 5, 2, 0, 0, 0], [0, 0, 0, 0, 2, 0]]


def test_a_small_matrix_is_shown(call):
    shown = call("matrix", "small.gr", "-s", 1, "-s", 4, "--target", 5, "--target", 6)
    assert shown.facts()["reached"] == "2 of 4 pairs"
    assert shown.out.splitlines()[-3:] == ["   5  6", "1  8  -", "4  2  -"]
    assert "\n\n" not in call("matrix", "small.gr", "-s", 1, "-o", "m.csv").out


def test_a_matrix_in_json(call):
    given = ("matrix", "small.gr", "--source", 1, "-s", 4, "--target", 5, "--target", 6, "--json")
    assert call(*given).json["distances"] == [[8, None], [2, None]]
    assert call(*given, "--parents").json["parents"] == [[4, None], [4, None]]
    sparse = call(*given, "--sparse").json["distances"]
    assert sparse == [{"targets": [5], "distances": [8]}, {"targets": [5], "distances": [2]}]
    by_index = call("matrix", "small.gr", "-s", 0, "--target", 4, "--by-index", "--json").json
    assert (by_index["sources"], by_index["targets"], by_index["distances"]) == ([0], [4], [[8]])


def test_vertices_from_files(call, tmp_path, monkeypatch):
    (tmp_path / "from.txt").write_text("1\n\n  4 \r\n")
    (tmp_path / "to.txt").write_bytes(b"\xef\xbb\xbf5\n")
    assert call("matrix", "small.gr", "-s", 2, "--sources-from", "from.txt", "--targets-from", "to.txt", "--json").json[
        "distances"
    ] == [[3], [8], [2]]
    monkeypatch.setattr("sys.stdin", io.StringIO("4\n1\n"))
    found = call("nearest", "small.gr", "--sources-from", "-", "--json").json
    assert [each["vertex"] for each in found["sources"]] == [4, 1]


def test_method_device_and_options_reach_the_search(call, monkeypatch):
    given = {}
    real = pf.distance_matrix
    monkeypatch.setattr(pf, "distance_matrix", lambda *args, **more: given.update(more) or real(*args, **more))
    call("matrix", "small.gr", "-s", 1, "-m", "adds", "--delta", 3, "-t", 2, "--option", "buckets=8", "--cutoff", 5)
    expected = {"method": "adds", "device": "cpu", "delta": 3, "threads": 2, "buckets": 8, "cutoff": 5}
    assert {name: given[name] for name in expected} == expected


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("direction", ["from", "to"])
def test_nearest_as_a_table(call, ending, k, direction):
    call("nearest", "small.gr", "-s", 4, "-s", 1, "-k", k, "--direction", direction, "--parents", "-o", f"n{ending}")
    found = pf.nearest(GRAPH, [3, 0], k=k, direction=direction, parents=True)
    expected = []
    for v in range(6):
        for rank in range(k):
            source, parent = (int(a.reshape(6, k)[v, rank]) for a in (found.source, found.parent))
            row = {"vertex": v + 1} | ({"rank": rank} if k > 1 else {})
            row["distance"] = None if source == FAR else int(found.distance.reshape(6, k)[v, rank])
            row |= {name: None if u == FAR else u + 1 for name, u in (("source", source), ("parent", parent))}
            expected.append(row)
    assert rows(f"n{ending}") == expected


def test_nearest_as_arrays(call):
    call("nearest", "small.gr", "-s", 4, "-s", 1, "-k", 2, "--cutoff", 5, "-o", "n.npz")
    expected = pf.nearest(GRAPH, [3, 0], k=2, cutoff=5)
    with np.load("n.npz") as found:
        assert np.array_equal(found["distance"], expected.distance)
        assert np.array_equal(found["source"], expected.source)
        assert found["vertices"].tolist() == [1, 2, 3, 4, 5, 6]


def test_nearest_tells_what_it_found(call):
    shown = call("nearest", "small.gr", "-s", 1, "-s", 4, "--target", 5, "--target", 6).out
    assert "reached   5 of 6 vertices\n" in shown
    assert "farthest  vertex 2 at distance 5, source 1, mean 1.8\n" in shown
    assert "source    1: nearest of 3 vertices\nsource    4: nearest of 2 vertices\n" in shown
    assert "target    vertex 5 at distance 2, source 4\ntarget    vertex 6 unreached\n" in shown
    answer = call("nearest", "small.gr", "-s", 1, "-s", 4, "-k", 2, "--target", 5, "--json").json
    assert [each["vertices"] for each in answer["sources"]] == [3, 2]
    assert answer["farthest"] == {"vertex": 2, "source": 1, "distance": 5}
    assert answer["targets"] == [
        {"vertex": 5, "index": 4, "nearest": [{"source": 4, "distance": 2}, {"source": 1, "distance": 8}]}
    ]


def test_solve_from_several_sources(call):
    found = call("solve", "small.gr", "-s", 1, "-s", 4, "--path-to", 5, "--verify", "--json").json["searches"]
    assert [each["source"]["vertex"] for each in found] == [1, 4]
    assert [each["paths"][0]["vertices"] for each in found] == [[1, 3, 2, 4, 5], [4, 5]]
    assert all(each["verified"] for each in found)
    shown = call("solve", "small.gr", "-s", 1, "-s", 4).out
    assert [part.splitlines()[1].split() for part in shown.split("\n\n")] == [["source", "1"], ["source", "4"]]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("matrix", "small.gr"), "--source is missing, and the graph file names no source"),
        (("matrix", "small.gr", "-s", 9), "--source is 9, but the graph's vertices are 1..6"),
        (("matrix", "small.gr", "-s", 1, "--target", 0), "--target is 0, but the graph's vertices are 1..6"),
        (("matrix", "small.gr", "--sources-from", "bad.txt"), "--sources-from 'bad.txt', line 2, is 'x', but"),
        (("matrix", "small.gr", "--sources-from", "none.txt"), "none.txt: No such file or directory"),
        (("matrix", "small.gr", "--sources-from", "empty.txt"), "--sources-from is 'empty.txt', which has no lines"),
        (("matrix", "small.gr", "--sources-from", "latin.txt"), "'latin.txt', which is not text in UTF-8"),
        (("matrix", "small.gr", "-s", 1, "--targets-from", "empty.txt"), "--targets-from is 'empty.txt', which has no"),
        (("matrix", "small.gr", "--sources-from", "-", "--targets-from", "-"), "are both standard input"),
        (("matrix", "small.gr", "-s", 1, "-o", "m.txt"), "its name must end in one of .npy, .npz, .csv, .parquet"),
        (("matrix", "small.gr", "-s", 1, "-o", "m.npy", "--sparse"), "use .npz, or leave --sparse out"),
        (("matrix", "small.gr", "-s", 1, "-m", "djikstra"), "--method is 'djikstra' (did you mean 'dijkstra'?)"),
        (("matrix", "small.gr", "-s", 1, "--cutoff", "far"), "--cutoff is 'far', but it must be a number"),
        (("nearest", "small.gr", "-s", 1, "-k", 0), "-k is 0, but it must be at least 1"),
        (("nearest", "small.gr", "-s", 1, "-k", "two"), "-k is 'two', but it must be a whole number"),
        (("nearest", "small.gr", "-s", 1, "--direction", "frm"), "--direction is 'frm' (did you mean 'from'?)"),
        (("nearest", "small.gr", "-s", 1, "-o", "n.npy"), "its name must end in one of .npz, .csv, .parquet"),
        (("nearest", "negative.gr", "-s", 1, "-k", 2), "but -k 2 needs weights >= 0; use 'pathfront matrix' and"),
        (
            ("solve", "small.gr", "-s", 1, "-s", 4, "-o", "d.csv"),
            "--output takes the answer of one search, but --source",
        ),
    ],
)
def test_a_mistake_is_one_line(call, tmp_path, arguments, words):
    (tmp_path / "bad.txt").write_text("1\nx\n")
    (tmp_path / "empty.txt").write_text("\n")
    (tmp_path / "latin.txt").write_bytes(b"1\n\xe9\n")
    (tmp_path / "negative.gr").write_text("p sp 2 1\na 1 2 -3\n")
    assert words in call(*arguments, code=2).err


@pytest.mark.parametrize("columns", [1, 3])
def test_a_long_table_is_written_in_pieces(call, monkeypatch, columns):
    """A piece is a group of rows in a .parquet file; their bounds must not show."""
    monkeypatch.setattr(matrix, "_ROWS_PER_PIECE", 4)
    targets = [word for target in (5, 1, 6)[:columns] for word in ("--target", target)]
    sources = [word for source in (1, 2, 3, 4, 5, 6, 1) for word in ("-s", source)]
    for ending in (".csv", ".parquet"):
        call("matrix", "small.gr", *sources, *targets, "--parents", "-o", f"m{ending}")
    expected = table(GRAPH, [0, 1, 2, 3, 4, 5, 0], [4, 0, 5][:columns], sparse=False, parents=True)
    assert rows("m.csv") == rows("m.parquet") == expected
    assert pyarrow.parquet.ParquetFile("m.parquet").num_row_groups == (2 if columns == 1 else 4)


def test_names_that_csv_cannot_hold(call, tmp_path, monkeypatch):
    graph = pf.Graph.from_edges([0, 1], [1, 2], [4, 3], labels=["", "b", "c"])
    monkeypatch.setattr(inputs, "read_graph", lambda *_: graph)
    for command in (("matrix", "x", "-s", "b", "--parents"), ("nearest", "x", "-s", "b")):
        assert "a vertex is named '', which .csv does not" in call(*command, "-o", "d.csv", code=2).err
        call(*command, "-o", "d.parquet")
        call(*command, "-o", "d.npz")
    call("matrix", "x", "-s", "b", "-o", "d.csv")
