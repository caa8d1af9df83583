"""Data frames in and out: pandas, Polars (lazy ones too), pyarrow, DuckDB, anything that streams Arrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from stagg.data.arrow import code_ids, read_numbers, table_of_frame
from stagg.data.columns import Coded, Columns, from_columns
from stagg.data.ids import OwnIds
from stagg.data.listings import Duplicates, check_duplicates, id_text
from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, bare, need, shown
from stagg.kernels.arrays import FloatArray
from stagg.registry import near_names

__all__ = ["Framed", "collect", "column_names", "find_column", "from_frame", "is_frame", "make_frame"]

LIBRARIES: Final = ("pandas", "polars")
LIKE_QUERY: Final = ("qid", "q_id", "query_id", "queryid", "topic", "topic_id", "qno")
LIKE_RANKER: Final = ("run", "run_id", "system", "retriever", "voter", "judge")
LIKE: Final = {
    "item": ("docno", "doc_id", "docid", "doc", "document", "id", "_id", "candidate", "gene", "name"),
    "score": ("similarity", "sim", "value", "relevance", "_score"),
}
LIKE_DISTANCE: Final = ("distance", "dist", "_distance")
MELT: Final = (
    "; or, if every other column holds a ranker's numbers, make rows of them: "
    "frame.melt('item', var_name='ranker', value_name='score').dropna()"
)
LISTS: Final = "; or, if every column is a best-first list of ids: fuse({name: frame[name].dropna() for name in frame})"
"""What others call these columns: a frame that has one is not taken for one query, or for one ranker."""


def is_frame(given: Any) -> bool:
    """Whether something has columns: a frame, a table, a relation, or a stream of Arrow batches.

    >>> is_frame({"bm25": ["a", "b"]})
    False
    """
    kind = type(given)
    if kind in (list, dict, tuple) or isinstance(given, Rankings | np.ndarray):
        return False
    named = any(hasattr(kind, name) or hasattr(given, name) for name in ("columns", "column_names", "schema"))
    reads = any(hasattr(kind, name) for name in ("__getitem__", "__arrow_c_stream__", "__arrow_c_array__", "collect"))
    return named and reads and not hasattr(kind, "to_frame")  # a column of a frame can be made a frame


def from_frame(
    frame: Any,
    *,
    query: str | None = None,
    item: str | None = None,
    ranker: str | None = None,
    score: str | None = None,
    rank: str | None = None,
    duplicates: Duplicates = "error",
) -> Rankings:
    """See :meth:`Rankings.from_frame`."""
    check_duplicates(duplicates)
    frame = collect(frame)
    present = column_names(frame)
    items = find_column(present, item, "item")
    if items is None:
        raise DataError(f"the frame has no column 'item'{_remedy(present, 'item')}")
    queries = _optional(present, query, "query", LIKE_QUERY)
    rankers = _optional(present, ranker, "ranker", LIKE_RANKER)
    score = find_column(present, score, "score")
    rank = find_column(present, rank, "rank") if score is None else rank
    if score is None and rank is None:
        raise DataError(f"the frame has no column 'score' or 'rank'{_remedy(present, 'score')}")
    named = [name for name in (items, queries, rankers) if name is not None]
    ids, numbers = _read(frame, named, str(score or rank))
    rows = Columns(
        ids[named.index(queries)] if queries is not None else _constant(len(numbers)),
        ids[0],
        numbers,
        rankers="1" if rankers is None else ids[named.index(rankers)],
        by_rank=score is None,
        scores=numbers if score is not None else None,
    )
    return from_columns(rows, duplicates=duplicates)[0]


def column_names(frame: Any) -> list[str]:
    """The names of the columns of a frame, a table, a relation or a stream."""
    if hasattr(frame, "column_names"):
        return [str(name) for name in frame.column_names]
    names = frame.columns if hasattr(frame, "columns") else frame.schema.names
    return [str(name) for name in names]


def make_frame(columns: dict[str, Any], library: str) -> Any:
    """A pandas or Polars frame of some columns."""
    if library not in LIBRARIES:
        raise InvalidParameter(f"frames are of {' or '.join(LIBRARIES)}, not {shown(library)}")
    what = f"{'pandas' if library == 'pandas' else 'Polars'} frames"
    return need(library, what, extra=library).DataFrame(columns)


class Framed:
    """Something with columns, which come out as a frame of pandas or Polars, as an Arrow table, or as its stream."""

    __slots__ = ()

    def _columns(self) -> dict[str, Any]:
        """The columns by name."""
        raise NotImplementedError

    def to_frame(self, library: str = "pandas") -> Any:
        """A frame of pandas or Polars."""
        return make_frame(self._columns(), library)

    def to_arrow(self) -> Any:
        """The columns of :meth:`to_frame` as an Arrow table; needs pyarrow. Ids that Arrow has no type for are text."""
        pyarrow = need("pyarrow", "Arrow tables", extra="parquet")
        return pyarrow.table({name: _plain(column) for name, column in self._columns().items()})

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The rows of :meth:`to_arrow` as a stream: Polars, pandas, DuckDB and pyarrow read it."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)


def _plain(column: Any) -> Any:
    """A column whose cells Arrow knows: ids of mixed or foreign types become text."""
    if isinstance(column, np.ndarray):
        return column
    kinds = {type(cell) for cell in column if cell is not None}
    known = kinds <= {str} or kinds <= {int} or kinds <= {float, int} or not kinds
    return column if known else [None if cell is None else str(cell) for cell in column]


# --- columns by name --------------------------------------------------------------------------------------------------


def find_column(present: list[str], name: str | None, default: str) -> str | None:
    """The column asked for, or the one of the default name, whatever its case; None where there is no such."""
    if name is None:
        same = [each for each in present if each.lower() == default]
        return default if default in present else same[0] if len(same) == 1 else None
    if name not in present:
        raise DataError(f"the frame has no column {shown(name)}{near_names(name, present)}")
    return name


def _optional(present: list[str], name: str | None, default: str, alike: tuple[str, ...]) -> str | None:
    """A column that a frame can do without; one that seems to be it must be named."""
    column = find_column(present, name, default)
    similar = [each for each in present if each.lower() in alike]
    if column is None and similar:
        raise DataError(
            f"the frame has no column {default!r}, but one named {shown(similar[0])}; if that is it, say so: "
            f"Rankings.from_frame(frame, {default}={shown(similar[0])}); if not, leave that column out"
        )
    return column


def _remedy(present: list[str], default: str) -> str:
    """The columns of a frame, and the call that names those which it needs."""
    columns = ", ".join(map(bare, present[:20])) or "none"
    distance = _first_like(present, LIKE_DISTANCE) if default == "score" else None
    role = default if distance is None else "rank"  # small is better
    column = distance or _first_like(present, LIKE[default])
    found = {"query": _first_like(present, LIKE_QUERY), role: column or "…"}
    named = ", ".join(f"{key}={name if name == '…' else shown(name)}" for key, name in found.items() if name)
    hint = "" if column else MELT if "item" in map(str.lower, present) else LISTS
    return f"; its columns are {columns}; say which one it is: Rankings.from_frame(frame, {named}){hint}"


def _first_like(present: list[str], words: tuple[str, ...]) -> str | None:
    found = (name for word in words for name in present if name.lower() == word)
    return next(found, None)


# --- the cells --------------------------------------------------------------------------------------------------------


def collect(frame: Any) -> Any:
    """A lazy frame collected; another as it is."""
    return frame.collect() if hasattr(type(frame), "collect_schema") and hasattr(type(frame), "collect") else frame


def _constant(rows: int) -> Coded:
    return Coded(np.zeros(rows, dtype=np.int64), ("1",))


def _read(frame: Any, ids: list[str], number: str) -> tuple[list[Sequence[str]], FloatArray]:
    """The columns of ids, as codes where the frame speaks Arrow and nothing is odd, and the column of numbers."""
    table = table_of_frame(frame, [*ids, number]) if len({*ids, number}) == len(ids) + 1 else None
    if table is None:
        if not hasattr(frame, "__getitem__") or hasattr(frame, "fetchnumpy"):
            need("pyarrow", "frames that stream Arrow", extra="parquet")
        return [_texts(frame[name].to_numpy(), name) for name in ids], _numbers(frame[number].to_numpy(), number)
    numbers = read_numbers(table[number])
    coded: list[Sequence[str]] = []
    for name in ids:
        codes = code_ids(table[name], numbers=True)
        coded.append(_cells(table[name], name) if codes is None else codes)
    return coded, _numbers(table[number].to_numpy(), number) if numbers is None else numbers


def _cells(column: Any, name: str) -> Sequence[str]:
    """A column of Arrow cells of any other type, or with some that are wrong."""
    values = column.to_pylist()
    if str(column.type) in ("float", "double", "halffloat"):
        values = np.array(values, dtype=float)
        return _texts(values, name)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return _texts(array, name)


def _texts(values: np.ndarray, column: str) -> Sequence[str]:
    """A column of ids as text: whole numbers and such are kept beside it, fractions and gaps are refused."""
    if values.dtype.kind == "f":
        raise DataError(f"the column {column!r} holds fractions; ids are text: convert it (astype(str)) first")
    objects: list[Any] = values.tolist()
    texts = [_cell_id(value, column, row) for row, value in enumerate(objects)]
    if set(map(type, objects)) <= {str}:
        return texts
    coded = Coded.of_texts(texts)
    own: dict[str, Any] = {}
    for text, each in zip(texts, objects, strict=True):
        own.setdefault(text, each)
    return Coded(coded.codes, OwnIds(tuple(coded.ids), [own[text] for text in coded.ids]))


def _cell_id(value: Any, column: str, row: int) -> str:
    if type(value) is str and value:
        return value
    try:
        return id_text(value, column)
    except DataError as error:
        raise DataError(error.message, line=row + 1) from None


def _numbers(values: np.ndarray, column: str) -> FloatArray:
    try:
        numbers = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise DataError(f"the column {column!r} does not hold numbers") from None
    if not np.isfinite(numbers).all():
        row = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise DataError(f"the column {column!r} holds {numbers[row]}; expected finite numbers", line=row + 1)
    return numbers
