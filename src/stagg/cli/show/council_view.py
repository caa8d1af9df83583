"""Elections for several seats on the terminal: who is elected, every candidate, and the stages of the count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from stagg.cli.show.talk import print_table, safe_cell, safe_console
from stagg.elections.seats.council import Council, SeatResult, SeatStage
from stagg.elections.seats.stage_table import (
    describe_lot,
    describe_stage,
    final_votes,
    list_seat_facts,
    list_stages,
    tell_chance,
    tell_last_seat,
    tell_outcome,
    tell_seat_votes,
)
from stagg.elections.words import LAST_SEAT, SEAT_SHARES
from stagg.errors import printable

__all__ = ["print_council"]

NAME, NUMBER = 22, 13  # columns of a terminal: for a name, and for votes with five decimals


def print_council(found: Council) -> None:
    """The verdict, the facts, the rules side by side, and for each rule the candidates and the stages."""
    click.echo(printable(found.verdict))
    print_table(f"Election {safe_cell(found.query)}", ("", ""), [[name, text] for name, text in list_seat_facts(found)])
    rows = [[each.rule, ", ".join(each.elected), tell_last_seat(each)] for each in found.results]
    print_table("Elected, in this order", ("rule", "elected", "last seat"), rows, note=_note(found))
    for each in found.results:
        _print_result(found, each)


def _note(found: Council) -> str:
    remarks = [f"{each.rule}: {remark}" for each in found.results for remark in each.remarks]
    about = [f"last seat: {LAST_SEAT}"] if any(each.last_seat for each in found.results) else []
    shares = [f"seat in redraws: {SEAT_SHARES}"] if found.draws else []
    return "\n".join([*remarks, *describe_lot(found), " ".join([*about, *shares])]).strip()


def _print_result(found: Council, result: SeatResult) -> None:
    quota = "" if result.quota is None else f", quota {tell_seat_votes(result.quota)}"
    counted = f"{result.counted:,} ballots counted{quota}"
    rows = [
        [
            name,
            tell_seat_votes(result.stages[0].votes[name]),
            tell_seat_votes(final_votes(result, name)),
            tell_outcome(result, name),
            tell_chance(result, name),
        ]
        for name in result.order
    ]
    header: tuple[str, ...] = (
        "candidate",
        "first" if len(result.stages) > 1 else "votes",
        "last",
        "outcome",
        "seat in redraws",
    )
    if len(result.stages) == 1:
        header, rows = (*header[:2], *header[3:]), [[*row[:2], *row[3:]] for row in rows]
    print_table(f"{result.rule}: {counted}", header, rows, right=("first", "votes", "last", "seat in redraws"))
    if len(result.stages) > 1:
        for block in _blocks(result.stages):
            _print_stages(result, block)


def _blocks(stages: Sequence[SeatStage]) -> Iterator[Sequence[SeatStage]]:
    """Stages that fit the terminal side by side; each takes two columns, the first one."""
    room = max(2, (safe_console().width - NAME) // NUMBER)
    first = 1 + (room - 1) // 2
    yield stages[:first]
    for start in range(first, len(stages), max(1, room // 2)):
        yield stages[start : start + max(1, room // 2)]


def _print_stages(result: SeatResult, block: Sequence[SeatStage]) -> None:
    columns = ["candidate"]
    for each in block:
        columns += [f"± {each.number}", f"stage {each.number}"] if each.number > 1 else ["stage 1"]
    rows = [[name, *cells] for name, cells in list_stages(result, block)]
    notes = [f"{each.number}. {describe_stage(result, each)}" for each in block]
    print_table("", columns, rows, right=columns[1:], note="\n".join(notes))
