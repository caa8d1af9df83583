"""The figures of a reproduction: every mark that matplotlib draws, read back and compared with the CSV files."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.paper.reproduced import all_parts, rows_of, write_all_tables

from stagg.paper import Reproduction
from stagg.paper.output.embedding import embed
from stagg.paper.output.figures import Drawing, draw_figures
from stagg.paper.output.folder import list_plots
from stagg.paper.views import ORDERS
from stagg.report.charts.plots import write_plots

pytest.importorskip("matplotlib", reason='matplotlib is not installed: pip install "stagg[plots]"')
pytest.importorskip("tensorly", reason="the features 'cp' need tensorly")

Row = dict[str, str]
Marks = dict[tuple[str, str, str], tuple[float, ...]]
"""(panel, series, lane): a value, and the ends of its interval where it has one."""


@pytest.fixture(scope="module")
def found() -> Reproduction:
    """Table 1 and all figures."""
    return all_parts()


@pytest.fixture(scope="module")
def drawings(found: Reproduction) -> dict[str, Drawing]:
    return {drawing.name: drawing for part in found.parts for drawing in draw_figures(part.result)}


@pytest.fixture(scope="module")
def folder(found: Reproduction, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables that a run leaves."""
    return write_all_tables(tmp_path_factory.mktemp("out"), found)


# --- what is drawn ----------------------------------------------------------------------------------------------------


def lanes_of(figure: Any) -> list[str]:
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def dots_of(figure: Any) -> Marks:
    """The dots and rings of every panel."""
    lanes = lanes_of(figure)
    return {
        (axes.get_title(loc="left"), line.get_label(), lanes[int(y)]): (x,)
        for axes in figure.axes
        for line in axes.lines
        if not line.get_label().startswith("_")
        for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
    }


def bars_of(figure: Any) -> Marks:
    """The bars of every panel with their whiskers, and its dashed line."""
    lanes, marks = lanes_of(figure), Marks()
    for axes in figure.axes:
        panel = axes.get_title(loc="left")
        for bars in (each for each in axes.containers if each.get_label() and hasattr(each, "patches")):
            whiskers = bars.errorbar.lines[2][0].get_segments()
            for bar, ends in zip(bars.patches, whiskers, strict=True):
                assert bar.get_x() == 0
                middle = bar.get_y() + bar.get_height() / 2
                assert ends[:, 1] == pytest.approx([middle] * 2)
                marks[panel, bars.get_label(), lanes[round(middle)]] = (bar.get_width(), *ends[:, 0])
        [dashed] = [line for line in axes.lines if line.get_linestyle() == "--"]
        marks[panel, "dashed", ""] = (dashed.get_xdata()[0],)
    return marks


def intervals_of(figure: Any) -> Marks:
    """The dots of every panel with their whiskers, which lie across, and the rings."""
    lanes, marks = lanes_of(figure), Marks()
    for axes in figure.axes:
        panel = axes.get_title(loc="left")
        [errors] = axes.containers
        whiskers = errors.lines[2][0].get_segments()
        for x, y, ends in zip(*errors.lines[0].get_data(), whiskers, strict=True):
            marks[panel, "here", lanes[int(y)]] = (x, *ends[:, 0])
        for line in (line for line in axes.lines if line.get_label() == "the paper"):
            marks |= {(panel, "the paper", lanes[int(y)]): (x,) for x, y in zip(*line.get_data(), strict=True)}
    return marks


def curves_of(figure: Any) -> Marks:
    """The points of every curve with their whiskers, which stand upright; x is near the number of rankers."""
    [axes] = figure.axes
    marks = Marks()
    for errors in axes.containers:
        whiskers = errors.lines[2][0].get_segments()
        for x, y, ends in zip(*errors.lines[0].get_data(), whiskers, strict=True):
            size = min(axes.get_xticks(), key=lambda tick: abs(tick - x))
            marks[axes.get_ylabel(), errors.get_label(), f"{size:g}"] = (y, *ends[:, 1])
    return marks


# --- what the files hold ----------------------------------------------------------------------------------------------


def named(row: Row) -> str:
    return f"{row['row']} ({row['reading']})" if row["reading"] else row["row"]


def dotted(rows: list[Row], lane: Any, number: str) -> Marks:
    marks = {(row["measure"], ORDERS[row["values"]], lane(row)): (float(row[number]),) for row in rows}
    return marks | {(r["measure"], "the paper", lane(r)): (float(r["paper"]),) for r in rows if r.get("paper")}


def barred(rows: list[Row]) -> Marks:
    marks = Marks()
    for row in rows:
        kind, _, psi = row["name"].removesuffix(")").partition("(")
        series, lane = (kind, psi) if psi else ("implicit", kind)
        marks[row["measure"], series, lane] = tuple(float(row[key]) for key in ("mean", "low", "high"))
        if kind == "θ-MPM":
            marks[row["measure"], "dashed", ""] = (float(row["mean"]),)
    return marks


def gained(rows: list[Row]) -> Marks:
    keys = ("per cent", "per cent low", "per cent high")
    lane = {row["name"]: row["name"].removeprefix("St.Agg(")[:-1] for row in rows}
    marks = {(row["measure"], "here", lane[row["name"]]): tuple(float(row[key]) for key in keys) for row in rows}
    stated = [row for row in rows if row["paper per cent"]]
    return marks | {(r["measure"], "the paper", lane[r["name"]]): (float(r["paper per cent"]),) for r in stated}


def curved(rows: list[Row]) -> Marks:
    marks = Marks()
    for row in rows:
        mean, sd = float(row["mean"]), float(row["sd"])
        marks[row["measure"], named(row), row["rankers"]] = (mean, mean - sd, mean + sd)
    return marks


def held(folder: Path) -> Iterator[tuple[str, Callable[[Any], Marks], Marks]]:
    """(figure, how to read it, what its file holds); these figures are all there are."""
    for name in ("MQ2007-agg", "MQ2008-agg"):
        rows = rows_of(folder, "table1", set=name)
        yield f"table1-{name}", dots_of, dotted(rows, named, "ours")
        rankers = rows_of(folder, "table1-rankers", set=name)
        yield f"table1-rankers-{name}", dots_of, dotted(rankers, lambda row: f"ranker {row['ranker']}", "mean")
        for scenario in ("unsupervised", "supervised"):
            rows = rows_of(folder, "figure1", set=name, scenario=scenario)
            lane = lambda row: f"{row['name']}, {row['group']}"  # noqa: E731
            yield f"figure1-{name}-{scenario}", dots_of, dotted(rows, lane, "mean")
        for stem in ("figure4", "figure4-paired"):
            yield f"{stem}-{name}-small-top", curves_of, curved(rows_of(folder, stem, set=name))
    for stem in ("figure2", "figure3"):
        yield f"{stem}-small-top", bars_of, barred(rows_of(folder, stem))
        for file, rival in (("rankagg", "RankAgg"), ("theta-mpm", "θ-MPM")):
            rows = [row for row in rows_of(folder, f"{stem}-tests") if row["against"].startswith(rival)]
            yield f"{stem}-over-{file}-small-top", intervals_of, gained(rows)


def check(drawings: dict[str, Drawing], folder: Path) -> int:
    """Whether every figure draws what its file holds, no more and no less; how many marks there are."""
    expected = {name: (read(drawings[name].figure), marks) for name, read, marks in held(folder)}
    assert set(expected) == set(drawings)
    for name, (drawn, marks) in expected.items():
        assert drawn.keys() == marks.keys(), name
        for key, numbers in marks.items():
            assert np.allclose(drawn[key], numbers, rtol=0, atol=1e-9), (name, key)
    return sum(len(drawn) for drawn, _ in expected.values())


def test_every_mark_of_every_figure_is_what_its_csv_file_holds(drawings: dict[str, Drawing], folder: Path) -> None:
    assert check(drawings, folder) > 1000


@pytest.mark.parametrize(
    ("file", "column"),
    [
        ("table1", "ours"), ("table1", "paper"), ("table1-rankers", "mean"), ("figure1", "mean"), ("figure2", "mean"),
        ("figure2", "low"), ("figure2-tests", "per cent"), ("figure2-tests", "paper per cent"),
        ("figure3-tests", "per cent high"), ("figure4", "mean"), ("figure4", "sd"), ("figure4-paired", "mean"),
    ],
)  # fmt: skip
def test_a_number_that_is_not_the_drawn_one_is_noticed(
    drawings: dict[str, Drawing], folder: Path, tmp_path: Path, file: str, column: str
) -> None:
    for path in folder.glob("*.csv"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    rows = rows_of(folder, file)
    wrong = next(row for row in reversed(rows) if row[column] and row.get("against") != "CPS")  # which is not drawn
    wrong[column] = str(float(wrong[column]) * 1.001 + 0.0001)
    with (tmp_path / f"{file}.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(wrong))
        writer.writeheader()
        writer.writerows(rows)
    with pytest.raises(AssertionError):
        check(drawings, tmp_path)


# --- as files, and in a page ------------------------------------------------------------------------------------------


def test_the_same_bytes_come_twice(found: Reproduction, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        some = [(name, figure) for name, figure in list_plots(found) if name.endswith("2008-agg")]
        assert write_plots(some, tmp_path / folder) == 6
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_in_a_page_a_figure_has_text_and_the_colours_of_the_page_only(drawings: dict[str, Drawing]) -> None:
    pages = {name: embed(drawing) for name, drawing in drawings.items()}
    for name, text in pages.items():
        assert "style" not in text
        assert not re.search(r"#[0-9a-fA-F]{6}", text), name
        said = re.findall(r"<text[^>]*>([^<]*)</text>", text)
        assert set(lanes_of(drawings[name].figure)) <= set(said) or "figure4" in name
        assert f'aria-label="{drawings[name].title}"' in text
    ids = [each for text in pages.values() for each in re.findall(r' id="([^"]*)"', text)]
    assert len(set(ids)) == len(ids) > 0
    for text in pages.values():
        used = set(re.findall(r'(?:href="|url\()#([^")]*)', text))
        assert used <= set(re.findall(r' id="([^"]*)"', text))
