"""Where the attacks on commands happen: small inputs, every command, and what it must leave behind."""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import functools
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, NoReturn

__all__ = [
    "COMMANDS", "OLD", "ROOT", "STAGG", "Stage", "check_outputs", "choose", "fill", "find_left", "find_stale",
    "fork_command", "prepare", "run", "set_stage", "stretch",
]  # fmt: skip

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "src" / "stagg" / "sample"
STAGG = [sys.executable, "-c", "from stagg_start import main; main()"]
OLD = b"the old file\n"
SPARED = 4  # ``reproduce`` comes a fourth as often as the others: it starts processes, which takes long


@dataclasses.dataclass(frozen=True)
class Command:
    """Words after ``stagg``; the files that it writes, in the folder where it runs; whether they hold times."""

    words: tuple[str, ...]
    outputs: tuple[str, ...] = ()
    timed: bool = False


_RUNS = [str(SAMPLE / name) for name in ("bm25.trec", "dense.trec")]
_LABELS = ["--qrels", str(SAMPLE / "qrels.txt")]
_REPORTS = "report.html", "report.md", "run.json", "times.csv", "table1.csv", "table1.json"


def _command(words: list[str], *outputs: str, timed: bool = False) -> Command:
    return Command(tuple(words), outputs, timed)


COMMANDS: dict[str, Command] = {
    "fuse": _command(["fuse", *_RUNS, "-q", "-o", "x.trec"], "x.trec"),
    "intervals": _command(["fuse", *_RUNS, "-q", "--intervals", "0.9", "--draws", "20", "-o", "x.csv"], "x.csv"),
    "packed": _command(["fuse", *_RUNS, "-q", "--method", "borda", "-o", "x.json.gz"], "x.json.gz"),
    "parquet": _command(["fuse", *_RUNS, "-q", "--threads", "2", "-o", "x.parquet"], "x.parquet"),
    "printed": _command(["fuse", *_RUNS, "-q"]),
    "report": _command(["fuse", *_RUNS, "-q", "-o", "y.trec", "--report", "y.html"], "y.trec", "y.html"),
    "convert": _command(["convert", "-q", *_RUNS, "z.parquet"], "z.parquet"),
    "train": _command(["train", *_RUNS, *_LABELS, "-q", "--learner", "best_input", "-o", "model.json"], "model.json"),
    "explore": _command(["explore", *_RUNS, "-q", "-o", "explorer.html"], "explorer.html"),
    "simulate": _command(
        ["simulate", "-q", "--queries", "2", "-o", "s.csv", "--truth", "t.trec", "--qrels", "q.txt"],
        "s.csv", "t.trec", "q.txt",
    ),
    "elect": _command(
        ["elect", *_RUNS, "-q", "--query", "repot-an-orchid", "--draws", "5", "--report", "e.html"], "e.html"
    ),
    "compare": _command(
        ["compare", *_RUNS, *_LABELS, "--methods", "borda,rrf,mc4", "--threads", "2", "--report", "c.html"], "c.html"
    ),
    "robustness": _command(
        ["robustness", *_RUNS, *_LABELS, "--methods", "borda", "--rankers", "2", "--draws", "2", "--report", "r.html"],
        "r.html",
    ),
    "evaluate": _command(["evaluate", *_RUNS, *_LABELS]),
    "explain": _command(
        ["explain", *_RUNS, "-m", "stagg_rrf", "--query", "repot-an-orchid", "--item", "repot-a-snake-plant"]
    ),
    "inspect": _command(["inspect", *_RUNS]),
    "demo": _command(
        ["demo", "--save", "saved"], "saved/bm25.trec", "saved/stagg-demo.html", "saved/stagg-demo-explorer.html"
    ),
    "reproduce": _command(
        ["reproduce", "-q", "--only", "table1", "--quick", "--threads", "2", "--data", "{letor}", "--out", "made"],
        *[f"made/{name}" for name in _REPORTS], timed=True,
    ),
}  # fmt: skip
"""{name: a command, its files small}."""


@dataclasses.dataclass(frozen=True)
class Stage:
    """What every attack on commands needs: all modules loaded, and what commands do when nothing disturbs them."""

    folder: Path
    files: dict[str, bytes]
    """{path of an output: its content}."""
    printed: dict[str, bytes]
    seconds: dict[str, float]
    """How long each command takes once everything is loaded."""


@functools.cache
def set_stage() -> Stage:
    """Run every command here once, so that children forked from this process have nothing left to load."""
    folder = Path(tempfile.mkdtemp(prefix="attack-"))
    atexit.register(functools.partial(_remove, folder, os.getpid()))
    from tests.paper.letor_like import write_letor

    write_letor(folder / "letor", queries=1, items=4)
    stage = Stage(folder, {}, {}, {})
    rehearsal = prepare(stage, "rehearsal")
    for name, command in COMMANDS.items():
        _load(stage, rehearsal, name)
        status, printed, err, seconds = run(stage, rehearsal, name)
        if status:
            raise SystemExit(f"{name} cannot be run at all: status {status}, {err}")
        stage.printed[name], stage.seconds[name] = printed, seconds
        stage.files.update({path: (rehearsal / path).read_bytes() for path in command.outputs})
    return stage


def _remove(folder: Path, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def prepare(stage: Stage, name: str) -> Path:
    """A folder in which every output has its old content; what ``reproduce`` has computed before is there."""
    folder = stage.folder / name
    for command in COMMANDS.values():
        for path in command.outputs:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(OLD)
    rehearsed = stage.folder / "rehearsal" / "made" / "cache"
    if rehearsed.exists() and not (folder / "made" / "cache").exists():
        shutil.copytree(rehearsed, folder / "made" / "cache")
    return folder


def fill(stage: Stage, name: str) -> list[str]:
    return [word.format(letor=stage.folder / "letor") for word in COMMANDS[name].words]


def choose(rng: random.Random) -> str:
    """The name of a command."""
    name = rng.choice(list(COMMANDS))
    return name if name != "reproduce" or rng.randrange(SPARED) == 0 else choose(rng)


def _load(stage: Stage, folder: Path, name: str) -> None:
    from stagg.cli.main import main

    before = os.getcwd()
    os.chdir(folder)
    try:
        with _silence(), contextlib.suppress(SystemExit):
            main(fill(stage, name))
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    with open(os.devnull, "w") as null, contextlib.redirect_stdout(null), contextlib.redirect_stderr(null):
        yield


def run(stage: Stage, folder: Path, name: str) -> tuple[int, bytes, str, float]:
    """(status, what it printed, messages, seconds) of a command to its end, in a child."""
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as messages:
        begun = time.monotonic()
        child = fork_command(stage, folder, name, printed, messages)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        seconds = time.monotonic() - begun
        return status, _text(printed), _text(messages).decode(errors="replace"), seconds


def _text(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


def fork_command(
    stage: Stage, folder: Path, name: str, printed: IO[bytes] | None = None, messages: IO[bytes] | None = None,
    *, stopped: bool = False, python: str = sys.executable, more: Sequence[str] = (),
) -> int:  # fmt: skip
    """Start a command in a child with a session of its own, in ``folder``.

    ``stopped``: it waits for SIGCONT first. ``python`` is what it starts worker processes with. ``more``
    are words after its own.
    """
    if name == "reproduce":
        _forget_answers(folder)
    child = os.fork()
    if child:
        return child
    try:
        os.setsid()
        os.chdir(folder)
        null = os.open(os.devnull, os.O_RDWR)
        for stream, file in ((0, None), (1, printed), (2, messages)):
            os.dup2(null if file is None else file.fileno(), stream)
        sys.executable = python
        if stopped:
            os.kill(os.getpid(), signal.SIGSTOP)
        _call_main([*fill(stage, name), *more])
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(99)


def _forget_answers(folder: Path) -> None:
    """Leave ``reproduce`` something to compute; the rest it has stored."""
    for path in sorted((folder / "made" / "cache").glob("[01]*.json")):
        path.unlink()


def _call_main(words: list[str]) -> NoReturn:
    from stagg.cli.main import main

    try:
        main(words)
    except SystemExit as ended:
        sys.stdout.flush()
        os._exit(int(ended.code or 0))
    os._exit(98)


def check_outputs(stage: Stage, folder: Path, name: str, *, all_new: bool = False) -> list[str]:
    """What is wrong with the outputs: each must be old or new, ``all_new`` after a success. They are old afterwards."""
    wrong = []
    for path in COMMANDS[name].outputs:
        content = (folder / path).read_bytes() if (folder / path).exists() else None
        if content is None:
            wrong.append(f"{path}: the old file is gone")
        elif not (content == OLD or _is_whole(stage, name, path, content)):
            wrong.append(f"{path}: torn, {len(content)} bytes")
        elif all_new and content == OLD:
            wrong.append(f"{path}: success, and the old content")
        (folder / path).write_bytes(OLD)
    wrong += [f"{path}: torn" for path in (folder / "made" / "cache").glob("[!.]*") if not _is_json(path.read_bytes())]
    return [f"{name}: {each}" for each in wrong]


def _is_whole(stage: Stage, name: str, path: str, content: bytes) -> bool:
    """Whether an output is what it should be; where it holds times, whether it has as many lines."""
    expected = stage.files[path]
    if not COMMANDS[name].timed:
        return content == expected
    if path.endswith(".json"):
        return _is_json(content)
    return content.count(b"\n") == expected.count(b"\n") and content.endswith(b"\n")


def _is_json(content: bytes) -> bool:
    try:
        json.loads(content)
    except ValueError:
        return False
    return True


def find_stale(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.part"))


def stretch(seconds: float) -> float:
    """So many seconds, and as many times more as there are more processes that want to run than processors."""
    return seconds * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def find_left(session: int) -> list[str]:
    """The processes of a session that are still there after two seconds, longer on a busy machine."""
    deadline = time.monotonic() + stretch(2.0)
    while (left := _list_session(session)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


def _list_session(session: int) -> list[str]:
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                state, _, _, its = Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()[:4]
                if int(its) == session and state != "Z":
                    found.append(f"{entry}: {Path(f'/proc/{entry}/cmdline').read_bytes()[:100]!r}")
    return found
