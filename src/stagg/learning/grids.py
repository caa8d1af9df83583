"""Grids of settings by name: the values from which validation data choose a learner's parameters."""

from __future__ import annotations

from typing import Any, Final

from stagg.errors import UnknownName, shown
from stagg.learning.base import Learner
from stagg.registry import Registry, near_names, read_call

__all__ = ["GRIDS", "family"]

TENTHS: Final = [0.1, 0.01, 0.001, 0.0001, 1e-05, 1e-06]
PAPER_STAGG: Final = {"optimiser": "gradient", "iterations": 500, "rate": TENTHS, "sigma": TENTHS[:4]}
PAPER_RANKAGG: Final = {"iterations": 500, "rate": TENTHS}
SMALL_STAGG: Final = {"ridge": [0.0001, 0.001, 0.01]}
DISTANCES: Final = {"distance": ["spearman", "footrule", "kendall"]}

GRIDS: Final[dict[str, dict[str, dict[str, Any]]]] = {
    "paper": {
        **{f"stagg_{measure}": PAPER_STAGG for measure in ("ndcg", "err", "rbp")},
        **{f"rankagg_{measure}": PAPER_RANKAGG for measure in ("ndcg", "err", "rbp")},
        "cps": DISTANCES,
    },
    "small": {
        **{f"stagg_{measure}": SMALL_STAGG for measure in ("ndcg", "err", "rbp")},
        "cps": DISTANCES,
    },
}
"""``paper``: section 5.3 of the paper, rates from 1e-1 to 1e-6, σ from 1e-1 to 1e-4, 500 iterations. ``small``: a few
settings around the defaults."""


def family(
    learners: Registry[Learner], text: str, grid: str | None = None, measure: str | None = None
) -> list[Learner]:
    """The members of a family of learners: every combination of the listed values, those of a named grid included.

    ``measure`` is what they go by, where they go by one. What the text itself says of a parameter goes before both.
    """
    if grid is not None and not (isinstance(grid, str) and grid in GRIDS):
        raise UnknownName(f"unknown grid {shown(grid)}{near_names(grid, GRIDS)}")
    name = read_call("learner", text).name
    more = {} if grid is None else GRIDS[grid].get(name, {})
    if measure is not None and any(each.name == "measure" for each in learners.parameters(name)):
        more = {**more, "measure": measure}
    return learners.family(text, more)
