"""The driver: a method and rankings in, the consensus out, with how sure it is and why."""

from typing import TYPE_CHECKING, Any

from stagg.aggregate.fusion import DEFAULT_METHOD, fuse
from stagg.methods import method_of

if TYPE_CHECKING:
    from stagg.aggregate.distribution import RankDistribution, rank_distribution
    from stagg.aggregate.explanation import Explanation, explain

__all__ = [
    "DEFAULT_METHOD",
    "Explanation",
    "RankDistribution",
    "explain",
    "fuse",
    "method_of",
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
