"""Layout, the base class, and ``Sheet``, the table that a layout reads."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Sequence
from typing import ClassVar

from stagg.formats.format import Loaded
from stagg.formats.reading import Reading
from stagg.formats.row_checks import refuse_order_by
from stagg.formats.tables.profile import Profile
from stagg.formats.tables.roles import check_ignored
from stagg.formats.tables.vocabulary import plain_name
from stagg.registry import Parametrised
from stagg.say import Say

__all__ = ["Layout", "Sheet", "call_column", "refuse_long_rows"]


@dataclasses.dataclass(frozen=True)
class Sheet:
    """A table whose layout is known: the names of its columns (None without a header), and its rows of cells.

    ``roles`` are the names with the roles that a caller, or the names themselves, give to columns.
    """

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
        """The line of the header; the names of JSON objects have none, and are told of the first."""
        return None if self.first_line is None else max(self.first_line - 1, 1)

    def column(self, role: str) -> int | None:
        return self.roles.index(role) if role in self.roles else None

    def name_of(self, column: int) -> str:
        """The name of a column, or its number where there is none."""
        return self.names[column] if self.names and self.names[column] else str(column + 1)

    def call(self, column: int) -> str:
        """How a caller names a column: by its name, or by its number where it has none of its own."""
        return call_column(self.names or [], column)


def call_column(names: Sequence[str], column: int) -> str:
    """How a caller names a column: by its name, or by its number where it has none, or shares it with another.

    >>> [call_column(["Ann", "", "Ben", "Ben"], column) for column in range(4)]
    ['Ann', '2', '3', '4']
    """
    name = names[column] if names else ""
    return name if name and names.count(name) == 1 else str(column + 1)


class Layout(Parametrised, abc.ABC):
    """A meaning of the rows and columns of a table.

    To add one, write a class in a module of its own here, and a line in ``LAYOUTS`` (formats/options.py), at the place
    of its precedence. The command line, the documentation and all messages find it there. The docstring of the class is
    its row in the documentation.
    """

    meaning: ClassVar[str]
    """Its meaning in one sentence, as help, documentation and messages tell it."""
    example: ClassVar[str]
    """A header that it may have, in Markdown, for the documentation."""

    def holds_ballots(self, profile: Profile) -> bool:
        """Whether such a table can hold the ballots of an election."""
        return True

    @abc.abstractmethod
    def fits(self, profile: Profile) -> bool:
        """Whether the table has this layout without doubt; asked of a table for which nobody says it."""

    def ways(self, profile: Profile) -> list[Say]:
        """The options that read the table so, the likelier first; none where it cannot have this layout."""
        return []

    def find_roles(self, profile: Profile) -> dict[str, str]:
        """{role: column} that the table shows without doubt, though its names do not; asked where the layout fits."""
        return {}

    def advise(self, profile: Profile) -> str:
        """A change of the table that would give it this layout, where it lacks little."""
        return ""

    @abc.abstractmethod
    def has_header(self, profile: Profile) -> bool:
        """Whether the first row is a header, where nobody says it; a question if both could be."""

    def check(self, sheet: Sheet, reading: Reading, line: int) -> None:
        """Refuse options and columns that do not fit; ``line`` is the first of the table."""
        refuse_order_by(reading, "this table has no column 'rank' beside a column 'score'")
        voters = ["" if plain_name(role) in ("user", "user_id") else role for role in sheet.roles]
        check_ignored(voters, reading, line, checked=["query"])

    @abc.abstractmethod
    def read(self, sheet: Sheet, reading: Reading) -> tuple[Loaded, str]:
        """(the content of the table, which way its cells point)."""


def refuse_long_rows(sheet: Sheet, reading: Reading) -> None:
    """A row that goes on where the header has ended may have lost its quotes, or a decimal comma."""
    width = max((column + 1 for column, name in enumerate(sheet.names or ()) if name), default=0)
    for row, line in zip(sheet.rows if sheet.names else (), sheet.lines, strict=False):
        cells = max((column + 1 for column, cell in enumerate(row) if cell), default=0)
        if cells > width:
            raise reading.error(
                f"expected the {width} columns of the header, found {cells} cells; name every column, and put a cell "
                "that holds the separator between quotes",
                line,
            )
