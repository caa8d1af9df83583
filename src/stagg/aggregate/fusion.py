"""The driver: a method and rankings in, the consensus, again as rankings, out."""

from __future__ import annotations

from typing import Any

import numpy as np

from stagg.data.construct import rankings_of
from stagg.data.rankings import BoolArray, FloatArray, IntArray, Rankings, Weights
from stagg.errors import DataError, InvalidParameter, shown
from stagg.kernels.ties import group_sizes, ranked
from stagg.methods import METHODS, Method

__all__ = ["DEFAULT_METHOD", "consensus", "fuse", "method_of"]

DEFAULT_METHOD = "rrf(c=60)"


def fuse(
    rankings: Any,
    method: str | Method = DEFAULT_METHOD,
    *,
    weights: Weights | None = None,
    missing: str | None = None,
    depth: int | None = None,
    top: int | None = None,
    intervals: float | None = None,
    draws: int | None = None,
    seed: int = 0,
) -> Rankings:
    """Many rankings into one: the consensus of each query, as rankings of one ranker with scores.

    ``rankings``: Rankings, or what makes them without doubt: best-first lists of one query, a list or dict of runs
    ``{query: {item: score}}``, a data frame with columns query, ranker, item and score or rank.
    ``method``: text such as "rrf(c=60)" or a method object. ``weights``: by position, or by name (the others keep
    1); 0 leaves a ranker out. ``missing``: what absence from a list means, "below", "neutral" or "skip".
    ``depth`` cuts every input list to its first so many, ``top`` the result.

    ``intervals`` (0.9, say) adds how sure the ranks are: the rankers are resampled ``draws`` times (1000, or 100 where
    the method must be run again each time), and ``result.intervals`` has the low and high rank, the share of draws
    within the first ``top`` (10 if not given) and groups that the draws cannot tell apart. With fewer than ten rankers
    an interval says how much the consensus depends on the choice of rankers, not more.

    >>> fuse([["a", "b", "c"], ["b", "a"], ["b", "d"]]).best_first()
    ['b', 'a', 'd', 'c']
    """
    chosen = method_of(method).with_missing(missing)
    given = rankings_of(rankings)
    if weights is not None:
        given = given.with_weights(weights)
    if depth is not None:
        given = given.cut(depth)
    if top is not None and top < 1:
        raise InvalidParameter(f"top must be 1 or more, not {shown(top)}")
    given = given.active()
    result = consensus(given, chosen)
    if intervals is not None:
        from stagg.aggregate.resampling import with_intervals

        result = with_intervals(result, given, chosen, level=intervals, draws=draws, seed=seed, k=top)
    return result if top is None else result.cut(top)


def method_of(method: str | Method) -> Method:
    """The method that a text spells, or the method itself."""
    if isinstance(method, Method):
        return method
    if isinstance(method, str):
        return METHODS.parse(method)
    raise InvalidParameter(f"a method is a text such as 'rrf(c=60)' or a method object, not {shown(method)}")


def consensus(rankings: Rankings, method: Method) -> Rankings:
    """The items of each query by descending score; those that no list holds come last."""
    scores = _unlisted_last(method.score(rankings), rankings)
    if not np.isfinite(scores).all():
        raise DataError(f"{method.name}: the scores are too large to add up; scale them down, or use a rank method")
    order, tied = ranked(scores, rankings.item_queries, len(rankings))
    descending = scores[order]
    if tied.any():
        starts, sizes = group_sizes(tied)
        _ties_by_id(order, starts, sizes, rankings.items)
        # tied items all have the score of the first of their group: no rounding is written out
        descending = np.maximum.reduceat(descending, starts).repeat(sizes)
    return _one_ranker(rankings, f"stagg-{method.name}", order, tied, descending)


def _one_ranker(rankings: Rankings, name: str, order: IntArray, tied: BoolArray, scores: FloatArray) -> Rankings:
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


def _unlisted_last(scores: FloatArray, rankings: Rankings) -> FloatArray:
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
    for start, size in zip(starts[several].tolist(), sizes[several].tolist(), strict=True):
        order[start : start + size] = sorted(order[start : start + size].tolist(), key=items.__getitem__, reverse=True)
