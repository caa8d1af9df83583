"""``elect``: one seat, many rules: who wins by which, how surely, by how many ballots; several seats: see ``seats``."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, overload

import numpy as np

from stagg.aggregate.plan import Progress
from stagg.aggregate.resampling import rank_shares
from stagg.data.inputs.construct import rankings_of
from stagg.data.inputs.lists import id_text
from stagg.data.inputs.types import RankingsLike
from stagg.data.parts import drop_items
from stagg.data.rankings import Rankings, Weights
from stagg.data.spellings import describe_look_alikes
from stagg.elections.ballot_table import merge_ballots
from stagg.elections.runoff import RunoffRound, describe_ties, find_runoff, join_names, run_rounds
from stagg.elections.seats.council import SEVERAL_SEATS, Council, elect_council, is_seat_rule
from stagg.elections.victory import Victory, margin_of_victory
from stagg.elections.words import count_rules, explain_borda, plain_number, summarise_rule
from stagg.errors import DataError, DataWarning, InvalidParameter, UnknownName, shown
from stagg.kernels.arrays import ABSENT, FloatArray, IntArray
from stagg.kernels.id_order import order_by_id, rank_by_id
from stagg.kernels.pairs.majority import majorities, score_groups, smith_sets
from stagg.kernels.pairs.pairwise import pair_wins
from stagg.methods import METHODS, Method, Missing
from stagg.methods.base import Scored
from stagg.methods.consensus import one_ranker
from stagg.methods.positional.counted import Counted
from stagg.methods.voting.condorcet_rules import RankedPairs
from stagg.methods.voting.elimination import IRV, OneByOne
from stagg.methods.voting.several_seats import SeatRule
from stagg.registry import check_seed, list_given, near_names, whole_number
from stagg.say import Say, tell

__all__ = [
    "DRAWS",
    "RULES",
    "Election",
    "RuleResult",
    "RunoffRound",
    "as_details",
    "as_row",
    "elect",
    "one_election",
    "rules_of",
    "withdraw",
]

RULES = (
    "plurality", "irv", "coombs", "bucklin", "borda", "black", "nanson", "baldwin", "copeland", "minimax", "schulze",
    "ranked_pairs",
)  # fmt: skip
"""The rules that ``elect`` runs by default."""

OTHER_NAMES = {
    **dict.fromkeys(("rcv", "av", "hare", "ranked choice", "ranked choice voting", "instant runoff",
                     "instant runoff voting", "alternative vote", "preferential voting", "runoff"), "irv"),
    **dict.fromkeys(("fptp", "fpp", "first past the post", "simple majority", "majority"), "plurality"),
    **dict.fromkeys(("beatpath", "schwartz"), "schulze"),
    **dict.fromkeys(("tideman",), "ranked_pairs"),
    **dict.fromkeys(("borda count", "points"), "borda"),
    **dict.fromkeys(("simpson", "maximin"), "minimax"),
}  # fmt: skip
"""Other names of the rules."""
COUNTED = {"plurality": "first choices", "borda": "Borda points"}
"""Rules by which ballots give points that add up, and what these are called."""
ABSENCE: dict[Missing, str] = {
    "below": "Candidates that a ballot leaves out count as last on it, below all that it ranks.",
    "neutral": "A ballot says nothing about the candidates that it leaves out.",
    "skip": "A ballot compares only the candidates that it ranks; the others get nothing from it.",
}
"""The meanings of ``missing`` for an election, in words."""
DRAWS, MOST_DRAWS = 200, 10_000_000
MANY_CANDIDATES, MANY_BALLOTS = 50, 10_000
"""With more candidates, or more different ballots, shares and margins are found only if they are asked for."""
MOST_ORDERS = 1_000  # of ties inside a rule, to say who could win: far more than an election with a clear result has


@dataclasses.dataclass(frozen=True)
class RuleResult:
    """Result by one rule: ``order``, tied groups of candidates, best first; the first group are the winners.

    ``shares``: for each candidate the share of draws of the voters in which it comes first, a draw in which several tie
    being shared among them; None without draws.
    ``victory``: the margin of victory; None if it was not asked for. ``could_win``: who wins by some order of the ties
    that the rule settles on the way, such as a tie for the last place of a round; None if these are too many.
    ``summary``: what the rule does, in one sentence. ``points``: what each candidate got, where ballots give points
    that add up (plurality, Borda), else None. ``kind``: the registered name of the rule, without
    parameters; ``rule`` is its text as it was given.
    """

    rule: str
    order: tuple[tuple[str, ...], ...]
    shares: dict[str, float] | None = None
    victory: Victory | None = None
    could_win: tuple[str, ...] | None = None
    summary: str = ""
    points: dict[str, int | float] | None = None
    kind: str = ""

    @property
    def winners(self) -> tuple[str, ...]:
        return self.order[0]

    @property
    def doubt(self) -> str:
        """A sentence on ties inside the rule, where their order decides who wins; else empty."""
        if self.could_win is None or set(self.could_win) == set(self.winners):
            return ""
        verb = "could win" if len(self.could_win) > 1 else "wins"
        names = join_names(self.could_win, "or")
        return (
            f"{self.rule}: the result hangs on how ties inside the count are settled; in other orders {names} {verb}."
        )

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
class Election:
    """An election by many rules. ``wins[i, j]``: how many voters (their weight) put candidate i above candidate j.

    Numbers of voters are integers, exact to 2^63 - 1, and so are votes where no voter has a weight that is a fraction.
    ``candidates`` are ordered by majorities, as ``condorcet`` does; ``ballots`` counts the different ones. ``weight``:
    of all voters, their number if none has a weight of its own. ``smith``: the smallest set whose members beat
    everybody else; ``cycle``: candidates each of whom beats the next, and the last the first, empty if there is none.
    ``partial``: the voters whose ballot does not list every candidate. ``rounds`` are those of the instant runoff that
    was asked for, and ``runoff_ties`` says what ties decide in it.
    """

    query: str
    candidates: tuple[str, ...]
    voters: int
    weight: int | float
    ballots: int
    partial: int
    results: tuple[RuleResult, ...]
    wins: IntArray | FloatArray
    condorcet_winner: str | None
    condorcet_loser: str | None
    smith: tuple[str, ...]
    cycle: tuple[str, ...]
    rounds: tuple[RunoffRound, ...]
    runoff_ties: tuple[str, ...]
    missing: Missing
    draws: int
    seed: int

    def __getitem__(self, rule: str) -> RuleResult:
        """Result of a rule, by its text."""
        for each in self.results:
            if each.rule == rule:
                return each
        raise InvalidParameter(f"the rule {shown(rule)} was not run; the rules are {', '.join(self.winners)}")

    @property
    def agrees(self) -> bool:
        """Whether all rules elect the same."""
        return len({frozenset(each.winners) for each in self.results}) == 1

    @property
    def verdict(self) -> str:
        """One sentence: who wins by which rules, whoever wins by most of them first."""
        by: dict[tuple[str, ...], list[str]] = {}
        for each in self.results:
            by.setdefault(each.winners, []).append(each.rule)
        if len(by) == 1:
            [(winners, rules)] = by.items()
            how = f"by {rules[0]}" if len(rules) == 1 else f"by {count_rules(len(rules))}"
            return f"{_name_winners(winners)} {how}."
        told = [
            f"{_name_winners(w)} by {', '.join(rules)}" for w, rules in sorted(by.items(), key=lambda e: -len(e[1]))
        ]
        return f"{'; '.join(told)}."

    @property
    def points(self) -> dict[str, dict[str, int | float]]:
        """The points of each candidate by the rules whose points add up: first choices, Borda points.

        Two rules of one kind, such as borda and borda(missing='skip'), stand under their own texts.
        """
        counted = [(each, each.points) for each in self.results if each.points is not None]
        kinds = [each.kind for each, _ in counted]
        return {COUNTED[each.kind] if kinds.count(each.kind) == 1 else each.rule: points for each, points in counted}

    @property
    def about_points(self) -> str:
        """How the Borda points are made; empty without them."""
        borda = [each.rule for each in self.results if each.points and each.kind == "borda"]
        told = {
            rule: explain_borda(len(self.candidates), missing=method.absence if self.partial else None)
            for rule, method in (rules_of(borda, self.missing) if borda else {}).items()
        }
        if len(set(told.values())) > 1:
            return " ".join(f"{rule}: {text}" for rule, text in told.items())
        return next(iter(told.values()), "")

    @property
    def exhausted(self) -> list[int | float]:
        """The votes that count for nobody any more, by round of the runoff; [] if there are none in any."""
        spent = [self.weight - sum(each.votes.values()) for each in self.rounds]
        rounding = 0 if isinstance(spent[-1], int) else 1e-9 * self.weight
        return [max(0, votes) for votes in spent] if spent[-1] > rounding else []

    @property
    def absence(self) -> str:
        """A sentence on what it means that a ballot does not list a candidate; empty if all list all."""
        if not self.partial:
            return ""
        ballots = "1 ballot does" if self.partial == 1 else f"{self.partial:,} ballots do"
        return f"{ballots} not rank every candidate. {ABSENCE[self.missing]}"

    @property
    def winners(self) -> dict[str, tuple[str, ...]]:
        """The winners by each rule."""
        return {each.rule: each.winners for each in self.results}


def _name_winners(winners: tuple[str, ...]) -> str:
    return f"{shown(winners[0])} wins" if len(winners) == 1 else f"{join_names(winners, 'and')} tie"


@overload
def elect(
    ballots: RankingsLike,
    rules: str | Sequence[str | Method] | None = None,
    *,
    seats: None = None,
    query: str | None = None,
    missing: Missing = "below",
    weights: Weights | None = None,
    draws: int | None = None,
    margins: bool | None = None,
    seed: int = 0,
    withdrawn: Sequence[str] = (),
    progress: Progress | None = None,
) -> Election: ...


@overload
def elect(
    ballots: RankingsLike,
    rules: str | Sequence[str | SeatRule] | None = None,
    *,
    seats: int,
    query: str | None = None,
    missing: Missing = "below",
    weights: Weights | None = None,
    draws: int | None = None,
    margins: bool | None = None,
    seed: int = 0,
    withdrawn: Sequence[str] = (),
    progress: Progress | None = None,
) -> Council: ...


def elect(
    ballots: RankingsLike,
    rules: str | Sequence[Any] | None = None,
    *,
    seats: int | None = None,
    query: str | None = None,
    missing: Missing = "below",
    weights: Weights | None = None,
    draws: int | None = None,
    margins: bool | None = None,
    seed: int = 0,
    withdrawn: Sequence[str] = (),
    progress: Progress | None = None,
) -> Election | Council:
    """Who wins an election by which rule, how surely, and by how many ballots.

    Without ``seats`` it fills one seat by rules of one seat. With ``seats`` the rules are stv, meek, block, approval
    and spav, and the result is a :class:`~stagg.elections.Council`: who is elected, every stage of the count, the share
    of redraws in which each candidate gets a seat, and how close the last seat was.

    ``rules``: methods, as a list or a text with commas or semicolons between; all of them rank all candidates.
    ``query`` names the election if there are several. ``missing``: what it means that a ballot does not list a
    candidate; by default it stands below all that the ballot lists. ``weights``: how much each ballot counts, by its
    name or one number per ballot; the number of voters stays the same. ``draws``: how often the voters are resampled
    for the shares, 0 for none; ``margins``: whether to search for the margins of victory. By default 200 draws and
    margins, and neither with more than 50 candidates or 10,000 different ballots. ``seed``: of the draws, and of the
    lots that decide ties for a seat. ``withdrawn``: candidates who do not stand any more; the choices behind them on a
    ballot move up.

    >>> votes = {"MNCK": 42, "NCKM": 26, "CKNM": 15, "KCNM": 17}
    >>> ballots = [list(vote) for vote, count in votes.items() for _ in range(count)]
    >>> found = elect(ballots, "plurality;irv;schulze", draws=0)
    >>> found.winners, found.condorcet_winner
    ({'plurality': ('M',), 'irv': ('K',), 'schulze': ('N',)}, 'N')
    >>> found["plurality"].victory
    Victory(ballots=8, least=8, challenger='N')
    >>> elect(ballots, "stv", seats=2, draws=0).elected
    {'stv': ('M', 'N')}
    """
    given = withdraw(rankings_of(ballots), withdrawn)
    given = one_election(given if weights is None else given.with_weights(weights), query)
    for told in describe_look_alikes(given):
        warnings.warn(told, DataWarning, stacklevel=2)
    merged = merge_ballots(given)
    few = len(merged.items) <= MANY_CANDIDATES and len(merged.rankers) <= MANY_BALLOTS
    draws = DRAWS * few if draws is None else whole_number("draws", draws, least=0, most=MOST_DRAWS)
    check_seed(seed)
    margins = few if margins is None else margins
    if seats is not None:
        if missing != "below":
            why = " is for rules of one seat; leave it out where seats are filled"
            raise InvalidParameter(tell(Say(missing=missing), why))
        return elect_council(given, rules, seats, draws=draws, margins=margins, seed=seed, progress=progress)
    methods = rules_of(rules, missing)
    results = []
    for number, (text, method) in enumerate(methods.items()):
        if progress is not None:
            progress(f"{text}: counting", number, len(methods))
        results.append(_run(merged, text, method, draws, margins, seed))
    return _describe(merged, tuple(results), find_runoff(methods.values()), missing, draws, seed)


def withdraw(rankings: Rankings, candidates: str | Sequence[str]) -> Rankings:
    """The ballots without candidates who do not stand any more; a name that no ballot has is an error."""
    try:
        names = [candidates] if isinstance(candidates, str) else [*candidates]
    except TypeError:
        raise InvalidParameter(f"withdrawn is a name or a list of names, not {shown(candidates)}") from None
    gone = {id_text(name, "candidate", "withdrawn") for name in names}
    for name in sorted(gone):
        if name not in rankings.items:
            near = near_names(name, list(map(str, rankings.items)))
            raise UnknownName(f"no candidate {shown(name)}{near}, so nobody of this name can withdraw")
    return drop_items(rankings, gone) if gone else rankings


def rules_of(rules: str | Sequence[str | Method] | None, missing: Missing) -> dict[str, Method]:
    """The methods by their texts; without a choice those that can give absence this meaning."""
    if rules is None:
        chosen: list[str | Method] = [name for name in RULES if missing in METHODS[name].honours]
    else:
        chosen = list_given(rules, "rules")
    parsed = [(_rule_of(each), each) for each in chosen]
    named = {
        each if isinstance(each, str) else repr(each): method.with_missing(None if method.missing else missing)
        for method, each in parsed
    }
    if not named or len(named) < len(chosen):
        raise InvalidParameter("name one or more rules, each once")
    return named


def _rule_of(rule: str | Method) -> Method:
    """The rule; if there is none of this name, the error says which rules there are, and which one may be meant."""
    words = (rule if isinstance(rule, str) else "").casefold().replace("-", " ").replace("_", " ").split()
    said = " ".join(words)
    seat_rule = SEVERAL_SEATS.get(said)
    if seat_rule is not None or is_seat_rule(rule):
        named = "" if seat_rule in (None, rule) else f", which is called {seat_rule!r} here,"
        one = "; for one seat it is also 'irv'" if seat_rule in ("stv", "meek") else ""
        raise UnknownName(tell(f"the rule {shown(rule)}{named} needs a number of seats: ", Say(seats=3), one))
    meant = OTHER_NAMES.get(said)
    if meant:
        raise UnknownName(f"unknown rule {shown(rule)}; it is called {meant!r} here")
    try:
        return METHODS.of(rule, "schulze")
    except UnknownName:
        near = near_names(str(rule).partition("(")[0].strip(), RULES, few="the voting rules are")
        raise UnknownName(f"unknown rule {shown(rule)}{near}") from None


def one_election(rankings: Rankings, query: str | None) -> Rankings:
    if query is None and len(rankings) > 1:
        raise InvalidParameter(
            tell(f"there are {len(rankings)} elections; say which: ", Say(query=rankings.queries[0]))
        )
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
    scored = bound.scored(weighed)
    fused = _rank(scored, weighed)
    order = tuple(map(tuple, fused[fused.queries[0]].lists["consensus"]))
    shares = None if draws == 0 else _win_shares(fused, weighed, bound, draws, seed)
    victory = margin_of_victory(weighed, bound, scored) if margins else None
    could_win = _possible_winners(weighed, bound, order[0])
    summary = summarise_rule(method.name, method.summary())
    points = _points(scored.scores, weighed, bound)
    return RuleResult(text, order, shares, victory, could_win, summary, points, method.name)


def _points(scores: FloatArray, rankings: Rankings, method: Method) -> dict[str, int | float] | None:
    """The points of each candidate, where ballots give points that add up: exact where votes are whole numbers."""
    if not isinstance(method, Counted) or method.name not in COUNTED:
        return None
    exact = method.count_points(next(iter(rankings)))
    points = scores.tolist() if exact is None else [plain_number(Fraction(each, exact[1])) for each in exact[0]]
    return dict(zip(rankings.items, points, strict=True))


def _possible_winners(rankings: Rankings, method: Method, winners: tuple[str, ...]) -> tuple[str, ...] | None:
    """Who wins by some order of the ties that the rule settles on the way; None if there are too many orders."""
    if not isinstance(method, OneByOne | RankedPairs) or method.ties == "parallel":
        return winners
    if len(rankings.items) > MANY_CANDIDATES or len(rankings.rankers) > MANY_BALLOTS:
        return None
    places = method.best_places(next(iter(rankings)), MOST_ORDERS)
    return None if places is None else tuple(rankings.items[i] for i in np.flatnonzero(places == 0).tolist())


def _rank(scored: Scored, rankings: Rankings) -> Rankings:
    """The candidates by score as one list, tied ones in order of id: greatest first."""
    ranked = rank_by_id(*scored, rankings.item_queries, rankings.item_offsets, rankings.items)
    if ranked is None:
        raise DataError("the weights are too large to add up; scale them down")
    return one_ranker(rankings, "consensus", *ranked)


def _win_shares(fused: Rankings, rankings: Rankings, method: Method, draws: int, seed: int) -> dict[str, float]:
    """The share of draws of the voters in which each candidate is first; those who tie for it share a draw."""
    shares = rank_shares(fused, rankings, method, 0, ranks=1, draws=draws, seed=seed)[:, 0]
    return {rankings.items[item]: share for item, share in zip(fused.entries.tolist(), shares.tolist(), strict=True)}


def _describe(
    rankings: Rankings, results: tuple[RuleResult, ...], runoff: IRV, missing: Missing, draws: int, seed: int
) -> Election:
    view = next(iter(rankings))
    votes = view.votes
    wins = pair_wins(view.positions, votes, missing)
    beaten_by = majorities(view.positions, votes, missing)
    margin = beaten_by.margins
    sets = smith_sets(margin)
    by_id = order_by_id(view.items, descending=True)
    by_majority = score_groups(sets, -beaten_by.totals)[by_id]
    order = by_id[np.argsort(-by_majority, kind="stable")]
    names = [view.items[i] for i in order.tolist()]
    margin, sets = margin[np.ix_(order, order)], sets[order]
    beaten = (margin < 0).sum(axis=1)
    smith = [name for name, number in zip(names, sets.tolist(), strict=True) if number == 0]
    rounds = run_rounds(rankings, runoff)
    could_win = _possible_winners(rankings, dataclasses.replace(runoff, ties="together"), ())
    return Election(
        query=view.id,
        candidates=tuple(names),
        voters=int(rankings.multiplicities.sum()),
        weight=votes.sum().item(),
        ballots=len(rankings.rankers),
        partial=int(rankings.multiplicities[(view.positions == ABSENT).any(axis=1)].sum()),
        results=results,
        wins=wins[np.ix_(order, order)],
        condorcet_winner=smith[0] if len(smith) == 1 else None,
        condorcet_loser=next((names[k] for k in np.flatnonzero(beaten == len(names) - 1) if len(names) > 1), None),
        smith=tuple(smith),
        cycle=tuple(names[k] for k in _find_cycle(margin[: len(smith), : len(smith)])),
        rounds=rounds,
        runoff_ties=tuple(describe_ties(rounds, could_win)),
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


def as_row(election: Election, result: RuleResult) -> dict[str, Any]:
    """The result by a rule as a flat row: query, rule, winners, order, share of the first winner, margin."""
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
        "could_win": None if result.could_win is None else list(result.could_win),
    }


def as_details(election: Election) -> dict[str, Any]:
    """Facts of an election apart from its rules, for JSON."""
    return {
        "query": election.query,
        "voters": election.voters,
        "weight": election.weight,
        "ballots": election.ballots,
        "partial": election.partial,
        "candidates": list(election.candidates),
        "condorcet_winner": election.condorcet_winner,
        "condorcet_loser": election.condorcet_loser,
        "smith": list(election.smith),
        "cycle": list(election.cycle),
        "pairwise": election.wins.tolist(),
        "rounds": [{"votes": each.votes, "out": list(each.out)} for each in election.rounds],
        "runoff_ties": list(election.runoff_ties),
        "points": {each.rule: each.points for each in election.results if each.points is not None},
        "shares": {each.rule: each.shares for each in election.results if each.shares is not None},
        "missing": election.missing,
        "draws": election.draws,
    }
