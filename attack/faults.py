"""System calls that fail, one at a time (strace), and file systems that are full or read-only (tmpfs)."""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from attack.scene import COMMANDS, OLD, check_target, find_stale, fork_command, load_all, prepare, run
from attack.verdict import Attack, TooLong, alarm

CALLS = ("write", "fsync", "rename", "openat", "mmap", "read", "preadv2", "close", "fstat", "chmod", "ftruncate")
ERRORS = ("ENOSPC", "EIO", "EMFILE", "EINTR", "EACCES", "ENOMEM")
SECONDS, HANGS = 15, 97
CPYTHON = "Exception ignored in thread started by"  # Thread.start never returns then; Ctrl-C still ends it


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
        load_all(folder)
        counts = {target: _count_calls(folder, target) for target in COMMANDS}
        while found.has_time():
            target = rng.choice(list(COMMANDS))
            _inject(folder, target, rng, counts[target], whole, found)
    return found


def _can_trace() -> bool:
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True).returncode == 0


def _trace(folder: Path, target: str, *options: str) -> tuple[int, str, str]:
    """(status, messages, what strace says) of a command that is traced from its first step, with all modules loaded."""
    with tempfile.TemporaryFile() as messages:
        child = fork_command(folder, target, messages.fileno(), stopped=True)
        os.waitpid(child, os.WUNTRACED)
        tracer = subprocess.Popen(["strace", "-f", "-p", str(child), *options], stderr=subprocess.PIPE, text=True)
        assert tracer.stderr is not None
        tracer.stderr.readline()  # it says that it is attached
        os.kill(child, signal.SIGCONT)
        status = _wait(child)
        said = tracer.communicate()[1]
        messages.seek(0)
        return status, messages.read().decode(errors="replace"), said


def _wait(child: int) -> int:
    """The status of a child; HANGS, and it is ended, if it does not end by itself."""
    try:
        with alarm(SECONDS):
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    except TooLong:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return HANGS


def _count_calls(folder: Path, target: str) -> dict[str, int]:
    """How often each system call happens in a command."""
    said = _trace(folder, target, "-c", "-U", "calls,name")[2]
    (folder / target).write_bytes(OLD)
    return {name: int(calls) for calls, name in re.findall(r"^\s*(\d+)\s+(\w+)\s*$", said, re.MULTILINE)}


def _inject(
    folder: Path, target: str, rng: random.Random, counts: dict[str, int], whole: dict[str, bytes], found: Attack
) -> None:
    call = rng.choice([name for name in CALLS if counts.get(name)])
    fault = f"{call}:error={rng.choice(ERRORS)}:when={rng.randint(1, counts[call])}"
    code, err, _ = _trace(folder, target, "-o", os.devnull, "-e", f"inject={fault}")
    found.count()
    if code == HANGS and CPYTHON in err:
        found.notes.append(f"{target}, {fault}: CPython waits for ever for a thread that has no memory to start")
    elif "Traceback" in err or code not in (0, 1):
        found.report(f"{target}, {fault}: status {code}, {err[-250:]!r}")
    elif code and err.count("\n") != 1:
        found.report(f"{target}, {fault}: not one line: {err[-250:]!r}")
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
