"""What is counted to learn contests, against a slow count in exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from stagg.data.query import Query
from stagg.data.simulation import simulate
from stagg.kernels.arrays import ABSENT
from stagg.kernels.stochastic.place_contests import CLASSES, classify
from stagg.methods.stochastic.learned_shape import ContestTally


def exact_worth(view: Query) -> list[list[Fraction]]:
    """1/(60 + rank) of each item in each list; what a list does not hold shares the mean of the ranks left over."""
    n, rows = len(view.items), view.positions.tolist()
    lengths = [sum(place != ABSENT for place in row) for row in rows]
    return [
        [1 / (60 + (Fraction(place) + 1 if place != ABSENT else length + Fraction(n - length + 1, 2))) for place in row]
        for row, length in zip(rows, lengths, strict=True)
    ]


def slow_counts(view: Query, ranker: int) -> np.ndarray:
    """counts[x, y] = (half wins, contests) of items of class x against those of class y > x, pair by pair."""
    counts = np.zeros((CLASSES + 1, CLASSES + 1, 2), dtype=np.int64)
    positions, worth = view.positions, exact_worth(view)
    others = [row for number, row in enumerate(worth) if number != ranker]
    seen = [i for i in range(len(view.items)) if (np.delete(positions[:, i], ranker) != ABSENT).any()]
    classes = classify(positions[ranker])
    for a in seen:
        for b in seen:
            if classes[a] < classes[b]:
                mine, theirs = (sum(row[item] for row in others) for item in (a, b))
                counts[classes[a], classes[b]] += ((mine >= theirs) + int(mine > theirs), 1)
    return counts


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("keep", [1.0, 0.6])
def test_the_contests_that_others_confirm_are_those_of_exact_fractions(seed: int, keep: float) -> None:
    rankings = simulate(queries=2, items=40, rankers=5, keep=keep, depth=30, seed=seed).rankings
    tally = ContestTally()
    tally.add(rankings)
    for number, name in enumerate(rankings.rankers):
        expected = sum(slow_counts(view, number) for view in rankings)
        np.testing.assert_array_equal(tally.counts[name], expected)
        assert tally.queries[name] == 2
