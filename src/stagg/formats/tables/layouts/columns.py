"""Columns: every column is a ranker's best-first list of ids."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from stagg.errors import shown
from stagg.formats.format import BY_ORDER, Loaded
from stagg.formats.numbers import parse_number
from stagg.formats.options import ROLES
from stagg.formats.reading import Reading
from stagg.formats.row_checks import refuse_order_by, refuse_values
from stagg.formats.tables.cells import is_number_cell
from stagg.formats.tables.layouts.base import Layout, Sheet
from stagg.formats.tables.layouts.shared.written_ties import refuse_dash, refuse_odd_ties, split_equals
from stagg.formats.tables.profile import Profile
from stagg.formats.tables.row_builder import RowBuilder, describe_no_answer, is_no_answer, note_no_answers, read_queries
from stagg.formats.tables.vocabulary import ITEM_WORDS, VOTER_WORDS
from stagg.say import Say, tell

__all__ = ["ColumnLists"]


class ColumnLists(Layout):
    """Lists side by side: every column is a ranker's best-first list."""

    name = "columns"
    meaning = "every column is a ranker's best-first list"
    example = "`lab1,lab2,lab3`"

    def fits(self, profile: Profile) -> bool:
        """Whether no id comes twice in a column, and one twice in a row, or the columns end as no ballots would."""
        telling = not {*ROLES, *VOTER_WORDS, *ITEM_WORDS}.intersection(profile.plain) and all(profile.first)
        known = profile.header is not None or profile.names_differ_from_ids or profile.first_repeats
        return telling and profile.guess is None and known and _are_lists_only(profile)

    def ways(self, profile: Profile) -> list[Say]:
        if not profile.may_hold_ids or profile.is_ticked:
            return []
        if profile.header is not None:
            return [Say(layout="columns")]
        likely = not profile.first_in_body
        return [Say(layout="columns", header=likely), Say(layout="columns", header=not likely)]

    def has_header(self, profile: Profile) -> bool:
        if profile.first_repeats:
            return False  # names of rankers differ
        if profile.names_differ_from_ids:
            profile.reading.note(
                tell(
                    f"the first line was read as a header: the rankers are {profile.shown_first}; ",
                    Say(layout="columns", header=False),
                    " reads it as data",
                ),
                public="the first line was read as a header",
            )
            return True
        raise profile.ask_header(layout="columns")

    def check(self, sheet: Sheet, reading: Reading, line: int) -> None:
        refuse_order_by(reading, "this is a table of best-first lists")

    def read(self, sheet: Sheet, reading: Reading) -> tuple[Loaded, str]:
        refuse_values(reading, "the columns of this table are best-first lists")
        rows, pool = RowBuilder(), {cell for row in sheet.rows for cell in row}
        names = _ranker_names(sheet, reading)
        _refuse_counts(list(names.values()) if sheet.names else [], sheet, reading)
        _refuse_scores(sheet, names, reading)
        refuse_odd_ties(sheet, list(names), reading)
        queries = read_queries(sheet, reading)
        for column, name in names.items():
            for place, (line, row) in enumerate(zip(sheet.lines, sheet.rows, strict=True)):
                for item in _tied(row[column], pool, reading, line) if row[column] else []:
                    if reading.options.lenient and is_no_answer(item):
                        reading.drop("no choice", line)
                    else:
                        rows.add(queries[place], name, item, place, line)
        rows.merge_spellings(reading)
        note_no_answers(rows.items, reading, lenient=True)
        rankings = rows.assemble(reading, queries, list(names.values()), hint=describe_no_answer(rows.items))
        return Loaded(rankings, names_rankers=True, local_rankers=sheet.names is None), BY_ORDER


def _are_lists_only(profile: Profile) -> bool:
    numbers = any(column.is_numbers for column in profile.columns)
    apart = profile.names_differ_from_ids and not profile.reading.ballots
    lists = profile.repeats_in_a_row or (apart and _end_apart(profile.body))
    return not numbers and not profile.repeats_in_a_column and lists


def _end_apart(rows: Sequence[Sequence[str]]) -> bool:
    """Whether each column is filled from the top, and one goes on below the end of another to its left.

    Voters leave out their last choices, so columns of choices get shorter from left to right.
    """
    ends = [sum(map(bool, column)) for column in zip(*rows, strict=True)]
    whole = all(all(column[:end]) for column, end in zip(zip(*rows, strict=True), ends, strict=True))
    return whole and all(ends) and any(later > end for end, later in itertools.pairwise(ends))


def _ranker_names(sheet: Sheet, reading: Reading) -> dict[int, str]:
    """{column: ranker}; columns without a name must be empty."""
    width = len(sheet.roles)
    query = sheet.column("query")
    if sheet.names is None:
        columns = [column for column in range(width) if column != query]
        return {column: str(number) for number, column in enumerate(columns, start=1)}
    line = sheet.header_line
    names: dict[int, str] = {}
    for column, name in enumerate(sheet.names):
        if column == query:
            continue
        if name in names.values():
            raise reading.error(f"two columns are named {shown(name)}; rename one of them", line)
        if name:
            names[column] = name
        elif any(row[column] for row in sheet.rows):
            message = tell(f"column {column + 1} has cells and no name; give it one, or say ", Say(header=False))
            raise reading.error(message, line)
    return names


def _refuse_counts(names: list[str], sheet: Sheet, reading: Reading) -> None:
    """Numbers above the lists, other than 1, 2, 3, may say how many voters gave each of them."""
    numbered = [str(n + start) for start in (0, 1) for n in range(len(names))]
    if not names or not all(map(is_number_cell, names)) or set(names) <= {*numbered}:
        return
    few = ", ".join(map(shown, names[:3]))
    weights = "if they say how many voters gave each list, give them as weights when you fuse"
    if reading.options.header is None:
        say = Say(layout="columns", header=True)
        message = tell(f"the first line holds numbers ({few}, …): ", say, " takes them for the names of the rankers")
        raise reading.error(tell(message, "; ", weights), sheet.header_line)
    reading.note(f"the rankers are named {few}, …; {weights}")


def _refuse_scores(sheet: Sheet, names: dict[int, str], reading: Reading) -> None:
    """A column of fractions is not a list of ids."""
    for column, name in names.items():
        cells = [row[column] for row in sheet.rows if row[column]]
        if cells and all(parse_number(cell) is not None for cell in cells) and any("." in cell for cell in cells):
            raise reading.error(
                f"the column {shown(name)} holds numbers, no ids: leave it out, or make every list a long table of its "
                "own (item,score)",
                sheet.first_line,
            )


def _tied(cell: str, pool: set[str], reading: Reading, line: int) -> list[str]:
    """The ids of a cell: ``A=B`` is a tie where A or B stands elsewhere, else an id that is written so."""
    refuse_dash(cell, reading, line)
    pieces = split_equals(cell)
    return pieces if len(pieces) > 1 and all(pieces) and not pool.isdisjoint(pieces) else [cell]
