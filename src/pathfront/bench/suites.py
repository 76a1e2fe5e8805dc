"""The registry of suites."""

from __future__ import annotations

from pathfront.bench import cpu, foundation, work
from pathfront.bench.figures import Suite
from pathfront.exceptions import ArgumentError

_SUITES = {suite.name: suite for suite in (cpu.SUITE, foundation.SUITE, work.SUITE)}


def names() -> list[str]:
    """Return the names of all suites."""
    return sorted(_SUITES)


def get(name: str) -> Suite:
    """Return a suite by name."""
    if name not in _SUITES:
        raise ArgumentError(f"suite is {name!r}, but there are only {', '.join(names())}.")
    return _SUITES[name]
