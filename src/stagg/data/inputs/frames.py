"""Data frames in and out: pandas, Polars (lazy ones too), pyarrow, DuckDB, anything that streams Arrow."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Integral
from typing import Any, Final

import numpy as np

from stagg.data.columns import Coded, Columns, from_columns
from stagg.data.ids import OwnIds
from stagg.data.inputs.arrow import (
    check_buffers,
    code_ids,
    code_rows,
    describe_cause,
    no_text,
    read_numbers,
    reads_columns,
    row_ids,
    table_of_frame,
)
from stagg.data.inputs.lists import Duplicates, check_duplicates, id_text
from stagg.data.large_numbers import is_large, warn_of_lost_digits
from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, StaggError, bare, need, shown, spelled
from stagg.kernels.arrays import FloatArray
from stagg.registry import near_names

__all__ = [
    "Framed", "are_rows", "collect", "column_names", "find_column", "from_frame", "has_plain_names", "is_frame",
    "is_plain_frame", "make_frame",
]  # fmt: skip

LIBRARIES: Final = ("pandas", "polars")
MANY: Final = 1 << 17  # rows; fewer are read sooner than threads are started
SURROGATE: Final = re.compile("[\ud800-\udfff]")
LIKE_QUERY: Final = ("qid", "q_id", "query_id", "queryid", "topic", "topic_id", "qno")
LIKE_RANKER: Final = ("run", "run_id", "system", "retriever", "voter", "judge")
MAYBE_QUERY: Final = ("question", "election", "session", "user", "user_id", "userid", "request")
MAYBE_RANKER: Final = (
    "study", "dataset", "cohort", "experiment", "screen", "cell_line", "contrast", "comparison", "cluster", "runid",
    "model", "engine", "voter_id", "expert", "annotator", "reviewer", "source", "lab", "method", "algorithm",
    "respondent", "participant", "user", "user_id", "userid",
)  # fmt: skip
"""Names of columns that may be the query or the ranker, or something else, beside those that are like them."""
LIKE: Final = {
    "item": ("docno", "doc_id", "docid", "doc", "document", "id", "_id", "candidate", "gene", "name"),
    "score": ("similarity", "sim", "value", "relevance", "_score"),
}
LIKE_DISTANCE: Final = ("distance", "dist", "_distance")
"""Other names of these columns: a frame that has one is not taken for one query, or for one ranker."""
OTHERS: Final = "; stagg.read(frame) reads frames of other layouts"


class RowTable:
    """Rows, each a dict by column, as a frame: ``table[name].to_numpy()`` are the cells of a column."""

    def __init__(self, rows: Sequence[Mapping[Any, Any]]) -> None:
        self._rows = rows
        self._keys = {spelled(name): name for row in rows for name in row}
        self.columns = list(self._keys)

    def __getitem__(self, name: str) -> RowTable._Column:
        return RowTable._Column([row.get(self._keys[name]) for row in self._rows])

    class _Column:
        def __init__(self, cells: list[Any]) -> None:
            self._cells = cells

        def to_numpy(self) -> np.ndarray:
            return _objects(self._cells)


def are_rows(given: Any) -> bool:
    """Whether something is a list of rows, each a dict by column.

    >>> are_rows([{"item": "a", "score": 1.5}]), are_rows([["a", "b"]])
    (True, False)
    """
    return isinstance(given, list | tuple) and bool(given) and all(isinstance(row, Mapping) for row in given)


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
    score, told = find_column(present, score, "score"), rank is not None
    rank = find_column(present, rank, "rank") if score is None else rank
    if score is None and rank is None:
        raise DataError(f"the frame has no column 'score' or 'rank'{_remedy(present, 'score')}")
    named = [name for name in (items, queries, rankers) if name is not None]
    _refuse_twins(present, [*named, str(score or rank)])
    ids, numbers, exact = _read(frame, named, str(score or rank))
    if score is None and not told:
        _refuse_fractions(str(rank), numbers)
    rows = Columns(
        ids[named.index(queries)] if queries is not None else _constant(len(numbers)),
        ids[0],
        numbers,
        rankers="1" if rankers is None else ids[named.index(rankers)],
        by_rank=score is None,
        scores=numbers if score is not None else None,
    )
    if len(numbers) >= MANY and exact is None:
        from stagg.data.many_rows import rankings_of_many  # here: most frames are small

        large = rankings_of_many(rows)
        if large is not None:
            return large
    rankings, order = from_columns(rows, duplicates=duplicates)
    if exact is not None:
        tied = np.flatnonzero(rankings.tied)
        if (exact[order[tied]] != exact[order[tied - 1]]).any():
            warn_of_lost_digits("", f"numbers of the column {shown(score or rank)}")
    return rankings


def _refuse_fractions(name: str, ranks: FloatArray) -> None:
    """Numbers between 0 and 1 under the name rank may be scores: ts_rank(…) AS rank of PostgreSQL."""
    odd = np.flatnonzero((ranks > 0) & (ranks < 1))
    if len(odd):
        from stagg.say import Say, tell  # here: most frames are as they should be

        ways = Say(columns={"rank": name}), " (ranks, small = top) or ", Say(columns={"score": name})
        what = f"the column {shown(name)} holds {float(ranks[odd[0]]):g}: are these ranks, or scores? say "
        raise DataError(tell(what, *ways, " (scores, large = top)"), line=int(odd[0]) + 1)


def is_plain_frame(frame: Any) -> bool:
    """Whether :func:`from_frame` reads a frame without any option, and nothing in it may mean more.

    >>> is_plain_frame([{"item": "a", "score": 1.5}]), is_plain_frame([{"qid": "7", "item": "a", "score": 1.5}])
    (True, False)
    """
    index = getattr(frame, "index", None) if hasattr(type(frame), "reset_index") else None
    if index is not None and (any(name is not None for name in index.names) or _kind_of(index) not in "iuf"):
        return False
    return has_plain_names(RowTable(frame).columns if are_rows(frame) else column_names(frame))


def _kind_of(index: Any) -> str:
    """The kind of an index of pandas as NumPy has it; one of several levels holds objects."""
    return str(getattr(index.dtype, "kind", "O"))


def has_plain_names(present: list[str]) -> bool:
    """Whether columns are named item and score or rank, and none seems to be the query or ranker by another name.

    Lists would run together without such a column: the readers of tables ask what it is.
    """
    named = {role for role in ("query", "ranker", "item", "score", "rank") if find_column(present, None, role)}
    lists = ("query", (*LIKE_QUERY, *MAYBE_QUERY)), ("ranker", (*LIKE_RANKER, *MAYBE_RANKER))
    hidden = any(role not in named and name.lower() in alike for role, alike in lists for name in present)
    return "item" in named and bool(named & {"score", "rank"}) and not hidden


def column_names(frame: Any) -> list[str]:
    """The names of the columns of a frame, a table, a relation or a stream."""
    if hasattr(type(frame), "collect_schema"):
        return [spelled(name) for name in frame.collect_schema().names()]
    if hasattr(frame, "column_names"):
        return [spelled(name) for name in frame.column_names]
    names = frame.columns if hasattr(frame, "columns") else getattr(getattr(frame, "schema", None), "names", None)
    if not isinstance(names, Iterable):
        raise InvalidParameter(
            f"expected a frame with named columns, not {shown(type(frame).__name__)}; Rankings.from_lists takes lists "
            "of ids, Rankings.from_scores takes dicts of numbers"
        )
    return [spelled(name) for name in names]


def make_frame(columns: dict[str, Any], library: str) -> Any:
    """A pandas or Polars frame of some columns."""
    if not isinstance(library, str) or library not in LIBRARIES:
        raise InvalidParameter(f"frames are of {' or '.join(LIBRARIES)}, not {shown(library)}")
    what = f"{'pandas' if library == 'pandas' else 'Polars'} frames"
    module = need(library, what, extra=library)
    columns = {name: _native_texts(column, module) for name, column in columns.items()}
    try:
        return module.DataFrame(columns)
    except Exception:  # each library has errors of its own for cells that none of its types can hold
        return _make_frame_of_odd_cells(columns, module, what)


def _native_texts(column: Any, module: Any) -> Any:
    """A column as a library makes one of texts: Arrow arrays stay what they are where it holds texts in such."""
    if not hasattr(column, "to_pylist") or module.__name__ == "polars":
        return column
    texts = module.Series(["text"]).dtype
    return module.array(column, dtype=texts) if getattr(texts, "storage", None) == "pyarrow" else column.to_pylist()


def _make_frame_of_odd_cells(columns: dict[str, Any], module: Any, what: str) -> Any:
    """The frame, its ids as Python objects in pandas, and as text in Polars, which wants one type in a column."""
    if module.__name__ == "pandas":
        columns = {
            name: cells if isinstance(cells, np.ndarray) else module.Series(cells, dtype=object)
            for name, cells in columns.items()
        }
    else:
        columns = {name: _plain(cells, what) for name, cells in columns.items()}
    try:
        return module.DataFrame(columns)
    except Exception as error:
        raise DataError(f"{what} cannot hold this: {describe_cause(error)}") from error


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
        return pyarrow.table({name: _plain(column, "Arrow tables") for name, column in self._columns().items()})

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The rows of :meth:`to_arrow` as a stream: Polars, pandas, DuckDB and pyarrow read it."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)


def _plain(column: Any, what: str) -> Any:
    """A column whose cells Arrow knows: ids of mixed or foreign types, and large whole numbers, become text."""
    if isinstance(column, np.ndarray):
        return column
    kinds = {type(cell) for cell in column if cell is not None}
    known = kinds <= {str} or kinds <= {float, int} or not kinds
    if int in kinds and not all(-(2**63) <= cell < 2**63 for cell in column if type(cell) is int):
        known = False
    cells = column if known else [None if cell is None else str(cell) for cell in column]
    try:
        "".join(cell for cell in cells if type(cell) is str).encode()
    except UnicodeEncodeError:
        raise no_text(next(cell for cell in cells if type(cell) is str and SURROGATE.search(cell)), what) from None
    return cells


# --- columns by name --------------------------------------------------------------------------------------------------


def find_column(present: list[str], name: str | None, default: str) -> str | None:
    """The column asked for, or the one of the default name, whatever its case; None where there is no such."""
    if name is None:
        same = [each for each in present if each.lower() == default]
        return default if default in present else same[0] if len(same) == 1 else None
    if isinstance(name, Integral) and not isinstance(name, bool):
        name = spelled(name)  # pandas numbers the columns that have no name
    if not isinstance(name, str):
        raise InvalidParameter(f"{default} is the name of a column, not {shown(name)}")
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


def _refuse_twins(present: list[str], names: list[str]) -> None:
    """Refuse a frame in which two columns have a name that is read."""
    for name in names:
        if (count := present.count(name)) > 1:
            raise DataError(f"the frame has {count} columns named {shown(name)}; rename or leave out all but one")


def _remedy(present: list[str], default: str) -> str:
    """The columns of a frame, and the call that names those which it needs."""
    columns = ", ".join(map(bare, present[:20])) or "none"
    distance = _first_like(present, LIKE_DISTANCE) if default == "score" else None
    role = default if distance is None else "rank"  # small is better
    column = distance or _first_like(present, LIKE[default])
    found = {"query": _first_like(present, LIKE_QUERY), role: column or "…"}
    named = ", ".join(f"{key}={name if name == '…' else shown(name)}" for key, name in found.items() if name)
    return f"; its columns are {columns}; say which one it is: Rankings.from_frame(frame, {named}){OTHERS}"


def _first_like(present: list[str], words: tuple[str, ...]) -> str | None:
    found = (name for word in words for name in present if name.lower() == word)
    return next(found, None)


# --- the cells --------------------------------------------------------------------------------------------------------


def collect(frame: Any) -> Any:
    """A lazy frame collected, one of pandas with columns named by text, a list of rows as a table; another as it is."""
    if are_rows(frame):
        return RowTable(frame)
    if hasattr(type(frame), "collect_schema") and hasattr(type(frame), "collect"):
        return frame.collect()
    if hasattr(type(frame), "set_axis") and hasattr(frame, "columns"):
        texts = column_names(frame)
        return frame if list(frame.columns) == texts else frame.set_axis(texts, axis=1)
    return frame


def _constant(rows: int) -> Coded:
    return Coded(np.zeros(rows, dtype=np.int64), ("1",))


def _read(frame: Any, ids: list[str], number: str) -> tuple[list[Sequence[str]], FloatArray, np.ndarray | None]:
    """The columns of ids, as codes where the frame speaks Arrow and nothing is odd, and the column of numbers.

    Where these lost digits, they come a second time, as they are in the frame.
    """
    table = table_of_frame(frame, list(dict.fromkeys([*ids, number])))  # one column can have two roles
    if table is None:
        if not reads_columns(frame):
            need("pyarrow", "frames that stream Arrow", extra="parquet")
        texts: list[Sequence[str]] = [_texts(_values(frame[name], name), name) for name in ids]
        cells = _values(frame[number], number)
        return texts, (rounded := _numbers(cells, number)), _keep_exact(cells, rounded)
    with _name_damage(number):
        check_buffers(table[number])
        numbers = read_numbers(table[number])

    coded = [_read_ids(table[name], name, of_items=place == 0) for place, name in enumerate(ids)]
    if numbers is not None and not is_large(numbers):
        return coded, numbers, None
    cells = _values(table[number], number)
    return coded, (rounded := _numbers(cells, number)), _keep_exact(cells, rounded)


def _read_ids(column: Any, name: str, *, of_items: bool) -> Sequence[str]:
    """A column of ids; of many rows, those of items are not numbered, which costs more than it saves."""
    with _name_damage(name):
        codes: Sequence[str] | None = None
        if len(column) >= MANY:
            from stagg.threads import available_cores  # here: most frames are small

            column.validate()  # no further than the first and the last offset: the rest is looked at piece by piece
            cores = available_cores()
            codes = row_ids(column, numbers=True, threads=cores) if of_items else code_rows(column, threads=cores)
        if codes is None:
            check_buffers(column)
            codes = code_ids(column, numbers=True)
    return _cells(column, name) if codes is None else codes


def _keep_exact(cells: np.ndarray, numbers: FloatArray) -> np.ndarray | None:
    """The cells of a column of numbers if a float holds less than they do."""
    return cells if cells.dtype.kind in "iuO" and is_large(numbers) else None


@contextlib.contextmanager
def _name_damage(column: str) -> Iterator[None]:
    """Raise an error of another library, which cannot read a column, as our own."""
    try:
        yield
    except StaggError:
        raise
    except Exception as error:
        raise DataError(f"the column {column!r} cannot be read: {describe_cause(error)}") from error


def _values(column: Any, name: str) -> np.ndarray:
    """The cells of a column; those of a type that NumPy lacks, such as 128-bit numbers, as Python objects."""
    try:
        return np.asarray(column.to_numpy())
    except Exception:
        with _name_damage(name):
            return _objects(column.to_pylist() if hasattr(column, "to_pylist") else column.to_list())


def _objects(values: list[Any]) -> np.ndarray:
    """Cells of any kind; lists among them stay lists."""
    return np.fromiter(values, dtype=object, count=len(values))


def _cells(column: Any, name: str) -> Sequence[str]:
    """A column of Arrow cells of any other type, or with some that are wrong."""
    with _name_damage(name):
        values = column.to_pylist()
    if str(column.type) in ("float", "double", "halffloat"):
        return _texts(np.array(values, dtype=float), name)
    return _texts(_objects(values), name)


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
        numbers = np.asarray(values, dtype=complex if values.dtype.kind == "c" else float)
        numbers = numbers.astype(float, casting="safe", copy=False)  # no imaginary part is lost
    except (TypeError, ValueError):
        raise DataError(f"the column {column!r} does not hold numbers{_find_odd(values)}") from None
    except OverflowError:
        raise DataError(f"the column {column!r} holds a number beyond 1e308; expected finite numbers") from None
    if not np.isfinite(numbers).all():
        row = int(np.flatnonzero(~np.isfinite(numbers))[0])
        hint = "leave such rows out, or say stagg.read(frame, lenient=True)"
        raise DataError(f"the column {column!r} holds {numbers[row]}; expected finite numbers: {hint}", line=row + 1)
    return numbers


def _find_odd(values: np.ndarray) -> str:
    """The first value that is no number, and its row."""
    for row, value in enumerate(values.tolist(), start=1):
        try:
            float(value)
        except (TypeError, ValueError):
            return f", but {shown(value)} (row {row})"
    return ""
