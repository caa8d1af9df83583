"""``elect_council``: several seats, up to five rules: who is elected by which, stage by stage, and how surely."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

import numpy as np

from stagg.aggregate.plan import Progress
from stagg.data.rankings import Rankings
from stagg.elections.ballot_facts import are_only_ticks, take_ticks
from stagg.elections.ballot_table import merge_ballots
from stagg.elections.runoff import join_names
from stagg.elections.seats.counting import Counter, Sheaf, prepare_counter
from stagg.elections.seats.last_seat import LastSeat, find_last_seat
from stagg.elections.seats.lots import OtherLots, try_other_lots
from stagg.elections.words import count_rules, plain_number
from stagg.errors import DataError, InvalidParameter, plural, shown
from stagg.kernels.arrays import ABSENT
from stagg.kernels.lists.transfers import UNIT, CountStage, SeatCount, Tie
from stagg.kernels.streams import open_stream
from stagg.methods.voting.several_seats import SEAT_RULES, SeatRule
from stagg.registry import list_given, whole_number

__all__ = [
    "FOR_ORDERS", "FOR_TICKS", "SEVERAL_SEATS", "Council", "SeatResult", "SeatStage", "SeatTie", "elect_council",
    "is_seat_rule", "names_seat_rules",
]  # fmt: skip

FOR_ORDERS = ("stv", "meek", "block")
"""The rules that count ballots that rank the candidates, if none is named."""
FOR_TICKS = ("approval", "spav", "block")
"""The same of ballots that tick them."""
SEVERAL_SEATS = {
    **dict.fromkeys(("stv", "single transferable vote", "scottish stv"), "stv"),
    **dict.fromkeys(("meek", "meek stv"), "meek"),
    **dict.fromkeys(("block", "block voting", "bloc", "bloc voting", "bloc plurality"), "block"),
    **dict.fromkeys(("approval", "approval voting"), "approval"),
    **dict.fromkeys(("spav", "sequential proportional approval voting"), "spav"),
}
"""The rules that fill several seats, by the names that statutes give them."""

MOST_SEATS: Final = 2**63 - 1
LOSS: Final = 1e-3  # of a weight, by rounding it to five decimals
Votes = int | float


class SeatTie(NamedTuple):
    """Candidates who were equal, the ``chosen`` of them, and the earlier ``stage`` that decided; None: the lot did."""

    tied: tuple[str, ...]
    chosen: tuple[str, ...]
    stage: int | None


@dataclasses.dataclass(frozen=True)
class SeatStage:
    """A stage of a count. ``votes``: what each candidate has at its end, 0 once excluded.

    ``moved``: whose votes moved, all of them if ``excluded``, else a surplus; None where none moved. ``given``: what
    others received. ``spent``: votes that are not transferable, ``lost``: what truncation lost, both since the
    beginning. ``quota`` and ``keep``, the keep factors, are those of the stage, where the rule has them.
    """

    number: int
    votes: dict[str, Votes]
    moved: str | None
    excluded: bool
    given: dict[str, Votes]
    spent: Votes
    lost: Votes
    elected: tuple[str, ...]
    tie: SeatTie | None
    quota: Votes | None
    keep: dict[str, float] | None


@dataclasses.dataclass(frozen=True)
class SeatResult:
    """Result by one rule. ``elected``: in the order of election; ``order``: all candidates, those next to a seat first.

    ``counted``: the voters whose ballot counts by this rule; ``remarks`` say what of the ballots does not. ``shares``:
    for each candidate the share of redraws in which it gets a seat. ``last_seat``: how many ballots a search had to
    change until somebody else got a seat. ``other_lots``: what other lots would have elected, where one decided a tie.
    """

    rule: str
    kind: str
    title: str
    reference: str
    summary: str
    description: str
    elected: tuple[str, ...]
    order: tuple[str, ...]
    stages: tuple[SeatStage, ...]
    quota: Votes | None
    counted: int
    remarks: tuple[str, ...]
    shares: dict[str, float] | None = None
    last_seat: LastSeat | None = None
    other_lots: OtherLots | None = None

    @property
    def ties(self) -> list[tuple[int, SeatTie]]:
        """The stages in which candidates were equal where one was needed, with the tie."""
        return [(each.number, each.tie) for each in self.stages if each.tie is not None]


@dataclasses.dataclass(frozen=True)
class Council:
    """An election for several seats. ``lot``: the candidates in the order that was drawn for ties, from the seed.

    ``voters``: who cast a ballot that lists a candidate; ``partial``: those whose ballot leaves somebody out.
    """

    query: str
    seats: int
    candidates: tuple[str, ...]
    voters: int
    weight: Votes
    ballots: int
    partial: int
    ticks: bool
    results: tuple[SeatResult, ...]
    lot: tuple[str, ...]
    draws: int
    seed: int

    def __getitem__(self, rule: str) -> SeatResult:
        """Result of a rule, by its text."""
        for each in self.results:
            if each.rule == rule:
                return each
        raise InvalidParameter(f"the rule {shown(rule)} was not run; the rules are {', '.join(self.elected)}")

    @property
    def elected(self) -> dict[str, tuple[str, ...]]:
        """Who is elected by each rule."""
        return {each.rule: each.elected for each in self.results}

    @property
    def verdict(self) -> str:
        """One sentence: who is elected by which rules."""
        by: dict[frozenset[str], list[SeatResult]] = {}
        for each in self.results:
            by.setdefault(frozenset(each.elected), []).append(each)
        told = [f"{join_names(same[0].elected, 'and')} by {_name_rules(same)}" for same in by.values()]
        if len(told) == 1:
            return f"Elected: {told[0]}."
        return f"The rules disagree; your statutes decide which one counts. Elected: {'; '.join(told)}."


def _name_rules(results: Sequence[SeatResult]) -> str:
    names = [each.rule for each in results]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else count_rules(0)


def is_seat_rule(rule: object) -> bool:
    """Whether a rule, or its text, is one for several seats."""
    return isinstance(rule, SeatRule) or (isinstance(rule, str) and rule.partition("(")[0].strip() in SEAT_RULES)


def names_seat_rules(rules: str) -> bool:
    """Whether a text names rules for several seats, and no others.

    >>> names_seat_rules("stv;meek"), names_seat_rules("irv")
    (True, False)
    """
    return all(map(is_seat_rule, list_given(rules, "rules")))


def elect_council(
    rankings: Rankings,
    rules: str | Sequence[str | SeatRule] | None,
    seats: int,
    *,
    draws: int,
    margins: bool,
    seed: int,
    progress: Progress | None = None,
) -> Council:
    """Count one election, the ballots of ``rankings``, for so many seats."""
    seats = whole_number("seats", seats, least=1, most=MOST_SEATS)
    ticks = are_only_ticks(rankings)
    merged = merge_ballots(take_ticks(rankings) if ticks else rankings)
    n = len(merged.items)
    if seats > n:
        raise InvalidParameter(f"{plural(seats, 'seat')} cannot be filled from {plural(n, 'candidate')} on the ballots")
    chosen = _parse_rules(rules, ticks)
    view = next(iter(merged))
    lot = open_stream(seed, view.id, "lot").permutation(n)
    ballots = _make_ballots(merged)
    results = []
    for number, (text, rule) in enumerate(chosen.items()):
        if progress is not None:
            progress(f"{text}: counting", number, len(chosen))
        counter = prepare_counter(rule, ballots, seats)
        results.append(_run(text, counter, merged, np.argsort(lot), draws, margins, seed))
    return Council(
        query=view.id,
        seats=seats,
        candidates=tuple(view.items),
        voters=int(ballots.counts.sum()),
        weight=plain_number(Fraction(sum(map(int, ballots.counts * ballots.values.astype(object))), UNIT)),
        ballots=len(ballots.counts),
        partial=int(ballots.counts[~np.isfinite(ballots.places).all(axis=1)].sum()),
        ticks=ticks,
        results=tuple(results),
        lot=tuple(view.items[c] for c in lot.tolist()),
        draws=draws,
        seed=seed,
    )


def _parse_rules(rules: str | Sequence[str | SeatRule] | None, ticks: bool) -> dict[str, SeatRule]:
    """The rules by their texts; some of a kind by default."""
    given = list_given(rules, "rules") if rules is not None else list(FOR_TICKS if ticks else FOR_ORDERS)
    named: dict[str, SeatRule] = {}
    for each in given:
        if not is_seat_rule(each):
            meant = SEVERAL_SEATS.get(" ".join(str(each).casefold().replace("-", " ").replace("_", " ").split()))
            if meant is not None:
                raise InvalidParameter(f"unknown rule {shown(each)}; it is called {meant!r} here")
            listed = ", ".join(SEAT_RULES.names())
            raise InvalidParameter(
                f"the rule {shown(each)} does not fill several seats; the rules that do are {listed}"
            )
        rule = SEAT_RULES.parse(each) if isinstance(each, str) else each
        if ticks and rule.needs_order:
            can = ", ".join(FOR_TICKS)
            raise DataError(f"{rule.name} needs ballots in order of preference, and these are ticks; they can be {can}")
        named[each if isinstance(each, str) else repr(each)] = rule
    if not named or len(named) < len(given):
        raise InvalidParameter("name one or more rules, each once")
    return named


def _make_ballots(merged: Rankings) -> Sheaf:
    view = next(iter(merged))
    positions = view.positions
    values = np.rint(merged.weights * UNIT)
    if not (values < 2.0**62).all():
        raise DataError("the weights are too large to count votes; scale them down")
    if (np.abs(values - merged.weights * UNIT) > LOSS * values).any():
        raise DataError("the weights are too small to count votes to five decimals; multiply all of them by 1000, say")
    return Sheaf(np.where(positions == ABSENT, np.inf, positions), merged.multiplicities, values.astype(np.int64))


def _run(text: str, counter: Counter, merged: Rankings, lot: Any, draws: int, margins: bool, seed: int) -> SeatResult:
    names = next(iter(merged)).items
    if not counter.papers.total:
        raise DataError(f"no ballot counts by {text}{'; ' if counter.remarks else ''}{' '.join(counter.remarks)}")
    count = counter.count(lot)
    named = _Named(names, count.unit)
    stages = tuple(named.describe(number, each) for number, each in enumerate(count.stages, start=1))
    rule = counter.rule
    order = _order(count)
    return SeatResult(
        rule=text,
        kind=rule.name,
        title=rule.title,
        reference=rule.reference,
        summary=rule.summary(),
        description=rule.description(),
        elected=named.names(count.elected),
        order=named.names(order),
        stages=stages,
        quota=stages[0].quota,
        counted=int(counter.papers.counts.sum()),
        remarks=counter.remarks,
        shares=_shares(counter, names, next(iter(merged)).id, draws, seed) if draws else None,
        last_seat=find_last_seat(counter, count, order, names, lot) if margins else None,
        other_lots=try_other_lots(counter, count, lot, names, next(iter(merged)).id, seed),
    )


def _order(count: SeatCount) -> list[int]:
    """The elected, then those who continue, by votes, then the excluded, the last one first."""
    gone = [each.moved for each in count.stages if each.excluded]
    last = count.stages[-1].votes
    rest = [c for c in range(len(last)) if c not in count.elected and c not in gone]
    return [*count.elected, *sorted(rest, key=lambda c: -last[c]), *reversed(gone)]


def _shares(counter: Counter, names: Sequence[str], query: str, draws: int, seed: int) -> dict[str, float]:
    """The share of draws of the voters, each with a lot of its own, in which each candidate gets a seat."""
    rng = open_stream(seed, query, "seats")
    counts = counter.papers.counts
    chances, total = counts / counts.sum(), int(counts.sum())
    seated = np.zeros(len(names))
    for _ in range(draws):
        drawn = rng.multinomial(total, chances)
        seated[list(counter.count(rng.permutation(len(names)), drawn).elected)] += 1
    return dict(zip(names, (seated / draws).tolist(), strict=True))


class _Named(NamedTuple):
    """Stages with names in the place of numbers, and votes in the place of units."""

    items: Sequence[str]
    unit: int

    def describe(self, number: int, each: CountStage) -> SeatStage:
        given = {c: votes for c, votes in enumerate(each.given.tolist()) if votes and each.moved >= 0 and number > 1}
        return SeatStage(
            number=number,
            votes={name: self._votes(v) for name, v in zip(self.items, each.votes.tolist(), strict=True)},
            moved=None if each.moved < 0 else self.items[each.moved],
            excluded=each.excluded,
            given={self.items[c]: self._votes(v) for c, v in given.items()},
            spent=self._votes(each.spent),
            lost=self._votes(each.lost),
            elected=self.names(each.elected),
            tie=self._tie(each.tie),
            quota=None if each.quota is None else self._votes(each.quota),
            keep=None if each.keep is None else dict(zip(self.items, each.keep.tolist(), strict=True)),
        )

    def names(self, numbers: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.items[number] for number in numbers)

    def _votes(self, units: float) -> Votes:
        return plain_number(Fraction(units, self.unit)) if isinstance(units, int) else float(units)

    def _tie(self, tie: Tie | None) -> SeatTie | None:
        return None if tie is None else SeatTie(self.names(tie.tied), self.names(tie.chosen), tie.stage)
