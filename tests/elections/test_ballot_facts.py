"""Facts of ballots before the count: how many of which kind, what was left out, first choices and look-alikes."""

from __future__ import annotations

from typing import Any

import pytest

from stagg import Rankings
from stagg.elections.ballot_facts import (
    are_ballots,
    are_only_ticks,
    count_ballots,
    describe_ballots,
    list_choices,
    take_ticks,
    tell_dropped,
    tell_top_ties,
    tell_turnout,
)
from stagg.formats.log import ReadLog


def ticks(*rows: dict[str, float]) -> Rankings:
    """Ballots on which 1 is yes and 0 is no."""
    return Rankings.from_scores({f"v{k}": row for k, row in enumerate(rows)})


ORDERED = Rankings.from_lists([["a", "b", "c"], ["b", {"a", "c"}], ["c"], [{"a", "b"}], []])


def test_ballots_are_counted_by_kind() -> None:
    assert count_ballots(ORDERED) == {
        "ballots": 5, "complete": 2, "partial": 2, "with ties": 2, "blank": 1, "candidates": 3,
    }  # fmt: skip
    assert count_ballots(ORDERED.replace(multiplicities=[10, 20, 30, 40, 50])) == {
        "ballots": 150, "complete": 30, "partial": 70, "with ties": 60, "blank": 50, "candidates": 3,
    }  # fmt: skip
    yes = ticks({"a": 1, "b": 0}, {"a": 1, "b": 1})
    assert are_only_ticks(yes)
    assert count_ballots(take_ticks(yes)) == {"ballots": 2, "blank": 0, "candidates": 2}
    assert not are_only_ticks(ticks({"a": 2, "b": 0}))
    assert not are_only_ticks(ORDERED)


def test_ballots_of_several_elections_are_counted_in_each() -> None:
    runs = {"ann": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 3.0}}, "bob": {"q1": {"b": 2.0}}}
    counts = count_ballots(Rankings.from_runs(runs))
    assert (counts["ballots"], counts["blank"], counts["complete"], counts["partial"]) == (4, 1, 2, 1)


@pytest.mark.parametrize(
    ("lists", "turnout", "read"),
    [
        ([["a", "b"], ["b"], []], "3 ballots: 1 blank, 2 with choices; 2 candidates.",
         "read 2 ballots (1 empty ballot was left out), 2 candidates"),
        ([["a"], [], []], "3 ballots: 2 blank, 1 with choices; 1 candidate.",
         "read 1 ballot (2 empty ballots were left out), 1 candidate"),
        ([["a", "b"]] * 1200, "1,200 ballots: 0 blank, 1,200 with choices; 2 candidates.",
         "read 1,200 ballots, 2 candidates"),
    ],
)  # fmt: skip
def test_the_turnout_is_told(lists: Any, turnout: str, read: str) -> None:
    rankings = Rankings.from_lists(lists)
    assert tell_turnout(rankings) == turnout
    assert describe_ballots(rankings, ReadLog()) == read


def test_what_was_left_out_is_told_with_its_first_place() -> None:
    log = ReadLog()
    log.dropped("duplicate item", "a.csv:3", 2)
    log.dropped("bad rank", "a.csv:5")
    log.dropped("no name", "a.csv:9", 3)
    assert tell_dropped(log) == [
        "2 repeated mentions of a candidate on a ballot were ignored, and the ballots count (first at a.csv:3)",
        "1 entry was left out: bad rank (first at a.csv:5)",
        "3 entries were left out: no name (first at a.csv:9)",
    ]
    told = describe_ballots(ORDERED, log).split("; ")
    assert told == ["read 4 ballots (1 empty ballot was left out), 3 candidates", *tell_dropped(log)]


@pytest.mark.parametrize(
    ("lists", "spoiled"),
    [
        ([["a", "b"]], None),
        ([["a", {"b", "c"}]], ""),
        ([[{"a", "b"}], ["a", {"b", "c"}]], ", and 1 ballot that ties its first choices is spoiled"),
        ([[{"a", "b"}, "c"], [{"a", "b", "c"}]], ", and 2 ballots that tie their first choices are spoiled"),
    ],
)
def test_what_becomes_of_ties_for_several_seats_is_told(lists: Any, spoiled: str | None) -> None:
    told = tell_top_ties(Rankings.from_lists(lists))
    rules = "with ties: by stv and meek a ballot ends at its first tie"
    assert told == ("" if spoiled is None else f"{rules}{spoiled}; rules that take ties count them.")


def test_no_tick_is_a_tie() -> None:
    assert tell_top_ties(take_ticks(ticks({"a": 1, "b": 1}))) == ""


def test_candidates_stand_by_first_choices_then_by_ballots_then_by_name() -> None:
    lists = [["b", "a"], ["b", "c"], [{"a", "d"}, "c"], ["e"]]
    [view] = Rankings.from_lists(lists)
    assert list_choices(view) == [
        {"candidate": "b", "first": 2, "ballots": 2, "looks_like": None},
        {"candidate": "e", "first": 1, "ballots": 1, "looks_like": None},
        {"candidate": "a", "first": 0.5, "ballots": 2, "looks_like": None},
        {"candidate": "d", "first": 0.5, "ballots": 1, "looks_like": None},
        {"candidate": "c", "first": 0, "ballots": 2, "looks_like": None},
    ]
    [ticked] = take_ticks(ticks({"a": 0, "b": 1, "c": 1}, {"a": 1, "b": 1, "c": 0}))
    assert [(row["candidate"], row["first"], row["ballots"]) for row in list_choices(ticked)] == [
        ("b", None, 2), ("a", None, 1), ("c", None, 1),
    ]  # fmt: skip


def test_a_name_that_looks_like_another_is_marked() -> None:
    [view] = Rankings.from_lists([["Katherine Johnson", "Ada"]] * 9 + [["Katherine Jonson", "Ada"]])
    assert {row["candidate"]: row["looks_like"] for row in list_choices(view)} == {
        "Katherine Johnson": None, "Ada": None, "Katherine Jonson": "Katherine Johnson",
    }  # fmt: skip


class Reading:
    """What was understood of a file: its layout, what its columns were taken for, and which way its numbers go."""

    def __init__(self, layout: str, taken: bool = False, direction: str = "by rank") -> None:
        self.layout, self.taken, self.direction = layout, taken, direction


@pytest.mark.parametrize(
    ("readings", "are"),
    [
        ([], False),
        ([Reading("ballots")], True),
        ([Reading("form"), Reading("ballots")], True),
        ([Reading("ballots"), Reading("long")], False),
        ([Reading("grid")], False),
        ([Reading("grid", taken=True)], True),
    ],
)
def test_files_of_choices_and_grids_of_voters_are_ballots(readings: Any, are: bool) -> None:
    assert are_ballots(readings, ORDERED) == are


def test_a_grid_of_ratings_is_no_ballots_and_one_of_ticks_is() -> None:
    from stagg.formats.format import BY_SCORE

    rated: Any = [Reading("grid", taken=True, direction=BY_SCORE)]
    assert not are_ballots(rated, ticks({"a": 5, "b": 3}))
    assert are_ballots(rated, ticks({"a": 1, "b": 0}))
