"""Static plots of a leaderboard: intervals of ranks, a diagram of groups, and who is better than whom."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from stagg.leaderboards.board import Board
from stagg.report.charts.boards import LONGEST, SIDE, STEP, WIDE, lay_out_groups, rank_marks
from stagg.report.charts.plots import (
    BLUE,
    GREY,
    NARROW,
    Width,
    add_legend,
    apply_style,
    inches,
    label_rows,
    label_size,
    safe_label,
    safe_labels,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["board_plots", "plot_beats", "plot_groups", "plot_ranks"]

IN_RANKS, IN_GROUPS, IN_MATRIX = 40, 24, 30
IN_COLUMN = 20  # of the matrix, in one column of a page
LINE = 8.5  # points between two names of the diagram of groups


def board_plots(board: Board, *, width: Width = None) -> Iterator[tuple[str, Figure]]:
    """(name, figure) of all plots of a leaderboard; without draws there are none but the ranks."""
    yield "ranks", plot_ranks(board, width=width)
    if board.has_intervals:
        yield "groups", plot_groups(board, width=width)
        yield "better", plot_beats(board, width=width)


@apply_style
def plot_ranks(board: Board, *, path: str | Path | None = None, width: Width = None) -> Figure:
    """The first models at their ranks, with the intervals for all at once and for each alone."""
    from matplotlib.figure import Figure

    count = min(len(board), IN_RANKS)
    figure = Figure(figsize=(inches(width), 0.9 + 0.2 * count))
    axes = figure.subplots()
    hits, places = board.hits(count), np.arange(count)
    if board.has_intervals:
        axes.hlines(places, [h.low for h in hits], [h.high for h in hits], color=BLUE, alpha=0.35, linewidth=5,
                    label="all at once")  # fmt: skip
        axes.hlines(places, [h.alone_low for h in hits], [h.alone_high for h in hits], color="black", linewidth=1,
                    label="alone")  # fmt: skip
    axes.plot([h.rank for h in hits], places, "o", color=BLUE, markersize=4)
    label_rows(axes, safe_labels([h.item for h in hits], width))
    axes.set_xlabel(f"rank, {100 * board.level:g} % intervals" if board.has_intervals else "rank")
    axes.set_xticks(rank_marks(max(h.high for h in hits)))
    axes.grid(axis="x", alpha=0.3)
    if board.has_intervals:
        add_legend(figure, axes)
    return figure


@apply_style
def plot_groups(board: Board, *, path: str | Path | None = None, width: Width = None) -> Figure:
    """The first models on an axis of their strengths; bars join those that cannot be told apart."""
    from matplotlib.figure import Figure

    count = min(len(board), IN_GROUPS)
    groups = [(first, min(last, count - 1)) for first, last in board.groups if first < min(last, count - 1)]
    scale = max(1.0, LINE / STEP * WIDE / (72 * inches(width)))
    layout = lay_out_groups(
        board.names[:count],
        board.strengths.values[:count].tolist(),
        groups,
        longest=min(LONGEST, label_size(width)),
        scale=scale,
    )
    figure = Figure(figsize=(inches(width), inches(width) * layout.height / WIDE + 0.2))
    axes = figure.subplots()
    axes.set_axis_off()
    axes.set_xlim(0, WIDE)
    axes.set_ylim(layout.height + 8, 0)
    axes.hlines(24, SIDE, WIDE - SIDE, color=GREY, linewidth=0.8)
    for x, mark in layout.marks:
        axes.vlines(x, 20, 28, color=GREY, linewidth=0.8)
        axes.text(x, 12, f"{mark:g}", ha="center", va="center", fontsize=7)
    for branch in layout.branches:
        end = SIDE - 12 if branch.is_left else WIDE - SIDE + 12
        axes.plot([branch.x, branch.x, end], [24, branch.y, branch.y], color=GREY, linewidth=0.7)
        side, text = ("right", end - 5) if branch.is_left else ("left", end + 5)
        axes.text(text, branch.y, safe_label(branch.name, width), ha=side, va="center", fontsize=7)
    for start, end, y in layout.bars:
        axes.hlines(y, start, end, color=BLUE, linewidth=2.5)
    return figure


@apply_style
def plot_beats(board: Board, *, path: str | Path | None = None, width: Width = None) -> Figure:
    """How probable it is that one model is better than another."""
    from matplotlib.figure import Figure

    size = inches(width)
    count = min(len(board), IN_MATRIX if size >= NARROW else IN_COLUMN)
    figure = Figure(figsize=(size, 0.9 * size))
    axes = figure.subplots()
    image = axes.imshow(board.beats[:count, :count], cmap="RdBu", vmin=0, vmax=1)
    names = safe_labels(board.names[:count], width)
    axes.set_xticks(range(count), names, rotation=90, fontsize=6)
    axes.set_yticks(range(count), names, fontsize=6)
    figure.colorbar(image, ax=axes, label="P(row is better than column)", shrink=0.7)
    return figure
