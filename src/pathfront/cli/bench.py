"""`pathfront bench`: suites of measurements, the papers' experiments and the project's own figures."""

from __future__ import annotations

import json as encoder
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathfront.cli import inputs, output
from pathfront.cli.errors import CommandLineError, naming_file, print_stderr
from pathfront.exceptions import ArgumentError

if TYPE_CHECKING:
    from pathfront.bench.figures import Figure
    from pathfront.experiments.running import Progress, Summary
    from pathfront.experiments.suite import Suite

EPILOG = """\b
Examples:
  pathfront bench --list
  pathfront bench davidson2014 --quick && pathfront report
  pathfront bench adds2021 --device emulated --quick
  pathfront bench davidson2014 --only work --only fig7
  pathfront bench davidson2014 --graphs roads.gr --graphs web.mtx
  pathfront bench mine.toml --output mine.jsonl
  pathfront bench foundation --quick
  pathfront bench cpu && pathfront report
A paper's suite goes on where it was interrupted: finished searches are not measured again.
Real graphs are taken from the folder that PATHFRONT_DATA names; without them generated ones are used.
"""


def bench(
    suite: Annotated[
        str | None,
        typer.Argument(metavar="SUITE", help="A name from --list, or a TOML file of your own; foundation by default."),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the suites.")] = False,
    device: Annotated[
        str | None, typer.Option(metavar="NAME", help="Device: cpu, cuda, cuda:1, or emulated, where a suite has one.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Smaller graphs and fewer rounds: a minute or two.")] = False,
    graphs: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Graph file to use instead of a paper's suite's own, repeatable."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Run only this experiment of a paper's suite, such as fig7; repeatable."),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(metavar="X", help="No new search begins after that time; the suite's own limit by default."),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Measure everything anew, and replace earlier results.")
    ] = False,
    output_file: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Result file; in pathfront-results by default."),
    ] = None,
    json: inputs.Json = False,
) -> None:
    """Measure a paper's experiments, or figures against their peers.

    Every timed answer is verified. Keep the machine idle otherwise: ratios tolerate some noise, not all.
    """
    from pathfront.experiments import builtin, builtin_names, read
    from pathfront.experiments.toml import with_only

    if listed:
        _list(json)
        return
    is_file = suite is not None and suite.endswith(".toml")
    if suite is not None and (is_file or suite in builtin_names()):
        with naming_file(suite):
            chosen = read(suite) if is_file else builtin(suite)
        _experiments(with_only(chosen, only), only or [], device, quick, graphs, minutes, fresh, output_file, json)
        return
    for name, given in (("--graphs", graphs), ("--only", only), ("--minutes", minutes), ("--fresh", fresh or None)):
        if given is not None:
            raise CommandLineError(f"{name} is for suites of experiments, such as {', '.join(builtin_names())}")
    _figures(suite, device, quick, output_file, json)


# ---- suites of experiments ---------------------------------------------------------------------------------------


def _experiments(
    suite: Suite,
    only: list[str],
    device: str | None,
    quick: bool,
    graphs: list[str] | None,
    minutes: float | None,
    fresh: bool,
    output_file: str | None,
    json: bool,
) -> None:
    from pathfront.devices.names import as_device
    from pathfront.experiments import results, running
    from pathfront.experiments.graphs import with_own

    where = as_device(device or "cpu")
    for file in graphs or []:
        if not Path(file).is_file():
            raise FileNotFoundError(2, "no such file", file)
    if minutes is not None and not minutes > 0:
        raise CommandLineError(f"--minutes is {minutes:g}, but it must be greater than 0")
    suite = with_own(suite, graphs or [])
    parts = [suite.name, *only, where.replace(":", "-"), *(["quick"] if quick else []), *(["own"] if graphs else [])]
    path = Path(output_file) if output_file else Path(results.FOLDER) / f"{'-'.join(parts)}.jsonl"
    limit = (suite.quick_minutes * 3 if quick else suite.minutes * 1.5) if minutes is None else minutes
    known = ("quick_minutes" if quick else "minutes") in suite.raw
    about = f" About {suite.quick_minutes if quick else suite.minutes:g} minutes on two cores." if known else ""
    print_stderr(f"{suite.name}: {suite.summary}{about} Results in {path}")
    try:
        with naming_file(str(path)), _shown() as report:
            done = running.run(suite, path, where, quick=quick, fresh=fresh, minutes=limit, report=report)
    except KeyboardInterrupt:
        print_stderr(f"interrupted; {path} keeps what is finished, and the same command goes on from there")
        raise
    except ArgumentError as error:
        raise CommandLineError(str(error).rstrip(".").replace("begin it anew", "give --fresh")) from None
    _say(done, json)


def _say(done: Summary, json: bool) -> None:
    from pathfront.experiments.records import listed
    from pathfront.experiments.results import FOLDER

    for why, searches in done.failed.items():
        print_stderr(f"failed: {listed(searches)}: {why}")
    for label, why in done.missing.items():
        print_stderr(f"left out: {label}: {why}")
    if done.left:
        print_stderr(f"{done.left} searches are left, since the time was over; the same command goes on with them")
    facts = {
        "results": str(done.path),
        "measured": done.measured,
        "known": done.known,
        "failed": sum(map(len, done.failed.values())),
        "left": done.left,
    }
    if json:
        output.show_json(facts)
        return
    output.show_facts([(name, str(value)) for name, value in facts.items()])
    named = "" if done.path.parent == Path(FOLDER) else f" {done.path}"
    print_stderr(f"'pathfront report{named}' makes a page of it")


@contextmanager
def _shown() -> Iterator[Callable[[Progress], None]]:
    """Yield what shows progress: a bar with an estimate on a terminal, a line for each search elsewhere."""
    if not sys.stderr.isatty():

        def say(progress: Progress) -> None:
            if progress.finished:
                print_stderr(f"[{progress.done}/{progress.of}] {progress.finished}")

        yield say
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}  {task.description}"),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1, left="")

        def move(progress: Progress) -> None:
            left = "" if progress.seconds_left is None else f"about {_in_minutes(progress.seconds_left)} left"
            bar.update(task, completed=progress.done, total=progress.of, description=progress.what, left=left)

        yield move


def _in_minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def _list(json: bool) -> None:
    from pathfront.bench import suites
    from pathfront.experiments import builtin, builtin_names

    papers = [builtin(name) for name in builtin_names()]
    rows = [(each.name, f"{each.quick_minutes:g} / {each.minutes:g} min", each.summary) for each in papers]
    rows += [(each.name, "", each.summary) for each in suites.every()]
    if json:
        output.show_json([dict(zip(("suite", "quick_and_full", "summary"), row, strict=True)) for row in rows])
    else:
        output.show_table(("suite", "quick / full", "what it measures"), rows)


# ---- suites of figures -------------------------------------------------------------------------------------------


def _figures(suite: str | None, device: str | None, quick: bool, output_file: str | None, json: bool) -> None:
    from pathfront.bench import figures, suites
    from pathfront.experiments import builtin_names, running
    from pathfront.experiments.results import FOLDER, Writer
    from pathfront.formats.files import open_sink

    chosen = suites.get(suite, device, builtin_names())
    path = Path(FOLDER) / f"{chosen.name}-{chosen.device.replace(':', '-')}{'-quick' if quick else ''}.jsonl"
    found = []
    measured = chosen.run(quick)
    first = list(islice(measured, 1))  # what cannot be measured at all fails here, before earlier results are replaced
    path.unlink(missing_ok=True)
    with Writer(path) as writer:
        writer.write("run", **running.heading_of_figures(chosen.name, chosen.device, quick=quick))
        for figure in chain(first, measured):
            found.append(figure)
            writer.write("figure", figure=figures.as_mapping(figure))
            print_stderr(" ".join(word for word in _row(figure) if word))
    answer = figures.as_json(chosen, found)
    if output_file is not None:
        with naming_file(output_file), open_sink(output_file) as sink:
            sink.write(encoder.dumps(answer, indent=2).encode() + b"\n")
    if json:
        output.show_json(answer)
    else:
        output.show_table(("figure", "measured", "target", "met", "detail"), [_row(figure) for figure in found])


def _row(figure: Figure) -> tuple[str, str, str, str, str]:
    met = {True: "yes", False: "NO", None: ""}[figure.met]
    sign = "at least" if figure.better == "higher" else "at most"
    target = "" if figure.target is None else f"{sign} {figure.target:g}"
    return figure.what, f"{figure.measured:.3g} {figure.unit}", target, met, figure.detail
