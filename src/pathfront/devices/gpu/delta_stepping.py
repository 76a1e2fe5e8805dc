"""Delta-stepping on a GPU: the whole search is one persistent kernel, `kernels/delta_stepping.py`.

All memory is allocated before it starts. Afterwards the host checks for overflow and, where words hold no parents,
finds them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pathfront import warp_runtime
from pathfront.devices.gpu import answers, persistent
from pathfront.devices.gpu.launching import Grid
from pathfront.devices.gpu.resident import require_memory, resident, upload
from pathfront.devices.gpu.tree import find_parents
from pathfront.dtypes import largest_distance, unreached_marker
from pathfront.exceptions import ArgumentError
from pathfront.graph.measures import weight_per_degree
from pathfront.problem import Outcome, Problem, trace_of
from pathfront.validation import Array

warp_from: int | None = None
"""The degree from which a vertex is relaxed by a warp; None for the default of the device. For tests."""

slice_from: int | None = None
"""The degree from which a vertex is relaxed by whole blocks; None for the default of the device. For tests."""

trace_rows = 1 << 16
"""Rows of a trace that the device holds; when they are full the kernel returns until the host has copied them."""

_REACH = 32
"""Buckets up to the horizon: the far queue behind it is scanned that much less often."""

_MOST = 2**29 - 1
"""The most vertices: the bytes of a queue must fit a signed 32-bit number."""

_MOST_ARCS = 2**31 - 2**16
"""The most arcs: threads step past the last one by up to a slice."""


@dataclass(frozen=True, slots=True)
class _Sizes:
    """The sizes of pieces of work."""

    chunk: int
    warp_from: int
    slice_from: int
    slice: int


def _sizes(device: str, grid: Grid) -> _Sizes:
    from pathfront.devices.gpu.kernels.tiers import WARP

    if device == "emulated":
        most = slice_from or 2048
        some = warp_from or (most if grid.block_dim == 1 else min(WARP, most))
        return _Sizes(chunk=32 if grid.block_dim == 1 else 1, warp_from=some, slice_from=most, slice=most)
    return _Sizes(chunk=1, warp_from=warp_from or WARP, slice_from=slice_from or 1024, slice=grid.block_dim)


def delta_factor(device: str) -> float:
    """Return delta, where none is given, in mean weights per mean degree."""
    return 16.0 if device == "emulated" else 32.0


def solve(problem: Problem) -> Outcome:
    """Run the kernel, and fill the problem's arrays unless the results stay on the device."""
    search = _Search(problem)
    rows = search.run()
    return Outcome(
        iterations=search.iterations,
        vertices_processed=search.vertices_processed,
        edges_relaxed=search.edges_relaxed,
        delta=search.delta,
        trace=rows,
        **search.deliver(),
    )


class _Search:
    """A problem on a device: the arrays of the kernel."""

    def __init__(self, problem: Problem) -> None:
        from pathfront.devices.gpu.kernels import delta_search, delta_stepping

        self._problem, self._layout = problem, delta_search
        graph, dtype, device = problem.graph, problem.distance.dtype, problem.device
        if graph.n > _MOST or graph.m > _MOST_ARCS:
            raise ArgumentError(
                f"the graph has {graph.n} vertices and {graph.m} arcs, but method='delta_stepping' takes at most "
                f"{_MOST} and {_MOST_ARCS} on device={device!r}; use device='cpu'."
            )
        self.packed = problem.parent is not None and dtype.itemsize == 4
        with warp_runtime.lock:  # two threads must not build the same kernels at once
            self._form = delta_stepping.of(dtype.name, self.packed)
        self.grid = persistent.grid(device, kernel=self._form.kernel)
        self._sizes = _sizes(device, self.grid)
        self.delta, self._width, self._reach = _widths(problem)
        self.radius = problem.cutoff
        self._on_device = resident(graph, device, dtype)
        require_memory(device, self._bytes(), "the search")
        with warp_runtime.lock:
            self._arrays = self._claim()

    def _bytes(self) -> int:
        layout, n, size = self._layout, self._problem.graph.n, self._problem.distance.dtype.itemsize
        words = (
            (layout.ROWS + 4 + self._problem.trace + (4 if self.packed else 0)) * n
            + 2 * self._slice_count()
            + self._middle_count()
        )
        return int(4 * words + size * n)

    def _slice_count(self) -> int:
        """Return the most slices that the vertices can be cut into."""
        m = self._problem.graph.m
        return m // self._sizes.slice + m // self._sizes.slice_from + 1

    def _middle_count(self) -> int:
        """Return the most vertices that warps relax in a step."""
        graph = self._problem.graph
        return min(graph.n, graph.m // self._sizes.warp_from) + 1

    def _claim(self) -> Any:
        """Return the kernel's struct, with all its memory."""
        from pathfront.devices.gpu.kernels import barrier

        wp, layout, problem, grid = warp_runtime.warp(), self._layout, self._problem, self.grid
        n, sizes, number = problem.graph.n, self._sizes, self._form.numbers
        s = self._form.Search()
        s.n, s.graph = n, self._on_device.csr
        s.dist, s.parent = answers.result_arrays(problem)
        s.words = grid.empty(n, number.word) if self.packed else s.dist
        s.sources, s.targets = (
            upload(listed(problem), np.dtype(np.int32), problem.device) for listed in (answers.sources, answers.targets)
        )
        s.target_count = len(s.targets)
        s.delta, s.reach = number.dtype(self._width), number.dtype(self._reach)
        s.cutoff = number.dtype(answers.cutoff(problem))
        s.queues = grid.empty((layout.ROWS, n), wp.int32)
        s.queued, s.settled, s.soon, s.far = (grid.zeros(n, wp.uint32) for _ in range(4))
        s.slice_tails, s.slice_arcs = (grid.empty(self._slice_count(), wp.int32) for _ in range(2))
        s.middle = grid.empty(self._middle_count(), wp.int32)
        s.cells, s.bounds = grid.zeros(layout.CELLS, wp.uint32), grid.empty(len(layout.Bound), number.dtype)
        s.barrier, s.claims = (grid.zeros(count, wp.uint32) for count in (barrier.cells(grid.blocks), grid.blocks))
        s.edges, s.vertices = grid.zeros(grid.blocks * grid.block_dim, wp.uint64), grid.zeros(1, wp.uint64)
        s.rows = trace_rows if problem.trace else 0
        s.row_counts, s.totals = (
            grid.zeros(count, wp.uint64) for count in (s.rows * layout.COLUMNS, len(layout.Total))
        )
        s.labelled = grid.zeros(n if problem.trace else 0, wp.uint32)
        s.row_bounds = grid.empty((s.rows, 2), number.dtype)
        s.has_heavy = int(problem.graph.weight_summary().heaviest > self._width)
        s.blocks, s.block_dim, s.chunk = grid.blocks, grid.block_dim, sizes.chunk
        s.warp_from, s.slice_from, s.slice = sizes.warp_from, sizes.slice_from, sizes.slice
        return s

    def run(self) -> Array | None:
        """Run the kernel to its end; return the trace's rows."""
        layout, problem, s, parts = self._layout, self._problem, self._arrays, list[dict[str, Array]]()
        while True:
            persistent.run(self._form.kernel, [s], grid=self.grid, progress=problem.progress)
            with warp_runtime.lock:
                cells = s.cells.numpy()
                if problem.trace:
                    parts.append(self._rows(int(cells[layout.Cell.TRACE_ROWS])))
            if cells[layout.Cell.STEP] == layout.Step.END:
                break
        with warp_runtime.lock:
            self.iterations, self.overflow = int(cells[layout.Cell.GENERATION]), bool(cells[layout.Cell.OVERFLOW])
            self.vertices_processed, self.edges_relaxed = int(s.vertices.numpy()[0]), int(s.edges.numpy().sum())
            farthest = s.bounds.numpy()[layout.Bound.RADIUS].item()
        if problem.targets is not None and farthest != unreached_marker(problem.distance.dtype):
            self.radius = farthest
        if not problem.trace:
            return None
        columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        return trace_of(columns | {"delta": np.full(self.iterations, self.delta)})

    def deliver(self) -> dict[str, Any]:
        """Fill the problem's arrays, unless the results remain on the device; return fields of the outcome."""
        problem, s = self._problem, self._arrays
        if problem.parent is not None and not self.packed:
            find_parents(self._on_device, s.dist, s.parent, s.sources, problem.progress)
        return answers.deliver(problem, s.dist, s.parent, overflow=self.overflow, radius=self.radius)

    def _rows(self, count: int) -> dict[str, Array]:
        """Return the columns of so many rows of the trace."""
        s, column = self._arrays, self._layout.Column
        counts = s.row_counts.numpy().reshape(-1, self._layout.COLUMNS)[:count].copy()
        bounds = s.row_bounds.numpy()[:count].astype(np.float64)
        return {
            "seconds": counts[:, column.NANOSECONDS] * 1e-9,
            "frontier": counts[:, column.FRONTIER],
            "edges_relaxed": counts[:, column.EDGES],
            "distance_low": bounds[:, 0],
            "distance_high": bounds[:, 1],
            "near": counts[:, column.NEAR],
            "far": counts[:, column.FAR],
            "labelled": counts[:, column.LABELLED],
            "final": counts[:, column.FINAL],
            "discarded": counts[:, column.DROPPED],
        }


def _widths(problem: Problem) -> tuple[float, int | float, int | float]:
    """Return delta, and in the type of distances delta and how far the horizon is."""
    dtype = problem.distance.dtype
    delta = problem.delta
    if delta is None:
        delta = delta_factor(problem.device) * weight_per_degree(problem.graph)
    largest = largest_distance(dtype)
    if dtype.kind == "f":
        width, reach = min(delta, largest), min(delta * _REACH, largest)
        return width, width, reach
    whole = min(max(int(delta), 1), int(largest))
    return float(whole), whole, min(whole * _REACH, int(largest))
