"""Instant runoff, round by round: where the votes go, and what a tie for the last place may decide."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from stagg.data.rankings import Rankings
from stagg.elections.words import plain_number
from stagg.errors import shown
from stagg.kernels.arrays import BoolArray, IntArray
from stagg.kernels.lists.runoffs import Round
from stagg.kernels.lists.tallies import Ballots, count_first, prepare_ballots
from stagg.methods import Method
from stagg.methods.voting.elimination import IRV

__all__ = [
    "RunoffRound", "describe_ties", "find_runoff", "join_names", "order_by_rounds", "run_rounds", "runoff_winners",
]  # fmt: skip

NOTHING = 1e-9  # of all votes: what rounding makes, where weights are not whole numbers


@dataclasses.dataclass(frozen=True)
class RunoffRound:
    """A round of the instant runoff: the votes of those who stand, who goes, and to whom the votes of each go.

    The last round decides: whoever stands in it and does not go wins. ``transfers[gone][to]`` are votes; what is
    exhausted goes to None, and the last round has none. ``tied``: who ties for the last place, with votes that others
    may get; empty if nobody does, and where all who stand win together. Whole votes are integers, exact at any size.
    """

    votes: dict[str, int | float]
    out: tuple[str, ...]
    transfers: dict[str, dict[str | None, int | float]]
    tied: tuple[str, ...] = ()


def find_runoff(methods: Iterable[Method]) -> IRV:
    """The instant runoff that was asked for: the first of these rules that is one, else the plain one."""
    return next((method for method in methods if isinstance(method, IRV)), IRV())


def run_rounds(rankings: Rankings, method: IRV) -> tuple[RunoffRound, ...]:
    """The rounds of the instant runoff. ``ties="parallel"`` goes through many orders; the one shown is "fixed"."""
    view = next(iter(rankings))
    votes = view.votes
    ballots = prepare_ballots(view.positions, votes)
    exact = votes.dtype.kind == "i"
    unit = Fraction(1, ballots.parts) if exact else float(view.weights.sum()) / ballots.total
    shown_one = dataclasses.replace(method, ties="fixed") if method.ties == "parallel" else method
    named = _Named(view.items, unit)
    counted = _stop_at_the_decision(shown_one.rounds(view))
    return tuple(named.describe(each, ballots, last=each is counted[-1]) for each in counted)


def _stop_at_the_decision(rounds: Sequence[Round]) -> list[Round]:
    """The rounds up to the one that leaves a winner: nobody stands against one who is left alone, or who ties to win.

    The rounds of the rule go on until all are out, the winners last.
    """
    *before, final = rounds
    if before and len(final.standing) == 1:
        return before
    return [*before, final._replace(out=final.out[:0])]


def order_by_rounds(rounds: Sequence[RunoffRound]) -> list[str]:
    """The candidates as the runoff leaves them: the winners first, whoever goes first last.

    >>> order_by_rounds([RunoffRound({"a": 1, "b": 2, "c": 3}, ("a",), {}), RunoffRound({"b": 4, "c": 2}, ("c",), {})])
    ['b', 'c', 'a']
    """
    return [*runoff_winners(rounds), *[name for each in reversed(rounds) for name in each.out]]


def runoff_winners(rounds: Sequence[RunoffRound]) -> list[str]:
    """Who is left in the end: one, or all who tie."""
    return [name for name in rounds[-1].votes if name not in rounds[-1].out]


class _Named(NamedTuple):
    """Rounds with names in the place of numbers, and with votes in the unit of the weights."""

    items: Sequence[str]
    unit: Fraction | float

    def describe(self, each: Round, ballots: Ballots, *, last: bool) -> RunoffRound:
        scores = zip(each.standing.tolist(), each.scores.tolist(), strict=True)
        moved = {
            self.items[gone]: {None if to is None else self.items[to]: self._votes(v) for to, v in flows.items()}
            for gone, flows in ({} if last else _transfers(ballots, each)).items()
        }
        votes = {self.items[i]: self._votes(v) for i, v in scores}
        return RunoffRound(votes, self._names(each.out), moved, self._names(_tied_last(each)))

    def _votes(self, tally: int | Fraction) -> int | float:
        return plain_number(tally * self.unit if isinstance(self.unit, Fraction) else float(tally) * self.unit)

    def _names(self, numbers: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.items[int(number)] for number in numbers)


def _tied_last(each: Round) -> Sequence[int]:
    """Who ties for the last place, unless nobody votes for them or all of them win: then the order is nothing."""
    least = each.standing[each.scores == each.scores.min()]
    told = len(least) > 1 and len(each.out) > 0 and each.scores.min() > 0
    return least.tolist() if told else []


def _transfers(ballots: Ballots, each: Round) -> dict[int, dict[int | None, Fraction]]:
    """Where the votes of each item that goes in a round go, as a tally counts them; None is nowhere."""
    left = np.setdiff1d(each.standing, each.out)
    places = ballots.places[:, each.standing]
    best = places.min(axis=1)
    sharers = (places == best[:, None]).sum(axis=1)
    nothing = 0 if ballots.step == 1 else NOTHING * ballots.total
    moved: dict[int, dict[int | None, Fraction]] = {}
    for gone in each.out.tolist():
        mine = np.isfinite(best) & (ballots.places[:, gone] == best)
        given = _pass_on(ballots, mine, sharers, left)
        lost = int(each.scores[np.searchsorted(each.standing, gone)]) - sum(given)
        moved[gone] = {i: votes for i, votes in zip(left.tolist(), given, strict=True) if votes > 0}
        moved[gone] |= {None: Fraction(lost)} if lost > nothing else {}
    return moved


def _pass_on(ballots: Ballots, mine: BoolArray, sharers: IntArray, left: IntArray) -> list[Fraction]:
    """Votes that the items left get from these ballots, each of which gives the part that one of its sharers had."""
    given = [Fraction(0)] * len(left)
    for size in np.unique(sharers[mine]).tolist():
        some = mine & (sharers == size)
        tally = count_first(ballots._replace(places=ballots.places[some], votes=ballots.votes[some]), left)
        given = [before + Fraction(votes, size) for before, votes in zip(given, tally.tolist(), strict=True)]
    return given


# --- ties in words ----------------------------------------------------------------------------------------------------


def describe_ties(rounds: Sequence[RunoffRound], could_win: Sequence[str] | None) -> list[str]:
    """Sentences on the ties for the last place; ``could_win``: by some order of them, None if they are too many.

    >>> tied = RunoffRound({"a": 2.0, "b": 2.0, "c": 3.0}, ("a", "b"), {}, tied=("a", "b"))
    >>> describe_ties([tied], ["b", "c"])[0]
    "Round 1: 'a' and 'b' tie for last and are struck out together."
    >>> describe_ties([tied], ["b", "c"])[1]
    "Struck out one at a time, 'b' or 'c' could win."
    """
    told = [_describe_tie(number, each) for number, each in enumerate(rounds, start=1) if each.tied]
    return [*told, _describe_outcomes(could_win)] if told else []


def _describe_tie(number: int, each: RunoffRound) -> str:
    tied = join_names(each.tied, "and")
    if len(each.out) > 1:
        return f"Round {number}: {tied} tie for last and are struck out together."
    how = "ties are settled by Borda count, then by name"
    return f"Round {number}: {tied} tie for last; here {shown(each.out[0])} is struck out ({how})."


def _describe_outcomes(could_win: Sequence[str] | None) -> str:
    if could_win is None:
        return "Struck out one at a time, others might win; there are too many orders to go through them."
    if len(could_win) == 1:
        return f"Struck out one at a time, in any order, {shown(could_win[0])} wins."
    return f"Struck out one at a time, {join_names(could_win, 'or')} could win."


def join_names(names: Sequence[str], word: str, most: int = 8) -> str:
    """Names in quotes, as a sentence has them: 'a', 'b' and 'c'.

    >>> join_names(["a", "b", "c"], "and"), join_names(list("abcd"), "or", most=3)
    ("'a', 'b' and 'c'", "'a', 'b' or 2 others")
    """
    some = [shown(name) for name in (names if len(names) <= most else names[: most - 1])]
    some += [] if len(names) <= most else [f"{len(names) - len(some):,} others"]
    return f"{', '.join(some[:-1])} {word} {some[-1]}" if len(some) > 1 else some[0]
