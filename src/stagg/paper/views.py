"""Data of the paper: its two sets on disk, and views of them (the order of the lists, the queries taken)."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from pathlib import Path
from typing import Final

import numpy as np

from stagg.data.labels import Labels
from stagg.data.rankings import Rankings, Values
from stagg.errors import DataError, shown
from stagg.formats import ReadLog, ReadOptions, load
from stagg.paper.experiments.printed import SETS

__all__ = ["NUMBERS", "ORDERS", "OpenView", "View", "digest_sets", "open_view", "rank_by_line"]

PARTS: Final = tuple(f"A{part}.txt" for part in range(1, 6))

ORDERS: Final = {"score": "large number = top", "rank": "small number = top", "lines": "file order"}
"""How a list may be ordered. The files hold one number per document and ranker, and do not say which end is the top.
File order does not use the numbers: the documents of a list stand in the order of the file's lines."""

NUMBERS: Final = ("score", "rank")
"""The orders that use the numbers."""


@dataclasses.dataclass(frozen=True)
class View:
    """One set, its lists in one of the orders; of its queries, sorted by id, every so many-th."""

    folder: str
    name: str
    values: str
    every: int = 1


@dataclasses.dataclass(frozen=True)
class OpenView:
    """Content of a view: rankings, labels, and the queries of LETOR's five parts."""

    rankings: Rankings
    labels: Labels
    parts: tuple[tuple[str, ...], ...]


def digest_sets(folder: str | Path) -> dict[str, str]:
    """Return a digest of the files of each set; all ten files must be there."""
    return {name: _digest(Path(folder), name) for name in SETS}


def _digest(folder: Path, name: str) -> str:
    digest = hashlib.sha256()
    for part in PARTS:
        try:
            content = (folder / name / part).read_bytes()
        except OSError as error:
            raise DataError(
                f"{shown(str(folder))} must contain {' and '.join(SETS)}, each with {PARTS[0]} to {PARTS[-1]}; "
                f"{name}/{part} cannot be read: {error.strerror}"
            ) from None
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()


@functools.lru_cache(maxsize=4)
def open_view(view: View) -> OpenView:
    """Read the files behind a view; the last few are kept, since many jobs look at the same."""
    files = [Path(view.folder) / view.name / part for part in PARTS]
    values: Values = "score" if view.values == "score" else "rank"
    loaded = load(files, format="letor", options=ReadOptions(values=values), log=ReadLog())
    if loaded.labels is None:
        raise DataError("these files carry no labels", file=str(files[0].parent))
    kept = sorted(loaded.labels)[:: view.every]
    known = frozenset(kept)
    rankings = loaded.rankings.take_queries([loaded.rankings.query_number(query) for query in kept])
    parts = tuple(tuple(query for query in part if query in known) for part in loaded.parts)
    return OpenView(rank_by_line(rankings) if view.values == "lines" else rankings, loaded.labels.take(kept), parts)


def rank_by_line(rankings: Rankings) -> Rankings:
    """Order the entries of every list by the lines of the file, whatever their numbers: no ties, no scores.

    Items are numbered in order of first appearance, which in a LETOR file is the order of its lines.

    >>> rank_by_line(Rankings.from_lists([["a", "b", "c"], ["c", {"a", "b"}]]))
    Rankings(1 query, 2 rankers, 3 items)
      1: a > b > c
      2: a > b > c
    """
    order = np.lexsort((rankings.entries, rankings.entry_lists))
    tied = np.zeros(len(order), dtype=bool)
    return rankings.replace(entries=rankings.entries[order], tied=tied, scores=None, raw_ranks=None)
