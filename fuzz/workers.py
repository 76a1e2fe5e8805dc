"""Worker processes: each tries the cases of round after round, and announces each one before.

The announcement is a few bytes of memory shared with the parent. So the parent can tell which case a worker has died
of, or has been stuck in for too long; then it sends SIGABRT, upon which Python writes the stacks of all threads, and
after a moment SIGKILL. A worker sends the counts and the findings of each round through a pipe.
"""

from __future__ import annotations

import faulthandler
import mmap
import multiprocessing
import os
import random
import signal
import struct
import tempfile
import time
from collections import Counter
from multiprocessing.connection import Connection
from typing import IO, Any, NamedTuple

from fuzz.finding import Case, Finding
from fuzz.parts import PARTS, Part
from fuzz.shrink import check_safely

_FORK = multiprocessing.get_context("fork")
_ANNOUNCEMENT = struct.Struct("<QQqd")
"""Number of the part, seed, number of the case (or _MAKING or _SENDING), time."""
_MAKING, _SENDING = -1, -2
"""What a worker does between cases; it may have to wait until the parent takes its results."""
_NAMES = list(PARTS)


class Round(NamedTuple):
    """What a worker has done in a round."""

    part: str
    seed: int
    cases: int
    tags: Counter[str]
    findings: list[tuple[Case, Finding]]


def run_round(part: Part, seed: int, announce: Any = None) -> Round:
    """Try the cases of a round; stop at the fifth finding."""
    tags: Counter[str] = Counter()
    findings: list[tuple[Case, Finding]] = []
    cases = part.cases(seed)
    count = 0
    while len(findings) < 5:
        if announce:
            announce(part.name, seed, _MAKING)
        case = next(cases, None)
        if case is None:
            break
        if announce:
            announce(part.name, seed, count)
        finding = check_safely(part.check, case)
        if finding is not None:
            findings.append((case, finding))
        count += 1
        tags.update(part.tags(case))
    return Round(part.name, seed, count, tags, findings)


class Worker:
    """A worker process, seen from the parent."""

    def __init__(self, parts: list[str], first: int, step: int) -> None:
        self._memory = mmap.mmap(-1, _ANNOUNCEMENT.size)
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the worker
        self.results, sender = _FORK.Pipe(duplex=False)
        self._announce(parts[0], first, _MAKING)
        self._process = _FORK.Process(target=self._work, args=(parts, first, step, sender), daemon=True)
        self._process.start()
        sender.close()

    def _announce(self, part: str, seed: int, case: int) -> None:
        # at once: pack_into would write zeros first, which the parent might read
        self._memory[:] = _ANNOUNCEMENT.pack(_NAMES.index(part), seed, case, time.monotonic())

    def announced(self) -> tuple[Part, int, int, float]:
        """Return the part, the seed and the number of the latest case, and for how many seconds it has run."""
        number, seed, case, since = _ANNOUNCEMENT.unpack_from(self._memory)
        return PARTS[_NAMES[number]], seed, case, 0.0 if case == _SENDING else time.monotonic() - since

    def _work(self, parts: list[str], first: int, step: int, sender: Connection) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the workers
        os.dup2(self._log.fileno(), 2)
        faulthandler.enable(self._log)
        rng = random.Random(first)
        spent = dict.fromkeys(parts, 0.0)
        for seed in range(first, 2**63, step):
            # the part that lags behind its share most; at first each of them once
            name = min(parts, key=lambda name: (spent[name] / PARTS[name].share, rng.random()))
            started = time.monotonic()
            done = run_round(PARTS[name], seed, self._announce)
            spent[name] += time.monotonic() - started + 1e-6
            self._announce(name, seed, _SENDING)
            sender.send(done)

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.is_alive()

    @property
    def exitcode(self) -> int:
        """How the process ended."""
        self._process.join()
        return self._process.exitcode or 0

    def kill(self, with_stacks: bool = False) -> None:
        """End the process."""
        if with_stacks and self._process.pid is not None:
            os.kill(self._process.pid, signal.SIGABRT)
            self._process.join(5)
        self._process.kill()
        self._process.join()

    def close(self) -> None:
        """End the process if it still runs, and give everything back."""
        self.kill()
        self._log.close()
        self.results.close()
        self._memory.close()

    def log(self) -> str:
        """Return the end of what the process has written to its standard error."""
        self._log.seek(0)
        return self._log.read()[-6000:].decode(errors="replace")


def nth_case(part: Part, seed: int, number: int) -> Case:
    """Return a case by its place in a round."""
    for i, case in enumerate(part.cases(seed)):
        if i == number:
            return case
    raise LookupError(f"round {part.name}:{seed} has no case {number}")
