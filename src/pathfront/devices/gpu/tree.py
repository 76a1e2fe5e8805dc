"""The tree of shortest paths from the distances alone: see `kernels/parents.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pathfront import warp_runtime
from pathfront.devices.gpu.launching import Grid, Launches, StopSignal, exclusively, grid
from pathfront.devices.gpu.resident import Resident, allocating, require_countable, upload
from pathfront.devices.gpu.running import watched


class TreePass:
    """Finds the parents of vertices whose distances are known.

    `dist`, `parent`, `sources` and `source_count` are arrays on the device, whose values may change between runs.
    """

    def __init__(
        self, on_device: Resident, grid: Grid, dist: Any, parent: Any, sources: Any, source_count: Any
    ) -> None:
        from pathfront.devices.gpu.kernels import parents

        wp = warp_runtime.warp()
        require_countable(grid.device, on_device.n, 4)
        self._grid, self._kernels = grid, parents.of(on_device.dtype.name)
        self._sources, self._source_count = sources, source_count
        self._tree = tree = self._kernels.Tree()
        tree.n, tree.blocks, tree.unit = on_device.n, grid.blocks, int(on_device.unit)
        tree.offsets, tree.heads, tree.weights = on_device.offsets, on_device.heads, on_device.weights
        tree.dist, tree.parent = dist, parent
        with allocating(grid.device):
            tree.is_source = wp.zeros(on_device.n, dtype=wp.uint8, device=grid.warp_device)
            tree.lists = wp.zeros((2, on_device.n), dtype=wp.int32, device=grid.warp_device)
        tree.cells = wp.zeros(len(parents.Cell), dtype=wp.uint32, device=grid.warp_device)
        self._missing = parents.Cell.MISSING
        self._matrix = on_device.matrix
        self._answer, self._stop = (wp.zeros(1, dtype=wp.int32, device=grid.warp_device) for _ in range(2))
        self._stop_signal = StopSignal(self._stop, 0)
        self._rounds = Launches(grid, self._run_rounds)

    def load(self) -> None:
        """Compile the kernels and capture the rounds; to be called while the device is held exclusively."""
        self._rounds.capture(self._kernels.module)

    def run(self, *, negative: bool, progress: Callable[[float], None] | None = None) -> None:
        """Fill in the parents; Ctrl-C, and any exception of `progress`, end it."""
        grid, kernels, tree = self._grid, self._kernels, self._tree
        with exclusively(grid):
            self._stop.zero_()
            grid.launch(kernels.clear_tree, tree)
            grid.launch(kernels.set_sources, tree, self._sources, self._source_count)
            if not negative:
                if self._matrix is None:
                    grid.launch(kernels.find_lower, tree)
                else:
                    grid.launch(kernels.find_lower_rows, tree, self._matrix)
                grid.launch(kernels.list_found, tree)
                if tree.cells.numpy()[self._missing] == 0:
                    return
        watched(self._rounds.run, stop=self._stop_signal.send, progress=progress)

    def _run_rounds(self) -> None:
        """Extend the tree in rounds until one adds no vertex; it starts from at least one."""

        def run_round() -> None:
            if self._matrix is None:
                self._grid.launch(self._kernels.find_next, self._tree)
            else:
                self._grid.launch(self._kernels.find_next_rows, self._tree, self._matrix)
            self._grid.launch_single(self._kernels.next_round, self._tree, self._stop, self._answer)

        run_round()
        warp_runtime.warp().capture_while(self._answer, run_round)


def find_parents(
    on_device: Resident, dist: Any, parent: Any, sources: Any, progress: Callable[[float], None] | None
) -> None:
    """Fill `parent` from the distances of a search without negative weights."""
    used = grid(on_device.device)
    with exclusively(used):
        count = upload(np.array([len(sources)]), np.dtype(np.int32), on_device.device)
        tree = TreePass(on_device, used, dist, parent, sources, count)
        tree.load()
    tree.run(negative=False, progress=progress)
