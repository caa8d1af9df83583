"""Trust learned without labels and kept: ``stagg_trust`` with fixed reliabilities, for queries to come."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, bare, shown
from stagg.kernels.arrays import FloatArray
from stagg.kernels.id_order import order_by_id
from stagg.learning.base import Learner, Lesson, Model
from stagg.methods import Method, Missing, method_of
from stagg.methods.base import Scored
from stagg.methods.stochastic.trust import StaggTrust, Trust, Trusted

__all__ = ["TrustLearner", "TrustModel"]


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class TrustLearner(Learner):
    """How far each ranker can be trusted, from agreement alone: no labels are looked at.

    ``method``: a ``stagg_trust``, with parameters if wanted. The model gives new queries, even a single one, the trust
    that all queries of the training input taught.
    """

    name = "trust"
    needs_labels: ClassVar[bool] = False

    method: str = "stagg_trust"

    def __post_init__(self) -> None:
        self._method()

    def _method(self) -> StaggTrust:
        chosen = method_of(self.method)
        if not isinstance(chosen, StaggTrust):
            raise InvalidParameter(f"trust: method is {shown(self.method)}; it must be a stagg_trust")
        return chosen

    def with_missing(self, missing: Missing | None) -> TrustLearner:
        return dataclasses.replace(self, method=repr(self._method().with_missing(missing)))

    def learn(self, lesson: Lesson) -> TrustModel:
        """Labels, validation part and conventions have no say."""
        found = self._method().teach(lesson.rankings.take_rankers(order_by_id(lesson.rankings.rankers))).trust
        if not found.learned:
            raise DataError(f"there is no trust to learn: {found.why}")
        return self.model(found)

    def model(self, found: Trust) -> TrustModel:
        """The model that carries a trust that was learned."""
        facts: tuple[tuple[str, Any], ...] = (
            ("queries", found.queries),
            ("rounds", len(found.objective)),
            ("objective", found.objective[-1]),
        )
        return TrustModel(
            learner=repr(self), rankers=tuple(found.rankers), method=repr(self._method()), trust=found, training=facts
        )


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class TrustModel(Model):
    """``stagg_trust`` with the trust that was learned; weights that are given multiply it."""

    name = "trust"
    kind = "trust"

    method: str
    trust: Trust = dataclasses.field(compare=False)

    @property
    def learned(self) -> str:
        """The reliability of each ranker: its correlation with what is true."""
        return f"reliability {' '.join(f'{name}={each.reliability:.2f}' for name, each in self.trust.rankers.items())}"

    def tell_rankers(self) -> list[str]:
        """Reliability, share and influence of each ranker, a line each."""
        return [f"{bare(name)}: {each}" for name, each in self.trust.rankers.items()]

    def bind(self, rankings: Rankings) -> tuple[Method, Rankings]:
        self.check_rankers(rankings)
        return self._trusted().bind(rankings)

    def _trusted(self) -> Trusted:
        chosen = method_of(self.method)
        assert isinstance(chosen, StaggTrust)
        return chosen.trusting(self.trust)

    def with_missing(self, missing: Missing | None) -> TrustModel:
        return dataclasses.replace(self, method=repr(method_of(self.method).with_missing(missing)))

    def score(self, rankings: Rankings) -> FloatArray:
        return self.scored(rankings).scores

    def scored(self, rankings: Rankings) -> Scored:
        method, weighted = self.bind(rankings)
        return method.scored(weighted)

    def content(self) -> dict[str, Any]:
        return {"method": self.method, "trust": self.trust.to_dict()}

    @classmethod
    def restore(cls, common: dict[str, Any], content: dict[str, Any]) -> TrustModel:
        if "consensus" not in content["trust"]:
            raise DataError("its trust follows an older rule: train it again, with the learner trust")
        found, method = Trust.of_dict(content["trust"]), method_of(content["method"])
        if not isinstance(method, StaggTrust) or not found.learned or set(found.rankers) != set(common["rankers"]):
            raise DataError("the trust is not that of the rankers that it names")
        return cls(**common, method=repr(method), trust=found)
