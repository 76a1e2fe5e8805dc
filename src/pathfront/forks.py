"""Telling a forked process from its parent: by counting, since in two PID namespaces they may have the same id."""

from __future__ import annotations

import os

_forks = 0


def forks() -> int:
    """Return how many forks lie between this process and the one that imported the package."""
    return _forks


def _count() -> None:
    global _forks
    _forks += 1


os.register_at_fork(after_in_child=_count)
