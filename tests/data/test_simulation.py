"""Simulation: the draws follow their models, and depend on what they should depend on and nothing else."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest

import stagg
from stagg.data import Rankings
from stagg.data.simulation import MODELS, Simulated, sample_mallows, sample_plackett_luce, simulate
from stagg.errors import InvalidParameter

DRAWS = 20_000
Key = TypeVar("Key")
BOTH = pytest.mark.parametrize("model", MODELS)


def digest(made: Simulated) -> str:
    labels = {query: dict(made.labels[query]) for query in made.labels}
    parts = [made.rankings.to_columns(), made.truth.to_columns(), labels, dict(made.quality)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def lists_of(rankings: Rankings) -> dict[tuple[str, str], list[str]]:
    """{(query, ranker): items, best first}."""
    return {
        (view.id, ranker): [item for (item,) in groups] for view in rankings for ranker, groups in view.lists.items()
    }


def turned_pairs(order: list[int] | tuple[int, ...]) -> int:
    """Kendall's distance to 0, 1, 2, ..., pair by pair."""
    return sum(first > second for first, second in itertools.combinations(order, 2))


def tau(one: list[str], other: list[str]) -> float:
    """Kendall's tau between two lists over the items that both hold."""
    place = {item: number for number, item in enumerate(other)}
    order = [place[item] for item in one if item in place]
    pairs = len(order) * (len(order) - 1) / 2
    return 1 - 2 * turned_pairs(order) / pairs


def mean_tau(made: Simulated, ranker: str, to: str | None = None) -> float:
    """How well a ranker agrees with another one, or with the truth."""
    lists, truth = lists_of(made.rankings), lists_of(made.truth)
    pairs = [(lists[query, ranker], lists[query, to] if to else truth[query, "truth"]) for query in made.truth.queries]
    return float(np.mean([tau(one, other) for one, other in pairs]))


def chi_square(observed: Counter[Key], expected: dict[Key, float]) -> float:
    assert set(observed) <= set(expected)
    return sum((observed[key] - count) ** 2 / count for key, count in expected.items())


# --- what the draws depend on -----------------------------------------------------------------------------------------

SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
from test_simulation import digest, simulate
print(digest(simulate(model={model!r}, queries=3, copies=1, keep=0.7, depth=9, spread=0.5, scores=True, seed=5)))
"""


@BOTH
def test_the_same_seed_gives_the_same_bytes_under_any_hash_seed(model: str) -> None:
    made = simulate(model=model, queries=3, copies=1, keep=0.7, depth=9, spread=0.5, scores=True, seed=5)
    source = str(Path(stagg.__file__).parents[1])
    for hash_seed in ("1", "2"):
        printed = subprocess.run(
            [sys.executable, "-c", SCRIPT.format(tests=str(Path(__file__).parent), model=model)],
            env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": source},
            capture_output=True,
            text=True,
            check=True,
        )
        assert printed.stdout.strip() == digest(made)


@BOTH
def test_another_seed_gives_other_rankings(model: str) -> None:
    digests = {digest(simulate(model=model, queries=2, seed=seed)) for seed in range(20)}
    assert len(digests) == 20


@BOTH
def test_more_queries_and_more_rankers_leave_the_earlier_ones_as_they_were(model: str) -> None:
    few = simulate(model=model, queries=3, rankers=3, spread=0.5, copies=1, keep=0.8, scores=True)
    more = simulate(model=model, queries=12, rankers=6, spread=0.5, copies=2, keep=0.8, scores=True)
    lists = lists_of(more.rankings)
    assert all(lists[key] == ranked for key, ranked in lists_of(few.rankings).items())
    for view in few.rankings:
        assert view.scores.items() <= more.rankings[view.id].scores.items()
        assert few.truth[view.id].scores == more.truth[view.id].scores
    assert few.quality.items() <= more.quality.items()


def test_without_arguments_there_are_ten_queries_of_twenty_items_and_five_full_lists() -> None:
    made = simulate().rankings
    assert len(made) == 10
    assert {len(view.items) for view in made} == {20}
    assert len(made.rankers) == 5
    assert len(made.entries) == 10 * 20 * 5


def test_both_models_rank_the_same_truth() -> None:
    assert lists_of(simulate(model="mallows").truth) == lists_of(simulate(model="plackett_luce").truth)


def test_rankers_and_queries_are_drawn_apart() -> None:
    lists = lists_of(simulate(queries=5, rankers=5).rankings)
    assert len({tuple(ranked) for ranked in lists.values()}) == 25


def test_ids_say_nothing_about_the_truth() -> None:
    """The mean tau of 400 random orders of 20 items has a standard deviation of 0.008."""
    truth = lists_of(simulate(queries=400, rankers=1).truth)
    assert abs(np.mean([tau(sorted(ranked), ranked) for ranked in truth.values()])) < 0.04


# --- Mallows ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theta", [0.0, 1e-14, 1e-9, 0.3, 1.0, 2.0])
def test_mallows_draws_each_order_as_often_as_its_distance_says(theta: float) -> None:
    """Chi-square with 23 degrees of freedom: mean 23, exceeds 60 with probability 4e-5."""
    rng = np.random.default_rng(1)
    observed = Counter(tuple(sample_mallows(4, theta, rng).tolist()) for _ in range(DRAWS))
    weights = {order: float(np.exp(-theta * turned_pairs(order))) for order in itertools.permutations(range(4))}
    total = sum(weights.values())
    assert chi_square(observed, {order: DRAWS * weight / total for order, weight in weights.items()}) < 60


def test_mallows_distances_agree_with_the_partition_function_for_many_items() -> None:
    """E[distance] = n e^-θ/(1-e^-θ) - Σ_i i e^-θi/(1-e^-θi) (Fligner and Verducci, 1986)."""
    n, theta = 30, 0.4
    rng = np.random.default_rng(2)
    distances = [turned_pairs(sample_mallows(n, theta, rng).tolist()) for _ in range(500)]
    i = np.arange(1, n + 1)
    expected = n / np.expm1(theta) - (i / np.expm1(theta * i)).sum()
    assert np.mean(distances) == pytest.approx(expected, abs=5 * np.std(distances) / np.sqrt(500))


def test_simulated_mallows_lists_have_the_distances_of_the_model() -> None:
    made = simulate(model="mallows", queries=1, items=4, rankers=DRAWS // 4, quality=0.7)
    place = {item: number for number, item in enumerate(made.truth.best_first())}
    observed = Counter(turned_pairs([place[i] for i in ranked]) for ranked in lists_of(made.rankings).values())
    expected = dict.fromkeys(range(7), 0.0)
    for order in itertools.permutations(range(4)):
        expected[turned_pairs(order)] += float(np.exp(-0.7 * turned_pairs(order)))
    scale = DRAWS / 4 / sum(expected.values())
    assert chi_square(observed, {key: scale * weight for key, weight in expected.items()}) < 30  # 6 degrees of freedom


def test_mallows_with_a_large_theta_is_the_truth() -> None:
    made = simulate(model="mallows", quality=60.0)
    truth = lists_of(made.truth)
    assert all(ranked == truth[query, "truth"] for (query, _), ranked in lists_of(made.rankings).items())


# --- Plackett-Luce ----------------------------------------------------------------------------------------------------


def test_plackett_luce_puts_items_first_by_softmax_and_second_by_softmax_of_the_rest() -> None:
    """Chi-square with 11 degrees of freedom: exceeds 40 with probability 4e-5."""
    strengths = np.array([0.0, 1.0, -0.5, 0.3])
    rng = np.random.default_rng(3)
    observed = Counter(tuple(sample_plackett_luce(strengths, rng)[0][:2].tolist()) for _ in range(DRAWS))
    worth = np.exp(strengths)
    chance = {
        (i, j): worth[i] / worth.sum() * worth[j] / (worth.sum() - worth[i])
        for i, j in itertools.permutations(range(4), 2)
    }
    assert chi_square(observed, {pair: DRAWS * p for pair, p in chance.items()}) < 40


@pytest.mark.parametrize("quality", [0.0, 0.5, 1.5])
def test_simulated_winners_follow_the_softmax_of_quality_times_strength(quality: float) -> None:
    made = simulate(queries=1, items=5, rankers=DRAWS // 4, quality=quality)
    strengths = made.truth["q001"].scores["truth"]
    observed = Counter(ranked[0] for ranked in lists_of(made.rankings).values())
    worth = {item: float(np.exp(quality * strength)) for item, strength in strengths.items()}
    scale = DRAWS / 4 / sum(worth.values())
    assert chi_square(observed, {item: scale * each for item, each in worth.items()}) < 28  # 4 degrees of freedom


def test_the_truth_of_plackett_luce_has_standard_normal_strengths() -> None:
    strengths = simulate(queries=200, items=20, rankers=1).truth.scores
    assert strengths is not None
    assert np.mean(strengths) == pytest.approx(0, abs=0.08)
    assert np.std(strengths) == pytest.approx(1, abs=0.06)


# --- quality ----------------------------------------------------------------------------------------------------------


@BOTH
def test_more_quality_is_more_agreement_with_the_truth(model: str) -> None:
    made = simulate(model=model, queries=60, rankers=5, quality=[0.0, 0.1, 0.3, 0.8, 2.0])
    agreement = [mean_tau(made, ranker) for ranker in made.rankings.rankers]
    assert agreement == sorted(agreement)
    assert abs(agreement[0]) < 0.1


def test_spread_makes_rankers_unequal_about_the_given_quality() -> None:
    quality = np.array(list(simulate(queries=1, rankers=400, quality=2.0, spread=0.5).quality.values()))
    assert np.mean(np.log(quality)) == pytest.approx(np.log(2), abs=0.1)
    assert np.std(np.log(quality)) == pytest.approx(0.5, abs=0.08)


def test_quality_is_that_of_each_ranker_by_name() -> None:
    made = simulate(queries=1, rankers=4, quality=np.array([3.0, 1, 0.5]), copies=1)
    assert made.quality == {"r01": 3.0, "r02": 1.0, "r03": 0.5, "r01-copy1": 3.0}


# --- missing items ----------------------------------------------------------------------------------------------------


@BOTH
def test_items_missing_at_random_leave_the_order_of_the_rest(model: str) -> None:
    full, part = simulate(model=model, copies=1), simulate(model=model, copies=1, keep=0.6)
    whole = lists_of(full.rankings)
    for key, ranked in lists_of(part.rankings).items():
        assert [item for item in whole[key] if item in ranked] == ranked


@pytest.mark.parametrize("keep", [0.2, 0.5, 0.9])
def test_items_missing_at_random_are_about_as_many_as_asked_at_every_place(keep: float) -> None:
    made = simulate(queries=100, items=20, rankers=5, keep=keep)
    assert len(made.rankings.entries) / 10_000 == pytest.approx(keep, abs=0.025)
    truth = lists_of(made.truth)
    best = sum(truth[query, "truth"][0] in ranked for (query, _), ranked in lists_of(made.rankings).items())
    assert best / 500 == pytest.approx(keep, abs=0.11)


@BOTH
@pytest.mark.parametrize("keep", [1.0, 0.7])
def test_cut_lists_are_the_first_items_of_the_full_lists(model: str, keep: float) -> None:
    full = simulate(model=model, copies=2, keep=keep, scores=True)
    short = simulate(model=model, copies=2, keep=keep, scores=True, depth=4)
    assert short.rankings == full.rankings.cut(4)
    assert short.truth == full.truth
    assert short.labels == full.labels


def test_empty_lists_are_no_lists() -> None:
    made = simulate(queries=3, rankers=2, copies=1, keep=0.0)
    assert made.rankings.queries == ("q001", "q002", "q003")
    assert made.rankings.rankers == ("r01", "r01-copy1")
    assert made.rankings.items == ()
    assert len(made.rankings.list_rankers) == 0
    assert len(made.truth.items) == 60


def test_items_that_no_list_holds_are_no_candidates_but_are_in_the_truth() -> None:
    made = simulate(queries=5, rankers=2, depth=3)
    for view in made.rankings:
        assert set(view.items) == {item for groups in view.lists.values() for (item,) in groups}
        assert len(made.truth[view.id].items) == len(made.labels[view.id]) == 20


# --- near-copies and scores -------------------------------------------------------------------------------------------


@BOTH
def test_near_copies_agree_with_the_first_ranker_more_than_others_do_but_not_wholly(model: str) -> None:
    made = simulate(model=model, queries=40, rankers=6, copies=2, quality=0.5)
    assert made.rankings.rankers[-2:] == ("r01-copy1", "r01-copy2")
    copies = [mean_tau(made, ranker, "r01") for ranker in made.rankings.rankers[-2:]]
    others = [mean_tau(made, ranker, "r01") for ranker in made.rankings.rankers[1:4]]
    assert 0.9 < min(copies) <= max(copies) < 1
    assert max(others) < 0.8


def test_near_copies_turn_a_tenth_of_the_neighbours_round() -> None:
    made = simulate(queries=200, items=20, rankers=2, copies=1)
    turned = (1 - mean_tau(made, "r01-copy1", "r01")) / 2 * 190  # of 190 pairs; each turn changes one
    assert turned == pytest.approx(0.1 * 19, abs=0.4)  # four standard errors


def test_near_copies_see_what_their_original_sees() -> None:
    lists = lists_of(simulate(rankers=2, copies=1, keep=0.5).rankings)
    assert all(set(lists[query, "r01"]) == set(lists[query, "r01-copy1"]) for query, _ in lists)


@BOTH
def test_scores_agree_with_the_order_and_do_not_change_it(model: str) -> None:
    plain, scored = (simulate(model=model, keep=0.8, copies=1, scores=scores) for scores in (False, True))
    assert plain.rankings.scores is None
    assert lists_of(plain.rankings) == lists_of(scored.rankings)
    for view in scored.rankings:
        for scores in view.scores.values():
            assert (np.diff(list(scores.values())) < 0).all()


# --- labels, small sizes, errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "grades"), [(1, "2"), (2, "20"), (4, "2100"), (10, "2110000000"), (11, "22110000000")]
)
def test_labels_grade_the_first_tenth_and_the_next_fifth_of_the_truth(items: int, grades: str) -> None:
    made = simulate(queries=2, items=items)
    for view in made.truth:
        given = "".join(f"{made.labels[view.id][item]:g}" for item in made.truth.best_first(view.id))
        assert given == grades


@BOTH
@pytest.mark.parametrize("keep", [0.0, 0.5, 1.0])
def test_one_query_one_ranker_one_item_is_enough(model: str, keep: float) -> None:
    made = simulate(model=model, queries=1, items=1, rankers=1, keep=keep, depth=1)
    assert made.truth.best_first() == ["d001"]
    assert made.rankings.best_first() in ([], ["d001"])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"model": "mallow"}, "model must be 'plackett_luce' or 'mallows', not 'mallow'"),
        ({"model": ["mallows"]}, "model must be"),
        ({"queries": 0}, "queries must be a whole number of 1 or more, not 0"),
        ({"items": 2.5}, "items must be a whole number of 1 or more, not 2.5"),
        ({"rankers": True}, "rankers must be a whole number of 1 or more, not True"),
        ({"seed": -1}, "seed must be a whole number of 0 or more, not -1"),
        ({"depth": 0}, "depth must be a whole number of 1 or more, not 0"),
        ({"rankers": 3, "copies": 3}, "copies must be a whole number from 0 to 2, not 3"),
        ({"keep": 1.1}, "keep must be a number from 0 to 1, not 1.1"),
        ({"keep": float("nan")}, "keep must be a number from 0 to 1, not nan"),
        ({"quality": -1}, "quality must be a number from 0 to 1e\\+06, not -1"),
        ({"quality": "good"}, "quality must be a number from 0 to 1e\\+06, not 'good'"),
        ({"quality": [1, float("inf"), 1, 1, 1]}, "the quality of r02 must be a number from 0 to 1e\\+06, not inf"),
        ({"quality": [1, 2]}, "one for each of the 5 rankers that are not copies; given 2"),
        ({"quality": [1] * 5, "spread": 0.1}, "spread must be 0 where each ranker is given its own quality"),
        ({"spread": 11}, "spread must be a number from 0 to 10, not 11"),
    ],
)
def test_parameters_out_of_range_are_refused_with_their_range(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        simulate(**wrong)  # type: ignore[arg-type]
