"""Best-first lists of ids: one list in every column, or one list in the whole file."""

from __future__ import annotations

import re
from typing import Final

from stagg.errors import shown
from stagg.formats.format import BY_ORDER, ONE_QUERY, Loaded
from stagg.formats.numbers import parse_number
from stagg.formats.options import ReadOptions
from stagg.formats.row_checks import refuse_values
from stagg.formats.storage.source import Source
from stagg.formats.tables.cells import is_number_cell
from stagg.formats.tables.detect import Sheet
from stagg.formats.tables.layouts.written_ties import refuse_dash, refuse_odd_ties, split_equals
from stagg.formats.tables.row_builder import RowBuilder, describe_no_answer, is_no_answer, note_no_answers, read_queries

__all__ = ["read_column_lists", "read_list"]

BULLET: Final = re.compile(r"[-*•–]\s+(?=\S)")
NUMBERED: Final = re.compile(r"([0-9]{1,6})[.)]\s+(?=\S)")


def read_column_lists(sheet: Sheet, source: Source, options: ReadOptions) -> tuple[Loaded, str]:
    """(one list for every column, and query where a column names them, which way its cells point)."""
    refuse_values(source, options, "the columns of this table are best-first lists")
    rows, pool = RowBuilder(), {cell for row in sheet.rows for cell in row}
    names = _ranker_names(sheet, source)
    _refuse_counts(list(names.values()) if sheet.names else [], sheet, source, options)
    _refuse_scores(sheet, names, source)
    refuse_odd_ties(sheet, list(names), source)
    queries = read_queries(sheet, source)
    for column, name in names.items():
        for place, (line, row) in enumerate(zip(sheet.lines, sheet.rows, strict=True)):
            for item in _tied(row[column], pool, source, line) if row[column] else []:
                if options.lenient and is_no_answer(item):
                    source.log.dropped("no choice", f"{source.name}:{line}")
                else:
                    rows.add(queries[place], name, item, place, line)
    note_no_answers(rows.items, source, lenient=True)
    rankings = rows.assemble(source, options, queries, list(names.values()), hint=describe_no_answer(rows.items))
    return Loaded(rankings, names_rankers=True, local_rankers=sheet.names is None), BY_ORDER


def _ranker_names(sheet: Sheet, source: Source) -> dict[int, str]:
    """{column: ranker}; columns without a name must be empty."""
    width = len(sheet.roles)
    query = sheet.column("query")
    if sheet.names is None:
        columns = [column for column in range(width) if column != query]
        return {column: str(number) for number, column in enumerate(columns, start=1)}
    line = sheet.header_line
    names: dict[int, str] = {}
    for column, name in enumerate(sheet.names):
        if column == query:
            continue
        if name in names.values():
            raise source.error(f"two columns are named {shown(name)}; rename one of them", line)
        if name:
            names[column] = name
        elif any(row[column] for row in sheet.rows):
            raise source.error(f"column {column + 1} has cells and no name; give it one, or say header=False", line)
    return names


def _refuse_counts(names: list[str], sheet: Sheet, source: Source, options: ReadOptions) -> None:
    """Numbers above the lists, other than 1, 2, 3, may say how many voters gave each of them."""
    numbered = [str(n + start) for start in (0, 1) for n in range(len(names))]
    if not names or not all(map(is_number_cell, names)) or set(names) <= {*numbered}:
        return
    few = ", ".join(map(shown, names[:3]))
    weights = "if they say how many voters gave each list, give them as weights when you fuse"
    if options.header is None:
        message = f"the first line holds numbers ({few}, …): layout='columns', header=True takes them for the names of "
        raise source.error(f"{message}the rankers; {weights}", sheet.header_line)
    source.log.note(f"{source.name}: the rankers are named {few}, …; {weights}")


def _refuse_scores(sheet: Sheet, names: dict[int, str], source: Source) -> None:
    """A column of fractions is not a list of ids."""
    for column, name in names.items():
        cells = [row[column] for row in sheet.rows if row[column]]
        if cells and all(parse_number(cell) is not None for cell in cells) and any("." in cell for cell in cells):
            raise source.error(
                f"the column {shown(name)} holds numbers, no ids: leave it out, or make every list a long table of its "
                "own (item,score)",
                sheet.first_line,
            )


def _tied(cell: str, pool: set[str], source: Source, line: int) -> list[str]:
    """The ids of a cell: ``A=B`` is a tie where A or B stands elsewhere, else an id that is written so."""
    refuse_dash(cell, source, line)
    pieces = split_equals(cell)
    return pieces if len(pieces) > 1 and all(pieces) and not pool.isdisjoint(pieces) else [cell]


def read_list(sheet: Sheet, source: Source, options: ReadOptions) -> tuple[Loaded, str]:
    """(the one list of the file, which way its lines point)."""
    refuse_values(source, options, "this is a best-first list of ids")
    if len(sheet.roles) > 1:
        raise source.error(
            f"a list has one column, this table has {len(sheet.roles)}; say layout='columns'", sheet.first_line
        )
    rows = RowBuilder()
    cells = _without_marks([row[0] for row in sheet.rows], source)
    ties = options.layout is None and not all(len(split_equals(cell)) > 1 for cell in cells)
    for place, (line, cell) in enumerate(zip(sheet.lines, cells, strict=True)):
        for item in _split_line(cell, source, line) if ties else [cell]:
            if item:
                rows.add(ONE_QUERY, source.stem, item, place, line)
    rankings = rows.assemble(source, options, [ONE_QUERY] if rows.items else [], [source.stem])
    return Loaded(rankings), BY_ORDER


def _without_marks(cells: list[str], source: Source) -> list[str]:
    """The lines without what makes a list of them for the eye: dashes, or numbers that count from 1."""
    bullets, numbers = [BULLET.match(cell) for cell in cells], [NUMBERED.match(cell) for cell in cells]
    counted = [int(match[1]) for match in numbers if match] == list(range(1, len(cells) + 1))
    marks = bullets if all(bullets) else numbers if counted else []
    if len(cells) < 2 or not marks:
        return cells
    plain = [cell[match.end() :] for cell, match in zip(cells, marks, strict=True) if match]
    source.log.note(f"{source.name}: the marks before the ids were left out: {shown(cells[0])} is {shown(plain[0])}")
    return plain


def _split_line(cell: str, source: Source, line: int) -> list[str]:
    """The ids of a line: ``A=B`` is a tie, which a note tells."""
    pieces = split_equals(cell)
    if len(pieces) < 2 or not all(pieces):
        return [cell]
    source.log.note(
        f"{source.name}:{line}: {shown(cell)} was read as a tie; layout='list' with header=True or header=False reads "
        "it as one id"
    )
    return pieces
