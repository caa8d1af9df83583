"""Records joined: what counts, what is free, what is refused, and who agreed with whom."""

from __future__ import annotations

from pathlib import Path

import pytest

from stagg import DataError, Labels, read_labels
from stagg.formats import ReadLog
from stagg.judging.judgments import Judgments, join_judgments, qrels_text
from stagg.judging.sheet import Row, Sheet, write_sheet

DOCUMENTS = [("q1", "a"), ("q1", "b"), ("q2", "a"), ("q2", "c")]


def sheet(*rows: Row, plan: str = "5e1f", batch: int = 1, points: int = 4) -> Sheet:
    return Sheet(plan, batch, points, rows)


def join(*judged: object) -> Judgments:
    return join_judgments(list(judged), "5e1f", DOCUMENTS, 3.0)


def test_sheets_files_and_labels_are_joined(tmp_path: Path) -> None:
    write_sheet(tmp_path / "one.csv", sheet(Row("q1", "a", "2"), Row("q1", "b", "")))
    (tmp_path / "old.qrels").write_text("q2 0 c 1\n")
    found = join(str(tmp_path / "one.csv"), tmp_path / "old.qrels", {"q2": {"a": 3}})
    assert found.grades == {("q1", "a"): 2, ("q2", "c"): 1, ("q2", "a"): 3}
    assert found.handed_out == {(1, 4)}
    assert any("2 labels without a plan" in note for note in found.notes)
    assert found.labels == Labels({"q1": {"a": 2}, "q2": {"c": 1, "a": 3}})


def test_several_assessors_are_averaged_and_their_agreement_is_told() -> None:
    one = sheet(Row("q1", "a", "2", "ann"), Row("q1", "b", "0", "ann"), Row("q2", "a", "1", "ann"))
    two = sheet(Row("q1", "a", "1", "bob"), Row("q1", "b", "0", "bob"), Row("q2", "a", "0", "bob"))
    found = join(one, two)
    assert found.grades[("q1", "a")] == 1.5
    assert found.grades[("q1", "b")] == 0
    assert found.notes[0].startswith("2 assessors (ann, bob): 3 documents have grades of both, 2 of them different")


def test_the_same_grade_twice_without_a_name_counts_once() -> None:
    found = join(sheet(Row("q1", "a", "2")), sheet(Row("q1", "a", "2"), Row("q1", "b", "1")))
    assert found.grades == {("q1", "a"): 2, ("q1", "b"): 1}


def test_a_judged_sheet_comes_before_old_labels() -> None:
    assert join({"q1": {"a": 0}}, sheet(Row("q1", "a", "3", "ann"))).grades == {("q1", "a"): 3}


def test_different_grades_without_a_name_are_told() -> None:
    one, two = sheet(Row("q1", "a", "2"), Row("q1", "b", "1")), sheet(Row("q1", "a", "0"), Row("q1", "b", "1"))
    found = join(one, two)
    assert found.grades == {("q1", "a"): 1, ("q1", "b"): 1}
    assert found.notes[0].startswith("1 document has different grades without the name of an assessor")
    assert not join(one, one).notes


def test_two_sheets_of_one_batch_that_end_elsewhere_are_two_prefixes() -> None:
    found = join(sheet(Row("q1", "a", "2")), sheet(Row("q1", "a", "2"), Row("q1", "b"), points=9))
    assert found.handed_out == {(1, 4), (1, 9)}


def test_cannot_holds_only_where_nobody_gave_a_grade() -> None:
    found = join(sheet(Row("q1", "a", "cannot", "ann"), Row("q1", "b", "cannot")), sheet(Row("q1", "a", "1", "bob")))
    assert found.cannot == {("q1", "b")}
    assert found.grades == {("q1", "a"): 1}
    assert found.notes[-1].startswith("nobody could judge 1 document: the intervals cover")


def test_grades_of_another_plan_are_kept_and_it_is_said() -> None:
    found = join(sheet(Row("q1", "a", "2"), Row("gone", "x", "1"), plan="abcd", batch=3, points=70))
    assert found.grades[("q1", "a")] == 2
    assert found.handed_out == frozenset()
    assert "2 grades are of another plan (abcd; this one is 5e1f)" in found.notes[0]
    assert "kept and free" in found.notes[0]


def test_a_sheet_of_another_plan_without_grades_keeps_nothing() -> None:
    [note] = join(sheet(Row("q1", "a"), plan="abcd")).notes
    assert note.startswith("a sheet without grades is of another plan (abcd; this one is 5e1f)")
    assert "kept" not in note


def test_batches_that_are_missing_are_named() -> None:
    found = join(sheet(Row("q1", "a", "2"), batch=3))
    assert found.notes == ("batches 1, 2 are missing: name the files of all batches",)


@pytest.mark.parametrize(
    ("judged", "said"),
    [
        (sheet(Row("q1", "a", "7")), "query 'q1', item 'a': the grade is 7; expected 0 to 3; if grades go further"),
        (sheet(Row("q1", "a", "-1")), "query 'q1', item 'a': the grade is -1; expected 0 to 3"),
        (sheet(Row("q1", "a", "nan")), "the grade is nan"),
        (sheet(Row("q1", "a", "good")), "the grade is 'good'; expected a number, 'cannot', or nothing"),
        ({"q1": {"a": 9}}, "the grade is 9"),
        (sheet(Row("q1", "zzz", "1")), "the plan 5e1f never asked for query 'q1', item 'zzz'; did a spread"),
        (7, "labels are Labels"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_in_one_line(judged: object, said: str) -> None:
    with pytest.raises((DataError, ValueError)) as refused:
        join(judged)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_qrels_name_the_plan_and_readers_warn(tmp_path: Path) -> None:
    labels = Labels({"q1": {"a": 2, "b": 1.5}})
    (tmp_path / "out.qrels").write_text(qrels_text(labels, "5e1f"))
    assert "q1 stagg-judge-5e1f a 2\n" in (tmp_path / "out.qrels").read_text()
    log = ReadLog()
    assert read_labels(tmp_path / "out.qrels", log=log, float_labels=True) == labels
    assert any("chosen by stagg judge" in note for note in log.notes)
    with pytest.raises(DataError, match="blanks"):
        qrels_text(Labels({"q 1": {"a": 1}}), "5e1f")


def test_a_sheet_is_a_file_of_labels_and_readers_warn(tmp_path: Path) -> None:
    write_sheet(
        tmp_path / "done.csv", sheet(Row("q1", "a", "2", "", "a query"), Row("q1", "b", "cannot"), Row("q2", "a"))
    )
    log = ReadLog()
    assert read_labels(tmp_path / "done.csv", log=log) == Labels({"q1": {"a": 2}})
    assert [note for note in log.notes if "chosen by stagg judge" in note]
