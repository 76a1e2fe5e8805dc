"""The command line: `pathfront COMMAND ...`, one file of this folder per command.

This file is the table of contents. A command's file imports what it needs when it runs, so that `pathfront --help`
does not wait for numpy. `errors` sets the exit codes, `output` formats the answers, `inputs` holds the common
arguments.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated, Any

import typer

from pathfront.cli import (
    bench,
    centrality,
    convert,
    datasets,
    demo,
    explain,
    formats,
    generate,
    info,
    matrix,
    methods,
    nearest,
    path,
    report,
    searching,
    solve,
    sweep,
    trace,
    verify,
)
from pathfront.cli.command import Command, Group
from pathfront.cli.errors import guarded

__all__ = ["main", "run"]

EPILOG = """\b
Examples:
  pathfront demo
  pathfront generate road_like 10000 -o roads.gr
  pathfront solve roads.gr --source 1 --path-to 4711
  pathfront COMMAND --help
Exit code 0: done. 1: a verification refuted the distances. 2: bad usage or bad input. 130: Ctrl-C.
With --json an error is JSON as well, on standard error.
"""


def _show_version(wanted: bool) -> None:
    if wanted:
        from pathfront import __version__

        print(f"pathfront {__version__}")
        raise typer.Exit


def _pathfront(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Exact shortest paths on large weighted graphs."""


# Plain help: it is the same in a pipe and on a terminal, and takes less time.
_plain: dict[str, Any] = {
    "add_completion": False,
    "rich_markup_mode": None,
    "context_settings": {"help_option_names": ["--help", "-h"], "max_content_width": 100},
}

app = typer.Typer(**_plain, cls=Group, epilog=EPILOG)
app.callback()(_pathfront)
app.command("solve", cls=searching.SearchCommand, epilog=solve.EPILOG)(solve.solve)
app.command("path", cls=Command, epilog=path.EPILOG)(path.path)
app.command("matrix", cls=searching.SearchCommand, epilog=matrix.EPILOG)(matrix.matrix)
app.command("nearest", cls=Command, epilog=nearest.EPILOG)(nearest.nearest)
app.command("centrality", cls=Command, epilog=centrality.EPILOG)(centrality.centrality)
app.command("info", cls=Command, epilog=info.EPILOG)(info.info)
app.command("explain", cls=Command, epilog=explain.EPILOG)(explain.explain)
app.command("sweep", cls=searching.SearchCommand, epilog=sweep.EPILOG)(sweep.sweep)
app.command("trace", cls=Command, epilog=trace.EPILOG)(trace.trace)
app.command("convert", cls=Command, epilog=convert.EPILOG)(convert.convert)
app.add_typer(
    typer.Typer(**_plain, cls=generate.Kinds, callback=generate.generate, epilog=generate.EPILOG),
    name="generate",
    subcommand_metavar="KIND ...",
)
app.add_typer(datasets.application(**_plain), name="datasets", subcommand_metavar="[COMMAND ...]")
app.command("verify", cls=Command, epilog=verify.EPILOG)(verify.verify)
app.command("methods", cls=Command, epilog=methods.EPILOG)(methods.methods)
app.command("formats", cls=Command, epilog=formats.EPILOG)(formats.formats)
app.command("demo", cls=Command, epilog=demo.EPILOG)(demo.demo)
app.command("bench", cls=Command, epilog=bench.EPILOG)(bench.bench)
app.command("report", cls=Command, epilog=report.EPILOG)(report.report)


def main() -> None:
    """Run the command line and end the process."""
    for stream in (0, 1, 2):  # a file must not get the number of a closed stream, to which libraries may write
        try:
            os.fstat(stream)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command line and return the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # a name that the encoding lacks is no reason to fail
        sys.stdout.reconfigure(errors="backslashreplace")
    return guarded(lambda: _invoke(arguments or ["--help"]), as_json="--json" in arguments)


def _invoke(arguments: list[str]) -> int:
    command = typer.main.get_command(app)
    try:
        with command.make_context("pathfront", arguments) as context:
            command.invoke(context)
    except typer.Exit as end:
        return int(end.exit_code)
    return 0
