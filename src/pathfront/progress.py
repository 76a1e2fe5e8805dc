"""What is called a few times a second while a native loop runs: progress bars, and the check of a time limit."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar

from pathfront.exceptions import TimeLimitError

Progress = Callable[[float], None]

_limit: ContextVar[Progress | None] = ContextVar("limit", default=None)


def current_limit() -> Progress | None:
    """Return the check of the caller's time limit; native loops without a progress callback call it instead."""
    return _limit.get()


@contextlib.contextmanager
def time_limited(seconds: float | None, progress: Progress | None) -> Iterator[Progress | None]:
    """Limit the time of a search, and of what it computes before; yield a progress callback that checks the limit.

    A search that has taken longer always ends with the error, even if it was over before the limit was checked.
    """
    if seconds is None:
        yield progress
        return
    end = time.monotonic() + seconds

    def check(_: float = 0) -> None:
        if time.monotonic() > end:
            raise TimeLimitError(
                f"the search took longer than its time_limit of {seconds:g} seconds, and was stopped; "
                "allow more time, or ask for less."
            )

    def check_and_show(fraction: float) -> None:
        check()
        if progress is not None:
            progress(fraction)

    before = _limit.set(check)
    try:
        yield check_and_show
        check()
    finally:
        _limit.reset(before)


@contextlib.contextmanager
def progress_bar(what: str, *, shown: bool) -> Iterator[Progress | None]:
    """Yield a callback that moves a progress bar, or None if standard error is not a terminal."""
    if not (shown and sys.stderr.isatty()):
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=1.0)
        yield lambda fraction: bar.update(task, completed=fraction)
