"""ir_measures: check our measures against trec_eval, gdeval, MS MARCO's script and others."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from stagg.data.inputs.construct import rankings_of
from stagg.data.inputs.types import RankingsLike
from stagg.data.labels import Labels, labels_of
from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, UnknownName, need, shown
from stagg.evaluation.evaluate import order_run
from stagg.evaluation.tables import Table
from stagg.measures import MEASURES, Measure, judge
from stagg.measures.names import ALIASES
from stagg.registry import near_names, split_list

__all__ = ["check", "translate"]

TOLERANCE: Final = 1e-5  # gdeval writes five digits


def check(
    runs: RankingsLike,
    labels: Labels | Mapping[str, Mapping[str, float]],
    measures: str | Sequence[Any] = "nDCG@10",
) -> Table:
    """Our value of each measure beside that of ir_measures, over the queries that run and labels share.

    ``measures`` are those of ir_measures, by its names: "nDCG@10, AP(rel=2), RR@10, P@5, R@100, Success@1, Judged@10",
    and where its providers are installed "ERR@20, nDCG(dcg='exp-log2')@10" (perl) and "RBP(rel=1, p=0.95)" (cwl_eval).
    Both see the same order, that of :func:`stagg.evaluate`: scores that are equal as float32 are ordered by id first,
    since its providers have several rules.

    Every row has the measure, what it is called here, both means, the largest difference for any query, and whether
    that is below 1e-5.
    """
    given, grades = rankings_of(runs), labels_of(labels)
    asked = [_parsed(each) for each in (split_list(measures) if isinstance(measures, str) else measures)]
    rows = [
        {"run": name} | _compare(order_run(given.take_rankers([number]), "standard"), grades, theirs)
        for number, name in enumerate(given.rankers)
        for theirs in asked
    ]
    return Table("check", tuple(rows))


def translate(measure: Any) -> Measure:
    """Our own measure for one of ir_measures, or for its text (:mod:`stagg.measures.names`)."""
    theirs = _parsed(measure)
    if theirs.NAME == "RBP" and "rel" not in theirs.params:
        raise InvalidParameter(f"{theirs!r}: ir_measures has no value of RBP without rel")
    try:
        return MEASURES.parse(repr(theirs))
    except UnknownName:
        raise UnknownName(f"stagg has no measure for {theirs!r}") from None


def _parsed(measure: Any) -> Any:
    """A measure of ir_measures."""
    ir_measures = need("ir_measures", "second opinions on measures", package="ir-measures", extra="ir-measures")
    try:
        return ir_measures.parse_measure(measure)
    except NameError:
        raise UnknownName(f"ir_measures knows no measure {shown(measure)}{near_names(measure, ALIASES)}") from None
    except (ValueError, TypeError) as error:
        raise InvalidParameter(f"ir_measures cannot read the measure {shown(measure)}: {error}") from None


def _compare(run: Rankings, labels: Labels, theirs: Any) -> dict[str, Any]:
    measure = translate(theirs)
    judged = judge(run, labels, only_common=True)
    ours = measure.value(judged)
    others = _their_values(run, labels, judged.queries, theirs)
    worst = float(np.abs(ours - others).max(initial=0.0))
    return {
        "measure": repr(theirs),
        "here": repr(measure),
        "ours": float(ours.mean()) if len(ours) else None,
        "theirs": float(others.mean()) if len(ours) else None,
        "difference": worst,
        "agrees": worst < TOLERANCE,
        "queries": len(ours),
    }


def _their_values(run: Rankings, labels: Labels, queries: Sequence[str], theirs: Any) -> Any:
    """Their value for each query. Ids go over as numbers: some providers write TREC files, which hold no blanks."""
    import ir_measures

    numbers = {query: str(number) for number, query in enumerate(queries)}
    documents: dict[str, str] = {}

    def document(item: str) -> str:
        return documents.setdefault(item, f"d{len(documents)}")

    listed = {query: _in_order(run, query) for query in queries}
    their_run = {
        numbers[query]: {document(item): float(len(order) - place) for place, item in enumerate(order)}
        for query, order in listed.items()
    }
    their_labels = {
        numbers[query]: {document(item): _whole(grade, query, item) for item, grade in labels[query].items()}
        for query in queries
    }
    try:
        values = {each.query_id: each.value for each in ir_measures.iter_calc([theirs], their_labels, their_run)}
    except (ValueError, subprocess.CalledProcessError) as error:  # no provider; a grade that gdeval refuses
        raise InvalidParameter(f"ir_measures has no value for {theirs!r}: {error}") from None
    return np.array([values[numbers[query]] for query in queries], dtype=float)


def _in_order(run: Rankings, query: str) -> list[str]:
    """The items of a query, best first, equal ones by id, descending."""
    (groups,) = run[query].lists.values()
    return [item for group in groups for item in sorted(group, reverse=True)]


def _whole(grade: float, query: str, item: str) -> int:
    if grade != int(grade):
        raise DataError(f"query {shown(query)}, item {shown(item)}: ir_measures takes whole grades only, not {grade:g}")
    return int(grade)
