"""Robust rank aggregation against order statistics counted out, and for probabilities too small to hold."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import beta, false_discovery_control
from tests.strategies import random_rankings

from stagg import InvalidParameter, Rankings, fuse
from stagg.data.query import Query
from stagg.kernels.lists.order_statistics import log_rho


def slow_rho(ranks: list[Fraction]) -> Fraction:
    """min over k of P(at least k of m uniform variables are below the k-th smallest rank), in exact arithmetic."""
    m = len(ranks)
    return min(
        sum((math.comb(m, j) * r**j * (1 - r) ** (m - j) for j in range(k, m + 1)), Fraction(0))
        for k, r in enumerate(sorted(ranks), start=1)
    )


def ranks_of(view: Query, item: str) -> list[Fraction]:
    """The normalised rank of an item in every list, as often as the list counts."""
    found = []
    for groups, weight in zip(view.lists.values(), view.weights.tolist(), strict=True):
        rank, before = Fraction(1), 0
        for group in groups:
            if item in group:
                rank = Fraction(2 * before + len(group) + 1, 2 * len(view))
            before += len(group)
        found += [rank] * int(weight)
    return found


def test_scores_are_the_published_formula_in_exact_arithmetic() -> None:
    for number in range(60):
        rankings = random_rankings(number).with_weights([1, 2, 1, 3])
        found = fuse(rankings, "rra").to_runs()["stagg-rra"]
        for view in rankings:
            for item in view.items:
                rho = float(slow_rho(ranks_of(view, item)))
                assert 10 ** -found[view.id][item] == pytest.approx(rho, rel=1e-9)


GENES = {
    "lab1": ["TP53", "MYC", "EGFR", "KRAS", "BRCA1"],
    "lab2": ["MYC", "TP53", "PTEN"],
    "lab3": ["TP53", "EGFR", "MYC", "RB1"],
    "lab4": ["ALK", "TP53"],
}


def aggregate_ranks(lists: dict[str, list[str]]) -> dict[str, float]:
    """R's RobustRankAggreg::aggregateRanks(glist, full = FALSE): its "Score", which is min(1, m ρ), by the item."""
    items, m = sorted(set().union(*lists.values())), len(lists)
    found = {}
    for item in items:
        ranks = sorted((each.index(item) + 1) / len(items) if item in each else 1.0 for each in lists.values())
        scores = [beta.cdf(rank, k, m - k + 1) for k, rank in enumerate(ranks, start=1)]
        found[item] = min(1.0, m * min(scores))
    return found


def test_p_is_the_score_of_robust_rank_aggreg_and_q_is_scipys_false_discovery_rate() -> None:
    rng = np.random.default_rng(5)
    drawn = [
        {f"lab{k}": rng.permutation([f"g{j}" for j in range(30)])[: rng.integers(1, 12)].tolist() for k in range(m)}
        for m in (1, 2, 5, 9)
    ]
    for lists in (GENES, *drawn):
        hits, expected = fuse(lists, "rra").hits(), aggregate_ranks(lists)
        assert {hit.item: hit.p for hit in hits} == pytest.approx(expected, rel=1e-9)
        rates = false_discovery_control([expected[hit.item] for hit in hits])
        assert [hit.q for hit in hits] == pytest.approx(rates.tolist(), rel=1e-9)


def test_no_score_is_negative_and_the_order_is_that_of_rho() -> None:
    hits = fuse(GENES, "rra").hits()  # six of the eight had a negative score
    assert all(hit.score >= 0 for hit in hits)
    assert math.copysign(1, fuse([["a"]], "rra").hits()[0].score) == 1  # not even -0
    p = [hit.p for hit in hits]
    assert p == sorted(p, key=float)
    for number in range(60):
        fused = fuse(random_rankings(number).with_weights([1, 2, 1, 3]), "rra")
        assert fused.scores is not None
        assert fused.extras is not None
        assert (fused.scores >= 0).all()
        assert ((fused.extras["p"] >= 0) & (fused.extras["p"] <= fused.extras["q"]) & (fused.extras["q"] <= 1)).all()


def test_p_and_q_are_those_of_the_whole_query_however_much_of_it_is_shown() -> None:
    rankings = random_rankings(3)
    whole = {
        (query, hit.item): (hit.p, hit.q) for query in rankings.queries for hit in fuse(rankings, "rra").hits(query)
    }
    for options in ({"top": 2}, {"min_lists": 2}, {"intervals": 0.8, "draws": 10}):
        fused = fuse(rankings, "rra", **options)  # type: ignore[arg-type]
        for query in fused.queries:
            for hit in fused.hits(query):
                assert (hit.p, hit.q) == whole[query, hit.item]


def test_weights_below_one_list_never_make_an_item_surer_than_rho() -> None:
    lists = [["a", "b", "c"], ["a", "c"], ["b", "a"]]
    for weight in (0.1, 1e-300):
        for hit in fuse(lists, "rra", weights=[weight] * 3).hits():
            assert hit.p == pytest.approx(10**-hit.score)


def test_candidates_that_no_list_holds_have_score_0_and_p_1() -> None:
    rankings = Rankings.from_lists([["a", "b"]] * 30 + [["b", "a"]]).replace(
        items=("a", "b", "c"), item_offsets=np.array([0, 3]), declared=True
    )
    hits = fuse(rankings, "rra").hits()
    assert (hits[-1].item, hits[-1].score, hits[-1].p, hits[-1].q) == ("c", 0.0, 1.0, 1.0)
    empty = rankings.take_rankers([]).replace(items=("a", "b", "c"), item_offsets=np.array([0, 3]))
    assert {(hit.score, hit.p, hit.q) for hit in fuse(empty, "rra").hits()} == {(0.0, 1.0, 1.0)}


def test_rho_is_the_share_of_random_lists_that_do_as_well() -> None:
    # of the tuples of 3 ranks out of 1..10, those whose k-th smallest is within the k-th of (1, 3, 10), by counting
    grid = np.stack(np.meshgrid(*[np.arange(1, 11)] * 3), axis=-1).reshape(-1, 3)
    sorted_grid = np.sort(grid, axis=1)
    shares = [(sorted_grid[:, k] <= rank).mean() for k, rank in enumerate((1, 3, 10))]
    assert 10 ** log_rho(np.array([[0.1], [0.3], [1.0]]), np.ones(3))[0] == pytest.approx(min(shares))


@pytest.mark.parametrize(("m", "low", "n"), [(400, 400, 1000), (500, 250, 2000), (300, 290, 4000), (1000, 999, 50)])
def test_probabilities_too_small_for_a_float_keep_their_digits(m: int, low: int, n: int) -> None:
    # the chance that at least `low` of m are within 1/n is `ways` out of n^m
    ways = sum(math.comb(m, j) * (n - 1) ** (m - j) for j in range(low, m + 1))
    exact = math.log10(ways) - m * math.log10(n)
    assert exact < -300
    found = log_rho(np.array([[1 / n]] * low + [[1.0]] * (m - low)), np.ones(m))[0]
    assert found == pytest.approx(exact, rel=1e-10)


def test_one_list_gives_the_rank_itself_and_one_item_no_evidence() -> None:
    found = fuse([["a", "b", "c", "d"]], "rra").to_runs()["stagg-rra"]["1"]
    assert {item: round(10**-score, 12) for item, score in found.items()} == {"a": 0.25, "b": 0.5, "c": 0.75, "d": 1}
    assert fuse([["a"]], "rra").to_runs()["stagg-rra"]["1"] == {"a": 0}


def test_one_bad_list_does_little_harm() -> None:
    good = [f"i{k}" for k in range(20)]
    order = fuse([good, good, good, good[::-1]], "rra").best_first()
    assert order[:5] == good[:5]


def test_fractional_weights_lie_between_the_whole_ones() -> None:
    lists = Rankings.from_lists([["a", "b", "c"], ["a", "c"], ["b", "a"]])
    scores = [fuse(lists, "rra", weights=[1, w, 1]).to_runs()["stagg-rra"]["1"]["a"] for w in (1, 1.5, 2)]
    assert scores == sorted(scores)
    assert scores[0] < scores[1] < scores[2]


def test_absence_has_one_meaning_only() -> None:
    with pytest.raises(InvalidParameter, match="rra cannot honour missing='skip'; it takes 'below'"):
        fuse([["a"]], "rra(missing='skip')")
