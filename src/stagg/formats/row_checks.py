"""Check rows, in every reader: ids, labels, options that do not fit, and hints on what to try."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stagg.data.columns import Coded, Columns, from_columns
from stagg.data.ids import Ids
from stagg.data.labels import LARGEST_LABEL
from stagg.data.large_numbers import REMEDY, find_large_ties
from stagg.data.rankings import Rankings
from stagg.errors import DataError, shown
from stagg.formats.log import ReadLog
from stagg.formats.numbers import INTEGER, parse_number
from stagg.formats.options import (
    ReadOptions,
)
from stagg.formats.storage.source import Source
from stagg.kernels.arrays import IntArray

__all__ = [
    "LEFT_OUT",
    "Problem",
    "assemble_rows",
    "find_long_id",
    "hints",
    "id_refusal",
    "label_problem",
    "list_ids",
    "note_large_ties",
    "refuse_long_ids",
    "refuse_order_by",
    "refuse_values",
]

LONGEST_ID: Final = 1 << 16  # bytes
LEFT_OUT: Final = "(left out)"
"""The name that such a column has among roles."""

Problem = tuple[str, str]
"""Why a row is wrong: a short reason to count by when reading leniently, and the whole sentence."""


def label_problem(text: str, options: ReadOptions) -> Problem | None:
    """Why a text is not a label: labels are whole numbers (fractions if asked for) up to 1000."""
    label = parse_number(text)
    if label is None or not (options.float_labels or INTEGER.fullmatch(text)):
        hint = "a number" if options.float_labels else "a whole number; float_labels=True allows fractions"
        return "bad label", f"the label {shown(text)} is not {hint}"
    if label > LARGEST_LABEL:
        return "bad label", f"the label {shown(text)} is over {LARGEST_LABEL}"
    return None


def hints(source: Source, number: int, line: str, *, header: str = "say header=True") -> str:
    """Likely causes of a line that is not a row, to append to the error; ``header`` is what to do with a header."""
    found = ""
    if "\r" in line.strip():
        return "; its lines seem to end with a carriage return (\\r) alone; convert them to line feeds (\\n)"
    if line.startswith("#"):
        found += "; if '#' lines are comments, say comments=True"
    if number == source.unfinished_line:
        found += "; the file looks truncated"
    if number == 1:
        found += f"; if the first line is a header, {header}"
    return found


def assemble_rows(rows: Columns, source: Source, options: ReadOptions, hint: str = "") -> tuple[Rankings, IntArray]:
    """Rankings from rows, with the law of the log: rows read = rows used + rows dropped.

    ``hint`` is added to the error where an item appears twice in a list.
    """
    refuse_long_ids(rows)
    lenient = options.lenient and options.duplicates == "error"
    try:
        rankings, order = from_columns(rows, duplicates="best" if lenient else options.duplicates)
    except DataError as error:
        raise DataError(error.message + hint, file=error.file, line=error.line) from None
    gone = len(rows.queries) - len(order)
    if gone:
        left_out = np.setdiff1d(np.arange(len(rows.queries)), order)
        source.log.dropped("duplicate item", f"{source.name}:{rows.place(int(left_out[0]))}", gone)
    source.log.used(len(order))
    large = find_large_ties(rankings, rows.numbers, order)
    if large is not None:
        first = min(rows.place(row) for row in order[large].tolist())
        note_large_ties(source.log, source.name, first, int(large.sum()))
    return rankings, order


def note_large_ties(log: ReadLog, file: str, line: int, rows: int) -> None:
    """Say of rows, the first of them in this line, that they tie and may have differed."""
    log.note_rows(file, line, rows, f"the number ties with another, from which it may differ: {REMEDY}", "such rows)")


def refuse_long_ids(rows: Columns) -> None:
    """Refuse ids of more than 65,536 bytes, which no format would write."""
    rankers = () if isinstance(rows.rankers, str) else rows.rankers
    for kind, column in (("query", rows.queries), ("ranker", rankers), ("item", rows.items)):
        ids = column.ids if isinstance(column, Coded) else column
        number = find_long_id(ids)
        if number is not None:
            row = int(np.flatnonzero(column.codes == number)[0]) if isinstance(column, Coded) else number
            long = f"the {kind} id {shown(ids[number])} has more than {LONGEST_ID:,} bytes"
            raise DataError(long, file=rows.file, line=rows.place(row))


def find_long_id(ids: Sequence[str]) -> int | None:
    """The number of the first id that is too long; None if there is none."""
    if isinstance(ids, Ids):
        return next(iter(np.flatnonzero(ids.length > LONGEST_ID).tolist()), None)
    return next((number for number, text in enumerate(ids) if len(text) > LONGEST_ID / 4 and _is_long(text)), None)


def _is_long(text: str) -> bool:
    return len(text.encode(errors="replace")) > LONGEST_ID


def refuse_values(source: Source, options: ReadOptions, hint: str) -> None:
    """`values` belongs to formats whose numbers have no name; elsewhere it is an error that says so."""
    if options.values is not None:
        raise DataError(f"the option 'values' is for numbers without a name; {hint}", file=source.name)


def refuse_order_by(source: Source, options: ReadOptions, hint: str) -> None:
    """`order_by` chooses between a rank and a score column; where there is no such choice it is an error."""
    if options.order_by is not None:
        raise DataError(f"the option 'order_by' chooses between a rank and a score column; {hint}", file=source.name)


def id_refusal(rankings: Rankings) -> str | None:
    """Ids that no file can hold: half of a surrogate pair, or longer than a reader would take."""
    for kind, names in list_ids(rankings):
        if isinstance(names, Ids) and names.length.max(initial=0) <= LONGEST_ID:
            continue  # they are UTF-8 already
        number = find_long_id(names)
        if number is not None:
            return f"the {kind} id {shown(names[number])}: it has more than {LONGEST_ID:,} bytes"
        try:
            "".join(names).encode()
        except UnicodeEncodeError as error:
            return f"a {kind} id with {shown(error.object[error.start : error.end])}, which is not Unicode text"
    return None


def list_ids(rankings: Rankings) -> tuple[tuple[str, Sequence[str]], ...]:
    """All ids by what they name, for checks that must tell which is wrong."""
    return ("query", rankings.queries), ("ranker", rankings.rankers), ("item", rankings.items)
