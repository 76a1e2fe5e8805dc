"""`pathfront methods`: the registry of methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfront.cli import inputs, output
from pathfront.cli.errors import spelling

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
        with spelling(method="NAME"):
            method = registry.get(name)
        if json:
            output.show_json(description(method))
        else:
            output.show_facts(_facts(method))
        return
    every = [registry.get(each) for each in registry.names()]
    if json:
        output.show_json([description(method) for method in every])
    else:
        output.show_table(
            ("method", "devices", "threads", "negative", "delta", "summary"),
            [(method.name, *_abilities(method), method.summary) for method in every],
        )


def description(method: Method) -> dict[str, Any]:
    """Return a method's entry in the registry."""
    fields = ("name", "summary", "devices", "parallel", "negative_weights", "has_delta", "limits", "paper")
    options = [{"name": option.name, "default": option.default, "help": option.help} for option in method.options]
    return {field: getattr(method, field) for field in fields} | {"options": options}


def _facts(method: Method) -> output.Facts:
    options = [("option", f"{option.name}={option.default}  {option.help}") for option in method.options]
    return [
        ("method", method.name),
        ("summary", method.summary),
        *zip(("devices", "threads", "negative weights", "delta"), _abilities(method), strict=True),
        ("limits", method.limits or "none"),
        ("paper", method.paper or "none"),
        *(options or [("options", "none")]),
    ]


def _abilities(method: Method) -> tuple[str, str, str, str]:
    threads = "many" if method.parallel else "1"
    negative, delta = ("yes" if has else "no" for has in (method.negative_weights, method.has_delta))
    return ", ".join(method.devices), threads, negative, delta
