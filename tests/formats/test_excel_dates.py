"""Dates in workbooks: which of the built-in formats are dates, and which day a number stands for."""

from __future__ import annotations

import datetime

from stagg.formats.tables.sources.excel_dates import BUILT_IN, date_of


def test_the_built_in_formats_of_dates_are_those_of_the_standard() -> None:
    """ECMA-376, part 1, section 18.8.30: dates and times, those of East Asia among them; [h]:mm:ss counts hours."""
    dates = {*range(14, 23), *range(27, 37), 45, 47, *range(50, 59)}
    assert {number: BUILT_IN.get(str(number)) for number in range(100)} == {
        number: "duration" if number == 46 else "date" if number in dates else None for number in range(100)
    }


def test_a_workbook_of_1904_counts_from_the_first_of_january_1904() -> None:
    """ECMA-376, part 1, section 18.17.4.1: the two systems are 1462 days apart, and both end with the year 9999."""
    last = datetime.date(9999, 12, 31)
    assert date_of(1, "date", from_1904=True) == datetime.date(1904, 1, 2)
    assert date_of(45537 - 1462, "date", from_1904=True) == datetime.date(2024, 9, 2)
    assert date_of(2_958_465, "date", from_1904=False) == date_of(2_958_465 - 1462, "date", from_1904=True) == last
    assert date_of(2_958_466, "date", from_1904=False) == 2_958_466
    assert date_of(2_958_466 - 1462, "date", from_1904=True) == 2_958_466 - 1462


def test_the_day_that_never_was_is_the_one_before_the_first_of_march() -> None:
    assert date_of(60, "date", from_1904=False) == datetime.date(1900, 2, 28)
    assert date_of(61, "date", from_1904=False) == datetime.date(1900, 3, 1)


def test_numbers_become_dates_times_both_or_stay_as_they_are() -> None:
    assert date_of(45537.25, "date", from_1904=False) == datetime.datetime(2024, 9, 2, 6)
    assert date_of(45537 + 0.25 / 86_400, "date", from_1904=False) == datetime.datetime(2024, 9, 2, 0, 0, 0, 250_000)
    assert date_of(0, "date", from_1904=False) == datetime.time(0)
    assert date_of(1.5, "duration", from_1904=False) == datetime.timedelta(hours=36)
    assert date_of(-1, "date", from_1904=False) == -1
    assert date_of(45537, None, from_1904=False) == 45537
