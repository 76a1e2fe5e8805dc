"""Pages in a real browser: Debian's Chromium, headless; tests skip with a reason where it is absent."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

SECONDS = 60
"""How long a page may take on a busy machine; nothing is measured by it."""

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
)


def why_absent() -> str:
    """Return why there is no browser, or nothing if there is one."""
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            return f"{program} is not installed (Debian: apt install chromium chromium-driver)"
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "selenium is not installed (pip install selenium)"
    return ""


class Browser:
    """A window of a given size and theme."""

    def __init__(self, driver: Any, folder: Path) -> None:
        self.driver = driver
        self._folder = folder

    def open(self, html: str, *, width: int = 1440, height: int = 900, theme: str = "light") -> None:
        """Open a page and wait until all of it is drawn."""
        path = self._folder / "page.html"
        path.write_text(html, encoding="utf-8")
        self.resize(width, height)
        media = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        self.driver.get_log("browser")  # what an earlier page said
        self.driver.get(path.as_uri())
        self.run("try { localStorage.clear() } catch {}")
        self.wait(lambda: self.run("return document.documentElement.dataset.ready") == "all", "the page was not drawn")

    def resize(self, width: int, height: int = 900) -> None:
        """Give the window another size."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def run(self, script: str, *arguments: Any) -> Any:
        """Run JavaScript in the page."""
        return self.driver.execute_script(script, *arguments)

    def find(self, selector: str) -> Any:
        """Return the first element, in sight."""
        element = self.driver.find_element("css selector", selector)
        self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
        return element

    def texts(self, selector: str) -> list[str]:
        """Return the texts of elements."""
        return self.run("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", selector)

    def keys(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def point(self, element: Any, x: float, y: float) -> None:
        """Move the mouse to a place within an element, from its left upper corner."""
        from selenium.webdriver.common.action_chains import ActionChains

        left, top = self.run("const r = arguments[0].getBoundingClientRect(); return [r.left, r.top]", element)
        actions = ActionChains(self.driver)
        actions.w3c_actions.pointer_action.move_to_location(round(left + x), round(top + y))
        actions.perform()

    def wait(self, happened: Callable[[], Any], otherwise: str) -> Any:
        """Wait until something is true, and return it."""
        end = time.monotonic() + SECONDS
        while not (found := happened()):
            assert time.monotonic() < end, f"{otherwise}; console: {self.complaints()}"
            time.sleep(0.02)
        return found

    def complaints(self) -> list[str]:
        """Return what the console says since the page was opened, or this was asked."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@contextlib.contextmanager
def opened(folder: Path) -> Iterator[Browser]:
    """Start a browser with a new profile in a folder, and end it."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in [*FLAGS, f"--user-data-dir={folder / 'profile'}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = Service(shutil.which("chromedriver"), log_output=os.devnull)
    driver = webdriver.Chrome(options=options, service=service)
    try:
        driver.set_page_load_timeout(SECONDS)
        driver.set_script_timeout(SECONDS)
        yield Browser(driver, folder)
    finally:
        driver.quit()


def browser_or_skip() -> None:
    """Skip the tests of a file where there is no browser."""
    if reason := why_absent():
        pytest.skip(reason, allow_module_level=True)
