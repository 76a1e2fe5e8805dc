"""What the documentation shows is run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import pathfront as pf

MODULES = [
    name
    for _, name, _ in pkgutil.walk_packages(pf.__path__, "pathfront.")
    if ".cli" not in name and not name.endswith("_core")
]
ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", ["pathfront", *MODULES])
def test_docstring_examples(name):
    module = importlib.import_module(name)
    results = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    assert results.failed == 0


def test_every_public_name_has_an_example():
    missing = []
    for name in pf.__all__:
        thing = getattr(pf, name)
        if callable(thing) and ">>>" not in (thing.__doc__ or ""):
            missing.append(name)
    assert missing == []
