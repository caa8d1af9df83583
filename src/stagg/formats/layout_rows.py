"""Every layout read into rankings: columns, ballots, lists, wide tables, grids of ranks, pairs."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from stagg.data.columns import Columns
from stagg.data.construct import with_names
from stagg.data.rankings import Rankings
from stagg.errors import shown
from stagg.formats.base import (
    BY_ORDER,
    BY_RANK,
    BY_SCORE,
    INTEGER,
    ONE_QUERY,
    Loaded,
    ReadOptions,
    Understood,
    assemble_rows,
    refuse_order_by,
    refuse_values,
)
from stagg.formats.cells import CellTable, DecimalCommas
from stagg.formats.layouts import COUNT_WORDS, Sheet, choice_columns, is_choice, lay_out
from stagg.formats.ordinals import read_ordinal
from stagg.formats.roles import VOTER_WORDS, columns_option, plain_name
from stagg.formats.source import Source
from stagg.formats.wide_numbers import find_grid_direction, find_wide_direction

__all__ = ["read_layout"]

NO_CHOICE: Final = re.compile(r"[-–—?.]+")
QUESTION: Final = re.compile(r"(.*)\[([^\[\]]+)\]\s*")
JOINED: Final = re.compile(r"[,;/&+|]|\s(?:and|or)\s")
MARKS: Final = (">", ";", "|", ",")
NO_ANSWERS: Final = (
    "none",
    "n/a",
    "na",
    "nan",
    "null",
    "abstain",
    "no preference",
    "no choice",
    "blank",
    "total",
    "sum",
)
TIES: Final = ("tie", "tied", "draw", "equal", "both", "=", "same", "neither")
YES: Final = ("1", "true", "yes", "y", "x", "tie", "tied", "draw")
NO: Final = ("0", "false", "no", "n", "")


def read_layout(table: CellTable, source: Source, options: ReadOptions) -> Loaded:
    """Rankings from a table of cells that is not one row per listed item."""
    refuse_order_by(source, options, "this table has no column 'rank' beside a column 'score'")
    sheet = lay_out(table, source, options)
    reader = READERS[sheet.layout]
    loaded, direction = reader(sheet, source, options)
    return dataclasses.replace(loaded, understood=Understood(sheet.layout, direction, sheet.delimiter))


class _Rows:
    """The listed items of a table, gathered one by one."""

    def __init__(self) -> None:
        self.queries: list[str] = []
        self.rankers: list[str] = []
        self.items: list[str] = []
        self.numbers: list[float] = []
        self.lines: list[int] = []

    def add(self, query: str, ranker: str, item: str, number: float, line: int) -> None:
        self.queries.append(query)
        self.rankers.append(ranker)
        self.items.append(item)
        self.numbers.append(number)
        self.lines.append(line)

    def assemble(
        self,
        source: Source,
        options: ReadOptions,
        queries: Sequence[str],
        rankers: Sequence[str],
        *,
        by_score: bool = False,
    ) -> Rankings:
        """The rankings of these queries and rankers, some of which may have no list."""
        numbers = np.array(self.numbers, dtype=float)
        rows = Columns(
            self.queries,
            self.items,
            numbers,
            rankers=self.rankers,
            by_rank=not by_score,
            scores=numbers if by_score else None,
            file=source.name,
            lines=np.array(self.lines, dtype=np.intp),
        )
        rankings, _ = assemble_rows(rows, source, options)
        if not self.items and not queries:
            return rankings
        return with_names(rankings, tuple(dict.fromkeys(queries)), tuple(dict.fromkeys(rankers)))


# --- lists of ids -----------------------------------------------------------------------------------------------------


def _read_columns(sheet: Sheet, source: Source, options: ReadOptions) -> tuple[Loaded, str]:
    refuse_values(source, options, "the columns of this table are best-first lists")
    rows, pool = _Rows(), {cell for row in sheet.rows for cell in row}
    names = _ranker_names(sheet, source)
    _refuse_odd_ties(sheet, list(names), source)
    for column, name in names.items():
        place = 0
        for line, row in zip(sheet.lines, sheet.rows, strict=True):
            group = _tied(row[column], pool, source, line) if row[column] else []
            place += bool(group)
            for item in group:
                rows.add(ONE_QUERY, name, item, place, line)
    _note_no_answers(rows.items, source)
    rankings = rows.assemble(source, options, [ONE_QUERY] if sheet.rows else [], list(names.values()))
    return Loaded(rankings, names_rankers=True, local_rankers=sheet.names is None), BY_ORDER


def _ranker_names(sheet: Sheet, source: Source) -> dict[int, str]:
    """{column: ranker}; columns without a name must be empty."""
    width = len(sheet.roles)
    if sheet.names is None:
        return {column: str(column + 1) for column in range(width)}
    line = sheet.lines[0] - 1 if sheet.lines else None
    names: dict[int, str] = {}
    for column, name in enumerate(sheet.names):
        if name in names.values():
            raise source.error(f"two columns are named {shown(name)}; rename one of them", line)
        if name:
            names[column] = name
        elif any(row[column] for row in sheet.rows):
            raise source.error(f"column {column + 1} has cells and no name; give it one, or say header=False", line)
    return names


def _tied(cell: str, pool: set[str], source: Source, line: int) -> list[str]:
    """The ids of a cell: ``A=B`` is a tie where A or B stands elsewhere, else an id that is written so."""
    _refuse_dash(cell, source, line)
    pieces = _split_equals(cell)
    return pieces if len(pieces) > 1 and all(pieces) and not pool.isdisjoint(pieces) else [cell]


def _split_equals(cell: str) -> list[str]:
    """The ids on both sides of an equals sign; that of an address (http://x?a=1) is a part of it."""
    if "://" in cell or "?" in cell:
        return [cell]
    return [piece.strip(" \t") for piece in cell.split("=")]


def _refuse_dash(cell: str, source: Source, line: int) -> None:
    if NO_CHOICE.fullmatch(cell):
        raise source.error(f"the cell {shown(cell)} is not an id; leave the cell empty where there is no choice", line)


def _read_list(sheet: Sheet, source: Source, options: ReadOptions) -> tuple[Loaded, str]:
    refuse_values(source, options, "this is a best-first list of ids")
    if len(sheet.roles) > 1:
        raise source.error(
            f"a list has one column, this table has {len(sheet.roles)}; say layout='columns'", sheet.lines[0]
        )
    rows = _Rows()
    for place, (line, row) in enumerate(zip(sheet.lines, sheet.rows, strict=True)):
        if row[0]:
            rows.add(ONE_QUERY, source.stem, row[0], place, line)
    rankings = rows.assemble(source, options, [ONE_QUERY] if rows.items else [], [source.stem])
    return Loaded(rankings), BY_ORDER


# --- ballots ----------------------------------------------------------------------------------------------------------


def _read_ballots(sheet: Sheet, source: Source, options: ReadOptions) -> tuple[Loaded, str]:
    refuse_values(source, options, "the cells of ballots are choices from first to last")
    voters, count, query = _voter_column(sheet, options), _count_column(sheet), sheet.column("query")
    about = _about_voters(sheet)
    _note_ignored([sheet.names[c] for c in about if sheet.names and c != voters], source)
    choices = _choice_order(sheet, {voters, count, query, *about}, source, options)
    named = voters is not None or "ranker" in (options.columns or {})
    if not named and choices[0] not in choice_columns(sheet.names or []):
        _refuse_names(sheet, choices, source)
    marks = _find_marks(sheet, choices, source)
    queries = [ONE_QUERY if query is None else row[query] for row in sheet.rows]
    names = _voter_names(sheet, voters, queries, source)
    _refuse_odd_ties(sheet, choices if marks is None else [], source)
    rows = _Rows()
    for row, line, name, asked in zip(sheet.rows, sheet.lines, names, queries, strict=True):
        cells = row[choices[0]].split(marks) if marks else [row[column] for column in choices]
        for place, cell in enumerate(cells):
            for item in _split_tie(cell.strip(" \t"), source, line):
                rows.add(asked, name, item, place, line)
    _note_capitals(rows.items, source)
    _note_no_answers(rows.items, source)
    rankings = rows.assemble(source, options, queries, names)
    if count is not None:
        counts = _read_counts(sheet, count, source)
        by_name = dict(zip(names, counts, strict=True))
        if [by_name[name] for name in names] != counts:
            raise source.error("a voter has different counts in different queries; leave out the column of names")
        multiplicities = np.array([by_name[name] for name in rankings.rankers], dtype=np.intp)
        rankings = rankings.replace(multiplicities=multiplicities)
    return Loaded(rankings, names_rankers=True, local_rankers=voters is None), BY_ORDER


def _voter_column(sheet: Sheet, options: ReadOptions) -> int | None:
    """The column of the voters' names: as the caller says, else the first that is named so."""
    if "ranker" in (options.columns or {}):
        return sheet.column("ranker")
    words = (*VOTER_WORDS, "ranker")
    return next((column for column, name in enumerate(sheet.names or []) if plain_name(name) in words), None)


def _about_voters(sheet: Sheet) -> list[int]:
    """The columns that are named as if they told who votes: only one of them is the name, none holds choices."""
    return [column for column, name in enumerate(sheet.names or []) if plain_name(name) in VOTER_WORDS]


def _note_ignored(names: Sequence[str], source: Source) -> None:
    if names:
        source.log.note(f"{source.name}: ignored columns: {', '.join(map(shown, names[:20]))}")


def _count_column(sheet: Sheet) -> int | None:
    given = sheet.column("multiplicity")
    if given is not None:
        return given
    return next((column for column, name in enumerate(sheet.names or []) if plain_name(name) in COUNT_WORDS), None)


def _choice_order(sheet: Sheet, others: set[int | None], source: Source, options: ReadOptions) -> list[int]:
    """The columns of the choices, first to last: as their names tell it, else as they stand."""
    names = sheet.names or [""] * len(sheet.roles)
    told = {column: choice for column, choice in choice_columns(names).items() if column not in others}
    rest = [column for column in range(len(names)) if column not in others]
    if not told:
        return rest
    pool = {row[column] for row in sheet.rows for column in told if row[column]}
    ignored = [column for column in rest if column not in told and names[column]]
    unnamed = [c for c in ignored if is_choice(names[c], [row[c] for row in sheet.rows if row[c]], pool)]
    if unnamed:  # who says layout="ballots" says that the columns stand in order
        return [column for column in rest if column in told or column in unnamed]
    _refuse_counts(sheet, ignored, names, source, options)
    _note_ignored([names[column] for column in ignored], source)
    return sorted(told, key=told.__getitem__)


def _refuse_counts(
    sheet: Sheet, ignored: Sequence[int], names: Sequence[str], source: Source, options: ReadOptions
) -> None:
    """A column of whole numbers may count the voters of each row; it is ignored only when that is said."""
    for column in ignored:
        cells = [row[column] for row in sheet.rows if row[column]]
        if cells and all(INTEGER.fullmatch(cell) for cell in cells) and "multiplicity" not in (options.columns or {}):
            calls = columns_option({"multiplicity": names[column]}), columns_option({"multiplicity": ""})
            raise source.error(
                f"the column {shown(names[column])} holds numbers: say {calls[0]} if it counts the voters of a row, "
                f"or {calls[1]} to ignore it",
                sheet.lines[0],
            )


def _find_marks(sheet: Sheet, choices: Sequence[int], source: Source) -> str | None:
    """What separates the choices where a single column holds them all: A>B>C, or A;B;C as forms export a ranking."""
    cells = [row[choices[0]] for row in sheet.rows if row[choices[0]]] if len(choices) == 1 else []
    for mark in MARKS:
        if cells and 2 * sum(mark in cell for cell in cells) >= len(cells):
            source.log.note(f"{source.name}: the choices of a voter were separated at {shown(mark)}")
            return mark
    return None


def _refuse_odd_ties(sheet: Sheet, columns: Sequence[int], source: Source) -> None:
    """A cell that joins two ids, which stand alone elsewhere, by another sign than = is no third id."""
    pool = {row[column] for row in sheet.rows for column in columns}
    for row, line in zip(sheet.rows, sheet.lines, strict=True):
        for column in columns:
            pieces = [piece.strip(" \t") for piece in JOINED.split(row[column])]
            if len(pieces) > 1 and pool.issuperset(pieces):
                tie = "=".join(pieces)
                raise source.error(
                    f"the cell {shown(row[column])} joins ids that stand alone elsewhere; write a tie as {shown(tie)}",
                    line,
                )


def _refuse_names(sheet: Sheet, choices: list[int], source: Source) -> None:
    """A first column without a telling name, in which nobody stands twice, or elsewhere, looks like voters' names."""
    first = [row[choices[0]] for row in sheet.rows]
    named = sheet.names[choices[0]] if sheet.names else str(choices[0] + 1)
    others = Counter(row[column] for row in sheet.rows for column in choices[1:] if row[column])
    if len(first) > 1 and len(set(first)) == len(first) and others and not others.keys() & set(first):
        raise source.error(
            f"the first column ({shown(first[0])}, {shown(first[1])}, …) looks like names of voters: say "
            f"{columns_option({'ranker': named})}; or {columns_option({'ranker': ''})} if it holds first choices",
            sheet.lines[0],
        )


def _voter_names(sheet: Sheet, column: int | None, queries: list[str], source: Source) -> list[str]:
    """A name for every row: rows are numbered where there is none; a name that comes again is told apart."""
    if column is None:
        return [str(number) for number in range(1, len(sheet.rows) + 1)]
    given = [row[column] or f"line {line}" for row, line in zip(sheet.rows, sheet.lines, strict=True)]
    header = plain_name(sheet.names[column]) if sheet.names else ""
    return _tell_apart(given, queries, sheet.lines, source, say=header != "timestamp")


def _tell_apart(
    given: list[str], queries: list[str], lines: list[int], source: Source, *, say: bool = True
) -> list[str]:
    seen: Counter[tuple[str, str]] = Counter()
    names = []
    for name, query, line in zip(given, queries, lines, strict=True):
        seen[query, name] += 1
        again = seen[query, name]
        names.append(name if again == 1 else f"{name} ({again})")
        if again == 2 and say:
            source.log.note(f"{source.name}:{line}: {shown(name)} stands in several rows; each row is one voter")
    return names


def _split_tie(cell: str, source: Source, line: int) -> list[str]:
    if not cell:
        return []
    _refuse_dash(cell, source, line)
    pieces = _split_equals(cell)
    if not all(pieces):
        raise source.error(f"{shown(cell)}: expected an id on both sides of '=', which writes a tie (A=B)", line)
    return pieces


def _note_capitals(items: Sequence[str], source: Source) -> None:
    """Say which candidates are spelled in two ways, which makes two candidates of one."""
    spelled: dict[str, str] = {}
    for item in dict.fromkeys(items):
        other = spelled.setdefault(" ".join(item.casefold().split()), item)
        if other != item:
            source.log.note(
                f"{source.name}: {shown(other)} and {shown(item)} are two candidates; are they spelled rightly?"
            )


def _note_no_answers(items: Sequence[str], source: Source) -> None:
    """Say which ids look as if somebody meant no id by them."""
    for item, times in Counter(items).items():
        if item.casefold() in NO_ANSWERS:
            cells = "1 cell" if times == 1 else f"{times:,} cells"
            source.log.note(
                f"{source.name}: {shown(item)} ({cells}) was read as an id; empty the cell if it means none"
            )


def _read_counts(sheet: Sheet, column: int, source: Source) -> list[int]:
    counts = []
    for row, line in zip(sheet.rows, sheet.lines, strict=True):
        if not INTEGER.fullmatch(row[column]) or not 1 <= int(row[column]) <= 10**9:
            raise source.error(f"the count {shown(row[column])} is not a whole number from 1 to 1000000000", line)
        counts.append(int(row[column]))
    return counts


# --- tables of numbers ------------------------------------------------------------------------------------------------


def _read_numbers(
    sheet: Sheet, columns: Sequence[int], source: Source, options: ReadOptions
) -> dict[tuple[int, int], float]:
    """{(row, column): number} of the cells that are not empty; ordinals (1st) are numbers."""
    numbers, found = DecimalCommas(source, sheet.delimiter), {}
    for place, (row, line) in enumerate(zip(sheet.rows, sheet.lines, strict=True)):
        for column in columns:
            if not row[column]:
                continue
            number = numbers.read(row[column], line)
            number = read_ordinal(row[column]) if number is None and not _has_digit_only_words(row[column]) else number
            if number is not None:
                found[place, column] = float(number)
            elif options.lenient:
                source.log.dropped("bad number", f"{source.name}:{line}")
            else:
                raise source.error(f"expected a number in column {column + 1}, found {shown(row[column])}", line)
    return found


def _has_digit_only_words(cell: str) -> bool:
    """Whether there are no letters: such a text is a number or none, and no ordinal."""
    return not any(map(str.isalpha, cell))


def _read_wide(sheet: Sheet, source: Source, options: ReadOptions) -> tuple[Loaded, str]:
    item, query = sheet.column("item"), sheet.column("query")
    others = [column for column in range(len(sheet.roles)) if column != query]
    item = others[0] if item is None else item
    columns = [column for column in others if column != item and _is_named(sheet, column, source)]
    columns = _without_texts(sheet, columns, source)
    names = {column: sheet.names[column] if sheet.names else str(column - others.index(item)) for column in columns}
    _refuse_same_names(list(names.values()), sheet, source)
    numbers = _read_numbers(sheet, columns, source, options)
    by_score = find_wide_direction(list(names.values()), numbers, sheet, source, options) == "score"
    rows, queries = _Rows(), [ONE_QUERY if query is None else row[query] for row in sheet.rows]
    for column in columns:
        for place, (row, line) in enumerate(zip(sheet.rows, sheet.lines, strict=True)):
            _refuse_empty(row[item], "item", source, line)
            if (place, column) in numbers:
                rows.add(queries[place], names[column], row[item], numbers[place, column], line)
    _note_no_answers(list(dict.fromkeys(rows.items)), source)
    rankings = rows.assemble(source, options, queries, list(names.values()), by_score=by_score)
    return Loaded(rankings, names_rankers=True, local_rankers=sheet.names is None), BY_SCORE if by_score else BY_RANK


def _without_texts(sheet: Sheet, columns: list[int], source: Source) -> list[int]:
    """The columns that hold numbers; others, such as a title, are ignored with a word."""
    if sheet.names is None:
        return columns
    kept = [column for column in columns if any(any(map(str.isdigit, row[column])) for row in sheet.rows)]
    empty = [column for column in columns if not any(row[column] for row in sheet.rows)]
    ignored = [sheet.names[column] for column in columns if column not in kept and column not in empty]
    if not kept:
        raise source.error("there is no column of numbers beside the items", sheet.lines[0] if sheet.lines else None)
    _note_ignored(ignored, source)
    return [column for column in columns if column in kept or column in empty]


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
        line = sheet.lines[0] - 1 if sheet.lines else None
        raise source.error(f"two columns are named {shown(twice)}; rename one of them", line)


def _refuse_empty(cell: str, what: str, source: Source, line: int) -> None:
    if not cell:
        raise source.error(f"the {what} is empty; expected an id", line)


def _read_grid(sheet: Sheet, source: Source, options: ReadOptions) -> tuple[Loaded, str]:
    if sheet.names is None:
        raise source.error("a grid needs a header line that names its candidates", sheet.lines[0])
    voters, query = _grid_voters(sheet, options), sheet.column("query")
    others = {voters, query, *_about_voters(sheet)}
    columns = [c for c in range(len(sheet.roles)) if c not in others and _is_named(sheet, c, source)]
    columns = _without_texts(sheet, columns, source)
    candidates = _candidate_names([sheet.names[column] for column in columns])
    _refuse_same_names(candidates, sheet, source)
    queries = [ONE_QUERY if query is None else row[query] for row in sheet.rows]
    names = _voter_names(sheet, voters, queries, source)
    numbers = _read_numbers(sheet, columns, source, options)
    by_score = find_grid_direction(columns, numbers, sheet, source, options) == "score"
    rows = _Rows()
    for place, line in enumerate(sheet.lines):
        for column, item in zip(columns, candidates, strict=True):
            if (place, column) in numbers:
                rows.add(queries[place], names[place], item, numbers[place, column], line)
    rankings = rows.assemble(source, options, queries, names, by_score=by_score)
    return Loaded(rankings, names_rankers=True, local_rankers=voters is None), BY_SCORE if by_score else BY_RANK


def _grid_voters(sheet: Sheet, options: ReadOptions) -> int | None:
    """The voters' column: by its name, or a first column that holds no numbers."""
    named = _voter_column(sheet, options)
    if named is not None or "ranker" in (options.columns or {}):
        return named
    first = next((column for column in range(len(sheet.roles)) if sheet.roles[column] != "query"), 0)
    letters = any(row[first] and not any(map(str.isdigit, row[first])) for row in sheet.rows)
    return first if letters else None


def _candidate_names(names: list[str]) -> list[str]:
    """The candidates of a form's question ("Rank them [Pizza]", "Rank them [Pasta]") without the question."""
    matches = [QUESTION.fullmatch(name) for name in names]
    if len(names) > 1 and all(matches) and len({match[1] for match in matches if match}) == 1:
        return [match[2].strip(" ") for match in matches if match]
    return names


# --- comparisons ------------------------------------------------------------------------------------------------------


def _read_pairs(sheet: Sheet, source: Source, options: ReadOptions) -> tuple[Loaded, str]:
    refuse_values(source, options, "the rows of this table are comparisons")
    plain = [plain_name(name) for name in sheet.names or []]
    judged = {"a", "b", "choice"} <= set(plain)
    judge = next(
        (column for column, name in enumerate(plain) if name in (*VOTER_WORDS, "ranker")), sheet.column("ranker")
    )
    query = sheet.column("query")
    queries = [ONE_QUERY if query is None else row[query] for row in sheet.rows]
    names = _pair_names(sheet, judge, queries, source)
    others = [column for column in range(len(sheet.roles)) if column not in (judge, query)]
    rows = _Rows()
    for row, line, name, asked in zip(sheet.rows, sheet.lines, names, queries, strict=True):
        groups = _judge(row, plain, source, line) if judged else _win(row, plain, others, source, line)
        for place, group in enumerate(groups):
            for item in group:
                rows.add(asked, name, item, place, line)
    source.log.note(
        f"{source.name}: every comparison is a ranker that lists two items and says nothing of the others; "
        "fuse it with missing='skip' or 'neutral'"
    )
    rankings = rows.assemble(source, options, queries, names)
    return Loaded(rankings, names_rankers=True, local_rankers=judge is None), BY_ORDER


def _pair_names(sheet: Sheet, judge: int | None, queries: list[str], source: Source) -> list[str]:
    if judge is None:
        return [str(number) for number in range(1, len(sheet.rows) + 1)]
    given = [row[judge] or f"line {line}" for row, line in zip(sheet.rows, sheet.lines, strict=True)]
    return _tell_apart(given, queries, sheet.lines, source, say=False)


def _win(row: list[str], plain: list[str], others: list[int], source: Source, line: int) -> list[list[str]]:
    """[[winner], [loser]], or one group where the tie column says so."""
    named = {"winner", "loser"} <= set(plain)
    first, second = (plain.index("winner"), plain.index("loser")) if named else others[:2]
    winner, loser = row[first], row[second]
    _refuse_no_pair(winner, loser, source, line)
    tie = row[plain.index("tie")].casefold() if "tie" in plain else ""
    if tie not in (*YES, *NO):
        raise source.error(f"the tie {shown(tie)} is not one of yes, no, 1, 0, true, false", line)
    return [[winner, loser]] if tie in YES else [[winner], [loser]]


def _judge(row: list[str], plain: list[str], source: Source, line: int) -> list[list[str]]:
    """The two items in the order of the choice, which is an item, the letter a or b, or a tie."""
    a, b, choice = (row[plain.index(name)] for name in ("a", "b", "choice"))
    _refuse_no_pair(a, b, source, line)
    if choice.casefold() in TIES and choice not in (a, b):
        return [[a, b]]
    meant = {winner for winner, texts in ((a, (a,)), (b, (b,))) if choice in texts}
    meant |= {winner for winner, letter in ((a, "a"), (b, "b")) if choice.casefold() == letter}
    if len(meant) != 1:
        raise source.error(f"the choice {shown(choice)} is not one of a, b, {shown(a)}, {shown(b)} or tie", line)
    winner = meant.pop()
    return [[winner], [b if winner == a else a]]


def _refuse_no_pair(one: str, other: str, source: Source, line: int) -> None:
    for cell in (one, other):
        _refuse_empty(cell, "item", source, line)
    if one == other:
        raise source.error(f"the item {shown(one)} is compared with itself", line)


READERS: Final[dict[str, Callable[[Sheet, Source, ReadOptions], tuple[Loaded, str]]]] = {
    "columns": _read_columns,
    "ballots": _read_ballots,
    "list": _read_list,
    "wide": _read_wide,
    "grid": _read_grid,
    "pairs": _read_pairs,
}
