"""The figures of a reproduction as static plots: all of them, with the numbers of the tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.paper.reproduced import all_parts

from stagg.paper import Reproduction
from stagg.paper.figures import reproduction_plots
from stagg.report.plots import write_plots

pytest.importorskip("matplotlib", reason='matplotlib is not installed: pip install "stagg[plots]"')
pytest.importorskip("tensorly", reason="the features 'cp' need tensorly")


@pytest.fixture(scope="module")
def found() -> Reproduction:
    return all_parts()


@pytest.fixture(scope="module")
def figures(found: Reproduction) -> dict[str, Any]:
    return dict(reproduction_plots(found))


def test_every_table_and_figure_of_the_paper_has_its_plots(figures: dict[str, Any]) -> None:
    counts = [sum(name.startswith(stem) for name in figures) for stem in ("table1", "figure1", "figure2", "figure3")]
    assert counts == [2, 4, 1, 1]
    assert [name for name in figures if name.startswith("figure4")] == [
        "figure4-MQ2007-agg-small-top",
        "figure4-MQ2008-agg-small-top",
        "figure4-paired-MQ2007-agg-small-top",
        "figure4-paired-MQ2008-agg-small-top",
    ]


def test_they_show_the_numbers_of_the_tables(found: Reproduction, figures: dict[str, Any]) -> None:
    table1, _, figure2, _, figure4 = (part.result.tables for part in found.parts)
    rows = [row for row in table1["table1"].rows if (row["set"], row["measure"]) == ("MQ2008-agg", "err")]
    large, small, paper = figures["table1-MQ2008-agg"].axes[2].lines
    assert large.get_xdata().tolist() == [row["ours"] for row in rows if row["values"] == "score"]
    assert small.get_xdata().tolist() == [row["ours"] for row in rows if row["values"] == "rank"]
    assert paper.get_xdata().tolist() == [row["paper"] for row in rows if row["paper"] is not None]
    means = {row["name"]: row["mean"] for row in figure2["figure2"].rows if row["measure"] == "ndcg@10"}
    widths = [bar.get_width() for bar in figures["figure2-small-top"].axes[0].patches]
    assert sorted(widths) == sorted(means.values())
    drawn = figures["figure4-MQ2007-agg-small-top"].axes[0].containers
    lines = [row["mean"] for row in figure4["figure4"].rows if row["set"] == "MQ2007-agg"]
    assert [y for each in drawn for y in each[0].get_ydata()] == lines


def test_the_same_bytes_come_twice(found: Reproduction, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        some = [(name, figure) for name, figure in reproduction_plots(found) if name.endswith("2008-agg")]
        assert write_plots(some, tmp_path / folder) == 2
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()
