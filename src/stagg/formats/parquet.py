"""Parquet tables, with the columns and rules of CSV."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any, Final

import numpy as np

from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.errors import need, shown
from stagg.formats.base import Format, Loaded, ReadOptions
from stagg.formats.named_columns import NO_CELLS, Cells, check_header, columns_of, loaded, table_refusal
from stagg.formats.source import Source

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Parquet"]

IDS: Final = ("query", "ranker", "item")
BATCH: Final = 1 << 16


class Parquet(Format):
    """Parquet table: query, item, rank and/or score, and if there are several, ranker; needs pyarrow."""

    name = "parquet"
    endings = (".parquet",)
    holds_intervals = True

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        return first_bytes.startswith(b"PAR1")

    def read(self, source: Source, options: ReadOptions) -> Loaded:
        cells = _cells(source)
        return loaded(cells, source, options)

    def refusal(self, rankings: Rankings, labels: Labels | None) -> str | None:
        return table_refusal(rankings) or super().refusal(rankings, labels)

    def write(self, rankings: Rankings, stream: IO[bytes], labels: Labels | None = None) -> None:
        arrow = need("pyarrow", "Parquet files", extra="parquet")
        import pyarrow.parquet

        fractions = {"score", "top"}
        types = {name: arrow.string() for name in IDS} | {name: arrow.float64() for name in fractions}
        columns = columns_of(rankings)
        arrays = {name: arrow.array(column, types.get(name, arrow.int64())) for name, column in columns.items()}
        pyarrow.parquet.write_table(arrow.table(arrays), stream, write_page_checksum=True)


def _cells(source: Source) -> Cells:
    """The known columns as Python values; ids must be of a type that has one text for each value."""
    if not source.peek(1):
        return NO_CELLS
    arrow = need("pyarrow", "Parquet files", extra="parquet")
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(source.binary(), page_checksum_verification=True)
        known = check_header(file.schema_arrow.names, source)
        for name in known:
            _check_type(name, file.schema_arrow.field(name).type, source, arrow)
        columns = _read_columns(file, known, source)
    except (arrow.ArrowException, OSError, ValueError, TypeError, KeyError, OverflowError, MemoryError) as error:
        raise source.error(f"the Parquet file is truncated or damaged: {shown(str(error))}") from None
    return Cells(columns, np.arange(1, len(columns[known[0]]) + 1))


def _read_columns(file: Any, names: list[str], source: Source) -> dict[str, list[Any]]:
    """The columns, a batch at a time: a damaged file may claim more rows than there is memory for."""
    metadata = file.metadata
    if sum(metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)) != metadata.num_rows:
        raise source.error("the Parquet file is truncated or damaged: its row counts contradict one another")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for batch in file.iter_batches(batch_size=BATCH, columns=names):
        batch.validate(full=True)
        for name in names:
            columns[name] += batch.column(name).to_pylist()
    return columns


def _check_type(name: str, kind: pa.DataType, source: Source, arrow: Any) -> None:
    types = arrow.types
    if types.is_dictionary(kind):
        kind = kind.value_type
    texts = str(kind) in ("string", "large_string", "string_view", "null")
    numbers = types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)
    if name in IDS and not (texts or types.is_integer(kind)):
        raise source.error(f"the column '{name}' is of type {kind}; ids are text or whole numbers: convert it first")
    if not (texts or numbers):
        raise source.error(f"the column '{name}' is of type {kind}; expected numbers")
