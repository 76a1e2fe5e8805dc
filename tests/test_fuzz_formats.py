"""Every reader against damaged and invented files: a sound graph or a pathfront error, never anything else."""

from __future__ import annotations

import contextlib
import gzip
import io
import lzma
import os

import numpy as np
import pytest
import zstandard
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from format_cases import GRAPHS, packed

EXAMPLES = int(os.environ.get("PATHFRONT_FUZZ", "600"))
"""Per reader: half a minute in all; the variable asks for longer hunts."""
NUMBERS = [
    *(b"0", b"-1", b"1e999", b"nan", b"0.1", b"1e-320", b"4294967294", b"4294967295", b"9223372036854775807"),
    *(b"18446744073709551615", b"1000000000000000000", b"99999999999999999999999"),
    *(b"\xff" * 8, b"\0" * 8, (10**18).to_bytes(8, "little"), (2**31).to_bytes(4, "little")),
    *(b"\n", b"\r\n", b"%", b"#", b",", b" "),
]

HEADERS = {"edge_list": {"header": True}}


def _seeds(format: str) -> list[bytes]:
    """Return valid files to start from."""
    seeds = []
    for make in GRAPHS.values():
        for options in ({}, HEADERS.get(format, {})):
            try:
                seeds.append(packed(make(), format, **options))
            except pf.ArgumentError:
                continue
    return seeds


@st.composite
def damaged(draw: st.DrawFn, seeds: list[bytes]) -> bytes:
    """Draw a valid file with some bytes flipped, inserted, left out, repeated, replaced by numbers or cut off."""
    contents = bytearray(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(1, 4))):
        position = draw(st.integers(0, len(contents)))
        match draw(st.sampled_from(["flip", "insert", "delete", "number", "overwrite", "repeat", "cut"])):
            case "flip" if position < len(contents):
                contents[position] ^= 1 << draw(st.integers(0, 7))
            case "insert":
                contents[position:position] = draw(st.binary(min_size=1, max_size=8))
            case "delete":
                del contents[position : position + draw(st.integers(1, 16))]
            case "number":
                contents[position:position] = draw(st.sampled_from(NUMBERS))
            case "overwrite":
                number = draw(st.sampled_from(NUMBERS))
                contents[position : position + len(number)] = number
            case "repeat":
                contents[position:position] = contents[position : position + draw(st.integers(1, 64))]
            case "cut":
                del contents[position:]
    return bytes(contents)


def survives(contents: bytes, format: str | None, **options: object) -> None:
    """Read, check, solve and write again; only pathfront's own errors may come out."""
    try:
        graph = pf.read(io.BytesIO(contents), format=format, **options)
        graph.check()
        assert graph.offsets[0] == 0
        assert graph.offsets[-1] == graph.m
        assert graph.m == 0 or int(graph.heads.max()) < graph.n
        assert graph.labels is None or len(graph.labels) == graph.n
        if graph.n:
            paths = pf.shortest_paths(graph, 0)
            assert pf.verify(graph, paths)
        packed(graph, "pfg")
    except pf.PathfrontError:
        pass


@pytest.mark.parametrize("format", pf.formats.names())
def test_damaged_files(format):
    seeds = _seeds(format)

    @examples(EXAMPLES, suppress_health_check=list(HealthCheck))
    @given(damaged(seeds))
    def run(contents):
        survives(contents, format)
        survives(contents, None)

    run()


@pytest.mark.parametrize("format", [None, *pf.formats.names()])
@examples(EXAMPLES // 2, suppress_health_check=list(HealthCheck))
@given(
    contents=st.binary(max_size=200)
    | st.lists(st.sampled_from([*NUMBERS, b"1", b"2", b"3", b"p", b"sp"])).map(b" ".join)
)
def test_invented_files(format, contents):
    survives(contents, format)


MAGICS = [
    *(b"p sp ", b"p tw ", b"p aux sp co ", b"PAR1", b"PK\3\4", b"PFGRAPH\0\1\0\0\0"),
    *(b"\1\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0", b"\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
    b"%%MatrixMarket matrix coordinate ",
]


@examples(2 * EXAMPLES)
@given(magic=st.sampled_from(MAGICS), rest=st.binary(max_size=200))
def test_invented_files_with_a_true_beginning(magic, rest):
    survives(magic + rest, None)


@examples(EXAMPLES)
@given(
    text=st.text(alphabet="0123456789 -+.eE\n\r\t,#%ncvapst", max_size=300), format=st.sampled_from(pf.formats.names())
)
def test_invented_text(text, format):
    survives(text.encode(), format)


PACKERS = {"gz": gzip.compress, "xz": lzma.compress, "zst": zstandard.ZstdCompressor().compress}


@pytest.mark.parametrize("packer", PACKERS)
def test_damaged_compression(packer):
    @examples(EXAMPLES)
    @given(damaged([PACKERS[packer](packed(make(), "pfg")) for make in GRAPHS.values()]))
    def run(contents):
        survives(contents, None)

    run()


@examples(EXAMPLES)
@given(data=st.data())
def test_forged_pfg_with_right_checksums(data):
    """Arrays of any contents behind checksums that are right: what a hostile writer would make."""
    n = data.draw(st.integers(0, 4))
    wild = st.integers(-(2**63), 2**63 - 1) | st.integers(-1, 9)
    offsets = np.array(data.draw(st.lists(wild, min_size=n + 1, max_size=n + 1)), np.int64)
    heads = np.array(data.draw(st.lists(st.integers(0, 2**32 - 1) | st.integers(0, 5), max_size=9)), np.uint32)
    forged = pf.Graph._make(offsets, heads, None, directed=data.draw(st.booleans()))
    survives(packed(forged, "pfg"), "pfg")
    graph = pf.read(io.BytesIO(packed(forged, "pfg")))
    assert repr(graph).startswith("Graph(")
    assert (graph.n, graph.m, graph.offsets.size) == (n, heads.size, n + 1)


@examples(EXAMPLES)
@given(contents=damaged([b"p aux sp co 3\nv 1 -5 6\nv 2 7 8\nv 3 9 0\n"]))
def test_damaged_coordinates(contents):
    with contextlib.suppress(pf.PathfrontError):
        assert pf.read_coordinates(io.BytesIO(contents)).shape[1] == 2
