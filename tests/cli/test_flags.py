"""Messages of the library name Python options; the command line shows its own flags, and changes nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Run, runner

import stagg
from stagg.engines.spark.reading import open_for_spark
from stagg.engines.spark.session import translate_error
from stagg.errors import StaggError
from stagg.formats import ReadLog, ReadOptions
from stagg.say import spell_in_line

RUN = "1 Q0 a 1 3 x\n1 Q0 b 2 2 x\n"


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary)


@pytest.mark.parametrize(
    ("name", "content", "arguments", "python", "shown"),
    [
        ("x.trec", "1 Q0 a 1 3 x\n1 Q0 b 2 2 y\n", [],
         "; split_by_tag=True makes them rankers", "; --split-by-tag makes them rankers"),
        ("x.trec", "1 Q0 a 2 3 x\n1 Q0 b 1 2 x\n", [],
         "(1 row); the score decides; order_by='rank' takes the rank column",
         "(1 row); the score decides; --order-by rank takes the rank column"),
        ("x.trec", RUN + "1 Q0 c 3 1 x y\n", [],
         "; lenient=True reads the first six", "; --lenient reads the first six"),
        ("x.trec", "# c\n", [],
         "if '#' lines are comments, say comments=True", "if '#' lines are comments, say --comments"),
        ("x.trec", '{"a": 1}\n', [], "this is JSON: say format='json'", "this is JSON: say --input-format json"),
        ("x.trec", "q Q0 a 1 2\n", [],
         "say format='csv', delimiter=' ', header=False, columns={'query': '1', 'item': '3', 'score': '5'}",
         "say --input-format csv --delimiter ' ' --no-header --columns query=1,item=3,score=5\n"),
        ("x.toi", "# a: t\n# b\n", [], "lines are comments, say comments=True", "lines are comments, say --comments"),
        ("x.trec", "1 0 a 1\n", [], "no ranking: give them as labels", "no ranking: give them as --qrels"),
        ("x.trec", "1 Q0 a 1 3 x\n1 Q0 a 2 2 x\n", [],
         "keep one: duplicates='best' (the better) or duplicates='first'",
         "keep one: --duplicates best (the better) or --duplicates first"),
        ("x.json", '[["a", "a"]]', [],
         ', or say duplicates="best" or "first"', ", or say --duplicates best or --duplicates first"),
        ("x.json", '[["a", "b"]]', ["--layout", "grid"],
         "the option 'layout' is for a table", "--layout is for a table"),
        ("x.trec", RUN, ["--values", "score"],
         "the option 'values' is for numbers without a name; a TREC run has a score and a rank column: see the option "
         "'order_by'",
         "--values is for numbers without a name; a TREC run has a score and a rank column: see --order-by"),
        ("x.trec", RUN, ["--values", "rank", "--lower", "all"], "values='rank' says", "--values rank says"),
    ],
)  # fmt: skip
def test_what_a_reader_says(
    name: str, content: str, arguments: list[str], python: str, shown: str, run: Run, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert shown in run("fuse", path, *arguments).err
    options = {flag.lstrip("-"): value for flag, value in zip(arguments[::2], arguments[1::2], strict=True)}
    assert python in _read(path, options)


def _read(path: Path, options: dict[str, Any]) -> str:
    """What is said of a file in Python."""
    log = ReadLog()
    try:
        stagg.read(path, log=log, **options)
    except StaggError as error:
        return str(error)
    return " ".join(log.notes)


def test_an_output_without_a_name_is_given_another_format(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("item,score\nNew York,2\nb,1\n")
    assert "separated by blanks; say --format csv\n" in run("fuse", path).err
    assert "separated by blanks; write .csv or .json\n" in run("fuse", path, "-o", tmp_path / "x.run").err
    assert "every LETOR row begins with one; give them as --qrels, or write .csv\n" in (
        run("fuse", path, "-o", tmp_path / "x.letor").err
    )
    with pytest.raises(StaggError, match=r"give them as labels, or write \.csv$"):
        stagg.write(stagg.read(path), tmp_path / "x.letor")


def test_options_are_named_for_methods_and_lines_of_a_comparison(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.trec").write_text(RUN)
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n")
    files = [tmp_path / "x.trec", "--qrels", tmp_path / "qrels.txt"]
    assert "give them as --weights bm25=2\n" in run("fuse", files[0], "--method", "borda(weights=2)").err
    assert "; --inputs compares the inputs themselves\n" in run("compare", *files).err
    held_out = "not comparable; --folds 5 tests on held-out queries\n"
    assert held_out in run("compare", *files, "--learners", "best_input").err
    assert ", such as --methods 'borda, rrf'\n" in run("robustness", *files, "--methods", ";", "--rankers", "1").err
    with pytest.raises(StaggError, match=r"give them as weights=\{'bm25': 2\}$"):
        stagg.fuse([["a"]], method="borda(weights=2)")


def test_texts_of_methods_names_and_ids_stay_as_they_are(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "header=True; write .csv.csv"
    path.write_text("item,rank\nlenient=True,1\nb,2\n")
    assert "use combsum(norm='rank')" in run("fuse", path, "--method", "combsum").err
    path.write_text("item,score\nlenient=True,x\nb,2\n")
    assert "/header=True; write .csv.csv:2: " in run("fuse", path).err
    path.write_text("item,score\nlenient=True,3\nlenient=True,2\n")
    assert "the item 'lenient=True' of query '1'" in run("fuse", path).err


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (ReadOptions(split_by_tag=True), "--split-by-tag: on Spark a file is one ranker; split it first"),
        (ReadOptions(values="score"), "--values is for numbers without a name; TREC runs and tables name theirs: see "
         "--order-by"),
        (ReadOptions(duplicates="best"), "--duplicates: the Spark engine refuses duplicates; remove them first"),
    ],
)  # fmt: skip
def test_options_that_spark_refuses(options: ReadOptions, shown: str) -> None:
    with pytest.raises(StaggError, match=r"^the option '") as raised:
        open_for_spark(None, ["x.trec"], "auto", options)
    assert spell_in_line(raised.value) == shown


def test_what_an_executor_says_of_an_item_comes_back_with_the_option() -> None:
    said = "item 'i': the item appears twice in one list; remove one of them, or read leniently (lenient=True) to keep"
    error = translate_error(ValueError(f"stagg.errors.DataError: {said} the better\nat scala"), "fuse")
    assert str(error) == f"{said} the better"
    assert spell_in_line(error).endswith("or read leniently (--lenient) to keep the better")
