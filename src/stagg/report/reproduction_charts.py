"""Dots in lanes: several figures of one thing side by side, such as the paper's and ours."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from stagg.report.charts import ROW, _line, _percent, _Scale, _text, _tip, tick_text, ticks
from stagg.report.markup import Html, escaped, isolated, joined

__all__ = ["LARGE", "PAPER", "SMALL", "Dots", "dots"]

PAPER, LARGE, SMALL = "c0 out", "c2", "c1"
"""Kinds of dots: what the paper prints is hollow and grey."""


@dataclasses.dataclass(frozen=True)
class Dots:
    """A lane: its name, values by kind of dot (the number of the last is shown), and what a tooltip says of it."""

    name: str
    values: Mapping[str, float]
    tip: str
    note: str = ""


def dots(rows: Sequence[Dots], series: Mapping[str, str], *, label: str) -> Html:
    """Lanes of dots, all on one scale; ``series`` names the kinds of dots.

    >>> chart = dots([Dots("rrf", {PAPER: 0.5}, "rrf: 0.5")], {PAPER: "paper", SMALL: "small"}, label="ndcg@5")
    >>> chart.count("<circle"), chart.count("<li>")
    (3, 2)
    """
    known = [value for row in rows for value in row.values.values()]
    low, high = min(known, default=0.0), max(known, default=1.0)
    high = high if high > low else low + 1.0
    marks = ticks(low, high, 5)
    scale = _Scale(min(low, marks[0]), max(high, marks[-1]), margin=0.02)
    lanes = [_lane(row, scale, marks) for row in rows]
    axis = "".join(_text(scale(mark), 14, tick_text(mark)) for mark in marks)
    foot = f'<div></div><svg class="lane" height="20" aria-hidden="true">{axis}</svg><div></div>'
    chart = f'<div class="bars marks" role="group" aria-label="{escaped(label)}">{joined(lanes)}{foot}</div>'
    return Html(chart + _legend(series))


def _lane(row: Dots, scale: _Scale, marks: Sequence[float]) -> Html:
    drawn = [_line("grid", scale(mark), 0, scale(mark), ROW) for mark in marks]
    ends = [scale(end(row.values.values())) for end in (min, max)]
    drawn.append(_line("spread c0", ends[0], ROW / 2, ends[1], ROW / 2))
    drawn += [_dot(_percent(scale(value)), ROW / 2, kind) for kind, value in row.values.items()]
    note = f' <span class="note">{escaped(row.note)}</span>' if row.note else ""
    return Html(
        f'<div class="label">{isolated(row.name)}{note}</div>'
        f'<svg class="lane" height="{ROW}" data-tip="{_tip(row.tip)}">{"".join(drawn)}</svg>'
        f'<div class="value">{list(row.values.values())[-1]:.4f}</div>\n'
    )


def _dot(across: str, down: float, kind: str) -> str:
    return f'<circle class="point {kind}" cx="{across}" cy="{down:g}" r="5"/>'


def _legend(series: Mapping[str, str]) -> Html:
    keys = [f'<li><svg aria-hidden="true">{_dot("7", 6, kind)}</svg>{isolated(n)}</li>' for kind, n in series.items()]
    return Html(f'<ul class="legend">{"".join(keys)}</ul>')
