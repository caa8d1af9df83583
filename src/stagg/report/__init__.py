"""Reports: self-contained HTML pages, and the same figures as static plots.

- ``digest``: Digest of a fusion: the first items of each query and what every ranker said of them, as plain arrays
- ``pages``: The pages: a fusion, a comparison, an election, a leaderboard, the explorer, a sheet to judge
- ``charts``: Charts: as SVG markup for pages (bars, flows of runoffs), and by matplotlib for papers
- ``shell``: Shell of every report: one HTML file that contains everything and loads nothing from the network
- ``markup``: Escape text for a page: hostile ids made harmless for markup, attributes, tooltips and scripts
- ``copied_commands``: Commands that a page offers to copy: quote every file name so that a shell gets it back
- ``findings``: Findings, what a page says first: what is open at the top, who disagrees, who decides, what is better
"""

from stagg._moved import find_moved
from stagg.report.digest import FusedQuery, Fusion, digest, fused_queries
from stagg.report.pages.changes import diff_report
from stagg.report.pages.comparison import comparison_report, comparison_sections, robustness_sections
from stagg.report.pages.explorer import Explorer, explore, explorer_page
from stagg.report.pages.explorer_data import PageSource
from stagg.report.pages.fusion import fusion_page, fusion_report, fusion_sections
from stagg.report.pages.judging import judging_page
from stagg.report.pages.leaderboard import leaderboard_report
from stagg.report.shell import Section, figure, page, write_page

__all__ = [
    "Explorer", "FusedQuery", "Fusion", "PageSource", "Section", "comparison_report", "comparison_sections",
    "diff_report", "digest", "explore", "explorer_page", "figure", "fused_queries", "fusion_page", "fusion_report",
    "fusion_sections", "judging_page", "leaderboard_report", "page", "robustness_sections", "write_page",
]  # fmt: skip


__getattr__ = find_moved(__name__)
