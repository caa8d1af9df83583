"""``stagg elect``: run an election: who wins by which rule, how surely, by what margin."""

from __future__ import annotations

import dataclasses
import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from stagg.cli.options.planning import voters_weights_option
from stagg.cli.options.reading import inputs, load_inputs, open_inputs, quiet_option
from stagg.cli.options.reporting import check_report, repeat_options, report_option, write_report
from stagg.cli.show.council_view import print_council
from stagg.cli.show.table_output import plain_reading_options
from stagg.cli.show.talk import print_json, print_table, progress_bar, safe_cell, say
from stagg.data.rankings import Rankings, Weights
from stagg.data.spellings import describe_look_alikes
from stagg.elections.ballot_facts import describe_ballots, tell_dropped, tell_turnout
from stagg.elections.elect import (
    DRAWS,
    MANY_BALLOTS,
    MANY_CANDIDATES,
    RULES,
    Election,
    RuleResult,
    as_details,
    as_row,
    elect,
    withdraw,
)
from stagg.elections.seats.council import FOR_ORDERS, FOR_TICKS, Council, names_seat_rules
from stagg.elections.seats.seat_rows import as_seat_details, as_seat_row
from stagg.elections.tables import list_facts, list_rounds, tell_cycle, tell_margin, tell_next, tell_share
from stagg.elections.words import MARGIN, REDRAWS
from stagg.errors import InvalidParameter, UnknownName, bare, plural, printable, shown
from stagg.formats import ReadLog, ReadOptions
from stagg.methods import Missing
from stagg.methods.voting.several_seats import SEAT_RULES
from stagg.registry import near_names
from stagg.say import spell_in_line

__all__ = ["command"]

MARKDOWN = (".md", ".txt", ".markdown", "")
FEW = 12  # candidates whose matrix, ranks and rounds still fit a terminal
NOTE = (
    f"wins in redraws: {REDRAWS} margin: {MARGIN}. next: the candidate who would need the fewest changed ballots to "
    "win or tie."
)
HALVES = "A ballot with several first choices gives each of them its part of the vote."


@click.command("elect", short_help="Find out who wins an election, by which rule, how surely.")
@inputs
@click.option("--rules", metavar="RULE[,RULE...]", help=f"The rules, as methods.  [default: {','.join(RULES)}]")
@click.option(
    "--seats",
    type=int,
    metavar="N",
    help=f"How many seats to fill, by the rules {', '.join(SEAT_RULES.names())}.  [default: one seat; with N the rules "
    f"{','.join(FOR_ORDERS)}, and of ballots with ticks {','.join(FOR_TICKS)}]",
)
@click.option(
    "--explain", "candidate", metavar="NAME", help="Say in plain sentences why this candidate is elected or not."
)
@click.option(
    "--withdrawn",
    multiple=True,
    metavar="NAME",
    help="A candidate who does not stand any more, and is left out of all ballots; may be given several times.",
)
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
    help=f"How often the voters are drawn again; 0 for not at all.  [default: {DRAWS}; 0 with more than "
    f"{MANY_CANDIDATES} candidates or {MANY_BALLOTS:,} different ballots]",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the draws.")
@click.option(
    "--margins/--no-margins", default=None, help="Whether to find margins of victory.  [default: as for the draws]"
)
@voters_weights_option
@report_option
@click.option(
    "--minutes",
    type=click.Path(dir_okay=False),
    metavar="FILE.md",
    help="Also write the minutes of the count by one rule with seats: every stage, ties, lots, and how to repeat it.",
)
@click.option("--title", help="The title of the report of --report, and of the minutes.")
@plain_reading_options
@quiet_option
def command(
    inputs: Sequence[str],
    rules: str | None,
    seats: int | None,
    candidate: str | None,
    withdrawn: Sequence[str],
    query: str | None,
    missing: Missing,
    draws: int | None,
    seed: int,
    margins: bool | None,
    weights: Weights | None,
    report: str | None,
    minutes: str | None,
    title: str | None,
    as_json: bool,
    reading: tuple[str, ReadOptions],
    quiet: bool,
) -> None:
    """Find out who wins an election by which rule, how surely, and by how many ballots.

    Without --seats, each rule fills one seat. The second rank is not a second seat: say --seats 2 to elect two. The
    rules for several seats show every stage of the count, as councils print it.

    For one seat, the winners of twelve rules stand side by side, with the margin of victory, and with how often they
    win when the voters are drawn again. Then follow the Condorcet winner or the cycle of majorities, the pairwise
    matrix, the rounds of the instant runoff, and the rank of each candidate by each rule.

    \b
    stagg elect ballots.csv
    stagg elect ballots.xlsx --rules irv,schulze,borda --report election.html
    stagg elect ballots.csv --explain "Ada Lovelace"
    stagg elect board.csv --seats 3 --rules stv --report board.html --minutes board.md
    stagg elect board.toi --names --json
    """
    check_report(report, inputs)
    check_report(minutes, inputs, output=report)
    if minutes is not None and Path(minutes).suffix.lower() not in MARKDOWN:
        raise InvalidParameter(
            f"minutes are Markdown, plain text: name a file {' or '.join(MARKDOWN[:2])}, not {shown(minutes)}"
        )
    if minutes is not None and "-" in inputs:
        raise InvalidParameter("minutes hold the checksum of a file: save standard input as a file, and name it")
    if title is not None and report is None and minutes is None:
        raise InvalidParameter("--title is the title of the report: say --report FILE, too")
    with open_inputs(inputs, reading, ballots=True) as files:
        rankings = load_inputs(
            files, quiet=quiet, describe=describe_ballots, excused=_names_without_weight(weights)
        ).rankings
    if withdrawn:
        rankings = withdraw(rankings, withdrawn)
        told = f"withdrawn, and left out of the ballots: {', '.join(map(shown, withdrawn))}"
        files.log.note(told)
        say(told)
    _offer_seats(files.log, seats, quiet=quiet)
    queries = rankings.queries if query is None else (query,)
    if (report is not None or minutes is not None) and len(queries) > 1:
        raise InvalidParameter(f"a report is about one election; say which: --query {bare(queries[0])}")
    with progress_bar(quiet=quiet) as progress:
        several = seats is not None and (seats != 1 or (rules is not None and names_seat_rules(rules)))
        options: dict[str, Any] = {
            **({"seats": seats} if several else {}),
            "missing": missing,
            "weights": weights,
            "draws": draws,
            "margins": margins,
            "seed": seed,
        }
        found = [elect(rankings, rules, query=each, progress=progress, **options) for each in queries]
    remarks = _remark(rankings, weights, files.log) if report or minutes else []
    if report is not None:
        write_report(report, _make_report(found[0], title, inputs, remarks), quiet=quiet)
    if minutes is not None:
        write_report(minutes, _make_minutes(found[0], title, inputs, files.paths, remarks), quiet=quiet, what="minutes")
    why = [] if candidate is None else _explain(found, candidate, rankings, weights)
    if as_json:
        rows = [row for each in found for row in _rows(each)]
        print_json(
            "elect",
            rows,
            seed=seed,
            elections=[as_seat_details(each) if isinstance(each, Council) else as_details(each) for each in found],
            **({"explained": why} if why else {}),
        )
        return
    if why:
        _print_explained(found, why)
        return
    for each in found:
        if isinstance(each, Council):
            print_council(each)
        else:
            _print_election(each)


def _rows(found: Election | Council) -> list[dict[str, Any]]:
    if isinstance(found, Council):
        return [as_seat_row(found, each) for each in found.results]
    return [as_row(found, each) for each in found.results]


def _make_report(found: Election | Council, title: str | None, files: Sequence[str], remarks: Sequence[str]) -> str:
    if isinstance(found, Council):
        from stagg.report.pages.seat_election import seat_report

        return seat_report(found, title=title, files=files, remarks=remarks)
    from stagg.report.pages.election import election_report

    return election_report(found, title=title, files=files, remarks=remarks)


def _make_minutes(
    found: Election | Council,
    title: str | None,
    inputs: Sequence[str],
    paths: Sequence[str | Path],
    remarks: Sequence[str],
) -> str:
    from stagg.elections.seats.minutes import write_minutes  # here: few ask for them

    if not isinstance(found, Council):
        raise InvalidParameter("minutes are for the rules with seats: say --seats N, and --rules stv, for example")
    same = [text for text in click.get_current_context().params["same"] if os.path.isfile(text)]
    files = [*map(str, paths), *same]
    return write_minutes(found, files=files, remarks=remarks, command=_repeat_command(inputs), title=title)


def _repeat_command(files: Sequence[str]) -> str:
    """The options that the count depends on, as they were given; weights, which name voters, are not repeated."""
    context = click.get_current_context()
    names = {field.name for field in dataclasses.fields(ReadOptions)} | {"rules", "seats", "withdrawn", "seed", "query"}
    words = ["stagg", "elect", *map(os.path.basename, files), *repeat_options(context, names)]
    return shlex.join(words) + (" --weights (not shown here)" if context.params.get("weights") else "")


def _explain(
    found: Sequence[Election | Council], candidate: str, ballots: Rankings, weights: Weights | None
) -> list[list[str]]:
    """The sentences of each election on a candidate; none for an election in which it does not stand."""
    from stagg.elections.seats.explained import explain_seat  # here: few ask for it
    from stagg.elections.standing import explain_candidate

    names = dict.fromkeys(name for each in found for name in each.candidates)
    if candidate not in names:
        raise UnknownName(f"no candidate {shown(candidate)}{near_names(candidate, names)}")
    told = []
    for each in found:
        if candidate not in each.candidates:
            told.append(list[str]())
        elif isinstance(each, Council):
            told.append(explain_seat(each, candidate))
        else:
            told.append(explain_candidate(each, candidate, ballots, weights=weights))
    return told


def _print_explained(found: Sequence[Election | Council], why: Sequence[list[str]]) -> None:
    """The sentences of each election that has some; where there are several elections, under the name of each."""
    for each, lines in zip(found, why, strict=True):
        heading = [f"Election {bare(each.query)}:"] if len(found) > 1 else []
        if lines:
            click.echo("\n".join(map(printable, [*heading, *lines])))


def _offer_seats(log: ReadLog, seats: int | None, *, quiet: bool) -> None:
    """Say that a file is of an election for another number of seats."""
    most = max((each.seats or 1 for each in log.readings), default=1)
    if most > 1 and most != (seats or 1) and not quiet:
        mine = "one seat" if (seats or 1) == 1 else f"{seats:,} seats"
        say(f"the file says that {most:,} seats are filled; --seats {most} counts them, and this count is for {mine}")


def _names_without_weight(weights: Weights | None) -> list[str]:
    return [name for name, weight in weights.items() if weight == 0] if isinstance(weights, Mapping) else []


def _remark(rankings: Rankings, weights: Weights | None, log: ReadLog) -> list[str]:
    """Remarks on the ballots for a page that others read: how many, what the reader noticed, what was dropped."""
    noticed = [*log.public_notes, *tell_dropped(log), *describe_look_alikes(rankings)]
    return [tell_turnout(rankings), *_count_without_weight(rankings, weights), *map(spell_in_line, noticed)]


def _count_without_weight(rankings: Rankings, weights: Weights | None) -> list[str]:
    """How many ballots have the weight 0: without it the numbers of ballots and voters would not agree."""
    weighed = rankings if weights is None else rankings.with_weights(weights)
    none = int(weighed.multiplicities[weighed.weights == 0].sum())
    return (
        [f"{plural(none, 'ballot')} {'has' if none == 1 else 'have'} the weight 0 and did not count."] if none else []
    )


def _print_election(found: Election) -> None:
    click.echo(printable(found.verdict))
    print_table(f"Election {safe_cell(found.query)}", ("", ""), [[name, text] for name, text in _facts(found)])
    rows = [[each.rule, _winners(each), tell_share(each), tell_margin(each), tell_next(each)] for each in found.results]
    print_table("Winners", ("rule", "winner", "wins in redraws", "margin", "next"), rows, note=_note(found))
    if len(found.candidates) <= FEW:
        _print_matrix(found)
        _print_rounds(found)
        _print_points(found)
        _print_ranks(found)


def _winners(result: RuleResult) -> str:
    return ", ".join(result.winners) + (" *" if result.doubt else "")


def _note(found: Election) -> str:
    doubts = [f"* {each.doubt}" for each in found.results if each.doubt]
    absence = f"{found.absence} --missing says otherwise." if found.absence else ""
    return "\n".join(filter(None, [*doubts, absence, _note_on_shares(found)]))


def _note_on_shares(found: Election) -> str:
    if any(each.shares is not None or each.victory is not None for each in found.results):
        return NOTE
    large = len(found.candidates) > MANY_CANDIDATES or found.ballots > MANY_BALLOTS
    return f"no redraws and margins: ask for them with --draws {DRAWS} --margins; they may take long." if large else ""


def _facts(found: Election) -> list[tuple[str, str]]:
    return [
        *list_facts(found),
        ("Condorcet winner", found.condorcet_winner or "nobody beats all others"),
        ("Condorcet loser", found.condorcet_loser or "nobody loses to all others"),
        ("Smith set", ", ".join(found.smith)),
        ("cycle at the top", tell_cycle(found)),
    ]


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
    rows = [[numbers.get(name, name), *map(_votes, votes)] for name, votes in list_rounds(found)]
    columns = ("", *[str(k + 1) for k in range(len(found.rounds))])
    halves = found.weight == found.voters and any(each % 1 for each in found.rounds[0].votes.values())
    note = " ".join([*found.runoff_ties, *([HALVES] if halves else [])])
    print_table("Instant runoff: votes by round", columns, rows, note=note)


def _print_points(found: Election) -> None:
    """First choices and Borda points, where these rules were asked for."""
    rows = [
        [f"{number} {name}", *[_votes(each[name]) for each in found.points.values()]]
        for number, name in enumerate(found.candidates, start=1)
    ]
    if found.points:
        print_table("Points", ("", *map(safe_cell, found.points)), rows, note=found.about_points)


def _votes(votes: float | None) -> int | float | str:
    if votes is None:
        return ""
    return round(votes) if abs(votes - round(votes)) < 1e-9 else float(votes)


def _print_ranks(found: Election) -> None:
    rows = [[each.rule, *[each.ranks[name] for name in found.candidates]] for each in found.results]
    columns = ("rule", *[str(k + 1) for k in range(len(found.candidates))])
    print_table("Ranks by rule", columns, rows, note="Columns are the candidates, numbered as above.")
