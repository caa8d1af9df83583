"""Several assessors: their sheets joined, how often they differ, and how far they agree beyond chance."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from stagg.errors import DataError, bare, plural, shown
from stagg.judging.sheet import CANNOT, Row, Sheet

__all__ = ["Agreement", "JoinedSheets", "cohen_kappa", "join_sheets", "measure_agreement", "tell_agreement"]

RELEVANT: Final = 1
"""Grades from here on mean that a document is relevant at all."""
LONGEST_LIST: Final = 5  # names in a sentence

Given = Mapping[tuple[str, str], Mapping[str, float]]
"""The grades of each document (query, item), by the name of the assessor."""


class Agreement(NamedTuple):
    """How far assessors agree on the ``shared`` documents that two or more of them graded; ``differ``: differently.

    ``kappa`` is Cohen's κ of their grades, ``relevant`` that of "relevant or not": with more than two assessors the
    mean over the ``pairs`` of them for which it is defined, NaN if there are none.
    """

    assessors: tuple[str, ...]
    shared: int
    differ: int
    pairs: int
    kappa: float
    relevant: float


@dataclasses.dataclass(frozen=True)
class JoinedSheets:
    """One grade for each document: the mean where assessors differ. ``cannot``: those that nobody could judge.

    ``nameless`` is the number of documents that have two or more different grades without a name.
    """

    grades: Mapping[tuple[str, str], float]
    cannot: frozenset[tuple[str, str]]
    agreement: Agreement
    nameless: int = 0


def join_sheets(sheets: Iterable[Sheet]) -> JoinedSheets:
    """Join the grades of sheets. Of two grades by one assessor for one document, the later counts.

    Sheets without a name may be one person's or several people's: of equal grades one counts, different ones are
    averaged, and κ leaves them out.

    >>> one = Sheet("5e1f", 1, 20, (Row("q", "d1", "2", "ann"), Row("q", "d2", "cannot", "ann")))
    >>> other = Sheet("5e1f", 1, 20, (Row("q", "d1", "1", "ben"), Row("q", "d2", "cannot", "ben")))
    >>> joined = join_sheets([one, other])
    >>> joined.grades, joined.cannot
    ({('q', 'd1'): 1.5}, frozenset({('q', 'd2')}))
    """
    named: dict[tuple[str, str], dict[str, float]] = {}
    nameless: dict[tuple[str, str], set[float]] = {}
    cannot: set[tuple[str, str]] = set()
    for row in (row for sheet in sheets for row in sheet.rows if row.grade):
        document = row.query, row.item
        if row.grade == CANNOT:
            cannot.add(document)
        elif row.assessor:
            named.setdefault(document, {})[row.assessor] = _read_number(row)
        else:
            nameless.setdefault(document, set()).add(_read_number(row))
    grades = {
        document: _mean([*named.get(document, {}).values(), *nameless.get(document, ())])
        for document in sorted({*named, *nameless})
    }
    twice = sum(len(of) > 1 for of in nameless.values())
    return JoinedSheets(grades, frozenset(cannot - grades.keys()), measure_agreement(named), twice)


def measure_agreement(given: Given) -> Agreement:
    """Agreement of assessors on the documents that two or more of them graded.

    >>> measure_agreement({("q", "d1"): {"ann": 2, "ben": 2}, ("q", "d2"): {"ann": 0, "ben": 1}}).kappa.__round__(3)
    0.333
    """
    shared = [of for of in given.values() if len(of) > 1]
    pairs: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for of in shared:
        for one, other in itertools.combinations(sorted(of), 2):
            pairs.setdefault((one, other), []).append((of[one], of[other]))
    kappas = _defined(cohen_kappa(both) for both in pairs.values())
    relevant = _defined(cohen_kappa([(a >= RELEVANT, b >= RELEVANT) for a, b in both]) for both in pairs.values())
    return Agreement(
        tuple(sorted({name for of in given.values() for name in of})),
        len(shared),
        sum(len(set(of.values())) > 1 for of in shared),
        len(kappas),
        _mean(kappas),
        _mean(relevant),
    )


def cohen_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float:
    """Cohen's κ, the share of agreement beyond that of chance: (observed - expected) / (1 - expected).

    Cohen, A coefficient of agreement for nominal scales (1960), equation 1. ``pairs`` are what two assessors said of
    each document. NaN without documents, and where both always said the same one thing: then chance explains it all.

    >>> round(cohen_kappa([("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15), 12)
    0.4
    """
    count = len(pairs)
    mine, theirs = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(mine[each] * theirs[each] for each in mine)  # times count²
    agreed = sum(a == b for a, b in pairs)
    return float("nan") if chance == count**2 else (agreed * count - chance) / (count**2 - chance)


def tell_agreement(found: Agreement) -> str:
    """Who judged and how far they agree, in a sentence; nothing where there is only one assessor.

    >>> print(tell_agreement(Agreement(("ann", "ben"), 40, 9, 1, 0.518, 0.7)))
    2 assessors (ann, ben): 40 documents have grades of both, 9 of them different (their mean counts). κ = 0.52, and
    0.70 for relevant or not
    """
    if len(found.assessors) < 2:
        return ""
    names = ", ".join(bare(name) for name in found.assessors[:LONGEST_LIST])
    more = ", …" if len(found.assessors) > LONGEST_LIST else ""
    who = f"{plural(len(found.assessors), 'assessor')} ({names}{more})"
    several = "both" if len(found.assessors) == 2 else "two or more"
    if not found.shared:
        return f"{who}: no document has grades of {several}, so nothing says how far they agree"
    differ = f"{found.differ} of them different (their mean counts)" if found.differ else "all of them equal"
    shared = plural(found.shared, "document has", "documents have")
    return f"{who}: {shared} grades of {several}, {differ}. {_tell_kappa(found)}"


def _tell_kappa(found: Agreement) -> str:
    if not found.pairs:
        return "κ is not defined, since all have the same grade"
    mean = "κ" if found.pairs == 1 else f"Mean κ of {found.pairs} pairs of assessors"
    relevant = "" if np.isnan(found.relevant) else f", and {found.relevant:.2f} for relevant or not"
    return f"{mean} = {found.kappa:.2f}{relevant}"


def _read_number(row: Row) -> float:
    try:
        grade = float(row.grade)
    except ValueError:
        grade = float("nan")
    if not np.isfinite(grade):
        raise DataError(
            f"query {shown(row.query)}, item {shown(row.item)}: the grade is {shown(row.grade)}; expected a number, "
            f"{CANNOT!r}, or nothing where it is not judged",
            query=row.query, item=row.item,
        )  # fmt: skip
    return grade


def _defined(values: Iterable[float]) -> list[float]:
    return [value for value in values if not np.isnan(value)]


def _mean(values: Sequence[float]) -> float:
    """The mean, the same in any order; NaN of nothing."""
    return float(np.mean(sorted(values))) if values else float("nan")
