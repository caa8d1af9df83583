"""Read Parquet tables in parts: row groups are unpacked one after another, and few are held."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from stagg.data.inputs.arrow import row_ids
from stagg.errors import DataError
from stagg.formats.log import ReadLog
from stagg.formats.options import ReadOptions
from stagg.formats.parts.random_access import Storage
from stagg.formats.parts.stretches import Index, RowBlock, Unfit
from stagg.formats.parts.tables_in_parts import TableRows
from stagg.formats.storage.source import Excerpt, Source
from stagg.formats.tables.named_columns import check_order
from stagg.formats.tables.sources.parquet import close_values, name_damage, open_table, plain_values
from stagg.kernels.arrays import IntArray
from stagg.threads import map_threads

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ParquetTable"]

FEW_ROWS: Final = 1 << 21  # a table that has no more is read at once, which is quicker
GROUPS_HELD: Final = 1
BATCH: Final = 1 << 16
WAITING: Final = 3  # parts that are begun beside those that the threads work on
FAR: Final = 1 << 20  # rows; so many are passed over by beginning again behind them
MOST_RETURNS: Final = 8  # how often reading may begin again further up
REPEATED: Final = ("query", "ranker")  # ids that are few, and are read as dictionaries


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
        self._lock, self._groups, self._threads = threading.Lock(), OrderedDict[int, Any](), storage.threads
        excerpt = Excerpt(source, log=self.log)
        with name_damage(excerpt):
            file, self._roles = open_table(str(self.path), excerpt, options)
        source.on_duplicates = excerpt.on_duplicates
        self._known = list(self._roles.values())
        if "query" not in self._known:
            raise Unfit("it is one query")
        if "multiplicity" in self._known:
            raise Unfit("its multiplicities are checked over all rows")
        if file.metadata.num_rows <= FEW_ROWS or file.metadata.num_row_groups == 1:
            raise Unfit("it is small, or one row group")
        check_order(self._known, excerpt, options)
        self._metadata = file.metadata
        rows = [file.metadata.row_group(group).num_rows for group in range(file.metadata.num_row_groups)]
        self._first = np.cumsum([0, *rows])
        self._index(excerpt)
        unpack = partial(self._batches, self._known, source=excerpt)
        self._unpacked = Unpacked(unpack, self._first, requests=self._threads + WAITING)

    def _index(self, source: Excerpt) -> None:
        index, groups = Index(), range(len(self._first) - 1)
        for first in groups[:: self._threads]:
            some = groups[first : first + self._threads]
            for blocks in map_threads(lambda group: list(self._blocks(group, source)), some, self._threads):
                for block in blocks:
                    index.add(block)
        self.queries, self.rankers = index.queries, index.rankers
        self.stretches = index.stretches(int(self._first[-1]), int(self._first[-1]) + 1)

    def _blocks(self, group: int, source: Excerpt) -> Iterator[RowBlock]:
        """Where the rows of each query lie in a row group."""
        first = int(self._first[group])
        wanted: list[str] = [name for name in ("query", "ranker") if name in self._known]
        for batch in self._batches(wanted, [group], source):
            rows = np.arange(first, first + len(batch))
            columns, _ = self._read_values(batch, rows + 1, source)
            yield RowBlock.of(columns["query"], columns.get("ranker"), rows, rows + 1)
            first += len(batch)

    def _batches(self, names: list[str], groups: Iterable[int], source: Excerpt) -> Iterator[pa.Table]:
        """Some columns of some row groups, by their roles, a batch of rows at a time."""
        import pyarrow as pa
        import pyarrow.parquet

        own = {role: name for name, role in self._roles.items()}
        columns, ids = [own[role] for role in names], [own[role] for role in names if role in REPEATED]
        checked = {"metadata": self._metadata, "page_checksum_verification": True}
        with (
            name_damage(source),
            pyarrow.parquet.ParquetFile(str(self.path), read_dictionary=ids, **checked) as file,
        ):
            for batch in file.iter_batches(BATCH, columns=columns, row_groups=list(groups), use_threads=False):
                batch.validate()
                yield pa.Table.from_batches([batch]).select(columns).rename_columns(names)

    def _read_values(
        self, table: pa.Table, lines: IntArray, source: Excerpt
    ) -> tuple[dict[str, Any], dict[int, object]]:
        """The columns of some rows, and odd cells of ranks by line.

        Ids that seldom repeat within a query are not numbered here.
        """
        with name_damage(source):
            items = row_ids(table["item"]) if "item" in table.column_names else None
        values = plain_values(table if items is None else table.drop_columns(["item"]), source)
        if values is None:
            return close_values(table, lines, source, self.options)
        return values if items is None else values | {"item": items}, {}

    def _take(self, group: int, source: Excerpt) -> pa.Table:
        """A row group, from those that are held if it is among them."""
        import pyarrow as pa

        with self._lock:
            held = self._groups.pop(group, None)
            if held is None:
                held = pa.concat_tables(self._batches(self._known, [group], source))
            self._groups[group] = held
            while len(self._groups) > GROUPS_HELD:
                self._groups.popitem(last=False)
        return held

    def release(self) -> None:
        """Forget the rows that are held."""
        self._groups.clear()
        self._unpacked.close()

    def read(self, queries: IntArray) -> TableRows:
        """The rows of some queries, by number."""
        import pyarrow as pa

        excerpt, tables, lines = Excerpt(self.source), [], [np.zeros(0, dtype=np.int64)]
        for low, high, _ in self.stretches.spans(self.stretches.find(queries)):
            lines.append(np.arange(low, high) + 1)
            tables += self._unpacked.take(low, high) or [
                self._take(group, excerpt).slice(first, rows) for group, first, rows in self._cut(low, high)
            ]
        where = np.concatenate(lines)
        columns, odd = self._read_values(pa.concat_tables(tables), where, excerpt) if tables else ({}, {})
        return TableRows(columns, where, odd, excerpt)

    def _cut(self, low: int, high: int) -> Iterator[tuple[int, int, int]]:
        """(row group, first row, how many) of some rows of the table."""
        group = int(np.searchsorted(self._first, low, side="right")) - 1
        while low < high:
            first, after = self._first[group : group + 2].tolist()
            yield group, low - first, min(high, after) - low
            low, group = after, group + 1


class Unpacked:
    """The rows that were unpacked last: whoever reads a table in its order finds the next ones here.

    Rows are forgotten that lie before all of the last few requests. Several threads may ask. Who goes back often is
    told to look elsewhere: the rows would be unpacked again and again.
    """

    def __init__(self, unpack: Callable[[range], Iterator[pa.Table]], first: IntArray, requests: int) -> None:
        """``unpack`` gives the rows of some row groups; ``first`` is the first row of each group, and the end."""
        self._unpack, self._first, self._lock = unpack, first, threading.Lock()
        self._held, self._requests = deque[tuple[int, Any]](), deque[int](maxlen=requests)
        self._rest: Iterator[Any] = iter(())
        self._next, self._returns, self._count = int(first[-1]), -1, requests

    def take(self, low: int, high: int) -> list[pa.Table] | None:
        """The rows low:high as they come; None if they are to be looked for elsewhere."""
        with self._lock:
            if not self._reach(low):
                return None
            self._requests.append(low)
            while self._next < high:
                self._unpack_more()
            return [
                table.slice(max(low - first, 0), min(high, first + len(table)) - max(low, first))
                for first, table in self._held
                if first < high and low < first + len(table)
            ]

    def close(self) -> None:
        self._held.clear()
        self._rest = iter(())

    def _reach(self, low: int) -> bool:
        """Whether reading on leads to this row; it begins again at its row group where that is shorter."""
        held = self._held[0][0] if self._held else self._next
        group = int(np.searchsorted(self._first, low, side="right")) - 1
        if held <= low and self._first[group] <= self._next + FAR:
            return True
        if held > low and self._returns == MOST_RETURNS:
            return False
        self._returns += held > low
        self._held.clear()
        self._rest, self._next = self._unpack(range(group, len(self._first) - 1)), int(self._first[group])
        self._requests.extend([self._next] * self._count)  # others may ask for what lies before
        return True

    def _unpack_more(self) -> None:
        table = next(self._rest, None)
        if table is None:
            raise DataError("the file changed while it was read")
        self._held.append((self._next, table))
        self._next += len(table)
        while self._held and self._held[0][0] + len(self._held[0][1]) <= min(self._requests):
            self._held.popleft()
