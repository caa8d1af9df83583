"""Boosted trees: LightGBM's lambdarank, and trees grown on the exact expected measure."""

from __future__ import annotations

import abc
import dataclasses
import functools
import os
from typing import Any

import numpy as np

from stagg.data.parts import sort_items
from stagg.errors import DataError, InvalidParameter, shown
from stagg.features import FEATURES
from stagg.kernels.arrays import FloatArray
from stagg.kernels.stochastic.expected_measures import contest_steps
from stagg.learning.base import Learner, Lesson, Watch, one_measure
from stagg.learning.examples import Examples, feature_map
from stagg.learning.linear.descent import find_contrasts, hold
from stagg.learning.linear.expected_measure import ExpectedMeasureLearner, StaggERR, StaggNDCG, StaggRBP
from stagg.learning.linear.feature_model import FeatureModel, restore_lengths, train_lengths
from stagg.learning.linear.linear_model import linear_scores
from stagg.learning.trees.boosting import Grown, Growth, Objective, TreeRows, lightgbm, tree_scores
from stagg.learning.trees.forest_text import check_forest
from stagg.measures.err import ERR
from stagg.measures.ndcg import NDCG, exp_gain
from stagg.measures.rbp import RBP
from stagg.methods.base import in_range
from stagg.registry import real_number, whole_number

__all__ = ["Forests", "LambdaMART", "StaggTrees"]

NOISE = 1.0  # what the scores are measured in
LINEAR_NOISE = 0.5  # of the linear start: sharp enough, and smooth
LINEAR_ITERATIONS = 50
WHOLE_NUMBERS: dict[str, tuple[int, int | None]] = {
    "trees": (1, 100_000),
    "leaves": (2, 131_072),  # LightGBM takes no more
    "min_items": (1, None),
    "bags": (1, 1000),
    "patience": (1, None),
    "seed": (0, None),
    "threads": (1, 256),
}
"""The least and the most that each parameter can be. What takes memory or time by its value has an upper end."""
LEAST_SHARE = 20  # a leaf holds at most one in so many training items, however few there are


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class BoostedTrees(Learner):
    """Regression trees over a feature map, each grown to mend what those before it got wrong.

    A fit grows ``bags`` forests that differ in their random choices, side by side, and averages their scores. A round
    adds to each a tree of at most ``leaves`` leaves, with at least ``min_items`` items in each (on few data: one in
    twenty), grown on a random ``item_share`` of the items and ``feature_share`` of the features; its values are
    shrunk by ``l2`` and ``learning_rate``. There are at most ``trees`` rounds. With a validation part the round that is
    best there by ``measure`` is kept, and ``patience`` rounds without a better one end the fit.

    Needs LightGBM. The same bytes come out whatever the number of ``threads``.
    """

    features: str = "ranks"
    measure: str = "ndcg@10"
    trees: int = 300
    leaves: int = 16
    learning_rate: float = 0.05
    min_items: int = 50
    feature_share: float = 0.5
    item_share: float = 0.7
    l2: float = 1.0
    bags: int = 1
    patience: int = 50
    seed: int = 0
    threads: int = 1

    def __post_init__(self) -> None:
        feature_map(self, self.features)
        one_measure(self, self.measure)
        for parameter, (least, most) in WHOLE_NUMBERS.items():
            whole_number(f"{self.name}: {parameter}", getattr(self, parameter), least=least, most=most)
        for parameter in ("learning_rate", "feature_share", "item_share"):
            in_range(self, parameter, 0, 1, open_low=True)
        in_range(self, "l2", 0)

    def learn(self, lesson: Lesson) -> Forests:
        features = feature_map(self, self.features)
        # LightGBM adds up row by row, and draws rows by number: items in another order would be another forest
        known = Examples.of(sort_items(lesson.rankings), lesson.labels, features, conventions=lesson.conventions)
        known.check_relevant()
        find_contrasts(known)
        if (known.features == known.features[0]).all():
            raise DataError("all items of the training part have the same features: there is nothing to learn from")
        rankers = known.rankings.rankers
        held = hold(lesson, known, features)
        weights = self.start_of(known)
        grown = self._grow(
            TreeRows.of(known, weights), None if held is None else TreeRows.of(held, weights), lesson.watch
        )
        facts: list[tuple[str, Any]] = [("queries", len(known)), ("rounds", grown.rounds), ("kept", grown.kept)]
        if grown.validation is not None:
            facts += [("measure", self.measure), ("validation", grown.validation)]
        return Forests(
            learner=repr(self),
            rankers=rankers,
            features=repr(features),
            weights=weights,
            forests=grown.forests,
            lengths=train_lengths(known.rankings),
            training=tuple(facts),
        )

    def _grow(self, rows: TreeRows, held: TreeRows | None, watch: Watch | None) -> Grown:
        targets, own = self.targets(rows)
        growth = Growth(one_measure(self, self.measure), self.trees, self.patience, self.objective_of(rows))
        parameters = [self._parameters(len(rows.start), bag) | own for bag in range(self.bags)]
        return growth.grow(rows, targets, parameters, held, watch)

    def start_of(self, known: Examples) -> tuple[float, ...]:
        """The weights of the features in the scores that the trees start from; none where they start from 0."""
        return ()

    @abc.abstractmethod
    def targets(self, rows: TreeRows) -> tuple[FloatArray, dict[str, Any]]:
        """Labels for LightGBM, and the parameters of its objective."""

    def objective_of(self, rows: TreeRows) -> Objective | None:
        """The function to maximise, None where it is LightGBM's own."""
        return None

    def _parameters(self, rows: int, bag: int) -> dict[str, Any]:
        return {
            "metric": "none",
            # LightGBM takes memory for every leaf that there could be, and no tree has more leaves than rows
            "num_leaves": min(self.leaves, max(2, rows)),
            "learning_rate": self.learning_rate,
            "min_data_in_leaf": min(self.min_items, max(1, rows // LEAST_SHARE)),
            "min_sum_hessian_in_leaf": 1e-3,
            "feature_fraction": self.feature_share,
            # not by query: with bagging_by_query LightGBM 4.7 gets the scores of its training rows wrong
            "bagging_fraction": self.item_share,
            "bagging_freq": int(self.item_share < 1),
            "lambda_l2": self.l2,
            "feature_pre_filter": False,  # it would look at the share of rows that is fixed before growing
            "seed": (self.seed + bag) % (1 << 31),
            "num_threads": min(self.threads, os.cpu_count() or 1),  # more would only wait for each other
            "deterministic": True,
            "force_row_wise": True,
            "verbose": -1,
        }


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class LambdaMART(BoostedTrees):
    """LightGBM's lambdarank: trees on pairs of items, weighed by what NDCG would change if they changed places.

    What most would take instead of ``stagg_trees``. ``truncation`` is the rank beyond which no pair begins (LightGBM's
    ``lambdarank_truncation_level``). Gains are 2^y - 1; items without a label count as grade 0. See
    :class:`BoostedTrees` for the other parameters.

    Reference: Burges, "From RankNet to LambdaRank to LambdaMART", 2010; Ke et al., "LightGBM", NIPS 2017.
    """

    name = "lambdamart"

    truncation: int = 30

    def __post_init__(self) -> None:
        super().__post_init__()
        whole_number("lambdamart: truncation", self.truncation, least=1)

    def targets(self, rows: TreeRows) -> tuple[FloatArray, dict[str, Any]]:
        """Grades by number, since LightGBM takes whole ones only, with the gain of each."""
        grades, numbers = np.unique(rows.grades, return_inverse=True)
        gains = [float(gain) for gain in exp_gain(grades)]
        level = min(self.truncation, max(1, len(rows.start)))  # no list is longer, and LightGBM has 32 bits for it
        own = {"objective": "lambdarank", "label_gain": gains, "lambdarank_truncation_level": level}
        return numbers.astype(float), own


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class StaggTrees(BoostedTrees):
    """Trees grown on the exact expectation of a measure over noisy scores (Eq. 14), from a linear model that has it.

    Every pair of items is a contest, p_ij = Φ((f_i - f_j) / √2), so that scores count in units of their noise. What a
    contest is worth to the expected ``objective`` ("ndcg", "err", "rbp(p=0.9)") is computed exactly, and every tree
    moves the worthier item of each along the log of its chance to win; why not along the plain gradient is said at
    :func:`stagg.kernels.stochastic.expected_measures.contest_steps`.

    A tree is a poor adder, and fusing is adding: the trees start from the linear scores that maximise the same
    expectation (``stagg_ndcg``, ``stagg_err``, ``stagg_rbp``), scaled to the standard deviation ``start``, and grow on
    what these get wrong; 0 starts from nothing. See :class:`BoostedTrees` for the other parameters.
    """

    name = "stagg_trees"

    objective: str = "ndcg"
    start: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        self._linear()
        in_range(self, "start", 0)

    def _linear(self) -> ExpectedMeasureLearner:
        """The linear learner of the same expectation."""
        measure = one_measure(self, self.objective)
        common: dict[str, Any] = {"features": self.features, "sigma": LINEAR_NOISE, "iterations": LINEAR_ITERATIONS}
        if isinstance(measure, RBP):
            return StaggRBP(p=measure.p, **common)
        for kind, learner in ((NDCG, StaggNDCG), (ERR, StaggERR)):
            if isinstance(measure, kind):
                return learner(**common)
        raise InvalidParameter(f"stagg_trees: objective is {shown(self.objective)}; it must be ndcg, err or rbp")

    def start_of(self, known: Examples) -> tuple[float, ...]:
        if not self.start:
            return ()
        weights, _ = self._linear().learned(known)
        spread = float(linear_scores(known.features, weights).std())
        return tuple(self.start / spread * weight for weight in weights) if spread else ()

    def targets(self, rows: TreeRows) -> tuple[FloatArray, dict[str, Any]]:
        return rows.grades, {"objective": "none"}

    def objective_of(self, rows: TreeRows) -> Objective:
        stakes, offsets = rows.known.stakes(one_measure(self, self.objective)), rows.known.offsets

        def steps(scores: FloatArray) -> tuple[float, FloatArray, FloatArray]:
            values, slope, curvature = contest_steps(scores, offsets, stakes, NOISE)
            # with a mean of 1 l2 counts in items; the steps do not depend on it otherwise
            unit = float(curvature.mean()) or 1.0
            return float(values.mean()), slope / unit, curvature / unit

        return steps


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Forests(FeatureModel):
    """The mean score of some forests over a feature map, added to linear scores where there are ``weights``."""

    name = "trees"
    kind = "trees"

    weights: tuple[float, ...]
    forests: tuple[str, ...]

    def score_table(self, table: FloatArray) -> FloatArray:
        if not len(table):
            return np.zeros(0)
        trees: FloatArray = np.mean([tree_scores(_booster(text), table) for text in self.forests], axis=0)
        return linear_scores(table, self.weights) + trees if self.weights else trees

    def content(self) -> dict[str, Any]:
        columns = FEATURES.parse(self.features).columns(self.rankers)
        return {
            "features": self.features,
            "columns": columns,
            "weights": list(self.weights),
            "forests": list(self.forests),
            "lengths": self.describe_lengths(),
        }

    @classmethod
    def restore(cls, common: dict[str, Any], content: dict[str, Any]) -> Forests:
        features = FEATURES.parse(content["features"])
        columns = features.columns(common["rankers"])
        if content["columns"] != columns:
            raise DataError("the columns are not those of the features that it names")
        forests = content["forests"]
        if not isinstance(forests, list) or not forests or not all(isinstance(each, str) for each in forests):
            raise DataError("there is no forest in it")
        for forest in forests:
            check_forest(forest, len(columns))
        weights = tuple(real_number("a weight", weight) for weight in content["weights"])
        if len(weights) not in (0, len(columns)):
            raise DataError("the weights are not those of the features that it names")
        lengths = restore_lengths(content, common["rankers"])
        return cls(**common, features=repr(features), weights=weights, forests=tuple(forests), lengths=lengths)


@functools.lru_cache(maxsize=16)
def _booster(text: str) -> Any:
    """A forest, read once."""
    return lightgbm().Booster(model_str=text)
