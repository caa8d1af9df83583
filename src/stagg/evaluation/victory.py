"""The margin of victory: how many ballots would have to change for the winner not to win alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from stagg.data.ballots import ballots_from_places
from stagg.data.rankings import Rankings
from stagg.kernels.arrays import ABSENT, BoolArray, FloatArray, IntArray
from stagg.methods import Method
from stagg.methods.base import contributions, list_gains

__all__ = ["CONDORCET_RULES", "Victory", "changes_to_win", "first_group", "margin_of_victory"]

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
    others = np.argsort(-scores, kind="stable")[1:].tolist()
    found = [
        Victory(changed, least, view.items[_name_challenger(rival, others, first)])
        for rival in others[:CHALLENGERS]
        for changed, first in _search(rankings, method, winner, rival)
    ]
    return min(found, key=lambda each: each.ballots)


def _name_challenger(rival: int, others: list[int], first: list[int]) -> int:
    """Who wins or ties: the rival that was helped, if it is among the first, else the best placed of those who are."""
    return next((item for item in (rival, *others) if item in first), rival)


def changes_to_win(rankings: Rankings, method: Method, scores: FloatArray, rival: int) -> int:
    """So many ballots, changed, are enough for this item to win or to tie for it; 0 if it does already.

    Plurality and Borda are counted as for the margin, so that the two agree; for other rules it is a search.
    """
    winners = first_group(scores).tolist()
    if rival in winners:
        return 0
    points = _points(rankings, method)
    if points is not None:
        return _overtake(points, rankings, method, rival)
    voters = int(rankings.multiplicities.sum())
    changes = [change for winner in winners for change in _changes(rankings, method, winner, rival)]
    return min(_fewest(change.elects, voters) for change in changes)


def first_group(scores: FloatArray) -> IntArray:
    """The items that have the best score; equal but for rounding."""
    best = scores.max()
    return np.flatnonzero(scores >= best - 1e-10 * np.abs(scores).max())


def _points(rankings: Rankings, method: Method) -> FloatArray | None:
    """points[k, i] = what ballot k gives to item i by plurality or Borda; None for other rules."""
    gains = list_gains(method, rankings) if method.name in ("plurality", "borda") else None
    return None if gains is None else contributions(gains, rankings, 0)


def _additive_margin(rankings: Rankings, method: Method, winner: int) -> Victory | None:
    """The exact margin of plurality and Borda; None for other rules."""
    points = _points(rankings, method)
    if points is None:
        return None
    totals = _add_up(points, rankings)
    needed = {
        rival: _greedy(points[:, winner] - points[:, rival], rankings, _lead(method, totals, rival, winner))
        for rival in np.argsort(-totals, kind="stable").tolist()
        if rival != winner
    }
    fewest = min(needed.values())
    nearest = [rival for rival, ballots in needed.items() if ballots == fewest]
    wins = (rival for rival in nearest if _overtake(points, rankings, method, rival) == fewest)
    return Victory(fewest, fewest, rankings.items[next(wins, nearest[0])])


def _add_up(points: FloatArray, rankings: Rankings) -> FloatArray:
    return np.asarray((rankings.weights * rankings.multiplicities) @ points)


def _best_ballot(method: Method, totals: FloatArray, rival: int) -> FloatArray:
    """What a ballot gives that puts the rival first and helps the others least: those who have most stand last."""
    best = np.zeros(len(totals))
    if method.name == "borda" and method.absence == "below":
        best[np.lexsort((-totals, np.arange(len(totals)) == rival))] = np.arange(1.0, len(totals) + 1)
    best[rival] = 1.0 if method.name == "plurality" else len(totals)
    return best


def _lead(method: Method, totals: FloatArray, rival: int, winner: int) -> float:
    """By how much the ballot that is best for the rival puts it above the winner."""
    best = _best_ballot(method, totals, rival)
    return float(best[rival] - best[winner])


def _overtake(points: FloatArray, rankings: Rankings, method: Method, rival: int) -> int:
    """How many ballots, changed for the rival, put it level with everybody: the next one is always taken from whoever
    leads, where it costs the leader most. While many are needed, a quarter of them are changed at once.
    """
    left, weights, changed = rankings.multiplicities.copy(), rankings.weights, 0
    totals = _add_up(points, rankings)
    little = 1e-12 * float(np.abs(totals).sum())
    while (gap := float(totals.max() - totals[rival])) > little and left.any():
        leader, best = int(np.argmax(totals)), _best_ballot(method, totals, rival)
        swings = weights * (points[:, leader] - points[:, rival] + best[rival] - best[leader])
        k = int(np.argmax(np.where(left > 0, swings, -np.inf)))
        some = min(int(left[k]), max(1, int(gap / swings[k] / 4)))
        totals, changed = totals + some * weights[k] * (best - points[k]), changed + some
        left[k] -= some
    return changed


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


def _search(rankings: Rankings, method: Method, winner: int, rival: int) -> list[tuple[int, list[int]]]:
    """Numbers of ballots that are enough, tried in two orders, each with those who are first then."""
    voters = int(rankings.multiplicities.sum())
    changes = _changes(rankings, method, winner, rival)
    fewest = [_fewest(change.is_enough, voters) for change in changes]
    return [(ballots, change.first(ballots)) for ballots, change in zip(fewest, changes, strict=True)]


def _changes(rankings: Rankings, method: Method, winner: int, rival: int) -> list[_Change]:
    """Two orders in which to change ballots: the widest leads first, or the winner's own first."""
    view = next(iter(rankings))
    places = np.where(view.positions == ABSENT, np.inf, view.positions)
    held = np.where(np.isinf(places), len(view), places)
    leads = (held[:, rival] - held[:, winner]) * rankings.weights
    orders = [np.argsort(-leads, kind="stable"), np.lexsort((-leads, held[:, winner]))]
    return [_Change(rankings, method, places, order, winner, rival) for order in orders]


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
        return self.first(ballots) != [self.winner]

    def elects(self, ballots: int) -> bool:
        """Whether, with so many ballots changed, the rival wins or ties for it."""
        return self.rival in self.first(ballots)

    def first(self, ballots: int) -> list[int]:
        """Who wins, or ties for it, with so many ballots changed."""
        counts, weights = self.rankings.multiplicities[self.order], self.rankings.weights[self.order]
        changed = np.clip(ballots - (np.cumsum(counts) - counts), 0, counts)
        turned = self.places[self.order]
        turned[:, self.rival], turned[:, self.winner] = -1.0, len(self.rankings.items) + 1.0
        some: BoolArray = np.concatenate([counts - changed, changed]) > 0
        both = np.concatenate([self.places[self.order], turned])[some]
        left, heavy = np.concatenate([counts - changed, changed])[some], np.concatenate([weights, weights])[some]
        made = ballots_from_places(both, left, self.rankings.items, weights=heavy)
        return list(first_group(self.method.score(made)).tolist())


def _fewest(is_enough: Callable[[int], bool], voters: int) -> int:
    """The fewest ballots found: doubled until they are enough, then halved towards what was not."""
    low, high = 0, 1
    while high < voters and not is_enough(high):
        low, high = high, 2 * high
    high = min(high, voters)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high
