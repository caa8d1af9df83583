"""Reports: self-contained HTML pages on a fusion or a comparison, and the same figures as static plots."""

from stagg.report.comparison import comparison_report, comparison_sections, robustness_sections
from stagg.report.digest import FusedQuery, Fusion, digest, fused_queries
from stagg.report.fusion_page import fusion_page, fusion_report, fusion_sections
from stagg.report.shell import Section, figure, page, write_page

__all__ = [
    "FusedQuery", "Fusion", "Section", "comparison_report", "comparison_sections", "digest", "figure",
    "fused_queries", "fusion_page", "fusion_report", "fusion_sections", "page", "robustness_sections", "write_page",
]  # fmt: skip
