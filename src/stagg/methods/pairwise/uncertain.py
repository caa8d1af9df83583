"""Uncertain votes: the pairwise methods over contests that a list decides by chance, summed with trust.

The methods that ask, pair by pair, whom the lists prefer take a list at its word: the item ahead has the vote. The
paper names it as future work to give them uncertainty, too. With a ``shape`` the vote I(i beats j) becomes its
expectation under the contests of St.Agg (:mod:`stagg.kernels.pairs.expected_wins`). With ``trust`` a list counts as far
as its ranker is trusted.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.errors import DataWarning, InvalidParameter, UnknownName, shown
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.pairs.expected_wins import expected_margins, expected_totals
from stagg.kernels.pairs.majority import margins, total_margins
from stagg.kernels.stochastic.contests import Shape
from stagg.methods.base import LARGEST, Evidence, Method
from stagg.methods.stochastic.learned_shape import (
    LAWS_OF_LEARNED,
    LEARNED,
    ContestTally,
    GivenShape,
    learns_shape,
    list_shapes,
)
from stagg.registry import near_names

if TYPE_CHECKING:
    from stagg.methods.stochastic.trust import TrustEvidence

__all__ = ["LearnedTrust", "Uncertain"]


LAWS_OF_TRUST: Final[Mapping[str, str]] = {
    "query_independence": "trust is learned from all queries",
    "weight_is_copies": "a weight is prior trust, and a copy has no vote of its own",
}
"""The laws that a method with learned trust does not obey."""


@dataclasses.dataclass(frozen=True)
class LearnedTrust:
    """The influence of each ranker, as it was learned, and whose copies there are; prints as the text that asks for it.

    Of rankers that are copies of each other the first by name votes, with the largest of their weights.
    """

    influences: Mapping[str, float]
    copies: Mapping[str, str]

    def multiply(self, rankings: Rankings) -> FloatArray:
        """The weights of the rankers times their influences; a ranker of which nothing is known keeps its own."""
        largest: dict[str, float] = {}
        for name, weight in sorted(zip(rankings.rankers, rankings.weights.tolist(), strict=True)):
            first = self.copies.get(name, name)
            largest[first] = max(largest.get(first, 0.0), weight)
        voters = {self.copies.get(name, name): name for name in sorted(rankings.rankers, reverse=True)}
        return np.array(
            [
                largest[first] * self.influences.get(name, 1.0) if voters[first] == name else 0.0
                for name, first in ((name, self.copies.get(name, name)) for name in rankings.rankers)
            ]
        )

    def __repr__(self) -> str:
        return repr(LEARNED)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Uncertain(Method):
    """What the pairwise methods share: the shape of the contests and the trust in the rankers.

    ``shape``: None, the votes as they are; the name or function of a shape, as for ``stagg_bc``; or "learned".
    ``trust``: None, all rankers alike; ``{ranker: influence}``, the others having 1; or "learned", the influences that
    ``stagg_trust`` learns from the same rankings. Influences multiply the weights.
    """

    shape: GivenShape | None = None
    trust: str | Mapping[str, float] | LearnedTrust | None = dataclasses.field(default=None, hash=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shape is not None and not learns_shape(self.shape):
            list_shapes(self.name, self.shape, ["any"])  # an unknown shape is said at once
        if self.trust is not None and not isinstance(self.trust, LearnedTrust) and self.trust != LEARNED:
            _check_trust(self.name, self.trust)

    def needs_all_queries(self) -> bool:
        return learns_shape(self.shape) or self.trust == LEARNED

    def broken_laws(self) -> Mapping[str, str]:
        learned = LAWS_OF_LEARNED if learns_shape(self.shape) else {}
        trusted = LAWS_OF_TRUST if self.trust == LEARNED else {}
        return {**super().broken_laws(), **learned, **trusted}

    def evidence(self) -> Evidence | None:
        return VoteEvidence(learns_shape(self.shape), self.trust == LEARNED) if self.needs_all_queries() else None

    def conclude(self, evidence: VoteEvidence) -> Method:
        """The method with the shapes and the trust that the rankings teach."""
        contests, trust = evidence.contests, evidence.trust
        return dataclasses.replace(
            self,
            shape=self.shape if contests is None else contests.shape(),
            trust=self.trust if trust is None else _learn_trust(trust),
        )

    def bind(self, rankings: Rankings) -> tuple[Method, Rankings]:
        """Learn what is to be learned; then trust is a factor of the weights, as if it had been given as such."""
        if self.needs_all_queries():
            return self.learn_from([rankings]).bind(rankings)
        if self.trust is None:
            return self, rankings
        if isinstance(self.trust, LearnedTrust):
            return self, rankings.with_weights(self.trust.multiply(rankings).tolist())
        assert not isinstance(self.trust, str)
        influences = _read_trust(self.name, self.trust, rankings.rankers)
        return self, rankings.with_weights((rankings.weights * influences).tolist())

    def margins_of(self, view: Query) -> IntArray:
        """M[i, j] = the (expected) weight of the lists that put item i above item j, less that of the opposite."""
        shapes = self.shapes_of(view)
        if shapes is None:
            return margins(view.positions, view.votes, self.absence)
        return expected_margins(view.positions, view.weights, self.absence, shapes)

    def total_margins_of(self, view: Query) -> IntArray:
        """The sum of each item's margins against all others."""
        shapes = self.shapes_of(view)
        if shapes is None:
            return total_margins(view.positions, view.votes, self.absence)
        return expected_totals(view.positions, view.weights, self.absence, shapes)

    def shapes_of(self, view: Query) -> list[Shape] | None:
        """The contests of the lists of a query; None where votes are certain."""
        return None if self.shape is None else list_shapes(self.name, self.shape, view.rankers)


def _check_trust(method: str, trust: Any) -> None:
    if not isinstance(trust, Mapping):
        raise InvalidParameter(
            f"{method}: trust is {shown(trust)}; it must be 'learned' or the influence of each ranker: {{'bm25': 0.5}}"
        )
    for name, value in trust.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (number and 0 <= value <= LARGEST):
            raise InvalidParameter(
                f"{method}: the trust in ranker {shown(name)} is {shown(value)}; it must be a finite number, 0 or more"
            )


def _read_trust(method: str, trust: Mapping[str, float], rankers: tuple[str, ...]) -> FloatArray:
    """The influence of each ranker, 1 where it is not named."""
    for name in trust:
        if name not in rankers:
            raise UnknownName(
                f"{method}: trust names the ranker {shown(name)}, which the input does not have"
                f"{near_names(name, rankers)}"
            )
    return np.array([float(trust.get(name, 1.0)) for name in rankers])


class VoteEvidence:
    """Evidence for shapes and trust; the parts are gone through once for both."""

    def __init__(self, shape: bool, trust: bool) -> None:
        from stagg.methods.stochastic.trust import StaggTrust  # here: it imports much, and few methods learn trust

        self.contests = ContestTally() if shape else None
        self.trust = StaggTrust().evidence() if trust else None

    def add(self, rankings: Rankings) -> None:
        if self.contests is not None:
            self.contests.add(rankings)
        if self.trust is not None:
            self.trust.add(rankings)

    def merge(self, other: VoteEvidence) -> None:
        if self.contests is not None and other.contests is not None:
            self.contests.merge(other.contests)
        if self.trust is not None and other.trust is not None:
            self.trust.merge(other.trust)


def _learn_trust(evidence: TrustEvidence) -> LearnedTrust:
    """Learn the trust of ``stagg_trust``: of rankers that are copies the first, by name, has the vote of all."""
    from stagg.methods.stochastic.trust import StaggTrust

    learned = StaggTrust().learn(evidence)
    if not learned.learned and learned.queries:
        said = f"trust='learned' has nothing to learn from, and believes all rankers alike: {learned.why}"
        warnings.warn(said, DataWarning, stacklevel=4)
    believed = learned.rankers
    return LearnedTrust(
        {name: each.influence for name, each in believed.items()},
        {name: each.copy_of for name, each in believed.items() if each.copy_of is not None},
    )
