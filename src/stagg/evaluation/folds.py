"""Folds (cross-validation): which queries train, validate and test, so that tuned figures are held-out figures."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Sequence

from stagg.errors import InvalidParameter, shown
from stagg.kernels.streams import hash_name

__all__ = ["Fold", "check_parts", "folds_of_parts", "hash_parts"]

FEWEST = 3


@dataclasses.dataclass(frozen=True)
class Fold:
    """Ids of the queries that one fold trains on, validates on and tests on."""

    train: tuple[str, ...]
    validation: tuple[str, ...]
    test: tuple[str, ...]

    @property
    def known(self) -> tuple[str, ...]:
        """All queries but those that it tests on: what a method is chosen by, which has nothing to train."""
        return self.train + self.validation


def folds_of_parts(parts: Sequence[Sequence[str]]) -> list[Fold]:
    """Fold f tests on the part before part f, validates on the one before that and trains on the others.

    With five parts this is LETOR's scheme: fold f trains on f, f+1, f+2, validates on f+3, tests on f+4 (mod 5).

    >>> folds_of_parts([["a"], ["b"], ["c"], ["d"], ["e"]])[0]
    Fold(train=('a', 'b', 'c'), validation=('d',), test=('e',))
    """
    count = len(parts)
    if count < FEWEST:
        raise InvalidParameter(f"folds need {FEWEST} parts or more (to train, validate and test), not {count}")
    turned = [[parts[(fold + k) % count] for k in range(count)] for fold in range(count)]
    return [Fold(tuple(q for part in turn[:-2] for q in part), tuple(turn[-2]), tuple(turn[-1])) for turn in turned]


def check_parts(parts: Iterable[Iterable[str]], queries: Sequence[str]) -> list[list[str]]:
    """The labelled queries of each part: together they must be all of them, each in one part, no part empty."""
    known = set(queries)
    try:
        found = [_take_known(part, known) for part in parts]
    except TypeError:
        raise InvalidParameter(f"folds are a number, or lists of query ids, not {shown(parts)}") from None
    listed = [query for part in found for query in part]
    if len(set(listed)) != len(listed):
        raise InvalidParameter("a query is in two parts of the folds")
    if len(listed) != len(known):
        missing = sorted(known - set(listed))
        raise InvalidParameter(f"{len(missing)} labelled queries are in no part of the folds: {shown(missing[0])}, ...")
    if not all(found):
        raise InvalidParameter("a part of the folds has no labelled query")
    return found


def _take_known(part: Iterable[str], known: set[str]) -> list[str]:
    if isinstance(part, str):
        raise TypeError("its letters are no ids")
    return [query for query in part if isinstance(query, str) and query in known]


def hash_parts(queries: Sequence[str], count: int, seed: int) -> list[list[str]]:
    """The queries, ordered by a hash of (seed, id), cut into parts of nearly equal size."""
    if not FEWEST <= count <= len(queries):
        most = len(queries)
        raise InvalidParameter(f"folds must be from {FEWEST} to the number of queries ({most}), not {shown(count)}")
    ordered = sorted(queries, key=lambda query: hash_name(seed, query))
    bounds = [round(part * len(ordered) / count) for part in range(count + 1)]
    return [ordered[low:high] for low, high in itertools.pairwise(bounds)]
