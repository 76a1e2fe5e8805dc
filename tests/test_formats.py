"""Every format: what it keeps and refuses, how it is recognised, and files written by others."""

from __future__ import annotations

import numpy as np
import pytest

import pathfront as pf
from format_cases import GRAPHS, READ_OPTIONS, arcs, packed, unpacked

# What a format cannot hold, with a word of the reason that it gives.
REFUSES = {
    "dimacs": {"empty": "weights", "one_vertex": "weights", "no_weights": "weights", "undirected_hops": "weights"},
    "pace": {
        **{name: "weights" for name in GRAPHS if GRAPHS[name]().weights is not None},
        "no_weights": "directions of the arcs",
    },
    "npz": {"parallel_arcs": "parallel"},
    "edge_list": {"one_vertex": "no arcs; header=True", "isolated": "no arcs; header=True", "names": "blanks"},
    "metis": {
        **{name: "directions of the arcs" for name in GRAPHS if GRAPHS[name]().directed and GRAPHS[name]().m},
        "beyond_2_53": "directions",
    },
    "csv": {"one_vertex": "no arcs", "isolated": "no arcs"},
}


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("format", pf.formats.names())
def test_round_trip_keeps_every_arc(format, name):
    graph = GRAPHS[name]()
    if name in REFUSES.get(format, {}):
        with pytest.raises(pf.ArgumentError, match=REFUSES[format][name]):
            packed(graph, format, lossy=format == "dimacs")
        return
    held = pf.formats.get(format).holds
    for part, drop in (("labels", pf.Graph.with_labels), ("coordinates", pf.Graph.with_coordinates)):
        if getattr(graph, part) is not None and part not in held:
            with pytest.raises(
                pf.ArgumentError, match=f"the format {format} cannot hold the {part}.*; pass lossy=True"
            ):
                packed(graph, format, **READ_OPTIONS.get(format, lambda graph: {})(graph))
            graph = drop(graph, None)
    options = READ_OPTIONS.get(format, lambda graph: {})(graph)
    found = unpacked(packed(graph, format, **options), format, **options)
    found.check()
    # Text does not record the width of floats, but the numbers must be the same.
    assert arcs(found) == arcs(graph)
    assert found.n == graph.n
    if graph.m:
        assert (found.weights is None) == (graph.weights is None)
        assert (
            graph.weights is None
            or found.weights.dtype.kind in {"u": "ui", "i": "ui", "f": "f"}[graph.weights.dtype.kind]
        )
    assert found.directed == graph.directed or not graph.m


@pytest.mark.parametrize("name", GRAPHS)
def test_pfg_keeps_everything_to_the_bit(name, tmp_path):
    graph = GRAPHS[name]()
    pf.write(graph, tmp_path / "a.pfg")
    found = pf.read(tmp_path / "a.pfg")
    for attribute in ("offsets", "heads", "weights", "labels", "coordinates"):
        one, other = getattr(graph, attribute), getattr(found, attribute)
        assert (one is None) == (other is None)
        if one is not None:
            assert one.dtype == other.dtype
            assert one.tobytes() == other.tobytes()
    assert (found.directed, found.default_source) == (graph.directed, graph.default_source)
    assert packed(found, "pfg") == packed(graph, "pfg")


@pytest.mark.parametrize("format", [name for name in pf.formats.names() if name not in ("metis", "csv")])
def test_contents_tell_the_format(format):
    graph = GRAPHS["undirected_hops"]() if format == "pace" else GRAPHS["uint32"]()
    assert arcs(unpacked(packed(graph, format))) == arcs(graph)


@pytest.mark.parametrize("name", ["a.graph", "a.metis", "a.METIS", "a.graph.gz", "a.csv"])
def test_the_name_tells_where_contents_do_not(name, tmp_path):
    graph = GRAPHS["undirected"]()
    pf.write(graph, tmp_path / name)
    assert arcs(pf.read(tmp_path / name)) == arcs(graph)


def test_gr_means_dimacs_when_written_and_whatever_it_holds_when_read(tmp_path):
    graph = GRAPHS["uint32"]()
    pf.write(graph, tmp_path / "a.gr")
    assert (tmp_path / "a.gr").read_bytes().startswith(b"p sp 2 2\n")
    for name, format in (("b.gr", "galois"), ("c.gr", "matrix_market"), ("d.galois.gr", None), ("e.sgr", None)):
        pf.write(graph, tmp_path / name, format=format)
        assert arcs(pf.read(tmp_path / name)) == arcs(graph)
    assert (tmp_path / "d.galois.gr").read_bytes()[:2] == b"\x01\x00"


REAL = {
    "dimacs9/USA-road-t.NY.gr.gz": (264346, 733846, False, "uint32"),
    "dimacs9/rome99.gr": (3353, 8870, True, "uint32"),
    "galois/rome99.galois.gr": (3353, 8870, True, "uint32"),
    "dimacs9/pace-FLA.gr.xz": (1070376, 2 * 1343951, False, None),
    "snap/wiki-Vote.txt.gz": (7115, 103689, True, None),
    "snap/soc-Epinions1.txt.gz": (75879, 508837, True, None),
    "snap/soc-Slashdot0902.txt.gz": (82168, 948464, True, None),
    "snap/email-Enron.txt.gz": (36692, 367662, False, None),
    "mesh/bips98_606.mtx": (7135, 34738, True, "float64"),
    "mesh/chesapeake.mtx": (39, 340, False, None),
    "mesh/4elt.graph": (15606, 2 * 45878, False, None),
}


@pytest.mark.parametrize("name", REAL)
def test_real_files_have_their_known_sizes(name, data):
    n, m, directed, weights = REAL[name]
    graph = pf.read(data(name))
    assert (graph.n, graph.m, graph.directed) == (n, m, directed)
    assert (None if graph.weights is None else graph.weights.dtype.name) == weights


def test_new_york_has_its_known_distances(data):
    graph = pf.read(data("dimacs9/USA-road-d.NY.gr.gz"), coordinates=data("dimacs9/USA-road-d.NY.co.gz"))
    distance = pf.shortest_paths(graph, 0).distance
    assert graph.m == 733846
    assert int(distance.max()) == 1440081
    assert int(distance.sum(dtype=np.int64)) == 186686642878
    assert graph.coordinates[0].tolist() == [-73530767, 41085396]


def test_rome_is_the_same_in_text_and_binary(data):
    text, binary = pf.read(data("dimacs9/rome99.gr")), pf.read(data("galois/rome99.galois.gr"))
    assert arcs(text) == arcs(binary)
    assert packed(binary, "galois") == data("galois/rome99.galois.gr").read_bytes()


def test_gaps_in_ids_become_labels(data):
    graph = pf.read(data("snap/wiki-Vote.txt.gz"))
    assert graph.labels.max() == 8297
    assert graph.index_of(30) == int(np.searchsorted(graph.labels, 30))
    first = graph.heads[graph.offsets[graph.index_of(30)]]
    assert graph.labels[first] == 1412
