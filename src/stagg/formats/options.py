"""Options of reading (``ReadOptions``): columns, layout, header, strictness."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Final, Literal, TypedDict

from stagg.data.rankings import Values
from stagg.errors import InvalidParameter, shown
from stagg.formats.numbers import FAR

__all__ = [
    "IGNORE",
    "LAYOUTS",
    "ROLES",
    "Duplicates",
    "Layout",
    "Outer",
    "ReadOptions",
    "ReadingOptions",
    "check_columns",
    "check_delimiter",
]

Layout = Literal["long", "columns", "ballots", "list", "wide", "grid", "pairs"]
Duplicates = Literal["error", "best", "first"]
Outer = Literal["query", "ranker"]

LAYOUTS: Final = ("long", "columns", "ballots", "list", "wide", "grid", "pairs")
CHOICES: Final[dict[str, tuple[tuple[str | None, ...], str]]] = {
    "values": ((None, "rank", "score"), "'rank' (small = top) or 'score' (large = top)"),
    "order_by": ((None, "rank", "score"), "'score' or 'rank'"),
    "layout": ((None, *LAYOUTS), f"one of {', '.join(LAYOUTS)}"),
    "duplicates": (("error", "best", "first"), "'error', 'best' or 'first'"),
    "outer": ((None, "query", "ranker"), "'query' or 'ranker'"),
}
"""{reading option: what it may be, and that in words}."""
ROLES: Final = ("query", "ranker", "item", "rank", "score", "multiplicity")
"""Roles that the columns of a long table can have."""
IGNORE: Final = "ignore"
"""Role that a caller gives to columns to leave out, "Email+Time": no column has it by its name."""


class ReadingOptions(TypedDict, total=False):
    """How to read, as keyword arguments; :class:`ReadOptions` says what each means by default."""

    values: Values | None
    order_by: Values | None
    header: bool | None
    comments: bool
    encoding: str
    split_by_tag: bool
    float_labels: bool
    lenient: bool
    names: bool
    layout: Layout | None
    columns: Mapping[str, str | int] | None
    sheet: str | None
    duplicates: Duplicates
    outer: Outer | None
    delimiter: str | None
    max_size: int | None
    memory: int | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How to read a file. None means that the format decides.

    - ``layout``: what the rows and columns of a table mean: "long", "columns", "ballots", "list", "wide", "grid" or
      "pairs".
    - ``columns``: which column has which role, by name or by number: ``{"query": "qid", "item": "doc"}``. The roles are
      query, ranker, item, rank, score and multiplicity. An empty name says that there is no such column. "ignore"
      names columns to leave out, with + between them: ``{"ignore": "Email+Time"}``.
    - ``header``: whether the first line is a header. In formats that do not name their columns it is skipped.
    - ``delimiter``: the character between the cells of a text table. ``sheet``: the sheet of a workbook.
    - ``values``: whether numbers without a name are ranks ("rank", small = top) or scores ("score", large = top).
    - ``order_by``: which column decides the order where a row has both, "score" or "rank".
    - ``duplicates``: an item that is twice in one list is an error; "best" keeps the better row, "first" the first one.
    - ``outer``: whether the outer keys of a JSON file name queries ("query") or rankers ("ranker").
    - ``lenient``: drop wrong rows and count them, instead of raising an error.
    - ``comments``: skip lines that begin with #. ``encoding``: the encoding of text files.
    - ``split_by_tag``: in a TREC file, every run tag is a ranker of its own.
    - ``names``: in a PrefLib file, items are the names of the alternatives, not their numbers.
    - ``float_labels``: labels may be fractions.
    - ``max_size``: how many bytes an input may have, unpacked. Not given: any number for a plain file; for archives and
      pipes 32 GiB, and an archive that unpacks to more than 3 MiB may unpack to 250 times its own size.
    - ``memory``: how many bytes of rows may wait in memory until the other rows of their queries are read; more wait in
      a temporary file. Not given: 256 MiB. It matters for TREC runs, and for CSV and Parquet tables that are fused.
    """

    values: Values | None = None
    order_by: Values | None = None
    header: bool | None = None
    comments: bool = False
    encoding: str = "utf-8"
    split_by_tag: bool = False
    float_labels: bool = False
    lenient: bool = False
    names: bool = False
    layout: Layout | None = None
    columns: Mapping[str, str] | None = None
    sheet: str | None = None
    duplicates: Duplicates = "error"
    outer: Outer | None = None
    delimiter: str | None = None
    max_size: int | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        for name, (allowed, words) in CHOICES.items():
            value = getattr(self, name)
            if not (value is None or isinstance(value, str)) or value not in allowed:
                raise InvalidParameter(f"{name} is {words}, not {shown(value)}")
        check_delimiter(self.delimiter)
        for name in ("max_size", "memory"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, int) and value > 0):
                raise InvalidParameter(f"{name} is a number of bytes over 0, not {shown(value)}")
        if self.columns is not None:
            object.__setattr__(self, "columns", check_columns(self.columns))  # their numbers, too, are texts


def check_columns(columns: Any) -> dict[str, str]:
    """{role: name or number of a column, as text}; an unknown role, or a value that cannot name a column, is an error.

    >>> check_columns({"query": 1, "item": "doc"})
    {'query': '1', 'item': 'doc'}
    """
    known = ", ".join((*ROLES, IGNORE))
    if not isinstance(columns, Mapping):
        raise InvalidParameter(f"columns is a dict that maps the roles {known} to columns, not {shown(columns)}")
    for role, column in columns.items():
        if role not in (*ROLES, IGNORE):
            raise InvalidParameter(f"columns maps the roles {known} to names of columns; there is no {shown(role)}")
        number = isinstance(column, int) and not isinstance(column, bool) and abs(column) < FAR
        if not isinstance(column, str) and not number:
            raise InvalidParameter(
                f"the column for {role} is a name, a number from 1, or '' if there is none; not {shown(column)}"
            )
    return {role: str(column) for role, column in columns.items()}


def check_delimiter(delimiter: object) -> None:
    """Refuse what cannot stand between the cells of a row."""
    fits = isinstance(delimiter, str) and len(delimiter) == 1 and delimiter not in '"\r\n\0'
    fits = fits and not "\ud800" <= str(delimiter) <= "\udfff"  # half of a surrogate pair is no character
    if delimiter is not None and not fits:
        raise InvalidParameter(f"delimiter is one character such as ';', not {shown(delimiter)}")
