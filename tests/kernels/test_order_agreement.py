"""Agreement of lists against pairs counted one by one, and SciPy's Kendall tau."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from stagg.kernels.agreement import order_agreement as agreement
from stagg.kernels.agreement.order_agreement import pair_agreement


def counted(a: np.ndarray, b: np.ndarray) -> tuple[int, int]:
    balance = pairs = 0
    for i, j in itertools.combinations(range(len(a)), 2):
        if min(a[i], a[j], b[i], b[j]) >= 0 and a[i] != a[j] and b[i] != b[j]:
            pairs += 1
            balance += 1 if (a[i] < a[j]) == (b[i] < b[j]) else -1
    return balance, pairs


@pytest.mark.parametrize("cells", [4_000_000, 5])
def test_pairs_are_counted_in_blocks_as_one_by_one(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreement, "CELLS", cells)
    rng = np.random.default_rng(4)
    for _ in range(30):
        positions = rng.integers(-1, 6, (3, 8)).astype(float)
        balance, pairs = pair_agreement(positions)
        for a, b in itertools.combinations(range(3), 2):
            assert (balance[a, b], pairs[a, b]) == counted(positions[a], positions[b])


def test_full_lists_give_kendalls_tau() -> None:
    from scipy.stats import kendalltau

    rng = np.random.default_rng(5)
    one, other = rng.permutation(20).astype(float), rng.permutation(20).astype(float)
    balance, pairs = pair_agreement(np.stack([one, other]))
    assert balance[0, 1] / pairs[0, 1] == pytest.approx(kendalltau(one, other).statistic)


def test_a_query_without_lists_has_no_pairs() -> None:
    balance, pairs = pair_agreement(np.empty((0, 3)))
    assert balance.shape == pairs.shape == (0, 0)
