"""Traces of the serial engines and of breadth-first search, row by row against the same searches in plain Python."""

from __future__ import annotations

import heapq

import numpy as np
import pytest

import pathfront as pf
from oracles import arcs_of
from pathfront.problem import TRACE_ROW
from zoo import ZOO

HEAPS = ("radix", "binary")
COUNTS = ("frontier", "edges_relaxed", "near", "far", "labelled", "final")


def traced(graph: pf.Graph, method: str, **options):
    paths = pf.shortest_paths(graph, 0, method=method, trace=True, **options)
    rows = paths.trace
    assert rows.dtype == TRACE_ROW
    assert rows["iteration"].tolist() == list(range(len(rows)))
    assert (np.diff(rows["seconds"]) >= 0).all()
    assert rows["seconds"][0] >= 0
    assert rows["seconds"][-1] <= paths.stats.seconds
    assert np.isnan(rows["delta"]).all()
    assert rows["frontier"].sum() == paths.stats.vertices_processed
    assert rows["edges_relaxed"].sum() == paths.stats.edges_relaxed
    assert rows["labelled"][-1] == paths.reached.sum()
    return paths, rows


def counts(rows: np.ndarray) -> list[tuple[int, ...]]:
    return [tuple(int(row[name]) for name in COUNTS) for row in rows]


def dijkstra_rows(graph: pf.Graph) -> tuple[list[tuple[int, ...]], list[float], int]:
    """The counts of each row, the distances, and how many entries of the queue were stale."""
    dist, final, rows, order, stale = {0: 0}, set(), [], [], 0
    queue = [(0, 0)]
    while queue:
        here, u = heapq.heappop(queue)
        if u in final:
            stale += 1
            continue
        waiting = len(dist) - len(final)
        final.add(u)
        order.append(here)
        for v, weight in arcs_of(graph, u):
            if v not in dist or here + weight < dist[v]:
                dist[v] = here + weight
                heapq.heappush(queue, (dist[v], v))
        rows.append((1, len(arcs_of(graph, u)), 1, waiting - 1, len(dist), len(final)))
    return rows, order, stale


@pytest.mark.parametrize("heap", HEAPS)
@pytest.mark.parametrize("seed", range(5))
def test_dijkstra(heap, seed):
    """No two distances are equal here: there is one order."""
    graph = pf.generate.random(400, 400 * (seed + 2), weights="float:0:1", seed=seed)
    expected, order, stale = dijkstra_rows(graph)
    _, rows = traced(graph, "dijkstra", heap=heap)
    assert counts(rows) == expected
    assert rows["distance_low"].tolist() == rows["distance_high"].tolist() == order
    assert rows["discarded"].sum() == stale


@pytest.mark.parametrize("heap", HEAPS)
@pytest.mark.parametrize("animal", ZOO)
def test_dijkstra_on_the_zoo(heap, animal):
    paths, rows = traced(ZOO[animal]("int64"), "dijkstra", heap=heap)
    assert len(rows) == paths.stats.iterations
    assert rows["final"].tolist() == np.cumsum(rows["frontier"]).tolist()
    before = np.concatenate([[1], rows["labelled"][:-1] - rows["final"][:-1]])
    assert (rows["near"] + rows["far"]).tolist() == before.tolist()
    assert rows["distance_high"].tolist() == sorted(paths.distance[paths.reached].tolist())


@pytest.mark.parametrize("heap", HEAPS)
def test_dijkstra_of_many_vertices_has_few_rows(heap):
    graph = pf.generate.random(100_000, 300_000, weights="float:0:1", seed=1)
    paths, rows = traced(graph, "dijkstra", heap=heap)
    assert 1000 < len(rows) <= 2048
    assert set(rows["frontier"][:-1].tolist()) == {100_000 // 2048 + 1}
    assert rows["final"][-1] == paths.reached.sum() == rows["labelled"][-1]
    assert (rows["distance_low"][1:] >= rows["distance_high"][:-1]).all()
    before = np.concatenate([[1], rows["labelled"][:-1] - rows["final"][:-1]])
    assert (rows["near"] + rows["far"]).tolist() == before.tolist()
    other = traced(graph, "dijkstra", heap=HEAPS[heap == "radix"])[1]
    assert rows["discarded"].sum() == other["discarded"].sum() > 0


def test_dijkstra_ends_at_its_targets():
    graph = pf.generate.random(500, 2000, weights="float:0:1", seed=3)
    far = int(np.argsort(pf.shortest_paths(graph, 0).distance)[100])
    paths = pf.shortest_paths(graph, 0, method="dijkstra", targets=[far], trace=True)
    assert paths.trace["final"][-1] == len(paths.trace) == 101
    assert paths.trace["labelled"][-1] > 101  # answers beyond the target are cleared afterwards


def bellman_ford_rows(graph: pf.Graph) -> list[tuple[int, ...]]:
    dist, rows, changed = {0: 0}, [], True
    while changed:
        changed, frontier, edges = False, 0, 0
        for u in range(graph.n):
            if u not in dist:
                continue
            start = dist[u]
            frontier, edges = frontier + 1, edges + len(arcs_of(graph, u))
            for v, weight in arcs_of(graph, u):
                if v not in dist or start + weight < dist[v]:
                    dist[v], changed = start + weight, True
        rows.append((frontier, edges, graph.n, 0, len(dist), 0 if changed else len(dist)))
    return rows


@pytest.mark.parametrize("animal", ZOO)
def test_bellman_ford(animal):
    graph = ZOO[animal]("int32")
    _, rows = traced(graph, "bellman_ford")
    assert counts(rows) == bellman_ford_rows(graph)
    assert not rows["discarded"].any()


def test_bellman_ford_with_negative_weights():
    arcs = ([0, 0, 1, 2, 3], [1, 2, 3, 1, 4])
    whole = pf.Graph.from_edges(*arcs, [4, 5, 1, -3, 2])
    _, rows = traced(whole, "bellman_ford")
    assert counts(rows) == bellman_ford_rows(whole)
    _, rows = traced(pf.Graph.from_edges(*arcs, [0.5, 0.75, 0.25, -0.5, 1e-300]), "bellman_ford")  # exact, wide numbers
    assert counts(rows) == bellman_ford_rows(whole)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("animal", ZOO)
def test_bfs(animal, threads):
    graph = ZOO[animal](None)
    paths, rows = traced(graph, "bfs", threads=threads)
    depth = paths.distance[paths.reached]
    level = np.bincount(depth)
    assert rows["frontier"].tolist() == rows["near"].tolist() == level.tolist()
    assert not rows["far"].any()
    assert not rows["discarded"].any()
    assert rows["distance_low"].tolist() == rows["distance_high"].tolist() == list(range(len(level)))
    so_far = np.append(np.cumsum(level)[1:], level.sum()).tolist()
    assert rows["labelled"].tolist() == rows["final"].tolist() == so_far


def test_bfs_that_turns_upwards():
    graph = pf.generate.kronecker(11, 16, seed=1).with_weights(None)
    paths, rows = traced(graph, "bfs")
    level = np.bincount(paths.distance[paths.reached])
    assert rows["edges_relaxed"].sum() < graph.m / 2
    assert rows["near"].tolist() == level.tolist()
    assert rows["labelled"].tolist() == np.append(np.cumsum(level)[1:], level.sum()).tolist()
