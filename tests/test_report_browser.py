"""Pages in a real browser: everything is drawn, can be pointed at, used by keyboard and read on a phone."""

from __future__ import annotations

import random
import re

import pytest

import report_pages
from browser import Browser, browser_or_skip, opened
from pathfront.report.drawing import compact
from pathfront.report.elements import Axis, Chart, Page, Section, Series
from pathfront.report.html import to_html
from pathfront.report.numbers import text_of

browser_or_skip()

EVERYTHING = to_html(report_pages.everything())


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with opened(tmp_path_factory.mktemp("browser")) as found:
        yield found


def tooltip(browser: Browser) -> dict[str, str]:
    """What the tooltip says: its heading, and the value of each series."""
    return browser.run("""
        const tip = document.getElementById("page--tooltip");
        if (tip.hidden) return {};
        const rows = [...tip.querySelectorAll(".row")].map((row) => [row.querySelector(".who").textContent,
          row.querySelector("strong").textContent]);
        return {at: tip.querySelector(".at").textContent, ...Object.fromEntries(rows),
          more: [...tip.querySelectorAll(".more")].map((e) => e.textContent).join("|")}""")


def overflow(browser: Browser) -> list[str]:
    """What reaches beyond the window to the right, apart from what scrolls in its box."""
    return browser.run("""
        const limit = document.documentElement.clientWidth;
        if (document.documentElement.scrollWidth <= limit) return [];
        return ["page", ...[...document.querySelectorAll("body *")].filter((e) => !e.closest(".scroll")
          && e.getBoundingClientRect().right > limit + 1).map((e) => e.tagName + "." + e.getAttribute("class"))]""")


def test_the_console_is_silent_and_every_figure_is_drawn(browser):
    browser.open(EVERYTHING)
    drawn = browser.run("""return Object.fromEntries([...document.querySelectorAll("figure.chart")].map((figure) =>
        [figure.id, [figure.dataset.drawn, figure.querySelectorAll("svg .series").length]]))""")
    assert drawn["lead"] == drawn["sweep"] == ["42", 3]
    assert drawn["queues"] == [str(200 + 194 + 200), 3]
    assert drawn["work"] == ["72", 3]
    assert drawn["speedups"] == [str(8 + 6 + 8), 3]
    assert drawn["by-method"] == ["6", 1]
    assert [drawn[f"queues-{i}"][1] for i in range(4)] == [3] * 4
    assert len(drawn) == 11
    assert browser.complaints() == []


def test_shapes_are_as_many_as_values(browser):
    browser.open(EVERYTHING)

    def count(chart, kind, letter="M"):
        paths = browser.run(
            "return [...document.querySelectorAll(`#${arguments[0]} ${arguments[1]}`)].map((e) => e.getAttribute('d'))",
            chart,
            kind,
        )
        return [path.count(letter) for path in paths]

    assert count("work", ".markers") == [40, 30, 2]
    assert count("speedups", ".bars") == [8, 6, 8]
    assert count("speedups", ".range") == [8]
    assert count("sweep", ".markers") == [14, 14, 14]
    assert count("queues", ".line") == [1, 2, 1]  # the gap
    assert count("queues", ".line", "V") == [0, 0, 199]  # steps
    assert count("queues", ".area", "Z") == [1]
    assert browser.texts("#sweep .marks text") == ["heuristic", "Dijkstra"]
    shapes = "return [...document.querySelectorAll('#sweep .line')].map((e) => getComputedStyle(e).strokeDasharray)"
    assert [dashes == "none" for dashes in browser.run(shapes)] == [True, False, True]


@pytest.mark.parametrize("width", [320, 390, 768, 1440])
@pytest.mark.parametrize("make", ["everything", "hostile"])
def test_nothing_is_wider_than_the_window(browser, width, make):
    browser.open(to_html(getattr(report_pages, make)()), width=width)
    assert overflow(browser) == []
    assert browser.complaints() == []
    widths = browser.run("""return [...document.querySelectorAll(".plot")].map((e) => [e.clientWidth,
        e.querySelector("svg").getBoundingClientRect().width])""")
    assert widths
    assert all(abs(frame - svg) <= 1 for frame, svg in widths)


def test_a_page_fits_a_window_that_becomes_narrow(browser):
    browser.open(EVERYTHING)
    browser.resize(390)
    browser.wait(lambda: browser.run("return document.querySelector('#lead svg').clientWidth < 390"), "not redrawn")
    assert overflow(browser) == []


def test_hostile_names_do_nothing(browser):
    browser.open(to_html(report_pages.hostile()))
    assert browser.run("return window.hacked") is None
    assert browser.texts("#bad-chart .legend span")[0] == report_pages.HOSTILE[0]
    browser.find("#bad-chart .plot").click()
    assert report_pages.HOSTILE[0] in browser.wait(lambda: tooltip(browser), "no tooltip")
    browser.find("#bad-chart .numbers summary").click()
    browser.wait(lambda: browser.texts("#bad-chart td"), "no numbers")
    assert browser.run("return window.hacked") is None
    assert browser.complaints() == []


def test_pointing_shows_the_numbers(browser):
    browser.open(EVERYTHING)
    plot = browser.find("#lead .plot")
    marker = browser.run("""
        const path = document.querySelector("#lead .markers").getAttribute("d").split("M")[8];
        return path.split(/[ a]/).slice(0, 2).map(Number)""")
    browser.point(plot, marker[0] + 5, 60)
    found = browser.wait(lambda: tooltip(browser), "no tooltip")
    assert found == {
        "at": "delta 8,192",
        "near_far": "2 ms",
        "near_far (published)": "6.2 ms",
        "adds": "1.4 ms",
        "more": "range 1.86 ms to 2.4 ms",
    }
    assert browser.run("return document.querySelectorAll('#lead .crosshair circle').length") == 3
    browser.point(browser.find("header.top"), 200, 10)
    browser.wait(lambda: not tooltip(browser), "the tooltip stayed")
    assert browser.run("return document.querySelectorAll('.crosshair').length") == 0


def test_the_tooltip_stays_in_the_window(browser):
    browser.open(EVERYTHING, width=390)
    for selector in ("#lead .plot", "#work .plot", "#speedups .plot", "#by-method .plot"):
        plot = browser.find(selector)
        for x in (70, 200, 330):
            browser.point(plot, x, 150)
            browser.wait(lambda: tooltip(browser), "no tooltip")
            left, right = browser.run("""const r = document.getElementById("page--tooltip").getBoundingClientRect();
                return [r.left, r.right]""")
            assert left >= 0
            assert right <= 390
    assert overflow(browser) == []


def test_charts_by_keyboard(browser):
    from selenium.webdriver.common.keys import Keys

    browser.open(EVERYTHING)
    browser.run("arguments[0].focus()", browser.find("#lead .plot"))
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    browser.keys(Keys.ARROW_RIGHT)
    assert browser.run(outline) == "solid"
    assert tooltip(browser)["at"] == "delta 64"
    browser.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert tooltip(browser)["at"] == "delta 256"
    assert tooltip(browser)["adds"] == "8.4 ms"
    browser.keys(Keys.END)
    assert tooltip(browser)["at"] == "delta 524,288"
    browser.keys(Keys.ARROW_RIGHT)
    assert tooltip(browser)["at"] == "delta 524,288"
    browser.keys(Keys.ESCAPE)
    assert tooltip(browser) == {}
    browser.run("arguments[0].focus()", browser.find("#by-method .plot"))
    browser.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert tooltip(browser) == {"at": "near_far", "measured": "11 ms", "more": "range 7 ms to 33 ms"}
    browser.run("arguments[0].focus()", browser.find("#work .plot"))
    browser.keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert tooltip(browser)["paper's mean (published)"] == "800"


def test_everything_is_reached_by_tab(browser):
    from selenium.webdriver.common.keys import Keys

    browser.open(EVERYTHING)
    seen = []
    for _ in range(14):
        browser.keys(Keys.TAB)
        seen.append(browser.run("const e = document.activeElement; return e.id || e.className || e.textContent"))
    assert seen[0] == "skip"
    assert "page--theme" in seen
    assert "plot" in seen
    assert "Show the numbers" in seen


def test_the_legend_hides_series(browser):
    browser.open(EVERYTHING)
    button = browser.find("#lead .legend button:nth-child(2)")
    assert button.text == "near_far (published)"
    button.click()
    assert button.get_attribute("aria-pressed") == "false"
    names = "return [...document.querySelectorAll('#lead svg .series')].map((e) => e.dataset.name)"
    assert browser.run(names) == ["near_far", "adds"]
    for other in (1, 3):
        browser.find(f"#lead .legend button:nth-child({other})").click()
    assert browser.run(names) == []
    assert "All series are hidden." in browser.texts("#lead svg text")
    button.send_keys(" ")
    assert browser.run(names) == ["near_far (published)"]
    assert browser.complaints() == []


def test_both_themes_can_be_read(browser):
    faint = """
        const paint = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
        const parts = (colour) => { paint.clearRect(0, 0, 1, 1); paint.fillStyle = colour; paint.fillRect(0, 0, 1, 1);
          return [...paint.getImageData(0, 0, 1, 1).data]; };
        const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        const light = (c) => { const [r, g, b] = c.map((v) => linear(v / 255));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        const ground = (e) => { for (; e; e = e.parentElement) { const c = parts(getComputedStyle(e).backgroundColor);
          if (c[3] > 200) return c; } return [255, 255, 255, 255]; };
        const found = [];
        for (const e of document.querySelectorAll("body *")) {
          const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
          if (!own || !e.getClientRects().length || e.closest("script, style, .skip, title")) continue;
          const style = getComputedStyle(e);
          const [a, b] = [light(parts(e.closest("svg") ? style.fill : style.color)), light(ground(e))];
          const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          if (ratio < 4.5) found.push([e.tagName, e.getAttribute('class'), ratio, e.textContent]);
        }
        return [found, light(ground(document.body))]"""
    for theme, dark in (("light", False), ("dark", True)):
        browser.open(EVERYTHING, theme=theme)
        bad, ground = browser.run(faint)
        assert bad == []
        assert (ground < 0.05) is dark
    button = browser.find("#page--theme")
    assert button.text == "Light"
    button.click()
    bad, ground = browser.run(faint)
    assert bad == []
    assert ground > 0.8
    assert button.text == "Dark"
    browser.run("try { localStorage.clear() } catch {}")


def test_numbers_are_shown_as_python_writes_them(browser):
    noise = random.Random(5)
    values = [noise.choice([-1, 1]) * noise.random() * 10.0 ** noise.randint(-9, 17) for _ in range(300)]
    values += [0.0, 1.0, 999.96, 999.94, 0.1, 0.00099995, 1e15, 123456.5, 99999.6]
    chart = Chart("numbers", "Numbers", Axis("i"), Axis("v"), [Series("s", range(len(values)), values, "points")])
    browser.open(to_html(Page("P", "S.", [Section("a", "A", [chart])])))
    browser.find(".numbers summary").click()
    shown = browser.wait(lambda: browser.texts("#numbers tbody td:last-child"), "no numbers")
    assert len(shown) == len(values)
    differing = [(value, text) for value, text in zip(values, shown, strict=True) if text_of(compact(value)) != text]
    assert differing == []


def test_numbers_have_a_column_for_each_series(browser):
    browser.open(EVERYTHING)
    browser.find("#queues .numbers summary").click()
    browser.wait(lambda: browser.texts("#queues tbody tr"), "no numbers")
    assert browser.texts("#queues thead th") == ["iteration", "near", "far", "final"]
    rows = browser.texts("#queues tbody tr")
    assert len(rows) == 200
    assert browser.texts("#queues tbody tr:nth-child(91) td")[2] == "–"


def test_tables_are_sorted_by_their_heads(browser):
    browser.open(EVERYTHING)
    browser.find("#table thead th:nth-child(6) button").click()
    column = "#table tbody tr > :nth-child(6)"
    numbers = [float(text) for text in browser.texts(column)]
    assert numbers == sorted(numbers)
    browser.find("#table thead th:nth-child(6) button").click()
    assert [float(text) for text in browser.texts(column)] == numbers[::-1]
    assert (
        browser.run("return document.querySelector('#table th[aria-sort]').getAttribute('aria-sort')") == "descending"
    )


def test_a_race_by_slider_and_by_playing(browser):
    from selenium.webdriver.common.keys import Keys

    browser.open(EVERYTHING)
    slider = browser.find("#race input")

    def settled():
        return [int(re.match(r"[\d,]+", text)[0].replace(",", "")) for text in browser.texts("#race .readout")]

    def colours():
        return browser.run("""
            const pixels = (c) => c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer;
            const count = (c) => new Set(new Uint32Array(pixels(c))).size;
            return [...document.querySelectorAll("#race canvas")].map(count)""")

    slider.send_keys(Keys.HOME)
    assert max(settled()) < 30
    slider.send_keys(*[Keys.PAGE_UP] * 5)
    half = settled()
    assert half == sorted(half)
    assert all(0 < count < 8100 for count in half[:2])
    assert min(colours()) > 20
    slider.send_keys(Keys.END)
    unreached = {8100 - count for count in settled()}
    assert len(unreached) == 1
    assert unreached.pop() > 0
    assert browser.texts("#race .place") == ["3rd", "2nd", "1st"]
    slider.send_keys(Keys.HOME)
    browser.find("#race .play").click()
    browser.wait(lambda: settled()[0] > 500, "the race does not run")
    browser.find("#race .play").click()
    assert browser.texts("#race .play") == ["Play"]
    assert browser.complaints() == []


def test_unusual_values_have_a_place(browser):
    names = [f"graph-{i}" for i in range(60)]
    charts = [
        Chart("one", "One", Axis("x"), Axis("y"), [Series("a", [5], [7])]),
        Chart("zeros", "Zeros", Axis("x"), Axis("y"), [Series("a", [1, 2], [0, 0])]),
        Chart("huge", "Huge", Axis("x", log=True), Axis("y", log=True), [Series("a", [1e-9, 1e12], [1e-12, 1e18])]),
        Chart("close", "Close", Axis("x"), Axis("y"), [Series("a", [1, 2], [1000001, 1000003])]),
        Chart("below", "Below", Axis("x", categories=names), Axis("y"), [Series("a", names, range(-30, 30), "bars")]),
        Chart("bars", "Bars", Axis("x"), Axis("y"), [Series(n, [1, 2, 3], [1, 2, 3], "bars") for n in names[:3]]),
        Chart("negative", "Negative", Axis("x"), Axis("y"), [Series("a", [-2, -1], [-5, -3], "area")]),
    ]
    browser.open(to_html(Page("P", "S.", [Section("a", "A", charts)])), width=390)
    assert browser.complaints() == []
    assert overflow(browser) == []
    bad = """return [...document.querySelectorAll("svg *")].filter((e) => [...e.attributes].some((a) =>
        /NaN|Infinity|undefined/.test(a.value))).map((e) => e.outerHTML)"""
    assert browser.run(bad) == []
    ticks = browser.texts("#close .ticks text")
    assert len(ticks) == len(set(ticks)) > 4
    outside = """return [...document.querySelectorAll(".plot .bars, .plot .line, .plot .markers")].filter((e) => {
        const [a, b] = [e.getBoundingClientRect(), e.ownerSVGElement.getBoundingClientRect()];
        return a.left < b.left || a.right > b.right + 1 || a.top < b.top || a.bottom > b.bottom; }).length"""
    assert browser.run(outside) == 0


def test_a_large_page_is_drawn_whole(browser):
    browser.open(to_html(report_pages.large()))
    assert browser.run("return document.querySelectorAll('figure[data-drawn]').length") == 150
    assert browser.run("return document.querySelectorAll('figure svg .line').length") == 450
    assert browser.complaints() == []


def test_the_contents_follow_the_reader(browser):
    browser.open(EVERYTHING)
    current = """return [...document.querySelectorAll(".contents a[aria-current]")].map((e) => e.textContent)"""
    assert browser.run(current) == ["Summary"]
    for id, expected in (("adds2021", ["ADDS"]), ("ablations", ["ADDS", "Ablations"])):
        browser.run("document.getElementById(arguments[0]).scrollIntoView({behavior: 'instant'})", id)
        browser.wait(lambda expected=expected: browser.run(current) == expected, f"{expected} is not marked")
    top = browser.run("return document.querySelector('.contents').getBoundingClientRect().top")
    assert 0 < top < 200  # it stays in sight


def test_printing_draws_in_light_without_controls(browser):
    browser.open(EVERYTHING, theme="dark")
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        shown = (
            """return [".top", ".contents", ".play"].filter((s) => document.querySelector(s).getClientRects().length)"""
        )
        assert browser.run(shown) == []
        assert browser.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
