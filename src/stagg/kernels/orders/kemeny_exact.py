"""Kemeny's order exactly, in two ways: all subsets, or an integer program with triangle constraints as needed."""

from __future__ import annotations

import time
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.orders.kemeny_moves import by_insertions, cost_of
from stagg.threads import run_apart

__all__ = ["cost_to_go", "integer_program"]

INTEGRAL = 1e-6
PRECISION = 1e-9  # of the sum of all margins: what the solver's arithmetic may get wrong


def cost_to_go(margin: IntArray) -> tuple[IntArray, IntArray]:
    """table[S] = the least cost of ordering the set S (bits); first[S, i] = the cost of putting i before the rest of S.

    table[S] = min over i in S of first[S, i] + table[S without i]: O(2^n n).
    Reference: Held & Karp, "A dynamic programming approach to sequencing problems", SIAM 10, 1962.

    >>> cost_to_go(np.array([[0, 2, -1], [-2, 0, 2], [1, -2, 0]]))[0]
    array([0, 0, 0, 0, 0, 0, 0, 1])
    """
    n = len(margin)
    sets = np.arange(1 << n)
    member = (sets[:, None] >> np.arange(n)) & 1
    first = member @ np.maximum(margin, 0)  # the margins of those in S against i
    table = np.zeros(1 << n, dtype=margin.dtype)
    sizes = member.sum(axis=1)
    never = int(first.max(initial=0)) * (n + 1) + 1
    for size in range(1, n + 1):
        chosen = sets[sizes == size]
        rest = chosen[:, None] ^ (1 << np.arange(n))  # meaningful for the members only
        totals = np.where(member[chosen] == 1, first[chosen] + table[np.minimum(rest, len(table) - 1)], never)
        table[chosen] = totals.min(axis=1)
    return table, first


def integer_program(margin: IntArray, start: IntArray, deadline: float) -> tuple[IntArray, float]:
    """(the cheapest order, a bound that no order goes below), by linear and then integer programming with HiGHS.

    One variable per pair says which of the two comes first; of the constraints that forbid cycles of three, only those
    are added that a solution violates. The linear program is tried first: as a rule its solution is an order. ``start``
    is an order to begin with; the better of it and what was found until the ``deadline`` is returned.

    Reference: Grötschel, Jünger & Reinelt, "A cutting plane algorithm for the linear ordering problem", Operations
    Research 32, 1984; Conitzer, Davenport & Kalagnanam, "Improved bounds for computing Kemeny rankings", AAAI 2006.
    """
    program, best, bound = _Program(margin), start, 0.0
    best_cost = cost_of(best, margin)
    slack = max(0.5, PRECISION * np.abs(margin).sum())
    for integer in (False, True):
        while best_cost - bound > slack:
            found = program.solve(integer, deadline)
            bound = max(bound, min(found.bound, best_cost))
            if found.before is None:
                return best, bound
            # by how many each item comes before: the solution itself where that is an order
            order = by_insertions(margin, np.argsort(-found.before.sum(axis=1), kind="stable"))
            best = min(best, order, key=lambda each: cost_of(each, margin))
            best_cost = cost_of(best, margin)
            if not program.forbid_cycles(found.before):
                break
    return best, float(best_cost) if best_cost - bound <= slack else bound


class _Solution(NamedTuple):
    """before[i, j] = 1 where i comes before j (or a fraction), None where time ran out; and the proven bound."""

    before: FloatArray | None
    bound: float


class _Program:
    """The relaxed program, and the triangle constraints that it has so far."""

    def __init__(self, margin: IntArray) -> None:
        from scipy.sparse import csr_array

        self.n = len(margin)
        self.rows, self.columns = np.triu_indices(self.n, 1)
        self.number = np.zeros((self.n, self.n), dtype=np.intp)
        self.number[self.rows, self.columns] = np.arange(len(self.rows))
        pairs = margin[self.rows, self.columns].astype(float)
        self.scale = np.abs(pairs).max(initial=1.0)
        self.objective = -pairs / self.scale
        self.least = float(np.maximum(pairs, 0).sum())  # the cost when every x is 0
        self.triangles: list[Any] = [csr_array((0, len(pairs)))]
        self.limits: list[FloatArray] = [np.zeros(0)]
        # at first every pair goes by its majority
        self.forbid_cycles(self._matrix((pairs > 0) + 0.5 * (pairs == 0)))

    def solve(self, integer: bool, deadline: float) -> _Solution:
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import vstack

        seconds = deadline - time.monotonic()
        if seconds <= 0:
            return _Solution(None, 0.0)
        constraints = LinearConstraint(vstack(self.triangles).tocsr(), -np.inf, np.concatenate(self.limits))
        call = partial(
            milp,
            self.objective,
            bounds=Bounds(0, 1),
            constraints=constraints,
            integrality=np.full(len(self.objective), int(integer)),
            options={"mip_rel_gap": 0.0} | ({"time_limit": seconds} if np.isfinite(seconds) else {}),
        )
        result = run_apart(call, seconds)
        if result is None:  # HiGHS looks at its clock only now and then
            return _Solution(None, 0.0)
        bound = result.mip_dual_bound if integer else (result.fun if result.status == 0 else None)
        return _Solution(
            None if result.x is None else self._matrix(result.x),
            0.0 if bound is None else self.least + float(bound) * self.scale,
        )

    def forbid_cycles(self, before: FloatArray) -> bool:
        """Add the constraint x_ij + x_jk + x_ki <= 2 wherever it is violated; whether it was anywhere."""
        from scipy.sparse import csr_array

        i, j, k = _find_violated(before)
        if not len(i):
            return False
        signs, columns, limits = [], [], np.full(len(i), 2.0)
        for first, second in ((i, j), (j, k), (k, i)):
            forward = first < second
            columns.append(np.where(forward, self.number[first, second], self.number[second, first]))
            signs.append(np.where(forward, 1.0, -1.0))  # x_ba = 1 - x_ab
            limits -= ~forward
        numbers = np.tile(np.arange(len(i)), 3)
        entries = (np.concatenate(signs), (numbers, np.concatenate(columns)))
        self.triangles.append(csr_array(entries, shape=(len(i), len(self.objective))))
        self.limits.append(limits)
        return True

    def _matrix(self, values: FloatArray) -> FloatArray:
        before = np.zeros((self.n, self.n))
        before[self.rows, self.columns] = values
        before[self.columns, self.rows] = 1.0 - values
        return before


def _find_violated(before: FloatArray) -> tuple[IntArray, IntArray, IntArray]:
    """Cycles i -> j -> k -> i of three, i the smallest, that a solution goes round more than it may."""
    found = []
    for i in range(len(before) - 2):
        rest = slice(i + 1, None)
        around = before[i, rest, None] + before[rest, rest] + before[rest, i]
        j, k = np.nonzero(around > 2 + INTEGRAL)
        found.append(np.stack([np.full(len(j), i), j + i + 1, k + i + 1]))
    cycles = np.concatenate(found, axis=1) if found else np.zeros((3, 0), dtype=np.intp)
    return cycles[0], cycles[1], cycles[2]
