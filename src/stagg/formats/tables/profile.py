"""Profile of a table: facts about its first row, its columns and its cells, each found once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from stagg.errors import DataError, shown
from stagg.formats.options import ROLES
from stagg.formats.reading import Reading
from stagg.formats.tables.cells import CellTable, is_number_cell
from stagg.formats.tables.ordinals import choice_columns, read_ordinal, read_place
from stagg.formats.tables.roles import (
    describes_items,
    is_judge,
    is_measure,
    is_subject,
    name_roles,
    name_statistic,
    propose_roles,
    sums_up,
    told_by,
)
from stagg.formats.tables.vocabulary import (
    ABOUT_ANSWERS,
    ABOUT_ENDS,
    CHOICE_HINTS,
    DISPLAY_ORDER,
    HALF_TICKS,
    ITEM_WORDS,
    ORDER_MARKS,
    SURE_VOTERS,
    TICKS,
    TOOL_ENDS,
    VOTE_MARKS,
    VOTER_WORDS,
    plain_name,
)
from stagg.formats.tables.written_numbers import is_missing, is_written_number, read_written_column
from stagg.say import Say

__all__ = [
    "CellColumn", "Profile", "address_columns", "are_ticks", "describe_leaving_out", "describe_unplaced",
    "find_no_candidates", "holds_votes", "is_about_answer", "is_choice", "read_tick", "shape", "time_columns",
]  # fmt: skip

STUDY: Final = re.compile(r"[^\W\d_].*(?:(?:19|20)[0-9]{2}[a-z]?\)?|\bet al\.?)$")
"""The name of a study: Smith 2019, Jones et al."""
ADDRESS: Final = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@.]+")
TIME: Final = re.compile(r"[^:]*[0-9]{1,4}[-/. ]+[0-9]{1,2}[-/. ,T]+[^:]*[0-9]{1,2}[:.][0-9]{2}.*")
LONGEST: Final = 100  # characters of an address or a time; TIME takes quadratic time on long cells
FEWEST: Final = 3  # answers, for the cells to show what they are
MOST: Final = 0.8  # of the cells
UNLIKELY: Final = 0.02


class CellColumn:
    """One column below the first row: its cells, and what kind of cells they are."""

    def __init__(self, number: int, name: str, rows: Sequence[Sequence[str]]) -> None:
        self.number, self.name, self.plain = number, name, plain_name(name)
        self.cells = [row[number] for row in rows if row[number]]

    @cached_property
    def distinct(self) -> frozenset[str]:
        return frozenset(self.cells)

    @property
    def repeats(self) -> bool:
        """Whether a cell comes again."""
        return len(self.distinct) < len(self.cells)

    @cached_property
    def number_cells(self) -> list[str]:
        """The cells but those that say that a number is missing."""
        return [cell for cell in self.cells if not is_missing(cell) and cell.casefold() != "nan"]

    @cached_property
    def is_numbers(self) -> bool:
        return self.is_written or (bool(self.number_cells) and all(map(is_number_cell, self.number_cells)))

    @cached_property
    def is_written(self) -> bool:
        """Whether the cells are numbers as people write them: $2.50, 85.3 ± 0.4."""
        cells = self.number_cells
        return bool(cells) and all(map(is_written_number, cells)) and read_written_column(cells) is not None

    @cached_property
    def is_places(self) -> bool:
        """Whether the cells are numbers, or places such as 1st and =2."""
        cells = self.number_cells
        places = bool(cells) and all(is_number_cell(cell) or read_place(cell) is not None for cell in cells)
        return places or self.is_written

    @cached_property
    def is_mostly_numbers(self) -> bool:
        cells = self.number_cells
        written = (is_number_cell(cell) or read_ordinal(cell) is not None or is_written_number(cell) for cell in cells)
        found = sum(written)
        return self.is_written or (bool(cells) and 2 * found >= len(cells))

    @cached_property
    def holds_number(self) -> bool:
        """Whether any cell is a number."""
        return any(map(is_number_cell, self.cells)) or self.is_written

    @cached_property
    def holds_votes(self) -> bool:
        """Whether the cells are whole votes: A>B>C."""
        return holds_votes(self.plain, self.cells)


class Profile:
    """A table looked at from all sides; a fact is about the first row, or about the rows below."""

    def __init__(self, table: CellTable, reading: Reading) -> None:
        self.table, self.reading = table, reading
        self.first, self.body, self.width = table.rows[0], table.rows[1:], table.width
        self.header = table.header if reading.options.header is None else reading.options.header
        self.columns = [CellColumn(number, name, self.body) for number, name in enumerate(self.first)]
        self.plain = [column.plain for column in self.columns]

    # --- the first row ------------------------------------------------------------------------------------------------

    @cached_property
    def roles(self) -> list[str]:
        return name_roles(self.first, self.reading, self.table.lines[0])

    @cached_property
    def guess(self) -> dict[str, str] | None:
        """Likely roles of columns of a long table, by their names and cells."""
        return propose_roles(self.first, self.body) if self.body else None

    @cached_property
    def choices(self) -> dict[int, int]:
        """{column: which choice it holds} of the columns whose names tell it."""
        return choice_columns(self.first)

    @cached_property
    def first_has_numbers(self) -> bool:
        return any(map(is_number_cell, self.first))

    @cached_property
    def first_repeats(self) -> bool:
        return _repeats([self.first])

    @cached_property
    def first_in_body(self) -> bool:
        """Whether a cell of the first row is in another row, too: then it is an id, most likely."""
        return not self.pool.isdisjoint(filter(None, self.first))

    @cached_property
    def names_differ_from_ids(self) -> bool:
        """Whether the first row is unlike the ids below: lab1, lab2, lab3 above genes, names above numbers."""
        words = {_first_word(cell) for cell in self.first}
        alike = len(words) == 1 and "" not in words and not words & set(map(_first_word, self.pool))
        shapes = set(map(shape, self.pool))
        other = len(shapes) == 1 and not shapes & set(map(shape, self.first))
        studies = all(map(STUDY.search, self.first)) and not self.first_in_body
        return (alike and self.width > 1) or other or studies or self._names_stand_apart

    @property
    def _names_stand_apart(self) -> bool:
        """Whether the first row can hardly be ids: none of its cells is below, where ids come again in other columns.

        The ids at the top of lists are those that other lists have as well. If a share of them is in one list only, a
        whole row of such ids is as likely as that share to the power of its width.
        """
        times = Counter(cell for column in self.columns for cell in column.distinct)
        cells = [cell for column in self.columns for cell in column.cells]
        if self.first_in_body or self.first_repeats or not all(self.first) or len(self.body) < FEWEST:
            return False
        alone = sum(times[cell] == 1 for cell in cells) / len(cells) if cells else 1.0
        return max(alone, 1 / len(cells)) ** self.width < UNLIKELY if cells else False

    def ask_header(self, **layout: str) -> DataError:
        """The question whether the first row is a header, in this layout."""
        ways = (Say(**layout, header=True), "a header"), (Say(**layout, header=False), "data")
        question = f"is the first line a header? its cells are {self.shown_first}"
        return self.reading.ask(question, *ways, line=self.table.lines[0])

    @property
    def shown_first(self) -> str:
        """The first row for a message."""
        return ", ".join(map(shown, self.first[:8])) + (", …" if self.width > 8 else "")

    # --- the rows below -----------------------------------------------------------------------------------------------

    @cached_property
    def pool(self) -> frozenset[str]:
        """All cells below the first row."""
        return frozenset().union(*(column.distinct for column in self.columns))

    @cached_property
    def repeats_in_a_column(self) -> bool:
        return any(column.repeats for column in self.columns)

    @cached_property
    def repeats_in_a_row(self) -> bool:
        return _repeats(self.body)

    def repeats_after(self, first: int) -> bool:
        """Whether a cell comes again in a row, at or after this column."""
        return _repeats([row[first:] for row in self.body])

    @cached_property
    def is_ticked(self) -> bool:
        """Whether all columns but the first say yes and no."""
        return bool(self.body) and are_ticks([cell for row in self.body for cell in row[1:]])

    @cached_property
    def place_columns(self) -> list[int]:
        return [column.number for column in self.columns if column.is_places]

    @cached_property
    def may_hold_ids(self) -> bool:
        """Whether this may be a table of ids: it has no numbers, or its ids are numbers, or some columns share ids."""
        if not self.body or len(self.place_columns) in (0, self.width) or self.place_columns == [0]:
            return True
        texts = [c for c in self.columns if not c.is_places and c.plain not in VOTER_WORDS]
        shared = any(one.distinct & other.distinct for number, one in enumerate(texts) for other in texts[:number])
        return shared and len(texts) > 2

    @cached_property
    def statistics(self) -> dict[int, str]:
        """{column: its kind} of the columns of numbers that are named as statistics; none without a p-value."""
        kinds = {column.number: name_statistic(column.name) for column in self.columns if column.is_numbers}
        found = {number: kind for number, kind in kinds.items() if kind is not None}
        return found if len(found) > 1 and {"p", "adjusted"} & {*found.values()} else {}

    @cached_property
    def owner(self) -> int:
        """The column that names what a row is about: the items, the voters, or the first that is named at all."""
        for role in ("item", "ranker"):
            if role in self.roles:
                return self.roles.index(role)
        voters = (k for k, name in enumerate(self.plain) if name in SURE_VOTERS)
        named = (k for k, role in enumerate(self.roles) if role != "query" and self.first[k])
        subject = self.subject if self.subject is not None else next(named, 0)
        unnamed = not self.first[0] and self._names_rows(self.columns[0]) and all(self.first[1:])
        return next(voters, 0 if unnamed else subject)

    @cached_property
    def subject(self) -> int | None:
        """The column of things that are measured or judged, one per row, where its name tells it."""
        named = (column for column in self.columns if is_subject(column.name) and not self.first_has_numbers)
        return next((column.number for column in named if self._names_rows(column)), None)

    def _names_rows(self, column: CellColumn) -> bool:
        """Whether a column holds another name in every row."""
        again = column.repeats and "query" not in self.roles
        return len(column.cells) == len(self.body) and not again and not column.is_mostly_numbers

    @cached_property
    def names_measures(self) -> bool:
        """Whether the owner is a column of measures, such as benchmarks: its rows are rankers, as voters are."""
        owner = self.columns[self.owner]
        return is_measure(owner.name) and self._names_rows(owner)

    @cached_property
    def columns_tell_rankers(self) -> bool:
        """Whether the names of most columns of numbers tell that each ranks the rows: accuracy, ppl, Judge 1."""
        names = [self.first[number] for number in self.owned]
        judges = sum(map(is_judge, names))
        told = judges + sum(told_by(name) in ("score", "small") and not is_judge(name) for name in names)
        sure = judges if self.plain[self.owner] in SURE_VOTERS else told
        return len(names) > 1 and 2 * sure >= len(names) and self._names_rows(self.columns[self.owner])

    @cached_property
    def owned(self) -> list[int]:
        """The columns beside the owner that could be rankers or candidates, and do not describe or sum up others."""
        names = [(number, self.first[number]) for number in self.number_columns]
        rankers = [number for number, name in names if not describes_items(name) and not sums_up(name)]
        return rankers or self.number_columns

    @cached_property
    def number_columns(self) -> list[int]:
        """The columns beside the owner that could be rankers or candidates, or describe them."""
        rest = [c for c in self.columns if c.number != self.owner and self.roles[c.number] not in ROLES[:3] and c.cells]
        voters = (*SURE_VOTERS, "name") if self.plain[self.owner] in SURE_VOTERS else ()
        rest = [column for column in rest if column.name and column.plain not in voters]
        if voters:
            cells = {column.number: column.cells for column in rest}
            beside = find_no_candidates({column.number: column.name for column in rest}, cells)
            rest = [column for column in rest if column.number not in beside]
        if "item" in self.roles or self.owner == self.subject:  # a title beside it is none of the rankers
            rest = [column for column in rest if column.holds_number or column.is_mostly_numbers]
        return [column.number for column in rest]

    @property
    def names_item(self) -> bool:
        """Whether the owner is a column of items."""
        told = self.plain[self.owner] in ITEM_WORDS or self.owner == self.subject or self.columns_tell_rankers
        told = told and not self.names_measures
        return self.roles[self.owner] == "item" or (told and "ranker" not in self.roles)

    @cached_property
    def persons(self) -> dict[str, str]:
        """The roles of columns that hold addresses or times, which their names do not tell: these are no choices."""
        named = [c.number for c in self.columns if c.name and c.plain not in VOTER_WORDS]
        return describe_leaving_out(self.first, address_columns(self.body, named), time_columns(self.body, named))


def is_about_answer(name: str) -> bool:
    """Whether a column is named as services name what they tell about an answer: when, who, where, how long.

    >>> [is_about_answer(name) for name in ("IP Address", "form_1_complete", "_uuid", "Q1_DO_2", "Cleo")]
    [True, True, True, True, False]
    """
    plain = plain_name(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name))  # BallotStyle
    if DISPLAY_ORDER.fullmatch(name):
        return True
    known = plain in ABOUT_ANSWERS or plain in VOTER_WORDS or plain_name(name) in ABOUT_ANSWERS
    return known or plain.endswith(ABOUT_ENDS) or plain.startswith("_")


def find_no_candidates(names: Mapping[int, str], cells: Mapping[int, Sequence[str]]) -> set[int]:
    """The columns beside the voters that are about their answers: by their names, and by cells unlike those of others.

    Columns that are named as the tools of surveys name theirs, such as form_1_complete, are so whatever they hold.
    """
    sure = {c for c, name in names.items() if plain_name(name).endswith(TOOL_ENDS) or plain_name(name)[:1] == "_"}
    maybe = {c for c, name in names.items() if c not in sure and is_about_answer(name)}
    places = [
        place for c in names if c not in sure | maybe for cell in cells[c] if (place := read_place(cell)) is not None
    ]
    most = max(places, default=0.0)
    return sure | {c for c in maybe if not all((read_place(cell) or most + 1) <= most for cell in cells[c])}


def describe_unplaced(name: str) -> str:
    """The beginning of a question about such a column."""
    return f"the column {shown(name)} seems to hold choices, too, but does not say which"


def is_choice(name: str, cells: Sequence[str], pool: set[str]) -> bool:
    """Whether a column seems to hold choices, by its name or its cells, though it does not say which choice."""
    if is_about_answer(name) and pool.isdisjoint(cells):
        return False
    words = plain_name(name).split("_")
    hinted = bool(CHOICE_HINTS.intersection(words)) and "name" not in words  # "Last name" is no last choice
    return hinted or not pool.isdisjoint(cells)


def holds_votes(name: str, cells: Sequence[str]) -> bool:
    """Whether the cells of a column are whole votes: A>B>C; in a column named ballot A;B;C and A,B,C as well."""
    marks = VOTE_MARKS if name == "ballot" else ORDER_MARKS
    return bool(cells) and 2 * sum(any(mark in cell.strip("<>") for mark in marks) for cell in cells) >= len(cells)


def are_ticks(cells: Sequence[str]) -> bool:
    """Whether the cells say yes and no, as in a poll in which one may approve of several candidates."""
    plain = {cell.casefold() for cell in cells}.difference(HALF_TICKS)
    return any(yes in plain and plain <= {yes, no, ""} for yes, no in TICKS)


def read_tick(cell: str) -> float | None:
    """1 for yes, 0 for no, None for anything else.

    >>> [read_tick(cell) for cell in ("x", "TRUE", "no", "", "3")]
    [1.0, 1.0, 0.0, 0.0, None]
    """
    if cell.casefold() in HALF_TICKS:
        return 0.5
    said = {yes: 1.0 for yes, _ in TICKS} | {no: 0.0 for _, no in TICKS}
    return said.get(cell.casefold())


def shape(text: str) -> str:
    """The kinds of characters in a text, in their order: ids of one list are often alike in that.

    >>> shape("GENE12-b")
    'a0-a'
    """
    return re.sub(r"[0-9]+", "0", re.sub(r"[^\W\d_]+", "a", text))


def _first_word(text: str) -> str:
    """The letters that a text begins with, without a capital that counts: ``lab`` of lab1, lab_B and labC."""
    match = re.match(r"[^\W\d_]+", text)
    return re.sub(r"(?<=[a-z])[A-Z]$", "", match[0]).casefold() if match else ""


def _repeats(rows: Sequence[Sequence[str]]) -> bool:
    """Whether a cell comes again in one of the rows."""
    filled = ([cell for cell in row if cell] for row in rows)
    return any(len(set(cells)) < len(cells) for cells in filled)


# --- columns about persons, not choices -------------------------------------------------------------------------------


def address_columns(rows: Sequence[Sequence[str]], columns: Sequence[int]) -> list[int]:
    """Those of the columns that hold an address in (nearly) every row, none of which is in another of the columns.

    An address comes again where a person answers twice. Where all columns hold addresses, the addresses that come again
    are what people vote on.
    """
    alike = _matching(rows, columns, ADDRESS)
    shared = _shared_cells(rows, columns) if alike else set()
    alone = [column for column in alike if shared.isdisjoint(row[column] for row in rows)]
    return alone if len(alike) < len(columns) else [column for column in alone if _is_distinct(rows, column)]


def time_columns(rows: Sequence[Sequence[str]], columns: Sequence[int]) -> list[int]:
    """Those of the columns that hold a day and a time of its own in (nearly) every row.

    Where at least half of the times are in another column as well, people vote on times.
    """
    alike = [column for column in _matching(rows, columns, TIME) if _is_distinct(rows, column)]
    shared = _shared_cells(rows, columns) if alike else set()
    return [column for column in alike if 2 * sum(row[column] in shared for row in rows) < len(_cells(rows, column))]


def _matching(rows: Sequence[Sequence[str]], columns: Sequence[int], kind: re.Pattern[str]) -> list[int]:
    """Those of the columns whose cells are (nearly) all of this kind."""
    return [column for column in columns if _match(_cells(rows, column), kind)]


def _match(cells: Sequence[str], kind: re.Pattern[str]) -> bool:
    alike = sum(len(cell) <= LONGEST and kind.fullmatch(cell) is not None for cell in cells)
    return len(cells) >= FEWEST and alike >= MOST * len(cells)


def _is_distinct(rows: Sequence[Sequence[str]], column: int) -> bool:
    """Whether (nearly) no cell comes again, as choices do."""
    cells = _cells(rows, column)
    return len(set(cells)) >= MOST * len(cells)


def _shared_cells(rows: Sequence[Sequence[str]], columns: Sequence[int]) -> set[str]:
    """The cells that are in several of the columns."""
    times = Counter(cell for column in columns for cell in set(_cells(rows, column)))
    return {cell for cell, count in times.items() if count > 1}


def _cells(rows: Sequence[Sequence[str]], column: int) -> list[str]:
    return [row[column] for row in rows if row[column]]


def describe_leaving_out(names: Sequence[str], addresses: Sequence[int], times: Sequence[int]) -> dict[str, str]:
    """The roles of these columns: the first addresses name the voters, the others are left out.

    >>> describe_leaving_out(["when", "who", "1st"], addresses=[1], times=[0])
    {'ranker': 'who', 'ignore': 'when'}
    """
    others = [names[column] for column in (*times, *addresses[1:])]
    return ({"ranker": names[addresses[0]]} if addresses else {}) | ({"ignore": "+".join(others)} if others else {})
