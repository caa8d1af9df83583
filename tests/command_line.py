"""The command line called as the shell would, in the process of the tests."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import stagg
from stagg.cli.main import main

SAMPLE_FILES = ("bm25.trec", "dense.trec", "sparse.trec", "qrels.txt")


class Outcome(NamedTuple):
    """How a command ended; ``raw`` is what it wrote to standard output, byte by byte."""

    code: int
    raw: bytes
    err: str

    @property
    def out(self) -> str:
        return self.raw.decode()


Run = Callable[..., Outcome]


def runner(captured: pytest.CaptureFixture[bytes], *first: str) -> Run:
    """A function that calls a command with some arguments; ``first`` stand before them."""

    def call(*arguments: object) -> Outcome:
        with pytest.raises(SystemExit) as ended:
            main([*first, *map(str, arguments)])
        out, err = captured.readouterr()
        assert b"Traceback" not in err
        return Outcome(int(ended.value.code or 0), out, err.decode())

    return call


def copy_sample(folder: Path) -> Path:
    """The files of the built-in sample in a new folder, as ``stagg demo --save`` writes them beside its reports."""
    folder.mkdir()
    for name in SAMPLE_FILES:
        shutil.copy(Path(stagg.__file__).parent / "sample" / name, folder / name)
    return folder
