"""Persistent kernels: one launch is a whole search, and all of its blocks run at the same time.

Blocks of such a kernel wait for each other, so none may have to wait for a place. On a GPU there are no more of them
than its multiprocessors can hold. On the emulated device, which would run one block after the other, each block is a
launch of its own, from a thread of its own. A persistent kernel takes two arguments before all others:

    first: int                            the number of the first block of this launch
    control: wp.array(dtype=wp.uint32)    what the host and the kernel tell each other while it runs

`control[STOP]` is 0 until the kernel shall end; every loop that may be long looks at it. `control[PULSE]` must change
as long as there is progress (from any block, any amount): where it has not for `patience` seconds, the kernel is
stopped, and that is an error.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pathfront.devices import names
from pathfront.devices.gpu import launching
from pathfront.devices.gpu.launching import Grid, exclusively
from pathfront.devices.gpu.resident import place_of
from pathfront.devices.gpu.running import watched
from pathfront.validation import available_cores

STOP, PULSE = 0, 1
"""Cells of `control`."""

blocks: int | None = None
"""How many blocks a kernel has; None for as many as run at once. For tests, which want more than there are cores."""

lanes: int | None = None
"""How many lanes a block has; None for what suits the device. For tests."""

patience = 30.0
"""Seconds without progress after which a kernel is taken for stuck; 0: it never is."""

_LANES = 256
"""On a GPU."""

_THREADS_EMULATED = 8
"""The most by default: many threads wait for each other most of the time."""

_THREADS, _REGISTERS = 1024, 65536
"""What each multiprocessor has room for, on every GPU from compute capability 7.5 on; many hold more threads."""

Progress = Callable[[float], None]


def grid(place: str, *, least: int = 1, kernel: Any = None) -> Grid:
    """Return the shape of a persistent kernel on a device, with at least so many blocks.

    On a GPU there is one block for each multiprocessor; or as many as fit there, for a kernel that is given.
    """
    if place == "emulated":  # a lane more is no gain where lanes of a block run one after the other
        return Grid(place, max(blocks or min(available_cores(), _THREADS_EMULATED), least), lanes or 1)
    width = lanes or _LANES
    there = blocks or names.warp().get_device(place).sm_count * _fitting(kernel, place, width)
    return Grid(place, max(there, least), width)


def _fitting(kernel: Any, place: str, width: int) -> int:
    """Return how many blocks of a kernel a multiprocessor holds at once, for certain."""
    if kernel is None:
        return 1
    with launching.lock:
        registers: int = names.warp().get_cuda_kernel_properties(kernel, place, width)["register_count"]
    rounded = -(-registers // 8) * 8  # as they are given out
    return max(1, min(_THREADS // width, _REGISTERS // (rounded * width)))


def run(
    kernel: Any,
    inputs: Sequence[Any],
    *,
    place: str,
    grid: Grid,
    progress: Progress | None = None,
    stuck_after: float | None = None,
) -> None:
    """Run a persistent kernel to its end; `inputs` are what follows `first` and `control`.

    `stuck_after` is how many seconds it may go without progress, where that is not the usual `patience`. Ctrl-C, and
    whatever `progress` raises, stop the kernel and are raised when it has ended.
    """
    wp = names.warp()
    with alone(place, progress):
        with exclusively(grid):
            control = _Control(wp, place)
            made = _Threads if place == "emulated" else _Stream
            launch = made(wp, kernel, inputs, grid, control)
        allowed = patience if stuck_after is None else stuck_after
        watched(launch.run, stop=control.stop, progress=progress, pulse=control.pulse, patience=allowed)


_turns: dict[tuple[int, str], threading.Lock] = {}
_LOOK = 0.05  # seconds


@contextmanager
def alone(place: str, progress: Progress | None = None) -> Iterator[None]:
    """Hold a device while a persistent kernel runs.

    Of two at once each might have blocks that wait for a place which the other holds. Nor must anybody capture
    meanwhile: the kernel could not be looked at. Emulated, launches of others wait as well: blocks are launched by many
    threads.
    """
    turn = _turns.setdefault((os.getpid(), place), threading.Lock())  # a forked process has nobody to wait for
    other = launching.lock if place == "emulated" else launching.held(place)
    with _held(turn, progress), _held(other, progress):
        yield


@contextmanager
def _held(lock: Any, progress: Progress | None) -> Iterator[None]:
    while not lock.acquire(timeout=_LOOK):  # not for ever: whoever waits may be interrupted
        if progress is not None:
            progress(0.0)
    try:
        yield
    finally:
        lock.release()


class _Control:
    """The cells that host and kernel share, while the kernel runs."""

    def __init__(self, wp: Any, place: str) -> None:
        self.cells = wp.zeros(2, dtype=wp.uint32, device=place_of(place))
        self._wp = wp
        self._here = place == "emulated"
        if self._here:
            self._view = self.cells.numpy()
            return
        # Copies must not wait for the kernel: a stream of their own, and memory that needs no detour.
        self._stream = wp.Stream(place)
        self._one = wp.full(1, 1, dtype=wp.uint32, device="cpu", pinned=True)
        self._seen = wp.zeros(1, dtype=wp.uint32, device="cpu", pinned=True)

    def stop(self) -> None:
        """Tell the kernel to end."""
        if self._here:
            self._view[STOP] = 1
        else:
            self._copy(self.cells, self._one, dest_offset=STOP)

    def pulse(self) -> int:
        """Return a number that changes as long as there is progress."""
        if self._here:
            return int(self._view[PULSE])
        self._copy(self._seen, self.cells, src_offset=PULSE)
        return int(self._seen.numpy()[0])

    def _copy(self, dest: Any, src: Any, **where: int) -> None:
        self._wp.copy(dest, src, count=1, stream=self._stream, **where)
        self._wp.synchronize_stream(self._stream)


class _Stream:
    """A kernel on a GPU: one launch, on a stream of its own."""

    def __init__(self, wp: Any, kernel: Any, inputs: Sequence[Any], grid: Grid, control: _Control) -> None:
        wp.load_module(kernel.module, device=grid.device, block_dim=grid.lanes)
        self._wp, self._kernel, self._grid = wp, kernel, grid
        self._inputs = [0, control.cells, *inputs]
        self._stream = wp.Stream(grid.device)
        wp.synchronize_device(grid.device)  # what the kernel is given has been written by other streams

    def run(self) -> None:
        with launching.lock:
            self._wp.launch_tiled(
                self._kernel,
                dim=[self._grid.blocks],
                block_dim=self._grid.lanes,
                inputs=self._inputs,
                stream=self._stream,
            )
        self._wp.synchronize_stream(self._stream)


class _Threads:
    """A kernel on the emulated device: each block is launched by a thread of its own."""

    def __init__(self, wp: Any, kernel: Any, inputs: Sequence[Any], grid: Grid, control: _Control) -> None:
        self._control = control
        self._failures: list[BaseException] = []
        with _storage_for_threads(wp):
            wp.load_module(kernel.module, device=grid.device, block_dim=grid.lanes)  # before anybody waits for it
            self._launches = [
                wp.launch_tiled(
                    kernel,
                    dim=[1],
                    block_dim=grid.lanes,
                    inputs=[block, control.cells, *inputs],
                    device=grid.device,
                    record_cmd=True,
                )
                for block in range(grid.blocks)
            ]

    def run(self) -> None:
        started = []
        try:
            for block, launch in enumerate(self._launches[1:], 1):
                thread = threading.Thread(target=self._block, args=(launch,), name=f"pathfront-block-{block}")
                thread.start()
                started.append(thread)
        except BaseException:  # no more threads to be had: those that run would wait for the others
            self._control.stop()
            raise
        else:
            self._block(self._launches[0])
        finally:
            for thread in started:
                thread.join()
        if self._failures:
            raise self._failures[0]

    def _block(self, launch: Any) -> None:
        try:
            launch.launch()
        except BaseException as error:
            self._failures.append(error)
            self._control.stop()  # the other blocks wait for this one


@contextmanager
def _storage_for_threads(wp: Any) -> Iterator[None]:
    """Compile so that launches may overlap; to be called while the device is held exclusively.

    By default a launch on a CPU keeps what stands for a block's shared memory on its stack, and a pointer to it where
    all threads find the same; the last to end would follow the pointer of one that has ended.
    """
    before = wp.config.enable_tiles_in_stack_memory
    wp.config.enable_tiles_in_stack_memory = None
    try:
        yield
    finally:
        wp.config.enable_tiles_in_stack_memory = before
