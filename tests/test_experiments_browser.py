"""The pages of the papers' suites in a real browser, measured on tiny graphs."""

from __future__ import annotations

import pytest

from browser import browser_or_skip, opened
from pathfront.experiments import page
from pathfront.report.html import to_html
from tiny_suite import PAPERS, tiny_results

browser_or_skip()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with opened(tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.mark.slow
@pytest.mark.parametrize("name", PAPERS)
def test_the_page_of_a_paper_is_drawn_and_fits(browser, name):
    text = to_html(page.of([tiny_results(name)[1]]))
    assert len(text.encode()) < 6_000_000
    for width in (390, 1440):
        browser.open(text, width=width)
        assert browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        drawn = browser.run("""return [...document.querySelectorAll("figure.chart")].map(
            (figure) => [figure.id, Number(figure.dataset.drawn)])""")
        assert len(drawn) >= 5
        assert [id for id, shapes in drawn if not shapes] == []
        assert browser.complaints() == []


@pytest.mark.slow
def test_pointing_at_the_lead_shows_measured_numbers(browser):
    browser.open(to_html(page.of([tiny_results("davidson2014")[1]])))
    chart = browser.find("figure.chart svg")
    browser.point(chart, 150, 150)
    shown = "return document.getElementById('page--tooltip').textContent"
    text = browser.wait(lambda: browser.run(shown), "no tooltip")
    assert "Near-Far" in text
