"""``stagg evaluate``: measure runs against labels."""

from __future__ import annotations

from collections.abc import Sequence

import click

from stagg.cli.options.judging import (
    conventions_option,
    find_labels,
    measures_option,
    name_files,
    qrels_option,
    single_precision_of,
)
from stagg.cli.options.reading import quiet_option, read_inputs
from stagg.cli.show.table_output import Shown, judged_reading_options, write_table
from stagg.evaluation.evaluate import evaluate
from stagg.formats import ReadOptions
from stagg.measures import Conventions

__all__ = ["command"]


@click.command("evaluate")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@qrels_option
@measures_option
@conventions_option
@click.option("--per-query", is_flag=True, help="Add a row for every query.")
@click.option("--only-common", is_flag=True, help="Leave out queries that a run lacks, instead of counting them 0.")
@judged_reading_options
@quiet_option
def command(
    runs: Sequence[str],
    qrels: str | None,
    measures: str,
    conventions: Conventions,
    per_query: bool,
    only_common: bool,
    shown: Shown,
    reading: tuple[str, ReadOptions],
    quiet: bool,
) -> None:
    """Evaluate runs against labels. The labels are in a qrels file, or in the LETOR files themselves.

    Scores that are equal as float32 are ties. Ties are broken by item id, as trec_eval does.

    `stagg compare --inputs` tests whether the differences between runs are significant.

    \b
    stagg evaluate fused.trec bm25.trec --qrels qrels.txt --measures "ndcg@10,map,rbp(p=0.95)"
    stagg evaluate fused.trec --qrels qrels.txt --per-query --format csv
    """
    loaded = read_inputs(runs, reading, quiet=quiet)
    labels = find_labels(loaded, qrels, reading[1], quiet=quiet)
    found = evaluate(
        loaded.rankings,
        labels,
        measures,
        conventions=conventions,
        per_query=per_query,
        only_common=only_common,
        single_precision=single_precision_of(reading[1]),
    )
    write_table(found.add_settings(**name_files(runs, qrels, reading)), shown, quiet=quiet)
