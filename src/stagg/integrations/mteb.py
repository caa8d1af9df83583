"""MTEB: any method as the fusion of its HybridSearch."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import Any

from stagg.aggregate import DEFAULT_METHOD, Plan, prepare
from stagg.data.rankings import Rankings
from stagg.errors import need
from stagg.methods import Method, Missing

__all__ = ["StaggFusion", "hybrid_search"]


@dataclasses.dataclass(frozen=True)
class StaggFusion:
    """A function for ``HybridSearch(models, fusion_strategy=StaggFusion("rrf(c=60)"))``.

    It is called for every query with the scores that each model gave its documents, and with the weights of the models,
    which sum to 1 unless you give them. ``__name__`` becomes part of the name under which MTEB keeps the results.

    >>> fusion = StaggFusion("rrf(c=60)")
    >>> fusion([{"d1": 9.0, "d2": 7.5}, {"d2": 0.9, "d3": 0.8}], [0.5, 0.5])
    {'d2': 0.01626123744050767, 'd1': 0.00819672131147541, 'd3': 0.008064516129032258}
    >>> fusion.__name__
    'stagg-rrf-c-60'
    """

    method: str | Method = DEFAULT_METHOD
    missing: Missing | None = None

    def __post_init__(self) -> None:
        """Refuse a wrong method before any model has run."""
        self._plan(None)

    @property
    def __name__(self) -> str:
        text = self.method if isinstance(self.method, str) else repr(self.method)
        return "-".join(["stagg", *re.findall(r"[\w.]+", text)])

    def __call__(self, scores: Sequence[Mapping[str, float]], weights: Sequence[float]) -> dict[str, float]:
        """The fused scores of one query, best first; MTEB puts equal ones in descending order of their ids, as here."""
        if not any(scores):
            return {}
        lists = {str(number): each for number, each in enumerate(scores, start=1)}
        fused = self._plan(list(weights)).fuse(Rankings.from_scores(lists)).result
        return fused.to_dict()["1"]

    def _plan(self, weights: list[float] | None) -> Plan:
        return prepare(self.method, missing=self.missing, weights=weights)


def hybrid_search(models: Sequence[Any], method: str | Method = DEFAULT_METHOD, **options: Any) -> Any:
    """MTEB's HybridSearch with one of our methods; ``options`` are its own: weights, sub_model_top_k."""
    wrappers = need("mteb.models", "MTEB's hybrid search", package="mteb", extra="mteb")
    return wrappers.HybridSearch(models, fusion_strategy=StaggFusion(method), **options)
