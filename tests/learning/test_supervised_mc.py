"""The supervised Markov chain: its gradient, what it learns, and the chain that its model is."""

from __future__ import annotations

import numpy as np
import pytest
from tests.methods.toys import TOY_F

from stagg import DataError, InvalidParameter, Labels, Rankings, fuse
from stagg.data.simulation import simulate
from stagg.evaluation.evaluate import evaluate
from stagg.learning import LEARNERS
from stagg.learning.base import Step
from stagg.learning.examples import Examples
from stagg.learning.single.supervised_mc import MixedChain, SupervisedMC, _Losses


def world(seed: int = 0, queries: int = 30) -> tuple[Rankings, Labels]:
    made = simulate(queries=queries, items=15, rankers=4, quality=[0.2, 3.0, 0.2, 0.8], depth=9, seed=seed)
    return made.rankings, made.labels


def mean(rankings: Rankings, labels: Labels, method: object) -> float:
    return float(evaluate(fuse(rankings, method), labels, "ndcg@10").rows[0]["mean"])  # type: ignore[arg-type]


def some_lists_missing(rankings: Rankings) -> Rankings:
    """Without the list of the second ranker in every other query."""
    runs = rankings.to_runs()
    second = rankings.rankers[1]
    runs[second] = {q: run for number, (q, run) in enumerate(runs[second].items()) if number % 2}
    return Rankings.from_runs(runs)


@pytest.mark.parametrize("chain", ["mc3", "mc2"])
def test_good_rankers_are_asked_more_and_the_model_beats_equal_ones(chain: str) -> None:
    rankings, labels = world()
    model = SupervisedMC(chain=chain).fit(rankings, labels)
    assert int(np.argmax(model.weights)) == 1
    assert sum(model.weights) == pytest.approx(1)
    facts = dict(model.training)
    assert facts["converged"] is True
    assert facts["mean"] == pytest.approx(mean(rankings, labels, model), abs=1e-12)
    other = world(7)
    assert mean(*other, model) > mean(*other, chain) + 0.02


@pytest.mark.parametrize("chain", ["mc3", "mc2"])
def test_the_gradient_of_the_objective_is_that_of_finite_differences(chain: str) -> None:
    rankings, labels = world(queries=5)
    function = _Losses(SupervisedMC(chain=chain), Examples.of(some_lists_missing(rankings), labels, None))
    point, step = np.array([0.3, 1.0, -0.2, 0.5]), 1e-5
    slopes = [(function(point + e)[0] - function(point - e)[0]) / (2 * step) for e in step * np.eye(4)]
    assert function(point)[1] == pytest.approx(slopes, abs=1e-7)


def test_the_model_is_the_chain_with_its_weights_and_has_the_worked_numbers() -> None:
    """METHODS.md, section 4.3."""
    rankings = Rankings.from_lists([list(each) for each in TOY_F])
    method = "mc3(missing='below', teleport=0.15)"
    model = MixedChain(learner="supervised_mc", rankers=("1", "2", "3"), method=method, weights=(0.5, 0.3, 0.2))
    found = fuse(rankings, model)["1"].scores["stagg-supervised_mc"]
    expected = {"A": 0.44917793, "B": 0.32453283, "C": 0.14453093, "D": 0.08175831}
    assert found == pytest.approx(expected, abs=1e-8)


def test_the_objective_sees_the_walker_of_the_model() -> None:
    made, labels = world(queries=6)
    rankings = some_lists_missing(made)
    model = SupervisedMC(iterations=3).fit(rankings, labels)
    function = _Losses(SupervisedMC(), Examples.of(rankings, labels, None))
    runs, losses = fuse(rankings, model).to_runs()["stagg-supervised_mc"], []
    for query in rankings.queries:
        time, grades = runs[query], {item: labels[query].get(item, 0.0) for item in runs[query]}
        pairs = [(i, j) for i in time for j in time if grades[i] > grades[j]]
        losses.append(np.mean([max(0, len(time) * (time[j] - time[i]) + 1) ** 2 for i, j in pairs]))
    assert function(np.log(model.weights))[0] == pytest.approx(np.mean(losses), rel=1e-8)


def test_validation_keeps_the_best_iterate_and_says_what_it_reached() -> None:
    train, other = world(0, queries=4), world(5)
    seen: list[Step] = []
    model = SupervisedMC().fit(*train, validation=other, watch=lambda step: seen.append(step) or False)
    facts = dict(model.training)
    assert facts["iterations"] == len(seen)
    assert facts["validation"] == pytest.approx(mean(*other, model), abs=1e-12)
    assert facts["validation"] >= max(step.validation for step in seen) - 1e-9
    assert facts["validation"] >= mean(*other, "mc3") - 1e-9  # equal weights are where it starts


def test_a_watch_may_stop_the_fit() -> None:
    stopped = SupervisedMC().fit(*world(), watch=lambda step: step.iteration == 2)
    assert dict(stopped.training)["iterations"] == 2
    assert dict(stopped.training)["converged"] is False


def test_labels_that_tell_nothing_apart_are_a_clear_error() -> None:
    rankings = Rankings.from_lists({"x": ["a", "b"], "y": ["b", "a"]})
    with pytest.raises(DataError, match="no relevant item"):
        SupervisedMC().fit(rankings, Labels({"1": {"a": 0, "b": 0}}))
    with pytest.raises(DataError, match="items of different labels"):
        SupervisedMC().fit(rankings, Labels({"1": {"a": 1, "b": 1}}))


def test_labels_of_relevant_items_alone_are_enough() -> None:
    rankings = Rankings.from_lists({"x": ["a", "b", "c"], "y": ["c", "b", "a"]})
    model = SupervisedMC().fit(rankings, Labels({"1": {"a": 1}}))
    assert model.weights[0] > 0.8  # enough for the margin
    assert fuse(rankings, model).best_first() == ["a", "b", "c"]
    assert min(model.weights) > 0  # a ranker of weight 0 would take its items with it


def test_one_ranker_queries_of_one_item_and_unlabelled_queries_are_no_obstacle() -> None:
    runs = Rankings.from_runs({"x": {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}, "3": {"a": 2.0, "b": 1.0}}})
    model = SupervisedMC().fit(runs, Labels({"1": {"b": 1}, "2": {"a": 1}}))
    assert model.weights == (1.0,)
    assert dict(model.training)["queries"] == 2
    assert fuse(runs, model).best_first("3") == ["a", "b"]


@pytest.mark.parametrize("wrong", ["chain='mc4'", "teleport=0", "teleport=1", "margin=-1", "iterations=0", "measure=3"])
def test_wrong_parameters_are_refused(wrong: str) -> None:
    with pytest.raises(InvalidParameter, match=wrong.partition("=")[0]):
        LEARNERS.parse(f"supervised_mc({wrong})")
