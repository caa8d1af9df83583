"""Every registered feature map through the same named checks, and liars that they must catch."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from tests.strategies import random_rankings

from stagg import Rankings
from stagg.errors import InvalidParameter, StaggError
from stagg.features import FEATURES, FeatureMap, cp, svd
from stagg.features.base import entry_places
from stagg.kernels.arrays import FloatArray, IntArray

pytest.importorskip("tensorly", reason="the features 'cp' need tensorly")

VARIANTS = [
    "borda",
    "borda(missing_bits=False)",
    "ranks",
    "raw",
    "svd",
    "svd(form='difference', rank=3)",
    "svd(form='log', rank=2, singular_values=False)",
    "cp(restarts=2)",
    "cp(form='difference', rank=2, restarts=2, seed=3)",
    "cp(form='log', rank=5, restarts=1, missing_bits=False)",
]
SEEDS = range(6)

Check = Callable[[FeatureMap, int], None]
Rows = dict[tuple[str, str], bytes]


def rows(features: FeatureMap, rankings: Rankings, rankers: Sequence[str] | None = None) -> Rows:
    """The bytes of the vector of every (query, item)."""
    table = features.of(rankings, sorted(rankings.rankers) if rankers is None else rankers)
    places = [(rankings.queries[q], item) for q, item in zip(rankings.item_queries, rankings.items, strict=True)]
    return {place: row.tobytes() for place, row in zip(places, table, strict=True)}


def rebuilt(rankings: Rankings, change: Callable[[dict[str, float]], dict[str, float]]) -> Rankings:
    """The same rankings with something done to every list {item: score}."""
    runs = rankings.to_runs()
    return Rankings.from_runs({ranker: {q: change(of) for q, of in run.items()} for ranker, run in runs.items()})


def with_unlisted(rankings: Rankings) -> Rankings:
    """The first query alone, with a candidate that no list holds."""
    one = rankings.take_queries([0])
    return one.replace(items=(*one.items, "nobody"), item_offsets=np.array([0, len(one.items) + 1]), declared=True)


def the_table_has_a_finite_number_for_every_item_and_column(features: FeatureMap, seed: int) -> None:
    rankings = random_rankings(seed)
    table = features.of(rankings)
    columns = features.columns(rankings.rankers)
    assert table.shape == (len(rankings.items), len(columns))
    assert len(set(columns)) == len(columns)
    assert table.dtype == np.float64
    assert np.isfinite(table).all()


def the_order_of_the_rankers_does_not_matter(features: FeatureMap, seed: int) -> None:
    rankings = random_rankings(seed)
    turned = rankings.take_rankers([2, 0, 3, 1])
    assert rows(features, rankings) == rows(features, turned)


def the_order_and_the_names_of_the_items_do_not_matter(features: FeatureMap, seed: int) -> None:
    rankings = random_rankings(seed)
    names = {f"i{number}": f"j{(5 * number + 2) % 7}" for number in range(6)}
    renamed = rebuilt(rankings, lambda of: {names[item]: score for item, score in reversed(of.items())})
    expected = {(query, names[item]): row for (query, item), row in rows(features, rankings).items()}
    assert rows(features, renamed) == expected


def queries_one_by_one_or_together_give_the_same(features: FeatureMap, seed: int) -> None:
    rankings = random_rankings(seed, queries=3)
    together = rows(features, rankings)
    alone = [rows(features, rankings.take_queries([q]), sorted(rankings.rankers)) for q in range(len(rankings))]
    assert together == dict(itertools.chain.from_iterable(part.items() for part in alone))


def a_ranker_that_is_absent_lists_nothing(features: FeatureMap, seed: int) -> None:
    rankings = random_rankings(seed)
    silent = Rankings.from_runs({**rankings.to_runs(), "r1a": {"other": {"x": 1.0, "y": 0.0}}})
    known = sorted(silent.rankers)
    expected = {place: row for place, row in rows(features, silent).items() if place[0] != "other"}
    assert rows(features, rankings, known) == expected


def an_item_in_no_list_has_zeros_and_bits(features: FeatureMap, seed: int) -> None:
    rankings = with_unlisted(random_rankings(seed))
    last = features.of(rankings)[-1]
    bits = len(rankings.rankers) if features.missing_bits else 0
    assert not last[: len(last) - bits].any()
    assert last[len(last) - bits :].all()


def an_increasing_transform_of_the_scores_changes_nothing(features: FeatureMap, seed: int) -> None:
    rankings = random_rankings(seed)
    grown = rebuilt(rankings, lambda of: {item: float(np.exp(score)) for item, score in of.items()})
    assert rows(features, rankings) == rows(features, grown)


def missing_bits_are_the_last_columns(features: FeatureMap, seed: int) -> None:
    rankings = random_rankings(seed)
    with_bits, without = (dataclasses.replace(features, missing_bits=bits) for bits in (True, False))
    table, m = with_bits.of(rankings), len(rankings.rankers)
    assert table[:, :-m].tobytes() == without.of(rankings).tobytes()
    assert with_bits.columns(rankings.rankers)[:-m] == without.columns(rankings.rankers)
    for (query, item), bits in zip(rows(features, rankings), table[:, -m:], strict=True):
        lists = rankings[query].scores
        assert bits.tolist() == [float(item not in lists.get(ranker, {})) for ranker in rankings.rankers]


def items_that_tie_in_every_list_have_the_same_vector(features: FeatureMap, seed: int) -> None:
    twins = rebuilt(random_rankings(seed), lambda of: of | ({"twin": of["i0"]} if "i0" in of else {}))
    found = rows(features, twins)
    pairs = [(found[query, "i0"], row) for (query, item), row in found.items() if item == "twin"]
    assert all(one == other for one, other in pairs)


def weights_do_not_matter(features: FeatureMap, seed: int) -> None:
    rankings = random_rankings(seed)
    assert rows(features, rankings) == rows(features, rankings.with_weights([1.0, 2.0, 0.5, 3.0]))


def what_is_kept_is_what_is_computed(features: FeatureMap, seed: int) -> None:
    rankings = random_rankings(seed)
    found = rows(features, rankings)
    assert rows(features, rankings) == found
    svd.CACHE.clear()
    cp.CACHE.clear()
    assert rows(features, rankings) == found


def the_text_is_the_map(features: FeatureMap, seed: int) -> None:
    assert FEATURES.parse(repr(features)) == features


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        the_table_has_a_finite_number_for_every_item_and_column,
        the_order_of_the_rankers_does_not_matter,
        the_order_and_the_names_of_the_items_do_not_matter,
        queries_one_by_one_or_together_give_the_same,
        a_ranker_that_is_absent_lists_nothing,
        an_item_in_no_list_has_zeros_and_bits,
        an_increasing_transform_of_the_scores_changes_nothing,
        missing_bits_are_the_last_columns,
        items_that_tie_in_every_list_have_the_same_vector,
        weights_do_not_matter,
        what_is_kept_is_what_is_computed,
        the_text_is_the_map,
    )
}


@pytest.mark.parametrize(("text", "law"), list(itertools.product(VARIANTS, CHECKS)))
def test_law(text: str, law: str) -> None:
    for seed in SEEDS:
        CHECKS[law](FEATURES.parse(text), seed)


def test_every_registered_map_goes_through_the_laws() -> None:
    assert {FEATURES.parse(text).name for text in VARIANTS} == set(FEATURES.names())


@pytest.mark.parametrize("text", VARIANTS)
def test_the_smallest_queries_are_no_special_case(text: str) -> None:
    features = FEATURES.parse(text)
    for lists in ([["a"]], [["a", "b"]], [[["a", "b"]]], [["a"], ["b"], ["c"]], [["a", "b"], ["b", "a"]]):
        rankings = Rankings.from_lists(lists)
        table = features.of(rankings)
        assert table.shape == (len(rankings.items), len(features.columns(rankings.rankers)))
        assert np.isfinite(table).all()
    nobody = with_unlisted(Rankings.from_lists([["a"]])).take_rankers([])
    assert len(features.of(nobody)) == len(nobody.items)
    assert len(features.of(nobody.take_queries([]))) == 0


@pytest.mark.parametrize("text", VARIANTS)
def test_a_ranker_that_the_features_do_not_know_is_refused(text: str) -> None:
    with pytest.raises(InvalidParameter, match="the ranker '2' is not among"):
        FEATURES.parse(text).of(Rankings.from_lists([["a"], ["a"]]), ["1", "3"])


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Liar(FeatureMap):
    """One column, computed as a subclass says."""

    name = "liar"

    def own_columns(self, rankers: Sequence[str]) -> list[str]:
        return ["lie"]

    def own(self, rankings: Rankings, numbers: IntArray, count: int) -> FloatArray:
        return np.array(self.lie(rankings, numbers), dtype=float).reshape(-1, 1)

    def lie(self, rankings: Rankings, numbers: IntArray) -> Sequence[float] | FloatArray:
        return np.zeros(len(rankings.items))


class Names(Liar):
    def lie(self, rankings: Rankings, numbers: IntArray) -> Sequence[float] | FloatArray:
        return [float(item[-1] in "02468") for item in rankings.items]


class Everywhere(Liar):
    def lie(self, rankings: Rankings, numbers: IntArray) -> Sequence[float] | FloatArray:
        return np.full(len(rankings.items), rankings.mean_positions.mean())


class First(Liar):
    def lie(self, rankings: Rankings, numbers: IntArray) -> Sequence[float] | FloatArray:
        found = np.zeros(len(rankings.items))
        for item, ranker in zip(rankings.entries, rankings.list_rankers[rankings.entry_lists], strict=True):
            found[item] = ranker
        return found


class HowMany(Liar):
    def lie(self, rankings: Rankings, numbers: IntArray) -> Sequence[float] | FloatArray:
        return np.full(len(rankings.items), float(len(rankings.rankers)))


class Scores(Liar):
    def lie(self, rankings: Rankings, numbers: IntArray) -> Sequence[float] | FloatArray:
        found = np.zeros(len(rankings.items))
        np.add.at(found, entry_places(rankings, numbers)[0], np.nan_to_num(rankings.scores))
        return found


class Places(Liar):
    def lie(self, rankings: Rankings, numbers: IntArray) -> Sequence[float] | FloatArray:
        found = np.zeros(len(rankings.items))
        np.add.at(found, rankings.entries, rankings.positions.astype(float))
        return found


class Weighted(Liar):
    def lie(self, rankings: Rankings, numbers: IntArray) -> Sequence[float] | FloatArray:
        found = np.zeros(len(rankings.items))
        np.add.at(found, rankings.entries, rankings.list_weights[rankings.entry_lists])
        return found


class Moody(Liar):
    def lie(self, rankings: Rankings, numbers: IntArray) -> Sequence[float] | FloatArray:
        return np.random.default_rng().random(len(rankings.items))


class Endless(Liar):
    def lie(self, rankings: Rankings, numbers: IntArray) -> Sequence[float] | FloatArray:
        return np.full(len(rankings.items), np.inf)


class Forward(Liar):
    def columns(self, rankers: Sequence[str]) -> list[str]:
        return super().columns(rankers)[::-1]

    def of(self, rankings: Rankings, rankers: Sequence[str] | None = None) -> FloatArray:
        return super().of(rankings, rankers)[:, ::-1]


LIARS = [
    (Endless(), "the_table_has_a_finite_number_for_every_item_and_column"),
    (First(), "the_order_of_the_rankers_does_not_matter"),
    (Names(), "the_order_and_the_names_of_the_items_do_not_matter"),
    (Everywhere(), "queries_one_by_one_or_together_give_the_same"),
    (HowMany(), "a_ranker_that_is_absent_lists_nothing"),
    (Everywhere(), "an_item_in_no_list_has_zeros_and_bits"),
    (Scores(), "an_increasing_transform_of_the_scores_changes_nothing"),
    (Forward(), "missing_bits_are_the_last_columns"),
    (Places(), "items_that_tie_in_every_list_have_the_same_vector"),
    (Weighted(), "weights_do_not_matter"),
    (Moody(), "what_is_kept_is_what_is_computed"),
    (Liar(), "the_text_is_the_map"),
]


@pytest.mark.parametrize(
    ("liar", "law"), LIARS, ids=lambda value: value if isinstance(value, str) else type(value).__name__
)
def test_a_liar_is_caught(liar: FeatureMap, law: str) -> None:
    def broken(seed: int) -> bool:
        try:
            CHECKS[law](liar, seed)
        except (AssertionError, StaggError):
            return True
        return False

    assert any(broken(seed) for seed in SEEDS)


def test_every_law_has_a_liar() -> None:
    assert {law for _, law in LIARS} == set(CHECKS)
