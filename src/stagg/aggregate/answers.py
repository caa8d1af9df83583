"""Answers to requests: plain lists and scored hits are numbered and fused by one kernel, and are rankings when asked.

A search service fuses a few short lists for every request and takes the hits. The arrays of :class:`Rankings` would
cost more than the fusion, so the result holds what the kernel made, and the hits are made of that. Everything unusual
takes the general way, which gives the same, to the bit.
"""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from stagg.aggregate.plan import Plan
from stagg.data.inputs.construct import Outer, from_numbers, has_words
from stagg.data.inputs.lists import DUPLICATES, Duplicates
from stagg.data.parts import take_first
from stagg.data.rankings import Rankings, Values, check_weights
from stagg.kernels.arrays import FloatArray
from stagg.kernels.text import requests
from stagg.kernels.ties import LEAST, TIE_TOLERANCE, share_ties
from stagg.methods.base import Positional
from stagg.methods.consensus import one_ranker
from stagg.methods.positional.counted import Counted

if TYPE_CHECKING:
    from stagg.data.results.hits import Hit

__all__ = ["Request", "answer", "read_request"]


class Request:
    """One query, a list for each ranker: their names, and the items of the lists as numbers."""

    __slots__ = ("names", "numbered")

    def __init__(self, names: tuple[str, ...], numbered: Any) -> None:
        self.names, self.numbered = names, numbered

    def make_rankings(self) -> Rankings:
        """The lists as rankings."""
        return from_numbers(self.names, *self.numbered.arrays())

    @property
    def has_strangers(self) -> bool:
        """Whether a ranker shares no item with any other."""
        return not self.numbered.all_share


def read_request(given: Any, outer: Outer | None, duplicates: Duplicates, values: Values | None) -> Request | None:
    """Lists of plain ids or of scored hits, by ranker; None if the twin was not built or anything is unusual."""
    if type(given) not in (list, dict) or not given or not requests.has_twin():
        return None
    if not ((outer is None or _is_one_of(outer, ("ranker",))) and (values is None or _is_one_of(values, ("score",)))):
        return None
    if not _is_one_of(duplicates, DUPLICATES):
        return None
    legs = given
    if type(given) is dict:
        legs = [list(leg) if type(leg) is tuple else leg for leg in given.values()]
        if "" in given or has_words(given) or not set(map(type, given)) <= {str}:
            return None
    numbered = requests.number_lists(legs)
    if numbered is None or (numbered.is_scored and any(type(leg) is dict and has_words(leg) for leg in legs)):
        return None
    return Request(tuple(given) if type(given) is dict else _count_names(len(given)), numbered)


def _is_one_of(option: Any, usual: tuple[str, ...]) -> bool:
    """Whether an option is one of these texts; what is no text may not be comparable."""
    return type(option) is str and option in usual


@functools.lru_cache(maxsize=100)
def _count_names(count: int) -> tuple[str, ...]:
    return tuple(map(str, range(1, count + 1)))


def answer(request: Request, plan: Plan) -> Rankings | None:
    """The result of a plan whose method gives a gain to each place of a list; None where more is asked for.

    >>> from stagg.aggregate.plan import prepare
    >>> request = read_request([["a", "b"], ["b", "c"]], None, "error", None)
    >>> request is None or [hit.item for hit in answer(request, prepare("rrf")).hits()] == ["b", "a", "c"]
    True
    """
    if plan.depth is not None or plan.intervals is not None or plan.has_thresholds:
        return None
    method, numbered = plan.method, request.numbered
    if "place_gains" not in type(method).__dict__ or not isinstance(method, Positional):
        return None
    exact = isinstance(method, Counted)
    weights = None
    if plan.weights is not None:
        if exact or not method.is_additive() or type(plan.weights) not in (list, tuple, dict):
            return None
        weights = check_weights(plan.weights, request.names)
        if not (weights > 0).all():
            return None
    places = method.place_gains(max(numbered.lengths), len(numbered.items))
    if places is None:
        return None
    gains = np.ascontiguousarray(places, dtype=np.float64)
    if numbered.has_ties:
        gains = share_ties(*numbered.spread(gains))
    ranked = numbered.rank(gains, numbered.has_ties, weights, exact, TIE_TOLERANCE, LEAST)
    return None if ranked is None else Rankings._of_pending(_Answer(request, ranked, method.tag, weights, plan.top))


class _Answer:
    """A request and what the kernel made of it: a result that is pending."""

    __slots__ = ("ranked", "request", "tag", "top", "weights")

    def __init__(self, request: Request, ranked: Any, tag: str, weights: FloatArray | None, top: int | None) -> None:
        self.request, self.ranked, self.tag, self.weights, self.top = request, ranked, tag, weights, top

    def make_rankings(self) -> Rankings:
        """The result, and its inputs, as the general way gives them."""
        given = self.request.make_rankings()
        weighted = given if self.weights is None else given.replace(weights=self.weights)
        whole = one_ranker(weighted, f"stagg-{self.tag}", *self.ranked.arrays())
        return (whole if self.top is None else take_first(whole, self.top))._refer(weighted, ())

    def make_hits(self, slots: Any, source: Any) -> list[Hit]:
        """The hits, without any rankings."""
        most = sys.maxsize if self.top is None else min(self.top, sys.maxsize)
        return slots.make_ranked_rows(self.ranked, most, source)  # type: ignore[no-any-return]
