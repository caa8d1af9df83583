"""System calls that fail, one at a time (strace), and file systems that are full or read-only (tmpfs)."""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from attack.scene import COMMANDS, OLD, ROOT, STAGG, check_target, find_stale, prepare, run
from attack.verdict import Attack

CALLS = ("write", "fsync", "rename", "openat", "mmap", "read", "close", "fstat", "chmod", "ftruncate")
ERRORS = ("ENOSPC", "EIO", "EMFILE", "EINTR", "EACCES", "ENOMEM")


def attack(seed: int, seconds: float) -> Attack:
    rng = random.Random(seed)
    found = Attack("faults", "injected faults", seconds)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = prepare(folder)
        _fill_file_systems(whole, found)
        if not _can_trace():
            found.notes.append("strace is missing or may not trace here: no faults were injected")
            return found
        loading, whole_counts = _count_calls(["--version"]), {}
        while found.has_time():
            target = rng.choice(list(COMMANDS))
            if target not in whole_counts:
                whole_counts[target] = _count_calls([*COMMANDS[target], str(folder / target)])
                (folder / target).write_bytes(OLD)
            _inject(folder, target, rng, loading, whole_counts[target], whole, found)
    return found


def _can_trace() -> bool:
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True).returncode == 0


def _count_calls(arguments: list[str]) -> dict[str, int]:
    """How often each system call happens in a command."""
    counted = subprocess.run(
        ["strace", "-f", "-c", "-U", "calls,name", *STAGG, *arguments], capture_output=True, text=True, cwd=ROOT
    )
    return {name: int(calls) for calls, name in re.findall(r"^\s*(\d+)\s+(\w+)\s*$", counted.stderr, re.MULTILINE)}


def _inject(
    folder: Path, target: str, rng: random.Random, loading: dict[str, int], counts: dict[str, int],
    whole: dict[str, bytes], found: Attack,
) -> None:  # fmt: skip
    call = rng.choice([name for name in CALLS if counts.get(name, 0) > loading.get(name, 0)])
    first = loading.get(call, 0) + 1  # before that the interpreter and click are loaded, not we
    number, error = rng.randint(first, counts[call]), rng.choice(ERRORS)
    fault = f"{call}:error={error}:when={number}"
    ended = run(folder, target, ["strace", "-f", "-o", os.devnull, "-e", f"inject={fault}"])
    found.count()
    if "Traceback" in ended.stderr or ended.returncode not in (0, 1, 2):
        found.report(f"{target}, {fault}: status {ended.returncode}, {ended.stderr[-250:]!r}")
    elif ended.returncode and ended.stderr.count("\n") != 1:
        found.report(f"{target}, {fault}: not one line: {ended.stderr[-250:]!r}")
    wrong = check_target(folder, target, whole)
    if wrong is not None:
        found.report(f"{fault}: {wrong}")
    for stale in find_stale(folder):
        (folder / stale).unlink()


def _fill_file_systems(whole: dict[str, bytes], found: Attack) -> None:
    """Every command on a file system without room, and on one that is read-only."""
    for options, change in (("size=64k", _fill), ("size=64k", _make_read_only)):
        with _mounted(options) as folder:
            if folder is None:
                found.notes.append("file systems cannot be mounted here: none was full or read-only")
                return
            for name in COMMANDS:
                (folder / name).write_bytes(OLD)
            change(folder)
            for name in COMMANDS:
                ended = run(folder, name)
                found.count()
                if ended.returncode != 1 or ended.stderr.count("\n") != 1 or (folder / name).read_bytes() != OLD:
                    found.report(f"{name}, {change.__name__}: status {ended.returncode}, {ended.stderr[-200:]!r}")


def _fill(folder: Path) -> None:
    with contextlib.suppress(OSError), open(folder / "filling", "wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))


def _make_read_only(folder: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True, capture_output=True)


@contextlib.contextmanager
def _mounted(options: str) -> Iterator[Path | None]:
    with tempfile.TemporaryDirectory() as name:
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", name], capture_output=True)
        if mount.returncode:
            yield None
            return
        try:
            yield Path(name)
        finally:
            subprocess.run(["umount", name], check=True, capture_output=True)
