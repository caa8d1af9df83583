"""JSON Lines: one object per line, either a listed item with its columns or a search engine's response."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from stagg.errors import shown
from stagg.formats.documents.elasticsearch import is_response, load_responses
from stagg.formats.documents.json_lists import QUERY_NAMES, holds_list, load_listed_rows, load_lists
from stagg.formats.format import Loaded, ReadOnly
from stagg.formats.options import ReadOptions
from stagg.formats.patterns import pattern
from stagg.formats.storage.source import Source
from stagg.formats.tables.named_columns import NO_CELLS, Cells, check_header, loaded
from stagg.formats.tables.roles import check_ignored, name_roles

__all__ = ["JsonLines", "load_objects", "parse_json"]

FEWEST_DIGITS: Final = 640  # Python accepts whole numbers of so many digits under any setting
BEGINNING: Final = pattern(rb"[ \t\r\n]*\{[^\n]*\}[ \t\r]*\n[ \t\r\n]*\{")


class JsonLines(ReadOnly):
    """JSON Lines: an object per line, with query, item, rank and/or score and ranker; or a response per line."""

    name = "jsonl"

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        return BEGINNING.match(first_bytes) is not None

    def read(self, source: Source, options: ReadOptions) -> Loaded:
        values = _read_values(source, options)
        if not values:
            return loaded(NO_CELLS, source, options)
        if all(isinstance(value, list) for _, value in values):
            return load_lists([value for _, value in values], source, options)
        objects = _keep_objects(values, source, options)
        if is_response(objects[0][1]):
            return load_responses(_name_queries(objects, source), source, options)
        if holds_list(objects[0][1]):
            return load_listed_rows(objects, source, options)
        return load_objects(objects, source, options)


def load_objects(objects: Sequence[tuple[int, dict[str, Any]]], source: Source, options: ReadOptions) -> Loaded:
    """Rankings from (line, object) pairs, one object per listed item."""
    names = list(dict.fromkeys(name for _, each in objects for name in each))
    roles = name_roles(names, source, options, objects[0][0])
    body = ([_text(each.get(name)) for name in names] for _, each in objects)
    known = check_header(roles, source, objects[0][0], own=names, body=body, long_only=True)
    check_ignored(roles, source, options, objects[0][0])
    columns = {role: [each.get(names[roles.index(role)]) for _, each in objects] for role in known}
    lines = np.array([line for line, _ in objects], dtype=np.intp)
    return loaded(Cells(columns, lines), source, options)


def _text(value: Any) -> str:
    """A value as the text of a cell; what is no number and no text looks like none."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def _read_values(source: Source, options: ReadOptions) -> list[tuple[int, Any]]:
    """(line, object or array) of every line that is not blank; what is neither is an error, or dropped when lenient."""
    values = []
    for line, text in enumerate(source.text().split("\n"), start=1):
        if not text.strip(" \t\r"):
            continue
        value = _parse(text)
        if isinstance(value, dict | list):
            values.append((line, value))
        elif options.lenient:
            source.log.dropped("no object", f"{source.name}:{line}")
        else:
            raise source.error(f"expected one JSON object in this line, found {shown(text.strip())}", line)
    return values


def _keep_objects(
    values: Sequence[tuple[int, Any]], source: Source, options: ReadOptions
) -> list[tuple[int, dict[str, Any]]]:
    """The lines that are objects; an array among them is an error, or dropped when lenient."""
    for line, value in values:
        if isinstance(value, list) and not options.lenient:
            raise source.error(f"expected one JSON object in this line, found {shown(json.dumps(value))}", line)
        if isinstance(value, list):
            source.log.dropped("no object", f"{source.name}:{line}")
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


def _name_queries(objects: list[tuple[int, dict[str, Any]]], source: Source) -> list[tuple[str, Any]]:
    """(query, response) of every line: named by the object's own query, else by its number."""
    named: list[tuple[str, Any]] = []
    for number, (line, each) in enumerate(objects, start=1):
        if not is_response(each):
            raise source.error("expected a response with hits in this line, as in the first", line)
        own = next((each[name] for name in QUERY_NAMES if isinstance(each.get(name), str | int)), number)
        named.append((str(own), each))
    return named
