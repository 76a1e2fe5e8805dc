"""Weights by specification: bounds kept, types honoured, clear errors for impossible ones."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest

import pathfront as pf
from pathfront import _core

weigh = pf.generate.weigh
GRID = pf.generate.grid(60, 50, weights="unit")
DIRECTED = pf.generate.random(500, 6000, weights="unit")


def test_unit_is_hops():
    assert weigh(GRID, "unit").weights is None
    ones = weigh(GRID, "unit", dtype="float32").weights
    assert ones.dtype == np.float32
    assert (ones == 1).all()


@pytest.mark.parametrize("graph", [GRID, DIRECTED], ids=["undirected", "directed"])
@pytest.mark.parametrize(
    ("spec", "dtype", "least", "most"),
    [
        ("int:1:100", "uint32", 1, 100),
        ("int:0:4294967295", "uint32", 0, 2**32 - 1),
        ("int:-7:7", "int32", -7, 7),
        ("int:5:5", "uint32", 5, 5),
        ("int:0:4294967296", "int64", 0, 2**32),
        ("int:-4611686018427387903:4611686018427387903", "int64", -(2**62) + 1, 2**62 - 1),
        ("int:9007199254740993:9007199254740993", "int64", 2**53 + 1, 2**53 + 1),
        ("int:1e2:2e2", "uint32", 100, 200),
    ],
)
def test_integers(graph, spec, dtype, least, most):
    weights = weigh(graph, spec, seed=5).weights
    assert weights.dtype == dtype
    assert least <= weights.min() <= weights.max() <= most
    if most - least <= 200:
        assert (weights.min(), weights.max()) == (least, most)  # both ends do come up


def test_floats_stay_below_high():
    for low, high in ((0.0, 1.0), (1.0, 1.0 + 2**-52), (-3.5, 2.0), (1e16, 1e16 + 2), (7.0, 7.0)):
        weights = weigh(DIRECTED, f"float:{low!r}:{high!r}").weights
        assert weights.dtype == np.float64
        assert low <= weights.min()
        assert weights.max() < high or low == high


def test_narrow_floats_stay_below_high():
    for low, high in ((0.9999999, 1.0), (0.7, 0.7000001), (1e8, 1.00000009e8)):
        weights = weigh(DIRECTED, f"float:{low!r}:{high!r}", dtype="float32").weights.astype(float)
        assert low <= weights.min() <= weights.max() < high
    weights = weigh(DIRECTED, "float:0:1", dtype="float32").weights
    assert weights.dtype == np.float32
    assert weights.max() < 1
    assert weights.mean() == pytest.approx(0.5, abs=0.02)


def test_lognormals():
    weights = weigh(DIRECTED, "lognormal:2:0.5", seed=3).weights
    logs = np.log(weights)
    assert weights.min() > 0
    assert logs.mean() == pytest.approx(2, abs=0.03)
    assert logs.std() == pytest.approx(0.5, abs=0.02)
    assert np.mean(logs < 1.5) == pytest.approx(0.1587, abs=0.02)
    assert np.allclose(weigh(GRID, "lognormal:2:0").weights, math.exp(2), rtol=1e-14)


def test_lengths():
    graph = pf.Graph.from_edges([0, 1], [1, 2], directed=False, coordinates=[[0, 0], [3, 4], [3, 5]])
    assert weigh(graph, "coordinates").to_edges().weights.tolist() == [5.0, 1.0]
    assert weigh(graph, "coordinates:0.3", dtype="uint32").to_edges().weights.tolist() == [2, 1]
    solid = graph.with_coordinates([[0, 0, 0], [2, 3, 6], [2, 3, 7.5]])
    assert weigh(solid, "coordinates:2").to_edges().weights.tolist() == [14.0, 3.0]


@pytest.mark.parametrize("spec", ["int:1:9", "float:1:2", "lognormal:0:1", "coordinates", "int:-5:5"])
def test_both_ways_the_same(spec):
    graph = weigh(pf.generate.random(40, 400, directed=False).with_coordinates(np.arange(80).reshape(40, 2)), spec)
    pf.Graph.from_csr(graph.offsets, graph.heads, graph.weights, directed=False)


@pytest.mark.parametrize("dtype", ["uint32", "int32", "uint64", "int64", "float32", "float64", np.int64, "<i8"])
@pytest.mark.parametrize("spec", ["int:1:100", "float:0:20", "lognormal:1:1", "coordinates", "unit"])
def test_type_is_honoured(spec, dtype):
    weights = weigh(GRID, spec, dtype=dtype).weights
    assert weights.dtype == np.dtype(dtype)
    if weights.dtype.kind in "iu":
        assert weights.min() >= 1


def test_no_arcs():
    empty = pf.Graph.from_edges([], [], n=3, coordinates=np.zeros((3, 2)))
    for spec in ("unit", "int:1:5", "float:0:1", "lognormal:0:1", "coordinates"):
        assert weigh(empty, spec).m == weigh(empty, spec, dtype="int32").m == 0


REFUSED = {
    "weights is 5, an int; give a specification": lambda: weigh(GRID, 5),
    "weights is 'heavy', but it must be unit, int:LOW:HIGH": lambda: weigh(GRID, "heavy"),
    "weights is 'int:1', but it must be": lambda: weigh(GRID, "int:1"),
    "weights is 'unit:1', but it must be": lambda: weigh(GRID, "unit:1"),
    "weights is 'int:1:x', but 'x' is not a number": lambda: weigh(GRID, "int:1:x"),
    "weights is 'int::5', but '' is not a number": lambda: weigh(GRID, "int::5"),
    "weights is 'int:9:1', but LOW must not be larger": lambda: weigh(GRID, "int:9:1"),
    "weights is 'int:1:2.5', but its bounds must be whole": lambda: weigh(GRID, "int:1:2.5"),
    "weights is 'int:0:4611686018427387904', but": lambda: weigh(GRID, "int:0:4611686018427387904"),
    "weights is 'float:2:1', but LOW must not": lambda: weigh(GRID, "float:2:1"),
    "weights is 'float:0:inf', but 'inf' is too large": lambda: weigh(GRID, "float:0:inf"),
    "weights is 'float:nan:1', but 'nan'": lambda: weigh(GRID, "float:nan:1"),
    "weights is 'float:-1:1', but uint32 weights below 0": lambda: weigh(GRID, "float:-1:1", dtype="uint32"),
    "weights is 'lognormal:0:-1', but SIGMA": lambda: weigh(GRID, "lognormal:0:-1"),
    "weights is 'lognormal:0:99', but SIGMA": lambda: weigh(GRID, "lognormal:0:99"),
    "weights is 'coordinates:0', but SCALE": lambda: weigh(GRID, "coordinates:0"),
    "weights is 'coordinates', but the graph has no coordinates": lambda: weigh(DIRECTED, "coordinates"),
    "does not fit dtype uint32; use a wider one": lambda: weigh(GRID, "int:-3:3", dtype="uint32"),
    "does not fit dtype int32; use": lambda: weigh(GRID, "lognormal:100:0", dtype="int32"),
    "9.223372036854776e\\+18 does not fit dtype int64": lambda: weigh(GRID, f"coordinates:{2**63}", dtype="int64"),
    "no float32 lies in that range": lambda: weigh(GRID, "float:0.99999999:1", dtype="float32"),
    "does not fit dtype float32": lambda: weigh(GRID, "coordinates:1e200", dtype="float32"),
    "dtype is 'uint8', but weights are one of uint32": lambda: weigh(GRID, "int:1:5", dtype="uint8"),
    "dtype is 'heavy', but weights are": lambda: weigh(GRID, "int:1:5", dtype="heavy"),
    "dtype is '>i4', but weights are": lambda: weigh(GRID, "int:1:5", dtype=">i4"),
    "graph is an int": lambda: weigh(5, "unit"),
}


@pytest.mark.parametrize("message", REFUSED)
def test_refused(message):
    with pytest.raises((pf.ArgumentError, pf.ArgumentTypeError), match=message):
        REFUSED[message]()


def test_exact_exp_is_close_to_the_librarys():
    for x in [*np.linspace(-700, 709, 4001).tolist(), *np.linspace(-1, 1, 999).tolist(), 1e-300, 0.0]:
        assert _core.exact_exp(x) == pytest.approx(math.exp(x), rel=1e-14, abs=0)
    assert _core.exact_exp(0.0) == 1
    assert _core.exact_exp(710.0) == math.inf
    assert _core.exact_exp(-746.0) == 0
    assert _core.exact_exp(-740.0) == pytest.approx(math.exp(-740), rel=1e-2)


def test_exact_log_is_close_to_the_librarys():
    near_one = [1 - 2**-53, 1 + 2**-52, 0.999, 1.001, math.sqrt(2), math.sqrt(0.5)]
    for x in [*np.geomspace(1e-300, 1e300, 4001).tolist(), *np.linspace(0.4, 2.5, 999).tolist(), *near_one]:
        assert _core.exact_log(x) == pytest.approx(math.log(x), rel=1e-14, abs=0)
    assert _core.exact_log(1.0) == 0


def test_exact_normal_quantile_is_close_to_the_librarys():
    normal = statistics.NormalDist()
    edges = [2.0**-53, 1 - 2.0**-53, 1e-12, 0.075, 0.0750001, 0.925]
    for p in [*np.linspace(0.0005, 0.9995, 3000).tolist(), *edges]:
        assert _core.exact_normal_quantile(p) == pytest.approx(normal.inv_cdf(p), rel=1e-14, abs=1e-300)
    assert _core.exact_normal_quantile(0.5) == 0
