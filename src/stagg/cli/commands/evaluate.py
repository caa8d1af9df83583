"""``stagg evaluate``: measure runs against labels."""

from __future__ import annotations

from collections.abc import Sequence

import click

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
from stagg.cli.options.reading import quiet_option, read_inputs
from stagg.cli.options.titles import find_texts, query_texts_option
from stagg.cli.show.table_output import Shown, judged_reading_options, say_warnings, write_table
from stagg.errors import InvalidParameter
from stagg.evaluation.evaluate import evaluate
from stagg.formats import ReadOptions
from stagg.measures import Conventions
from stagg.measures.unjudged import Unjudged

__all__ = ["command"]


@click.command("evaluate")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@qrels_option
@measures_option
@conventions_option
@unjudged_option
@proxy_option
@click.option("--per-query", is_flag=True, help="Add a row for every query.")
@query_texts_option
@click.option("--only-common", is_flag=True, help="Leave out queries that a run lacks, instead of counting them 0.")
@judged_reading_options
@quiet_option
def command(
    runs: Sequence[str],
    qrels: str | None,
    measures: str,
    conventions: Conventions,
    unjudged: Unjudged,
    proxy: str | None,
    per_query: bool,
    query_texts: str | None,
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
    proxy_labels = read_proxy(proxy, loaded, qrels, reading[1], quiet=quiet)
    labels = find_labels(loaded, qrels, reading[1], quiet=quiet)
    if query_texts is not None and not per_query:
        raise InvalidParameter("--query-texts is shown with --per-query")
    found = evaluate(
        loaded.rankings,
        labels,
        measures,
        conventions=conventions,
        unjudged=unjudged,
        proxy=proxy_labels,
        per_query=per_query,
        only_common=only_common,
        single_precision=single_precision_of(reading[1]),
        query_texts=find_texts(query_texts, labels, reading[1], of="queries", quiet=quiet),
    )
    say_warnings(found.warnings, found, shown, quiet=quiet)
    write_table(found.add_settings(**name_files(runs, qrels, reading, proxy=proxy)), shown, quiet=quiet)
