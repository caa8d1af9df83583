"""Laws of every registered learner and of the models that it makes."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from tests.checks import some

from stagg import Labels, Rankings, fuse
from stagg.data.simulation import simulate
from stagg.evaluation.evaluate import evaluate
from stagg.learning import LEARNERS, Model, model_text
from stagg.learning.base import Step

NAMES = LEARNERS.names()


@functools.cache
def world(seed: int = 0) -> tuple[Rankings, Labels]:
    made = simulate(queries=14, items=9, rankers=4, quality=[0.3, 2.0, 0.3, 1.0], depth=6, seed=seed)
    return made.rankings, made.labels


@functools.cache
def fitted(name: str) -> Model:
    return LEARNERS.parse(name).fit(*world(), validation=world(1))


def listed(rankings: Rankings) -> dict[str, object]:
    return {view.id: view.lists for view in rankings}


@pytest.mark.parametrize("name", NAMES)
def test_queries_one_by_one_or_together_give_the_same(name: str) -> None:
    unseen = world(2)[0]
    together = fuse(unseen, fitted(name))
    for number, query in enumerate(some(unseen.queries)):
        alone = fuse(unseen.take_queries([number]), fitted(name))
        assert alone[query].lists == together[query].lists
        assert alone[query].scores == together[query].scores


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_the_rankers_does_not_matter(name: str) -> None:
    rankings, labels = world()
    turned = rankings.take_rankers([2, 0, 3, 1])
    again = LEARNERS.parse(name).fit(turned, labels, validation=world(1))
    assert model_text(again) == model_text(fitted(name))
    unseen = world(2)[0]
    assert listed(fuse(unseen.take_rankers([3, 1, 0, 2]), fitted(name))) == listed(fuse(unseen, fitted(name)))


@pytest.mark.parametrize("name", NAMES)
def test_an_input_that_lacks_a_ranker_is_ranked_with_a_warning(name: str) -> None:
    unseen = world(2)[0]
    with pytest.warns(UserWarning, match="lacks rankers"):
        fewer = fuse(unseen.take_rankers([0, 1, 3]), fitted(name))
    assert set(fewer.queries) == set(unseen.queries)
    assert all(np.isfinite(list(view.scores[fewer.rankers[0]].values())).all() for view in some(fewer))


@pytest.mark.parametrize("name", NAMES)
def test_the_labels_of_one_query_are_enough(name: str) -> None:
    if not LEARNERS.parse(name).needs_labels:
        pytest.skip(f"{name} looks at no labels")
    rankings, labels = world()
    one = next(query for query in sorted(labels) if any(labels[query].values()))
    model = LEARNERS.parse(name).fit(rankings, labels.take([one]))
    assert dict(model.training)["queries"] == 1
    assert len(fuse(rankings, model).items) == len(rankings.items)


@pytest.mark.parametrize("name", NAMES)
def test_a_fit_that_is_asked_to_stop_returns_a_finished_model(name: str) -> None:
    asked: list[Step] = []

    def stop(step: Step) -> bool:
        asked.append(step)
        return True

    model = LEARNERS.parse(name).fit(*world(), validation=world(1), watch=stop)
    assert len(asked) <= 1
    assert all(1 <= step.iteration <= step.iterations for step in asked)
    assert np.isfinite(model.score(world(2)[0])).all()


@pytest.mark.parametrize("name", NAMES)
def test_results_bear_the_name_of_the_learner(name: str) -> None:
    assert fuse(world(2)[0], fitted(name)).rankers == (f"stagg-{name}",)


@pytest.mark.parametrize("name", NAMES)
def test_a_learner_does_better_than_the_worse_half_of_its_rankers(name: str) -> None:
    unseen, truth = world(2)
    learned = evaluate(fuse(unseen, fitted(name)), truth, "ndcg@5").rows[0]["mean"]
    alone = sorted(row["mean"] for row in evaluate(unseen, truth, "ndcg@5").rows)
    assert learned > alone[1]


@pytest.mark.parametrize("name", [name for name in NAMES if not LEARNERS.parse(name).needs_labels])
def test_a_learner_that_needs_no_labels_does_not_look_at_them(name: str) -> None:
    rankings, labels = world()
    learner = LEARNERS.parse(name)
    assert model_text(learner.fit(rankings, labels)) == model_text(learner.fit(rankings, Labels({})))
