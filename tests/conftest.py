"""The graph zoo and where real graphs live."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

DATA = Path(os.environ.get("PATHFRONT_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture(scope="session")
def data():
    """Return a function that finds a real graph, or skips the test where the data is not at hand."""

    def find(name: str) -> Path:
        if not (DATA / name).exists():
            pytest.skip(f"{name} is not in PATHFRONT_DATA ({DATA})")
        return DATA / name

    return find


@pytest.fixture(scope="session", autouse=True)
def _listening():
    """Let Ctrl-C in, which processes that a shell has put in the background ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
