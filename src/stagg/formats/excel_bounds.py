"""How large a workbook is before it is read: its reader makes a table of all cells up to the farthest one."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from typing import IO, Final

from stagg.errors import TooLarge
from stagg.formats.bounds import Bounds
from stagg.formats.excel_errors import number_of_column

__all__ = ["check_workbook"]

FILLED_CELL: Final = re.compile(rb'<c\s(?:[^>]*\s)?r="([A-Z]{1,7})([0-9]{1,10})"[^>]*(?<!/)>')
FREE_CELLS: Final = 1 << 22  # a sheet may span so many, however few are filled
MOST_TIMES: Final = 100  # the cells that are filled
BLOCK: Final = 1 << 20
OVERLAP: Final = 1 << 10  # a tag may lie across two blocks


def check_workbook(file: IO[bytes], bounds: Bounds, name: str) -> None:
    """Refuse a workbook that unpacks to too much, or has a cell far from all others; BadZipFile where it is none."""
    with zipfile.ZipFile(file) as workbook:
        parts = workbook.infolist()
        bounds.check(sum(part.file_size for part in parts), sum(part.compress_size for part in parts))
        for part in parts:
            if part.filename.startswith("xl/worksheets/") and part.filename.endswith(".xml"):
                _check_span(_blocks(workbook, part), name)
    file.seek(0)


def _check_span(blocks: Iterator[bytes], name: str) -> None:
    filled, rows, columns = 0, 0, 0
    for block in blocks:
        for letters, row in FILLED_CELL.findall(block):
            filled += 1
            rows, columns = max(rows, int(row)), max(columns, number_of_column(letters.decode()) + 1)
    if rows * columns > max(FREE_CELLS, MOST_TIMES * filled):
        raise TooLarge(
            f"a sheet spans {rows:,} rows and {columns:,} columns, of which {filled:,} cells are filled; "
            "delete what stands far from the table",
            file=name,
        )


def _blocks(workbook: zipfile.ZipFile, part: zipfile.ZipInfo) -> Iterator[bytes]:
    """The part, unpacked; every block begins with the end of the one before. No more is read than the part claims."""
    end = b""
    with workbook.open(part) as stream:
        while block := stream.read(BLOCK):
            yield end + block
            end = block[-OVERLAP:]
