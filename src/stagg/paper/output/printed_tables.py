"""Tables of a reproduction: the paper's figures and ours, line by line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stagg.evaluation.tables import ALPHA, BETTER, WORSE, Cell, Grid, flat
from stagg.paper.experiments.base import Result
from stagg.paper.experiments.readings import NOTES, name_reading
from stagg.paper.rows import Row, Rows, list_distinct, name_line, select
from stagg.paper.views import ORDERS
from stagg.report.charts.svg import sign_number

__all__ = ["Captioned", "lay_out_table"]

Captioned = list[tuple[str, Grid]]
"""Tables, each with what stands above it."""


def lay_out_table(result: Result, *, short: bool = False) -> Captioned:
    """Lay out the tables of a result; ``short`` leaves out what only a thorough reader wants."""
    return _LAYOUTS[result.name](result, short)


def _pivot(
    rows: Rows, keys: Sequence[str], column: str, write: Callable[[Row], Cell], notes: Sequence[str] = (),
    last: Sequence[str] = (),
) -> Grid:  # fmt: skip
    """Lay out one line for each combination of ``keys``, one cell for each value of ``column``, then the rest."""
    columns = list_distinct(rows, column)
    cells = []
    for line in dict.fromkeys(tuple(row[key] for key in keys) for row in rows):
        mine = {row[column]: row for row in select(rows, **dict(zip(keys, line, strict=True)))}
        ends = [Cell(mine[columns[0]][key]) for key in last]
        cells.append([*map(Cell, line), *[write(mine[each]) for each in columns], *ends])
    header = [each if isinstance(each, str) else f"{each} rankers" for each in columns]
    right = [False] * len(keys) + [True] * len(columns) + [False] * len(last)
    return Grid([""] * len(keys) + header + [*last], cells, right, list(notes))


def _mark(row: Row) -> str:
    """Return ▲ or ▼ where a row is better or worse than what it was tested against."""
    if row["p_holm"] is None or row["p_holm"] >= ALPHA or not row["effect"]:
        return ""
    return BETTER if row["effect"] > 0 else WORSE


def _flag_best(rows: Rows, column: str) -> list[Row]:
    """Say of every row whether it has the highest mean of its column."""
    best = {each: max(row["mean"] for row in select(rows, **{column: each})) for each in list_distinct(rows, column)}
    return [row | {"best": row["mean"] == best[row[column]]} for row in rows]


# --- Table 1 ----------------------------------------------------------------------------------------------------------

MARKS = f"{BETTER} {WORSE}: better, worse than BordaCount read the same way"
BESIDE = "after each figure of ours stands its difference to the paper"


def _lay_out_table1(result: Result, short: bool) -> Captioned:
    rows = [_name_line(row) for row in result.tables["table1"].rows]
    nearest = result.tables["table1-nearest"].to_dicts()
    names = list_distinct(rows, "set")
    caption = "each row of the paper, and the reading that meets it or comes nearest"
    shown = [(f"{name}: {caption}", _lay_out_nearest(select(rows, set=name), nearest)) for name in names]
    if short:
        return shown
    for name in names:
        for caption, others in (("the nine rows as the paper describes them", False), ("other readings of them", True)):
            mine = [row for row in select(rows, set=name) if bool(row["reading"]) == others]
            shown.append((f"{name}: {caption}", _lay_out_beside_paper(mine)))
    lines = [line | {"values": ORDERS[line["values"]]} for line in nearest]
    return [*shown, ("All readings of each row of the paper, by their mean distance to it over both sets", flat(lines))]


def _lay_out_nearest(rows: Rows, nearest: Rows) -> Grid:
    """Lay out three lines for each row: the paper's figures, those of the nearest reading, and the differences."""
    cells, notes = [], dict[str, str]()
    for row in list_distinct(nearest, "row"):
        first = select(nearest, row=row)[0]
        values, note = first["values"], first["reading"]
        mine = select(rows, row=row, values=values, reading=note)
        cells.append([Cell(f"{row}, the paper"), *[Cell(f"{each['paper']:.4f}") for each in mine]])
        cells.append([Cell(name_reading(values, note)), *[Cell(f"{each['ours']:.4f}") for each in mine]])
        cells.append([Cell("difference"), *[Cell(sign_number(each["difference"])) for each in mine]])
        notes |= {note: f"{note}: {NOTES[note]}"} if note else {}
    measures = list_distinct(rows, "measure")
    return Grid(["", *measures], cells, [False] + [True] * len(measures), [*notes.values()])


def _lay_out_beside_paper(rows: Rows) -> Grid:
    """Lay out the paper's figures for every line and ours below them, with the difference of each cell."""
    named = []
    for line in list_distinct(rows, "line"):
        mine = select(rows, line=line)
        printed = [row | {"ours": None} for row in select(mine, values=mine[0]["values"]) if row["paper"] is not None]
        named += [row | {"read": "the paper", "method": ""} for row in printed]
        named += [row | {"read": ORDERS[row["values"]]} for row in mine]
    return _pivot(named, ["line", "read"], "measure", _write_beside_paper, [BESIDE, MARKS], ["method"])


def _write_beside_paper(row: Row) -> Cell:
    if row["ours"] is None:
        return Cell(f"{row['paper']:.4f}")
    beside = "" if row["difference"] is None else f" {sign_number(row['difference'])}"
    return Cell(f"{row['ours']:.4f}{beside}", mark=_mark(row))


# --- figures ----------------------------------------------------------------------------------------------------------


def _lay_out_figure1(result: Result, short: bool) -> Captioned:
    rows = [row | {"kind": f"{row['scenario']}, {row['group']}"} for row in result.tables["figure1"].rows]
    last = [] if short else ["method"]
    note = f"{BETTER} {WORSE}: better, worse than the first line of its scenario"
    return [
        (f"{name}, {ORDERS[values]}",
         _pivot(select(rows, set=name, values=values), ["name", "kind"], "measure", _write_mean, [note], last))
        for name, values in list_distinct(rows, "set", "values")
    ]  # fmt: skip


def _write_mean(row: Row) -> Cell:
    return Cell(f"{row['mean']:.4f}", mark=_mark(row))


def _lay_out_supervised(result: Result, short: bool) -> Captioned:
    rows = result.tables[result.name].rows
    shown = [
        (f"{name}, {ORDERS[values]}",
         _pivot(_flag_best(select(rows, values=values), "measure"), ["name"], "measure", _write_best))
        for name, values in list_distinct(rows, "set", "values")
    ]  # fmt: skip
    tests = [] if short else result.tables[f"{result.name}-tests"].rows
    for values in list_distinct(tests, "values"):
        caption = f"{ORDERS[values]}: St.Agg against RankAgg on the same features, θ-MPM and CPS"
        shown.append((caption, flat([_write_test(row) for row in select(tests, values=values)])))
    return shown


def _write_test(row: Row) -> Row:
    renamed = {"name": "method", "p_t": "p (t)", "p_random": "p (random)", "p_holm": "p (Holm)"}
    stated = row["paper per cent"]
    line = {renamed.get(key, key): row[key] for key in ("measure", "name", "against", "mean", "other")}
    line |= {"%": f"{row['per cent']:+.1f}", "paper's %": None if stated is None else f"{stated:+g}"}
    line |= {renamed[key]: row[key] for key in ("p_t", "p_random", "p_holm")}
    return line | {"won/tied/lost": f"{row['wins']}/{row['ties']}/{row['losses']}"}


def _write_best(row: Row) -> Cell:
    return Cell(f"{row['mean']:.4f}{' ± {:.4f}'.format(row['sd']) if 'sd' in row else ''}", row["best"])


def _lay_out_figure4(result: Result, short: bool) -> Captioned:
    rows = [_name_line(row) for row in result.tables["figure4"].rows]
    last = [] if short else ["method"]
    note = f"{rows[0]['measure']}, mean and standard deviation of {rows[0]['draws']} draws"
    shown = [
        (f"{name}, {ORDERS[values]}", _pivot(mine, ["line"], "rankers", _write_best, [note], last))
        for name, values in list_distinct(rows, "set", "values")
        for mine in [_flag_best(select(rows, set=name, values=values), "rankers")]
    ]  # fmt: skip
    return shown if short else [*shown, *_lay_out_pairs(result.tables["figure4-paired"].rows)]


def _lay_out_pairs(rows: Rows) -> Captioned:
    """Lay out the differences to Borda on the same draws, and in how many draws a line is above it."""
    shown = Captioned()
    for name, values, base in list_distinct(rows, "set", "values", "against"):
        mine = [_name_line(row) for row in select(rows, set=name, values=values) if row["row"] != base]
        draws = f"in brackets the draws, of {mine[0]['draws']}, above {base}"
        grid = _pivot(
            mine, ["line"], "rankers",
            lambda row: Cell(f"{sign_number(row['mean'])} ± {row['sd']:.4f} ({row['draws above']})"),
            [f"mean and standard deviation of the difference; {draws}"],
        )  # fmt: skip
        shown.append((f"{name}, {ORDERS[values]}: against {base} on the same draws", grid))
    return shown


def _name_line(row: Row) -> Row:
    return row | {"line": name_line(row["row"], row["reading"])}


_LAYOUTS: dict[str, Callable[[Result, bool], Captioned]] = {
    "table1": _lay_out_table1,
    "figure1": _lay_out_figure1,
    "figure2": _lay_out_supervised,
    "figure3": _lay_out_supervised,
    "figure4": _lay_out_figure4,
}
