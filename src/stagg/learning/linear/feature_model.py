"""Shared base of models on a feature map: the table of features, and a warning when list lengths differ."""

from __future__ import annotations

import abc
import dataclasses
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from stagg.data.rankings import Rankings
from stagg.errors import DataError, DataWarning, shown
from stagg.features import FEATURES
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.learning.base import Model

__all__ = ["FeatureModel", "restore_lengths", "train_lengths"]

LONGEST = 2**53  # items: no list is longer, and up to here a float is exact
MUCH = 2.0  # lists that are longer or shorter by more than this factor are worth a warning


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class FeatureModel(Model):
    """A model that scores an item by its features; what a ranker that the input lacks would have said is missing.

    Features depend on how long the lists are, so a model warns when they are much longer or shorter than in training.
    """

    weighs = False

    features: str
    lengths: tuple[tuple[int, int], ...] = ()
    """(shortest, longest) list of every ranker in training; none if that is not known."""

    def score(self, rankings: Rankings) -> FloatArray:
        self.check_rankers(rankings)
        self.check_lengths(rankings)
        return self.score_unchecked(rankings)

    def score_unchecked(self, rankings: Rankings) -> FloatArray:
        """The scores, without a word about rankers and lengths: an ensemble checks them once for all its members."""
        return self.score_table(FEATURES.parse(self.features).of(rankings, self.rankers))

    @abc.abstractmethod
    def score_table(self, table: FloatArray) -> FloatArray:
        """One score for every row of features."""

    def check_lengths(self, rankings: Rankings) -> None:
        """Warn if the lists of a ranker are much longer or shorter than in training."""
        trained = dict(zip(self.rankers, self.lengths, strict=False))
        now = dict(zip(rankings.rankers, measure_lists(rankings, np.median), strict=True))
        for name, (low, high) in trained.items():
            length = now.get(name, 0.0)
            if high and length and not low / MUCH <= length <= high * MUCH:
                _warn(name, "shorter" if length < low else "longer", low, high)
                return

    def describe_lengths(self) -> dict[str, Any]:
        """{ranker: [shortest, longest list in training]}, for the content of the model."""
        return {name: list(pair) for name, pair in zip(self.rankers, self.lengths, strict=False)}


def train_lengths(rankings: Rankings) -> tuple[tuple[int, int], ...]:
    """(shortest, longest) list of every ranker; (0, 0) for one that has none."""
    pairs = zip(measure_lists(rankings, np.min), measure_lists(rankings, np.max), strict=True)
    return tuple((int(low), int(high)) for low, high in pairs)


def restore_lengths(content: dict[str, Any], rankers: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """The lengths that a model file holds; none in a file of stagg 0.1."""
    found = content.get("lengths")
    if not found:
        return ()
    pairs = tuple((low, high) for low, high in (found[name] for name in rankers))
    if not all(type(low) is type(high) is int and 0 <= low <= high <= LONGEST for low, high in pairs):
        raise DataError("the lengths of the lists are not lengths")
    return pairs


def measure_lists(rankings: Rankings, measure: Callable[[IntArray], Any]) -> list[float]:
    """A measure of the list lengths of every ranker, 0 for one that has no list."""
    order = np.argsort(rankings.list_rankers, kind="stable")
    counts = np.bincount(rankings.list_rankers, minlength=len(rankings.rankers))
    pieces = np.split(rankings.list_lengths[order], np.cumsum(counts)[:-1])
    return [float(measure(piece)) if len(piece) else 0.0 for piece in pieces]


def _warn(ranker: str, how: str, low: int, high: int) -> None:
    # the text does not name the length: it would be another warning for every request
    trained = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    said = (
        f"the lists of {shown(ranker)} are much {how} than in training ({trained} items), so its features have another "
        "meaning: train on lists of this length, or cut all lists alike (depth)"
    )
    warnings.warn(said, DataWarning, stacklevel=4)
