"""Sections of a leaderboard by battles: who won how often, the judges, and groups that never met."""

from __future__ import annotations

import numpy as np

from stagg.evaluation.tables import Cell, Grid, Table
from stagg.leaderboards.battles.battle_board import BattleBoard
from stagg.report.charts.svg import grid_table, matrix
from stagg.report.markup import Html, shorten, shorten_apart
from stagg.report.shell import Section, figure

__all__ = ["battle_sections", "lay_out_view"]

IN_MATRIX = 30
JUDGES = (
    "First place: the share of its decided battles that went to the model there. Of equals: what the fit leaves "
    "of that between two equal models; the strengths leave it out. Cycles: of the triples of models with a preference "
    "in each pair, those of the form a over b over c over a. Kappa: the mean agreement (Cohen's κ) with other judges."
)
WINS = (
    "How often the row won against the column, over all judges; a tie is half a win for each. Blue: the row won more, "
    "orange: the column. The table has the numbers of battles."
)


def battle_sections(board: BattleBoard) -> list[Section]:
    """What a board of battles has beside ranks and groups."""
    return [
        Section("Wins", _draw_wins(board), WINS),
        Section("Judges", grid_table(lay_out_view(board.judge_table)), JUDGES),
    ]


def _draw_wins(board: BattleBoard) -> Html:
    count = min(len(board), IN_MATRIX)
    games, wins = board.games[:count, :count], board.wins[:count, :count]
    shares = np.divide(2 * wins - games, games, out=np.full((count, count), np.nan), where=games > 0)
    names = shorten_apart(board.names[:count], 40)
    lines = [
        [Cell(name), *[Cell(f"{wins[i, j]:g} of {games[i, j]:g}" if games[i, j] else "") for j in range(count)]]
        for i, name in enumerate(names)
    ]
    table = grid_table(Grid(["won by the row", *names], lines, [False] + [True] * count))
    label = "How often the row won against the column"
    drawn = matrix(names, shares, label=label, show=lambda share: f"{50 * (1 + share):.0f} %")
    more = f"The first {count} of {len(board):,}." if len(board) > count else ""
    return figure("Wins", drawn, caption=more, table=table)


def lay_out_view(table: Table) -> Grid:
    """A table as people see it in a terminal."""
    header = list(table.view[0])
    lines = [[Cell(shorten(str(cell)) if name in ("model", "judge") else str(cell)) for name, cell in row.items()]
             for row in table.view]  # fmt: skip
    return Grid(header, lines, [name not in ("model", "judge") for name in header])
