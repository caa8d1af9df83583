"""The driver: a method and rankings in, the consensus out, with how sure it is and why."""

from stagg.aggregate.distribution import RankDistribution, rank_distribution
from stagg.aggregate.explanation import Explanation, explain
from stagg.aggregate.fusion import DEFAULT_METHOD, fuse
from stagg.methods import method_of

__all__ = [
    "DEFAULT_METHOD",
    "Explanation",
    "RankDistribution",
    "explain",
    "fuse",
    "method_of",
    "rank_distribution",
]
