"""Counted points: rules by which ballots give points that add up, exactly where votes are whole numbers."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.lists.votes import LARGEST_COUNT, are_whole, divide_apart
from stagg.methods.base import Positional, Scored, contributions, list_gains

__all__ = ["Counted", "whole_points"]

PLAIN = 2.0**50  # sums of halves up to here are exact as they are
AT_ONCE = 1_000_000  # points that are held as Python's numbers


class Counted(Positional):
    """A positional method whose points are whole numbers, or equal parts of them where items tie.

    Whole votes add up exactly, to 2^63 - 1 votes; where floats cannot tell two sums apart, the larger one has the next
    float as score. Votes with weights that are not whole numbers add up as for any positional method.
    """

    divides: ClassVar[bool] = False
    """Whether tied items can have parts of a point that are not halves: thirds are not exact as floats."""

    def scored(self, rankings: Rankings) -> Scored:
        found = super().scored(rankings)
        if rankings.is_weighted and not (rankings.factors is None and are_whole(rankings.weights)):
            return found
        sums = found.scores
        for number in self._uneven_queries(rankings):
            exact = self.count_points(Query(rankings, number))
            if exact is None:
                return found
            sums[slice(*rankings.item_offsets[number : number + 2])] = divide_apart(*exact)
        return Scored(sums, np.zeros(len(sums)))

    def _uneven_queries(self, rankings: Rankings) -> list[int]:
        """The queries whose sums floats may be too few for."""
        if self.divides and rankings.has_ties:
            return np.flatnonzero(rankings.list_counts).tolist()
        if not rankings.is_weighted:
            return []
        votes = np.bincount(rankings.list_queries, rankings.list_weights, minlength=len(rankings))
        return np.flatnonzero(votes * rankings.sizes > PLAIN).tolist()

    def count_points(self, view: Query) -> tuple[list[int], int] | None:
        """(the points of each item, what they are to be divided by); None where votes are not whole numbers."""
        votes = view.votes
        if votes.dtype.kind != "i":
            return None
        one = view.rankings if len(view.rankings) == 1 else view.rankings.take_queries([view.number])
        gains = list_gains(self, one)
        assert gains is not None
        points, parts = whole_points(contributions(gains, one, 0))
        if int(votes.sum()) * int(np.abs(points).max(initial=0)) <= LARGEST_COUNT:
            return (votes @ points).tolist(), parts
        step = max(1, AT_ONCE // len(view))
        blocks = [slice(low, low + step) for low in range(0, len(votes), step)]
        return sum(votes[each].astype(object) @ points[each].astype(object) for each in blocks).tolist(), parts


def whole_points(points: FloatArray) -> tuple[IntArray, int]:
    """Points as whole numbers of parts, and how many parts make one point."""
    from fractions import Fraction  # here: it loads decimals, too, and only votes need it

    values, number = np.unique(points, return_inverse=True)
    exact = [Fraction(value).limit_denominator(2 * points.shape[1]) for value in values.tolist()]
    parts = math.lcm(*(each.denominator for each in exact))
    whole = np.array([int(each * parts) for each in exact], dtype=object)
    return (whole if parts > PLAIN else whole.astype(np.intp))[number].reshape(points.shape), parts
