"""``stagg explore``: write a page with a slider for the weight of every ranker."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from stagg.aggregate import DEFAULT_METHOD
from stagg.cli.options.completion import complete_list
from stagg.cli.options.judging import find_labels, point_to_judging, qrels_option
from stagg.cli.options.planning import plan_options
from stagg.cli.options.reading import inputs, quiet_option, read_inputs, reading_options
from stagg.cli.options.reporting import check_report, name_source, write_report
from stagg.cli.options.titles import TitleFiles, titles_options
from stagg.cli.show.talk import busy, say
from stagg.data.strangers import warn_of_strangers
from stagg.formats import ReadOptions
from stagg.learning.base import Model
from stagg.methods import Method

__all__ = ["command"]

PAGE = "explorer.html"


@click.command("explore", short_help="Write a page on which you move the rankers' weights.")
@inputs
@qrels_option
@click.option(
    "--measures",
    default="ndcg@10",
    show_default=True,
    shell_complete=complete_list("measure"),
    help="With --qrels, the measures to choose from on the page: ndcg, p, recall, success, mrr, map (ndcg@10,p@5).",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="The HTML file to write.  [default: a file in a new temporary folder, whose path is printed]",
)
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
@titles_options
@plan_options
@reading_options
@quiet_option
@click.pass_context
def command(
    context: click.Context,
    inputs: Sequence[str],
    qrels: str | None,
    measures: str,
    output: str | None,
    opens: bool,
    titles: TitleFiles,
    method: Method,
    model: str | None,
    options: dict[str, Any],
    reading: tuple[str, ReadOptions],
    quiet: bool,
) -> None:
    """Write a page on which you move the weights of the rankers and see the fused ranking change.

    It is one HTML file that works without a network. Its methods are those that add up ranks or scores: rrf, borda, the
    St.Agg methods, stagg_trust, the Comb methods and others. With --qrels it shows ndcg@10 of every setting, or other
    --measures. It copies the `stagg fuse` command of the setting that you like. --method, --weights, --missing and
    --depth say where it starts; --model takes a model of the learners weights or trust.

    \b
    stagg explore bm25.trec dense.trec -o explorer.html --open
    stagg explore runs/*.trec --qrels qrels.txt -o explorer.html
    stagg explore runs/*.trec --model weights.json --qrels qrels.txt -o explorer.html
    """
    check_report(output, inputs, model, qrels)
    loaded = read_inputs(inputs, reading, quiet=quiet)
    warn_of_strangers(loaded.rankings)
    if qrels is None:
        point_to_judging(loaded, quiet=quiet)
    labels = None if qrels is None and loaded.labels is None else find_labels(loaded, qrels, reading[1], quiet=quiet)
    from stagg.report.pages.explorer import explored_of, explorer_page, list_by_rank

    learned = method if isinstance(method, Model) else None
    with busy("learning whom to trust", quiet=quiet):
        explored = explored_of(
            loaded.rankings,
            DEFAULT_METHOD if learned is not None else method.with_missing(options["missing"]),
            labels=labels,
            measures=measures,
            model=learned,
            weights=options["weights"],
            depth=options["depth"],
            source=name_source(context, inputs, reading, model, method),
        )
    for warning in explored.warnings:
        say("warning: ", warning)
    path = output or str(Path(tempfile.mkdtemp(prefix="stagg-")) / PAGE)
    shown = explored.rankings
    told = titles.find(list_by_rank(shown), shown.queries, reading[1], quiet=quiet)
    write_report(path, explorer_page(explored, titles=told), quiet=quiet, what="explorer")
    if output is None:
        click.echo(path)
    if opens:
        click.launch(Path(path).absolute().as_uri())
