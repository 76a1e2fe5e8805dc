"""Persistent kernels: blocks that run at once and wait for each other, and ways to end them."""

from __future__ import annotations

import os
import signal
import threading

import numpy as np
import pytest

import pathfront as pf
from pathfront.devices.gpu import persistent, running

wp = pytest.importorskip("warp")

import persistent_kernels as kernels  # noqa: E402, needs warp
from pathfront.devices.gpu.kernels import barrier  # noqa: E402

pytestmark = pytest.mark.gpu

SHAPES = [(1, 1), (2, 1), (3, 1), (5, 1), (9, 1), (16, 1), (3, 4), (9, 4)]


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setattr(wp.config, "log_level", wp.LOG_WARNING)


def zeros(count):
    return wp.zeros(count, dtype=wp.uint32, device="cpu")


def shaped(monkeypatch, blocks, block_dim):
    monkeypatch.setattr(persistent, "blocks", blocks)
    monkeypatch.setattr(persistent, "block_dim", block_dim)
    return persistent.grid("emulated")


def misses(kernel, grid, rounds=100):
    """Run a counting kernel; return how often a thread did not see another thread's write."""
    counts, missed = zeros(rounds), zeros(1)
    inputs = [grid.blocks, grid.block_dim, zeros(barrier.cells(grid.blocks)), counts, missed]
    persistent.run(kernel, inputs, grid=grid)
    assert (counts.numpy() == grid.blocks * grid.block_dim).all()
    return int(missed.numpy()[0])


@pytest.mark.parametrize(("blocks", "block_dim"), SHAPES)
def test_all_threads_of_all_blocks_meet(monkeypatch, blocks, block_dim):
    kernel = kernels.counting("test_meet")
    grid = shaped(monkeypatch, blocks, block_dim)
    for _ in range(20):
        assert misses(kernel, grid) == 0
    assert not wp.config.enable_cpu_blocks


@pytest.mark.parametrize(
    ("blocks", "block_dim", "meet"),
    [(5, 1, kernels.meet_without_waiting), (2, 4, kernels.meet_without_the_block)],
    ids=["without waiting", "without the block"],
)
def test_a_broken_barrier_is_noticed(monkeypatch, blocks, block_dim, meet):
    kernel = kernels.counting(f"test_{meet.key}", meet)
    grid = shaped(monkeypatch, blocks, block_dim)
    assert any(misses(kernel, grid) > 0 for _ in range(100))


def raised(kernel, grid, rounds=20_000):
    """Run a descending kernel; return how often a number was higher than a block had left it."""
    number, missed = wp.full(1, 2**32 - 1, dtype=wp.uint32, device="cpu"), zeros(1)
    inputs = [grid.blocks, rounds, zeros(barrier.cells(grid.blocks)), number, missed]
    persistent.run(kernel, inputs, grid=grid)
    return int(missed.numpy()[0])


def test_a_minimum_is_never_lost(monkeypatch):
    sound = kernels.descending("test_minimum")
    broken = kernels.descending("test_two_steps", kernels.fetch_min_in_two_steps)
    for blocks in (2, 5, 16):
        grid = shaped(monkeypatch, blocks, 1)
        assert all(raised(sound, grid) == 0 for _ in range(10))
    assert any(raised(broken, shaped(monkeypatch, 2, 1), 500) > 0 for _ in range(100))


def stall(grid, progress=None):
    kernel = kernels.stalling("test_stall")
    inputs = [grid.blocks, zeros(barrier.cells(grid.blocks))]
    persistent.run(kernel, inputs, grid=grid, progress=progress)


@pytest.mark.parametrize(("blocks", "block_dim"), [(2, 1), (5, 1), (3, 4)])
def test_a_kernel_without_progress_is_stopped(monkeypatch, blocks, block_dim):
    grid = shaped(monkeypatch, blocks, block_dim)
    monkeypatch.setattr(persistent, "patience", 0.3)
    with pytest.raises(pf.DeviceError, match=r"no progress for 0\.3 seconds"):
        stall(grid)


@pytest.mark.serial
def test_ctrl_c_ends_a_kernel(monkeypatch):
    grid = shaped(monkeypatch, 3, 1)
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        stall(grid)


def test_progress_may_end_a_kernel_and_is_called_while_another_one_runs(monkeypatch):
    grid = shaped(monkeypatch, 3, 1)
    inside, ends = threading.Event(), []

    def hold(_):
        inside.set()
        if ends:
            raise TimeoutError

    def first():
        with pytest.raises(TimeoutError):
            stall(grid, hold)

    def waiting(_):
        raise ZeroDivisionError

    thread = threading.Thread(target=first)
    thread.start()
    assert inside.wait(10)
    with pytest.raises(ZeroDivisionError):
        stall(grid, waiting)
    ends.append(True)
    thread.join(10)
    assert not thread.is_alive()


def test_a_block_that_cannot_be_launched_ends_the_others(monkeypatch):
    grid, launch, calls = shaped(monkeypatch, 5, 1), wp.Launch.launch, []

    def fails_once(self, *arguments):
        calls.append(self)
        if len(calls) == 3:
            raise RuntimeError("not this one")
        launch(self, *arguments)

    kernel = kernels.counting("test_meet")
    misses(kernel, grid)
    monkeypatch.setattr(wp.Launch, "launch", fails_once)
    with pytest.raises(RuntimeError, match="not this one"):
        misses(kernel, grid)


def test_a_block_without_a_thread_ends_the_others(monkeypatch):
    grid, start = shaped(monkeypatch, 5, 1), threading.Thread.start

    def fails_once(self):
        if self.name == "pathfront-block-3":
            raise RuntimeError("can't start new thread")
        start(self)

    kernel = kernels.counting("test_meet")
    misses(kernel, grid)
    monkeypatch.setattr(threading.Thread, "start", fails_once)
    with pytest.raises(MemoryError, match="no more threads"):
        misses(kernel, grid)


def test_a_machine_that_slept_has_not_stalled(monkeypatch):
    """Time in which nothing ran at all is no time without progress."""
    times = iter(np.cumsum([0.0, 0.05, 1000.0, *[0.05] * 1000]))
    monkeypatch.setattr(running.time, "monotonic", lambda: next(times))
    ended = threading.Event()
    running.watched(lambda: ended.wait(0.3), stop=ended.set, heartbeat=lambda: 0, patience=10)
    assert not ended.is_set()
