"""From scores to a consensus: items sorted by score, equal ones tied, and ordered by id where an order is needed."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from stagg.data.construct import from_numbers
from stagg.data.rankings import Rankings
from stagg.errors import DataError
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.id_order import rank_by_id
from stagg.kernels.ragged import build_offsets
from stagg.methods.base import Method

__all__ = ["consensus", "one_ranker", "put_unlisted_last"]


def consensus(rankings: Rankings, method: Method, *, name: str | None = None) -> Rankings:
    """The items of each query by descending score; those that no list holds come last.

    The result is rankings of one ranker, ``stagg-<name>``, the name of the method if not given.
    """
    scores = method.score(rankings)
    if method.puts_unlisted_last():
        scores = put_unlisted_last(scores, rankings)
    ranked = rank_by_id(scores, rankings.item_queries, rankings.item_offsets, rankings.items)
    if ranked is None:
        raise DataError(f"{method.name}: the scores or weights are too large to add up; scale them down")
    return one_ranker(rankings, f"stagg-{name or method.name}", *ranked)


def one_ranker(rankings: Rankings, name: str, order: IntArray, tied: BoolArray, scores: FloatArray) -> Rankings:
    """All candidates of each query as one list, in this order; a query without candidates has none."""
    fields: dict[str, Any] = {
        "queries": rankings.queries,
        "rankers": (name,),
        "items": rankings.items,
        "item_offsets": rankings.item_offsets,
        "entries": order,
        "tied": tied,
        "scores": scores,
        "declared": rankings.declared,
    }
    if len(rankings) == 1 and len(order):
        return _one_list().like(**fields, entry_offsets=rankings.item_offsets)
    full = rankings.sizes > 0
    return Rankings(
        **fields,
        list_offsets=build_offsets(full.astype(np.intp)),
        list_rankers=np.zeros(np.count_nonzero(full), dtype=np.intp),
        entry_offsets=np.append(rankings.item_offsets[:-1][full], len(order)),
    )


@functools.cache
def _one_list() -> Rankings:
    """Rankings of one query and one list, for others to be made like it."""
    return from_numbers(("1",), ("a",), np.zeros(1, dtype=np.intp), [1])


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
