"""The comparison report: its charts hold the numbers of the table, query by query and mean by mean."""

from __future__ import annotations

import dataclasses
import html
import re
from pathlib import Path

import numpy as np
import pytest

import stagg
from stagg.data.simulation import simulate
from stagg.evaluation import Comparison, Table, compare, robustness
from stagg.report import comparison_report
from stagg.report.charts.svg import Bar, Column, Series, bars, columns, lines, matrix, ticks
from stagg.report.pages.comparison import MOST_COLUMNS
from tests.checks import some
from tests.report.hostile import SCRIPT

METHODS = ["borda", "rrf(c=60)", "stagg_rrf", "mc4"]


def compared(queries: int, methods: list[str] = METHODS) -> Comparison:
    made = simulate(queries=queries, items=12, rankers=5, quality=0.8, depth=8, seed=2)
    return compare(made.rankings, made.labels, methods, measures="ndcg@5,err")


@pytest.fixture(scope="module")
def found() -> Comparison:
    return compared(40)


@pytest.fixture(scope="module")
def drawn() -> Table:
    made = simulate(queries=10, items=12, rankers=5, seed=2)
    return robustness(made.rankings, made.labels, METHODS, rankers=[2, 4], draws=3, measures="ndcg@5,err")


def tips(text: str) -> list[str]:
    return [html.unescape(tip) for tip in re.findall(r'data-tip="([^"]*)"', text)]


def test_every_mean_and_interval_of_the_table_stands_in_the_charts(found: Comparison) -> None:
    told = "\n".join(tips(comparison_report(found)))
    for row in some(found.table.rows):
        assert f"{row['measure']} {row['mean']:.4f}\n95 %: {row['low']:.4f} to {row['high']:.4f}" in told
        if row["wins"] is not None:
            assert f"won {row['wins']}, tied {row['ties']}, lost {row['losses']}" in told


def test_every_query_has_a_column_against_the_baseline(found: Comparison) -> None:
    text = comparison_report(found)
    shown = [tip for tip in tips(text) if " against 0" in tip or " against 1" in tip]
    assert len(shown) == (len(METHODS) - 1) * 2 * 40
    for query, value, base in zip(found.queries, found.values[1, 0], found.values[0, 0], strict=True):
        assert any(f"\u2068{query}\u2069" in tip and f"{value:.4f} against {base:.4f}" in tip for tip in shown)
    wins = sum(row["wins"] for row in found.table.rows if row["wins"] is not None)
    assert text.count('class="won"') == wins


def test_many_queries_share_columns_and_the_page_stays_small() -> None:
    found = compared(3 * MOST_COLUMNS + 7)
    text = comparison_report(found)
    blocks = [re.findall(r"^(\d+) queries: ", tip) for tip in tips(text)]
    counts = [int(block[0]) for block in blocks if block]
    assert len(counts) == (len(METHODS) - 1) * 2 * MOST_COLUMNS
    assert sum(counts) == (len(METHODS) - 1) * 2 * len(found.queries)
    assert "Every column is a block of queries" in text
    assert len(text.encode()) < 300_000


def test_significance_is_marked() -> None:
    made = simulate(queries=60, items=15, rankers=9, quality=2.0, seed=1)
    bad = compare(made.rankings, made.labels, ["borda", "combmin(norm='rank')"], measures="ndcg@5")
    assert bad.table.rows[1]["p_holm"] < 0.05
    text = comparison_report(bad)
    assert '<span class="mark">▼</span>' in text
    assert "▼" in text.split("<h4>")[1].split("</h4>")[0]


def test_what_was_trained_on_the_tested_queries_is_marked_and_has_no_p() -> None:
    made = simulate(queries=40, items=12, rankers=5, quality=0.8, depth=8, seed=2)
    text = comparison_report(compare(made.rankings, made.labels, "borda", learners="L: best_input", measures="err"))
    assert "against the baseline, not comparable" in "\n".join(tips(text))
    assert "†: trained on the queries it is tested on" in text
    assert not re.search(r"\bp = [0-9]", text)
    assert "<dt>Absent items</dt>" in text


def test_the_whole_table_is_there(found: Comparison) -> None:
    noted = dataclasses.replace(found, table=dataclasses.replace(found.table, notes=("L: 3 of 5 folds", "a < b & 'c'")))
    text = comparison_report(noted)
    for grid in (found.table.grid(), found.details.grid()):
        for cell in some(cell for line in grid.cells for cell in line):
            assert f"<bdi>{html.escape(cell.text)}</bdi>" in text
    for note in noted.table.notes:
        assert html.escape(note) in text


def test_one_method_alone_has_a_report(found: Comparison) -> None:
    alone = comparison_report(compared(5, ["borda"]))
    assert "Query by query" not in alone
    assert "Query by query" in comparison_report(found)


def test_robustness_curves_hold_the_numbers_of_the_table(drawn: Table) -> None:
    told = "\n".join(tips(comparison_report(drawn)))
    for row in some(drawn.rows):
        assert f"{row['rankers']} rankers: {row['mean']:.4f}\nsd {row['sd']:.4f}" in told


def test_the_same_comparison_gives_the_same_bytes(found: Comparison, drawn: Table) -> None:
    assert comparison_report(found) == comparison_report(compared(40))
    assert comparison_report(drawn) == comparison_report(drawn)


def test_names_are_text_in_every_chart() -> None:
    charts = [
        bars([Bar(SCRIPT, 0.5, 0.4, 0.6, SCRIPT, SCRIPT, note=SCRIPT)], label=SCRIPT, reference=0.5),
        columns([Column(0.5, SCRIPT)], label=SCRIPT, extent=1.0),
        lines([Series(SCRIPT, [1], [0.5], [0.4], [0.6], [SCRIPT])], label=SCRIPT, across=SCRIPT),
        matrix([SCRIPT, SCRIPT], np.eye(2), label=SCRIPT),
    ]
    for chart in charts:
        assert "<script" not in chart
        assert "&lt;script&gt;" in chart


def test_charts_of_odd_numbers_can_be_drawn() -> None:
    """All alike, all zero, negative, one point, none: no division by zero, nothing that is not a number."""
    drawn = [
        bars([], label="none"),
        bars([Bar("zero", 0.0, 0.0, 0.0, "")], label="zero"),
        bars([Bar("minus", -0.5, -0.6, -0.4, ""), Bar("plus", 0.1, 0.0, 0.2, "")], label="both"),
        columns([], label="none", extent=0.0),
        columns([Column(0.0, "")], label="zero", extent=0.0),
        lines([Series("one", [5], [0.3], [0.3], [0.3], [""])], label="one", across="x"),
        matrix(["a", "b"], np.full((2, 2), np.nan), label="unknown"),
        matrix(["a"], np.zeros((1, 1)), label="one"),
    ]
    for chart in drawn:
        assert not re.search(r'"[^"]*(?:nan|inf)[^"]*"', chart)


def test_ticks_are_round_and_inside() -> None:
    for low, high in ((0, 1), (0.31, 0.4701), (-2, 3), (1, 1000), (0, 1e-9)):
        found = ticks(low, high, 5)
        assert 2 <= len(found) <= 11
        assert all(low <= tick <= high for tick in found)


def test_a_folder_of_the_package_holds_what_a_page_needs() -> None:
    folder = Path(stagg.__file__).parent / "report" / "assets"
    assert {"report.css", "report.js"} <= {path.name for path in folder.iterdir()}
