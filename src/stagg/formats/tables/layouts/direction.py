"""Direction of numbers without a telling name: ranks or scores, by column names and by the numbers themselves."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence

from stagg.data.rankings import Values
from stagg.errors import DataError, shown
from stagg.formats.options import ReadOptions
from stagg.formats.storage.source import Source
from stagg.formats.tables.detect import Sheet
from stagg.formats.tables.layouts.named_direction import told_by
from stagg.formats.tables.roles import columns_option

__all__ = ["find_grid_direction", "find_wide_direction", "refuse_no_candidate"]

FEW_LATE = 10  # one ballot in so many may leave the first place empty, and the others still show that these are ranks

Numbers = Mapping[tuple[int, int], float]


def find_wide_direction(
    names: Mapping[int, str],
    item: int,
    numbers: dict[tuple[int, int], float],
    sheet: Sheet,
    source: Source,
    options: ReadOptions,
) -> Values:
    """Scores or ranks in a table of items: said, told by all names, or shown by numbers that cannot be ranks.

    ``names`` are the rankers by column, ``item`` is the column of the items.
    """
    if options.values is not None:
        return _check_ranks(numbers, sheet, source, options, options.values, lowest=0)
    told = {told_by(name) for name in names.values()}
    if told == {"rank"}:
        return _check_ranks(numbers, sheet, source, options, "rank", lowest=0)
    if "rank" in told or "small" in told:
        small = next(name for name in names.values() if told_by(name) in ("rank", "small"))
        one = columns_option({"item": sheet.names[item] if sheet.names else str(item + 1), "rank": small})
        why = "some columns seem to hold ranks, or numbers of which the small ones are better"
        raise _ask(sheet, source, why, f"; or read one column only: {one}" if len(names) > 1 else "")
    if told != {"score"} and not _are_scores(numbers):
        raise _ask(sheet, source, "the numbers could be ranks or scores")
    if told != {"score"}:
        few = list(names.values())[:8]
        rankers = ", ".join(map(shown, few)) + (", …" if len(names) > len(few) else "")
        source.log.note(
            f"{source.name}: the numbers of {rankers} were read as scores, large = top; values='rank' reads them as "
            "ranks",
            public=f"{source.name}: the numbers were read as scores, large = top",
        )
    return "score"


def refuse_no_candidate(
    columns: Sequence[int], numbers: Numbers, sheet: Sheet, source: Source, options: ReadOptions
) -> int | None:
    """A column without which every row is a ranking from 1, and with which it is none, is hardly a candidate.

    It may tell the voter's age or sex, or count the voters: the caller must say it. Returns the column that is to be
    left out, None where there is no such column.
    """
    if options.values is not None or len(columns) < 3 or len(sheet.rows) < 2:
        return None
    rows = [{c: numbers[place, c] for c in columns if (place, c) in numbers} for place in range(len(sheet.rows))]
    if all(_is_perfect(list(row.values())) for row in rows):
        return None
    spare = [_find_spare(list(row.values())) for row in rows]
    odd = [
        each
        for each in columns
        if all(number is not None and row.get(each) == number for row, number in zip(rows, spare, strict=True))
    ]
    if not odd or sheet.names is None:
        return None
    if "multiplicity" in (options.columns or {}):
        return odd[0]
    name = sheet.names[odd[0]]
    raise source.error(
        f"without the column {shown(name)} every row is a ranking from 1: say "
        f"{columns_option({'multiplicity': name})} if it counts the voters of a row, "
        f"{columns_option({'multiplicity': ''})} to ignore it, or values='rank' if it is a candidate",
        sheet.first_line,
    )


def _is_perfect(numbers: Sequence[float]) -> bool:
    """Whether these are the ranks 1, 2, 3, ..., each once."""
    return bool(numbers) and sorted(numbers) == [float(n + 1) for n in range(len(numbers))]


def _find_spare(numbers: Sequence[float]) -> float | None:
    """The number without which these are the ranks 1, 2, 3, ..., each once; None if there is no such number.

    >>> _find_spare([2, 41, 1, 3]), _find_spare([2, 1, 2]), _find_spare([4, 5, 1])
    (41, 2, None)
    """
    ordered = sorted(numbers)
    place = next((place for place, number in enumerate(ordered) if number != place + 1), len(ordered) - 1)
    return ordered[place] if _is_perfect(ordered[:place] + ordered[place + 1 :]) else None


def find_grid_direction(
    columns: Sequence[int],
    numbers: dict[tuple[int, int], float],
    sheet: Sheet,
    source: Source,
    options: ReadOptions,
) -> Values:
    """Ranks in a grid whose every row is a ranking from 1; anything else must be said."""
    if options.values is not None:
        from_zero = options.values == "rank" and _count_from_zero(columns, numbers, len(sheet.rows))
        if from_zero and not options.lenient:
            source.log.note(
                f"{source.name}: ranks were read from 0, 0 = top; if 0 means that there is no rank, empty these cells, "
                "or say lenient=True to leave them out"
            )
        lowest = 0 if from_zero and not options.lenient else 1
        return _check_ranks(numbers, sheet, source, options, options.values, lowest=lowest)
    told = {told_by(name) for name in sheet.names or ()}
    rows = [[numbers[place, c] for c in columns if (place, c) in numbers] for place in range(len(sheet.rows))]
    filled = [row for row in rows if row]
    gapless = sum(_is_gapless(row) for row in filled)
    late = [place for place, row in enumerate(rows) if row and _begins_late(row, len(columns))]
    late = late if FEW_LATE * len(late) <= len(filled) else []
    excused = set(late)
    odd = [
        place for place, row in enumerate(rows) if row and place not in excused and not _is_ranking(row, len(columns))
    ]
    if odd or 2 * gapless < len(filled) or "score" in told:
        why = "not every row is a ranking that begins with 1, so these could be ranks or ratings"
        raise _ask(sheet, source, why, place=odd[0] if odd else 0)
    for place in late[:1]:
        source.log.note(
            f"{source.name}:{sheet.lines[place]}: no cell has the rank 1; the others move up, as after an empty choice"
        )
    source.log.note(
        f"{source.name}: the cells were read as ranks, 1 = top; values='score' reads them as ratings, large = top"
    )
    return "rank"


def _are_scores(numbers: Numbers) -> bool:
    """Whether every column has a number that is not a rank: a fraction other than a half, or below 0."""
    columns: dict[int, list[float]] = defaultdict(list)
    for (_, column), number in numbers.items():
        columns[column].append(number)
    shows = [any(number < 0 or number % 0.5 != 0 for number in column) for column in columns.values()]
    return any(shows) and all(
        sure or not _is_ranking(column, 10**9) for sure, column in zip(shows, columns.values(), strict=True)
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


def _begins_late(numbers: Sequence[float], most: int) -> bool:
    """Whether these are distinct ranks, the first of which is not 1: somebody left the first place empty."""
    distinct = len(set(numbers)) == len(numbers) and all(number == int(number) for number in numbers)
    return distinct and min(numbers) > 1 and max(numbers) <= most


def _shared(ordered: list[float], share: float) -> list[float]:
    """The ranks that tied numbers share: that of their first place, the mean, or that of their last."""
    ties = [(bisect_left(ordered, number), bisect_right(ordered, number)) for number in ordered]
    return [first + 1 + share * (end - first - 1) for first, end in ties]


def _dense(ordered: list[float]) -> list[float]:
    distinct = sorted(set(ordered))
    return [float(bisect_left(distinct, number) + 1) for number in ordered]


def _is_gapless(numbers: Sequence[float]) -> bool:
    ordered = sorted(numbers)
    return len(set(ordered)) < len(ordered) or ordered[-1] == len(ordered)


def _count_from_zero(columns: Sequence[int], numbers: Numbers, rows: int) -> bool:
    """Whether the ranks of every voter are 0, 1, 2, ...: then 0 is the best, and does not mean that there is none."""
    lists = [[numbers[place, c] + 1 for c in columns if (place, c) in numbers] for place in range(rows)]
    return all(_is_perfect(ranks) for ranks in lists if ranks)


def _check_ranks(
    numbers: dict[tuple[int, int], float],
    sheet: Sheet,
    source: Source,
    options: ReadOptions,
    values: Values,
    *,
    lowest: int,
) -> Values:
    """Ranks are not below the lowest; those that are leave when reading leniently."""
    for place, column in [cell for cell, number in numbers.items() if values == "rank" and number < lowest]:
        if not options.lenient:
            message = (
                f"the rank in column {column + 1} is below {lowest}; empty the cell if it means that there is none"
            )
            raise source.error(f"{message}, or say lenient=True to leave out every such cell", sheet.lines[place])
        source.log.dropped("bad rank", f"{source.name}:{sheet.lines[place]}")
        del numbers[place, column]
    return values


def _ask(sheet: Sheet, source: Source, why: str, more: str = "", *, place: int = 0) -> DataError:
    line = sheet.lines[place] if sheet.lines else None
    return source.error(f"{why}: say values='rank' (small = top) or values='score' (large = top){more}", line)
