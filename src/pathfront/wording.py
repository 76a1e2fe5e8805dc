"""The words of errors: values as they are shown, and names that were probably meant.

A value in a message is one short line, whatever it is: `repr` of an array has several, that of a long integer raises an
error, and that of another library's object may do anything.
"""

from __future__ import annotations

import functools
import inspect
import numbers
from collections.abc import Callable, Iterable
from typing import ParamSpec, TypeVar

from pathfront.exceptions import ArgumentTypeError

_P = ParamSpec("_P")
_T = TypeVar("_T")

_LONGEST = 80
"""The most characters of a value in a message."""

_SYNONYMS = {
    "cutoff": ("limit", "max_distance", "radius"),
    "targets": ("target", "destination", "destinations", "dest"),
    "target": ("targets", "destination", "dest", "to"),
    "source": ("start", "origin", "root", "src", "from", "indices"),
    "sources": ("source", "starts", "origins", "roots", "indices"),
    "weights": ("weight", "cost", "costs", "length", "lengths"),
    "weight": ("weights", "cost", "length"),
    "method": ("algorithm", "algo"),
    "threads": ("workers", "jobs", "n_jobs", "cores", "num_threads", "n_threads"),
    "delta": ("width", "bucket_width", "step"),
    "parents": ("predecessors", "return_predecessors", "tree"),
    "no_parents": ("no_predecessors", "no_tree"),
    "time_limit": ("timeout", "seconds", "deadline"),
    "progress": ("callback",),
    "tails": ("sources", "edges"),
    "heads": ("targets",),
    "n": ("vertices", "nodes", "num_vertices", "num_nodes"),
    "m": ("edges", "arcs", "num_edges"),
    "labels": ("names", "ids"),
    "coordinates": ("positions", "pos", "points"),
    "seed": ("random_state", "rng"),
    "output": ("out", "save"),
    "to": ("format",),
    "from": ("format",),
    "bellman_ford": ("spfa", "negative"),
    "bfs": ("breadth_first", "breadth_first_search", "hops"),
    "dimacs": ("gr",),
    "pace": ("tw",),
    "matrix_market": ("mtx", "mm"),
    "edge_list": ("el", "wel", "txt", "tsv", "snap"),
    "metis": ("graph",),
    "npz": ("scipy",),
    "parquet": ("arrow",),
    "cuda": ("gpu", "nvidia"),
    "random": ("uniform", "erdos_renyi", "gnm"),
    "kronecker": ("graph500",),
    "road_like": ("road", "roads"),
    "chain": ("path", "line"),
    "complete": ("clique",),
    "scale_free": ("barabasi_albert",),
    "small_world": ("watts_strogatz",),
    "matrix": ("distance_matrix", "table", "od"),
    "nearest": ("closest", "voronoi"),
    "direction": ("orientation", "way"),
    "sparse": ("csr",),
    "k": ("count", "num", "neighbors", "n_neighbors"),
    "solve": ("run", "search", "sssp", "shortest_paths"),
    "path": ("route", "paths", "shortest_path", "k_shortest_paths"),
    "info": ("show", "stats", "describe"),
    "convert": ("export", "write"),
    "datasets": ("data", "download", "fetch", "graphs"),
    "explain": ("why", "choose", "suggest", "compare"),
    "sweep": ("tune", "deltas"),
    "trace": ("race", "plot", "watch"),
    "generate": ("make", "create"),
    "verify": ("check", "prove", "validate"),
}
"""What people write for a name, mostly because another library calls it that."""

_OF_THE_GRAPH = (
    "weights belong to the graph; choose them when you make it, as in Graph.from_networkx(G, 'length'), "
    "or use graph.with_weights"
)


def shown(value: object) -> str:
    """Return a value as Python writes it, in one line that is not too long.

    >>> shown("a\\nb"), shown(2**400), shown(list(range(1000)))[:12]
    ("'a\\\\nb'", 'an integer of 401 bits', '[0, 1, 2, 3,')
    """
    if isinstance(value, int) and value.bit_length() > 128:
        return f"an integer of {value.bit_length()} bits"
    try:
        if isinstance(value, numbers.Number) and hasattr(value, "item"):
            value = value.item()  # np.float64(1.5)
        text = repr(value)
    except Exception:  # of a foreign class, or of a list that holds an integer of thousands of digits
        return kind(value)
    text = "".join(c if c.isprintable() else " " for c in " ".join(text.split()))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 20].rstrip()}...{text[-15:].lstrip()}"


def for_several(argument: str, value: object) -> str:
    """Return which calls take several sources, as the end of an error, where a list was given as the one source.

    >>> for_several("source", [1, 2])
    '; for several sources use distance_matrix, nearest or shortest_paths_many'
    """
    if argument != "source" or isinstance(value, str | bytes) or not hasattr(value, "__len__"):
        return ""
    return "; for several sources use distance_matrix, nearest or shortest_paths_many"


def described(value: object) -> str:
    """Return a value and its type.

    >>> described(5), described(None), described("x")
    ('5, an int', 'None', "'x', a str")
    """
    text = shown(value)
    return text if value is None or text.startswith("an integer") else f"{text}, {kind(value)}"


def kind(value: object) -> str:
    """Return the type of a value, with an article.

    >>> kind(5), kind(1.5)
    ('an int', 'a float')
    """
    name = type(value).__name__
    vowel = name[:1].lower() in "aeiou" and not name.lower().startswith(("uint", "uni", "use"))
    return f"{'an' if vowel else 'a'} {name}"


def likely(name: object, names: Iterable[str]) -> str | None:
    """Return the name that was probably meant, of those that exist, or None.

    >>> likely("djikstra", ["dijkstra", "adds"]), likely("limit", ["cutoff", "delta"]), likely("x", ["cutoff"])
    ('dijkstra', 'cutoff', None)
    """
    if not isinstance(name, str) or len(name) > _LONGEST:
        return None
    plain = {_plain(known): known for known in names}
    given = _plain(name)
    for known in plain:
        if given == known or given in _SYNONYMS.get(known, ()):
            return plain[known]
    import difflib  # only for a message

    close = difflib.get_close_matches(given, plain, 1)
    return plain[close[0]] if close else None


def _plain(name: str) -> str:
    return name.strip().lstrip("-.").replace("-", "_").replace(" ", "_").lower()


def hint(name: object, names: Iterable[str]) -> str:
    """Return the part of a message that proposes a name: " (did you mean 'x'?)", or nothing."""
    meant = likely(name, names)
    return "" if meant is None else f" (did you mean {meant!r}?)"


def choice_message(argument: str, value: object, choices: Iterable[str]) -> str:
    """Return the message about a value that is none of the choices.

    >>> choice_message("method", "djikstra", ["adds", "dijkstra"])
    "method is 'djikstra' (did you mean 'dijkstra'?); choose from adds, dijkstra."
    """
    choices = list(choices)
    return f"{argument} is {shown(value)}{hint(value, choices)}; choose from {', '.join(choices)}."


def option_message(name: str, owner: str, options: Iterable[str], arguments: Iterable[str] = ()) -> str:
    """Return the message about an option that a method or format does not have; `arguments` may be meant as well.

    >>> option_message("bucket", "method 'adds'", ["buckets", "block"])
    "bucket is not an option of method 'adds' (did you mean 'buckets'?); its options are buckets, block."
    """
    options = list(options)
    if arguments and _means_weights(name):
        return f"{name} is not an option of {owner}: {_OF_THE_GRAPH}."
    known = f"its options are {', '.join(options)}" if options else "it has no options"
    return f"{name} is not an option of {owner}{hint(name, [*options, *arguments])}; {known}."


def unknown_argument(name: str, function: str, names: Iterable[str]) -> str:
    """Return the message about an argument that a function does not have."""
    names = list(names)
    if _means_weights(name) and not {"weight", "weights"} & set(names):
        return f"{name} is not an argument of {function}: {_OF_THE_GRAPH}."
    return f"{name} is not an argument of {function}{hint(name, names)}; its arguments are {', '.join(names)}."


def _means_weights(name: str) -> bool:
    return name in ("weight", *_SYNONYMS["weight"])


def checks_names(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Let a function answer a keyword argument that it does not have with the one that was probably meant.

    One that takes further options, and checks these itself, does so where an argument that it needs is missing.
    """
    signature = inspect.signature(function)
    parameters = signature.parameters
    rest = [name for name, each in parameters.items() if each.kind is each.VAR_KEYWORD]
    keywords = [each for each in parameters if each not in ("self", "cls", *rest)]

    @functools.wraps(function)
    def checked(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        for name in kwargs:
            if name not in keywords and not (rest and _binds(signature, args, kwargs)):
                raise ArgumentTypeError(unknown_argument(name, function.__name__, keywords))
        return function(*args, **kwargs)

    return checked


def _binds(signature: inspect.Signature, args: tuple[object, ...], kwargs: dict[str, object]) -> bool:
    """Return whether a call gives every argument that is needed."""
    try:
        signature.bind(*args, **kwargs)
    except TypeError:
        return False
    return True
