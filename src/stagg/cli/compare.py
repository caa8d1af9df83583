"""``stagg compare``: methods and learners against each other, honestly."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import click

from stagg.cli.judging import conventions_option, labels_of, measures_option, qrels_option
from stagg.cli.reading import inputs, quiet_option, read_inputs
from stagg.cli.reporting import (
    check_plots,
    check_report,
    plots_option,
    report_option,
    write_figures,
    write_report,
)
from stagg.cli.tables import judged_reading_options, write_table
from stagg.cli.talk import progress_bar
from stagg.errors import InvalidParameter
from stagg.evaluation.compare import compare
from stagg.evaluation.robustness import robustness
from stagg.formats import Loaded, ReadOptions
from stagg.learning.grids import GRIDS
from stagg.methods import MISSING
from stagg.registry import split_list

__all__ = ["command"]

LETOR_PARTS = 5


@click.command("compare")
@inputs
@qrels_option
@click.option("--methods", "-m", default="", help='Methods, with semicolons between: "borda;rrf(c=60)".')
@click.option(
    "--learners",
    default="",
    help="Learners, with semicolons between: \"best_input;stagg_ndcg(features='ranks', sigma=[1.0,0.25])\"; "
    "of listed values the best on the validation part of each fold is taken.",
)
@click.option("--grid", type=click.Choice(sorted(GRIDS)), help="Settings by name that learners are chosen from.")
@click.option(
    "--tune",
    default="",
    help='Families with lists of values, with semicolons between: "rrf(c=[10,20,40])"; '
    "chosen on the validation part of each fold by the first measure. Needs --folds.",
)
@measures_option
@conventions_option
@click.option("--baseline", help="What the others are tested against.  [default: the first method]")
@click.option(
    "--folds",
    metavar="letor|K",
    help="letor: five inputs are parts 1..5, as LETOR has them; or K parts by "
    "hash of the query ids. Fold f trains on all but two parts, validates and tests on one each.",
)
@click.option("--per-fold", is_flag=True, help="Print the means of each fold, too.")
@click.option("--missing", type=click.Choice(MISSING), help="What absence from a list means.")
@click.option("--only-common", is_flag=True, help="Leave out queries that the input lacks, instead of counting them 0.")
@click.option("--rankers", metavar="N[,N...]", help="Robustness: compare on random subsets of so many rankers.")
@click.option("--draws", type=click.IntRange(min=1), default=20, show_default=True, help="Subsets per size.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    help="Methods compared at once.  [default: the number of processors]",
)
@report_option
@plots_option
@judged_reading_options
@quiet_option
def command(
    inputs: Sequence[str],
    qrels: str | None,
    methods: str,
    learners: str,
    grid: str | None,
    tune: str,
    measures: str,
    conventions: str,
    baseline: str | None,
    folds: str | None,
    per_fold: bool,
    missing: str | None,
    only_common: bool,
    rankers: str | None,
    draws: int,
    seed: int,
    threads: int,
    report: str | None,
    plots: str | None,
    shown: str,
    reading: tuple[str, ReadOptions],
    quiet: bool,
) -> None:
    """Compare methods and learners on one input: means with intervals, paired tests, wins and losses.

    ▲ and ▼ mark what differs from the baseline (randomisation test, Holm's correction, p < 0.05). What is tuned or
    learned is chosen on the validation part of each fold and reported on its test part.

    \b
    stagg compare *.trec --qrels qrels.txt --methods "rrf(c=60);borda;stagg_rrf" --measures "ndcg@10"
    stagg compare A?.txt --folds letor --methods borda --tune "rrf(c=[10,20,40])" --conventions letor4
    stagg compare A?.txt --methods "borda;rrf" --rankers 5,10,15,20 --draws 20 --seed 1 --report robust.html
    """
    if per_fold and (folds is None or shown == "json"):
        raise InvalidParameter("--per-fold needs --folds, and a format that can hold two tables (not json)")
    check_report(report, inputs, qrels)
    check_plots(plots)
    if rankers is not None:
        _refuse_with_rankers(
            learners=learners, tune=tune, folds=folds, baseline=baseline, only_common=only_common, grid=grid
        )
    listed = split_list(methods, "method", ";")
    loaded = read_inputs(inputs, reading, quiet=quiet)
    labels = labels_of(loaded, qrels, reading[1], quiet=quiet)
    options: dict[str, Any] = {"measures": measures, "conventions": conventions, "missing": missing, "seed": seed}
    with progress_bar(quiet=quiet) as progress:
        if rankers is not None:
            sizes = _sizes(rankers)
            drawn = robustness(
                loaded.rankings, labels, listed, rankers=sizes, draws=draws, progress=progress, **options
            )
        else:
            found = compare(
                loaded.rankings,
                labels,
                listed,
                learners=split_list(learners, "learner", ";"),
                tune=split_list(tune, "method", ";"),
                grid=grid,
                baseline=baseline,
                folds=_folds(folds, loaded),
                only_common=only_common,
                threads=threads,
                progress=progress,
                **options,
            )
    if report is not None:
        from stagg.report import comparison_report

        write_report(report, comparison_report(drawn if rankers is not None else found), quiet=quiet)
    if plots is not None:
        from stagg.report.plots import comparison_plots

        write_figures(plots, comparison_plots(drawn if rankers is not None else found), quiet=quiet)
    if rankers is not None:
        write_table(drawn, shown, quiet=quiet)
    else:
        write_table(found.table, shown, details=found.details, quiet=quiet)
        if per_fold:
            write_table(found.by_fold, shown, quiet=True)


def _refuse_with_rankers(**given: Any) -> None:
    for name, value in given.items():
        if value:
            option = f"--{name.replace('_', '-')}"
            raise InvalidParameter(f"--rankers compares methods on subsets of rankers; {option} has no place there")


def _sizes(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise InvalidParameter(f"--rankers {text!r}: expected numbers with commas between, such as 5,10,15") from None


def _folds(text: str | None, loaded: Loaded) -> int | list[list[str]] | None:
    """A number of parts, or the queries of each of the five LETOR files."""
    if text is None:
        return None
    if text != "letor":
        if not text.isdecimal():
            raise InvalidParameter(f"--folds is letor or a number of parts, not {text!r}")
        return int(text)
    if len(loaded.parts) != LETOR_PARTS:
        raise InvalidParameter("--folds letor needs the five parts as inputs, in order")
    return [list(part) for part in loaded.parts]
