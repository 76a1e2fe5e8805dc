"""The page of result files: what was found, then each suite's claims, tables and figures, then how it was measured."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from pathfront.exceptions import FormatError
from pathfront.experiments import charts, records, tables, toml
from pathfront.experiments.graphs import with_own
from pathfront.experiments.records import Record
from pathfront.experiments.results import Results
from pathfront.experiments.suite import Claim, Experiment, Show, Suite
from pathfront.report.elements import Axis, Cell, Chart, Element, Note, Page, Section, Series, Table

_SHOWS: dict[str, Callable[[Show, Sequence[Record], str], list[Element]]] = {
    "graphs": tables.of_rows,
    "records": tables.of_rows,
    "pivot": tables.pivot,
    "summary": tables.summary,
    "distribution": tables.distribution,
    "chart": charts.chart,
    "trace": charts.trace,
}


@dataclass(frozen=True, slots=True)
class Checked:
    """A claim, and what was measured."""

    claim: Claim
    measured: float | None
    held: bool | None
    """Whether it is reproduced; None if nothing says so, or nothing was measured."""


def of(found: Sequence[Results]) -> Page:
    """Return the page of some result files."""
    sections: list[Section] = []
    counts: list[tuple[str, list[Checked]]] = []
    targets: list[Checked] = []
    lead: Chart | None = None
    for number, results in enumerate(found):
        prefix = f"{_id(results.run['suite'])}-{number}" if len(found) > 1 else _id(results.run["suite"])
        if results.run.get("definition") is None:
            sections.append(_of_figures(results, prefix))
            continue
        suite = suite_of(results)
        checked, made = _of_suite(results, suite, prefix)
        sections += made
        if suite.paper:
            counts.append((_short(suite, results), checked))
        else:
            targets += checked
        lead = lead or _lead(suite, made, prefix)
    if len(found) > 1 or lead is None:
        lead = _overview(counts) or lead
    return Page(
        _page_title(found),
        _summary(found, [each for _, every in counts for each in every], targets),
        sections,
        lead,
        _measured(found),
    )


def suite_of(results: Results) -> Suite:
    """Return the suite that a file was measured by, as it was then."""
    definition = results.run["definition"]
    if not isinstance(definition, dict):
        raise FormatError(f"{results.name} has no suite in its first line; measure again.")
    suite = toml.from_mapping(definition, results.name)
    return with_own(suite, [str(file) for file in results.run.get("own_graphs") or []])


def _of_suite(results: Results, suite: Suite, prefix: str) -> tuple[list[Checked], list[Section]]:
    sections, every = [], []
    for experiment in suite.experiments:
        checked, section = _of_experiment(results, suite, experiment, f"{prefix}-{_id(experiment.id)}")
        if section is not None:
            sections.append(section)
        every += checked
    elements: list[Element] = [Note(_hardware(results, suite), "remark")]
    if every:
        own = bool(_own(results))
        elements.append(_claims(every, f"{prefix}-claims", papers=bool(suite.paper), own=own))
    elements += [Note(f"{label}: {why}", "problem") for label, why in results.missing.items()]
    elements += [Note(problem, "problem") for problem in results.problems]
    about = Section(prefix, _heading(suite, results), elements, _about(suite))
    return every, [about, *sections]


def _about(suite: Suite) -> str:
    return f"{suite.summary} {suite.paper}".strip()


def _of_experiment(
    results: Results, suite: Suite, experiment: Experiment, id: str
) -> tuple[list[Checked], Section | None]:
    searches = records.of_searches(results, suite, experiment)
    graphs = records.of_graphs(results, suite, experiment)
    if not searches and not graphs:
        return [], None
    elements: list[Element] = []
    own = bool(_own(results))  # what is about certain graphs of the suite says nothing of the user's
    for show in experiment.shows:
        if own and show.graphs:
            continue
        subject = graphs if show.kind == "graphs" or not experiment.runs else searches
        made = _SHOWS[show.kind](show, subject, f"{id}-{_id(show.id)}")
        elements += made or [Note(f"{show.title}: nothing was measured that it could show.", "problem")]
    claims = [claim for claim in experiment.claims if not (own and claim.graphs)]
    checked = [_checked(claim, searches, quick=bool(results.run["quick"])) for claim in claims]
    if own:  # shown, but nobody has published what they are there
        checked = [Checked(each.claim, each.measured, None) for each in checked]
    elements += [Note(text, "problem") for text in records.problems(searches)]
    return checked, Section(id, experiment.title, elements, experiment.text, level=2)


def _checked(claim: Claim, searches: Sequence[Record], *, quick: bool) -> Checked:
    value = records.evaluator(searches, claim)
    measured = records.aggregated(
        (value(claim.value, each) for each in records.chosen(searches, claim)), claim.aggregate
    )
    bounds = [bound for bound in (claim.at_least, claim.at_most) if bound is not None]
    if measured is None or not bounds or (quick and claim.full_only):
        return Checked(claim, measured, None)
    low = claim.at_least is None or measured >= claim.at_least
    high = claim.at_most is None or measured <= claim.at_most
    return Checked(claim, measured, low and high)


def _claims(checked: Sequence[Checked], id: str, *, papers: bool, own: bool) -> Table:
    """Return the table of what a paper observes, or of a suite's own targets."""
    rows: list[Sequence[Cell]] = []
    for each in checked:
        words = {True: "yes", False: "no", None: _unjudged(each)}[each.held]
        number = (
            None if each.measured is None else format(each.measured, (each.claim.format or ".3g").replace("d", ".0f"))
        )
        rows.append([each.claim.text, each.claim.published, number, _bounds(each.claim), words, each.claim.remark])
    if not papers:
        return Table(id, "Targets", ["figure", "expected", "here", "met if", "met", "remark"], rows)
    columns = ["observation", "published", "here", "reproduced if", "reproduced", "remark"]
    if own:  # bounds and remarks are about the suite's graphs
        rows, columns = [row[:3] for row in rows], columns[:3]
    return Table(id, "What the paper observes", columns, rows, published_columns=frozenset({"published"}))


def _bounds(claim: Claim) -> str:
    low, high = claim.at_least, claim.at_most
    if low is not None and high is not None:
        return f"{low:g} to {high:g}"
    return f"at least {low:g}" if low is not None else f"at most {high:g}" if high is not None else ""


def _unjudged(checked: Checked) -> str:
    if checked.measured is None:
        return "not measured"
    return "not judged with --quick" if checked.claim.full_only else ""


def _hardware(results: Results, suite: Suite) -> str:
    machine = results.run["machine"]
    here = f"{machine.get('processor')}, {machine.get('cores')} cores, device {machine.get('device')}"
    sizes = " Graphs may be smaller than the published ones, since --quick was given." if results.run["quick"] else ""
    if own := _own(results):
        sizes = f" The graphs are not the suite's, but {records.listed(own)}, so what the paper observes need not hold."
    if not suite.hardware:
        return f"Measured on {here}.{sizes}"
    return (
        f"Published numbers: {suite.hardware}. Measured here: {here}. Times of different hardware cannot be compared; "
        f"counts of work can, where the graphs are alike.{sizes}"
    )


def _own(results: Results) -> list[str]:
    """Return the names of the user's own graphs, if the suite was measured on such."""
    return [PurePath(str(file)).name for file in results.run.get("own_graphs") or []]


def _lead(suite: Suite, made: Sequence[Section], prefix: str) -> Chart | None:
    """Return the suite's first chart that is marked as the lead, else its first chart."""
    wanted = [f"{prefix}-{_id(e.id)}-{_id(s.id)}" for e in suite.experiments for s in e.shows if s.lead]
    every = [element for section in made for element in section.elements if isinstance(element, Chart)]
    for chart in every:
        if any(chart.id.startswith(name) for name in wanted):
            return _renamed(chart)
    return _renamed(every[0]) if every else None


def _renamed(chart: Chart) -> Chart:
    return Chart(f"lead-{chart.id}", chart.title, chart.x, chart.y, chart.series, chart.marks, chart.caption, chart.alt)


def _overview(counts: Sequence[tuple[str, list[Checked]]]) -> Chart | None:
    named = [(name, [each.held for each in checked]) for name, checked in counts if checked]
    if not named:
        return None
    names = [name for name, _ in named]
    held = [sum(each is True for each in every) for _, every in named]
    not_held = [sum(each is False for each in every) for _, every in named]
    series = [Series("reproduced", names, held, "bars"), Series("not reproduced", names, not_held, "bars")]
    return Chart("lead", "Published observations", Axis("", categories=names), Axis("observations"), series)


def _summary(found: Sequence[Results], claims: Sequence[Checked], targets: Sequence[Checked]) -> str:
    """Return what was found, in a sentence or two."""
    machine = found[0].run["machine"]
    where = f"on {machine.get('processor')}, {machine.get('cores')} cores, device {machine.get('device')}"
    searches = sum(each.error is None for results in found for each in results.searches.values())
    if any(_own(results) for results in found):
        where = f"of graphs of one's own {where}"
    done = f"{searches:,} verified search{'' if searches == 1 else 'es'} {where}"
    held, of = _held(claims)
    met, wanted = _held(targets)
    more = f" {met} of {wanted} targets {'is' if met == 1 else 'are'} met." if wanted else ""
    if not of:
        return f"{done}.{more}"
    rest = of - held
    others = "" if rest == 0 else f"; {rest} {'is' if rest == 1 else 'are'} not"
    return f"{held} of {of} published observations {'is' if held == 1 else 'are'} reproduced by {done}{others}.{more}"


def _held(checked: Sequence[Checked]) -> tuple[int, int]:
    """Return how many hold, and of how many that is known."""
    return sum(each.held is True for each in checked), sum(each.held is not None for each in checked)


def _page_title(found: Sequence[Results]) -> str:
    return "Shortest paths: the papers, reproduced" if len(found) > 1 else str(_title_of(found[0]))


def _title_of(results: Results) -> str:
    definition = results.run.get("definition")
    return str(definition.get("title")) if isinstance(definition, dict) else f"Suite {results.run['suite']}"


def _heading(suite: Suite, results: Results) -> str:
    return f"{_short(suite, results)}: {suite.title}"


def _short(suite: Suite, results: Results) -> str:
    device = results.run["device"]
    return suite.name if device == "cpu" else f"{suite.name}, {device}"


def _measured(found: Sequence[Results]) -> list[tuple[str, str]]:
    facts: list[tuple[str, str]] = []
    for results in found:
        run, machine = results.run, results.run["machine"]
        packages = ", ".join(
            f"{name} {version}" for name, version in (machine.get("packages") or {}).items() if version
        )
        repeated = [len(each.seconds) for each in results.searches.values() if each.error is None]
        failed = sum(each.error is not None for each in results.searches.values())
        facts += [
            (results.name, f"suite {run['suite']}{', quick' if run.get('quick') else ''}, taken {run.get('taken')}"),
            ("machine", f"{machine.get('processor')}, {machine.get('cores')} cores, {machine.get('system')}"),
            ("device", str(machine.get("device"))),
            ("software", f"pathfront {machine.get('pathfront')}, Python {machine.get('python')}, {packages}"),
            ("searches", f"{len(repeated)} with a verified answer, {failed} without; {sum(repeated)} runs in all"),
        ]
    facts.append(
        (
            "method",
            "Each search ran once, was compared with Dijkstra's distances bit for bit, and was then repeated in turns "
            "with the others on the same graph; tables and charts show the best time. Work is counted, not timed.",
        )
    )
    return facts


def _of_figures(results: Results, prefix: str) -> Section:
    """Return the section of a suite that prints figures."""
    rows: list[Sequence[Cell]] = []
    for figure in results.figures:
        target = figure.get("target")
        sign = "at least" if figure.get("better") == "higher" else "at most"
        met = {True: "yes", False: "no", None: ""}[figure.get("met")]
        wanted = "" if target is None else f"{sign} {target:g}"
        rows.append(
            [
                str(figure["what"]),
                figure.get("measured"),
                str(figure.get("unit")),
                wanted,
                met,
                str(figure.get("detail")),
            ]
        )
    name = f"Suite {results.run['suite']}"
    if not rows:
        return Section(prefix, name, [Note("It has no figures yet.", "problem")])
    columns = ["figure", "measured", "unit", "target", "met", "detail"]
    elements: list[Element] = [Table(f"{prefix}-figures", "Figures", columns, rows)]
    elements += [Note(problem, "problem") for problem in results.problems]
    return Section(prefix, name, elements)


def _id(text: Any) -> str:
    return re.sub(r"[^a-z0-9]+", "-", str(text).lower()).strip("-") or "x"
