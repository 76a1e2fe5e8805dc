"""The figures of a suite, and how they are timed.

A figure is one number with its target. Times that are compared are measured in turns within one run, best of several,
because machines are shared and noisy: ratios are stable under noise, times are not.
"""

from __future__ import annotations

import ctypes
import gc
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

import pathfront as pf
from pathfront.devices.names import describe
from pathfront.validation import Array, available_cores


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number."""

    what: str
    measured: float
    unit: str
    target: float | None = None
    better: Literal["higher", "lower"] = "higher"
    detail: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None if there is none."""
        if self.target is None:
            return None
        return self.measured >= self.target if self.better == "higher" else self.measured <= self.target


@dataclass(frozen=True, slots=True)
class Suite:
    """A set of related figures."""

    name: str
    summary: str
    run: Callable[[bool], Iterator[Figure]]
    """Takes `quick` and yields figures as they are measured."""
    device: str = "cpu"


def require(holds: object, message: str) -> None:
    """Raise an error unless a measured answer is right."""
    if not holds:
        raise AssertionError(message)


@lru_cache(maxsize=1)
def dijkstra(graph: pf.Graph, source: int) -> Array:
    """Return Dijkstra's distances; those of the last graph are cached."""
    return pf.shortest_paths(graph, source, method="dijkstra", parents=False).distance


def require_exact(paths: pf.ShortestPaths, what: str) -> pf.ShortestPaths:
    """Return an answer, which must be Dijkstra's, bit for bit."""
    require(paths.distance.tobytes() == dijkstra(paths.graph, paths.source).tobytes(), f"{what} is wrong")
    return paths


def printed_by(code: str) -> list[str]:
    """Run code in a process of its own and return the words that it prints."""
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()


def peak_memory(job: Callable[[], Any]) -> int:
    """Return by how many bytes a job lets the memory of this process grow at most; Linux only."""

    def kilobytes(what: str) -> int:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(what))

    ctypes.CDLL(None).malloc_trim(0)  # memory that was freed before must not hide what the job takes
    before = kilobytes("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # resets the high-water mark
    job()
    return 1024 * (kilobytes("VmHWM") - before)


def best_of(rounds: int, *jobs: Callable[[], Any], seconds: float = 0.0) -> list[float]:
    """Return the best time of each job, after a warm-up; the jobs take turns, so that noise affects all alike.

    Rounds are added until `seconds` have passed: disturbances on a shared machine often last a second or two, longer
    than many rounds of short jobs.
    """
    for job in jobs:
        job()
    best = [float("inf")] * len(jobs)
    end = time.perf_counter() + seconds
    done = 0
    while done < rounds or time.perf_counter() < end:
        done += 1
        for i, job in enumerate(jobs):
            gc.collect()
            started = time.perf_counter()
            job()
            best[i] = min(best[i], time.perf_counter() - started)
    return best


def machine() -> dict[str, Any]:
    """Return the machine and the versions."""
    versions: dict[str, str | None] = {}
    for package in ("numpy", "scipy", "pandas", "pyarrow", "warp-lang"):
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = None
    return {
        "pathfront": pf.__version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": available_cores(),
        "packages": versions,
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown"


def as_json(suite: Suite, figures: list[Figure]) -> dict[str, Any]:
    """Return a suite's figures with the machine they were taken on."""
    return {
        "suite": suite.name,
        "taken": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "machine": machine() | {"device": describe(suite.device)},
        "figures": [as_mapping(figure) for figure in figures],
    }


def as_mapping(figure: Figure) -> dict[str, Any]:
    """Return a figure as JSON has it."""
    return asdict(figure) | {"met": figure.met}
