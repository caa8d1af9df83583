"""What an input holds, against lists small enough to count by hand."""

from __future__ import annotations

import numpy as np
import pytest

from stagg import Labels, Rankings
from stagg.evaluation.inspection import inspect

RANKINGS = Rankings.from_runs(
    {
        "x": {"q1": {"a": 3.0, "b": 2.0, "c": 2.0, "d": 2.0, "e": 1.0}, "q2": {"a": 1.0}},
        "y": {"q1": {"b": 2.0, "a": 1.0, "z": 0.5}},
        "w": {"q2": {"b": 1.0, "c": 1.0}},
    }
)


def test_totals_count_the_whole_input() -> None:
    found = inspect(RANKINGS.replace(declared=True).take_rankers([1, 2]), Labels({"q1": {"a": 1, "b": 0}}))
    assert found.totals == {
        "queries": 2,
        "items": 9,
        "lists": 2,
        "rows": 5,
        "scores": True,
        "unlisted_items": 4,
        "labels": 2,
    }


def test_a_row_has_the_lengths_of_the_lists_and_all_entries_that_share_a_place() -> None:
    rows = {row["ranker"]: row for row in inspect(RANKINGS).rankers}
    assert [rows["x"][key] for key in ("queries", "shortest", "median", "longest", "tied")] == [2, 1, 3.0, 5, 3]
    assert [rows["y"][key] for key in ("queries", "shortest", "median", "longest", "tied")] == [1, 3, 3.0, 3, 0]
    assert rows["w"]["tied"] == 2


def test_overlap_and_agreement_of_a_ranker_are_means_over_the_others() -> None:
    found = inspect(RANKINGS)
    assert found.overlap[0, 1] == pytest.approx(2 / 6)  # a and b, of a to e and z
    assert found.overlap[0, 2] == 0
    assert np.isnan(found.overlap[1, 2])  # no query in common
    assert found.agreement[0, 1] == -1  # the one pair that both order
    rows = {row["ranker"]: row for row in found.rankers}
    assert (rows["x"]["overlap"], rows["x"]["agreement"]) == (pytest.approx(1 / 6), -1)
    assert (rows["w"]["overlap"], rows["w"]["agreement"]) == (0, None)


def test_a_ranker_without_lists_has_nothing_to_compare() -> None:
    row = inspect(Rankings.from_lists({"x": ["a"], "y": []})).rankers[1]
    assert [row[key] for key in ("queries", "shortest", "median", "longest", "tied")] == [0, 0, 0.0, 0, 0]
    assert (row["overlap"], row["agreement"]) == (None, None)
