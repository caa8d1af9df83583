"""Where the attacks on commands happen: small inputs, every command that writes, and what it must leave behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

__all__ = ["COMMANDS", "OLD", "ROOT", "STAGG", "check_target", "find_stale", "prepare", "run"]

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


def check_target(folder: Path, name: str, whole: dict[str, bytes]) -> str | None:
    """What is wrong with the output: it must be old or new. It is old again afterwards."""
    found = (folder / name).read_bytes() if (folder / name).exists() else None
    (folder / name).write_bytes(OLD)
    if found is None:
        return f"{name}: the old file is gone"
    return None if found in (OLD, whole[name]) else f"{name}: torn, {len(found)} bytes"


def find_stale(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.endswith(".part")]
