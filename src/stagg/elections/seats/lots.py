"""Lots: whether another lot would have elected somebody else, where a lot decided a tie."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import Final, NamedTuple

from stagg.elections.runoff import join_names
from stagg.elections.seats.counting import Counter
from stagg.kernels.arrays import IntArray
from stagg.kernels.lists.transfers import SeatCount
from stagg.kernels.streams import open_stream

__all__ = ["OtherLots", "describe_other_lots", "try_other_lots"]

MOST: Final = 120  # orders that are all counted: those of five candidates
REDRAWS: Final = 200
FEW: Final = 20  # the same of a large election, in which a count takes long
LARGE: Final = 50_000  # candidates times different ballots


class OtherLots(NamedTuple):
    """What other lots would have elected. ``seated``: who gets a seat by some of them, ``unseated``: who loses one.

    ``sets``: how many different sets of candidates they elect besides the one that is elected. ``redraws``: how many
    lots were drawn to find out; None where all of them were tried.
    """

    seated: tuple[str, ...]
    unseated: tuple[str, ...]
    sets: int
    redraws: int | None


def try_other_lots(
    counter: Counter, count: SeatCount, lot: IntArray, names: Sequence[str], query: str, seed: int
) -> OtherLots | None:
    """Count again with all other lots, or with some where they are too many; None if no lot was needed."""
    if not _drawn(count):
        return None
    every = _count_all(counter, count, lot)
    redraws = REDRAWS if len(names) * len(counter.papers.counts) < LARGE else FEW
    counts = every or [counter.count(each) for each in _redraw(redraws, len(names), query, seed)]
    elected = {*count.elected}
    others = {frozenset(each.elected) for each in counts} - {frozenset(elected)}
    return OtherLots(
        seated=_name(set().union(*others) - elected, names),
        unseated=_name({c for c in elected if any(c not in other for other in others)}, names),
        sets=len(others),
        redraws=None if every else redraws,
    )


def _drawn(count: SeatCount) -> set[int]:
    """The candidates between whom the lot decided."""
    return {c for stage in count.stages if stage.tie and stage.tie.stage is None for c in stage.tie.tied}


def _count_all(counter: Counter, count: SeatCount, lot: IntArray) -> list[SeatCount]:
    """The counts by all lots that can differ; none where they are too many.

    Only the order of those who are drawn matters. Another lot may lead to ties of others, who are then drawn, too.
    """
    drawn, tried = set[int](), _drawn(count)
    counts: list[SeatCount] = []
    while drawn < tried:
        drawn = tried
        if math.factorial(len(drawn)) > MOST:
            return []
        counts = [counter.count(each) for each in _orders(drawn, lot)]
        tried = drawn.union(*map(_drawn, counts))
    return counts


def _orders(drawn: Iterable[int], lot: IntArray) -> Iterator[IntArray]:
    """The lot with these candidates in every order at the places that they have."""
    rows = sorted(drawn)
    for places in permutations(lot[rows].tolist()):
        turned = lot.copy()
        turned[rows] = places
        yield turned


def _redraw(times: int, n: int, query: str, seed: int) -> Iterator[IntArray]:
    rng = open_stream(seed, query, "other lots")
    return (rng.permutation(n) for _ in range(times))


def _name(numbers: Iterable[int], names: Sequence[str]) -> tuple[str, ...]:
    return tuple(names[c] for c in sorted(numbers))


def describe_other_lots(found: OtherLots, seats: int) -> str:
    """Whether the lot mattered, in a sentence.

    >>> print(describe_other_lots(OtherLots((), (), 0, None), 3))
    The lot did not matter: every other lot elects the same 3.
    >>> print(describe_other_lots(OtherLots(("Cleo",), ("Ben",), 1, None), 3))
    Another lot would elect 'Cleo' in the place of 'Ben' (all lots were tried).
    >>> print(describe_other_lots(OtherLots(("Cleo", "Dan"), ("Ben",), 2, 200), 3))
    Other lots would elect 'Cleo' or 'Dan' in the place of 'Ben' (the lot was drawn again 200 times).
    """
    if not found.sets:
        same = "the same candidate" if seats == 1 else f"the same {seats:,}"
        if found.redraws is None:
            return f"The lot did not matter: every other lot elects {same}."
        return f"The lot probably did not matter: drawn again {found.redraws} times, it elected {same}."
    tried = "all lots were tried" if found.redraws is None else f"the lot was drawn again {found.redraws} times"
    who, word = ("Another lot", "and") if found.sets == 1 else ("Other lots", "or")
    seated, unseated = (join_names(names, word, most=len(names)) for names in (found.seated, found.unseated))
    return f"{who} would elect {seated} in the place of {unseated} ({tried})."
