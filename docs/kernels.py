"""The table in kernels.md: `python docs/kernels.py` compiles every kernel for every architecture and rewrites it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from pathfront.devices import compiling
from pathfront.devices.compiling import ARCHITECTURES, Compiled
from pathfront.devices.cubin import Usage

PAGE = Path(__file__).parent / "kernels.md"

Used = dict[tuple[str, str], dict[int, list[Usage]]]
"""For each family and kernel, for each architecture, what the kernel's forms ask for."""


def collect(results: Iterable[Compiled]) -> Used:
    """Sort results by kernel."""
    used: Used = defaultdict(lambda: defaultdict(list))
    for done in results:
        for usage in done.usage:
            used[family(done.task.file), usage.kernel][done.task.architecture].append(usage)
    return used


def family(file: str) -> str:
    """Return what a file's kernels are for: a method, or all schedules."""
    return "schedules" if file == compiling.PACKAGE else file.rpartition(".")[2]


def table(used: Used) -> str:
    """Return the table."""
    titles = ["kernels of", "kernel", "forms", *(f"sm_{arch}" for arch in ARCHITECTURES), "shared", "stack"]
    rows = ["| " + " | ".join(titles) + " |", "|---" * len(titles) + "|"]
    for (owner, kernel), by_architecture in sorted(used.items()):
        every = [usage for some in by_architecture.values() for usage in some]
        cells = [owner, f"`{kernel}`", str(max(map(len, by_architecture.values())))]
        cells += [_range(usage.registers for usage in by_architecture[arch]) for arch in ARCHITECTURES]
        cells += [_range(usage.shared for usage in every), _range(usage.stack for usage in every)]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def listed(page: str) -> set[tuple[str, str]]:
    """Return the families and kernels that a page's table has."""
    return set(re.findall(r"^\| (\w+) \| `(\w+)` \|", page, re.MULTILINE))


def rewritten(page: str, used: Used) -> str:
    """Return the page with another table."""
    new = f"<!-- kernels -->\n{table(used)}\n<!-- /kernels -->"
    page, count = re.subn(r"<!-- kernels -->.*<!-- /kernels -->", lambda _: new, page, flags=re.DOTALL)
    if count != 1:
        raise ValueError("kernels.md must have one place for the table of kernels")
    return page


def _range(numbers: Iterable[int]) -> str:
    found = sorted(set(numbers))
    if not found:
        return "–"
    return str(found[0]) if len(found) == 1 else f"{found[0]}–{found[-1]}"


def main() -> None:
    """Compile everything, and say so."""
    wanted = compiling.tasks()
    print(f"compiling {len(wanted) // len(ARCHITECTURES)} modules for {len(ARCHITECTURES)} architectures", flush=True)
    results = []
    for done in compiling.run(wanted):
        results.append(done)
        print(f"{len(results)}/{len(wanted)} {done.task.module} sm_{done.task.architecture}", flush=True)
    spins = [f"{done.task.module}: {spin}" for done in results for spin in done.spins]
    if spins:
        raise SystemExit("kernels that may wait for ever:\n" + "\n".join(spins))
    PAGE.write_text(rewritten(PAGE.read_text(), collect(results)))


if __name__ == "__main__":
    main()
