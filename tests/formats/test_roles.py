"""The names of columns: how they are written does not matter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import stagg
from stagg.formats.tables.roles import propose_results

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
