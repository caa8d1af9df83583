"""Method, the base class: rankings in, one score per item out, and the laws that it obeys."""

from __future__ import annotations

import abc
import dataclasses
import sys
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final, Literal, NamedTuple, Protocol, get_args

import numpy as np

from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.errors import InvalidParameter, shown
from stagg.kernels.arrays import FloatArray
from stagg.kernels.sums import Rest, Sums, find_largest, sums_by_item
from stagg.kernels.ties import share_ties
from stagg.registry import Parametrised, one_of

__all__ = [
    "LARGEST",
    "LAWS",
    "MISSING",
    "Evidence",
    "Method",
    "Missing",
    "PerQuery",
    "Positional",
    "Scored",
    "TieRule",
    "contributions",
    "entry_gains",
    "entry_masses",
    "in_range",
    "largest_of_query",
    "list_gains",
    "sum_gains",
    "sums_by_query",
    "true_or_false",
    "vote_weights",
]

Missing = Literal["below", "neutral", "skip"]
"""Meaning of absence from a list: the item lost, nothing is known, or the list does not speak of it."""

TieRule = Literal["own", "exact", "query"]
"""When two scores are equal: see ``Method.tie_rule``."""

LARGEST: Final = sys.float_info.max  # a whole number beyond it is no float

MISSING: Final[tuple[Missing, ...]] = get_args(Missing)

LAWS: Final[Mapping[str, str]] = {
    "neutrality": "renaming the items renames the result, no more",
    "anonymity": "the order of the rankers does not matter",
    "replication": "doubling all rankers keeps the order",
    "empty_ranker": "a ranker without lists changes nothing",
    "score_transform": "a strictly increasing transform of a list's scores changes nothing",
    "query_independence": "queries one by one or together give the same",
    "unanimity": "where no list puts b before a, b does not come before a",
    "weight_is_copies": "weight 2 is the ranker twice",
    "weight_zero_is_absent": "weight 0 is the ranker left out",
    "top_k_is_first_k": "the first k of the result are the result for the top k",
    "same_bytes": "hash seeds, repeats, ranker order and formats do not change a byte",
    "monotonicity": "raising an item in a list never lowers it",
}
"""Laws that every method is checked for, unless it declares, with a reason, that it does not obey."""


class Scored(NamedTuple):
    """One score per item, and its mass: scores closer than a tiny share of the larger of their masses are equal."""

    scores: FloatArray
    masses: FloatArray


class Evidence(Protocol):
    """Evidence for a method from all queries, added up some queries at a time, in any order.

    Evidence of other queries that another process gathered is merged; the bits are those of adding all to one.
    """

    def add(self, rankings: Rankings) -> None:
        """Some queries more; all parts have the same rankers."""

    def merge(self, other: Any) -> None:
        """The evidence of other queries, gathered for the same method."""


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Method(Parametrised, abc.ABC):
    """An unsupervised aggregation method: a frozen set of parameters and :meth:`score`.

    ``honours`` lists the meanings of absence that the method can give to ``missing``; the first is its default.
    ``breaks`` names the laws that it does not obey, with the reason; ``strictly`` those that it obeys in the strict
    form (unanimity: a list that puts a before b, and none that puts b before a, is enough to put a before b).
    ``additive`` says that the score is the weighted sum of what each list gives, up to a scale for the query.

    ``tie_rule`` says when two scores are equal, so that rounding does not decide: "query", where they differ by 1e-10
    of the largest |score| of the query (models that solve or centre: their noise has that size); "own", where they
    differ by 1e-10 of the larger of their masses, the sums of the absolute values of their own terms (the method says
    what these are: :meth:`scored`); "exact", where they are the same number (counts, places).
    """

    belongs_elsewhere: ClassVar[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
        "weights": ("the weights of the rankers hold for all methods: give them as ", {"weights": {"bm25": 2}})
    }
    honours: ClassVar[tuple[Missing, ...]] = ("skip",)
    instead: ClassVar[Mapping[str, str]] = {}
    """Alternatives, by the meaning of absence that the method refuses."""
    breaks: ClassVar[Mapping[str, str]] = {}
    strictly: ClassVar[frozenset[str]] = frozenset()
    additive: ClassVar[bool] = False
    tie_rule: ClassVar[TieRule] = "query"
    weighs: ClassVar[bool] = True
    """Whether the weights of the rankers matter; a model on features has learned its own."""
    learns: ClassVar[bool] = False
    """Whether it always learns from all queries before it fuses one: see :meth:`needs_all_queries`."""

    missing: Missing | None = None

    def __post_init__(self) -> None:
        if self.missing is not None and not _is_among(self.missing, self.honours):
            one_of(self, "missing", MISSING)
            can = " or ".join(map(repr, self.honours))
            advice = f": {self.instead[self.missing]}" if self.missing in self.instead else ""
            raise InvalidParameter(f"{self.name} cannot honour missing={self.missing!r}; it takes {can}{advice}")

    @property
    def extras(self) -> tuple[str, ...]:
        """The columns that :meth:`extra_columns` adds to the result: see :data:`stagg.data.results.beside.EXTRAS`."""
        return ()

    @property
    def absence(self) -> Missing:
        """Meaning of absence from a list here: ``missing``, or the method's own default."""
        return self.honours[0] if self.missing is None else self.missing

    @property
    def told_absence(self) -> Missing | None:
        """Meaning of absence as people are told it; None if no single word says it, as for a model on features."""
        return self.absence

    @property
    def label(self) -> str:
        """Name in messages and tables."""
        return repr(self)

    @property
    def tag(self) -> str:
        """Name of its results: ``stagg-<tag>``."""
        return self.name

    def with_missing(self, missing: Missing | None) -> Method:
        """The method with another meaning of absence; it must not contradict one that was given."""
        if missing is None or _is_among(missing, (self.missing,)):
            return self
        if self.missing is not None:
            raise InvalidParameter(f"{self!r} says missing={self.missing!r}, the call says missing={shown(missing)}")
        return dataclasses.replace(self, missing=missing)

    def bind(self, rankings: Rankings) -> tuple[Method, Rankings]:
        """The method to run and the rankings to run it on: a trained method may put weights of its own on rankers."""
        return self, rankings

    @property
    def is_untrained(self) -> bool:
        """Whether it is the method that runs; a trained method puts another in its place when it meets rankings."""
        return type(self).bind is Method.bind

    def needs_all_queries(self) -> bool:
        """Whether, with these parameters, it learns from all queries before it fuses one: see :meth:`learn_from`."""
        return self.learns

    def broken_laws(self) -> Mapping[str, str]:
        """The laws that the method does not obey with these parameters, each with the reason."""
        return self.breaks

    def evidence(self) -> Evidence | None:
        """Where what all queries say is added up before one is fused; None for a method that learns nothing."""
        return None

    def conclude(self, evidence: Any) -> Method:
        """The method after it has seen the :meth:`evidence` of all queries; then some can be fused without others."""
        return self

    def learn_from(self, parts: Iterable[Rankings]) -> Method:
        """The method after it has seen the rankings, part by part; then the parts can be fused one by one."""
        found = self.evidence()
        if found is None:
            return self
        for part in parts:
            found.add(part)
        return self.conclude(found)

    def puts_unlisted_last(self) -> bool:
        """Whether candidates that no list holds come after all others, whatever their score."""
        return True

    def is_additive(self) -> bool:
        """Whether these parameters, too, leave the method additive."""
        return self.additive

    def unbounded(self) -> str | None:
        """Why no item can be said to have all of the score (first in every list); None where that can be said."""
        return "its score is not a sum of what the lists give; use a positional method such as rrf, borda or stagg_rrf"

    def extra_columns(self, fused: Rankings, rankings: Rankings) -> dict[str, FloatArray]:
        """One number per entry of ``fused``, the whole consensus of ``rankings``, for each name in ``extras``."""
        return {}

    @abc.abstractmethod
    def score(self, rankings: Rankings) -> FloatArray:
        """One score per item of ``rankings.items``, higher is better. All weights are positive here."""

    def scored(self, rankings: Rankings) -> Scored:
        """The scores with their masses, by the method's ``tie_rule``; one whose scores have "own" masses says which."""
        scores = self.score(rankings)
        if self.tie_rule == "exact":
            return Scored(scores, np.zeros(len(scores)))
        return Scored(scores, largest_of_query(scores, rankings))


def largest_of_query(scores: FloatArray, rankings: Rankings) -> FloatArray:
    """The largest |score| of each item's query."""
    largest: FloatArray = find_largest(np.abs(scores), rankings.item_queries, len(rankings))[rankings.item_queries]
    return largest


class PerQuery(Method):
    """A method that looks at one query at a time; by default an unlisted item loses to whatever a list holds."""

    honours: ClassVar[tuple[Missing, ...]] = ("below", "neutral", "skip")

    @abc.abstractmethod
    def score_query(self, view: Query) -> FloatArray:
        """One score per item of ``view.items``; the query has items, and at least one list."""

    def score(self, rankings: Rankings) -> FloatArray:
        scores = [self.score_query(view) if len(view) and view.rankers else np.zeros(len(view)) for view in rankings]
        return np.concatenate(scores) if scores else np.zeros(0)


class Positional(Method):
    """A method that adds up, over the lists, a gain for the position of the item (Eq. 1 of the paper)."""

    additive = True
    tie_rule = "own"
    summed: ClassVar[bool] = True
    """Whether the score is the sum of what the lists give, times a factor of the item at most: then it has shares."""
    least_mass: ClassVar[float] = 0.0
    """Least mass of a score: 1 where it is a logarithm."""

    def unbounded(self) -> str | None:
        return None

    @abc.abstractmethod
    def gains(self, rankings: Rankings) -> FloatArray:
        """The gain of each entry, as if there were no ties."""

    def place_gains(self, longest: int, items: int) -> FloatArray | None:
        """The gains of the first ``longest`` places of any list of a query of so many items, for requests.

        Defined by classes whose scores are nothing but weighted sums of these: ``gains`` gives every entry that of its
        place, nothing goes to unlisted items, and ``finish`` changes nothing. A subclass has to say it again. None
        where the parameters are such that this is not so.
        """
        return None

    def share_gains(self, rankings: Rankings) -> FloatArray:
        """The gain of each entry, tied entries having the mean of theirs."""
        gains = self.gains(rankings)
        return share_ties(gains, rankings.tied) if rankings.has_ties else gains

    def unlisted(self, rankings: Rankings) -> FloatArray | None:
        """The gain that each list gives to every item it does not hold; None is nothing."""
        return None

    def gains_and_rest(self, rankings: Rankings) -> tuple[FloatArray, FloatArray | None]:
        """Gains that every list gives to its entries and to all others."""
        return self.share_gains(rankings), self.unlisted(rankings)

    def entry_masses(self, rankings: Rankings, gains: FloatArray) -> FloatArray | None:
        """How large the numbers were that each gain was made of; None where they are as large as the gain itself."""
        return None

    def finish(self, sums: FloatArray, rankings: Rankings) -> FloatArray:
        """The scores, from the sums of the weighted gains: these, or times a factor of the item."""
        return sums

    def score(self, rankings: Rankings) -> FloatArray:
        return self.scored(rankings).scores

    def scored(self, rankings: Rankings) -> Scored:
        if type(self).score is not Positional.score:  # of a score of its own the terms are not known
            return super().scored(rankings)
        gains, rest = self.gains_and_rest(rankings)
        totals, masses = sum_gains(gains, rest, rankings)
        scores = self.finish(totals, rankings)
        terms = self.entry_masses(rankings, gains)
        if terms is not None:
            masses = sum_gains(terms, None, rankings).masses
        masses = scores if masses is totals else self.finish(masses, rankings)
        return Scored(scores, np.maximum(np.abs(masses), self.least_mass) if self.least_mass else masses)


def entry_gains(method: Method, rankings: Rankings) -> tuple[FloatArray, FloatArray] | None:
    """(gain of each entry, gain of the unlisted of each list), unweighted; None for a method that is not additive."""
    return list_gains(method, rankings) if method.is_additive() else None


def list_gains(method: Method, rankings: Rankings) -> tuple[FloatArray, FloatArray] | None:
    """The same for every method whose score is a sum over the lists, up to a factor of the item; None for others."""
    if not (isinstance(method, Positional) and method.summed):
        return None
    gains, rest = method.gains_and_rest(rankings)
    return gains, np.zeros(len(rankings.list_rankers)) if rest is None else rest


def entry_masses(
    method: Method, rankings: Rankings, gains: tuple[FloatArray, FloatArray]
) -> tuple[FloatArray, FloatArray] | None:
    """How large the numbers were that each of these gains was made of; None where these are the gains themselves."""
    assert isinstance(method, Positional)
    listed, rest = gains
    masses = method.entry_masses(rankings, listed)
    if masses is None and listed.min(initial=0.0) >= 0 and rest.min(initial=0.0) >= 0:
        return None
    return np.abs(listed) if masses is None else masses, np.abs(rest)


def contributions(gains: tuple[FloatArray, FloatArray], rankings: Rankings, query: int) -> FloatArray:
    """table[k, i] = what list k of a query gives to its item i, unweighted."""
    first, end = rankings.list_offsets[query : query + 2]
    first_item, end_item = rankings.item_offsets[query : query + 2]
    entries = slice(rankings.entry_offsets[first], rankings.entry_offsets[end])
    table = np.repeat(gains[1][first:end, None], end_item - first_item, axis=1)
    table[rankings.entry_lists[entries] - first, rankings.entries[entries] - first_item] = gains[0][entries]
    return table


def sum_gains(gains: FloatArray, rest: FloatArray | None, rankings: Rankings) -> Sums:
    """The weighted sum of each item's gains, independent of the order of the rankers.

    ``rest`` is what each list gives to every item that it does not hold; None is nothing.
    """
    if rankings.is_weighted:
        weights = rankings.list_weights
        with np.errstate(over="ignore"):  # whoever asked says that the weights are too large
            gains = gains * weights[rankings.entry_lists]
            rest = None if rest is None else rest * weights
    others = None
    if rest is not None and rest.any():
        others = Rest(rest, rankings.entry_offsets, rankings.list_queries, rankings.item_offsets)
    return sums_by_item(gains, rankings.entries, len(rankings.items), others)


def sums_by_query(values: FloatArray, rankings: Rankings) -> FloatArray:
    """The sum of a value per list over the lists of each query, independent of the order of the rankers."""
    return sums_by_item(values, rankings.list_queries, len(rankings)).totals


def vote_weights(rankings: Rankings) -> FloatArray:
    """N of each item: the total weight of the lists that hold it."""
    return sum_gains(np.ones(len(rankings.entries)), None, rankings).totals


def _is_among(value: Any, allowed: tuple[str | None, ...]) -> bool:
    """Whether a value is one of some texts; what is no text is not, even where it cannot be compared (arrays)."""
    return isinstance(value, str) and value in allowed


def true_or_false(method: Parametrised, parameter: str) -> None:
    value = getattr(method, parameter)
    if not isinstance(value, bool):
        raise InvalidParameter(f"{method.name}: {parameter} is {shown(value)}; it must be True or False")


def in_range(
    method: Parametrised,
    parameter: str,
    low: float,
    high: float = float("inf"),
    *,
    open_low: bool = False,
    open_high: bool = False,
) -> None:
    """Refuse a parameter outside [low, high], an end left out where it is open; the message has the range."""
    value: Any = getattr(method, parameter)
    number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST
    above = number and (value > low if open_low else value >= low)
    if above and (value < high if open_high else value <= high):
        return
    span = f"above {low:g}" if open_low else f"{low:g} or more"
    if not number and isinstance(value, int | float) and value > LARGEST:
        high = min(high, LARGEST)
    if high < float("inf"):
        span += f", {'below' if open_high else 'at most'} {high:g}"
    raise InvalidParameter(f"{method.name}: {parameter} is {shown(value)}; it must be a number {span}")
