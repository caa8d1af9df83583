"""Words for places: what names one, and what only looks so."""

from __future__ import annotations

import pytest

from stagg.formats.tables.ordinals import choice_columns, place_groups, read_ordinal, read_place

NO_PLACES = [
    "Option 1", "Opción 2", "Andre", "Prima", "Quarto", "1a", "2e", "3D", "lab1", "Model 3", "First name", "Q1_1",
    "Erster Name", "1 de 3", "Catch 22", "0", "",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_PLACES)
def test_an_id_is_no_place(text: str) -> None:
    assert read_ordinal(text) is None


@pytest.mark.parametrize(
    ("text", "place"),
    [("Top 1", 1), ("#2", 2), ("My 3rd choice", 3), ("4 (least)", 4), ("2 = like it", 2), ("1990 (old)", None)],
)
def test_a_cell_may_say_more_than_a_header(text: str, place: int | None) -> None:
    assert read_place(text) == place


def test_columns_of_one_question_differ_in_the_place_alone() -> None:
    names = [
        "ID",
        "Mayor Choice 1 of 3 City (026916)",
        "Mayor Choice 2 of 3 City (026916)",
        "Mayor Choice 3 of 3 City (026916)",
    ]
    assert choice_columns(names) == {1: 1, 2: 2, 3: 3}
    assert place_groups(names)[0].question == "Mayor City (026916)"


@pytest.mark.parametrize(
    "names",
    [
        ["Chair rank1", "Chair rank2", "Clerk rank1", "Clerk rank2"],
        ["Chair (1st)", "Chair (2nd)", "Clerk (1st)", "Clerk (2nd)"],
        ["1ST CHOICE Chair", "2ND CHOICE Chair", "1ST CHOICE Clerk", "2ND CHOICE Clerk"],
        ["Chair [Rank 1]", "Chair [Rank 2]", "Clerk [Rank 1]", "Clerk [Rank 2]"],
        ["Chair/_1st_choice", "Chair/_2nd_choice", "Clerk/_1st_choice", "Clerk/_2nd_choice"],
    ],
)
def test_questions_are_told_apart_by_what_stands_around_the_place(names: list[str]) -> None:
    assert [(group.question, group.places) for group in place_groups(names)] == [
        ("Chair", {0: 1, 1: 2}),
        ("Clerk", {2: 1, 3: 2}),
    ]


def test_places_must_count_from_one() -> None:
    assert place_groups(["Round 2 choice 2", "Round 2 choice 3"]) == []
