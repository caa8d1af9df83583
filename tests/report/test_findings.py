"""What a page says first agrees with slow computations of the same, and with fusing again."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

import stagg
from stagg.data.rankings import Rankings
from stagg.evaluation import compare
from stagg.report import fused_queries
from stagg.report.findings import find_deciders, measure_disagreement, tell_comparison, tell_rankers

SAMPLE = Path(stagg.__file__).parent / "sample"


def plain(text: str) -> str:
    return text.replace("\u2068", "").replace("\u2069", "")


@pytest.fixture(scope="module")
def sample() -> Rankings:
    return stagg.read([str(path) for path in sorted(SAMPLE.glob("*.trec"))])


def slow_disagreement(lists: list[list[str]]) -> float:
    """1 - the mean overlap over the depths to 10, weighted by 0.9^(depth - 1), over all pairs of lists."""
    deepest = min(10, max(map(len, lists)))
    found = []
    for one, other in itertools.combinations(lists, 2):
        shares = [
            0.9**d * len({*one[: d + 1]} & {*other[: d + 1]}) / max(len(one[: d + 1]), len(other[: d + 1]))
            for d in range(deepest)
        ]
        found.append(sum(shares) / sum(0.9**d for d in range(deepest)))
    return 1 - sum(found) / len(found)


def test_disagreement_is_that_of_a_slow_computation() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        lists = [rng.permutation(30)[: rng.integers(1, 25)].astype(str).tolist() for _ in range(rng.integers(2, 6))]
        assert measure_disagreement(Rankings.from_lists(lists)["1"]) == pytest.approx(
            slow_disagreement(lists), abs=2e-6
        )


def test_one_list_disagrees_with_nobody() -> None:
    assert np.isnan(measure_disagreement(Rankings.from_lists([["a", "b"]])["1"]))


@pytest.mark.parametrize("method", ["rrf", "borda(missing='below')", "stagg_rrf", "combsum", "mean_rank"])
def test_a_ranker_decides_where_another_item_is_first_without_it(sample: Rankings, method: str) -> None:
    for each in fused_queries(sample, method).queries:
        [query] = [q for q in sample if q.id == each.query]
        one = sample.take_queries([query.number])
        told = {}
        for item in query.items:
            for ranker in stagg.explain(one, method, item=item).rankers:
                if ranker.rank_without == 1:
                    told.setdefault(ranker.ranker, []).append(item)
        assert each.deciders == tuple(name for name in each.rankers if each.items[0] not in told[name])


def test_two_lists_or_none_have_no_decider() -> None:
    assert find_deciders(np.ones((2, 3)), np.arange(3)) == []
    assert find_deciders(np.ones((3, 0)), np.arange(0)) == []


def test_the_sentence_of_one_query_and_of_many(sample: Rankings) -> None:
    many = plain(fused_queries(sample, "rrf").finding)
    assert many == (
        "In 3 of 6 queries the first two items cannot be told apart; bm25 and sparse disagree most (Kendall's τ 0.14); "
        "bm25 decides most: without it another item is first in 4 of 6 queries."
    )
    votes = [["a", "b", "c"]] * 12
    same = plain(fused_queries(votes, "borda").finding)
    assert same == "a is first, and stands apart from the next; the rankers order alike what they share; " + (
        "no ranker alone decides the first place."
    )
    assert fused_queries([["a"], ["b"]], "mc4").finding == ""


def test_a_hostile_name_stays_short_and_isolated() -> None:
    told = tell_rankers(["\u202e" + "x" * 500, "b", "c"], np.array([[1, 0.5, -0.25], [0.5, 1, 0], [-0.25, 0, 1]]))
    assert len(told) < 120
    assert told.count("\u2068") == told.count("\u2069") == 2
    assert "τ \u22120.25" in told


def test_a_comparison_names_the_best_and_what_is_significant() -> None:
    from stagg.data.simulation import simulate

    made = simulate(queries=60, items=20, rankers=3, quality=[3.0, 0.2, 0.2], depth=20, seed=0)
    names = made.rankings.rankers
    found = compare(made.rankings, made.labels, inputs=True, baseline=names[1], measures="nDCG@10,mrr")
    first = plain(tell_comparison(found))
    assert first.startswith(f"{names[0]} has the highest nDCG@10: {found.values[0, 0].mean():.4f}")
    assert f", significantly above the baseline {names[1]}" in first
    found = compare(made.rankings, made.labels, inputs=True, baseline=names[0], measures="nDCG@10")
    assert f"; significantly below it: {names[1]}, {names[2]}." in plain(tell_comparison(found))
    alone = compare(made.rankings, made.labels, "rrf", measures="nDCG@10")
    assert plain(tell_comparison(alone)) == f"rrf(c=60) has the highest nDCG@10: {alone.values.mean():.4f}."


def test_what_was_trained_on_the_tested_queries_is_never_the_best(sample: Rankings) -> None:
    labels = stagg.read_labels(str(SAMPLE / "qrels.txt"))
    found = compare(sample, labels, "rrf", learners="best_input", measures="nDCG@10")
    assert plain(tell_comparison(found)).startswith("rrf(c=60) has the highest")


def test_of_pairs_the_wins_are_told_and_nobody_decides() -> None:
    votes = [*[["a", "b"]] * 4, *[["b", "a"]] * 2, *[["b", "c"]] * 3, [{"a", "c"}]]
    told = plain(fused_queries(votes, "rrf").finding)
    assert "decides" not in told
    assert told.endswith("is first, above others in 5 of its 9 comparisons, 2 of 6 with a, the second.")


def test_of_many_voters_no_two_are_named() -> None:
    rng = np.random.default_rng(0)
    votes = [rng.permutation(list("abcdef")).tolist() for _ in range(300)]
    told = plain(fused_queries(votes, "borda").finding)
    assert "disagree" not in told
    assert "decides" not in told
    assert 0 < fused_queries(votes, "borda")["1"].apart < 1
