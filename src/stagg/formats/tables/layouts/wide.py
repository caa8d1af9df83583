"""Wide tables: a column of items, every other column a ranker's numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from stagg.errors import DataError, shown
from stagg.formats.format import BY_RANK, BY_SCORE, Loaded
from stagg.formats.options import IGNORE
from stagg.formats.reading import Reading
from stagg.formats.tables.cells import is_number_cell
from stagg.formats.tables.layouts.base import Sheet
from stagg.formats.tables.layouts.shared.direction import Signs, find_ranked, find_wide_direction
from stagg.formats.tables.layouts.shared.number_cells import (
    FIRST_ROWS,
    NumberTable,
    find_costs,
    is_named,
    may_be_number,
    read_number_cells,
    refuse_same_names,
    without_texts,
    without_totals,
)
from stagg.formats.tables.ordinals import read_place
from stagg.formats.tables.profile import Profile
from stagg.formats.tables.roles import (
    check_ignored,
    describes_items,
    find_lower,
    is_subject,
    say_columns,
    sums_up,
    told_by,
)
from stagg.formats.tables.row_builder import (
    RowBuilder,
    note_ignored,
    note_no_answers,
    note_summaries,
    read_queries,
    refuse_empty,
)
from stagg.formats.tables.vocabulary import ITEM_WORDS, PLACE_NAMES, plain_name
from stagg.say import Say, tell

__all__ = ["Wide"]

NEARLY: Final = 0.002  # of a number; means and sums are rounded


class Wide(NumberTable):
    """Wide: one column holds the items, every other column holds a ranker's numbers."""

    name = "wide"
    meaning = "a column of items, every other column a ranker's numbers"
    example = "`item,bm25,dense`"

    def holds_ballots(self, profile: Profile) -> bool:
        """A row for each candidate, and a voter in every other column, who gives each a place."""
        places = [str(place + 1) for place in range(len(profile.body))]
        columns = [column for column in profile.columns if column.number != profile.owner and column.name]
        named = profile.roles[profile.owner] == "item" or profile.plain[profile.owner] in ITEM_WORDS
        return named and len(columns) > 1 and all(sorted(c.cells, key=_by_length) == places for c in columns)

    def fits(self, profile: Profile) -> bool:
        if not self.holds_numbers(profile) or not profile.names_item or profile.statistics:
            return False
        alone = len(profile.number_columns) == 1 and profile.guess is not None
        roles = {"rank", "score"} & {*profile.roles}
        return not alone and (not roles or (roles == {"rank"} and len(profile.owned) > 1))

    def ways(self, profile: Profile) -> list[Say]:
        items = [row[profile.owner] for row in profile.body[:FIRST_ROWS]]
        again = len(set(items)) < len(items) and "query" not in profile.roles and profile.header is not False
        return [] if again else super().ways(profile)

    def check(self, sheet: Sheet, reading: Reading, line: int) -> None:
        super().check(sheet, reading, line)
        check_ignored(sheet.roles, reading, line, checked=["query"])  # users as well: no voters own the rows

    def read(self, sheet: Sheet, reading: Reading) -> tuple[Loaded, str]:
        """(the rankings of the rankers, which way their numbers point)."""
        item, query = sheet.column("item"), sheet.column("query")
        others = [column for column in range(len(sheet.roles)) if column != query]
        item = _item_column(sheet, others, reading) if item is None else item
        whole, sheet = sheet, without_totals(sheet, item, reading)
        columns = [column for column in others if column != item and is_named(sheet, column, reading)]
        columns = _without_descriptions(sheet, columns, reading)
        columns = without_texts(sheet, columns, reading)
        numbers = read_number_cells(sheet, columns, reading)
        parts = _without_sums(sheet, columns, numbers, reading)
        complete = len(parts) < len(columns) or len(sheet.rows) < len(whole.rows)  # who sums up lists has whole ones
        columns = _without_unranked(sheet, parts, _take(numbers, parts), reading)
        numbers = _take(numbers, columns)
        before = others.index(item)
        names = {column: sheet.names[column] if sheet.names else str(column - before) for column in columns}
        refuse_same_names(list(names.values()), sheet, reading)
        signs = Signs(
            complete=complete,
            costs=find_costs(sheet, columns),
            falls=_fall_with_places(sheet, columns, numbers),
            more=_offer_one(names, item, sheet, reading),
        )
        values, lower = find_wide_direction(names, numbers, sheet, reading, signs)
        signed = {at: -number if at[1] in lower else number for at, number in numbers.items()}
        rows, queries = _build_rows(sheet, item, names, signed, reading), read_queries(sheet, reading)
        rankings = rows.assemble(reading, queries, list(names.values()), by_score=values == "score")
        small = f" (small = top in {', '.join(shown(names[column]) for column in sorted(lower))})" if lower else ""
        direction = BY_SCORE + small if values == "score" else BY_RANK
        return Loaded(rankings, names_rankers=True, local_rankers=sheet.names is None), direction


def _by_length(text: str) -> tuple[int, str]:
    return len(text), text


def _take(numbers: Mapping[tuple[int, int], float], columns: Iterable[int]) -> dict[tuple[int, int], float]:
    """The numbers of these columns."""
    kept = set(columns)
    return {at: number for at, number in numbers.items() if at[1] in kept}


def _build_rows(
    sheet: Sheet, item: int, names: Mapping[int, str], numbers: Mapping[tuple[int, int], float], reading: Reading
) -> RowBuilder:
    """The listed items, ranker by ranker."""
    rows, queries = RowBuilder(), read_queries(sheet, reading)
    for column, name in names.items():
        for place, (row, line) in enumerate(zip(sheet.rows, sheet.lines, strict=True)):
            refuse_empty(row[item], "item", reading, line)
            if (place, column) in numbers:
                rows.add(queries[place], name, row[item], numbers[place, column], line)
    rows.merge_spellings(reading)
    note_no_answers(list(dict.fromkeys(rows.items)), reading)
    note_summaries(list(names.values()), reading)
    return rows


def _fall_with_places(sheet: Sheet, columns: Sequence[int], numbers: Mapping[tuple[int, int], float]) -> bool | None:
    """Whether the items at the top of a column of places ("Rank") have the smallest numbers; None without one."""
    others = set(range(len(sheet.roles))) - set(columns)
    named = [c for c in sorted(others) if sheet.names and plain_name(sheet.names[c]) in PLACE_NAMES]
    if not named:
        return None
    places = {row: place for row, cells in enumerate(sheet.rows) if (place := read_place(cells[named[0]])) is not None}
    steps = [
        numbers[second, column] - numbers[first, column]
        for first, second in itertools.pairwise(sorted(places, key=places.__getitem__))
        for column in columns
        if (first, column) in numbers and (second, column) in numbers and places[first] != places[second]
    ]
    return sum(step > 0 for step in steps) > sum(step < 0 for step in steps) if steps else None


def _offer_one(names: Mapping[int, str], item: int, sheet: Sheet, reading: Reading) -> list[tuple[Say, str]]:
    """The answer that reads one column only, the first whose small numbers may be top."""
    small = next((name for name in names.values() if told_by(name) in ("rank", "small")), None)
    if small is None or len(names) < 2:
        return []
    columns = {"item": sheet.name_of(item), "rank": small}
    say = Say(columns=columns) if reading.options.layout is None else Say(layout="long", columns=columns)
    return [(say, "reads one column only")]


# --- columns that rank nothing ----------------------------------------------------------------------------------------


def _without_descriptions(sheet: Sheet, columns: list[int], reading: Reading) -> list[int]:
    """The columns but those whose names tell that they describe the items; a question where they may do either."""
    if sheet.names is None or IGNORE in (reading.options.columns or {}):
        return columns
    names = sheet.names
    lower = find_lower(reading, [names[column] for column in columns], line=sheet.header_line)
    columns, whole = [column for column in columns if names[column] not in lower], columns
    about = {column for column in columns if describes_items(names[column])}
    about = set() if sum(told_by(names[column]) == "rank" for column in about) > 1 else about  # ranks of two rankers
    maybe = {column for column in columns if describes_items(names[column]) is None}
    sums = {column for column in columns if sums_up(names[column])}
    if not set(whole) - about - maybe - sums:
        return whole
    if maybe:
        raise _ask_about(sheet, whole, about | sums, maybe, reading)
    _note_left_out([names[column] for column in columns if column in about], "describes the items", reading)
    return [column for column in whole if column not in about]


def _ask_about(sheet: Sheet, columns: list[int], out: set[int], maybe: set[int], reading: Reading) -> DataError:
    """The question whether columns such as "votes" rank the items, or describe them."""
    names = ", ".join(shown(sheet.name_of(column)) for column in sorted(maybe))
    asked, does = ("do the columns", "they") if len(maybe) > 1 else ("does the column", "it")
    s = "" if len(maybe) > 1 else "s"
    return reading.ask(
        f"{asked} {names} rank the items, or describe them?",
        (_say_ignored(sheet, columns, out | maybe), f"{does} describe{s} them"),
        (_say_ignored(sheet, columns, out), f"{does} rank{s} them"),
        line=sheet.header_line,
    )


def _say_ignored(sheet: Sheet, columns: Sequence[int], out: set[int]) -> Say:
    """The option that leaves out exactly these columns: by name, or by number where a name has a + of its own.

    A single column that is left is no table of rankers at a glance: then the layout must be said, too.
    """
    names = [(sheet.name_of(column), column) for column in sorted(out)]
    ignored = {IGNORE: "+".join(str(column + 1) if "+" in name else name for name, column in names)}
    return Say(columns=ignored) if len(columns) - len(out) > 1 else Say(layout="wide", columns=ignored)


def _note_left_out(names: Sequence[str], why: str, reading: Reading) -> None:
    if names:
        listed = ", ".join(map(shown, names[:20])) + (", …" if len(names) > 20 else "")
        reading.note(tell(f"left out {listed}, which {why}; ", say_columns(ignore=""), " reads every column"))


def _without_unranked(
    sheet: Sheet, columns: list[int], numbers: Mapping[tuple[int, int], float], reading: Reading
) -> list[int]:
    """The columns but those that hold no ranks beside columns of ranks, which are ignored with a word."""
    ranked = find_ranked(columns, numbers, sheet)
    kept = set(ranked)
    note_ignored([sheet.name_of(column) for column in columns if column not in kept], reading)
    return ranked


def _without_sums(
    sheet: Sheet, columns: list[int], numbers: Mapping[tuple[int, int], float], reading: Reading
) -> list[int]:
    """The columns but those that sum up the others: by their names, or by vaguer names and by their numbers."""
    if sheet.names is None or IGNORE in (reading.options.columns or {}):
        return columns
    said = {column: sums_up(sheet.names[column]) for column in columns}
    parts = [column for column in columns if said[column] is False] or [c for c in columns if not said[c]]
    if len(parts) < 2:
        return columns
    maybe = {column for column in columns if said[column] is None}.difference(parts)
    sums = {column for column in columns if said[column] or (column in maybe and _adds_up(column, parts, numbers))}
    _note_left_out([sheet.names[column] for column in columns if column in sums], "sums up the others", reading)
    return [column for column in columns if column not in sums]


def _adds_up(column: int, parts: Sequence[int], numbers: Mapping[tuple[int, int], float]) -> bool:
    """Whether the numbers of a column are the sums, or the means, of those of the others."""
    rows = {place: [numbers[place, c] for c in parts if (place, c) in numbers] for place, c in numbers if c == column}
    pairs = [(numbers[place, column], cells) for place, cells in rows.items()]
    if len(pairs) < 2 or not all(cells for _, cells in pairs):
        return False
    return any(
        all(
            abs(sum(cells) / (len(cells) if mean else 1) - total) <= max(0.01, NEARLY * abs(total))
            for total, cells in pairs
        )
        for mean in (False, True)
    )


def _item_column(sheet: Sheet, columns: list[int], reading: Reading) -> int:
    """The column of the items: the first that is named like one, else the first, unless another is likelier."""
    if not columns:
        raise reading.error("the table has only a column of queries; it needs a column of items too")
    names = sheet.names or []
    texts = [
        c for c in columns if (cells := [row[c] for row in sheet.rows if row[c]]) and not any(map(may_be_number, cells))
    ]
    named = [column for column in columns if names and plain_name(names[column]) in ITEM_WORDS]
    subjects = [column for column in columns if names and is_subject(names[column]) and _names_rows(sheet, column)]
    if named or subjects:
        return [*named, *subjects][0]
    if sheet.names and sheet.names[columns[0]] and texts and all(may_be_number(row[columns[0]]) for row in sheet.rows):
        both = [sheet.call(column) for column in (columns[0], texts[0])]
        question = f"are the items in the column {shown(both[0])} or {shown(both[1])}?"
        raise reading.ask(question, *[say_columns(item=name) for name in both], line=sheet.first_line)
    return columns[0]


def _names_rows(sheet: Sheet, column: int) -> bool:
    """Whether a column holds names, and not numbers."""
    return not all(is_number_cell(row[column]) for row in sheet.rows)
