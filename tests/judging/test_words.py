"""What judging says at the edges: sentences of verdicts and forecasts, sheets that come back odd, grades too high."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from tests.judging.simulated import answer, simulate

import stagg
from stagg import DataError, InvalidParameter, Labels, Rankings
from stagg.evaluation.significance import Estimate
from stagg.judging.estimate import Difference, Scope
from stagg.judging.forecast import JudgingForecast
from stagg.judging.judge import first_forecast
from stagg.judging.judgments import join_judgments
from stagg.judging.sheet import COLUMNS, Row, Sheet, count_grades, is_sheet, read_sheets, write_sheet
from stagg.judging.verdict import ComparisonVerdict, can_decide, stand
from stagg.judging.without_labels import tell_without_labels

OPEN = ComparisonVerdict(
    "rrf", "bm25", "DCG@10", "future", "open", 393, 53, -0.010, -0.027, 0.007, 84, 42, 20, (-0.02, 0.001), 250, 180
)
AGREES = "The proxy agrees with you on pairs at slope 0.50: "
SAID = "On its own it would have said +0.020 (your estimate -0.010)"


def difference(*, judgments: int = 84, different: int = 20, exact: bool = False) -> Difference:
    return Difference(Estimate(0.1, 0.02, 40, 53), judgments // 2, different, judgments, exact)


@pytest.mark.parametrize(
    ("found", "scope", "p", "standing"),
    [
        (difference(judgments=16), "future", 0.0, "open"),
        (difference(judgments=16, different=9), "future", 0.0, "few relevant"),
        (difference(judgments=40, different=10), "future", 0.04, "leans"),
        (difference(exact=True), "future", 0.04, "leans"),
        (difference(exact=True, different=0), "future", 0.06, "open"),
        (difference(exact=False), "these", 0.06, "open"),
    ],
)
def test_the_floors_are_16_and_40_judgments_and_10_pairs_that_differ(
    found: Difference, scope: Scope, p: float, standing: str
) -> None:
    assert stand([found], scope, p, decided=False) == standing
    assert can_decide([found]) == (found.judgments != 16)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"standing": "nothing to judge"}, "rrf against bm25: they place the same documents alike; there is nothing "
         "to judge."),
        ({"standing": "not judged"}, "rrf against bm25: nothing is shown yet; no batch of this plan is complete."),
        ({"standing": "few", "judgments": 1}, "rrf against bm25: after 1 judgment there is no interval yet; it "
         "needs 16."),
        ({"standing": "few relevant", "different": 1},
         "rrf against bm25: too few relevant documents so far. After 84 judgments 1 pair has two different grades; "
         "10 are "
         "needed."),
        ({"standing": "decided", "value": 0.1, "low": -0.01, "high": 0.21, "these": (0.1, 0.1)},
         "rrf is above bm25 by -0.010 to 0.210 of DCG@10 on queries like these, 95 % sure, after 84 judgments "
         "(0.100 on "
         "just these 53 queries)."),
        ({"standing": "decided", "value": -0.1, "low": -0.21, "high": 0.01, "these": None, "scope": "these"},
         "rrf is below bm25 by -0.010 to 0.210 of DCG@10 on these 53 queries, 95 % sure, after 84 judgments."),
        ({"standing": "leans", "value": 0.02, "low": 0.001, "high": 0.04, "needed": 1234},
         "rrf leans towards being above bm25: +0.020 (+0.001 to +0.040) of DCG@10 on queries like these, after 84 "
         "judgments. It takes 98 % to decide. About 1,234 judgments would decide, if the difference is as it looks "
         "now; at "
         "most 393 matter."),
        ({"low": -0.01, "high": -0.01, "needed": None, "needed_these": 85},
         "rrf against bm25: -0.010 (-0.010) of DCG@10 on queries like these: not decided after 84 judgments. If the "
         "difference is as it looks now, about 85 judgments would decide it on these 53 queries (at most 393 "
         "matter); only "
         "more queries would decide it for queries like these."),
        ({"needed": None, "these": None, "needed_these": 84},
         "rrf against bm25: -0.010 (-0.027 to +0.007) of DCG@10 on queries like these: not decided after 84 "
         "judgments. If "
         "the difference is as it looks now, about 84 judgments would decide it on these 53 queries (at most 393 "
         "matter); "
         "only more queries would decide it for queries like these."),
        ({"needed": None, "needed_these": None, "scope": "these", "documents": 85, "queries": 1},
         "rrf against bm25: -0.010 (-0.027 to +0.007) of DCG@10 on this query: not decided after 84 judgments. Only "
         "judging "
         "all 85 documents that differ would decide a difference of this size on this query: take either."),
        ({"standing": "known", "value": 0.0004, "low": 0.0004, "high": 0.0004, "queries": 1},
         "rrf against bm25: no difference of DCG@10 on this query: all 393 documents that differ are judged."),
        ({"standing": "known", "value": -0.0006, "low": -0.0006, "high": -0.0006},
         "rrf is below bm25 by 0.001 of DCG@10 on these 53 queries: all 393 documents that differ are judged."),
    ],
)  # fmt: skip
def test_a_verdict_is_told_as_it_stands(change: dict[str, Any], told: str) -> None:
    assert dataclasses.replace(OPEN, **change).text == told


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"alone": 0.02, "slope": 0.5, "saved": 0.009}, f"{AGREES}it saves nothing. {SAID}; that alone is no proof."),
        ({"alone": 0.02, "slope": 0.5}, f"{AGREES}it saves nothing. {SAID}; that alone is no proof."),
        ({"alone": 0.02, "slope": 0.5, "saved": 0.01},
         f"{AGREES}it saves about 1 % of your judgments. {SAID}; that alone is no proof."),
        ({"alone": 0.02}, f"All that differs is judged, so the proxy saves nothing. {SAID}."),
        ({"alone": 0.02, "value": None}, ""),
        ({"slope": 0.5}, ""),
    ],
)  # fmt: skip
def test_what_a_proxy_is_worth_is_told_as_it_is(change: dict[str, Any], told: str) -> None:
    assert dataclasses.replace(OPEN, **change).proxy_text == told


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (JudgingForecast("a", "b", 0, 0, 1, {}, 0.0),
         "a and b place the same documents alike in the only query: there is nothing to judge."),
        (JudgingForecast("a", "b", 0, 0, 1200, {}, 0.0),
         "a and b place the same documents alike in all 1,200 queries: there is nothing to judge."),
        (JudgingForecast("a", "b", 1, 1, 30, {}, 0.0),
         "a and b differ in 1 document of 1 query: judge them all, and the difference on these queries is known."),
        (JudgingForecast("a", "b", 99, 2, 30, {50: 0.123, 100: 0.0456}, 0.0512),
         "a and b differ in 99 documents of 2 queries. 50 judgments will give about ±0.12, 100 ±0.046. A difference "
         "below "
         "0.051 cannot be shown with 100."),
        (JudgingForecast("a", "b", 99, 2, 30, {50: 0.1}, 0.1, shared=True),
         "a and b differ in 99 documents of 2 queries. 50 judgments in all will give about ±0.1. A difference below "
         "0.1 "
         "cannot be shown with 50."),
    ],
)  # fmt: skip
def test_a_forecast_is_told_in_sentences(found: JudgingForecast, told: str) -> None:
    assert found.text == told


def test_without_labels_the_hint_needs_two_rankers_ten_queries_and_something_to_judge() -> None:
    rankings = simulate(3, queries=11)[0]
    assert first_forecast(rankings.take_queries(range(10))) is not None
    assert first_forecast(rankings.take_queries(range(9))) is None
    assert first_forecast(rankings.take_rankers([0, 1])) is not None
    assert first_forecast(rankings.take_rankers([0])) is None
    alike = {str(q): {f"d{n}": 1.0 / (n + 1) for n in range(8)} for q in range(12)}
    told = tell_without_labels(Rankings.from_runs({"x": alike, "y": alike}))
    assert told.endswith("which of these is better: `stagg judge` says which documents to judge.")


# --- options and notes ------------------------------------------------------------------------------------------------


def test_few_queries_and_many_comparisons_are_noted() -> None:
    rankings = simulate(5, queries=10)[0]
    rules = ("borda", "combsum", "isr", "rrf(c=1)", "rrf(c=10)", "rrf(c=100)")
    pairs = [(rule, "good") for rule in rules]
    assert not stagg.judge(rankings, compare=pairs[:5]).notes
    assert stagg.judge(rankings, compare=pairs).notes == (
        "6 comparisons share the judgments; name the ones that you care about",
    )
    nine = stagg.judge(rankings.take_queries(range(9)), compare=pairs[:1])
    assert nine.notes == ("only 9 queries: what is said of queries like these is rough",)
    assert not stagg.judge(rankings.take_queries(range(9)), compare=pairs[:1], scope="these").notes


@pytest.mark.parametrize(
    ("top", "meanings"),
    [
        (1, ["not relevant", "relevant"]),
        (2, ["not relevant", "related", "relevant"]),
        (3, ["not relevant", "related", "relevant", "perfect"]),
        (4, ["not relevant", "related", "relevant", "grade 3 of 4", "grade 4 of 4"]),
        (9, ["not relevant", "related", "relevant", *[f"grade {k} of 9" for k in range(3, 10)]]),
    ],
)
def test_every_grade_has_a_meaning(top: int, meanings: list[str]) -> None:
    todo = stagg.judge(simulate(5, queries=3)[0], compare=("good", "poor"), top_grade=top).todo
    assert todo is not None
    assert list(todo.grades) == [(str(grade), meaning) for grade, meaning in enumerate(meanings)]


@pytest.mark.parametrize("top", [True, "3", 0, 10, 2.5, float("nan")])
def test_a_top_grade_is_a_whole_number_from_1_to_9(top: Any) -> None:
    with pytest.raises(InvalidParameter, match="it must be a whole number from 1 to 9"):
        stagg.judge(simulate(5, queries=3)[0], compare=("good", "poor"), top_grade=top)


@pytest.mark.parametrize(("grade", "needed"), [(3.5, 4), (4, 4), (9, 9), (8.2, 9)])
@pytest.mark.parametrize("as_sheet", [True, False])
def test_a_grade_that_is_too_high_can_be_used_as_the_message_says(grade: float, needed: int, as_sheet: bool) -> None:
    def join(top: float) -> object:
        given = Sheet("5e1f", 1, 1, (Row("q", "d", f"{grade:g}"),)) if as_sheet else {"q": {"d": grade}}
        return join_judgments([given], "5e1f", [("q", "d")], top).grades

    with pytest.raises(DataError) as caught:
        join(3.0)
    assert str(caught.value).endswith(f"expected 0 to 3; if grades go further, say top_grade={needed}")
    assert join(float(needed)) == {("q", "d"): grade}


@pytest.mark.parametrize("grade", [9.5, 10, float("inf"), -0.5, float("nan")])
def test_a_grade_that_no_scale_holds_is_refused_without_a_remedy(grade: float) -> None:
    for given in (
        Sheet("5e1f", 1, 1, (Row("q", "d", f"{grade:g}"),)),
        Labels({"q": {"d": grade}}) if grade == 10 else None,
    ):
        if given is not None:
            with pytest.raises(DataError) as caught:
                join_judgments([given], "5e1f", [("q", "d")], 3.0)
            assert str(caught.value).endswith(f"the grade is {grade:g}; expected 0 to 3")


@pytest.mark.parametrize(
    ("batches", "note"),
    [
        ((1, 2), None),
        ((2,), "batch 1 is missing: name the files of all batches"),
        ((1, 4), "batches 2, 3 are missing: name the files of all batches"),
    ],
)
def test_the_batches_that_are_missing_are_named(batches: tuple[int, ...], note: str | None) -> None:
    sheets = [Sheet("5e1f", batch, batch, (Row("q", "d", "1"),)) for batch in batches]
    assert join_judgments(sheets, "5e1f", [("q", "d")], 3.0).notes == ((note,) if note else ())


def test_free_grades_are_counted_where_they_come_from() -> None:
    taught = Sheet("teach-5e1f", 1, 2, (Row("q", "d", "1"), Row("q", "e")))
    labels = {"q": {"d": 1, "e": 2}, "r": {"d": 1}}
    found = join_judgments([taught, labels], "5e1f", [("q", "d"), ("q", "e")], 3.0)
    assert [note.split(":")[0] for note in found.notes] == ["1 grade of a draw that teaches", "3 labels without a plan"]
    assert found.handed_out == frozenset()


# --- sheets -----------------------------------------------------------------------------------------------------------

HEADER = ",".join(COLUMNS)


def write(folder: Path, *lines: str) -> Path:
    (folder / "todo.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "todo.csv"


@pytest.mark.parametrize(("text", "number"), [("1", 1), (" 7 ", 7), ("123456789", 123456789), ("007", 7)])
def test_a_batch_is_a_whole_number(text: str, number: int, tmp_path: Path) -> None:
    path = write(tmp_path, HEADER, f"q,d,,,p,{text},1,,")
    assert read_sheets([path])[0].batch == number


@pytest.mark.parametrize("text", ["0", "1234567890", "1.5", "", "²", "٣"])
def test_a_batch_that_is_none_is_refused_with_its_line(text: str, tmp_path: Path) -> None:
    path = write(tmp_path, HEADER, '"q\n1",d,,,p,1,1,,', "", ",,,,,,,,", f"q,d,,,p,{text},1,,")
    with pytest.raises(DataError) as caught:
        read_sheets([path])
    assert str(caught.value) == f"{path}:6: the batch is '{text}'; expected a whole number, 1 or more"


def test_rows_that_lost_their_empty_cells_are_read_and_grades_are_trimmed(tmp_path: Path) -> None:
    short = write(tmp_path, "query,item,plan,batch,points,assessor,grade", "q,d,p,1,2, ann , Cannot ", "q,e,p,1,2")
    [sheet] = read_sheets([short])
    assert sheet.rows == (Row("q", "d", "cannot", "ann"), Row("q", "e"))
    assert (sheet.plan, sheet.batch, sheet.points) == ("p", 1, 2)
    assert count_grades(short) == 1


@pytest.mark.parametrize(
    ("header", "is_one"),
    [
        ("query,item,grade,assessor,plan,batch,points", True),
        ("query,item,grade,assessor,plan,batch", True),
        ('"query";"item";"grade";"assessor";"plan";"points"', True),
        ("query\titem\tgrade\tassessor\tbatch\tpoints", True),
        ("query,item,grade,assessor,plan", False),
        ("query,item,grade", False),
        ("query,item,plan,batch,points,assessor", False),
    ],
)
def test_a_sheet_is_told_from_labels_by_its_header(header: str, is_one: bool, tmp_path: Path) -> None:
    path = write(tmp_path, header, "q,d,1,a,p,1,1")
    assert is_sheet(path) == is_one
    if not is_one:
        assert count_grades(path) == 0


def test_an_assessor_who_answers_from_labels_leaves_open_what_they_lack() -> None:
    sheet = Sheet("5e1f", 1, 3, (Row("q", "d"), Row("q", "e"), Row("r", "d")))
    filled = [row.grade for row in sheet.with_grades({"q": {"d": 1.5}}).rows]
    assert filled == ["1.5", "", ""]
    other = sheet.with_grades({"q": {"d": 2}}, otherwise=0, assessor="ann").rows
    assert [(row.grade, row.assessor) for row in other] == [("2", "ann"), ("0", "ann"), ("0", "ann")]


def test_what_is_judged_and_missing_is_counted_over_all_batches(tmp_path: Path) -> None:
    rankings, labels = simulate(41)
    todo = stagg.judge(rankings, compare=("good", "poor"), budget=10).todo
    assert todo is not None
    half = dataclasses.replace(answer(todo, labels), rows=answer(todo, labels).rows[:4] + todo.rows[4:])
    write_sheet(tmp_path / "half.csv", half)
    found = stagg.judge(rankings, compare=("good", "poor"), judged=tmp_path / "half.csv")
    assert found.progress == (4, 6)
    assert "4 judged, 6 missing: a batch counts when all of it is judged." in found.sentences
    assert found.notes == ("6 documents of batch 1 or before not judged yet: they come first",)
    assert found.next_text == "Next: batch 1, 6 documents to judge."
    whole = stagg.judge(rankings, compare=("good", "poor"), judged=answer(todo, labels))
    assert (whole.progress, whole.notes) == ((10, 0), ())
    assert not any("missing" in sentence for sentence in whole.sentences)
    assert whole.next_text == "Next: batch 2, 20 documents to judge."
