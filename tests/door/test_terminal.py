"""On a terminal: the consensus as a table to read, chosen queries, formats by name, names that the shell completes."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.command_line import Run, copy_sample, runner

HOSTILE = ["d\x1b[31mred", "日本語の文書", "[bold]x[/bold]", "\u202egnp.exe", "x" * 120]


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    sample = copy_sample(tmp_path / "sample")
    return [sample / f"{name}.trec" for name in ("bm25", "dense", "sparse")]


def on_terminal(*arguments: object, columns: int = 80, **environment: str) -> str:
    """What a command prints when its output is a terminal of so many columns."""
    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    command = [sys.executable, "-m", "stagg", *map(str, arguments)]
    known = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
    with subprocess.Popen(command, stdout=other, stderr=subprocess.PIPE, env=known | environment):
        os.close(other)
        parts = []
        while True:
            try:
                part = os.read(main, 1 << 16)
            except OSError:  # Linux: the other end is closed
                break
            if not part:
                break
            parts.append(part)
    os.close(main)
    return b"".join(parts).decode().replace("\r\n", "\n")


def test_a_terminal_gets_a_table_and_a_pipe_gets_trec(files: list[Path], run: Run) -> None:
    shown = on_terminal("fuse", *files, "--query", "repot-an-orchid", "--top", 3, TERM="dumb")
    assert "Query: repot-an-orchid" in shown
    assert "orchid-repotting-step-by-step   0.0484      2       3        1" in shown
    assert "Q0" not in shown
    piped = run("fuse", *files, "--query", "repot-an-orchid", "--top", 3, "-q").out
    assert piped.startswith("repot-an-orchid Q0 orchid-repotting-step-by-step 1 ")


def test_the_table_of_the_demo_is_the_table_of_ones_own_data(files: list[Path], run: Run) -> None:
    own = run("fuse", *files, "--intervals", 0.9, "--format", "table", "--top", 50, "-q").out
    demo = run("demo").out
    assert own.split("Consensus by")[0] == demo.split("Consensus by")[0]


@pytest.mark.parametrize("view", ["table", "md"])
def test_the_table_of_rra_shows_p_and_q_and_says_what_they_are(view: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "genes.csv").write_text("lab1,lab2,lab3\nTP53,MYC,TP53\nMYC,TP53,EGFR\nEGFR,,MYC\nKRAS,,\n")
    given = ("fuse", tmp_path / "genes.csv", "--layout", "columns", "--header", "-m", "rra", "-q")
    shown = run(*given, "--format", view).out
    rows = [line.replace("|", " ").split() for line in shown.splitlines()]
    assert ["rank", "CONSENSUS", "score", "p", "q", "lab1", "lab2", "lab3"] in rows
    assert ["1", "TP53", "0.9031", "0.3750", "1.0000", "1", "2", "1"] in rows
    assert ("p: the p-value of the item" in shown) == (view == "table")
    assert run(*given).out.splitlines()[0] == "1 Q0 TP53 1 0.90309 stagg-rra"  # in a pipe it is TREC, as ever


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_hostile_and_wide_ids_keep_within_the_terminal(columns: int, tmp_path: Path) -> None:
    from rich.cells import cell_len

    for name in ("bm25", "密集"):
        run = {"q\x1b[2J": {item: float(-place) for place, item in enumerate(HOSTILE)}}
        (tmp_path / f"{name}.json").write_text(json.dumps(run), encoding="utf-8")
    dressed = on_terminal("fuse", *sorted(tmp_path.glob("*.json")), columns=columns, TERM="xterm")
    shown = re.sub(r"\x1b\[[012;]*m", "", dressed)  # bold and dim are ours
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "Query: q\\x1b[2J" in shown
    assert "日本" in shown
    assert max(map(cell_len, shown.splitlines())) <= columns


def test_no_colour_is_used(files: list[Path]) -> None:
    for more in ({}, {"NO_COLOR": "1"}):
        shown = on_terminal("fuse", *files, TERM="xterm-256color", **more)
        codes = {code for part in shown.split("\x1b[")[1:] for code in part.split("m")[0].split(";")}
        assert codes <= {"0", "1", "2"}  # bold and dim


def test_many_rankers_become_a_count(tmp_path: Path) -> None:
    rows = [
        "query,ranker,item,rank",
        *[f"q,ranker number {k},d{i},{i + 1}" for k in range(20) for i in range(k % 3 + 1)],
    ]
    (tmp_path / "many.csv").write_text("\n".join(rows), encoding="utf-8")
    shown = on_terminal("fuse", tmp_path / "many.csv", TERM="dumb")
    assert "20 of 20" in shown
    assert "13 of 20" in shown
    assert "how many rankers list the item" in shown


def test_long_names_of_rankers_are_cut_before_their_columns_are_left_out(files: list[Path], tmp_path: Path) -> None:
    long = [tmp_path / f"SPLADE_P_P_ENSEMBLE_DISTIL_{number}.trec" for number in (1, 2)]
    for path in long:
        path.write_bytes(files[2].read_bytes())
    shown = on_terminal("fuse", files[0], *long, "--query", "repot-an-orchid", TERM="dumb")
    head = next(line for line in shown.splitlines() if "CONSENSUS" in line).split()
    assert head[:4] == ["rank", "CONSENSUS", "score", "bm25"]
    assert head[4].endswith("…")
    assert head[5].endswith("…2")
    assert f"{head[5]} is SPLADE_P_P_ENSEMBLE_DISTIL_2" in " ".join(shown.split())


def test_a_weight_of_an_unknown_ranker_is_told_the_name_that_begins_so(files: list[Path], run: Run) -> None:
    assert "did you mean 'sparse'?" in run("fuse", *files, "--weights", "spa=2").err
    assert "write bm25=2" in run("fuse", *files, "--weights", "bm25:2").err


def test_what_is_not_shown_is_counted(tmp_path: Path, run: Run) -> None:
    rows = ["query,ranker,item,rank", *[f"q{q:02},r,d{i},{i + 1}" for q in range(12) for i in range(15)]]
    (tmp_path / "long.csv").write_text("\n".join(rows), encoding="utf-8")
    shown = " ".join(run("fuse", tmp_path / "long.csv", "--format", "table", "-q").out.split())
    assert "the first 10 of 12 queries" in shown
    assert "the first 10 items (--top K shows more)" in shown
    assert "q11" not in shown
    assert "Query: q11" in run("fuse", tmp_path / "long.csv", "--format", "table", "--query", "q11", "-q").out


# --- queries ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["trec", "csv", "json"])
@pytest.mark.parametrize("method", ["rrf(c=60)", "stagg_trust"])
def test_a_chosen_query_has_the_consensus_that_it_has_among_all(
    method: str, ending: str, files: list[Path], run: Run, tmp_path: Path
) -> None:
    inputs: list[Path] = files
    if ending != "trec":
        inputs = [path.with_suffix(f".{ending}") for path in files]
        for path, other in zip(files, inputs, strict=True):
            assert run("convert", path, other).code == 0
    whole = run("fuse", *inputs, "-m", method, "-q").out.splitlines()
    chosen = run("fuse", *inputs, "-m", method, "-q", "--query", "repot-an-orchid", "--query", "python-read-large-csv")
    asked = ("repot-an-orchid", "python-read-large-csv")
    assert chosen.out.splitlines() == [line for line in whole if line.startswith(asked)]


def test_only_the_chosen_query_of_trec_runs_is_kept(files: list[Path], run: Run) -> None:
    rows = sum(len(path.read_text().splitlines()) for path in files)
    done = run("fuse", *files, "--query", "repot-an-orchid")
    assert f"{rows} rows read, {rows} used, 0 dropped: 1 query" in done.err
    assert {line.split()[0] for line in done.out.splitlines()} == {"repot-an-orchid"}


def test_a_query_given_twice_is_fused_once_and_intervals_go_with_it(files: list[Path], run: Run) -> None:
    options = ("--query", "repot-an-orchid", "--intervals", 0.9, "-q")
    once = run("fuse", *files, *options).out
    assert run("fuse", *files, *options, "--query", "repot-an-orchid").out == once
    whole = run("fuse", *files, "--intervals", 0.9, "-q").out.splitlines()
    assert once.splitlines()[1:] == [line for line in whole if line.startswith("repot-an-orchid,")]


def test_an_unknown_query_is_told_the_near_ones_and_ids_are_escaped(
    files: list[Path], run: Run, tmp_path: Path
) -> None:
    done = run("fuse", *files, "--query", "repot-an-orchyd")
    assert done.code == 2
    assert "no query 'repot-an-orchyd'; did you mean 'repot-an-orchid'?" in done.err
    (tmp_path / "h.json").write_text(json.dumps({"q\x1b[2J": {"a": 1}, "b": {"a": 1}}), encoding="utf-8")
    done = run("fuse", tmp_path / "h.json", "--query", "zzz")
    assert done.code == 2
    assert "no query 'zzz'; the queries are: 'q\\x1b[2J', b" in done.err
    assert "\x1b" not in done.err


# --- formats ----------------------------------------------------------------------------------------------------------


def test_the_format_of_the_output_goes_by_name(files: list[Path], run: Run) -> None:
    def first(name: str) -> str:
        return run("fuse", *files, "--top", 1, "--format", name, "-q").out.splitlines()[0]

    assert first("trec").split()[1] == "Q0"
    assert first("csv") == "query,item,rank,score"
    assert first("md") == "**Query: repot-an-orchid**"
    assert json.loads(run("fuse", *files, "--top", 1, "--format", "json", "-q").out)["repot-an-orchid"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "csv", "-o", "x.trec"], "the ending says trec, the format of the output is csv"),
        (["--format", "table", "-o", "x.trec"], "--format table is for reading"),
        (["--format", "trec", "--intervals", "0.9"], "trec cannot hold intervals"),
        (["--format", "csv", "--format", "json"], "names two formats"),
        (["--engine", "spark", "--query", "q", "-o", "x.parquet"], "--query picks queries in one process"),
    ],
)
def test_formats_that_cannot_be_meant_are_refused_before_the_work(
    options: list[str], message: str, files: list[Path], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("fuse", *files, *options)
    assert done.code == 2
    assert message in done.err
    assert not Path("x.trec").exists()


def test_a_file_whose_ending_says_nothing_is_written_in_the_format_named(
    files: list[Path], run: Run, tmp_path: Path
) -> None:
    assert run("fuse", *files, "--format", "csv", "-o", tmp_path / "fused.data").code == 0
    assert (tmp_path / "fused.data").read_text().startswith("query,item,rank,score\n")


@pytest.mark.parametrize("command", ["fuse", "inspect", "evaluate", "explain"])
def test_the_format_of_the_input_has_its_own_option_and_the_old_name_is_told_it(
    command: str, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "x").write_text("2 qid:1 1:1 2:2 #docid = a\n0 qid:1 1:2 2:1 #docid = b\n", encoding="utf-8")
    assert run(command, tmp_path / "x", "--input-format", "letor").code == 0
    old = run(command, tmp_path / "x", "--format", "letor")
    assert old.code == 2
    assert "--input-format letor" in old.err


@pytest.mark.parametrize("command", ["explain", "inspect"])
def test_json_has_the_same_name_in_every_command(command: str, files: list[Path], run: Run) -> None:
    more = ["--query", "repot-an-orchid"] if command == "explain" else []
    shown = run(command, *files, *more, "--format", "json", "-q").out
    assert shown == run(command, *files, *more, "--json", "-q").out
    assert json.loads(shown)["command"] == command


# --- completion -------------------------------------------------------------------------------------------------------


def complete(*words: str) -> list[str]:
    """What the shell offers for the last of some words, in quotes as in a shell."""
    before = " ".join(words[:-1])
    done = subprocess.run(
        [sys.executable, "-m", "stagg"],
        env=os.environ | {"_STAGG_COMPLETE": "fish_complete", "COMP_WORDS": before, "COMP_CWORD": f"'{words[-1]}"},
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.removeprefix("plain,").split("\t")[0] for line in done.stdout.splitlines() if line]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("stagg", "fuse", "--method", "bor"), ["borda"]),
        (("stagg", "fuse", "--method", "BOR"), ["borda"]),
        (("stagg", "compare", "--methods", "rrf,bor"), ["rrf,borda"]),
        (("stagg", "compare", "--methods", "rrf(c=60);bor"), ["rrf(c=60);borda"]),
        (("stagg", "compare", "--methods", "Ours: bor"), ["Ours: borda"]),
        (("stagg", "compare", "--methods", "rrf(c"), []),
        (("stagg", "evaluate", "--measures", "map,rec"), ["map,recall@10"]),
        (("stagg", "compare", "--learners", "best"), ["best_input"]),
        (("stagg", "train", "--learner", "lambd"), ["lambdamart"]),
        (("stagg", "measures", "nd"), ["ndcg", "ndcg@10"]),
        (("stagg", "fuse", "--format", "t"), ["table", "trec"]),
        (("stagg", "rob"), ["robustness"]),
    ],
)
def test_the_shell_completes_names(words: tuple[str, ...], offered: list[str]) -> None:
    assert complete(*words) == offered


def test_two_learners_of_the_same_name_can_be_told_apart_on_a_narrow_terminal(
    files: list[Path], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    labels, learners = files[0].with_name("qrels.txt"), "weights(method='rrf'); weights(method='borda')"
    found = run("compare", *files, "--qrels", labels, "--learners", learners, "--folds", 3, "--notes")
    assert "weights(meth…" not in found.out
    for number, name in enumerate(("rrf(c=60)", "borda"), start=1):
        assert f"\n weights(method='{name}', measure='ndcg@5')\n" in found.out
        assert f" weights {number} " in found.out
    assert "95 % interval" in found.out
    assert max(map(len, found.out.splitlines())) <= 80


METHODS = "rrf; stagg_rrf(shape='harmonic(1)'); borda"


@pytest.mark.parametrize("width", [60, 80, 120, 200])
@pytest.mark.parametrize("measures", ["ndcg@10", "nDCG@10,R@5", "ndcg@5,ndcg@10,map,err"])
def test_compare_prints_one_table_and_its_notes_when_asked(
    files: list[Path], run: Run, monkeypatch: pytest.MonkeyPatch, width: int, measures: str
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    call = ("compare", *files, "--qrels", files[0].with_name("qrels.txt"), "--methods", METHODS, "--inputs", "-q")
    found = run(*call, "--measures", measures)
    rows = json.loads(run(*call, "--measures", measures, "--json").out)["rows"]
    assert found.out.count("──\n") + found.out.count("── \n") == 1  # one rule: one table
    for row in rows:
        assert f" {row['mean']:.4f}" in found.out
    names = measures.split(",")
    assert [word for word in found.out.splitlines()[1].split() if word in names] == names
    if width >= 80 and len(names) <= 2:
        for row in rows:
            assert f" {row['low']:.3f}–{row['high']:.3f} " in found.out
            assert row["p_holm"] is None or f" {row['p_holm']:.4f}" in found.out
    assert "settings, notes and all tests: --notes" in " ".join(found.out.split())
    assert "absent items" not in found.out
    assert width < 80 or max(map(len, found.out.splitlines())) <= width
    told = run(*call, "--measures", measures, "--notes").out
    assert "absent items: " in told
    assert "(random)" in told


def test_the_second_table_of_compare_breaks_no_number_on_a_narrow_terminal(
    files: list[Path], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    labels = files[0].with_name("qrels.txt")
    found = run("compare", *files, "--qrels", labels, "--methods", METHODS, "--notes")
    details = found.out.split("conventions: ")[1]
    assert "\n stagg_rrf(" in details  # the name stands above its lines, whole
    means = [line.split() for line in details.splitlines() if line.lstrip().startswith("ndcg@5 ")]
    assert len(means) == 3
    assert all(0 <= float(words[1]) <= 1 and len(words[1]) == 6 for words in means)
    assert max(map(len, found.out.splitlines())) <= 80
