"""Unsupervised St.Agg: expected utilities over rank distributions (sections 4.1 and 4.2 of the paper).

Each list decides contests between items; the rank of an item is the number of contests that it loses, a random
variable; the score is the sum over the lists of the expected utility of that rank. Since a contest depends only on the
gap of positions, St.Agg is a positional rule: one weight per position of a list of L items among n candidates, and one
for what the list does not hold. The weights are made once (:mod:`stagg.kernels.stochastic.expectations`) and kept.
"""

from __future__ import annotations

import abc
import dataclasses
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

import numpy as np

from stagg.data.rankings import Rankings
from stagg.kernels.arrays import FloatArray
from stagg.kernels.stochastic.contests import Shape
from stagg.kernels.stochastic.expectations import (
    GainTable,
    expected_by_place,
    expected_elsewhere,
    expected_utilities,
    next_power_of_two,
    shares_weights,
)
from stagg.kernels.stochastic.utilities import Utility
from stagg.kernels.ties import share_ties
from stagg.methods.base import Evidence, Method, Positional, in_range
from stagg.methods.stochastic.learned_shape import (
    LAWS_OF_LEARNED,
    LEARNED,
    ContestTally,
    GivenShape,
    LearnedShape,
    learns_shape,
    list_shapes,
)
from stagg.methods.stochastic.shapes import shape_named, utility_named

__all__ = ["Stagg", "StaggBC", "StaggRRF", "Stochastic"]

ALL: Final = slice(None)

Setting = tuple[Utility, Shape, str]
"""(utility, contests, what absence means)"""


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Stochastic(Positional):
    """What the St.Agg methods share: a shape of the contests, a meaning of absence, and the tables of weights."""

    honours = ("below", "neutral", "skip")

    learns_shapes: ClassVar[bool] = False
    """Whether ``shape="learned"`` has a meaning."""

    shape: GivenShape = "harmonic(1)"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (learns_shape(self.shape) and self.learns_shapes):
            self.contests  # noqa: B018  an unknown shape is said at once

    def needs_all_queries(self) -> bool:
        return learns_shape(self.shape) or super().needs_all_queries()

    def broken_laws(self) -> Mapping[str, str]:
        learned = LAWS_OF_LEARNED if learns_shape(self.shape) else {}
        return {**super().broken_laws(), **learned}

    def evidence(self) -> Evidence | None:
        return ContestTally() if learns_shape(self.shape) else None

    def conclude(self, evidence: Any) -> Method:
        return dataclasses.replace(self, shape=evidence.shape())

    def bind(self, rankings: Rankings) -> tuple[Method, Rankings]:
        return self.learn_from([rankings]), rankings

    def puts_unlisted_last(self) -> bool:
        return self.absence != "neutral"  # where absence says nothing, an item in no list is as likely good as bad

    @property
    def contests(self) -> Shape:
        """The shape as a function of gap, n and L; of learned ones that of rankers that nothing is known of."""
        if isinstance(self.shape, LearnedShape):
            return self.shape.others
        return shape_named(self.name, self.shape, (LEARNED,) if self.learns_shapes else ())

    @property
    @abc.abstractmethod
    def expected(self) -> Utility:
        """The utility whose expectation is the score."""

    @property
    def has_ranks(self) -> bool:
        """Whether the score is the expected utility of a rank, so that there is a rank distribution."""
        return True

    @property
    def setting(self) -> Setting:
        """The key of a table of weights, besides n and the length of a list."""
        return self.expected, self.contests, self.absence

    def list_contests(self, rankings: Rankings, lists: slice = ALL) -> list[Shape]:
        """The contests of some lists, by number: those of a query, or all."""
        return list_shapes(self.name, self.shape, [rankings.rankers[k] for k in rankings.list_rankers[lists].tolist()])

    def gains(self, rankings: Rankings) -> FloatArray:
        return self._by_position(self._tables(rankings))

    def unlisted(self, rankings: Rankings) -> FloatArray | None:
        return self._elsewhere(self._tables(rankings))

    def gains_and_rest(self, rankings: Rankings) -> tuple[FloatArray, FloatArray | None]:
        tables = self._tables(rankings)  # looked up once for both
        gains = self._by_position(tables)
        return share_ties(gains, rankings.tied) if rankings.has_ties else gains, self._elsewhere(tables)

    def _by_position(self, tables: list[GainTable]) -> FloatArray:
        return np.concatenate([weights for weights, _ in tables]) if tables else np.zeros(0)

    def _elsewhere(self, tables: list[GainTable]) -> FloatArray | None:
        return None if self.absence == "skip" else np.array([elsewhere for _, elsewhere in tables], dtype=float)

    def _tables(self, rankings: Rankings) -> list[GainTable]:
        """The table of each list."""
        if isinstance(self.shape, LearnedShape) and self.shape.rankers:
            return self._learned_tables(rankings)
        n = rankings.sizes[rankings.list_queries]
        sizes = list(zip(n.tolist(), rankings.list_lengths.tolist(), strict=True))
        distinct = sorted(set(sizes))
        tables = TABLES.get(self.setting, distinct)
        found = dict(zip(distinct, tables, strict=True))
        return [found[size] for size in sizes]

    def _learned_tables(self, rankings: Rankings) -> list[GainTable]:
        """The table of each list by its ranker's contests; those of one length are made together."""
        lengths, sizes = rankings.list_lengths.tolist(), rankings.sizes[rankings.list_queries].tolist()
        keys = list(zip(self.list_contests(rankings), lengths, sizes, strict=True))
        wanted: dict[tuple[Shape, int], set[int]] = {}
        for shape, length, n in keys:
            wanted.setdefault((shape, length), set()).add(n)
        found: dict[tuple[Shape, int, int], GainTable] = {}
        for (shape, length), members in wanted.items():
            tables = expected_by_place(self.expected, shape, self.absence, length, sorted(members))
            found |= {(shape, length, n): table for n, table in zip(sorted(members), tables, strict=True)}
        return [found[key] for key in keys]


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class StaggBC(Stochastic):
    """Stochastic Borda count: the expected number of points, n minus the expected rank (Eq. 12).

    Σ_k w_k (n - E[R_k]), R_k the rank from 0 in list k. ``shape``: how a gap of positions becomes the probability that
    the item ahead wins: "paper" (Eq. 11), "linear" (½ + d/2n), "logistic(s)", "harmonic(s)" (1 - ½/(1 + d/s)),
    "certain", a function of (gaps, n, L), or "learned", every ranker's own contests, learned from how often the others
    agree (docs/uncertain_votes.md). The default, linear, loses least on long lists: docs/defaults.md.

    Reference: Niu, Lan, Guo & Cheng, "Stochastic rank aggregation", UAI 2013. The 1/m of Eq. 12 is dropped.

    >>> from stagg import fuse
    >>> fuse([["a", "b"], ["b", "c"], ["c", "d"]], "stagg_bc(missing='neutral')")
    Rankings(1 query, 1 ranker, 4 items, with scores)
      stagg-stagg_bc: a > c = b > d
    """

    name = "stagg_bc"
    learns_shapes = True

    shape: GivenShape = "linear"

    @property
    def expected(self) -> Utility:
        return utility_named(self.name, "borda")


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class StaggRRF(Stochastic):
    """Stochastic reciprocal rank fusion: the expected 1 / (c + rank), ranks from 1 (Eq. 13).

    Σ_k w_k E[1 / (c + 1 + R_k)], R_k the rank from 0 in list k; Eq. 13 as printed, with ranks from 0 and the constant
    C, is c = C - 1. ``shape``: as for ``stagg_bc``; the default was chosen by evidence (docs/defaults.md), the paper's
    is ``shape="paper"``.

    Reference: Niu, Lan, Guo & Cheng, "Stochastic rank aggregation", UAI 2013.

    >>> from stagg import fuse
    >>> fuse([["a", "b"], ["b", "c"], ["c", "d"]], "stagg_rrf(c=10, missing='neutral')")
    Rankings(1 query, 1 ranker, 4 items, with scores)
      stagg-stagg_rrf: a > c = b > d
    """

    name = "stagg_rrf"
    learns_shapes = True
    also_called: ClassVar[Mapping[str, str]] = {"k": "c"}

    c: float = 60

    def __post_init__(self) -> None:
        super().__post_init__()
        in_range(self, "c", 0, float("inf"))

    @property
    def expected(self) -> Utility:
        return utility_named(self.name, f"rrf({self.c!r})")


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Stagg(Stochastic):
    """Stochastic aggregation with any utility: the expected utility of the rank, summed over the lists.

    ``utility``: "borda" (n - r, ranks r from 0), "list_borda" (L - r), "rrf(c=60)", "dcg" (1 / log2(2 + r)),
    "rbp(p=0.95)", "isr" (1 / (1 + r)²), "top(k=10)" (1 within the first k), or a function of (ranks from 0, n, L).
    ``shape``: as for ``stagg_bc``.

    Reference: Eq. 1 and 8-13 of Niu, Lan, Guo & Cheng, "Stochastic rank aggregation", UAI 2013.

    >>> from stagg import fuse
    >>> fuse([["a", "b", "c"], ["b", "a"], ["b", "d"]], "stagg(utility='dcg', shape='linear')").best_first()
    ['b', 'a', 'd', 'c']
    """

    name = "stagg"
    learns_shapes = True

    utility: str | Callable[[FloatArray, int, int], FloatArray] = "dcg"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.expected  # noqa: B018  an unknown utility is said at once

    @property
    def expected(self) -> Utility:
        if callable(self.utility):
            return Utility(self.utility)
        return utility_named(self.name, self.utility)


# --- tables -------------------------------------------------------------------------------------------------------


LONG = 20_000


class TableCache:
    """Weight tables by (utility, shape, missing, n, L), the least recently used forgotten beyond a bound of memory.

    Where the weights do not look at n, lists among other numbers of candidates share them.
    """

    def __init__(self, numbers: int) -> None:
        self.bound = numbers
        self._tables: OrderedDict[tuple[Any, ...], GainTable] = OrderedDict()
        self._numbers = 0
        self._lock = threading.Lock()

    def get(self, setting: Setting, sizes: list[tuple[int, int]]) -> list[GainTable]:
        """The tables for some (n, L); what is missing is made, all lengths of one n together."""
        keys = [self._key(setting, n, length) for n, length in sizes]
        with self._lock:
            found = {key: self._tables[key] for key in keys if key in self._tables}
            for key in found:
                self._tables.move_to_end(key)
        made = self._make(setting, {key: size for key, size in zip(keys, sizes, strict=True) if key not in found})
        with self._lock:
            self._keep(made)
        found |= made
        return [self._for_size(found[key], key, n) for key, (n, _) in zip(keys, sizes, strict=True)]

    @staticmethod
    def _key(setting: Setting, n: int, length: int) -> tuple[Any, ...]:
        shared = shares_weights(*setting)
        return (*setting, shared, next_power_of_two(n) if shared else n, length)

    @staticmethod
    def _for_size(table: GainTable, key: tuple[Any, ...], n: int) -> GainTable:
        """The table, where several n share the weights with the weight of an unlisted item for this one."""
        utility, _, missing, shared, _, length = key
        return (table[0], expected_elsewhere(utility, missing, n, length)) if shared else table

    @staticmethod
    def _make(setting: Setting, wanted: dict[tuple[Any, ...], tuple[int, int]]) -> dict[tuple[Any, ...], GainTable]:
        by_n: dict[int, list[tuple[tuple[Any, ...], int]]] = {}
        for key, (n, length) in wanted.items():
            by_n.setdefault(n, []).append((key, length))
        made: dict[tuple[Any, ...], GainTable] = {}
        for n, members in by_n.items():
            # long lists one by one: how their sums are cut into blocks must not hang on who else asked
            alone = [[member] for member in members if member[1] > LONG]
            together = [member for member in members if member[1] <= LONG]
            for some in [*alone, together] if together else alone:
                tables = expected_utilities(*setting, n, [length for _, length in some])
                made |= {key: table for (key, _), table in zip(some, tables, strict=True)}
        return made

    def _keep(self, made: dict[tuple[Any, ...], GainTable]) -> None:
        for key, table in made.items():
            if key not in self._tables:
                table[0].setflags(write=False)
                self._tables[key] = table
                self._numbers += len(table[0])
        while self._numbers > self.bound:
            _, (weights, _) = self._tables.popitem(last=False)
            self._numbers -= len(weights)


TABLES = TableCache(numbers=8_000_000)  # 64 MB
