"""The pages of explain, sweep and trace in a real browser."""

from __future__ import annotations

import pytest

import pathfront as pf
from browser import browser_or_skip, opened
from pathfront.report.html import to_html
from pathfront.studies import explain_page, pages
from pathfront.studies.racing import trace
from pathfront.studies.sweeping import sweep

browser_or_skip()

ROADS = pf.generate.road_like(3000, seed=1)
FACTS = [("graph", "roads.gr")]


def traced():
    found = trace(ROADS, 0, ["near_far", "adds", "dijkstra", "bellman_ford_frontier"])
    return pages.trace_page(found, "roads.gr", FACTS, "work")


def swept():
    return pages.sweep_page(sweep(ROADS, 0, method="near_far", rounds=1), "roads.gr", FACTS)


def explained():
    return explain_page.explain_page(pf.explain(ROADS, 0, rounds=0), "roads.gr", FACTS)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with opened(tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.mark.parametrize("make", [traced, swept, explained], ids=lambda make: make.__name__)
def test_a_page_is_drawn_and_fits(browser, make):
    text = to_html(make())
    for width in (390, 1440):
        browser.open(text, width=width)
        assert browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        empty = browser.run("""return [...document.querySelectorAll("figure.chart")].filter(
            (figure) => !(Number(figure.dataset.drawn) > 0)).map((figure) => figure.id)""")
        assert empty == []
        assert browser.complaints() == []


def test_the_race_shows_every_method(browser):
    browser.open(to_html(traced()), width=1000)
    shown = browser.run("return document.querySelector('figure.race').textContent")
    for name in ("near_far", "adds", "dijkstra", "bellman_ford_frontier"):
        assert name in shown
