"""The report of a reproduction: in a browser, and against the tables that it is made of."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.paper.reproduced import all_parts, rows_of, write_all_tables

from stagg.paper import Reproduction
from stagg.paper.output.folder import state_facts
from stagg.paper.output.printed_tables import lay_out_table
from stagg.paper.output.reproduction_page import make_markdown, make_page

COMMAND = "stagg reproduce --data '<script>alert(1)</script>' `x` ``y``"


@pytest.fixture(scope="module")
def found() -> Reproduction:
    """Table 1 and all figures."""
    pytest.importorskip("tensorly", reason="the features 'cp' need tensorly")
    return all_parts()


@pytest.fixture(scope="module")
def report(found: Reproduction) -> str:
    return make_page(found, state_facts(found, COMMAND))


@pytest.fixture(scope="module")
def folder(found: Reproduction, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables that a run leaves."""
    return write_all_tables(tmp_path_factory.mktemp("out"), found)


def test_every_number_of_the_text_stands_in_a_csv_file(found: Reproduction, folder: Path) -> None:
    for part in found.parts:
        cells = [cell for stem in part.result.tables for row in rows_of(folder, stem) for cell in row.values()]
        known = {f"{abs(float(cell)):.4f}" for cell in cells if re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", cell)}
        said = " ".join([*part.result.why, *[line for claim in part.result.claims for line in claim.here]])
        ours = set(re.findall(r"(?<![\d.])0\.\d{4}(?!\d)", said))
        derived = set(re.findall(r"\((0\.\d{4})\)|difference is (0\.\d{4})", said))
        assert ours - {number for pair in derived for number in pair} <= known


# --- in a browser -----------------------------------------------------------------------------------------------------

FIGURES = 4 + 4 + 3 + 3 + 4  # of Table 1 and of Figures 1 to 4


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_opens_without_a_fault_and_fits_a_phone(report: str, open_report: Any, width: int, scheme: str) -> None:
    page = open_report(report, width=width, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("svg.plot").count() == FIGURES
    assert "<script>alert(1)</script>" in page.locator("footer").inner_text()


def test_every_figure_has_a_name_and_its_text_is_text(report: str, open_report: Any) -> None:
    page = open_report(report)
    labels = page.locator("[role=group]:has(svg.plot)").evaluate_all(
        "all => all.map((each) => each.getAttribute('aria-label'))"
    )
    assert len(set(labels)) == len(labels) == FIGURES
    said = set(page.locator("svg.plot text").evaluate_all("all => all.map((each) => each.textContent)"))
    assert {"large number = top", "file order", "the paper", "RankAgg", "St.Agg_RRF (absent loses)", "ndcg@5"} <= said


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_marks_stand_out_from_the_card(report: str, open_report: Any, scheme: str) -> None:
    page = open_report(report, scheme=scheme)
    colours = page.evaluate(
        "() => { const all = (selector, key) => [...new Set("
        "    [...document.querySelectorAll(selector)].map((each) => getComputedStyle(each)[key]))];"
        "  return {card: all('figure', 'backgroundColor'), text: all('svg.plot text', 'fill'),"
        "          marks: ['fill', 'stroke'].flatMap((key) =>"
        "            all(`svg.plot [${key}*='var(']:not([${key}*='--grid'])`, key))}; }"
    )
    [card] = map(luminance, colours["card"])
    assert all(contrast(luminance(each), card) > 7 for each in colours["text"])
    assert len(colours["marks"]) > 8
    assert all(contrast(luminance(each), card) > 2 for each in colours["marks"])


def luminance(colour: str) -> float:
    """Relative luminance of "rgb(r, g, b)" (WCAG 2)."""
    shares = [int(each) / 255 for each in re.findall(r"\d+", colour)[:3]]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in shares]
    return sum(weight * each for weight, each in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def test_table_1_lies_open_and_the_other_tables_unfold(report: str, open_report: Any) -> None:
    page = open_report(report)
    nearest = page.locator("details table").first
    assert nearest.is_visible()
    assert nearest.locator("tbody tr").first.inner_text().split("\t")[:2] == ["BestInput, the paper", "0.3158"]
    assert nearest.locator("tbody tr").count() == 27
    rows = page.locator("details", has=page.get_by_text("MQ2007-agg: the nine rows")).locator("table")
    assert not rows.is_visible()
    page.get_by_text("MQ2007-agg: the nine rows").focus()
    page.keyboard.press("Enter")
    assert rows.locator("tbody tr").count() == 29  # the paper and two directions; file order for two rows
    assert rows.locator("tbody tr").first.inner_text().split("\t")[:2] == ["BestInput", "the paper"]


def test_on_paper_nothing_scrolls_and_there_are_no_empty_boxes(report: str, open_report: Any) -> None:
    page = open_report(report, width=720)
    page.emulate_media(media="print")
    heights = page.locator("figure").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect().height).filter((height) => height > 0)"
    )
    assert len(heights) == FIGURES + 6 + 2  # what is said at the top and of each experiment, and Table 1
    assert min(heights) > 60
    page.locator("details").evaluate_all("all => all.forEach((each) => { each.open = true; })")
    widths = page.locator(".scroll").evaluate_all("all => all.map((each) => each.scrollWidth - each.clientWidth)")
    assert max(widths) <= 0


# --- what it says -----------------------------------------------------------------------------------------------------


def test_every_claim_has_its_verdict_at_the_top_and_reasons_below(found: Reproduction, report: str) -> None:
    for part in found.parts:
        assert part.result.why
        for claim in part.result.claims:
            assert len(claim.holds) <= len(claim.here)
            word = {True: "yes", False: "no"}.get(all(claim.holds)) if len(set(claim.holds)) == 1 else "partly"
            assert not claim.holds or f'<p class="verdict {word}">{claim.verdict}</p>' in report
    assert report.count('class="verdict') == 2 * sum(bool(c.holds) for p in found.parts for c in p.result.claims)
    assert report.count("Why they differ") == len(found.parts)


def test_a_part_of_the_queries_is_said_first(found: Reproduction) -> None:
    some = dataclasses.replace(found, setup=dataclasses.replace(found.setup, every=10), parts=found.parts[:1])
    for text in (make_page(some, {}), make_markdown(some, {})):
        assert 0 < text.index("Every 10th query only") < text.index("St.Agg_BC is 79.7 %")


def test_the_difference_to_the_paper_is_never_hidden(found: Reproduction) -> None:
    result = found.parts[0].result
    tables = dict(lay_out_table(result))
    assert [caption for caption, _ in lay_out_table(result, short=True)] == list(tables)[:2]
    for grid in list(tables.values())[:2]:  # three lines for each row: the paper, the nearest reading, the difference
        lines = [[number(cell.text) for cell in line[1:]] for line in grid.cells]
        assert len(lines) == 27
        assert np.allclose(np.subtract(lines[1::3], lines[::3]), lines[2::3], atol=1.01e-4)
    shown = {line[0].text: line for _, grid in list(tables.items())[2:6] for line in grid.cells}
    assert {"BestInput", "MPM (own items only)", "St.Agg_RRF (absent loses)", "RRF (C = 10 and 5)"} <= set(shown)
    grid = tables["MQ2008-agg: the nine rows as the paper describes them"]
    ours = [line for line in grid.cells if line[1].text != "the paper"]
    assert len(ours) == 20
    assert all(re.fullmatch(r"0\.\d{4} [+−]?0\.\d{4}", cell.text) for line in ours for cell in line[2:6])


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def test_markdown_has_claims_tables_and_how_it_was_made(found: Reproduction) -> None:
    text = make_markdown(found, state_facts(found, COMMAND))
    assert "## Table 1: unsupervised methods" in text
    assert re.search(r"\*\*The paper:\*\* NDCG@5 of St.Agg keeps above .* \*\*Here:\*\* (Holds|Does not hold)", text)
    assert text.count("**Why they differ**") == len(found.parts)
    assert "The numbers: figure4.csv, figure4-paired.csv, figure4-draws.csv." in text
    assert f"- Command: ``` {COMMAND} ```" in text
    assert "| St.Agg\\_BC" in text


def test_the_same_answers_give_the_same_page(found: Reproduction, report: str) -> None:
    assert make_page(found, state_facts(found, COMMAND)) == report
