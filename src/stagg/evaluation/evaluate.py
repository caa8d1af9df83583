"""``evaluate``: the value of every measure for every query of a run, and the means."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stagg.data.inputs.construct import rankings_of
from stagg.data.inputs.types import RankingsLike
from stagg.data.labels import Labels, labels_of
from stagg.data.rankings import Rankings
from stagg.errors import DataError, bare
from stagg.evaluation.judged_share import Look, Pool, tell_bounds, tell_favoured
from stagg.evaluation.proxy import TwiceJudged, proxy_tables
from stagg.evaluation.tables import Table
from stagg.formats.documents.texts import TextsLike, check_texts, find_heading
from stagg.kernels.arrays import FloatArray
from stagg.measures import DEFAULT_MEASURES, Asked, Conventions, Judged, Measure, MeasuresLike, ask_measures, judge
from stagg.measures.judged import check_conventions, tie_in_single_precision
from stagg.measures.unjudged import Unjudged

__all__ = ["evaluate", "measured", "order_run"]


def evaluate(
    runs: RankingsLike,
    labels: Labels | Mapping[str, Mapping[str, float]],
    measures: MeasuresLike = DEFAULT_MEASURES,
    *,
    conventions: Conventions = "standard",
    per_query: bool = False,
    only_common: bool = False,
    single_precision: bool | None = None,
    unjudged: Unjudged = "irrelevant",
    proxy: Labels | Mapping[str, Mapping[str, float]] | None = None,
    query_texts: TextsLike | None = None,
) -> Table:
    """The mean of each measure for each run, over all queries that have labels. Every ranker of ``runs`` is a run.

    A run none of whose queries has labels is an error: the labels belong to other queries.

    - ``measures``: text such as "ndcg@10, map". The names of other tools work, too, and mean what they mean there:
      "nDCG@10" is ir_measures', with the gain y. You can name a column: "Hits: success@5" or ``{"Hits": "success@5"}``.
    - ``only_common``: leave out queries that some run lacks. Otherwise such a query counts 0 for this run.
    - ``per_query``: add a row for every query.
    - ``single_precision``: whether scores that are equal as float32 are ties, as in trec_eval. The default is True, but
      False for a result of :func:`stagg.fuse`, which has an order of its own, and for the conventions ``letor4``.
    - ``unjudged``: what becomes of items without a judgment. "irrelevant" is the usual rule; "skip" leaves them out, so
      that the items below move up (condensed lists); "bounds" also shows the lowest and the highest mean that their
      grades could give.
    - ``proxy``: labels by an LLM, say, also of queries that people did not judge. A second table has the means by
      people alone and corrected by the proxy, each with its 95 % interval (:mod:`stagg.evaluation.proxy`).
    - ``query_texts``: texts of queries, by id, which ``per_query`` shows beside them.

    Where items are not judged, the table has a column on how many of the first k are, and a warning where the runs are
    judged to different shares.

    >>> from stagg import Rankings
    >>> table = evaluate(Rankings.from_lists({"x": ["a", "b"]}), Labels({"1": {"b": 1}}), "mrr,p@1")
    >>> [(row["measure"], row["mean"]) for row in table.rows]
    [('mrr', 0.5), ('p@1', 0.0)]
    """
    given, grades, chosen = rankings_of(runs), labels_of(labels), ask_measures(measures)
    rows: list[dict[str, Any]] = []
    notes = [each.note for each in chosen if each.note is not None]
    pool, looks, lines = Pool([each.measure for each in chosen], unjudged), list[Look](), list[TwiceJudged]()
    other_grades = None if proxy is None else labels_of(proxy)
    for number, run in enumerate(given.rankers):
        seen = order_run(given.take_rankers([number]), conventions, single_precision)
        looks.append(pool.look(seen, grades, conventions=conventions, only_common=only_common))
        _check_labels(run, looks[-1].judged)
        notes += _notes(run, looks[-1].judged, only_common=only_common)
        if other_grades is not None:
            second = pool.look(seen, other_grades, conventions=conventions, only_common=only_common)
            lines.append(_line(run, pool, looks[-1], second))
    others, ends = (find([[look] for look in looks]) for find in (pool.suppose, pool.bound))
    for number, (run, look) in enumerate(zip(given.rankers, looks, strict=True)):
        means = {f"mean_if_{name}": values[number][0] for name, values in others.items()}
        means |= {name: values[number][0] for name, values in ends.items()}
        rows += _rows(run, chosen, pool.values(look), pool.shares([look]), means)
    warnings = tuple(tell_favoured(rows, "run", unjudged))
    notes += tell_bounds(rows, chosen, unjudged)
    shown = _list_queries(rows, looks, pool, check_texts("query_texts", query_texts)) if per_query else rows
    index = None if per_query else "run"
    table = Table("evaluate", tuple(shown), conventions=conventions, notes=tuple(notes), index=index, warnings=warnings)
    if other_grades is not None:
        names = [each.name for each in chosen]
        beside = proxy_tables(
            lines, names, grades, other_grades, known=frozenset(given.queries), index="run", what="Means"
        )
        table = dataclasses.replace(table, beside=beside)
    return table.add_settings(only_common=only_common, unjudged=None if unjudged == "irrelevant" else unjudged)


def order_run(run: Rankings, conventions: Conventions, single_precision: bool | None = None) -> Rankings:
    """A run in the order in which it is evaluated, wherever that is: as trec_eval sees it, unless it was fused here.

    The scores of a result of ``fuse`` may be closer than float32 can tell, and yet they say which item is before which;
    the TREC file that ``stagg fuse`` writes keeps this order in float32.
    """
    check_conventions(conventions)
    if single_precision is None:
        single_precision = conventions == "standard" and run.inputs is None
    return tie_in_single_precision(run) if single_precision else run


def measured(run: Rankings, labels: Labels, measures: Sequence[Measure], **options: Any) -> tuple[Judged, FloatArray]:
    """One run, judged, and values[measure, query]."""
    judged = judge(run, labels, **options)
    return judged, np.stack([measure.value(judged) for measure in measures])


def _rows(
    run: str,
    measures: Sequence[Asked],
    values: FloatArray,
    shares: Sequence[dict[str, Any]],
    others: Mapping[str, FloatArray],
) -> list[dict[str, Any]]:
    """Rows of one run; ``others`` are values[measure, query] if unjudged items were something else."""
    return [
        {"run": run, "measure": asked.name, "mean": _mean(values[k]), "queries": values.shape[1]}
        | shares[k]
        | {name: _mean(each[k]) for name, each in others.items()}
        for k, asked in enumerate(measures)
    ]


def _line(run: str, pool: Pool, look: Look, second: Look) -> TwiceJudged:
    """The run by the labels of people, and by those of a proxy."""
    return TwiceJudged(run, look.judged.queries, pool.values(look), second.judged.queries, pool.values(second))


def _list_queries(
    rows: Sequence[dict[str, Any]], looks: Sequence[Look], pool: Pool, texts: TextsLike | None
) -> list[dict[str, Any]]:
    """The rows of each run and measure, once for every query: its own value, and how much of it is judged."""
    listed: list[dict[str, Any]] = []
    several = [(look, k, values) for look in looks for k, values in enumerate(pool.values(look))]
    for row, (look, k, values) in zip(rows, several, strict=True):
        head = {name: row[name] for name in ("run", "measure", "mean", "queries")}
        shares = pool.query_shares(look, pool.measures[k])
        listed += [
            head
            | {"query": query}
            | ({"text": find_heading(texts, query)} if texts else {})
            | {"value": float(value), "judged": share, "judged_at": row["judged_at"]}
            for query, value, share in zip(look.judged.queries, values, shares, strict=True)
        ]
    return listed


def _mean(values: FloatArray) -> float | None:
    return float(np.mean(values)) if len(values) else None


def _check_labels(run: str, judged: Judged) -> None:
    """Refuse a run none of whose queries has labels: they belong to another collection. An empty run is just empty."""
    if judged.unjudged and not set(judged.queries) - set(judged.missing):
        raise DataError(f"no query of {bare(run)} has a label; are the query ids of the labels the same?")


def _notes(run: str, judged: Judged, *, only_common: bool) -> list[str]:
    """How many queries were missing, had no judgment, or had nothing relevant."""
    notes = []
    if judged.missing:
        one, many = ("is left out", "are left out") if only_common else ("counts 0", "count 0")
        shown_ids = ", ".join(judged.missing[:5]) + (", …" if len(judged.missing) > 5 else "")
        what = _count(
            len(judged.missing),
            f"query with labels is not in the run and {one}",
            f"queries with labels are not in the run and {many}",
        )
        notes.append(f"{run}: {what} ({shown_ids})")
    counts = (
        (
            len(judged.unjudged),
            "query of the run has no labels and is left out",
            "queries of the run have no labels and are left out",
        ),
        (
            judged.without_relevant,
            "query has no relevant item and counts 0",
            "queries have no relevant item and count 0",
        ),
    )
    return [*notes, *[f"{run}: {_count(*each)}" for each in counts if each[0]]]


def _count(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
