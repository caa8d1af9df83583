"""Reports: self-contained HTML pages on a fusion or a comparison, and the same figures as static plots."""

from stagg.report.comparison import comparison_report, comparison_sections, robustness_sections
from stagg.report.digest import FusedQuery, Fusion, digest, fused_queries
from stagg.report.explorer import Explorer, explore, explorer_page
from stagg.report.explorer_data import Source
from stagg.report.fusion_page import fusion_page, fusion_report, fusion_sections
from stagg.report.shell import Section, figure, page, write_page

__all__ = [
    "Explorer", "FusedQuery", "Fusion", "Section", "Source", "comparison_report", "comparison_sections", "digest",
    "explore", "explorer_page", "figure", "fused_queries", "fusion_page", "fusion_report", "fusion_sections", "page",
    "robustness_sections", "write_page",
]  # fmt: skip
