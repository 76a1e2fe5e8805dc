"""Wrong arguments: each gets one sentence of the package's own that names the argument."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

import pathfront as pf

HUGE = 10**400
GRAPH = pf.generate.grid(5, 5)


@pytest.mark.parametrize("name", ["cutoff", "delta", "time_limit"])
@pytest.mark.parametrize("value", [np.array([1]), [1], Decimal("sNaN"), "x", 1 + 2j, True], ids=repr)
def test_numbers(name, value):
    with pytest.raises(pf.PathfrontError, match=name):
        pf.shortest_paths(GRAPH, 0, **{name: value})


@pytest.mark.parametrize("name", ["delta", "time_limit", "threads"])
@pytest.mark.parametrize("value", [HUGE, 10**5000], ids=["400 digits", "more digits than Python prints"])
def test_huge_numbers(name, value):
    with pytest.raises(pf.ArgumentError, match=name):
        pf.shortest_paths(GRAPH, 0, **{name: value})


def test_huge_vertices():
    with pytest.raises(pf.VertexError, match="source is an integer of 16610 bits"):
        pf.shortest_paths(GRAPH, 10**5000)


@pytest.mark.parametrize("call", [pf.distance_matrix, pf.nearest, pf.shortest_paths_many])
def test_a_number_is_no_list_of_sources(call):
    with pytest.raises(pf.ArgumentTypeError, match=r"sources is array\(0\); give a list"):
        call(GRAPH, np.array(0))


@pytest.mark.parametrize(
    ("method", "option", "value"),
    [
        ("adds", "pool", 2**70),
        ("adds", "patience", HUGE),
        ("adds", "buckets", [2]),
        ("hybrid", "switch_at", 2**70),
        ("light_first", "light", HUGE),
        ("near_far", "traversal", ["rows"]),
    ],
)
def test_options(method, option, value):
    with pytest.raises(pf.PathfrontError, match=option):
        pf.shortest_paths(GRAPH, 0, method=method, **{option: value})


@pytest.mark.parametrize("wrong", ["no", 2, None, [True], np.array([True])], ids=repr)
@pytest.mark.parametrize(
    "make",
    [
        lambda directed: pf.generate.random(5, 5, directed=directed),
        lambda directed: pf.generate.chain(5, directed=directed),
        lambda directed: pf.generate.star(5, directed=directed),
        lambda directed: pf.generate.rmat(3, directed=directed),
    ],
    ids=["random", "chain", "star", "rmat"],
)
def test_directed_is_a_truth_value(make, wrong):
    with pytest.raises(pf.ArgumentTypeError, match="directed is"):
        make(wrong)


def test_a_matrix_of_another_type():
    """Numpy takes None for float64 where types are compared, and hops are searched in one type only."""
    for dtype in ("int64", "uint64"):
        graph = pf.Graph.from_edges([0], [1], np.array([7], dtype))
        assert pf.distance_matrix(graph, [0, 1], dtype=float).tolist() == [[0.0, 7.0], [np.inf, 0.0]]
    hops = pf.distance_matrix(pf.Graph.from_edges([0], [1]), [0, 1], dtype="uint64")
    assert hops.dtype == np.uint64
    assert hops.tolist() == [[0, 1], [2**64 - 1, 0]]
    assert pf.distance_matrix(pf.Graph.from_edges([0], [1], np.array([1], np.float32)), [0]).dtype == np.float32


@pytest.mark.parametrize("form", ["dtype", "out", "sparse"])
def test_a_distance_that_does_not_fit_the_matrix_is_an_error(form):
    """It came back as infinity, which means that there is no path."""
    graph = pf.Graph.from_edges([0, 1], [1, 2], np.array([3e38, 3e38], np.float32))
    more = {
        "dtype": {"dtype": "float32"},
        "out": {"out": np.empty((1, 3), np.float32)},
        "sparse": {"dtype": "float32", "cutoff": 1e39},
    }[form]
    with pytest.raises(pf.DistanceOverflowError, match="does not fit float32"):
        pf.distance_matrix(graph, [0], **more)
    assert pf.distance_matrix(graph, [0]).dtype == np.float64
    assert np.isfinite(pf.distance_matrix(graph, [0], dtype="float64")).all()
