"""The inputs of a search as arrays, and its results: the same for all methods on GPUs."""

from __future__ import annotations

from typing import Any

import numpy as np

from pathfront import warp_runtime
from pathfront.devices.gpu.launching import Grid, exclusively
from pathfront.dtypes import largest_distance, unreached_marker
from pathfront.graph import Graph
from pathfront.problem import Problem
from pathfront.validation import Array
from pathfront.warp_runtime import to_host


def sources(problem: Problem) -> Array:
    """Return all sources."""
    others = () if problem.others is None else problem.others
    return np.array([problem.source, *others], np.int32)


def targets(problem: Problem) -> Array:
    """Return the targets, empty if there are none."""
    return np.empty(0, np.int32) if problem.targets is None else problem.targets.astype(np.int32)


def cutoff(problem: Problem) -> int | float:
    """Return the cutoff, the largest distance if there is none."""
    return largest_distance(problem.distance.dtype) if problem.cutoff is None else problem.cutoff


def result_arrays(problem: Problem) -> list[Any]:
    """Return arrays for distances and parents: the problem's own, where the device can write to them."""
    wp, made = warp_runtime.warp(), []
    for values in (problem.distance, np.empty(0, np.uint32) if problem.parent is None else problem.parent):
        dtype = wp.dtype_from_numpy(values.dtype)
        with warp_runtime.lock:
            if problem.device == "emulated":
                made.append(wp.array(values, dtype=dtype, device="cpu", copy=False))
            else:
                made.append(wp.empty(len(values), dtype=dtype, device=problem.device))
    return made


def write(problem: Problem, grid: Grid, kernels: Any, words: Any, dist: Any, parent: Any) -> int | float | None:
    """Write distances, and parents where words hold them, up to the radius, and return it.

    Up to it distances are final: that of the farthest target if all are reached, else the cutoff.
    """
    dtype = problem.distance.dtype

    def write_up_to(radius: int | float) -> None:
        grid.launch_threads(kernels.write_answers, problem.graph.n, words, dtype.type(radius), dist, parent)

    unreached = unreached_marker(dtype)
    with exclusively(grid):
        write_up_to(unreached)
        if problem.targets is not None:
            farthest = to_host(dist)[problem.targets].max().item()
            if farthest != unreached:
                write_up_to(farthest)
                return farthest  # type: ignore[no-any-return]
    return problem.cutoff


def deliver(problem: Problem, dist: Any, parent: Any, *, overflow: bool, radius: int | float | None) -> dict[str, Any]:
    """Copy results to the problem's arrays, unless they remain on the device; return fields of the outcome."""
    if problem.parent is None:
        parent = None
    if not problem.on_device:
        problem.distance[:] = to_host(dist)
        if problem.parent is not None:
            problem.parent[:] = to_host(parent)
    return {
        "overflow": overflow and radius is None and _truly_overflowed(problem.graph, to_host(dist)),
        "radius": radius,
        "device_arrays": (dist, parent) if problem.on_device else None,
    }


def _truly_overflowed(graph: Graph, distance: Array) -> bool:
    """Return whether distances of a wider type are needed: as `truly_overflowed` in C++.

    A kernel that computes a sum that does not fit skips it and sets a flag. That matters only if the sum would have
    been the head's distance: because the head was not reached otherwise, or because the sum fell below the lowest
    value. It is rare, so the host decides it.
    """
    dtype = distance.dtype
    there = distance[np.repeat(np.arange(graph.n), np.diff(graph.offsets))]
    weights = np.ones(graph.m, dtype) if graph.weights is None else graph.weights.astype(dtype)
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            lost = ~np.isfinite(there + weights)
    else:
        bounds = np.iinfo(dtype)
        largest = dtype.type(bounds.max - 1)
        lost = (weights > 0) & (there > largest - np.minimum(weights, largest)) | (weights > largest)
        if dtype.kind == "i":
            lost |= (weights < 0) & (there < bounds.min - np.minimum(weights, 0))
    unreached = unreached_marker(dtype)
    matters = (distance[graph.heads] == unreached) | (there < 0)
    return bool((lost & (there != unreached) & matters).any())
