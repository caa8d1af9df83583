"""Weights from few labels: start where trust ends, and move as far as the labels ask for it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.errors import InvalidParameter, bare, shown
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.fitting.random_slopes import SlopeFit, average_powers, fit_slopes, weigh_gain
from stagg.kernels.id_order import order_by_id
from stagg.learning.base import Learner, Lesson, one_measure, take_labelled
from stagg.learning.single.taught_weights import TaughtWeights, start_weights
from stagg.learning.single.weights import spread_gains
from stagg.measures import Measure, judge
from stagg.measures.judged import Judged
from stagg.measures.unjudged import REACH, share_judged
from stagg.methods import Missing, method_of
from stagg.methods.base import entry_gains
from stagg.methods.consensus import consensus
from stagg.methods.stochastic.trust import SURE_C, UNSURE_C, StaggTrust, Trust
from stagg.registry import check_seed

__all__ = ["FewLabels"]

ASK: Final = 2.0
"""Units of log likelihood by which the labels must prefer something else before it is said, or chosen."""

FEWEST_LABELS = 16  # judged items
FEWEST_QUERIES = 5  # labelled queries, before another method than that of the trust can be chosen
ENOUGH_JUDGED = 0.5  # of the first ten: with less the measure is not known
SCORE_SUMS: Final = ("combsum(norm='min-max')", "combsum(norm='z-score')")
DRAWS = 400  # resamples of the queries, and draws of the posterior
TAILS = (2.5, 97.5)
DIGITS = 4
MOST_NAMED = 3  # rankers that the verdict names
LITTLE = 0.02  # the labels' share of the weights, below which it is not worth a word


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class FewLabels(Learner):
    """Weights from few labels: those of ``stagg_trust``, moved as far as the labels ask, with intervals and a verdict.

    The start is all of what ``stagg_trust`` learns without labels, from every query of the input: weights,
    constant, confidence and absence. The grades of the judged items are then explained by what each ranker gives
    them, first by powers of the weights, from equal ones to their cubes, averaged by what each query says of them.
    How far the weights move from there is found by restricted maximum likelihood, with slopes that differ from
    query to query, and half way only where the evidence is 2 units of log likelihood. Items without a judgment are
    left out, unless no judged item is irrelevant: then they count as irrelevant. So it learns from whole judged
    lists and from a few judgments spread over many queries alike. Another constant, or a sum of normalised scores,
    is taken if the ``measure`` on the labelled queries prefers it by 2 units.

    ``method`` is the ``stagg_trust`` to start from. A validation part is not needed and has no say. ``seed`` is that of
    the intervals, which resample the queries. How it works, and what it gains: docs/supervised.md.

    Reference: Patterson & Thompson, "Recovery of inter-block information when block sizes are unequal", Biometrika
    58, 1971 (restricted maximum likelihood).

    >>> from stagg.data.simulation import simulate
    >>> made = simulate(queries=20, items=20, rankers=3, quality=[0.2, 3.0, 0.2], depth=12, seed=0)
    >>> FewLabels().fit(made.rankings, made.labels).verdict
    'the labels ask for r02 2.9, r03 0.08, r01 0.07: suggested, not proven'
    """

    name = "few_labels"
    unjudged_counts: ClassVar[bool] = False

    method: str = "stagg_trust"
    measure: str = "ndcg@10"
    seed: int = 0

    def __post_init__(self) -> None:
        one_measure(self, self.measure)
        check_seed(self.seed)
        self._method()

    def _method(self) -> StaggTrust:
        chosen = method_of(self.method)
        if not isinstance(chosen, StaggTrust) or not chosen.is_additive():
            raise InvalidParameter(
                f"few_labels: method is {shown(self.method)}; it must be a stagg_trust, without families"
            )
        return chosen

    def with_missing(self, missing: Missing | None) -> FewLabels:
        return dataclasses.replace(self, method=repr(self._method().with_missing(missing)))

    def learn(self, lesson: Lesson) -> TaughtWeights:
        rankings = lesson.rankings.take_rankers(order_by_id(lesson.rankings.rankers))
        known = take_labelled(rankings, lesson.labels)
        if lesson.validation is not None:
            take_labelled(*lesson.validation, "validation part")  # it has no say, but a wrong file is said
        start, *others = self._starts(rankings, known)
        first = _teach(start, known, lesson.labels)
        judged = _judge(first.model, known, lesson)
        facts: dict[str, Any] = {"queries": len(known), "judgments": first.judgments}
        if first.assumed:
            facts["counted as irrelevant"] = first.assumed
        if not _is_judged(judged, known, lesson.labels):
            return self._conclude(first, another=False, facts=facts)
        taught = [first]
        if len(known) >= FEWEST_QUERIES:
            taught += [_teach(other, known, lesson.labels) for other in others]
        measure = one_measure(self, self.measure)
        values = [_values(measure, judged, known)]
        values += [_values(measure, _judge(each.model, known, lesson), known) for each in taught[1:]]
        gains = [weigh_gain(each - values[0]) for each in values]
        best = int(np.argmax(gains)) if max(gains) > ASK else 0
        facts |= {"measure": self.measure, "mean": float(np.mean(values[best]))}
        return self._conclude(taught[best], another=best > 0, facts=facts)

    def _starts(self, rankings: Rankings, known: Rankings) -> Iterator[TaughtWeights]:
        """What can be taught: ``stagg_trust`` as it is without labels, with other constants, and sums of scores."""
        method = self._method()
        evidence = method.evidence()
        evidence.add(rankings)
        trust = method.learn(evidence)
        methods = [(repr(method), dataclasses.replace(trust, c=c)) for c in dict.fromkeys((trust.c, SURE_C, UNSURE_C))]
        if not trust.learned or trust.of_items:  # of one query the items decide, not weights
            trust = Trust.equal(rankings.rankers, trust.why)
            methods = [("rrf(c=60)", trust)]
        if known.scores is not None and not np.isnan(known.scores).any():
            methods += [(text, trust) for text in SCORE_SUMS]
        weights = start_weights(trust, known.rankers)
        for text, start in methods:
            yield TaughtWeights(
                learner=repr(self),
                rankers=known.rankers,
                method=text,
                weights=tuple(weights.tolist()),
                intervals=(),
                log_evidence=0.0,
                verdict="",
                trust=start,
            )

    def _conclude(self, taught: _Taught, *, another: bool, facts: dict[str, Any]) -> TaughtWeights:
        """The model with the intervals of its weights, and the verdict."""
        fit, model = taught.fit, taught.model
        bounds = _find_bounds(fit, np.array(model.weights), np.random.default_rng(self.seed))
        return dataclasses.replace(
            model,
            intervals=tuple((round(low, DIGITS), round(high, DIGITS)) for low, high in bounds.T.tolist()),
            log_evidence=round(taught.evidence, DIGITS),
            verdict=_tell_verdict(taught, another=another),
            training=tuple(facts.items()),
        )


class _Taught(NamedTuple):
    """A model with taught weights, the fit that taught them, and from how many judgments.

    ``evidence``: by how much other weights than those at the start explain the labels better, in units of log
    likelihood. ``assumed``: how many items that nobody judged counted as irrelevant.
    """

    model: TaughtWeights
    fit: SlopeFit
    evidence: float
    judgments: int
    assumed: int


def _teach(start: TaughtWeights, known: Rankings, labels: Labels) -> _Taught:
    """Explain the grades by what each ranker gives the items, and move the weights as far as that asks."""
    features, given, queries = _judged_rows(start, known, labels)
    grades, counts = np.maximum(given, 0.0), (int((given >= 0).sum()), int((given < 0).sum()))
    prior = np.array(start.weights) / sum(start.weights)
    if len(grades) < FEWEST_LABELS:
        return _Taught(start, SlopeFit(prior), 0.0, *counts)
    believed, gain = average_powers(features, grades, queries, prior)
    fit = fit_slopes(features, grades, queries, believed, ASK)
    if fit.share == 0:
        return _Taught(start, fit, 0.0, *counts)
    weights = np.round(fit.weights() * len(prior), DIGITS)
    model = dataclasses.replace(start, weights=tuple(weights.tolist()))
    return _Taught(model, fit, gain + fit.evidence, *counts)


def _judged_rows(model: TaughtWeights, known: Rankings, labels: Labels) -> tuple[FloatArray, FloatArray, IntArray]:
    """(what each ranker gives the item, its grade, its query) of each item that teaches, in an order of their own.

    The grade of an item that nobody judged is below 0.
    """
    method, weighted = model.weighted(known)
    active = weighted.active()
    gains = entry_gains(method, active)
    assert gains is not None
    listed, rest = gains
    if active.factors is not None:
        listed, rest = listed * active.factors[active.entry_lists], rest * active.factors
    table = np.zeros((len(active.items), len(known.rankers)))
    table[:, [known.rankers.index(name) for name in active.rankers]] = spread_gains((listed, rest), active).T
    grades = labels.aligned(active)
    rows = _find_teaching(active, grades)
    features, grades, queries = table[rows], grades[rows], active.item_queries[rows]
    order = np.lexsort((grades, *features.T, queries))  # no sum depends on the order of the items in the files
    return features[order], grades[order], queries[order]


def _find_teaching(rankings: Rankings, grades: FloatArray) -> BoolArray:
    """The judged items; where all of these are relevant, also the first items of every list, as irrelevant."""
    judged: BoolArray = grades >= 0
    if (grades == 0).any():
        return judged
    near = judged.copy()
    near[rankings.entries[rankings.positions < REACH]] = True
    return near


def _judge(model: TaughtWeights, known: Rankings, lesson: Lesson) -> Judged:
    """The result of a model on the labelled queries, beside their labels."""
    method, weighted = model.weighted(known)
    fused = consensus(weighted.active(), method)
    return judge(fused, lesson.labels, conventions=lesson.conventions, only_common=True)


def _values(measure: Measure, judged: Judged, known: Rankings) -> FloatArray:
    """The measure of every labelled query; 0 where no ranker that counts has a list."""
    values = dict(zip(judged.queries, measure.value(judged).tolist(), strict=True))
    return np.array([values.get(query, 0.0) for query in known.queries])


def _is_judged(judged: Judged, known: Rankings, labels: Labels) -> bool:
    """Whether enough of the first items has a label, so that a measure of the whole list means something."""
    share = share_judged([judged], REACH)
    only_relevant = all(grade > 0 for query in known.queries for grade in labels[query].values())
    return only_relevant or (share is not None and share >= ENOUGH_JUDGED)


def _find_bounds(fit: SlopeFit, weights: FloatArray, rng: np.random.Generator) -> FloatArray:
    """(lowest, highest) of each weight that the labels leave open, with the weight itself.

    The bounds hold 95 % of the posterior, and 95 % of what resampled queries teach, without the cost of moving. The
    posterior alone knows what few queries cannot tell, resamples alone that queries differ in ways that no model has.
    Where nothing was learned, any weight of a ranker that counts is possible.
    """
    most = float(len(weights))
    if not fit.rows:
        return np.array([np.where(weights == most, most, 0.0), np.where(weights > 0, most, 0.0)])
    queries = fit.parts.shape[1]
    counts = rng.multinomial(queries, np.full(queries, 1 / queries), size=DRAWS).astype(np.float64)
    tried = [dataclasses.replace(fit, share=1.0).resampled(counts), fit.drawn(DRAWS, rng)]
    low, high = zip(*(np.percentile(each * most, TAILS, axis=0) for each in tried), strict=True)
    return np.array([np.min([*low, weights], axis=0), np.max([*high, weights], axis=0)])


def _tell_verdict(taught: _Taught, *, another: bool) -> str:
    """One sentence on what the labels ask for."""
    model, fit = taught.model, taught.fit
    start = start_weights(model.trust, model.rankers)
    weights = np.array(model.weights)
    method = f" in {model.method}" if another else ""
    if another and model.trust.learned and "stagg_trust" in model.method:
        method = f" with c={model.trust.c:g}"
    if taught.evidence <= ASK:
        before = "those of stagg_trust" if model.trust.learned else "equal ones"
        if taught.judgments + taught.assumed < FEWEST_LABELS:
            return f"the labels are too few to ask for other weights than {before}"
        asked = f"the labels do not ask for other weights than {before}"
        little = ", so they moved only a little" if fit.share > LITTLE else ""
        return f"{asked}, but for these{method}: suggested, not proven" if another else asked + little
    moved = sorted(range(len(weights)), key=lambda k: (-abs(weights[k] - start[k]), model.rankers[k]))[:MOST_NAMED]
    named = sorted(moved, key=lambda k: (-weights[k], model.rankers[k]))
    told = ", ".join(f"{bare(model.rankers[k])} {round(float(weights[k]), 2):.2g}" for k in named)
    return f"the labels ask for {told}{method}: suggested, not proven"
