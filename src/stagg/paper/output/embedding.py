"""Embed a matplotlib figure in a page: its text stays text, its colours are those of the page, light or dark."""

from __future__ import annotations

import re

from stagg.paper.output.figures import GRID, INK, Drawing
from stagg.report.charts.plots import BLUE, GREY, ORANGE, PALETTE, render
from stagg.report.markup import Html, escaped

__all__ = ["embed"]

COLOURS = {
    "#000000": "var(--text)", INK: "var(--text)", GRID: "var(--grid)", GREY: "var(--c0)", BLUE: "rgb(var(--blue))",
    ORANGE: "rgb(var(--orange))", **{colour: f"var(--c{number})" for number, colour in enumerate(PALETTE, start=1)},
}  # fmt: skip
"""Stand-ins in the page for the colours of the figures; the style sheet has two values for each."""

LEFT_OUT = re.compile(r'<metadata>.*?</metadata>|<defs>\s*<style.*?</style>\s*</defs>|(?<=<g) id="[^"]*"', re.DOTALL)


def embed(drawing: Drawing) -> Html:
    """Return a figure as SVG that may stand in a page of ``stagg.report``, whose policy allows no inline styles."""
    settings = {"svg_fonttype": "none", "svg_hashsalt": drawing.name, "savefig_transparent": True}
    text = render(drawing.figure, "svg", **settings).decode("utf-8")
    text = re.sub(r'\s*style="([^"]*)"', lambda found: _make_attributes(found[1]), LEFT_OUT.sub("", text))
    [(box, body)] = re.findall(r'<svg [^>]*(viewBox="[^"]*")[^>]*>\s*(.*)', text, re.DOTALL)
    label = f'role="group" aria-label="{escaped(drawing.title)}"'
    return Html(f'<div class="scroll" tabindex="0" {label}><svg class="plot" {box}>\n{body}</div>')


def _make_attributes(style: str) -> str:
    """Turn a style into attributes; fonts are left to the page.

    >>> _make_attributes("fill: none; stroke: #000000; stroke-width: 0.8; font: 9px 'DejaVu Sans'")
    ' fill="none" stroke="var(--text)" stroke-width="0.8"'
    """
    pairs = [pair.split(": ", 1) for pair in style.split("; ") if not pair.startswith("font")]
    return "".join(f' {name}="{COLOURS.get(value.strip(), value.strip())}"' for name, value in pairs)
