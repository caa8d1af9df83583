"""The two LETOR-agg sets on disk: are they there, what do they hold, and one of them read one way."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.errors import DataError, shown
from stagg.formats import ReadLog, ReadOptions, load
from stagg.paper.printed import SETS

__all__ = ["DIRECTIONS", "Opened", "View", "digests", "opened"]

PARTS: Final = tuple(f"A{part}.txt" for part in range(1, 6))

DIRECTIONS: Final = {"score": "large = top", "rank": "small = top"}
"""What the numbers of a LETOR-agg file may mean: how the paper's baselines read them, and what they are."""


@dataclasses.dataclass(frozen=True)
class View:
    """One set, its numbers read as ``values``; of its queries, in the order of their ids, every so many-th."""

    folder: str
    name: str
    values: str
    every: int = 1

    def __post_init__(self) -> None:
        if self.values not in DIRECTIONS:
            raise ValueError(f"values is one of {', '.join(DIRECTIONS)}")


@dataclasses.dataclass(frozen=True)
class Opened:
    """What a view shows: rankings, labels, and the queries of LETOR's five parts."""

    rankings: Rankings
    labels: Labels
    parts: tuple[tuple[str, ...], ...]


def digests(folder: str | Path) -> dict[str, str]:
    """A digest of the files of each set; all ten files must be there."""
    return {name: _digest([Path(folder) / name / part for part in PARTS], Path(folder)) for name in SETS}


def _digest(files: Sequence[Path], folder: Path) -> str:
    found = hashlib.sha256()
    for file in files:
        try:
            content = file.read_bytes()
        except OSError as error:
            raise DataError(
                f"--data {shown(str(folder))} must hold {' and '.join(SETS)}, each with {PARTS[0]} to {PARTS[-1]}; "
                f"{file.parent.name}/{file.name} cannot be read: {error.strerror}"
            ) from None
        found.update(hashlib.sha256(content).digest())
    return found.hexdigest()


@functools.lru_cache(maxsize=4)
def opened(view: View) -> Opened:
    """The files behind a view, read; kept, since many tasks look at the same."""
    files = [Path(view.folder) / view.name / part for part in PARTS]
    loaded = load(files, format="letor", options=ReadOptions(values=view.values), log=ReadLog())
    if loaded.labels is None:
        raise DataError("these files carry no labels", file=str(files[0].parent))
    kept = sorted(loaded.labels)[:: view.every]
    known = frozenset(kept)
    numbers = [loaded.rankings.query_number(query) for query in kept]
    parts = tuple(tuple(query for query in part if query in known) for part in loaded.parts)
    return Opened(loaded.rankings.take_queries(numbers), loaded.labels.take(kept), parts)
