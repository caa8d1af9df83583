"""Win counts: two columns of contestants, and how often each of them won: ``a,b,wins_a,wins_b``."""

from __future__ import annotations

import dataclasses
from typing import Final

from stagg.data.inputs.battle_rows import BattleRows
from stagg.errors import plural, shown
from stagg.formats.format import Loaded
from stagg.formats.reading import Reading
from stagg.formats.row_checks import refuse_order_by
from stagg.formats.tables.layouts.base import Layout, Sheet
from stagg.formats.tables.layouts.battles import Battles, BattleTable
from stagg.formats.tables.layouts.pairs import Pairs
from stagg.formats.tables.layouts.shared.voters import read_counts
from stagg.formats.tables.profile import Profile
from stagg.formats.tables.row_builder import note_ignored
from stagg.formats.tables.vocabulary import COMPARERS, LOST_COUNTS, TIE_TOKENS, VOTE_COUNTS, WIN_COUNTS, plain_name
from stagg.say import Say, tell

__all__ = ["WinCounts"]

COMPARISON: Final = ["winner", "loser", "tie", "count"]
"""The columns of the table that a table of win counts is turned into: one row for each outcome of a pair."""
Pair = tuple[int, int]


class WinCounts(Layout):
    """Win counts: every row names two contestants, and how often each of them won.

    A third column may count the ties. Every comparison counts, as if it had a row of its own.
    """

    name = "wins"
    meaning = "every row is a pair of contestants, and how often each of them won"
    example = "`a,b,wins_a,wins_b[,ties]`"

    def fits(self, profile: Profile) -> bool:
        if profile.header is False or not profile.body:
            return False
        table = BattleTable(profile.first, profile.roles, profile.body)
        counts = _named_counts(table)
        if counts is None and any(_are_votes(table, pair) for pair in table.number_pairs):
            ways = (Say(layout="wins"), "every vote counts"), (Say(layout="battles"), "who has more votes wins the row")
            what = "does every vote for a contestant count, or is every row one battle?"
            raise profile.reading.ask(what, *ways, line=profile.table.lines[0])
        return counts is not None and any(cell not in ("0", "1") for column in counts for cell in table.cells(column))

    def ways(self, profile: Profile) -> list[Say]:
        if profile.header is False or not profile.body:
            return []
        table = BattleTable(profile.first, profile.roles, profile.body, said=True)
        return [Say(layout="wins")] if _find_counts(table) is not None else []

    def has_header(self, profile: Profile) -> bool:
        return True

    def check(self, sheet: Sheet, reading: Reading, line: int) -> None:
        """All columns but those of the contestants, the judge and the counts may be left out."""
        refuse_order_by(reading, "this table has no column 'rank' beside a column 'score'")

    def read(self, sheet: Sheet, reading: Reading) -> tuple[Loaded, str]:
        """(a ranker of two items for each outcome of a pair, with its count; which way its cells point)."""
        return Pairs().read(_turn(sheet, reading), _without_columns(reading))

    def tabulate(self, sheet: Sheet, reading: Reading) -> BattleRows:
        """The outcomes of all pairs with their counts; who stood first is not known."""
        return Battles().tabulate(_turn(sheet, reading), _without_columns(reading))


def _without_columns(reading: Reading) -> Reading:
    """The reading of the table that was made, whose columns say themselves what they are."""
    return reading.with_options(columns=None)


def _named_counts(table: BattleTable) -> Pair | None:
    """The columns of whole numbers that are named as the wins of both contestants."""
    if table.sides is None:
        return None
    plain = [plain_name(name) for name in table.names]
    seen = [(plain.index(won), plain.index(lost)) for won, lost in LOST_COUNTS if {won, lost} <= {*plain}]
    named = [pair for pair in table.number_pairs if not WIN_COUNTS.isdisjoint(table.words[pair[0]])]
    return next((pair for pair in (*named, *seen) if _are_counts(table, pair)), None)


def _are_votes(table: BattleTable, pair: Pair) -> bool:
    """Whether two columns count votes for each contestant, and more than one in some row."""
    named = table.sides is not None and not VOTE_COUNTS.isdisjoint(table.words[pair[0]])
    return named and _are_counts(table, pair) and any(cell not in ("0", "1") for c in pair for cell in table.cells(c))


def _find_counts(table: BattleTable) -> Pair | None:
    """The same where somebody says that there are such columns: the only pair of whole numbers, whatever its name."""
    pairs = [pair for pair in table.number_pairs if _are_counts(table, pair)] if table.sides is not None else []
    return _named_counts(table) or (pairs[0] if len(pairs) == 1 else None)


def _are_counts(table: BattleTable, pair: Pair) -> bool:
    return all(table.cells(column) and all(map(str.isdecimal, table.cells(column))) for column in pair)


def _turn(sheet: Sheet, reading: Reading) -> Sheet:
    """The table with a row for each outcome of a pair: winner, loser, tie and count, its judge and query beside."""
    table = BattleTable(sheet.names or [""] * len(sheet.roles), sheet.roles, sheet.rows, said=True)
    counts = _find_counts(table)
    if table.sides is None or counts is None:
        raise reading.error(
            "expected two columns of contestants whose names differ in the side, such as a and b, and two of whole "
            "numbers, such as wins_a and wins_b",
            sheet.header_line,
        )
    tied = [c for c, words in enumerate(table.words) if {*words} & TIE_TOKENS and _are_counts(table, (c, c))][:1]
    beside = _find_beside(sheet, {*table.sides, *counts, *tied})
    used = {*table.sides, *counts, *tied, *beside.values()}
    note_ignored([name for column, name in enumerate(table.names) if name and column not in used], reading)
    _note_meaning(table, counts, reading)
    return _list_outcomes(sheet, table.sides, (*counts, *tied), beside, reading)


def _find_beside(sheet: Sheet, taken: set[int]) -> dict[str, int]:
    """{role: column} of the judge and of the query."""
    names = [plain_name(name) for name in sheet.names or ()]
    judges = [sheet.column("ranker"), *(column for column, name in enumerate(names) if name in COMPARERS)]
    found = {"ranker": next((each for each in judges if each is not None and each not in taken), None)}
    found["query"] = sheet.column("query")
    return {role: column for role, column in found.items() if column is not None and column not in taken}


def _note_meaning(table: BattleTable, counts: Pair, reading: Reading) -> None:
    """Say what the numbers were taken for, where nobody said it."""
    if reading.options.layout is None:
        one, other = (shown(table.names[column]) for column in counts)
        told = f"the numbers in {one} and {other} count comparisons that were won, each of which counts; "
        reading.note(tell(told, Say(layout="battles"), " takes every row for one battle"))


def _list_outcomes(
    sheet: Sheet, sides: Pair, counts: tuple[int, ...], beside: dict[str, int], reading: Reading
) -> Sheet:
    """A row for each way in which a pair ended at least once."""
    rows, lines, never = [], [], 0
    every = zip(sheet.rows, sheet.lines, *(read_counts(sheet, column, reading) for column in counts), strict=True)
    for row, line, *times in every:
        one, other = (row[side] for side in sides)
        told = [row[column] for column in beside.values()]
        outcomes = ([one, other, "no"], [other, one, "no"], [one, other, "yes"])
        ended = [[*outcome, str(count), *told] for outcome, count in zip(outcomes, times, strict=False) if count]
        rows += ended
        lines += [line] * len(ended)
        never += not ended
    if never:
        reading.note(f"pairs that never met were left out ({plural(never, 'row')} of zeros)")
    names = [*COMPARISON, *beside]
    return dataclasses.replace(sheet, names=names, roles=list(names), rows=rows, lines=lines)
