"""The board of battles: what is said of judges, repeats, silence and an anchor."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from stagg.data.inputs.battle_rows import make_battle_rows
from stagg.errors import DataError
from stagg.leaderboards.battles.battle_board import rank_battles
from tests.leaderboards.test_battle_fits import draw_rows


def test_a_board_has_intervals_groups_and_a_table_of_judges() -> None:
    board = rank_battles(draw_rows(1, 800, {"people": (0.0, 0), "llm": (2.0, 0.5)}), draws=200)
    hits = board.hits()
    assert [hit.item for hit in hits] == ["ada", "bob", "cleo", "dan", "eve"]
    assert all(hit.low <= hit.rank <= hit.high for hit in hits)
    assert sum(hit.held for hit in hits) == 2 * 1600
    said = json.loads(board.to_json())
    assert [judge["judge"] for judge in said["judges"]] == ["llm", "people"]
    assert any("'llm' chose the first place" in text for text in board.findings)
    assert board.wins + board.wins.T == pytest.approx(board.games)


def test_a_repeated_row_counts_once_and_is_told() -> None:
    rows = draw_rows(2, 200, {"x": (0.0, 0)})
    twice = rows.take(np.concatenate([np.arange(200), [7]]))
    board = rank_battles(twice, draws=20)
    assert any("1 row repeats an earlier one" in note for note in board.notes)
    assert board.strengths.values == pytest.approx(rank_battles(rows, draws=20).strengths.values)


def test_a_judge_who_always_ties_or_always_says_first_is_left_out_and_told() -> None:
    rows = draw_rows(3, 100, {"x": (0.0, 0), "tied": (0.0, 0), "first": (0.0, 0)})
    outcome = rows.outcome.copy()
    outcome[rows.judge == rows.judges.index("tied")] = 0
    outcome[rows.judge == rows.judges.index("first")] = 1
    board = rank_battles(rows.take(np.arange(len(rows))).__class__(**{**vars(rows), "outcome": outcome}), draws=20)
    assert [judge.judge for judge in board.judges] == ["x"]
    assert any("'tied' always says tie" in note for note in board.notes)
    assert any("'first' always chooses the first place" in note for note in board.notes)


def test_without_an_anchor_the_board_says_whose_taste_it_is() -> None:
    rows = draw_rows(4, 300, {"people": (0.0, 0), "llm": (1.0, 0.5)})
    assert any("taste" in note for note in rank_battles(rows, draws=20).notes)
    anchored = rank_battles(rows, anchor="people", draws=20)
    assert not any("taste" in note for note in anchored.notes)
    assert any("The ranking rests on 300 votes of 'people'" in text for text in anchored.findings)


def test_groups_that_never_met_get_a_board_each() -> None:
    rows = make_battle_rows((["a", "c", "d", "b"], ["b", "d", "e", "a"]), [1, -1, 0, 1])
    board = rank_battles(rows, apart=True, draws=20)
    assert [set(each.names) for each in (board, *board.others)] == [{"c", "d", "e"}, {"a", "b"}]


def test_ties_alone_are_refused() -> None:
    with pytest.raises(DataError, match="nobody is shown to be stronger"):
        rank_battles(make_battle_rows((["a", "b"], ["b", "a"]), [0, 0]))


def test_an_anchor_who_judged_other_battles_than_the_rest_is_warned_of() -> None:
    rows = draw_rows(6, 1500, {"people": (0.0, 0), "llm": (1.0, 0.5)})
    people = rows.judge == rows.judges.index("people")
    drawn = people & (np.random.default_rng(1).random(len(rows)) < 0.3)
    chosen = people & ((rows.first == 0) | (rows.second == 0) | (np.random.default_rng(2).random(len(rows)) < 0.1))
    fair, picked = (rank_battles(rows.take(~people | some), anchor="people", draws=20) for some in (drawn, chosen))
    assert not any("no random draw" in text for text in fair.warnings)
    assert any("no random draw" in text for text in picked.warnings)


def test_many_judges_with_a_few_votes_each_are_one_judge_and_do_not_stretch_the_strengths() -> None:
    rows = draw_rows(7, 1500, {"x": (0.4, 0)})
    users = tuple(f"user{number:03}" for number in range(400))
    crowd = replace(rows, judges=users, judge=np.random.default_rng(3).integers(0, 400, len(rows)))
    board = rank_battles(crowd, draws=20)
    assert board.strengths.values == pytest.approx(rank_battles(rows, draws=20).strengths.values)
    assert [judge.judge for judge in board.judges] == ["400 judges"]
    assert any(note.startswith("400 judges have ") for note in board.notes)


def test_judges_of_a_small_crowd_are_looked_at_one_by_one() -> None:
    rows = draw_rows(8, 600, {"x": (0.4, 0), "y": (0.0, 0.5)})
    judges = ("llm", *(f"user{number:02}" for number in range(30)))
    judge = np.where(rows.judge == 0, 0, 1 + rows.question % 30)
    board = rank_battles(replace(rows, judges=judges, judge=judge), anchor="llm", draws=20)
    assert [each.judge for each in board.judges] == list(judges)
    assert [each.battles for each in board.judges] == [600] + [20] * 30
    assert not np.isnan(board.judges[0].place)
    assert all(np.isnan(each.place) and each.shared == 20 for each in board.judges[1:])


def test_an_anchor_who_always_ties_is_refused_by_what_it_did() -> None:
    rows = draw_rows(3, 100, {"x": (0.0, 0), "tied": (0.0, 0)})
    outcome = np.where(rows.judge == rows.judges.index("tied"), 0, rows.outcome)
    with pytest.raises(DataError, match="'tied' always says tie, so its votes cannot be an anchor"):
        rank_battles(replace(rows, outcome=outcome), anchor="tied")


def test_with_an_anchor_battles_are_those_that_it_judged() -> None:
    rows = draw_rows(4, 300, {"people": (0.0, 0), "llm": (1.0, 0.5)})
    board = rank_battles(rows, anchor="people", draws=20)
    assert sum(hit.held for hit in board.hits()) == 2 * 300
    assert "battles: those that 'people' judged" in board.table.legend[0]
    assert all("battles" not in row for row in board.to_dicts())  # they have no total


def test_without_draws_no_interval_is_spoken_of() -> None:
    board = rank_battles(draw_rows(4, 300, {"people": (0.0, 0), "llm": (1.0, 0.5)}), draws=0)
    assert not any("interval" in note for note in board.notes)
    assert any("taste" in note for note in board.notes)
    assert all(np.isnan(hit.strength_low) and np.isnan(hit.strength_high) for hit in board.hits())


def test_a_strength_has_an_interval_of_its_own_by_the_spread_of_the_draws() -> None:
    board = rank_battles(draw_rows(4, 300, {"x": (0.0, 0)}), draws=400)
    spread = board.strengths.draws.std(axis=0, ddof=1)
    for i, hit in enumerate(board.hits()):
        assert hit.strength_high - hit.score == pytest.approx(1.97 * spread[i], rel=0.02)
        assert hit.strength_high - hit.score == pytest.approx(hit.score - hit.strength_low)
    assert {"strength_low", "strength_high"} <= set(board.to_dicts()[0])


def test_a_report_on_a_judge_holds_plain_numbers() -> None:
    for judge in rank_battles(draw_rows(4, 300, {"x": (0.0, 0), "y": (1.0, 0)}), draws=0).judges:
        assert {type(value) for value in vars(judge).values()} <= {str, int, float}
        assert "np." not in repr(judge)
