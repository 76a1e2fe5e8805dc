"""A campaign: workers run until the time is over or enough has been tried; findings are reduced and saved."""

from __future__ import annotations

import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from fuzz import trips
from fuzz.finding import Case, Finding
from fuzz.parts import PARTS, Part
from fuzz.saved import FOLDER, save
from fuzz.shrink import crash, shrink
from fuzz.workers import Round, Worker, nth_case

_MOST_FINDINGS = 20
_MOST_ALIKE = 3
"""Findings of one kind that are reported; the others are likely to have the same cause."""
_BETWEEN_LINES = 10.0
"""Seconds between lines of progress; on a terminal a line is rewritten every second."""


@dataclass
class Campaign:
    """What is run, and what has come of it."""

    parts: list[str]
    seed: int
    seconds: float | None = None
    count: int | None = None
    """Cases of all parts together after which the campaign ends."""
    processes: int = 2
    folder: Path = FOLDER
    shrink_seconds: float = 60.0
    cases: Counter[str] = field(default_factory=Counter)
    rounds: Counter[str] = field(default_factory=Counter)
    tags: Counter[str] = field(default_factory=Counter)
    findings: list[tuple[str, Finding, Path]] = field(default_factory=list)
    """The round as `PART:SEED`, the finding, and the file of the case."""
    last_seed: int = 0
    _seen: Counter[tuple[str, str]] = field(default_factory=Counter)
    _started: float = 0.0
    _shown: float = 0.0

    def run(self) -> None:
        """Run to the end, to the twentieth finding, or to Ctrl-C."""
        self._started = time.monotonic()
        trips.files_of_all()
        workers = [Worker(self.parts, self.seed + i, self.processes) for i in range(self.processes)]
        try:
            while not self._is_over():
                for i, worker in enumerate(workers):
                    if not self._attend(worker):
                        seed = worker.announced()[1] + self.processes
                        worker.close()
                        workers[i] = Worker(self.parts, seed, self.processes)
                self._show_progress()
        except KeyboardInterrupt:
            print("\nstopped", file=sys.stderr)
        finally:
            for worker in workers:
                worker.close()

    def _is_over(self) -> bool:
        over = self.seconds is not None and time.monotonic() - self._started >= self.seconds
        enough = self.count is not None and self.cases.total() >= self.count
        return over or enough or len(self.findings) >= _MOST_FINDINGS

    def _attend(self, worker: Worker) -> bool:
        """Take a worker's results; return whether it still runs."""
        deadline = time.monotonic() + 0.2
        while not self._is_over() and worker.results.poll(max(0.0, deadline - time.monotonic())):
            try:
                self._take(worker.results.recv())
            except EOFError:
                self._report_end(worker, crash(worker.exitcode))
                return False
            if time.monotonic() > deadline:
                break
        part, _, _, seconds = worker.announced()
        if seconds > part.patience and worker.is_alive:
            worker.kill(with_stacks=True)
            self._report_end(worker, Finding("hang", f"no answer after {part.patience:.0f} seconds"))
            return False
        return True

    def _take(self, done: Round) -> None:
        self.cases[done.part] += done.cases
        self.rounds[done.part] += 1
        self.tags.update(done.tags)
        self.last_seed = max(self.last_seed, done.seed)
        for case, finding in done.findings:
            self._report(PARTS[done.part], done.seed, case, finding)

    def _report_end(self, worker: Worker, finding: Finding) -> None:
        """Report the case that a worker was trying."""
        part, seed, number, _ = worker.announced()
        print(worker.log(), file=sys.stderr)
        if number < 0:
            where = f"while round {part.name}:{seed} was made: {finding.details}"
            self._report(part, seed, {"round": seed}, Finding(finding.kind, where), reduce=False)
        else:
            self._report(part, seed, nth_case(part, seed, number), finding)

    def _report(self, part: Part, seed: int, case: Case, finding: Finding, *, reduce: bool = True) -> None:
        key = part.name, finding.kind
        if self._seen[key] >= _MOST_ALIKE or len(self.findings) >= _MOST_FINDINGS:
            return
        self._seen[key] += 1
        again = False
        if reduce:
            patience = part.patience if finding.kind != "hang" else min(part.patience, 10.0)
            case, again = shrink(case, finding.kind, part.check, part.smaller, self.shrink_seconds, patience)
        path = save(part.name, case, finding, f"{part.name}:{seed}", self.folder)
        self.findings.append((f"{part.name}:{seed}", finding, path))
        note = "" if again else "; it did not show again"
        print(f"\nFINDING in {part.name}:{seed}: {finding}\n  case: {path}{note}", file=sys.stderr, flush=True)

    def _show_progress(self) -> None:
        now = time.monotonic()
        terminal = sys.stderr.isatty()
        if now - self._shown < (1.0 if terminal else _BETWEEN_LINES):
            return
        self._shown = now
        passed = now - self._started
        counts = ", ".join(f"{name} {self.cases[name]:,}" for name in self.parts)
        rate = self.cases.total() / max(passed, 0.001)
        line = f"{passed / 60:5.1f} min  {counts}  ({rate:,.0f}/s)  findings: {len(self.findings)}"
        print(f"\r{line}\033[K" if terminal else line, end="" if terminal else "\n", file=sys.stderr, flush=True)

    def summary(self) -> str:
        """Return what was run and found."""
        minutes = (time.monotonic() - self._started) / 60
        lines = [f"{minutes:.1f} minutes, {self.processes} processes, seeds {self.seed} to {self.last_seed}"]
        lines += [f"  {name}: {self.cases[name]:,} cases in {self.rounds[name]:,} rounds" for name in self.parts]
        groups: dict[str, list[tuple[str, int]]] = {}
        for tag, count in self.tags.items():
            kind, _, value = tag.partition(" ")
            groups.setdefault(kind, []).append((value, count))
        for kind, values in sorted(groups.items()):
            values.sort(key=lambda pair: (not pair[0].isdigit(), int(pair[0]) if pair[0].isdigit() else 0, pair[0]))
            lines.append(f"  by {kind}: " + ", ".join(f"{value} {count:,}" for value, count in values))
        lines.append(f"findings: {len(self.findings)}")
        for where, finding, path in self.findings:
            lines += [f"  {where}  {finding}", f"    again: python -m fuzz --repeat {where}; reduced: {path}"]
        return "\n".join(lines)
