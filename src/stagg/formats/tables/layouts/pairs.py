"""Paired comparisons: ``winner,loser[,tie]``, or ``judge,a,b,choice``."""

from __future__ import annotations

from typing import Final

from stagg.errors import shown
from stagg.formats.format import BY_ORDER, Loaded
from stagg.formats.options import ReadOptions
from stagg.formats.row_checks import refuse_values
from stagg.formats.storage.source import Source
from stagg.formats.tables.detect import TIE_WORDS, Sheet
from stagg.formats.tables.layouts.counts import count_column, is_count_name, refuse_counts, with_multiplicities
from stagg.formats.tables.layouts.voters import tell_voters_apart
from stagg.formats.tables.roles import VOTER_WORDS, find_choice_of_two, plain_name, sides_of
from stagg.formats.tables.row_builder import RowBuilder, note_ignored, read_queries, refuse_empty

__all__ = ["read_pairs"]

YES: Final = ("1", "true", "yes", "y", "x", "tie", "tied", "draw")
NO: Final = ("0", "false", "no", "n", "")


def read_pairs(sheet: Sheet, source: Source, options: ReadOptions) -> tuple[Loaded, str]:
    """(a ranker of two items for every comparison, which way its cells point)."""
    refuse_values(source, options, "the rows of this table are comparisons")
    plain = [plain_name(name) for name in sheet.names or []]
    judged = find_choice_of_two(sheet.names or [])
    judge = next(
        (column for column, name in enumerate(plain) if name in (*VOTER_WORDS, "ranker")), sheet.column("ranker")
    )
    query, count = sheet.column("query"), count_column(sheet, options)
    queries = read_queries(sheet, source)
    names = _pair_names(sheet, judge, queries, source)
    others = _without_counts(sheet, {judge, query, count}, source, options)
    if judged is None:
        _check_pair_columns(plain, others, sheet, source)
    _note_beside(sheet, others, judged, source)
    rows = RowBuilder()
    for row, line, name, asked in zip(sheet.rows, sheet.lines, names, queries, strict=True):
        if judged and not row[judged[2]] and options.lenient:
            source.log.dropped("no choice", f"{source.name}:{line}")
            continue
        groups = _judge(row, judged, plain, source, line) if judged else _win(row, plain, others, source, line)
        for place, group in enumerate(groups):
            for item in group:
                rows.add(asked, name, item, place, line)
    source.log.note(
        f"{source.name}: every comparison is a ranker that lists two items and says nothing of the others; "
        "fuse it with missing='skip' or 'neutral'"
    )
    rankings = rows.assemble(source, options, queries, names)
    rankings = with_multiplicities(rankings, sheet, count, names, source)
    return Loaded(rankings, names_rankers=True, local_rankers=judge is None), BY_ORDER


def _without_counts(sheet: Sheet, known: set[int | None], source: Source, options: ReadOptions) -> list[int]:
    """The other columns; one that may say how often a comparison was made is not ignored without a word."""
    others = [column for column in range(len(sheet.roles)) if column not in known]
    counts = [column for column in others if sheet.names and is_count_name(sheet.names[column])]
    refuse_counts(sheet, counts, source, options)
    return [column for column in others if column not in counts]


def _note_beside(sheet: Sheet, others: list[int], judged: tuple[int, int, int] | None, source: Source) -> None:
    """Say which columns tell nothing of who won."""
    if sheet.names is None:
        return
    known = {sheet.names[column] for column in judged or others[:2]}
    used = {name for name in sheet.names if plain_name(name) in ("winner", "loser", "tie")}
    known = known if judged or not used else used
    note_ignored([sheet.names[c] for c in others if sheet.names[c] not in {*known, *used, ""}], source)


def _check_pair_columns(plain: list[str], others: list[int], sheet: Sheet, source: Source) -> None:
    """Two columns of items are the winner and the loser; what stands beside them must be known, too."""
    line = sheet.first_line
    if len(others) < 2:
        raise source.error("expected two columns of items: the winner, the loser", line)
    known = {"winner", "loser"} <= set(plain)
    odd = next((column for column in others[2:] if not plain or plain[column] != "tie"), None)
    if odd is not None and not known:
        name = shown(sheet.names[odd]) if sheet.names else odd + 1
        raise source.error(
            f"what is the column {name}? Name the columns winner, loser and tie, or a, b and choice; or leave it out",
            line,
        )


def _pair_names(sheet: Sheet, judge: int | None, queries: list[str], source: Source) -> list[str]:
    if judge is None:
        return [str(number) for number in range(1, len(sheet.rows) + 1)]
    given = [row[judge] or f"line {line}" for row, line in zip(sheet.rows, sheet.lines, strict=True)]
    return tell_voters_apart(given, queries, sheet.lines, source, say=False)


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


def _judge(
    row: list[str], columns: tuple[int, int, int], plain: list[str], source: Source, line: int
) -> list[list[str]]:
    """The two items in the order of the choice, which is an item, the name of its column, or a tie."""
    a, b, choice = (row[column] for column in columns)
    one, other = (plain[column] for column in columns[:2])
    _refuse_no_pair(a, b, source, line)
    if choice.casefold() in TIE_WORDS and choice not in (a, b):
        return [[a, b]]
    meant = {winner for winner in (a, b) if choice == winner}
    meant |= {winner for winner, words in zip((a, b), sides_of(one, other), strict=True) if plain_name(choice) in words}
    if len(meant) != 1:
        words = [shown(word) for side in sides_of(one, other) for word in sorted(side)]
        ways = f"{shown(a)}, {shown(b)}, {', '.join(words)} or 'tie'"
        empty = "; lenient=True leaves out rows without a choice" if not choice else ""
        raise source.error(f"the choice {shown(choice)} is not one of {ways}{empty}", line)
    winner = meant.pop()
    return [[winner], [b if winner == a else a]]


def _refuse_no_pair(one: str, other: str, source: Source, line: int) -> None:
    for cell in (one, other):
        refuse_empty(cell, "item", source, line)
    if one == other:
        raise source.error(f"the item {shown(one)} is compared with itself", line)
