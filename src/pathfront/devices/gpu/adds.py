"""ADDS on a GPU: the whole search is one persistent kernel, `kernels/adds.py`.

All memory is allocated before the kernel starts, above all the pool of memory blocks, which a kernel cannot enlarge.
The pool is made for as many items as searches usually have at once; if they need more, the kernel stops, and the search
is run again with a pool of twice the size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from pathfront import warp_runtime
from pathfront.devices import names
from pathfront.devices.gpu import answers, persistent
from pathfront.devices.gpu.launching import Grid
from pathfront.devices.gpu.resident import MAX_ELEMENTS, Resident, require_memory, resident, upload
from pathfront.devices.gpu.tree import find_parents
from pathfront.dtypes import unreached_marker
from pathfront.exceptions import DeviceError, DeviceMemoryError
from pathfront.graph import NO_VERTEX
from pathfront.graph.measures import mean_degree
from pathfront.problem import Outcome, Problem, trace_of
from pathfront.validation import Array, available_cores
from pathfront.warp_runtime import to_host

samples = 1 << 14
"""The most rows of a trace; when they are full, pairs are merged. Tests make it small."""

TRACE_OWN = [
    (name, np.uint64)
    for name in ("buckets_in_use", "urgent_buckets", "assigned_workers", "assigned_items", "pool_blocks", "resorted")
]
"""The columns of a trace that are ADDS' own: the state at the end of the row, and the items put back in it."""

_DELTAS = 4096
"""The most changes of delta that are recorded."""

_BUSY_ARCS = 512.0
"""Arcs of a bucket, per worker, that keep it busy: as `busy_arcs` in `cpp/engines/adds/delta_control.hpp`."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of an ADDS search: as `Settings` in `cpp/engines/adds/report.hpp`."""

    width: float
    lowest: float
    highest: float
    adaptive: bool
    buckets: int
    block_bits: int
    segment_bits: int
    most_blocks: int
    patience: float


def solve(problem: Problem, settings: Settings) -> Outcome:
    """Fill the problem's arrays."""
    on_device = resident(problem.graph, problem.device, problem.distance.dtype)
    grid = persistent.grid(problem.device, least=2)
    blocks = _first_pool(problem, settings, grid)
    while True:
        search = _Search(problem, settings, on_device, grid, blocks)
        if search.run():
            return search.outcome()
        del search  # and all of its memory
        if blocks == settings.most_blocks:
            raise DeviceMemoryError(
                f"method='adds' needs more than the {blocks} blocks of its option pool; give more, or leave it out."
            )
        blocks = min(2 * blocks, settings.most_blocks or 2 * blocks)


def _first_pool(problem: Problem, settings: Settings, grid: Grid) -> int:
    """Return the first size of the pool: blocks for all vertices and a quarter of the arcs, and some per bucket."""
    least = 2 * settings.buckets + 4 * grid.blocks
    wanted = least + (problem.graph.n + problem.graph.m // 4 >> settings.block_bits)
    fitting = MAX_ELEMENTS >> settings.block_bits
    free = names.free_memory(problem.device)
    if free is not None:
        fitting = min(fitting, free * 3 // 4 // (_item_bytes(problem) << settings.block_bits))
    wanted = min(wanted, max(least, fitting))  # fewer may suffice
    return min(wanted, settings.most_blocks or wanted)


def _item_bytes(problem: Problem) -> int:
    """Return the bytes of an item: a distance, a vertex, and a share of the counters."""
    return problem.distance.dtype.itemsize + 4 + 4


class _Search:
    """The arguments of a kernel, and the results in them."""

    def __init__(self, problem: Problem, settings: Settings, on_device: Resident, grid: Grid, blocks: int) -> None:
        from pathfront.devices.gpu.kernels import adds, adds_delta, adds_queue, adds_report, adds_search, adds_window

        self._problem, self._settings, self._on_device = problem, settings, on_device
        self._grid, self._blocks = grid, blocks
        self._delta, self._queue, self._report, self._shared = adds_delta, adds_queue, adds_report, adds_search
        self._window = adds_window
        self._dtype = problem.distance.dtype
        self._packed = problem.parent is not None and self._dtype.itemsize == 4
        with warp_runtime.lock:  # two threads must not build the same kernels at once
            self._form = adds.of(self._dtype.name, self._packed)
        _require_pool(problem, settings, blocks)
        with warp_runtime.lock:
            self.search, self.queue = self._make_search(), self._make_queue()
            self.workers, self.report = self._make_workers(), self._make_report()

    # ---- the kernel's arguments ------------------------------------------------------------------------------------

    def _vertices(self, listed: Any) -> Any:
        return upload(np.asarray(listed), np.dtype(np.int32), self._problem.device)

    def _make_search(self) -> Any:
        wp, problem, grid, number = warp_runtime.warp(), self._problem, self._grid, self._form.number
        settings = self._settings
        items = self._blocks << self._settings.block_bits
        made = self._form.Search()
        made.graph = self._on_device.csr
        made.words = grid.full(problem.graph.n, number.word, _unreached_word(self._dtype, self._packed))
        made.dists, made.vertices = grid.empty(items, number.dtype), grid.empty(items, wp.int32)
        made.limits = grid.full(grid.blocks, number.dtype, unreached_marker(self._dtype))
        made.clipped = grid.full(settings.buckets, number.dtype, unreached_marker(self._dtype))
        made.labelled = grid.zeros(problem.graph.n if problem.trace else 0, wp.uint32)
        made.cutoff = number.dtype(answers.cutoff(problem))
        made.overflow = grid.zeros(1, wp.uint32)
        made.sources = self._vertices(answers.sources(problem))
        made.targets = self._vertices(answers.targets(problem))
        return made

    def _make_queue(self) -> Any:
        wp, grid, blocks, settings = warp_runtime.warp(), self._grid, self._blocks, self._settings
        stride = self._queue.COUNTER_STRIDE
        made = self._queue.Queue()
        made.block_bits, made.segment_bits = settings.block_bits, settings.segment_bits
        made.buckets, made.blocks, made.slot_bits = settings.buckets, blocks, blocks.bit_length()
        made.written = grid.empty(blocks << (settings.block_bits - settings.segment_bits), wp.uint32)
        made.completed_work, made.tags = grid.zeros(blocks, wp.uint32), grid.full(blocks, wp.uint64, 2**64 - 1)
        made.first, made.after = grid.full(1 << made.slot_bits, wp.int32, -1), grid.full(blocks, wp.int32, -1)
        made.free, made.drained = self._vertices(np.arange(blocks)[::-1]), grid.empty(blocks, wp.int32)
        made.reserved, made.completed = (grid.zeros(settings.buckets * stride, wp.uint64) for _ in range(2))
        made.read, made.installed = (grid.zeros(settings.buckets, wp.uint64) for _ in range(2))
        made.coordination = self._vertices(
            [blocks if cell == self._queue.Coordination.FREE_COUNT else 0 for cell in self._queue.Coordination]
        )
        made.min_cells = grid.zeros(grid.blocks, wp.int32)
        made.sum_cells = grid.zeros(grid.blocks, wp.uint64)
        return made

    def _make_workers(self) -> Any:
        wp, grid, shared = warp_runtime.warp(), self._grid, self._shared
        blocks = grid.blocks
        made = shared.Workers()
        made.blocks = blocks
        made.flags, made.hub_counts = (grid.zeros(blocks * shared.FLAG_STRIDE, wp.uint32) for _ in range(2))
        made.assignments = grid.zeros(blocks, shared.Assignment)
        made.counts = grid.zeros(blocks * self._queue.COUNTER_STRIDE, wp.uint64)
        made.hubs, made.idle = grid.empty(blocks * shared.LARGEST_RANGE, wp.int32), grid.empty(blocks, wp.int32)
        return made

    def _make_report(self) -> Any:
        wp, grid, rows = warp_runtime.warp(), self._grid, samples if self._problem.trace else 0
        made = self._report.Report()
        made.numbers = grid.zeros(len(self._report.Number), wp.int64)
        made.deltas = grid.zeros((_DELTAS, 2), wp.float64)
        made.samples = grid.zeros((rows, self._report.COLUMNS), wp.float64)
        return made

    def _first_window(self) -> Any:
        made: Any = self._window.Window()
        width = self._settings.width
        made.last, made.sorting, made.delta, made.scale = self._settings.buckets - 1, 1, width, _reciprocal(width)
        made.width = int(min(max(width, 1.0), 2.0**32 - 1 if self._dtype.itemsize == 4 else 2.0**62))  # as `widened`
        return made

    def _first_delta(self) -> Any:
        graph, settings = self._problem.graph, self._settings
        items = max(_BUSY_ARCS / mean_degree(graph), 16.0, float(self._grid.block_dim))
        workers = self._grid.blocks - 1
        if self._problem.device == "emulated":  # blocks beyond the cores keep nothing busy
            workers = min(workers, available_cores())
        made: Any = self._delta.Delta()
        made.adaptive, made.lowest, made.highest = int(settings.adaptive), settings.lowest, settings.highest
        made.enough, made.sorting = workers * items, 1
        return made

    # ---- running ---------------------------------------------------------------------------------------------------

    def run(self) -> bool:
        """Run the kernel to its end; return False if the pool had too few blocks."""
        inputs = [self.search, self.queue, self.workers, self.report, self._first_window(), self._first_delta()]
        try:
            persistent.run(
                self._form.adds,
                inputs,
                grid=self._grid,
                progress=self._problem.progress,
                stuck_after=self._settings.patience or None,
            )
        except DeviceError as error:
            error.add_note(f"The state of method='adds': {self.dump()}")
            raise
        return not to_host(self.queue.coordination)[self._queue.Coordination.EXHAUSTED]

    def dump(self) -> str:
        """Return the state of the queue and the workers, for the note of the error of a search without progress."""
        stride, shared = self._queue.COUNTER_STRIDE, self._shared
        reserved, completed = (to_host(array)[::stride] for array in (self.queue.reserved, self.queue.completed))
        read, installed = to_host(self.queue.read), to_host(self.queue.installed)
        used = self._blocks - max(int(to_host(self.queue.coordination)[self._queue.Coordination.FREE_COUNT]), 0)
        lines = [f"blocks in use {used} of {self._blocks}"]
        lines += [
            f"bucket {i}: reserved {reserved[i]}, read {read[i]}, completed {completed[i]}, "
            f"blocks installed {installed[i]}"
            for i in range(self._settings.buckets)
        ]
        assigned = to_host(self.workers.flags)[:: shared.FLAG_STRIDE] == shared.Flag.ASSIGNED
        done = to_host(self.workers.counts)[shared.Count.ASSIGNMENTS :: stride]
        lines += [
            f"worker {i}: {'assigned' if assigned[i] else 'idle'} after {done[i]} assignments"
            for i in range(1, self._grid.blocks)
        ]
        return "\n".join(lines)

    # ---- the results -----------------------------------------------------------------------------------------------

    def outcome(self) -> Outcome:
        """Fill the problem's arrays; return the outcome."""
        problem, shared, numbers = self._problem, self._shared, to_host(self.report.numbers)
        extra = self._extra(numbers)
        return Outcome(
            iterations=int(numbers[self._report.Number.SWITCHES]) + 1,
            vertices_processed=self._count(shared.Count.VERTICES),
            edges_relaxed=self._count(shared.Count.EDGES),
            threads=self._grid.blocks,
            delta=extra["deltas"][0][1],
            extra=extra,
            trace=self._trace(int(numbers[self._report.Number.SAMPLES])) if problem.trace else None,
            **self._deliver(),
        )

    def _trace(self, count: int) -> Array:
        """Return the trace: a row's window, and what waits in it, are those of the sample before it."""
        names, samples = self._report.Column, to_host(self.report.samples)[:count]
        first = np.zeros((1, samples.shape[1]))
        first[0, [names.DELTA, names.NEAR]] = to_host(self.report.deltas)[0, 1], len(self.search.sources)
        before, now = np.concatenate([first, samples])[:-1].T, samples.T
        dropped = np.cumsum(now[names.COMPLETED] - now[names.WORK] - now[names.RESORTED])
        dropped = np.maximum.accumulate(np.maximum(dropped, 0))  # what is being completed may be counted in part
        columns = {
            "seconds": now[names.SECONDS],
            "frontier": now[names.WORK],
            "edges_relaxed": now[names.EDGES],
            "distance_low": before[names.LOW],
            "distance_high": before[names.LOW] + before[names.DELTA] * np.maximum(now[names.URGENT], 1),
            "delta": before[names.DELTA],
            "near": before[names.NEAR],
            "far": before[names.FAR],
            "labelled": now[names.LABELLED] + len(self.search.sources),
            "discarded": np.diff(dropped, prepend=0),
            "buckets_in_use": now[names.BUCKETS],
            "urgent_buckets": now[names.URGENT],
            "assigned_workers": now[names.WORKERS],
            "assigned_items": now[names.ITEMS],
            "pool_blocks": now[names.BLOCKS],
            "resorted": now[names.RESORTED],
        }
        return trace_of(columns, TRACE_OWN)

    def _extra(self, numbers: Array) -> dict[str, Any]:
        cells, shared = self._report.Number, self._shared
        workers, passed = self._grid.blocks - 1, max(int(numbers[cells.NANOSECONDS]), 1)
        return {
            "deltas": [
                (float(when), float(delta)) for when, delta in to_host(self.report.deltas)[: numbers[cells.DELTAS]]
            ],
            "delta_raised": int(numbers[cells.RAISED]),
            "delta_lowered": int(numbers[cells.LOWERED]),
            "sweeps": int(numbers[cells.SWEEPS]),
            "assignments": int(numbers[cells.ASSIGNMENTS]),
            "most_buckets": int(numbers[cells.MOST_BUCKETS]),
            "most_urgent": int(numbers[cells.MOST_URGENT]),
            "pushed": self._count(shared.Count.PUSHED) + len(self.search.sources),
            "clipped": self._count(shared.Count.CLIPPED),
            "resorted": self._count(shared.Count.RESORTED),
            "items_high_water": int(numbers[cells.ITEMS_HIGH_WATER]),
            "blocks_high_water": int(numbers[cells.BLOCKS_HIGH_WATER]),
            "excess_blocks": int(numbers[cells.EXCESS_BLOCKS]),
            "utilisation": self._count(shared.Count.NANOSECONDS) / (passed * workers),
        }

    def _count(self, cell: int) -> int:
        return int(to_host(self.workers.counts)[cell :: self._queue.COUNTER_STRIDE].sum())

    def _deliver(self) -> dict[str, Any]:
        """Fill the problem's arrays, unless the results remain on the device; return fields of the outcome."""
        problem = self._problem
        dist, parent = answers.result_arrays(problem)
        radius = answers.write(problem, self._grid, self._form, self.search.words, dist, parent)
        if problem.parent is not None and not self._packed:
            find_parents(self._on_device, dist, parent, self.search.sources, problem.progress)
        overflow = bool(to_host(self.search.overflow)[0])
        return answers.deliver(problem, dist, parent, overflow=overflow, radius=radius)


def _reciprocal(width: float) -> float:
    """Return 1 / width, not rounded down: a whole number of widths must not become a little less."""
    scale = 1.0 / width
    return scale if Fraction(scale) * Fraction(width) >= 1 else math.nextafter(scale, math.inf)


def _require_pool(problem: Problem, settings: Settings, blocks: int) -> None:
    items = blocks << settings.block_bits
    if items > MAX_ELEMENTS:
        raise DeviceMemoryError(
            f"method='adds' needs more than {MAX_ELEMENTS >> settings.block_bits} blocks of {1 << settings.block_bits} "
            f"items, which is more than device={problem.device!r} can count; use device='cpu'."
        )
    require_memory(problem.device, items * _item_bytes(problem) + 32 * blocks, "the pool of blocks")


def _unreached_word(dtype: np.dtype[Any], packed: bool) -> int | float:
    """Return the word of an unreached vertex."""
    if not packed:
        return unreached_marker(dtype)
    key = 0xFF800000 if dtype.kind == "f" else 0xFFFFFFFF
    return key << 32 | NO_VERTEX
