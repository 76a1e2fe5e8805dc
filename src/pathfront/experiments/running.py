"""Running a suite: the searches that are not in the result file yet, graph by graph, their repetitions in turns.

Every search runs once, verified, and then again as often as its experiment asks for. The repetitions on one graph take
turns, so that noise affects all alike. What is finished is written at once; the same command goes on where it was
interrupted. A suite has a time after which no new search begins; what is left is measured by the next call.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pathfront.bench.figures import machine
from pathfront.devices.names import describe
from pathfront.exceptions import ArgumentError, PathfrontError
from pathfront.experiments import cells, graphs, measuring, results
from pathfront.experiments.cells import Cell, Place
from pathfront.experiments.results import Results, Writer
from pathfront.experiments.suite import Suite

Report = Callable[["Progress"], None]

_LONG = 2.0
"""Seconds of one repetition from which on there are fewer of them."""


@dataclass(slots=True)
class Progress:
    """How far a run is."""

    what: str
    done: int
    of: int
    seconds_left: float | None
    finished: str = ""
    """What has just been measured, in a line."""


@dataclass(slots=True)
class Summary:
    """What a run did."""

    path: Path
    measured: int = 0
    """Searches that ran for the first time."""
    known: int = 0
    """Searches that were in the file already."""
    failed: dict[str, list[str]] = field(default_factory=dict)
    """Reasons, and the searches that failed for each."""
    left: int = 0
    """Searches that did not begin, because the time was over."""
    missing: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Job:
    """The searches on one graph."""

    place: Place
    cells: list[Cell]
    measures: bool


def plan(suite: Suite, device: str, *, quick: bool) -> list[_Job]:
    """Return the searches of a suite by graph, each search once."""
    jobs: dict[str, _Job] = {}
    for experiment in suite.experiments:
        for place in cells.places(suite, experiment, quick=quick):
            job = jobs.setdefault(place.key, _Job(place, [], False))
            job.measures |= experiment.measures
        for cell in cells.cells(suite, experiment, device, quick=quick):
            known = {each.key: i for i, each in enumerate(jobs[cell.place.key].cells)}
            into = jobs[cell.place.key].cells
            if cell.key not in known:
                into.append(cell)
            elif cell.repeat > into[known[cell.key]].repeat:
                into[known[cell.key]] = cell
    return list(jobs.values())


def run(suite: Suite, path: Path, device: str, *, quick: bool, fresh: bool, minutes: float, report: Report) -> Summary:
    """Measure what is not in the file yet."""
    results.require_free(path)
    before = _before(suite, path, device, quick=quick, fresh=fresh)
    jobs = plan(suite, device, quick=quick)
    summary = Summary(path)
    end = time.monotonic() + 60 * minutes
    work = _Work(jobs, before, report)
    with Writer(path) as writer:
        if before is None:
            writer.write("run", **heading(suite, device, quick=quick))
        for job in jobs:
            if not work.is_open(job):
                summary.known += len(job.cells)
                continue
            if time.monotonic() > end:
                summary.left += sum(not work.is_done(cell) for cell in job.cells)
                continue
            _run_on(job, suite, writer, work, summary, end, quick=quick)
        writer.write("end", measured=summary.measured, left=summary.left)
    return summary


def heading(suite: Suite, device: str, *, quick: bool) -> dict[str, Any]:
    """Return the line that begins a result file."""
    own = [spec.file for spec in suite.graphs.values() if spec.own]
    return heading_of_figures(suite.name, device, quick=quick) | {"definition": suite.raw, "own_graphs": own}


def heading_of_figures(name: str, device: str, *, quick: bool) -> dict[str, Any]:
    """Return the line that begins the results of a suite that prints figures."""
    return {
        "version": results.VERSION,
        "suite": name,
        "quick": quick,
        "device": device,
        "taken": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "machine": machine() | {"device": describe(device)},
    }


def _before(suite: Suite, path: Path, device: str, *, quick: bool, fresh: bool) -> Results | None:
    """Return what a file holds already; it must be of the same suite and the same machine."""
    if fresh:
        path.unlink(missing_ok=True)
    if not path.exists() or path.stat().st_size == 0:
        return None
    before = results.read(path)
    now = heading(suite, device, quick=quick)
    for key in ("suite", "definition", "own_graphs", "quick", "device"):
        if before.run.get(key) != results.plain(now[key]):
            what = {"definition": "another version of the suite", "own_graphs": "other graphs"}.get(key)
            what = what or f"{key} {before.run.get(key)!r}"
            raise ArgumentError(f"{path} holds results of {what}; name another file, or begin it anew.")
    mine, theirs = now["machine"], before.run["machine"]
    for key in ("pathfront", "processor", "cores"):
        if theirs.get(key) != mine[key]:
            raise ArgumentError(
                f"{path} was begun with {key} {theirs.get(key)!r}, and here it is {mine[key]!r}: times would not be "
                "comparable; name another file, or begin it anew."
            )
    return before


class _Work:
    """What is left to do, and about how long it takes."""

    def __init__(self, jobs: list[_Job], before: Results | None, report: Report) -> None:
        self.before, self._report = before, report
        self._begun = time.monotonic()
        self.of = sum(len(job.cells) for job in jobs)
        self.done = sum(self.is_done(cell) for job in jobs for cell in job.cells)
        self._at_first = self.done

    def measured(self, cell: Cell) -> results.Measured | None:
        """Return what is known of a search from before."""
        return None if self.before is None else self.before.searches.get(cell.key)

    def is_done(self, cell: Cell) -> bool:
        known = self.measured(cell)
        if known is None:
            return False
        return known.error is not None or len(known.seconds) >= _repetitions(cell, known.seconds)

    def is_open(self, job: _Job) -> bool:
        known = self.before is not None and job.place.key in self.before.graphs
        return not (known and all(self.is_done(cell) for cell in job.cells))

    def say(self, what: str, finished: str = "") -> None:
        spent, done = time.monotonic() - self._begun, self.done - self._at_first
        left = spent / done * (self.of - self.done) if done >= 3 else None
        self._report(Progress(what, self.done, self.of, left, finished))


def _repetitions(cell: Cell, seconds: list[float]) -> int:
    """Return how often a search is to run: long ones less often, but twice unless they are very long."""
    if cell.repeat == 1 or not seconds:
        return 1
    each = min(seconds)
    return 1 if each > _LONG else min(cell.repeat, max(2, int(cell.patience / max(each, 1e-9))))


def _run_on(job: _Job, suite: Suite, writer: Writer, work: _Work, summary: Summary, end: float, *, quick: bool) -> None:
    """Measure the searches on one graph."""
    work.say(f"making {job.place.label}")
    try:
        graph, source = graphs.make(job.place)
        names = graphs.described(graph, job.place, source, measured=job.measures)
        reference = measuring.prepare(graph, source, names, suite.quick_time_limit if quick else suite.time_limit)
    except (PathfrontError, MemoryError, OSError, measuring.SearchFailedError) as error:
        why = str(error) or type(error).__name__
        summary.missing[job.place.label] = why
        writer.write("missing", label=job.place.label, key=job.place.key, why=why)
        work.done += sum(not work.is_done(cell) for cell in job.cells)
        return
    if work.before is None or job.place.key not in work.before.graphs:
        writer.write("graph", key=job.place.key, values={**names, "fingerprint": graphs.fingerprint(graph)})
    again = list(_first_runs(job, reference, writer, work, summary, end))
    if any(cell.repeat > 1 for cell, _ in again):
        work.say(f"{job.place.label}, repetitions in turns")
    gc.collect()  # once: in a process with many objects it takes longer than a search
    for repetition in range(1, max((cell.repeat for cell, _ in again), default=1)):
        for cell, seconds in again:
            if len(seconds) > repetition or len(seconds) >= _repetitions(cell, seconds):
                continue
            try:
                seconds.append(measuring.once(cell, reference))
            except measuring.SearchFailedError as failed:
                _failed(cell, str(failed), writer, summary)
                continue
            writer.write("timing", key=cell.key, seconds=seconds[-1])
    work.done += sum(work.measured(cell) is not None for cell, _ in again)
    work.say(job.place.label)


def _first_runs(
    job: _Job, reference: measuring.Reference, writer: Writer, work: _Work, summary: Summary, end: float
) -> Iterator[tuple[Cell, list[float]]]:
    """Run what has not run yet; return the searches that may have to be repeated."""
    for cell in job.cells:
        known = work.measured(cell)
        if known is not None:
            summary.known += 1
            if not work.is_done(cell):
                yield cell, known.seconds
            continue
        if time.monotonic() > end:
            summary.left += 1
            continue
        what = cell.label
        work.say(what)
        try:
            ran = measuring.first(cell, reference)
        except measuring.SearchFailedError as failed:
            _failed(cell, str(failed), writer, summary)
            work.done += 1
            continue
        summary.measured += 1
        writer.write(
            "search",
            key=cell.key,
            place=job.place.key,
            name=cell.run.name,
            graph=job.place.label,
            variables=cell.names,
            values=ran.values,
            seconds=ran.seconds,
            trace=ran.trace,
        )
        work.done += 1
        work.say(what, f"{what}: {_in_words(ran)}")
        yield cell, [ran.seconds]


def _failed(cell: Cell, why: str, writer: Writer, summary: Summary) -> None:
    summary.failed.setdefault(why, []).append(cell.label)
    writer.write(
        "search",
        key=cell.key,
        place=cell.place.key,
        name=cell.run.name,
        graph=cell.place.label,
        variables=cell.names,
        values={},
        error=why,
    )


def _in_words(ran: measuring.First) -> str:
    seconds = f"{ran.seconds * 1e3:.3g} ms" if ran.seconds < 1 else f"{ran.seconds:.3g} s"
    if ran.values.get("edges") is None:
        return seconds
    return f"{seconds}, {ran.values['edges']:,} arcs in {ran.values['iterations']:,} iterations"
