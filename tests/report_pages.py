"""Pages for the tests of reports: one with everything a page can hold, one with hostile names, one that is large."""

from __future__ import annotations

import math
import random

import numpy as np

from pathfront.report.elements import (
    Axis,
    Chart,
    Mark,
    Note,
    Page,
    Panels,
    Race,
    Runner,
    Section,
    Series,
    Table,
)

METHODS = ("dijkstra", "near_far", "bucketing", "workfront_sweep", "delta_stepping", "adds")
GRAPHS = (
    "road-NY",
    "delaunay_n17",
    "kron_g500-logn16",
    "soc-Epinions1",
    "rome99",
    "wiki-Vote",
    "grid-512",
    "web-Google",
)

HOSTILE = (
    "</script><script>window.hacked=1</script>",
    '"><img src=x onerror="window.hacked=1">',
    "<!--<script>",
    "'; window.hacked=1; '",
    "‮reversed & <b>bold</b>\u2028line",
)


def queue_sizes(name="queues", most=200) -> Chart:
    """Lines and areas over iterations, on a logarithmic axis, with a gap and a mark."""
    noise = random.Random(1)
    steps = list(range(1, most + 1))
    near = [200 + 9000 * math.exp(-(((i - 60) / 30) ** 2)) * (0.8 + 0.4 * noise.random()) for i in steps]
    far = [None if 90 <= i < 96 else 4000 * math.exp(-(((i - 110) / 50) ** 2)) + 40 for i in steps]
    return Chart(
        name,
        "Queue sizes over iterations",
        Axis("iteration"),
        Axis("vertices", log=True),
        [Series("near", steps, near, "area"), Series("far", steps, far), Series("final", steps, near[::-1], "step")],
        [Mark("delta grows", x=80.0)],
        "Near and far queue of near_far on a road-like graph.",
    )


def delta_sweep(name="sweep", kind="line") -> Chart:
    """Published and measured times against delta, with ranges and the heuristic's choice."""
    deltas = [2.0**i for i in range(6, 20)]
    times = [0.002 + 0.0004 * (math.log2(d) - 13) ** 2 for d in deltas]
    return Chart(
        name,
        "Time against delta, New York",
        Axis("delta", log=True),
        Axis("time", "s", log=True),
        [
            Series("near_far", deltas, times, kind, low=[t * 0.93 for t in times], high=[t * 1.2 for t in times]),
            Series("near_far", deltas, [t * 3.1 for t in times], kind, published=True),
            Series("adds", deltas, [t * 0.7 for t in times], kind),
        ],
        [Mark("heuristic", x=9000.0), Mark("Dijkstra", y=0.031)],
        "Medians of five repetitions; thin lines are the ranges. The paper's machine had another GPU.",
    )


def speedups(name="speedups") -> Chart:
    """Grouped bars over graphs, measured and published."""
    return Chart(
        name,
        "Speed against Dijkstra's method",
        Axis("graph", categories=GRAPHS),
        Axis("speed-up", "×"),
        [
            Series("near_far", GRAPHS, [1.8, 2.4, 3.9, 2.2, 0.7, 1.1, 2.9, 3.3], "bars"),
            Series("near_far", GRAPHS[:6], [2.6, 3.4, 14.1, 8.2, 0.5, 2.1], "bars", published=True),
            Series("adds", GRAPHS, [2.1, 2.9, 4.1, 2.6, 0.9, 1.4, 3.2, 3.9], "bars", low=[1.9] * 8, high=[4.2] * 8),
        ],
        [Mark("as fast as Dijkstra", y=1.0)],
    )


def scatter(name="work") -> Chart:
    """Points with labels and the diagonal."""
    noise = random.Random(2)
    xs = [10 ** (1 + 4 * noise.random()) for _ in range(70)]
    return Chart(
        name,
        "Work of ADDS against Near-Far",
        Axis("vertices processed by near_far", log=True),
        Axis("vertices processed by adds", log=True),
        [
            Series(
                "roads",
                xs[:40],
                [x * (0.6 + 0.8 * noise.random()) for x in xs[:40]],
                "points",
                labels=[f"road {i}" for i in range(40)],
            ),
            Series("social", xs[40:], [x * (0.9 + noise.random()) for x in xs[40:]], "points"),
            Series("paper's mean", [1000.0, 30000.0], [800.0, 26000.0], "points", published=True),
        ],
        [Mark("equal work", diagonal=True)],
    )


def by_method(name="by-method") -> Chart:
    """Horizontal bars."""
    return Chart(
        name,
        "Time by method",
        Axis("time", "s"),
        Axis("", categories=METHODS),
        [
            Series(
                "measured",
                [0.031, 0.011, 0.019, 0.024, 0.009, 0.008],
                METHODS,
                "bars",
                low=[0.007] * 6,
                high=[0.033] * 6,
            )
        ],
    )


def table(name="table", rows=8) -> Table:
    """A wide table with published rows and columns."""
    columns = ["graph", "vertices", "arcs", "degree", "weights", "near_far", "near_far (paper)", "adds", "verified"]
    body = [
        [
            f"{GRAPHS[i % 8]}-{i}",
            264346 * (i + 1),
            733846 * (i + 1),
            2.776,
            "uint32, 1 to 36946",
            0.0123 / (i + 1),
            0.0345,
            None,
            True,
        ]
        for i in range(rows)
    ]
    return Table(
        name,
        "Table II: the graphs",
        columns,
        body,
        "Times in seconds.",
        frozenset({1, 2}),
        {"degree": ".1f"},
        frozenset({"near_far (paper)"}),
    )


def race(name="race", side=90, runners=3) -> Race:
    """A race over a square of side×side vertices with a corner that is never reached."""
    noise = np.random.default_rng(3)
    x, y = (
        a.ravel() + noise.normal(0, 0.25, side * side)
        for a in np.meshgrid(np.arange(side) * 1.0, np.arange(side) * 0.7)
    )
    distance = np.hypot(x - x.mean() * 0.6, y - y.mean() * 1.2)
    settled = np.where((x > side * 0.92) & (y > side * 0.6), np.nan, distance)
    return Race(
        name,
        "Four searches on one map",
        x,
        y,
        [Runner(METHODS[i], settled / (3000 + 1500 * i), f"{120 * (i + 1)} iterations") for i in range(runners)],
        caption="Colours follow the order of settling; the front is red, vertices not yet settled are grey.",
    )


def everything() -> Page:
    """A page with each kind of element."""
    panels = Panels(
        "panels",
        "Figure 4: queue sizes on four graphs",
        [queue_sizes(f"queues-{i}", 60 + 30 * i) for i in range(4)],
        "Small multiples.",
    )
    return Page(
        "The papers, reproduced",
        "Near-Far processes 1.2 times the vertices of Dijkstra's method and is 2.4 times as fast on two cores; "
        "ADDS needs no delta and is 8% faster still.",
        [
            Section(
                "davidson2014",
                "Davidson 2014",
                [
                    queue_sizes(),
                    delta_sweep(),
                    table(),
                    panels,
                    Note("The paper measured on a GTX 680; only ratios compare.", "remark"),
                ],
                "Work-efficient parallel GPU methods for single-source shortest paths.",
            ),
            Section(
                "adds2021",
                "ADDS",
                [
                    scatter(),
                    speedups(),
                    by_method(),
                    Note(
                        "Figure 8: the search on web-Google failed verification; there is nothing to show.", "problem"
                    ),
                    race(),
                ],
            ),
            Section("ablations", "Ablations", [table("table-ablations", 3), scatter("ablation")], level=2),
            Section("cpu", "On two cores", [table("table-long", 60), Note("All answers were verified.")]),
        ],
        delta_sweep("lead"),
        [
            ("Machine", "AMD EPYC 9B14, 2 of 2 cores"),
            ("Versions", "pathfront 0.1.0, Python 3.11.2, numpy 2.1"),
            ("Repetitions", "5, medians are shown"),
        ],
    )


def hostile() -> Page:
    """A page whose every name tries to leave its place."""
    bad = HOSTILE
    series = [Series(name, [1, 2], [3.0, 4.0], labels=[name, name]) for name in bad]
    chart = Chart(
        "bad-chart", bad[0], Axis(bad[1], bad[2]), Axis(bad[3]), series, [Mark(bad[0], x=1.5)], bad[1], bad[1]
    )
    bars = Chart(
        "bad-bars", bad[1], Axis(bad[0], categories=bad), Axis(bad[2]), [Series(bad[0], bad, [1.0] * 5, "bars")]
    )
    cells = Table("bad-table", bad[1], list(bad), [list(bad)], bad[0], frozenset({0}))
    runners = [Runner(name, [0.0, 1.0], name) for name in bad[:2]]
    run = Race("bad-race", bad[0], [0, 1], [0, 1], runners, Axis(bad[1], bad[0]), bad[0], bad[1])
    panels = Panels('bad" onclick="window.hacked=1', bad[0], [bars], bad[1])
    section = Section(
        'x"><script>window.hacked=1</script>', bad[0], [chart, cells, run, panels, Note(bad[0], "problem")], bad[1]
    )
    return Page(bad[0], bad[1], [section], measured=[(bad[0], bad[1])])


def large() -> Page:
    """A page of 150 charts with 400 values each, and 60 tables."""
    sections = []
    for k in range(10):
        elements = [queue_sizes(f"c-{k}-{i}", 133) for i in range(15)]
        sections.append(Section(f"s-{k}", f"Suite {k}", [*elements, *(table(f"t-{k}-{i}", 30) for i in range(6))]))
    return Page("Large", "Many figures.", sections)
