"""Excel workbook as an archive of parts: the part of each sheet, shared texts, styles that are dates."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from typing import Any, Final

from stagg.errors import TooLarge
from stagg.formats.reading import Reading
from stagg.formats.tables.sources.excel_cells import SheetReader, TextReader
from stagg.formats.tables.sources.excel_dates import BUILT_IN, Kind, kind_of_format
from stagg.formats.tables.sources.excel_xml import Begin, Damaged, End, local_name, parse

__all__ = ["Workbook"]

FREE_CELLS: Final = 1 << 18  # a workbook may span so many, however small it is
CELLS_PER_BYTE: Final = 32  # that it may span beyond; a full table has less than 1, a grid of few ballots about 16
BLOCK: Final = 1 << 18

Row = tuple[int, list[Any]]
"""The number of a row, from 1, and its cells."""


class Workbook:
    """A workbook that is open; ``sheets`` is {name of a sheet: its part}.

    A cell costs what its bytes cost, whatever it claims, and all sheets together may span no more cells than the size
    of the file allows. Where it is no workbook, the error is :class:`Damaged`, or one of zipfile or expat.
    """

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._archive = zipfile.ZipFile(reading.source.binary())
        parts = self._archive.infolist()
        self._packed = sum(part.compress_size for part in parts)
        self._size = sum(part.file_size for part in parts)
        reading.source.bounds.check(self._size, self._packed)
        self._parts = {_key(part.filename): part for part in parts}
        main = self._relations("").find("officeDocument", "xl/workbook.xml")
        related = self._relations(main)
        book, texts, styles = _Book(), _SharedTexts(), _Styles()
        parse(self._unpack(main), book.begin)
        self.sheets = {name: related.parts.get(relation, "") for name, relation in book.sheets}
        if len(set(self.sheets.values())) < len(book.sheets):
            raise Damaged("two sheets have the same name, or lie in the same part")
        folder = posixpath.dirname(main)
        for kind, each in (("sharedStrings", texts), ("styles", styles)):
            part = related.find(kind, posixpath.join(folder, f"{kind}.xml"))
            if _key(part) in self._parts:
                parse(self._unpack(part), each.begin, each.end, each.text)
        self._texts, self._kinds, self._from_1904 = texts.texts, styles.kinds, book.from_1904
        self._spanned = 0

    def read_rows(self, sheet: str) -> list[Row]:
        """The rows of a sheet that hold something, all of the same length."""
        width = 0

        def check_row(number: int, cells: list[Any]) -> None:
            nonlocal width
            width = max(width, len(cells))
            self._check_span((len(read.rows) + 1) * width, number, width)
            self._reading.source.bounds.check(self._size + read.shared_size, self._packed)

        read = SheetReader(self._texts, self._kinds, from_1904=self._from_1904, check_row=check_row)
        read.read(self._unpack(self.sheets[sheet]))
        last = read.rows[-1][0] if read.rows else 0
        self._check_span(last * width, last, width)
        self._spanned += last * width
        self._size += read.shared_size
        return [(number, cells + [""] * (width - len(cells))) for number, cells in read.rows]

    def _check_span(self, cells: int, rows: int, columns: int) -> None:
        if self._spanned + cells > max(FREE_CELLS, CELLS_PER_BYTE * self._packed):
            raise TooLarge(
                f"a sheet spans {rows:,} rows and {columns:,} columns, more than a file of {self._packed:,} bytes "
                "should; delete what stands far from the table",
                file=self._reading.name,
            )

    def _relations(self, part: str) -> _Relations:
        """Relations of a part; empty where it does not name any."""
        folder, name = posixpath.split(part)
        relations = _Relations(folder)
        path = posixpath.join(folder, "_rels", f"{name}.rels")
        if _key(path) in self._parts:
            parse(self._unpack(path), relations.begin)
        return relations

    def _unpack(self, part: str) -> Iterator[bytes]:
        """A part, block by block; no more of it than it claims to be."""
        if _key(part) not in self._parts:
            raise Damaged(f"the part {part!r} is missing")
        with self._archive.open(self._parts[_key(part)]) as stream:
            while block := stream.read(BLOCK):
                yield block


def _key(part: str) -> str:
    """The name of a part as names are compared: without regard to case."""
    return part.removeprefix("/").lower()


class _Relations:
    """``parts``: {id of a relation: the part it leads to}, from a part in a folder."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.parts: dict[str, str] = {}
        self._kinds: dict[str, str] = {}
        self.begin: Begin = {"Relationship": self._relate}

    def find(self, kind: str, default: str) -> str:
        """The part that is related in such a way."""
        return self._kinds.get(kind, default)

    def _relate(self, attributes: dict[str, str]) -> None:
        if attributes.get("TargetMode") != "External":
            target = posixpath.join("/", self._folder, attributes.get("Target", ""))
            part = posixpath.normpath(target).lstrip("/")
            self.parts[attributes.get("Id", "")] = part
            self._kinds[attributes.get("Type", "").rpartition("/")[2]] = part


class _Book:
    """``sheets``: (name, id of the relation that leads to its part) of each."""

    def __init__(self) -> None:
        self.sheets: list[tuple[str, str]] = []
        self.from_1904 = False
        self.begin: Begin = {"sheet": self._add, "workbookPr": self._set_up}

    def _add(self, attributes: dict[str, str]) -> None:
        relation = [text for key, text in attributes.items() if ":" in key and local_name(key) == "id"]
        self.sheets.append((attributes.get("name", ""), relation[0] if relation else ""))

    def _set_up(self, attributes: dict[str, str]) -> None:
        self.from_1904 = attributes.get("date1904") in ("1", "true")


class _SharedTexts:
    """``texts`` that cells name by their number."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._reader = TextReader()
        self.begin, self.text = self._reader.begin, self._reader.add
        self.end: End = {**self._reader.end, "si": lambda: self.texts.append(self._reader.take())}


class _Styles:
    """``kinds``: {number of a style, as cells name it: what numbers mean in it}, of styles that are dates."""

    text = None

    def __init__(self) -> None:
        self.kinds: dict[str, Kind] = {}
        self._formats: dict[str, Kind] = dict(BUILT_IN)
        self._count, self._is_of_cells = 0, False
        self.begin: Begin = {"numFmt": self._add_format, "cellXfs": lambda _: self._enter(True), "xf": self._add_style}
        self.end: End = {"cellXfs": lambda: self._enter(False)}

    def _add_format(self, attributes: dict[str, str]) -> None:
        self._formats[attributes.get("numFmtId", "")] = kind_of_format(attributes.get("formatCode", ""))

    def _enter(self, is_of_cells: bool) -> None:
        self._is_of_cells = is_of_cells

    def _add_style(self, attributes: dict[str, str]) -> None:
        if self._is_of_cells:
            kind = self._formats.get(attributes.get("numFmtId", ""))
            if kind is not None:
                self.kinds[str(self._count)] = kind
            self._count += 1
