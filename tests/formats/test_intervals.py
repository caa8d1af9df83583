"""A consensus with intervals or p-values: written as CSV, Parquet or JSON, read back as the ranking that it is."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from stagg import DataError, Rankings, fuse, read, write
from stagg.data.simulation import simulate
from stagg.formats import FORMATS, ReadLog


@pytest.fixture(scope="module")
def consensus() -> Rankings:
    return fuse(simulate(queries=3, items=8, rankers=5, depth=6, seed=1).rankings, "rrf", intervals=0.9)


@pytest.fixture(scope="module", params=[None, 0.9], ids=["plain", "intervals"])
def tested(request: pytest.FixtureRequest) -> Rankings:
    """By rra, which adds p and q."""
    return fuse(simulate(queries=3, items=8, rankers=5, depth=6, seed=1).rankings, "rra", intervals=request.param)


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet", ".json", ".csv.gz"])
def test_p_and_q_are_written_and_read_back_as_the_ranking_alone(tested: Rankings, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"stagg-rra{ending}"
    write(tested, path)
    log = ReadLog()
    back = read(path, log=log)
    assert log.notes == []
    assert back.to_runs() == {"stagg-rra": {query: tested.to_runs()["stagg-rra"][query] for query in back.queries}}
    assert back.extras is None


def test_p_and_q_are_the_last_columns_of_tables_and_objects(tested: Rankings, tmp_path: Path) -> None:
    beside = ["low", "high", "top", "group", "p", "q"] if tested.intervals is not None else ["p", "q"]
    assert tested.extras is not None
    for name in ("c.csv", "c.json", "c.parquet"):
        write(tested, tmp_path / name)
    with open(tmp_path / "c.csv", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == ["query", "item", "rank", "score", *beside]
    ordered = tested.take_queries(sorted(range(len(tested)), key=tested.queries.__getitem__)).extras
    assert ordered is not None
    assert [float(row["p"]) for row in rows] == ordered["p"].tolist()
    objects = json.loads((tmp_path / "c.json").read_text())
    assert objects == tested.to_dict()
    assert list(next(iter(objects[tested.queries[0]].values()))) == ["rank", "score", *beside]
    table = pytest.importorskip("pyarrow.parquet").read_table(tmp_path / "c.parquet")
    assert table.column_names == list(rows[0])
    assert table["q"].to_pylist() == ordered["q"].tolist()


def test_trec_holds_the_scores_alone_and_does_not_refuse_p_and_q(tmp_path: Path) -> None:
    fused = fuse([["a", "b"], ["a", "c"]], "rra")
    write(fused, tmp_path / "c.trec")
    assert read(tmp_path / "c.trec").to_runs() == {"c": {"1": fused.to_runs()["stagg-rra"]["1"]}}


def test_a_column_q_of_somebody_elses_table_is_told_to_be_ignored(tmp_path: Path) -> None:
    (tmp_path / "theirs.csv").write_text("q,item,score\nq1,a,2\nq1,b,1\n")
    log = ReadLog()
    read(tmp_path / "theirs.csv", log=log)
    assert any("ignored columns: 'q'" in note for note in log.notes)


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet", ".json", ".csv.gz"])
def test_it_is_read_back_as_the_ranking_that_it_is(consensus: Rankings, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"stagg-rrf{ending}"
    write(consensus, path)
    log = ReadLog()
    back = read(path, log=log)
    assert log.notes == []
    assert back.to_lists() == {query: consensus.to_lists()[query] for query in sorted(consensus.queries)}


def test_the_csv_columns_are_the_documented_ones(consensus: Rankings, tmp_path: Path) -> None:
    write(consensus, tmp_path / "c.csv")
    with open(tmp_path / "c.csv", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == ["query", "item", "rank", "score", "low", "high", "top", "group"]
    assert len(rows) == len(consensus.entries)
    assert all(int(row["low"]) <= int(row["high"]) for row in rows)
    assert all(0 <= float(row["top"]) <= 1 for row in rows)


def test_the_json_objects_are_the_documented_ones(consensus: Rankings, tmp_path: Path) -> None:
    write(consensus, tmp_path / "c.json")
    found = json.loads((tmp_path / "c.json").read_text())
    assert sorted(found) == sorted(consensus.queries)
    first = next(iter(found[consensus.queries[0]].values()))
    assert list(first) == ["rank", "score", "low", "high", "top", "group"]
    assert first["rank"] == 1


def test_every_other_format_refuses_before_a_byte_is_written(consensus: Rankings, tmp_path: Path) -> None:
    refusing = [kind for kind in FORMATS if kind.writable and not kind.holds_intervals]
    assert {kind.name for kind in refusing} == {"trec", "letor", "preflib"}
    for kind in refusing:
        path = tmp_path / f"c{kind.endings[0]}"
        with pytest.raises(DataError, match="cannot hold"):
            write(consensus, path)
        assert not path.exists()
    with pytest.raises(DataError, match=r"intervals of ranks; write \.csv, \.json or \.parquet"):
        write(consensus, tmp_path / "c.trec")
