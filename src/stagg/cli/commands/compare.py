"""``stagg compare``: compare methods and learners by means, intervals and paired tests."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import click

from stagg.cli.options.completion import complete_list, complete_name
from stagg.cli.options.judging import (
    conventions_option,
    find_labels,
    measures_option,
    name_files,
    proxy_option,
    qrels_option,
    read_proxy,
    single_precision_of,
    unjudged_option,
)
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
from stagg.cli.options.titles import find_texts, query_texts_option
from stagg.cli.show.table_output import Shown, judged_reading_options, say_warnings, show_compared, write_table
from stagg.cli.show.talk import progress_bar
from stagg.data.strangers import warn_of_strangers
from stagg.errors import InvalidParameter
from stagg.evaluation.compare import compare
from stagg.formats import Loaded, ReadOptions
from stagg.formats.numbers import parse_whole
from stagg.formats.storage.paths import expand_paths
from stagg.learning.grids import GRIDS
from stagg.measures import Conventions
from stagg.measures.unjudged import Unjudged
from stagg.methods import Method

__all__ = ["command"]

LETOR_PARTS = 5


def _move(ctx: click.Context, option: click.Parameter, given: str | None) -> None:
    if given is not None:
        raise click.UsageError(f"--rankers is a command of its own now: stagg robustness INPUT... --rankers {given}")


@click.command("compare")
@inputs
@qrels_option
@contest_options
@click.option(
    "--learners",
    default="",
    shell_complete=complete_list("learner"),
    help="Learners, separated by commas or semicolons: \"best_input;stagg_ndcg(features='ranks', sigma=[1.0,0.25])\". "
    "From a list of values, the one that is best on the validation part of each fold is taken. Learners use the first "
    "measure, unless they name one.",
)
@click.option(
    "--grid", type=click.Choice(sorted(GRIDS)), help="A named list of settings that learners are chosen from."
)
@click.option(
    "--tune",
    default="",
    shell_complete=complete_list("method"),
    help='Methods with lists of values, separated by commas or semicolons: "rrf(c=[10,20,40])". In each fold the value '
    "is taken that is best by the first measure on all queries but those of the test part. Needs --folds.",
)
@click.option(
    "--inputs",
    "as_rows",
    is_flag=True,
    help="Add a row for every input as it is, not fused. Without --methods this compares the files themselves.",
)
@measures_option
@conventions_option
@unjudged_option
@proxy_option
@click.option(
    "--baseline",
    multiple=True,
    shell_complete=complete_name("method"),
    help="The row that the others are tested against; give it several times for several baselines. best: the best "
    "input by the first measure, chosen by folds where there are folds.  [default: the first method]",
)
@click.option(
    "--letters",
    is_flag=True,
    help="Also compare all pairs: rows that share a letter are not significantly different (randomised Tukey HSD).",
)
@click.option(
    "--folds",
    metavar="letor|K",
    help="letor: the five inputs are parts 1 to 5, as in LETOR. K: split the queries into K parts by a hash of "
    "--seed and their ids. Each fold tests on one part; learners train on all other parts but one and validate on "
    "that one.",
)
@click.option(
    "--notes", is_flag=True, help="Also show the settings, all notes and all tests, as the other formats always do."
)
@click.option("--per-fold", is_flag=True, help="Also print the means of each fold.")
@click.option("--only-common", is_flag=True, help="Leave out queries that the input lacks, instead of counting them 0.")
@click.option("--rankers", hidden=True, expose_value=False, callback=_move)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Seed of the bootstrap intervals and of the randomisation test. With --folds K it also decides which queries "
    "are in which part.",
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    help="How many methods run at once. The result is the same.  [default: the number of processors]",
)
@query_texts_option
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
    learners: str,
    grid: str | None,
    tune: str,
    as_rows: bool,
    measures: str,
    conventions: Conventions,
    unjudged: Unjudged,
    proxy: str | None,
    baseline: tuple[str, ...],
    letters: bool,
    folds: str | None,
    notes: bool,
    per_fold: bool,
    only_common: bool,
    seed: int,
    threads: int,
    query_texts: str | None,
    report: str | None,
    plots: str | None,
    width: PlotWidth,
    shown: Shown,
    reading: tuple[str, ReadOptions],
    quiet: bool,
) -> None:
    """Compare methods and learners on one input. You get means with intervals, paired tests, wins and losses.

    ▲ and ▼ mark significant differences from the baseline (randomisation test, Holm's correction, p < 0.05). With
    --folds, whatever is tuned or learned is reported on the test part of each fold, which it did not see. Without
    --folds, a learner is tested on the queries it was trained on: its figures are marked † and not comparable.

    judged@10 is the share of judged items among the first 10. A difference that unjudged items could explain is not
    marked, and a warning says so.

    \b
    stagg compare *.trec --qrels qrels.txt --methods "rrf(c=60), borda, stagg_rrf" --measures "ndcg@10"
    stagg compare *.trec --qrels qrels.txt --methods "Ours: stagg_rrf; RRF: rrf" --inputs --format latex
    stagg compare A?.txt --folds letor --methods borda --tune "rrf(c=[10,20,40])" --conventions letor4
    stagg compare *.trec --qrels qrels.txt --methods rrf --model weights.json --weights bm25=2 --depth 100
    """
    if query_texts is not None and report is None:
        raise InvalidParameter("--query-texts is shown in the --report")
    if per_fold and (folds is None or shown.format == "json"):
        raise InvalidParameter("--per-fold needs --folds, and a format that can hold two tables (not json)")
    check_report(report, inputs, qrels, *models)
    check_plots(plots, width)
    to_fuse = bool(methods or learners or tune)
    loaded = read_inputs(inputs, reading, quiet=quiet, to_fuse=to_fuse)
    if to_fuse:
        warn_of_strangers(loaded.rankings)
    proxy_labels = read_proxy(proxy, loaded, qrels, reading[1], quiet=quiet)
    labels = find_labels(loaded, qrels, reading[1], quiet=quiet)
    with progress_bar(quiet=quiet) as progress:
        found = compare(
            loaded.rankings,
            labels,
            methods,
            learners=learners,
            tune=tune,
            inputs=as_rows,
            grid=grid,
            measures=measures,
            conventions=conventions,
            unjudged=unjudged,
            proxy=proxy_labels,
            **options,
            baseline=baseline or None,
            folds=_folds(folds, inputs, loaded),
            only_common=only_common,
            single_precision=single_precision_of(reading[1]),
            seed=seed,
            threads=threads,
            progress=progress,
        )
    parts = _name_parts(inputs) if folds == "letor" else {}
    found = found.add_settings(**name_files(inputs, qrels, reading, proxy=proxy, **parts))
    found = found.add_letters() if letters else found
    texts = find_texts(query_texts, found.queries, reading[1], of="queries", quiet=quiet)
    show_comparison(found, report, plots, width=width, quiet=quiet, query_texts=texts)
    say_warnings(found.warnings, found.table, shown, quiet=quiet)
    if shown.format == "table":
        show_compared(found, notes=notes)
    else:
        write_table(found.table, shown, details=found.details, quiet=quiet)
    if shown.format not in ("json", "csv"):  # which have all in one
        for part, table in found.further.items():
            write_table(table, shown, part=f"-{part}", quiet=True)
    if per_fold:
        write_table(found.by_fold, shown, part="-by-fold", quiet=True)


def _name_parts(inputs: Sequence[str]) -> dict[str, Any]:
    """Which file is which part of LETOR's folds."""
    files = [str(place.path) for place in expand_paths(inputs)]
    return {"folds": "letor", "parts": {str(number): file for number, file in enumerate(files, start=1)}}


def _folds(text: str | None, inputs: Sequence[str], loaded: Loaded) -> int | list[list[str]] | None:
    """A number of parts, or the queries of each of the five LETOR files."""
    if text is None:
        return None
    if text != "letor":
        number = parse_whole(text)
        if number is None:
            raise InvalidParameter(f"--folds is letor or a number of parts, not {text!r}")
        return number
    if len(loaded.parts) != LETOR_PARTS:
        given = len(expand_paths(inputs))
        raise InvalidParameter(
            f"--folds letor needs five LETOR files, parts 1 to 5 in this order; {given} input{'s' * (given != 1)} "
            f"{'was' if given == 1 else 'were'} given. --folds K splits the queries of any input into K parts"
        )
    return [list(part) for part in loaded.parts]
