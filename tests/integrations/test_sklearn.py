"""scikit-learn: the estimator keeps its conventions, and learns what the learner learns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
import pytest
import sklearn
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from stagg import DataError, InvalidParameter, Labels, StaggError
from stagg.data.simulation import simulate
from stagg.features import FEATURES
from stagg.integrations.sklearn import StaggRanker
from stagg.learning import LEARNERS


class OneQuery(StaggRanker):
    """For scikit-learn's own checks, which know nothing of queries: all rows are of one."""

    def fit(self, X: Any, y: Any, *, qid: Any = None, eval_set: Any = None) -> StaggRanker:
        return super().fit(X, y, qid=np.zeros(np.shape(X)[0], dtype=int), eval_set=eval_set)

    def score(self, X: Any, y: Any, *, qid: Any = None) -> float:
        return super().score(X, y, qid=np.zeros(np.shape(X)[0], dtype=int))


@pytest.mark.filterwarnings("ignore:Skipping check:sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks([OneQuery(iterations=5)])
def test_the_conventions_of_scikit_learn_hold(estimator: StaggRanker, check: Any) -> None:
    check(estimator)


def simulated(queries: int = 12, seed: int = 0) -> tuple[Any, ...]:
    """Rankings with labels of the items that they list, and the same as rows: Borda features, grades, queries."""
    made = simulate(queries=queries, items=15, rankers=4, quality=[2.0, 1.0, 0.3, 0.0], keep=0.7, seed=seed)
    features = FEATURES.parse("borda").of(made.rankings, made.rankings.rankers)
    names = np.array(made.rankings.queries)[made.rankings.item_queries]
    listed = Labels({view.id: {item: made.labels[view.id][item] for item in view.items} for view in made.rankings})
    return made.rankings, listed, features, listed.aligned(made.rankings), names


@pytest.mark.parametrize("objective", ["ndcg", "err", "rbp", "rbp(p=0.7)"])
def test_it_learns_what_the_learner_learns_from_the_same_features(objective: str) -> None:
    rankings, labels, X, y, qid = simulated()
    ranker = StaggRanker(objective, sigma=0.5, iterations=10).fit(X, y, qid=qid)
    name, _, rest = objective.partition("(")
    given = f", {rest}" if rest else ")"
    model: Any = LEARNERS.parse(f"stagg_{name}(features='borda', sigma=0.5, iterations=10{given}").fit(rankings, labels)
    assert ranker.coef_.tolist() == list(model.weights)
    assert ranker.n_iter_ == dict(model.training)["iterations"]


def test_an_eval_set_does_what_a_validation_part_does() -> None:
    rankings, labels, X, y, qid = simulated()
    others, their_labels, *held = simulated(seed=9)
    ranker = StaggRanker(iterations=10).fit(X, y, qid=qid, eval_set=tuple(held))
    learner = LEARNERS.parse("stagg_ndcg(features='borda', iterations=10)")
    model: Any = learner.fit(rankings, labels, validation=(others, their_labels))
    assert ranker.coef_.tolist() == list(model.weights)
    assert ranker.score(*held[:2], qid=held[2]) == pytest.approx(ranker.training_["validation"], abs=1e-12)


def test_the_scale_of_err_is_that_of_the_training_part() -> None:
    *_, y, qid = simulated()
    ranker = StaggRanker("err", measure="err").fit(y[:, None], y, qid=qid)
    assert ranker.largest_ == 2
    relevant = np.array([1.0, 1.0, 0.0])
    assert ranker.score(relevant[:, None], relevant, qid=["q"] * 3) == 1 / 4 + 3 / 4 / 4 / 2  # R = (2^1 - 1) / 2^2


def test_rows_may_stand_in_any_order() -> None:
    *_, X, y, qid = simulated()
    order = np.random.default_rng(1).permutation(len(y))
    straight, mixed = StaggRanker().fit(X, y, qid=qid), StaggRanker().fit(X[order], y[order], qid=qid[order])
    assert mixed.coef_ == pytest.approx(straight.coef_, rel=1e-3, abs=1e-6)
    assert mixed.predict(X[order]) == pytest.approx(straight.predict(X)[order], rel=1e-3, abs=1e-3)


def test_a_useless_feature_weighs_little_and_a_constant_one_nothing() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 2000).astype(float)
    X = np.column_stack([y + rng.normal(size=2000), rng.normal(size=2000), np.ones(2000)])
    weights = StaggRanker().fit(X, y, qid=np.repeat(np.arange(200), 10)).coef_
    assert weights[0] > 5 * abs(weights[1])
    assert weights[2] == 0


def test_the_score_is_the_measure() -> None:
    *_, X, y, qid = simulated()
    by_grade = StaggRanker(measure="ndcg@5").fit(y[:, None], y, qid=qid)
    assert by_grade.score(y[:, None], y, qid=qid) == 1.0
    by_lists = StaggRanker(measure="ndcg@5").fit(X, y, qid=qid)
    assert 0.3 < by_lists.score(X, y, qid=qid) < 1.0


def test_it_searches_over_groups_with_routed_queries() -> None:
    *_, X, y, qid = simulated()
    with sklearn.config_context(enable_metadata_routing=True):
        ranker = StaggRanker(iterations=5).set_fit_request(qid=True).set_score_request(qid=True)
        means = cross_val_score(ranker, X, y, cv=GroupKFold(3), params={"qid": qid, "groups": qid})
        search = GridSearchCV(ranker, {"sigma": [0.25, 1.0]}, cv=GroupKFold(3)).fit(X, y, qid=qid, groups=qid)
    assert means.shape == (3,)
    assert np.isfinite(means).all()
    assert search.best_params_["sigma"] in (0.25, 1.0)
    assert search.predict(X).shape == y.shape


def test_it_stands_at_the_end_of_a_pipeline_and_takes_frames() -> None:
    *_, X, y, qid = simulated()
    frame = pandas.DataFrame(X, columns=[f"f{number}" for number in range(X.shape[1])])
    scaled = make_pipeline(StandardScaler(), StaggRanker(sigma=0.5)).fit(X, y, staggranker__qid=qid)
    assert scaled.predict(X).shape == y.shape
    ranker = StaggRanker(sigma=0.5).fit(frame, y, qid=pandas.Series(qid))
    assert ranker.feature_names_in_.tolist() == list(frame.columns)
    assert ranker.coef_.tolist() == StaggRanker(sigma=0.5).fit(X, y, qid=qid).coef_.tolist()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"objective": "map"}, "objective is 'map'; it must be 'ndcg', 'err' or 'rbp'"),
        ({"objective": "ndgc"}, "must be 'ndcg'"),
        ({"objective": 3}, "objective is 3"),
        ({"sigma": 0.0}, "sigma is 0.0"),
        ({"iterations": 0}, "iterations must be"),
        ({"measure": "ndgc"}, "did you mean 'ndcg'"),
    ],
)
def test_a_wrong_parameter_is_named(parameters: dict[str, Any], message: str) -> None:
    *_, X, y, qid = simulated(2)
    with pytest.raises(StaggError, match=message):
        StaggRanker(**parameters).fit(X, y, qid=qid)


def test_what_cannot_be_learned_from_is_refused() -> None:
    X, y, qid = np.array([[1.0], [2.0]]), np.array([1.0, 0.0]), ["q", "q"]
    with pytest.raises(TypeError, match="qid"):
        StaggRanker().fit(X, y)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="inconsistent"):
        StaggRanker().fit(X, y, qid=["q"])
    with pytest.raises(DataError, match="no relevant item"):
        StaggRanker().fit(X, 0 * y, qid=qid)
    with pytest.raises(DataError, match=r"query 'q', item '0': the label is 1000000\.0"):
        StaggRanker().fit(X, 1e6 * y, qid=qid)
    with pytest.raises(NotFittedError):
        StaggRanker().predict(X)
    with pytest.raises(InvalidParameter, match="takes"):
        StaggRanker("rbp(q=0.8)").fit(X, y, qid=qid)
