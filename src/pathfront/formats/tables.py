"""Columns of tables, which `csv.py` and `parquet.py` read and write: which ones are tails, heads and weights."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from pathfront.exceptions import ArgumentError, MissingExtraError
from pathfront.formats.direction import with_direction
from pathfront.formats.files import Source
from pathfront.graph import Graph, interop
from pathfront.validation import Array
from pathfront.wording import shown
from pathfront.workers import interruptible

_PIECE = 1 << 16
"""Names that are made in one call, which Ctrl-C waits for."""
ENDS = (("tail", "head"), ("source", "target"), ("from", "to"), ("src", "dst"), ("u", "v"))
"""Names of columns that are the ends of arcs wherever they stand."""

Columns = tuple[str, str, str | None]


def arrow(module: str = "lib") -> Any:
    """Import a module of pyarrow."""
    try:
        return __import__(f"pyarrow.{module}", fromlist=["_"])
    except ImportError:
        raise MissingExtraError('Parquet and CSV need pyarrow: pip install "pathfront[tables]".') from None


def name_ends(names: list[str]) -> bool:
    """Return whether two of these names are known names of the ends of arcs."""
    lower = {name.strip().lower() for name in names}
    return any(one in lower and other in lower for one, other in ENDS)


Weight = str | Literal[False] | None
"""The column of the weights; False if no column is, None if names and positions are to decide."""


def choose_columns(source: Source, names: list[str], tail: str | None, head: str | None, weight: Weight) -> Columns:
    """Choose the columns for tails, heads and weights."""
    for argument, name in (("tail", tail), ("head", head), ("weight", weight)):
        if name is not None and name is not False and name not in names:
            raise source.error(f"{argument} is {shown(name)}, but the columns are {', '.join(names)}.")
    for name in names:
        if names.count(name) > 1:
            raise source.error(f"two columns are named {name!r}; every column needs its own name.")
    if (tail is None) != (head is None):
        raise ArgumentError("tail and head are both needed, or neither.")
    if tail is not None and head is not None:
        return tail, head, _named_weight(names, weight)
    lower = {name.lower(): name for name in names}
    for one, other in ENDS:
        if one in lower and other in lower:
            ends = lower[one], lower[other]
            return *ends, _named_weight(names, weight) or _only_weight(source, names, ends, weight)
    rest = [name for name in names if name != weight]
    if len(rest) < 2:
        raise source.error(f"two columns for the ends of arcs are needed, but there are only {', '.join(names)}.")
    return rest[0], rest[1], weight or (rest[2] if len(rest) > 2 and weight is None else None)


def _named_weight(names: list[str], weight: Weight) -> str | None:
    """Return the column of the weights that is asked for, or the one of that name."""
    if weight:
        return weight
    return next((name for name in names if name.lower() == "weight" and weight is None), None)


def _only_weight(source: Source, names: list[str], ends: tuple[str, str], weight: Weight) -> str | None:
    """Return the one column behind the ends of the arcs; an error if there are others, which may be no weights."""
    others = [name for name in names if name not in ends]
    if not others or weight is False:
        return None
    if len(others) > 1 or names.index(others[0]) < max(map(names.index, ends)):
        raise source.error(
            f"no column is named weight, and the weights may be in {' or '.join(others)}; "
            f"pass weight={others[0]!r}, or weight=False if there are none."
        )
    return others[0]


def require_values(source: Source, table: Any, columns: Columns) -> None:
    """Refuse a table with an empty cell in one of the columns."""
    for name in columns:
        if name is not None and table.column(name).null_count:
            row = table.column(name).is_null().index(True).as_py()
            raise source.error(f"column {name!r} has no value in row {row + 1}; fill it or drop the row.")


def to_graph(source: Source, frame: dict[str, Any], columns: Columns, directed: bool | None) -> Graph:
    """Make a graph of columns; with `directed=False` every row is an undirected edge."""
    with source.parsed_by("pyarrow"), source.naming_file():
        graph = interop.from_dataframe(frame, *columns, directed=directed is not False)
    return graph if directed is False else with_direction(source, graph, directed)


def as_names(column: Any) -> Any:
    """Return a column read as a dictionary as references to its strings, each made once; any other as it is."""
    if not str(column.type).startswith("dictionary"):
        return column
    column = interruptible(column.unify_dictionaries)
    if column.num_chunks == 0:
        return np.empty(0, object)
    dictionary = column.chunk(0).dictionary
    names: Array = np.empty(len(dictionary), object)
    for start in range(0, len(dictionary), _PIECE):
        names[start : start + _PIECE] = dictionary.slice(start, _PIECE).to_pylist()
    return names[np.concatenate([chunk.indices.to_numpy() for chunk in column.chunks])]
