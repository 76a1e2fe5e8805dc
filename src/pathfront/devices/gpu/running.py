"""Long work on a device that can be interrupted, reports progress, and is stopped if it hangs.

The work runs in a thread of its own, in native code. The calling thread waits for it and wakes twenty times a second to
handle signals and call the progress function. If either raises, it asks the work to stop, waits until it has, and
re-raises.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from pathfront.exceptions import DeviceError
from pathfront.workers import start

_POLL = 0.05
"""Seconds between two wake-ups."""


def watched(
    work: Callable[[], None],
    *,
    stop: Callable[[], None],
    progress: Callable[[float], None] | None = None,
    heartbeat: Callable[[], int] | None = None,
    patience: float = 0,
) -> None:
    """Run `work`; `stop` must make it end soon at any time.

    `heartbeat` returns a number that changes as long as there is progress. If it has not changed for `patience` seconds
    (0: no limit), the work is stopped and DeviceError raised.
    """
    done, failures = threading.Event(), list[BaseException]()

    def body() -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)
        finally:
            done.set()

    start(threading.Thread(target=body, name="pathfront-device", daemon=True))
    try:
        _wait(done, progress, heartbeat, patience)
    except BaseException:
        stop()
        while not done.wait(_POLL):  # an Event, since a join that is interrupted cannot be repeated
            pass
        raise
    if failures:
        raise failures[0]


def _wait(
    done: threading.Event,
    progress: Callable[[float], None] | None,
    heartbeat: Callable[[], int] | None,
    patience: float,
) -> None:
    last, waited, polled = heartbeat() if heartbeat else 0, 0.0, time.monotonic()
    while not done.wait(_POLL):
        if progress is not None:
            progress(0.0)
        if heartbeat is None or patience <= 0:
            continue
        now, seconds = heartbeat(), time.monotonic() - polled
        polled += seconds
        # While the process is suspended the work cannot progress either: count at most two intervals.
        waited = 0.0 if now != last else waited + min(seconds, 2 * _POLL)
        last = now
        if waited > patience:
            raise DeviceError(
                f"the device has made no progress for {patience:g} seconds, and was stopped; use device='cpu'."
            )
