"""What commands print: tables with some colour on a terminal, aligned plain text in a pipe, or JSON.

Plain text has one line per row, columns two spaces apart, no colour and no lines; JSON is one line in a pipe and
indented on a terminal.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from pathfront.cli.errors import printable

if TYPE_CHECKING:
    from pathfront.graph import Graph
    from pathfront.validation import Array

_SHOWN_WHOLE, _SHOWN_FIRST, _SHOWN_LAST = 12, 5, 3

Facts = list[tuple[str, str]]


def show_facts(facts: Iterable[tuple[str, str]], file: TextIO | None = None) -> None:
    """Print names and values, one pair a line, by default to standard output."""
    show_table(None, facts, file)


def show_table(header: Sequence[str] | None, rows: Iterable[Sequence[str]], file: TextIO | None = None) -> None:
    """Print rows, under a header if there is one."""
    file = sys.stdout if file is None else file
    cells = [[printable(cell) for cell in row] for row in rows]
    if not _on_terminal(file):
        lines = cells if header is None else [[*header], *cells]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        for line in lines:
            print("  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip(), file=file)
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    if header is None:
        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold cyan", no_wrap=True)
    else:
        table = Table(box=SIMPLE_HEAD, header_style="bold cyan", pad_edge=False)
        for name in header[:-1]:
            table.add_column(name, no_wrap=True)
    table.add_column(header[-1] if header else "", overflow="fold")
    for row in cells:
        table.add_row(*map(Text, row))
    Console(highlight=False, file=file).print(table)


def show_json(value: Any) -> None:
    """Print a value as JSON; numbers stay exact, and what is not finite becomes null."""
    print(json.dumps(plain(value), indent=2 if _on_terminal(sys.stdout) else None, allow_nan=False))


def plain(value: Any) -> Any:
    """Return a value as JSON has it: numbers that are not finite as null, what it does not know as text."""
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, bool | int | float | str | None) else str(value)


def _on_terminal(file: TextIO | None) -> bool:
    return file is not None and file.isatty()


# ---- words for things ----------------------------------------------------------------------------------------------


def counted(number: int, thing: str) -> str:
    """Return "1 arc" or "1,234 arcs"; for plurals with a plain s."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}".replace("vertexs", "vertices")


def seconds(value: float) -> str:
    """Return a time in seconds, three digits of it, never as a power of ten."""
    digits = 3 if value <= 0 else min(6, max(0, 2 - math.floor(math.log10(value))))
    return f"{value:.{digits}f} s"


def size(count: int) -> str:
    """Return bytes in the fitting unit."""
    amount, units = float(count), iter(("KB", "MB", "GB"))
    unit = "bytes"
    while amount >= 1000 and (larger := next(units, None)) is not None:
        amount, unit = amount / 1000, larger
    return f"{count} bytes" if unit == "bytes" else f"{amount:.3g} {unit}" if amount < 1000 else f"{amount:,.0f} {unit}"


def outline(graph: Graph) -> str:
    """Return a graph in a few words."""
    kind = "directed" if graph.directed else "undirected"
    weights = "no weights" if graph.weights is None else f"{graph.weights.dtype} weights"
    return f"{counted(graph.n, 'vertex')}, {counted(graph.m, 'arc')}, {kind}, {weights}"


def outlined(graph: Graph, file: str) -> dict[str, Any]:
    """Return a graph as `--json` describes it."""
    return {
        "file": file,
        "n": graph.n,
        "m": graph.m,
        "directed": graph.directed,
        "weights": None if graph.weights is None else graph.weights.dtype.name,
    }


def path_text(path: Array) -> str:
    """Return a path as text; only both ends of a long one."""
    names = [str(vertex) for vertex in path.tolist()]
    if len(names) > _SHOWN_WHOLE:
        hidden = len(names) - _SHOWN_FIRST - _SHOWN_LAST
        names = [*names[:_SHOWN_FIRST], f"... {hidden:,} more ...", *names[-_SHOWN_LAST:]]
    return " -> ".join(names)
