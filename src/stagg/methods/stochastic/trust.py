"""Trust: reciprocal rank fusion with rankers trusted as far as they deserve, learned from agreement alone.

:class:`Agreements` (:mod:`stagg.methods.stochastic.agreements`) adds up, query by query, how far the rankers agree;
:class:`Trust` is what follows from it (the model and its objective: :mod:`stagg.kernels.agreement.reliability`);
:class:`StaggTrust` learns it from the rankings that it fuses, and :class:`Trusted` is the method with trust that is
fixed.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import numpy as np

from stagg.data.rankings import Rankings
from stagg.errors import DataWarning, InvalidParameter, shown
from stagg.kernels.agreement.confidence import percentiles, spreads
from stagg.kernels.agreement.reliability import (
    Fit,
    combined_shares,
    consensus_reliability,
    excess_agreement,
    fitted,
    influences,
    shares,
    without_gaps,
)
from stagg.kernels.arrays import BoolArray, FloatArray
from stagg.kernels.lists.order_statistics import benjamini_hochberg
from stagg.kernels.stochastic.utilities import Utility, rrf
from stagg.methods.base import Method, Missing, in_range, true_or_false
from stagg.methods.positional.rank_sums import RRF
from stagg.methods.stochastic.agreements import Agreements, PairAgreement
from stagg.methods.stochastic.learned_shape import GivenShape
from stagg.methods.stochastic.one_query import chance_of_scores, keep_best_of_families, trust_items
from stagg.methods.stochastic.stagg import StaggRRF, Stochastic
from stagg.registry import check_seed, near_names, real_number, whole_number

__all__ = ["RankerTrust", "StaggTrust", "Trust", "Trusted"]

FEWEST_RANKERS = 2
TOLD_APART = 3  # of two rankers neither can be said to be the better one
FEWEST_QUERIES = 2  # that two rankers must share: one query tells no ranker from another
ONE_QUERY = "there is only one query"
OF_ITEMS = "learned from the items of one query"
NO_PAIR = f"no two rankers share {FEWEST_QUERIES} queries, so that none can be told from another"
NEAR = 0.05  # dependence below it is not worth a word
UNSURE_C, SURE_C = 60.0, 20.0  # the constant of RRF for a consensus of reliability 0, and of 1


@dataclasses.dataclass(frozen=True)
class RankerTrust:
    """Beliefs about one ranker.

    ``reliability``: its correlation with what is true, estimated. ``share``: its part of the vote that it has together
    with its relatives. ``influence``: reliability and share, relative to the most influential ranker, which has 1.
    ``relatives``: rankers with which it agrees beyond what quality explains, by how much. ``curve``: (gap, how often
    all others together put two of its items that lie so far apart in the same order), where there are enough of them.
    ``confirmation``: how far the spread of its scores goes with the agreement of the others, over the queries; below 0
    it counts as 0. ``spreads``: the spreads of its lists, in order, at most 256 of them. ``copy_of``: the ranker whose
    lists are the same, all of them; a copy has no vote of its own.
    """

    reliability: float
    share: float
    influence: float
    relatives: tuple[tuple[str, float], ...] = ()
    curve: tuple[tuple[int, float], ...] = ()
    confirmation: float = 0.0
    spreads: tuple[float, ...] = ()
    copy_of: str | None = None

    def __str__(self) -> str:
        if self.copy_of is not None:
            return f"the same lists as {self.copy_of}, counted once"
        near = f", near {', '.join(f'{name} ({by:.2f})' for name, by in self.relatives)}" if self.relatives else ""
        return f"reliability {self.reliability:.2f}, share {self.share:.2f}, influence {self.influence:.2f}{near}"

    def confidence(self, spread: FloatArray) -> FloatArray:
        """1 + max(ρ, 0) (p - ½) for lists whose scores have these spreads, p where each stands among all."""
        sure: FloatArray = 1 + max(self.confirmation, 0.0) * (percentiles(spread, np.array(self.spreads)) - 0.5)
        return sure


@dataclasses.dataclass(frozen=True)
class Trust:
    """Beliefs about each ranker; ``learned`` is False where there was nothing to learn from, ``why`` says it.

    ``consensus`` is how reliable all rankers are together (λ), ``c`` the constant of RRF that follows from it.
    Of what the items of one query taught (:mod:`stagg.methods.stochastic.one_query`) ``why`` says so.
    ``objective`` is that of the fit after each round (it never rises), ``queries`` how many there were.
    """

    rankers: Mapping[str, RankerTrust]
    learned: bool
    why: str = ""
    queries: int = 0
    consensus: float = 0.0
    c: float = UNSURE_C
    objective: tuple[float, ...] = ()
    converged: bool = True

    @property
    def of_items(self) -> bool:
        """Whether the items of one query taught it."""
        return self.learned and self.queries == 1

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        plain = dataclasses.asdict(self)
        return plain | {"rankers": {name: dataclasses.asdict(each) for name, each in self.rankers.items()}}

    @classmethod
    def of_dict(cls, plain: Mapping[str, Any]) -> Trust:
        """The trust that :meth:`to_dict` wrote."""
        rankers = {
            str(name): RankerTrust(
                reliability=_between(each["reliability"], 0, 1),
                share=_between(each["share"], 0, 1),
                influence=_between(each["influence"], 0, 1),
                relatives=tuple((str(other), real_number("a relative", by)) for other, by in each["relatives"]),
                curve=tuple((int(gap), _between(chance, 0, 1)) for gap, chance in each["curve"]),
                confirmation=_between(each["confirmation"], -1, 1),
                spreads=_rising([_between(spread, 0, np.finfo(float).max) for spread in each["spreads"]]),
                copy_of=None if each["copy_of"] is None else str(each["copy_of"]),
            )
            for name, each in plain["rankers"].items()
        }
        return cls(
            rankers=rankers,
            learned=bool(plain["learned"]),
            why=str(plain["why"]),
            queries=int(plain["queries"]),
            consensus=_between(plain["consensus"], 0, 1),
            c=_between(plain["c"], SURE_C, UNSURE_C),
            objective=tuple(real_number("the objective", value) for value in plain["objective"]),
            converged=bool(plain["converged"]),
        )

    @classmethod
    def equal(cls, rankers: Iterable[str], why: str, queries: int = 0) -> Trust:
        """Every ranker trusted alike."""
        return cls({name: RankerTrust(1.0, 1.0, 1.0) for name in rankers}, learned=False, why=why, queries=queries)


def _between(value: Any, low: float, high: float) -> float:
    return real_number("a number of the trust", value, least=low, most=high)


def _rising(values: list[float]) -> tuple[float, ...]:
    if values != sorted(values):
        raise ValueError("the spreads are not in order")
    return tuple(values)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class StaggTrust(Stochastic):
    """Reciprocal rank fusion in which each ranker is trusted as far as it deserves, learned without labels.

    Σ_k w_k g_kq / (c + rank_kq), an unlisted item having the mean of the ranks left over. A ranker that agrees with the
    others, over all queries, has a large w; rankers that agree beyond what their quality explains share one vote, and
    rankers whose lists are all the same count once. The surer the consensus, the smaller c: the first ranks count more.
    g is the confidence of a list in a query: the more its scores spread, compared with its other queries, the surer it
    is, as far as the agreement of the others confirms that for this ranker. Weights that are given multiply w.

    A single query with at least 5 lists and 50 items teaches by its items, by MAIC's rule
    (:func:`stagg.kernels.agreement.item_votes.entry_votes`): a list weighs √ of the mean score of its items, a ranked
    list as far down as the item, times (1 + n/5) / (rank + n/5) for n items; an unranked list, one tied block, as a
    whole; the score of an item is the sum of these weights. Absence then gives nothing. With fewer it is
    plain ``rrf(c=60)``, with a warning.

    ``families={'lab1': 'screens', 'lab2': 'screens'}``: of the lists of one family only the one that gives an item most
    counts, and absence gives nothing. ``permutations=100`` adds two columns: ``p``, how often an item has as much when
    all lists are dealt to the candidates by lot, and ``q``, which is corrected for the number of items
    (Benjamini-Hochberg); weights stay as they are.

    ``confidence=False`` leaves g out, so that only the order of the lists counts. ``shape``: the contests as for
    ``stagg``, certain by default. ``ridge`` holds the reliabilities together, the more so the fewer rankers there are;
    ``excess`` is the price of explaining agreement by dependence. How it works, when it helps and when it cannot:
    docs/trust.md.

    Reference: Niu, Lan, Guo & Cheng, UAI 2013, name it as future work; the estimate is a one-factor model with sparse
    dependence (:func:`stagg.kernels.agreement.reliability.fitted`).

    >>> from stagg import fuse
    >>> right, other, wrong = {"a": 3, "b": 2, "c": 1}, {"a": 3, "c": 2, "b": 1}, {"c": 3, "b": 2, "a": 1}
    >>> systems = [{query: run for query in "12"} for run in (right, other, wrong, wrong, wrong)]
    >>> fuse(systems, "rrf").best_first("1"), fuse(systems, "stagg_trust").best_first("1")
    (['c', 'a', 'b'], ['a', 'c', 'b'])
    """

    name = "stagg_trust"
    learns = True
    breaks: ClassVar[Mapping[str, str]] = {
        "query_independence": "trust is learned from all queries; with a saved model it holds",
        "weight_is_copies": "a weight multiplies the influence, and a copy has no vote of its own",
        "score_transform": "the confidence of a list looks at the spread of its scores; confidence=False keeps the law",
    }

    shape: str | Callable[[FloatArray, int, int], FloatArray] = "certain"
    confidence: bool = True
    ridge: float = 1.5
    excess: float = 0.05
    families: Mapping[str, str] | None = None
    permutations: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_families()
        if self.permutations is not None:
            whole_number(f"{self.name}: permutations", self.permutations, least=1, most=100_000)
        if self.seed is not None:
            check_seed(self.seed)
        true_or_false(self, "confidence")
        in_range(self, "ridge", 0, open_low=True)
        in_range(self, "excess", 0)

    def _check_families(self) -> None:
        if self.families is None:
            return
        if not isinstance(self.families, Mapping):
            raise InvalidParameter(f"{self.name}: families is {shown(self.families)}; it must be {{ranker: family}}")
        for pair in self.families.items():
            if not all(isinstance(each, str) for each in pair):
                raise InvalidParameter(f"{self.name}: families names a ranker and its family, not {shown(pair)}")
        if self.missing not in (None, "skip"):
            raise InvalidParameter(f"{self.name}: with families absence gives nothing; leave out {self.missing!r}")
        object.__setattr__(self, "families", dict(self.families))

    @property
    def extras(self) -> tuple[str, ...]:
        return () if self.permutations is None else ("p", "q")

    def is_additive(self) -> bool:
        return self.families is None and super().is_additive()

    @property
    def expected(self) -> Utility:
        return rrf(UNSURE_C)

    @property
    def plain(self) -> PlainRRF:
        """Method where there is nothing to learn from."""
        return PlainRRF()

    def bind(self, rankings: Rankings) -> tuple[Method, Rankings]:
        """Warns where a family names a ranker that is not there."""
        for name in self.families or {}:
            if name not in rankings.rankers and name not in rankings.absent:
                near = near_names(name, rankings.rankers)
                warnings.warn(f"stagg_trust: no ranker {shown(name)} to have a family{near}", DataWarning, stacklevel=3)
        return self.teach(rankings).bind(rankings)

    def teach(self, rankings: Rankings) -> Trusted:
        """The method with the trust that the rankings teach; of voters who vote once no pair need be looked at."""
        active = rankings.active()
        if np.bincount(active.list_rankers, minlength=1).max() < FEWEST_QUERIES:
            seen = int((np.diff(active.list_offsets) > 0).sum())
            return self._tell(self.trust_of_items(active) if seen == 1 else _no_pair(active.rankers, seen))
        found = self.evidence()
        found.add(active)
        return self.conclude(found)

    def evidence(self) -> TrustEvidence:
        return TrustEvidence(self)

    def conclude(self, evidence: TrustEvidence) -> Trusted:
        """The method with the trust that the agreements teach."""
        return self._tell(self.learn(evidence))

    def learn(self, evidence: TrustEvidence) -> Trust:
        """The trust that the agreements teach, without a word if that is none."""
        found = evidence.agreements
        if found is not None and found.count == 1 and evidence.only is not None:
            return evidence.only
        return Trust.equal((), "there are no rankings") if found is None else self.trust(found)

    def _tell(self, trust: Trust) -> Trusted:
        if not trust.learned and trust.queries:
            warnings.warn(
                f"stagg_trust has nothing to learn from, and gives plain rrf(c=60): {trust.why}",
                DataWarning,
                stacklevel=4,
            )
        return self.trusting(trust)

    def trusting(self, trust: Trust) -> Trusted:
        """The method with trust that is known."""
        silent = self.families is not None or trust.of_items or not trust.learned
        missing: Missing | None = "skip" if self.missing is None and silent else self.missing
        return Trusted(method=self, trust=trust, missing=missing, shape=self.shape)

    def trust_of_items(self, active: Rankings) -> Trust:
        """Learn trust from the items of one query."""
        found = trust_items(active, self.families or {})
        if found.why:
            return Trust.equal(active.rankers, f"{ONE_QUERY}; {found.why}", 1)
        believed = {name: RankerTrust(weight, 1.0, weight) for name, weight in found.weights.items()}
        rankers = {
            name: believed[head] if name == head else dataclasses.replace(believed[head], copy_of=head)
            for name, head in found.copies.items()
        }
        return Trust(rankers, learned=True, why=OF_ITEMS, queries=1, objective=(0.0,), converged=found.converged)

    def trust(self, found: Agreements) -> Trust:
        """Learn trust from agreement."""
        own = found.heads
        names = [found.rankers[k] for k in own]
        if len(own) < FEWEST_RANKERS:
            why = f"it takes {FEWEST_RANKERS} rankers that differ, and there is {'one' if own else 'none'}"
            return Trust.equal(found.rankers, why, found.count)
        everywhere = found.everywhere.take(own)
        known = everywhere.queries >= FEWEST_QUERIES
        if not _pairs(known).any():
            return _no_pair(found.rankers, found.count)
        belief = self._believe(everywhere, found.common.take(own), found.shared(own))
        sureness = found.confirm(own, belief.share * np.sqrt(belief.reliability / belief.reliability.max()))
        believed = {
            name: RankerTrust(
                reliability=float(belief.reliability[k]),
                share=float(belief.vote[k]),
                influence=float(belief.influence[k]),
                relatives=_relatives(names, belief.beyond[k]),
                confirmation=sureness[k][0],
                spreads=sureness[k][1],
            )
            for k, name in enumerate(names)
        }
        rankers = {}
        for k, head in found.copies.items():  # the first ranker, by name, whose lists are the same
            name, first = found.rankers[k], found.rankers[head]
            mine = dataclasses.replace(believed[first], curve=found.curve(k))
            rankers[name] = mine if k == head else dataclasses.replace(mine, copy_of=first)
        return Trust(
            rankers=rankers,
            learned=True,
            queries=found.count,
            consensus=belief.consensus,
            c=round(UNSURE_C - (UNSURE_C - SURE_C) * belief.consensus, 3),
            objective=belief.objective,
            converged=belief.converged,
        )

    def _believe(self, everywhere: PairAgreement, common: PairAgreement, shared: FloatArray) -> _Belief:
        rankers = len(everywhere.queries)
        if rankers < TOLD_APART:
            agreement = max(float(everywhere.correlations[0, 1]), 0.0)
            even = np.ones(rankers)
            nothing = np.zeros((rankers, rankers))
            return _Belief(even, even, even, even, nothing, consensus_reliability(rankers, agreement))
        ordered = np.where(common.queries >= FEWEST_QUERIES, common.correlations, 0.0)
        first, share, beyond = self._fit(everywhere, without_gaps(everywhere.correlations, ordered, shared))
        _, by_order, beyond_order = self._fit(common, common.correlations)
        vote = combined_shares(share, by_order)
        reliability = first.reliability
        together = float(share.sum())
        return _Belief(
            reliability=reliability,
            share=share,
            vote=vote,
            influence=influences(vote, reliability),
            beyond=np.minimum(beyond, beyond_order) if rankers == TOLD_APART else beyond,
            consensus=consensus_reliability(together, (float(share @ reliability) / together) ** 2),
            objective=tuple(first.objective.tolist()),
            converged=first.converged,
        )

    def _fit(self, pairs: PairAgreement, correlations: FloatArray) -> tuple[Fit, FloatArray, FloatArray]:
        """(the fit, the share of each ranker, agreement beyond what quality explains)"""
        known = pairs.queries >= FEWEST_QUERIES
        # over a union of short lists correlations are biased down, and r_k r_l is never below 0
        agreements = np.maximum(correlations, 0.0)
        fit = fitted(agreements, known, pairs.mean_candidates(known), ridge=self.ridge, excess=self.excess)
        beyond = excess_agreement(agreements, fit)
        return fit, shares(fit.reliability, beyond), beyond


class TrustEvidence:
    """The agreements of some queries. They begin with the first part, which names the rankers; all parts have these."""

    def __init__(self, method: StaggTrust) -> None:
        self.method = method
        self.agreements: Agreements | None = None
        self.only: Trust | None = None  # what the items of the one query teach, while there is one

    def add(self, rankings: Rankings) -> None:
        active = rankings.active()  # what a ranker of weight 0 says is not there
        if self.agreements is None:
            method = self.method
            self.agreements = Agreements(active.rankers, absence=method.absence, confidence=method.confidence)
        seen = np.diff(active.list_offsets) > 0
        if self.agreements.count == 0 and seen.sum() == 1:
            self.only = self.method.trust_of_items(active.take_queries(np.flatnonzero(seen)))
        self.agreements.add(active)

    def merge(self, other: TrustEvidence) -> None:
        self.only = self.only or other.only
        if self.agreements is None:
            self.agreements = other.agreements
        elif other.agreements is not None:
            self.agreements.merge(other.agreements)


@dataclasses.dataclass(frozen=True)
class _Belief:
    """Of rankers that differ: what the fits say, and what follows."""

    reliability: FloatArray
    share: FloatArray
    vote: FloatArray
    influence: FloatArray
    beyond: FloatArray
    consensus: float
    objective: tuple[float, ...] = (0.0,)
    converged: bool = True


def _no_pair(rankers: Iterable[str], queries: int) -> Trust:
    return Trust.equal(rankers, ONE_QUERY if queries == 1 else NO_PAIR, queries)


def _pairs(known: BoolArray) -> BoolArray:
    pairs: BoolArray = known[np.triu_indices(len(known), 1)]
    return pairs


def _relatives(names: list[str], dependence: FloatArray) -> tuple[tuple[str, float], ...]:
    near = [(name, float(value)) for name, value in zip(names, dependence, strict=True) if value >= NEAR]
    return tuple(sorted(near, key=lambda pair: (-pair[1], pair[0])))


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class PlainRRF(StaggRRF):
    """``rrf(c=60)`` to the bit, as a St.Agg method: so it has a rank distribution, in which every list is right."""

    name = "rrf"

    missing: Missing | None = "skip"
    shape: GivenShape = "certain"

    def gains_and_rest(self, rankings: Rankings) -> tuple[FloatArray, FloatArray | None]:
        return RRF(c=self.c).gains_and_rest(rankings)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Trusted(Stochastic):
    """``stagg_trust`` with trust that is fixed: bound to rankings, it weighs their rankers and their lists."""

    name = "stagg_trust"

    method: StaggTrust
    trust: Trust = dataclasses.field(compare=False)

    @property
    def expected(self) -> Utility:
        return rrf(self.trust.c)

    @property
    def extras(self) -> tuple[str, ...]:
        return self.method.extras

    def is_additive(self) -> bool:
        return self.method.is_additive() and not self.trust.of_items

    @property
    def has_ranks(self) -> bool:
        return self.method.families is None and not self.trust.of_items

    def gains_and_rest(self, rankings: Rankings) -> tuple[FloatArray, FloatArray | None]:
        gains, rest = self._before_families(rankings)
        families = self.method.families
        return (gains, rest) if families is None else (keep_best_of_families(gains, rankings, families), rest)

    def _before_families(self, rankings: Rankings) -> tuple[FloatArray, FloatArray | None]:
        """What each list gives; where the items of one query taught, they do so again, query by query."""
        gains, rest = super().gains_and_rest(rankings)
        if not self.trust.of_items:
            return gains, rest
        votes = gains.copy()
        for query in range(len(rankings)):
            found = trust_items(rankings.take_queries([query]), self.method.families or {})
            if not found.why:
                votes[rankings.entry_queries == query] = found.gains
        return votes, rest

    def extra_columns(self, fused: Rankings, rankings: Rankings) -> dict[str, FloatArray]:
        """p and q of the entries of the consensus, from permutations of the lists."""
        if not self.extras:
            return {}
        gains, rest = self._before_families(rankings)
        scores = np.zeros(0) if fused.scores is None else fused.scores
        p, q = np.zeros((2, len(scores)))
        for row, query in enumerate(fused.list_queries.tolist()):
            mine = slice(*fused.entry_offsets[row : row + 2].tolist())
            p[mine] = chance_of_scores(
                scores[mine], gains, rest, rankings, self.method.families or {}, query,
                permutations=self.method.permutations or 1, seed=self.method.seed or 0,
            )  # fmt: skip
            q[mine] = benjamini_hochberg(p[mine])
        return {"p": p, "q": q}

    def __repr__(self) -> str:
        return repr(self.method)

    def with_missing(self, missing: Missing | None) -> Trusted:
        method = self.method.with_missing(missing)
        assert isinstance(method, StaggTrust)
        return method.trusting(self.trust)

    def bind(self, rankings: Rankings) -> tuple[Method, Rankings]:
        """Given weights multiply the influence of a ranker, its confidence in a query that of a list.

        Of rankers that are copies of each other the first by name votes, with the largest of their weights.
        """
        if not self.trust.learned and self.method.families is None and not self.extras:
            return self.method.plain, rankings
        prior: dict[str, float] = {}
        voters: dict[str, str] = {}
        for name, weight in sorted(zip(rankings.rankers, rankings.weights.tolist(), strict=True)):
            if weight > 0 and name in self.trust.rankers:  # one without lists is not among them
                voter = voters.setdefault(self.trust.rankers[name].copy_of or name, name)
                prior[voter] = max(prior.get(voter, 0.0), weight)
        influence = {} if self.trust.of_items else {name: self.trust.rankers[name].influence for name in prior}
        votes = [prior[name] * influence.get(name, 1.0) if name in prior else 0.0 for name in rankings.rankers]
        return self, rankings.replace(weights=np.array(votes), factors=self._confidence(rankings))

    def _confidence(self, rankings: Rankings) -> FloatArray | None:
        """g of each list; None where nothing tells one from another."""
        if not self.method.confidence or rankings.scores is None:
            return rankings.factors
        found = spreads(rankings.scores, rankings.entry_offsets)
        sure = np.ones(len(found))
        for number, name in enumerate(rankings.rankers):
            believed = self.trust.rankers.get(name)
            if believed is not None and believed.confirmation > 0 and believed.spreads:
                mine = rankings.list_rankers == number
                sure[mine] = believed.confidence(found[mine])
        return sure if rankings.factors is None else sure * rankings.factors
