"""Kemeny's linear ordering problem: the order that contradicts the lists as little as possible.

Throughout, ``margin[i, j]`` = -``margin[j, i]`` is a whole number, and an order that puts j before i although it is
positive *turns* it. The cost of an order is the sum of the margins that it turns; the Kemeny score is that plus the sum
over all pairs of the smaller side, which no order can save.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import IntArray
from stagg.kernels.lists.votes import widen
from stagg.kernels.orders.kemeny_exact import cost_to_go, integer_program
from stagg.kernels.orders.kemeny_moves import by_insertions, cost_of
from stagg.kernels.pairs.graphs import strong_components
from stagg.kernels.pairs.insertion import inserted
from stagg.kernels.pairs.majority import copeland

__all__ = ["Optimum", "heuristic_order", "kemeny_order", "lexicographic"]

LARGEST_TABLE = 10  # items up to which all subsets are gone through, 2^n n


class Optimum(NamedTuple):
    """An order, its cost, and a cost that no order goes below; both are equal when the order is proven optimal."""

    order: IntArray
    cost: float
    bound: float


class _Part(NamedTuple):
    """A component: its items, its cost and bound, and which items may come next, given those already placed."""

    items: IntArray
    cost: float
    bound: float
    following: Callable[[int], list[int]]


def lexicographic(margin: IntArray, preferred: IntArray) -> tuple[IntArray, int]:
    """Margins whose cheapest order is, of all that turn the least of ``margin``, the one nearest to ``preferred``.

    ``preferred[i]`` is larger the further in front item i is preferred. Returns (unit · margin + its signs, unit).
    """
    n = len(margin)
    unit = n * (n - 1) + 1  # more than all the signs together can change
    signs = (preferred[:, None] > preferred).astype(np.intp) - (preferred[:, None] < preferred)
    return widen(margin, unit * n**2) * unit + signs, unit


def kemeny_order(margin: IntArray, *, seconds: float = np.inf) -> Optimum:
    """The cheapest order; of several the one with the smallest item first, then the smallest second, and so on.

    The strong components of the majority graph are solved one by one, pairs between them being decided: up to 10 items
    by going through all subsets; above by an integer program, of whose several optima the one is taken that no
    exchange of neighbours brings nearer to the rule. After ``seconds`` the best order found is returned with its bound.

    >>> kemeny_order(np.array([[0, 2, -1], [-2, 0, 2], [1, -2, 0]]))
    Optimum(order=array([0, 1, 2]), cost=1.0, bound=1.0)
    """
    deadline = time.monotonic() + seconds
    parts = [_solve(margin, items, deadline) for items in strong_components(margin > 0)]
    order = _merge(parts, margin)
    return Optimum(order, sum(part.cost for part in parts), sum(part.bound for part in parts))


def heuristic_order(margin: IntArray) -> Optimum:
    """A cheap order, O(n²) per round of moves: several starts, each improved until no item wants another place.

    The bound is what each pair alone would cost: 0.

    >>> heuristic_order(np.array([[0, 2, -1], [-2, 0, 2], [1, -2, 0]])).cost
    1.0
    """
    best = _cheapest((by_insertions(margin, start) for start in _starts(margin)), margin)
    return Optimum(best, float(cost_of(best, margin)), 0.0)


def _starts(margin: IntArray) -> Iterable[IntArray]:
    """Orders to begin with: by margins and by wins, each also locally Kemenized."""
    for keys in (margin.sum(axis=1), copeland(margin)):
        start = np.argsort(-keys, kind="stable")
        yield start
        yield inserted(margin, start)


def _cheapest(orders: Iterable[IntArray], margin: IntArray) -> IntArray:
    return min(orders, key=lambda order: (cost_of(order, margin), order.tolist()))


def _solve(margin: IntArray, items: IntArray, deadline: float) -> _Part:
    inside = margin[np.ix_(items, items)]
    if len(items) <= LARGEST_TABLE:
        table, cost_first = cost_to_go(inside)
        return _Part(
            items, float(table[-1]), float(table[-1]), lambda placed: _cheapest_next(table, cost_first, placed)
        )
    start = heuristic_order(inside).order
    order, bound = integer_program(inside, start, deadline)
    order = _neighbours_in_order(order, inside)
    sequence = order.tolist()
    return _Part(items, float(cost_of(order, inside)), bound, lambda placed: [sequence[placed.bit_count()]])


def _cheapest_next(table: IntArray, first: IntArray, placed: int) -> list[int]:
    """The items that begin a cheapest order of those not yet placed (a set as bits)."""
    left = len(table) - 1 - placed
    members = [i for i in range(first.shape[1]) if left >> i & 1]
    return [i for i in members if table[left ^ 1 << i] + first[left, i] == table[left]]


def _neighbours_in_order(order: IntArray, margin: IntArray) -> IntArray:
    """The same order with neighbours of margin 0 exchanged where the greater stands first."""
    found = order.tolist()
    for end in range(1, len(found)):
        place = end
        while place and found[place] < found[place - 1] and margin[found[place], found[place - 1]] == 0:
            found[place - 1 : place + 1] = found[place], found[place - 1]
            place -= 1
    return np.array(found, dtype=np.intp)


def _merge(parts: list[_Part], margin: IntArray) -> IntArray:
    """The first order, by its items, that turns no margin between parts and follows each part's own rule."""
    owner = np.empty(len(margin), dtype=np.intp)
    for number, part in enumerate(parts):
        owner[part.items] = number
    needs = (margin > 0) & (owner[:, None] != owner)  # needs[i, j]: i must come before j
    waiting = needs.sum(axis=0)
    placed = [0] * len(parts)
    ready = {int(part.items[i]): (number, i) for number, part in enumerate(parts) for i in part.following(0)}
    order: list[int] = []
    while ready:
        item = min(item for item in ready if not waiting[item])
        number, local = ready[item]
        order.append(item)
        waiting -= needs[item]
        placed[number] |= 1 << local
        ready = {item: of for item, of in ready.items() if of[0] != number}
        if placed[number].bit_count() < len(parts[number].items):
            following = parts[number].following(placed[number])
            ready |= {int(parts[number].items[i]): (number, i) for i in following}
    return np.array(order, dtype=np.intp)
