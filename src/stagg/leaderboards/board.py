"""Board: contestants in the order of their strengths, with intervals of ranks, groups, and how sure they are."""

from __future__ import annotations

import dataclasses
import functools
import html
import json
from typing import Any, Final, Self, final

import numpy as np

from stagg.errors import InvalidParameter, bare, plural
from stagg.evaluation.tables import Table
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.leaderboards.rank_sets import RankSets, find_rank_sets, group_runs
from stagg.leaderboards.strengths import Strengths

__all__ = ["LEVEL", "TOP", "Board", "Standing", "tell_probability", "tell_range"]

LEVEL: Final = 0.95
TOP: Final = 10


@final
@dataclasses.dataclass(frozen=True)
class Standing:
    """One contestant of a leaderboard.

    ``rank``: from 1; equal strengths share it. ``score``: the strength. ``low`` and ``high``: the interval of the rank
    that holds for all contestants at once; ``alone_low`` and ``alone_high`` the one that holds for this contestant
    alone. ``strength_low`` and ``strength_high``: the interval of the strength, for this one alone; NaN without draws.
    ``first_group`` and ``last_group``: the groups, numbered from the top, that it belongs to; two contestants that
    share a group cannot be told apart, and some that share none cannot either. ``first`` and ``top``: the share of the
    draws in which it is the best, and among the first k. ``held``: how many tasks it was run on (or battles it fought;
    with an anchor, those that the anchor judged).
    """

    item: str
    rank: int
    score: float
    strength_low: float
    strength_high: float
    low: int
    high: int
    alone_low: int
    alone_high: int
    first_group: int
    last_group: int
    first: float
    top: float
    held: int

    @property
    def groups(self) -> str:
        """The groups as people read them: "2", or "2-4"."""
        return tell_range(self.first_group, self.last_group)


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Board:
    """A leaderboard: ``strengths`` and rank ``sets``, both best first, and what there is to say of them.

    Whatever gives strengths with draws can have one: see :meth:`make`. ``held[i]``: how many tasks (battles)
    contestant i has, of ``total``; ``unit``: what is counted. ``k``: the number of first places that ``top`` speaks of.
    ``findings``: sentences on what was found. ``warnings``: what a reader must know before using the board.
    ``notes``: how it was made. ``settings``: the options that it was made with. ``others``: the boards of groups that
    nothing compares with these contestants; ``apart`` says why.
    """

    strengths: Strengths
    sets: RankSets
    held: IntArray
    total: int | None
    unit: str
    k: int
    seed: int
    findings: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    settings: dict[str, Any] = dataclasses.field(default_factory=dict)
    others: tuple[Board, ...] = ()
    command = "leaderboard"
    scale = "strength"
    apart = "which shares no task with the others"

    @classmethod
    def make(
        cls,
        strengths: Strengths,
        *,
        level: float = LEVEL,
        k: int = TOP,
        held: IntArray | None = None,
        total: int | None = None,
        unit: str = "task",
        seed: int = 0,
        **more: Any,
    ) -> Self:
        """The board of these strengths, in any order; ``held`` is in their order."""
        order = strengths.order
        ordered = strengths.take(order)
        held = strengths.units if held is None else held
        return cls(
            strengths=ordered,
            sets=find_rank_sets(ordered, level=level, seed=seed),
            held=held[order],
            total=total,
            unit=unit,
            k=min(k, len(order)),
            seed=seed,
            **more,
        )

    def __len__(self) -> int:
        return len(self.strengths.names)

    @property
    def names(self) -> tuple[str, ...]:
        """The contestants, best first."""
        return self.strengths.names

    @property
    def level(self) -> float:
        return self.sets.level

    @property
    def has_intervals(self) -> bool:
        """Whether there are draws to make intervals of."""
        return len(self.strengths.draws) > 1

    @functools.cached_property
    def groups(self) -> list[tuple[int, int]]:
        """(first, last) place, from 0, of every group of neighbours of whom no two can be told apart."""
        return group_runs(self.sets.above, np.arange(len(self)))

    @functools.cached_property
    def beats(self) -> FloatArray:
        """P[i, j]: how probable it is that i is stronger than j: the share of the draws."""
        return self.strengths.beats()

    @functools.cached_property
    def rank_shares(self) -> FloatArray:
        """S[i, r]: the probability that i has rank r + 1, r < k."""
        return self.strengths.rank_shares(self.k)

    @property
    def share_apart(self) -> float:
        """The share of all pairs that are told apart, all at once."""
        n = len(self)
        return float(self.sets.above.sum()) / (n * (n - 1) / 2)

    @property
    def neighbours_apart(self) -> int:
        """How many of the pairs of neighbours are told apart."""
        return int(self.sets.above.diagonal(1).sum())

    def describe_groups(self) -> list[str]:
        """Sentences on who can be told apart."""
        last, others = self.groups[0][1], int(self.sets.high[0]) - 1
        n, level = len(self), f"{100 * self.level:g} %"
        rest = f"all but {plural(others, 'other')}" if others else "all others"
        told = (
            f"The first {last + 1:,} cannot be told apart from one another."
            if last > 0
            else f"{bare(self.names[0])} is told apart from {rest}."
        )
        pairs = (
            f"Of {plural(n * (n - 1) // 2, 'pair')}, {100 * self.share_apart:.0f} % are told apart at {level}, all at "
            f"once; of {plural(n - 1, 'pair')} of neighbours, {self.neighbours_apart:,}."
        )
        return [told, pairs]

    def hits(self, k: int | None = None) -> list[Standing]:
        """The contestants, best first; the first ``k`` of them, all if not given."""
        if k is not None and k < 1:
            raise InvalidParameter(f"k is a number of 1 or more, not {k}")
        groups = np.array(self.groups)
        firsts = np.searchsorted(groups[:, 1], np.arange(len(self)))
        lasts = np.searchsorted(groups[:, 0], np.arange(len(self)), side="right") - 1
        values, sets, shares = self.strengths.values, self.sets, self.rank_shares
        ranks = 1 + np.searchsorted(-values, -values)
        half = self.strengths.half_widths(self.level)
        return [
            Standing(
                item=self.names[i],
                rank=int(ranks[i]),
                score=float(values[i]),
                strength_low=float(values[i] - half[i]),
                strength_high=float(values[i] + half[i]),
                low=int(sets.low[i]),
                high=int(sets.high[i]),
                alone_low=int(sets.marginal_low[i]),
                alone_high=int(sets.marginal_high[i]),
                first_group=int(firsts[i]) + 1,
                last_group=int(lasts[i]) + 1,
                first=float(shares[i, 0]) if self.has_intervals else float("nan"),
                top=float(shares[i].sum()) if self.has_intervals else float("nan"),
                held=int(self.held[i]),
            )
            for i in range(len(self) if k is None else min(k, len(self)))
        ]

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dict for each contestant, best first."""
        rows = []
        for hit in self.hits():
            row = dataclasses.asdict(hit)
            of = {} if self.total is None else {f"{self.unit}s": self.total}
            rows.append({"model": row.pop("item"), **row, **of})
        return rows

    @property
    def beside(self) -> list[tuple[str, Table]]:
        """Further tables, with their titles, that a reader of the board should see."""
        tables = []
        for number, board in enumerate(self.others, start=2):
            tables += [(f"Group {number}, {self.apart}", board.table), *board.beside]
        return tables

    def show_strength(self, strength: float) -> str:
        """A strength as people read it."""
        return f"{strength:.3f}".replace("-0.000", "0.000")

    @property
    def table(self) -> Table:
        """The board as a table, for the terminal, CSV, Markdown and LaTeX."""
        return Table(
            self.command,
            tuple(self.to_dicts()),
            seed=self.seed,
            notes=(*self.findings, *self.notes),
            warnings=self.warnings,
            legend=(self._legend(),) if self.has_intervals else (),
            settings=self.settings,
            view=tuple(map(self._view, self.hits())),
        )

    def to_frame(self, library: str = "pandas") -> Any:
        """A data frame of the board: ``library`` is "pandas" or "polars"."""
        return self.table.to_frame(library)

    def to_json(self) -> str:
        """The table's JSON with the findings."""
        head = json.loads(self.table.to_json())
        rows = head.pop("rows")
        return json.dumps(head | self._more_json() | {"rows": rows}, indent=1, ensure_ascii=False) + "\n"

    def _more_json(self) -> dict[str, Any]:
        names = self.names
        groups = [list(names[first : last + 1]) for first, last in self.groups]
        others = [json.loads(board.to_json()) for board in self.others]
        return {
            "level": self.level, "k": self.k, "findings": list(self.findings), "groups": groups, "others": others,
        }  # fmt: skip

    def _view(self, hit: Standing) -> dict[str, Any]:
        """One line as people read it."""
        line: dict[str, Any] = {"rank": hit.rank, "model": hit.item}
        if self.has_intervals:
            line |= {
                "ranks": tell_range(hit.low, hit.high),
                "alone": tell_range(hit.alone_low, hit.alone_high),
                "group": hit.groups,
            }
        line[self.scale] = self.show_strength(hit.score)
        if self.has_intervals:
            line |= {"first": tell_probability(hit.first), f"top {self.k}": tell_probability(hit.top)}
        return line | {f"{self.unit}s": f"{hit.held} of {self.total}" if self.total else str(hit.held)}

    def _legend(self) -> str:
        level = f"{100 * self.level:g} %"
        return (
            f"ranks: {level} intervals that hold for all at once; alone: for this one; group: neighbours in the order "
            f"of whom no two can be told apart; others may not be either"
        )

    def __repr__(self) -> str:
        return "\n".join([repr(self.table), *(f"{title}\n{table!r}" for title, table in self.beside)])

    def _repr_html_(self) -> str:
        beside = (f"<p>{html.escape(title)}</p>\n{table._repr_html_()}" for title, table in self.beside)
        return "\n".join([self.table._repr_html_(), *beside])


def tell_range(first: int, last: int) -> str:
    """A range of ranks or groups: one number where both ends are the same."""
    return str(first) if first == last else f"{first}-{last}"


def tell_probability(share: float) -> str:
    """A probability in percent; one that no draw or every draw shows is not said to be nought, or certain.

    >>> tell_probability(0.123), tell_probability(0.0), tell_probability(0.9999)
    ('12 %', '<1 %', '>99 %')
    """
    percent = 100 * share
    return "<1 %" if percent < 1 else ">99 %" if percent > 99 else f"{percent:.0f} %"
