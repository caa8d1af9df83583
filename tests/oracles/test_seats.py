"""Rules for several seats against pref_voting, VoteKit and abcvoting: Scottish wards, random profiles.

A usual run takes every tenth ward, in the order of their sizes, and 300 random profiles, the same in every run;
STAGG_LONG=1 takes all 350 wards and 2,000 profiles.
"""

from __future__ import annotations

import functools
import os
import random
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.checks import some

from stagg import Rankings, elect

DATA = Path(os.environ.get("STAGG_DATA", "../shared/data"))
LONG = bool(os.environ.get("STAGG_LONG"))
PROFILES = 2000 if LONG else 300
EVERY = 1 if LONG else 10

Ward = tuple[str, int, int, dict[tuple[int, ...], int]]
"""(name, candidates, seats, how many voters cast each ballot)"""


@functools.cache
def wards() -> list[Ward]:
    """The wards, read here once more, without stagg."""
    path = DATA / "scottish-elections" / "wards.zip"
    if not path.exists():
        pytest.skip(f"there is no {path}")
    with zipfile.ZipFile(path) as packed:
        names = sorted(name for name in packed.namelist() if name.endswith(".blt"))
        return [parse_ward(name, packed.read(name).decode("utf-8", "replace")) for name in names]


def wards_by_size() -> list[Ward]:
    """Those with the fewest different ballots and candidates first."""
    return sorted(wards(), key=lambda ward: ward[1] * len(ward[3]))


def parse_ward(name: str, text: str) -> Ward:
    lines = [line.strip().rstrip(", ") for line in text.splitlines()]
    candidates, seats = map(int, re.findall(r"[0-9]+", lines[0]))
    ballots: Counter[tuple[int, ...]] = Counter()
    for line in lines[1 : lines.index("0")]:
        count, *order, _ = map(int, line.split())
        ballots[tuple(order)] += count
    ballots.pop((), None)
    return name, candidates, seats, dict(ballots)


def ours(ward: Ward, rule: str, *, seed: int = 0) -> Any:
    _, _, seats, ballots = ward
    rankings = Rankings.from_lists([list(map(str, order)) for order in ballots])
    counted = rankings.replace(multiplicities=np.array([*ballots.values()]))
    return elect(counted, rule, seats=seats, draws=0, margins=False, seed=seed)[rule]


def numbers(elected: Any) -> list[int]:
    return sorted(map(int, elected))


def pref_voting_profile(ward: Ward) -> Any:
    pytest.importorskip("pref_voting")
    from pref_voting.profiles_with_ties import ProfileWithTies

    _, candidates, _, ballots = ward
    ranks = [{c: place for place, c in enumerate(order, start=1)} for order in ballots]
    return ProfileWithTies(ranks, [*ballots.values()], candidates=list(range(1, candidates + 1)))


def test_stv_elects_whom_pref_voting_elects_in_the_wards() -> None:
    methods = pytest.importorskip("pref_voting.proportional_methods")
    for ward in some(wards_by_size()[::EVERY]):
        theirs = methods.stv_scottish(pref_voting_profile(ward), num_seats=ward[2], rng=random.Random(0))
        assert numbers(ours(ward, "stv").elected) == numbers(theirs), ward[0]


class LastTally:
    """pref_voting's tally, which remembers the last one: it is asked for the same one a hundred times.

    ``stv_meek`` of 1.18.2 leaves a keep factor as it is once it would change by less than ``tol``. If the votes are
    then further than 10 * tol from the quota it goes on, without any change, until it has made ``max_iter`` steps.
    """

    def __init__(self, tally: Callable[..., Any]) -> None:
        self.tally = tally
        self.question: Any = None
        self.answer: Any = None

    def __call__(self, profile: Any, keep: dict[int, float], active: set[int]) -> Any:
        question = (profile, tuple(keep.items()), frozenset(active))
        if question != self.question:
            self.question, self.answer = question, self.tally(profile, keep, active)
        return self.answer


def test_meek_elects_whom_pref_voting_elects_in_the_wards(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its own tolerance and number of steps."""
    methods = pytest.importorskip("pref_voting.proportional_methods")
    monkeypatch.setattr(methods, "_meek_tally_from_profile", LastTally(methods._meek_tally_from_profile))
    for ward in some(wards_by_size()[::EVERY]):
        theirs = methods.stv_meek(pref_voting_profile(ward), num_seats=ward[2])
        assert numbers(ours(ward, "meek").elected) == numbers(theirs), ward[0]


def test_remembering_a_tally_of_pref_voting_changes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every tally of a count, in order, with and without memory, in the 3 smallest wards, with STAGG_LONG=1 in 30."""
    methods = pytest.importorskip("pref_voting.proportional_methods")
    tally = methods._meek_tally_from_profile
    for ward in some(wards_by_size()[: 30 if LONG else 3]):
        profile = pref_voting_profile(ward)
        counts = []
        for each in (tally, LastTally(tally)):
            told: list[Any] = []
            monkeypatch.setattr(methods, "_meek_tally_from_profile", recorded(each, told))
            counts.append((methods.stv_meek(profile, num_seats=ward[2]), told))
        assert counts[0] == counts[1], ward[0]


def recorded(tally: Callable[..., Any], told: list[Any]) -> Callable[..., Any]:
    def tell(*question: Any) -> Any:
        told.append(tally(*question))
        return told[-1]

    return tell


def test_votekit_elects_the_same_where_truncation_and_the_order_of_transfers_decide_nothing() -> None:
    """VoteKit passes surpluses on as fractions without truncation, and has no tie by earlier stages.

    ``simultaneous=True``: whoever has the quota is elected at once and gets no more votes, as rule 47 of SSI 2007/42
    has it. Without it VoteKit goes on giving them votes until their own surplus is passed on, and elects somebody else
    in two of the first 167 wards (North Lanarkshire 2022 ward 12, South Ayrshire 2012 ward 3).
    """
    elections = pytest.importorskip("votekit.elections")
    from votekit.ballot import RankBallot
    from votekit.pref_profile import RankProfile

    different = []
    for ward in some(wards_by_size()[::EVERY]):
        name, candidates, seats, ballots = ward
        made = [RankBallot(ranking=[{str(c)} for c in order], weight=count) for order, count in ballots.items()]
        profile = RankProfile(ballots=tuple(made), candidates=tuple(map(str, range(1, candidates + 1))))
        found = elections.STV(profile, n_seats=seats, simultaneous=True, tiebreak="random", rng_seed=0)
        theirs = [c for group in found.get_elected() for c in group]
        if numbers(theirs) != numbers(ours(ward, "stv").elected):
            different.append(name)
    assert different == []


def approval_profile(seed: int) -> tuple[list[list[int]], int, int]:
    rng = np.random.default_rng([seed, 3])
    n = int(rng.integers(2, 8))
    ballots = [np.flatnonzero(rng.random(n) < 0.5).tolist() for _ in range(int(rng.integers(1, 15)))]
    return [each for each in ballots if each] or [[0]], n, int(rng.integers(1, n + 1))


@pytest.mark.parametrize(("rule", "theirs"), [("approval", "compute_av"), ("spav", "compute_seqpav")])
def test_ticks_elect_a_committee_of_abcvoting(rule: str, theirs: str) -> None:
    """abcvoting lists all committees that some order of ties gives; ours is one of them, and theirs if it is alone."""
    rules = pytest.importorskip("abcvoting.abcrules")
    from abcvoting.preferences import Profile

    for seed in range(PROFILES):
        ballots, n, seats = approval_profile(seed)
        listed = sorted({c for ballot in ballots for c in ballot})
        if seats > len(listed):
            continue
        profile = Profile(n)
        profile.add_voters(ballots)
        committees = getattr(rules, theirs)(profile, seats, resolute=False)
        found = elect([[{str(c) for c in ballot}] for ballot in ballots], rule, seats=seats, draws=0, margins=False)
        assert numbers(found[rule].elected) in [sorted(each) for each in committees], seed
