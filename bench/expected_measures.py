"""E[NDCG] and its gradient against the recursion of the paper in vectorised NumPy with reverse-mode differentiation.

Both get the same queries and compute only the items that are worth something. Ratios of CPU time in one run.

    python bench/expected_measures.py
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.special import ndtr

from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.compiled import built
from stagg.kernels.stochastic import utilities
from stagg.kernels.stochastic.expected_measures import Stakes, expected, expected_in_numpy

CELLS = 4_000_000  # numbers that the recursion stores at once
SIGMA = 0.3


def queries(count: int, n: int, seed: int = 0) -> tuple[FloatArray, IntArray, Stakes]:
    """Scores, offsets and stakes of queries of n items, a fifth of them relevant, as in MQ2007-agg."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(count * n) < 0.2, rng.integers(1, 3, count * n), 0).astype(float)
    offsets = np.arange(count + 1) * n
    gain = (np.exp2(y) - 1) / 5
    return rng.normal(size=count * n), offsets, Stakes(gain, np.zeros(count * n), utilities.dcg())


def recursion(scores: FloatArray, offsets: IntArray, stakes: Stakes, sigma: float) -> tuple[FloatArray, FloatArray]:
    """Eq. 10 for all relevant items of some queries at once, forwards and backwards: O(n³) a query."""
    n = int(offsets[1])
    f = scores.reshape(-1, n)
    values, gradient = np.zeros(len(f)), np.zeros_like(f)
    of_query, items = np.nonzero(stakes.worth.reshape(-1, n))
    discount = 1 / np.log2(np.arange(n) + 2)
    rows = max(1, CELLS // n**2)
    for low in range(0, len(items), rows):
        q, j = of_query[low : low + rows], items[low : low + rows]
        each = np.arange(len(j))
        z = (f[q] - f[q, j][:, None]) / (np.sqrt(2) * sigma)
        p, density = ndtr(z), np.exp(-0.5 * z * z) / (np.sqrt(4 * np.pi) * sigma)
        p[each, j] = density[each, j] = 0.0
        states = np.zeros((n + 1, len(j), n))
        states[0, :, 0] = 1.0
        for i in range(n):
            lost = p[:, i, None]
            np.multiply(states[i], 1 - lost, out=states[i + 1])
            states[i + 1, :, 1:] += states[i, :, :-1] * lost
        worth = stakes.worth.reshape(-1, n)[q, j]
        np.add.at(values, q, worth * (states[n] @ discount))
        adjoint = worth[:, None] * discount
        for i in range(n - 1, -1, -1):
            before, lost = states[i], p[:, i, None]
            slope = np.einsum("jr,jr->j", adjoint[:, 1:], before[:, :-1]) - np.einsum("jr,jr->j", adjoint, before)
            push = slope * density[:, i]
            np.add.at(gradient, (q, i), push)
            np.add.at(gradient, (q, j), -push)
            behind = np.zeros_like(adjoint)
            behind[:, :-1] = adjoint[:, 1:]
            adjoint = adjoint * (1 - lost) + behind * lost
    return values, gradient.ravel()


def seconds(call: Callable[[], object], repeats: int) -> float:
    """The median CPU time of a call; the first one warms up."""
    call()
    found = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        found.append(time.process_time() - start)
    return float(np.median(found))


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    print(f"twins: {', '.join(built()) or 'none, pure NumPy'}; σ = {SIGMA}; one in five items relevant")
    print(f"{'queries x items':>16} {'recursion':>10} {'NumPy':>10} {'compiled':>10} {'ratio':>7} {'in NumPy':>9}")
    for count, n, repeats in ((1000, 40, 3), (100, 300, 1)):
        given = (*queries(count, n), SIGMA)
        slow, numpy, fast = (seconds(partial(k, *given), repeats) for k in (recursion, expected_in_numpy, expected))
        gradient, oracle = expected(*given)[1], recursion(*given)[1]
        assert np.abs(gradient - oracle).max() < 1e-9 * np.abs(oracle).max()
        times = f"{slow:>9.3f}s {numpy:>9.3f}s {fast:>9.3f}s"
        print(f"{count:>10} x {n:<3} {times} {slow / fast:>6.1f}x {slow / numpy:>8.1f}x")
    given = (*queries(1, 1000), SIGMA)
    print(f"one query of 1,000 items: {1000 * seconds(partial(expected, *given), 5):.1f} ms")
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB, the recursion's included")


if __name__ == "__main__":
    main()
