"""The report of an election: winners by rule, pairwise heat map, flow of the runoff, ranks by rule, win shares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stagg.evaluation.elections import Election, RuleResult
from stagg.evaluation.tables import Cell, Grid
from stagg.report.charts import Bar, bars, grid_table, matrix
from stagg.report.flows import Flow, Stage, flow_chart
from stagg.report.markup import Html, cut, joined, quoted
from stagg.report.shell import Section, figure, page

__all__ = ["election_report", "election_sections"]

MOST = 25  # candidates that charts show; tables have all
FEWEST_BARS, MOST_BARS = 3, 8  # candidates of a chart of shares
SURE = "Shares of the draws of the voters in which the candidate comes first: a Bayesian bootstrap over the voters."
FLOW = "Each column is a round; a bar is as high as the candidate's votes, a band shows where the votes of others go."
HEAT = "The margin of the row over the column, as a share of the voters who tell the two apart: 1 if all agree."


def election_report(found: Election, *, title: str | None = None) -> str:
    """A page of HTML on what ``elect`` found."""
    facts = [
        ("Voters", f"{found.voters:,}"),
        *([("Their weight", f"{found.weight:,.6g}")] if found.weight != found.voters else []),
        ("Different ballots", f"{found.ballots:,}"),
        ("Candidates", f"{len(found.candidates):,}"),
        ("Condorcet winner", found.condorcet_winner or "nobody beats all others"),
        ("Smith set", ", ".join(found.smith)),
        ("Cycle at the top", " > ".join([*found.cycle, *found.cycle[:1]]) or "none"),
    ]
    notes = [
        f"Candidates that a ballot does not list: missing={found.missing!r}.",
        f"{found.draws} draws of the voters, seed {found.seed}." if found.draws else "The voters were not resampled.",
    ]
    return page(title or f"Election {found.query}", election_sections(found), facts=facts, notes=notes)


def election_sections(found: Election) -> list[Section]:
    """Winners, pairs, runoff, ranks, shares."""
    shown = found.candidates[:MOST]
    left_out = f" The first {MOST} of {len(found.candidates)} candidates." if len(found.candidates) > MOST else ""
    sections = [
        Section("Winners", grid_table(_winners(found)), "The margin is how many ballots would have to change."),
        Section("Pairs", _heat_map(found, shown), HEAT + left_out),
        Section("Instant runoff", _runoff(found), FLOW),
        Section("Ranks by rule", grid_table(_ranks(found), kind="ranks"), "★: a winner."),
    ]
    if any(each.shares is not None for each in found.results):
        charts = [_shares(each, shown) for each in found.results if each.shares is not None]
        sections.append(Section("How sure", Html(f'<div class="figures">{joined(charts)}</div>'), SURE + left_out))
    return sections


def _winners(found: Election) -> Grid:
    cells = [
        [
            Cell(each.rule),
            Cell(", ".join(each.winners)),
            Cell(_share(each)),
            Cell(_margin(each)),
            Cell((each.victory.challenger or "-") if each.victory and each.victory.ballots else "-"),
        ]
        for each in found.results
    ]
    return Grid(["rule", "winner", "share", "margin", "next"], cells, [False, False, True, True, False])


def _share(result: RuleResult) -> str:
    """The shares of the winners, of the first three if many tie."""
    shares = result.shares
    if shares is None:
        return "-"
    return ", ".join(f"{100 * shares[winner]:.0f} %" for winner in result.winners[:3])


def _margin(result: RuleResult) -> str:
    if result.victory is None:
        return "-"
    if result.victory.ballots == 0:
        return "tie"
    return f"{result.victory.ballots:,}" if result.victory.exact else f"at most {result.victory.ballots:,}"


def _heat_map(found: Election, shown: Sequence[str]) -> Html:
    n = len(shown)
    margin, both = (found.wins - found.wins.T)[:n, :n], (found.wins + found.wins.T)[:n, :n]
    shares = np.divide(margin, both, out=np.full_like(margin, np.nan), where=both > 0)
    counts = [
        [Cell(name), *[Cell("" if i == j else _votes(found.wins[i, j])) for j in range(n)]]
        for i, name in enumerate(shown)
    ]
    what = "voters" if found.weight == found.voters else "weight"
    table = grid_table(Grid([f"{what} for the row", *shown], counts, [False] + [True] * n))
    return figure("Who beats whom", matrix(shown, shares, label=HEAT), table=table)


def _runoff(found: Election) -> Html:
    order = [*found.rounds[-1].votes]
    for each in reversed(found.rounds[:-1]):
        order += [name for name in each.votes if name not in order]
    stages = [
        Stage(
            _some(each.votes),
            [Flow(gone, to, votes) for gone, go in each.transfers.items() for to, votes in go.items()],
        )
        for each in found.rounds
    ]
    columns = [f"round {number}" for number in range(1, len(found.rounds) + 1)]
    cells = [[Cell(name), *[Cell(_votes(each.votes.get(name))) for each in found.rounds]] for name in order]
    table = grid_table(Grid(["candidate", *columns], cells, [False] + [True] * len(columns)))
    return figure("Votes from round to round", flow_chart(stages, order), table=table)


def _some(votes: dict[str, float]) -> dict[str, float]:
    """Without candidates that nobody votes for: they have no height."""
    return {name: each for name, each in votes.items() if each > 0} or votes


def _votes(votes: float | None) -> str:
    return "" if votes is None else f"{votes:,.6g}"


def _ranks(found: Election) -> Grid:
    cells = [
        [
            Cell(cut(name)),
            *[Cell(str(each.ranks[name]), mark="★" if each.ranks[name] == 1 else "") for each in found.results],
        ]
        for name in found.candidates
    ]
    header = ["candidate", *[each.rule for each in found.results]]
    return Grid(header, cells, [False] + [True] * len(found.results))


def _shares(result: RuleResult, shown: Sequence[str]) -> Html:
    shares = result.shares or {}
    best = sorted(shown, key=lambda name: -shares[name])[:MOST_BARS]
    rows = [
        Bar(name, shares[name], shares[name], shares[name], f"{quoted(name)}: {100 * shares[name]:.1f} % of the draws")
        for number, name in enumerate(best)
        if number < FEWEST_BARS or shares[name] > 0
    ]
    return figure(result.rule, bars(rows, label=f"Win shares under {result.rule}", shares=True))
