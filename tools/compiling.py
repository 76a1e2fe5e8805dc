"""Compile every kernel for every GPU there is, on a machine that has none.

Each file of `kernels/` that makes kernels of its own has a function `modules`, which yields all of them in all their
forms, as modules of Warp; those that schedules share are yielded by the package. What is compiled here is what would
run: the same sources, by the compiler of CUDA that Warp brings.

    from tools import compiling

    for done in compiling.run(compiling.tasks(architectures=[75, 120])):
        print(done.task.module, done.task.architecture, done.usage)
"""

from __future__ import annotations

import importlib
import pkgutil
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from pathfront import warp_runtime
from tools import cubin, ptx

ARCHITECTURES = (75, 80, 86, 89, 90, 100, 120)
"""From Turing to Blackwell: sm_75 and so on."""

PACKAGE = "pathfront.devices.gpu.kernels"


@dataclass(frozen=True)
class Task:
    """One module of one file of kernels, to be compiled for one architecture."""

    file: str
    module: str
    architecture: int


@dataclass(frozen=True)
class Compiled:
    """The result of a task: the resources of each kernel, and loops that would not end; there should be none."""

    task: Task
    usage: tuple[cubin.Usage, ...]
    spins: tuple[ptx.Spin, ...]


def files() -> list[str]:
    """Return the full names of the files that make kernels."""
    package = importlib.import_module(PACKAGE)
    names = [PACKAGE, *(f"{PACKAGE}.{found.name}" for found in pkgutil.iter_modules(package.__path__))]
    return [name for name in names if hasattr(importlib.import_module(name), "modules")]


def tasks(file: str | None = None, architectures: Iterable[int] = ARCHITECTURES) -> list[Task]:
    """Return what there is to compile, of one file or of all."""
    wanted = files() if file is None else [file]
    return [Task(name, module, arch) for name in wanted for module in _modules(name) for arch in architectures]


def sample() -> list[Task]:
    """Return a part of all there is to compile: all modules for the oldest and the newest GPUs, for others one a file.

    Each of the others gets another of a file's modules. Between them they take a third of the time of all.
    """
    some = []
    for file in files():
        modules = list(_modules(file))
        for i, arch in enumerate(ARCHITECTURES):
            ends = arch in (ARCHITECTURES[0], ARCHITECTURES[-1])
            some += [Task(file, module, arch) for module in (modules if ends else [modules[i % len(modules)]])]
    return sorted(some, key=lambda task: task.architecture)


def compile(task: Task) -> Compiled:
    """Compile one module for one architecture."""
    wp = warp_runtime.warp("cuda")
    module = _modules(task.file)[task.module]
    with tempfile.TemporaryDirectory() as folder:
        wp.compile_aot_module(module, arch=task.architecture, module_dir=folder, use_ptx=False)
        with _all_loops_kept():
            wp.compile_aot_module(module, arch=task.architecture, module_dir=folder, use_ptx=True)
        [binary], [text] = Path(folder).glob("*.cubin"), Path(folder).glob("*.ptx")
        return Compiled(task, tuple(cubin.usage(binary)), tuple(ptx.spins(text.read_text())))


def submit(pool: ProcessPoolExecutor, wanted: Iterable[Task]) -> dict[Task, Future[Compiled]]:
    """Submit tasks to other processes; return the futures of their results."""
    return {task: pool.submit(compile, task) for task in wanted}


def processes(count: int = 2) -> ProcessPoolExecutor:
    """Return processes that compile."""
    return ProcessPoolExecutor(count, get_context("spawn"))


def run(wanted: Iterable[Task], count: int = 2) -> Iterator[Compiled]:
    """Compile in several processes, and return each result in turn."""
    with processes(count) as pool:
        for future in submit(pool, wanted).values():
            yield future.result()


@cache
def _modules(file: str) -> dict[str, Any]:
    """Return the modules of a file by name; Warp keeps what has been made, and so does this."""
    return {module.name: module for module in importlib.import_module(file).modules()}


@contextmanager
def _all_loops_kept() -> Iterator[None]:
    """Make the compiler keep loops that only wait, so that they can be found.

    A loop of plain loads changes nothing, so a compiler may drop it: the kernel does not wait at all, and nothing in
    its code tells. An empty piece of assembler in each loop, of which compilers must assume that it matters, keeps it.
    Warp has no hook for that, so its sources are changed on their way to the compiler.
    """
    building: Any = importlib.import_module("warp._src.build")
    build = building.build_cuda

    def with_loops(source: str, *arguments: Any, **options: Any) -> None:
        text = Path(source).read_text()
        Path(source).write_text(text.replace("goto start_while_", 'asm volatile(""); goto start_while_'))
        build(source, *arguments, **options)

    building.build_cuda = with_loops
    try:
        yield
    finally:
        building.build_cuda = build
