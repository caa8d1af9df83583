"""scikit-learn: supervised St.Agg as an estimator, for those who bring their own features."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from stagg.errors import InvalidParameter, MissingExtra, shown
from stagg.kernels.arrays import FloatArray
from stagg.learning import LEARNERS
from stagg.learning.base import one_measure
from stagg.learning.examples import Examples
from stagg.learning.linear.expected_measure import ExpectedMeasureLearner
from stagg.learning.linear.linear_model import linear_scores

try:
    from sklearn.base import BaseEstimator
    from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted, validate_data
except ImportError:
    raise MissingExtra("scikit-learn estimators", package="scikit-learn", extra="sklearn") from None

__all__ = ["StaggRanker"]

OBJECTIVES = ("ndcg", "err", "rbp")

Rows = npt.ArrayLike
"""An array or a data frame: one row per item."""


class StaggRanker(BaseEstimator):
    """A linear ranker whose noisy scores maximise an expected measure: ``stagg_ndcg`` and its kin on rows of features.

    ``objective`` is "ndcg", "err", "rbp" or "rbp(p=0.8)"; ``sigma`` the noise, relative to the spread of the scores
    within a query (None: annealed); ``ridge`` the shrinkage (None: the learner's own); ``iterations`` how many at each
    level of noise. ``measure`` is what :meth:`score` gives, and what an ``eval_set`` is judged by. Labels are grades,
    0 and up; below 0 they mean "not judged".

    After :meth:`fit`: ``coef_``, a weight for every feature; ``training_``, what is known of how it was found; and
    ``largest_``, the largest grade, which sets the scale of ERR and RBP for other queries too.

    >>> X = np.array([[0.9, 3.0], [0.1, 2.0], [0.4, 9.0], [0.8, 1.0]])
    >>> ranker = StaggRanker().fit(X, [1, 0, 0, 2], qid=["q1", "q1", "q2", "q2"])
    >>> (ranker.predict(X)[[0, 3]] > ranker.predict(X)[[1, 2]]).all()
    np.True_
    """

    def __init__(
        self,
        objective: str = "ndcg",
        *,
        sigma: float | None = None,
        ridge: float | None = None,
        iterations: int = 100,
        measure: str = "ndcg@10",
    ) -> None:
        self.objective = objective
        self.sigma = sigma
        self.ridge = ridge
        self.iterations = iterations
        self.measure = measure

    def fit(
        self, X: Rows, y: Rows, *, qid: Sequence[Any], eval_set: tuple[Rows, Rows, Sequence[Any]] | None = None
    ) -> StaggRanker:
        """Learn from rows with a grade ``y`` and a query ``qid`` each; the rows of a query need not stand together.

        ``eval_set`` is (X, y, qid) of other queries: the weights that are best there are kept.
        """
        learner = self._learner()
        table, grades = validate_data(self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2)
        known = _examples(table, grades, qid)
        self.largest_ = known.largest
        held = None if eval_set is None else self._others(*eval_set)
        weights, training = learner.learned(known, held)
        self.coef_ = np.array(weights)
        self.training_ = dict(training)
        self.n_iter_: int = self.training_["iterations"]
        return self

    def predict(self, X: Rows) -> FloatArray:
        """The score of each row: within a query, higher is better."""
        check_is_fitted(self)
        return linear_scores(validate_data(self, X, dtype=np.float64, reset=False), tuple(self.coef_.tolist()))

    def score(self, X: Rows, y: Rows, *, qid: Sequence[Any]) -> float:
        """The mean of ``measure`` over the queries."""
        check_is_fitted(self)
        given = self._others(X, y, qid)
        scores = linear_scores(given.features, tuple(self.coef_.tolist()))
        return given.mean(scores, one_measure(self._learner(), self.measure))

    def _learner(self) -> ExpectedMeasureLearner:
        if not str(self.objective).startswith(OBJECTIVES):
            raise InvalidParameter(f"objective is {shown(self.objective)}; it must be 'ndcg', 'err' or 'rbp'")
        learner = cast("ExpectedMeasureLearner", LEARNERS.parse(f"stagg_{self.objective}"))
        ridge = learner.ridge if self.ridge is None else self.ridge
        return dataclasses.replace(
            learner, sigma=self.sigma, ridge=ridge, iterations=self.iterations, measure=self.measure
        )

    def _others(self, X: Rows, y: Rows, qid: Sequence[Any]) -> Examples:
        """Rows that the features were not taken from: they must have the same."""
        table, grades = validate_data(self, X, y, dtype=np.float64, y_numeric=True, reset=False)
        return _examples(table, grades, qid, self.largest_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _examples(table: FloatArray, grades: FloatArray, qid: Sequence[Any], largest: float = 0.0) -> Examples:
    queries = check_array(qid, ensure_2d=False, dtype=None, input_name="qid")
    check_consistent_length(table, queries)
    return Examples.of_rows(table, grades, queries.tolist(), largest=largest)
