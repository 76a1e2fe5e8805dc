"""Persistent kernels: one launch is a whole search, and all of its blocks run at the same time.

Blocks of such a kernel wait for each other, so all must be resident at once. On a GPU there are no more of them
than its multiprocessors can hold. On the emulated device, which would run one block after the other, each block is a
launch of its own, from a thread of its own. A persistent kernel takes two arguments before all others:

    first: int                            the index of the first block of this launch
    control: wp.array(dtype=wp.uint32)    the cells that host and kernel share while it runs

`control[STOP]` is 0 until the kernel must end; every loop that may be long checks it. `control[HEARTBEAT]` must change
as long as there is progress (from any block, any amount): where it has not for `patience` seconds, the kernel is
stopped, and that is an error.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from pathfront import warp_runtime
from pathfront.devices.gpu import launching
from pathfront.devices.gpu.launching import Grid, StopSignal, exclusively
from pathfront.devices.gpu.resident import warp_name
from pathfront.devices.gpu.running import watched
from pathfront.forks import forks
from pathfront.validation import available_cores
from pathfront.workers import start

STOP = 0
"""The cell of `control` that ends the kernel."""

HEARTBEAT = 1
"""The cell of `control` that shows progress."""

blocks: int | None = None
"""How many blocks a kernel has; None for as many as run at once. For tests, which want more than there are cores."""

block_dim: int | None = None
"""Threads per block; None for the default of the device. For tests."""

patience = 30.0
"""Seconds without progress after which a kernel is stopped with an error; 0: never."""

_BLOCK_DIM = 256
"""Threads per block on a GPU."""

_THREADS_EMULATED = 8
"""The most blocks by default on the emulated device: more threads mostly wait for each other."""

_THREADS = 1024
"""Threads that a multiprocessor of compute capability 7.5 or later holds; many hold more."""

_REGISTERS = 65536
"""Registers of a multiprocessor of compute capability 7.5 or later."""

Progress = Callable[[float], None]


def grid(device: str, *, least: int = 1, kernel: Any = None) -> Grid:
    """Return the shape of a persistent kernel on a device, with at least so many blocks.

    On a GPU there is one block for each multiprocessor; or as many as fit there, for a kernel that is given.
    """
    if device == "emulated":  # more threads are no gain: those of a block run one after the other
        return Grid(device, max(blocks or min(available_cores(), _THREADS_EMULATED), least), block_dim or 1)
    width = block_dim or _BLOCK_DIM
    resident = blocks or warp_runtime.warp().get_device(device).sm_count * _fitting(kernel, device, width)
    return Grid(device, max(resident, least), width)


def _fitting(kernel: Any, device: str, width: int) -> int:
    """Return how many blocks of a kernel a multiprocessor holds at once, for certain."""
    if kernel is None:
        return 1
    with warp_runtime.lock:
        registers: int = warp_runtime.warp().get_cuda_kernel_properties(kernel, device, width)["register_count"]
    rounded = -(-registers // 8) * 8  # registers are allocated in eights
    return max(1, min(_THREADS // width, _REGISTERS // (rounded * width)))


def run(
    kernel: Any,
    inputs: Sequence[Any],
    *,
    grid: Grid,
    progress: Progress | None = None,
    stuck_after: float | None = None,
) -> None:
    """Run a persistent kernel to its end; `inputs` follow `first` and `control`.

    `stuck_after` replaces `patience`, the seconds it may run without progress. Ctrl-C and exceptions of `progress` stop
    the kernel, and are raised when it has ended.
    """
    wp, device = warp_runtime.warp(), grid.device
    with alone(device, progress):
        with exclusively(grid):
            control = _Control(wp, device)
            made = _Threads if device == "emulated" else _Stream
            launch = made(wp, kernel, inputs, grid, control)
        allowed = patience if stuck_after is None else stuck_after
        watched(launch.run, stop=control.stop, progress=progress, heartbeat=control.heartbeat, patience=allowed)


_running: dict[tuple[int, str], threading.Lock] = {}
"""For each process and device, the lock that is held while a persistent kernel runs."""

_POLL = 0.05
"""Seconds between two checks for Ctrl-C while waiting for a lock."""


@contextmanager
def alone(device: str, progress: Progress | None = None) -> Iterator[None]:
    """Hold a device while a persistent kernel runs.

    Of two running at once each could have blocks that wait for a multiprocessor which the other occupies. Nor may
    another thread capture meanwhile: the heartbeat could not be read. Emulated, the launches of others wait as well:
    blocks are launched by many threads.
    """
    # by process: a forked one must not wait for a thread of its parent
    running = _running.setdefault((forks(), device), threading.Lock())
    held: Any = _acquired(warp_runtime.lock, progress) if device == "emulated" else nullcontext()
    with _acquired(running, progress), _acquired(launching.gpu_lock(device), progress), held:
        yield


@contextmanager
def _acquired(lock: Any, progress: Progress | None) -> Iterator[None]:
    while not lock.acquire(timeout=_POLL):  # a wait without timeout could not be interrupted
        if progress is not None:
            progress(0.0)
    try:
        yield
    finally:
        lock.release()


class _Control:
    """The cells that host and kernel share while the kernel runs."""

    def __init__(self, wp: Any, device: str) -> None:
        self.cells = wp.zeros(2, dtype=wp.uint32, device=warp_name(device))
        self.stop = StopSignal(self.cells, STOP).send
        self._wp = wp
        if device != "emulated":  # copies must not wait for the kernel: a stream of their own, and pinned memory
            self._stream = wp.Stream(device)
            self._seen = wp.zeros(1, dtype=wp.uint32, device="cpu", pinned=True)

    def heartbeat(self) -> int:
        """Return a number that changes as long as there is progress."""
        if self.cells.device.is_cpu:
            return int(self.cells.numpy()[HEARTBEAT])
        self._wp.copy(self._seen, self.cells, src_offset=HEARTBEAT, count=1, stream=self._stream)
        self._wp.synchronize_stream(self._stream)
        return int(self._seen.numpy()[0])


class _Stream:
    """A kernel on a GPU: one launch, on a stream of its own."""

    def __init__(self, wp: Any, kernel: Any, inputs: Sequence[Any], grid: Grid, control: _Control) -> None:
        wp.load_module(kernel.module, device=grid.warp_device, block_dim=grid.block_dim)
        self._wp, self._kernel, self._grid = wp, kernel, grid
        self._inputs = [0, control.cells, *inputs]
        self._stream = wp.Stream(grid.warp_device)
        wp.synchronize_device(grid.warp_device)  # other streams have written the inputs

    def run(self) -> None:
        with warp_runtime.lock:
            self._grid.launch(self._kernel, *self._inputs, stream=self._stream)
        self._wp.synchronize_stream(self._stream)


class _Threads:
    """A kernel on the emulated device: each block is launched by a thread of its own."""

    def __init__(self, wp: Any, kernel: Any, inputs: Sequence[Any], grid: Grid, control: _Control) -> None:
        self._control = control
        self._failures: list[BaseException] = []
        with _storage_for_threads(wp):
            # before any block waits for another
            wp.load_module(kernel.module, device=grid.warp_device, block_dim=grid.block_dim)
            self._launches = [
                wp.launch_tiled(
                    kernel,
                    dim=[1],
                    block_dim=grid.block_dim,
                    inputs=[block, control.cells, *inputs],
                    device=grid.warp_device,
                    record_cmd=True,
                )
                for block in range(grid.blocks)
            ]

    def run(self) -> None:
        started = []
        try:
            for block, launch in enumerate(self._launches[1:], 1):
                thread = threading.Thread(target=self._block, args=(launch,), name=f"pathfront-block-{block}")
                start(thread)
                started.append(thread)
        except BaseException:  # no thread could be started: the blocks that run would wait for the others
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

    By default a launch on a CPU keeps a block's shared memory on its stack, and a pointer to it in a global variable;
    the last launch to end would follow the pointer of one that has ended.
    """
    before = wp.config.enable_tiles_in_stack_memory
    wp.config.enable_tiles_in_stack_memory = None
    try:
        yield
    finally:
        wp.config.enable_tiles_in_stack_memory = before
