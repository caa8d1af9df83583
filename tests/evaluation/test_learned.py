"""Learners in comparisons: chosen on validation parts, reported on test parts, fold by fold."""

from __future__ import annotations

import numpy as np
import pytest
from tests.checks import some

from stagg import DataError, InvalidParameter, Labels, Rankings, UnknownName, fuse
from stagg.data.simulation import simulate
from stagg.evaluation.compare import compare
from stagg.evaluation.evaluate import evaluate
from stagg.evaluation.folds import folds_of_parts, hash_parts
from stagg.learning import LEARNERS
from stagg.learning.grids import GRIDS, family


def world() -> tuple[Rankings, Labels]:
    made = simulate(queries=30, items=10, rankers=4, quality=[0.2, 2.0, 0.2, 0.2], depth=6, seed=0)
    return made.rankings, made.labels


def part(rankings: Rankings, labels: Labels, queries: tuple[str, ...]) -> tuple[Rankings, Labels]:
    return rankings.take_queries([rankings.query_number(query) for query in queries]), labels.take(queries)


def test_listed_values_are_chosen_on_validation_and_reported_on_test() -> None:
    rankings, labels = world()
    text = "stagg_ndcg(sigma=[1.0, 0.1], iterations=[1, 8])"
    found = compare(rankings, labels, learners=[text], measures="ndcg@3", folds=5, seed=1)
    expected = np.zeros(len(labels))
    for fold in folds_of_parts(hash_parts(sorted(labels), 5, 1)):
        train, held, test = (part(rankings, labels, each) for each in (fold.train, fold.validation, fold.test))
        models = [learner.fit(*train, validation=held) for learner in family(LEARNERS, text, measure="ndcg@3")]
        means = [evaluate(fuse(held[0], model), held[1], "ndcg@3").rows[0]["mean"] for model in models]
        chosen = fuse(test[0], models[int(np.argmax(means))])
        rows = evaluate(chosen, test[1], "ndcg@3", per_query=True).rows
        for row in rows:
            if row.get("query") in fold.test:
                expected[found.queries.index(row["query"])] = row["value"]
    assert found.values[0, 0] == pytest.approx(expected)
    assert "chosen by fold: stagg_ndcg(" in " ".join(found.table.notes)


def test_the_first_measure_chooses_the_model_whatever_the_others_say() -> None:
    rankings, labels = world()

    def learned(measures: str) -> np.ndarray:
        text = "stagg_ndcg(sigma=[1.0, 0.1], iterations=[1, 8])"
        return compare(rankings, labels, learners=text, measures=measures, folds=5, seed=1).values[0]

    alone = learned("ndcg@3")[0]
    assert learned("ndcg@3,recall@5")[0].tolist() == alone.tolist()
    assert learned("recall@5,ndcg@3")[1].tolist() != alone.tolist()


def test_the_means_of_the_folds_are_those_of_their_test_queries() -> None:
    rankings, labels = world()
    found = compare(rankings, labels, ["borda"], learners=["best_input"], measures="ndcg@3,err", folds=3)
    rows = found.by_fold.to_dicts()
    assert [row["method"] for row in rows] == ["borda", "borda", *["best_input(measure='ndcg@3')"] * 2]
    sizes = [len(fold) for fold in found.folds]
    for row in rows:
        means = [row[f"fold {f}"] for f in (1, 2, 3)]
        assert np.average(means, weights=sizes) == pytest.approx(row["all"])
    assert sum(sizes) == 30
    assert compare(rankings, labels, ["borda"]).by_fold.rows == ()


def test_grids_by_name_hold_the_paper_s_values() -> None:
    paper = family(LEARNERS, "stagg_ndcg(features='ranks')", "paper")
    assert len(paper) == 24
    assert all("features='ranks'" in repr(learner) and "gradient" in repr(learner) for learner in paper)
    assert {learner.parameters()["sigma"] for learner in paper} == {0.1, 0.01, 0.001, 0.0001}
    assert len(family(LEARNERS, "rankagg_err", "paper")) == 6
    assert len(family(LEARNERS, "best_input", "paper")) == 1
    assert len(family(LEARNERS, "stagg_ndcg(sigma=0.5, rate=1.0)", "paper")) == 1  # what is said goes before the grid


def test_every_grid_names_learners_that_there_are() -> None:
    for grid, learners in some(GRIDS.items()):
        for name in some(learners):
            assert family(LEARNERS, name, grid)


def test_choosing_needs_folds_and_a_known_grid() -> None:
    rankings, labels = world()
    with pytest.raises(InvalidParameter, match="needs folds"):
        compare(rankings, labels, learners="stagg_ndcg(sigma=[1.0, 0.1])")
    with pytest.raises(UnknownName, match="paper"):
        compare(rankings, labels, learners="stagg_ndcg", grid="papr", folds=3)
    with pytest.raises(InvalidParameter, match="for learners"):
        compare(rankings, labels, ["borda"], grid="paper", folds=3)


def test_a_fold_without_relevant_items_is_named() -> None:
    rankings, labels = world()
    parts = hash_parts(sorted(labels), 3, 0)
    none = Labels({query: dict.fromkeys(labels[query], 0) if query in parts[0] else labels[query] for query in labels})
    with pytest.raises(DataError, match="fold 1 of 3: the training part has no relevant item"):
        compare(rankings, none, learners="stagg_ndcg", folds=parts)
