"""Python values as JSON, and back to the same values: what JSON lacks is an object of one entry, named after its type.

Whole numbers are exact at any size, floats to the last bit; reading makes these types only, so that a file of unknown
origin cannot do anything.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def encoded(value: Any) -> Any:
    """Return what JSON can say of a value; TypeError for types that are not kept.

    >>> encoded(("a", b"b", [1.5]))
    {'tuple': ['a', {'bytes': '62'}, [1.5]]}
    """
    if isinstance(value, np.generic) and type(value.item()) in (int, float, str, bool, bytes):
        value = value.item()
    if value is None or type(value) in (int, float, str, bool):
        return value
    if type(value) is list:
        return [encoded(each) for each in value]
    if type(value) is bytes:
        return {"bytes": value.hex()}
    if type(value) is dict:
        return {"dict": [[encoded(key), encoded(each)] for key, each in value.items()]}
    if isinstance(value, tuple | frozenset):
        return {"tuple" if isinstance(value, tuple) else "frozenset": [encoded(each) for each in value]}
    raise TypeError(type(value).__name__)


def decoded(value: Any) -> Any:
    """Return the value that was encoded; ValueError for what `encoded` does not make.

    >>> decoded({"tuple": ["a", {"bytes": "62"}, [1.5]]})
    ('a', b'b', [1.5])
    """
    if isinstance(value, list):
        return [decoded(each) for each in value]
    if not isinstance(value, dict):
        return value
    if len(value) != 1:
        raise ValueError("an object of one entry was expected")
    ((kind, inner),) = value.items()
    if kind == "bytes" and isinstance(inner, str):
        return bytes.fromhex(inner)
    if kind in ("tuple", "frozenset") and isinstance(inner, list):
        made = decoded(inner)
        return tuple(made) if kind == "tuple" else frozenset(made)
    if kind == "dict" and isinstance(inner, list):
        return dict(decoded(inner))
    raise ValueError(f"a value of type {kind[:20]!r} is not known")
