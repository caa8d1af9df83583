"""The Comb family: scores brought to a common scale list by list, then combined item by item."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar, Final

import numpy as np

from stagg.data.rankings import Rankings
from stagg.errors import DataError, shown
from stagg.kernels.arrays import FloatArray
from stagg.kernels.medians import weighted_medians
from stagg.kernels.normalise import NORMS, normalised
from stagg.methods.base import Positional, one_of, vote_weights

__all__ = ["CombANZ", "CombMAX", "CombMED", "CombMIN", "CombMNZ", "CombSUM"]

BY_RANK: Final = ("rank", "borda")
BOUNDED: Final = (*BY_RANK, "min-max", "sum")  # never negative, whatever the scores
ALL_NORMS: Final = (*NORMS, *BY_RANK, "none")

USES_SCORES = "it adds up scores, which a transform changes; norm='rank' and 'borda' obey"
DIVIDES = "it looks only at the lists that hold the item: one more, poor list can cost it its place"


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Comb(Positional):
    """What the Comb methods share: the normalised scores of the entries.

    ``norm`` is "min-max", "max", "sum", "z-score", "rank" (1 - (rank - 1) / L), "borda" (1 - (rank - 1) / n) or
    "none". A list whose scores are all equal gives each of its items 0.5 (z-score: 0). Rankings without scores need
    "rank" or "borda".
    """

    breaks: ClassVar[Mapping[str, str]] = {"score_transform": USES_SCORES}

    norm: str = "min-max"

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "norm", ALL_NORMS)

    def unbounded(self) -> str | None:
        if self.norm in BOUNDED:
            return None
        return f"with norm={self.norm!r} scores may be negative; norm='min-max' has them between 0 and 1"

    def gains(self, rankings: Rankings) -> FloatArray:
        if self.norm == "rank":
            return 1 - rankings.positions / rankings.list_lengths[rankings.entry_lists]
        if self.norm == "borda":
            return 1 - rankings.positions / rankings.sizes[rankings.list_queries][rankings.entry_lists]
        scores = _scores(self, rankings)
        return scores if self.norm == "none" else normalised(self.norm, scores, rankings.entry_offsets[:-1])


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

    Reference: Fox & Shaw, "Combination of multiple searches", TREC-2, 1994.

    >>> from stagg import Rankings, fuse
    >>> runs = Rankings.from_scores([{"a": 3, "b": 2, "c": 1}, {"b": 10, "c": 5}])
    >>> fuse(runs, "combsum").to_runs()["stagg-combsum"]["1"]
    {'b': 1.5, 'a': 1.0, 'c': 0.0}
    """

    name = "combsum"


class CombMNZ(Comb):
    """CombMNZ: the sum of the normalised scores times the number of lists that hold the item.

    Reference: as for ``combsum``. The number of lists is their total weight.
    """

    name = "combmnz"
    additive = False

    def score(self, rankings: Rankings) -> FloatArray:
        return vote_weights(rankings) * super().score(rankings)


class CombANZ(Comb):
    """CombANZ: the mean of the normalised scores over the lists that hold the item.

    Reference: as for ``combsum``. The mean is weighted.
    """

    name = "combanz"
    additive = False
    breaks: ClassVar[Mapping[str, str]] = {"score_transform": USES_SCORES, "unanimity": DIVIDES}

    def score(self, rankings: Rankings) -> FloatArray:
        votes = vote_weights(rankings)
        return super().score(rankings) / np.where(votes > 0, votes, 1.0)


class CombMAX(Comb):
    """CombMAX: the largest normalised score over the lists that hold the item; weights say only who takes part.

    Reference: as for ``combsum``.
    """

    name = "combmax"
    additive = False
    summed = False

    def score(self, rankings: Rankings) -> FloatArray:
        return _extremes(np.maximum, -np.inf, self.share_gains(rankings), rankings)


class CombMIN(Comb):
    """CombMIN: the smallest normalised score over the lists that hold the item; weights say only who takes part.

    Reference: as for ``combsum``.
    """

    name = "combmin"
    additive = False
    summed = False
    breaks: ClassVar[Mapping[str, str]] = {"score_transform": USES_SCORES, "unanimity": DIVIDES}

    def score(self, rankings: Rankings) -> FloatArray:
        return _extremes(np.minimum, np.inf, self.share_gains(rankings), rankings)


class CombMED(Comb):
    """CombMED: the median of the normalised scores over the lists that hold the item; weights act as copies.

    Reference: as for ``combsum``.
    """

    name = "combmed"
    additive = False
    summed = False
    breaks: ClassVar[Mapping[str, str]] = {"score_transform": USES_SCORES, "unanimity": DIVIDES}

    def score(self, rankings: Rankings) -> FloatArray:
        gains = self.share_gains(rankings)
        medians = [_medians(rankings, gains, query) for query in range(len(rankings))]
        return np.concatenate(medians) if medians else np.zeros(0)


def _extremes(reduce: np.ufunc, start: float, gains: FloatArray, rankings: Rankings) -> FloatArray:
    """The largest or smallest gain of each item, 0 for an item that no list holds."""
    found = np.full(len(rankings.items), start)
    reduce.at(found, rankings.entries, gains)
    return np.where(np.isfinite(found), found, 0.0)


def _medians(rankings: Rankings, gains: FloatArray, query: int) -> FloatArray:
    """The weighted median gain of each item of a query, 0 for an item that no list holds."""
    first_item, end_item = rankings.item_offsets[query : query + 2]
    first, end = rankings.list_offsets[query : query + 2]
    if first == end:
        return np.zeros(end_item - first_item)
    entries = slice(rankings.entry_offsets[first], rankings.entry_offsets[end])
    where = (rankings.entry_lists[entries] - first, rankings.entries[entries] - first_item)
    values, weights = np.zeros((2, end - first, end_item - first_item))
    values[where] = gains[entries]
    weights[where] = rankings.list_weights[rankings.entry_lists[entries]]
    return np.nan_to_num(weighted_medians(values, weights), nan=0.0)
