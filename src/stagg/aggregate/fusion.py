"""``fuse``: a method and rankings in, the consensus, again as rankings, out."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from stagg.aggregate.plan import DEFAULT_METHOD, Progress, Scale, prepare
from stagg.data.construct import Outer, from_numbers, has_words, rankings_of
from stagg.data.given import RankingsLike
from stagg.data.listings import DUPLICATES, Duplicates
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
    min_lists: int | None = None,
    min_score: float | Mapping[str, float] | None = None,
    scale: Scale | None = None,
    outer: Outer | None = None,
    duplicates: Duplicates = "error",
    intervals: float | None = None,
    draws: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Rankings:
    """Many rankings into one: the consensus of each query, as rankings of one ranker with scores.

    ``rankings``: best-first lists of ids, lists of ``(id, number)`` tuples (scored hits) or ``{id: number}`` dicts, one
    per ranker, in a list or in a dict by name; runs ``{ranker: {query: {id: number}}}``; a data frame, lazy or not, or
    anything that streams Arrow; Rankings. ``None`` in the place of a list is a ranker that failed: it is left out, and
    the result's ``absent`` names it. A set inside a list is a group of items that tie. What could mean two things is
    refused. ``outer="query"`` says that the outer keys of nested dicts are queries. ``duplicates``: an item that is
    twice in one list is an error, or the better-placed one ("best") or the one that came first ("first") stays.

    ``method``: text such as "rrf(c=60)" or a method object. ``weights``: by position, or by name (the others keep
    1); 0 leaves a ranker out. ``missing``: what absence from a list means, "below", "neutral" or "skip".
    ``depth`` cuts every input list to its first so many, ``top`` the result. ``min_score`` drops what a ranker scored
    lower, before the fusion: one number for all rankers, or ``{ranker: number}``. ``min_lists`` keeps only items that
    so many lists hold. ``scale="first"`` divides scores by what an item would have that is first in every list of its
    query: 1 is the most there is.

    ``intervals`` (0.9, say) adds how sure the ranks are: the rankers are resampled ``draws`` times (1000, or 100 where
    the method must be run again each time), and ``result.intervals`` has the low and high rank, the share of draws
    within the first ``top`` (10 if not given) and groups that the draws cannot tell apart. With fewer than ten rankers
    an interval says how much the consensus depends on the choice of rankers, not more. ``progress`` is called with
    (what is being done, steps done, steps in all) meanwhile.

    ``fuse(...).hits()`` are the items with their scores; ``best_first()``, ``to_dict()``, ``to_frame("pandas")`` and
    ``to_arrow()`` are other ways out.

    >>> fuse([["a", "b", "c"], ["b", "a"], ["b", "d"]]).best_first()
    ['b', 'a', 'd', 'c']
    >>> fuse({"bm25": [("d1", 12), ("d2", 9)], "dense": [("d2", 8)]}).best_first()
    ['d2', 'd1']
    """
    plan = prepare(
        method, missing=missing, weights=weights, depth=depth, top=top, min_lists=min_lists, min_score=min_score,
        scale=scale, intervals=intervals, draws=draws, seed=seed,
    )  # fmt: skip
    given = rankings_of_request(rankings, outer, duplicates)
    done = plan.fuse(given, progress)
    return done.result._refer(done.rankings, given.absent)


def rankings_of_request(given: Any, outer: Outer | None = None, duplicates: Duplicates = "error") -> Rankings:
    """What :func:`stagg.data.construct.rankings_of` makes of it, ``{a: {id: number}}`` being read by ranker.

    Lists of plain ids and of scored hits, as a search service fuses them for every request, are numbered by the
    compiled twin.

    >>> rankings_of_request({"bm25": ["a", "b"], "dense": ["b", "c"]})
    Rankings(1 query, 2 rankers, 3 items)
      bm25: a > b
      dense: b > c
    """
    usual = outer in (None, "ranker") and duplicates in DUPLICATES
    found = _number_quickly(given) if usual else None
    if found is None:
        return rankings_of(given, outer=_ranker_unless_list(given, outer), duplicates=duplicates)
    names = tuple(given) if type(given) is dict else _count_names(len(given))
    return from_numbers(names, *found)


def _number_quickly(given: Any) -> Any | None:
    """The numbered items of plain lists or of scored hits; None where there is no twin, or something is unusual."""
    compiled = twin("_lists")
    if compiled is None or type(given) not in (list, dict) or not given:
        return None
    legs = given
    if type(given) is dict:
        legs = [list(leg) if type(leg) is tuple else leg for leg in given.values()]
        if "" in given or has_words(given) or not set(map(type, given)) <= {str}:
            return None
    if type(legs[0]) is dict or (type(legs[0]) is list and legs[0] and type(legs[0][0]) is tuple):
        found = compiled.scored(legs)
        return None if found is None or any(type(leg) is dict and has_words(leg) for leg in legs) else found
    return compiled.numbered(legs)


@functools.lru_cache(maxsize=100)
def _count_names(count: int) -> tuple[str, ...]:
    return tuple(map(str, range(1, count + 1)))


def _ranker_unless_list(given: Any, outer: Outer | None) -> Outer | None:
    return "ranker" if outer is None and isinstance(given, Mapping) else outer
