"""``stagg fuse``: fuse many runs into one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from stagg.aggregate import PlanResult, prepare
from stagg.aggregate.plan import Progress
from stagg.cli.fuse_in_parts import (
    fuse_in_parts,
    refuse_unfit,
    say_alone,
    say_nothing_left,
    say_written,
    write_fused,
)
from stagg.cli.options.output import excel_safe_option, guard_formulas
from stagg.cli.options.planning import plan_options, threshold_options
from stagg.cli.options.reading import (
    inputs,
    load_inputs,
    open_inputs,
    quiet_option,
    refuse_own_input,
)
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
from stagg.cli.show.consensus_view import choose_view, print_consensus
from stagg.cli.show.table_output import fused_reading_options
from stagg.cli.show.talk import progress_bar, say
from stagg.data.strangers import warn_of_strangers
from stagg.errors import InvalidParameter, plural
from stagg.formats import ReadOptions
from stagg.formats.write import pick_fused_format
from stagg.methods import Method
from stagg.threads import available_cores

if TYPE_CHECKING:
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
    "draws (such as 0.9), how often the item is among the first --top (else 10), and groups of items that cannot be "
    "told apart. For a table, CSV, JSON or Parquet.",
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
    if engine == "spark":
        from stagg.cli.fuse_by_spark import fuse_by_spark

        unfit = {
            "threads": threads,
            "memory": reading[1].memory,
            "report": report,
            "plots": plots,
            "query": queries or None,
            "excel_safe": excel_safe or None,
        }
        fuse_by_spark(inputs, plan, output, reading, master=master, unfit=unfit, quiet=quiet)
        return
    if output is not None and os.path.isdir(output):
        raise InvalidParameter(f"{output} is a folder; name a file")
    check_report(report, inputs, model, output=output)
    check_plots(plots, width)
    with open_inputs(inputs, reading) as given:
        if view is None and not queries and report is None and plots is None:
            threads = threads or available_cores()
            if fuse_in_parts(given, plan, output, kind, threads=threads, quiet=quiet):
                return
        chosen = list(dict.fromkeys(queries)) or None
        wanted = chosen if plan.is_independent else None
        rankings = load_inputs(given, quiet=quiet, queries=wanted, to_fuse=True).rankings
    say_alone(rankings.rankers, quiet=quiet)
    with progress_bar(quiet=quiet) as progress:
        progress(f"fusing {plural(len(rankings), 'query', 'queries')}", 0, 1)
        done = plan.fuse(rankings, progress)
        done = done if chosen is None else done.take_queries(chosen)  # a method that learns has seen all of them
        if view is None:
            refuse_unfit(done.result, output, kind)  # before the work on a report
        digested = (
            None
            if report is None and plots is None
            else _digest(done, name_source(context, inputs, reading, model, method), progress)
        )
    warn_of_strangers(done.rankings)
    if intervals is not None and not quiet:
        from stagg.aggregate.resampling import caveat

        say(f"intervals: {caveat(int(plan.weigh(rankings).active().voters.min(initial=1000)))}")
    fused = done.result
    if not len(fused.items):
        say_nothing_left()
    if view is None:
        write_fused(fused, output, kind)
    else:
        print_consensus(done, view)
    if output is not None and not quiet:
        say_written(len(fused), len(fused.entries), plan, output)
    if digested is not None:
        _show(digested, report, plots, width=width, quiet=quiet)


def _digest(done: PlanResult, source: PageSource, progress: Progress) -> Fusion:
    from stagg.report import digest

    return digest(done, source=source, progress=progress)


def _show(shown: Fusion, report: str | None, plots: str | None, *, width: PlotWidth, quiet: bool) -> None:
    """The report and the plots of one fusion, as asked for."""
    if report is not None:
        from stagg.report import fusion_page

        write_report(report, fusion_page(shown), quiet=quiet)
    if plots is not None:
        from stagg.report.charts.plots import fusion_plots

        write_figures(plots, fusion_plots(shown, width=width), quiet=quiet)
