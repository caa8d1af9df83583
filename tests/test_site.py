"""The site in a browser: built strictly, read from disk, on a desk and on a phone, in light and in dark."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.browser import find_violations

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = os.environ.get("STAGG_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
PAGES = [
    *("index", "which_method", "tutorial", "migration", "howto/tasks", "reference/python", "reference/commands/fuse"),
    *("reference/methods/index", "reference/learners/stagg_ndcg"),
]

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("material") is None, reason="mkdocs-material is not here: make docs"),
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium: apt-get install chromium"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert built.returncode == 0, built.stderr
    return folder


def test_every_page_has_its_markdown_beside_it_and_llms_txt_lists_them(site: Path) -> None:
    listed = (site / "llms.txt").read_text(encoding="utf-8")
    pages = [path.relative_to(site) for path in site.rglob("*.html") if path.name != "404.html"]
    for page in pages:
        assert (site / page).with_suffix(".md").is_file(), page
        assert f"]({page.with_suffix('.md').as_posix()})" in listed, page
        assert f'type="text/markdown" title="Markdown" href="{page.stem}.md">' in (site / page).read_text(), page


class Opened:
    """A page of the site, what it asked for and what went wrong."""

    def __init__(self, browser: Any, path: Path, width: int = 1280) -> None:
        self.faults: list[str] = []
        self.requests: list[str] = []
        self.page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme="light")
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(path.as_uri())


@pytest.mark.parametrize("width", [1280, 390])
def test_pages_fit_and_ask_no_network(site: Path, browser: Any, width: int) -> None:
    for name in PAGES:
        opened = Opened(browser, site / f"{name}.html", width)
        for scheme in ("light", "dark"):
            opened.page.emulate_media(color_scheme=scheme)
            assert opened.page.evaluate("document.documentElement.scrollWidth") <= width, (name, scheme)
        assert opened.page.evaluate("[...document.images].every(each => each.complete && each.naturalWidth > 0)"), name
        assert [url for url in opened.requests if not url.startswith(("file:", "data:"))] == []
        assert opened.faults == []
        opened.page.close()


def test_search_works_from_disk(site: Path, browser: Any) -> None:
    opened = Opened(browser, site / "index.html")
    opened.page.click("input.md-search__input")
    opened.page.keyboard.type("plackett luce")
    first = opened.page.wait_for_selector(".md-search-result__link", timeout=20_000)
    first.click()
    opened.page.wait_for_url("**/*plackett*")
    assert opened.faults == []
    opened.page.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_pages_have_no_serious_barrier(site: Path, browser: Any, width: int, scheme: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    for name in PAGES:
        page.goto((site / f"{name}.html").as_uri())
        page.wait_for_timeout(200)  # wide tables get their boxes
        assert find_violations(page) == [], name
    page.close()
