"""Running something long on a device without losing Ctrl-C, progress, or a machine that hangs.

The work is done by a thread of its own, which spends its time in native code. The calling thread waits for it, a few
times a second lets signals in and calls the progress function, and, should one of them raise, asks the work to stop,
waits until it has, and raises in its turn.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from pathfront.exceptions import DeviceError

_LOOK = 0.05  # seconds between two looks


def watched(
    work: Callable[[], None],
    *,
    stop: Callable[[], None],
    progress: Callable[[float], None] | None = None,
    pulse: Callable[[], int] | None = None,
    patience: float = 0,
) -> None:
    """Do some work; `stop` must make it end soon, whatever it is doing.

    `pulse` returns a number that changes as long as there is progress; if it has not for `patience` seconds (0: for
    ever), the work is stopped and that is an error.
    """
    done, failures = threading.Event(), list[BaseException]()

    def body() -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)
        finally:
            done.set()

    worker = threading.Thread(target=body, name="pathfront-device", daemon=True)
    worker.start()
    try:
        _wait(done, progress, pulse, patience)
    except BaseException:
        stop()
        while not done.wait(_LOOK):  # an Event, since a join that is interrupted cannot be repeated
            pass
        raise
    if failures:
        raise failures[0]


def _wait(
    done: threading.Event,
    progress: Callable[[float], None] | None,
    pulse: Callable[[], int] | None,
    patience: float,
) -> None:
    last, waited, looked = pulse() if pulse else 0, 0.0, time.monotonic()
    while not done.wait(_LOOK):
        if progress is not None:
            progress(0.0)
        if pulse is None or patience <= 0:
            continue
        now, seconds = pulse(), time.monotonic() - looked
        looked += seconds
        # A process that was put to sleep slept as a whole: the work had no time to get on in.
        waited = 0.0 if now != last else waited + min(seconds, 2 * _LOOK)
        last = now
        if waited > patience:
            raise DeviceError(f"the device has made no progress for {patience} seconds, and was stopped.")
