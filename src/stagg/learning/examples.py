"""Training examples: labelled queries as a learner sees them, and the mean measure of any scores on them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from stagg.data.columns import Columns, from_columns
from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, shown
from stagg.features import FEATURES, FeatureMap
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.stochastic.expected_measures import Stakes
from stagg.learning.base import take_labelled
from stagg.measures import Conventions, Measure, judge
from stagg.methods.base import Scored, largest_of_query
from stagg.methods.consensus import put_unlisted_last, rank_trial
from stagg.registry import Parametrised

__all__ = ["Examples", "feature_map"]


@dataclasses.dataclass(frozen=True, eq=False)
class Examples:
    """Queries with labels: a row of features and a grade (UNJUDGED, -1, where there is none) for each of their items.

    Rankers and queries are in the order of their names. ``largest`` is the largest grade given (y_max), for other
    queries too: a validation part has the scale of ERR and RBP of the training part.
    """

    rankings: Rankings
    labels: Labels
    grades: FloatArray
    features: FloatArray
    conventions: Conventions
    largest: float

    @classmethod
    def of(
        cls,
        rankings: Rankings,
        labels: Labels,
        features: FeatureMap | None,
        *,
        rankers: tuple[str, ...] | None = None,
        conventions: Conventions = "standard",
        largest: float = 0.0,
    ) -> Examples:
        """The labelled queries with the features of a map (none for a learner that looks at the lists themselves).

        A validation part is told the ``rankers`` of the training part, and the ``largest`` grade given there.
        """
        known = take_labelled(rankings, labels, "rankings" if rankers is None else "validation part")
        names = known.rankers if rankers is None else rankers
        unknown = [name for name in known.rankers if name not in names]
        if unknown:
            raise DataError(f"the validation part has a ranker {shown(unknown[0])} that the training part lacks")
        table = np.zeros((len(known.items), 0)) if features is None else features.of(known, names)
        y_max = max(labels.largest, largest)
        return cls(known, labels.take(known.queries), labels.aligned(known), table, conventions, y_max)

    @classmethod
    def of_rows(
        cls, features: FloatArray, grades: FloatArray, queries: Sequence[object], *, largest: float = 0.0
    ) -> Examples:
        """Rows that bring their own features: row i has ``grades[i]`` and belongs to ``queries[i]``; no list is known.

        An item is called by its row. The rows of a query are brought together, in the order of first appearance. A
        validation part is told the ``largest`` grade of the training part.

        >>> Examples.of_rows(np.array([[0.5], [0.1], [0.7]]), np.array([1.0, 0.0, 2.0]), [9, 7, 9]).grades
        array([1., 2., 0.])
        """
        names, rows = [str(query) for query in queries], [str(row) for row in range(len(queries))]
        known, _ = from_columns(Columns((), (), np.zeros(0), candidates=(names, rows)))
        labels = Labels({view.id: {row: float(grades[int(row)]) for row in view.items} for view in known})
        table = features[list(map(int, known.items))]
        return cls(known, labels, labels.aligned(known), table, "standard", max(labels.largest, largest))

    @property
    def offsets(self) -> IntArray:
        """The items of query q are ``offsets[q]`` to ``offsets[q + 1]``."""
        return self.rankings.item_offsets

    def __len__(self) -> int:
        """The number of queries."""
        return len(self.rankings)

    def check_relevant(self, what: str = "training") -> None:
        """Nothing can be learned, or chosen, where no item is better than another."""
        if not (self.grades > 0).any():
            raise DataError(f"the {what} part has no relevant item: no label above 0 on an item of the rankings")

    def stakes(self, measure: Measure) -> Stakes:
        """Input, the scores aside, of the expectation of a measure over noisy scores of these items."""
        ideals = [np.array(list(self.labels[query].values()), dtype=float) for query in self.rankings.queries]
        return measure.stakes(self.grades, self.offsets, ideals, self.largest)

    def mean(self, scores: FloatArray, measure: Measure) -> float:
        """The mean of a measure over the queries when their items have these scores."""
        return float(np.mean(self.values(scores, measure)))

    def values(self, scores: FloatArray, measure: Measure) -> FloatArray:
        """The value of a measure for every query when their items have these scores."""
        scored = put_unlisted_last(Scored(scores, largest_of_query(scores, self.rankings)), self.rankings)
        fused = rank_trial(scored, self.rankings)
        judged = judge(
            fused,
            self.labels,
            conventions=self.conventions,
            only_common=True,
            aligned=self.grades,
            largest=self.largest,
        )
        return measure.value(judged)


def feature_map(learner: Parametrised, text: str) -> FeatureMap:
    """The feature map that a learner's text names."""
    if not isinstance(text, str):
        raise InvalidParameter(f"{learner.name}: features is {shown(text)}; it must be a text such as 'borda'")
    return FEATURES.parse(text)
