"""Records of judging: sheets and labels joined, what was asked for kept apart from what happens to be judged."""

from __future__ import annotations

import contextlib
import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from stagg.data.labels import Labels, labels_of
from stagg.errors import DataError, bare, plural, shown
from stagg.formats import ReadLog, read_labels
from stagg.formats.row_checks import PLAN_TAG
from stagg.judging.assessors import join_sheets, tell_agreement
from stagg.judging.sheet import CANNOT, Sheet, is_sheet, read_sheets
from stagg.judging.teach import TEACHES
from stagg.judging.units import HIGHEST_GRADE, Document
from stagg.say import Say, tell

__all__ = ["JudgedLike", "Judgments", "join_judgments", "qrels_text"]

JudgedLike = Labels | Mapping[str, Mapping[str, float]] | Sheet | str | Path
"""What was judged: sheets, labels, or files of them."""


@dataclasses.dataclass(frozen=True)
class Judgments:
    """All grades, whoever gave them: the mean of several. ``cannot``: documents that nobody could judge.

    ``handed_out``: each (batch, points) of the sheets of one plan; two sheets may begin alike and end elsewhere.
    """

    grades: Mapping[Document, float]
    cannot: frozenset[Document]
    handed_out: frozenset[tuple[int, int]]
    notes: tuple[str, ...] = ()

    @property
    def labels(self) -> Labels:
        """The grades as labels."""
        grades: dict[str, dict[str, float]] = {}
        for (query, item), grade in sorted(self.grades.items()):
            grades.setdefault(query, {})[item] = grade
        return Labels(grades)


def join_judgments(judged: Any, digest: str, documents: Sequence[Document], top: float) -> Judgments:
    """Join what was judged; ``digest`` and ``documents`` are those of the plan, ``top`` is the highest grade."""
    sheets, labels = _sort_out(judged)
    for sheet in sheets:
        _check_documents(sheet, digest, documents)
        _check_rows(sheet, top)
    joined = join_sheets(sheets)
    grades = dict(joined.grades)
    for query, item, grade in ((q, item, grade) for each in labels for q in each for item, grade in each[q].items()):
        _check_grade(grade, query, item, top)
        grades.setdefault((query, item), grade)
    own = frozenset((sheet.batch, sheet.points) for sheet in sheets if sheet.plan == digest)
    cannot = joined.cannot - grades.keys()
    told = [tell_agreement(joined.agreement), _tell_nameless(joined.nameless), _tell_cannot(cannot, documents)]
    notes = (*_tell_plans(sheets, labels, digest), *_tell_batches(own), *filter(None, told))
    return Judgments(grades, cannot, own, notes)


def qrels_text(labels: Labels, digest: str) -> str:
    """Qrels whose second column, which evaluators ignore, names the plan.

    >>> qrels_text(Labels({"q": {"d": 2}}), "5e1f")
    'q stagg-judge-5e1f d 2\\n'
    """
    rows = [(query, item, grade) for query in labels for item, grade in labels[query].items()]
    odd = next((name for query, item, _ in rows for name in (query, item) if not name or name.split() != [name]), None)
    if odd is not None:
        raise DataError(f"qrels cannot hold the id {shown(odd)}: it has blanks; keep the sheets as labels")
    return "".join(f"{query} {PLAN_TAG}{digest} {item} {grade:g}\n" for query, item, grade in rows)


def _sort_out(judged: Any) -> tuple[list[Sheet], list[Labels]]:
    """The sheets and the labels among what was given."""
    sheets, labels = list[Sheet](), list[Labels]()
    for each in _list(judged):
        if isinstance(each, Sheet):
            sheets.append(each)
        elif not isinstance(each, str | Path):
            labels.append(labels_of(each))
        elif is_sheet(each):
            sheets.extend(read_sheets([each]))
        else:
            labels.append(read_labels(each, log=ReadLog(), float_labels=True))
    return sheets, labels


def _list(judged: Any) -> Iterable[Any]:
    if judged is None:
        return []
    return judged if isinstance(judged, list | tuple) else [judged]


def _check_documents(sheet: Sheet, digest: str, documents: Sequence[Document]) -> None:
    """Refuse a sheet of this plan with documents that the plan does not have: a spreadsheet changed their ids."""
    known = set(documents) if sheet.plan == digest else set()
    for row in sheet.rows if known else ():
        if (row.query, row.item) not in known:
            raise DataError(
                f"the plan {bare(digest)} never asked for query {shown(row.query)}, item {shown(row.item)}; did a "
                "spreadsheet change the ids? Read its columns as text",
                query=row.query, item=row.item,
            )  # fmt: skip


def _check_rows(sheet: Sheet, top: float) -> None:
    """Refuse numbers that are no grades, before a mean hides them; texts are refused when sheets are joined."""
    for row in sheet.rows:
        if row.grade and row.grade != CANNOT:
            with contextlib.suppress(ValueError):
                _check_grade(float(row.grade), row.query, row.item, top)


def _check_grade(grade: float, query: str, item: str, top: float) -> None:
    if 0 <= grade <= top:
        return
    largest = math.ceil(grade) if top < grade <= HIGHEST_GRADE else None
    remedy = tell("; if grades go further, say ", Say(top_grade=largest)) if largest is not None else ""
    raise DataError(
        tell(f"query {shown(query)}, item {shown(item)}: the grade is {grade:g}; expected 0 to {top:g}", remedy),
        query=query, item=item,
    )  # fmt: skip


# --- notes ------------------------------------------------------------------------------------------------------------


def _tell_plans(sheets: Sequence[Sheet], labels: Sequence[Labels], digest: str) -> list[str]:
    """What becomes of grades that this plan did not ask for."""
    notes = []
    others = [sheet for sheet in sheets if sheet.plan != digest and not sheet.plan.startswith(TEACHES)]
    for plan in dict.fromkeys(sheet.plan for sheet in others):
        count = sum(bool(row.grade) for sheet in others if sheet.plan == plan for row in sheet.rows)
        changed = (
            f"of another plan ({bare(plan)}; this one is {digest}): the runs, the settings or the seed have changed"
        )
        notes.append(
            f"{plural(count, 'grade is', 'grades are')} {changed}. They are kept and free, but the new plan begins anew"
            if count
            else f"a sheet without grades is {changed}. Judge the new sheet instead"
        )
    taught = sum(bool(row.grade) for sheet in sheets if sheet.plan.startswith(TEACHES) for row in sheet.rows)
    if taught:
        notes.append(
            f"{plural(taught, 'grade', 'grades')} of a draw that teaches: free here, but not a proof by itself"
        )
    found = sum(len(each[query]) for each in labels for query in each)
    if found:
        notes.append(
            f"{plural(found, 'label')} without a plan: free where the plan asks for the document, but not a proof by "
            "itself, since nobody knows how the documents were chosen"
        )
    return notes


def _tell_nameless(documents: int) -> str:
    if not documents:
        return ""
    many = plural(documents, "document has", "documents have")
    return (
        f"{many} different grades without the name of an assessor: their mean counts. If a file was saved twice, name "
        "only the later one; if several people judged, the column assessor says who"
    )


def _tell_cannot(cannot: frozenset[Document], documents: Sequence[Document]) -> str:
    count = len(cannot.intersection(documents))
    many = plural(count, "document", "documents")
    return f"nobody could judge {many}: the intervals cover both the lowest and the highest grade" if count else ""


def _tell_batches(own: Iterable[tuple[int, int]]) -> list[str]:
    batches = {batch for batch, _ in own}
    missing = [str(batch) for batch in range(1, max(batches, default=0)) if batch not in batches]
    if not missing:
        return []
    which = f"batch {missing[0]} is" if len(missing) == 1 else f"batches {', '.join(missing)} are"
    return [f"{which} missing: name the files of all batches"]
