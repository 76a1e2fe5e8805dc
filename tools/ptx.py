"""Find loops in PTX that wait for something they never look at again.

`while flag[0] == 0` ends on a CPU once another thread has raised the flag. On a GPU the compiler may load it once,
since nothing in the loop changes it, and what remains is a loop without an end. No test on a CPU can see that, but the
code of the GPU shows it. A loop is reported if

- there is no way out of it, or
- every way out is decided by what no round can change: by constants, by numbers from before the loop, and by plain
  loads of memory that the loop does not store to. Such a load may still stand in the loop; the next compiler on the
  way, from PTX to the code of a GPU, is free to move it.

Loads that are volatile or atomic are looked at every time, so a loop that waits by them is none of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tools.cubin import kernel_name

_FUNCTION = re.compile(r"\.(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)[^{;]*\{")
_PIECE = re.compile(r"\s*([$\w]+):(?!:)|([^;{}]+);")
_NAME = re.compile(r"%?[A-Za-z_$][\w$]*")
_ENDS = ("ret", "exit", "trap")
_WITHOUT_RESULT = ("st", "red", "bra", "brx", "bar", "barrier", "membar", "fence", "nanosleep", "prefetch", *_ENDS)
_FRESH = re.compile(r"(atom|call|ld\.(\w+\.)*(volatile|relaxed|acquire|mmio)|.*%(clock|globaltimer))")
_SPACE = re.compile(r"(?:ld|st)\.(?:\w+\.)*?(global|shared|local)\b")


@dataclass(frozen=True)
class Spin:
    """A loop that may never end: the kernel, the label where the loop begins, and why."""

    kernel: str
    label: str
    reason: str


@dataclass
class _Instruction:
    text: str
    guard: str = ""  # the predicate that decides whether it is done
    code: str = ""
    results: frozenset[str] = frozenset()
    operands: frozenset[str] = frozenset()

    def is_a(self, *codes: str) -> bool:
        return self.code.split(".")[0] in codes


@dataclass
class _Block:
    label: str
    body: list[_Instruction] = field(default_factory=list)
    next: list[int] = field(default_factory=list)
    deciders: set[str] = field(default_factory=set)  # the predicates of its branches
    leaves: bool = False  # the kernel may end here


def spins(text: str) -> Iterator[Spin]:
    """Find loops that may never end in the text of a PTX file."""
    text = re.sub(r"//[^\n]*", "", text)
    for start in _FUNCTION.finditer(text):
        blocks = _blocks(_body(text, start.end()))
        for loop, header in _loops(blocks, set(range(len(blocks)))):
            reason = _endless(blocks, loop)
            if reason:
                yield Spin(kernel_name(start[1]) or start[1], blocks[header].label, reason)


def _body(text: str, at: int) -> str:
    """Return what is between a brace, just passed, and the one that closes it."""
    depth, end = 1, at
    while depth:
        end += 1
        depth += (text[end] == "{") - (text[end] == "}")
    return re.sub(r"\{([^{};]*)\}", r"<\1>", text[at:end])  # {%r1, %r2} is a vector; other braces are scopes


# ---- from text to blocks -----------------------------------------------------------------------------------------


def _blocks(body: str) -> list[_Block]:
    """Return the basic blocks of a function, each with the numbers of those that may follow."""
    blocks = [_Block("")]
    tables: dict[str, list[str]] = {}  # of branches with many targets
    for label, statement in _PIECE.findall(body):
        text = " ".join(statement.split())
        if label:
            blocks.append(_Block(label))
        elif text.startswith(".branchtargets"):
            tables[blocks[-1].label] = _NAME.findall(text.removeprefix(".branchtargets"))
        elif not text.startswith("."):
            if blocks[-1].body and blocks[-1].body[-1].is_a("bra", "brx", *_ENDS):
                blocks.append(_Block(""))
            blocks[-1].body.append(_instruction(text))
    numbers = {block.label: i for i, block in enumerate(blocks) if block.label}
    for i, block in enumerate(blocks):
        _link(block, i, len(blocks), numbers, tables)
    return blocks


def _link(block: _Block, i: int, count: int, numbers: dict[str, int], tables: dict[str, list[str]]) -> None:
    last = block.body[-1] if block.body else _Instruction("")
    if last.is_a("bra"):
        block.next.append(numbers[last.text.split()[-1]])
        block.deciders |= {last.guard} - {""}
    elif last.is_a("brx"):
        names = last.text.replace(",", " ").split()
        block.next += [numbers[target] for target in tables[names[-1]]]
        block.deciders |= last.operands
    block.leaves = last.is_a(*_ENDS)
    if block.leaves:
        block.deciders |= {last.guard} - {""}
    if i + 1 < count and (last.guard or not last.is_a("bra", "brx", *_ENDS)):
        block.next.append(i + 1)


def _instruction(text: str) -> _Instruction:
    guard = re.match(r"@!?([%\w$]+)\s+", text)
    rest = text[guard.end() :] if guard else text
    code, _, operands = rest.partition(" ")
    made = _Instruction(text, guard[1] if guard else "", code)
    if made.is_a(*_WITHOUT_RESULT):
        first, others = "", operands
    elif operands.startswith("<"):
        first, _, others = operands.partition(">")
    else:
        first, _, others = operands.partition(",")
    made.results = frozenset(_NAME.findall(first))
    made.operands = frozenset(_NAME.findall(others)) | ({made.guard} - {""})
    return made


# ---- loops -------------------------------------------------------------------------------------------------------


def _loops(blocks: list[_Block], within: set[int]) -> Iterator[tuple[set[int], int]]:
    """Find all loops, also those in others: each as its blocks and the one where it begins."""
    for loop in _circles(blocks, within):
        entered = {j for i in range(len(blocks)) if i not in loop for j in blocks[i].next if j in loop}
        header = min(entered or loop)
        yield loop, header
        yield from _loops(blocks, loop - {header})


def _circles(blocks: list[_Block], within: set[int]) -> Iterator[set[int]]:
    """Find the sets of blocks, as large as can be, of which each leads to each: Tarjan (1972), without recursion."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    open_: list[int] = []
    for root in sorted(within):
        path = [] if root in order else [(root, _followers(blocks, root, within))]
        while path:
            i, rest = path[-1]
            if i not in order:
                order[i] = low[i] = len(order)
                open_.append(i)
            j = next(rest, None)
            if j is not None:
                if j not in order:
                    path.append((j, _followers(blocks, j, within)))
                elif j in open_:
                    low[i] = min(low[i], order[j])
                continue
            path.pop()
            if path:
                low[path[-1][0]] = min(low[path[-1][0]], low[i])
            if low[i] == order[i]:
                at = open_.index(i)
                found, open_ = set(open_[at:]), open_[:at]
                if len(found) > 1 or i in blocks[i].next:
                    yield found


def _followers(blocks: list[_Block], i: int, within: set[int]) -> Iterator[int]:
    return iter([j for j in blocks[i].next if j in within])


# ---- what decides them -------------------------------------------------------------------------------------------


def _endless(blocks: list[_Block], loop: set[int]) -> str:
    """Return why a loop may never end, or nothing."""
    ways_out = [blocks[i] for i in loop if blocks[i].leaves or not loop.issuperset(blocks[i].next)]
    if not ways_out:
        return "there is no way out"
    body = [instruction for i in loop for instruction in blocks[i].body]
    makers: dict[str, list[_Instruction]] = {}
    for instruction in body:
        for result in instruction.results:
            makers.setdefault(result, []).append(instruction)
    deciders = {name for block in ways_out for name in block.deciders}
    if any(not block.deciders for block in ways_out) or _changes(deciders, makers, _stored(body)):
        return ""
    return "nothing that it waits for is looked at again"


def _stored(body: Iterable[_Instruction]) -> set[str]:
    """Return the kinds of memory that may be different in the next round, as far as plain loads can see."""
    spaces: set[str] = set()
    for instruction in body:
        if instruction.is_a("bar", "barrier"):
            return {"global", "shared", "local", ""}
        if instruction.is_a("st"):
            spaces.add(_space(instruction))
    return spaces | {""} if spaces else spaces


def _space(instruction: _Instruction) -> str:
    match = _SPACE.match(instruction.code)
    return match[1] if match else ""


def _changes(deciders: set[str], makers: dict[str, list[_Instruction]], stored: set[str]) -> bool:
    """Tell whether any of these may differ from one round of a loop to the next."""
    return any(_varies(name, makers, stored, ()) for name in deciders)


def _varies(name: str, makers: dict[str, list[_Instruction]], stored: set[str], above: tuple[str, ...]) -> bool:
    if name in above:  # made from itself: a counter
        return True
    made_by = makers.get(name, [])
    if len(made_by) > 1:  # one of several values, by the way taken
        return True
    for maker in made_by:
        if _FRESH.match(maker.text.removeprefix(f"@{maker.guard} ")):
            return True
        if maker.is_a("ld") and (_space(maker) in stored or (not _space(maker) and stored)):
            return True
        if any(_varies(operand, makers, stored, (*above, name)) for operand in maker.operands):
            return True
    return False
