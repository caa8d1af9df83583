"""From scores to a consensus: items sorted by score, equal ones tied, and ordered by id where an order is needed."""

from __future__ import annotations

import numpy as np

from stagg.data.rankings import Rankings
from stagg.errors import DataError
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.id_order import break_ties
from stagg.kernels.ragged import build_offsets
from stagg.kernels.ties import rank_scores
from stagg.methods.base import Method

__all__ = ["consensus", "one_ranker", "put_unlisted_last"]

ONE_LIST = np.array([0, 1]), np.zeros(1, dtype=np.intp)
"""The list offsets and list rankers of the consensus of one query."""


def consensus(rankings: Rankings, method: Method, *, name: str | None = None) -> Rankings:
    """The items of each query by descending score; those that no list holds come last.

    The result is rankings of one ranker, ``stagg-<name>``, the name of the method if not given.
    """
    scores = method.score(rankings)
    if method.puts_unlisted_last():
        scores = put_unlisted_last(scores, rankings)
    if not np.isfinite(scores).all():
        raise DataError(f"{method.name}: the scores are too large to add up; scale them down, or use a rank method")
    order, tied = rank_scores(scores, rankings.item_queries, len(rankings))
    descending = scores[order]
    if tied.any():
        break_ties(order, tied, descending, rankings.items)
    return one_ranker(rankings, f"stagg-{name or method.name}", order, tied, descending)


def one_ranker(rankings: Rankings, name: str, order: IntArray, tied: BoolArray, scores: FloatArray) -> Rankings:
    """All candidates of each query as one list, in this order; a query without candidates has none."""
    if len(rankings) == 1 and len(order):
        list_offsets, list_rankers, entry_offsets = *ONE_LIST, rankings.item_offsets
    else:
        full = rankings.sizes > 0
        list_offsets, list_rankers = (
            build_offsets(full.astype(np.intp)),
            np.zeros(np.count_nonzero(full), dtype=np.intp),
        )
        entry_offsets = np.append(rankings.item_offsets[:-1][full], len(order))
    return Rankings(
        queries=rankings.queries,
        rankers=(name,),
        items=rankings.items,
        item_offsets=rankings.item_offsets,
        list_offsets=list_offsets,
        list_rankers=list_rankers,
        entry_offsets=entry_offsets,
        entries=order,
        tied=tied,
        scores=scores,
        declared=rankings.declared,
    )


def put_unlisted_last(scores: FloatArray, rankings: Rankings) -> FloatArray:
    """Scores in which candidates that no list holds lie below all others of their query."""
    if not rankings.declared:
        return scores
    never = np.ones(len(scores), dtype=bool)
    never[rankings.entries] = False
    if not never.any():
        return scores
    lowest = np.full(len(rankings), np.inf)
    np.minimum.at(lowest, rankings.item_queries[~never], scores[~never])
    limit = lowest[rankings.item_queries]
    return np.where(never & (scores >= limit), limit - 1, scores)
