"""How far lists agree, by whole numbers: correlations, contests by gap, and the twins."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.kernels.agreement.list_pairs import (
    CORRELATION_UNIT,
    GAPS,
    Lists,
    confirmations,
    confirmations_in_numpy,
    correlate_all,
    correlate_common,
    covariances,
    pair_sums,
    pair_sums_in_numpy,
    whole_values,
)


def some_lists(seed: int, *, queries: int = 6, rankers: int = 5, items: int = 30) -> tuple[Lists, np.ndarray]:
    """Lists of every length, from none to all candidates, with what they give."""
    rng = np.random.default_rng(seed)
    owners, lengths, entries, sizes, counts = [], [], [], [], []
    for _ in range(queries):
        n = int(rng.integers(1, items + 1))
        here = rng.permutation(rankers)[: rng.integers(0, rankers + 1)]
        sizes.append(n)
        counts.append(len(here))
        for owner in here:
            length = int(rng.integers(0, n + 1))
            owners.append(owner)
            lengths.append(length)
            entries.append(rng.permutation(n)[:length])
    offsets = [np.concatenate([[0], np.cumsum(each)]).astype(np.intp) for each in (counts, lengths)]
    flat = np.concatenate([np.zeros(0, dtype=np.intp), *entries])
    given = np.sort(rng.random(len(flat)))[::-1]
    whole = whole_values(given, 1.0, np.full(len(flat), items))
    return Lists(offsets[0], np.array(owners, dtype=np.intp), rankers, offsets[1], flat, np.array(sizes)), whole


@pytest.mark.parametrize("seed", range(20))
def test_the_twins_give_the_same_sums(seed: int) -> None:
    lists, values = some_lists(seed, queries=seed)
    for mine, theirs in zip(pair_sums(lists, values), pair_sums_in_numpy(lists, values), strict=True):
        assert (mine == theirs).all()
    assert (confirmations(lists, values) == confirmations_in_numpy(lists, values)).all()


def full(table: np.ndarray) -> tuple[Lists, np.ndarray]:
    """One query in which every ranker lists all items by what it gives them."""
    rankers, n = table.shape
    order = np.argsort(-table, axis=1, kind="stable")
    offsets = np.arange(rankers + 1) * n
    lists = Lists(np.array([0, rankers]), np.arange(rankers), rankers, offsets, order.reshape(-1), np.array([n]))
    values = whole_values(
        np.take_along_axis(table, order, axis=1).reshape(-1), float(table.max()), np.full(order.size, n)
    )
    return lists, values


def test_correlations_are_those_of_what_lists_give() -> None:
    table = np.random.default_rng(0).random((4, 300))
    lists, values = full(table)
    found = pair_sums(lists, values)
    for correlations, known in (correlate_all(covariances(found, lists.sizes), found), correlate_common(found, 5)):
        assert known.all()
        assert correlations[0] * CORRELATION_UNIT == pytest.approx(np.corrcoef(table), abs=1e-5)


@pytest.mark.parametrize("n", [2, 50, 4097])
def test_the_order_of_the_candidates_does_not_change_a_bit(n: int) -> None:
    rng = np.random.default_rng(n)
    table = 1 / (21.0 + rng.integers(0, 1000, (5, n)))
    seen = set()
    for _ in range(5):
        lists, values = full(table[:, rng.permutation(n)])
        found = pair_sums(lists, values)
        seen.add(correlate_all(covariances(found, lists.sizes), found)[0].tobytes())
        seen.add(correlate_common(found, 2)[0].tobytes())
    assert len(seen) <= 2


@pytest.mark.parametrize("n", [3, 7, 25, 59])
def test_a_list_that_does_not_vary_agrees_with_nobody(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(50):
        table = np.repeat(rng.uniform(0.001, 1, 3)[:, None], n, axis=1)
        table[0] = rng.random(n)
        lists, values = full(table)
        found = pair_sums(lists, values)
        correlations, known = correlate_all(covariances(found, lists.sizes), found)
        assert known[0].sum() == 1
        assert not correlations[0, 1:].any()
        assert correlate_common(found, 3)[1].sum() == 1


def test_order_is_compared_over_the_items_that_both_hold() -> None:
    """Two lists of a pool of eight: they hold the same items in opposite orders, so that only their order disagrees."""
    n, own = 100, np.arange(8)
    lists = Lists(
        np.array([0, 2]), np.array([0, 1]), 2, np.array([0, 8, 16]), np.concatenate([own, own[::-1]]), np.array([n])
    )
    values = whole_values(np.tile(1 / (21.0 + own), 2), 1 / 20, np.full(16, n))
    found = pair_sums(lists, values)
    everywhere, _ = correlate_all(covariances(found, lists.sizes), found)
    common, known = correlate_common(found, 5)
    assert everywhere[0, 0, 1] * CORRELATION_UNIT > 0.9
    assert common[0, 0, 1] * CORRELATION_UNIT < -0.9
    assert known.all()
    assert not correlate_common(found, 9)[1].any()


def test_contests_are_counted_by_gap() -> None:
    table = np.array([[4.0, 3, 2, 1], [4, 3, 1, 2]])
    lists, values = full(table)
    counts = confirmations(lists, values)
    assert GAPS[:2] == (1, 2)
    assert counts[0, 0].tolist() == [4, 3]  # of the three neighbours the last pair stands the other way round
    assert counts[0, 1].tolist() == [4, 2]
    assert not counts[:, 2:].any()


def test_a_tie_is_half_a_win_among_the_others_and_no_contest_in_the_list_itself() -> None:
    lists, values = full(np.array([[3.0, 2.0, 2.0, 1.0], [5.0, 5.0, 9.0, 9.0]]))
    assert confirmations(lists, values)[0, :2].tolist() == [[2, 2], [0, 2]]
