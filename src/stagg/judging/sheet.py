"""The sheet of documents to judge and their grades: a CSV that people, the page and ``stagg judge`` share."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from stagg.data.labels import Labels
from stagg.errors import DataError, shown
from stagg.formats.log import ReadLog
from stagg.formats.storage.atomic import replacing
from stagg.formats.storage.source import UTF16_MARKS, Source

__all__ = [
    "CANNOT",
    "COLUMNS",
    "GRADES",
    "Row",
    "Sheet",
    "count_grades",
    "is_sheet",
    "read_sheets",
    "sheet_text",
    "write_sheet",
]

COLUMNS: Final = ("query", "item", "grade", "assessor", "plan", "batch", "points", "query_text", "item_text")
"""The header of the CSV."""
NEEDED: Final = COLUMNS[:7]
OF_BATCH: Final = COLUMNS[4:7]
CANNOT: Final = "cannot"
"""The grade of a document that could not be judged: its text is missing, or in another language."""
GRADES: Final = (("0", "not relevant"), ("1", "related"), ("2", "relevant"), ("3", "perfect"))
DELIMITERS: Final = ",;\t"


class Row(NamedTuple):
    """One document of a query. ``grade`` is "" where it is not judged yet, and "cannot" where it cannot be judged."""

    query: str
    item: str
    grade: str = ""
    assessor: str = ""
    query_text: str = ""
    item_text: str = ""


@dataclasses.dataclass(frozen=True)
class Sheet:
    """One batch of documents to judge.

    ``plan`` is the digest of the plan that chose them and ``batch`` the number of the batch, from 1. ``points`` is how
    many points of the plan were handed out up to the end of this batch. ``grades`` are the grades that people may
    give, each with its meaning.
    """

    plan: str
    batch: int
    points: int
    rows: tuple[Row, ...]
    grades: tuple[tuple[str, str], ...] = GRADES

    def with_grades(
        self, labels: Labels | Mapping[str, Mapping[str, float]], *, otherwise: float | None = None, assessor: str = ""
    ) -> Sheet:
        """The sheet as an assessor fills it who answers from labels, ``{query: {item: grade}}``.

        A document without a label gets the grade ``otherwise``, or stays unjudged.

        >>> Sheet("5e1f", 1, 20, (Row("q1", "d7"), Row("q1", "d8"))).with_grades({"q1": {"d7": 2}}).rows[0].grade
        '2'
        """
        given = [labels[row.query].get(row.item, otherwise) if row.query in labels else otherwise for row in self.rows]
        rows = [
            row if grade is None else row._replace(grade=f"{grade:g}", assessor=assessor)
            for row, grade in zip(self.rows, given, strict=True)
        ]
        return dataclasses.replace(self, rows=tuple(rows))


def write_sheet(path: str | Path, sheet: Sheet) -> None:
    """Write a sheet as CSV; what :func:`read_sheets` reads from it is the same sheet."""
    with replacing(path) as stream:
        stream.write(sheet_text(sheet).encode())


def sheet_text(sheet: Sheet) -> str:
    r"""The CSV of a sheet.

    >>> sheet_text(Sheet("5e1f", 1, 20, (Row("q1", "d7", "2"),))).splitlines()[1]
    'q1,d7,2,,5e1f,1,20,,'
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    batch = sheet.plan, str(sheet.batch), str(sheet.points)
    writer.writerows((*row[:4], *batch, *row[4:]) for row in sheet.rows)
    return text.getvalue()


def is_sheet(path: str | Path) -> bool:
    """Whether a file begins with the header of a sheet, even if a column was lost; labels lack those of a batch."""
    with Source(path, ReadLog()) as source:
        head = source.peek()
    text = head.decode("utf-16" if head.startswith(UTF16_MARKS) else "utf-8-sig", "replace")
    first = text.split("\n", 1)[0].rstrip("\r")
    names = {name.strip('" ') for name in first.replace(";", ",").replace("\t", ",").split(",")}
    return names.issuperset(COLUMNS[:3]) and len(names.intersection(OF_BATCH)) >= len(OF_BATCH) - 1


def count_grades(path: str | Path) -> int:
    """How many grades a file holds; 0 where it is not a sheet."""
    return sum(bool(row.grade) for sheet in read_sheets([path]) for row in sheet.rows) if is_sheet(path) else 0


def read_sheets(paths: Sequence[str | Path]) -> tuple[Sheet, ...]:
    """The sheets of some files, in order: one for each batch of a plan in each file.

    The file may come back from a spreadsheet: the order of its rows and columns does not matter, cells may be
    separated by semicolons or tabs, and what is not UTF-8 is read as UTF-16 or in a Western encoding. Ids that this
    spoils are refused, since no plan asked for them.
    """
    return tuple(sheet for path in paths for sheet in _read(path))


def _read(path: str | Path) -> Iterator[Sheet]:
    with Source(path, ReadLog(), encoding=_find_encoding(path)) as source:
        text = source.text()
        batches: dict[tuple[str, int, int], list[Row]] = {}
        for line, cells in _read_rows(text, source):
            batch = cells["plan"], _whole(cells, "batch", source, line), _whole(cells, "points", source, line)
            batches.setdefault(batch, []).append(_read_row(cells, source, line))
        source.refuse_change()
    for (plan, number, points), rows in batches.items():
        yield Sheet(plan, number, points, tuple(rows))


def _find_encoding(path: str | Path) -> str:
    """UTF-8, or what a spreadsheet writes in its place: UTF-16 with its mark, or one byte per character."""
    with Source(path, ReadLog()) as source:
        content = b"".join(source.raw_blocks())
    if content.startswith(UTF16_MARKS):
        return "utf-16"
    for encoding in ("utf-8", "cp1252"):
        with contextlib.suppress(UnicodeDecodeError):
            content.decode(encoding)
            return encoding
    return "latin-1"


def _read_rows(text: str, source: Source) -> Iterator[tuple[int, Mapping[str, str]]]:
    """(line, cell by column) of each row; blank rows are left out."""
    first = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_header(header, source)
        line = reader.line_num + 1
        for cells in reader:
            if any(cells):
                yield line, dict(zip(header, [*cells, *[""] * (len(header) - len(cells))], strict=False))
            line = reader.line_num + 1
    except csv.Error as error:
        raise source.error(f"this is not a sheet to judge: {error}", reader.line_num) from None


def _check_header(header: Iterable[str], source: Source) -> None:
    lacking = [name for name in NEEDED if name not in header]
    if lacking:
        columns = "column" if len(lacking) == 1 else "columns"
        raise source.error(
            f"this is not a sheet to judge: it lacks the {columns} {', '.join(lacking)}; the header is "
            f"{','.join(COLUMNS)}", 1,
        )  # fmt: skip


def _read_row(cells: Mapping[str, str], source: Source, line: int) -> Row:
    row = Row(*[cells.get(name, "") for name in Row._fields])
    if not row.query or not row.item:
        raise source.error(f"the {'item' if row.query else 'query'} is empty; expected an id", line)
    return row._replace(grade=row.grade.strip().lower(), assessor=row.assessor.strip())


def _whole(cells: Mapping[str, str], column: str, source: Source, line: int) -> int:
    text = cells[column].strip()
    if text.isascii() and text.isdecimal() and len(text) < 10 and int(text):
        return int(text)
    raise _refuse(source, line, column, text)


def _refuse(source: Source, line: int, column: str, text: str) -> DataError:
    return source.error(f"the {column} is {shown(text)}; expected a whole number, 1 or more", line)
