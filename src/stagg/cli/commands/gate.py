"""``stagg gate``: decide whether a new run may replace an old one, for pipelines."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Literal

import click

from stagg.cli.options.completion import complete_list
from stagg.cli.options.judging import (
    conventions_option,
    find_labels,
    proxy_option,
    read_proxy,
    single_precision_of,
)
from stagg.cli.options.reading import list_reading, quiet_option, read_inputs
from stagg.cli.options.reporting import check_report
from stagg.cli.options.titles import find_texts, query_texts_option
from stagg.cli.show.table_output import plain_reading_options, show_grid
from stagg.cli.show.talk import print_text, say
from stagg.errors import StaggError, printable
from stagg.evaluation.gate import DEFAULT_MEASURE, GateResult, UnjudgedRule, gate, title_falls
from stagg.formats import ReadOptions
from stagg.formats.storage.atomic import replacing
from stagg.measures import Conventions
from stagg.say import spell_in_line

__all__ = ["command"]

EXITS = {"PASS": 0, "FAIL": 3, "UNDECIDED": 4}


@click.command("gate", short_help="Decide whether a new run may replace an old one.")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option(
    "--qrels", type=click.Path(), help="Labels, as a qrels file. Not needed if OLD carries its labels (LETOR)."
)
@click.option(
    "--margin", type=float, required=True, help="The largest fall of a measure that you accept, such as 0.01."
)
@click.option(
    "--measures",
    default=DEFAULT_MEASURE,
    show_default=True,
    shell_complete=complete_list("measure"),
    help="Measures, separated by commas; `stagg measures` lists them. NEW must pass in all of them.",
)
@conventions_option
@click.option(
    "--undecided",
    type=click.Choice(["pass", "fail"]),
    help="Exit with the status of PASS or FAIL if the verdict is UNDECIDED.  [default: 4, a status of its own]",
)
@click.option(
    "--unjudged",
    type=click.Choice(["stop", "irrelevant"]),
    default="stop",
    show_default=True,
    help="If documents that only one run has among its first k have no label: stop with an error, or count them as "
    "irrelevant. k is the largest cutoff of the measures.",
)
@click.option("--only-common", is_flag=True, help="Leave out queries that a run lacks, instead of counting them 0.")
@proxy_option
@query_texts_option
@click.option(
    "--summary",
    type=click.Path(),
    metavar="FILE.md",
    help="Write the verdict, or what stops the gate, to a Markdown file, too.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the sign flips; t decides."
)
@plain_reading_options
@quiet_option
@click.pass_context
def command(
    context: click.Context,
    old: str,
    new: str,
    qrels: str | None,
    margin: float,
    measures: str,
    conventions: Conventions,
    undecided: Literal["pass", "fail"] | None,
    unjudged: UnjudgedRule,
    only_common: bool,
    proxy: str | None,
    query_texts: str | None,
    summary: str | None,
    seed: int,
    as_json: bool,
    reading: tuple[str, ReadOptions],
    quiet: bool,
) -> None:
    """Decide whether the run NEW may replace the run OLD: PASS, FAIL or UNDECIDED.

    PASS: for every measure, the mean difference is above -margin with 95 % confidence. FAIL: a measure fell, with
    97.5 % confidence (Holm's correction over the measures). UNDECIDED: neither is shown; you learn how many queries
    would decide.

    Exit status: 0 PASS, 3 FAIL, 4 UNDECIDED, 1 bad data, 2 bad usage, 130 interrupted.

    \b
    stagg gate old.trec new.trec --qrels qrels.txt --margin 0.01
    stagg gate old.trec new.trec --qrels qrels.txt --margin 0.02 --measures "ndcg@10,recall@100" --undecided pass
    """
    check_report(summary, [old, new], qrels)
    with _summing_up(summary):
        loaded = [read_inputs([path], reading, quiet=quiet) for path in (old, new)]
        proxy_labels = read_proxy(proxy, loaded[0], qrels, reading[1], quiet=quiet)
        labels = find_labels(loaded[0], qrels, reading[1], quiet=quiet)
        queries = {*loaded[0].rankings.queries, *loaded[1].rankings.queries} & set(labels)
        found = gate(
            loaded[0].rankings,
            loaded[1].rankings,
            labels,
            margin=margin,
            measures=measures,
            conventions=conventions,
            unjudged=unjudged,
            only_common=only_common,
            single_precision=single_precision_of(reading[1]),
            proxy=proxy_labels,
            query_texts=find_texts(query_texts, sorted(queries), reading[1], of="queries", quiet=quiet),
            seed=seed,
        ).add_settings(old=old, new=new, qrels=qrels, proxy=proxy, **list_reading(reading))
    _write_summary(summary, found.to_markdown())
    _show(found, as_json=as_json)
    context.exit(_find_exit(found, undecided, quiet=quiet))


@contextlib.contextmanager
def _summing_up(summary: str | None) -> Iterator[None]:
    """What stops the gate stands in the summary, too: a pipeline shows nothing else."""
    try:
        yield
    except StaggError as error:
        _write_summary(summary, f"## stagg gate: stopped\n\n```text\n{printable(spell_in_line(error))}\n```\n")
        raise


def _write_summary(summary: str | None, text: str) -> None:
    if summary is not None:
        with replacing(summary) as stream:
            stream.write(text.encode())


def _show(found: GateResult, *, as_json: bool) -> None:
    if as_json:
        click.echo(found.to_json(), nl=False)
        return
    print_text(f"{found.verdict}: {found.reason}")
    show_grid(found.shown.grid())
    if found.falls:
        print_text(f"{title_falls(found.falls)}")
        show_grid(found.fall_table.grid())


def _find_exit(found: GateResult, undecided: Literal["pass", "fail"] | None, *, quiet: bool) -> int:
    """The status of the verdict; an undecided one may be told to count as another."""
    if found.verdict != "UNDECIDED" or undecided is None:
        return EXITS[found.verdict]
    if not quiet:
        say(f"UNDECIDED counts as {undecided.upper()} here (--undecided {undecided})")
    return EXITS[undecided.upper()]
