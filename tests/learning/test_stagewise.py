"""The CPS learner: what it learns, from what, and what its model says."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.methods.toys import TOY_F

from stagg import DataError, InvalidParameter, Labels, Rankings, fuse
from stagg.data.simulation import simulate
from stagg.evaluation.evaluate import evaluate
from stagg.learning.base import Step
from stagg.learning.examples import Examples
from stagg.learning.single.stagewise import CPS, StagewiseModel, _consistent_orders, _Likelihood

WAYS = ["spearman", "footrule", "kendall"]


def world(seed: int = 0, queries: int = 30) -> tuple[Rankings, Labels]:
    made = simulate(queries=queries, items=15, rankers=4, quality=[0.2, 3.0, 0.2, 0.8], depth=9, seed=seed)
    return made.rankings, made.labels


def mean(rankings: Rankings, labels: Labels, method: object) -> float:
    return float(evaluate(fuse(rankings, method), labels, "ndcg@10").rows[0]["mean"])  # type: ignore[arg-type]


@pytest.mark.parametrize("distance", WAYS)
def test_good_rankers_get_large_weights_and_the_model_beats_equal_ones(distance: str) -> None:
    rankings, labels = world()
    model = CPS(distance=distance).fit(rankings, labels)
    assert int(np.argmax(model.theta)) == 1
    assert int(np.argsort(model.theta)[-2]) == 3
    facts = dict(model.training)
    assert facts["converged"] is True
    assert facts["mean"] == pytest.approx(mean(rankings, labels, model), abs=1e-12)
    other, other_labels = world(7)
    assert mean(other, other_labels, model) > mean(other, other_labels, "mean_rank") + 0.02


@pytest.mark.parametrize("distance", WAYS)
@pytest.mark.parametrize("stages", ["all", "decided"])
def test_the_gradient_of_the_objective_is_that_of_finite_differences(distance: str, stages: str) -> None:
    rankings, labels = world(queries=5)
    function = _Likelihood(CPS(distance=distance, stages=stages), Examples.of(rankings, labels, None))
    point, step = np.array([0.3, 1.0, -0.2, 0.5]), 1e-6
    slopes = [(function(point + e)[0] - function(point - e)[0]) / (2 * step) for e in step * np.eye(4)]
    assert function(point)[1] == pytest.approx(slopes, abs=1e-7)


@pytest.mark.parametrize("distance", WAYS)
def test_the_learned_weights_are_a_maximum(distance: str) -> None:
    rankings, labels = world(queries=8)
    learner = CPS(distance=distance, iterations=500)
    model = learner.fit(rankings, labels)
    function = _Likelihood(learner, Examples.of(rankings, labels, None))
    assert np.abs(function(np.array(model.theta) * function.unit)[1]).max() < 1e-4


def test_the_model_orders_the_toy_as_worked_out() -> None:
    rankings = Rankings.from_lists([list(each) for each in TOY_F])
    for distance in WAYS:
        model = StagewiseModel(learner="cps", rankers=("1", "2", "3"), distance=distance, theta=(0.3, 0.5, 0.2))
        assert fuse(rankings, model).best_first() == list("BACD")
        assert fuse(rankings, model)["1"].scores["stagg-cps"] == {"B": 4.0, "A": 3.0, "C": 2.0, "D": 1.0}


def test_spearman_sorts_by_the_weighted_mean_rank() -> None:
    rankings, _ = world()
    theta = (0.5, 2.0, 1.0, 0.25)
    model = StagewiseModel(learner="cps", rankers=rankings.rankers, distance="spearman", theta=theta)
    plain = fuse(rankings, "mean_rank", weights=list(theta))
    assert [v.lists["stagg-cps"] for v in fuse(rankings, model)] == [v.lists["stagg-mean_rank"] for v in plain]


def test_weights_given_by_the_user_multiply_theta_and_a_missing_ranker_says_nothing() -> None:
    rankings, _ = world()
    for distance in WAYS:
        make = {"learner": "cps", "rankers": rankings.rankers, "distance": distance}
        plain = StagewiseModel(**make, theta=(0.1, 0.2, 0.3, 0.4))
        twice = StagewiseModel(**make, theta=(0.1, 0.4, 0.3, 0.4))
        assert fuse(rankings, plain, weights=[1, 2, 1, 1]) == fuse(rankings, twice)
        none = StagewiseModel(**make, theta=(0.1, 0.2, 0.0, 0.0))
        some = rankings.take_rankers([0, 1])
        with pytest.warns(match="lacks rankers"):
            assert fuse(some, none) == fuse(some, plain)


def test_sampled_orders_follow_the_grades_and_depend_on_seed_and_query_alone() -> None:
    grades = np.array([[0.0, 2, 1, 0, 1, 0], [1, 1, 1, 1, 0, 0]])
    learner = CPS(samples=40)
    orders = _consistent_orders(learner, grades, ["q1", "q2"])
    for drawn in orders:
        assert (np.diff(np.take_along_axis(grades, drawn, axis=1), axis=1) <= 0).all()
    assert len({tuple(drawn[1].tolist()) for drawn in orders}) > 10
    alone = _consistent_orders(learner, grades[1:], ["q2"])
    assert [drawn[0].tolist() for drawn in alone] == [drawn[1].tolist() for drawn in orders]
    other = _consistent_orders(CPS(samples=40, seed=1), grades, ["q1", "q2"])
    assert any((one != two).any() for one, two in zip(orders, other, strict=True))


def test_the_order_of_items_and_rankers_in_the_files_does_not_matter() -> None:
    rankings, labels = world()
    one = CPS(distance="kendall").fit(rankings, labels)
    turned = {view.id: dict(reversed(list(view.lists.items()))) for view in rankings}
    runs = {
        ranker: {q: {i: -p for p, g in enumerate(turned[q].get(ranker, [])) for i in g} for q in reversed(turned)}
        for ranker in reversed(rankings.rankers)
    }
    assert CPS(distance="kendall").fit(Rankings.from_runs(runs), labels).theta == one.theta


def test_validation_keeps_the_best_iterate_and_says_what_it_reached() -> None:
    train, other = world(0, queries=4), world(5)
    seen: list[Step] = []
    model = CPS().fit(*train, validation=other, watch=lambda step: seen.append(step) or False)
    facts = dict(model.training)
    reached = [step.validation for step in seen]
    assert facts["iterations"] == len(seen)
    assert facts["validation"] == pytest.approx(mean(*other, model), abs=1e-12)
    assert facts["validation"] >= max(reached) - 1e-9
    assert facts["kept"] == 0 or reached[facts["kept"] - 1] == facts["validation"]


def test_a_watch_sees_the_likelihood_rise_and_may_stop_the_fit() -> None:
    rankings, labels = world()
    seen: list[Step] = []
    CPS().fit(rankings, labels, watch=lambda step: seen.append(step) or False)
    assert [step.iteration for step in seen] == list(range(1, len(seen) + 1))
    assert all(later.objective >= sooner.objective for sooner, later in itertools.pairwise(seen))
    assert seen[0].iterations == 100
    assert seen[0].validation is None
    stopped = CPS().fit(rankings, labels, watch=lambda step: step.iteration == 2)
    assert dict(stopped.training)["iterations"] == 2
    assert dict(stopped.training)["converged"] is False


def test_labels_that_tell_nothing_apart_are_a_clear_error() -> None:
    rankings = Rankings.from_lists({"x": ["a", "b"], "y": ["b", "a"]})
    with pytest.raises(DataError, match="no relevant item"):
        CPS().fit(rankings, Labels({"1": {"a": 0, "b": 0}}))
    with pytest.raises(DataError, match="items of different labels"):
        CPS().fit(rankings, Labels({"1": {"a": 1, "b": 1}}))
    with pytest.raises(DataError, match="validation part has no relevant"):
        CPS().fit(rankings, Labels({"1": {"a": 1}}), validation=(rankings, Labels({"1": {"a": 0}})))
    with pytest.raises(DataError, match="'z' that the training part lacks"):
        CPS().fit(rankings, Labels({"1": {"a": 1}}), validation=(rankings.with_rankers("xz"), Labels({"1": {"a": 1}})))


@pytest.mark.parametrize("distance", WAYS)
def test_one_ranker_queries_of_one_item_and_unlabelled_queries_are_no_obstacle(distance: str) -> None:
    runs = Rankings.from_runs({"x": {"1": {"a": 2.0, "b": 1.0, "c": 0.5}, "2": {"a": 1.0}, "3": {"a": 2.0, "b": 1.0}}})
    model = CPS(distance=distance).fit(runs, Labels({"1": {"b": 1, "a": 1}, "2": {"a": 1}}))
    assert dict(model.training)["queries"] == 2
    assert model.theta[0] > 0
    assert fuse(runs, model).best_first("1") == ["a", "b", "c"]
    assert fuse(runs, model).best_first("2") == ["a"]
    turned = CPS(distance=distance).fit(runs, Labels({"1": {"c": 2, "b": 1}}))
    assert turned.theta[0] < 0


@pytest.mark.parametrize(
    "wrong", ["distance='cosine'", "samples=0", "stages='few'", "iterations=1.5", "seed=-1", "measure=3"]
)
def test_wrong_parameters_are_refused(wrong: str) -> None:
    from stagg.learning import LEARNERS

    with pytest.raises(InvalidParameter, match=wrong.partition("=")[0]):
        LEARNERS.parse(f"cps({wrong})")
