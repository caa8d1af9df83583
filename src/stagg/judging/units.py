"""Units of a comparison: the documents that two settings place differently, and how much each can change the result.

A difference of two settings is T = Σ w·g: g is what a document's grade is worth, from 0 to 1, and w is the discount of
its rank in A less that in B, over the most that a list can have and the number of queries. Documents with w = 0 cannot
change T, so nobody needs to judge them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from stagg.errors import InvalidParameter, shown
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.measures import MEASURES
from stagg.measures.base import Additive
from stagg.measures.binary import P
from stagg.measures.ndcg import SDCG
from stagg.measures.rbp import RBP
from stagg.registry import Call

__all__ = ["DEFAULT_GAIN", "HIGHEST_GRADE", "Contrast", "Document", "Gain", "Orders", "read_gain"]

HIGHEST_GRADE: Final = 9
"""The highest grade that a scale may have: each is one key on the page to judge on."""
DEFAULT_GAIN: Final = "dcg@10"
TINY: Final = 1e-12
SPREAD: Final = 0.805
"""Chosen on dl19, trec7, covidr2 and MQ2008, tried on four others."""
NAMES: Final = {"sdcg": "DCG", "p": "P", "rbp": "RBP"}

Orders = Mapping[str, Sequence[str]]
"""The items of each query, best first, in a fixed order: ties go by id."""

Document = tuple[str, str]
"""A query and an item."""


@dataclasses.dataclass(frozen=True)
class Gain:
    """A measure that is a sum over documents of discount × gain, both fixed before anybody judges.

    ``top`` is the highest grade that can be given. The value of a list is from 0 to 1.
    """

    measure: Additive
    top: float

    @property
    def name(self) -> str:
        """The name of the measure in sentences: "DCG@10"."""
        parameters = {key: value for key, value in self.measure.parameters().items() if key != "ymax"}
        return repr(Call(NAMES[self.measure.name], (), parameters, self.measure.cutoff))

    def discounts(self, length: int) -> FloatArray:
        """Discount of each rank of a list, as a share of the most that a list can have."""
        depth = self.measure.depth(length)
        whole = self.measure.discount(np.arange(float(self.measure.cutoff or length)), "standard")
        most = 1.0 if isinstance(self.measure, RBP) else float(whole.sum())
        return whole[:depth] / most

    def of(self, grades: FloatArray) -> FloatArray:
        """Gain of each grade, from 0 to 1; NaN stays NaN."""
        known = ~np.isnan(grades)
        gains = np.full(len(grades), np.nan)
        gains[known] = self.measure.worth(grades[known]) / self.measure.worth(np.array([self.top]))[0]
        return gains

    @property
    def spread(self) -> float:
        """About the standard deviation of a gain, before anybody judged.

        A share of the one that equally frequent gains have: .40 where documents are relevant or not, .30 with grades
        from 0 to 3. In seven collections with grades it was .26 to .37, and with their grades cut to two .29 to .43.
        """
        return SPREAD * float(np.unique(self.of(np.arange(self.top + 1))).std())

    def scaled_to(self, top: float) -> Gain:
        """The same for grades of another scale."""
        return dataclasses.replace(self, top=top)


def read_gain(text: str, top: float) -> Gain:
    """The measure that a text names: dcg@10, p@10 or rbp(p=0.8), and what is like them.

    >>> read_gain("dcg@3", 3).discounts(5).round(3), read_gain("P@10", 3).name
    (array([0.469, 0.296, 0.235]), 'P@10')
    """
    if not isinstance(text, str):
        raise InvalidParameter(f"the measure is a text such as 'dcg@10', not {shown(text)}")
    ours = "s" + text.strip() if text.strip().lower().startswith("dcg") else text
    try:
        measure = MEASURES.parse(ours)
    except InvalidParameter as error:  # in the user's word
        raise InvalidParameter(str(error).replace("sdcg", "dcg") if ours != text else str(error)) from None
    if not isinstance(measure, SDCG | P | RBP):
        raise InvalidParameter(
            f"{shown(text)} cannot be estimated from few judgments: its value needs all relevant documents of a query; "
            "take dcg@10, p@10 or rbp(p=0.8)"
        )
    if isinstance(measure, P | RBP) and measure.rel is not None and measure.rel > top:
        raise InvalidParameter(f"{measure!r}: no grade reaches rel={measure.rel:g}; the highest is {top:g}")
    return Gain(measure, top)


@dataclasses.dataclass(frozen=True, eq=False)
class Contrast:
    """The difference of two settings: ``weight`` of each unit, a document with a place in ``queries``, sorted by id.

    ``query`` is the number of each unit's query; A prefers the units with a weight above 0, B the others.
    """

    queries: tuple[str, ...]
    query: IntArray
    items: tuple[str, ...]
    weight: FloatArray

    @classmethod
    def of(cls, a: Orders, b: Orders, queries: Sequence[str], gain: Gain) -> Contrast:
        """Contrast of two settings over some queries.

        >>> a, b = {"q": ["x", "y"]}, {"q": ["y", "x"]}
        >>> Contrast.of(a, b, ["q"], read_gain("dcg@2", 3)).weight.round(3)
        array([ 0.226, -0.226])
        """
        names = tuple(sorted(queries))
        found = [
            (number, item, weight)
            for number, query in enumerate(names)
            for item, weight in _weigh(a.get(query, ()), b.get(query, ()), gain)
        ]
        weight = np.array([each for _, _, each in found], dtype=float) / max(len(names), 1)
        query = np.array([number for number, _, _ in found], dtype=np.intp)
        return cls(names, query, tuple(item for _, item, _ in found), weight)

    def __len__(self) -> int:
        """The number of units."""
        return len(self.items)

    @property
    def documents(self) -> list[Document]:
        """Each unit as (query, item)."""
        return [(self.queries[q], item) for q, item in zip(self.query.tolist(), self.items, strict=True)]

    @property
    def touched(self) -> int:
        """How many queries have a unit."""
        return len(np.unique(self.query))

    def sums(self, values: FloatArray) -> FloatArray:
        """Σ of the values of the units of each query."""
        totals: FloatArray = np.bincount(self.query, weights=values, minlength=len(self.queries)).astype(float)
        return totals


def _weigh(a: Sequence[str], b: Sequence[str], gain: Gain) -> list[tuple[str, float]]:
    """(item, weight) of the items of one query that the two lists place differently, by id."""
    weights: dict[str, float] = {}
    for items, sign in ((a, 1.0), (b, -1.0)):
        for item, discount in zip(items, gain.discounts(len(items)).tolist(), strict=False):
            weights[item] = weights.get(item, 0.0) + sign * discount
    return sorted((item, weight) for item, weight in weights.items() if abs(weight) > TINY)
