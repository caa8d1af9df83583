"""Checked rows of a table with named columns, for a chunk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stagg.data.columns import Coded
from stagg.data.ids import Ids, take_ids
from stagg.formats.options import ReadOptions
from stagg.formats.parts.chunks import ChunkRows
from stagg.formats.reading import Reading
from stagg.formats.row_checks import refuse_long_ids
from stagg.formats.tables.named_columns import check_row_values, make_columns
from stagg.kernels.arrays import IntArray
from stagg.kernels.text import records, text

__all__ = ["check_table_rows", "refusal"]


def check_table_rows(
    values: Mapping[str, Any], lines: IntArray, odd_ranks: Mapping[int, object], reading: Reading
) -> ChunkRows:
    """Rows whose cells are right one by one, as they go into a chunk.

    Whether a list has scores for some of its items only is seen when all of its rows are there.
    """
    check_row_values(values, lines, odd_ranks, reading)
    refuse_long_ids(make_columns(values, lines, reading))
    ranker = values.get("ranker")
    return ChunkRows(
        _code(values["query"]),
        _list(values["item"]),
        lines,
        values.get("score"),
        values.get("rank"),
        None if ranker is None else _code(ranker),
    )


def _code(column: Any) -> Coded:
    return (
        column
        if isinstance(column, Coded)
        else Coded.of_ids(column)
        if isinstance(column, Ids)
        else Coded.of_texts(column)
    )


def _list(column: Any) -> Ids:
    """Ids, row by row."""
    return Ids.of(take_ids(column.ids, column.codes) if isinstance(column, Coded) else column)


def refusal(options: ReadOptions) -> str | None:
    """Why tables cannot be read in chunks with these options; None if they can."""
    if not (text.has_twin() and records.has_twin()):
        return "there is no compiled reader"
    if options.lenient or options.duplicates != "error":
        return "dropped rows are counted in the order of the file"
    closely = options.header is not None or options.layout not in (None, "long") or options.split_by_tag
    closely = closely or options.lower is not None or options.keep_ranks
    closely = closely or options.same is not None or options.repeat_voters != "keep"
    return "the reading options ask for a closer look at every row" if closely else None
