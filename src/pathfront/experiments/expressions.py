"""Arithmetic on what was measured, as suites write it: "base.edges / edges", "32 * weight / degree".

An expression has numbers, names, `base.name` for the same value of another search, arithmetic, comparisons and a few
functions. Nothing else: suites may come from anywhere. A name without a value makes the whole expression None.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from pathfront.exceptions import ArgumentError

Value = float | int | str | bool | None

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: lambda a, b: float(a) ** float(b),  # of integers it may take for ever
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {"min": min, "max": max, "sqrt": math.sqrt, "log2": math.log2, "abs": abs}
_LONGEST = 300
"""Characters of an expression: Python's parser is recursive."""


class _MissingError(Exception):
    """A name has no value."""


class Expression:
    """An expression that has been checked.

    >>> from pathfront.experiments.expressions import Expression
    >>> Expression("base.edges / edges")({"edges": 50}, {"edges": 300})
    6.0
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._body = _parsed(text)

    def __call__(self, names: Mapping[str, Any], base: Mapping[str, Any] | None = None) -> Value:
        """Return the value; None where a name has none, or the value is not finite."""
        try:
            value = _value(self._body, names, base or {})
        except (_MissingError, ZeroDivisionError, OverflowError, ValueError, TypeError):
            return None
        if isinstance(value, complex) or (isinstance(value, float) and not math.isfinite(value)):
            return None  # a root of a negative number is complex
        return value  # type: ignore[no-any-return]

    @property
    def uses_base(self) -> bool:
        """Whether it speaks of another search."""
        return any(isinstance(node, ast.Attribute) for node in ast.walk(self._body))

    @property
    def names(self) -> frozenset[str]:
        """The names whose values it needs, without those of the base."""
        attributes = {id(node.value) for node in ast.walk(self._body) if isinstance(node, ast.Attribute)}
        called = {id(node.func) for node in ast.walk(self._body) if isinstance(node, ast.Call)}
        nodes = [node for node in ast.walk(self._body) if isinstance(node, ast.Name)]
        return frozenset(node.id for node in nodes if id(node) not in attributes | called)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> ast.expr:
    if len(text) > _LONGEST:
        raise ArgumentError(f"an expression has {len(text)} characters; it may have {_LONGEST}.")
    try:
        body = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ArgumentError(f"{text!r} is no expression; write one such as 'base.edges / edges'.") from None
    for node in ast.walk(body):
        if not _is_allowed(node):
            raise ArgumentError(
                f"{text!r} may have numbers, names, base.name, + - * / **, comparisons and "
                f"{', '.join(_FUNCTIONS)} only, but not {type(node).__name__.lower()}."
            )
    return body


def _is_allowed(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS and not node.keywords
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and node.value.id == "base"
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float | str)
    kinds = (ast.BinOp, ast.UnaryOp, ast.USub, ast.Compare, ast.Name, ast.Load, *_BINARY, *_COMPARE)
    return isinstance(node, kinds)


def _value(node: ast.expr, names: Mapping[str, Any], base: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant():
            return node.value
        case ast.Name():
            return _known(names, node.id)
        case ast.Attribute():
            return _known(base, node.attr)
        case ast.UnaryOp():
            return -_value(node.operand, names, base)
        case ast.BinOp():
            sides = [_value(each, names, base) for each in (node.left, node.right)]
            if any(isinstance(side, str) for side in sides):  # text times a number could be of any length
                raise TypeError
            return _within(_BINARY[type(node.op)](*sides))
        case ast.Call():
            assert isinstance(node.func, ast.Name)
            return _FUNCTIONS[node.func.id](*(_value(each, names, base) for each in node.args))
        case ast.Compare():
            values = [_value(each, names, base) for each in (node.left, *node.comparators)]
            return all(_COMPARE[type(op)](a, b) for op, a, b in zip(node.ops, values, values[1:], strict=False))
    raise AssertionError(node)


def _within(value: Any) -> Any:
    """Return a number that a float can hold; products of integers could be of any length."""
    if isinstance(value, int):
        float(value)
    return value


def _known(names: Mapping[str, Any], name: str) -> Any:
    value = names.get(name)
    if value is None:
        raise _MissingError
    return value
