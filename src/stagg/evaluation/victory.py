"""The margin of victory: how many ballots would have to change for the winner not to win alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stagg.data.ballots import ballots_from_places
from stagg.data.rankings import Rankings
from stagg.kernels.arrays import ABSENT, BoolArray, FloatArray, IntArray
from stagg.methods import Method
from stagg.methods.base import contributions, list_gains

__all__ = ["CONDORCET_RULES", "Victory", "first_group", "margin_of_victory"]

CONDORCET_RULES = frozenset(
    {"condorcet", "copeland", "kemeny", "schulze", "ranked_pairs", "minimax", "nanson", "baldwin", "black"}
)
"""Rules under which a Condorcet winner wins alone."""

CHALLENGERS = 4  # candidates next in rank that the search tries to help


class Victory(NamedTuple):
    """``ballots``: as many, changed, are enough for ``challenger`` to win or tie; fewer than ``least`` never are.

    The margin is exact where the two are equal; otherwise ``ballots`` is an upper bound from a search.
    """

    ballots: int
    least: int
    challenger: str | None

    @property
    def exact(self) -> bool:
        return self.ballots == self.least


def margin_of_victory(rankings: Rankings, method: Method, scores: FloatArray) -> Victory:
    """How many ballots of one query must change, each to whatever it likes, for another winner, or a tie for first.

    ``scores``: what the method gave. Plurality and Borda: exact, because ballots add up, and the ones that help a
    challenger most are changed first. Rules that elect a Condorcet winner: a winner by majorities stays so until half
    of its smallest majority is turned, which bounds the margin from below. All: ballots are changed to put a
    challenger first and the winner last, those that hurt the challenger most first, until it wins or ties. A ballot
    keeps its weight.
    """
    view = next(iter(rankings))
    winners = first_group(scores)
    if len(winners) != 1 or len(view) < 2:
        return Victory(0, 0, None if len(winners) < 2 else view.items[winners[1]])
    winner = int(winners[0])
    added_up = _additive_margin(rankings, method, winner)
    if added_up is not None:
        return added_up
    least = _least(rankings, method, winner)
    found = [
        Victory(changed, least, view.items[rival])
        for rival in np.argsort(-scores, kind="stable")[1 : CHALLENGERS + 1].tolist()
        for changed in _search(rankings, method, winner, rival)
    ]
    return min(found, key=lambda each: each.ballots)


def first_group(scores: FloatArray) -> IntArray:
    """The items that have the best score; equal but for rounding."""
    best = scores.max()
    return np.flatnonzero(scores >= best - 1e-10 * np.abs(scores).max())


def _additive_margin(rankings: Rankings, method: Method, winner: int) -> Victory | None:
    """The exact margin of plurality and Borda; None for other rules."""
    n = len(rankings.items)
    most = {"plurality": 1.0, "borda": n - 1.0 if method.absence == "below" else float(n)}.get(method.name)
    gains = list_gains(method, rankings)
    if most is None or gains is None:
        return None
    table = contributions(gains, rankings, 0)
    rivals = [rival for rival in range(n) if rival != winner]
    needed = [_greedy(table[:, winner] - table[:, rival], rankings, most) for rival in rivals]
    fewest = int(np.argmin(needed))
    return Victory(needed[fewest], needed[fewest], rankings.items[rivals[fewest]])


def _greedy(leads: FloatArray, rankings: Rankings, most: float) -> int:
    """How many ballots close a gap, when one that gives the winner a lead gives the rival ``most`` instead.

    A ballot closes its weight times the lead and ``most``; those that close the most are changed first.
    """
    counts, weights = rankings.multiplicities, rankings.weights
    swings = weights * (leads + most)
    gap = float(weights * leads @ counts)
    little = 1e-12 * float(np.abs(weights * leads) @ counts)
    changed = 0
    for k in np.argsort(-swings, kind="stable").tolist():
        if swings[k] <= 0 or gap <= little:
            break
        enough = min(int(counts[k]), int(np.ceil((gap - little) / swings[k])))
        gap, changed = gap - enough * float(swings[k]), changed + enough
    return changed


def _least(rankings: Rankings, method: Method, winner: int) -> int:
    """So many ballots must change at least: one, or as many as turn the smallest majority of a Condorcet winner."""
    if method.name not in CONDORCET_RULES:
        return 1
    view = next(iter(rankings))
    leads = np.array([pair_signs(view.positions, winner, rival, method.absence) for rival in range(len(view))])
    return max(1, min(_greedy(leads[rival], rankings, 1.0) for rival in range(len(view)) if rival != winner))


def pair_signs(positions: FloatArray, one: int, other: int, missing: str) -> FloatArray:
    """1 for each ballot that puts one item above the other, -1 for one that puts it below, 0 for one that does not."""
    last = np.inf if missing == "below" else np.nan
    places = np.where(positions[:, [one, other]] == ABSENT, last, positions[:, [one, other]])
    return np.asarray((places[:, 0] < places[:, 1]) * 1.0 - (places[:, 0] > places[:, 1]))


def _search(rankings: Rankings, method: Method, winner: int, rival: int) -> list[int]:
    """Numbers of ballots that are enough, tried in two orders: the widest leads first, or the winner's own first."""
    view = next(iter(rankings))
    places = np.where(view.positions == ABSENT, np.inf, view.positions)
    held = np.where(np.isinf(places), len(view), places)
    leads = (held[:, rival] - held[:, winner]) * rankings.weights
    orders = [np.argsort(-leads, kind="stable"), np.lexsort((-leads, held[:, winner]))]
    voters = int(rankings.multiplicities.sum())
    return [_fewest(_Change(rankings, method, places, order, winner, rival), voters) for order in orders]


class _Change(NamedTuple):
    """Ballots to change, in order, so that the rival is first and the winner last."""

    rankings: Rankings
    method: Method
    places: FloatArray
    order: IntArray
    winner: int
    rival: int

    def is_enough(self, ballots: int) -> bool:
        """Whether, with so many ballots changed, the winner no longer wins alone."""
        counts, weights = self.rankings.multiplicities[self.order], self.rankings.weights[self.order]
        changed = np.clip(ballots - (np.cumsum(counts) - counts), 0, counts)
        turned = self.places[self.order]
        turned[:, self.rival], turned[:, self.winner] = -1.0, len(self.rankings.items) + 1.0
        some: BoolArray = np.concatenate([counts - changed, changed]) > 0
        both = np.concatenate([self.places[self.order], turned])[some]
        left, heavy = np.concatenate([counts - changed, changed])[some], np.concatenate([weights, weights])[some]
        made = ballots_from_places(both, left, self.rankings.items, weights=heavy)
        return bool(first_group(self.method.score(made)).tolist() != [self.winner])


def _fewest(change: _Change, voters: int) -> int:
    """The fewest ballots found: doubled until they are enough, then halved towards what was not."""
    low, high = 0, 1
    while high < voters and not change.is_enough(high):
        low, high = high, 2 * high
    high = min(high, voters)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if change.is_enough(middle) else (middle, high)
    return high
