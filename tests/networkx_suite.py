"""A plugin of pytest for NetworkX's own tests: what ran, through which function, and what did not."""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import Any

import networkx as nx
import pytest

from pathfront.networkx import interface
from pathfront.networkx.registry import FUNCTIONS

RAN: Counter[str] = Counter()
OUTCOMES: dict[str, str] = {}
REASONS: dict[str, str] = {}


def _counted(name: str, function: Any) -> Any:
    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        RAN[name] += 1
        return result

    return call


def pytest_configure(config: pytest.Config) -> None:
    """Count the calls that end, and let only functions that the backend does not have fall back to NetworkX."""
    for name, function in FUNCTIONS.items():
        setattr(interface.backend, name, _counted(name, function))
    dispatch = nx.utils.backends._dispatchable
    original = dispatch._convert_and_call_for_tests

    def strict(self: Any, backend_name: str, args: Any, kwargs: Any, *, fallback_to_nx: bool = False) -> Any:
        return original(self, backend_name, args, kwargs, fallback_to_nx=not hasattr(interface.backend, self.name))

    dispatch._convert_and_call_for_tests = strict


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note how each test ended."""
    if report.when == "call" or report.outcome == "failed":
        OUTCOMES[report.nodeid] = "xfailed" if hasattr(report, "wasxfail") and report.skipped else report.outcome
        if hasattr(report, "wasxfail"):
            REASONS[report.nodeid] = report.wasxfail


def pytest_sessionfinish() -> None:
    """Write everything to the file that PATHFRONT_SUITE names."""
    with open(os.environ["PATHFRONT_SUITE"], "w") as file:
        json.dump({"ran": RAN, "outcomes": OUTCOMES, "reasons": REASONS}, file)
