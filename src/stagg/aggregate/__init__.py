"""The plan of a fusion and the verbs that carry it out: fuse, explain, rank_distribution."""

from typing import TYPE_CHECKING, Any

from stagg.aggregate.fusion import fuse
from stagg.aggregate.plan import DEFAULT_METHOD, Plan, PlanOptions, PlanResult, prepare

if TYPE_CHECKING:
    from stagg.aggregate.distribution import RankDistribution, rank_distribution
    from stagg.aggregate.explanation import Explanation, explain

__all__ = [
    "DEFAULT_METHOD",
    "Explanation",
    "Plan",
    "PlanOptions",
    "PlanResult",
    "RankDistribution",
    "explain",
    "fuse",
    "prepare",
    "rank_distribution",
]


def __getattr__(name: str) -> Any:
    """What only some ask for is imported when they do."""
    if name in ("RankDistribution", "rank_distribution"):
        from stagg.aggregate import distribution

        return getattr(distribution, name)
    if name in ("Explanation", "explain"):
        from stagg.aggregate import explanation

        return getattr(explanation, name)
    raise AttributeError(f"module 'stagg.aggregate' has no attribute {name!r}")
