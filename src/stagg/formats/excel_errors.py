"""The cells of a workbook whose formula failed (#N/A, #REF!): python-calamine gives them as empty ones."""

from __future__ import annotations

import html
import re
import zipfile
from typing import IO, Any, Final

__all__ = ["find_errors", "number_of_column", "put_errors"]

SHEET: Final = re.compile(rb"<sheet\s[^>]*>")
RELATION: Final = re.compile(rb"<Relationship\s[^>]*>")
ERROR: Final = re.compile(rb'<c\s[^>]*\bt="e"[^>]*>(?:(?!</c>).)*?<v>([^<]{1,16})</v>', re.DOTALL)
PLACE: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


def find_errors(file: IO[bytes], sheet: str) -> dict[tuple[int, int], str]:
    """{(row, column), from 0: the error} of one sheet; nothing where the workbook is built otherwise than usual."""
    try:
        with zipfile.ZipFile(file) as workbook:
            content = workbook.read(_find_part(workbook, sheet))
    except (KeyError, zipfile.BadZipFile, OSError):
        return {}
    found = {}
    for match in ERROR.finditer(content):
        place = PLACE.fullmatch(_attribute(match[0], "r"))
        if place is not None:
            found[int(place[2]) - 1, number_of_column(place[1])] = html.unescape(match[1].decode())
    return found


def put_errors(rows: list[list[Any]], errors: dict[tuple[int, int], str]) -> list[list[Any]]:
    """The rows with the errors in their cells.

    >>> put_errors([["a", ""]], {(0, 1): "#N/A"})
    [['a', '#N/A']]
    """
    for (row, column), error in errors.items():
        if row < len(rows) and column < len(rows[row]):
            rows[row][column] = error
    return rows


def _find_part(workbook: zipfile.ZipFile, sheet: str) -> str:
    """The name of the part that holds a sheet; KeyError where there is none."""
    tags = SHEET.findall(workbook.read("xl/workbook.xml"))
    relations = RELATION.findall(workbook.read("xl/_rels/workbook.xml.rels"))
    parts = {_attribute(tag, "Id"): _attribute(tag, "Target") for tag in relations}
    target = parts[{_attribute(tag, "name"): _attribute(tag, "r:id") for tag in tags}[sheet]]
    return target.removeprefix("/") if target.startswith("/") else f"xl/{target}"


def _attribute(tag: bytes, name: str) -> str:
    match = re.search(rf'\s{name}="([^"]*)"'.encode(), tag)
    return html.unescape(match[1].decode()) if match else ""


def number_of_column(letters: str) -> int:
    """The number of a column, from 0: A, B, ..., Z, AA."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1
