"""Elections by many rules: winners side by side, margins against brute force, shares, and ballots merged."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.checks import some
from tests.command_line import runner

from stagg import DataError, InvalidParameter, Rankings, UnknownName, elect
from stagg.elections.ballot_table import merge_ballots
from stagg.elections.elect import RULES, Election, as_details
from stagg.elections.headline import headline
from stagg.elections.runoff import order_by_rounds, runoff_winners
from stagg.elections.standing import explain_candidate
from stagg.errors import StaggError, printable
from stagg.methods import METHODS

TENNESSEE = {"MNCK": 42, "NCKM": 26, "CKNM": 15, "KCNM": 17}


def ballots(votes: dict[str, int]) -> list[list[str]]:
    return [list(vote) for vote, count in votes.items() for _ in range(count)]


def test_the_rules_stand_side_by_side() -> None:
    found = elect(ballots(TENNESSEE), draws=20)
    assert set(found.winners) == set(RULES)
    assert found["plurality"].winners == ("M",)
    assert found["irv"].winners == ("K",)
    assert found["schulze"].winners == ("N",)
    assert (found.condorcet_winner, found.condorcet_loser, found.smith, found.cycle) == ("N", "M", ("N",), ())
    assert (found.voters, found.ballots) == (100, 4)
    assert found.wins[found.candidates.index("N"), found.candidates.index("M")] == 58


def test_a_cycle_is_shown() -> None:
    found = elect(ballots({"abcd": 4, "bcad": 3, "cabd": 2}), "schulze", draws=0)
    assert found.condorcet_winner is None
    assert set(found.smith) == set("abc")
    beats = {("a", "b"), ("b", "c"), ("c", "a")}
    assert set(itertools.pairwise([*found.cycle, found.cycle[0]])) == beats


def test_the_rounds_of_the_runoff_say_where_the_votes_go() -> None:
    rounds = elect(ballots(TENNESSEE), "irv", draws=0).rounds
    assert [each.out for each in rounds] == [("C",), ("N",), ("M",)]
    assert rounds[0].transfers == {"C": {"K": 15.0}}
    assert rounds[1].votes == {"K": 32.0, "M": 42.0, "N": 26.0}
    exhausted = elect(ballots({"a": 4, "bc": 3, "c": 2}), "irv", draws=0).rounds
    assert exhausted[0].transfers == {"c": {None: 2.0}}


def test_the_runoff_ends_when_it_is_decided_and_its_winner_is_that_of_irv() -> None:
    assert elect(ballots(TENNESSEE), "irv", draws=0).rounds[-1].votes == {"M": 42.0, "K": 58.0}
    for seed in range(60):
        rng = np.random.default_rng(seed)
        votes = [list(rng.permutation(list("abcd"))[: int(rng.integers(1, 5))]) for _ in range(int(rng.integers(1, 9)))]
        for rule in ("irv", "irv(ties='fixed')"):
            found = elect(votes, rule, draws=0, margins=False)
            assert set(runoff_winners(found.rounds)) == set(found[rule].winners), (seed, rule)
            assert len(found.rounds[-1].votes) > 1 or len(found.candidates) == 1
            assert sorted(order_by_rounds(found.rounds)) == sorted(found.candidates)


def test_a_tie_in_the_last_round_is_told_where_the_rule_breaks_it() -> None:
    assert elect(ballots({"ab": 2, "ba": 2}), "irv", draws=0).runoff_ties == ()
    fixed = elect(ballots({"ab": 2, "ba": 2}), "irv(ties='fixed')", draws=0)
    assert fixed.runoff_ties[0].startswith("Round 1: 'a' and 'b' tie for last; here 'a' is struck out")


def test_a_tied_vote_goes_on_in_parts() -> None:
    lists = {"one": [{"a", "b"}, "c"], "two": ["a"], "three": ["c"], "four": ["c"]}
    rounds = elect(lists, "irv", draws=0).rounds
    assert rounds[0].votes == {"a": 1.5, "b": 0.5, "c": 2.0}
    assert rounds[0].transfers == {"b": {"a": 0.5}}


# a and b tie for the last place: together they go and c wins; if b goes alone, a wins; if a goes alone, b wins
TIED = {"abc": 3, "bac": 3, "cab": 4}


def test_a_tie_for_the_last_place_of_a_runoff_is_told_with_all_who_could_win() -> None:
    found = elect(ballots(TIED), "irv;schulze", draws=0)
    assert found["irv"].winners == ("c",)
    assert found["irv"].could_win == ("a", "b")
    assert found.rounds[0].tied == ("a", "b")
    assert found.runoff_ties == (
        "Round 1: 'a' and 'b' tie for last and are struck out together.",
        "Struck out one at a time, 'a' or 'b' could win.",
    )
    assert "'a' or 'b' could win" in found["irv"].doubt
    assert found["schulze"].doubt == ""


def test_a_tie_that_changes_nothing_is_told_without_alarm() -> None:
    found = elect(ballots({"ca": 5, "ac": 1, "bc": 1}), "irv", draws=0)
    assert found["irv"].doubt == ""
    assert found.runoff_ties[-1] == "Struck out one at a time, in any order, 'c' wins."
    assert elect(ballots({"cab": 5, "cba": 2}), "irv", draws=0).runoff_ties == ()  # nobody votes for a and b


def test_the_rounds_are_those_of_the_rule_that_was_asked_for() -> None:
    fixed = elect(ballots(TIED), "irv(ties='fixed')", draws=0)
    assert all(len(each.out) == 1 for each in some(fixed.rounds))
    assert runoff_winners(fixed.rounds) == [*fixed.results[0].winners]
    assert "here 'b' is struck out" in fixed.runoff_ties[0]


def test_a_runoff_tie_between_equal_borda_counts_is_not_said_to_be_settled_by_them_alone() -> None:
    found = elect(ballots({"ab": 1, "ba": 1}), "irv(ties='fixed')", draws=0)
    assert found.runoff_ties[0] == (
        "Round 1: 'a' and 'b' tie for last; here 'a' is struck out (ties are settled by Borda count, then by name)."
    )


@pytest.mark.parametrize("rule", ["irv", "coombs", "baldwin", "ranked_pairs"])
def test_who_could_win_is_what_the_rule_says_with_parallel_ties(rule: str) -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        votes = [[str(i) for i in rng.permutation(list("abcd"))] for _ in range(6)]
        one, other = elect(votes, [rule, f"{rule}(ties='parallel')"], draws=0, margins=False).results
        assert set(one.could_win or ()) == set(other.winners), (rule, seed)
        assert bool(one.doubt) == (set(one.winners) != set(other.winners))


def true_margin(votes: list[tuple[str, ...]], rule: str) -> int:
    """The fewest ballots whose change, to any complete ballot, keeps the winner from winning alone."""
    method = METHODS.parse(rule).with_missing("below")
    winner = winners(votes, method)
    if len(winner) > 1:
        return 0
    every = list(itertools.permutations(sorted(votes[0])))
    for changed in range(1, len(votes) + 1):
        for kept in itertools.combinations(votes, len(votes) - changed):
            for new in itertools.combinations_with_replacement(every, changed):
                if winners([*kept, *new], method) != winner:
                    return changed
    raise AssertionError("somebody else wins when all ballots change")


def winners(votes: list[tuple[str, ...]], method: object) -> tuple[str, ...]:
    return elect([list(vote) for vote in votes], [method], draws=0, margins=False).results[0].winners  # type: ignore[list-item]


@pytest.mark.parametrize("rule", RULES)
def test_margins_of_victory_hold_against_brute_force(rule: str) -> None:
    for seed in range(3):
        rng = np.random.default_rng(seed)
        votes = [tuple(str(i) for i in rng.permutation(list("abc"))) for _ in range(5)]
        victory = elect([list(vote) for vote in votes], rule, draws=0).results[0].victory
        assert victory is not None
        true = true_margin(votes, rule)
        assert victory.least <= true <= victory.ballots, (rule, seed)
        if rule in ("plurality", "borda"):
            assert victory.exact


UNSURE = ["copeland(shape='harmonic(5)')", "condorcet(shape='linear')", "kemeny(shape='harmonic(1)')"]


@pytest.mark.parametrize("rule", UNSURE)
def test_bounds_hold_where_a_list_decides_pairs_by_chance(rule: str) -> None:
    """One ballot may be enough that gave the winner a small chance and gives the rival a large one."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        votes = [tuple(str(i) for i in rng.permutation(list("abc"))) for _ in range(5)]
        victory = elect([list(vote) for vote in votes], [rule], draws=0).results[0].victory
        assert victory is not None
        assert victory.least <= true_margin(votes, rule) <= victory.ballots, seed


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("many", [100, 2**31, 2**53 + 1, 2**61])
def test_margins_do_not_depend_on_how_many_voters_there_are(rule: str, many: int) -> None:
    """Three more voters are for a than for c: two changed ballots turn that; by Borda one, if it puts b first."""
    counts = np.array([many + 3, many])
    given = Rankings.from_lists({"1": list("abc"), "2": list("cba")}).replace(multiplicities=counts)
    victory = elect(given, [rule], draws=0).results[0].victory
    assert victory is not None
    assert victory.ballots == (1 if rule == "borda" else 2)
    assert victory.exact or rule in ("irv", "coombs", "bucklin")
    told = explain_candidate(elect(given, [rule], draws=0), "c", given)
    assert f"'c' is the first choice of {many:,} of {2 * many + 3:,} voters." in told
    if rule in ("plurality", "irv", "schulze"):
        assert told[-1].startswith("2 ballots changed in favour of 'c' would be enough")


def test_candidates_who_tie_in_a_draw_share_it() -> None:
    """a and b always tie, whatever their names: no rule knows them apart."""
    for names in ("abc", "bac", "zyx"):
        one, other, third = names
        found = elect([[{one, other}, third]] * 12, draws=30)
        for each in some(found.results):
            assert each.shares == {one: 0.5, other: 0.5, third: 0.0}, each.rule


@pytest.mark.parametrize("rule", RULES)
def test_a_cycle_of_three_ballots_gives_each_candidate_a_third(rule: str) -> None:
    """The shares differ by the noise of the draws alone, not by who has the greatest name."""
    for names in ("abc", "cab", "zyx"):
        one, two, three = names
        shares = elect([[one, two, three], [two, three, one], [three, one, two]], rule, draws=1500)[rule].shares
        assert shares is not None
        assert sum(shares.values()) == pytest.approx(1)
        assert all(abs(share - 1 / 3) < 0.04 for share in shares.values()), shares  # three standard errors


def test_shares_are_sure_of_a_landslide_and_not_of_a_tight_race() -> None:
    tight = elect(ballots({"abc": 6, "bac": 5}), "plurality;schulze", draws=400)
    sure = elect(ballots({"abc": 60, "bac": 5}), "plurality;schulze", draws=400)
    for rule in ("plurality", "schulze"):
        share = tight[rule].shares
        assert share is not None
        assert 0.5 < share["a"] < 0.75
        assert sum(share.values()) == pytest.approx(1)
        assert sure[rule].shares == {"a": 1.0, "b": 0.0, "c": 0.0}


def test_the_details_hold_the_shares_and_points_of_the_rules_that_have_some() -> None:
    rules, votes = "borda;schulze", ballots({"abc": 6, "bac": 5})
    drawn, plain = (as_details(elect(votes, rules, draws=draws)) for draws in (20, 0))
    assert drawn["points"] == plain["points"] == {"borda": {"a": 28, "b": 27, "c": 11}}
    assert drawn["shares"].keys() == {"borda", "schulze"}
    assert drawn["shares"]["schulze"].keys() == {"a", "b", "c"}
    assert plain["shares"] == {}


@pytest.mark.parametrize("rule", ["irv", "schulze"])
def test_where_one_ballot_is_the_margin_some_change_of_one_elects_the_next_candidate(rule: str) -> None:
    every, close = list(itertools.permutations("abcd")), 0
    for seed in range(30, 34):  # by schulze, 32 is one in which the candidate that the search helps does not win
        rng = np.random.default_rng(seed)
        votes = [every[k] for k in rng.integers(len(every), size=9)]
        victory = elect([list(vote) for vote in votes], rule, draws=0).results[0].victory
        assert victory is not None
        if victory.ballots == 1:
            close += 1
            changed = ([*votes[:k], new, *votes[k + 1 :]] for k in range(len(votes)) for new in every)
            method = METHODS.parse(rule).with_missing("below")
            assert any(victory.challenger in winners(each, method) for each in changed), (rule, seed)
    assert close > 1


def test_whoever_ties_is_named_even_if_another_was_helped() -> None:
    victory = elect(ballots({"ABC": 10, "BCA": 6, "CBA": 5}), "schulze", draws=0)["schulze"].victory
    assert victory == (1, 1, "A")  # one BCA turned to CAB helps C, and A ties with B


def test_the_order_of_the_ballots_does_not_matter() -> None:
    given = ballots({"abc": 3, "bca": 4, "cab": 2, "ba": 2})
    turned = given[::-1]
    one, other = elect(given, "irv;schulze;borda", draws=30), elect(turned, "irv;schulze;borda", draws=30)
    assert one.results == other.results


def test_equal_ballots_are_merged_with_their_counts() -> None:
    rng = np.random.default_rng(5)
    for count in (3, 40):
        names = [f"c{k}" for k in range(count)]
        lists = [[str(i) for i in rng.permutation(names)[:2]] for _ in range(200)]
        merged = merge_ballots(Rankings.from_lists(lists))
        told = {
            tuple(i for group in groups for i in group): int(m)
            for groups, m in zip(merged["1"].lists.values(), merged.multiplicities, strict=True)
        }
        assert told == {tuple(each): lists.count(each) for each in lists}


def test_several_elections_need_a_choice() -> None:
    runs = {"ann": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}}
    with pytest.raises(InvalidParameter, match="there are 2 elections"):
        elect(runs)
    assert elect(runs, "irv", query="q2", draws=0).candidates == ("c",)


# --- weights ----------------------------------------------------------------------------------------------------------


def weighed(votes: dict[str, float]) -> dict[str, object]:
    return {"ballots": {vote: list(vote) for vote in votes}, "weights": votes}


@pytest.mark.parametrize("scale", [1.0, 0.1, 2.5])
def test_weights_count_as_so_many_ballots_in_winners_matrix_and_rounds(scale: float) -> None:
    """A weight is a number of ballots in all but the number of voters; a common factor changes no winner."""
    votes = {"abcd": 5, "bcda": 4, "cadb": 3, "dc": 2}
    counted = elect(ballots(votes), draws=0, margins=False)
    found = elect(**weighed({vote: scale * count for vote, count in votes.items()}), draws=0, margins=False)  # type: ignore[arg-type]
    assert found.winners == counted.winners
    assert [each.order for each in found.results] == [each.order for each in counted.results]
    assert found.wins == pytest.approx(scale * counted.wins)
    assert (found.voters, found.ballots, counted.voters) == (4, 4, 14)
    assert found.weight == pytest.approx(scale * 14)
    for ours, theirs in some(zip(found.rounds, counted.rounds, strict=True)):
        assert ours.votes == pytest.approx({name: scale * each for name, each in theirs.votes.items()})
        assert set(ours.transfers) == set(theirs.transfers)


def test_equal_ballots_of_different_weight_stay_apart() -> None:
    lists = {"ann": ["a", "b"], "bob": ["a", "b"], "cem": ["b", "a"], "dot": ["a", "b"]}
    found = elect(lists, "plurality", weights={"bob": 2.5}, draws=0)
    assert (found.voters, found.ballots) == (4, 3)
    assert found.rounds[0].votes == {"a": 4.5, "b": 1.0}


def test_a_weight_of_zero_leaves_the_ballot_out() -> None:
    lists = {"ann": ["a", "b"], "bob": ["b", "a"], "cem": ["b"]}
    found = elect(lists, "irv", weights={"bob": 0, "cem": 0}, draws=0)
    assert (found.voters, found.winners["irv"]) == (1, ("a",))


def test_fractional_weights_change_the_shares_but_add_no_voters() -> None:
    """Voters are drawn, each with its weight: a weight of 1.0 on all is no weight, and one voter decides by weight."""
    lists = {f"v{k}": list("abc" if k < 6 else "bac") for k in range(11)}
    plain = elect(lists, "plurality", draws=300)["plurality"].shares
    assert elect(lists, "plurality", weights={"v0": 1.0}, draws=300)["plurality"].shares == plain
    heavy = elect(lists, "plurality", weights={f"v{k}": 1.5 for k in range(6)}, draws=300)["plurality"].shares
    assert plain is not None
    assert heavy is not None
    assert heavy["a"] > plain["a"]


def weighed_margin(votes: list[tuple[str, ...]], weights: list[float], rule: str) -> int:
    """The fewest ballots whose change keeps the winner from winning alone; each keeps its weight."""

    def won(cast: list[tuple[str, ...]]) -> tuple[str, ...]:
        return elect(list(map(list, cast)), rule, weights=weights, draws=0, margins=False).results[0].winners

    winner = won(votes)
    every = list(itertools.permutations(sorted(votes[0])))
    for changed in range(len(votes) + 1):
        for places in itertools.combinations(range(len(votes)), changed):
            for new in itertools.product(every, repeat=changed):
                cast = list(votes)
                for place, ballot in zip(places, new, strict=True):
                    cast[place] = ballot
                if len(winner) > 1 or won(cast) != winner:
                    return changed
    raise AssertionError("somebody else wins when all ballots change")


@pytest.mark.parametrize("rule", ["plurality", "borda", "minimax", "copeland", "irv"])
def test_margins_of_weighed_ballots_hold_against_brute_force(rule: str) -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        votes = [tuple(str(i) for i in rng.permutation(list("abc"))) for _ in range(4)]
        weights = rng.choice([0.5, 1.0, 1.5, 2.0], 4).tolist()
        victory = elect(list(map(list, votes)), rule, weights=weights, draws=0).results[0].victory
        assert victory is not None
        true = weighed_margin(votes, weights, rule)
        assert victory.least <= true <= victory.ballots, (rule, seed)
        if rule in ("plurality", "borda"):
            assert victory.exact


def test_large_elections_have_shares_and_margins_only_if_asked() -> None:
    names = [f"c{k}" for k in range(51)]
    lists = [names, names[::-1], names[1:] + names[:1]]
    found = elect(lists, "schulze")
    assert (found.draws, found["schulze"].shares, found["schulze"].victory) == (0, None, None)
    asked = elect(lists, "schulze", draws=5, margins=True)["schulze"]
    assert asked.shares is not None
    assert asked.victory is not None


def test_ballots_that_list_nobody_are_no_election() -> None:
    with pytest.raises(DataError, match="no ballot of the election '1' lists a candidate"):
        elect([[], []])


def test_rules_that_cannot_honour_absence_are_left_out_or_refused() -> None:
    assert "coombs" not in elect([["a", "b"], ["b"]], missing="skip", draws=0).winners
    with pytest.raises(InvalidParameter, match="coombs cannot honour"):
        elect([["a", "b"], ["b"]], "coombs", missing="skip")


def test_the_command_prints_and_writes_json_and_a_report(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    run = runner(capfdbinary, "elect")
    path = tmp_path / "votes.csv"
    path.write_text("1st,2nd,3rd\n" + "Ada,Ben,Cleo\n" * 4 + "Ben,Cleo,Ada\n" * 3 + "Cleo,Ada,Ben\n" * 2)
    shown = run(path, "--draws", "20", "--report", tmp_path / "page.html")
    assert "Ben > Cleo > Ada > Ben" in shown.out
    assert "Instant runoff" in shown.out
    assert "Ada" in (tmp_path / "page.html").read_text()
    told = json.loads(run(path, "--draws", "20", "--json").out)
    assert told["elections"][0]["cycle"]
    assert {row["rule"] for row in told["rows"]} == set(RULES)


def test_rules_can_be_separated_by_commas() -> None:
    found = elect(ballots(TENNESSEE), "irv, irv(ties='fixed', missing='below'); borda", draws=0)
    assert set(found.winners) == {"irv", "irv(ties='fixed', missing='below')", "borda"}


@pytest.mark.parametrize(
    ("rule", "told"),
    [("rcv", "'irv'"), ("First-past-the-post", "'plurality'"), ("foo", "the voting rules are plurality, irv, coombs")],
)
def test_an_unknown_rule_is_told_with_the_rules_that_there_are(rule: str, told: str) -> None:
    with pytest.raises(UnknownName, match=told):
        elect(ballots(TENNESSEE), rule)


@pytest.mark.parametrize("rule", ["schulz", "schulz(missing='below')"])
def test_a_rule_that_is_misspelt_is_told_with_the_nearest(rule: str) -> None:
    with pytest.raises(UnknownName, match=r"did you mean 'schulze'\?"):
        elect(ballots(TENNESSEE), rule)


@pytest.mark.parametrize(("typed", "kind"), [("Borda", "borda"), ("IRV", "irv"), ("Borda (missing='skip')", "borda")])
def test_capital_letters_and_spaces_in_a_rule_change_nothing_but_its_text(typed: str, kind: str) -> None:
    votes = ballots(TENNESSEE)
    found, plain = elect(votes, typed, draws=0), elect(votes, typed.lower(), draws=0)
    assert found[typed].kind == kind
    assert (found.points, found.about_points) == (plain.points, plain.about_points)
    assert headline(found) == headline(plain).replace(typed.lower(), typed)
    assert len(explain_candidate(found, "C", votes)) == len(explain_candidate(plain, "C", votes))


def test_two_rules_of_one_kind_keep_their_own_points() -> None:
    found = elect(ballots({"ab": 1, "b": 1}), "plurality,borda,borda(missing='skip')", draws=0)
    assert found.points == {
        "first choices": {"a": 1, "b": 1},
        "borda": {"a": 3, "b": 3},
        "borda(missing='skip')": {"a": 2, "b": 3},
    }
    assert "borda: Borda points" in found.about_points
    assert "borda(missing='skip'): Borda points" in found.about_points


def test_two_rules_that_agree_are_both_rules() -> None:
    assert elect(ballots({"ab": 3}), "irv,borda", draws=0).verdict == "'a' wins by both rules."


@pytest.mark.parametrize("rule", ["stv", "STV", "single-transferable-vote"])
def test_a_rule_for_several_seats_is_not_said_to_be_another_name_of_irv(rule: str) -> None:
    with pytest.raises(UnknownName, match=r"needs a number of seats: seats=3; for one seat it is also 'irv'"):
        elect(ballots(TENNESSEE), rule)


def test_what_absence_means_is_said_where_ballots_are_partial() -> None:
    assert elect(ballots(TENNESSEE), "irv", draws=0).absence == ""
    found = elect(ballots({"abc": 2, "b": 3}), "irv", draws=0)
    assert found.partial == 3
    assert found.absence.startswith(
        "3 ballots do not rank every candidate. Candidates that a ballot leaves out count as"
    )
    assert "get nothing" in elect(ballots({"abc": 2, "b": 1}), "irv", missing="skip", draws=0).absence


# --- why a candidate did not win --------------------------------------------------------------------------------------


def test_a_candidate_is_explained_in_sentences() -> None:
    found = elect(ballots(TENNESSEE), draws=0)
    told = explain_candidate(found, "M", ballots(TENNESSEE))
    assert told[0] == "'M' is the first choice of 42 of 100 voters."
    assert "Head to head with 'N': 42 voters prefer 'M', 58 prefer 'N'." in told
    assert "In the instant runoff, 'M' loses the last round, with 42 of 100 votes." in told
    assert "By plurality, 'M' wins." in told
    assert not any(" it " in line or " its " in line for line in told)
    assert not any(line.endswith("win or tie by plurality.") for line in told)
    with pytest.raises(UnknownName, match="no candidate 'Mem'; there are"):
        explain_candidate(found, "Mem", ballots(TENNESSEE))


def test_a_tie_for_a_later_place_is_called_one() -> None:
    votes = [["A", "B", "C"], ["A", "C", "B"]]
    told = explain_candidate(elect(votes, "borda,schulze", draws=0), "C", votes)
    assert "By borda and schulze, 'C' ties for second with 'B'." in told
    many = [["A", set("BCDEFGH")]]
    assert "By borda, 'C' ties for second with 6 others." in explain_candidate(elect(many, "borda", draws=0), "C", many)


def test_a_tie_for_the_first_place_is_not_explained_as_a_win() -> None:
    votes = ballots({"abc": 1, "bac": 1})
    told = explain_candidate(elect(votes, "plurality,irv,schulze", draws=0), "a", votes)
    assert told[-1] == "By plurality, irv and schulze, 'a' ties for first with 'b'."
    assert "Head to head with 'b': 1 voter prefers 'a', 1 prefers 'b'." in told


def random_votes(seed: int, voters: int) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    return [[str(i) for i in rng.permutation(list("abcd"))] for _ in range(voters)]


def ballots_lacking(found: Election, rival: str, votes: list[list[str]]) -> int:
    """How many changed ballots the explanation says are enough, by the only rule."""
    return int(explain_candidate(found, rival, votes)[-1].split()[0].replace(",", ""))


@pytest.mark.parametrize("rule", ["plurality", "irv", "borda", "schulze"])
def test_the_ballots_that_a_candidate_lacked_are_enough(rule: str) -> None:
    """Some change of so many ballots elects it; by plurality and Borda no fewer do."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        votes = [tuple(str(i) for i in rng.permutation(list("abc"))) for _ in range(5)]
        found = elect(list(map(list, votes)), rule, draws=0)
        for rival in set("abc") - set(found.winners[rule]):
            told, fewest = ballots_lacking(found, rival, list(map(list, votes))), _fewest_for(votes, rule, rival)
            assert told >= fewest, (rule, seed, rival)
            assert told == fewest or rule not in ("plurality", "borda"), (rule, seed, rival)


@pytest.mark.parametrize("rule", ["plurality", "borda"])
@pytest.mark.parametrize("copies", [1, 300])
def test_the_challenger_of_the_table_lacks_as_many_ballots_as_the_margin(rule: str, copies: int) -> None:
    clear = 0
    for seed in range(20):
        votes = [vote[: 1 + k % 4] for k, vote in enumerate(random_votes(seed, 9))] * copies
        found = elect(votes, rule, draws=0)
        victory = found[rule].victory
        assert victory is not None
        assert victory.challenger is not None
        if victory.ballots:
            clear += 1
            lacking = {rival: ballots_lacking(found, rival, votes) for rival in set("abcd") - {*found[rule].winners}}
            assert lacking[victory.challenger] == victory.ballots == min(lacking.values()), seed
    assert clear > 5


def test_ballots_are_taken_from_whoever_leads() -> None:
    votes = ballots({"a": 6, "b": 5, "c": 1})
    assert ballots_lacking(elect(votes, "plurality", draws=0), "c", votes) == 3  # two from a, one from b


def _fewest_for(votes: list[tuple[str, ...]], rule: str, rival: str) -> int:
    method = METHODS.parse(rule).with_missing("below")
    every = list(itertools.permutations("abc"))
    for changed in range(len(votes) + 1):
        for kept in itertools.combinations(votes, len(votes) - changed):
            for new in itertools.combinations_with_replacement(every, changed):
                if rival in winners([*kept, *new], method):
                    return changed
    raise AssertionError("whoever is first on all ballots wins")


def test_the_command_explains_a_candidate(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    run = runner(capfdbinary, "elect")
    path = tmp_path / "votes.csv"
    path.write_text('1st,2nd\n"Navy, white",Sky\nSky,"Navy, white"\nSky,\n')
    assert "'Navy, white' is the first choice of 1 of 3 voters." in run(path, "--explain", "Navy, white").out
    assert json.loads(run(path, "--explain", "Sky", "--json", "-q").out)["explained"][0]
    assert "did you mean 'Navy, white'?" in run(path, "--explain", "navy").err


def test_a_candidate_is_explained_in_the_elections_in_which_it_stands(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    run = runner(capfdbinary, "elect")
    path, quick = tmp_path / "votes.csv", ("--draws", "0", "--rules", "irv")
    path.write_text("query,voter,1st,2nd\npres,x,Ada,Ben\npres,y,Ada,Ben\nvice,x,Cleo,Ben\nvice,y,Cleo,Ben\n")
    ada = run(path, *quick, "--explain", "Ada").out
    assert ada.startswith("Election pres:\n'Ada' is the first choice of 2 of 2 voters.\n")
    assert "vice" not in ada
    ben = run(path, *quick, "--explain", "Ben").out
    assert "Election pres:\n'Ben' is" in ben
    assert "Election vice:\n'Ben' is" in ben
    assert [bool(lines) for lines in json.loads(run(path, *quick, "--explain", "Ada", "--json").out)["explained"]] == [
        True,
        False,
    ]
    assert "no candidate 'Zoe'; there are Ada, Ben, Cleo" in run(path, *quick, "--explain", "Zoe").err


@pytest.mark.parametrize("mark", ["\x1b[31m", "\u202e", "\x9b", "\u2028", "\u200b"])
def test_the_name_of_an_election_cannot_steer_the_terminal(
    mark: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(f"query,voter,1st,2nd\npres{mark},x,Ada,Ben\n", encoding="utf-8")
    told = runner(capfdbinary, "elect")(path, "--draws", "0").out
    assert f"Election pres{printable(mark)}" in told
    assert mark not in told


@pytest.mark.parametrize("withdrawn", [None, 1.5, ..., np.array("a"), np.zeros((1, 2)), [None], [""], 10**30])
def test_withdrawn_is_a_name_or_a_list_of_names(withdrawn: Any) -> None:
    with pytest.raises(StaggError, match="withdrawn"):
        elect([["a", "b"], ["b", "a"]], draws=0, withdrawn=withdrawn)


def test_a_number_of_seats_that_cannot_be_printed_is_refused() -> None:
    with pytest.raises(StaggError, match="seats must be at most"):
        elect([["a", "b"], ["b", "a"]], seats=10**5000)
