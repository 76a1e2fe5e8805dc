"""ADDS on a GPU: the whole search is one persistent kernel, `kernels/adds.py`.

Here everything it needs is claimed before it starts, above all the pool of memory blocks, which a kernel cannot
enlarge. It is made for as many items as searches usually have at once; should they need more, the kernel stops, and the
search is run again with a pool of twice the size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from pathfront.checks import Array
from pathfront.devices import launching, persistent, places
from pathfront.devices.launching import Grid
from pathfront.devices.overflow import truly_overflowed
from pathfront.devices.resident import MOST, Resident, place_of, require_memory, resident, upload
from pathfront.devices.tree import TreePass
from pathfront.exceptions import DeviceError, DeviceMemoryError
from pathfront.graph import NO_VERTEX
from pathfront.methods.method import Outcome, Problem
from pathfront.paths import unreached_marker

samples = 1 << 14
"""Rows that a trace has room for; when they are full, two become one. Tests make it small."""

_DELTAS = 4096
"""Changes of delta that are noted."""

_BUSY_ARCS = 512.0
"""Of a bucket, per worker: as `busy_arcs` in `cpp/adds/delta_control.hpp`."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What an ADDS search is told besides its task: as `Settings` in `cpp/adds/report.hpp`."""

    exponent: int
    lowest: int
    highest: int
    adaptive: bool
    buckets: int
    block_bits: int
    segment_bits: int
    most_blocks: int
    patience: float


def solve(problem: Problem, settings: Settings) -> tuple[Outcome, Array | None]:
    """Fill the problem's arrays; return what was done, and the rows of a trace where one is wanted."""
    home = resident(problem.graph, problem.device, problem.distance.dtype)
    grid = persistent.grid(problem.device, least=2)
    blocks = _first_pool(problem, settings, grid)
    while True:
        search = _Search(problem, settings, home, grid, blocks)
        search.run()
        if not search.exhausted:
            return search.outcome()
        if blocks == settings.most_blocks:
            raise DeviceMemoryError(
                f"method='adds' needs more than the {blocks} blocks of its knob pool; give more, or leave it out."
            )
        blocks = min(2 * blocks, settings.most_blocks or 2 * blocks)


def _first_pool(problem: Problem, settings: Settings, grid: Grid) -> int:
    """Return how many blocks should do: items for all vertices and some of the arcs, and what every bucket has."""
    items = problem.graph.n + problem.graph.m // 4
    blocks = (items >> settings.block_bits) + 2 * settings.buckets + 4 * grid.blocks
    return min(blocks, settings.most_blocks or blocks)


class _Search:
    """A kernel's arguments, and what it leaves in them."""

    def __init__(self, problem: Problem, settings: Settings, home: Resident, grid: Grid, blocks: int) -> None:
        from pathfront.devices.kernels import adds

        self.problem, self.settings, self.home, self.grid, self.blocks = problem, settings, home, grid, blocks
        self.dtype = problem.distance.dtype
        self.packed = problem.parent is not None and self.dtype.itemsize == 4
        self.form = adds.of(self.dtype.name, self.packed)
        _require_pool(problem, settings, self.dtype, blocks)
        with launching.lock:
            self.search = self._search()
            self.queue = self._queue()
            self.workers = self._workers()
            self.report = self._report()

    # ---- what the kernel is given ----------------------------------------------------------------------------------

    def _array(self, size: int, dtype: Any, value: Any = 0) -> Any:
        return places.warp().full(size, value, dtype=dtype, device=place_of(self.problem.device))

    def _room(self, size: int, dtype: Any) -> Any:
        return places.warp().empty(size, dtype=dtype, device=place_of(self.problem.device))

    def _search(self) -> Any:
        from pathfront.devices.kernels import numbers

        wp, problem, home = places.warp(), self.problem, self.home
        number = numbers.of(self.dtype.name, self.packed)
        items = self.blocks << self.settings.block_bits
        made = self.form.Search()
        made.offsets, made.heads, made.weights, made.unit = home.offsets, home.heads, home.weights, int(home.unit)
        made.state = self._array(home.n, number.word, _unreached_word(self.dtype, self.packed))
        made.dists, made.vertices = self._room(items, number.dtype), self._room(items, wp.int32)
        made.limits = self._array(self.grid.blocks, number.dtype, unreached_marker(self.dtype))
        made.cutoff = number.dtype(_largest(self.dtype) if problem.cutoff is None else problem.cutoff)
        made.overflow = self._array(1, wp.uint32)
        made.sources = self._vertices(np.append([problem.source], [] if problem.others is None else problem.others))
        made.targets = self._vertices(np.empty(0) if problem.targets is None else problem.targets)
        return made

    def _vertices(self, listed: Array) -> Any:
        return upload(listed, np.dtype(np.int32), self.problem.device)

    def _queue(self) -> Any:
        from pathfront.devices.kernels import adds_queue

        wp, blocks, settings = places.warp(), self.blocks, self.settings
        made = adds_queue.Queue()
        made.block_bits, made.segment_bits = settings.block_bits, settings.segment_bits
        made.buckets, made.blocks = settings.buckets, blocks
        made.slot_bits = max(blocks.bit_length(), 1)
        made.written = self._room(blocks << (settings.block_bits - settings.segment_bits), wp.uint32)
        made.worked, made.tags = self._array(blocks, wp.uint32), self._array(blocks, wp.uint64, 2**64 - 1)
        made.first, made.after = self._array(1 << made.slot_bits, wp.int32, -1), self._array(blocks, wp.int32, -1)
        made.free, made.drained = self._vertices(np.arange(blocks)[::-1]), self._room(blocks, wp.int32)
        spread = settings.buckets * adds_queue.SPREAD
        made.reserved, made.completed = self._array(spread, wp.uint64), self._array(spread, wp.uint64)
        made.read, made.installed = self._array(settings.buckets, wp.uint64), self._array(settings.buckets, wp.uint64)
        desk = np.zeros(adds_queue.DESK)
        desk[adds_queue.FREE] = blocks
        made.desk = self._vertices(desk)
        made.least_cells = self._array(self.grid.blocks, wp.int32)
        made.total_cells = self._array(self.grid.blocks, wp.uint64)
        return made

    def _workers(self) -> Any:
        from pathfront.devices.kernels import adds_queue, adds_worker

        wp, count = places.warp(), self.grid.blocks
        made = adds_worker.Workers()
        made.flags = self._array(count * 2 * adds_queue.SPREAD, wp.uint32)
        made.orders = wp.zeros(count, dtype=adds_worker.Order, device=place_of(self.problem.device))
        made.counts = self._array(count * adds_queue.SPREAD, wp.uint64)
        made.hubs = self._room(count * adds_worker.LARGEST_RANGE, wp.int32)
        made.hub_counts = self._array(count * adds_queue.SPREAD, wp.uint32)
        return made

    def _report(self) -> Any:
        from pathfront.devices.kernels import adds_manager

        wp, device = places.warp(), place_of(self.problem.device)
        made = adds_manager.Report()
        made.numbers = self._array(adds_manager.NUMBERS, wp.int64)
        made.deltas = wp.zeros((_DELTAS, 2), dtype=wp.float64, device=device)
        rows = samples if self.problem.trace else 0
        made.samples = wp.zeros((rows, adds_manager.COLUMNS), dtype=wp.float64, device=device)
        made.idle = self._room(self.grid.blocks, wp.int32)
        return made

    def _window(self) -> Any:
        from pathfront.devices.kernels import adds_worker

        made = adds_worker.Window()
        made.last, made.exponent = self.settings.buckets - 1, self.settings.exponent
        made.scale = math.ldexp(1.0, -self.settings.exponent)
        return made

    def _delta(self) -> Any:
        from pathfront.devices.kernels import adds_manager

        graph, settings, workers = self.problem.graph, self.settings, self.grid.blocks - 1
        degree = max(graph.m / max(graph.n, 1), 1.0)
        made = adds_manager.Delta()
        made.adaptive, made.lowest, made.highest = int(settings.adaptive), settings.lowest, settings.highest
        made.enough = workers * max(_BUSY_ARCS / degree, 16.0, self.grid.lanes)  # an item for every lane
        return made

    # ---- running ---------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Run the kernel to its end."""
        inputs = [
            self.search,
            self.queue,
            self.workers,
            self.report,
            self._window(),
            self._delta(),
            self.grid.blocks,
        ]
        try:
            persistent.run(
                self.form.kernel,
                inputs,
                place=self.problem.device,
                grid=self.grid,
                progress=self.problem.progress,
                stuck_after=self.settings.patience or None,
            )
        except DeviceError as error:
            raise DeviceError(f"method='adds': {error}\n{self.dump()}") from None
        self._numbers = self.report.numbers.numpy()

    @property
    def exhausted(self) -> bool:
        """Whether there were too few blocks."""
        from pathfront.devices.kernels import adds_queue

        return bool(self.queue.desk.numpy()[adds_queue.EXHAUSTED])

    def dump(self) -> str:
        """Return the state of everything, for whoever finds that nothing moves any more."""
        from pathfront.devices.kernels import adds_queue, adds_worker

        spread = adds_queue.SPREAD
        reserved, completed = self.queue.reserved.numpy()[::spread], self.queue.completed.numpy()[::spread]
        read, installed = self.queue.read.numpy(), self.queue.installed.numpy()
        free = int(self.queue.desk.numpy()[adds_queue.FREE])
        lines = [f"blocks in use {self.blocks - max(free, 0)} of {self.blocks}"]
        lines += [
            f"bucket {i}: reserved {reserved[i]}, read {read[i]}, completed {completed[i]}, "
            f"blocks installed {installed[i]}"
            for i in range(self.settings.buckets)
        ]
        flags = self.workers.flags.numpy()[:: 2 * spread]
        counts = self.workers.counts.numpy()[adds_worker.ASSIGNMENTS :: spread]
        lines += [
            f"worker {i}: {'assigned' if flags[i] == adds_worker.ASSIGNED else 'idle'} after {counts[i]} assignments"
            for i in range(1, self.grid.blocks)
        ]
        return "\n".join(lines)

    # ---- what the kernel leaves ------------------------------------------------------------------------------------

    def outcome(self) -> tuple[Outcome, Array | None]:
        """Fill the problem's arrays, and tell what was done."""
        from pathfront.devices.kernels import adds_manager, adds_worker

        problem = self.problem
        self._fill()
        radius = _settle(problem)
        overflow = radius is None and bool(self.search.overflow.numpy()[0])
        numbers = self._numbers
        seconds = max(int(numbers[adds_manager.DURATION]), 1) * 1e-9
        deltas = self.report.deltas.numpy()[: numbers[adds_manager.DELTA_COUNT]]
        extra = {
            "deltas": [(float(when), float(delta)) for when, delta in deltas],
            "delta_raised": int(numbers[adds_manager.RAISED]),
            "delta_lowered": int(numbers[adds_manager.LOWERED]),
            "sweeps": int(numbers[adds_manager.SWEEPS]),
            "assignments": int(numbers[adds_manager.ASSIGNED_RANGES]),
            "most_buckets": int(numbers[adds_manager.MOST_BUCKETS]),
            "most_urgent": int(numbers[adds_manager.MOST_URGENT_SEEN]),
            "pushed": self._count(adds_worker.PUSHED) + self.search.sources.size,
            "clipped": self._count(adds_worker.CLIPPED),
            "blocks_high_water": int(numbers[adds_manager.BLOCKS_HIGH_WATER]),
            "items_high_water": int(numbers[adds_manager.ITEMS_HIGH_WATER]),
            "excess_blocks": int(numbers[adds_manager.EXCESS_BLOCKS]),
            "utilisation": self._count(adds_worker.NANOSECONDS) * 1e-9 / (seconds * (self.grid.blocks - 1)),
        }
        done = Outcome(
            iterations=int(numbers[adds_manager.SWITCHES]) + 1,
            vertices_processed=self._count(adds_worker.VERTICES),
            edges_relaxed=self._count(adds_worker.EDGES),
            threads=self.grid.blocks,
            delta=extra["deltas"][0][1],
            overflow=overflow and truly_overflowed(problem.graph, problem.distance),
            radius=radius,
            extra=extra,
        )
        rows = self.report.samples.numpy()[: numbers[adds_manager.SAMPLE_COUNT]] if problem.trace else None
        return done, rows

    def _count(self, cell: int) -> int:
        from pathfront.devices.kernels import adds_queue

        return int(self.workers.counts.numpy()[cell :: adds_queue.SPREAD].sum())

    def _fill(self) -> None:
        problem, words = self.problem, self.search.state.numpy()
        if self.packed:
            problem.distance[:] = _distances(words, self.dtype)
            problem.parent[:] = words.astype(np.uint32)  # type: ignore[index]  # the lower half
            return
        problem.distance[:] = words
        if problem.parent is not None:
            problem.parent[:] = self._tree()

    def _tree(self) -> Array:
        """Return parents, from the distances alone."""
        wp, grid = places.warp(), launching.grid(self.problem.device)
        with launching.exclusively(grid):
            parent = self._array(self.home.n, wp.uint32)
            sources = self.search.sources
            tree = TreePass(self.home, grid, self.search.state, parent, sources, self._vertices([sources.size]))
            tree.load()
            tree.run(negative=False)
            found: Array = parent.numpy()
            return found


def _require_pool(problem: Problem, settings: Settings, dtype: np.dtype[Any], blocks: int) -> None:
    items = blocks << settings.block_bits
    if items > MOST:
        raise DeviceMemoryError(
            f"method='adds' needs more than {MOST >> settings.block_bits} blocks of {1 << settings.block_bits} items, "
            f"which is more than device={problem.device!r} can count; use device='cpu'."
        )
    counters = items >> settings.segment_bits
    require_memory(problem.device, items * (dtype.itemsize + 4) + 4 * counters + 32 * blocks, "the pool of blocks")


def _unreached_word(dtype: np.dtype[Any], packed: bool) -> int | float:
    """Return the word of a vertex that has not been reached."""
    if not packed:
        return unreached_marker(dtype)
    key = 0xFF800000 if dtype.kind == "f" else 0xFFFFFFFF
    return key << 32 | NO_VERTEX


def _distances(words: Array, dtype: np.dtype[Any]) -> Array:
    """Return the distances of packed words: see `numbers.py`."""
    keys = (words >> np.uint64(32)).astype(np.uint32)
    if dtype.kind == "i":
        keys ^= np.uint32(0x80000000)
    elif dtype.kind == "f":
        keys &= np.uint32(0x7FFFFFFF)  # none is negative
    return keys.view(dtype)


def _largest(dtype: np.dtype[Any]) -> int | float:
    return float(np.finfo(dtype).max) if dtype.kind == "f" else int(np.iinfo(dtype).max) - 1


def _settle(problem: Problem) -> int | float | None:
    """Take back what lies beyond the radius, and return that: as `finish` in `cpp/engines/search.hpp`."""
    unreached = unreached_marker(problem.distance.dtype)
    if problem.targets is None:
        return problem.cutoff
    farthest = problem.distance[problem.targets].max()
    if farthest == unreached:
        return problem.cutoff
    beyond = problem.distance > farthest
    problem.distance[beyond] = unreached
    if problem.parent is not None:
        problem.parent[beyond] = NO_VERTEX
    return farthest.item()  # type: ignore[no-any-return]
