"""scipy's own tests of csgraph, run against pathfront.csgraph: `python tests/scipys_tests.py` prints what was called.

The functions are replaced in scipy's modules before pytest imports the tests, and count their calls. scipy's trees call
its order in C, so they are replaced by the same two lines of Python.
"""

from __future__ import annotations

import collections
import functools
import importlib.util
import json
import sys

import numpy as np
import pytest
import scipy
import scipy.sparse.csgraph
from scipy.sparse.csgraph import _shortest_path, _traversal

import pathfront.csgraph
from pathfront.csgraph import functions

MODULES = ("test_shortest_path", "test_traversal", "test_conversions", "test_pydata_sparse")

calls: collections.Counter[str] = collections.Counter()


def counting(name, function):
    @functools.wraps(function)
    def counted(*args, **options):
        calls[name] += 1
        return function(*args, **options)

    return counted


def replace():
    for name in pathfront.csgraph.__all__:
        if name == "NegativeCycleError":
            continue
        function = counting(name, getattr(pathfront.csgraph, name))
        for module in (scipy.sparse.csgraph, _shortest_path, _traversal, functions):
            if hasattr(module, name):
                setattr(module, name, function)

    def breadth_first_tree(csgraph, i_start, directed=True):
        _, predecessors = scipy.sparse.csgraph.breadth_first_order(csgraph, i_start, directed)
        return scipy.sparse.csgraph.reconstruct_path(csgraph, predecessors, directed)

    scipy.sparse.csgraph.breadth_first_tree = breadth_first_tree


class Outcomes:
    """Counts how the tests ended."""

    def __init__(self):
        self.counts = collections.Counter()

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            self.counts[report.outcome] += 1


def main():
    replace()
    outcomes = Outcomes()
    tests = "scipy.sparse.csgraph.tests"
    present = [name for name in MODULES if importlib.util.find_spec(f"{tests}.{name}")]
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-c", "/dev/null", "--rootdir", "/"]
    code = pytest.main([*options, "--pyargs", *(f"{tests}.{name}" for name in present)], plugins=[outcomes])
    versions = {"scipy": scipy.__version__, "numpy": np.__version__}
    print(json.dumps({**versions, "code": int(code), "outcomes": outcomes.counts, "calls": calls}))
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
