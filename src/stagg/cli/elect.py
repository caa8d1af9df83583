"""``stagg elect``: who wins by which rule, how surely, by what margin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from stagg.cli.planning import voters_weights_option
from stagg.cli.reading import inputs, quiet_option, read_inputs, reading_options
from stagg.cli.reporting import check_report, report_option, write_report
from stagg.cli.talk import json_option, print_json, print_table, progress_bar
from stagg.data.rankings import Weights
from stagg.errors import InvalidParameter, bare
from stagg.evaluation.elections import (
    DRAWS,
    MANY_BALLOTS,
    MANY_CANDIDATES,
    RULES,
    Election,
    as_details,
    as_row,
    elect,
)
from stagg.evaluation.victory import Victory
from stagg.formats import ReadOptions
from stagg.methods import Missing

__all__ = ["command"]

FEW = 12  # candidates whose matrix, ranks and rounds still fit a terminal
NOTE = (
    "share: of the draws of the voters in which the winner comes first; margin: ballots that would have to change for "
    "another winner or a tie, exact, or at least and at most so many (≤: the best that a search found)."
)


@click.command("elect")
@inputs
@click.option("--rules", metavar="RULE[;RULE...]", help=f"The rules, as methods.  [default: {';'.join(RULES)}]")
@click.option("--query", metavar="Q", help="Which election, if the input has several.  [default: all]")
@click.option(
    "--missing",
    type=click.Choice(["below", "neutral", "skip"]),
    default="below",
    show_default=True,
    help="What it means that a ballot does not list a candidate: it lost to all listed ones, or nothing.",
)
@click.option(
    "--draws",
    type=click.IntRange(min=0),
    help=f"How often the voters are resampled for the shares; 0 for no shares.  [default: {DRAWS}; 0 with more than "
    f"{MANY_CANDIDATES} candidates or {MANY_BALLOTS:,} different ballots]",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the draws.")
@click.option(
    "--margins/--no-margins", default=None, help="Whether to find margins of victory.  [default: as for the draws]"
)
@voters_weights_option
@report_option
@json_option
@reading_options
@quiet_option
def command(
    inputs: Sequence[str],
    rules: str | None,
    query: str | None,
    missing: Missing,
    draws: int | None,
    seed: int,
    margins: bool | None,
    weights: Weights | None,
    report: str | None,
    as_json: bool,
    reading: tuple[str, ReadOptions],
    quiet: bool,
) -> None:
    """Find out who wins an election by which rule, how surely, and by how many ballots.

    The winners of twelve rules stand side by side, with the share of draws of the voters in which they win and the
    margin of victory. Then follow the Condorcet winner or the cycle of majorities, the pairwise matrix, the rounds of
    the instant runoff, and the rank of each candidate by each rule.

    \b
    stagg elect ballots.csv
    stagg elect ballots.xlsx --rules "irv;schulze;borda" --report election.html
    stagg elect board.toi --names --json
    """
    check_report(report, inputs)
    rankings = read_inputs(inputs, reading, quiet=quiet).rankings
    queries = rankings.queries if query is None else (query,)
    if report is not None and len(queries) > 1:
        raise InvalidParameter(f"a report is about one election; say which: --query {bare(queries[0])}")
    with progress_bar(quiet=quiet) as progress:
        options: dict[str, Any] = {
            "missing": missing,
            "weights": weights,
            "draws": draws,
            "margins": margins,
            "seed": seed,
        }
        found = [elect(rankings, rules, query=each, progress=progress, **options) for each in queries]
    if report is not None:
        from stagg.report.election_page import election_report

        write_report(report, election_report(found[0]), quiet=quiet)
    if as_json:
        rows = [as_row(each, result) for each in found for result in each.results]
        print_json("elect", rows, seed=seed, elections=[as_details(each) for each in found])
        return
    for each in found:
        _print_election(each)


def _print_election(found: Election) -> None:
    print_table(f"Election {found.query}", ("", ""), [[name, text] for name, text in _facts(found)])
    rows = [
        [each.rule, ", ".join(each.winners), _share(each.shares, each.winners), *_margin(each.victory)]
        for each in found.results
    ]
    print_table("Winners", ("rule", "winner", "share", "margin", "next"), rows, note=_note(found))
    if len(found.candidates) <= FEW:
        _print_matrix(found)
        _print_rounds(found)
        _print_ranks(found)


def _note(found: Election) -> str:
    if any(each.shares is not None or each.victory is not None for each in found.results):
        return NOTE
    large = len(found.candidates) > MANY_CANDIDATES or found.ballots > MANY_BALLOTS
    return f"no shares and margins: ask for them with --draws {DRAWS} --margins; they may take long." if large else ""


def _facts(found: Election) -> list[tuple[str, str]]:
    cycle = " > ".join([*found.cycle, *found.cycle[:1]])
    return [
        ("voters", f"{found.voters:,}"),
        *([("their weight", f"{found.weight:,.6g}")] if found.weight != found.voters else []),
        ("different ballots", f"{found.ballots:,}"),
        ("candidates", f"{len(found.candidates):,}"),
        ("Condorcet winner", found.condorcet_winner or "nobody beats all others"),
        ("Condorcet loser", found.condorcet_loser or "nobody loses to all others"),
        ("Smith set", ", ".join(found.smith)),
        ("cycle at the top", cycle or "none"),
    ]


def _share(shares: dict[str, float] | None, winners: tuple[str, ...]) -> str:
    return "-" if shares is None else " ".join(f"{100 * shares[winner]:.0f} %" for winner in winners[:3])


def _margin(victory: Victory | None) -> tuple[str, str]:
    if victory is None:
        return "-", "-"
    if victory.challenger is not None and victory.ballots == 0:
        return "tie", "-"
    text = f"{victory.ballots:,}" if victory.exact else f"≤ {victory.ballots:,} (≥ {victory.least:,})"
    return text, victory.challenger or "-"


def _print_matrix(found: Election) -> None:
    rows = [
        [f"{i + 1} {name}", *["" if i == j else _votes(found.wins[i, j]) for j in range(len(found.candidates))]]
        for i, name in enumerate(found.candidates)
    ]
    columns = ("", *[str(j + 1) for j in range(len(found.candidates))])
    what = "voters" if found.weight == found.voters else "the weight of the voters"
    print_table(f"Pairwise: {what} who put the row above the column", columns, rows)


def _print_rounds(found: Election) -> None:
    """The votes from round to round; whoever goes has no votes in the next."""
    numbers = {name: f"{number} {name}" for number, name in enumerate(found.candidates, start=1)}
    left = [each.out for each in found.rounds[::-1]]
    rows: list[list[Any]] = [
        [numbers[name], *[_votes(each.votes.get(name)) for each in found.rounds]] for out in left for name in out
    ]
    spent = [found.weight - sum(each.votes.values()) for each in found.rounds]
    if spent[-1] > 1e-9 * found.weight:
        rows.append(["exhausted", *[_votes(max(0.0, votes)) for votes in spent]])
    print_table("Instant runoff: votes by round", ("", *[str(k + 1) for k in range(len(found.rounds))]), rows)


def _votes(votes: float | None) -> int | float | str:
    if votes is None:
        return ""
    return round(votes) if abs(votes - round(votes)) < 1e-9 else float(votes)


def _print_ranks(found: Election) -> None:
    rows = [[each.rule, *[each.ranks[name] for name in found.candidates]] for each in found.results]
    columns = ("rule", *[str(k + 1) for k in range(len(found.candidates))])
    print_table("Ranks by rule", columns, rows, note="Columns are the candidates, numbered as above.")
