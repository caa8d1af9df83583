"""The page of an election in a browser: no fault, no request, no overflow, no barrier, hostile names inert."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stagg
from stagg.report.election_page import election_report
from stagg.report.markup import clean
from tests.browser import find_violations
from tests.report.hostile import HOSTILE

LONG = "François-Xavier de la Longue-Dénomination"


def club() -> stagg.Election:
    """Truncated ballots of six candidates: votes are exhausted, and rules differ."""
    rng = np.random.default_rng(1)
    names = ["Ada Lovelace", "Ben Okri", "Cleopatra", "Dov Ber", "Eve Curie", LONG]
    orders = [np.argsort(rng.gumbel(size=6) - np.arange(6) / 4)[: int(rng.integers(1, 7))] for _ in range(120)]
    return stagg.elect([[names[i] for i in order] for order in orders], draws=20)


def many() -> stagg.Election:
    """More candidates than charts show, and a weight."""
    rng = np.random.default_rng(2)
    names = np.array([f"candidate {k}" for k in range(40)])
    lists = {f"v{k}": rng.permutation(names).tolist() for k in range(12)}
    return stagg.elect(lists, "irv;schulze;borda", weights={"v0": 2.5}, draws=5)


def hostile() -> stagg.Election:
    rng = np.random.default_rng(3)
    lists = [[HOSTILE[i] for i in rng.permutation(len(HOSTILE))] for _ in range(9)]
    return stagg.elect(lists, "plurality;irv;schulze;borda", draws=10)


KINDS = ("club", "cycle", "many", "hostile", "one")


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    cycle = [list("abcd")] * 4 + [list("bcad")] * 3 + [list("cabd")] * 2
    made = {
        "club": club(),
        "cycle": stagg.elect(cycle, "irv;copeland;borda", draws=10),
        "many": many(),
        "hostile": hostile(),
        "one": stagg.elect([["a"]]),
    }
    return {kind: election_report(each) for kind, each in made.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_opens_without_a_fault_and_fits_every_width(
    pages: dict[str, str], open_report: Any, kind: str
) -> None:
    for width, scheme in ((390, "dark"), (768, "light"), (1280, "light"), (1920, "dark")):
        page = open_report(pages[kind], width=width, scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("svg.flow").count() == 1
        outside = page.evaluate(
            "() => [...document.querySelectorAll('.bars svg rect, .bars svg line')].filter((mark) => {"
            "  const box = mark.getBoundingClientRect(), card = mark.closest('figure').getBoundingClientRect();"
            "  return box.left < card.left || box.right > card.right + 1;"
            "}).length"
        )
        assert outside == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["club", "many", "hostile"])
def test_the_page_has_no_serious_barrier(pages: dict[str, str], open_report: Any, kind: str, scheme: str) -> None:
    assert find_violations(open_report(pages[kind], scheme=scheme)) == []


def test_hostile_names_are_shown_as_text(pages: dict[str, str], open_report: Any) -> None:
    page = open_report(pages["hostile"])
    names = page.locator(".ranks td:first-child bdi").evaluate_all("all => all.map((each) => each.textContent)")
    assert set(names) == {clean(text if len(text) <= 60 else text[:59] + "…") for text in HOSTILE}
    assert page.locator("img, iframe, object, [onerror], [onload]").count() == 0
    assert page.locator("script").count() == open_report(pages["cycle"]).locator("script").count()


def test_names_of_the_runoff_are_inside_the_chart_and_do_not_overlap(pages: dict[str, str], open_report: Any) -> None:
    for kind in ("club", "cycle", "hostile"):
        page = open_report(pages[kind])
        boxes = page.locator("svg.flow text.name").evaluate_all(
            "all => all.map((each) => { const box = each.getBBox(); return [box.x, box.y, box.width, box.height]; })"
        )
        assert all(x >= 0 and x + width <= 960 for x, _, width, _ in boxes)
        for number, (x, y, width, height) in enumerate(boxes):
            for x2, y2, width2, height2 in boxes[:number]:
                apart = x + width <= x2 or x2 + width2 <= x or y + height <= y2 + 3 or y2 + height2 <= y + 3
                assert apart, kind


def test_bars_of_shares_go_from_0_to_100_percent_and_tell_their_number(pages: dict[str, str], open_report: Any) -> None:
    page = open_report(pages["cycle"])
    tip = page.get_by_role("tooltip", include_hidden=True)
    page.locator(".bars [data-tip]").first.hover()
    assert "% of the draws" in tip.inner_text()
    assert page.locator(".bars .value").first.inner_text().endswith("%")
    assert page.locator(".bars .whisker").count() == 0
    page.locator("svg.flow path").first.hover()
    assert "votes" in tip.inner_text()
