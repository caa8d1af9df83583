"""Parquet tables in chunks: batches of rows, unpacked one after another and checked by any thread."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any, Final

import numpy as np

from stagg.data.inputs.arrow import row_ids
from stagg.formats.log import ReadLog
from stagg.formats.parts.chunks import ChunkRows, Whole
from stagg.formats.parts.table_rows import check_table_rows, refusal
from stagg.formats.reading import Reading
from stagg.formats.storage.source import Source
from stagg.formats.tables.named_columns import check_order
from stagg.formats.tables.sources.parquet import (
    close_values,
    is_long_file,
    name_damage,
    open_table,
    plain_values,
)

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ParquetInChunks", "open_in_chunks", "refusal"]

BATCH: Final = 1 << 16  # rows of a chunk
REPEATED: Final = ("query", "ranker")  # ids that are few, and are read as dictionaries


def open_in_chunks(reading: Reading) -> ParquetInChunks | Whole:
    """The table, if it has more than one query."""
    if not reading.source.peek(1):
        return Whole("it is empty")
    log = ReadLog()
    excerpt = reading.excerpt(log=log)
    handle = _find_handle(reading.source)
    if not is_long_file(handle, excerpt):
        return Whole("it is not a table with one row per listed item")
    with name_damage(excerpt):
        file, roles = open_table(handle, excerpt)
    reading.on_duplicates, reading.rank_name = excerpt.on_duplicates, excerpt.rank_name
    if not reading.source.is_plain_file:
        reading.source.rewind()
    if "query" not in roles.values():
        return Whole("it is one query")
    if "multiplicity" in roles.values():
        return Whole("its multiplicities are checked over all rows")
    check_order(list(roles.values()), excerpt)
    return ParquetInChunks(reading, file.metadata, roles, log)


def _find_handle(source: Source) -> str | IO[bytes]:
    """What pyarrow reads: the file itself, or a copy of what is packed or came through a pipe."""
    return str(source.path) if source.is_plain_file else source.stored(is_text=False)


class ParquetInChunks:
    """A Parquet table: see :class:`stagg.formats.parts.chunks.ChunkedFile`."""

    def __init__(
        self,
        reading: Reading,
        metadata: Any,
        roles: dict[str, str],
        log: ReadLog,
    ) -> None:
        self.reading, self.source = reading, reading.source
        self.name, self.path, self.stem = reading.name, reading.source.path, reading.stem
        self.log, self._metadata = log, metadata
        self._own = {role: name for name, role in roles.items()}
        self.names_rankers = "ranker" in self._own
        self._taken = 0

    @property
    def progress(self) -> float:
        rows: int = self._metadata.num_rows
        return self._taken / max(1, rows)

    def again(self) -> None:
        self._taken = 0

    def pieces(self) -> Iterator[tuple[int, pa.RecordBatch]]:
        """(rows before it, a batch)."""
        import pyarrow.parquet

        columns = list(self._own.values())
        ids = [self._own[role] for role in REPEATED if role in self._own]
        checked = {"metadata": self._metadata, "page_checksum_verification": True, "pre_buffer": False}
        excerpt, first = self.reading.excerpt(), 0
        handle = _find_handle(self.source)  # here: of many files, few are kept open
        with name_damage(excerpt), pyarrow.parquet.ParquetFile(handle, read_dictionary=ids, **checked) as file:
            for batch in file.iter_batches(BATCH, columns=columns):
                self._taken = first + len(batch)
                yield first, batch
                first += len(batch)

    def read(self, piece: tuple[int, pa.RecordBatch], log: ReadLog) -> Iterator[ChunkRows]:
        import pyarrow as pa

        excerpt, (first, batch), columns = self.reading.excerpt(log=log), piece, list(self._own.values())
        with name_damage(excerpt):
            batch.validate()
            table = pa.Table.from_batches([batch]).select(columns).rename_columns(list(self._own))
        lines = np.arange(first + 1, first + 1 + len(table))
        values, odd = self._read_values(table, lines, excerpt)
        if len(lines):
            yield check_table_rows(values, lines, odd, excerpt)

    def _read_values(self, table: pa.Table, lines: Any, reading: Reading) -> tuple[dict[str, Any], dict[int, object]]:
        """The columns of some rows, and odd cells of ranks by line; items, which seldom repeat, are not numbered."""
        with name_damage(reading):
            items = row_ids(table["item"])
        values = plain_values(table if items is None else table.drop_columns(["item"]), reading)
        if values is None:
            return close_values(table, lines, reading)
        return values if items is None else values | {"item": items}, {}
