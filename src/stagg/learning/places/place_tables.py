"""Shared base of fusions that learn from relevant places: what they count, and a model that is a table by ranker."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np

from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.ties import share_ties
from stagg.learning.base import Learner, Lesson, Model, Step, one_measure, restore_rows, take_labelled
from stagg.measures import judge
from stagg.methods import Method
from stagg.methods.base import Positional, in_range
from stagg.methods.consensus import consensus
from stagg.methods.positional.comb import CombSUM
from stagg.registry import Parametrised, one_of, whole_number

__all__ = [
    "COMPAT",
    "PlaceLearner",
    "Rows",
    "Study",
    "TableModel",
    "as_rows",
    "check_norm",
    "choose",
    "pick_norm",
    "study",
]

COMPAT = ("ranx",)
LATER_PLACES = "a later place may be worth more than the first, if that is what training found"
COUNT_PLACES = {"segments": 1, "window": 0}  # options of models that are numbers of places, and the least of each
MOST_PLACES = 1 << 40

Rows = tuple[tuple[float, ...], ...]
M = TypeVar("M", bound=Model)
C = TypeVar("C")


class Study(NamedTuple):
    """The labelled queries: their rankings, and which entries are relevant."""

    rankings: Rankings
    hits: FloatArray
    """1 where the entry is relevant; tied entries share theirs, so that no order among them counts."""
    lists: FloatArray
    """lists[k] = how many lists ranker k has, at least 1."""

    @property
    def shape(self) -> tuple[int, int]:
        """(rankers, places of the longest list)."""
        return len(self.rankings.rankers), int(self.rankings.list_lengths.max(initial=0))


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class PlaceLearner(Learner):
    """A learner that asks in which places of its lists a ranker puts relevant items; ``rel``: relevant from this grade.

    An item without a label counts as not relevant. A query for which a ranker has no list says nothing about it.
    """

    rel: float = 1

    def __post_init__(self) -> None:
        in_range(self, "rel", 0, open_low=True)


def study(learner: PlaceLearner, lesson: Lesson) -> Study:
    known = take_labelled(lesson.rankings, lesson.labels)
    if lesson.validation is not None:
        take_labelled(*lesson.validation, "validation part")  # a wrong one is an error, of use or not
    relevant = lesson.labels.aligned(known) >= learner.rel
    if not relevant.any():
        raise DataError(f"the training part has no relevant item, of grade {learner.rel:g} or more: nothing to learn")
    hits = relevant[known.entries].astype(float)
    lists = np.bincount(known.list_rankers, minlength=len(known.rankers))
    return Study(known, share_ties(hits, known.tied), np.maximum(lists, 1).astype(float))


def check_norm(learner: Learner, norm: str | None, compat: str | None) -> None:
    """Refuse a norm that the Comb methods do not know, or that the tool does not."""
    if compat is not None:
        one_of(learner, "compat", COMPAT)
    if norm is not None:
        try:
            CombSUM(norm=norm, compat=compat)
        except InvalidParameter as error:
            raise InvalidParameter(str(error).replace("combsum", learner.name, 1)) from None


def pick_norm(norm: str | None, rankings: Rankings) -> str:
    """The norm that was asked for; else "min-max" for rankings with scores, "rank" for others."""
    scored = rankings.scores is not None and not np.isnan(rankings.scores).any()
    return norm or ("min-max" if scored else "rank")


def choose(
    learner: Parametrised, lesson: Lesson, measure: str, candidates: Sequence[C], model_of: Callable[[C], M]
) -> tuple[C, M, tuple[str, float]]:
    """The candidate whose model has the best mean measure, that model, and the mean with its name.

    Judged on the validation part, without one on the training queries: the name says which. Of equally good candidates
    the last is taken, as ranx does.
    """
    part, labels = (lesson.rankings, lesson.labels) if lesson.validation is None else lesson.validation
    part = take_labelled(part, labels, "rankings" if lesson.validation is None else "validation part").active()
    aligned, measured = labels.aligned(part), one_measure(learner, measure)
    best: tuple[C, M, float] | None = None
    for number, candidate in enumerate(candidates, 1):
        model = model_of(candidate)
        judged = judge(
            consensus(part, model), labels, conventions=lesson.conventions, only_common=True, aligned=aligned
        )
        mean = float(np.mean(measured.value(judged)))
        if best is None or mean >= best[2]:
            best = candidate, model, mean
        if lesson.watch is not None and lesson.watch(Step(number, len(candidates), best[2])):
            break
    assert best is not None  # there is always a candidate
    return best[0], best[1], ("mean" if lesson.validation is None else "validation", best[2])


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class TableModel(Model, Positional):
    """A finished method that gives an item what a table says of the ranker and of the place in its list.

    ``values[k]`` is the row of ranker k. What lies beyond the row, a place that training did not reach, is worth 0.
    """

    options: ClassVar[tuple[str, ...]] = ()
    """Parameters that the model file holds beside the table."""

    values: Rows

    def bind(self, rankings: Rankings) -> tuple[Method, Rankings]:
        self.check_rankers(rankings)
        return self, rankings

    def unbounded(self) -> str | None:
        return LATER_PLACES

    def owners(self, rankings: Rankings) -> IntArray:
        """The row of each list."""
        self.refuse_unknown(rankings)
        rows = {name: number for number, name in enumerate(self.rankers)}
        return np.array([rows[name] for name in rankings.rankers], dtype=np.intp)[rankings.list_rankers]

    def look_up(self, rankings: Rankings, columns: IntArray, rows: Rows | None = None) -> FloatArray:
        """The value of each entry, which stands in some column of its ranker's row; 0 beyond the row."""
        rows = self.values if rows is None else rows
        sizes = np.array([len(row) for row in rows], dtype=np.intp)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        flat = np.array([*[value for row in rows for value in row], 0.0])
        owners = self.owners(rankings)[rankings.entry_lists]
        inside = columns < sizes[owners]
        found: FloatArray = flat[np.where(inside, starts[owners] + columns, len(flat) - 1)]
        return found

    def content(self) -> dict[str, Any]:
        given = {name: getattr(self, name) for name in self.options}
        return given | {"values": {name: list(row) for name, row in zip(self.rankers, self.values, strict=True)}}

    @classmethod
    def restore(cls, common: dict[str, Any], content: dict[str, Any]) -> Self:
        values = restore_rows(content, "values", common["rankers"])
        return cls(**common, **cls.restore_options(content), values=values)

    @classmethod
    def restore_options(cls, content: dict[str, Any]) -> dict[str, Any]:
        """The options that a model file holds; those that count places are whole numbers within reason."""
        places = [name for name in cls.options if name in COUNT_PLACES]
        for name in places:
            whole_number(name, content[name], least=COUNT_PLACES[name], most=MOST_PLACES)
        return {name: content[name] for name in cls.options}


def as_rows(table: FloatArray, counts: FloatArray | None = None) -> Rows:
    """A table as rows of Python numbers; ``counts`` cuts each row after its last column that is not 0 there."""
    if counts is None:
        return tuple(tuple(row.tolist()) for row in table)
    ends = [int(np.flatnonzero(row).max(initial=-1)) + 1 for row in counts]
    return tuple(tuple(row[:end].tolist()) for row, end in zip(table, ends, strict=True))
