"""The front door: little files as people make them are read rightly, or refused with the option that reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stagg import InvalidParameter, Rankings, StaggError, read
from stagg.formats import ReadLog, ReadOptions
from tests.door.cases import CASES, Case


def groups(rankings: Rankings) -> dict[str, dict[str, list[Any]]]:
    """{query: {ranker: best-first ids, tied ones as a sorted list}}."""
    return {
        view.id: {
            ranker: [group[0] if len(group) == 1 else sorted(group) for group in lists]
            for ranker, lists in view.lists.items()
        }
        for view in rankings
    }


def expected(case: Case) -> dict[str, dict[str, list[Any]]]:
    assert case.lists is not None
    return {
        query: {
            ranker: [each if isinstance(each, str) else sorted(each) for each in ids] for ranker, ids in lists.items()
        }
        for query, lists in case.lists.items()
    }


def put(case: Case, folder: Path) -> Path:
    path = folder / case.file
    path.write_bytes(case.content if isinstance(case.content, bytes) else case.content.encode())
    return path


@pytest.mark.parametrize("case", CASES, ids=[case.says for case in CASES])
def test_a_file_is_read_rightly_or_refused_with_the_option_that_reads_it(case: Case, tmp_path: Path) -> None:
    path, log = put(case, tmp_path), ReadLog()
    if case.refused:
        with pytest.raises(StaggError) as caught:
            read(path, log=log, **case.options)
        for piece in case.refused:
            assert piece in str(caught.value)
    else:
        assert groups(read(path, log=log, **case.options)) == expected(case)
    for piece in case.noted:
        assert piece in "\n".join(log.notes)


def test_options_of_tables_are_said_of_the_tables_beside_a_run(tmp_path: Path) -> None:
    (tmp_path / "bm25.txt").write_text("q Q0 a 1 2.5 t\n")
    (tmp_path / "dense.csv").write_text("q_no,doc,score\nq,b,1\n")
    paths = [tmp_path / "bm25.txt", tmp_path / "dense.csv"]
    found = read(paths, columns={"query": "q_no", "item": "doc"})
    assert groups(found) == {"q": {"bm25": ["a"], "dense": ["b"]}}
    with pytest.raises(StaggError, match="the option 'columns' is for csv"):
        read(paths[:1], columns={"query": "q_no", "item": "doc"})


def test_every_case_has_a_name_of_its_own() -> None:
    assert len({case.says for case in CASES}) == len(CASES) >= 60


@pytest.mark.parametrize(
    ("table", "options"),
    [
        ("count,1st,2nd\n12,A,B\n5,B,A\n", {}),
        ("1st,2nd,Number of voters\nA,B,12\nB,A,5\n", {}),
        ("count,ballot\n12,A>B\n5,B>A\n", {}),
        ("voter,A,B,count\nv,1,2,12\nw,2,1,5\n", {}),
        ("winner,loser,count\nA,B,12\nB,A,5\n", {}),
        ("ranker,item,rank,n\nv,A,1,12\nv,B,2,12\nw,A,2,5\nw,B,1,5\n", {"columns": {"multiplicity": "n"}}),
        ("12: A>B\n5: B>A\n", {"layout": "ballots", "header": False}),
    ],
)
def test_a_count_is_a_number_of_voters_in_every_layout(table: str, options: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(table)
    rankings = read(path, log=ReadLog(), **options)
    assert rankings.multiplicities.tolist() == [12, 5]
    assert [sorted(lists) for lists in groups(rankings)["1"].values()] == [["A", "B"], ["A", "B"]]


def test_columns_by_number_are_texts_in_the_options_of_reading() -> None:
    assert ReadOptions(columns={"item": 1, "score": "2"}).columns == {"item": "1", "score": "2"}  # type: ignore[dict-item]


@pytest.mark.parametrize("columns", [["query"], {"querry": "q"}, {"query": None}, {"query": True}, {"query": 1.5}])
def test_columns_are_names_or_numbers_by_role(columns: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("q,item,score\n1,a,2\n")
    with pytest.raises(InvalidParameter, match="column"):
        read(path, columns=columns)
