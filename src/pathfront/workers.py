"""Python threads: a pool of as many as the system allows, and calls of other packages that can be interrupted."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Any, Self, TypeVar

Result = TypeVar("Result")


def start(thread: threading.Thread) -> None:
    """Start a thread; raise MemoryError if the system allows no more, for which Python raises RuntimeError."""
    try:
        thread.start()
    except RuntimeError as error:
        raise MemoryError(f"the system allows no more threads ({error}).") from None


def interruptible(call: Callable[[], Result]) -> Result:
    """Make a long call into another package that does not notice Ctrl-C, but releases the interpreter lock.

    It runs in a thread of its own. After an interrupt that thread goes on by itself, and its result is dropped.
    """
    future: Future[Result] = Future()

    def body() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    try:
        start(threading.Thread(target=body, name="pathfront-call", daemon=True))
    except MemoryError:
        return call()
    return future.result()


class Workers:
    """Up to `most` threads, until the end of a `with` block. If none can be started, `submit` makes the calls itself.

    Unlike `concurrent.futures.ThreadPoolExecutor` it is content with fewer threads when the system refuses one, be it
    for want of memory or because of a limit. Nor does it keep a process from ending: the threads are daemons.
    """

    def __init__(self, most: int) -> None:
        self._calls: SimpleQueue[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        try:
            for _ in range(most):
                thread = threading.Thread(target=self._serve, name="pathfront-worker", daemon=True)
                start(thread)
                self._threads.append(thread)
        except MemoryError:
            pass  # go on with those that could be started
        except BaseException:  # Ctrl-C: no `with` block will end them
            self._end()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Drop the calls that have not begun, and wait for the others."""
        with contextlib.suppress(Empty):
            while True:
                self._calls.get_nowait()
        self._end()
        if sys.is_finalizing():
            return  # daemons run no more
        for thread in self._threads:
            thread.join()

    def _end(self) -> None:
        """Let every thread end after the calls that were submitted; one may have been started that is not listed."""
        for _ in range(len(self._threads) + 1):
            self._calls.put(None)

    def submit(self, call: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """Have a thread make this call; the calls begin in order."""
        future: Future[Result] = Future()
        if self._threads:
            self._calls.put((future, call, arguments))
        else:
            future.set_result(call(*arguments))
        return future

    def _serve(self) -> None:
        while (next_ := self._calls.get()) is not None:
            future, call, arguments = next_
            try:
                future.set_result(call(*arguments))
            except BaseException as error:
                future.set_exception(error)
            del next_, future, call, arguments  # not to keep the last result alive
