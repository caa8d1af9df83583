"""Margin of victory: how many ballots would have to change for the winner not to win alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from stagg.data.rankings import Rankings
from stagg.elections.ballot_table import ballots_from_places
from stagg.kernels.arrays import ABSENT, BoolArray, FloatArray, IntArray
from stagg.kernels.lists.votes import LARGEST_COUNT, whole_votes
from stagg.kernels.ties import are_first
from stagg.methods import Method
from stagg.methods.base import Scored, contributions, list_gains
from stagg.methods.positional.counted import whole_points

__all__ = ["CONDORCET_RULES", "Victory", "changes_to_win", "fewest_enough", "first_group", "margin_of_victory"]

CONDORCET_RULES = frozenset(
    {"condorcet", "copeland", "kemeny", "schulze", "ranked_pairs", "minimax", "nanson", "baldwin", "black"}
)
"""Rules under which a Condorcet winner wins alone."""

CHALLENGERS = 4  # candidates next in rank that the search tries to help
LITTLE = 1e-12  # of a sum of votes: what the rounding of weights may add up to


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


def margin_of_victory(rankings: Rankings, method: Method, scored: Scored) -> Victory:
    """How many ballots of one query must change, each to whatever it likes, for another winner, or a tie for first.

    ``scored``: what the method gave. Plurality and Borda: exact, because ballots add up, and the ones that help a
    challenger most are changed first. Rules that elect a Condorcet winner: a winner by majorities stays so until half
    of its smallest majority is turned, which bounds the margin from below. All: ballots are changed to put a
    challenger first and the winner last, those that hurt the challenger most first, until it wins or ties. A ballot
    keeps its weight.
    """
    view = next(iter(rankings))
    winners = first_group(scored)
    if len(winners) != 1 or len(view) < 2:
        return Victory(0, 0, None if len(winners) < 2 else view.items[winners[1]])
    winner = int(winners[0])
    added_up = _additive_margin(rankings, method, winner)
    if added_up is not None:
        return added_up
    least = _least(rankings, method, winner)
    others = np.argsort(-scored.scores, kind="stable")[1:].tolist()
    found = [
        Victory(changed, least, view.items[_name_challenger(rival, others, first)])
        for rival in others[:CHALLENGERS]
        for changed, first in _search(rankings, method, winner, rival)
    ]
    return min(found, key=lambda each: each.ballots)


def _name_challenger(rival: int, others: list[int], first: list[int]) -> int:
    """Who wins or ties: the rival that was helped, if it is among the first, else the best placed of those who are."""
    return next((item for item in (rival, *others) if item in first), rival)


def changes_to_win(rankings: Rankings, method: Method, scored: Scored, rival: int) -> int:
    """So many ballots, changed, are enough for this item to win or to tie for it; 0 if it does already.

    Plurality and Borda are counted as for the margin, so that the two agree; for other rules it is a search.
    """
    winners = first_group(scored).tolist()
    if rival in winners:
        return 0
    points = _points(rankings, method)
    if points is not None:
        return _overtake(points, method, rival)
    voters = int(rankings.multiplicities.sum())
    changes = [change for winner in winners for change in _changes(rankings, method, winner, rival)]
    return min(fewest_enough(change.elects, voters) for change in changes)


def first_group(scored: Scored) -> IntArray:
    """The items that have the best score."""
    return np.flatnonzero(are_first(*scored))


# --- exact margins: plurality and Borda -------------------------------------------------------------------------------


class _Points(NamedTuple):
    """``points[k, i]``: what a voter of ballot k gives to item i, a whole number; ``counts[k]`` voters cast it.

    ``weights[k]`` is what the ballot weighs, ``unit`` what one point is worth. Differences up to ``little`` of the sum
    of all come of rounding: 0 where no weight had to be rounded. All numbers are so wide that no sum overflows.
    """

    points: IntArray
    weights: IntArray
    counts: IntArray
    unit: int
    little: float

    @property
    def totals(self) -> IntArray:
        return np.asarray((self.weights * self.counts) @ self.points)


def _weigh(points: IntArray, unit: int, rankings: Rankings) -> _Points:
    """Points with the weights and voters of the ballots."""
    weights = whole_votes(rankings.weights)
    voters, heaviest = sum(rankings.multiplicities.tolist()), int(weights.counts.max(initial=1))
    most = 4 * voters * heaviest * max(1, points.shape[1] * unit)
    kind = np.dtype(np.intp if most <= LARGEST_COUNT else object)
    points, heavy, counts = (each.astype(kind) for each in (points, weights.counts, rankings.multiplicities))
    return _Points(points, heavy, counts, unit, LITTLE if weights.step > 1 else 0.0)


def _points(rankings: Rankings, method: Method) -> _Points | None:
    """Points of the ballots by plurality or Borda; None for other rules."""
    gains = list_gains(method, rankings) if method.name in ("plurality", "borda") else None
    return None if gains is None else _weigh(*whole_points(contributions(gains, rankings, 0)), rankings)


def _additive_margin(rankings: Rankings, method: Method, winner: int) -> Victory | None:
    """The exact margin of plurality and Borda; None for other rules."""
    given = _points(rankings, method)
    if given is None:
        return None
    totals, points = given.totals, given.points
    needed = {
        rival: _greedy(points[:, winner] - points[:, rival], given, _lead(method, totals, rival, winner, given.unit))
        for rival in np.argsort(-totals, kind="stable").tolist()
        if rival != winner
    }
    fewest = min(needed.values())
    nearest = [rival for rival, ballots in needed.items() if ballots == fewest]
    wins = (rival for rival in nearest if _overtake(given, method, rival) == fewest)
    return Victory(fewest, fewest, rankings.items[next(wins, nearest[0])])


def _best_ballot(method: Method, totals: IntArray, rival: int, unit: int) -> IntArray:
    """Points of a ballot that puts the rival first and helps the others least: those who have most stand last."""
    n, best = len(totals), np.zeros(len(totals), dtype=totals.dtype)
    if method.name == "borda" and method.absence == "below":
        others = np.argsort(-totals, kind="stable")
        best[others[others != rival]] = np.arange(1, n) * unit
    best[rival] = unit if method.name == "plurality" else n * unit
    return best


def _lead(method: Method, totals: IntArray, rival: int, winner: int, unit: int) -> int:
    """By how much the ballot that is best for the rival puts it above the winner."""
    best = _best_ballot(method, totals, rival, unit)
    return int(best[rival] - best[winner])


def _overtake(given: _Points, method: Method, rival: int) -> int:
    """How many ballots, changed for the rival, put it level with everybody: the next one is always taken from whoever
    leads, where it costs the leader most. While many are needed, a quarter of them are changed at once.
    """
    points, weights, left, changed = given.points, given.weights, given.counts.copy(), 0
    totals = given.totals
    little = given.little * float(totals.sum())
    while (gap := int(totals.max() - totals[rival])) > little and left.any():
        leader, best = int(np.argmax(totals)), _best_ballot(method, totals, rival, given.unit)
        swings = weights * (points[:, leader] - points[:, rival] + best[rival] - best[leader])
        k = int(np.argmax(np.where(left > 0, swings, -1)))
        some = min(int(left[k]), max(1, gap // max(1, 4 * int(swings[k]))))
        totals, changed = totals + some * weights[k] * (best - points[k]), changed + some
        left[k] -= some
    return changed


def _greedy(leads: IntArray, given: _Points, most: int) -> int:
    """How many ballots close a gap, when one that gives the winner a lead gives the rival ``most`` instead.

    A ballot closes its weight times the lead and ``most``; those that close the most are changed first.
    """
    swings, shares = given.weights * (leads + most), given.weights * given.counts * leads
    gap, little = int(shares.sum()), int(given.little * float(np.abs(shares).sum()))
    changed = 0
    for k in np.argsort(-swings, kind="stable").tolist():
        swing = int(swings[k])
        if swing <= 0 or gap <= little:
            break
        enough = min(int(given.counts[k]), -((little - gap) // swing))
        gap, changed = gap - enough * swing, changed + enough
    return changed


# --- other rules: bounds ----------------------------------------------------------------------------------------------


def _least(rankings: Rankings, method: Method, winner: int) -> int:
    """So many ballots must change at least: one, or as many as turn the smallest majority of a Condorcet winner.

    Where a list decides a pair by chance (``shape``), one ballot can move the majority by as much as two others do.
    """
    if method.name not in CONDORCET_RULES or getattr(method, "shape", None) is not None:
        return 1
    view = next(iter(rankings))
    signs = [pair_signs(view.positions, winner, rival, method.absence) for rival in range(len(view))]
    given = _weigh(np.stack(signs, axis=1), 1, rankings)
    return max(1, min(_greedy(given.points[:, rival], given, 1) for rival in range(len(view)) if rival != winner))


def pair_signs(positions: FloatArray, one: int, other: int, missing: str) -> IntArray:
    """1 for each ballot that puts one item above the other, -1 for one that puts it below, 0 for one that does not."""
    last = np.inf if missing == "below" else np.nan
    places = np.where(positions[:, [one, other]] == ABSENT, last, positions[:, [one, other]])
    return np.asarray((places[:, 0] < places[:, 1]).astype(np.intp) - (places[:, 0] > places[:, 1]))


def _search(rankings: Rankings, method: Method, winner: int, rival: int) -> list[tuple[int, list[int]]]:
    """Numbers of ballots that are enough, tried in two orders, each with those who are first then."""
    voters = int(rankings.multiplicities.sum())
    changes = _changes(rankings, method, winner, rival)
    fewest = [fewest_enough(change.is_enough, voters) for change in changes]
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
        return list(first_group(self.method.scored(made)).tolist())


def fewest_enough(is_enough: Callable[[int], bool], voters: int) -> int:
    """The fewest ballots found: doubled until they are enough, then halved towards what was not."""
    low, high = 0, 1
    while high < voters and not is_enough(high):
        low, high = high, 2 * high
    high = min(high, voters)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high
