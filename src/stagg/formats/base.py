"""What a format is: a reader, a writer, and what it can hold."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any, ClassVar, Final, Literal, NoReturn, TypedDict

import numpy as np

from stagg.data.columns import Coded, Columns, from_columns
from stagg.data.ids import Ids
from stagg.data.labels import LARGEST_LABEL, Labels
from stagg.data.rankings import Rankings, Values
from stagg.errors import DataError, InvalidParameter, shown
from stagg.formats.patterns import pattern
from stagg.formats.source import KNOWN_ENDINGS, Source
from stagg.kernels.arrays import IntArray
from stagg.registry import Parametrised

__all__ = [
    "BY_ORDER",
    "BY_RANK",
    "BY_SCORE",
    "IGNORE",
    "INTEGER",
    "LAYOUTS",
    "LEFT_OUT",
    "NUMBER",
    "ONE_QUERY",
    "ROLES",
    "Duplicates",
    "Format",
    "Layout",
    "Loaded",
    "Outer",
    "Problem",
    "ReadOnly",
    "ReadOptions",
    "ReadingOptions",
    "Understood",
    "assemble_rows",
    "check_columns",
    "check_delimiter",
    "find_long_id",
    "hints",
    "id_refusal",
    "label_problem",
    "list_ids",
    "number_text",
    "parse_number",
    "parse_whole",
    "refuse_long_ids",
    "refuse_order_by",
    "refuse_values",
]

NUMBER: Final = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
"""The one grammar of numbers in every text format: ASCII digits, no nan, no inf, no underscores."""

INTEGER: Final = pattern(r"[+-]?[0-9]+")
LONGEST_ID: Final = 1 << 16  # bytes
FAR: Final = 10**18

_NUMBER = pattern(NUMBER)

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
ONE_QUERY: Final = "1"
"""The query of a file that names none, as for lists in memory."""
ROLES: Final = ("query", "ranker", "item", "rank", "score", "multiplicity")
"""What the columns of a long table can be for."""
IGNORE: Final = "ignore"
"""What a caller says of columns to leave out, "Email+Time": no column has this role by its name."""
LEFT_OUT: Final = "(left out)"
"""The name that such a column has among roles."""

Problem = tuple[str, str]
"""Why a row is wrong: a short reason to count by when reading leniently, and the whole sentence."""


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

    def __post_init__(self) -> None:
        for name, (allowed, words) in CHOICES.items():
            value = getattr(self, name)
            if not (value is None or isinstance(value, str)) or value not in allowed:
                raise InvalidParameter(f"{name} is {words}, not {shown(value)}")
        check_delimiter(self.delimiter)
        if self.max_size is not None and not (isinstance(self.max_size, int) and self.max_size > 0):
            raise InvalidParameter(f"max_size is a number of bytes over 0, not {shown(self.max_size)}")
        if self.columns is not None:
            object.__setattr__(self, "columns", check_columns(self.columns))  # their numbers, too, are texts


def check_columns(columns: Any) -> dict[str, str]:
    """{role: name or number of a column, as text}; what is no role, or no column, is an error.

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


@dataclasses.dataclass(frozen=True)
class Understood:
    """What a reader took a file for: its layout, which way its numbers point, what separates its cells."""

    layout: str
    direction: str
    delimiter: str | None = None


BY_SCORE: Final = "scores, large = top"
BY_RANK: Final = "ranks, small = top"
BY_ORDER: Final = "order, best first"


@dataclasses.dataclass(frozen=True)
class Loaded:
    """What a file held: rankings and, where the format carries them, labels.

    ``names_rankers`` says that the file names its rankers itself, so that several files are parts of one whole;
    otherwise every file is one ranker, named by its stem. ``local_rankers`` says that these names mean something
    within the file only (line 3 of one election is not the voter of line 3 of another). ``parts`` are the queries of
    each file, where several were joined. ``query_of_file`` says that the file is one query and was named by it: such
    files in one folder are one ranker. ``understood`` is what ``stagg inspect`` tells.
    """

    rankings: Rankings
    labels: Labels | None = None
    names_rankers: bool = False
    local_rankers: bool = False
    parts: tuple[tuple[str, ...], ...] = ()
    query_of_file: bool = False
    understood: Understood | None = dataclasses.field(default=None, compare=False, repr=False)


class Format(Parametrised, abc.ABC):
    """A file format: found by its name, its endings or its first bytes."""

    endings: ClassVar[tuple[str, ...]]
    """By :data:`KNOWN_ENDINGS`, which is known before the format is imported."""
    writable: ClassVar[bool] = True
    holds_intervals: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.endings = tuple(ending for ending, name in KNOWN_ENDINGS.items() if name == getattr(cls, "name", None))

    @classmethod
    def for_name(cls, name: str) -> Format:
        """The format as the (lower-case, unpacked) name of a file asks for it: .tsv wants tabs, .soc no ties."""
        return cls()

    @classmethod
    @abc.abstractmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        """Whether a file that begins so is most likely of this format."""

    @abc.abstractmethod
    def read(self, source: Source, options: ReadOptions) -> Loaded:
        """All of the source; raises DataError with the place, counts rows in ``source.log``."""

    def refusal(self, rankings: Rankings, labels: Labels | None) -> str | None:
        """Why this format cannot hold the rankings, or None when it can. Asked before a byte is written.

        A format of rows holds lists: a query whose lists are all empty, and a candidate in no list, leave no row.
        """
        if rankings.intervals is not None and not self.holds_intervals:
            return "intervals of ranks; write .csv, .json or .parquet"
        if (rankings.weights != 1).any():
            return "ranker weights; write rankings.with_weights(None)"
        if labels is not None:
            return "labels; write them apart, as qrels"
        return id_refusal(rankings)

    @abc.abstractmethod
    def write(self, rankings: Rankings, stream: IO[bytes], labels: Labels | None = None) -> None:
        """The rankings as bytes, queries in bytewise order of id, items by rank."""

    writes_parts: ClassVar[bool] = False
    """Whether a file can be written some queries at a time: :meth:`render` some, :meth:`write_parts` all."""

    def render(self, rankings: Rankings) -> Any:
        """Some queries as they go into a file."""
        raise NotImplementedError

    def write_parts(self, parts: Iterable[Any], stream: IO[bytes]) -> None:
        """A whole file of rendered parts, in this order: the bytes of writing everything at once."""
        stream.writelines(parts)


class ReadOnly(Format):
    """A format that is read and never written."""

    writable = False

    def refusal(self, rankings: Rankings, labels: Labels | None) -> str | None:
        return "anything: it can only be read; write .csv, .json or .parquet"

    def write(self, rankings: Rankings, stream: IO[bytes], labels: Labels | None = None) -> NoReturn:
        raise InvalidParameter(f"{self.name} can only be read; write csv, json or parquet")


# --- numbers ----------------------------------------------------------------------------------------------------------


def parse_number(text: str) -> float | None:
    """The number that a text spells by the grammar of INPUTS, or None: nan, 1e400, 5,50, 0x10, 1_0 spell none.

    >>> parse_number("1e3"), parse_number("-.5"), parse_number("nan"), parse_number("1e400")
    (1000.0, -0.5, None, None)
    """
    if not _NUMBER.fullmatch(text):
        return None
    number = float(text)
    return number if abs(number) < float("inf") else None


def parse_whole(text: str) -> int | None:
    """The whole number that a text of ASCII digits spells; None for any other text.

    Python's int() also takes other digits, and fails if there are thousands of them. Numbers above 10**18 become
    10**18, which no count and no place reaches.

    >>> parse_whole("007"), parse_whole("9" * 5000), parse_whole("²"), parse_whole("-1")
    (7, 1000000000000000000, None, None)
    """
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    return min(int(digits[:20]), FAR)


def number_text(number: float | np.float32) -> str:
    """The shortest text that reads back the same, in the number's own precision.

    >>> number_text(3.0), number_text(0.1), number_text(1e-7)
    ('3', '0.1', '1e-07')
    """
    return str(number).removesuffix(".0")


def label_problem(text: str, options: ReadOptions) -> Problem | None:
    """Why a text is no label: labels are whole numbers (fractions if asked for) up to 1000."""
    label = parse_number(text)
    if label is None or not (options.float_labels or INTEGER.fullmatch(text)):
        hint = "a number" if options.float_labels else "a whole number; float_labels=True allows fractions"
        return "bad label", f"the label {shown(text)} is not {hint}"
    if label > LARGEST_LABEL:
        return "bad label", f"the label {shown(text)} is over {LARGEST_LABEL}"
    return None


# --- what readers share -----------------------------------------------------------------------------------------------


def hints(source: Source, number: int, line: str) -> str:
    """What may be behind a line that is no row, to append to the error."""
    found = ""
    if "\r" in line.strip():
        return "; its lines seem to end with a carriage return (\\r) alone; convert them to line feeds (\\n)"
    if line.startswith("#"):
        found += "; if '#' lines are comments, say comments=True"
    if number == source.unfinished_line:
        found += "; the file looks truncated"
    if number == 1:
        found += "; if the first line is a header, say header=True"
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
    return rankings, order


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


# --- what writers share -----------------------------------------------------------------------------------------------


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
