"""The report of a reproduction: in a browser, and against the tables that it is made of."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from stagg.evaluation.experiments import Reproduction, Setup, reproduce
from stagg.report.reproduction import reproduction_markdown, reproduction_report
from stagg.report.reproduction_files import facts_of
from stagg.report.reproduction_tables import grids
from tests.evaluation.letor_like import write_letor

COMMAND = "stagg reproduce --data '<script>alert(1)</script>' `x` ``y``"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    """Table 1 and Figure 4."""
    data = write_letor(tmp_path_factory.mktemp("data"), queries=2)
    return reproduce(Setup(str(data), draws=2), tmp_path_factory.mktemp("cache"), only=["table1", "figure4"], threads=0)


@pytest.fixture(scope="module")
def report(found: Reproduction) -> str:
    return reproduction_report(found, facts_of(found, COMMAND))


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_it_opens_without_a_fault_and_fits_a_phone(report: str, open_report: Any, width: int, scheme: str) -> None:
    page = open_report(report, width=width, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    lanes = page.locator(".bars").first.locator("svg.lane")
    spans = {round(lanes.nth(k).bounding_box()["width"]) for k in range(lanes.count())}
    assert len(spans) == 1  # the axis is as wide as the lanes above it
    assert "<script>alert(1)</script>" in page.locator("footer").inner_text()


def test_a_lane_tells_its_figures_to_the_mouse_and_to_the_keyboard(report: str, open_report: Any) -> None:
    page = open_report(report)
    chart = page.locator("figure", has=page.get_by_role("heading", name="MQ2007-agg: ndcg@5", exact=True)).locator(
        ".bars"
    )
    lane = chart.locator("svg.lane").nth(5)
    lane.hover()
    said = page.locator("#tip").inner_text()
    assert re.match(r"BordaCount\nthe paper: 0\.2325\nlarge = top: 0\.\d{4}, .0\.\d{4} against the paper\n", said)
    chart.locator("svg.lane").first.focus()
    page.keyboard.press("ArrowDown")
    assert page.locator("#tip").inner_text().startswith("MCLK\nthe paper: 0.2098")


def test_the_tables_unfold_and_hold_every_row(found: Reproduction, report: str, open_report: Any) -> None:
    page = open_report(report)
    summary = page.get_by_text("MQ2007-agg: the nine rows")
    assert not page.locator("details table").first.is_visible()
    summary.click()
    table = page.locator("details table").first
    assert table.locator("tbody tr").count() == 27
    assert table.locator("tbody tr").first.inner_text().split("\t")[:3] == ["BestInput", "the paper", "0.3158"]


def test_the_difference_to_the_paper_is_never_hidden(found: Reproduction) -> None:
    result = found.parts[0].result
    shown = {line[0].text: line for _, grid in grids(result) for line in grid.cells if len(line) == 7}
    assert {"BestInput", "MPM (own items only)", "St.Agg_RRF (absent loses)"} <= set(shown)
    for short in (False, True):
        grid = dict(grids(result, short=short))["MQ2008-agg: the nine rows"]
        ours = [line for line in grid.cells if line[1].text not in ("paper", "the paper")]
        assert len(ours) == 18
        assert all(re.fullmatch(r"0\.\d{4} [+−]?0\.\d{4}", cell.text) for line in ours for cell in line[2:6])


def test_markdown_has_claims_tables_and_how_it_was_made(found: Reproduction) -> None:
    text = reproduction_markdown(found, facts_of(found, COMMAND))
    assert "## Table 1: unsupervised methods" in text
    assert "**The paper:** NDCG@5 of St.Agg keeps above all other methods" in text
    assert f"- Command: ``` {COMMAND} ```" in text
    assert "| St.Agg\\_BC" in text


def test_the_same_answers_give_the_same_page(found: Reproduction, report: str, tmp_path: Path) -> None:
    assert reproduction_report(found, facts_of(found, COMMAND)) == report
