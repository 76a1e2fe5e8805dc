"""NetworkX's own tests, run through the backend in a process of their own; tests/networkx_suite.py is its plugin."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pathfront.networkx import interface
from pathfront.networkx.deviations import DEVIATIONS
from pathfront.networkx.registry import FUNCTIONS

ROOT = Path(__file__).parents[1]

MODULES = (
    "networkx.algorithms.shortest_paths",
    "networkx.algorithms.centrality.tests.test_betweenness_centrality",
    "networkx.algorithms.centrality.tests.test_betweenness_centrality_subset",
    "networkx.algorithms.centrality.tests.test_closeness_centrality",
    "networkx.algorithms.centrality.tests.test_harmonic_centrality",
    "networkx.algorithms.tests.test_distance_measures",
    "networkx.algorithms.tests.test_voronoi",
    "networkx.generators.tests.test_ego",
)
"""The packages and modules whose tests are run."""

_KEYS = "edges between the same two nodes are one arc, and have no keys"
REFUSED: dict[str, str] = {
    "TestWeightedEdgeBetweennessCentrality::test_weighted_multigraph": _KEYS,
    "TestWeightedEdgeBetweennessCentrality::test_normalized_weighted_multigraph": _KEYS,
}
"""The tests whose graphs or arguments the backend leaves to NetworkX, by the end of their ids, and why."""


@pytest.fixture(scope="module")
def suite(tmp_path_factory) -> dict[str, Any]:
    """Return how often each function ran, and how each test ended."""
    folder = tmp_path_factory.mktemp("suite")
    written = folder / "suite.json"
    environment = os.environ | {
        "NETWORKX_TEST_BACKEND": "pathfront",
        "PATHFRONT_SUITE": str(written),
        "PYTHONPATH": str(ROOT),
    }
    command = ["-m", "pytest", "-q", "-p", "tests.networkx_suite", "-p", "no:cacheprovider", "-c", os.devnull]
    done = subprocess.run(
        [sys.executable, *command, "--pyargs", *MODULES],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert written.exists(), done.stdout + done.stderr
    found: dict[str, Any] = json.loads(written.read_text())
    found["output"] = done.stdout
    return found


def test_every_test_passes_but_for_the_listed_deviations(suite):
    assert sum(outcome == "passed" for outcome in suite["outcomes"].values()) > 120, suite["output"]
    listed = {test for deviation in DEVIATIONS for test in deviation.tests} | {*REFUSED}
    other = {test: how for test, how in suite["outcomes"].items() if how not in ("passed", "skipped")}
    unlisted = {test: how for test, how in other.items() if how == "failed" or not test.endswith(tuple(listed))}
    assert unlisted == {}, suite["output"]
    assert {name for name in listed if not any(test.endswith(name) for test in other)} == set()


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_the_suite_runs_the_function(suite, name):
    assert suite["ran"].get(name, 0) > 0


def test_the_count_is_of_calls_that_reach_the_backend():
    assert {name for name in FUNCTIONS if getattr(interface.backend, name) is not FUNCTIONS[name]} == set()
