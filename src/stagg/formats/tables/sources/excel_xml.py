"""XML of an Excel workbook: elements one after another, without document types, entities or deep nesting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final
from xml.parsers import expat

__all__ = ["Begin", "Damaged", "End", "local_name", "parse"]

DEEPEST: Final = 100  # elements inside each other; workbooks have about 10, and every open one takes memory

Begin = Mapping[str, Callable[[dict[str, str]], None]]
"""Actions where an element begins, which get its attributes, by its name without a prefix."""
End = Mapping[str, Callable[[], None]]
"""Actions where an element ends."""


class Damaged(Exception):
    """A part that no spreadsheet program writes; the message says why."""


def parse(
    blocks: Iterable[bytes], begin: Begin, end: End | None = None, text: Callable[[str], None] | None = None
) -> None:
    """Read a part, and call what is named for its elements, and ``text`` for what stands between tags."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    begins, ends, depth = _ByFullName(begin), _ByFullName(end or {}), 0

    def start_element(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise Damaged(f"more than {DEEPEST} elements lie inside each other")
        begins[name](attributes)

    def end_element(name: str) -> None:
        nonlocal depth
        depth -= 1
        ends[name]()

    parser.StartElementHandler, parser.EndElementHandler = start_element, end_element
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = _refuse_document_type
    for block in blocks:
        parser.Parse(block)
    parser.Parse(b"", True)


class _ByFullName(dict[str, Callable[..., None]]):
    """Actions by the name of an element with its prefix; nothing is done for names that nobody waits for."""

    def __init__(self, by_name: Mapping[str, Callable[..., None]]) -> None:
        self._by_name = by_name

    def __missing__(self, name: str) -> Callable[..., None]:
        action = self[name] = self._by_name.get(local_name(name), _ignore)
        return action


def _ignore(*_: Any) -> None:
    pass


def local_name(name: str) -> str:
    """The name of an element or attribute without its prefix.

    >>> local_name("x:row"), local_name("row")
    ('row', 'row')
    """
    return name.rpartition(":")[2]


def _refuse_document_type(*_: object) -> None:
    raise Damaged("a part declares a document type, which workbooks do not have")
