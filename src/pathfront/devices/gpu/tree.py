"""The tree of shortest paths from the distances alone: see `kernels/parents.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pathfront.devices import names
from pathfront.devices.gpu.launching import Bell, Grid, exclusively, replay
from pathfront.devices.gpu.resident import Resident, claiming, require_countable
from pathfront.devices.gpu.running import watched


class TreePass:
    """Finds the parents of vertices whose distances are known.

    `dist` and `parent` are arrays of the device, `sources` and `source_count` as well; they may hold other values each
    time.
    """

    def __init__(self, home: Resident, grid: Grid, dist: Any, parent: Any, sources: Any, source_count: Any) -> None:
        from pathfront.devices.gpu.kernels import parents

        wp = names.warp()
        require_countable(grid.place, home.n, 4)
        self._grid, self._kernels = grid, parents.of(home.dtype.name)
        self._sources, self._source_count = sources, source_count
        self._tree = tree = self._kernels.Tree()
        tree.n, tree.blocks, tree.unit = home.n, grid.blocks, int(home.unit)
        tree.offsets, tree.heads, tree.weights = home.offsets, home.heads, home.weights
        tree.dist, tree.parent = dist, parent
        with claiming(grid.place):
            tree.is_source = wp.zeros(home.n, dtype=wp.uint8, device=grid.device)
            tree.lists = wp.zeros((2, home.n), dtype=wp.int32, device=grid.device)
        tree.cells = wp.zeros(parents.CELLS, dtype=wp.uint32, device=grid.device)
        self._missing = parents.MISSING
        self._matrix = home.matrix
        self._answer, self._stop = (wp.zeros(1, dtype=wp.int32, device=grid.device) for _ in range(2))
        self._bell = Bell(self._stop, 0)
        self._captured: Any = None

    def load(self) -> None:
        """Compile the kernels and capture the turns; to be called while the device is held exclusively."""
        wp = names.warp()
        wp.load_module(self._kernels.module, device=self._grid.device, block_dim=self._grid.lanes)
        if names.captures_loops(self._grid.place):
            wp.capture_begin(device=self._grid.device)
            try:
                self._take_turns()
            finally:
                self._captured = wp.capture_end(device=self._grid.device)

    def run(self, *, negative: bool, progress: Callable[[float], None] | None = None) -> None:
        """Fill in the parents; Ctrl-C, and whatever `progress` raises, end it."""
        grid, kernels, tree = self._grid, self._kernels, self._tree
        with exclusively(grid):
            self._stop.zero_()
            grid.wide(kernels.clear_tree, tree)
            grid.wide(kernels.set_sources, tree, self._sources, self._source_count)
            if not negative:
                if self._matrix is None:
                    grid.wide(kernels.find_lower, tree)
                else:
                    grid.wide(kernels.find_lower_rows, tree, self._matrix)
                grid.wide(kernels.list_found, tree)
                if tree.cells.numpy()[self._missing] == 0:
                    return
        watched(self._work, stop=self._bell.ring, progress=progress)

    def _work(self) -> None:
        if self._captured is not None:
            replay(self._grid, self._captured)
            return
        with exclusively(self._grid):
            self._take_turns()

    def _take_turns(self) -> None:
        """Go on from vertices with parents until nobody is found: there is at least one to go on from."""

        def turn() -> None:
            if self._matrix is None:
                self._grid.wide(self._kernels.find_next, self._tree)
            else:
                self._grid.wide(self._kernels.find_next_rows, self._tree, self._matrix)
            self._grid.one(self._kernels.next_turn, self._tree, self._stop, self._answer)

        turn()
        names.warp().capture_while(self._answer, turn)
