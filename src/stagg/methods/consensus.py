"""From scores to a consensus: items sorted by score, equal ones tied, and ordered by id where an order is needed."""

from __future__ import annotations

import functools
from itertools import pairwise
from typing import Any, Final

import numpy as np

from stagg.data.inputs.construct import from_numbers
from stagg.data.rankings import Rankings
from stagg.errors import DataError
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.id_order import rank_by_id
from stagg.kernels.ragged import build_offsets
from stagg.kernels.sums import find_largest
from stagg.kernels.ties import rank_scores
from stagg.methods.base import Method, Scored

__all__ = ["consensus", "one_ranker", "put_unlisted_last", "rank_scored", "rank_trial", "score_items"]

APART: Final = 1e-6  # of the largest score: far more than what ties
MANY: Final = 1 << 18  # entries; fewer are ranked sooner than threads are started
RANGES: Final = 4  # ranges of queries for each thread, so that they end at about the same time
AT_ONCE: Final = 1 << 17  # entries of a range: what is made of them fits the processor's cache

Ranked = tuple[IntArray, BoolArray, FloatArray]
"""Items in their order, which tie with the one before, and the scores in that order."""


def consensus(rankings: Rankings, method: Method, *, name: str | None = None) -> Rankings:
    """The items of each query by descending score; those that no list holds come last.

    The result is rankings of one ranker, ``stagg-<name>``, the name of the method if not given. Of many rows, several
    threads rank a range of queries each.
    """
    large = len(rankings.entries) >= MANY and "query_independence" not in method.broken_laws()
    ranked = _rank_ranges(rankings, method) if large else _rank(score_items(rankings, method), rankings, method)
    return one_ranker(rankings, f"stagg-{name or method.name}", *ranked)


def _rank_ranges(rankings: Rankings, method: Method) -> Ranked:
    from stagg.data.parts import slice_queries  # here: most rankings are small
    from stagg.threads import available_cores, map_threads

    cores = available_cores()
    ranges = _find_ranges(rankings, max(RANGES * cores, len(rankings.entries) // AT_ONCE))

    def rank(bounds: tuple[int, int]) -> Ranked:
        part = slice_queries(rankings, *bounds)
        return _rank(score_items(part, method), part, method)

    parts = map_threads(rank, ranges, cores)
    firsts = [rankings.item_offsets[first] for first, _ in ranges]
    order = np.concatenate([part[0] + first for part, first in zip(parts, firsts, strict=True)])
    tied, scores = (np.concatenate([part[place] for part in parts]) for place in (1, 2))
    return order, tied, scores


def _find_ranges(rankings: Rankings, count: int) -> list[tuple[int, int]]:
    """At most so many ranges of queries, (first, beyond the last), of about as many entries each."""
    before = rankings.entry_offsets[rankings.list_offsets]
    wanted = np.linspace(0, before[-1], count + 1)[1:-1]
    bounds = np.unique([0, *np.searchsorted(before, wanted), len(rankings)]).tolist()
    return list(pairwise(bounds))


def score_items(rankings: Rankings, method: Method) -> Scored:
    """The scores that a consensus goes by: those of the method, items that no list holds below all others."""
    scored = method.scored(rankings)
    return put_unlisted_last(scored, rankings) if method.puts_unlisted_last() else scored


def rank_scored(scored: Scored, rankings: Rankings, method: Method, *, name: str | None = None) -> Rankings:
    """The consensus by scores that :func:`score_items` gave."""
    return one_ranker(rankings, f"stagg-{name or method.name}", *_rank(scored, rankings, method))


def _rank(scored: Scored, rankings: Rankings, method: Method) -> Ranked:
    ranked = rank_by_id(*scored, rankings.item_queries, rankings.item_offsets, rankings.items)
    if ranked is None:
        raise DataError(f"{method.name}: the scores or weights are too large to add up; scale them down")
    return ranked


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


def rank_trial(scored: Scored, rankings: Rankings) -> Rankings:
    """A consensus that is only measured: equal items stand as they come, which measures put right."""
    order, tied = rank_scores(*scored, rankings.item_queries, len(rankings))
    return one_ranker(rankings, "trial", order, tied, scored.scores[order])


def put_unlisted_last(scored: Scored, rankings: Rankings) -> Scored:
    """Scores in which candidates that no list holds lie below all others of their query, and tie with none of them."""
    if not rankings.declared:
        return scored
    scores, masses = scored
    never = np.ones(len(scores), dtype=bool)
    never[rankings.entries] = False
    if not never.any():
        return scored
    lowest = np.full(len(rankings), np.inf)
    np.minimum.at(lowest, rankings.item_queries[~never], scores[~never])
    largest = find_largest(np.maximum(np.abs(scores), np.abs(masses)), rankings.item_queries, len(rankings))
    limit, below = lowest[rankings.item_queries], (lowest - np.maximum(1.0, APART * largest))[rankings.item_queries]
    return Scored(np.where(never & (scores >= limit), below, scores), masses)
