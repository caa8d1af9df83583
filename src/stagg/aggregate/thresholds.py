"""Thresholds: lowest scores of the inputs, fewest lists of an item in the result, scores on a scale up to 1."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from stagg.data.inputs.lists import id_text
from stagg.data.parts import take_entries, with_listed_items
from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, UnknownName, shown
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.methods import Method
from stagg.registry import near_names

__all__ = [
    "check_min_score",
    "check_scale",
    "drop_low_scores",
    "keep_listed",
    "leave_out_absent",
    "scale_to_first",
    "score_of_first",
]


def leave_out_absent(rankings: Rankings) -> Rankings:
    """Without the rankers that failed: whatever their weight, they take no part."""
    failed = set(rankings.absent)
    present = [number for number, name in enumerate(rankings.rankers) if name not in failed]
    return rankings.take_rankers(present).replace(absent=())


# --- the least score of an input --------------------------------------------------------------------------------------


def check_min_score(min_score: Any) -> None:
    for value in min_score.values() if isinstance(min_score, Mapping) else [min_score]:
        if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) <= sys.float_info.max:
            raise InvalidParameter(f"min_score is a number, or {{ranker: number}}, not {shown(min_score)}")


def drop_low_scores(rankings: Rankings, min_score: float | Mapping[str, float]) -> Rankings:
    """Without the entries whose score is below the least; items that no list holds any more leave.

    >>> drop_low_scores(Rankings.from_scores({"bm25": {"a": 9.0, "b": 2.0}, "dense": {"b": 0.7}}), {"bm25": 5})
    Rankings(1 query, 2 rankers, 2 items, with scores)
      bm25: a
      dense: b
    """
    least = _least_scores(rankings, min_score)[rankings.list_rankers[rankings.entry_lists]]
    scores = np.full(len(rankings.entries), np.nan) if rankings.scores is None else rankings.scores
    without = np.isnan(scores) & (least > -np.inf)
    if without.any():
        ranker = rankings.rankers[int(rankings.list_rankers[rankings.entry_lists[np.argmax(without)]])]
        raise DataError(
            f"min_score needs scores, and ranker {shown(ranker)} has none; name the rankers that have some: "
            "min_score={ranker: number}"
        )
    low = scores < least
    return with_listed_items(take_entries(rankings, ~low)) if low.any() else rankings


def _least_scores(rankings: Rankings, min_score: float | Mapping[str, float]) -> FloatArray:
    """The least score of each ranker, minus infinity where there is none."""
    if not isinstance(min_score, Mapping):
        return np.full(len(rankings.rankers), float(min_score))
    min_score = {id_text(name, "ranker", "min_score"): value for name, value in min_score.items()}
    for name in min_score:
        if name not in rankings.rankers and name not in rankings.absent:
            near = near_names(name, rankings.rankers)
            raise UnknownName(f"min_score names the ranker {shown(name)}, which the input does not have{near}")
    return np.array([min_score.get(name, -np.inf) for name in rankings.rankers], dtype=float)


# --- how many lists hold an item --------------------------------------------------------------------------------------


def keep_listed(consensus: Rankings, rankings: Rankings, lists: int) -> Rankings:
    """The entries of a consensus that at least so many lists hold (of a ranker with a multiplicity, so many voters)."""
    voters: IntArray = rankings.multiplicities[rankings.list_rankers[rankings.entry_lists]]
    held = np.bincount(rankings.entries, weights=voters, minlength=len(rankings.items))
    most = int(voters.sum()) + 1  # so that a huge number is compared as a float
    return take_entries(consensus, held[consensus.entries] >= min(lists, most))


# --- scores on a scale up to 1 ----------------------------------------------------------------------------------------


def check_scale(scale: str, method: Method) -> None:
    if not isinstance(scale, str) or scale != "first":
        raise InvalidParameter(f"scale is 'first' (1 = first in every list), not {shown(scale)}")
    if method.is_untrained:  # a trained method says what it is when it meets rankings
        _refuse_unbounded(method)


def scale_to_first(consensus: Rankings, rankings: Rankings, method: Method) -> Rankings:
    """The consensus, its scores divided by what an item would have that is first in every list of its query."""
    _refuse_unbounded(method)
    first = score_of_first(rankings, method)[consensus.list_queries[consensus.entry_lists]]
    scores = np.zeros(0) if consensus.scores is None else consensus.scores
    shares = np.divide(scores, first, out=np.zeros_like(scores), where=first > 0)
    return consensus.replace(scores=np.clip(shares, 0.0, 1.0))


def _refuse_unbounded(method: Method) -> None:
    reason = method.unbounded()
    if reason is not None:
        raise InvalidParameter(f"scale='first' has no meaning for {method.label}: {reason}")


def score_of_first(rankings: Rankings, method: Method) -> FloatArray:
    """Of each query: the score of an item that is first in every list.

    It is found by the method itself, on lists of the same lengths that all begin with the first item of the query.
    """
    if not len(rankings.list_rankers):
        return np.zeros(len(rankings))
    firsts = rankings.item_offsets[:-1][rankings.list_queries]
    entries = rankings.entries.copy()
    starts = rankings.entry_offsets[:-1]
    where = np.flatnonzero(entries == firsts[rankings.entry_lists])  # the item where it stands now changes places
    entries[where] = entries[starts[rankings.entry_lists[where]]]
    entries[starts] = firsts
    scores = method.score(rankings.replace(entries=entries, tied=np.zeros(len(entries), dtype=bool)))
    found = np.zeros(len(rankings))
    some = rankings.sizes > 0
    found[some] = scores[rankings.item_offsets[:-1][some]]
    return found
