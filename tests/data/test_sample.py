"""The built-in sample: it reads cleanly and looks like what it says it is."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import stagg
from stagg.data import Labels, Rankings
from stagg.formats import read, read_labels

SAMPLE = Path(stagg.__file__).parent / "sample"
RANKERS = ("bm25", "dense", "sparse")


@pytest.fixture(scope="module")
def rankings() -> Rankings:
    return read([SAMPLE / f"{ranker}.trec" for ranker in RANKERS])  # a warning would be an error


@pytest.fixture(scope="module")
def labels() -> Labels:
    return read_labels(SAMPLE / "qrels.txt")


def test_there_are_six_queries_and_three_rankers_with_a_list_for_each(rankings: Rankings) -> None:
    assert len(rankings) == 6
    assert rankings.rankers == RANKERS
    assert all(view.rankers == RANKERS for view in rankings)


def test_lists_are_short_and_without_ties(rankings: Rankings) -> None:
    assert set(rankings.list_lengths) <= set(range(6, 10))
    assert not rankings.has_ties


@pytest.mark.parametrize("ranker", RANKERS)
def test_ranks_say_what_the_scores_say_and_the_tag_is_the_ranker(ranker: str) -> None:
    path = SAMPLE / f"{ranker}.trec"
    assert read(path, order_by="rank").to_lists() == read(path).to_lists()
    assert read(path, split_by_tag=True).rankers == (ranker,)


@pytest.mark.parametrize(("ranker", "low", "high"), [("bm25", 5, 20), ("dense", 0.6, 0.9), ("sparse", 1000, 6000)])
def test_each_ranker_has_scores_on_its_own_scale(rankings: Rankings, ranker: str, low: float, high: float) -> None:
    scores = [score for view in rankings for score in view.scores[ranker].values()]
    assert low <= min(scores) <= max(scores) <= high


def test_any_two_lists_share_some_of_their_items_but_not_all(rankings: Rankings) -> None:
    shares = []
    for view in rankings:
        for one, other in itertools.combinations(view.scores.values(), 2):
            shares.append(len(one.keys() & other.keys()) / min(len(one), len(other)))
    assert 0.3 < min(shares) <= max(shares) < 0.8
    assert sum(shares) / len(shares) == pytest.approx(0.55, abs=0.1)


def test_ids_are_words_joined_by_dashes(rankings: Rankings) -> None:
    ids = [*rankings.queries, *rankings.items]
    assert [each for each in ids if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", each)] == []


def test_every_item_has_a_label_and_every_query_an_answer(rankings: Rankings, labels: Labels) -> None:
    assert set(labels.queries) == set(rankings.queries)
    for view in rankings:
        assert set(labels[view.id]) == set(view.items)
        assert set(labels[view.id].values()) == {0, 1, 2}


def test_fusion_helps_on_most_queries_and_not_on_all(rankings: Rankings, labels: Labels) -> None:
    """As the sample's README says: on four of six, by nDCG at 5 and at 10."""
    for cutoff in (5, 10):
        helped = []
        for view in rankings:
            singles = [ndcg(list(scores), labels[view.id], cutoff) for scores in view.scores.values()]
            if ndcg(rrf([list(scores) for scores in view.scores.values()]), labels[view.id], cutoff) > max(singles):
                helped.append(view.id)
        assert set(rankings.queries) - set(helped) == {"fix-error-0x80070057", "cannot-sleep-before-an-exam"}


def rrf(lists: Sequence[Sequence[str]]) -> list[str]:
    """Reciprocal rank fusion, c = 60, written out."""
    scores: dict[str, float] = {}
    for ranked in lists:
        for rank, item in enumerate(ranked, start=1):
            scores[item] = scores.get(item, 0.0) + 1 / (60 + rank)
    return sorted(scores, key=lambda item: (scores[item], item), reverse=True)


def ndcg(ranked: Sequence[str], grades: Mapping[str, float], cutoff: int) -> float:
    """Gain 2^grade - 1, discount 1/log2(1 + rank), the ideal from all judged items."""

    def dcg(values: Sequence[float]) -> float:
        return sum((2**grade - 1) / math.log2(1 + rank) for rank, grade in enumerate(values[:cutoff], start=1))

    return dcg([grades[item] for item in ranked]) / dcg(sorted(grades.values(), reverse=True))
