"""Note on list lengths: a measure of the whole list favours the longer of two lists that are compared."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from stagg.data.rankings import Rankings
from stagg.measures import Asked

__all__ = ["tell_lengths"]


def tell_lengths(rankings: Rankings, asked: Sequence[Asked], *, fuses: bool) -> list[str]:
    """A note if measures without a cutoff compare the inputs with each other, or with fused lists, that are longer.

    >>> from stagg.measures import ask_measures
    >>> rankings = Rankings.from_lists({"x": ["a", "b"], "y": ["c", "d"]})
    >>> for note in tell_lengths(rankings, ask_measures("AP, ndcg@2"), fuses=True):
    ...     print(note)
    AP counts all items of a list, and the lists differ: an input has at most 2, a fused list up to 4; AP@2 is fair
    """
    whole = [each for each in asked if each.measure.cutoff is None and each.measure.cutoffs != "none"]
    lengths = _longest_by_ranker(rankings)
    shortest, longest = (int(lengths.min()), int(lengths.max())) if len(lengths) else (0, 0)
    fused = int(np.diff(rankings.item_offsets).max(initial=0)) if fuses else 0
    if not whole or not shortest or max(longest, fused) == shortest:
        return []
    names = ", ".join(each.name for each in whole)
    verb = "counts" if len(whole) == 1 else "count"
    inputs = f"an input has at most {shortest:,}"
    if longest > shortest:
        inputs = f"the longest list of an input has {shortest:,} to {longest:,}"
    told = f"{inputs}, a fused list up to {fused:,}" if fused > longest else inputs
    return [f"{names} {verb} all items of a list, and the lists differ: {told}; {_cut(whole[0], shortest)} is fair"]


def _longest_by_ranker(rankings: Rankings) -> np.ndarray:
    """The length of the longest list of every ranker that has one."""
    found = np.zeros(len(rankings.rankers), dtype=np.intp)
    np.maximum.at(found, rankings.list_rankers, rankings.list_lengths)
    return found[found > 0]


def _cut(asked: Asked, cutoff: int) -> str:
    """The measure with a cutoff, in the words that it was asked for."""
    own = asked.name == repr(asked.measure) or (asked.note or "").startswith(f"{asked.name}, as in ")
    return f"{asked.name}@{cutoff}" if own else repr(dataclasses.replace(asked.measure, cutoff=cutoff))
