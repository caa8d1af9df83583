"""What engines are given: an output takes all bytes or none."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from stagg import DataError, Rankings
from stagg.engines.base import Listener, Output
from stagg.formats.log import ReadLog
from stagg.formats.write import pick_fused_format

FUSED = Rankings.from_lists({"stagg-rrf": ["b", "a c"]})


def write_half(output: Output) -> None:
    with output.open() as stream:
        stream.write(b"half")
        raise KeyError


def test_a_file_is_replaced_when_all_is_written_and_only_then(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_text("before")
    output = Output(str(path), pick_fused_format(path))
    with pytest.raises(KeyError):
        write_half(output)
    assert path.read_text() == "before"
    with output.open() as stream:
        stream.write(b"all")
        assert path.read_text() == "before"
    assert path.read_text() == "all"


def test_standard_output_gets_nothing_after_an_error(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    output = Output(None, pick_fused_format(None))
    with pytest.raises(KeyError):
        write_half(output)
    with output.open() as stream:
        stream.write(b"all")
    assert capfdbinary.readouterr().out == b"all"


def test_a_named_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    path, read = tmp_path / "pipe.csv", []
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    with Output(str(path), pick_fused_format(path)).open() as stream:
        stream.write(b"all")
    reader.join(10)
    assert read == [b"all"]
    assert path.is_fifo()


@pytest.mark.parametrize("name", [None, "f.trec"])
def test_a_consensus_that_the_format_cannot_hold_is_refused_by_name(name: str | None, tmp_path: Path) -> None:
    path = None if name is None else str(tmp_path / name)
    output = Output(path, pick_fused_format(path))
    assert output.name == (path or "<stdout>")
    for act in (output.check, output.write):
        with pytest.raises(DataError, match="trec cannot hold"):
            act(FUSED)
    assert list(tmp_path.iterdir()) == []


def test_a_listener_may_ignore_everything() -> None:
    listener = Listener()
    with listener.busy("reading"), listener.progress() as progress:
        progress("fusing", 0, 1)
    listener.reads_whole("because")
    listener.has_read(ReadLog(), "nothing")
    listener.has_one_ranker()
