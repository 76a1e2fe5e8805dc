"""The table in kernels.md: `python -m docs.kernels` compiles every kernel for every architecture and rewrites it.

With --quick it compiles what the tests do: all forms for the oldest and the newest GPUs, one for each of the others.
With names of families, as in the first column, only those are compiled and rewritten: `python -m docs.kernels adds`.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from tools import compiling
from tools.compiling import ARCHITECTURES, Compiled
from tools.cubin import Usage

PAGE = Path(__file__).parent / "kernels.md"

Used = dict[tuple[str, str], dict[int, list[Usage]]]
"""For each family and kernel, for each architecture, the resources of the kernel's forms."""


def collect(results: Iterable[Compiled]) -> Used:
    """Sort results by kernel."""
    used: Used = defaultdict(lambda: defaultdict(list))
    for done in results:
        for usage in done.usage:
            used[family(done.task.file), usage.kernel][done.task.architecture].append(usage)
    return used


def family(file: str) -> str:
    """Return the method of a file's kernels, or "schedules"."""
    return "schedules" if file == compiling.PACKAGE else file.rpartition(".")[2]


def rows(used: Used) -> dict[tuple[str, str], str]:
    """Return the lines of the table, by family and kernel."""
    lines = {}
    for (owner, kernel), by_architecture in used.items():
        every = [usage for some in by_architecture.values() for usage in some]
        cells = [owner, f"`{kernel}`", str(max(map(len, by_architecture.values())))]
        cells += [_range(usage.registers for usage in by_architecture[arch]) for arch in ARCHITECTURES]
        cells += [_range(usage.shared for usage in every), _range(usage.stack for usage in every)]
        lines[owner, kernel] = "| " + " | ".join(cells) + " |"
    return lines


def listed(page: str) -> dict[tuple[str, str], str]:
    """Return the lines of a page's table, by family and kernel."""
    found = re.finditer(r"^\| (\w+) \| `(\w+)` \|.*$", page, re.MULTILINE)
    return {(line[1], line[2]): line[0] for line in found}


def rewritten(page: str, used: Used) -> str:
    """Return the page with new lines for the families that have been compiled."""
    families = {owner for owner, _ in used}
    lines = {key: line for key, line in listed(page).items() if key[0] not in families} | rows(used)
    titles = ["kernels of", "kernel", "forms", *(f"sm_{arch}" for arch in ARCHITECTURES), "shared", "stack"]
    table = ["| " + " | ".join(titles) + " |", "|---" * len(titles) + "|", *(lines[key] for key in sorted(lines))]
    new = "\n".join(["<!-- kernels -->", *table, "<!-- /kernels -->"])
    page, count = re.subn(r"<!-- kernels -->.*<!-- /kernels -->", lambda _: new, page, flags=re.DOTALL)
    if count != 1:
        raise ValueError("kernels.md must have one table of kernels, between its markers")
    return page


def _range(numbers: Iterable[int]) -> str:
    found = sorted(set(numbers))
    if not found:
        return "–"
    return str(found[0]) if len(found) == 1 else f"{found[0]}–{found[-1]}"


def main(families: list[str], *, quick: bool) -> None:
    """Compile everything, or these families, and rewrite their lines in the page."""
    every = compiling.sample() if quick else compiling.tasks()
    wanted = [task for task in every if not families or family(task.file) in families]
    results = []
    for done in compiling.run(wanted):
        results.append(done)
        print(f"{len(results)}/{len(wanted)} {done.task.module} sm_{done.task.architecture}", flush=True)
    spins = [f"{done.task.module}: {spin}" for done in results for spin in done.spins]
    if spins:
        raise SystemExit("kernels that may wait for ever:\n" + "\n".join(spins))
    PAGE.write_text(rewritten(PAGE.read_text(), collect(results)))


if __name__ == "__main__":
    main([name for name in sys.argv[1:] if name != "--quick"], quick="--quick" in sys.argv)
