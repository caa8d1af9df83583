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
    # Nothing is preloaded: the page has no other files, and the wait for them would be a pause of ten seconds.
    found = page.evaluate("axe.run({preload: false}).then(({violations}) => violations)")
    return [
        f"{each['id']}: {node['html'][:120]} {node['any'][0]['message'] if node['any'] else ''}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


PENDING = """(() => {
  const LONGEST = 5000;
  const later = setTimeout, drop = clearTimeout, waiting = new Map();
  const draw = requestAnimationFrame, undraw = cancelAnimationFrame, wanted = new Set();
  window.clearTimeout = (number) => {
    waiting.delete(number);
    drop(number);
  };
  window.setTimeout = (act, pause = 0, ...rest) => {
    if (pause > LONGEST) throw new Error(`a pause of ${pause} ms`);
    const run = () => {
      clearTimeout(number);
      act(...rest);
    };
    const number = later(run, pause);
    waiting.set(number, {due: performance.now() + pause, run});
    return number;
  };
  window.cancelAnimationFrame = (number) => {
    wanted.delete(number);
    undraw(number);
  };
  window.requestAnimationFrame = (act) => {
    const number = draw((time) => {
      wanted.delete(number);
      act(time);
    });
    wanted.add(number);
    return number;
  };
  const next = () => [...waiting.values()].reduce((one, other) => (other.due < one.due ? other : one));
  window.settle = async () => {
    do {
      await new Promise(draw);
      while (waiting.size && !wanted.size) next().run();
    } while (wanted.size);
  };
})();"""
"""Put into a page before its own scripts: ``settle()`` draws a frame and ends the pauses of the page, each in its turn,
until no frame is wanted and nothing waits. A pause that nobody would wait for is an error."""


def settle(page: Any) -> None:
    """Let the page do all that it does after a pause, and wait until it is drawn."""
    page.evaluate("settle()")


FOLLOW = """async ([hash, meanwhile]) => {
  const changed = new Promise((done) => addEventListener('hashchange', done, {once: true}));
  location.hash = hash;
  if (meanwhile !== null) history.replaceState(null, '', meanwhile);
  await changed;
  await settle();
}"""


def follow(page: Any, hash_: str, *, meanwhile: str | None = None) -> None:
    """Change the part of the address after "#", and let the page follow it to the end; `meanwhile` is an address that
    is written over it before the page hears of the change."""
    page.evaluate(FOLLOW, [hash_, meanwhile])


class Opened:
    """A report in the browser, and everything that went wrong there."""

    def __init__(self, page: Any, path: Path) -> None:
        self.page = page
        self.faults: list[str] = []
        self.requests: list[str] = []
        self._listeners = {
            "console": lambda message: self.faults.append(f"{message.type}: {message.text}"),
            "pageerror": lambda error: self.faults.append(f"error: {error}"),
            "dialog": lambda dialog: (self.faults.append("a dialog"), dialog.dismiss()),
            "request": lambda request: self.requests.append(request.url),
        }
        for event, listener in self._listeners.items():
            page.on(event, listener)
        page.goto(path.as_uri())
        settle(page)  # some charts are drawn after a pause

    def leave(self) -> None:
        """Empty the page, for somebody else's report, and listen no more."""
        self.page.goto("about:blank")
        self.page.mouse.move(0, 0)
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)


@pytest.fixture(scope="module")
def blank_pages(browser: Any) -> list[Any]:
    """Pages that no test uses at the moment: a new one takes the browser four times as long as another report in an
    old one."""
    return []


@pytest.fixture
def open_report(browser: Any, blank_pages: list[Any], tmp_path: Path) -> Iterator[Any]:
    """Open the text of a report at some width, light or dark; at the end nothing may have gone wrong."""
    opened: list[Opened] = []

    def open_text(text: str, *, width: int = 1280, scheme: str = "light") -> Any:
        path = tmp_path / f"report-{len(opened)}.html"
        path.write_text(text, encoding="utf-8")
        page = blank_pages.pop() if blank_pages else new_page(browser)
        page.set_default_timeout(20_000)  # a fault, not a busy machine, is what it should be for
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(media="null", color_scheme=scheme)
        opened.append(Opened(page, path))
        return page

    yield open_text
    for each in opened:
        each.leave()
    blank_pages += [each.page for each in opened]
    for each in opened:
        assert each.faults == [], each.faults
        assert [url for url in each.requests if not url.startswith(("file:", "data:,"))] == []
        assert len([url for url in each.requests if url.startswith("file:")]) >= 1


def new_page(browser: Any) -> Any:
    page = browser.new_page()
    page.add_init_script(PENDING)
    return page
