"""Charts of leaderboards as markup: intervals of ranks, and groups below an axis as in critical-difference diagrams."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from stagg.report.charts.svg import draw_line, percent, tick_text, ticks, tip_text
from stagg.report.markup import Html, escaped, isolate, joined, shorten_apart

__all__ = ["Branch", "GroupLayout", "RankLane", "group_diagram", "lay_out_groups", "rank_lanes", "rank_marks"]

ROW = 24  # pixels, as the style has them
WIDE, SIDE, STEP = 960.0, 262.0, 17.0  # of the diagram: its width, the room of names on each side, between two names
BAR = 7.0
LONGEST = 32


@dataclasses.dataclass(frozen=True)
class RankLane:
    """One contestant: its rank with the interval that holds for all at once, and the one that holds for it alone."""

    name: str
    rank: int
    low: int
    high: int
    alone_low: int
    alone_high: int
    value: str
    tip: str


@dataclasses.dataclass(frozen=True)
class Branch:
    """One name of the diagram of groups: where it stands on the axis, and where its name is written."""

    name: str
    x: float
    y: float
    is_left: bool


@dataclasses.dataclass(frozen=True)
class GroupLayout:
    """A diagram of groups laid out, for a page or a plot: an axis at the top, bars of groups, names at both sides.

    ``bars`` are (from, to, y) of each group, ``marks`` (x, number) those of the axis.
    """

    height: float
    branches: list[Branch]
    bars: list[tuple[float, float, float]]
    marks: list[tuple[float, float]]


def rank_lanes(rows: Sequence[RankLane], *, label: str, last: int) -> Html:
    """Ranks from 1 to ``last`` with their intervals, one contestant below the other."""
    marks = rank_marks(last)

    def place(rank: float) -> float:
        return 0.01 + 0.98 * (rank - 1) / max(last - 1, 1)

    lanes = [_lane(row, place, marks) for row in rows]
    axis = "".join(
        f'<text x="{percent(place(mark))}" y="14" text-anchor="middle">{tick_text(mark)}</text>' for mark in marks
    )
    foot = f'<div></div><svg class="lane" height="20" aria-hidden="true">{axis}</svg><div></div>'
    return Html(f'<div class="bars marks" role="group" aria-label="{escaped(label)}">{joined(lanes)}{foot}</div>')


def rank_marks(last: int) -> list[float]:
    """Where an axis of ranks from 1 to ``last`` has marks.

    >>> rank_marks(20)
    [1.0, 5.0, 10.0, 15.0, 20.0]
    """
    return sorted({1.0, *[mark for mark in ticks(1, max(last, 2), 6) if mark >= 1 and mark == int(mark)]})


def _lane(row: RankLane, place: Callable[[float], float], marks: Sequence[float]) -> Html:
    drawn = [draw_line("grid", place(mark), 0, place(mark), 26) for mark in marks]
    drawn.append(_span("interval", place(row.low), place(row.high)))
    drawn.append(_span("whisker", place(row.alone_low), place(row.alone_high)))
    drawn.append(f'<circle class="dot" cx="{percent(place(row.rank))}" cy="13" r="4"/>')
    return Html(
        f'<div class="label">{isolate(row.name)}</div>'
        f'<svg class="lane" height="26" data-tip="{tip_text(row.tip)}">{"".join(drawn)}</svg>'
        f'<div class="value">{escaped(row.value)}</div>\n'
    )


def _span(kind: str, start: float, end: float) -> str:
    """A line along a lane, with a little length where both ends are the same."""
    room = 0.003 if end - start < 0.006 else 0.0
    return draw_line(kind, start - room, 13, end + room, 13)


def lay_out_groups(
    names: Sequence[str],
    values: Sequence[float],
    groups: Sequence[tuple[int, int]],
    *,
    longest: int = LONGEST,
    scale: float = 1.0,
) -> GroupLayout:
    """The best at the left; ``groups`` are (first, last) places of those that cannot be told apart.

    ``longest``: the letters of a name that have room. ``scale``: how much larger letters and lines are than on a page.
    """
    bar, step = BAR * scale, STEP * scale
    high, low = max(values), min(values)
    span = (high - low) or 1.0

    def place(value: float) -> float:
        return SIDE + (WIDE - 2 * SIDE) * (high - value) / span

    several = [(first, last) for first, last in groups if last > first]
    bars = [(place(values[a]) - 4, place(values[b]) + 4, 40 + bar * n) for n, (a, b) in enumerate(several)]
    top = 40 + bar * len(several) + 12 * scale
    half = -(-len(names) // 2)
    branches = [
        Branch(name, place(value), top + step * (k if k < half else len(names) - 1 - k), k < half)
        for k, (name, value) in enumerate(zip(shorten_apart(names, longest), values, strict=True))
    ]
    marks = [(place(mark), mark) for mark in ticks(low, high, 6) if low <= mark <= high]
    return GroupLayout(top + step * half, branches, bars, marks)


def group_diagram(layout: GroupLayout, *, label: str) -> Html:
    """The diagram as markup."""
    left, right = SIDE - 12, WIDE - SIDE + 12
    drawn = [f'<path class="axis" d="M{SIDE} 24H{WIDE - SIDE}"/>']
    for x, mark in layout.marks:
        drawn.append(f'<path class="axis" d="M{x:.5g} 20V28"/>')
        drawn.append(f'<text x="{x:.5g}" y="14" text-anchor="middle">{tick_text(mark)}</text>')
    for branch in layout.branches:
        end, anchor = (left, "end") if branch.is_left else (right, "start")
        drawn.append(f'<path class="branch" d="M{branch.x:.5g} 24V{branch.y:.5g}H{end:.5g}"/>')
        text = end - 5 if branch.is_left else end + 5
        drawn.append(
            f'<text x="{text:.5g}" y="{branch.y + 4:.5g}" text-anchor="{anchor}">{escaped(branch.name)}</text>'
        )
    drawn += [f'<path class="bond" d="M{start:.5g} {y:.5g}H{end:.5g}"/>' for start, end, y in layout.bars]
    return Html(
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escaped(label)}">'
        f'<svg class="plot groups" viewBox="0 0 {WIDE:g} {layout.height:.5g}" role="img" aria-label="{escaped(label)}">'
        f"{''.join(drawn)}</svg></div>"
    )
