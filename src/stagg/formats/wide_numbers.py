"""Which way the numbers of a table without named numbers point: ranks or scores, by their names and by themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stagg.data.rankings import Values
from stagg.errors import DataError
from stagg.formats.base import ReadOptions
from stagg.formats.directions import told_by
from stagg.formats.layouts import Sheet
from stagg.formats.source import Source

__all__ = ["find_grid_direction", "find_wide_direction"]

Numbers = Mapping[tuple[int, int], float]


def find_wide_direction(
    names: Sequence[str], numbers: Numbers, sheet: Sheet, source: Source, options: ReadOptions
) -> Values:
    """Scores or ranks in a table of items: said, told by all names, or shown by numbers that cannot be ranks."""
    if options.values is not None:
        return _check_ranks(numbers, sheet, source, options.values, lowest=0)
    told = {told_by(name) for name in names}
    if told == {"rank"}:
        return _check_ranks(numbers, sheet, source, "rank", lowest=0)
    if "rank" in told or "small" in told:
        raise _ask(sheet, source, "some columns seem to hold ranks, or numbers of which the small ones are better")
    if told != {"score"} and not _are_scores(numbers):
        raise _ask(sheet, source, "the numbers could be ranks or scores")
    if told != {"score"}:
        source.log.note(
            f"{source.name}: the numbers were read as scores, large = top; values='rank' reads them as ranks"
        )
    return "score"


def find_grid_direction(
    columns: Sequence[int], numbers: Numbers, sheet: Sheet, source: Source, options: ReadOptions
) -> Values:
    """Ranks in a grid whose every row is a ranking from 1; anything else must be said."""
    if options.values is not None:
        return _check_ranks(numbers, sheet, source, options.values, lowest=1)
    told = {told_by(name) for name in sheet.names or ()}
    rows = [[numbers[place, c] for c in columns if (place, c) in numbers] for place in range(len(sheet.rows))]
    filled = [row for row in rows if row]
    gapless = sum(_is_gapless(row) for row in filled)
    ranked = all(_is_ranking(row, len(columns)) for row in filled) and 2 * gapless >= len(filled)
    if not ranked or "score" in told:
        raise _ask(sheet, source, "not every row is a ranking that begins with 1, so these could be ranks or ratings")
    source.log.note(
        f"{source.name}: the cells were read as ranks, 1 = top; values='score' reads them as ratings, large = top"
    )
    return "rank"


def _are_scores(numbers: Numbers) -> bool:
    """Whether every column has a number that is no rank: a fraction other than a half, or below 0."""
    columns: dict[int, bool] = {}
    for (_, column), number in numbers.items():
        columns[column] = columns.get(column, False) or number < 0 or number * 2 != int(number * 2)
    return (
        bool(columns)
        and any(columns.values())
        and all(
            shown or not _is_ranking([n for (_, c), n in numbers.items() if c == column], 10**9)
            for column, shown in columns.items()
        )
    )


def _is_ranking(numbers: Sequence[float], most: int) -> bool:
    """Whether these are ranks from 1 on: distinct, or tied by one of the usual rules."""
    if min(numbers) < 1 or max(numbers) > most:
        return False
    ordered = sorted(numbers)
    whole = all(number == int(number) for number in ordered)
    if len(set(ordered)) == len(ordered):
        return whole and ordered[0] == 1
    return ordered in (_shared(ordered, 0.0), _shared(ordered, 0.5), _shared(ordered, 1.0), _dense(ordered))


def _shared(ordered: list[float], share: float) -> list[float]:
    """The ranks that tied numbers share: that of their first place, the mean, or that of their last."""
    count = {number: ordered.count(number) for number in ordered}
    return [ordered.index(number) + 1 + share * (count[number] - 1) for number in ordered]


def _dense(ordered: list[float]) -> list[float]:
    distinct = sorted(set(ordered))
    return [float(distinct.index(number) + 1) for number in ordered]


def _is_gapless(numbers: Sequence[float]) -> bool:
    ordered = sorted(numbers)
    return len(set(ordered)) < len(ordered) or ordered[-1] == len(ordered)


def _check_ranks(numbers: Numbers, sheet: Sheet, source: Source, values: Values, *, lowest: int) -> Values:
    wrong = next((cell for cell, number in numbers.items() if values == "rank" and number < lowest), None)
    if wrong is not None:
        place, column = wrong
        raise source.error(f"the rank in column {column + 1} is below {lowest}", sheet.lines[place])
    return values


def _ask(sheet: Sheet, source: Source, why: str) -> DataError:
    line = sheet.lines[0] if sheet.lines else None
    return source.error(f"{why}: say values='rank' (small = top) or values='score' (large = top)", line)
