"""Python processes of their own, for tests that end, fork, signal or starve one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

PRELOADED = Path(__file__).parent / "preloaded"


def run_python(code: str, **options) -> subprocess.CompletedProcess:
    options = {"timeout": 120} | options
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, **options)


def preloading(name: str, folder: Path) -> dict[str, str]:
    """Compile a library of tests/preloaded and return the environment of a process that loads it before all others."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if sys.platform != "linux" or compiler is None:
        pytest.skip("needs Linux and a C compiler")
    library = folder / f"{name}.so"
    flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, "-o", library, PRELOADED / f"{name}.c", "-ldl"], check=True)
    environment = os.environ | {"LD_PRELOAD": str(library)}
    tried = subprocess.run([sys.executable, "-S", "-c", ""], env=environment, capture_output=True, text=True)
    if tried.returncode != 0 or tried.stderr:  # another C library, or a folder from which nothing may be run
        pytest.skip(f"the library cannot be preloaded here: {tried.stderr.strip()}")
    return environment
