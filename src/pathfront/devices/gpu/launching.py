"""How kernels are launched: the grid, and the locks that let one caller launch at a time.

Warp has one capture per process: launches of every thread go into it. So captures, copies, allocations and launches
outside a capture are done under one lock. Running a captured graph takes long and is done without it. During a capture
on a GPU no thread can synchronise with that GPU; so a thread that runs something there holds the GPU's own lock, which
a capture also needs.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from pathfront import warp_runtime
from pathfront.devices import names
from pathfront.devices.gpu.resident import allocating, warp_name
from pathfront.forks import forks
from pathfront.warp_runtime import lock

_gpus: dict[tuple[str, int], Any] = {}

blocks: int | None = None
"""Blocks on device "emulated"; None for one, since they run one after the other. For tests."""
block_dim: int | None = None
"""Threads per block on device "emulated"; None for one: more are fibers, which switch at barriers. For tests."""

_BLOCK_DIM = 256
"""Threads per block on a GPU."""

_BLOCKS_OF_AN_SM = 8
"""Blocks per multiprocessor."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The blocks and threads of a launch on a device."""

    device: str
    blocks: int
    block_dim: int

    @property
    def warp_device(self) -> str:
        """Warp's name of the device."""
        return warp_name(self.device)

    def launch(self, kernel: Any, *inputs: Any, stream: Any = None) -> None:
        """Launch a kernel on the whole grid."""
        shape = {"dim": [self.blocks], "block_dim": self.block_dim}
        warp_runtime.warp().launch_tiled(kernel, **shape, inputs=list(inputs), device=self.warp_device, stream=stream)

    def launch_threads(self, kernel: Any, count: int, *inputs: Any) -> None:
        """Launch a kernel with so many threads; with another block_dim its module would be compiled twice."""
        wp = warp_runtime.warp()
        wp.launch(kernel, dim=count, inputs=list(inputs), device=self.warp_device, block_dim=self.block_dim)

    def empty(self, shape: Any, dtype: Any) -> Any:
        """Allocate an array."""
        with allocating(self.device):
            return warp_runtime.warp().empty(shape, dtype=dtype, device=self.warp_device)

    def zeros(self, shape: Any, dtype: Any) -> Any:
        """Allocate an array of zeros."""
        with allocating(self.device):
            return warp_runtime.warp().zeros(shape, dtype=dtype, device=self.warp_device)

    def full(self, shape: Any, dtype: Any, value: Any) -> Any:
        """Allocate an array filled with a value."""
        made = self.empty(shape, dtype)
        made.fill_(value)
        return made


def grid(device: str) -> Grid:
    """Return the grid of the kernels of schedules on a device."""
    if device == "emulated":
        return Grid(device, blocks or 1, block_dim or 1)
    return Grid(device, _BLOCKS_OF_AN_SM * warp_runtime.warp().get_device(device).sm_count, _BLOCK_DIM)


def gpu_lock(device: str) -> Any:
    """Return the lock of a GPU; of the emulated device one for each process, forked ones included.

    Emulated, the kernels of a module that has tiles share one static buffer, so two of them must not run at once.
    """
    return _gpus.setdefault((device, forks()), threading.RLock())


class StopSignal:
    """An element of a device array that the host sets to 1 while kernels that poll it are running."""

    def __init__(self, array: Any, index: int) -> None:
        self._array, self._index = array, index
        wp = self._wp = warp_runtime.warp()
        if array.device.is_cuda:  # the copy must wait neither for the device's default stream nor for pageable memory
            self._stream = wp.Stream(array.device)
            self._one = wp.full(1, 1, dtype=array.dtype, device="cpu", pinned=True)

    def send(self) -> None:
        """Set it."""
        if self._array.device.is_cpu:
            self._array.numpy()[self._index] = 1
            return
        self._wp.copy(self._array, self._one, dest_offset=self._index, count=1, stream=self._stream)
        polls = 0
        while not self._stream.is_complete and polls < 1000:  # Warp refuses to synchronise during a capture
            time.sleep(0.001)
            polls += 1


class Launches:
    """Launches that are captured once and replayed; where loops cannot be captured, they are made in each run."""

    def __init__(self, grid: Grid, launch: Callable[[], None]) -> None:
        self._grid, self._launch = grid, launch
        self._captured: Any = None

    def capture(self, module: Any) -> None:
        """Compile the kernels' module and capture; to be called while the device is held exclusively."""
        wp, device = warp_runtime.warp(), self._grid.warp_device
        wp.load_module(module, device=device, block_dim=self._grid.block_dim)
        if names.captures_loops(self._grid.device):
            wp.capture_begin(device=device)
            try:
                self._launch()
            finally:
                self._captured = wp.capture_end(device=device)

    def run(self) -> None:
        """Run the kernels to their end."""
        wp, grid = warp_runtime.warp(), self._grid
        if self._captured is None:
            with exclusively(grid):
                self._launch()
                wp.synchronize_device(grid.warp_device)
            return
        with gpu_lock(grid.device):
            with lock if grid.device != "emulated" else nullcontext():  # emulated, this is the whole run
                wp.capture_launch(self._captured)
            wp.synchronize_device(grid.warp_device)


@contextmanager
def exclusively(grid: Grid) -> Iterator[None]:
    """Hold device and lock; and enable blocks of several threads on a CPU, which Warp's defaults do not."""
    config = warp_runtime.warp().config
    with gpu_lock(grid.device), lock:
        before = config.enable_cpu_blocks
        config.enable_cpu_blocks = before or grid.block_dim > 1
        try:
            yield
        finally:
            config.enable_cpu_blocks = before
