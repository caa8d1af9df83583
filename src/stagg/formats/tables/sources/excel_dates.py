"""Dates and times in Excel workbooks: numbers of days whose number format says that they are dates."""

from __future__ import annotations

import datetime
import re
from typing import Final, Literal

from stagg.formats.patterns import pattern

__all__ = ["BUILT_IN", "Kind", "date_of", "kind_of_format"]

Kind = Literal["date", "duration"] | None
"""Meaning of the numbers of a format; None where they are numbers."""

BUILT_IN: Final[dict[str, Kind]] = {
    **dict.fromkeys(map(str, (*range(14, 23), *range(27, 37), 45, 47, *range(50, 59))), "date"),
    "46": "duration",
}
"""The formats that every workbook has, by number: ECMA-376, part 1, section 18.8.30."""

LITERAL: Final = pattern(r'"[^"]*"|[\\_*].', re.DOTALL)
ELAPSED: Final = pattern(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
BRACKETS: Final = pattern(r"\[[^\]]*\]")
DATE_LETTER: Final = pattern(r"[dmyhs]", re.IGNORECASE)

LEAP_DAY_1900: Final = 60  # a day that never was: Lotus 1-2-3 had it, and Excel kept it
DAYS_TO_1904: Final = 1462
PAST_LAST_DAY: Final = 2_958_466  # 1 January 10000
MILLISECONDS: Final = 86_400_000  # of a day; programs write times with so many digits, and not with more


def kind_of_format(code: str) -> Kind:
    """Kind of a format's number: its first section counts, without literals and colours.

    >>> kind_of_format("yyyy-mm-dd"), kind_of_format("[h]:mm"), kind_of_format('[Red]0.00" days"')
    ('date', 'duration', None)
    """
    section = LITERAL.sub("", code).split(";")[0]
    if ELAPSED.search(section):
        return "duration"
    return "date" if DATE_LETTER.search(BRACKETS.sub("", section)) else None


def date_of(days: float, kind: Kind, *, from_1904: bool) -> float | datetime.date | datetime.time | datetime.timedelta:
    """The date, the time or both that a number of days stands for; a number that stands for none stays as it is.

    >>> date_of(45537.0, "date", from_1904=False), date_of(0.5, "date", from_1904=False)
    (datetime.date(2024, 9, 2), datetime.time(12, 0))
    """
    if kind is None or not 0 <= days < PAST_LAST_DAY - (DAYS_TO_1904 if from_1904 else 0):
        return days
    passed = datetime.timedelta(milliseconds=round(days * MILLISECONDS))
    if kind == "duration":
        return passed
    if not passed.days:
        return (datetime.datetime.min + passed).time()
    if from_1904:
        passed += datetime.timedelta(days=DAYS_TO_1904)
    date = datetime.datetime(1899, 12, 30 if passed.days >= LEAP_DAY_1900 else 31) + passed
    return date if passed.seconds or passed.microseconds else date.date()
