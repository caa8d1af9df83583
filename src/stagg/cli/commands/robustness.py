"""``stagg robustness``: repeat a comparison with fewer rankers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from stagg.cli.options.judging import conventions_option, find_labels, measures_option, name_files, qrels_option
from stagg.cli.options.planning import contest_options
from stagg.cli.options.reading import inputs, quiet_option, read_inputs
from stagg.cli.options.reporting import (
    PlotWidth,
    check_plots,
    check_report,
    plot_width_option,
    plots_option,
    report_option,
    show_comparison,
)
from stagg.cli.show.table_output import Shown, judged_reading_options, write_table
from stagg.cli.show.talk import progress_bar
from stagg.errors import InvalidParameter
from stagg.evaluation.robustness import robustness
from stagg.formats import ReadOptions
from stagg.measures import Conventions
from stagg.methods import Method

__all__ = ["command"]


@click.command("robustness")
@inputs
@qrels_option
@contest_options
@click.option("--rankers", required=True, metavar="N[,N...]", help="How many rankers to draw: 5,10,15,20.")
@click.option("--draws", type=click.IntRange(min=1), default=20, show_default=True, help="Draws of each size.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the draws.")
@measures_option
@conventions_option
@report_option
@plots_option
@plot_width_option
@judged_reading_options
@quiet_option
def command(
    inputs: Sequence[str],
    qrels: str | None,
    methods: dict[str, Method],
    models: Sequence[str],
    options: dict[str, Any],
    rankers: str,
    draws: int,
    seed: int,
    measures: str,
    conventions: Conventions,
    report: str | None,
    plots: str | None,
    width: PlotWidth,
    shown: Shown,
    reading: tuple[str, ReadOptions],
    quiet: bool,
) -> None:
    """Compare methods on random subsets of the rankers. This is Figure 4 of the paper.

    All methods see the same subsets. The table shows the mean over the draws, its standard deviation, the lowest and
    the highest value.

    \b
    stagg robustness A?.txt --methods "borda;rrf" --rankers 5,10,15,20 --draws 20 --seed 1 --report robust.html
    """
    check_report(report, inputs, qrels, *models)
    check_plots(plots, width)
    sizes = _sizes(rankers)
    loaded = read_inputs(inputs, reading, quiet=quiet)
    labels = find_labels(loaded, qrels, reading[1], quiet=quiet)
    with progress_bar(quiet=quiet) as progress:
        table = robustness(
            loaded.rankings,
            labels,
            methods,
            rankers=sizes,
            draws=draws,
            measures=measures,
            conventions=conventions,
            **options,
            seed=seed,
            progress=progress,
        )
    table = table.add_settings(**name_files(inputs, qrels, reading))
    show_comparison(table, report, plots, width=width, quiet=quiet)
    write_table(table, shown, quiet=quiet)


def _sizes(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise InvalidParameter(f"--rankers {text!r}: expected numbers with commas between, such as 5,10,15") from None
