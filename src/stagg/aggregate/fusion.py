"""The driver: a method and rankings in, the consensus, again as rankings, out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stagg.aggregate.requests import rankings_of_request
from stagg.data.rankings import Rankings, Weights
from stagg.methods import Method, method_of
from stagg.methods.consensus import consensus
from stagg.registry import whole_number

__all__ = ["DEFAULT_METHOD", "fuse"]

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
    progress: Callable[[str, int, int], None] | None = None,
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
    an interval says how much the consensus depends on the choice of rankers, not more. ``progress`` is called with
    (what is being done, steps done, steps in all) meanwhile.

    >>> fuse([["a", "b", "c"], ["b", "a"], ["b", "d"]]).best_first()
    ['b', 'a', 'd', 'c']
    """
    chosen = method_of(method).with_missing(missing)
    given = rankings_of_request(rankings)
    if weights is not None:
        given = given.with_weights(weights)
    if depth is not None:
        given = given.cut(whole_number("depth", depth, least=1))
    if top is not None:
        whole_number("top", top, least=1)
    bound, given = chosen.bind(given)
    given = given.active()
    result = consensus(given, bound, name=chosen.tag)
    if intervals is not None:
        from stagg.aggregate.resampling import with_intervals

        result = with_intervals(result, given, bound, level=intervals, draws=draws, seed=seed, k=top, progress=progress)
    return result if top is None else result.cut(top)
