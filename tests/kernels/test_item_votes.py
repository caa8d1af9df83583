"""Votes of lists for their items: MAIC's rule with a decline, against a plain loop over lists and items."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from stagg.kernels.agreement.item_votes import Listings, best_of_families, entry_votes

Lists = list[list[list[int]]]
"""Groups of tied items, best first."""


def plain(lists: Lists, families: list[int], items: int, rounds: int = 400) -> list[dict[int, float]]:
    """The rule as it is written down, with dicts."""
    declines = [decline(each, items) for each in lists]
    votes = [dict(each) for each in declines]
    for _ in range(rounds):
        best: list[dict[int, float]] = [{} for _ in range(items)]
        for family, each in zip(families, votes, strict=True):
            for item, vote in each.items():
                best[item][family] = max(best[item].get(family, 0.0), vote)
        scores = [math.fsum(each.values()) for each in best]
        votes = []
        for each, left in zip(lists, declines, strict=True):
            seen: list[int] = []
            mine = {}
            for group in each:
                seen += group
                root = math.sqrt(math.fsum(scores[item] for item in seen) / len(seen))
                mine |= {item: left[item] * root for item in group}
            votes.append(mine)
    return votes


def decline(groups: list[list[int]], items: int) -> dict[int, float]:
    """(1 + n/5) / (rank + n/5), tied items having the mean; 1 in a list of one group."""
    found: dict[int, float] = {}
    for group in groups:
        ranks = range(len(found) + 1, len(found) + len(group) + 1)
        mean = math.fsum((1 + items / 5) / (rank + items / 5) for rank in ranks) / len(group)
        found |= dict.fromkeys(group, 1.0 if len(groups) == 1 else mean)
    return found


def draw(seed: int) -> tuple[Lists, list[int], int]:
    rng = np.random.default_rng(seed)
    items, lists = 40, []
    for _ in range(7):
        order = rng.permutation(items)[: rng.integers(1, 30)].tolist()
        cuts = sorted(set(rng.integers(0, len(order) + 1, rng.integers(0, 12)).tolist()) | {0, len(order)})
        lists.append([order[a:b] for a, b in itertools.pairwise(cuts)])
    return lists, rng.integers(0, 4, 7).tolist(), items


def arrays(lists: Lists, families: list[int], items: int) -> Listings:
    entries = [item for each in lists for group in each for item in group]
    tied = [place > 0 for each in lists for group in each for place in range(len(group))]
    offsets = np.cumsum([0, *(sum(map(len, each)) for each in lists)])
    return Listings(np.array(entries), offsets, np.array(tied), np.array(families), items)


@pytest.mark.parametrize("seed", range(8))
def test_the_votes_are_those_of_a_plain_loop(seed: int) -> None:
    lists, families, items = draw(seed)
    given = arrays(lists, families, items)
    found = entry_votes(given)
    expected = [
        votes[item]
        for each, votes in zip(lists, plain(lists, families, items), strict=True)
        for g in each
        for item in g
    ]
    assert found.converged
    assert found.values == pytest.approx(expected, rel=1e-7)
    ends = zip(given.entry_offsets, given.entry_offsets[1:], strict=False)
    assert found.weights == pytest.approx([found.values[a:b].mean() for a, b in ends], rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_the_lists_and_of_tied_items_changes_no_bit(seed: int) -> None:
    lists, families, items = draw(seed)
    rng = np.random.default_rng(100 + seed)
    order = rng.permutation(len(lists)).tolist()
    mixed = [[rng.permutation(group).tolist() for group in lists[k]] for k in order]
    one = entry_votes(arrays(lists, families, items))
    two = entry_votes(arrays(mixed, [families[k] for k in order], items))
    assert two.weights.tolist() == one.weights[order].tolist()


def test_a_list_that_shares_nothing_weighs_1_and_agreement_weighs_more() -> None:
    found = entry_votes(arrays([[[0, 1]], [[1, 0]], [[2, 3]]], [0, 1, 2], 4))
    assert found.weights == pytest.approx([2, 2, 1])
    same_family = entry_votes(arrays([[[0, 1]], [[0], [1]], [[2, 3]]], [0, 0, 2], 4))
    assert same_family.weights[[0, 2]] == pytest.approx([1, 1])


def test_the_order_counts_in_lists_of_all_items() -> None:
    found = entry_votes(arrays([[[item] for item in range(60)] for _ in range(5)], list(range(5)), 60))
    assert (np.diff(found.values.reshape(5, 60), axis=1) < 0).all()
    assert found.converged


def test_nothing_is_weighed_where_nothing_is() -> None:
    empty = entry_votes(
        Listings(np.zeros(0, dtype=int), np.zeros(1, dtype=int), np.zeros(0, dtype=bool), np.zeros(0, dtype=int), 0)
    )
    assert not len(empty.values)
    assert not len(empty.weights)


def test_one_entry_of_a_family_is_the_best_and_the_first_of_equal_ones() -> None:
    values, entries, families = (
        np.array([1.0, 3.0, 3.0, 2.0, 9.0]),
        np.array([0, 0, 0, 1, 1]),
        np.array([0, 0, 0, 0, 1]),
    )
    assert best_of_families(values, entries, families).tolist() == [False, True, False, True, True]
