"""Findings as files of `tests/regressions/`: one case each, as JSON, replayed by `tests/test_regressions.py`."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from fuzz.finding import Case, Finding
from fuzz.parts import PARTS

FOLDER = Path(__file__).parents[1] / "tests" / "regressions"


def save(part: str, case: Case, finding: Finding, round: str, folder: Path = FOLDER) -> Path:
    """Write a case; its name follows from its contents."""
    body = {"part": part, "found": str(finding)[:300], "round": round, "case": case}
    name = hashlib.sha256(json.dumps(case, sort_keys=True).encode()).hexdigest()[:8]
    path = folder / f"{part}-{finding.kind.lower().replace(' ', '_').replace(':', '')}-{name}.json"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(body) + "\n")
    return path


def load(path: Path) -> tuple[str, Case, dict[str, Any]]:
    """Return the part, the case, and all that the file says."""
    body = json.loads(path.read_text())
    return body["part"], body["case"], body


def replay(path: Path) -> Finding | None:
    """Check a saved case."""
    part, case, _ = load(path)
    return PARTS[part].check(case)
