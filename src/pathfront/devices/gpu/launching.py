"""How kernels are launched: by how many blocks and lanes, and one caller at a time.

Warp knows of one capture only, whoever launches. So whatever is captured, copied, claimed or launched outside a capture
is done under one lock; what takes long, running what was captured, is not. While somebody captures on a GPU, nobody can
wait for it; so who runs something there holds the GPU, which others then do not capture on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from pathfront.devices import names

lock = threading.RLock()
"""Held by whoever captures, copies, claims memory, or launches outside a capture; a GPU's own is taken before it."""

_gpus: dict[str, Any] = {}

blocks: int | None = None
"""Blocks on device "emulated"; None for one, since they run one after the other. For tests."""
lanes: int | None = None
"""Lanes of a block on device "emulated"; None for one: more are fibers, which switch at barriers. For tests."""

_LANES = 256
_BLOCKS_OF_AN_SM = 8


@dataclass(frozen=True, slots=True)
class Grid:
    """How wide kernels are launched on a device."""

    place: str
    blocks: int
    lanes: int

    @property
    def device(self) -> str:
        """Warp's name of the device."""
        return "cpu" if self.place == "emulated" else self.place

    def wide(self, kernel: Any, *inputs: Any) -> None:
        """Launch a kernel whose lanes share the work."""
        wp = names.warp()
        wp.launch_tiled(kernel, dim=[self.blocks], inputs=list(inputs), device=self.device, block_dim=self.lanes)

    def one(self, kernel: Any, *inputs: Any) -> None:
        """Launch a kernel that has one lane; the block is as wide as all others, or it would be compiled twice."""
        names.warp().launch(kernel, dim=1, inputs=list(inputs), device=self.device, block_dim=self.lanes)


def grid(place: str) -> Grid:
    """Return how wide kernels are launched on a device."""
    if place == "emulated":
        return Grid(place, blocks or 1, lanes or 1)
    return Grid(place, _BLOCKS_OF_AN_SM * names.warp().get_device(place).sm_count, _LANES)


def held(place: str) -> Any:
    """Return the lock of a GPU; nothing is to be held of the emulated device, which runs in the calling thread."""
    return nullcontext() if place == "emulated" else _gpus.setdefault(place, threading.RLock())


def replay(grid: Grid, captured: Any) -> None:
    """Run what was captured, to its end."""
    wp = names.warp()
    with held(grid.place):
        with lock if grid.place != "emulated" else nullcontext():  # there this is the whole run
            wp.capture_launch(captured)
        wp.synchronize_device(grid.device)


class Bell:
    """An element of an array that the host can set to 1 while kernels look at it."""

    def __init__(self, array: Any, place: int) -> None:
        self._array, self._place = array, place
        wp = self._wp = names.warp()
        if array.device.is_cuda:  # the copy must wait neither for the device's stream nor for memory
            self._stream = wp.Stream(array.device)
            self._one = wp.full(1, 1, dtype=array.dtype, device="cpu", pinned=True)

    def ring(self) -> None:
        """Set it."""
        if self._array.device.is_cpu:
            self._array.numpy()[self._place] = 1
            return
        self._wp.copy(self._array, self._one, dest_offset=self._place, count=1, stream=self._stream)
        looks = 0
        while not self._stream.is_complete and looks < 1000:  # Warp refuses to wait while others capture
            time.sleep(0.001)
            looks += 1


@contextmanager
def exclusively(grid: Grid) -> Iterator[None]:
    """Hold device and lock; and let blocks have several lanes on a CPU, which Warp does only if told so."""
    config = names.warp().config
    with held(grid.place), lock:
        before = config.enable_cpu_blocks
        config.enable_cpu_blocks = before or grid.lanes > 1
        try:
            yield
        finally:
            config.enable_cpu_blocks = before
