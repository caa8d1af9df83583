"""Tables of numbers: items with every ranker's numbers (wide), voters with the ranks of candidates (grid)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from stagg.errors import shown
from stagg.formats.format import BY_RANK, BY_SCORE, Loaded
from stagg.formats.numbers import parse_number, parse_whole
from stagg.formats.options import ReadOptions
from stagg.formats.storage.source import Source
from stagg.formats.tables.cells import COMMA_DECIMALS, POINTED_THOUSANDS, DecimalCommas, note_percent, note_thousands
from stagg.formats.tables.detect import Sheet, are_ticks, read_tick
from stagg.formats.tables.layouts.counts import count_column, is_count_name, refuse_counts, with_multiplicities
from stagg.formats.tables.layouts.direction import find_grid_direction, find_wide_direction, refuse_no_candidate
from stagg.formats.tables.layouts.ordinals import read_ordinal, read_place
from stagg.formats.tables.layouts.voters import about_voters, voter_column, voter_names
from stagg.formats.tables.roles import ITEM_WORDS, columns_option, plain_name
from stagg.formats.tables.row_builder import (
    RowBuilder,
    note_ignored,
    note_no_answers,
    note_summaries,
    read_queries,
    refuse_empty,
)

__all__ = ["read_grid", "read_wide"]

THOUSANDS: Final = re.compile(r"[+-]?[0-9]{1,3}(?:,[0-9]{3})+")
QUESTION: Final = re.compile(r"(.*)\[([^\[\]]+)\]\s*")


def read_wide(sheet: Sheet, source: Source, options: ReadOptions) -> tuple[Loaded, str]:
    """(the rankings of the rankers, which way their numbers point)."""
    item, query = sheet.column("item"), sheet.column("query")
    others = [column for column in range(len(sheet.roles)) if column != query]
    item = _item_column(sheet, others, source) if item is None else item
    columns = [column for column in others if column != item and _is_named(sheet, column, source)]
    columns = _without_texts(sheet, columns, source)
    before = others.index(item)
    names = {column: sheet.names[column] if sheet.names else str(column - before) for column in columns}
    _refuse_same_names(list(names.values()), sheet, source)
    numbers = _read_numbers(sheet, columns, source, options)
    by_score = find_wide_direction(names, item, numbers, sheet, source, options) == "score"
    rows, queries = RowBuilder(), read_queries(sheet, source)
    for column in columns:
        for place, (row, line) in enumerate(zip(sheet.rows, sheet.lines, strict=True)):
            refuse_empty(row[item], "item", source, line)
            if (place, column) in numbers:
                rows.add(queries[place], names[column], row[item], numbers[place, column], line)
    note_no_answers(list(dict.fromkeys(rows.items)), source)
    note_summaries(list(names.values()), source)
    rankings = rows.assemble(source, options, queries, list(names.values()), by_score=by_score)
    return Loaded(rankings, names_rankers=True, local_rankers=sheet.names is None), BY_SCORE if by_score else BY_RANK


def _item_column(sheet: Sheet, columns: list[int], source: Source) -> int:
    """The column of the items: the first that is named like one, else the first, unless another is likelier."""
    if not columns:
        raise source.error("the table has only a column of queries; it needs a column of items too")
    named = (column for column in columns if sheet.names and plain_name(sheet.names[column]) in ITEM_WORDS)
    found = next(named, None)
    if found is not None:
        return found
    texts = [
        c
        for c in columns
        if (cells := [row[c] for row in sheet.rows if row[c]]) and not any(map(_may_be_number, cells))
    ]
    if sheet.names and sheet.names[columns[0]] and texts and all(_may_be_number(row[columns[0]]) for row in sheet.rows):
        names = [sheet.names[column] for column in (columns[0], texts[0])]
        calls = " or ".join(columns_option({"item": name}) for name in names)
        raise source.error(
            f"are the items in the column {shown(names[0])} or {shown(names[1])}? say {calls}", sheet.first_line
        )
    return columns[0]


def read_grid(sheet: Sheet, source: Source, options: ReadOptions) -> tuple[Loaded, str]:
    """(the rankings of the voters, which way their numbers point)."""
    if sheet.names is None:
        raise source.error("a grid needs a header line that names its candidates", sheet.first_line)
    voters, query, count = _grid_voters(sheet, source, options), sheet.column("query"), count_column(sheet, options)
    others = {voters, query, count, *about_voters(sheet)}
    columns = [c for c in range(len(sheet.roles)) if c not in others and _is_named(sheet, c, source)]
    columns = _without_counts(sheet, columns, source, options)
    if not (options.values == "score" and are_ticks([row[c] for row in sheet.rows for c in columns])):
        columns = _without_ids(sheet.names, _without_texts(sheet, columns, source), source)
    candidates = _candidate_names([sheet.names[column] for column in columns])
    _refuse_same_names(candidates, sheet, source)
    queries = read_queries(sheet, source)
    names = voter_names(sheet, voters, queries, source)
    numbers = _read_numbers(sheet, columns, source, options)
    left_out = refuse_no_candidate(columns, numbers, sheet, source, options)
    if left_out is not None:
        note_ignored([sheet.names[left_out]], source)
        at = columns.index(left_out)
        columns, candidates = columns[:at] + columns[at + 1 :], candidates[:at] + candidates[at + 1 :]
        numbers = {cell: number for cell, number in numbers.items() if cell[1] != left_out}
    by_score = find_grid_direction(columns, numbers, sheet, source, options) == "score"
    rows = RowBuilder()
    for place, line in enumerate(sheet.lines):
        for column, item in zip(columns, candidates, strict=True):
            if (place, column) in numbers:
                rows.add(queries[place], names[place], item, numbers[place, column], line)
    note_summaries([*names, *candidates], source)
    rankings = rows.assemble(source, options, queries, names, by_score=by_score)
    rankings = with_multiplicities(rankings, sheet, count, names, source)
    return Loaded(rankings, names_rankers=True, local_rankers=voters is None), BY_SCORE if by_score else BY_RANK


def _without_counts(sheet: Sheet, columns: list[int], source: Source, options: ReadOptions) -> list[int]:
    """The columns but those that may count the voters of a row, or weigh them: these are not candidates."""
    counts = [column for column in columns if sheet.names and is_count_name(sheet.names[column])]
    refuse_counts(sheet, counts, source, options)
    note_ignored([sheet.names[column] for column in counts if sheet.names], source)
    return [column for column in columns if column not in counts]


def _read_numbers(
    sheet: Sheet, columns: Sequence[int], source: Source, options: ReadOptions
) -> dict[tuple[int, int], float]:
    """{(row, column): number} of the cells that are not empty; places (1st, =2) are numbers, and so are ticks."""
    numbers, found = DecimalCommas(source, sheet.delimiter), {}
    cells = [row[column] for row in sheet.rows for column in columns]
    note_percent(cells, source)
    ticks = options.values == "score" and are_ticks(cells)
    if sheet.delimiter in COMMA_DECIMALS:
        note_thousands(cells, source)
    for place, (row, line) in enumerate(zip(sheet.rows, sheet.lines, strict=True)):
        for column in columns:
            if not row[column]:
                continue
            number = read_tick(row[column]) if ticks else numbers.read(row[column], line)
            number = read_place(row[column]) if number is None else number
            if number is not None:
                found[place, column] = float(number)
            elif options.lenient:
                source.log.dropped("bad number", f"{source.name}:{line}")
            else:
                raise source.error(_describe_no_number(row[column], column), line)
    return found


def _describe_no_number(cell: str, column: int) -> str:
    """The error in a cell that must be a number, and what to do about it."""
    message = f"expected a number in column {column + 1}, found {shown(cell)}"
    if THOUSANDS.fullmatch(cell):
        return f"{message}; if its comma separates thousands, leave it out; if it is a decimal comma, write a point"
    if POINTED_THOUSANDS.fullmatch(cell):
        return f"{message}; leave out the points that separate thousands"
    if "," in cell and any(map(str.isdigit, cell)):
        return f"{message}; write a decimal point, and no separators between thousands"
    return f"{message}; empty the cell if there is no number, or say lenient=True to leave out every such cell"


def _without_texts(sheet: Sheet, columns: list[int], source: Source) -> list[int]:
    """The columns that hold numbers; others, such as a title, are ignored with a word."""
    if sheet.names is None:
        return columns
    kept = {column for column in columns if any(_may_be_number(row[column]) for row in sheet.rows)}
    if not kept:
        raise source.error("there is no column of numbers", sheet.first_line)
    texts = {column for column in columns if column not in kept and any(row[column] for row in sheet.rows)}
    note_ignored([sheet.names[column] for column in columns if column in texts], source)
    return [column for column in columns if column not in texts]


def _without_ids(names: Sequence[str], columns: list[int], source: Source) -> list[int]:
    """The columns of a grid but those of further ids, such as "Collector ID"."""
    ids = [column for column in columns if plain_name(names[column]).endswith("_id")]
    if len(ids) == len(columns):
        return columns
    note_ignored([names[column] for column in ids], source)
    return [column for column in columns if column not in ids]


def _may_be_number(cell: str) -> bool:
    return any(map(str.isdigit, cell)) or read_ordinal(cell) is not None


def _is_named(sheet: Sheet, column: int, source: Source) -> bool:
    """Whether a column has a name; one that has none, such as an index, is ignored with a word."""
    if sheet.names is None or sheet.names[column]:
        return True
    if any(row[column] for row in sheet.rows):
        source.log.note(f"{source.name}: ignored column {column + 1}, which has no name")
    return False


def _refuse_same_names(names: list[str], sheet: Sheet, source: Source) -> None:
    twice = next((name for name, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        line = sheet.header_line
        raise source.error(f"two columns are named {shown(twice)}; rename one of them", line)


def _grid_voters(sheet: Sheet, source: Source, options: ReadOptions) -> int | None:
    """The voters' column: by its name, or a first column that holds no numbers."""
    named = voter_column(sheet, options)
    if named is not None or "ranker" in (options.columns or {}):
        return named
    first = next((column for column in range(len(sheet.roles)) if sheet.roles[column] != "query"), 0)
    cells = [row[first] for row in sheet.rows if row[first]]
    names = sum(parse_number(cell.replace(",", ".")) is None and read_ordinal(cell) is None for cell in cells)
    if 2 * names > len(cells):
        return first
    _refuse_counted_voters(sheet, first, cells, source)
    return None


def _refuse_counted_voters(sheet: Sheet, first: int, cells: list[str], source: Source) -> None:
    """A first column that counts the rows, or exceeds the number of candidates, may number the voters."""
    counted = cells in ([str(n + start) for n in range(len(cells))] for start in (0, 1))
    distinct = len(set(cells)) == len(cells) and any((parse_whole(cell) or 0) >= len(sheet.roles) for cell in cells)
    if len(cells) < 3 or not (counted or distinct) or not sheet.names or not sheet.names[first]:
        return
    name = sheet.names[first]
    raise source.error(
        f"the column {shown(name)} may number the voters: say {columns_option({'ranker': name})}, "
        f"or {columns_option({'ranker': ''})} if {shown(name)} is a candidate",
        sheet.first_line,
    )


def _candidate_names(names: list[str]) -> list[str]:
    """The candidates of a form's question ("Rank them [Pizza]", "Rank them [Pasta]") without the question."""
    matches = [QUESTION.fullmatch(name) for name in names]
    if len(names) > 1 and all(matches) and len({match[1] for match in matches if match}) == 1:
        return [match[2].strip(" ") for match in matches if match]
    return names
