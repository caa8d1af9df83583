"""Beatpaths: how strong a chain of victories is (Schulze), and which victories can stand together (ranked pairs)."""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.compiled import twin

__all__ = [
    "lock_pairs",
    "lock_pairs_in_numpy",
    "order_pairs",
    "possible_places",
    "widest_paths",
    "widest_paths_in_numpy",
]


EXACT = 2**53  # whole numbers up to here are exact as floats


def widest_paths(strengths: IntArray) -> IntArray:
    """P[i, j] = the largest strength of a path from i to j, a path being as strong as its weakest step.

    ``strengths[i, j]`` is that of the step, 0 where there is none. By the algorithm of Floyd and Warshall: O(n³), in
    floats, which processors compare fastest: strengths that floats do not hold are numbered in their order.

    >>> widest_paths(np.array([[0, 5, 0], [0, 0, 3], [1, 0, 0]]))
    array([[1, 5, 3],
           [1, 1, 3],
           [1, 1, 1]])
    """
    if strengths.max(initial=0) > EXACT:
        values, numbers = np.unique(np.append(strengths, 0), return_inverse=True)  # 0 stays 0
        return np.asarray(values[widest_paths(numbers[:-1].reshape(strengths.shape))], dtype=np.intp)
    compiled = twin("pairs._beatpaths")
    given = np.ascontiguousarray(strengths, dtype=np.float64)
    widths: FloatArray = widest_paths_in_numpy(given) if compiled is None else compiled.widest_paths(given)
    return widths.astype(np.intp)


def widest_paths_in_numpy(strengths: FloatArray) -> FloatArray:
    """The same without the twin."""
    widths = np.array(strengths)
    for i in range(len(widths)):
        others = np.flatnonzero((widths[:, i] > 0) & (np.arange(len(widths)) != i))
        widths[others] = np.maximum(widths[others], np.minimum(widths[others, i, None], widths[i]))
    return widths


def order_pairs(strengths: IntArray, preferred: IntArray) -> tuple[IntArray, IntArray]:
    """(winners, losers) of all pairs, the strongest first; a tied pair counts both ways, with strength 0.

    Equal pairs go by the place of the winner, then of the loser, in ``preferred``: the items, best first.
    """
    n = len(strengths)
    place = np.empty(n, dtype=np.intp)
    place[preferred] = np.arange(n)
    winners, losers = np.nonzero((strengths > 0) | ((strengths == 0) & (strengths.T == 0) & ~np.eye(n, dtype=bool)))
    order = np.lexsort((place[losers], place[winners], -strengths[winners, losers]))
    return winners[order], losers[order]


def lock_pairs(winners: IntArray, losers: IntArray, n: int) -> BoolArray:
    """R[i, j] = whether i stands above j after the pairs were locked in turn, those left out that close a circle.

    >>> lock_pairs(np.array([0, 1, 2]), np.array([1, 2, 0]), 3).astype(int)
    array([[0, 1, 1],
           [0, 0, 1],
           [0, 0, 0]])
    """
    compiled = twin("pairs._beatpaths")
    above: BoolArray = (compiled.lock_pairs if compiled is not None else lock_pairs_in_numpy)(winners, losers, n)
    return above


def lock_pairs_in_numpy(winners: IntArray, losers: IntArray, n: int) -> BoolArray:
    """The same without the twin."""
    above = np.zeros((n, n), dtype=bool)
    for winner, loser in zip(winners.tolist(), losers.tolist(), strict=True):
        if not above[winner, loser] and not above[loser, winner]:
            _lock(above, winner, loser)
    return above


def possible_places(strengths: IntArray, most: int) -> IntArray | None:
    """The best place, from 0, of each item over all orders of equally strong pairs; None beyond ``most`` outcomes.

    Which items can be first is hard to say in general (Brill & Fischer, "The price of neutrality for the ranked pairs
    method", AAAI 2012); the outcomes of each strength are gone through, equal ones once.
    """
    outcomes: set[Outcome] = {(0,) * len(strengths)}
    for strength in np.unique(strengths[strengths > 0])[::-1]:
        widened = _lock_equals(outcomes, np.argwhere(strengths == strength).tolist(), most)
        if widened is None:
            return None
        outcomes = widened
    places = np.array([[over.bit_count() for over in outcome] for outcome in outcomes], dtype=np.int64)
    return np.asarray(places.min(axis=0))


Outcome = tuple[int, ...]
"""For each item a number whose bits say which items stand above it: far faster than arrays of a few items."""


def _lock_equals(outcomes: set[Outcome], pairs: list[list[int]], most: int) -> set[Outcome] | None:
    """Everything that locking equally strong pairs, in any order, can lead to."""
    ends, open_ones = set(), list(outcomes)
    seen = set(outcomes)
    while open_ones:
        outcome = open_ones.pop()
        all_locked = _lock_all(outcome, pairs)
        if all_locked is not None:  # no order of the pairs makes a difference
            ends.add(all_locked)
            continue
        wider = {_put_above(outcome, *pair) for pair in pairs if not _is_settled(outcome, *pair)} - seen
        seen |= wider
        open_ones.extend(wider)
        if len(seen) > most:
            return None
    return ends


def _is_settled(outcome: Outcome, one: int, other: int) -> bool:
    return bool(outcome[one] >> other & 1 or outcome[other] >> one & 1)


def _lock_all(outcome: Outcome, pairs: list[list[int]]) -> Outcome | None:
    """All pairs locked that are still open, if no circle comes of it."""
    over = list(outcome)
    for winner, loser in pairs:
        if not outcome[winner] >> loser & 1:
            over[loser] |= 1 << winner
    for between in range(len(over)):
        over = [mine | over[between] if mine >> between & 1 else mine for mine in over]
    return None if any(mine >> item & 1 for item, mine in enumerate(over)) else tuple(over)


def _put_above(outcome: Outcome, winner: int, loser: int) -> Outcome:
    """``winner``, and whoever stands above, stands above ``loser`` and whoever stands below."""
    higher = outcome[winner] | 1 << winner
    return tuple(over | higher if item == loser or over >> loser & 1 else over for item, over in enumerate(outcome))


def _lock(above: BoolArray, winner: int, loser: int) -> None:
    """Put ``winner``, and whoever stands above, above ``loser`` and whoever stands below; in place."""
    over, under = above[:, winner].copy(), above[loser].copy()
    over[winner] = under[loser] = True
    above[over] |= under
