"""Why a candidate lost, sentence by sentence, and the words of rounds, ties and doubts."""

from __future__ import annotations

from typing import Any

import pytest

from stagg import InvalidParameter, elect
from stagg.elections.elect import RuleResult, as_row
from stagg.elections.runoff import RunoffRound, describe_ties, join_names, order_by_rounds
from stagg.elections.standing import explain_candidate
from stagg.elections.victory import fewest_enough
from stagg.elections.words import count_rules, explain_borda, plain_number, summarise_rule, tell_votes

FIVE = [list(vote) for vote in ("abc", "abc", "bca", "cba", "cba")]
RULES = "plurality,irv,borda,schulze,minimax"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("a", ["'a' is the first choice of 2 of 5 voters.", "Head to head with 'b': 2 voters prefer 'a', 3 prefer 'b'.",
               "Head to head with 'c': 2 voters prefer 'a', 3 prefer 'c'.",
               "In the instant runoff, 'a' loses the last round, with 2 of 5 votes.",
               "By plurality, 'a' ties for first with 'c'.", "By irv, 'a' comes second.",
               "By minimax, 'a' ties for second with 'c'.", "By borda and schulze, 'a' comes third.",
               *[f"1 ballot changed in favour of 'a' would be enough to win or tie by {rule}."
                 for rule in ("irv", "borda", "schulze")]]),
        ("b", ["'b' is the first choice of 1 of 5 voters.", "Head to head with 'c': 3 voters prefer 'b', 2 prefer 'c'.",
               "Head to head with 'a': 3 voters prefer 'b', 2 prefer 'a'.",
               "In the instant runoff, 'b' is struck out in round 1, with 1 of 5 votes.",
               "By borda, schulze and minimax, 'b' wins.", "By plurality and irv, 'b' comes third.",
               *[f"1 ballot changed in favour of 'b' would be enough to win or tie by {rule}."
                 for rule in ("plurality", "irv")]]),
        ("c", ["'c' is the first choice of 2 of 5 voters.", "Head to head with 'b': 2 voters prefer 'c', 3 prefer 'b'.",
               "Head to head with 'a': 3 voters prefer 'c', 2 prefer 'a'.",
               "In the instant runoff, 'c' wins the last round, with 3 of 5 votes.", "By irv, 'c' wins.",
               "By plurality, 'c' ties for first with 'a'.", "By borda and schulze, 'c' comes second.",
               "By minimax, 'c' ties for second with 'a'.",
               *[f"1 ballot changed in favour of 'c' would be enough to win or tie by {rule}."
                 for rule in ("borda", "schulze")]]),
    ],
)  # fmt: skip
def test_each_candidate_of_five_ballots_is_explained(name: str, told: list[str]) -> None:
    assert explain_candidate(elect(FIVE, RULES, draws=0), name, FIVE) == told


def test_weighed_voters_are_votes() -> None:
    votes: Any = {"x": ["a", "b"], "y": ["b", "a"], "z": ["c"]}
    weights = {"x": 2.5, "y": 1}
    found = elect(votes, "irv,plurality", weights=weights, draws=0)
    told = explain_candidate(found, "b", votes, weights=weights)
    assert told[:3] == [
        "'b' is the first choice of 1 of 4.5 votes.",
        "Head to head with 'a': 1 vote prefers 'b', 2.5 prefer 'a'.",
        "In the instant runoff, 'b' loses the last round, with 1 of 4.5 votes.",
    ]
    assert told[-1] == "1 ballot changed in favour of 'b' would be enough to win or tie by plurality."
    heavy = {"x": 2.5, "y": 0.5, "z": 0.5}
    light = elect(votes, "plurality", weights=heavy, draws=0)
    assert explain_candidate(light, "c", votes, weights=heavy)[-1].startswith("1 ballot changed")  # that of x


@pytest.mark.parametrize(("equals", "told"), [(5, "'g', 'f', 'e', 'd' and 'c'"), (6, "6 others")])
def test_up_to_five_equals_are_named(equals: int, told: str) -> None:
    votes = [["a"], ["a"], *[[name] for name in "bcdefgh"[: equals + 1]]]
    lines = explain_candidate(elect(votes, "plurality", draws=0), "b", votes)
    assert f"By plurality, 'b' ties for second with {told}." in lines
    tied = votes[1:]
    both = explain_candidate(elect(tied, "irv", draws=0), "b", tied)
    assert any(line.startswith("In the instant runoff, 'b' ties in the last round, with 1 of ") for line in both)


@pytest.mark.parametrize(
    ("place", "word"),
    [(7, "7th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st"), (22, "22nd"), (23, "23rd"), (24, "24th")],
)
def test_places_are_counted_in_words(place: int, word: str) -> None:
    names = [f"c{k:02}" for k in range(1, 26)]
    found = elect([names], "borda", draws=0, margins=False)
    assert f"By borda, 'c{place:02}' comes {word}." in explain_candidate(found, f"c{place:02}", [names])


# --- ties, doubts and rounds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("could_win", "doubt"),
    [
        (None, ""),
        (("a",), ""),
        (("b",), "irv: the result hangs on how ties inside the count are settled; in other orders 'b' wins."),
        (("a", "b"), "irv: the result hangs on how ties inside the count are settled; in other orders 'a' or 'b' could "
         "win."),
    ],
)  # fmt: skip
def test_a_result_that_hangs_on_ties_says_who_could_win(could_win: tuple[str, ...] | None, doubt: str) -> None:
    assert RuleResult("irv", (("a",), ("b", "c"), ("d",)), could_win=could_win).doubt == doubt


def test_tied_candidates_have_the_rank_of_the_first_of_them() -> None:
    result = RuleResult("irv", (("a",), ("b", "c"), ("d",)))
    assert result.ranks == {"a": 1, "b": 2, "c": 2, "d": 4}
    row = as_row(elect(FIVE, "irv", draws=0), result)
    assert (row["share"], row["margin"], row["could_win"]) == (None, None, None)
    drawn = elect(FIVE, "irv", draws=3)
    assert drawn["irv"].shares is not None
    assert as_row(drawn, drawn["irv"])["share"] == round(drawn["irv"].shares["c"], 6)
    with pytest.raises(InvalidParameter, match="the rule 'stv' was not run; the rules are irv"):
        drawn["stv"]


@pytest.mark.parametrize(
    ("out", "could_win", "told"),
    [
        (("a", "b"), None, ["Round 1: 'a' and 'b' tie for last and are struck out together.",
                            "Struck out one at a time, others might win; there are too many orders to go through "
                            "them."]),
        (("a",), ["c"], ["Round 1: 'a' and 'b' tie for last; here 'a' is struck out (ties are settled by Borda "
         "count, then "
                         "by name).", "Struck out one at a time, in any order, 'c' wins."]),
        (("a", "b"), ["b", "c"], ["Round 1: 'a' and 'b' tie for last and are struck out together.",
                                  "Struck out one at a time, 'b' or 'c' could win."]),
    ],
)  # fmt: skip
def test_a_tie_for_the_last_place_is_told_with_what_it_may_decide(
    out: tuple[str, ...], could_win: list[str] | None, told: list[str]
) -> None:
    tied = RunoffRound({"a": 2, "b": 2, "c": 3}, out, {}, tied=("a", "b"))
    assert describe_ties([tied], could_win) == told


def test_a_round_without_a_tie_is_not_told_and_the_order_is_that_of_leaving() -> None:
    rounds = [RunoffRound({"a": 1, "b": 2, "c": 3}, ("a",), {}), RunoffRound({"b": 3, "c": 3}, (), {}, ())]
    assert describe_ties(rounds, ["a", "b"]) == []
    assert order_by_rounds(rounds) == ["b", "c", "a"]
    assert describe_ties([rounds[0], RunoffRound({"b": 1, "c": 1}, ("b",), {}, ("b", "c"))], ["c"])[0].startswith(
        "Round 2:"
    )


def test_names_in_a_sentence_are_eight_at_most() -> None:
    assert join_names(["a"], "and") == "'a'"
    assert join_names(list("ab"), "or") == "'a' or 'b'"
    assert join_names(list("abcdefgh"), "and") == "'a', 'b', 'c', 'd', 'e', 'f', 'g' and 'h'"
    assert join_names(list("abcdefghi"), "and") == "'a', 'b', 'c', 'd', 'e', 'f', 'g' and 2 others"


def test_votes_and_rules_are_told_in_words() -> None:
    assert [count_rules(number) for number in (2, 3, 1200)] == ["both rules", "all 3 rules", "all 1,200 rules"]
    assert [tell_votes(votes) for votes in (0, 1.5, 9999.5, 10000.5, 12345.678, 1 / 3)] == [
        "0", "1.5", "9,999.5", "10,000.5", "12,345.68", "0.333333",
    ]  # fmt: skip
    assert (plain_number(2.0), type(plain_number(2.0))) == (2.0, float)
    assert explain_borda(1200, missing="skip").startswith("Borda points: 1,200 for the first of a ballot")
    assert explain_borda(3, missing="skip").endswith("Candidates that a ballot leaves out get no points.")
    assert summarise_rule("schulze", "x").startswith("Schulze's rule (beatpath)")
    assert summarise_rule("other", "x") == "x"


@pytest.mark.parametrize("enough", [1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65, 100])
def test_the_fewest_are_found_where_more_are_always_enough(enough: int) -> None:
    asked: list[int] = []

    def is_enough(ballots: int) -> bool:
        asked.append(ballots)
        return ballots >= enough

    assert fewest_enough(is_enough, 100) == enough
    assert max(asked) < 100
    assert len(asked) <= 14
    assert fewest_enough(lambda _: False, 100) == 100
