"""The tables of a reproduction as people read them: the paper's figures and ours, line by line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from stagg.evaluation.tables import ALPHA, BETTER, WORSE, Cell, Grid, flat
from stagg.paper import Result
from stagg.paper.views import DIRECTIONS
from stagg.report.charts import signed

__all__ = ["Shown", "distinct", "grids", "mark", "titled", "where"]

Shown = list[tuple[str, Grid]]
"""Tables with what stands above them."""

Row = dict[str, Any]
Rows = Sequence[Row]


def grids(result: Result, *, short: bool = False) -> Shown:
    """The tables of a result; ``short`` leaves out what only a thorough reader wants."""
    return _GRIDS[result.name](result, short)


def distinct(rows: Rows, *keys: str) -> list[Any]:
    """The values of a column, or of several, in the order of their appearance."""
    found = dict.fromkeys(tuple(row[key] for key in keys) for row in rows)
    return [each[0] if len(keys) == 1 else each for each in found]


def where(rows: Rows, **values: Any) -> list[Row]:
    """The rows that have these values."""
    return [row for row in rows if all(row[key] == value for key, value in values.items())]


def titled(row: str, reading: str) -> str:
    return f"{row} ({reading})" if reading else row


def mark(row: Row) -> str:
    """▲ or ▼ where a row is better or worse than what it was tested against."""
    if row["p_holm"] is None or row["p_holm"] >= ALPHA or not row["effect"]:
        return ""
    return BETTER if row["effect"] > 0 else WORSE


# --- Table 1 ----------------------------------------------------------------------------------------------------------


def _table1(result: Result, short: bool) -> Shown:
    rows = result.tables["table1"].rows
    shown: Shown = []
    for name in distinct(rows, "set"):
        mine = where(rows, set=name)
        shown.append((f"{name}: the nine rows", _beside_paper([row for row in mine if not row["reading"]], short)))
        if not short:
            others = [row for row in mine if row["reading"]]
            shown.append((f"{name}: other readings of them", _beside_paper(others, short)))
    nearest = result.tables["table1-nearest"].to_dicts()
    if short:
        nearest = [row for n, row in enumerate(nearest) if n == 0 or nearest[n - 1]["row"] != row["row"]]
    lines = [row | {"values": DIRECTIONS[row["values"]]} for row in nearest]
    return [*shown, ("Which reading comes nearest to each row of the paper, over both sets", flat(lines))]


def _beside_paper(rows: Rows, short: bool) -> Grid:
    """For every row the paper's line, and one for each direction with the differences to the paper."""
    measures = distinct(rows, "measure")
    cells = []
    for row, reading, method in distinct(rows, "row", "reading", "method"):
        mine = where(rows, row=row, reading=reading)
        title, printed = Cell(titled(row, reading)), [where(mine, measure=measure)[0]["paper"] for measure in measures]
        last = [] if short else [Cell(method)]
        if printed[0] is not None:
            cells.append(
                [
                    title,
                    Cell("paper" if short else "the paper"),
                    *[Cell(f"{value:.4f}") for value in printed],
                    *[Cell("")] * len(last),
                ]
            )
        cells += [
            [
                title,
                Cell(DIRECTIONS[values].partition(" ")[0] if short else DIRECTIONS[values]),
                *map(_ours, where(mine, values=values)),
                *last,
            ]
            for values in distinct(mine, "values")
        ]
    marks = f"{BETTER} {WORSE}: better, worse than BordaCount read the same way"
    note = f"after each figure stands its difference to the paper; {marks}"
    header, right = ["row", "", *measures], [False, False, *[True] * len(measures)]
    return Grid(header + ["method"] * (not short), cells, right + [False] * (not short), [note])


def _ours(row: Row) -> Cell:
    beside = "" if row["difference"] is None else f" {signed(row['difference'])}"
    return Cell(f"{row['ours']:.4f}{beside}", mark=mark(row))


# --- figures ----------------------------------------------------------------------------------------------------------


def _figure1(result: Result, short: bool) -> Shown:
    rows = result.tables["figure1"].rows
    measures, shown = distinct(rows, "measure"), Shown()
    for name, values in distinct(rows, "set", "values"):
        mine, cells = where(rows, set=name, values=values), []
        for scenario, group, line, method in distinct(mine, "scenario", "group", "name", "method"):
            means = where(mine, scenario=scenario, name=line)
            numbers = [Cell(f"{row['mean']:.4f}", mark=mark(row)) for row in means]
            cells.append([Cell(line), Cell(f"{scenario}, {group}"), *numbers, *[Cell(method)] * (not short)])
        header = ["", "", *measures, *["method"] * (not short)]
        note = f"{BETTER} {WORSE}: better, worse than the first line of its scenario"
        right = [False, False, *[True] * len(measures), *[False] * (not short)]
        shown.append((f"{name}, {DIRECTIONS[values]}", Grid(header, cells, right, [note])))
    return shown


def _supervised(result: Result, short: bool) -> Shown:
    rows = result.tables[result.name].rows
    measures, shown = distinct(rows, "measure"), Shown()
    for values in distinct(rows, "values"):
        mine = where(rows, values=values)
        best = {measure: max(row["mean"] for row in where(mine, measure=measure)) for measure in measures}
        cells = [
            [Cell(name), *[Cell(f"{r['mean']:.4f}", r["mean"] == best[r["measure"]]) for r in where(mine, name=name)]]
            for name in distinct(mine, "name")
        ]
        shown.append(
            (f"{rows[0]['set']}, {DIRECTIONS[values]}", Grid(["", *measures], cells, [False, True, True, True]))
        )
    if not short:
        tests = result.tables[f"{result.name}-tests"].rows
        for values in distinct(tests, "values"):
            lines = [_test_line(row) for row in where(tests, values=values)]
            caption = f"{DIRECTIONS[values]}: St.Agg against RankAgg on the same features, θ-MPM and CPS"
            shown.append((caption, flat(lines)))
    return shown


def _test_line(row: Row) -> Row:
    return {
        "measure": row["measure"],
        "method": row["name"],
        "against": row["against"],
        "mean": row["mean"],
        "other": row["other"],
        "%": f"{row['per cent']:+.1f}",
        "paper's %": None if row["paper per cent"] is None else f"{row['paper per cent']:+g}",
        "p (t)": row["p_t"],
        "p (random)": row["p_random"],
        "p (Holm)": row["p_holm"],
        "won/tied/lost": f"{row['wins']}/{row['ties']}/{row['losses']}",
    }


def _figure4(result: Result, short: bool) -> Shown:
    rows = result.tables["figure4"].rows
    sizes, shown = distinct(rows, "rankers"), Shown()
    for name, values in distinct(rows, "set", "values"):
        mine = where(rows, set=name, values=values)
        best = {size: max(row["mean"] for row in where(mine, rankers=size)) for size in sizes}
        cells = [
            [
                Cell(titled(row, reading)),
                *[Cell(f"{r['mean']:.4f} ± {r['sd']:.4f}", r["mean"] == best[r["rankers"]])
                  for r in where(mine, row=row, reading=reading)],
                *[Cell(method)] * (not short),
            ]
            for row, reading, method in distinct(mine, "row", "reading", "method")
        ]  # fmt: skip
        header = ["", *[f"{size} rankers" for size in sizes], *["method"] * (not short)]
        note = f"{mine[0]['measure']}, mean and standard deviation of {mine[0]['draws']} draws"
        right = [False, *[True] * len(sizes), *[False] * (not short)]
        shown.append((f"{name}, {DIRECTIONS[values]}", Grid(header, cells, right, [note])))
    return shown if short else [*shown, *_paired(result.tables["figure4-paired"].rows)]


def _paired(rows: Rows) -> Shown:
    """The differences to Borda on the same draws, and in how many draws a line is above it."""
    sizes, shown = distinct(rows, "rankers"), Shown()
    for name, values, base in distinct(rows, "set", "values", "against"):
        mine = where(rows, set=name, values=values)
        cells = [
            [
                Cell(titled(row, reading)),
                *[
                    Cell(f"{signed(r['mean'])} ± {r['sd']:.4f} ({r['draws above']})")
                    for r in where(mine, row=row, reading=reading)
                ],
            ]
            for row, reading in distinct(mine, "row", "reading")
            if row != base
        ]
        header = ["", *[f"{size} rankers" for size in sizes]]
        note = (
            f"mean and standard deviation of the difference; in brackets the draws, of {mine[0]['draws']}, above {base}"
        )
        grid = Grid(header, cells, [False, *[True] * len(sizes)], [note])
        shown.append((f"{name}, {DIRECTIONS[values]}: against {base} on the same draws", grid))
    return shown


_GRIDS: dict[str, Callable[[Result, bool], Shown]] = {
    "table1": _table1,
    "figure1": _figure1,
    "figure2": _supervised,
    "figure3": _supervised,
    "figure4": _figure4,
}
