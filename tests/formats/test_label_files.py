"""Labels as people have them: tables of every format, grades in words, several judges; wrong grades have a place."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stagg import DataError, InvalidParameter, Labels, read_labels
from stagg.formats import ReadLog

GRADES = {"q1": {"a": 2.0, "b": 0.0}, "q2": {"a": 1.0}}
ROWS = [("q1", "a", 2), ("q1", "b", 0), ("q2", "a", 1)]
OBJECTS = [{"qid": query, "product_id": item, "grade": grade} for query, item, grade in ROWS]


def read(path: Path, **options: Any) -> tuple[dict[str, dict[str, float]], ReadLog]:
    log = ReadLog()
    labels = read_labels(path, log=log, **options)
    return {query: dict(labels[query]) for query in labels}, log


def failure(path: Path, **options: Any) -> str:
    with pytest.raises(DataError) as refused:
        read(path, **options)
    return str(refused.value).replace(f"{path.parent}/", "")


def put(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


# --- formats ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.csv", "query,item,label\nq1,a,2\nq1,b,0\nq2,a,1\n"),
        ("x.tsv", "query-id\tcorpus-id\tscore\nq1\ta\t2\nq1\tb\t0\nq2\ta\t1\n"),
        ("x.txt", "query\tdoc\tgrade\nq1\ta\t2\nq1\tb\t0\nq2\ta\t1\n"),
        ("x.csv", "topic;doc;rel\nq1;a;2,0\nq1;b;0\nq2;a;1\n"),
        ("x.csv", "q1,a,2\nq1,b,0\nq2,a,1\n"),
        ("x.csv", "q1,0,a,2\nq1,0,b,0\nq2,0,a,1\n"),
        ("x.csv", "Judgments of May\nquery,doc,grade\nq1,a,2\nq1,b,0\nq2,a,1\n"),
        ("x.tsv", "q1\t0\ta\t2\nq1\t0\tb\t0\nq2\t0\ta\t1\n"),
        ("qrels", "q1 0 a 2\nq1 0 b 0\nq2 0 a 1\n"),
        ("x.json", json.dumps(OBJECTS)),
        ("x.json", json.dumps(GRADES)),
        ("x.jsonl", "\n".join(map(json.dumps, OBJECTS))),
        ("x.json", "\n".join(map(json.dumps, OBJECTS))),
    ],
)
def test_labels_are_read_from_tables_of_text(tmp_path: Path, name: str, text: str) -> None:
    labels, log = read(put(tmp_path / name, text))
    assert labels == GRADES
    assert (log.rows_used, log.rows_dropped) == (3, 0)


def test_labels_are_read_from_parquet_and_workbooks(tmp_path: Path) -> None:
    columns = dict(zip(("qid", "product_id", "grade"), zip(*ROWS, strict=True), strict=True))
    pq.write_table(pa.table({name: list(cells) for name, cells in columns.items()}), tmp_path / "x.parquet")
    assert read(tmp_path / "x.parquet")[0] == GRADES
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (
        ("query", "doc", "judged", "Relevance (0-2)"),
        *[(q, d, datetime.date(2024, 5, 1), g) for q, d, g in ROWS],
    ):
        book.active.append(row)
    book.save(tmp_path / "x.xlsx")
    assert read(tmp_path / "x.xlsx")[0] == GRADES


def test_columns_that_are_left_out_are_named(tmp_path: Path) -> None:
    _, log = read(put(tmp_path / "x.csv", "query,doc,title,grade\nq,a,T,1\n"))
    assert log.notes == [f"{tmp_path}/x.csv: ignored columns: 'title'"]


def test_a_table_without_queries_is_one_query(tmp_path: Path) -> None:
    labels, log = read(put(tmp_path / "x.csv", "doc_id,grade\na,1\nb,0\n"))
    assert labels == {"1": {"a": 1.0, "b": 0.0}}
    assert "all labels are of one query, '1'" in log.notes[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.csv: 0 rows"),
        ("query,doc,grade\n", "x.csv: 0 rows"),
        ("query,doc,grade\nq,a,\n", "x.csv: 0 rows: there is nothing to read (1 row read, 0 used, 1 dropped"),
        ("query,doc,grade\nq,,1\n", "x.csv:2: the item is empty"),
        ("query,doc,grade\n,a,1\n", "x.csv:2: the query is empty"),
        ("query,doc,grade\nq,a,1\nq,b,1001\n", "x.csv:3: the label '1001' is over 1000"),
        ("query,doc,grade\nq,a,1\nq,b,0.5\n", "x.csv:3: the label '0.5' is not a whole number; float_labels=True"),
        ("query,doc,grade\nq,a,nan\n", "x.csv:2: the label 'nan'"),
    ],
)
def test_wrong_rows_are_named_by_their_place(tmp_path: Path, text: str, message: str) -> None:
    assert failure(put(tmp_path / "x.csv", text)).startswith(message)


def test_fractions_are_read_when_they_are_asked_for_and_wrong_rows_dropped(tmp_path: Path) -> None:
    path = put(tmp_path / "x.csv", "query,doc,grade\nq,a,0.5\nq,b,1001\nq,,1\n")
    labels, log = read(path, float_labels=True, lenient=True)
    assert labels == {"q": {"a": 0.5}}
    assert (log.rows_read, log.rows_used, log.rows_dropped) == (3, 1, 2)


@pytest.mark.parametrize("content", ['[{"query": "q", "docs": [1]}]', "[1, 2]", '{"q": 1}', '{"q": {"a": 1}'])
def test_other_json_is_refused(tmp_path: Path, content: str) -> None:
    assert failure(put(tmp_path / "x.json", content)).startswith("x.json")


# --- rows that are not judged -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("cell", ["", "N/A", "-", "null"])
def test_a_row_without_a_grade_is_not_judged(tmp_path: Path, cell: str) -> None:
    labels, log = read(put(tmp_path / "x.csv", f"query,docid,rating\nq,a,3.0\nq,b,{cell}\nthe matrix\n"))
    assert labels == {"q": {"a": 3.0}}
    assert log.summary() == f"3 rows read, 1 used, 2 dropped: not judged 2 (first at {tmp_path}/x.csv:3)"


def test_a_grade_below_zero_is_not_judged(tmp_path: Path) -> None:
    assert read_labels(put(tmp_path / "x.csv", "query,doc,rel\nq,a,-1\nq,b,2\n")) == Labels({"q": {"b": 2}})


# --- grades in words --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("yes", "no", "grades"),
    [("yes", "No", (1, 0)), ("TRUE", "FALSE", (1, 0)), ("Relevant", "not_relevant", (1, 0)), ("y", "n", (1, 0)),
     ("relevant", "non-relevant", (1, 0)), ("3 - perfect", "0 - bad", (3, 0)), ("2: partly", "1: hardly", (2, 1))],
)  # fmt: skip
def test_words_without_doubt_are_grades(tmp_path: Path, yes: str, no: str, grades: tuple[int, int]) -> None:
    labels, log = read(put(tmp_path / "x.csv", f"query,doc,label\nq,a,{yes}\nq,b,{no}\n"))
    assert labels == {"q": {"a": grades[0], "b": grades[1]}}
    assert f"{yes!r} = {grades[0]}, {no!r} = {grades[1]}" in log.notes[0]


def test_a_known_scale_is_proposed_and_not_taken(tmp_path: Path) -> None:
    path = put(tmp_path / "x.csv", "query,doc,label\nq,a,Exact\nq,b,irrelevant\nq,c,Substitute\n")
    assert failure(path) == (
        "x.csv:2: the grades are words: 'Exact', 'irrelevant', 'Substitute'; "
        "say grades={'Exact': 3, 'Substitute': 2, 'irrelevant': 0}"
    )
    labels, _ = read(path, grades={"exact": 3, "Substitute": 2, "Irrelevant": 0})
    assert labels == {"q": {"a": 3.0, "b": 0.0, "c": 2.0}}


def test_other_words_are_asked_about_with_an_example(tmp_path: Path) -> None:
    path = put(tmp_path / "x.csv", "query,doc,label\nq,a,great\nq,b,meh\n")
    assert failure(path).endswith("say which number each of them is, such as grades={'great': 1, 'meh': 0}")
    assert failure(path, grades={"great": 2}).startswith("x.csv:3: the label 'meh' is not a whole number")
    assert read(path, lenient=True, grades={"great": 2})[0] == {"q": {"a": 2.0}}


@pytest.mark.parametrize("grades", [{"a": "x"}, {"a": 2000}, {"a": True}, {1: 1}, "a=1"])
def test_grades_that_are_none_are_refused(tmp_path: Path, grades: Any) -> None:
    with pytest.raises(InvalidParameter, match="grade"):
        read_labels(put(tmp_path / "x.csv", "query,doc,label\nq,a,1\n"), grades=grades)


# --- several judges ---------------------------------------------------------------------------------------------------


def test_two_grades_of_one_item_are_refused_with_what_can_be_done(tmp_path: Path) -> None:
    path = put(tmp_path / "x.csv", "query,doc,annotator,grade\nq,a,x,1\nq,a,y,4\nq,b,x,2\n")
    told = failure(path)
    assert told.startswith("x.csv:3: item 'a' of query 'q' is judged twice, differently: 1 and 4")
    assert "the column 'annotator' tells who judged" in told
    assert "duplicates='mean'" in told
    assert failure(path, lenient=True) == told
    for way, grade in (("mean", 2.5), ("best", 4.0), ("first", 1.0)):
        labels, log = read(path, duplicates=way)
        assert labels == {"q": {"a": grade, "b": 2.0}}
        assert log.rows_read == 3
        assert log.rows_dropped == (0 if way == "mean" else 1)


def test_the_same_judgment_twice_is_an_error_unless_lenient(tmp_path: Path) -> None:
    path = put(tmp_path / "x.csv", "query,doc,grade\nq,a,1\nq,a,1\n")
    assert failure(path) == "x.csv:3: item 'a' of query 'q' is judged twice, in lines 2 and 3; remove one of them"
    labels, log = read(path, lenient=True)
    assert labels == {"q": {"a": 1.0}}
    assert (log.rows_used, log.rows_dropped) == (1, 1)


def test_marks_on_a_scale_are_numbers(tmp_path: Path) -> None:
    grades, log = read(put(tmp_path / "l.csv", "query,doc,rating\nq1,a,5/5\nq1,b,1/5\n"))
    assert grades == {"q1": {"a": 5, "b": 1}}
    assert "'5/5' = 5" in str(log.notes)
    percents = put(tmp_path / "p.csv", "query,doc,rating\nq1,a,100%\nq1,b,50 %\n")
    assert "float_labels=True" in failure(percents)
    assert read(percents, float_labels=True)[0] == {"q1": {"a": 1, "b": 0.5}}


def test_an_example_of_grades_takes_the_numbers_that_words_hold(tmp_path: Path) -> None:
    assert "grades={'2?': 2}" in failure(put(tmp_path / "l.csv", "query,doc,rating\nq1,a,3\nq1,b,2?\n"))


def test_answers_of_a_model_without_a_grade_are_not_judged(tmp_path: Path) -> None:
    rows = [
        {"qid": "q1", "docid": doc, "judgment": grade, "result_status": ok}
        for doc, grade, ok in (("a", 2, 1), ("b", 0, 0))
    ]
    grades, log = read(put(tmp_path / "u.jsonl", "\n".join(map(json.dumps, rows))))
    assert grades == {"q1": {"a": 2}}
    assert log.rows_dropped == 1


def test_json_of_relevant_items_and_of_rank_eval_are_labels(tmp_path: Path) -> None:
    found, log = read(put(tmp_path / "r.json", json.dumps({"q1": ["a", "b"], "q2": ["c"]})))
    assert found == {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}
    assert "with grade 1" in str(log.notes)
    ratings = [{"_index": "i", "_id": "a", "rating": 2}, {"_index": "i", "_id": "b", "rating": 0}]
    request = {"requests": [{"id": "q1", "request": {}, "ratings": ratings}], "metric": {}}
    assert read(put(tmp_path / "e.json", json.dumps(request)))[0] == {"q1": {"a": 2, "b": 0}}
    judged = {"q1": [{"doc": "a", "grade": 2}]}
    assert read(put(tmp_path / "j.json", json.dumps(judged)))[0] == {"q1": {"a": 2}}


def test_frames_hold_labels_by_the_same_rules(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"qid": [1, 1, 2], "doc": ["a", "b", "c"], "grade": [2, None, 1]})
    labels = read_labels(frame, log=(log := ReadLog()))
    assert {query: dict(labels[query]) for query in labels.queries} == {"1": {"a": 2}, "2": {"c": 1}}
    assert log.rows_dropped == 1
    assert read_labels([{"query": "q", "item": "a", "label": 3}]).queries == ("q",)
