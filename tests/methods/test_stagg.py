"""St.Agg: the paper's example and the worked numbers, the link to rank distributions, shapes, utilities, the cache."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.strategies import random_rankings

from stagg import InvalidParameter, Rankings, fuse, rank_distribution
from stagg.methods import METHODS
from stagg.methods.stochastic.stagg import TABLES, Stagg, StaggRRF, Stochastic, TableCache

EXAMPLE = ["ab", "bc", "cd"]
TOY_P = ["ABC", "BDAE", "ECAD"]


def scores(lists: list[str], method: str) -> list[float]:
    """The scores in alphabetical order of the items."""
    fused = fuse([list(each) for each in lists], method)
    found = fused.to_runs()[fused.rankers[0]]["1"]
    return [found[item] for item in sorted(found)]


@pytest.mark.parametrize(
    ("lists", "method", "missing", "expected"),
    [
        (EXAMPLE, "stagg_bc", "neutral", [7.75, 7.5, 7.5, 7.25]),
        (EXAMPLE, "stagg_bc", "skip", [3.75, 7, 7, 3.25]),
        (EXAMPLE, "stagg_rrf(c=10)", "neutral", [0.24278326, 0.24116508, 0.24116508, 0.23954691]),
        (EXAMPLE, "stagg_rrf(c=10)", "skip", [0.08901515, 0.17424242, 0.17424242, 0.08522727]),
        (EXAMPLE, "stagg_rrf(c=9)", "neutral", [0.26428467, 0.26236888, 0.26236888, 0.26045309]),
        (EXAMPLE, "stagg_rrf(c=9)", "skip", [0.09772727, 0.19090909, 0.19090909, 0.09318182]),
        (TOY_P, "stagg_bc", "neutral", [9.2, 9.5, 8.7, 8.6, 9.0]),
        (TOY_P, "stagg_bc", "skip", [11.2, 8.0, 7.2, 6.6, 7.0]),
        (TOY_P, "stagg_rrf(c=10)", "neutral", [0.23322068, 0.23514059, 0.23029550, 0.22973150, 0.23228588]),
        (TOY_P, "stagg_rrf(c=10)", "skip", [0.24575624, 0.16721812, 0.16180220, 0.15816384, 0.16092241]),
        (TOY_P, "stagg_rrf(c=9)", "neutral", [0.25300739, 0.25527804, 0.24957248, 0.24891240, 0.25193365]),
        (TOY_P, "stagg_rrf(c=9)", "skip", [0.26781166, 0.18253427, 0.17609883, 0.17181632, 0.17510023]),
    ],
)
def test_the_worked_numbers_come_out(lists: list[str], method: str, missing: str, expected: list[float]) -> None:
    """METHODS.md section 6, computed by independent code; shape=paper."""
    chosen = dataclasses.replace(METHODS.parse(method), shape="paper", missing=missing)
    assert scores(lists, repr(chosen)) == pytest.approx(expected, abs=6e-9)


@pytest.mark.parametrize("method", ["stagg_bc", "stagg_rrf(c=10)", "stagg(utility='dcg')"])
def test_neutral_puts_the_papers_example_right(method: str) -> None:
    fused = fuse([list(each) for each in EXAMPLE], method, missing="neutral")
    assert [sorted(group) for group in fused["1"].lists[fused.rankers[0]]] == [["a"], ["b", "c"], ["d"]]


STOCHASTIC = [
    "stagg_bc",
    "stagg_bc(missing='neutral', shape='linear')",
    "stagg_rrf(c=10)",
    "stagg_rrf(c=10, missing='neutral')",
    "stagg_rrf(c=3, missing='skip', shape='logistic(2)')",
    "stagg(utility='dcg', shape='certain')",
    "stagg(utility='top(k=3)', missing='neutral')",
    "stagg(utility='rbp(p=0.7)', missing='skip')",
]


@pytest.mark.parametrize("text", STOCHASTIC)
def test_total_weight_times_expected_utility_is_the_score(text: str) -> None:
    method = METHODS.parse(text)
    assert isinstance(method, Stochastic)
    for seed in range(20):
        rankings = random_rankings(seed)
        weights = np.random.default_rng(seed).uniform(0.5, 3, len(rankings.rankers)).tolist()
        fused = fuse(rankings, method, weights=weights)
        weighted = rankings.with_weights(weights)
        for found in rank_distribution(rankings, method, weights=weights):
            view = weighted[found.query]
            if not len(found.items):
                continue
            utility = method.expected.values(np.arange(float(len(found.items))), len(found.items), 0)
            expected = view.weights.sum() * found.probabilities @ utility
            mine = fused[found.query].scores[fused.rankers[0]]
            assert expected == pytest.approx([mine[item] for item in found.items], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("missing", ["below", "neutral"])
def test_rows_of_the_distribution_sum_to_one(missing: str) -> None:
    for found in rank_distribution(random_rankings(3, rankers=5), "stagg_rrf", missing=missing):
        assert found.probabilities.sum(axis=1) == pytest.approx(np.ones(len(found.items)))
        assert (found.probabilities >= 0).all()


def test_under_skip_a_row_sums_to_the_share_of_the_rankers_that_list_the_item() -> None:
    method = "stagg_rrf(shape='paper')"
    found = rank_distribution([["a", "b"], ["b"], ["b", "c"]], method, missing="skip", weights=[2, 1, 1])["1"]
    shares = dict(zip(found.items, found.probabilities.sum(axis=1).tolist(), strict=True))
    assert shares == pytest.approx({"a": 0.5, "b": 1.0, "c": 0.25})
    assert found.expected_ranks["b"] == pytest.approx(1 + (2 * found_loss(3) + 1 * 0 + (1 - found_loss(3))) / 4)


def found_loss(n: int) -> float:
    """P(the item behind loses to its neighbour ahead) by Eq. 11 with n candidates."""
    return max(1 / n, 1 - 1 / n)


def test_a_method_without_rank_distribution_says_so() -> None:
    with pytest.raises(InvalidParameter, match=r"rrf\(c=60\) has no rank distribution"):
        rank_distribution([["a"]], "rrf")


def test_certain_contests_below_are_plain_rrf_for_full_lists() -> None:
    lists = ["ABCD", "BCAD", "ADBC"]
    assert scores(lists, "stagg_rrf(c=60, shape='certain')") == pytest.approx(scores(lists, "rrf(c=60)"), rel=1e-12)
    assert scores(lists, "stagg_bc(shape='certain')") == scores(lists, "borda")


def test_certain_contests_with_unlisted_sharing_are_borda_below() -> None:
    found, borda = scores(TOY_P, "stagg_bc(shape='certain')"), scores(TOY_P, "borda(missing='below')")
    assert found == pytest.approx(borda)


def test_tied_items_share_the_mean_of_their_places() -> None:
    tied = fuse(Rankings.from_lists([["a", {"b", "c"}, "d"]]), "stagg_rrf(c=10)").to_runs()["stagg-stagg_rrf"]["1"]
    plain = fuse([["a", "b", "c", "d"]], "stagg_rrf(c=10)").to_runs()["stagg-stagg_rrf"]["1"]
    assert tied["b"] == tied["c"] == pytest.approx((plain["b"] + plain["c"]) / 2)


def test_functions_serve_as_shape_and_utility() -> None:
    def half(gaps: np.ndarray, n: int, length: int) -> np.ndarray:
        return 0.5 + gaps / (2 * n)

    def points(ranks: np.ndarray, n: int, length: int) -> np.ndarray:
        return n - ranks

    rankings = random_rankings(5)
    mine = fuse(rankings, Stagg(utility=points, shape=half))
    named = fuse(rankings, "stagg_bc(shape='linear')")
    for query in rankings.queries:
        assert mine.best_first(query) == named.best_first(query)


def test_a_shape_that_gives_no_probabilities_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="one probability for each of the 2 gaps"):
        fuse([["a", "b", "c"]], StaggRRF(shape=lambda gaps, n, length: gaps * 2))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stagg_rrf(shape='round')", "one of paper, linear, logistic"),
        ("stagg_rrf(shape='logistic')", r"needs its number: logistic\(s=...\)"),
        ("stagg_rrf(shape='logistic(0)')", "s in 'logistic\\(0\\)' must be above 0"),
        ("stagg_rrf(shape='logistic(x)')", "must be above 0"),
        ("stagg_rrf(shape='logistic(\"1\")')", "must be above 0"),
        ("stagg_rrf(shape='logistic(1e400)')", "must be above 0"),
        (f"stagg_rrf(shape='logistic({'9' * 400})')", "must be above 0"),
        ("stagg_rrf(shape='linear(2)')", "linear takes no parameters"),
        ("stagg_rrf(c=-1)", "c is -1"),
        ("stagg(utility='rbp(p=1.5)')", "between 0 and 1"),
        ("stagg(utility='rbp(q=0.5)')", "rbp has no parameter 'q'; it takes p"),
        ("stagg(utility='rrf(k=60)')", r"stagg calls it 'c': rrf\(c=60\)"),
        ("stagg(utility='top(k=2.5)')", "a whole number"),
        ("stagg(utility='ndcg')", "one of borda, list_borda, rrf"),
        ("stagg(utility=3)", "one of borda"),
        ("stagg_bc(missing='last')", "one of 'below', 'neutral', 'skip'"),
    ],
)
def test_wrong_parameters_are_refused_with_the_range(text: str, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        METHODS.parse(text)


def test_numbers_in_names_may_have_their_key_or_not_and_case_does_not_matter() -> None:
    assert scores(TOY_P, "stagg(utility='RBP(P=0.9)')") == scores(TOY_P, "stagg(utility='rbp(p=0.9)')")
    assert scores(TOY_P, "stagg(utility='rbp(0.9)')") == scores(TOY_P, "stagg(utility='rbp(p=0.9)')")


def test_the_cache_is_bounded_and_forgets_the_oldest() -> None:
    cache = TableCache(numbers=100)
    method = StaggRRF(c=1, shape="paper")
    for n in range(2, 40):
        cache.get(method.setting, [(n, n)])
    assert cache._numbers <= 100
    kept = cache.get(method.setting, [(39, 39), (2, 2)])
    assert kept[0][0] == pytest.approx(cache.get(method.setting, [(39, 39)])[0][0])
    assert kept[1][0] == pytest.approx([0.5 / 2 + 0.5 / 3] * 2)  # two items: Eq. 11 tosses a coin


def test_the_cache_keeps_what_was_asked_for_last() -> None:
    cache, setting = TableCache(numbers=100), StaggRRF(c=1, shape="paper").setting
    first = cache.get(setting, [(30, 30)])[0][0]
    cache.get(setting, [(40, 40)])
    cache.get(setting, [(30, 30)])
    last = cache.get(setting, [(50, 50)])[0][0]  # there is no room for all three
    assert cache.get(setting, [(30, 30)])[0][0] is first
    assert cache.get(setting, [(50, 50)])[0][0] is last


def test_tables_are_made_once() -> None:
    method = StaggRRF(c=12.5)
    one = TABLES.get(method.setting, [(17, 9)])[0][0]
    assert TABLES.get(method.setting, [(17, 9)])[0][0] is one
    with pytest.raises(ValueError, match="read-only"):
        one[0] = 0.0


@pytest.mark.parametrize("missing", ["below", "neutral", "skip"])
@pytest.mark.parametrize("shape", ["harmonic(1)", "linear"])
@pytest.mark.parametrize("utility", ["rrf(60)", "borda", "dcg"])
def test_tables_that_are_shared_are_those_made_alone(utility: str, shape: str, missing: str) -> None:
    method, cache = Stagg(utility=utility, shape=shape, missing=missing), TableCache(numbers=10_000)
    sizes = [(17, 9), (32, 9), (31, 9), (32, 4), (33, 9), (64, 64), (9, 9)]
    together = cache.get(method.setting, sizes)
    for (weights, elsewhere), size in zip(together, sizes, strict=True):
        ((alone, alone_elsewhere),) = TableCache(numbers=10_000).get(method.setting, [size])
        assert weights.tolist() == alone.tolist()
        assert elsewhere == alone_elsewhere
        assert cache.get(method.setting, [size])[0][1] == elsewhere


def test_lists_among_other_numbers_of_candidates_share_their_weights() -> None:
    cache = TableCache(numbers=10_000)
    one, other = cache.get(StaggRRF().setting, [(100, 20), (120, 20)])
    assert one[0] is other[0]
    assert one[1] != other[1]
