"""Traces of delta-stepping on CPUs: the common columns, against distances and each other."""

from __future__ import annotations

import numpy as np
import pytest

import pathfront as pf
from pathfront.problem import TRACE_ROW


@pytest.mark.parametrize(
    ("method", "options"),
    [("delta_stepping", {}), ("delta_stepping", {"light_heavy": True}), ("light_first", {"light": 3.0})],
    ids=["delta_stepping", "light_heavy", "light_first"],
)
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("delta", [None, 7, 300])
def test_columns_add_up(method, options, threads, delta):
    graph = pf.generate.random(3000, 30_000, weights="int:1:100", seed=1)
    paths = pf.shortest_paths(graph, 0, method=method, threads=threads, delta=delta, trace=True, **options)
    rows, stats = paths.trace, paths.stats
    assert rows.dtype.names == TRACE_ROW.names
    assert rows["frontier"].sum() == stats.vertices_processed
    assert rows["edges_relaxed"].sum() == stats.edges_relaxed
    assert (np.diff(rows["seconds"]) >= 0).all()
    assert rows["seconds"][-1] > 0
    reached = int(paths.reached.sum())
    assert rows["labelled"][-1] == rows["final"][-1] == reached
    assert (rows["final"] <= rows["labelled"]).all()
    assert (rows["near"][0], rows["far"][0]) == (1, 0)
    assert rows["discarded"].sum() < stats.vertices_processed * 20
    if delta is not None:
        assert (rows["delta"] == delta).all()
    if method == "delta_stepping":
        assert (rows["distance_high"] == rows["distance_low"] + rows["delta"]).all()
        assert (np.diff(rows["labelled"].astype(np.int64)) >= 0).all()
        found = np.sort(paths.distance[paths.reached])
        if delta is not None:
            assert rows["final"].tolist() == np.searchsorted(found, rows["distance_high"]).tolist()
            assert (rows["near"][1:] + rows["far"][1:] + rows["final"][:-1] == rows["labelled"][:-1]).all()
