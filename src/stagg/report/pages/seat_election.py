"""Report of an election for several seats: who is elected, candidates, stages with their flow, seats in redraws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

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
from stagg.evaluation.tables import Cell, Grid
from stagg.report.charts.flows import Flow, Stage, flow_chart
from stagg.report.charts.svg import Bar, bars, grid_table
from stagg.report.markup import Html, escaped, joined, quoted
from stagg.report.shell import Section, figure, page

__all__ = ["seat_report"]

FLOW = "Each column is a stage; a bar is as high as the candidate's votes, a band shows where votes go."
MOST_BARS = 25


def seat_report(
    found: Council, *, title: str | None = None, files: Sequence[str] = (), remarks: Sequence[str] = ()
) -> str:
    """A page of HTML on an election for several seats; ``remarks`` are what the reader said of the files."""
    facts = [
        *([("Ballots", ", ".join(files))] if files else []),
        *[(name.capitalize(), text) for name, text in list_seat_facts(found)],
    ]
    draws = (
        f"{found.draws} draws of the voters, seed {found.seed}." if found.draws else "The voters were not resampled."
    )
    sections = [
        Section("Elected", _elected(found), f"Last seat: {LAST_SEAT}"),
        Section("Ballots", _listed([*remarks, *_describe_ballots(found)])),
        *[section for each in found.results for section in _sections(found, each)],
    ]
    return page(title or f"Election {found.query}", sections, lead=found.verdict, facts=facts, notes=[draws])


def _describe_ballots(found: Council) -> Iterator[str]:
    if found.ticks:
        yield "The ballots tick candidates."
    elif found.partial:
        does = "ballot does" if found.partial == 1 else "ballots do"
        yield f"{found.partial:,} {does} not rank every candidate."
    yield from (f"{each.rule}: {remark}" for each in found.results for remark in each.remarks)
    yield from describe_lot(found)


def _listed(sentences: Sequence[str], kind: str = "ul") -> Html:
    return Html(f"<{kind}>{''.join(f'<li>{escaped(each)}</li>' for each in sentences)}</{kind}>")


def _elected(found: Council) -> Html:
    cells = [
        [Cell(each.rule), Cell(", ".join(each.elected)), Cell(tell_last_seat(each)), Cell(each.summary)]
        for each in found.results
    ]
    header = ["rule", "elected, in this order", "last seat", "what the rule does"]
    return grid_table(Grid(header, cells, [False, False, True, False]), kind="winners")


def _sections(found: Council, result: SeatResult) -> Iterator[Section]:
    quota = "" if result.quota is None else f" The quota is {tell_seat_votes(result.quota)}."
    about = f"{result.title}: {result.counted:,} ballots count.{quota}"
    yield Section(f"Candidates by {result.rule}", _candidates(result), about)
    if len(result.stages) > 1:
        told = _listed([describe_stage(result, each) for each in result.stages], "ol")
        chart = [_flow(result)] if result.kind == "stv" else []
        body = joined([*chart, told, grid_table(_stages(result))])
        yield Section(f"Stages by {result.rule}", body, FLOW if chart else "")
    if result.shares is not None:
        yield Section(
            f"Seats in redraws by {result.rule}", _shares(result), f"{SEAT_SHARES[0].upper()}{SEAT_SHARES[1:]}"
        )


def _candidates(result: SeatResult) -> Html:
    several = len(result.stages) > 1
    cells = [
        [
            Cell(name, mark="★" if name in result.elected else ""),
            Cell(tell_seat_votes(result.stages[0].votes[name])),
            *([Cell(tell_seat_votes(final_votes(result, name)))] if several else []),
            Cell(tell_outcome(result, name)),
            Cell(tell_chance(result, name)),
        ]
        for name in result.order
    ]
    votes = ["first stage", "last stage"] if several else ["votes"]
    right = [False, *[True for _ in votes], False, True]
    return grid_table(Grid(["candidate", *votes, "outcome", "seat in redraws"], cells, right))


def _stages(result: SeatResult) -> Grid:
    columns = [c for each in result.stages for c in _name_columns(each)]
    cells = [[Cell(name), *map(Cell, votes)] for name, votes in list_stages(result, result.stages)]
    return Grid(["candidate", *columns], cells, [False] + [True] * len(columns))


def _name_columns(stage: SeatStage) -> list[str]:
    return [f"± {stage.number}", f"stage {stage.number}"] if stage.number > 1 else ["stage 1"]


def _flow(result: SeatResult) -> Html:
    """The votes from stage to stage, without those who have none."""
    moved = [_moves(before, after) for before, after in pairwise(result.stages)]
    stages = [
        Stage({name: votes for name, votes in each.votes.items() if votes > 0}, flows)
        for each, flows in zip(result.stages, [*moved, []], strict=True)
    ]
    return figure("Votes from stage to stage", flow_chart(stages, result.order))


def _moves(before: SeatStage, after: SeatStage) -> list[Flow]:
    """The votes that leave a candidate in a stage; those that nobody gets go to None."""
    if after.moved is None or not before.votes[after.moved] or before.votes == after.votes:
        return []
    left = before.votes[after.moved] - after.votes[after.moved]
    nobody = left - sum(after.given.values())
    flows = [Flow(after.moved, name, votes) for name, votes in after.given.items()]
    return [*flows, Flow(after.moved, None, nobody)] if nobody > 0 else flows


def _shares(result: SeatResult) -> Html:
    shares = result.shares or {}
    rows = [
        Bar(
            name,
            shares[name],
            shares[name],
            shares[name],
            f"{quoted(name)}: a seat in {100 * shares[name]:.1f} % of the draws",
            best=name in result.elected,
            note="★ elected" if name in result.elected else "",
        )
        for name in result.order[:MOST_BARS]
    ]
    return figure(result.rule, bars(rows, label=f"Seats in redraws by {result.rule}", shares=True))
