"""Progress bars on a terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

Progress = Callable[[float], None]


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
