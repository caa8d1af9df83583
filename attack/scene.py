"""Where the attacks on commands happen: small inputs, every command that writes, and what it must leave behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import traceback
from pathlib import Path
from typing import NoReturn

__all__ = [
    "COMMANDS", "OLD", "ROOT", "STAGG", "check_target", "find_stale", "fork_command", "load_all", "prepare", "run",
]  # fmt: skip

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "src" / "stagg" / "sample"
STAGG = [sys.executable, "-c", "from stagg_start import main; main()"]
OLD = b"the old file\n"

_RUNS = [str(SAMPLE / name) for name in ("bm25.trec", "dense.trec")]
_LABELS = ["--qrels", str(SAMPLE / "qrels.txt")]
COMMANDS: dict[str, list[str]] = {
    "x.trec": ["fuse", *_RUNS, "-q", "-o"],
    "x.csv": ["fuse", *_RUNS, "-q", "--intervals", "0.9", "--draws", "20", "-o"],
    "x.json.gz": ["fuse", *_RUNS, "-q", "--method", "borda", "-o"],
    "x.parquet": ["convert", "-q", *_RUNS],
    "model.json": ["train", *_RUNS, *_LABELS, "-q", "--learner", "best_input", "-o"],
    "x.html": ["fuse", *_RUNS, "-q", "-o", os.devnull, "--format", "trec", "--report"],
    "explorer.html": ["explore", *_RUNS, "-q", "-o"],
}
"""{name of the output: the command that writes it}, without the output, which comes last."""


def run(folder: Path, name: str, before: list[str] | None = None) -> subprocess.CompletedProcess[str]:
    """A command to its end, in a process of its own; ``before`` stands before it (strace)."""
    call = [*(before or []), *STAGG, *COMMANDS[name], str(folder / name)]
    return subprocess.run(call, capture_output=True, text=True, timeout=120, cwd=ROOT)


def prepare(folder: Path) -> dict[str, bytes]:
    """{name: what a command writes when nothing disturbs it}."""
    whole = {}
    for name in COMMANDS:
        ended = run(folder, name)
        if ended.returncode:
            raise SystemExit(f"{name} cannot be written at all: {ended.stderr}")
        whole[name] = (folder / name).read_bytes()
        (folder / name).write_bytes(OLD)
    return whole


def load_all(folder: Path) -> None:
    """Run every command once in this process, so that children forked from it have nothing left to load."""
    from stagg.cli.main import main

    for name in COMMANDS:
        with contextlib.suppress(SystemExit):
            main([*COMMANDS[name], str(folder / name)])
        (folder / name).write_bytes(OLD)


def fork_command(folder: Path, name: str, messages: int | None = None, *, stopped: bool = False) -> int:
    """Start a command in a child; ``messages`` is where its stderr goes. ``stopped``: it waits for SIGCONT first."""
    child = os.fork()
    if child:
        return child
    try:
        null = os.open(os.devnull, os.O_RDWR)
        for stream, handle in ((0, null), (1, null), (2, null if messages is None else messages)):
            os.dup2(handle, stream)
        if stopped:
            os.kill(os.getpid(), signal.SIGSTOP)
        _call_main(folder, name)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(99)


def _call_main(folder: Path, name: str) -> NoReturn:
    from stagg.cli.main import main

    try:
        main([*COMMANDS[name], str(folder / name)])
    except SystemExit as ended:
        os._exit(int(ended.code or 0))
    os._exit(98)


def check_target(folder: Path, name: str, whole: dict[str, bytes]) -> str | None:
    """What is wrong with the output: it must be old or new. It is old again afterwards."""
    found = (folder / name).read_bytes() if (folder / name).exists() else None
    (folder / name).write_bytes(OLD)
    if found is None:
        return f"{name}: the old file is gone"
    return None if found in (OLD, whole[name]) else f"{name}: torn, {len(found)} bytes"


def find_stale(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.endswith(".part")]
