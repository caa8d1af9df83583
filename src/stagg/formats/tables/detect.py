"""Detect the layout of a table: what its rows and columns mean, or which option its owner must give."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from stagg.errors import DataError, shown
from stagg.formats.numbers import parse_whole
from stagg.formats.options import ROLES, Layout, ReadOptions
from stagg.formats.storage.source import Source
from stagg.formats.tables.cells import NO_NUMBERS, CellTable, is_number_cell
from stagg.formats.tables.layouts.named_direction import told_by
from stagg.formats.tables.layouts.ordinals import choice_columns, read_ordinal, read_place
from stagg.formats.tables.layouts.person_cells import address_columns, describe_leaving_out, time_columns
from stagg.formats.tables.named_columns import describe_missing
from stagg.formats.tables.roles import (
    COUNT_WORDS,
    ITEM_WORDS,
    VOTER_WORDS,
    check_ignored,
    columns_option,
    find_choice_of_two,
    guess_mapping,
    may_name_ranker,
    name_roles,
    names_other_role,
    plain_name,
    sides_of,
)
from stagg.formats.tables.trim import refuse_long_rows, refuse_qualtrics, refuse_two_headers, without_index

__all__ = [
    "SURE_VOTERS", "TIE_WORDS", "VOTE_MARKS", "Sheet", "are_ticks", "holds_votes", "is_choice",
    "lay_out", "read_tick",
]  # fmt: skip

SURE_VOTERS: Final = tuple(word for word in VOTER_WORDS if word not in ("name", "id"))
"""Names of a column of voters that cannot be items as well."""
VOTE_MARKS: Final = (">", ";", "|", ",")
TIE_WORDS: Final = ("tie", "tied", "draw", "equal", "both", "=", "same", "neither", "tie (bothbad)")
TICKS: Final = (("x", ""), ("✓", "✗"), ("✔", "✘"), ("☑", "☐"), ("yes", "no"), ("y", "n"), ("true", "false"))
"""Signs that people write for yes and for no."""
FIRST_ROWS: Final = 20
SPREADSHEETS: Final = (".csv", ".tsv", ".xlsx", ".xlsm")
CHOICE_HINTS: Final = frozenset(
    (
        "last",
        "worst",
        "least",
        "bottom",
        "lowest",
        "final",
        "other",
        "favourite",
        "favorite",
        "choice",
        "preference",
        "vote",
    )
)
MEANINGS: Final = {
    "long": "one row per listed item",
    "columns": "every column is a ranker's best-first list",
    "ballots": "every row is a voter, the cells are choices from first to last",
    "list": "one id per line, best first",
    "wide": "a column of items, every other column a ranker's numbers",
    "grid": "rows are voters, columns are candidates, cells are ranks",
    "pairs": "every row is a comparison: the winner, the loser",
}


@dataclasses.dataclass(frozen=True)
class Sheet:
    """A table whose layout is known: the names of its columns (None without a header), and its rows of cells.

    ``roles`` are the names with the roles that a caller, or the names themselves, give to columns.
    """

    layout: Layout
    names: list[str] | None
    roles: list[str]
    rows: list[list[str]]
    lines: list[int]
    delimiter: str | None

    @property
    def first_line(self) -> int | None:
        """The line of the first row, for messages; a header may stand alone."""
        return self.lines[0] if self.lines else None

    @property
    def header_line(self) -> int | None:
        return None if self.first_line is None else self.first_line - 1

    def column(self, role: str) -> int | None:
        return self.roles.index(role) if role in self.roles else None


def lay_out(table: CellTable, source: Source, options: ReadOptions) -> Sheet:
    """The table as its layout says, which is given or found; raises where it cannot be told without doubt."""
    refuse_qualtrics(table, source)
    refuse_two_headers(table, source, options)
    counted = without_index(table, source, options)
    found: Layout | None = "columns" if counted is not table else None
    table = counted
    view = _View(table, source, options)
    layout = options.layout or found or view.find_layout()
    header = view.find_header(layout)
    names = table.rows[0] if header else None
    rows, lines = (table.rows[1:], table.lines[1:]) if header else (table.rows, table.lines)
    if names is not None and (layout in ("wide", "grid") or (layout == "ballots" and choice_columns(names))):
        refuse_long_rows(names, rows, lines, source)
    roles = name_roles(names or [""] * table.width, source, options, table.lines[0])
    if layout not in ("columns", "list"):
        voters = [role if plain_name(role) not in ("user", "user_id") else "" for role in roles]
        check_ignored(roles if layout == "wide" else voters, source, options, table.lines[0], checked=["query"])
    return Sheet(layout, names, roles, rows, lines, table.delimiter)


def is_choice(name: str, cells: Sequence[str], pool: set[str]) -> bool:
    """Whether a column seems to hold choices, by its name or its cells, though it does not say which choice."""
    words = plain_name(name).split("_")
    hinted = bool(CHOICE_HINTS.intersection(words)) and "name" not in words  # "Last name" is no last choice
    return hinted or not pool.isdisjoint(cells)


def holds_votes(name: str, cells: Sequence[str]) -> bool:
    """Whether the cells of a column are whole votes: A>B>C; in a column named ballot A;B;C and A,B,C as well."""
    marks = VOTE_MARKS if name == "ballot" else VOTE_MARKS[:1]
    return bool(cells) and 2 * sum(any(mark in cell.strip("<>") for mark in marks) for cell in cells) >= len(cells)


def are_ticks(cells: Sequence[str]) -> bool:
    """Whether the cells say yes and no, as in a poll in which one may approve of several candidates."""
    plain = {cell.casefold() for cell in cells}
    return any(yes in plain and plain <= {yes, no, ""} for yes, no in TICKS)


def read_tick(cell: str) -> float | None:
    """1 for yes, 0 for no, None for anything else.

    >>> [read_tick(cell) for cell in ("x", "TRUE", "no", "", "3")]
    [1.0, 1.0, 0.0, 0.0, None]
    """
    plain = cell.casefold()
    said = {yes: 1.0 for yes, _ in TICKS} | {no: 0.0 for _, no in TICKS}
    return said.get(plain)


class _View:
    """A table looked at from all sides: each question is about its first row, or about the rows below."""

    def __init__(self, table: CellTable, source: Source, options: ReadOptions) -> None:
        self.table, self.source, self.options = table, source, options
        self.first, self.body = table.rows[0], table.rows[1:]
        self.plain = [plain_name(cell) for cell in self.first]
        self.header = table.header if options.header is None else options.header

    # --- which layout ---------------------------------------------------------------------------------------------

    def find_layout(self) -> Layout:
        if self.table.width == 1 and not (choice_columns(self.first) and any(map(str.isalpha, self.first[0]))):
            return self._find_list()
        if self.header is not False:
            for layout in (self._by_names(), self._by_numbers()):
                if layout is not None:
                    return layout
        return self._by_structure()

    def _find_list(self) -> Layout:
        cells = [row[0] for row in self.table.rows[self.header is True :]]
        if all(map(is_number_cell, cells)):
            raise self._error("the lines are numbers; if they are ids, best first, say layout='list'")
        words = {plain_name(word) for word in self.first[0].split()}
        if "item" in words and words & {"rank", "score"}:
            raise self._error("if the cells of this table are separated by blanks, say delimiter=' '")
        votes = "layout='ballots', header=False; if they are ids, best first, layout='list', header=False"
        if any(">" in cell.strip("<>") for cell in cells):
            raise self._error(f"if these lines are votes such as A>B>C, say {votes}")
        twice, times = Counter(cells).most_common(1)[0] if cells else ("", 0)
        if times > 1:
            raise self._error(f"{shown(twice)} is in several lines; if every line is a vote, say {votes}")
        mark = next((mark for mark in ",;\t|" if any(mark in cell for cell in cells)), None)
        if mark is not None:
            ways = f"layout='list'; if every line is a vote, its choices separated by {shown(mark)}, layout='ballots'"
            cells_too = "" if self.table.delimiter == mark else f"; if it separates cells, delimiter={shown(mark)}"
            raise self._error(f"if every line is one id, say {ways}{cells_too}")
        return "list"

    def _by_names(self) -> Layout | None:
        """Pairs and ballots are told by the names of their columns."""
        if {"winner", "loser"} <= set(self.plain) or self._are_choices_of_two():
            return "pairs"
        if self._hold_votes():
            return "ballots"
        choices = choice_columns(self.first)
        named = any(any(map(str.isalpha, self.first[column])) for column in choices)
        if 1 not in choices.values() or (len(choices) < 2 and not named):
            return None
        if not named and {*ITEM_WORDS} & {*self.plain}:
            return None  # item,1,2,3: the numbers are those of the rankers
        if any(self._is_all_numbers(column) for column in choices):
            raise self._refusal("its cells are numbers", ["ballots", "grid"])
        self._refuse_unnamed_choices(choices)
        return "ballots"

    def _are_choices_of_two(self) -> bool:
        """Whether a column names one of two others, or the item in one of them, as the winner of every row."""
        columns = find_choice_of_two(self.first)
        if columns is None or {"a", "b", "choice"} <= set(self.plain):
            return columns is not None
        one, other, chosen = columns
        sides = set().union(*sides_of(self.plain[one], self.plain[other]), TIE_WORDS)
        return bool(self.body) and all(
            row[chosen] in (row[one], row[other]) or {plain_name(row[chosen]), row[chosen].casefold()} & sides
            for row in self.body
        )

    def _hold_votes(self) -> bool:
        """Whether one column holds whole votes, A>B>C, and all others tell who gave them, or how many."""
        votes = [c for c, name in enumerate(self.plain) if holds_votes(name, self._cells(c))]
        others = [name for column, name in enumerate(self.plain) if column not in votes]
        return len(votes) == 1 and bool(others) and {*others} <= {*VOTER_WORDS, *COUNT_WORDS, "query"}

    def _refuse_unnamed_choices(self, choices: dict[int, int]) -> None:
        """A column that holds candidates too, and does not say which choice it is, is not ignored."""
        pool = {cell for column in choices for cell in self._cells(column)}
        for column in range(self.table.width):
            if column not in choices and is_choice(self.first[column], self._cells(column), pool):
                raise self._error(
                    f"the column {shown(self.first[column])} seems to hold choices, too, but does not say which: "
                    "say layout='ballots' if the columns are in order, first to last"
                )

    def _by_numbers(self) -> Layout | None:
        """Tables of numbers: items with their scores, or voters with their ranks."""
        roles = self._roles()
        owner = self._find_owner(roles)
        rest = [k for k, role in enumerate(roles) if k != owner and role not in ROLES[:3] and self._cells(k)]
        voters = (*SURE_VOTERS, "name") if self.plain[owner] in SURE_VOTERS else ()
        rest = [k for k in rest if self.first[k] and self.plain[k] not in voters]
        if "item" in roles:  # a title beside it is none of the rankers
            rest = [k for k in rest if any(map(is_number_cell, self._cells(k)))]
        if not rest or not all(map(self._is_mostly_numbers, rest)):
            return None
        told = roles[owner] in ("item", "ranker") or self.plain[owner] in (*ITEM_WORDS, *SURE_VOTERS)
        if self._is_mostly_numbers(owner) and (not told or any(names_other_role(self.first[k]) for k in rest)):
            return None
        if roles[owner] == "item" or (self.plain[owner] in ITEM_WORDS and "ranker" not in roles):
            alone = len(rest) == 1 and self._guess() is not None
            return None if alone or "rank" in roles or "score" in roles else "wide"
        return "grid" if roles[owner] == "ranker" or self.plain[owner] in SURE_VOTERS else None

    def _find_owner(self, roles: list[str]) -> int:
        """The column that names what a row is about: the items, the voters, or the first that is named at all."""
        for role in ("item", "ranker"):
            if role in roles:
                return roles.index(role)
        voters = (k for k, name in enumerate(self.plain) if name in SURE_VOTERS)
        named = (k for k, role in enumerate(roles) if role != "query" and self.first[k])
        return next(voters, next(named, 0))

    def _by_structure(self) -> Layout:
        """Columns of ids, one of which appears twice in a row: neither ballots nor records could be so."""
        words = {*ROLES, *VOTER_WORDS, *ITEM_WORDS}
        telling = not words.intersection(self.plain) and all(self.first) and self._guess() is None
        if telling and self._are_columns_only() and (self.header is not None or self._knows_header()):
            return "columns"
        raise self._refusal("", self._possible())

    def _are_columns_only(self) -> bool:
        numbers = any(self._is_all_numbers(column) for column in range(self.table.width))
        return not numbers and not self._repeats_in_a_column(self.body) and self._repeats_in_a_row(self.body)

    def _knows_header(self) -> bool:
        """Whether the first row of columns is certainly a header, or certainly none."""
        return self._names_differ_from_ids() or self._repeats_in_a_row([self.first])

    def _names_differ_from_ids(self) -> bool:
        """Whether the first row is unlike the ids below: lab1, lab2, lab3 above genes, names above numbers."""
        cells = [cell for row in self.body for cell in row if cell]
        words = {_first_word(cell) for cell in self.first}
        alike = len(words) == 1 and "" not in words and not words & set(map(_first_word, cells))
        shapes = set(map(_shape, cells))
        return (alike and len(self.first) > 1) or (len(shapes) == 1 and not shapes & set(map(_shape, self.first)))

    # --- which header ---------------------------------------------------------------------------------------------

    def find_header(self, layout: Layout) -> bool:
        """Whether the first row is a header; where both could be, the caller must say it."""
        if self.header is not None:
            return self.header
        if layout == "list":
            return self._list_header()
        if layout in ("wide", "grid"):
            return self._numbers_header()
        if layout == "columns":
            return self._columns_header()
        return self._choices_header(layout)

    def _list_header(self) -> bool:
        """Lists in text files have no header, as a rule; in spreadsheets they have one, as a rule: ask if in doubt."""
        if self.plain[0] == "item":
            return True
        words = (*ITEM_WORDS, *VOTER_WORDS, "genes", "items", "documents", "candidates", "title", "ranking", "list")
        shapes = {_shape(row[0]) for row in self.body}
        odd = len(self.body) > 1 and len(shapes) == 1 and _shape(self.first[0]) not in shapes
        if self.plain[0] in words or odd or self._is_spreadsheet():
            what = f"is {shown(self.first[0])} in the first line a header or an id?"
            ways = "layout='list', header=True or layout='list', header=False"
            raise self._error(f"{what} say {ways}; layout='columns', header=True takes it for the ranker's name")
        return False

    def _is_spreadsheet(self) -> bool:
        return self.source.plain_name.lower().endswith(SPREADSHEETS) and self.options.layout is None

    def _numbers_header(self) -> bool:
        cells = self.first[1:]
        known = {*self.plain} & {*ROLES, *SURE_VOTERS}
        numbers = [parse_whole(cell) for cell in cells]
        if len(cells) > 1 and not known and numbers == _count_from(numbers[0], len(cells)):  # years, or judges
            raise self._error(
                f"is the first line a header? its cells are {self._shown_first()}; say header=True or header=False"
            )
        return any(
            not is_number_cell(self.first[column]) and self._is_mostly_numbers(column)
            for column in range(1, self.table.width)
        ) or bool(known)

    def _columns_header(self) -> bool:
        if self._repeats_in_a_row([self.first]):
            return False  # names of rankers differ
        if self._names_differ_from_ids():
            self._say_header("columns")
            return True
        raise self._error(
            f"is the first line a header? its cells are {self._shown_first()}; "
            "say layout='columns', header=True or layout='columns', header=False"
        )

    def _choices_header(self, layout: Layout) -> bool:
        words = {"winner", "loser", "choice"} if layout == "pairs" else {*VOTER_WORDS, *COUNT_WORDS}
        told = layout == "pairs" and find_choice_of_two(self.first) is not None
        if told or words & set(self.plain) or "query" in self.plain or choice_columns(self.first):
            return True
        if self._first_in_body() or not self.body:
            return False
        raise self._error(
            f"is the first line a header? its cells are {self._shown_first()}; "
            f"say layout='{layout}', header=True or layout='{layout}', header=False"
        )

    def _say_header(self, layout: str) -> None:
        said = f"{self.source.name}: the first line was read as a header"
        self.source.log.note(
            f"{said}: the rankers are {self._shown_first()}; layout='{layout}', header=False reads it as data",
            public=said,
        )

    # --- what there is to see -------------------------------------------------------------------------------------

    def _roles(self) -> list[str]:
        return name_roles(self.first, self.source, self.options, self.table.lines[0])

    def _guess(self) -> dict[str, str] | None:
        return guess_mapping(self.first, self.body) if self.body else None

    def _cells(self, column: int) -> list[str]:
        return [row[column] for row in self.body if row[column]]

    def _number_cells(self, column: int) -> list[str]:
        """The cells of a column but those that say that a number is missing."""
        return [cell for cell in self._cells(column) if cell.casefold() not in (*NO_NUMBERS, "nan")]

    def _is_all_numbers(self, column: int) -> bool:
        cells = self._number_cells(column)
        return bool(cells) and all(map(is_number_cell, cells))

    def _is_all_places(self, column: int) -> bool:
        """Whether the cells are numbers, or places such as 1st and =2."""
        cells = self._number_cells(column)
        return bool(cells) and all(is_number_cell(cell) or read_place(cell) is not None for cell in cells)

    def _lists_beside(self, numbers: list[int]) -> list[str]:
        """The layouts of ids that a table with columns of numbers could have: some columns share their ids."""
        texts = [c for c in range(self.table.width) if c not in numbers and self.plain[c] not in VOTER_WORDS]
        pools = [set(self._cells(column)) for column in texts]
        shared = any(one & other for number, one in enumerate(pools) for other in pools[:number])
        return ["ballots", "columns"] if shared and len(texts) > 2 else []

    def _is_mostly_numbers(self, column: int) -> bool:
        cells = self._number_cells(column)
        return bool(cells) and 2 * sum(is_number_cell(cell) or read_ordinal(cell) is not None for cell in cells) >= len(
            cells
        )

    def _ticks(self) -> bool:
        return bool(self.body) and are_ticks([cell for row in self.body for cell in row[1:]])

    def _first_in_body(self) -> bool:
        """Whether a cell of the first row stands in another row, too: then it is an id, most likely."""
        return not {cell for row in self.body for cell in row if cell}.isdisjoint(filter(None, self.first))

    def _repeats_in_a_column(self, rows: Sequence[Sequence[str]]) -> bool:
        columns = ([row[column] for row in rows if row[column]] for column in range(self.table.width))
        return any(len(set(cells)) < len(cells) for cells in columns)

    @staticmethod
    def _repeats_in_a_row(rows: Sequence[Sequence[str]]) -> bool:
        filled = ([cell for cell in row if cell] for row in rows)
        return any(len(set(cells)) < len(cells) for cells in filled)

    def _shown_first(self) -> str:
        return ", ".join(map(shown, self.first[:8])) + (", …" if self.table.width > 8 else "")

    # --- refusals -------------------------------------------------------------------------------------------------

    def _error(self, message: str) -> DataError:
        return self.source.error(message, self.table.lines[0])

    def _possible(self) -> list[str]:
        """The layouts that this table could have."""
        numbers = [column for column in range(self.table.width) if self._is_all_places(column)]
        if not self.body:
            return ["columns", "ballots"]
        if len(numbers) == self.table.width:
            return ["wide", "grid", "columns", "ballots"]
        if numbers and (0 not in numbers or len(numbers) > 1):
            pairs = ["pairs"] if find_choice_of_two(self.first) else []
            return [*self._lists_beside(numbers), *pairs, "wide", "grid"]
        if self.plain[0] in SURE_VOTERS and self._repeats_in_a_row([row[1:] for row in self.body]):
            return ["grid"]  # yes and no, or grades: no choices, for they come again
        if self._ticks():
            return ["grid"]
        return ["columns", "ballots", *(["pairs"] if self.table.width <= 3 else [])]

    def _refusal(self, why: str, layouts: list[str]) -> DataError:
        """The error that lists what the table could be, each with the option that reads it so."""
        if self.first[0].startswith("#") and not self.options.comments:
            calls = " or ".join(self._call(name) for name in layouts)
            comments = "if '#' lines are comments, say comments=True"
            return self._error(f"the first line begins with '#'; {comments}; if it is a part of the table, say {calls}")
        ways = [f"{name} ({MEANINGS[name]}): {self._call(name)}" for name in layouts if not self._is_refuted(name)]
        if self.header is not False and set(self.plain) & {"query", "item", "rank", "score"}:
            missing = describe_missing(self._roles(), self._complete_roles(), own=self.first, body=self.body)
            if self._lacks_numbers_only():
                return self._error(f"{missing}; add a column rank, 1 for the first of every list")
            other = f". Or the table is something else: {'; '.join(ways)}" if ways else ""
            return self._error(f"{missing}{other}")
        ways = [*self._long_ways(), *ways] or [f"{name} ({MEANINGS[name]}): {self._call(name)}" for name in layouts]
        unclear = "it is not clear what the columns of this table hold"
        what = "this table could be read in several ways" if len(ways) > 1 else unclear
        found = f"{what}{f' ({why})' if why else ''}; its first line is "
        return self._error(f"{found}{self._shown_first()}. Say what it is: {'; '.join(ways)}")

    def _is_refuted(self, layout: str) -> bool:
        """Whether the first rows show that this is not a table of numbers: there are ids among them, or items twice."""
        if layout not in ("wide", "grid") or self.header is False:
            return False
        roles = self._roles()
        owner = self._find_owner(roles)
        others = [
            c for c in range(self.table.width) if c != owner and self.first[c] and self.plain[c] not in VOTER_WORDS
        ]
        if any(self._holds_ids(column) for column in others):
            return True
        items = [row[owner] for row in self.body[:FIRST_ROWS]]
        return layout == "wide" and "query" not in roles and len(set(items)) < len(items)

    def _holds_ids(self, column: int) -> bool:
        """Whether the first cells of a column are ids with digits, which a reader of numbers takes for bad numbers."""
        cells = [row[column] for row in self.body[:FIRST_ROWS] if row[column]]
        return any(any(map(str.isdigit, cell)) for cell in cells) and not self._is_mostly_numbers(column)

    def _call(self, layout: str) -> str:
        """The options that read the table so, with the likelier header first."""
        if self.header is not None:
            return f"layout='{layout}'"
        if layout == "grid" and self._ticks():
            return "layout='grid', values='score', header=True (a tick is 1)"
        if layout == "grid" and not any(map(self._is_mostly_numbers, range(1, self.table.width))):
            return "write the cells as numbers, large = top, then layout='grid', values='score'"
        if layout == "grid" and self._first_has_numbers():
            names = "layout='grid', header=True if the first line names the candidates"
            return f"{names}; else add a header line that names the candidates, then layout='grid'"
        if layout == "wide" and self._first_has_numbers():
            return "layout='wide', header=False (or header=True, if these numbers are names)"
        if layout not in ("columns", "ballots", "pairs"):
            return f"layout='{layout}', header={not self._first_has_numbers()}"
        likely = not self._first_in_body()
        persons = self._persons() if layout == "ballots" and likely else {}
        if persons:
            return f"layout='{layout}', header=True, {columns_option(persons)}"
        if likely and {*VOTER_WORDS} & {*self.plain}:
            return f"layout='{layout}', header=True"
        return f"layout='{layout}', header={likely} (or header={not likely})"

    def _persons(self) -> dict[str, str]:
        """The roles of columns that hold addresses or times, which their names do not tell: these are no choices."""
        named = [c for c in range(self.table.width) if self.first[c] and self.plain[c] not in VOTER_WORDS]
        return describe_leaving_out(self.first, address_columns(self.body, named), time_columns(self.body, named))

    def _first_has_numbers(self) -> bool:
        return any(map(is_number_cell, self.first))

    def _long_ways(self) -> list[str]:
        """How this could be a table of one row per item whose columns have other names, or none."""
        named = not self._first_has_numbers() and self.header is not False and bool(self.body)
        guess = self._guess() if named else None
        numbers = sum(map(self._is_all_numbers, range(self.table.width)))
        several = numbers > 1 and guess is not None and not names_other_role(guess.get("score", guess.get("rank", "")))
        if guess and not several:
            return [f"long ({MEANINGS['long']}): {columns_option(guess)}{_or_ranker(guess)}"]
        other = self._name_long() if named and not several and not self._lacks_numbers_only() else None
        other = self._name_numbered_queries() if named and other is None else other
        if other:
            return [f"long ({MEANINGS['long']}): {columns_option(other)} (query or ranker, rank or score, as they are)"]
        if self._lacks_numbers_only():
            return [f"long ({MEANINGS['long']}): add a column rank, 1 for the first of every list"]
        mapping = None if self.header is True else self._number_columns()
        roles = "query or ranker, rank or score, as they are"
        return [f"long ({MEANINGS['long']}): header=False, {columns_option(mapping)} ({roles})"] if mapping else []

    def _lacks_numbers_only(self) -> bool:
        """Whether the names are those of a ranker and an item, ranker by ranker, without a rank."""
        rankers = [k for k, name in enumerate(self.plain) if name == "ranker" or name in SURE_VOTERS]
        items = [name for name in self.plain if name in ITEM_WORDS]
        again = any(len(set(self._cells(k))) < len(self._cells(k)) for k in rankers)
        numbered = {"rank", "score"} & set(self.plain) or self._guess()
        return bool(items) and again and not numbered and self.header is not False

    def _name_long(self) -> dict[str, str] | None:
        """The columns of a long table whose names say nothing: one of numbers, and one to three of ids.

        The items are in the column that repeats itself least, the last of such columns.
        """
        numbers = [column for column in range(self.table.width) if self._is_all_places(column)]
        texts = [column for column in range(self.table.width) if column not in numbers and self.first[column]]
        if len(numbers) != 1 or not 1 <= len(texts) <= 3 or not self.first[numbers[0]]:
            return None
        item = self._pick_items(texts)
        texts.remove(item)
        roles = dict(zip(("query", "ranker"), (self.first[column] for column in texts), strict=False))
        return roles | {"item": self.first[item], self._pick_number_role(numbers[0]): self.first[numbers[0]]}

    def _name_numbered_queries(self) -> dict[str, str] | None:
        """The same where the queries are whole numbers that come again, such as TopicNr;Dokument;Punkte.

        The items may be numbers, too.
        """
        numbers = [column for column in range(self.table.width) if self._is_all_places(column)]
        texts = [column for column in range(self.table.width) if column not in numbers]
        if not texts and len(numbers) in (3, 4):
            texts = [numbers.pop(1)]
        if not all(self.first) or len(numbers) not in (2, 3) or len(texts) not in (1, 2):
            return None
        query, *rest = numbers
        item = self._pick_items(texts)
        texts.remove(item)
        if not self._numbers_queries(query, item):
            return None
        roles = dict(zip(("query", "ranker"), (self.first[column] for column in (query, *texts)), strict=False))
        values = {self._pick_number_role(column): self.first[column] for column in rest}
        return roles | {"item": self.first[item]} | values if len(values) == len(rest) else None

    def _complete_roles(self) -> dict[str, str] | None:
        """Likely roles of the other columns of a table in which some have the names of roles: query;Dokument;Punkte."""
        roles = self._roles()
        others = [c for c, role in enumerate(roles) if role not in ROLES and self.first[c]]
        numbers = [column for column in others if self._is_all_places(column)]
        texts = [column for column in others if column not in numbers]
        if "item" not in roles and not texts:
            return None
        item = roles.index("item") if "item" in roles else self._pick_items(texts)
        found = {} if "item" in roles else {"item": self.first[item]}
        query = next((c for c in numbers if "query" not in roles and self._numbers_queries(c, item)), None)
        if query is not None:
            numbers.remove(query)
            found["query"] = self.first[query]
        if not {"rank", "score"} & {*roles}:
            if len(numbers) != 1:
                return None
            found[self._pick_number_role(numbers[0])] = self.first[numbers[0]]
        known = {(role, name) for role, name in zip(roles, self.first, strict=True) if role in ROLES}
        found |= {
            role: name for role, name in (self._guess() or {}).items() if (role, name) not in known
        }  # names first
        return {role: found[role] for role in ROLES if role in found} if len({*found.values()}) == len(found) else None

    def _numbers_queries(self, column: int, item: int) -> bool:
        """Whether a column may number the queries of these items: whole numbers, of which some come again.

        Behind the items it is rather a ranker's numbers, unless items come again as well.
        """
        cells, items = self._cells(column), self._cells(item)
        again = len(set(cells)) < len(cells) or len(cells) == 1
        return all(map(str.isdigit, cells)) and again and (column < item or len(set(items)) < len(items))

    def _pick_items(self, texts: Sequence[int]) -> int:
        """The column that repeats itself least, the last of such columns."""
        return max(texts, key=lambda column: (len(set(self._cells(column))), column))

    def _pick_number_role(self, column: int) -> str:
        """Whether a column seems to hold ranks or scores, by its name or its numbers."""
        cells = [read_place(cell) for cell in self._cells(column)]
        ranks = all(cell is not None and cell >= 1 for cell in cells) and 1.0 in cells
        told = told_by(self.first[column])
        return "rank" if told in ("rank", "small") or (ranks and told is None) else "score"

    def _number_columns(self) -> dict[str, str] | None:
        """The columns of a long table without a header, by their numbers: ids, then one column of numbers."""
        if self.table.width == 6 and self.first[1].upper() == "Q0":
            return {"query": "1", "item": "3", "score": "5"}  # a TREC run with commas
        numbers = [column for column, cell in enumerate(self.first) if is_number_cell(cell)]
        if len(numbers) == self.table.width and len(numbers) in (3, 4):  # MS MARCO's runs
            whole = all(row[2].isdigit() for row in self.table.rows)
            roles = ("query", "item", "rank" if whole or len(numbers) == 4 else "score", "score")
            return dict(zip(roles, "1234"[: len(numbers)], strict=False))
        texts = [column for column in range(self.table.width) if column not in numbers]
        if len(numbers) != 1 or len(texts) not in (1, 2, 3):
            return None
        cells = [row[numbers[0]].removesuffix(".") for row in self.table.rows]
        ranked = cells[0] == "1" and all((parse_whole(cell) or 0) >= 1 for cell in cells)
        names = ("ranker",) if ranked and len(texts) == 2 else ("query", "ranker")
        mapping = dict(zip(names[: len(texts) - 1], map(_number_of, texts), strict=False))
        return mapping | {"item": _number_of(texts[-1]), "rank" if ranked else "score": _number_of(numbers[0])}


def _count_from(first: int | None, count: int) -> list[int]:
    return [] if first is None else list(range(first, first + count))


def _or_ranker(guess: dict[str, str]) -> str:
    """The other call where the column of the queries may well be that of the rankers."""
    query = guess.get("query")
    if query is None or "ranker" in guess or not may_name_ranker(query):
        return ""
    turned = {"ranker" if role == "query" else role: name for role, name in guess.items()}
    return f", or {columns_option(turned)} if {shown(query)} names the rankers"


def _shape(text: str) -> str:
    """The kinds of characters in a text, in their order: ids of one list are often alike in that."""
    return re.sub(r"[0-9]+", "0", re.sub(r"[^\W\d_]+", "a", text))


def _first_word(text: str) -> str:
    """The letters that a text begins with."""
    match = re.match(r"[^\W\d_]+", text.casefold())
    return match[0] if match else ""


def _number_of(column: int) -> str:
    return str(column + 1)
