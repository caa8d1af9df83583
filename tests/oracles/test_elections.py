"""The rules of elections against pref_voting and VoteKit, on random profiles; run by ``make oracles``.

Each rule is tried on 300 profiles, the same in every run; STAGG_LONG=1 tries 2,000.
"""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from stagg import Rankings, fuse

PROFILES = 2000 if os.environ.get("STAGG_LONG") else 300

Order = list[int]
Profile = tuple[list[Order], list[int], int]
"""(ballots, best first; how many voters cast each; the number of candidates)"""


def linear_profile(seed: int, largest: int = 8) -> Profile:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, largest + 1))
    ballots = [rng.permutation(n).tolist() for _ in range(int(rng.integers(1, 9)))]
    return ballots, rng.integers(1, 6, len(ballots)).tolist(), n


def truncated_profile(seed: int) -> Profile:
    ballots, counts, n = linear_profile(seed)
    rng = np.random.default_rng([seed, 1])
    return [ballot[: int(rng.integers(1, n + 1))] for ballot in ballots], counts, n


def has_complete(profile: Profile) -> bool:
    """Whether a ballot lists all candidates."""
    return any(len(ballot) == profile[2] for ballot in profile[0])


def winners(profile: Profile, rule: str) -> list[int]:
    """The first group of our result; candidates that nobody lists stand after all others."""
    ballots, counts, _ = profile
    rankings = Rankings.from_lists({f"b{k}": [str(c) for c in ballot] for k, ballot in enumerate(ballots)})
    fused = fuse(rankings.replace(multiplicities=np.array(counts)), rule)
    return sorted(int(item) for item in fused["1"].lists[fused.rankers[0]][0])


def tie_breaker(profile: Profile) -> list[int]:
    """The candidates from best to worst by Borda's count, equals by id, the greatest first."""
    ballots, counts, n = profile
    points = np.zeros(n)
    for ballot, count in zip(ballots, counts, strict=True):
        points[ballot] += count * np.arange(n, 0, -1)
    return sorted(range(n), key=lambda c: (-points[c], [-ord(letter) for letter in str(c)]))


@functools.cache
def pref_voting() -> Any:
    pytest.importorskip("pref_voting")
    from pref_voting import voting_methods

    return voting_methods


def theirs(profile: Profile, *, ties: bool = False) -> Any:
    from pref_voting.profiles import Profile as Linear
    from pref_voting.profiles_with_ties import ProfileWithTies

    ballots, counts, n = profile
    if not ties:
        return Linear(ballots, counts)
    made = ProfileWithTies(
        [{c: place + 1 for place, c in enumerate(ballot)} for ballot in ballots], counts, candidates=list(range(n))
    )
    made.use_extended_strict_preference()
    return made


LINEAR: dict[str, str] = {
    "plurality": "plurality",
    "schulze": "beat_path",
    "minimax": "minimax",
    "irv": "instant_runoff",
    "irv(ties='parallel')": "instant_runoff_put",
    "nanson": "strict_nanson",
    "baldwin": "baldwin",
    "baldwin(ties='parallel')": "baldwin_put",
    "coombs": "coombs",
    "coombs(ties='parallel')": "coombs_put",
    "bucklin": "bucklin",
    "black": "blacks",
}
"""Our rule, and the function of pref_voting that it must equal on complete ballots without ties."""


@pytest.mark.parametrize("rule", LINEAR)
def test_complete_ballots_have_the_winners_of_pref_voting(rule: str) -> None:
    rule_of_theirs = getattr(pref_voting(), LINEAR[rule])
    for seed in range(PROFILES):
        profile = linear_profile(seed)
        assert winners(profile, rule) == sorted(rule_of_theirs(theirs(profile))), (rule, seed)


def test_parallel_ranked_pairs_has_the_winners_of_pref_voting() -> None:
    """pref_voting goes through all orders of equal pairs, or of the candidates: few candidates, so that it ends."""
    rule = pref_voting().ranked_pairs
    for seed in range(PROFILES):
        profile = linear_profile(seed, largest=5)
        expected = rule(theirs(profile), algorithm="from_stacks")
        assert winners(profile, "ranked_pairs(ties='parallel')") == sorted(expected), seed


FIXED: dict[str, tuple[str, bool]] = {
    "ranked_pairs": ("ranked_pairs_tb", False),
    "irv(ties='fixed')": ("instant_runoff_tb", True),
    "baldwin(ties='fixed')": ("baldwin_tb", True),
    "coombs(ties='fixed')": ("coombs_tb", True),
}
"""Our rule, theirs, and whether their tie-breaker has first whoever goes first."""


@pytest.mark.parametrize("rule", FIXED)
def test_the_fixed_tie_order_has_the_winners_of_pref_voting(rule: str) -> None:
    name, backwards = FIXED[rule]
    for seed in range(PROFILES):
        profile = linear_profile(seed)
        order = tie_breaker(profile)
        given = order[::-1] if backwards else order
        assert winners(profile, rule) == sorted(getattr(pref_voting(), name)(theirs(profile), tie_breaker=given)), seed


TRUNCATED: dict[str, Callable[[Any, Any], list[int]]] = {
    "schulze": lambda rules, given: rules.beat_path(given),
    "schulze(strength='winning_votes')": lambda rules, given: rules.beat_path(given, strength_function=given.support),
    "minimax": lambda rules, given: rules.minimax(given),
    "minimax(strength='winning_votes')": lambda rules, given: rules.minimax(given, strength_function=given.support),
    "irv": lambda rules, given: rules.instant_runoff_for_truncated_linear_orders(given),
    "bucklin": lambda rules, given: rules.bucklin_for_truncated_linear_orders(given),
}


@pytest.mark.parametrize("rule", TRUNCATED)
def test_truncated_ballots_have_the_winners_of_pref_voting(rule: str) -> None:
    """Candidates whom nobody lists are none here; profiles with such are left out.

    For Bucklin's rule so are profiles with a complete ballot among the truncated ones: there pref_voting 1.18.2 leaves
    out the last place. In seed 415 one candidate is on the ballots of 10 of 24 voters and another on those of 9; it has
    them tie.
    """
    tried = 0
    for seed in range(10 * PROFILES):
        profile = truncated_profile(seed)
        if len(set(itertools.chain(*profile[0]))) < profile[2] or (rule == "bucklin" and has_complete(profile)):
            continue
        tried += 1
        assert winners(profile, rule) == sorted(TRUNCATED[rule](pref_voting(), theirs(profile, ties=True))), seed
        if tried == PROFILES:
            return
    raise AssertionError("too few profiles")


# --- ballots with ties ------------------------------------------------------------------------------------------------


def tied_profile(seed: int, largest: int = 8) -> Profile:
    """Ballots of places: ``ballot[c]`` of candidate c, equal for tied ones; every second profile is truncated."""
    rng = np.random.default_rng([seed, 2])
    n = int(rng.integers(3, largest + 1))
    ballots = rng.integers(0, n, (int(rng.integers(1, 9)), n))
    if seed % 2:
        ballots[rng.random(ballots.shape) < 0.2] = -1  # not listed
    ballots[0] = np.maximum(ballots[0], 0)  # somebody lists everybody
    return ballots.tolist(), rng.integers(1, 6, len(ballots)).tolist(), n


def tied_winners(profile: Profile, rule: str) -> list[int]:
    ballots, counts, _ = profile
    lists = {
        f"b{k}": [[str(c) for c, own in enumerate(ballot) if own == place] for place in sorted({*ballot} - {-1})]
        for k, ballot in enumerate(ballots)
    }
    rankings = Rankings.from_lists(lists)
    multiplicities = dict(zip(lists, counts, strict=True))
    fused = fuse(rankings.replace(multiplicities=np.array([multiplicities[each] for each in rankings.rankers])), rule)
    return sorted(int(item) for item in fused["1"].lists[fused.rankers[0]][0])


def theirs_with_ties(profile: Profile) -> Any:
    from pref_voting.profiles_with_ties import ProfileWithTies

    ballots, counts, n = profile
    ranks = [{c: place + 1 for c, place in enumerate(ballot) if place >= 0} for ballot in ballots]
    made = ProfileWithTies(ranks, counts, candidates=list(range(n)))
    made.use_extended_strict_preference()
    return made


def split_tops(given: Any) -> list[int]:
    """Who has the most first votes, tied ones having shared them: pref_voting counts, we compare."""
    votes = given.tops_scores(score_type="split")
    return [c for c in votes if votes[c] >= max(votes.values()) - 1e-9]


TIED: dict[str, tuple[Callable[[Any, Any], list[int]], int]] = {
    "plurality": (lambda rules, given: split_tops(given), 8),
    "schulze": (lambda rules, given: rules.beat_path(given), 8),
    "schulze(strength='winning_votes')": (
        lambda rules, given: rules.beat_path(given, strength_function=given.support),
        8,
    ),
    "minimax": (lambda rules, given: rules.minimax(given), 8),
    "minimax(strength='winning_votes')": (
        lambda rules, given: rules.minimax(given, strength_function=given.support),
        8,
    ),
    "copeland": (lambda rules, given: rules.copeland(given), 8),
    "ranked_pairs(ties='parallel')": (lambda rules, given: rules.ranked_pairs(given, algorithm="from_stacks"), 5),
    "borda(missing='below')": (lambda rules, given: rules.borda_for_profile_with_ties(given), 8),
}
"""Our rule, theirs, and the most candidates; pref_voting goes through all orders of the candidates for ranked pairs."""


@pytest.mark.parametrize("rule", TIED)
def test_ballots_with_ties_have_the_winners_of_pref_voting(rule: str) -> None:
    rule_of_theirs, largest = TIED[rule]
    for seed in range(PROFILES):
        profile = tied_profile(seed, largest)
        assert tied_winners(profile, rule) == sorted(rule_of_theirs(pref_voting(), theirs_with_ties(profile))), seed


SPLIT: dict[str, dict[str, Any]] = {
    "irv": {},
    "irv(ties='parallel')": {"put": True},
}


@pytest.mark.parametrize("rule", SPLIT)
def test_runoffs_share_tied_votes_as_split_irv_of_pref_voting(rule: str) -> None:
    """Whole shares: pref_voting adds up floats, so only ties of two and four candidates are compared."""
    function = pref_voting().instant_runoff_put if SPLIT[rule] else pref_voting().instant_runoff
    tried = 0
    for seed in range(20 * PROFILES):
        profile = tied_profile(2 * seed)
        if any(ballot.count(place) in (3, 5, 6, 7) for ballot in profile[0] for place in ballot):
            continue
        tried += 1
        assert tied_winners(profile, rule) == sorted(function(theirs_with_ties(profile), score_method="split")), seed
        if tried == PROFILES:
            return
    raise AssertionError("too few profiles")


# --- worked examples --------------------------------------------------------------------------------------------------


def test_the_example_of_zavist_and_tideman_has_the_winners_of_pref_voting() -> None:
    """Zavist & Tideman 1989, p. 170, where b and b' are clones; the tests of the methods say what it shows."""
    from tests.methods.test_elections import ZAVIST

    for names in ("abcdefg", "abcdef"):
        ballots = [[names.index(item) for item in ballot if item in names] for ballot in ZAVIST]
        profile = (ballots, [1] * len(ballots), len(names))
        expected = sorted(pref_voting().ranked_pairs(theirs(profile), algorithm="from_stacks"))
        assert winners(profile, "ranked_pairs(ties='parallel')") == expected


# --- VoteKit ----------------------------------------------------------------------------------------------------------


def votekit_profile(profile: Profile) -> Any:
    from votekit.ballot import RankBallot
    from votekit.pref_profile import RankProfile

    ballots, counts, n = profile
    names = [str(c) for c in range(n)]
    made = [
        RankBallot(ranking=[{names[c]} for c in ballot], weight=count)
        for ballot, count in zip(ballots, counts, strict=True)
    ]
    return RankProfile(ballots=tuple(made), candidates=tuple(names))


VOTEKIT: dict[str, tuple[str, dict[str, Any]]] = {
    "plurality": ("Plurality", {"n_seats": 1}),
    "irv(ties='parallel')": ("IRV", {"tiebreak": "lex"}),
    "schulze": ("Schulze", {"n_seats": 1}),
    "ranked_pairs(ties='parallel')": ("RankedPairs", {"n_seats": 1}),
    "borda": ("Borda", {"n_seats": 1}),
}
"""Our rule, VoteKit's class and its options."""


@pytest.mark.parametrize("rule", VOTEKIT)
def test_the_winner_is_that_of_votekit(rule: str) -> None:
    """VoteKit treats ties in its own way: profiles in which we have one winner are compared."""
    elections = pytest.importorskip("votekit.elections")
    name, options = VOTEKIT[rule]
    alone = 0
    for seed in range(PROFILES):
        profile = linear_profile(seed, largest=6)
        ours = winners(profile, rule)
        if len(ours) == 1:
            alone += 1
            elected = getattr(elections, name)(votekit_profile(profile), **options)
            assert [int(c) for c in elected.get_elected()[0]] == ours, seed
    assert alone > PROFILES / 2
