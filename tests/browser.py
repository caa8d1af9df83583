"""A headless browser for the tests of reports: Debian's chromium, driven by playwright; without either they skip."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for a module's tests: playwright keeps an event loop running in this thread while it is open, and
    neither a second playwright nor a test that calls `asyncio.run` could run beside it."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    chromium = os.environ.get("STAGG_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("there is no chromium: apt-get install chromium, or set STAGG_CHROMIUM")
    with api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield running
        running.close()


AXE = Path(__file__).resolve().parent.parent / ".venv" / "node_modules" / "axe-core" / "axe.min.js"


def find_violations(page: Any) -> list[str]:
    """What axe-core finds of serious and critical faults in a page; skips where it is not installed."""
    if not AXE.is_file():
        pytest.skip("there is no axe-core: make .venv/installed-axe (needs npm)")
    page.evaluate(AXE.read_text(encoding="utf-8"))  # not as a script of the page: its policy would refuse it
    found = page.evaluate("axe.run().then(({violations}) => violations)")
    return [
        f"{each['id']}: {node['html'][:120]} {node['any'][0]['message'] if node['any'] else ''}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


HURRY = "const wait = setTimeout; setTimeout = (act, pause, ...rest) => wait(act, pause / 20, ...rest);"
"""Put into a page before its own scripts: what it does after a pause comes in the same order, and 20 times as soon."""


class Opened:
    """A report in the browser, and everything that went wrong there."""

    def __init__(self, page: Any, path: Path) -> None:
        self.page, self.faults = page, []
        page.on("console", lambda message: self.faults.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (self.faults.append("a dialog"), dialog.dismiss()))
        self.requests: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(path.as_uri())


@pytest.fixture
def open_report(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Open the text of a report at some width, light or dark; at the end nothing may have gone wrong."""
    opened: list[Opened] = []

    def open_text(text: str, *, width: int = 1280, scheme: str = "light", hurry: bool = False) -> Any:
        path = tmp_path / f"report-{len(opened)}.html"
        path.write_text(text, encoding="utf-8")
        page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        page.set_default_timeout(5000)
        if hurry:
            page.add_init_script(HURRY)
        opened.append(Opened(page, path))
        return page

    yield open_text
    for each in opened:
        each.page.close()
        assert each.faults == []
        assert [url for url in each.requests if not url.startswith(("file:", "data:,"))] == []
        assert len([url for url in each.requests if url.startswith("file:")]) >= 1
