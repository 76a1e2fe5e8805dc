"""A program: the memory of a search on a device, the operations as launches of kernels, and how it is run.

Everything is claimed when the program is made. Operations only launch; they are called while Warp captures, or, where
loops cannot be captured, again and again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pathfront.devices import names
from pathfront.devices.gpu.launching import Bell, Grid, exclusively, replay
from pathfront.devices.gpu.resident import Resident, claiming, require_countable, require_memory
from pathfront.devices.gpu.running import watched
from pathfront.devices.gpu.tree import TreePass
from pathfront.validation import Array

_FIXED_COLUMNS = 6
_LOW = 1  # the scalar that holds the lowest distance of an iteration
FIRST_SCALAR = 2  # the first that is a schedule's own


@dataclass(frozen=True, slots=True)
class Shape:
    """What a program is made for; any search of the same shape can use it."""

    dtype: str
    packed: bool
    """Distances and parents share a word."""
    negative: bool
    tree: bool
    """Parents are found after the distances."""
    source_room: int
    target_room: int
    row_room: int
    matrix: bool = False


@dataclass(frozen=True, slots=True)
class Needs:
    """What a schedule uses."""

    queues: int
    scalars: int
    conditions: int
    columns: int
    lists: frozenset[tuple[int, ...]]
    pulls: bool
    weighs_lightest: bool


@dataclass(frozen=True, slots=True)
class Search:
    """What is special to one search."""

    sources: Array
    targets: Array
    cutoff: Any
    scalars: list[Any]
    progress: Callable[[float], None] | None


class Program:
    """A schedule on a device, ready to run."""

    def __init__(self, home: Resident, grid: Grid, shape: Shape, needs: Needs) -> None:
        from pathfront.devices.gpu import kernels

        self.home, self.grid, self.shape = home, grid, shape
        self.dtype = np.dtype(shape.dtype)
        self.kernels = kernels.of(shape.dtype, shape.packed)
        self._wp = wp = names.warp()
        require_countable(grid.place, home.n, self.dtype.itemsize)
        require_memory(grid.place, self._bytes(needs), "the search")
        n, form = home.n, self.kernels.form
        self.state = state = form.SearchState()
        state.n, state.blocks = n, grid.blocks
        state.offsets, state.heads, state.weights = home.offsets, home.heads, home.weights
        state.unit, state.hinting = int(home.unit), int(shape.negative and not shape.packed)
        state.words, state.hints = self._new(n, form.number.word), self._new(n * state.hinting, wp.int32)
        state.at, state.items = self._new((needs.queues, n), form.number.dtype), self._new((needs.queues, n), wp.int32)
        state.tails = self._new(needs.queues, wp.uint32)
        state.work, state.starts = self._new(n, wp.int32), self._new(n, wp.int32)
        state.work_tail, state.now = self._new(1, wp.uint64), self._new(self.kernels.NOW, wp.uint32)
        state.scalars = self._new(2 + needs.scalars, form.number.dtype)
        state.flags, state.counts = self._new(self.kernels.FLAGS, wp.int32), self._new(self.kernels.COUNTS, wp.uint64)
        self.sources, self.source_count = self._new(shape.source_room, wp.int32), self._new(1, wp.int32)
        self.targets, self.target_count = self._new(shape.target_room, wp.int32), self._new(1, wp.int32)
        self.rows = self._new((shape.row_room, _FIXED_COLUMNS + needs.columns), wp.float64)
        self.dist, self.parent = self._new(n, form.number.dtype), self._new(n, wp.uint32)
        self._lists = {numbers: self._of(numbers) for numbers in needs.lists | {()}}
        self._no_lightest = self._new(0, form.number.dtype)
        self._cells = self._new(2, wp.int32)  # of a sort
        self._matrix, self._turned = home.matrix, home.turned_matrix() if needs.pulls and shape.matrix else None
        self._lightest = home.lightest_out() if needs.weighs_lightest else self._no_lightest
        self._in_arcs = home.in_arcs() if needs.pulls and not shape.matrix else ()
        self._turns = [self._new(n * needs.pulls, wp.int32) for _ in range(3)]
        self._ahead = self._new((2, n * shape.negative), wp.int32)
        self._tree = (
            TreePass(home, grid, self.dist, self.parent, self.sources, self.source_count) if shape.tree else None
        )
        self._conditions = [self._new(1, wp.int32) for _ in range(needs.conditions)]
        self._each = n if shape.matrix else 1  # arcs of what is counted: entries of a row, or one
        self._stop = Bell(state.flags, self.kernels.STOP)
        self._captured: Any = None

    def _bytes(self, needs: Needs) -> int:
        """Return how much memory the search takes, besides the graph."""
        distance = self.dtype.itemsize
        each = (8 if self.shape.packed else distance) + distance + 4 + needs.queues * (distance + 4) + 8
        each += 12 * needs.pulls + 12 * self.shape.negative + 9 * self.shape.tree
        return self.home.n * each + 8 * self.shape.row_room * (_FIXED_COLUMNS + needs.columns)

    def _new(self, shape: Any, dtype: Any) -> Any:
        with claiming(self.grid.place):
            return self._wp.zeros(shape, dtype=dtype, device=self.grid.device)

    def _of(self, numbers: tuple[int, ...]) -> Any:
        return self._wp.array(np.array(numbers, np.int32), dtype=self._wp.int32, device=self.grid.device)

    def _wide(self, kernel: Any, *inputs: Any) -> None:
        self.grid.wide(kernel, self.state, *inputs)

    def _one(self, kernel: Any, *inputs: Any) -> None:
        self.grid.one(kernel, self.state, *inputs)

    # ---- the operations, as a schedule names them; see `protocol.Device` -------------------------------------------

    def start(self, queue: int) -> None:
        """Begin a search."""
        self._wide(self.kernels.clear)
        if self._turns[0].size:
            self._wide(self.kernels.open_all, *self._turns[:2])
        self._wide(self.kernels.start, queue, self.sources, self.source_count)

    def repeat(self, condition: int, queues: tuple[int, ...], body: Callable[[], None]) -> None:
        """Repeat a body."""
        answer, listed = self._conditions[condition], self._lists[queues]

        def again() -> None:
            body()
            self._one(self.kernels.holds, listed, 1, answer)

        self._one(self.kernels.holds, listed, 1, answer)
        self._wp.capture_while(answer, again)

    def when(
        self, condition: int, queue: int, at_least: int, body: Callable[[], None], otherwise: Callable[[], None] | None
    ) -> None:
        """Do one body or the other."""
        answer = self._conditions[condition]
        enough = min(at_least, 2**31 - 1)  # kernels take no more, and no queue ever holds as many
        self._one(self.kernels.holds, self._lists[(queue,)], enough, answer)
        self._wp.capture_if(answer, body, otherwise)

    def settled(self, limit: int, below: bool) -> None:
        """End the search if all targets are final."""
        if self.shape.target_room:
            self._wide(self.kernels.look_at_targets, self.targets, self.target_count, limit, int(below))
            self._one(self.kernels.stop_if_final)

    def stop_at_cycle(self, condition: int) -> None:
        """End the search if the parents close a circle."""
        if not self.shape.negative:
            return
        answer = self._conditions[condition]

        def look() -> None:
            self._wide(self.kernels.set_out, self._ahead)
            for step in range(leaps := max(self.home.n, 1).bit_length()):
                self._wide(self.kernels.leap, self._ahead, step % 2)
            self._wide(self.kernels.judge, self._ahead, leaps % 2)

        self._one(self.kernels.is_time, answer)
        self._wp.capture_if(answer, look)

    def relax(self, queue: int, into: tuple[int, ...], up_to: tuple[int, ...], traversal: str) -> None:
        """Relax the arcs of a queue."""
        self._wide(self.kernels.take, queue)
        self._one(self.kernels.taken_to_relax, queue)
        if self.shape.matrix:
            self._one(self.kernels.count_rows)
        self._end_row(working=False)
        if self.shape.matrix:
            self._wide(self.kernels.relax_rows, self._matrix, into[0])
            return
        self._wide(getattr(self.kernels, traversal), self._lists[into], self._lists[up_to])

    def relax_edges(self, changed: int) -> None:
        """Relax all arcs."""
        self._one(self.kernels.begin_pass, changed)
        self._end_row(working=False, low=False)
        self._wide(self.kernels.relax_edges, changed)

    def pull(self, queue: int, into: int) -> None:
        """Relax the arcs of a queue from the other end."""
        turns, called_in, called = self._turns
        self._take(queue)
        self._one(self.kernels.begin_turn)
        self._wide(self.kernels.mark, turns)
        if self.shape.matrix:
            self._wide(self.kernels.pull_rows, into, turns, self._turned)
        else:
            self._wide(self.kernels.call, turns, called_in, called)
            self._wide(self.kernels.pull, into, turns, called, *self._in_arcs)
        self._one(self.kernels.end_turn, self._each)
        self._end_row(working=True)

    def unique(self, queue: int) -> None:
        """Keep the living."""
        self._take(queue)
        self._wide(self.kernels.put_back, queue)

    def split(self, queue: int, into: tuple[int, ...], up_to: tuple[int, ...]) -> None:
        """Move what is up to limits."""
        self._take(queue)
        self._wide(self.kernels.put, self._lists[into], self._lists[up_to])

    def split_sorted(self, queue: int, into: int, limit: int) -> None:
        """Move the beginning of a queue that is in order."""
        self._one(self.kernels.cut, queue, limit)
        self._wide(self.kernels.move_beginning, queue, into)
        self._wide(self.kernels.close_up, queue)
        self._one(self.kernels.shorten, queue)

    def sort(self, condition: int, queue: int) -> None:
        """Order a queue."""
        self._take(queue)
        self._sort_work(condition)
        self._wide(self.kernels.put_back, queue)

    def merge(self, condition: int, queue: int, into: int) -> None:
        """Merge two queues that are in order: their vertices are sorted together."""
        self._wide(self.kernels.take, queue)
        self._wide(self.kernels.take, into)
        self._one(self.kernels.take_more, queue, into)
        self._sort_work(condition)
        self._wide(self.kernels.put_back, into)

    def _sort_work(self, condition: int) -> None:
        answer = self._conditions[condition]

        def merge() -> None:
            self._wide(self.kernels.merge_runs, self._cells)
            self._one(self.kernels.widen, self._cells, answer)

        self._one(self.kernels.begin_sort, self._cells, answer)
        self._wp.capture_while(answer, merge)
        self._wide(self.kernels.end_sort, self._cells)

    def lowest(self, queue: int, found: int, plus_lightest: bool) -> None:
        """Find the lowest distance."""
        self._take(queue)
        self._wide(self.kernels.put_back, queue)
        self._one(self.kernels.forget_lowest, found)
        self._wide(self.kernels.find_lowest, found, self._lightest if plus_lightest else self._no_lightest)

    def raise_(self, limit: int, to: int, by: int) -> None:
        """Raise a limit."""
        self._one(self.kernels.raise_limit, limit, to, by)

    def trace(self, limit: int, queues: tuple[int, ...], scalars: tuple[int, ...]) -> None:
        """Begin a row of the trace."""
        if self.shape.row_room:
            self._one(self.kernels.begin_row, self.rows, limit, self._lists[queues], self._lists[scalars])

    def _take(self, queue: int) -> None:
        self._wide(self.kernels.take, queue)
        self._one(self.kernels.taken, queue)

    def _end_row(self, *, working: bool, low: bool = True) -> None:
        if not self.shape.row_room:
            return
        if low:
            self._one(self.kernels.forget_lowest, _LOW)
            self._wide(self.kernels.find_lowest, _LOW, self._no_lightest)
        self._one(self.kernels.end_row, self.rows, _LOW, self._each, int(working))

    # ---- running ---------------------------------------------------------------------------------------------------

    def capture(self, play: Callable[[], None]) -> None:
        """Capture what `play` launches; or keep it, to be played in each run, where loops cannot be captured."""
        wp = self._wp
        with exclusively(self.grid):
            wp.load_module(self.kernels.module, device=self.grid.device, block_dim=self.grid.lanes)
            if self._tree is not None:
                self._tree.load()
            if not names.captures_loops(self.grid.place):
                self._captured = play
                return
            wp.capture_begin(device=self.grid.device)
            try:
                play()
            finally:
                captured = wp.capture_end(device=self.grid.device)
            self._captured = captured

    def run(self, search: Search) -> tuple[Array, Array]:
        """Run one search; return the flags and the counts."""
        self._fill(search)
        watched(self._work, stop=self._stop.ring, progress=search.progress)
        return self.to_host(self.state.flags).copy(), self.to_host(self.state.counts).copy()

    def give(self, radius: Any) -> None:
        """Put distances up to a radius, and the parents, in arrays of their own, `dist` and `parent`."""
        with exclusively(self.grid):
            self._wide(self.kernels.give, self.dtype.type(radius), self.dist, self.parent, int(self.shape.packed))

    def find_tree(self, progress: Callable[[float], None] | None) -> None:
        """Find the parents if there are none yet; to be called after `give`."""
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
        """Write what is special to a search."""
        with exclusively(self.grid):
            for cells in (self.state.tails, self.state.work_tail, self.state.now, self.state.flags, self.state.counts):
                cells.zero_()
            _write(self.state.scalars, np.array([search.cutoff, 0, *search.scalars], self.dtype))
            _write(self.sources, search.sources)
            _write(self.source_count, np.array([len(search.sources)], np.int32))
            if self.shape.target_room:
                _write(self.targets, search.targets)
                _write(self.target_count, np.array([len(search.targets)], np.int32))

    def _work(self) -> None:
        if not callable(self._captured):
            replay(self.grid, self._captured)
            return
        with exclusively(self.grid):
            self._captured()
            self._wp.synchronize_device(self.grid.device)


def _write(array: Any, values: Array) -> None:
    """Write values into the first elements of an array."""
    wp = names.warp()
    given = wp.array(np.ascontiguousarray(values), dtype=array.dtype, device="cpu")
    wp.copy(array, given, count=len(values))
