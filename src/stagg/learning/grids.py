"""Grids of settings by name: what a learner's parameters are chosen from on validation data."""

from __future__ import annotations

import itertools
from typing import Any, Final

from stagg.errors import InvalidParameter, UnknownName, shown
from stagg.learning.base import Learner
from stagg.registry import Registry, near_names, split_call

__all__ = ["GRIDS", "family"]

LARGEST_GRID = 10_000
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


def family(learners: Registry[Learner], text: str, grid: str | None = None) -> list[Learner]:
    """The members of a family of learners: every combination of the listed values, those of a named grid included.

    What the text itself says of a parameter goes before the grid.
    """
    if grid is not None and grid not in GRIDS:
        raise UnknownName(f"unknown grid {shown(grid)}{near_names(str(grid), GRIDS)}")
    name, given = split_call("learner", text)
    values = (GRIDS[grid].get(name, {}) if grid is not None else {}) | given
    lists = [list(value) if isinstance(value, list | tuple) else [value] for value in values.values()]
    members = list(itertools.islice(itertools.product(*lists), LARGEST_GRID + 1))
    if not 0 < len(members) <= LARGEST_GRID:
        raise InvalidParameter(f"{shown(text)} has no members, or more than {LARGEST_GRID:,}")
    texts = [", ".join(f"{key}={value!r}" for key, value in zip(values, member, strict=True)) for member in members]
    return [learners.parse(f"{name}({arguments})" if arguments else name) for arguments in texts]
