"""Whole numbers that a float cannot tell apart are said to tie, whoever reads them."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.command_line import runner

import stagg
from stagg import DataWarning, Rankings
from stagg.search.documents import fuse_documents

LARGE = 2**53
ROWS = {"item": ["x", "y", "z"], "score": [LARGE, LARGE + 1, 5]}
SAID = "rounds whole numbers of 2\\^53 or more"


def pandas_frame(rows: dict[str, Any]) -> Any:
    return pytest.importorskip("pandas").DataFrame(rows)


def polars_frame(rows: dict[str, Any]) -> Any:
    return pytest.importorskip("polars").DataFrame(rows)


def arrow_table(rows: dict[str, Any]) -> Any:
    return pytest.importorskip("pyarrow").table(rows)


@pytest.mark.parametrize(
    "read",
    [
        lambda: stagg.fuse({"a": {"x": LARGE, "y": LARGE + 1}, "b": {"x": 1, "y": 2}}),
        lambda: stagg.fuse({"a": [("x", -LARGE), ("y", -LARGE - 1)]}),
        lambda: stagg.fuse({"a": {"x": LARGE, "y": LARGE + 1}}, values="rank"),
        lambda: stagg.fuse({"a": {"q": {"x": 2**80, "y": 2**80 + 1}}, "b": {"q": {"x": 1, "y": 2}}}),
        lambda: stagg.fuse({"a": {"x": float(LARGE), "y": LARGE + 1}}),
        lambda: stagg.fuse({"a": {"x": np.int64(LARGE), "y": np.int64(LARGE + 1)}}),
        lambda: stagg.fuse({"a": {"x": Decimal(LARGE), "y": Decimal(LARGE + 1)}}),
        lambda: fuse_documents([[{"id": "x", "n": LARGE}, {"id": "y", "n": LARGE + 1}]], score="n"),
        lambda: Rankings.from_frame(pandas_frame(ROWS)),
        lambda: Rankings.from_frame(pandas_frame(ROWS | {"score": np.array(ROWS["score"], dtype=np.uint64)})),
        lambda: Rankings.from_frame(pandas_frame(ROWS | {"score": np.array([2**80, 2**80 + 1, 5], dtype=object)})),
        lambda: Rankings.from_frame(pandas_frame(ROWS), rank="score", score=None, item="item"),
        lambda: Rankings.from_frame(polars_frame(ROWS)),
        lambda: Rankings.from_frame(arrow_table(ROWS)),
        lambda: Rankings.from_frame(arrow_table(ROWS | {"score": list(map(Decimal, ROWS["score"]))})),
    ],
)
def test_numbers_that_differ_and_tie_are_said_to(read: Callable[[], Any]) -> None:
    with pytest.warns(DataWarning, match=f"that differ tie: stagg {SAID}"):
        read()


@pytest.mark.parametrize(
    "read",
    [
        lambda: stagg.fuse({"a": {"x": LARGE, "y": LARGE}}),  # they are equal
        lambda: stagg.fuse({"a": {"x": LARGE, "y": 2 * LARGE}}),
        lambda: stagg.fuse({"a": {"x": LARGE - 1, "y": LARGE - 2}}),
        lambda: stagg.fuse({"a": {"x": 1.7e38, "y": 1.7e38}}),
        lambda: stagg.fuse({"a": {"x": LARGE, "y": 1}, "b": {"x": LARGE + 1, "y": 1}}),  # two lists
        lambda: Rankings.from_frame(pandas_frame({"item": ["x", "y"], "score": [1e300, 1e300]})),
        lambda: Rankings.from_frame(arrow_table({"item": ["x", "y"], "score": [LARGE, LARGE]})),
    ],
)
def test_numbers_that_lose_nothing_are_not_worth_a_word(read: Callable[[], Any]) -> None:
    read()


def write_files(folder: Path) -> list[Path]:
    files = {
        "trec": f"q Q0 x 1 {LARGE} r\nq Q0 y 2 {LARGE + 1} r\nq Q0 z 3 4 r\n",
        "csv": f"query,item,score\nq,x,{LARGE}\nq,y,{LARGE + 1}\nq,z,3\n",
        "tsv": f"query\titem\tscore\nq\tx\t{LARGE}\nq\ty\t{LARGE + 1}\n",
        "json": json.dumps({"q": {"x": LARGE, "y": LARGE + 1}}, indent=1),
        "jsonl": "".join(
            json.dumps({"query": "q", "item": item, "score": score}) + "\n"
            for item, score in (("x", LARGE), ("y", LARGE + 1))
        ),
        "letor": f"1 qid:1 1:{LARGE} #docid = x\n0 qid:1 1:{LARGE + 1} #docid = y\n",
    }
    for ending, text in files.items():
        (folder / f"big.{ending}").write_text(text)
    pandas_frame({"query": ["q"] * 3, **ROWS}).to_parquet(folder / "big.parquet")
    return [folder / f"big.{ending}" for ending in (*files, "parquet")]


def test_every_reader_of_files_says_where_numbers_may_have_lost_digits(tmp_path: Path) -> None:
    for path in write_files(tmp_path):
        with pytest.warns(DataWarning, match=rf"big\.{path.suffix[1:]}.*may differ: stagg {SAID}") as said:
            stagg.read(path, **({"values": "score"} if path.suffix == ".letor" else {}))
        assert len(said) == 1


def test_the_command_line_says_it_once_in_parts_and_whole(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    run = runner(capfdbinary)
    for path in write_files(tmp_path):
        if path.suffix == ".letor":
            continue
        for output in ("fused.trec", "fused.json"):
            assert run("fuse", path, "-o", tmp_path / output).err.count("2^53") == 1
    many = "".join(f"q{n} Q0 {item} 1 {LARGE + n % 2} r\n" for n in range(3000) for item in "xy")
    (tmp_path / "many.trec").write_text(many)
    assert "many.trec:2: " in (said := run("fuse", tmp_path / "many.trec", "-o", tmp_path / "fused.trec").err)
    assert "(3,000 such rows)" in said


def test_requests_of_a_service_say_it_once() -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("default")
        for number in range(10):
            stagg.fuse({"a": {"x": LARGE + 2 * number, "y": LARGE + 2 * number + 1}})
    assert len(said) == 1
