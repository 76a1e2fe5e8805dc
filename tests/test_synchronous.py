"""Synchronous schedules count what a simulation in plain Python counts, row by row, on any device and thread count."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math

import numpy as np
import pytest

import bulk_oracle
import pathfront as pf
from pathfront.devices import cpu
from pathfront.devices.gpu import launching
from pathfront.devices.protocol import TRAVERSALS
from zoo import GPUS, ZOO

DELTAS = (1, 3, 20, 1000)
CASES: list[tuple[str, dict]] = [
    ("bellman_ford_edges", {}),
    ("bellman_ford_vertices", {}),
    ("bellman_ford_frontier", {}),
    ("workfront_sweep", {}),
    *(("near_far", {"delta": delta}) for delta in DELTAS),
    *(
        ("bucketing", {"delta": delta, "buckets": buckets})
        for delta, buckets in zip(DELTAS, (10, 4, 3, 1), strict=True)
    ),
    *(("hybrid", {"delta": delta, "switch_at": switch_at}) for delta, switch_at in ((1, 1), (3, 4), (20, 9))),
    *(("martin", {"direction": d}) for d in ("successors", "predecessors")),
    *(
        ("crauser", {"variant": v, "direction": d})
        for v in ("general", "economic")
        for d in ("successors", "predecessors")
    ),
]
IDS = ["-".join([name, *map(str, options.values())]) for name, options in CASES]
every_case = pytest.mark.parametrize(("method", "options"), CASES, ids=IDS)
COLUMNS = [field.name for field in dataclasses.fields(bulk_oracle.Row)]


def test_no_schedule_is_left_out():
    have = {name for name in pf.methods.names() if "synchronous" in {o.name for o in pf.methods.get(name).options}}
    assert have == {method for method, _ in CASES}


@functools.cache
def simulated(animal: str, dtype: str | None, case: int):
    method, options = CASES[case]
    graph = ZOO[animal](dtype)
    return graph, *getattr(bulk_oracle, method)(graph, 0, **options)


def check(animal, dtype, case, **how):
    graph, distance, rows = simulated(animal, dtype, case)
    method, options = CASES[case]
    paths = pf.shortest_paths(graph, 0, method=method, synchronous=True, trace=True, **options, **how)
    reached = zip(paths.distance.tolist(), paths.reached, strict=True)
    assert [d if is_reached else math.inf for d, is_reached in reached] == distance
    trace = paths.trace
    assert {*COLUMNS} - {"working", "idle_warps"} <= {*trace.dtype.names}
    for column in COLUMNS:
        if column in trace.dtype.names:
            expected = [getattr(row, column) for row in rows]
            assert trace[column].tolist() == expected, (animal, dtype, how, column)
    assert (np.diff(trace["seconds"]) >= 0).all()
    assert (trace["final"] <= trace["labelled"]).all()
    plain = pf.shortest_paths(graph, 0, method=method, synchronous=True, **options, **how)
    assert plain.stats.edges_relaxed == trace["edges_relaxed"].sum() == paths.stats.edges_relaxed
    assert plain.stats.iterations == len(rows)


@every_case
@pytest.mark.parametrize("threads", [1, 3])
def test_on_threads(method, options, threads, monkeypatch):
    monkeypatch.setattr(cpu, "parallel_from", 1)
    traversals = itertools.cycle(TRAVERSALS if "traversal" in names_of(method) else [None])
    dtypes = ("uint32", "float64", None)
    for i, animal in enumerate(ZOO):  # a type each, another one with three threads and in the next case
        dtype, traversal = dtypes[(i + threads + CASES.index((method, options))) % 3], next(traversals)
        how = {} if traversal is None else {"traversal": traversal}
        check(animal, dtype, CASES.index((method, options)), threads=threads, **how)


def names_of(method):
    return {option.name for option in pf.methods.get(method).options}


@pytest.mark.gpu
@pytest.mark.parametrize("device", GPUS)
@every_case
def test_on_devices(method, options, device, monkeypatch):
    if device == "emulated":
        monkeypatch.setattr(launching, "blocks", 2)
        monkeypatch.setattr(launching, "block_dim", 4)
    traversals = itertools.cycle(TRAVERSALS if "traversal" in names_of(method) else [None])
    for animal in ZOO:
        traversal = next(traversals)
        how = {} if traversal is None else {"traversal": traversal}
        check(animal, "uint32", CASES.index((method, options)), device=device, **how)


def test_sorted_buckets_count_as_split_ones():
    for animal in ZOO:
        graph = ZOO[animal]("uint32")
        traces = [
            pf.shortest_paths(graph, 0, method="bucketing", delta=7, organise=o, synchronous=True, trace=True).trace
            for o in ("split", "sort")
        ]
        for column in COLUMNS[:-2]:
            assert traces[0][column].tolist() == traces[1][column].tolist(), (animal, column)


@pytest.mark.parametrize("method", sorted({method for method, _ in CASES}))
def test_counts_do_not_depend_on_threads(method):
    """On a graph large enough to be shared, again and again."""
    graph = pf.generate.random(20_000, 160_000, weights="int:0:100", seed=3)
    first = pf.shortest_paths(graph, 0, method=method, synchronous=True, trace=True, threads=1)
    assert pf.verify(graph, first)
    for threads in (2, 3, 7, 7):
        paths = pf.shortest_paths(graph, 0, method=method, synchronous=True, trace=True, threads=threads)
        assert pf.verify(graph, paths)
        assert paths.stats.vertices_processed == first.stats.vertices_processed
        for column in set(first.trace.dtype.names or ()) - {"seconds", "delta", "discarded"}:
            assert paths.trace[column].tolist() == first.trace[column].tolist(), (threads, column)


def test_in_place_is_not_synchronous():
    """On one thread a chain is relaxed in one pass in place, but takes a pass for each arc otherwise."""
    graph = pf.generate.chain(50, weights="unit", directed=True)
    for method in ("bellman_ford_edges", "bellman_ford_vertices"):
        passes = [
            pf.shortest_paths(graph, 0, method=method, threads=1, synchronous=synchronous).stats.iterations
            for synchronous in (False, True)
        ]
        assert passes == [2, 50]


def test_it_must_be_a_flag():
    with pytest.raises(TypeError, match="synchronous"):
        pf.shortest_paths(pf.generate.chain(3), 0, method="near_far", synchronous="yes")
