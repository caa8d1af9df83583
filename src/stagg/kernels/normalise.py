"""Scores of many lists brought to a common scale, list by list."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from stagg.kernels.arrays import FloatArray, IntArray

__all__ = ["NORMS", "normalised"]

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


def _min_max(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """(s - min) / (max - min)"""
    low = np.minimum.reduceat(scores, starts)
    spread = np.maximum.reduceat(scores, starts) - low
    return _divide(scores - np.repeat(low, lengths), spread, lengths)


def _max(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """s / max where the largest score is positive; a list without one is shifted to end at 0 first"""
    high = np.maximum.reduceat(scores, starts)
    low = np.minimum.reduceat(scores, starts)
    shift = np.where(high > 0, 0.0, low)
    top = np.where(high == low, 0.0, high - shift)
    return _divide(scores - np.repeat(shift, lengths), top, lengths)


def _sum(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """(s - min) / sum of (s - min)"""
    above = scores - np.repeat(np.minimum.reduceat(scores, starts), lengths)
    return _divide(above, np.add.reduceat(above, starts), lengths)


def _z_score(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """(s - mean) / standard deviation of the list; 0 where all scores are equal"""
    equal = np.maximum.reduceat(scores, starts) == np.minimum.reduceat(scores, starts)
    centred = scores - np.repeat(np.add.reduceat(scores, starts) / lengths, lengths)
    deviation = np.sqrt(np.add.reduceat(centred**2, starts) / lengths)
    return _divide(centred, np.where(equal, 0.0, deviation), lengths, otherwise=0.0)


def _divide(above: FloatArray, by: FloatArray, lengths: IntArray, *, otherwise: float = EQUAL) -> FloatArray:
    """Divide list by list; where the divisor is 0 all scores are equal and get ``otherwise``."""
    divisor = np.repeat(by, lengths)
    quotient: FloatArray = np.divide(above, divisor, out=np.full(len(above), otherwise), where=divisor > 0)
    return quotient


NORMS: dict[str, Callable[[FloatArray, IntArray, IntArray], FloatArray]] = {
    "min-max": _min_max,
    "max": _max,
    "sum": _sum,
    "z-score": _z_score,
}
