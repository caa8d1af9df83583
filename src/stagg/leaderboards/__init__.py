"""Leaderboards: models by tasks, with ranks that can be defended.

- ``leaderboard``: ``leaderboard``: rank models by a table of their scores, with gaps, and say how sure each rank is
- ``board``: Board: contestants in the order of their strengths, with intervals of ranks, groups, and how sure they are
- ``table_input``: Input of a leaderboard: files, frames, dicts or rows become a table of scores, with families and
  weights
- ``score_cells``: Cells of a leaderboard, in any layout, to scores: which column names the models, and which columns
  are tasks
- ``scores``: Table of scores: models by tasks, perhaps with several runs of a task, with gaps, weights and families of
  tasks
- ``estimators``: Estimators of strengths from a table of scores, each with the draws that say how sure it is
- ``draws``: Draws: what the strengths would have been for other tasks, families of tasks and runs like these
- ``strengths``: Strengths of contestants and how sure they are: estimates with draws, from which all ranks and
  intervals follow
- ``rank_sets``: Rank sets: intervals of ranks that hold for all contestants at once, and for each alone
- ``difference_tests``: Tests of differences between models, in words: whether any differ, which do, and how much more
  it would take
- ``task_effects``: Effects of tasks: which agree with the board, what it would be without each, and by other ways of
  counting
- ``gaps``: Gaps that are not random: whether models lack the tasks that are hard for models of their strength
- ``battles``: Battles: contestants by the verdicts of judges, and a judge who is believed
"""

from stagg.leaderboards.board import Board, Standing
from stagg.leaderboards.leaderboard import ScoreBoard, leaderboard

__all__ = ["Board", "ScoreBoard", "Standing", "leaderboard"]
