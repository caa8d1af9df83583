"""A consensus with intervals: written as CSV, Parquet or JSON, read back as the ranking that it is."""

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
