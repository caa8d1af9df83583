"""System calls that fail, one at a time (strace), and file systems that are full or read-only (tmpfs)."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from attack.crew import share
from attack.scene import COMMANDS, OLD, Stage, check_outputs, choose, find_stale, fork_command, run, set_stage, stretch
from attack.verdict import Attack, TooLong, alarm

CALLS = (
    "write", "fsync", "rename", "openat", "mmap", "read", "preadv2", "pread64", "close", "fstat", "newfstatat", "chmod",
    "ftruncate", "lseek", "unlink", "flock", "ioctl", "fcntl", "getdents64", "mkdir", "munmap", "mprotect",
    "clone3", "clone", "dup", "getrandom", "pipe2",
)  # fmt: skip
# not brk: the kernel never answers it by an error, and the C library does not expect one
ERRORS = ("ENOSPC", "EIO", "EMFILE", "EINTR", "EACCES", "ENOMEM")
MAY_WAIT = ("write", "clone3", "clone", "mmap", "getrandom")  # EAGAIN is never said of reading files
SECONDS, HANGS = 30, 97
RATE = 3.9  # faults a second of the time given, at least: 2,000 in an attack of an hour


def attack(seed: int, seconds: float) -> Attack:
    found = Attack("faults", f"injected faults in {len(COMMANDS)} commands", seconds, least=int(RATE * seconds))
    stage = set_stage()
    _fill_file_systems(stage, found)
    if not _can_trace():
        found.notes.append("strace is missing or may not trace here: no faults were injected")
        return found
    share(found, stage, seed, functools.partial(_inject_some, stage))
    return found


def _can_trace() -> bool:
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True).returncode == 0


def _inject_some(stage: Stage, found: Attack, rng: random.Random, folder: Path) -> None:
    found.tried = 0  # the file systems are counted by whoever called
    found.findings = []
    counts: dict[tuple[str, Trace], dict[str, int]] = {}
    while found.has_time():
        name = choose(rng)
        trace = _trace_workers if name == "reproduce" and rng.random() < 0.5 else _trace
        if (name, trace) not in counts:
            counts[name, trace] = _count_calls(stage, folder, name, trace)
        _inject(stage, found, rng, folder, name, trace, counts[name, trace])


@dataclasses.dataclass(frozen=True)
class Traced:
    """How a traced command ended, and what strace said."""

    status: int
    printed: bytes
    err: str
    said: str


def _trace(stage: Stage, folder: Path, name: str, *options: str) -> Traced:
    """A command that is traced from its first step, with all modules loaded."""
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as messages:
        child = fork_command(stage, folder, name, printed, messages, stopped=True)
        os.waitpid(child, os.WUNTRACED)
        threads = [] if name == "reproduce" else ["-f"]  # see _trace_workers
        tracer = subprocess.Popen(["strace", *threads, "-p", str(child), *options], stderr=subprocess.PIPE, text=True)
        assert tracer.stderr is not None
        tracer.stderr.readline()  # it says that it is attached
        os.kill(child, signal.SIGCONT)
        status = _wait(child)
        said = tracer.communicate()[1]
        printed.seek(0), messages.seek(0)
        return Traced(status, printed.read(), messages.read().decode(errors="replace"), said)


def _trace_workers(stage: Stage, folder: Path, name: str, *options: str) -> Traced:
    """A command whose worker processes are traced, and it is not: each from its very first step."""
    said, strace = folder / "said", folder / "strace"
    calls = [part.split("=")[1].split(":")[0] for part in options if part.startswith("inject=")]
    # with a filter in the kernel, only the calls that may fail are stopped for: a worker makes tens of thousands
    quick = ["--seccomp-bpf", "-e", f"trace={calls[0]}"] if calls else []
    words = shlex.join(["strace", "-I", "2", "-f", "-o", str(said), *quick, *options, sys.executable])
    strace.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    strace.chmod(0o755)
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as messages:
        status = _wait(fork_command(stage, folder, name, printed, messages, python=str(strace)))
        printed.seek(0), messages.seek(0)
        return Traced(status, printed.read(), messages.read().decode(errors="replace"), said.read_text())


Trace = Callable[..., Traced]


def _wait(child: int) -> int:
    """The status of a child; HANGS, and it is ended, if it does not end by itself."""
    try:
        with alarm(int(stretch(SECONDS))):
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    except TooLong:
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return HANGS


def _count_calls(stage: Stage, folder: Path, name: str, trace: Trace) -> dict[str, int]:
    """How often each system call happens in a command, or in its workers."""
    said = trace(stage, folder, name, "-c", "-U", "calls,name").said
    check_outputs(stage, folder, name)
    return {name: int(calls) for calls, name in re.findall(r"^\s*(\d+)\s+(\w+)\s*$", said, re.MULTILINE)}


def _inject(
    stage: Stage, found: Attack, rng: random.Random, folder: Path, name: str, trace: Trace, counts: dict[str, int]
) -> None:
    call = rng.choice([each for each in CALLS if counts.get(each)])
    errors = [*ERRORS, "EAGAIN"] if call in MAY_WAIT else ERRORS
    fault = f"{call}:error={rng.choice(errors)}:when={rng.randint(1, counts[call])}"
    ended = trace(stage, folder, name, "-o", os.devnull, "-e", f"inject={fault}")
    found.count()
    where = f"{name}, {fault}{' in its workers' if trace is _trace_workers else ''}"
    wrong = [*_judge(stage, name, ended), *check_outputs(stage, folder, name, all_new=ended.status == 0)]
    for each in wrong:
        found.report(f"{where}: {each}")
    for stale in find_stale(folder):
        (folder / stale).unlink()


def _judge(stage: Stage, name: str, ended: Traced) -> Iterator[str]:
    """What is wrong with how a command ended: success with its whole result, or one line."""
    if ended.status == HANGS:
        yield f"no end after {SECONDS} s, {ended.err[-250:]!r}"
    elif "Traceback" in ended.err or ended.status not in (0, 1):
        yield f"status {ended.status}, {ended.err[-250:]!r}"
    elif ended.status and _count_errors(ended.err) != 1:
        yield f"not one line: {ended.err[-250:]!r}"
    elif ended.status == 0 and not COMMANDS[name].timed and ended.printed != stage.printed[name]:
        yield f"success, and another result: {ended.printed[-100:]!r}"


def _count_errors(err: str) -> int:
    """Lines that say what went wrong; others tell what was read before."""
    lines = err.splitlines()
    odd = [line for line in lines if not line.startswith("stagg: ")]
    return len(odd) + sum(line.startswith("stagg: error: ") for line in lines)


def _fill_file_systems(stage: Stage, found: Attack) -> None:
    """Every command that writes, on a file system without room, and on one that is read-only."""
    for change in (_fill, _make_read_only):
        with _mounted("size=192k") as folder:
            if folder is None:
                found.notes.append("file systems cannot be mounted here: none was full or read-only")
                return
            names = [name for name, command in COMMANDS.items() if command.outputs]
            for path in {path for name in names for path in COMMANDS[name].outputs}:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(OLD)
            change(folder)
            for name in names:
                status, _, err, _ = run(stage, folder, name)
                found.count()
                old = all((folder / path).read_bytes() == OLD for path in COMMANDS[name].outputs)
                if status != 1 or _count_errors(err) != 1 or not old:
                    found.report(f"{name}, {change.__name__}: status {status}, {err[-200:]!r}")


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
