"""The command line with compiled kernels in small chunks, beside pure Python, which reads everything whole."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.command_line import runner

from stagg.cli.commands.fuse import command

CHUNK_CONSTANTS = {
    "stagg.formats.parts.text_blocks.BLOCK": 400,  # bytes of text in a chunk
    "stagg.formats.parts.parquet_chunks.BATCH": 9,  # rows in a chunk
    "stagg.formats.parts.chunks.SPACING": 200,  # bytes between the queries that a bucket may begin with
    "stagg.formats.parts.in_parts.BUCKET": 2_000,  # bytes of rows in a bucket
    "stagg.formats.inputs.FEW_BYTES": 0,  # files that are read without threads
}
"""The constants that decide how much is read and fused at a time, and values that cut small files many times."""

HAS_BUDGET = any("--memory" in option.opts for option in command.params)
"""Whether ``stagg fuse`` has a budget of memory."""

BUDGETS: list[list[object]] = [[], ["--memory", 10_000]] if HAS_BUDGET else [[]]
ALL_WAYS: list[list[object]] = [["--threads", threads, *budget] for threads in (1, 2, 4) for budget in BUDGETS]
"""What must not change a byte: threads, and a budget of memory that lets everything go to a temporary file."""

WAYS: list[list[object]] = [["--threads", 1], ["--threads", 3, *BUDGETS[-1]]]
"""The ends of that, for tests of many cases."""

FORMER_NOTE = ": the rows are not grouped by query, so all of it is held in memory"
"""What compiled code says of TREC files, and pure Python does not: true of readers that hold what is not grouped."""

PURE = """
import io, json, os, sys
from pathlib import Path
from stagg.cli.main import main
answers, out, err = os.fdopen(os.dup(1), "w"), *(open(path, "w+b") for path in sys.argv[1:])
os.dup2(out.fileno(), 1), os.dup2(err.fileno(), 2)
for line in iter(sys.__stdin__.readline, ""):
    call, content = json.loads(line)
    sys.stdin = io.TextIOWrapper(io.BytesIO(Path(content).read_bytes() if content else b""))
    for stream in (out, err):
        os.lseek(stream.fileno(), 0, 0), os.ftruncate(stream.fileno(), 0)
    code = 0
    try:
        main(call)
    except SystemExit as ended:
        code = int(ended.code or 0)
    sys.stdout.flush(), sys.stderr.flush()
    print(code, file=answers, flush=True)
"""


class Ended(NamedTuple):
    """How a command ended, what it wrote, and what is in the file of ``-o`` (None if there is none)."""

    code: int
    out: bytes
    err: str
    file: bytes | None


Same = Callable[..., Ended]


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of some hundred rows cross many chunks and buckets."""
    for name, value in CHUNK_CONSTANTS.items():
        monkeypatch.setattr(name, value)


class Pure:
    """Pure Python, in a process of its own that is asked again and again."""

    def __init__(self, folder: Path) -> None:
        self.streams = [folder / "out", folder / "err"]
        environment = os.environ | {"STAGG_PURE": "1", "OPENBLAS_NUM_THREADS": "1"}
        call = [sys.executable, "-c", PURE, *map(str, self.streams)]
        self.process = subprocess.Popen(
            call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True, encoding="utf-8"
        )

    def __call__(self, arguments: list[str], content: Path | None) -> tuple[int, bytes, str]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps([arguments, content and str(content)]), file=self.process.stdin, flush=True)
        code = self.process.stdout.readline()
        out, err = (path.read_bytes() for path in self.streams)
        assert code, err.decode()
        return int(code), out, err.decode()


@pytest.fixture(scope="module")
def pure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pure]:
    whole = Pure(tmp_path_factory.mktemp("pure"))
    yield whole
    whole.process.communicate()


@pytest.fixture
def same(
    small_chunks: None,
    pure: Pure,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> Same:
    """Call ``stagg fuse`` in every way; everything that it writes is what pure Python writes, which is returned.

    With ``oracle=False`` all ways must only agree with each other: for what pure Python is known to say in other words.
    """
    run, room = runner(capfdbinary, "fuse"), tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(room))

    def call(
        *arguments: object,
        output: Path | None = None,
        stdin: Path | None = None,
        ways: list[list[object]] = WAYS,
        oracle: bool = True,
    ) -> Ended:
        options = [*map(str, arguments), *(() if output is None else ("-o", str(output)))]
        expected = Ended(*pure(["fuse", *options], stdin), take(output)) if oracle else None
        for way in ways:
            with piped(stdin, monkeypatch):
                ended = run(*options, *way)
            said = "".join(line for line in ended.err.splitlines(keepends=True) if FORMER_NOTE not in line)
            found = Ended(ended.code, ended.raw, said, take(output))
            expected = expected or found
            assert found == expected, way
            assert list(room.iterdir()) == [], "a temporary file is left"
        assert expected is not None
        return expected

    return call


def take(output: Path | None) -> bytes | None:
    """What is in a file, which is gone then."""
    if output is None or not output.exists():
        return None
    content = output.read_bytes()
    output.unlink()
    return content


@contextlib.contextmanager
def piped(content: Path | None, patch: pytest.MonkeyPatch) -> Iterator[None]:
    """A file as standard input, through a pipe that cannot be read twice."""
    if content is None:
        yield
        return
    end, start = os.pipe()
    writer = threading.Thread(target=pour, args=(content, start))
    writer.start()
    with io.TextIOWrapper(os.fdopen(end, "rb")) as stream:
        patch.setattr(sys, "stdin", stream)
        yield
    writer.join()


def pour(content: Path, pipe: int) -> None:
    """Write a file into a pipe, whose reader may go at an error."""
    with contextlib.suppress(BrokenPipeError), os.fdopen(pipe, "wb") as stream:
        stream.write(content.read_bytes())
