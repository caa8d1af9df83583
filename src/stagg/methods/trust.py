"""St.Agg in which each ranker is trusted as far as it deserves, learned from agreement alone.

:class:`Agreements` adds up, query by query, how far the rankers agree; :class:`Trust` is what follows from it (the
model and its objective: :mod:`stagg.kernels.reliability`); :class:`StaggTrust` learns it from the rankings that it
fuses, and :class:`Trusted` is the method with trust that is fixed.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np

from stagg.data.rankings import Rankings
from stagg.errors import DataWarning
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.contests import Shape, shrunk
from stagg.kernels.expectations import GainTable
from stagg.kernels.reliability import (
    CORRELATION_UNIT,
    GAPS,
    Fit,
    agreement,
    concordance,
    excess_agreement,
    fitted,
    shares,
    shrinkages,
    whole_numbers,
)
from stagg.kernels.utilities import Utility
from stagg.methods.base import Method, Missing, contributions, in_range, list_gains
from stagg.methods.stochastic import ALL, TABLES, Stagg, Stochastic

__all__ = ["Agreements", "RankerTrust", "StaggTrust", "Trust", "Trusted"]

FEWEST_RANKERS = 3
FEWEST_QUERIES = 2  # that two rankers must share: one query tells no ranker from another
NO_PAIR = f"no two rankers share {FEWEST_QUERIES} queries, so that none can be told from another"
NEAR = 0.05  # dependence below it is not worth a word
ENOUGH = 400  # contests at a gap: the standard error of the share is 0.025 at most


@dataclasses.dataclass(frozen=True)
class RankerTrust:
    """What is believed of one ranker.

    ``reliability``: its correlation with what is true, estimated. ``share``: its part of the vote that it has together
    with its relatives. ``influence``: reliability and share, relative to the most influential ranker, which has 1.
    ``relatives``: rankers with which it agrees beyond what quality explains, by how much. ``curve``: (gap, how often
    all others together put two of its items that lie so far apart in the same order), where there are enough of them.
    ``copy_of``: the ranker whose lists are the same, all of them; a copy has no vote of its own.
    """

    reliability: float
    share: float
    influence: float
    relatives: tuple[tuple[str, float], ...] = ()
    curve: tuple[tuple[int, float], ...] = ()
    copy_of: str | None = None

    def __str__(self) -> str:
        if self.copy_of is not None:
            return f"the same lists as {self.copy_of}, counted once"
        near = f", near {', '.join(f'{name} ({by:.2f})' for name, by in self.relatives)}" if self.relatives else ""
        return f"reliability {self.reliability:.2f}, share {self.share:.2f}, influence {self.influence:.2f}{near}"


@dataclasses.dataclass(frozen=True)
class Trust:
    """What is believed of each ranker; ``learned`` is False where there was nothing to learn from, ``why`` says it.

    ``objective`` is that of the fit after each round (it never rises), ``queries`` how many there were.
    """

    rankers: Mapping[str, RankerTrust]
    learned: bool
    why: str = ""
    queries: int = 0
    objective: tuple[float, ...] = ()
    converged: bool = True

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        plain = dataclasses.asdict(self)
        return plain | {"rankers": {name: dataclasses.asdict(each) for name, each in self.rankers.items()}}

    @classmethod
    def of_dict(cls, plain: Mapping[str, Any]) -> Trust:
        """The trust that :meth:`to_dict` wrote."""
        rankers = {
            str(name): RankerTrust(
                reliability=_share(each["reliability"]),
                share=_share(each["share"]),
                influence=_share(each["influence"]),
                relatives=tuple((str(other), float(by)) for other, by in each["relatives"]),
                curve=tuple((int(gap), _share(chance)) for gap, chance in each["curve"]),
                copy_of=None if each["copy_of"] is None else str(each["copy_of"]),
            )
            for name, each in plain["rankers"].items()
        }
        objective = tuple(float(value) for value in plain["objective"])
        known = bool(plain["learned"]), str(plain["why"]), int(plain["queries"]), objective, bool(plain["converged"])
        return cls(rankers, *known)

    @classmethod
    def equal(cls, rankers: Iterable[str], why: str, queries: int = 0) -> Trust:
        """Every ranker trusted alike."""
        return cls({name: RankerTrust(1.0, 1.0, 1.0) for name in rankers}, learned=False, why=why, queries=queries)


def _share(value: Any) -> float:
    number = float(value)
    if not 0 <= number <= 1:
        raise ValueError(f"{number} is not between 0 and 1")
    return number


class Agreements:
    """How far rankers agree, added up over queries: the same bits whatever the order of queries, items and rankers."""

    def __init__(self, rankers: Iterable[str]) -> None:
        self.rankers = sorted(rankers)
        size = len(self.rankers), len(self.rankers)
        self.sums, self.queries, self.candidates = (np.zeros(size, dtype=np.int64) for _ in range(3))
        self.same, self.present = np.ones(size, dtype=bool), np.zeros(size[0], dtype=bool)
        self.contests = np.zeros((len(self.rankers), len(GAPS), 2), dtype=np.int64)
        self.count = 0

    def add(self, rankings: Rankings, method: Method) -> None:
        """What the lists say of every candidate by a positional method, compared list by list."""
        gains = list_gains(method, rankings)
        assert gains is not None  # St.Agg is a positional method
        place = {name: number for number, name in enumerate(self.rankers)}
        owners = np.array([place[name] for name in rankings.rankers], dtype=np.intp)
        for query in range(len(rankings)):
            first, end = rankings.list_offsets[query : query + 2].tolist()
            if first == end or not rankings.sizes[query]:
                continue
            table = whole_numbers(contributions(gains, rankings, query))
            lists = owners[rankings.list_rankers[first:end]]
            self._add_query(table, lists, partial(_list_kinds, rankings, query))
            together, start = table.sum(axis=0), rankings.item_offsets[query]
            bounds = rankings.entry_offsets[first : end + 1].tolist()
            for row, owner in enumerate(lists.tolist()):
                items = rankings.entries[bounds[row] : bounds[row + 1]] - start
                own = table[row, items]
                self.contests[owner] += concordance(own, together[items] - own)

    def _add_query(self, table: FloatArray, lists: IntArray, kinds: Callable[[], IntArray]) -> None:
        found, varies, same = agreement(table)
        if same.sum() > len(same):  # so far as a rounded table shows: far down a list little is left to see
            kind = kinds()
            same = kind[:, None] == kind
        both = np.ix_(lists, lists)
        known = varies[:, None] & varies
        self.sums[both] += found
        self.queries[both] += known
        self.candidates[both] += known * table.shape[1]
        here = np.zeros(len(self.rankers), dtype=bool)
        here[lists] = True
        self.present |= here
        self.same &= here[:, None] == here
        self.same[both] &= same
        self.count += 1

    def curve(self, ranker: int) -> tuple[tuple[int, float], ...]:
        """(gap, how often the others together agree), where there are enough contests to say."""
        counts = zip(GAPS, self.contests[ranker].tolist(), strict=True)
        return tuple((gap, half / (2 * contests)) for gap, (half, contests) in counts if contests >= ENOUGH)

    @property
    def correlations(self) -> FloatArray:
        """The mean over the queries of each pair; 0 where two never met."""
        found: FloatArray = self.sums * CORRELATION_UNIT / np.maximum(self.queries, 1)
        return found


def _list_kinds(rankings: Rankings, query: int) -> IntArray:
    """A number for each list of a query, the same for lists that are the same."""
    absent = np.full(len(rankings.list_rankers), -1.0)
    kinds: dict[bytes, int] = {}
    places = contributions((rankings.mean_positions, absent), rankings, query)
    return np.array([kinds.setdefault(row.tobytes(), len(kinds)) for row in places], dtype=np.intp)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class StaggTrust(Stochastic):
    """Stochastic aggregation in which each ranker is trusted as far as it deserves, learned without labels.

    A ranker that agrees with the others, over all queries, is believed; one that does not has its contests moved
    toward a coin's, p = ½ + ρ (p₀ - ½), and so loses influence through its rank distribution. Rankers that agree
    beyond what their quality explains share one vote, and rankers whose lists are all the same count once. With fewer
    than three rankers, or a single query, there is nothing to learn: all are trusted alike, with a warning. Weights
    that are given are prior trust: they multiply the influence.

    ``utility``, ``shape``: as for ``stagg``. ``contrast``: influence is reliability to this power. ``ridge`` holds the
    reliabilities together, the more so the fewer rankers there are; ``excess`` is the price of explaining agreement by
    dependence. How it works, when it helps and when it cannot: docs/trust.md.

    Reference: Niu, Lan, Guo & Cheng, UAI 2013, name it as future work; the estimate is a one-factor model with sparse
    dependence (:func:`stagg.kernels.reliability.fitted`).

    >>> from stagg import fuse
    >>> right, wrong = {"a": 3, "b": 2, "c": 1}, {"c": 3, "b": 2, "a": 1}
    >>> other = {"a": 3, "c": 2, "b": 1}
    >>> runs = {"1": [right, other, wrong, wrong], "2": [right, other, right, right], "3": [right, other, right, other]}
    >>> systems = [{query: lists[k] for query, lists in runs.items()} for k in range(4)]
    >>> fuse(systems, "stagg_trust").best_first("1")
    ['a', 'c', 'b']
    """

    name = "stagg_trust"
    learns = True
    breaks: ClassVar[Mapping[str, str]] = {
        "query_independence": "trust is learned from all queries; with a saved model it holds",
        "weight_is_copies": "a weight is prior trust, and a copy has no vote of its own",
    }

    utility: str | Callable[[FloatArray, int, int], FloatArray] = "rrf(60)"
    contrast: float = 3.0
    ridge: float = 2.0
    excess: float = 0.05

    def __post_init__(self) -> None:
        super().__post_init__()
        self.plain  # noqa: B018  an unknown utility is said at once
        in_range(self, "contrast", 0)
        in_range(self, "ridge", 0, open_low=True)
        in_range(self, "excess", 0)

    @property
    def plain(self) -> Stagg:
        """The same at equal trust."""
        return Stagg(utility=self.utility, shape=self.shape, missing=self.missing)

    @property
    def expected(self) -> Utility:
        return self.plain.expected

    def bind(self, rankings: Rankings) -> tuple[Method, Rankings]:
        return self.teach(rankings).bind(rankings)

    def teach(self, rankings: Rankings) -> Trusted:
        """The method with the trust that the rankings teach; of voters who vote once no pair need be looked at."""
        active = rankings.active()
        if np.bincount(active.list_rankers, minlength=1).max() < FEWEST_QUERIES:
            return self._tell(Trust.equal(active.rankers, NO_PAIR, int((np.diff(active.list_offsets) > 0).sum())))
        return self.learn_from([active])

    def learn_from(self, parts: Iterable[Rankings]) -> Trusted:
        """The method with the trust that the rankings teach, part by part; all parts have the same rankers."""
        found: Agreements | None = None
        for part in parts:
            active = part.active()  # what a ranker of weight 0 says is not there
            found = found or Agreements(active.rankers)
            found.add(active, self.plain)
        return self._tell(Trust.equal((), "there are no rankings") if found is None else self.trust(found))

    def _tell(self, trust: Trust) -> Trusted:
        if not trust.learned and trust.queries:
            warnings.warn(f"stagg_trust has nothing to learn from: {trust.why}", DataWarning, stacklevel=4)
        return self.trusting(trust)

    def trusting(self, trust: Trust) -> Trusted:
        """The method with trust that is known."""
        return Trusted(method=self, trust=trust, missing=self.missing, shape=self.shape)

    def trust(self, found: Agreements) -> Trust:
        """What agreement says of each ranker."""
        heads = {k: int(found.same[k].argmax()) for k in np.flatnonzero(found.present).tolist()}
        own = sorted(set(heads.values()))
        square = np.ix_(own, own)
        pairs = np.triu_indices(len(own), 1)
        known = found.queries[square] >= FEWEST_QUERIES
        if len(own) < FEWEST_RANKERS:
            why = f"it takes {FEWEST_RANKERS} rankers that differ to tell whom to trust, and there are {len(own)}"
            return Trust.equal(found.rankers, why, found.count)
        if not known[pairs].any():
            return Trust.equal(found.rankers, NO_PAIR, found.count)
        candidates = float(np.mean(found.candidates[square][pairs][known[pairs]]))
        # over a union of short lists correlations are biased down, and r_k r_l is never below 0
        agreements = np.maximum(found.correlations[square], 0.0)
        fit = fitted(agreements, known, candidates, ridge=self.ridge, excess=self.excess)
        believed = self._believe([found.rankers[k] for k in own], agreements, fit)
        rankers = {}
        for k, head in heads.items():  # the first ranker, by name, whose lists are the same
            name, first = found.rankers[k], found.rankers[head]
            mine = dataclasses.replace(believed[first], curve=found.curve(k))
            rankers[name] = mine if k == head else dataclasses.replace(mine, copy_of=first)
        return Trust(rankers, True, "", found.count, tuple(fit.objective.tolist()), fit.converged)

    def _believe(self, names: list[str], agreements: FloatArray, fit: Fit) -> dict[str, RankerTrust]:
        """Reliability to the power of ``contrast``, times the share of the vote, is influence."""
        beyond = excess_agreement(agreements, fit)
        share = shares(fit.reliability, beyond)
        influence = share * (fit.reliability / fit.reliability.max()) ** self.contrast
        influence = influence / influence.max()
        numbers = zip(fit.reliability.tolist(), share.tolist(), influence.tolist(), strict=True)
        return {
            name: RankerTrust(*three, relatives=_relatives(names, dependence))
            for name, three, dependence in zip(names, numbers, beyond, strict=True)
        }


def _relatives(names: list[str], dependence: FloatArray) -> tuple[tuple[str, float], ...]:
    near = [(name, float(value)) for name, value in zip(names, dependence, strict=True) if value >= NEAR]
    return tuple(sorted(near, key=lambda pair: (-pair[1], pair[0])))


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Trusted(Stochastic):
    """``stagg_trust`` with trust that is fixed; bound to rankings, it knows the ``influences`` of their rankers."""

    name = "stagg_trust"

    method: StaggTrust
    trust: Trust = dataclasses.field(compare=False)
    influences: tuple[tuple[str, float], ...] = ()

    @property
    def expected(self) -> Utility:
        return self.method.expected

    def __repr__(self) -> str:
        return repr(self.method)

    def with_missing(self, missing: Missing | None) -> Trusted:
        method = self.method.with_missing(missing)
        assert isinstance(method, StaggTrust)
        return method.trusting(self.trust)

    def bind(self, rankings: Rankings) -> tuple[Method, Rankings]:
        """Given weights are prior trust: they multiply the influence, and lists count through their contests alone.

        Of rankers that are copies of each other the first by name votes, with the largest of their weights.
        """
        if not self.trust.learned:
            return self.method.plain, rankings
        prior: dict[str, float] = {}
        voters: dict[str, str] = {}
        for name, weight in sorted(zip(rankings.rankers, rankings.weights.tolist(), strict=True)):
            if weight > 0 and name in self.trust.rankers:  # one without lists is not among them
                voter = voters.setdefault(self.trust.rankers[name].copy_of or name, name)
                prior[voter] = max(prior.get(voter, 0.0), weight)
        influence = {name: weight * self.trust.rankers[name].influence for name, weight in prior.items()}
        top = max(influence.values(), default=0.0)
        relative = tuple((name, each / top if top > 0 else 1.0) for name, each in influence.items())
        votes = [float(name in influence) for name in rankings.rankers]
        return dataclasses.replace(self, influences=relative), rankings.with_weights(votes)

    def list_contests(self, rankings: Rankings, lists: slice = ALL) -> list[Shape]:
        """The contests of some lists: those of a ranker of little influence are moved toward a coin's."""
        known = dict(self.influences)
        influences = np.array([known.get(name, 0.0) for name in rankings.rankers])  # a copy has no lists left
        n, lengths = rankings.sizes[rankings.list_queries[lists]], rankings.list_lengths[lists]
        owners = rankings.list_rankers[lists]
        shapes: dict[tuple[int, int], list[Shape]] = {}
        found = []
        for size, length, owner in zip(n.tolist(), lengths.tolist(), owners.tolist(), strict=True):
            if (size, length) not in shapes:
                shapes[size, length] = self._shapes(influences, size, length)
            found.append(shapes[size, length][owner])
        return found

    def _shapes(self, influences: FloatArray, n: int, length: int) -> list[Shape]:
        """Of each ranker, for lists of this length among n candidates."""
        trust = shrinkages(influences, self.expected, self.contests, self.absence, n, length)
        return [shrunk(self.contests, each) for each in trust.tolist()]

    def _tables(self, rankings: Rankings) -> list[GainTable]:
        n = rankings.sizes[rankings.list_queries].tolist()
        found: dict[tuple[Shape, int, int], GainTable] = {}
        tables = []
        for shape, *size in zip(self.list_contests(rankings), n, rankings.list_lengths.tolist(), strict=True):
            key = (shape, *size)
            if key not in found:
                found[key] = TABLES.get((self.expected, shape, self.absence), [key[1:]])[0]
            tables.append(found[key])
        return tables
