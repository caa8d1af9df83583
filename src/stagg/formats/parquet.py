"""Parquet tables, with the columns and rules of CSV."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any, Final

import numpy as np

from stagg.data.arrow import IDS, id_array, read_values
from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.errors import need, shown
from stagg.formats.base import Format, Loaded, ReadOptions
from stagg.formats.named_columns import NO_CELLS, Cells, check_header, columns_of, load_values, loaded, table_refusal
from stagg.formats.roles import check_ignored, name_roles
from stagg.formats.source import Source

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Parquet"]

BATCH: Final = 1 << 20


class Parquet(Format):
    """Parquet table: query, item, rank and/or score, and if there are several, ranker; needs pyarrow."""

    name = "parquet"
    endings = (".parquet", ".parq")
    holds_intervals = True

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        return first_bytes.startswith(b"PAR1")

    def read(self, source: Source, options: ReadOptions) -> Loaded:
        if not source.peek(1):
            return loaded(NO_CELLS, source, options)
        table = _read_table(source, options)
        lines, values = np.arange(1, len(table) + 1), _read_values(table, source)
        if values is not None and "multiplicity" not in values:
            return load_values(values, lines, source, options)
        cells = Cells({name: table[name].to_pylist() for name in table.column_names}, lines)
        return loaded(cells, source, options)

    def refusal(self, rankings: Rankings, labels: Labels | None) -> str | None:
        return table_refusal(rankings) or super().refusal(rankings, labels)

    def write(self, rankings: Rankings, stream: IO[bytes], labels: Labels | None = None) -> None:
        arrow = need("pyarrow", "Parquet files", extra="parquet")
        import pyarrow.parquet

        arrays = {
            name: id_array(column) if name in IDS else arrow.array(column, mask=_find_gaps(column))
            for name, column in columns_of(rankings).items()
        }
        pyarrow.parquet.write_table(arrow.table(arrays), stream, write_page_checksum=True)


def _read_values(table: pa.Table, source: Source) -> dict[str, Any] | None:
    try:
        return read_values(table)
    except need("pyarrow", "Parquet files", extra="parquet").ArrowException as error:
        raise source.error(f"the Parquet file is truncated or damaged: {shown(str(error))}") from None


def _find_gaps(column: np.ndarray) -> np.ndarray | None:
    """Where a column of numbers has none."""
    return np.isnan(column) if column.dtype.kind == "f" and np.isnan(column).any() else None


def _read_table(source: Source, options: ReadOptions) -> pa.Table:
    """The known columns under the names of their roles, ids as dictionaries.

    Ids must be of a type that has one text for each value.
    """
    arrow = need("pyarrow", "Parquet files", extra="parquet")
    import pyarrow.parquet

    try:
        handle = source.binary()
        file = pyarrow.parquet.ParquetFile(handle)
        names = list(file.schema_arrow.names)
        roles = name_roles(names, source, options)
        known = check_header(roles, source)
        check_ignored(roles, source, options)
        own = {names[roles.index(role)]: role for role in known}
        for name, role in own.items():
            _check_type(role, file.schema_arrow.field(name).type, source, arrow)
        ids = [name for name, role in own.items() if role in IDS]
        checked = {"metadata": file.metadata, "page_checksum_verification": True}
        table = _read_columns(pyarrow.parquet.ParquetFile(handle, read_dictionary=ids, **checked), list(own), source)
        return table.rename_columns(list(own.values()))
    except (arrow.ArrowException, OSError, ValueError, TypeError, KeyError, OverflowError, MemoryError) as error:
        raise source.error(f"the Parquet file is truncated or damaged: {shown(str(error))}") from None


def _read_columns(file: Any, names: list[str], source: Source) -> pa.Table:
    """The columns, a batch at a time: a damaged file may claim more rows than there is memory for."""
    metadata = file.metadata
    if sum(metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)) != metadata.num_rows:
        raise source.error("the Parquet file is truncated or damaged: its row counts contradict one another")
    batches = []
    for batch in file.iter_batches(batch_size=BATCH, columns=names):
        batch.validate()
        batches.append(batch)
    arrow = need("pyarrow", "Parquet files", extra="parquet")
    schema = batches[0].schema if batches else arrow.schema([file.schema_arrow.field(name) for name in names])
    return arrow.Table.from_batches(batches, schema).select(names)


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
