"""Check rows, in every reader: ids, labels, numbers of voters, options that do not fit, and hints on what to try."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stagg.data.columns import Coded, Columns, from_columns
from stagg.data.ids import Ids
from stagg.data.labels import LARGEST_LABEL
from stagg.data.large_numbers import REMEDY, find_large_ties
from stagg.data.rankings import Rankings
from stagg.errors import DataError, plural, shown
from stagg.formats.log import ReadLog
from stagg.formats.numbers import INTEGER, parse_number
from stagg.formats.options import ReadOptions
from stagg.formats.reading import Reading
from stagg.kernels.arrays import IntArray
from stagg.kernels.lists.votes import LARGEST_COUNT
from stagg.say import Say, name_option, tell

__all__ = [
    "COUNT",
    "LEFT_OUT",
    "PLAN_TAG",
    "Problem",
    "assemble_rows",
    "find_long_id",
    "hints",
    "id_refusal",
    "label_problem",
    "list_ids",
    "note_large_ties",
    "note_plan",
    "parse_count",
    "read_multiplicities",
    "refuse_kept_ranks",
    "refuse_long_ids",
    "refuse_order_by",
    "refuse_values",
]

LONGEST_ID: Final = 1 << 16  # bytes
LEFT_OUT: Final = "(left out)"
"""The name that such a column has among roles."""

PLAN_TAG: Final = "stagg-judge-"
"""Beginning of the second column of qrels that a plan of ``stagg judge`` made; evaluators ignore that column."""

HEADER: Final = tell("say ", Say(header=True))
"""Advice on a first line that is a header."""

COUNT: Final = f"a whole number from 0 to {LARGEST_COUNT} (2^63 - 1)"
"""Definition of a number of voters, in words."""
DIGITS: Final = len(str(LARGEST_COUNT))

Problem = tuple[str, str]
"""Why a row is wrong: a short reason to count by when reading leniently, and the whole sentence."""


def label_problem(text: str, options: ReadOptions) -> Problem | None:
    """Why a text is not a label: labels are whole numbers (fractions if asked for) up to 1000."""
    label = parse_number(text)
    if label is None or not (options.float_labels or INTEGER.fullmatch(text)):
        fractions = tell("a whole number; ", Say(float_labels=True), " allows fractions")
        hint = "a number" if options.float_labels else fractions
        return "bad label", tell(f"the label {shown(text)} is not ", hint)
    if label > LARGEST_LABEL:
        return "bad label", f"the label {shown(text)} is over {LARGEST_LABEL}"
    return None


def hints(reading: Reading, number: int, line: str, *, header: str = HEADER) -> str:
    """Likely causes of a line that is not a row, to append to the error; ``header`` is what to do with a header."""
    found: str = ""
    if "\r" in line.strip():
        return "; its lines seem to end with a carriage return (\\r) alone; convert them to line feeds (\\n)"
    if line.startswith("#"):
        found = tell(found, "; if '#' lines are comments, say ", Say(comments=True))
    if number == reading.source.unfinished_line:
        found += "; the file looks truncated"
    if number == 1:
        found = tell(found, "; if the first line is a header, ", header)
    return found


def assemble_rows(rows: Columns, reading: Reading, hint: str = "") -> tuple[Rankings, IntArray]:
    """Rankings from rows, with the law of the log: rows read = rows used + rows dropped.

    ``hint`` is added to the error where an item appears twice in a list.
    """
    refuse_long_ids(rows)
    duplicates = reading.options.row_duplicates
    lenient = reading.options.lenient and duplicates == "error"
    try:
        rankings, order = from_columns(rows, duplicates="best" if lenient else duplicates)
    except DataError as error:
        raise DataError(tell(error.message, hint), file=error.file, line=error.line) from None
    gone = len(rows.queries) - len(order)
    if gone:
        left_out = np.setdiff1d(np.arange(len(rows.queries)), order)
        reading.log.dropped("duplicate item", reading.origin.place(rows.place(int(left_out[0]))), gone)
    reading.log.used(len(order))
    large = find_large_ties(rankings, rows.numbers, order)
    if large is not None:
        first = min(rows.place(row) for row in order[large].tolist())
        note_large_ties(reading.log, reading.name, first, int(large.sum()))
    return rankings, order


def note_plan(reading: Reading) -> None:
    """Say of labels that a plan chose them: they are a sample for one comparison, and a biased pool for the rest."""
    reading.note(
        "these labels were chosen by stagg judge: they decide the comparison that they were drawn for, but as a pool "
        "they are biased. Do not trust MAP, recall or nDCG by them"
    )


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


def refuse_values(reading: Reading, hint: str, *, names: Sequence[str] = ("values", "lower")) -> None:
    """`values` and `lower` belong to numbers whose names do not tell their direction; elsewhere they are errors."""
    for name in names:
        if getattr(reading.options, name) is not None:
            raise reading.error(tell(name_option(name), " is for numbers without a name; ", hint))


def refuse_order_by(reading: Reading, hint: str) -> None:
    """`order_by` chooses between a rank and a score column; where there is no such choice it is an error."""
    if reading.options.order_by is not None:
        raise reading.error(tell(name_option("order_by"), " chooses between a rank and a score column; ", hint))
    if reading.options.keep_ranks:
        raise reading.error(tell(name_option("keep_ranks"), " needs a column of ranks; ", hint))


def refuse_kept_ranks(reading: Reading, *, by_rank: bool) -> None:
    """Ranks that do not decide the order are not kept."""
    if reading.options.keep_ranks and not by_rank:
        hint = " keeps the ranks that decide the order; here the score does: say "
        raise reading.error(tell(name_option("keep_ranks"), hint, Say(order_by="rank")))


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


# --- numbers of voters ------------------------------------------------------------------------------------------------


def parse_count(text: str) -> int | None:
    """The number of voters that a text of ASCII digits spells; None for any other text.

    >>> parse_count("007"), parse_count("9007199254740993"), parse_count("9" * 5000), parse_count("-1")
    (7, 9007199254740993, None, None)
    """
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    return int(digits) if len(digits) <= DIGITS and int(digits) <= LARGEST_COUNT else None


def read_multiplicities(counts: Sequence[int], lines: Sequence[int], reading: Reading) -> IntArray:
    """The counts as they are; a note says where some are 0, and an error that they are more than can be counted."""
    if sum(counts) > LARGEST_COUNT:
        raise reading.error(f"the counts add up to {sum(counts):,} voters; up to {LARGEST_COUNT:,} can be counted")
    empty = [line for count, line in zip(counts, lines, strict=True) if count == 0]
    if empty:
        told = plural(len(empty), "ballot has the count 0", "ballots have the count 0")
        reading.note(f"{told}; nobody cast {'it' if len(empty) == 1 else 'them'}", line=empty[0])
    return np.array(counts, dtype=np.intp)
