"""`pathfront methods`: the registry of methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfront.cli import inputs, output

if TYPE_CHECKING:
    from pathfront.methods import Method

EPILOG = """\b
Examples:
  pathfront methods
  pathfront methods dijkstra
  pathfront methods --json
"""


def methods(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Describe this method.")] = None,
    json: inputs.Json = False,
) -> None:
    """List the shortest-path methods, or describe one."""
    from pathfront import methods as registry

    if name is not None:
        method = registry.get(name)
        if json:
            output.show_json(description(method))
        else:
            output.show_facts(_facts(method))
        return
    every = [registry.get(each) for each in registry.names()]
    if json:
        output.show_json([description(method) for method in every])
        return
    output.show_table(
        ("method", "devices", "threads", "negative", "delta", "summary"),
        [
            (
                method.name,
                ", ".join(method.devices),
                "many" if method.parallel else "1",
                _yes(method.negative_weights),
                _yes(method.has_delta),
                method.summary,
            )
            for method in every
        ],
    )


def description(method: Method) -> dict[str, Any]:
    """Return everything the registry knows about a method."""
    return {
        "name": method.name,
        "summary": method.summary,
        "devices": list(method.devices),
        "parallel": method.parallel,
        "negative_weights": method.negative_weights,
        "has_delta": method.has_delta,
        "limits": method.limits,
        "paper": method.paper,
        "options": [{"name": option.name, "default": option.default, "help": option.help} for option in method.options],
    }


def _facts(method: Method) -> output.Facts:
    lines = [
        ("method", method.name),
        ("summary", method.summary),
        ("devices", ", ".join(method.devices)),
        ("threads", "many" if method.parallel else "1"),
        ("negative weights", _yes(method.negative_weights)),
        ("delta", _yes(method.has_delta)),
        ("limits", method.limits or "none"),
        ("paper", method.paper or "none"),
    ]
    if not method.options:
        return [*lines, ("options", "none")]
    return [*lines, *(("option", f"{option.name}={option.default}  {option.help}") for option in method.options)]


def _yes(value: bool) -> str:
    return "yes" if value else "no"
