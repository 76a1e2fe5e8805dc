"""Which tests run and on which worker, and where real graphs live."""

from __future__ import annotations

import itertools
import os
import signal
from pathlib import Path

import pytest

import examples as examples  # registers the profiles before --hypothesis-profile is read
from pairwise import cover

DATA = Path(os.environ.get("PATHFRONT_DATA", Path(__file__).parents[2] / "shared" / "data"))


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="run whole grids, not a pairwise cover of them")


def pytest_collection_modifyitems(config, items):
    for item in items:
        device = item.callspec.params.get("device") if hasattr(item, "callspec") else None
        if device in ("emulated", "cuda"):
            item.add_marker("gpu")
    if not config.getoption("--full"):
        keep_pairwise_covers(config, items)


def keep_pairwise_covers(config, items):
    """Keep of each grid marked `pairwise(axis, ...)` a cover; an axis is an argument's name or a tuple of them."""
    dropped = set()
    grids = [item for item in items if item.get_closest_marker("pairwise")]
    for _, grid in itertools.groupby(grids, key=lambda item: (item.path, item.originalname)):
        grid = list(grid)
        axes = [(axis,) if isinstance(axis, str) else axis for axis in grid[0].get_closest_marker("pairwise").args]
        rows = [[tuple(str(item.callspec.params[name]) for name in axis) for axis in axes] for item in grid]
        dropped |= {id(item) for item in grid} - {id(grid[i]) for i in cover(rows)}
    config.hook.pytest_deselected(items=[item for item in items if id(item) in dropped])
    items[:] = [item for item in items if id(item) not in dropped]


@pytest.fixture(scope="session")
def full(request):
    """Tell a test that loops over a grid of its own whether the whole grid is wanted."""
    return request.config.getoption("--full")


@pytest.fixture(scope="session")
def data():
    """Return a function that finds a real graph, or skips the test if the data is not there."""

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
