"""The command line under attack, as a shell starts it: one line, the right status, nothing left, nothing leaked."""

from __future__ import annotations

import bz2
import fcntl
import gzip
import lzma
import os
import pty
import signal
import socket
import subprocess
import sys
import termios
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, cast

import numpy as np
import pytest

from stagg.errors import StaggError

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
        ("elect", "RUN", "--draws", "2"),
        ("inspect", "RUN", "--json"),
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


FULL = "standard output cannot be written: No space left on device"


@pytest.mark.parametrize("call", [("fuse", SAMPLE, "-q"), ("methods",), ("--version",), ("demo",)])
def test_a_result_for_a_closed_or_full_standard_output_is_an_error(call: tuple[object, ...]) -> None:
    quoted = " ".join(f"'{word}'" for word in [*STAGG, *call])
    for redirection, message in ((">&-", "standard output is closed"), (">/dev/full", FULL)):
        ended = subprocess.run(["sh", "-c", f"{quoted} {redirection}"], stderr=subprocess.PIPE, text=True)
        assert ended.returncode == 1
        assert one_line(ended.stderr, message)


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", ">&-"])
def test_a_file_that_was_written_is_a_success_whoever_hears_of_it(tmp_path: Path, redirection: str) -> None:
    output = tmp_path / "fused.trec"
    quoted = " ".join(f"'{word}'" for word in [*STAGG, "fuse", SAMPLE, "-o", output])
    assert subprocess.run(["sh", "-c", f"{quoted} {redirection}"], stderr=subprocess.DEVNULL).returncode == 0
    assert output.stat().st_size


def wait_until_full(pipe: int) -> None:
    """Wait until a pipe that holds something has got no more for half a second; a minute at most."""
    before = 0
    for _ in range(120):
        time.sleep(0.5)
        now = int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)
        if 0 < now == before:
            return
        before = now


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_slow_reader_gets_the_whole_result(tmp_path: Path, unbuffered: str) -> None:
    """Also from a pipe that another program has told not to wait, and whatever Python does about buffers."""
    assert run("simulate", "-q", "--queries", 200, "-o", tmp_path / "runs.csv").returncode == 0
    expected = run("fuse", "-q", tmp_path / "runs.csv").stdout
    assert len(expected) > 1 << 17  # more than a pipe holds
    here, there = os.pipe()
    os.set_blocking(there, False)
    call, set_ = [*STAGG, "fuse", "-q", str(tmp_path / "runs.csv")], os.environ | {"PYTHONUNBUFFERED": unbuffered}
    with subprocess.Popen(call, stdout=there, env=set_) as process, open(here, encoding="utf-8") as reader:
        os.close(there)
        wait_until_full(here)
        assert reader.read() == expected
    assert process.returncode == 0


def test_an_archive_that_is_cut_inside_its_header_is_an_error(tmp_path: Path) -> None:
    packed = gzip.compress(SAMPLE.read_bytes())
    for length in (2, 9, 12):
        (tmp_path / "cut.trec.gz").write_bytes(packed[:length])
        ended = run("fuse", SAMPLE, tmp_path / "cut.trec.gz", "-o", tmp_path / "out.trec")
        assert ended.returncode == 1
        assert one_line(ended.stderr, "the archive is truncated or damaged")
    assert not (tmp_path / "out.trec").exists()


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress], ids=["gz", "bz2", "xz"])
def test_no_part_of_an_archive_is_lost_without_a_word(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    rows = [b"q Q0 a 1 2 t\n", b"q Q0 b 2 1 t\n"]
    first, second = (pack(row) for row in rows)
    packed = tmp_path / "run.trec"
    packed.write_bytes(first + second)
    assert run("fuse", packed, "-q").stdout.count("\n") == 2
    for damaged in (first + b"X" + second[1:], first + second[:-5], first + b"junk"):
        packed.write_bytes(damaged)
        ended = run("fuse", packed, "-q")
        assert (ended.returncode, ended.stdout) == (1, "")
        assert one_line(ended.stderr, "the archive is truncated or damaged")


@pytest.mark.parametrize("compress", [bz2.compress, lzma.compress])
def test_zeros_that_round_up_the_size_of_an_archive_are_no_damage(
    compress: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    packed = tmp_path / "run.trec"
    packed.write_bytes(compress(b"q Q0 a 1 2 t\n") + bytes(8) + compress(b"q Q0 b 2 1 t\n") + bytes(4))
    assert run("fuse", packed, "-q").stdout.count("\n") == 2


def test_a_zip_archive_is_called_one(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "run.trec", "w") as archive:
        archive.writestr("run.trec", SAMPLE.read_bytes())
    assert one_line(run("fuse", tmp_path / "run.trec").stderr, "it looks like a zip archive")


def test_simulate_writes_nothing_if_one_of_its_folders_is_missing(tmp_path: Path) -> None:
    ended = run("simulate", "-o", tmp_path / "s.csv", "--qrels", tmp_path / "no" / "q.txt")
    assert ended.returncode == 1
    assert one_line(ended.stderr, "there is no such folder")
    assert not list(tmp_path.iterdir())


def test_a_date_of_the_build_that_is_none_does_no_harm() -> None:
    odd = os.environ | {"SOURCE_DATE_EPOCH": "abc"}
    ended = run("compare", SAMPLE, "--qrels", SAMPLE.with_name("qrels.txt"), "-m", "rrf,borda", env=odd)
    assert ended.returncode == 0, ended.stderr


def test_a_folder_that_was_removed_under_the_command_is_told(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    quoted = " ".join(f"'{word}'" for word in [*STAGG, "fuse", SAMPLE, "-q", "-o", "x.trec"])
    ended = subprocess.run(["sh", "-c", f"rmdir '{gone}'; {quoted}"], cwd=gone, capture_output=True, text=True)
    assert ended.returncode == 1
    assert one_line(ended.stderr, "the current folder does not exist any more")


@pytest.mark.parametrize("call", [("fuse", SAMPLE, "-o", ""), ("explore", SAMPLE, "-o", "")])
def test_an_output_without_a_name_is_refused(call: tuple[object, ...]) -> None:
    ended = run(*call, "-q")
    assert ended.returncode == 2
    assert one_line(ended.stderr, "the name of the output is empty")


def test_links_in_a_circle_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "loop.trec").symlink_to(tmp_path / "loop.trec")
    ended = run("fuse", SAMPLE, "-q", "-o", tmp_path / "loop.trec")
    assert ended.returncode == 1
    assert one_line(ended.stderr, "Too many levels of symbolic links")


# --- signals, and failures while modules are loaded -------------------------------------------------------------------


STARTS = [STAGG, [sys.executable, "-m", "stagg"], [sys.executable, "-mstagg"]]


def load_badly(start: list[str], tmp_path: Path, module: str, body: str) -> subprocess.CompletedProcess[str]:
    """Run a command while the import of a module does something else."""
    (tmp_path / f"{module}.py").write_text(body)
    call = [*start, "fuse", str(SAMPLE)]
    return subprocess.run(call, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(tmp_path)})


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start[1])
@pytest.mark.parametrize("module", ["click", "numpy"])
def test_an_interrupt_while_modules_are_loaded_is_one_line(start: list[str], tmp_path: Path, module: str) -> None:
    body = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(9)"
    ended = load_badly(start, tmp_path, module, body)
    assert (ended.returncode, ended.stderr) == (130, "stagg: interrupted\n")


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start[1])
@pytest.mark.parametrize("module", ["click", "numpy"])
@pytest.mark.parametrize("failure", ["OSError(24, 'Too many open files')", "ImportError('x')", "MemoryError('x')"])
def test_a_module_that_cannot_be_loaded_is_one_line(
    start: list[str], tmp_path: Path, module: str, failure: str
) -> None:
    ended = load_badly(start, tmp_path, module, f"raise {failure}")
    assert ended.returncode == 1
    assert one_line(ended.stderr, "cannot be loaded")


LOST = """
import os, signal, stagg_start

stagg_start._prepare()
signal.signal(signal.SIGINT, stagg_start._interrupt)
{moment}
print("it went on")
"""
PRESS = "os.kill(os.getpid(), signal.SIGINT)"
DELETED = f"class Pressed:\n    def __del__(self):\n        {PRESS}\n        for _ in range(9): pass\nPressed()"


@pytest.mark.parametrize("moment", ["import swallowing", DELETED], ids=["import", "__del__"])
def test_an_interrupt_is_not_lost_where_python_or_a_library_drops_exceptions(moment: str, tmp_path: Path) -> None:
    swallowed = f"import os, signal\ntry:\n    {PRESS}\n    for _ in range(9): pass\nexcept BaseException:\n    pass\n"
    (tmp_path / "swallowing.py").write_text(swallowed)
    call = [sys.executable, "-c", LOST.format(moment=moment)]
    ended = subprocess.run(call, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(tmp_path)})
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "stagg: interrupted\n")


def large_cycles(folder: Path) -> Path:
    """Runs whose exact consensus takes minutes."""
    rng = np.random.default_rng(0)
    folder.mkdir()
    for ranker in range(7):
        items = enumerate(rng.permutation(120).tolist())
        rows = [f"q Q0 d{item} {place + 1} {1000 - place} t\n" for place, item in items]
        (folder / f"r{ranker}.trec").write_text("".join(rows))
    return folder


def wait_until_at_work(process: subprocess.Popen[str]) -> None:
    """Wait until a command has used 2 seconds of a processor: its start takes less than 1, however busy the machine."""
    while sum(map(int, proc_stat(process.pid)[11:13])) < 2 * os.sysconf("SC_CLK_TCK"):
        assert process.poll() is None
        time.sleep(0.05)


def proc_stat(pid: int) -> list[str]:
    """What Linux says of a process, from its state on; utime and stime are numbers 11 and 12."""
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_a_search_for_the_exact_consensus_can_be_interrupted(tmp_path: Path, kind: signal.Signals) -> None:
    call = [*STAGG, "fuse", str(large_cycles(tmp_path / "runs")), "--method", "kemeny", "-o", str(tmp_path / "x.trec")]
    with subprocess.Popen(call, stderr=subprocess.PIPE, text=True) as process:
        wait_until_at_work(process)  # then it is inside the solver
        process.send_signal(kind)
        _, err = process.communicate(timeout=20)  # its own limit is a minute for each query
    assert process.returncode == (130 if kind == signal.SIGINT else -kind)
    assert err == ("stagg: interrupted\n" if kind == signal.SIGINT else "")
    assert not (tmp_path / "x.trec").exists()


def test_a_time_limit_ends_the_search_for_the_exact_consensus(tmp_path: Path) -> None:
    ended = run("fuse", large_cycles(tmp_path / "runs"), "-q", "--method", "kemeny(time_limit=2)", timeout=60)
    assert ended.returncode == 0
    assert "not proven optimal within 2 s" in ended.stderr
    assert ended.stdout.count("\n") == 120


def test_strengths_that_take_long_can_be_interrupted(tmp_path: Path) -> None:
    draws = ["--intervals", "0.9", "--draws", "9999", "-o", str(tmp_path / "x.csv")]
    call = [*STAGG, "fuse", str(large_cycles(tmp_path / "runs")), "-q", "--method", "thurstone", *draws]
    with subprocess.Popen(call, stderr=subprocess.PIPE, text=True) as process:
        wait_until_at_work(process)  # then it solves
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, "stagg: interrupted\n")
    assert os.listdir(tmp_path) == ["runs"]


def serving(module: str) -> list[str]:
    return [sys.executable, "-c", f"import stagg_start; stagg_start.serve({module!r}, 'work')"]


def test_workers_end_with_their_parent_also_while_they_load(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(300)\n")
    paths = os.environ | {"PYTHONPATH": str(tmp_path)}
    with subprocess.Popen(serving("slow"), stdin=subprocess.PIPE, env=paths) as process:
        time.sleep(0.5)
        assert process.poll() is None
        assert process.stdin is not None
        process.stdin.close()  # as the kernel does for a parent that was killed
        assert process.wait(timeout=30) == 1


def test_a_worker_that_cannot_be_loaded_is_told_by_its_parent_alone(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("raise OSError(24, 'Too many open files')\n")
    paths = os.environ | {"PYTHONPATH": str(tmp_path)}
    ended = subprocess.run(serving("broken"), stdin=subprocess.PIPE, capture_output=True, env=paths)
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, b"", b"")


@pytest.mark.parametrize(
    "failure", [OSError(5, "Input/output error"), MemoryError(), SystemError(), ImportError("x.so")]
)
def test_what_the_system_refuses_a_worker_is_told_in_one_line(failure: Exception) -> None:
    from stagg.paper.work.processes import _try

    class Failing:
        name = "MQ2007-agg, svp"

        def answer(self) -> NoReturn:
            raise failure

    said = _try(cast("Any", Failing()))
    assert isinstance(said, StaggError)
    assert str(said).startswith("MQ2007-agg, svp: ")
    assert "\n" not in str(said)


def test_a_worker_loads_nothing_from_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from stagg.paper.work.processes import _start_process

    (tmp_path / "pickle.py").write_text("open('was here', 'w')\n")
    monkeypatch.chdir(tmp_path)
    here, there = socket.socketpair()
    with here, there, _start_process(there.fileno()) as worker:
        there.close()
        here.shutdown(socket.SHUT_WR)  # no job: it ends by itself
        assert worker.wait(timeout=60) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["pickle.py"]


def test_streams_that_cannot_be_asked_are_one_line() -> None:
    script = (
        "from stagg.cli import main\n"
        "def fail(): raise BlockingIOError(11, 'Resource temporarily unavailable')\n"
        "main._prepare_streams = fail\n"
        "main.main(['methods'])\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.returncode == 1
    assert one_line(ended.stderr, "Resource temporarily unavailable")


def test_workers_end_with_their_parent() -> None:
    script = (
        "import os, time\nfrom stagg.paper.work.processes import Processes\n"
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
        return proc_stat(process)[0] != "Z"
    except OSError:
        return False


# --- compiled and pure ------------------------------------------------------------------------------------------------

TINY_WEIGHTS = """
import warnings, numpy as np, stagg
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
runs = {f"r{k}": {"q": {f"d{i}": float(rng.random()) for i in range(6)}} for k in range(4)}
for method in ("mc1", "mc2", "mc3", "mc4", "copeland", "borda", "stagg_rrf"):
    for weight in (5e-324, 1e-308, 1e-300, 1e300):
        for weights in ({"r0": weight}, dict.fromkeys(runs, weight)):
            try:
                print(method, weight, stagg.fuse(runs, method, weights=weights).to_dict())
            except stagg.StaggError as error:
                print(method, weight, error)
"""


def test_compiled_and_pure_agree_on_weights_of_any_size() -> None:
    compiled, pure = (
        subprocess.run(
            [sys.executable, "-c", TINY_WEIGHTS], capture_output=True, text=True, env=os.environ | {"STAGG_PURE": pure}
        )
        for pure in ("", "1")
    )
    assert compiled.stdout.count("\n") == 56
    assert compiled.stdout == pure.stdout
