"""Paths of inputs, and names that the caller gives them: one rule tells a name from a file that has the sign itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stagg
from stagg import DataError, DataWarning, InvalidParameter
from stagg.formats.storage.paths import expand_paths, split_path

RUN = "1 Q0 a 1 2.0 x\n1 Q0 b 2 1.0 x\n"
OTHER = "1 Q0 b 1 2.0 x\n1 Q0 c 2 1.0 x\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bm25.trec").write_text(RUN)
    (tmp_path / "dense.trec").write_text(OTHER)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_a_run_has_the_name_that_is_given_before_its_file() -> None:
    assert stagg.read(["SPLADE v3=dense.trec", "bm25.trec"]).rankers == ("SPLADE v3", "bm25")
    assert stagg.read("A=./dense.trec").rankers == ("A",)
    assert stagg.read("A=dense.tre?").rankers == ("A",)


def test_a_file_whose_own_name_has_the_sign_is_that_file(folder: Path) -> None:
    (folder / "a=bm25.trec").write_text(OTHER)
    assert stagg.read("a=bm25.trec") == stagg.read("dense.trec").with_rankers(["a=bm25"])
    assert stagg.read("a=./bm25.trec") == stagg.read("bm25.trec").with_rankers(["a"])
    assert stagg.read("./a=bm25.trec").rankers == stagg.read(Path("a=bm25.trec")).rankers == ("a=bm25",)
    assert stagg.read("a=bm25.*").rankers == ("a=bm25",)
    with pytest.raises(DataError, match=r"^b=bm25\.trec: cannot be read"):
        stagg.read(Path("b=bm25.trec"))  # a Path is a path


def test_folders_that_name_rankers_are_no_names(folder: Path) -> None:
    (folder / "ranker=one").mkdir()
    (folder / "ranker=one" / "x.trec").write_text(RUN)
    assert stagg.read("ranker=one").rankers == ("one",)
    assert stagg.read("ranker=*").rankers == ("one",)
    assert stagg.read("ranker=one/x.trec").rankers == ("one",)


def test_parts_of_one_table_have_one_name(folder: Path) -> None:
    (folder / "out").mkdir()
    for number in range(2):
        (folder / "out" / f"part-{number}.csv").write_text(f"query,item,score\nq{number},a,2\nq{number},b,1\n")
    rankings = stagg.read("A=out")
    assert rankings.rankers == ("A",)
    assert len(rankings) == 2


def test_a_name_that_a_file_says_itself_is_replaced_if_it_is_one(folder: Path) -> None:
    (folder / "one.csv").write_text("query,ranker,item,rank\n1,x,a,1\n1,x,b,2\n")
    (folder / "two.csv").write_text("query,ranker,item,rank\n1,x,a,1\n1,y,b,1\n")
    assert stagg.read("A=one.csv").rankers == ("A",)
    assert stagg.fuse(stagg.read("A=one.csv"), "rrf").best_first() == ["a", "b"]
    with pytest.raises(DataError, match=r"'A' is given as the name of one ranker, and the file holds 2 \('x', 'y'\)"):
        stagg.read("A=two.csv")


def test_responses_that_are_named_are_rankers_of_one_query(folder: Path) -> None:
    for name, ids in (("q1", "ab"), ("q2", "bc")):
        hits = [{"_id": each, "_score": 2.0 - number} for number, each in enumerate(ids)]
        (folder / f"{name}.json").write_text(json.dumps({"hits": {"hits": hits}}))
    rankings = stagg.read(["A=q1.json", "B=q2.json"])
    assert (rankings.rankers, len(rankings)) == (("A", "B"), 1)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["A=bm25.trec", "A=dense.trec"], "2 inputs would be rankers named 'A'"),
        (["A=*.trec"], r"'A=\*\.trec' names 2 files; a name is for one run, so name one file"),
        (["A=none.trec"], r"^none\.trec: cannot be read"),
        (["=bm25.trec"], "cannot be read"),
        (["A="], "cannot be read"),
    ],
)
def test_a_name_that_does_not_do_is_told_in_one_line(given: list[str], message: str) -> None:
    with pytest.raises((DataError, InvalidParameter), match=message) as told:
        stagg.read(given)
    assert "\n" not in str(told.value)


@given(st.text(st.characters(exclude_characters="/\0*?[=", exclude_categories=["Cs"]), min_size=1))
def test_a_name_may_be_any_text_without_a_slash(name: str) -> None:
    assert split_path(f"{name}=./x.trec") == (
        (name.strip(), "./x.trec") if name.strip() else (None, f"{name}=./x.trec")
    )
    assert split_path(f"./{name}=x.trec") == (None, f"./{name}=x.trec")


def test_plain_paths_have_no_name() -> None:
    assert [place.name for place in expand_paths(["a.trec", "-", Path("b=c")])] == [None, None, None]


# --- rename -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("folder")
def test_rankers_are_renamed_in_every_way_of_reading(folder: Path) -> None:
    rename = {"bm25": "BM25 (k1=0.9)", "not there": "x"}
    named = ("BM25 (k1=0.9)", "dense")
    assert stagg.read(["bm25.trec", "dense.trec"], rename=rename).rankers == named
    assert stagg.read(["bm25.trec", "dense.trec"], rename=rename, comments=True).rankers == named
    (folder / "long.csv").write_text("query,ranker,item,rank\n1,bm25,a,1\n1,dense,b,1\n")
    assert stagg.read("long.csv", rename=rename).rankers == named
    assert stagg.read([{"ranker": "bm25", "item": "a", "rank": 1}], rename=rename).rankers == named[:1]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("options", [{}, {"comments": True}])
def test_names_that_no_ranker_has_are_told(options: dict[str, bool]) -> None:
    with pytest.warns(DataWarning, match="rename: no ranker is called 'bm52'; the rankers are 'bm25', 'dense'"):
        stagg.read(["bm25.trec", "dense.trec"], rename={"bm52": "BM25"}, **options)  # type: ignore[arg-type]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("rename", "message"),
    [
        ({"bm25": "x", "dense": "x"}, "'bm25' and 'dense' would both be 'x'; give each ranker another name"),
        ({"bm25": "dense"}, "'bm25' and 'dense' would both be 'dense'"),
        ({"bm25": " "}, "the new name of 'bm25' is empty"),
        ({"bm25": 1}, "rename is a dict such as"),
        ("bm25", "rename is a dict such as"),
    ],
)
def test_a_new_name_that_does_not_do_is_refused(rename: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        stagg.read(["bm25.trec", "dense.trec"], rename=rename)
