"""Stages as tables and sentences, and why a candidate is elected or not."""

from __future__ import annotations

import pytest

from stagg import UnknownName, elect
from stagg.elections.seats.explained import explain_seat
from stagg.elections.seats.stage_table import describe_stage, list_stages, tell_outcome

VOTES = [["Ada", "Ben"]] * 9 + [["Cleo", "Dan"]] * 4 + [["Dan"]] * 3 + [["Ben"]] * 2


def test_the_columns_of_a_stage_add_up() -> None:
    result = elect(VOTES, "stv", seats=2, draws=0, margins=False)["stv"]
    rows = dict(list_stages(result, result.stages))
    assert rows["Ada"][:3] == ["9", "-2", "7"]
    assert rows["Ben"][:3] == ["2", "+1.99998", "3.99998"]
    assert rows["lost by truncation"][1:3] == ["+0.00002", "0.00002"]
    for number, stage in enumerate(result.stages):
        assert sum(stage.votes.values()) + stage.spent + stage.lost == pytest.approx(len(VOTES)), number


def test_every_stage_is_said() -> None:
    result = elect(VOTES, "stv", seats=2, draws=0, margins=False)["stv"]
    assert [describe_stage(result, each) for each in result.stages] == [
        "First choices. Elected: 'Ada'.",
        "Surplus of 'Ada': 2 votes.",
        "Excluded: 'Dan', with 3 votes.",
        "Excluded: 'Ben', with 3.99998 votes, which need no transfer. Elected: 'Cleo'.",
    ]
    assert [tell_outcome(result, name) for name in result.order] == [
        "elected in stage 1", "elected in stage 4", "excluded in stage 4", "excluded in stage 3",
    ]  # fmt: skip


def test_a_candidate_is_explained_stage_by_stage() -> None:
    found = elect(VOTES, "stv,block", seats=2, draws=20)
    told = explain_seat(found, "Ben")
    assert told[:3] == [
        "stv: 'Ben' has 2 of 18 first choices; the quota is 7.",
        "Stage 2: 'Ben' gets 1.99998 votes from the surplus of 'Ada', and has 3.99998.",
        "Stage 4: 'Ben' has the fewest votes, 3.99998, and is excluded. The next to fewest are 4, of 'Cleo'.",
    ]
    assert "block: 11 of 18 ballots vote for 'Ben': place 1 for 2 seats." in told
    assert "Stage 1: 'Ada' is elected with 9 votes, which reach the quota." in explain_seat(found, "Ada")
    tied = elect([["Ada"]] * 4 + [["Ben"], ["Cleo"], ["Dan", "Ada"]], "stv", seats=2, draws=0, margins=False)
    out = next(each.moved for each in tied["stv"].stages if each.excluded)
    lines = explain_seat(tied, out or "")
    assert lines[-2] == f"Stage 3: {out!r} is among those with the fewest votes, 1."
    assert lines[-1] == f"Stage 3: 'Ben', 'Cleo' and 'Dan' are equal: the lot decides that {out!r} is excluded."
    with pytest.raises(UnknownName, match="no candidate 'Bem'"):
        explain_seat(found, "Bem")


def test_seats_of_sequential_approval_are_explained_one_by_one() -> None:
    """7 approve a, then half of those 4 ballots that also approve b: 4 / 2 + 2 = 4 for b, against 3 for c."""
    votes = [[{"a", "b"}]] * 4 + [[{"a"}]] * 3 + [[{"c"}]] * 3 + [[{"b"}]] * 2
    found = elect(votes, "spav", seats=2, draws=0, margins=False)
    assert explain_seat(found, "a") == [
        "spav: 7 of 12 ballots vote for 'a': place 1 for 2 seats.",
        "Seat 1: 'a' has the most, 7.",
        "'a' is elected.",
    ]
    assert explain_seat(found, "b")[1:] == [
        "Seat 1: 'a' has the most, 7; 'b' has 6.",
        "Seat 2: 'b' has the most, 4.",
        "'b' is elected.",
    ]
    assert explain_seat(found, "c")[1:4] == [
        "Seat 1: 'a' has the most, 7; 'c' has 3.",
        "Seat 2: 'b' has the most, 4; 'c' has 3.",
        "'c' is not elected.",
    ]
