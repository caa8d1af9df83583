"""Rank and write: scores to ranked items and to rows of a TREC run, the twin of ``ties.rank_scores`` and the writer.

``rule`` is (tolerance, least) of :mod:`stagg.kernels.ties`. Each function gives None where the twin was not built.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray, Int32Array, IntArray
from stagg.kernels.compiled import twin

__all__ = ["has_twin", "order_tied_texts", "rank", "rank_texts", "write_rows"]

Rule = tuple[float, float]


def has_twin() -> bool:
    """Whether a consensus can be written without making text of an id."""
    return twin("text._ranked") is not None


def rank(scores: FloatArray, masses: FloatArray, offsets: IntArray, rule: Rule) -> tuple[IntArray, BoolArray] | None:
    """Items by query and descending score, and which of them tie with the one before."""
    compiled = twin("text._ranked")
    return None if compiled is None else compiled.ranked(_plain(scores), _plain(masses), offsets, *rule)


def rank_texts(
    scores: FloatArray, masses: FloatArray, offsets: IntArray, rule: Rule, ids: tuple[str, ...]
) -> tuple[tuple[IntArray, BoolArray, FloatArray] | None] | None:
    """((order, ties, scores in that order),), equal items by id; (None,) where a score is not finite."""
    compiled = twin("text._ranked")
    if compiled is None:
        return None
    return (compiled.ranked_by_id(_plain(scores), _plain(masses), offsets, *rule, ids),)


def order_tied_texts(order: IntArray, tied: BoolArray, scores: FloatArray, ids: Sequence[str]) -> bool:
    """Equal items by id, descending, all with the score of the first of them: in place; False without the twin."""
    compiled = twin("text._ranked")
    if compiled is not None:
        compiled.ties_by_id(order, tied.view(np.uint8), scores, ids)
    return compiled is not None


def write_rows(
    scores: FloatArray, masses: FloatArray, offsets: IntArray, rule: Rule, address: IntArray, length: Int32Array,
    queries: list[bytes], tag: bytes, top: int | None,
) -> bytes | None:  # fmt: skip
    """The items of each query by descending score as rows of a run, the first ``top`` of each."""
    compiled = twin("text._ranked")
    if compiled is None:
        return None
    most = np.iinfo(np.int64).max if top is None else top
    text: bytes = compiled.written(
        _plain(scores), _plain(masses), offsets, address, length, queries, tag, most, *rule
    )  # fmt: skip
    return text


def _plain(values: FloatArray) -> FloatArray:
    return np.ascontiguousarray(values, dtype=np.float64)
