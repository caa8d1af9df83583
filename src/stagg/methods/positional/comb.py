"""The Comb family: scores brought to a common scale list by list, then combined item by item."""

from __future__ import annotations

import dataclasses
import sys
import warnings
from collections.abc import Mapping
from typing import ClassVar, Final

import numpy as np

from stagg.data.rankings import Rankings
from stagg.errors import DataError, DataWarning, InvalidParameter, shown
from stagg.kernels.arrays import FloatArray
from stagg.kernels.lists.medians import weighted_medians
from stagg.kernels.lists.normalise import NORMS, normalised, normalised_between
from stagg.kernels.lists.tool_norms import TOOL_NORMS, bounded_as_opensearch, normalised_as
from stagg.kernels.sums import find_largest, scale_down
from stagg.methods.base import Method, Positional, Scored, in_range, vote_weights
from stagg.registry import near_names, one_of, real_number

__all__ = ["GMNZ", "WMNZ", "CombANZ", "CombMAX", "CombMED", "CombMIN", "CombMNZ", "CombSUM", "count_lists"]

BY_RANK: Final = ("rank", "borda")
BOUNDED: Final = (*BY_RANK, "min-max", "sum", "dbsf")  # never negative, whatever the scores
CENTRED: Final = ("z-score", "dbsf")  # on a mean that was computed
ALL_NORMS: Final = (*NORMS, *BY_RANK, "none")
UNCLIPPED: Final = ("qdrant", "haystack", "llamaindex")  # tools whose dbsf may be below 0 and above 1
BOUND_MODES: Final = ("clip", "apply")

USES_SCORES = "it adds up scores, which a transform changes; norm='rank' and 'borda' obey"
NOT_COPIES = "a weight multiplies what the list gives, but a list of weight 2 is counted once"
DIVIDES = "it looks only at the lists that hold the item: one more, poor list can cost it its place"


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Comb(Positional):
    """What the Comb methods share: the normalised scores of the entries.

    ``norm`` is "min-max", "max" (s / the largest; lists without a positive score as by "min-max"), "sum",
    "z-score", "dbsf" (the mean ± 3 standard deviations become 0 and 1, and what lies beyond is cut), "l2" (s / √Σs²),
    "rank" (1 - (rank - 1) / L), "borda" (1 - (rank - 1) / n) or "none". A list whose scores are all equal, such as a
    list of one item, gives each of its items 0.5 (z-score: 0; l2: what its formula gives, so one item gets 1, and 0.5
    only where all scores are 0). Rankings without scores need "rank" or "borda".

    ``low`` and ``high`` are bounds for "min-max" in place of the smallest and the largest score of the list; scores
    beyond them are cut. With ``low=0``, which is the least that BM25 can give, a list of one item gives it 1. Bounds
    may differ between rankers: ``low={'bm25': 0, 'dense': -1}``, the least that each formula can give, is the
    theoretical min-max of Bruch, Gai & Ingber, "An analysis of fusion functions for hybrid retrieval", 2023; a ranker
    that is not named has no bound.

    ``compat`` takes the norm as a tool defines it, which differs in lists whose scores are all equal:

    - "ranx" 0.3.21 (min-max, max, sum, z-score): 0, but with "max" 1; it divides by 1e-9 where it would by less
    - "pyserini", "anserini", "weaviate" (min-max): 1; in Weaviate it is the relative score fusion
    - "elasticsearch" 9 (min-max, l2): the scores as they are, and s / √Σs²
    - "qdrant" 1.20, client (dbsf): 0.5; the deviation is that of a sample, and nothing is cut
    - "mteb" 2.26 (dbsf, min-max): 0.5, as here
    - "haystack" 3.4 (dbsf): the scores as they are; nothing is cut; there the best list counts: ``combmax``
    - "llamaindex" 0.14 (dbsf, min-max): 1 for positive scores, else 0; dbsf is not cut
    - "opensearch" 3.9 (min-max, l2, z-score): 1, s / √Σs² and the scores as they are; 0.001 in place of 0, and with
      z-score in place of all below the mean, whose own place takes the largest score; the deviation is that of a
      sample. ``low`` and ``high`` are its ``lower_bounds`` and ``upper_bounds``, ``bounds`` their mode: "clip", or
      "apply", by which a score beyond a bound is scaled as if there were none, so that it may get more than a better
      one
    """

    breaks: ClassVar[Mapping[str, str]] = {"score_transform": USES_SCORES}

    norm: str = "min-max"
    low: float | Mapping[str, float] | None = None
    high: float | Mapping[str, float] | None = None
    compat: str | None = None
    bounds: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "norm", ALL_NORMS)
        for bound in ("low", "high"):
            if isinstance(given := getattr(self, bound), Mapping):
                object.__setattr__(self, bound, dict(given))
        self._check_bounds()
        self._check_compat()

    def _check_bounds(self) -> None:
        if self.bounds is not None:
            one_of(self, "bounds", BOUND_MODES)
        if self.low is None and self.high is None and self.bounds is None:
            return
        if self.norm != "min-max" or self.compat not in (None, "opensearch"):
            raise InvalidParameter(
                f"{self.name}: low and high are bounds of norm='min-max', without compat or with compat='opensearch'"
            )
        if self.bounds == "apply" and self.compat is None:
            raise InvalidParameter(f"{self.name}: bounds='apply' is a mode of compat='opensearch'")
        for bound in ("low", "high"):
            self._check_bound(bound)
        for name in {**_named(self.low), **_named(self.high)} or {"": 0.0}:
            low, high = _bound_of(self.low, name), _bound_of(self.high, name)
            if low is not None and high is not None and low >= high:
                of = f" of {shown(name)}" if name else ""
                raise InvalidParameter(f"{self.name}: low{of} is {low!r}; it must be below high, which is {high!r}")

    def _check_bound(self, bound: str) -> None:
        given = getattr(self, bound)
        if given is not None and not isinstance(given, Mapping):
            in_range(self, bound, -sys.float_info.max)
        for name, value in _named(given).items():
            if not isinstance(name, str):
                raise InvalidParameter(f"{self.name}: {bound} names rankers, {{'bm25': 0}}; {shown(name)} is no name")
            real_number(f"{self.name}: {bound} of {shown(name)}", value)

    def _check_compat(self) -> None:
        if self.compat is None:
            return
        one_of(self, "compat", tuple(TOOL_NORMS))
        norms = [*TOOL_NORMS[self.compat], "rank", "none"]
        if self.norm not in norms:
            known = " or ".join(map(repr, norms))
            raise InvalidParameter(f"{self.name}: compat={self.compat!r} knows norm={known}, not {self.norm!r}")

    def unbounded(self) -> str | None:
        if self.norm in BOUNDED and not (self.norm == "dbsf" and self.compat in UNCLIPPED):
            return None
        return f"with norm={self.norm!r} scores may be negative; norm='min-max' has them between 0 and 1"

    def gains(self, rankings: Rankings) -> FloatArray:
        if self.norm == "rank":
            return 1 - rankings.positions / rankings.list_lengths[rankings.entry_lists]
        if self.norm == "borda":
            return 1 - rankings.positions / rankings.sizes[rankings.list_queries][rankings.entry_lists]
        scores, starts = _scores(self, rankings), rankings.entry_offsets[:-1]
        if self.norm == "none":
            return scores
        if self.low is not None or self.high is not None:
            low, high = _by_list(self.low, rankings), _by_list(self.high, rankings)
            if self.compat is None:
                return normalised_between(scores, starts, low, high)
            return bounded_as_opensearch(scores, starts, low, high, clip=self.bounds != "apply")
        if self.compat is not None:
            return normalised_as(self.compat, self.norm, scores, starts)
        return normalised(self.norm, scores, starts)

    @property
    def is_untrained(self) -> bool:
        return True

    def bind(self, rankings: Rankings) -> tuple[Method, Rankings]:
        """Warns where a bound names a ranker that is not there."""
        for name in {**_named(self.low), **_named(self.high)}:
            if name not in rankings.rankers and name not in rankings.absent:
                near = near_names(name, rankings.rankers)
                warnings.warn(f"{self.name}: no ranker {shown(name)} to have bounds{near}", DataWarning, stacklevel=3)
        return self, rankings

    def entry_masses(self, rankings: Rankings, gains: FloatArray) -> FloatArray | None:
        """The largest |gain| of the list where its scores were centred on a mean, whose rounding is in all of them."""
        if self.norm not in CENTRED:
            return None
        lists = rankings.entry_lists
        return find_largest(np.abs(gains), lists, len(rankings.list_rankers))[lists]

    def gains_and_masses(self, rankings: Rankings) -> tuple[FloatArray, FloatArray]:
        """Gains of the entries, and how large the numbers were that they were made of."""
        gains = self.share_gains(rankings)
        masses = self.entry_masses(rankings, gains)
        return gains, np.abs(gains) if masses is None else masses

    def take_extremes(self, reduce: np.ufunc, start: float, rankings: Rankings) -> Scored:
        """The largest or smallest gain of each item, 0 for an item that no list holds."""
        gains, masses = self.gains_and_masses(rankings)
        found = np.full(len(rankings.items), start)
        reduce.at(found, rankings.entries, gains)
        largest = np.zeros(len(found))
        taken = gains == found[rankings.entries]
        np.maximum.at(largest, rankings.entries[taken], masses[taken])
        return Scored(np.where(np.isfinite(found), found, 0.0), largest)


def _named(bound: float | Mapping[str, float] | None) -> Mapping[str, float]:
    return bound if isinstance(bound, Mapping) else {}


def _bound_of(bound: float | Mapping[str, float] | None, ranker: str) -> float | None:
    return bound.get(ranker) if isinstance(bound, Mapping) else bound


def _by_list(bound: float | Mapping[str, float] | None, rankings: Rankings) -> FloatArray:
    """The bound of each list, NaN where it has none."""
    known = [_bound_of(bound, name) for name in rankings.rankers]
    found = np.array([np.nan if each is None else each for each in known], dtype=np.float64)
    return found[rankings.list_rankers]


def _scores(method: Comb, rankings: Rankings) -> FloatArray:
    if rankings.scores is None:
        raise DataError(f"{method.name} needs scores, and these rankings have none: use {method.name}(norm='rank')")
    missing = np.isnan(rankings.scores)
    if missing.any():
        without = rankings.list_rankers[rankings.entry_lists[np.argmax(missing)]]
        raise DataError(
            f"{method.name} needs scores, and ranker {shown(rankings.rankers[without])} has none: "
            f"use {method.name}(norm='rank')"
        )
    return rankings.scores


class CombSUM(Comb):
    """CombSUM: the sum of the normalised scores over the lists that hold the item.

    See :class:`Comb` for the norms. Reference: Fox & Shaw, "Combination of multiple searches", TREC-2, 1994.

    >>> from stagg import Rankings, fuse
    >>> runs = Rankings.from_scores([{"a": 3, "b": 2, "c": 1}, {"b": 10, "c": 5}])
    >>> fuse(runs, "combsum").to_runs()["stagg-combsum"]["1"]
    {'b': 1.5, 'a': 1.0, 'c': 0.0}
    """

    name = "combsum"


class CombMNZ(Comb):
    """CombMNZ: the sum of the normalised scores times the number of lists that hold the item.

    The number of lists is their total weight. With ``compat="ranx"`` weights act as in ranx's ``wmnz``: they count in
    the number only, Σ w · Σ s. See :class:`Comb` for the norms. Reference: as for ``combsum``.
    """

    name = "combmnz"
    additive = False

    def gains(self, rankings: Rankings) -> FloatArray:
        gains = super().gains(rankings)
        if self.compat != "ranx" or not rankings.is_weighted:
            return gains
        # the sum multiplies by the weight again, so divide by it here
        return gains / rankings.weights[rankings.list_rankers][rankings.entry_lists]

    def finish(self, sums: FloatArray, rankings: Rankings) -> FloatArray:
        return vote_weights(rankings) * sums


class WMNZ(CombMNZ):
    """Weighted CombMNZ: the weighted sum of the normalised scores times the number of lists that hold the item.

    N · Σ_k w_k s_k, N a plain count: a weight says how much a list's scores are worth, not how many lists it is (in
    ``combmnz`` it says both). With ``compat="ranx"`` it is ranx's ``wmnz``, Σ w · Σ s, in which weights count in the
    number only. Without weights all three are the same.

    See :class:`Comb` for the norms. Reference: Wu & Crestani, "Data fusion with estimated weights", CIKM 2002.

    >>> from stagg import Rankings, fuse
    >>> runs = Rankings.from_scores([{"a": 3, "b": 2, "c": 1}, {"b": 10, "c": 5}])
    >>> fuse(runs, "wmnz", weights=[2, 1]).to_runs()["stagg-wmnz"]["1"]
    {'b': 4.0, 'a': 2.0, 'c': 0.0}
    """

    name = "wmnz"
    breaks: ClassVar[Mapping[str, str]] = {"score_transform": USES_SCORES, "weight_is_copies": NOT_COPIES}

    def finish(self, sums: FloatArray, rankings: Rankings) -> FloatArray:
        return super().finish(sums, rankings) if self.compat == "ranx" else count_lists(rankings) * sums


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class GMNZ(Comb):
    """CombGMNZ: the sum of the normalised scores times a power of the number of lists that hold the item.

    N^γ · Σ_k w_k s_k, N the total weight of those lists: γ = 0 is ``combsum``, 1 is ``combmnz``, -1 is ``combanz``.
    With ``count="lists"``, N is their plain number: ``gmnz(gamma=0.5, count='lists')`` with weights is ranx's ``mixed``
    (Wu & Crestani's, CIKM 2002), ``gmnz(gamma=1, count='lists')`` is ``wmnz``.

    See :class:`Comb` for the norms. Reference: Lee, "Analyses of multiple evidence combination", SIGIR 1997.

    >>> from stagg import Rankings, fuse
    >>> runs = Rankings.from_scores([{"a": 3, "b": 2, "c": 1}, {"b": 10, "c": 5}])
    >>> fuse(runs, "gmnz(gamma=2)").to_runs()["stagg-gmnz"]["1"]
    {'b': 6.0, 'a': 1.0, 'c': 0.0}
    """

    name = "gmnz"
    additive = False

    gamma: float = 0.5
    count: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        in_range(self, "gamma", -1, 100)
        if self.count is not None:
            one_of(self, "count", ("weights", "lists"))

    def broken_laws(self) -> Mapping[str, str]:
        return self.breaks if self.count != "lists" else {**self.breaks, "weight_is_copies": NOT_COPIES}

    def finish(self, sums: FloatArray, rankings: Rankings) -> FloatArray:
        votes = count_lists(rankings) if self.count == "lists" else vote_weights(rankings)
        return np.where(votes > 0, votes, 1.0) ** self.gamma * sums


class CombANZ(Comb):
    """CombANZ: the mean of the normalised scores over the lists that hold the item.

    See :class:`Comb` for the norms. Reference: as for ``combsum``. The mean is weighted.
    """

    name = "combanz"
    additive = False
    breaks: ClassVar[Mapping[str, str]] = {"score_transform": USES_SCORES, "unanimity": DIVIDES}

    def finish(self, sums: FloatArray, rankings: Rankings) -> FloatArray:
        votes = vote_weights(rankings)
        return sums / np.where(votes > 0, votes, 1.0)


class CombMAX(Comb):
    """CombMAX: the largest normalised score over the lists that hold the item; weights say only who takes part.

    See :class:`Comb` for the norms. Reference: as for ``combsum``.
    """

    name = "combmax"
    additive = False
    summed = False

    def scored(self, rankings: Rankings) -> Scored:
        return self.take_extremes(np.maximum, -np.inf, rankings)


class CombMIN(Comb):
    """CombMIN: the smallest normalised score over the lists that hold the item; weights say only who takes part.

    See :class:`Comb` for the norms. Reference: as for ``combsum``.
    """

    name = "combmin"
    additive = False
    summed = False
    breaks: ClassVar[Mapping[str, str]] = {"score_transform": USES_SCORES, "unanimity": DIVIDES}

    def scored(self, rankings: Rankings) -> Scored:
        return self.take_extremes(np.minimum, np.inf, rankings)


class CombMED(Comb):
    """CombMED: the median of the normalised scores over the lists that hold the item; weights act as copies.

    See :class:`Comb` for the norms. Reference: as for ``combsum``.
    """

    name = "combmed"
    additive = False
    summed = False
    breaks: ClassVar[Mapping[str, str]] = {"score_transform": USES_SCORES, "unanimity": DIVIDES}

    def scored(self, rankings: Rankings) -> Scored:
        gains, masses = self.gains_and_masses(rankings)
        medians = [_medians(rankings, gains, masses, query) for query in range(len(rankings))]
        return Scored(*map(np.concatenate, zip(*medians, strict=True))) if medians else Scored(gains, masses)


def count_lists(rankings: Rankings) -> FloatArray:
    """N of each item, whatever the weights: how many lists hold it; a ranker with a multiplicity is that many."""
    voters = rankings.multiplicities[rankings.list_rankers[rankings.entry_lists]]
    return np.bincount(rankings.entries, weights=voters, minlength=len(rankings.items)).astype(np.float64)


def _medians(rankings: Rankings, gains: FloatArray, masses: FloatArray, query: int) -> Scored:
    """The weighted median gain of each item of a query, 0 for an item that no list holds."""
    first_item, end_item = rankings.item_offsets[query : query + 2]
    first, end = rankings.list_offsets[query : query + 2]
    if first == end:
        nothing = np.zeros(end_item - first_item)
        return Scored(nothing, nothing)
    entries = slice(rankings.entry_offsets[first], rankings.entry_offsets[end])
    where = (rankings.entry_lists[entries] - first, rankings.entries[entries] - first_item)
    values, sizes, weights = np.zeros((3, end - first, end_item - first_item))
    values[where], sizes[where] = gains[entries], masses[entries]
    weights[where] = rankings.list_weights[rankings.entry_lists[entries]]
    found = weighted_medians(values, scale_down(weights), sizes)
    return Scored(*(np.nan_to_num(each, nan=0.0) for each in found))
