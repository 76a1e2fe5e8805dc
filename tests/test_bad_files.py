"""Malformed files: garbage, cut short, of another format, or forged."""

from __future__ import annotations

import struct
import subprocess
import sys

import pytest

import pathfront as pf
from format_cases import GRAPHS, packed, unpacked


@pytest.mark.parametrize("format", [None, *pf.formats.names()])
@pytest.mark.parametrize(
    "contents", [b"", b"\n", b"\0" * 100, bytes(range(256)) * 4, b"\x89PNG\r\n\x1a\n" + b"\xff" * 99, b"hello world\n"]
)
def test_garbage_is_a_format_error(format, contents):
    if contents in (b"", b"\n") and format == "edge_list":
        assert unpacked(contents, format).n == 0
        return
    if contents == b"hello world\n" and format == "edge_list":
        assert unpacked(contents, format).labels.tolist() == ["hello", "world"]
        return
    with pytest.raises(pf.FormatError):
        unpacked(contents, format)


def test_an_unknown_format_lists_the_known_ones():
    with pytest.raises(pf.FormatError, match="matrix_market"):
        unpacked(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(pf.ArgumentError, match="matrix_market"):
        unpacked(b"1 2\n", "excel")
    with pytest.raises(pf.ArgumentError, match=r"pass format="):
        pf.write(GRAPHS["loop"](), "graph.excel")
    with pytest.raises(pf.ArgumentError, match="its options are header"):
        unpacked(b"1 2\n", "edge_list", headers=True)


def test_only_graphs_are_written(tmp_path):
    with pytest.raises(pf.ArgumentTypeError, match="graph is a str"):
        pf.write("graph", tmp_path / "a.gr")
    assert list(tmp_path.iterdir()) == []


def test_coordinates_are_not_a_graph():
    with pytest.raises(pf.FormatError, match="read_coordinates"):
        unpacked(b"c hi\np aux sp co 1\nv 1 2 3\n")


@pytest.mark.parametrize("format", pf.formats.names())
def test_every_beginning_of_a_file_is_no_crash(format):
    graph = GRAPHS["undirected_hops" if format == "pace" else "undirected"]()
    contents = packed(graph, format)
    for length in range(0, len(contents), 1 + len(contents) // 200):
        try:
            unpacked(contents[:length], format).check()
        except pf.FormatError as error:
            message = str(error)
        else:
            continue  # without its last bytes a text may still be whole
        assert message.startswith("<stream>: ")


FORGED = {
    "dimacs": b"p sp 1000000000000000000 1000000000000000000\na 1 2 3\n",
    "dimacs_vertices": b"p sp 4000000000 1\na 1 2 3\n",
    "dimacs_arcs": b"p sp 4 1000000000000000000\na 1 2 3\n",
    "pace": b"p tw 4000000000 1000000000000000000\n1 2\n",
    "pace_vertices": b"p tw 4000000000 1\n1 2\n",
    "coordinates": b"p aux sp co 4000000000\nv 1 2 3\n",
    "metis": b"4000000000 1000000000000000000\n\n",
    "galois": struct.pack("<4Q", 1, 4, 10**18, 10**18),
    "galois_arcs": struct.pack("<4Q", 2, 8, 1, 2**61) + bytes(64),
    "matrix_market": b"%%MatrixMarket matrix coordinate real general\n4000000000 4000000000 1000000000000000000\n1 1 1",
    "edge_list": b"4000000000 1 0\n0 1 5\n",
    "pfg": b"PFGRAPH\0" + struct.pack("<IIQQQII", 1, 1, 10**18, 10**18, 0, 6, 0) + bytes(300),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_header_allocates_nothing(name, tmp_path):
    """In a process that may have little memory, a header that claims 10^18 arcs is an error and not a MemoryError."""
    (tmp_path / "forged").write_bytes(FORGED[name])
    script = """
import resource, sys
import numpy, scipy.io, scipy.sparse
import pathfront as pf
import pathfront.formats
kind = sys.argv[1].split("_")[0]
kind = sys.argv[1] if sys.argv[1] in ("matrix_market", "edge_list") else kind
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (256 << 20), used + (256 << 20)))
try:
    pf.read_coordinates(sys.argv[2]) if kind == "coordinates" else pf.read(sys.argv[2], format=kind)
except pf.FormatError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", script, name, tmp_path / "forged"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "forged: " in run.stdout
