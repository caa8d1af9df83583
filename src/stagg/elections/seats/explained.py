"""Why a candidate is elected or not: first choices, each stage that concerns the candidate, and the redraws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from stagg.elections.seats.council import Council, SeatResult, SeatStage
from stagg.elections.seats.stage_table import describe_tie, tell_seat_votes
from stagg.errors import UnknownName, plural, shown
from stagg.registry import near_names

__all__ = ["explain_seat"]

LEAST: Final = 1e-6  # votes that are told


def explain_seat(found: Council, candidate: str) -> list[str]:
    """Sentences on a candidate, rule by rule.

    >>> from stagg import elect
    >>> votes = [["Ada", "Ben"]] * 7 + [["Cleo"]] * 2
    >>> for line in explain_seat(elect(votes, "stv", seats=2, draws=0, margins=False), "Ben"): print(line)
    stv: 'Ben' has 0 of 9 first choices; the quota is 4.
    Stage 2: 'Ben' gets 2.99999 votes from the surplus of 'Ada', and has 2.99999.
    Stage 3: 'Ben' is elected without the quota, with 2.99999 votes: no more candidates continue than seats are left.
    """
    if candidate not in found.candidates:
        raise UnknownName(f"no candidate {shown(candidate)}{near_names(candidate, found.candidates)}")
    return [line for each in found.results for line in _explain(found, each, candidate)]


def _explain(found: Council, result: SeatResult, name: str) -> Iterator[str]:
    if result.kind in ("stv", "meek"):
        yield from _explain_transfers(result, name)
    else:
        yield from _explain_votes(found, result, name)
    if result.shares is not None:
        share = 100 * result.shares[name]
        yield f"{shown(name)} gets a seat in {share:.0f} % of the redraws."
    close = result.last_seat
    if close is not None and close.rival == name:
        ballots = plural(close.ballots, "changed ballot")
        fewer = "; fewer may be enough" if close.ballots > 1 else ""
        yield f"A search found {ballots} that would have given {shown(name)} a seat{fewer}."


def _explain_transfers(result: SeatResult, name: str) -> Iterator[str]:
    first = result.stages[0]
    all_votes = tell_seat_votes(sum(first.votes.values()))
    quota = tell_seat_votes(first.quota or 0)
    has = tell_seat_votes(first.votes[name])
    yield f"{result.rule}: {shown(name)} has {has} of {all_votes} first choices; the quota is {quota}."
    for stage in result.stages:
        yield from _explain_stage(result, stage, name)
    if name not in result.elected and name not in _settled(result, result.stages[-1]) | {result.stages[-1].moved}:
        yield f"All seats are filled: {shown(name)} is not elected, with {_votes(result.stages[-1].votes[name])}."


def _explain_stage(result: SeatResult, stage: SeatStage, name: str) -> Iterator[str]:
    who, has = shown(name), tell_seat_votes(stage.votes[name])
    before = result.stages[stage.number - 2].votes[name] if stage.number > 1 else 0
    gained = stage.votes[name] - before
    if name in stage.given and stage.moved is not None and name not in _settled(result, stage):
        whence = f"from the {'votes' if stage.excluded else 'surplus'} of {shown(stage.moved)}"
        if stage.keep is not None:  # the elected may also keep less
            whence = f"as {shown(stage.moved)} is excluded"
        yield f"Stage {stage.number}: {who} gets {_votes(gained)} {whence}, and has {has}."
    elif stage.keep is not None and stage.number > 1 and gained > LEAST and name not in _settled(result, stage):
        yield f"Stage {stage.number}: {who} gets {_votes(gained)} that the elected do not need, and has {has}."
    if stage.moved == name and not stage.excluded:
        yield f"Stage {stage.number}: the surplus of {who}, {_votes(-gained)}, goes on."
    excluded, tied = stage.moved == name and stage.excluded, stage.tie is not None and name in stage.tie.tied
    if excluded and tied:
        yield f"Stage {stage.number}: {who} is among those with the fewest votes, {tell_seat_votes(before)}."
    if stage.tie is not None and tied:
        yield f"Stage {stage.number}: {describe_tie(stage, stage.tie)}"
    elif excluded:
        told = f"{who} has the fewest votes, {tell_seat_votes(before)}, and is excluded."
        yield f"Stage {stage.number}: {told}{_next_fewest(result, stage)}"
    if name in stage.elected:
        yield f"Stage {stage.number}: {who} is elected{_how(stage, name)}."


def _votes(number: float) -> str:
    told = tell_seat_votes(number)
    return f"{told} vote" if told == "1" else f"{told} votes"


def _settled(result: SeatResult, stage: SeatStage) -> set[str]:
    """Who was elected or excluded before this stage."""
    earlier = result.stages[: stage.number - 1]
    return {name for each in earlier for name in each.elected} | {each.moved or "" for each in earlier if each.excluded}


def _how(stage: SeatStage, name: str) -> str:
    votes = stage.votes[name]
    if votes >= (stage.quota or 0) - 1e-6:
        return f" with {tell_seat_votes(votes)} votes, which reach the quota"
    return f" without the quota, with {tell_seat_votes(votes)} votes: no more candidates continue than seats are left"


def _next_fewest(result: SeatResult, stage: SeatStage) -> str:
    """Who had the next to fewest votes."""
    before, settled = result.stages[stage.number - 2].votes, _settled(result, stage)
    others = [name for name in before if name not in settled and name != stage.moved]
    if not others:
        return ""
    following = min(others, key=lambda name: before[name])
    return f" The next to fewest are {tell_seat_votes(before[following])}, of {shown(following)}."


def _explain_votes(found: Council, result: SeatResult, name: str) -> Iterator[str]:
    votes = result.stages[0].votes
    place = 1 + sum(own > votes[name] for own in votes.values())
    mine = f"{tell_seat_votes(votes[name])} of {plural(result.counted, 'ballot')} vote for {shown(name)}"
    yield f"{result.rule}: {mine}: place {place} for {plural(found.seats, 'seat')}."
    for stage in result.stages:
        if len(result.stages) > 1:
            best = stage.elected[0]
            more = f"{shown(best)} has the most, {tell_seat_votes(stage.votes[best])}"
            mine = "" if best == name else f"; {shown(name)} has {tell_seat_votes(stage.votes[name])}"
            yield f"Seat {stage.number}: {more}{mine}."
        if stage.tie is not None and name in stage.tie.tied:
            yield f"Seat {stage.number}: {describe_tie(stage, stage.tie)}"
        if name in stage.elected:
            break
    yield f"{shown(name)} is {'elected' if name in result.elected else 'not elected'}."
