"""Many sources: results one after the other."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import pathfront as pf
from pathfront import many
from zoo import GPUS

GRAPH = pf.generate.random(200, 900, seed=3)
SOURCES = [5, 0, 199, 5]  # a source may come twice


def expected(graph: pf.Graph, sources: list[int]) -> np.ndarray:
    return np.stack([pf.shortest_paths(graph, source, method="dijkstra").distance for source in sources])


class TestOneAfterTheOther:
    def test_in_order(self):
        found = list(pf.shortest_paths_many(GRAPH, SOURCES, threads=3))
        assert [paths.source for paths in found] == SOURCES
        assert np.array_equal(np.stack([paths.distance for paths in found]), expected(GRAPH, SOURCES))
        assert all(pf.verify(GRAPH, paths) for paths in found)

    def test_options_reach_the_search(self):
        (paths,) = pf.shortest_paths_many(GRAPH, [0], method="bellman_ford", cutoff=20, parents=False)
        assert (paths.stats.method, paths.radius) == ("bellman_ford", 20)

    def test_nothing_runs_far_ahead(self, monkeypatch):
        started = []
        real = many.shortest_paths
        monkeypatch.setattr(many, "shortest_paths", lambda g, s, **o: started.append(s) or real(g, s, **o))
        paths = pf.shortest_paths_many(GRAPH, range(100), threads=2)
        assert [p.source for p in itertools.islice(paths, 3)] == [0, 1, 2]
        assert len(started) <= 6
        paths.close()

    def test_errors_come_through(self):
        with pytest.raises(pf.VertexError, match=r"sources\[1\] is -1"):
            pf.shortest_paths_many(GRAPH, [0, -1])
        with pytest.raises(pf.MethodError, match="astar"):
            list(pf.shortest_paths_many(GRAPH, [0], method="astar"))
        if GPUS:
            with pytest.raises(pf.ArgumentError, match=r"threads is 2, but device='emulated' has its own"):
                list(pf.shortest_paths_many(GRAPH, [0], device="emulated", threads=2))
