"""The names of devices, and whether they are available: "cpu", "emulated", "cuda", "cuda:1", ...

"cuda" is the first NVIDIA GPU. "emulated" runs the kernels of a GPU on the CPU, compiled by Warp: for tests, and for
people without a GPU. Both need the extra `gpu`, which is imported when such a device is first used.
"""

from __future__ import annotations

import re

from pathfront import warp_runtime
from pathfront.exceptions import ArgumentError, DeviceError
from pathfront.forks import forks
from pathfront.wording import choice_message

_CUDA = re.compile(r"cuda(:\d+)?")


def is_name(device: str) -> bool:
    """Return whether this is the name of a device, available or not."""
    return device in ("cpu", "emulated") or _CUDA.fullmatch(device) is not None


def as_device(device: object) -> str:
    """Return the full name of a device, "cuda:0" for "cuda"; raise if it is not available."""
    if isinstance(device, str) and device == "cpu":
        return "cpu"
    if not isinstance(device, str) or not is_name(device):
        raise ArgumentError(choice_message("device", device, ("cpu", "cuda", "cuda:1", "emulated")))
    wp = warp_runtime.warp(device)
    if device == "emulated":
        return device
    if forks() != warp_runtime.process:
        raise DeviceError(
            f"device is {device!r}, but this process was forked from one that had Warp loaded, which CUDA does not "
            "survive; start processes by 'spawn', or use device='cpu'."
        )
    there = [str(gpu.alias) for gpu in wp.get_cuda_devices()] if wp.is_cuda_available() else []
    wanted = "cuda:0" if device == "cuda" else device
    if not there:
        raise DeviceError(
            f"device is {device!r}, but no NVIDIA GPU with a driver that Warp {wp.__version__} can use was found; "
            "use device='cpu', or device='emulated' to run the same kernels on the CPU."
        )
    if wanted not in there:
        raise DeviceError(f"device is {device!r}, but the GPUs are {', '.join(there)}; choose one of these.")
    return wanted


def family(device: str) -> str:
    """Return a device's name without its number, as methods list them."""
    return device.partition(":")[0]


def free_memory(device: str) -> int | None:
    """Return the free memory of a device in bytes; None for the emulation, which uses the host's."""
    if device == "emulated":
        return None
    return int(warp_runtime.warp().get_device(device).free_memory)


def captures_loops(device: str) -> bool:
    """Return whether loops can be captured: on GPUs this needs a driver for CUDA 12.4 or later."""
    return device == "emulated" or bool(warp_runtime.warp().is_conditional_graph_supported())


def describe(device: str) -> str:
    """Return a device's name; of a GPU also the model, memory and architecture."""
    if family(device) != "cuda":
        return device
    gpu = warp_runtime.warp().get_device(as_device(device))
    return f"{gpu.alias}, {gpu.name}, {gpu.total_memory / 2**30:.0f} GiB, sm_{gpu.arch}"
