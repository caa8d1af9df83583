"""An election by many rules: who wins by which, how surely, and by how many ballots."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from stagg.aggregate.plan import Progress
from stagg.aggregate.resampling import rank_shares
from stagg.data.ballots import merge_ballots
from stagg.data.construct import rankings_of
from stagg.data.given import RankingsLike
from stagg.data.rankings import Rankings, Weights
from stagg.errors import DataError, InvalidParameter, shown
from stagg.evaluation.victory import Victory, margin_of_victory
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.id_order import order_by_id
from stagg.kernels.majority import margins as majority_margins
from stagg.kernels.majority import score_groups, smith_sets
from stagg.kernels.pairwise import pair_wins
from stagg.kernels.runoffs import Round
from stagg.kernels.tallies import Ballots, count_first, read_ballots
from stagg.methods import METHODS, Method, Missing
from stagg.methods.elimination import IRV
from stagg.registry import whole_number

__all__ = ["DRAWS", "RULES", "Election", "RuleResult", "RunoffRound", "as_details", "as_row", "elect", "rules_of"]

RULES = (
    "plurality", "irv", "coombs", "bucklin", "borda", "black", "nanson", "baldwin", "copeland", "minimax", "schulze",
    "ranked_pairs",
)  # fmt: skip
"""The rules that ``elect`` runs by default."""

DRAWS = 200
MANY_CANDIDATES, MANY_BALLOTS = 50, 10_000
"""With more candidates, or more different ballots, shares and margins are found only if they are asked for."""
NOTHING = 1e-9  # of all votes: what rounding makes


@dataclasses.dataclass(frozen=True)
class RuleResult:
    """What one rule says: ``order``, tied groups of candidates, best first; the first group are the winners.

    ``shares``: for each candidate the share of draws of the voters in which it comes first; None without draws.
    ``victory``: the margin of victory; None if it was not asked for.
    """

    rule: str
    order: tuple[tuple[str, ...], ...]
    shares: dict[str, float] | None = None
    victory: Victory | None = None

    @property
    def winners(self) -> tuple[str, ...]:
        return self.order[0]

    @property
    def ranks(self) -> dict[str, int]:
        """The rank of each candidate, from 1; tied ones have that of the first of them."""
        ranks: dict[str, int] = {}
        before = 0
        for group in self.order:
            ranks |= dict.fromkeys(group, before + 1)
            before += len(group)
        return ranks


@dataclasses.dataclass(frozen=True)
class RunoffRound:
    """A round of the instant runoff: the votes of those who stand, who goes, and to whom the votes of each go.

    ``transfers[gone][to]`` are votes; what is exhausted goes to None.
    """

    votes: dict[str, float]
    out: tuple[str, ...]
    transfers: dict[str, dict[str | None, float]]


@dataclasses.dataclass(frozen=True)
class Election:
    """An election by many rules. ``wins[i, j]``: how many voters (their weight) put candidate i above candidate j.

    ``candidates`` are ordered by majorities, as ``condorcet`` does; ``ballots`` counts the different ones. ``weight``:
    of all voters, their number if none has a weight of its own. ``smith``: the smallest set whose members beat
    everybody else; ``cycle``: candidates each of whom beats the next, and the last the first, empty if there is none.
    """

    query: str
    candidates: tuple[str, ...]
    voters: int
    weight: float
    ballots: int
    results: tuple[RuleResult, ...]
    wins: FloatArray
    condorcet_winner: str | None
    condorcet_loser: str | None
    smith: tuple[str, ...]
    cycle: tuple[str, ...]
    rounds: tuple[RunoffRound, ...]
    missing: Missing
    draws: int
    seed: int

    def __getitem__(self, rule: str) -> RuleResult:
        """What one rule says, by its text."""
        for each in self.results:
            if each.rule == rule:
                return each
        raise InvalidParameter(f"the rule {shown(rule)} was not run; the rules are {', '.join(self.winners)}")

    @property
    def winners(self) -> dict[str, tuple[str, ...]]:
        """The winners by each rule."""
        return {each.rule: each.winners for each in self.results}


def elect(
    ballots: RankingsLike,
    rules: str | Sequence[str | Method] | None = None,
    *,
    query: str | None = None,
    missing: Missing = "below",
    weights: Weights | None = None,
    draws: int | None = None,
    margins: bool | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Election:
    """Who wins an election by which rule, how surely, and by how many ballots.

    ``rules``: methods, as a list or a text with semicolons between; all of them rank all candidates. ``query`` names
    the election if there are several. ``missing``: what it means that a ballot does not list a candidate; by default
    it stands below all that the ballot lists. ``weights``: how much each ballot counts, by its name or one number per
    ballot; the number of voters stays the same. ``draws``: how often the voters are resampled for the shares, 0 for
    none; ``margins``: whether to search for the margins of victory. By default 200 draws and margins, and neither with
    more than 50 candidates or 10,000 different ballots.

    >>> votes = {"MNCK": 42, "NCKM": 26, "CKNM": 15, "KCNM": 17}
    >>> ballots = [list(vote) for vote, count in votes.items() for _ in range(count)]
    >>> found = elect(ballots, "plurality;irv;schulze", draws=0)
    >>> found.winners, found.condorcet_winner
    ({'plurality': ('M',), 'irv': ('K',), 'schulze': ('N',)}, 'N')
    >>> found["plurality"].victory
    Victory(ballots=8, least=8, challenger='N')
    """
    given = rankings_of(ballots)
    given = _one_election(given if weights is None else given.with_weights(weights), query)
    merged = merge_ballots(given)
    few = len(merged.items) <= MANY_CANDIDATES and len(merged.rankers) <= MANY_BALLOTS
    draws = DRAWS * few if draws is None else whole_number("draws", draws, least=0)
    margins = few if margins is None else margins
    methods = rules_of(rules, missing)
    results = []
    for number, (text, method) in enumerate(methods.items()):
        if progress is not None:
            progress(f"{text}: counting", number, len(methods))
        results.append(_run(merged, text, method, draws, margins, seed))
    return _describe(merged, tuple(results), missing, draws, seed)


def rules_of(rules: str | Sequence[str | Method] | None, missing: Missing) -> dict[str, Method]:
    """The methods by their texts; without a choice those that can give absence this meaning."""
    if rules is None:
        chosen: list[str | Method] = [name for name in RULES if missing in METHODS[name].honours]
    else:
        chosen = [text.strip() for text in rules.split(";")] if isinstance(rules, str) else list(rules)
    parsed = [(each if isinstance(each, str) else repr(each), METHODS.of(each, "schulze")) for each in chosen]
    named = {text: method.with_missing(None if method.missing else missing) for text, method in parsed}
    if not named or len(named) < len(chosen):
        raise InvalidParameter("name one or more rules, each once")
    return named


def _one_election(rankings: Rankings, query: str | None) -> Rankings:
    if query is None and len(rankings) > 1:
        raise InvalidParameter(f"there are {len(rankings)} elections; say which: query={shown(rankings.queries[0])}")
    if not len(rankings):
        raise DataError("there are no ballots")
    one = rankings.take_queries([0 if query is None else rankings.query_number(query)])
    one = one.active()
    if not len(one) or not len(one.list_rankers):
        name = shown(rankings.queries[0] if query is None else query)
        raise DataError(f"no ballot of the election {name} lists a candidate")
    return one


def _run(rankings: Rankings, text: str, method: Method, draws: int, margins: bool, seed: int) -> RuleResult:
    bound, weighed = method.bind(rankings)
    scores = bound.score(weighed)
    order = _groups(scores, weighed)
    shares = None if draws == 0 else _win_shares(scores, weighed, bound, draws, seed)
    return RuleResult(text, order, shares, margin_of_victory(weighed, bound, scores) if margins else None)


def _groups(scores: FloatArray, rankings: Rankings) -> tuple[tuple[str, ...], ...]:
    """The candidates by score, tied ones together, in order of id inside a group: greatest first."""
    by_id = order_by_id(rankings.items, descending=True)
    order = by_id[np.argsort(-scores[by_id], kind="stable")]
    groups: list[list[str]] = []
    tolerance = 1e-10 * np.abs(scores).max(initial=0.0)
    for place, item in enumerate(order.tolist()):
        if place and scores[order[place - 1]] - scores[item] <= tolerance:
            groups[-1].append(rankings.items[item])
        else:
            groups.append([rankings.items[item]])
    return tuple(map(tuple, groups))


def _win_shares(scores: FloatArray, rankings: Rankings, method: Method, draws: int, seed: int) -> dict[str, float]:
    """The share of draws of the voters in which each candidate is first."""
    by_id = order_by_id(rankings.items, descending=True)
    order = by_id[np.argsort(-scores[by_id], kind="stable")]
    fused = rankings.replace(
        rankers=("consensus",),
        list_offsets=np.array([0, 1]),
        list_rankers=np.array([0]),
        entry_offsets=np.array([0, len(order)]),
        entries=order,
        tied=np.zeros(len(order), dtype=bool),
        multiplicities=None,
        weights=None,
    )
    shares = rank_shares(fused, rankings, method, 0, ranks=1, draws=draws, seed=seed)[:, 0]
    return {rankings.items[item]: float(share) for item, share in zip(order.tolist(), shares, strict=True)}


def _describe(rankings: Rankings, results: tuple[RuleResult, ...], missing: Missing, draws: int, seed: int) -> Election:
    view = next(iter(rankings))
    wins = pair_wins(view.positions, view.weights, missing)
    margin = majority_margins(view.positions, view.weights, missing)
    sets = smith_sets(margin)
    by_id = order_by_id(view.items, descending=True)
    by_majority = score_groups(sets, -margin.sum(axis=1))[by_id]
    order = by_id[np.argsort(-by_majority, kind="stable")]
    names = [view.items[i] for i in order.tolist()]
    margin, sets = margin[np.ix_(order, order)], sets[order]
    beaten = (margin < 0).sum(axis=1)
    smith = [name for name, number in zip(names, sets.tolist(), strict=True) if number == 0]
    return Election(
        query=view.id,
        candidates=tuple(names),
        voters=int(rankings.multiplicities.sum()),
        weight=float(view.weights.sum()),
        ballots=len(rankings.rankers),
        results=results,
        wins=wins[np.ix_(order, order)],
        condorcet_winner=smith[0] if len(smith) == 1 else None,
        condorcet_loser=next((names[k] for k in np.flatnonzero(beaten == len(names) - 1) if len(names) > 1), None),
        smith=tuple(smith),
        cycle=tuple(names[k] for k in _find_cycle(margin[: len(smith), : len(smith)])),
        rounds=_runoff_rounds(rankings),
        missing=missing,
        draws=draws,
        seed=seed,
    )


def _find_cycle(margin: IntArray) -> list[int]:
    """A shortest cycle of majorities through the first item that is in one: each beats the next; [] if none is."""
    for start in range(len(margin)):
        paths: dict[int, list[int]] = {start: [start]}
        front = [start]
        while front:
            reached = []
            for item in front:
                for loser in np.flatnonzero(margin[item] > 0).tolist():
                    if loser == start:
                        return paths[item]
                    if loser not in paths:
                        paths[loser] = [*paths[item], loser]
                        reached.append(loser)
            front = reached
    return []


def _runoff_rounds(rankings: Rankings) -> tuple[RunoffRound, ...]:
    """The rounds of the instant runoff, with where the votes go."""
    view = next(iter(rankings))
    ballots = read_ballots(view.positions, view.weights)
    unit = float(view.weights.sum()) / ballots.total
    found = []
    for each in IRV().rounds(view):
        votes = {view.items[i]: float(v) * unit for i, v in zip(each.standing, each.scores, strict=True)}
        moved = {
            view.items[gone]: {None if to is None else view.items[to]: given * unit for to, given in flows.items()}
            for gone, flows in _transfers(ballots, each).items()
        }
        found.append(RunoffRound(votes, tuple(view.items[i] for i in each.out.tolist()), moved))
    return tuple(found)


def _transfers(ballots: Ballots, each: Round) -> dict[int, dict[int | None, float]]:
    """Where the votes of each item that goes in a round go; None is nowhere. The last round has no transfers."""
    left = np.setdiff1d(each.standing, each.out)
    places = ballots.places[:, each.standing]
    best = places.min(axis=1)
    sharers = np.maximum((places == best[:, None]).sum(axis=1), 1)
    moved: dict[int, dict[int | None, float]] = {}
    for gone in each.out.tolist() if len(left) else []:
        mine = np.flatnonzero(np.isfinite(best) & (ballots.places[:, gone] == best))
        some = ballots._replace(places=ballots.places[mine], votes=(ballots.votes / sharers)[mine], tied=True)
        given = count_first(some, left) if len(mine) else np.zeros(len(left))
        lost = float(each.scores[np.searchsorted(each.standing, gone)]) - float(given.sum())
        moved[gone] = {int(i): float(v) for i, v in zip(left, given, strict=True) if v > 0}
        moved[gone] |= {None: lost} if lost > NOTHING * ballots.total else {}
    return moved


def as_row(election: Election, result: RuleResult) -> dict[str, Any]:
    """What a rule says as a flat row: query, rule, winners, order, share of the first winner, margin."""
    victory = result.victory
    return {
        "query": election.query,
        "rule": result.rule,
        "winners": list(result.winners),
        "order": [list(group) for group in result.order],
        "share": None if result.shares is None else round(result.shares[result.winners[0]], 6),
        "margin": None if victory is None else victory.ballots,
        "margin_least": None if victory is None else victory.least,
        "margin_exact": None if victory is None else victory.exact,
        "challenger": None if victory is None else victory.challenger,
    }


def as_details(election: Election) -> dict[str, Any]:
    """What an election is apart from its rules, as JSON has it."""
    return {
        "query": election.query,
        "voters": election.voters,
        "weight": election.weight,
        "ballots": election.ballots,
        "candidates": list(election.candidates),
        "condorcet_winner": election.condorcet_winner,
        "condorcet_loser": election.condorcet_loser,
        "smith": list(election.smith),
        "cycle": list(election.cycle),
        "pairwise": election.wins.tolist(),
        "rounds": [{"votes": each.votes, "out": list(each.out)} for each in election.rounds],
        "shares": {each.rule: each.shares for each in election.results if each.shares is not None},
        "missing": election.missing,
        "draws": election.draws,
    }
