"""Direction of numbers without a telling name: ranks or scores, by column names and by the numbers themselves."""

from __future__ import annotations

import dataclasses
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from stagg.data.rankings import Values
from stagg.errors import DataError, shown
from stagg.formats.reading import Reading
from stagg.formats.tables.layouts.base import Sheet
from stagg.formats.tables.roles import find_lower, is_judge, is_round, is_surely_small, say_columns, told_by
from stagg.say import Say, tell

__all__ = ["Signs", "find_grid_direction", "find_ranked", "find_wide_direction", "refuse_no_candidate"]

RANKS: Final = Say(values="rank")
SCORES: Final = Say(values="score")
SCALE: Final = 10  # the largest mark of a small scale
FEW_LATE: Final = (
    10  # one ballot in so many may leave the first place empty, and the others still show that these are ranks
)

Numbers = Mapping[tuple[int, int], float]


@dataclasses.dataclass(frozen=True)
class Signs:
    """Signs of which way the numbers of a table point, beside their names.

    ``complete``: every ranker ranks all items, so that ranks begin with 1. ``costs``: rankers whose cells are money or
    times. ``falls``: whether the items at the top of a column of places have the smallest numbers, if there is one.
    ``more``: further answers to the question. ``by_row``: rankers are rows.
    """

    complete: bool = False
    costs: Collection[int] = ()
    falls: bool | None = None
    more: Sequence[tuple[Say, str]] = ()
    by_row: bool = False


def find_wide_direction(
    names: Mapping[int, str],
    numbers: dict[tuple[int, int], float],
    sheet: Sheet,
    reading: Reading,
    signs: Signs,
) -> tuple[Values, frozenset[int]]:
    """(scores or ranks, the rankers whose small numbers are top) in a table of rankers' numbers.

    They are said, told by all names, or shown by numbers that cannot be ranks. ``names`` are the rankers by column, or
    by row.
    """
    if reading.options.lower is not None:
        return _take_lower(names, reading, sheet)
    if reading.options.values is not None:
        _note_small(names, reading)
        return _check_ranks(numbers, sheet, reading, reading.options.values, lowest=0), frozenset()
    told = {key: told_by(name) for key, name in names.items()}
    if set(told.values()) == {"rank"} and not any(0 < number < 1 for number in numbers.values()):
        return _check_ranks(numbers, sheet, reading, "rank", lowest=0), frozenset()
    lists = _split_numbers(numbers, by_row=signs.by_row)
    small = [key for key in names if told[key] in ("rank", "small") or (told[key] is None and key in signs.costs)]
    if small:
        return "score", _decide_small(names, small, lists, sheet, reading, signs)
    if set(told.values()) != {"score"}:
        _check_scores(names, lists, sheet, reading, signs)
    return "score", frozenset()


def _check_scores(
    names: Mapping[int, str], lists: Mapping[int, Sequence[float]], sheet: Sheet, reading: Reading, signs: Signs
) -> None:
    """Numbers whose names do not tell what they are must show that they are scores."""
    complete = signs.complete or all(map(is_judge, names.values()))
    if not _are_scores(lists) and not _are_ratings(lists, complete=complete):
        raise _ask(sheet, reading, "the numbers could be ranks or scores")
    if signs.falls or (signs.falls is None and any(map(is_round, names.values()))):
        raise _ask(sheet, reading, "these may be times, strokes or points")
    rankers = _list_names(names.values())
    reading.note(
        tell(f"the numbers of {rankers} were read as scores, large = top; ", RANKS, " reads them as ranks"),
        public="the numbers were read as scores, large = top",
    )


def _take_lower(names: Mapping[int, str], reading: Reading, sheet: Sheet) -> tuple[Values, frozenset[int]]:
    """The rankers that the caller names; a note on others that seem to be of their kind."""
    lower = find_lower(reading, list(names.values()), line=sheet.header_line)
    if lower:
        _note_small({key: name for key, name in names.items() if name not in lower}, reading, sorted(lower))
    return "score", frozenset(key for key, name in names.items() if name in lower)


def _note_small(names: Mapping[int, str], reading: Reading, lower: Sequence[str] = ()) -> None:
    """Say which rankers are read as scores though their names tell that small numbers are better."""
    small = [name for name in names.values() if told_by(name) in ("small", "rank")]
    if small and reading.options.values != "rank":
        call = Say(lower=[*lower, *small])
        reading.note(tell(f"{_list_names(small)} was read as scores, large = top; ", call, " if small is better"))


def _decide_small(
    names: Mapping[int, str],
    small: Sequence[int],
    lists: Mapping[int, Sequence[float]],
    sheet: Sheet,
    reading: Reading,
    signs: Signs,
) -> frozenset[int]:
    """The rankers whose small numbers are top, where all names tell their direction without doubt; else a question.

    Where all numbers are on one small scale, a price may be a mark for the price.
    """
    lower = Say(lower=[names[key] for key in small])
    others = [names[key] for key in names if key not in small]
    told = all(is_surely_small(names[key]) for key in small) and all(told_by(name) == "score" for name in others)
    if told and not _share_scale(lists):
        large = f", and in {_list_names(others)} large = top" if others else ""
        say = tell(f"small = top in {_list_names(lower.options['lower'])}{large}, by their names; ", lower)
        reading.note(tell(say, " says it, ", Say(lower=""), " reads all as scores, large = top"))
        return frozenset(small)
    why = "some columns seem to hold ranks, or numbers of which the small ones are better"
    one = (lower, "small = top in these, large = top in all others")
    raise _ask(sheet, reading, why, signs.more, first=[one] if others else [])


def _list_names(names: Iterable[str]) -> str:
    few = list(names)
    return ", ".join(map(shown, few[:8])) + (", …" if len(few) > 8 else "")


def _split_numbers(numbers: Numbers, *, by_row: bool) -> dict[int, list[float]]:
    """The numbers of each ranker: of each column, or of each row."""
    lists: dict[int, list[float]] = defaultdict(list)
    for at, number in numbers.items():
        lists[at[0 if by_row else 1]].append(number)
    return lists


def _share_scale(lists: Mapping[int, Sequence[float]]) -> bool:
    """Whether all numbers are marks from 0 to 10, in halves."""
    every = [number for numbers in lists.values() for number in numbers]
    return len(lists) > 1 and all(0 <= number <= SCALE and number % 0.5 == 0 for number in every)


def _are_ratings(lists: Mapping[int, Sequence[float]], *, complete: bool) -> bool:
    """Whether these are marks: lists of all items that do not begin with 1, or lists with ties on a small scale."""
    shows = [len(set(numbers)) < len(numbers) or any(number % 1 for number in numbers) for numbers in lists.values()]
    rankings = any(_is_ranking(numbers, 10**9) for numbers in lists.values())
    marked = complete or (_share_scale(lists) and 2 * sum(shows) > len(shows))
    return bool(lists) and marked and not rankings


def find_ranked(columns: Sequence[int], numbers: Numbers, sheet: Sheet) -> list[int]:
    """The columns but those that describe the items: beside columns that are named as ranks, and hold ranks, one that
    is not named so and holds none, such as the chromosome of a gene.
    """
    cells: dict[int, list[float]] = {column: [] for column in columns}
    for (_, column), number in numbers.items():
        cells[column].append(number)
    told = {column: told_by(sheet.name_of(column)) for column in columns}
    ranked = [column for column in columns if told[column] == "rank"]
    if len(ranked) < 2 or not all(_hold_ranks(cells[column]) for column in ranked):
        return list(columns)
    return [column for column in columns if told[column] is not None or _hold_ranks(cells[column])]


def _hold_ranks(numbers: Sequence[float]) -> bool:
    return bool(numbers) and _is_ranking(numbers, 10**9)


def refuse_no_candidate(columns: Sequence[int], numbers: Numbers, sheet: Sheet, reading: Reading) -> int | None:
    """A column without which every row is a ranking from 1, and with which it is none, is hardly a candidate.

    It may tell the voter's age or sex, or count the voters: the caller must say it. Returns the column that is to be
    left out, None where there is no such column.
    """
    if reading.options.values is not None or len(columns) < 3 or len(sheet.rows) < 2:
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
    if "multiplicity" in (reading.options.columns or {}):
        return odd[0]
    name = sheet.names[odd[0]]
    raise reading.ask(
        f"without the column {shown(name)} every row is a ranking from 1; what is it?",
        (say_columns(multiplicity=sheet.call(odd[0])), "it counts the voters of a row"),
        (say_columns(multiplicity=""), "it is left out"),
        (RANKS, "it is a candidate"),
        line=sheet.first_line,
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
    reading: Reading,
) -> Values:
    """Ranks in a grid whose every row is a ranking from 1; anything else must be said."""
    if reading.options.values is not None:
        return _take_given(columns, numbers, sheet, reading)
    told = {told_by(name) for name in sheet.names or ()}
    rows = [[numbers[place, c] for c in columns if (place, c) in numbers] for place in range(len(sheet.rows))]
    filled = {place: row for place, row in enumerate(rows) if row}
    gapless = sum(map(_is_gapless, filled.values()))
    late = [place for place, row in filled.items() if _begins_late(row, len(columns))]
    late = late if FEW_LATE * len(late) <= len(filled) else []
    odd = [place for place in filled.keys() - {*late} if not _is_ranking(filled[place], len(columns))]
    if odd or 2 * gapless < len(filled) or "score" in told:
        why = "not every row is a ranking that begins with 1, so these could be ranks or ratings"
        wide = (Say(layout="wide"), "the columns are rankers, such as judges or exams")
        raise _ask(sheet, reading, why, [] if reading.ballots else [wide], place=min(odd, default=0))
    for place in late[:1]:
        said = "no cell has the rank 1; the others move up, as after an empty choice"
        reading.note(said, line=sheet.lines[place])
    reading.note(tell("the cells were read as ranks, 1 = top; ", SCORES, " reads them as ratings, large = top"))
    return "rank"


def _take_given(
    columns: Sequence[int], numbers: dict[tuple[int, int], float], sheet: Sheet, reading: Reading
) -> Values:
    """What the caller says that the numbers of a grid are; ranks may count from 0, which is told."""
    values = reading.options.values
    assert values is not None
    from_zero = values == "rank" and _count_from_zero(columns, numbers, len(sheet.rows))
    from_zero = from_zero and not reading.options.lenient
    if from_zero:
        zero = "ranks were read from 0, 0 = top; if 0 means that there is no rank, empty these cells, or say "
        reading.note(tell(zero, Say(lenient=True), " to leave them out"))
    return _check_ranks(numbers, sheet, reading, values, lowest=0 if from_zero else 1)


def _are_scores(lists: Mapping[int, Sequence[float]]) -> bool:
    """Whether every ranker has a number that is not a rank: a fraction other than a half, or below 0."""
    shows = [any(number < 0 or number % 0.5 != 0 for number in numbers) for numbers in lists.values()]
    return any(shows) and all(
        sure or not _is_ranking(numbers, 10**9) for sure, numbers in zip(shows, lists.values(), strict=True)
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
    reading: Reading,
    values: Values,
    *,
    lowest: int,
) -> Values:
    """Ranks are not below the lowest; those that are leave when reading leniently."""
    for place, column in [cell for cell, number in numbers.items() if values == "rank" and number < lowest]:
        if not reading.options.lenient:
            message = (
                f"the rank in column {column + 1} is below {lowest}; empty the cell if it means that there is none"
            )
            leave_out = tell(", or say ", Say(lenient=True), " to leave out every such cell")
            raise reading.error(tell(message, leave_out), sheet.lines[place])
        reading.drop("bad rank", sheet.lines[place])
        del numbers[place, column]
    return values


def _ask(
    sheet: Sheet,
    reading: Reading,
    why: str,
    more: Sequence[tuple[Say, str]] = (),
    *,
    first: Sequence[tuple[Say, str]] = (),
    place: int = 0,
) -> DataError:
    line = sheet.lines[place] if sheet.lines else None
    return reading.ask(why, *first, (RANKS, "small = top"), (SCORES, "large = top"), *more, line=line)
