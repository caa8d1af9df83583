"""From scores to a consensus: items sorted by score, equal ones tied, and ordered by id where an order is needed."""

from __future__ import annotations

import numpy as np

from stagg.data.rankings import BoolArray, FloatArray, IntArray, Rankings
from stagg.errors import DataError
from stagg.kernels.ties import group_sizes, ranked
from stagg.methods.base import Method

__all__ = ["consensus", "one_ranker", "unlisted_last"]

SHORT = 10_000


def consensus(rankings: Rankings, method: Method, *, name: str | None = None) -> Rankings:
    """The items of each query by descending score; those that no list holds come last.

    The result is rankings of one ranker, ``stagg-<name>``, the name of the method if not given.
    """
    scores = method.score(rankings)
    if method.puts_unlisted_last():
        scores = unlisted_last(scores, rankings)
    if not np.isfinite(scores).all():
        raise DataError(f"{method.name}: the scores are too large to add up; scale them down, or use a rank method")
    order, tied = ranked(scores, rankings.item_queries, len(rankings))
    descending = scores[order]
    if tied.any():
        starts, sizes = group_sizes(tied)
        _ties_by_id(order, starts, sizes, rankings.items)
        # tied items all have the score of the first of their group: no rounding is written out
        descending = np.maximum.reduceat(descending, starts).repeat(sizes)
    return one_ranker(rankings, f"stagg-{name or method.name}", order, tied, descending)


def one_ranker(rankings: Rankings, name: str, order: IntArray, tied: BoolArray, scores: FloatArray) -> Rankings:
    """All candidates of each query as one list, in this order; a query without candidates has none."""
    full = rankings.sizes > 0
    return Rankings(
        queries=rankings.queries,
        rankers=(name,),
        items=rankings.items,
        item_offsets=rankings.item_offsets,
        list_offsets=np.append(0, np.cumsum(full)),
        list_rankers=np.zeros(np.count_nonzero(full), dtype=np.intp),
        entry_offsets=np.append(rankings.item_offsets[:-1][full], len(order)),
        entries=order,
        tied=tied,
        scores=scores,
        declared=rankings.declared,
    )


def unlisted_last(scores: FloatArray, rankings: Rankings) -> FloatArray:
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


def _ties_by_id(order: IntArray, starts: IntArray, sizes: IntArray, items: tuple[str, ...]) -> None:
    """Equal items by id, descending, bytewise (str compares as UTF-8 does): in place."""
    several = sizes > 1
    ends = (starts + sizes)[several].tolist()
    # a short order is sorted as a Python list: slices of arrays cost more than what is in them
    short = order.tolist() if len(order) <= SHORT else None
    for start, end in zip(starts[several].tolist(), ends, strict=True):
        if short is not None:
            short[start:end] = sorted(short[start:end], key=items.__getitem__, reverse=True)
        else:
            order[start:end] = sorted(order[start:end].tolist(), key=items.__getitem__, reverse=True)
    if short is not None:
        order[:] = short
