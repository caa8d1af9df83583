"""JSON Lines: one object per line, either a listed item with its columns or a search engine's response."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from stagg.errors import shown
from stagg.formats.documents.json_lists import holds_list, load_listed_rows, load_lists
from stagg.formats.documents.json_rows import load_objects, refuse_table_options
from stagg.formats.documents.responses import find_in_rows, load_responses
from stagg.formats.format import Loaded, ReadOnly
from stagg.formats.patterns import pattern
from stagg.formats.reading import Reading
from stagg.formats.tables.named_columns import NO_CELLS, loaded

__all__ = ["JsonLines", "parse_json"]

FEWEST_DIGITS: Final = 640  # Python accepts whole numbers of so many digits under any setting
BEGINNING: Final = pattern(rb"[ \t\r\n]*\{[^\n]*\}[ \t\r]*\n[ \t\r\n]*\{")


class JsonLines(ReadOnly):
    """JSON Lines: an object per line, with query, item, rank and/or score and ranker; or a response per line."""

    name = "jsonl"

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        return BEGINNING.match(first_bytes) is not None

    def read(self, reading: Reading) -> Loaded:
        values = _read_values(reading)
        if not values:
            return loaded(NO_CELLS, reading)
        if all(isinstance(value, list) for _, value in values):
            refuse_table_options(reading)
            return load_lists([value for _, value in values], reading)
        objects = _keep_objects(values, reading)
        responses = find_in_rows(objects, reading)
        if responses is not None:
            return load_responses(responses, reading)
        if holds_list(objects[0][1]):
            refuse_table_options(reading)
            return load_listed_rows(objects, reading)
        return load_objects(objects, reading)


def _read_values(reading: Reading) -> list[tuple[int, Any]]:
    """(line, object or array) of every line that is not blank; what is neither is an error, or dropped when lenient."""
    values = []
    for line, text in enumerate(reading.source.text().split("\n"), start=1):
        if not text.strip(" \t\r"):
            continue
        value = _parse(text)
        if isinstance(value, dict | list):
            values.append((line, value))
        elif reading.options.lenient:
            reading.drop("no object", line)
        else:
            raise reading.error(f"expected one JSON object in this line, found {shown(text.strip())}", line)
    return values


def _keep_objects(values: Sequence[tuple[int, Any]], reading: Reading) -> list[tuple[int, dict[str, Any]]]:
    """The lines that are objects; an array among them is an error, or dropped when lenient."""
    for line, value in values:
        if isinstance(value, list) and not reading.options.lenient:
            raise reading.error(f"expected one JSON object in this line, found {shown(json.dumps(value))}", line)
        if isinstance(value, list):
            reading.drop("no object", line)
    return [(line, value) for line, value in values if isinstance(value, dict)]


def _parse(text: str) -> Any:
    try:
        return parse_json(text)
    except (ValueError, RecursionError):
        return None


def parse_json(text: str) -> Any:
    """The value of a JSON text. A whole number with more digits than Python accepts becomes an infinite float."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return json.loads(text, parse_int=lambda digits: int(digits) if len(digits) <= FEWEST_DIGITS else float(digits))
