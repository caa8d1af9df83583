"""Reading INPUT on the command line: the shared options, and what the reader has to say on stderr."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from stagg.cli.options import F, bundle
from stagg.cli.talk import busy, say
from stagg.errors import DataError, InvalidParameter, shown
from stagg.formats import FORMATS, Loaded, ReadLog, ReadOptions
from stagg.formats.base import LAYOUTS
from stagg.formats.files import Inputs
from stagg.formats.paths import expand_paths

__all__ = [
    "INPUT_FORMATS",
    "inputs",
    "load_inputs",
    "opened",
    "options_without_format",
    "quiet_option",
    "read_inputs",
    "reading_options",
    "refuse_own_input",
    "say_read",
]

inputs = click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)

quiet_option = click.option("--quiet", "-q", is_flag=True, help="Print no messages unless something is wrong.")

INPUT_FORMATS = ["auto", *FORMATS.names()]

_FORMAT = [
    click.option(
        "--input-format",
        type=click.Choice(INPUT_FORMATS),
        help="Format of the inputs.  [default: auto: by the ending, then by the content]",
    ),
    click.option("--format", "old_format", type=click.Choice(INPUT_FORMATS), hidden=True),  # its name in 0.1
]
_OPTIONS = [
    click.option(
        "--values",
        type=click.Choice(["rank", "score"]),
        help="Whether numbers are ranks (small = top) or scores (large = top), in files that do not say it.  [default: "
        "rank in LETOR, score in JSON]",
    ),
    click.option(
        "--order-by",
        type=click.Choice(["score", "rank"]),
        help="Which column decides the order if a TREC run or table has both.  [default: score]",
    ),
    click.option(
        "--layout",
        type=click.Choice(LAYOUTS),
        help="What the rows and columns of a table mean.  [default: found where there is no doubt]",
    ),
    click.option(
        "--columns",
        "columns",
        multiple=True,
        metavar="ROLE=NAME,...",
        help="Which column of a table has which role: query=qid,item=doc_id. Roles: query, ranker, item, rank, score, "
        "multiplicity. Columns are names, or numbers from 1. ROLE= alone says that there is no such column.",
    ),
    click.option("--sheet", metavar="NAME", help="Which sheet of a workbook to read."),
    click.option("--delimiter", metavar="CHARACTER", help="The character between the cells of a text table."),
    click.option(
        "--header/--no-header",
        default=None,
        help="Whether the first line is a header. Formats that do not name their columns (TREC) skip it.  "
        "[default: found in tables; no header in other formats]",
    ),
    click.option(
        "--duplicates",
        type=click.Choice(["error", "best", "first"]),
        default="error",
        show_default=True,
        help="If an item is twice in one list: stop, keep the better row, or keep the first row.",
    ),
    click.option(
        "--outer",
        type=click.Choice(["query", "ranker"]),
        help="Whether the outer keys of a JSON file are queries or rankers.  [default: query]",
    ),
    click.option("--comments", is_flag=True, help="Skip lines that begin with #."),
    click.option("--encoding", default="utf-8", show_default=True, help="Text encoding of the inputs."),
    click.option("--split-by-tag", is_flag=True, help="In TREC files, each run tag is a ranker of its own."),
    click.option(
        "--names", is_flag=True, help="In PrefLib files, use the names of the alternatives, not their numbers."
    ),
    click.option("--float-labels", is_flag=True, help="Labels may be fractions."),
    click.option(
        "--max-size",
        type=click.IntRange(min=1),
        metavar="BYTES",
        help="How many bytes an input may have, unpacked.  [default: any number for plain files; 32 GiB for archives "
        "and pipes, and 250 times the packed size for archives of more than 3 MiB]",
    ),
    click.option("--lenient", is_flag=True, help="Drop wrong rows and count them, instead of stopping."),
]


def reading_options(command: F) -> F:
    """Add the reading options; the command gets them as one ``reading`` argument."""

    def take(values: dict[str, Any]) -> dict[str, Any]:
        named, old = values.pop("input_format"), values.pop("old_format")
        return {"format_name": named or old or "auto"}

    return bundle(options_without_format(command), _FORMAT, take)


def options_without_format(command: F) -> F:
    """The same for a command that has a ``format_name`` from elsewhere."""

    def take(values: dict[str, Any]) -> dict[str, Any]:
        values["columns"] = _read_columns(values["columns"])
        options = ReadOptions(**{field.name: values.pop(field.name) for field in dataclasses.fields(ReadOptions)})
        return {"reading": (values.pop("format_name"), options)}

    return bundle(command, _OPTIONS, take)


def _read_columns(texts: Sequence[str]) -> dict[str, str] | None:
    """The roles of columns: ``query=qid,item=doc_id``; a comma within a name is none that a role follows."""
    mapping: dict[str, str] = {}
    for pair in (pair for text in texts for pair in re.split(r",(?=[a-z]+=)", text)):
        role, sign, name = pair.partition("=")
        if not sign:
            raise InvalidParameter(f"--columns takes ROLE=NAME,... such as query=qid,item=doc_id, not {shown(pair)}")
        mapping[role.strip()] = name.strip()
    return mapping or None


def read_inputs(paths: Sequence[str], reading: tuple[str, ReadOptions], *, quiet: bool) -> Loaded:
    """All inputs as one; the notes and the count of rows go to stderr."""
    with opened(paths, reading) as inputs:
        return load_inputs(inputs, quiet=quiet)


def opened(paths: Sequence[str], reading: tuple[str, ReadOptions]) -> Inputs:
    """The inputs, to be read."""
    return Inputs(list(paths), format=reading[0], options=reading[1], log=ReadLog())


def load_inputs(inputs: Inputs, *, quiet: bool, queries: Sequence[str] | None = None) -> Loaded:
    """All inputs as one, or some queries of them, and what there is to say of them."""
    what = Path(inputs.paths[0]).name if len(inputs.paths) == 1 else f"{len(inputs.paths)} inputs"
    with busy(f"reading {what}", quiet=quiet):
        loaded = inputs.load(queries)
    say_read(inputs.log, loaded.rankings.summary(), quiet=quiet)
    return loaded


def say_read(log: ReadLog, summary: str, *, quiet: bool) -> None:
    """The notes of the reader, how many rows there were, and what they hold."""
    for note in log.notes:
        say(f"warning: {note}")
    if log.rows_dropped or not quiet:  # rows are never dropped in silence
        say(f"{log.summary()}: {summary}")


def refuse_own_input(output: str, inputs: Sequence[str], *others: str | None) -> None:
    """An output that is also read is refused: a slip of the shell's wildcard must not cost data."""
    files: list[str] = list(inputs)
    with contextlib.suppress(DataError):  # a folder or pattern without files is said when it is read
        files = [str(place.path) for place in expand_paths(inputs)]
    for path in [*files, *[other for other in others if other is not None]]:
        same = os.path.realpath(path) == os.path.realpath(output)
        if same or (os.path.exists(path) and os.path.exists(output) and os.path.samefile(path, output)):
            raise InvalidParameter(f"{output} is also an input; name another output")
