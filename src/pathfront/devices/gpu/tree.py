"""The tree of shortest paths from the distances alone: see `kernels/parents.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pathfront import warp_runtime
from pathfront.devices.gpu.launching import Grid, Launches, StopSignal, exclusively, grid
from pathfront.devices.gpu.resident import Resident, require_countable, upload
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
        tree.n, tree.blocks, tree.graph = on_device.n, grid.blocks, on_device.csr
        tree.dist, tree.parent = dist, parent
        tree.is_source, tree.lists = grid.zeros(on_device.n, wp.uint8), grid.zeros((2, on_device.n), wp.int32)
        tree.cells = grid.zeros(len(parents.Cell), wp.uint32)
        self._missing = parents.Cell.MISSING
        self._find_lower, self._find_next = [self._kernels.find_lower, tree], [self._kernels.find_next, tree]
        if on_device.matrix is not None:
            self._find_lower = [self._kernels.find_lower_rows, tree, on_device.matrix]
            self._find_next = [self._kernels.find_next_rows, tree, on_device.matrix]
        self._answer, self._stop = (grid.zeros(1, wp.int32) for _ in range(2))
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
                grid.launch(*self._find_lower)
                grid.launch(kernels.list_found, tree)
                if tree.cells.numpy()[self._missing] == 0:
                    return
        watched(self._rounds.run, stop=self._stop_signal.send, progress=progress)

    def _run_rounds(self) -> None:
        """Extend the tree in rounds until one adds no vertex; it starts from at least one."""

        def run_round() -> None:
            self._grid.launch(*self._find_next)
            self._grid.launch_threads(self._kernels.next_round, 1, self._tree, self._stop, self._answer)

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
