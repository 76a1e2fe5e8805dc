"""The searches that a suite asks for: every run with every value of its variables, on every graph.

A cell is one search with all that decides what it measures. Its key is a hash of that, so a search that two experiments
ask for is measured once, and one that was measured before an interruption is found again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any

from pathfront import methods
from pathfront.devices.names import family
from pathfront.experiments.expressions import Expression
from pathfront.experiments.suite import Experiment, GraphSpec, Run, Suite, Vary

_PATIENCE, _QUICK_PATIENCE = 6.0, 0.2
"""Seconds that the repetitions of one search may take in all."""


@dataclass(frozen=True, slots=True)
class Place:
    """One graph of a suite, with the values of its variables filled in."""

    spec: GraphSpec
    label: str
    variables: Mapping[str, Any]

    @property
    def key(self) -> str:
        """What identifies the graph in results."""
        fields = (
            "kind",
            "arguments",
            "file",
            "dataset",
            "weights",
            "dtype",
            "simplified",
            "dense",
            "reverse",
            "source",
        )
        return _hash({name: getattr(self.spec, name) for name in fields})


@dataclass(frozen=True, slots=True)
class Cell:
    """One search to measure."""

    place: Place
    run: Run
    variables: Mapping[str, Any]
    device: str
    repeat: int
    patience: float = _PATIENCE
    """Seconds that its repetitions may take in all; those of long searches are fewer."""

    @property
    def key(self) -> str:
        """What identifies the measurement in results."""
        run = {name: value for name, value in asdict(self.run).items() if name not in ("name", "vary", "quick_vary")}
        return _hash({"graph": self.place.key, "run": run, "variables": dict(self.variables), "device": self.device})

    @property
    def names(self) -> dict[str, Any]:
        """The variables of the graph and of the run."""
        return {**self.place.variables, **self.variables}

    @property
    def label(self) -> str:
        """The search in words: "Near-Far c=32 on road n=1,000"."""
        return f"{_with(self.run.name, self.variables)} on {self.place.label}"


def places(suite: Suite, experiment: Experiment, *, quick: bool) -> list[Place]:
    """Return the graphs of an experiment; own graphs replace the suite's where they make sense."""
    own = [spec for spec in suite.graphs.values() if spec.own]
    if own:
        return [place for spec in own for place in _variants(spec, quick)] if experiment.own_graphs else []
    specs = []
    for name in experiment.graphs:
        found = [suite.graphs[name]] if name in suite.graphs else [g for g in suite.graphs.values() if name in g.tags]
        specs += [spec for spec in found if spec not in specs and not (quick and spec.full_only)]
    return [place for spec in specs for place in _variants(spec, quick)]


def _variants(spec: GraphSpec, quick: bool) -> Iterator[Place]:
    vary = {**spec.vary, **(spec.quick_vary if quick else {})}
    arguments = {**spec.arguments, **(spec.quick if quick else {})}
    for values in _grid(vary):
        filled = {name: _filled(values.get(name, value), values) for name, value in arguments.items()} | values
        label = _with(spec.name, values)
        shape = replace(spec, arguments=filled, quick={}, vary={}, quick_vary={})
        yield Place(shape, label, values)


def _with(name: str, values: Mapping[str, Any]) -> str:
    return " ".join([name, ", ".join(f"{name}={_short(value)}" for name, value in values.items())]).rstrip()


def _filled(value: Any, variables: Mapping[str, Any]) -> Any:
    """Return an argument of a generator; "= 10 * n" is an expression in the variables."""
    if not isinstance(value, str) or not value.startswith("="):
        return value
    found = Expression(value[1:])(variables)
    return int(found) if isinstance(found, float) and found.is_integer() else found


def _short(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def cells(suite: Suite, experiment: Experiment, device: str, *, quick: bool) -> Iterator[Cell]:
    """Return the searches of an experiment."""
    for place in places(suite, experiment, quick=quick):
        for run in experiment.runs:
            vary = {**run.vary, **(run.quick_vary if quick else {})}
            for values in _grid(vary):
                where = _device_of(run, device)
                delta = run.delta if where == "cpu" or run.device_delta is None else run.device_delta
                repeat = 1 if run.counted or run.trace else experiment.repeat
                patience = _QUICK_PATIENCE if quick else _PATIENCE
                yield Cell(place, replace(run, delta=delta, device_delta=None), values, where, repeat, patience)


def _device_of(run: Run, device: str) -> str:
    """Return where a run takes place: where it says, else on the suite's device if the method can."""
    if run.device is not None:
        return run.device
    if run.method in methods.names() and family(device) in methods.get(run.method).devices:
        return device
    return "cpu"


def _grid(vary: Vary) -> Iterator[dict[str, Any]]:
    for values in product(*vary.values()):
        yield dict(zip(vary, values, strict=True))


def _hash(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:20]
