"""Method with the trust that few labels taught: what ``few_labels`` learns and a model file keeps."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from stagg.data.rankings import Rankings
from stagg.errors import DataError, bare
from stagg.kernels.arrays import FloatArray
from stagg.learning.base import Model, restore_numbers, restore_rows
from stagg.learning.single.trust_learner import TrustModel
from stagg.methods import Method, Missing, method_of
from stagg.methods.base import Scored
from stagg.methods.stochastic.trust import StaggTrust, Trust, Trusted
from stagg.registry import real_number

__all__ = ["TaughtWeights"]


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class TaughtWeights(Model):
    """A sum over the rankers with the confidence, the constant and the copies of ``stagg_trust``, and taught weights.

    ``method`` is a ``stagg_trust``, or another weighted sum such as ``combsum``. ``weights`` have mean 1, ``intervals``
    are what the labels leave open (95 %). ``log_evidence`` is how much better, in units of log likelihood, the
    labels are explained by other weights than those of the trust; ``verdict`` says it in words. Weights that are
    given multiply the taught ones.
    """

    name = "few_labels"
    kind = "few_labels"

    method: str
    weights: tuple[float, ...]
    intervals: tuple[tuple[float, ...], ...]
    log_evidence: float
    verdict: str
    trust: Trust = dataclasses.field(compare=False)

    @property
    def learned(self) -> str:
        """Method and weights."""
        pairs = zip(self.rankers, self.weights, strict=True)
        return f"{self.method}, {' '.join(f'{name}={weight:.3g}' for name, weight in pairs)}"

    def tell_rankers(self) -> list[str]:
        """The verdict, then the weight of each ranker with its interval and what it was without labels."""
        start = start_weights(self.trust, self.rankers)
        rows = zip(self.rankers, self.weights, self.intervals, start, strict=True)
        lines = [
            f"{bare(name)}: weight {weight:.2f} ({low:.2f} to {high:.2f}), without labels {before:.2f}"
            for name, weight, (low, high), before in rows
        ]
        return [self.verdict, *lines]

    def bind(self, rankings: Rankings) -> tuple[Method, Rankings]:
        self.check_rankers(rankings)
        return self.weighted(rankings)

    def weighted(self, rankings: Rankings) -> tuple[Method, Rankings]:
        """The method, and the rankings with the taught weights and the confidence of their lists."""
        trusted, weighted = self._trusted().bind(rankings)
        method = method_of(self.method)
        return trusted if isinstance(method, StaggTrust) else method, weighted

    def _trusted(self) -> Trusted:
        """``stagg_trust`` with the taught weights in the place of its own influences."""
        chosen = method_of(self.method)
        base = chosen if isinstance(chosen, StaggTrust) else StaggTrust()
        return base.trusting(self._taught_trust())

    def _taught_trust(self) -> Trust:
        most = max(self.weights)
        taught = {
            name: dataclasses.replace(self.trust.rankers[name], influence=weight / most)
            for name, weight in zip(self.rankers, self.weights, strict=True)
            if name in self.trust.rankers
        }
        return dataclasses.replace(self.trust, rankers=taught, learned=True)

    def simplified(self) -> TrustModel | None:
        """The model of trust that gives the same results; None where the method is not ``stagg_trust``."""
        if not isinstance(method_of(self.method), StaggTrust):
            return None
        return TrustModel(
            learner=f"trust(method={self.method!r})",
            rankers=self.rankers,
            method=self.method,
            trust=self._taught_trust(),
            training=self.training,
        )

    def with_missing(self, missing: Missing | None) -> TaughtWeights:
        return dataclasses.replace(self, method=repr(method_of(self.method).with_missing(missing)))

    def score(self, rankings: Rankings) -> FloatArray:
        return self.scored(rankings).scores

    def scored(self, rankings: Rankings) -> Scored:
        method, weighted = self.bind(rankings)
        return method.scored(weighted)

    def content(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "weights": dict(zip(self.rankers, self.weights, strict=True)),
            "intervals": {name: list(pair) for name, pair in zip(self.rankers, self.intervals, strict=True)},
            "evidence": self.log_evidence,
            "verdict": self.verdict,
            "trust": self.trust.to_dict(),
        }

    @classmethod
    def restore(cls, common: dict[str, Any], content: dict[str, Any]) -> TaughtWeights:
        weights = restore_numbers(content, "weights", common["rankers"], least=0)
        intervals = restore_rows(content, "intervals", common["rankers"])
        if not any(weights):
            raise DataError("all weights are 0, so it would fuse nothing")
        if any(len(pair) != 2 or pair[0] > pair[1] for pair in intervals):
            raise DataError("an interval is not a lower and an upper bound")
        method, trust = method_of(content["method"]), Trust.of_dict(content["trust"])
        if not method.is_additive():
            raise DataError("its method is not a weighted sum over the rankers")
        if set(trust.rankers) - set(common["rankers"]):
            raise DataError("the trust is not that of the rankers that it names")
        return cls(
            **common,
            method=repr(method),
            weights=weights,
            intervals=intervals,
            log_evidence=real_number("the evidence", content["evidence"]),
            verdict=str(content["verdict"]),
            trust=trust,
        )


def start_weights(trust: Trust, rankers: tuple[str, ...]) -> FloatArray:
    """The influence of each ranker, with mean 1; a copy has none beside its original.

    >>> start_weights(Trust.equal(("a", "b"), "no queries"), ("a", "b"))
    array([1., 1.])
    """
    known = {name: each.influence for name, each in trust.rankers.items() if each.copy_of is None}
    found = np.array([known.get(name, 0.0) for name in rankers])
    total = found.sum()
    return found * len(found) / total if total > 0 else np.ones(len(found))
