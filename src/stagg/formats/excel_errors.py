"""The cells of a workbook whose formula failed (#N/A) or was never computed: python-calamine gives them as empty."""

from __future__ import annotations

import html
import re
import zipfile
from typing import IO, Any, Final

__all__ = ["NOT_COMPUTED", "find_errors", "number_of_column", "put_errors"]

SHEET: Final = re.compile(rb"<sheet\s[^>]*>")
RELATION: Final = re.compile(rb"<Relationship\s[^>]*>")
ERROR: Final = re.compile(rb'<c\s[^>]*\bt="e"[^>]*>(?:(?!</c>).)*?<v>([^<]{1,16})</v>', re.DOTALL)
CELL: Final = re.compile(rb"<c\s([^>]*[^>/])>((?:(?!</c>).)*?)</c>", re.DOTALL)
NOT_COMPUTED: Final = "#NOT COMPUTED"
"""What stands for a formula whose result the program that wrote the file did not save."""
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
    return found | _find_not_computed(content)


def _find_not_computed(content: bytes) -> dict[tuple[int, int], str]:
    """The cells with a formula and without a value, as programs write them that are no spreadsheets.

    A formula whose result is an empty text has the type "str".
    """
    if b"<f" not in content:
        return {}
    found = {}
    for tag, inside in CELL.findall(content):
        place = PLACE.fullmatch(_attribute(b" " + tag, "r"))
        if b"<f" in inside and not re.search(rb"<v>[^<]", inside) and b't="str"' not in tag and place is not None:
            found[int(place[2]) - 1, number_of_column(place[1])] = NOT_COMPUTED
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
