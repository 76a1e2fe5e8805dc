"""Searches: every method with every option, against the oracle, bit by bit."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

import pathfront as pf
from fuzz.finding import Case, Finding, unexpected
from fuzz.graphs import graph_case
from fuzz.oracle import LARGEST, Number
from fuzz.world import Expected, World, world_of
from pathfront.devices.protocol import TRAVERSALS
from pathfront.methods import delta_stepping

PER_ROUND = 80
_THREADS = (1, 1, 1, 1, 2, 2, 2, 3, 4, 5, 8, 16)
_DELTAS = (5e-324, 1e-300, 1e-45, 1e-9, 0.3, 1, 1, 3, 7.25, 10, 64, 5000, 1e6, 2**31 + 1, 2**62, 2**63, 1e30, 1e300)
_SYNCHRONOUS: dict[str, tuple[Any, ...]] = {"synchronous": (False, False, True)}

OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "adds": {
        "buckets": (2, 3, 8, 32, 64),
        "adaptive": (True, False),
        "block": (1, 2, 64, 4096),
        "segment": (1, 2, 32, 256),
        "pool": (None,),
        "patience": (0, 100.0),
    },
    "bellman_ford_edges": _SYNCHRONOUS,
    "bellman_ford_frontier": _SYNCHRONOUS,
    "bellman_ford_vertices": _SYNCHRONOUS,
    "bucketing": {
        "buckets": (1, 2, 10, 64),
        "organise": ("split", "sort"),
        "traversal": TRAVERSALS,
        **_SYNCHRONOUS,
    },
    "crauser": {"variant": ("general", "economic"), "direction": ("successors", "predecessors"), **_SYNCHRONOUS},
    "delta_stepping": {"light_heavy": (False, True)},
    "dijkstra": {"heap": ("radix", "binary")},
    "hybrid": {"switch_at": (None, 1, 3, 50), "traversal": TRAVERSALS, **_SYNCHRONOUS},
    "light_first": {"light": (0.01, 1, 2.5, 100)},
    "martin": {"direction": ("successors", "predecessors"), **_SYNCHRONOUS},
    "near_far": {"traversal": TRAVERSALS, **_SYNCHRONOUS},
    "workfront_sweep": {"traversal": TRAVERSALS, **_SYNCHRONOUS},
}
"""The values of the methods' options that are tried."""


def make(rng: random.Random) -> Iterator[Case]:
    """Return a graph with searches on it."""
    graph = graph_case(rng, large=0.015)
    world = world_of(graph)
    few = 1 if len(graph["ends"]) > 100_000 else 3  # the oracle takes longer than the searches
    sources = [rng.randrange(graph["n"]) for _ in range(few)]
    for _ in range(PER_ROUND):
        yield {"graph": graph, "call": _call(rng, world, rng.choice(sources))}


def make_emulated(rng: random.Random) -> Iterator[Case]:
    """Return the same for the emulated GPU, on small graphs."""
    graph = graph_case(rng, middle=0)
    world = world_of(graph)
    for _ in range(12):
        call = _call(rng, world, rng.randrange(graph["n"]), "emulated")
        yield {"graph": graph, "call": call}


def _call(rng: random.Random, world: World, source: int, device: str = "cpu") -> dict[str, Any]:
    suitable = [
        name
        for name in pf.methods.names()
        if device in (method := pf.methods.get(name)).devices
        and (method.negative_weights or not world.negative)
        and (world.unit or not method.unit_weights)
    ]
    name = rng.choice(suitable)
    method = pf.methods.get(name)
    call: dict[str, Any] = {"source": source, "method": name}
    if device == "cpu":
        call["threads"] = rng.choice(_THREADS)
    else:
        call["device"] = device
    if method.has_delta and not world.negative and rng.random() < 0.5:
        call["delta"] = rng.choice(_DELTAS)
    for option, values in OPTIONS.get(name, {}).items():
        if rng.random() < 0.4:
            call[option] = rng.choice(values)
    if device != "cpu":
        call.pop("light_heavy", None)  # refused there
    if name == "adds" and call.get("segment", 256) > call.get("block", 4096):
        call["segment"] = call["block"]
    if rng.random() < 0.3:
        call["parents"] = False
    if rng.random() < 0.1:
        call["trace"] = True
    if not world.negative and rng.random() < 0.2:
        call["cutoff"] = _cutoff(rng, world, source)
    if not world.negative and rng.random() < 0.2:
        call["targets"] = [rng.randrange(world.n) for _ in range(rng.choice((1, 1, 2, 5)))]
    if name in ("delta_stepping", "auto") and device == "cpu" and rng.random() < 0.5:
        call["owner_blocks"] = rng.randint(1, 6)
    return call


def _cutoff(rng: random.Random, world: World, source: int) -> Number:
    some = [d for d in world.distances((source,), world.dtype) if d is not None]
    near = rng.choice(some)
    return rng.choice((near, near, near / 2, near * 1.5, 0, 0.7, 3, 2**31 - 1, 2**32, 2**70, 1e308))


def check(case: Case) -> Finding | None:
    """Run the search and compare."""
    world, call = world_of(case["graph"]), dict(case["call"])
    targets = call.get("targets")
    source = call.pop("source")
    expected = world.expected((source,), call.get("cutoff"), None if targets is None else tuple(targets))
    wrong = world.check_exactly(source)
    if wrong:
        return wrong
    try:
        with owner_blocks(call.pop("owner_blocks", None)):
            paths = pf.shortest_paths(world.graph, source, **call)
    except pf.NegativeCycleError as error:
        total = world.cycle_sum([world.graph.vertex(name) for name in error.cycle])
        if total is None or total >= 0:
            return Finding("cycle", f"{error} Its exact sum is {total}.")
        return None if expected.outcome == "cycle" else Finding("cycle", f"not from vertex {source}: {error}")
    except pf.DistanceOverflowError as error:
        return None if expected.outcome == "overflow" else Finding("overflow", str(error))
    except Exception as error:
        return unexpected(error)
    return compare(world, source, expected, paths)


def compare(world: World, source: int, expected: Expected, paths: pf.ShortestPaths) -> Finding | None:
    """Compare an answer with the expected one."""
    if expected.outcome != "distances":
        return Finding(f"no {expected.outcome}", f"{paths!r}")
    assert expected.dist is not None
    found = np.asarray(paths.distance)
    if found.dtype != expected.dtype:
        return Finding("type", f"distances are {found.dtype}, but {expected.dtype} holds them")
    if found.tobytes() != expected.dist.tobytes():
        v = int(np.flatnonzero(found.view("u1") != expected.dist.view("u1"))[0]) // found.itemsize
        return Finding("distance", f"vertex {v} is at {found[v]}, but must be at {expected.dist[v]}")
    if paths._given_parent is not None:
        flaw = world.check_parents((source,), expected.dist, np.asarray(paths.parent))
        if flaw:
            return Finding("parents", flaw)
    if world.negative and not (verdict := pf.verify(world.graph, paths)):
        return Finding("verify", str(verdict))
    if (paths.radius is None) != (expected.radius is None):
        return Finding("radius", f"the radius is {paths.radius}, but must be {expected.radius}")
    return None


@contextlib.contextmanager
def owner_blocks(bits: int | None) -> Iterator[None]:
    """Let threads own blocks of 2^bits vertices on any graph; the package does so on large ones only."""
    if bits is None:
        yield
        return
    chosen = delta_stepping.block_bits

    def block_bits(problem: Any) -> int:
        suits = problem.threads > 1 and not problem.trace and problem.targets is None
        return bits if suits else 0

    delta_stepping.block_bits = block_bits
    try:
        yield
    finally:
        delta_stepping.block_bits = chosen


def tags(case: Case) -> Iterator[str]:
    """Return what is counted about a case."""
    call, dtype = case["call"], case["graph"]["dtype"]
    assert dtype is None or dtype in LARGEST
    yield f"weights {dtype}"
    yield f"method {call['method']}"
    yield f"threads {call['threads']}" if "threads" in call else f"device {call['device']}"
