"""Charts as markup: data in, SVG or a table out; they fit any width, since only positions across are relative."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from stagg.report.markup import Html, escaped, isolated, quoted

__all__ = ["matrix"]

LEVELS = 10  # shades of a matrix


def matrix(names: Sequence[str], values: np.ndarray, *, what: str, low: float) -> Html:
    """A square table of values between ``low`` and 1, shaded; NaN is a blank. The numbers are its text alternative."""
    head = "".join(f'<th scope="col"><span>{isolated(name)}</span></th>' for name in names)
    lines = [
        f'<tr><th scope="row">{isolated(name)}</th>{"".join(_cells(names, a, values[a], what, low))}</tr>'
        for a, name in enumerate(names)
    ]
    size = " dense" * (len(names) > 8)
    body = "\n".join(lines)
    return Html(
        f'<div class="scroll marks"><table class="matrix{size}"><thead><tr><td></td>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def _cells(names: Sequence[str], a: int, row: np.ndarray, what: str, low: float) -> list[str]:
    cells = []
    for b, value in enumerate(row.tolist()):
        if a == b or math.isnan(value):
            cells.append('<td class="none"></td>')
            continue
        tip = escaped(f"{quoted(names[a])} and {quoted(names[b])}: {what} {value:.3f}")
        shade = round(value * LEVELS)
        cells.append(f'<td class="{"p" if shade >= 0 else "n"}{abs(shade)}" data-tip="{tip}">{_number(value)}</td>')
    return cells


def _number(value: float) -> str:
    """Two digits, a true minus."""
    return f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−")
