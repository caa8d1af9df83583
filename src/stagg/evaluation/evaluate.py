"""Runs against labels: the value of every measure for every query, and the means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stagg.data.construct import rankings_of
from stagg.data.given import RankingsLike
from stagg.data.labels import Labels, labels_of
from stagg.data.rankings import Rankings
from stagg.errors import DataError, bare
from stagg.evaluation.tables import Table
from stagg.kernels.arrays import FloatArray
from stagg.measures import DEFAULT_MEASURES, Asked, Conventions, Judged, Measure, MeasuresLike, ask_measures, judge

__all__ = ["evaluate", "measured"]


def evaluate(
    runs: RankingsLike,
    labels: Labels | Mapping[str, Mapping[str, float]],
    measures: MeasuresLike = DEFAULT_MEASURES,
    *,
    conventions: Conventions = "standard",
    per_query: bool = False,
    only_common: bool = False,
    single_precision: bool = False,
) -> Table:
    """The mean of each measure for each run, over all queries that have labels. Every ranker of ``runs`` is a run.

    A run none of whose queries has labels is an error: the labels belong to other queries.

    - ``measures``: text such as "ndcg@10, map". The names of other tools work, too, and mean what they mean there:
      "nDCG@10" is ir_measures', with the gain y. You can name a column: "Hits: success@5" or ``{"Hits": "success@5"}``.
    - ``only_common``: leave out queries that some run lacks. Otherwise such a query counts 0 for this run.
    - ``per_query``: add a row for every query.
    - ``single_precision``: treat scores as tied if they are equal as float32, as trec_eval does.

    >>> from stagg import Rankings
    >>> table = evaluate(Rankings.from_lists({"x": ["a", "b"]}), Labels({"1": {"b": 1}}), "mrr,p@1")
    >>> [(row["measure"], row["mean"]) for row in table.rows]
    [('mrr', 0.5), ('p@1', 0.0)]
    """
    given, grades, chosen = rankings_of(runs), labels_of(labels), ask_measures(measures)
    rows: list[dict[str, Any]] = []
    notes = [each.note for each in chosen if each.note is not None]
    for number, run in enumerate(given.rankers):
        judged = judge(
            given.take_rankers([number]),
            grades,
            conventions=conventions,
            only_common=only_common,
            single_precision=single_precision,
        )
        _check_labels(run, judged)
        rows += _rows(run, chosen, judged, per_query=per_query)
        notes += _notes(run, judged, only_common=only_common)
    index = None if per_query else "run"
    table = Table("evaluate", tuple(rows), conventions=conventions, notes=tuple(notes), index=index)
    return table.add_settings(only_common=only_common)


def measured(run: Rankings, labels: Labels, measures: Sequence[Measure], **options: Any) -> tuple[Judged, FloatArray]:
    """One run, judged, and values[measure, query]."""
    judged = judge(run, labels, **options)
    return judged, np.stack([measure.value(judged) for measure in measures])


def _rows(run: str, measures: Sequence[Asked], judged: Judged, *, per_query: bool) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for asked in measures:
        values = asked.measure.value(judged)
        mean = float(np.mean(values)) if len(values) else None
        head = {"run": run, "measure": asked.name, "mean": mean, "queries": len(values)}
        if not per_query:
            rows.append(head)
        rows += [
            head | {"query": query, "value": float(value)}
            for query, value in zip(judged.queries, values, strict=True)
            if per_query
        ]
    return rows


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
