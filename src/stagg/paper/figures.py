"""The figures of a reproduction as static plots: the paper's figures beside ours, for slides and papers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stagg.paper import Reproduction, Result
from stagg.paper.layouts import distinct, titled, where
from stagg.paper.views import DIRECTIONS
from stagg.report.plots import BLUE, GREY, ORANGE, PALETTE, ROW, WIDTH, _label_rows, _legend, _plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["reproduction_plots"]

COLOURS = {"score": ORANGE, "rank": BLUE}
LEARNERS = {"RankAgg": ORANGE, "St.Agg": BLUE}

Row = dict[str, Any]
Rows = Sequence[Row]
Plots = Iterator[tuple[str, "Figure"]]


def reproduction_plots(found: Reproduction) -> Plots:
    """(name, figure) of every figure: a panel for each measure."""
    for part in found.parts:
        yield from _PLOTS[part.result.name](part.result)


def _table1(result: Result) -> Plots:
    rows = result.tables["table1"].rows
    for name in distinct(rows, "set"):
        lanes = [
            row | {"name": titled(row["row"], row["reading"]), "mean": row["ours"]} for row in where(rows, set=name)
        ]
        yield f"table1-{name}", _dots(lanes, f"Table 1, {name}")


def _figure1(result: Result) -> Plots:
    rows = result.tables["figure1"].rows
    for name, scenario in distinct(rows, "set", "scenario"):
        mine = where(rows, set=name, scenario=scenario)
        lanes = [row | {"name": f"{row['name']}, {row['group']}"} for row in mine]
        yield f"figure1-{name}-{scenario}", _dots(lanes, f"Figure 1, {name}, {scenario}")


def _supervised(result: Result) -> Plots:
    rows = result.tables[result.name].rows
    for values in distinct(rows, "values"):
        title = f"{result.title}, {DIRECTIONS[values]}"
        yield f"{result.name}-{DIRECTIONS[values].replace(' = ', '-')}", _bars(where(rows, values=values), title)


def _figure4(result: Result) -> Plots:
    for stem, said in (("figure4", ""), ("figure4-paired", ", against BordaCount")):
        rows = result.tables[stem].rows
        for name, values in distinct(rows, "set", "values"):
            title = f"Figure 4, {name}, {DIRECTIONS[values]}{said}"
            file = f"{stem}-{name}-{DIRECTIONS[values].replace(' = ', '-')}"
            yield file, _lines(where(rows, set=name, values=values), title)


_PLOTS: Mapping[str, Callable[[Result], Plots]] = {
    "table1": _table1,
    "figure1": _figure1,
    "figure2": _supervised,
    "figure3": _supervised,
    "figure4": _figure4,
}


@_plot
def _dots(rows: Rows, title: str) -> Figure:
    """Lanes of dots, a panel for each measure: a ring is the paper's figure."""
    names = distinct(rows, "name")
    figure, panels = _panels(distinct(rows, "measure"), len(names), title)
    for measure, axes in panels.items():
        mine = where(rows, measure=measure)
        for values in distinct(mine, "values"):
            x = [row["mean"] for row in where(mine, values=values)]
            axes.plot(x, range(len(names)), "o", color=COLOURS[values], markersize=4, label=DIRECTIONS[values])
        printed = [(row["paper"], names.index(row["name"])) for row in mine if row["paper"] is not None]
        if printed:
            axes.plot(*np.array(printed).T, "o", label="the paper", ms=8, mfc="none", mec="#1b2430")
        axes.grid(axis="x", color="#e9edf1")
    _label_rows(next(iter(panels.values())), names)
    _legend(figure, next(iter(panels.values())))
    return figure


@_plot
def _bars(rows: Rows, title: str) -> Figure:
    """Groups of bars with 95 % intervals, a panel for each measure; dashed: θ-MPM."""
    maps = [name[len("St.Agg(") : -1] for name in distinct(rows, "name") if name.startswith("St.Agg")]
    figure, panels = _panels(distinct(rows, "measure"), 2 * len(maps) + 2, title)
    for measure, axes in panels.items():
        mine = {row["name"]: row for row in where(rows, measure=measure)}
        places = np.arange(len(maps)) + 2
        for shift, (kind, colour) in zip((-0.19, 0.19), LEARNERS.items(), strict=True):
            _bar(axes, places + shift, [mine[f"{kind}({psi})"] for psi in maps], 0.36, colour, kind)
        _bar(axes, np.arange(2), [mine["CPS"], mine["θ-MPM"]], 0.36, GREY, "implicit")
        axes.axvline(mine["θ-MPM"]["mean"], color=GREY, linestyle="--", linewidth=0.8)
    _label_rows(next(iter(panels.values())), ["CPS", "θ-MPM", *maps])
    _legend(figure, next(iter(panels.values())))
    return figure


def _bar(axes: Axes, places: Any, rows: Rows, height: float, colour: str, label: str) -> None:
    spread = np.array([[row["mean"] - row["low"], row["high"] - row["mean"]] for row in rows]).T
    means, error = [row["mean"] for row in rows], np.maximum(spread, 0.0)
    axes.barh(places, means, height=height, xerr=error, color=colour, alpha=0.7, label=label,
              error_kw={"elinewidth": 0.8, "capsize": 2})  # fmt: skip


@_plot
def _lines(rows: Rows, title: str) -> Figure:
    """Lines over the number of rankers, one standard deviation of the draws up and down."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, 4.2))
    axes = figure.subplots()
    lines = distinct(rows, "row", "reading")
    for number, (row, reading) in enumerate(lines):
        mine = where(rows, row=row, reading=reading)
        x = np.array([each["rankers"] for each in mine]) + (number - (len(lines) - 1) / 2) * 0.15
        dashes = "-" if number < len(PALETTE) else "--"
        y, sd = [each["mean"] for each in mine], [each["sd"] for each in mine]
        axes.errorbar(
            x, y, sd, fmt=f"o{dashes}", label=titled(row, reading), markersize=4, linewidth=1.2, elinewidth=0.7
        )
    axes.set_xticks(distinct(rows, "rankers"))
    axes.set_xlabel("rankers")
    axes.set_ylabel(rows[0]["measure"])
    axes.set_title(title)
    _legend(figure, axes)
    return figure


def _panels(measures: Sequence[str], rows: int, title: str) -> tuple[Figure, dict[str, Axes]]:
    """Panels side by side that share their rows."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(1.4 + 2.1 * len(measures), 1.1 + ROW * max(rows, 4)))
    panels = dict(zip(measures, figure.subplots(1, len(measures), sharey=True, squeeze=False)[0], strict=True))
    for measure, axes in panels.items():
        axes.set_title(measure)
    figure.suptitle(title, fontsize=10)
    return figure, panels
