"""``fuse``: a method and rankings in, the consensus, again as rankings, out."""

from __future__ import annotations

from typing import Any

from stagg.aggregate.plan import DEFAULT_METHOD, Progress, prepare
from stagg.data.construct import from_numbers, rankings_of
from stagg.data.given import RankingsLike
from stagg.data.rankings import Rankings, Weights
from stagg.kernels.compiled import twin
from stagg.methods import Method, Missing

__all__ = ["fuse"]

for _each in ("_lists", "_sums", "_ranked"):
    twin(_each)  # loaded with the package, so that the first request costs what later ones cost


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

    ``rankings``: Rankings, or anything that can be converted unambiguously: best-first lists of one query, a list or
    dict of runs ``{query: {item: score}}``, a data frame with columns query, ranker, item and score or rank.
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


def rankings_of_request(given: Any) -> Rankings:
    """What :func:`stagg.data.construct.rankings_of` makes of it.

    Best-first lists of plain ids, as a search service fuses them for every request, are numbered by the compiled twin.

    >>> rankings_of_request({"bm25": ["a", "b"], "dense": ["b", "c"]})
    Rankings(1 query, 2 rankers, 3 items)
      bm25: a > b
      dense: b > c
    """
    compiled = twin("_lists")
    if compiled is None or type(given) not in (list, dict) or not given:
        return rankings_of(given)
    if type(given) is list and type(given[0]) is dict:
        found = compiled.scored(given)
    else:
        found = compiled.numbered(list(given.values()) if type(given) is dict else given)
    if found is None or (type(given) is dict and not set(map(type, given)) <= {str}):
        return rankings_of(given)
    names = tuple(given) if type(given) is dict else tuple(map(str, range(1, len(given) + 1)))
    return from_numbers(names, *found)
