"""What the fuzzer reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Case = dict[str, Any]
"""One thing to try; JSON holds all of it, bytes as text of as many characters."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong: its kind, which stays the same while a case is reduced, and the details."""

    kind: str
    """Such as "distance", "crash SIGSEGV" or "TypeError"."""
    details: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.details}"


def unexpected(error: BaseException) -> Finding:
    """Return the finding that is an exception."""
    return Finding(type(error).__name__, " ".join(str(error).split())[:500] or repr(error))
