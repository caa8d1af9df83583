"""Stages as tables: who has what after every stage, in blocks that fit a page, and each stage in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from stagg.elections.runoff import join_names
from stagg.elections.seats.council import Council, SeatResult, SeatStage, SeatTie
from stagg.elections.seats.lots import describe_other_lots
from stagg.errors import shown

__all__ = [
    "NON_TRANSFERABLE", "TRUNCATED", "describe_lot", "describe_stage", "describe_tie", "final_votes",
    "list_seat_facts", "list_stages", "tell_chance", "tell_last_seat", "tell_outcome", "tell_seat_votes",
]  # fmt: skip

NON_TRANSFERABLE: Final = "non-transferable"
TRUNCATED: Final = "lost by truncation"
FRACTION: Final = 1e-9


def list_seat_facts(found: Council) -> list[tuple[str, str]]:
    """How many voters, ballots, candidates and seats there are."""
    return [
        ("seats", f"{found.seats:,}"),
        ("candidates", f"{len(found.candidates):,}"),
        ("voters", f"{found.voters:,}"),
        *([("their weight", tell_seat_votes(found.weight))] if found.weight != found.voters else []),
        ("different ballots", f"{found.ballots:,}"),
    ]


def tell_seat_votes(votes: float) -> str:
    """A number of votes: whole, or with five decimals, as councils print it.

    >>> tell_seat_votes(1234), tell_seat_votes(2.99999), tell_seat_votes(3.0)
    ('1,234', '2.99999', '3')
    """
    whole = round(votes)
    return f"{whole:,}" if abs(votes - whole) < FRACTION * max(1.0, abs(votes)) else f"{votes:,.5f}"


def list_stages(result: SeatResult, stages: Sequence[SeatStage]) -> list[tuple[str, list[str]]]:
    """A row for each candidate: the votes after each of these stages, behind what each gained or lost in it.

    The first stage has no gains. Two rows more: votes that are not transferable, and what truncation lost.
    """
    rows = [(name, list(_cells(result, stages, name))) for name in result.order]
    spent = [each.spent for each in result.stages]
    lost = [each.lost for each in result.stages]
    for title, sums in ((NON_TRANSFERABLE, spent), (TRUNCATED, lost)):
        if any(sums):
            rows.append((title, [cell for each in stages for cell in _sum_cells(sums, each.number)]))
    return rows


def _cells(result: SeatResult, stages: Sequence[SeatStage], name: str) -> Iterator[str]:
    for each in stages:
        before = result.stages[each.number - 2] if each.number > 1 else None
        if before is not None:
            yield _tell_change(each.votes[name] - before.votes[name])
        gone = any(name == one.moved and one.excluded for one in result.stages[: each.number])
        yield "-" if gone and not each.votes[name] else tell_seat_votes(each.votes[name])


def _sum_cells(sums: Sequence[float], number: int) -> Iterator[str]:
    if number > 1:
        yield _tell_change(sums[number - 1] - sums[number - 2])
    yield tell_seat_votes(sums[number - 1])


def _tell_change(votes: float) -> str:
    told = tell_seat_votes(votes)
    return "" if told in ("0", "-0", "0.00000", "-0.00000") else told if votes < 0 else f"+{told}"


def describe_stage(result: SeatResult, stage: SeatStage) -> str:
    """A stage in a sentence or two: whose votes moved and why, who is elected, how a tie was decided."""
    told = [*_describe_move(result, stage)]
    if stage.tie is not None:
        told.append(describe_tie(stage, stage.tie))
    if stage.elected:
        told.append(f"Elected: {join_names(stage.elected, 'and')}.")
    return " ".join(told)


def _describe_move(result: SeatResult, stage: SeatStage) -> Iterator[str]:
    if stage.number == 1 and result.kind in ("stv", "meek"):
        yield "First choices."
    if stage.moved is None:
        if stage.number > 1 and stage.keep is not None:
            yield "The elected keep what they need of each vote, and pass on the rest."
        return
    before = result.stages[stage.number - 2].votes[stage.moved]
    if not stage.excluded:
        yield f"Surplus of {shown(stage.moved)}: {_count_votes(before - (stage.quota or 0))}."
    elif stage.votes[stage.moved]:
        yield f"Excluded: {shown(stage.moved)}, with {_count_votes(before)}, which need no transfer."
    else:
        yield f"Excluded: {shown(stage.moved)}, with {_count_votes(before)}."


def _count_votes(votes: float) -> str:
    told = tell_seat_votes(votes)
    return f"{told} {'vote' if told == '1' else 'votes'}"


def describe_tie(stage: SeatStage, tie: SeatTie) -> str:
    """How equals were told apart.

    >>> one = SeatStage(2, {}, "a", True, {}, 0, 0, (), None, None, None)
    >>> describe_tie(one, SeatTie(("a", "b"), ("a",), None))
    "'a' and 'b' are equal: the lot decides that 'a' is excluded."
    """
    equal = f"{join_names(tie.tied, 'and')} are equal"
    if tie.stage is None:
        chosen = join_names(tie.chosen, "and")
        return f"{equal}: the lot decides {f'that {chosen} is excluded' if stage.excluded else f'for {chosen}'}."
    what = "is excluded" if stage.excluded else "comes first"
    return f"{equal}: stage {tie.stage} decides, and {join_names(tie.chosen, 'and')} {what}."


def describe_lot(found: Council) -> Iterator[str]:
    """The order that was drawn, where it decides something, and by rule whether another one elects somebody else."""
    if any(tie.stage is None for each in found.results for _, tie in each.ties):
        yield f"The lot, drawn from the seed {found.seed}: {join_names(found.lot, 'and', most=len(found.lot))}."
    for each in found.results:
        if each.other_lots is not None:
            yield f"{each.rule}: {describe_other_lots(each.other_lots, found.seats)}"


def tell_outcome(result: SeatResult, name: str) -> str:
    """What became of a candidate: the stage of election or exclusion."""
    for each in result.stages:
        if name in each.elected:
            return "elected" if len(result.stages) == 1 else f"elected in stage {each.number}"
        if each.moved == name and each.excluded:
            return f"excluded in stage {each.number}"
    return "not elected"


def final_votes(result: SeatResult, name: str) -> float:
    """The votes of a candidate at the end; of one who is excluded, at that time."""
    for each in result.stages[1:]:
        if each.moved == name and each.excluded:
            return result.stages[each.number - 2].votes[name]
    return result.stages[-1].votes[name]


def tell_chance(result: SeatResult, name: str) -> str:
    """In which share of the redraws a candidate gets a seat."""
    return "-" if result.shares is None else f"{100 * result.shares[name]:.0f} %"


def tell_last_seat(result: SeatResult) -> str:
    """How close the last seat was, as a bound."""
    found = result.last_seat
    return "-" if found is None else f"≤ {found.ballots:,} ({found.rival})"
