"""The .pfg format: opened without being read, checked before use, damaged in every way."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import pathfront as pf
from format_cases import GRAPHS, arcs, packed, unpacked
from pathfront.formats import pfg


def test_pfg_opens_without_reading_its_arrays(tmp_path):
    pf.write(pf.generate.grid(50, 50), tmp_path / "a.pfg")
    graph = pf.read(tmp_path / "a.pfg")
    assert graph._unchecked is not None
    assert "n=2500" in repr(graph)
    pf.shortest_paths(graph, 0)
    assert graph._unchecked is None


@pytest.mark.parametrize("use", ["check", "tails", "weight_summary", "degree_summary", "reverse", "simplified"])
def test_pfg_damage_is_found_before_the_arrays_are_used(use, tmp_path):
    contents = bytearray(packed(GRAPHS["floats"](), "pfg"))
    contents[-3] ^= 1
    (tmp_path / "a.pfg").write_bytes(contents)
    graph = pf.read(tmp_path / "a.pfg")
    for _ in range(2):
        with pytest.raises(pf.FormatError, match=r"a\.pfg: .*weights.*damaged"):
            getattr(graph, use)()


def test_pfg_labels_are_checked_when_first_asked_for():
    contents = packed(GRAPHS["names"](), "pfg")
    position = contents.index(b"Rome")
    graph = unpacked(contents[:position] + b"rome" + contents[position + 4 :])
    with pytest.raises(pf.FormatError, match=r"section labels .* damaged"):
        _ = graph.labels
    with pytest.raises(pf.FormatError, match=r"section labels .* damaged"):
        graph.index_of("rome")


def test_pfg_every_flipped_byte_is_noticed():
    graph = GRAPHS["names"]()
    contents = packed(graph, "pfg")
    for position in range(len(contents)):
        damaged = bytearray(contents)
        damaged[position] ^= 0x10
        try:
            found = unpacked(bytes(damaged), "pfg")
            found.check()
            assert arcs(found) == arcs(graph)  # only padding between the sections may differ
        except pf.FormatError:
            pass


def forged_pfg(graph: pf.Graph, **arrays: np.ndarray) -> bytes:
    """Return a file whose checksums are right and whose arrays are not."""
    lie = pf.Graph._make(
        arrays.get("offsets", graph.offsets.copy()),
        arrays.get("heads", graph.heads.copy()),
        arrays.get("weights", graph.weights),
        directed=arrays.get("directed", graph.directed),
    )
    return packed(lie, "pfg")


@pytest.mark.parametrize(
    ("lie", "reason"),
    [
        ({"heads": np.array([1, 2**32 - 2, 0], np.uint32)}, r"heads\[1\]"),
        ({"offsets": np.array([0, 2**62, -5, 3], np.int64)}, "offsets"),
        ({"offsets": np.array([0, 1, 2, 2], np.int64)}, "offsets"),
        ({"weights": np.array([1.0, np.nan, 1.0])}, r"weights\[1\] is nan"),
    ],
)
def test_pfg_forged_with_right_checksums_is_an_error_about_the_file(lie, reason):
    graph = unpacked(forged_pfg(GRAPHS["zero_weights"](), **lie))
    with pytest.raises(pf.FormatError, match=f"<stream>: .*{reason}"):
        pf.shortest_paths(graph, 0)


def test_pfg_that_lies_about_direction():
    graph = unpacked(forged_pfg(GRAPHS["zero_weights"](), directed=False))
    with pytest.raises(pf.FormatError, match="has no opposite of the same weight"):
        pf.shortest_paths(graph, 0)


def rewritten(contents: bytes, position: int, value: int, size: str) -> bytes:
    """Return a .pfg file with another number in its header, and the header's checksum put right."""
    changed = bytearray(contents)
    struct.pack_into(size, changed, position, value)
    end = pfg._HEADER.size + pfg._SECTION.size * struct.unpack_from("<I", changed, 40)[0]
    struct.pack_into("<Q", changed, end, pfg.checksum_of(bytes(changed[:end])))
    return bytes(changed)


@pytest.mark.parametrize(
    ("position", "value", "size"),
    [
        (8, 2, "<I"),
        (16, 10**18, "<Q"),
        (16, 4, "<Q"),
        (24, 10**18, "<Q"),
        (32, 3, "<Q"),
        (48, 9, "<I"),
        (52, 1, "<I"),
        (56, 2**63, "<Q"),
        (56, 63, "<Q"),
        (56, 0, "<Q"),
        (64, 10**18, "<Q"),
        (80, 1, "<I"),
        (88, 192, "<Q"),
    ],
)
def test_pfg_forged_header(position, value, size):
    contents = packed(GRAPHS["zero_weights"](), "pfg")
    with pytest.raises(pf.FormatError):
        unpacked(rewritten(contents, position, value, size), "pfg")
    assert unpacked(rewritten(contents, 32, 1, "<Q"), "pfg").default_source == 1


@pytest.mark.parametrize("length", [0, 7, 8, 47, 48, 100, 200, -1])
def test_pfg_cut_short(length):
    contents = packed(GRAPHS["zero_weights"](), "pfg")
    with pytest.raises(pf.FormatError):
        unpacked(contents[:length], "pfg")


def test_pfg_refuses_labels_that_are_neither_numbers_nor_strings():
    with pytest.raises(pf.ArgumentError, match="vertex 1 is \\(1, 2\\)"):
        packed(pf.Graph.from_edges([0], [1], labels=["a", (1, 2)]), "pfg")
