"""What learners look at: blocks of queries, tables of ranks and weights, named lists of settings."""

from __future__ import annotations

import numpy as np
import pytest

from stagg import Rankings, UnknownName
from stagg.learning import LEARNERS
from stagg.learning.grids import GRIDS, family
from stagg.learning.single import blocks as blocks_module
from stagg.learning.single.blocks import blocks, rank_table, weight_table

RUNS = {
    "x": {"1": {"b": 3.0, "a": 2.0, "c": 1.0}, "2": {"a": 1.0, "b": 1.0}, "3": {"z": 1.0}},
    "y": {"1": {"c": 1.0}, "2": {"b": 2.0, "a": 1.0}, "4": {"p": 2.0, "q": 1.0}},
}


def test_ranks_of_items_that_a_list_lacks_are_the_mean_of_those_left_over() -> None:
    given = Rankings.from_runs(RUNS)
    table = rank_table(given, ("y", "w", "x"))
    items = [f"{given.queries[q]}{item}" for q, item in zip(given.item_queries, given.items, strict=True)]
    found = {item: table[:, number].tolist() for number, item in enumerate(items)}
    assert found == {
        "1a": [2.5, 2, 2], "1b": [2.5, 2, 1], "1c": [1, 2, 3],
        "2a": [2, 1.5, 1.5], "2b": [1, 1.5, 1.5],
        "3z": [1, 1, 1],
        "4p": [1, 1.5, 1.5], "4q": [2, 1.5, 1.5],
    }  # fmt: skip


def test_a_ranker_weighs_only_where_it_has_a_list() -> None:
    given = Rankings.from_runs(RUNS).with_weights({"y": 2.5})
    order = [given.queries.index(query) for query in "1234"]
    table = weight_table(given, ("y", "w", "x"))[:, order]
    assert table.tolist() == [[2.5, 2.5, 0, 2.5], [0, 0, 0, 0], [1, 1, 1, 0]]


@pytest.mark.parametrize("cells", [250_000, 8, 1])
def test_every_query_is_in_one_block_with_others_of_its_size(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks_module, "CELLS", cells)
    given = Rankings.from_runs(RUNS)
    made = list(blocks(given))
    assert sorted(q for part, _ in made for q in part.tolist()) == list(range(4))
    for part, items in made:
        size = items.shape[1]
        assert given.sizes[part].tolist() == [size] * len(part)
        assert len(part) == 1 or len(part) * size**2 <= cells
        for query, row in zip(part.tolist(), items.tolist(), strict=True):
            low, high = given.item_offsets[query : query + 2]
            assert sorted(row) == list(range(low, high))
            assert [given.items[k] for k in row] == sorted(given.items[k] for k in row)
    assert len(made) == (3 if cells > 1 else 4)  # sizes 1, 2 and 3; two queries have two items
    some = np.array([given.queries.index("4"), given.queries.index("1")])
    assert sorted(q for part, _ in blocks(given, some) for q in part.tolist()) == sorted(some.tolist())


def test_a_named_grid_adds_its_lists_to_what_the_text_does_not_say() -> None:
    assert len(family(LEARNERS, "stagg_ndcg", "paper")) == 6 * 4
    said = family(LEARNERS, "stagg_ndcg(sigma=0.5)", "paper")
    assert {member.sigma for member in said} == {0.5}  # type: ignore[attr-defined]
    assert {member.iterations for member in said} == {500}  # type: ignore[attr-defined]
    assert len(said) == 6
    assert [member.ridge for member in family(LEARNERS, "stagg_err", "small")] == [1e-4, 1e-3, 1e-2]  # type: ignore[attr-defined]
    assert len(family(LEARNERS, "weights", "paper")) == 1  # a learner that the grid does not know
    [own] = family(LEARNERS, "weights(measure='err')", None, "map")
    [first] = family(LEARNERS, "weights", None, "map")
    assert (own.measure, first.measure) == ("err", "map")  # type: ignore[attr-defined]
    assert len(family(LEARNERS, "trust", None, "map")) == 1  # it goes by no measure
    with pytest.raises(UnknownName, match="unknown grid 'papper'; did you mean 'paper'"):
        family(LEARNERS, "weights", "papper")
    assert set(GRIDS) == {"paper", "small"}
