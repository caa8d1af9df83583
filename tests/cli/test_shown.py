"""What commands print, number by number: widths of tables, limits of what is listed, options as they are read."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Run, copy_sample, runner
from tests.methods.test_one_query import world

import stagg
from stagg.cli.options.planning import parse_weights
from stagg.cli.show.table_output import show_grid
from stagg.cli.show.talk import print_json, print_table
from stagg.evaluation.tables import Cell, Grid


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "100")
    return runner(capfdbinary)


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return copy_sample(tmp_path / "sample")


def shown(columns: int, call: Any, *given: Any, **options: Any) -> list[str]:
    """The lines that are printed on a terminal of this width, without blank ones."""
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as out:
        patch.setenv("COLUMNS", str(columns))
        call(*given, **options)
    return [line.rstrip() for line in out.getvalue().splitlines() if line.strip()]


# --- tables -----------------------------------------------------------------------------------------------------------


def test_numbers_stand_at_the_right_with_few_digits_and_texts_at_the_left() -> None:
    rows = [["bm25", 12345, 0.123456, "7", "-"], ["x", 7, 2.0, "10", ""]]
    lines = shown(
        80, print_table, "Title", ["name", "rows", "score", "text", "share"], rows, right=["text"], note="A note."
    )
    assert lines[0].strip() == "Title"
    assert lines[-1] == "A note."
    head, first, second = (
        next(line for line in lines if line.strip().startswith(word)) for word in ("name", "bm25", "x")
    )
    assert first.split() == ["bm25", "12,345", "0.1235", "7", "-"]
    assert second.split() == ["x", "7", "2", "10"]
    for column, told in (("rows", "12,345"), ("score", "0.1235")):
        assert head.index(column) + len(column) == first.index(told) + len(told)
    assert second.index("10") + 2 == first.index("7 ") + 1
    assert first.index("bm25") == second.index("x") == head.index("name")
    assert not shown(80, print_table, "", ["a"], [["b"]])[0].startswith("Title")


@pytest.mark.parametrize(
    ("columns", "name"),
    [
        (37, "dense-retriever-2024-10-large"),  # 29 and 1, two gaps of three and a blank at the left
        (36, "dense-retriev…-2024-10-large"),
        (31, "dense-retri…24-10-large"),
        (28, "dense-ret…4-10-large"),
        (27, "dense-retri…24-10-large"),  # narrow gaps leave more to the names
        (14, "dens…large"),
        (5, "den…arge"),  # never below eight letters
    ],
)
def test_a_long_name_keeps_both_ends_in_the_room_that_is_left(columns: int, name: str) -> None:
    lines = shown(columns, print_table, "", ["n", "x"], [["dense-retriever-2024-10-large", 5]])
    assert lines[-1].split() == [name, "5"]


def test_texts_are_folded_at_blanks_and_the_widest_gives_way_first() -> None:
    text = "one two three four five six"
    lines = shown(30, print_table, "", ["name", "text"], [["short", text]])
    assert all(len(line) <= 30 for line in lines)
    told = " ".join(line.replace("short", "").strip() for line in lines[2:])
    assert told.split() == text.split()
    assert lines[2].split()[0] == "short"
    wide = shown(80, print_table, "", ["name", "text"], [["short", text]])
    assert wide[-1].split("short")[1].strip() == text


def grid_of(rows: list[list[str]], header: list[str], **more: Any) -> Grid:
    return Grid(header, [[Cell(text) for text in row] for row in rows], [False, *[True] * (len(header) - 1)], **more)


def test_a_grid_is_wide_as_long_as_it_fits() -> None:
    grid = grid_of([["a" * 20, "0.1234"], ["b" * 20, "0.5678"]], ["method", "ndcg"])
    full = 20 + 6 + 3 * 2 + 1
    assert shown(full, show_grid, grid)[-1] == f"  {'b' * 20}   0.5678"
    narrow = shown(full - 1, show_grid, grid)
    assert narrow[-1] == f" {'b' * 20} 0.5678"
    cut = shown(24, show_grid, grid)
    assert cut[-1].split() == ["b" * 14 + "…", "0.5678"]
    assert len(cut[-1]) == 24 - 1
    least = shown(10, show_grid, grid)  # twelve letters of a name are shown at least
    assert least[-1].split() == ["b" * 11 + "…", "0.5678"]


def test_names_that_repeat_or_would_look_alike_stand_above_their_lines_where_room_is_scarce() -> None:
    repeated = grid_of(
        [["stagg_rrf(c=10)", "err", "0.1"], ["stagg_rrf(c=10)", "p@5", "0.2"]], ["method", "measure", "mean"]
    )
    assert len(shown(60, show_grid, repeated)) == 4
    lines = shown(24, show_grid, repeated)
    assert lines[0].strip() == "stagg_rrf(c=10)"
    assert [line.split() for line in lines if "0." in line] == [["err", "0.1"], ["p@5", "0.2"]]
    alike = grid_of([["the-same-beginning-1", "0.1"], ["the-same-beginning-2", "0.2"]], ["method", "mean"])
    apart = shown(22, show_grid, alike)
    assert [line.strip() for line in apart if "beginning" in line] == ["the-same-beginning-1", "the-same-beginning-2"]
    other = grid_of([["1-the-same-ending-of", "0.1"], ["2-the-same-ending-of", "0.2"]], ["method", "mean"])
    assert sum("…" in line for line in shown(22, show_grid, other)) == 2


def test_the_best_of_a_column_and_its_mark_stand_with_the_number() -> None:
    grid = Grid(["m", "err"], [[Cell("a"), Cell("0.5", mark="▲", bold=True)]], [False, True], notes=["One note."])
    lines = shown(60, show_grid, grid)
    assert "0.5▲" in lines[-2]
    assert lines[-1] == "One note."


def test_json_holds_letters_as_they_are_and_escapes_what_steers_a_terminal() -> None:
    lines = shown(80, print_json, "x", [{"id": "né\x1b[1m"}], seed=3, more=1)
    told = "\n".join(lines)
    assert "né\\u001b[1m" in told
    assert json.loads(told) == {
        "command": "x", "version": stagg.__version__, "conventions": None, "seed": 3, "more": 1,
        "rows": [{"id": "né\x1b[1m"}],
    }  # fmt: skip


# --- a consensus ------------------------------------------------------------------------------------------------------


def write_scores(path: Path, scores: dict[str, float]) -> Path:
    path.write_text("".join(f"q Q0 {item} {n} {score!r} t\n" for n, (item, score) in enumerate(scores.items(), 1)))
    return path


def test_scores_of_a_consensus_have_four_decimals_unless_they_are_very_small_or_large(run: Run, tmp_path: Path) -> None:
    scores = {"a": 1e6, "b": 999999.0, "c": 0.001, "d": 0.0009876, "e": 0.0, "f": -2.5}
    path = write_scores(tmp_path / "x.trec", scores)
    out = run("fuse", path, "--method", "combsum(norm='none')", "--format", "table", "--quiet").out
    told = {line.split()[1]: line.split()[2] for line in out.splitlines() if re.match(r"\s+\d+\s+[a-f]\s", line)}
    assert told == {
        "a": "1e+06", "b": "999999.0000", "c": "0.0010", "d": "0.0009876", "e": "0.0000", "f": "-2.5000",
    }  # fmt: skip


@pytest.mark.parametrize(("letters", "cut"), [(24, False), (25, True)])
def test_a_title_has_twenty_four_columns(letters: int, cut: bool, run: Run, tmp_path: Path) -> None:
    for name in ("x", "y"):
        write_scores(tmp_path / f"{name}.trec", {"a": 2.0, "b": 1.0})
    title = "T" * letters
    (tmp_path / "texts.tsv").write_text(f"id\ttitle\na\t{title}\n")
    out = run(
        "fuse", tmp_path / "x.trec", tmp_path / "y.trec", "--texts", tmp_path / "texts.tsv", "--format", "table"
    ).out
    assert (f"{'T' * 23}…" in out) == cut
    assert (f" {title} " in out) == (not cut)
    md = run("fuse", tmp_path / "x.trec", tmp_path / "y.trec", "--texts", tmp_path / "texts.tsv", "--format", "md").out
    assert title in md  # a file has room


@pytest.mark.parametrize(("queries", "items", "told"), [
    (10, 10, None),
    (11, 10, "Shown: the first 10 of 11 queries (--query Q shows another)."),
    (10, 11, "Shown: the first 10 items (--top K shows more)."),
    (11, 11, "of 11 queries (--query Q shows another) and the first 10 items (--top K shows more). -o FILE writes all"),
])  # fmt: skip
def test_ten_queries_and_ten_items_are_shown(
    queries: int, items: int, told: str | None, run: Run, tmp_path: Path
) -> None:
    rows = [f"q{q:02} Q0 d{i:02} {i} {-i} t\n" for q in range(queries) for i in range(items)]
    for name in ("x", "y"):
        (tmp_path / f"{name}.trec").write_text("".join(rows))
    out = " ".join(run("fuse", tmp_path / "x.trec", tmp_path / "y.trec", "--format", "table").out.split())
    assert out.count("Query: ") == 10
    assert ("Shown: " in out) == (told is not None)
    assert told is None or told in out


# --- inspect, explain, train ------------------------------------------------------------------------------------------


def write_lists(path: Path, rankers: int, *, scores: bool = False) -> Path:
    rows = ["query,ranker,item,score" if scores else "query,ranker,item,rank"]
    for k in range(rankers):
        rows += [f"q1,r{k:02},{item},{1 if scores else n}" for n, item in enumerate("abc", 1)]
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize(("rankers", "cut"), [(40, False), (41, True)])
def test_inspect_shows_forty_rankers_or_the_first_twelve(rankers: int, cut: bool, run: Run, tmp_path: Path) -> None:
    out = run("inspect", write_lists(tmp_path / "lists.csv", rankers)).out
    table = out.partition("Rankers")[2].partition("Does fusion help?")[0]
    assert len(re.findall(r"^\s+r\d\d ", table, re.MULTILINE)) == (12 if cut else rankers)
    assert ("Shown: the first 12 of 41 rankers" in " ".join(table.split())) == cut
    left = out.partition("Does fusion help?")[2]
    assert len(re.findall(r"^\s+r\d\d ", left, re.MULTILINE)) == 12
    assert "Fused by rrf(c=60) with and without each ranker, 1 query." in " ".join(left.split())
    assert f"Shown: the first 12 of {rankers} rankers; --json prints all of them." in " ".join(left.split())


@pytest.mark.parametrize(("rankers", "matrices"), [(1, 0), (2, 2), (12, 2), (13, 0)])
def test_inspect_shows_matrices_of_two_to_twelve_rankers(rankers: int, matrices: int, run: Run, tmp_path: Path) -> None:
    lines = run("inspect", write_lists(tmp_path / "lists.csv", rankers)).out.splitlines()
    assert sum(line.strip() in ("Overlap", "Agreement") for line in lines) == matrices


def test_inspect_tells_lengths_ties_and_agreement_of_each_ranker(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lists.csv").write_text(
        "query,ranker,item,score\n" + "".join(
            f"{query},{ranker},{item},{score}\n" for query, ranker, item, score in [
                ("q1", "x", "a", 3), ("q1", "x", "b", 2), ("q1", "x", "c", 2), ("q2", "x", "a", 1),
                ("q1", "y", "b", 2), ("q1", "y", "a", 1), ("q2", "z", "b", 1), ("q2", "z", "c", 1),
            ]
        )
    )  # fmt: skip
    out = run("inspect", tmp_path / "lists.csv").out
    table = out.partition("Rankers")[2].partition("Does fusion help?")[0]
    rows = {line.split()[0]: line.split()[1:] for line in table.splitlines() if re.match(r"\s+[xyz] ", line)}
    assert rows["x"][:6] == ["2", "1", "/", "2", "/", "3"]
    assert rows["x"][6:] == ["2", "0.333", "-1.000"]
    assert rows["z"][1:] == ["2", "/", "2", "/", "2", "2", "0.000", "-"]
    assert re.search(r"query-item pairs +6", out)
    assert re.search(r"scores +yes", out)
    assert re.search(r"labels +none", out)
    assert "Nearly all rows are tied in z: if the file has ranks beside its scores, try --order-by rank." in " ".join(
        out.split()
    )
    lines = [line.strip() for line in out.splitlines()]
    matrix = [line.split()[1:] for line in lines[lines.index("Agreement") :] if re.match(r"\d [xyz]", line)]
    assert matrix == [["x", "-1.00", "-"], ["y", "-1.00", "-"], ["z", "-", "-"]]
    one = run("inspect", write_lists(tmp_path / "one.csv", 2)).out
    assert re.search(r"\n +items +3", one)


@pytest.mark.parametrize(("letters", "names"), [(28, 2), (31, 1), (70, 1)])
def test_the_rankers_of_a_file_are_named_in_sixty_letters(letters: int, names: int, run: Run, tmp_path: Path) -> None:
    rankers = [f"{k}" + "r" * (letters - 1) for k in range(4)]
    (tmp_path / "f.csv").write_text("query,ranker,item,rank\n" + "".join(f"q,{name},a,1\n" for name in rankers))
    told = json.loads(run("inspect", tmp_path / "f.csv", "--json").out)["files"][0]
    assert (told["rankers"], told["delimiter"], told["queries"]) == (rankers, "comma", 1)
    out = run("inspect", tmp_path / "f.csv").out.partition("Understood")[2].partition("Rankers")[0]
    assert f"and {4 - names} more" in " ".join(out.split())


def test_explain_shows_the_twenty_likeliest_ranks_in_order_the_longest_bar_with_forty_signs(
    run: Run, tmp_path: Path
) -> None:
    for name in ("x", "y"):
        write_scores(tmp_path / f"{name}.trec", {f"d{k:02}": float(-k) for k in range(40)})
    out = run("explain", tmp_path / "x.trec", tmp_path / "y.trec", "--item", "d20", "-m", "stagg_rrf").out
    bars = [
        line.split() for line in out.partition("Rank distribution")[2].splitlines() if re.match(r"\s+\d+ +0\.", line)
    ]
    ranks = [int(bar[0]) for bar in bars]
    assert len(ranks) == 20
    assert ranks == sorted(ranks)
    chances = [float(bar[1]) for bar in bars]
    lengths = [len(bar[2]) if len(bar) > 2 else 0 for bar in bars]
    assert max(lengths) == 40
    assert lengths[chances.index(max(chances))] == 40
    for chance, length in zip(chances, lengths, strict=True):
        assert length == pytest.approx(40 * chance / max(chances), abs=1.5)
    whole = stagg.rank_distribution(stagg.read([tmp_path / "x.trec", tmp_path / "y.trec"]), "stagg_rrf")["q"].of("d20")
    assert ranks == sorted((whole.argsort()[::-1][:20] + 1).tolist())


def test_explain_counts_one_query_and_its_rounds_in_plain_words(run: Run, tmp_path: Path) -> None:
    lists, _, _ = world(8)
    (tmp_path / "lists.json").write_text(json.dumps(lists))
    called = ("explain", tmp_path / "lists.json", "--outer", "ranker", "-m", "stagg_trust", "--quiet")
    out = " ".join(run(*called).out.split())
    assert re.search(r"Learned from 1 query in (1 round|\d+ rounds)[, ]", out), out


@pytest.mark.parametrize(
    ("rankers", "told"),
    [(19, None), (20, "and 1 more ranker, which the model holds"), (21, "and 2 more rankers, which")],
)
def test_train_tells_its_verdict_and_nineteen_weights(rankers: int, told: str | None, run: Run, tmp_path: Path) -> None:
    rows = [f"q,r{k:02},{'abcde'[(k + n) % 5]},{n}" for k in range(rankers) for n in range(1, 6)]
    (tmp_path / "lists.csv").write_text("query,ranker,item,rank\n" + "\n".join(rows))
    (tmp_path / "qrels.txt").write_text("q 0 a 1\nq 0 b 0\nq 0 c 0\nq 0 d 0\nq 0 e 0\n")
    ended = run("train", tmp_path / "lists.csv", "--qrels", tmp_path / "qrels.txt", "-o", tmp_path / "model.json")
    assert ended.code == 0, ended.err
    lines = re.findall(r"^stagg: r\d\d: weight", ended.err, re.MULTILINE)
    assert len(lines) == 19
    assert ("more ranker" in ended.err) == (told is not None)
    assert told is None or told in ended.err


# --- options ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, None),
        ("2,1, 1", [2.0, 1.0, 1.0]),
        ("bm25=2, dense=.5", {"bm25": 2.0, "dense": 0.5}),
        ("rrf(c=60)=2", {"rrf(c=60)": 2.0}),
        ("2", [2.0]),
    ],
)
def test_weights_are_read_by_name_or_by_position(text: str | None, expected: object) -> None:
    assert parse_weights(text) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("bm25=2,bm25=3", "names a ranker twice"),
        ("bm25=2,1", "give all weights by name (bm25=2) or all by position (2,1)"),
        ("bm25:2", "'bm25:2' is not a number; write bm25=2"),
        ("bm25=x", "'x' is not a number"),
        (":2", "':2' is not a number"),
    ],
)
def test_weights_that_cannot_be_read_are_told_how_to_write_them(text: str, said: str) -> None:
    with pytest.raises(stagg.InvalidParameter) as error:
        parse_weights(text)
    assert str(error.value).partition(": ")[2].endswith(said) or str(error.value).endswith(said)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--caption", "X"], "--caption and --label are for --format latex"),
        (["--label", "X", "--format", "md"], "--caption and --label are for --format latex"),
        (["--format", "trec"], "is the output's: table, md, latex, csv, json; for the inputs say --input-format trec"),
        (["--format", "md", "--format", "csv"], "--format names two formats: md, csv"),
        (["--query-texts", "x.tsv"], "--query-texts is shown"),
    ],
)  # fmt: skip
def test_options_of_tables_that_do_not_go_together_are_refused(
    options: list[str], said: str, run: Run, sample: Path
) -> None:
    ended = run("evaluate", sample / "bm25.trec", "--qrels", sample / "qrels.txt", *options)
    assert ended.code == 2
    assert said in " ".join(ended.err.split())


def test_a_table_in_latex_has_the_caption_and_label_that_were_given(run: Run, sample: Path) -> None:
    given = ["evaluate", sample / "bm25.trec", "--qrels", sample / "qrels.txt", "--quiet", "--format", "latex"]
    told = run(*given, "--caption", "Our runs", "--label", "tab:ours").out
    assert "\\caption{Our runs" in told
    assert "\\label{tab:ours}" in told
    assert "\\label{tab:evaluate}" in run(*given).out
    assert (
        run(*given[:-1], "md").out == run(*given[:-1], "md", "--format", "md").out
    )  # twice the same is no contradiction


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--same", "b=a", "--same", "b=c"], 2, "--same says that 'b' is 'a' and 'c'"),
        (["--same", "b="], 2, "--same takes OTHER=NAME, such as 'Ana Oritz=Ana Ortiz', not 'b='"),
        (["--grades", "Good"], 2, "--grades takes WORD=NUMBER,... such as Exact=3,Irrelevant=0, not 'Good'"),
        (["--columns", "query"], 2, "--columns takes ROLE=NAME,... such as query=qid,item=doc_id, not 'query'"),
    ],
)
def test_options_of_reading_say_how_they_are_written(
    options: list[str], code: int, said: str, run: Run, sample: Path
) -> None:
    ended = run("inspect", sample / "bm25.trec", *options)
    assert (ended.code, said in " ".join(ended.err.split())) == (code, True), ended.err


def test_the_same_name_may_be_said_twice_and_grades_may_be_words_with_commas(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("query,ranker,item,rank\nq,r,a,1\nq,r,b,2\nq,s,c,1\n")
    (tmp_path / "qrels.csv").write_text('query,item,label\nq,a,"Yes, very"\nq,b,No\n')
    ended = run("evaluate", tmp_path / "x.csv", "--qrels", tmp_path / "qrels.csv", "--same", "c=a", "--same", "c=a",
                "--grades", "Yes, very=2,No=0", "--measures", "p@1", "--format", "csv", "--quiet")  # fmt: skip
    assert ended.code == 0, ended.err
    values = [line.split(",")[2] for line in ended.out.splitlines()[1:]]
    assert [float(value) for value in values] == [1.0, 1.0]


def test_an_output_says_how_much_was_written_by_which_settings(run: Run, sample: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.trec"
    ended = run(
        "fuse", sample / "bm25.trec", sample / "dense.trec", "-m", "rrf", "-o", out, "--depth", "2", "--top", "1"
    )
    assert ended.err.splitlines()[-1] == f"stagg: 6 queries, 6 rows by rrf(c=60), depth 2, top 1, written to {out}"
    plain = run(
        "fuse", sample / "bm25.trec", sample / "dense.trec", "-m", "rrf", "-o", out, "--query", "repot-an-orchid"
    )
    assert re.fullmatch(
        rf"stagg: 1 query, \d+ rows by rrf\(c=60\) written to {re.escape(str(out))}", plain.err.splitlines()[-1]
    )


def test_the_steps_of_the_demo_can_be_typed_whatever_the_folder_is_called(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "my sample"
    out = run("demo", "--query", "repot-an-orchid", "--save", folder).out
    steps = [line for line in out.splitlines() if line.strip().startswith("stagg ") and ".trec" in line]
    assert len(steps) == 5
    for step in steps:
        words = shlex.split(step, comments=True)
        assert f"{folder}/*.trec" in words, step
    assert not any("demo --save" in line for line in out.splitlines())


def test_simulate_takes_one_quality_or_one_for_each_ranker(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "made.csv"
    told = run("simulate", "-o", out, "--quality", "3,x")
    assert (told.code, "'3,x' is not a number, or numbers with commas between" in told.err) == (2, True)
    assert run("simulate", "-o", out, "--rankers", "3", "--quality", "3,2,1", "--queries", "1").code == 0
    twice = run("simulate", "-o", out, "--truth", out)
    assert (twice.code, "two outputs have the same name" in twice.err) == (2, True)


REFUSED = {
    "fuse bm25.trec -o out.trec": "out.trec is a folder; name a file",
    "fuse bm25.trec --format md -o x.csv": "--format md is for reading, and goes to standard output",
    "fuse bm25.trec --min-score x": "--min-score 'x': expected a number, or numbers by ranker: bm25=5",
    "fuse bm25.trec --min-score bm25=x": "--min-score 'bm25=x': expected a number, or numbers by ranker: bm25=5",
    "fuse bm25.trec -m rrf --model m.json": "--method and --model exclude each other",
    "compare bm25.trec --qrels qrels.txt -m rrf --per-fold": "--per-fold needs --folds",
    "compare bm25.trec --qrels qrels.txt -m rrf --folds 3 --per-fold --json": "can hold two tables (not json)",
    "compare bm25.trec --qrels qrels.txt -m rrf --query-texts t.tsv": "--query-texts is shown in the --report",
    "compare bm25.trec --qrels qrels.txt -m rrf --folds x": "--folds is letor or a number of parts, not 'x'",
    "compare bm25.trec --qrels qrels.txt -m rrf --folds letor": "1 input was given. --folds K splits",
    "compare bm25.trec dense.trec --qrels qrels.txt -m rrf --folds letor": "in this order; 2 inputs were given.",
    "robustness bm25.trec --qrels qrels.txt -m rrf --rankers 1,x": "--rankers '1,x': expected numbers with commas",
    "train bm25.trec --qrels qrels.txt -o m.json.gz": "m.json.gz: a model is plain JSON",
    "train bm25.trec --qrels qrels.txt -o none/m.json": "none/m.json: there is no such folder",
    "train bm25.trec --holdout 0.5 --validation x.trec -o m.json": "--validation and --holdout exclude each other",
    "inspect bm25.trec --format trec": "the output's: table, json; for the inputs say --input-format trec",
    "explore bm25.trec --format csv": "--input-format csv is the format of the inputs; this command has no --format",
    "fuze bm25.trec": "there is no command 'fuze'; did you mean 'fuse'?",
    "merge bm25.trec": "there is no command 'merge'; did you mean 'fuse'?",
    "bm25.trec": "'bm25.trec' is a file, not a command: stagg elect FILE counts votes",
    "none.trec": "'none.trec' looks like a file, not a command: stagg elect FILE counts votes",
    "fuse bm25.trec --ouput x": "There is no option --ouput. Did you mean --output?",
    "fuse bm25.trec --margin 1": "There is no option --margin. It is an option of stagg ",
    "fuse bm25.trec --qqqq": "There is no option --qqqq.",
}


@pytest.mark.parametrize("words", REFUSED)
def test_a_call_that_cannot_be_meant_is_refused_before_the_work(
    words: str, run: Run, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sample)
    (sample / "out.trec").mkdir()
    before = sorted(path.name for path in sample.iterdir())
    ended = run(*words.split())
    assert (ended.code, ended.out) == (2, "")
    said = " ".join(ended.err.split())
    assert REFUSED[words] in said
    assert "Did you mean" not in said or "Did you mean" in REFUSED[words]
    assert sorted(path.name for path in sample.iterdir()) == before


def test_labels_that_a_format_cannot_hold_are_left_behind_with_a_word(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("2 qid:1 1:3 2:1 #docid = d1\n0 qid:1 1:1 2:2 #docid = d2\n")
    ended = run("convert", tmp_path / "a.txt", tmp_path / "a.csv")
    assert ended.code == 0, ended.err
    assert "note: csv holds no labels; those of the input are left behind" in ended.err
    assert "left behind" not in run("convert", tmp_path / "a.txt", tmp_path / "b.csv", "--quiet").err
    assert "left behind" not in run("convert", tmp_path / "a.txt", tmp_path / "b.txt", "--to", "letor").err


@pytest.mark.parametrize(("candidates", "cut"), [(40, False), (41, True)])
def test_inspect_shows_forty_candidates_of_an_election(candidates: int, cut: bool, run: Run, tmp_path: Path) -> None:
    names = [f"Name {chr(65 + k // 26)}{chr(65 + k % 26)}" for k in range(candidates)]
    rows = [",".join([f"v{n}", *names[n:], *names[:n]]) for n in range(candidates)]
    head = ",".join(["Voter", *[f"Choice {k}" for k in range(1, candidates + 1)]])
    (tmp_path / "b.csv").write_text("\n".join([head, *rows]) + "\n")
    out = run("inspect", tmp_path / "b.csv", "--layout", "ballots").out
    table = out.partition("First choices")[2]
    assert len(re.findall(r"Name [A-Z]{2}", table)) == 40
    assert (f"The first 40 of {candidates} candidates." in " ".join(table.split())) == cut
    told = json.loads(run("inspect", tmp_path / "b.csv", "--layout", "ballots", "--json").out)
    assert len(told["rows"]) == candidates
    assert told["totals"]["spoiled"] == 0


def test_the_method_that_is_asked_for_is_shown_in_full_without_the_marks_of_the_site(run: Run) -> None:
    out = run("methods", "combsum").out
    assert out.startswith("combsum(")
    assert "norm='min-max'" in out.splitlines()[0]
    assert ":class:" not in out
    assert "``" not in out
    assert ">>>" not in out
    told = json.loads(run("methods", "combsum", "--json").out)
    assert [row["method"] for row in told["rows"]] == ["combsum"]
    assert run("methods", "RRF(c=20)").out.startswith("rrf(")


def test_a_comparison_shows_brief_names_and_what_they_stand_for(run: Run, sample: Path) -> None:
    long = "stagg_rrf(missing='neutral', shape='linear')"
    given = ["compare", sample / "bm25.trec", sample / "dense.trec", "--qrels", sample / "qrels.txt", "--quiet"]
    lines = run(*given, "-m", f"borda; {long}", "--measures", "mrr,p@1").out.splitlines()
    whole = json.loads(run(*given, "-m", f"borda; {long}", "--measures", "mrr,p@1", "--json").out)
    means = {name: [f"{row['mean']:.4f}" for row in whole["rows"] if row["method"].startswith(name)]
             for name in ("borda", "stagg_rrf")}  # fmt: skip
    rows = [line.split() for line in lines if re.match(r"\s+(borda|stagg_rrf) ", line)]
    assert {row[0]: [cell for cell in row if re.fullmatch(r"\d\.\d{4}", cell)][:1] for row in rows} == {
        name: values[:1] for name, values in means.items()
    }
    assert all(means[row[0]][1] in row for row in rows)
    told = " ".join(" ".join(lines).split())
    assert f"stagg_rrf: {long[:-1]}, c=60)" in told
    assert "borda: borda" not in told
    assert "settings, notes and all tests: --notes" in told


def test_a_warning_stands_once_in_what_is_read(run: Run, sample: Path) -> None:
    given = ["compare", sample / "bm25.trec", sample / "dense.trec", "--qrels", sample / "qrels.txt", "-m", "rrf",
             "--learners", "best_input", "--measures", "mrr"]  # fmt: skip
    warned = "trained on the queries it is tested on"
    for form, in_out, in_err in (("table", None, None), ("json", True, True), ("latex", True, True)):
        ended = run(*given, "--format", form)
        assert ended.code == 0, ended.err
        out, err = (" ".join(text.split()) for text in (ended.out, ended.err))
        if in_out is None:
            assert (warned in out) or (warned in err)
            assert err.count("so its figures are not comparable") + out.count("so its figures are not comparable") == 1
        else:
            assert ("so its figures are not comparable" in err) == in_err


def test_inspect_reads_standard_input_once_and_says_what_is_wrong(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file is read again, without its wrong rows; a pipe cannot be."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"q Q0 a 1 2 t\nq Q0 b\n")))
    ended = runner(capfdbinary)("inspect", "-")
    assert (ended.code, ended.raw) == (1, b"")
    assert ended.err == (
        "stagg: error: <stdin>:2: expected 6 columns (query Q0 item rank score tag), found 3: 'q Q0 b'\n"
    )
