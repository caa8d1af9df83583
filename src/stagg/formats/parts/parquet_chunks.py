"""Parquet tables in chunks: batches of their row groups, which several threads unpack at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from stagg.data.inputs.arrow import row_ids
from stagg.formats.log import ReadLog
from stagg.formats.options import ReadOptions
from stagg.formats.parts.chunks import ChunkRows, Whole
from stagg.formats.parts.table_rows import check_table_rows, refusal
from stagg.formats.storage.source import Excerpt, Source
from stagg.formats.tables.named_columns import check_order
from stagg.formats.tables.sources.parquet import close_values, name_damage, open_table, plain_values

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ParquetInChunks", "open_in_chunks", "refusal"]

BATCH: Final = 1 << 16  # rows of a chunk
REPEATED: Final = ("query", "ranker")  # ids that are few, and are read as dictionaries


def open_in_chunks(source: Source, options: ReadOptions) -> ParquetInChunks | Whole:
    """The table, if it has more than one query."""
    if not source.peek(1):
        return Whole("it is empty")
    log = ReadLog()
    excerpt = Excerpt(source, log=log)
    content = None if source.is_plain_file else source.stored(is_text=False).read()
    handle = str(source.path) if content is None else _reader(content)
    with name_damage(excerpt):
        file, roles = open_table(handle, excerpt, options)
    source.on_duplicates = excerpt.on_duplicates
    if content is not None:
        source.rewind()
    if "query" not in roles.values():
        return Whole("it is one query")
    if "multiplicity" in roles.values():
        return Whole("its multiplicities are checked over all rows")
    check_order(list(roles.values()), excerpt, options)
    return ParquetInChunks(source, options, file.metadata, roles, content, log)


class ParquetInChunks:
    """A Parquet table: see :class:`stagg.formats.parts.chunks.ChunkedFile`."""

    def __init__(
        self,
        source: Source,
        options: ReadOptions,
        metadata: Any,
        roles: dict[str, str],
        content: bytes | None,
        log: ReadLog,
    ) -> None:
        self.name, self.path, self.stem, self.source = source.name, source.path, source.stem, source
        self.log, self._options, self._metadata, self._content = log, options, metadata, content
        self._own = {role: name for name, role in roles.items()}
        self.names_rankers = "ranker" in self._own
        rows = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
        self._first, self._taken = np.cumsum([0, *rows]), 0

    @property
    def progress(self) -> float:
        return self._taken / max(1, len(self._first) - 1)

    def again(self) -> None:
        self._taken = 0

    def pieces(self) -> Iterator[int]:
        """The numbers of the row groups."""
        for group in range(len(self._first) - 1):
            self._taken = group + 1
            yield group

    def read(self, piece: int, log: ReadLog) -> Iterator[ChunkRows]:
        excerpt, first = Excerpt(self.source, log=log), int(self._first[piece])
        for table in self._batches(piece, excerpt):
            lines = np.arange(first + 1, first + 1 + len(table))
            first += len(table)
            values, odd = self._read_values(table, lines, excerpt)
            if len(lines):
                yield check_table_rows(values, lines, odd, excerpt, self._options)

    def _batches(self, group: int, source: Excerpt) -> Iterator[pa.Table]:
        """The columns of a row group, under the names of their roles, a batch of rows at a time."""
        import pyarrow as pa
        import pyarrow.parquet

        columns = list(self._own.values())
        ids = [self._own[role] for role in REPEATED if role in self._own]
        handle = str(self.path) if self._content is None else _reader(self._content)
        checked = {"metadata": self._metadata, "page_checksum_verification": True}
        with name_damage(source), pyarrow.parquet.ParquetFile(handle, read_dictionary=ids, **checked) as file:
            for batch in file.iter_batches(BATCH, columns=columns, row_groups=[group], use_threads=False):
                batch.validate()
                yield pa.Table.from_batches([batch]).select(columns).rename_columns(list(self._own))

    def _read_values(self, table: pa.Table, lines: Any, source: Excerpt) -> tuple[dict[str, Any], dict[int, object]]:
        """The columns of some rows, and odd cells of ranks by line; items, which seldom repeat, are not numbered."""
        with name_damage(source):
            items = row_ids(table["item"])
        values = plain_values(table if items is None else table.drop_columns(["item"]), source)
        if values is None:
            return close_values(table, lines, source, self._options)
        return values if items is None else values | {"item": items}, {}


def _reader(content: bytes) -> Any:
    import pyarrow as pa

    return pa.BufferReader(content)
