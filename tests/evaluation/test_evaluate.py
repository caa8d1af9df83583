"""Evaluation of runs: means, queries that are missing, what is printed with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from stagg import InvalidParameter, Labels, Rankings, evaluate, read

LABELS = Labels({"q1": {"a": 2, "b": 0}, "q2": {"c": 1}, "q3": {"d": 0}})
RUN = Rankings.from_runs(
    {"x": {"q1": {"a": 2.0, "b": 1.0}, "q9": {"a": 1.0}}, "y": {"q1": {"b": 2.0}, "q2": {"c": 1.0}}}
)


def test_every_ranker_is_a_run_and_missing_queries_count_zero() -> None:
    table = evaluate(RUN, LABELS, "ndcg@10,mrr")
    rows = {(row["run"], row["measure"]): row for row in table.rows}
    assert rows["x", "mrr"]["mean"] == pytest.approx(1 / 3)
    assert rows["y", "mrr"]["mean"] == pytest.approx(1 / 3)
    assert rows["x", "ndcg@10"]["queries"] == 3
    assert any("x: 2 queries with labels are not in the run and count 0 (q2, q3)" in note for note in table.notes)
    assert any("x: 1 query of the run has no labels and is left out" in note for note in table.notes)
    assert any("no relevant item" in note for note in table.notes)


def test_only_common_leaves_out_what_a_run_lacks() -> None:
    rows = evaluate(RUN, LABELS, "mrr", only_common=True).rows
    assert [(row["run"], row["mean"], row["queries"]) for row in rows] == [("x", 1.0, 1), ("y", 0.5, 2)]


def test_per_query_rows_have_the_value_beside_the_mean() -> None:
    rows = evaluate(RUN, LABELS, "mrr", per_query=True).rows
    first = rows[0]
    assert list(first) == ["run", "measure", "mean", "queries", "query", "value", "judged", "judged_at"]
    assert [(row["query"], row["value"]) for row in rows if row["run"] == "x"] == [
        ("q1", 1.0),
        ("q2", 0.0),
        ("q3", 0.0),
    ]


def test_scores_that_tie_as_float32_go_by_id_as_trec_eval_sees_them() -> None:
    run = Rankings.from_scores({"x": {"a": 1.0 + 1e-9, "b": 1.0}})
    labels = Labels({"1": {"a": 1}})
    assert evaluate(run, labels, "mrr").rows[0]["mean"] == 0.5
    assert evaluate(run, labels, "mrr", single_precision=False).rows[0]["mean"] == 1.0
    assert evaluate(run, labels, "mrr", conventions="letor4").rows[0]["mean"] == 1.0


def test_lists_in_the_order_of_a_rank_column_keep_it_whatever_their_scores(tmp_path: Path) -> None:
    (tmp_path / "x.trec").write_text("1 Q0 a 1 5.0 x\n1 Q0 b 2 5.0 x\n1 Q0 c 3 7.0 x\n")
    by_rank = read(tmp_path / "x.trec", order_by="rank")
    assert evaluate(by_rank, Labels({"1": {"a": 1}}), "mrr").rows[0]["mean"] == 1.0


def test_a_wrong_measure_is_refused() -> None:
    with pytest.raises(InvalidParameter):
        evaluate(RUN, LABELS, "")
