"""``stagg leaderboard``: rank models by tables of their scores, with gaps."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import click

from stagg.cli.options.completion import complete_name
from stagg.cli.options.planning import parse_weights
from stagg.cli.options.reading import quiet_option, say_notes
from stagg.cli.options.reporting import (
    PlotWidth,
    check_plots,
    check_report,
    plot_width_option,
    plots_option,
    report_option,
    write_figures,
    write_report,
)
from stagg.cli.show.table_output import Shown, judged_reading_options, write_table
from stagg.cli.show.talk import busy, print_table, progress_bar, say
from stagg.errors import InvalidParameter, plural
from stagg.evaluation.tables import Table
from stagg.formats import ReadLog, ReadOptions
from stagg.leaderboards.battles.battle_fits import Ties
from stagg.leaderboards.board import LEVEL, TOP, Board
from stagg.leaderboards.leaderboard import DRAWS, METHOD, rank_input
from stagg.leaderboards.scores import MissingScores
from stagg.leaderboards.table_input import board_input

__all__ = ["command"]

LINES, FEW = 40, 10  # of the board in a terminal, and of one beside it


@click.command("leaderboard", short_help="Rank models by tables of their scores, with gaps.")
@click.argument("inputs", metavar="SCORES...", nargs=-1, required=True)
@click.option(
    "--method",
    "-m",
    default=METHOD,
    show_default=True,
    shell_complete=complete_name("method"),
    help="How strengths come from scores: bradley_terry (wins per task), mean, mean_rank, borda, win_rate, or any "
    "method of `stagg methods`, for which every task is a ranker.",
)
@click.option(
    "--missing",
    type=click.Choice(["skip", "below"]),
    default="skip",
    show_default=True,
    help="What it means that a model was not run on a task: nothing (skip), or that it lost (below).",
)
@click.option(
    "--lower-is-better",
    metavar="TASK,...|all",
    help="Tasks where small scores are better; an empty text says that there are none.",
)
@click.option(
    "--families",
    metavar="FILE|COLUMN|row",
    help="Families of tasks, each of which counts once: a table of tasks and families, a column, or the row above the "
    "header.",
)
@click.option("--weights", metavar="W", help="Weights of tasks, by name: Retrieval=2,STS=0.5 (the others keep 1).")
@click.option(
    "--intervals",
    type=click.FloatRange(min=0.5, max=1, max_open=True),
    default=LEVEL,
    show_default=True,
    help="Level of the intervals of ranks.",
)
@click.option(
    "--draws",
    type=click.IntRange(min=0),
    default=DRAWS,
    show_default=True,
    help="Number of draws for the intervals; 0 for no intervals.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the draws.")
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=TOP,
    show_default=True,
    metavar="K",
    help="Show the probability of being among the first K.",
)
@click.option(
    "--lines",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Show only the first N models; CSV and JSON have all.  [default: {LINES} in a terminal]",
)
@click.option(
    "--anchor",
    metavar="JUDGE",
    help="Battles: the judge who is believed, such as human. The votes of the others only narrow the intervals.",
)
@click.option(
    "--ties",
    type=click.Choice(["davidson", "half"]),
    default="davidson",
    show_default=True,
    help="Battles: fit how often each judge says tie, or count a tie as half a win for each.",
)
@click.option("--apart", is_flag=True, help="Rank groups of models that share no task, or never met, each by itself.")
@report_option
@click.option("--title", help="The title of the report of --report.")
@plots_option
@plot_width_option
@judged_reading_options
@quiet_option
def command(
    inputs: Sequence[str],
    method: str,
    missing: MissingScores,
    lower_is_better: str | None,
    families: str | None,
    weights: str | None,
    intervals: float,
    draws: int,
    seed: int,
    top: int,
    lines: int | None,
    anchor: str | None,
    ties: Ties,
    apart: bool,
    report: str | None,
    title: str | None,
    plots: str | None,
    width: PlotWidth,
    shown: Shown,
    reading: tuple[str, ReadOptions],
    quiet: bool,
) -> None:
    """Rank models by their scores on tasks, or by battles, and say how sure each rank is.

    SCORES is a table of models by tasks, either way round, or with one row for each score. Scores may be missing. A
    rank comes with an interval that holds for all models at once, and with groups that cannot be told apart.

    A table of battles names two models and the winner, or a tie, in every row; a judge and a question, too, if you
    have them. Several judges may have judged the same battles: --anchor says whom to believe.

    \b
    stagg leaderboard scores.csv
    stagg leaderboard scores.xlsx --lower-is-better "WER,latency_ms" --report board.html
    stagg leaderboard results.csv --families category --format latex --lines 10
    stagg leaderboard human.csv gpt-4.csv --anchor human
    """
    check_report(report, inputs)
    check_plots(plots, width)
    if title is not None and report is None:
        raise InvalidParameter("--title is the title of the report: say --report FILE, too")
    log = ReadLog()
    with busy("reading", quiet=quiet):
        read = board_input(
            list(inputs),
            lower_is_better=lower_is_better,
            families=families,
            weights=_name_weights(weights),
            format=reading[0],
            options=reading[1],
            log=log,
        )
    say_notes(log, quiet=quiet)
    if not quiet:
        say(f"read {read.summary}")
    with progress_bar(quiet=quiet) as progress:
        found = rank_input(
            read, method=method, missing=missing, anchor=anchor, ties=ties, apart=apart,
            intervals=intervals if draws else None, draws=draws, top=top, seed=seed, progress=progress,
        )  # fmt: skip
    if report is not None:
        from stagg.report.pages.leaderboard import leaderboard_report

        remarks = [str(note) for note in log.public_notes]
        write_report(report, leaderboard_report(found, title=title, files=inputs, remarks=remarks), quiet=quiet)
    if plots is not None:
        from stagg.report.charts.board_plots import board_plots

        write_figures(plots, board_plots(found, width=width), quiet=quiet)
    _show(found, shown, lines, quiet=quiet)


def _show(found: Board, shown: Shown, lines: int | None, *, quiet: bool) -> None:
    for warning in found.warnings if shown.format in ("json", "csv", "latex") else ():
        say("warning: ", warning)
    if shown.format == "json":
        click.echo(found.to_json(), nl=False)
        return
    most = lines or (LINES if shown.format == "table" else len(found))
    if shown.format == "table":
        _print_table(found.table, "", most)
        for title, table in found.beside:
            click.echo("")
            _print_table(table, title, min(most, FEW))
        return
    table = found.table
    if shown.format != "csv" and most < len(found):
        table = dataclasses.replace(table, view=table.view[:most], notes=(*table.notes, _count_rest(table, most)))
    write_table(table, shown, quiet=quiet)


def _print_table(table: Table, title: str, most: int) -> None:
    rows = table.view[:most]
    right = [name for name in rows[0] if name not in ("model", "judge")]
    rest = [_count_rest(table, most)] if most < len(table.view) else []
    told = [f"Warning: {warning}" for warning in table.warnings]
    note = "\n".join([*rest, *told, *table.notes, *table.legend])
    print_table(title, list(rows[0]), [list(row.values()) for row in rows], note=note, right=right)


def _count_rest(table: Table, most: int) -> str:
    return f"{plural(len(table.view) - most, 'more line')}: --lines {len(table.view)} shows all."


def _name_weights(text: str | None) -> dict[str, float] | None:
    weights = parse_weights(text)
    if isinstance(weights, list):
        raise InvalidParameter(f"--weights {text!r}: give the weights of tasks by name: Retrieval=2")
    return weights
