"""What was measured, as records that tables and charts are made of: a name for each value, and the record of the base.

A record has the graph's values (n, m, degree, diameter, ...), the values of the variables, and what the search gave
(seconds, edges, iterations, ...). Records of searches that failed have no values, only their error.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pathfront.experiments import cells
from pathfront.experiments.cells import Place
from pathfront.experiments.expressions import Expression
from pathfront.experiments.results import Results
from pathfront.experiments.suite import Claim, Experiment, Show, Suite


@dataclass(frozen=True, slots=True)
class Record:
    """One search, or one graph."""

    place: str
    names: dict[str, Any]
    variables: dict[str, Any]
    error: str | None = None
    trace: dict[str, list[float | None]] | None = None
    measured: bool = True
    """False if the search has not run."""

    @property
    def run(self) -> str:
        """The name of its run."""
        return str(self.names["run"])

    @property
    def graph(self) -> str:
        """The name of its graph."""
        return str(self.names["graph"])


def of_searches(results: Results, suite: Suite, experiment: Experiment) -> list[Record]:
    """Return a record for each search of an experiment, measured or not."""
    device, quick = str(results.run["device"]), bool(results.run["quick"])
    records = []
    for cell in cells.cells(suite, experiment, device, quick=quick):
        graph = results.graphs.get(cell.place.key, {})
        common = {**graph, **cell.names, "graph": _label(cell.place, graph), "run": cell.run.name}
        common["group"] = cell.place.spec.group  # several graphs of a suite may be the same one
        found = results.searches.get(cell.key)
        if found is None:
            records.append(Record(cell.place.key, common, dict(cell.variables), None, None, False))
        else:
            names = {**common, **found.names}
            records.append(Record(cell.place.key, names, dict(cell.variables), found.error, found.trace))
    return records


def of_graphs(results: Results, suite: Suite, experiment: Experiment) -> list[Record]:
    """Return a record for each graph of an experiment that could be made."""
    places = cells.places(suite, experiment, quick=bool(results.run["quick"]))
    return [
        Record(
            place.key,
            {
                **(graph := results.graphs[place.key]),
                "graph": _label(place, graph),
                "group": place.spec.group,
                "run": "",
            },
            {},
        )
        for place in places
        if place.key in results.graphs
    ]


def _label(place: Place, graph: Mapping[str, Any]) -> str:
    """Return the name of a graph; a generated one that stands in for a file says so."""
    stands_in = graph.get("origin") == "generated" and (place.spec.file or place.spec.dataset)
    return f"{place.label} (generated)" if stands_in else place.label


def chosen(records: Sequence[Record], of: Show | Claim) -> list[Record]:
    """Return the records that a show or a claim is about."""
    runs = of.runs
    if not runs and of.base is not None and isinstance(of, Claim):
        runs = tuple({record.run: None for record in records if record.run != of.base})
    return [
        record
        for record in records
        if (not runs or record.run in runs)
        and (not of.graphs or _is_of(record, of.graphs))
        and (not of.where or Expression(of.where)(record.names) is True)
    ]


def _is_of(record: Record, graphs: Iterable[str]) -> bool:
    return any(record.graph == name or record.graph.startswith(f"{name} ") for name in graphs)


class Evaluator:
    """Evaluates expressions on records: `base.` is the record of the base run on the same graph."""

    def __init__(self, records: Sequence[Record], base: str | None) -> None:
        self._bases: dict[str, list[Record]] = {}
        for record in records:
            if record.run == base:
                self._bases.setdefault(record.place, []).append(record)

    def __call__(self, text: str, record: Record) -> Any:
        """Return the value of an expression for a record, None if it has none."""
        if record.error is not None or not record.measured:
            return None
        return Expression(text)(record.names, self._base_of(record))

    def _base_of(self, record: Record) -> dict[str, Any]:
        for base in self._bases.get(record.place, []):
            shared = base.variables.keys() & record.variables.keys()
            if all(base.variables[name] == record.variables[name] for name in shared):
                return base.names
        return {}


def numbers(values: Iterable[Any]) -> list[float]:
    """Return the values that are numbers."""
    return [float(value) for value in values if isinstance(value, int | float)]


def _geometric(values: list[float]) -> float:
    return statistics.geometric_mean(values) if min(values) > 0 else math.nan


def _growth(values: list[float]) -> float:
    return values[-1] / values[0] if len(values) > 1 and values[0] > 0 else math.nan


_AGGREGATES: dict[str, Callable[[list[float]], float]] = {
    "mean": statistics.fmean,
    "geomean": _geometric,
    "median": statistics.median,
    "min": min,
    "max": max,
    "sum": sum,
    "growth": _growth,
    "share": statistics.fmean,  # of values that are true or false
}


def aggregated(values: Iterable[Any], how: str) -> float | None:
    """Return several values as one; None if there is none."""
    known = numbers(values)
    if not known:
        return None
    value = float(_AGGREGATES[how or "mean"](known))
    return value if math.isfinite(value) else None


def problems(records: Sequence[Record]) -> list[str]:
    """Return a sentence for each search that has no result, those of one kind together."""
    by_reason: dict[str, list[str]] = {}
    for record in records:
        if record.error is not None:
            by_reason.setdefault(record.error, []).append(f"{record.run} on {record.graph}")
    found = [f"{listed(who)}: {why}" for why, who in by_reason.items()]
    if open_ones := [f"{record.run} on {record.graph}" for record in records if not record.measured]:
        found.append(f"Not measured yet: {listed(open_ones)}. The same command goes on there.")
    return found


def listed(names: Sequence[str], most: int = 4) -> str:
    """Return the first of some names, and how many there are more."""
    unique = list(dict.fromkeys(names))
    if len(unique) <= most:
        return "; ".join(unique)
    return f"{'; '.join(unique[:most])}; and {len(unique) - most} more"


def evaluator(records: Sequence[Record], of: Show | Claim) -> Callable[[str, Record], Any]:
    """Return the function that evaluates expressions for a show or a claim."""
    return Evaluator(records, of.base)
