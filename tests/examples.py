"""How many random examples a property gets: its own number, times what the profile says.

`--hypothesis-profile=dev` a fifth, `ci` (what `make test` uses) the number as written and the same examples every time,
`thorough` (`make test-all`) three times as many, new ones in each run.
"""

from __future__ import annotations

from typing import Any

from hypothesis import settings

settings.register_profile("dev", max_examples=20, deadline=None)
settings.register_profile("ci", max_examples=100, deadline=None, derandomize=True)
settings.register_profile("thorough", max_examples=300, deadline=None, print_blob=True)


def examples(count: int, **more: Any) -> settings:
    """Return settings for `count` examples; a profile's `max_examples` are per cent of it."""
    return settings(max_examples=max(1, count * settings.default.max_examples // 100), deadline=None, **more)
