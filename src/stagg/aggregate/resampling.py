"""Intervals of the consensus rank by a Bayesian bootstrap: resample the rankers and fuse again for every draw.

A Bayesian bootstrap over the voters of a query: each gets a random weight (Dirichlet), the given weights multiply it.
With fewer than ten rankers such an interval says how much the consensus depends on the choice of rankers, not more.
"""

from __future__ import annotations

import numpy as np

from stagg.aggregate.plan import Progress
from stagg.data.intervals import Intervals
from stagg.data.parts import repeat_query
from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, shown
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.id_order import order_by_id
from stagg.kernels.lists.bootstrap import Ranks, rank_intervals, ranks_of, resampled_ranks, share_places
from stagg.kernels.streams import open_stream
from stagg.kernels.sums import find_exponent, scale_down
from stagg.methods import Method
from stagg.methods.base import contributions, entry_gains, entry_masses

__all__ = [
    "ADDITIVE_DRAWS",
    "OTHER_DRAWS",
    "caveat",
    "pick_precision",
    "rank_shares",
    "voter_weights",
    "with_intervals",
]

ADDITIVE_DRAWS = 1000
OTHER_DRAWS = 100
"""Draws where the method has to be run again for each."""

TOP = 10
FEW_VOTERS = 10  # with fewer, intervals say less than they seem to
REPEATED = 4_000_000  # entries of one query, repeated for draws, that a method is run on at once
MOST_SINGLE = 2**20  # so many voters vary by a thousandth of their number, and more by less
LARGEST_SUM = 1023  # a sum below this power of two is finite
MOST_RANKS = 1_000_000_000  # ranks of one query's draws held at once: 8 GB, the first and the last of each


def with_intervals(
    fused: Rankings,
    rankings: Rankings,
    method: Method,
    *,
    level: float,
    draws: int | None = None,
    seed: int = 0,
    k: int | None = None,
    progress: Progress | None = None,
) -> Rankings:
    """The consensus ``fused`` that ``method`` made of ``rankings``, with intervals beside its entries."""
    if not method.weighs:
        raise InvalidParameter(
            f"{method.tag} does not look at the weights of the rankers, so there is nothing to resample: "
            f"intervals need a method, or a learner such as weights, that does"
        )
    if draws is not None and draws * int(fused.sizes.max(initial=1)) > MOST_RANKS:
        raise InvalidParameter(
            f"{shown(draws)} draws of {int(fused.sizes.max()):,} items are too many; take fewer draws"
        )
    draws = draws or (ADDITIVE_DRAWS if method.is_additive() else OTHER_DRAWS)
    k = TOP if k is None else k
    gains = entry_gains(method, rankings)
    low, high, group = np.zeros((3, len(fused.entries)), dtype=np.intp)
    top = np.zeros(len(fused.entries))
    for query in np.flatnonzero(fused.list_counts).tolist():
        if progress is not None:
            progress("resampling the rankers", query, len(fused))
        ranks = _ranks(fused, rankings, method, query, gains, draws, seed)
        mine = _entries(fused, query)
        low[mine], high[mine], top[mine], group[mine] = rank_intervals(ranks, fused.tied[mine], level, k)
    return fused.replace(intervals=Intervals(low, high, top, group, level=level, draws=draws, k=k, seed=seed))


def caveat(voters: int, *, groups: bool = False) -> str:
    """The meaning of intervals, and its limits, where the query with the fewest voters has so many.

    ``groups``: whether the groups are shown, too.
    """
    if voters >= FEW_VOTERS:
        run = "; a group is a run of neighbours, none told apart from the next; its first and last may differ"
        return f"from resampling the rankers ({voters} or more a query){run if groups else ''}"
    some = f"{voters} ranker{'s' * (voters != 1)}"
    return f"with {some} they say how much the consensus depends on the choice of rankers, not more"


def rank_shares(
    fused: Rankings, rankings: Rankings, method: Method, query: int, *, ranks: int, draws: int, seed: int = 0
) -> FloatArray:
    """share[i, r] of the draws in which the i-th item of the consensus has rank r + 1; the last column is "later".

    Items that tie in a draw share their places.
    """
    return share_places(_ranks(fused, rankings, method, query, entry_gains(method, rankings), draws, seed), ranks)


def _ranks(
    fused: Rankings,
    rankings: Rankings,
    method: Method,
    query: int,
    gains: tuple[FloatArray, FloatArray] | None,
    draws: int,
    seed: int,
) -> Ranks:
    """The places of each item of a query, in the order of the consensus, in every draw."""
    first = rankings.item_offsets[query]
    consensus = fused.entries[_entries(fused, query)] - first
    weights = voter_weights(rankings, query, draws, seed)
    if not weights.shape[1]:  # candidates, but not one list: nothing to resample
        return Ranks(*(np.full((len(consensus), draws), place, dtype=np.int32) for place in (0, len(consensus) - 1)))
    if gains is not None:
        sizes = entry_masses(method, rankings, gains)
        by_name = _by_name(rankings, query)
        tables = [contributions(each, rankings, query) for each in (gains, sizes) if each is not None]
        spare = LARGEST_SUM - find_exponent(weights) - len(tables[0]).bit_length()
        room = max(0, find_exponent(tables[-1]) - spare)  # sums that would overflow are divided by a power of two
        return resampled_ranks(
            weights[:, by_name], *(np.ldexp(table[by_name][:, consensus], -room) for table in tables)
        )
    scored = [method.scored(repeat_query(rankings, query, block)) for block in _blocks(weights, rankings)]
    scores, masses = (np.concatenate(each).reshape(draws, -1)[:, consensus] for each in zip(*scored, strict=True))
    if not np.isfinite(scores).all():
        raise DataError(f"{method.name}: the scores or weights are too large to add up; scale them down")
    return ranks_of(scores, masses)


def _blocks(weights: FloatArray, rankings: Rankings) -> list[FloatArray]:
    """The draws in blocks of so many that the rankings, repeated for each, stay of moderate size."""
    step = max(1, REPEATED // max(1, len(rankings.entries)))
    return [weights[first : first + step] for first in range(0, len(weights), step)]


def _entries(fused: Rankings, query: int) -> slice:
    """The entries of the one list of a query; it holds all items, or those that enough lists hold."""
    number = int(fused.list_offsets[query])
    return slice(*fused.entry_offsets[number : number + 2].tolist())


def voter_weights(rankings: Rankings, query: int, draws: int, seed: int) -> FloatArray:
    """weights[draw, list] of the lists of a query: Dirichlet over its m voters, α = max(1/3, (m-2)/m).

    A multiplicity c draws Gamma(c·α); given weights multiply the draw. The draws depend on the seed, the query's id and
    the names of its rankers in order, on nothing else: file order, threads and engine do not matter.
    """
    owners = rankings.list_rankers[slice(*rankings.list_offsets[query : query + 2])]
    voters = rankings.multiplicities[owners]
    m = int(voters.sum())
    alpha = max(1 / 3, (m - 2) / m) if m else 1.0
    by_name = _by_name(rankings, query)
    rng = open_stream(seed, rankings.queries[query])
    weights = np.empty((draws, len(owners)))
    weights[:, by_name] = rng.gamma(voters[by_name] * alpha, size=(draws, len(owners)))
    total = weights.sum(axis=1, keepdims=True)
    weights = np.divide(weights, total, out=np.full_like(weights, 1.0), where=total > 0)
    given = rankings.weights[owners]
    if rankings.factors is not None:
        given = given * rankings.factors[slice(*rankings.list_offsets[query : query + 2])]
    drawn = (weights * m).astype(
        pick_precision(voters)
    )  # as the pages carry them: their intervals are these, to the bit
    result: FloatArray = drawn.astype(np.float64) * scale_down(given)
    return result


def pick_precision(voters: IntArray) -> type[np.floating]:
    """The type of the draws of lists that so many voters cast: many vary by less than the smaller one can tell."""
    return np.float32 if voters.max(initial=0) <= MOST_SINGLE else np.float64


def _by_name(rankings: Rankings, query: int) -> np.ndarray:
    """The lists of a query in the order of their rankers' names."""
    owners = rankings.list_rankers[slice(*rankings.list_offsets[query : query + 2])].tolist()
    return order_by_id([rankings.rankers[owner] for owner in owners])
