"""Pages of tables and figures in all forms: what they say, what they refuse, and that no name leaves its place."""

from __future__ import annotations

import base64
import csv
import dataclasses
import html.parser
import itertools
import json
import math
import re
import sys

import numpy as np
import pytest

import report_pages
from pathfront.exceptions import ArgumentError, MissingExtraError
from pathfront.report import drawing
from pathfront.report.csv import to_csv
from pathfront.report.elements import Axis, Chart, Mark, Note, Page, Panels, Race, Runner, Section, Series, Table
from pathfront.report.html import to_html
from pathfront.report.images import save_images
from pathfront.report.markdown import to_markdown
from pathfront.report.numbers import alt_of, text_of
from pathfront.report.race import race_data, steps_of

MEGABYTE = 1_000_000


@pytest.fixture
def _matplotlib():
    pytest.importorskip("matplotlib", reason="pictures need the extra plot")


pictures = pytest.mark.usefixtures("_matplotlib")


def page_of(*elements, **others) -> Page:
    return Page("Page", "Summary.", [Section("section", "Section", elements)], **others)


def chart_of(series, *, x=None, y=None, marks=(), id="chart") -> Chart:
    return Chart(id, "Title", x or Axis("x"), y or Axis("y"), series, marks)


class Elements(html.parser.HTMLParser):
    """All elements of a document with their attributes, and its text apart from scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.words: list[str] = []
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        self._inside = tag if tag in ("script", "style") else ""

    def handle_endtag(self, tag):
        self._inside = ""

    def handle_data(self, data):
        if self._inside == "script":
            self.scripts.append(data)
        elif not self._inside:
            self.words.append(data)

    def data(self) -> list[dict]:
        """The figures' data, in their order."""
        kinds = [attrs.get("type") for tag, attrs in self.found if tag == "script"]
        return [json.loads(s) for s, kind in zip(self.scripts, kinds, strict=True) if kind == "application/json"]


def test_a_page_loads_nothing():
    text = to_html(report_pages.everything())
    elements = Elements(text)
    for _, attrs in elements.found:
        assert "src" not in attrs
        assert not any(name.startswith("on") for name in attrs)
        assert (attrs.get("href") or "#").startswith(("#", "data:"))
    assert not re.search(r"\b(?:fetch|XMLHttpRequest|WebSocket|import)\s*\(|@import|url\(", text)
    [policy] = [attrs["content"] for tag, attrs in elements.found if attrs.get("http-equiv")]
    assert "default-src 'none'" in policy
    assert "script-src 'sha256-" in policy


def test_links_lead_to_elements_and_ids_are_unique():
    elements = Elements(to_html(report_pages.everything()))
    ids = [attrs["id"] for _, attrs in elements.found if "id" in attrs]
    assert len(ids) == len(set(ids))
    links = [attrs["href"][1:] for tag, attrs in elements.found if tag == "a"]
    assert len(links) > 10
    assert set(links) <= set(ids)
    named = [attrs["aria-labelledby"] for _, attrs in elements.found if "aria-labelledby" in attrs]
    assert set(named) <= set(ids)


def test_every_chart_has_its_numbers_and_words():
    page = report_pages.everything()
    elements = Elements(to_html(page))
    labels = [attrs["aria-label"] for _, attrs in elements.found if attrs.get("class") == "plot"]
    charts = [data for data in elements.data() if "series" in data]
    assert len(labels) == len(charts) == 11
    assert all(label and len(label) > 60 for label in labels)
    sweep = charts[0]
    assert [series["name"] for series in sweep["series"]] == ["near_far", "near_far (published)", "adds"]
    assert sweep["series"][0]["x"] == [2**i for i in range(6, 20)]
    assert sweep["series"][1]["y"][7] == pytest.approx(0.0062, rel=1e-6)
    assert sweep["series"][0]["colour"] == sweep["series"][1]["colour"] != sweep["series"][2]["colour"]


def test_hostile_names_stay_text():
    page = report_pages.hostile()
    text = to_html(page)
    elements = Elements(text)
    good = Elements(to_html(report_pages.everything()))
    assert {tag for tag, _ in elements.found} <= {tag for tag, _ in good.found}
    assert {name for _, attrs in elements.found for name in attrs} <= {n for _, a in good.found for n in a}
    assert all(name in "".join(elements.words) for name in report_pages.HOSTILE[:4])
    assert len(elements.data()) == 3
    assert elements.data()[0]["series"][0]["name"] == report_pages.HOSTILE[0]
    for script in elements.scripts[:-1]:
        assert not re.search(r"[<>&\u2028]", script)
    assert "<script>window" not in to_markdown(page)
    assert "<img" not in to_markdown(page)


@pytest.mark.parametrize("make", [report_pages.everything, report_pages.hostile])
def test_text_and_tables_take_any_page(make, tmp_path):
    page = make()
    assert to_markdown(page).count("\n") > 20
    files = to_csv(page, tmp_path / "csv")
    assert len(files) == len(set(files))
    assert all(file.parent == tmp_path / "csv" for file in files)


@pictures
def test_pictures_take_hostile_names(tmp_path):
    images = save_images(report_pages.hostile(), tmp_path, ["svg"])
    assert [image.name for image in images] == ["bad-chart.svg", "bad-bars.svg", "bad-race.svg"]
    for image in images:
        text = image.read_text()
        assert "<script" not in text
        assert "<svg" in text


def test_a_large_page_is_small_enough():
    assert len(to_html(report_pages.large()).encode()) < 6 * MEGABYTE


def test_a_race_of_new_york_is_small_enough():
    n = 264_346
    noise = np.random.default_rng(1)
    moments = [noise.random(n) for _ in range(4)]
    race = Race("race", "Race", noise.random(n), noise.random(n), [Runner(f"m{i}", m) for i, m in enumerate(moments)])
    assert len(to_html(page_of(race)).encode()) < 6 * MEGABYTE
    steps, known = steps_of(moments[0])
    error = known[steps] - moments[0]
    assert error.max() < 1 / 254
    assert error.min() > -1e-12


def test_a_race_keeps_coordinates_and_moments():
    race = Race("race", "Race", [0, 3, 6], [0, 2, 1], [Runner("one", [0.5, math.nan, 0.25])])
    data = race_data(race)

    def numbers(text, type):
        return np.frombuffer(base64.b64decode(text), dtype=type).tolist()

    assert (data["width"], data["height"]) == (1, 0.3333333)
    assert numbers(data["x"], "<u2") == [0, 32768, 65535]
    assert numbers(data["y"], "<u2") == [21845, 0, 10922]  # the screen's y points downwards
    assert numbers(data["runners"][0]["steps"], "u1") == [1, 255, 0]
    assert data["runners"][0]["moments"] == [0.25, 0.5]
    assert data["runners"][0]["counts"] == [1, 2]


def test_many_moments_keep_their_order_and_the_unsettled():
    settled = np.concatenate([np.linspace(5, 9, 1000), [np.nan]])
    steps, moments = steps_of(settled)
    assert len(moments) == 255
    assert steps[-1] == 255
    assert (np.diff(steps[:-1].astype(int)) >= 0).all()
    assert steps[0] == 0
    assert steps[-2] == 254


EMPTY = {
    "no series": (chart_of([]), "chart 'chart' has no values; leave it out"),
    "no values": (chart_of([Series("s", [], [])]), "has no values"),
    "only missing values": (chart_of([Series("s", [1, 2], [None, math.nan])]), "has no values"),
    "nothing above 0": (
        chart_of([Series("s", [1, 2], [0.0, -1.0])], y=Axis("y", log=True)),
        "has no values above 0, which logarithmic axes need",
    ),
    "fewer y than x": (chart_of([Series("s", [1, 2], [1.0])]), "series 's' of chart 'chart' has 1 values y, but 2"),
    "fewer labels": (chart_of([Series("s", [1, 2], [1.0, 2.0], labels=["a"])]), "has 1 values labels, but 2 values x"),
    "unknown place": (
        chart_of([Series("s", ["b"], [1.0])], x=Axis("x", categories=["a"])),
        "has x='b', which is not in the axis' categories",
    ),
    "a number for a place": (
        chart_of([Series("s", [0], [1.0])], x=Axis("x", categories=["a"])),
        "has x=0, but that axis has categories",
    ),
    "text without places": (chart_of([Series("s", ["b"], [1.0])]), "not in the axis' categories"),
    "a table without rows": (Table("t", "T", ["a"], []), "table 't' has no rows"),
    "a short row": (Table("t", "T", ["a", "b"], [[1]]), "row 0 of table 't' has 1 entries, but there are 2 columns"),
    "an unknown column": (Table("t", "T", ["a"], [[1]], formats={"b": ".1f"}), "table 't' has no column 'b'"),
    "panels without charts": (Panels("p", "P", []), "panels 'p' have no charts"),
    "a race without runners": (Race("r", "R", [0], [0], []), "race 'r' has no runners"),
    "a race nobody ends": (Race("r", "R", [0], [0], [Runner("a", [math.nan])]), "runner 'a' of race 'r' needs"),
    "too few moments": (Race("r", "R", [0, 1], [0, 1], [Runner("a", [0.0])]), "has 1 moments, but there are 2"),
    "no coordinates": (Race("r", "R", [math.nan], [0], [Runner("a", [0.0])]), "not finite"),
}


@pytest.mark.parametrize("case", EMPTY)
def test_what_cannot_be_drawn_is_an_error(case, tmp_path):
    element, message = EMPTY[case]
    for write in (
        to_html,
        to_markdown,
        lambda page: to_csv(page, tmp_path),
        lambda page: save_images(page, tmp_path),
    ):
        with pytest.raises(ArgumentError) as error:
            write(page_of(element))
        assert message in str(error.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("other", ["chart", "CHART", "chart!", "section"])
def test_ids_are_unique_also_as_names_of_files(other):
    line = [Series("s", [1], [1.0])]
    with pytest.raises(ArgumentError, match="ids must be unique"):
        to_html(page_of(chart_of(line), chart_of(line, id=other)))


def test_what_is_missing_is_said_in_a_note():
    page = page_of(Note("web-Google failed verification.", "problem"))
    assert '<p class="note problem">web-Google failed verification.</p>' in to_html(page)
    assert "> **Problem:** web-Google failed verification." in to_markdown(page)


@pictures
def test_series_without_values_do_not_spoil_a_chart(tmp_path):
    chart = chart_of([Series("a", [1, 2], [1.0, 2.0]), Series("b", [], []), Series("c", [1], [None])])
    data = Elements(to_html(page_of(chart))).data()[0]
    assert [series["x"] for series in data["series"]] == [[1, 2], [], []]
    assert len(save_images(page_of(chart), tmp_path, ["png"])) == 1
    assert "b" not in alt_of(chart).split()


def test_lines_keep_their_gaps_and_points_do_not():
    values = [1.0, None, 3.0]
    for kind, expected in (("line", [1, None, 3]), ("step", [1, None, 3]), ("points", [1, 3]), ("bars", [1, 3])):
        data = drawing.chart_data(chart_of([Series("s", [1, 2, 3], values, kind)]), {})
        assert data["series"][0]["y"] == expected


def test_long_series_are_thinned_and_keep_their_extremes():
    values = np.sin(np.arange(100_000) / 7.0)
    values[54_321], values[777] = 9.0, -9.0
    chart = chart_of([Series("s", range(100_000), values.tolist())])
    data = drawing.chart_data(chart, {})["series"][0]
    assert len(data["x"]) <= drawing.MOST_POINTS + 2
    assert data["of"] == 100_000
    assert max(data["y"]) == 9
    assert min(data["y"]) == -9
    assert data["x"][0] == 0
    assert data["x"][-1] == 99_999


def test_names_keep_their_colours_on_a_page():
    names = [f"m{i}" for i in range(20)]
    charts = [
        chart_of([Series(n, [1], [1.0]) for n in names[:6]]),
        chart_of([Series(n, [1], [1.0]) for n in names[3:]]),
    ]
    colours = drawing.colours_of(page_of(*(dataclasses.replace(c, id=f"c{i}") for i, c in enumerate(charts))))
    first, second = (drawing.styles_of(chart, colours) for chart in charts)
    assert [style.colour for style in first[3:]] == [style.colour for style in second[:3]]  # in both charts
    assert len({style.colour for style in first}) == 6
    looks = [(style.colour, style.turn) for style in second]
    assert len(set(looks)) == len(looks) == 17


def test_names_that_prefer_one_colour_get_several():
    chart = chart_of([Series(f"m{i}", [1], [1.0]) for i in range(9)])
    styles = drawing.styles_of(chart, {f"m{i}": 3 for i in range(9)})
    assert [style.colour for style in styles] == [3, 4, 5, 6, 7, 0, 1, 2, 3]
    assert [style.turn for style in styles] == [0] * 8 + [1]


def test_published_values_have_the_colour_of_the_measured_ones():
    names = [("near_far", False), ("adds", False), ("near_far, published", True), ("adds (paper)", True)]
    chart = chart_of([Series(name, [1], [1.0], published=published) for name, published in names])
    colours = [style.colour for style in drawing.styles_of(chart, drawing.colours_of(page_of(chart)))]
    assert colours == [0, 1, 0, 1]


def test_frequent_names_choose_their_colours_first():
    rare = [chart_of([Series(f"rare {i}", [1], [1.0])], id=f"r{i}") for i in range(9)]
    often = [chart_of([Series("a", [1], [1.0]), Series("b", [1], [1.0])], id=f"o{i}") for i in range(3)]
    colours = drawing.colours_of(page_of(*rare, *often))
    assert (colours["a"], colours["b"]) == (0, 1)
    assert {colours[f"rare {i}"] for i in range(9)} == {0}  # alone in their charts


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("colours", "ground"), [(drawing.LIGHT, "#ffffff"), (drawing.DARK, "#171b21")])
def test_colours_of_series_can_be_seen(colours, ground):
    assert len(colours) == len(set(colours)) == len(drawing.MARKERS)
    assert min(contrast(colour, ground) for colour in colours) >= 3


LACKING = {  # by Machado, Oliveira and Fernandes (2009), for linear RGB
    "red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "nothing": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
}


@pytest.mark.parametrize("lacking", LACKING)
@pytest.mark.parametrize("colours", [drawing.LIGHT, drawing.DARK])
def test_colours_differ_for_everyone(colours, lacking):
    to_cones = [[0.41222, 0.53633, 0.05145], [0.21190, 0.68070, 0.10740], [0.08830, 0.28172, 0.62998]]
    to_lab = [[0.21045, 0.79362, -0.00407], [1.97800, -2.42859, 0.45059], [0.02590, 0.78277, -0.80868]]  # OKLab
    parts = np.array([[int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)] for colour in colours])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ np.array(LACKING[lacking]).T, 0, 1)
    places = np.cbrt(seen @ np.array(to_cones).T) @ np.array(to_lab).T
    distances = [np.linalg.norm(a - b) for a, b in itertools.combinations(places, 2)]
    assert min(distances) > 0.088


def test_tables_say_what_is_published_and_how_numbers_are_written():
    table = Table("t", "T", ["graph", "a", "b"], [["x", 1234567, 0.12345678], ["y", None, 1e-9]], "", frozenset({1}),
                  {"a": ".1e"}, frozenset({"b"}))  # fmt: skip
    text = to_html(page_of(table))
    assert '<th scope="col" class="number published">b<span class="tag">published</span></th>' in text
    assert '<td class="number" data-value="1234567">1.2e+06</td>' in text
    assert '<tr class="published"><th scope="row">y<span class="tag">published</span></th>' in text
    assert '<td class="number published" data-value="0.12345678">0.1235</td>' in text
    assert "| graph | a | b (published) |" in to_markdown(page_of(table))
    assert "| y (published) | – | 1e−9 |".replace("−", "-") in to_markdown(page_of(table))


def test_columns_of_mostly_numbers_are_aligned_as_such():
    table = Table("t", "T", ["a", "b", "c"], [[1, 1, "x"], ["2 to 3", "few", "1"], [None, "many", None]])
    heads = re.findall(r'<th scope="col"(.*?)>', to_html(page_of(table)))
    assert heads == [' class="number"', "", ""]
    assert text_of(1440.2, ".3g") == "1,440"
    assert text_of(0.00123, ".2g") == "0.0012"


def test_numbers_of_numpy_are_numbers(tmp_path):
    row = ["x", np.int64(12345), np.float64(0.5), np.float32(0.25), np.bool_(True)]
    page = page_of(
        Table("t", "T", list("abcde"), [row]),
        chart_of([Series("s", np.arange(3, dtype=np.uint64), np.array([1.5, 2.5, np.nan], dtype=np.float32))]),
    )
    text = to_html(page)
    assert '<td class="number" data-value="12345">12,345</td><td class="number" data-value="0.5">0.5</td>' in text
    assert "<td>yes</td>" in text
    assert "| x | 12,345 | 0.5 | 0.25 | yes |" in to_markdown(page)
    assert to_csv(page, tmp_path)[0].read_text().endswith("\nx,12345,0.5,0.25,True\n")


@pictures
def test_marks_without_a_place_are_left_out(tmp_path):
    marks = [Mark("a", x=0.0), Mark("b", y=math.inf), Mark("c"), Mark("d", x=2.0), Mark("e", x=1.0, diagonal=True)]
    chart = chart_of([Series("s", [1, 2], [1.0, 2.0])], x=Axis("x", log=True), marks=marks)
    assert [mark["label"] for mark in drawing.chart_data(chart, {})["marks"]] == ["d"]
    assert len(save_images(page_of(chart), tmp_path, ["png"])) == 1


@pytest.mark.parametrize(
    ("bars", "expected"),
    [([0], ["wide"]), ([0, 0], ["", ""]), ([0, 0, 0], ["", "", "wide"]), ([0, 40, 0, 0], ["wide", "wide", "", ""])],
)
def test_charts_stand_in_pairs_unless_they_need_the_width(bars, expected):
    charts = [
        chart_of([Series("s", range(n), [1.0] * n, "bars") if n else Series("s", [1], [1.0])], id=f"c{i}")
        for i, n in enumerate(bars)
    ]
    classes = [attrs["class"] for tag, attrs in Elements(to_html(page_of(*charts))).found if tag == "figure"]
    assert classes == [f"chart {kind}" for kind in expected]


def test_csv_keeps_all_digits(tmp_path):
    third = 1 / 3
    chart = Chart("c", "C", Axis("delta"), Axis("time", "s"), [Series("a,b", [third], [2 * third], published=True),
                  Series("c", [1, 2], [math.nan, None], low=[1, 2], labels=["x", "y"])])  # fmt: skip
    [file] = to_csv(page_of(chart), tmp_path)
    rows = list(csv.reader(file.read_text().splitlines()))
    assert rows[0] == ["series", "published", "delta", "time (s)", "low", "labels"]
    assert rows[1] == ["a,b", "published", repr(third), repr(2 * third), "", ""]
    assert rows[2:] == [["c", "", "1", "", "1", "x"], ["c", "", "2", "", "2", "y"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1. x", "1\\. x"), ("# x", "\\# x"), ("0.5", "0.5"), ("<b>|*", "&lt;b&gt;\\|\\*"), ("a\n\n# b", "a # b")],
)
def test_markdown_is_escaped(text, expected):
    cells = Table("t", "T", ["a"], [[text]])
    assert f"| {expected} |" in to_markdown(page_of(cells))


@pictures
def test_markdown_shows_pictures_where_there_are_some(tmp_path):
    page = report_pages.everything()
    save_images(page, tmp_path / "images", ["png"])
    links = re.findall(r"!\[[^\n]+\]\((\S+)\)", to_markdown(page, images="images", suffix=".png"))
    assert len(links) == 12
    assert all((tmp_path / link).is_file() for link in links)


@pictures
def test_pictures_are_the_same_each_time_and_of_their_format(tmp_path):
    page = page_of(report_pages.delta_sweep())
    first = [path.read_bytes() for path in save_images(page, tmp_path / "a")]
    assert first == [path.read_bytes() for path in save_images(page, tmp_path / "b")]
    assert first[0].startswith(b"<?xml")
    assert first[1].startswith(b"\x89PNG")


def test_pictures_without_matplotlib_or_in_an_unknown_format(tmp_path, monkeypatch):
    page = page_of(report_pages.delta_sweep())
    with pytest.raises(ArgumentError, match="formats has 'gif'; choose from svg, png, pdf"):
        save_images(page, tmp_path, ["gif"])
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pathfront\[plot\]'"):
        save_images(page, tmp_path)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (-5, "−5"), (1e15, "1e15"), (123456.7, "123,457"), (0.00012345, "0.0001234"), (math.nan, "–"),
     (math.inf, "∞"), (999.96, "1,000"), (0.1, "0.1"), (1e-5, "1e-5"), (False, "no")],
)  # fmt: skip
def test_numbers_in_words(value, text):
    assert text_of(value) == text


def test_alternatives_name_marks_only_where_they_are_given():
    chart = chart_of([Series("s", [1, 2], [1.0, 4.0])], marks=[Mark("here", x=1.0)])
    assert alt_of(dataclasses.replace(chart, alt="Own words.")) == "Own words."
    assert "1 to 4" in alt_of(chart)
