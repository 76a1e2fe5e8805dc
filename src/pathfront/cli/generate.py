"""`pathfront generate`: one subcommand for each kind of graph in `pathfront.generate.KINDS`, made from its signature.

Positional arguments of the function are arguments of the command, keyword-only ones are options, and the docstring is
the help, so a new generator appears here by itself.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfront.cli import inputs
from pathfront.cli.command import Command, Group
from pathfront.cli.convert import Lossy, To, WriteOptions, write_graph
from pathfront.cli.errors import CommandLineError, spelling
from pathfront.dtypes import WEIGHT_TYPES

if TYPE_CHECKING:
    from pathfront.formats import Format
    from pathfront.graph import Graph

EPILOG = """\b
Examples:
  pathfront generate --help
  pathfront generate grid 1000 1000 -o grid.gr
  pathfront generate random 1000 5000 --weights float:0:1 --seed 7 -o random.gr.gz
  pathfront generate chain 10 -o - --to dimacs
"""

# What cannot be read off a signature.
_WORDS = {
    "n": "Number of vertices.",
    "m": "Number of edges.",
    "rows": "Number of rows.",
    "columns": "Number of columns.",
    "scale": "Logarithm to base 2 of the number of vertices.",
    "edge_factor": "Edges per vertex.",
    "k": "Neighbours per vertex.",
    "directed": "Whether edges go one way only.",
    "seed": "Same seed, same graph.",
    "weights": "unit, int:LOW:HIGH, float:LOW:HIGH, lognormal:MU:SIGMA or coordinates[:SCALE].",
}

OutputFile = Annotated[
    str, typer.Option("--output", "-o", metavar="FILE", help="File to write, or - for standard output.")
]
Dtype = Annotated[
    str | None,
    typer.Option(
        "--dtype",
        metavar="TYPE",
        help=f"Type of the weights: {', '.join(WEIGHT_TYPES)}. Rounds to at least 1 if need be.",
    ),
]


class Kinds(Group):
    """The registry of generators as commands, looked up when needed."""

    kind = "kind of graph"

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all kinds."""
        return list(_kinds())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of one kind; a dash will do for an underscore."""
        name = cmd_name.replace("-", "_")
        return command_for(name, _kinds()[name]) if name in _kinds() else None


def generate() -> None:
    """Make a graph of a chosen kind and write it to a file.

    'pathfront generate KIND --help' lists the sizes and options of one kind.
    """


def _kinds() -> dict[str, Callable[..., Graph]]:
    from pathfront.generate import KINDS

    return KINDS


def command_for(name: str, make: Callable[..., Graph]) -> Any:
    """Return the command that calls a generator and writes what it makes."""
    hints = typing.get_type_hints(make)
    own = [_parameter(parameter, hints) for parameter in inspect.signature(make).parameters.values()]
    ours = [
        _option("output_file", OutputFile),
        _option("to", To, None),
        _option("write_option", WriteOptions, None),
        _option("lossy", Lossy, False),
        _option("dtype", Dtype, None),
    ]

    def command(
        output_file: str,
        to: str | None,
        write_option: list[str] | None,
        lossy: bool,
        dtype: str | None,
        **values: Any,
    ) -> None:
        if dtype is not None and dtype not in WEIGHT_TYPES:
            raise CommandLineError(f"--dtype is {dtype!r}, but it must be one of {', '.join(WEIGHT_TYPES)}")
        known = _format(output_file, to)
        from pathfront.formats import Part

        arguments = [values.pop(each.name) for each in own if each.kind is not inspect.Parameter.KEYWORD_ONLY]
        graph = make(*arguments, **values)
        if dtype is not None:
            graph = with_dtype(graph, dtype)
        note = ""
        held = known.held(inputs.named_values(write_option, "--write-option"))
        if graph.coordinates is not None and Part.COORDINATES not in held:  # nobody had them before: say it, go on
            graph, note = graph.with_coordinates(None), ", without coordinates"
        write_graph(graph, output_file, to, write_option, values.get("weights"), lossy=lossy, note=note)

    parameters = [*own, *ours]
    shown = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
    command.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, cls=Command, help=_help(make), context_settings={"max_content_width": 100})(command)
    return typer.main.get_command(app)


def _format(file: str, name: str | None) -> Format:
    """Return the format to write, before any work is done."""
    from pathfront import formats

    with spelling(format="--to"):
        return formats.format_of(file, name)


def _parameter(parameter: inspect.Parameter, hints: dict[str, Any]) -> inspect.Parameter:
    """Return a parameter of a generator as one that Typer understands."""
    hint = hints.get(parameter.name, str)
    words = _WORDS.get(parameter.name, parameter.name.replace("_", " ").capitalize() + ".")
    plain = _plain(hint)
    shown = parameter.name.upper()
    if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
        shown = "--" + parameter.name.replace("_", "-")
        says: Any = typer.Option(help=words, parser=inputs.parser_for(plain, shown))
    else:
        says = typer.Argument(metavar=shown, help=words, parser=inputs.parser_for(plain, shown))
    optional = parameter.default is None
    return parameter.replace(annotation=Annotated[plain | None if optional else plain, says])


def _plain(hint: Any) -> Any:
    """Return the one of bool, int, float and str that a hint is about."""
    choices = typing.get_args(hint) or (hint,)
    return next((kind for kind in (bool, float, int) if kind in choices), str)


def _option(name: str, annotation: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _help(make: Callable[..., Graph]) -> str:
    text = inspect.cleandoc(make.__doc__ or "").partition(">>>")[0].strip()
    return text.replace("Return ", "Make ", 1)


def with_dtype(graph: Graph, dtype: str) -> Graph:
    """Return the graph with weights of another type, which must hold them; floats are rounded, to at least 1."""
    import numpy as np

    weights = graph.weights
    if weights is None:  # --weights unit
        from pathfront.generate import weigh

        return weigh(graph, "unit", dtype=dtype)
    target = np.dtype(dtype)
    if target.kind != "f" and weights.dtype.kind == "f":
        weights = np.maximum(np.rint(weights), 1)
    if target.kind != "f" and graph.m:
        low, high = int(weights.min()), int(weights.max())
        if low < np.iinfo(target).min or high > np.iinfo(target).max:
            raise CommandLineError(f"--dtype is {dtype!r}, but the weights go from {low} to {high}; use a wider one")
    changed = graph._weighing(weights.astype(target))
    changed.weight_summary()
    return changed
