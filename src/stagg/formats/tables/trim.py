"""Trim a table: titles, columns to leave out, sums below, schedules on their side, index columns."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Final

from stagg.errors import shown
from stagg.formats.numbers import parse_whole
from stagg.formats.options import IGNORE
from stagg.formats.patterns import pattern
from stagg.formats.reading import Reading
from stagg.formats.storage.paths import look_like_queries
from stagg.formats.tables.cells import CellTable, is_number_cell, read_number
from stagg.formats.tables.ordinals import choice_columns, read_ordinal
from stagg.formats.tables.roles import find_run_columns, ignored_columns, is_long, name_roles
from stagg.formats.tables.sources.survey_headers import join_headers
from stagg.formats.tables.vocabulary import (
    COUNT_WORDS,
    INDEX_NAMES,
    PLACE_NAMES,
    SUMMARY_ROWS,
    SURE_VOTERS,
    VOTER_WORDS,
    plain_name,
)

__all__ = ["group_columns", "trim"]

NO_BREAK_SPACES: Final = "\u00a0\u202f\u2007"
NO_BREAK: Final = pattern(rf"(?<![0-9])[{NO_BREAK_SPACES}]|[{NO_BREAK_SPACES}](?![0-9])")
"""A no-break space that does not stand between digits."""
MOST_NAMED: Final = 5  # lines that a note names
COUNTED: Final = pattern(r"([0-9]{1,9})(?:\s*([^\W\d_]+))?")


def trim(table: CellTable, reading: Reading) -> tuple[CellTable, Reading]:
    """The table without what stands around its cells, and its options without the columns that are left out."""
    table = _without_groups(join_headers(_without_title(table, reading), reading), reading)
    table, reading = _without_ignored(table, reading)
    reading = _name_run_columns(table, reading)
    names = [""] * table.width if reading.options.header is False else table.rows[0]
    if reading.options.layout != "long" and not is_long(name_roles(names, reading, table.lines[0])):
        table = _without_repeated_header(_with_plain_blanks(table, reading), reading)
        _refuse_second_table(table, reading)
        table = _without_index(_turn_schedule(_without_summaries(table, reading), reading), reading)
    return table, reading


def _with_plain_blanks(table: CellTable, reading: Reading) -> CellTable:
    """The table with blanks for the no-break spaces that spreadsheets and web pages put into names.

    Around a cell they are nothing; between digits they separate thousands. A list of ids keeps those of its ids.
    """
    if table.width < 2 or not any(NO_BREAK.search("".join(row)) for row in table.rows):
        return table
    first: tuple[int, str] | None = None
    rows = []
    for line, row in zip(table.lines, table.rows, strict=True):
        stripped = [cell.strip(NO_BREAK_SPACES) for cell in row]
        rows.append([NO_BREAK.sub(" ", cell) if any(map(str.isalpha, cell)) else cell for cell in stripped])
        changed = (cell for cell, plain in zip(stripped, rows[-1], strict=True) if cell != plain)
        first = first or next(((line, cell) for cell in changed), None)
    if first is not None:
        reading.note(f"no-break spaces were read as blanks: {shown(NO_BREAK.sub(' ', first[1]))}", line=first[0])
    return dataclasses.replace(table, rows=rows)


def _without_repeated_header(table: CellTable, reading: Reading) -> CellTable:
    """The table without rows that repeat its header, as pages do that were printed or pasted below each other."""
    first, body = table.rows[0], table.rows[1:]
    again = [number for number, row in enumerate(body, start=1) if row == first]
    if not again or sum(map(bool, first)) < 2 or len(body) < 2 * len(again) or not _is_plain_header(table, reading):
        return table
    lines = ", ".join(str(table.lines[number]) for number in again[:MOST_NAMED])
    more = ", …" if len(again) > MOST_NAMED else ""
    reading.note(f"the header comes again, and was left out there (line{'s' * (len(again) > 1)} {lines}{more})")
    kept = [number for number in range(len(table.rows)) if number not in {*again}]
    return dataclasses.replace(
        table, rows=[table.rows[number] for number in kept], lines=[table.lines[number] for number in kept]
    )


def _refuse_second_table(table: CellTable, reading: Reading) -> None:
    """Another table below the first one: a row that begins with the names of the header, and may have other names.

    Behind an empty line, the name of the first column is enough.
    """
    first, rows, lines = table.rows[0], table.rows, table.lines
    for at in range(2, len(rows)):
        if rows[at][0] != first[0] or not first[0] or rows[at] == first:
            continue
        filled = [(cell, name) for cell, name in zip(rows[at], first, strict=True) if cell]
        same = sum(cell == name for cell, name in filled)
        apart = _is_apart(table, at)
        if len(filled) > 1 and (same == len(filled) or apart) and _is_plain_header(table, reading):
            raise reading.error(
                f"a second table begins here ({', '.join(shown(cell) for cell, _ in filled[:MOST_NAMED])}); put every "
                "table into a file of its own",
                lines[at],
            )


def _is_apart(table: CellTable, at: int) -> bool:
    """Whether an empty line stands above a row, or above a line with one cell that is its title."""
    rows, lines = table.rows, table.lines
    titled = at > 1 and sum(map(bool, rows[at - 1])) == 1
    return lines[at] - lines[at - 1] > 1 or (titled and lines[at - 1] - lines[at - 2] > 1)


def _is_plain_header(table: CellTable, reading: Reading) -> bool:
    """Whether the first row is a header without doubt: somebody says so, or its words, or the numbers below it."""
    first, body = table.rows[0], table.rows[1:]
    said = table.header if reading.options.header is None else reading.options.header
    if said is not None:
        return said
    if choice_columns(first) or {*map(plain_name, first)} & {*SURE_VOTERS, *COUNT_WORDS}:
        return True
    others = [row for row in body if row != first]
    columns = ([row[column] for row in others if row[column]] for column, name in enumerate(first) if name)
    return not any(map(is_number_cell, first)) and any(cells and all(map(is_number_cell, cells)) for cells in columns)


def _name_run_columns(table: CellTable, reading: Reading) -> Reading:
    """The options with the columns of a run without a header: query, item, rank and perhaps a score.

    So MS MARCO and ColBERT write them. The queries are numbers, or named as queries are.
    """
    options, rows = reading.options, table.rows
    if options.columns or options.layout not in (None, "long") or options.header or table.header:
        return reading
    roles = find_run_columns(rows) if table.width in (3, 4) else None
    if roles is None or (table.width == 4) != ("score" in roles) or not look_like_queries(row[0] for row in rows):
        return reading
    if table.width == 3 and not all(row[1].isdigit() for row in rows):
        return reading
    if len({row[0] for row in rows}) == len(rows):  # lists of one
        return reading
    *others, last = roles
    reading.note(f"the columns were read as {', '.join(others)} and {last}, as in runs without a header")
    return reading.with_options(header=False, columns=roles)


def _without_ignored(table: CellTable, reading: Reading) -> tuple[CellTable, Reading]:
    """The table, and the options, without the columns that the caller leaves out; numbers of columns move up."""
    given = dict(reading.options.columns or {})
    if not given.get(IGNORE):
        return table, reading
    given[IGNORE] = ""  # these columns and no others are left out
    names = [""] * table.width if reading.options.header is False else table.rows[0]
    gone = ignored_columns(names, reading, table.lines[0])
    if len(gone) == table.width:
        raise reading.error("all columns are left out", table.lines[0])
    for role, name in given.items():
        number = parse_whole(name)
        if name not in names and number is not None:
            given[role] = str(number - sum(column < number - 1 for column in gone))
    rows = [[cell for column, cell in enumerate(row) if column not in gone] for row in table.rows]
    without = reading.with_options(columns=given)
    without.ignored = (reading.options.columns or {})[IGNORE]
    return dataclasses.replace(table, rows=rows), without


def _without_title(table: CellTable, reading: Reading) -> CellTable:
    """The table without lines above it that have one cell only, such as the title of a survey."""
    filled = [sum(map(bool, row)) for row in table.rows]
    first = next((number for number, count in enumerate(filled) if count > 1), 0)
    first = _find_full_header(table, first)
    if (
        not first
        or reading.options.header is False
        or (reading.options.header is None and reading.options.layout in ("ballots", "pairs"))
        or not table.rows[0][0]
    ):
        return table
    if table.rows[0][0].startswith("#"):
        return table  # a comment, which only its owner can allow
    title = shown(table.rows[0][0])
    reading.note(f"the table begins in line {table.lines[first]}; what is above was left out ({title})")
    return dataclasses.replace(table, rows=table.rows[first:], lines=table.lines[first:])


def group_columns(above: Sequence[str], names: Sequence[str]) -> bool:
    """Whether a row of names is below a row that groups them: texts, some for several columns.

    >>> group_columns(["", "Retrieval", "", "STS"], ["Model", "NQ", "MARCO", "STS12"])
    True
    """
    numbers = any(is_number_cell(cell) for cell in (*above, *names))
    told = [cell for cell in above[1:] if cell]
    spread = len(set(told)) < len(names) - 1
    return not numbers and bool(told) and spread and all(names[1:]) and len(set(names[1:])) == len(names) - 1


def _without_groups(table: CellTable, reading: Reading) -> CellTable:
    """The table of numbers without a row above its header that groups the columns."""
    rows, options = table.rows, reading.options
    told = options.header is not None or options.layout not in (None, "wide") or table.header
    if told or len(rows) < 4 or table.width < 3 or not group_columns(*rows[:2]):
        return table
    below = [cell for row in rows[2:] for cell in row[1:] if cell]
    if 2 * sum(map(is_number_cell, below)) <= len(below):
        return table
    groups = ", ".join(map(shown, dict.fromkeys(filter(None, rows[0][1:]))))
    reading.note(f"the row above the header, which groups the columns ({groups}), was left out", line=table.lines[0])
    return dataclasses.replace(table, rows=rows[1:], lines=table.lines[1:])


def _find_full_header(table: CellTable, first: int) -> int:
    """The row of the names, where up to two cells in each line above tell of the table: Counted by, J. Barker."""
    full = next((number for number, row in enumerate(table.rows) if all(row)), 0)
    names = table.rows[full]
    above = [sum(map(bool, row)) for row in table.rows[:full]]
    told = len(choice_columns(names)) > 1 and any(plain_name(name) in VOTER_WORDS for name in names)
    short = table.width > 3 and all(count <= 2 for count in above)
    return full if full > first and told and short else first


def _without_summaries(table: CellTable, reading: Reading) -> CellTable:
    """The table without rows below it that sum up the others: Total, Mean, with numbers or nothing beside them."""
    last = len(table.rows)
    while last > 2 and _is_summary(table.rows[last - 1]):
        last -= 1
    while last < len(table.rows) and not _adds_up(table.rows[1:last], table.rows[last]):
        last += 1
    above = {row[0] for row in table.rows[:last]}
    names = [next(filter(None, row)) for row in table.rows[last:]]
    if not names or above & {*names}:
        return table
    listed = ", ".join(f"{shown(name)} (line {line})" for name, line in zip(names, table.lines[last:], strict=True))
    reading.note(f"rows that sum up the others were left out: {listed}")
    return dataclasses.replace(table, rows=table.rows[:last], lines=table.lines[:last])


def _is_summary(row: Sequence[str]) -> bool:
    """Whether a row is named as a sum or a mean, and holds nothing but numbers beside that."""
    filled = [cell for cell in row if cell]
    name = filled[0].casefold().strip(" :.") if filled else ""
    return name in SUMMARY_ROWS and len(row) > 1 and all(map(is_number_cell, filled[1:]))


def _adds_up(above: Sequence[Sequence[str]], row: Sequence[str]) -> bool:
    """Whether most numbers of a row are sums, means, medians or the like of those above, or count the cells there."""
    name = next((column for column, cell in enumerate(row) if cell), 0)
    told = [column for column, cell in enumerate(row) if cell and column != name]
    right = sum(_is_statistic([line[column] for line in above if line[column]], row[column]) for column in told)
    return 2 * right >= len(told)


def _is_statistic(cells: Sequence[str], cell: str) -> bool:
    """Whether a number is one of the usual statistics of the cells above it, as far as it was not rounded away."""
    said = read_number(cell.replace(",", ".", 1))
    numbers = [number for each in cells if (number := read_number(each.replace(",", ".", 1))) is not None]
    if said is None:
        return False
    found = [float(len(cells))]
    if numbers:
        mean = sum(numbers) / len(numbers)
        spread = math.hypot(*(number - mean for number in numbers))  # squares of large numbers would overflow
        found += [sum(numbers), mean, _find_median(numbers), min(numbers), max(numbers)]
        found += [spread / size**0.5 for size in (len(numbers), len(numbers) - 1) if size]
    digits = len(cell.replace(",", ".").partition(".")[2].rstrip("% ")) + 2 * cell.endswith("%")
    return any(abs(said - number) <= max(0.51 * 10.0**-digits, 1e-3 * abs(number)) for number in found)


def _find_median(numbers: Sequence[float]) -> float:
    ordered = sorted(numbers)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def _turn_schedule(table: CellTable, reading: Reading) -> CellTable:
    """A preference schedule, numbers of voters above columns of choices, turned into ballots with a count.

    Its first column names the places. Numbers above that may only number the columns, 1, 2, 3, count voters where the
    corner says so.
    """
    first, body = table.rows[0], table.rows[1:]
    if reading.options.layout not in (None, "ballots") or reading.options.header is False or len(first) < 2 or not body:
        return table
    named = _count_up([row[0] for row in body])
    start = 1 if named else 0
    counts = [_read_count(cell) for cell in first[start:]]
    numbered = any(counts == list(range(least, least + len(counts))) for least in (0, 1))
    if None in counts or len(counts) < 2:
        return table
    texts = [cell for row in body for cell in row[start:] if cell]
    told = (not numbered or plain_name(first[0]) in COUNT_WORDS) if named else _are_bare_schedules(table, reading)
    if not texts or any(map(is_number_cell, texts)) or not told:
        return table
    reading.note("the numbers in the first line were read as numbers of voters, each column below as their ballot")
    rows = [["count", *(f"choice {number + 1}" for number in range(len(body)))]]
    rows += [[str(count), *(row[column] for row in body)] for column, count in enumerate(counts, start=start)]
    lines = [table.lines[0]] * len(rows)
    return dataclasses.replace(table, rows=rows, lines=lines, header=True, layout="ballots")


def _are_bare_schedules(table: CellTable, reading: Reading) -> bool:
    """Whether ballots of an election are columns that all order the same candidates, below numbers other than 1, 2, 3.

    Elsewhere, numbers above lists may as well name the rankers.
    """
    first, body = table.rows[0], table.rows[1:]
    pools = {frozenset(row[column] for row in body) for column in range(len(first))}
    counted = first in ([str(n + least) for n in range(len(first))] for least in (0, 1))
    return reading.ballots and len(body) > 1 and len(pools) == 1 and len(pools.pop()) == len(body) and not counted


def _read_count(cell: str) -> int | None:
    """The number of voters above a column: 14, or 14 voters."""
    match = COUNTED.fullmatch(cell)
    return int(match[1]) if match and (not match[2] or match[2].casefold() in COUNT_WORDS) else None


def _without_index(table: CellTable, reading: Reading) -> CellTable:
    """The table without a first column that only counts the places of best-first lists: 1, 2, 3, ...

    That is so under layout="columns", where no other column has these numbers, and where the column is named rank and
    the other columns share ids.
    """
    names, body = table.rows[0], table.rows[1:]
    counted = _count_up([row[0] for row in body])
    if table.width < 3 or not counted or not body or reading.options.header is False:
        return table
    if not _counts_places(names, body, reading):
        return table
    which = f"the column {shown(names[0])}" if names[0] else "the first column, which has no name,"
    reading.note(f"{which} counts the places of the lists; it was left out")
    return dataclasses.replace(table, rows=[row[1:] for row in table.rows], header=True, layout="columns")


def _counts_places(names: Sequence[str], body: Sequence[Sequence[str]], reading: Reading) -> bool:
    """Whether a first column that counts does so for the places of lists, rather than for voters."""
    spelled = all(any(map(str.isalpha, row[0])) for row in body)  # 1st choice, 2nd choice: the places of the lists
    plain = not any(any(map(str.isalpha, name)) for name in names[1:])
    if choice_columns(names[1:]) and not (spelled and plain):
        return False
    if reading.options.layout == "columns":
        elsewhere = {cell for row in body for cell in row[1:]}
        return plain_name(names[0]) in INDEX_NAMES or elsewhere.isdisjoint(row[0] for row in body)
    told = plain_name(names[0]) in PLACE_NAMES or (spelled and (plain or reading.ballots))
    return reading.options.layout is None and told and _columns_share_ids(body)


def _count_up(cells: Sequence[str]) -> bool:
    """Whether the cells count from 0 or 1: 1, 2, 3, or 1., 2., 3., or 1st, 2nd, 3rd."""
    places = (read_ordinal(cell) if (number := parse_whole(cell)) is None else number for cell in cells)
    first = next(places, 0)
    return first in (0, 1) and all(place == number for number, place in enumerate(places, first + 1))


def _columns_share_ids(body: Sequence[Sequence[str]]) -> bool:
    """Whether every column but the first has an id that stands in another one, and no numbers."""
    pools = [{row[column] for row in body if row[column]} for column in range(1, len(body[0]))]
    numbers = any(is_number_cell(cell) for pool in pools for cell in pool)
    others = [set().union(*pools[:k], *pools[k + 1 :]) for k in range(len(pools))]
    return not numbers and all(pool & other for pool, other in zip(pools, others, strict=True))
