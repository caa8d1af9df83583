"""Charts as markup: data in, SVG or a table out; they fit any width, since only positions across are relative."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np

from stagg.evaluation.tables import Cell, Grid
from stagg.report.markup import Html, escaped, isolate, joined

__all__ = [
    "Bar",
    "Column",
    "Series",
    "bars",
    "columns",
    "draw_line",
    "grid_table",
    "legend",
    "lines",
    "matrix",
    "percent",
    "sign_number",
    "tick_text",
    "ticks",
    "tip_text",
]

LEVELS = 10  # shades of a matrix
COLOURS = 7  # series told apart by colour; the next ones are dashed as well
LONG = 60  # characters of a cell that may be broken into lines
ROW = 26  # pixels, as the style has them


@dataclasses.dataclass(frozen=True)
class Bar:
    """A bar with the interval of its value, a mark beside the number, and what a tooltip says of it."""

    name: str
    value: float
    low: float
    high: float
    tip: str
    mark: str = ""
    best: bool = False
    note: str = ""


@dataclasses.dataclass(frozen=True)
class Column:
    """A column of a row of columns, above or below 0."""

    value: float
    tip: str


@dataclasses.dataclass(frozen=True)
class Series:
    """A line through ``y`` with a whisker from ``low`` to ``high`` and a tooltip at every point."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    tips: Sequence[str]


def bars(rows: Sequence[Bar], *, label: str, reference: float | None = None, shares: bool = False) -> Html:
    """Bars from 0 with their intervals, one below the other; ``reference`` is a line through all of them.

    ``shares``: the values are shares of a whole. They have no intervals, and all such charts go from 0 to 100 %.

    >>> chart = bars([Bar("rrf", 0.5, 0.4, 0.6, "rrf: 0.5")], label="ndcg@10")
    >>> 'data-tip="rrf: 0.5"' in chart
    True
    """
    low = min([0.0, *[row.low for row in rows]])
    high = 1.0 if shares else max([row.high for row in rows], default=1.0)
    high = high if high > low else low + 1.0
    marks = ticks(low, high, 5)
    scale = _Scale(low, high)
    lanes = [_bar(row, scale, marks, reference, shares) for row in rows]
    said = _percents if shares else tick_text
    axis = "".join(_text(scale(mark), 14, said(mark)) for mark in marks)
    foot = f'<div></div><svg class="lane" height="20" aria-hidden="true">{axis}</svg><div></div>'
    return Html(f'<div class="bars marks" role="group" aria-label="{escaped(label)}">{joined(lanes)}{foot}</div>')


def _bar(row: Bar, scale: _Scale, marks: Sequence[float], reference: float | None, shares: bool) -> Html:
    drawn = [draw_line("grid", scale(mark), 0, scale(mark), ROW) for mark in marks]
    start, end = sorted((scale(0.0), scale(row.value)))
    drawn.append(f'<rect class="bar" x="{percent(start)}" y="5" width="{percent(end - start)}" height="{ROW - 10}"/>')
    drawn += [] if shares else _whisker(row, scale)
    if reference is not None:
        drawn.append(draw_line("reference", scale(reference), 0, scale(reference), ROW))
    best = " best" * row.best
    note = f' <span class="note">{escaped(row.note)}</span>' if row.note else ""
    value = _percents(row.value) if shares else f"{row.value:.4f}"
    return Html(
        f'<div class="label{best}">{isolate(row.name)}{note}</div>'
        f'<svg class="lane" height="{ROW}" data-tip="{tip_text(row.tip)}">{"".join(drawn)}</svg>'
        f'<div class="value{best}">{value}<span class="mark">{escaped(row.mark)}</span></div>\n'
    )


def _whisker(row: Bar, scale: _Scale) -> list[str]:
    middle = ROW / 2
    ends = [draw_line("whisker", scale(end), middle - 4, scale(end), middle + 4) for end in (row.low, row.high)]
    return [draw_line("whisker", scale(row.low), middle, scale(row.high), middle), *ends]


def _percents(share: float) -> str:
    return f"{100 * share:.0f} %"


def columns(values: Sequence[Column], *, label: str, extent: float) -> Html:
    """Columns above and below 0, side by side; ``extent`` is the largest number that fits, up and down."""
    height = 132
    middle, unit = height / 2, (height / 2 - 4) / (extent or 1.0)
    width = 1 / max(1, len(values))
    drawn = [draw_line("axis", 0, middle, 1, middle)]
    for number, each in enumerate(values):
        tall = max(abs(each.value) * unit, 0.75)
        top = middle - tall if each.value > 0 else middle
        kind = "won" if each.value > 0 else "lost" if each.value < 0 else "tied"
        top, tall = (middle - 3, 6.0) if kind == "tied" else (top, tall)
        drawn.append(
            f'<rect class="{kind}" x="{percent(number * width)}" y="{top:.4g}" width="{percent(width)}" '
            f'height="{tall:.4g}" data-tip="{tip_text(each.tip)}"/>'
        )
    side = "".join(
        _text(1, y, words, "end")
        for y, words in ((10, _extent(extent)), (middle + 4, "0"), (height - 2, _extent(-extent)))
    )
    return Html(
        f'<div class="plane marks" role="group" aria-label="{escaped(label)}">'
        f'<svg height="{height}" aria-hidden="true">{side}</svg><svg height="{height}">{"".join(drawn)}</svg></div>'
    )


def lines(series: Sequence[Series], *, label: str, across: str) -> Html:
    """Lines over a numeric axis, named ``across``, with whiskers; series stand a little apart, none hides another."""
    height = 300
    xs = sorted({x for each in series for x in each.x})
    low, high = min(min(each.low) for each in series), max(max(each.high) for each in series)
    marks = ticks(low, high, 6)
    up = _Scale(low, high)
    over = _Scale(xs[0], xs[-1], margin=0.08)
    gap = min((over(b) - over(a) for a, b in itertools.pairwise(xs)), default=1.0)
    apart = min(0.014, gap / 2 / len(series))

    def y(value: float) -> float:
        return (height - 16) * (1 - up(value)) + 8

    grid = [draw_line("grid", 0, y(mark), 1, y(mark)) for mark in marks]
    middle = (len(series) - 1) / 2
    drawn = [_series(number, each, over, (number - middle) * apart, y) for number, each in enumerate(series)]
    paths = "".join(path for path, _ in drawn)
    stretched = (
        f'<svg viewBox="0 0 100 {height}" preserveAspectRatio="none" width="100%" height="{height}">{paths}</svg>'
    )
    side = "".join(_text(1, y(mark) + 4, tick_text(mark), "end") for mark in marks)
    below = "".join(_text(over(x), 14, f"{x:g}") for x in xs)
    return Html(
        f'<div data-kin><div class="plane marks" role="group" aria-label="{escaped(label)}">'
        f'<svg height="{height}" aria-hidden="true">{side}</svg>'
        f'<svg height="{height}">{"".join(grid)}{stretched}{"".join(points for _, points in drawn)}</svg>'
        f'<div></div><svg height="20" aria-hidden="true">{below}</svg>'
        f'<div></div><div class="across">{escaped(across)}</div></div>{legend([each.name for each in series])}</div>'
    )


def _series(number: int, series: Series, over: _Scale, shift: float, y: Callable[[float], float]) -> tuple[str, str]:
    """(the line, which is stretched; the whiskers and points, which are not) of one series."""
    kind = _kind(number)
    places = [over(x) + shift for x in series.x]
    path = "L".join(f"{100 * place:.5g} {y(value):.5g}" for place, value in zip(places, series.y, strict=True))
    points = []
    for place, value, low, high, tip in zip(places, series.y, series.low, series.high, series.tips, strict=True):
        whisker = draw_line(f"spread {kind}", place, y(low), place, y(high))
        dot = f'<circle class="point {kind}" cx="{percent(place)}" cy="{y(value):.5g}" r="4.5"/>'
        points.append(f'<g data-tip="{tip_text(tip)}">{whisker}{dot}</g>')
    line = f'<g data-item="{number}"><path class="line {kind}" d="M{path}"/></g>'
    return line, f'<g data-item="{number}">{"".join(points)}</g>'


def legend(names: Sequence[str]) -> Html:
    """The names of series, each beside its colour."""
    entries = [
        f'<li data-item="{number}"><svg aria-hidden="true"><path class="key {_kind(number)}" d="M0 6h14"/></svg>'
        f"{isolate(name)}</li>"
        for number, name in enumerate(names)
    ]
    return Html(f'<ul class="legend">{"".join(entries)}</ul>')


def _kind(number: int) -> str:
    return f"c{number % COLOURS + 1}" + " dashed" * (number >= COLOURS)


def grid_table(grid: Grid, *, kind: str = "") -> Html:
    """A table of results, the best of each column in bold; ``kind`` is a class of the style."""
    sides = [' class="number"' if right else "" for right in grid.right]
    head = "".join(f'<th scope="col"{side}>{isolate(name)}</th>' for name, side in zip(grid.header, sides, strict=True))
    body = ["<tr>" + "".join(map(_cell, row, grid.right)) + "</tr>" for row in grid.cells]
    rows = "\n".join(body)
    box = '<div class="scroll card" tabindex="0" role="region" aria-label="Table">'
    shape = f' class="{kind}"' if kind else ""
    return Html(f"{box}<table{shape}><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>")


def _cell(cell: Cell, right: bool) -> str:
    text = isolate(cell.text) + escaped(cell.mark)
    side = ' class="number"' if right else ' class="long"' if len(cell.text) > LONG else ""
    return f"<td{side}>{f'<b>{text}</b>' if cell.bold else text}</td>"


DENSE = 8  # names; with more of them, the cells of a matrix have a colour only


def matrix(
    names: Sequence[str],
    values: np.ndarray,
    *,
    label: str,
    counts: Sequence[Sequence[str]] | None = None,
    show: Callable[[float], str] | None = None,
) -> Html:
    """A square table of values between -1 and 1, shaded; NaN and the diagonal are blank. It is its own alternative.

    ``counts``: what stands above each value. ``show``: a value as people read it, with two digits if not given.
    """
    head = "".join(f'<th scope="col"><span>{isolate(name)}</span></th>' for name in names)
    lines = [
        f'<tr><th scope="row"><span>{isolate(name)}</span></th>'
        f"{''.join(_shade(a, values[a], None if counts is None else counts[a], show or _number))}</tr>"
        for a, name in enumerate(names)
    ]
    size = " dense" * (len(names) > DENSE)
    return Html(
        f'<div class="scroll marks"><table class="matrix{size}" aria-label="{escaped(label)}">'
        f"<thead><tr><td></td>{head}</tr></thead>\n<tbody>\n{joined(map(Html, lines))}\n</tbody></table></div>"
    )


def _shade(diagonal: int, row: np.ndarray, counts: Sequence[str] | None, show: Callable[[float], str]) -> list[str]:
    cells = []
    for number, value in enumerate(row.tolist()):
        if number == diagonal or math.isnan(value):
            cells.append('<td class="none"></td>')
            continue
        shade = round(value * LEVELS)
        text = escaped(show(value))
        said = text if counts is None else f"{escaped(counts[number])}<small>{text}</small>"
        cells.append(f'<td class="{"p" if shade >= 0 else "n"}{abs(shade)}">{said}</td>')
    return cells


def _number(value: float) -> str:
    """Two digits, a true minus."""
    return f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−")


class _Scale:
    """Where a number lies across, from 0 to 1."""

    def __init__(self, low: float, high: float, margin: float = 0.0) -> None:
        self.low, self.span, self.margin = low, high - low, margin

    def __call__(self, value: float) -> float:
        share = (value - self.low) / self.span if self.span > 0 else 0.5
        return self.margin + share * (1 - 2 * self.margin)


def ticks(low: float, high: float, most: int) -> list[float]:
    """At most about so many round numbers (1, 2, 5 times a power of ten) between low and high.

    >>> ticks(0, 0.47, 5)
    [0.0, 0.1, 0.2, 0.3, 0.4]
    """
    if not high > low:
        return [low]
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(k * power for k in (1, 2, 5, 10) if k * power >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


def tick_text(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def sign_number(value: float) -> str:
    """A difference as people read it: four digits as in the tables, always with its sign.

    >>> sign_number(0.25), sign_number(-0.5), sign_number(-1e-9)
    ('+0.2500', '−0.5000', '0.0000')
    """
    text = f"{value:+.4f}"
    return "0.0000" if float(text) == 0 else text.replace("-", "−")


def _extent(value: float) -> str:
    return f"{value:+.2g}".replace("-", "−")


def tip_text(text: str) -> str:
    """The text of a tooltip, in lines; ids in it are clean already, so that all line ends are ours."""
    return "&#10;".join(map(escaped, text.split("\n")))


def percent(share: float) -> str:
    return f"{100 * share:.4g}%"


def draw_line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{percent(x1)}" y1="{y1:.5g}" x2="{percent(x2)}" y2="{y2:.5g}"/>'


def _text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f'<text x="{percent(x)}" y="{y:.5g}" text-anchor="{anchor}">{escaped(words)}</text>'
