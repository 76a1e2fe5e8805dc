"""Delta-stepping that relaxes heavy arcs once, when their bucket is empty: the same distances, and what it counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathfront as pf
from examples import examples
from oracles import as_array, certify, dijkstra
from test_methods import bits, graphs
from zoo import WEIGHT_TYPES, ZOO


def search(graph, source, **options):
    return pf.shortest_paths(graph, source, method="delta_stepping", light_heavy=True, **options)


def count(graph, source, width):
    """Return the vertices processed and the arcs relaxed by the method as Meyer and Sanders describe it."""
    arcs_of = list(zip(graph.heads.tolist(), graph.weights.tolist(), strict=True))
    rows = [arcs_of[graph.offsets[v] : graph.offsets[v + 1]] for v in range(graph.n)]
    dist, waiting, vertices, arcs = {source: 0}, {source}, 0, 0
    while waiting:
        level = min(dist[v] // width for v in waiting)
        done = set()
        while bucket := {v for v in waiting if dist[v] // width == level}:
            waiting -= bucket
            done |= bucket
            vertices += len(bucket)
            arcs += relax([(v, dist[v]) for v in bucket], rows, dist, waiting, lambda weight: weight <= width)
        arcs += relax([(v, dist[v]) for v in done], rows, dist, waiting, lambda weight: weight > width)
    return vertices, arcs


def relax(tails, rows, dist, waiting, wanted):
    arcs = 0
    for tail, here in tails:
        for head, weight in rows[tail]:
            if wanted(weight):
                arcs += 1
                if here + weight < dist.get(head, np.inf):
                    dist[head] = here + weight
                    waiting.add(head)
    return arcs


@pytest.mark.parametrize("dtype", WEIGHT_TYPES, ids=str)
@pytest.mark.parametrize("animal", ZOO)
def test_zoo(dtype, animal):
    graph = ZOO[animal](dtype)
    expected = as_array(dijkstra(graph, 0), graph.n, dtype or "uint32")
    for threads in (1, 2, 5):
        for delta in (None, 1, 7.3, 2**20):
            for parents in (True, False):
                paths = search(graph, 0, threads=threads, delta=delta, parents=parents)
                assert bits(paths.distance) == bits(expected)
                if parents:
                    certify(paths)


@examples(60)
@given(
    graph=graphs(st.integers(0, 9)),
    source=st.integers(0, 29),
    threads=st.integers(1, 5),
    delta=st.one_of(st.none(), st.floats(1e-3, 1e3)),
    cutoff=st.one_of(st.none(), st.integers(0, 40)),
    targets=st.one_of(st.none(), st.lists(st.integers(0, 29), min_size=1, max_size=3)),
)
def test_any_options_give_the_same_distances(graph, source, threads, delta, cutoff, targets):
    source %= graph.n
    targets = None if targets is None else [t % graph.n for t in targets]
    expected = pf.shortest_paths(graph, source, method="dijkstra", cutoff=cutoff, targets=targets)
    paths = search(graph, source, threads=threads, delta=delta, cutoff=cutoff, targets=targets)
    assert bits(paths.distance) == bits(expected.distance)
    assert paths.radius == expected.radius
    assert pf.verify(graph, paths)


@pytest.mark.parametrize("width", [10, 25, 60])
def test_heavy_arcs_are_relaxed_once(width):
    graph = pf.generate.random(400, 4000, weights="int:1:100", seed=1)
    stats = search(graph, 0, delta=width, threads=1).stats
    usual = pf.shortest_paths(graph, 0, method="delta_stepping", delta=width, threads=1).stats
    assert stats.edges_relaxed < usual.edges_relaxed
    assert graph.m <= stats.edges_relaxed
    vertices, arcs = count(graph, 0, width)
    assert abs(stats.vertices_processed - vertices) <= vertices / 10  # the order within a phase differs
    assert abs(stats.edges_relaxed - arcs) <= arcs / 10


def test_without_heavy_arcs_it_relaxes_what_the_others_relax():
    graph = pf.generate.chain(1000, weights="int:1:9")
    assert search(graph, 0, delta=10, threads=1).stats.edges_relaxed == graph.m


def test_many_threads_share_large_phases():
    graph = pf.generate.random(30_000, 300_000, weights="int:1:1000", seed=1)
    expected = bits(pf.shortest_paths(graph, 0, method="dijkstra").distance)
    for threads in (2, 3, 6):
        for parents in (True, False):
            paths = search(graph, 0, threads=threads, delta=200, parents=parents)
            assert bits(paths.distance) == expected
            assert pf.verify(graph, paths)
            assert paths.stats.reason == "as asked; heavy arcs wait until their bucket is empty"


def test_it_is_an_option_of_cpus():
    graph = pf.generate.grid(3, 3)
    with pytest.raises(pf.ArgumentTypeError, match="light_heavy is 1"):
        pf.shortest_paths(graph, 0, method="delta_stepping", light_heavy=1)
    with pytest.raises(pf.MethodError, match="light_heavy"):
        pf.shortest_paths(graph, 0, method="adds", light_heavy=True)


@pytest.mark.gpu
def test_other_devices_refuse_it():
    with pytest.raises(pf.ArgumentError, match="light_heavy is True, but device is 'emulated'; use device='cpu'"):
        pf.shortest_paths(pf.generate.grid(3, 3), 0, method="delta_stepping", light_heavy=True, device="emulated")


@pytest.mark.parametrize("threads", [1, 3])
def test_a_heavy_arc_may_lead_back_where_distances_are_huge(threads):
    """All of these distances share the last level, so a target in it is final only when it has been emptied."""
    tails, heads, weights = [0, 0, 1, 2], [1, 3, 2, 3], np.array([1e30, 9e30, 1e30, 1e30], np.float32)
    graph = pf.Graph.from_edges(tails, heads, weights, n=4)
    expected = pf.shortest_paths(graph, 0, method="dijkstra").distance
    found = search(graph, 0, delta=5000, threads=threads, targets=[3], trace=True)
    assert found.distance[3] == expected[3]
    assert found.path_to(3).tolist() == [0, 1, 2, 3]
    assert search(graph, 0, delta=5000, threads=threads, trace=True).trace["final"][-1] == 4
