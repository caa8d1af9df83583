"""Grids: rows are voters, columns are candidates, cells are ranks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from stagg.data.parts import declare_items
from stagg.data.rankings import Rankings
from stagg.errors import shown
from stagg.formats.format import BY_RANK, BY_SCORE, Loaded
from stagg.formats.numbers import parse_number, parse_whole
from stagg.formats.reading import Reading
from stagg.formats.tables.layouts.base import Sheet
from stagg.formats.tables.layouts.shared.direction import (
    Signs,
    find_grid_direction,
    find_wide_direction,
    refuse_no_candidate,
)
from stagg.formats.tables.layouts.shared.number_cells import (
    NumberTable,
    find_costs,
    is_named,
    read_number_cells,
    refuse_same_names,
    without_texts,
    without_totals,
)
from stagg.formats.tables.layouts.shared.voters import (
    about_voters,
    count_column,
    is_count_name,
    note_taken,
    refuse_counts,
    settle_repeats,
    voter_column,
    voter_names,
    with_multiplicities,
)
from stagg.formats.tables.ordinals import read_ordinal
from stagg.formats.tables.profile import Profile, are_ticks, find_no_candidates
from stagg.formats.tables.roles import is_measure, say_columns
from stagg.formats.tables.row_builder import RowBuilder, note_ignored, note_summaries, read_queries
from stagg.formats.tables.vocabulary import SURE_VOTERS, plain_name
from stagg.say import Say

__all__ = ["NumberGrid"]

MOST_NAMED: Final = 20
QUESTION: Final = re.compile(r"(.*)\[([^\[\]]+)\]\s*")


class NumberGrid(NumberTable):
    """Grid: rows are voters, columns are candidates, cells are ranks."""

    name = "grid"
    meaning = "rows are voters, columns are candidates, cells are ranks"
    example = "`voter,Ada,Ben,Cleo`"

    def fits(self, profile: Profile) -> bool:
        owner = profile.owner
        voters = profile.roles[owner] == "ranker" or profile.plain[owner] in SURE_VOTERS or profile.names_measures
        return self.holds_numbers(profile) and not profile.names_item and voters

    def ways(self, profile: Profile) -> list[Say]:
        if profile.is_ticked and profile.header is not False:
            header = {"header": True} if profile.header is None else {}
            return [Say(layout="grid", values="score", **header)]
        return super().ways(profile)

    def read(self, sheet: Sheet, reading: Reading) -> tuple[Loaded, str]:
        """(the rankings of the voters, which way their numbers point)."""
        if sheet.names is None:
            raise reading.error("a grid needs a header line that names its candidates", sheet.first_line)
        voters, query, count = _grid_voters(sheet, reading), sheet.column("query"), count_column(sheet, reading.options)
        header = sheet.names
        sheet = settle_repeats(sheet, voters, reading)
        measured = voters is not None and is_measure(header[voters])
        sheet = without_totals(sheet, voters, reading, described=measured)
        others = {voters, query, count, *about_voters(sheet)}
        columns = [c for c in range(len(sheet.roles)) if c not in others and is_named(sheet, c, reading)]
        columns = _without_counts(sheet, _without_about(sheet, columns, voters, reading), reading)
        if not (reading.options.values == "score" and are_ticks([row[c] for row in sheet.rows for c in columns])):
            columns = _without_ids(header, without_texts(sheet, columns, reading), reading)
        candidates = _candidate_names([header[column] for column in columns])
        refuse_same_names(candidates, sheet, reading)
        queries = read_queries(sheet, reading)
        names = voter_names(sheet, voters, queries, reading)
        numbers = read_number_cells(sheet, columns, reading, by_row=voters if measured else None)
        left_out = refuse_no_candidate(columns, numbers, sheet, reading)
        if left_out is not None:
            note_ignored([header[left_out]], reading)
            at = columns.index(left_out)
            columns, candidates = columns[:at] + columns[at + 1 :], candidates[:at] + candidates[at + 1 :]
            numbers = {cell: number for cell, number in numbers.items() if cell[1] != left_out}
        if measured or reading.options.lower is not None:
            costs = find_costs(sheet, columns, by_row=voters) if measured else ()
            signs = Signs(costs=costs, by_row=True)
            values, lower = find_wide_direction(dict(enumerate(names)), numbers, sheet, reading, signs)
            numbers = {at: -number if at[0] in lower else number for at, number in numbers.items()}
        else:
            values = find_grid_direction(columns, numbers, sheet, reading)
        by_score = values == "score"
        rows = _build_lists(sheet, dict(zip(columns, candidates, strict=True)), numbers, queries, names)
        note_summaries([*names, *candidates], reading)
        if not measured:
            of_voters = {voters: "voter", count: "number of voters", query: "election"}
            note_taken(sheet, reading, of_voters | dict.fromkeys(columns, "candidate"))
        rankings = rows.assemble(reading, queries, names, by_score=by_score)
        rankings = with_multiplicities(rankings, sheet, count, names, reading)
        if not measured and query is None and by_score is False:
            rankings = _declare(rankings, candidates, reading)
        return Loaded(rankings, names_rankers=True, local_rankers=voters is None), BY_SCORE if by_score else BY_RANK


def _declare(rankings: Rankings, candidates: Sequence[str], reading: Reading) -> Rankings:
    """The rankings with candidates whom nobody ranks, who stay candidates."""
    ranked = set(map(str, rankings.items))
    others = [name for name in candidates if name not in ranked]
    if others:
        reading.note(
            f"no ballot ranks {', '.join(map(shown, others[:MOST_NAMED]))}; leave out columns of no candidates"
        )
    return declare_items(rankings, candidates)


def _build_lists(
    sheet: Sheet,
    candidates: Mapping[int, str],
    numbers: Mapping[tuple[int, int], float],
    queries: Sequence[str],
    names: Sequence[str],
) -> RowBuilder:
    """The numbers of all voters, row by row."""
    rows = RowBuilder()
    for place, line in enumerate(sheet.lines):
        for column, item in candidates.items():
            if (place, column) in numbers:
                rows.add(queries[place], names[place], item, numbers[place, column], line)
    return rows


def _without_about(sheet: Sheet, columns: list[int], voters: int | None, reading: Reading) -> list[int]:
    """The columns of a grid of voters but those about their answers, such as how long they took."""
    names = sheet.names or []
    if voters is None:
        return columns
    cells = {c: [row[c] for row in sheet.rows if row[c]] for c in columns}
    about = find_no_candidates({c: names[c] for c in columns}, cells)
    if len(about) == len(columns):
        return columns
    note_ignored([names[c] for c in columns if c in about and cells[c]], reading)
    return [column for column in columns if column not in about]


def _without_counts(sheet: Sheet, columns: list[int], reading: Reading) -> list[int]:
    """The columns but those that may count the voters of a row, or weigh them: these are not candidates."""
    counts = [column for column in columns if sheet.names and is_count_name(sheet.names[column])]
    refuse_counts(sheet, counts, reading)
    note_ignored([sheet.names[column] for column in counts if sheet.names], reading)
    return [column for column in columns if column not in counts]


def _without_ids(names: Sequence[str], columns: list[int], reading: Reading) -> list[int]:
    """The columns of a grid but those of further ids, such as "Collector ID"."""
    ids = [column for column in columns if plain_name(names[column]).endswith("_id")]
    if len(ids) == len(columns):
        return columns
    note_ignored([names[column] for column in ids], reading)
    return [column for column in columns if column not in ids]


def _grid_voters(sheet: Sheet, reading: Reading) -> int | None:
    """The voters' column: by its name, or a first column that holds no numbers."""
    named = voter_column(sheet, reading.options)
    if named is not None or "ranker" in (reading.options.columns or {}):
        return named
    first = next((column for column in range(len(sheet.roles)) if sheet.roles[column] != "query"), 0)
    cells = [row[first] for row in sheet.rows if row[first]]
    names = sum(parse_number(cell.replace(",", ".")) is None and read_ordinal(cell) is None for cell in cells)
    if 2 * names > len(cells):
        return first
    _refuse_counted_voters(sheet, first, cells, reading)
    return None


def _refuse_counted_voters(sheet: Sheet, first: int, cells: list[str], reading: Reading) -> None:
    """A first column that counts the rows, or exceeds the number of candidates, may number the voters."""
    counted = cells in ([str(n + start) for n in range(len(cells))] for start in (0, 1))
    distinct = len(set(cells)) == len(cells) and any((parse_whole(cell) or 0) >= len(sheet.roles) for cell in cells)
    if len(cells) < 3 or not (counted or distinct) or not sheet.names or not sheet.names[first]:
        return
    name = sheet.names[first]
    raise reading.ask(
        f"does the column {shown(name)} number the voters?",
        (say_columns(ranker=sheet.call(first)), "it does"),
        (say_columns(ranker=""), "it is a candidate"),
        line=sheet.first_line,
    )


def _candidate_names(names: list[str]) -> list[str]:
    """The candidates of a form's question ("Rank them [Pizza]", "Rank them [Pasta]") without the question."""
    matches = [QUESTION.fullmatch(name) for name in names]
    if len(names) > 1 and all(matches) and len({match[1] for match in matches if match}) == 1:
        return [match[2].strip(" ") for match in matches if match]
    return names
