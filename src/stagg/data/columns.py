"""Columns: one row per listed item, as integer codes with their ids; every file and frame becomes this."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import overload

import numpy as np

from stagg.data.ids import Ids, OwnIds, has_own, own_ids, plain_ids, take_ids
from stagg.data.inputs.lists import Duplicates
from stagg.data.rankings import Rankings
from stagg.errors import DataError, shown
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.ragged import count_offsets
from stagg.kernels.text import columns as kernel
from stagg.kernels.text.ids import encode

__all__ = ["Coded", "Columns", "from_columns", "twice_in_list"]


class Coded(Sequence[str]):
    """A column of ids: row k holds ``ids[codes[k]]``. It reads like a sequence of texts.

    >>> Coded.of_texts(["b", "a", "b"]).codes
    array([0, 1, 0])
    """

    def __init__(self, codes: IntArray, ids: Sequence[str], *, as_they_come: bool = False) -> None:
        self.codes, self.ids, self.as_they_come = codes, ids, as_they_come
        """``as_they_come``: the codes are known to be numbered in the order of first appearance."""

    @classmethod
    def of_texts(cls, texts: Iterable[str]) -> Coded:
        """Texts numbered in the order of first appearance."""
        index: dict[str, int] = {}
        codes = [index.setdefault(text, len(index)) for text in texts]
        return cls(np.array(codes, dtype=np.intp), tuple(index), as_they_come=True)

    @classmethod
    def of_ids(cls, ids: Ids) -> Coded:
        """Ids in rows, which may repeat, numbered in the order of first appearance."""
        found = encode(ids.address, ids.length)
        return cls.of_texts(ids) if found is None else cls(found[0], ids.take(found[1]), as_they_come=True)

    def by_appearance(self) -> Coded:
        """The same column, its codes numbered in the order of first appearance, without ids that do not appear."""
        if self.as_they_come:
            return self
        found = kernel.number_by_appearance(self.codes, len(self.ids))
        if found is not None:
            codes, old = found
        else:
            present, first, inverse = np.unique(self.codes, return_index=True, return_inverse=True)
            order = np.argsort(first)
            old, number = present[order], np.empty(len(order), dtype=np.intp)
            number[order] = np.arange(len(order))
            codes = number[inverse]
        same = len(old) == len(self.ids) and bool((old == np.arange(len(old))).all())
        return Coded(codes, self.ids if same else take_ids(self.ids, old))

    def take(self, rows: IntArray | BoolArray | slice) -> Coded:
        return Coded(self.codes[rows], self.ids)

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> list[str]: ...
    def __getitem__(self, row: int | slice) -> str | list[str]:
        if isinstance(row, slice):
            return [self.ids[code] for code in self.codes[row].tolist()]
        return self.ids[int(self.codes[row])]


@dataclasses.dataclass(frozen=True)
class Columns:
    """One row per listed item, as columns; ``lines`` says where each stands in ``file``.

    ``rankers`` may be one name for all rows. The order of a list comes from ``numbers``: scores (large = top), or
    ranks (small = top) when ``by_rank``. ``scores`` are kept beside it. ``candidates`` are the (queries, items) of a
    source that declares its candidates: the listed items must be among them.
    """

    queries: Sequence[str]
    items: Sequence[str]
    numbers: FloatArray
    rankers: Sequence[str] | str = "1"
    by_rank: bool = False
    scores: FloatArray | None = None
    file: str | None = None
    lines: IntArray | None = None
    candidates: tuple[Sequence[str], Sequence[str]] | None = None

    def place(self, row: int) -> int:
        """The line (from 1) of a row."""
        return int(self.lines[row]) if self.lines is not None else row + 1


def from_columns(rows: Columns, *, duplicates: Duplicates = "error") -> tuple[Rankings, IntArray]:
    """The rankings, and the row of each of their entries.

    An item that appears twice in a list is an error that names both places. With ``duplicates="best"`` the better row
    stays (the first of equals), with "first" the one that comes first; the others are left out.
    """
    query, item, ranker = (_code(column) for column in (rows.queries, rows.items, _rankers(rows)))
    keys = rows.numbers if rows.by_rank else -rows.numbers
    if rows.candidates is None:
        sizes = len(query.ids), len(ranker.ids), len(item.ids)
        found = kernel.assemble((query.codes, ranker.codes, item.codes), keys, sizes)
        if found is not None:  # an item that appears twice is looked at more closely
            return _make_rankings(rows, query, ranker, take_ids(item.ids, item.codes[found[0]]), *found[1:])
    return _assemble_in_numpy(rows, ranker, keys, duplicates)


def _assemble_in_numpy(
    rows: Columns, rankers: Coded, keys: FloatArray, duplicates: Duplicates
) -> tuple[Rankings, IntArray]:
    """The same without the twin, for sources that declare their candidates, and for items that appear twice."""
    declared = rows.candidates or ((), ())
    queries = Coded.of_texts(chain(declared[0], rows.queries))
    queries.ids = _as_they_came(tuple(queries.ids), rows.queries)
    query, item = queries.codes, Coded.of_texts(chain(declared[1], rows.items)).codes
    first, flat = _items_of_queries(query, item)
    item_offsets = count_offsets(query[first], len(queries.ids))
    items = _as_they_came(_pick(first, declared[1], rows.items), rows.items)
    query, flat, ranker = query[len(declared[0]) :], flat[len(declared[0]) :], rankers.codes
    order = np.lexsort((keys, ranker, query))  # stable: rows with equal numbers stay in order of appearance
    if duplicates == "first":
        _, earliest = np.unique(ranker * len(items) + flat, return_index=True)
        order = order[np.isin(order, earliest)]
    order = order[_first_of_each(ranker[order], flat[order], len(items), rows, order, duplicates)]
    new_list = _changes(query[order], ranker[order])
    starts = np.flatnonzero(new_list)
    tied = np.zeros(len(order), dtype=bool)
    if len(order):
        tied[1:] = (keys[order][1:] == keys[order][:-1]) & ~new_list[1:]
    offsets = count_offsets(query[order][starts], len(queries.ids))
    entry_offsets = np.append(starts, len(order)).astype(np.intp)
    return _make_rankings(
        rows, queries, rankers, items, item_offsets, offsets, ranker[order][starts], entry_offsets, flat[order], tied,
        order,
    )  # fmt: skip


def _make_rankings(
    rows: Columns,
    queries: Coded,
    rankers: Coded,
    items: Sequence[str],
    item_offsets: IntArray,
    list_offsets: IntArray,
    list_rankers: IntArray,
    entry_offsets: IntArray,
    entries: IntArray,
    tied: BoolArray,
    order: IntArray,
) -> tuple[Rankings, IntArray]:
    rankings = Rankings(
        queries=plain_ids(queries.ids),
        rankers=tuple(rankers.ids),
        items=items,
        item_offsets=item_offsets,
        list_offsets=list_offsets,
        list_rankers=list_rankers,
        entry_offsets=entry_offsets,
        entries=entries,
        tied=tied,
        scores=None if rows.scores is None else rows.scores[order],
        declared=rows.candidates is not None,
    )
    return rankings, order


def _code(column: Sequence[str]) -> Coded:
    return column.by_appearance() if isinstance(column, Coded) else Coded.of_texts(column)


def _rankers(rows: Columns) -> Sequence[str]:
    if isinstance(rows.rankers, str):
        return Coded(np.zeros(len(rows.queries), dtype=np.intp), (rows.rankers,))
    return rows.rankers


def _pick(rows: IntArray, declared: Sequence[str], listed: Sequence[str]) -> tuple[str, ...]:
    """The items of some rows, the declared candidates counted first."""
    items = [*declared, *listed] if declared else listed
    return tuple(items[row] for row in rows.tolist())


def _as_they_came(texts: tuple[str, ...], column: Sequence[str]) -> tuple[str, ...]:
    """The ids of a column with the objects that they came as."""
    ids = column.ids if isinstance(column, Coded) else column
    if not has_own(ids):
        return texts
    own = dict(zip(ids, own_ids(ids), strict=True))
    return OwnIds(texts, [own[text] for text in texts], getattr(ids, "kind", None))


def _items_of_queries(query: IntArray, item: IntArray) -> tuple[IntArray, IntArray]:
    """Row of first appearance of each (query, item), grouped by query; and the flat item of every row."""
    width = int(item.max()) + 1 if len(item) else 1
    _, first, inverse = np.unique(query * width + item, return_index=True, return_inverse=True)
    order = np.lexsort((first, query[first]))
    number = np.empty(len(order), dtype=np.intp)
    number[order] = np.arange(len(order))
    return first[order], number[inverse]


def _first_of_each(
    ranker: IntArray, flat: IntArray, width: int, rows: Columns, order: IntArray, duplicates: Duplicates
) -> IntArray:
    """The indices of the sorted rows without the second and later appearances of an item in a list."""
    _, first, inverse = np.unique(ranker * width + flat, return_index=True, return_inverse=True)
    if len(first) == len(flat):
        return np.arange(len(flat))
    if duplicates == "error":
        again = np.flatnonzero(first[inverse] != np.arange(len(flat)))
        one, other = min(sorted((order[first[inverse[i]]], order[i])) for i in again.tolist())
        raise twice_in_list(
            rows.items[other], rows.queries[other], (rows.place(one), rows.place(other)), file=rows.file
        )
    return np.sort(first)


def twice_in_list(item: str, query: str, places: tuple[int, int], *, file: str | None) -> DataError:
    """The error for an item that appears twice in one list, in these lines of a file, or rows of a frame."""
    from stagg.say import mention, tell  # here: most lists are as they should be

    twice = f"the item {shown(item)} of query {shown(query)} appears twice in one list: "
    where = f"{_name_places(*places, 'line' if file else 'row')}; remove one of them, or keep one: "
    keep = tell(mention(duplicates="best"), " (the better) or ", mention(duplicates="first"))
    return DataError(tell(twice, where, keep), file=file, line=places[1])


def _name_places(one: int, other: int, unit: str) -> str:
    return f"both in {unit} {one}" if one == other else f"{unit}s {one} and {other}"


def _changes(*columns: IntArray) -> np.ndarray:
    new = np.ones(len(columns[0]), dtype=bool)
    if len(new):
        new[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return new
