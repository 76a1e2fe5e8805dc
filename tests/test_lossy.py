"""What formats cannot hold is refused before anything is written, and left out with `lossy=True`."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from typer.testing import CliRunner

import pathfront as pf
from format_cases import arcs, packed, unpacked
from pathfront.cli import app

ALL = pf.Graph.from_edges(
    [0, 0, 0, 1, 2], [1, 1, 0, 2, 1], [4, 3, 2, 9, 9], n=4, labels=["a", "b", "c", "d"], coordinates=np.ones((4, 2))
)
"""A directed graph with labels, coordinates, parallel arcs, a loop and a vertex without arcs."""

LOST = {
    "dimacs": "the labels of the vertices and the coordinates of the vertices; coordinates=FILE writes them",
    "pace": "the labels.*, the coordinates.*, the weights and the directions of the arcs",
    "matrix_market": "the labels of the vertices and the coordinates of the vertices; pass lossy=True",
    "galois": "the labels of the vertices and the coordinates of the vertices; pass lossy=True",
    "npz": "the labels.*, the coordinates of the vertices and parallel arcs",
    "parquet": "the coordinates of the vertices; pass lossy=True",
    "edge_list": "the coordinates of the vertices and vertex 'd', which has no arcs; header=True keeps",
    "metis": "the labels.*, the coordinates.*, the directions of the arcs .*and loops",
    "csv": "the coordinates of the vertices and vertex 'd', which has no arcs; pass lossy=True",
}


@pytest.mark.parametrize("format", LOST)
def test_losses_are_named_and_need_lossy(format, tmp_path):
    path = tmp_path / "graph"
    with pytest.raises(pf.ArgumentError, match=f"the format {format} cannot hold {LOST[format]}"):
        pf.write(ALL, path, format=format)
    assert list(tmp_path.iterdir()) == []
    pf.write(ALL, path, format=format, lossy=True)
    found = pf.read(path, format=format)
    assert found.n == (3 if format in ("csv", "edge_list") else 4)
    names = "abcd" if found.labels is not None else range(4)
    loop, parallel = format != "metis", format not in ("npz", "metis", "pace")
    expected = [(0, 1, 3), (1, 2, 9), (2, 1, 9)] + [(0, 0, 2)] * loop + [(0, 1, 4)] * parallel
    if format == "pace":
        expected = [(0, 0, None)] + [(0, 1, None), (1, 0, None)] * 2 + [(1, 2, None), (2, 1, None)] * 2
    elif format == "metis":
        expected += [(1, 0, 3), (0, 1, 4), (1, 0, 4), (1, 2, 9), (2, 1, 9)]
    assert arcs(found) == sorted((names[u], names[v], w) for u, v, w in expected)


def test_what_is_held_needs_no_lossy():
    assert pf.formats.get("pfg").cannot_hold == ()
    assert arcs(unpacked(packed(ALL, "pfg"))) == arcs(ALL)
    symmetric = pf.Graph.from_edges([0, 1, 1], [1, 0, 2], directed=True).with_weights(None)
    both = pf.Graph.from_edges([0, 1], [1, 0])
    assert not unpacked(packed(both, "metis"), "metis").directed
    assert not unpacked(packed(both, "pace")).directed
    with pytest.raises(pf.ArgumentError, match="directions"):
        packed(symmetric, "pace")


def test_options_that_hold_more(tmp_path):
    graph = pf.Graph.from_edges([0, 2], [2, 0], [1, 2], n=3, coordinates=np.ones((3, 2), np.int64))
    pf.write(graph, tmp_path / "a.gr", coordinates=tmp_path / "a.co")
    assert pf.read(tmp_path / "a.gr", coordinates=tmp_path / "a.co").coordinates.tolist() == [[1, 1]] * 3
    found = unpacked(packed(graph.with_coordinates(None), "edge_list", header=True, source=2))
    assert (found.n, found.default_source) == (3, 2)
    assert packed(found, "edge_list", header=True).startswith(b"3 2 2\n")
    with pytest.raises(pf.ArgumentError, match="dimacs cannot hold the default source"):
        packed(found, "dimacs")
    with pytest.raises(pf.ArgumentError, match="edge_list cannot hold the labels"):
        packed(pf.Graph.from_edges([0], [1], [1], labels=["a", "b"]), "edge_list", header=True)


def test_labels_of_kinds_that_no_file_holds():
    graph = pf.Graph.from_edges([0], [1], [1], labels=[(0, 0), (0, 1)])
    for format in ("pfg", "parquet", "csv", "edge_list"):
        with pytest.raises(pf.ArgumentError, match=r"labels of the vertices \(that of vertex 0 is \(0, 0\)"):
            packed(graph, format)
        assert arcs(unpacked(packed(graph, format, lossy=True), format)) == [(0, 1, 1)]


def test_weights_are_never_made_up_or_rounded():
    for lossy in (False, True):
        with pytest.raises(pf.ArgumentError, match="no weights"):
            packed(pf.Graph.from_edges([0], [1]), "dimacs", lossy=lossy)
        with pytest.raises(pf.ArgumentError, match="whole numbers only"):
            packed(pf.Graph.from_edges([0], [1], [0.5], directed=False), "metis", lossy=lossy)
    with pytest.raises(pf.ArgumentTypeError, match="lossy is 1"):
        pf.write(ALL, io.BytesIO(), format="pfg", lossy=1)


def test_vertices_without_arcs_in_parquet():
    for labels in (None, ["x", "y", "z", "", "w"], [7, 5, 3, 2**62, 1]):
        graph = pf.Graph.from_edges([1, 3], [3, 1], [0.5, 2.0], n=5, labels=labels)
        found = unpacked(packed(graph, "parquet"))
        assert (found.n, arcs(found)) == (5, arcs(graph))
        assert labels is None or sorted(found.labels.tolist()) == sorted(labels)


@pytest.mark.parametrize(
    "text", [b"x", b"[]", b'{"n": -1}', b'{"n": 2, "directed": 1, "labels": false, "isolated": []}', b"{}", b"[" * 9999]
)
def test_damaged_metadata_of_parquet(text):
    import pyarrow
    import pyarrow.parquet

    file = io.BytesIO()
    table = pyarrow.table({"tail": [0], "head": [1]}).replace_schema_metadata({b"pathfront": text})
    pyarrow.parquet.write_table(table, file)
    with pytest.raises(pf.FormatError, match="'pathfront' is damaged"):
        unpacked(file.getvalue())


def test_the_command_line_asks_for_lossy(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pf.write(ALL, "all.pfg")
    run = CliRunner().invoke(app, ["convert", "all.pfg", "all.npz"], standalone_mode=False)
    assert "npz cannot hold the labels" in str(run.exception)
    assert not (tmp_path / "all.npz").exists()
    assert CliRunner().invoke(app, ["convert", "all.pfg", "all.npz", "--lossy"]).exit_code == 0
    assert pf.read("all.npz").m == 4
    listed = CliRunner().invoke(app, ["formats", "--json"]).stdout
    assert {row["name"]: row["cannot_hold"] for row in json.loads(listed)}["csv"] == [
        "vertices without arcs",
        "coordinates",
        "a default source",
    ]
    made = CliRunner().invoke(app, ["generate", "grid", "3", "3", "-o", "grid.gr"])
    assert made.stdout == "wrote grid.gr: 9 vertices, 24 arcs, undirected, uint32 weights, without coordinates\n"
