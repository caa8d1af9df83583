"""The report of a reproduction: every table and figure of the paper beside what its data say."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from stagg.evaluation.experiments import Reproduction, Result
from stagg.evaluation.experiments.paper import MEASURES, TABLE1
from stagg.evaluation.experiments.sets import DIRECTIONS
from stagg.evaluation.tables import as_markdown
from stagg.report.charts import Bar, Series, bars, grid_table, lines, signed
from stagg.report.markup import Html, escaped, joined
from stagg.report.reproduction_charts import LARGE, PAPER, SMALL, Dots, dots
from stagg.report.reproduction_tables import distinct, grids, mark, titled, where
from stagg.report.shell import Section, figure, page

__all__ = ["reproduction_markdown", "reproduction_report"]

TITLE = "Stochastic Rank Aggregation, reproduced"
KINDS = {"score": LARGE, "rank": SMALL}

Row = dict[str, Any]


def reproduction_report(found: Reproduction, facts: Mapping[str, str]) -> str:
    """A page of HTML; ``facts`` say how it was made."""
    notes = [f"{name}: {value}" for name, value in facts.items()]
    head = [(name, facts[name]) for name in ("Data", "Queries", "Seed", "Wall time") if name in facts]
    return page(TITLE, [_section(part.result) for part in found.parts], facts=head, notes=notes)


def reproduction_markdown(found: Reproduction, facts: Mapping[str, str]) -> str:
    """The same without the charts, as Markdown."""
    blocks = [f"# {TITLE}"]
    for part in found.parts:
        blocks.append(f"## {part.result.title}")
        blocks += [
            "\n".join([f"**The paper:** {c.paper} Here:\n", *[f"- {h}" for h in c.here]]) for c in part.result.claims
        ]
        for caption, grid in grids(part.result):
            blocks += [f"### {caption}", as_markdown(grid)]
        blocks += _notes(part.result)
    blocks += ["## How this was made", "\n".join(f"- {name}: {_code(value)}" for name, value in facts.items())]
    return "\n\n".join(blocks) + "\n"


def _code(value: str) -> str:
    """Foreign text in Markdown: nothing in it is markup, and it stays on its line."""
    text = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in value)
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence} {text} {fence}" if len(fence) > 1 else f"`{text}`"


def _notes(result: Result) -> list[str]:
    return list(dict.fromkeys(note for table in result.tables.values() for note in table.notes))


def _section(result: Result) -> Section:
    tables = [_table(caption, grid_table(grid), grid.notes) for caption, grid in grids(result)]
    files = ", ".join(f"{stem}.csv" for stem in result.tables)
    charts = Html(f'<div class="figures">{joined([*_CHARTS[result.name](result), *tables])}</div>')
    body = [_claims(result), charts, _below([*_notes(result), f"The numbers: {files}."])]
    return Section(result.title, joined(body))


def _claims(result: Result) -> Html:
    """What the paper says, and below it what comes out here."""
    said = [
        f"<p><b>The paper:</b> {escaped(claim.paper)} <b>Here:</b></p>\n"
        f"<ul>{''.join(f'<li>{escaped(here)}</li>' for here in claim.here)}</ul>"
        for claim in result.claims
    ]
    return Html(f"<figure>{joined(map(Html, said))}</figure>")


def _table(caption: str, table: Html, notes: Sequence[str]) -> Html:
    inside = f"<details><summary>{escaped(caption)}</summary>\n{table}{_below(notes)}</details>"
    return Html(f'<figure class="wide">{inside}</figure>')


def _below(notes: Sequence[str]) -> Html:
    return Html("".join(f'<p class="intro">{escaped(note)}</p>' for note in notes))


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
        lanes.append(Dots(row, values, "\n".join(said), reading))
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
        printed = TABLE1[name].get(line, (None,) * len(MEASURES))[MEASURES.index(measure)]
        values = ({} if printed is None else {PAPER: printed}) | {KINDS[r["values"]]: r["mean"] for r in mine}
        said = [line, *([] if printed is None else [f"the paper, Table 1: {printed:.4f}"])]
        said += [f"{DIRECTIONS[r['values']]}: {r['mean']:.4f} ({r['low']:.4f} to {r['high']:.4f})" for r in mine]
        lanes.append(Dots(line, values, "\n".join(said), group))
    series = _series(rows, printed=any(PAPER in lane.values for lane in lanes))
    chart = dots(lanes, series, label=f"{measure} on {name}, {scenario}")
    return figure(f"{name}, {scenario}: {measure}", chart, caption=_numbers(rows))


def _numbers(rows: Sequence[Row]) -> str:
    return f"The numbers at the right: {DIRECTIONS[rows[-1]['values']]}."


def _supervised(result: Result) -> list[Html]:
    rows, tests = result.tables[result.name].rows, result.tables[f"{result.name}-tests"].rows
    charts = []
    for measure, values in distinct(rows, "measure", "values"):
        mine = where(rows, measure=measure, values=values)
        reference = where(mine, name="θ-MPM")[0]["mean"]
        against = {
            r["name"]: r for r in where(tests, measure=measure, values=values) if r["against"].startswith("RankAgg")
        }
        best = max(row["mean"] for row in mine)
        drawn = [_bar(row, against.get(row["name"]), best) for row in mine]
        title = f"{measure}, {DIRECTIONS[values]}"
        charts.append(figure(title, bars(drawn, label=title, reference=reference), caption=CAPTION))
    return charts


CAPTION = "95 % intervals over queries; dashed: θ-MPM; marks: St.Agg against RankAgg on the same features."


def _bar(row: Row, test: Row | None, best: float) -> Bar:
    said = [f"{row['name']}: {row['mean']:.4f}", f"95 %: {row['low']:.4f} to {row['high']:.4f}", row["method"]]
    if test is not None:
        said.insert(2, f"{signed(test['difference'])} against {test['against']}, p = {test['p_holm']:.3g}")
    marked = "" if test is None else mark(test)
    return Bar(row["name"], row["mean"], row["low"], row["high"], "\n".join(said), marked, best=row["mean"] == best)


def _figure4(result: Result) -> list[Html]:
    rows = result.tables["figure4"].rows
    charts = []
    for name, values in distinct(rows, "set", "values"):
        mine = where(rows, set=name, values=values)
        series = [
            _curve(titled(*line), where(mine, row=line[0], reading=line[1]))
            for line in distinct(mine, "row", "reading")
        ]
        title = f"{name}, {DIRECTIONS[values]}: {mine[0]['measure']}"
        caption = f"Mean of {mine[0]['draws']} random subsets of the rankers; the whisker is one standard deviation."
        charts.append(figure(title, lines(series, label=title, across="rankers"), caption=caption))
    return charts


def _curve(name: str, rows: Sequence[Row]) -> Series:
    tips = [
        f"{name}, {row['rankers']} rankers: {row['mean']:.4f}\n"
        f"sd {row['sd']:.4f}, {row['low']:.4f} to {row['high']:.4f} in {row['draws']} draws"
        for row in rows
    ]
    means, spreads = [row["mean"] for row in rows], [row["sd"] for row in rows]
    low, high = ([m + sign * sd for m, sd in zip(means, spreads, strict=True)] for sign in (-1, 1))
    return Series(name, [row["rankers"] for row in rows], means, low, high, tips)


_CHARTS: dict[str, Callable[[Result], list[Html]]] = {
    "table1": _table1,
    "figure1": _figure1,
    "figure2": _supervised,
    "figure3": _supervised,
    "figure4": _figure4,
}
