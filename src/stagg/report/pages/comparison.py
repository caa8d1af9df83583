"""Report of a comparison: means with intervals, wins and losses against the baseline, robustness curves."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stagg.evaluation.choices import name_briefly
from stagg.evaluation.compare import Comparison
from stagg.evaluation.significance import TIE, bootstrap_means
from stagg.evaluation.tables import Cell, Grid, Table, as_sentence, flat
from stagg.formats.documents.texts import TextsLike, check_texts, find_heading
from stagg.kernels.arrays import FloatArray
from stagg.report.charts.svg import Bar, Column, Series, bars, columns, grid_table, lines, sign_number
from stagg.report.findings import tell_comparison
from stagg.report.markup import Html, escaped, isolate, joined, quoted
from stagg.report.shell import Section, figure, page

__all__ = ["comparison_report", "comparison_sections", "robustness_sections"]

MOST_COLUMNS = 100
"""Of a plot of wins and losses; more queries share columns, each the mean of a block of neighbours in order."""

EXTREMES = 5  # queries that a method wins and loses by most, in the table of numbers


def comparison_report(
    found: Comparison | Table, *, title: str | None = None, query_texts: TextsLike | None = None
) -> str:
    """A page of HTML on what ``compare`` found, or, of the table of ``robustness``, on its curves.

    ``query_texts``: texts of queries, by id, for those that a method wins and loses by most.
    """
    if isinstance(found, Table):
        return page(title or "Fewer rankers", robustness_sections(found), facts=_facts(found), notes=found.notes)
    facts = [("Queries", f"{len(found.queries):,}"), *_facts(found.table)]
    return page(
        title or "Methods compared",
        comparison_sections(found, check_texts("query_texts", query_texts)),
        lead=tell_comparison(found),
        facts=facts,
        notes=_notes(found.table),
        warnings=found.table.warnings,
    )


def _facts(table: Table) -> list[tuple[str, str]]:
    return [(name.capitalize(), value) for name, value in table.told_settings()]


def _notes(table: Table) -> list[str]:
    """The notes of a table without its settings, which are facts of the page, and its warnings, which stand above."""
    bare = dataclasses.replace(table, conventions=None, seed=None, settings={}, warnings=())
    return bare.grid().notes


def comparison_sections(found: Comparison, query_texts: TextsLike | None = None) -> list[Section]:
    """Means, query by query, all numbers."""
    short = name_briefly(found.methods)
    means = [_means(found, k, short) for k in range(len(found.measures))]
    sections = [
        Section(
            "Means",
            joined([_figures(means), *_legend(short)]),
            "The whisker is the 95 % interval: percentile bootstrap over queries.",
        )
    ]
    if len(found.methods) > 1:
        plots = [_wins(found, number, query_texts, short) for number in range(len(found.measures))]
        block = "a query" if len(found.queries) <= MOST_COLUMNS else "a block of queries"
        intro = f"Every column is {block}, sorted by the difference: above the line the method beats the baseline."
        sections.append(Section(f"Query by query, against {quoted(short[found.baseline])}", joined(plots), intro))
    sections.append(Section("All numbers", _tables(found.table, found.details, *found.further.values())))
    if found.table.beside:
        told = " ".join(map(as_sentence, found.table.beside[0].notes))
        sections.append(Section("With the labels of the proxy", _tables(*found.table.beside), told))
    return sections


def _tables(*tables: Table) -> Html:
    return Html(f'<div class="tables">{joined(grid_table(each.grid()) for each in tables)}</div>')


def _figures(charts: Sequence[Html]) -> Html:
    return Html(f'<div class="figures">{joined(charts)}</div>')


# --- means ------------------------------------------------------------------------------------------------------------


def _legend(short: Mapping[str, str]) -> list[Html]:
    """What the short names stand for."""
    told = [f"<dt>{isolate(name)}</dt><dd>{isolate(full)}</dd>" for full, name in short.items() if name != full]
    return [Html(f'<dl class="names">{"".join(told)}</dl>')] if told else []


def _means(found: Comparison, k: int, short: Mapping[str, str]) -> Html:
    measure = found.measures[k]
    rows = [_row(found, m, k) for m in range(len(found.methods))]
    base = next(row["mean"] for row in rows if row["method"] == found.baseline)
    drawn = [_bar(found, row, base, _cell(found, m, k), short) for m, row in enumerate(rows)]
    return figure(measure, bars(drawn, label=f"Means of {measure}", reference=base))


def _row(found: Comparison, m: int, k: int) -> dict[str, Any]:
    """The row of the table on method m and measure k."""
    return found.table.rows[m * len(found.measures) + k]


def _cell(found: Comparison, m: int, k: int) -> Cell:
    """How the table shows it: its mark, and whether it is the best."""
    grid = found.table.grid()
    return grid.cells[m][grid.column(found.measures[k])]


def _bar(found: Comparison, row: dict[str, Any], base: float, cell: Cell, short: Mapping[str, str]) -> Bar:
    said = [
        f"{quoted(row['method'])}: {row['measure']} {row['mean']:.4f}",
        f"95 %: {row['low']:.4f} to {row['high']:.4f}",
    ]
    if row["wins"] is not None:
        said += [f"{sign_number(row['mean'] - base)} against the baseline, {_p(found, row)}", _counts(row)]
    note = "baseline" if row["wins"] is None else ""
    return Bar(
        short[row["method"]],
        row["mean"],
        row["low"],
        row["high"],
        "\n".join(said),
        cell.mark,
        best=cell.bold,
        note=note,
    )


def _p(found: Comparison, row: dict[str, Any]) -> str:
    if not found.can_test(row["method"]):
        return "not comparable"
    explained = " (unjudged items could explain it)" if row.get("unjudged_decides") else ""
    return f"p = {row['p_holm']:.3g}{explained}"


def _counts(row: dict[str, Any]) -> str:
    return f"won {row['wins']}, tied {row['ties']}, lost {row['losses']}"


# --- wins and losses --------------------------------------------------------------------------------------------------


def _wins(found: Comparison, k: int, texts: TextsLike | None, short: Mapping[str, str]) -> Html:
    """One small plot per method: the differences to the baseline, sorted, all on one scale."""
    base = found.methods.index(found.baseline)
    others = [m for m in range(len(found.methods)) if m != base]
    differences = found.values[:, k] - found.values[base, k]
    extent = float(np.abs(differences).max(initial=0.0)) or 1.0
    low, high = bootstrap_means(differences.T, seed=found.table.seed or 0)
    means = differences.mean(axis=1)
    small = []
    for m in others:
        row = _row(found, m, k)
        interval = f"({sign_number(low[m])} to {sign_number(high[m])})"
        said = f"{_counts(row)}; {sign_number(means[m])} {interval}, {_p(found, row)}"
        chart = columns(_columns(found, m, k, differences[m]), label=f"{row['method']}: {said}", extent=extent)
        mark = escaped(_cell(found, m, k).mark)
        small.append(Html(f"<div><h4>{isolate(short[row['method']])} {mark}</h4><p>{escaped(said)}</p>{chart}</div>"))
    caption = "Mean difference with its 95 % interval, and p of the randomisation test, corrected by Holm."
    chart = Html(f'<div class="small">{joined(small)}</div>')
    table = grid_table(_extremes(found, others, k, differences, texts))
    return figure(found.measures[k], chart, caption=caption, table=table)


def _columns(found: Comparison, m: int, k: int, differences: FloatArray) -> list[Column]:
    """The differences of a method in order, the largest first; blocks of neighbours where there are many."""
    order = np.argsort(-differences, kind="stable")
    settled = np.where(np.abs(differences) < TIE, 0.0, differences)
    if len(order) <= MOST_COLUMNS:
        base = found.methods.index(found.baseline)
        return [
            Column(
                settled[q],
                f"{quoted(found.queries[q])}: {sign_number(settled[q])}\n"
                f"{found.values[m, k, q]:.4f} against {found.values[base, k, q]:.4f}",
            )
            for q in order
        ]
    return [
        Column(
            float(settled[block].mean()),
            f"{len(block)} queries: {sign_number(settled[block[-1]])} to {sign_number(settled[block[0]])}",
        )
        for block in np.array_split(order, MOST_COLUMNS)
    ]


def _extremes(
    found: Comparison, others: Sequence[int], k: int, differences: FloatArray, texts: TextsLike | None
) -> Grid:
    """The queries that each method wins and loses by most."""
    base = found.methods.index(found.baseline)
    rows = []
    for m in others:
        order = np.argsort(-differences[m], kind="stable")
        ends = dict.fromkeys([*order[:EXTREMES].tolist(), *order[-EXTREMES:].tolist()])
        rows += [
            {
                "method": found.methods[m],
                "query": found.queries[q],
                **({"text": find_heading(texts, found.queries[q])} if texts else {}),
                "difference": float(differences[m, q]),
                "value": float(found.values[m, k, q]),
                "baseline": float(found.values[base, k, q]),
            }
            for q in ends
            if abs(differences[m, q]) >= TIE
        ]
    return flat(rows)


# --- robustness -------------------------------------------------------------------------------------------------------


def robustness_sections(table: Table) -> list[Section]:
    """The curves of every measure over the number of rankers, and all numbers."""
    measures = list(dict.fromkeys(row["measure"] for row in table.rows))
    charts = [_curves([row for row in table.rows if row["measure"] == measure], measure) for measure in measures]
    intro = (
        "The mean over random subsets of the rankers; the whisker is one standard deviation of the draws up and down."
    )
    return [Section("Fewer rankers", _figures(charts), intro), Section("All numbers", _tables(table))]


def _curves(rows: Sequence[dict[str, Any]], measure: str) -> Html:
    methods = list(dict.fromkeys(row["method"] for row in rows))
    series = [_curve(method, [row for row in rows if row["method"] == method]) for method in methods]
    return figure(measure, lines(series, label=f"{measure} over the number of rankers", across="rankers"))


def _curve(method: str, rows: Sequence[dict[str, Any]]) -> Series:
    tips = [
        f"{quoted(method)}, {row['rankers']} ranker{'s' * (row['rankers'] != 1)}: {row['mean']:.4f}\n"
        f"sd {row['sd']:.4f}, {row['low']:.4f} to {row['high']:.4f} in {row['draws']} draws"
        for row in rows
    ]
    return Series(
        method,
        [row["rankers"] for row in rows],
        [row["mean"] for row in rows],
        [row["mean"] - row["sd"] for row in rows],
        [row["mean"] + row["sd"] for row in rows],
        tips,
    )
