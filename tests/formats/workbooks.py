"""Hostile workbooks: small files that claim cells, rows or texts without end, or that no spreadsheet program writes."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable

from tests.door.cases import book

SHEET, ELSEWHERE = "xl/worksheets/sheet1.xml", "xl/other/one.xml"


def change_parts(
    change: Callable[[str, bytes], tuple[str, bytes]], *, sheets: int = 1, shared: tuple[str, ...] = ()
) -> bytes:
    """A small workbook whose parts, each a name and a content, are changed, and whose cells may share texts."""
    packed = io.BytesIO()
    rows = [["item", "score"], ["x", 1.0]]
    with (
        zipfile.ZipFile(io.BytesIO(book(*[(f"S{n}", rows) for n in range(sheets)]))) as old,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for part in old.namelist():
            new.writestr(*change(part, old.read(part)))
        texts = "".join(f"<si><t>{text}</t></si>" for text in shared)
        new.writestr("xl/sharedStrings.xml", f"<sst>{texts}</sst>")
    return packed.getvalue()


def change_sheet(change: Callable[[bytes], bytes]) -> bytes:
    """A small workbook whose sheet is changed."""
    return change_parts(lambda part, content: (part, change(content) if part == SHEET else content))


def add_rows(rows: bytes) -> bytes:
    """A small workbook with more rows, as XML; the first of them has the number 3."""
    return change_sheet(lambda xml: xml.replace(b"</sheetData>", rows + b"</sheetData>"))


def _with_prefix(xml: bytes) -> bytes:
    """The same sheet with a prefix at every element, and a row that is far away."""
    plain = re.sub(rb"<(/?)(?=[a-zA-Z])", rb"<\1x:", xml).replace(b"xmlns=", b"xmlns:x=")
    far = b'<x:row r="50000000"><x:c r="A50000000"><x:v>1</x:v></x:c></x:row>'
    return plain.replace(b"</x:sheetData>", far + b"</x:sheetData>")


def _move_sheet(part: str, content: bytes) -> tuple[str, bytes]:
    """The sheet outside xl/worksheets, with a row that is far away."""
    if part == SHEET:
        far = b'<row r="50000000"><c r="A50000000"><v>1</v></c></row></sheetData>'
        return ELSEWHERE, content.replace(b"</sheetData>", far)
    return part, content.replace(SHEET.encode(), ELSEWHERE.encode())


def _name_text_often(part: str, content: bytes) -> tuple[str, bytes]:
    """Many cells that name the first shared text."""
    row = b'<row><c t="s"><v>0</v></c><c><v>1</v></c></row>'
    return part, content.replace(b"</sheetData>", row * 30_000 + b"</sheetData>")


def _join_sheets(part: str, content: bytes) -> tuple[str, bytes]:
    """All sheets in one part."""
    if part.endswith("workbook.xml.rels"):
        return part, re.sub(rb"/xl/worksheets/sheet\d+\.xml", f"/{SHEET}".encode(), content)
    return part, content


def _declare_entities(xml: bytes) -> bytes:
    """Entities that unfold to a hundred million letters."""
    lines = [b'<!ENTITY e0 "aaaaaaaaaa">']
    lines += [b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 10) for n in range(1, 8)]
    declared = b"<!DOCTYPE worksheet [%s]><worksheet" % b"".join(lines)
    cell = b'<row r="3"><c r="A3" t="str"><v>&e7;</v></c></row></sheetData>'
    return xml.replace(b"<worksheet", declared, 1).replace(b"</sheetData>", cell)


def _open_document() -> bytes:
    """A spreadsheet of LibreOffice under another name, which says that a cell is repeated."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        cell = '<table:table-cell table:number-columns-repeated="100000000" office:value="1"/>'
        archive.writestr("content.xml", f"<office:document-content>{cell}</office:document-content>")
        archive.writestr("xl/nothing.xml", "")
    return packed.getvalue()


BOMBS: dict[str, bytes] = {
    "a row with a number that no sheet has": add_rows(b'<row r="99999999999"><c r="A99999999999"><v>1</v></c></row>'),
    "a cell in a row that no sheet has": add_rows(b'<row r="3"><c r="A99999999999"><v>1</v></c></row>'),
    "a column that no sheet has": add_rows(b'<row r="3"><c r="AAAAAAAAAAAAA2"><v>1</v></c></row>'),
    "the first column that no sheet has": add_rows(b'<row r="3"><c r="XFE3"><v>1</v></c></row>'),
    "the first row that no sheet has": add_rows(b'<row r="1048577"><c r="A1048577"><v>1</v></c></row>'),
    "single quotes": add_rows(b"<row r='50000000'><c r='A50000000'><v>1</v></c></row>"),
    "blanks around the sign": add_rows(b'<row><c\nr = "A50000000" ><v>1</v></c></row>'),
    "a reference in entities": add_rows(b'<row><c r="A5&#48;&#48;00000"><v>1</v></c></row>'),
    "a prefix": change_sheet(_with_prefix),
    "a sheet outside xl/worksheets": change_parts(_move_sheet),
    "the last cell of all": add_rows(b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
    "the last row": add_rows(b'<row r="1048576"><c r="D1048576"><v>1</v></c></row>'),
    "many wide rows": add_rows(b'<row><c r="XFD3"><v>1</v></c></row>' + b"<row><c><v>1</v></c></row>" * 90_000),
    "a row without end": add_rows(b'<row r="3">' + b"<c><v>1</v></c>" * 150_000 + b"</row>"),
    "a shared text of a negative number": add_rows(b'<row r="3"><c r="A3" t="s"><v>-1</v></c></row>'),
    "a shared text that is not there": add_rows(b'<row r="3"><c r="A3" t="s"><v>99999999999</v></c></row>'),
    "a row that comes twice": add_rows(b'<row r="2"><c r="A2"><v>7</v></c></row>'),
    "a cell that comes twice": add_rows(b'<row r="3"><c r="A3"><v>7</v></c><c r="A3"><v>8</v></c></row>'),
    "a cell in the row of another": add_rows(b'<row r="3"><c r="A4"><v>7</v></c></row>'),
    "a number that is none": add_rows(b'<row r="3"><c r="A3"><v>1e999</v></c></row>'),
    "a long text in many cells": change_parts(_name_text_often, shared=("x" * (1 << 20),)),
    "many sheets in one part": change_parts(_join_sheets, sheets=60),
    "elements inside elements": add_rows(b"<x>" * 400_000),
    "entities": change_sheet(_declare_entities),
    "an OpenDocument spreadsheet": _open_document(),
    "a sheet that is missing": change_parts(lambda part, content: (ELSEWHERE if part == SHEET else part, content)),
}
"""What each of them does, and its bytes; every one is to be refused, within 2 s of processor time and 200 MiB."""

LARGEST: dict[str, bytes] = {
    "many full rows": add_rows(b"<row><c><v>1</v></c><c><v>2</v></c></row>" * 70_000),
    "a far row": add_rows(b'<row r="131000"><c r="B131000"><v>1</v></c></row>'),
    "a far column": add_rows(b'<row r="3"><c r="XFD3"><v>1</v></c></row>' + b"<row><c><v>1</v></c></row>" * 10),
    "a far corner": add_rows(b'<row r="3"><c r="SA3"><v>1</v></c></row>' + b"<row><c><v>1</v></c></row>" * 500),
    "empty cells and rows": add_rows(b'<row r="3">' + b"<c/>" * 16_000 + b"</row>" + b"<row/>" * 480_000),
}
"""Small files within the bounds: as dear as they can be, and to be read or refused within the same limits."""
