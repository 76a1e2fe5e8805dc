"""Reducing a case: simpler cases are tried, and taken if they show a finding of the same kind.

Every attempt runs in a process of its own, so that crashes and hangs can be reduced like wrong answers. A finding that
does not show each time, such as a race, is tried several times.
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import time
from collections.abc import Callable, Iterator
from typing import Any

from fuzz.finding import Case, Finding, unexpected

_FORK = multiprocessing.get_context("fork")


def isolated(check: Callable[[Case], Finding | None], case: Case, seconds: float, times: int = 1) -> Finding | None:
    """Check a case in a process of its own, several times."""
    receiver, sender = _FORK.Pipe(duplex=False)

    def run() -> None:
        faulthandler.disable()  # a crash is an answer here
        finding = None
        for _ in range(times):
            finding = finding or check_safely(check, case)
        sender.send(finding)

    process = _FORK.Process(target=run, daemon=True)
    process.start()
    sender.close()
    try:
        if not receiver.poll(seconds):
            return Finding("hang", f"no answer after {seconds:.0f} seconds")
        found: Finding | None = receiver.recv()
        return found
    except EOFError:
        process.join()
        return crash(process.exitcode or 0)
    finally:
        process.kill()
        process.join()
        receiver.close()


def check_safely(check: Callable[[Case], Finding | None], case: Case) -> Finding | None:
    """Check a case; an exception that the check does not know is a finding, too."""
    try:
        return check(case)
    except Exception as error:
        return unexpected(error)


def crash(exitcode: int) -> Finding:
    """Return the finding that is the end of a process."""
    return Finding(f"crash {-exitcode}" if exitcode < 0 else f"exit {exitcode}", "the process ended")


def shrink(
    case: Case,
    kind: str,
    check: Callable[[Case], Finding | None],
    smaller: Callable[[Case], Iterator[Case]],
    seconds: float = 60.0,
    patience: float = 10.0,
) -> tuple[Case, bool]:
    """Return the simplest case found that shows a finding of this kind, and whether the given one showed it again."""
    end = time.monotonic() + seconds

    def fails(candidate: Case) -> bool:
        for times in (1, 20):
            found = isolated(check, candidate, patience, times)
            if found is not None and found.kind == kind:
                return True
            if kind == "hang" or not shaky:
                break
        return False

    shaky = True
    if not fails(case):
        return case, False
    first = isolated(check, case, patience)
    shaky = first is None or first.kind != kind
    improved = True
    while improved:
        improved = False
        for candidate in smaller(case):
            if time.monotonic() > end:
                return case, True
            if fails(candidate):
                case, improved = candidate, True
                break
    return case, True


# ---- simpler cases -------------------------------------------------------------------------------------------------


def _without_chunks(count: int) -> Iterator[tuple[int, int]]:
    """Return ranges to leave out, large ones first."""
    size = count
    while size >= 1:
        for begin in range(0, count, size):
            yield begin, min(begin + size, count)
        size //= 2


def smaller_graph(case: Case) -> Iterator[Case]:
    """Return cases with fewer arcs, fewer vertices, simpler weights."""
    graph = case["graph"]
    ends, weights = graph["ends"], graph["weights"]
    for begin, end in _without_chunks(len(ends)):
        kept = None if weights is None else weights[:begin] + weights[end:]
        yield case | {"graph": graph | {"ends": ends[:begin] + ends[end:], "weights": kept}}
    yield from _without_vertices(case)
    if not graph["directed"]:
        yield case | {"graph": graph | {"directed": True}}
    for name in ("labels", "coordinates"):
        if graph.get(name) is not None:
            yield case | {"graph": {key: value for key, value in graph.items() if key != name}}
    for simple in (0, 1):
        for begin, end in _without_chunks(len(weights or ())):
            if any(abs(w) > simple for w in weights[begin:end]):
                simpler = weights[:begin] + [simple] * (end - begin) + weights[end:]
                yield case | {"graph": graph | {"weights": simpler}}
    for option in case.get("write", {}):
        yield case | {"write": {name: value for name, value in case["write"].items() if name != option}}
    if case.get("ending"):
        yield case | {"ending": ""}


def _named(case: Case) -> list[int]:
    """Return the vertices that a call names."""
    call = case.get("call", {})
    named = [call[key] for key in ("source",) if key in call]
    for key in ("targets", "sources"):
        named += call.get(key) or []
    return named


def _without_vertices(case: Case) -> Iterator[Case]:
    """Return the case without its unused vertices, the others numbered anew."""
    graph, call = case["graph"], case.get("call", {})
    used = sorted({v for pair in graph["ends"] for v in pair} | set(_named(case))) or [0]
    if len(used) == graph["n"]:
        return
    number = {v: i for i, v in enumerate(used)}
    made: dict[str, Any] = graph | {"n": len(used), "ends": [[number[u], number[v]] for u, v in graph["ends"]]}
    for name in ("labels", "coordinates"):
        if graph.get(name) is not None:
            made[name] = [graph[name][v] for v in used]
    renamed = dict(call)
    if "source" in call:
        renamed["source"] = number[call["source"]]
    for key in ("targets", "sources"):
        if call.get(key):
            renamed[key] = [number[v] for v in call[key]]
    yield case | {"graph": made} | ({"call": renamed} if call else {})


def smaller_search(case: Case) -> Iterator[Case]:
    """Return searches with fewer options, fewer threads, on smaller graphs."""
    call = case["call"]
    for name in call:
        if name not in ("source", "method"):
            yield case | {"call": {key: value for key, value in call.items() if key != name}}
    for threads in (1, 2):
        if call.get("threads", 0) > threads:
            yield case | {"call": call | {"threads": threads}}
    if len(call.get("targets", ())) > 1:
        for target in call["targets"]:
            yield case | {"call": call | {"targets": [target]}}
    yield from smaller_graph(case)


def smaller_file(case: Case) -> Iterator[Case]:
    """Return shorter files."""
    contents = case["contents"].encode("latin-1")
    for begin, end in _without_chunks(len(contents)):
        yield case | {"contents": (contents[:begin] + contents[end:]).decode("latin-1")}
    for simple in (b"0", b"\0"):
        for i, byte in enumerate(contents):
            if byte not in b"01\0 \n":
                yield case | {"contents": (contents[:i] + simple + contents[i + 1 :]).decode("latin-1")}
    if case["options"]:
        yield case | {"options": {}}


def smaller_call(case: Case) -> Iterator[Case]:
    """Return calls with fewer arguments."""
    for name in case["arguments"]:
        if name not in case["needed"]:
            yield case | {"arguments": {key: value for key, value in case["arguments"].items() if key != name}}
