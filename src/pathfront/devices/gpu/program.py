"""A program: the memory of a search on a device, the operations as launches of kernels, and how it is run.

All memory is allocated when the program is made. Operations only launch; they are called while Warp captures, or, where
loops cannot be captured, in every run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pathfront import warp_runtime
from pathfront.devices import names
from pathfront.devices.gpu.launching import Grid, StopSignal, exclusively, replay
from pathfront.devices.gpu.resident import Resident, allocating, require_countable, require_memory
from pathfront.devices.gpu.running import watched
from pathfront.devices.gpu.tree import TreePass
from pathfront.validation import Array

_FIXED_COLUMNS = 6  # columns of the trace that all schedules have
_LOW = 1  # the scalar that holds the lowest distance of an iteration
FIRST_SCALAR = 2  # the first scalar of the schedule itself


@dataclass(frozen=True, slots=True)
class Shape:
    """The properties a program is built for; any search of the same shape can use it."""

    dtype: str
    packed: bool
    """Distances and parents share a word."""
    negative: bool
    tree: bool
    """Parents are found after the distances."""
    max_sources: int
    max_targets: int
    max_rows: int
    matrix: bool = False


@dataclass(frozen=True, slots=True)
class Needs:
    """The resources of a schedule."""

    queues: int
    scalars: int
    conditions: int
    columns: int
    lists: frozenset[tuple[int, ...]]
    pulls: bool
    weighs_lightest: bool


@dataclass(frozen=True, slots=True)
class Search:
    """The inputs of one search."""

    sources: Array
    targets: Array
    cutoff: Any
    scalars: list[Any]
    progress: Callable[[float], None] | None


class Program:
    """A schedule on a device, ready to run."""

    def __init__(self, on_device: Resident, grid: Grid, shape: Shape, needs: Needs) -> None:
        from pathfront.devices.gpu import kernels

        self.on_device, self.grid, self.shape = on_device, grid, shape
        self.dtype = np.dtype(shape.dtype)
        self.kernels = kernels.of(shape.dtype, shape.packed)
        self._wp = wp = warp_runtime.warp()
        require_countable(grid.device, on_device.n, self.dtype.itemsize)
        require_memory(grid.device, self._bytes(needs), "the search")
        n, form = on_device.n, self.kernels.form
        self.state = state = form.SearchState()
        state.n, state.blocks = n, grid.blocks
        state.offsets, state.heads, state.weights = on_device.offsets, on_device.heads, on_device.weights
        state.unit, state.hinting = int(on_device.unit), int(shape.negative and not shape.packed)
        state.words, state.hints = self._new(n, form.number.word), self._new(n * state.hinting, wp.int32)
        state.queued = self._new((needs.queues, n), form.number.dtype)
        state.items = self._new((needs.queues, n), wp.int32)
        state.sizes = self._new(needs.queues, wp.uint32)
        state.worklist, state.starts = self._new(n, wp.int32), self._new(n, wp.int32)
        state.worklist_end, state.current = self._new(1, wp.uint64), self._new(self.kernels.CURRENT_CELLS, wp.uint32)
        state.scalars = self._new(2 + needs.scalars, form.number.dtype)
        state.flags = self._new(self.kernels.FLAG_CELLS, wp.int32)
        state.counts = self._new(self.kernels.COUNT_CELLS, wp.uint64)
        self.sources, self.source_count = self._new(shape.max_sources, wp.int32), self._new(1, wp.int32)
        self.targets, self.target_count = self._new(shape.max_targets, wp.int32), self._new(1, wp.int32)
        self.rows = self._new((shape.max_rows, _FIXED_COLUMNS + needs.columns), wp.float64)
        self.dist, self.parent = self._new(n, form.number.dtype), self._new(n, wp.uint32)
        self._lists = {numbers: self._of(numbers) for numbers in needs.lists | {()}}
        self._no_lightest = self._new(0, form.number.dtype)
        self._cells = self._new(2, wp.int32)  # of a sort
        self._matrix = on_device.matrix
        self._reversed = on_device.reversed_matrix() if needs.pulls and shape.matrix else None
        self._lightest = on_device.lightest_out() if needs.weighs_lightest else self._no_lightest
        self._in_arcs = on_device.in_arcs() if needs.pulls and not shape.matrix else ()
        self._pull_marks = [self._new(n * needs.pulls, wp.int32) for _ in range(3)]
        self._ancestors = self._new((2, n * shape.negative), wp.int32)
        self._tree = (
            TreePass(on_device, grid, self.dist, self.parent, self.sources, self.source_count) if shape.tree else None
        )
        self._conditions = [self._new(1, wp.int32) for _ in range(needs.conditions)]
        self._each = n if shape.matrix else 1  # arcs per unit counted: the entries of a row, or one
        self._stop = StopSignal(state.flags, self.kernels.STOP)
        self._captured: Any = None

    def _bytes(self, needs: Needs) -> int:
        """Return how much memory the search takes, besides the graph."""
        distance = self.dtype.itemsize
        each = (8 if self.shape.packed else distance) + distance + 4 + needs.queues * (distance + 4) + 8
        each += 12 * needs.pulls + 12 * self.shape.negative + 9 * self.shape.tree
        return self.on_device.n * each + 8 * self.shape.max_rows * (_FIXED_COLUMNS + needs.columns)

    def _new(self, shape: Any, dtype: Any) -> Any:
        with allocating(self.grid.device):
            return self._wp.zeros(shape, dtype=dtype, device=self.grid.warp_device)

    def _of(self, numbers: tuple[int, ...]) -> Any:
        return self._wp.array(np.array(numbers, np.int32), dtype=self._wp.int32, device=self.grid.warp_device)

    def _launch(self, kernel: Any, *inputs: Any) -> None:
        self.grid.launch(kernel, self.state, *inputs)

    def _launch_single(self, kernel: Any, *inputs: Any) -> None:
        self.grid.launch_single(kernel, self.state, *inputs)

    # ---- the operations, as a schedule names them; see `protocol.Device` -------------------------------------------

    def start(self, queue: int) -> None:
        """Begin a search."""
        self._launch(self.kernels.clear)
        if self._pull_marks[0].size:
            self._launch(self.kernels.clear_marks, *self._pull_marks[:2])
        self._launch(self.kernels.start, queue, self.sources, self.source_count)

    def repeat(self, condition: int, queues: tuple[int, ...], body: Callable[[], None]) -> None:
        """Repeat a body."""
        answer, listed = self._conditions[condition], self._lists[queues]

        def again() -> None:
            body()
            self._launch_single(self.kernels.check_queues, listed, 1, answer)

        self._launch_single(self.kernels.check_queues, listed, 1, answer)
        self._wp.capture_while(answer, again)

    def when(
        self, condition: int, queue: int, at_least: int, body: Callable[[], None], otherwise: Callable[[], None] | None
    ) -> None:
        """Do one body or the other."""
        answer = self._conditions[condition]
        enough = min(at_least, 2**31 - 1)  # the largest int32; no queue ever holds as many
        self._launch_single(self.kernels.check_queues, self._lists[(queue,)], enough, answer)
        self._wp.capture_if(answer, body, otherwise)

    def settled(self, limit: int, below: bool) -> None:
        """End the search if all targets are final."""
        if self.shape.max_targets:
            self._launch(self.kernels.check_targets, self.targets, self.target_count, limit, int(below))
            self._launch_single(self.kernels.stop_if_final)

    def stop_at_cycle(self, condition: int) -> None:
        """End the search if the parents close a cycle."""
        if not self.shape.negative:
            return
        answer = self._conditions[condition]

        def check() -> None:
            self._launch(self.kernels.load_parents, self._ancestors)
            for step in range(jumps := max(self.on_device.n, 1).bit_length()):
                self._launch(self.kernels.jump, self._ancestors, step % 2)
            self._launch(self.kernels.report_cycle, self._ancestors, jumps % 2)

        self._launch_single(self.kernels.is_check_due, answer)
        self._wp.capture_if(answer, check)

    def relax(self, queue: int, into: tuple[int, ...], up_to: tuple[int, ...], traversal: str) -> None:
        """Relax the arcs of a queue."""
        self._launch(self.kernels.take, queue)
        self._launch_single(self.kernels.finish_take_to_relax, queue)
        if self.shape.matrix:
            self._launch_single(self.kernels.count_rows)
        self._end_row(working=False)
        if self.shape.matrix:
            self._launch(self.kernels.relax_rows, self._matrix, into[0])
            return
        self._launch(getattr(self.kernels, traversal), self._lists[into], self._lists[up_to])

    def relax_edges(self, changed: int) -> None:
        """Relax all arcs."""
        self._launch_single(self.kernels.begin_pass, changed)
        self._end_row(working=False, low=False)
        self._launch(self.kernels.relax_edges, changed)

    def pull(self, queue: int, into: int) -> None:
        """Relax the arcs of a queue by pulling over in-arcs."""
        settled_in, candidate_in, candidates = self._pull_marks
        self._take(queue)
        self._launch_single(self.kernels.begin_pull)
        self._launch(self.kernels.mark_settled, settled_in)
        if self.shape.matrix:
            self._launch(self.kernels.pull_rows, into, settled_in, self._reversed)
        else:
            self._launch(self.kernels.find_candidates, settled_in, candidate_in, candidates)
            self._launch(self.kernels.pull, into, settled_in, candidates, *self._in_arcs)
        self._launch_single(self.kernels.end_pull, self._each)
        self._end_row(working=True)

    def unique(self, queue: int) -> None:
        """Drop stale entries."""
        self._take(queue)
        self._launch(self.kernels.put_back, queue)

    def split(self, queue: int, into: tuple[int, ...], up_to: tuple[int, ...]) -> None:
        """Move the vertices up to limits."""
        self._take(queue)
        self._launch(self.kernels.distribute, self._lists[into], self._lists[up_to])

    def split_sorted(self, queue: int, into: int, limit: int) -> None:
        """Move the prefix of a sorted queue."""
        self._launch_single(self.kernels.find_cut, queue, limit)
        self._launch(self.kernels.move_prefix, queue, into)
        self._launch(self.kernels.shift_rest, queue)
        self._launch_single(self.kernels.shorten, queue)

    def sort(self, condition: int, queue: int) -> None:
        """Sort a queue."""
        self._take(queue)
        self._sort_work(condition)
        self._launch(self.kernels.put_back, queue)

    def merge(self, condition: int, queue: int, into: int) -> None:
        """Merge two sorted queues, by sorting their vertices together."""
        self._launch(self.kernels.take, queue)
        self._launch(self.kernels.take, into)
        self._launch_single(self.kernels.finish_take_both, queue, into)
        self._sort_work(condition)
        self._launch(self.kernels.put_back, into)

    def _sort_work(self, condition: int) -> None:
        answer = self._conditions[condition]

        def merge() -> None:
            self._launch(self.kernels.merge_runs, self._cells)
            self._launch_single(self.kernels.double_width, self._cells, answer)

        self._launch_single(self.kernels.begin_sort, self._cells, answer)
        self._wp.capture_while(answer, merge)
        self._launch(self.kernels.end_sort, self._cells)

    def lowest(self, queue: int, found: int, plus_lightest: bool) -> None:
        """Find the lowest distance."""
        self._take(queue)
        self._launch(self.kernels.put_back, queue)
        self._launch_single(self.kernels.reset_lowest, found)
        self._launch(self.kernels.find_lowest, found, self._lightest if plus_lightest else self._no_lightest)

    def raise_(self, limit: int, to: int, by: int) -> None:
        """Raise a limit."""
        self._launch_single(self.kernels.raise_limit, limit, to, by)

    def trace(self, limit: int, queues: tuple[int, ...], scalars: tuple[int, ...]) -> None:
        """Begin a row of the trace."""
        if self.shape.max_rows:
            self._launch_single(self.kernels.begin_row, self.rows, limit, self._lists[queues], self._lists[scalars])

    def _take(self, queue: int) -> None:
        self._launch(self.kernels.take, queue)
        self._launch_single(self.kernels.finish_take, queue)

    def _end_row(self, *, working: bool, low: bool = True) -> None:
        if not self.shape.max_rows:
            return
        if low:
            self._launch_single(self.kernels.reset_lowest, _LOW)
            self._launch(self.kernels.find_lowest, _LOW, self._no_lightest)
        self._launch_single(self.kernels.end_row, self.rows, _LOW, self._each, int(working))

    # ---- running ---------------------------------------------------------------------------------------------------

    def capture(self, play: Callable[[], None]) -> None:
        """Capture the launches of `play`; where loops cannot be captured, `play` is called in each run."""
        wp = self._wp
        with exclusively(self.grid):
            wp.load_module(self.kernels.module, device=self.grid.warp_device, block_dim=self.grid.block_dim)
            if self._tree is not None:
                self._tree.load()
            if not names.captures_loops(self.grid.device):
                self._captured = play
                return
            wp.capture_begin(device=self.grid.warp_device)
            try:
                play()
            finally:
                captured = wp.capture_end(device=self.grid.warp_device)
            self._captured = captured

    def run(self, search: Search) -> tuple[Array, Array]:
        """Run one search; return the flags and the counts."""
        self._fill(search)
        watched(self._work, stop=self._stop.send, progress=search.progress)
        return self.to_host(self.state.flags).copy(), self.to_host(self.state.counts).copy()

    def write_answers(self, radius: Any) -> None:
        """Write distances up to a radius, and the parents, to `dist` and `parent`."""
        with exclusively(self.grid):
            self._launch(
                self.kernels.write_answers, self.dtype.type(radius), self.dist, self.parent, int(self.shape.packed)
            )

    def find_tree(self, progress: Callable[[float], None] | None) -> None:
        """Find the parents if there are none yet; to be called after `write_answers`."""
        if self._tree is not None:
            self._tree.run(negative=self.shape.negative, progress=progress)

    def to_host(self, array: Any) -> Array:
        """Return an array's values."""
        with exclusively(self.grid):
            values: Array = array.numpy()
        return values

    def copy(self, array: Any) -> Any:
        """Return a copy that another search does not change."""
        with exclusively(self.grid):
            return self._wp.clone(array)

    def _fill(self, search: Search) -> None:
        """Write the inputs of a search."""
        with exclusively(self.grid):
            state = self.state
            for cells in (state.sizes, state.worklist_end, state.current, state.flags, state.counts):
                cells.zero_()
            _write(state.scalars, np.array([search.cutoff, 0, *search.scalars], self.dtype))
            _write(self.sources, search.sources)
            _write(self.source_count, np.array([len(search.sources)], np.int32))
            if self.shape.max_targets:
                _write(self.targets, search.targets)
                _write(self.target_count, np.array([len(search.targets)], np.int32))

    def _work(self) -> None:
        if not callable(self._captured):
            replay(self.grid, self._captured)
            return
        with exclusively(self.grid):
            self._captured()
            self._wp.synchronize_device(self.grid.warp_device)


def _write(array: Any, values: Array) -> None:
    """Write values into the first elements of an array."""
    wp = warp_runtime.warp()
    given = wp.array(np.ascontiguousarray(values), dtype=array.dtype, device="cpu")
    wp.copy(array, given, count=len(values))
