"""Verdicts: cells that say which of two contestants won: ``model_a``, ``B``, ``tie``, ``1-0``, or the winner's name."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Sequence
from typing import Final

from stagg.formats.numbers import parse_number
from stagg.formats.tables.vocabulary import BESIDE_TIE, FILLERS, SEEN_BY_FIRST, TIE_TOKENS, WINS

__all__ = ["VerdictWords", "find_middle", "is_result", "is_tie", "split_words"]

COUNT: Final = r"([0-9]+(?:[.,][0-9]+)?|½|1/2)"
RESULT: Final = re.compile(rf"{COUNT}\s*[-:–—]\s*{COUNT}")
BEFORE_RESULT: Final = re.compile(rf"(\w+)[\s,:(]+{RESULT.pattern}\)?")
ORDERED: Final = re.compile(r"(\w+)\s*(>+|=+|<+|≫|≪)\s*(\w+)")
WORD: Final = re.compile(r"[^\W\d_]+|[0-9]+")
THIRDS: Final = {("a", "b"): "c", ("1", "2"): "0"}
"""What judges write for neither of two sides: A, B, C, and 1, 2, 0."""
COMMON: Final = (("a", "b"), ("1", "2"), ("left", "right"), ("first", "second"))
"""Sides that every two columns have, in the order in which they stand."""
SCALES: Final = (((1.0, 2.0), 1.5), ((0.0, 1.0), 0.5), ((1.0, 5.0), 3.0), ((1.0, 7.0), 4.0))
"""The ends of scales of preference, and the number between them that means a tie."""


KEPT: Final = 1 << 14
"""Cells whose words are kept: in long tables most come again and again."""


@functools.lru_cache(KEPT)
def split_words(name: str) -> tuple[str, ...]:
    """The words of a column's name, or of a cell.

    >>> split_words("HomeTeam"), split_words("player1_name"), split_words("Option A")
    (('home', 'team'), ('player', '1', 'name'), ('option', 'a'))
    """
    return tuple(WORD.findall(re.sub(r"([^\W\d_A-Z])([A-Z])", r"\1 \2", name).casefold()))


def is_tie(cell: str) -> bool:
    """Whether a cell says that nobody won.

    >>> is_tie("Tie (bothbad)"), is_tie("no preference"), is_tie("="), is_tie("good")
    (True, True, True, False)
    """
    words = {*split_words(_strip_marks(cell))}
    return cell == "=" or (bool(words & TIE_TOKENS) and words <= TIE_TOKENS | BESIDE_TIE)


def is_result(cell: str) -> bool:
    """Whether a cell is the result of a game.

    >>> is_result("2-1"), is_result("1/2-1/2"), is_result("2-1 (aet)")
    (True, True, False)
    """
    return RESULT.fullmatch(cell.strip(" \t")) is not None


class VerdictWords:
    """The words that name the winner where two columns of these names, one beside the other, hold the contestants.

    >>> words = VerdictWords("HomeTeam", "AwayTeam")
    >>> [words.read(cell, "Ajax", "PSV") for cell in ("H", "away", "D", "Ajax", "0-3", "B", "?")]
    [1.0, -1.0, 0.0, 1.0, -1.0, None, None]
    """

    def __init__(self, first: str, second: str, *, in_order: bool = True) -> None:
        own = tuple(
            tuple(word for word in split_words(one) if word not in split_words(other))
            for one, other in ((first, second), (second, first))
        )
        names = "_".join(split_words(first)), "_".join(split_words(second))
        self.sides: dict[str, float] = {names[0]: 1.0, names[1]: -1.0}
        marks = own[0][:1], own[1][:1]
        if all(marks):
            self._add(marks[0][0], marks[1][0])
            self._add(marks[0][0][0], marks[1][0][0])  # H and A of home and away
        for pair in COMMON if in_order else ():
            self._add(*pair)
        self.draws = {"d", "x"} - {*self.sides}
        if (*marks[0], *marks[1]) in SEEN_BY_FIRST:
            for pair in WINS:
                self._add(*pair)
        self._own = {marks[0], marks[1]}
        self._read_side = functools.lru_cache(KEPT)(self._find_side)

    def find_third(self, cells: Collection[str]) -> str | None:
        """The word for a tie where all cells name the sides by letters or numbers, or are a third one.

        >>> VerdictWords("model_a", "model_b").find_third(["A", "[[C]]", "B"]), VerdictWords("a", "b").find_third("12")
        ('c', None)
        """
        found = {_strip_marks(cell).removesuffix(".0") for cell in cells if not is_tie(cell)}
        for sides, third in THIRDS.items():
            known = sides == ("a", "b") or self._own == {(side,) for side in sides}
            if known and self.sides.get(sides[0]) and {*sides, third} == found:
                return third
        return None

    def _add(self, one: str, other: str) -> None:
        """Add two words, if they mean nothing else yet."""
        known = self.sides.get(one, 1.0) == 1.0 and self.sides.get(other, -1.0) == -1.0
        if one != other and known:
            self.sides |= {one: 1.0, other: -1.0}

    def read(self, cell: str, first: str, second: str) -> float | None:
        """Over 0 if the first contestant won, 0 for a tie, below 0 if the second; None if the cell tells nothing."""
        named = 1.0 if cell == first else -1.0 if cell == second else None
        side = self._read_side(cell)
        if named is None:
            return side
        exact = self.sides.get(cell.casefold())
        return None if exact == -named else named  # not where it names one contestant, and the side of the other

    def _find_side(self, cell: str) -> float | None:
        plain = _strip_marks(cell)
        if is_tie(cell) or plain.removesuffix(".0") in self.draws or cell == "[[C]]":  # as judges of MT-bench say
            return 0.0
        counts = RESULT.fullmatch(plain)
        if counts is not None:
            one, other = map(_read_count, counts.groups())
            return float((one > other) - (one < other))
        spoken = BEFORE_RESULT.fullmatch(plain)
        if spoken is not None:
            return self._read_spoken(*spoken.groups())
        ordered = ORDERED.fullmatch(plain)
        if ordered is not None:
            return self._read_order(ordered)
        words = split_words(plain)
        whole = self.sides.get("_".join(words))
        telling = [word for word in words if word not in FILLERS]
        return self.sides.get(telling[0]) if whole is None and len(telling) == 1 else whole

    def _read_spoken(self, word: str, one: str, other: str) -> float | None:
        """W 2-1; a loss may be written L 1-2 or L 2-1, but nothing says who won by "home 0-3"."""
        side, first, second = self._find_side(word), _read_count(one), _read_count(other)
        counted = float((first > second) - (first < second))
        return side if side == counted or any(word in pair for pair in WINS) else None

    def _read_order(self, ordered: re.Match[str]) -> float | None:
        """A>B, B>>A or A=B."""
        one, sign, other = ordered.groups()
        better = self.sides.get(one)
        if better is None or self.sides.get(other) != -better:
            return None
        return 0.0 if sign[0] == "=" else better if sign[0] in ">≫" else -better


def _strip_marks(cell: str) -> str:
    """A verdict without what stands around it; "leftvote" is a vote for the left."""
    plain = cell.strip(" \t[](){}*'\".!").casefold()
    return plain.removesuffix("vote").rstrip("_- ") or plain


def _read_count(text: str) -> float:
    return 0.5 if text in ("½", "1/2") else float(text.replace(",", "."))


def find_middle(cells: Sequence[str]) -> float | None:
    """The number that means a tie on the scale of these numbers: 1.5 from 1 to 2, 0 on both sides of 0.

    >>> find_middle(["1", "2.0"]), find_middle(["-3", "2"]), find_middle(["1", "7", "3"]), find_middle(["12", "40"])
    (1.5, 0.0, 4.0, None)
    """
    numbers = [parse_number(cell.replace(",", ".")) for cell in cells]
    known = [number for number in numbers if number is not None]
    if not known or len(known) < len(numbers):
        return None
    least, most = min(known), max(known)
    if least < 0 < most:
        return 0.0
    fits = ((low <= least and (most == high or most <= high <= 2), middle) for (low, high), middle in SCALES)
    return next((middle for fit, middle in fits if fit), None)
