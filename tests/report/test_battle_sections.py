"""The page of battles in a browser: three widths, light and dark, hostile names of models, judges and questions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stagg.data.inputs.battle_rows import BattleRows, make_battle_rows
from stagg.leaderboards.battles.battle_board import rank_battles
from stagg.report.markup import clean, shorten
from stagg.report.pages.leaderboard import leaderboard_report
from tests.browser import find_violations
from tests.leaderboards.test_battle_fits import draw_rows
from tests.report.hostile import HOSTILE

HOSTILE_NAMES = [name for name in HOSTILE if name.strip()]


def hostile_rows() -> BattleRows:
    """Battles whose models, judges and questions are hostile; one of the judges likes the first place."""
    rng, names = np.random.default_rng(1), HOSTILE_NAMES
    rows = []
    for question in range(300):
        i, j = rng.choice(len(names), 2, replace=False)
        for judge, place in ((names[0], 0.0), (names[-1], 2.0), (names[3], 0.0)):
            won = rng.random() < 1 / (1 + np.exp(-0.2 * (i - j) - place))
            rows.append((names[i], names[j], judge, f"{names[question % len(names)]}{question}", 1 if won else -1))
    first, second, judges, questions, outcomes = zip(*rows, strict=True)
    return make_battle_rows((first, second), outcomes, judges=judges, questions=questions)


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    plain = draw_rows(1, 400, {"people": (0.0, 0), "llm": (2.0, 0.5)})
    apart = make_battle_rows((["a", "c", "d", "b"], ["b", "d", "e", "a"]), [1, -1, 0, 1])
    return {
        "plain": leaderboard_report(rank_battles(plain, anchor="people", draws=100), files=["battles.csv"]),
        "hostile": leaderboard_report(rank_battles(hostile_rows(), anchor=HOSTILE_NAMES[0], draws=100)),
        "apart": leaderboard_report(rank_battles(apart, apart=True, draws=50)),
        "bare": leaderboard_report(rank_battles(plain, level=None)),
    }


@pytest.mark.parametrize("kind", ["plain", "hostile", "apart", "bare"])
def test_the_page_opens_without_a_fault_and_fits_every_screen(
    pages: dict[str, str], open_report: Any, kind: str
) -> None:
    for width, scheme in ((390, "dark"), (768, "light"), (1280, "light")):
        page = open_report(pages[kind], width=width, scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        headings = page.locator("h2").all_inner_texts()
        assert {"Wins", "Judges"} <= set(headings)
        assert ("Group 2" in headings) == (kind == "apart")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["plain", "hostile"])
def test_axe_finds_no_serious_fault(pages: dict[str, str], open_report: Any, kind: str, scheme: str) -> None:
    assert find_violations(open_report(pages[kind], scheme=scheme)) == []


def test_hostile_models_and_judges_are_text(pages: dict[str, str], open_report: Any) -> None:
    page = open_report(pages["hostile"])
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    cells = page.locator("td, th").evaluate_all("all => all.map((each) => each.textContent.trim())")
    told = "\n".join(cells)
    assert all(clean(shorten(name)).strip() in told for name in HOSTILE_NAMES)


def test_the_page_says_first_what_the_anchor_saves_and_whom_a_judge_prefers(pages: dict[str, str]) -> None:
    lead = pages["plain"].split("<h2", 1)[0]
    assert "rests on 400 votes of" in lead
    assert "chose the first place in" in pages["plain"]
    assert "taste" not in pages["plain"]
    assert "taste" in pages["bare"]
