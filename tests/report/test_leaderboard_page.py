"""The page of a leaderboard: what it shows, in a browser at three widths, with hostile names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stagg
from stagg.leaderboards.board import Board, tell_probability
from stagg.leaderboards.strengths import Strengths
from stagg.report.charts.board_plots import board_plots
from stagg.report.charts.boards import lay_out_groups
from stagg.report.markup import clean, shorten
from stagg.report.pages.leaderboard import leaderboard_report
from tests.browser import find_violations
from tests.report.hostile import HOSTILE

NAMES = [f"model-{i}" for i in range(12)]


def board_of(names: list[str], tasks: list[str], *, hide_hard: bool = False) -> Board:
    rng = np.random.default_rng(5)
    cells = np.arange(len(names))[:, None] * 0.3 + rng.normal(size=(len(names), len(tasks)))
    if hide_hard:  # weak models lack the tasks on which they are weakest
        cells += np.outer(np.linspace(2, -2, len(names)), np.linspace(-2, 2, len(tasks)))
        cells[: len(names) // 2, -len(tasks) // 3 :] = np.nan
    rows = [(n, t, cells[i, k]) for i, n in enumerate(names) for k, t in enumerate(tasks) if cells[i, k] == cells[i, k]]
    return stagg.leaderboard(rows, draws=200)


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    hostile = [name for name in HOSTILE if name.strip()]
    strengths = Strengths(("a", "b"), np.array([1.0, 0.0]), np.array([[1.0, 0.0], [0.5, 0.6]]), np.array([90, 90]), "x")
    return {
        "plain": leaderboard_report(board_of(NAMES, [f"t{t}" for t in range(15)]), files=["scores.csv"]),
        "hostile": leaderboard_report(board_of(hostile, [f"{name} t" for name in hostile]), remarks=hostile[:3]),
        "gaps": leaderboard_report(
            board_of([f"m{i}" for i in range(40)], [f"t{t}" for t in range(30)], hide_hard=True)
        ),
        "few": leaderboard_report(stagg.leaderboard({"a": {"t": 1.0}, "b": {"t": 2.0}}, intervals=None)),
        "apart": leaderboard_report(
            stagg.leaderboard(
                {name: {f"{n > 5}{t}": float(n * t % 7) for t in range(9)} for n, name in enumerate(hostile[:12])},
                apart=True,
                draws=100,
            )
        ),
        "bare": leaderboard_report(Board.make(strengths, unit="battle")),
    }


@pytest.mark.parametrize("kind", ["plain", "hostile", "gaps", "few", "apart", "bare"])
def test_the_page_opens_without_a_fault_and_fits_every_screen(
    pages: dict[str, str], open_report: Any, kind: str
) -> None:
    for width, scheme in ((390, "dark"), (768, "light"), (1280, "light")):
        page = open_report(pages[kind], width=width, scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("h2").count() >= 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault(pages: dict[str, str], open_report: Any, scheme: str) -> None:
    assert find_violations(open_report(pages["hostile"], scheme=scheme)) == []


def test_the_page_says_what_the_board_says(pages: dict[str, str]) -> None:
    board = board_of(NAMES, [f"t{t}" for t in range(15)])
    page = pages["plain"]
    for section in ("The board", "Groups", "Who is better than whom", "Four ways to count", "What each task does"):
        assert f">{section}</h2>" in page
    assert board.findings[0] in page
    assert "If a missing score counts as lost" in pages["gaps"]
    assert "Four ways" not in pages["bare"]
    assert ">Group 2</h2>" in pages["apart"]
    assert leaderboard_report(board, files=["scores.csv"]) == page


def test_hostile_names_are_text(pages: dict[str, str], open_report: Any) -> None:
    page = open_report(pages["hostile"])
    cells = page.locator("#s1 ~ figure details td bdi").evaluate_all("all => all.map((each) => each.textContent)")
    assert {clean(shorten(name)) for name in HOSTILE if name.strip()} <= set(cells)


def test_groups_are_laid_out_best_first_and_bars_span_their_members() -> None:
    layout = lay_out_groups(["a", "b", "c"], [3.0, 2.0, 0.0], [(0, 1), (2, 2)])
    x = [branch.x for branch in layout.branches]
    assert x == sorted(x)
    assert len(layout.bars) == 1
    start, end, _ = layout.bars[0]
    assert start <= x[0] <= x[1] <= end < x[2]
    assert [branch.is_left for branch in layout.branches] == [True, True, False]


def test_plots_have_the_same_bytes_each_time(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from stagg.report.charts.plots import render

    board = board_of(NAMES, [f"t{t}" for t in range(15)])
    names = []
    for (name, one), (_, other) in zip(board_plots(board, width="one"), board_plots(board, width="one"), strict=True):
        names.append(name)
        assert render(one, "svg") == render(other, "svg")
    assert names == ["ranks", "groups", "better"]


def test_the_heat_map_shows_probabilities_in_percent(open_report: Any) -> None:
    """It showed 2 P - 1 below the title P: -0.90 where the row is better in 5 % of the draws."""
    board = board_of(["a", "b", "c"], [f"t{t}" for t in range(9)])
    cells = open_report(leaderboard_report(board)).locator("table.matrix td").all_inner_texts()
    shown = [cell for cell in cells if cell.strip()]
    assert shown == [tell_probability(board.beats[i, j]) for i in range(3) for j in range(3) if i != j]


def test_names_in_plots_for_one_column_differ_and_do_not_overlap() -> None:
    pytest.importorskip("matplotlib")
    names = [f"some-organisation/model-{i:02}b-instruct-v2" for i in range(20)]
    figures = dict(board_plots(board_of(names, [f"t{t}" for t in range(15)]), width="one"))
    for name in ("ranks", "better"):
        labels = [label.get_text() for label in figures[name].axes[0].get_yticklabels()]
        assert len(set(labels)) == 20
    assert 1 in figures["ranks"].axes[0].get_xticks()
    figure = figures["groups"]
    figure.canvas.draw()
    axes = figure.axes[0]
    texts = [text for text in axes.texts if "…" in text.get_text()]
    assert len({text.get_text() for text in texts}) == 20
    left = sorted(text.get_window_extent().y0 for text in texts if text.get_ha() == "right")
    high = max(text.get_window_extent().height for text in texts)
    assert min(np.diff(left)) >= 0.9 * high


def test_the_page_says_which_of_its_figures_are_no_tests(pages: dict[str, str]) -> None:
    page = pages["plain"]
    assert "200 draws, which is no test" in page
    assert "pair by pair, and no test" in page
    assert "Models that share no group may not be told apart either" in page
    assert "apart by another procedure" in page
