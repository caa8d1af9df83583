"""Large electorates: whole numbers of voters stay whole, so that one voter among 2^63 decides and equals tie."""

from __future__ import annotations

import numpy as np
import pytest
from tests.methods.plain_rules import RULES, Ballot, Groups

from stagg import DataError, InvalidParameter, Rankings, elect, fuse
from stagg.elections.ballot_table import merge_ballots
from stagg.methods import METHODS

MOST = 2**63 - 1
FUSED = [rule for rule in RULES if rule not in ("plurality", "borda")]
"""Rules whose scores are places, or half points: what ``fuse`` says of them is what the rule says."""
SIZES = [3, 10**6, 40_000_000, 2**31, 10**9, 2**53, 2**60]
"""About how many voters cast a ballot."""


def rankings_of(ballots: list[Ballot]) -> Rankings:
    lists = {f"b{number}": groups for number, (_, groups) in enumerate(ballots)}
    counts = np.array([count for count, _ in ballots], dtype=np.intp)
    return Rankings.from_lists(lists).replace(multiplicities=counts)  # type: ignore[arg-type]


def strict(*votes: tuple[int, str]) -> list[Ballot]:
    return [(count, [[name] for name in vote]) for count, vote in votes]


def random_ballots(seed: int, size: int) -> list[Ballot]:
    """Ballots of about so many voters each: some opposite, counts that differ by one voter, ties, short lists."""
    rng = np.random.default_rng(seed)
    names = list("abcd")[: int(rng.integers(2, 5))]
    ballots: list[Ballot] = []
    for _ in range(int(rng.integers(1, 4))):
        order = [str(name) for name in rng.permutation(names)]
        if rng.random() < 0.3:
            order = order[: int(rng.integers(1, len(order) + 1))]
        groups = [[name] for name in order]
        if rng.random() < 0.4 and len(groups) > 1:
            at = int(rng.integers(len(groups) - 1))
            groups[at : at + 2] = [groups[at] + groups[at + 1]]
        count = size - int(rng.integers(0, 2))
        ballots.append((count, groups))
        if rng.random() < 0.7:
            ballots.append((count - int(rng.integers(0, 2)), groups[::-1]))
    return ballots


def elected(ballots: list[Ballot], rule: str) -> Groups:
    found = elect(rankings_of(ballots), [rule], draws=0, margins=False)
    return [set(group) for group in found.results[0].order]


def fused(ballots: list[Ballot], rule: str) -> Groups:
    result = fuse(rankings_of(ballots), rule)
    return [set(group) for group in result["1"].lists[result.rankers[0]]]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("rule", RULES)
def test_every_rule_counts_as_plain_python_does(rule: str, size: int) -> None:
    for seed in range(25):
        ballots = random_ballots(seed, size)
        assert elected(ballots, rule) == RULES[rule](ballots), (seed, ballots)


@pytest.mark.parametrize("rule", FUSED)
def test_fusion_says_what_the_election_says(rule: str) -> None:
    for size in (10**9, 2**60):
        for seed in range(15):
            ballots = random_ballots(seed, size)
            assert fused(ballots, rule) == RULES[rule](ballots), (size, seed, ballots)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("votes", [(10**9, 10**9 - 1), (2**31, 2**31 - 1), (2**53, 2**53 + 1), (2**62, 2**62 - 1)])
def test_one_voter_more_decides(rule: str, votes: tuple[int, int]) -> None:
    ballots = strict((votes[0], "abc"), (votes[1], "cba"))
    assert elected(ballots, rule) == RULES[rule](ballots)
    winner = "a" if votes[0] > votes[1] else "c"
    assert elected(ballots, rule)[0] == {winner}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("count", [20_000_001, 40_000_000, 10**9 + 1, 2**53 + 1, 2**60 + 1])
def test_equal_numbers_of_voters_tie_however_many_ballots_they_are_spread_over(rule: str, count: int) -> None:
    """A cycle of majorities, each of as many voters: of two kinds of ballots, in other parts each time."""
    third, half = count // 3, count // 2
    ballots = strict(
        *[(third, "abcde"), (count - third, "abced"), (half, "bcade"), (count - half, "bcaed")],
        *[(count - third - 1, "cabde"), (third + 1, "cabed")],
    )
    found = elected(ballots, rule)
    assert found == RULES[rule](ballots)
    assert found[0] == set("abc") or rule in ("ranked_pairs", "kemeny")


@pytest.mark.parametrize("rule", ["plurality", "irv"])
@pytest.mark.parametrize("count", [100, 50_000, 2**40])
def test_ties_are_seen_among_thousands_of_kinds_of_ballots(rule: str, count: int) -> None:
    """a and b are first on as many ballots, of kinds that have different numbers of voters."""
    rng = np.random.default_rng(4)
    rest = sorted({tuple(rng.permutation(list("cdefgh")).tolist()) for _ in range(700)})
    counts = rng.integers(count // 2, count, (2, len(rest)))
    counts[:, 0] += counts.sum(axis=1).max() - counts.sum(axis=1)
    ballots = [
        (int(voters), [[name] for name in (first, *others)])
        for first, row in zip("ab", counts, strict=True)
        for others, voters in zip(rest, row, strict=True)
    ]
    found = elected(ballots, rule)
    assert found[0] == {"a", "b"}
    assert found == RULES[rule](ballots)


@pytest.mark.parametrize("rule", RULES)
def test_the_number_of_voters_does_not_change_the_result_where_all_ballots_have_as_many_more(rule: str) -> None:
    """A law over random profiles: the same ballots, each by k times as many voters, up to all that can be counted."""
    for seed in range(30):
        small = random_ballots(seed, 4)
        times = MOST // sum(count for count, _ in small)
        large = [(count * times, groups) for count, groups in small]
        assert elected(large, rule) == elected(small, rule), (seed, small)


@pytest.mark.parametrize("rule", FUSED)
def test_the_voters_of_a_ballot_may_be_counted_in_parts_and_in_any_order(rule: str) -> None:
    for seed in range(20):
        ballots = random_ballots(seed, 2**59)
        parts = [part for count, groups in ballots for part in ((count // 3, groups), (count - count // 3, groups))]
        assert fused(ballots, rule) == fused(parts, rule) == fused(parts[::-1], rule), (seed, ballots)


def test_merged_ballots_keep_every_voter() -> None:
    given = rankings_of(strict((2**53 + 1, "ab"), (2, "ab"), (2**60 + 1, "ba")))
    assert sorted(merge_ballots(given).multiplicities.tolist()) == [2**53 + 3, 2**60 + 1]


def test_tied_first_choices_of_many_voters_are_shared_exactly() -> None:
    """Three times a third of 2^53 + 1 votes is 2^53 + 1 votes."""
    thirds: list[Ballot] = [(2**53 + 1, [["a", "b", "c"]])] * 3
    assert elected([*thirds, *strict((2**53 + 1, "d"))], "plurality") == [{"a", "b", "c", "d"}]
    assert elected([*thirds, *strict((2**53 + 2, "d"))], "plurality")[0] == {"d"}


@pytest.mark.parametrize("rule", ["plurality", "borda"])
def test_scores_keep_apart_what_the_counts_tell_apart(rule: str) -> None:
    """Above 2^53 two counts may be the same float: the scores differ all the same, and the points are exact."""
    ballots = strict((2**61 + 1, "ab"), (2**61, "ba"))
    given = rankings_of(ballots)
    scores = dict(zip(given.items, METHODS.parse(rule).score(given).tolist(), strict=True))
    assert scores["a"] > scores["b"]
    found = elect(given, [rule], draws=0, margins=False).results[0]
    exact = {"plurality": {"a": 2**61 + 1, "b": 2**61}, "borda": {"a": 3 * 2**61 + 2, "b": 3 * 2**61 + 1}}
    assert found.points == exact[rule]


def test_more_voters_than_can_be_counted_are_an_error() -> None:
    with pytest.raises(DataError, match=r"9,223,372,036,854,775,808 voters in all; up to 9,223,372,036,854,775,807"):
        rankings_of(strict((2**62, "ab"), (2**62, "ba")))
    most = rankings_of(strict((2**62, "ab"), (2**62 - 1, "ba")))
    assert elect(most, "schulze", draws=0).voters == MOST
    with pytest.raises(DataError, match="scale the weights down"):
        fuse(most, "schulze", weights=[3, 1])
    with pytest.raises(InvalidParameter, match="multiplicities are whole numbers, 0 or more"):
        Rankings.from_lists([["a"], ["b"]]).replace(multiplicities=np.array([-1, 2]))
    with pytest.raises(InvalidParameter, match="multiplicities are whole numbers, 0 or more"):
        Rankings.from_lists([["a"], ["b"]]).replace(multiplicities=np.array([1.5, 2]))


def test_weights_that_are_whole_or_have_a_common_measure_multiply_the_voters_exactly() -> None:
    given = rankings_of(strict((10**9, "abc"), (10**9 - 1, "cba")))
    for weights in ([1, 1], [0.1, 0.1], [3, 3]):
        result = fuse(given, "schulze", weights=weights)
        assert result.best_first() == ["a", "b", "c"]
    tied = fuse(given, "schulze", weights=[10**9 - 1, 10**9])
    assert len(tied["1"].lists[tied.rankers[0]]) == 1
