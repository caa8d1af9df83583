"""Normalise scores: bring those of many lists to a common scale, list by list (min-max, sum, z-score, ...)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from stagg.kernels.arrays import FloatArray, IntArray

__all__ = ["DEVIATIONS", "NORMS", "divide_lists", "normalised", "normalised_between"]

DEVIATIONS = 3.0  # dbsf: how many standard deviations lie on either side of the mean
EQUAL = 0.5  # what every item of a list gets when all its scores are equal: nothing is known of their order


def normalised(norm: str, scores: FloatArray, starts: IntArray) -> FloatArray:
    """The scores of each list, ``starts[l]`` its first entry, brought to a common scale.

    All norms are unchanged when the scores of a list are multiplied by a positive number; so the scores are first
    scaled by a power of two, exactly, and neither huge nor tiny ones can overflow.
    """
    if not len(scores):
        return scores
    lengths = np.diff(starts, append=len(scores))
    _, exponent = np.frexp(np.maximum.reduceat(np.abs(scores), starts))
    return NORMS[norm](np.ldexp(scores, -np.repeat(exponent, lengths)), starts, lengths)


def normalised_between(scores: FloatArray, starts: IntArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """(s - low) / (high - low), s cut to [low, high]; a bound that is NaN is the list's own smallest or largest score.

    There is one bound for each list. A list that lies wholly at or below ``low`` gets 0, one wholly at or above
    ``high`` gets 1: a bound says what a score is worth, so equal scores are not the unknown that they are without one.

    >>> none = np.full(2, np.nan)
    >>> normalised_between(np.array([6.0, 3.0, -1.0, 9.0]), np.array([0, 3]), np.zeros(2), none)
    array([1. , 0.5, 0. , 1. ])
    """
    if not len(scores):
        return scores
    lengths = np.diff(starts, append=len(scores))
    lows = np.where(np.isnan(low), np.minimum.reduceat(scores, starts), low)
    highs = np.where(np.isnan(high), np.maximum.reduceat(scores, starts), high)
    bottom, top = np.repeat(lows / 2, lengths), np.repeat(highs / 2, lengths)  # halves: no difference can overflow
    above = np.clip(scores / 2, bottom, np.maximum(bottom, top)) - bottom
    otherwise = np.repeat(np.where(np.isnan(low), np.where(np.isnan(high), EQUAL, 1.0), 0.0), lengths)
    found: FloatArray = np.divide(above, top - bottom, out=otherwise, where=top > bottom)
    return found


def _min_max(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """(s - min) / (max - min)"""
    low = np.minimum.reduceat(scores, starts)
    spread = np.maximum.reduceat(scores, starts) - low
    return divide_lists(scores - np.repeat(low, lengths), spread, lengths)


def _max(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """s / max where the largest score is positive; a list without one is shifted to end at 0 first"""
    high = np.maximum.reduceat(scores, starts)
    low = np.minimum.reduceat(scores, starts)
    shift = np.where(high > 0, 0.0, low)
    top = np.where(high == low, 0.0, high - shift)
    return divide_lists(scores - np.repeat(shift, lengths), top, lengths)


def _sum(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """(s - min) / sum of (s - min)"""
    above = scores - np.repeat(np.minimum.reduceat(scores, starts), lengths)
    return divide_lists(above, np.add.reduceat(above, starts), lengths)


def _z_score(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """(s - mean) / standard deviation of the list; 0 where all scores are equal"""
    equal = np.maximum.reduceat(scores, starts) == np.minimum.reduceat(scores, starts)
    above = scores - np.repeat(scores[starts], lengths)  # first: else scores far from 0 beside their spread lose digits
    centred = above - np.repeat(np.add.reduceat(above, starts) / lengths, lengths)
    deviation = np.sqrt(np.add.reduceat(centred**2, starts) / lengths)
    return divide_lists(centred, np.where(equal, 0.0, deviation), lengths, otherwise=0.0)


def _dbsf(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """(s - low) / (high - low), low and high 3 standard deviations below and above the mean; cut to [0, 1]

    Reference: Mazzeschi, "Distribution-based score fusion", 2023.
    """
    z = _z_score(scores, starts, lengths)
    found: FloatArray = np.clip(EQUAL + z / (2 * DEVIATIONS), 0.0, 1.0)
    return found


def _l2(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """s / the root of the sum of the squares of the list, also where all scores are equal, unless all are 0"""
    return divide_lists(scores, np.sqrt(np.add.reduceat(scores**2, starts)), lengths)


def divide_lists(above: FloatArray, by: FloatArray, lengths: IntArray, *, otherwise: float = EQUAL) -> FloatArray:
    """Divide list by list; where the divisor is 0 all scores are equal and get ``otherwise``."""
    divisor = np.repeat(by, lengths)
    quotient: FloatArray = np.divide(above, divisor, out=np.full(len(above), otherwise), where=divisor > 0)
    return quotient


NORMS: dict[str, Callable[[FloatArray, IntArray, IntArray], FloatArray]] = {
    "min-max": _min_max,
    "max": _max,
    "sum": _sum,
    "z-score": _z_score,
    "dbsf": _dbsf,
    "l2": _l2,
}
