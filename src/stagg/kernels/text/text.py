"""Delimited text: rows to columns and back, ids as bytes. None, or False, where the compiled twin was not built."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from stagg.kernels.arrays import ByteArray, Int32Array, IntArray
from stagg.kernels.compiled import twin

__all__ = ["count_newlines", "find_blank", "has_twin", "is_text", "join", "kinds", "mark_odd", "split", "split_run"]


def has_twin() -> bool:
    """Whether rows of text are read and written by compiled code here."""
    return twin("text._text") is not None


def kinds() -> dict[str, int] | None:
    """The kinds of columns: an id, a rank, a value, or ignored."""
    compiled = twin("text._text")
    return None if compiled is None else compiled.KINDS


def split(
    content: ByteArray, start: int, end: int, columns: ByteArray, delimiter: str, line: int, comments: bool
) -> tuple[Any, IntArray, IntArray, int, int]:
    """(columns, lines, starts, where the first odd row begins, its line) of the rows at ``start:end``."""
    compiled: Any = twin("text._text")
    found: tuple[Any, IntArray, IntArray, int, int]
    found = compiled.split(content, start, end, columns, ord(delimiter), line, comments)
    return found


def split_run(content: ByteArray, start: int, end: int, line: int) -> tuple[Any, Any, Any, Any, IntArray, Any, int]:
    """(queries, items, ranks, scores, lines, tags, where the first odd row begins) of the rows of a TREC run."""
    compiled: Any = twin("text._text")
    found: tuple[Any, Any, Any, Any, IntArray, Any, int] = compiled.split_run(content, start, end, line)
    return found


def is_text(content: ByteArray, end: int) -> bool:
    """Whether the bytes before ``end`` are UTF-8 without a NUL; there must be a twin."""
    compiled: Any = twin("text._text")
    return bool(compiled.is_text(content, end))


def count_newlines(content: ByteArray, end: int) -> int:
    """How many lines end before ``end``; there must be a twin."""
    compiled: Any = twin("text._text")
    return int(compiled.count_newlines(content, end))


def mark_odd(address: IntArray, length: Int32Array) -> ByteArray | None:
    """Which ids need quotes in a table (1), or hold a NUL (2)."""
    compiled = twin("text._text")
    return None if compiled is None else compiled.mark_odd(address, length)


def find_blank(address: IntArray, length: Int32Array) -> int | None:
    """The first id that columns between blanks cannot hold, or -1."""
    compiled = twin("text._text")
    return None if compiled is None else compiled.find_blank(address, length)


def join(columns: list[Any], rows: int, step: int, delimiter: str) -> Iterator[bytes]:
    """The rows of columns as blocks of ``step`` rows; there must be a twin."""
    compiled: Any = twin("text._text")
    return (compiled.join(columns, first, min(first + step, rows), ord(delimiter)) for first in range(0, rows, step))
