"""Parquet tables, with the columns and rules of CSV."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING, Any, Final

import numpy as np

from stagg.data.columns import Coded
from stagg.data.inputs.arrow import IDS, id_array, number_array, read_values
from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.errors import need, shown
from stagg.formats.format import Format, Loaded
from stagg.formats.reading import Reading
from stagg.formats.storage.size_limits import Bounds
from stagg.formats.tables.cells import CellTable
from stagg.formats.tables.named_columns import (
    NO_CELLS,
    Cells,
    check_header,
    columns_of,
    load_values,
    loaded,
    parse_cells,
    table_refusal,
)
from stagg.formats.tables.roles import check_ignored, is_long, name_roles
from stagg.kernels.arrays import IntArray
from stagg.threads import Crew

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "Parquet", "check_claims", "close_values", "is_long_file", "name_damage", "open_table", "plain_values",
    "read_columns", "read_parquet_cells",
]  # fmt: skip

BATCH: Final = 1 << 20
ROW_GROUP: Final = 1 << 20
CELL: Final = 8  # bytes of a cell, unpacked


class Parquet(Format):
    """Parquet table: query, item, rank and/or score, and if there are several, ranker; or another layout.

    It needs pyarrow, and is written as a long table.
    """

    name = "parquet"
    holds_intervals = True
    writes_parts = True

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        return first_bytes.startswith(b"PAR1")

    def read(self, reading: Reading) -> Loaded:
        if not reading.source.peek(1):
            return loaded(NO_CELLS, reading)
        handle = reading.source.binary()
        if not is_long_file(handle, reading):
            from stagg.formats.tables.stages import read_table  # here: long tables do without the layouts

            return read_table(read_parquet_cells(handle, reading), reading)
        table = _read_table(handle, reading)
        lines = np.arange(1, len(table) + 1)
        values = plain_values(table, reading)
        return load_values(values, lines, reading) if values else loaded(_cells(table, lines, reading), reading)

    def refusal(self, rankings: Rankings, labels: Labels | None) -> str | None:
        return table_refusal(rankings) or super().refusal(rankings, labels)

    def write(self, rankings: Rankings, stream: IO[bytes], labels: Labels | None = None) -> None:
        self.write_parts([self.render(rankings)], stream)

    def render(self, rankings: Rankings) -> pa.Table:
        arrow = need("pyarrow", "Parquet files", extra="parquet")
        arrays = {
            name: id_array(column) if name in IDS else number_array(column, gaps=True)
            for name, column in columns_of(rankings).items()
        }
        return arrow.table(arrays)

    def write_parts(self, parts: Iterable[pa.Table], stream: IO[bytes], *, threads: int = 1) -> None:
        """Row groups of ROW_GROUP rows, however the parts are cut; each is packed while the next is gathered."""
        need("pyarrow", "Parquet files", extra="parquet")
        import pyarrow.parquet

        with contextlib.ExitStack() as stack:
            writer, crew, held, begun = None, None, list[Any](), list[int]()
            for part in parts:
                writer = writer or stack.enter_context(
                    pyarrow.parquet.ParquetWriter(stream, part.schema, write_page_checksum=True)
                )
                crew = crew or stack.enter_context(Crew(threads))
                held.append(part)
                while sum(map(len, held)) > ROW_GROUP:
                    for number in begun:
                        crew.get(number)
                    begun = [crew.submit(writer.write_table, _take_rows(held, ROW_GROUP))]
            if writer is not None and crew is not None:
                for number in begun:
                    crew.get(number)
                writer.write_table(_take_rows(held, ROW_GROUP))


def _take_rows(held: list[pa.Table], rows: int) -> pa.Table:
    """The first rows of the tables, which leave them, as one piece: pieces would change where pages end.

    Column by column, so that no more than one is in memory twice.
    """
    import pyarrow as pa

    table = pa.concat_tables(held)
    names, columns = table.column_names, table.slice(0, rows).columns
    held[:] = [table.slice(rows)] if len(table) > rows else []
    del table
    joined: list[Any] = []
    while columns:
        joined.append(columns.pop(0).combine_chunks())
    return pa.table(joined, names=names)


def plain_values(table: pa.Table, reading: Reading) -> dict[str, Any] | None:
    """The columns, ids as codes; None where a cell has to be looked at closely."""
    with name_damage(reading):
        return None if "multiplicity" in table.column_names else read_values(table)


def close_values(table: pa.Table, lines: IntArray, reading: Reading) -> tuple[dict[str, Any], dict[int, object]]:
    """The columns when every cell is looked at, and the cells of ranks by line."""
    cells, values = parse_cells(_cells(table, lines, reading), reading)
    for name in values.keys() & set(IDS):
        values[name] = Coded.of_texts(values[name])
    return values, dict(zip(cells.lines.tolist(), cells.columns.get("rank", ()), strict=False))


def _cells(table: pa.Table, lines: IntArray, reading: Reading) -> Cells:
    with name_damage(reading):  # a damaged file may hold bytes that are no text
        return Cells({name: table[name].to_pylist() for name in table.column_names}, lines)


def is_long_file(handle: IO[bytes] | str, reading: Reading) -> bool:
    """Whether a file is a long table, by what its owner says, or by the names of its columns."""
    need("pyarrow", "Parquet files", extra="parquet")
    import pyarrow.parquet

    if reading.options.layout is not None:
        return reading.options.layout == "long"
    with name_damage(reading):
        names = list(pyarrow.parquet.ParquetFile(handle).schema_arrow.names)
    return is_long(name_roles(names, reading.excerpt()))


def read_parquet_cells(handle: IO[bytes] | str, reading: Reading) -> CellTable:
    """All cells of a file, below the names of its columns, an index of pandas first."""
    need("pyarrow", "Parquet files", extra="parquet")
    import pyarrow.parquet

    from stagg.formats.tables.sources.frames import list_texts, name_plainly, spread_lists

    with name_damage(reading):
        file = pyarrow.parquet.ParquetFile(handle, page_checksum_verification=True)
        names = list(file.schema_arrow.names)
        known = (file.schema_arrow.pandas_metadata or {}).get("index_columns", [])
        names = sorted(names, key=lambda name: name not in known)
        check_claims(file, {}, handle, reading)
        Bounds(reading.options.max_size, reading.name).check_plain(CELL * file.metadata.num_rows * len(names))
        table = read_columns(file, names)
        columns = [table.column(number).to_pylist() for number in range(len(names))]
        names, columns = spread_lists(name_plainly(names), columns, reading)
        texts = [list_texts(column, name) for column, name in zip(columns, names, strict=True)]
    return CellTable.of(list(enumerate([names, *map(list, zip(*texts, strict=True))])), header=True)


def _read_table(handle: IO[bytes] | str, reading: Reading) -> pa.Table:
    """The known columns of a whole file, under the names of their roles."""
    with name_damage(reading):
        file, own = open_table(handle, reading)
        return read_columns(file, list(own)).rename_columns(list(own.values()))


@contextlib.contextmanager
def name_damage(reading: Reading) -> Iterator[None]:
    """Turn what pyarrow raises of a damaged file into an error that names the file."""
    arrow = need("pyarrow", "Parquet files", extra="parquet")
    try:
        yield
    except (arrow.ArrowException, OSError, ValueError, TypeError, KeyError, OverflowError, MemoryError) as error:
        raise reading.error(f"the Parquet file is truncated or damaged: {shown(str(error))}") from None


def open_table(handle: IO[bytes] | str, reading: Reading) -> tuple[Any, dict[str, str]]:
    """The file, its ids read as dictionaries, and the roles of its known columns by name.

    Every column must be of a type that fits its role: ids of one that has one text for each value.
    """
    arrow = need("pyarrow", "Parquet files", extra="parquet")
    import pyarrow.parquet

    file = pyarrow.parquet.ParquetFile(handle)
    names = list(file.schema_arrow.names)
    roles = name_roles(names, reading)
    sample = [["0" if _is_number(kind, arrow) else "text" for kind in file.schema_arrow.types]]
    known = check_header(roles, reading, own=names, body=sample)
    check_ignored(roles, reading)
    own = {names[roles.index(role)]: role for role in known}
    check_claims(file, own, handle, reading)
    ids = [name for name, role in own.items() if role in IDS]
    checked = {"metadata": file.metadata, "page_checksum_verification": True}
    return pyarrow.parquet.ParquetFile(handle, read_dictionary=ids, **checked), own


def _is_number(kind: Any, arrow: Any) -> bool:
    return any(test(kind) for test in (arrow.types.is_integer, arrow.types.is_floating, arrow.types.is_decimal))


def check_claims(file: Any, roles: dict[str, str], handle: IO[bytes] | str, reading: Reading) -> None:
    """Refuse columns whose types do not fit their roles, and more rows than so small a file can hold."""
    arrow = need("pyarrow", "Parquet files", extra="parquet")
    for name, role in roles.items():
        _check_type(role, file.schema_arrow.field(name).type, reading, arrow)
    metadata = file.metadata
    if sum(metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)) != metadata.num_rows:
        raise reading.error("the Parquet file is truncated or damaged: its row counts contradict one another")
    size = os.path.getsize(handle) if isinstance(handle, str) else handle.seek(0, os.SEEK_END)
    bounds, cells = Bounds(reading.options.max_size, reading.name), metadata.num_rows * len(roles)
    bounds.check_plain(CELL * cells)
    bounds.check_ratio(CELL * cells, size)  # a column of one value may claim any number of rows


def read_columns(file: Any, names: list[str]) -> pa.Table:
    """The columns, a batch at a time: a damaged file may claim more rows than there is memory for."""
    batches = []
    for batch in file.iter_batches(batch_size=BATCH, columns=names):
        batch.validate()
        batches.append(batch)
    arrow = need("pyarrow", "Parquet files", extra="parquet")
    schema = batches[0].schema if batches else arrow.schema([file.schema_arrow.field(name) for name in names])
    return arrow.Table.from_batches(batches, schema).select(names)


def _check_type(name: str, kind: pa.DataType, reading: Reading, arrow: Any) -> None:
    types = arrow.types
    if types.is_dictionary(kind):
        kind = kind.value_type
    texts = str(kind) in ("string", "large_string", "string_view", "null")
    numbers = _is_number(kind, arrow)
    if name in IDS and not (texts or types.is_integer(kind)):
        raise reading.error(f"the column '{name}' is of type {kind}; ids are text or whole numbers: convert it first")
    if not (texts or numbers):
        raise reading.error(f"the column '{name}' is of type {kind}; expected numbers")
