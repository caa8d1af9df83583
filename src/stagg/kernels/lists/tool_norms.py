"""Score norms as other tools define them: most differ from ours in lists whose scores are all equal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.lists.normalise import DEVIATIONS, divide_lists, normalised

__all__ = ["TOOL_NORMS", "bounded_as_opensearch", "normalised_as"]

LEAST = 0.001  # what OpenSearch gives in place of 0
FLOOR = 1e-9  # what ranx divides by at least, and the deviation below which scores are equal to MTEB
EPSILON = 1e-6  # Elasticsearch: a smaller range, or root of the sum of squares, leaves the scores as they are
SINGLE = 2.0**-24  # rounding in OpenSearch, which computes in single precision

Norm = Callable[[FloatArray, IntArray, IntArray], FloatArray]
Equal = Callable[[FloatArray], FloatArray]
"""New scores of a list whose scores are all equal."""


def normalised_as(tool: str, norm: str, scores: FloatArray, starts: IntArray) -> FloatArray:
    """The scores of each list, ``starts[l]`` its first entry, as a tool brings them to a common scale.

    >>> normalised_as("pyserini", "min-max", np.array([7.0]), np.array([0]))
    array([1.])
    """
    if not len(scores):
        return scores
    return TOOL_NORMS[tool][norm](scores, starts, np.diff(starts, append=len(scores)))


# --- a norm of ours, with another value for lists whose scores are all equal ------------------------------------------


def _with_equal(norm: str | Norm, equal: Equal, epsilon: float = 0.0) -> Norm:
    """A norm that gives ``equal(scores)`` to a list whose scores are all equal, or differ by less than ``epsilon``."""

    def apply(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
        least, most = np.minimum.reduceat(scores, starts), np.maximum.reduceat(scores, starts)
        same = (most == least) | (most / 2 - least / 2 < epsilon / 2)  # halves: no difference can overflow
        usual = normalised(norm, scores, starts) if isinstance(norm, str) else norm(scores, starts, lengths)
        found: FloatArray = np.where(np.repeat(same, lengths), equal(scores), usual)
        return found

    return apply


def _dbsf_unclipped(*, sample: bool) -> Norm:
    """Distribution-based fusion without the cut to [0, 1]; ``sample``: the deviation divides by L - 1."""

    def apply(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
        z = normalised("z-score", scores, starts)
        if sample:
            z *= np.repeat(np.sqrt((lengths - 1) / lengths), lengths)
        return 0.5 + z / (2 * DEVIATIONS)

    return apply


def _mteb_dbsf(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """Ours, but for scores that differ by next to nothing: they count as equal"""
    centred = scores - np.repeat(np.add.reduceat(scores, starts) / lengths, lengths)
    deviation = np.sqrt(np.add.reduceat(centred**2, starts) / lengths)
    found: FloatArray = np.where(np.repeat(deviation < FLOOR, lengths), 0.5, normalised("dbsf", scores, starts))
    return found


def _mteb_min_max(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """Ours"""
    return normalised("min-max", scores, starts)


# --- ranx: what it divides by is never below 1e-9 ---------------------------------------------------------------------


def _ranx_min_max(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """(s - min) / (max - min)"""
    low = np.minimum.reduceat(scores, starts)
    spread = np.maximum.reduceat(scores, starts) - low
    return divide_lists(scores - np.repeat(low, lengths), np.maximum(spread, FLOOR), lengths)


def _ranx_max(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """s / max, also where the largest score is negative: there every score is divided by 1e-9"""
    return divide_lists(scores, np.maximum(np.maximum.reduceat(scores, starts), FLOOR), lengths)


def _ranx_sum(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """(s - min) / sum of (s - min)"""
    above = scores - np.repeat(np.minimum.reduceat(scores, starts), lengths)
    return divide_lists(above, np.maximum(np.add.reduceat(above, starts), FLOOR), lengths)


def _ranx_z_score(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """(s - mean) / standard deviation"""
    centred = scores - np.repeat(np.add.reduceat(scores, starts) / lengths, lengths)
    deviation = np.sqrt(np.add.reduceat(centred**2, starts) / lengths)
    return divide_lists(centred, np.maximum(deviation, FLOOR), lengths)


# --- OpenSearch: a score of 0 would mean "no match" there, so none is left --------------------------------------------


def _opensearch_min_max(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """(s - min) / (max - min), 0.001 in place of 0"""
    scaled = normalised("min-max", scores, starts)
    found: FloatArray = np.where(scaled == 0, LEAST, scaled)
    return found


def bounded_as_opensearch(
    scores: FloatArray, starts: IntArray, low: FloatArray, high: FloatArray, *, clip: bool
) -> FloatArray:
    """Min-max with the ``lower_bounds`` and ``upper_bounds`` of each list; NaN is none. Equal scores are 1.

    ``clip``: what lies beyond a bound gets 0.001 or 1; a bound beyond all scores is none. Else their mode "apply": a
    bound is the end of the scale for the scores within it; a score beyond it is scaled by the list's own.
    """
    if not len(scores):
        return scores
    lengths = np.diff(starts, append=len(scores))
    least, most = (np.repeat(each.reduceat(scores, starts), lengths) / 2 for each in (np.minimum, np.maximum))
    low, high, half = np.repeat(low, lengths) / 2, np.repeat(high, lengths) / 2, scores / 2  # nothing can overflow
    if clip:
        bottom, top = np.where(most >= low, low, least), np.where(least <= high, high, most)
    else:
        bottom, top = np.where(half > low, low, least), np.where(half < high, high, most)
    beyond = np.where(half < bottom, 0.0, 1.0)
    scaled = np.divide(half - bottom, top - bottom, out=beyond, where=top != bottom)
    if clip:
        scaled = np.clip(scaled, 0.0, 1.0)
    scaled = np.where(least == most, 1.0, scaled)
    found: FloatArray = np.where(scaled == 0, LEAST, scaled)
    return found


def _opensearch_l2(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """s / the root of the sum of the squares, also where all scores are equal; 0 where all are 0"""
    return divide_lists(scores, np.sqrt(np.add.reduceat(scores**2, starts)), lengths, otherwise=0.0)


def _elasticsearch_l2(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """The same; a list whose root is below 1e-6 stays as it is"""
    root = np.repeat(np.sqrt(np.add.reduceat(scores**2, starts)), lengths)
    found: FloatArray = np.where(root < EPSILON, scores, _opensearch_l2(scores, starts, lengths))
    return found


def _opensearch_z_score(scores: FloatArray, starts: IntArray, lengths: IntArray) -> FloatArray:
    """(s - mean) / deviation of a sample, at least 0.001; a score that is the mean becomes the largest of the list"""
    centred = scores - np.repeat(np.add.reduceat(scores, starts) / lengths, lengths)
    deviation = np.sqrt(np.add.reduceat(centred**2, starts) / np.maximum(lengths - 1, 1))
    z = np.maximum(divide_lists(centred, deviation, lengths), LEAST)
    is_mean = np.abs(centred) <= SINGLE * np.abs(scores)
    found: FloatArray = np.where(is_mean, np.repeat(np.maximum.reduceat(scores, starts), lengths), z)
    return found


TOOL_NORMS: Final[Mapping[str, Mapping[str, Norm]]] = {
    "ranx": {"min-max": _ranx_min_max, "max": _ranx_max, "sum": _ranx_sum, "z-score": _ranx_z_score},
    "elasticsearch": {"min-max": _with_equal("min-max", np.copy, EPSILON), "l2": _elasticsearch_l2},
    "weaviate": {"min-max": _with_equal("min-max", np.ones_like)},
    "pyserini": {"min-max": _with_equal("min-max", np.ones_like)},
    "anserini": {"min-max": _with_equal("min-max", np.ones_like)},
    "qdrant": {"dbsf": _dbsf_unclipped(sample=True)},
    "mteb": {"dbsf": _mteb_dbsf, "min-max": _mteb_min_max},
    "opensearch": {
        "min-max": _with_equal(_opensearch_min_max, np.ones_like),
        "l2": _opensearch_l2,
        "z-score": _with_equal(_opensearch_z_score, np.copy),
    },
    "haystack": {"dbsf": _with_equal(_dbsf_unclipped(sample=False), np.copy)},
    "llamaindex": {
        "min-max": _with_equal("min-max", lambda scores: (scores > 0).astype(float)),
        "dbsf": _with_equal(_dbsf_unclipped(sample=False), lambda scores: (scores > 0).astype(float)),
    },
}
"""Norms of each tool, as read in its source (OpenSearch: its documentation); the names are ours."""
