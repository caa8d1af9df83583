"""Without labels: the one sentence on what cannot be known, and on what some judgments would show."""

from __future__ import annotations

from stagg.data.rankings import Rankings
from stagg.errors import bare
from stagg.judging.judge import first_forecast

__all__ = ["tell_without_labels"]


def tell_without_labels(rankings: Rankings) -> str:
    """That nobody can tell which is better, and how small a difference the first judgments would show.

    The number is the forecast of ``stagg judge`` for RRF against the first ranker: :func:`first_forecast`.
    """
    nobody = "Without labels nobody can tell which of these is better"
    found = first_forecast(rankings)
    if found is None or not found.widths:
        return f"{nobody}: `stagg judge` says which documents to judge."
    count, width = min(found.widths.items())
    pair = f"{bare(found.a)} and {bare(found.b)}"
    return f"{nobody}; {count} judgments would show a difference of {width:.2f} between {pair}: `stagg judge`."
