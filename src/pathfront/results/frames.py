"""Columns as a table of pandas or polars, whichever is installed or asked for."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import numpy as np

from pathfront.exceptions import ArgumentError, MissingExtraError
from pathfront.wording import choice_message

LIBRARIES = ("pandas", "polars")


def to_frame(columns: dict[str, Any], library: object) -> Any:
    """Return a table of columns, arrays that may be masked, as a DataFrame of a library; None: the first installed."""
    if library is not None and library not in LIBRARIES:
        raise ArgumentError(choice_message("library", library, LIBRARIES))
    wanted = LIBRARIES if library is None else (str(library),)
    found = next((name for name in wanted if importlib.util.find_spec(name) is not None), None)
    if found is None:
        raise MissingExtraError(
            f"to_frame needs {' or '.join(wanted)}, which is not installed; pip install {wanted[0]}."
        )
    package = importlib.import_module(found)
    convert = _pandas if found == "pandas" else _polars
    return package.DataFrame({name: convert(package, name, column) for name, column in columns.items()})


def _pandas(pandas: Any, name: str, column: Any) -> Any:
    if not isinstance(column, np.ma.MaskedArray):
        return column
    values, mask = column.data, np.ma.getmaskarray(column)
    if values.dtype.kind in "iu":
        return pandas.arrays.IntegerArray(values, mask)
    kept = values.copy() if values.dtype.kind in "fmM" else values.astype(object)
    kept[mask] = {"f": np.nan, "O": None}.get(kept.dtype.kind, "NaT")
    return kept


def _polars(polars: Any, name: str, column: Any) -> Any:
    values, mask = np.ma.getdata(column), np.ma.getmaskarray(column)
    if values.dtype.kind == "O" and not all(isinstance(value, str) for value in values.tolist()):
        listed = [None if hidden else value for value, hidden in zip(values.tolist(), mask.tolist(), strict=True)]
        return polars.Series(name, listed, dtype=polars.Object)
    made = polars.Series(name, values.tolist() if values.dtype.kind in "OUS" else values)
    return made if not mask.any() else made.set(polars.Series(mask), None)
