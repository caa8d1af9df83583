"""The report of a reproduction: in a browser, and against the tables that it is made of."""

from __future__ import annotations

import csv
import dataclasses
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.paper.reproduced import all_parts
from tests.report.drawn import Chart, Mark, charts_of

from stagg.paper import Reproduction
from stagg.paper.files import facts_of, write_reproduction
from stagg.paper.layouts import grids
from stagg.paper.pages import reproduction_markdown, reproduction_report

COMMAND = "stagg reproduce --data '<script>alert(1)</script>' `x` ``y``"
DIRECTIONS = {"score": "large = top", "rank": "small = top"}
COLOURS = {"score": "c2", "rank": "c1"}


@pytest.fixture(scope="module")
def found() -> Reproduction:
    """Table 1 and all figures."""
    pytest.importorskip("tensorly", reason="the features 'cp' need tensorly")
    return all_parts()


@pytest.fixture(scope="module")
def report(found: Reproduction) -> str:
    return reproduction_report(found, facts_of(found, COMMAND))


@pytest.fixture(scope="module")
def folder(found: Reproduction, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that a run leaves."""
    out = tmp_path_factory.mktemp("out")
    write_reproduction(out, found, COMMAND)
    return out


# --- every figure against the CSV files -------------------------------------------------------------------------------


Row = dict[str, str]
Drawn = Iterator[tuple[str, float, float]]
"""(the chart, what the file says, where that is drawn)."""


def rows_of(folder: Path, stem: str, **values: str) -> list[Row]:
    with (folder / f"{stem}.csv").open(encoding="utf-8", newline="") as stream:
        return [row for row in csv.DictReader(stream) if all(row[key] == value for key, value in values.items())]


def distinct(rows: list[Row], *keys: str) -> list[tuple[str, ...]]:
    return list(dict.fromkeys(tuple(row[key] for key in keys) for row in rows))


def dots(mark: Mark, rows: list[Row], number: str) -> Iterator[tuple[float, float]]:
    """The dots of a lane: the paper's ring, and one for each direction."""
    printed = rows[0].get("paper", "")
    assert all(row.get("paper", "") == printed for row in rows)
    assert mark.places("circle", "cx", "paper") == mark.places("circle", "cx", "paper")[: bool(printed)]
    if printed:
        yield float(printed), *mark.places("circle", "cx", "paper")
    for row in rows:
        [place] = mark.places("circle", "cx", COLOURS[row["values"]])
        assert f"{DIRECTIONS[row['values']]}: {float(row[number]):.4f}" in mark.tip
        yield float(row[number]), place


def lanes(chart: Chart, rows: list[Row], keys: tuple[str, ...], number: str) -> Drawn:
    names = distinct(rows, *keys)
    assert len(names) == len(chart.marks)
    for name, mark in zip(names, chart.marks, strict=True):
        mine = [row for row in rows if tuple(row[key] for key in keys) == name]
        assert mark.tip.split("\n")[0].endswith(f"{name[0]} ({name[1]})" if len(name) > 1 and name[1] else name[0])
        yield from ((chart.title, *pair) for pair in dots(mark, mine, number))


def table1(chart: Chart, folder: Path) -> Drawn:
    name, _, measure = chart.title.partition(": ")
    if measure.endswith(" of every ranker alone"):
        return lanes(chart, rows_of(folder, "table1-rankers", set=name), ("ranker",), "mean")
    return lanes(chart, rows_of(folder, "table1", set=name, measure=measure), ("row", "reading"), "ours")


def figure1(chart: Chart, folder: Path) -> Drawn:
    name, scenario, measure = re.fullmatch("(.*), (.*): (.*)", chart.title).groups()  # type: ignore[union-attr]
    rows = rows_of(folder, "figure1", set=name, scenario=scenario, measure=measure)
    return lanes(chart, rows, ("name",), "mean")


def supervised(stem: str) -> Callable[[Chart, Path], Drawn]:
    def drawn(chart: Chart, folder: Path) -> Drawn:
        measure, _, direction = chart.title.partition(":")[0].partition(", ")
        given = {"measure": measure, "values": next(key for key, name in DIRECTIONS.items() if name == direction)}
        if not chart.part:
            yield from means(chart, rows_of(folder, stem, **given))
            return
        rival = chart.part.removeprefix("St.Agg over ").removesuffix(" on the same features")
        rows = [row for row in rows_of(folder, f"{stem}-tests", **given) if row["against"].startswith(rival)]
        yield from gains(chart, rows)

    return drawn


def means(chart: Chart, rows: list[Row]) -> Drawn:
    marks = {mark.tip.partition(":")[0]: mark for mark in chart.marks}
    assert set(marks) == {row["name"] for row in rows}
    for row in rows:
        mark = marks[row["name"]]
        assert mark.tip.startswith(f"{row['name']}: {float(row['mean']):.4f}\n")
        [[start], [width]] = (mark.places("rect", key, "part") for key in ("x", "width"))
        yield chart.title, 0.0, start
        yield chart.title, float(row["mean"]), start + width
        yield chart.title, float(row["low"]), mark.places("line", "x1", "whisker")[0]
        yield chart.title, float(row["high"]), mark.places("line", "x2", "whisker")[0]


def gains(chart: Chart, rows: list[Row]) -> Drawn:
    assert len(rows) == len(chart.marks) == 6
    for row, mark in zip(rows, chart.marks, strict=True):
        numbers = f"{row['name']} {float(row['mean']):.4f} against {row['against']} {float(row['other']):.4f}\n"
        assert mark.tip.startswith(numbers)
        yield chart.title + chart.part, float(row["per cent"]), *mark.places("circle", "cx", "c1")
        yield chart.title + chart.part, float(row["per cent low"]), *mark.places("line", "x1", "interval")
        yield chart.title + chart.part, float(row["per cent high"]), *mark.places("line", "x2", "interval")
        yield chart.title + chart.part, 0.0, *mark.places("line", "x1", "axis")
        assert len(mark.places("circle", "cx", "paper")) == bool(row["paper per cent"])
        if row["paper per cent"]:
            yield chart.title + chart.part, float(row["paper per cent"]), *mark.places("circle", "cx", "paper")


def figure4(chart: Chart, folder: Path) -> Drawn:
    name, direction, against = re.fullmatch("(.*), (.*): ndcg@5(.*)", chart.title).groups()  # type: ignore[union-attr]
    rows = rows_of(folder, "figure4-paired" if against else "figure4", set=name)
    assert {DIRECTIONS[row["values"]] for row in rows} == {direction}
    assert len(rows) == len(chart.marks)
    for row, mark in zip(rows, chart.marks, strict=True):
        line = f"{row['row']} ({row['reading']})" if row["reading"] else row["row"]
        assert mark.tip.startswith(f"{line}, {row['rankers']} rankers: ")
        mean, sd = float(row["mean"]), float(row["sd"])
        for value, places in (
            (mean, mark.places("circle", "cy")),
            (mean - sd, mark.places("line", "y1")),
            (mean + sd, mark.places("line", "y2")),
        ):
            yield chart.title, value, *places


FIGURES: dict[str, Callable[[Chart, Path], Drawn]] = {
    "Table 1": table1,
    "Figure 1": figure1,
    "Figure 2": supervised("figure2"),
    "Figure 3": supervised("figure3"),
    "Figure 4": figure4,
}


def check(page: str, folder: Path) -> dict[str, int]:
    """Whether every chart draws what its file says, on one scale; the number of charts of each figure."""
    counts = dict.fromkeys(FIGURES, 0)
    for chart in charts_of(page):
        stem = chart.section.partition(":")[0]
        counts[stem] += 1
        pairs = [(value, place) for _, value, place in FIGURES[stem](chart, folder)]
        values, places = np.array(pairs).T
        slope, start = np.polyfit(values, places, 1)
        assert abs(slope) > 0
        assert np.abs(start + slope * values - places).max() < 0.05, chart.title  # per cent of the width, or pixels
    return counts


def test_every_figure_draws_what_its_csv_file_holds(report: str, folder: Path) -> None:
    assert check(report, folder) == {"Table 1": 10, "Figure 1": 16, "Figure 2": 9, "Figure 3": 9, "Figure 4": 4}


@pytest.mark.parametrize(
    ("file", "column"),
    [
        ("table1", "ours"), ("table1", "paper"), ("table1-rankers", "mean"), ("figure1", "mean"), ("figure2", "mean"),
        ("figure2", "low"), ("figure2-tests", "per cent"), ("figure2-tests", "paper per cent"),
        ("figure3-tests", "mean"), ("figure4", "mean"), ("figure4", "sd"), ("figure4-paired", "mean"),
    ],
)  # fmt: skip
def test_a_number_that_is_not_the_drawn_one_is_noticed(
    report: str, folder: Path, tmp_path: Path, file: str, column: str
) -> None:
    for path in folder.glob("*.csv"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    rows = rows_of(folder, file)
    wrong = next(row for row in reversed(rows) if row[column] and row.get("against") != "CPS")  # which is not drawn
    wrong[column] = str(float(wrong[column]) * 1.05 + 0.01)
    with (tmp_path / f"{file}.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(wrong))
        writer.writeheader()
        writer.writerows(rows)
    with pytest.raises(AssertionError):
        check(report, tmp_path)


def test_every_number_of_the_text_stands_in_a_csv_file(found: Reproduction, folder: Path) -> None:
    for part in found.parts:
        cells = [cell for stem in part.result.tables for row in rows_of(folder, stem) for cell in row.values()]
        known = {f"{abs(float(cell)):.4f}" for cell in cells if re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", cell)}
        said = " ".join([*part.result.why, *[line for claim in part.result.claims for line in claim.here]])
        ours = set(re.findall(r"(?<![\d.])0\.\d{4}(?!\d)", said))
        derived = set(re.findall(r"\((0\.\d{4})\)|difference is (0\.\d{4})", said))
        assert ours - {number for pair in derived for number in pair} <= known


# --- in a browser -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_opens_without_a_fault_and_fits_a_phone(report: str, open_report: Any, width: int, scheme: str) -> None:
    page = open_report(report, width=width, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    spans = page.evaluate(
        "() => [...document.querySelectorAll('.bars')].map((chart) => new Set("
        "  [...chart.querySelectorAll('svg.lane')].map((lane) => Math.round(lane.getBoundingClientRect().width))).size)"
    )
    assert len(spans) == 10 + 16 + 9 + 9
    assert set(spans) == {1}  # the axis is as wide as the lanes above it
    assert "<script>alert(1)</script>" in page.locator("footer").inner_text()


def test_every_chart_says_what_it_is_and_its_colours_have_names(report: str, open_report: Any) -> None:
    page = open_report(report)
    labels = page.locator(".marks").evaluate_all("all => all.map((each) => each.getAttribute('aria-label'))")
    assert len(set(labels)) == len(labels) == 10 + 16 + 9 + 9 + 4
    assert all(labels)
    legends = page.locator("figure:has(.marks) .legend").evaluate_all("all => all.map((each) => each.innerText)")
    assert {"large = top", "RankAgg", "St.Agg_RRF (absent loses)"} <= {
        line for each in legends for line in each.split("\n")
    }


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


def test_a_bar_and_a_gain_tell_what_was_tested(report: str, open_report: Any) -> None:
    page = open_report(report)
    bars = page.locator("figure", has=page.get_by_role("heading", name="ndcg@10, small = top", exact=True)).first
    bars.locator("[data-tip]").nth(5).hover()
    assert re.match(
        r"St\.Agg\(Ψ_MF\): 0\.\d{4}\n95 %: .*\n.* against RankAgg\(Ψ_MF\), p = ", page.locator("#tip").inner_text()
    )
    gained = page.locator(
        "figure", has=page.get_by_role("heading", name="ndcg@10, small = top: what St.Agg gains")
    ).first
    gained.locator("[data-tip]").nth(1).focus()
    assert page.locator("#tip").inner_text().endswith("the paper: +4.6 %")


def test_the_tables_unfold_and_hold_every_row(report: str, open_report: Any) -> None:
    page = open_report(report)
    summary = page.get_by_text("MQ2007-agg: the nine rows")
    assert not page.locator("details table").first.is_visible()
    summary.focus()
    page.keyboard.press("Enter")
    table = page.locator("details table").first
    assert table.locator("tbody tr").count() == 27
    assert table.locator("tbody tr").first.inner_text().split("\t")[:3] == ["BestInput", "the paper", "0.3158"]


def test_on_paper_there_are_no_empty_boxes(report: str, open_report: Any) -> None:
    page = open_report(report, width=720)
    page.emulate_media(media="print")
    heights = page.locator("figure").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect().height).filter((height) => height > 0)"
    )
    assert len(heights) == 10 + 16 + 12 + 4 + 6  # the charts (gains share one figure), and what is said of each
    assert min(heights) > 60


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
    some = dataclasses.replace(found, setup=dataclasses.replace(found.setup, every=10))
    for text in (reproduction_report(some, {}), reproduction_markdown(some, {})):
        assert 0 < text.index("Every 10th query only") < text.index("St.Agg_BC is 79.7 %")


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
    assert re.search(r"\*\*The paper:\*\* NDCG@5 of St.Agg keeps above .* \*\*Here:\*\* (Holds|Does not hold)", text)
    assert text.count("**Why they differ**") == len(found.parts)
    assert "The numbers: figure4.csv, figure4-paired.csv, figure4-draws.csv." in text
    assert f"- Command: ``` {COMMAND} ```" in text
    assert "| St.Agg\\_BC" in text


def test_the_same_answers_give_the_same_page(found: Reproduction, report: str) -> None:
    assert reproduction_report(found, facts_of(found, COMMAND)) == report
