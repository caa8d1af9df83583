"""An election for two seats by five rules, in every word: verdict, stages, explanations, tables; numbers are by "
"hand."""

from __future__ import annotations

from typing import Any

import pytest

from stagg import DataError, InvalidParameter, Rankings, elect
from stagg.elections import Council
from stagg.elections.seats.council import names_seat_rules
from stagg.elections.seats.explained import explain_seat
from stagg.elections.seats.seat_rows import as_seat_details, as_seat_row
from stagg.elections.seats.stage_table import (
    describe_lot,
    describe_stage,
    final_votes,
    list_seat_facts,
    list_stages,
    tell_chance,
    tell_last_seat,
    tell_outcome,
    tell_seat_votes,
)

VOTES = [["Ada", "Ben"]] * 9 + [["Cleo", "Dan"]] * 4 + [["Dan"]] * 3 + [["Ben"]] * 2
RULES = "stv,meek,block,approval,spav"


def count(votes: Any = VOTES, rules: str = RULES, seats: int = 2, **options: Any) -> Council:
    return elect(votes, rules, seats=seats, **{"draws": 0, "margins": False, **options})


def test_rules_that_agree_stand_together_in_the_verdict() -> None:
    assert count().verdict == (
        "The rules disagree; your statutes decide which one counts. Elected: 'Ada' and 'Cleo' by stv; 'Ada' and "
        "'Ben' by "
        "meek, block and approval; 'Ben' and 'Dan' by spav."
    )
    assert count(rules="block,approval").verdict == "Elected: 'Ben' and 'Ada' by block and approval."
    assert count(rules="spav", seats=1).verdict == "Elected: 'Ben' by spav."


WHY = {
    ("stv", "Ada"): ["stv: 'Ada' has 9 of 18 first choices; the quota is 7.",
                     "Stage 1: 'Ada' is elected with 9 votes, which reach the quota.",
                     "Stage 2: the surplus of 'Ada', 2 votes, goes on."],
    ("stv", "Cleo"): ["stv: 'Cleo' has 4 of 18 first choices; the quota is 7.",
                      "Stage 4: 'Cleo' is elected without the quota, with 4 votes: no more candidates continue than "
                      "seats are left."],
    ("stv", "Dan"): ["stv: 'Dan' has 3 of 18 first choices; the quota is 7.",
                     "Stage 3: 'Dan' has the fewest votes, 3, and is excluded. The next to fewest are 3.99998, of "
                     "'Ben'."],
    ("meek", "Ben"): ["meek: 'Ben' has 2 of 18 first choices; the quota is 6.",
                      "Stage 2: 'Ben' gets 3 votes that the elected do not need, and has 5.",
                      "Stage 3: 'Ben' gets 1 vote as 'Dan' is excluded, and has 6.",
                      "Stage 3: 'Ben' is elected with 6 votes, which reach the quota."],
    ("meek", "Cleo"): ["meek: 'Cleo' has 4 of 18 first choices; the quota is 6.",
                       "All seats are filled: 'Cleo' is not elected, with 4 votes."],
    ("meek", "Dan"): ["meek: 'Dan' has 3 of 18 first choices; the quota is 6.",
                      "Stage 3: 'Dan' has the fewest votes, 3, and is excluded. The next to fewest are 4, of 'Cleo'."],
    ("block", "Dan"): ["block: 7 of 18 ballots vote for 'Dan': place 3 for 2 seats.", "'Dan' is not elected."],
    ("approval", "Ben"): ["approval: 11 of 18 ballots vote for 'Ben': place 1 for 2 seats.", "'Ben' is elected."],
    ("spav", "Ada"): ["spav: 9 of 18 ballots vote for 'Ada': place 2 for 2 seats.",
                      "Seat 1: 'Ben' has the most, 11; 'Ada' has 9.",
                      "Seat 2: 'Dan' has the most, 7; 'Ada' has 4.50000.", "'Ada' is not elected."],
    ("spav", "Ben"): ["spav: 11 of 18 ballots vote for 'Ben': place 1 for 2 seats.", "Seat 1: 'Ben' has the most, 11.",
                      "'Ben' is elected."],
}  # fmt: skip


@pytest.mark.parametrize(("rule", "name"), WHY)
def test_a_candidate_is_explained_rule_by_rule(rule: str, name: str) -> None:
    assert explain_seat(count(rules=rule), name) == WHY[rule, name]


def test_every_stage_of_every_rule_is_said() -> None:
    found = count()
    assert {each.rule: [describe_stage(each, stage) for stage in each.stages] for each in found.results[1:]} == {
        "meek": ["First choices. Elected: 'Ada'.", "The elected keep what they need of each vote, and pass on the "
        "rest.",
                 "Excluded: 'Dan', with 3 votes. Elected: 'Ben'."],
        "block": ["Elected: 'Ben' and 'Ada'."],
        "approval": ["Elected: 'Ben' and 'Ada'."],
        "spav": ["Elected: 'Ben'.", "Elected: 'Dan'."],
    }  # fmt: skip
    outcomes = {
        rule: [tell_outcome(found[rule], name) for name in found[rule].order] for rule in ("meek", "block", "spav")
    }
    assert outcomes == {
        "meek": ["elected in stage 1", "elected in stage 3", "not elected", "excluded in stage 3"],
        "block": ["elected", "elected", "not elected", "not elected"],
        "spav": ["elected in stage 1", "elected in stage 2", "not elected", "not elected"],
    }
    assert [final_votes(found["stv"], name) for name in found["stv"].order] == [7, 4, 3.99998, 3]


def test_the_rows_of_stages_are_votes_behind_gains() -> None:
    found = count()
    assert list_stages(found["stv"], found["stv"].stages[1:3]) == [
        ("Ada", ["-2", "7", "", "7"]), ("Cleo", ["", "4", "", "4"]), ("Ben", ["+1.99998", "3.99998", "", "3.99998"]),
        ("Dan", ["", "3", "-3", "-"]), ("non-transferable", ["", "0", "+3", "3"]),
        ("lost by truncation", ["+0.00002", "0.00002", "", "0.00002"]),
    ]  # fmt: skip
    assert list_stages(found["meek"], found["meek"].stages) == [
        ("Ada", ["9", "-3", "6", "-1", "5"]), ("Ben", ["2", "+3", "5", "+1", "6"]), ("Cleo", ["4", "", "4", "", "4"]),
        ("Dan", ["3", "", "3", "-3", "-"]), ("non-transferable", ["0", "", "0", "+3", "3"]),
    ]  # fmt: skip
    assert list_stages(found["spav"], found["spav"].stages)[0] == ("Ben", ["11", "-5.50000", "5.50000"])
    assert [row for row, _ in list_stages(found["block"], found["block"].stages)] == ["Ben", "Ada", "Dan", "Cleo"]


def test_numbers_of_votes_are_whole_or_have_five_decimals() -> None:
    assert [tell_seat_votes(votes) for votes in (0, 1234567, 2.5, 1e9 + 0.4, 3 + 1e-10, 0.00001)] == [
        "0", "1,234,567", "2.50000", "1,000,000,000", "3", "0.00001",
    ]  # fmt: skip


def test_redraws_and_the_last_seat_are_told_where_they_were_asked_for() -> None:
    plain, asked = count(rules="block"), count(rules="block", draws=20, margins=True)
    assert [tell_chance(plain["block"], "Ada"), tell_last_seat(plain["block"])] == ["-", "-"]
    shares = asked["block"].shares
    assert shares is not None
    assert tell_chance(asked["block"], "Ada") == f"{100 * shares['Ada']:.0f} %"
    assert tell_last_seat(asked["block"]) == "≤ 2 (Dan)"
    told = explain_seat(asked, "Dan")
    assert told[-2:] == [
        f"'Dan' gets a seat in {100 * shares['Dan']:.0f} % of the redraws.",
        "A search found 2 changed ballots that would have given 'Dan' a seat; fewer may be enough.",
    ]
    assert "A search found" not in " ".join(explain_seat(asked, "Cleo"))
    clear = count(rules="stv", margins=True)
    assert explain_seat(clear, "Ben")[-1] == "A search found 1 changed ballot that would have given 'Ben' a seat."


def test_lots_are_said_with_the_seed_that_drew_them() -> None:
    tied = count([["Ada"]] * 4 + [["Ben"]] * 4 + [["Cleo"]] * 4, "stv,block", seats=1, seed=1)
    first, second, third = tied.lot
    low, high = sorted([first, second])
    others = " or ".join(f"'{name}'" for name in sorted([second, third]))
    assert [*describe_lot(tied)] == [
        f"The lot, drawn from the seed 1: '{first}', '{second}' and '{third}'.",
        *(
            f"{rule}: Other lots would elect {others} in the place of '{first}' (all lots were tried)."
            for rule in ("stv", "block")
        ),
    ]
    assert describe_stage(tied["stv"], tied["stv"].stages[1]) == (
        f"Excluded: '{third}', with 4 votes. 'Ada', 'Ben' and 'Cleo' are equal: the lot decides that '{third}' is "
        "excluded."
    )
    assert f"'{low}' and '{high}' are equal: the lot decides that '{second}' is excluded. Elected: '{first}'." in (
        describe_stage(tied["stv"], tied["stv"].stages[2])
    )
    assert describe_stage(tied["block"], tied["block"].stages[0]) == (
        f"'Ada', 'Ben' and 'Cleo' are equal: the lot decides for '{first}'. Elected: '{first}'."
    )
    assert not [*describe_lot(count())]
    equal = {"tied": ("Ada", "Ben", "Cleo"), "decided_by": None, "lot": True}
    assert as_seat_row(tied, tied["block"])["ties"] == [{"stage": 1, "chosen": (first,), **equal}]
    assert as_seat_row(tied, tied["stv"])["ties"][0] == {"stage": 2, "chosen": (third,), **equal}


def test_an_earlier_stage_decides_a_tie_before_the_lot() -> None:
    """Ben has 4 and Cleo 3 first choices; with the ballot of Dan both have 4."""
    votes = [["Ben"]] * 4 + [["Cleo"]] * 3 + [["Dan", "Cleo"]] + [["Eva"]] * 5
    found = count(votes, "stv", seats=1)
    result = found["stv"]
    assert "'Ben' and 'Cleo' are equal: stage 1 decides, and 'Cleo' is excluded." in (
        describe_stage(result, result.stages[2])
    )
    assert as_seat_row(found, result)["ties"] == [
        {"stage": 3, "tied": ("Ben", "Cleo"), "chosen": ("Cleo",), "decided_by": 1, "lot": False}
    ]


def test_facts_of_an_election_have_the_weight_where_voters_have_some() -> None:
    assert list_seat_facts(count()) == [
        ("seats", "2"),
        ("candidates", "4"),
        ("voters", "18"),
        ("different ballots", "4"),
    ]
    weighed = count({"x": ["Ada"], "y": ["Ben"]}, "block", seats=1, weights={"x": 2.5})
    assert ("their weight", "3.50000") in list_seat_facts(weighed)
    details = as_seat_details(weighed)
    assert (details["voters"], details["weight"], details["partial"], details["draws"]) == (2, 3.5, 2, 0)
    assert as_seat_row(weighed, weighed["block"]) | {"ties": None} == {
        "query": "1", "rule": "block", "seats": 1, "elected": ["Ada"], "quota": None, "counted": 2, "shares": None,
        "last_seat_at_most": None, "last_seat_rival": None, "ties": None, "other_lots": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("votes", "rule", "seats", "remarks"),
    [
        ([["Ada"], [{"Ada", "Ben"}], [{"Ada", "Cleo"}]], "stv", 1, ["2 ballots are spoiled: they tie their first "
         "choices."]),
        ([["Ada", {"Ben", "Cleo"}]] * 2, "meek", 1, ["2 ballots end where they tie candidates."]),
        ([["Ada"], [{"Ada", "Ben"}]], "block", 1, ["1 ballot is spoiled: it chooses more than 1 candidate at once."]),
        ([["Ada"], [{"Ada", "Ben", "Cleo"}]] * 2, "block", 2,
         ["2 ballots are spoiled: they choose more than 2 candidates at once."]),
        ([["Ada", {"Ben", "Cleo"}]], "block", 2, ["1 ballot counts up to a tie that goes beyond the seats."]),
        ([["Ada", {"Ben", "Cleo"}]] * 2, "block", 2, ["2 ballots count up to a tie that goes beyond the seats."]),
        ([["Ada", {"Ben", "Cleo"}]], "block", 3, []),
        ([["Ada", {"Ben", "Cleo"}]], "block", 1, []),
        ([["Ada", {"Ben", "Cleo"}]], "approval", 1, []),
    ],
)  # fmt: skip
def test_what_of_a_ballot_does_not_count_is_remarked(votes: Any, rule: str, seats: int, remarks: list[str]) -> None:
    assert [*count(votes, rule, seats)[rule].remarks] == remarks


def test_rules_and_seats_that_cannot_be_are_refused() -> None:
    for name in ("scottish stv", "Meek-STV", "block_voting", "Approval voting"):
        with pytest.raises(InvalidParameter, match=r"it is called '(stv|meek|block|approval)' here"):
            count(rules=name)
    with pytest.raises(InvalidParameter, match="5 seats cannot be filled from 4 candidates on the ballots"):
        count(seats=5)
    assert len(count(seats=4, rules="stv")["stv"].elected) == 4
    with pytest.raises(InvalidParameter, match=r"missing='skip' is for rules of one seat; leave it out"):
        count(missing="skip")
    with pytest.raises(DataError, match="too large to count votes"):
        count({"x": ["Ada"], "y": ["Ben"]}, "block", 1, weights={"x": 1e15})
    assert [names_seat_rules(rules) for rules in ("stv", "stv(),meek", "stv,irv", "irv")] == [True, True, False, False]
    heard: list[tuple[str, int, int]] = []
    given = Rankings.from_lists({str(k): vote for k, vote in enumerate(VOTES)})
    count(given, "stv,block", progress=lambda *told: heard.append(told))
    assert heard == [("stv: counting", 0, 2), ("block: counting", 1, 2)]
