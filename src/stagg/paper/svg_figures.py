"""The figures of a reproduction: what each experiment found, drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from stagg.paper import Result
from stagg.paper.layouts import distinct, mark, titled, where
from stagg.paper.svg_charts import (
    LARGE,
    PAPER,
    SMALL,
    Dots,
    Gain,
    Group,
    dots,
    gains,
    grouped_bars,
    per_cent_text,
)
from stagg.paper.views import DIRECTIONS
from stagg.report.charts import Bar, Series, lines, signed
from stagg.report.markup import Html, escaped, joined
from stagg.report.shell import figure

__all__ = ["figures_of"]

KINDS = {"score": LARGE, "rank": SMALL}

Row = dict[str, Any]


def figures_of(result: Result) -> list[Html]:
    """The charts of an experiment, each with its title and caption."""
    return _FIGURES[result.name](result)


def _series(rows: Sequence[Row], *, printed: bool) -> dict[str, str]:
    """The kinds of dots, by name."""
    ours = {KINDS[values]: DIRECTIONS[values] for values in distinct(rows, "values")}
    return ({PAPER: "the paper"} if printed else {}) | ours


# --- Table 1 ----------------------------------------------------------------------------------------------------------


def _table1(result: Result) -> list[Html]:
    rows, alone = result.tables["table1"].rows, result.tables["table1-rankers"].rows
    beside = [_rows_beside_paper(where(rows, set=n, measure=m), n, m) for n, m in distinct(rows, "set", "measure")]
    return [*[_every_ranker(where(alone, set=name), name) for name in distinct(alone, "set")], *beside]


def _every_ranker(rows: Sequence[Row], name: str) -> Html:
    """Which end of the numbers is the top?"""
    lanes = []
    for ranker in distinct(rows, "ranker"):
        mine = where(rows, ranker=ranker)
        said = [f"ranker {ranker}", *[f"{DIRECTIONS[row['values']]}: {row['mean']:.4f}" for row in mine]]
        lanes.append(Dots(f"ranker {ranker}", {KINDS[row["values"]]: row["mean"] for row in mine}, "\n".join(said)))
    title = f"{name}: {rows[0]['measure']} of every ranker alone"
    return figure(title, dots(lanes, _series(rows, printed=False), label=title), caption=_numbers(rows))


def _rows_beside_paper(rows: Sequence[Row], name: str, measure: str) -> Html:
    lanes = []
    for row, reading in distinct(rows, "row", "reading"):
        mine = where(rows, row=row, reading=reading)
        printed = mine[0]["paper"]
        said = [titled(row, reading), *([] if printed is None else [f"the paper: {printed:.4f}"]), *map(_told, mine)]
        values = ({} if printed is None else {PAPER: printed}) | {KINDS[r["values"]]: r["ours"] for r in mine}
        group = "other readings of them" if reading else "the nine rows"
        lanes.append(Dots(row, values, "\n".join(said), reading, group))
    chart = dots(lanes, _series(rows, printed=True), label=f"{measure} on {name}")
    return figure(f"{name}: {measure}", chart, caption=_numbers(rows))


def _told(row: Row) -> str:
    beside = "" if row["difference"] is None else f", {signed(row['difference'])} against the paper"
    return f"{DIRECTIONS[row['values']]}: {row['ours']:.4f}{beside}\n{row['method']}"


# --- figures ----------------------------------------------------------------------------------------------------------


def _figure1(result: Result) -> list[Html]:
    rows = result.tables["figure1"].rows
    cells = distinct(rows, "set", "scenario", "measure")
    return [_explicit_implicit(where(rows, set=n, scenario=s, measure=m), n, s, m) for n, s, m in cells]


def _explicit_implicit(rows: Sequence[Row], name: str, scenario: str, measure: str) -> Html:
    lanes = []
    for line, group in distinct(rows, "name", "group"):
        mine = where(rows, name=line)
        printed = mine[0]["paper"]
        values = ({} if printed is None else {PAPER: printed}) | {KINDS[r["values"]]: r["mean"] for r in mine}
        said = [line, *([] if printed is None else [f"the paper, Table 1: {printed:.4f}"])]
        said += [f"{DIRECTIONS[r['values']]}: {r['mean']:.4f} ({r['low']:.4f} to {r['high']:.4f})" for r in mine]
        lanes.append(Dots(line, values, "\n".join(said), group=group))
    series = _series(rows, printed=any(PAPER in lane.values for lane in lanes))
    chart = dots(lanes, series, label=f"{measure} on {name}, {scenario}")
    return figure(f"{name}, {scenario}: {measure}", chart, caption=_numbers(rows))


def _numbers(rows: Sequence[Row]) -> str:
    return f"The numbers at the right: {DIRECTIONS[rows[-1]['values']]}."


def _supervised(result: Result) -> list[Html]:
    """For every direction and measure the means, and beside them what St.Agg gains over its rivals."""
    rows, tests = result.tables[result.name].rows, result.tables[f"{result.name}-tests"].rows
    charts = []
    for values, measure in distinct(rows, "values", "measure"):
        tested = where(tests, measure=measure, values=values)
        title = f"{measure}, {DIRECTIONS[values]}"
        charts += [_means(where(rows, measure=measure, values=values), tested, title), _gains(tested, title)]
    return charts


LEARNERS = {"c0": "CPS, θ-MPM", "c2": "RankAgg", "c1": "St.Agg"}
IMPLICIT, EXPLICIT, OURS = LEARNERS


def _means(rows: Sequence[Row], tests: Sequence[Row], title: str) -> Html:
    against = {row["name"]: row for row in tests if row["against"].startswith("RankAgg")}
    best = max(row["mean"] for row in rows)
    found = {row["name"]: _bar(row, against.get(row["name"]), best) for row in rows}
    maps = [name[len("St.Agg(") : -1] for name in found if name.startswith("St.Agg")]
    groups = [Group(name, {IMPLICIT: found[name]}) for name in ("CPS", "θ-MPM")]
    groups += [Group(psi, {EXPLICIT: found[f"RankAgg({psi})"], OURS: found[f"St.Agg({psi})"]}) for psi in maps]
    label = f"{title}, {rows[0]['set']}"
    chart = grouped_bars(groups, LEARNERS, label=label, reference=found["θ-MPM"].value)
    return figure(title, chart, caption=CAPTION)


CAPTION = "95 % intervals over queries; dashed: θ-MPM; ▲ ▼: St.Agg better, worse than RankAgg on the same features."
GAINS = "Per cent, paired over queries, with 95 % intervals; ring: what the paper says; ▲ ▼: p < 0.05 after Holm."


def _bar(row: Row, test: Row | None, best: float) -> Bar:
    said = [f"{row['name']}: {row['mean']:.4f}", f"95 %: {row['low']:.4f} to {row['high']:.4f}", row["method"]]
    if test is not None:
        said.insert(2, f"{signed(test['difference'])} against {test['against']}, p = {test['p_holm']:.3g}")
    marked = "" if test is None else mark(test)
    return Bar(row["name"], row["mean"], row["low"], row["high"], "\n".join(said), marked, best=row["mean"] == best)


def _gains(tests: Sequence[Row], title: str) -> Html:
    """St.Agg over RankAgg on the same features and over θ-MPM, each on a scale of its own."""
    charts = []
    for rival in ("RankAgg", "θ-MPM"):
        drawn = [_gain(row) for row in tests if row["against"].startswith(rival)]
        name = f"St.Agg over {rival}{' on the same features' * (rival == 'RankAgg')}"
        chart = gains(drawn, label=f"{title}, {tests[0]['set']}: {name}")
        charts.append(Html(f"<h4>{escaped(name)}</h4>{chart}"))
    return figure(f"{title}: what St.Agg gains", joined(charts), caption=GAINS)


def _gain(row: Row) -> Gain:
    ends = row["per cent low"], row["per cent high"]
    said = [
        f"{row['name']} {row['mean']:.4f} against {row['against']} {row['other']:.4f}",
        f"{per_cent_text(row['per cent'])} ({' to '.join(map(per_cent_text, ends))})",
        f"p = {row['p_holm']:.3g} after Holm; won {row['wins']}, tied {row['ties']}, lost {row['losses']}",
    ]
    if row["paper per cent"] is not None:
        said.append(f"the paper: {row['paper per cent']:+g} %")
    psi = row["name"][len("St.Agg(") : -1]
    return Gain(psi, row["per cent"], *ends, "\n".join(said), mark(row), row["paper per cent"])


def _figure4(result: Result) -> list[Html]:
    """The means over the draws; and, which tells more, the differences to Borda on the same draws."""
    rows, paired = result.tables["figure4"].rows, result.tables["figure4-paired"].rows
    charts = []
    for name, values in distinct(rows, "set", "values"):
        title = f"{name}, {DIRECTIONS[values]}"
        mine, differences = (where(each, set=name, values=values) for each in (rows, paired))
        measure, base = mine[0]["measure"], differences[0]["against"]
        draws = f"{mine[0]['draws']} random subsets of the rankers; the whisker is one standard deviation over them"
        charts.append(_curves(mine, f"{title}: {measure}", f"Mean of {draws}."))
        said = f"Mean over the same draws; the whisker is one standard deviation of the difference. 0 is {base}."
        charts.append(_curves(differences, f"{title}: {measure} against {base}", said))
    return charts


def _curves(rows: Sequence[Row], title: str, caption: str) -> Html:
    several = distinct(rows, "row", "reading")
    series = [_curve(titled(*line), where(rows, row=line[0], reading=line[1])) for line in several]
    return figure(title, lines(series, label=title, across="rankers"), caption=caption)


def _curve(name: str, rows: Sequence[Row]) -> Series:
    number = "{:.4f}".format if "against" not in rows[0] else signed
    tips = [
        f"{name}, {row['rankers']} rankers: {number(row['mean'])}\n"
        f"sd {row['sd']:.4f}, {number(row['low'])} to {number(row['high'])} in {row['draws']} draws"
        for row in rows
    ]
    means, spreads = [row["mean"] for row in rows], [row["sd"] for row in rows]
    low, high = ([m + sign * sd for m, sd in zip(means, spreads, strict=True)] for sign in (-1, 1))
    return Series(name, [row["rankers"] for row in rows], means, low, high, tips)


_FIGURES: dict[str, Callable[[Result], list[Html]]] = {
    "table1": _table1,
    "figure1": _figure1,
    "figure2": _supervised,
    "figure3": _supervised,
    "figure4": _figure4,
}
