"""Arrow tables to columns and back, without making text: the way of Parquet files and data frames."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from stagg.data.columns import Coded
from stagg.data.ids import Ids, OwnIds, stack_ids
from stagg.data.rankings import Rankings
from stagg.data.results.beside import columns_beside
from stagg.errors import DataError, printable, shown
from stagg.kernels.arrays import FloatArray, Int32Array, IntArray
from stagg.kernels.text import ids as kernel

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "IDS",
    "check_buffers",
    "code_ids",
    "code_rows",
    "describe_cause",
    "id_array",
    "make_table",
    "no_text",
    "number_array",
    "read_numbers",
    "read_values",
    "reads_columns",
    "row_ids",
    "table_of_frame",
]

LONGEST_CAUSE: Final = 200  # characters of another library's message
IDS: Final = ("query", "ranker", "item")
CONTAINERS: Final = (list, tuple, dict, set, frozenset)
TEXTS: Final = ("string", "large_string", "string_view")
OFFSETS: Final = {"string": np.int32, "large_string": np.int64}
VIEW, INLINE = 16, 4  # bytes of a view of a text, and where a short text lies in it
PIECE: Final = 1 << 18  # rows of a column that are looked at together


def table_of_frame(frame: Any, columns: Sequence[str]) -> pa.Table | None:
    """Some columns of a data frame as an Arrow table; None where the frame or the machine does not know Arrow."""
    streams = hasattr(frame, "__arrow_c_stream__") or hasattr(frame, "__arrow_c_array__")
    if not streams or importlib.util.find_spec("pyarrow") is None:
        return None
    import pyarrow as pa

    try:
        table = _table(frame, columns)
        return table if table.column_names == list(columns) else None  # pandas may add an index
    except Exception as error:
        if isinstance(frame, pa.Table | pa.RecordBatch) or not reads_columns(frame):  # a stream is read once
            raise DataError(f"the frame cannot be read: {describe_cause(error)}") from error
        return None  # objects that are no Arrow type: the columns are looked at one by one


def reads_columns(frame: Any) -> bool:
    """Whether a frame hands out its columns one by one; a stream and a relation of DuckDB do not."""
    return hasattr(frame, "__getitem__") and not hasattr(frame, "fetchnumpy")


def describe_cause(error: Exception) -> str:
    """Error of another library, or of the caller's own code, in one line."""
    text = printable(str(error).partition("\n")[0].strip(), longest=LONGEST_CAUSE)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def check_buffers(column: pa.ChunkedArray) -> None:
    """Raise ArrowInvalid if a column points outside of its memory. Whether its bytes are text is checked later.

    Arrow's own full check reads every byte, so text gets a look at its offsets only.
    """
    import pyarrow as pa

    column.validate()  # the first and the last offset, and the sizes of the buffers
    width = OFFSETS.get(str(column.type))
    if width is None:
        column.validate(full=True)  # of numbers this reads nothing
        return
    for chunk in column.chunks:
        if not len(chunk):
            continue
        offsets = np.frombuffer(chunk.buffers()[1], dtype=width)[chunk.offset : chunk.offset + len(chunk) + 1]
        if (offsets[1:] < offsets[:-1]).any():
            raise pa.ArrowInvalid("the offsets of a text column are not in order")


def _table(frame: Any, columns: Sequence[str]) -> pa.Table:
    import pyarrow as pa

    if isinstance(frame, pa.RecordBatch):
        return pa.Table.from_batches([frame]).select(list(columns))
    if isinstance(frame, pa.Table):
        return frame.select(list(columns))
    if not hasattr(frame, "to_numpy"):  # a reader, a relation: their stream, whole
        return pa.table(frame).select(list(columns))
    part = frame[list(columns)]
    if hasattr(part, "items") and any(_holds_nested(column) for _, column in part.items()):
        raise TypeError("lists of lists")  # Arrow ends the process if one of them holds itself
    if hasattr(part, "get_columns") and all(hasattr(each, "__arrow_c_stream__") for each in part.get_columns()):
        # column by column: a frame of Polars would be copied, its chunks brought together
        return pa.table({each.name: pa.chunked_array(each) for each in part.get_columns()})
    return pa.table(part)


def _holds_nested(column: Any) -> bool:
    """Whether a column of Python objects has a list of lists, or the like, in it."""
    if str(getattr(column, "dtype", "")) != "object":
        return False
    cells = column.tolist()
    if not any(issubclass(kind, CONTAINERS) for kind in set(map(type, cells))):
        return False
    members = (each.values() if isinstance(each, dict) else each for each in cells if isinstance(each, CONTAINERS))
    return any(isinstance(each, CONTAINERS) for some in members for each in some)


def make_table(rankings: Rankings) -> pa.Table:
    """One row per listed item: query, ranker, item, rank (from 1), score if there are scores, and what is beside.

    Ids that came as whole numbers are whole numbers again; those of other objects are text.
    """
    import pyarrow as pa

    lists = rankings.entry_lists
    columns: dict[str, Any] = {
        "query": _own_array(rankings.queries).take(number_array(rankings.list_queries[lists])),
        "ranker": id_array(Coded(rankings.list_rankers[lists], rankings.rankers)),
        "item": _own_array(rankings.items).take(number_array(rankings.entries)),
        "rank": number_array(rankings.positions + 1),
    }
    if rankings.scores is not None:
        columns["score"] = number_array(rankings.scores)
    return pa.table(columns | {name: number_array(column) for name, column in columns_beside(rankings).items()})


def read_values(table: pa.Table) -> dict[str, Any] | None:
    """The columns of a table, ids as codes and numbers as float64; None where a cell has to be looked at closely.

    That is: an id that is missing or empty, a score that is missing or not finite, a rank that is no number from 0 on.
    """
    values: dict[str, Any] = {}
    for name in table.column_names:
        column: Any = code_ids(table[name]) if name in IDS else read_numbers(table[name])
        if column is None or (name == "rank" and not (column >= 0).all()):
            return None
        values[name] = column
    return values


def row_ids(column: pa.ChunkedArray, *, numbers: bool = False, threads: int = 1) -> Ids | None:
    """A column of text row by row, no text copied; None where one is missing or empty, or the type is another.

    ``numbers``: ids that are whole numbers are read, too, and go back to the caller as such.
    """
    import pyarrow as pa

    from stagg.threads import map_threads  # here: most inputs are small

    whole = numbers and pa.types.is_integer(column.type)
    if column.null_count or not (whole or str(column.type) in TEXTS) or not kernel.has_twin():
        return None
    texts = column.cast(pa.large_string()) if whole else column
    address, length = np.empty(len(texts), dtype=np.int64), np.empty(len(texts), dtype=np.int32)

    def place(piece: tuple[int, pa.Array]) -> bool:
        first, some = piece
        here = slice(first, first + len(some))
        _place_texts(some, address[here], length[here])
        return bool(length[here].all())

    if not all(map_threads(place, list(_pieces(texts)), threads)):
        return None
    return Ids(address, length, [texts], column.type if whole else None)


def code_rows(column: pa.ChunkedArray, *, threads: int = 1) -> Coded | None:
    """A long column of text as codes, by pieces; None where one is missing or empty, or the type is another."""
    from stagg.threads import map_threads

    if column.null_count or str(column.type) not in TEXTS or not kernel.has_twin():
        return None
    codes = np.empty(len(column), dtype=np.int64)

    def code(piece: tuple[int, pa.Array]) -> Ids:
        first, some = piece
        address, length = np.empty(len(some), dtype=np.int64), np.empty(len(some), dtype=np.int32)
        _place_texts(some, address, length)
        coded = Coded.of_ids(Ids(address, length, [column]))
        codes[first : first + len(some)] = coded.codes
        return coded.ids  # type: ignore[return-value]

    pieces = list(_pieces(column))
    parts = map_threads(code, pieces, threads)
    whole = Coded.of_ids(stack_ids(parts))
    ids = whole.ids
    if not isinstance(ids, Ids) or not ids.length.all():
        return None
    place = 0
    for (first, some), part in zip(pieces, parts, strict=True):
        numbers = whole.codes[place : place + len(part)]
        if (numbers != np.arange(len(part))).any():
            here = slice(first, first + len(some))
            codes[here] = numbers[codes[here]]
        place += len(part)
    return Coded(codes, Ids(ids.address, ids.length, [column]), as_they_come=True)


def _pieces(column: pa.ChunkedArray) -> Iterator[tuple[int, pa.Array]]:
    """(first row, rows) of pieces that fit the processor's cache."""
    first = 0
    for chunk in column.chunks:
        for start in range(0, len(chunk), PIECE):
            yield first + start, chunk.slice(start, PIECE)
        first += len(chunk)


def _place_texts(texts: pa.Array, address: IntArray, length: Int32Array) -> None:
    """Where the bytes of each text lie, and how many; a text of a damaged file may be no text, or lie outside."""
    texts.validate(full=True)
    start, rows = texts.offset, len(texts)
    if str(texts.type) == "string_view":
        _, views, *buffers = texts.buffers()
        cells = np.frombuffer(views, dtype=np.int32).reshape(-1, 4)[start : start + rows]
        length[:] = cells[:, 0]
        address[:] = np.arange(rows, dtype=np.int64) * VIEW + (views.address + VIEW * start + INLINE)
        long = np.flatnonzero(length > VIEW - INLINE)
        if len(long):
            places = np.array([buffer.address for buffer in buffers], dtype=np.int64)
            address[long] = places[cells[long, 2]] + cells[long, 3]
        return
    _, offsets, data = texts.buffers()
    ends = np.frombuffer(offsets, dtype=OFFSETS[str(texts.type)])[start : start + rows + 1]
    np.add(ends[:-1], np.int64(data.address if data is not None else 0), out=address)
    np.subtract(ends[1:], ends[:-1], out=length, casting="unsafe")


def code_ids(column: pa.ChunkedArray, *, numbers: bool = False) -> Coded | None:
    """A column of ids as codes; None where one is missing or empty, or its type is no text and no whole number.

    ``numbers``: ids that are whole numbers go back to the caller as such.
    """
    import pyarrow as pa

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if column.null_count or not (str(kind) in TEXTS or pa.types.is_integer(kind)):
        return None
    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries()
    else:
        column = column.cast(pa.large_string()).dictionary_encode()
    if not len(column):
        return Coded(np.zeros(0, dtype=np.int64), ())
    coded = column.combine_chunks()
    coded = coded.chunk(0) if isinstance(coded, pa.ChunkedArray) else coded
    distinct = _code_texts(coded.dictionary.cast(pa.large_string()))
    if distinct is None:
        return None
    ids = _as_numbers(distinct.ids, kind) if numbers and pa.types.is_integer(kind) else distinct.ids
    codes = _read_buffer(coded.indices).astype(np.int64)
    if codes.min() < 0 or codes.max() >= len(distinct):
        raise pa.ArrowInvalid("a dictionary index is out of its range")
    return Coded(codes if len(distinct.ids) == len(distinct) else distinct.codes[codes], ids)


def _as_numbers(ids: Sequence[str], kind: pa.DataType) -> Sequence[str]:
    return Ids.of(ids).of_kind(kind)


def _code_texts(texts: pa.Array) -> Coded | None:
    """The texts of a dictionary, each once; None where one is missing or empty."""
    import pyarrow as pa

    texts.validate(full=True)  # a damaged file may hold bytes that are no text
    if texts.null_count:
        return None
    if not kernel.has_twin():
        plain = texts.to_pylist()
        return None if "" in plain else Coded.of_texts(plain)
    ids = row_ids(pa.chunked_array([texts]))
    return None if ids is None else Coded.of_ids(ids)


def read_numbers(column: pa.ChunkedArray) -> FloatArray | None:
    """A column of finite numbers; None where one is missing, not finite, or the type is another."""
    import pyarrow as pa

    if column.null_count or not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        return None
    chunks = [_read_buffer(chunk) for chunk in column.chunks] or [np.zeros(0)]
    numbers: FloatArray = (np.concatenate(chunks) if len(chunks) > 1 else chunks[0]).astype(np.float64, copy=False)
    return numbers if np.isfinite(numbers).all() else None


def _read_buffer(array: pa.Array) -> np.ndarray:
    """Numbers of which none is missing, as they lie in memory. (pyarrow's ``to_numpy`` would import pandas first.)"""
    kind = np.dtype(array.type.to_pandas_dtype())
    if not len(array):
        return np.zeros(0, dtype=kind)
    return np.frombuffer(array.buffers()[1], dtype=kind)[array.offset : array.offset + len(array)]


def number_array(values: np.ndarray, *, gaps: bool = False) -> pa.Array:
    """Numbers as an Arrow array that shares their memory; ``gaps``: a NaN means that there is no number.

    (pyarrow's ``array`` would import pandas first.)
    """
    import pyarrow as pa

    values = np.ascontiguousarray(values)
    kinds = {"f": pa.float64(), "i": pa.int64()}
    missing = np.isnan(values) if gaps and values.dtype.kind == "f" else np.zeros(0, dtype=bool)
    present = pa.py_buffer(np.packbits(~missing, bitorder="little")) if missing.any() else None
    return pa.Array.from_buffers(kinds[values.dtype.kind], len(values), [present, pa.py_buffer(values)])


def no_text(name: str, what: str) -> DataError:
    """The error for an id that text columns cannot hold."""
    return DataError(
        f"the id {shown(name)} holds half a surrogate pair, which {what} cannot hold; rename it, or take to_dict()"
    )


def id_array(column: Coded) -> pa.Array:
    """A column of ids as Arrow text."""
    return _text_array(column.ids).take(number_array(np.asarray(column.codes, dtype=np.int64)))


def _own_array(ids: Sequence[str]) -> pa.Array:
    """Ids as they came, where that is an Arrow type of whole numbers; else their text."""
    import pyarrow as pa

    if isinstance(ids, Ids) and ids.kind is not None:
        return _text_array(ids).cast(ids.kind)
    if isinstance(ids, OwnIds):
        whole = all(type(each) is int and -(2**63) <= each < 2**63 for each in ids.objects)
        kind = ids.kind or (pa.int64() if whole else None)
        return _text_array(ids) if kind is None else _text_array(ids).cast(kind)
    return _text_array(ids)


def _text_array(ids: Any) -> pa.Array:
    import pyarrow as pa

    try:
        data, offsets = Ids.of(ids).gather()
    except UnicodeEncodeError as error:
        raise no_text(error.object, "Arrow tables") from None
    wide = pa.LargeStringArray.from_buffers(len(ids), pa.py_buffer(offsets), pa.py_buffer(data))
    return wide.cast(pa.string())
