"""``fuse``: a method and rankings in, the consensus, again as rankings, out."""

from __future__ import annotations

from stagg.aggregate.plan import DEFAULT_METHOD, Progress, prepare
from stagg.aggregate.requests import rankings_of_request
from stagg.data.given import RankingsLike
from stagg.data.rankings import Rankings, Weights
from stagg.methods import Method, Missing

__all__ = ["fuse"]


def fuse(
    rankings: RankingsLike,
    method: str | Method = DEFAULT_METHOD,
    *,
    weights: Weights | None = None,
    missing: Missing | None = None,
    depth: int | None = None,
    top: int | None = None,
    intervals: float | None = None,
    draws: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
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
    plan = prepare(
        method, missing=missing, weights=weights, depth=depth, top=top, intervals=intervals, draws=draws, seed=seed
    )
    return plan.fuse(rankings_of_request(rankings), progress).result
