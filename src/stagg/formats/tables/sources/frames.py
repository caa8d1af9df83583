"""Data frames as tables: pandas, Polars, pyarrow, DuckDB relations, and rows that are dicts."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from stagg.data.ids import OwnIds
from stagg.data.inputs.arrow import check_buffers, describe_cause, reads_columns
from stagg.data.inputs.frames import are_rows, collect, column_names, find_column, from_frame, has_plain_names
from stagg.errors import DataError, InvalidParameter, need, shown, spelled
from stagg.formats.format import BY_RANK, BY_SCORE, Loaded, Understood
from stagg.formats.log import ReadLog
from stagg.formats.numbers import number_text
from stagg.formats.options import ROLES, ReadOptions
from stagg.formats.reading import Reading
from stagg.formats.storage.source import Origin
from stagg.formats.tables.cells import CellTable, is_number_cell
from stagg.formats.tables.named_columns import check_header, refuse_fractions
from stagg.formats.tables.ordinals import read_place
from stagg.formats.tables.roles import check_ignored, is_long, name_roles, say_columns, told_by
from stagg.formats.tables.vocabulary import GUESSES, JUDGEMENTS, plain_name
from stagg.say import Say, Told, name_option, tell

__all__ = ["list_texts", "name_plainly", "read_frame", "read_frame_cells", "spread_lists"]

FRAME: Final = "frame"
OF_FILES: Final = ("sheet", "delimiter", "outer")
"""Options that say something of files only."""
MISSING: Final = ("NAType", "NaTType")
NO_NAMES: Final = ("Unnamed:", "__index_level_")
"""Beginnings of the names that pandas and pyarrow give to columns without a name."""
LISTS: Final = (list, tuple, np.ndarray)
NO_CELLS: Final = (*LISTS, Mapping, set, frozenset, bytes, bytearray, complex)
"""Types of objects that are no cells of a table."""
MOST_WORDS: Final = 10  # verdicts that a note shows


def read_frame(frame: Any, options: ReadOptions, log: ReadLog) -> Loaded:
    """Rankings from a frame, or from rows that are dicts, in the layout that is given or found.

    Its columns are those of the table; so is an index of pandas that has a name, or that holds texts.
    """
    _refuse_options(options)
    frame = _add_index(_hold(frame))
    reading = Reading(Origin(FRAME, log), options)
    names = column_names(frame)
    if options == ReadOptions(duplicates=options.duplicates) and has_plain_names(names) and "" not in names:
        return _load(frame, {}, reading)
    if options.layout in (None, "long") and is_long(name_roles(names, reading)):
        return _read_long(frame, names, reading)
    return _read_cells(frame, names, reading)


def _refuse_options(options: ReadOptions) -> None:
    for name in OF_FILES:
        if getattr(options, name) is not None:
            raise InvalidParameter(tell(name_option(name), " is for files; this is a frame"))
    if options.header is False:
        names = "the header of a frame are the names of its columns; "
        raise InvalidParameter(tell(names, Say(header=False), " is for files"))


def _hold(frame: Any) -> Any:
    """The frame with names that are texts, to be read more than once: streams and relations become Arrow tables."""
    if are_rows(frame) or hasattr(type(frame), "collect_schema") or reads_columns(frame):
        return collect(_join_names(frame))
    arrow = need("pyarrow", "frames that stream Arrow", extra="parquet")
    try:
        return arrow.table(frame)
    except Exception as error:
        raise DataError(f"the frame cannot be read: {describe_cause(error)}") from error


# --- what is special about pandas -------------------------------------------------------------------------------------


def _join_names(frame: Any) -> Any:
    """The frame; names of several levels, as a pivot has them, become one: the levels that tell columns apart."""
    names: Any = getattr(frame, "columns", None) if hasattr(type(frame), "set_axis") else None
    if getattr(names, "nlevels", 1) == 1:
        return frame
    levels = [number for number in range(names.nlevels) if len(set(names.get_level_values(number))) > 1] or [0]
    if len(levels) > 1:
        raise DataError(
            f"the columns have {len(levels)} levels, such as {shown(tuple(map(spelled, names[0])))}, and each may name "
            "the query or the ranker: make rows of them (frame.stack), with columns query, ranker, item and score"
        )
    return frame.set_axis([" ".join(spelled(name[level]) for level in levels if name[level]) for name in names], axis=1)


def _add_index(frame: Any) -> Any:
    """The frame with the levels of its index that say something as its first columns."""
    if not hasattr(type(frame), "reset_index") or not hasattr(frame, "index"):
        return frame
    names, levels = column_names(frame), frame.index.names
    numbers = all(getattr(kind, "kind", "O") in "iuf" for kind in frame.dtypes)
    added = []
    for number, name in enumerate(levels):
        values = frame.index.get_level_values(number)
        named = name is not None and spelled(name) not in names
        if named or (name is None and _tells(values, numbers and len(levels) == 1)):
            added.append(("" if name is None else spelled(name), values))
    if added:
        frame = frame.copy(deep=False)
        for place, (name, values) in enumerate(added):
            frame.insert(place, name, values, allow_duplicates=True)
    return frame


def _tells(index: Any, is_all: bool) -> bool:
    """Whether an index without a name says something: it holds texts, or numbers where there are no other ids."""
    if type(index).__name__ == "RangeIndex":
        return False
    return is_all or getattr(index.dtype, "kind", "O") not in "iuf"


# --- long frames, whose columns keep their types ----------------------------------------------------------------------


def _read_long(frame: Any, names: list[str], reading: Reading) -> Loaded:
    """One row per listed item, by the columns as they are; where that fails, by their cells, which tell more."""
    telling, options = None, reading.options
    columns = _find_columns(names, reading.excerpt())
    said = options.values is not None or options.order_by is not None or options.lenient
    hidden = any(role not in columns and find_column(names, None, role) is not None for role in ROLES)
    if said or hidden or "multiplicity" in columns:
        return _read_cells(frame, names, reading)
    try:
        _ask_of_index(frame, names, name_roles(names, reading), reading)
        content = _load(frame, columns, reading)
    except DataError as error:
        telling = _find_telling(frame, names, columns)
        if telling is None and isinstance(error.message, Told) and error.message.says:
            raise
        if telling is None:
            return _read_cells(frame, names, reading)
        content = _load(frame, {**columns, "ranker": telling}, reading)
    if telling is not None:
        what = f"the column {shown(telling)}" if telling else "the index"
        reading.note(f"{what} was read as the ranker: without it, lists would hold an item twice")
        reading = reading.answered(say_columns(ranker=telling or "1"))
    _find_columns(names, reading)  # for its notes
    return content


def _find_columns(names: list[str], reading: Reading) -> dict[str, str]:
    """{role: name} of the columns that are read; a note names the others."""
    roles = name_roles(names, reading)
    check_ignored(roles, reading)
    return {role: names[roles.index(role)] for role in check_header(roles, reading, own=names)}


def _ask_of_index(frame: Any, names: list[str], roles: list[str], reading: Reading) -> None:
    """Ask what an index of texts means that come again: pandas.concat({"bm25": …, "dense": …}) makes such a one."""
    if names[0] or roles[0] or "ignore" in (reading.options.columns or {}):
        return
    ways = [say_columns(**{role: "1"}) for role in ("ranker", "query") if role not in roles]
    cells = list_texts(_columns_of(frame)[0], "")
    if len(set(cells)) < len(cells) and ways:
        question = f"the index, which has no name, begins with {shown(cells[0])}: what does it hold?"
        raise reading.ask(question, *ways, (say_columns(ignore="1"), "it is left out"))


def _load(frame: Any, columns: Mapping[str, str], reading: Reading) -> Loaded:
    _ask_about_fractions(frame, columns, reading)
    rankings = from_frame(frame, **columns, duplicates=reading.options.row_duplicates)
    reading.log.used(len(rankings.entries))
    direction = BY_RANK if rankings.scores is None else BY_SCORE
    named = "ranker" in columns or "ranker" in map(str.lower, column_names(frame))
    return Loaded(rankings, names_rankers=named, understood=Understood("long", direction))


def _ask_about_fractions(frame: Any, columns: Mapping[str, str], reading: Reading) -> None:
    """A column called rank that holds numbers between 0 and 1 may hold scores, as in tables of text."""
    names = column_names(frame)
    rank, score = (columns.get(role) or find_column(names, None, role) for role in ("rank", "score"))
    if rank is None or score is not None or "rank" in (reading.options.columns or {}) or told_by(rank) != "rank":
        return
    try:
        numbers = np.asarray(frame[rank].to_numpy(), dtype=float)
    except (TypeError, ValueError):
        return  # an error of its own
    refuse_fractions(rank, numbers, np.arange(1, len(numbers) + 1), reading)


def _find_telling(frame: Any, names: list[str], columns: Mapping[str, str]) -> str | None:
    """The only column of texts that tells apart rows of the same query and item; None if none does, or several.

    It names the rankers of frames that were put together, one below the other.
    """
    if "query" not in columns or "ranker" in columns:
        return None
    cells = dict(zip(names, map(list_texts, _columns_of(frame), names), strict=True))
    keys = list(zip(cells[columns["query"]], cells[columns["item"]], strict=True))
    others = [name for name in names if name not in columns.values() and _holds_texts(cells[name])]
    if len(set(keys)) == len(keys):
        return None
    telling = [name for name in others if len(set(zip(keys, cells[name], strict=True))) == len(keys)]
    return telling[0] if len(telling) == 1 else None


def _holds_texts(cells: Sequence[str]) -> bool:
    return all(cell and not is_number_cell(cell) for cell in cells)


# --- all others, as cells ---------------------------------------------------------------------------------------------


def read_frame_cells(frame: Any, options: ReadOptions, log: ReadLog) -> tuple[CellTable, Reading]:
    """All cells of a frame, or of rows that are dicts, whatever they mean, below the names of its columns."""
    _refuse_options(options)
    frame = _add_index(_hold(frame))
    names, columns = name_plainly(column_names(frame)), _columns_of(frame)
    texts = [list_texts(column, name) for column, name in zip(columns, names, strict=True)]
    rows = [list(row) for row in zip(*texts, strict=True)]
    return CellTable.of(list(enumerate([names, *rows])), header=True), Reading(Origin(FRAME, log), options)


def name_plainly(names: list[str]) -> list[str]:
    """The names of columns; those that only a library gives are empty."""
    return ["" if name.startswith(NO_NAMES) else name.strip(" \t\r\n") for name in names]


def _read_cells(frame: Any, names: list[str], reading: Reading) -> Loaded:
    names, columns = spread_lists(name_plainly(names), _columns_of(frame), reading)
    texts = [list_texts(column, name) for column, name in zip(columns, names, strict=True)]
    reading = _read_verdicts(names, columns, texts, reading)
    rows = [list(row) for row in zip(*texts, strict=True)]
    from stagg.formats.tables.stages import read_table  # here: long frames do without the layouts

    table = CellTable([names, *rows], list(range(len(rows) + 1)), header=True)
    content = read_table(table, reading)
    return _with_own_ids(content, names, columns, reading)


def _columns_of(frame: Any) -> list[Any]:
    """The columns of a frame by number, for two may have one name."""
    try:
        if hasattr(frame, "iloc"):
            return [frame.iloc[:, number] for number in range(frame.shape[1])]
        if hasattr(frame, "get_columns"):
            return list(frame.get_columns())
        if hasattr(frame, "column_names"):
            arrow = need("pyarrow", "Arrow tables", extra="parquet")
            table = arrow.Table.from_batches([frame]) if isinstance(frame, arrow.RecordBatch) else frame
            for column in table.columns:
                check_buffers(column)
            return list(table.columns)
        return [frame[name] for name in column_names(frame)]
    except Exception as error:
        raise DataError(f"the frame cannot be read: {describe_cause(error)}") from error


def _list_cells(column: Any) -> list[Any]:
    """The cells of a column as Python objects."""
    if isinstance(column, list):
        return column
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            cells: list[Any] = getattr(column, method)()
            return cells
    own: list[Any] = column.to_numpy().tolist()
    return own


def list_texts(column: Any, name: str) -> list[str]:
    """The cells of a column, or of a list, as texts; those that are missing are empty."""
    try:
        return list(map(_text, _list_cells(column)))
    except DataError as error:
        raise DataError(f"the column {shown(name)} holds {error.message}; expected texts or numbers") from None
    except Exception as error:
        raise DataError(f"the column {shown(name)} cannot be read: {describe_cause(error)}") from error


def _text(cell: Any) -> str:
    """A cell as text: whole numbers without a point, nothing where it is missing.

    >>> [_text(cell) for cell in (3.0, 0.5, float("nan"), None, " a ", 7)]
    ['3', '0.5', '', '', 'a', '7']
    """
    if isinstance(cell, str):
        return cell.strip(" \t\r\n")
    if cell is None or type(cell).__name__ in MISSING:
        return ""
    if isinstance(cell, float | np.floating):
        return "" if cell != cell else number_text(cell)
    if isinstance(cell, datetime.datetime):
        return cell.isoformat(sep=" ")
    if isinstance(cell, NO_CELLS):
        raise DataError(f"a cell of type {type(cell).__name__}")
    text = str(cell)
    return "" if text in ("NaN", "NaT", "<NA>") else text


def spread_lists(names: list[str], columns: list[Any], reading: Reading) -> tuple[list[str], list[Any]]:
    """The columns; one whose cells are lists of ids becomes one column for each choice."""
    listed = [number for number, column in enumerate(columns) if _holds_lists(column)]
    if len(listed) != 1:
        return names, columns
    at = listed[0]
    lists = [() if _is_missing(cell) else tuple(cell) for cell in _list_cells(columns[at])]
    longest = max(map(len, lists))
    choices = [[cell[place] if place < len(cell) else None for cell in lists] for place in range(longest)]
    reading.note(f"the lists of the column {shown(names[at])} were read as choices, best first")
    named = [f"choice {place + 1}" for place in range(longest)]
    return [*names[:at], *named, *names[at + 1 :]], [*columns[:at], *choices, *columns[at + 1 :]]


def _holds_lists(column: Any) -> bool:
    """Whether the cells of a column are lists of ids, or missing."""
    kind = str(getattr(column, "dtype", getattr(column, "type", "object")))
    if not kind.startswith(("object", "list", "List", "Array", "large_list", "fixed_size_list")):
        return False
    cells = [cell for cell in _list_cells(column) if not _is_missing(cell)]
    return bool(cells) and all(
        isinstance(cell, LISTS) and all(isinstance(each, str | int | np.integer) for each in cell) for cell in cells
    )


def _is_missing(cell: Any) -> bool:
    return cell is None or type(cell).__name__ in MISSING or (isinstance(cell, float) and cell != cell)


# --- verdicts: ordered categoricals -----------------------------------------------------------------------------------


def _read_verdicts(names: list[str], columns: list[Any], texts: list[list[str]], reading: Reading) -> Reading:
    """Put numbers in the place of verdicts such as poor < fair < good, in the texts; the large ones are the better.

    Returns the reading that says so.
    """
    found = {number: words for number, column in enumerate(columns) if (words := _list_verdicts(column))}
    others = [cells for number, cells in enumerate(texts) if number not in found]
    if any(is_number_cell(cell) for cells in others for cell in cells):
        found = {number: words for number, words in found.items() if _is_number_name(names[number])}
    for number, words in found.items():
        texts[number] = _count_verdicts(texts[number], words, names[number], reading)
    given = reading.options.columns or {}
    if len(found) > 1 and reading.options.values is None:
        return reading.with_options(values="score")
    if len(found) == 1 and not {"rank", "score"} & {*given, *name_roles(names, reading)}:
        name = names[next(iter(found))]
        return reading.answered(say_columns(**{"rank" if told_by(name) == "rank" else "score": name}))
    return reading


def _list_verdicts(column: Any) -> list[str] | None:
    """The words of an ordered categorical, the least first; None for any other column."""
    kind: Any = getattr(column, "dtype", getattr(column, "type", None))
    words: Any = None
    if getattr(kind, "ordered", False) is True:
        words = kind.categories if hasattr(kind, "categories") else column.unify_dictionaries().chunk(0).dictionary
    elif type(kind).__name__ == "Enum":  # of Polars
        words = getattr(kind, "categories", None)
    texts = [] if words is None else list(map(_text, _list_cells(words)))
    return texts if texts and not any(is_number_cell(word) or read_place(word) is not None for word in texts) else None


def _is_number_name(name: str) -> bool:
    """Whether a column is named as ranks, scores or judgements are."""
    return bool(told_by(name)) or plain_name(name) in (*GUESSES["score"], *GUESSES["rank"], *JUDGEMENTS)


def _count_verdicts(cells: list[str], words: list[str], name: str, reading: Reading) -> list[str]:
    """The places of the cells in the order of the words, as numbers."""
    number = {word: str(place) for place, word in enumerate(words, start=1)}
    told = ", ".join(f"{shown(word)} = {number[word]}" for word in words[:MOST_WORDS])
    reading.note(f"the ordered column {shown(name)} was read as numbers: {told}{', …' * (len(words) > MOST_WORDS)}")
    return [number.get(cell, "") for cell in cells]


# --- ids that are whole numbers ---------------------------------------------------------------------------------------


def _with_own_ids(content: Loaded, names: list[str], columns: list[Any], reading: Reading) -> Loaded:
    """The content; ids of a column of whole numbers, whose role is told, go back to the caller as such."""
    roles = name_roles(names, reading.excerpt())
    changed = {}
    for role, field in (("item", "items"), ("query", "queries")):
        cells = _list_cells(columns[roles.index(role)]) if role in roles else []
        own = {str(cell): int(cell) for cell in cells if type(cell) is int or isinstance(cell, np.integer)}
        ids = getattr(content.rankings, field)
        if own and all(each in own for each in ids):
            changed[field] = OwnIds(tuple(ids), [own[each] for each in ids])
    if not changed:
        return content
    import dataclasses

    return dataclasses.replace(content, rankings=content.rankings.replace(**changed))
