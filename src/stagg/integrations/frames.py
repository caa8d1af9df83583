"""pandas and Polars frames in and out, by the names of their columns."""

from __future__ import annotations

from typing import Any, Final

from stagg.aggregate import DEFAULT_METHOD, fuse
from stagg.data.inputs.frames import collect, column_names, find_column, from_frame, make_frame
from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.data.results.hits import frame_columns
from stagg.errors import DataError, InvalidParameter, shown
from stagg.methods import Method
from stagg.registry import near_names

__all__ = ["fuse_frame", "labels_from_frame", "to_frame"]

LIBRARIES: Final = ("pandas", "polars")


def fuse_frame(
    frame: Any,
    method: str | Method = DEFAULT_METHOD,
    *,
    query: str | None = None,
    item: str | None = None,
    ranker: str | None = None,
    score: str | None = None,
    rank: str | None = None,
    **options: Any,
) -> Any:
    """One row per listed item in, the consensus as a frame of the same library out, its columns named as in the input.

    The options up to ``rank`` name columns; those not given are used when the frame has a column of that name. Without
    a query column all rows are of one query. The score decides where there are a score and a rank. ``options`` are
    those of :func:`stagg.fuse`: weights, missing, depth, top, intervals, draws, seed. The result has the columns query,
    item, rank (from 1) and score, with ``intervals`` low, high, top and group, and by ``rra`` p and q. Ids come back in
    the type of their column, so that the result can be joined with what they came from. A lazy frame is collected.

    >>> import pandas
    >>> votes = pandas.DataFrame({"user": ["ann", "ann", "bob"], "poll": 7, "film": [31, 12, 12], "place": [1, 2, 1]})
    >>> fuse_frame(votes, "borda", query="poll", item="film", ranker="user", rank="place")
       poll  film  place  score
    0     7    12      1    3.0
    1     7    31      2    2.0
    """
    library, frame = _library_of(frame), collect(frame)
    rankings = from_frame(frame, query=query, item=item, ranker=ranker, score=score, rank=rank)
    fused = fuse(rankings, method, **options)
    present = column_names(frame)
    query, item = find_column(present, query, "query"), find_column(present, item, "item")
    columns = _rename(
        frame_columns(fused), query=query, ranker=None, item=item, rank=rank or "rank", score=score or "score"
    )
    texts = fused.to_columns()
    for name, column in (("query", query), ("item", item)):
        if column is not None:
            columns[column] = _as_they_came(texts[name], frame[column], library)
    return make_frame(columns, library)


def to_frame(
    rankings: Rankings,
    library: str = "pandas",
    *,
    query: str = "query",
    item: str = "item",
    ranker: str | None = "ranker",
    score: str = "score",
    rank: str = "rank",
) -> Any:
    """Rankings as a frame: one row per listed item, list after list, best first; rank counts from 1.

    The column of the rankers is left out where its name is None; there is no score where no list has scores.

    >>> to_frame(Rankings.from_lists({"ann": ["b", "a"]}), query="poll", ranker="voter")
      poll voter item  rank
    0    1   ann    b     1
    1    1   ann    a     2
    """
    if not isinstance(rankings, Rankings):
        raise InvalidParameter(f"expected rankings, not {shown(rankings)}; stagg.fuse and stagg.read return rankings")
    columns = _rename(frame_columns(rankings), query=query, ranker=ranker, item=item, rank=rank, score=score)
    return make_frame(columns, library)


def labels_from_frame(frame: Any, *, query: str = "query", item: str = "item", label: str = "label") -> Labels:
    """Labels from one row per judged item.

    >>> import pandas
    >>> judged = pandas.DataFrame({"qid": ["q1", "q1"], "docno": ["d7", "d2"], "rel": [2, 0]})
    >>> labels_from_frame(judged, query="qid", item="docno", label="rel")
    Labels(1 query, 2 judgments, grades 0 to 2)
    """
    _library_of(frame)
    frame = collect(frame)
    present = column_names(frame)
    for name in (query, item, label):
        if not isinstance(name, str) or name not in present:
            raise DataError(f"the frame has no column {shown(name)}{near_names(name, present)}")
    grades: dict[Any, dict[Any, Any]] = {}
    rows = zip(*(frame[name].to_numpy().tolist() for name in (query, item, label)), strict=True)
    for row, (of, judged, grade) in enumerate(rows):
        try:
            before = grades.setdefault(of, {}).setdefault(judged, grade)
            differs = bool(before != grade)
        except (TypeError, ValueError):
            cells = f"{shown(of)}, {shown(judged)} and {shown(grade)}"
            text = f"query and item ids are text or whole numbers, labels are numbers; found {cells}"
            raise DataError(text, line=row + 1) from None
        if differs:
            text = f"query {shown(of)}, item {shown(judged)}: labels {before} and {grade}; keep one of them"
            raise DataError(text, line=row + 1)
    return Labels(grades)


def _rename(found: dict[str, Any], **names: str | None) -> dict[str, Any]:
    """Columns under other names; None leaves one out."""
    for column, name in names.items():
        if name is not None and not isinstance(name, str):
            raise InvalidParameter(f"{column} is the name of a column of the result, not {shown(name)}")
    renamed = [(names.get(name, name), column) for name, column in found.items()]
    columns = {name: column for name, column in renamed if name is not None}
    taken = [name for name, _ in renamed if name is not None]
    twice = next((name for name in taken if taken.count(name) > 1), None)
    if twice is not None:
        said = f"two columns of the result have the same name: {shown(twice)}"
        raise InvalidParameter(f"{said}; rename that of the frame, or name another")
    return columns


def _as_they_came(ids: list[str], source: Any, library: str) -> Any:
    """Ids as a column of the type that they had: each is the value that its text was made from."""
    original = {str(value): value for value in source.to_numpy().tolist()}
    values = [original[text] for text in ids]
    if library == "polars":
        return type(source)(values=values, dtype=source.dtype)
    return type(source)(values, dtype=source.dtype)


def _library_of(frame: Any) -> str:
    """The library that a frame is of."""
    known = [library for cls in type(frame).__mro__ if (library := cls.__module__.partition(".")[0]) in LIBRARIES]
    if not known or not hasattr(type(frame), "columns"):
        raise InvalidParameter(
            f"expected a pandas or Polars frame, not {shown(type(frame).__name__)}; "
            "stagg.fuse takes other tables, and its result has to_frame and to_arrow"
        )
    return known[0]
