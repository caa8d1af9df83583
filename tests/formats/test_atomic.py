"""Outputs are old or new, never torn: whatever fails, the old file stays and nothing else is left behind."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from stagg import DataError, InvalidParameter, Rankings, UnknownName, write
from stagg.formats.storage.atomic import replacing

RANKED = Rankings.from_lists([["b", "a"]])
OLD = b"the old file\n"


@pytest.fixture(params=["x.trec", "x.trec.gz"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / str(request.param)
    path.write_bytes(OLD)
    return path


def only(path: Path) -> bool:
    """Whether the old file is as it was, and alone."""
    return path.read_bytes() == OLD and list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, BrokenPipeError, SystemExit])
def test_an_exception_in_the_middle_leaves_the_old_file(target: Path, error: type[BaseException]) -> None:
    def half_written() -> None:
        with replacing(target) as stream:
            stream.write(b"half of " * 100_000)
            raise error

    with pytest.raises(error):
        half_written()
    assert only(target)


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
def test_a_disk_that_fails_is_an_error_and_leaves_the_old_file(
    target: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, step, full)
    with pytest.raises(DataError) as caught:
        write(RANKED, target)
    assert str(caught.value) == f"{target}: cannot be written: No space left on device"
    assert only(target)


def test_a_read_only_folder_is_an_error(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: Any, **__: Any) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("stagg.formats.storage.atomic._open_for_us_alone", denied)
    with pytest.raises(DataError, match="cannot be written: Permission denied"):
        write(RANKED, target)
    assert only(target)


def test_a_full_device_is_an_error() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    with pytest.raises(DataError, match="/dev/full: cannot be written: No space left on device"):
        write(RANKED, "/dev/full", format="trec")


def test_a_killed_writer_leaves_the_old_file(target: Path) -> None:
    script = (
        "import sys, time\nfrom stagg.formats.storage.atomic import replacing\n"
        "with replacing(sys.argv[1]) as stream:\n"
        "    stream.write(b'half of ' * 100_000); stream.flush(); print('ready', flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(target)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    assert target.read_bytes() == OLD


def test_missing_folders_folders_and_odd_names_are_errors(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot be written: the folder .* does not exist"):
        write(RANKED, tmp_path / "none" / "x.trec")
    with pytest.raises(DataError, match="cannot be written: Is a directory"):
        write(RANKED, tmp_path, format="trec")
    with pytest.raises(DataError, match="no NUL"):
        write(RANKED, f"{tmp_path}/\0.trec")
    with pytest.raises(UnknownName, match=r"no format writes '.docx'; the endings are .* \(\+ .gz\)"):
        write(RANKED, tmp_path / "x.docx")
    with pytest.raises(InvalidParameter, match=r"only \.gz can be written"):
        write(RANKED, tmp_path / "x.trec.xz")


def test_a_long_name_in_any_script_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("語" * 80 + ".trec")
    write(RANKED, path)
    assert path.exists()


def test_rights_and_links_are_kept(tmp_path: Path) -> None:
    path, link = tmp_path / "x.trec", tmp_path / "link.trec"
    path.write_bytes(OLD)
    path.chmod(0o640)
    link.symlink_to(path)
    write(RANKED, link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert path.read_bytes() != OLD


def test_a_new_file_has_the_rights_that_any_new_file_gets(tmp_path: Path) -> None:
    write(RANKED, tmp_path / "x.trec")
    (tmp_path / "other").write_bytes(b"")
    assert (tmp_path / "x.trec").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_an_interrupt_at_any_step_leaves_nothing_behind(tmp_path: Path) -> None:
    """The block is entered and never left, as when Ctrl-C comes between two steps of the interpreter."""
    code = (
        "import sys; from stagg.formats.storage.atomic import replacing\n"
        "held = replacing(sys.argv[1]); held.__enter__(); sys.held = [held, sys.modules]\n"
        "raise KeyboardInterrupt"
    )
    process = subprocess.run([sys.executable, "-c", code, str(tmp_path / "x.trec")], capture_output=True)
    assert process.returncode != 0
    assert not list(tmp_path.iterdir())


def test_what_a_killed_writer_left_goes_with_the_next_run_and_what_another_writes_stays(target: Path) -> None:
    script = (
        "import sys, time\nfrom stagg.formats.storage.atomic import replacing\n"
        "with replacing(sys.argv[1]) as stream:\n"
        "    stream.write(b'half'); stream.flush(); print('ready', flush=True); time.sleep(60)\n"
    )
    call = [sys.executable, "-c", script, str(target)]
    with (
        subprocess.Popen(call, stdout=subprocess.PIPE) as killed,
        subprocess.Popen(call, stdout=subprocess.PIPE) as busy,
    ):
        for process in (killed, busy):
            assert process.stdout is not None
            process.stdout.readline()
        killed.kill()
        killed.wait()
        assert len(list(target.parent.glob(".*.part"))) == 2
        write(RANKED, target)
        assert len(list(target.parent.glob(".*.part"))) == 1
        busy.kill()
    write(RANKED, target)
    assert list(target.parent.iterdir()) == [target]


def test_files_that_only_look_like_ours_are_left_alone(target: Path) -> None:
    others = [target.parent / name for name in (".x.part", f".{target.name}.part", f".{target.name}.0123456789ag.part")]
    for other in others:
        other.write_bytes(b"")
    (target.parent / f".{target.name}.0123456789ab.part").symlink_to(target)
    write(RANKED, target)
    assert len(list(target.parent.iterdir())) == 5


def test_links_in_a_circle_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.trec").symlink_to(tmp_path / "b.trec")
    (tmp_path / "b.trec").symlink_to(tmp_path / "a.trec")
    with pytest.raises(DataError, match=r"a\.trec: cannot be written: Too many levels of symbolic links"):
        write(RANKED, tmp_path / "a.trec")
    assert (tmp_path / "a.trec").is_symlink()


def test_a_file_that_could_not_be_made_is_not_looked_for_at_the_end(tmp_path: Path) -> None:
    """On a read-only file system the attempt to remove it was a traceback."""
    code = (
        "import sys, os, stagg.formats.storage.atomic as o\n"
        "def deny(*_): raise OSError(30, 'Read-only file system')\n"
        "o._open_for_us_alone = os.unlink = deny\n"
        "try:\n    o.replacing(sys.argv[1]).__enter__()\nexcept Exception as error: print(error)"
    )
    ended = subprocess.run([sys.executable, "-c", code, str(tmp_path / "x.trec")], capture_output=True, text=True)
    assert ended.stderr == ""
    assert ended.stdout.endswith("x.trec: cannot be written: Read-only file system\n")
