"""Figures of a reproduction, drawn by matplotlib: the paper's figures beside ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from stagg.paper.experiments.base import Result
from stagg.paper.rows import Rows, list_distinct, name_line, select
from stagg.paper.views import ORDERS
from stagg.report.charts.plots import BLUE, GREY, ORANGE, PALETTE, ROW, WIDTH, add_legend, apply_style, label_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["GRID", "INK", "Drawing", "draw_figures"]

INK, GRID = "#1b2430", "#e9edf1"
COLOURS = {"score": ORANGE, "rank": BLUE, "lines": PALETTE[2]}
LEARNERS = {"RankAgg": ORANGE, "St.Agg": BLUE}
RIVALS = {"RankAgg": "rankagg", "θ-MPM": "theta-mpm"}


class Drawing(NamedTuple):
    """A figure: the name of its files, its title, and what to read with it."""

    name: str
    title: str
    caption: str
    figure: Figure


def draw_figures(result: Result) -> Iterator[Drawing]:
    """Draw the figures of an experiment, a panel for each measure."""
    yield from _FIGURES[result.name](result)


def _draw_table1(result: Result) -> Iterator[Drawing]:
    rows = [row | {"name": name_line(row["row"], row["reading"]), "mean": row["ours"]}
            for row in result.tables["table1"].rows]  # fmt: skip
    rankers = [row | {"name": f"ranker {row['ranker']}"} for row in result.tables["table1-rankers"].rows]
    for name in list_distinct(rows, "set"):
        yield Drawing(f"table1-{name}", f"Table 1, {name}", RINGS, _draw_dots(select(rows, set=name)))
    for name in list_distinct(rankers, "set"):
        title = f"Table 1, {name}: every ranker alone"
        yield Drawing(f"table1-rankers-{name}", title, "", _draw_dots(select(rankers, set=name)))


def _draw_figure1(result: Result) -> Iterator[Drawing]:
    rows = [row | {"name": f"{row['name']}, {row['group']}"} for row in result.tables["figure1"].rows]
    for name, scenario in list_distinct(rows, "set", "scenario"):
        lanes = _draw_dots(select(rows, set=name, scenario=scenario))
        caption = RINGS if scenario == "unsupervised" else ""
        yield Drawing(f"figure1-{name}-{scenario}", f"Figure 1, {name}, {scenario}", caption, lanes)


def _draw_supervised(result: Result) -> Iterator[Drawing]:
    rows, tests = result.tables[result.name].rows, result.tables[f"{result.name}-tests"].rows
    for values, order in _list_orders(rows):
        title = f"{result.title}, {ORDERS[values]}"
        yield Drawing(f"{result.name}-{order}", title, BARS, _draw_bars(select(rows, values=values)))
        for rival, file in RIVALS.items():
            gains = [row for row in select(tests, values=values) if row["against"].startswith(rival)]
            name, said = f"{result.name}-over-{file}-{order}", f"{title}: St.Agg over {rival}"
            yield Drawing(name, said, GAINS, _draw_gains(gains))


def _draw_figure4(result: Result) -> Iterator[Drawing]:
    for stem, said in (("figure4", ""), ("figure4-paired", ", against BordaCount")):
        rows = result.tables[stem].rows
        for name in list_distinct(rows, "set"):
            for values, order in _list_orders(rows):
                title = f"Figure 4, {name}, {ORDERS[values]}{said}"
                lines = _draw_lines(select(rows, set=name, values=values))
                yield Drawing(f"{stem}-{name}-{order}", title, WHISKERS, lines)


def _list_orders(rows: Rows) -> list[tuple[str, str]]:
    """List the orders of the lists, each with its name in a file's name."""
    return [(values, ORDERS[values].replace(" number = ", "-")) for values in list_distinct(rows, "values")]


_FIGURES: Mapping[str, Callable[[Result], Iterator[Drawing]]] = {
    "table1": _draw_table1,
    "figure1": _draw_figure1,
    "figure2": _draw_supervised,
    "figure3": _draw_supervised,
    "figure4": _draw_figure4,
}
RINGS = "Rings: what the paper prints. Dots: what comes out here."
BARS = "Bars: means over all queries, with 95 % intervals. Dashed: θ-MPM."
GAINS = "Per cent, paired over queries, with 95 % intervals. Rings: what the paper states."
WHISKERS = "Means over the draws; the whiskers are one standard deviation of the draws."


@apply_style
def _draw_dots(rows: Rows) -> Figure:
    """Draw lanes of dots, one for each order of the lists; a ring is the paper's figure."""
    names = list_distinct(rows, "name")
    figure, panels = _make_panels(list_distinct(rows, "measure"), names)
    for measure, axes in panels.items():
        mine = select(rows, measure=measure)
        for values in list_distinct(mine, "values"):
            points = {names.index(row["name"]): row["mean"] for row in select(mine, values=values)}
            axes.plot([*points.values()], [*points], "o", color=COLOURS[values], ms=4, label=ORDERS[values])
        rings = {names.index(row["name"]): row["paper"] for row in mine if row.get("paper") is not None}
        _draw_rings(axes, rings)
    add_legend(figure, next(iter(panels.values())))
    return figure


@apply_style
def _draw_bars(rows: Rows) -> Figure:
    """Draw groups of bars with 95 % intervals; dashed: θ-MPM."""
    maps = _list_maps(rows)
    figure, panels = _make_panels(list_distinct(rows, "measure"), ["CPS", "θ-MPM", *maps], 2)
    for measure, axes in panels.items():
        mine = {row["name"]: row for row in select(rows, measure=measure)}
        places = np.arange(len(maps)) + 2
        for shift, (kind, colour) in zip((-0.19, 0.19), LEARNERS.items(), strict=True):
            _draw_bar(axes, places + shift, [mine[f"{kind}({psi})"] for psi in maps], colour, kind)
        _draw_bar(axes, np.arange(2), [mine["CPS"], mine["θ-MPM"]], GREY, "implicit")
        axes.axvline(mine["θ-MPM"]["mean"], color=GREY, linestyle="--", linewidth=0.8)
    add_legend(figure, next(iter(panels.values())))
    return figure


def _draw_bar(axes: Axes, places: Any, rows: Rows, colour: str, label: str) -> None:
    spread = np.array([[row["mean"] - row["low"], row["high"] - row["mean"]] for row in rows]).T
    means, error = [row["mean"] for row in rows], np.maximum(spread, 0.0)
    axes.barh(places, means, height=0.36, xerr=error, color=colour, alpha=0.7, label=label,
              error_kw={"elinewidth": 0.8, "capsize": 2})  # fmt: skip


@apply_style
def _draw_gains(rows: Rows) -> Figure:
    """Draw by how many per cent St.Agg is above a rival; a ring is what the paper states."""
    maps = _list_maps(rows)
    figure, panels = _make_panels(list_distinct(rows, "measure"), maps)
    for measure, axes in panels.items():
        mine = select(rows, measure=measure)
        points = np.array([[row[key] for key in ("per cent", "per cent low", "per cent high")] for row in mine])
        gain, low, high = np.where(np.isfinite(points), points, np.nan).T  # nothing is finitely far above 0
        spread = np.maximum([gain - low, high - gain], 0.0)
        axes.errorbar(gain, range(len(maps)), xerr=spread, fmt="o", color=BLUE, ms=4, elinewidth=1.2, label="here")
        _draw_rings(axes, {k: r["paper per cent"] for k, r in enumerate(mine) if r["paper per cent"] is not None})
        axes.axvline(0, color=GREY, linewidth=0.8)
        axes.set_xlabel("%")
    return figure


@apply_style
def _draw_lines(rows: Rows) -> Figure:
    """Draw lines over the number of rankers, one standard deviation of the draws up and down."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, 4.2))
    axes = figure.subplots()
    lines = list_distinct(rows, "row", "reading")
    for number, (row, note) in enumerate(lines):
        mine = select(rows, row=row, reading=note)
        x = np.array([each["rankers"] for each in mine]) + (number - (len(lines) - 1) / 2) * 0.15
        y, sd = [each["mean"] for each in mine], [each["sd"] for each in mine]
        style = "o-" if number < len(PALETTE) else "o--"
        axes.errorbar(x, y, sd, fmt=style, label=name_line(row, note), ms=4, linewidth=1.2, elinewidth=0.7)
    axes.set_xticks(list_distinct(rows, "rankers"))
    axes.set_xlabel("rankers")
    axes.set_ylabel(rows[0]["measure"])
    add_legend(figure, axes)
    return figure


def _draw_rings(axes: Axes, rings: Mapping[int, float]) -> None:
    if rings:
        axes.plot([*rings.values()], [*rings], "o", label="the paper", ms=8, mfc="none", mec=INK)


def _list_maps(rows: Rows) -> list[str]:
    return [name[len("St.Agg(") : -1] for name in list_distinct(rows, "name") if name.startswith("St.Agg")]


def _make_panels(measures: Sequence[str], names: Sequence[str], tall: int = 1) -> tuple[Figure, dict[str, Axes]]:
    """Make panels side by side, one for each measure, that share their named rows."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(1.4 + 2.1 * max(2, len(measures)), 1.1 + ROW * tall * max(len(names), 4)))
    panels = dict(zip(measures, figure.subplots(1, len(measures), sharey=True, squeeze=False)[0], strict=True))
    for measure, axes in panels.items():
        axes.set_title(measure)
        axes.grid(axis="x", color=GRID)
        axes.set_axisbelow(True)
    label_rows(panels[measures[0]], names)
    return figure, panels
