"""Small files that unfold to much: refused soon, in little memory, nothing on the disk. Large honest ones are read."""

from __future__ import annotations

import bz2
import functools
import gzip
import io
import lzma
import os
import random
import re
import resource
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import lz4.frame
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import zstandard
from tests.door.cases import book
from tests.formats.workbooks import BOMBS as WORKBOOKS

from attack.scene import ROOT, SAMPLE, STAGG
from attack.verdict import Attack

MIB = 1 << 20
CPU_SECONDS, MEMORY = 2.0, 200 * MIB  # processor time: the clock on a loaded machine says nothing
LONG = 200.0  # seconds; with so many, the large honest archive is read, too
HONEST_QUERIES, HONEST_ITEMS = 20_000, 1000

TEXTS = {
    "x.trec": [bytes(MIB), b"q1 Q0 d1 1 1.0 t\n" * 61_680, b"\n" * MIB, b"q" * MIB],
    "x.csv": [bytes(MIB), b"q1,d1,1\n" * 131_072, b"\n" * MIB, b'"' * MIB, b"," * MIB, b"Ada,Ben,Cleo\n" * 80_659],
    "x.json": [bytes(MIB), b" " * MIB, b"[" * MIB, b'{"a":' * 200_000],
    "x.jsonl": [bytes(MIB), b"\n" * MIB, b'{"item":"a"}\n' * 80_000],
    "x.soc": [bytes(MIB), b"1: 1,2\n" * 150_000],
    "x.letor": [bytes(MIB), b"0 qid:1 1:1 #docid = a\n" * 45_590],
}
RUN, LABELS = str(SAMPLE / "bm25.trec"), str(SAMPLE / "qrels.txt")
COMMANDS: dict[str, Callable[[str], list[str]]] = {
    "fuse": lambda path: ["fuse", path],
    "fuse two": lambda path: ["fuse", RUN, path],
    "inspect": lambda path: ["inspect", path],
    "convert": lambda path: ["convert", path, f"{path}.out.csv"],
    "evaluate": lambda path: ["evaluate", path, "--qrels", LABELS],
    "labels": lambda path: ["evaluate", RUN, "--qrels", path],
    "elect": lambda path: ["elect", path],
    "train": lambda path: ["train", path, "--qrels", LABELS, "--learner", "best_input", "-o", f"{path}.out.json"],
    "model": lambda path: ["fuse", RUN, "--model", path],
}
"""Every way into a file, by the path of the bomb."""


def attack(seed: int, seconds: float) -> Attack:
    """Every content by every packer into every command; the order goes by the seed.

    Every workbook goes into one command before all others, however little time there is.
    """
    rng = random.Random(seed)
    readers = [name for name in COMMANDS if name != "model"]
    first = [("x.xlsx", content, "", rng.choice(readers)) for content in WORKBOOKS.values()]
    cases = [(n, c, p, v) for n, cs in TEXTS.items() for c in cs for p in PACKERS for v in COMMANDS]
    cases += [(name, content, "", v) for name, content in _make_files().items() for v in COMMANDS]
    cases += [("x.xlsx", content, "", v) for content in WORKBOOKS.values() for v in COMMANDS]
    rng.shuffle(cases)
    found, worst = Attack("bombs", f"of {len(cases):,} bombs", seconds, least=len(first)), [0.0, 0]
    with tempfile.TemporaryDirectory() as folder:
        if seconds >= LONG:
            _read_honest(Path(folder), found)
        for name, content, packer, command in first + cases:
            if not found.has_time():
                break
            path = Path(folder) / name
            path.write_bytes(_packed(content, packer))
            spent, memory, code, err = _run(COMMANDS[command](str(path)), limited=True)
            found.count()
            worst = [max(worst[0], spent), max(worst[1], memory)]
            what = f"{command} {name} of {content[:12]!r} by {packer}"
            if code != 1 or not _is_refusal(err):
                found.report(f"{what}: status {code}, {err[-200:]!r}")
            elif spent > CPU_SECONDS or memory > MEMORY:
                found.report(f"{what}: {spent:.1f} s, {memory / MIB:.0f} MiB")
    found.notes.append(f"at most {worst[0]:.1f} s of processor time and {worst[1] / MIB:.0f} MiB")
    return found


def _is_refusal(messages: str) -> bool:
    """Whether the last line is the error and the others, on files that were read before, are none."""
    lines = messages.splitlines()
    return [line.startswith("stagg: error: ") for line in lines] == [False] * (len(lines) - 1) + [True]


def _run(call: list[str], *, limited: bool) -> tuple[float, int, int, str]:
    """(processor time, memory, status, messages); if limited, a file of more than 8 MiB is more than it may write."""

    def limit() -> None:
        if limited:
            resource.setrlimit(resource.RLIMIT_FSIZE, (8 * MIB, 8 * MIB))

    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(
            ["/usr/bin/env", *STAGG, *call], stdout=subprocess.DEVNULL, stderr=messages, cwd=ROOT, preexec_fn=limit
        )
        memory, end = 0, time.monotonic() + (60 if limited else 1800)
        while True:
            memory = max(memory, _peak(process.pid))
            ended, status, used = os.wait4(process.pid, os.WNOHANG)
            if ended:
                break
            if time.monotonic() > end:
                process.kill()
            time.sleep(0.005)
        process.returncode = os.waitstatus_to_exitcode(status)
        messages.seek(0)
        return used.ru_utime + used.ru_stime, memory, process.returncode, messages.read().decode(errors="replace")


def _peak(process: int) -> int:
    """The most memory that a process has had, in bytes; 0 when it has ended."""
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) << 10 if found else 0


# --- what they unfold to ----------------------------------------------------------------------------------------------


def _read_honest(folder: Path, found: Attack) -> None:
    """A real archive of 20 million rows, by the default bounds."""
    path = folder / "honest.trec.gz"
    rows = "".join(
        f"QUERY Q0 doc{i * 7919 % 99_991} {i} {1 / i:.6f} bm25\n" for i in range(1, HONEST_ITEMS + 1)
    ).encode()
    with gzip.open(path, "wb", compresslevel=1) as stream:
        for query in range(HONEST_QUERIES):
            stream.write(rows.replace(b"QUERY", b"q%d" % query))
    size = path.stat().st_size
    spent, memory, code, err = _run(["fuse", str(path), "-q", "-o", str(folder / "honest.parquet")], limited=False)
    found.count()
    if code:
        found.report(f"a genuine archive of {HONEST_QUERIES * HONEST_ITEMS:,} rows: status {code}, {err[-200:]!r}")
    millions = HONEST_QUERIES * HONEST_ITEMS // 10**6
    found.notes.append(
        f"a .gz of {millions}M rows, {size / MIB:.0f} MiB, read in {spent:.0f} s and {memory / MIB:.0f} MiB"
    )
    path.unlink()


def _make_files() -> dict[str, bytes]:
    """Bombs that are files of their format: a workbook of blanks, a table that claims many rows, a deep model."""
    count, table = 1 << 22, io.BytesIO()
    same = pa.DictionaryArray.from_arrays(pa.array(np.zeros(count, dtype=np.int8)), pa.array(["x"]))
    columns = {"query": same, "item": same, "score": pa.array(np.ones(count))}
    pq.write_table(pa.table(columns | {"label": pa.array(np.ones(count, dtype=np.int64))}), table, row_group_size=count)
    sheet = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(book(("S", [["item", "a"], ["x", 1.0]])))) as old,
        zipfile.ZipFile(sheet, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            more = b" " * 60 * MIB if "worksheets/" in name else b""
            new.writestr(name, old.read(name).replace(b"</sheetData>", more + b"</sheetData>"))
    return {
        "x.parquet": table.getvalue(),
        "x.xlsx": sheet.getvalue(),
        "model.json": b'{"stagg_model": 1, "content": ' + b"[" * 200_000,
    }


def _zst(content: bytes) -> bytes:
    packer = zstandard.ZstdCompressor().compressobj()
    return b"".join([*[packer.compress(content) for _ in range(300)], packer.flush()])


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "zst": _zst,
    "gz": lambda content: gzip.compress(content * 20, 6),
    "bz2": lambda content: bz2.compress(content * 20, 1),
    "xz": lambda content: lzma.compress(content * 20, preset=1),
    "lz4": lambda content: lz4.frame.compress(content * 20),
}


@functools.lru_cache(maxsize=200)
def _packed(content: bytes, packer: str) -> bytes:
    return PACKERS[packer](content) if packer else content
