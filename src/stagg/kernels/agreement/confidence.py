"""Confidence of a list in a query: the spread of its scores, as far as agreement confirms that spread tells."""

from __future__ import annotations

import math

import numpy as np

from stagg.kernels.arrays import FloatArray, IntArray

__all__ = ["QUANTILES", "agreement_with_others", "confirmation", "percentiles", "quantiles", "spreads"]

FIRST = 100  # scores of a list that are looked at
SAME = 1e-6  # spreads that differ by less than this part are alike: scores made of ranks, of lists of one length
MANTISSA = 2.0**32
QUANTILES = 256  # spreads that are kept of a ranker
FLAT = 1e-12


def spreads(scores: FloatArray, entry_offsets: IntArray) -> FloatArray:
    """The standard deviation of the first scores of each list; nan where they do not vary.

    Scores count from the first of their list and in parts of their range, so that none is too large to square. What is
    found is rounded to 32 bits: equal spreads are equal, however their sums were cut.
    """
    starts, lengths = entry_offsets[:-1], np.minimum(np.diff(entry_offsets), FIRST)
    found = np.full(len(starts), np.nan)
    some = np.flatnonzero(lengths > 1)
    if not len(some):
        return found
    starts, lengths = starts[some], lengths[some]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    entries = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        apart = np.repeat(scores[starts], lengths) - scores[entries]
        scale = np.maximum.reduceat(np.abs(apart), offsets[:-1])
        parts = apart / np.repeat(scale, lengths)
        mean = np.add.reduceat(parts, offsets[:-1]) / lengths
        variance = np.add.reduceat((parts - np.repeat(mean, lengths)) ** 2, offsets[:-1]) / lengths
        spread = scale * np.sqrt(variance)
    found[some] = np.where(np.isfinite(spread) & (spread > 0), spread, np.nan)
    fraction, exponent = np.frexp(found)
    rounded: FloatArray = np.ldexp(np.rint(fraction * MANTISSA) / MANTISSA, exponent)
    return rounded


def quantiles(found: FloatArray) -> FloatArray:
    """The spreads of a ranker over its queries, in order, at most QUANTILES of them; none where all are alike."""
    known = np.sort(found[~np.isnan(found)])
    if len(known) < 2 or known[-1] - known[0] <= SAME * known[-1]:
        return np.zeros(0)
    if len(known) <= QUANTILES:
        return known
    places = (np.arange(QUANTILES) + 0.5) / QUANTILES * len(known)
    return known[places.astype(np.intp)]


def percentiles(found: FloatArray, table: FloatArray) -> FloatArray:
    """Where spreads stand among those of a table: the share that is less, and half of what is equal; ½ if unknown."""
    if not len(table):
        return np.full(len(found), 0.5)
    places = np.searchsorted(table, found, "left") + np.searchsorted(table, found, "right")
    return np.where(np.isnan(found), 0.5, places / (2 * len(table)))


def agreement_with_others(covariance: FloatArray, weights: FloatArray) -> FloatArray:
    """a[q, k]: the correlation, over the candidates, of list k with the weighted sum of the others; nan if unknown."""
    variance = np.diagonal(covariance, axis1=1, axis2=2)
    weighted = covariance * weights
    own = variance * weights
    with_all = weighted.sum(axis=2)  # the covariance of k and the sum of all
    of_all = (with_all * weights).sum(axis=1)[:, None]
    with_others = with_all - own
    of_others = of_all - 2 * weights * with_others - weights * own
    known = (variance > 0) & (of_others > FLAT * np.maximum(of_all, 0.0)) & (of_others > 0)
    scale = np.sqrt(np.where(known, variance * of_others, 1.0))
    return np.where(known, with_others / scale, np.nan)


def confirmation(percentile: FloatArray, agreement: FloatArray) -> float:
    """ρ: the correlation, over queries, of the percentile of the spread and the agreement with the others.

    Only its sign and size in one ranker count; sums are exact, so that the order of the queries changes no bit.
    """
    known = ~np.isnan(agreement)
    if not known.any():
        return 0.0
    rounded = np.rint(agreement[known] * MANTISSA) / MANTISSA
    apart, sure = rounded - math.fsum(rounded) / len(rounded), percentile[known] - 0.5
    scale = math.fsum(sure**2) * math.fsum(apart**2)
    return math.fsum(sure * apart) / math.sqrt(scale) if scale > FLAT**2 else 0.0
