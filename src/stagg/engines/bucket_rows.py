"""Rows of a bucket to rankings: by the compiled twin where nothing is odd, else row by row.

The order in which a shuffle brings the rows does not matter: queries, rankers and items of a query are numbered in the
order of their ids, and so are items that tie in a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from stagg.data.columns import Coded, Columns, from_columns
from stagg.data.ids import Ids
from stagg.data.inputs.arrow import IDS, code_ids, read_numbers, read_values, row_ids
from stagg.data.inputs.construct import with_names
from stagg.data.large_numbers import find_large_ties
from stagg.data.many_rows import rankings_of_lists
from stagg.data.rankings import Rankings
from stagg.engines.task import ONE_RANKER, BucketTally, Task
from stagg.errors import DataError, shown
from stagg.formats.runs.rank_and_score import contradicting
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.id_order import order_by_id
from stagg.kernels.text import records
from stagg.say import Say, tell

__all__ = ["TWICE", "read_closely", "read_quickly", "read_rows"]

TWICE: Final = tell(
    "the item appears twice in one list; remove one of them, or read leniently (", Say(lenient=True),
    ") to keep the better",
)  # fmt: skip

NUMBERS: Final = ("score", "rank")


def read_rows(table: pa.Table, task: Task, tally: BucketTally) -> Rankings:
    """The rankings of a table that holds all rows of its queries."""
    try:
        rankings = read_quickly(table, task, tally)
        rankings = read_closely(table, task, tally) if rankings is None else rankings
    except UnicodeDecodeError:
        raise DataError("an id is not UTF-8 text; decode the column first") from None
    tally.count(rankings)
    return rankings


# --- by the compiled twin ---------------------------------------------------------------------------------------------


def read_quickly(table: pa.Table, task: Task, tally: BucketTally) -> Rankings | None:
    """The rankings; None where a row is odd, an item is twice in a list, or there is no twin."""
    rows = _read_columns(table) if records.has_twin() and len(table) else None
    if rows is None:
        return None
    by_rank = rows.ranks is not None and (rows.scores is None or task.order_by == "rank")
    rankers, numbers = _number_rankers(rows.owners, task)
    ids = Ids.of(rows.queries.ids)
    buffer, _ = records.sort_by_query(
        records.RecordRows(
            rows.queries.codes, ids.address, ids.length, None if rows.owners is None else rows.owners.codes,
            rows.items.address, rows.items.length, rows.scores, rows.ranks, np.arange(len(table)),
        ),
        0,
        len(table) << 10,
    )  # fmt: skip
    none, falls = np.zeros(1, dtype=np.int64), np.zeros((1, 2), dtype=np.int64)
    found = records.make_lists(
        np.array([records.address_of(buffer)], dtype=np.int64), np.array([len(buffer)], dtype=np.int64), none, none,
        numbers, none, len(rankers), falls, by_rank=by_rank, by_id=True,
    )  # fmt: skip
    if found.problems:
        return None
    rankings = rankings_of_lists(found, rankers, [buffer], has_scores=rows.scores is not None)
    large = find_large_ties(rankings, -_ranks(found) if by_rank else found.scores)
    tally.large_ties += 0 if large is None else int(large.sum())
    if falls[0, 0]:
        _count_contradictions(rankings, _ranks(found), tally)
    return rankings


class _PlainRows(NamedTuple):
    """The columns of rows that nothing is wrong with by themselves."""

    queries: Coded
    owners: Coded | None
    items: Ids
    scores: FloatArray | None
    ranks: FloatArray | None


def _read_columns(table: pa.Table) -> _PlainRows | None:
    """The columns; None where an id is missing or empty, or a number is no finite one, or a rank is below 0."""
    numbers: dict[str, FloatArray] = {}
    for name in NUMBERS:
        column = read_numbers(table[name]) if name in table.column_names else None
        if column is not None:
            numbers[name] = column
        elif name in table.column_names:
            return None
    scores, ranks, named = numbers.get("score"), numbers.get("rank"), "ranker" in table.column_names
    queries, owners = code_ids(table["query"]), code_ids(table["ranker"]) if named else None
    items = row_ids(table["item"].cast(pa.string()) if pa.types.is_integer(table["item"].type) else table["item"])
    if queries is None or items is None or (named and owners is None) or (ranks is not None and not (ranks >= 0).all()):
        return None
    return _PlainRows(queries, owners, items, scores, ranks)


def _number_rankers(owners: Coded | None, task: Task) -> tuple[tuple[str, ...], IntArray]:
    """(names, number of each code): those of the task, or those that the rows have, in the order of their names."""
    if owners is None:
        return task.rankers or (ONE_RANKER,), np.zeros(1, dtype=np.int64)
    present = np.bincount(owners.codes, minlength=len(owners.ids)) > 0
    names = task.rankers or tuple(sorted(name for name, here in zip(owners.ids, present, strict=True) if here))
    number = {name: place for place, name in enumerate(names)}
    codes = [number[name] if here else 0 for name, here in zip(owners.ids, present.tolist(), strict=True)]
    return names, np.array(codes, dtype=np.int64)


def _ranks(found: records.SortedLists) -> FloatArray:
    """The rank of each entry."""
    return records.look_up(found.records)[3]


# --- row by row -------------------------------------------------------------------------------------------------------


def read_closely(table: pa.Table, task: Task, tally: BucketTally) -> Rankings:
    """The rankings without the compiled twin; what is wrong is an error, or dropped if reading is lenient.

    Queries, rankers and items are numbered as they appear in rows that are sorted by query, ranker and item.
    """
    names = [name for name in IDS if name in table.column_names]
    known = [*names, *[each for each in NUMBERS if each in table.column_names]]
    values: dict[str, Any] | None = read_values(table.select(known))
    if values is None:  # something is odd: the rows are looked at one by one
        table = table.sort_by([(name, "ascending") for name in names])
        table = _without_bad_rows(table, task, tally)
        values = {name: table[name].to_pylist() for name in names}
        values |= {name: _floats(table[name]) for name in NUMBERS if name in table.column_names}
    else:
        values = _sort(values, names)
    numbers: dict[str, FloatArray] = {name: values[name] for name in NUMBERS if name in values}
    by_rank = _by_rank(numbers, task)
    scores, ranks = numbers.get("score"), numbers.get("rank")
    deciding = scores if ranks is None else -ranks if scores is None else np.where(by_rank, -ranks, scores)
    rows = Columns(
        values["query"],
        values["item"],
        np.zeros(0) if deciding is None else deciding,
        rankers=values["ranker"] if "ranker" in names else (task.rankers or (ONE_RANKER,))[0],
        scores=None if scores is None or np.isnan(scores).all() else scores,
    )
    rankings, order = _assemble(rows, task, tally)
    large = find_large_ties(rankings, rows.numbers, order)
    tally.large_ties += 0 if large is None else int(large.sum())
    if scores is not None and ranks is not None and task.order_by != "rank":
        _count_contradictions(rankings, ranks[order], tally)
    return rankings if task.rankers is None else with_names(rankings, rankings.queries, task.rankers)


def _sort(values: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The rows by query, ranker and item, in the order of their ids."""
    places = []
    for name in names:
        place = np.empty(len(values[name].ids), dtype=np.intp)
        place[order_by_id(values[name].ids)] = np.arange(len(place))
        places.append(place[values[name].codes])
    order = np.lexsort(places[::-1])
    return {name: column.take(order) if name in names else column[order] for name, column in values.items()}


def _floats(column: pa.ChunkedArray) -> FloatArray:
    """Numbers, NaN where there is none."""
    numbers: FloatArray = pc.fill_null(column, float("nan")).to_numpy().astype(np.float64)
    return numbers


def _by_rank(numbers: dict[str, FloatArray], task: Task) -> np.ndarray:
    """Which rows go by their rank: all if asked for or if there are no scores, else those of lists without scores."""
    scores = numbers.get("score")
    if scores is None:
        return np.ones(len(numbers["rank"]), dtype=bool)
    return np.isnan(scores) | (task.order_by == "rank")


def _assemble(rows: Columns, task: Task, tally: BucketTally) -> tuple[Rankings, np.ndarray]:
    try:
        rankings, order = from_columns(rows, duplicates="best" if task.lenient else "error")
    except DataError as error:
        row = int(error.line or 1) - 1
        ranker = rows.rankers if isinstance(rows.rankers, str) else rows.rankers[row]
        place = _place(rows.queries[row], ranker, rows.items[row])
        raise DataError(tell(f"{place}: ", TWICE)) from None
    gone = len(rows.queries) - len(order)
    if gone:
        row = int(np.setdiff1d(np.arange(len(rows.queries)), order)[0])
        ranker = rows.rankers if isinstance(rows.rankers, str) else rows.rankers[row]
        tally.drop("duplicate item", _place(rows.queries[row], ranker, rows.items[row]), gone)
    return rankings, order


def _count_contradictions(rankings: Rankings, ranks: FloatArray, tally: BucketTally) -> None:
    """How often the rank column puts an item before one of the next higher score."""
    falls = contradicting(rankings, ranks)
    if falls.any():
        entry = int(np.flatnonzero(falls)[0])
        chosen = int(rankings.entry_lists[entry])
        query, ranker = rankings.queries[rankings.list_queries[chosen]], rankings.rankers[rankings.list_rankers[chosen]]
        tally.contradictions += int(falls.sum())
        tally.see("contradictions", f"query {shown(query)}, ranker {shown(ranker)}")


def _place(query: str, ranker: str, item: str) -> str:
    """Where a row belongs; an engine that reads files finds its line by this."""
    return f"query {shown(query)}, ranker {shown(ranker)}, item {shown(item)}"


# --- what is wrong with a row -----------------------------------------------------------------------------------------


def _without_bad_rows(table: pa.Table, task: Task, tally: BucketTally) -> pa.Table:
    """The rows that nothing is wrong with; the first wrong one is an error unless reading is lenient."""
    for reason, expected, wrong in _checks(table, task):
        if not wrong.any():
            continue
        row = int(np.flatnonzero(wrong)[0])
        found = {name: table[name][row].as_py() for name in table.column_names}
        place = _place(found["query"], found.get("ranker", ONE_RANKER), found["item"])
        if not task.lenient:
            what = reason.removeprefix("bad ")
            raise DataError(f"{place}: the {what} is {shown(found[what])}; expected {expected}")
        tally.drop(reason, place, int(wrong.sum()))
        return _without_bad_rows(table.filter(pa.array(~wrong)), task, tally)
    return table


def _checks(table: pa.Table, task: Task) -> Iterator[tuple[str, str, np.ndarray]]:
    """(reason, what is expected, which rows have it wrong), in the order in which they are looked at."""
    for name in IDS:
        if name in table.column_names:
            empty = pc.fill_null(pc.equal(table[name], ""), True).to_numpy()
            yield f"bad {name}", "an id: text or a whole number, not empty", empty
    numbers = {name: _floats(table[name]) for name in ("score", "rank") if name in table.column_names}
    if "score" in numbers:
        given = table["score"].is_valid().to_numpy()
        yield "bad score", "a finite number such as 12.5 or -3e-2", given & ~np.isfinite(numbers["score"])
        yield "bad score", "a number, or a list that has ranks and no scores at all", _gaps(table, given)
    if "rank" in numbers:
        yield "bad rank", "a number from 0 on", _by_rank(numbers, task) & ~(numbers["rank"] >= 0)


def _gaps(table: pa.Table, given: np.ndarray) -> np.ndarray:
    """Rows without a score in lists that have some, or where no rank could put them in order."""
    if given.all() or "rank" not in table.column_names:
        return ~given
    rankers = table["ranker"].to_pylist() if "ranker" in table.column_names else [ONE_RANKER] * len(given)
    lists = list(zip(table["query"].to_pylist(), rankers, strict=True))
    scored = {each for each, has in zip(lists, given.tolist(), strict=True) if has}
    return np.array([not has and each in scored for each, has in zip(lists, given.tolist(), strict=True)])
