"""Labels: how relevant the judged items of each query are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, final

import numpy as np

from stagg.data.inputs.lists import id_text
from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, plural, shown
from stagg.kernels.arrays import FloatArray

__all__ = ["LARGEST_LABEL", "UNJUDGED", "Labels", "labels_of"]

UNJUDGED: Final = -1.0
"""Grade that :meth:`Labels.aligned` gives to an item without a judgment."""

LARGEST_LABEL: Final = 1000


@final
class Labels:
    """Grades of items per query: immutable, comparable, picklable. Grades below 0 mean "not judged" and are left out.

    >>> labels = Labels({"q1": {"a": 2, "b": 0}})
    >>> labels["q1"]["a"], "q2" in labels
    (2.0, False)
    >>> labels
    Labels(1 query, 2 judgments, grades 0 to 2)
    """

    __slots__ = ("_grades",)
    _grades: Mapping[str, Mapping[str, float]]

    def __init__(self, grades: Mapping[str, Mapping[str, float]]) -> None:
        if not isinstance(grades, Mapping) or not all(isinstance(of, Mapping) for of in grades.values()):
            raise InvalidParameter(f"labels are made from {{query: {{item: grade}}}}, not {shown(grades)}")
        checked = {
            _text(query, "query"): MappingProxyType(
                {_text(item, "item"): grade for item, value in of.items() if (grade := _grade(value, query, item)) >= 0}
            )
            for query, of in grades.items()
        }
        object.__setattr__(self, "_grades", MappingProxyType(checked))

    @property
    def queries(self) -> tuple[str, ...]:
        """The ids of the queries that have labels."""
        return tuple(self._grades)

    def __len__(self) -> int:
        return len(self._grades)

    def __iter__(self) -> Iterator[str]:
        return iter(self._grades)

    def __contains__(self, query: object) -> bool:
        return query in self._grades

    def __getitem__(self, query: str) -> Mapping[str, float]:
        """The grades of a query's judged items; empty for a query without judgments."""
        return self._grades.get(query, MappingProxyType({}))

    def aligned(self, rankings: Rankings) -> FloatArray:
        """One grade per item of the rankings, UNJUDGED where there is none."""
        if not isinstance(rankings, Rankings):
            raise InvalidParameter(f"expected rankings, not {shown(rankings)}")
        known = [(view.items, self[view.id].get) for view in rankings]
        grades = [grade_of(item, UNJUDGED) for items, grade_of in known for item in items]
        return np.array(grades, dtype=float)

    def take(self, queries: Iterable[str]) -> Labels:
        """The labels of some queries; those without labels are left out."""
        try:
            return Labels({query: self._grades[query] for query in queries if query in self._grades})
        except (TypeError, ValueError):  # what is no list, and ids that have no hash
            raise InvalidParameter(f"expected the ids of queries in a list, not {shown(queries)}") from None

    @property
    def largest(self) -> float:
        """The largest grade given, 0 when there is none."""
        return max((grade for of in self._grades.values() for grade in of.values()), default=0.0)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Labels) and self._grades == other._grades

    def __hash__(self) -> int:
        return hash(frozenset(self._grades))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("Labels are immutable")

    def __reduce__(self) -> tuple[object, ...]:
        return Labels, ({query: dict(of) for query, of in self._grades.items()},)

    def __repr__(self) -> str:
        judged = [grade for of in self._grades.values() for grade in of.values()]
        span = f", grades {min(judged):g} to {max(judged):g}" if judged else ""
        queries = f"{plural(len(self), 'query', 'queries')}"
        return f"Labels({queries}, {len(judged):,} judgments{span})"


def labels_of(labels: Any) -> Labels:
    """Labels, or labels from {query: {item: grade}}."""
    if isinstance(labels, Labels):
        return labels
    if isinstance(labels, Mapping):
        return Labels(labels)
    raise InvalidParameter(f"labels are Labels or {{query: {{item: grade}}}}, not {shown(labels)}")


def _text(value: Any, what: str) -> str:
    """The text of an id; whether an empty one can be meant is for the reader of a file to say."""
    return value if type(value) is str else id_text(value, what)


def _grade(value: float, query: str, item: str) -> float:
    try:
        grade = float(value)
    except (TypeError, ValueError, OverflowError):
        grade = float("nan")
    if not grade <= LARGEST_LABEL:
        raise DataError(
            f"query {shown(query)}, item {shown(item)}: the label is {shown(value)}; "
            f"expected a number up to {LARGEST_LABEL}"
        )
    return grade
