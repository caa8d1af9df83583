"""Plain rows of text to columns and back, by the compiled twin: ids stay bytes. What is odd is left to others."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from stagg.data.arrow import IDS
from stagg.data.columns import Coded
from stagg.data.ids import Ids
from stagg.formats.base import ReadOptions
from stagg.formats.source import AFTER, Source
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.compiled import twin

__all__ = ["ROWS", "find_nul", "join_rows", "quote", "split_rows"]

DELIMITERS: Final = (",", "\t", ";")
NUMBERS: Final = ("rank", "score")
ROWS: Final = 50_000  # written at once
BLOCK: Final = 1 << 20
NEEDS_QUOTES: Final = re.compile(r'[,\t"\r\n]|^[# ]| $')


# --- reading ----------------------------------------------------------------------------------------------------------


def split_rows(
    source: Source, options: ReadOptions, names: Sequence[str], delimiter: str, header: int
) -> tuple[dict[str, Coded | FloatArray], IntArray] | None:
    """(columns, line of each row) of a table whose header ends in line ``header``; None if a row has to be looked at.

    The source stays to be read on.
    """
    kernel = twin("_text")
    known = source.encoding == "utf-8" and delimiter in DELIMITERS and "multiplicity" not in names
    held = source.hold() if kernel is not None and known else None
    if kernel is None or held is None or not _is_text(held):
        return None
    content, end = np.frombuffer(held, dtype=np.uint8), len(held) - len(AFTER) + 1
    kinds = [kernel.ID if name in IDS else kernel.VALUE if name in NUMBERS else kernel.IGNORED for name in names]
    start = _skip_lines(held, header)
    columns, lines, stop = kernel.split(
        content, start, end, np.array(kinds, dtype=np.uint8), ord(delimiter), header + 1, options.comments
    )
    if stop < end or not len(lines):
        return None
    found = {name: column for name, column in zip(names, columns, strict=True) if column is not None}
    if "rank" in found and not (found["rank"] >= 0).all():
        return None
    for name in found.keys() & set(IDS):
        address, length = found[name]
        found[name] = Coded.of_ids(Ids(address, length, [content]))
    return found, lines


def _skip_lines(held: bytearray, lines: int) -> int:
    place = 0
    for _ in range(lines):
        place = held.index(b"\n", place) + 1
    return place


def _is_text(held: bytearray) -> bool:
    """Whether these are UTF-8 without a NUL."""
    if held.find(0, 0, -len(AFTER)) >= 0:
        return False
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for place in range(0, 0 if held.isascii() else len(held), BLOCK):
            decoder.decode(held[place : place + BLOCK], final=place + BLOCK >= len(held))
    except UnicodeDecodeError:
        return False
    return True


# --- writing ----------------------------------------------------------------------------------------------------------


def quote(text: str) -> str:
    """A field as it is, or in quotes where it would not come back otherwise."""
    return '"' + text.replace('"', '""') + '"' if NEEDS_QUOTES.search(text) else text


def find_nul(ids: Sequence[str]) -> str | None:
    """The first id that holds a NUL."""
    kernel = twin("_text")
    if kernel is not None and isinstance(ids, Ids):
        odd = np.flatnonzero(kernel.mark_odd(ids.address, ids.length) == 2)
        return ids[int(odd[0])] if len(odd) else None
    return next((name for name in ids if "\0" in name), None)


def join_rows(columns: Mapping[str, Any], delimiter: str) -> Iterator[bytes] | None:
    """The rows as blocks of bytes; None where there is no twin, or a number is not finite."""
    kernel = twin("_text")
    finite = not any(column.dtype.kind == "f" and np.isinf(column).any() for column in _numbers(columns))
    if kernel is None or delimiter not in DELIMITERS or not finite:
        return None
    parts = [_prepare(column, kernel) for column in columns.values()]
    rows = len(next(iter(columns.values())))
    blocks = range(0, rows, ROWS)
    return (kernel.join(parts, first, min(first + ROWS, rows), ord(delimiter)) for first in blocks)


def _numbers(columns: Mapping[str, Any]) -> list[Any]:
    return [column for column in columns.values() if not isinstance(column, Coded)]


def _prepare(column: Any, kernel: Any) -> Any:
    """A column as the kernel takes it, ids in the quotes that they need."""
    if isinstance(column, Coded):
        ids = _quote_column(column.ids, kernel)
        return np.ascontiguousarray(column.codes, dtype=np.int64), ids.address, ids.length, ids
    return np.ascontiguousarray(column, dtype=np.float64 if column.dtype.kind == "f" else np.int64)


def _quote_column(ids: Sequence[str], kernel: Any) -> Ids:
    """The ids with quotes where they need them, each made once."""
    if not isinstance(ids, Ids):
        return Ids.of_texts([quote(text) for text in ids])
    odd = np.flatnonzero(kernel.mark_odd(ids.address, ids.length))
    if not len(odd):
        return ids
    quoted = Ids.of_texts([quote(text) for text in ids.take(odd)])
    address, length = ids.address.copy(), ids.length.copy()
    address[odd], length[odd] = quoted.address, quoted.length
    return Ids(address, length, [ids, quoted])
