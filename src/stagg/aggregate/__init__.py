"""The plan of a fusion, and the verbs that carry it out: fuse, explain, rank_distribution.

- ``fusion``: ``fuse``: a method and rankings in, the consensus out, again as rankings
- ``plan``: The plan of a fusion: method or model, weights, absence, depth, top, intervals, seed. Prepared once, run
  anywhere
- ``settings``: Settings in words: the options that made a result, as tables, reports and messages name them
- ``thresholds``: Thresholds: lowest scores of the inputs, fewest lists of an item in the result, scores on a scale up
  to 1
- ``resampling``: Intervals of the consensus rank by a Bayesian bootstrap: resample the rankers and fuse again for every
  draw
- ``streaming``: Fusion in bounded memory: whole queries are read, fused and written some at a time, in the order of
  their ids
- ``explanation``: Explain a rank: what each ranker gave the item, and where it stands without that ranker
- ``leaving_out``: Leaving one out: what each ranker changes in a fusion, and which are relatives. It needs no labels,
  and says no more
- ``distribution``: Rank distributions: P(rank) of every item, the mixture of what each ranker says about its rank
- ``answers``: Answers to requests: plain lists and scored hits are numbered and fused by one kernel, and are rankings
  when asked
"""

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
    """Import the seldom-used names when they are asked for."""
    if name not in _LATER:
        raise AttributeError(f"module 'stagg.aggregate' has no attribute {name!r}")
    return getattr(importlib.import_module(f"stagg.aggregate.{_LATER[name]}"), name)
