"""Warp: loaded when a GPU or its emulation is first used; its lock; copies of its arrays to the host.

Graphs may be made of arrays of a GPU, so this module lies below everything that takes arrays. Kernels are launched in
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
from pathfront.forks import forks

lock = threading.RLock()
"""Held while capturing, copying, allocating, or launching outside a capture; the lock of a GPU is taken before it."""

process: int | None = None
"""The process that loaded Warp, by `forks()`."""

_loading = threading.RLock()
"""Held while Warp is loaded: a second thread would take it for one that the application has loaded."""


def warp(device: str = "emulated") -> Any:
    """Return the module `warp`, which runs the kernels of a device."""
    return _load(f"device is {device!r}, which")


def to_host(values: Any, name: str = "the result") -> NDArray[Any]:
    """Return an array of any device, of a library with DLPack or `__cuda_array_interface__`, as an array of numpy."""
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
        if first:  # otherwise the application has loaded it, with its own settings
            wp.config.log_level = wp.LOG_WARNING
            with _silent_stderr():
                wp.init()  # type: ignore[no-untyped-call]
        if process is None:
            process = forks()
    return wp


@contextmanager
def _silent_stderr() -> Iterator[None]:
    """Discard what native code writes: Warp warns of a missing driver even if only the emulation is used."""
    try:
        stderr = os.dup(2)
    except OSError:  # it is closed
        yield
        return
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, 2)
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        os.close(null)
