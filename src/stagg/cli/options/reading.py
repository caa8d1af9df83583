"""Options of reading INPUT, and the reader's messages on stderr."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

import click

from stagg.cli.options.bundles import F, bundle
from stagg.cli.show.talk import busy, say
from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, shown
from stagg.formats import FORMATS, Loaded, ReadLog, ReadOptions
from stagg.formats.inputs import Inputs
from stagg.formats.options import IGNORE, LAYOUTS
from stagg.formats.storage.paths import expand_paths

__all__ = [
    "INPUT_FORMATS",
    "inputs",
    "list_reading",
    "load_inputs",
    "open_inputs",
    "options_without_format",
    "quiet_option",
    "read_inputs",
    "reading_options",
    "refuse_own_input",
    "say_notes",
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
    click.option("--format", "old_format", hidden=True),  # the name of --input-format in 0.1
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
        "multiplicity. Columns are names, or numbers from 1. ROLE= alone says that there is no such column. "
        "ignore=Email+Time leaves these columns out.",
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
        "and pipes; an archive that unpacks to more than 3 MiB may unpack to 250 times its own size]",
    ),
    click.option(
        "--memory",
        type=click.IntRange(min=1),
        metavar="BYTES",
        help="How many bytes of rows may wait in memory until the other rows of their queries are read; more wait in a "
        "temporary file. The result is the same.  [default: 256 MiB]",
    ),
    click.option("--lenient", is_flag=True, help="Drop wrong rows and count them, instead of stopping."),
]


def reading_options(command: F) -> F:
    """Add the reading options; the command gets them as one ``reading`` argument."""

    def take(values: dict[str, Any]) -> dict[str, Any]:
        named, old = values.pop("input_format"), values.pop("old_format")
        if old is not None:
            raise InvalidParameter(f"--input-format {old} is the format of the inputs; this command has no --format")
        return {"format_name": named or "auto"}

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
        role, name = role.strip(), name.strip()
        several = role == IGNORE and role in mapping
        mapping[role] = f"{mapping[role]}+{name}" if several else name
    return mapping or None


def list_reading(reading: tuple[str, ReadOptions]) -> dict[str, Any]:
    """The reading options that differ from their defaults, by name."""
    defaults = ReadOptions()
    given = {field.name: getattr(reading[1], field.name) for field in dataclasses.fields(ReadOptions)}
    told = {name: value for name, value in given.items() if value != getattr(defaults, name)}
    return told if reading[0] == "auto" else told | {"format": reading[0]}


def read_inputs(
    paths: Sequence[str], reading: tuple[str, ReadOptions], *, quiet: bool, to_fuse: bool = False
) -> Loaded:
    """All inputs as one; the notes, the count of rows, and what they hold, go to stderr."""
    with open_inputs(paths, reading) as inputs:
        return load_inputs(inputs, quiet=quiet, to_fuse=to_fuse)


def open_inputs(paths: Sequence[str], reading: tuple[str, ReadOptions]) -> Inputs:
    """The inputs, to be read."""
    return Inputs(list(paths), format=reading[0], options=reading[1], log=ReadLog())


def load_inputs(
    inputs: Inputs,
    *,
    quiet: bool,
    queries: Sequence[str] | None = None,
    describe: Callable[[Rankings, ReadLog], str] | None = None,
    excused: Collection[str] = (),
    to_fuse: bool = False,
) -> Loaded:
    """All inputs as one, or some queries of them, and what there is to say of them, in rows or as ``describe`` does.

    ``excused``: rankers that do not count, and need no warning. ``to_fuse``: an earlier fusion among them is worth one.
    """
    with busy(f"reading {inputs.label}", quiet=quiet):
        loaded = inputs.load(queries)
    inputs.log.excuse(excused)
    if to_fuse:
        inputs.note_earlier_fusions()
    if describe is None:
        say_read(inputs.log, loaded.rankings.summary(names=True), quiet=quiet)
    else:
        _say_line(inputs.log, describe(loaded.rankings, inputs.log), quiet=quiet)
    return loaded


def say_read(log: ReadLog, summary: str, *, quiet: bool) -> None:
    """The notes of the reader, how many rows there were, and what they hold."""
    _say_line(log, f"{log.summary()}: {summary}", quiet=quiet)


def _say_line(log: ReadLog, line: str, *, quiet: bool) -> None:
    say_notes(log, quiet=quiet)
    if log.rows_dropped or not quiet:  # rows are never dropped in silence
        say(line)


def say_notes(log: ReadLog, *, quiet: bool) -> None:
    """Print the reader's notes: warnings always, the others unless we are asked to be quiet."""
    minor = {*log.minor_notes}
    for note in log.notes:
        if note not in minor:
            say(f"warning: {note}")
        elif not quiet:
            say(note)


def refuse_own_input(output: str, inputs: Sequence[str], *others: str | None) -> None:
    """An output that is also read is refused: a slip of the shell's wildcard must not cost data."""
    files: list[str] = list(inputs)
    with contextlib.suppress(DataError):  # a folder or pattern without files is said when it is read
        files = [str(place.path) for place in expand_paths(inputs)]
    for path in [*files, *[other for other in others if other is not None]]:
        same = os.path.realpath(path) == os.path.realpath(output)
        if same or (os.path.exists(path) and os.path.exists(output) and os.path.samefile(path, output)):
            raise InvalidParameter(f"{output} is also an input; name another output")
