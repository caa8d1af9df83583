"""Small files that unfold to much: refused soon, in little memory, with nothing on the disk."""

from __future__ import annotations

import bz2
import gzip
import lzma
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import zstandard

from attack.scene import ROOT, STAGG
from attack.verdict import Attack

MIB = 1 << 20
CPU_SECONDS, MEMORY = 2.0, 200 * MIB  # processor time: the clock on a loaded machine says nothing
CONTENTS = {
    "x.trec": [bytes(MIB), b"q1 Q0 d1 1 1.0 t\n" * 61_680, b"\n" * MIB, b"q" * MIB],
    "x.csv": [bytes(MIB), b"q1,d1,1\n" * 131_072, b"\n" * MIB, b'"' * MIB, b"," * MIB],
    "x.json": [bytes(MIB), b" " * MIB, b"[" * MIB, b'{"a":' * 200_000],
    "x.jsonl": [bytes(MIB), b"\n" * MIB, b'{"item":"a"}\n' * 80_000],
    "x.soc": [bytes(MIB), b"1: 1,2\n" * 150_000],
}


def attack(seed: int, seconds: float) -> Attack:
    """Every content by every packer, for `fuse` and `inspect`; the order goes by the seed."""
    import random

    cases = [(n, c, p, v) for n, cs in CONTENTS.items() for c in cs for p in PACKERS for v in ("fuse", "inspect")]
    random.Random(seed).shuffle(cases)
    found, worst = Attack("bombs", "bombs", seconds), [0.0, 0]
    with tempfile.TemporaryDirectory() as folder:
        for name, content, packer, command in cases:
            if not found.has_time():
                break
            path = Path(folder) / name
            path.write_bytes(PACKERS[packer](content))
            spent, memory, code, err = _run(command, path, MEMORY)
            found.count()
            worst = [max(worst[0], spent), max(worst[1], memory)]
            what = f"{command} {name} of {content[:12]!r} by {packer}"
            if code != 1 or err.count("\n") != 1:
                found.report(f"{what}: status {code}, {err[-200:]!r}")
            elif spent > CPU_SECONDS or memory > MEMORY:
                found.report(f"{what}: {spent:.1f} s, {memory / MIB:.0f} MiB")
    found.notes.append(f"at most {worst[0]:.1f} s of processor time and {worst[1] / MIB:.0f} MiB")
    return found


def _run(command: str, path: Path, most: int) -> tuple[float, int, int, str]:
    """(processor time, memory, status, messages); a file of more than 8 MiB is more than it may write."""
    call = ["/usr/bin/env", *STAGG, command, str(path)]
    process = subprocess.Popen(
        call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=ROOT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8 * MIB, 8 * MIB)),
    )  # fmt: skip
    memory, end = 0, time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        memory = max(memory, _resident(process.pid))
        time.sleep(0.01)
    process.kill()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _, err = process.communicate()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - _SPENT[0]
    _SPENT[0] = after.ru_utime + after.ru_stime
    assert before.ru_utime <= after.ru_utime
    return spent, memory, process.returncode, err


_SPENT = [0.0]


def _resident(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def _zst(content: bytes) -> bytes:
    packer = zstandard.ZstdCompressor().compressobj()
    return b"".join([*[packer.compress(content) for _ in range(1000)], packer.flush()])


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "zst": _zst,
    "gz": lambda content: gzip.compress(content * 100, 6),
    "bz2": lambda content: bz2.compress(content * 100, 1),
    "xz": lambda content: lzma.compress(content * 100, preset=1),
}
