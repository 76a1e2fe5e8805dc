"""What commands that search take: a method with its options, and a device."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from pathfront.cli import inputs
from pathfront.cli.command import Command
from pathfront.cli.errors import REFUTED, CommandLineError
from pathfront.wording import shown


class SearchCommand(Command):
    """Lists the methods of the registry in the help, without importing them for any other call."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Complete the help of --method before it is shown."""
        from pathfront import methods

        for param in self.params:
            if param.name == "method":
                param.help = f"One of {', '.join(methods.names())}: see 'pathfront methods'."  # type: ignore[attr-defined]
        super().format_help(ctx, formatter)


Method = Annotated[str, typer.Option("--method", "-m", metavar="NAME", help="The method.")]
Device = Annotated[str, typer.Option(metavar="NAME", help="Device: cpu, cuda, cuda:1, ... or emulated.")]
Delta = Annotated[str | None, typer.Option(metavar="X", help="Bucket width, for methods that have one.")]
Cutoff = Annotated[str | None, typer.Option(metavar="X", help="Explore nothing farther than this.")]
Options = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Option of the method (see 'pathfront methods NAME'), repeatable."),
]


def method_options(pairs: list[str] | None, method: str) -> dict[str, Any]:
    """Return the options that are given; they must exist and have the type of their defaults."""
    values = inputs.named_values(pairs, "--option")
    if not values:
        return {}
    from pathfront import api, methods

    chosen = methods.get(method)
    api.as_options(values, chosen)
    for option in chosen.options:
        value = values.get(option.name, option.default)
        wanted, given = _kind(option.default), _kind(value)
        if wanted not in ("", given) and (wanted, given) != ("a number", "a whole number"):
            raise CommandLineError(f"--option {option.name} is {shown(value)}, but it must be {wanted}")
    return values


def refuse_wrong(verified: Iterable[bool | None]) -> None:
    """End with exit code 1 if an answer was wrong, after it was shown."""
    if any(each is False for each in verified):
        raise typer.Exit(REFUTED)


def _kind(value: object) -> str:
    return {bool: "true or false", int: "a whole number", float: "a number", str: "text"}.get(type(value), "")
