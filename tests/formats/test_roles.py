"""The names of columns: how they are written does not matter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import stagg
from stagg.formats import ReadLog
from stagg.formats.tables.roles import find_run_columns, propose_results, propose_roles

WAYS: list[Callable[[str], str]] = [
    str.upper,
    str.title,
    lambda name: name.replace("_", "-"),
    lambda name: name.replace("_", " "),
    lambda name: f" {name.replace('_', ' - ')} ",
    lambda name: name.replace("_", "  ").title(),
]
each_way = pytest.mark.parametrize("write", WAYS, ids=[repr(write("doc_id")) for write in WAYS])


@each_way
def test_capitals_blanks_and_hyphens_in_the_names_of_columns_do_not_matter(
    write: Callable[[str], str], tmp_path: Path
) -> None:
    path, rows = tmp_path / "x.csv", "q1,d1,3\nq1,d2,2\nq2,d2,1\n"
    path.write_text(f"query,item,score\n{rows}")
    expected = stagg.read(path)
    path.write_text(f"{write('query_id')},{write('doc_id')},{write('score')}\n{rows}")
    assert stagg.read(path) == expected


@each_way
@pytest.mark.parametrize("turned", [False, True])
def test_a_column_is_found_by_its_name_in_another_writing(
    write: Callable[[str], str], turned: bool, tmp_path: Path
) -> None:
    names = ["my_own_voter", write("my_own_voter")]
    held, said = names[::-1] if turned else names
    path = tmp_path / "x.csv"
    path.write_text(f"first,second,{held}\nA,B,ann\nB,A,bob\n")
    assert stagg.read(path, layout="ballots", header=True, columns={"ranker": said}).rankers == ("ann", "bob")


@pytest.mark.parametrize(
    ("names", "rows", "roles"),
    [
        ("model,task,value", "a,x,1 b,x,2 a,y,1", {"item": "model", "ranker": "task", "score": "value"}),
        (
            "model,benchmark,metric,value",
            "a,x,acc,1 a,x,f1,2 b,x,acc,1 a,y,acc,1",
            {"query": "benchmark", "ranker": "metric", "item": "model", "score": "value"},
        ),
        ("model,task,value", "a,x,1 b,x,2 a,x,1", None),  # a value twice
        ("model,task,value", "a,x,1 b,x,2 c,y,1", None),  # no model twice
        ("model,task,note", "a,x,good b,x,bad a,y,good", None),
        ("model,task,query,value", "a,x,1,1 b,x,1,2 a,y,1,1", None),  # says itself what its columns are
    ],
)
def test_tables_of_results_are_read_as_models_on_tasks(names: str, rows: str, roles: dict[str, str] | None) -> None:
    assert propose_results(names.split(","), [row.split(",") for row in rows.split()]) == roles


@pytest.mark.parametrize(
    ("names", "rows", "expected"),
    [
        (["topic", "doc", "value"], ["1 d1 .5", "1 d2 .4", "2 d1 .3"],
         {"query": "topic", "item": "doc", "score": "value"}),
        (["x", "y", "z"], ["q1 d1 3", "q1 d2 2", "q2 d3 1.5"], {"query": "x", "item": "y", "score": "z"}),
        (["x", "y", "z"], ["q1 d1 1", "q1 d2 2", "q2 d3 1"], {"query": "x", "item": "y", "rank": "z"}),
        (["x", "y", "z", "w"], ["q1 d1 1 .5", "q1 d2 2 .4", "q2 d3 1 .9"],
         {"query": "x", "item": "y", "rank": "z", "score": "w"}),
        (["q", "r", "y", "z"], ["q1 a d1 3", "q1 b d2 2", "q2 a d3 1.5", "q2 b d4 .5"],
         {"query": "q", "item": "y", "score": "z", "ranker": "r"}),
        (["voter", "y", "z"], ["ann d1 1", "ann d2 2", "bob d1 2"], {"ranker": "voter", "item": "y", "rank": "z"}),
        (["", "", ""], ["q1 d1 3", "q1 d2 2", "q2 d3 1.5"], {"query": "1", "item": "2", "score": "3"}),
        (["docno", "docid", "qid", "score"], ["d1 1 q1 .5", "d2 2 q1 .4"], {"item": "docno", "query": "qid"}),
        (["scroe", "itm"], [".5 a", ".4 b"], {"item": "itm", "score": "scroe"}),
        (["x", "y"], ["a b", "c d"], None),  # no numbers
        (["x", "y"], [".5 .3", ".4 .7"], None),  # no items
        (["model", "dataset", "acc"], ["m1 x .5", "m1 y .4", "m2 x .3", "m2 y .1"],
         {"ranker": "dataset", "item": "model", "score": "acc"}),
    ],
)  # fmt: skip
def test_columns_are_proposed_for_roles_by_their_names_and_cells(
    names: list[str], rows: list[str], expected: dict[str, str] | None
) -> None:
    assert propose_roles(names, [row.split(" ") for row in rows]) == expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["q a 1", "q b 2", "r a 1"], {"query": "1", "item": "2", "rank": "3"}),
        (["q Q0 a 1 9", "q Q0 b 2 8", "r Q0 a 1 9.5"], {"query": "1", "item": "3", "rank": "4", "score": "5"}),
        (["q a 1 9", "q b 2 9"], {"query": "1", "item": "2", "rank": "3", "score": "4"}),
        (["q a 1 8", "q b 2 9"], {"query": "1", "item": "2", "rank": "3"}),  # the numbers rise
        (["q a 1 x", "q b 2 y"], {"query": "1", "item": "2", "rank": "3"}),
        (["q a 1"], None),
        (["q a", "q b"], None),
        (["q a 0", "q b 1"], None),
        (["q a 1", "q b 3"], None),
        (["q a 1", "q a 2"], None),  # an item twice
        (["q a 1", "r b 1", "q c 1"], None),  # a query in two places
        (["q Q0 a", "q Q0 b", "r Q0 c"], None),
    ],
)
def test_a_run_without_a_header_is_known_by_ranks_that_count_up(
    rows: list[str], expected: dict[str, str] | None
) -> None:
    assert find_run_columns([row.split(" ") for row in rows]) == expected


def _read(tmp_path: Path, text: str, **options: Any) -> tuple[stagg.Rankings, str]:
    (tmp_path / "x.csv").write_text(text)
    log = ReadLog()
    return stagg.read(tmp_path / "x.csv", log=log, **options), "\n".join(map(str, log.notes))


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"item": "doc", "score": "doc"}, "the column 'doc' cannot be both item and score"),
        (
            {"item": "dco"},
            "there is no column 'dco' for item; the columns are 'query', 'doc', 'z'; did you mean 'doc'?",
        ),
        ({"item": "4"}, "there is no column '4' for item"),
        ({"item": "0"}, "there is no column '0' for item"),
    ],
)
def test_columns_that_the_caller_names_are_there_and_have_one_role(
    columns: dict[str, str], told: str, tmp_path: Path
) -> None:
    with pytest.raises(stagg.DataError) as caught:
        _read(tmp_path, "query,doc,z\nq,a,1.5\nq,b,2.5\n", columns=columns)
    assert told in str(caught.value)
    assert caught.value.line == 1


def test_columns_may_be_named_by_number_and_names_may_have_a_plus(tmp_path: Path) -> None:
    text = "query,doc,z\nq,a,1.5\nq,b,2.5\n"
    for columns in ({"item": "doc", "score": "z"}, {"item": "2", "score": "3"}, {"item": "DOC", "score": " Z "}):
        assert _read(tmp_path, text, columns=columns)[0].best_first() == ["b", "a"]
    assert _read(tmp_path, text, columns={"item": "doc", "rank": "z"})[0].best_first() == ["a", "b"]
    wide = "item,s,t+u,v\na,0.5,1.5,2.5\nb,0.75,0.25,0.5\n"
    assert _read(tmp_path, wide, columns={"ignore": "t+u"})[0].rankers == ("s", "v")
    assert _read(tmp_path, wide, columns={"ignore": "s + v"}, layout="wide")[0].rankers == ("t+u",)


def test_a_column_that_may_name_queries_rankers_or_counts_is_not_ignored_unsaid(tmp_path: Path) -> None:
    as_query, as_ranker = (("x", "y"), ("x",)), (("1",), ("x", "y"))
    for name, owners in (("user", [as_query, as_ranker]), ("model", [as_ranker])):
        text = f"{name},item,score\nx,a,1.5\ny,b,2.5\n"
        with pytest.raises(stagg.DataError, match=f"the column '{name}' may name the") as caught:
            _read(tmp_path, text)
        *names, out = (_read(tmp_path, text, **say.options)[0] for say in caught.value.message.says)
        assert [(found.queries, found.rankers) for found in names] == owners
        assert out.best_first() == ["b", "a"]
    text = "ranker,item,rank,votes\nx,a,1,3\nx,b,2,3\ny,b,1,2\n"
    with pytest.raises(stagg.DataError, match="the column 'votes' may count the voters of each ranker") as caught:
        _read(tmp_path, text)
    count, ignore = (_read(tmp_path, text, **say.options)[0] for say in caught.value.message.says)
    assert (count.multiplicities.tolist(), ignore.multiplicities.tolist()) == ([3, 2], [1, 1])


def test_the_only_number_beside_query_and_item_is_read_as_its_name_tells(tmp_path: Path) -> None:
    for name, best, noted in (
        ("distance", ["a", "b"], "'distance' was read as rank; the option 'columns' names other columns"),
        ("my_distance", ["a", "b"], "'my_distance' was read as a rank: small = top"),
        ("bm25_rank", ["a", "b"], ""),
        ("similarity", ["b", "a"], ""),
    ):
        found, notes = _read(tmp_path, f"query,item,{name}\nq,a,1\nq,b,2\n")
        assert found.best_first() == best
        assert noted in notes
    _, notes = _read(tmp_path, "query,item,distance\nq,a,1.5\n", columns={"score": "distance"})
    assert "'distance' was read as a score, large = top; columns={'rank': 'distance'} if small is better" in notes
