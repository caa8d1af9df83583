"""Options of commands that use labels: where labels come from, which measures, which conventions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import click

from stagg.cli.options.completion import complete_list
from stagg.cli.options.reading import list_reading, say_notes
from stagg.cli.show.talk import say
from stagg.data.labels import Labels
from stagg.errors import InvalidParameter
from stagg.formats import Loaded, ReadLog, ReadOptions, read_labels
from stagg.formats.storage.source import strip_endings
from stagg.judging.judge import forecast_line
from stagg.measures import CONVENTIONS, DEFAULT_MEASURES
from stagg.measures.unjudged import TREATMENTS

__all__ = [
    "conventions_option",
    "find_labels",
    "measures_option",
    "name_files",
    "point_to_judging",
    "proxy_option",
    "qrels_option",
    "read_proxy",
    "read_proxy_alone",
    "single_precision_of",
    "unjudged_option",
]

qrels_option = click.option(
    "--qrels",
    type=click.Path(),
    help="Labels: TREC qrels, or a table with the columns query, item and label (CSV, Excel, Parquet, JSON). Not "
    "needed if the input carries its labels (LETOR).",
)
measures_option = click.option(
    "--measures",
    default=DEFAULT_MEASURES,
    show_default=True,
    shell_complete=complete_list("measure"),
    help="Measures, separated by commas; `stagg measures` lists them. nDCG@10, spelled so, is that of ir_measures, "
    "with the gain y; ndcg@10 has the gain 2^y-1. 'Name: measure' names the column.",
)
conventions_option = click.option(
    "--conventions",
    type=click.Choice(list(CONVENTIONS)),
    default="standard",
    show_default=True,
    help="How measures are computed. letor4: as the script of LETOR 4.0 does.",
)
unjudged_option = click.option(
    "--unjudged",
    type=click.Choice(list(TREATMENTS)),
    default="irrelevant",
    show_default=True,
    help="What to do with items that have no judgment. irrelevant: count them as irrelevant. skip: leave them out, so "
    "that the items below move up (condensed lists). bounds: also show the lowest and the highest mean that their "
    "grades could give.",
)
proxy_option = click.option(
    "--proxy",
    type=click.Path(),
    metavar="FILE",
    help="Labels by an LLM, say, as a qrels file, also of queries that people did not judge. You get each interval by "
    "the labels of people alone, and corrected by the proxy, and what such a judge is worth.",
)


def name_files(
    inputs: Sequence[str], qrels: str | None, reading: tuple[str, ReadOptions], **more: Any
) -> dict[str, Any]:
    """Settings of a table about its files: their names as they were given, and how they were read."""
    return {**more, "inputs": list(inputs), "qrels": qrels, **list_reading(reading)}


def single_precision_of(options: ReadOptions) -> bool | None:
    """Whether runs are evaluated with scores as float32: False where the rank column decides, else as usual."""
    return False if options.order_by == "rank" else None


def find_labels(loaded: Loaded, qrels: str | None, options: ReadOptions, *, quiet: bool) -> Labels:
    """The labels of --qrels, else those that the input carries."""
    if qrels is None:
        if loaded.labels is None:
            hint = forecast_line(loaded.rankings)
            more = "" if hint is None else f". Without labels, `stagg judge` says what to judge: {hint}"
            raise InvalidParameter(f"the input carries no labels: name them by --qrels{more}")
        return loaded.labels
    return _read_labels(qrels, options, quiet=quiet)


def read_proxy(
    proxy: str | None, loaded: Loaded, qrels: str | None, options: ReadOptions, *, quiet: bool
) -> Labels | None:
    """The labels of --proxy; refused without labels of people."""
    if proxy is None:
        return None
    if qrels is None and loaded.labels is None:
        raise InvalidParameter(
            "--proxy needs labels of people, too: name them by --qrels. Labels of an LLM alone prove nothing: they are "
            "too kind, and they can favour the worse system. To use them as labels all the same, name them by --qrels"
        )
    return _read_labels(proxy, options, quiet=quiet)


def read_proxy_alone(proxy: str | None, options: ReadOptions, *, quiet: bool) -> Labels | None:
    """The labels of --proxy where the labels of people are yet to come."""
    return None if proxy is None else _read_labels(proxy, options, quiet=quiet)


def point_to_judging(loaded: Loaded, *, quiet: bool) -> None:
    """Say, where there are no labels, what `stagg judge` could show with how many."""
    hint = None if quiet or loaded.labels is not None else forecast_line(loaded.rankings)
    if hint is not None:
        say(f"no labels: {hint} `stagg judge` says which documents to judge")


def _read_labels(qrels: str, options: ReadOptions, *, quiet: bool) -> Labels:
    log = ReadLog()
    name = os.path.basename(qrels)
    own = next((options.of_file(each).columns for each in (strip_endings(name), name) if each in options.files), None)
    labels = read_labels(
        qrels,
        log=log,
        comments=options.comments,
        encoding=options.encoding,
        float_labels=options.float_labels,
        lenient=options.lenient,
        columns=own,
        grades=options.grades,
        duplicates=options.duplicates,
    )
    say_notes(log, quiet=quiet)
    if log.rows_dropped or not quiet:
        say(f"{qrels}: {log.summary()}")
    return labels
