"""Settings in words: the options that made a result, as tables, reports and messages name them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stagg.errors import bare

__all__ = ["keep_given", "tell_settings"]

LISTED = 10  # values of a list, where people read


def keep_given(**settings: Any) -> dict[str, Any]:
    """The settings that say something, neither None nor False, as JSON can hold them.

    >>> keep_given(depth=100, missing=None, only_common=False, weights={7: 2})
    {'depth': 100, 'weights': {'7': 2}}
    """
    return {name: _plain(value) for name, value in settings.items() if value is not None and value is not False}


def _plain(value: Any) -> Any:
    """Ids as their texts, NumPy's numbers as Python's, whatever holds them."""
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, str | int | float):
        return value.item() if isinstance(value, np.generic) else value
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    return [_plain(each) for each in value]


def tell_settings(settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(name, value) of every setting, as people read them.

    >>> tell_settings({"weights": {"bm25": 2.0, "dense": 1.0}, "depth": 100, "only_common": True})
    [('weights', 'bm25=2, dense=1'), ('depth', '100'), ('only common', 'yes')]
    >>> tell_settings({"absent_items": {"skip": ["rrf", "borda"], "below": ["stagg_rrf"]}})
    [('absent items', 'skip in rrf, borda; below in stagg_rrf')]
    """
    return [(name.replace("_", " "), _tell(value)) for name, value in settings.items()]


def _tell(value: Any) -> str:
    if isinstance(value, Mapping) and any(isinstance(each, list) for each in value.values()):
        return "; ".join(f"{name} in {_tell(each)}" for name, each in value.items())
    if isinstance(value, Mapping):
        return _join([f"{bare(str(name))}={_tell(each)}" for name, each in value.items()])
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _join([_tell(each) for each in value])
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _join(texts: Sequence[str]) -> str:
    more = len(texts) - LISTED
    return ", ".join(texts if more <= 1 else [*texts[:LISTED], f"… ({more:,} more)"])
