"""``stagg reproduce``: the paper's tables and figures on its data, and one file to look at."""

from __future__ import annotations

import os
import shlex
import textwrap
from collections.abc import Sequence
from pathlib import Path

import click
from click.core import ParameterSource

from stagg.cli.reading import quiet_option
from stagg.cli.reporting import check_plots, plots_option, write_figures
from stagg.cli.tables import show_grid
from stagg.cli.talk import printable, progress_bar, say
from stagg.errors import DataError, InvalidParameter, UnknownName, shown
from stagg.learning.grids import GRIDS
from stagg.paper import EXPERIMENTS, Part, Reproduction, Setup, reproduce
from stagg.registry import near_names

__all__ = ["command"]

QUICK_EVERY, QUICK_DRAWS = 10, 3


@click.command("reproduce")
@click.option(
    "--data", required=True, type=click.Path(file_okay=False), metavar="DIR",
    help="Holds MQ2007-agg/ and MQ2008-agg/, each with A1.txt to A5.txt.",
)  # fmt: skip
@click.option(
    "--out", required=True, type=click.Path(file_okay=False), metavar="DIR",
    help="Gets report.html, report.md, every number as CSV and JSON, and the cache.",
)  # fmt: skip
@click.option("--only", metavar="NAME[,NAME...]", help=f"Some of {', '.join(EXPERIMENTS)}.  [default: all]")
@click.option("--quick", is_flag=True, help="Every tenth query and three draws: a look, not a result.")
@click.option("--grid", type=click.Choice(sorted(GRIDS)), help="Settings that learners are chosen from.")
@click.option(
    "--values",
    type=click.Choice(["both", "rank", "score"]),
    help="rank = small is top, score = large is top.  [default: what each experiment needs]",
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    help="Worker processes.  [default: the number of processors]",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--no-cache", is_flag=True, help="Compute all of it anew, and keep that.")
@plots_option
@quiet_option
def command(
    data: str,
    out: str,
    only: str | None,
    quick: bool,
    grid: str | None,
    values: str | None,
    threads: int,
    seed: int,
    no_cache: bool,
    plots: str | None,
    quiet: bool,
) -> None:
    """Reproduce the tables and figures of "Stochastic Rank Aggregation" (UAI 2013): the paper's figures beside ours.

    What is computed is kept in OUT/cache, by the content of the files and all parameters: a second run is fast, and one
    that was broken off goes on where it was.

    \b
    stagg reproduce --data letor --out out --only table1 --quick
    stagg reproduce --data letor --out out
    """
    chosen = _chosen(only)
    check_plots(plots)
    directions = {None: None, "both": ("score", "rank")}.get(values, (str(values),))
    setup = Setup(
        os.path.abspath(data),
        values=directions,
        every=QUICK_EVERY if quick else 1,
        draws=QUICK_DRAWS if quick else 20,
        seed=seed,
        grid=grid,
    )
    folder = _folder(out, data)
    found = _reproduced(setup, folder, chosen, threads, fresh=no_cache, quiet=quiet)
    from stagg.paper.files import write_reproduction

    report = write_reproduction(folder, found, _command_line(click.get_current_context()))
    for part in found.parts:
        _print(part)
    if plots is not None:
        from stagg.paper.figures import reproduction_plots

        write_figures(plots, reproduction_plots(found), quiet=quiet)
    if not quiet:
        say(f"report written to {report}; its numbers are the CSV files beside it")


def _chosen(only: str | None) -> list[str]:
    """The names of the experiments, each of which there is."""
    if only is None:
        return list(EXPERIMENTS)
    names = [name.strip() for name in only.split(",") if name.strip()]
    for name in names:
        if name not in EXPERIMENTS:
            raise UnknownName(f"--only: there is no experiment {shown(name)}{near_names(name, EXPERIMENTS)}")
    if not names:
        raise InvalidParameter(f"--only names no experiment; there are {', '.join(EXPERIMENTS)}")
    return names


def _folder(out: str, data: str) -> Path:
    if os.path.realpath(out) == os.path.realpath(data):
        raise InvalidParameter(f"--out {shown(out)} is the folder of the data; name another")
    try:
        Path(out).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"cannot be made: {error.strerror}", file=shown(out)) from None
    return Path(out)


def _reproduced(
    setup: Setup, folder: Path, names: Sequence[str], threads: int, *, fresh: bool, quiet: bool
) -> Reproduction:
    """The work, with its progress; whatever stops it, what was computed is kept."""
    from stagg.paper.files import write_part

    def done(part: Part) -> None:
        write_part(folder, part)
        if not quiet:
            new = f"{part.computed} of {len(part.tasks)} tasks computed, the others kept from before"
            say(f"{part.result.name}: {part.seconds:.0f} s, {new}")

    try:
        with progress_bar(quiet=quiet) as progress:
            return reproduce(
                setup, folder / "cache", only=names, threads=threads, fresh=fresh, progress=progress, done=done
            )
    except KeyboardInterrupt:
        say(f"what was computed is kept in {folder / 'cache'}; the same command goes on from there")
        raise


def _command_line(given: click.Context) -> str:
    """The command as a shell would take it: every option that was given."""
    words = ["stagg", "reproduce"]
    for option in given.command.params:
        value = given.params.get(option.name or "")
        if given.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE:
            words += [option.opts[0]] if value is True else [option.opts[0], str(value)]
    return shlex.join(words)


def _print(part: Part) -> None:
    """The claims and the short tables on stdout."""
    from stagg.paper.layouts import grids

    click.echo(f"{part.result.title}\n")
    for claim in part.result.claims:
        click.echo(_wrapped(f"The paper: {claim.paper} {claim.verdict}{'.' * bool(claim.verdict)}", "  "))
        for here in claim.here:
            click.echo(_wrapped(f"  here, {here}", "    "))
    for reason in part.result.why:
        click.echo(_wrapped(f"Why: {reason}", "  "))
    for caption, grid in grids(part.result, short=True):
        click.echo(f"\n{caption}")
        show_grid(grid)
    for note in dict.fromkeys(note for table in part.result.tables.values() for note in table.notes):
        click.echo(_wrapped(note, "  "))
    click.echo()


def _wrapped(text: str, indent: str) -> str:
    return textwrap.fill(printable(text, longest=10_000), 110, subsequent_indent=indent)
