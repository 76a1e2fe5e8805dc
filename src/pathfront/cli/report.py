"""`pathfront report`: results as a page."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from pathfront.cli.errors import CommandLineError, naming_file, print_stderr
from pathfront.exceptions import ArgumentError

EPILOG = """\b
Examples:
  pathfront bench davidson2014 --quick && pathfront report
  pathfront report pathfront-results -o report.html
  pathfront report davidson2014.jsonl --markdown -o report.md
  pathfront report davidson2014.jsonl --csv tables --images figures
"""


def report(
    results: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RESULTS...]", help="Result files, or folders of them; by default pathfront-results."),
    ] = None,
    output_file: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="The page; report.html, or report.md with --markdown."),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write the page as Markdown.")] = False,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FOLDER", help="Write each table and chart as CSV into a folder.")
    ] = None,
    images: Annotated[
        str | None, typer.Option("--images", metavar="FOLDER", help="Write each chart as PNG and SVG into a folder.")
    ] = None,
) -> None:
    """Make a page of what `pathfront bench` measured.

    The page is one file that needs no network: tables and interactive charts, published numbers beside measured ones.
    """
    from pathfront.experiments import page as pages
    from pathfront.experiments import results as files
    from pathfront.formats.files import open_sink
    from pathfront.report.csv import to_csv
    from pathfront.report.html import to_html
    from pathfront.report.images import save_images
    from pathfront.report.markdown import to_markdown

    for given in results or []:
        if given.endswith((".md", ".html")):
            raise CommandLineError(f"{given} is no result file; --output {given} names the page")
    found = []
    for path in files.found(list(results or [])):
        with naming_file(str(path)):
            found.append(files.read(path))
    for each in found:
        for problem in each.problems:
            print_stderr(f"pathfront: {problem}")
    if output_file == "-" and (csv or images):
        raise ArgumentError("--output - writes the page to standard output, so leave --csv and --images out.")
    made = pages.of(found)
    if output_file is not None or markdown or (csv is None and images is None):
        name = output_file or ("report.md" if markdown else "report.html")
        text = to_markdown(made, images=_seen_from(name, images)) if markdown else to_html(made)
        if name == "-":
            sys.stdout.write(text)
            return
        with naming_file(name), open_sink(name) as sink:
            sink.write(text.encode())
        print_stderr(made.summary)
        print(name)
    if csv is not None:
        _said(csv, to_csv(made, Path(csv)))
    if images is not None:  # the last, since it needs matplotlib
        _said(images, save_images(made, Path(images), ("png", "svg")))


def _seen_from(page: str, images: str | None) -> str:
    """Return the folder of pictures as a page names it: relative to itself."""
    return "" if images is None else Path(os.path.relpath(images, Path(page).parent)).as_posix()


def _said(folder: str, written: list[Path]) -> None:
    print_stderr(f"{len(written)} files in {folder}")
