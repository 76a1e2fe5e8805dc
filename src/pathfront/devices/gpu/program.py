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
from pathfront.devices.gpu.launching import Grid, Launches, StopSignal, exclusively
from pathfront.devices.gpu.resident import Resident, require_countable, require_memory
from pathfront.devices.gpu.running import watched
from pathfront.devices.gpu.tracing import TraceRows, columns
from pathfront.devices.gpu.tree import TreePass
from pathfront.devices.protocol import OPS, SYNCHRONOUS, TRAVERSALS, Device, Step
from pathfront.validation import Array

FIRST_SCALAR = 2  # the first scalar of the schedule itself, after the cutoff and `tracing.LOW`


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
class Search:
    """The inputs of one search."""

    sources: Array
    targets: Array
    cutoff: Any
    scalars: list[Any]
    progress: Callable[[float], None] | None


class Program:
    """A schedule on a device, ready to run."""

    def __init__(self, on_device: Resident, grid: Grid, shape: Shape, recorded: Device) -> None:
        from pathfront.devices.gpu import kernels
        from pathfront.devices.gpu.kernels import state as cells

        self.on_device, self.grid, self.shape = on_device, grid, shape
        self.dtype = np.dtype(shape.dtype)
        self.kernels = kernels.of(shape.dtype, shape.packed)
        self._wp = wp = warp_runtime.warp()
        require_countable(grid.device, on_device.n, self.dtype.itemsize)
        require_memory(grid.device, self._bytes(recorded), "the search")
        n, form = on_device.n, self.kernels.form
        self.state = state = form.SearchState()
        state.n, state.blocks = n, grid.blocks
        state.graph, state.hinting = on_device.csr, int(shape.negative and not shape.packed)
        state.words, state.hints = grid.zeros(n, form.number.word), grid.zeros(n * state.hinting, wp.int32)
        state.frozen = grid.zeros(n * recorded.synchronous, form.number.dtype)
        state.queued = grid.zeros((recorded.queues, n), form.number.dtype)
        state.items = grid.zeros((recorded.queues, n), wp.int32)
        state.sizes = grid.zeros(recorded.queues, wp.uint32)
        state.worklist, state.starts = grid.zeros(n, wp.int32), grid.zeros(n, wp.int32)
        state.worklist_end, state.current = grid.zeros(1, wp.uint64), grid.zeros(len(cells.Cell), wp.uint32)
        state.scalars = grid.zeros(FIRST_SCALAR + len(recorded.values), form.number.dtype)
        state.flags = grid.zeros(len(cells.Flag), wp.int32)
        state.counts = grid.zeros(len(cells.Count), wp.uint64)
        self.sources, self.source_count = grid.zeros(shape.max_sources, wp.int32), grid.zeros(1, wp.int32)
        self.targets, self.target_count = grid.zeros(shape.max_targets, wp.int32), grid.zeros(1, wp.int32)
        self.rows = TraceRows(self, recorded, shape.max_rows)
        self.dist, self.parent = grid.zeros(n, form.number.dtype), grid.zeros(n, wp.uint32)
        self._lists = self._operands(recorded.steps)
        self._no_lightest = grid.zeros(0, form.number.dtype)
        self._cells = grid.zeros(2, wp.int32)  # of a sort
        self._matrix = on_device.matrix
        self._reversed = on_device.reverse_matrix if recorded.pulls and shape.matrix else None
        self._lightest = on_device.lightest_out if recorded.weighs_lightest else self._no_lightest
        self._reverse_csr = on_device.reverse_csr if recorded.pulls and not shape.matrix else None
        self._pull_marks = [grid.zeros(n * recorded.pulls, wp.int32) for _ in range(3)]
        self._ancestors = grid.zeros((2, n * shape.negative), wp.int32)
        self._tree = (
            TreePass(on_device, grid, self.dist, self.parent, self.sources, self.source_count) if shape.tree else None
        )
        self._conditions = [grid.zeros(1, wp.int32) for _ in range(recorded.step_count)]
        self._each = n if shape.matrix else 1  # arcs per unit counted: the entries of a row, or one
        self._stop = StopSignal(state.flags, cells.Flag.STOP)
        self._launches = Launches(grid, lambda: self._play(recorded.steps))

    def _bytes(self, recorded: Device) -> int:
        """Return how much memory the search takes, besides the graph."""
        distance = self.dtype.itemsize
        each = (8 if self.shape.packed else distance) + distance + 4 + recorded.queues * (distance + 4) + 8
        each += distance * recorded.synchronous
        each += 12 * recorded.pulls + 12 * self.shape.negative + 9 * self.shape.tree
        return self.on_device.n * each + 8 * self.shape.max_rows * columns(recorded)

    def _operands(self, steps: list[Step]) -> dict[tuple[int, ...], Any]:
        """Return the lists of queues and scalars that steps pass to kernels, as arrays."""
        made = {}
        for step in steps:
            for numbers in (step.queues, step.queues[1:], *(step.scalars[i:] for i in range(3))):
                if numbers not in made:
                    made[numbers] = self._wp.array(
                        np.array(numbers, np.int32), dtype=self._wp.int32, device=self.grid.warp_device
                    )
            made |= self._operands(step.body) | self._operands(step.otherwise)
        return made

    def launch(self, kernel: Any, *inputs: Any) -> None:
        """Launch a kernel on the whole grid."""
        self.grid.launch(kernel, self.state, *inputs)

    def launch_single(self, kernel: Any, *inputs: Any) -> None:
        """Launch a kernel of one thread."""
        self.grid.launch_threads(kernel, 1, self.state, *inputs)

    # ---- the operations: see `protocol.Device` ---------------------------------------------------------------------

    def _play(self, steps: list[Step]) -> None:
        """Launch the kernels of some steps."""
        for step in steps:
            _OPERATIONS[step.op](self, step)

    def _start(self, step: Step) -> None:
        self.launch(self.kernels.clear)
        if self._pull_marks[0].size:
            self.launch(self.kernels.clear_marks, *self._pull_marks[:2])
        self.launch(self.kernels.start, step.queues[0], self.sources, self.source_count)
        self.rows.start()

    def _repeat(self, step: Step) -> None:
        answer, listed = self._conditions[step.index], self._lists[step.queues]

        def again() -> None:
            self._play(step.body)
            self.launch_single(self.kernels.check_queues, listed, 1, answer)

        self.launch_single(self.kernels.check_queues, listed, 1, answer)
        self._wp.capture_while(answer, again)

    def _when(self, step: Step) -> None:
        answer = self._conditions[step.index]
        enough = min(step.number, 2**31 - 1)  # the largest int32; no queue ever holds as many
        self.launch_single(self.kernels.check_queues, self._lists[step.queues], enough, answer)
        bodies = [(lambda steps=steps: self._play(steps)) if steps else None for steps in (step.body, step.otherwise)]
        self._wp.capture_if(answer, *bodies)

    def _settled(self, step: Step) -> None:
        limit, below = step.scalars[0], step.number
        self.rows.settle(limit, below)
        if self.shape.max_targets:
            self.launch(self.kernels.check_targets, self.targets, self.target_count, limit, below)
            self.launch_single(self.kernels.stop_if_final)

    def _cycle(self, step: Step) -> None:
        if not self.shape.negative:
            return
        answer = self._conditions[step.index]

        def check() -> None:
            self.launch(self.kernels.load_parents, self._ancestors)
            for i in range(jumps := max(self.on_device.n, 1).bit_length()):
                self.launch(self.kernels.jump, self._ancestors, i % 2)
            self.launch(self.kernels.report_cycle, self._ancestors, jumps % 2)

        self.launch_single(self.kernels.is_check_due, answer)
        self._wp.capture_if(answer, check)

    def _relax(self, step: Step) -> None:
        queue, *into = step.queues
        self.launch(self.kernels.take, queue)
        self.launch_single(self.kernels.finish_take_to_relax, queue)
        self._freeze(self.kernels.freeze_worklist)
        self.rows.frontier(self._no_lightest)
        self.rows.warps_of_worklist()
        if self.shape.matrix:
            self.launch_single(self.kernels.count_rows)
            self.launch(self.kernels.relax_rows, self._matrix, into[0])
        else:
            traverse = getattr(self.kernels, TRAVERSALS[step.number % SYNCHRONOUS])
            self.launch(traverse, self._lists[step.queues[1:]], self._lists[step.scalars])
        self.rows.end(self._each)

    def _relax_edges(self, step: Step) -> None:
        self._freeze(self.kernels.freeze_all)
        self.launch_single(self.kernels.begin_pass, step.queues[0])
        self.launch(self.kernels.relax_edges, step.queues[0])
        self.rows.end(self._each)

    def _relax_vertices(self, step: Step) -> None:
        self._freeze(self.kernels.freeze_all)
        self.launch_single(self.kernels.begin_pass_over_vertices, step.queues[0])
        self.launch(self.kernels.relax_vertices, step.queues[0])
        self.launch_single(self.kernels.end_pass_over_vertices)
        self.rows.warps_of_marks(self.state.starts, marked=True)
        self.rows.end(self._each)

    def _freeze(self, kernel: Any) -> None:
        """Copy the distances that sums are of, if they must not change during an operation."""
        if self.state.frozen.size:
            self.launch(kernel)

    def _pull(self, step: Step) -> None:
        queue, into = step.queues
        settled_in, candidate_in, candidates = self._pull_marks
        self._take(queue)
        self.launch_single(self.kernels.begin_pull)
        self.rows.frontier(self._no_lightest)
        self.launch(self.kernels.mark_settled, settled_in)
        self.rows.warps_of_marks(settled_in, marked=False)
        if self.shape.matrix:
            self.launch(self.kernels.pull_rows, into, settled_in, self._reversed)
        else:
            self.launch(self.kernels.find_candidates, settled_in, candidate_in, candidates)
            self.launch(self.kernels.pull, into, settled_in, candidates, self._reverse_csr)
        self.launch_single(self.kernels.end_pull, int(self.shape.matrix))
        self.rows.end(self._each, pulled=True)

    def _unique(self, step: Step) -> None:
        self._take(step.queues[0])
        self.launch(self.kernels.put_back, step.queues[0])

    def _split(self, step: Step) -> None:
        queue, into = step.queues[:2]
        if not step.number:
            self._take(queue)
            self.launch(self.kernels.distribute, self._lists[step.queues[1:]], self._lists[step.scalars])
            return
        self.launch_single(self.kernels.find_cut, queue, step.scalars[0])  # the queue is sorted: move its prefix
        self.launch(self.kernels.move_prefix, queue, into)
        self.launch(self.kernels.shift_rest, queue)
        self.launch_single(self.kernels.shorten, queue)

    def _sort(self, step: Step) -> None:
        self._take(step.queues[0])
        self._sort_work(step)
        self.launch(self.kernels.put_back, step.queues[0])

    def _merge(self, step: Step) -> None:
        """Merge two sorted queues, by sorting their vertices together."""
        queue, into = step.queues
        self.launch(self.kernels.take, queue)
        self.launch(self.kernels.take, into)
        self.launch_single(self.kernels.finish_take_both, queue, into)
        self._sort_work(step)
        self.launch(self.kernels.put_back, into)

    def _sort_work(self, step: Step) -> None:
        answer = self._conditions[step.index]

        def merge() -> None:
            self.launch(self.kernels.merge_runs, self._cells)
            self.launch_single(self.kernels.double_width, self._cells, answer)

        self.launch_single(self.kernels.begin_sort, self._cells, answer)
        self._wp.capture_while(answer, merge)
        self.launch(self.kernels.end_sort, self._cells)

    def _lowest(self, step: Step) -> None:
        self._unique(step)
        self.launch_single(self.kernels.reset_lowest, step.scalars[0])
        self.launch(self.kernels.find_lowest, step.scalars[0], self._lightest if step.number else self._no_lightest)

    def _raise(self, step: Step) -> None:
        self.launch_single(self.kernels.raise_limit, *step.scalars)

    def _trace(self, step: Step) -> None:
        self.rows.begin(step, self._lists)

    def _take(self, queue: int) -> None:
        self.launch(self.kernels.take, queue)
        self.launch_single(self.kernels.finish_take, queue)

    # ---- running ---------------------------------------------------------------------------------------------------

    def capture(self) -> None:
        """Compile the kernels and capture the launches."""
        with exclusively(self.grid):
            self._launches.capture(self.kernels.module)
            if self._tree is not None:
                self._tree.load()

    def run(self, search: Search) -> tuple[Array, Array]:
        """Run one search; return the flags and the counts."""
        self._fill(search)
        watched(self._launches.run, stop=self._stop.send, progress=search.progress)
        return self.to_host(self.state.flags).copy(), self.to_host(self.state.counts).copy()

    def find_tree(self, progress: Callable[[float], None] | None) -> None:
        """Find the parents if there are none yet; to be called after the distances are written."""
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
            self.rows.forget()
            _write(state.scalars, np.array([search.cutoff, 0, *search.scalars], self.dtype))
            _write(self.sources, search.sources)
            _write(self.source_count, np.array([len(search.sources)], np.int32))
            if self.shape.max_targets:
                _write(self.targets, search.targets)
                _write(self.target_count, np.array([len(search.targets)], np.int32))


_OPERATIONS: dict[str, Callable[[Program, Step], None]] = {op: getattr(Program, f"_{op}") for op in OPS}
"""The launches of each operation."""


def _write(array: Any, values: Array) -> None:
    """Write values into the first elements of an array."""
    wp = warp_runtime.warp()
    given = wp.array(np.ascontiguousarray(values), dtype=array.dtype, device="cpu")
    wp.copy(array, given, count=len(values))
