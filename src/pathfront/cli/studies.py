"""What `explain`, `sweep` and `trace` share: the file that they write, and how it was measured."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfront.cli import inputs, output
from pathfront.cli.errors import naming_file, print_stderr

if TYPE_CHECKING:
    from pathfront.report.elements import Page

KINDS = (".html", ".json", ".csv")

OutputFile = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write a page (.html), or the numbers: .json, .csv."),
]
Rounds = Annotated[int, inputs.whole_option("--rounds", help="Repetitions of each search, in turns with the others.")]
Seconds = Annotated[
    float,
    typer.Option(
        "--seconds",
        metavar="S",
        help="About how long all searches together may take.",
        parser=inputs.parser_for(float, "--seconds"),
    ),
]


def check_output(file: str | None) -> str | None:
    """Return the kind of the file to write, before any work is done."""
    if file is None:
        return None
    from pathfront.cli.results import kind_of

    return kind_of(file, "--output", KINDS)


def write(
    file: str, kind: str, page: Callable[[], Page], answer: Any, rows: Callable[[], Sequence[Mapping[str, Any]]]
) -> None:
    """Write a page, all of an answer as JSON, or rows as CSV."""
    from pathfront.formats.files import open_sink

    if kind == ".html":
        from pathfront.report.html import to_html

        text = to_html(page())
    elif kind == ".json":
        text = json.dumps(output.plain(answer), indent=2, allow_nan=False) + "\n"
    else:
        text = _csv(rows())
    with naming_file(file), open_sink(file) as sink:
        sink.write(text.encode("utf-8", "surrogatepass"))
    print_stderr(f"wrote {file}")


def _csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as CSV; a row may lack columns of others."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(names)
    for row in rows:
        table.writerow([_cell(row.get(name)) for name in names])
    return text.getvalue()


def _cell(value: Any) -> Any:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else value


def measured(device: str) -> list[tuple[str, str]]:
    """Return the machine and the versions as facts of a page."""
    from pathfront.bench.figures import machine

    found = machine()
    packages = ", ".join(f"{name} {version}" for name, version in found["packages"].items() if version)
    return [
        ("machine", f"{found['processor']}, {found['cores']} cores, {found['system']}"),
        ("device", device),
        ("software", f"pathfront {found['pathfront']}, Python {found['python']}, {packages}"),
    ]


def on_command_line(found: Any, failing: str) -> Any:
    """Return a study whose failures name options and commands; `failing` is the field of what may have failed."""
    from pathfront.cli.spelling import on_command_line

    each = [replace(one, failure=on_command_line(one.failure)) for one in getattr(found, failing)]
    return replace(found, **{failing: tuple(each)})


def titled(file: str) -> str:
    """Return the name of a graph's file as titles have it."""
    return "standard input" if file == "-" else PurePath(file).name


def milliseconds(seconds: float | None) -> str:
    """Return a time for a table, or a dash."""
    return "-" if seconds is None else f"{1e3 * seconds:.4g} ms"


def count(value: int | None) -> str:
    """Return a count for a table, or a dash."""
    return "-" if value is None else f"{value:,}"
