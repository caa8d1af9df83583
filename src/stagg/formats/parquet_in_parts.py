"""A Parquet table, some queries at a time: row groups are unpacked one after the other, and few are held."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from stagg.data.arrow import IDS
from stagg.data.columns import Coded
from stagg.data.ids import join_ids, take_ids
from stagg.formats.base import ReadOptions
from stagg.formats.log import ReadLog
from stagg.formats.named_columns import check_order
from stagg.formats.parquet import close_values, name_damage, open_table, plain_values, read_columns
from stagg.formats.source import Excerpt, Source
from stagg.formats.stored import Storage
from stagg.formats.stretches import Index, Unfit
from stagg.formats.tables_in_parts import TableRows
from stagg.kernels.arrays import IntArray

__all__ = ["ParquetTable"]

FEW_ROWS: Final = 1 << 21  # a table that has no more is read at once, which is quicker
GROUPS_HELD: Final = 2  # a query may begin in one row group and end in the next

Group = tuple[dict[str, Any], dict[int, object]]


class ParquetTable:
    """A Parquet table, indexed by the rows of each query."""

    is_random = False

    def __init__(self, source: Source, options: ReadOptions, storage: Storage) -> None:
        if not source.is_plain_file:
            raise Unfit("it is packed, or comes through a pipe")
        if not source.peek(1):
            raise Unfit("it is empty")
        self.name, self.path, self.stem, self.source = source.name, source.path, source.stem, source
        self.options, self.log = options, ReadLog()
        self._lock, self._groups = threading.Lock(), OrderedDict[int, Group]()
        excerpt = Excerpt(source, log=self.log)
        with name_damage(excerpt):
            file, self._known = open_table(str(self.path), excerpt)
        if "multiplicity" in self._known:
            raise Unfit("its multiplicities are checked over all rows")
        if file.metadata.num_rows <= FEW_ROWS or file.metadata.num_row_groups == 1:
            raise Unfit("it is small, or one row group")
        check_order(self._known, excerpt, options)
        self._metadata = file.metadata
        rows = [file.metadata.row_group(group).num_rows for group in range(file.metadata.num_row_groups)]
        self._first = np.cumsum([0, *rows])
        self._index(excerpt)

    def _index(self, source: Excerpt) -> None:
        index = Index()
        wanted: list[str] = [name for name in ("query", "ranker") if name in self._known]
        for group, first in enumerate(self._first[:-1].tolist()):
            columns, _ = self._unpack(group, wanted, source)
            rows = np.arange(first, first + len(columns["query"]))
            index.add(columns["query"], columns.get("ranker"), rows, rows + 1)
        self.queries, self.rankers = index.queries, index.rankers
        count = int(self._first[-1])
        self.stretches = index.stretches(count, count + 1)

    def _unpack(self, group: int, names: list[str], source: Excerpt) -> Group:
        """Some columns of a row group, ids as codes; and odd cells of ranks by line."""
        import pyarrow.parquet

        with name_damage(source):
            ids = [name for name in names if name in IDS]
            checked = {"metadata": self._metadata, "page_checksum_verification": True}
            with pyarrow.parquet.ParquetFile(str(self.path), read_dictionary=ids, **checked) as file:
                table = read_columns(file, names, source, [group])
        values = plain_values(table, source)
        if values is not None:
            return {name: _narrow(column) for name, column in values.items()}, {}
        lines = np.arange(len(table)) + int(self._first[group]) + 1
        return close_values(table, lines, source, self.options)

    def _take(self, group: int, source: Excerpt) -> Group:
        """A row group, from those that are held if it is among them."""
        with self._lock:
            held = self._groups.pop(group, None) or self._unpack(group, self._known, source)
            self._groups[group] = held
            while len(self._groups) > GROUPS_HELD:
                self._groups.popitem(last=False)
        return held

    def read(self, queries: IntArray) -> TableRows:
        """The rows of some queries, by number."""
        excerpt, odd = Excerpt(self.source), dict[int, object]()
        lines: list[IntArray] = []
        parts: list[dict[str, Any]] = []
        for low, high, _ in self.stretches.spans(self.stretches.find(queries)):
            for group, first, last in self._cut(low, high):
                values, odd_ranks = self._take(group, excerpt)
                odd |= odd_ranks
                parts.append({name: column[first:last] if name not in IDS else column.take(slice(first, last))
                              for name, column in values.items()})  # fmt: skip
                lines.append(np.arange(first, last) + int(self._first[group]) + 1)
        if not parts:
            return TableRows({}, np.zeros(0, dtype=np.int64), odd, excerpt)
        columns = {name: _join([part[name] for part in parts]) for name in parts[0]}
        return TableRows(columns, np.concatenate(lines), odd, excerpt)

    def _cut(self, low: int, high: int) -> Iterator[tuple[int, int, int]]:
        """(row group, first row, last row) of some rows of the table."""
        group = int(np.searchsorted(self._first, low, side="right")) - 1
        while low < high:
            first, after = self._first[group : group + 2].tolist()
            yield group, low - first, min(high, after) - first
            low, group = after, group + 1


def _narrow(column: Any) -> Any:
    """Codes in half the memory, since whole row groups are held."""
    if isinstance(column, Coded) and len(column.ids) < np.iinfo(np.int32).max:
        return Coded(column.codes.astype(np.int32), column.ids)
    return column


def _join(parts: list[Any]) -> Any:
    if len(parts) == 1:
        return parts[0]
    if not isinstance(parts[0], Coded):
        return np.concatenate(parts)
    if all(part.ids is parts[0].ids for part in parts):
        return Coded(np.concatenate([part.codes for part in parts]), parts[0].ids)
    return join_ids([take_ids(part.ids, part.codes) for part in parts])
