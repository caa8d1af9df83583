"""Measures of the whole order: how far the judged items of a list stand in the order of their grades."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import FloatArray
from stagg.measures.base import Measure, ratio
from stagg.measures.judged import Block

__all__ = ["Footrule", "KendallTau"]


class KendallTau(Measure):
    """Kendall's tau between the list and the grades: from -1, all pairs wrong, to 1, all right.

    (concordant - discordant) / pairs, over the pairs of judged items in the list whose grades differ; 0 where there
    is no such pair. Items of equal grade, items without a grade and items that are not listed say nothing.

    Reference: Kendall, "A new measure of rank correlation", Biometrika 1938.

    >>> from stagg.data import Labels, Rankings
    >>> from stagg.measures import judge
    >>> run = Rankings.from_lists([["a", "b", "c"]], query="q")
    >>> KendallTau().value(judge(run, Labels({"q": {"a": 1, "b": 2, "c": 0}}))).round(6)
    array([0.333333])
    """

    name = "kendall_tau"
    cutoffs = "none"
    ignores_unjudged = True

    def of_block(self, block: Block) -> FloatArray:
        grades = block.grades
        right, wrong = np.zeros((2, len(grades)))
        for level in _levels(grades):
            at = grades == level
            right += (at * np.cumsum(grades > level, axis=1)).sum(axis=1)
            wrong += (at * np.cumsum((grades >= 0) & (grades < level), axis=1)).sum(axis=1)
        return ratio(right - wrong, right + wrong)


class Footrule(Measure):
    """Spearman's footrule against the grades, from 0, the worst order, to 1, the best.

    F = Σ_j |rank_j - ideal rank_j| over the judged items of the list, ranked among themselves; the ideal rank of an
    item is the mean of the ranks that the items of its grade have in the best order. The value is
    (F_max - F) / (F_max - F_min), F_max of the reversed best order; F_min, of the best order itself, is above 0 where
    grades are equal, since a list must put equal items in some order. 0 where all grades are equal.

    Reference: Diaconis & Graham, "Spearman's footrule as a measure of disarray", JRSS B 1977.

    >>> from stagg.data import Labels, Rankings
    >>> from stagg.measures import judge
    >>> run = Rankings.from_lists([["a", "b", "c"]], query="q")
    >>> Footrule().value(judge(run, Labels({"q": {"a": 1, "b": 2, "c": 0}})))
    array([0.5])
    """

    name = "footrule"
    cutoffs = "none"
    ignores_unjudged = True

    def of_block(self, block: Block) -> FloatArray:
        worst = np.sort(block.grades, axis=1)
        farthest, nearest = _footrule(worst), _footrule(worst[:, ::-1])
        return ratio(farthest - _footrule(block.grades), farthest - nearest)


def _footrule(grades: FloatArray) -> FloatArray:
    """Σ |rank - ideal mid-rank| over the judged items of each row, ranked among themselves."""
    ranks = np.cumsum(grades >= 0, axis=1)
    total = np.zeros(len(grades))
    for level in _levels(grades):
        at = grades == level
        ideal = (grades > level).sum(axis=1) + (at.sum(axis=1) + 1) / 2
        total += (at * np.abs(ranks - ideal[:, None])).sum(axis=1)
    return total


def _levels(grades: FloatArray) -> list[float]:
    """The different grades given."""
    levels: list[float] = np.unique(grades[grades >= 0]).tolist()
    return levels
