"""The verb and the command: the loop from no labels to a sentence, and everything that can go wrong on the way."""

from __future__ import annotations

import csv
import dataclasses
import json
from pathlib import Path

import pytest
from tests.command_line import Run, runner
from tests.judging.simulated import answer, simulate

import stagg
from stagg import DataError, InvalidParameter, Labels, Rankings
from stagg.evaluation.overlap import list_items
from stagg.evaluation.significance import Estimate
from stagg.formats.documents.texts import Text
from stagg.judging import JudgingResult, Sheet, read_sheets, write_sheet
from stagg.judging.estimate import Difference
from stagg.judging.judge import forecast_line, join_p

RANKINGS, LABELS = simulate(41)
PAIR = ("good", "poor")


def loop(rounds: int, **options: object) -> tuple[JudgingResult, list[Sheet]]:
    """So many batches answered, one after the other."""
    done: list[Sheet] = []
    found = stagg.judge(RANKINGS, compare=PAIR, **options)  # type: ignore[arg-type]
    for _ in range(rounds):
        if found.todo is None:
            break
        done.append(answer(found.todo, LABELS))
        found = stagg.judge(RANKINGS, compare=PAIR, judged=done, **options)  # type: ignore[arg-type]
    return found, done


def test_a_clear_difference_is_decided_after_a_few_batches() -> None:
    found, done = loop(4)
    assert [len(sheet.rows) for sheet in done] == [40, 20, 20, 20]
    assert [sheet.batch for sheet in done] == [1, 2, 3, 4]
    assert found.verdict[0].standing == "decided"
    assert found.verdict[0].judgments == 100
    assert found.verdict[0].text.startswith("good is above poor by ")
    assert found.todo is not None
    assert found.todo.batch == 5
    assert found.next_text == "All is decided: you can stop. If you go on: batch 5, 20 documents to judge."


def test_all_documents_judged_is_the_difference_itself() -> None:
    found, _ = loop(2, budget=10_000, scope="these")
    assert found.todo is None
    verdict = found.verdict[0]
    means = [
        stagg.evaluate(RANKINGS.take_rankers([RANKINGS.rankers.index(name)]), LABELS, "sdcg@10").rows[0]["mean"]
        for name in PAIR
    ]
    assert verdict.standing == "known"
    assert verdict.low == verdict.high == verdict.value == pytest.approx(means[0] - means[1])
    assert found.next_text == "Nothing is left to judge."


def test_the_state_is_the_sheets_and_the_seed() -> None:
    found, done = loop(2)
    again = stagg.judge(RANKINGS, compare=PAIR, judged=done[::-1])
    assert repr(again) == repr(found)
    assert again.todo == found.todo
    assert stagg.judge(RANKINGS, compare=PAIR, judged=done, seed=1).plan != found.plan


def test_a_batch_counts_when_it_is_complete() -> None:
    _, done = loop(2)
    half = dataclasses.replace(
        done[1], rows=tuple(row._replace(grade="") if n % 2 else row for n, row in enumerate(done[1].rows))
    )
    found = stagg.judge(RANKINGS, compare=PAIR, judged=[done[0], half])
    assert found.verdict[0].judgments == 40
    assert found.todo is not None
    assert found.todo.batch == 2
    assert {row.item for row in found.todo.rows} == {row.item for row in half.rows if not row.grade}
    assert any("10 documents of batch 2" in note for note in found.notes)
    assert "\n50 judged, 10 missing: a batch counts when all of it is judged.\n" in repr(found)
    assert "missing" not in repr(stagg.judge(RANKINGS, compare=PAIR, judged=done))


def test_what_cannot_be_judged_widens_the_interval() -> None:
    found, done = loop(2)
    rows = done[1].rows
    skipped = dataclasses.replace(done[1], rows=tuple(row._replace(grade="cannot") for row in rows[:4]) + rows[4:])
    wider = stagg.judge(RANKINGS, compare=PAIR, judged=[done[0], skipped])
    plain, bounds = found.verdict[0], wider.verdict[0]
    assert bounds.judgments == plain.judgments
    assert plain.low is not None
    assert plain.high is not None
    assert bounds.low is not None
    assert bounds.high is not None
    assert bounds.high - bounds.low > plain.high - plain.low
    assert bounds.low < plain.low
    assert bounds.high > plain.high


def test_what_could_not_be_judged_decides_only_if_it_cannot_matter() -> None:
    _, done = loop(4)
    skipped = [
        dataclasses.replace(sheet, rows=tuple(row._replace(grade="cannot") for row in sheet.rows[:n]) + sheet.rows[n:])
        for sheet, n in zip(done, (12, 5, 5, 5), strict=True)
    ]
    verdict = stagg.judge(RANKINGS, compare=PAIR, judged=skipped).verdict[0]
    assert verdict.low is not None
    assert verdict.high is not None
    assert verdict.low < 0 < verdict.high
    assert verdict.standing == "open"


def test_of_two_readings_the_weaker_evidence_counts() -> None:
    sure, unsure = (Difference(Estimate(0.1, error, 30, 30), 40, 20, 80, exact=False) for error in (0.01, 0.09))
    assert join_p([sure, unsure]) == join_p([unsure, sure]) == unsure.p
    opposite = dataclasses.replace(sure, estimate=Estimate(-0.1, 0.01, 30, 30))
    assert join_p([sure, opposite]) == join_p([]) == 1.0


def test_where_no_judgment_decides_you_can_stop() -> None:
    found, _ = loop(1)
    hopeless = dataclasses.replace(found.verdict[0], standing="open", needed=None, needed_these=None)
    told = dataclasses.replace(found, verdict=(hopeless,)).next_text
    assert told == (
        "As it looks now, you can stop: more judgments narrow the answer for just these queries (scope: these). If you "
        "go on: batch 2, 20 documents to judge."
    )
    these = dataclasses.replace(found, verdict=(dataclasses.replace(hopeless, scope="these"),)).next_text
    assert these == "As it looks now, you can stop. If you go on: batch 2, 20 documents to judge."
    both = dataclasses.replace(found, verdict=(hopeless, dataclasses.replace(hopeless, needed=90))).next_text
    assert both == "Next: batch 2, 20 documents to judge."


def test_old_labels_are_free_and_prove_nothing_by_themselves() -> None:
    some = Labels({query: dict(list(LABELS[query].items())[::2]) for query in LABELS})
    found = stagg.judge(RANKINGS, compare=PAIR, judged=some)
    assert found.verdict[0].judgments == 0
    assert found.todo is not None
    assert not any(row.item in some[row.query] for row in found.todo.rows)
    assert found.todo.points > (stagg.judge(RANKINGS, compare=PAIR).todo or found.todo).points


def test_changed_runs_keep_the_grades_and_begin_a_new_plan() -> None:
    _, done = loop(2)
    other = simulate(42)[0]
    changed = Rankings.from_runs(
        {**RANKINGS.to_runs(), "good": {**RANKINGS.to_runs()["good"], "q000": other.to_runs()["good"]["q000"]}}
    )
    found = stagg.judge(changed, compare=PAIR, judged=done)
    assert found.plan != done[0].plan
    assert any("60 grades are of another plan" in note for note in found.notes)
    assert sum(len(found.labels[query]) for query in found.labels) == 60
    assert found.todo is not None
    assert not {(row.query, row.item) for row in found.todo.rows} & {(r.query, r.item) for s in done for r in s.rows}


def test_several_comparisons_share_the_judgments() -> None:
    found = stagg.judge(RANKINGS, budget=300)
    assert [each.b for each in found.verdict] == list(RANKINGS.rankers)
    assert found.todo is not None
    found = stagg.judge(RANKINGS, judged=answer(found.todo, LABELS))
    assert sum(each.judgments for each in found.verdict) > 300
    assert len({each.points for each in found.verdict}) == 1


def test_what_would_decide_one_of_several_comparisons_is_more_than_it_has_and_no_more_than_it_needs() -> None:
    told = 0
    for seed, queries, budget in ((0, 12, 60), (1, 12, 60), (2, 12, 60), (0, 30, 160), (1, 30, 160)):
        runs, labels = simulate(seed, queries=queries)
        first = stagg.judge(runs, budget=budget, seed=seed)
        assert first.todo is not None
        for given in (answer(first.todo, labels), labels):
            for verdict in stagg.judge(runs, judged=given, seed=seed).verdict:
                assert verdict.needed is None or verdict.judgments < verdict.needed <= verdict.documents
                told += verdict.needed is not None
    assert told > 0


def test_a_proxy_narrows_and_is_told() -> None:
    _, done = loop(3)
    alone, helped = (stagg.judge(RANKINGS, compare=PAIR, judged=done, proxy=each).verdict[0] for each in (None, LABELS))
    assert helped.slope is not None
    assert helped.slope > 0.9
    assert helped.these is not None
    assert alone.these is not None
    assert helped.these[1] - helped.these[0] < 0.5 * (alone.these[1] - alone.these[0])
    assert "that alone is no proof" in helped.proxy_text


def test_where_all_is_judged_nothing_is_said_of_how_a_proxy_agrees() -> None:
    found = stagg.judge(RANKINGS, compare=PAIR, judged=LABELS, proxy=LABELS).verdict[0]
    assert (found.slope, found.saved) == (None, None)
    assert found.alone == pytest.approx(found.value)
    assert found.proxy_text.startswith(
        "All that differs is judged, so the proxy saves nothing. On its own it would have "
    )


def test_a_batch_is_blind_and_shuffled() -> None:
    found = stagg.judge(RANKINGS, compare=PAIR)
    assert found.todo is not None
    queries = [row.query for row in found.todo.rows]
    assert queries != sorted(queries)
    good = list_items(RANKINGS.take_rankers([0]), depth=10)
    sides = [row.item in good[row.query] for row in found.todo.rows]
    assert 5 < sum(sides[:20]) < 20  # both sides are mixed from the beginning


def test_texts_go_into_the_sheet() -> None:
    found = stagg.judge(RANKINGS, compare=PAIR, texts={}, query_texts={"q001": "how do bees fly"})
    assert found.todo is not None
    item = found.todo.rows[0].item
    told = found.add_texts({item: Text("Title", "Body")}).todo
    assert told is not None
    assert told.rows[0].item_text == "Title\nBody"
    assert {row.query_text for row in found.todo.rows} == {"", "how do bees fly"}


def test_settings_that_agree_leave_nothing_to_judge() -> None:
    found = stagg.judge(RANKINGS, compare=("rrf", "Same: rrf(c=60)"))
    assert found.todo is None
    assert found.verdict[0].standing == "nothing to judge"
    assert "place the same documents alike in all 30 queries" in repr(found)


def test_one_query_can_be_judged_alone() -> None:
    one = RANKINGS.take_queries([0])
    with pytest.raises(InvalidParameter, match=r"one query shows nothing about other queries.*scope='these'"):
        stagg.judge(one, compare=PAIR)
    found = stagg.judge(one, compare=PAIR, scope="these", budget=50)
    assert found.todo is not None
    known = stagg.judge(one, compare=PAIR, scope="these", judged=answer(found.todo, LABELS)).verdict[0]
    assert known.text.endswith("are judged.")
    assert "on this query" in known.text


def test_few_queries_are_said() -> None:
    assert any("only 9 queries" in note for note in stagg.judge(RANKINGS.take_queries(range(9)), compare=PAIR).notes)


def test_the_grades_of_the_sheet_follow_the_top_grade() -> None:
    todo = stagg.judge(RANKINGS, compare=PAIR, top_grade=1).todo
    assert todo is not None
    assert todo.grades == (("0", "not relevant"), ("1", "relevant"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"scope": "all"}, "scope is 'future' or 'these'"),
        ({"budget": 0}, "budget"),
        ({"top_grade": 0}, "the top grade is 0"),
        ({"top_grade": 1.5}, "the top grade is 1.5"),
        ({"seed": -1}, "seed"),
        ({"measure": "map"}, "take dcg@10"),
        ({"compare": ("rrf", "rrf")}, "rrf is compared with itself"),
        ({"compare": [("rrf", "good"), ("good", "rrf")]}, "good and rrf are compared twice"),
        ({"proxy": {"zz": {"d": 1}}}, "the proxy has no label"),
    ],
)
def test_wrong_options_are_refused_in_one_line(options: dict[str, object], said: str) -> None:
    with pytest.raises((InvalidParameter, DataError)) as refused:
        stagg.judge(RANKINGS, **{"compare": PAIR, **options})  # type: ignore[arg-type]
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_method_that_needs_scores_says_so() -> None:
    lists = Rankings.from_lists({"a": ["x", "y"], "b": ["y", "x"]})
    with pytest.raises(stagg.StaggError) as refused:
        stagg.judge(lists, compare=("combsum(norm='minmax')", "a"), scope="these")
    assert "\n" not in str(refused.value)


def test_the_result_can_be_read_everywhere() -> None:
    found, _ = loop(3)
    assert "good" in repr(found)
    assert "<p>good" in found._repr_html_()
    frame = found.to_frame()
    assert frame.loc[0, "judgments"] == 80
    whole = json.loads(found.to_json())
    assert whole["rows"][0]["standing"] == found.verdict[0].standing
    assert whole["plan"] == found.plan
    assert f"stagg-judge-{found.plan}" in found.to_qrels()


def test_the_hint_is_for_search_runs_only() -> None:
    line = forecast_line(RANKINGS)
    assert line is not None
    assert line.startswith("rrf and ")
    assert forecast_line(RANKINGS.take_queries([0, 1])) is None
    assert forecast_line(RANKINGS.take_rankers([0])) is None


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """The runs as files."""
    found = []
    for number, ranker in enumerate(RANKINGS.rankers):
        found.append(tmp_path / f"{ranker}.trec")
        stagg.write(RANKINGS.take_rankers([number]), found[-1])
    return found


@pytest.fixture
def call(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary)


def judge_file(path: Path, labels: Labels = LABELS) -> Path:
    """The file of a sheet, judged."""
    done = path.with_name(f"done-{path.name}")
    write_sheet(done, answer(read_sheets([path])[0], labels))
    return done


def test_the_loop_on_the_command_line_is_that_of_python(files: list[Path], call: Run, tmp_path: Path) -> None:
    done: list[object] = []
    for batch in range(1, 4):
        todo = tmp_path / f"todo{batch}.csv"
        ended = call("judge", *files, "--compare", "good;poor", *done, "-o", todo)
        assert ended.code == 0
        done += ["--judged", judge_file(todo)]
    ended = call("judge", *files, "--compare", "good;poor", *done, "--qrels", tmp_path / "out.qrels", "--json")
    found, _ = loop(3)
    assert f"80 grades written to {tmp_path / 'out.qrels'}" in ended.err
    whole = json.loads(ended.out)
    assert whole["plan"] == found.plan
    assert whole["rows"][0]["text"] == found.verdict[0].text
    ended = call("evaluate", files[0], "--qrels", tmp_path / "out.qrels", "--measures", "map")
    assert "chosen by stagg judge" in ended.err


def test_a_pattern_names_all_sheets(files: list[Path], call: Run, tmp_path: Path) -> None:
    call("judge", *files, "--compare", "good;poor", "-o", tmp_path / "todo1.csv")
    judge_file(tmp_path / "todo1.csv")
    ended = call("judge", *files, "--compare", "good;poor", "--judged", tmp_path / "done-*.csv")
    assert "after 40 judgments" in ended.out.replace("\n", " ")


def test_texts_are_read_for_the_documents_to_judge(files: list[Path], call: Run, tmp_path: Path) -> None:
    lines = [json.dumps({"_id": item, "title": "A title", "text": f"On {item}"}) for item in LABELS["q001"]]
    (tmp_path / "corpus.jsonl").write_text("\n".join(lines) + "\n")
    (tmp_path / "queries.tsv").write_text("q001\thow do bees fly\n")
    todo = tmp_path / "todo.csv"
    texts = ["--texts", tmp_path / "corpus.jsonl", "--query-texts", tmp_path / "queries.tsv"]
    assert call("judge", *files, "--compare", "good;poor", *texts, "--budget", 200, "-o", todo).code == 0
    rows = read_sheets([todo])[0].rows
    assert {row.query_text for row in rows if row.query == "q001"} == {"how do bees fly"}
    assert {row.item_text for row in rows if row.query == "q001"} <= {f"A title\nOn {item}" for item in LABELS["q001"]}
    assert {row.item_text for row in rows if row.query != "q001"} == {""}
    assert "--texts FILE" in call("judge", *files, "-o", tmp_path / "bare.html").err
    assert "--texts FILE" not in call("judge", *files, *texts, "--budget", 200, "-o", tmp_path / "full.html").err


def test_a_model_is_compared_by_its_file(files: list[Path], call: Run, tmp_path: Path) -> None:
    model = tmp_path / "ours.json"
    stagg.train(RANKINGS, "weights", LABELS).save(model)
    ended = call("judge", *files, "--compare", f"{model};rrf")
    assert ended.code == 0
    assert "ours and rrf" in ended.out or "ours against rrf" in ended.out


def test_two_versions_of_a_model_are_told_apart(files: list[Path], call: Run, tmp_path: Path) -> None:
    models = [tmp_path / name / "ours.json" for name in ("old", "new")]
    for model, learner in zip(models, ("weights", "best_input"), strict=True):
        model.parent.mkdir()
        stagg.train(RANKINGS, learner, LABELS).save(model)
    ended = call("judge", *files, "--compare", f"{models[0]};{models[1]}", "--json")
    assert [ended.code, [json.loads(ended.out)["rows"][0][side] for side in "ab"]] == [0, [*map(str, models)]]
    named = call("judge", *files, "--compare", f"Old: {models[0]}; New: {models[1]}", "--json")
    assert [json.loads(named.out)["rows"][0][side] for side in "ab"] == ["Old", "New"]


def test_a_file_or_folder_that_is_called_as_a_method_is_no_model(
    files: list[Path], call: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rrf").write_text("not a model")
    (tmp_path / "borda").mkdir()
    assert call("judge", *files, "--compare", "rrf;borda").code == 0


def test_a_run_that_is_taken_for_a_model_is_to_be_an_input(files: list[Path], call: Run) -> None:
    ended = call("judge", *files[1:], "--compare", f"rrf;{files[0]}")
    name = stagg.read(files[0]).rankers[0]
    assert (ended.code, f"name its file among the inputs, and compare it by its name, {name!r}" in ended.err) == (
        1,
        True,
    )
    assert call("judge", *files, "--compare", f"rrf;{name}").code == 0


@pytest.mark.parametrize("column", ["plan", "batch", "assessor"])
def test_a_sheet_that_lost_a_column_is_not_taken_for_labels(
    files: list[Path], call: Run, tmp_path: Path, column: str
) -> None:
    todo = tmp_path / "todo.csv"
    assert " documents to judge written to " in call("judge", *files, "-o", todo).err
    rows = list(csv.DictReader(todo.read_text().splitlines()))
    with todo.open("w") as stream:
        writer = csv.DictWriter(stream, [name for name in rows[0] if name != column], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    ended = call("judge", *files, "--judged", todo)
    assert (ended.code, f"todo.csv:1: this is not a sheet to judge: it lacks the column {column};" in ended.err) == (
        1,
        True,
    )


def test_labels_without_a_plan_are_read_as_the_options_say(files: list[Path], call: Run, tmp_path: Path) -> None:
    rows = [f"{query} 0 {item} {grade}" for query in LABELS for item, grade in LABELS[query].items()]
    (tmp_path / "old.qrels").write_bytes("\n".join(["# Zoë", *rows, ""]).encode("latin-1"))
    given = ["judge", *files, "--compare", "good;poor", "--judged", tmp_path / "old.qrels"]
    assert call(*given).code == 1
    ended = call(*given, "--encoding", "latin-1", "--comments")
    assert (ended.code, "good is above poor" in ended.out) == (0, True)
    assert f"{len(rows):,} rows" in ended.err


def test_a_sheet_that_ends_later_does_not_hide_one_that_is_complete() -> None:
    first, more = (stagg.judge(RANKINGS, compare=PAIR, budget=budget).todo for budget in (40, 100))
    assert first is not None
    assert more is not None
    found = stagg.judge(RANKINGS, compare=PAIR, judged=[answer(first, LABELS), more])
    assert found.verdict[0].judgments == 40
    assert found.todo is not None
    assert len(found.todo.rows) == 60


def test_the_order_of_the_inputs_does_not_matter() -> None:
    turned = RANKINGS.take_rankers([2, 0, 1])
    todo = stagg.judge(RANKINGS).todo
    assert todo is not None
    assert stagg.judge(turned).todo == todo


def test_what_goes_wrong_is_one_line_and_loses_nothing(files: list[Path], call: Run, tmp_path: Path) -> None:
    todo = tmp_path / "todo.csv"
    call("judge", *files, "--compare", "good;poor", "-o", todo)
    before = todo.read_bytes()
    (tmp_path / "bad.csv").write_text("query,item,grade\nq,d,1\nq,d,2\n")
    cases = [
        (2, ["--compare", "good;poor", "--judged", todo, "-o", todo], "is also an input"),
        (2, ["--compare", "good;pooor"], "did you mean"),
        (2, ["--compare", "good"], "two settings"),
        (2, ["-o", tmp_path / "todo.txt"], "-o writes .csv"),
        (1, ["-o", tmp_path / "nowhere" / "todo.csv"], "no such folder"),
        (1, ["--judged", tmp_path / "none.csv"], "none.csv"),
        (2, ["--judged", tmp_path / "todo.html"], "save them there to a file"),
        (1, ["--judged", tmp_path / "bad.csv"], "bad.csv"),
        (1, ["--compare", "good;poor", "--qrels", tmp_path / "out"], "no grades to write"),
        (1, ["--compare", "good;missing.json"], "missing.json"),
    ]
    for code, options, said in cases:
        ended = call("judge", *files, *options)
        assert (ended.code, said in ended.err) == (code, True), (options, ended.err)
        assert sum("error" in line for line in ended.err.splitlines()) == 1
        assert not ended.out
    assert todo.read_bytes() == before


def test_the_grade_out_of_range_is_told_in_flags(files: list[Path], call: Run, tmp_path: Path) -> None:
    todo = tmp_path / "todo.csv"
    call("judge", *files, "--compare", "good;poor", "-o", todo)
    sheet = read_sheets([todo])[0]
    write_sheet(
        tmp_path / "done.csv", dataclasses.replace(sheet, rows=(sheet.rows[0]._replace(grade="5"), *sheet.rows[1:]))
    )
    ended = call("judge", *files, "--compare", "good;poor", "--judged", tmp_path / "done.csv")
    assert ended.code == 1
    assert "--top-grade 5" in ended.err


def test_commands_without_labels_point_here(files: list[Path], call: Run, tmp_path: Path) -> None:
    for command in (["inspect", *files], ["explore", *files, "-o", tmp_path / "page.html"]):
        said = call(*command)
        assert "stagg judge" in said.out + said.err
        assert "stagg judge" not in call(*command, "--quiet").err
    ended = call("compare", *files, "--methods", "rrf")
    assert (ended.code, "`stagg judge` says what to judge: rrf and " in ended.err) == (2, True)
    assert len(ended.err.splitlines()) == 2


def test_grades_in_a_sheet_are_not_written_over(files: list[Path], call: Run, tmp_path: Path) -> None:
    todo = tmp_path / "todo.csv"
    assert call("judge", *files, "--compare", "good;poor", "-o", todo)[0] == 0
    assert call("judge", *files, "--compare", "good;poor", "-o", todo)[0] == 0, "nothing is lost with an empty one"
    write_sheet(todo, answer(read_sheets([todo])[0], LABELS))
    before = todo.read_bytes()
    code, _, said = call("judge", *files, "--compare", "good;poor", "-o", todo)
    assert code == 2
    assert "holds 40 grades that would be lost" in said
    assert todo.read_bytes() == before


def test_a_pattern_that_the_shell_filled_in_after_judged_is_named(files: list[Path], call: Run, tmp_path: Path) -> None:
    first, second = tmp_path / "judged1.csv", tmp_path / "judged2.csv"
    for each in (first, second):
        write_sheet(each, stagg.judge(RANKINGS, compare=PAIR).todo or Sheet("0", 1, 1, ()))
    code, _, said = call("judge", *files, "--compare", "good;poor", "--judged", first, second)
    assert code == 2
    assert "judged2.csv is a sheet of judgments, not a ranking" in said


def test_what_would_decide_is_more_than_what_is_judged() -> None:
    found, _ = loop(1, budget=24)
    verdict = found.verdict[0]
    assert verdict.standing != "decided"
    assert verdict.needed is None or verdict.needed >= 40
