"""Ballots: every row is a voter, the cells are choices from first to last."""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final

from stagg.errors import DataError, shown
from stagg.formats.format import BY_ORDER, Loaded
from stagg.formats.options import ReadOptions
from stagg.formats.row_checks import refuse_values
from stagg.formats.storage.source import Source
from stagg.formats.tables.detect import VOTE_MARKS, Sheet, is_choice
from stagg.formats.tables.layouts.counts import count_column, is_count_name, refuse_counts, with_multiplicities
from stagg.formats.tables.layouts.ordinals import choice_columns, clashing_choices
from stagg.formats.tables.layouts.person_cells import address_columns, describe_leaving_out, time_columns
from stagg.formats.tables.layouts.voters import about_voters, voter_column, voter_names
from stagg.formats.tables.layouts.written_ties import refuse_dash, refuse_odd_ties, split_equals
from stagg.formats.tables.roles import columns_option
from stagg.formats.tables.row_builder import (
    RowBuilder,
    describe_no_answer,
    is_no_answer,
    note_ignored,
    note_no_answers,
    note_summaries,
    read_queries,
)

__all__ = ["read_ballots"]

COUNTED: Final = re.compile(r"([0-9]+)\s*[:*x×]\s*(\S.*)")
UNKNOWN_MARK: Final = re.compile(r"\S\s*[<≻≺»→/]\s*\S")
MAYBE_MARK: Final = re.compile(r"\S[\s-]+\S")
OPENING: Final = "([{"
CLOSING: Final = ")]}"


def read_ballots(sheet: Sheet, source: Source, options: ReadOptions) -> tuple[Loaded, str]:
    """(the rankings of the voters, which way their cells point)."""
    refuse_values(source, options, "the cells of ballots are choices from first to last")
    voters, count, query = voter_column(sheet, options), count_column(sheet, options), sheet.column("query")
    about = about_voters(sheet)
    note_ignored([sheet.names[c] for c in about if sheet.names and c != voters], source)
    choices = _choice_order(sheet, {voters, count, query, *about}, source, options)
    if not choices:
        raise source.error("there is no column of choices; the columns only say who votes", sheet.first_line)
    _refuse_persons(sheet, choices, source)
    _refuse_votes_among_choices(sheet, choices, source)
    if count is None and len(choices) == 1:
        sheet, count = _split_counts(sheet, choices[0], source)
    named = voters is not None or "ranker" in (options.columns or {})
    if not named and choices[0] not in choice_columns(sheet.names or []):
        _refuse_names(sheet, choices, source)
    marks = _find_marks(sheet, choices, source)
    queries = read_queries(sheet, source)
    names = voter_names(sheet, voters, queries, source)
    refuse_odd_ties(sheet, choices if marks is None else [], source)
    rows = RowBuilder()
    for row, line, name, asked in zip(sheet.rows, sheet.lines, names, queries, strict=True):
        cells = _split_vote(row[choices[0]], marks, source, line) if marks else [row[column] for column in choices]
        for place, cell in enumerate(cells):
            for item in _split_tie(cell.strip(" \t"), source, line):
                if options.lenient and is_no_answer(item):
                    source.log.dropped("no choice", f"{source.name}:{line}")
                else:
                    rows.add(asked, name, item, place, line)
    _note_capitals(rows.items, source)
    note_no_answers(rows.items, source, lenient=True)
    note_summaries([*names, *[row[column] for row in sheet.rows for column in about]], source)
    try:
        rankings = rows.assemble(source, options, queries, names)
    except DataError as error:
        told = _describe_spoilt_ballot(rows, source, voters is not None, _explain_repeats(sheet, choices, rows.items))
        raise (told or error) from None
    rankings = with_multiplicities(rankings, sheet, count, names, source)
    return Loaded(rankings, names_rankers=True, local_rankers=voters is None), BY_ORDER


def _choice_order(sheet: Sheet, others: set[int | None], source: Source, options: ReadOptions) -> list[int]:
    """The columns of the choices, first to last: as their names tell it, else as they stand."""
    names = sheet.names or [""] * len(sheet.roles)
    clash = clashing_choices([name for column, name in enumerate(names) if column not in others])
    if clash is not None:
        both = f"{shown(clash[0])} and {shown(clash[1])} seem to be the same choice"
        raise source.error(f"{both}; remove one of them, or rename it", sheet.first_line)
    told = {column: choice for column, choice in choice_columns(names).items() if column not in others}
    rest = [column for column in range(len(names)) if column not in others]
    if not told:
        counts = [column for column in rest if is_count_name(names[column])]
        refuse_counts(sheet, counts, source, options)
        note_ignored([names[column] for column in counts], source)
        return [column for column in rest if column not in counts]
    pool = {row[column] for row in sheet.rows for column in told if row[column]}
    ignored = [column for column in rest if column not in told and names[column]]
    unnamed = [c for c in ignored if is_choice(names[c], [row[c] for row in sheet.rows if row[c]], pool)]
    if unnamed:  # who says layout="ballots" says that the columns stand in order
        return [column for column in rest if column in told or column in unnamed]
    refuse_counts(sheet, ignored, source, options)
    note_ignored([names[column] for column in ignored], source)
    return sorted(told, key=told.__getitem__)


def _refuse_persons(sheet: Sheet, choices: Sequence[int], source: Source) -> None:
    """Columns of addresses or times are not taken for choices, unless their names or the other columns say so."""
    told = choice_columns(sheet.names or [])
    addresses, times = (
        [column for column in columns if column not in told]
        for columns in (address_columns(sheet.rows, choices), time_columns(sheet.rows, choices))
    )
    if not addresses and not times:
        return
    names = sheet.names or [str(column + 1) for column in range(len(sheet.roles))]
    columns = sorted([*addresses, *times])
    odd = " and ".join(f"{shown(names[column])} ({shown(sheet.rows[-1][column])}, …)" for column in columns)
    what = "the column" if len(columns) == 1 else "the columns"
    ignore = columns_option({"ignore": "+".join(names[column] for column in columns)})
    voters = columns_option(describe_leaving_out(names, addresses, times))
    calls = f"{voters} to take the addresses for the voters, or {ignore}" if addresses else ignore
    raise source.error(
        f"{what} {odd} cannot be choices: the cells look like addresses or times, which the other columns do not hold. "
        f"Say {calls} to leave {'it' if len(columns) == 1 else 'them'} out; if these are choices, name the columns of "
        "choices 1st, 2nd, …",
        sheet.first_line,
    )


def _find_marks(sheet: Sheet, choices: Sequence[int], source: Source) -> str | None:
    """The separator of choices where a single column holds them all: A>B>C, or A;B;C as forms export a ranking."""
    cells = [row[choices[0]] for row in sheet.rows if row[choices[0]]] if len(choices) == 1 else []
    for mark in VOTE_MARKS:
        if cells and 2 * sum(mark in cell for cell in cells) >= len(cells):
            source.log.note(f"{source.name}: the choices of a voter were separated at {shown(mark)}")
            return mark
    _check_unsplit(cells, source, sheet.first_line or 1)
    return None


def _refuse_votes_among_choices(sheet: Sheet, choices: Sequence[int], source: Source) -> None:
    """A column of whole votes, A>B>C, stands alone: the others must say who votes, or how many do."""
    votes = [c for c in choices if _is_split([row[c] for row in sheet.rows if row[c]])]
    if not votes or len(choices) == 1:
        return
    other = next(c for c in choices if c != votes[0] or len(votes) > 1)
    name = sheet.names[other] if sheet.names else str(other + 1)
    calls = columns_option({"ranker": name}), columns_option({"multiplicity": name})
    raise source.error(
        f"column {votes[0] + 1} holds whole votes such as {shown(sheet.rows[0][votes[0]])}; say what column "
        f"{other + 1} is: {calls[0]} if it names the voters, {calls[1]} if it counts them; or leave it out",
        sheet.first_line,
    )


def _is_split(cells: Sequence[str]) -> bool:
    """Whether most cells hold several choices, by a mark that names hardly have."""
    return any(cells and 2 * sum(mark in cell.strip("<>") for cell in cells) > len(cells) for mark in VOTE_MARKS[:3])


def _check_unsplit(cells: Sequence[str], source: Source, line: int) -> None:
    """Choices that were not separated: an error where it is plain, else a note."""
    if cells and all(UNKNOWN_MARK.search(cell) for cell in cells):
        raise source.error(f"the vote {shown(cells[0])} cannot be separated; write it as A>B=C, best first", line)
    if cells and all(MAYBE_MARK.search(cell) for cell in cells):
        source.log.note(f"{source.name}: {shown(cells[0])} was read as one choice; write votes as A>B=C, best first")


def _split_vote(cell: str, mark: str, source: Source, line: int) -> list[str]:
    """The choices of a vote in one cell; brackets around several of them are a tie that is written otherwise."""
    pieces = cell.split(mark)
    if COUNTED.match(cell):
        raise source.error(
            f"the vote {shown(cell)} begins with a count, and not all votes do; write one before every vote, or write "
            "the counts in a column of their own, under the header line count,ballot",
            line,
        )
    for piece in pieces:
        if any(piece.count(one) != piece.count(other) for one, other in zip(OPENING, CLOSING, strict=True)):
            raise source.error(f"the vote {shown(cell)} has brackets; leave them out, and write a tie as A=B", line)
    return pieces


def _split_counts(sheet: Sheet, column: int, source: Source) -> tuple[Sheet, int | None]:
    """(the sheet with a last column of counts, which it is) where every vote begins with one, as in 3: A>B>C."""
    matches = [COUNTED.fullmatch(row[column]) for row in sheet.rows]
    if not matches or not all(matches):
        return sheet, None
    source.log.note(f"{source.name}: the number before a vote was read as the number of its voters")
    votes = [(match[2], match[1]) for match in matches if match]
    rows = [
        [*row[:column], vote, *row[column + 1 :], count] for row, (vote, count) in zip(sheet.rows, votes, strict=True)
    ]
    return dataclasses.replace(sheet, rows=rows), len(sheet.roles)


def _describe_spoilt_ballot(rows: RowBuilder, source: Source, named: bool, hint: str) -> DataError | None:
    """The error for the first ballot that names a candidate twice; None if there is no such ballot."""
    seen: set[tuple[str, str, str]] = set()
    for query, voter, item, line in zip(rows.queries, rows.rankers, rows.items, rows.lines, strict=True):
        if (query, voter, item) in seen:
            whose = f"the ballot of {shown(voter)}" if named else "the ballot"
            return source.error(
                f"{whose} names {shown(item)} twice; correct it, or keep the first mention: duplicates='first'{hint}",
                line,
            )
        seen.add((query, voter, item))
    return None


def _explain_repeats(sheet: Sheet, choices: Sequence[int], items: Sequence[str]) -> str:
    """Likely cause of a candidate that appears twice in a row, to append to the error."""
    empty = describe_no_answer(items)
    if empty:
        return empty
    columns = ([row[column] for row in sheet.rows if row[column]] for column in choices)
    lists = all(len(set(cells)) == len(cells) for cells in columns)
    return "; or every column is a ranker's list: layout='columns'" if lists and len(sheet.rows) > 1 else ""


def _refuse_names(sheet: Sheet, choices: list[int], source: Source) -> None:
    """A first column without a telling name, in which nobody appears twice, or elsewhere, looks like voters' names."""
    first = [row[choices[0]] for row in sheet.rows]
    named = sheet.names[choices[0]] if sheet.names else str(choices[0] + 1)
    others = Counter(row[column] for row in sheet.rows for column in choices[1:] if row[column])
    if len(first) > 1 and len(set(first)) == len(first) and others and not others.keys() & set(first):
        raise source.error(
            f"the first column ({shown(first[0])}, {shown(first[1])}, …) looks like names of voters: say "
            f"{columns_option({'ranker': named})}; or {columns_option({'ranker': ''})} if it holds first choices",
            sheet.first_line,
        )


def _split_tie(cell: str, source: Source, line: int) -> list[str]:
    if not cell:
        return []
    refuse_dash(cell, source, line)
    pieces = split_equals(cell)
    if not all(pieces):
        raise source.error(f"{shown(cell)}: expected an id on both sides of '=', which writes a tie (A=B)", line)
    return pieces


def _note_capitals(items: Sequence[str], source: Source) -> None:
    """Say which candidates are spelled in two ways, which makes two candidates of one."""
    spelled: dict[str, str] = {}
    for item in dict.fromkeys(items):
        other = spelled.setdefault(" ".join(unicodedata.normalize("NFKC", item).casefold().split()), item)
        if other != item:
            alike = unicodedata.normalize("NFC", other) == unicodedata.normalize("NFC", item)
            why = "they look the same, but their Unicode characters differ" if alike else "is one of them misspelled?"
            source.log.note(f"{source.name}: {shown(other)} and {shown(item)} are two candidates; {why}")
