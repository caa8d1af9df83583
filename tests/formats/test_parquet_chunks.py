"""Parquet tables that are read in chunks give what reading them whole gives: rows, notes and errors."""

from __future__ import annotations

import gzip
import io
import os
import random
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stagg import DataError
from stagg.data.rankings import Rankings
from stagg.formats import ReadLog, ReadOptions
from stagg.formats.inputs import Inputs
from stagg.formats.parts import parquet_chunks
from stagg.formats.parts.chunks import Whole
from stagg.formats.parts.in_parts import InParts
from stagg.kernels.text import records
from tests.formats.hostile import HOSTILE_IDS
from tests.formats.test_csv_chunks import check_agreement, in_chunks, whole
from tests.strategies import examples

pytestmark = pytest.mark.skipif(not records.has_twin(), reason="the compiled reader was not built")


@pytest.fixture(autouse=True, params=[1, 7, 1 << 16], ids=lambda rows: f"batches of {rows}")
def batch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(parquet_chunks, "BATCH", request.param)
    return int(request.param)


def write(path: Path, columns: dict[str, Any], row_group: int = 5, **how: Any) -> Path:
    pq.write_table(pa.table(columns), path, row_group_size=row_group, **how)
    return path


IDS: list[Any] = [
    pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.int32(), pa.large_string()),
    pa.int64(), pa.string_view(),
]  # fmt: skip
NUMBERS: list[Any] = [pa.float64(), pa.float32(), pa.int64(), pa.int8(), pa.string()]


def random_table(rng: random.Random) -> dict[str, Any]:
    """Columns of many types, with and without nulls, odd ids and odd numbers."""
    rows = rng.choice([0, 1, 3, 30])
    odd = rng.random() < 0.3
    found: dict[str, Any] = {}
    for name in ("query", "ranker", "item") if rng.random() < 0.5 else ("item", "query"):
        kind = rng.choice(IDS)
        values: list[Any] = [rng.randrange(4 if name != "item" else 400) for _ in range(rows)]
        values = values if kind == pa.int64() else [f"{name[0]}{value}" for value in values]
        if odd and rows and rng.random() < 0.3:
            values[rng.randrange(rows)] = None if kind == pa.int64() else rng.choice([None, "", " a ", "é" * 9, "a\0b"])
        if pa.types.is_dictionary(kind):
            found[name] = pa.array(values, pa.string()).dictionary_encode().cast(kind)
        else:
            found[name] = pa.array(values, pa.string() if kind == pa.string_view() else kind).cast(kind)
    for name in rng.choice([("score",), ("rank",), ("rank", "score"), ()]):
        kind = rng.choice(NUMBERS)
        values = [rng.randrange(1, 9) for _ in range(rows)]
        if kind == pa.string():
            values = [str(value) for value in values]
        if odd and rows and rng.random() < 0.5:
            values[rng.randrange(rows)] = None
        found[name] = pa.array(values, kind)
    if rng.random() < 0.2:
        found["note"] = pa.array(["x"] * rows)
    return found


@pytest.mark.parametrize("seed", range(examples(200)))
def test_tables_of_any_types_are_read_alike(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    paths = []
    for number in range(rng.choice([1, 1, 2])):
        try:
            paths.append(write(tmp_path / f"{number}.parquet", random_table(rng), rng.choice([1, 4, 100])))
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
            pytest.skip("this Arrow cannot write such a column")
    found = check_agreement(paths)
    if found is not None and isinstance(found[0], str) and len(paths) == 1:
        assert found[0].split(":")[0] == whole(paths)[0].split(":")[0]  # type: ignore[union-attr]


@pytest.mark.parametrize("order_by", [None, "rank", "score"])
def test_an_order_that_is_asked_for_is_the_same(order_by: str | None, tmp_path: Path) -> None:
    rng = random.Random(order_by)
    columns = {
        "query": [f"q{n % 3}" for n in range(40)], "item": [f"d{n}" for n in range(40)],
        "rank": [rng.randrange(9) for _ in range(40)], "score": [rng.randrange(9) / 2 for _ in range(40)],
    }  # fmt: skip
    paths = [write(tmp_path / "x.parquet", columns)]
    found = check_agreement(paths, ReadOptions(order_by=order_by))
    assert found == whole(paths, ReadOptions(order_by=order_by))
    assert found is not None
    assert isinstance(found[0], Rankings)


def test_hostile_ids_are_read_alike(tmp_path: Path) -> None:
    ids = [text for text in HOSTILE_IDS if text.encode("utf-8", "replace").decode() == text]
    for query in ids[::4]:
        columns = {"query": [query] * len(ids), "item": ids, "score": [float(n) for n in range(len(ids))]}
        paths = [write(tmp_path / "x.parquet", columns)]
        assert in_chunks(paths) == whole(paths)
    for item in ids:
        paths = [write(tmp_path / "x.parquet", {"query": ["q", "r"], "item": ["a", item], "score": [1, 2]})]
        assert in_chunks(paths) == whole(paths)


@pytest.mark.parametrize("damage", ["short", "page", "end", "grown", "empty"])
def test_damaged_files_are_refused_alike(damage: str, tmp_path: Path) -> None:
    columns = {"query": [f"q{n}" for n in range(99)], "item": ["a"] * 99, "score": [1.0] * 99}
    path = write(tmp_path / "x.parquet", columns, 20, write_page_checksum=True, compression="none")
    data = bytearray(path.read_bytes())
    if damage == "page":
        for place in range(30, 300):
            data[place] ^= 0x55
    content = {"short": data[:-40], "page": data, "end": data[: len(data) // 2], "grown": data + b"x", "empty": b""}
    path.write_bytes(bytes(content[damage]))
    found = in_chunks([path])
    assert found is None or found == whole([path])
    assert damage == "empty" or found is None or isinstance(found[0], str)


def test_a_file_that_changes_while_it_is_read_is_an_error(tmp_path: Path) -> None:
    columns = {"query": [f"q{n}" for n in range(99)], "item": ["a"] * 99, "score": [1.0] * 99}
    path = write(tmp_path / "x.parquet", columns, 20)
    other = write(tmp_path / "y.parquet", {**columns, "item": ["b"] * 99}, 20).read_bytes()
    for changed in (path.read_bytes()[:200], other, b"", None):
        write(path, columns, 20)
        os.utime(path, ns=(1, 1))
        with Inputs([path], options=ReadOptions(), log=ReadLog()) as inputs:
            parts = inputs.in_parts()
            assert isinstance(parts, InParts)
            path.unlink() if changed is None else path.write_bytes(changed)
            with pytest.raises(DataError):
                parts.finish(ReadLog(), parts.read_whole().noticed)


@pytest.mark.parametrize("threads", [1, 3])
def test_standard_input_is_read_in_chunks(threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = {"query": [f"q{n % 9}" for n in range(99)], "item": [f"d{n}" for n in range(99)], "score": [1.0] * 99}
    path = write(tmp_path / "x.parquet", columns, 20)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    with Inputs(["-"], options=ReadOptions(), log=ReadLog()) as inputs:
        parts = inputs.in_parts(threads=threads)
        assert isinstance(parts, InParts)
        found = parts.read_whole().rankings
    assert found.with_rankers(["x"]) == whole([path])[0]


@pytest.mark.parametrize(
    "columns", [{"item": ["a", "b"], "rank": [1, 2]}, {"query": ["q"], "item": ["a"], "rank": [1]}]
)
def test_packed_tables_are_read_after_they_were_looked_at(columns: dict[str, Any], tmp_path: Path) -> None:
    path, packed = write(tmp_path / "x.parquet", columns), tmp_path / "p" / "x.parquet.gz"
    packed.parent.mkdir()
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert check_agreement([packed]) is None or in_chunks([packed]) == whole([path])
    with Inputs([packed], options=ReadOptions(), log=ReadLog()) as inputs:
        inputs.in_parts()
        assert inputs.load().rankings == whole([path])[0]


def test_what_cannot_be_read_in_chunks_says_why(tmp_path: Path) -> None:
    for columns, why in (
        ({"item": ["a", "b"], "rank": [1, 2]}, "it is one query"),
        ({"query": ["q", "q"], "item": ["a", "b"], "multiplicity": [1, 2], "rank": [1, 2]}, "multiplicities"),
    ):
        with Inputs([write(tmp_path / "x.parquet", columns)], options=ReadOptions(), log=ReadLog()) as inputs:
            found = inputs.in_parts()
            assert isinstance(found, Whole)
            assert why in found.why
