"""Options of commands that use labels: where labels come from, which measures, which conventions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from stagg.cli.options.completion import complete_list
from stagg.cli.options.reading import list_reading, say_notes
from stagg.cli.show.talk import say
from stagg.data.labels import Labels
from stagg.errors import InvalidParameter
from stagg.formats import Loaded, ReadLog, ReadOptions, read_labels
from stagg.measures import CONVENTIONS, DEFAULT_MEASURES

__all__ = ["conventions_option", "find_labels", "measures_option", "name_files", "qrels_option", "single_precision_of"]

qrels_option = click.option(
    "--qrels", type=click.Path(), help="Labels, as a qrels file. Not needed if the input carries its labels (LETOR)."
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
            raise InvalidParameter("the input carries no labels: name them by --qrels")
        return loaded.labels
    log = ReadLog()
    labels = read_labels(
        qrels,
        log=log,
        comments=options.comments,
        encoding=options.encoding,
        float_labels=options.float_labels,
        lenient=options.lenient,
    )
    say_notes(log, quiet=quiet)
    if log.rows_dropped or not quiet:
        say(f"{qrels}: {log.summary()}")
    return labels
