"""``stagg reproduce``: recompute the paper's tables and figures on its own data."""

from __future__ import annotations

import functools
import os
import shlex
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from stagg.cli.options.reading import quiet_option
from stagg.cli.options.reporting import check_plots, plots_option, write_figures
from stagg.cli.show.table_output import show_grid
from stagg.cli.show.talk import progress_bar, say
from stagg.errors import DataError, InvalidParameter, printable, shown
from stagg.learning.grids import GRIDS

if TYPE_CHECKING:
    from stagg.paper import Finished, Reproduction, Setup

__all__ = ["command"]


@click.command("reproduce")
@click.option(
    "--data", required=True, type=click.Path(file_okay=False), metavar="DIR",
    help="Folder with MQ2007-agg/ and MQ2008-agg/, each with A1.txt to A5.txt.",
)  # fmt: skip
@click.option(
    "--out", required=True, type=click.Path(file_okay=False), metavar="DIR",
    help="Folder for the report (HTML and Markdown), every number (CSV and JSON) and the cache.",
)  # fmt: skip
@click.option(
    "--only", metavar="NAME[,NAME...]", help="Some of table1, figure1, figure2, figure3, figure4.  [default: all]"
)
@click.option("--quick", is_flag=True, help="Use every tenth query and three draws: a first look, not a result.")
@click.option("--grid", type=click.Choice(sorted(GRIDS)), help="Choose the settings of the learners from this grid.")
@click.option(
    "--values", type=click.Choice(["both", "rank", "score"]),
    help="rank: small numbers are the top; score: large numbers are.  [default: what each experiment needs]",
)  # fmt: skip
@click.option(
    "--threads", type=click.IntRange(min=1), default=os.cpu_count() or 1,
    help="Number of worker processes.  [default: the number of processors]",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--no-cache", is_flag=True, help="Compute everything again, and store that.")
@plots_option
@quiet_option
def command(
    data: str, out: str, only: str | None, quick: bool, grid: str | None, values: str | None, threads: int, seed: int,
    no_cache: bool, plots: str | None, quiet: bool,
) -> None:  # fmt: skip
    """Reproduce the table and the figures of the paper. These are Table 1 and Figures 1 to 4 of "Stochastic Rank
    Aggregation" (UAI 2013), on the paper's own data.

    The report shows the paper's figures beside ours and says of every claim whether it holds. For each row of Table 1
    it names the reading that meets the printed figures, or comes nearest. The figures need matplotlib: pip install
    "stagg[plots]". Table 1 does not.

    Results are stored in OUT/cache as they are computed. If you run the command again, it reuses them; if you
    interrupt it, the same command continues from there.

    \b
    stagg reproduce --data letor --out out --only table1
    stagg reproduce --data letor --out out
    """  # fmt: skip
    from stagg.paper import Setup
    from stagg.paper.output.folder import list_plots, write_reproduction
    from stagg.paper.output.reproduction_page import summarise_reproduction
    from stagg.paper.reproduction import choose_experiments

    names = None if only is None else [name.strip() for name in only.split(",") if name.strip()]
    if names == []:
        raise InvalidParameter("--only names no experiment")
    choose_experiments(names or [])
    check_plots(plots)
    directions = {None: None, "both": ("score", "rank")}.get(values, (str(values),))
    every, draws = (10, 3) if quick else (1, 20)
    setup = Setup(os.path.abspath(data), values=directions, every=every, draws=draws, seed=seed, grid=grid)
    folder = _make_folder(out, data)
    reproduction = _reproduce(setup, folder, names or [], threads, fresh=no_cache, quiet=quiet)
    report = write_reproduction(folder, reproduction, _join_command(click.get_current_context()))
    for block in (block for part in reproduction.parts for block in summarise_reproduction(part.result)):
        if isinstance(block, str):
            click.echo("\n".join(map(_wrap, block.split("\n"))))
        else:
            show_grid(block)
    if plots is not None:
        write_figures(plots, list_plots(reproduction), quiet=quiet)
    if not quiet:
        say(f"report written to {report}; its numbers are in the CSV files beside it")


def _make_folder(out: str, data: str) -> Path:
    if os.path.realpath(out) == os.path.realpath(data):
        raise InvalidParameter(f"--out {shown(out)} is the folder of the data; choose another")
    try:
        Path(out).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"cannot be created: {error.strerror}", file=shown(out)) from None
    return Path(out)


def _reproduce(setup: Setup, folder: Path, names: list[str], threads: int, *, fresh: bool, quiet: bool) -> Reproduction:
    """Do the work and show its progress; whatever stops it, what was computed is stored."""
    from stagg.paper import reproduce
    from stagg.paper.output.folder import write_tables

    def finish(part: Finished) -> None:
        write_tables(folder, part)
        if not quiet:
            new = f"{part.computed} of {len(part.jobs)} tasks computed, the others taken from the cache"
            say(f"{part.result.name}: {part.seconds:.0f} s, {new}")

    run = functools.partial(reproduce, setup, folder / "cache", only=names, threads=threads, fresh=fresh, done=finish)
    try:
        with progress_bar(quiet=quiet) as progress:
            return run(progress=progress)
    except KeyboardInterrupt:
        say(f"what was computed is stored in {folder / 'cache'}; the same command continues from there")
        raise


def _join_command(given: click.Context) -> str:
    """Return the command as a shell would take it: every option that was given."""
    words = ["stagg", "reproduce"]
    for option in given.command.params:
        value = given.params.get(option.name or "")
        if given.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE:
            words += [option.opts[0]] if value is True else [option.opts[0], str(value)]
    return shlex.join(words)


def _wrap(text: str) -> str:
    return textwrap.fill(printable(text, longest=10_000), 110, subsequent_indent="    ")
