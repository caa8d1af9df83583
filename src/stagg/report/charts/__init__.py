"""Charts: as SVG markup for pages (bars, flows of runoffs), and by matplotlib for papers.

- ``svg``: Charts as markup: data in, SVG or a table out; they fit any width, since only positions across are relative
- ``flows``: Flow picture of a runoff (Sankey diagram): votes from round to round, bars as high as votes, bands between
- ``boards``: Charts of leaderboards as markup: intervals of ranks, and groups below an axis as in critical-difference
  diagrams
- ``board_plots``: Static plots of a leaderboard: intervals of ranks, a diagram of groups, and who is better than whom
- ``plots``: Static plots of the reports' figures, for papers and notebooks: matplotlib, SVG, PNG and PDF
"""

from stagg._moved import find_moved

__getattr__ = find_moved(__name__)
