"""The rules of elections: worked examples, slow obvious twins, ties, and all of PrefLib's elections."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from stagg import InvalidParameter, Rankings, fuse, read
from stagg.kernels.pairs.majority import margins
from stagg.methods import METHODS

RULES = ["plurality", "schulze", "ranked_pairs", "minimax", "irv", "nanson", "baldwin", "coombs", "bucklin", "black"]
CONDORCET = ["schulze", "ranked_pairs", "minimax", "nanson", "baldwin", "black"]
TENNESSEE = {"MNCK": 42, "NCKM": 26, "CKNM": 15, "KCNM": 17}
SCHULZE = {"acbed": 5, "adecb": 5, "bedac": 8, "cabed": 3, "caebd": 7, "cbade": 2, "dceba": 7, "ebadc": 8}
ZAVIST = ["debgfac", "ebgfcad", "bgfcade", "cfadebg", "dcaebgf", "agbcdef", "acgbdef", "feacgbd", "fegbdca"]
"""Zavist & Tideman, "Complete independence of clones in the ranked pairs rule", 1989, p. 170; g is their b'."""

Votes = dict[str, int]


def groups(votes: Votes | Rankings, rule: str) -> list[set[str]]:
    """The result as tied groups; a vote is its items, best first, "=" between tied ones."""
    fused = fuse(votes if isinstance(votes, Rankings) else profile(votes), rule)
    return [set(group) for group in fused["1"].lists[fused.rankers[0]]]


def profile(votes: Votes) -> Rankings:
    lists = {vote: [set(group.split("=")) for group in _places(vote)] for vote in votes}
    return Rankings.from_lists(lists).replace(multiplicities=np.array(list(votes.values()), dtype=np.intp))


def _places(vote: str) -> list[str]:
    return vote.split(">") if ">" in vote else list(vote)


def random_profile(seed: int, *, partial: bool = False) -> Rankings:
    rng = np.random.default_rng(seed)
    items = list("abcdef")[: int(rng.integers(2, 7))]
    lists = {}
    for voter in range(int(rng.integers(1, 8))):
        order = [str(item) for item in rng.permutation(items)]
        kept = order[: int(rng.integers(1, len(items) + 1))] if partial else order
        cuts = sorted(set(rng.integers(1, len(kept) + 1, 2).tolist())) if partial and rng.random() < 0.4 else []
        pieces = np.split(np.array(kept), cuts) if cuts else [[item] for item in kept]
        lists[f"v{voter}"] = [[str(item) for item in piece] for piece in pieces if len(piece)]
    made = Rankings.from_lists(lists)
    return made.replace(multiplicities=rng.integers(1, 4, len(made.rankers)))


# --- examples of the literature -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "order"),
    [
        ("plurality", "MNKC"),
        ("irv", "KMNC"),
        ("coombs", "NCKM"),
        ("bucklin", "NCKM"),
        ("nanson", "NCMK"),
        ("baldwin", "NCMK"),
        ("schulze", "NCKM"),
        ("ranked_pairs", "NCKM"),
        ("minimax", "NMCK"),
        ("black", "NCMK"),
    ],
)
def test_the_capital_of_tennessee(rule: str, order: str) -> None:
    assert groups(TENNESSEE, rule) == [{city} for city in order]


def test_schulzes_45_voters() -> None:
    """Schulze 2011, example 1, whose result is e, a, c, b, d."""
    for strength in ("margins", "winning_votes"):
        assert groups(SCHULZE, f"schulze(strength='{strength}')") == [{item} for item in "eacbd"]


def test_ranked_pairs_and_schulze_can_differ() -> None:
    """Ranked pairs puts a first in Schulze's example: a beats b and d, and the path that would overturn it is cut."""
    assert groups(SCHULZE, "ranked_pairs")[0] == {"a"}


@pytest.mark.parametrize(
    ("rule", "winner"), [("plurality", "t"), ("irv", "m"), ("ranked_pairs", "m"), ("schulze", "m"), ("minimax", "m")]
)
def test_tidemans_election_of_a_treasurer(rule: str, winner: str) -> None:
    """Tideman 1987, p. 185: he got 13 votes, Michelle 12 and her best friend Charlotte, whom he nominated, 11.

    The ballots below the first place are the natural ones; with Michelle and Charlotte as clones he loses by rules that
    are independent of clones.
    """
    assert groups({"t": 13, "mct": 12, "cmt": 11}, rule)[0] == {winner}


def votes_with_margins(margin: dict[str, int]) -> Votes:
    """McGarvey's votes of a, b, c and d: for each pair two ballots that differ in all others; margins are even."""
    votes: Votes = {}
    for (one, other), votes_ahead in margin.items():
        rest = "".join(item for item in "abcd" if item not in (one, other))
        for ballot in (one + other + rest, rest[::-1] + one + other):
            votes[ballot] = votes.get(ballot, 0) + votes_ahead // 2
    return votes


def test_ranked_pairs_lock_victories_as_one_does_by_hand() -> None:
    """d > a, a > b and b > c are locked; then b > d, c > d and c > a would close circles and are left out."""
    votes = votes_with_margins({"da": 60, "ab": 20, "bc": 12, "bd": 8, "cd": 4, "ca": 2})
    assert groups(votes, "ranked_pairs") == [{item} for item in "dabc"]


def test_in_ties_a_clone_can_help_a_third_candidate_in_ranked_pairs() -> None:
    """Zavist & Tideman 1989: every order of equal victories counts, and with the clone b' (here g) a can win, too."""
    without = [ballot.replace("g", "") for ballot in ZAVIST]
    rule = "ranked_pairs(ties='parallel')"
    assert groups(Rankings.from_lists(list(map(list, ZAVIST))), rule)[0] == set("abcefg")
    assert groups(Rankings.from_lists(list(map(list, without))), rule)[0] == set("bcef")


def test_minimax_may_elect_a_condorcet_loser() -> None:
    votes = {"abcd": 10, "bcad": 10, "cabd": 10, "dabc": 9, "dbca": 9, "dcab": 9}
    assert groups(votes, "minimax")[0] == {"d"}
    assert groups(votes, "schulze")[-1] == {"d"}


def test_black_is_borda_where_nobody_beats_all_others() -> None:
    cycle = {"abc": 4, "bca": 3, "cab": 2}
    assert groups(cycle, "black") == groups(cycle, "borda(missing='below')")


# --- slow and obvious twins ---------------------------------------------------------------------------------------


def shares(rankings: Rankings, standing: set[str], *, last: bool = False) -> dict[str, float]:
    """The first (or last) choices among those who stand, as the definition says."""
    from fractions import Fraction

    votes = dict.fromkeys(standing, Fraction(0))
    view = rankings["1"]
    for (_ranker, lists), weight in zip(view.lists.items(), view.weights, strict=True):
        rest = set(view.items) - {item for group in lists for item in group}
        ordered = [*lists, sorted(rest)] if last else lists
        left = [group for group in ([i for i in each if i in standing] for each in ordered) if group]
        if left:
            chosen = left[-1 if last else 0]
            for item in chosen:
                votes[item] += Fraction(int(weight), len(chosen))
    return votes


def eliminate(rankings: Rankings, rule: str) -> list[set[str]]:
    """Instant runoff or Coombs' rule, step by step."""
    standing, out = set(rankings["1"].items), []
    half = sum(rankings["1"].weights) / 2
    while standing:
        first = shares(rankings, standing)
        against = shares(rankings, standing, last=True)
        if rule == "irv":
            gone = {item for item in standing if first[item] == min(first.values())}
        else:
            losers = {item: against[item] for item in standing if first[item] <= half} or against
            gone = {item for item, votes in losers.items() if votes == max(losers.values())}
        out.append(gone)
        standing = standing - gone
    return out[::-1]


@pytest.mark.parametrize("rule", ["irv", "coombs"])
@pytest.mark.parametrize("partial", [False, True])
def test_eliminations_go_as_the_definition_says(rule: str, partial: bool) -> None:
    for seed in range(200):
        given = random_profile(seed, partial=partial)
        assert groups(given, rule) == eliminate(given, rule), seed


def brute_ranked_pairs(margin: np.ndarray) -> set[int]:
    """The items that some order of the equal pairs puts first: an order wins if every pair that it turns is overruled.

    Zavist & Tideman: an order is a stack if every x above y has a path down to y whose steps are no weaker than the
    margin of y over x.
    """
    n = len(margin)
    first = set()
    for order in itertools.permutations(range(n)):
        place = {item: k for k, item in enumerate(order)}
        reach = np.full((n, n), -np.inf)
        for x in range(n):
            for y in range(n):
                if place[x] < place[y]:
                    reach[x, y] = margin[x, y]
        for k in order:
            reach = np.maximum(reach, np.minimum(reach[:, [k]], reach[[k]]))
        if all(reach[x, y] >= margin[y, x] for x in range(n) for y in range(n) if place[x] < place[y]):
            first.add(order[0])
    return first


def test_parallel_ranked_pairs_finds_the_tops_of_all_stacks() -> None:
    for seed in range(80):
        given = random_profile(seed)
        view = given["1"]
        expected = {view.items[i] for i in brute_ranked_pairs(margins(view.positions, view.weights, "below"))}
        assert groups(given, "ranked_pairs(ties='parallel')")[0] == expected, seed
        assert groups(given, "ranked_pairs")[0] & expected, seed


def winners_of_all_orders(rankings: Rankings, standing: frozenset[str]) -> set[str]:
    if len(standing) == 1:
        return set(standing)
    votes = shares(rankings, set(standing))
    last = [item for item in standing if votes[item] == min(votes.values())]
    return set().union(*(winners_of_all_orders(rankings, standing - {item}) for item in last))


def test_parallel_runoffs_find_everybody_who_can_win() -> None:
    for seed in range(80):
        given = random_profile(seed, partial=seed % 2 == 0)
        expected = winners_of_all_orders(given, frozenset(given["1"].items))
        assert groups(given, "irv(ties='parallel')")[0] == expected, seed
        assert groups(given, "irv(ties='fixed')")[0] <= expected, seed


def test_bucklin_counts_places_until_somebody_has_a_majority() -> None:
    for seed in range(200):
        given = random_profile(seed)
        view = given["1"]
        for depth in range(1, len(view) + 1):
            votes = {
                item: sum(w for w, row in zip(view.weights, view.positions, strict=True) if row[i] < depth)
                for i, item in enumerate(view.items)
            }
            if 2 * max(votes.values()) > view.weights.sum():
                break
        assert groups(given, "bucklin")[0] == {item for item in votes if votes[item] == max(votes.values())}, seed


def test_an_exhausted_ballot_counts_for_nobody() -> None:
    assert groups({"a": 4, "bc": 3, "cb": 2}, "irv")[0] == {"b"}
    assert groups({"a": 4, "b": 3, "c": 2}, "irv") == [{"a"}, {"b"}, {"c"}]


def test_a_majority_protects_from_coombs_elimination() -> None:
    votes = {"abcd": 6, "bcda": 2, "cdba": 2, "dbca": 1}
    assert groups(votes, "coombs")[0] == {"a"}


def test_many_tied_ballots_are_counted_exactly() -> None:
    """Thirds and sevenths of votes add up to whole ones: the two items have the same."""
    lists = {"three": [set("abc")], "seven": [set("defghij")]}
    given = Rankings.from_lists(lists).replace(multiplicities=np.array([3, 7]))
    assert groups(given, "irv") == [set("abcdefghij")]


def test_too_many_ties_are_refused_with_the_remedy() -> None:
    rng = np.random.default_rng(3)
    names = [f"c{k}" for k in range(24)]
    lists = [[name, *[str(i) for i in rng.permutation(names) if i != name]] for name in names]
    with pytest.raises(InvalidParameter, match="use ties='together' or ties='fixed'"):
        fuse(lists, "irv(ties='parallel')")
    with pytest.raises(InvalidParameter, match="use ties='fixed'"):
        fuse(lists, "ranked_pairs(ties='parallel')")


def test_what_absence_cannot_mean_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="coombs cannot honour missing='skip'"):
        fuse([["a", "b"]], "coombs", missing="skip")
    with pytest.raises(InvalidParameter, match="irv cannot honour missing='neutral'"):
        fuse([["a", "b"]], "irv", missing="neutral")


# --- real elections -----------------------------------------------------------------------------------------------


def elections(data: Path) -> list[Path]:
    return sorted(path for path in (data / "preflib").rglob("*") if path.suffix in (".soc", ".soi", ".toc", ".toi"))


@pytest.mark.parametrize("rule", RULES)
def test_every_election_of_preflib_runs_and_condorcet_winners_win(rule: str, shared_data: Path) -> None:
    files = elections(shared_data)
    assert files
    winners = 0
    for path in files:
        given = read(path)
        fused = fuse(given, rule)
        for view in given:
            margin = margins(view.positions, view.weights, METHODS.parse(rule).absence)
            best = np.flatnonzero((margin > 0).sum(axis=1) == len(margin) - 1)
            assert sorted(fused.best_first(view.id)) == sorted(view.items)
            if len(best):
                winners += 1
                assert rule not in CONDORCET or fused[view.id].lists[fused.rankers[0]][0] == [view.items[best[0]]]
    assert winners
