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
from stagg.learning.linear.descent import Descent, DescentLeg, ascend, descend, find_contrasts
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


# --- the way of a fit -------------------------------------------------------------------------------------------------


def walk(means: list[float] | None, iterations: int = 30, **more: Any) -> Descent:
    """A fit that goes 0, 1, 2, ... and finds these means on its validation part; the last one holds from then on."""

    def validate(point: np.ndarray) -> float:
        assert means is not None
        return means[min(round(float(point[0])), len(means) - 1)]

    return ascend(
        lambda point: (-float(point[0]), np.ones(1)), np.zeros(1), 1.0, iterations=iterations,
        validate=None if means is None else validate, **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("means", "kept", "done", "best"),
    [
        ([0.1, 0.2, 0.4, 0.3, 0.35], 2, 12, 0.4),  # ten iterations without a better one end it
        ([0.5, 0.1], 0, 10, 0.5),  # the start may be the best
        ([0.1, 0.1 + 1e-10], 0, 10, 0.1),  # better by next to nothing is not better
        ([0.1] * 10 + [0.2], 10, 20, 0.2),  # the tenth is better
        ([0.1] * 11 + [0.2], 0, 10, 0.1),  # the eleventh would be
        ([k / 100 for k in range(40)], 30, 30, 0.3),
        (None, 30, 30, None),
    ],
)
def test_a_fit_keeps_the_best_iterate_and_waits_ten_for_a_better_one(
    means: list[float] | None, kept: int, done: int, best: float | None
) -> None:
    found = walk(means)
    assert (found.iteration, found.iterations, found.validation, found.converged) == (kept, done, best, False)
    assert (found.point.tolist(), found.last.tolist()) == ([kept], [done])
    facts = dict(found.facts())
    assert facts == {"iterations": done, "kept": kept, "converged": False} | (
        {} if best is None else {"validation": best}
    )


def test_a_watch_sees_each_iterate_and_its_word_ends_the_fit() -> None:
    seen: list[Step] = []

    def watch(step: Step) -> bool:
        seen.append(step)
        return step.iteration == 4

    found = walk([0.1, 0.2, 0.3, 0.1, 0.1], watch=watch)
    assert seen == [Step(k, 30, -float(k - 1), mean) for k, mean in ((1, 0.2), (2, 0.3), (3, 0.1), (4, 0.1))]
    assert (found.iteration, found.iterations) == (2, 4)


def test_a_minimum_is_met_and_what_is_reported_rises() -> None:
    seen: list[Step] = []

    def watch(step: Step) -> bool:
        seen.append(step)
        return False

    def bowl(point: np.ndarray) -> tuple[float, np.ndarray]:
        away = point - np.array([1.0, -2.0])
        return float(away @ (away * [1, 9])), 2 * away * [1, 9]

    found = descend(bowl, np.zeros(2), iterations=50, watch=watch)
    assert found.converged
    assert found.point == pytest.approx([1, -2], abs=1e-5)
    assert [step.iteration for step in seen] == list(range(1, found.iterations + 1))
    assert [step.objective for step in seen] == sorted(step.objective for step in seen)
    assert seen[-1].objective == pytest.approx(0, abs=1e-6)
    assert not descend(bowl, np.zeros(2), iterations=1).converged
    stopped = descend(bowl, np.zeros(2), iterations=50, watch=lambda step: True)
    assert (stopped.iterations, stopped.converged) == (1, False)


def test_several_runs_are_reported_as_one() -> None:
    seen: list[Step] = []

    def watch(step: Step) -> bool:
        seen.append(step)
        return step.iteration == 7

    leg = DescentLeg(watch, 5, 20)
    assert not leg(Step(1, 10, 0.5))
    assert not leg.stopped
    assert leg(Step(2, 10, 0.6))
    assert leg.stopped
    assert [(step.iteration, step.iterations, step.objective) for step in seen] == [(6, 20, 0.5), (7, 20, 0.6)]
    silent = DescentLeg(None, 5, 20)
    assert not silent(Step(1, 10, 0.5))


def test_features_are_centred_within_their_query_and_have_one_spread_over_all() -> None:
    rng = np.random.default_rng(0)
    table, queries = rng.normal(3, 2, (9, 3)), ["x"] * 4 + ["y"] * 5
    table[:, 2] = [7.0] * 4 + [8.0] * 5  # constant within every query
    known = Examples.of_rows(table, np.arange(9.0), queries)
    scaled = Scaled(known)
    centred = np.vstack([part - part.mean(axis=0) for part in (table[:4], table[4:])])
    spread = np.sqrt((centred**2).mean(axis=0))
    expected = np.where(spread > 1e-9, centred / np.where(spread > 1e-9, spread, 1), 0)
    assert scaled.table == pytest.approx(expected)
    assert scaled.table[:, 2].tolist() == [0] * 9
    assert scaled.weights(np.array([1.0, 2.0, 3.0])) == pytest.approx([1 / spread[0], 2 / spread[1], 0])
    assert Scaled(known, np.array([1.0, 2.0, 0.0])).table == pytest.approx(centred * [1, 0.5, 0])


def test_only_queries_with_items_of_different_grades_teach() -> None:
    lists = {query: {"x": ["a", "b"], "y": ["b", "c"]} for query in ("q1", "q2", "q3")}
    labels = Labels({"q1": {"a": 1}, "q2": {"a": 2, "b": 2, "c": 2}, "q3": {"a": 0, "b": 3}})
    known = Examples.of(_several(lists), labels, None)
    assert find_contrasts(known).tolist() == [0, 2]
    with pytest.raises(DataError, match="no query of the training part has items of different labels"):
        find_contrasts(Examples.of(_several({"q2": lists["q2"]}), labels, None))
