"""The command line under attack, as a shell starts it: one line, the right status, nothing left, nothing leaked."""

from __future__ import annotations

import gzip
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "src" / "stagg" / "sample" / "bm25.trec"
STAGG = [sys.executable, "-c", "from stagg_start import main; main()"]


def run(*arguments: object, **more: Any) -> subprocess.CompletedProcess[str]:
    call = [*STAGG, *map(str, arguments)]
    return subprocess.run(call, capture_output="stdout" not in more and "stderr" not in more, text=True, **more)


def one_line(text: str, message: str) -> bool:
    return text.startswith("stagg: ") and text.count("\n") == 1 and message in text


# --- what terminals get -----------------------------------------------------------------------------------------------


def on_a_terminal(*arguments: object) -> str:
    """What a command writes to a terminal."""
    here, there = pty.openpty()
    with subprocess.Popen([*STAGG, *map(str, arguments)], stdin=there, stdout=there, stderr=there) as process:
        os.close(there)
        shown = b""
        while block := _read_terminal(here):
            shown += block
        process.wait(timeout=60)
    os.close(here)
    return shown.decode()


def _read_terminal(here: int) -> bytes:
    try:
        return os.read(here, 1 << 16)
    except OSError:  # Linux says so when the other side is closed
        return b""


EVIL = "q\x1b]0;title\x07\u202e"


@pytest.mark.parametrize(
    "call",
    [
        ("explain", "RUN", "--query", "nosuch", "--item", "d1"),
        ("fuse", "RUN", "--query", "nosuch"),
        ("explain", "RUN", "--query", EVIL, "--item", "nosuch"),
        ("fuse", "RUN", "--weights", "nosuch=2"),
        ("fuse", "RUN", EVIL),
        ("fuse", "RUN", "--method", EVIL),
        ("fuse", "RUN", f"--{EVIL}"),
        ("fuse", "RUN", "-o", f"{EVIL}.docx"),
        (EVIL,),
    ],
)
def test_no_id_and_no_name_of_a_file_can_steer_the_terminal(tmp_path: Path, call: tuple[str, ...]) -> None:
    evil_run = tmp_path / f"{EVIL}.trec"
    evil_run.write_text(f"{EVIL} Q0 {EVIL} 1 2 t\nq2 Q0 d1 1 2 t\n")
    shown = on_a_terminal(*[str(evil_run) if word == "RUN" else word for word in call])
    assert "\x1b]" not in shown
    assert "\x07" not in shown
    assert "\u202e" not in shown


# --- streams that fail ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", [("fuse", SAMPLE, "-q"), ("methods",), ("--version",), ("demo",)])
def test_a_result_for_a_closed_or_full_standard_output_is_an_error(call: tuple[object, ...]) -> None:
    quoted = " ".join(f"'{word}'" for word in [*STAGG, *call])
    for redirection, message in ((">&-", "standard output is closed"), (">/dev/full", "No space left on device")):
        ended = subprocess.run(["sh", "-c", f"{quoted} {redirection}"], stderr=subprocess.PIPE, text=True)
        assert ended.returncode == 1
        assert one_line(ended.stderr, message)


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", ">&-"])
def test_a_file_that_was_written_is_a_success_whoever_hears_of_it(tmp_path: Path, redirection: str) -> None:
    output = tmp_path / "fused.trec"
    quoted = " ".join(f"'{word}'" for word in [*STAGG, "fuse", SAMPLE, "-o", output])
    assert subprocess.run(["sh", "-c", f"{quoted} {redirection}"], stderr=subprocess.DEVNULL).returncode == 0
    assert output.stat().st_size


def test_an_archive_that_is_cut_inside_its_header_is_an_error(tmp_path: Path) -> None:
    packed = gzip.compress(SAMPLE.read_bytes())
    for length in (2, 9, 12):
        (tmp_path / "cut.trec.gz").write_bytes(packed[:length])
        ended = run("fuse", SAMPLE, tmp_path / "cut.trec.gz", "-o", tmp_path / "out.trec")
        assert ended.returncode == 1
        assert one_line(ended.stderr, "the archive is truncated or damaged")
    assert not (tmp_path / "out.trec").exists()


def test_links_in_a_circle_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "loop.trec").symlink_to(tmp_path / "loop.trec")
    ended = run("fuse", SAMPLE, "-q", "-o", tmp_path / "loop.trec")
    assert ended.returncode == 1
    assert one_line(ended.stderr, "Too many levels of symbolic links")


# --- signals, and failures while modules are loaded -------------------------------------------------------------------


def load_badly(tmp_path: Path, module: str, body: str) -> subprocess.CompletedProcess[str]:
    """Run a command while the import of a module does something else."""
    (tmp_path / f"{module}.py").write_text(body)
    return run("fuse", SAMPLE, env=os.environ | {"PYTHONPATH": str(tmp_path)})


@pytest.mark.parametrize("module", ["click", "numpy"])
def test_an_interrupt_while_modules_are_loaded_is_one_line(tmp_path: Path, module: str) -> None:
    ended = load_badly(tmp_path, module, "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(9)")
    assert (ended.returncode, ended.stderr) == (130, "stagg: interrupted\n")


@pytest.mark.parametrize("module", ["click", "numpy"])
@pytest.mark.parametrize(
    "failure", ["OSError(24, 'Too many open files')", "OSError(5, 'I/O error')", "ImportError('x')"]
)
def test_a_module_that_cannot_be_loaded_is_one_line(tmp_path: Path, module: str, failure: str) -> None:
    ended = load_badly(tmp_path, module, f"raise {failure}")
    assert ended.returncode == 1
    assert one_line(ended.stderr, "cannot be loaded")


def large_cycles(folder: Path) -> Path:
    """Runs whose exact consensus takes minutes."""
    rng = np.random.default_rng(0)
    folder.mkdir()
    for ranker in range(7):
        items = enumerate(rng.permutation(120).tolist())
        rows = [f"q Q0 d{item} {place + 1} {1000 - place} t\n" for place, item in items]
        (folder / f"r{ranker}.trec").write_text("".join(rows))
    return folder


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_a_search_for_the_exact_consensus_can_be_interrupted(tmp_path: Path, kind: signal.Signals) -> None:
    call = [*STAGG, "fuse", str(large_cycles(tmp_path / "runs")), "--method", "kemeny", "-o", str(tmp_path / "x.trec")]
    with subprocess.Popen(call, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(6)  # by now it is inside the solver
        assert process.poll() is None
        process.send_signal(kind)
        _, err = process.communicate(timeout=20)  # its own limit is a minute for each query
    assert process.returncode == (130 if kind == signal.SIGINT else -kind)
    assert err == ("stagg: interrupted\n" if kind == signal.SIGINT else "")
    assert not (tmp_path / "x.trec").exists()


def test_workers_end_with_their_parent() -> None:
    script = (
        "import os, time\nfrom stagg.paper.processes import Processes\n"
        "if __name__ == '__main__':\n"
        "    pool = Processes(2); pool._start(2)\n"
        "    print(*[child.pid for child in pool.children.values()], flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        children = [int(word) for word in process.stdout.readline().split()]
        process.terminate()
    assert len(children) == 2
    deadline = time.monotonic() + 30
    while any(map(_is_alive, children)):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def _is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
