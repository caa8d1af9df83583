"""Learners: the best input, tuned weights, and their model files."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import numpy as np
import pytest

import stagg
from stagg import DataError, DataWarning, InvalidParameter, Labels, Rankings, fuse
from stagg.data.simulation import simulate
from stagg.evaluation.evaluate import evaluate
from stagg.learning import LEARNERS, Model, load_model, model_text
from stagg.learning.base import Lesson, Step
from stagg.learning.single.best_input import BestInput, OneRanker
from stagg.learning.single.trust_prior import shrink, trust_weights
from stagg.learning.single.weighted_method import WeightedMethod
from stagg.learning.single.weights import TunedWeights


def world(seed: int = 0, qualities: tuple[float, ...] = (0.3, 3.0, 0.3, 0.3)) -> tuple[Rankings, Labels]:
    made = simulate(queries=40, items=20, rankers=len(qualities), quality=list(qualities), depth=12, seed=seed)
    return made.rankings, made.labels


@functools.cache
def taught(name: str) -> Model:
    """A learner's model of the world, learned once for all tests that look at it: models do not change."""
    return LEARNERS.parse(name).fit(*world())


def test_the_best_input_is_the_ranker_with_the_best_mean() -> None:
    rankings, labels = world()
    model = BestInput(measure="ndcg@10").fit(rankings, labels)
    means = {row["run"]: row["mean"] for row in evaluate(rankings, labels, "ndcg@10").rows}
    assert model.ranker == max(means, key=lambda name: means[name]) == rankings.rankers[1]
    assert dict(model.training)["queries"] == 40


def test_the_best_input_keeps_its_list_and_puts_the_rest_behind() -> None:
    rankings = Rankings.from_lists({"x": ["a", "b"], "y": ["d", "c", "a"]})
    model = BestInput().fit(rankings, Labels({"1": {"d": 1}}))
    fused = fuse(rankings, model)
    assert fused["1"].lists["stagg-best_input"] == [["d"], ["c"], ["a"], ["b"]]
    assert fused["1"].scores["stagg-best_input"] == {"d": 3.0, "c": 2.0, "a": 1.0, "b": 0.0}


def test_tuned_weights_prefer_the_good_ranker_and_do_not_lose_on_what_they_saw() -> None:
    rankings, labels = world()
    model = TunedWeights(method="rrf(c=60)", measure="ndcg@10").fit(rankings, labels)
    weights = dict(zip(model.rankers, model.weights, strict=True))
    assert weights[rankings.rankers[1]] == max(weights.values())
    equal = evaluate(fuse(rankings, "rrf(c=60)"), labels, "ndcg@10").rows[0]["mean"]
    tuned = evaluate(fuse(rankings, model), labels, "ndcg@10").rows[0]["mean"]
    assert tuned > equal + 0.02
    assert dict(model.training)["mean"] == pytest.approx(tuned)


@pytest.mark.parametrize("method", ["rrf(c=60)", "stagg_bc(missing='neutral')", "borda"])
def test_a_model_with_weights_of_zero_has_the_mean_that_it_reports(method: str) -> None:
    for seed in range(4):
        made = simulate(queries=12, items=12, rankers=4, quality=[0.1, 3.0, 0.1, 0.5], depth=4, seed=seed)
        model = TunedWeights(method=method).fit(made.rankings, made.labels)
        tuned = evaluate(fuse(made.rankings, model), made.labels, "ndcg@10").rows[0]["mean"]
        equal = evaluate(fuse(made.rankings, method), made.labels, "ndcg@10").rows[0]["mean"]
        assert dict(model.training)["mean"] == pytest.approx(tuned)
        assert tuned >= equal - 1e-9


def test_rankers_are_matched_by_name_in_the_validation_part() -> None:
    rankings, labels = world()
    turned = rankings.take_rankers([3, 1, 0, 2])
    one = TunedWeights().fit(rankings, labels, validation=(rankings, labels))
    assert TunedWeights().fit(rankings, labels, validation=(turned, labels)) == one
    assert TunedWeights().fit(turned, labels, validation=(rankings, labels)) == one
    fewer = TunedWeights().fit(rankings, labels, validation=(rankings.take_rankers([0, 1]), labels))
    assert len(fewer.weights) == 4


def test_a_model_takes_another_meaning_of_absence_if_its_method_does() -> None:
    rankings, labels = world()
    model = TunedWeights(method="stagg_rrf").fit(rankings, labels)
    assert fuse(rankings, model, missing="skip") != fuse(rankings, model)
    with pytest.raises(InvalidParameter, match="cannot honour"):
        fuse(rankings, TunedWeights().fit(rankings, labels), missing="below")


def test_validation_sends_a_search_that_fits_noise_back_to_equal_weights() -> None:
    rankings, labels = world(1, (1.0, 1.0, 1.0, 1.0))
    other, other_labels = world(99, (1.0, 1.0, 1.0, 1.0))
    model = TunedWeights().fit(rankings, labels, validation=(other, other_labels))
    plain = evaluate(fuse(other, "rrf(c=60)"), other_labels, "ndcg@10").rows[0]["mean"]
    held = evaluate(fuse(other, model), other_labels, "ndcg@10").rows[0]["mean"]
    assert held >= plain - 1e-9


def test_a_weighted_method_is_the_method_with_these_weights() -> None:
    rankings, _ = world()
    model = WeightedMethod(learner="weights", rankers=rankings.rankers, method="borda", weights=(1.0, 2.0, 0.0, 0.5))
    plain = fuse(rankings, "borda", weights=[1.0, 2.0, 0.0, 0.5])
    fused = fuse(rankings, model)
    assert fused.rankers == ("stagg-weights",)
    assert fused.with_rankers(["stagg-borda"]) == plain
    twice = fuse(rankings, model, weights=[1, 1, 1, 2])
    assert twice.with_rankers(["x"]) == fuse(rankings, "borda", weights=[1, 2, 0, 1]).with_rankers(["x"])


@pytest.mark.parametrize("name", LEARNERS.names())
def test_every_learner_gives_a_model_that_survives_its_file(name: str, tmp_path: Path) -> None:
    (rankings, _), model = world(), taught(name)
    path = tmp_path / "model.json"
    path.write_text(model_text(model))
    back = load_model(path)
    assert back == model
    assert fuse(rankings, back) == fuse(rankings, model)
    assert model_text(back) == model_text(model)
    if model.weighs:
        assert fuse(rankings, model, intervals=0.9, draws=20).intervals is not None
    else:
        with pytest.raises(InvalidParameter, match="nothing to resample"):
            fuse(rankings, model, intervals=0.9, draws=20)
        with pytest.warns(DataWarning, match="weights have no effect"):
            assert fuse(rankings, model, weights=[2, 1, 1, 1]) == fuse(rankings, model)


@pytest.mark.parametrize("name", LEARNERS.names())
def test_learning_is_deterministic_and_blind_to_the_order_of_queries(name: str) -> None:
    rankings, labels = world()
    again = LEARNERS.parse(name).fit(rankings.take_queries(range(40)[::-1]), labels)
    assert again.content() == taught(name).content()


@pytest.mark.parametrize("name", LEARNERS.names())
def test_unknown_rankers_are_refused_and_missing_ones_warned_of(name: str) -> None:
    (rankings, _), model = world(), taught(name)
    with pytest.raises(DataError, match="does not know the ranker 'new'"):
        fuse(rankings.with_rankers(["new", *rankings.rankers[1:]]), model)
    with pytest.warns(DataWarning, match="lacks rankers that the model knows"):
        fused = fuse(rankings.take_rankers([0, 1]), model)
    assert len(fused) == 40


@pytest.mark.parametrize("name", [name for name in LEARNERS.names() if LEARNERS.parse(name).needs_labels])
def test_labels_for_no_query_are_a_clear_error_and_for_some_are_enough(name: str) -> None:
    rankings, labels = world()
    with pytest.raises(DataError, match="no query of the rankings has a label"):
        LEARNERS.parse(name).fit(rankings, Labels({"other": {"a": 1}}))
    some = labels.take(sorted(labels)[:7])
    assert dict(LEARNERS.parse(name).fit(rankings, some).training)["queries"] == 7
    empty = Labels({query: dict.fromkeys(labels[query], 0.0) for query in labels})
    if name in ("best_input", "weights", "few_labels"):  # of what they choose among, they keep the first
        assert isinstance(LEARNERS.parse(name).fit(rankings, empty), Model)
    else:
        with pytest.raises(DataError, match="training part has no relevant item"):
            LEARNERS.parse(name).fit(rankings, empty)
    one = rankings.take_rankers([0])
    assert isinstance(LEARNERS.parse(name).fit(one, labels), Model)


def test_a_method_that_is_no_sum_cannot_be_weighted() -> None:
    with pytest.raises(InvalidParameter, match="not a weighted sum"):
        TunedWeights(method="median_rank")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda body: body | {"checksum": "0"}, "checksum does not fit"),
        (lambda body: body | {"rankers": ["z"]}, "checksum does not fit"),
        (lambda body: body | {"stagg_model": 99}, "file version 99"),
        (lambda body: {"a": 1}, "not a model file"),
        (lambda body: [], "not a model file"),
    ],
)
def test_a_damaged_model_file_is_refused(change: object, message: str, tmp_path: Path) -> None:
    rankings, labels = world()
    body = json.loads(model_text(BestInput().fit(rankings, labels)))
    path = tmp_path / "model.json"
    path.write_text(json.dumps(change(body)))  # type: ignore[operator]
    with pytest.raises(DataError, match=message):
        load_model(path)


def test_what_is_no_json_or_no_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_bytes(b"\x80\x04\x95 pickle")
    with pytest.raises(DataError, match="not a model file"):
        load_model(path)
    with pytest.raises(DataError, match="cannot be read"):
        load_model(tmp_path / "none.json")


def test_weights_of_multiplicities_count_voters() -> None:
    rankings = Rankings.from_lists({"x": ["a", "b"], "y": ["b", "a"]}).replace(multiplicities=np.array([3, 1]))
    model = TunedWeights(method="borda", measure="mrr").fit(rankings, Labels({"1": {"b": 1}}))
    assert fuse(rankings, model).best_first()[0] == "b"


def test_a_model_of_another_package_is_restored_by_its_learner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Mine(OneRanker):
        kind = "mine"

    class MyLearner(BestInput):
        name = "mine"
        model_class = Mine

        def learn(self, lesson: Lesson) -> Mine:
            return Mine(learner=repr(self), rankers=lesson.rankings.rankers, ranker=lesson.rankings.rankers[0])

    monkeypatch.setitem(LEARNERS._plugins, "mine", MyLearner)
    runs = Rankings.from_lists({"x": ["a", "b"], "y": ["b", "a"]})
    stagg.train(runs, "mine", {"1": {"a": 1}}).save(tmp_path / "mine.json")
    back = stagg.load_model(tmp_path / "mine.json")
    assert isinstance(back, Mine)
    assert stagg.fuse(runs, back).best_first() == ["a", "b"]


def test_a_prior_draws_the_weights_toward_trust_and_less_so_with_more_labels() -> None:
    rankings, labels = world(qualities=(0.3, 3.0, 1.0, 0.3))
    trust = trust_weights(rankings, rankings.rankers)
    distances = []
    for count in (3, 10, 40):
        few = labels.take(sorted(labels)[:count])
        tuned, drawn = (np.array(TunedWeights(prior=prior).fit(rankings, few).weights) for prior in (None, "trust"))
        assert not np.array_equal(tuned, drawn)
        distances.append(np.abs(drawn / drawn.mean() - trust / trust.mean()).max())
    assert distances == sorted(distances)
    assert shrink(tuned, trust, 10**9) == pytest.approx(tuned / tuned.mean(), abs=1e-6)
    assert shrink(tuned, trust, 0) == pytest.approx(trust / trust.mean())


def test_a_prior_also_learns_from_queries_without_labels() -> None:
    rankings, labels = world()
    few = labels.take(sorted(labels)[:3])
    alone = rankings.take_queries([rankings.query_number(query) for query in few])
    assert TunedWeights(prior="trust").fit(rankings, few) != TunedWeights(prior="trust").fit(alone, few)
    assert TunedWeights().fit(rankings, few) == TunedWeights().fit(alone, few)


def test_where_there_is_no_trust_to_learn_the_prior_is_equal_weights() -> None:
    rankings = Rankings.from_lists({"x": ["a", "b"], "y": ["b", "a"]})
    assert trust_weights(rankings, rankings.rankers).tolist() == [1.0, 1.0]
    model = TunedWeights(prior="trust").fit(rankings, Labels({"1": {"b": 1}}))
    assert np.isfinite(model.weights).all()


def test_a_prior_that_is_unknown_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="prior is 'thrust'"):
        TunedWeights(prior="thrust")
    assert repr(TunedWeights()) == "weights(method='rrf(c=60)', measure='ndcg@10')"
    assert LEARNERS.parse("weights(prior='trust')") == TunedWeights(prior="trust")


def slow_search(rankings: Rankings, labels: Labels, method: str, measure: str) -> list[float]:
    """The weights by the docstring: in turn the value of the grid with the best mean, until a pass changes nothing."""
    weights = [1.0] * len(rankings.rankers)

    def mean(tried: list[float]) -> float:
        fused = fuse(rankings, method, weights=tried)
        return float(evaluate(fused, labels, measure, single_precision=False).rows[0]["mean"])

    best = mean(weights)
    for _ in range(5):
        before = list(weights)
        for ranker in range(len(weights)):
            for value in (0.0, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 5.0):
                tried = [*weights[:ranker], value, *weights[ranker + 1 :]]
                if value != weights[ranker] and any(tried) and mean(tried) > best + 1e-6:
                    best, weights = mean(tried), tried
        if weights == before:
            break
    return weights


@pytest.mark.parametrize("seed", [0, 1])
def test_tuned_weights_are_those_of_a_slow_search(seed: int) -> None:
    made = simulate(queries=6, items=12, rankers=3, quality=[0.5, 2.0, 0.7], depth=8, seed=seed)
    found = TunedWeights(measure="map").fit(made.rankings, made.labels)
    assert list(found.weights) == slow_search(made.rankings, made.labels, "rrf(c=60)", "map")


def test_a_watch_ends_the_search_after_the_ranker_that_it_saw() -> None:
    made = simulate(queries=6, items=12, rankers=3, quality=[0.5, 2.0, 0.7], depth=8, seed=0)
    steps = []

    def watch(step: Step) -> bool:
        steps.append((step.iteration, step.iterations))
        return len(steps) == 2

    found = TunedWeights(measure="map").fit(made.rankings, made.labels, watch=watch)
    assert steps == [(1, 15), (2, 15)]
    assert found.weights[2] == 1.0  # nobody came to it
