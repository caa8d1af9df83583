"""Hostile addresses of the explorer: whatever one says, the page shows what ``stagg fuse`` gives by what it copies."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import numpy as np
from tests.browser import follow, new_page

import stagg
from attack.scene import SAMPLE
from attack.verdict import Attack
from stagg import Rankings, StaggError
from stagg.report.pages.explorer import explored_of, explorer_page
from stagg.report.pages.explorer_data import PageSource
from stagg.report.pages.explorer_settings import OFFERED, SHAPES, UTILITIES

FEWEST = 20
NUMBERS = [
    "-5", "0", "-0", "1", "60", "0.5", "2.5", "1e-320", "1e-9", "1e9", "1e15", "1e300", "1.7e308", "1e309", "-1e300",
    "NaN", "Infinity", "-Infinity", "", " ", "0x10", "1_0", "1,5", "9" * 400, "0." + "3" * 400, "٣", "null", "[]",
]  # fmt: skip
TEXTS = ["", "__proto__", "constructor", "<script>alert(1)</script>", "\ud83d", "'; rm -rf ~", '")', "x" * 5000]
SHOWN = """() => ({
  query: new URLSearchParams(location.hash.slice(1)).get('query'),
  items: [...document.querySelectorAll('#consensus tbody .item bdi')].map((each) => each.textContent),
})"""


def attack(seed: int, seconds: float) -> Attack:
    found = Attack("addresses", "hostile addresses of the explorer", seconds, FEWEST)
    warnings.simplefilter("ignore")
    rng, rankings = random.Random(f"addresses {seed}"), read_sample()
    with tempfile.TemporaryDirectory() as folder, open_page(make_page(rankings, Path(folder))) as (page, faults):
        if page is None:
            found.notes.append("there is no playwright, or no chromium")
            return found
        while found.has_time():
            address = make_address(rng, rankings, found.tried)
            for problem in try_address(page, address, rankings) + faults:
                found.report(problem, address.encode(errors="replace"))
            faults.clear()
            found.count()
    return found


def read_sample() -> Rankings:
    return stagg.read([str(SAMPLE / f"{name}.trec") for name in ("bm25", "dense", "sparse")])


def make_page(rankings: Rankings, folder: Path) -> str:
    """The page of the explorer; the trust that its calls name is a file in the folder."""
    model = folder / "-it's\ntrust.json"
    explored = explored_of(rankings, source=PageSource(model=str(model)))
    assert explored.trust is not None
    explored.trust.save(model)
    return explorer_page(explored)


@contextlib.contextmanager
def open_page(text: str) -> Iterator[tuple[Any, list[str]]]:
    """A page in chromium, and what goes wrong in it; None where there is no browser."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        yield None, []
        return
    chromium = os.environ.get("STAGG_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        yield None, []
        return
    faults: list[str] = []
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "explorer.html"
        path.write_text(text, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = new_page(browser)
        page.on("console", lambda message: faults.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (faults.append("a dialog"), dialog.dismiss()))
        page.goto(path.as_uri())
        yield page, faults
        browser.close()


def make_address(rng: random.Random, rankings: Rankings, number: int) -> str:
    """An address that a page might have written, with some parts that it never writes."""
    found = {"query": rng.choice([*rankings.queries, *TEXTS]), "n": str(number)}  # n: so that no two are alike
    for key in ("s", "ref"):
        if key == "s" or rng.random() < 0.3:
            setting = _make_setting(rng, len(rankings.rankers))
            words = urlencode(setting, quote_via=quote, errors="replace")
            found[key] = words if rng.random() < 0.95 else words[: rng.randrange(len(words) + 1)] + "%ZZ&=&"
    return "#" + urlencode(found, quote_via=quote, errors="replace")


def _make_setting(rng: random.Random, rankers: int) -> dict[str, str]:
    def number() -> str:
        return rng.choice(NUMBERS) if rng.random() < 0.7 else f"{rng.lognormvariate(0, 4):g}"

    def form(names: tuple[str, ...]) -> str:
        return " ".join([rng.choice([*names, *TEXTS[:4]]), *(number() for _ in range(rng.choice((0, 1, 1, 1, 2))))])

    weights = [number() if rng.random() < 0.4 else "1" for _ in range(rankers + rng.choice((0, 0, 0, 0, 1, -1)))]
    made = {
        "m": rng.choice([*OFFERED, *OFFERED, *TEXTS]),
        **{key: number() for key in ("c", "phi", "sigma", "gamma", "depth")},
        "utility": form(UTILITIES),
        "shape": form(SHAPES),
        "norm": rng.choice(["min-max", "z-score", "none", *TEXTS]),
        "missing": rng.choice(["below", "neutral", "skip", *TEXTS]),
        "w": " ".join(weights),
        "off": " ".join(number() for _ in range(rng.choice((0, 0, 1, 3)))),
    }
    return {key: value for key, value in made.items() if rng.random() < 0.8}


def try_address(page: Any, address: str, rankings: Rankings) -> list[str]:
    """Open an address; what is wrong with the setting that the page makes of it."""
    try:
        follow(page, address)
        shown = page.evaluate(SHOWN)
    except Exception as error:
        return [f"the page did not follow {address[:200]}: {error}"]
    command, call = page.locator("#command").input_value(), page.locator("#python").input_value()
    try:
        fused = eval(call, {"stagg": stagg, "rankings": rankings})
    except StaggError as error:
        return [f"stagg refuses what {address[:200]} makes the page copy, {call}: {error}"]
    wrong = []
    if not np.isfinite(fused.scores).all():
        wrong.append(f"{call} gives scores that are no numbers")
    if fused.best_first(shown["query"])[: len(shown["items"]) or 1] != shown["items"]:
        wrong.append(f"query {shown['query']}: the page shows {shown['items'][:3]}, {call} gives another list")
    return wrong if command.isprintable() else [*wrong, f"a command that cannot be printed: {command!r}"]
