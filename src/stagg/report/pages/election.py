"""Report of an election: winners by rule, pairwise heat map, flow of the runoff, ranks by rule, win shares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stagg.elections.elect import Election, RuleResult
from stagg.elections.headline import headline
from stagg.elections.runoff import order_by_rounds
from stagg.elections.tables import list_facts, list_rounds, tell_cycle, tell_margin, tell_next, tell_share
from stagg.elections.words import MARGIN, REDRAWS, tell_votes
from stagg.evaluation.tables import Cell, Grid
from stagg.report.charts.flows import Flow, Stage, flow_chart
from stagg.report.charts.svg import DENSE, Bar, bars, grid_table, matrix
from stagg.report.markup import Html, escaped, joined, quoted, shorten
from stagg.report.shell import Section, figure, page

__all__ = ["election_report", "election_sections"]

MOST = 25  # candidates that charts show; tables have all
FEWEST_BARS, MOST_BARS = 3, 8  # candidates of a chart of shares
SURE = f"For each rule: {REDRAWS.replace('the winner wins', 'each candidate wins')} The draws are a Bayesian bootstrap."
FLOW = "Each column is a round; a bar is as high as the candidate's votes, a band shows where the votes of others go."
COLUMNS = f"Wins in redraws: {REDRAWS} Margin: {MARGIN}. Next: the candidate who needs the fewest changed ballots."
COUNTS = "24:12 means that 24 {} put the row above the column, and 12 below it. "
HEAT = "The margin of the row over the column, as a share of the voters who tell the two apart: 1 if all agree."
CONDORCET = "Condorcet winner, who beats every other candidate head to head"
SMITH = "Smith set, the fewest candidates who beat all others"
CYCLE = "Cycle at the top, in which each beats the next"
RANKS = "★: a winner. An election fills one seat; the second rank is not a second seat."


def election_report(
    found: Election, *, title: str | None = None, files: Sequence[str] = (), remarks: Sequence[str] = ()
) -> str:
    """A page of HTML on what ``elect`` found in these files; ``remarks`` are what the reader said of them."""
    facts = [
        *([("Ballots", ", ".join(files))] if files else []),
        *[(name.capitalize(), text) for name, text in list_facts(found)],
    ]
    notes = [
        f"{found.draws} draws of the voters, seed {found.seed}." if found.draws else "The voters were not resampled.",
    ]
    sections = election_sections(found, remarks)
    return page(title or f"Election {found.query}", sections, lead=headline(found), facts=facts, notes=notes)


def election_sections(found: Election, remarks: Sequence[str] = ()) -> list[Section]:
    """Winners, ballots, runoff, pairs, points, ranks, redraws."""
    shown = found.candidates[:MOST]
    left_out = f" The first {MOST} of {len(found.candidates)} candidates." if len(found.candidates) > MOST else ""
    sections = [
        _list_winners(found),
        Section("Ballots", _ballots(found, remarks)),
        Section("Instant runoff", _runoff(found), " ".join([FLOW, *found.runoff_ties])),
        Section("Pairs", _pairs(found, shown), _explain_pairs(found, shown) + left_out),
        *([Section("Points", grid_table(_points(found)), found.about_points)] if found.points else []),
        Section("Ranks by rule", grid_table(_ranks(found), kind="ranks"), RANKS),
    ]
    if any(each.shares is not None for each in found.results):
        charts = [_shares(same, shown) for same in _group_by_shares(found.results)]
        body = Html(f'<div class="figures pairs">{joined(charts)}</div>')
        sections.append(Section("Wins in redraws", body, SURE + left_out))
    return sections


def _list_winners(found: Election) -> Section:
    """The winners by rule; where all rules agree, which the first line says, they are folded."""
    table = grid_table(_winners(found), kind="winners")
    if len(found.results) == 1 or not found.agrees:
        return Section("Winners", table, " ".join([COLUMNS, *_doubts(found)]))
    told = f'<p class="intro">{escaped(COLUMNS)}</p>\n{table}'
    fold = Html(f"<details><summary>The rules, one by one</summary>\n{told}\n</details>")
    return Section("Winners", fold, " ".join([found.verdict, *_doubts(found)]))


def _ballots(found: Election, remarks: Sequence[str]) -> Html:
    """How the ballots were read: what is missing on them, and what the reader had to say."""
    told = [*remarks, found.absence or "Every ballot ranks all candidates."]
    return _listed(told)


def _listed(sentences: Sequence[str]) -> Html:
    return Html(f"<ul>{''.join(f'<li>{escaped(each)}</li>' for each in sentences)}</ul>")


def _doubts(found: Election) -> list[str]:
    return [f"* {each.doubt}" for each in found.results if each.doubt]


def _winners(found: Election) -> Grid:
    cells = [
        [
            Cell(each.rule),
            Cell(", ".join(each.winners), mark="*" if each.doubt else ""),
            Cell(tell_share(each)),
            Cell(tell_margin(each)),
            Cell(tell_next(each)),
            Cell(each.summary),
        ]
        for each in found.results
    ]
    header = ["rule", "winner", "wins in redraws", "margin", "next", "what the rule does"]
    return Grid(header, cells, [False, False, True, True, False, False])


def _pairs(found: Election, shown: Sequence[str]) -> Html:
    """Who beats whom, and what follows from it."""
    told = [
        f"{CONDORCET}: {found.condorcet_winner or 'nobody beats all others'}.",
        f"{SMITH}: {', '.join(found.smith)}.",
        f"{CYCLE}: {tell_cycle(found)}.",
    ]
    return Html(f"{_heat_map(found, shown)}\n{_listed(told)}")


def _heat_map(found: Election, shown: Sequence[str]) -> Html:
    n = len(shown)
    margin, both = (found.wins - found.wins.T)[:n, :n], (found.wins + found.wins.T)[:n, :n]
    shares = np.divide(margin, both, out=np.full(both.shape, np.nan), where=both > 0)
    counts = [
        [Cell(name), *[Cell("" if i == j else _votes(found.wins[i, j])) for j in range(n)]]
        for i, name in enumerate(shown)
    ]
    table = grid_table(Grid([f"{_what_counts(found)} for the row", *shown], counts, [False] + [True] * n))
    both_ways = [[f"{_votes(found.wins[i, j])}:{_votes(found.wins[j, i])}" for j in range(n)] for i in range(n)]
    return figure("Who beats whom", matrix(shown, shares, label=HEAT, counts=both_ways), table=table)


def _explain_pairs(found: Election, shown: Sequence[str]) -> str:
    """The meaning of a cell; with many candidates it has a colour only."""
    if len(shown) > DENSE:
        return HEAT
    return f"{COUNTS.format(_what_counts(found))}Below: {HEAT[0].lower()}{HEAT[1:]}"


def _what_counts(found: Election) -> str:
    return "voters" if found.weight == found.voters else "votes"


def _runoff(found: Election) -> Html:
    order = order_by_rounds(found.rounds)
    stages = [
        Stage(
            _some(each.votes),
            [Flow(gone, to, votes) for gone, go in each.transfers.items() for to, votes in go.items()],
        )
        for each in found.rounds
    ]
    columns = [f"round {number}" for number in range(1, len(found.rounds) + 1)]
    cells = [[Cell(name), *[Cell(_votes(each)) for each in votes]] for name, votes in list_rounds(found)]
    table = grid_table(Grid(["candidate", *columns], cells, [False] + [True] * len(columns)))
    return figure("Votes from round to round", flow_chart(stages, order), table=table)


def _some(votes: dict[str, float]) -> dict[str, float]:
    """Without candidates that nobody votes for: they have no height."""
    return {name: each for name, each in votes.items() if each > 0} or votes


def _votes(votes: float | None) -> str:
    return "" if votes is None else tell_votes(votes)


def _points(found: Election) -> Grid:
    """First choices and Borda points, where these rules were asked for."""
    cells = [
        [Cell(shorten(name)), *[Cell(_votes(each[name])) for each in found.points.values()]]
        for name in found.candidates
    ]
    return Grid(["candidate", *found.points], cells, [False] + [True] * len(found.points))


def _ranks(found: Election) -> Grid:
    cells = [
        [
            Cell(shorten(name)),
            *[Cell(str(each.ranks[name]), mark="★" if each.ranks[name] == 1 else "") for each in found.results],
        ]
        for name in found.candidates
    ]
    header = ["candidate", *[each.rule for each in found.results]]
    return Grid(header, cells, [False] + [True] * len(found.results))


def _group_by_shares(results: Sequence[RuleResult]) -> list[list[RuleResult]]:
    """The rules that have shares; those whose charts look the same are together."""
    groups: dict[tuple[object, ...], list[RuleResult]] = {}
    for each in results:
        if each.shares is not None:
            shares = tuple((name, f"{100 * share:.1f}") for name, share in sorted(each.shares.items()))
            groups.setdefault((frozenset(each.winners), *shares), []).append(each)
    return list(groups.values())


def _shares(same: Sequence[RuleResult], shown: Sequence[str]) -> Html:
    """How often each wins in redraws; the winners of the count are marked, for they need not have the longest bars."""
    shares, winners = same[0].shares or {}, same[0].winners
    best = sorted(shown, key=lambda name: -shares[name])[:MOST_BARS]
    told = [name for number, name in enumerate(best) if number < FEWEST_BARS or shares[name] > 0 or name in winners]
    told += [name for name in winners[:FEWEST_BARS] if name not in told]
    rows = [
        Bar(
            name,
            shares[name],
            shares[name],
            shares[name],
            f"{quoted(name)}: {100 * shares[name]:.1f} % of the draws",
            best=name in winners,
            note=_mark_winner(name, winners),
        )
        for name in told
    ]
    rules = ", ".join(each.rule for each in same)
    title = rules if len(same) == 1 else f"{rules}: the same"
    return figure(title, bars(rows, label=f"Wins in redraws by {rules}", shares=True))


def _mark_winner(name: str, winners: Sequence[str]) -> str:
    return "" if name not in winners else "★ wins the count" if len(winners) == 1 else "★ ties in the count"
