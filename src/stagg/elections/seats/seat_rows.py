"""Results of several seats as rows and as facts, for JSON."""

from __future__ import annotations

import dataclasses
from typing import Any

from stagg.elections.seats.council import Council, SeatResult, SeatTie

__all__ = ["as_seat_details", "as_seat_row"]


def as_seat_row(found: Council, result: SeatResult) -> dict[str, Any]:
    """The result by a rule as a flat row: query, rule, elected, quota, the bound of the last seat, ties, other lots."""
    close = result.last_seat
    return {
        "query": found.query,
        "rule": result.rule,
        "seats": found.seats,
        "elected": list(result.elected),
        "quota": result.quota,
        "counted": result.counted,
        "shares": result.shares,
        "last_seat_at_most": None if close is None else close.ballots,
        "last_seat_rival": None if close is None else close.rival,
        "ties": [_as_tie(number, tie) for number, tie in result.ties],
        "other_lots": None if result.other_lots is None else result.other_lots._asdict(),
    }


def _as_tie(number: int, tie: SeatTie) -> dict[str, Any]:
    """A tie in stage ``number``, decided by an earlier stage or by the lot."""
    return {
        "stage": number, "tied": tie.tied, "chosen": tie.chosen, "decided_by": tie.stage, "lot": tie.stage is None,
    }  # fmt: skip


def as_seat_details(found: Council) -> dict[str, Any]:
    """Facts of an election apart from its rules, and the stages by rule."""
    return {
        "query": found.query,
        "seats": found.seats,
        "voters": found.voters,
        "weight": found.weight,
        "ballots": found.ballots,
        "partial": found.partial,
        "candidates": list(found.candidates),
        "lot": list(found.lot),
        "draws": found.draws,
        "stages": {each.rule: [dataclasses.asdict(stage) for stage in each.stages] for each in found.results},
        "remarks": {each.rule: list(each.remarks) for each in found.results},
    }
