"""Every case that the fuzzer has once found, or that was found before there was one, reduced: see `fuzz/saved.py`."""

from __future__ import annotations

import pytest
from fuzz.parts import available
from fuzz.saved import FOLDER, load, replay

CASES = sorted(FOLDER.glob("*.json"))


def test_there_are_cases():
    assert len(CASES) >= 10


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path):
    part, _, body = load(path)
    if part not in available():
        pytest.skip(f"{part} cannot run here")
    finding = replay(path)
    assert finding is None, f"{finding}; it was: {body['found']}"
