"""Distances for people: the summary, other values in place of the marker, masked arrays, and the repr."""

from __future__ import annotations

import math

import numpy as np
import pytest

import pathfront as pf

TYPES = (None, "uint32", "int32", "uint64", "int64", "float32", "float64")
every_type = pytest.mark.parametrize("dtype", TYPES, ids=str)


def solved(dtype, **options):
    weights = None if dtype is None else np.array([1, 1, 1], dtype)
    graph = pf.Graph.from_edges([0, 1, 1], [1, 2, 3], weights, n=6)
    return pf.shortest_paths(graph, 0, **options)


@every_type
class TestEveryType:
    def test_summary(self, dtype):
        paths = solved(dtype)
        found = paths.summary()
        assert found == pf.Summary(reached=4, unreached=2, radius=None, farthest=2, farthest_distance=2, mean=1.25)
        assert type(found.farthest_distance) is (float if dtype in ("float32", "float64") else int)
        assert paths.summary() is found

    def test_masked(self, dtype):
        masked = solved(dtype).masked()
        assert masked.dtype == solved(dtype).distance.dtype
        assert masked.tolist() == [0, 1, 2, 2, None, None]
        assert float(masked.mean()) == 1.25

    def test_distance_or(self, dtype):
        paths = solved(dtype)
        own = paths.distance.dtype
        signed = {"uint32": "int64", "uint64": "int64"}.get(own.name, own.name)
        for fill, expected in ((0, own), (7, own), (-1, np.dtype(signed))):
            found = paths.distance_or(fill)
            assert (found.dtype, found.tolist()) == (expected, [0, 1, 2, 2, fill, fill])
        for fill in (math.inf, 0.5, -1.0):
            found = paths.distance_or(fill)
            assert found.dtype == (own if own.kind == "f" else np.float64)
            assert found.tolist() == [0, 1, 2, 2, fill, fill]
        assert np.isnan(paths.distance_or(math.nan)[4:]).all()
        assert not np.shares_memory(paths.distance_or(0), paths.distance)

    def test_nothing_else_is_reached(self, dtype):
        found = solved(dtype, cutoff=0).summary()
        assert (found.reached, found.radius, found.farthest, found.farthest_distance, found.mean) == (1, 0, 0, 0, 0)


def test_fills_that_need_another_type():
    large = pf.shortest_paths(pf.Graph.from_edges([0], [1], np.array([2**63 + 5], np.uint64), n=3), 0)
    assert large.distance_or(2**64 - 2).tolist() == [0, 2**63 + 5, 2**64 - 2]
    with pytest.raises(pf.ArgumentError, match="fill is -1, which no integer type holds beside the distances"):
        large.distance_or(-1)
    small = pf.shortest_paths(pf.Graph.from_edges([0], [1], np.array([0.5], np.float32), n=3), 0)
    assert small.distance_or(1e300).dtype == np.float64
    assert small.distance_or(np.float32(2)).dtype == np.float32
    assert solved("uint32").distance_or(2**40).dtype == np.int64
    assert solved("int32").distance_or(2**64 - 1).dtype == np.uint64


@pytest.mark.parametrize("wrong", ["1", None, True, np.True_, [1], np.array([1.0])])
def test_fills_that_are_no_numbers(wrong):
    for dtype in ("uint32", "float64"):
        with pytest.raises(pf.ArgumentTypeError, match=r"fill is .*; give a number"):
            solved(dtype).distance_or(wrong)


def test_fills_that_are_too_large():
    for dtype in ("uint32", "float64"):
        with pytest.raises(pf.ArgumentError, match="fill is"):
            solved(dtype).distance_or(10**400)


def test_a_mean_beyond_the_sum():
    graph = pf.Graph.from_edges([0, 0], [1, 2], [1.5e308, 1.5e308])
    assert pf.shortest_paths(graph, 0).summary().mean == pytest.approx(1e308)


def test_negative_distances():
    found = pf.shortest_paths(pf.Graph.from_edges([0, 0], [1, 2], [-5, -1]), 0).summary()
    assert (found.farthest, found.farthest_distance, found.mean) == (0, 0, -2)


def test_repr_shows_the_summary_and_looks_at_the_distances_once():
    paths = pf.shortest_paths(pf.generate.chain(100, weights="unit"), 0, cutoff=9)
    text = repr(paths)
    assert text.startswith("ShortestPaths(source=0, reached=10 of 100, radius=9, farthest=9 at 9, method=")
    paths._distance = None  # what a second look would need
    assert repr(paths) == text


def test_names_in_the_summary():
    graph = pf.Graph.from_edges([0], [1], [7], labels=["Rome", "Ostia"])
    paths = pf.shortest_paths(graph, "Rome")
    assert repr(paths.summary()) == (
        "Summary(reached=2, unreached=0, radius=None, farthest='Ostia', farthest_distance=7, mean=3.5)"
    )
    assert repr(paths).startswith("ShortestPaths(source='Rome', reached=2 of 2, farthest='Ostia' at 7, method=")


def test_the_command_line_shows_the_mean(capsys, tmp_path):
    from pathfront.cli import run

    pf.write(pf.generate.chain(5, weights="int:3:3"), tmp_path / "g.gr")
    assert run(["solve", str(tmp_path / "g.gr"), "-s", "1"]) == 0
    assert "vertex 5 at distance 12, mean 6" in capsys.readouterr().out
