"""Lists of documents, whatever their class: fused by id, each document kept, with its score and where it stood."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np

from stagg.aggregate import fuse, prepare
from stagg.data.columns import Columns, from_columns
from stagg.data.construct import with_names
from stagg.data.listings import id_text
from stagg.data.parts import empty_rankings
from stagg.data.rankings import Rankings, Weights
from stagg.errors import DataError, InvalidParameter, shown
from stagg.methods import Method, Missing
from stagg.registry import whole_number

__all__ = ["Fused", "check_settings", "fused_documents", "named"]

D = TypeVar("D")
QUERY = "1"


@dataclasses.dataclass(frozen=True)
class Fused(Generic[D]):
    """A document of the consensus: its score, its rank from 1, and its rank in each of the lists that hold it."""

    document: D
    score: float
    rank: int
    ranks: dict[str, int]


def fused_documents(
    lists: Mapping[str, Sequence[D]],
    method: str | Method,
    *,
    id_of: Callable[[D], Any],
    score_of: Callable[[D], Any] = lambda document: None,
    **options: Any,
) -> list[Fused[D]]:
    """The consensus of one query's lists, best first; of several documents with one id the first is kept.

    A list all of whose documents have a score is ordered by it, and equal ones tie; another is taken as it stands. An
    id that comes twice in a list counts once, where it is better. ``options`` are those of :func:`stagg.fuse`.

    >>> found = fused_documents({"bm25": ["a b", "c"], "dense": ["c", "d"]}, "rrf(c=60)", id_of=lambda text: text)
    >>> found[0]
    Fused(document='c', score=0.03252247488101534, rank=1, ranks={'bm25': 2, 'dense': 1})
    """
    kept: dict[str, D] = {}
    ids = {name: [_key(id_of(document)) for document in listed] for name, listed in lists.items()}
    for name, listed in lists.items():
        for each, document in zip(ids[name], listed, strict=True):
            kept.setdefault(each, document)
    if not kept:
        return []
    rankings = _rankings(ids, {name: _scores(name, listed, score_of) for name, listed in lists.items()})
    ranks = _ranks(rankings)
    run = next(iter(fuse(rankings, method, **options).to_runs().values())).get(QUERY, {})
    return [Fused(kept[each], score, rank, ranks[each]) for rank, (each, score) in enumerate(run.items(), start=1)]


def _key(value: Any) -> str:
    """What a document is known by; a document without text has the empty one."""
    return value if type(value) is str else id_text(value, "document")


def check_settings(
    names: Iterable[str], method: str | Method, weights: Weights | None, missing: Missing | None, top: int | None
) -> None:
    """What is wrong with the method, the weights or the number of results is said before there are documents."""
    if top is not None:
        whole_number("the number of results", top, least=1)
    prepare(method, missing=missing, weights=weights).weigh(empty_rankings((), tuple(names)))


def named(sources: Any, what: str) -> dict[str, Any]:
    """Sources by name: the keys of a mapping, or "1", "2", ...; there must be some."""
    if not isinstance(sources, Mapping):
        sources = {str(number): source for number, source in enumerate(sources, start=1)}
    if not sources:
        raise InvalidParameter(f"there is nothing to fuse: give at least one of the {what}")
    return dict(sources)


def _rankings(ids: dict[str, list[str]], scores: dict[str, list[float] | None]) -> Rankings:
    """One query's rankings; a list without scores is in order, and has none."""
    items = [each for listed in ids.values() for each in listed]
    rankers = [name for name, listed in ids.items() for _ in listed]
    numbers = [number for name, listed in ids.items() for number in scores[name] or range(len(listed), 0, -1)]
    known = [score for name, listed in ids.items() for score in scores[name] or [math.nan] * len(listed)]
    rows = Columns(
        [QUERY] * len(items),
        items,
        np.array(numbers, dtype=float),
        rankers=rankers,
        scores=None if all(map(math.isnan, known)) else np.array(known),
    )
    return with_names(from_columns(rows, duplicates="best")[0], (QUERY,), tuple(ids))


def _scores(name: str, listed: Sequence[D], score_of: Callable[[D], Any]) -> list[float] | None:
    """The scores of a list, None unless all of its documents have one."""
    given = [score_of(document) for document in listed]
    if not given or any(score is None for score in given):
        return None
    for place, score in enumerate(given, start=1):
        if not math.isfinite(score):
            raise DataError(f"list {shown(name)}, document {place}: the score is {score}; expected a finite number")
    return [float(score) for score in given]


def _ranks(rankings: Rankings) -> dict[str, dict[str, int]]:
    """ranks[item][ranker], from 1."""
    ranks: dict[str, dict[str, int]] = {item: {} for item in rankings.items}
    columns = rankings.to_columns()
    for item, ranker, rank in zip(columns["item"], columns["ranker"], columns["rank"], strict=True):
        ranks[item][ranker] = rank
    return ranks
