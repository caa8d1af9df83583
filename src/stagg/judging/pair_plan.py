"""The plan: pairs of documents in the order in which to judge them, one list for all comparisons.

The units that A prefers lie on a line, query after query, each as long as its weight; those that B prefers on a second
line. Point j, frac(start + j · 0.618…), names one unit on each line: a pair, of the same query where the lines agree,
so that it does not matter how easy the query is. Each point alone is uniform, so the mean over any number of first
points is unbiased: the list can be stopped, or extended, at any time.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np

from stagg.judging.units import Contrast, Document
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray

__all__ = ["JudgingPlan", "PairPlan", "Prefix"]

GOLDEN: Final = 0.6180339887498949
NOBODY: Final = -1
"""The unit that a point names on an empty line."""
LONGEST: Final = 64  # points per document: the shortest unit may never be named
DIGITS: Final = 12
MARK: Final = "p"
"""The first letter of a digest: a spreadsheet would take some of 12 digits and an "e" for a number, and round it."""


@dataclasses.dataclass(frozen=True, eq=False)
class PairPlan:
    """The plan of one comparison. ``lines``: for A and B the units in order, and where each ends on its line."""

    contrast: Contrast
    start: float
    lines: tuple[tuple[IntArray, FloatArray], tuple[IntArray, FloatArray]]

    @classmethod
    def draw(cls, contrast: Contrast, rng: np.random.Generator) -> PairPlan:
        """A plan whose start and orders are random.

        The queries are shuffled once for both lines, and the units inside each query.
        """
        place = rng.permutation(len(contrast.queries))
        start = float(rng.random())
        lines = [_lay(contrast, sign, place, rng) for sign in (1.0, -1.0)]
        return cls(contrast, start, (lines[0], lines[1]))

    @cached_property
    def masses(self) -> tuple[float, float]:
        """The lengths of the two lines; they differ where a list is shorter than the measure looks."""
        a, b = (float(ends[-1]) if len(ends) else 0.0 for _, ends in self.lines)
        return a, b

    def pairs(self, points: int) -> tuple[IntArray, IntArray]:
        """The units that the first points name on the line of A and on that of B."""
        x = np.mod(self.start + np.arange(float(points)) * GOLDEN, 1.0)
        return _name(self.lines[0], x), _name(self.lines[1], x)


def _lay(contrast: Contrast, sign: float, place: IntArray, rng: np.random.Generator) -> tuple[IntArray, FloatArray]:
    units = np.flatnonzero(sign * contrast.weight > 0)
    order = np.lexsort((rng.random(len(units)), place[contrast.query[units]]))
    units = units[order]
    return units, np.cumsum(np.abs(contrast.weight[units]))


def _name(line: tuple[IntArray, FloatArray], x: FloatArray) -> IntArray:
    units, ends = line
    if not len(units):
        return np.full(len(x), NOBODY, dtype=np.intp)
    places = np.searchsorted(ends, x * ends[-1], side="right")
    named: IntArray = units[np.minimum(places, len(units) - 1)]
    return named


@dataclasses.dataclass(frozen=True, eq=False)
class Prefix:
    """The first ``points`` of a plan, and the ``documents`` among them (their numbers) that nobody has judged."""

    points: int
    documents: IntArray


class JudgingPlan:
    """The plans of all comparisons, taken in turn, as one list of documents.

    ``documents`` are all that can change some comparison, sorted; ``numbers[c]`` gives for each unit of comparison c
    its place among them. ``digest`` tells plans apart: it changes with the documents, their weights and the seed, and
    not with the order of the comparisons. A point of the list is one point of each comparison.
    """

    def __init__(self, contrasts: Sequence[Contrast], seed: int) -> None:
        self.contrasts = tuple(contrasts)
        self.digest = _digest(self.contrasts, seed)
        self.documents: tuple[Document, ...] = tuple(sorted({one for each in contrasts for one in each.documents}))
        place = {document: number for number, document in enumerate(self.documents)}
        self.numbers = tuple(np.array([place[one] for one in each.documents], dtype=np.intp) for each in self.contrasts)
        random = [seed, self.number]  # the same for all comparisons: then they share more documents
        self.plans = tuple(PairPlan.draw(each, np.random.default_rng(random)) for each in self.contrasts)
        self._first = np.empty(0, dtype=np.intp)
        self._looked = 0

    def __len__(self) -> int:
        """The number of documents that can change some comparison."""
        return len(self.documents)

    @property
    def number(self) -> int:
        """The digest as a number, to seed what is drawn."""
        return int(self.digest.removeprefix(MARK), 16)

    def names(self, points: int) -> IntArray:
        """The numbers of the documents that the first points name, in order of their first point."""
        first = self._first_points(points)
        named = np.flatnonzero(first < points)
        return named[np.argsort(first[named], kind="stable")]

    def extend(self, points: int, budget: int, known: BoolArray) -> Prefix:
        """The longest prefix with at most ``budget`` documents that are not ``known``; at least one of them if any.

        ``points`` were handed out before. A point that names two new documents is handed out whole, so a batch can
        be smaller than the budget, or larger where it would otherwise be empty.
        """
        missing = np.flatnonzero(~known)
        if not len(missing):
            return Prefix(points, missing)
        first, looked = self._look_for(missing, budget, points)
        waits = np.sort(first[missing])
        if len(missing) <= budget:
            named = waits[waits < looked]
            return Prefix(max(points, int(named[-1]) + 1 if len(named) else 0), missing)
        end = max(points, int(waits[budget]), int(waits[0]) + 1)
        new = missing[first[missing] < end]
        return Prefix(end, new[np.argsort(first[new], kind="stable")])

    def _look_for(self, missing: IntArray, budget: int, points: int) -> tuple[IntArray, int]:
        """The first point of each document, as far as needed to find ``budget`` of the missing ones and one more."""
        looked = max(64, points + budget)
        while True:
            first = self._first_points(looked)
            named = int((first[missing] < looked).sum())
            if named > budget or named == len(missing) or looked >= LONGEST * len(self) + points:
                return first, looked
            looked *= 2

    def _first_points(self, looked: int) -> IntArray:
        """The first point that names each document; documents that none of ``looked`` points names have a large one."""
        if looked > self._looked:
            first = np.full(len(self), np.iinfo(np.intp).max, dtype=np.intp)
            for plan, numbers in zip(self.plans, self.numbers, strict=True):
                for units in plan.pairs(looked):
                    there = units != NOBODY
                    np.minimum.at(first, numbers[units[there]], np.flatnonzero(there))
            self._first, self._looked = first, looked
        return self._first


def _digest(contrasts: Sequence[Contrast], seed: int) -> str:
    """A short text that changes with anything the plan is made of."""
    hashed = hashlib.sha256(f"stagg judge 1 {seed} {len(contrasts)}".encode())
    for text in sorted(map(_spell_out, contrasts)):
        hashed.update(text.encode())
    return MARK + hashed.hexdigest()[:DIGITS]


def _spell_out(contrast: Contrast) -> str:
    units = zip(contrast.documents, contrast.weight.tolist(), strict=True)
    rows = (f"\n{query!r} {item!r} {weight:.9f}" for (query, item), weight in units)
    return f"\n{len(contrast.queries)}" + "".join(rows)
