"""Result files: what a suite measured, a line of JSON for each thing, appended as soon as it is known.

A file begins with a line "run": the suite itself, the machine and the versions, so that a page can be made of the file
alone. Then there is a line "graph" for each graph, a line "search" for the first run of each search, with its work and
whether its answer was verified, or the error it ended with, and a line "timing" for each further repetition. An
interrupted run leaves complete lines, except perhaps the last, and the same command goes on behind them.

Whoever reads a file gets all lines that are right, and a sentence about each that is not.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from pathfront.exceptions import ArgumentError, FormatError

VERSION = 1
"""The version of the format; files of a later one are refused, with the advice to update."""

FOLDER = "pathfront-results"
"""Where results are kept by default, in the current folder."""


@dataclass(slots=True)
class Measured:
    """One search: its first run, and the seconds of all repetitions."""

    key: str
    place: str
    """The key of its graph."""
    values: dict[str, Any]
    """What the first run gave: seconds, iterations, vertices, edges, delta, method, threads."""
    error: str | None = None
    seconds: list[float] = field(default_factory=list)
    trace: dict[str, list[float | None]] | None = None

    @property
    def names(self) -> dict[str, Any]:
        """The values by name, as expressions use them; nothing where the search failed."""
        if self.error is not None:
            return {}
        best = min(self.seconds) if self.seconds else None
        return {**self.values, "seconds": best, "repetitions": len(self.seconds)}


@dataclass(slots=True)
class Results:
    """What a file holds."""

    name: str
    run: dict[str, Any]
    graphs: dict[str, dict[str, Any]] = field(default_factory=dict)
    searches: dict[str, Measured] = field(default_factory=dict)
    figures: list[dict[str, Any]] = field(default_factory=list)
    """Of suites that print figures: see `bench/figures.py`."""
    missing: dict[str, str] = field(default_factory=dict)
    """Graphs that could not be made, and why."""
    problems: list[str] = field(default_factory=list)
    """Lines that could not be read."""


def read(path: Path) -> Results:
    """Return what a file holds; raise an error only if nothing of it can be used."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None
    results: Results | None = None
    problems: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line.decode(), parse_constant=_refused)
            _require_plain(entry)
            kind = entry["type"]
            if kind == "run":
                results = _begun(entry, path, results)
            elif results is None:
                problems.append(f"{path.name}, line {number}: it comes before the line that describes the run")
            elif not _take(results, kind, entry):
                problems.append(f"{path.name}, line {number}: {kind!r} is no type of line")
        except FormatError:
            raise
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            last = number == len(lines) or not any(rest.strip() for rest in lines[number:])
            why = "it is cut off: the run was interrupted there" if last else "it is damaged"
            problems.append(f"{path.name}, line {number}: {why}; what it held is left out")
    if results is None:
        raise FormatError(f"{path.name} holds no results; 'pathfront bench SUITE' writes such files.")
    results.problems = problems
    return results


def _begun(entry: Mapping[str, Any], path: Path, before: Results | None) -> Results:
    version = entry.get("version")
    if not isinstance(version, int) or version > VERSION:
        raise FormatError(
            f"{path.name} is of version {version!r} of the format, and this pathfront reads version {VERSION}; "
            "update pathfront, or measure again."
        )
    machine = entry["machine"]
    _scalars({name: value for name, value in machine.items() if name != "packages"})
    _scalars(machine.get("packages") or {})
    names = (entry["suite"], entry["device"], *(entry.get("own_graphs") or []))
    if not all(isinstance(name, str) for name in names) or not isinstance(entry["quick"], bool):
        raise TypeError
    return before or Results(path.name, dict(entry))


def _take(results: Results, kind: str, entry: dict[str, Any]) -> bool:
    """Add a line to the results; False if its type is unknown."""
    if kind == "graph":
        results.graphs[str(entry["key"])] = _scalars(entry["values"])
    elif kind == "missing":
        results.missing[str(entry["label"])] = str(entry["why"])
    elif kind == "search":
        key = str(entry["key"])
        error = None if entry.get("error") is None else str(entry["error"])
        seconds = [] if entry.get("seconds") is None else [_seconds(entry["seconds"])]
        trace = None if entry.get("trace") is None else _columns(entry["trace"])
        results.searches[key] = Measured(key, str(entry["place"]), _scalars(entry["values"]), error, seconds, trace)
    elif kind == "timing":
        results.searches[str(entry["key"])].seconds.append(_seconds(entry["seconds"]))
    elif kind == "figure":
        results.figures.append(_figure(entry["figure"]))
    elif kind != "end":
        return False
    return True


def _refused(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _require_plain(value: Any) -> None:
    """Raise an error unless every text can be written as UTF-8 and every number is a finite float."""
    if isinstance(value, str):
        value.encode()
    elif isinstance(value, dict):
        for key, each in value.items():
            key.encode()
            _require_plain(each)
    elif isinstance(value, list):
        for each in value:
            _require_plain(each)
    elif value is not None and not math.isfinite(value):
        raise ValueError(value)


def _scalars(values: Any) -> dict[str, Any]:
    """Return the values of a table that has no others in it."""
    if not all(isinstance(value, str | int | float | None) for value in values.values()):
        raise TypeError
    return dict(values)


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise TypeError
    return float(value)


def _columns(trace: Any) -> dict[str, Any]:
    """Return the columns of a trace, lists of numbers: of one length, but for how many rows there are."""
    columns = {name: values for name, values in trace.items() if isinstance(values, list)}
    if not all(value is None or isinstance(value, int | float) for values in columns.values() for value in values):
        raise TypeError
    if len({len(values) for name, values in columns.items() if name not in ("rows", "rows_in_one")}) > 1:
        raise ValueError
    return columns


def _figure(figure: Any) -> dict[str, Any]:
    """Return a figure of a suite that prints figures."""
    for name in ("measured", "target"):
        if isinstance(figure.get(name), str):
            raise TypeError
    if not isinstance(figure["what"], str) or not (figure.get("met") is None or isinstance(figure["met"], bool)):
        raise TypeError
    _scalars({name: figure.get(name) for name in ("measured", "target", "unit")})
    return dict(figure)


class Writer:
    """Appends lines to a result file, each complete and on disk before the next is begun."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file: IO[bytes] = path.open("ab", buffering=0)  # nothing is left to write where the disk is full
        _lock(self._file, path)
        if self._file.tell() and not _ends_with_newline(path):
            self._write(b"\n")  # the line before was cut off

    def write(self, kind: str, **fields: Any) -> None:
        """Append a line."""
        text = json.dumps({"type": kind, **plain(fields)}, separators=(",", ":"), allow_nan=False)
        self._write(text.encode() + b"\n")

    def _write(self, data: bytes) -> None:
        while data:
            data = data[self._file.write(data) :]

    def close(self) -> None:
        """Close the file."""
        try:
            os.fsync(self._file.fileno())
        finally:
            self._file.close()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        with contextlib.suppress(*([OSError] if kind else [])):  # the first error says more
            self.close()


def require_free(path: Path) -> None:
    """Raise an error if another run is writing to a file."""
    if path.exists():
        with path.open("ab") as file:
            _lock(file, path)


def _lock(file: IO[bytes], path: Path) -> None:
    """Lock a file until it is closed, also by the end of the process, where the system and its disk can."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise ArgumentError(f"{path} is being written by another run; wait for it, or name another file.") from None
    except (ImportError, OSError):
        return


def _ends_with_newline(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def plain(value: Any) -> Any:
    """Return a value as JSON has it: what is not finite becomes null, and numpy's numbers become Python's."""
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, bool | int | float | str | None) else str(value)


def found(paths: list[str]) -> list[Path]:
    """Return the result files that were named: files, folders of them, or by default the folder of results."""
    listed: list[Path] = []
    for given in paths or [FOLDER]:
        path = Path(given)
        is_folder = path.is_dir() or not paths
        listed += sorted(path.glob("*.jsonl")) if is_folder else [path]
    if not listed:
        where = "the folder " + (paths[0] if paths else FOLDER)
        raise ArgumentError(f"{where} has no results; run 'pathfront bench davidson2014 --quick' first, for example.")
    return listed
