"""The names of devices, and whether they are there: "cpu", "emulated", "cuda", "cuda:1", ...

"cuda" is the first NVIDIA GPU. "emulated" runs the very kernels of a GPU on the CPU, compiled by Warp: for tests, and
for people who have no GPU and want to see what one would do. Both need the extra `gpu`; nothing of it is imported
before a device is asked for by name.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from pathfront.exceptions import ArgumentError, DeviceError, MissingExtraError

_CUDA = re.compile(r"cuda(:\d+)?")

_process: int | None = None
"""The process that loaded Warp."""
_loading = threading.RLock()
"""Held by the first caller: a second one that came meanwhile would take Warp for somebody else's."""


def is_name(device: str) -> bool:
    """Tell whether this is the name of a device, there or not."""
    return device in ("cpu", "emulated") or _CUDA.fullmatch(device) is not None


def as_place(device: object) -> str:
    """Return the full name of a device that can be used now, "cuda:0" for "cuda"."""
    if device == "cpu":
        return "cpu"
    if not isinstance(device, str) or not is_name(device):
        raise ArgumentError(f"device is {device!r}, but it must be 'cpu', 'cuda', 'cuda:1' and so on, or 'emulated'.")
    wp = warp(device)
    if device == "emulated":
        return device
    if os.getpid() != _process:
        raise DeviceError(
            f"device is {device!r}, but this process was forked from one that had Warp loaded, which CUDA does not "
            "survive; start processes by 'spawn', or use device='cpu'."
        )
    there = [str(place.alias) for place in wp.get_cuda_devices()] if wp.is_cuda_available() else []
    wanted = "cuda:0" if device == "cuda" else device
    if not there:
        raise DeviceError(
            f"device is {device!r}, but no NVIDIA GPU with a driver that Warp {wp.__version__} can use was found; "
            "use device='cpu', or device='emulated' to run the same kernels on the CPU."
        )
    if wanted not in there:
        raise DeviceError(f"device is {device!r}, but there are only {', '.join(there)}.")
    return wanted


def warp(device: str = "emulated") -> Any:
    """Return the module `warp`, which runs the kernels."""
    global _process
    with _loading if _process is None else nullcontext():
        first = "warp" not in sys.modules
        try:
            import warp as wp
        except ImportError:
            raise MissingExtraError(
                f"device is {device!r}, which needs the package warp-lang; pip install 'pathfront[gpu]'."
            ) from None
        if first:  # else it is somebody else's, and says what they want to hear
            wp.config.log_level = wp.LOG_WARNING
            with _without_complaints():
                wp.init()  # type: ignore[no-untyped-call]
        if _process is None:
            _process = os.getpid()
    return wp


@contextmanager
def _without_complaints() -> Iterator[None]:
    """Drop what native code writes: Warp warns of a missing driver, also where nobody asked for a GPU."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def family(place: str) -> str:
    """Return a device's name without its number, as methods list them."""
    return place.partition(":")[0]


def free_memory(place: str) -> int | None:
    """Return how many bytes a device has free, None where the operating system decides."""
    if place == "emulated":
        return None
    return int(warp().get_device(place).free_memory)


def captures_loops(place: str) -> bool:
    """Tell whether loops can be captured: on GPUs that takes a driver for CUDA 12.4 or later."""
    return place == "emulated" or bool(warp().is_conditional_graph_supported())


def describe(device: str) -> str:
    """Return a device's name, and what it is where that is a GPU."""
    if family(device) != "cuda":
        return device
    place = warp().get_device(as_place(device))
    return f"{place.alias}, {place.name}, {place.total_memory / 2**30:.0f} GiB, sm_{place.arch}"
