"""Interval columns (low, high, top, group) and p-values: the columns beside the scores of a consensus."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from stagg.kernels.arrays import AnyArray

if TYPE_CHECKING:
    from stagg.data.rankings import Rankings

__all__ = ["BESIDE", "EXTRAS", "INTERVALS", "columns_beside", "put_beside"]

INTERVALS: Final = ("low", "high", "top", "group")
"""The columns of :class:`stagg.data.intervals.Intervals`."""

EXTRAS: Final = {
    "p": "the p-value of the item, corrected for the number of lists",
    "q": "p corrected for the number of items of the query, too (Benjamini-Hochberg)",
}
"""Columns that methods add (:attr:`stagg.methods.Method.extras`), and their meanings."""

BESIDE: Final = (*INTERVALS, *EXTRAS)
"""Every column that a result may have besides rank and score, in their order; nothing that a ranking is read from."""


def columns_beside(rankings: Rankings) -> dict[str, AnyArray]:
    """One number per entry, by the name of its column; empty where nothing stands beside the scores."""
    sure, extras = rankings.intervals, rankings.extras
    columns = {} if sure is None else {name: getattr(sure, name) for name in INTERVALS}
    return columns if extras is None else columns | extras


def put_beside(rankings: Rankings, columns: Mapping[str, AnyArray]) -> dict[str, Any]:
    """The fields of ``rankings`` that :func:`columns_beside` reads, with other numbers: for other entries."""
    sure, extras = rankings.intervals, rankings.extras
    low_to_group: dict[str, Any] = {name: columns[name] for name in INTERVALS if sure is not None}
    return {
        "intervals": None if sure is None else dataclasses.replace(sure, **low_to_group),
        "extras": None if extras is None else {name: columns[name] for name in extras},
    }
