"""Battles as they were fought: codes that do not depend on the order of rows, repeats, several files."""

from __future__ import annotations

import random

from stagg.data.inputs.battle_rows import BattleRows, join_battle_rows, make_battle_rows

ROWS = [("b", "a", "x", "q1", 1), ("a", "c", "y", "q1", 0), ("b", "a", "x", "q1", 1), ("c", "b", "x", "q2", -1)]


def made(rows: list[tuple[str, str, str, str, int]], *, asked: bool = True) -> BattleRows:
    first, second, judges, questions, outcomes = (list(column) for column in zip(*rows, strict=True))
    return make_battle_rows((first, second), outcomes, judges=judges, questions=questions if asked else None)


def told(rows: BattleRows) -> list[tuple[str, str, str, str, int]]:
    names = rows.questions or ()
    return [
        (rows.contestants[i], rows.contestants[j], rows.judges[k], names[q], o)
        for i, j, k, q, o in zip(rows.first, rows.second, rows.judge, rows.question, rows.outcome, strict=True)
    ]


def test_rows_come_back_as_they_were_given_and_names_are_sorted() -> None:
    assert told(made(ROWS)) == ROWS
    assert made(ROWS).contestants == ("a", "b", "c")


def test_codes_do_not_depend_on_the_order_of_the_rows() -> None:
    mixed = random.Random(1).sample(ROWS, len(ROWS))
    assert made(mixed).contestants == made(ROWS).contestants
    assert sorted(told(made(mixed))) == sorted(ROWS)


def test_a_row_repeats_an_earlier_one_only_on_the_same_question() -> None:
    assert made(ROWS).find_repeats().tolist() == [False, False, True, False]
    assert not made(ROWS, asked=False).find_repeats().any()


def test_several_files_are_one_and_share_questions() -> None:
    one, other = made(ROWS[:2]), made(ROWS[2:]).replace_judge("file")
    both = join_battle_rows([one, other])
    assert told(both) == [*ROWS[:2], ("b", "a", "file", "q1", 1), ("c", "b", "file", "q2", -1)]
    assert not join_battle_rows([one, made(ROWS, asked=False)]).asked
