"""Battles as they were fought: who stood first, who second, who judged, on which question, and how it ended."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

import numpy as np

from stagg.errors import plural
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.id_order import order_by_id

__all__ = ["BattleRows", "code_texts", "join_battle_rows", "make_battle_rows"]

NOBODY = "judge"  # where no column says who judged


@dataclasses.dataclass(frozen=True)
class BattleRows:
    """Battles, a row each: codes of contestants, judge and question; ``outcome`` is 1, 0 or -1 for first, tie, second.

    ``times`` says how many battles a row stands for. Without names of questions every row is a question of its own.
    ``placed`` is False where the first is the winner, wherever it stood. ``detail``: a number for what else a row says,
    such as the turn of a conversation; None if it says nothing else.
    Names are in bytewise order, so that codes do not depend on the order of the rows.
    """

    contestants: tuple[str, ...]
    judges: tuple[str, ...]
    first: IntArray
    second: IntArray
    judge: IntArray
    question: IntArray
    outcome: IntArray
    times: FloatArray
    questions: tuple[str, ...] | None = None
    placed: bool = True
    detail: IntArray | None = None

    @property
    def asked(self) -> bool:
        """Whether the rows say on which question they were fought."""
        return self.questions is not None

    @property
    def judged(self) -> bool:
        """Whether the rows say who judged."""
        return self.judges != (NOBODY,)

    def __len__(self) -> int:
        return len(self.first)

    @property
    def summary(self) -> str:
        """How many there are, for a message."""
        judges = plural(len(self.judges), "judge") if self.judged else "no judge named"
        return f"{plural(len(self), 'battle')} of {plural(len(self.contestants), 'model')}, {judges}"

    def take(self, rows: IntArray | BoolArray) -> BattleRows:
        """Some of the rows; contestants and judges keep their codes."""
        columns = ("first", "second", "judge", "question", "outcome", "times", *["detail"] * (self.detail is not None))
        return dataclasses.replace(self, **{name: getattr(self, name)[rows] for name in columns})

    def drop_judges(self, kept: BoolArray) -> BattleRows:
        """The rows that are kept; judges who have none left are gone."""
        if kept.all():
            return self
        left = self.take(kept)
        codes, judge = np.unique(left.judge, return_inverse=True)
        return dataclasses.replace(left, judges=tuple(self.judges[code] for code in codes.tolist()), judge=judge)

    def replace_judge(self, name: str) -> BattleRows:
        """The same, of which this is the only judge."""
        return dataclasses.replace(self, judges=(name,), judge=np.zeros_like(self.judge))

    def find_repeats(self, *, whole: bool = True) -> BoolArray:
        """Which rows say what an earlier row says: same question, judge, contestants in their places, and outcome.

        ``whole``: and the same in all other columns. Without questions none does: two contestants may meet many times.
        """
        repeated = np.zeros(len(self), dtype=bool)
        if not self.asked:
            return repeated
        n, judges = len(self.contestants), len(self.judges)
        sides = (self.first * n + self.second) * 3 + self.outcome + 1
        keys = (self.question * judges + self.judge) * (3 * n * n) + sides
        order = np.argsort(keys, kind="stable") if self.detail is None else np.lexsort((self.detail, keys))
        same = np.diff(keys[order], prepend=-1) == 0
        if whole and self.detail is not None:
            same[1:] &= np.diff(self.detail[order]) == 0
        repeated[order] = same
        return repeated


def make_battle_rows(
    sides: tuple[Sequence[str], Sequence[str]],
    outcomes: Iterable[int],
    *,
    judges: Sequence[str] | None = None,
    questions: Sequence[str] | None = None,
    times: Sequence[float] | None = None,
    placed: bool = True,
    detail: Sequence[int] | IntArray | None = None,
) -> BattleRows:
    """Battles from columns of text.

    >>> made = make_battle_rows((["gpt", "llama"], ["llama", "phi"]), [1, 0])
    >>> made.contestants, made.first.tolist(), made.second.tolist(), made.judges
    (('gpt', 'llama', 'phi'), [0, 1], [1, 2], ('judge',))
    """
    n = len(sides[0])
    contestants, both = code_texts([*sides[0], *sides[1]])
    names, judge = ((NOBODY,), np.zeros(n, dtype=np.intp)) if judges is None else code_texts(judges)
    asked, question = (None, np.arange(n)) if questions is None else code_texts(questions)
    return BattleRows(
        contestants, names, both[:n], both[n:], judge, question, np.fromiter(outcomes, dtype=np.intp, count=n),
        np.ones(n) if times is None else np.asarray(times, dtype=float), asked, placed,
        None if detail is None else np.asarray(detail, dtype=np.int64),
    )  # fmt: skip


def code_texts(texts: Sequence[str]) -> tuple[tuple[str, ...], IntArray]:
    """(the different texts in bytewise order, the number of each text).

    >>> code_texts(["b", "a", "b"])
    (('a', 'b'), array([1, 0, 1]))
    """
    numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    codes = np.fromiter(map(numbers.__getitem__, texts), dtype=np.intp, count=len(texts))
    order = order_by_id(list(numbers))
    places = np.empty(len(order), dtype=np.intp)
    places[order] = np.arange(len(order))
    names = list(numbers)
    return tuple(names[number] for number in order), places[codes] if len(codes) else codes


def join_battle_rows(parts: Sequence[BattleRows]) -> BattleRows:
    """Battles of several files as one; a question of one file is that of the others if all have names for them."""
    asked = all(part.asked for part in parts)

    def texts(names: Sequence[Sequence[str]], codes: Sequence[IntArray]) -> list[str]:
        return [own[code] for own, some in zip(names, codes, strict=True) for code in some.tolist()]

    contestants = [part.contestants for part in parts]
    return make_battle_rows(
        (texts(contestants, [part.first for part in parts]), texts(contestants, [part.second for part in parts])),
        (outcome for part in parts for outcome in part.outcome.tolist()),
        judges=texts([part.judges for part in parts], [part.judge for part in parts]),
        questions=texts([part.questions or () for part in parts], [part.question for part in parts]) if asked else None,
        times=[number for part in parts for number in part.times.tolist()],
        placed=all(part.placed for part in parts),
        detail=_join_details(parts),
    )


def _join_details(parts: Sequence[BattleRows]) -> IntArray | None:
    if all(part.detail is None for part in parts):
        return None
    return np.concatenate([np.zeros(len(part), np.int64) if part.detail is None else part.detail for part in parts])
