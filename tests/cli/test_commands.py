"""The commands as a user meets them: what they print, where, and how they end."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.command_line import Run, copy_sample, runner

import stagg
from stagg.cli.main import COMMANDS, GROUPS
from stagg.cli.show.watching import Watcher
from stagg.data.simulation import simulate
from stagg.kernels.compiled import built
from stagg.learning.base import Step
from stagg.learning.linear.expected_measure import StaggNDCG
from stagg.methods import METHODS


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary)


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """The built-in sample in a folder of its own."""
    return copy_sample(tmp_path / "sample")


def runs(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.trec"))


def test_every_command_has_help_with_an_example(run: Run) -> None:
    kernels = "compiled" if built() else "pure Python"
    assert run("--version").out == f"stagg {stagg.__version__} ({kernels} kernels)\n"
    overview = run("--help").out
    for name in COMMANDS:
        assert f"\n  {name} " in overview
        page = run(name, "--help")
        assert page.code == 0
        assert f"stagg {name}" in page.out.split("Options:")[0].split("\n", 2)[2]


def test_a_command_that_is_not_there_is_a_usage_error_with_a_hint(run: Run) -> None:
    ended = run("fusee")
    assert ended.code == 2
    assert "did you mean 'fuse'?" in ended.err


def test_the_demo_shows_inputs_and_consensus_and_what_to_try(run: Run) -> None:
    ended = run("demo")
    assert ended.code == 0
    for word in ("CONSENSUS", "bm25", "dense", "sparse", "rrf(c=60)", "Try next:", "stagg fuse"):
        assert word in ended.out
    one = run("demo", "--query", "repot-an-orchid", "--method", "borda")
    assert one.out.count("Query:") == 1
    assert run("demo", "--query", "no-such-query").code == 2


def test_fuse_writes_a_run_and_says_what_it_did_on_stderr(run: Run, sample: Path, tmp_path: Path) -> None:
    target = tmp_path / "fused.trec"
    ended = run("fuse", *runs(sample), "-o", target)
    assert ended.code == 0
    assert ended.out == ""
    assert "rows read" in ended.err
    assert "written to" in ended.err
    rows = [line.split() for line in target.read_text().splitlines()]
    assert {row[5] for row in rows} == {"stagg-rrf"}
    assert [row[0] for row in rows] == sorted(row[0] for row in rows)
    for query in {row[0] for row in rows}:
        assert [int(row[3]) for row in rows if row[0] == query] == list(range(1, sum(r[0] == query for r in rows) + 1))


def test_without_an_output_the_run_goes_to_stdout_and_quiet_says_nothing(
    run: Run, sample: Path, tmp_path: Path
) -> None:
    target = tmp_path / "fused.trec"
    run("fuse", *runs(sample), "-o", target)
    ended = run("fuse", *runs(sample), "--quiet")
    assert ended.out == target.read_text()
    assert ended.err == ""


@pytest.mark.parametrize("method", METHODS.names())
def test_every_method_fuses_the_sample(run: Run, sample: Path, method: str) -> None:
    ended = run("fuse", *runs(sample), "--method", method, "--top", 2, "-q")
    assert ended.code == 0
    assert len(ended.out.splitlines()) == 12
    assert f"stagg-{method}" in ended.out


def test_the_order_of_the_files_does_not_change_a_byte(run: Run, sample: Path) -> None:
    one = run("fuse", *runs(sample), "-q").out
    assert run("fuse", *runs(sample)[::-1], "-q").out == one


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".json", ".parquet", ".trec", ".trec.gz", ".csv.gz"])
def test_the_ending_picks_the_format_and_every_format_reads_back(
    run: Run, sample: Path, tmp_path: Path, ending: str
) -> None:
    target = tmp_path / f"fused{ending}"
    assert run("fuse", *runs(sample), "-o", target, "-q").code == 0
    back = stagg.read(target)
    fused = stagg.fuse(stagg.read(runs(sample)))
    assert [back.best_first(q) for q in fused.queries] == [fused.best_first(q) for q in fused.queries]


def test_weights_by_name_and_by_position_agree(run: Run, sample: Path) -> None:
    by_name = run("fuse", *runs(sample), "--weights", "dense=2,sparse=0", "-q")
    by_place = run("fuse", *runs(sample), "--weights", "1,2,0", "-q")
    assert by_name.code == by_place.code == 0
    assert by_name.out == by_place.out != run("fuse", *runs(sample), "-q").out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--weights", "dense=x"], "'x' is not a number"),
        (["--weights", "dense=1,2"], "all weights by name"),
        (["--weights", "1,2"], "2 weights for 3 rankers (bm25, dense, sparse)"),
        (["--weights", "dens=1"], "did you mean 'dense'?"),
        (["--weights", "dense=1,dense=2"], "names a ranker twice"),
        (["--weights", "dense=-1"], "weights are finite and not negative"),
        (["--method", "borad"], "did you mean 'borda'?"),
        (["--method", "borda(missing='below')", "--missing", "skip"], "says missing='below'"),
        (["--missing", "below"], "cannot honour missing='below'"),
        (["--depth", "0"], "0 is not in the range"),
        (["-o", "fused.docx"], "no format writes '.docx'"),
        (["-o", "fused.trec.xz"], "only .gz can be written"),
        (["--encoding", "klingon"], "no text encoding"),
    ],
)
def test_a_wrong_call_ends_with_2_and_says_the_remedy(run: Run, sample: Path, options: list[str], message: str) -> None:
    ended = run("fuse", *runs(sample), *options)
    assert ended.code == 2
    assert message in ended.err
    assert ended.out == ""


def test_wrong_data_end_with_1_and_leave_no_output(run: Run, sample: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.trec"
    bad.write_text("q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 nan t\n")
    target = tmp_path / "out.trec"
    ended = run("fuse", bad, "-o", target)
    assert ended.code == 1
    assert f"{bad}:2: the score 'nan'" in ended.err
    assert not target.exists()
    lenient = run("fuse", bad, "-o", target, "--lenient")
    assert lenient.code == 0
    assert "2 rows read, 1 used, 1 dropped" in lenient.err


def test_an_output_that_is_an_input_is_refused(run: Run, sample: Path) -> None:
    before = runs(sample)[0].read_bytes()
    ended = run("fuse", *runs(sample), "-o", runs(sample)[0])
    assert ended.code == 2
    assert "is also an input" in ended.err
    assert runs(sample)[0].read_bytes() == before


def test_a_file_that_is_not_there_is_named(run: Run, tmp_path: Path) -> None:
    ended = run("fuse", tmp_path / "none.trec")
    assert ended.code == 1
    assert "none.trec: cannot be read: No such file" in ended.err


def test_inspect_shows_rankers_overlap_and_agreement(run: Run, sample: Path) -> None:
    ended = run("inspect", *runs(sample))
    assert ended.code == 0
    for word in ("Rankers", "Overlap", "Agreement", "bm25", "dense", "sparse"):
        assert word in ended.out
    found = json.loads(run("inspect", *runs(sample), "--json", "-q").out)
    assert found["command"] == "inspect"
    assert found["totals"]["queries"] == 6
    assert [row["ranker"] for row in found["rows"]] == ["bm25", "dense", "sparse"]
    assert all(0 < row["overlap"] < 1 for row in found["rows"])


def test_methods_lists_all_and_shows_one(run: Run) -> None:
    rows = json.loads(run("methods", "--json").out)["rows"]
    assert [row["method"] for row in rows[: len(METHODS)]] == METHODS.names()  # other packages may add some
    assert rows[3]["parameters"]["c"] == 60
    assert "Cormack" in run("methods", "rrf").out
    assert "log(2N)" in run("methods", "log_isr").out
    assert run("methods", "rrf").out.endswith("\nmissing: skip\n")  # nothing to choose, so no default
    assert "\nmissing: skip or below (the first is the default)\n" in run("methods", "borda").out
    for name in ("combsum", "gmnz", "wmnz"):
        assert '"z-score", "dbsf"' in run("methods", name).out  # the norms, not only where they are described
    assert "``" not in run("methods").out + run("methods", "rrf").out + run("learners", "weights").out
    assert run("methods", "rff").code == 2


def test_methods_are_listed_by_family_one_line_each(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("methods").out.splitlines()
    assert max(map(len, lines)) <= 80
    listed = [line.split()[0] for line in lines if line.startswith("  ")]
    assert listed[: len(METHODS)] == METHODS.names()
    families = {row["method"]: row["family"] for row in json.loads(run("methods", "--json").out)["rows"]}
    headings = [line for line in lines if line and not line.startswith(" ")][:-2]
    assert headings == list(dict.fromkeys(families[name] for name in listed))
    assert families["schulze"] == families["irv"] != families["rrf"] == families["borda"]


def test_convert_keeps_scores_and_says_what_is_left_behind(run: Run, sample: Path, tmp_path: Path) -> None:
    first = runs(sample)[0]
    assert run("convert", first, tmp_path / "bm25.csv").code == 0
    assert run("convert", tmp_path / "bm25.csv", tmp_path / "bm25.trec").code == 0
    assert stagg.read(tmp_path / "bm25.trec") == stagg.read(first)
    letor = tmp_path / "a.letor"
    letor.write_text("2 qid:1 1:1 2:NULL #docid = x\n0 qid:1 1:2 2:1 #docid = y\n")
    ended = run("convert", letor, tmp_path / "a.json")
    assert "those of the input are left behind" in ended.err
    again = run("convert", letor, tmp_path / "b.letor")
    assert again.code == 0
    assert stagg.read_labels(tmp_path / "b.letor") == stagg.read_labels(letor)


def test_simulate_writes_rankings_truth_and_labels_by_seed(run: Run, tmp_path: Path) -> None:
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    options = ["--items", 9, "--queries", 3, "--rankers", 4, "--depth", 5, "--copies", 1, "--spread", 0.5, "--seed", 3]
    ended = run("simulate", "-o", one, "--truth", tmp_path / "t.trec", "--qrels", tmp_path / "q.txt", *options)
    assert ended.code == 0
    assert run("simulate", "-o", two, *options).code == 0
    assert one.read_bytes() == two.read_bytes()
    made = stagg.read(one)
    assert len(made) == 3
    assert len(made.rankers) == 4
    assert (made.list_lengths == 5).all()
    assert stagg.read(tmp_path / "t.trec").queries == made.queries
    labels = stagg.read_labels(tmp_path / "q.txt")
    assert all(len(labels[query]) == 9 for query in made.queries)
    wrong = run("simulate", "-o", one, "--quality", "good")
    assert wrong.code == 2


def test_simulate_without_options_is_the_call_without_arguments(run: Run, tmp_path: Path) -> None:
    assert run("simulate", "-o", tmp_path / "made.csv").code == 0
    stagg.write(simulate().rankings, tmp_path / "called.csv")
    assert (tmp_path / "made.csv").read_bytes() == (tmp_path / "called.csv").read_bytes()


def test_hostile_ids_cannot_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    hostile = tmp_path / "h.json"
    hostile.write_text(json.dumps({"q\x1b[31m": {"r\x07[bold]": {"a": 1, "b": 2}, "s": {"a": 1}}}))
    ended = run("inspect", hostile)
    assert ended.code == 0
    assert "\x1b[31m" not in ended.out + ended.err
    assert "\x07" not in ended.out + ended.err
    assert "[bold]" in ended.out


# --- in processes of their own ------------------------------------------------------------------------------------


def stagg_process(*arguments: object, **options: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "stagg", *map(str, arguments)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, **options)  # type: ignore[call-overload,no-any-return]


@pytest.fixture
def long_run(tmp_path: Path) -> Path:
    path = tmp_path / "long.trec"
    rows = [f"q{q:03d} Q0 d{d:05d} {d + 1} {1000 - d} t\n" for q in range(200) for d in range(200)]
    path.write_text("".join(rows))
    return path


def test_a_closed_pipe_ends_quietly(long_run: Path) -> None:
    with stagg_process("fuse", long_run, "-q", stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"q000 Q0 d00000 1 ")
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_ctrl_c_ends_with_130_and_leaves_the_old_file(tmp_path: Path, long_run: Path) -> None:
    target, fifo = tmp_path / "out.trec", tmp_path / "fifo"
    target.write_text("old\n")
    os.mkfifo(fifo)
    with stagg_process("fuse", fifo, "-o", target, stdout=subprocess.PIPE) as process:
        with open(fifo, "wb") as stream:
            stream.write(long_run.read_bytes()[:5000])
            stream.flush()
            time.sleep(1.0)  # let the reader block on the rest
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=20) == 130
        assert process.stderr is not None
        assert process.stderr.read().strip() == b"stagg: interrupted"
    assert target.read_text() == "old\n"
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


def test_standard_input_is_read_with_a_dash(long_run: Path) -> None:
    with open(long_run, "rb") as stream:
        process = stagg_process("fuse", "-", "--top", 1, stdin=stream, stdout=subprocess.PIPE)
        out, err = process.communicate()
    assert process.returncode == 0, err
    assert len(out.splitlines()) == 200


def test_a_full_disk_behind_stdout_is_one_clear_line(long_run: Path) -> None:
    with open("/dev/full", "wb") as full, stagg_process("fuse", long_run, "-q", stdout=full) as process:
        _, err = process.communicate()
    assert process.returncode == 1
    assert b"No space left" in err
    assert b"Traceback" not in err


def test_nothing_heavy_is_imported_for_a_positional_fuse() -> None:
    program = (
        "import sys, stagg; stagg.fuse([['a', 'b'], ['b']], 'rrf(c=60)');"
        "print([m for m in ('scipy', 'rich', 'click', 'pyarrow', 'pandas', 'polars') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


def test_intervals_go_to_csv_and_say_what_they_mean(run: Run, sample: Path, tmp_path: Path) -> None:
    ended = run("fuse", *runs(sample), "--intervals", "0.9", "--top", 3)
    assert ended.code == 0
    assert ended.out.splitlines()[0] == "query,item,rank,score,low,high,top,group"
    assert len(ended.out.splitlines()) == 19
    assert "with 3 rankers they say how much the consensus depends on the choice of rankers, not more" in ended.err
    again = run("fuse", *runs(sample)[::-1], "--intervals", "0.9", "--top", 3, "-q")
    assert again.out == ended.out
    assert run("fuse", *runs(sample), "--intervals", "0.9", "--top", 3, "--seed", 1, "-q").out != ended.out
    refused = run("fuse", *runs(sample), "--intervals", "0.9", "-o", tmp_path / "x.trec")
    assert refused.code == 2
    assert "write .csv, .json or .parquet" in refused.err
    assert run("fuse", *runs(sample), "--intervals", "1.5").code == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-m", "xyzzy"], "the command `stagg methods` lists all of them"),
        (["-m", "Reciprocal Rank Fusion"], "did you mean 'rrf'?"),
        (["--wieghts", "2"], "There is no option --wieghts. Did you mean --weights?\n"),
        (["--frobnicate"], "There is no option --frobnicate.\n"),
        (["-o", "x"], "the ending of the name says the format, and it has none; the endings are .csv"),
        (["-o", "nodir/x.trec"], "cannot be written: the folder 'nodir' does not exist"),
        (["nodir/a.trec", "nodir/b.trec"], "these files do not exist: 'nodir/a.trec', 'nodir/b.trec'"),
    ],
)
def test_a_slip_is_told_what_to_write_instead(arguments: list[str], said: str, run: Run, sample: Path) -> None:
    ended = run("fuse", *runs(sample), *arguments)
    assert ended.code in (1, 2)
    assert said in ended.err


def test_a_missing_file_is_told_the_name_of_one_beside_it(
    run: Run, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sample)
    assert "did you mean 'bm25.trec'?" in run("fuse", "bm25.trc").err
    several = run("fuse", "BM25.trc", "dens.trec", "xyz").err
    assert "'BM25.trc' (did you mean 'bm25.trec'?), 'dens.trec' (did you mean 'dense.trec'?), 'xyz'\n" in several


def test_a_query_that_is_not_there_is_told_some_that_are(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "many.csv"
    table.write_text("query,item,rank\n" + "".join(f"{number},d,1\n" for number in range(20, 70)))
    for command in ("fuse", "explain"):
        assert (
            "no query '999'; there are 50 queries, such as '20', '21', '22'"
            in run(command, table, "--query", "999").err
        )


def test_numbers_agree_with_their_nouns(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.trec").write_text("q Q0 d 1 2 t\n", encoding="utf-8")
    (tmp_path / "b.trec").write_text("q Q0 d 1 2 t\np Q0 d 1 2 t\n", encoding="utf-8")
    said = run("fuse", tmp_path / "a.trec", "-o", tmp_path / "x.trec").err
    assert "1 row read, 1 used" in said
    assert "1 query, 1 row by rrf" in said
    assert "1 of 2 queries is in only some" in run("fuse", tmp_path / "a.trec", tmp_path / "b.trec").err


def test_a_model_says_once_what_the_input_lacks(run: Run, sample: Path, tmp_path: Path) -> None:
    options = ["--qrels", sample / "qrels.txt", "--learner", "weights", "-o", tmp_path / "w.json"]
    assert run("train", *runs(sample), *options).code == 0
    said = run("fuse", *runs(sample)[:2], "--model", tmp_path / "w.json").err
    assert said.count("the input lacks rankers that the model knows") == 1


def test_inspect_shows_names_of_files_in_one_piece(run: Run, sample: Path) -> None:
    shown = run("inspect", *runs(sample)).out.split("Rankers")[0]
    assert "bm25.trec" in shown
    assert str(sample)[:8] not in shown


def test_lists_of_names_end_with_their_sentence(run: Run) -> None:
    told = json.loads(run("features", "--json").out)["rows"]
    assert all(each["summary"].endswith(".") for each in told)
    assert ":class:" not in run("learners", "posfuse").out


def test_what_absence_means_is_not_told_of_a_model_that_has_learned_it(run: Run, sample: Path) -> None:
    model, given = sample / "m.json", [*runs(sample), "--query", "repot-an-orchid"]
    for learner, told in (("stagg_ndcg(features='ranks(missing_bits=True)')", False), ("weights", True)):
        run("train", *runs(sample), "--qrels", sample / "qrels.txt", "--learner", learner, "-o", model)
        explained = run("explain", *given, "--item", "orchid-wallpaper-shop", "--model", model).out
        assert "the list does not hold the item" in explained
        for shown in (explained, run("fuse", *given, "--model", model, "--format", "table").out):
            assert ("(--missing skip)" in shown) is told


def test_one_run_alone_is_not_fused_in_silence(run: Run, sample: Path) -> None:
    for more in ([], ["--query", "repot-an-orchid"]):
        assert "only one list per query, so there is nothing to fuse it with" in run("fuse", runs(sample)[0], *more).err
    assert "only one list" not in run("fuse", *runs(sample)).err


def test_explain_without_an_item_explains_the_first_one_and_names_what_to_say(run: Run, sample: Path) -> None:
    first = json.loads(run("explain", *runs(sample), "--query", "repot-an-orchid", "--json", "-q").out)
    assert (first["rank"], first["above"]) == (1, None)
    below = run("explain", *runs(sample), "--query", "repot-an-orchid", "--item", "root-rot-rescue", "-q").out
    assert "the item just above; its score is 0.0312805, 0.00165 more" in " ".join(below.split())
    assert "--query repot-an-orchid" in run("explain", *runs(sample), "-q").err
    alone = run("explain", runs(sample)[0], "--query", "repot-an-orchid", "-q").out
    assert "only one list" in alone
    assert "rank without it" not in alone


def test_explain_compares_the_first_item_with_the_runner_up(run: Run, sample: Path, tmp_path: Path) -> None:
    first = run("explain", *runs(sample), "--query", "repot-an-orchid", "-q").out
    assert "the item just below; its score is 0.0464091, 0.00199 less" in " ".join(first.split())
    assert "tied with" not in first
    table = tmp_path / "tie.csv"
    table.write_text("ranker,item,rank\nx,a,1\nx,b,2\ny,b,1\ny,a,2\n")
    tie = " ".join(run("explain", table, "-q").out.split())
    assert "tied with 'a': equal scores are ordered by id, descending" in tie
    assert "the item just below; its score is the same" in tie


def test_explain_shows_shares_and_what_changes_without_a_ranker(run: Run, sample: Path) -> None:
    options = ["--query", "repot-an-orchid", "--item", "when-to-repot-a-phalaenopsis"]
    ended = run("explain", *runs(sample), *options, "--method", "stagg_rrf")
    assert ended.code == 0
    for word in ("rank 2 of 13", "rank without it", "share", "Rank distribution", "█"):
        assert word in ended.out
    found = json.loads(run("explain", *runs(sample), *options, "--json", "-q").out)
    assert found["rank"] == 2
    assert sum(row["share"] for row in found["rows"]) == pytest.approx(1.0)
    wrong = run("explain", *runs(sample), "--query", "repot-an-orchid", "--item", "when-to-repot")
    assert wrong.code == 2
    assert "has no item 'when-to-repot'" in wrong.err
    assert run("explain", *runs(sample), "--item", "x").code == 2


def test_evaluate_prints_means_with_their_conventions(run: Run, sample: Path, tmp_path: Path) -> None:
    run("fuse", *runs(sample), "-o", tmp_path / "fused.trec")
    qrels = sample / "qrels.txt"
    ended = run("evaluate", tmp_path / "fused.trec", *runs(sample), "--qrels", qrels, "--measures", "ndcg@10,mrr")
    assert ended.code == 0
    for word in ("fused", "bm25", "ndcg@10", "conventions: standard"):
        assert word in ended.out
    found = json.loads(run("evaluate", tmp_path / "fused.trec", "--qrels", qrels, "--json", "-q").out)
    assert [row["measure"] for row in found["rows"]] == ["ndcg@5", "ndcg@10", "err", "rbp(p=0.95)"]
    per_query = run("evaluate", tmp_path / "fused.trec", "--qrels", qrels, "--per-query", "--format", "csv", "-q")
    assert per_query.out.splitlines()[0] == "run,measure,mean,queries,query,value,judged,judged_at"
    assert len(per_query.out.splitlines()) == 1 + 4 * 6
    assert run("evaluate", tmp_path / "fused.trec").code == 2
    assert run("evaluate", tmp_path / "fused.trec", "--qrels", qrels, "--measures", "ndgc").code == 2


def test_evaluate_and_compare_give_one_figure_for_a_run_whose_scores_tie_as_float32(run: Run, tmp_path: Path) -> None:
    for name, score in (("x", "20.00000001"), ("y", "21.0")):
        (tmp_path / f"{name}.trec").write_text(f"1 Q0 a 1 {score} {name}\n1 Q0 b 2 20.0 {name}\n")
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    given = (tmp_path / "x.trec", tmp_path / "y.trec", "--qrels", tmp_path / "qrels", "--measures", "mrr", "--json")

    def means(*arguments: object) -> list[float]:
        return [row["mean"] for row in json.loads(run(*arguments, *given, "-q").out)["rows"]]

    assert means("evaluate") == means("compare", "--inputs") == [0.5, 1.0]  # trec_eval: b is the greater id
    assert means("evaluate", "--order-by", "rank") == means("compare", "--inputs", "--order-by", "rank") == [1.0, 1.0]


def test_compare_shows_tests_against_the_baseline_in_every_format(run: Run, sample: Path) -> None:
    options = ["--qrels", sample / "qrels.txt", "--methods", "borda;rrf(c=60)", "--learners", "best_input", "-q"]
    brief, ended = (run("compare", *runs(sample), *options, *more) for more in ([], ["--notes"]))
    assert ended.code == 0
    for word in ("borda", "rrf(c=60)", "best_input", "chosen on the same queries", "conventions: standard"):
        assert word in ended.out
        assert (word in brief.out) == (word != "chosen on the same queries")
    assert run("compare", *runs(sample), *options, "--format", "md").out.startswith("| method ")
    assert "\\begin{tabular}" in run("compare", *runs(sample), *options, "--format", "latex").out
    assert run("compare", *runs(sample), *options, "--format", "csv").out.startswith("method,measure,mean,low,high")
    rows = json.loads(run("compare", *runs(sample), *options, "--json").out)["rows"]
    assert len(rows) == 12
    again = run("compare", *runs(sample)[::-1], *options, "--json", "--threads", 2)
    assert json.loads(again.out)["rows"] == rows


def test_compare_takes_several_baselines_the_best_input_and_letters(run: Run, sample: Path) -> None:
    words = [
        *runs(sample),
        "--qrels",
        sample / "qrels.txt",
        "--methods",
        "rrf;borda",
        "--measures",
        "ndcg@10",
        "--quiet",
    ]
    asked = ["--baseline", "best", "--baseline", "rrf", "--letters"]
    ended = run("compare", *words, *asked)
    assert ended.code == 0
    for text in ("is the best input by ndcg@10", "tests are against rrf(c=60)", "Methods that share a letter"):
        assert text in ended.out
    rows = json.loads(run("compare", *words, *asked, "--json").out)["rows"]
    assert {"letters", "p_holm", "p_holm_vs_rrf(c=60)"} <= set(rows[0])
    latex = run("compare", *words, *asked, "--format", "latex").out
    assert latex.count("\\begin{table}") == 3
    assert len(set(re.findall(r"\\label\{(.*?)\}", latex))) == 3
    assert "letters" not in json.loads(run("compare", *words, "--json").out)["rows"][0]


def test_compare_warns_of_learners_that_are_tested_on_what_they_saw(run: Run, sample: Path) -> None:
    common = [*runs(sample), "--qrels", sample / "qrels.txt", "-m", "borda", "-q"]
    for format_name in ("table", "md", "latex", "csv", "json"):
        ended = run("compare", *common, "--learners", "L: best_input", "--format", format_name)
        assert "stagg: warning: L: trained on the queries it is tested on" in ended.err
        assert "--folds 5" in ended.err
    assert "warning" not in run("compare", *common, "--learners", "best_input", "--folds", 3).err


def test_a_choice_at_the_edge_of_its_list_is_said_where_the_notes_are_only_comments(run: Run, sample: Path) -> None:
    tuned = ["-m", "borda", "--tune", "T: rrf(c=[1,60])", "--folds", 3, "-q"]
    for format_name, said in (("latex", True), ("json", True), ("table", False), ("md", False)):
        ended = run("compare", *runs(sample), "--qrels", sample / "qrels.txt", *tuned, "--format", format_name)
        assert ("value of its list" in ended.err) == said
        assert "value of its" in ended.out


def test_compare_tunes_on_folds(run: Run, sample: Path) -> None:
    qrels = sample / "qrels.txt"
    tuned = run(
        "compare", *runs(sample), "--qrels", qrels, "-m", "borda", "--tune", "rrf(c=[1,60])", "--folds", 3, "-q"
    )
    assert tuned.code == 0
    assert "rrf(c=[1,60])" in tuned.out
    wrong = run("compare", *runs(sample), "--qrels", qrels, "-m", "borda", "--folds", "letor")
    assert wrong.code == 2
    assert "needs five LETOR files" in wrong.err
    assert run("compare", *runs(sample), "--qrels", qrels, "--tune", "rrf(c=[1])").code == 2


def test_robustness_draws_rankers_and_compare_says_where_it_went(run: Run, sample: Path) -> None:
    common = [*runs(sample), "--qrels", sample / "qrels.txt", "-m", "borda;rrf", "--rankers", "2,3", "-q"]
    drawn = run("robustness", *common, "--draws", 4, "--json")
    assert drawn.code == 0
    rows = json.loads(drawn.out)["rows"]
    assert {(row["method"], row["rankers"], row["draws"]) for row in rows} == {
        (method, size, 4) for method in ("borda", "rrf(c=60)") for size in (2, 3)
    }
    moved = run("compare", *common)
    assert (moved.code, "stagg robustness INPUT... --rankers 2,3" in moved.err) == (2, True)
    assert run("robustness", *common[:-2], "two").code == 2


def test_compare_takes_weights_depth_missing_and_models(run: Run, sample: Path, tmp_path: Path) -> None:
    qrels, model = sample / "qrels.txt", tmp_path / "model.json"
    assert run("train", *runs(sample), "--qrels", qrels, "-l", "weights", "-o", model, "-q").code == 0
    common = ["compare", *runs(sample), "--qrels", qrels, "-m", "borda", "--measures", "ndcg@5", "--json", "-q"]

    def means(*more: object) -> dict[str, float]:
        done = run(*common, *more)
        assert done.code == 0, done.err
        return {row["method"]: row["mean"] for row in json.loads(done.out)["rows"]}

    plain, read = means(), stagg.read(runs(sample))
    labels = stagg.read_labels(qrels)
    for options in ({"weights": {"bm25": 0, "dense": 3}}, {"depth": 2}, {"missing": "below"}):
        flags = ["--weights", "bm25=0,dense=3"] if "weights" in options else [f"--{k}={v}" for k, v in options.items()]
        fused = stagg.fuse(read, "borda", **options)
        (truth,) = stagg.evaluate(fused, labels, "ndcg@5").rows
        (found,) = means(*flags).values()
        assert found == pytest.approx(truth["mean"])
        assert found != plain["borda"]
    with_model = means("--model", model)
    assert list(with_model) == ["borda", str(model)]
    (truth,) = stagg.evaluate(stagg.fuse(read, stagg.load_model(model)), labels, "ndcg@5").rows
    assert with_model[str(model)] == pytest.approx(truth["mean"])


@pytest.mark.parametrize(
    "learner",
    ["weights", "best_input", "trust", "stagg_ndcg(iterations=3)", "ensemble(members='stagg_ndcg(iterations=3)')"],
)
def test_explain_takes_a_model(run: Run, sample: Path, tmp_path: Path, learner: str) -> None:
    model, qrels = tmp_path / "model.json", ["--qrels", sample / "qrels.txt"] if learner != "trust" else []
    assert run("train", *runs(sample), *qrels, "-l", learner, "-o", model, "-q").code == 0
    fused = json.loads(run("fuse", *runs(sample), "--model", model, "-o", tmp_path / "f.json", "-q").out or "{}")
    assert fused == {}
    scores = json.loads((tmp_path / "f.json").read_text())
    query = next(iter(scores))
    for rank, (item, score) in enumerate(scores[query].items(), start=1):
        told = run("explain", *runs(sample), "--query", query, "--item", item, "--model", model, "--json", "-q")
        assert (told.code, told.err) == (0, "")
        found = json.loads(told.out)
        assert (found["rank"], found["score"]) == (rank, pytest.approx(score))
        assert found["method"].startswith(learner.partition("(")[0])
        break
    both = run("explain", *runs(sample), "--query", query, "--item", "x", "--model", model, "--method", "rrf")
    assert (both.code, "exclude each other" in both.err) == (2, True)


def test_an_interrupted_training_keeps_the_best_model_so_far(
    run: Run, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[Step] = []
    shown = Watcher.__call__

    def pressed(self: Watcher, step: Step) -> bool:
        steps.append(step)
        if len(steps) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return shown(self, step)

    monkeypatch.setattr(Watcher, "__call__", pressed)
    model, qrels = tmp_path / "model.json", sample / "qrels.txt"
    ended = run("train", *runs(sample), "--qrels", qrels, "-l", "stagg_ndcg", "-o", model)
    assert ended.code == 130
    assert "the best model so far is written" in ended.err
    assert len(steps) == 2
    assert run("fuse", *runs(sample), "--model", model).code == 0
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_before_the_first_iteration_leaves_nothing(
    run: Run, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "model.json"
    model.write_text("old")

    def pressed(*args: object, **kwargs: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(StaggNDCG, "fit", pressed)
    ended = run("train", *runs(sample), "--qrels", sample / "qrels.txt", "-l", "stagg_ndcg", "-o", model)
    assert ended.code == 130
    assert model.read_text() == "old"


def test_train_reports_every_iteration_now_and_then(run: Run, sample: Path, tmp_path: Path) -> None:
    model, qrels = tmp_path / "model.json", sample / "qrels.txt"
    call = ("train", *runs(sample), "--qrels", qrels, "-l", "stagg_rbp", "-o", model, "--holdout", "0.3")
    ended = run(*call)
    assert "iteration 1 of at most 300: objective" in ended.err
    assert "validation" in ended.err
    assert "iteration" not in run(*call, "--quiet").err


def test_train_says_on_which_queries_its_mean_is_and_which_weights_it_learned(
    run: Run, sample: Path, tmp_path: Path
) -> None:
    call = ("train", *runs(sample), "--qrels", sample / "qrels.txt", "-o", tmp_path / "model.json")
    said = run(*call, "-l", "weights").err
    learned = stagg.load_model(tmp_path / "model.json").content()["weights"]
    told = ", ".join(f"{name} {weight:.4g}{'' if weight else ' (left out)'}" for name, weight in learned.items())
    assert f"weights: {told}\n" in said
    assert "mean over the training queries 0." in said
    chosen = run(*call, "-l", "slidefuse", "--holdout", "0.3").err  # it chooses its window there
    assert "mean over the validation queries 0." in chosen
    assert "training queries" not in chosen
    assert "Every iteration" not in run("train", "--help").out


def test_train_says_how_far_it_trusts_each_ranker_and_which_input_is_the_best(
    run: Run, sample: Path, tmp_path: Path
) -> None:
    model = tmp_path / "model.json"
    said = run("train", *runs(sample), "--learner", "trust", "-o", model).err
    for name in ("bm25", "dense", "sparse"):
        assert re.search(rf"^stagg: {name}: reliability 0\.\d\d, share [01]\.\d\d, influence [01]\.\d\d", said, re.M)
    said = run("train", *runs(sample), "--qrels", sample / "qrels.txt", "--learner", "best_input", "-o", model).err
    assert "stagg: the best input is dense\n" in said


def test_train_writes_a_model_that_fuse_uses(run: Run, sample: Path, tmp_path: Path) -> None:
    model, qrels = tmp_path / "model.json", sample / "qrels.txt"
    ended = run("train", *runs(sample), "--qrels", qrels, "--learner", "weights", "-o", model, "--holdout", "0.3")
    assert ended.code == 0
    assert "trained" in ended.err
    fused = run("fuse", *runs(sample), "--model", model, "-q")
    assert fused.code == 0
    assert "stagg-weights" in fused.out
    assert run("fuse", *runs(sample), "--model", model, "--method", "borda").code == 2
    assert run("fuse", runs(sample)[0], "--model", tmp_path / "none.json").code == 1
    assert run("train", *runs(sample), "--qrels", qrels, "--learner", "weigths", "-o", model).code == 2
    nowhere = run("train", *runs(sample), "--qrels", qrels, "-l", "weights", "-o", tmp_path / "none" / "model.json")
    assert nowhere.code == 2
    assert "no such folder" in nowhere.err
    assert "iteration" not in nowhere.err  # said before the training
    assert run("learners").out.count("best_input") >= 1
    assert "ndcg" in run("measures").out
    assert run("measures", "ndcg").code == 0
    assert json.loads(run("learners", "--json").out)["rows"][0]["learner"] == "best_input"


def test_features_lists_the_maps_and_shows_one(run: Run) -> None:
    rows = json.loads(run("features", "--json").out)["rows"]
    assert [row["feature"] for row in rows] == ["borda", "svd", "cp", "ranks", "raw"]
    assert "restarts=10" in run("features").out
    assert "singular_values=True" in run("features", "svd").out
    wrong = run("features", "sdv")
    assert wrong.code == 2
    assert "unknown feature 'sdv'; did you mean 'svd'?" in wrong.err


def test_a_model_that_knows_more_rankers_warns_on_stderr(run: Run, sample: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.json"
    run("train", *runs(sample), "--qrels", sample / "qrels.txt", "--learner", "best_input", "-o", model)
    ended = run("fuse", *runs(sample)[:2], "--model", model)
    assert ended.code == 0
    assert "the input lacks rankers that the model knows" in ended.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("evaluate", "--baseline", "rrf"), "There is no option --baseline. It is an option of stagg compare."),
        (("evaluate", "--measure", "map"), "There is no option --measure. Did you mean --measures?"),
        (("compare",), "name methods or learners; --inputs compares the inputs themselves"),
        (("compare", "-m", "rrf", "--folds", "letor"), "parts 1 to 5 in this order; 3 inputs were given. --folds K"),
        (("compare", "-m", "x: rrf(weights=[1,1,2])"), "hold for all methods: give them as --weights bm25=2"),
        (("robustness", "--rankers", 2), "name one or more, such as --methods 'borda, rrf'"),
    ],
)
def test_a_wrong_call_is_told_what_to_do(run: Run, sample: Path, words: tuple[str, ...], message: str) -> None:
    done = run(words[0], *runs(sample), "--qrels", sample / "qrels.txt", *words[1:])
    assert done.code == 2
    assert message in done.err


def test_evaluate_refuses_labels_of_another_collection(run: Run, sample: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("elsewhere 0 d1 1\n")
    done = run("evaluate", *runs(sample), "--qrels", other)
    assert done.code == 1
    assert "no query of bm25 has a label" in done.err
    assert not done.out


def test_evaluate_counts_one_query_as_one(run: Run, sample: Path, tmp_path: Path) -> None:
    more = tmp_path / "more.txt"
    more.write_text((sample / "qrels.txt").read_text() + "elsewhere 0 d1 1\n")
    done = run("evaluate", runs(sample)[0], "--qrels", more, "--json", "-q")
    assert "1 query with labels is not in the run and counts 0 (elsewhere)" in done.out


def test_an_earlier_fusion_among_the_inputs_is_warned_of_where_they_are_fused(run: Run, sample: Path) -> None:
    earlier = sample / "fused.trec"
    assert "earlier fusion" not in run("fuse", *runs(sample), "-o", earlier).err
    warning = f"warning: {earlier}: this is an earlier fusion (run tag 'stagg-rrf') and counts as one more ranker"
    in_memory = ["--query", "repot-an-orchid"]
    for options in ([], in_memory, ["--input-format", "trec"], ["--lenient"]):
        assert run("fuse", *runs(sample), "-q", *options).err.count(warning) == 1
    assert warning in run("explain", *runs(sample), *in_memory, "-q").err
    assert warning not in run("evaluate", *runs(sample), "--qrels", sample / "qrels.txt").err  # here it belongs
    shutil.copy(earlier, sample / "other.trec")
    assert warning not in run("fuse", earlier, sample / "other.trec").err  # fusions alone are fused on purpose


def test_the_line_on_what_was_read_names_few_rankers_and_says_what_it_counts(run: Run, sample: Path) -> None:
    for options in ([], ["--query", "repot-an-orchid", "--query", "python-read-large-csv"]):
        said = run("fuse", *runs(sample), *options).err
        assert "3 rankers (bm25, dense, sparse), " in said
        assert " query-item pairs, " in said
    assert "1 ranker (bm25), 8 items" in run("fuse", sample / "bm25.trec", "--query", "repot-an-orchid").err
    inspected = run("inspect", *runs(sample)).out
    assert "query-item pairs" in inspected
    assert "(Jaccard)" in inspected
    many = [shutil.copy(sample / "bm25.trec", sample / f"{name}.trec") for name in "abcdefg"]
    assert ", 7 rankers, " in run("fuse", *many).err


def test_a_top_beyond_64_bits_keeps_everything(run: Run, sample: Path) -> None:
    assert run("fuse", *runs(sample), "--top", "9" * 25, "-q").out == run("fuse", *runs(sample), "-q").out


def test_simulate_says_what_it_wrote_unless_it_is_to_be_quiet(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "made.csv"
    assert f"written to {path}" in run("simulate", "-o", path).err
    assert run("simulate", "-o", path, "--quiet").err == ""


def test_columns_of_one_file_and_grades_of_labels_are_said_on_the_command_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bm25.csv").write_text("qid,docno,score\n1,a,3\n1,b,2\n")
    (tmp_path / "dense.csv").write_text("question,id,distance\n1,b,0.1\n1,c,0.3\n")
    (tmp_path / "judged.csv").write_text("query,product,kind\n1,a,Exact\n1,b,Irrelevant\n")
    inputs = [tmp_path / "bm25.csv", tmp_path / "dense.csv"]
    own = "dense:query=question,item=id,rank=distance"
    assert run("fuse", *inputs, "--columns", own, "-q").out.splitlines()[0].split()[2] == "b"
    assert "did you mean 'dense'" in run("fuse", *inputs, "--columns", own.replace("dense", "dens")).err
    common = ["evaluate", inputs[0], "--qrels", tmp_path / "judged.csv", "--measures", "mrr", "--json", "-q"]
    asked = run(*common)
    assert "--columns query=query,item=product,label=kind" in asked.err
    for columns in ("query=query,item=product,label=kind", "judged:label=kind", "judged.csv:label=kind"):
        assert "--grades Exact=3,Irrelevant=0" in run(*common, "--columns", columns).err
        told = json.loads(run(*common, "--columns", columns, "--grades", "Exact=3,Irrelevant=0").out)
        assert told["rows"][0]["mean"] == 1.0
    for wrong in ("Exact", "Exact=high", "=3"):
        assert "--grades takes WORD=NUMBER" in run(*common, "--grades", wrong).err


def test_the_help_shows_every_command_once_in_its_group_and_cuts_no_line(run: Run) -> None:
    shown = run("--help").out.split("Options:")[1]
    for title, names in GROUPS.items():
        section = shown.split(f"\n{title}:\n")[1].split("\n\n")[0].splitlines()
        assert [line.split()[0] for line in section] == list(names)
        assert not any(line.endswith("...") for line in section), section


def test_inspect_says_what_to_try_where_scores_tie_nearly_all_rows(run: Run, tmp_path: Path) -> None:
    (tmp_path / "flat.trec").write_text("".join(f"q Q0 d{n} {n} 0.5 x\n" for n in range(1, 30)), encoding="utf-8")
    told = "tied in flat: if the file has ranks beside its scores, try --order-by rank"
    assert told in " ".join(run("inspect", tmp_path / "flat.trec").out.split())
    ranked = run("inspect", tmp_path / "flat.trec", "--order-by", "rank").out
    assert "Nearly all rows are tied" not in ranked


def test_the_table_of_a_proxy_has_the_names_of_the_first_table(sample: Path, run: Run, tmp_path: Path) -> None:
    lines = (sample / "qrels.txt").read_text().splitlines()
    queries = sorted({line.split()[0] for line in lines})[:5]
    few = tmp_path / "few.txt"
    few.write_text("\n".join(line for line in lines if line.split()[0] in queries) + "\n")
    methods = "stagg_rrf(shape='harmonic(1)', c=60); stagg_rrf(shape='harmonic(1)', c=10); rrf"
    call = ("compare", *runs(sample), "--qrels", few, "--proxy", sample / "qrels.txt", "-m", methods, "-q")
    shown = run(*call, "--baseline", "rrf", "--measures", "ndcg@10").out
    assert len(re.findall(r"^ +stagg_rrf [12] ", shown, re.MULTILINE)) == 4
    assert "stagg_rrf 2: stagg_rrf(shape='harmonic(1)', c=10)" in shown
