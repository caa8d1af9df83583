"""Markov chains over items: the transitions MC1 to MC4 of Dwork et al., and the share of time spent at each item.

In all of them T[p, q] is the probability of moving from item p to item q, and positions[k, i] the (mean) position of
item i in list k, or ABSENT. ``missing="below"``: the unlisted items of a list are one tied block after it, so that
every list holds every item; ``"skip"`` and ``"neutral"``: a list holds what it lists. What no list holds stays put.
Weights act as copies of the lists; all sums over lists are exact, so their order does not matter.
"""

from __future__ import annotations

import numpy as np

from stagg.kernels.arrays import ABSENT, FloatArray, IntArray
from stagg.kernels.lists.votes import whole_votes
from stagg.kernels.pairs.graphs import reachable
from stagg.kernels.pairs.majority import margins
from stagg.kernels.pairs.pairwise import pair_wins
from stagg.kernels.pairs.shared_choices import shared_choices
from stagg.kernels.sums import round_weights, whole_fractions

__all__ = [
    "eliminate",
    "follow_majorities",
    "long_run",
    "mc1",
    "mc2",
    "mc3",
    "mc4",
    "power_iteration",
    "stationary",
]

BLOCK = 64  # rows solved at once: so few that the library beneath starts no threads, which cost more than the work


def mc1(positions: FloatArray, weights: FloatArray, missing: str) -> FloatArray:
    """From p to q uniform over the multiset union, over the lists that hold p, of {q: τ(q) <= τ(p)}, p included.

    >>> mc1(np.array([[0.0, 1.0]]), np.ones(1), "skip")
    array([[1. , 0. ],
           [0.5, 0.5]])
    """
    whole = round_weights(whole_votes(weights).counts.astype(np.float64))
    held = _held(positions, missing)
    together = (held * whole[:, None]).T @ held
    return _from_counts(together - pair_wins(positions, whole, missing))


def mc2(positions: FloatArray, weights: FloatArray, missing: str) -> FloatArray:
    """Pick a list that holds p, each alike, then q uniform in its {q: τ(q) <= τ(p)}, p included.

    >>> mc2(np.array([[0.0, 1.0], [1.0, 0.0]]), np.ones(2), "skip")
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    places = np.where(positions == ABSENT, np.inf if missing == "below" else np.nan, positions)
    return _from_counts(shared_choices(places, weights))


def mc3(positions: FloatArray, weights: FloatArray, missing: str) -> FloatArray:
    """Pick a list that holds p, each alike, and q uniform among all its items; move if τ(q) < τ(p), else stay.

    >>> mc3(np.array([[0.0, 1.0], [1.0, 0.0]]), np.ones(2), "skip")
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    held = _held(positions, missing)
    fraction = whole_fractions(weights, weights / np.maximum(held.sum(axis=1), 1))
    moves = pair_wins(positions, fraction, missing).T
    lists = whole_fractions(weights, weights) @ held  # the lists that hold p, in the same unit
    return _or_stay(moves / np.where(lists > 0, lists, 1.0)[:, None])


def mc4(positions: FloatArray, weights: FloatArray, missing: str) -> FloatArray:
    """Pick q uniform among all items; move if more lists put q above p than p above q, else stay.

    >>> mc4(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([2.0, 1.0]), "skip")
    array([[1. , 0. ],
           [0.5, 0.5]])
    """
    return follow_majorities(margins(positions, weights, missing))


def follow_majorities(margin: IntArray) -> FloatArray:
    """MC4 of given margins: pick q uniform among all items; move if margin[q, p] > 0, else stay."""
    return _or_stay((margin.T > 0) / max(1, len(margin)))


def stationary(transitions: FloatArray, teleport: float) -> FloatArray:
    """π[..., i] = the share of time in item i when a step is, with probability ``teleport``, to any item alike.

    Solves π = (1 - ε) π T + ε/n for a stack of chains of equal size, ε > 0: O(n³) each, error below 1e-14.

    >>> stationary(np.array([[1.0, 0.0], [0.5, 0.5]]), 0.5)
    array([0.66666667, 0.33333333])
    """
    n = transitions.shape[-1]
    system = np.eye(n) - (1 - teleport) * np.swapaxes(transitions, -1, -2)
    start = np.full((*transitions.shape[:-1], 1), teleport / n)
    return _normalise(eliminate(system, start)[..., 0])


def long_run(transitions: FloatArray) -> FloatArray:
    """π[i] = the share of time in item i of a walk without teleport that starts anywhere alike.

    An irreducible chain has one stationary vector, and this is it. Otherwise each closed class of items has one, and
    counts as much as walks end in it: the limit of ``stationary`` for teleport -> 0, never undefined.

    >>> long_run(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.5]]))
    array([0.33333333, 0.66666667, 0.        ])
    """
    n = len(transitions)
    paths = reachable(transitions > 0)
    closed = ~(paths & ~paths.T).any(axis=1)  # whoever can be reached can come back
    shares, loose = np.zeros(n), np.flatnonzero(~closed)
    system = np.eye(len(loose)) - transitions[np.ix_(loose, loose)]
    visits = np.linalg.solve(system.T, np.full(len(loose), 1 / n))
    for head in np.flatnonzero(closed & (np.argmax(paths & paths.T, axis=1) == np.arange(n))):
        members = np.flatnonzero(paths[head])
        arrivals = len(members) / n + (visits @ transitions[np.ix_(loose, members)]).sum()
        shares[members] = arrivals * _irreducible(transitions[np.ix_(members, members)])
    return _normalise(shares)


def power_iteration(
    transitions: FloatArray, teleport: float, *, tolerance: float, steps: int
) -> tuple[FloatArray, float]:
    """The same by repeated steps from the uniform start: (π, last change), settled if the change is within tolerance.

    >>> power_iteration(np.array([[1.0, 0.0], [0.5, 0.5]]), 0.5, tolerance=1e-12, steps=100)[0]
    array([0.66666667, 0.33333333])
    """
    n = len(transitions)
    shares, change = np.full(n, 1 / n), np.inf
    for _ in range(steps):
        after = (1 - teleport) * (shares @ transitions) + teleport / n
        change = float(np.abs(after - shares).sum())
        shares = after
        if change < tolerance:
            break
    return _normalise(shares), change


def eliminate(system: FloatArray, right: FloatArray) -> FloatArray:
    """x with system @ x = right, block after block; without exchanges of rows, which a dominant diagonal needs not."""
    if system.shape[-1] <= BLOCK:
        return np.asarray(np.linalg.solve(system, right), dtype=np.float64)
    top, rest = (..., slice(None, BLOCK), slice(None)), (..., slice(BLOCK, None), slice(None))
    known = np.concatenate([system[top][..., BLOCK:], right[top]], axis=-1)
    solved = np.linalg.solve(system[top][..., :BLOCK], known)
    left = np.concatenate([system[rest][..., BLOCK:], right[rest]], axis=-1) - system[rest][..., :BLOCK] @ solved
    below = eliminate(left[..., :-1], left[..., -1:])
    return np.concatenate([solved[..., -1:] - solved[..., :-1] @ below, below], axis=-2)


def _held(positions: FloatArray, missing: str) -> FloatArray:
    """H[k, i] = 1 where list k holds item i, else 0."""
    return np.ones_like(positions) if missing == "below" else (positions != ABSENT).astype(float)


def _from_counts(counts: FloatArray) -> FloatArray:
    """Rows divided by their sums, in place; an empty row stays where it is."""
    totals = counts.sum(axis=1)
    empty = np.flatnonzero(totals == 0)
    totals[empty] = counts[empty, empty] = 1.0
    counts /= totals[:, None]
    return counts


def _or_stay(moves: FloatArray) -> FloatArray:
    """Moves to other items, completed by staying."""
    np.fill_diagonal(moves, 0.0)
    np.fill_diagonal(moves, 1.0 - moves.sum(axis=1))
    return moves


def _irreducible(transitions: FloatArray) -> FloatArray:
    """The stationary vector of an irreducible chain: π (I - T) = 0 with the last equation replaced by Σπ = 1."""
    system = np.eye(len(transitions)) - transitions.T
    system[-1] = 1.0
    return np.linalg.solve(system, np.eye(len(transitions))[-1])


def _normalise(shares: FloatArray) -> FloatArray:
    """Probabilities: rounding below zero removed, sum one."""
    shares = np.maximum(shares, 0.0)
    total: FloatArray = shares / shares.sum(axis=-1, keepdims=True)
    return total
