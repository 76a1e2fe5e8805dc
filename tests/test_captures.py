"""While a schedule is captured nothing is allocated and nothing is read: CUDA refuses that, a CPU would let it pass."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

import pathfront as pf

if importlib.util.find_spec("warp") is None:
    pytest.skip("needs warp-lang", allow_module_level=True)

from pathfront import warp_runtime
from test_bulk import ON_MATRICES, every_variant

pytestmark = pytest.mark.gpu

METHODS = [name for name in pf.methods.names() if "emulated" in pf.methods.get(name).devices]


class Captures:
    """Watches what happens between the beginning and the end of a capture."""

    def __init__(self, monkeypatch):
        self.wp = wp = warp_runtime.warp()
        self.count, self.capturing, self.broken = 0, False, []
        begin, end = wp.capture_begin, wp.capture_end

        def capture_begin(*arguments, **options):
            begun = begin(*arguments, **options)
            self.capturing = True
            self.count += 1
            return begun

        def capture_end(*arguments, **options):
            self.capturing = False
            return end(*arguments, **options)

        monkeypatch.setattr(wp, "capture_begin", capture_begin)
        monkeypatch.setattr(wp, "capture_end", capture_end)
        allocator = type(wp.get_device("cpu").get_allocator())
        self._forbid(monkeypatch, allocator, "allocate")  # whatever Warp calls it, it comes down to this
        self._forbid(monkeypatch, wp.array, "numpy")  # an old value, without a word
        for name in ("zeros", "empty", "full", "ones", "clone"):  # also where they find nothing to allocate
            self._forbid(monkeypatch, wp, name)

    def _forbid(self, monkeypatch, owner, name):
        real = getattr(owner, name)

        def checked(*arguments, **options):
            if self.capturing:
                self.broken.append(name)
            return real(*arguments, **options)

        monkeypatch.setattr(owner, name, checked)


@pytest.fixture
def captures(monkeypatch):
    return Captures(monkeypatch)


def graph_for(method, weights):
    graph = pf.generate.random(60, 400, seed=3, weights="int:1:9")
    return graph.with_weights(None if method == "bfs" else np.asarray(graph.weights).astype(weights))


@pytest.mark.parametrize("weights", ["uint32", "float64"])
@pytest.mark.parametrize("method", METHODS)
def test_nothing_is_allocated_while_capturing(captures, method, weights):
    graph = graph_for(method, weights)
    expected = pf.shortest_paths(graph, 0, method="bfs" if method == "bfs" else "dijkstra").distance
    for options in ({}, {"parents": False}, {"trace": True}, {"targets": [5, 7]}, {"cutoff": 9}):
        paths = pf.shortest_paths(graph, 0, method=method, device="emulated", **options)
        assert pf.verify(graph, paths) if "parents" not in options else (paths.distance == expected).all()
    assert captures.broken == []


@every_variant
def test_nor_with_any_option(captures, method, options):
    graph = graph_for(method, "uint32")
    assert pf.verify(graph, pf.shortest_paths(graph, 0, method=method, device="emulated", trace=True, **options))
    assert captures.count > 0
    assert captures.broken == []


@pytest.mark.parametrize(("method", "options"), ON_MATRICES)
def test_nor_on_a_matrix(captures, method, options):
    matrix = np.random.default_rng(4).integers(1, 9, (20, 20))
    graph = pf.Graph.from_dense(matrix, no_edge=8, keep_dense=True)
    assert pf.verify(graph, pf.shortest_paths(graph, 0, method=method, device="emulated", **options))
    assert captures.broken == []


@pytest.mark.parametrize("weights", ["int32", "int64", "float32"])
@pytest.mark.parametrize("method", [name for name in METHODS if pf.methods.get(name).negative_weights])
def test_nor_with_negative_weights(captures, method, weights):
    graph = pf.Graph.from_edges([0, 1, 2, 0], [1, 2, 3, 3], np.array([4, -2, 1, 5], weights))
    paths = pf.shortest_paths(graph, 0, method=method, device="emulated")
    assert paths.distance.tolist() == [0, 4, 2, 3]
    assert captures.broken == []


@pytest.mark.parametrize("what", ["allocate", "read", "nothing"])
def test_the_watch_sees_it(captures, what):
    wp = captures.wp
    kept = wp.zeros(3, dtype=int, device="cpu")
    wp.capture_begin(device="cpu")
    try:
        if what == "allocate":
            wp.empty(3, dtype=int, device="cpu")
        elif what == "read":
            kept.numpy()
    finally:
        wp.capture_end(device="cpu")
    assert captures.broken == {"allocate": ["empty", "allocate"], "read": ["numpy"], "nothing": []}[what]
