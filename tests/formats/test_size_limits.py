"""Inputs that unfold to more than a disk or the memory holds are refused early; genuine ones of any size are read."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, cast

import lz4.frame
import numpy as np
import pytest
import zstandard

from stagg import DataError, InvalidParameter, read
from stagg.errors import TooLarge
from stagg.formats.storage import size_limits as bounds
from stagg.formats.storage.size_limits import LOOK_AHEAD, Bounded, Bounds, CountedBytes
from tests.formats.workbooks import change_sheet

MIB = 1 << 20
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor().compress,
    "lz4": lz4.frame.compress,
}
UNFOLDED = {
    "bomb.trec": bytes(MIB),
    "bomb.json": bytes(MIB),
    "bomb.csv": bytes(MIB),
    "rows.trec": b"q1 Q0 d1 1 1.0 t\n" * 61_680,
    "rows.csv": b"q1,d1,1\n" * 131_072,
    "blank.csv": b"\n" * MIB,
    "open.json": b"[" * MIB,
    "open.csv": b'"' + b"a" * MIB,
}


def _limit_file_and_memory() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (16 * MIB, 16 * MIB))  # a copy on the disk would hit it
    resource.setrlimit(resource.RLIMIT_DATA, (700 * MIB, 700 * MIB))


CALLS = [*[("fuse", name, False) for name in UNFOLDED], ("inspect", "bomb.json", False), ("fuse", "rows.trec", True)]


@pytest.mark.parametrize(("command", "name", "piped"), CALLS)
def test_a_bomb_is_refused_before_it_fills_the_disk_or_the_memory(
    tmp_path: Path, command: str, name: str, piped: bool
) -> None:
    path = tmp_path / f"{name}.zst"
    packer = zstandard.ZstdCompressor().compressobj()
    blocks = [packer.compress(UNFOLDED[name]) for _ in range(1000)]
    path.write_bytes(b"".join([*blocks, packer.flush()]))
    call = [sys.executable, "-m", "stagg", command, "-" if piped else str(path), "--input-format", name.split(".")[1]]
    with path.open("rb") as stdin:
        ended = subprocess.run(
            call, stdin=stdin, capture_output=True, text=True, preexec_fn=_limit_file_and_memory, timeout=60
        )
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert len(ended.stderr.splitlines()) == 1, ended.stderr


@pytest.mark.parametrize("ending", PACKERS)
def test_what_unpacks_to_hundreds_of_times_its_size_is_refused_unless_a_size_is_given(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "FREE_BYTES", MIB)
    monkeypatch.setattr(bounds, "MOST_TIMES", 100)
    path = tmp_path / f"x.trec.{ending}"
    rows = [b"q1 Q0 d1 1 1 t\n", b"# nothing to read here\n" * 140_000, b"q1 Q0 d2 2 .5 t\n"]
    path.write_bytes(PACKERS[ending](b"".join(rows)))
    with pytest.raises(TooLarge, match=r"more than (100|60) times its size.*say max_size="):
        read(path, comments=True)
    assert read(path, comments=True, max_size=10 * MIB).items == ("d1", "d2")


@pytest.mark.parametrize("name", ["x.trec", "x.csv", "x.json", "x.jsonl", "x.soc", "x.letor", "x.trec.gz", "x.txt"])
def test_a_mebibyte_of_blank_lines_is_no_text(tmp_path: Path, name: str) -> None:
    content = b"\r\n" * MIB
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    with pytest.raises(DataError, match=r"1 MiB of blank lines|0 rows"):
        read(tmp_path / name)


@pytest.mark.parametrize("name", ["x.trec", "x.trec.gz"])
def test_a_size_that_is_given_bounds_every_input(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    content = b"q1 Q0 d1 1 1 t\nq1 Q0 d2 2 .5 t\n"
    path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    with pytest.raises(TooLarge, match="holds more than 20 bytes"):
        read(path, max_size=20)
    assert read(path, max_size=len(content)).items == ("d1", "d2")
    for wrong in (0, -1, 1.5, "10"):
        with pytest.raises(InvalidParameter, match="max_size is a number of bytes"):
            read(path, max_size=wrong)  # type: ignore[arg-type]


def test_a_genuine_archive_of_many_rows_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.trec.gz"
    rows = (f"q{q} Q0 doc{q * 7919 % 99991}-{i} {i} {1 / i:.6f} tag\n" for q in range(400) for i in range(1, 501))
    path.write_bytes(gzip.compress("".join(rows).encode()))
    assert len(read(path).entries) == 200_000


def test_a_workbook_that_unfolds_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.xlsx").write_bytes(
        change_sheet(lambda xml: xml.replace(b"</sheetData>", b" " * 8 * MIB + b"</sheetData>"))
    )
    with pytest.raises(TooLarge, match="more than 250 times its size"):
        read(tmp_path / "x.xlsx")


def test_a_column_of_one_value_cannot_claim_any_number_of_rows(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    count = 1 << 20
    same = pa.array(["x"] * count)
    table = pa.table({"query": same, "item": same, "score": pa.array([1.0] * count)})
    parquet.write_table(table, tmp_path / "x.parquet", row_group_size=count)
    with pytest.raises(TooLarge, match="more than 250 times its size"):
        read(tmp_path / "x.parquet")


def test_a_bomb_is_refused_before_any_of_its_rows_is_looked_at() -> None:
    packed = CountedBytes(io.BytesIO(gzip.compress(b"q1,d1,1\n" * (8 << 17))))
    stream = Bounded(gzip.GzipFile(fileobj=cast("IO[bytes]", packed)), Bounds(None, "x.csv.gz"), packed)
    with pytest.raises(TooLarge, match="more than 250 times its size"):
        stream.readinto(bytearray(1))


def test_an_archive_larger_than_what_is_unpacked_ahead_gives_every_byte_once() -> None:
    content = np.random.default_rng(0).bytes(LOOK_AHEAD + 70_001)
    packed = CountedBytes(io.BytesIO(gzip.compress(content, 1)))
    stream = Bounded(gzip.GzipFile(fileobj=cast("IO[bytes]", packed)), Bounds(None, "x.gz"), packed)
    assert io.BufferedReader(stream, 12_345).read() == content
