"""The GPU device: schedules become graphs of kernels, which run from the first to the last without the host.

A schedule is first recorded as a tree of operations, loops and branches. The tree is then executed once while Warp
captures its launches, and the capture is cached with the graph it is for, as a `Program`, with all its memory; a search
only fills in its sources, limits and targets. On a GPU loops are CUDA's conditional nodes, which need a driver for CUDA
12.4 or later; with older ones the tree is executed in every search, and the host reads the conditions. On device
"emulated" Warp replays the capture in native code.

Every loop checks one flag, STOP: final targets, negative cycles, Ctrl-C and errors end a search by setting it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pathfront.devices import cpu
from pathfront.devices.gpu import answers
from pathfront.devices.gpu.launching import exclusively, grid
from pathfront.devices.gpu.program import FIRST_SCALAR, Program, Search, Shape
from pathfront.devices.gpu.resident import release_caches, resident
from pathfront.devices.protocol import Device, Schedule
from pathfront.devices.recording import ProgramCache, rows, typed
from pathfront.graph.dense import DenseGraph
from pathfront.problem import Outcome, Problem
from pathfront.validation import Array

_BUSY_FROM = 4096
"""Vertices that keep a GPU busy."""

_CACHED = 2
"""Programs cached per graph: each has memory for several queues of all vertices."""

_ROWS = 4096
"""Rows of a trace at first; where they are too few, the search is run again with more."""


_cache: ProgramCache[tuple[Device, Program]] = ProgramCache(_CACHED)
release_caches.append(_cache.clear)


def run(problem: Problem, schedule: Schedule, *, matrix: bool = False, **settings: Any) -> Outcome:
    """Run a schedule, recorded with these settings, on a problem; with `matrix` a dense graph is used as it is."""
    from pathfront.devices.gpu.kernels.state import Count

    max_rows = _ROWS if problem.trace else 0
    while True:
        shape = _shape(problem, max_rows, matrix and isinstance(problem.graph, DenseGraph))
        key = (schedule, tuple(sorted(settings.items())), grid(problem.device), shape)
        device, program = _cache.take(problem.graph, key) or _made(problem, schedule, settings, shape)
        flags, counts = program.run(_search(problem, device))
        if not problem.trace or counts[Count.ROWS] <= max_rows:
            break
        max_rows = 2 * int(counts[Count.ROWS])
        del device, program  # its memory is needed
    done = _answer(problem, device, program, flags, counts)
    _cache.put(problem.graph, key, (device, program))
    return done


def delta_factor(_: Problem) -> float:
    """Return the factor of mean weight over mean degree where no delta is given, about what keeps a GPU busy.

    Davidson et al. 2014: the lanes of a warp.
    """
    return 32.0


def _shape(problem: Problem, max_rows: int, matrix: bool) -> Shape:
    negative = problem.graph.weight_summary().first_negative >= 0
    small = problem.distance.dtype.itemsize == 4
    wants = problem.parent is not None
    return Shape(
        dtype=problem.distance.dtype.name,
        packed=small and (wants or negative),  # a negative cycle is found among the parents
        negative=negative,
        tree=wants and not small,
        max_sources=_padded(answers.sources(problem)),
        max_targets=0 if problem.targets is None else _padded(problem.targets),
        max_rows=max_rows,
        matrix=matrix,
    )


def _padded(listed: Array) -> int:
    """Return a size that lists of similar length share, so that they can use the same program."""
    return max(16, 1 << (len(listed) - 1).bit_length())


def _search(problem: Problem, device: Device) -> Search:
    dtype = problem.distance.dtype
    return Search(
        sources=answers.sources(problem),
        targets=answers.targets(problem),
        cutoff=answers.cutoff(problem),
        scalars=[typed(value, dtype) for value in device.values],
        progress=problem.progress,
    )


def _made(problem: Problem, schedule: Schedule, settings: dict[str, Any], shape: Shape) -> tuple[Device, Program]:
    settings = dict(settings)
    device = Device(_BUSY_FROM, FIRST_SCALAR, synchronous=settings.pop("synchronous", False))
    schedule(device, **settings)
    width = grid(problem.device)
    with exclusively(width):
        on_device = resident(problem.graph, problem.device, problem.distance.dtype, matrix=shape.matrix)
        program = Program(on_device, width, shape, device)
        program.capture()
    return device, program


def _answer(problem: Problem, device: Device, program: Program, flags: Array, counts: Array) -> Outcome:
    """Copy the results of a search from the device."""
    from pathfront.devices.gpu.kernels.state import Count, Flag
    from pathfront.devices.gpu.kernels.tracing import Column

    if flags[Flag.CYCLE]:  # the native method names it, or finds none: parents may be hints
        done = cpu.bellman_ford(replace(problem, device="cpu"))
        return replace(done, method="bellman_ford", reason="parents closed a cycle: checked on the CPU")
    arrays = program.dist, program.parent
    radius = answers.write(problem, program.grid, program.kernels, program.state.words, *arrays)
    if problem.parent is not None:
        program.find_tree(problem.progress)
    if problem.on_device:
        arrays = program.copy(program.dist), program.copy(program.parent)
    with exclusively(program.grid):
        delivered = answers.deliver(problem, *arrays, overflow=bool(flags[Flag.OVERFLOW]), radius=radius)
    rows_made = program.to_host(program.rows.table)[: int(counts[Count.ROWS])].copy()
    if not flags[Flag.STOP] and len(rows_made):  # nothing was left to do
        rows_made[-1, Column.FINAL] = rows_made[-1, Column.LABELLED]
    return Outcome(
        iterations=int(counts[Count.ITERATIONS]),
        vertices_processed=int(counts[Count.VERTICES]),
        edges_relaxed=int(counts[Count.EDGES]),
        trace=rows(rows_made, device) if problem.trace else None,
        extra=_seconds(rows_made, float(counts[Count.RELAXING])) if problem.trace else {},
        **delivered,
    )


def _seconds(rows_made: Array, relaxing: float) -> dict[str, float]:
    """Return how long a traced search took for relaxing arcs, and for queues alone, as on CPUs."""
    from pathfront.devices.gpu.kernels.tracing import Column

    total = float(rows_made[-1, Column.SECONDS]) if len(rows_made) else 0.0
    spent = min(relaxing * 1e-9, total)
    return {"relaxing_seconds": spent, "organising_seconds": total - spent}
