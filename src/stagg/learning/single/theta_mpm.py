"""θ-MPM: the multinomial preference model with an expertise for every ranker, computed from the labels."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.fitting.expertise import expert_multinomial
from stagg.kernels.fitting.newton import newton
from stagg.kernels.fitting.pair_models import net_counts
from stagg.kernels.id_order import order_by_id
from stagg.learning.base import Learner, Lesson, Model, one_measure, restore_numbers
from stagg.learning.examples import Examples
from stagg.learning.linear.descent import hold
from stagg.measures import MEASURES, judge
from stagg.methods import Missing
from stagg.methods.models.mpm import MPM
from stagg.registry import one_of

__all__ = ["ExpertMPM", "ThetaMPM"]

SHARED = ("missing", "counts", "prior")  # parameters of the model that are those of mpm
LEAST = 2  # items that a list must hold to show what its ranker is worth


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class ThetaMPM(Learner):
    """Multinomial preference model whose rankers have an expertise: how near their lists come to the labels.

    List k draws its preferences with P_k(i above j) ∝ exp(θ_k (v_i - v_j)), see ``mpm``; a query's score is v, of
    largest likelihood with θ fixed. This is an interpretation: the papers say no more than that θ is a heuristic
    similarity between list and ground truth. Here θ_k is the mean of ``measure`` over the labelled queries for which
    ranker k lists two items or more (``similarity="measure"``), or of (τ + 1) / 2, τ Kendall's tau with the labels
    ("tau"), divided by the mean over the rankers; a ranker that never lists two items has 1. ``counts``, ``prior`` and
    ``missing`` are those of ``mpm``. There is nothing to choose by: a validation part is only measured.

    Reference: Volkovs & Zemel, "A flexible generative model for preference aggregation", WWW 2012; used as θ-MPM in
    Niu, Lan, Guo & Cheng, "Stochastic rank aggregation", UAI 2013.

    >>> from stagg import Labels, Rankings
    >>> runs = Rankings.from_lists({"x": ["a", "b", "c"], "y": ["c", "b", "a"]})
    >>> [round(theta, 2) for theta in ThetaMPM().fit(runs, Labels({"1": {"a": 1}})).theta]
    [1.33, 0.67]
    """

    name = "theta_mpm"

    measure: str = "ndcg@10"
    similarity: str = "measure"
    missing: Missing | None = None
    counts: str = "difference"
    prior: float = 0.1

    def __post_init__(self) -> None:
        one_measure(self, self.measure)
        one_of(self, "similarity", ("measure", "tau"))
        MPM(**{name: getattr(self, name) for name in SHARED})  # refuses what it cannot be

    def with_missing(self, missing: Missing | None) -> ThetaMPM:
        changed = MPM(missing=self.missing).with_missing(missing)
        return dataclasses.replace(self, missing=changed.missing)

    def learn(self, lesson: Lesson) -> ExpertMPM:
        known = Examples.of(lesson.rankings, lesson.labels, None, conventions=lesson.conventions)
        known.check_relevant()
        held = hold(lesson, known)
        model = ExpertMPM(
            learner=repr(self),
            rankers=known.rankings.rankers,
            theta=tuple(self._expertise(known).tolist()),
            **{name: getattr(self, name) for name in SHARED},
        )
        facts = [("queries", len(known)), ("measure", self.measure), ("mean", self._mean(model, known))]
        if held is not None:
            facts.append(("validation", self._mean(model, held)))
        return dataclasses.replace(model, training=tuple(facts))

    def _expertise(self, known: Examples) -> FloatArray:
        """θ, of mean 1 over the rankers that show any."""
        values = np.array([self._similarity(known, ranker) for ranker in range(len(known.rankings.rankers))])
        shown = ~np.isnan(values)
        mean = values[shown].mean() if shown.any() else 0.0
        return np.where(shown, values / mean, 1.0) if mean > 0 else np.ones(len(values))

    def _similarity(self, known: Examples, ranker: int) -> float:
        """How near the lists of a ranker come to the labels, NaN where none holds two items."""
        run = known.rankings.take_rankers([ranker])
        run = run.take_queries(run.list_queries[run.list_lengths >= LEAST])
        if not len(run):
            return float("nan")
        judged = judge(run, known.labels.take(run.queries), conventions=known.conventions, largest=known.largest)
        if self.similarity == "tau":
            return float(np.mean((MEASURES.parse("kendall_tau").value(judged) + 1) / 2))
        return float(np.mean(one_measure(self, self.measure).value(judged)))

    def _mean(self, model: ExpertMPM, part: Examples) -> float:
        return part.mean(model.strengths(part.rankings), one_measure(self, self.measure))


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class ExpertMPM(Model):
    """The multinomial preference model with θ fixed; see ``theta_mpm``."""

    name = "theta_mpm"
    kind = "theta_mpm"
    honours = MPM.honours

    theta: tuple[float, ...]
    counts: str = "difference"
    prior: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.base  # refuses what it cannot be

    @property
    def base(self) -> MPM:
        """The same model without expertise."""
        return MPM(**{name: getattr(self, name) for name in SHARED})

    def score(self, rankings: Rankings) -> FloatArray:
        self.check_rankers(rankings)
        return self.strengths(rankings)

    def strengths(self, rankings: Rankings) -> FloatArray:
        """v of every item; a part may lack rankers, which is said where the model is used."""
        base, place = self.base, {name: number for number, name in enumerate(self.rankers)}
        numbers = np.array([place[name] for name in rankings.rankers], dtype=np.intp)
        scores = np.zeros(len(rankings.items))
        for view in rankings:
            lists = slice(*rankings.list_offsets[view.number : view.number + 2])
            items = slice(*rankings.item_offsets[view.number : view.number + 2])
            scores[items] = self._strengths(base, view, numbers[rankings.list_rankers[lists]])
        return scores

    def _strengths(self, base: MPM, view: Query, numbers: IntArray) -> FloatArray:
        """v of one query, whose lists are those of the model's rankers ``numbers``."""
        strengths, theta = np.zeros(len(view)), np.array(self.theta)[numbers]
        lists = [k for k in np.argsort(numbers) if theta[k] > 0]  # in the order of the model: no other changes a sum
        order = order_by_id(view.items)
        positions, weights = view.positions[:, order], view.weights
        counts = [base.preferences(positions[[k]], weights[[k]]) for k in lists]
        if not any(each.any() for each in counts):
            return strengths
        base.must_be_bounded(np.sum(counts, axis=0), view.id)
        net, total = (np.array(part) for part in zip(*map(net_counts, counts), strict=True))
        found = newton(lambda v: expert_multinomial(v, theta[lists], net, total), np.zeros(len(view)), prior=self.prior)
        strengths[order] = base.settled(found, view.id)
        return strengths

    def content(self) -> dict[str, Any]:
        theta = dict(zip(self.rankers, self.theta, strict=True))
        return {"theta": theta} | {name: getattr(self, name) for name in SHARED}

    @classmethod
    def restore(cls, common: dict[str, Any], content: dict[str, Any]) -> ExpertMPM:
        theta = restore_numbers(content, "theta", common["rankers"])
        return cls(**common, theta=theta, **{name: content[name] for name in SHARED})
