"""Write columns as rows of delimited text, with the compiled twin where it was built: ids stay bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import numpy as np

from stagg.data.columns import Coded
from stagg.data.ids import Ids
from stagg.formats.patterns import pattern
from stagg.kernels.arrays import ByteArray
from stagg.kernels.text import text as kernel

__all__ = ["DELIMITERS", "ROWS", "find_nul", "join_rows", "quote"]

DELIMITERS: Final = (",", "\t", ";")
"""Delimiters that the compiled twin knows."""
ROWS: Final = 50_000  # written at once
NEEDS_QUOTES: Final = pattern(r'[,\t"\r\n]|^[# ]| $')


def quote(text: str) -> str:
    """A field as it is, or in quotes where it would not come back otherwise."""
    return '"' + text.replace('"', '""') + '"' if NEEDS_QUOTES.search(text) else text


def find_nul(ids: Sequence[str]) -> str | None:
    """The first id that holds a NUL."""
    marks = kernel.mark_odd(ids.address, ids.length) if isinstance(ids, Ids) else None
    if marks is not None:
        odd = np.flatnonzero(marks == 2)
        return ids[int(odd[0])] if len(odd) else None
    return next((name for name in ids if "\0" in name), None)


def join_rows(columns: Mapping[str, Any], delimiter: str) -> Iterator[bytes] | None:
    """The rows as blocks of bytes; None where there is no twin, or a number is not finite."""
    finite = not any(column.dtype.kind == "f" and np.isinf(column).any() for column in _numbers(columns))
    if not kernel.has_twin() or delimiter not in DELIMITERS or not finite:
        return None
    parts = [_prepare(column) for column in columns.values()]
    rows = len(next(iter(columns.values())))
    return kernel.join(parts, rows, ROWS, delimiter)


def _numbers(columns: Mapping[str, Any]) -> list[Any]:
    return [column for column in columns.values() if not isinstance(column, Coded)]


def _prepare(column: Any) -> Any:
    """A column as the kernel takes it, ids in the quotes that they need."""
    if isinstance(column, Coded):
        ids = _quote_column(column.ids)
        return np.ascontiguousarray(column.codes, dtype=np.int64), ids.address, ids.length, ids
    return np.ascontiguousarray(column, dtype=np.float64 if column.dtype.kind == "f" else np.int64)


def _quote_column(ids: Sequence[str]) -> Ids:
    """The ids with quotes where they need them, each made once."""
    if not isinstance(ids, Ids):
        return Ids.of_texts([quote(text) for text in ids])
    odd = np.flatnonzero(cast(ByteArray, kernel.mark_odd(ids.address, ids.length)))
    if not len(odd):
        return ids
    quoted = Ids.of_texts([quote(text) for text in ids.take(odd)])
    address, length = ids.address.copy(), ids.length.copy()
    address[odd], length[odd] = quoted.address, quoted.length
    return Ids(address, length, [ids, quoted])
