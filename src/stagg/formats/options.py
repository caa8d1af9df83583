"""Options of reading (``ReadOptions``): columns, layout, header, strictness."""

from __future__ import annotations

import csv
import dataclasses
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypedDict

from stagg.data.rankings import Values
from stagg.errors import DataError, InvalidParameter, shown
from stagg.formats.numbers import FAR
from stagg.registry import Registry

__all__ = [
    "IGNORE",
    "LABEL",
    "LAYOUTS",
    "OF_CELLS",
    "OF_TEXT",
    "ROLES",
    "Duplicates",
    "Outer",
    "ReadOptions",
    "ReadingOptions",
    "RepeatVoters",
    "check_columns",
    "check_delimiter",
    "check_lower",
    "check_same",
    "rename_rankers",
]

Duplicates = Literal["error", "best", "first", "mean"]
Outer = Literal["query", "ranker"]
RepeatVoters = Literal["keep", "first", "last", "error"]
Overvotes = Literal["skip", "end"]

LAYOUTS: Registry[Any] = Registry(
    "layout",
    [  # in order of precedence
        "long = stagg.formats.tables.layouts.long:Long",  # names of roles can mean nothing else
        "list = stagg.formats.tables.layouts.list:OneList",  # one column is all there is
        "pairs = stagg.formats.tables.layouts.pairs:Pairs",  # told by names: a winner and a loser are no choices
        "wins = stagg.formats.tables.layouts.win_counts:WinCounts",  # told by names: two sides, and the wins of each
        "battles = stagg.formats.tables.layouts.battles:Battles",  # told by names: two sides, and who won
        "form = stagg.formats.tables.layouts.form:Form",  # told by names: questions, each with its columns
        "ballots = stagg.formats.tables.layouts.ballots:BallotRows",  # told by names: 1st choice, 2nd choice
        "wide = stagg.formats.tables.layouts.wide:Wide",  # told by numbers: items before voters, whose names are vaguer
        "grid = stagg.formats.tables.layouts.grid:NumberGrid",
        "columns = stagg.formats.tables.layouts.columns:ColumnLists",  # told by structure alone, so it comes last
    ],
)
"""Meanings of the rows and columns of a table; to add one, write a class and a line here."""
CHOICES: Final[dict[str, tuple[tuple[str | None, ...], str]]] = {
    "values": ((None, "rank", "score"), "'rank' (small = top) or 'score' (large = top)"),
    "order_by": ((None, "rank", "score"), "'score' or 'rank'"),
    "layout": ((None, *LAYOUTS.names()), f"one of {', '.join(LAYOUTS.names())}"),
    "duplicates": (("error", "best", "first", "mean"), "'error', 'best' or 'first', or 'mean' for labels"),
    "outer": ((None, "query", "ranker"), "'query' or 'ranker'"),
    "repeat_voters": (("keep", "first", "last", "error"), "'keep', 'first', 'last' or 'error'"),
    "overvotes": ((None, "skip", "end"), "'skip' or 'end'"),
}
"""{reading option: what it may be, and that in words}."""
OF_CELLS: Final = frozenset(
    ("layout", "columns", "header", "values", "lower", "order_by", "lenient", "duplicates", "grades", "overvotes")
)
"""Options that change how cells are read, and not which cells there are: a question can try them."""
OF_TEXT: Final = OF_CELLS | {"delimiter", "comments"}
"""Options that change how the text of a table is read."""
ROLES: Final = ("query", "ranker", "item", "rank", "score", "multiplicity")
"""Roles that the columns of a long table can have."""
LABEL: Final = "label"
"""Role of the grades in a table of labels."""
IGNORE: Final = "ignore"
"""Role that a caller gives to columns to leave out, "Email+Time": no column has it by its name."""


ColumnsLike = Mapping[str, str | int] | Mapping[str, str | int | Mapping[str, str | int]]
"""{role: column}, and {file: {role: column}}."""


class ReadingOptions(TypedDict, total=False):
    """How to read, as keyword arguments; :class:`ReadOptions` says what each means by default."""

    values: Values | None
    lower: str | Sequence[str] | None
    order_by: Values | None
    keep_ranks: bool
    header: bool | None
    comments: bool
    encoding: str
    split_by_tag: bool
    float_labels: bool
    grades: Mapping[str, float] | None
    lenient: bool
    names: bool
    layout: str | None
    columns: ColumnsLike | None
    sheet: str | None
    duplicates: Duplicates
    outer: Outer | None
    delimiter: str | None
    max_size: int | None
    memory: int | None
    repeat_voters: RepeatVoters
    overvotes: Overvotes | None
    same: Mapping[str, str] | str | None
    rename: Mapping[str, str] | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How to read a file. None means that the format decides.

    - ``layout``: what the rows and columns of a table mean, such as "wide" or "ballots"; ``LAYOUTS`` has all.
    - ``columns``: which column has which role, by name or by number: ``{"query": "qid", "item": "doc"}``. The roles are
      query, ranker, item, rank, score and multiplicity. An empty name says that there is no such column. "ignore"
      names columns to leave out, with + between them: ``{"ignore": "Email+Time"}``. In a table of labels the grades
      have the role label. Columns of one of several files go by its name, with or without its ending:
      ``{"dense": {"item": "id", "rank": "distance"}}``; other files follow the rest.
    - ``header``: whether the first line is a header. In formats that do not name their columns it is skipped.
    - ``delimiter``: the character between the cells of a text table. ``sheet``: the sheet of a workbook; "*" reads all.
    - ``values``: whether numbers without a name are ranks ("rank", small = top) or scores ("score", large = top).
    - ``lower``: the rankers whose small numbers are top, such as ``"ppl,latency_ms"`` or a list of names; the numbers
      of all others are scores, large = top. In a wide table these are columns. An empty text says that there is none.
    - ``order_by``: which column decides the order where a row has both, "score" or "rank".
    - ``keep_ranks``: keep the ranks as the file numbers them (1, 3, 4), for ``rrf(ranks='given')``; they must decide
      the order.
    - ``duplicates``: an item that is twice in one list is an error; "best" keeps the better row, "first" the first one.
      Of labels, "mean" takes the mean of the grades of an item that is judged more than once.
    - ``outer``: whether the outer keys of a JSON file name queries ("query") or rankers ("ranker").
    - ``lenient``: drop wrong rows and count them, instead of raising an error.
    - ``comments``: skip lines that begin with #. ``encoding``: the encoding of text files.
    - ``split_by_tag``: in a TREC file, every run tag is a ranker of its own.
    - ``names``: in a PrefLib file, items are the names of the alternatives, not their numbers.
    - ``float_labels``: labels may be fractions. ``grades``: the numbers of grades that are words, in labels
      and in answers to a form, ``{"Exact": 3}``.
    - ``max_size``: how many bytes an input may have, unpacked. Not given: any number for a plain file; for archives and
      pipes 32 GiB, and an archive that unpacks to more than 3 MiB may unpack to 250 times its own size (LZ4: 60 times).
    - ``memory``: how many bytes of rows may wait in memory until the other rows of their queries are read; more wait in
      a temporary file. Not given: 256 MiB. It matters for TREC runs, and for CSV and Parquet tables that are fused.
    - ``repeat_voters``: a voter who is in several rows of ballots or of a form: all rows count ("keep", with a
      warning), only the "first" or the "last" one, or it is an error ("error").
    - ``overvotes``: choices behind an overvote in a cast vote record: they count, and move up ("skip"), or the ballot
      ends there ("end"). Not given: it is asked.
    - ``same``: other names of items and rankers, ``{"Ana Oritz": "Ana Ortiz"}``, or a file of such pairs, a line each:
      ``Ana Oritz=Ana Ortiz``, or two columns with a comma or tab between. What was merged is noted.
    - ``rename``: other names for rankers, ``{"bm25": "BM25 (k1=0.9)"}``: tables and reports show them, and other
      options know the rankers by them. Names of rankers that are not there are passed over.
    """

    values: Values | None = None
    lower: str | Sequence[str] | None = None
    order_by: Values | None = None
    keep_ranks: bool = False
    header: bool | None = None
    comments: bool = False
    encoding: str = "utf-8"
    split_by_tag: bool = False
    float_labels: bool = False
    grades: Mapping[str, float] | None = None
    lenient: bool = False
    names: bool = False
    layout: str | None = None
    columns: Mapping[str, Any] | None = None
    sheet: str | None = None
    duplicates: Duplicates = "error"
    outer: Outer | None = None
    delimiter: str | None = None
    max_size: int | None = None
    memory: int | None = None
    repeat_voters: RepeatVoters = "keep"
    overvotes: Overvotes | None = None
    same: Mapping[str, str] | str | None = None
    rename: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        for name, (allowed, words) in CHOICES.items():
            value = getattr(self, name)
            if not (value is None or isinstance(value, str)) or value not in allowed:
                raise InvalidParameter(f"{name} is {words}, not {shown(value)}")
        check_delimiter(self.delimiter)
        if self.lower is not None:
            object.__setattr__(self, "lower", check_lower(self.lower))
            if self.values == "rank":
                from stagg.say import Say, tell  # here: few options are wrong

                both = " says that all small numbers are top; leave out values or lower"
                raise InvalidParameter(tell(Say(values="rank"), both))
        for name in ("max_size", "memory"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, int) and value > 0):
                raise InvalidParameter(f"{name} is a number of bytes over 0, not {shown(value)}")
        if self.columns is not None:
            object.__setattr__(self, "columns", check_columns(self.columns))  # their numbers, too, are texts
        if self.grades is not None:
            object.__setattr__(self, "grades", _check_grades(self.grades))
        if self.same is not None:
            object.__setattr__(self, "same", check_same(self.same))
        if self.rename is not None:
            object.__setattr__(self, "rename", _check_rename(self.rename))

    def of_file(self, *names: str) -> ReadOptions:
        """The options of one file, which has these names: its own columns, or those of all files.

        >>> ReadOptions(columns={"item": "doc", "dense": {"item": "id"}}).of_file("dense", "dense.csv").columns
        {'item': 'id'}
        """
        if self.columns is None or not any(isinstance(column, Mapping) for column in self.columns.values()):
            return self
        general = {role: column for role, column in self.columns.items() if isinstance(column, str)}
        own = next((self.columns[name] for name in names if isinstance(self.columns.get(name), Mapping)), general)
        return dataclasses.replace(self, columns=own or None)

    @property
    def row_duplicates(self) -> Literal["error", "best", "first"]:
        """The same for the rows of rankings, which have no mean."""
        return "error" if self.duplicates == "mean" else self.duplicates

    @property
    def files(self) -> list[str]:
        """The files that have columns of their own."""
        return [name for name, column in (self.columns or {}).items() if isinstance(column, Mapping)]


def check_columns(columns: Any) -> dict[str, Any]:
    """{role: name or number of a column, as text}; an unknown role, or a value that cannot name a column, is an error.

    The columns of single files are dicts by the name of the file.

    >>> check_columns({"query": 1, "item": "doc"})
    {'query': '1', 'item': 'doc'}
    """
    known = ", ".join((*ROLES, LABEL, IGNORE))
    if not isinstance(columns, Mapping):
        raise InvalidParameter(f"columns is a dict that maps the roles {known} to columns, not {shown(columns)}")
    found: dict[str, Any] = {}
    for role, column in columns.items():
        if isinstance(column, Mapping) and isinstance(role, str):
            found[role] = check_columns(column)
            if any(isinstance(each, Mapping) for each in column.values()):
                raise InvalidParameter(
                    f"the columns of the file {shown(role)} are {{role: column}}, not {shown(column)}"
                )
            continue
        if role not in (*ROLES, LABEL, IGNORE):
            raise InvalidParameter(f"columns maps the roles {known} to names of columns; there is no {shown(role)}")
        number = isinstance(column, int) and not isinstance(column, bool) and abs(column) < FAR
        if not isinstance(column, str) and not number:
            raise InvalidParameter(
                f"the column for {role} is a name, a number from 1, or '' if there is none; not {shown(column)}"
            )
        found[role] = str(column)
    return found


def _check_grades(grades: Any) -> dict[str, float]:
    """{word: grade}; a grade is a number up to 1000."""
    if not isinstance(grades, Mapping) or not all(isinstance(word, str) for word in grades):
        raise InvalidParameter(f"grades is a dict such as {{'Exact': 3, 'Irrelevant': 0}}, not {shown(grades)}")
    for word, grade in grades.items():
        if not isinstance(grade, int | float) or isinstance(grade, bool) or not -1000 <= grade <= 1000:
            raise InvalidParameter(f"the grade of {shown(word)} is a number up to 1000, not {shown(grade)}")
    return dict(grades)


def check_same(same: Any) -> dict[str, str]:
    """{other name: the name that is kept}, of a dict or a file; a name that stands for a third one leads there.

    >>> check_same({"Oritz": "Ortis", "Ortis": "Ortiz"})
    {'Oritz': 'Ortiz', 'Ortis': 'Ortiz'}
    """
    pairs = _read_same(same) if isinstance(same, str | os.PathLike) else same
    if not isinstance(pairs, Mapping) or not all(
        isinstance(each, str) and each for pair in pairs.items() for each in pair
    ):
        raise InvalidParameter(f"same is a dict such as {{'Ana Oritz': 'Ana Ortiz'}}, or a file, not {shown(same)}")
    return {name: _follow(name, pairs) for name in pairs if pairs[name] != name}


def _follow(name: str, pairs: Mapping[str, str]) -> str:
    seen = {name}
    while name in pairs and pairs[name] != name:
        name = pairs[name]
        if name in seen:
            raise InvalidParameter(f"same leads from {shown(name)} back to it; say which name is kept")
        seen.add(name)
    return name


def _read_same(path: str | os.PathLike[str]) -> dict[str, str]:
    """The pairs of a file, a line each: other name, a mark, the name that is kept; # begins a comment."""
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        raise DataError("there is no such file of names; write a pair as OTHER=NAME", file=os.fspath(path)) from None
    except (OSError, UnicodeError) as error:
        raise DataError(f"cannot be read as names that are the same: {error}", file=os.fspath(path)) from None
    pairs: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = _split_pair(line)
        if len(cells) != 2 or not all(cells):
            what = f"expected two names such as Ana Oritz=Ana Ortiz, found {shown(line)}"
            raise DataError(what, file=os.fspath(path), line=number)
        if pairs.get(cells[0], cells[1]) != cells[1]:
            what = f"{shown(cells[0])} is said to be {shown(pairs[cells[0]])} above, and {shown(cells[1])} here"
            raise DataError(f"{what}; say one of them", file=os.fspath(path), line=number)
        if number > 1 or cells[0].casefold() not in ("alias", "from", "name", "other"):
            pairs[cells[0]] = cells[1]
    return pairs


def _split_pair(line: str) -> list[str]:
    """The names of a line, which the first of these marks in it separates; a name in quotes may hold them.

    >>> _split_pair("Ortiz, Ana=Ana Ortiz"), _split_pair('"Ortiz, Ana",Ana Ortiz')
    (['Ortiz, Ana', 'Ana Ortiz'], ['Ortiz, Ana', 'Ana Ortiz'])
    """
    for mark in "=\t;,":
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=mark, skipinitialspace=True))]
        if len(cells) > 1:
            return cells[:-1] if len(cells) > 2 and not cells[-1] else cells
    return [line]


def _check_rename(rename: Any) -> dict[str, str]:
    """{name: other name}, both texts, the other one not empty."""
    if not isinstance(rename, Mapping) or not all(isinstance(name, str) for name in (*rename, *rename.values())):
        raise InvalidParameter(f"rename is a dict such as {{'bm25': 'BM25'}}, not {shown(rename)}")
    if not all(map(str.strip, rename.values())):
        raise InvalidParameter(f"the new name of {shown(next(n for n in rename if not rename[n].strip()))} is empty")
    return dict(rename)


def rename_rankers(names: Sequence[str], rename: Mapping[str, str]) -> tuple[str, ...]:
    """The names of the rankers, renamed; two that would be the same are an error.

    >>> rename_rankers(("bm25", "dense"), {"bm25": "BM25"})
    ('BM25', 'dense')
    """
    renamed = tuple(rename.get(name, name) for name in names)
    if len(set(renamed)) < len(renamed):
        twice = next(name for name in renamed if renamed.count(name) > 1)
        before = " and ".join(shown(name) for name, new in zip(names, renamed, strict=True) if new == twice)
        raise InvalidParameter(f"rename: {before} would both be {shown(twice)}; give each ranker another name")
    return renamed


def check_lower(lower: Any) -> tuple[str, ...] | str:
    """The names as a tuple; a text stays one, for a name may have a comma of its own, which only the table shows.

    >>> check_lower(["ppl", "latency"]), check_lower("ppl,latency")
    (('ppl', 'latency'), 'ppl,latency')
    """
    if isinstance(lower, str):
        return lower
    if not isinstance(lower, Sequence) or not all(isinstance(name, str) for name in lower):
        raise InvalidParameter(f"lower is names of columns, as a list or with commas between them, not {shown(lower)}")
    return tuple(lower)


def check_delimiter(delimiter: object) -> None:
    """Refuse what cannot stand between the cells of a row."""
    fits = isinstance(delimiter, str) and len(delimiter) == 1 and delimiter not in '"\r\n\0'
    fits = fits and not "\ud800" <= str(delimiter) <= "\udfff"  # half of a surrogate pair is no character
    if delimiter is not None and not fits:
        raise InvalidParameter(f"delimiter is one character such as ';', not {shown(delimiter)}")
