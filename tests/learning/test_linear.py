"""Linear learners: they find what is there, whatever the scale, and say so where there is nothing to find."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest

from stagg import DataError, InvalidParameter, Labels, Rankings, UnknownName, fuse
from stagg.data.parts import join_queries
from stagg.data.simulation import simulate
from stagg.evaluation.evaluate import evaluate
from stagg.learning import LEARNERS
from stagg.learning.base import Step
from stagg.learning.examples import Examples, feature_map
from stagg.learning.linear.expected_measure import ExpectedMeasureLearner, StaggERR, StaggNDCG, StaggRBP, _Climb
from stagg.learning.linear.linear_learner import LinearLearner
from stagg.learning.linear.rankagg import RankAggNDCG
from stagg.learning.linear.scaled import Scaled

LINEAR = ["stagg_ndcg", "stagg_err", "stagg_rbp", "rankagg_ndcg", "rankagg_err", "rankagg_rbp"]
QUALITIES = [0.2, 3.0, 0.2, 0.2]


def world(seed: int = 0, queries: int = 40) -> tuple[Rankings, Labels]:
    made = simulate(queries=queries, items=15, rankers=4, quality=QUALITIES, depth=10, seed=seed)
    return made.rankings, made.labels


def small(name: str) -> LinearLearner:
    learner = LEARNERS.parse(f"{name}(iterations=12)")
    assert isinstance(learner, LinearLearner)
    return learner


@pytest.mark.parametrize("name", LINEAR)
def test_a_good_ranker_among_bad_ones_is_found(name: str) -> None:
    rankings, labels = world()
    learner = dataclasses.replace(small(name), features="borda")  # one number per ranker: weights can be compared
    model = learner.fit(rankings, labels, validation=world(1))
    unseen, truth = world(2)
    learned = evaluate(fuse(unseen, model), truth, "ndcg@10").rows[0]["mean"]
    equal = evaluate(fuse(unseen, "borda"), truth, "ndcg@10").rows[0]["mean"]
    assert learned > equal + 0.05
    weights = model.content()["weights"]
    assert max(weights, key=lambda column: weights[column] if column.endswith("nBC") else -math.inf).startswith(
        rankings.rankers[1]
    )


@pytest.mark.parametrize("learner", [StaggNDCG(), StaggERR(), StaggRBP(), StaggNDCG(approximation="normal")])
def test_the_objective_has_the_gradient_that_it_says(learner: ExpectedMeasureLearner) -> None:
    learner = dataclasses.replace(learner, ridge=0.01)
    known = Examples.of(*world(queries=6), feature_map(learner, learner.features))
    climb = _Climb(learner, known, Scaled(known))
    point = np.random.default_rng(0).normal(size=known.features.shape[1])
    for sigma in (1.0, 0.3):
        value, gradient = climb.value(point, sigma)
        steps = 1e-5 * np.eye(len(point))
        numeric = [(climb.value(point + h, sigma)[0] - climb.value(point - h, sigma)[0]) / 2e-5 for h in steps]
        assert gradient == pytest.approx(numeric, abs=1e-7)
        assert climb.value(7.3 * point, sigma)[0] == pytest.approx(value)  # the length of w does not matter


def test_the_scale_of_the_features_does_not_matter() -> None:
    rankings, labels = world()
    known = Examples.of(rankings, labels, feature_map(StaggNDCG(), "borda"))
    scaled = Scaled(dataclasses.replace(known, features=1000 * known.features))
    assert scaled.table == pytest.approx(Scaled(known).table)


def test_features_that_tell_nothing_apart_have_no_weight() -> None:
    lists = {f"q{q}": {"x": ["a", "b", "c"], "y": ["b"]} for q in range(4)}
    rankings = _several(lists)
    labels = Labels({query: {"b": 1} for query in lists})
    model = small("stagg_ndcg").fit(rankings, labels)
    weights = model.content()["weights"]
    assert weights["x:missing"] == 0.0  # x lists everything
    assert weights["y:nBC"] > 0
    same = _several({"q": {"x": [["a", "b"]]}})
    with pytest.raises(DataError, match="nothing to learn"):
        small("stagg_ndcg").fit(same, Labels({"q": {"b": 1}}))


def _several(lists: dict[str, dict[str, Any]]) -> Rankings:
    return join_queries([Rankings.from_lists(of, query=query) for query, of in lists.items()])


@pytest.mark.parametrize("name", LINEAR)
def test_one_ranker_is_enough(name: str) -> None:
    made = simulate(queries=10, items=8, rankers=1, depth=5, seed=0)
    model = small(name).fit(made.rankings, made.labels)
    assert all(math.isfinite(weight) for weight in model.weights)


@pytest.mark.parametrize("name", LINEAR)
def test_no_relevant_item_is_an_error_that_names_the_part(name: str) -> None:
    rankings, labels = world(queries=5)
    none = Labels({query: dict.fromkeys(labels[query], 0) for query in labels})
    with pytest.raises(DataError, match="training part has no relevant item"):
        small(name).fit(rankings, none)
    with pytest.raises(DataError, match="validation part has no relevant item"):
        small(name).fit(rankings, labels, validation=(rankings, none))


@pytest.mark.parametrize("name", LINEAR)
def test_queries_without_labels_are_left_out(name: str) -> None:
    rankings, labels = world(queries=12)
    some = labels.take(sorted(labels)[:6])
    model = small(name).fit(rankings, some)
    assert dict(model.training)["queries"] == 6
    kept = rankings.take_queries([rankings.query_number(query) for query in some])
    assert small(name).fit(kept, some).weights == model.weights


@pytest.mark.parametrize("name", LINEAR)
def test_a_watch_sees_every_iteration_and_may_stop(name: str) -> None:
    rankings, labels = world(queries=10)
    seen: list[Step] = []

    def watch(step: Step) -> bool:
        seen.append(step)
        return len(seen) == 3

    model = small(name).fit(rankings, labels, validation=world(1, queries=10), watch=watch)
    assert [step.iteration for step in seen] == [1, 2, 3]
    assert all(step.validation is not None for step in seen)
    assert all(math.isfinite(weight) for weight in model.weights)


def test_the_validation_part_may_not_have_rankers_of_its_own() -> None:
    rankings, labels = world(queries=5)
    fewer = rankings.take_rankers([0, 1])
    with pytest.raises(DataError, match="that the training part lacks"):
        StaggNDCG().fit(fewer, labels, validation=(rankings, labels))


@pytest.mark.parametrize(
    "text",
    [
        "stagg_ndcg(sigma=0)",
        "stagg_ndcg(sigma=-1.0)",
        "stagg_ndcg(ridge=-1)",
        "stagg_ndcg(optimiser='adam')",
        "stagg_ndcg(approximation='none')",
        "stagg_ndcg(iterations=0)",
        "stagg_ndcg(features='none')",
        "stagg_ndcg(features=3)",
        "stagg_ndcg(measure='nothing@3')",
        "stagg_rbp(p=1.0)",
        "rankagg_ndcg(rate=0)",
        "rankagg_ndcg(seed=-1)",
    ],
)
def test_parameters_out_of_range_are_refused(text: str) -> None:
    with pytest.raises((InvalidParameter, UnknownName)):
        LEARNERS.parse(text)


def test_gradient_ascent_climbs() -> None:
    rankings, labels = world(queries=15)
    found: list[float] = []

    def watch(step: Step) -> bool:
        found.append(step.objective)
        return False

    StaggNDCG(optimiser="gradient", sigma=0.5, rate=1.0, iterations=10).fit(rankings, labels, watch=watch)
    assert found == sorted(found)
    assert found[-1] > found[0]


def test_rates_are_chosen_on_the_validation_part() -> None:
    rankings, labels = world(queries=15)
    model = RankAggNDCG(iterations=4).fit(rankings, labels, validation=world(1, queries=15))
    assert dict(model.training)["rate"] in (1e-1, 1e-2, 1e-3)
    assert dict(RankAggNDCG(iterations=4, rate=0.05).fit(rankings, labels).training)["rate"] == 0.05
