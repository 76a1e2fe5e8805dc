"""`python -m fuzz`: run a campaign, repeat a round, or replay a saved case."""

from __future__ import annotations

import argparse
import os
import random
import sys
from pathlib import Path

from fuzz.campaign import Campaign
from fuzz.parts import PARTS, available
from fuzz.saved import FOLDER, load, replay
from fuzz.workers import run_round


def main(arguments: list[str] | None = None) -> int:
    """Return the exit code: 1 if something was found."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description="Try random cases against independent oracles.")
    parser.add_argument("--minutes", type=float, help="how long to run; without it and --count one minute")
    parser.add_argument("--count", type=int, help="how many cases to try")
    parser.add_argument(
        "--what", default="all", help=f"parts, separated by commas: {', '.join(PARTS)}, or all (default)"
    )
    parser.add_argument("--seed", type=int, help="the first seed; by default a random one")
    parser.add_argument("--processes", type=int, default=min(2, os.cpu_count() or 1), help="worker processes")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where cases of findings are saved")
    parser.add_argument("--repeat", metavar="PART:SEED", help="run one round again, in this process")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="check a saved case, in this process")
    given = parser.parse_args(arguments)
    if given.repeat:
        return _repeat(parser, given.repeat)
    if given.replay:
        print(load(given.replay)[2]["found"])
        finding = replay(given.replay)
        print(f"now: {finding or 'nothing wrong'}")
        return int(finding is not None)
    return _campaign(parser, given)


def _repeat(parser: argparse.ArgumentParser, where: str) -> int:
    name, _, seed = where.partition(":")
    if name not in PARTS or not seed.isdigit():
        parser.error(f"--repeat is {where!r}; give a part and a seed, such as searches:7.")
    done = run_round(PARTS[name], int(seed))
    for case, finding in done.findings:
        print(f"{finding}\n  {case}")
    print(f"{done.cases} cases, {len(done.findings)} findings")
    return int(bool(done.findings))


def _campaign(parser: argparse.ArgumentParser, given: argparse.Namespace) -> int:
    parts = available() if given.what == "all" else given.what.split(",")
    for name in parts:
        if name not in PARTS:
            parser.error(f"--what is {given.what!r}; choose from {', '.join(PARTS)}, all.")
    minutes = given.minutes if given.minutes or given.count else 1.0
    campaign = Campaign(
        parts,
        seed=random.SystemRandom().randrange(10**12) if given.seed is None else given.seed,
        seconds=None if minutes is None else minutes * 60,
        count=given.count,
        processes=max(1, given.processes),
        folder=given.folder,
    )
    print(f"parts {', '.join(parts)}; first seed {campaign.seed}", file=sys.stderr)
    campaign.run()
    print("\n" + campaign.summary())
    return int(bool(campaign.findings))


if __name__ == "__main__":
    sys.exit(main())
