"""The plan of a fusion and the verbs that carry it out: fuse, explain, rank_distribution."""

import importlib
from typing import TYPE_CHECKING, Any

from stagg.aggregate.fusion import fuse
from stagg.aggregate.plan import DEFAULT_METHOD, Plan, PlanOptions, PlanResult, prepare

if TYPE_CHECKING:
    from stagg.aggregate.distribution import RankDistribution, rank_distribution
    from stagg.aggregate.explanation import Explanation, explain

__all__ = [
    "DEFAULT_METHOD", "Explanation", "Plan", "PlanOptions", "PlanResult", "RankDistribution", "explain", "fuse",
    "prepare", "rank_distribution",
]  # fmt: skip


_LATER = {
    "RankDistribution": "distribution", "rank_distribution": "distribution",
    "Explanation": "explanation", "explain": "explanation",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """What only some ask for is imported when they do."""
    if name not in _LATER:
        raise AttributeError(f"module 'stagg.aggregate' has no attribute {name!r}")
    return getattr(importlib.import_module(f"stagg.aggregate.{_LATER[name]}"), name)
