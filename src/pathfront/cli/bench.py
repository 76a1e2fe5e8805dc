"""`pathfront bench`: the project's figures, measured on this machine."""

from __future__ import annotations

import json as encoder
from typing import TYPE_CHECKING, Annotated

import typer

from pathfront.cli import inputs, output
from pathfront.cli.errors import naming_file, print_stderr

if TYPE_CHECKING:
    from pathfront.bench.figures import Figure

EPILOG = """\b
Examples:
  pathfront bench foundation --quick
  pathfront bench cpu
  pathfront bench centrality
  pathfront bench csgraph
  pathfront bench local
  pathfront bench networkx
  pathfront bench work --quick
  pathfront bench --device cuda
  pathfront bench foundation --output figures.json
Real graphs are taken from the folder that PATHFRONT_DATA names; without them generated ones are used.
"""


def bench(
    suite: Annotated[
        str | None,
        typer.Argument(
            metavar="SUITE",
            help="Suite: foundation (the default), centrality, cpu, csgraph, local, networkx, work, gpu.",
        ),
    ] = None,
    device: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Device of suite gpu: cuda, cuda:1, or emulated (the default)."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Smaller graphs and fewer rounds: a minute or two.")] = False,
    output_file: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write the figures, with the machine, as JSON.")
    ] = None,
    json: inputs.Json = False,
) -> None:
    """Measure the figures of a suite, each against its peer.

    Every timed answer is verified. Keep the machine idle otherwise: ratios tolerate some noise, not all.
    """
    from pathfront.bench import figures, suites
    from pathfront.formats.files import open_sink

    chosen = suites.get(suite, device)
    found = []
    for figure in chosen.run(quick):
        found.append(figure)
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
