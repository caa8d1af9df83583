"""Reports: self-contained HTML pages on a fusion or a comparison, and the same figures as static plots."""

from stagg.report.fused import FusedQuery, Fusion, fused_queries
from stagg.report.fusion import fusion_page, fusion_report, fusion_sections
from stagg.report.page import Section, figure, page, write_page

__all__ = [
    "FusedQuery",
    "Fusion",
    "Section",
    "figure",
    "fused_queries",
    "fusion_page",
    "fusion_report",
    "fusion_sections",
    "page",
    "write_page",
]
