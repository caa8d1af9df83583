"""Cell files: all cells of a table in any format, whatever they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from stagg.errors import shown
from stagg.formats.documents.json_rows import cells_of_objects, find_rows
from stagg.formats.documents.jsonl import parse_json
from stagg.formats.reading import Reading
from stagg.formats.tables.cells import CellTable

__all__ = ["CELL_FILES", "read_object_lines"]


def _read_csv(reading: Reading) -> CellTable:
    from stagg.formats.tables.sources.csv import Csv

    return Csv.for_name(reading.plain_name.lower()).cells(reading)


def _read_excel(reading: Reading) -> CellTable:
    from stagg.formats.tables.sources.excel import Excel

    return Excel().cells(reading, lambda names, _, line: {})


def _read_markdown(reading: Reading) -> CellTable:
    from stagg.formats.tables.sources.markdown import Markdown

    return Markdown().cells(reading)


def _read_parquet(reading: Reading) -> CellTable:
    from stagg.formats.tables.sources.parquet import read_parquet_cells

    return read_parquet_cells(reading.source.binary(), reading)


def _read_json_lines(reading: Reading) -> CellTable:
    return _cells_of(read_object_lines(reading), reading)


def _read_json(reading: Reading) -> CellTable:
    try:
        document = parse_json(reading.source.text())
    except (ValueError, RecursionError) as error:
        raise reading.error(f"this is not JSON: {shown(str(error))}") from None
    rows = find_rows(document) or _spread(document)
    if rows is None:
        raise reading.error("expected an array of objects, one for each row, or {row: {column: number}}")
    return _cells_of(rows, reading)


def _spread(document: Any) -> list[tuple[int, dict[str, Any]]] | None:
    """The rows of an object of objects, whose keys name them."""
    if not isinstance(document, dict) or not all(isinstance(each, dict) for each in document.values()):
        return None
    return [(number, {"": name, **each}) for number, (name, each) in enumerate(document.items(), start=1)]


def _cells_of(objects: Sequence[tuple[int, Mapping[str, Any]]], reading: Reading) -> CellTable:
    if not objects:
        raise reading.error("0 rows: there is nothing to read")
    names = list(dict.fromkeys(name for _, each in objects for name in each))
    return cells_of_objects([(line, dict(each)) for line, each in objects], names, reading)


def read_object_lines(reading: Reading) -> list[tuple[int, dict[str, Any]]]:
    """(line, object) of every line of JSON Lines that is not blank; others are errors, or dropped when lenient."""
    objects = []
    for line, text in enumerate(reading.source.text().split("\n"), start=1):
        if not text.strip(" \t\r"):
            continue
        try:
            value = parse_json(text)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            objects.append((line, value))
        elif reading.options.lenient:
            reading.drop("no object", line)
        else:
            raise reading.error(f"expected one JSON object in this line, found {shown(text.strip())}", line)
    return objects


CELL_FILES: Final[Mapping[str, Callable[[Reading], CellTable]]] = {
    "csv": _read_csv, "markdown": _read_markdown, "excel": _read_excel, "parquet": _read_parquet,
    "jsonl": _read_json_lines, "json": _read_json,
}  # fmt: skip
"""Readers of all cells, by format."""
