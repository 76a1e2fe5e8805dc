"""A test that hangs fails and shows where: settings in pyproject.toml; for C++ `tests/cpp/watchdog.hpp`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HANGS = {
    "in Python": "import threading\n\ndef test_hangs():\n    threading.Event().wait()\n",
    "in native code that holds the interpreter lock": (
        "import ctypes\n\ndef test_hangs():\n    ctypes.PyDLL(None).pause()\n"
    ),
}


@pytest.mark.parametrize(("name", "workers"), [*((name, 0) for name in HANGS), ("in Python", 1)])
def test_a_test_that_hangs_fails(name, workers, tmp_path):
    path = tmp_path / "test_one.py"
    path.write_text(HANGS[name])
    settings = ["-c", str(ROOT / "pyproject.toml"), "-o", "addopts=", "-o", "faulthandler_timeout=0.5"]
    command = [sys.executable, "-m", "pytest", *settings, "-p", "no:cacheprovider", str(path)]
    command += ["-n", "1", "--max-worker-restart=0"] if workers else []
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 1
    assert "Timeout (0:00:00.500000)!" in done.stderr
    assert 'test_one.py", line 4 in test_hangs' in done.stderr
    if workers:
        assert "crashed while running" in done.stdout
        assert "1 failed" in done.stdout


def test_every_test_is_watched(pytestconfig):
    assert float(pytestconfig.getini("faulthandler_timeout")) > 0
    assert pytestconfig.getini("faulthandler_exit_on_timeout")
