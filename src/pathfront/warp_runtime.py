"""Warp: loaded when a GPU, or its emulation, is first needed; the lock for what it shares; arrays copied to the host.

Graphs may be made of arrays of a GPU, so this module lies below everything that takes arrays. What runs kernels is in
`devices/gpu`.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathfront.exceptions import MissingExtraError

lock = threading.RLock()
"""Held while capturing, copying, allocating, or launching outside a capture; a GPU's own lock is taken first."""

process: int | None = None
"""The process that loaded Warp."""

_loading = threading.RLock()
"""Held by the first caller: a second one that came meanwhile would take Warp for somebody else's."""


def warp(device: str = "emulated") -> Any:
    """Return the module `warp`, which runs the kernels of a device."""
    return _load(f"device is {device!r}, which")


def to_host(values: Any, name: str = "the result") -> NDArray[Any]:
    """Return an array of any device, and of any library that speaks DLPack or CUDA's interface, as one of numpy."""
    if isinstance(values, np.ndarray):
        return values
    wp = _load(f"{name} is an array of a GPU, which")
    with lock:  # a copy during a capture becomes part of it
        if not isinstance(values, wp.array):
            values = wp.from_dlpack(values) if hasattr(values, "__dlpack__") else wp.array(data=values, copy=False)
        copied: NDArray[Any] = values.numpy()
    return copied


def _load(what: str) -> Any:
    global process
    with _loading if process is None else nullcontext():
        first = "warp" not in sys.modules
        try:
            import warp as wp
        except ImportError:
            raise MissingExtraError(f"{what} needs the package warp-lang; pip install 'pathfront[gpu]'.") from None
        if first:  # else it is somebody else's, and says what they want to hear
            wp.config.log_level = wp.LOG_WARNING
            with _without_complaints():
                wp.init()  # type: ignore[no-untyped-call]
        if process is None:
            process = os.getpid()
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
