"""``stagg fuse``: fuse many runs into one."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from stagg.aggregate import prepare
from stagg.aggregate.plan import Progress
from stagg.cli.options.output import excel_safe_option, guard_formulas
from stagg.cli.options.planning import plan_options, threshold_options
from stagg.cli.options.reading import inputs, quiet_option, refuse_own_input
from stagg.cli.options.reporting import (
    PlotWidth,
    check_plots,
    check_report,
    name_source,
    plot_width_option,
    plots_option,
    report_option,
    write_figures,
    write_report,
)
from stagg.cli.options.titles import TitleFiles, titles_options
from stagg.cli.show.consensus_view import choose_view, list_seen, print_consensus
from stagg.cli.show.fuse_messages import FuseMessages
from stagg.cli.show.table_output import fused_reading_options
from stagg.engines.base import InputFiles, Outcome, Output
from stagg.engines.memory import MemoryEngine
from stagg.errors import InvalidParameter
from stagg.formats import ReadOptions
from stagg.formats.write import pick_fused_format
from stagg.methods import Method

if TYPE_CHECKING:
    from stagg.formats.documents.texts import Titles
    from stagg.report import Fusion, PageSource

__all__ = ["command"]


@click.command("fuse")
@inputs
@click.option(
    "--output",
    "-o",
    type=click.Path(),
    help="File to write. Its ending picks the format: .trec .csv .json .parquet, + .gz.  [default: a table on a "
    "terminal, TREC in a pipe]",
)
@click.option(
    "--query",
    "queries",
    multiple=True,
    metavar="Q",
    help="Fuse only this query. You can give it several times.",
)
@excel_safe_option
@plan_options
@click.option("--top", type=click.IntRange(min=1), metavar="K", help="Keep only the first K items of every query.")
@threshold_options
@click.option(
    "--intervals",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    help="Show how sure each rank is: resample the rankers and add the range of ranks that holds in this share of the "
    "draws (such as 0.9), how often the item is among the first --top (else 10), and groups of neighbours that "
    "are not told apart. For a table, CSV, JSON or Parquet.",
)
@click.option(
    "--draws",
    type=click.IntRange(min=1),
    help="How often the rankers are resampled for --intervals.  [default: 1000; 100 if the method must be run again "
    "each time]",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the draws for --intervals."
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many threads read and fuse at the same time. The result is the same.  [default: all cores]",
)
@click.option(
    "--engine",
    type=click.Choice(["memory", "spark"]),
    default="memory",
    show_default=True,
    help="Run in this process, or on Apache Spark (extra `spark`), which writes a folder of parts.",
)
@click.option(
    "--master",
    metavar="URL",
    help="Master of Spark: local[4], spark://host:7077, yarn.  [default: as Spark is configured, else this machine]",
)
@titles_options
@report_option
@plots_option
@plot_width_option
@fused_reading_options
@quiet_option
@click.pass_context
def command(
    context: click.Context,
    inputs: Sequence[str],
    output: str | None,
    queries: Sequence[str],
    excel_safe: bool,
    method: Method,
    model: str | None,
    options: dict[str, Any],
    thresholds: dict[str, Any],
    top: int | None,
    intervals: float | None,
    draws: int | None,
    seed: int,
    threads: int | None,
    engine: str,
    master: str | None,
    titles: TitleFiles,
    report: str | None,
    plots: str | None,
    width: PlotWidth,
    shown: str | None,
    reading: tuple[str, ReadOptions],
    quiet: bool,
) -> None:
    """Fuse rankings into one consensus ranking per query.

    Each TREC file is one ranker, named after the file. LETOR and PrefLib files, and tables with a ranker column, name
    their rankers themselves; several such files are parts of one whole. An INPUT can also be a folder, a pattern in
    quotes, or `-` for standard input. `stagg inspect` shows how a file is understood.

    On a terminal the result is a table to read. In a pipe it is a TREC run (CSV with --intervals). With -o it goes to a
    file.

    \b
    stagg fuse bm25.trec dense.trec --query q1 --top 5
    stagg fuse bm25.trec dense.trec -o fused.trec
    stagg fuse runs/*.trec --method "rrf(c=20)" --weights bm25=2 --top 100 -o top100.trec
    stagg fuse votes.soc --method borda -o consensus.csv
    stagg fuse runs/*.trec --method stagg_rrf --intervals 0.9 -o sure.csv --report sure.html
    stagg fuse runs/*.trec --engine spark --master 'local[4]' -o fused.parquet
    """
    plan = prepare(method, **options, **thresholds, top=top, intervals=intervals, draws=draws, seed=seed)
    view = choose_view(shown, output)
    name = None if view is not None else shown
    kind = pick_fused_format(output, intervals=intervals is not None, name=name)  # a wrong one is said before the work
    kind = guard_formulas(kind) if excel_safe else kind
    if output is not None:
        refuse_own_input(output, inputs, model)
    if master is not None and engine != "spark":
        raise InvalidParameter("--master goes with --engine spark")
    messages, target = FuseMessages(quiet, groups=view is None), Output(output, kind)
    files = InputFiles(inputs, *reading, queries=queries)
    if engine == "spark":
        unfit = {"threads": threads, "memory": reading[1].memory, "report": report, "plots": plots}
        unfit |= titles.settings
        _refuse_unfit(unfit | {"query": queries or None, "excel_safe": excel_safe or None}, output)
        from stagg.engines.spark import SparkEngine

        messages.has_written(SparkEngine(master).run(plan, files, target, messages), plan, output)
        return
    if output is not None and os.path.isdir(output):
        raise InvalidParameter(f"{output} is a folder; name a file")
    check_report(report, inputs, model, output=output)
    check_plots(plots, width)
    memory_engine = MemoryEngine(threads)
    if titles and view is None and report is None:
        raise InvalidParameter("--texts and --query-texts are for tables and reports: say --format table, or --report")
    if view is None and report is None and plots is None:
        messages.has_written(memory_engine.run(plan, files, target, messages), plan, output)
        return
    outcome = memory_engine.fuse(plan, files, messages, target if view is None else None)
    digested = None
    if report is not None or plots is not None:
        with messages.progress() as progress:
            digested = _digest(outcome, name_source(context, inputs, reading, model, method), progress)
    messages.has_fused(outcome)
    if view is None:
        target.write(outcome.fused)
    else:
        seen = list_seen(outcome.kept, view)
        print_consensus(outcome.kept, view, titles.find(*seen, reading[1], quiet=quiet))
    messages.has_written(outcome, plan, output)
    if digested is not None:
        from stagg.report.pages.fusion import list_shown

        told = titles.find(*list_shown(digested), reading[1], quiet=quiet)
        _show(digested, report, plots, told, width=width, quiet=quiet)


UNFIT = {
    "threads": "--threads is for one process; Spark has its own: --master 'local[N]'",
    "memory": "--memory is for one process; Spark has its own: spark.executor.memory and spark.executor.memoryOverhead",
    "report": "--report needs all of the rankings in one place: fuse a part of them without --engine spark",
    **dict.fromkeys(("texts", "query_texts"), "titles are for tables and reports: fuse without --engine spark"),
    "plots": "--plots need all of the rankings in one place: fuse a part of them without --engine spark",
    "query": "--query picks queries in one process: fuse them without --engine spark",
    "excel_safe": "--excel-safe is for CSV, which Spark does not write",
}
"""Options that one process alone honours."""


def _refuse_unfit(given: Mapping[str, object], output: str | None) -> None:
    """Refuse what Spark cannot do, in the order of the options."""
    for name, value in given.items():
        if value is not None:
            raise InvalidParameter(UNFIT[name])
    if output is None:
        raise InvalidParameter("--engine spark writes a folder of parts: name it, -o OUT.parquet or -o OUT.trec")


def _digest(outcome: Outcome, source: PageSource, progress: Progress) -> Fusion:
    from stagg.report import digest

    return digest(outcome.kept, source=source, progress=progress)


def _show(
    shown: Fusion, report: str | None, plots: str | None, titles: Titles, *, width: PlotWidth, quiet: bool
) -> None:
    """The report and the plots of one fusion, as asked for."""
    if report is not None:
        from stagg.report import fusion_page

        write_report(report, fusion_page(shown, titles=titles), quiet=quiet)
    if plots is not None:
        from stagg.report.charts.plots import fusion_plots

        write_figures(plots, fusion_plots(shown, width=width), quiet=quiet)
