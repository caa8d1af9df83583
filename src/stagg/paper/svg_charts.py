"""Charts of a reproduction: dots in lanes (the paper's figure and ours), grouped bars, gains with their intervals."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence

from stagg.report.charts import ROW, Bar, _line, _percent, _Scale, _text, _tip, tick_text, ticks
from stagg.report.markup import Html, escaped, isolated, joined

__all__ = ["LARGE", "PAPER", "SMALL", "Dots", "Gain", "Group", "dots", "gains", "grouped_bars", "per_cent_text"]

THICK = 18  # pixels of a bar in a group, as the style has them

PAPER, LARGE, SMALL = "paper", "c2", "c1"
"""Kinds of dots: what the paper prints is a ring around them."""

RADIUS = {PAPER: 9.0, LARGE: 7.0, SMALL: 4.0}  # so that equal figures are seen inside each other


@dataclasses.dataclass(frozen=True)
class Dots:
    """A lane: its name, values by kind of dot (the number of the last is shown), and what a tooltip says of it.

    Lanes of one ``group`` that follow each other stand under its name.
    """

    name: str
    values: Mapping[str, float]
    tip: str
    note: str = ""
    group: str = ""


@dataclasses.dataclass(frozen=True)
class Group:
    """Bars side by side, by their kind."""

    name: str
    bars: Mapping[str, Bar]


@dataclasses.dataclass(frozen=True)
class Gain:
    """By how many per cent one thing is above another, with its interval; ``stated``: what the paper says."""

    name: str
    value: float
    low: float
    high: float
    tip: str
    mark: str = ""
    stated: float | None = None


def dots(rows: Sequence[Dots], series: Mapping[str, str], *, label: str) -> Html:
    """Lanes of dots, all on one scale; ``series`` names the kinds of dots.

    >>> chart = dots([Dots("rrf", {PAPER: 0.5}, "rrf: 0.5")], {PAPER: "paper", SMALL: "small"}, label="ndcg@5")
    >>> chart.count("<circle"), chart.count("<li>")
    (3, 2)
    """
    known = [value for row in rows for value in row.values.values()]
    scale, marks = _scaled(min(known, default=0.0), max(known, default=1.0))
    lanes, group = list[Html](), ""
    for row in rows:
        if row.group != group:
            group = row.group
            lanes.append(Html(f'<div class="head">{escaped(group)}</div>\n'))
        lanes.append(_dots_lane(row, scale, marks))
    return Html(_lanes(lanes, scale, marks, label) + _legend({kind: (_key, name) for kind, name in series.items()}))


def _dots_lane(row: Dots, scale: _Scale, marks: Sequence[float]) -> Html:
    ends = [scale(end(row.values.values())) for end in (min, max)]
    drawn = [_line("spread c0", ends[0], ROW / 2, ends[1], ROW / 2)]
    above = sorted(row.values.items(), key=lambda each: each[0] == PAPER)
    drawn += [_dot(_percent(scale(value)), ROW / 2, kind) for kind, value in above]
    note = f' <span class="note">{escaped(row.note)}</span>' if row.note else ""
    number = f"{list(row.values.values())[-1]:.4f}"
    return Html(
        f'<div class="label">{isolated(row.name)}{note}</div>'
        f'<svg class="lane" height="{ROW}" data-tip="{_tip(row.tip)}">{_grid(scale, marks, ROW)}{"".join(drawn)}</svg>'
        f'<div class="value">{number}</div>\n'
    )


def grouped_bars(groups: Sequence[Group], series: Mapping[str, str], *, label: str, reference: float) -> Html:
    """Groups of bars from 0 with their intervals, one group below the other; ``series`` names the kinds of bars.

    >>> bar = Bar("rrf", 0.5, 0.4, 0.6, "rrf: 0.5")
    >>> chart = grouped_bars([Group("plain", {"c1": bar, "c2": bar})], {"c1": "a", "c2": "b"}, label="x", reference=0.3)
    >>> chart.count("data-tip"), chart.count("<li>")
    (2, 2)
    """
    known = [bar for group in groups for bar in group.bars.values()]
    scale, marks = _scaled(min([0.0, *[bar.low for bar in known]]), max([bar.high for bar in known], default=1.0), 0)
    lanes = [_group_lane(group, scale, marks, reference) for group in groups]
    return Html(_lanes(lanes, scale, marks, label) + _legend({kind: (_swatch, name) for kind, name in series.items()}))


def _group_lane(group: Group, scale: _Scale, marks: Sequence[float], reference: float) -> Html:
    height = THICK * len(group.bars) + 8
    drawn = [_group_bar(bar, kind, 4 + THICK * k, scale) for k, (kind, bar) in enumerate(group.bars.items())]
    line = _line("reference", scale(reference), 0, scale(reference), height)
    numbers = "".join(
        f'<div class="{"best" * bar.best}">{bar.value:.4f}<span class="mark">{escaped(bar.mark)}</span></div>'
        for bar in group.bars.values()
    )
    return Html(
        f'<div class="label middle">{isolated(group.name)}</div>'
        f'<svg class="lane" height="{height}">{_grid(scale, marks, height)}{"".join(drawn)}{line}</svg>'
        f'<div class="value stack">{numbers}</div>\n'
    )


def _group_bar(bar: Bar, kind: str, top: float, scale: _Scale) -> str:
    start, end = sorted((scale(0.0), scale(bar.value)))
    middle = top + THICK / 2
    whisker = _line("whisker", scale(bar.low), middle, scale(bar.high), middle)
    whisker += "".join(_line("whisker", scale(x), middle - 3, scale(x), middle + 3) for x in (bar.low, bar.high))
    return (
        f'<g data-tip="{_tip(bar.tip)}"><rect class="part {kind}" x="{_percent(start)}" y="{top:g}" '
        f'width="{_percent(end - start)}" height="{THICK - 2}"/>{whisker}</g>'
    )


def gains(rows: Sequence[Gain], *, label: str) -> Html:
    """Lanes of gains in per cent with their intervals, around a line at 0; a ring: what the paper says.

    >>> chart = gains([Gain("Ψ", 1.0, -1.0, 3.0, "Ψ: +1 %", stated=4.6)], label="above RankAgg")
    >>> chart.count("<circle"), "+1.0 %" in chart
    (2, True)
    """
    known = [0.0, *[x for row in rows for x in (row.low, row.high, row.stated) if x is not None and math.isfinite(x)]]
    scale, marks = _scaled(min(known), max(known))
    return _lanes([_gain_lane(row, scale, marks) for row in rows], scale, marks, label, " %")


def _gain_lane(row: Gain, scale: _Scale, marks: Sequence[float]) -> Html:
    middle = ROW / 2
    drawn = [_line("axis", scale(0.0), 0, scale(0.0), ROW)]
    if math.isfinite(row.low) and math.isfinite(row.high):  # they are not above a rival that has 0
        drawn.append(_line("interval", scale(row.low), middle, scale(row.high), middle))
        drawn.append(_dot(_percent(scale(row.value)), middle, SMALL))
    if row.stated is not None:
        drawn.append(_dot(_percent(scale(row.stated)), middle, PAPER))
    return Html(
        f'<div class="label">{isolated(row.name)}</div>'
        f'<svg class="lane" height="{ROW}" data-tip="{_tip(row.tip)}">{_grid(scale, marks, ROW)}{"".join(drawn)}</svg>'
        f'<div class="value">{per_cent_text(row.value)}<span class="mark">{escaped(row.mark)}</span></div>\n'
    )


def per_cent_text(value: float) -> str:
    """One digit, a sign, a true minus.

    >>> per_cent_text(-1.25), per_cent_text(0.04)
    ('−1.2 %', '0.0 %')
    """
    text = f"{value:+.1f}"
    return f"{'0.0' if float(text) == 0 else text} %".replace("-", "−").replace("inf", "∞")


# --- what they share --------------------------------------------------------------------------------------------------


def _scaled(low: float, high: float, margin: float = 0.02) -> tuple[_Scale, list[float]]:
    """A scale from low to high, and its round numbers."""
    high = high if high > low else low + 1.0
    marks = ticks(low, high, 5)
    return _Scale(min(low, marks[0]), max(high, marks[-1]), margin=margin), marks


def _lanes(lanes: Sequence[Html], scale: _Scale, marks: Sequence[float], label: str, unit: str = "") -> Html:
    axis = "".join(_text(scale(mark), 14, tick_text(mark) + unit) for mark in marks)
    foot = f'<div></div><svg class="lane" height="20" aria-hidden="true">{axis}</svg><div></div>'
    return Html(f'<div class="bars marks" role="group" aria-label="{escaped(label)}">{joined(lanes)}{foot}</div>')


def _grid(scale: _Scale, marks: Sequence[float], height: float) -> str:
    return "".join(_line("grid", scale(mark), 0, scale(mark), height) for mark in marks)


def _dot(across: str, down: float, kind: str) -> str:
    return f'<circle class="point {kind}" cx="{across}" cy="{down:g}" r="{RADIUS[kind]:g}"/>'


def _key(across: str, down: float, kind: str) -> str:
    """A dot in a legend, where the ring must not touch its name."""
    return f'<circle class="point {kind}" cx="{across}" cy="{down:g}" r="{min(RADIUS[kind], 6):g}"/>'


def _swatch(across: str, down: float, kind: str) -> str:
    return f'<rect class="part {kind}" x="0" y="{down - 6:g}" width="14" height="12"/>'


def _legend(series: Mapping[str, tuple[Callable[[str, float, str], str], str]]) -> Html:
    keys = [
        f'<li><svg aria-hidden="true">{drawn("7", 6, kind)}</svg>{isolated(name)}</li>'
        for kind, (drawn, name) in series.items()
    ]
    return Html(f'<ul class="legend">{"".join(keys)}</ul>')
