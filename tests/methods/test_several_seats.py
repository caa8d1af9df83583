"""Rules for several seats: a slow count of single papers, the equations of Meek's method, parties, worked examples."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.methods.seat_oracle import meek_tally, plain_stv

from stagg.kernels.lists.transfers import NOBODY, UNIT, Papers, SeatCount
from stagg.methods.voting.several_seats import (
    SEAT_RULES,
    STV,
    Approval,
    BlockVoting,
    Meek,
    SeatRule,
    SequentialApproval,
)

Profile = tuple[list[list[int]], int, int]
"""(papers, the number of candidates, the number of seats)"""


def random_profile(seed: int, largest: int = 6) -> Profile:
    """Truncated ballots of few voters: ties are frequent."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, largest + 1))
    papers = [rng.permutation(n)[: rng.integers(1, n + 1)].tolist() for _ in range(int(rng.integers(1, 25)))]
    return papers, n, int(rng.integers(1, n + 1))


def pack(papers: list[list[int]], n: int) -> Papers:
    choices = np.array([paper + [NOBODY] * (n - len(paper)) for paper in papers])
    return Papers(choices, np.ones(len(papers), dtype=np.intp), np.full(len(papers), UNIT))


def count(rule: SeatRule, profile: Profile, lot: list[int] | None = None) -> SeatCount:
    papers, n, seats = profile
    return rule.count(pack(papers, n), n, seats, np.array(range(n) if lot is None else lot))


def test_stv_elects_as_a_count_of_single_papers_does() -> None:
    for seed in range(300):
        papers, n, seats = random_profile(seed)
        lot = np.random.default_rng([seed, 1]).permutation(n).tolist()
        assert [*count(STV(), (papers, n, seats), lot).elected] == plain_stv(papers, n, seats, lot)


def test_no_vote_of_an_stv_count_gets_lost_unseen() -> None:
    for seed in range(100):
        papers, n, seats = random_profile(seed)
        for stage in count(STV(), (papers, n, seats)).stages:
            assert int(stage.votes.sum()) + stage.spent + stage.lost == len(papers) * UNIT


def test_keep_factors_satisfy_the_equations_of_meek() -> None:
    for seed in range(150):
        papers, n, seats = random_profile(seed)
        found = count(Meek(), (papers, n, seats))
        elected: set[int] = set()
        for stage in found.stages:
            assert stage.keep is not None
            assert stage.quota is not None
            votes, spent = meek_tally(papers, stage.keep.tolist())
            assert np.allclose(votes, stage.votes, atol=1e-9)
            assert stage.quota == pytest.approx((len(papers) - spent) / (seats + 1), abs=1e-9)
            assert all(votes[c] < stage.quota + 1e-8 for c in elected)
            elected |= {*stage.elected}
        assert len(found.elected) == seats


@pytest.mark.parametrize("name", SEAT_RULES.names())
def test_every_seat_is_filled_once_and_ballots_count_alike_in_any_order_and_merged(name: str) -> None:
    for seed in range(40):
        papers, n, seats = random_profile(seed)
        rule = SEAT_RULES.parse(name)
        found = count(rule, (papers, n, seats))
        assert len({*found.elected}) == seats
        assert count(rule, (papers[::-1], n, seats)).elected == found.elected
        packed = pack(papers, n)
        first, counts = np.unique(packed.choices, axis=0, return_counts=True)
        merged = Papers(first, counts, np.full(len(first), UNIT))
        assert rule.count(merged, n, seats, np.arange(n)).elected == found.elected


@pytest.mark.parametrize("name", ["stv", "meek"])
def test_solid_coalitions_get_the_seats_that_their_quotas_are_worth(name: str) -> None:
    for seed in range(150):
        papers, n, seats = random_profile(seed, largest=5)
        elected = {*count(SEAT_RULES.parse(name), (papers, n, seats)).elected}
        quota = len(papers) // (seats + 1) + 1
        for size in range(1, n):
            for group in map(set, itertools.combinations(range(n), size)):
                solid = sum(len(paper) >= size and {*paper[:size]} == group for paper in papers)
                assert len(elected & group) >= min(solid // quota, size)


def test_who_reaches_the_quota_is_elected() -> None:
    for seed in range(40):
        found = count(STV(), random_profile(seed))
        reached = {c for stage in found.stages for c, votes in enumerate(stage.votes) if votes >= (stage.quota or 0)}
        assert reached <= {*found.elected}


def test_spav_gives_parties_what_d_hondt_gives_them() -> None:
    """Voters of a party tick all of its candidates: Brill, Laslier & Skowron 2018, "Multiwinner approval rules"."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        sizes, seats = rng.integers(1, 60, 3), int(rng.integers(1, 6))
        papers = [list(range(6 * party, 6 * party + 6)) for party, size in enumerate(sizes) for _ in range(size)]
        elected = count(SequentialApproval(), (papers, 18, seats), rng.permutation(18).tolist()).elected
        quotients = np.sort([size / d for size in sizes for d in range(1, seats + 1)])[::-1]
        if seats < len(quotients) and quotients[seats - 1] == quotients[seats]:
            continue
        won = np.bincount([c // 6 for c in elected], minlength=3)
        assert won.tolist() == [int((size / np.arange(1, seats + 1) >= quotients[seats - 1]).sum()) for size in sizes]


def test_the_transfer_of_a_surplus_is_that_of_the_guides() -> None:
    """Quota and transfer value as councils explain them: 1,000 votes for 3 seats make 251; 300 votes pass on 49/300."""
    papers = [[0, 1]] * 200 + [[0, 2]] * 60 + [[0]] * 40 + [[3]] * 240 + [[1]] * 200 + [[2]] * 140 + [[4]] * 120
    found = count(STV(), (papers, 5, 3))
    second = found.stages[1]
    assert second.quota == 251 * UNIT
    assert (second.votes / UNIT).tolist() == [251, 232.666, 149.7998, 240, 120]  # 0.16333 of each of 200 and 60 papers
    assert second.spent == 40 * 16333
    assert second.lost == 49 * UNIT - 300 * 16333


def test_equal_surpluses_and_equal_last_places_go_by_earlier_stages_then_by_lot() -> None:
    papers = [[0, 3]] * 4 + [[1, 2]] * 4 + [[2]] + [[3]]
    first = count(STV(), (papers, 4, 3), [0, 1, 2, 3]).stages[1]
    other = count(STV(), (papers, 4, 3), [1, 0, 2, 3]).stages[1]
    assert (first.moved, other.moved) == (0, 1)
    assert first.tie is not None
    assert (first.tie.tied, first.tie.chosen, first.tie.stage) == ((0, 1), (0,), None)
    papers = [[0]] * 5 + [[1]] * 4 + [[2]] * 3 + [[3, 2]] + [[4, 1]] * 0
    found = count(STV(), (papers, 4, 1))
    assert [stage.moved for stage in found.stages[1:3]] == [3, 2]  # 2 has 4 as well as 1, and had 3 before
    assert found.stages[2].tie is not None
    assert found.stages[2].tie.stage == 1


def test_block_votes_are_as_many_as_the_seats_and_ticks_beyond_them_spoil() -> None:
    places = np.array([[0, 1, 2], [0.5, 0.5, np.inf], [1, 1, 1]])
    assert BlockVoting().read(places, 2).tolist() == [[0, 1, -1], [0, 1, -1], [-1, -1, -1]]
    assert Approval().read(places, 2).tolist() == [[0, 1, 2], [0, 1, -1], [0, 1, 2]]
    assert STV().read(places, 2).tolist() == [[0, 1, 2], [-1, -1, -1], [-1, -1, -1]]
    assert STV().read(np.array([[0, 1.5, 1.5]]), 2).tolist() == [[0, -1, -1]]


def test_counts_beyond_64_bits_are_exact() -> None:
    huge = 2**62
    papers = Papers(np.array([[0, 1], [2, -1]]), np.array([huge, huge - 1]), np.array([UNIT, UNIT]))
    for rule in (STV(), BlockVoting(), SequentialApproval()):
        found = rule.count(papers, 3, 2, np.arange(3))
        assert found.elected == ((0, 1) if rule.name == "block" else (0, 2))
        assert int(found.stages[0].votes[0]) == huge * found.unit
