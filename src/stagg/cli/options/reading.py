"""Options of reading INPUT, and the reader's messages on stderr."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import click

from stagg.cli.options.bundles import F, bundle
from stagg.cli.show.talk import busy, say
from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, shown
from stagg.formats import FORMATS, Loaded, ReadLog, ReadOptions
from stagg.formats.inputs import Inputs, refuse_unknown_files
from stagg.formats.numbers import parse_number
from stagg.formats.options import IGNORE, LABEL, LAYOUTS, check_same
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
"""Files, folders, patterns, - for standard input; and NAME=FILE for a ranker under another name."""

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
        "--lower",
        metavar="NAME,...",
        help="The rankers whose small numbers are top (ppl,latency_ms); all others are scores, large = top. In a wide "
        "table these are columns.",
    ),
    click.option(
        "--order-by",
        type=click.Choice(["score", "rank"]),
        help="Which column decides the order if a TREC run or table has both.  [default: score]",
    ),
    click.option(
        "--keep-ranks",
        is_flag=True,
        help="Keep the ranks as the file numbers them (1, 3, 4), for the method rrf(ranks='given').",
    ),
    click.option(
        "--layout",
        type=click.Choice(LAYOUTS.names()),
        help="What the rows and columns of a table mean.  [default: found where there is no doubt]",
    ),
    click.option(
        "--columns",
        "columns",
        multiple=True,
        metavar="[FILE:]ROLE=NAME,...",
        help="Which column of a table has which role: query=qid,item=doc_id. Roles: query, ranker, item, rank, score, "
        "multiplicity, and label in a table of labels. Columns are names, or numbers from 1. ROLE= alone says that "
        "there is no such column. ignore=Email+Time leaves these columns out. dense:item=id,rank=distance is about "
        "the file dense.csv only.",
    ),
    click.option("--sheet", metavar="NAME", help="Which sheet of a workbook to read; * reads them all."),
    click.option("--delimiter", metavar="CHARACTER", help="The character between the cells of a text table."),
    click.option(
        "--header/--no-header",
        default=None,
        help="Whether the first line is a header. Formats that do not name their columns (TREC) skip it.  "
        "[default: found in tables; no header in other formats]",
    ),
    click.option(
        "--duplicates",
        type=click.Choice(["error", "best", "first", "mean"]),
        default="error",
        show_default=True,
        help="If an item is twice in one list: stop, keep the better row, or keep the first row. mean is for labels: "
        "the mean of the grades of an item.",
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
        "--grades",
        metavar="WORD=NUMBER,...",
        help="The numbers of grades that are words, in labels and in answers to a form: "
        "Exact=3,Substitute=2,Irrelevant=0.",
    ),
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
    click.option(
        "--repeat-voters",
        type=click.Choice(["keep", "first", "last", "error"]),
        default="keep",
        show_default=True,
        help="If a voter is in several rows of ballots or of a form: count all of them, only the first or the last, or "
        "stop.",
    ),
    click.option(
        "--overvotes",
        type=click.Choice(["skip", "end"]),
        help="If choices stand behind an overvote in a cast vote record: they move up, or the ballot ends there.",
    ),
    click.option(
        "--same",
        multiple=True,
        metavar="OTHER=NAME|FILE",
        help="Another name of an item, candidate or ranker, or a file of such lines: 'Ana Oritz=Ana Ortiz'. What was "
        "merged is said.",
    ),
    click.option(
        "--rename",
        type=click.Path(),
        metavar="FILE",
        help="Other names for rankers, for tables and reports: a CSV or TSV file with two columns, the name and the "
        "new name, or JSON. Other options know the rankers by the new names. NAME=FILE as an input names one.",
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
        values["columns"] = _read_columns(values["columns"], values.get("qrels"))
        values["grades"] = _read_grades(values["grades"])
        values["same"] = _read_same(values["same"])
        values["rename"] = _read_rename(values["rename"])
        options = ReadOptions(**{field.name: values.pop(field.name) for field in dataclasses.fields(ReadOptions)})
        _refuse_unknown_files(options, values)
        return {"reading": (values.pop("format_name"), options)}

    return bundle(command, _OPTIONS, take)


def _read_columns(texts: Sequence[str], qrels: str | None = None) -> dict[str, Any] | None:
    """The roles of columns: ``query=qid,item=doc_id``; a comma within a name is none that a role follows.

    ``dense:item=id`` begins those of one file. Roles that are named together with a label are those of the ``qrels``.
    """
    mapping: dict[str, Any] = {}
    for text in texts:
        pairs = [pair.partition("=") for pair in re.split(r",(?=(?:[^,=]+:)?[a-z]+=)", text)]
        roles = [role.rpartition(":")[2].strip() for role, _, _ in pairs]
        file = os.path.basename(qrels) if qrels and LABEL in roles else ""
        for (before, sign, name), role in zip(pairs, roles, strict=True):
            if not sign:
                raise InvalidParameter(
                    f"--columns takes ROLE=NAME,... such as query=qid,item=doc_id, not {shown(before)}"
                )
            file = before.rpartition(":")[0].strip() or file
            own = mapping.setdefault(file, {}) if file else mapping
            several = role == IGNORE and role in own
            own[role] = f"{own[role]}+{name.strip()}" if several else name.strip()
    return mapping or None


def _read_same(texts: Sequence[str]) -> dict[str, str] | None:
    """Other names: ``Ana Oritz=Ana Ortiz``, or a file of such lines."""
    found: dict[str, str] = {}
    for text in texts:
        if "=" in text and not os.path.isfile(text):
            before, _, behind = text.partition("=")
            pairs = {before.strip(): behind.strip()}
        else:
            pairs = check_same(text)
        for other, name in pairs.items():
            if not other or not name:
                raise InvalidParameter(f"--same takes OTHER=NAME, such as 'Ana Oritz=Ana Ortiz', not {shown(text)}")
            if found.setdefault(other, name) != name:
                raise InvalidParameter(f"--same says that {shown(other)} is {shown(found[other])} and {shown(name)}")
    return found or None


def _read_grades(text: str | None) -> dict[str, float] | None:
    """The numbers of words: ``Exact=3,Irrelevant=0``; a comma within a word is none that a number follows."""
    if text is None:
        return None
    found: dict[str, float] = {}
    for pair in re.split(r"(?<=[0-9]),", text):
        word, _, number = pair.rpartition("=")
        grade = parse_number(number.strip())
        if not word or grade is None:
            raise InvalidParameter(f"--grades takes WORD=NUMBER,... such as Exact=3,Irrelevant=0, not {shown(pair)}")
        found[word.strip()] = grade
    return found


def _read_rename(path: str | None) -> dict[str, str] | None:
    """The new names of a file: two columns, or JSON."""
    if path is None:
        return None
    from stagg.formats.documents.texts import read_texts  # here: few calls rename

    return {name: text.heading for name, text in read_texts(path, of="names", log=ReadLog()).items()}


def _refuse_unknown_files(options: ReadOptions, values: Mapping[str, Any]) -> None:
    """Columns of a file that is neither an input nor holds the labels are an error."""
    if not options.files:
        return
    paths: list[Any] = [values["qrels"]] if values.get("qrels") else []
    with contextlib.suppress(DataError):  # an input that is not there is told when it is read
        paths += [place.path for place in expand_paths(list(values.get("inputs") or ()))]
        refuse_unknown_files(options, paths)


def list_reading(reading: tuple[str, ReadOptions]) -> dict[str, Any]:
    """The reading options that differ from their defaults, by name."""
    defaults = ReadOptions()
    given = {field.name: getattr(reading[1], field.name) for field in dataclasses.fields(ReadOptions)}
    told = {name: value for name, value in given.items() if value != getattr(defaults, name)}
    if "columns" in told:
        told["columns"] = _flatten(told["columns"])
    return told if reading[0] == "auto" else told | {"format": reading[0]}


def _flatten(columns: Mapping[str, Any]) -> dict[str, str]:
    """The roles of columns, those of single files with the name of the file before the role."""
    flat = {role: column for role, column in columns.items() if isinstance(column, str)}
    files = {file: roles for file, roles in columns.items() if not isinstance(roles, str)}
    return flat | {f"{file}:{role}": column for file, roles in files.items() for role, column in roles.items()}


def read_inputs(
    paths: Sequence[str], reading: tuple[str, ReadOptions], *, quiet: bool, to_fuse: bool = False
) -> Loaded:
    """All inputs as one; the notes, the count of rows, and what they hold, go to stderr."""
    with open_inputs(paths, reading) as inputs:
        return load_inputs(inputs, quiet=quiet, to_fuse=to_fuse)


def open_inputs(paths: Sequence[str], reading: tuple[str, ReadOptions], *, ballots: bool = False) -> Inputs:
    """The inputs, to be read; ``ballots``: those of an election."""
    return Inputs(list(paths), format=reading[0], options=reading[1], log=ReadLog(), ballots=ballots)


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
            say("warning: ", note)
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
