"""What a board of battles says of its judges, repeats, warnings and an anchor: one and several, few and many."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from stagg.data.inputs.battle_rows import BattleRows, make_battle_rows
from stagg.errors import InvalidParameter
from stagg.leaderboards.battles.battle_board import BattleBoard, rank_battles
from stagg.leaderboards.battles.judges import JudgeReport, count_cycles, join_crowd

REPORT = JudgeReport("x", 200, 0.25, 0.8, 0.7, 0.85, 0.1, 0.05, 20, 0.456, 30)


def battles(
    count: int,
    judges: dict[str, int] | None = None,
    *,
    asked: bool = True,
    seed: int = 0,
    pairs: str = "ab ba bc cb ca ac",
) -> BattleRows:
    """So many battles of each judge among three contestants, in turn; whoever is nearer to "a" wins mostly."""
    rng = np.random.default_rng(0)
    rows = []
    for judge, own in (judges or {"x": count}).items():
        for k in range(own):
            meeting = pairs.split()[k % len(pairs.split())]
            one, other = meeting[0], meeting[1]
            better = 1 if one < other else -1
            rows.append((one, other, judge, f"q{k:04}", better if rng.random() < 0.7 else -better))
    first, second, judge_of, question, outcome = zip(*rows, strict=True)
    return make_battle_rows(
        (list(first), list(second)), list(outcome), judges=list(judge_of), questions=list(question) if asked else None
    )


def board_of(rows: BattleRows, **options: Any) -> BattleBoard:
    return rank_battles(rows, draws=options.pop("draws", 20), **options)


def test_strengths_and_judges_are_shown_as_people_read_them() -> None:
    board = board_of(battles(90))
    view = board.table.view[0]
    assert list(view)[-4:] == ["elo", "first", "top 3", "battles"]
    assert view["elo"] == f"{board.strengths.values[0]:.0f}"
    assert view["battles"] == "60"
    [judge] = board.judge_table.view
    own = board.judges[0]
    assert judge == {
        "judge": "x", "battles": 90, "ties": "0 %", "first place": f"{100 * own.first:.0f} %",
        "of equals": f"{100 * own.even:.0f} %", "cycles": "0 %", "kappa": "",
    }  # fmt: skip
    assert [title for title, _ in board.beside] == ["Judges"]
    assert board.wins + board.wins.T == pytest.approx(board.games)
    assert board.games.sum() == 2 * 90


@pytest.mark.parametrize(
    ("place", "error", "biased"), [(0.85, 0.1, True), (-0.85, 0.1, True), (0.19, 0.1, False), (0.2, 0.1, True)]
)
def test_a_judge_prefers_a_place_beyond_1_96_standard_errors(place: float, error: float, biased: bool) -> None:
    assert JudgeReport("x", 9, 0, 0.8, 0.7, place, error, 0, 0, 0, 0).is_biased == biased
    assert not JudgeReport("x", 9, 0, 0.8, 0.7, math.nan, math.nan, 0, 0, 0, 0).is_biased


def test_the_place_that_a_judge_prefers_is_told() -> None:
    assert REPORT.describe_bias() == (
        "'x' chose the first place in 80 % of its decided battles; of two equals it would choose it in 70 %; the "
        "strengths leave this out."
    )
    other = JudgeReport("x", 200, 0.25, 0.2, 0.3, -0.85, 0.1, 0.05, 20, 0.456, 30)
    assert other.describe_bias() == REPORT.describe_bias().replace("first", "second")


@pytest.mark.parametrize(("judges", "joined"), [(10, False), (11, True)])
def test_more_than_ten_judges_with_fewer_than_thirty_battles_are_one(judges: int, joined: bool) -> None:
    rows = battles(0, {"big": 60, "thirty": 30} | {f"u{k:02}": 29 for k in range(judges)})
    crowd = join_crowd(rows)
    assert (crowd.judges == rows.judges) == (not joined)
    if joined:
        assert set(crowd.judges) == {"big", "thirty", "11 judges"}
        assert join_crowd(rows, "u00") is rows  # it stays as it is, and ten are not many
        board = board_of(rows)
        assert board.notes[0] == (
            "11 judges have 29 battles each, or fewer: the fit takes them as one judge, with one preference for a "
            "place."
        )
        assert {report.judge for report in board.judges} == set(rows.judges)


def test_a_judge_who_is_called_as_the_crowd_is_another() -> None:
    rows = battles(0, {"11 judges": 60} | {f"u{k:02}": 9 for k in range(11)})
    assert set(join_crowd(rows).judges) == {"11 judges", "11 judges in all"}


def test_rows_that_are_alike_are_told_by_their_number() -> None:
    unasked = board_of(battles(60, asked=False))
    assert unasked.notes[0] == "No column names the questions, so rows that are alike count as battles of their own."
    rows = battles(60)
    once, twice = rows.take(np.r_[np.arange(60), 0]), rows.take(np.r_[np.arange(60), 0, 1])
    tail = "(same question, judge, contestants and outcome) and count once."
    assert board_of(once).notes[0] == f"1 row repeats an earlier one {tail}"
    assert board_of(twice).notes[0] == f"2 rows repeat earlier ones {tail}"
    assert board_of(twice).games.sum() == 2 * 60


def test_intervals_from_few_battles_are_rough() -> None:
    rows = battles(60)
    assert not [text for text in board_of(rows).warnings if "rough" in text]
    few = make_battle_rows((["a", "b"] * 4 + ["a"], ["b", "a"] * 4 + ["b"]), [1, 1, 1, -1, -1, 1, -1, -1, 1])
    assert board_of(few).warnings[-1] == "Fewer than 10 battles were fought by 'a', 'b': the intervals are rough."
    asked = battles(9)
    assert board_of(asked).warnings[-1] == (
        "Fewer than 10 questions were fought over by 'a', 'b', 'c': the intervals are rough."
    )
    assert not [text for text in board_of(asked, draws=0).warnings if "rough" in text]


@pytest.mark.parametrize(("battles_of_it", "left_out"), [(9, False), (10, True)])
@pytest.mark.parametrize(("outcome", "place"), [(1, "first"), (-1, "second")])
def test_a_judge_is_left_out_who_chose_one_place_ten_times(
    battles_of_it: int, left_out: bool, outcome: int, place: str
) -> None:
    rows = battles(0, {"x": 60, "fixed": battles_of_it})
    fixed = rows.judge == rows.judges.index("fixed")
    rows = type(rows)(**{**vars(rows), "outcome": np.where(fixed, outcome, rows.outcome)})
    board = board_of(rows)
    told = f"The judge 'fixed' always chooses the {place} place, which says nothing; its votes are left out."
    assert (told in board.notes) == left_out
    assert [report.judge for report in board.judges] == (["x"] if left_out else ["fixed", "x"])


def test_cycles_are_counted_of_triples_with_a_majority_in_each_pair() -> None:
    cyclic = make_battle_rows((["a", "b", "c", "a"], ["b", "c", "a", "d"]), [1, 1, 1, 1])
    assert count_cycles(cyclic) == (1, 1)
    assert count_cycles(make_battle_rows((["a", "b", "c"], ["b", "c", "a"]), [1, 1, -1])) == (0, 1)
    assert count_cycles(make_battle_rows((["a", "b", "c", "c"], ["b", "c", "a", "a"]), [1, 1, 1, -1])) == (0, 0)


def test_the_settings_and_the_taste_of_a_board_are_told() -> None:
    rows = battles(0, {"people": 60, "llm": 60})
    plain, anchored = board_of(rows), board_of(rows, anchor="people", ties="half")
    assert plain.settings == {"method": "bradley_terry", "ties": "davidson"}
    assert anchored.settings == {"method": "bradley_terry", "ties": "half", "anchor": "people"}
    assert plain.notes[-1].startswith("The intervals say how surely these judges would rank so again.")
    assert board_of(rows, draws=0).notes[-1].startswith("Where judges are LLMs, this order is their taste")
    assert not any("taste" in note for note in anchored.notes)
    assert anchored.gain is not None
    assert any(text.startswith("The ranking rests on 60 votes of 'people'; ") for text in anchored.findings)
    assert sum(hit.held for hit in anchored.hits()) == 2 * 60
    assert board_of(rows, level=None).strengths.draws.shape[0] == 0
    for options in ({"draws": -1}, {"k": 0}, {"seed": -1}):
        with pytest.raises(InvalidParameter):
            rank_battles(rows, **options)  # type: ignore[arg-type]
