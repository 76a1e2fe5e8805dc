"""What the readers of other libraries' graphs share: types, edge attributes, vertex ids with gaps."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from pathfront.exceptions import ArgumentError, ArgumentTypeError, MissingExtraError
from pathfront.graph.build import from_edges
from pathfront.graph.graph import Graph
from pathfront.graph.labels import as_labels
from pathfront.validation import Array, as_weights
from pathfront.wording import hint, kind, shown

DEFAULT_WEIGHT = "weight"
"""The attribute that holds weights by convention; only of this one may a graph have none, and edges count as hops."""

PAIR = np.dtype([("tail", np.int64), ("head", np.int64)])
"""An edge as a tuple, for `np.fromiter`, which is several times faster than `np.array` of tuples."""


def is_of(graph: object, package: str, *classes: str) -> bool:
    """Return whether an object is of one of a package's classes, or of one derived from them."""
    return any(
        base.__module__.partition(".")[0] == package and base.__name__ in classes for base in type(graph).__mro__
    )


def require_of(graph: object, package: str, *classes: str) -> None:
    """Raise unless an object is of one of a package's classes."""
    if is_of(graph, package, *classes):
        return
    if importlib.util.find_spec(package) is None:
        extra = package.replace("_", "-")
        install = "install graph-tool" if extra == "graph-tool" else f"pip install 'pathfront[{extra}]'"
        raise MissingExtraError(f"graph is {kind(graph)}, not a graph of {extra}, which is not installed; {install}.")
    names = " or ".join(f"{package}.{name}" for name in classes)
    raise ArgumentTypeError(f"graph is {kind(graph)}, not {names}; give one.")


def require_name(weight: object) -> None:
    """Raise unless weights are given by the name of an attribute, or None."""
    if weight is not None and not isinstance(weight, str):
        what = "a function" if callable(weight) else kind(weight)
        raise ArgumentTypeError(f"weight is {what}; give the name of an edge attribute, or None to count hops.")


def require_attribute(argument: str, name: str, known: Iterable[str], cure: str, owner: str = "edges") -> None:
    """Raise unless an attribute exists."""
    names = sorted(map(str, known))
    if name not in names:
        have = f"the {owner} have {', '.join(names)}" if names else f"the {owner} have no attributes"
        raise ArgumentError(f"{argument} is {shown(name)}{hint(name, names)}, but {have}; {cure}.")


def weights_of(values: Sequence[Any], name: str, edge: Callable[[int], str]) -> Array | None:
    """Return the values of an attribute as weights; `edge` describes the edge at a position, for errors."""
    if None in values:
        raise ArgumentError(
            f"{edge(values.index(None))} has no value of {name!r} while others do; "
            "give it one, or pass weight=None to count hops."
        )
    return as_weights(values, f"attribute {name!r}")


def named(names: Any, n: int, argument: str, cure: str) -> Any:
    """Return the names of vertices, which must differ; errors name the argument that chose them."""
    try:
        as_labels(names, n)
    except (ArgumentError, ArgumentTypeError) as error:
        raise type(error)(f"{argument}: {str(error).rstrip('.')}; {cure}.") from None
    return names


def made(
    tails: Array,
    heads: Array,
    weights: Array | None,
    vertices: Array,
    *,
    directed: bool,
    labels: Any = None,
    edge_ids: Array,
) -> Graph:
    """Make a graph of edges between the library's vertex ids, of which `vertices` lists those that exist."""
    n = vertices.size
    if not np.array_equal(vertices, np.arange(n)):
        number = np.zeros(int(vertices.max(initial=-1)) + 1, np.uint32)
        number[vertices] = np.arange(n, dtype=np.uint32)
        tails, heads = number[tails], number[heads]
        labels = vertices if labels is None else labels
    return from_edges(tails, heads, weights, n=n, directed=directed, labels=labels, coordinates=None, edge_ids=edge_ids)
