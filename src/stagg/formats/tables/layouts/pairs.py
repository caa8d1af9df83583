"""Paired comparisons: ``winner,loser[,tie]``."""

from __future__ import annotations

from typing import Final

from stagg.errors import shown
from stagg.formats.format import BY_ORDER, Loaded
from stagg.formats.reading import Reading
from stagg.formats.row_checks import refuse_values
from stagg.formats.tables.layouts.ballots import has_header_of_choices
from stagg.formats.tables.layouts.base import Layout, Sheet
from stagg.formats.tables.layouts.battles import Battles, BattleTable
from stagg.formats.tables.layouts.shared.voters import (
    comparison_names,
    count_column,
    is_count_name,
    refuse_counts,
    with_multiplicities,
)
from stagg.formats.tables.profile import Profile
from stagg.formats.tables.row_builder import RowBuilder, note_ignored, read_queries, refuse_empty
from stagg.formats.tables.vocabulary import NO, VOTER_WORDS, YES, plain_name
from stagg.say import Say, tell

__all__ = ["Pairs"]

TIES: Final = ("tie", "is_tie", "tied", "draw", "is_draw", "drawn")
"""Names of a column that says which comparisons nobody won."""


class Pairs(Layout):
    """Pairs: every row is a comparison of two items."""

    name = "pairs"
    meaning = "every row is a comparison: the winner, the loser"
    example = "`winner,loser[,tie]`"

    def fits(self, profile: Profile) -> bool:
        return profile.header is not False and {"winner", "loser"} <= {*profile.plain}

    def ways(self, profile: Profile) -> list[Say]:
        if not profile.body or profile.is_ticked or profile.place_columns or profile.width > 3:
            return []
        if profile.header is not None:
            return [Say(layout="pairs")]
        likely = not profile.first_in_body
        return [Say(layout="pairs", header=likely), Say(layout="pairs", header=not likely)]

    def has_header(self, profile: Profile) -> bool:
        table = BattleTable(profile.first, profile.roles, profile.body)
        return bool(table.results) or has_header_of_choices(profile, "pairs", {"winner", "loser"})

    def read(self, sheet: Sheet, reading: Reading) -> tuple[Loaded, str]:
        """(a ranker of two items for every comparison, which way its cells point)."""
        refuse_values(reading, "the rows of this table are comparisons")
        plain = [plain_name(name) for name in sheet.names or []]
        if not {"winner", "loser"} <= {*plain} and BattleTable(sheet.names or [], sheet.roles, sheet.rows).results:
            return Battles().read(sheet, reading)
        judge = next(
            (column for column, name in enumerate(plain) if name in (*VOTER_WORDS, "ranker")), sheet.column("ranker")
        )
        query, count = sheet.column("query"), count_column(sheet, reading.options)
        queries = read_queries(sheet, reading)
        names = comparison_names(sheet, judge, queries, reading)
        others = _without_counts(sheet, {judge, query, count}, reading)
        _check_pair_columns(plain, others, sheet, reading)
        _note_beside(sheet, others, reading)
        rows = RowBuilder()
        for row, line, name, asked in zip(sheet.rows, sheet.lines, names, queries, strict=True):
            for place, group in enumerate(_win(row, plain, others, reading, line)):
                for item in group:
                    rows.add(asked, name, item, place, line)
        told = "every comparison is a ranker that lists two items and says nothing of the others; fuse it with "
        reading.note(tell(told, Say(missing="skip"), " or ", Say(missing="neutral")))
        rankings = rows.assemble(reading, queries, names)
        rankings = with_multiplicities(rankings, sheet, count, names, reading)
        return Loaded(rankings, names_rankers=True, local_rankers=judge is None), BY_ORDER


def _without_counts(sheet: Sheet, known: set[int | None], reading: Reading) -> list[int]:
    """The other columns; one that may say how often a comparison was made is not ignored without a word."""
    others = [column for column in range(len(sheet.roles)) if column not in known]
    counts = [column for column in others if sheet.names and is_count_name(sheet.names[column])]
    refuse_counts(sheet, counts, reading)
    return [column for column in others if column not in counts]


def _note_beside(sheet: Sheet, others: list[int], reading: Reading) -> None:
    """Say which columns tell nothing of who won."""
    if sheet.names is None:
        return
    used = {name for name in sheet.names if plain_name(name) in ("winner", "loser", *TIES)}
    known = used or {sheet.names[column] for column in others[:2]}
    note_ignored([sheet.names[c] for c in others if sheet.names[c] not in {*known, ""}], reading)


def _check_pair_columns(plain: list[str], others: list[int], sheet: Sheet, reading: Reading) -> None:
    """Two columns of items are the winner and the loser; what stands beside them must be known, too."""
    line = sheet.first_line
    if len(others) < 2:
        raise reading.error("expected two columns of items: the winner, the loser", line)
    known = {"winner", "loser"} <= set(plain)
    odd = next((column for column in others[2:] if not plain or plain[column] not in TIES), None)
    if odd is not None and not known:
        name = shown(sheet.names[odd]) if sheet.names else odd + 1
        raise reading.error(
            f"what is the column {name}? Name the columns winner, loser and tie, or a, b and winner; or leave it out",
            line,
        )


def _win(row: list[str], plain: list[str], others: list[int], reading: Reading, line: int) -> list[list[str]]:
    """[[winner], [loser]], or one group where the tie column says so."""
    named = {"winner", "loser"} <= set(plain)
    first, second = (plain.index("winner"), plain.index("loser")) if named else others[:2]
    winner, loser = row[first], row[second]
    _refuse_no_pair(winner, loser, reading, line)
    told = next((column for column, name in enumerate(plain) if name in TIES), None)
    tie = "" if told is None else row[told].casefold().removesuffix(".0")
    if tie not in (*YES, *NO):
        raise reading.error(f"the tie {shown(tie)} is not one of yes, no, 1, 0, true, false", line)
    return [[winner, loser]] if tie in YES else [[winner], [loser]]


def _refuse_no_pair(one: str, other: str, reading: Reading, line: int) -> None:
    for cell in (one, other):
        refuse_empty(cell, "item", reading, line)
    if one == other:
        raise reading.error(f"the item {shown(one)} is compared with itself", line)
