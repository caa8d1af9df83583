"""The draw that teaches: sizes by definition, chances that add up, and no document twice."""

from __future__ import annotations

import numpy as np
import pytest
from tests.judging.simulated import answer, simulate

import stagg
from stagg.judging.teach import TEACHES, draw, inclusion, teaching_sizes
from stagg.judging.units import read_gain

RANKINGS, LABELS = simulate(31, queries=12)
GAIN = read_gain("dcg@10", 3)


def test_a_size_is_how_far_a_document_moves_when_a_ranker_counts_more_or_not_at_all() -> None:
    sizes = teaching_sizes(RANKINGS, GAIN)
    moves = []
    for ranker in RANKINGS.rankers:
        for factor in (3.0, 0.0):
            changed = stagg.fuse(RANKINGS, "rrf", weights={ranker: factor}).best_first("q003")
            moves.append(
                [1 / np.log2(changed.index(i) + 2) if i in changed[:10] else 0.0 for i in ("d003-01", "d003-02")]
            )
    plain = stagg.fuse(RANKINGS, "rrf").best_first("q003")
    whole = (1 / np.log2(np.arange(10) + 2)).sum()
    for column, item in enumerate(("d003-01", "d003-02")):
        base = 1 / np.log2(plain.index(item) + 2) if item in plain[:10] else 0.0
        expected = np.sqrt(np.mean([(row[column] - base) ** 2 for row in moves])) / whole
        assert sizes.get(("q003", item), 0.0) == pytest.approx(expected)


@pytest.mark.parametrize("count", [1, 3, 7, 10, 50])
def test_chances_add_up_and_never_exceed_1(count: int) -> None:
    size = np.random.default_rng(count).gamma(0.3, 1.0, 10)
    size[3] = 0.0
    chance = inclusion(size, count)
    assert chance.sum() == pytest.approx(min(count, 9))
    assert chance.max() <= 1
    assert chance[3] == 0


def test_a_document_is_drawn_as_often_as_its_chance_says() -> None:
    size, query = np.array([4.0, 2.0, 1.0, 1.0, 0.5, 3.0]), np.array([0, 0, 1, 1, 2, 2])
    rng = np.random.default_rng(0)
    times = np.zeros(6)
    for _ in range(3000):
        times[draw(size, query, 3, rng)] += 1
    assert times / 3000 == pytest.approx(inclusion(size, 3), abs=0.03)


def test_the_sheet_teaches_and_its_labels_are_free_later() -> None:
    first = stagg.judge(RANKINGS, compare=("rrf", "fair"), teach=True)
    assert first.todo is not None
    assert first.todo.plan.startswith(TEACHES)
    assert len(first.todo.rows) == 50
    done = answer(first.todo, LABELS)
    proof = stagg.judge(RANKINGS, compare=("rrf", "fair"), judged=done)
    assert "50 grades of a draw that teaches" in repr(proof)
    assert proof.todo is not None
    taught = {(row.query, row.item) for row in done.rows}
    assert not taught & {(row.query, row.item) for row in proof.todo.rows}
    assert proof.verdict[0].judgments == 0
    more = stagg.judge(RANKINGS, compare=("rrf", "fair"), judged=done, teach=True)
    assert more.todo is not None
    assert not taught & {(row.query, row.item) for row in more.todo.rows}
